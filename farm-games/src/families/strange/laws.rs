//! A crop's possible preferences, as parameters of the plant and in words.

use farm_core::Stream;

use crate::families::backwards::one_of;

/// The water that a crop likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Water {
    /// Little water; it suffocates in soil that other crops like.
    Dry,
    /// Neither drought nor wet soil.
    Even,
    /// Plenty of water; it suffers from the first day of drought, and grows in waterlogged soil.
    Wet,
}

/// The season in which a crop should be sown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Season {
    /// As soon as the year begins, so that it flowers before the heat.
    Spring,
    /// When the nights are warm.
    Summer,
}

/// The effect of fertiliser on a crop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Food {
    /// It needs some on poor soil.
    Hungry,
    /// It has its own nitrogen, and salts harm it.
    Averse,
}

impl Water {
    const ALL: [Self; 3] = [Self::Dry, Self::Even, Self::Wet];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dry => "dry",
            Self::Even => "even",
            Self::Wet => "wet",
        }
    }

    /// Parameters of the plant's `water`.
    fn parameters(self) -> &'static str {
        match self {
            Self::Dry => {
                "transpiration#prop: 0.9, wilting#prop: 0.9, pollination#prop: 0.95, air#prop: 0.45, wet_days#day: 2"
            }
            Self::Even => {
                "transpiration#prop: 0.55, wilting#prop: 0.65, pollination#prop: 0.75, air#prop: 0.22, wet_days#day: 2"
            }
            Self::Wet => {
                "transpiration#prop: 0.1, wilting#prop: 0.2, pollination#prop: 0.3, air#prop: 0, wet_days#day: 2"
            }
        }
    }

    /// The same in words, for a player who sees the rules.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Dry => {
                "likes dry soil. It takes up all the water it needs until 90 % of the water within reach of its roots is used up. It suffocates \
                 within 2 days if less than 45 % of the root zone holds air"
            }
            Self::Even => {
                "likes moist soil. It takes up all the water it needs until 55 % of the water within reach of its roots is used up. It wilts at \
                 65 % and sets no fruit at 75 %. It suffocates within 2 days if less than 22 % of the root zone holds air"
            }
            Self::Wet => {
                "likes wet soil. It takes up less water once 10 % of the water within reach of its roots is used up. It wilts at 20 % and \
                 sets no fruit at 30 %. It needs no air in the soil"
            }
        }
    }
}

impl Season {
    const ALL: [Self; 2] = [Self::Spring, Self::Summer];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
        }
    }

    /// Parameters of the plant's `development`, `growth`, `fruits` and `harm`.
    fn parameters(self) -> [&'static str; 4] {
        match self {
            Self::Spring => [
                "temperature#°C: [6, 34], optimum#°C: [18, 26]",
                "temperature#°C: [6, 36], optimum#°C: [14, 26]",
                "cold#°C: [-2, 2], heat#°C: [27, 32]",
                "lethal#°C: -6, growing_point#°C.day: 0",
            ],
            Self::Summer => [
                "temperature#°C: [14, 44], optimum#°C: [28, 36], emergence#°C.day: 70",
                "temperature#°C: [14, 46], optimum#°C: [24, 38]",
                "cold#°C: [12, 17], heat#°C: [46, 50], seed_days#day: 20",
                "lethal#°C: 9, growing_point#°C.day: 0",
            ],
        }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Spring => {
                "is a spring crop. It grows above 6 °C. Half of the plants survive a night at -6 °C. Flowers begin to fail on days of 27 °C, and all \
                 fail at 32 °C"
            }
            Self::Summer => {
                "is a summer crop. It grows above 14 °C. Seeds that have not come up after 20 days rot. Half of the plants die in a night at 9 °C. \
                 Flowers begin to fail in nights below 17 °C, and all fail at 12 °C. They tolerate days of up to 46 °C"
            }
        }
    }
}

impl Food {
    const ALL: [Self; 2] = [Self::Hungry, Self::Averse];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hungry => "hungry",
            Self::Averse => "averse",
        }
    }

    /// Parameters of the plant's `nutrition` and `harm`.
    fn parameters(self) -> [&'static str; 2] {
        match self {
            Self::Hungry => ["fixation#prop: 0", "salt_threshold#dS.m-1: 4, salt_slope#m.dS-1: 0.05"],
            Self::Averse => [
                "fixation#prop: 1, phosphorus#g.g-1: 0.01, potassium#g.g-1: 0.05",
                "salt_threshold#dS.m-1: 0.1, salt_slope#m.dS-1: 8",
            ],
        }
    }

    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Hungry => "takes all its nutrients from the soil. Fertiliser helps it",
            Self::Averse => "takes its nitrogen from the air. The salts of fertiliser harm it",
        }
    }
}

/// A crop's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CropLaws {
    /// The water that it likes.
    pub water: Water,
    /// The season in which it should be sown.
    pub season: Season,
    /// The effect of fertiliser on it.
    pub food: Food,
    /// The price of a kilogram, in cents.
    pub price: u32,
}

impl CropLaws {
    pub(super) fn draw(stream: &mut Stream) -> Self {
        Self {
            water: one_of(stream, &Water::ALL),
            season: one_of(stream, &Season::ALL),
            food: one_of(stream, &Food::ALL),
            price: 40 + 20 * stream.index(12),
        }
    }

    /// The entity, as a line of YAML.
    pub(super) fn yaml(&self) -> String {
        let [development, growth, fruits, cold] = self.season.parameters();
        let [nutrition, salt] = self.food.parameters();
        let water = self.water.parameters();
        format!(
            "      - Plant: {{base: corn, crop: {{development: {{{development}}}, growth: {{{growth}}}, water: {{{water}}}, fruits: \
             {{{fruits}, unripe_worth#prop: 1}}, nutrition: {{{nutrition}}}, harm: {{{cold}, {salt}}}}}}}\n"
        )
    }

    pub(super) fn ranks(&self) -> usize {
        self.water as usize + self.season as usize + self.food as usize
    }
}
