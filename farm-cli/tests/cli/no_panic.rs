//! No file, argument, action or slip makes the program panic, which every run of it asserts.

use super::program::farm;
use super::{farm_with_input, file, folder, games, yaml};

/// Files that no careful user writes.
fn nasty_files() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let game = |body: &str| {
        format!("name: x\nfarmers: [BasicFarmer]\nrules: BasicRule\nscore: BasicScore\n{body}").into_bytes()
    };
    let bomb: String = (1..30).fold("a0: &a0 [x, x, x, x]\n".to_owned(), |text, i| {
        let alias = format!("*a{}", i - 1);
        format!("{text}a{i}: &a{i} [{alias}, {alias}, {alias}, {alias}]\n")
    });
    vec![
        ("empty", Vec::new()),
        ("spaces", text(" \n\t\n")),
        ("null", text("null\n")),
        ("number", text("42\n")),
        ("list", text("- a\n- b\n")),
        ("word", text("clay_bean")),
        ("nul_bytes", vec![0; 4096]),
        ("binary", (0..=255).cycle().take(10_000).collect()),
        ("not_utf8", b"name: \xff\xfe\n".to_vec()),
        ("mark_only", b"\xef\xbb\xbf".to_vec()),
        ("utf16", b"\xff\xfen\0a\0m\0e\0:\0".to_vec()),
        ("deep_lists", "[".repeat(100_000).into_bytes()),
        ("deep_maps", "{a: ".repeat(5_000).into_bytes()),
        ("deep_closed", format!("name: {}{}", "[".repeat(120), "]".repeat(120)).into_bytes()),
        ("deep_blocks", (0..3000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>().into_bytes()),
        ("dashes", "- ".repeat(20_000).into_bytes()),
        ("bomb", bomb.into_bytes()),
        ("alias_of_nothing", text("name: *nobody\n")),
        ("alias_of_itself", text("name: &a [*a]\n")),
        ("merge", text("a: &a {name: x}\n<<: *a\n")),
        ("tag", text("!Foo\nname: !bar x\nfields: !!map {}\n")),
        ("two_documents", text("name: a\n---\nname: b\n")),
        ("key_twice", text("name: a\nname: b\n")),
        ("keys_of_all_kinds", text("1: a\n1.5: b\nnull: c\n[a]: d\n{a: b}: e\ntrue: f\n")),
        ("tab", text("name: x\nfields:\n\tField-0: 3\n")),
        ("unclosed", text("name: \"x\n")),
        ("long_line", format!("name: {}", "x".repeat(1_000_000)).into_bytes()),
        ("many_keys", (0..300).map(|i| format!("k{i}: 1\n")).collect::<String>().into_bytes()),
        ("no_parts", text("name: x\nfields: {}\nfarmers: []\nrules: {}\nscore: []\n")),
        ("no_fields", game("fields: {}\n")),
        ("fields_list", game("fields: [1, 2]\n")),
        ("field_null", game("fields: {Field-0: null}\n")),
        ("field_number_name", game("fields: {0: {entities: [Soil]}}\n")),
        ("entities_map", game("fields: {Field-0: {entities: {Soil: clay}}}\n")),
        ("entity_null", game("fields: {Field-0: {entities: [null, 3, [], {}, {a: 1, b: 2}, '']}}\n")),
        ("entity_tag", game("fields: !t {Field-0: !t {entities: !t [!t {Soil: clay}]}}\n")),
        ("shape_nan", game("fields: {Field-0: {shape: {length#nb: .nan, scale#m: .inf}, entities: [Soil: clay]}}\n")),
        (
            "shape_huge",
            game(
                "fields: {Field-0: {shape: {length#nb: 1e300, width#nb: 99999999999999999999}, entities: [Soil: clay]}}\n",
            ),
        ),
        ("shape_texts", game("fields: {Field-0: {shape: {length#nb: '4', width#nb: true}, entities: [Soil: clay]}}\n")),
        ("base_list", game("fields: {Field-0: {entities: [Soil: {base: [clay]}]}}\n")),
        (
            "no_farmers",
            text(
                "name: x\nfields: {Field-0: {entities: [Soil: clay]}}\nfarmers: []\nrules: BasicRule\nscore: BasicScore\n",
            ),
        ),
        ("many_parts", game(&format!("fields: {{Field-0: {{entities: [{}]}}}}\n", "Soil: clay, ".repeat(40)))),
        ("policies_list", game("fields: {Field-0: {entities: [Soil: clay]}}\npolicies: [a]\npresets: 7\n")),
        (
            "preset_cycle",
            game("fields: {Field-0: {entities: [Soil: clay]}}\npresets: {a: {presets.a: null}, b: {'': 1}, c: 3}\n"),
        ),
    ]
}

