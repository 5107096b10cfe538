//! Families of games: the rules of each member are drawn from a seed, so memorised rules do not help.
//!
//! A member is a plain game that extends a game in the catalogue and changes some of its values. You open it by name, like any game:
//! `backwards_valley@rules=7`. A name always gives the same YAML.
//!
//! | name | the member |
//! |---|---|
//! | `FAMILY@rules=7` | drawn from rule seed 7 |
//! | `FAMILY@rules=train-7`, `FAMILY@rules=validation-7`, `FAMILY@rules=test-7` | drawn from rule seed 7 among the rules of a split |
//! | `FAMILY@rules=ordinary` | a named member of the family |
//! | `FAMILY@tier=3,rules=7` | the same rules on a tier of the family's ladder; see [`Tier`] |
//! | `FAMILY@rules=7,skin=invented-3` | the same rules with other names, drawn from a seed; see [`Skin`] |
//!
//! Each member's clauses are drawn at random. Some are visible, such as the window size. The others are hidden: with hidden rules, no text
//! that the player sees depends on them. Members in which acting gains nothing are rejected. On maps, the planner measures this gain on
//! some levels; on farms, a few calendars measure it.
//!
//! | file | contents |
//! |---|---|
//! | `name.rs` | names of members |
//! | `backwards.rs`, `valley.rs`, `strange/` | the families: their clauses, and members as YAML |
//! | `tier.rs` | settings that make a game easier or harder, apart from its rules |
//! | `ladder.rs` | tiers by their names, and the worlds of splits |
//! | `drawing.rs` | the first draw from a seed that gives rules worth playing |
//! | `annotation.rs` | known results for such a world |
//! | `table.rs` | tables of worlds with their known results |
//! | `published.rs` | published results for worlds that no planner solves |
//! | `gradient.rs` | how many groups of episodes carry a gradient |
//! | `prior.rs` | all possible draws with their probabilities, for Bayesian players |
//! | `skill.rs` | the gain from acting |
//! | `skin.rs` | other names for everything |

mod annotation;
mod backwards;
mod drawing;
mod gradient;
mod ladder;
mod name;
mod prior;
mod published;
mod skill;
mod skin;
mod strange;
pub mod table;
mod tier;
mod valley;

pub use annotation::{Annotation, Optimum, SCRIPTS};
pub use backwards::{BackwardsLaws, KindLaws, Nature, VerbEffect};
pub use drawing::{DRAWS, draws};
pub use gradient::{GROUP, GradientShare};
pub use ladder::{Ladder, PUBLISHED, SplitWorld};
pub use name::{MemberName, RuleSplit, Rules, is_member};
pub(crate) use prior::{KindHypothesis, ValleyPrior};
pub use skill::Skill;
pub use skin::Skin;
pub use strange::{CropLaws, Food, Season, StrangeLaws, Water};
pub use tier::{FarmSetting, MapSetting, Setting, Tier, Told};
pub use valley::ValleyLaws;

use farm_core::config::{NameError, Path, Problem, Problems, Source};
use farm_core::{Game, Stream};

use crate::GameDocument;

/// A family of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleFamily {
    /// Its name: the name of the catalogue game whose rules are drawn, if there is one.
    pub name: &'static str,
    /// The differences between members, in one sentence.
    pub doc: &'static str,
    /// Named members, each with a description.
    pub named: &'static [(&'static str, &'static str)],
    /// A description of the members in the test split.
    pub split: &'static str,
    /// Its ladder, starting with the easiest tier.
    pub tiers: &'static [Tier],
    /// Whether skins can rename everything in it.
    pub has_skins: bool,
}

/// All families, sorted by name.
pub const FAMILIES: [RuleFamily; 3] = [backwards::FAMILY, strange::FAMILY, valley::FAMILY];

/// A rule that differs between members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The rule's subject.
    pub name: String,
    /// The rule in this member.
    pub value: String,
    /// Whether the player must discover it when the rules are hidden.
    pub is_hidden: bool,
}

/// A member's rules.
#[derive(Debug, Clone, PartialEq)]
pub enum Laws {
    /// Rules in the `backwards_valley` family.
    Backwards(BackwardsLaws),
    /// Rules in the `strange_crops` family.
    Strange(StrangeLaws),
    /// Rules in the `valley_farm` family.
    Valley(ValleyLaws),
}

/// A member of a family.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: MemberName,
    /// Its rules.
    pub laws: Laws,
    /// The gain from acting in the family's game with these rules.
    ///
    /// None for named rules, and for published rules, which have already been measured.
    pub skill: Option<Skill>,
    /// The game, as YAML.
    pub yaml: String,
}

impl Laws {
    /// Rules drawn from a stream, whether or not acting gains anything.
    pub fn draw(family: &str, stream: &mut Stream) -> Self {
        if family == valley::FAMILY.name {
            Self::Valley(ValleyLaws::draw(stream))
        } else if family == strange::FAMILY.name {
            Self::Strange(StrangeLaws::draw(stream))
        } else {
            Self::Backwards(BackwardsLaws::draw(stream))
        }
    }

    /// Rules that a family names.
    fn named(family: &str, name: &str) -> Option<Self> {
        if family == valley::FAMILY.name {
            ValleyLaws::named(name).map(Self::Valley)
        } else if family == strange::FAMILY.name {
            StrangeLaws::named(name).map(Self::Strange)
        } else {
            BackwardsLaws::named(name).map(Self::Backwards)
        }
    }

