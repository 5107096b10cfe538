//! The parameters of a disease.

use crate::agronomy::laws::disease::{MOST_UNITS, Resistance, WetSpell, blight_units, infection};

/// The kind of pathogen, which determines the fungicides that act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Pathogen {
    /// Water moulds, such as late blight and downy mildews.
    Oomycete,
    /// True fungi, such as rusts and powdery mildews.
    Fungus,
}

/// The law of infection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum InfectionLaw {
    /// The table of SIMCAST for late blight of potato.
    Simcast,
    /// A response to temperature, times a response to wet hours.
    TemperatureAndWetness,
}

/// A disease of leaves that spreads in wet weather. The defaults are those of leaf rust on wheat.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Disease {
    /// Plants that it infects, such as `Plant-0`. Default: all plants in the field.
    pub hosts: Vec<String>,
    /// Kind of pathogen. It determines which fungicides act.
    #[parameter(default = Pathogen::Fungus)]
    pub pathogen: Pathogen,
    /// How weather determines infection.
    #[parameter(default = InfectionLaw::TemperatureAndWetness)]
    pub infection: InfectionLaw,
    /// Resistance of the hosts. Used only with `infection: simcast`.
    #[parameter(default = Resistance::Susceptible, idle = "infection: temperature_and_wetness", instead = "infections#day-1")]
    pub resistance: Resistance,
    /// Lowest and highest temperature for infection, in the wet hours.
    #[parameter(unit = "°C", default = [5.0, 25.0], range = -20.0..=60.0, idle = "infection: simcast")]
    pub infection_temperature: [f64; 2],
    /// The range of temperatures that is best for infection.
    #[parameter(unit = "°C", default = [15.0, 20.0], range = -20.0..=60.0, idle = "infection: simcast")]
    pub best_temperature: [f64; 2],
    /// Wet hours in a day from which infection begins, and wet hours that are enough for all infections.
    #[parameter(unit = "h", default = [3.0, 8.0], range = 0.0..=24.0, idle = "infection: simcast")]
    pub wetness: [f64; 2],
    /// Leaf area that the spores from a lesion infect on the most favourable day, per area of the lesion.
    #[parameter(unit = "day-1", default = 1.0, range = 0.0..=100.0)]
    pub infections: f64,
    /// Base temperature of the latent period, and temperature above which it does not become shorter.
    #[parameter(unit = "°C", default = [1.3, 25.0], range = -20.0..=60.0)]
    pub latent_temperature: [f64; 2],
    /// Latent period, in degree-days above the base temperature.
    #[parameter(unit = "°C.day", default = 149.6, range = 1.0..=1e5)]
    pub latent: f64,
    /// Mean number of days for which a lesion makes spores before it dies.
    #[parameter(unit = "day", default = 25.0, range = 1.0..=1000.0)]
    pub infectious: f64,
    /// Share of the spores that lands outside the plot, a quarter in the direction of each neighbour.
    #[parameter(unit = "prop", default = 0.2, range = 0.0..=1.0)]
    pub spreading: f64,
    /// Infections by spores from outside the field on the most favourable day of an average year, per square metre of leaves.
    #[parameter(unit = "nb.m-2.day-1", default = 0.03, range = 0.0..=1e4)]
    pub arrivals: f64,
    /// Difference between years: the standard deviation of the logarithm of a year's arrivals. The mean over years does not depend on it.
    #[parameter(default = 0.7, range = 0.0..=3.0)]
    pub year_to_year: f64,
}

impl Disease {
    /// Infection units of a day, from 0 to 7.
    pub(super) fn units(&self, wet: WetSpell) -> f64 {
        match self.infection {
            InfectionLaw::Simcast => blight_units(self.resistance, wet),
            InfectionLaw::TemperatureAndWetness => {
                MOST_UNITS * infection(wet, self.infection_temperature, self.best_temperature, self.wetness)
            }
        }
    }
}
