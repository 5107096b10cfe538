//! Studies that are played, and invalid ones.

use farm_core::{RemoteError, RemoteExecutor};

use crate::Study;

const DAYS: &str = "
name: days
title: Days
game: clay_bean
set: {rules.BasicRule.max_steps: '{days}', Field-0.Weather-0: '{line}'}
policy: wait
x: {label: days, values: [2, 5], with: [{days: 2}, {days: '5'}]}
lines: {lille: {}, montpellier: {}}
seeds: 3
measure: {label: steps, of: [{variable: step}], share: last}
expect:
  - {claim: More., rises: [2, 5]}
  - {claim: Less., falls: [2, 5], lines: [lille], gap: It rises.}
";

fn said(text: &str) -> String {
    match Study::parse("days.yaml", text) {
        Err(problems) => problems.to_string(),
        Ok(study) => study.run(1).expect_err("a study that is wrong").to_string(),
    }
}

#[test]
fn a_study_plays_every_point_on_the_same_seeds_whatever_the_threads() {
    let text = DAYS.replace("'5'", "5");
    let study = Study::parse("days.yaml", &text).unwrap();
    let results = study.run(1).unwrap();
    assert_eq!(results, study.run(3).unwrap());
    let means: Vec<f64> = results.panels[0].lines.iter().flat_map(|line| line.points.iter().map(|p| p.mean)).collect();
    let off = means.iter().zip([0.4, 1.0, 0.4, 1.0]).map(|(mean, expected)| (mean - expected).abs());
    assert!(off.fold(0.0, f64::max) < 1e-12, "{means:?}");
    assert!(results.panels[0].lines.iter().all(|line| line.points.iter().all(|point| point.values.len() == 3)));
    let [rises, falls] = results.findings.as_slice() else { panic!("{:?}", results.findings) };
    assert!(rises.holds() && rises.verdicts.len() == 2 && !falls.holds() && falls.verdicts.len() == 1);
    assert!(results.is_as_said() && !results.holds());
    let rows = study.rows(&results);
    assert_eq!(rows[1], ["Less.", "lille 0.40 1.00 ✗", "does not hold: It rises."]);
    assert_eq!(study.json(&results)["findings"][0]["holds"], true);
    let svg = study.chart(&results).unwrap().svg();
    assert!(svg.contains(">lille</text>") && svg.contains(">Days</text>"), "{svg}");
}

