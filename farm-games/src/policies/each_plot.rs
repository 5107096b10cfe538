//! The actions of a rule that checks each plot. They are read for one plot and then adapted to the others, because a field may have a
//! million plots.

use farm_core::Game;
use farm_core::action::{ActionTarget, BaseAction, Call};
use farm_core::declare::ActionParameterKind;

/// An action's calls, as read for one plot.
#[derive(Debug)]
pub(super) struct Template {
    /// Each call with the same call by the other farmers that may make it, and the index of the plot among its arguments.
    calls: Vec<Vec<(Call, Option<usize>)>>,
}

impl Template {
    /// A template from calls that were read for one plot of a field. None if the observed variables, or the farmers that may act, also
    /// differ between plots.
    pub(super) fn new(game: &Game, field: Option<usize>, calls: &[Vec<Call>], is_here: bool) -> Option<Self> {
        let slot = |call: &Call| if is_here { plot_of(game, field, call).map(Some) } else { Some(None) };
        let moved = |calls: &Vec<Call>| calls.iter().map(|call| Some((*call, slot(call)?))).collect::<Option<Vec<_>>>();
        Some(Self { calls: calls.iter().map(moved).collect::<Option<Vec<_>>>()? })
    }

    /// The calls for another plot; none if the rules do not allow all of them there.
    pub(super) fn at(&self, game: &Game, plot: usize) -> Option<Vec<Vec<Call>>> {
        let moved = |(call, slot): &(Call, Option<usize>)| {
            let Some(slot) = slot else { return Some(*call) };
            let parameters = game.catalogue().base_actions()[call.base()].parameters().len();
            let mut arguments: Vec<f64> = (0..parameters).map(|i| call.arguments().real(i)).collect();
            arguments[*slot] = plot as f64;
            game.catalogue().call(call.base(), &arguments)
        };
        self.calls.iter().map(|calls| calls.iter().map(moved).collect::<Option<Vec<_>>>()).collect()
    }
}

/// The index of the plot among a call's arguments, if all farmers that may make the call may make it on the same plots.
fn plot_of(game: &Game, field: Option<usize>, call: &Call) -> Option<usize> {
    let base = &game.catalogue().base_actions()[call.base()];
    let is_same = |other: &&BaseAction| (other.part(), other.target()) == (base.part(), base.target());
    let mut others = game.catalogue().base_actions().iter().filter(is_same);
    let is_alike = matches!(base.target(), ActionTarget::Intervention(_))
        && game.parts()[base.part()].field() == field
        && others.all(|other| other.parameters() == base.parameters());
    let parameters = base.info(game.parts()).filter(|_| is_alike)?.parameters();
    parameters.iter().position(|parameter| parameter.name() == "plot" && *parameter.kind() == ActionParameterKind::Plot)
}
