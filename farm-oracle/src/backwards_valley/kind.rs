//! Kinds of things: what they do by themselves, what verbs make of them, and how long somebody is busy with one.

use std::collections::VecDeque;

use super::Action;

/// What a thing that starts in its last stage pays, where it pays on its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartInTop {
    /// Its base value when it comes back after having left.
    #[default]
    FirstEntry,
    /// Its base value in the first step.
    Immediately,
    /// Nothing.
    Never,
}

/// What a thing does when it is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untended {
    /// It advances by a stage, to its last one.
    Advances,
    /// It goes back by a stage, to its first one.
    Regresses,
    /// It stays.
    Stays,
}

/// What a verb does to the stage of the thing in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Back to the first stage.
    First,
    /// A stage back.
    Down,
    /// A stage on.
    Up,
    /// On to the last stage.
    Last,
}

/// When a thing pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pays {
    /// When the agent stands on it in its last stage.
    WhenStoodOn,
    /// When it comes into its last stage for the first time.
    OnFirstEntry,
}

/// A verb that acts on a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verb {
    /// Its number among the verbs of all kinds.
    pub number: u8,
    /// What it does.
    pub effect: Effect,
}

/// A thing that has not paid yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// Its tile.
    pub tile: usize,
    /// Its stage, from 0.
    pub stage: u8,
    /// For how many steps it has been left alone in this stage, where its kind counts them.
    pub waited: u32,
    /// What it pays.
    pub base_value: u32,
}

/// Things with the same rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Those that have not paid yet.
    pub things: Vec<Thing>,
    /// What they do when they are left alone.
    pub untended: Untended,
    /// For every how many steps in a row; at least 1.
    pub every: u32,
    /// The verbs that act on them. A verb that does nothing is none of them.
    pub verbs: Vec<Verb>,
    /// When they pay.
    pub pays: Pays,
    /// The stage in which they pay; at least 1.
    pub last_stage: u8,
    /// What one pays that is in its last stage now; means nothing where they are stood on.
    pub start_in_top_pays: StartInTop,
    /// The meter that they fill.
    pub meter: usize,
}

/// What changes of a thing.
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

    /// Whether verbs lead things on.
    pub(super) fn has_lifts(&self) -> bool {
        // What goes on in each step is not led on by a verb that leads it by one stage.
        let is_needless = self.untended == Untended::Advances && self.every == 1;
        self.verbs.iter().any(|verb| match verb.effect {
            Effect::Last => true,
            Effect::Up => !is_needless,
            Effect::First | Effect::Down => false,
        })
    }

    /// Whether one verb leads to the last stage from any other.
    pub(super) fn has_verb_to_last(&self) -> bool {
        self.verbs.iter().any(|verb| verb.effect == Effect::Last)
    }

    /// Whether a thing can pay at all.
    pub(super) fn can_pay(&self, thing: &Thing) -> bool {
        let never = self.start_in_top_pays == StartInTop::Never && self.pays == Pays::OnFirstEntry;
        !(never && self.is_in_last(thing))
    }

    /// Whether a thing that pays on entry does so without the agent.
    pub(super) fn pays_by_itself(&self, thing: &Thing, steps: u32) -> bool {
        if self.is_in_last(thing) {
            return self.start_in_top_pays == StartInTop::Immediately && steps > 0;
        }
        self.rises_in(thing.life()).is_some_and(|rise| rise <= steps)
    }

    /// The steps in which a thing below its last stage rises into it by itself.
    fn rises_in(&self, life: Life) -> Option<u32> {
        let below = u32::from(self.last_stage.checked_sub(life.stage).filter(|below| *below > 0)?);
        (self.untended == Untended::Advances).then(|| (below * self.every).saturating_sub(life.waited))
    }

    /// The first step at whose end a thing that is left alone is in its last stage.
    pub(super) fn in_last_from(&self, thing: &Thing) -> Option<u32> {
        if self.is_in_last(thing) { Some(1) } else { self.rises_in(thing.life()) }
    }

    /// Whether a thing that is left alone is in its last stage at the end of a step.
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

    /// A step in which the thing is left alone.
    pub(super) fn alone(&self, life: Life) -> Life {
        let to = match self.untended {
            Untended::Advances if life.stage < self.last_stage => life.stage + 1,
            Untended::Regresses if life.stage > 0 => life.stage - 1,
            _ => return life,
        };
        let waited = life.waited + 1;
        if waited >= self.every { Life { stage: to, waited: 0 } } else { Life { waited, ..life } }
    }

    /// What somebody does who stays before a thing until it has paid, or pays by itself before the end, in the least steps; none if
    /// there are too few left. Waiting comes before verbs where both are as quick.
    pub(super) fn work(&self, life: Life, left: u32) -> Option<Vec<Action>> {
        let is_done = |life: Life, spent: u32| self.rises_in(life).is_some_and(|rise| spent + rise <= left);
        if is_done(life, 0) {
            return Some(Vec::new());
        }
        // Where each life was reached from, and how; a life reached later is no better.
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

    /// The verbs that lead a thing that stays as it is into its last stage, the fewest.
    pub(super) fn lifts(&self, life: Life) -> Option<Vec<Action>> {
        if life.stage >= self.last_stage { Some(Vec::new()) } else { self.work(life, u32::MAX) }
    }
}
