//! What was understood of a game, in a paragraph that its author can compare with what was meant.

use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{Document, Path};
use farm_core::declare::PartInfo;
use farm_core::inspect::{endings, format_number, join_truncated};
use farm_core::serde_yaml::Value;
use farm_core::{Game, State, StateSlice};
use farm_roles::PLANT_PROGRESS;

/// So many names are listed; the others are counted.
const LISTED: usize = 12;

/// What was understood of a game, a line for each thing: fields and what lives there, how seasons begin, what parts have read from files, what
/// is seen for nothing, actions with what they cost, what pays, how an episode ends, and, where the game begins from another one, what differs.
/// `document` is what it was compiled from.
pub fn read_back(game: &Game, document: &Document) -> Vec<String> {
    let mut lines = Vec::new();
    let mut state = game.new_state();
    game.reset(&mut state, 0, &mut game.new_record());
    for (i, field) in game.fields().iter().enumerate() {
        let parts = game.parts().iter().filter(|part| part.field() == Some(i));
        let area = field.scale_m() * field.scale_m();
        let parts: Vec<String> = parts
            .map(|part| match density(game, part, &state, area) {
                Some(density) => format!("{} at {} per m²", in_words(part, document), format_number(density)),
                None => in_words(part, document),
            })
            .collect();
        let (length, width) = (field.length(), field.width());
        let plots = match length * width {
            1 => "1 plot".to_owned(),
            _ => format!("{length} × {width} plots"),
        };
        lines.push(format!("{}: {plots} of {} m²; {}", field.name(), format_number(area), parts.join(", ")));
    }
    let starts = game.initial_conditions_in_words();
    if !starts.is_empty() {
        let short = |i: usize| starts[i].trim_end_matches('.').to_owned();
        lines.push(format!("start: {}", join_truncated(0..starts.len(), LISTED, short).join("; ")));
    }
    for part in game.parts() {
        lines.extend(part.notes().iter().map(|note| format!("{}: {note}", part.path())));
    }
    lines.push(seen(game));
    lines.push(actions(game));
    lines.push(format!("pays: {}", score(game, document)));
    lines.push(format!("ends: {}", endings(game).join("; ")));
    let differences: Vec<String> = document.differences().into_iter().map(Path::to_string).collect();
    if !differences.is_empty() {
        let shown = join_truncated(0..differences.len(), LISTED, |i| differences[i].clone());
        lines.push(format!("differs from what it extends in: {}", shown.join(", ")));
    }
    lines
}

/// How many plants stand on a square metre at the start of an episode, where any do.
fn density(game: &Game, part: &PartInfo, state: &State, area_m2: f64) -> Option<f64> {
    let is_crop = part.variables().iter().any(|variable| variable.roles().contains(&PLANT_PROGRESS.name()));
    // Only a crop knows how many of its plants are usual.
    let numbers = part.variables().iter().find(|variable| is_crop && variable.usual_start().is_some())?;
    let reader = game.reader(state);
    let most = StateSlice::of_variable(numbers).values(&reader).fold(0.0, f64::max);
    (most > 0.0).then_some(most / area_m2)
}

/// A part by its name and the parameter set that it begins with: `Plant-0 (bean)`.
fn in_words(part: &PartInfo, document: &Document) -> String {
    match set_of(part, document) {
        Some((set, 0)) => format!("{} ({set})", part.name()),
        Some((set, own)) => format!("{} ({set}, {own} changed)", part.name()),
        None => part.name().to_owned(),
    }
}

/// The parameter set that a part begins with, and how many entries it has of its own.
fn set_of<'d>(part: &PartInfo, document: &'d Document) -> Option<(&'d str, usize)> {
    let written = part.config().value_in(document.value())?;
    match written {
        Value::String(set) => Some((set, 0)),
        Value::Mapping(entries) => Some((entries.get("base")?.as_str()?, entries.len() - 1)),
        _ => None,
    }
}

fn seen(game: &Game) -> String {
    let names = game.short_names();
    let shown = join_truncated(0..names.len(), LISTED, |i| names[i].clone()).join(", ");
    let requests = game.catalogue().base_actions().iter().filter(|base| base.kind() == ActionKind::Observation).count();
    let asked = if requests > 0 { format!("; {requests} more when asked for") } else { String::new() };
    let shown = if shown.is_empty() { "nothing".to_owned() } else { shown };
    format!("seen for free: {shown}{asked}")
}

fn actions(game: &Game) -> String {
    let catalogue = game.catalogue();
    let bases = catalogue.base_actions();
    let interventions = bases.iter().filter(|base| matches!(base.target(), ActionTarget::Intervention(_)));
    let mut names: Vec<String> = Vec::new();
    for base in interventions {
        let part = &game.parts()[base.part()];
        let name = match base.info(game.parts()) {
            Some(info) => format!("{}.{}", part.name(), info.name()),
            None => part.name().to_owned(),
        };
        let cost = if base.cost() == 0.0 { "free".to_owned() } else { format_number(base.cost()) };
        let text = format!("{name} ({cost})");
        // Fields with the same parts have the same actions.
        if !names.contains(&text) {
            names.push(text);
        }
    }
    let most = match catalogue.max_schedule() {
        usize::MAX => "any number".to_owned(),
        most => format!("at most {most}"),
    };
    let shown = join_truncated(0..names.len(), LISTED, |i| names[i].clone()).join(", ");
    let shown = if shown.is_empty() { "none".to_owned() } else { shown };
    format!("actions, {most} in a step, with their cost: {shown}")
}

/// What the score says of itself; its kind where it says nothing.
fn score(game: &Game, document: &Document) -> String {
    let part = game.parts().last();
    let said = part.map_or(&[][..], |part| part.text_variables());
    let said: Vec<String> = said
        .iter()
        .filter(|(name, text)| !text.is_empty() && *name != "currency")
        .map(|(name, text)| format!("{} {text}", name.replace('_', " ")))
        .collect();
    match (said.is_empty(), part) {
        (false, _) => said.join("; "),
        (true, Some(part)) => in_words(part, document),
        (true, None) => String::new(),
    }
}
