//! The rules of Backwards Valley on the planner's description of a world, written from their text alone.

use farm_oracle::backwards_valley::{Action, StartInTop, Thing, World};

/// A thing in play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Resident {
    stage: u8,
    /// Whether it can still pay.
    pays: bool,
    tended: bool,
}

/// An episode. Equal episodes have equal futures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Valley<'w> {
    world: Facts<'w>,
    tile: usize,
    facing: usize,
    kinds: [Vec<Resident>; 3],
    paid: [u32; 3],
    is_first_step: bool,
}

/// The facts, equal to themselves, so that episodes of one world can be compared.
#[derive(Debug, Clone, Copy)]
struct Facts<'w>(&'w World);

impl PartialEq for Facts<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Facts<'_> {}

impl std::hash::Hash for Facts<'_> {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl<'w> Valley<'w> {
    pub(super) fn new(world: &'w World) -> Self {
        let kinds = [&world.crops, &world.animals, &world.villagers];
        let never = |thing: &Thing| thing.start_in_top_pays == StartInTop::Never;
        let residents = |kind: usize| {
            let resident = |thing: &Thing| {
                let pays = !(kind > 0 && never(thing) && thing.stage == thing.last_stage);
                Resident { stage: thing.stage, pays, tended: false }
            };
            kinds[kind].iter().map(resident).collect()
        };
        Self {
            world: Facts(world),
            tile: world.agent.tile,
            facing: world.agent.facing,
            kinds: [0, 1, 2].map(residents),
            paid: [0; 3],
            is_first_step: true,
        }
    }

    /// What lies ahead of the agent, as x and y; none off the map.
    fn ahead(&self) -> Option<usize> {
        let grid = &self.world.0.grid;
        let (x, y) = (self.tile % grid.length, self.tile / grid.length);
        match self.facing {
            0 if y > 0 => Some(self.tile - grid.length),
            1 if x + 1 < grid.length => Some(self.tile + 1),
            2 if y + 1 < grid.width => Some(self.tile + grid.length),
            3 if x > 0 => Some(self.tile - 1),
            _ => None,
        }
    }

    pub(super) fn step(&mut self, action: Action) -> u32 {
        let world = self.world.0;
        let things = [&world.crops, &world.animals, &world.villagers];
        let before: Vec<Vec<u8>> = self.kinds.iter().map(|kind| kind.iter().map(|r| r.stage).collect()).collect();
        match Action::MOVES.iter().position(|mv| *mv == action) {
            Some(direction) => {
                self.facing = direction;
                if let Some(next) = self.ahead().filter(|next| !world.grid.blocked[*next]) {
                    self.tile = next;
                }
            }
            None => {
                let kind = match action {
                    Action::Wait => 0,
                    Action::Feed => 1,
                    _ => 2,
                };
                let front = self.ahead();
                let found = things[kind].iter().position(|thing| Some(thing.tile) == front).filter(|_| kind > 0);
                if let Some(i) = found {
                    let resident = &mut self.kinds[kind][i];
                    resident.tended = true;
                    resident.stage = match action {
                        Action::Feed => resident.stage.saturating_sub(world.rules.animals_fall_by.unwrap_or(u8::MAX)),
                        Action::Compliment => resident.stage.saturating_sub(1),
                        _ => (resident.stage + 1).min(things[kind][i].last_stage),
                    };
                }
            }
        }
        let value = self.value();
        for kind in 0..3 {
            for (i, thing) in things[kind].iter().enumerate() {
                let resident = &mut self.kinds[kind][i];
                if kind < 2 && !resident.tended {
                    resident.stage = (resident.stage + 1).min(thing.last_stage);
                }
                resident.tended = false;
                let in_top = resident.stage == thing.last_stage;
                let entered = in_top && before[kind][i] < thing.last_stage;
                let at_once = in_top && self.is_first_step && thing.start_in_top_pays == StartInTop::Immediately;
                let pays = if kind == 0 { in_top && thing.tile == self.tile } else { entered || at_once };
                if pays && resident.pays {
                    resident.pays = false;
                    self.paid[kind] += thing.base_value;
                }
            }
        }
        self.is_first_step = false;
        self.value() - value
    }

    /// The Farm Value.
    pub(super) fn value(&self) -> u32 {
        let world = self.world.0;
        let of_meter =
            |meter: usize| (0..3).filter(|kind| world.rules.meter_of[*kind] == meter).map(|kind| self.paid[kind]).sum();
        (0..3).map(|meter| u32::min(of_meter(meter), world.meter_limits[meter])).sum()
    }
}
