//! Finds a role's providers without searching all parts.

use std::collections::HashMap;

use super::PartInfo;

/// The variables in a draft, by the roles they provide.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Providers(HashMap<&'static str, Vec<(usize, usize)>>);

impl Providers {
    /// Indexes the declarations of all parts.
    pub(crate) fn of(parts: &[PartInfo]) -> Self {
        let mut found: HashMap<&'static str, Vec<(usize, usize)>> = HashMap::new();
        for (part, info) in parts.iter().enumerate() {
            for (variable, declared) in info.variables.iter().enumerate() {
                for role in &declared.roles {
                    let providers = found.entry(role).or_default();
                    // A variable that names a role twice provides the role only once.
                    if providers.last() != Some(&(part, variable)) {
                        providers.push((part, variable));
                    }
                }
            }
        }
        Self(found)
    }

    /// The parts and variables that provide a role, in configuration order.
    pub(crate) fn get(&self, role: &str) -> &[(usize, usize)] {
        self.0.get(role).map_or(&[], Vec::as_slice)
    }
}
