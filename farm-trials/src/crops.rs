//! The crops of trials that games can play.

/// A crop in the trials and in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crop {
    /// Its code in trials.
    pub code: &'static str,
    /// The parameter set of its usual cultivars, whose name begins those of its other sets of the entity `Plant`.
    pub base: &'static str,
    /// Columns with the dry harvest in kg per ha, measured once; the first one that has a value counts.
    pub(crate) harvest: &'static [&'static str],
    /// The column with the dry harvest over time.
    pub(crate) harvest_over_time: &'static str,
    /// The harvest is tubers: columns with the dry matter over time leave them out.
    pub(crate) has_tubers: bool,
    /// The column with the day of the first flowers, or of the first tubers of potatoes.
    pub(crate) flowering: &'static str,
}

const fn grain(code: &'static str, base: &'static str) -> Crop {
    Crop { code, base, harvest: &["HWAM", "HWAH"], harvest_over_time: "GWAD", has_tubers: false, flowering: "ADAT" }
}

/// The crops.
pub const CROPS: [Crop; 12] = [
    grain("MZ", "corn"),
    grain("WH", "wheat"),
    grain("SB", "soybean"),
    grain("BN", "bean"),
    grain("SU", "sunflower"),
    grain("RI", "rice"),
    Crop {
        code: "PT",
        base: "potato",
        harvest: &["UWAH", "UWAM"],
        harvest_over_time: "UWAD",
        has_tubers: true,
        flowering: "TDAT",
    },
    grain("BA", "barley"),
    grain("SG", "sorghum"),
    grain("CN", "rapeseed"),
    Crop {
        code: "PN",
        base: "peanut",
        harvest: &["PWAM", "HWAM"],
        harvest_over_time: "PWAD",
        has_tubers: false,
        flowering: "ADAT",
    },
    Crop {
        code: "TM",
        base: "tomato",
        harvest: &["HWAM", "PWAM"],
        harvest_over_time: "PWAD",
        has_tubers: false,
        flowering: "ADAT",
    },
];

impl Crop {
    /// The crop with a code of DSSAT.
    pub(crate) fn of(code: &str) -> Option<&'static Self> {
        CROPS.iter().find(|crop| crop.code == code)
    }
}
