//! The life of things on tiles: their placement, care, changes by themselves, and payments.

use std::cell::Cell;

use farm_core::action::CallArguments;
use farm_core::declare::EventId;
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose, Reader};
use farm_roles::{AGENT_FACING, AGENT_POSITION};

use super::super::{GROUND, OnMap, Placement, TileFrame, status, terrain, thing_at};
use super::{Pays, StagedTiles, StartInTop, Untended, VerbEffect};

/// The start that a level sets for a thing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Start {
    pub(super) stage: Option<u8>,
    pub(super) base_value: Option<i32>,
    pub(super) has_paid: bool,
}

/// The effect of a verb, and the stages in which it acts, one bit for each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verb {
    pub(super) effect: VerbEffect,
    pub(super) stages: u128,
}

/// The number of steps after which a thing leaves a stage by itself, and its next stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    pub(super) after: i32,
    pub(super) to: u8,
}

#[derive(Columns)]
pub(super) struct Tiles {
    parameters: OnMap<StagedTiles>,
    #[stream]
    key: u64,
    #[nested(parameters.places(&parameters.map, d))]
    pub(super) places: Placement,
    #[with(places.on.frame)]
    frame: TileFrame,
    #[bind(places.tiles)]
    tiles: Column<u8>,
    #[one(AGENT_POSITION)]
    position: Column<u8>,
    #[one(AGENT_FACING)]
    facing: Column<u8>,
    /// Stage of each thing.
    #[category(names = &parameters.names_of_stages(), shape = &[entries(places.on.count)], hidden)]
    stage: Column<u8>,
    /// Whether a verb acted on the thing in this step.
    #[flag(shape = &[entries(places.on.count)], hidden)]
    tended: Column<u8>,
    /// Whether a thing may change by itself in the next step.
    #[flag(hidden)]
    pub(super) restless: Column<u8>,
    /// Whether the thing has paid.
    #[flag(shape = &[entries(places.on.count)], hidden)]
    paid: Column<u8>,
    /// The tile of each thing, as an index of the map.
    #[count(unit = "tile", range = 0..=places.on.frame.last_cell(), shape = &[entries(places.on.count)], hidden)]
    cell: Column<i32>,
    /// Base value of each thing.
    #[count(unit = "point", range = 0..=parameters.most_base_value(), shape = &[entries(places.on.count)], hidden)]
    base_value: Column<i32>,
    /// Steps of each thing in its stage without an action on it.
    #[count(unit = "step", range = 0..=parameters.most_waited(), shape = &[entries(places.on.count)], hidden, when = parameters.goes_by_laws())]
    waited: Option<Column<i32>>,
    /// The law of each stage, if some stage has its own law; otherwise empty.
    #[with(parameters.compiled_laws(d))]
    laws: Vec<Option<Law>>,
    #[with(parameters.declare_verbs(d))]
    verbs: Vec<Verb>,
    /// A thing paid its base value; the plot is its index, the value the points.
    #[event(name = &parameters.event, per_step = places.on.count.max(1))]
    event: EventId,
    #[with(parameters.map.terrain(d, &parameters.terrain, "terrain"))]
    own_terrain: u8,
    /// The status of each stage, and one more for a removed thing.
    #[with(parameters.shown(&parameters.map, d))]
    shown: Vec<u8>,
    #[with(parameters.initial(d))]
    initial: Vec<u8>,
    /// The starts that a level sets, by thing.
    #[with(parameters.starts(d))]
    placed: Vec<Start>,
    #[with(parameters.stages.len().saturating_sub(1) as u8)]
    last: u8,
    #[with(if parameters.stages.is_empty() { 0 } else { shown[usize::from(last)] })]
    last_shown: u8,
    /// 1 in each byte if things advance by themselves, otherwise 0.
    #[with(if parameters.untended == Untended::Advances { 0x0101_0101_0101_0101 } else { 0 })]
    advance_word: u64,
}

/// Whole words of eight: the entries beyond the count stay empty, and a step processes eight things at once.
fn entries(count: usize) -> usize {
    count.max(1).next_multiple_of(WORD)
}

const PLACE: Purpose = Purpose::named("place");
const STAGE: Purpose = Purpose::named("stage");
const WORTH: Purpose = Purpose::named("worth");
/// Number of things whose stages fill one machine word.
pub(super) const WORD: usize = 8;
/// Maximum number of stages, so that a stage and its comparison fit into the low bits of a byte.
pub(super) const MAX_STAGES: usize = 100;

impl Tiles {
    /// The stage after a verb with this effect.
    fn after(&self, effect: VerbEffect, stage: u8) -> u8 {
        match effect {
            VerbEffect::First => 0,
            VerbEffect::Down => stage.saturating_sub(1),
            VerbEffect::Up => (stage + 1).min(self.last),
            VerbEffect::Last => self.last,
            VerbEffect::Nothing => stage,
        }
    }

    /// The stage after a verb in this stage; `None` if the verb does not act in it.
    fn led_to(&self, verb: usize, stage: u8) -> Option<u8> {
        let verb = self.verbs[verb];
        let acts = verb.effect != VerbEffect::Nothing && (verb.stages >> stage) & 1 == 1;
        acts.then(|| self.after(verb.effect, stage))
    }

