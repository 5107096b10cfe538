//! Schedules in one line, as recordings and links keep them.

use farm_games::{CATALOGUE, Options};

#[test]
fn every_schedule_of_every_game_reads_back_to_the_same() {
    let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let variants = [vec![], vec![set("interaction_mode", "aomdp")], vec![set("rules.BasicRule.unreadable", "wait")]];
    let mut lines = 0;
    for entry in CATALOGUE {
        for variant in &variants {
            let options = Options { set: variant.clone(), ..Options::default() };
            let Ok(game) = farm_games::open(entry.name, &options) else { continue };
            let calls = game.catalogue().calls();
            let step = calls.len().div_ceil(60).max(1);
            let singles = calls.iter().step_by(step).map(|call| vec![*call]);
            let pair = vec![calls[0], calls[calls.len() - 1]];
            for schedule in singles.chain([pair, Vec::new()]) {
                let line = game.text().write(&schedule);
                assert!(!line.trim().is_empty() && !line.starts_with('#') && !line.contains('\n'), "{line:?}");
                let read =
                    game.text().parse(&line).unwrap_or_else(|problem| panic!("{}: {line}: {problem:?}", entry.name));
                assert_eq!(read, schedule, "{}: {line}", entry.name);
                lines += 1;
            }
        }
    }
    assert!(lines > 1000, "only {lines} lines");
}
