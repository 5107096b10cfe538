//! The game's main file, with references to the files for its rule and score.

use farm_core::config::{Document, Text};
use farm_core::serde_yaml::{Mapping, Value};

use crate::text::{Sheet, flow, scalar};

/// The keys that move into separate files.
pub(crate) const MOVED: [&str; 4] = ["rules", "init", "actions", "score"];
/// The maximum number of characters in a value on one line.
const MAX_ON_ONE_LINE: usize = 116;

/// The lines that name the files.
pub(crate) fn references(files: [&str; 3]) -> String {
    let [init, actions, score] = files.map(scalar);
    format!("init: {init}\nactions: {actions}\nscore: {score}\n")
}

/// A game's text with references in place of its rule and score. Other lines, including comments, stay unchanged. `None` if line-by-line
/// editing is not possible.
pub(crate) fn edited(text: &str, files: [&str; 3]) -> Option<String> {
    let references = references(files);
    let mut kept = String::new();
    let mut placed = false;
    let mut skipping = false;
    for line in text.lines() {
        if let Some(key) = root_key(line) {
            skipping = MOVED.contains(&key);
            if skipping && !placed {
                kept.push_str(&references);
                placed = true;
            }
        } else if skipping && (line.trim().is_empty() || line.starts_with('#')) {
            // Lines above the next key belong to that key.
            if line.starts_with('#') {
                skipping = false;
            } else if !kept.ends_with("\n\n") {
                kept.push('\n');
            }
        }
        // This schema describes a game in one file, and has its own path.
        if !skipping && !line.starts_with("# yaml-language-server:") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let mut kept = kept.trim_end().to_owned() + "\n";
    if !placed {
        kept.push('\n');
        kept.push_str(&references);
    }
    (without_moved(&parsed(text)?) == without_moved(&parsed(&kept)?)).then_some(kept)
}

fn parsed(text: &str) -> Option<Value> {
    Text::new("", text).parse().ok()
}

/// The key at the start of a line. `None` for indented lines, comments, and list items.
fn root_key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let is_key = key.starts_with(char::is_alphabetic) && !key.contains([' ', '#', '{', '[', '"', '\'']);
    (is_key && (rest.is_empty() || rest.starts_with(' '))).then_some(key)
}

fn without_moved(value: &Value) -> Value {
    let mut value = value.clone();
    if let Value::Mapping(entries) = &mut value {
        for key in MOVED {
            entries.remove(key);
        }
    }
    value
}

/// The merged game's text, without comments.
pub(crate) fn written(document: &Document, files: [&str; 3], without_presets: bool) -> String {
    let mut sheet = Sheet::default();
    let mut entries: Mapping = without_moved(document.value()).as_mapping().cloned().unwrap_or_default();
    if without_presets {
        entries.remove("presets");
    }
    for (i, (key, value)) in entries.iter().enumerate() {
        if value.is_mapping() || value.is_sequence() || i > 0 && i + 1 == entries.len() {
            sheet.blank();
        }
        block(&mut sheet, 0, &format!("{}:", flow(key)), value);
    }
    sheet.blank();
    for reference in references(files).lines() {
        sheet.entry(0, true, reference, "");
    }
    sheet.finish()
}

fn block(sheet: &mut Sheet, indent: usize, head: &str, value: &Value) {
    let on_one_line = flow(value);
    let is_short = indent + head.len() + on_one_line.chars().count() <= MAX_ON_ONE_LINE;
    // The keys of a list item follow its dash.
    let below = indent + if head.starts_with("- ") || head.starts_with("  ") { 4 } else { 2 };
    match value {
        // `- Kind: set` reads better than `- {Kind: set}`.
        Value::Mapping(entries)
            if !entries.is_empty() && (indent == 0 || !is_short || head == "-" && entries.len() == 1) =>
        {
            if head == "-" {
                // A list item starts on the line of its dash.
                for (i, (key, value)) in entries.iter().enumerate() {
                    let head = format!("{}{}:", if i == 0 { "- " } else { "  " }, flow(key));
                    block(sheet, indent, &head, value);
                }
                return;
            }
            sheet.entry(indent, true, head, "");
            for (key, value) in entries {
                block(sheet, below, &format!("{}:", flow(key)), value);
            }
        }
        Value::Sequence(items) if !items.is_empty() && (indent == 0 || !is_short) => {
            sheet.entry(indent, true, head, "");
            items.iter().for_each(|item| block(sheet, below, "-", item));
        }
        // A map of rows is readable only as rows.
        Value::String(text) if is_rows(text) => {
            sheet.entry(indent, true, &format!("{head} |"), "");
            text.lines().for_each(|row| sheet.entry(below, true, row, ""));
        }
        Value::Null => sheet.entry(indent, true, head, ""),
        _ => sheet.entry(indent, true, &format!("{head} {on_one_line}"), ""),
    }
}

/// Whether text consists of rows that a YAML literal block leaves unchanged.
fn is_rows(text: &str) -> bool {
    let plain =
        |row: &str| !row.is_empty() && !row.starts_with(' ') && !row.ends_with(' ') && !row.contains(char::is_control);
    text.ends_with('\n') && text.lines().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 3] = ["g_init.yaml", "g_actions.yaml", "g_score.yaml"];

    #[test]
    fn a_game_keeps_its_own_lines() {
        let text = "# a game\nname: g\n\nrules:\n  BasicRule:\n    x: 1\n\n# why\nscore: S\n\nfarmers: # who\n- F\n";
        let wanted = "# a game\nname: g\n\ninit: g_init.yaml\nactions: g_actions.yaml\nscore: g_score.yaml\n\n# why\n\nfarmers: # who\n- F\n";
        assert_eq!(edited(text, FILES).unwrap(), wanted);
        let added = edited("name: g\n", FILES).unwrap();
        assert_eq!(added, "name: g\n\ninit: g_init.yaml\nactions: g_actions.yaml\nscore: g_score.yaml\n");
        // What is not written line by line can't be edited so.
        assert_eq!(edited("{name: g, rules: R}\n", FILES), None);
    }

    #[test]
    fn a_game_that_is_written_anew_says_the_same() {
        let text = "name: 'off'\ndoc: \"a: b\"\nfields:\n  Field-0:\n    entities:\n      - Map: {plan: \"ab\\ncd\\n\", list: [x]}\n      - Sky\n      - {Long: {a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}}\nfarmers: [F]\n";
        let document = Document::parse("g.yaml", text).unwrap();
        let again = parsed(&written(&document, FILES, false)).unwrap();
        assert_eq!(without_moved(&again), *document.value());
    }
}
