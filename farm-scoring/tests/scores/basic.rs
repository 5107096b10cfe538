//! Both mixes of the basic score against sums over the days.

use farm_core::Stream;

use crate::support::{Farm, assert_close};

/// The return of an episode, and what the days show of birds, visits, resources and harvests.
fn episode(farm: &mut Farm, seed: u64) -> (f64, [f64; 4]) {
    farm.env.reset(seed);
    let mut stream = Stream::from_seed(seed);
    let (mut total, mut days) = (0.0, [0.0; 4]);
    loop {
        let (done_action, outcome) = farm.day(&mut stream);
        total += outcome.reward;
        let game = farm.env.game();
        let harvests = farm.env.record().events().iter().filter(|e| game.events()[e.id.index()].1.name() == "harvest");
        let harvested: f64 = harvests.map(|event| event.value).sum();
        let used =
            done_action.map_or(0.0, |done_action| match (done_action.part.as_str(), done_action.name.as_str()) {
                ("Soil-0", _) => done_action.number("amount#L"),
                (_, "scatter_bag") => 0.75 * done_action.number("amount#bag"),
                (_, "scatter") => done_action.number("amount#kg"),
                _ => 0.0,
            });
        let today = [farm.sum("Birds-0.population#nb"), farm.sum("Pollinators-0.occurrence#bin"), used, harvested];
        days.iter_mut().zip(today).for_each(|(sum, today)| *sum += today);
        if outcome.over() {
            return (total, days);
        }
    }
}

/// Daily increments and the final total pay the same, once.
fn pays(mix: &str, others: &str, expected: impl Fn(&Farm, [f64; 4]) -> f64) {
    for (daily, last) in [(mix, "{}"), ("{}", mix)] {
        let mut farm =
            Farm::new(&format!("{{BasicScore: {{reward_mix: {daily}, final_reward_mix: {last}{others}}}}}"), &[]);
        let mut any = false;
        for seed in 0..3 {
            let (found, days) = episode(&mut farm, seed);
            let expected = expected(&farm, days);
            assert_close(found, expected, &format!("{mix} {others}, seed {seed}"));
            any |= expected != 0.0;
        }
        assert!(any, "{mix} {others}: something must have happened");
    }
}

#[test]
fn cumulated_things_are_paid_once_in_either_mix() {
    pays("{biodiversity: 0.5}", "", |_, [birds, visits, ..]| 0.5 * (birds + visits));
    let weights = ", biodiversity: {birds: 2, pollinators: 0, pests: -1, weeds: -0.25}";
    pays("{biodiversity: 1}", weights, |farm, [birds, ..]| {
        let pests = farm.sum("Pests-0.total_cumulated_plot_population#nb");
        let weeds = farm.sum("Weeds-0.total_cumulated_plot_population#nb");
        2.0 * birds - pests - 0.25 * weeds
    });
    pays("{resource: 0.1}", "", |_, [_, _, used, _]| -0.1 * used);
    pays("{yield#kg: 3}", "", |_, [.., harvested]| 3.0 * harvested);
}

#[test]
fn stage_transitions_pay_the_same_in_either_mix() {
    let [mut daily, mut last] = ["reward_mix", "final_reward_mix"]
        .map(|mix| Farm::new(&format!("{{BasicScore: {{{mix}: {{stage_transition: 1}}}}}}"), &[]));
    for seed in 0..4 {
        let (mut sum, mut advances) = (0.0, 0);
        daily.env.reset(seed);
        let mut stream = Stream::from_seed(seed);
        loop {
            let (_, outcome) = daily.day(&mut stream);
            sum += outcome.reward;
            let game = daily.env.game();
            let named = |name: &str| {
                daily.env.record().events().iter().filter(|e| game.events()[e.id.index()].1.name() == name).count()
            };
            advances += named("stage_transition");
            if outcome.over() {
                break;
            }
        }
        assert_close(sum, advances as f64 / 12.0, "a share of the twelve plots each");
        assert_close(episode(&mut last, seed).0, sum, "the total at the end");
    }
}

#[test]
fn levels_are_paid_as_they_stand() {
    let score = "{BasicScore: {final_reward_mix: {soil: 2, plant: 3}}}";
    let mut farm = Farm::new(score, &[("rules.BasicRule.max_steps", "4")]);
    let mut growing = [0; 6];
    for seed in 0..8 {
        let (found, _) = episode(&mut farm, seed);
        // The development index of the paper, worked out from the variables of each plot.
        let variable = |name: &str| farm.values(&format!("Plant-0.{name}"));
        let (stage, size, weight) = (variable("stage"), variable("size#cm"), variable("fruit_weight#g"));
        let (flowers, pollinated) = (variable("flowers_per_plant#nb"), variable("flowers_pollinated_per_plant#nb"));
        let index = |plot: usize| {
            let pollination = match stage[plot] as u8 {
                3 if flowers[plot] > 0.0 => pollinated[plot] / flowers[plot],
                4 | 5 => 1.0,
                _ => 0.0,
            };
            // A bean is 120 cm high at last, its fruits weigh 50 g.
            (1.0 + size[plot] / 120.0 + pollination + weight[plot] / 50.0) / 4.0
        };
        let progress = variable("progress#prop");
        for plot in (0..12).filter(|plot| (2.0..=5.0).contains(&stage[*plot])) {
            growing[stage[plot] as usize] += 1;
            assert_close(progress[plot], index(plot), &format!("seed {seed} plot {plot}"));
        }
        let mean = |name: &str| farm.sum(name) / 12.0;
        let soil = mean("Soil-0.microlife_health_index#%") / 100.0;
        assert_close(found, 2.0 * soil + 3.0 * mean("Plant-0.progress#prop"), &format!("seed {seed}"));
    }
    assert!(growing[2..].iter().all(|plots| *plots > 0), "plants of every stage: {growing:?}");
}

#[test]
fn wrong_names_and_negative_costs_of_observations_are_refused_and_groups_are_not() {
    let refused = |table: &str| match Farm::open(&format!("{{BasicScore: {{observation_cost: {table}}}}}"), &[]) {
        Ok(_) => panic!("{table} opens"),
        Err(problems) => problems.to_string(),
    };
    let text = refused("{Field-0: {Soil-0: {avialable_N#g: 1}}}");
    assert!(
        text.contains("has no variable `avialable_N#g`") && text.contains("did you mean `available_N#g`?"),
        "{text}"
    );
    let text = refused("{Field-0: {Sole-0: {available_N#g: 1}}}");
    assert!(text.contains("there is no part `Field-0.Sole-0`") && text.contains("Field-0.Soil-0"), "{text}");
    let text = refused("{Field-0: {Soil-0: {available_N#g: -1}}}");
    assert!(text.contains("out of range") && text.contains("from 0"), "{text}");
    Farm::new(
        "{BasicScore: {observation_cost: {Field-0: {Weather-0: {air_temperature: 0.5}}}, default_observation_cost: 0.1}}",
        &[],
    );
}
