//! Texts before parsing. They are read from files, and rejected if they are too large, are nested too deeply or contain an alias bomb.
//!
//! Two parsers read each text, one for the values and one for their locations. Both recurse, and both expand aliases. Before they run,
//! another pass over the text's events checks the limits for both. That pass does not recurse.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::Arc;

use saphyr::{MarkedYaml, Scalar, YamlData, YamlLoader};
use saphyr_parser::{Event, Parser, Span};
use serde_yaml::Value;

use super::complaint::{Complaint, Subject};
use super::repeated::last_wins;
use super::slips;
use crate::config::access::{FoundFile, ReadError, nearest_file, read_regular, read_up_to};
use crate::config::errors::{FileError, YamlError};
use crate::config::excerpt::Excerpt;
use crate::config::phrase::Tool;
use crate::config::problem::{Location, Path, Problem, Problems, Segment};

/// The prefix for all messages about parser errors.
const NOT_YAML: &str = "this is not valid YAML: ";
/// The maximum size of a file.
pub const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;
/// The maximum nesting depth of mappings and lists. The value parser stops at 128.
pub const MAX_DEPTH: usize = 100;
/// The maximum number of values to which all aliases in a text may expand. A long string counts as several values.
pub const MAX_ALIASED_VALUES: usize = 100_000;
/// The number of bytes in a string that count as one value.
const BYTES_OF_A_VALUE: usize = 64;

/// A text, and the name that messages use for it.
#[derive(Debug, Clone)]
pub struct Text {
    /// The name of the source, usually a file.
    pub(crate) source: String,
    text: Arc<str>,
    /// Whether the text is outside the game's folder. If so, no message shows its values.
    pub(super) is_outside: bool,
}

/// The location of a value: the text within a document, and the path within that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPath {
    /// The index of the text.
    pub text: usize,
    /// The path within the text.
    pub path: Path,
}

impl Text {
    /// Creates a text. Messages refer to it as `source`.
    pub fn new(source: &str, text: &str) -> Self {
        Self { source: source.to_owned(), text: text.into(), is_outside: false }
    }

    /// Reads the text of a file that a game refers to.
    ///
    /// # Errors
    /// A problem without a location: the file does not exist, is not a regular file, is too large, or is not text.
    pub fn of_file(file: &FoundFile) -> Result<Self, Box<Problem>> {
        let source = file.path.display().to_string();
        let bytes = read_regular(&file.path, MAX_FILE_BYTES).map_err(|error| unreadable(&file.path, error));
        let text = bytes.and_then(|bytes| decode(bytes, &source));
        let text = text.map_err(|problem| {
            let problem = if file.is_outside { Problem { value: None, ..*problem } } else { *problem };
            Box::new(with_file(problem, &source))
        })?;
        Ok(Self { is_outside: file.is_outside, ..Self::new(&source, &text) })
    }

