//! The actions of a step in words, and the name of a step (day or step).

use farm_core::Game;
use farm_core::action::{ActionTarget, Call};
use farm_core::declare::{ActionParameter, ActionParameterKind};
use farm_core::spec::InteractionMode;

use crate::written::number;

/// Actions of the same kind, which have the same word, or the same text if they have no word.
struct Done {
    word: String,
    /// The number of these actions, and the number of plots that they name.
    times: usize,
    plots: usize,
    /// Whether the farmer's pose shows it.
    is_seen: bool,
    /// Their amounts, in order, and the unit of these amounts.
    amounts: Vec<f64>,
    unit: String,
}

/// Executed actions in words, such as `watered 3 plots, 10 L each; sowed a plot`. Waits are left out.
pub fn in_words(game: &Game, executed: &[Call]) -> String {
    let mut all: Vec<Done> = Vec::new();
    for call in executed {
        let Some(base) = game.catalogue().base_actions().get(call.base()) else { continue };
        let info = base.info(game.parts());
        if info.is_some_and(|info| info.waits()) {
            continue;
        }
        let word = info.and_then(|info| info.done().map(str::to_owned));
        let is_seen = info.is_some_and(|info| info.pose().is_some());
        let (mut plots, mut amount, mut unit) = (0, None, String::new());
        for (i, parameter) in info.filter(|_| word.is_some()).into_iter().flat_map(|info| info.parameters()).enumerate()
        {
            match parameter.kind() {
                ActionParameterKind::Plot => plots = 1,
                ActionParameterKind::Real { .. } if amount.is_none() => {
                    amount = Some(call.arguments().real(i));
                    unit = parameter.name().split_once('#').map_or(String::new(), |(_, unit)| unit.to_owned());
                }
                ActionParameterKind::Real { .. } | ActionParameterKind::Choice(_) => {}
            }
        }
        let word = word.unwrap_or_else(|| match base.target() {
            ActionTarget::Observation(_) => "looked".to_owned(),
            ActionTarget::Intervention(_) => game.catalogue().write(call),
        });
        match all.iter_mut().find(|done| done.word == word && done.unit == unit) {
            Some(done) => {
                done.times += 1;
                done.plots += plots;
                done.amounts.extend(amount);
            }
            None => all.push(Done { word, times: 1, plots, is_seen, amounts: amount.into_iter().collect(), unit }),
        }
    }
    // Actions that a pose shows come last, because the end of the line may be cut.
    all.sort_by_key(|done| done.is_seen);
    all.iter().map(Done::text).collect::<Vec<_>>().join("; ")
}

impl Done {
    fn text(&self) -> String {
        let what = match (self.plots, self.times) {
            (0, 1) => String::new(),
            (0, times) => format!(" {times} times"),
            (1, _) => " a plot".to_owned(),
            (plots, _) => format!(" {plots} plots"),
        };
        let equal = self.amounts.windows(2).all(|pair| pair[0] == pair[1]);
        let unit = &self.unit;
        let much = match self.amounts.as_slice() {
            [] => String::new(),
            [one] => format!(", {} {unit}", precise(*one)),
            [one, ..] if equal => format!(", {} {unit} each", precise(*one)),
            several => format!(", {} {unit} in all", precise(several.iter().sum())),
        };
        format!("{}{what}{much}", self.word)
    }
}

/// A number as text with at most one decimal, or with all decimals if it is small.
fn precise(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.1 { format!("{value}") } else { number(value) }
}

/// The interventions to mark: field and plot (none for the farmer's position), part and action.
pub(crate) fn badges<'g>(
    game: &'g Game,
    executed: &'g [Call],
) -> impl Iterator<Item = (Option<(usize, usize)>, usize, usize)> + 'g {
    executed.iter().filter_map(|call| {
        let base = game.catalogue().base_actions().get(call.base())?;
        let &ActionTarget::Intervention(action) = base.target() else { return None };
        let part = game.parts().get(base.part())?;
        let is_plot = |parameter: &ActionParameter| *parameter.kind() == ActionParameterKind::Plot;
        let field = part.field().unwrap_or(0);
        let parameter = part.actions().get(action)?.parameters().iter().position(is_plot);
        Some((parameter.map(|i| (field, call.arguments().plot(i))), base.part(), action))
    })
}

/// Whether each action is a step, because the schedule has room for one action and no observation step comes first.
pub fn is_direct(game: &Game) -> bool {
    game.catalogue().max_schedule() <= 1 && game.spec().interaction_mode() != InteractionMode::Aomdp
}

/// Whether time is counted in days. Games in which each action is a step count steps.
pub fn counts_days(game: &Game) -> bool {
    game.rules().steps_per_day > 1 || !is_direct(game) || game.catalogue().waiting().is_empty()
}