#[test]
fn no_file_makes_the_program_panic() {
    let folder = folder("nasty");
    for (name, content) in nasty_files() {
        let path = file(&folder, &format!("{name}.yaml"), content);
        for command in ["check", "describe", "run"] {
            let ran = farm(&[command, &path]);
            assert_eq!(ran.code, 1, "{command} {name}: {}{}", ran.stdout, ran.stderr);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(said.contains("error") && said.len() < 100_000, "{command} {name}: {} characters", said.len());
        }
        let ran = farm(&["replay", "clay_bean", "--seed", "1", "--actions", &path]);
        assert!((0..=1).contains(&ran.code), "replay {name}: {}", ran.stderr);
    }
    // A folder where a file belongs.
    let there = format!("{}/", folder.display());
    farm(&["check", &there]).says(1, &["can't be read"]);
    farm(&["replay", "clay_bean", "--seed", "1", "--actions", &there]).says(1, &["can't be read"]);
}

#[test]
fn no_argument_makes_the_program_panic() {
    let huge = "9".repeat(400);
    let deep = format!("{}=1", "a.".repeat(2000));
    let nested = format!("name={}", "[".repeat(5000));
    let values: Vec<&str> = vec![
        "",
        " ",
        "-",
        "--",
        "=",
        "a=",
        ".=1",
        "..=1",
        "#=1",
        "name=",
        "name=null",
        "name=[1,2]",
        "fields=1",
        "fields=",
        "fields={}",
        "fields.Field-0=null",
        "fields.Field-0.entities=[]",
        "fields.Field-0.entities.0=3",
        "fields.Field-0.entities.99.Soil=1",
        "fields.Field-0.entities.-1=1",
        "Field-0.Soil-99.depth#m=1",
        "Field-0.Soil-0.depth#m=.nan",
        "Field-0.Soil-0=~",
        "Field-0.-=1",
        "Field-0.Soil-18446744073709551616.x=1",
        "farmers=[]",
        "farmers.0=",
        "rules=",
        "score={a: {b: c}}",
        "policies.random=Nobody",
        "presets=1",
        "\u{1F33E}=\u{0}",
        "rules.BasicRule.max_steps=0",
        "rules.BasicRule.max_steps=4294967296",
        "rules.BasicRule.actions=7",
        "rules.BasicRule.stopping_conditions=[[{}]]",
        "rules.BasicRule.initial_conditions={a: {b: {c: d}}}",
        "rules.BasicRule.free_observations=[[[[]]]]",
        "interaction_mode=fomdp",
        "interaction_mode=[fomdp]",
        &huge,
        &deep,
        &nested,
    ];
    for (i, value) in values.iter().enumerate().filter(|(_, value)| !value.contains('\0')) {
        for game in ["clay_bean", "backwards_valley"] {
            let ran = farm(&["run", game, "--episodes", "1", "--set", value]);
            assert!((0..=2).contains(&ran.code), "--set {value}: {}", ran.stderr);
        }
        // As a name, those without a path and some of the others.
        if value.contains('=') && i % 4 > 0 {
            continue;
        }
        for arguments in [["describe", value], ["graph", value], ["list", value], ["check", value], ["run", value]] {
            let code = farm(&arguments).code;
            // Only `farm list --` asks for nothing wrong.
            assert!(code == 1 || code == 2 || arguments == ["list", "--"], "{arguments:?}: {code}");
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let not_utf8 = std::ffi::OsStr::from_bytes(b"\xff\xfe");
        for command in ["describe", "graph", "list", "check", "run"] {
            assert_eq!(farm(&[std::ffi::OsStr::new(command), not_utf8]).code, 2);
        }
    }
}

#[test]
fn no_action_makes_the_program_panic() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines = [
        "null",
        "[null]",
        "[[]]",
        "[[[]]]",
        "{}",
        "[{}]",
        "[\"a\"]",
        "[\"a\", {}]",
        "[\"\", \"\", \"\", \"\", {}]",
        "[{\"action\": 3}]",
        "{\"action\": \"wait\", \"parameters\": []}",
        "{\"entity\": \"Soil-0\", \"action\": \"\"}",
        "[1e999]",
        "-1",
        "99999999999999999999",
        "\"\"",
        "\"\\ud800\"",
        "\u{1F33E}",
        ".",
        "Field-0.Soil-0.",
        "[\"Soil-0\", {}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": [-1, 0], \"amount#L\": 1e308}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": [18446744073709551615, 18446744073709551615]}]",
        "[\"Field-0\", \"Soil-0\", \"water_discrete\", {\"plot\": \"(((\", \"amount#L\": null}]",
        &deep,
    ];
    for line in lines {
        for game in ["clay_bean", "backwards_valley"] {
            let ran = farm_with_input(&["replay", game, "--seed", "1", "--actions", "-"], line.as_bytes());
            assert!((0..=1).contains(&ran.code), "{line}: {}", ran.stderr);
        }
    }
}

