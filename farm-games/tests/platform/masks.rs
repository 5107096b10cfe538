//! Masks say before a step what the step then does.

use farm_core::{ActionKind, Environment, Stream};

use super::common::variants;
use super::support::{Sheet, columns, random_calls};

/// Kinds of parts that judge whether an action changes anything; the others say yes to everything.
const JUDGES: [&str; 9] =
    ["Facility", "Fertilizer", "Cide", "Weeds", "Plant", "CropMarket", "StagedTiles", "GridFarmer", "WalkingFarmer"];

/// Games whose farmers, prices and caps refuse.
fn strict() -> Vec<(String, Environment)> {
    let farmers = "[{BasicFarmer: {max_daily_interventions: 1, max_daily_observations: 0, permissions: {Field-0: {can_intervene: false}}}}, \
         {ScheduledFarmer: {weekdays: [monday, thursday], every#day: 2, permissions: {Field-1: {can_intervene: false}}}}, \
         {BasicFarmer: {max_daily_interventions: 0, max_daily_observations: 1}}]";
    let fields = &[(2, 1), (1, 1)];
    let sheet = |rules: &'static str, mode| Sheet { fields, farmers, rules, mode, ..Sheet::default() }.environment();
    let cap = "max_action_schedule_size: 3\nmax_action_schedule_cost: 0.9\n\
               observations: {Field-0: {Soil-0: {available_Water#L: ['*', '(0, 0)']}, Weather-0: {wind: '*'}}}";
    let mut games = Vec::new();
    for mode in ["pomdp", "aomdp"] {
        games.push((
            format!("strict {mode}"),
            sheet("max_action_schedule_size: 3\nobservations: {Field-0: {Soil-0: {available_Water#L: '*'}}}", mode),
        ));
        games.push((format!("capped {mode}"), sheet(cap, mode)));
        games.push((
            format!("no room {mode}"),
            sheet("max_action_schedule_size: 0\nobservations: {Field-0: {Soil-0: {available_Water#L: '*'}}}", mode),
        ));
    }
    games
}

fn visit(check: impl Fn(&Environment, usize, &str)) {
    let catalogue = variants().iter().map(|v| (v.label.clone(), Environment::new(v.game.clone())));
    for (label, mut env) in catalogue.chain(strict()) {
        let mut stream = Stream::from_seed(31);
        for seed in 0..12 {
            env.reset(seed);
            for _ in 0..stream.index(60) {
                let kind = env.expects();
                let calls = random_calls(env.game(), kind, 4, &mut stream);
                if env.step(&calls).unwrap().over() {
                    env.reset(seed + 100);
                }
            }
            let all = env.game().catalogue().discrete_len();
            for id in (0..40.min(all)).map(|_| stream.index(all as u32) as usize).chain([0, all - 1]) {
                check(&env, id, &label);
            }
        }
    }
}

#[test]
fn the_mask_allows_exactly_what_a_step_does_not_reject() {
    visit(|env, id, label| {
        let mask = env.action_mask();
        let mut after = env.clone();
        after.step(id).unwrap();
        let rejected = after.record().rejected();
        let action =
            env.game().catalogue().discrete(id).unwrap().first().map(|call| env.game().catalogue().describe(call));
        assert_eq!(mask[id] == 1, rejected.is_empty(), "{label}: {id} {action:?}: {rejected:?}");
        assert!(mask.iter().all(|bit| *bit <= 1) && mask.len() == env.game().catalogue().discrete_len());
    });
}

#[test]
fn the_mask_of_effects_allows_less_and_what_it_allows_changes_something() {
    visit(|env, id, label| {
        let (allowed, effect) = (env.action_mask(), env.effect_mask());
        assert!(effect.iter().zip(&allowed).all(|(effect, allowed)| effect <= allowed), "{label}");
        let catalogue = env.game().catalogue();
        let [call] = catalogue.discrete(id).unwrap() else { return };
        let base = &catalogue.base_actions()[call.base()];
        let part = &env.game().parts()[base.part()];
        let waits = base.info(env.game().parts()).is_some_and(|action| action.waits());
        if base.kind() == ActionKind::Observation || waits || effect[id] == 0 || !JUDGES.contains(&part.kind()) {
            return;
        }
        let (mut acted, mut idle) = (env.clone(), env.clone());
        acted.step(id).unwrap();
        idle.step(catalogue.waiting()).unwrap();
        let (acted, idle) = (columns(env.game(), acted.state()), columns(env.game(), idle.state()));
        assert!(acted != idle, "{label}: {} changes nothing", catalogue.describe(call));
    });
}

