#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! The checks, by the word at the start of each line in a report:
//!
//! | word | rule |
//! |---|---|
//! | `config` | the part can be read, and there is a farm in which it compiles |
//! | `documented` | every kind, parameter, parameter set, variable, observable, action, event and role has a sentence, a known unit, and a range that contains its default; the documented defaults are the actual ones |
//! | `unique` | every name is unique |
//! | `round trip` | defaults, parameter sets and the game are the same after they are written as YAML and read back |
//! | `finite` | every number in the state, every reward and every event value is finite |
//! | `range` | every variable stays within its declared range under random actions |
//! | `space` | every observation is in its space |
//! | `events` | a step has no more events than declared |
//! | `rest` | calling a part that is inactive without its flag would change nothing |
//! | `writes` | a part changes no variable of another part without declaring it with `Builder::writes` |
//! | `same seed` | the same seed and actions give the same bytes: repeated, after another episode, alternating with one, on another thread, and in a recompiled game |
//! | `other seed` | for a game: a different seed gives a different episode, if any part draws random numbers |
//! | `draws` | a part's own seed changes its behaviour if and only if it asked for the key of its streams (see [`seeds`]) |
//! | `ends` | with each numeric parameter at each end of its range, every variable stays within its range and the game restores its own snapshots; rejected values are left out |
//! | `snapshot` | an episode that is saved and restored continues identically |
//! | `spectator` | adding an unrelated part changes no other part |
//! | `allocations` | a step allocates no memory; only with the feature `allocations`, because it needs a counting allocator for the whole test |
//! | `panic` | nothing panics |

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod checks;
pub mod declarations;
mod ends;
mod farm;
pub mod play;
mod report;
pub mod seeds;
mod spectator;

pub use checks::is_numbers_only;
pub use report::{Defect, Findings, Report, Words};
pub use spectator::TestkitSpectator;

use std::path::Path;

use farm_core::Game;
use farm_core::config::PartKind;
use farm_games::{Options, open};

use farm::Written;

/// Checks an entity on a farm with the parts that it needs. Write the entity as in a game file, such as `Slugs`, `Plant: bean` or `Slugs:
/// {hunger#prop: 0.3}`.
///
/// # Errors
/// All defects.
pub fn check_entity(config: &str) -> Result<(), Report> {
    Kit::default().entity(config)
}

/// Checks a farmer, written as in a game file, on a farm with all entities that fit.
///
/// # Errors
/// All defects.
pub fn check_farmer(config: &str) -> Result<(), Report> {
    Kit::default().farmer(config)
}

/// Checks a score, written as in a game file, on a farm with all entities that fit.
///
/// # Errors
/// All defects.
pub fn check_score(config: &str) -> Result<(), Report> {
    Kit::default().score(config)
}

/// Checks a game: the path of a YAML file, or a name from the catalogue.
///
/// # Errors
/// All defects.
pub fn check_game(file: impl AsRef<Path>) -> Result<(), Report> {
    Kit::default().game(file)
}

/// Options for the checks; the functions in this crate use `Kit::default()`.
#[derive(Debug, Clone)]
pub struct Kit {
    host: Option<String>,
    seeds: u64,
    steps: u32,
    known: declarations::Known,
    draws_nothing: bool,
    words: Option<Words>,
    ends: usize,
}

impl Default for Kit {
    fn default() -> Self {
        Self {
            host: None,
            seeds: 3,
            steps: 60,
            known: declarations::Known::default(),
            draws_nothing: false,
            words: None,
            ends: 40,
        }
    }
}

impl Kit {
    /// Puts the part into this game, given as YAML, instead of a farm from the kit. It replaces a part of its kind, or is added to the
    /// first field.
    pub fn in_game(mut self, yaml: &str) -> Self {
        self.host = Some(yaml.to_owned());
        self
    }