    /// The contents.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Parses the text.
    ///
    /// # Errors
    /// A located problem: the text is not YAML, has a duplicate key, or exceeds the limits.
    pub fn parse(&self) -> Result<Value, Problems> {
        let located = |mut problem: Problem, position: Option<(usize, usize)>| {
            let place = position.map(|start| Place { start, end: None });
            problem.location = Some(self.location(place, problem.value.as_deref()));
            problem.value = problem.value.filter(|_| !self.is_outside);
            Problems(vec![problem])
        };
        // Reports the likely cause of a parser error, if it is known. Limits are reported unchanged. The contents of a file outside the
        // game's folder must not be shown, so the likely cause of its errors is not shown either.
        let said = |problem: Problem, position: Option<(usize, usize)>, complaint: &Complaint| {
            let meant = slips::meant(&self.text, complaint, position).filter(|_| !self.is_outside);
            let Some((mut meant, at)) = meant else { return located(problem, position) };
            meant.message = format!("{NOT_YAML}{}", meant.message);
            located(meant, Some(at))
        };
        check_limits(&self.text).map_err(|((problem, position), complaint)| said(*problem, position, &complaint))?;
        let value = serde_yaml::from_str(&self.text).map_err(|error| {
            let position = error.location().map(|at| (at.line(), at.column()));
            let complaint = Complaint::of_serde(&error);
            said(not_yaml(&complaint), position, &complaint)
        })?;
        if let Some(tag) = first_tag(&value) {
            let message = format!("YAML tags such as `{tag}` have no meaning here");
            let problem = Problem::new(YamlError::YamlTag, Path::default(), message)
                .value(&tag)
                .help("remove the tag; write a part as a key, `KIND: parameter set`");
            // `!=` has no letters, unlike a tag.
            let sign = Some(tag.as_str()).filter(|tag| !tag.contains(char::is_alphanumeric));
            let problem = sign.and_then(slips::must_be_quoted).unwrap_or(problem);
            let before = self.text.split(tag.as_str()).next().unwrap_or_default();
            let column = before.rsplit('\n').next().map_or(1, |line| line.chars().count() + 1);
            return Err(located(problem, Some((before.matches('\n').count() + 1, column))));
        }
        if let Some(mut problem) = slips::divided_range(&value, &Path::default()) {
            problem.expected = problem.expected.filter(|_| !self.is_outside);
            let (place, _) = place(self.marks().as_ref(), &problem.path, false);
            return Err(located(problem, place.map(|place| place.start)));
        }
        Ok(value)
    }

    /// Parses the text. If a key is duplicated, the last value counts, as in parsers in some other languages. The paths of the duplicate
    /// keys are also returned.
    ///
    /// # Errors
    /// The same errors as [`Text::parse`].
    pub fn parse_repeated(&self) -> Result<(Value, Vec<Path>), Problems> {
        match self.parse() {
            Ok(value) => Ok((value, Vec::new())),
            Err(problems) if problems.0.iter().any(|problem| problem.is(YamlError::DuplicateKey)) => {
                last_wins(&self.text).ok_or(problems)
            }
            Err(problems) => Err(problems),
        }
    }

    /// A location in this text, with the line's text. For a file outside the game's folder, the line's text is left out. If the location
    /// has no end, the excerpt looks for `value` there.
    pub(super) fn location(&self, place: Option<Place>, value: Option<&str>) -> Location {
        let position = place.map(|place| self.inside(place.start));
        let excerpt = position.zip(place).filter(|_| !self.is_outside).and_then(|(position, place)| {
            let end = place.end.filter(|_| position == place.start);
            Excerpt::new(&self.text, position, end, value.unwrap_or_default())
        });
        Location::new(self.source.clone(), position).with_excerpt(excerpt)
    }

    /// The location itself, or the end of the last non-empty line if the location is after it. Parsers notice a missing character only
    /// after the end of a text.
    fn inside(&self, (line, column): (usize, usize)) -> (usize, usize) {
        let lines = self.text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
        let (mut last, mut found) = ((1, 1), None);
        for (i, text) in lines.enumerate() {
            let length = text.chars().count();
            if i + 1 == line {
                found = Some((line, column.clamp(1, length + 1)));
            }
            if !text.trim().is_empty() {
                last = (i + 1, text.trim_end().chars().count() + 1);
            }
        }
        found.map_or(last, |found| found.min(last))
    }

    /// The locations of all values. Each call parses the text again.
    pub(super) fn marks(&self) -> Option<MarkedYaml<'_>> {
        let mut loader = YamlLoader::<MarkedYaml<'_>>::default();
        loader.allow_duplicate_keys(true);
        Parser::new_from_str(&self.text).load(&mut loader, true).ok()?;
        loader.into_documents().into_iter().next()
    }
}

/// Parses a single value, as on a command line.
///
/// # Errors
/// The error, phrased to follow "it is not YAML: ".
pub fn parse_value(text: &str) -> Result<Value, String> {
    let words = |problem: Problem| problem.message.trim_start_matches(NOT_YAML).to_owned();
    Text::new("", text).parse().map_err(|problems| problems.0.into_iter().map(words).collect())
}