/// What would change nothing is not allowed by the mask of effects, in cases that are known by hand.
#[test]
fn an_action_without_effect_is_not_in_the_mask_of_effects() {
    let entities =
        "[{Weather: montpellier}, {Soil: loam}, {Facility: base_facility}, {Weeds: base_weed}, {Plant: bean}]";
    let rules = "initial_conditions: {Field-0: {Weeds-0: {seeds#nb: 0, grow#nb: {'(0, 0)': 2, '(1, 0)': 0, '(2, 0)': 0}, flowers#nb: 0}}}\n\
                 actions: {Field-0: {Facility-0: {put_scarecrow: , remove_scarecrow: }, Weeds-0: {remove: }}}";
    let env = Sheet { entities, rules, mode: "pomdp", ..Sheet::default() }.environment();
    let catalogue = env.game().catalogue();
    let mask = env.effect_mask();
    let allowed: Vec<String> = (1..mask.len())
        .filter(|id| mask[*id] == 1)
        .map(|id| catalogue.describe(&catalogue.discrete(id).unwrap()[0]))
        .collect();
    assert_eq!(
        allowed,
        [
            "Field-0.Facility-0.put_scarecrow(type=basic)",
            "Field-0.Facility-0.put_scarecrow(type=advanced)",
            "Field-0.Weeds-0.remove(plot=(0, 0))"
        ]
    );
}

/// Rules may reject such actions: they give the part's reason and cost nothing. With priced observations, that would tell what a look shows.
#[test]
fn an_action_without_effect_is_rejected_with_its_reason_or_paid() {
    let entities = "[{Weather: montpellier}, {Soil: loam}, {Plant: bean}, {Facility: base_facility}]";
    let rules = "futile_actions: rejected\nmax_action_schedule_size: 3\ninitial_conditions: {Field-0: {Plant-0: {stage: grow}}}\n\
                 actions: {Field-0: {Plant-0: {sow: {plot: ['(0, 0)'], amount#seed: [10], spacing#cm: [20]}, harvest: , remove: {plot: ['(0, 0)']}}, \
                 Facility-0: {remove_scarecrow: }}}";
    let calls = ["Plant-0.harvest", "Plant-0.sow", "Facility-0.remove_scarecrow", "Plant-0.remove"];
    let farmers = "[{BasicFarmer: {max_daily_interventions: 4}}]";
    for (mode, rejected) in [("pomdp", true), ("aomdp", false)] {
        let sheet = Sheet { entities, rules, mode, farmers, ..Sheet::default() };
        let mut env = sheet.environment();
        if mode == "aomdp" {
            env.step(&[]).unwrap();
        }
        let catalogue = env.game().catalogue();
        let is_work = |call: &farm_core::action::Call| {
            catalogue.base_actions()[call.base()].kind() == ActionKind::Intervention
                && calls.iter().any(|name| catalogue.describe(call).contains(name))
        };
        let ids: Vec<usize> =
            (1..catalogue.discrete_len()).filter(|id| is_work(&catalogue.discrete(*id).unwrap()[0])).collect();
        let mask = env.action_mask();
        let allowed = ids.iter().filter(|id| mask[**id] == 1).count();
        assert_eq!(allowed, if rejected { 1 } else { 4 }, "{mode}");
        let mut reasons = Vec::new();
        for id in ids {
            let mut after = env.clone();
            after.step(id).unwrap();
            reasons.extend(after.record().rejected().iter().map(|rejection| rejection.reason()));
        }
        let expected =
            ["there are plants or dead plants on the plot", "nothing there is ripe", "there is no scarecrow"];
        assert_eq!(reasons, if rejected { expected.to_vec() } else { Vec::new() }, "{mode}");
    }
}

#[test]
fn nothing_is_allowed_after_the_end_but_to_do_nothing() {
    let mut env = Sheet { rules: "max_steps: 1", mode: "pomdp", ..Sheet::default() }.environment();
    env.step(&[]).unwrap();
    assert!(env.action_mask()[1..].iter().all(|bit| *bit == 0));
    assert!(env.effect_mask()[1..].iter().all(|bit| *bit == 0));
    assert!(env.step(&[]).is_err());
}
