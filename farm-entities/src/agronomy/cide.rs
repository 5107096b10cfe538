//! Cide: a pesticide that the farmer scatters on plots. It seeps into the soil, a little every day.
//!
//! | writes | unit |
//! |---|---|
//! | pesticide on each plot; total scattered (roles `resource_used`, `cide_scattered`) | kg |
//! | pesticide released today, by target (roles `cide_release_pests` … `cide_release_soil`) | g.day-1 |
//! | pesticide released today against further targets (role `cide_release_others`); the soil passes it on as `cide_on_…` | g.day-1 |
//! | total released today (role `cide_release_weight`) | g.day-1 |
//! | only with `equations: agronomic`: pesticide released today that harms the crop on the plot (role `cide_release_plants`) | g.day-1 |
//! | only with its own half-life: the share of the pesticide that remains after a day (role `cide_kept`) | prop |
//! | only with fungicides: share of infections prevented (roles `oomycetes_prevented`, `fungi_prevented`) | prop |
//! | only with fungicides: age of infections that today's spray kills (roles `oomycetes_cured`, `fungi_cured`) | day |
//!
//! | reads | role | unit |
//! |---|---|---|
//! | only with fungicides: rain that washes them off, and the leaves that they cover | `rain_amount`, `leaf_area` | mm, m² |
//!
//! Source: Farm-gym paper; equation sheet II.5. Unlike a fertiliser, a pesticide is released at a constant rate, regardless of the amount
//! on the plot. A coefficient sets the share of each gram that counts for a target. The same gram may harm several targets, so the
//! coefficients need not add up to 1. Pests, weeds, pollinators and soil have a coefficient each. Any other part can be a target: it reads
//! a role `cide_on_TARGET`, such as `cide_on_mildew`, and a pesticide against it names that target. The soil models how the pesticide in it
//! decays and is washed out.
//!
//! With `equations: agronomic` a pesticide is sprayed. All of it acts on the same day, and weeds and crops respond to that day's dose per
//! area. A fungicide, with `oomycetes` or `fungi` above 0, stays on the leaves: see `fungicide.rs`.

use std::collections::BTreeMap;

use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{Flow, PartInfo};
use farm_core::math::powf;
use farm_core::registry::roles;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Found, Phase, Reader, Role};
use farm_roles::{
    CIDE_KEPT, CIDE_RELEASE, CIDE_RELEASE_OTHERS, CIDE_RELEASE_PLANTS, CIDE_RELEASE_WEIGHT, CIDE_SCATTERED,
};

use super::Equations;
use super::fungicide::{Fungicide, OnLeaves};
use super::scatter::{GRAMS_PER_KG, MAX_GRAMS, Product, Scattered, clear, scattered_picture};
use super::soil::CIDE_TARGETS;
use crate::agronomy::AgronomyError;

/// A pesticide against pests, weeds or other targets.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Cide {
    /// Share of each gram that acts on pests.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub pests: f64,
    /// Share of each gram that acts on weeds.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub weeds: f64,
    /// Share of each gram that acts on pollinators.
    #[parameter(unit = "prop", default = 1.0, range = 0.0..=1.0)]
    pub pollinators: f64,
    /// Share of each gram that acts on the soil's microlife.
    #[parameter(unit = "prop", default = 0.1, range = 0.0..=1.0)]
    pub soil: f64,
    /// Share of each gram that acts on each further target, by name: `mildew` for parts that read the role `cide_on_mildew`.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub targets: BTreeMap<String, f64>,
    /// Weight that each plot releases in a week, as long as pesticide is left on it. Not used with `equations: agronomic`.
    #[parameter(name = "base_absorption_speed#kg.week-1", default = 0.7, range = 0.0..=7000.0, idle = "equations: agronomic")]
    pub absorption_speed: f64,
    /// Weight of one bag.
    #[parameter(name = "bag#kg", default = 0.1, range = 0.0..=1000.0)]
    pub bag_kg: f64,
    /// The equations that the pesticide follows; `corrected` and `paper` are the same here. With `agronomic`, all pesticide acts on
    /// the day on which it is scattered.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Share of each gram that harms the crop of the plot. Used only with `equations: agronomic`.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub plants: f64,
    /// Days after which half of the pesticide on leaves and in the soil has decayed. Default: `cide_half_life#day` of the soil.
    #[parameter(name = "half_life#day", range = 0.01..=1e6)]
    pub half_life_days: Option<f64>,
    /// Share of each gram that acts on oomycetes, such as late blight. Used only with `equations: agronomic`.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub oomycetes: f64,
    /// Share of each gram that acts on fungi, such as rusts. Used only with `equations: agronomic`.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub fungi: f64,
    /// Dose on leaves that prevents half of the infections. Used only by fungicides.
    #[parameter(unit = "g.m-2", default = 0.045, range = 1e-6..=1000.0)]
    pub prevents_half: f64,
    /// Rain that washes half of a fungicide off the leaves. Used only by fungicides.
    #[parameter(unit = "mm", default = 25.0, range = 0.1..=1e6)]
    pub washed_half: f64,
    /// Age of infections without lesions up to which a fungicide kills them on the day of spraying; 0 means that it only protects.
    #[parameter(name = "cures#day", range = 0.0..=30.0)]
    pub cures_days: f64,
}