/// Reads a file that the user named: a game, a level or a policy. The file may also be a pipe.
///
/// # Errors
/// A problem without a location: the file does not exist, is a folder, is too large, or is not text.
pub fn read_text(path: &FilePath) -> Result<String, Box<Problem>> {
    let bytes = if path.is_dir() { Err(ReadError::Folder) } else { read_up_to(path, MAX_FILE_BYTES) };
    let bytes = bytes.map_err(|error| unreadable(path, error));
    let text = bytes.and_then(|bytes| decode(bytes, &path.display().to_string()));
    text.map_err(|problem| Box::new(with_file(*problem, &path.display().to_string())))
}

/// Adds the file's name to a problem that shows no value.
fn with_file(problem: Problem, source: &str) -> Problem {
    if problem.value.is_some() { problem } else { problem.value(source) }
}

/// Why a file cannot be read, and how to fix it.
fn unreadable(path: &FilePath, error: ReadError) -> Box<Problem> {
    let code = match &error {
        ReadError::Missing => FileError::FileNotFound,
        ReadError::Folder => FileError::FolderNotFile,
        ReadError::NotRegular => FileError::FileUnreadable,
        ReadError::TooLarge { .. } => FileError::FileTooLarge,
        ReadError::System(_) => FileError::FileUnreadable,
    };
    let problem = match &error {
        ReadError::TooLarge { limit } => {
            let message = format!("the file is larger than {} MB, the limit for a game", limit / (1024 * 1024));
            Problem::new(code, Path::default(), message)
        }
        _ => Problem::new(code, Path::default(), format!("the file can't be read: {error}")),
    };
    Box::new(match error {
        ReadError::Missing => no_such_file(path, problem),
        ReadError::Folder => problem.help("give the path of a YAML file in it"),
        ReadError::NotRegular => problem.expected("a regular file").help("copy its contents into a file"),
        ReadError::TooLarge { .. } => problem.help("check that this is a game file; weather tables are separate files"),
        ReadError::System(_) => problem.help("check the path and the permissions"),
    })
}

/// The problem to report for a missing file, including a neighbouring file that the user may have meant.
fn no_such_file(path: &FilePath, problem: Problem) -> Problem {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(FilePath::new("."));
    if !folder.is_dir() {
        let problem = Problem { code: FileError::FolderNotFound.into(), ..problem };
        return problem.expected("a folder").help(format!("there is no folder `{}` either", folder.display()));
    }
    Problem { nearest: nearest_file(path), ..problem.help("check the path") }
}

fn decode(bytes: Vec<u8>, source: &str) -> Result<String, Box<Problem>> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        // As in YAML, a single carriage return also ends a line.
        let before = before.replace("\r\n", "\n").replace('\r', "\n");
        let line = before.matches('\n').count() + 1;
        let last = before.rsplit('\n').next().unwrap_or_default();
        let location = Location::new(source, Some((line, last.chars().count() + 1)));
        let message = format!("the file is not text in UTF-8: line {line} has an invalid byte");
        let byte = error.as_bytes().get(error.utf8_error().valid_up_to()).copied().unwrap_or_default();
        // From 160 on, a byte in Latin-1 is the character with the same number.
        let latin = if byte >= 160 { format!(", which is `{}` in Latin-1", char::from(byte)) } else { String::new() };
        let problem =
            Problem::new(FileError::NotUtf8, Path::default(), message).value(format!("the byte 0x{byte:02X}{latin}"));
        let problem = problem.expected("text in UTF-8");
        let help = "save it as UTF-8, in which the character ° has two bytes; images and spreadsheets are not games";
        Box::new(Problem { location: Some(location), ..problem.help(help) })
    })?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if let Some(at) = text.find('\0') {
        let before = &text[..at];
        let (line, last) = (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or_default());
        let location = Location::new(source, Some((line, last.chars().count() + 1)));
        let problem = Problem::new(FileError::NotUtf8, Path::default(), "the file has a NUL byte, so it is not text")
            .value("the byte 0x00");
        let help = "remove the byte; if there is one next to each letter, the file is in UTF-16: save it as UTF-8";
        return Err(Box::new(Problem { location: Some(location), ..problem.help(help) }));
    }
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        let help = Tool::list("games").and(" lists games to start from; ").with(Tool::GameText).and(" prints one");
        let problem = Problem::new(FileError::EmptyFile, Path::default(), "the file is empty, or has only comments");
        return Err(Box::new(problem.help(help)));
    }
    Ok(text)
}

