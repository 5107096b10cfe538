//! The rules once more, written from their text alone, and compared with the game step by step. Sites lie in a map by
//! tile, an animal knows until which step it is sated, and everything that can be a fraction is one.

use std::collections::BTreeMap;

use farm_core::Stream;

use super::support::*;

/// An exact fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fraction(pub i128, pub i128);

impl Fraction {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0 * other.1 + other.0 * self.1, self.1 * other.1).reduced()
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self(self.0 * other.0, self.1 * other.1).reduced()
    }

    fn reduced(self) -> Self {
        let (mut a, mut b) = (self.0.abs(), self.1);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self(self.0 / a.max(1), self.1 / a.max(1))
    }

    /// The nearest real number: numerator and denominator are small enough to be exact.
    pub(crate) fn real(self) -> f64 {
        assert!(self.0.abs() < 1 << 53 && self.1 < 1 << 53, "{self:?}");
        self.0 as f64 / self.1 as f64
    }
}

#[derive(Debug, Clone)]
enum Clock {
    /// Our rules: sated up to and including a step; ticks since the last product was collected.
    Ours { sated_until: u32, ticks: u32 },
    /// The peer's: one timer, which runs while the animal is not hungry.
    Peer { hungry: bool, timer: u32 },
}

#[derive(Debug, Clone)]
enum Site {
    /// Waterings since it was planted; none for bare soil.
    Field(Option<u8>),
    Barn {
        sprite: usize,
        clock: Clock,
        stock: u32,
    },
    /// Relationship in points, and whether a gift was given.
    Home {
        relationship: Fraction,
        gifted: bool,
    },
    Market,
}

struct Simulator {
    peer: bool,
    sites: BTreeMap<Tile, Site>,
    /// The order in which relationships are seen.
    homes: Vec<Tile>,
    at: Tile,
    seeds: u32,
    water: u32,
    crops: u32,
    feed: u32,
    products: u32,
    gifts: u32,
    coins: Fraction,
    step: u32,
}

impl Simulator {
    fn new(world: &World, peer: bool) -> Self {
        let mut sites = BTreeMap::new();
        for (at, stage) in &world.fields {
            assert_eq!(*stage, 0, "fields start empty");
            sites.insert(*at, Site::Field(None));
        }
        for (sprite, animal) in world.animals.iter().enumerate() {
            let clock = match peer {
                true => Clock::Peer { hungry: true, timer: 0 },
                false => Clock::Ours { sated_until: 0, ticks: 0 },
            };
            sites.insert(animal.at, Site::Barn { sprite, clock, stock: 0 });
        }
        for villager in &world.villagers {
            assert_eq!(villager.relationship.fract(), 0.0);
            let relationship = Fraction(villager.relationship as i128, 1);
            sites.insert(villager.at, Site::Home { relationship, gifted: false });
        }
        for at in &world.markets {
            sites.insert(*at, Site::Market);
        }
        let homes = world.villagers.iter().map(|villager| villager.at).collect();
        let (coins, step) = (Fraction(0, 1), 0);
        let (seeds, water, feed, gifts) = (5, 5, 3, 3);
        Self { peer, sites, homes, at: world.at, seeds, water, crops: 0, feed, products: 0, gifts, coins, step }
    }

    fn relationship(&self, home: &Tile) -> Fraction {
        match &self.sites[home] {
            Site::Home { relationship, .. } => *relationship,
            other => panic!("{other:?}"),
        }
    }

