//! The variables that a policy can observe, with their observed values.

use farm_core::serde_yaml::Value;

/// A variable that a policy can observe.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The variable as conditions name it, such as `[Field-0, Soil-0, available_Water#L]`.
    pub variable: Value,
    /// Index of its part; none for the number of steps.
    pub part: Option<usize>,
    /// Whether it has a value for each of several plots.
    pub is_per_plot: bool,
    /// Whether it is shown without a request.
    pub is_free: bool,
    /// Its observed values.
    pub values: Values,
}

/// The observed values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers: distinct quantiles in order, at least two.
    Numbers {
        /// The quantiles.
        quantiles: Vec<f64>,
        /// Whether the values are integers.
        is_whole: bool,
    },
    /// Words, in the order of their declaration.
    Words(Vec<Value>),
}

/// The name of a variable, without field, entity and unit.
pub(crate) fn short(variable: &Value) -> String {
    let words = variable.as_sequence().map_or(&[][..], Vec::as_slice);
    let name = words.iter().filter_map(Value::as_str).next_back().or(variable.as_str()).unwrap_or("?");
    name.split('#').next().unwrap_or(name).to_owned()
}
