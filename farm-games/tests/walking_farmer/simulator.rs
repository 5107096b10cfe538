//! Walking, reaching and carrying once more, written from the rules' text alone, and compared with the game step by step.

use std::collections::BTreeMap;

use farm_core::action::Call;
use farm_core::{Environment, Stream};
use serde_json::{Value as Json, json};

use super::support::*;

/// What the farmer does of its own.
const OWN: [&str; 6] = ["MoveN", "MoveS", "MoveE", "MoveW", "Refill", "Wait"];

struct Stock {
    unit: &'static str,
    capacity: f64,
    carried: f64,
    only: Option<&'static str>,
    at: (i64, i64),
}

struct Simulator {
    size: (i64, i64),
    reach: i64,
    at: (i64, i64),
    stocks: BTreeMap<&'static str, Stock>,
    steps: i32,
    steps_per_day: i32,
}

impl Simulator {
    fn shipped() -> Self {
        let stock = |unit, capacity, carried, at| Stock { unit, capacity, carried, only: None, at };
        let stocks = [("water#L", stock("L", 80.0, 20.0, (4, 4))), ("seeds#seed", stock("seed", 16.0, 1.0, (0, 3)))];
        Self { size: (8, 8), reach: 0, at: (3, 3), stocks: stocks.into(), steps: 0, steps_per_day: 24 }
    }

    fn yard() -> Self {
        let hut = (0, 3);
        let stocks = [
            ("water#L", Stock { unit: "L", capacity: 7.0, carried: 7.0, only: None, at: (4, 0) }),
            ("manure#kg", Stock { unit: "kg", capacity: 1.0, carried: 1.0, only: Some("Fertilizer-0"), at: hut }),
            ("poison#kg", Stock { unit: "kg", capacity: 0.5, carried: 0.25, only: Some("Cide-0"), at: hut }),
            ("seeds#seed", Stock { unit: "seed", capacity: 4.0, carried: 1.0, only: None, at: hut }),
        ];
        Self { size: (5, 4), reach: 2, at: (2, 1), stocks: stocks.into(), steps: 0, steps_per_day: 5 }
    }

