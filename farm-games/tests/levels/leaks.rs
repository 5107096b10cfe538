//! Nothing that a player reads before its first action depends on hidden laws: 200 members of each family, by order, length, inventory and
//! skins.

use std::collections::{BTreeMap, BTreeSet};

use farm_core::declare::Labels;
use farm_core::inspect::RulesText;
use farm_core::{Environment, Game, SeedSplit};
use farm_games::families::{Clause, FAMILIES, Laws, Member, MemberName, PUBLISHED, SplitWorld, Told};
use farm_games::{GameDocument, Options};

/// The published members of the test split on a tier.
fn members(family: &str, tier: u32) -> impl Iterator<Item = Member> {
    (0..PUBLISHED).map(move |index| {
        let world = SplitWorld::new(family, tier, SeedSplit::Test, index).unwrap();
        Member::of(world.member()).unwrap()
    })
}

/// The hidden instructions, and the first text of an episode with this seed.
fn first_texts(game: Game, seed: u64) -> [String; 2] {
    let instructions = game.text().instructions(RulesText::Hidden);
    let mut environment = Environment::new(game.into());
    environment.reset(seed);
    [instructions, environment.text().to_string()]
}

/// The words that a text lists between two marks.
fn listed(text: &str, begin: &str) -> Vec<String> {
    let list = text.split(begin).nth(1).unwrap_or_default().split('.').next().unwrap_or_default();
    list.split(", ").map(str::to_owned).collect()
}

/// A tier with hidden laws that keeps the family's names, and tells none of the laws.
fn hidden_tier(family: &str) -> u32 {
    let ladder = FAMILIES.iter().find(|known| known.name == family).unwrap().tiers;
    let is_hidden = |tier: &&farm_games::families::Tier| {
        tier.told == Told::Hidden && tier.farm().is_none_or(|farm| farm.told == 0 && farm.is_water_seen)
    };
    ladder.iter().find(is_hidden).unwrap().number
}

/// Only what members show openly differs: the order of the listed stages, and the carried amounts.
#[test]
fn first_texts_of_200_members_are_the_same() {
    for family in &FAMILIES {
        let (mut texts, mut lengths) = (BTreeSet::new(), BTreeSet::new());
        for member in members(family.name, hidden_tier(family.name)) {
            let [mut instructions, mut first] = first_texts(member.open().unwrap(), 5);
            lengths.insert((instructions.len(), first.lines().count()));
            match &member.laws {
                Laws::Backwards(laws) => {
                    assert_eq!(listed(&instructions, "one of these statuses: "), laws.listed);
                    instructions = instructions.replace(&laws.listed.join(", "), "STAGES");
                }
                Laws::Valley(_) => {
                    let lines = first.lines().filter(|line| !line.starts_with("inventory"));
                    first = lines.collect::<Vec<_>>().join("\n");
                }
                Laws::Strange(_) => {}
            }
            texts.insert(instructions + &first);
        }
        assert_eq!((texts.len(), lengths.len()), (1, 1), "{}: {texts:?}", family.name);
    }
}

/// The share of members whose hidden value is guessed right by the most frequent one among members with the same seen value.
fn told_by(seen: &[u32], hidden: &[String]) -> f64 {
    let mut best: BTreeMap<u32, BTreeMap<&String, u32>> = BTreeMap::new();
    for (seen, hidden) in seen.iter().zip(hidden) {
        *best.entry(*seen).or_default().entry(hidden).or_default() += 1;
    }
    let guessed: u32 = best.values().filter_map(|counts| counts.values().max()).sum();
    f64::from(guessed) / hidden.len() as f64
}

