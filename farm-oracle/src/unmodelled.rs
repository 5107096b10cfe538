//! Rejects, at their paths, rules that no planner supports. A proof holds for all other rules.

use farm_core::Game;
use farm_core::action::Call;
use farm_core::config::{Path, Problem};

use crate::parameters::{AllParameters, unmodelled};

/// Rejects rules that neither planner supports: parts of other kinds, several actions in a step, several steps in a day, and actions that
/// more than one part would execute. `calls` are the calls that the planner uses.
pub(crate) fn reject_common(game: &Game, all: &AllParameters, kinds: &[&str], calls: &[Vec<Call>]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for part in all.iter().filter(|part| !kinds.contains(&part.kind.as_str())) {
        let reason = format!("the planner does not support `{}`", part.kind);
        problems.push(*unmodelled(part.path.clone(), &part.kind, &reason, &format!("one of {}", kinds.join(", "))));
    }
    let rules = Path::default().child("rules").child(game.spec().rules().typetag_name());
    if game.catalogue().max_schedule() != 1 {
        let reason = "the planner chooses one action for each step";
        let size = game.catalogue().max_schedule();
        problems.push(*unmodelled(rules.child("max_action_schedule_size"), size, reason, "1"));
    }
    if game.rules().steps_per_day != 1 {
        let reason = "the planner lets time pass in each step";
        problems.push(*unmodelled(rules.child("steps_per_day"), game.rules().steps_per_day, reason, "1"));
    }
    let name = |base: usize| game.catalogue().base_actions()[base].name(game.parts());
    for base in calls.iter().flatten().map(Call::base) {
        let same = (0..game.catalogue().base_actions().len()).filter(|other| name(*other) == name(base)).count();
        if same > 1 {
            let reason = format!("{same} actions have the name `{}`", name(base));
            problems.push(*unmodelled(rules.child("actions"), name(base), &reason, "a name for each action"));
        }
    }
    problems.dedup();
    problems
}
