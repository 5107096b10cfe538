//! A day of a disease on all plots.

use farm_core::declare::{EventId, Picture};
use farm_core::math::exp;
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose};
use farm_roles::{
    AIR_TEMPERATURE_MAX, AIR_TEMPERATURE_MIN, GROWTH_HINDRANCE, LEAVES_LOST, LEAVES_SICK, RAIN_AMOUNT,
    RELATIVE_HUMIDITY,
};

use super::Disease;
use super::hosts::{Needs, Product, names};
use crate::agronomy::laws::disease::{MOST_UNITS, STEPS, Sites, infected, latent_rate, wet_spell};
use crate::agronomy::pests::neighbours::{NORTH, STAYING, adjacent};

/// Leaf area that an infection from outside takes, in m².
const LESION_M2: f64 = 1e-4;
/// Share of the leaves with lesions from which people see the disease.
const SEEN: f64 = 1e-3;
/// A protection that rises by more is a spray.
const SPRAYED: f64 = 0.02;
/// Upper limit of leaf areas, in m².
const MANY: f64 = 1e12;
/// Upper limit of sums of infection units.
const LONG: f64 = 1e6;

const YEAR: Purpose = Purpose::named("arrivals of spores this year");
const DAY: Purpose = Purpose::named("infections by spores from outside");

#[derive(Columns)]
struct Plague {
    disease: Disease,
    #[stream]
    key: u64,
    #[with(d.field().length())]
    length: usize,
    #[with(d.field().width())]
    width: usize,
    /// Share of the leaves with visible lesions, alive or dead. Dead leaves count until new leaves outgrow them. Below 0.1 %, this is 0.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot)]
    lesions: Column<f64>,
    /// Infection units of the day, from 0 (no infection) to 7 (the most favourable weather).
    #[real(range = 0.0..=MOST_UNITS)]
    infection_units: Column<f64>,
    /// Sum of the infection units since the plants came up, or since the last spray against the disease.
    #[real(range = 0.0..=LONG, per_plot)]
    units_since_spray: Column<f64>,
    /// Share of the leaves without infection.
    #[real(unit = "prop", range = 0.0..=1.0, default = 1.0, per_plot, hidden)]
    healthy: Column<f64>,
    /// Share of the leaves with infections in step {each} of the latent period.
    #[real(each = ["1", "2", "3", "4"], name = "latent_{each}#prop", range = 0.0..=1.0, per_plot, hidden)]
    latent: [Column<f64>; STEPS],
    /// Share of the leaves with lesions that make spores.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden)]
    infectious: Column<f64>,
    /// Share of the leaves that the disease has killed.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden)]
    removed: Column<f64>,
    /// Leaf area of the hosts that today's deaths leave.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden)]
    leaves: Column<f64>,
    /// Area of the lesions that make spores today.
    #[real(unit = "m2", range = 0.0..=MANY, per_plot, hidden)]
    sources: Column<f64>,
    /// Share of the infections that fungicides prevent on this day.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, hidden)]
    protected: Column<f64>,
    /// Infections from outside the field this year, as a multiple of the usual number.
    #[real(name = "arrivals_of_the_year", range = 0.0..=LONG, default = 1.0, hidden)]
    year: Column<f64>,
    #[real(
        each = names("sick_leaves#prop", &disease.hosts),
        doc = "Share of the hosts' leaves that lesions cover.",
        name = "{each}",
        range = 0.0..=1.0,
        per_plot,
        hidden,
        role = LEAVES_SICK,
        role = GROWTH_HINDRANCE
    )]
    sick: Vec<Column<f64>>,
    #[real(
        each = names("lost_leaves#prop", &disease.hosts),
        doc = "Share of the hosts' leaves that dies on this day.",
        name = "{each}",
        range = 0.0..=1.0,
        per_plot,
        hidden,
        role = LEAVES_LOST
    )]
    lost: Vec<Column<f64>>,
    /// The first lesions on a plot can be seen. The value is their share of the leaves.
    #[event(per_step = d.field().plots())]
    lesions_seen: EventId,
    #[with(Needs::of(&disease, d))]
    _needs: Needs,
    #[bind(_needs.leaves(&disease, found))]
    host_leaves: Vec<Column<f64>>,
    #[bind(_needs.products(found))]
    products: Vec<Product>,
    #[one(AIR_TEMPERATURE_MIN)]
    min: Column<f64>,
    #[one(AIR_TEMPERATURE_MAX)]
    max: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[one(RAIN_AMOUNT)]
    rain: Column<f64>,
}