    /// One step; the reward is exact.
    fn step(&mut self, action: usize) -> Fraction {
        self.step += 1;
        let now = self.step;
        for site in self.sites.values_mut() {
            if let Site::Barn { clock: Clock::Ours { sated_until, ticks }, stock, .. } = site
                && now <= *sated_until
            {
                *ticks += 1;
                *stock += u32::from(*ticks % 5 == 0);
            }
        }
        let mut reward = Fraction(0, 1);
        let here = self.sites.get_mut(&self.at);
        match (action, here) {
            (NORTH | SOUTH | EAST | WEST, _) => {
                let (dx, dy) = [(0, -1), (0, 1), (1, 0), (-1, 0)][action];
                let target = (self.at.0 + dx, self.at.1 + dy);
                if on_map(target) {
                    self.at = target;
                }
            }
            (PLANT, Some(Site::Field(crop @ None))) if self.seeds > 0 => {
                self.seeds -= 1;
                *crop = Some(0);
            }
            (WATER, Some(Site::Field(Some(waterings)))) if self.water > 0 && (*waterings < 2 || self.peer) => {
                self.water -= 1;
                *waterings = (*waterings + 1).min(2);
            }
            (HARVEST, Some(Site::Field(crop @ Some(2)))) => {
                *crop = None;
                self.crops += 1;
                reward = Fraction(1, 10);
            }
            (FEED, Some(Site::Barn { clock, .. })) if self.feed > 0 => match clock {
                Clock::Ours { sated_until, .. } => {
                    self.feed -= 1;
                    *sated_until = now + 10;
                }
                Clock::Peer { hungry: hungry @ true, timer } => {
                    self.feed -= 1;
                    (*hungry, *timer) = (false, 0);
                }
                Clock::Peer { .. } => {}
            },
            (COLLECT, Some(Site::Barn { clock, stock, .. })) if *stock > 0 => {
                let allowed = match clock {
                    Clock::Ours { sated_until, .. } => now <= *sated_until,
                    Clock::Peer { .. } => true,
                };
                if allowed {
                    reward = Fraction(2 * i128::from(*stock), 10);
                    self.products += *stock;
                    *stock = 0;
                    if let Clock::Ours { ticks, .. } = clock {
                        *ticks = 0;
                    }
                }
            }
            (GIFT, _) if self.gifts > 0 => reward = self.give(),
            (SELL, Some(Site::Market)) if self.crops + self.products > 0 => reward = self.sell(),
            _ => {}
        }
        for site in self.sites.values_mut() {
            if let Site::Barn { clock: Clock::Peer { hungry: hungry @ false, timer }, stock, .. } = site {
                *timer += 1;
                *stock += u32::from(*timer == 5);
                *hungry = *timer == 10;
            }
        }
        reward
    }

