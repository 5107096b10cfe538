//! Families of games: members whose rules are drawn from a seed, so that rules learnt by heart are of no use.
//!
//! A member is a plain game that begins from a game of the catalogue and changes some of its values. It is opened by a name wherever a game
//! is: `backwards_valley@rules=7`. The same name is the same YAML for ever.
//!
//! | name | the member |
//! |---|---|
//! | `FAMILY@rules=7` | drawn from rule seed 7 |
//! | `FAMILY@rules=train-7`, `FAMILY@rules=validation-7`, `FAMILY@rules=test-7` | drawn from rule seed 7 among those of a split |
//! | `FAMILY@rules=ordinary` | one that the family names |
//! | `FAMILY@tier=3,rules=7` | the same rules on a tier of the family's ladder; see [`Tier`] |
//! | `FAMILY@rules=7,skin=invented-3` | the same rules with other names, drawn from a seed; see [`Skin`] |
//!
//! What is drawn are clauses. Some can be seen, such as how far the farmer sees; the others are hidden, and nothing that a player is told
//! with hidden rules depends on them. Members in which nothing can be gained by acting are not drawn: the planner says so on some levels, and of
//! farms a few calendars.
//!
//! | file | what |
//! |---|---|
//! | `name.rs` | names of members |
//! | `backwards.rs`, `valley.rs`, `strange/` | the families: their clauses, and members as YAML |
//! | `tier.rs` | what makes a game easier or harder, rules apart |
//! | `ladder.rs` | tiers by their names, and the worlds of splits |
//! | `drawing.rs` | which draw of a seed gives rules worth playing |
//! | `annotation.rs` | what is known of such a world |
//! | `table.rs` | tables of worlds with what is known of each |
//! | `published.rs` | what is published of worlds that no planner knows |
//! | `prior.rs` | what can be drawn, for those who reckon with it |
//! | `skill.rs` | whether there is anything to gain |
//! | `skin.rs` | other names for everything |

mod annotation;
mod backwards;
mod drawing;
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
pub use ladder::{Ladder, PUBLISHED, SplitWorld};
pub use name::{MemberName, RuleSplit, Rules, is_member};
pub(crate) use prior::{KindHypothesis, ValleyPrior};
pub use skill::Skill;
pub use skin::Skin;
pub use strange::{CropLaws, Food, Season, StrangeLaws, Water};
pub use tier::{FarmSetting, MapSetting, Setting, Tier, Told};
pub use valley::ValleyLaws;

use farm_core::config::{NameError, Path, Problem, Problems};
use farm_core::{Game, Stream};

use crate::GameSource;

/// A family of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleFamily {
    /// Its name; that of the game of the catalogue whose rules are drawn, where there is one.
    pub name: &'static str,
    /// What differs, in a sentence.
    pub doc: &'static str,
    /// Members with names of their own, with what they are.
    pub named: &'static [(&'static str, &'static str)],
    /// Which members are of the test split.
    pub split: &'static str,
    /// Its ladder, from the easiest tier on.
    pub tiers: &'static [Tier],
    /// Whether everything in it can be called otherwise.
    pub has_skins: bool,
}

/// All families, sorted by name.
pub const FAMILIES: [RuleFamily; 3] = [backwards::FAMILY, strange::FAMILY, valley::FAMILY];

/// Something in which members differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What it is about.
    pub name: String,
    /// What holds in this member.
    pub value: String,
    /// Whether a player with hidden rules has to find out.
    pub is_hidden: bool,
}

/// The rules of a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Laws {
    /// Of the family `backwards_valley`.
    Backwards(BackwardsLaws),
    /// Of the family `strange_crops`.
    Strange(StrangeLaws),
    /// Of the family `valley_farm`.
    Valley(ValleyLaws),
}

/// A member of a family.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: MemberName,
    /// Its rules.
    pub laws: Laws,
    /// What acting gains in the game that the family has of these rules; none of rules that it names, and of published ones, which were judged
    /// before.
    pub skill: Option<Skill>,
    /// The game, as YAML.
    pub yaml: String,
}

impl Laws {
    /// Rules drawn from a stream, whether or not there is any skill in them.
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

    /// Everything in which members differ, in a fixed order.
    pub fn clauses(&self) -> Vec<Clause> {
        match self {
            Self::Backwards(laws) => laws.clauses(),
            Self::Strange(laws) => laws.clauses(),
            Self::Valley(laws) => laws.clauses(),
        }
    }

    /// The split of members with these rules.
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

    /// What acting gains in games with these rules.
    ///
    /// # Errors
    /// A game that has problems, which none has that was drawn.
    pub fn skill(&self) -> Result<Skill, Problems> {
        let name = MemberName { family: self.family(), tier: None, rules: Rules::Seed(0), skin: Skin::Plain };
        let game = GameSource::parse("member.yaml", &self.yaml(&name))?.open(&crate::Options::default())?;
        self.skill_in(&game)
    }

    /// What acting gains in a game with these rules, on whatever tier and under whatever names.
    ///
    /// # Errors
    /// A game of another family.
    pub fn skill_in(&self, game: &Game) -> Result<Skill, Problems> {
        match self {
            Self::Strange(_) => strange::skill(game),
            Self::Backwards(_) | Self::Valley(_) => Skill::of(game),
        }
    }

    /// The family that they are of.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Backwards(_) => backwards::FAMILY.name,
            Self::Strange(_) => strange::FAMILY.name,
            Self::Valley(_) => valley::FAMILY.name,
        }
    }
}

impl Member {
    /// The member of a name.
    ///
    /// # Errors
    /// A name that no member has.
    pub fn find(text: &str) -> Result<Self, Problems> {
        Self::of(MemberName::parse(text)?)
    }

    /// The same for a name that was read already.
    ///
    /// # Errors
    /// No rules could be drawn that will do.
    pub fn of(name: MemberName) -> Result<Self, Problems> {
        let (laws, skill) = match name.rules {
            Rules::Named(rules) => (Laws::named(name.family, rules).ok_or_else(|| none_will_do(&name))?, None),
            Rules::Seed(seed) => drawing::draw(&name, None, seed)?,
            Rules::Of(split, seed) => drawing::draw(&name, Some(split), seed)?,
        };
        Self::with(name, laws, skill)
    }

    /// The member with these rules, which are known already.
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

    /// The same rules on another tier, without drawing them again.
    ///
    /// # Errors
    /// Names that don't fit the game, which those of no family are.
    pub fn on_tier(&self, tier: Tier) -> Result<Self, Problems> {
        Self::with(MemberName { tier: Some(tier.number), ..self.name }, self.laws.clone(), self.skill)
    }

    /// The game that it is.
    ///
    /// # Errors
    /// A game that has problems, which none has that was drawn.
    pub fn open(&self) -> Result<Game, Problems> {
        GameSource::parse(&format!("{}.yaml", self.name), &self.yaml)?.open(&crate::Options::default())
    }
}

fn none_will_do(name: &MemberName) -> Problems {
    let message = format!("no rules could be drawn for `{name}`");
    Problems(vec![Problem::new(NameError::UnknownGame, Path::default(), message).value(name)])
}
