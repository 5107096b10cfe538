//! A summary of a compiled game. The author can compare it with the intended game.

use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{Document, Path};
use farm_core::declare::PartInfo;
use farm_core::inspect::{endings, format_number, join_truncated};
use farm_core::serde_yaml::Value;
use farm_core::{Game, State, StateSlice};
use farm_roles::PLANT_PROGRESS;

/// The maximum number of listed names; further names are only counted.
const LISTED: usize = 12;

/// A summary of a game, one line per subject.
///
/// The subjects are fields and their parts, the start of seasons, data that parts have read from files, and free observations. They are
/// followed by actions with their costs, rewards, the ends of an episode, and the differences from a base game. `document` is the game's
/// source.
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
    let starts = game.text().initial_conditions();
    if !starts.is_empty() {
        let short = |i: usize| starts[i].trim_start_matches("At the start, ").trim_end_matches('.').to_owned();
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
        lines.push(format!("differs from its base game in: {}", shown.join(", ")));
    }
    lines
}

/// The number of plants per square metre at the start of an episode; none without plants.
fn density(game: &Game, part: &PartInfo, state: &State, area_m2: f64) -> Option<f64> {
    let is_crop = part.variables().iter().any(|variable| variable.roles().contains(&PLANT_PROGRESS.name()));
    // Only crops have a usual number of plants.
    let numbers = part.variables().iter().find(|variable| is_crop && variable.usual_start().is_some())?;
    let reader = game.reader(state);
    let most = StateSlice::of_variable(numbers).values(&reader).fold(0.0, f64::max);
    (most > 0.0).then_some(most / area_m2)
}

/// A part with its name and its parameter set: `Plant-0 (bean)`.
fn in_words(part: &PartInfo, document: &Document) -> String {
    match set_of(part, document) {
        Some((set, 0)) => format!("{} ({set})", part.name()),
        Some((set, own)) => format!("{} ({set}, {own} changed)", part.name()),
        None => part.name().to_owned(),
    }
}

/// A part's parameter set, and the number of keys that the part changes.
fn set_of<'d>(part: &PartInfo, document: &'d Document) -> Option<(&'d str, usize)> {
    let written = part.config().value_in(document.value())?;
    match written {
        Value::String(set) => Some((set, 0)),
        Value::Mapping(entries) => Some((entries.get("base")?.as_str()?, entries.len() - 1)),
        _ => None,
    }
}

fn seen(game: &Game) -> String {
    let names = game.text().short_names();
    let shown = join_truncated(0..names.len(), LISTED, |i| names[i].clone()).join(", ");
    let requests = game.catalogue().base_actions().iter().filter(|base| base.kind() == ActionKind::Observation).count();
    let asked = if requests > 0 { format!("; {requests} more on request") } else { String::new() };
    let shown = if shown.is_empty() { "nothing".to_owned() } else { shown };
    format!("free observations: {shown}{asked}")
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
    format!("actions, {most} per step, with their cost: {shown}")
}

/// The score's description, from its text variables; its kind if it has none.
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
