//! Every kind of policy, with its defaults and its parameter sets, in every version of every game of the catalogue.

use std::collections::BTreeSet;

use allocation_counter::measure;
use farm_core::config::PartKind;
use farm_core::registry::kinds;
use farm_core::{Agent, Game};
use farm_games::catalogue::{REPRESENTATIVE, all_versions};
use farm_games::{CATALOGUE, Options, document, open, policy};

use super::support::{days, game, trace};

/// Former versions with which policies of every kind are tried.
const FORMER: [&str; 2] = ["clay_bean-v0", "full_farm-v0"];

/// Names of the policies without parameter sets, and of each of their sets.
fn forms() -> Vec<(String, String)> {
    let mut forms = Vec::new();
    for kind in kinds().iter().filter(|kind| kind.part() == PartKind::Policy) {
        forms.push((kind.name().to_owned(), kind.name().to_owned()));
        for set in kind.parameter_sets().unwrap_or_else(|error| panic!("{error}")) {
            forms.push((format!("{} {}", kind.name(), set.name()), format!("{{{}: {}}}", kind.name(), set.name())));
        }
    }
    forms
}

fn games() -> Vec<(String, Game)> {
    let mut games = Vec::new();
    for entry in all_versions() {
        let document = document(entry.name).unwrap_or_else(|problems| panic!("{problems}"));
        let presets =
            document.value().get("presets").and_then(|presets| presets.as_mapping()).cloned().unwrap_or_default();
        let presets = presets.keys().filter_map(|key| key.as_str().map(str::to_owned)).map(Some);
        for preset in [None].into_iter().chain(presets) {
            let in_every_mode = preset.is_none() && REPRESENTATIVE.contains(&entry.name);
            for mode in if in_every_mode { &[None, Some("aomdp"), Some("fomdp")][..] } else { &[None] } {
                let set = mode.map(|mode| ("interaction_mode".to_owned(), mode.to_owned())).into_iter().collect();
                let game = open(entry.name, &Options { preset: preset.clone(), set, ..Default::default() });
                games.push((entry.name.to_owned(), game.unwrap_or_else(|problems| panic!("{problems}"))));
            }
        }
    }
    games
}

/// Whether a game has a hundred plots and more: a season of four hundred takes a second in a debug build, so that there are fewer of them.
fn is_large(game: &Game) -> bool {
    game.catalogue().discrete_len() > 1000
}

/// Plays a season; the hash of its end, how many actions were chosen, and how many of them were rejected.
fn season(game: &Game, player: &mut dyn Agent, seed: u64) -> (u64, usize, usize) {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let (mut chosen, mut rejected) = (0, 0);
    loop {
        let mut schedule = Vec::new();
        player.choose(game, &state, &mut schedule);
        chosen += schedule.len();
        let outcome = game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}"));
        rejected += record.rejected().len() + record.rejected_more();
        if outcome.over() {
            return (state.hash(), chosen, rejected);
        }
    }
}

