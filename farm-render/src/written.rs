//! Values in status bars as text: numbers, units, dates and names.

use farm_core::declare::VariableInfo;
use farm_core::inspect::{decimals, is_day_of_year};
use farm_core::labels::{Labels, unit};

use crate::values::Values;
use crate::view::Sight;

/// A value in the status bar.
#[derive(Debug, Clone)]
pub(crate) struct WrittenValue {
    /// The variable.
    pub values: Values,
    /// Its name without the unit, if it has no unit and there are several values; otherwise empty.
    pub name: String,
    /// Its unit; empty if it has no unit or the title names the unit.
    pub unit: String,
    /// The names of its values, for categories.
    pub names: Vec<String>,
    /// Whether it is a day of the year.
    is_date: bool,
}

/// The format of a picture's variable, alone or next to other values.
pub(crate) fn written_value(values: Values, variable: &VariableInfo, title: &str, has_others: bool) -> WrittenValue {
    let labels = variable.kind().labels(0);
    let names = labels.map(|labels| (0..labels.len()).map(|i| labels.name(i)).collect()).unwrap_or_default();
    let plain = unit(variable.name());
    let name = if has_others && plain.is_empty() { without_unit_marks(variable.name()) + " " } else { String::new() };
    // "seeds 3 seed" would repeat the word.
    let unit = if title.starts_with(&plain) { String::new() } else { plain };
    let is_date = is_day_of_year(variable.name());
    WrittenValue { values, name, unit, names, is_date }
}

/// A variable's name, with its unit in parentheses.
pub(crate) fn without_unit_marks(name: &str) -> String {
    let plain = name.split('#').next().unwrap_or(name).replace('_', " ");
    let unit = unit(name);
    if unit.is_empty() { plain } else { format!("{plain} ({unit})") }
}

impl WrittenValue {
    /// The value as text; none if it is not known.
    pub(crate) fn text(&self, sight: &Sight<'_>, labels: &Labels) -> Option<String> {
        let value = sight.value(self.values, 0)?;
        if let Some(name) = self.names.get(value as usize) {
            return Some(format!("{}{}", self.name, labels.words(name)));
        }
        if self.is_date {
            return Some(labels.date(value.max(0.0) as u32));
        }
        Some(match self.unit.as_str() {
            "" => format!("{}{}", self.name, number(value)),
            unit => format!("{} {}", number(value), unit.replace("day", labels.words("day"))),
        })
    }
}

/// A number as text with at most one decimal, or with no decimals from 1000 upwards.
pub(crate) fn number(value: f64) -> String {
    decimals(value, if value.abs() < 1000.0 { 1 } else { 0 })
}
