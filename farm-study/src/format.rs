//! The format of studies, declared once: the check of a file and the schema for editors read these tables.

use farm_core::config::{ParameterDoc, Parameters};
use farm_core::serde_yaml::Value;
use farm_core::spec::{SchemaFile, table_schema};
use indexmap::IndexMap;

farm_core::free_form! {
    /// Whose seasons a study plays.
    pub struct GameOf = "the name of a game, the path of a file, or a game";
    /// Who plays.
    pub struct PolicyOf = "the name of a policy, or a policy";
    /// A dimension of the grid.
    pub struct Dimension = "a mapping from titles to values by name, or the file that holds one";
    /// An amount.
    pub struct Amount = "a number, or an expression in braces";
    /// What a monitor reads.
    pub struct Variable = "[field, entity, variable], with a path behind it for one value of several";
}

/// A study: a game played over a grid of changes, what is measured, and what is expected of it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct StudyFile {
    /// What it is called.
    pub name: String,
    /// The heading of its picture.
    pub title: String,
    /// What it is to show, in a sentence.
    pub claim: String,
    /// Who claims it.
    pub source: String,
    /// The game: a name, a path relative to the study, or the game itself.
    pub game: GameOf,
    /// Presets of the game that are applied first; names in braces stand for the values of a point.
    pub preset: String,
    /// Changes of the game by path; `{x}` and other names in braces stand for the values of a point of the grid.
    pub set: IndexMap<String, Value>,
    /// Who plays: a policy of the game by name, or a policy. Names in braces stand for the values of a point.
    pub policy: PolicyOf,
    /// What goes from left to right.
    pub x: Axis,
    /// The charts side by side: a mapping from titles to values by name, or the file that holds one.
    pub panels: Dimension,
    /// The lines of each chart, likewise.
    pub lines: Dimension,
    /// How many episodes are played at each point, on the same seeds everywhere.
    #[parameter(default = 4, range = 1..=1_000_000)]
    pub seeds: u32,
    /// The first seed.
    #[parameter(range = 0..=1_000_000_000)]
    pub first_seed: u32,
    /// What is measured in each episode; points show the mean.
    pub measure: Measure,
    /// A risk criterion of the episodes of a point, such as `cvar:0.1`, which is shown beside their mean; none if nothing is said.
    pub risk: String,
    /// What the band around a line is.
    #[parameter(default = Band::Range)]
    pub band: Band,
    /// What is expected.
    pub expect: Vec<Expectation>,
}

/// What of the episodes of a point a picture shows around their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Band {
    /// From the least to the greatest, where a chart has one line.
    Range,
    /// From the first to the third quartile, around all lines.
    Quartiles,
}

/// What goes from left to right.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Axis {
    /// What it is.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// The values, in rising order, each known as `x`; one point if nothing is said.
    pub values: Vec<f64>,
    /// Names of the values; they themselves if nothing is said.
    pub names: Vec<String>,
    /// Further values of each point by name.
    #[parameter(name = "with")]
    pub with: Vec<IndexMap<String, Value>>,
    /// Whether values stand at equal distances whatever they are.
    pub is_even: bool,
}

/// What is measured in an episode: a sum of terms, or the quotient of two sums.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Measure {
    /// What it is.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// The terms that are added.
    pub of: Vec<Term>,
    /// The terms whose sum divides it; 0 where that is 0.
    pub per: Vec<Term>,
    /// A factor; 1 if nothing is said.
    pub times: Amount,
    /// What of a line a value is a share of.
    #[parameter(default = Share::None)]
    pub share: Share,
}

/// A variable of the game over an episode, as a number.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Term {
    /// The variable.
    pub variable: Variable,
    /// What is read of several values: value, sum, mean, min, max.
    #[parameter(default = "value".to_owned())]
    pub function: String,
    /// What counts of the days.
    #[parameter(default = Over::End)]
    pub over: Over,
    /// A factor; 1 if nothing is said.
    pub times: Amount,
}

/// What counts of the days of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Over {
    /// The value at the end.
    End,
    /// The greatest value.
    Max,
    /// The least value.
    Min,
    /// The sum over all steps.
    Sum,
    /// The mean over all steps.
    Mean,
}

/// What a value is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Share {
    /// Of nothing: it is shown as it is.
    None,
    /// Of the greatest of its line.
    Best,
    /// Of the first of its line.
    First,
    /// Of the last of its line.
    Last,
}

/// What is expected of lines.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Expectation {
    /// What is claimed, in a sentence.
    pub claim: String,
    /// Who claims it.
    pub source: String,
    /// Why it does not hold, where that is known; then it counts as wrong as soon as it does.
    pub gap: String,
    /// The panels that it is about; all if nothing is said.
    pub panels: Vec<String>,
    /// The lines that it is about; all if nothing is said.
    pub lines: Vec<String>,
    /// From where to where on the axis values rise.
    pub rises: Option<[f64; 2]>,
    /// From where to where they fall.
    pub falls: Option<[f64; 2]>,
    /// From where to where they rise less and less: no value lies below the straight line between the ends.
    pub saturates: Option<[f64; 2]>,
    /// Where on the axis values lie within a range; everywhere if nothing is said.
    pub at: Vec<f64>,
    /// The least and the greatest value there: numbers, or expressions in braces.
    pub within: Vec<Amount>,
    /// From where to where on the axis the greatest value lies.
    pub best: Option<[f64; 2]>,
    /// The loss in yield is a hyperbola of the number of weeds, fitted to the values as shares of the first.
    pub hyperbola: Option<Hyperbola>,
    /// How values compare with those of another line, or of another point.
    pub versus: Option<Versus>,
    /// How much two neighbours may differ against the claim, as a share of the greatest value of the line.
    #[parameter(unit = "prop", default = 0.015, range = 0.0..=1.0)]
    pub tolerance: f64,
}

/// The values of a line, divided by others of the same seeds: the quotient of the sums, with its 95 % interval, of which all must lie in
/// the range.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Versus {
    /// The line whose values divide; the same one if nothing is said.
    pub line: String,
    /// Where on the axis they lie; at the same places if nothing is said.
    pub at: Vec<f64>,
    /// The least and the greatest quotient.
    #[parameter(default = [0.0, 1.0], range = 0.0..=1e9)]
    pub ratio: [f64; 2],
}

/// Cousens' hyperbola: loss = i·d / (1 + i·d/a) at d weeds per square metre.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Hyperbola {
    /// The share lost to the first weed per square metre.
    #[parameter(default = [0.0, 1.0], range = 0.0..=10.0)]
    pub i: [f64; 2],
    /// The share lost to any number of them.
    #[parameter(default = [0.0, 1.0], range = 0.0..=10.0)]
    pub a: [f64; 2],
}

/// What a study says in any case.
pub(crate) const REQUIRED: [&str; 3] = ["name", "game", "measure"];

/// The keys of a study.
pub fn keys() -> Vec<ParameterDoc> {
    StudyFile::table()
}

/// The JSON Schemas of all files of the platform, those of studies among them; see [`farm_games::schema::all`].
pub fn schemas() -> Vec<SchemaFile> {
    let mut files = farm_games::schema::all();
    let schema = table_schema("A study of a farm game", &keys(), &REQUIRED);
    let name = format!("study{}", farm_games::schema::ENDING);
    // Behind the game, and before the parameter sets.
    files.insert(files.len().min(1), SchemaFile::new(name, schema));
    files
}
