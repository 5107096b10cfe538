//! Finds the clauses of a member's rules that an agent's behaviour agrees with, and the step from which it agrees.
//!
//! An action can be relevant to a clause. For example, watering is relevant to the amount of water that it takes, and a verb is relevant to
//! its effect on a thing. A relevant action agrees with a clause if an agent that knew the clause would choose this action. The behaviour
//! agrees from the first relevant action after the last one that does not agree. Clauses that no single action reveals, such as the value
//! of a coin, are left out.
//!
//! | file | contents |
//! |---|---|
//! | `backwards.rs` | evidence from actions in `backwards_valley` |
//! | `valley.rs` | evidence from actions in `valley_farm` |

mod backwards;
mod evidence;
mod valley;

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Game, State};
use farm_games::families::{RuleFamily, is_member};
use farm_oracle::GridReading;
use serde_json::{Value as Json, json};

use crate::header::EpisodePlan;
use crate::run::Run;
use crate::session::Session;
use crate::trace::{Line, Trace};
use crate::verify::recorded_answer;
use evidence::Evidence;

/// The step from which the behaviour agrees with a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agrees {
    /// From this step, counted from 1: the first relevant action after the last one that does not agree.
    From(u64),
    /// The last relevant action does not agree.
    Never,
    /// No action was relevant.
    NotTried,
}

/// A clause, and the step from which the behaviour in an episode agrees with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedClause {
    /// The name of the clause, as `farm agents family MEMBER --clauses` prints it.
    pub clause: String,
    /// The clause's value in these rules.
    pub value: String,
    /// The step from which the behaviour agrees.
    pub agrees: Agrees,
    /// The number of relevant actions.
    pub tries: u64,
}

/// The clauses of an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeClauses {
    /// The episode.
    pub episode: String,
    /// Its clauses, in the order of the family.
    pub clauses: Vec<LearnedClause>,
}

/// A clause's results over all episodes of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ClauseSummary {
    /// The name of the clause.
    pub clause: String,
    /// The number of episodes with relevant actions.
    pub tried: usize,
    /// The number of these episodes in which the behaviour agrees at the end.
    pub agreed: usize,
    /// The mean step from which these episodes agree.
    pub step: Option<f64>,
}

/// Judges the actions in games of a family.
enum Judge {
    Backwards(Box<backwards::Judge>),
    Valley(Box<valley::Judge>),
}

impl Judge {
    /// Creates the judge of a family member, or of the game that the family is based on; `None` for other games.
    fn of(name: &str, game: &Game) -> Option<Self> {
        if !is_member(name) && RuleFamily::named(name).is_none() {
            return None;
        }
        Some(match GridReading::of(game).ok()? {
            GridReading::BackwardsValley(reading) => Self::Backwards(Box::new(backwards::Judge::new(reading, game)?)),
            GridReading::ValleyFarm(reading) => Self::Valley(Box::new(valley::Judge::new(*reading))),
        })
    }

    /// The clauses with their values.
    fn clauses(&self) -> &[(String, String)] {
        match self {
            Self::Backwards(judge) => judge.clauses(),
            Self::Valley(judge) => judge.clauses(),
        }
    }

    /// Collects the evidence from a schedule in a state.
    fn evidence(&self, game: &Game, state: &State, schedule: &[Call], found: &mut Vec<Evidence>) {
        match self {
            Self::Backwards(judge) => judge.evidence(game, state, schedule, found),
            Self::Valley(judge) => judge.evidence(game, state, schedule, found),
        }
    }
}

/// Replays the recorded replies of all episodes that have a trace, and evaluates their clauses. Games outside the families have no clauses.
///
/// # Errors
/// A step failed because of a defect in the game.
pub fn clauses(run: &Run, traces: &[Trace]) -> Result<Vec<EpisodeClauses>, Problems> {
    let mut found = Vec::new();
    for (index, (plan, trace)) in run.header().episodes.iter().zip(traces).enumerate() {
        let game = &run.game(index)?;
        let name = plan.game.as_ref().unwrap_or(&run.header().game);
        let Some(judge) = Judge::of(name, game) else { continue };
        found.push(EpisodeClauses { episode: plan.id.clone(), clauses: of_episode(&judge, run, plan, game, trace)? });
    }
    Ok(found)
}

