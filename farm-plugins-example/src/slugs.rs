//! Slugs: they crawl in from the margin, hide among weeds by day, eat seedlings by night and shun salt.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `air_temperature_mean`, `relative_humidity`, `rain_amount` | °C, %, mm.day-1 |
//! | number and progress of edible plants | `host_number`, `plant_progress` | nb, prop |
//! | plants that slugs hide under: hosts that publish no progress, which are weeds and not crops | `host_number` | nb |
//!
//! | writes | unit |
//! |---|---|
//! | slugs on each plot, and how many of them are out at night | nb |
//! | the count of animals on every seedling (role `pests_on_host`) | nb |
//! | the slugs in that count, which insects do not eat (role `grazers_on_hosts`) | nb |
//! | slugs that came in this episode (role `pests_come`) | nb |
//! | salt on each plot, and all scattered salt (role `salt_scattered`) | g |
//! | salt that rain washes into the soil, where it harms the microlife (roles `cide_release_soil`, `cide_release_weight`) | g.day-1 |
//!
//! # Sources and assumptions
//!
//! The model follows the grey field slug (*Deroceras reticulatum*), the slug that does the most harm to seedlings. Its activity depends on
//! the temperature and moisture at night, with a maximum at 5–20 °C on wet ground (Port & Port 1986, *Agricultural Zoology Reviews* 1; Choi
//! et al. 2004, *Agriculture, Ecosystems & Environment* 103, a population driven by daily temperature and rain). A seedling dies if its
//! shoot is grazed; an older plant survives. Slugs come from uncut margins, rest in ground cover, and dry out without it (South 1992,
//! *Terrestrial Slugs*). Salt kills by osmosis and washes out. The daily chances have the right order of magnitude and are **not
//! calibrated**: replace them with values for your field.

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, All, PartInfo, VariableInfo};
use farm_core::math::exp;
use farm_core::{
    Behaviour, Bind, Bound, Column, Columns, Context, Declarations, Entity, Found, Phase, Purpose, Reader, Stream,
};
use farm_roles::{
    AIR_TEMPERATURE_MEAN, CIDE_RELEASE_SOIL, CIDE_RELEASE_WEIGHT, HOST_NUMBER, PESTS_COME, PESTS_ON_HOST,
    PLANT_PROGRESS, RAIN_AMOUNT, RELATIVE_HUMIDITY,
};

use crate::{GRAZERS_ON_HOSTS, SALT_SCATTERED, outside};

