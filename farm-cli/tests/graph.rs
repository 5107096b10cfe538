//! The diagrams of `farm graph`, read back by the rules of their languages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

fn farm(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_farm")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn graph(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = farm(&[&["graph"], arguments].concat());
    assert_eq!(code, 0, "{stderr}");
    stdout
}

/// A diagram as it was read.
#[derive(Debug, Default, PartialEq)]
struct Diagram {
    /// The part of each node, as `group.name` or `name`.
    nodes: BTreeMap<String, String>,
    /// The labels of the arrows between parts.
    edges: BTreeMap<(String, String), Vec<String>>,
}

impl Diagram {
    fn roles(&self, from: &str, to: &str) -> &[String] {
        self.edges.get(&(from.to_owned(), to.to_owned())).map_or(&[], Vec::as_slice)
    }

    fn node(&mut self, group: Option<&String>, id: &str, label: String) {
        let path = group.map_or_else(|| label.clone(), |group| format!("{group}.{label}"));
        assert!(self.nodes.insert(id.to_owned(), path).is_none(), "{id} is declared twice");
    }

    fn edge(&mut self, from: &str, to: &str, roles: Vec<String>) {
        let ends = [from, to].map(|id| self.nodes.get(id).unwrap_or_else(|| panic!("{id} is not declared")).clone());
        let [from, to] = ends;
        assert!(!roles.is_empty() && roles.iter().all(|role| !role.is_empty()));
        assert!(self.edges.insert((from, to), roles).is_none(), "two arrows between the same parts");
    }
}

/// The text that Mermaid shows for `#NNN;`.
fn unescape_mermaid(text: &str) -> String {
    let mut parts = text.split('#');
    let mut shown = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once(';').unwrap();
        shown.push(char::from_u32(code.parse().unwrap()).unwrap());
        shown.push_str(rest);
    }
    shown
}

fn read_mermaid(text: &str) -> Diagram {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("---"));
    assert!(lines.next().unwrap().starts_with("title: \""));
    assert_eq!((lines.next(), lines.next()), (Some("---"), Some("flowchart LR")));
    let (mut diagram, mut group) = (Diagram::default(), None);
    for line in lines.map(str::trim) {
        assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        let quoted = || line.split('"').nth(1).unwrap();
        if let Some((from, rest)) = line.split_once(" -->|\"") {
            let (roles, to) = rest.split_once("\"| ").unwrap();
            diagram.edge(from, to, roles.split("<br/>").map(unescape_mermaid).collect());
        } else if line.starts_with("subgraph ") {
            assert!(group.is_none() && line.ends_with("\"]"), "{line}");
            group = Some(unescape_mermaid(quoted()));
        } else if line == "end" {
            assert!(group.take().is_some(), "an end without a beginning");
        } else {
            let id = line.split_once("[\"").unwrap_or_else(|| panic!("{line}")).0;
            assert!(line.ends_with("\"]") && id.chars().all(char::is_alphanumeric), "{line}");
            diagram.node(group.as_ref(), id, unescape_mermaid(quoted()));
        }
    }
    assert!(group.is_none(), "a group without its end");
    diagram
}

/// Splits a statement of Graphviz into its words and quoted texts, these without escapes.
fn dot_tokens(line: &str) -> Vec<String> {
    let (mut tokens, mut characters) = (Vec::new(), line.chars().peekable());
    while let Some(character) = characters.next() {
        let mut token = String::new();
        match character {
            ' ' | ';' => continue,
            '"' => loop {
                match characters.next().expect("a quote that ends") {
                    '"' => break,
                    '\\' => match characters.next().unwrap() {
                        'n' => token.push('\n'),
                        escaped => token.push(escaped),
                    },
                    other => token.push(other),
                }
            },
            '[' | ']' | '{' | '}' | '=' => token.push(character),
            first => {
                token.push(first);
                while let Some(next) = characters.next_if(|c| !" ;[]{}=\"".contains(*c)) {
                    token.push(next);
                }
            }
        }
        tokens.push(token);
    }
    tokens
}

