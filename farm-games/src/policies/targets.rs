//! Code that the catalogue's policies share. It finds the parts that they act on, and writes rules of thumb.

use farm_core::action::{Allowed, BaseAction};
use farm_core::config::{NameError, Path, Problem, Problems, Segment};
use farm_core::declare::ActionParameterKind;
use farm_core::rules::Conditions;
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{Agent, Game};

use super::memory::{Book, Slots};
use super::trigger_policy::{Doing, Trigger};
use super::triggers::Triggers;
use crate::PolicyError;

/// The parameter that names the part to act on, in every policy in the catalogue.
const ENTITY: &str = "entity";

/// The action on a part, if the rules allow it.
pub(super) fn allowed<'g>(game: &'g Game, part: usize, action: &str) -> Option<&'g BaseAction> {
    let is_named = |base: &BaseAction| base.info(game.parts()).is_some_and(|info| info.name() == action);
    game.catalogue().base_actions().iter().find(|base| base.part() == part && is_named(base))
}

/// The first of these actions that the rules allow on a part.
pub(super) fn first_allowed(game: &Game, part: usize, actions: &[&'static str]) -> Option<&'static str> {
    actions.iter().copied().find(|action| allowed(game, part, action).is_some())
}

/// Whether a variable of the part has the role.
pub(crate) fn fills(game: &Game, part: usize, role: &str) -> bool {
    game.parts()[part].variables().iter().any(|variable| variable.roles().contains(&role))
}

/// The parts that a policy acts on. This is the part with a given name or path, all suitable parts for `*`, or by default the only suitable
/// part. `purpose` completes the sentence "no part of this game …".
pub(super) fn find(
    game: &Game,
    entity: Option<&str>,
    purpose: &str,
    fits: impl Fn(usize) -> bool,
    problems: &mut Problems,
) -> Vec<usize> {
    let path = |part: usize| game.parts()[part].path();
    let fitting: Vec<usize> = (0..game.parts().len()).filter(|part| fits(*part)).collect();
    let is_wanted = |part: &usize| {
        let wanted = |name: &str| name == "*" || name == path(*part) || name == game.parts()[*part].name();
        entity.is_none_or(wanted)
    };
    let found: Vec<usize> = fitting.iter().copied().filter(is_wanted).collect();
    let names = |parts: &[usize]| parts.iter().map(|part| format!("`{}`", path(*part))).collect::<Vec<_>>().join(", ");
    let place = Path::default().child(ENTITY);
    match (found.as_slice(), entity) {
        ([_], _) | ([_, ..], Some("*")) => return found,
        ([], Some(name)) if !fitting.is_empty() => {
            let message = format!("no part with the name `{name}` {purpose}");
            problems.push(
                Problem::new(NameError::UnknownPart, place, message)
                    .value(name)
                    .among(name, fitting.iter().map(|part| path(*part))),
            );
        }
        ([], _) => {
            let message = format!("no part of this game {purpose}");
            let help = "allow the action in the rules of the game, or remove the policy";
            problems.push(
                Problem::new(PolicyError::NothingToActOn, Path::default(), message)
                    .expected("a part on which the policy can act")
                    .help(help),
            );
        }
        (several, _) => problems.push(
            Problem::new(NameError::AmbiguousName, place, format!("several parts of this game {purpose}"))
                .value(names(several))
                .expected(format!("`{ENTITY}:` one of them, or '*' for all"))
                .help(format!("{ENTITY}: {}", path(several[0]))),
        ),
    }
    Vec::new()
}

/// An action on a part with the given parameters. If the action has a plot, it is the plot that the rule checks. Other parameters get the
/// minimum that the rules allow.
pub(super) fn act(game: &Game, part: usize, action: &str, given: &[(&str, Option<Value>)]) -> Doing {
    let info = &game.parts()[part];
    let mut parameters = Mapping::new();
    let said = allowed(game, part, action).and_then(|base| Some((base, base.info(game.parts())?)));
    if let Some((base, action)) = said {
        for (parameter, allowed) in action.parameters().iter().zip(base.parameters()) {
            let least = match allowed {
                Allowed::Values(values) => values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0),
                Allowed::Range { low, .. } => *low,
            };
            let value = given.iter().find(|(name, _)| *name == parameter.name()).and_then(|(_, value)| value.clone());
            let value = value.unwrap_or_else(|| match parameter.kind() {
                ActionParameterKind::Plot => "here".into(),
                ActionParameterKind::Real { .. } => least.into(),
                ActionParameterKind::Choice(words) => words.get(least as usize).map_or("", String::as_str).into(),
            });
            parameters.insert(parameter.name().into(), value);
        }
    }
    let field = info.field().map_or("", |field| game.fields()[field].name());
    let entries = [("field", field.into()), ("entity", info.name().into()), ("action", action.into())];
    let entries = entries.into_iter().chain([("parameters", Value::Mapping(parameters))]);
    Doing(Value::Mapping(entries.map(|(key, value)| (key.into(), value)).collect()))
}

/// Whether an action on a part works plot by plot.
pub(super) fn is_by_plot(game: &Game, part: usize, action: &str) -> bool {
    let info = allowed(game, part, action).and_then(|base| base.info(game.parts()));
    info.is_some_and(|info| info.parameters().iter().any(|parameter| *parameter.kind() == ActionParameterKind::Plot))
}

/// A rule's only condition, which compares a part's variable with a value.
pub(super) fn when(game: &Game, part: usize, variable: &str, compared: &[(&str, Value)]) -> Conditions {
    Conditions(Value::Sequence(vec![Value::Sequence(vec![comparison(game, part, variable, compared)])]))
}

/// A condition that compares a part's variable with a value.
pub(super) fn comparison(game: &Game, part: usize, variable: &str, compared: &[(&str, Value)]) -> Value {
    let info = &game.parts()[part];
    let field = info.field().map_or("", |field| game.fields()[field].name());
    let name = [field, info.name(), variable].into_iter().filter(|word| !word.is_empty()).map(Value::from).collect();
    let entries = [("state_variable", Value::Sequence(name))].into_iter().chain(compared.iter().cloned());
    Value::Mapping(entries.map(|(key, value)| (key.into(), value)).collect())
}

/// A player for rules that one of the catalogue's policies wrote. A problem with a rule's key is reported for the policy parameter that
/// `parameters` maps it to, so that the reader finds it in the file.
pub(super) fn play(
    game: &Game,
    rules: &[Trigger],
    parameters: &[(&str, &str)],
    mut problems: Problems,
) -> Result<Box<dyn Agent>, Problems> {
    let compile = |rule: &Trigger| {
        let mut found = Problems::default();
        let compiled = rule.compile(game, &Slots::default(), &Path::default(), &mut found);
        for problem in &mut found.0 {
            let is_at = |key: &str| problem.path.0.contains(&Segment::from(key));
            let parameter = parameters.iter().find(|(key, _)| is_at(key)).map(|(_, parameter)| *parameter);
            problem.path = parameter.map_or_else(Path::default, |parameter| Path::default().child(parameter));
        }
        problems.0.append(&mut found.0);
        compiled
    };
    let compiled = rules.iter().map(compile).collect();
    if problems.has_errors() { Err(problems) } else { Ok(Box::new(Triggers::new(game, compiled, Book::default()))) }
}
