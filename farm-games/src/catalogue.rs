//! All versions of the games that come with the project.
//!
//! A version always plays the same: the same seed and the same actions give the same episode, byte for byte. A change that affects play
//! creates a new version, and the old one becomes a former version, unless the laws that it played have left the program. Results of
//! different versions can't be compared.

use farm_core::config::{NameError, Path, Problem, Problems, Source, Text, Tool};

/// The name of a game's best known policy.
pub const BEST_KNOWN_POLICY: &str = "best_known";

/// Six games that cover both kinds of field, one plot and several, one field and two, and farmers on foot.
///
/// Tests of engine features that all games share, such as the modes of interaction, run on these games.
pub const REPRESENTATIVE: [&str; 6] =
    ["backwards_valley", "clay_bean", "full_farm", "two_fields", "valley_farm", "walking_farmer"];

/// A game in the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct CatalogueEntry {
    /// Its name, as in its YAML: `clay_bean`. A former version has the version in its name: `clay_bean-v0`.
    pub name: &'static str,
    /// The game's version, counted from 0.
    pub version: u32,
    /// Its group in lists of games.
    pub family: Family,
    /// Its YAML.
    pub yaml: &'static str,
}

/// A game's subject, which groups games in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// One crop on a plot: water, nutrients and dates. Each crop has its own needs.
    Crops,
    /// A crop in a difficult climate: drought, frost, a short season.
    Climates,
    /// A single problem, with everything else in ample supply.
    Stressors,
    /// All parts together, on 1 to 400 plots.
    Sizes,
    /// Several crops, fields or farmers in one season.
    Several,
    /// Observations cost money: each day you first observe, then act.
    Looking,
    /// You earn a profit and keep a limit, for example on water.
    Constraints,
    /// The farmer has a position and must walk.
    Walking,
    /// Grids of tiles in which only the map is unknown.
    Valleys,
}

impl Family {
    /// All families, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Crops,
        Self::Climates,
        Self::Stressors,
        Self::Sizes,
        Self::Several,
        Self::Looking,
        Self::Constraints,
        Self::Walking,
        Self::Valleys,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crops => "crops",
            Self::Climates => "climates",
            Self::Stressors => "stressors",
            Self::Sizes => "sizes",
            Self::Several => "several",
            Self::Looking => "looking",
            Self::Constraints => "constraints",
            Self::Walking => "walking",
            Self::Valleys => "valleys",
        }
    }

    /// The subject of its games, in one sentence.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Crops => "One crop on a plot: water, nutrients and dates. Each crop has its own needs.",
            Self::Climates => "A crop in a difficult climate: drought, frost, a short season.",
            Self::Stressors => "A single problem, with everything else in ample supply.",
            Self::Sizes => "All parts together, on 1 to 400 plots.",
            Self::Several => "Several crops, fields or farmers in one season.",
            Self::Looking => "Observations cost money: each day you first observe, then act.",
            Self::Constraints => "You earn a profit and keep a limit, for example on water.",
            Self::Walking => "The farmer has a position and must walk.",
            Self::Valleys => "Grids of tiles in which only the map is unknown.",
        }
    }
}

impl CatalogueEntry {
    /// The name that all of the game's versions share.
    pub fn game(&self) -> &'static str {
        split(self.name).map_or(self.name, |(game, _)| game)
    }

    /// The name of exactly this version, such as `clay_bean-v2`. It keeps its meaning when a newer version appears.
    pub fn versioned_name(&self) -> String {
        format!("{}-v{}", self.game(), self.version)
    }

    /// The game's best known policy, as YAML.
    ///
    /// None if no known policy earns more than the expert, or if the optimum can be computed. The game lists it among its policies as
    /// [`BEST_KNOWN_POLICY`].
    pub fn best_known(&self) -> Option<&'static str> {
        BEST_KNOWN.iter().find(|(name, _)| *name == self.name).map(|(_, policy)| *policy)
    }

    /// Its source, with its best known policy.
    pub fn source(&self) -> Source {
        let Some(policy) = self.best_known() else { return self.base_source() };
        let text = Text::new(&format!("best_known/{}.yaml", self.name), policy);
        self.base_source().with_part(Path::default().child("policies").child(BEST_KNOWN_POLICY), text)
    }

    /// Its source for games that extend it. These do not get its best known policy.
    pub(crate) fn base_source(&self) -> Source {
        Source::new(&format!("{}.yaml", self.name), self.yaml)
    }

    /// Its id in Gymnasium, `farm_gym/ClayBean-v2`, as the Python package registers it.
    pub fn environment_id(&self) -> String {
        let capital = |word: &str| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        };
        let name: String = self.game().split('_').map(capital).collect();
        format!("farm_gym/{name}-v{}", self.version)
    }
}

