//! A user's own parameters of crops, such as those of a cultivar, in place of the program's.

use std::path::Path;

use farm_core::config::{nearest, read_regular};
use farm_core::serde_yaml::{self, Mapping, Value};

use crate::classes::sets;
use crate::crops::Crop;

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Parameters by parameter set. Those of a crop's usual set change all its cultivars.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plants(Mapping);

impl Plants {
    /// Reads a YAML file with parameters of the entity `Plant` below the name of each parameter set.
    ///
    /// # Errors
    /// A sentence that states what is wrong with the file.
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let bytes = read_regular(file, MAX_BYTES).map_err(|error| error.to_string())?;
        let plants: Mapping = serde_yaml::from_slice(&bytes).map_err(|error| error.to_string())?;
        let sets = sets();
        let names: Vec<&str> = sets.iter().map(String::as_str).collect();
        for (name, changes) in &plants {
            let name = name.as_str().unwrap_or_default();
            if !names.contains(&name) {
                let hint = nearest(name, &names).map_or(String::new(), |near| format!("; do you mean `{near}`?"));
                return Err(format!("`{name}` is not a parameter set of `Plant`{hint}"));
            }
            if !changes.is_mapping() {
                return Err(format!("`{name}` must have parameters below it, such as `crop: {{density#nb.m-2: 8}}`"));
            }
        }
        Ok(Self(plants))
    }

    /// The names of the changed sets.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().filter_map(Value::as_str)
    }

    /// The entity of a parameter set, in one line of YAML. All its seeds come up and all its flowers are pollinated.
    pub(crate) fn plant(&self, crop: &Crop, set: &str) -> String {
        let one = |key: &str, value: Value| Value::Mapping([(Value::from(key), value)].into_iter().collect());
        let all = ["germination#prop", "selfing#prop", "unripe_worth#prop"].map(|name| (name.into(), 1.into()));
        let fruits = Value::Mapping(all.into_iter().collect());
        let mut plant = one("base", set.into());
        merge(&mut plant, &one("crop", one("fruits", fruits)));
        let own = (crop.base != set).then(|| self.0.get(set)).flatten();
        for changes in self.0.get(crop.base).into_iter().chain(own) {
            merge(&mut plant, changes);
        }
        // JSON is YAML on one line.
        serde_json::to_string(&plant).unwrap_or_default()
    }
}

/// Merges `over` into `base`, mapping by mapping.
fn merge(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Mapping(base), Value::Mapping(over)) => {
            for (key, value) in over {
                merge(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}