/// Who sees what is carried guesses no hidden clause better than who guesses its most frequent value, apart from luck.
#[test]
fn the_carried_amounts_tell_no_hidden_clause() {
    let all: Vec<(Vec<Clause>, [u32; 4])> = members("valley_farm", hidden_tier("valley_farm"))
        .map(|member| {
            let Laws::Valley(laws) = &member.laws else { panic!("another family") };
            (member.clauses(), laws.carried)
        })
        .collect();
    let hidden = all[0].0.iter().filter(|clause| clause.is_hidden).map(|clause| clause.name.clone());
    let hidden: Vec<String> = hidden.collect();
    assert!(hidden.len() > 12, "{hidden:?}");
    for name in hidden {
        let values: Vec<String> =
            all.iter().map(|(clauses, _)| clauses.iter().find(|c| c.name == name).unwrap().value.clone()).collect();
        assert!(values.iter().collect::<BTreeSet<_>>().len() > 1, "{name} is the same in all members");
        let usual = told_by(&vec![0; values.len()], &values);
        for item in 0..4 {
            let carried: Vec<u32> = all.iter().map(|(_, carried)| carried[item]).collect();
            let guessed = told_by(&carried, &values);
            // Four amounts fit noise in 200 members by a few more right guesses.
            assert!(guessed < usual + 0.11, "{name}, item {item}: {guessed} instead of {usual}");
        }
    }
}

/// Counts of places, by thing.
type Places = BTreeMap<String, BTreeMap<usize, u32>>;

/// Each thing is in each place about equally often.
fn assert_even(what: &str, places: &Places, count: usize) {
    let expected = PUBLISHED as f64 / count as f64;
    for (thing, counts) in places {
        for place in 0..count {
            let found = f64::from(counts.get(&place).copied().unwrap_or_default());
            assert!((found - expected).abs() < 4.5 * expected.sqrt(), "{what} {thing}: {found} times in place {place}");
        }
    }
}

/// For each action of a plain game, its place in the list of the same game with a skin.
pub(super) fn places_of_actions(plain: &Game, skinned: &Game) -> Vec<usize> {
    let actions = |game: &Game| -> Vec<(usize, usize)> {
        // Policies list the verbs of each kind in one order, and a part declares its other actions in one order, whatever their names.
        let yaml = game.spec().to_yaml().unwrap();
        let lists =
            yaml.split("verbs:\n").skip(1).map(|rest| rest.lines().map_while(|line| line.trim().strip_prefix("- ")));
        let verbs: Vec<String> = lists.flatten().map(str::to_owned).collect();
        let of_action = |base: &farm_core::action::BaseAction| {
            let name = base.name(game.parts());
            match verbs.iter().position(|verb| verb == name) {
                Some(verb) => (usize::MAX, verb),
                None => {
                    let declared = game.parts()[base.part()].actions();
                    (base.part(), declared.iter().position(|info| info.name() == name).unwrap())
                }
            }
        };
        game.catalogue().base_actions().iter().map(of_action).collect()
    };
    let there = actions(skinned);
    actions(plain).iter().map(|one| there.iter().position(|other| other == one).unwrap()).collect()
}

