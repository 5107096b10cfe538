//! Checks that every part and every game must pass, for the tests of whoever writes one.
//!
//! ```
//! # use farm_games as _;
//! // An entity, as it would stand in a game file, in a farm of those that it needs:
//! farm_testkit::check_entity("Birds: seed_eater").unwrap();
//! ```
//!
//! What is checked, by the word that a report begins its lines with:
//!
//! | word | what must hold |
//! |---|---|
//! | `config` | what was given can be read, and a farm can be found in which it compiles |
//! | `documented` | every kind, parameter, parameter set, variable, observable, action, event and role has a sentence, a known unit, and a range that holds its default; what is documented is true |
//! | `unique` | no name stands for two things |
//! | `round trip` | defaults, parameter sets and the game are the same after they were written as YAML and read |
//! | `finite` | every number of the state, every reward, every value of an event |
//! | `range` | every variable keeps to the range that it declares, under random actions |
//! | `space` | every observation lies in its space |
//! | `events` | no more events in a step than declared |
//! | `rest` | who rests without a flag would change nothing if it were called |
//! | `writes` | a part changes no variable of another one, unless it has declared that with `Builder::writes` |
//! | `same seed` | the same seed and actions give the same bytes: a second time, after another episode, in turns with one, on another thread, in the game compiled anew |
//! | `other seed` | of a game: another seed gives another episode, where anybody draws |
//! | `draws` | a part's own seed changes what it does if and only if it asked for the key of its streams (see [`seeds`]) |
//! | `ends` | with each numeric parameter at each end of its range, every variable keeps to its range and the game restores its own snapshots; what a game refuses is left out |
//! | `snapshot` | saved, restored and continued is continued |
//! | `spectator` | a part that is added and touches nobody changes nobody |
//! | `allocations` | a step allocates nothing; only with the feature `allocations`, as it takes a counting allocator for the whole test |
//! | `panic` | nothing panics |
//!
//! Kinds are found when their crates are linked into the test: `use my_crate as _;`.

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

/// Checks an entity as it would stand in a game file, such as `Slugs`, `Plant: bean` or `Slugs: {hunger#prop: 0.3}`, in a farm of
/// those that it needs.
///
/// # Errors
/// All defects.
pub fn check_entity(config: &str) -> Result<(), Report> {
    Kit::default().entity(config)
}

/// Checks a farmer as it would stand in a game file, on a farm of all entities that fit.
///
/// # Errors
/// All defects.
pub fn check_farmer(config: &str) -> Result<(), Report> {
    Kit::default().farmer(config)
}

/// Checks a score as it would stand in a game file, on a farm of all entities that fit.
///
/// # Errors
/// All defects.
pub fn check_score(config: &str) -> Result<(), Report> {
    Kit::default().score(config)
}

/// Checks a game: the path of a YAML file, or a name of the catalogue.
///
/// # Errors
/// All defects.
pub fn check_game(file: impl AsRef<Path>) -> Result<(), Report> {
    Kit::default().game(file)
}

/// How to check; `Kit::default()` is how the functions of this crate do.
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
    /// Puts the part into this game, given as YAML, instead of a farm that the kit makes: in the place of a part of its kind, or
    /// beside the others in the first field.
    pub fn in_game(mut self, yaml: &str) -> Self {
        self.host = Some(yaml.to_owned());
        self
    }

    /// How many episodes are played; 3 unless said.
    pub fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = seeds.max(1);
        self
    }

    /// How many steps of each; 60 unless said.
    pub fn steps(mut self, steps: u32) -> Self {
        self.steps = steps.max(1);
        self
    }

    /// How many games with a parameter at an end of its range are played at most, spread over all parameters; 40 unless said. All of
    /// them, `usize::MAX`, take minutes for a game with many parts.
    pub fn ends(mut self, most: usize) -> Self {
        self.ends = most;
        self
    }

    /// Makes a symbol known that units may be made of, besides [`declarations::UNITS`].
    pub fn unit(mut self, symbol: &str) -> Self {
        self.known.units.push(symbol.to_owned());
        self
    }

    /// Says that roles need not be registered, as those of parts in other languages, which are names only.
    pub fn any_role(mut self) -> Self {
        self.known.any_role = true;
        self
    }

    /// Says that a part draws nothing as it is configured here, though it asks for the key of its streams.
    pub fn draws_nothing(mut self) -> Self {
        self.draws_nothing = true;
        self
    }

    /// Tells a panic whose payload is no text, such as an exception of another language, in words.
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

    /// Checks a game that is compiled already.
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

    /// Plays a game that is compiled already with each numeric parameter of its parts at each end of its range, and checks nothing else.
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
        // A kind that stands for many says nothing of the one that is checked.
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
        // Only where it has company a part may have reason to draw.
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