fn of_episode(
    judge: &Judge,
    run: &Run,
    plan: &EpisodePlan,
    game: &Arc<Game>,
    trace: &Trace,
) -> Result<Vec<LearnedClause>, Problems> {
    let mut session = Session::new(game.clone(), plan.seed, plan.conduct(run.header().conduct));
    let mut shown: Vec<Vec<(u64, bool)>> = vec![Vec::new(); judge.clauses().len()];
    let (mut step, mut evidence) = (0, Vec::new());
    for line in &trace.lines {
        let Some(answer) = recorded_answer(line) else { continue };
        if session.end_reason().is_some() {
            break;
        }
        if let Line::Call(call) = line
            && call.played
        {
            step += 1;
            if let Ok(schedule) = session.environment().game().text().parse(&call.reply) {
                evidence.clear();
                judge.evidence(game, session.environment().state(), &schedule, &mut evidence);
                evidence.iter().for_each(|(clause, agrees)| shown[*clause].push((step, *agrees)));
            }
        }
        session.take_line(answer)?;
    }
    let learned = judge.clauses().iter().zip(shown).map(|((clause, value), shown)| LearnedClause {
        clause: clause.clone(),
        value: value.clone(),
        agrees: agreement(&shown),
        tries: shown.len() as u64,
    });
    Ok(learned.collect())
}

/// The step from which all evidence agrees.
fn agreement(shown: &[(u64, bool)]) -> Agrees {
    let after = shown.iter().rposition(|(_, agrees)| !agrees).map_or(0, |last| last + 1);
    match (shown.is_empty(), shown.get(after)) {
        (true, _) => Agrees::NotTried,
        (_, Some((step, _))) => Agrees::From(*step),
        (_, None) => Agrees::Never,
    }
}

impl ClauseSummary {
    /// Summarises all episodes, clause by clause.
    pub fn of(episodes: &[EpisodeClauses]) -> Vec<Self> {
        let mut names: Vec<&str> = Vec::new();
        for clause in episodes.iter().flat_map(|episode| &episode.clauses) {
            if !names.contains(&clause.clause.as_str()) {
                names.push(&clause.clause);
            }
        }
        let summary = |name: &str| {
            let of_name = episodes.iter().flat_map(|episode| &episode.clauses).filter(|clause| clause.clause == name);
            let tried: Vec<Agrees> =
                of_name.map(|clause| clause.agrees).filter(|agrees| *agrees != Agrees::NotTried).collect();
            let from: Vec<f64> = tried
                .iter()
                .filter_map(|agrees| if let Agrees::From(step) = agrees { Some(*step as f64) } else { None })
                .collect();
            let step = (!from.is_empty()).then(|| from.iter().sum::<f64>() / from.len() as f64);
            Self { clause: name.to_owned(), tried: tried.len(), agreed: from.len(), step }
        };
        names.into_iter().map(summary).collect()
    }

    /// The table row: the clause, the share of agreeing episodes among those with relevant actions, and the mean step.
    pub fn row(&self) -> [String; 3] {
        let step = self.step.map_or("–".to_owned(), |step| format!("{step:.1}"));
        let agreed =
            if self.tried == 0 { "not tried".to_owned() } else { format!("{} of {}", self.agreed, self.tried) };
        [self.clause.clone(), agreed, step]
    }
}

impl EpisodeClauses {
    /// The result for each clause as JSON: the step, `never` or `not tried`.
    pub fn json(&self) -> Json {
        let clause = |clause: &LearnedClause| {
            let agrees = match clause.agrees {
                Agrees::From(step) => json!(step),
                Agrees::Never => json!("never"),
                Agrees::NotTried => json!("not tried"),
            };
            json!({"clause": clause.clause, "value": clause.value, "agrees_from": agrees, "tries": clause.tries})
        };
        json!({"episode": self.episode, "clauses": self.clauses.iter().map(clause).collect::<Vec<_>>()})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviour_agrees_from_the_first_action_after_the_last_that_does_not() {
        assert_eq!(agreement(&[]), Agrees::NotTried);
        assert_eq!(agreement(&[(3, true), (5, true)]), Agrees::From(3));
        assert_eq!(agreement(&[(3, true), (5, false), (9, true), (11, true)]), Agrees::From(9));
        assert_eq!(agreement(&[(3, true), (5, false)]), Agrees::Never);
    }
}
