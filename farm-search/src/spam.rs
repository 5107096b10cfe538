//! Naive policies that should earn little, because they repeat the same actions all the time.
//!
//! Examples are sowing, watering, fertilising or spraying daily, and harvesting at the first fruit, if a game has these actions. This
//! code does not know the meaning of an action.

use farm_core::serde_yaml::Value;

use crate::probes::of_words;
use crate::sights::Values;
use crate::vocabulary::{Doing, Vocabulary};
use crate::{Arena, Candidate};

/// The amounts of a naive policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amounts {
    Lowest,
    Highest,
}

impl Amounts {
    const ALL: [Self; 2] = [Self::Lowest, Self::Highest];

    fn rule(self, vocabulary: &Vocabulary, doing: &Doing, when: Vec<Vec<Value>>, period: u32) -> Value {
        let is_lowest = self == Self::Lowest;
        vocabulary.rule(doing, when, period, &mut |n| if is_lowest { 0 } else { n.saturating_sub(1) })
    }

    /// The amounts in words; empty if there is no choice.
    fn of(self, doing: &Doing) -> &'static str {
        match self {
            _ if doing.parameters.iter().all(|(_, values)| values.len() < 2) => "",
            Self::Lowest => ", lowest amount",
            Self::Highest => ", highest amount",
        }
    }
}

/// A game's naive policies:
///
/// * each action daily, with its lowest and its highest amounts;
/// * all actions in rotation;
/// * each action when its part shows a certain word (such as a plant's stage): alone, with the part's other actions, and with all other
///   actions.
pub fn spammers(arena: Arena<'_>, vocabulary: &Vocabulary) -> Vec<Candidate> {
    let doings: Vec<&Doing> = vocabulary.doings.iter().filter(|doing| doing.act.is_mapping()).collect();
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |rules: Vec<Value>, how: String| {
        let policy = vocabulary.policy(rules);
        if found.iter().all(|other| other.policy != policy) && arena.fits(&policy) {
            found.push(Candidate::new(policy, how));
        }
    };
    for amounts in Amounts::ALL {
        for doing in &doings {
            let rule = amounts.rule(vocabulary, doing, Vec::new(), 1);
            add(vec![rule], format!("{} daily{}", name_of(doing), amounts.of(doing)));
        }
        add(in_turn(vocabulary, &doings, amounts), format!("everything in turn, {}", words_of(amounts)));
    }
    for doing in &doings {
        let (own, all): (Vec<&Doing>, Vec<&Doing>) = {
            let others = || doings.iter().copied().filter(|other| other.act != doing.act);
            (others().filter(|other| other.part == doing.part).collect(), others().collect())
        };
        for (word, condition) in words_seen(vocabulary, doing) {
            let name = name_of(doing);
            let first = Amounts::Lowest.rule(vocabulary, doing, vec![vec![condition]], 1);
            let with =
                |others: &[&Doing], amounts| [vec![first.clone()], in_turn(vocabulary, others, amounts)].concat();
            add(vec![first.clone()], format!("{name} when {word}"));
            add(with(&own, Amounts::Lowest), format!("{name} when {word}, other actions of the entity in turn"));
            for amounts in Amounts::ALL {
                add(with(&all, amounts), format!("{name} when {word}, everything else in turn, {}", words_of(amounts)));
            }
        }
    }
    found
}

fn words_of(amounts: Amounts) -> &'static str {
    match amounts {
        Amounts::Lowest => "lowest amounts",
        Amounts::Highest => "highest amounts",
    }
}

/// Rules that give each action its share of the days. After an action, its rule waits until the other actions have had their turn.
fn in_turn(vocabulary: &Vocabulary, doings: &[&Doing], amounts: Amounts) -> Vec<Value> {
    let in_a_round: usize = doings.iter().map(|doing| if doing.is_per_plot { vocabulary.plots } else { 1 }).sum();
    let period = in_a_round.div_ceil(vocabulary.max_schedule).clamp(1, 1000) as u32;
    doings.iter().map(|doing| amounts.rule(vocabulary, doing, Vec::new(), period)).collect()
}

/// The observed words of an action's part, each with its condition.
fn words_seen(vocabulary: &Vocabulary, doing: &Doing) -> Vec<(String, Value)> {
    let at_plot = doing.is_per_plot || vocabulary.on_foot.is_some();
    let mut found = Vec::new();
    for sight in vocabulary.sights.iter().filter(|sight| sight.part == Some(doing.part)) {
        if let Values::Words(words) = &sight.values {
            found.extend(words.iter().map(|word| {
                let condition = of_words(&sight.variable, sight.is_per_plot && !at_plot, vec![word.clone()]);
                (farm_core::config::to_inline_yaml(word), condition)
            }));
        }
    }
    found
}

/// The names of the entity and the action.
fn name_of(doing: &Doing) -> String {
    let word = |key: &str| doing.act.get(key).and_then(Value::as_str).unwrap_or_default();
    format!("{} {}", word("entity"), word("action"))
}
