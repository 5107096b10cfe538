//! Checks that a part's pictures show only declared variables and observables.

use super::errors::DeclarationError;
use super::{PartInfo, VariableInfo};
use crate::config::{Path, Problem};
use crate::picture::{Condition, Picture};

impl Picture {
    /// The problems found by checking the picture against its part's declarations.
    pub(crate) fn problems(&self, part: &PartInfo) -> Vec<Problem> {
        let names = || part.variables.iter().map(|variable| variable.name.as_str());
        let mut problems = Vec::new();
        for name in self.variables().filter(|name| !names().any(|known| known == *name)) {
            let message = format!(
                "the picture `{}` of `{}` shows a variable that the part has not declared",
                self.title, part.path
            );
            let problem = Problem::new(DeclarationError::WrongDeclaration, Path::default(), message)
                .value(name)
                .among(name, names());
            problems.push(problem.help("declare the variable before the picture"));
        }
        for look in &self.sprite_rules {
            let Condition::Label { variable, label } = &look.when else { continue };
            let Some(info) = part.variables.iter().find(|info| info.name == *variable) else { continue };
            if info.index_of_label(label).is_none() {
                let message =
                    format!("the picture `{}` of `{}`: `{variable}` has no value `{label}`", self.title, part.path);
                problems.push(Problem::new(DeclarationError::WrongDeclaration, Path::default(), message).value(label));
            }
        }
        let observables = || part.observables.iter().map(|observable| observable.name.as_str());
        for (name, _) in self.window.iter().flat_map(|window| &window.layers) {
            if !observables().any(|known| known == name) {
                let message = format!(
                    "the picture `{}` of `{}` shows an observable that the part has not declared",
                    self.title, part.path
                );
                let problem = Problem::new(DeclarationError::WrongDeclaration, Path::default(), message)
                    .value(name)
                    .among(name, observables());
                problems.push(problem.help("declare the observable before the picture"));
            }
        }
        problems
    }
}

impl VariableInfo {
    /// The index of a name in a category.
    pub fn index_of_label(&self, label: &str) -> Option<usize> {
        self.kind.labels(0).and_then(|labels| labels.index(label))
    }
}
