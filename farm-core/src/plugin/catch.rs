//! Wraps a plugin's active parts so that none of their panics leaves the plugin.
//!
//! After a panic, the method returns the value with the least effect and informs the program. The program then ends the environment that
//! was taking the step.

use super::export::{caught, dropped, note};
use crate::action::{ActionKind, Call, CallArguments};
use crate::declare::Phase;
use crate::game::Game;
use crate::observation::Slot;
use crate::part::{Agent, Attempt, Behaviour, ConstraintInfo, Context, FarmerBehaviour, ScoreBehaviour, Season};
use crate::state::{Reader, State};

/// The reason for rejecting an attempt after the plugin panicked.
const PANICKED: &str = "the plugin of the farmer panicked";

/// A plugin's active part.
pub(super) struct Guarded<B: ?Sized> {
    /// `None` only while being dropped.
    inner: Option<Box<B>>,
    /// The part's path in the game.
    part: String,
}

impl<B: ?Sized> Guarded<B> {
    pub(super) fn new(inner: Box<B>, part: String) -> Self {
        Self { inner: Some(inner), part }
    }

    #[inline]
    fn run<T>(&self, method: &str, otherwise: T, body: impl FnOnce(&B) -> T) -> T {
        let Some(inner) = self.inner.as_deref() else { return otherwise };
        caught(|| body(inner)).unwrap_or_else(|message| {
            note(&self.part, method, &message);
            otherwise
        })
    }
}

impl<B: ?Sized> Drop for Guarded<B> {
    fn drop(&mut self) {
        dropped(self.inner.take());
    }
}

macro_rules! behaviour {
    ($ty:ty) => {
        impl Behaviour for Guarded<$ty> {
            fn plan(&mut self, season: &mut Season<'_>) {
                if let Some(part) = &mut self.inner
                    && let Err(message) = caught(|| part.plan(season))
                {
                    note(&self.part, "plan", &message);
                }
            }

            fn reset(&self, context: &mut Context<'_>) {
                self.run("reset", (), |part| part.reset(context));
            }

            fn after_initial_conditions(&self, context: &mut Context<'_>) {
                self.run("after_initial_conditions", (), |part| part.after_initial_conditions(context));
            }

            fn act(&self, action: usize, arguments: CallArguments<'_>, context: &mut Context<'_>) {
                self.run("act", (), |part| part.act(action, arguments, context));
            }

            fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
                self.run("has_effect", true, |part| part.has_effect(action, arguments, reader))
            }

            fn tick(&self, phase: Phase, context: &mut Context<'_>) {
                self.run("tick", (), |part| part.tick(phase, context));
            }

            fn redraw_future(&self, before: u64, context: &mut Context<'_>) {
                self.run("redraw_future", (), |part| part.redraw_future(before, context));
            }

            fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
                self.run("observe", (), |part| part.observe(observable, reader, out));
            }
        }
    };
}

behaviour!(dyn Behaviour);
behaviour!(dyn FarmerBehaviour);
behaviour!(dyn ScoreBehaviour);

impl FarmerBehaviour for Guarded<dyn FarmerBehaviour> {
    fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        self.run("allows", true, |farmer| farmer.allows(kind, field))
    }

    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        self.run("rejection", Some(PANICKED), |farmer| farmer.rejection(attempt, reader))
    }

    fn has_hooks(&self) -> bool {
        self.run("has_hooks", true, |farmer| farmer.has_hooks())
    }

    fn depends_on_arguments(&self) -> bool {
        self.run("depends_on_arguments", true, |farmer| farmer.depends_on_arguments())
    }

    fn mask(&self, attempt: &Attempt<'_>, calls: &[Call], reader: &Reader<'_>, mask: &mut [u8]) {
        let is_marked = self.run("mask", false, |farmer| {
            farmer.mask(attempt, calls, reader, mask);
            true
        });
        if !is_marked {
            mask.fill(0);
        }
    }

    fn after_step(&self, steps_today: i32, context: &mut Context<'_>) {
        self.run("after_step", (), |farmer| farmer.after_step(steps_today, context));
    }

    fn before_action(&self, attempt: &Attempt<'_>, context: &mut Context<'_>) {
        self.run("before_action", (), |farmer| farmer.before_action(attempt, context));
    }
}

impl ScoreBehaviour for Guarded<dyn ScoreBehaviour> {
    fn intervention_cost(&self, part: &str, action: &str) -> f64 {
        self.run("intervention_cost", 0.0, |score| score.intervention_cost(part, action))
    }

    fn observation_cost(&self, part: &str, variable: &str) -> f64 {
        self.run("observation_cost", 0.0, |score| score.observation_cost(part, variable))
    }

    fn constraints(&self) -> Vec<ConstraintInfo> {
        self.run("constraints", Vec::new(), |score| score.constraints())
    }

    fn constraint_costs(&self, context: &mut Context<'_>, costs: &mut [f64]) {
        self.run("constraint_costs", (), |score| score.constraint_costs(context, costs));
    }

    fn reward(&self, context: &mut Context<'_>) -> f64 {
        self.run("reward", 0.0, |score| score.reward(context))
    }

    fn final_reward(&self, context: &mut Context<'_>) -> f64 {
        self.run("final_reward", 0.0, |score| score.final_reward(context))
    }
}

impl Agent for Guarded<dyn Agent> {
    fn start(&mut self, seed: u64) {
        if let Some(player) = &mut self.inner
            && let Err(message) = caught(|| player.start(seed))
        {
            note(&self.part, "start", &message);
        }
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        let copy = self.run("fork", None, |player| player.fork())?;
        Some(Box::new(Self::new(copy, self.part.clone())))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        if let Some(player) = &mut self.inner
            && let Err(message) = caught(|| player.choose(game, state, schedule))
        {
            note(&self.part, "choose", &message);
        }
    }
}
