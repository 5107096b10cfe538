//! Variables as subjects of sentences, in the words of their descriptions.

use crate::Game;
use crate::declare::{PartInfo, Quantity, Reference};

/// Words that begin a clause. A description that begins with one of them cannot be a subject.
const CLAUSES: [&str; 6] = ["How", "If", "What", "When", "Where", "Whether"];

/// A variable in a sentence, such as `the day of the year`. If its description gives no subject, the subject is the variable's name.
pub(super) fn subject(game: &Game, variable: &Reference) -> String {
    match variable.quantity {
        Quantity::Step => "the number of completed steps".to_owned(),
        Quantity::Remaining => "the number of steps left".to_owned(),
        Quantity::Variable(_) | Quantity::Observable(_) => {
            let part = &game.parts[variable.part];
            let variables = part.variables.iter().map(|info| (&info.name, &info.doc));
            let mut all = variables.chain(part.observables.iter().map(|info| (&info.name, &info.doc)));
            let found = all.find(|(name, _)| variable.name == format!("{}.{name}", part.path));
            let found = found.and_then(|(name, doc)| subject_of(game, part, name, doc));
            found.unwrap_or_else(|| format!("`{}`", variable.name))
        }
    }
}

/// A part's variable in a sentence: the first clause of its description. The name of the field or the part follows if other parts have the
/// same variable.
/// `None` if the description cannot be a subject, as with `1 if …`.
pub(super) fn subject_of(game: &Game, part: &PartInfo, name: &str, doc: &str) -> Option<String> {
    let clause = doc.split(['.', ',']).next().unwrap_or_default().trim();
    let noun = clause.strip_prefix("The ").unwrap_or(clause);
    let first = noun.chars().next().filter(|first| first.is_alphabetic())?;
    if noun.split(' ').next().is_some_and(|word| CLAUSES.contains(&word)) {
        return None;
    }
    let shared = game.parts.iter().filter(|other| {
        other.path != part.path && other.kind == part.kind && other.variables.iter().any(|own| own.name == name)
    });
    let shared: Vec<&PartInfo> = shared.collect();
    let owner = match part.field.map(|field| &game.fields[field].name) {
        _ if shared.is_empty() => String::new(),
        Some(field) if shared.iter().all(|other| other.field != part.field) => format!(" ({field})"),
        Some(_) if game.fields.len() == 1 => format!(" ({})", part.name),
        _ => format!(" ({})", part.path),
    };
    Some(format!("the {}{}{owner}", first.to_lowercase(), &noun[first.len_utf8()..]))
}