    /// What an action takes, by stock; or why it can't be done.
    fn judge(&self, form: &Json) -> Result<Vec<(&'static str, f64)>, &'static str> {
        let form = form.as_array().unwrap();
        let (entity, action, parameters) = (form[2].as_str().unwrap(), form[3].as_str().unwrap(), &form[4]);
        if entity == "WalkingFarmer-0" {
            let filled = self.stocks.values().any(|stock| stock.at == self.at);
            return match action {
                "Refill" if !filled => Err("this plot has no refill point"),
                _ => Ok(Vec::new()),
            };
        }
        let Some(plot) = parameters.get("plot") else {
            return Err("a farmer on foot cannot act on the whole field");
        };
        let digits: Vec<i64> = match plot {
            Json::Array(plot) => plot.iter().map(|n| n.as_i64().unwrap()).collect(),
            other => panic!("a plot is a list: {other}"),
        };
        if (digits[0] - self.at.0).abs() + (digits[1] - self.at.1).abs() > self.reach {
            return Err("the plot is out of reach");
        }
        let mut taken = Vec::new();
        for (name, amount) in parameters.as_object().unwrap() {
            let Some((_, unit)) = name.split_once('#') else { continue };
            let fits = |stock: &&Stock| stock.unit == unit && stock.only.is_none_or(|only| only == entity);
            let Some((stock, of)) = self.stocks.iter().find(|(_, stock)| fits(stock)) else { continue };
            let amount = amount.as_f64().unwrap();
            if of.carried < amount - 1e-9 {
                return Err("the farmer does not carry enough for this");
            }
            taken.push((*stock, amount));
        }
        Ok(taken)
    }

    fn step(&mut self, form: &Json) {
        self.steps = (self.steps + 1) % self.steps_per_day;
        let Ok(taken) = self.judge(form) else { return };
        for (stock, amount) in taken {
            let stock = self.stocks.get_mut(stock).unwrap();
            stock.carried = (stock.carried - amount).max(0.0);
        }
        let (east, south) = match form[3].as_str().unwrap() {
            "MoveN" => (0, -1),
            "MoveS" => (0, 1),
            "MoveE" => (1, 0),
            "MoveW" => (-1, 0),
            "Refill" => {
                let at = self.at;
                self.stocks
                    .values_mut()
                    .filter(|stock| stock.at == at)
                    .for_each(|stock| stock.carried = stock.capacity);
                return;
            }
            _ => return,
        };
        self.at.0 = (self.at.0 + east).clamp(0, self.size.0 - 1);
        self.at.1 = (self.at.1 + south).clamp(0, self.size.1 - 1);
    }

    fn compare(&self, env: &Environment, seed: u64) {
        let (x, y) = position(env);
        assert_eq!((x as i64, y as i64), self.at, "seed {seed}");
        for (name, stock) in &self.stocks {
            let found = carried(env, name);
            assert!((found - stock.carried).abs() < 1e-9, "seed {seed}: {name}: {found} instead of {}", stock.carried);
        }
        assert_eq!(values::<i32>(env, "WalkingFarmer-0", "steps_today")[0], self.steps, "seed {seed}");
    }
}

/// A random call: often a step of its own, sometimes one that the mask allows, sometimes any.
fn choose(env: &Environment, own: &[Call], stream: &mut Stream) -> Call {
    let any = |calls: &[Call], stream: &mut Stream| calls[stream.index(calls.len() as u32) as usize];
    let all = env.game().catalogue().calls();
    match stream.index(4) {
        0 | 1 => any(own, stream),
        2 => {
            let open = |call: &&Call| env.game().rejection(env.state(), call).is_none();
            any(&all.iter().filter(open).copied().collect::<Vec<_>>(), stream)
        }
        _ => any(all, stream),
    }
}

fn compare(mut env: Environment, simulator: impl Fn() -> Simulator, seeds: std::ops::Range<u64>) {
    // An action whose name says all is a plain word: one of the farmer's own, or one on the whole field.
    let form = |call: &Call| match env.game().catalogue().to_json(call) {
        Json::String(name) => {
            let entity = if OWN.contains(&name.as_str()) { "WalkingFarmer-0" } else { "of the field" };
            json!(["WalkingFarmer-0", "", entity, name, {}])
        }
        form => form,
    };
    let forms: Vec<Json> = env.game().catalogue().calls().iter().map(form).collect();
    let position_of =
        |env: &Environment, call: &Call| env.game().catalogue().calls().iter().position(|c| c == call).unwrap();
    let own: Vec<Call> = OWN.iter().map(|name| env.game().text().parse(name).unwrap()[0]).collect();
    let (mut refused, mut taken) = (BTreeMap::new(), 0);
    for seed in seeds {
        let mut stream = Stream::from_seed(seed);
        let mut rules = simulator();
        env.reset(seed);
        for step in 0..80 {
            if step % 20 == 0 {
                // The mask says of each action what the rules say.
                let mask = env.action_mask();
                for (call, form) in env.game().catalogue().calls().iter().zip(&forms) {
                    let id = env.game().catalogue().discrete_of(call).unwrap();
                    assert_eq!(mask[id] == 1, rules.judge(form).is_ok(), "seed {seed}: {form}");
                }
            }
            let call = choose(&env, &own, &mut stream);
            let form = &forms[position_of(&env, &call)];
            let judged = rules.judge(form);
            env.step(&[call]).unwrap();
            let reason = env.record().rejected().first().map(|rejection| rejection.reason());
            assert_eq!(reason, judged.as_ref().err().copied(), "seed {seed}, step {step}: {form}");
            reason.into_iter().for_each(|reason| *refused.entry(reason).or_insert(0) += 1);
            taken += usize::from(judged.is_ok_and(|taken| !taken.is_empty()));
            rules.step(form);
            rules.compare(&env, seed);
        }
    }
    assert!(refused.len() >= 3 && refused.values().all(|n| *n >= 20) && taken > 1000, "{refused:?}, {taken} drawn");
}

#[test]
fn the_game_walks_reaches_and_carries_as_the_rules_say() {
    // With little in hand, so that it runs out.
    let stocks = "farmers.0.WalkingFarmer.stocks";
    let (water, seeds) = (format!("{stocks}.water#L.starts_with"), format!("{stocks}.seeds#seed.starts_with"));
    compare(shipped(&[(&water, "20"), (&seeds, "1")]), Simulator::shipped, 0..500);
}

#[test]
fn so_it_does_with_a_reach_several_places_and_all_actions() {
    compare(yard(&[]), Simulator::yard, 500..1000);
}