#[farm_core::register(
    entity = Disease,
    source = "SIMCAST (Fry, Apple & Bruhn 1983); EPIWHEAT (Savary et al. 2015); equation sheet, part V",
    sets = include_str!("disease.yaml"),
    runs_in = Phase::Spread,
    picture = Picture::on_plots("Disease", 41)
        .from("lesions#prop", 0.1, "many", include_str!("../sprites/lesions_many.svg"))
        .from("lesions#prop", SEEN, "few", include_str!("../sprites/lesions_few.svg"))
        .heat("lesions#prop", 0.0, 1.0)
)]
impl Behaviour for Plague {
    fn reset(&self, c: &mut Context<'_>) {
        let deviation = self.disease.year_to_year;
        let drawn = deviation * c.stream(self.key, YEAR).normal();
        // The mean of a log-normal number lies above its median by this factor.
        c.get(self.year)[0].set(exp(drawn - deviation * deviation / 2.0).min(LONG));
    }

    /// Infections may be initial conditions; the other values follow from them.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        for plot in 0..c.get(self.removed).len() {
            self.publish(plot, &self.sites(plot, c), 0.0, c);
        }
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let p = &self.disease;
        let (min, max) = (c.value(self.min), c.value(self.max));
        let units = p.units(wet_spell(min, max, c.value(self.humidity), c.value(self.rain)));
        c.get(self.infection_units)[0].set(units);
        let [base, best] = p.latent_temperature;
        let day = Day {
            units,
            favourable: units / MOST_UNITS,
            latent_rate: latent_rate(f64::midpoint(min, max), base, best, p.latent),
        };
        for plot in 0..c.get(self.leaves).len() {
            self.meet_new_leaves(plot, c);
            self.meet_fungicides(plot, &day, c);
        }
        let mut plot = 0;
        for x in 0..self.length {
            for y in 0..self.width {
                self.live(plot, (x, y), &day, c);
                plot += 1;
            }
        }
    }
}

/// The day's conditions, which are the same for all plots.
struct Day {
    units: f64,
    /// Infections as a share of those on the most favourable day.
    favourable: f64,
    latent_rate: f64,
}

impl Plague {
    fn sites(&self, plot: usize, c: &Context<'_>) -> Sites {
        let at = |column: Column<f64>| c.get(column)[plot].get();
        Sites { latent: self.latent.map(at), infectious: at(self.infectious), removed: at(self.removed) }
    }

    fn set_sites(&self, plot: usize, sites: &Sites, c: &Context<'_>) {
        let set = |column: Column<f64>, value: f64| c.get(column)[plot].set(value);
        self.latent.iter().zip(sites.latent).for_each(|(column, share)| set(*column, share));
        set(self.infectious, sites.infectious);
        set(self.removed, sites.removed);
        set(self.healthy, sites.healthy());
        set(self.lesions, if sites.visible() >= SEEN { sites.visible() } else { 0.0 });
    }

    /// Sets the shares of a plot's leaves, and passes the share `lost` that dies today to the hosts.
    fn publish(&self, plot: usize, sites: &Sites, lost: f64, c: &Context<'_>) {
        self.set_sites(plot, sites, c);
        self.sick.iter().for_each(|column| c.get(*column)[plot].set(sites.sick()));
        self.lost.iter().for_each(|column| c.get(*column)[plot].set(lost));
    }

