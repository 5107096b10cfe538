//! Boards made from files that a test wrote, and invalid files.

use crate::{Board, ResultsFile, SCHEMA};

/// The text of a file for a policy with these returns.
fn text(policy: &str, returns: &[f64], training: Option<i64>) -> String {
    let episodes = returns.len();
    let kind = if training.is_some() { "trained" } else { "named" };
    let training = training.map(|seed| format!(" \"training\": {{\"seed\": {seed}}},\n")).unwrap_or_default();
    format!(
        "{{\n \"schema\": \"{SCHEMA}\",\n \"game\": \"meadow\",\n \"game_id\": null,\n \"fingerprint\": \"00000000000000ab\",\n \
         \"arguments\": {{\"preset\": \"dry\"}},\n \"policy\": {{\"name\": \"{policy}\", \"kind\": \"{kind}\"}},\n \
         \"evaluation\": {{\"first_seed\": 0, \"episodes\": {episodes}, \"returns\": {returns:?}}},\n{training} \"made_by\": {{\"command\": \"farm eval meadow\", \
         \"version\": \"1\", \"machine\": {{\"system\": \"S\", \"cores\": 2}}, \"cpu_seconds\": 0.5}}\n}}\n"
    )
}

fn file(name: &str, text: &str) -> ResultsFile {
    ResultsFile::parse(name, text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn rising(n: u32, from: f64) -> Vec<f64> {
    (0..n).map(|i| from + f64::from(i)).collect()
}

#[test]
fn a_board_orders_policies_and_measures_them() {
    let mut files =
        vec![file("w", &text("wait", &rising(100, 0.0), None)), file("e", &text("expert", &rising(100, 50.0), None))];
    files.extend((0..4).map(|run| file("l", &text("learner", &rising(100, 90.0 + run as f64), Some(run)))));
    let board = Board::new(files).unwrap();
    let [game] = board.games.as_slice() else { panic!("{board:?}") };
    let names: Vec<String> = game.entries.iter().map(crate::Entry::name).collect();
    assert_eq!((names.join(" "), game.name.as_str()), ("learner expert wait".to_owned(), "meadow --preset dry"));
    let [learner, expert, wait] = game.entries.as_slice() else { panic!() };
    assert!((learner.mean() - 141.0).abs() < 1e-9 && (expert.mean() - 99.5).abs() < 1e-9);
    let [_, iqm, tail] = expert.columns;
    assert!((iqm.value - 99.5).abs() < 1e-9 && (tail.value - 54.5).abs() < 1e-9 && tail.interval.is_some());
    // The best learner's mean is 91.5 above that of `wait`, the expert's 50.
    let gap = |entry: &crate::Entry| entry.gap.unwrap().value;
    assert!((gap(expert) - (1.0 - 50.0 / 91.5)).abs() < 1e-9 && (gap(wait) - 1.0).abs() < 1e-9);
    // Runs that are better than the mean of all make up for none that is worse.
    assert!((gap(learner) - (1.5 + 0.5) / 91.5 / 4.0).abs() < 1e-9, "{}", gap(learner));
    // Of 100 × 100 pairs of wait and expert 50 · 49 / 2 are won and 50 are ties.
    let above = wait.improvement.unwrap();
    assert!(
        (above.value - (1225.0 + 25.0) / 10_000.0).abs() < 1e-9 && above.low < above.value && above.value < above.high
    );
    assert!(expert.improvement.is_none() && learner.improvement.unwrap().value > 0.8);
    let (page, pictures) = board.page("pictures", "", false);
    assert!(page.contains("| learner | trained | 4 × 100 | 141 ["), "{page}");
    assert!(page.contains("`farm eval meadow`; seeds 0 … 99; version 1; S ?, 2 cores"), "{page}");
    assert!(page.contains(&format!("(pictures/{})", pictures[0].name)));
    let svg = pictures[0].drawing.svg();
    assert!(svg.contains("over expert") && svg.contains(">learner</text>"), "{svg}");
}

#[test]
fn what_knew_the_future_is_not_the_best() {
    let hindsight = text("plan_known_future", &rising(100, 90.0), None).replace("\"named\"", "\"hindsight\"");
    let files = [("w", text("wait", &rising(100, 0.0), None)), ("e", text("expert", &rising(100, 50.0), None))];
    let files = files.into_iter().chain([("b", hindsight), ("k", text("best_known", &rising(100, 60.5), None))]);
    let board = Board::new(files.map(|(name, text)| file(name, &text)).collect()).unwrap();
    let [game] = board.games.as_slice() else { panic!("{board:?}") };
    assert_eq!(game.best().map(|entry| entry.policy.name.as_str()), Some("best_known"));
    let hindsight = game.hindsight().unwrap();
    assert!(hindsight.gap.is_none() && game.entry("expert").unwrap().gap.is_some_and(|gap| gap.value > 0.17));
    let more = game.best().unwrap().less(game.entry("expert").unwrap()).unwrap();
    assert!((more.value - 10.5).abs() < 1e-9 && more.interval.is_some());
    let (page, _) = board.page("pictures", "", false);
    let line = "| [meadow --preset dry](#meadow---preset-dry) | 49.50 | – | 99.50 | 110.0 | best_known | 10.50 [10.50, 10.50] | 139.5 |";
    assert!(page.contains(line), "{page}");
    assert!(page.contains("\n## meadow --preset dry\n"), "{page}");
}

#[test]
fn what_goes_over_a_limit_more_often_than_the_expert_does_not_compete() {
    let counted =
        |text: String, over: usize| text.replace("\"returns\"", &format!("\"over_limit\": {over}, \"returns\""));
    let files = [
        file("w", &text("wait", &rising(100, 0.0), None)),
        file("u", &counted(text("unlimited", &rising(100, 90.0), None), 71)),
        file("e", &counted(text("expert", &rising(100, 50.0), None), 0)),
    ];
    let board = Board::new(files.to_vec()).unwrap();
    let game = &board.games[0];
    assert_eq!(game.best().map(|entry| entry.policy.name.as_str()), Some("expert"));
    assert!(game.entry("unlimited").unwrap().gap.is_none());
    let (page, _) = board.page("p", "", false);
    assert!(page.contains("| unlimited | named, over a limit in 71 % |"), "{page}");
    let [wait, unlimited, _] = files;
    let bold = file("e", &counted(text("expert", &rising(100, 50.0), None), 80));
    let board = Board::new(vec![wait, unlimited, bold]).unwrap();
    assert_eq!(board.games[0].best().map(|entry| entry.policy.name.as_str()), Some("unlimited"));
    let broken = ResultsFile::parse("b.json", &counted(text("expert", &rising(9, 5.0), None), 10)).unwrap_err();
    assert!(broken.to_string().contains("at most 9"), "{broken}");
}

/// Three games with `wait`, `expert` and `best_known` on different scales, and a learner with two runs in two of them.
fn three_games() -> Vec<ResultsFile> {
    let of = |game: &str, text: String| file(game, &text.replace("meadow", game));
    let mut files = Vec::new();
    for (game, unit) in [("garden", 1.0), ("meadow", 10.0), ("orchard", 100.0)] {
        let scaled = |from: f64| rising(100, from).iter().map(|value| unit * value).collect::<Vec<f64>>();
        files.push(of(game, text("wait", &scaled(0.0), None)));
        files.push(of(game, text("expert", &scaled(40.0), None)));
        files.push(of(game, text("best_known", &scaled(80.0), None)));
        let learnt = |from: f64, seed| {
            text("ppo (greedy)", &scaled(from), Some(seed)).replace("\"trained\"", "\"trained\", \"mode\": \"greedy\"")
        };
        if game != "orchard" {
            files.push(of(game, learnt(20.0, 0)));
            files.push(of(game, learnt(60.0, 1)));
        }
    }
    files
}

#[test]
fn policies_are_compared_over_the_games_that_all_have_in_common() {
    let board = Board::new(three_games()).unwrap();
    let comparisons = board.comparisons();
    let names = |rows: &[crate::Row]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>().join(" ");
    let [all, common] = comparisons.as_slice() else { panic!("{comparisons:?}") };
    assert_eq!((all.games.len(), names(&all.rows).as_str()), (3, "wait expert best known"));
    assert_eq!((common.games.len(), names(&common.rows).as_str()), (2, "wait expert best known ppo (greedy)"));
    // On the way from `wait` to the best the expert is in the middle everywhere, and the learner's runs at a quarter and at three.
    let [_, expert, best, learner] = common.rows.as_slice() else { panic!() };
    for (found, expected) in [
        (expert.iqm.value, 0.5),
        (best.mean.value, 1.0),
        (best.gap.value, 0.0),
        (learner.iqm.value, 0.5),
        (learner.mean.value, 0.5),
        (learner.gap.value, 0.5),
        // The mean of `wait` is 49.5. The lowest ten of the expert are 40 … 49; of the learner the lowest 20 are those of its worse run.
        (expert.tail.value, 44.5 / 80.0 - 49.5 / 80.0),
        (learner.tail.value, 29.5 / 80.0 - 49.5 / 80.0),
        // Of 100 × 100 pairs those are lost whose episode of the expert lies more than 40 further up; 60 are ties.
        (best.improvement.unwrap().value, 1.0 - (60.0 * 59.0 / 2.0 + 30.0) / 10_000.0),
        (learner.improvement.unwrap().value, 0.5),
    ] {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }
    let interval = learner.mean.interval.unwrap();
    assert!(expert.improvement.is_none() && interval.low < 0.5 && interval.high > 0.5);
    let (page, pictures) = board.page("pictures", "", false);
    assert!(page.contains("\n### 2 of 3 games\n"), "{page}");
    assert!(page.contains("games: garden --preset dry, meadow --preset dry."), "{page}");
    assert!(page.contains("| ppo | 2 × 100 | 89.50 ["), "{page}");
    assert!(page.contains("| – | 89.50 | 1.000 [") && page.contains("No learner has results in orchard --preset dry."));
    let svg = pictures[0].drawing.svg();
    assert!(page.contains(&format!("(pictures/{})", pictures[0].name)) && svg.contains("2 games"), "{svg}");
}

#[test]
fn what_goes_over_a_limit_counts_as_waiting_at_most() {
    let files = three_games().into_iter().map(|mut file| {
        let is_bold = file.policy.name == "ppo (greedy)" && file.game == "garden";
        file.over_limit = Some(if is_bold { 3 } else { 0 });
        file
    });
    let board = Board::new(files.collect()).unwrap();
    let comparisons = board.comparisons();
    let learner = comparisons[1].rows.last().unwrap();
    assert!(learner.mean.value < 0.25, "0 in the garden, a half in the meadow: {:?}", learner.mean);
}

#[test]
fn what_was_written_is_read_again() {
    let read = file("a", &text("ex|pert", &[1.5, -2.0], None));
    let again = file("a", &read.text());
    assert_eq!(again, read);
    assert_eq!(read.path().to_str(), Some("meadow+dry/ex_pert.json"));
    let (page, _) = Board::new(vec![read]).unwrap().page("p", "", false);
    assert!(page.contains("| ex\\|pert |") && page.contains("no gap"), "{page}");
}

#[track_caller]
fn assert_refused(text: &str, parts: &[&str]) {
    let told = ResultsFile::parse("r.json", text).map(|_| ()).unwrap_err().to_string();
    for part in parts {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
}

#[test]
fn a_file_that_is_wrong_is_told_with_line_column_and_field() {
    let whole = text("wait", &[1.0, 2.0], None);
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replace(from, to)
    };
    assert_refused(&whole[..whole.len() / 2], &["r.json:", "not JSON", "regenerate the file"]);
    assert_refused("", &["r.json:1:1", "not JSON"]);
    assert_refused("[1]", &["[1]", "an object"]);
    assert_refused(&changed(SCHEMA, "farm_gym.results/9"), &["r.json:2:", "schema", "farm_gym.results/9", SCHEMA]);
    assert_refused(&changed("00000000000000ab", "ab"), &["r.json:5:", "fingerprint", "sixteen hexadecimal digits"]);
    assert_refused(&changed("[1.0, 2.0]", "[1.0, \"x\"]"), &["r.json:8:", "returns", "\"x\"", "a number"]);
    assert_refused(&changed("[1.0, 2.0]", "[1.0]"), &["r.json:8:", "1 returns for 2 episodes"]);
    assert_refused(&changed("\"first_seed\": 0", "\"first_seed\": -1"), &["r.json:8:", "first_seed", "-1"]);
    assert_refused(&changed("\"named\"", "\"nmaed\""), &["r.json:7:", "nmaed", "did you mean `named`?"]);
    assert_refused(&changed("\"command\"", "\"comand\""), &["made_by.command", "a string"]);
}

#[test]
fn results_of_different_games_are_not_mixed() {
    let told = |files: Vec<ResultsFile>| Board::new(files).map(|_| ()).unwrap_err().to_string();
    let one = file("one.json", &text("wait", &[1.0, 2.0], None));
    let other = file("two.json", &text("expert", &[1.0, 2.0], None).replace("0000ab", "0000cd"));
    let found = told(vec![one.clone(), other]);
    for part in ["two.json", "one.json", "00000000000000ab", "00000000000000cd", "regenerate", "farm eval meadow"] {
        assert!(found.contains(part), "{part} is not in: {found}");
    }
    let twice = file("again.json", &text("wait", &[1.0, 2.0], None));
    assert!(told(vec![one, twice]).contains("one.json"));
    let runs =
        [(0, vec![1.0, 2.0]), (1, vec![1.0])].map(|(seed, returns)| file("run", &text("ppo", &returns, Some(seed))));
    assert!(told(runs.to_vec()).contains("use other seeds"));
}

#[test]
fn a_learner_that_was_trained_once_has_no_interval() {
    let mut files = three_games();
    let board = Board::new(files.clone()).unwrap();
    let learner =
        |board: &Board| board.games[0].entries.iter().find(|entry| entry.policy.is_trained()).unwrap().columns;
    assert!(learner(&board).iter().all(|column| column.interval.is_some()));
    files.retain(|file| file.game != "garden" || file.training_seed != Some(1));
    let board = Board::new(files).unwrap();
    let garden = board.games[0].entries.iter().find(|entry| entry.policy.is_trained()).unwrap();
    assert!(garden.columns.iter().all(|column| column.interval.is_none()), "{garden:?}");
    assert!(garden.gap.unwrap().interval.is_none() && garden.improvement.is_none());
    let (page, _) = board.page("p", "", true);
    // In the table of learners and in the comparison of two games, of which one has two runs.
    let rows: Vec<&str> = page.lines().filter(|line| line.contains("| ppo ")).collect();
    assert!(rows.len() == 3 && !rows[0].contains('[') && !rows[1].contains('[') && rows[2].contains('['), "{rows:#?}");
}

#[test]
fn a_learner_that_breaks_the_limit_is_marked_and_has_no_share() {
    let mut files = three_games();
    for file in files.iter_mut().filter(|file| file.game == "garden") {
        file.over_limit = Some(if file.policy.is_trained() { 80 } else { 0 });
    }
    let (page, _) = Board::new(files).unwrap().page("p", "", true);
    let row = page.lines().find(|line| line.starts_with("| garden") && line.contains("| ppo")).unwrap();
    assert!(row.contains("| ppo, over the limit in 80 % | 2 × 100 |") && row.contains("| – |"), "{row}");
}

#[test]
fn a_summary_has_notes_and_no_section_for_each_game() {
    let board = Board::new(three_games()).unwrap();
    let (page, pictures) = board.page("p", "Read this first.\n", true);
    assert!(page.contains("\n\nRead this first.\n\n## All games\n"), "{page}");
    assert!(!page.contains("\n## garden") && page.contains("\n| garden --preset dry |"), "{page}");
    let (all, more) = board.page("p", "", false);
    assert!(all.contains("\n## garden") && all.contains("\n| [garden --preset dry](#garden---preset-dry) |"));
    assert_eq!((pictures.len(), more.len()), (1, 4));
}