/// The location of the value at a path, and the number of the path's segments that exist.
///
/// If the value begins on the same line as its key, this is the value's location. Otherwise, it is the key's location.
pub(super) fn place(root: Option<&MarkedYaml<'_>>, path: &Path, is_about_name: bool) -> (Option<Place>, usize) {
    let Some(mut node) = root else { return (None, 0) };
    let mut found = marker(node);
    let mut value = None;
    for (depth, segment) in path.0.iter().enumerate() {
        let next = match (&node.data, segment) {
            (YamlData::Mapping(mapping), Segment::Key(key)) => {
                mapping.iter().find(|(k, _)| is_key(k, key)).map(|(k, v)| (marker(k), v))
            }
            (YamlData::Sequence(items), Segment::Index(index)) => items.get(*index).map(|item| (marker(item), item)),
            _ => None,
        };
        let Some((place, child)) = next else {
            // A kind without parameters has no separate key.
            let is_own_name = depth + 1 == path.0.len() && matches!(segment, Segment::Key(key) if is_key(node, key));
            return if is_own_name { (Some(value.unwrap_or(found)), depth + 1) } else { (Some(found), depth) };
        };
        (found, node) = (place, child);
        let is_beside = node.span.start.line() == found.start.0 && node.span.start.index() < node.span.end.index();
        value = is_beside.then(|| marker(node));
    }
    (Some(value.filter(|_| !is_about_name).unwrap_or(found)), path.0.len())
}

/// A value's range in a text. Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) start: (usize, usize),
    pub(super) end: Option<(usize, usize)>,
}

fn marker(node: &MarkedYaml<'_>) -> Place {
    let (start, end) = (node.span.start, node.span.end);
    Place { start: (start.line(), start.col() + 1), end: Some((end.line(), end.col() + 1)) }
}

fn is_key(node: &MarkedYaml<'_>, key: &str) -> bool {
    match &node.data {
        YamlData::Value(Scalar::String(text)) => text == key,
        YamlData::Value(Scalar::Integer(number)) => number.to_string() == key,
        YamlData::Representation(text, ..) => text == key,
        _ => false,
    }
}

/// The first tag in a document, as written.
fn first_tag(value: &Value) -> Option<String> {
    match value {
        Value::Tagged(tagged) => Some(tagged.tag.to_string()),
        Value::Sequence(items) => items.iter().find_map(first_tag),
        Value::Mapping(mapping) => mapping.iter().find_map(|(key, item)| first_tag(key).or_else(|| first_tag(item))),
        _ => None,
    }
}

/// Turns a parser error into a problem.
fn not_yaml(complaint: &Complaint) -> Problem {
    if complaint.subject == Subject::TooDeep {
        return too_deep();
    }
    let (code, what, help) = complaint.meaning();
    Problem::new(code, Path::default(), format!("{NOT_YAML}{what}")).help(help)
}

/// A problem and its location, if it has one.
type Placed = (Box<Problem>, Option<(usize, usize)>);

/// The number of values to which each anchor expands; `None` while the anchor is still open.
type Anchors = BTreeMap<usize, Option<usize>>;

