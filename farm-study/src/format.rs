//! The only declaration of the format of studies. File checks and the schema for editors both use these tables.

use farm_core::config::{ParameterDoc, Parameters};
use farm_core::serde_yaml::Value;
use farm_core::spec::{SchemaFile, table_schema};
use indexmap::IndexMap;

farm_core::free_form! {
    /// The game of a study.
    pub struct GameOf = "the name of a game, the path of a file, or a game";
    /// The policy of a study.
    pub struct PolicyOf = "the name of a policy, or a policy";
    /// A dimension of the grid.
    pub struct Dimension = "a mapping from titles to named values, or its file";
    /// An amount.
    pub struct Amount = "a number, or an expression in braces";
    /// The variable of a term.
    pub struct Variable = "[field, entity, variable], with a path for one of several values";
}

/// A study: a game played over a grid of changes, with a measure and expectations.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct StudyFile {
    /// The name of the study.
    pub name: String,
    /// The title of its chart.
    pub title: String,
    /// The main claim, in one sentence.
    pub claim: String,
    /// The source of the claim.
    pub source: String,
    /// The game: a name, a path relative to the study, or the game itself.
    pub game: GameOf,
    /// Presets of the game, applied first. Names in braces are replaced by the values of a point.
    pub preset: String,
    /// Changes of the game by path. `{x}` and other names in braces are replaced by the values of a point of the grid.
    pub set: IndexMap<String, Value>,
    /// The policy: the name of a policy of the game, or a policy; default: wait. Names in braces are replaced by the values of a point.
    pub policy: PolicyOf,
    /// The horizontal axis.
    pub x: Axis,
    /// The charts side by side: a mapping from titles to named values, or its file.
    pub panels: Dimension,
    /// The lines of each chart: a mapping from titles to named values, or its file.
    pub lines: Dimension,
    /// Number of episodes per point. All points use the same seeds.
    #[parameter(default = 4, range = 1..=1_000_000)]
    pub seeds: u32,
    /// The first seed.
    #[parameter(range = 0..=1_000_000_000)]
    pub first_seed: u32,
    /// The measure of an episode. Points show its mean.
    pub measure: Measure,
    /// A risk criterion over the episodes of a point, such as `cvar:0.1`, shown below the mean; default: none.
    pub risk: String,
    /// The band around a line.
    #[parameter(default = Band::Range)]
    pub band: Band,
    /// The expectations.
    pub expect: Vec<Expectation>,
}

/// The band around the mean of the episodes of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Band {
    /// From the minimum to the maximum; only for charts with one line.
    Range,
    /// From the first to the third quartile, for all lines.
    Quartiles,
}

/// The horizontal axis.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Axis {
    /// The label.
    pub label: String,
    /// The unit.
    pub unit: String,
    /// The values in ascending order, each available as `x`; default: one point.
    pub values: Vec<f64>,
    /// Names of the values; default: the values.
    pub names: Vec<String>,
    /// Further values of each point by name.
    #[parameter(name = "with")]
    pub with: Vec<IndexMap<String, Value>>,
    /// Draws the values at equal distances.
    pub is_even: bool,
}

/// The measure of an episode: a sum of terms, or the quotient of two sums.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Measure {
    /// The label.
    pub label: String,
    /// The unit.
    pub unit: String,
    /// The terms of the sum.
    pub of: Vec<Term>,
    /// The terms of the divisor. The measure is 0 if the divisor is 0.
    pub per: Vec<Term>,
    /// A factor; default: 1.
    pub times: Amount,
    /// The value of the line by which all its values are divided.
    #[parameter(default = Share::None)]
    pub share: Share,
}

/// A variable of the game over an episode, as a number.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Term {
    /// The variable.
    pub variable: Variable,
    /// The function of several values: value, sum, mean, min or max.
    #[parameter(default = "value".to_owned())]
    pub function: String,
    /// The function over the days.
    #[parameter(default = Over::End)]
    pub over: Over,
    /// A factor; default: 1.
    pub times: Amount,
}

/// The function over the days of an episode.
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

/// The value of a line by which its values are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Share {
    /// None: values are not divided.
    None,
    /// The greatest mean of the line.
    Best,
    /// The first mean of the line.
    First,
    /// The last mean of the line.
    Last,
}

/// An expectation about lines.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Expectation {
    /// The claim, in one sentence.
    pub claim: String,
    /// The source of the claim.
    pub source: String,
    /// The known reason why it does not hold. The study then fails as soon as it holds.
    pub gap: String,
    /// The panels to check; default: all.
    pub panels: Vec<String>,
    /// The lines to check; default: all.
    pub lines: Vec<String>,
    /// Values rise between these two places on the axis.
    pub rises: Option<[f64; 2]>,
    /// Values fall between these two places.
    pub falls: Option<[f64; 2]>,
    /// Values rise less and less between these two places: no value is below the straight line between the ends.
    pub saturates: Option<[f64; 2]>,
    /// The places on the axis for `within` and `versus`; default: all.
    pub at: Vec<f64>,
    /// The range of values at these places: two numbers, or expressions in braces.
    pub within: Vec<Amount>,
    /// The greatest value is between these two places on the axis.
    pub best: Option<[f64; 2]>,
    /// Losses, as shares of the first value, follow a hyperbola of the number of weeds.
    pub hyperbola: Option<Hyperbola>,
    /// Compares values with the values of another line, or at other places on the axis.
    pub versus: Option<Versus>,
    /// The allowed difference between two neighbouring points against the claim, as a share of the line's greatest value.
    #[parameter(unit = "prop", default = 0.015, range = 0.0..=1.0)]
    pub tolerance: f64,
}

/// The sum of values of a line, divided by another sum with the same seeds. The whole 95 % interval of the quotient must be in the
/// range.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Versus {
    /// The line of the divisor; default: the same line.
    pub line: String,
    /// The places of the divisor on the axis; default: the same places.
    pub at: Vec<f64>,
    /// The range of the quotient.
    #[parameter(default = [0.0, 1.0], range = 0.0..=1e9)]
    pub ratio: [f64; 2],
}

/// Cousens' hyperbola: loss = i·d / (1 + i·d/a) at d weeds per square metre.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Hyperbola {
    /// The range of i, the share lost to the first weed per square metre.
    #[parameter(default = [0.0, 1.0], range = 0.0..=10.0)]
    pub i: [f64; 2],
    /// The range of a, the share lost to any number of weeds.
    #[parameter(default = [0.0, 1.0], range = 0.0..=10.0)]
    pub a: [f64; 2],
}

/// The keys that every study must have.
pub(crate) const REQUIRED: [&str; 3] = ["name", "game", "measure"];

/// The keys of a study.
pub fn keys() -> Vec<ParameterDoc> {
    StudyFile::table()
}

/// The JSON Schemas of all of the platform's files, including studies; see [`farm_games::schema::all`].
pub fn schemas() -> Vec<SchemaFile> {
    let mut files = farm_games::schema::all();
    let schema = table_schema("A study of a farm game", &keys(), &REQUIRED);
    let name = format!("study{}", farm_games::schema::ENDING);
    // Behind the game, and before the parameter sets.
    files.insert(files.len().min(1), SchemaFile::new(name, schema));
    files
}
