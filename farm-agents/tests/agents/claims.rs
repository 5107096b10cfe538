//! Runs that say of themselves what was not played: each is refused with file, line, field, what was found and what was expected, or stands on
//! a leaderboard as what it is. The digests are always those that a forger would compute.

use std::path::Path;
use std::time::{Duration, Instant};

use farm_agents::{
    Access, Agent, AgentError, AgentsError, Answer, Conduct, EpisodePlan, HiddenHead, HiddenSet, HiddenWorld, History,
    Leaderboard, Line, PolicyAgent, Request, Rules, Run, RunHeader, level_id, tidy_name,
};
use farm_core::config::{Problem, Problems};
use farm_games::families::{Ladder, Told};
use farm_games::{Options, level};
use serde_json::{Value as Json, json};

use super::{Folder, STEPS, conduct, header, parsed, play};

/// Longer than any of these runs takes, however busy the machine is.
const LONG: Duration = Duration::from_secs(3600);

/// A run on levels of a split.
fn on_levels(split: &str, numbers: &[u32]) -> RunHeader {
    let header = header(0);
    let plan = |number: &u32| {
        let level = format!("{split}/{number:02}");
        let found = level::find(&header.game, &level).unwrap();
        let options = Options { level: Some(found), set: header.set.clone(), ..Options::default() };
        let fingerprint = format!("{:016x}", farm_games::open(&header.game, &options).unwrap().fingerprint());
        let seed = u64::from(*number) * 1_000_000_000;
        EpisodePlan { id: level_id(&level), level: Some(level), seed, fingerprint, game: None, rules: None }
    };
    let episodes = numbers.iter().map(plan).collect();
    RunHeader { split: Some(split.to_owned()), episodes, ..header }
}

/// A run on the first worlds of tiers, the first of which tells the rules.
fn on_tiers() -> RunHeader {
    let game = "backwards_valley@tier=1-2";
    let worlds = Ladder::parse(game).unwrap().unwrap().worlds(farm_core::SeedSplit::Test, 1).unwrap();
    let plan = |world: &farm_games::families::SplitWorld| {
        let name = world.member().to_string();
        let fingerprint = format!("{:016x}", farm_games::open(&name, &Options::default()).unwrap().fingerprint());
        let (id, seed) = (format!("tier-{}-test-{}", world.tier().number, world.index()), world.seed());
        let rules = (world.tier().told == Told::Shown).then_some(Rules::Shown);
        EpisodePlan { id, level: None, seed, fingerprint, game: Some(name), rules }
    };
    let conduct = Conduct { max_turns: 3, ..conduct() };
    let episodes = worlds.iter().map(plan).collect();
    RunHeader { game: game.to_owned(), set: Vec::new(), split: Some("test".to_owned()), conduct, episodes, ..header(0) }
}

/// Plays a run with a policy.
fn played(folder: &Path, header: RunHeader, policy: &str) -> Run {
    let run = Run::begin(folder, header, Access::default()).unwrap();
    play_with(&run, policy);
    run.verify(1).unwrap();
    run
}

fn play_with(run: &Run, policy: &str) {
    let game = &run.game(0).unwrap();
    play(run, 1, usize::MAX - 1, || Box::new(PolicyAgent::new(game, policy).unwrap()));
}

fn checked(folder: &Path) -> Result<(), Problems> {
    Run::open_within(folder, Access::default(), LONG).and_then(|run| run.verify_and_score(1)).map(drop)
}

/// A run that was honest, with the text of its header and the lines of its traces.
struct Honest {
    folder: Folder,
    header: Json,
    traces: Vec<(String, Vec<Json>)>,
}

impl Honest {
    fn new(name: &str, header: RunHeader) -> Self {
        let folder = Folder::new(name);
        let run = played(&folder.0, header, "wait");
        let text = std::fs::read_to_string(folder.0.join(farm_agents::HEADER)).unwrap();
        let lines = |id: &String| {
            let text = std::fs::read_to_string(folder.0.join(format!("{id}.jsonl"))).unwrap();
            (id.clone(), text.lines().map(parsed).collect())
        };
        let traces = run.header().episodes.iter().map(|plan| lines(&plan.id)).collect();
        Self { header: parsed(&text), folder, traces }
    }

