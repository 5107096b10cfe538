//! Learns the rules of Valley Farm within an episode, and plans with the most likely ones.
//!
//! Like every player, it gets the observation record and the reward of each step. It knows the words: the terrains of fields, barns, homes
//! and the market, the purpose of each action, and the map's size. It does not know the rules. For unknown values, it uses one of two
//! priors. One is for a player that knows only words; the other is for a player that also knows the family and the farmer's start tile.

mod laws;

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{ActionKind, Agent, Game, State};
use farm_oracle::valley_farm::{Action, GiftReach, Inventory, Reading, Rules, Site};

use crate::policies::{Memory, ObservedPlaces, decide};
use laws::{Laws, Prior, Tended};

/// The knowledge before the first observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Knows {
    /// The meaning of words.
    Words,
    /// The meaning of words, and the distribution of the family's members.
    Family,
}

/// A learner for games with a market.
///
/// # Errors
/// A variable that it needs is not observed.
pub(super) fn player(
    reading: Reading,
    game: &Game,
    knows: Knows,
    keeps_laws: bool,
) -> Result<Box<dyn Agent>, Problems> {
    let shown = ObservedPlaces::of(game)?;
    let record = vec![0; game.observation().size()];
    let laws = laws_of(knows);
    let memory = fresh(&reading, knows, true);
    Ok(Box::new(Learner { reading, shown, record, memory, laws, knows, keeps_laws, before: None, earned: 0.0 }))
}

fn laws_of(knows: Knows) -> Laws {
    Laws::new(match knows {
        Knows::Words => Prior::of_words(),
        Knows::Family => Prior::of_family(),
    })
}

/// The memory at the start.
///
/// With [`Knows::Words`], the start tile and the number of barns are unknown. They are the same for all members of a family.
fn fresh(reading: &Reading, knows: Knows, is_beginning: bool) -> Memory {
    let start = reading.start().filter(|_| knows == Knows::Family && is_beginning);
    let mut memory = Memory::new(reading, start);
    if knows == Knows::Words {
        memory.expects_any_barns();
    }
    memory.world.rules = Rules::default();
    memory
}

/// What the learner knew at the last action.
#[derive(Debug, Clone, Copy)]
struct Before {
    step: u32,
    action: Action,
    tile: usize,
    site: Site,
    was_sated: bool,
    amounts: [f64; 6],
    /// The expected reward of a sale.
    sale: f64,
}

#[derive(Clone)]
struct Learner {
    reading: Reading,
    shown: ObservedPlaces,
    record: Vec<u8>,
    memory: Memory,
    laws: Laws,
    knows: Knows,
    keeps_laws: bool,
    before: Option<Before>,
    earned: f64,
}

/// The indices of amounts: first the goods for planting, watering, feeding and giving, then crops and products.
const PLANTING: usize = 0;
const WATERING: usize = 1;
const FEEDING: usize = 2;
const GIVING: usize = 3;
const CROPS: usize = 4;
const PRODUCTS: usize = 5;

impl Learner {
    /// Records the observation, learns from the result of the last action, and updates the known farm.
    fn look(&mut self, game: &Game, state: &State) {
        game.observe_into(state, &mut self.record);
        let entries = game.observation().entries();
        let earned = self.reading.earned(&game.reader(state));
        let reward = earned - std::mem::replace(&mut self.earned, earned);
        let window = &entries[self.shown.window.entry];
        let is_sated = self.reading.sated() == Some(entries[self.shown.centre].number(&self.record, 0) as u8);
        let amounts = self.reading.amounts(|i| self.shown.amount(game, &self.record, i));
        let site = |i: usize| self.reading.site(window.number(&self.record, i) as u8);
        let rows = self.shown.window.rows;
        let underfoot = site(rows * rows / 2);
        self.memory.see_window(&self.shown.window, site);
        let here = self.memory.world.agent;
        if let Some(before) = self.before.take() {
            self.learn(&before, underfoot, amounts, reward, is_sated);
        }
        let known: Vec<usize> = self.laws.barns().iter().map(|barn| barn.tile).collect();
        let new = self.memory.world.barns.iter().map(|barn| barn.tile).filter(|tile| !known.contains(tile));
        new.collect::<Vec<_>>().into_iter().for_each(|tile| self.laws.find_barn(tile));
        self.memory.world.rules = self.laws.rules();
        self.memory.world.barns = self.laws.barns().to_vec();
        let steps = self.reading.size().2.saturating_sub(state.step());
        let points = |i: usize| self.shown.points(game, &self.record, i);
        self.memory.know(Inventory::of(amounts, self.laws.taken()), points, steps);
        let action = decide(&self.memory, &self.shown.window);
        let sale = self.memory.world.sale();
        self.before = Some(Before {
            step: state.step(),
            action,
            tile: here,
            site: underfoot,
            was_sated: is_sated,
            amounts,
            sale,
        });
    }