    fn give(&mut self) -> Fraction {
        let (x, y) = self.at;
        let reach: Vec<Tile> = if self.peer {
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
            around.filter(|offset| *offset != (0, 0)).map(|(dx, dy)| (x + dx, y + dy)).collect()
        } else {
            vec![(x, y), (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        };
        let increment = if self.peer { 5 } else { 4 };
        for home in reach {
            if let Some(Site::Home { relationship, gifted }) = self.sites.get_mut(&home) {
                self.gifts -= 1;
                *gifted = true;
                let before = *relationship;
                *relationship = before.plus(Fraction(increment, 1));
                if relationship.real() > 100.0 {
                    *relationship = Fraction(100, 1);
                }
                let gain = relationship.plus(Fraction(-before.0, before.1));
                return gain.times(Fraction(1, 2));
            }
        }
        Fraction(0, 1)
    }

    fn sell(&mut self) -> Fraction {
        let multipliers =
            self.homes.iter().map(|home| self.relationship(home).times(Fraction(1, 100)).plus(Fraction(1, 1)));
        let mean = multipliers.fold(Fraction(0, 1), Fraction::plus).times(Fraction(1, self.homes.len() as i128));
        let mut coins = mean.times(Fraction(i128::from(self.crops + 2 * self.products), 1));
        if self.peer {
            coins = Fraction(coins.0 / coins.1, 1);
        }
        (self.crops, self.products) = (0, 0);
        self.coins = self.coins.plus(coins);
        coins.times(Fraction(1, 10))
    }

    fn is_friendly(&self, home: &Tile) -> bool {
        match &self.sites[home] {
            Site::Home { relationship, gifted } => relationship.real() >= 20.0 && (*gifted || !self.peer),
            other => panic!("{other:?}"),
        }
    }

    /// Terrain and flag of a tile, as observed in the step to come.
    fn look(&self, at: Tile) -> (&'static str, &'static str) {
        if !on_map(at) {
            return ("obstacle", "none");
        }
        match self.sites.get(&at) {
            None => ("grass", "none"),
            Some(Site::Field(None)) => ("soil_empty", "none"),
            Some(Site::Field(Some(0))) => ("soil_seeded", "seedling"),
            Some(Site::Field(Some(1))) => ("crop_growing", "growing"),
            Some(Site::Field(_)) => ("crop_mature", "mature"),
            Some(Site::Barn { sprite, clock, .. }) => {
                let sated = match clock {
                    Clock::Ours { sated_until, .. } => self.step < *sated_until,
                    Clock::Peer { hungry, .. } => !hungry,
                };
                (["barn_cow", "barn_sheep", "barn_chicken"][*sprite], if sated { "sated" } else { "hungry" })
            }
            Some(Site::Home { .. }) => ("villager", if self.is_friendly(&at) { "friendly" } else { "neutral" }),
            Some(Site::Market) => ("market", "none"),
        }
    }

    /// The whole observation as text.
    fn text(&self) -> String {
        let (x, y) = self.at;
        let mut text = "grid:\n".to_owned();
        for dy in -2..=2 {
            let own = |dx, word: &str| if (dx, dy) == (0, 0) { format!("[{word}]") } else { word.to_owned() };
            let row: Vec<String> = (-2..=2).map(|dx| own(dx, self.look((x + dx, y + dy)).0)).collect();
            text += &format!("  {}\n", row.join(" "));
        }
        let rounded = self.homes.iter().map(|home| {
            let Fraction(n, d) = self.relationship(home);
            // Half up: the largest multiple of five not above r + 2.5.
            (((2 * n + 5 * d) / (10 * d)) * 5).to_string()
        });
        let rounded: Vec<String> = rounded.collect();
        let coins = self.coins.real() as f32;
        let (seeds, water, crops) = (self.seeds, self.water, self.crops);
        let (feed, products, gifts) = (self.feed, self.products, self.gifts);
        text += &format!("centre: {}\n", self.look(self.at).1);
        text += &format!("inventory: seeds={seeds} water={water} crops={crops} feed={feed} ");
        text += &format!("products={products} coins={coins} gifts={gifts}\n");
        text + &format!("relationships: {}\nremaining: {}\n", rounded.join(" "), 50 - self.step)
    }
}

/// Plays both for whole episodes; returns how often each action was rewarded.
fn compare(farm: &Farm, peer: bool, seeds: u64) -> [u32; 12] {
    let mut rewarded = [0; 12];
    let mut play = farm.play(0);
    for seed in 0..seeds {
        farm.game.reset(&mut play.state, seed, &mut play.record);
        let mut simulator = Simulator::new(&play.world(), peer);
        let mut stream = Stream::from_seed(seed ^ 0x5eed);
        let mut total = Fraction(0, 1);
        for step in 0..50 {
            let context = || format!("seed {seed}, step {step}");
            assert_eq!(farm.game.observation().to_text(&play.observation()), simulator.text(), "{}", context());
            let action = busy_action(&mut stream, &play.world(), seed);
            let outcome = play.step(action);
            let reward = simulator.step(action);
            total = total.plus(reward);
            rewarded[action] += u32::from(reward.0 > 0);
            assert_eq!(outcome.reward, reward.real(), "{}: {}", context(), NAMES[action]);
            assert_eq!((outcome.terminated, outcome.truncated), (step == 49, false), "{}", context());
            let world = play.world();
            assert_eq!(world.at, simulator.at, "{}", context());
            assert_eq!(world.inventory[COINS], simulator.coins.real(), "{}", context());
            for villager in &world.villagers {
                assert_eq!(villager.relationship, simulator.relationship(&villager.at).real(), "{}", context());
                assert_eq!(villager.friendly, simulator.is_friendly(&villager.at), "{}", context());
            }
        }
        assert_eq!(farm.game.observation().to_text(&play.observation()), simulator.text(), "seed {seed}");
        let parts: f64 = {
            let score = farm.game.parts().last().expect("a score");
            let column = score.variables()[0].column::<f64>().expect("the total");
            farm.game.reader(&play.state).get(column)[0]
        };
        assert_eq!(parts, total.times(Fraction(3_000_000_000, 1)).real(), "seed {seed}: the total is exact");
    }
    rewarded
}

#[test]
fn step_the_game_and_an_independent_simulator_agree_over_three_thousand_seeds() {
    let rewarded = compare(&Farm::shipped(), false, 3_000);
    for action in [HARVEST, COLLECT, GIFT, SELL] {
        assert!(rewarded[action] > 150, "{}: {rewarded:?}", NAMES[action]);
    }
}

#[test]
fn peer_behaviour_the_game_and_an_independent_simulator_agree() {
    let rewarded = compare(&Farm::preset("autoenv_compat"), true, 1_000);
    for action in [HARVEST, COLLECT, GIFT, SELL] {
        assert!(rewarded[action] > 33, "{}: {rewarded:?}", NAMES[action]);
    }
}