    /// Writes the run with another header and other lines, all digests as they should be, and looks at it.
    fn forged(&self, change: impl Fn(&mut Json, &mut Vec<(String, Vec<Json>)>)) -> Result<(), Problems> {
        let (mut header, mut traces) = (self.header.clone(), self.traces.clone());
        change(&mut header, &mut traces);
        let text = format!("{header:#}\n");
        std::fs::write(self.folder.0.join(farm_agents::HEADER), &text).unwrap();
        let digest = serde_json::from_str::<RunHeader>(&text).map(|header| format!("{:016x}", header.digest()));
        for (id, lines) in &mut traces {
            if let (Some(first), Ok(digest)) = (lines.first_mut(), &digest) {
                first["run"] = json!(digest);
            }
            let (mut seal, mut text) = (0, String::new());
            for line in lines {
                text += &match serde_json::from_value::<Line>(line.clone()) {
                    Ok(line) => {
                        let line = line.sealed(seal);
                        seal = u64::from_str_radix(line.digest(), 16).unwrap();
                        line.text()
                    }
                    Err(_) => line.to_string(),
                };
                text.push('\n');
            }
            if !id.contains('/') {
                std::fs::write(self.folder.0.join(format!("{id}.jsonl")), text).unwrap();
            }
        }
        checked(&self.folder.0)
    }

    /// That such a header is refused, at this field.
    fn refuses(&self, field: &str, change: impl Fn(&mut Json)) {
        let Err(problems) = self.forged(|header, _| change(header)) else { panic!("{field}: a forged run verifies") };
        let problem: &Problem = &problems.0[0];
        assert_eq!(problem.path.to_string(), field, "{problem}");
        let location = problem.location.clone().unwrap();
        assert!(location.source.ends_with("run.json"), "{problem}");
        assert!(location.position.is_some_and(|(line, _)| line > 1), "{field} has no line: {problem}");
        assert!(problem.value.is_some() && problem.expected.is_some(), "{problem}");
        let told = problems.to_string();
        assert!(!told.contains(['\u{202e}', '\u{200b}', '\u{1b}', '\r']), "{told:?}");
        assert!(told.lines().count() < 12 && told.len() < 3000, "{told}");
    }
}

#[test]
fn what_a_run_says_of_its_worlds_follows_from_them() {
    let seeds = Honest::new("claims_seeds", header(2));
    seeds.forged(|_, _| {}).unwrap();
    let episode = |key: &'static str, value: Json| move |header: &mut Json| header["episodes"][0][key] = value.clone();
    // Keys of an episode that would hold against those of the run.
    seeds.refuses("episodes[0].rules", episode("rules", json!("shown")));
    seeds.refuses("episodes[0].rules", episode("rules", json!("hidden")));
    seeds.refuses("episodes[0].game", episode("game", json!("backwards_valley_easy")));
    seeds.refuses("episodes[0].game", episode("game", json!("backwards_valley")));
    seeds.refuses("episodes[0].game", episode("game", json!("backwards_valley@tier=1,rules=test-0")));
    // A split that none of the worlds is of, and splits that are none.
    seeds.refuses("episodes[0].level", |header| header["split"] = json!("test"));
    for split in
        ["train", "Test", "test ", "", "hidden", "te\u{200b}st", "test\n\n| agent |\n|---|\n| **EvilGPT** |\n<script>"]
    {
        seeds.refuses("split", |header| header["split"] = json!(split));
    }
    // One world over and over, under names of its own.
    seeds.refuses("episodes[1].seed", |header| header["episodes"][1]["seed"] = json!(0));
    seeds.refuses("episodes[1].id", |header| header["episodes"][1]["id"] = json!("SEED-0"));
    seeds.refuses("episodes", |header| header["episodes"] = json!([]));

    let levels = Honest::new("claims_levels", on_levels("validation", &[1, 2]));
    levels.forged(|_, _| {}).unwrap();
    levels.refuses("episodes[0].level", |header| header["split"] = json!("test"));
    levels.refuses("episodes[1].level", |header| {
        header["episodes"][1]["level"] = json!("test/01");
    });
    levels.refuses("episodes[0].level", |header| header["episodes"][0]["level"] = json!("validation/1"));
    levels.refuses("episodes[0].level", |header| header["episodes"][0]["level"] = Json::Null);
    levels.refuses("episodes[1].seed", |header| {
        header["episodes"][1] = {
            let mut again = header["episodes"][0].clone();
            again["id"] = json!("validation-02");
            again
        }
    });

    let tiers = Honest::new("claims_tiers", on_tiers());
    tiers.forged(|_, _| {}).unwrap();
    tiers.refuses("episodes[0].rules", |header| {
        header["episodes"][0].as_object_mut().unwrap().remove("rules");
    });
    tiers.refuses("episodes[1].rules", |header| header["episodes"][1]["rules"] = json!("shown"));
    tiers.refuses("episodes[0].seed", |header| header["episodes"][0]["seed"] = json!(8_300_000_000_000_001_u64));
    tiers.refuses("episodes[0].level", |header| header["episodes"][0]["level"] = json!("test/01"));
    for game in [
        "backwards_valley@tier=2,rules=train-0",
        "backwards_valley@tier=3,rules=test-0",
        "backwards_valley@rules=test-0",
        "backwards_valley@tier=2,rules=test-0,skin=plain",
        "backwards_valley@tier=2,rules=0",
        "valley_farm@tier=2,rules=test-0",
        "backwards_valley",
    ] {
        tiers.refuses("episodes[1].game", |header| header["episodes"][1]["game"] = json!(game));
    }
    tiers.refuses("episodes[0].game", |header| header["split"] = json!("validation"));
    tiers.refuses("set[0]", |header| header["set"] = json!([["rules.BasicRule.max_steps", "3"]]));
    tiers.refuses("preset", |header| header["preset"] = json!("autoenv_compat"));
    // A copy of an episode, with its trace, is not another one.
    let copied = tiers.forged(|header, traces| {
        let mut again = header["episodes"][1].clone();
        again["id"] = json!("tier-2-again");
        header["episodes"].as_array_mut().unwrap().push(again);
        let mut lines = traces[1].1.clone();
        lines[0]["episode"] = json!("tier-2-again");
        traces.push(("tier-2-again".to_owned(), lines));
    });
    assert_eq!(copied.unwrap_err().0[0].path.to_string(), "episodes[2].seed");
    tiers.refuses("split", |header| header["split"] = json!("testt"));
    tiers.refuses("episodes[1].game", |header| {
        header["episodes"][1].as_object_mut().unwrap().remove("game");
    });
}