macro_rules! best_known {
    ($($name:ident,)*) => {
        &[$((stringify!($name), include_str!(concat!("../games/best_known/", stringify!($name), ".yaml")))),*]
    };
}

/// The games with a known policy that beats the expert, each with that policy. `cargo xtask best-known` writes these files.
const BEST_KNOWN: &[(&str, &str)] = best_known![
    clay_bean,
    costly_clay_bean,
    costly_full_farm,
    farm0,
    farm1,
    full_farm,
    full_farm_4x3,
    mixed_crops,
    pests_and_pollinators,
    two_fields,
    weeds_only,
    winter_wheat,
];

macro_rules! newest {
    ($($name:literal $version:literal $family:ident,)+) => {
        &[$(CatalogueEntry {
            name: $name,
            version: $version,
            family: Family::$family,
            yaml: include_str!(concat!("../games/", $name, ".yaml")),
        }),+]
    };
}

/// The newest version of each game, sorted by name.
pub const CATALOGUE: &[CatalogueEntry] = newest![
    "backwards_valley" 0 Valleys,
    "backwards_valley_easy" 0 Valleys,
    "backwards_valley_hard" 0 Valleys,
    "clay_bean" 2 Crops,
    "costly_clay_bean" 1 Looking,
    "costly_full_farm" 1 Looking,
    "dry_corn" 1 Climates,
    "early_potato" 1 Crops,
    "farm0" 2 Crops,
    "farm1" 2 Crops,
    "full_farm" 2 Sizes,
    "full_farm_10x10" 1 Sizes,
    "full_farm_20x20" 1 Sizes,
    "full_farm_4x3" 1 Sizes,
    "grain_store" 0 Crops,
    "hay_meadow" 0 Crops,
    "mixed_crops" 1 Several,
    "nitrate_leaching" 1 Stressors,
    "nitrate_limit" 1 Constraints,
    "northern_soybean" 1 Climates,
    "paddy_rice" 1 Climates,
    "pests_and_pollinators" 1 Stressors,
    "potato_blight" 0 Stressors,
    "tomato_beds" 1 Crops,
    "two_fields" 1 Several,
    "valley_farm" 0 Valleys,
    "valley_farm_easy" 0 Valleys,
    "valley_farm_hard" 0 Valleys,
    "walking_farmer" 2 Walking,
    "water_budget" 1 Constraints,
    "water_only" 1 Stressors,
    "weeds_only" 1 Stressors,
    "winter_wheat" 1 Crops,
];

macro_rules! former {
    ($($version:literal $name:literal $family:ident,)+) => {
        &[$(CatalogueEntry {
            name: concat!($name, "-v", $version),
            version: $version,
            family: Family::$family,
            yaml: include_str!(concat!("../games/former/", $name, "-v", $version, ".yaml")),
        }),+]
    };
}

/// The former versions of games, sorted by name.
pub const FORMER: &[CatalogueEntry] = former![
    0 "clay_bean" Crops,
    0 "farm0" Crops,
    0 "farm1" Crops,
    0 "full_farm" Sizes,
    0 "walking_farmer" Walking,
];

/// Every version of every game: first the newest versions, then the former ones.
pub fn all_versions() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().chain(FORMER)
}

/// The first game of each family, for examples and for tests of features that all games of a family share.
pub fn one_of_each_family() -> impl Iterator<Item = &'static CatalogueEntry> {
    Family::ALL.into_iter().filter_map(|family| CATALOGUE.iter().find(|entry| entry.family == family))
}

/// Finds a game by its name: `clay_bean` for the newest version, `clay_bean-v0` for that version.
pub fn entry(text: &str) -> Option<&'static CatalogueEntry> {
    all_versions().find(|entry| entry.name == text || entry.versioned_name() == text)
}

/// The same, for callers that accept only games from the catalogue.
///
/// # Errors
/// An unknown name, with the nearest name, or an unknown version, with the existing versions.
pub fn find(text: &str) -> Result<&'static CatalogueEntry, Problems> {
    entry(text).ok_or_else(|| Problems(vec![unknown(text)]))
}