/// Checks the events in a text, without recursion and without storing them.
fn check_limits(text: &str) -> Result<(), (Placed, Complaint)> {
    let mut anchors = Anchors::new();
    // For each open mapping and list: its anchor, and the number of values counted before it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut names = Names::default();
    let mut documents = 0;
    let (mut values, mut aliased) = (0usize, 0usize);
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = (error.marker().line(), error.marker().col() + 1);
            let complaint = Complaint::of(error.info());
            ((Box::new(not_yaml(&complaint)), Some(at)), complaint)
        })?;
        if let Some(problem) = names.see(&event, &span) {
            return Err(refused(problem, span));
        }
        match event {
            Event::Scalar(text, _, anchor, _) => {
                let counts = 1 + text.len() / BYTES_OF_A_VALUE;
                values += counts;
                anchors.insert(anchor, Some(counts));
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                open.push((anchor, values));
                values += 1;
                anchors.insert(anchor, None);
                if open.len() > MAX_DEPTH {
                    return Err(refused(too_deep(), span));
                }
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((anchor, before)) = open.pop() {
                    anchors.insert(anchor, Some(values - before));
                }
            }
            Event::Alias(anchor) => {
                let Some(Some(stands_for)) = anchors.get(&anchor).copied() else {
                    let problem = Problem::new(
                        YamlError::AliasInItself,
                        Path::default(),
                        "this alias is inside the value that it refers to",
                    );
                    return Err(refused(problem.help("write the values out in full"), span));
                };
                values = values.saturating_add(stands_for);
                aliased = aliased.saturating_add(stands_for);
                if aliased > MAX_ALIASED_VALUES {
                    let message = format!("the aliases of this file expand to more than {MAX_ALIASED_VALUES} values");
                    return Err(refused(
                        Problem::new(YamlError::TooManyAliases, Path::default(), message)
                            .help("write the values out in full"),
                        span,
                    ));
                }
            }
            // The anchors restart with each document.
            Event::DocumentStart(_) => {
                anchors.clear();
                documents += 1;
                if documents > 1 {
                    let problem = Problem::new(
                        YamlError::SeveralTexts,
                        Path::default(),
                        "this is not valid YAML for a game: a second document starts here",
                    );
                    return Err(refused(
                        problem.value("---").help("remove the line; one file holds one document"),
                        span,
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The keys in the open mappings, each with its line; `None` for lists.
#[derive(Default)]
struct Names(Vec<Option<(BTreeMap<String, usize>, bool)>>);

impl Names {
    /// Processes an event and returns a problem if the mapping already has the key.
    fn see(&mut self, event: &Event<'_>, span: &Span) -> Option<Problem> {
        let is_value =
            matches!(event, Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..));
        let mut twice = None;
        if let (true, Some(Some((names, is_name)))) = (is_value, self.0.last_mut()) {
            *is_name = !*is_name;
            if let (true, Event::Scalar(name, ..)) = (*is_name, event)
                && let Some(line) = names.insert(name.to_string(), span.start.line())
            {
                let problem = Problem::new(
                    YamlError::DuplicateKey,
                    Path::default(),
                    format!("`{name}` is a duplicate: line {line} also has it"),
                );
                twice = Some(problem.value(name).help("remove one of the two"));
            }
        }
        match event {
            Event::MappingStart(..) => self.0.push(Some((BTreeMap::new(), false))),
            Event::SequenceStart(..) => self.0.push(None),
            Event::MappingEnd | Event::SequenceEnd => drop(self.0.pop()),
            _ => {}
        }
        twice
    }
}

fn too_deep() -> Problem {
    let message = format!("mappings and lists are nested more than {MAX_DEPTH} levels deep");
    Problem::new(YamlError::NestedTooDeep, Path::default(), message)
        .help("no game needs this depth; check for unclosed brackets")
}

/// A problem that does not come from a parser message.
fn refused(problem: Problem, span: Span) -> (Placed, Complaint) {
    ((Box::new(problem), Some((span.start.line(), span.start.col() + 1))), Complaint::none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said_of(text: &str) -> String {
        Text::new("a.yaml", text).parse().expect_err("this text is to be refused").to_string()
    }

    #[test]
    fn a_syntax_error_has_its_line() {
        let said = said_of("a: [1\nb: 2\n");
        assert!(said.contains("not valid YAML") && said.contains("a.yaml:2:"), "{said}");
        assert!(said_of("a: 1\na: 2\n").contains("duplicate"));
    }

    #[test]
    fn a_tag_is_shown_where_it_stands() {
        let said = said_of("a: 1\nb: !tag 2\n");
        assert!(said.contains("YAML tags such as `!tag`") && said.contains("a.yaml:2:4"), "{said}");
    }

    #[test]
    fn deep_texts_are_refused_in_every_style() {
        let many = 200_000;
        let flow = "[".repeat(many);
        let mappings = "{a: ".repeat(many);
        let block = "- ".repeat(many);
        let keys = "? ".repeat(many);
        let lines: String = (0..2000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        for text in [flow, mappings, block, keys, lines] {
            let said = said_of(&text);
            assert!(said.contains("levels deep"), "{said}");
        }
    }

    #[test]
    fn depth_up_to_the_limit_is_read() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Text::new("a.yaml", &nested(MAX_DEPTH)).parse().is_ok());
        assert!(Text::new("a.yaml", &nested(MAX_DEPTH)).marks().is_some());
        assert!(Text::new("a.yaml", &nested(MAX_DEPTH + 1)).parse().is_err());
    }

    #[test]
    fn aliases_stand_for_values_but_not_for_a_flood_of_them() {
        let value = Text::new("a.yaml", "a: &x [1, 2]\nb: *x\n").parse().unwrap();
        assert_eq!(value["b"], value["a"]);
        // Each line expands to nine copies of the line before.
        let mut laughs = String::from("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
        for i in 1..12 {
            let nine = vec![format!("*a{}", i - 1); 9].join(", ");
            laughs += &format!("a{i}: &a{i} [{nine}]\n");
        }
        let said = said_of(&laughs);
        assert!(said.contains("aliases of this file") && said.contains("a.yaml:"), "{said}");
        // A long list that is repeated often.
        let long = format!("a: &a [{}]\nb: [{}]\n", "1, ".repeat(20_000), "*a, ".repeat(20_000));
        assert!(said_of(&long).contains("aliases of this file"));
    }

    #[test]
    fn an_alias_of_what_it_is_part_of_is_refused() {
        assert!(said_of("a: &a [1, *a]\n").contains("inside the value that it refers to"));
        assert!(said_of("a: *b\n").contains("not valid YAML"));
    }

    #[test]
    fn of_repeated_keys_the_last_counts_where_that_is_asked_for() {
        let text = "a: 1\nb:\n  - {x: &x [1, 2], y: '1', x: *x}\n  - {\"x\": 2.5, x: no, z: }\na: {c: true}\n";
        let text = Text::new("a.yaml", text);
        assert!(text.parse().is_err());
        let (value, repeated) = text.parse_repeated().unwrap();
        let expected = "b: [{x: [1, 2], y: '1'}, {x: no, z: }]\na: {c: true}";
        let expected: Value = serde_yaml::from_str(expected).unwrap();
        assert_eq!(value["b"], expected["b"]);
        assert_eq!(value["a"], expected["a"]);
        let repeated: Vec<String> = repeated.iter().map(Path::to_string).collect();
        assert_eq!(repeated, ["b[0].x", "b[1].x", "a"]);
        assert!(text.marks().is_some());
        assert!(Text::new("a.yaml", "a: 1\na: !tag 2\n").parse_repeated().is_err());
    }

    #[test]
    fn a_value_by_itself_has_the_same_limits() {
        assert_eq!(parse_value("[1, a]").unwrap(), serde_yaml::from_str::<Value>("[1, a]").unwrap());
        assert!(parse_value(&"[".repeat(1000)).unwrap_err().contains("levels deep"));
    }
}