#[farm_core::register(source = "Farm-gym paper; equation sheet II.5", sets = include_str!("cide.yaml"))]
impl Entity for Cide {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let seeping = Seeping::declare(d, self);
        let targets: Vec<&String> = self.targets.keys().filter(|target| self.check_target(target, d)).collect();
        let word = self.word();
        d.label(format!("{}{}", word[..1].to_uppercase(), &word[1..]));
        d.picture(scattered_picture("Cide", 11, include_str!("sprites/cide.svg")));
        d.runs_in(Phase::Release);
        Bind::new(move |found| {
            targets.iter().for_each(|target| self.check_readers(target, found));
            let seeping = seeping.bind(found);
            let released = Flow::outflow("released", seeping.weight).times(1.0 / GRAMS_PER_KG);
            seeping.scattered.set_balance(found, [released]);
            seeping
        })
    }
}

impl Cide {
    fn product(&self) -> Product {
        Product {
            verb: "Sprays",
            what: self.word(),
            scattered: CIDE_SCATTERED,
            bag_kg: self.bag_kg,
            done: "sprayed",
            badge: include_str!("sprites/badges/spray.svg"),
        }
    }

    fn is_sprayed(&self) -> bool {
        self.equations == Equations::Agronomic
    }

    /// Share of the pesticide in the soil that remains after a day.
    fn kept(&self) -> f64 {
        self.half_life_days.map_or(1.0, |days| powf(0.5, 1.0 / days))
    }

    /// Days after which half of a fungicide on leaves has decayed, unless it has its own half-life.
    const ON_LEAVES_DAYS: f64 = 7.0;

    /// Its effect on leaves, if it is a fungicide.
    fn fungicide(&self) -> Option<Fungicide> {
        let shares = [self.oomycetes, self.fungi];
        (self.is_sprayed() && shares.iter().any(|share| *share > 0.0)).then_some(Fungicide {
            shares,
            half_life_days: self.half_life_days.unwrap_or(Self::ON_LEAVES_DAYS),
            washed_half_mm: self.washed_half,
            prevents_half: self.prevents_half,
            cures_days: self.cures_days,
        })
    }

    /// The word for the product in the action texts, by its targets. Pollinators, soil and crops do not count as targets.
    fn word(&self) -> &'static str {
        let has_further_targets = self.targets.values().any(|share| *share > 0.0);
        let is_fungicide = self.oomycetes > 0.0 || self.fungi > 0.0;
        match (self.pests > 0.0, self.weeds > 0.0, is_fungicide, has_further_targets) {
            (true, false, false, false) => "insecticide",
            (false, true, false, false) => "herbicide",
            (false, false, true, false) => "fungicide",
            _ => "pesticide",
        }
    }

    /// Reports a target with an invalid name. Returns whether the name is valid.
    fn check_target(&self, target: &str, d: &mut Declarations<'_>) -> bool {
        let path = || Path::default().child("targets#prop").child(target);
        if CIDE_TARGETS.contains(&target) {
            let problem = Problem::new(AgronomyError::WrongTarget, path(), format!("`{target}` has its own parameter"))
                .about_name()
                .value(target);
            d.problem(problem.expected(format!("`{target}#prop` next to `targets#prop`")));
            return false;
        }
        // `weight` is the name of the sum of all targets.
        if target.is_empty() || target == "weight" || !target.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let problem =
                Problem::new(AgronomyError::WrongTarget, path(), format!("`{target}` is not a valid target name"))
                    .about_name()
                    .value(target);
            d.problem(problem.expected("letters, digits and `_`, without a unit, such as `mildew`"));
            return false;
        }
        true
    }

    /// Reports a target that no part in the game reads.
    fn check_readers(&self, target: &str, found: &mut Found<'_>) {
        let path = || Path::default().child("targets#prop").child(target);
        if role_of_target(found.parts(), target).is_none() {
            let read = found.parts().iter().flat_map(|part| part.needs()).map(|(role, _)| *role);
            let known = read.chain(roles().into_iter().map(|role| role.name()));
            let known: Vec<&str> = known.filter_map(|role| role.strip_prefix(ROLE_OF_TARGET)).collect();
            let message =
                format!("no part of this game reads the role `{ROLE_OF_TARGET}{target}`, so this target has no effect");
            let problem = Problem::new(AgronomyError::WrongTarget, path(), message).about_name().value(target);
            let further = known.into_iter().filter(|known| !CIDE_TARGETS.contains(known));
            found.problem(problem.among(target, further).help("add such a part, or remove the target").warning());
        }
    }
}

