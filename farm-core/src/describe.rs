//! Describes declarations in words, for people: numbers, ranges, kinds of values, shapes, needs and phases. The command line and the
//! reference pages both use these descriptions, so they agree.

use serde_yaml::Value;

use crate::action::{Allowed, Argument};
use crate::config::to_inline_yaml;
use crate::declare::{ActionParameter, ActionParameterKind, Labels, Need, PartInfo, ValueKind};
use crate::format::{format_number, join_truncated, range};
use crate::picture::{Condition, Picture, Place, Sprite, SpriteRule};
use crate::{Event, Game, Stop};

/// The maximum number of values listed for an action's parameter.
const MAX_VALUES: usize = 8;

/// Where an event happened: the plot `(x, y)` if the event's part has per-plot values, otherwise the index of the item, such as `#3`. An
/// index beyond the field's plots is also written as `#3`.
pub fn event_place(game: &Game, event: usize, plot: u32) -> String {
    let part = game.events.get(event).and_then(|(part, _)| game.parts.get(*part));
    let field = part.and_then(|part| part.field).and_then(|field| game.fields.get(field));
    let plot = plot as usize;
    match (part, field) {
        (Some(part), Some(field))
            if plot < field.plots() && part.variables.iter().any(|variable| variable.per_plot) =>
        {
            format!("({}, {})", plot / field.width, plot % field.width)
        }
        _ => format!("#{plot}"),
    }
}

/// An event in words: the path of the part that reported it, its kind, and its value.
pub fn event_words<'g>(game: &'g Game, event: &Event) -> (&'g str, &'g str, String) {
    match game.events.get(event.id.index()) {
        Some((part, info)) => {
            let source = game.parts.get(*part).map_or("", |part| part.path());
            let what = info.label(event.value).map_or_else(|| format_number(event.value), str::to_owned);
            (source, info.name(), what)
        }
        None => ("", "", format_number(event.value)),
    }
}

/// A YAML value on one line, with real numbers shortened.
pub fn yaml_text(value: &Value) -> String {
    match value {
        Value::Number(n) => match n.as_f64() {
            Some(real) if n.is_f64() => format_number(real),
            _ => n.to_string(),
        },
        other => to_inline_yaml(other),
    }
}

/// The words for a category's numbers, one line per list of names: `0 none, 1 seed, 2 grow`.
pub fn label_rows(kind: &ValueKind) -> Vec<String> {
    let row = |labels: &Labels| match labels {
        Labels::Named(names) => {
            Some(names.iter().enumerate().map(|(i, name)| format!("{i} {name}")).collect::<Vec<_>>().join(", "))
        }
        Labels::Numbered(_) => None,
    };
    kind.lists().into_iter().flatten().filter_map(row).collect()
}

/// A shape in words: `one`, `per plot`, `5 × 5 × 2`.
pub fn shape_text(shape: &[usize], per_plot: bool) -> String {
    match shape {
        _ if per_plot => "per plot".to_owned(),
        [] => "one".to_owned(),
        sizes => sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" × "),
    }
}

/// The values that an action's parameter accepts.
pub fn parameter_text(kind: &ActionParameterKind) -> String {
    match kind {
        ActionParameterKind::Plot => "a plot (x, y)".to_owned(),
        ActionParameterKind::Real { low, high, offered } => {
            let offered: Vec<String> = offered.iter().copied().map(format_number).collect();
            format!("{}; offered: {}", range(*low, *high), offered.join(", "))
        }
        ActionParameterKind::Choice(words) => words.join(", "),
    }
}

/// Where a picture is drawn.
pub fn place_text(place: &Place) -> String {
    match place {
        Place::Plots => "on each plot".to_owned(),
        Place::Things { at, .. } => format!("on the tiles in {at}"),
        Place::Map { .. } => "on each tile of the map".to_owned(),
        Place::SeenTiles => "on each tile of the learner's window".to_owned(),
        Place::Position { at } => format!("at {at}"),
        Place::StatusBar => "in the strip next to the field".to_owned(),
    }
}

/// When a picture's sprite is drawn: `1 ≤ population#nb ≤ 9`, `stage is bloom`.
pub fn look_text(part: &PartInfo, look: &SpriteRule) -> String {
    let named = |variable: &str, value: f64| {
        let info = part.variables.iter().find(|info| info.name == variable)?;
        let words = info.kind.words(0)?;
        (0..words.len()).find(|i| *i as f64 == value).map(|i| words.name(i))
    };
    match &look.when {
        Condition::Always => "otherwise".to_owned(),
        Condition::Label { variable, label } => format!("{variable} is {label}"),
        Condition::Names(names) => format!("the tile is {}", names.join(", ")),
        Condition::Within { variable, low, high } if low == high => match named(variable, *low) {
            Some(name) => format!("{variable} is {name}"),
            None => format!("{variable} = {}", format_number(*low)),
        },
        Condition::Within { variable, low, high } => match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("{} ≤ {variable} ≤ {}", format_number(*low), format_number(*high)),
            (true, false) => format!("{variable} ≥ {}", format_number(*low)),
            (false, true) => format!("{variable} ≤ {}", format_number(*high)),
            (false, false) => "always".to_owned(),
        },
    }
}

/// What a sprite rule draws: a sprite, given by its name, a label, or nothing.
pub fn sprite_text(look: &SpriteRule) -> String {
    match &look.sprite {
        Sprite::Nothing => "nothing is drawn".to_owned(),
        Sprite::Svg(_) => look.name.clone(),
        Sprite::Label(name) => format!("a tile with letters of {name}"),
    }
}

/// A picture's title, with its parameter set.
pub fn title_text(picture: &Picture, set: Option<&str>) -> String {
    set.map_or_else(|| picture.title.clone(), |set| format!("{}, {set}", picture.title))
}