/// Slugs that eat seedlings, hide among weeds and shun salt.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Slugs {
    /// Number of slugs on each plot at the start of an episode.
    #[parameter(unit = "nb", default = 1, range = 0..=MOST)]
    pub initial_population: u32,
    /// Maximum number of slugs that crawl into a plot of the margin in a night.
    #[parameter(name = "max_arrivals#nb.day-1", default = 1, range = 0..=1000)]
    pub arrivals: u32,
    /// Chance that each of these slugs comes on a night when all slugs are out.
    #[parameter(unit = "prop", default = 0.05, range = 0.0..=1.0)]
    pub arrival_chance: f64,
    /// Daily mean air temperatures at which slugs go out at night.
    #[parameter(name = "air_temperature#°C", default = [5.0, 20.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Decrease in activity for each degree outside `air_temperature#°C`.
    #[parameter(name = "sensitivity_air_temperature", default = 0.3, range = 0.0..=1e6)]
    pub temperature_weight: f64,
    /// Mean relative humidity below which the ground is dry, unless it rains.
    #[parameter(unit = "%", default = 70.0, range = 0.0..=100.0)]
    pub humidity_min: f64,
    /// Decrease in activity for each percent below `humidity_min#%`.
    #[parameter(name = "sensitivity_humidity", default = 0.05, range = 0.0..=1e6)]
    pub humidity_weight: f64,
    /// Minimum rain that wets the ground at any humidity.
    #[parameter(unit = "mm.day-1", default = 2.0, range = 0.0..=1000.0)]
    pub wetting_rain: f64,
    /// Chance that a slug that is out crawls to a neighbouring plot.
    #[parameter(name = "crawling_chance#prop", default = 0.3, range = 0.0..=1.0)]
    pub crawling: f64,
    /// Chance that a slug without cover dries out on a day when no slug goes out.
    #[parameter(name = "drying_chance#prop", default = 0.3, range = 0.0..=1.0)]
    pub drying: f64,
    /// Number of weeds on a plot that hide a share 1 − 1/e of its slugs.
    #[parameter(unit = "nb", default = 5.0, range = 0.1..=10_000.0)]
    pub cover: f64,
    /// Number of animals that each slug on a seedling counts as.
    #[parameter(unit = "nb", default = 1, range = 0..=100)]
    pub appetite: u32,
    /// Progress at which slugs can no longer kill a plant: 0.25 is sprouted, 0.375 is halfway to the next stage.
    #[parameter(unit = "prop", default = 0.35, range = 0.0..=1.0)]
    pub seedling_until: f64,
    /// Salt on a plot that kills a share 1 − 1/e of the slugs that are out.
    #[parameter(unit = "g", default = 20.0, range = 0.1..=1e6)]
    pub lethal_salt: f64,
    /// Amount of salt on a plot above which no slug crawls onto it.
    #[parameter(unit = "g", default = 5.0, range = 0.0..=1e6)]
    pub feared_salt: f64,
    /// Rain that washes a share 1 − 1/e of the salt into the soil.
    #[parameter(unit = "mm.day-1", default = 10.0, range = 0.1..=1000.0)]
    pub washing_rain: f64,
    /// Harm of a gram of salt to the microlife of the soil, in grams of pesticide.
    #[parameter(unit = "prop", default = 0.2, range = 0.0..=1.0)]
    pub soil_harm: f64,
}

/// Maximum number of slugs on a plot.
const MOST: u32 = 10_000;
/// Maximum count of animals on a host, the limit of plants and weeds.
const MAX_ON_HOST: i32 = 10_000;
/// Maximum amount of salt on a plot in g.
const MAX_SALT: f64 = 1e6;
/// Maximum of a sum over an episode.
const MAX_EVER: i32 = 2_000_000_000;

const COME: Purpose = Purpose::named("slugs that come");
const GO_OUT: Purpose = Purpose::named("slugs that go out");
const CRAWL: Purpose = Purpose::named("slugs that crawl");

#[farm_core::register(
    source = "Port & Port 1986; South 1992; Choi et al. 2004 for the form; the numbers are of this example",
    sets = include_str!("slugs.yaml"),
)]
impl Entity for Slugs {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let declared = Nights::declare(d, self);
        let offered = [10.0, 50.0];
        let grams = ActionParameter::real("amount#g", 0.0, 1000.0, &offered, "How much.");
        d.action("scatter_salt", vec![ActionParameter::plot(), grams], "Scatters salt on a plot against slugs.");
        d.runs_in(Phase::Release);
        d.runs_in(Phase::Visit);
        Bind::new(move |found| declared.bind(found))
    }
}

/// The hosts in a field.
struct Hosts {
    crops: Vec<Crop>,
    /// Numbers of the plants that slugs hide under.
    cover: Vec<Column<i32>>,
}

/// Plants whose seedlings slugs eat.
struct Crop {
    number: Column<i32>,
    progress: Column<f64>,
    /// The crop's count of the animals on it.
    sitting: Column<i32>,
}

impl Columns for Hosts {
    fn declare(d: &mut Declarations<'_>, (): &()) -> Self::Declared {
        d.writes(PESTS_ON_HOST);
        (d.all(HOST_NUMBER), d.all(PLANT_PROGRESS), d.all(PESTS_ON_HOST))
    }
}

impl Bound for Hosts {
    type Declared = (All<i32>, All<f64>, All<i32>);

