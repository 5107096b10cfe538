//! Parameters. A single declaration contains the Rust field, the YAML key with the unit, the description, the default and the range.
//!
//! `#[derive(Parameters)]` generates the default, the YAML form and the table. The configuration check, the reference pages and the
//! templates all use this table.
//! A field without a description does not compile.

use serde::{Deserialize, Deserializer, Serialize};
use serde_yaml::Value;

use super::errors::ParameterError;
use super::phrase::Phrase;
use super::problem::{Path, Problem, Problems};
use crate::config::PartKind;
use crate::format::{date_of, day_of, format_number};

/// The maximum length of an example value, in bytes.
const LONGEST_EXAMPLE: usize = 80;

/// A string that is never freed. The alias hides the reference from serde's derive, which would otherwise borrow it from the input.
type Kept = &'static str;

/// The values that a parameter accepts. Match it without a `_` arm, so that schemas and pages must handle any new kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ParameterKind {
    /// A finite real number.
    Real,
    /// An integer.
    Integer,
    /// `true` or `false`.
    Flag,
    /// A string.
    Text,
    /// One word from a list.
    #[serde(deserialize_with = "leaked_words")]
    Choice(&'static [&'static str]),
    /// A mapping with its own parameters.
    Group(Vec<ParameterDoc>),
    /// A list of any length.
    List(Box<ParameterKind>),
    /// A list of exactly two values: low and high.
    Interval(Box<ParameterKind>),
    /// A mapping from keys to values.
    Map(Box<ParameterKind>),
    /// A value or `null`.
    Optional(Box<ParameterKind>),
    /// A part of the game, written as `KIND: parameter set`. The registry checks it.
    Part(PartKind),
    /// Conditions on the state. The names in them are checked when the game is compiled.
    Conditions,
    /// Any value. The part itself checks it.
    Any,
    /// A value with a special form, which is described in words. The part itself checks it; see [`free_form!`](crate::free_form).
    #[serde(deserialize_with = "leaked")]
    FreeForm(Kept),
}

impl ParameterKind {
    /// The expected value, in words: "a number", "one of …".
    pub fn describe(&self) -> String {
        match self {
            Self::Real => "a number".into(),
            Self::Integer => "an integer".into(),
            Self::Flag => "`true` or `false`".into(),
            Self::Text => "a string".into(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Group(_) => "a mapping".into(),
            Self::List(item) => format!("a list, each element {}", item.describe()),
            Self::Interval(item) => format!("a pair [low, high], each {}", item.describe()),
            Self::Map(item) => format!("a mapping from names to {}", item.describe()),
            Self::Optional(item) => format!("{} or null", item.describe()),
            Self::Part(PartKind::Entity) => "an entity".into(),
            Self::Part(part) => format!("a {}", part.singular()),
            Self::Conditions => "a list (or) of lists (and) of conditions".into(),
            Self::Any => "any value".into(),
            Self::FreeForm(words) => (*words).into(),
        }
    }

    /// The parameters inside this kind, if it consists of groups.
    pub fn group(&self) -> Option<&[ParameterDoc]> {
        match self {
            Self::Group(table) => Some(table),
            Self::List(inner) | Self::Interval(inner) | Self::Map(inner) | Self::Optional(inner) => inner.group(),
            _ => None,
        }
    }
}

/// One row of a parameter table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, farm_macros::Getters)]
pub struct ParameterDoc {
    /// The YAML key, followed by `#` and the unit if there is one.
    #[serde(deserialize_with = "leaked")]
    #[getter(copy)]
    pub(crate) name: Kept,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The values that the parameter accepts.
    pub(crate) kind: ParameterKind,
    /// The lowest and highest values, both allowed.
    pub(crate) range: Option<(f64, f64)>,
    /// The value used if the configuration does not set it.
    pub(crate) default: Value,
    /// When the parameter is not read; `None` if it is always read.
    #[serde(default)]
    pub(crate) idle: Option<Idle>,
}

/// The condition under which a parameter is not read: another parameter is set to a certain word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, farm_macros::Getters)]
pub struct Idle {
    /// The other parameter, of the same kind.
    pub(crate) parameter: String,
    /// The word that the other parameter is set to.
    pub(crate) word: String,
    /// The parameter to use instead: `GROUP.NAME` or a name. Empty if there is none.
    pub(crate) instead: String,
}

impl ParameterDoc {
    /// A parameter with its key, description, accepted values, range (both ends allowed) and default.
    pub fn new(
        name: &'static str,
        doc: impl Into<String>,
        kind: ParameterKind,
        range: Option<(f64, f64)>,
        default: Value,
    ) -> Self {
        Self { name, doc: doc.into(), kind, range, default, idle: None }
    }

