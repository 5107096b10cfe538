//! A member's YAML on a tier.

use super::calendar::{CropYear, USUAL};
use super::{CropLaws, FIELD, FarmSetting, Food, Season, StrangeLaws, TWO_YEARS, Tier, Water, YEAR, told};

/// The episode ends with the only harvest.
const HARVEST_ENDS: &str = "      - [{state_variable: [Field-0, Plant-0, stage], function: fraction, of: [harvested], operator: '>=', ref_value: 1}]
      - [{state_variable: [Field-0, Plant-1, stage], function: fraction, of: [harvested], operator: '>=', ref_value: 1}]
";

/// The day of the year on which episodes begin.
pub(super) const FIRST_DAY: u32 = 30;

/// Whether a plot can be sown again after its harvest: yes if there are several plots, or two years.
pub(super) fn is_resown(farm: &FarmSetting, steps: u32) -> bool {
    farm.plots > 1 || steps > YEAR
}

/// The texts that replace the template's placeholders on a tier.
pub(super) fn places(tier: Option<(Tier, FarmSetting)>) -> Vec<(&'static str, String)> {
    let (farm, steps) = tier.map_or((FIELD, YEAR), |(tier, farm)| (farm, tier.steps));
    let is_resown = is_resown(&farm, steps);
    let last_day = format!(
        "      - [{{state_variable: [Field-0, Weather-0, day#int365], function: value, operator: '>=', ref_value: {}}}]\n",
        FIRST_DAY + steps
    );
    let only = |condition: bool, text: &str| if condition { text.to_owned() } else { String::new() };
    let time = match steps {
        YEAR => "in a year".to_owned(),
        TWO_YEARS => "in two years".to_owned(),
        days => format!("in {days} days"),
    };
    let plots =
        if farm.plots == 1 { "There is one plot".to_owned() } else { format!("There are {} plots", farm.plots) };
    let resown =
        format!("\n  {plots}. You can sow a plot again once it has been harvested. You can remove dead plants.");
    vec![
        ("@TIME@", time),
        ("@RESOWN@", only(is_resown, &resown)),
        ("@PLOTS@", farm.plots.to_string()),
        ("@ACTIONS@", farm.actions.to_string()),
        ("@WATER@", format!("({}, {})", farm.water[0], farm.water[1])),
        ("@WATER_SEEN@", only(farm.is_water_seen, "      - [Field-0, Soil-0, available_Water#L]\n")),
        ("@REMOVE@", only(is_resown, "          remove: {plot: '*'}\n")),
        ("@REMOVE_COST@", only(is_resown, ", remove: 1")),
        ("@STOPS@", only(!is_resown, HARVEST_ENDS) + &only(steps <= YEAR, &last_day)),
        ("@STEPS@", steps.to_string()),
    ]
}

/// The sowing days for crops of each season, for a policy that knows the season.
const SPRING: [u32; 2] = [31, 50];
const AUTUMN: [u32; 2] = [301, 364];
const SUMMER: [u32; 2] = [80, 190];
/// The number of days after which a summer crop is certainly ripe.
const SUMMER_DAYS: u32 = 80;
/// The yield with watering by calendar, as a fraction of the yield with watering by observed soil water.
const BLIND: f64 = 0.75;

impl CropLaws {
    /// A plot's mean yield, in kilograms, and its cost, in euros, measured over 12 years.
    ///
    /// The crop is sown in its season, fertilised if it likes fertiliser, and kept as wet as it likes.
    fn expected(&self) -> [f64; 2] {
        match (self.water, self.season, self.food) {
            (Water::Dry, Season::Spring, Food::Hungry) => [38.0, 32.0],
            (Water::Dry, Season::Spring, Food::Averse) => [35.0, 21.0],
            (Water::Dry, Season::Summer, Food::Hungry) => [52.0, 34.0],
            (Water::Dry, Season::Summer, Food::Averse) => [51.0, 28.0],
            (Water::Even, Season::Spring, Food::Hungry) => [66.0, 46.0],
            (Water::Even, Season::Spring, Food::Averse) => [70.0, 42.0],
            (Water::Even, Season::Summer, Food::Hungry) => [96.0, 49.0],
            (Water::Even, Season::Summer, Food::Averse) => [100.0, 42.0],
            (Water::Wet, Season::Spring, Food::Hungry) => [69.0, 52.0],
            (Water::Wet, Season::Spring, Food::Averse) => [79.0, 50.0],
            (Water::Wet, Season::Summer, Food::Hungry) => [95.0, 63.0],
            (Water::Wet, Season::Summer, Food::Averse) => [111.0, 56.0],
        }
    }

