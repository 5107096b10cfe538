//! Kinds of things: their changes without care, the effects of verbs, and the time that the agent needs for one thing.

use std::collections::VecDeque;

use super::Action;

/// The reward for a thing that starts in its last stage, if it pays on its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartInTop {
    /// Its base value when it leaves the stage and reaches it again.
    #[default]
    FirstEntry,
    /// Its base value in the first step.
    Immediately,
    /// Nothing.
    Never,
}

/// How a thing changes without care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untended {
    /// It advances one stage, up to its last stage.
    Advances,
    /// It goes back one stage, down to its first stage.
    Regresses,
    /// It stays in its stage.
    Stays,
}

/// The effect of a verb on the thing in front of the agent: how it changes the thing's stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Back to the first stage.
    First,
    /// One stage back.
    Down,
    /// One stage forward.
    Up,
    /// Forward to the last stage.
    Last,
}

/// When a thing pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pays {
    /// When the agent stands on it while it is in its last stage.
    WhenStoodOn,
    /// When it reaches its last stage for the first time.
    OnFirstEntry,
}

/// A verb that acts on a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verb {
    /// Its index among the verbs of all kinds.
    pub number: u8,
    /// Its effect.
    pub effect: Effect,
}

/// A thing that has not paid yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// Its tile.
    pub tile: usize,
    /// Its stage, from 0.
    pub stage: u8,
    /// The number of steps that it has gone without care in this stage, if its kind counts them.
    pub waited: u32,
    /// Its value.
    pub base_value: u32,
}

/// Things with the same rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The things that have not paid yet.
    pub things: Vec<Thing>,
    /// How they change without care.
    pub untended: Untended,
    /// The number of consecutive steps until they change; at least 1.
    pub every: u32,
    /// The verbs that have an effect on them.
    pub verbs: Vec<Verb>,
    /// When they pay.
    pub pays: Pays,
    /// The stage in which they pay; at least 1.
    pub last_stage: u8,
    /// The reward for a thing that is in its last stage now; unused if the agent must stand on the things.
    pub start_in_top_pays: StartInTop,
    /// The meter that they fill.
    pub meter: usize,
}

/// The changing state of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Life {
    stage: u8,
    waited: u32,
}

impl Thing {
    pub(super) fn life(&self) -> Life {
        Life { stage: self.stage, waited: self.waited }
    }
}

impl Kind {
    /// Whether a thing is in its last stage.
    pub fn is_in_last(&self, thing: &Thing) -> bool {
        thing.stage >= self.last_stage
    }

    /// Whether verbs can advance things.
    pub(super) fn has_lifts(&self) -> bool {
        // Things that advance in each step gain nothing from a verb that advances them by one stage.
        let is_needless = self.untended == Untended::Advances && self.every == 1;
        self.verbs.iter().any(|verb| match verb.effect {
            Effect::Last => true,
            Effect::Up => !is_needless,
            Effect::First | Effect::Down => false,
        })
    }

    /// Whether a verb leads to the last stage from every other stage.
    pub(super) fn has_verb_to_last(&self) -> bool {
        self.verbs.iter().any(|verb| verb.effect == Effect::Last)
    }

    /// Whether a thing can pay at all.
    pub(super) fn can_pay(&self, thing: &Thing) -> bool {
        let never = self.start_in_top_pays == StartInTop::Never && self.pays == Pays::OnFirstEntry;
        !(never && self.is_in_last(thing))
    }

    /// Whether a thing that pays on entry pays without the agent.
    pub(super) fn pays_by_itself(&self, thing: &Thing, steps: u32) -> bool {
        if self.is_in_last(thing) {
            return self.start_in_top_pays == StartInTop::Immediately && steps > 0;
        }
        self.rises_in(thing.life()).is_some_and(|rise| rise <= steps)
    }

    /// The number of steps until a thing below its last stage reaches it by itself.
    fn rises_in(&self, life: Life) -> Option<u32> {
        let below = u32::from(self.last_stage.checked_sub(life.stage).filter(|below| *below > 0)?);
        (self.untended == Untended::Advances).then(|| (below * self.every).saturating_sub(life.waited))
    }

    /// The first step at whose end a thing without care is in its last stage.
    pub(super) fn in_last_from(&self, thing: &Thing) -> Option<u32> {
        if self.is_in_last(thing) { Some(1) } else { self.rises_in(thing.life()) }
    }

    /// Whether a thing without care is in its last stage at the end of the next step.
    pub fn in_last_after_a_step(&self, thing: &Thing) -> bool {
        self.in_last_from(thing).is_some_and(|step| step <= 1)
    }

    /// The stage that a verb leads to.
    fn led_to(&self, effect: Effect, stage: u8) -> u8 {
        match effect {
            Effect::First => 0,
            Effect::Down => stage.saturating_sub(1),
            Effect::Up => (stage + 1).min(self.last_stage),
            Effect::Last => self.last_stage,
        }
    }

    /// A thing's state after a step without care.
    pub(super) fn alone(&self, life: Life) -> Life {
        let to = match self.untended {
            Untended::Advances if life.stage < self.last_stage => life.stage + 1,
            Untended::Regresses if life.stage > 0 => life.stage - 1,
            _ => return life,
        };
        let waited = life.waited + 1;
        if waited >= self.every { Life { stage: to, waited: 0 } } else { Life { waited, ..life } }
    }

    /// The shortest sequence of actions in front of a thing after which it has paid, or will pay by itself before the end.
    ///
    /// None if too few steps are left. If waiting and verbs take equally long, the plan waits.
    pub(super) fn work(&self, life: Life, left: u32) -> Option<Vec<Action>> {
        let is_done = |life: Life, spent: u32| self.rises_in(life).is_some_and(|rise| spent + rise <= left);
        if is_done(life, 0) {
            return Some(Vec::new());
        }
        // The predecessor of each state, and the action to it; a state that is reached later is no better.
        let mut reached: Vec<(Life, usize, Action, u32)> = vec![(life, 0, Action::Wait, 0)];
        let mut queue = VecDeque::from([0]);
        let back = |reached: &[(Life, usize, Action, u32)], mut at: usize, last: Action| {
            let mut actions = vec![last];
            while at > 0 {
                actions.push(reached[at].2);
                at = reached[at].1;
            }
            actions.reverse();
            actions
        };
        while let Some(from) = queue.pop_front() {
            let (life, _, _, spent) = reached[from];
            if spent >= left {
                return None;
            }
            let waits = (self.untended != Untended::Stays).then(|| (Action::Wait, self.alone(life)));
            let verbs = self.verbs.iter().map(|verb| {
                (Action::Verb(verb.number), Life { stage: self.led_to(verb.effect, life.stage), waited: 0 })
            });
            for (action, next) in waits.into_iter().chain(verbs) {
                let enters = next.stage == self.last_stage && life.stage < self.last_stage;
                if enters || is_done(next, spent + 1) {
                    return Some(back(&reached, from, action));
                }
                if !reached.iter().any(|(known, ..)| *known == next) {
                    queue.push_back(reached.len());
                    reached.push((next, from, action, spent + 1));
                }
            }
        }
        None
    }

    /// The shortest sequence of verbs that brings a thing to its last stage, for things that do not change by themselves.
    pub(super) fn lifts(&self, life: Life) -> Option<Vec<Action>> {
        if life.stage >= self.last_stage { Some(Vec::new()) } else { self.work(life, u32::MAX) }
    }
}
