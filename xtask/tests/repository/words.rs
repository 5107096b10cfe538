//! Texts that users read are plain English, without listed words, long sentences or long table cells. The list only finds the symptom. The
//! cure is to rewrite the sentence: subject, verb, object, one idea.

use std::path::Path;

use super::project::{files, read};

/// Words and word sequences that no text may contain; `|` separates alternatives.
const LIST: &str = "nobody,whoever,somebody,anew,is|are told|said,so many,stand|stands in|there|for|beside,thereby,of it is,way out,likewise,\
                    as ever,if nothing is said,says so|which|what|where,each as likely,drawn evenly,goes on,hardly";
/// Maximum number of words in a sentence, and in a cell.
const SENTENCE: usize = 30;
const CELL: usize = 20;

/// The name endings of files that contain texts, in addition to Rust and Python files.
const ENDINGS: [&str; 7] = ["md", "yaml", "toml", "ipynb", "js", "html", "css"];
/// Folders without our texts, or with texts generated from texts that are checked.
const ELSEWHERE: [&str; 5] = ["results/", "schemas/", "licenses/", "farm-serve/editor/dist", "farm-plot/fonts/"];

/// The listed words that a line contains.
fn hits(line: &str) -> Vec<&'static str> {
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'' && c != '-')
        .filter(|w| !w.is_empty())
        .collect();
    let is_at = |from: usize, phrase: &str| {
        phrase.split(' ').enumerate().all(|(i, options)| {
            words.get(from + i).is_some_and(|word| options.split('|').any(|option| option == *word))
        })
    };
    LIST.split(',').map(str::trim).filter(|phrase| (0..words.len()).any(|from| is_at(from, phrase))).collect()
}

/// The lines of a Rust file that users can read: documentation and string literals, up to its unit tests.
fn texts_of_rust(text: &str) -> Vec<(usize, &str)> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let is_comment = |line: &str| line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!");
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    lines
        .filter(|(_, line)| !is_comment(line))
        .filter(|(_, line)| line.starts_with("//") || line.contains('"'))
        .collect()
}

/// The lines of a Python file that users can read: docstrings, string literals and comments.
fn texts_of_python(text: &str) -> Vec<(usize, &str)> {
    let mut is_docstring = false;
    let mut is_text = move |line: &str| {
        let was_docstring = is_docstring;
        is_docstring ^= line.matches("\"\"\"").count() % 2 == 1;
        was_docstring || line.contains(['"', '\'', '#'])
    };
    all_lines(text).into_iter().filter(|(_, line)| is_text(line)).collect()
}

fn all_lines(text: &str) -> Vec<(usize, &str)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line)).collect()
}

#[test]
fn no_text_has_a_word_of_the_list() {
    let mut found = Vec::new();
    for path in files() {
        let ending = Path::new(&path).extension().unwrap_or_default().to_string_lossy().into_owned();
        let is_test = path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/benches/");
        if is_test || ELSEWHERE.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let lines = match ending.as_str() {
            "rs" => texts_of_rust,
            "py" => texts_of_python,
            ending if ENDINGS.contains(&ending) => all_lines,
            _ => continue,
        };
        let text = read(&path);
        for (n, line) in lines(&text) {
            found.extend(hits(line).into_iter().map(|word| format!("{path}:{n}: {word}")));
        }
    }
    assert!(found.is_empty(), "write these sentences again:\n{}", found.join("\n"));
}

#[test]
fn sentences_and_cells_of_pages_are_short() {
    let mut found = Vec::new();
    // The equation sheet has formulas and lists of states, which have no full stops.
    let pages = files()
        .into_iter()
        .filter(|path| path.ends_with(".md") && !path.starts_with("licenses/") && !path.ends_with("equation-sheet.md"));
    for path in pages {
        let page = written_by_hand(&read(&path));
        let (mut is_block, mut paragraph) = (false, String::new());
        for (i, line) in page.lines().chain([""]).enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            let is_row = line.starts_with('|');
            let begins = is_fence || is_row || line.trim().is_empty() || line.starts_with('#') || is_item(line);
            if begins {
                let long =
                    sentences(&paragraph).into_iter().filter(|sentence| sentence.split_whitespace().count() > SENTENCE);
                found.extend(long.map(|sentence| format!("{path}:{i}: {sentence}")));
                paragraph.clear();
            }
            is_block ^= is_fence;
            if is_row && !is_block {
                let long =
                    line.trim_matches('|').split('|').map(plain).filter(|cell| cell.split_whitespace().count() > CELL);
                found.extend(long.map(|cell| format!("{path}:{}: {cell}", i + 1)));
            } else if !is_block && !is_fence {
                paragraph = paragraph + " " + line.trim();
            }
        }
    }
    assert!(found.is_empty(), "shorten these:\n{}", found.join("\n"));
}

