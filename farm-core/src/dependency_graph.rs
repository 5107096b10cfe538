//! Influences between parts. A part that provides a role influences the parts that look up the role. If a part changes variables that
//! another part provides for a role, it also influences that part.
//!
//! This is Figure 2 of the Farm-gym paper, derived from the declarations. Variables and events that scores and rules read by
//! name are not roles, so they do not count as influences between parts.

use std::collections::BTreeMap;

use crate::declare::{Need, PartInfo};

/// One part's influence on another.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Influence {
    /// The index of the influencing part.
    pub(crate) from: usize,
    /// The index of the influenced part.
    pub(crate) to: usize,
    /// The roles, in look-up order.
    pub(crate) roles: Vec<&'static str>,
}

/// All influences between different parts, sorted by the influenced part and then by the influencing part.
pub fn influences(parts: &[PartInfo]) -> Vec<Influence> {
    let mut found: BTreeMap<(usize, usize), Vec<&'static str>> = BTreeMap::new();
    let mut note = |to: usize, from: usize, role: &'static str| {
        let roles = found.entry((to, from)).or_default();
        if !roles.contains(&role) {
            roles.push(role);
        }
    };
    for (index, part) in parts.iter().enumerate() {
        let providers = |role: &'static str| {
            let fills = move |other: &PartInfo| {
                other
                    .variables
                    .iter()
                    .any(|variable| variable.roles.contains(&role) && other.shows(variable, part.field))
            };
            parts.iter().enumerate().filter(move |(_, other)| part.sees(other) && fills(other)).map(|(other, _)| other)
        };
        for (role, need) in &part.needs {
            // An optional role uses the first provider.
            let taken = if *need == Need::Maybe { 1 } else { usize::MAX };
            providers(role).take(taken).for_each(|provider| note(index, provider, role));
        }
        for role in &part.writes {
            providers(role).for_each(|provider| note(provider, index, role));
        }
    }
    let others = found.into_iter().filter(|((to, from), _)| to != from);
    others.map(|((to, from), roles)| Influence { from, to, roles }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::{ValueKind, VariableInfo};
    use crate::state::Region;

    fn part(field: Option<usize>, fills: &[&'static str], needs: &[(&'static str, Need)]) -> PartInfo {
        let variable = VariableInfo {
            name: "v".into(),
            doc: "A variable.".into(),
            kind: ValueKind::Flag,
            shape: Vec::new(),
            per_plot: false,
            plots_of: None,
            usual_start: None,
            synonyms: &[],
            visible: true,
            default: 0.0,
            roles: fills.to_vec(),
            slot: (Region::Bytes, 0, 1),
        };
        PartInfo { field, variables: vec![variable], needs: needs.to_vec(), ..PartInfo::default() }
    }

    fn arrows(parts: &[PartInfo]) -> Vec<(usize, usize, Vec<&'static str>)> {
        influences(parts).into_iter().map(|influence| (influence.from, influence.to, influence.roles)).collect()
    }

    #[test]
    fn parts_are_influenced_within_their_field_and_by_the_farm() {
        let wants = [("rain", Need::All)];
        let parts = [
            part(Some(0), &["rain"], &[]),
            part(Some(1), &["rain"], &[]),
            part(None, &["rain"], &[]),
            part(Some(0), &[], &wants),
            part(None, &[], &wants),
        ];
        let rain = || vec!["rain"];
        assert_eq!(arrows(&parts), [(0, 3, rain()), (2, 3, rain()), (0, 4, rain()), (1, 4, rain()), (2, 4, rain())]);
    }

    #[test]
    fn one_is_enough_where_one_is_taken_and_nobody_influences_itself() {
        let first = part(Some(0), &["shade", "demand"], &[]);
        let reader = part(Some(0), &["shade"], &[("shade", Need::All), ("demand", Need::Maybe), ("shade", Need::All)]);
        let parts = [first.clone(), first, reader];
        assert_eq!(arrows(&parts), [(0, 2, vec!["shade", "demand"]), (1, 2, vec!["shade"])]);
    }

    #[test]
    fn who_changes_what_another_keeps_influences_it() {
        let mut guest = part(Some(0), &[], &[("seats", Need::All)]);
        guest.writes.push("seats");
        let parts = [part(Some(0), &["seats"], &[]), guest];
        assert_eq!(arrows(&parts), [(1, 0, vec!["seats"]), (0, 1, vec!["seats"])]);
    }
}