#[test]
fn every_policy_plays_seasons_without_a_rejected_action_or_says_why_it_does_not_fit() {
    let mut built = BTreeSet::new();
    for (name, game) in &games() {
        let own = game.spec().policies().keys().map(|name| (format!("own {name}"), name.clone()));
        // Former versions are of the same parts: their own policies are enough, but for two.
        let is_tried = CATALOGUE.iter().any(|entry| entry.name == name) || FORMER.contains(&name.as_str());
        let forms = if is_tried { forms() } else { Vec::new() };
        for (form, text) in forms.into_iter().chain(own) {
            match policy(game, &text) {
                Ok(mut player) => {
                    built.insert((name.clone(), form.clone()));
                    let mut acts = 0;
                    let mut ends = Vec::new();
                    for seed in 0..if is_large(game) { 1 } else { 2 } {
                        let (end, chosen, rejected) = season(game, player.as_mut(), seed);
                        assert_eq!(rejected, 0, "{name} {form}: of {chosen} chosen actions");
                        ends.push(end);
                        acts += chosen;
                    }
                    // The same player again and another one: memory of the episodes before changes nothing.
                    assert_eq!(season(game, player.as_mut(), 0).0, ends[0], "{name} {form}");
                    let mut other = policy(game, &text).unwrap_or_else(|problems| panic!("{problems}"));
                    assert_eq!(season(game, other.as_mut(), 0).0, ends[0], "{name} {form}");
                    // A crop that nobody waters need not come to fruit, and what is free is not asked for.
                    let idle = [
                        "WaitPolicy",
                        "TriggerPolicy",
                        "CombinedPolicy",
                        // Its days and levels are those of its family.
                        "CropLearnerPolicy",
                        "HarvestPolicy",
                        "ObservePolicy",
                        "own wait",
                        "own works",
                    ];
                    // Where the farmer stands all season, weeds need not come up, and there need be nothing to sow.
                    let stands_still =
                        name.starts_with("walking_farmer") && ["SowPolicy", "WeedPolicy"].contains(&form.as_str());
                    let may_idle = stands_still || idle.iter().any(|idle| form.starts_with(idle));
                    // Who does not look where nearly nothing is free sees no reason to act.
                    let may_idle = may_idle || name.starts_with("costly_");
                    // One wet season wants nothing.
                    assert!(acts > 0 || may_idle, "{name} {form} does something");
                }
                Err(problems) => {
                    assert_eq!(problems.0.len(), 1, "{name} {form}: {problems}");
                    let problem = &problems.0[0];
                    assert!(problem.message.contains("this game"), "{name} {form}: {problem}");
                    assert!(problem.expected.is_some() && problem.help.is_some(), "{name} {form}: {problem}");
                }
            }
        }
    }
    let fits = |game: &str| -> Vec<&str> {
        let of_game = built.iter().filter(|(name, form)| name == game && !form.starts_with("own "));
        of_game.map(|(_, form)| form.as_str()).collect()
    };
    let anywhere = ["CombinedPolicy", "RandomPolicy", "TriggerPolicy", "WaitPolicy"];
    let with = |more: &[&'static str]| -> Vec<&str> {
        anywhere.iter().chain(more).copied().collect::<BTreeSet<_>>().into_iter().collect()
    };
    let harvest =
        ["HarvestPolicy", "HarvestPolicy when_fruit", "HarvestPolicy when_ripe", "ObservePolicy", "WaterPolicy"];
    let scatter = ["ScatterPolicy", "ScatterPolicy fertilizer_once", "ScatterPolicy fertilizer_periodically"];
    let full: Vec<&str> = [&harvest[..], &scatter, &["ScarecrowPolicy", "SowPolicy", "WeedPolicy"]].concat();
    assert_eq!(fits(FORMER[0]), with(&harvest));
    // The herbicide has two cides to choose from there.
    assert_eq!(fits(FORMER[1]), with(&full));
    assert_eq!(fits("backwards_valley"), with(&PLANNERS));
    assert_eq!(fits("walking_farmer"), with(&[&harvest[..], &["SowPolicy", "WalkingPolicy", "WeedPolicy"]].concat()));
    assert_eq!(fits("valley_farm"), with(&[&PLANNERS[..], &LEARNERS[..2]].concat()));
}

/// Those that search for a plan take the memory that the search needs.
const PLANNERS: [&str; 2] = ["OraclePolicy", "InformedPolicy"];

/// Those that find out the rules of a family keep what may still hold.
const LEARNERS: [&str; 3] = ["AdaptivePolicy", "BayesianPolicy", "CropLearnerPolicy"];

/// The schedule has the room that the rules allow, as every runner of episodes gives it.
#[test]
fn no_policy_allocates_when_it_chooses() {
    let mut players = 0;
    for (name, game) in &games() {
        let plans = |form: &str| PLANNERS.contains(&form) || LEARNERS.contains(&form);
        let forms = || forms().into_iter().filter(move |(form, _)| !plans(form));
        let together = forms().filter(|(_, text)| policy(game, text).is_ok()).map(|(_, text)| text);
        let together = format!("[{}]", together.collect::<Vec<_>>().join(", "));
        for text in forms().map(|(_, text)| text).chain([together]) {
            let Ok(mut player) = policy(game, &text) else { continue };
            players += 1;
            let (mut state, mut record) = (game.new_state(), game.new_record());
            let mut schedule = Vec::with_capacity(game.catalogue().max_schedule());
            game.reset(&mut state, 1, &mut record);
            let counted = measure(|| {
                player.start(1);
                for _ in 0..30 {
                    schedule.clear();
                    player.choose(game, &state, &mut schedule);
                    if game.step(&mut state, &schedule, &mut record).is_ok_and(|outcome| outcome.over()) {
                        game.reset(&mut state, 2, &mut record);
                        player.start(2);
                    }
                }
            });
            assert_eq!(counted.count_total, 0, "{name} {text}");
        }
    }
    assert!(players > 50, "{players}");
}

#[test]
fn where_several_fit_the_policy_names_them_and_takes_the_one_that_is_named() {
    let game = game("full_farm-v0", None);
    let problem = super::support::refused(&game, "{ScatterPolicy: herbicide_periodically}").0.swap_remove(0);
    assert_eq!(problem.value.as_deref(), Some("`Field-0.Cide-0`, `Field-0.Cide-1`"), "{problem}");
    for (entity, part) in [("Cide-0", "Field-0.Cide-0"), ("Field-0.Cide-1", "Field-0.Cide-1")] {
        let yaml = format!("{{ScatterPolicy: {{base: herbicide_periodically, entity: {entity}}}}}");
        let trace = trace(&game, &yaml, 12);
        assert_eq!(days(&trace, &format!("{part}.scatter")), [0, 5, 10], "{trace:?}");
    }
    // Both, on two days: there is one intervention a day.
    let both = trace(&game, "{ScatterPolicy: {what: cide, entity: '*', once: true}}", 5);
    assert_eq!((days(&both, "Cide-0"), days(&both, "Cide-1")), (vec![0], vec![1]));
}

