//! Writes the page about the Python package: signatures and docstrings of its public names, read from its sources without Python.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::super::markdown::Page;

const PACKAGE: &str = "farm-python/python/farm_gym";

/// The modules whose functions and classes follow those of the package itself.
const MODULES: [&str; 4] = ["wrappers", "testing", "text", "spaces"];

/// A class or a function.
#[derive(Debug, PartialEq)]
struct Definition {
    name: String,
    /// The signature in the source, on one line.
    signature: String,
    doc: String,
    /// The public methods of a class, each with the first paragraph of its docstring.
    methods: Vec<(String, String)>,
}

/// Writes the page; none for a repository without the package.
///
/// # Errors
/// A source can't be read.
pub(super) fn page(root: &Path) -> Result<Option<Page>> {
    let folder = root.join(PACKAGE);
    if !folder.is_dir() {
        return Ok(None);
    }
    let sources = sources(&folder)?;
    let start = read(&folder.join("__init__.py"))?;
    let mut page = Page::new("Python");
    page.paragraph(
        "The public names of `farm_gym`, with their docstrings, as in `help(farm_gym)`. [Rust](rust.md) leads to the pages of the \
         crates.",
    );
    page.paragraph(&prose(&docstring(&start, 0).unwrap_or_default()));
    for name in exported(&start) {
        if let Some(found) = sources.iter().find_map(|(_, text)| definition(text, &name)) {
            write(&mut page, &format!("farm_gym.{name}"), &found);
        }
    }
    for module in MODULES {
        let of_module = sources
            .iter()
            .filter(|(path, _)| path == &format!("{module}.py") || path.starts_with(&format!("{module}/")));
        let of_module: Vec<&(String, String)> = of_module.collect();
        let names = of_module
            .iter()
            .find(|(path, _)| path.ends_with("__init__.py") || !path.contains('/'))
            .map(|(_, text)| exported(text));
        for name in names.unwrap_or_default() {
            if let Some(found) = of_module.iter().find_map(|(_, text)| definition(text, &name)) {
                write(&mut page, &format!("farm_gym.{module}.{name}"), &found);
            }
        }
    }
    Ok(Some(page))
}

fn write(page: &mut Page, name: &str, definition: &Definition) {
    page.heading(&format!("`{name}`"));
    page.block("python", &definition.signature);
    page.paragraph(&prose(&definition.doc));
    let rows: Vec<Vec<String>> = definition
        .methods
        .iter()
        .map(|(name, says)| vec![format!("`{name}`"), inline(says).replace('|', "\\|")])
        .collect();
    page.table("", &["method", "what it does"], &rows);
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))
}

/// The modules in order, each with its path inside the package.
fn sources(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in super::super::pages::files_below(folder, ".")? {
        let path = path.trim_start_matches("./").to_owned();
        if path.ends_with(".py") {
            let text = read(&folder.join(&path))?;
            found.push((path, text));
        }
    }
    Ok(found)
}

/// The names in `__all__`.
fn exported(source: &str) -> Vec<String> {
    let Some(list) = source.split("__all__ = [").nth(1).and_then(|rest| rest.split(']').next()) else {
        return Vec::new();
    };
    let names = list.split(',').map(|name| name.trim().trim_matches('"').to_owned());
    names.filter(|name| !name.is_empty() && !name.starts_with('_')).collect()
}

/// A class or function in a module; none if it is defined elsewhere.
fn definition(source: &str, name: &str) -> Option<Definition> {
    let lines: Vec<&str> = source.lines().collect();
    let is_it = |line: &&str| {
        let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("def "));
        rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with(['(', ':']))
    };
    let at = lines.iter().position(is_it)?;
    let (signature, after) = signature(&lines, at);
    let doc = docstring(&lines[after..].join("\n"), 0).unwrap_or_default();
    let mut methods = Vec::new();
    if lines[at].starts_with("class ") {
        let end = lines[after..]
            .iter()
            .position(|line| !line.is_empty() && !line.starts_with([' ', '#', ')']))
            .map_or(lines.len(), |n| after + n);
        for i in after..end {
            let Some(rest) = lines[i].strip_prefix("    def ") else { continue };
            let method = rest.split('(').next().unwrap_or_default();
            if method.starts_with('_') {
                continue;
            }
            let body = self::signature(&lines, i).1;
            let says = docstring(&lines[body..end].join("\n"), 0).unwrap_or_default();
            let first: Vec<&str> = says.split("\n\n").next().unwrap_or_default().lines().map(str::trim).collect();
            methods.push((method.to_owned(), first.join(" ")));
        }
    }
    Some(Definition { name: name.to_owned(), signature, doc, methods })
}

