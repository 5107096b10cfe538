//! Fixed plans for a year, which measure the gain from acting in each member.

use farm_core::config::{Path, Problem, Problems};
use farm_core::serde_yaml::{self, Value};
use farm_core::{EpisodeRunner, Game, NoObserver};
use farm_oracle::PlanError;

use super::hindsight;
use crate::families::skill::{SEEDS, Skill};
use crate::policies::{CropField, policy_from_value};

/// A fixed plan for a year: when to sow which crop, how wet to keep the soil, and whether to fertilise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Calendar {
    /// The crop, 0 or 1.
    pub crop: usize,
    /// The first day of the year on which it is sown.
    pub day: u32,
    /// The soil water below which the plot is watered, in litres.
    pub level: u32,
    /// Whether it is fertilised after emergence.
    pub is_fed: bool,
}

/// The calendar that earns most over all members; a test checks this.
pub(super) const USUAL: Calendar = Calendar { crop: 1, day: 110, level: 22_000, is_fed: false };

/// The possible days of the year from which a calendar sows.
pub(super) const DAYS: [u32; 2] = [40, 110];
/// The possible amounts of soil water below which a calendar waters, in litres.
pub(super) const LEVELS: [u32; 3] = [22_000, 25_500, 29_000];

impl Calendar {
    /// All calendars that measure members.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let of_day = |(crop, day)| LEVELS.into_iter().map(move |level| (crop, day, level));
        let days = [0, 1].into_iter().flat_map(|crop| DAYS.into_iter().map(move |day| (crop, day)));
        days.flat_map(of_day).flat_map(|(crop, day, level)| {
            [false, true].into_iter().map(move |is_fed| Self { crop, day, level, is_fed })
        })
    }

    /// The policy in YAML, with `indent` before each line.
    pub(super) fn yaml(&self, indent: &str) -> String {
        let Self { crop, day, level, is_fed } = self;
        let stage = format!("state_variable: [Field-0, Plant-{crop}, stage]");
        let plant = format!("Plant-{crop}");
        let mut rules = vec![
            format!("when: [[{{{stage}, operator: '==', ref_value: ripe}}]], {}", act(&plant, "micro_harvest", "")),
            format!(
                "when: [[{{{stage}, operator: '==', ref_value: none}}, {{state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: \
                 {day}}}]], once: true, {}",
                act(&plant, "sow", "")
            ),
        ];
        if *is_fed {
            let scatter = act("Fertilizer-0", "scatter", "");
            rules.push(format!("when: [[{{{stage}, operator: '==', ref_value: grow}}]], once: true, {scatter}"));
        }
        rules.push(format!(
            "when: [[{{state_variable: [Field-0, Soil-0, available_Water#L], operator: '<', ref_value: {level}}}, {{{stage}, operator: in, \
             ref_value: [seed, grow, bloom, fruit]}}]], {}",
            act("Soil-0", "water_discrete", ", amount#L: 3000")
        ));
        trigger_policy(&rules, indent)
    }

    /// Its return on the levels that measure rules.
    fn earned(&self, game: &Game) -> Result<f64, Problems> {
        let failed = |message: String| Problems(vec![Problem::new(PlanError::NoPlan, Path::default(), message)]);
        // Rules of thumb can't look at soil that is not seen.
        if CropField::of(game).is_ok_and(|field| !field.is_water_seen()) {
            return SEEDS.into_iter().map(|seed| hindsight::earned(self, game, seed)).sum();
        }
        let value: Value = serde_yaml::from_str(&self.yaml("")).map_err(|error| failed(error.to_string()))?;
        let mut player = policy_from_value(game, &value)?;
        let mut runner = EpisodeRunner::new(game);
        let mut total = 0.0;
        for seed in SEEDS {
            let episode = runner.play(player.as_mut(), seed, &mut NoObserver);
            total += episode.map_err(|error| failed(error.to_string()))?.total();
        }
        Ok(total)
    }
}

/// A rule's action on each plot, in YAML, with additional parameters in `more`.
fn act(entity: &str, action: &str, more: &str) -> String {
    format!(
        "for_each_plot: true, act: {{field: Field-0, entity: {entity}, action: {action}, parameters: {{plot: here{more}}}}}"
    )
}

/// The policy with these rules in YAML, with `indent` before each line.
fn trigger_policy(rules: &[String], indent: &str) -> String {
    let rules: String = rules.iter().map(|rule| format!("\n{indent}    - {{{rule}}}")).collect();
    format!("{indent}TriggerPolicy:\n{indent}  rules:{rules}")
}

/// A crop's sowing days in each year, and its care: a calendar for several plots and years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CropYear {
    /// The crop, 0 or 1.
    pub crop: usize,
    /// The first and the last day of the year on which a free plot is sown with the crop.
    pub days: [u32; 2],
    /// The soil water below which a plot is watered, in litres, if soil water is observed.
    pub level: u32,
    /// Otherwise, the number of days between two waterings.
    pub interval: u32,
    /// Whether it is fertilised after emergence.
    pub is_fed: bool,
}

/// The minimum number of days between two sowings of a crop on a plot, and between two applications of fertiliser.
const APART: u32 = 60;

