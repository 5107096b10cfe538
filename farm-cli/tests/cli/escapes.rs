//! Texts of a game file that a terminal would obey: names, descriptions, unknown keys, names of files. Found by a review from outside;
//! its files are in `tests/inputs/`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use farm_core::EpisodeRunner;
use farm_report::{EpisodeLine, Report, Run};

use super::program::{Ran, farm};
use super::{file, folder};

fn input(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs").join(name);
    path.display().to_string()
}

/// Whether a terminal would show this character, and do nothing else.
fn is_plain(c: char) -> bool {
    matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[track_caller]
fn is_harmless(ran: &Ran, what: &[&str]) {
    for said in [&ran.stdout, &ran.stderr] {
        let found: Vec<String> =
            said.lines().filter(|line| !line.chars().all(is_plain)).map(|l| format!("{l:?}")).collect();
        assert!(found.is_empty(), "{what:?}: {found:#?}");
    }
}

#[test]
fn a_terminal_obeys_no_text_of_a_game() {
    let out = folder("escapes");
    let out = out.to_str().unwrap();
    let (mut shown, mut refused) = (0, 0);
    for name in ["esc1.yaml", "esc2.yaml", "esc3.yaml"] {
        let game = input(name);
        for arguments in [
            &["check", &game][..],
            &["check", "--explain", &game],
            &["describe", &game],
            &["describe", &game, "--start"],
            &["describe", &game, "--instructions", "shown"],
            &["describe", &game, "--json"],
            &["graph", &game],
            &["graph", &game, "--format", "dot"],
            &["run", &game, "--episodes", "2", "--explain"],
            &["run", &game, "--episodes", "2", "--json"],
            &["run", &game, "--policy", "radnom"],
            &["eval", &game, "--episodes", "4", "--paired-with", "random", "--out", out],
            &["eval", &game, "--episodes", "4", "--json"],
            &["level", &game],
            &["oracle", &game],
        ] {
            let ran = farm(arguments);
            is_harmless(&ran, arguments);
            shown += usize::from(ran.stdout.contains("\\u001b") && ran.stdout.contains("\\u202e"));
            refused += usize::from(ran.stderr.contains("\\u001b"));
        }
    }
    assert!(
        shown > 12 && refused > 5,
        "what is escaped is shown: {shown} times as a result, {refused} times as an error"
    );
}

#[test]
fn json_tells_the_names_as_they_are() {
    let json = farm(&["run", &input("esc1.yaml"), "--episodes", "1", "--json"]).json();
    let name = json["game"].as_str().unwrap();
    assert!(name.starts_with("\u{1b}]0;pwned title\u{7}") && name.contains('\u{202e}'), "{name:?}");
}

#[cfg(unix)]
#[test]
fn a_terminal_obeys_no_name_of_a_file() {
    let folder = folder("escaped_names");
    let path = file(&folder, "a\u{1b}]0;pwned\u{7}\u{202e}.yaml", "name: a\nfeilds: {}\n");
    for arguments in [
        &["check", &path][..],
        &["run", &path],
        &["run", &format!("{path}.yaml")],
        &["run", "clay_bean", "--set", "a\u{1b}b=1"],
    ] {
        let ran = farm(arguments);
        is_harmless(&ran, arguments);
        ran.says(1, &["\\u001b"]);
    }
}

#[test]
fn a_game_whose_names_are_markup_is_a_game_like_any_other() {
    let folder = folder("markup");
    let page = folder.join("page.html");
    let ran =
        farm(&["run", &input("xss.yaml"), "--policy", "random", "--episodes", "1", "--report", page.to_str().unwrap()]);
    ran.says(0, &["report: "]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "markup of a name in the page");
}

/// Text of a stranger, and how a page writes it.
const TEXTS: [(&str, &str); 6] = [
    ("</title></pre><script>alert(1)</script>", "&lt;/title&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("<img src=x onerror='alert(1)'>", "&lt;img src=x onerror='alert(1)'&gt;"),
    ("\" onmouseover=\"alert(1)", "&quot; onmouseover=&quot;alert(1)"),
    ("&lt;b&gt; & co.", "&amp;lt;b&amp;gt; &amp; co."),
    ("a\u{202e}b\u{2066}c\u{0}\u{1b}[2J\u{9b}", "a\\u202eb\\u2066c\\u0000\\u001b[2J\\u009b"),
    ("one\n<b>two", "one\n&lt;b&gt;two"),
];

/// All texts on the pages about an episode that people write: names in the game's file, the call, and what a player asked for.
#[test]
fn a_page_shows_the_texts_of_strangers_as_they_are() {
    let folder = folder("markup_texts");
    let mut json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(input("esc1.yaml")).unwrap()).unwrap();
    for (text, shown) in TEXTS {
        (json["name"], json["doc"]) = (text.into(), text.into());
        // YAML forbids this character, which JSON writes as it is.
        let written = json.to_string().replace('\u{9b}', "\\u009b");
        let game = file(&folder, "game.yaml", written);
        let game = Arc::new(farm_games::open(&game, &farm_games::Options::default()).unwrap());
        let [name, preset, command, version] = [text; 4].map(str::to_owned);
        let run = Run { preset: Some(preset), policy: name, command, version, ..Run::default() };
        let report = || {
            let mut report = Report::new(game.clone(), run.clone()).unwrap();
            let mut policy = farm_games::policy(&game, "random").unwrap();
            EpisodeRunner::new(&game).play(policy.as_mut(), 3, &mut report).unwrap();
            report.unread(text.to_owned(), text.to_owned());
            report
        };
        let season = report().page(&[EpisodeLine { stop: text.to_owned(), ..EpisodeLine::default() }]).unwrap();
        for place in [
            format!("<title>{shown} ({shown}), policy {shown}, seed 3</title>"),
            format!("<h1>{shown} ({shown})</h1><p class=\"doc\">{shown}</p>"),
            format!("<dd>{shown}</dd>"),
            format!("again with {shown}:</p><pre><code>{shown}</code></pre>"),
            format!("<td>{shown}</td><td>{shown}</td>"),
            format!("<td class=\"n\">{shown}</td>"),
            format!("<footer>{shown}</footer>"),
        ] {
            assert!(season.contains(&place), "{place}");
        }
        let compared = farm_report::compare(vec![report(), report()]).unwrap();
        for place in [
            format!("<h1>{shown} ({shown}): {shown} and {shown}</h1>"),
            format!("<th class=\"n\">{shown}</th><th class=\"n\">{shown}</th>"),
            format!("alt=\"The farm of {shown} on day "),
            format!("<figcaption>{shown}, at the end</figcaption>"),
        ] {
            assert!(compared.contains(&place), "{place}");
        }
        for page in [season, compared] {
            assert_eq!(page.matches("<script").count(), 2, "the data and the script of the page");
            let (before, data) = page.split_once("id=\"data\">").unwrap();
            let (data, after) = data.split_once("</script>").unwrap();
            let markup = [before, after].concat();
            assert!(!markup.contains("<img src=x") && !markup.contains("\" onmouseover"), "{text:?}");
            assert!(page.chars().all(is_plain), "{text:?}");
            let data: serde_json::Value = serde_json::from_str(data).unwrap();
            let names = data["series"].as_array().unwrap().iter().map(|series| series["n"].as_str().unwrap());
            assert!(names.flat_map(str::chars).all(is_plain), "{text:?}");
        }
    }
}
