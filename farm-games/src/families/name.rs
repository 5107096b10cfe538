//! Names of members: `backwards_valley@rules=7,skin=invented-3`.

use std::fmt::{self, Display};

use farm_core::SeedSplit;
use farm_core::config::{NameError, Path, Problem, Problems, Tool};

use super::ladder::no_tier;
use super::{FAMILIES, RuleFamily, Skin, Tier, Told};

/// The splits of members: for training, validation and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleSplit {
    /// For learning.
    Train,
    /// For reported results.
    Test,
    /// For selection: the rules are like those for training, but drawn separately.
    Validation,
}

impl RuleSplit {
    /// All splits.
    pub const ALL: [Self; 3] = [Self::Train, Self::Test, Self::Validation];

    /// The split from which worlds in `split` take their rules.
    pub(super) fn of_worlds(split: SeedSplit) -> Self {
        match split {
            SeedSplit::Train => Self::Train,
            SeedSplit::Validation => Self::Validation,
            SeedSplit::Test => Self::Test,
        }
    }

    /// The split of the worlds that take their rules from it.
    pub(super) fn of_seeds(self) -> SeedSplit {
        match self {
            Self::Train => SeedSplit::Train,
            Self::Validation => SeedSplit::Validation,
            Self::Test => SeedSplit::Test,
        }
    }

    /// The split with the same kind of rules: validation rules are of the same kind as training rules.
    pub fn of_rules(self) -> Self {
        if self == Self::Validation { Self::Train } else { self }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
            Self::Validation => "validation",
        }
    }
}

/// A member's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Rules drawn from a seed.
    Seed(u64),
    /// Rules drawn from a seed, within a split.
    Of(RuleSplit, u64),
    /// The family's rules with this name.
    Named(&'static str),
}

/// A member's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberName {
    /// The family.
    pub family: &'static str,
    /// The tier of its ladder; none for the game as the family defines it.
    pub tier: Option<u32>,
    /// The rules.
    pub rules: Rules,
    /// The names of everything in the game.
    pub skin: Skin,
}

impl Display for MemberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@", self.family)?;
        if let Some(tier) = self.tier {
            write!(f, "tier={tier},")?;
        }
        f.write_str("rules=")?;
        match self.rules {
            Rules::Seed(seed) => write!(f, "{seed}")?,
            Rules::Of(split, seed) => write!(f, "{}-{seed}", split.name())?,
            Rules::Named(name) => f.write_str(name)?,
        }
        match self.skin {
            Skin::Plain => Ok(()),
            skin => write!(f, ",skin={skin}"),
        }
    }
}

/// Whether `text` looks like a member's name.
pub fn is_member(text: &str) -> bool {
    text.contains('@') && !crate::is_file(text)
}

impl MemberName {
    /// The tier of its ladder, if it names one.
    pub(super) fn ladder(&self) -> Option<Tier> {
        RuleFamily::named(self.family)?.tier(self.tier?)
    }

    /// Its skin: the skin in its name, otherwise its tier's skin.
    pub fn skin_worn(&self) -> Skin {
        match (self.skin, self.ladder().map(|tier| tier.told)) {
            (Skin::Plain, Some(Told::Invented)) => Skin::Invented(match self.rules {
                Rules::Seed(seed) | Rules::Of(_, seed) => seed,
                Rules::Named(_) => 0,
            }),
            (skin, _) => skin,
        }
    }

    /// Reads a name.
    ///
    /// # Errors
    /// An unknown family, unknown rules or an unknown skin, with the valid choices.
    pub fn parse(text: &str) -> Result<Self, Problems> {
        let (family, choices) = text.split_once('@').unwrap_or((text, ""));
        let Some(family) = FAMILIES.iter().find(|known| known.name == family) else {
            let problem = problem(text, format!("there is no family of rules `{family}`"));
            return Err(Problems(vec![problem.among(family, FAMILIES.iter().map(|family| family.name))]));
        };
        let (mut tier, mut rules, mut skin) = (None, None, Skin::Plain);
        for choice in choices.split(',') {
            match choice.split_once('=') {
                Some(("tier", value)) if tier.is_none() && rules.is_none() => {
                    let found = value.parse().ok().filter(|number: &u32| number.to_string() == value);
                    let found = found.and_then(|number| family.tier(number));
                    tier = Some(found.ok_or_else(|| Problems(vec![no_tier(family, value)]))?.number);
                }
                Some(("rules", value)) if rules.is_none() => rules = Some(read_rules(text, family, value)?),
                Some(("skin", value)) if rules.is_some() => {
                    skin = Skin::parse(value).ok_or_else(|| {
                        let problem = problem(text, format!("there is no skin `{value}`"));
                        Problems(vec![
                            problem.expected("`plain`, or `invented` or `swapped` with a seed, such as `invented-3`"),
                        ])
                    })?;
                    if skin != Skin::Plain && !family.has_skins {
                        let problem =
                            problem(text, format!("`{}` has no skins: its names already have no meaning", family.name));
                        return Err(Problems(vec![problem.expected("no `skin=` in the name")]));
                    }
                }
                _ => {
                    let problem = problem(text, format!("`{choice}` does not choose a tier, rules or a skin"));
                    return Err(Problems(vec![problem.expected(forms(family))]));
                }
            }
        }
        let missing = || Problems(vec![problem(text, "the name chooses no rules".to_owned()).expected(forms(family))]);
        Ok(Self { family: family.name, tier, rules: rules.ok_or_else(missing)?, skin })
    }
}