/// The problem to report for an unknown game name.
fn unknown(text: &str) -> Problem {
    let versioned = split(text);
    if let Some((game, _)) = versioned
        && CATALOGUE.iter().any(|entry| entry.name == game)
    {
        let mut entries: Vec<_> = all_versions().filter(|entry| entry.game() == game).collect();
        entries.sort_by_key(|entry| entry.version);
        let names: Vec<String> = entries.iter().map(|entry| entry.versioned_name()).collect();
        let message = format!("there is no version `{text}` of the game `{game}`");
        let problem = Problem::new(NameError::UnknownGame, Path::default(), message).value(text);
        let problem = problem.among(text, names.iter().map(String::as_str));
        return problem.help(format!("`{game}` is the newest one"));
    }
    let former = FORMER.iter().filter(|_| versioned.is_some());
    let names = CATALOGUE.iter().chain(former).map(|entry| entry.name);
    let problem = Problem::new(NameError::UnknownGame, Path::default(), format!("there is no game `{text}`"));
    if crate::families::RuleFamily::named(text).is_some() {
        return problem
            .value(text)
            .help(format!("`{text}` is a family of games: `{text}@rules=7` is the member with the rules of seed 7"));
    }
    let help = Tool::list("games").and(" shows all; for a file, write its path, such as `./game.yaml`");
    problem.value(text).among(text, names).help(help)
}

/// The game and the version of a name like `clay_bean-v0`.
fn split(name: &str) -> Option<(&str, u32)> {
    let (game, version) = name.rsplit_once("-v")?;
    Some((game, version.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_versions_are_older_ones_of_games_of_the_catalogue() {
        assert!(FORMER.is_sorted_by_key(|entry| entry.name));
        for former in FORMER {
            let newest = CATALOGUE.iter().find(|entry| entry.name == former.game());
            assert!(newest.is_some_and(|newest| former.version < newest.version), "{}", former.name);
            assert!(newest.is_some_and(|newest| former.family == newest.family), "{}", former.name);
            assert_eq!(former.name, former.versioned_name());
        }
    }

    #[test]
    fn every_best_known_policy_is_one_of_its_game() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games/best_known");
        let files = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let names: Vec<String> = BEST_KNOWN.iter().map(|(name, _)| format!("{name}.yaml")).collect();
        assert_eq!(files, names, "`cargo xtask best-known` has written or removed a file: change BEST_KNOWN");
        for (name, policy) in BEST_KNOWN {
            let game = crate::open(name, &crate::Options::default()).unwrap();
            assert!(game.spec().policies().contains_key(BEST_KNOWN_POLICY), "{name}");
            let sources = [&*format!("`cargo xtask best-known --games {name} "), "It is the game's policy `"];
            assert!(sources.iter().any(|source| policy.contains(source)), "{name}: where is it from?");
        }
    }

    /// Otherwise a new version of the base would change the game's play.
    #[test]
    fn games_begin_from_a_version_of_a_game() {
        for entry in all_versions() {
            let begins_from = entry.yaml.lines().find_map(|line| line.strip_prefix("extends: "));
            let base = begins_from.map(|name| (name, super::entry(name)));
            assert!(
                base.is_none_or(|(name, base)| base.is_some_and(|base| base.versioned_name() == name)),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn a_name_means_the_newest_version_and_one_with_a_version_that_one() {
        for (text, name, version) in [
            ("clay_bean", "clay_bean", 2),
            ("clay_bean-v2", "clay_bean", 2),
            ("clay_bean-v0", "clay_bean-v0", 0),
            ("valley_farm-v0", "valley_farm", 0),
        ] {
            let found = entry(text).unwrap();
            assert_eq!((found.name, found.version), (name, version), "{text}");
        }
        for text in [
            "clay_bean-v1",
            "clay_bean-v3",
            "clay_bean-v",
            "clay_bean-v00",
            "clay_bean-v0-v0",
            "clay_bean-0",
            "-v0",
            "",
        ] {
            assert!(entry(text).is_none(), "{text}");
        }
    }

    #[test]
    fn ids_are_those_of_the_python_package() {
        for (name, id) in [
            ("clay_bean", "farm_gym/ClayBean-v2"),
            ("clay_bean-v0", "farm_gym/ClayBean-v0"),
            ("full_farm_4x3", "farm_gym/FullFarm4x3-v1"),
        ] {
            assert_eq!(entry(name).unwrap().environment_id(), id);
        }
    }

    #[test]
    fn of_an_unknown_version_those_that_there_are_are_told() {
        let problem = unknown("clay_bean-v7");
        assert_eq!(problem.message, "there is no version `clay_bean-v7` of the game `clay_bean`");
        assert_eq!(problem.expected.unwrap().to_string(), "one of `clay_bean-v0`, `clay_bean-v2`");
        assert_eq!(unknown("clay_baen-v0").nearest.as_deref(), Some("clay_bean-v0"));
        assert_eq!(unknown("clay_baen").nearest.as_deref(), Some("clay_bean"));
    }
}