    /// The expected profit from a sown plot in euros, for a policy that knows the crop's rules.
    fn worth(&self, farm: &FarmSetting) -> f64 {
        let [kilograms, cost] = self.expected();
        let borne = if farm.is_water_seen { kilograms } else { BLIND * kilograms };
        borne * f64::from(self.price) / 100.0 - cost
    }

    /// Its first laws in the format of a learner's parameter. The learner tries both seasons in any case.
    fn known(&self, told: u32) -> String {
        let laws = [
            format!("likes_food: {}", self.food == Food::Hungry),
            format!("price#kg-1: {}", f64::from(self.price) / 100.0),
            format!("level: {}", self.water as u32),
        ];
        format!("{{{}}}", laws[..laws.len().min(told as usize)].join(", "))
    }

    /// The litres of soil water below which it is watered, and the days between two waterings if soil water is not observed.
    fn watering(&self) -> (u32, u32) {
        match (self.water, self.season) {
            (Water::Dry, Season::Spring) => (22_000, 14),
            (Water::Dry, Season::Summer) => (22_000, 8),
            (Water::Even, Season::Spring) => (25_500, 8),
            (Water::Even, Season::Summer) => (25_500, 4),
            (Water::Wet, Season::Spring) => (29_000, 5),
            (Water::Wet, Season::Summer) => (29_000, 3),
        }
    }
}

impl StrangeLaws {
    /// The calendar for a policy that knows these rules but not the weather: the most profitable crop in each season.
    fn informed(&self, farm: &FarmSetting, steps: u32) -> Vec<CropYear> {
        let years = |crop: usize| {
            let laws = &self.crops[crop];
            let (level, interval) = laws.watering();
            let last = FIRST_DAY + steps.min(YEAR) - SUMMER_DAYS;
            // A crop that tolerates cold is also sown in autumn, if another year follows.
            let windows = match laws.season {
                Season::Spring if steps > YEAR => vec![SPRING, AUTUMN],
                Season::Spring => vec![SPRING],
                Season::Summer => vec![[SUMMER[0], SUMMER[1].min(last)]],
            };
            let is_fed = laws.food == Food::Hungry;
            windows.into_iter().map(move |days| CropYear { crop, days, level, interval, is_fed })
        };
        let worth = |crop: usize| self.crops[crop].worth(farm);
        let best = |season: Season| {
            let crops = (0..self.crops.len()).filter(|crop| self.crops[*crop].season == season && worth(*crop) > 0.0);
            crops.max_by(|one, other| worth(*one).total_cmp(&worth(*other)))
        };
        let pays = |crop: Option<usize>| crop.map_or(0.0, worth);
        let (spring, summer) = (best(Season::Spring), best(Season::Summer));
        // In one year, a summer crop follows another summer crop or a spring crop. In two years, the spring crop gets the winter.
        let chosen = match is_resown(farm, steps) {
            true if steps > YEAR => vec![spring, summer],
            true if steps == YEAR && pays(spring) > pays(summer) => vec![spring, summer],
            _ if pays(spring) > pays(summer) => vec![spring],
            _ => vec![summer],
        };
        chosen.into_iter().flatten().flat_map(years).collect()
    }

    /// The policies for a member on a tier, starting with the usual one.
    pub(super) fn policies(&self, tier: Tier, farm: FarmSetting) -> String {
        let usual = CropYear {
            crop: USUAL.crop,
            days: [USUAL.day, SPRING[1]],
            level: USUAL.level,
            interval: 5,
            is_fed: USUAL.is_fed,
        };
        let end = FIRST_DAY + tier.steps.min(YEAR);
        let years =
            |years: &[CropYear]| CropYear::yaml(years, farm.is_water_seen, is_resown(&farm, tier.steps), end, "    ");
        format!(
            "{}\n  # Knows the rules, but not the weather.\n  informed:\n{}\n  # Learns the rules.\n  adaptive:\n    CropLearnerPolicy: {{known: [{}]}}",
            years(&[usual]),
            years(&self.informed(&farm, tier.steps)),
            self.crops.map(|crop| crop.known(told(Some(tier)))).join(", ")
        )
    }
}
