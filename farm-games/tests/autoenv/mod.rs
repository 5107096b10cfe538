//! Steps that AutoEnv-36 recorded on its levels, in one file or in a folder, whichever game they are of.

use serde_json::{Map, Value as Json};

/// Plays all episodes of a file in which each level stands before its episodes; returns the numbers of levels and steps.
pub(crate) fn replay_file<G>(
    traces: &str,
    load: impl Fn(&str, &str) -> G,
    replay: impl Fn(&G, &Json) -> usize,
) -> (usize, usize) {
    let (mut game, mut steps, mut levels) = (None, 0, 0);
    for line in traces.lines() {
        let line: Json = serde_json::from_str(line).expect("JSON");
        if line["level"].is_object() {
            // JSON is YAML.
            game = Some(load("level", &line["level"].to_string()));
            levels += 1;
        } else {
            steps += replay(game.as_ref().expect("a level stands before its episodes"), &line);
        }
    }
    (levels, steps)
}

/// Plays all episodes of a folder with levels `NAME.yaml` beside traces `NAME.traces.jsonl`, which a variable of the
/// environment names; none where it names none.
pub(crate) fn replay_folder<G>(
    variable: &str,
    load: impl Fn(&str, &str) -> G,
    replay: impl Fn(&G, &Json) -> usize,
) -> Option<usize> {
    let folder = std::env::var_os(variable)?;
    let mut steps = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let game = load(&path.display().to_string(), &std::fs::read_to_string(&path).expect("a level"));
            let traces = std::fs::read_to_string(path.with_extension("traces.jsonl")).expect("its traces");
            steps +=
                traces.lines().map(|line| replay(&game, &serde_json::from_str(line).expect("JSON"))).sum::<usize>();
        }
    }
    Some(steps)
}

/// The steps of an episode, whole, of which only the entries are written that differ from the step before; and what to call
/// each.
pub(crate) fn recorded_steps(episode: &Json) -> impl Iterator<Item = (String, Json)> {
    let mut known = Map::new();
    let records = episode["steps"].as_array().expect("steps");
    records.iter().zip(1..).map(move |(record, step)| {
        known.extend(record.as_object().expect("a step").clone());
        let name = format!("{} episode {} step {step}", episode["world"], episode["episode"]);
        (name, Json::Object(known.clone()))
    })
}