    /// Sets the number of episodes (default: 3).
    pub fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = seeds.max(1);
        self
    }

    /// Sets the number of steps in each episode (default: 60).
    pub fn steps(mut self, steps: u32) -> Self {
        self.steps = steps.max(1);
        self
    }

    /// Sets the maximum number of plays with a parameter at an end of its range, spread over all parameters (default: 40). Playing all of
    /// them (`usize::MAX`) takes minutes for a game with many parts.
    pub fn ends(mut self, most: usize) -> Self {
        self.ends = most;
        self
    }

    /// Adds a unit symbol to the known ones in [`declarations::UNITS`].
    pub fn unit(mut self, symbol: &str) -> Self {
        self.known.units.push(symbol.to_owned());
        self
    }

    /// Accepts roles that are not registered, such as those of parts in other languages, which are only names.
    pub fn any_role(mut self) -> Self {
        self.known.any_role = true;
        self
    }

    /// Allows a part to draw no random numbers in this configuration, although it asks for the key of its streams.
    pub fn draws_nothing(mut self) -> Self {
        self.draws_nothing = true;
        self
    }

    /// Sets a function that describes panics whose payload is not a string, such as exceptions of another language.
    pub fn words(mut self, words: Words) -> Self {
        self.words = Some(words);
        self
    }

    /// Checks an entity; see [`check_entity`].
    ///
    /// # Errors
    /// All defects.
    pub fn entity(&self, config: &str) -> Result<(), Report> {
        self.part(PartKind::Entity, config)
    }

    /// Checks a farmer; see [`check_farmer`].
    ///
    /// # Errors
    /// All defects.
    pub fn farmer(&self, config: &str) -> Result<(), Report> {
        self.part(PartKind::Farmer, config)
    }

    /// Checks a score; see [`check_score`].
    ///
    /// # Errors
    /// All defects.
    pub fn score(&self, config: &str) -> Result<(), Report> {
        self.part(PartKind::Score, config)
    }

    /// Checks a game; see [`check_game`].
    ///
    /// # Errors
    /// All defects.
    pub fn game(&self, file: impl AsRef<Path>) -> Result<(), Report> {
        let name = file.as_ref().display().to_string();
        match open(&name, &Options::default()) {
            Ok(game) => self.compiled(&name, &game),
            Err(problems) => {
                let defects = vec![Defect::new("config", "", problems.to_string())];
                Err(Report { subject: name, farms: Vec::new(), defects })
            }
        }
    }

    /// Checks a compiled game.
    ///
    /// # Errors
    /// All defects.
    pub fn compiled(&self, name: &str, game: &Game) -> Result<(), Report> {
        let mut findings = Findings(Vec::new(), self.words);
        if let Some(defect) = declarations::defect_of_sentence(game.spec().doc()) {
            findings.add(Defect::new("documented", "", defect).of("doc"));
        }
        for entry in game.observation().entries() {
            if let Some(defect) = declarations::defect_of_sentence(entry.doc()) {
                findings.add(Defect::new("documented", "", defect).of(entry.key()));
            }
        }
        for (i, part) in game.parts().iter().enumerate() {
            declarations::check_part(part, &self.known, &mut findings);
            seeds::check(game, i, self.seeds, self.steps.min(20), false, &mut findings);
        }
        checks::check(game, self.seeds, self.steps, true, &mut findings);
        ends::check(game, &(0..game.parts().len()).collect::<Vec<_>>(), self.ends, &mut findings);
        report(name, Vec::new(), findings)
    }

    /// Plays a compiled game with each numeric parameter of its parts at each end of its range, and checks nothing else.
    ///
    /// # Errors
    /// All defects.
    pub fn ends_of(&self, name: &str, game: &Game) -> Result<(), Report> {
        let mut findings = Findings(Vec::new(), self.words);
        ends::check(game, &(0..game.parts().len()).collect::<Vec<_>>(), self.ends, &mut findings);
        report(name, Vec::new(), findings)
    }

    fn part(&self, part: PartKind, config: &str) -> Result<(), Report> {
        let mut findings = Findings(Vec::new(), self.words);
        let refused = |message: String| Report {
            subject: config.to_owned(),
            farms: Vec::new(),
            defects: vec![Defect::new("config", "", message)],
        };
        let written = Written::read(part, config).map_err(refused)?;
        // A kind for many classes has no declarations of its own.
        if written.kind.open().is_none() {
            declarations::check_kind(written.kind, &self.known, &mut findings);
        }
        let farms = match written.farms(self.host.as_deref()) {
            Ok(farms) => farms,
            Err(message) => {
                findings.add(Defect::new("config", written.kind.name(), message));
                return report(config, Vec::new(), findings);
            }
        };
        for farm in &farms {
            for subject in &farm.subjects {
                declarations::check_part(&farm.game.parts()[*subject], &self.known, &mut findings);
            }
            checks::check(&farm.game, self.seeds, self.steps, false, &mut findings);
            ends::check(&farm.game, &farm.subjects, self.ends, &mut findings);
        }
        // A part may only have a reason to draw if there are other parts.
        if let Some(farm) = farms.last() {
            for subject in &farm.subjects {
                seeds::check(&farm.game, *subject, self.seeds, self.steps, !self.draws_nothing, &mut findings);
            }
        }
        report(config, farms.into_iter().map(|farm| farm.name).collect(), findings)
    }
}

fn report(subject: &str, farms: Vec<String>, findings: Findings) -> Result<(), Report> {
    match findings.0 {
        defects if defects.is_empty() => Ok(()),
        defects => Err(Report { subject: subject.to_owned(), farms, defects }),
    }
}
