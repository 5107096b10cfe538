//! A small search over the farm games that are shipped: naive play earns less than the expert, and no hole is found.
//!
//! `cargo xtask exploits` searches longer.

use farm_core::Game;
use farm_core::action::ActionTarget;
use farm_core::rules::Futile;
use farm_core::serde_yaml::Value;
use farm_games::catalogue::BEST_KNOWN_POLICY;
use farm_games::{CATALOGUE, Options};
use farm_search::{
    Arena, BOUND, Candidate, Draw, Generator, LuckPlan, Scored, SearchPlan, Verdict, Vocabulary, judge, luck, search,
    spammers,
};

/// Numbers so small that a debug build is through in half a minute.
const PLAN: SearchPlan = SearchPlan { candidates: 24, episodes: 4, seed: 0 };
const FRESH: u64 = 10;

/// The farm games with an expert, but not those of a hundred plots and more, since what can be done on one plot can be done on all, nor
/// those with a limit besides the profit, over which any play earns more.
fn games() -> Vec<(&'static str, Game)> {
    let open = |name| (name, farm_games::open(name, &Options::default()).unwrap());
    let all = CATALOGUE.iter().map(|entry| open(entry.name));
    let is_small = |game: &Game| game.catalogue().discrete_len() <= 1000;
    let has_no_limit = |game: &Game| game.constraints().iter().all(|constraint| constraint.limit.is_none());
    let has_expert = |game: &Game| game.spec().policies().contains_key("expert");
    all.filter(|(_, game)| has_expert(game) && is_small(game) && has_no_limit(game)).collect()
}

/// The policy that nothing may beat by more than a tenth: experts may leave room where a better policy is known and comes with the game.
fn reference(game: &Game) -> &'static str {
    if game.spec().policies().contains_key(BEST_KNOWN_POLICY) { BEST_KNOWN_POLICY } else { "expert" }
}