fn read_dot(text: &str) -> Diagram {
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("digraph \""));
    let (mut diagram, mut group, mut depth) = (Diagram::default(), None, 1);
    for line in lines {
        let tokens = dot_tokens(line);
        let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["rankdir", "=", "LR"] | ["node", "[", "shape", "=", "box", "]"] => {}
            ["subgraph", name, "{"] => {
                assert!(name.starts_with("cluster"), "only clusters are drawn around their nodes");
                depth += 1;
            }
            ["label", "=", label] => group = Some((*label).to_owned()),
            ["}"] => {
                depth -= 1;
                group = None;
            }
            [id, "[", "label", "=", label, "]"] => diagram.node(group.as_ref(), id, (*label).to_owned()),
            [from, "->", to, "[", "label", "=", label, "]"] => {
                diagram.edge(from, to, label.split('\n').map(str::to_owned).collect());
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(depth, 0, "braces are not balanced");
    diagram
}

fn games() -> Vec<String> {
    let (_, stdout, _) = farm(&["list", "games", "--json"]);
    let json: Json = serde_json::from_str(&stdout).unwrap();
    json["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_part_of_every_game_is_shown_in_both_languages_with_the_same_arrows() {
    for game in games() {
        let (_, described, _) = farm(&["describe", &game, "--json"]);
        let described: Json = serde_json::from_str(&described).unwrap();
        let parts = described["parts"].as_array().unwrap();
        let parts: BTreeSet<&str> = parts.iter().map(|part| part["path"].as_str().unwrap()).collect();
        let mermaid = read_mermaid(&graph(&[&game]));
        assert_eq!(mermaid.nodes.values().map(String::as_str).collect::<BTreeSet<_>>(), parts, "{game}");
        assert_eq!(mermaid, read_dot(&graph(&[&game, "--format", "dot"])), "{game}");
        assert_eq!(mermaid, read_mermaid(&graph(&[&game, "--format", "mermaid"])), "{game}");
    }
}

#[test]
fn the_arrows_are_the_couplings_of_the_paper() {
    let diagram = read_mermaid(&graph(&["full_farm-v0"]));
    let field = |name: &str| format!("Field-0.{name}");
    for (from, to) in [
        ("Weather-0", "Soil-0"),
        ("Soil-0", "Plant-0"),
        ("Plant-0", "Soil-0"),
        ("Soil-0", "Weeds-0"),
        ("Weeds-0", "Soil-0"),
        ("Pests-0", "Plant-0"),
        ("Plant-0", "Pests-0"),
        ("Pollinators-0", "Plant-0"),
        ("Birds-0", "Plant-0"),
        ("Facility-0", "Birds-0"),
        ("Fertilizer-0", "Soil-0"),
    ] {
        assert!(!diagram.roles(&field(from), &field(to)).is_empty(), "{from} influences {to}: {:#?}", diagram.edges);
    }
    assert_eq!(diagram.roles(&field("Pests-0"), &field("Plant-0")), ["pests_on_host"]);
    assert!(diagram.roles(&field("Soil-0"), &field("Weather-0")).is_empty(), "nobody makes the weather");
    let rain = diagram.roles(&field("Weather-0"), &field("Soil-0"));
    assert!(rain.iter().any(|role| role.contains("rain")), "{rain:?}");
}

#[test]
fn a_part_that_nobody_reads_and_that_reads_nobody_is_shown() {
    let diagram = read_mermaid(&graph(&["full_farm-v0"]));
    let farmer = "BasicFarmer-0";
    assert!(diagram.nodes.values().any(|name| name == farmer), "{:?}", diagram.nodes);
    assert!(diagram.edges.keys().all(|(from, to)| from != farmer && to != farmer));
}

#[test]
fn fields_are_apart_and_their_names_can_hold_anything() {
    let (_, yaml, _) = farm(&["describe", "clay_bean-v0", "--yaml"]);
    let mut game: Json = serde_json::to_value(serde_yaml::from_str::<serde_yaml::Value>(&yaml).unwrap()).unwrap();
    let odd = "A\"]-->`B`<br/>#1;\\";
    let field = game["fields"]["Field-0"].clone();
    game["fields"] = serde_json::json!({ odd: field, "Field-1": field });
    for key in ["initial_conditions", "free_observations", "actions", "stopping_conditions"] {
        game["rules"]["BasicRule"][key] = Json::Null;
    }
    game["score"] = serde_json::json!("BasicScore");
    game["policies"] = serde_json::json!({});
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph_odd_names.yaml");
    fs::write(&path, serde_json::to_string(&game).unwrap()).unwrap();
    let path = path.to_str().unwrap();
    let mermaid = read_mermaid(&graph(&[path]));
    assert_eq!(mermaid, read_dot(&graph(&[path, "--format", "dot"])));
    for field in [odd, "Field-1"] {
        assert!(!mermaid.roles(&format!("{field}.Weather-0"), &format!("{field}.Soil-0")).is_empty(), "{mermaid:#?}");
    }
    assert!(mermaid.roles(&format!("{odd}.Weather-0"), "Field-1.Soil-0").is_empty(), "weather stays in its field");
}

#[test]
fn a_variant_can_be_drawn_and_wrong_usage_is_an_error() {
    graph(&["full_farm-v0", "--preset", "4x3"]);
    let (code, stdout, stderr) = farm(&["graph", "full_farm-v0", "--format", "svg"]);
    assert_eq!(code, 2);
    assert!(stdout.is_empty() && stderr.contains("mermaid") && stderr.contains("dot"), "{stderr}");
    let (code, _, stderr) = farm(&["graph", "ful_farm"]);
    assert!(code == 1 && stderr.contains("did you mean `full_farm`?"), "{stderr}");
}
