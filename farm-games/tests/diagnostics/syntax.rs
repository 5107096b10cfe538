//! Files that are no YAML, or that no parser should try to read.

use std::time::Duration;

use farm_games::Options;

use super::support::{BASE, check, file, folder, said, slip};
use crate::measures::processor_time;

#[test]
fn what_is_said_about_syntax() {
    check(
        "syntax",
        vec![
            slip("tab", &[("    entities:\n", "\tentities:\n")]),
            slip("bracket that is not closed", &[("[110, 120]}", "[110, 120}")]),
            slip("bracket that is closed twice", &[("[110, 120]}", "[110, 120]]}")]),
            slip("quote that is not closed", &[("doc: Beans on clay.", "doc: \"Beans on clay.")]),
            slip("bad indentation", &[("      - Soil: clay", "     - Soil: clay")]),
            slip("key that is indented too deep", &[("    shape:", "      shape:")]),
            slip("missing colon", &[("farmers:\n", "farmers\n")]),
            slip("missing blank after a colon", &[("name: garden", "name:garden")]),
            slip("colon in a text", &[("doc: Beans on clay.", "doc: Beans: on clay.")]),
            slip("star without quotes", &[("plot: ['(0, 0)', '(1, 0)']", "plot: *")]),
            slip("percent sign first", &[("doc: Beans on clay.", "doc: %Beans")]),
            slip("missing blank after a colon, lines before", &[("    max_steps: 250", "    max_steps:250\n")]),
            slip("sign of equality", &[("    max_steps: 250", "    max_steps = 250\n")]),
            slip("no-break space after a colon", &[("    max_steps: 250", "    max_steps:\u{a0}250\n")]),
            slip("blank before a unit", &[("{length#nb: 2, ", "{length #nb: 2, ")]),
            slip("brace that is opened twice", &[("{latitude#°", "{{latitude#°")]),
            slip("huge whole number", &[("max_steps: 250", "max_steps: 99999999999999999999250")]),
            slip("range in braces", &[("day#int365: [110, 120]", "day#int365: (100, 130)")]),
            slip("key twice", &[("    max_steps: 250", "    max_steps: 250\n    max_steps: 300")]),
            slip("key of the game twice", &[("presets:\n", "name: other\n\npresets:\n")]),
            slip("YAML tag", &[("- Plant: bean", "- !Plant bean")]),
            slip("two documents", &[("\nfarmers:\n", "\n---\nfarmers:\n")]),
            slip("alias without an anchor", &[("- Plant: bean", "- Plant: *bean")]),
            file("empty file", "no bytes", ""),
            file("only comments", "", "# A game, one day.\n"),
            file("bytes that are no text", "PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
            file("zero byte", "NUL in the name", BASE.replace("garden", "gar\0den")),
            file("text in Latin-1", "° as one byte", BASE.chars().map(|c| c as u8).collect::<Vec<_>>()),
            file("UTF-8 with a byte order mark (must load)", "the base", format!("\u{feff}{BASE}")),
            file("lines that end as on Windows (must load)", "the base", BASE.replace('\n', "\r\n")),
            file("no line break at the end (must load)", "the base", BASE.trim_end()),
        ],
    );
}

#[test]
fn what_is_said_about_too_much() {
    let mut laughs = String::from("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
    for i in 1..12 {
        laughs += &format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 9].join(", "));
    }
    let slips = vec![
        file("100,000 brackets", "100,000 times `[`", "[".repeat(100_000)),
        file("100,000 mappings", "100,000 times `{a: `", "{a: ".repeat(100_000)),
        file("100,000 entries of entries", "100,000 times `- `", "- ".repeat(100_000)),
        file("alias bomb", "12 lists, each of nine times the one before", laughs),
        file("list in itself", "", "a: &a [1, *a]\n"),
    ];
    let ((), took) = processor_time(|| check("too_much", slips));
    assert!(took < Duration::from_secs(20), "{took:?} of processor time");
}

/// A sparse file: the system says 100 MB, and the disk holds nothing.
#[test]
fn a_file_of_100_mb_is_refused_at_once() {
    let folder = folder();
    let path = folder.join("game.yaml");
    std::fs::File::create(&path).and_then(|file| file.set_len(100 * 1024 * 1024)).expect("a sparse file");
    let (problems, took) = processor_time(|| said(&path.display().to_string(), &Options::default()));
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(problems.0.len(), 1, "{problems}");
    assert_eq!(problems.0[0].message, "the file is larger than 8 MB, the limit for a game");
    assert!(problems.0[0].help.is_some() && problems.0[0].location.is_some(), "{problems}");
    assert!(took < Duration::from_secs(2), "{took:?} of processor time");
}