#[test]
fn what_is_wrong_with_a_study_is_told_where_it_stands() {
    let text = DAYS.replace("'5'", "5");
    let cases = [
        ("game: clay_bean", "game: clay_baen", &["days.yaml:4:7", "did you mean `clay_bean`?"][..]),
        ("policy: wait", "policy: wiat", &["days.yaml:6:9", "did you mean `wait`?"]),
        ("'{days}'", "'{dais}'", &["days.yaml:5:", "did you mean `days`?", "{dais}"]),
        ("'{days}'", "'{days / 0}'", &["days.yaml:5:", "not a finite number"]),
        ("'{days}'", "'-{days}'", &["days.yaml:5:", "lille, x = 2"]),
        ("rules.BasicRule.max_steps", "rules.BasicRule.max_stpes", &["days.yaml:5:", "did you mean `max_steps`?"]),
        ("variable: step", "variable: [Field-0, Plant-0, stge]", &["days.yaml:10:", "stage"]),
        ("[2, 5], with", "[5, 2], with", &["days.yaml:7:", "not in ascending order"]),
        (", {days: 5}", "", &["days.yaml:7:", "1 entries of `with` for 2 values"]),
        ("rises: [2, 5]", "rises: [2, 4]", &["days.yaml:12:", "not two values of the axis"]),
        ("rises: [2, 5]", "at: [2]", &["days.yaml:12:", "the expectation has no check"]),
        ("rises: [2, 5]", "within: [0, 1], at: [3]", &["days.yaml:12:", "not a value of the axis"]),
        ("rises: [2, 5]", "within: [0, '{y}']", &["days.yaml:12:", "unknown name `y`"]),
        ("lines: [lille]", "lines: [lile]", &["days.yaml:13:", "did you mean `lille`?"]),
        ("seeds: 3", "sedes: 3", &["days.yaml:9:", "did you mean `seeds`?"]),
        ("seeds: 3", "seeds: 0", &["days.yaml:9:", "out of range"]),
        ("lines: {lille: {}, montpellier: {}}", "lines: no_such.yaml", &["days.yaml:8:", "no_such.yaml"]),
        ("lines: {lille: {}, montpellier: {}}", "lines: /etc/hostname", &["days.yaml:8:", "file-outside-folder"]),
        ("game: clay_bean", "game: ../../other.yaml", &["days.yaml:4:", "file-outside-folder"]),
        ("lines: {lille: {}, montpellier: {}}", "lines: [1]", &["days.yaml:8:", "a mapping from titles"]),
        ("game: clay_bean", "game: {name: own}", &["days.yaml:4:"]),
        ("game: clay_bean", "game: [1]", &["days.yaml:4:", "not a game"]),
        ("game: clay_bean", "", &["the study lacks `game`"]),
        ("measure:", "preset: '{line}'\nmeasure:", &["no preset `lille`"]),
        ("rises: [2, 5]", "versus: {line: lile}", &["days.yaml:12:", "did you mean `lille`?"]),
        ("rises: [2, 5]", "versus: {ratio: [0, 1]}", &["days.yaml:12:", "compared with themselves"]),
        ("rises: [2, 5]", "versus: {at: [3]}", &["days.yaml:12:", "not a value of the axis"]),
        ("seeds: 3", "seeds: 3\nrisk: cavr:0.1", &["days.yaml:10:", "did you mean `cvar`?"]),
        ("seeds: 3", "seeds: 3\nrisk: worst:4", &["days.yaml:10:", "4 seeds or more"]),
        ("{variable: step}", "{variable: step, times: '{line}'}", &["days.yaml:10:", "not a number"]),
    ];
    for (right, wrong, parts) in cases {
        assert!(text.contains(right), "{right}");
        let said = said(&text.replacen(right, wrong, 1));
        for part in parts {
            assert!(said.contains(part), "{wrong}: expected `{part}` in\n{said}");
        }
    }
    assert!(said("[1, 2]").contains("this is not a study"));
    let unknown = Study::read("nitrgen").unwrap_err().to_string();
    assert!(unknown.contains("unknown-study") && unknown.contains("did you mean `nitrogen`?"), "{unknown}");
    assert!(Study::read("./no_such.yaml").unwrap_err().to_string().contains("no_such.yaml"));
}

#[test]
fn lines_and_places_are_compared_on_common_seeds_with_an_interval() {
    let text = DAYS.replace("'5'", "5").replace("share: last", "times: '{x}'").replace(
        "  - {claim: More., rises: [2, 5]}\n",
        "  - {claim: Alike., versus: {line: lille, ratio: [1, 1]}}\n  \
         - {claim: A part., at: [2], versus: {at: [5], ratio: [0.1, 0.2]}}\n  \
         - {claim: Too much., at: [2], versus: {at: [5], ratio: [0.2, 1]}, gap: It is a part.}\n",
    );
    let text = text.replace("seeds: 3", "seeds: 3\nrisk: worst:2\nband: quartiles");
    let study = Study::parse("days.yaml", &text).unwrap();
    let results = study.run(2).unwrap();
    let [alike, part, too_much, _] = results.findings.as_slice() else { panic!("{:?}", results.findings) };
    // Two days count 2 · 2 and five 5 · 5, in every season.
    assert!(alike.holds() && part.holds() && !too_much.holds() && results.is_as_said(), "{:?}", results.findings);
    assert_eq!(part.verdicts[0].found, "0.16 [0.16, 0.16]");
    let json = study.json(&results);
    let risk = &json["panels"][0]["lines"][0]["points"][1]["risk"]["value"];
    assert!((risk.as_f64().unwrap() - 25.0).abs() < 1e-9, "{risk}");
    let (_, rows) = study.means(&results);
    assert_eq!(rows[1], ["", "lille worst:2", "4.00", "25.0"]);
    assert!(study.chart(&results).unwrap().svg().contains(">worst:2</text>"));
}