/// A signature on one line, and the index of the line after it.
fn signature(lines: &[&str], at: usize) -> (String, usize) {
    let (mut text, mut depth) = (String::new(), 0_i32);
    for (i, line) in lines.iter().enumerate().skip(at) {
        // Remarks are for tools.
        let line = line.split("  #").next().unwrap_or(line).trim();
        depth += line.matches(['(', '[', '{']).count() as i32 - line.matches([')', ']', '}']).count() as i32;
        if !text.is_empty() && !text.ends_with(['(', '[']) && !line.starts_with([')', ']']) {
            text.push(' ');
        }
        text += line;
        if depth <= 0 && line.ends_with(':') {
            return (text.trim_end_matches(':').replace(",)", ")"), i + 1);
        }
    }
    (text, lines.len())
}

/// The docstring at the start of `text`, without its indentation; none if `text` does not start with a docstring.
fn docstring(text: &str, from: usize) -> Option<String> {
    let rest = text.get(from..)?.trim_start().strip_prefix("\"\"\"")?;
    let inner = &rest[..rest.find("\"\"\"")?];
    let indent = inner
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = inner.lines().take(1).map(str::trim).collect();
    lines.extend(inner.lines().skip(1).map(|line| line.get(indent..).unwrap_or("").trim_end()));
    Some(lines.join("\n").trim().to_owned())
}

/// A docstring as Markdown, with reStructuredText examples and tables as blocks, and argument sections as lists.
fn prose(doc: &str) -> String {
    let mut out = String::new();
    let mut lines = doc.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with(">>>") || line.starts_with("===") {
            let is_table = line.starts_with("===");
            let mut block = String::from(line);
            while let Some(next) = lines.next_if(|next| is_table || !next.is_empty()) {
                block += &format!("\n{next}");
                // The third rule ends a table.
                if is_table
                    && next.starts_with("===")
                    && block.lines().filter(|line| line.starts_with("===")).count() >= 2
                    && lines.peek().is_none_or(|next| next.is_empty())
                {
                    break;
                }
            }
            out += &format!("\n```{}\n{block}\n```\n", if is_table { "text" } else { "python" });
            continue;
        }
        match line {
            "Args:" | "Returns:" | "Raises:" | "Yields:" => {
                let title = if line == "Args:" { "Arguments" } else { line.trim_end_matches(':') };
                out += &format!("\n**{title}**\n\n");
                let mut items: Vec<String> = Vec::new();
                while let Some(next) = lines.next_if(|next| next.is_empty() || next.starts_with(' ')) {
                    let is_item = next.starts_with("    ") && !next.starts_with("     ");
                    match items.last_mut() {
                        Some(item) if !is_item || line == "Returns:" => *item += &format!(" {}", next.trim()),
                        _ if next.trim().is_empty() => {}
                        _ => items.push(match next.trim().split_once(": ").filter(|_| line != "Returns:") {
                            Some((name, says)) => format!("`{name}`: {says}"),
                            None => next.trim().to_owned(),
                        }),
                    }
                }
                out += &items.iter().map(|item| format!("* {}\n", inline(item))).collect::<String>();
            }
            _ => out += &format!("{}\n", inline(line)),
        }
    }
    out
}

/// Converts reStructuredText markup within a line to Markdown.
fn inline(line: &str) -> String {
    let mut text = line.replace("``", "`");
    for role in [":func:", ":class:", ":meth:", ":mod:", ":attr:"] {
        text = text.replace(role, "");
    }
    text.replace("`~", "`").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
\"\"\"A module.\"\"\"

__all__ = [
    \"Thing\",
    \"make\",
    \"__version__\",
]


def make(
    name: str,
    *,
    size: int = 1,  # noqa
) -> Thing:
    \"\"\"Makes a :class:`Thing` of ``name``.

    >>> make(\"a\")
    Thing

    Args:
        name: What it is
            called.
        size: How large.

    Returns:
        The thing.
    \"\"\"


class Thing(Base):
    \"\"\"A thing.\"\"\"

    def grow(self, by: int) -> None:
        \"\"\"Makes it larger.

        More.
        \"\"\"

    def _hidden(self) -> None:
        \"\"\"Not shown.\"\"\"


def other() -> None:
    pass
";

    #[test]
    fn definitions_are_read_with_their_docstrings() {
        assert_eq!(exported(SOURCE), ["Thing", "make"]);
        let make = definition(SOURCE, "make").unwrap();
        assert_eq!(make.signature, "def make(name: str, *, size: int = 1) -> Thing");
        let text = prose(&make.doc);
        for words in [
            "Makes a `Thing` of `name`.",
            "```python\n>>> make",
            "* `name`: What it is called.",
            "**Returns**\n\n* The thing.",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        let thing = definition(SOURCE, "Thing").unwrap();
        assert_eq!(thing.methods, [("grow".to_owned(), "Makes it larger.".to_owned())]);
        assert_eq!(definition(SOURCE, "none"), None);
    }

    #[test]
    fn the_page_has_every_function_of_the_package() {
        let text = page(&crate::root()).unwrap().unwrap().into_text();
        for name in ["make", "make_vec", "games", "FarmEnv", "generate_report", "plan"] {
            assert!(text.contains(&format!("## `farm_gym.{name}`")), "{name}");
        }
        assert!(text.contains("`render`") && text.contains("**Arguments**"));
        assert!(!text.contains(":func:"));
    }
}
