//! The policies to compare, and their results.

use farm_core::Game;
use farm_core::config::Problems;
use farm_games::farm_scoring::risk::{Bootstrap, Criterion, Estimate, Paired};

use super::arguments::Arguments;
use super::played::Played;
use crate::policy::Choice;
use crate::summary::Summary;

/// A policy's result.
pub(super) struct PolicyRecord {
    pub(super) policy: String,
    pub(super) returns: Vec<f64>,
    /// The constraints' totals, episode by episode.
    pub(super) constraints: Vec<f64>,
    pub(super) summary: Summary,
    pub(super) value: Option<f64>,
    pub(super) interval: Option<Estimate>,
    /// The difference from the reference policy. `None` for the reference policy itself.
    pub(super) paired: Option<Paired>,
}

/// The policies to play, without repetitions, and the policy that the others are compared with.
pub(super) struct Policies {
    pub(super) all: Vec<Choice>,
    pub(super) other: Option<usize>,
}

/// The chosen policies. The reference policy comes last unless it was chosen separately.
pub(super) fn policies(game: &Game, arguments: &Arguments) -> Result<Policies, Problems> {
    let mut policies: Vec<Choice> = Vec::new();
    let all: Vec<String> = game.spec().policies().keys().cloned().collect();
    let wanted = if arguments.policy.is_empty() { &all } else { &arguments.policy };
    for name in wanted.iter().chain(&arguments.paired_with) {
        let choice = Choice::of(game, Some(name))?;
        if !policies.contains(&choice) {
            policies.push(choice);
        }
    }
    if policies.is_empty() {
        policies.push(Choice::of(game, None)?);
    }
    let other = match &arguments.paired_with {
        Some(name) => {
            let other = Choice::of(game, Some(name))?;
            policies.iter().position(|policy| *policy == other)
        }
        None => None,
    };
    Ok(Policies { all: policies, other })
}

/// The policies' results over all episodes.
pub(super) fn records(
    arguments: &Arguments,
    criterion: &Criterion,
    policies: &Policies,
    mut played: Played,
) -> Vec<PolicyRecord> {
    let bootstrap =
        Bootstrap { resamples: arguments.resamples, confidence: arguments.confidence, seed: arguments.seed };
    let mut records: Vec<PolicyRecord> = policies
        .all
        .iter()
        .map(|policy| {
            let (returns, constraints) = played.take_policy(arguments.episodes as usize);
            let mut summary = Summary::new();
            returns.iter().for_each(|total| summary.add(*total));
            PolicyRecord {
                policy: policy.name.clone(),
                constraints,
                summary,
                value: criterion.value(&returns),
                interval: bootstrap.estimate(criterion, &returns),
                paired: None,
                returns,
            }
        })
        .collect();
    if let Some((index, other)) = policies.other.and_then(|index| Some((index, records.get(index)?.returns.clone()))) {
        for (_, record) in records.iter_mut().enumerate().filter(|(i, _)| *i != index) {
            record.paired = bootstrap.paired(criterion, &record.returns, &other);
        }
    }
    records
}
