//! Maturity classes of cultivars, from the table `classes.csv` in the folder of trials.
//!
//! The table has the columns `crop`, `ingeno` (the cultivar's code in DSSAT), `cultivar` and `class`. Lines that start with `#` are
//! comments. A class is fixed by the published earliness of a cultivar, never by the dates of a trial.

use std::path::Path;

use farm_core::config::PartKind;
use farm_core::registry::kind;

use crate::crops::Crop;
use crate::dssat::{Cultivar, ReadError};

/// The name of the table.
const FILE: &str = "classes.csv";
/// The largest table that is read.
const MAX_BYTES: u64 = 8 << 20;
/// The columns that are read.
const COLUMNS: [&str; 3] = ["crop", "ingeno", "class"];

/// The class of a cultivar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The crop, which for wheat has the type: `corn`, `wheat_winter`.
    pub crop: String,
    /// The class: `early`, `usual` or `late`.
    pub class: String,
    code: String,
}

/// The table of a folder; empty if the folder has none.
///
/// # Errors
/// The table can't be read, or one of its columns is missing.
pub(crate) fn read(folder: &Path) -> Result<Vec<Class>, ReadError> {
    let path = folder.join(FILE);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let file = path.display().to_string();
    let unreadable = |reason: String| ReadError::Unreadable { file: file.clone(), reason };
    let bytes = farm_core::config::read_regular(&path, MAX_BYTES).map_err(|error| unreadable(error.to_string()))?;
    let mut table = csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).from_reader(bytes.as_slice());
    let headers = table.headers().map_err(|error| unreadable(error.to_string()))?.clone();
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let found = headers.iter().position(|header| header == column);
        *place = found.ok_or_else(|| ReadError::NoColumn { file: file.clone(), line: 1, column })?;
    }
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.map_err(|error| unreadable(error.to_string()))?;
        let [crop, code, class] = places.map(|place| record.get(place).unwrap_or_default().to_owned());
        Ok(Class { crop, class, code })
    };
    table.records().map(row).collect()
}

/// The class of a cultivar; `None` if the table does not have it.
pub(crate) fn class_of<'c>(classes: &'c [Class], cultivar: &Cultivar) -> Option<&'c Class> {
    let base = Crop::of(&cultivar.crop)?.base;
    classes.iter().find(|class| class.code == cultivar.code && class.crop.split('_').next() == Some(base))
}

/// The parameter set of cultivars of a maturity class, such as `wheat_winter_late`; of the crop's usual ones if there is none.
pub(crate) fn set_of(crop: &Crop, class: Option<&Class>) -> String {
    let name = class.map(|Class { crop, class, .. }| match class.as_str() {
        "usual" => crop.trim_end_matches("_winter").to_owned(),
        other => format!("{crop}_{}", other.replace(' ', "_")),
    });
    let sets = sets();
    name.filter(|name| sets.contains(name)).unwrap_or_else(|| crop.base.to_owned())
}

/// The names of all parameter sets of plants.
pub(crate) fn sets() -> Vec<String> {
    let sets = kind(PartKind::Entity, "Plant").and_then(|kind| kind.parameter_sets().ok()).unwrap_or_default();
    sets.iter().map(|set| set.name().to_owned()).collect()
}