    /// Whether a thing that now enters its last stage pays.
    fn pays_now(&self, i: usize, c: &Context<'_>) -> bool {
        match self.parameters.pays {
            Pays::OnFirstEntry => c.get(self.paid)[i].get() == 0,
            Pays::OnEveryEntry => true,
            Pays::WhenStoodOn => false,
        }
    }

    fn pay(&self, i: usize, c: &mut Context<'_>) {
        c.get(self.paid)[i].set(1);
        c.emit(self.event, i, f64::from(c.get(self.base_value)[i].get()));
    }
}

impl Behaviour for Tiles {
    fn reset(&self, c: &mut Context<'_>) {
        // Separate streams, so that fixing one of the three in the YAML does not change the other two. They are used one after
        // the other, so that each stays in registers.
        let terrain_of =
            |_, before| if self.parameters.can_be_fenced && before != GROUND { before } else { self.own_terrain };
        let count = self.places.place(c, c.stream(self.key, PLACE), self.cell, terrain_of);
        let level = |i: usize| self.placed.get(i).copied().unwrap_or_default();
        let mut draws = c.stream(self.key, STAGE);
        let (here, gone) = c.get(self.stage).split_at(count);
        for (i, stage) in here.iter().enumerate() {
            let drawn = || self.initial[draws.index(self.initial.len() as u32) as usize];
            stage.set(level(i).stage.unwrap_or_else(drawn));
        }
        // Things without a tile, and things beyond the count, are removed from the start.
        gone.iter().for_each(|stage| stage.set(self.last + 1));
        let mut draws = c.stream(self.key, WORTH);
        let [low, high] = self.parameters.base_value.map(|value| value as i32);
        for (i, worth) in c.get(self.base_value)[..count].iter().enumerate() {
            let drawn = || draws.integer_in(low, high);
            worth.set(level(i).base_value.unwrap_or_else(drawn));
        }
    }

    /// Shows the stages, including stages set by the rules.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        c.get(self.restless)[0].set(1);
        let never_pays =
            self.parameters.start_in_top_pays == StartInTop::Never && self.parameters.pays == Pays::OnFirstEntry;
        let things = c.get(self.stage).iter().zip(c.get(self.cell)).zip(c.get(self.paid));
        for (i, ((stage, cell), paid)) in things.enumerate() {
            if cell.get() == 0 {
                // The corner of the margin means that the thing has no tile.
                stage.set(self.last + 1);
                continue;
            }
            let gone = stage.get() > self.last;
            let shown = terrain(tiles, cell.get() as usize);
            if !self.parameters.can_be_fenced || shown.get() == GROUND || shown.get() == self.own_terrain {
                shown.set(if gone { GROUND } else { self.own_terrain });
            }
            status(tiles, cell.get() as usize).set(self.shown[usize::from(stage.get())]);
            let has_paid = self.placed.get(i).is_some_and(|start| start.has_paid);
            paid.set(u8::from(has_paid || (never_pays && stage.get() == self.last)));
        }
    }

    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let position = c.get(self.position);
        let target = self.frame.ahead(position[0].get(), position[1].get(), c.value(self.facing));
        // One read of the map shows whether one of these things is there, except for things inside a fence.
        if terrain(c.get(self.tiles), target).get() != self.own_terrain && !self.parameters.can_be_fenced {
            return;
        }
        let stages = c.get(self.stage);
        let Some(i) = thing_at(c.get(self.cell), target) else { return };
        let stage = stages[i].get();
        if stage > self.last {
            return;
        }
        let Some(after) = self.led_to(action, stage) else { return };
        stages[i].set(after);
        c.get(self.tended)[i].set(1);
        c.get(self.restless)[0].set(1);
        if after == self.last && after > stage && self.pays_now(i, c) {
            self.pay(i, c);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let target = self.frame.ahead(position[0], position[1], reader.get(self.facing)[0]) as i32;
        let found = reader.get(self.cell).iter().position(|cell| *cell == target);
        let stage = found.map(|i| reader.get(self.stage)[i]).filter(|stage| *stage <= self.last);
        // An action that does not change the stage still stops a thing from advancing by itself.
        let goes_on = |stage: u8| match self.laws.get(usize::from(stage)) {
            Some(law) => law.is_some(),
            None => self.advance_word != 0,
        };
        let led_to = |stage| self.led_to(action, stage).map(|after| (stage, after));
        stage.and_then(led_to).is_some_and(|(stage, after)| after != stage || goes_on(stage))
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        // In most steps there is no action on a thing and all things are in their last stage. Then only the payment on the farmer's
        // tile is checked.
        if c.get(self.restless)[0].get() != 0 {
            match self.waited {
                None => self.go_on(c),
                Some(waited) => self.go_on_by_laws(waited, c),
            }
        }
        if self.parameters.pays == Pays::WhenStoodOn {
            self.pay_underfoot(c);
        }
    }
}