impl CropYear {
    /// The policy in YAML that follows these calendars on all plots, with `indent` before each line. If plots are sown again, dead plants
    /// are removed. Episodes end on day `end` of the year; from two days before it, the policy harvests unripe fruits.
    pub(super) fn yaml(years: &[Self], is_water_seen: bool, is_resown: bool, end: u32, indent: &str) -> String {
        let plant = |crop: usize| format!("Plant-{crop}");
        let stage = |crop: usize, stages: &str| {
            format!("{{state_variable: [Field-0, Plant-{crop}, stage], operator: in, ref_value: [{stages}]}}")
        };
        let day = |operator: &str, day: u32| {
            format!("{{state_variable: [Field-0, Weather-0, day#int365], operator: '{operator}', ref_value: {day}}}")
        };
        let mut rules = Vec::new();
        for crop in [0, 1] {
            let picked = format!("[{}, {}]", stage(crop, "fruit"), day(">=", end - 2));
            let harvest = act(&plant(crop), "micro_harvest", "");
            rules.push(format!("when: [[{}], {picked}], {harvest}", stage(crop, "ripe")));
            if is_resown {
                rules.push(format!("when: [[{}]], {}", stage(crop, "dead"), act(&plant(crop), "remove", "")));
            }
        }
        for Self { crop, days: [first, last], .. } in years {
            let free = [0, 1].map(|crop| stage(crop, "none, harvested")).join(", ");
            let sow = act(&plant(*crop), "sow", "");
            let days = format!("{}, {}", day(">=", *first), day("<=", *last));
            rules.push(format!("when: [[{free}, {days}]], period#day: {APART}, {sow}"));
        }
        // What is sown in two seasons is looked after in one way.
        let once = |at: usize| years[..at].iter().all(|before| before.crop != years[at].crop);
        let crops: Vec<&Self> = (0..years.len()).filter(|at| once(*at)).map(|at| &years[at]).collect();
        for Self { crop, .. } in crops.iter().filter(|year| year.is_fed) {
            let scatter = act("Fertilizer-0", "scatter", "");
            rules.push(format!("when: [[{}]], period#day: {APART}, {scatter}", stage(*crop, "grow")));
        }
        for Self { crop, level, interval, .. } in crops {
            let growing = stage(*crop, "seed, grow, bloom, fruit");
            let water = act("Soil-0", "water_discrete", ", amount#L: 3000");
            rules.push(match is_water_seen {
                true => format!(
                    "when: [[{{state_variable: [Field-0, Soil-0, available_Water#L], operator: '<', ref_value: {level}}}, {growing}]], {water}"
                ),
                false => format!("when: [[{growing}]], period#day: {interval}, {water}"),
            });
        }
        trigger_policy(&rules, indent)
    }
}

/// The gain from acting: the best of all calendars, compared with waiting and with the calendar that is the same for all members.
///
/// # Errors
/// A game of another family.
pub(in crate::families) fn skill(game: &Game) -> Result<Skill, Problems> {
    let mut skill = Skill::of_repeating(game)?;
    for calendar in Calendar::all() {
        skill.oracle = skill.oracle.max(calendar.earned(game)?);
    }
    skill.same = skill.same.max(USUAL.earned(game)?);
    Ok(skill)
}

/// The minimum return of the best calendar in each world of a split, in euros. Waiting earns 0.
const MIN_ROOM: f64 = 20.0;

/// Whether a calendar earns enough in a world, so that its score has a meaning. `calendars` are the ones to try; the one that earns enough
/// moves to the front, because it probably does in a similar world.
///
/// # Errors
/// A game of another family.
pub(super) fn has_room(game: &Game, seed: u64, calendars: &mut [Calendar]) -> Result<bool, Problems> {
    for i in 0..calendars.len() {
        if hindsight::earned(&calendars[i], game, seed)? >= MIN_ROOM {
            calendars.swap(0, i);
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::strange::FAMILY;
    use crate::families::{Laws, MemberName, Rules, Skin};
    use crate::{GameDocument, Options};
    use farm_core::Stream;

    #[test]
    fn the_usual_calendar_earns_most_over_all_rules() {
        let name = MemberName { family: FAMILY.name, tier: None, rules: Rules::Seed(0), skin: Skin::Plain };
        let calendars: Vec<Calendar> = Calendar::all().collect();
        let mut totals = vec![0.0; calendars.len()];
        for seed in 0..200 {
            let yaml = Laws::draw(FAMILY.name, &mut Stream::from_seed(seed)).yaml(&name);
            let game = GameDocument::parse("member.yaml", &yaml).unwrap().open(&Options::default()).unwrap();
            for (total, calendar) in totals.iter_mut().zip(&calendars) {
                *total += calendar.earned(&game).unwrap();
            }
        }
        let best = (0..calendars.len()).max_by(|a, b| totals[*a].total_cmp(&totals[*b])).unwrap();
        // The two crops are alike over all rules.
        assert_eq!(Calendar { crop: USUAL.crop, ..calendars[best] }, USUAL, "{totals:?}");
    }
}