#[test]
fn water_comes_every_so_many_days_or_below_a_threshold() {
    let game = game("clay_bean-v0", None);
    let every = trace(&game, "{WaterPolicy: {amount#L: 3, period#day: 4}}", 10);
    assert_eq!(days(&every, "water_discrete(plot=(0, 0), amount#L=3.0"), [0, 4, 8], "{every:?}");
    // At the start there are 120 to 170 L in the plot, and nothing changes here.
    let (wet, dry) =
        (trace(&game, "{WaterPolicy: {below#L: 119}}", 3), trace(&game, "{WaterPolicy: {below#L: 171}}", 3));
    assert!(days(&wet, "water").is_empty(), "{wet:?}");
    assert_eq!(days(&dry, "amount#L=1.0"), [0, 1, 2], "the least that the rules allow: {dry:?}");
}

#[test]
fn fertiliser_and_the_scarecrow_come_once_when_they_shall() {
    let game = game("full_farm-v0", None);
    let once = trace(&game, "{ScatterPolicy: {base: fertilizer_once, amount#kg: 0.5, start#day: 7}}", 20);
    assert_eq!(days(&once, "Fertilizer-0.scatter(plot=(0, 0), amount#kg=0.5)"), [7], "{once:?}");
    let scarecrow = trace(&game, "ScarecrowPolicy", 5);
    assert_eq!(days(&scarecrow, "put_scarecrow(type=advanced)"), [0], "{scarecrow:?}");
}

/// Plays seasons and hands every day's stages and schedule over.
fn watch(game: &Game, yaml: &str, seeds: u64, mut see: impl FnMut(u32, &str, &[String])) {
    let mut player = super::support::player(game, yaml);
    for seed in 0..seeds {
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, seed, &mut record);
        player.start(seed);
        loop {
            let mut record_of_day = vec![0; game.observation().size()];
            game.observe_into(&state, &mut record_of_day);
            let text = game.observation().to_text(&record_of_day);
            let stage = text.lines().find_map(|line| line.split_once("stage: ")).map_or("?", |(_, stage)| stage);
            let mut schedule = Vec::new();
            player.choose(game, &state, &mut schedule);
            let chosen: Vec<String> = schedule.iter().map(|call| game.catalogue().describe(call)).collect();
            see(state.step(), stage, &chosen);
            if game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}")).over() {
                break;
            }
        }
    }
}

#[test]
fn harvests_come_so_many_days_after_the_stage_was_first_seen() {
    let game = game("clay_bean-v0", None);
    for (set, awaited, delay) in [("when_ripe", "ripe", 1), ("when_fruit", "fruit", 18)] {
        let yaml = format!("[{{HarvestPolicy: {set}}}, {{WaterPolicy: {{amount#L: 2, below#L: 140}}}}]");
        let (mut first, mut harvests) = (None, 0);
        watch(&game, &yaml, 10, |step, stage, chosen| {
            if step == 0 {
                first = None;
            }
            if stage == awaited && first.is_none() {
                first = Some(step);
            }
            if chosen.iter().any(|call| call.contains("harvest")) {
                assert_eq!(first.map(|first| first + delay), Some(step), "{set}");
                harvests += 1;
            }
        });
        assert!(harvests >= 5, "{set}: {harvests} harvests in ten seasons");
    }
}

#[test]
fn weeds_are_pulled_out_where_there_are_many() {
    let game = game("full_farm-v0", Some("4x3"));
    let weeds = |yaml: &str| -> f64 {
        let mut player = super::support::player(&game, yaml);
        let column = game.parts().iter().find(|part| part.kind() == "Weeds").and_then(|part| {
            part.variables().iter().find(|variable| variable.name() == "grow#nb").and_then(|v| v.column::<i32>())
        });
        let (mut state, mut record) = (game.new_state(), game.new_record());
        let mut sum = 0.0;
        for seed in 0..5 {
            game.reset(&mut state, seed, &mut record);
            player.start(seed);
            for _ in 0..100 {
                let mut schedule = Vec::new();
                player.choose(&game, &state, &mut schedule);
                if game.step(&mut state, &schedule, &mut record).unwrap_or_else(|error| panic!("{error}")).over() {
                    break;
                }
                sum += game.reader(&state).get(column.expect("weeds")).iter().map(|n| f64::from(*n)).sum::<f64>();
            }
        }
        sum
    };
    let (left, weeded) = (weeds("WaitPolicy"), weeds("WeedPolicy"));
    assert!(weeded < 0.8 * left && left > 100.0, "{weeded} weeds instead of {left}");
}