impl Tiles {
    // Not inlined: most steps do not need this function and stay short without it.
    /// All things that advance by themselves do so.
    #[inline(never)]
    fn go_on(&self, c: &mut Context<'_>) {
        let (stages, tended) = (c.get(self.stage), c.get(self.tended));
        let first_step = c.step() == 0 && self.parameters.start_in_top_pays == StartInTop::Immediately;
        let mut restless = 0;
        for (i, (stages, tended)) in stages.chunks_exact(WORD).zip(tended.chunks_exact(WORD)).enumerate() {
            // One bit for each thing that may advance by itself: it is not in its last stage.
            let (below_last, tended) = (below(word(stages), self.last) & self.advance_word, word(tended));
            if (below_last | tended) != 0 || first_step {
                self.advance(i * WORD, below_last & !tended, first_step, c);
                restless |= below(word(stages), self.last) & self.advance_word;
            }
        }
        c.get(self.restless)[0].set(u8::from(restless != 0));
    }

    /// Each thing follows the law of its stage, unless a verb acted on it.
    #[inline(never)]
    fn go_on_by_laws(&self, waited: Column<i32>, c: &mut Context<'_>) {
        let (stages, tended, waited) = (c.get(self.stage), c.get(self.tended), c.get(waited));
        let (tiles, cells) = (c.get(self.tiles), c.get(self.cell));
        let first_step = c.step() == 0 && self.parameters.start_in_top_pays == StartInTop::Immediately;
        let mut restless = 0;
        for i in 0..stages.len() {
            let stage = stages[i].get();
            if stage > self.last {
                continue;
            }
            let mut entered = first_step && stage == self.last;
            let law = self.laws[usize::from(stage)];
            if tended[i].replace(0) != 0 {
                waited[i].set(0);
            } else if let Some(law) = law {
                waited[i].set(waited[i].get() + 1);
                if waited[i].get() >= law.after {
                    waited[i].set(0);
                    stages[i].set(law.to);
                    entered |= law.to == self.last && stage != self.last;
                }
            }
            let after = stages[i].get();
            status(tiles, cells[i].get() as usize).set(self.shown[usize::from(after)]);
            restless |= u8::from(self.laws[usize::from(after)].is_some());
            if entered && self.pays_now(i, c) {
                self.pay(i, c);
            }
        }
        c.get(self.restless)[0].set(restless);
    }

    /// Advances eight things, clears their flag `tended`, and shows their stages.
    #[inline(never)]
    fn advance(&self, start: usize, advancing: u64, first_step: bool, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        let here = start..start + WORD;
        let (stages, tended) = (&c.get(self.stage)[here.clone()], &c.get(self.tended)[here.clone()]);
        let cells = &c.get(self.cell)[here];
        for k in 0..WORD {
            let steps = (advancing >> (8 * k)) as u8 & 1;
            let after = stages[k].get() + steps;
            stages[k].set(after);
            tended[k].set(0);
            status(tiles, cells[k].get() as usize).set(self.shown[usize::from(after)]);
            let entered = after == self.last && (steps == 1 || first_step);
            if entered && self.pays_now(start + k, c) {
                self.pay(start + k, c);
            }
        }
    }

    /// A thing in its last stage on the farmer's tile is removed and pays.
    fn pay_underfoot(&self, c: &mut Context<'_>) {
        let (tiles, position) = (c.get(self.tiles), c.get(self.position));
        let here = self.frame.cell(usize::from(position[0].get()), usize::from(position[1].get()));
        // One read of the map shows whether it pays. Only then is the thing looked up.
        if terrain(tiles, here).get() == self.own_terrain && status(tiles, here).get() == self.last_shown {
            self.take_away(here, c);
        }
    }

    #[inline(never)]
    fn take_away(&self, here: usize, c: &mut Context<'_>) {
        let tiles = c.get(self.tiles);
        if let Some(i) = c.get(self.cell).iter().position(|cell| cell.get() as usize == here) {
            terrain(tiles, here).set(GROUND);
            status(tiles, here).set(0);
            c.get(self.stage)[i].set(self.last + 1);
            self.pay(i, c);
        }
    }
}

/// Eight bytes as one word.
#[inline]
fn word(bytes: &[Cell<u8>]) -> u64 {
    bytes.first_chunk::<WORD>().map_or(0, |bytes| u64::from_le_bytes(std::array::from_fn(|k| bytes[k].get())))
}

/// For each byte of a word of numbers below 128: 1 if it is below `limit`, otherwise 0.
#[inline]
fn below(word: u64, limit: u8) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The borrow of each byte's subtraction stays in its own high bit.
    (!((word | HIGH) - ONES * u64::from(limit)) & HIGH) >> 7
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn bytes_of_a_word_are_compared_each_for_itself() {
        let bytes = [0u8, 1, 2, 3, 4, 100, 101, 0];
        for limit in [0u8, 1, 3, 100] {
            let expected = bytes.map(|b| u8::from(b < limit));
            assert_eq!(below(u64::from_le_bytes(bytes), limit).to_le_bytes(), expected, "below {limit}");
        }
    }
}