    /// All clauses in which members differ, in a fixed order. A tier can tell some of them.
    pub fn clauses(&self, tier: Option<Tier>) -> Vec<Clause> {
        match self {
            Self::Backwards(laws) => laws.clauses(),
            Self::Strange(laws) => laws.clauses(tier),
            Self::Valley(laws) => laws.clauses(),
        }
    }

    /// The split that members with these rules belong to.
    pub fn split(&self) -> RuleSplit {
        let is_held_out = match self {
            Self::Backwards(laws) => laws.is_held_out(),
            Self::Strange(laws) => laws.is_held_out(),
            Self::Valley(laws) => laws.is_held_out(),
        };
        if is_held_out { RuleSplit::Test } else { RuleSplit::Train }
    }

    /// A game with these rules, as YAML.
    pub fn yaml(&self, name: &MemberName) -> String {
        match self {
            Self::Backwards(laws) => laws.yaml(name),
            Self::Strange(laws) => laws.yaml(name),
            Self::Valley(laws) => laws.yaml(name),
        }
    }

    /// The gain from acting in games with these rules.
    ///
    /// # Errors
    /// The game has problems. Games from drawn rules have none.
    pub fn skill(&self) -> Result<Skill, Problems> {
        let name = MemberName { family: self.family(), tier: None, rules: Rules::Seed(0), skin: Skin::Plain };
        let game = GameDocument::parse("member.yaml", &self.yaml(&name))?.open(&crate::Options::default())?;
        self.skill_in(&game)
    }

    /// The gain from acting in a game with these rules, on any tier and with any skin.
    ///
    /// # Errors
    /// A game of another family.
    pub fn skill_in(&self, game: &Game) -> Result<Skill, Problems> {
        match self {
            Self::Strange(_) => strange::skill(game),
            Self::Backwards(_) | Self::Valley(_) => Skill::of(game),
        }
    }

    /// Whether acting gains enough in the world of a split with this index. On maps, any rules worth playing do.
    ///
    /// # Errors
    /// The game has problems. Games from drawn rules have none.
    fn has_room(&self, split: RuleSplit, index: u64) -> Result<bool, Problems> {
        match (self, split.of_seeds().seed(index)) {
            (Self::Strange(laws), Some(seed)) => laws.has_room(Rules::Of(split, index), seed),
            _ => Ok(true),
        }
    }

    /// The name of their family.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Backwards(_) => backwards::FAMILY.name,
            Self::Strange(_) => strange::FAMILY.name,
            Self::Valley(_) => valley::FAMILY.name,
        }
    }
}

impl Member {
    /// The member with this name.
    ///
    /// # Errors
    /// An unknown name.
    pub fn find(text: &str) -> Result<Self, Problems> {
        Self::of(MemberName::parse(text)?)
    }

    /// The same, for a parsed name.
    ///
    /// # Errors
    /// No suitable rules could be drawn.
    pub fn of(name: MemberName) -> Result<Self, Problems> {
        let (laws, skill) = match name.rules {
            Rules::Named(rules) => (Laws::named(name.family, rules).ok_or_else(|| none_will_do(&name))?, None),
            Rules::Seed(seed) => drawing::draw(&name, None, seed)?,
            Rules::Of(split, seed) => drawing::draw(&name, Some(split), seed)?,
        };
        Self::with(name, laws, skill)
    }

    /// The member with these rules.
    fn with(name: MemberName, laws: Laws, skill: Option<Skill>) -> Result<Self, Problems> {
        let names = match laws {
            Laws::Backwards(_) => Some(&backwards::NAMES),
            Laws::Valley(_) => Some(&valley::NAMES),
            Laws::Strange(_) => None,
        };
        let plain = laws.yaml(&name);
        let yaml = match names {
            Some(names) => name.skin_worn().put_on(plain, names)?,
            None => plain,
        };
        Ok(Self { yaml, laws, skill, name })
    }

    /// The member's game with the family's own names, even on a tier that invents names.
    ///
    /// # Errors
    /// The game has problems. Games from drawn rules have none.
    pub(crate) fn open_plain(&self) -> Result<Game, Problems> {
        GameDocument::parse("member.yaml", &self.laws.yaml(&self.name))?.open(&crate::Options::default())
    }

    /// All clauses in which members differ, in a fixed order.
    pub fn clauses(&self) -> Vec<Clause> {
        self.laws.clauses(self.name.ladder())
    }

    /// The same rules on another tier, without drawing them again.
    ///
    /// # Errors
    /// A skin does not fit the game. All skins fit the games of the built-in families.
    pub fn on_tier(&self, tier: Tier) -> Result<Self, Problems> {
        Self::with(MemberName { tier: Some(tier.number), ..self.name }, self.laws.clone(), self.skill)
    }

    /// Its source.
    pub fn source(&self) -> Source {
        Source::new(&format!("{}.yaml", self.name), &self.yaml)
    }

    /// The member's game.
    ///
    /// # Errors
    /// The game has problems. Games from drawn rules have none.
    pub fn open(&self) -> Result<Game, Problems> {
        GameDocument::of_source(&self.source())?.open(&crate::Options::default())
    }
}

fn none_will_do(name: &MemberName) -> Problems {
    let message = format!("no rules could be drawn for `{name}`");
    Problems(vec![Problem::new(NameError::UnknownGame, Path::default(), message).value(name)])
}