/// In a file a value takes two bytes, and in memory it may take a hundred: what is too much is refused before it is parsed.
#[test]
fn a_line_of_more_values_than_an_honest_one_has_is_refused() {
    let run = Honest::new("claims_values", header(1));
    let refused = |line: String| {
        let path = run.folder.0.join("seed-0.jsonl");
        let honest = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, honest.replacen('\n', &format!("\n{line}\n"), 1)).unwrap();
        let start = Instant::now();
        let problem = checked(&run.folder.0).unwrap_err().0.remove(0);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        std::fs::write(&path, honest).unwrap();
        assert!(problem.is(AgentsError::NotATrace) && problem.message.contains("too large"), "{problem}");
        assert_eq!(problem.location.and_then(|location| location.position), Some((2, 1)));
        problem.value.unwrap()
    };
    let list = "0,".repeat(2_000_000);
    assert!(
        refused(format!(r#"{{"type":"call","rejected":[{{"action":[{list}0],"reason":"x"}}]}}"#)).contains("values")
    );
    assert!(
        refused(format!(r#"{{"type":"call","failures":{{{}"a":0}}}}"#, r#""a":0,"#.repeat(500_000))).contains("values")
    );
    assert!(refused(format!(r#"{{"type":"call","actions":[{}""]}}"#, r#""","#.repeat(500_000))).contains("values"));
    // Commas of a text are no values; a text has a length.
    assert!(refused(format!(r#"{{"type":"call","reply":"{}"}}"#, "\\\\,".repeat(5_000_000))).contains("bytes"));
    run.forged(|_, _| {}).unwrap();
}

#[test]
fn numbers_and_names_of_a_header_are_within_what_can_be() {
    let run = Honest::new("claims_numbers", header(1));
    let conduct = |key: &str, value: Json| {
        run.refuses(&format!("conduct.{key}"), |header| header["conduct"][key] = value.clone());
    };
    for lifetime in [0_u64, 1001, 2000, 200_000_000] {
        conduct("lifetime", json!(lifetime));
    }
    conduct("replies", json!(0));
    conduct("replies", json!(4_000_000_000_u64));
    conduct("max_turns", json!(0));
    conduct("max_turns", json!(u64::MAX));
    conduct("max_tokens", json!(0));
    conduct("max_tokens", json!(u64::MAX));
    for seconds in [0.0, -1.0, 1e300] {
        conduct("max_seconds", json!(seconds));
    }
    let price = |key: &str, value: f64| {
        run.refuses(&format!("prices.{key}"), |header| {
            header["prices"] = json!({"prompt": 1.0, "cached": 1.0, "completion": 1.0});
            header["prices"][key] = json!(value);
        });
    };
    for key in ["prompt", "cached", "completion"] {
        price(key, -1.0);
        price(key, 1e300);
    }
    for name in [
        "",
        " ",
        "GPT-6\u{200b}",
        "\u{202e}6-TPG",
        "GPT\n6",
        "GPT\u{2028}6",
        "\tGPT-6",
        "GPT-6 ",
        "GPT  6",
        "GPT\u{a0}6",
        "\u{1b}[31mGPT",
        "GPT\u{e0041}",
        "\u{3164}",
        &"x".repeat(201),
    ] {
        run.refuses("name", |header| header["name"] = json!(name));
    }
    for version in ["", "1\n2", "| 0 |", &"1".repeat(50)] {
        run.refuses("version", |header| header["version"] = json!(version));
    }
    run.refuses("agent.kind", |header| header["agent"] = json!({"kind": "oracle"}));
    run.refuses("agent.kind", |header| header["agent"] = json!({"kind": ["policy"]}));
    // The policies that returns are measured by are those of the game.
    for (path, value) in [("policies.oracle", "WaitPolicy"), ("policies", "{informed: WaitPolicy}")] {
        run.refuses("set[1]", |header| header["set"].as_array_mut().unwrap().push(json!([path, value])));
    }
    run.refuses("set", |header| header["set"] = Json::Array(vec![json!(["rules.BasicRule.max_steps", "6"]); 101]));
    run.refuses("set[0][1]", |header| header["set"][0][1] = json!("6 ".repeat(10_000)));
    run.refuses("game", |header| header["game"] = json!("a\u{202e}".repeat(1000)));
    // Names that mean nothing here are repeated as they can be read.
    for game in
        ["backwards_valley@tier=\u{202e}1\nerror[fake]: x", "x\u{200b}\nerror[fake]: x", "a@rules=\u{1b}[2J", "../../x"]
    {
        let told = run.forged(|header, _| header["game"] = json!(game)).expect_err("there is no such game").to_string();
        assert!(!told.contains(['\u{202e}', '\u{200b}', '\u{1b}']) && !told.contains("\nerror[fake]"), "{told:?}");
    }
    // What is no header at all is told with its line, and not a character of it is obeyed.
    let told = |change: &dyn Fn(&mut Json)| {
        let problems = run.forged(|header, _| change(header)).expect_err("a forged run verifies");
        assert!(problems.0[0].is(AgentsError::NotATrace), "{problems}");
        let told = problems.to_string();
        assert!(told.len() < 2000 && !told.contains(['\u{202e}', '\u{200b}', '\u{1b}']), "{told:?}");
        assert!(!told.contains("\nerror[fake]"), "{told}");
    };
    told(&|header| header["fo\u{202e}rmat\nerror[fake]: x"] = json!(1));
    told(&|header| header["episodes"][0]["price"] = json!(1));
    told(&|header| header["conduct"]["rules"] = json!("sh\u{200b}own\nerror[fake]: x"));
    told(&|header| header["conduct"]["history"] = json!("last:0"));
    told(&|header| header["format"] = json!("farm_gym.trace/1\u{200b}\nerror[fake]: x"));
    told(&|header| header["episodes"][0]["seed"] = json!(1.5));
    told(&|header| header["episodes"][0]["seed"] = json!(-1));
    told(&|header| header["episodes"][0]["seed"] = json!("0"));
    told(&|header| header["episodes"][0]["id"] = json!("a\nerror[fake]: x"));
    for (number, place) in [("1e999", "max_seconds"), ("NaN", "max_seconds"), ("-1", "replies"), ("1e99", "lifetime")] {
        let text =
            format!("{:#}", run.header).replace(&format!("\"{place}\": null"), &format!("\"{place}\": {number}"));
        let text = text.replace(&format!("\"{place}\": 3"), &format!("\"{place}\": {number}"));
        let text = if text.contains(number) {
            text
        } else {
            text.replace("\"replies\"", &format!("\"{place}\": {number}, \"replies\""))
        };
        std::fs::write(run.folder.0.join(farm_agents::HEADER), text).unwrap();
        assert!(checked(&run.folder.0).unwrap_err().0[0].is(AgentsError::NotATrace), "{number}");
    }
}

#[test]
fn what_only_the_agent_knows_is_within_what_can_be() {
    let run = Honest::new("claims_lines", header(1));
    let refused = |field: &str, change: &dyn Fn(&mut Json)| {
        let problems = run.forged(|_, traces| change(&mut traces[0].1[2])).expect_err(field);
        let problem = &problems.0[0];
        assert_eq!(problem.path.to_string(), field, "{problem}");
        assert_eq!(problem.location.clone().unwrap().position.map(|(line, _)| line), Some(3), "{problem}");
        assert!(!problems.to_string().contains('\u{202e}'), "{problem}");
    };
    refused("seconds", &|line| line["seconds"] = json!(-1.0));
    refused("seconds", &|line| line["seconds"] = json!(1e300));
    refused("tokens", &|line| line["tokens"]["prompt"] = json!(u64::MAX));
    refused("failures", &|line| line["failures"] = json!({"429": 7}));
    refused("failures", &|line| line["failures"] = json!({"\u{202e}\n| x |": 1}));
    // Half a line behind the end is no accident.
    let path = run.folder.0.join("seed-0.jsonl");
    run.forged(|_, _| {}).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}{{\"type\":\"call\",\"reply\":\"")).unwrap();
    let problems = checked(&run.folder.0).unwrap_err();
    assert!(problems.0[0].is(AgentsError::ForgedTrace) && problems.0[0].path.to_string() == "type", "{problems}");
}

/// The worlds of a table are counted, the same ones stand in one table in whatever order, and what was told does not stand beside what was not.
#[test]
fn a_leaderboard_says_what_was_played() {
    let folder = Folder::new("claims_board");
    let run = |name: &str, header: RunHeader, policy: &str| {
        played(&folder.0.join(name), RunHeader { name: name.to_owned(), ..header }, policy);
    };
    run("two", on_levels("test", &[1, 2]), "wait");
    run("turned", on_levels("test", &[2, 1]), "wait");
    run("one", on_levels("test", &[7]), "oracle");
    run(
        "told",
        RunHeader { conduct: Conduct { rules: Rules::Shown, ..conduct() }, ..on_levels("test", &[1, 2]) },
        "wait",
    );
    let split = RunHeader { split: None, ..on_levels("test", &[1, 2]) };
    run("silent", split, "wait");
    run("seeds", header(2), "wait");
    // Another history, another budget and other pictures are other protocols.
    let other = |conduct: Conduct| RunHeader { conduct, ..on_levels("test", &[1, 2]) };
    run("short", other(Conduct { history: History::Last(1), ..conduct() }), "wait");
    run("poor", other(Conduct { max_tokens: Some(1000), ..conduct() }), "wait");
    run("seeing", other(Conduct { vision: true, ..conduct() }), "wait");
    run("tiers", on_tiers(), "wait");
    let evil = "a|b](http://x.y) **1** <b>&lt; `c` _d_";
    played(&folder.0.join("evil"), RunHeader { name: evil.to_owned(), ..on_levels("test", &[1, 2]) }, "wait");
    let value = "6 # \u{202e}x\u{200b} | <script>";
    let mut changed = header(1);
    changed.set = vec![("rules.BasicRule.max_steps".to_owned(), value.to_owned())];
    played(&folder.0.join("changed"), changed, "wait");
    let board = Leaderboard::of(&folder.0, Access::default(), 1, LONG).unwrap();
    assert!(board.refused.is_empty(), "{:?}", board.refused);
    let page = board.page();
    let table = |heading: &str| {
        let (_, rest) = page.split_once(heading).unwrap_or_else(|| panic!("`{heading}` is missing: {page}"));
        let rest = rest.split_once("\n## ").map_or(rest, |(table, _)| table);
        let is_head = |line: &str| line.starts_with("| agent") || line.starts_with("| who played (claim) |");
        let rows = rest.lines().filter(|line| line.starts_with("| ") && !is_head(line));
        rows.filter_map(|row| row.split(" | ").next().map(|name| name[2..].to_owned())).collect::<Vec<_>>()
    };
    let escaped = "a\\|b\\](http\\://x.y) \\*\\*1\\*\\* &lt;b&gt;&amp;lt; \\`c\\` \\_d\\_";
    assert_eq!(table(", 2 of 15 test levels, the first ones, rules hidden"), [escaped, "silent", "turned", "two"]);
    assert_eq!(table(", 2 of 15 test levels, the first ones, rules shown"), ["told"]);
    let first =
        |words: &str| table(&format!(", 2 of 15 test levels, the first ones, rules hidden, full texts, {words}"));
    assert_eq!(first("history last:1, 50 turns of 3 replies\n"), ["short"]);
    assert_eq!(first("history full, 50 turns of 3 replies, 1000 tokens\n"), ["poor"]);
    assert_eq!(first("pictures, history full, 50 turns of 3 replies\n"), ["seeing"]);
    assert_eq!(table(", 1 of 15 test levels: 07, rules hidden"), ["one"]);
    assert_eq!(table("=6, seeds 0 to 1, rules hidden"), ["seeds"]);
    assert_eq!(table("tier=1-2, test world 0 of each tier, rules shown or hidden by tier")[0], "tiers");
    assert_eq!(table("=6 \\# \\\\u202ex\\\\u200b \\| &lt;script&gt;, seed 0, rules hidden"), ["stub"]);
    assert!(!page.contains(['\u{202e}', '\u{200b}']) && !page.contains("<script>"), "{page}");
    assert!(page.contains("**Who played is a claim of the run**"));
    // All rows have as many cells.
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let is_row = |line: &&str| line.starts_with("| ") && line.ends_with(" | – |");
    assert!(page.lines().filter(is_row).count() >= 10 && page.lines().filter(is_row).all(|line| bars(line) == 11));
}

/// An agent that always replies the same.
struct Says(String);

impl Agent for Says {
    fn reply(&mut self, _: &Request<'_>) -> Result<Answer, AgentError> {
        Ok(Answer { reply: self.0.clone(), attempts: 1, ..Answer::default() })
    }
}

/// Whatever an agent is called, is set to and replies, its page shows it as text.
#[test]
fn no_text_of_a_run_is_markup_on_its_page() {
    for (text, shown) in [
        ("</title></pre><script>alert(1)</script>", "&lt;/title&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<img src=x onerror='alert(1)'>", "&lt;img src=x onerror='alert(1)'&gt;"),
        ("\" onmouseover=\"alert(1)", "&quot; onmouseover=&quot;alert(1)"),
        ("&lt;b&gt; & co.", "&amp;lt;b&amp;gt; &amp; co."),
        ("a\u{202e}b\u{2066}c", "a\\u202eb\\u2066c"),
    ] {
        let folder = Folder::new("claims_page");
        let set = vec![("rules.BasicRule.max_steps".to_owned(), format!("{STEPS} # {text}"))];
        let run = folder.begin(RunHeader { name: tidy_name(text), set, ..header(1) });
        let reply = format!("{text}\u{0}\u{1b}[2J\r\n<!-- {text}");
        play(&run, 1, usize::MAX - 1, || Box::new(Says(reply.clone())));
        let traces = run.verify(1).unwrap();
        let score = run.score(&traces, 1).unwrap();
        let page = farm_agents::page(&run, &traces, &score).unwrap();
        let title = format!("{shown} plays backwards_valley --set rules.BasicRule.max_steps={STEPS} # {shown}");
        for place in [
            format!("<title>{title}</title>"),
            format!("<h1>{title}</h1>"),
            format!("<pre class=\"said\">{shown}\\u0000\\u001b[2J\\u000d\n&lt;!-- {shown}</pre>"),
        ] {
            assert!(page.contains(&place), "{place}");
        }
        assert_eq!(page.matches("<script").count(), 2, "the data and the script of the page");
        let is_hidden =
            |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(
            !page.contains("<img src=x") && !page.contains("\" onmouseover") && !page.contains(is_hidden),
            "{text:?}"
        );
    }
}

/// A folder of runs as attackers leave them: each is refused with its name and its reason, and the honest one stands there.
#[test]
#[cfg(unix)]
fn no_run_of_a_folder_stops_the_others() {
    let folder = Folder::new("claims_folder");
    let start = Instant::now();
    let at = |name: &str| folder.0.join(name);
    for name in ["honest", "link", "pipe", "folder", "huge", "long", "half", "rest"] {
        played(&at(name), header(1), "wait");
    }
    let trace = |name: &str| at(name).join("seed-0.jsonl");
    let replaced = |name: &str| {
        std::fs::remove_file(trace(name)).unwrap();
        trace(name)
    };
    std::os::unix::fs::symlink(trace("honest"), replaced("link")).unwrap();
    let pipe = |path: &Path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    pipe(&replaced("pipe"));
    std::fs::create_dir(replaced("folder")).unwrap();
    std::fs::File::create(replaced("huge")).unwrap().set_len(1 << 40).unwrap();
    std::fs::write(replaced("long"), "[".repeat(1 << 20) + "\n").unwrap();
    let lines = std::fs::read_to_string(trace("half")).unwrap();
    std::fs::write(trace("half"), lines.lines().take(3).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    std::fs::OpenOptions::new().append(true).open(trace("rest")).unwrap().set_len(1 << 20).unwrap();
    for (name, put) in
        [("header_pipe", 0), ("header_folder", 1), ("header_link", 2), ("header_huge", 3), ("header_device", 4)]
    {
        std::fs::create_dir(at(name)).unwrap();
        let path = at(name).join(farm_agents::HEADER);
        match put {
            0 => pipe(&path),
            1 => std::fs::create_dir(&path).unwrap(),
            2 => std::os::unix::fs::symlink(at("honest").join(farm_agents::HEADER), &path).unwrap(),
            3 => std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap(),
            _ => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
        }
    }
    // A lifetime of which hardly anything was played: waiting and the best plan of a thousand worlds would be computed.
    let life = Conduct { lifetime: 1000, max_tokens: Some(1), ..conduct() };
    let run = Run::begin(&at("life"), RunHeader { conduct: life, ..header(1) }, Access::default()).unwrap();
    let game = &run.game(0).unwrap();
    play(&run, 1, usize::MAX - 1, || Box::new(super::Counted(PolicyAgent::new(game, "wait").unwrap())));
    // A game without an end that a person lives to see: waiting would have to be played to it.
    let mut endless = RunHeader { conduct: Conduct { max_turns: 1, ..conduct() }, ..header(1) };
    endless.set[0].1 = "1000000000".to_owned();
    let options = Options { set: endless.set.clone(), ..Options::default() };
    let game = farm_games::open(&endless.game, &options).unwrap();
    endless.episodes[0].fingerprint = format!("{:016x}", game.fingerprint());
    let run = Run::begin(&at("endless"), endless, Access::default()).unwrap();
    play_with(&run, "random");
    // A folder somewhere else, by a link.
    let elsewhere = Folder::new("claims_elsewhere");
    played(&elsewhere.0, header(1), "wait");
    std::os::unix::fs::symlink(&elsewhere.0, at("outside")).unwrap();
    let board = Leaderboard::of(&folder.0, Access::default(), 1, LONG).unwrap();
    let names: Vec<&str> =
        board.entries.iter().map(|entry| entry.folder.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["honest"], "{:?}", board.refused);
    let page = board.page();
    for (name, reason) in [
        ("link", "it is a link"),
        ("pipe", "not a regular file but a pipe"),
        ("folder", "it is a folder"),
        ("huge", "larger than 128 MB"),
        ("long", "not a valid line of a trace"),
        ("half", "the episode is not finished"),
        ("rest", "has lines after its end"),
        ("header\\_pipe", "not a regular file but a pipe"),
        ("header\\_folder", "it is a folder"),
        ("header\\_link", "it is a link"),
        ("header\\_huge", "larger than 8 MB"),
        ("header\\_device", "it is a link"),
        ("life", "too few trials of its lifetime"),
        ("endless", "too few steps of its game"),
        ("outside", "a link to another place"),
    ] {
        let is_told =
            |line: &&str| line.starts_with("- `") && line.contains(&format!("/{}`: ", name.replace('\\', "")));
        let line = page.lines().find(is_told).unwrap_or_else(|| panic!("{name} is not told of: {page}"));
        assert!(line.contains(reason), "{line}");
    }
    // None of it waits or computes for long; the time is that of a busy machine.
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}

#[test]
fn a_run_is_looked_at_for_no_longer_than_it_may() {
    let folder = Folder::new("claims_time");
    played(&folder.0, header(2), "wait");
    checked(&folder.0).unwrap();
    let look =
        || Run::open_within(&folder.0, Access::default(), Duration::ZERO).and_then(|run| run.verify_and_score(1));
    let problems = look().map(drop).unwrap_err();
    assert!(problems.0[0].is(AgentsError::RunTooLarge) && problems.to_string().contains("--max-seconds"), "{problems}");
}

/// What is written of a name is what a reader sees, also in the file.
#[test]
fn a_name_that_can_not_be_seen_is_not_begun_with() {
    let folder = Folder::new("claims_name");
    for name in ["a\u{202e}b", "a\nb", "a\u{200b}", "\ta", ""] {
        let header = RunHeader { name: name.to_owned(), ..header(1) };
        let problems = Run::begin(&folder.0, header, Access::default()).unwrap_err();
        assert!(problems.0[0].is(AgentsError::WrongAgent) && !folder.0.exists(), "{problems}");
    }
    let mut header = header(1);
    header.agent.insert("command".to_owned(), json!("echo \u{202e}\u{200b}"));
    played(&folder.0, header.clone(), "wait");
    let text = std::fs::read_to_string(folder.0.join(farm_agents::HEADER)).unwrap();
    assert!(text.contains("echo \\u202e\\u200b") && !text.contains('\u{202e}'), "{text}");
    assert_eq!(Run::open(&folder.0, Access::default()).unwrap().header(), &header);
}

/// A run on a hidden set has the hash of the set, whatever it says of itself.
#[test]
fn a_hidden_set_is_known_by_its_hash() {
    let head = HiddenHead { family: "backwards_valley".to_owned(), tier: Some(2), engine: "1".to_owned(), count: 2 };
    let world = |rules: u64, seed: u64| {
        let game = head.member(rules).unwrap().to_string();
        let fingerprint = farm_games::open(&game, &Options::default()).unwrap().fingerprint();
        HiddenWorld { rules, seed, fingerprint: format!("{fingerprint:016x}") }
    };
    let worlds = [world(5, 70), world(6, 71)];
    let leaves: Vec<String> = worlds.iter().enumerate().map(|(i, world)| world.leaf("salt", i)).collect();
    let plan = |(i, world): (usize, &HiddenWorld)| EpisodePlan {
        id: format!("hidden-{i}"),
        level: None,
        seed: world.seed,
        fingerprint: world.fingerprint.clone(),
        game: Some(head.member(world.rules).unwrap().to_string()),
        rules: None,
    };
    let hidden = HiddenSet { salt: "salt".to_owned(), engine: "1".to_owned() };
    let set = RunHeader {
        game: head.game(),
        set: Vec::new(),
        hidden: Some(hidden),
        episodes: worlds.iter().enumerate().map(plan).collect(),
        ..header(1)
    };
    let folder = Folder::new("hidden_set");
    let run = played(&folder.0.join("run"), set.clone(), "wait");
    assert_eq!(run.header().commitment(), Some(head.commitment(&leaves)));
    let words = format!("hidden set of 2 worlds with the hash {}", head.commitment(&leaves));
    assert_eq!(run.header().worlds_in_words(), words);
    run.verify(1).unwrap();
    // Part of the set is another set, and so is another order.
    let part = RunHeader { episodes: set.episodes[..1].to_vec(), ..set.clone() };
    let mut turned = set.clone();
    turned.episodes.reverse();
    for other in [part, turned] {
        assert!(other.commitment().is_some_and(|other| Some(other) != set.commitment()));
    }
    // What is not a world of such a set is refused.
    let refused = |change: &dyn Fn(&mut RunHeader), path: &str| {
        let mut other = set.clone();
        change(&mut other);
        let folder = Folder::new("hidden_refused");
        let problems = Run::begin(&folder.0, other, Access::default()).unwrap_err();
        assert_eq!(problems.0[0].path.to_string(), path, "{problems}");
    };
    refused(&|run| run.split = Some("test".to_owned()), "split");
    refused(&|run| run.episodes[1].seed = 8_300_000_000_000_001, "episodes[1].seed");
    refused(&|run| run.episodes[1].game = None, "episodes[1].game");
    refused(&|run| run.episodes[1].game = Some("backwards_valley@tier=3,rules=test-6".to_owned()), "episodes[1].game");
    refused(&|run| run.episodes[1].game = Some("backwards_valley@tier=2,rules=6".to_owned()), "episodes[1].game");
    refused(&|run| run.episodes[1].rules = Some(Rules::Shown), "episodes[1].rules");
    refused(&|run| run.set = vec![("a".to_owned(), "b".to_owned())], "set[0]");
}
