//! The hosts of a disease: their leaves, and the fungicides on them.

use farm_core::config::{Path, Problem};
use farm_core::declare::All;
use farm_core::{Column, Context, Declarations, Found};
use farm_roles::{CURED, LEAF_AREA, PLANT_PROGRESS, PREVENTED};

use super::parameters::{Disease, Pathogen};
use crate::agronomy::AgronomyError;

/// The roles by which a disease finds its hosts and the fungicides against it.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    leaves: All<f64>,
    plants: All<f64>,
    prevented: All<f64>,
    cured: All<f64>,
}

/// A fungicide against the disease.
pub(super) struct Product {
    prevented: Column<f64>,
    cured: Option<Column<f64>>,
}

impl Needs {
    pub(super) fn of(p: &Disease, d: &mut Declarations<'_>) -> Self {
        let kind = match p.pathogen {
            Pathogen::Oomycete => 0,
            Pathogen::Fungus => 1,
        };
        Self {
            leaves: d.all(LEAF_AREA),
            plants: d.all(PLANT_PROGRESS),
            prevented: d.all(PREVENTED[kind]),
            cured: d.all(CURED[kind]),
        }
    }

    /// Leaf areas of the hosts. Reports hosts that are not there.
    pub(super) fn leaves(self, p: &Disease, found: &mut Found<'_>) -> Vec<Column<f64>> {
        let (leaves, plants) = (found.named(self.leaves), found.named(self.plants));
        let is_plant = |name: &str| plants.iter().any(|(plant, ..)| plant.name() == name);
        let known: Vec<&str> = leaves.iter().map(|(part, ..)| part.name()).filter(|name| is_plant(name)).collect();
        for (i, host) in p.hosts.iter().enumerate().filter(|(_, host)| !known.contains(&host.as_str())) {
            let message = format!("`{host}` is not a plant with leaves in this field");
            let problem = Problem::new(AgronomyError::WrongHost, Path::default().child("hosts").child(i), message);
            found.problem(problem.value(host).among(host, known.iter().copied()));
        }
        let is_host = |name: &str| known.contains(&name) && (p.hosts.is_empty() || p.hosts.iter().any(|h| h == name));
        leaves.iter().filter(|(part, ..)| is_host(part.name())).map(|(.., column)| *column).collect()
    }

    /// The fungicides against the disease.
    pub(super) fn products(self, found: &Found<'_>) -> Vec<Product> {
        let cured = found.named(self.cured);
        let of_part = |name: &str| cured.iter().find(|(part, ..)| part.name() == name).map(|(.., column)| *column);
        let product = |(part, prevented): (&str, Column<f64>)| Product { prevented, cured: of_part(part) };
        found.named(self.prevented).into_iter().map(|(part, _, column)| product((part.name(), column))).collect()
    }
}

impl Product {
    /// Share of the infections on a plot that the product prevents today.
    #[inline]
    pub(super) fn prevented(&self, plot: usize, c: &Context<'_>) -> f64 {
        c.get(self.prevented)[plot].get()
    }

    /// Age of the infections that it kills today, in days.
    #[inline]
    pub(super) fn cured_days(&self, plot: usize, c: &Context<'_>) -> f64 {
        self.cured.map_or(0.0, |column| c.get(column)[plot].get())
    }
}

/// The names of a variable for the hosts: one for each host, or one for all plants in the field.
pub(super) fn names(stem: &str, hosts: &[String]) -> Vec<String> {
    match hosts.is_empty() {
        true => vec![stem.to_owned()],
        false => hosts.iter().map(|host| format!("{stem}.{host}")).collect(),
    }
}