    /// Learns from the result of the last action.
    fn learn(&mut self, before: &Before, site: Site, amounts: [f64; 6], reward: f64, is_sated: bool) {
        let spent = |what: usize| (before.amounts[what] - amounts[what]).round().max(0.0) as u32;
        let had = |what: usize| before.amounts[what].max(0.0) as u32;
        let gained = |what: usize| (amounts[what] - before.amounts[what]).round().max(0.0) as u32;
        let here = self.memory.world.agent;
        let mut tended = None;
        match (before.action, before.site) {
            (Action::PlantSeed, Site::Field(0)) => match spent(PLANTING) {
                0 => drop(self.laws.takes_more(PLANTING, had(PLANTING))),
                taken => self.laws.took(PLANTING, taken),
            },
            (Action::WaterCrop, Site::Field(from)) => match (spent(WATERING), site) {
                (0, _) => drop(self.laws.takes_more(WATERING, had(WATERING))),
                (taken, site) => {
                    self.laws.took(WATERING, taken);
                    if let Site::Field(to) = site {
                        self.laws.led_on(from, to);
                    }
                }
            },
            (Action::HarvestCrop, _) if gained(CROPS) > 0 => {
                self.laws.goods_paid(0, reward / f64::from(gained(CROPS)));
            }
            (Action::FeedAnimal, Site::Barn) => {
                let taken = spent(FEEDING);
                tended = Some((before.tile, Tended::Fed(taken > 0)));
                if taken > 0 {
                    self.laws.took(FEEDING, taken);
                } else {
                    // For a sated animal there are two possible reasons, too little feed or the clock. The learner assumes both.
                    self.laws.takes_more(FEEDING, had(FEEDING));
                    if before.was_sated {
                        self.laws.refuses_when_sated();
                    }
                }
            }
            (Action::CollectProduct, Site::Barn) => {
                let found = gained(PRODUCTS);
                tended = Some((before.tile, Tended::Collected(found)));
                if found > 0 {
                    self.laws.goods_paid(1, reward / f64::from(found));
                }
            }
            (Action::GiveGift, _) => self.learn_gift(before.tile, spent(GIVING), had(GIVING), reward),
            (Action::SellAtMarket, Site::Market) if reward > 0.0 => self.laws.sale_paid(reward, before.sale),
            _ => {}
        }
        self.laws.animals_lived(tended, (site == Site::Barn).then_some((here, is_sated)));
    }

    fn learn_gift(&mut self, from: usize, spent: u32, had: u32, reward: f64) {
        let was_given = spent > 0;
        let reaches = |reach: GiftReach| {
            let mut world = self.memory.world.clone();
            world.rules.gift_reach = reach;
            world.reaches_somebody(from)
        };
        if was_given {
            self.laws.took(GIVING, spent);
            self.laws.gift_paid(reward);
            self.laws.reached(true, reaches);
        } else if !self.laws.reached(false, reaches) {
            self.laws.takes_more(GIVING, had);
        }
    }
}

impl Agent for Learner {
    fn start(&mut self, _: u64) {
        self.memory = fresh(&self.reading, self.knows, true);
        if self.keeps_laws {
            self.laws.forget_barns();
        } else {
            self.laws = laws_of(self.knows);
        }
        (self.before, self.earned) = (None, 0.0);
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        if game.expects(state) == ActionKind::Observation {
            return;
        }
        let went_on = self.before.as_ref().map_or(state.step() == 0, |before| before.step + 1 == state.step());
        if !went_on {
            // Another player has acted, or a new episode has started, so the position is unknown.
            self.memory = fresh(&self.reading, self.knows, state.step() == 0);
            self.laws.forget_barns();
            self.before = None;
        }
        self.look(game, state);
        let action = self.before.as_ref().map_or(Action::Wait, |before| before.action);
        self.memory.world.pass(action);
        schedule.extend_from_slice(self.reading.calls(action));
    }
}