    /// A host that publishes its progress is a crop; any other grows by itself, and is cover.
    fn bind((numbers, progress, sitting): Self::Declared, found: &mut Found<'_>) -> Self {
        let (numbers, progress, sitting) = (found.named(numbers), found.named(progress), found.named(sitting));
        let of = |all: &[(&PartInfo, &VariableInfo, Column<i32>)], host: &PartInfo| {
            all.iter().find(|(part, ..)| part.name() == host.name()).map(|(.., column)| *column)
        };
        let crops = progress.iter().filter_map(|(host, _, progress)| {
            Some(Crop { number: of(&numbers, host)?, progress: *progress, sitting: of(&sitting, host)? })
        });
        let crops = crops.collect();
        let is_crop = |host: &PartInfo| progress.iter().any(|(crop, ..)| crop.name() == host.name());
        let cover = numbers.iter().filter(|(host, ..)| !is_crop(host)).map(|(.., number)| *number).collect();
        Self { crops, cover }
    }
}

/// The slugs in a field, night by night.
#[derive(Columns)]
struct Nights {
    p: Slugs,
    #[stream]
    key: u64,
    #[with(d.field().length())]
    length: usize,
    #[with(d.field().width())]
    width: usize,
    /// Slugs in the plot.
    #[count(unit = "nb", range = 0..=MOST as i32, per_plot, default = f64::from(p.initial_population))]
    population: Column<i32>,
    /// Slugs of the plot that were out in the last night.
    #[count(unit = "nb", range = 0..=MOST as i32, per_plot)]
    out: Column<i32>,
    /// Bites on seedlings in the last night, as a number of animals on them.
    #[count(unit = "nb", range = 0..=MOST as i32, per_plot, hidden, role = GRAZERS_ON_HOSTS)]
    grazing: Column<i32>,
    /// Slugs that crawl in, until all have moved.
    #[count(unit = "nb", range = 0..=MOST as i32, per_plot, hidden)]
    arriving: Column<i32>,
    /// Slugs that came in this episode.
    #[count(name = "total_cumulated_population#nb", range = 0..=MAX_EVER, role = PESTS_COME)]
    come: Column<i32>,
    /// Slugs that salt killed in this episode.
    #[count(name = "total_cumulated_killed#nb", range = 0..=MAX_EVER)]
    killed: Column<i32>,
    /// Salt on the plot.
    #[real(unit = "g", range = 0.0..=MAX_SALT, per_plot)]
    salt: Column<f64>,
    /// Salt scattered in this episode.
    #[real(name = "total_cumulated_salt#g", range = 0.0..=1e12, role = SALT_SCATTERED)]
    scattered: Column<f64>,
    /// Salt washed into the soil today, weighted by its harm to the microlife.
    #[real(name = "harm_to_soil#g.day-1", range = 0.0..=MAX_SALT, per_plot, hidden, role = CIDE_RELEASE_SOIL)]
    harm: Column<f64>,
    /// Salt washed into the soil today.
    #[real(unit = "g.day-1", range = 0.0..=MAX_SALT, per_plot, hidden, role = CIDE_RELEASE_WEIGHT)]
    washed: Column<f64>,
    #[nested(())]
    hosts: Hosts,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
}

impl Behaviour for Nights {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let (salt, scattered) = (&c.get(self.salt)[arguments.plot(0)], &c.get(self.scattered)[0]);
        let before = salt.get();
        salt.set((before + arguments.real(1)).min(MAX_SALT));
        scattered.set(scattered.get() + salt.get() - before);
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        arguments.real(1) > 0.0 && reader.get(self.salt)[arguments.plot(0)] < MAX_SALT
    }

    fn tick(&self, phase: Phase, c: &mut Context<'_>) {
        if phase == Phase::Release {
            return self.wash(c);
        }
        let out_chance = self.activity(c);
        for plot in 0..self.population.len() {
            self.arrive(plot, out_chance, c);
            self.go_out(plot, out_chance, c);
            self.eat(plot, c);
        }
        for plot in 0..self.population.len() {
            self.crawl(plot, c);
        }
        for plot in 0..self.population.len() {
            let (here, arriving) = (&c.get(self.population)[plot], &c.get(self.arriving)[plot]);
            here.set((here.get() + arriving.replace(0)).min(MOST as i32));
        }
    }
}