    /// New leaves are healthy. If leaves died of other causes, infected ones died in proportion. Plots without leaves have no disease.
    fn meet_new_leaves(&self, plot: usize, c: &Context<'_>) {
        let leaves = self.host_leaves.iter().fold(0.0, |sum, column| sum + c.get(*column)[plot].get()).min(MANY);
        let before = c.get(self.leaves)[plot].replace(leaves);
        let mut sites = self.sites(plot, c);
        if leaves <= 0.0 {
            sites = Sites::HEALTHY;
            c.get(self.units_since_spray)[plot].set(0.0);
        } else if before > 0.0 && leaves > before {
            let all = before / (1.0 - sites.removed).max(1e-9);
            sites.dilute((leaves - before) / (all + leaves - before));
        }
        self.set_sites(plot, &sites, c);
        let area = self.all_leaves(plot, &sites, c);
        c.get(self.sources)[plot].set((sites.infectious * area).min(MANY));
    }

    /// The leaves on a plot, living or killed by the disease, in m².
    fn all_leaves(&self, plot: usize, sites: &Sites, c: &Context<'_>) -> f64 {
        c.get(self.leaves)[plot].get() / (1.0 - sites.removed).max(1e-9)
    }

    /// Fungicides protect leaves and kill young infections. A spray begins a new sum of infection units.
    fn meet_fungicides(&self, plot: usize, day: &Day, c: &Context<'_>) {
        let mut exposed = 1.0;
        for product in &self.products {
            let prevented = product.prevented(plot, c);
            exposed *= 1.0 - prevented;
            let days = product.cured_days(plot, c);
            if days > 0.0 {
                let mut sites = self.sites(plot, c);
                sites.cure(days * day.latent_rate, prevented);
                self.set_sites(plot, &sites, c);
            }
        }
        let protected = 1.0 - exposed;
        let before = c.get(self.protected)[plot].replace(protected);
        let sum = &c.get(self.units_since_spray)[plot];
        if protected > before + SPRAYED {
            sum.set(0.0);
        }
        if c.get(self.leaves)[plot].get() > 0.0 {
            sum.set((sum.get() + day.units).min(LONG));
        }
    }

    /// Spores infect, infections become visible, and lesions die.
    fn live(&self, plot: usize, at: (usize, usize), day: &Day, c: &mut Context<'_>) {
        let leaves = c.get(self.leaves)[plot].get();
        let mut sites = self.sites(plot, c);
        if leaves <= 0.0 {
            return self.publish(plot, &sites, 0.0, c);
        }
        let (p, all) = (&self.disease, self.all_leaves(plot, &sites, c));
        let expected = p.arrivals * leaves * day.favourable * c.value(self.year);
        let come = if expected > 0.0 { c.plot_streams(self.key, DAY).at(plot).poisson(expected) } else { 0 };
        let own = p.infections * day.favourable * self.spores(plot, at, c);
        let spores = (own + f64::from(come) * LESION_M2) / all * (1.0 - c.get(self.protected)[plot].get());
        let seen_before = sites.visible();
        let lost = sites.day(infected(sites.healthy(), spores), day.latent_rate, 1.0 / p.infectious);
        self.publish(plot, &sites, lost, c);
        c.get(self.leaves)[plot].set(leaves * (1.0 - lost));
        if seen_before < SEEN && sites.visible() >= SEEN {
            c.emit(self.lesions_seen, plot, sites.visible());
        }
    }

    /// Area of the lesions whose spores land on a plot, in m².
    fn spores(&self, plot: usize, (x, y): (usize, usize), c: &Context<'_>) -> f64 {
        let (sources, spreading) = (c.get(self.sources), self.disease.spreading);
        let near = (NORTH..STAYING).filter_map(|direction| adjacent(x, y, direction, self.length, self.width));
        let from_near = near.fold(0.0, |sum, near| sum + sources[near].get());
        (1.0 - spreading) * sources[plot].get() + 0.25 * spreading * from_near
    }
}