/// Lines of the games left out, written twice, cut, or with another value: problems, perhaps, but never a panic. Games are alike: a key is
/// taken in the first game that has it, below the same other one.
#[test]
fn no_slip_in_a_game_makes_the_program_panic() {
    let folder = folder("slips");
    let mut known = std::collections::BTreeSet::new();
    let (mut count, mut refused) = (0, 0);
    let values =
        ["", "null", "-1", "1e308", ".nan", "[]", "{}", "[[1, 2], x]", "'*'", "'(3, 1)'", "99999999999", "!t x"];
    for (g, game) in games().into_iter().enumerate() {
        let text = yaml(&game);
        let lines: Vec<&str> = text.lines().collect();
        let mut paths = vec!["check".to_owned()];
        let mut above: Vec<(usize, &str)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let (indent, key) = (line.len() - line.trim_start().len(), line.trim().split(": ").next().unwrap_or(""));
            above.retain(|(outer, _)| *outer < indent);
            let parent = above.last().map_or("", |(_, key)| *key);
            above.push((indent, key));
            if !known.insert((parent.to_owned(), key.to_owned())) {
                continue;
            }
            let (before, after) = (lines[..i].join("\n"), lines[i + 1..].join("\n"));
            let mut slips =
                vec![format!("{before}\n{after}"), format!("{before}\n{line}\n{line}\n{after}"), before.clone()];
            if let Some((key, _)) = line.split_once(": ") {
                slips.extend(values.iter().map(|value| format!("{before}\n{key}: {value}\n{after}")));
            }
            // One in 24 of the slips of a key, other ones of the next: each is played for up to a second.
            for (k, slip) in slips.into_iter().enumerate().filter(|(k, _)| (g + i + k) % 24 == 0) {
                paths.push(file(&folder, &format!("{game}_{i}_{k}.yaml"), slip));
            }
        }
        if paths.len() == 1 {
            continue;
        }
        // Many files in one run, so that the test takes seconds and not minutes. All of the slips of a game may be harmless.
        let ran = farm(&paths);
        assert!(ran.code == 0 || ran.code == 1, "{game}: {} {}", ran.code, ran.stderr);
        refused += ran.code;
        count += paths.len() - 1;
    }
    assert!(count > 100 && refused > 8, "{count} slips, {refused} games refused");
}