impl Nights {
    /// Rain washes salt into the soil.
    fn wash(&self, c: &Context<'_>) {
        let share = washed_share(c.value(self.rain), self.p.washing_rain);
        for (plot, salt) in c.get(self.salt).iter().enumerate() {
            let washed = salt.get() * share;
            salt.set(salt.get() - washed);
            c.get(self.washed)[plot].set(washed);
            c.get(self.harm)[plot].set(washed * self.p.soil_harm);
        }
    }

    fn activity(&self, c: &Context<'_>) -> f64 {
        activity(&self.p, c.value(self.temperature), c.value(self.humidity), c.value(self.rain))
    }

    /// Slugs crawl in from the margin if no salt lies there.
    fn arrive(&self, plot: usize, out_chance: f64, c: &Context<'_>) {
        let (x, y) = (plot / self.width, plot % self.width);
        let is_margin = x == 0 || y == 0 || x + 1 == self.length || y + 1 == self.width;
        if !is_margin || self.is_feared(plot, c) {
            return;
        }
        let arrived = c.stream(self.key, COME.at(plot)).binomial(self.p.arrivals, self.p.arrival_chance * out_chance);
        let (here, come) = (&c.get(self.population)[plot], &c.get(self.come)[0]);
        here.set((here.get() + arrived as i32).min(MOST as i32));
        come.set(come.get().saturating_add(arrived as i32).min(MAX_EVER));
    }

    /// Some slugs go out, and salt kills some of them. Others stay in, and those without cover may dry out.
    fn go_out(&self, plot: usize, out_chance: f64, c: &Context<'_>) {
        let here = &c.get(self.population)[plot];
        let all = here.get().max(0) as u32;
        if all == 0 {
            return c.get(self.out)[plot].set(0);
        }
        let mut stream = c.stream(self.key, GO_OUT.at(plot));
        let out = stream.binomial(all, out_chance);
        let killed = stream.binomial(out, killed_share(c.get(self.salt)[plot].get(), self.p.lethal_salt));
        let weeds: i32 = self.hosts.cover.iter().map(|number| c.get(*number)[plot].get()).sum();
        let drying = self.p.drying * (1.0 - out_chance) * (1.0 - hidden_share(f64::from(weeds), self.p.cover));
        let dried = stream.binomial(all - out, drying);
        here.set((all - killed - dried) as i32);
        c.get(self.out)[plot].set((out - killed) as i32);
        let total = &c.get(self.killed)[0];
        total.set(total.get().saturating_add(killed as i32).min(MAX_EVER));
    }

    /// The slugs that are out eat the seedlings on the plot.
    fn eat(&self, plot: usize, c: &Context<'_>) {
        let out = c.get(self.out)[plot].get();
        let grazing = &c.get(self.grazing)[plot];
        grazing.set(0);
        for crop in &self.hosts.crops {
            let progress = c.get(crop.progress)[plot].get();
            let is_seedling = progress > 0.0 && progress <= self.p.seedling_until;
            if out > 0 && is_seedling && c.get(crop.number)[plot].get() > 0 {
                let (sitting, bites) = (&c.get(crop.sitting)[plot], out * self.p.appetite as i32);
                sitting.set(sitting.get().saturating_add(bites).min(MAX_ON_HOST));
                grazing.set((grazing.get() + bites).min(MOST as i32));
            }
        }
    }

    /// Some of the slugs that are out crawl to a neighbouring plot without too much salt.
    fn crawl(&self, plot: usize, c: &Context<'_>) {
        let out = c.get(self.out)[plot].get().max(0) as u32;
        if out == 0 {
            return;
        }
        let mut stream = c.stream(self.key, CRAWL.at(plot));
        let crawling = stream.binomial(out, self.p.crawling);
        for _ in 0..crawling {
            let to = adjacent(plot, &mut stream, self.length, self.width);
            if to != plot && !self.is_feared(to, c) {
                let (from, to) = (&c.get(self.population)[plot], &c.get(self.arriving)[to]);
                from.set(from.get() - 1);
                to.set((to.get() + 1).min(MOST as i32));
            }
        }
    }