    /// Declares that the parameter is not read if another of the kind's parameters is set to this word. Users who then set this parameter
    /// get a warning. `instead` is the parameter to use in its place: `GROUP.NAME`, a name, or empty.
    #[must_use]
    pub fn idle_with(self, parameter: &str, word: &str, instead: &str) -> Self {
        let [parameter, word, instead] = [parameter, word, instead].map(String::from);
        Self { idle: Some(Idle { parameter, word, instead }), ..self }
    }
}

/// Reads a string that is never freed. Each plugin's tables are read only once, and the plugin's library also stays loaded for ever.
fn leaked<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    Ok(String::deserialize(deserializer)?.leak())
}

/// Like [`leaked`], for a list of strings.
fn leaked_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static [&'static str], D::Error> {
    let words: Vec<String> = Vec::deserialize(deserializer)?;
    Ok(words.into_iter().map(|word| &*word.leak()).collect::<Vec<&'static str>>().leak())
}

/// A type that can be used as a parameter's value.
pub trait ParameterValue {
    /// The values that the parameter accepts.
    fn kind() -> ParameterKind;
}

/// A struct of parameters. Implement this trait with `#[derive(Parameters)]`. Each field declares its documentation, default, YAML key and
/// range.
///
/// The `parameter` attribute has these arguments:
/// - `unit`: the part of the YAML key after `#`.
/// - `name`: the full YAML key, if it differs from the field's name.
/// - `default`: any expression. If omitted, the default is the type's default.
/// - `range`: the lowest and highest values, both allowed.
/// - `idle = "PARAMETER: WORD"`: the parameter is not read if another of the struct's parameters is set to this word.
/// - `instead`: the parameter to use in place of an idle one.
/// - `added`, for an `Option`: leaves the parameter out of the written form of games that do not set it.
///
/// The derive also implements `Default`, `Serialize` and `Deserialize`. A key that is missing from the YAML gets its default; an unknown
/// key is an error.
///
/// ```
/// /// A tank.
/// #[derive(farm_core::Parameters)]
/// struct Tank {
///     /// How much it holds.
///     #[parameter(unit = "L", default = 10.0, range = 0.0..=1000.0)]
///     volume: f64,
///     /// Whether it has a lid.
///     #[parameter(default = true)]
///     lid: bool,
/// }
///
/// let tank: Tank = farm_core::serde_yaml::from_str("volume#L: 3").unwrap();
/// assert!(tank.lid && tank.volume == 3.0);
/// ```
///
/// # Mistakes
///
/// These examples do not compile. The text before each example quotes the message of the compiler.
///
/// The struct has no names for its fields, or the type is an enum: "`Parameters` needs a struct with named fields".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss(f64);
/// ```
///
/// The struct is generic: "`Parameters` allows no generics".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss<T> {
///     /// The most of it.
///     most: T,
/// }
/// ```
///
/// There is no doc comment: "a parameter needs a description: write a sentence above it, `/// …`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     most: f64,
/// }
/// ```
///
/// The range is open: "a range needs both ends, and both are allowed values: `0.0..=1.0`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     /// The most of it.
///     #[parameter(range = 0.0..)]
///     most: f64,
/// }
/// ```
///
/// The unit is set twice: "a `name` contains its unit after `#`: set either a name or a unit".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     /// The most of it.
///     #[parameter(name = "most#g", unit = "g")]
///     most: f64,
/// }
/// ```
///
/// `idle` names no word: "expected another parameter and its word, such as `idle = "equations: paper"`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     /// The most of it.
///     #[parameter(idle = "equations")]
///     most: f64,
/// }
/// ```
///
/// There is `instead` without `idle`: "`instead` needs `idle`".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     /// The most of it.
///     #[parameter(instead = "least")]
///     most: f64,
/// }
/// ```
///
/// An argument is unknown: "expected one of `name`, `unit`, `default`, `range`, …".
///
/// ```compile_fail
/// # use farm_core::prelude::*;
/// /// Moss.
/// #[derive(Debug, Clone, Parameters)]
/// struct Moss {
///     /// The most of it.
///     #[parameter(units = "g")]
///     most: f64,
/// }
/// ```
pub trait Parameters {
    /// The struct's description: the first paragraph of its documentation.
    const DOC: &'static str;

    /// The table of the struct's parameters, in declaration order.
    fn table() -> Vec<ParameterDoc>;
}

impl<P: Parameters> ParameterValue for P {
    fn kind() -> ParameterKind {
        ParameterKind::Group(P::table())
    }
}

macro_rules! parameter_values {
    ($($ty:ty => $kind:expr),+ $(,)?) => { $(impl ParameterValue for $ty { fn kind() -> ParameterKind { $kind } })+ };
}

parameter_values! {
    f64 => ParameterKind::Real,
    u8 => ParameterKind::Integer,
    u32 => ParameterKind::Integer,
    i32 => ParameterKind::Integer,
    bool => ParameterKind::Flag,
    String => ParameterKind::Text,
    Value => ParameterKind::Any,
}

impl<T: ParameterValue> ParameterValue for Option<T> {
    fn kind() -> ParameterKind {
        ParameterKind::Optional(Box::new(T::kind()))
    }
}

impl<T: ParameterValue> ParameterValue for Vec<T> {
    fn kind() -> ParameterKind {
        ParameterKind::List(Box::new(T::kind()))
    }
}

impl<T: ParameterValue> ParameterValue for [T; 2] {
    fn kind() -> ParameterKind {
        ParameterKind::Interval(Box::new(T::kind()))
    }
}

impl<T: ParameterValue> ParameterValue for std::collections::BTreeMap<String, T> {
    fn kind() -> ParameterKind {
        ParameterKind::Map(Box::new(T::kind()))
    }
}

/// A mapping whose order matters.
impl<T: ParameterValue> ParameterValue for indexmap::IndexMap<String, T> {
    fn kind() -> ParameterKind {
        ParameterKind::Map(Box::new(T::kind()))
    }
}

/// Declares a type for a parameter that its part parses itself: any YAML value, with a description of the expected form.
///
/// ```
/// farm_core::free_form! {
///     /// What is done.
///     pub struct Deeds = "a list of names";
/// }
/// let deeds: Deeds = serde_yaml::from_str("[sow, harvest]").unwrap();
/// assert!(deeds.0.is_sequence());
/// ```
#[macro_export]
macro_rules! free_form {
    ($( $(#[$meta:meta])* $vis:vis struct $name:ident = $words:literal; )+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, $crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "farm_core::serde", transparent)]
        $vis struct $name(
            /// The value as written.
            pub $crate::serde_yaml::Value,
        );

        impl $crate::config::ParameterValue for $name {
            fn kind() -> $crate::config::ParameterKind {
                $crate::config::ParameterKind::FreeForm($words)
            }
        }
    )+ };
}

/// Checks a mapping against a parameter table and reports all problems: unknown keys, wrong types, values out of range.
///
/// `help` is shown for an unknown key. It usually names the command that describes the parameters.
pub fn check_table(value: &Value, table: &[ParameterDoc], path: &Path, help: &Phrase, problems: &mut Problems) {
    let Some(mapping) = value.as_mapping() else {
        if !value.is_null() {
            problems.push(mismatch(value, &ParameterKind::Group(Vec::new()), path).help(help));
        }
        return;
    };
    for (key, item) in mapping {
        if problems.is_full() {
            return;
        }
        let Some(name) = key.as_str() else {
            let problem =
                Problem::new(ParameterError::NameNotText, path.child(&to_inline_yaml(key)), "a key must be a string")
                    .value(to_inline_yaml(key));
            problems.push(
                problem.about_name().expected("a key with a colon").help(
                    "a comma separates keys: write decimals with a point, and quote ranges within `{…}`: '(1, 2)'",
                ),
            );
            continue;
        };
        match table.iter().find(|parameter| parameter.name == name) {
            Some(parameter) => check(item, &parameter.kind, parameter.range, &path.child(name), help, problems),
            None => {
                let problem = Problem::new(
                    ParameterError::UnknownParameter,
                    path.child(name),
                    format!("unknown parameter `{name}`"),
                );
                let problem = problem.among(name, table.iter().map(|p| p.name));
                // Only the unit is wrong, so the message lists no other parameters.
                let problem = match table.iter().find(|p| p.name.split('#').next() == name.split('#').next()) {
                    Some(right) => Problem {
                        code: ParameterError::WrongUnit.into(),
                        message: match name.contains('#') {
                            true => format!("`{name}` does not have the unit of `{}`", right.name),
                            false => format!("key `{name}` needs its unit"),
                        },
                        expected: Some(format!("`{}`", right.name).into()),
                        ..problem
                    },
                    None => problem,
                };
                problems.push(problem.value(name).about_name().help(help));
            }
        }
    }
}

fn check(
    value: &Value,
    kind: &ParameterKind,
    range: Option<(f64, f64)>,
    path: &Path,
    help: &Phrase,
    problems: &mut Problems,
) {
    match kind {
        ParameterKind::Optional(_) if value.is_null() => {}
        ParameterKind::Optional(inner) => check(value, inner, range, path, help, problems),
        ParameterKind::Group(table) if value.is_mapping() => check_table(value, table, path, help, problems),
        ParameterKind::List(item) | ParameterKind::Interval(item) if value.is_sequence() => {
            let items = value.as_sequence().map_or(&[][..], Vec::as_slice);
            if matches!(kind, ParameterKind::Interval(_)) {
                let numbers: Vec<f64> = items.iter().filter_map(Value::as_f64).collect();
                let problem = match items.len() {
                    2 if numbers.windows(2).any(|pair| pair[0] > pair[1]) => {
                        Some("the first number of the pair is above the second".to_owned())
                    }
                    2 => None,
                    1 => Some("expected a pair, found one value".to_owned()),
                    n => Some(format!("expected a pair, found {n} values")),
                };
                problems.0.extend(problem.map(|message| {
                    let problem =
                        Problem::new(ParameterError::WrongRange, path.clone(), message).value(to_inline_yaml(value));
                    problem.expected("a pair [low, high] with low ≤ high")
                }));
            }
            for (i, entry) in items.iter().enumerate() {
                check(entry, item, range, &path.child(i), help, problems);
            }
        }
        ParameterKind::Map(item) if value.is_mapping() => {
            for (key, entry) in value.as_mapping().into_iter().flatten() {
                check(entry, item, range, &path.child(key.as_str().unwrap_or("?")), help, problems);
            }
        }
        ParameterKind::Real | ParameterKind::Integer => check_number(value, kind, range, path, problems),
        ParameterKind::Flag if value.is_bool() => {}
        ParameterKind::Text if value.is_string() => {}
        ParameterKind::Part(_) | ParameterKind::Conditions | ParameterKind::Any | ParameterKind::FreeForm(_) => {}
        ParameterKind::Choice(words) => match value.as_str() {
            Some(word) if words.contains(&word) => {}
            Some(word) => problems.push(
                Problem::new(ParameterError::UnknownChoice, path.clone(), format!("`{word}` is not a choice here"))
                    .value(word)
                    .among(word, words.iter().copied()),
            ),
            None => problems.push(mismatch(value, kind, path)),
        },
        _ => problems.push(mismatch(value, kind, path)),
    }
}

fn check_number(value: &Value, kind: &ParameterKind, range: Option<(f64, f64)>, path: &Path, problems: &mut Problems) {
    let whole = matches!(kind, ParameterKind::Integer);
    let expected = || match range {
        Some((low, high)) if whole => format!("an integer from {low} to {high}"),
        Some((low, high)) => format!("a number from {low} to {high}"),
        None => kind.describe(),
    };
    let Some(number) = value.as_f64() else {
        let problem = mismatch(value, kind, path).expected(expected());
        problems.push(match value.as_str() {
            Some(text) => problem.or_number(text, range == Some((0.0, 1.0))),
            None => problem,
        });
        return;
    };
    if whole && !(value.is_i64() || value.is_u64()) {
        problems.push(mismatch(value, kind, path).expected(expected()));
    } else if !number.is_finite() {
        problems.push(
            Problem::new(ParameterError::NotFinite, path.clone(), "the value is not a finite number")
                .value(to_inline_yaml(value))
                .expected(expected()),
        );
    } else if range.is_some_and(|(low, high)| number < low || number > high) {
        problems.push(
            Problem::new(ParameterError::ValueOutOfRange, path.clone(), "the value is out of range")
                .value(to_inline_yaml(value))
                .expected(expected()),
        );
    } else if whole && i32::try_from(value.as_i64().unwrap_or(i64::MAX)).is_err() {
        problems.push(
            Problem::new(ParameterError::ValueOutOfRange, path.clone(), "the number is too large")
                .value(to_inline_yaml(value))
                .expected(expected()),
        );
    }
}

fn mismatch(value: &Value, kind: &ParameterKind, path: &Path) -> Problem {
    let found = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a mapping",
        Value::Tagged(_) => "a YAML tag",
    };
    let belongs = match kind {
        ParameterKind::Real | ParameterKind::Integer => "a number",
        ParameterKind::Flag => "a boolean",
        ParameterKind::Text => "a string",
        ParameterKind::Choice(_) => "a word",
        ParameterKind::List(_) | ParameterKind::Conditions => "a list",
        ParameterKind::Interval(_) => "a pair",
        ParameterKind::Group(_) | ParameterKind::Map(_) => "a mapping",
        ParameterKind::Optional(inner) => return mismatch(value, inner, path).expected(kind.describe()),
        ParameterKind::Part(_) | ParameterKind::Any | ParameterKind::FreeForm(_) => "another kind of value",
    };
    // A number with decimals is also a number, so the message must state that it expects an integer.
    let belongs = if found == belongs { "an integer" } else { belongs };
    let problem = Problem::new(ParameterError::WrongType, path.clone(), format!("expected {belongs}, found {found}"))
        .value(to_inline_yaml(value))
        .expected(kind.describe());
    match (kind, value.as_mapping().and_then(|entries| entries.iter().next())) {
        (ParameterKind::List(_) | ParameterKind::Conditions, Some((name, entry))) => {
            let first = format!("- {}: {}", to_inline_yaml(name), to_inline_yaml(entry));
            let first = if first.len() <= LONGEST_EXAMPLE { first } else { format!("- {}: …", to_inline_yaml(name)) };
            problem.help(format!("put `- ` before each line of the list: `{first}`"))
        }
        _ => problem,
    }
}

impl Problem {
    /// Adds a fix if the value is a string that spells a number in one of the common ways.
    pub(crate) fn or_number(self, text: &str, is_share: bool) -> Self {
        let text = text.trim();
        let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        let digits = text.trim_start_matches(['-', '+']);
        let leading = digits.len() - digits.trim_start_matches('0').len();
        if leading > 0 && digits.len() > 1 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let sign = if text.starts_with('-') { "-" } else { "" };
            let plain = &digits[leading.min(digits.len() - 1)..];
            return self.help(format!("write `{sign}{plain}`: numbers have no leading zeros"));
        }
        if is_number(text) {
            return self.value(format!("'{text}'")).help("write the number without quotes");
        }
        if let Some(percent) = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok()) {
            return self.help(match is_share {
                true => format!("write `{}`: a share from 0 to 1", format_number(percent / 100.0)),
                false => "write the number without `%`, or write a share from 0 to 1 if you mean a share".to_owned(),
            });
        }
        let with_point = text.replacen(',', ".", 1);
        if text.contains(',') && is_number(&with_point) {
            return self.help(format!("write `{with_point}` with a decimal point"));
        }
        match day_of(text) {
            Some(day) => self.help(format!("{} is day {day} of the year, counted from 0", date_of(day))),
            None => self,
        }
    }
}

