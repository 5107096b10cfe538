//! Tests every numeric parameter at each end of its range: an accepted game stays within its ranges and restores its own snapshots.

use std::panic::{AssertUnwindSafe, catch_unwind};

use farm_core::config::{ParameterDoc, ParameterKind, PartKind};
use farm_core::declare::PartInfo;
use farm_core::registry::{Kind, kind};
use farm_core::spec::load;
use farm_core::{Game, PlayError, StepError};
use serde_yaml::Value;

use crate::checks::check_ranges;
use crate::play::Rollout;
use crate::report::{Defect, Findings};

/// This check's name in defects.
const CHECK: &str = "ends";
/// Number of steps for which a game is played with a parameter at an end of its range.
const STEPS: u32 = 12;

/// A change to a number: its path in the game, and its new value.
struct Change {
    part: String,
    /// The parameter's name, with the names of its groups.
    name: String,
    way: Vec<Value>,
    value: Value,
}

/// Plays a game with each numeric parameter of these parts at each end of its range: at most `most` plays, spread over all parameters.
/// Values that the game rejects are left out.
pub(crate) fn check(game: &Game, subjects: &[usize], most: usize, findings: &mut Findings) {
    let Ok(document) =
        game.spec().to_yaml().map_err(|_| ()).and_then(|yaml| serde_yaml::from_str(&yaml).map_err(|_| ()))
    else {
        // The check of the written game reports the reason.
        return;
    };
    let mut changes = changes(game, subjects, &document);
    let each = changes.len().div_ceil(most.max(1)).max(1);
    if most == 0 {
        changes.clear();
    }
    for change in changes.iter().step_by(each) {
        let mut changed = document.clone();
        let Some(place) = change.way.iter().try_fold(&mut changed, |value, key| step_into(value, key)) else {
            continue;
        };
        *place = change.value.clone();
        let Some(other) = compiled(game, &changed) else { continue };
        for mut defect in defects(&other) {
            let shown = serde_yaml::to_string(&change.value).unwrap_or_default();
            defect.check = CHECK;
            defect.message =
                format!("with `{}` of {} at {}: {}", change.name, change.part, shown.trim(), defect.message);
            findings.add(defect);
        }
    }
}

fn step_into<'v>(value: &'v mut Value, key: &Value) -> Option<&'v mut Value> {
    match key.as_u64().and_then(|index| usize::try_from(index).ok()) {
        Some(index) => value.as_sequence_mut()?.get_mut(index),
        None => value.as_mapping_mut()?.get_mut(key),
    }
}

/// The changed game; none if the change is rejected.
fn compiled(game: &Game, changed: &Value) -> Option<Game> {
    let yaml = serde_yaml::to_string(changed).ok()?;
    let mut spec = load("a game with a parameter at an end of its range", &yaml).ok()?;
    spec.set_directory(game.spec().directory().map(std::path::Path::to_path_buf));
    Game::new(spec).ok()
}

/// The defects that appear when a game is played: a number outside its range, or a snapshot that the game does not restore.
fn defects(game: &Game) -> Vec<Defect> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut findings = Findings(Vec::new(), None);
        let mut play = Rollout::new(game, 0);
        for step in 0..STEPS {
            if let Err(message) = play.move_house() {
                findings.add(Defect::new(CHECK, "", message).at(0, step));
            }
            match play.step() {
                Ok(()) => {}
                Err(PlayError::Step(StepError::NotFinite(found))) => {
                    let defect = Defect::new(CHECK, found.part(), "the number is not finite").of(found.variable());
                    findings.add(defect.at(found.seed(), found.step()).value(found.value()));
                    break;
                }
                Err(other) => {
                    findings.add(Defect::new(CHECK, "", other.to_string()).at(0, step));
                    break;
                }
            }
        }
        play.moments.iter().for_each(|moment| check_ranges(game, &moment.state, &mut findings));
        findings.0
    }));
    played.unwrap_or_else(|_| vec![Defect::new(CHECK, "", "the game panics")])
}

/// The ends of all numeric parameters of some parts.
fn changes(game: &Game, subjects: &[usize], document: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    for index in subjects {
        let Some((part, way, kind)) = game.parts().get(*index).and_then(|part| located(part, document)) else {
            continue;
        };
        let Some(value) = way.iter().try_fold(document, |value, key| into(value, key)) else { continue };
        let mut add = |name: &str, own: &[Value], value: Value| {
            let way = way.iter().chain(own).cloned().collect();
            changes.push(Change { part: part.path().to_owned(), name: name.to_owned(), way, value });
        };
        ends(&kind.table(), "", &mut Vec::new(), value, &mut add);
    }
    changes
}

