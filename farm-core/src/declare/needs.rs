//! Checks that each role that a part needs has a provider.

use std::collections::HashSet;

use super::errors::RoleError;
use super::providers::Providers;
use super::{Need, PartInfo, found};
use crate::config::Problem;
use crate::format::join_truncated;

/// The maximum number of roles listed in a message about a missing part.
const MAX_ROLES: usize = 3;

/// A registered kind that provides a role.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) kind: &'static str,
    /// The text that adds a part of this kind to a game file, with the choice that the role needs.
    pub(crate) written: String,
    /// The choice with which a part of this kind provides the role. `None` if the part provides the role with any choice.
    pub(crate) choice: Option<String>,
}

/// The problems with the needs of a part: roles that must have exactly one provider, and have none or several. Roles with the same rival
/// providers, or the same fix, share one problem.
pub(crate) fn problems_of_needs(
    part: &PartInfo,
    parts: &[PartInfo],
    providers: &Providers,
    candidates_for: fn(&str) -> Vec<Candidate>,
) -> Vec<Problem> {
    let mut rivals: Vec<(String, Vec<String>)> = Vec::new();
    let mut missing = Vec::new();
    let ones = part.needs.iter().zip(&part.docs_of_needs).filter(|((_, need), _)| *need == Need::One);
    let mut seen = HashSet::new();
    for ((role, _), doc) in ones.filter(|((role, _), _)| seen.insert(*role)) {
        let found: Vec<&PartInfo> =
            found::providers(role, part.field, parts, providers).map(|(provider, _)| provider).collect();
        match found.as_slice() {
            [] => missing.push((*role, *doc)),
            [_] => {}
            several => {
                let names: Vec<String> = several.iter().map(|part| format!("`{}`", part.path)).collect();
                let (names, role) = (names.join(", "), format!("`{role}`"));
                match rivals.iter_mut().find(|(known, _)| *known == names) {
                    Some((_, roles)) => roles.push(role),
                    None => rivals.push((names, vec![role])),
                }
            }
        }
    }
    let mut problems: Vec<Problem> = rivals.into_iter().map(|(rivals, roles)| too_many(part, rivals, &roles)).collect();
    problems.extend(none(part, parts, &missing, candidates_for));
    problems
}

/// The problem with roles that these parts all provide.
fn too_many(part: &PartInfo, rivals: String, roles: &[String]) -> Problem {
    let word = if roles.len() == 1 { "role" } else { "roles" };
    let message =
        format!("`{}` needs one provider of the {word} {}, but there are several", part.path, roles.join(", "));
    let problem = Problem::new(RoleError::SeveralProviders, part.config.clone(), message).about_name().value(rivals);
    problem.help("keep one of them in the field")
}

/// A fix, a flag for whether it adds a part, and the roles that need the fix, each with its description.
struct Remedy<'r> {
    help: (String, bool),
    roles: Vec<(&'r str, &'r str)>,
}

/// The problems with roles that no part provides.
fn none(
    part: &PartInfo,
    parts: &[PartInfo],
    missing: &[(&'static str, &'static str)],
    candidates_for: fn(&str) -> Vec<Candidate>,
) -> Vec<Problem> {
    let mut remedies: Vec<Remedy<'_>> = Vec::new();
    for (role, doc) in missing {
        let help = help_for(part, parts, &candidates_for(role));
        match remedies.iter_mut().find(|known| known.help == help) {
            Some(known) => known.roles.push((role, doc)),
            None => remedies.push(Remedy { help, roles: vec![(role, doc)] }),
        }
    }
    let problem = |Remedy { help: (help, is_part), roles }: Remedy<'_>| {
        let names = join_truncated(roles.iter(), MAX_ROLES, |(role, _)| format!("`{role}`")).join(", ");
        let doc = |(role, doc): &(&str, &str)| format!("`{role}` ({})", doc.trim().trim_end_matches('.'));
        let docs = join_truncated(roles.iter(), MAX_ROLES, doc).join(", ");
        let word = if roles.len() == 1 { "role" } else { "roles" };
        let message = format!("`{}` needs the {word} {names}, which no part provides", part.path);
        // Users who forgot a part may not know about roles, so the fix comes first.
        let message = if is_part { format!("{help}: {message}") } else { message };
        let problem = Problem::new(RoleError::RoleWithoutProvider, part.config.clone(), message)
            .about_name()
            .expected(format!("one part that provides {docs}"));
        if is_part { problem } else { problem.help(help) }
    };
    remedies.into_iter().map(problem).collect()
}

/// The fix for a role without a provider, and whether the fix adds a part.
fn help_for(part: &PartInfo, parts: &[PartInfo], candidates: &[Candidate]) -> (String, bool) {
    let with_choice = |there: &PartInfo| {
        let candidate = candidates.iter().find(|candidate| candidate.kind == there.kind)?;
        let choice = candidate.choice.as_ref()?;
        Some(format!("`{}` provides it only with `{choice}`: set that, or give both parts the same choice", there.path))
    };
    let choice = parts.iter().filter(|there| part.field.is_none() || there.field == part.field).find_map(with_choice);
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.written.as_str()).collect();
    match (choice, names.as_slice()) {
        (Some(choice), _) => (choice, false),
        (None, []) => ("no known part provides it: write a part that declares the role".to_owned(), false),
        (None, names) => (format!("add {} to the field", names.join(" or ")), true),
    }
}