/// Writes a value on one line of YAML.
pub fn to_inline_yaml(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Sequence(items) => format!("[{}]", items.iter().map(to_inline_yaml).collect::<Vec<_>>().join(", ")),
        Value::Mapping(mapping) => {
            let entries =
                mapping.iter().map(|(key, item)| format!("{}: {}", to_inline_yaml(key), to_inline_yaml(item)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Tagged(tagged) => format!("{} {}", tagged.tag, to_inline_yaml(&tagged.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tank.
    #[derive(farm_core::Parameters)]
    struct Tank {
        /// How much it holds.
        #[parameter(name = "volume#L", default = 10.0, range = 0.0..=1000.0)]
        volume_liters: f64,
        /// How many taps it has.
        #[parameter(default = 1, range = 1..=4)]
        taps: u32,
        /// Lowest and highest level.
        #[parameter(default = [0.0, 1.0], range = 0.0..=1.0)]
        levels: [f64; 2],
        /// Its colour.
        colour: Colour,
    }

    /// A colour.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
    enum Colour {
        /// Red.
        Red,
        /// Blue.
        Blue,
    }

    fn problems(yaml: &str) -> Vec<String> {
        let mut problems = Problems::default();
        let value = serde_yaml::from_str(yaml).unwrap();
        check_table(&value, &Tank::table(), &Path::default(), &"help".into(), &mut problems);
        problems.0.iter().map(|p| format!("{}: {}", p.path, p.message)).collect()
    }

    #[test]
    fn the_table_carries_name_sentence_range_and_default() {
        let table = Tank::table();
        assert_eq!((table[0].name, table[0].doc.as_str()), ("volume#L", "How much it holds."));
        assert_eq!(table[0].range, Some((0.0, 1000.0)));
        assert_eq!(table[1].default, Value::from(1));
        assert_eq!(table[3].kind, ParameterKind::Choice(&["red", "blue"]));
    }

    #[test]
    fn every_problem_is_found_in_one_pass() {
        let found = problems("{volume#mL: 3, taps: 9, levels: [1.0, 0.5], colour: rde, volume#L: .nan}");
        assert_eq!(
            found,
            [
                "volume#mL: `volume#mL` does not have the unit of `volume#L`",
                "taps: the value is out of range",
                "levels: the first number of the pair is above the second",
                "colour: `rde` is not a choice here",
                "volume#L: the value is not a finite number",
            ]
        );
        assert!(problems("{volume#L: 3, taps: 2, levels: [0.2, 0.4], colour: blue}").is_empty());
        assert_eq!(problems("{taps: 1.5}").len(), 1);
        assert_eq!(problems("[1]").len(), 1);
    }
}