/// Further notes about a picture, for example values written in it, colours for large fields, its window, or a dependence on parameters.
pub fn picture_notes(picture: &Picture) -> Vec<String> {
    let mut notes: Vec<String> = picture.values.iter().map(|name| format!("{name} is written beside it")).collect();
    if let Some(heat) = &picture.heat {
        notes.push(format!("colours of large fields: {}, {}", heat.variable, range(heat.low, heat.high)));
    }
    if let Some(window) = &picture.window {
        notes.push(format!("sees {edge} × {edge} plots around it", edge = window.edge));
    }
    if notes.is_empty() && picture.sprite_rules.is_empty() {
        notes.push("depends on its parameters".to_owned());
    }
    notes
}

/// The width of the part's field, and its number of plots.
pub fn plots(game: &Game, part: &PartInfo) -> (usize, usize) {
    let field = part.field.and_then(|field| game.fields.get(field));
    field.map_or((1, 1), |field| (field.width.max(1), field.plots()))
}

/// An action's argument, as text.
pub fn argument(argument: Argument<'_>) -> String {
    match argument {
        Argument::Real(value) => format_number(value),
        other => other.to_string(),
    }
}

/// The values that a game allows for a parameter of one of the part's actions.
pub fn allowed_text(game: &Game, part: &PartInfo, parameter: &ActionParameter, allowed: &Allowed) -> String {
    let values = match allowed {
        Allowed::Range { low, high } => return range(*low, *high),
        Allowed::Values(values) => values,
    };
    let (width, all) = plots(game, part);
    let text = |value: &f64| argument(Argument::new(&parameter.kind, *value, width));
    match &parameter.kind {
        ActionParameterKind::Plot if values.len() == all && all > 1 => format!("any of the {all} plots"),
        _ => join_truncated(values.iter(), MAX_VALUES, text).join(", "),
    }
}

/// The ends of an episode: first the clauses in the stopping conditions, then the time limit, with the number of steps if a day has
/// several.
pub fn endings(game: &Game) -> Vec<String> {
    let clauses = game.rules.stopping.0.iter().enumerate().map(|(i, clause)| {
        let (reason, rule) = (game.text().stop_reason(Stop::Condition(i)), game.text().clause_text(clause));
        if reason == rule { rule } else { format!("{reason} ({rule})") }
    });
    let steps = game.most_steps().filter(|steps| game.rules.max_steps.is_some_and(|days| u64::from(days) != *steps));
    let steps = steps.map_or(String::new(), |steps| format!(" ({steps} steps)"));
    let limit = game.rules.max_steps.map(|_| format!("{}{steps}", game.text().stop_reason(Stop::Limit)));
    clauses.map(|text| format!("when {text}")).chain(limit).collect()
}

impl Need {
    /// The need's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Maybe => "maybe",
            Self::All => "all",
        }
    }

    /// What the need requires.
    pub fn text(self) -> &'static str {
        match self {
            Self::One => "exactly one provider",
            Self::Maybe => "one provider or none",
            Self::All => "any number of providers",
        }
    }
}

impl PartInfo {
    /// The roles that the part looks up, without duplicates, in order.
    pub fn roles_read(&self) -> Vec<(&'static str, Need)> {
        let mut read: Vec<(&'static str, Need)> = Vec::new();
        for need in &self.needs {
            if !read.contains(need) {
                read.push(*need);
            }
        }
        read
    }

    /// The roles for which the part changes values in other parts, without duplicates, in order.
    pub fn roles_written(&self) -> Vec<&'static str> {
        let mut written: Vec<&'static str> = Vec::new();
        for role in &self.writes {
            if !written.contains(role) {
                written.push(role);
            }
        }
        written
    }

    /// The roles that the part's variables provide, each with the variable.
    pub fn roles_given(&self) -> Vec<(&'static str, &str)> {
        self.variables.iter().flat_map(|v| v.roles.iter().map(|role| (*role, v.name.as_str()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;
    use crate::declare::VariableInfo;

    #[test]
    fn conditions_of_pictures_are_read_aloud() {
        let variable = |name: &str, kind: ValueKind| VariableInfo {
            name: name.to_owned(),
            doc: String::new(),
            shape: Vec::new(),
            kind,
            default: 0.0,
            visible: true,
            per_plot: false,
            plots_of: None,
            usual_start: None,
            synonyms: &[],
            roles: Vec::new(),
            slot: (Region::Bytes, 0, 1),
        };
        let moods = vec![Labels::Named(vec!["asleep".to_owned(), "awake".to_owned()])];
        let part = PartInfo {
            variables: vec![
                variable("mood", ValueKind::Category(moods)),
                variable("wet", ValueKind::Flag),
                variable("n#nb", ValueKind::Count { low: 0, high: 9 }),
            ],
            ..PartInfo::default()
        };
        let picture = Picture::in_status_bar("slugs")
            .label("mood", "awake", "", "")
            .within("mood", 0.0, 0.0, "", "")
            .within("wet", 1.0, 1.0, "", "")
            .within("n#nb", 2.0, 2.0, "", "")
            .within("n#nb", 3.0, 4.5, "", "")
            .from("n#nb", 5.0, "", "")
            .within("n#nb", f64::NEG_INFINITY, 1.0, "", "")
            .otherwise("", "");
        let texts: Vec<String> = picture.sprite_rules.iter().map(|look| look_text(&part, look)).collect();
        let expected = [
            "mood is awake",
            "mood is asleep",
            "wet is yes",
            "n#nb = 2",
            "3 ≤ n#nb ≤ 4.5",
            "n#nb ≥ 5",
            "n#nb ≤ 1",
            "otherwise",
        ];
        assert_eq!(texts, expected);
    }
}