    fn is_feared(&self, plot: usize, c: &Context<'_>) -> bool {
        c.get(self.salt)[plot].get() > self.p.feared_salt
    }
}

/// One of the four neighbouring plots, or the plot itself if the neighbour is outside the field.
fn adjacent(plot: usize, stream: &mut Stream, length: usize, width: usize) -> usize {
    let (x, y) = (plot / width, plot % width);
    let (x, y) = match stream.index(4) {
        0 => (x, y.saturating_sub(1)),
        1 => ((x + 1).min(length - 1), y),
        2 => (x, (y + 1).min(width - 1)),
        _ => (x.saturating_sub(1), y),
    };
    x * width + y
}

/// Chance that a slug goes out on a given night: 1 on a mild, wet night.
///
/// a = exp(−w_T d(T; T₁, T₂) − w_h max(0, h₀ − h) · max(0, 1 − rain/rain₀))
pub fn activity(p: &Slugs, temperature: f64, humidity: f64, rain: f64) -> f64 {
    let dry_ground = if rain >= p.wetting_rain { 0.0 } else { 1.0 - rain / p.wetting_rain };
    let dry = outside(humidity, [p.humidity_min, f64::INFINITY]) * dry_ground;
    exp(-p.temperature_weight * outside(temperature, p.temperature) - p.humidity_weight * dry)
}

/// Share of the slugs that this number of weeds hides.
///
/// s = 1 − exp(−n/n₀)
pub fn hidden_share(weeds: f64, cover: f64) -> f64 {
    1.0 - exp(-weeds / cover)
}

/// Share of the slugs on the ground that salt kills in a night.
///
/// k = 1 − exp(−m/m₀)
pub fn killed_share(salt: f64, lethal: f64) -> f64 {
    1.0 - exp(-salt / lethal)
}

/// Share of the salt that rain washes into the soil in a day.
///
/// w = 1 − exp(−rain/rain₀)
pub fn washed_share(rain: f64, washing: f64) -> f64 {
    1.0 - exp(-rain / washing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn slugs_are_out_in_mild_and_wet_nights() {
        let p = Slugs::default();
        for (temperature, humidity, rain, penalty) in [
            (12.0, 90.0, 0.0, 0.0),
            (12.0, 60.0, 0.0, 10.0 * 0.05),
            (12.0, 60.0, 1.0, 10.0 * 0.05 * 0.5),
            (12.0, 20.0, 2.0, 0.0),
            (25.0, 90.0, 0.0, 5.0 * 0.3),
            (0.0, 90.0, 0.0, 5.0 * 0.3),
        ] {
            close(activity(&p, temperature, humidity, rain), exp(-penalty));
        }
        let never_wet = Slugs { wetting_rain: 0.0, ..p };
        close(activity(&never_wet, 12.0, 0.0, 0.0), 1.0);
    }

    #[test]
    fn shares_are_none_without_a_cause_and_approach_all() {
        for share in [hidden_share, killed_share, washed_share] {
            assert_eq!(share(0.0, 5.0), 0.0);
            close(share(5.0, 5.0), 1.0 - 1.0 / std::f64::consts::E);
            assert!(share(1e6, 5.0) <= 1.0 && share(1e6, 5.0) > 0.999);
        }
    }

    #[test]
    fn nobody_crawls_out_of_the_field() {
        let mut stream = Stream::from_seed(1);
        let mut seen = [0; 6];
        for _ in 0..1000 {
            // The corner of a field of 3 × 2 plots: itself twice, the plot to the south and the one to the east.
            seen[adjacent(0, &mut stream, 3, 2)] += 1;
        }
        assert_eq!((seen[3], seen[4], seen[5]), (0, 0, 0), "{seen:?}");
        assert!(seen[0] > 400 && seen[1] > 180 && seen[2] > 180, "{seen:?}");
    }
}