/// In invented names, neither a name nor its place in a list tells what a thing is.
#[test]
fn skins_reorder_and_rename_everything() {
    for family in FAMILIES.iter().filter(|family| family.has_skins) {
        let tier = family.tiers.iter().find(|tier| tier.told == Told::Invented).unwrap().number;
        let [mut actions, mut terrains, mut entries, mut items] = [(); 4].map(|()| Places::new());
        let mut counts = [0; 4];
        let mut goals = BTreeSet::new();
        for member in members(family.name, tier) {
            let plain_name = MemberName { tier: Some(hidden_tier(family.name)), ..member.name };
            let plain_yaml = member.laws.yaml(&plain_name);
            let plain = GameDocument::parse("member.yaml", &plain_yaml).unwrap().open(&Options::default()).unwrap();
            let game = member.open().unwrap();
            let base_actions = game.catalogue().base_actions();
            for (base, place) in plain.catalogue().base_actions().iter().zip(places_of_actions(&plain, &game)) {
                let thing = base.name(plain.parts()).to_owned();
                *actions.entry(thing).or_default().entry(place).or_default() += 1;
            }
            // Entries and labels, by the variables behind them.
            let reference = |game: &Game, at: usize| {
                let entry = &game.observation().entries()[at];
                entry.reference().map_or_else(
                    || "engine".to_owned(),
                    |reference| {
                        let names = game.names();
                        let (_, part, variable, _) = names.split(reference);
                        // The meters' sum has a name of the skin.
                        if part.starts_with("MeterScore") { part.to_owned() } else { format!("{part}.{variable}") }
                    },
                )
            };
            let unskinned = |game: &Game| game.observation().entries().len();
            assert_eq!(unskinned(&game), unskinned(&plain));
            for place in 0..unskinned(&game) {
                *entries.entry(reference(&game, place)).or_default().entry(place).or_default() += 1;
            }
            let labels = |game: &Game| -> Vec<String> {
                let windows = game.observation().entries().iter().filter(|entry| entry.is_centred());
                let kinds = windows.filter_map(|entry| entry.kind().labels(0));
                let names = kinds.filter_map(|labels| match labels {
                    Labels::Named(names) => Some(names.clone()),
                    Labels::Numbered(_) => None,
                });
                names.flatten().collect()
            };
            let (words, plain_words) = (labels(&game), labels(&plain));
            // The terrain that blocks the way is the one whose meaning the game's YAML tells.
            let yaml = &member.yaml;
            let fence = yaml.split("fence: ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
            let place = words.iter().position(|word| *word == fence).unwrap();
            *terrains.entry("fence".to_owned()).or_default().entry(place - 1).or_default() += 1;
            let names = |game: &Game| -> Vec<String> {
                let text = game.text().instructions(RulesText::Hidden);
                let list =
                    text.split("The amounts that you carry: ").nth(1).map(|rest| rest.split(", in this order").next());
                let list = list.flatten().unwrap_or_default().replace(" and ", ", ");
                list.split(", ").filter(|item| !item.is_empty()).map(str::to_owned).collect()
            };
            let (carried, plain_carried) = (names(&game), names(&plain));
            if let Some(water) = yaml.split("water_item: ").nth(1) {
                let water = water.split_whitespace().next().unwrap();
                let place = carried.iter().position(|item| item == water).unwrap();
                *items.entry("water".to_owned()).or_default().entry(place).or_default() += 1;
            }
            counts = [base_actions.len(), words.len() - 1, unskinned(&game), carried.len()];

            let [instructions, first] = first_texts(game, 5);
            let told: BTreeSet<String> = (instructions.clone() + &first)
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .map(str::to_owned)
                .collect();
            let plain_names = plain.catalogue().base_actions().iter().map(|base| base.name(plain.parts()).to_owned());
            let plain_entries = plain.observation().entries().iter().map(|entry| entry.key().to_owned());
            let all = plain_names.chain(plain_entries).chain(plain_words).chain(plain_carried);
            for word in all.chain(["farmer", "villager", "crop", "animal", "market"].map(str::to_owned)) {
                assert!(!told.contains(&word), "{}: `{word}` is left in {instructions}{first}", member.name);
            }
            assert!(!instructions.contains(" an b") && !instructions.contains(" An "), "{instructions}");
            let goal = instructions.split("OBSERVATION").next().unwrap();
            let words = goal.split('`').enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, text)| text);
            goals.insert(words.collect::<String>());
        }
        assert_eq!(goals.len(), 1, "{}: {goals:?}", family.name);
        for (what, places, count) in [
            ("action", &actions, counts[0]),
            ("terrain", &terrains, counts[1]),
            ("entry", &entries, counts[2]),
            ("item", &items, counts[3]),
        ] {
            assert_even(&format!("{}: {what}", family.name), places, count);
        }
        assert!(actions.len() == counts[0] && entries.len() == counts[2], "{}", family.name);
    }
}