fn problem(text: &str, message: String) -> Problem {
    let problem = Problem::new(NameError::UnknownGame, Path::default(), message).value(text);
    problem.help(Tool::Families.and(" shows the families and how their members are named"))
}

/// The forms of member names in a family.
fn forms(family: &RuleFamily) -> String {
    if family.has_skins {
        return format!("`{0}@rules=7`, `{0}@tier=3,rules=test-7` or `{0}@rules=7,skin=invented-3`", family.name);
    }
    format!("`{0}@rules=7` or `{0}@tier=3,rules=test-7`", family.name)
}

fn read_rules(text: &str, family: &RuleFamily, value: &str) -> Result<Rules, Problems> {
    if let Some((name, _)) = family.named.iter().find(|(name, _)| *name == value) {
        return Ok(Rules::Named(name));
    }
    let split = RuleSplit::ALL.into_iter().find_map(|split| Some((split, value.strip_prefix(split.name())?)));
    let seed = match split {
        Some((_, seed)) => seed.strip_prefix('-').and_then(read_seed),
        None => read_seed(value),
    };
    match (split, seed) {
        (Some((split, _)), Some(seed)) => Ok(Rules::Of(split, seed)),
        (None, Some(seed)) => Ok(Rules::Seed(seed)),
        (_, None) => {
            let named: Vec<String> = family.named.iter().map(|(name, _)| format!("`{name}`")).collect();
            let problem = problem(text, format!("`{}` has no rules `{value}`", family.name));
            let expected =
                format!("a seed such as `7`, `train-7`, `validation-7` or `test-7`, or one of {}", named.join(", "));
            Err(Problems(vec![problem.expected(expected)]))
        }
    }
}

/// Reads a seed in its canonical form, so that every member has exactly one name.
pub(super) fn read_seed(text: &str) -> Option<u64> {
    text.parse().ok().filter(|seed: &u64| seed.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in [
            "backwards_valley@rules=7",
            "backwards_valley@rules=train-0",
            "valley_farm@rules=test-12,skin=swapped-3",
            "backwards_valley@rules=ordinary",
            "backwards_valley@tier=3,rules=validation-7",
            "valley_farm@tier=8,rules=test-7,skin=invented-2",
            "strange_crops@rules=validation-7",
            "strange_crops@tier=5,rules=test-7",
        ] {
            assert_eq!(MemberName::parse(name).unwrap().to_string(), name);
        }
        assert_eq!(MemberName::parse("valley_farm@rules=1,skin=plain").unwrap().to_string(), "valley_farm@rules=1");
    }

    #[test]
    fn of_a_wrong_name_what_there_is_is_told() {
        for (name, said) in [
            ("backward_valley@rules=7", "did you mean `backwards_valley`?"),
            ("backwards_valley@rules=seven", "a seed such as `7`"),
            ("backwards_valley@rules=07", "a seed such as `7`"),
            ("backwards_valley@rules=train7", "a seed such as `7`"),
            ("backwards_valley@tier=0,rules=7", "a number from 1 to"),
            ("backwards_valley@tier=03,rules=7", "a number from 1 to"),
            ("backwards_valley@tier=3", "chooses no rules"),
            ("backwards_valley@rules=7,tier=3", "does not choose a tier, rules or a skin"),
            ("backwards_valley@rules=-7", "a seed such as `7`"),
            ("backwards_valley@", "does not choose a tier, rules or a skin"),
            ("backwards_valley@skin=invented-1", "does not choose a tier, rules or a skin"),
            ("backwards_valley@rules=1,rules=2", "does not choose a tier, rules or a skin"),
            ("backwards_valley@rules=1,skin=inventd", "`invented` or `swapped`"),
            ("backwards_valley@rules=99999999999999999999", "a seed such as `7`"),
            ("strange_crops@rules=1,skin=invented-1", "has no skins"),
            ("strange_crops@tier=10,rules=1", "a number from 1 to 9"),
            ("strange_crops@", "`strange_crops@rules=7` or"),
        ] {
            let problems = MemberName::parse(name).unwrap_err().to_string();
            assert!(problems.contains(said), "{name}: {problems}");
        }
    }
}
