//! The phases of a step, each with its name and description. The code, the commands and the documentation all use this list.

macro_rules! phases {
    ($( $(#[doc = $doc:expr])+ $phase:ident = $name:literal, )+) => {
        /// The phase of a step in which a part acts. Phases are listed in the order in which they run during a day. The step's actions are
        /// executed before the first phase, and the score is computed after the last. Within a phase, the parts act in game order.
        ///
        /// ```
        /// use farm_core::prelude::*;
        ///
        /// // A part that acts in two phases: `#[register(…, runs_in = [Phase::Demand, Phase::Develop])]`.
        /// struct Vines {
        ///     demand: Column<f64>,
        ///     height: Column<f64>,
        /// }
        ///
        /// impl Behaviour for Vines {
        ///     fn tick(&self, phase: Phase, context: &mut Context<'_>) {
        ///         match phase {
        ///             Phase::Demand => context.get(self.demand)[0].set(2.0),
        ///             _ => context.get(self.height)[0].update(|height| height + 1.0),
        ///         }
        ///     }
        /// }
        /// assert!(Phase::Demand < Phase::Develop);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Phase {
            $( $(#[doc = $doc])+ $phase, )+
        }

        impl Phase {
            /// All phases, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$phase),+];

            /// The phase's name.
            pub fn name(self) -> &'static str {
                match self {
                    $( Self::$phase => $name, )+
                }
            }

            /// A one-sentence description.
            pub fn doc(self) -> &'static str {
                match self {
                    $( Self::$phase => concat!($($doc),+).trim_ascii(), )+
                }
            }
        }
    };
}

phases! {
    /// Processes that no part controls: weather, date, arrivals.
    Exogenous = "exogenous",
    /// Releases: fertilisers, pesticides, dead matter.
    Release = "release",
    /// Requests of the parts: water and nutrient demand, shade.
    Demand = "demand",
    /// The exchange: inputs, supply, stress, evaporation, leaching.
    Exchange = "exchange",
    /// Growth and spread without cultivation: weeds, diseases.
    Spread = "spread",
    /// Arrivals and departures: pests, pollinators.
    Visit = "visit",
    /// Growth and transitions of cultivated things: plants, tiles.
    Develop = "develop",
    /// Totals and derived values.
    Account = "account",
}