#[test]
fn a_game_may_stand_within_its_study() {
    let game = "game:\n  name: own\n  fields:\n    Field-0:\n      shape: {length#nb: 1, width#nb: 1}\n      entities: [Weather: montpellier]\n  \
                farmers: [BasicFarmer]\n  rules: {BasicRule: {max_steps: 3}}\n  score: BasicScore\n";
    let text = DAYS.replace("'5'", "5").replace("game: clay_bean\n", game).replace("policy: wait\n", "");
    let results = Study::parse("days.yaml", &text).unwrap().run(2).unwrap();
    assert!(results.is_as_said());
    let problem = said(&text.replace("[Weather: montpellier]", "[Wether: montpellier]"));
    assert!(problem.contains("days.yaml:9:") && problem.contains("did you mean `Weather`?"), "{problem}");
}

#[test]
fn all_studies_that_are_shipped_can_be_read_and_say_what_they_are() {
    for shipped in crate::SHIPPED {
        let study = Study::read(shipped.name).unwrap_or_else(|problems| panic!("{problems}"));
        let file = study.file();
        assert_eq!(file.name, shipped.name);
        assert!(!file.title.is_empty() && !file.claim.is_empty() && !file.source.is_empty(), "{}", shipped.name);
        assert!(!file.expect.is_empty() && file.expect.iter().all(|expected| !expected.claim.is_empty()));
    }
}

/// Another program with the same study. It plays the blocks in a different order, and sometimes starts over.
#[derive(Debug)]
struct OtherProgram<'t>(&'t str);

impl RemoteExecutor for OtherProgram<'_> {
    fn play(&self, blocks: &[String]) -> Result<Vec<Vec<f64>>, RemoteError> {
        let told = |problems: farm_core::config::Problems| RemoteError::Told(problems.to_string());
        let study = Study::parse("days.yaml", self.0).map_err(told)?;
        let mut played = vec![Vec::new(); blocks.len()];
        for first in [1, 0] {
            let mut open = None;
            for (block, values) in blocks.iter().zip(&mut played).skip(first).step_by(2) {
                *values = study.play_block(&mut open, block).map_err(told)?;
            }
        }
        Ok(played)
    }
}

#[test]
fn blocks_of_a_study_give_the_same_elsewhere() {
    let text = DAYS
        .replace("'5'", "5")
        .replace("seeds: 3", "seeds: 60")
        .replace("[{variable: step}]", "[{variable: [Field-0, Soil-0, available_Water#L]}]");
    let text = text.replace("variable: [Field-0, Soil-0", "function: mean, variable: [Field-0, Soil-0");
    let study = Study::parse("days.yaml", &text).unwrap();
    let here = study.run(2).unwrap();
    let spread = here.panels[0].lines[0].points[0].range();
    assert!(spread.0 < spread.1, "the seeds differ");
    let other = OtherProgram(&text);
    let remote: &dyn RemoteExecutor = &other;
    assert_eq!(study.run(remote).unwrap(), here);
    // What is expected may change: it plays no part.
    let changed = text.replace("claim: More.", "claim: Much more.");
    let other = OtherProgram(&changed);
    let remote: &dyn RemoteExecutor = &other;
    assert_eq!(study.run(remote).unwrap(), here);
}

#[test]
fn a_block_of_something_else_is_refused() {
    let text = DAYS.replace("'5'", "5");
    let study = Study::parse("days.yaml", &text).unwrap();
    let said = |other: &str| {
        let other = OtherProgram(other);
        let remote: &dyn RemoteExecutor = &other;
        study.run(remote).unwrap_err().to_string()
    };
    let changes =
        [("policy: wait", "policy: random"), ("variable: step", "variable: step, times: 2"), ("days: 2", "days: 3")];
    for (right, wrong) in changes {
        assert!(text.contains(right), "{right}");
        let found = said(&text.replace(right, wrong));
        assert!(
            found.contains("other-block") && found.contains("the fingerprint of the point is "),
            "{wrong}: {found}"
        );
    }
    let found = said(&text.replace("lille: {}, montpellier: {}", "lille: {}"));
    assert!(found.contains("no line 1 of panel 0"), "{found}");
    let mut open = None;
    for text in
        ["", "{}", "[1]", r#"{"fingerprint":1,"point":{"panel":0,"line":0,"rank":0},"first_seed":0,"episodes":1}"#]
    {
        let found = study.play_block(&mut open, text).unwrap_err().to_string();
        assert!(found.contains("other-block") && found.contains("the same version"), "{found}");
    }
}
