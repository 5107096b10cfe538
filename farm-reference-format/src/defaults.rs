//! The reference's defaults for missing files, and the other settings that a game requires.

use farm_core::Game;
use farm_core::config::{Path, TextPath};
use farm_core::serde_yaml::{self, Value};

use crate::sections::{Sheets, rule_path};

/// Policies that require no knowledge of the game.
pub(crate) const POLICIES: [(&str, &str); 2] = [("random", "RandomPolicy"), ("wait", "WaitPolicy")];
/// The initial values in the published games, for parts that have the variable. Plots start unsown, which is the reference's default stage.
const START: [(&str, &str, &str); 4] = [
    ("Weather", "year#int100", "0"),
    ("Weather", "day#int365", "120"),
    ("Soil", "microlife_health_index#%", "75"),
    ("Plant", "stage", "none"),
];
/// Observations that have no price.
const FREE: [(&str, &str); 2] = [("Weather", "day#int365"), ("Weather", "air_temperature")];
/// The reference's end conditions, one per line.
const ENDINGS: [(&str, &str, &str, &str); 2] =
    [("Weather", "day#int365", ">=", "360"), ("Plant", "global_stage", "==", "dead")];
/// Maximum number of steps in an episode: ten years, because the reference sets no limit.
const MAX_STEPS: u32 = 3650;
/// The weight of each kind of living being in the reference's biodiversity.
const BIODIVERSITY: &str = "{birds: 1.0, pests: 0.01, pollinators: 0.5, weeds: 0.1}";
/// Number of actions in one schedule.
const SCHEDULE: u32 = 5;

/// A short description of the default for a missing file.
pub(crate) fn what(file: &str) -> &'static str {
    match file {
        "initialization" => "a start on day 120 with nothing sown, and an end on day 360 or when the plants are dead",
        "actions" => "every action allowed, and the day and the temperature shown free of charge",
        _ => "a cost of 1 for each action and observation, a reward of 1 for each stage, and the harvest at the end",
    }
}

/// The first part of a kind in each field, as the names of the field and the part.
fn first_of<'g>(game: &'g Game, kind: &str) -> Vec<(&'g str, &'g str)> {
    let fields = game.fields().iter().enumerate();
    let first = |i: usize| game.parts().iter().find(move |part| part.field() == Some(i) && part.kind() == kind);
    fields.filter_map(|(i, field)| Some((field.name(), first(i)?.name()))).collect()
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_default()
}

/// Sets start and end if there is no file for them.
pub(crate) fn init(sheets: &mut Sheets<'_>, game: &Game, origin: &TextPath) {
    for (kind, variable, value) in START {
        for (field, part) in first_of(game, kind) {
            let place = rule_path("initial_conditions").child(field).child(part).child(variable);
            sheets.document.place(&place, yaml(value), origin.clone());
        }
    }
    let mut endings = Vec::new();
    for (kind, variable, operator, value) in ENDINGS {
        if let Some((field, part)) = first_of(game, kind).first() {
            let text = format!(
                "[{{state_variable: [{field}, {part}, '{variable}', []], function: value, operator: '{operator}', ref_value: {value}}}]"
            );
            endings.push(yaml(&text));
        }
    }
    sheets.rule("stopping_conditions", Value::Sequence(endings), origin);
}

/// Sets actions and observations if there is no file for them.
pub(crate) fn actions(sheets: &mut Sheets<'_>, game: &Game, origin: &TextPath) {
    let free = FREE.iter().flat_map(|(kind, variable)| {
        let seen = |(field, part): (&str, &str)| Value::from(vec![field, part, *variable]);
        first_of(game, kind).into_iter().map(seen)
    });
    let free = free.collect();
    sheets.rule("free_observations", Value::Sequence(free), origin);
    sheets.rule("max_action_schedule_size", Value::from(SCHEDULE), origin);
    interventions(sheets);
    if sheets.asks {
        sheets.document.remove(&rule_path("observations"));
    }
}

/// Allows every action, the default.
pub(crate) fn interventions(sheets: &mut Sheets<'_>) {
    sheets.document.remove(&rule_path("actions"));
}

/// Sets costs and rewards if there is no file for them.
pub(crate) fn score(sheets: &mut Sheets<'_>, origin: &TextPath) {
    for cost in ["default_observation_cost", "default_intervention_cost"] {
        sheets.score_parameter(cost, Value::from(1.0), origin);
    }
    sheets.score_parameter("reward_mix", yaml("{stage_transition: 1.0}"), origin);
    sheets.score_parameter("final_reward_mix", yaml("{yield#kg: 1000.0}"), origin);
}

/// Sets the values that are in no reference file.
pub(crate) fn for_all(sheets: &mut Sheets<'_>) {
    let origin = TextPath { text: 0, path: Path::default() };
    sheets.rule("max_steps", Value::from(MAX_STEPS), &origin);
    sheets.remarks.defaulted(
        &origin,
        "max_steps",
        &MAX_STEPS.to_string(),
        "a limit for games that never reach an ending",
    );
    sheets.rule("costs_in_info_only", Value::Bool(true), &origin);
    sheets.remarks.defaulted(&origin, "costs_in_info_only", "true", "the reference subtracts no costs from the reward");
    sheets.score_parameter("biodiversity", yaml(BIODIVERSITY), &origin);
}