fn seeds(from: u64, n: u64) -> Vec<Draw> {
    (from..from + n).map(Draw::Episode).collect()
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a search finds in a game.
fn verdict(game: &Game) -> Verdict {
    let arena = Arena::new(game, threads());
    let vocabulary = Vocabulary::new(game, &"expert".into(), 0).unwrap();
    let generator = Generator::new(arena, &vocabulary, 0);
    let found = search(arena, &generator, &[], PLAN, &mut |_| {}).unwrap();
    let expert = Candidate::new(reference(game).into(), "expert");
    judge(arena, &expert, &found[..found.len().min(3)], &seeds(1_000_000, 12), &seeds(2_000_000, FRESH)).unwrap()
}

#[test]
fn nothing_that_is_found_beats_the_best_that_is_known_by_more_than_a_tenth() {
    let games = games();
    assert!(games.len() >= 5, "only {} games have an expert", games.len());
    let holes = games.iter().filter_map(|(name, game)| {
        let verdict = verdict(game);
        let (ratio, Scored { candidate, .. }) = (verdict.ratio, &verdict.found);
        let (how, policy) = (&candidate.how, candidate.to_yaml());
        let earned = format!("{:.3} × the expert ({:.3} … {:.3})", ratio.value, ratio.low, ratio.high);
        verdict.is_hole().then(|| format!("{name}: {earned}, more than {BOUND}: {how}\n{policy}"))
    });
    let holes: Vec<String> = holes.collect();
    assert!(holes.is_empty(), "{}", holes.join("\n"));
}

#[test]
fn naive_play_earns_less_than_the_expert() {
    for (name, game) in games() {
        let arena = Arena::new(&game, threads());
        let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
        let spammers = spammers(arena, &vocabulary);
        assert!(spammers.len() >= 3, "{name}: only {} naive policies", spammers.len());
        let few = seeds(3_000_000, 1);
        let jobs: Vec<(&Value, &[Draw])> = spammers.iter().map(|spammer| (&spammer.policy, few.as_slice())).collect();
        let returns = arena.play(&jobs).unwrap();
        let mean = |returns: &[f64]| returns.iter().sum::<f64>() / returns.len() as f64;
        let mut ranks: Vec<usize> = (0..spammers.len()).collect();
        ranks.sort_by(|a, b| mean(&returns[*b]).total_cmp(&mean(&returns[*a])));
        // Only the best of them get more seeds.
        let more = seeds(4_000_000, FRESH);
        let expert = Value::from("expert");
        let best: Vec<&Candidate> = ranks.iter().take(3).map(|rank| &spammers[*rank]).collect();
        let jobs: Vec<(&Value, &[Draw])> = std::iter::once(&expert)
            .chain(best.iter().map(|spammer| &spammer.policy))
            .map(|p| (p, more.as_slice()))
            .collect();
        let returns = arena.play(&jobs).unwrap();
        for (spammer, returned) in best.iter().zip(&returns[1..]) {
            let (spam, expert) = (mean(returned), mean(&returns[0]));
            assert!(spam < expert, "{name}: {} earns {spam:.2}, the expert {expert:.2}", spammer.how);
        }
    }
}

/// What is done every day without a harvest is wasted, unless the rules reject it for nothing: who does nothing does not lose more.
#[test]
fn whatever_is_done_daily_for_nothing_earns_no_more_than_waiting() {
    for (name, game) in games() {
        let arena = Arena::new(&game, threads());
        let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
        // Moves of a farmer on foot cost nothing.
        let is_move =
            |how: &str| game.parts().iter().any(|part| part.field().is_none() && how.starts_with(part.name()));
        let is_wasted =
            |Candidate { how, .. }: &Candidate| how.contains(" daily") && !how.contains("harvest") && !is_move(how);
        let wasted: Vec<Candidate> = spammers(arena, &vocabulary).into_iter().filter(is_wasted).collect();
        assert!(!wasted.is_empty(), "{name}");
        let (few, wait) = (seeds(5_000_000, 4), Value::from("wait"));
        let rejects = game.rules().futile == Futile::Rejected;
        let jobs = std::iter::once(&wait).chain(wasted.iter().map(|spammer| &spammer.policy));
        let returns = arena.play(&jobs.map(|policy| (policy, few.as_slice())).collect::<Vec<_>>()).unwrap();
        let sum = |returns: &[f64]| returns.iter().sum::<f64>();
        for (spammer, returned) in wasted.iter().zip(&returns[1..]) {
            let (spam, wait) = (sum(returned), sum(&returns[0]));
            assert!(
                spam < wait || rejects && spam == wait,
                "{name}: {} earns {spam:.2} in four seasons, waiting {wait:.2}",
                spammer.how
            );
        }
    }
}

/// Games whose dice are what a player watches, with the policy that does not, and what watching is worth at least: beetles fly in by chance,
/// are counted, and can be sprayed; prices change by chance, and a barn lets the farmer wait.
const DICE_TO_ACT_ON: [(&str, &str, f64); 2] =
    [("pests_and_pollinators", "neglected", 1.25), ("grain_store", "sell_at_harvest", 1.05)];

/// Of what the two best policies of a game earn, dice that nobody can act on make at most a half: the rest are the policy, the weather and
/// what they make together.
#[test]
fn at_most_half_of_what_skilled_play_earns_is_dice() {
    for (name, game) in games() {
        let arena = Arena::new(&game, threads());
        let policies = [reference(&game).into(), "expert".into()];
        let plan = LuckPlan { worlds: 30, repeats: 3, seed: 6_000_000 };
        let shares = luck(arena, &policies, plan).unwrap().shares();
        if let Some((_, without, worth)) = DICE_TO_ACT_ON.iter().find(|(known, ..)| *known == name) {
            let [best, without]: [Vec<f64>; 2] = [reference(&game), without].map(|policy| {
                let draws = seeds(6_000_000, 60);
                arena.play(&[(&policy.into(), &draws)]).unwrap().remove(0)
            });
            let [best, without] = [best, without].map(|returns| returns.iter().sum::<f64>() / 60.0);
            assert!(best > worth * without, "{name}: {best} with a look at it, {without} without");
        } else {
            assert!(shares.dice <= 0.5 && shares.variance > 0.0, "{name}: {shares:?}");
        }
    }
}

#[test]
fn an_episode_whose_weather_and_dice_have_one_seed_is_as_any_other() {
    for (name, game) in games() {
        let arena = Arena::new(&game, 1);
        for policy in ["expert", "random"].map(Value::from) {
            // In a season without plants, dice may change nothing.
            let differ = (5..9).filter(|&seed| {
                let split = [Draw::Split { world: seed, dice: seed }, Draw::Split { world: seed, dice: seed + 1 }];
                let (split, whole) =
                    (arena.play(&[(&policy, &split)]).unwrap(), arena.play(&[(&policy, &seeds(seed, 1))]).unwrap());
                assert_eq!(split[0][0].to_bits(), whole[0][0].to_bits(), "{name}");
                split[0][0] != split[0][1]
            });
            // Nothing but the weather is random on a meadow.
            assert!(differ.count() > 0 || name == "hay_meadow", "{name}: other dice change nothing");
        }
    }
}

/// Each action of a game can be said by a policy, so that no hole hides behind one that the search never tries.
#[test]
fn every_action_of_the_shipped_games_is_in_the_vocabulary() {
    for (name, game) in games() {
        let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
        let is_own_move = |base: &farm_core::action::BaseAction| game.parts()[base.part()].field().is_none();
        let actions: std::collections::BTreeSet<(usize, &str)> = game
            .catalogue()
            .base_actions()
            .iter()
            // A policy on foot moves by itself; what is looked at is no hole.
            .filter(|base| !is_own_move(base) && matches!(base.target(), ActionTarget::Intervention(_)))
            .map(|base| (base.part(), base.name(game.parts())))
            .collect();
        for (part, action) in &actions {
            let said = vocabulary
                .doings
                .iter()
                .any(|doing| doing.part == *part && doing.act.get("action").and_then(Value::as_str) == Some(action));
            assert!(said, "{name}: no policy of the search does `{action}`");
        }
        assert!(vocabulary.sights.len() > 4, "{name}: {:?}", vocabulary.sights);
    }
}
