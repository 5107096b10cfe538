//! The phases of a step: each with its name and what happens in it, said once for the code, the command and the documents.

macro_rules! phases {
    ($( $(#[doc = $doc:expr])+ $phase:ident = $name:literal, )+) => {
        /// When in a step a part acts. The order is the order of the day; before the first phase the actions of the step have been carried
        /// out, and after the last one the score is asked. Within a phase the parts come in the order of the game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Phase {
            $( $(#[doc = $doc])+ $phase, )+
        }

        impl Phase {
            /// All phases in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$phase),+];

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self {
                    $( Self::$phase => $name, )+
                }
            }

            /// What happens in it, in a sentence.
            pub fn doc(self) -> &'static str {
                match self {
                    $( Self::$phase => concat!($($doc),+).trim_ascii(), )+
                }
            }
        }
    };
}

phases! {
    /// What no part controls: weather, date, arrivals.
    Exogenous = "exogenous",
    /// What is set free: fertilisers, cides, dead matter.
    Release = "release",
    /// Who needs what: water and nutrient demand, shade.
    Demand = "demand",
    /// The exchange: inputs, supply, stress, evaporation, leaching.
    Exchange = "exchange",
    /// What grows and spreads by itself: weeds.
    Spread = "spread",
    /// Who comes and goes: pests, pollinators.
    Visit = "visit",
    /// Growth and transitions of what is cultivated: plants, tiles.
    Develop = "develop",
    /// Totals and derived values.
    Account = "account",
}