/// Prefix of the roles by which parts read the pesticide against them.
const ROLE_OF_TARGET: &str = "cide_on_";

/// The role by which parts in the game read the pesticide against a further target; `None` if no part reads it.
pub(super) fn role_of_target(parts: &[PartInfo], target: &str) -> Option<Role<f64>> {
    let mut read = parts.iter().flat_map(|part| part.needs()).map(|(role, _)| *role);
    let name = read.find(|role| role.strip_prefix(ROLE_OF_TARGET) == Some(target))?;
    Some(Role::per_plot(name, "g", "Pesticide in the plot's soil that acts on the target in the name of the role."))
}

#[derive(Columns)]
struct Seeping {
    cide: Cide,
    #[nested(cide.product())]
    scattered: Scattered,
    /// Pesticide released on this day that acts on {each}.
    #[real(each = CIDE_TARGETS, name = "cide_release_{each}#g.day-1", range = 0.0..=MAX_GRAMS, per_plot, hidden, role = CIDE_RELEASE[i])]
    released: [Column<f64>; 4],
    /// Pesticide released on this day that acts on the target `{each}`.
    #[real(each = cide.targets.keys(), name = "cide_release_{each}#g.day-1", range = 0.0..=MAX_GRAMS, per_plot, hidden, role = CIDE_RELEASE_OTHERS)]
    further: Vec<Column<f64>>,
    /// The share of a gram that counts for each further target.
    #[with(cide.targets.values().copied().collect())]
    shares: Vec<f64>,
    /// Total weight of the pesticide released on this day.
    #[real(name = "cide_release_weight#g.day-1", range = 0.0..=MAX_GRAMS, per_plot, hidden, role = CIDE_RELEASE_WEIGHT)]
    weight: Column<f64>,
    /// Pesticide sprayed on this day that harms the crop of the plot.
    #[real(
        when = cide.is_sprayed() && cide.plants > 0.0,
        name = "cide_release_plants#g.day-1",
        range = 0.0..=MAX_GRAMS,
        per_plot,
        hidden,
        role = CIDE_RELEASE_PLANTS
    )]
    on_plants: Option<Column<f64>>,
    /// Share of the pesticide in the soil that remains after a day.
    #[real(
        when = cide.half_life_days.is_some(),
        name = "cide_kept#prop",
        range = 0.0..=1.0,
        default = cide.kept(),
        hidden,
        role = CIDE_KEPT
    )]
    _kept: Option<Column<f64>>,
    #[nested(cide.fungicide())]
    on_leaves: Option<OnLeaves>,
    /// In the order pests, weeds, pollinators, soil.
    #[with([cide.pests, cide.weeds, cide.pollinators, cide.soil])]
    coefficients: [f64; 4],
    #[with(if cide.is_sprayed() { f64::INFINITY } else { cide.absorption_speed / 7.0 })]
    kg_per_day: f64,
}

impl Behaviour for Seeping {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        self.scattered.act(action, arguments, c);
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.scattered.has_effect(action, arguments, reader)
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        self.release(c);
        if let Some(on_leaves) = &self.on_leaves {
            on_leaves.settle(self.weight, c);
        }
    }
}

impl Seeping {
    fn release(&self, c: &Context<'_>) {
        let (released, weight) = (self.released.map(|column| c.get(column)), c.get(self.weight));
        let on_plants = || self.on_plants.iter().zip([&self.cide.plants]);
        let further = || self.further.iter().zip(&self.shares).chain(on_plants());
        let further = || further().map(|(column, share)| (c.get(*column), share));
        if self.scattered.is_empty(c) {
            let further = further().map(|(released, _)| released);
            return released.into_iter().chain([weight]).chain(further).for_each(clear);
        }
        self.scattered.set_free(
            c,
            |_, amount| seeped(amount, self.kg_per_day),
            |plot, kg| {
                (0..4).for_each(|t| released[t][plot].set(GRAMS_PER_KG * self.coefficients[t] * kg));
                further().for_each(|(released, share)| released[plot].set(GRAMS_PER_KG * share * kg));
                weight[plot].set(GRAMS_PER_KG * kg);
            },
        );
    }
}

/// Pesticide released in a day [kg day⁻¹] (equation sheet II.5).
///
/// r = min(amount, speed/7)
#[farm_core::equation("II.5: cide release")]
#[inline]
pub fn seeped(amount_kg: f64, speed_kg_per_day: f64) -> f64 {
    amount_kg.min(speed_kg_per_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cide_release_is_constant_until_the_stock_ends() {
        let mut amount = 0.25;
        let days: Vec<f64> = std::iter::repeat_with(|| {
            let released = seeped(amount, 0.7 / 7.0);
            amount -= released;
            released
        })
        .take(4)
        .collect();
        for (found, expected) in days.iter().zip([0.1, 0.1, 0.05, 0.0]) {
            assert!((found - expected).abs() < 1e-15, "{days:?}");
        }
        assert_eq!(amount, 0.0, "all of it, to the last bit");
    }
}