/// A page without the parts that programs write, because the cells in these parts are lists of numbers.
fn written_by_hand(page: &str) -> String {
    const FROM: &str = "writes what follows. -->";
    const TO: &str = "<!-- Up to here. -->";
    let mut parts = page.split(FROM);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(TO).map_or(part, |(_, rest)| rest))
}

/// Whether a line begins a list item.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || line.starts_with("* ") || (number.len() < line.len() && number.starts_with(". "))
}

/// Text with one word for each piece of code, and without link targets.
fn plain(text: &str) -> String {
    let code: Vec<&str> = text.split('`').collect();
    let text: String = code.iter().enumerate().map(|(i, piece)| if i % 2 == 1 { "x" } else { *piece }).collect();
    let mut pieces = text.split("](");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + "]" + piece.split_once(')').map_or("", |(_, rest)| rest))
}

/// The sentences in a paragraph, which is also split at colons and semicolons.
fn sentences(paragraph: &str) -> Vec<String> {
    let text = plain(paragraph);
    let mut sentences = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(last) = sentences.last_mut() {
            *last = format!("{last} {word}").trim().to_owned();
        }
        if word.ends_with(['.', '!', '?', ':', ';']) {
            sentences.push(String::new());
        }
    }
    sentences
}

#[test]
fn every_translated_text_is_a_text_of_the_program() {
    let table: serde_yaml::Value = serde_yaml::from_str(&read("farm-games/labels/fr.yaml")).unwrap();
    let folders = [
        "farm-cli/src/play/",
        "farm-render/src/",
        "farm-report/src/",
        "farm-core/src/labels.rs",
        "farm-entities/src/",
        "farm-games/src/",
    ];
    let sources: String = files()
        .iter()
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .map(|path| read(path))
        .collect();
    let words = table["words"].as_mapping().unwrap().keys().map(|key| key.as_str().unwrap());
    let missing: Vec<&str> = words.filter(|text| !sources.contains(&format!("\"{text}\""))).collect();
    assert!(missing.is_empty(), "no program has these texts, which fr.yaml translates: {missing:#?}");
}

#[test]
fn the_list_is_found_and_nothing_else() {
    for (line, expected) in [
        ("Nobody is told.", &["nobody", "is|are told|said"][..]),
        ("who stands  in the field", &["stand|stands in|there|for|beside"]),
        ("It says so; it goes on.", &["says so|which|what|where", "goes on"]),
        ("as everybody said so much", &[]),
        ("`goes_on` is a name", &[]),
    ] {
        assert_eq!(hits(line), expected, "{line}");
    }
    let rust = "//! nobody\n// nobody\n/// anew\nlet x = \"hardly\"; // so\nlet nobody = 1;\n#[cfg(test)]\nmod tests {\n \"anew\"";
    let lines: Vec<usize> = texts_of_rust(rust).into_iter().map(|(n, _)| n).collect();
    assert_eq!(lines, [1, 3, 4]);
    let python = "\"\"\"One\nnobody\n\"\"\"\nfor order, stand in a:\n    b = 'anew'\n";
    let lines: Vec<usize> = texts_of_python(python).into_iter().map(|(n, _)| n).collect();
    assert_eq!(lines, [1, 2, 3, 5]);
    assert_eq!(sentences("One [two](a b c d). Three `a b`: four"), ["One [two].", "Three x:", "four"]);
    assert!(is_item("- a") && is_item(" 12. a") && !is_item("1.5 a") && !is_item("-a"));
}
