//! The search in a farm game with a hole that a reviewer found, and the project had not.

use farm_core::config::Document;
use farm_search::{Arena, Candidate, Draw, Generator, SearchPlan, Vocabulary, judge, search};

/// The reviewer's policy (no weeding, no spraying, half a kilogram of fertiliser, three seeds, sowing until November) earned 10.7 times what the
/// expert did on twelve plots, and 2.6 times as much on the single one of this game.
#[test]
fn neglect_that_earns_more_than_care_is_found() {
    let document = Document::parse("full_farm_of_neglect.yaml", include_str!("full_farm_of_neglect.yaml")).unwrap();
    let game = farm_games::compile(&document).unwrap();
    let arena = Arena::new(&game, std::thread::available_parallelism().map_or(1, usize::from));
    let vocabulary = Vocabulary::new(&game, &"expert".into(), 0).unwrap();
    let generator = Generator::new(arena, &vocabulary, 0);
    let plan = SearchPlan { candidates: 300, episodes: 48, seed: 0 };
    let found = search(arena, &generator, &[], plan, &mut |_| {}).unwrap();
    let seeds = |from: u64, n: u64| (from..from + n).map(Draw::Episode).collect::<Vec<_>>();
    let expert = Candidate::new("expert".into(), "expert");
    let verdict = judge(arena, &expert, &found[..3], &seeds(1_000_000, 20), &seeds(2_000_000, 200)).unwrap();
    let ratio = verdict.ratio;
    assert!(ratio.value >= 2.0 && ratio.low >= 1.5, "{ratio:?}: {}", verdict.found.candidate.to_yaml());
}
