//! Evidence from actions about the rules for fields, barns, gifts and markets.

use farm_core::action::Call;
use farm_core::{Game, State};
use farm_oracle::valley_farm::{Action, AnimalClock, GiftReach, Reading};

use super::evidence::Evidence;

/// Judges actions in games of the `valley_farm` family.
pub(super) struct Judge {
    reading: Reading,
    clauses: Vec<(String, String)>,
}

/// The indices of the clauses.
const REACH: usize = 0;
const PLANTING: usize = 1;
const WATERING: usize = 2;
const FEEDING: usize = 3;
const GIVING: usize = 4;
const STAGES: usize = 5;
const SATED: usize = 6;
const TICKS: usize = 7;
const CLOCK: usize = 8;

impl Judge {
    pub(super) fn new(reading: Reading) -> Self {
        let rules = reading.rules();
        let taken = reading.taken();
        let reach = if rules.gift_reach == GiftReach::Ring { "eight around" } else { "own and four" };
        let clock = if rules.clock == AnimalClock::Countdown { "counts down" } else { "ticks" };
        let clauses = [
            ("gift.reach", reach.to_owned()),
            ("takes.planting", taken[0].to_string()),
            ("takes.watering", taken[1].to_string()),
            ("takes.feeding", taken[2].to_string()),
            ("takes.giving", taken[3].to_string()),
            ("crops.stages_per_watering", rules.stages_per_watering.to_string()),
            ("animals.sated", rules.sated_steps.to_string()),
            ("animals.ticks", rules.product_ticks.to_string()),
            ("animals.clock", clock.to_owned()),
        ];
        let clauses = clauses.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { reading, clauses }
    }

    pub(super) fn clauses(&self) -> &[(String, String)] {
        &self.clauses
    }

    /// Collects the evidence from a schedule: whether its action is possible and, if not, the clause that forbids it.
    pub(super) fn evidence(&self, game: &Game, state: &State, schedule: &[Call], found: &mut Vec<Evidence>) {
        const ACTIONS: [Action; 6] = [
            Action::PlantSeed,
            Action::WaterCrop,
            Action::HarvestCrop,
            Action::FeedAnimal,
            Action::CollectProduct,
            Action::GiveGift,
        ];
        let Some(action) = ACTIONS.into_iter().find(|action| self.reading.calls(*action) == schedule) else { return };
        let world = self.reading.world(game, state);
        let [planting, watering, feeding, giving, ..] = self.reading.carried(&game.reader(state));
        let carried = &world.inventory;
        let field = world.fields.iter().find(|field| field.tile == world.agent);
        let barn = world.barns.iter().find(|barn| barn.tile == world.agent).copied();
        // An agent without the item shows nothing about the amount.
        let mut takes = |clause: usize, amount: f64, uses: u8| {
            if amount > 0.0 {
                found.push((clause, uses > 0));
            }
        };
        match (action, field, barn) {
            (Action::PlantSeed, Some(field), _) if field.stage == 0 => takes(PLANTING, planting, carried.seeds),
            (Action::WaterCrop, Some(field), _) if (1..3).contains(&field.stage) => {
                takes(WATERING, watering, carried.water);
            }
            // The agent waters a crop more than needed, or harvests it too early.
            (Action::WaterCrop, Some(field), _) if field.stage == 3 => found.push((STAGES, false)),
            (Action::HarvestCrop, Some(field), _) if field.stage > 0 => found.push((STAGES, field.stage == 3)),
            (Action::FeedAnimal, _, Some(barn)) => {
                takes(FEEDING, feeding, carried.feed);
                if world.rules.clock == AnimalClock::Countdown {
                    found.push((CLOCK, barn.sated == 0));
                }
            }
            (Action::CollectProduct, _, Some(mut barn)) => {
                let (was_sated, lay) = (barn.sated > 0, barn.stock > 0);
                let has_found = barn.collect(&world.rules) > 0;
                if world.rules.clock == AnimalClock::Ticks && !was_sated && lay {
                    // A hungry animal gives none of its stored products: it was fed too late.
                    found.push((SATED, false));
                } else {
                    found.push((TICKS, has_found));
                    if has_found && world.rules.clock == AnimalClock::Ticks {
                        found.push((SATED, true));
                    }
                }
            }
            (Action::GiveGift, ..) if giving > 0.0 => {
                let mut other = world.clone();
                other.rules.gift_reach = match world.rules.gift_reach {
                    GiftReach::Ring => GiftReach::Diamond,
                    GiftReach::Diamond => GiftReach::Ring,
                };
                if world.reaches_somebody(world.agent) {
                    found.push((REACH, true));
                    found.push((GIVING, carried.gifts > 0));
                } else if other.reaches_somebody(world.agent) {
                    found.push((REACH, false));
                }
            }
            _ => {}
        }
    }
}
