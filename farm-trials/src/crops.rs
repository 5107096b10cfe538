//! The crops of trials that games can play.

/// A crop in the trials and in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crop {
    /// Its code in trials.
    pub code: &'static str,
    /// Its name, which begins the names of its parameter sets of the entity `Plant`.
    pub base: &'static str,
    /// The parameter set of the usual cultivars.
    pub usual: &'static str,
    /// Columns with the dry harvest in kg per ha, measured once; the first one that has a value counts.
    pub(crate) harvest: &'static [&'static str],
    /// The column with the dry harvest over time.
    pub(crate) harvest_over_time: &'static str,
    /// The column with the day of the first flowers, or of the first tubers of potatoes.
    pub(crate) flowering: &'static str,
}

const fn grain(code: &'static str, base: &'static str, usual: &'static str) -> Crop {
    Crop { code, base, usual, harvest: &["HWAM", "HWAH"], harvest_over_time: "GWAD", flowering: "ADAT" }
}

/// The crops.
pub const CROPS: [Crop; 8] = [
    grain("MZ", "corn", "corn_usual"),
    grain("WH", "wheat", "wheat_winter_usual"),
    grain("SB", "soybean", "soybean_usual"),
    grain("BN", "bean", "bean_usual"),
    grain("SU", "sunflower", "sunflower_usual"),
    grain("RI", "rice", "rice_usual"),
    Crop {
        code: "PT",
        base: "potato",
        usual: "potato_usual",
        harvest: &["UWAH", "UWAM"],
        harvest_over_time: "UWAD",
        flowering: "TDAT",
    },
    Crop {
        code: "TM",
        base: "tomato",
        usual: "tomato_usual",
        harvest: &["HWAM", "PWAM"],
        harvest_over_time: "PWAD",
        flowering: "ADAT",
    },
];

impl Crop {
    /// The crop with a code of DSSAT.
    pub(crate) fn of(code: &str) -> Option<&'static Self> {
        CROPS.iter().find(|crop| crop.code == code)
    }
}