fn into<'v>(value: &'v Value, key: &Value) -> Option<&'v Value> {
    match key.as_u64().and_then(|index| usize::try_from(index).ok()) {
        Some(index) => value.as_sequence()?.get(index),
        None => value.as_mapping()?.get(key),
    }
}

/// The location of a part's parameters in a game. None for a rule, whose numbers are not variables, and for a kind with many classes.
fn located<'p>(part: &'p PartInfo, document: &Value) -> Option<(&'p PartInfo, Vec<Value>, &'static Kind)> {
    let (path, rank) =
        part.path().rsplit_once('-').and_then(|(path, rank)| Some((path, rank.parse::<usize>().ok()?)))?;
    let name = path.rsplit('.').next()?;
    let is_own = |value: &Value| value.as_mapping().is_some_and(|entry| entry.contains_key(name));
    let nth = |list: &Value| {
        list.as_sequence()?.iter().enumerate().filter(|(_, value)| is_own(value)).nth(rank).map(|(i, _)| i)
    };
    let whole = |index: usize| Value::from(index as u64);
    let (way, of): (Vec<Value>, PartKind) = match path.split_once('.') {
        Some((field, _)) => {
            let entities = document.get("fields")?.get(field)?.get("entities")?;
            (
                vec!["fields".into(), field.into(), "entities".into(), whole(nth(entities)?), name.into()],
                PartKind::Entity,
            )
        }
        None if document.get("score").is_some_and(is_own) => (vec!["score".into(), name.into()], PartKind::Score),
        None => (vec!["farmers".into(), whole(nth(document.get("farmers")?)?), name.into()], PartKind::Farmer),
    };
    Some((part, way, kind(of, name).filter(|kind| kind.open().is_none())?))
}

/// The range ends of the numbers in a table, with their paths in a value.
fn ends(
    table: &[ParameterDoc],
    group: &str,
    way: &mut Vec<Value>,
    value: &Value,
    add: &mut impl FnMut(&str, &[Value], Value),
) {
    for parameter in table {
        let is_idle = parameter
            .idle()
            .as_ref()
            .is_some_and(|idle| value.get(idle.parameter()).and_then(Value::as_str) == Some(idle.word()));
        let Some(own) = value.get(parameter.name()).filter(|_| !is_idle) else { continue };
        let name = if group.is_empty() { parameter.name().to_owned() } else { format!("{group}.{}", parameter.name()) };
        way.push(parameter.name().into());
        of_kind(parameter.kind(), parameter.range(), &name, way, own, add);
        way.pop();
    }
}

fn of_kind(
    kind: &ParameterKind,
    range: Option<(f64, f64)>,
    name: &str,
    way: &mut Vec<Value>,
    value: &Value,
    add: &mut impl FnMut(&str, &[Value], Value),
) {
    let number = |end: f64, kind: &ParameterKind| match kind {
        ParameterKind::Integer => Value::from(end as i64),
        _ => Value::from(end),
    };
    match (kind, range) {
        (ParameterKind::Real | ParameterKind::Integer, Some((low, high))) => {
            [low, high].into_iter().for_each(|end| add(name, way, number(end, kind)));
        }
        (ParameterKind::Interval(inner), Some((low, high))) => {
            for [begin, end] in [[low, low], [low, high], [high, high]] {
                add(name, way, Value::Sequence(vec![number(begin, inner), number(end, inner)]));
            }
        }
        (ParameterKind::Optional(inner), _) => of_kind(inner, range, name, way, value, add),
        (ParameterKind::Group(table), _) => ends(table, name, way, value, add),
        (ParameterKind::List(inner), _) => {
            for (index, item) in value.as_sequence().into_iter().flatten().enumerate() {
                way.push(Value::from(index as u64));
                of_kind(inner, range, name, way, item, add);
                way.pop();
            }
        }
        (ParameterKind::Map(inner), _) => {
            for (key, item) in value.as_mapping().into_iter().flatten() {
                way.push(key.clone());
                of_kind(inner, range, name, way, item, add);
                way.pop();
            }
        }
        _ => {}
    }
}
