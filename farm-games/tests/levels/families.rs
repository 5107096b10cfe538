//! Families of rules: members load, are certified, keep apart, and leak nothing.

use farm_core::inspect::RulesText;
use farm_core::{Environment, Stream, play};
use farm_games::families::{Food, KindLaws, Laws, Member, MemberName, Nature, RuleSplit, Season, VerbEffect, Water};
use farm_games::{GameDocument, Options, open};

/// Members of each family that are looked at here; `farm agents family FAMILY --check 1000` looks at more.
const MEMBERS: [(&str, u64); 3] = [("backwards_valley", 8), ("strange_crops", 8), ("valley_farm", 1)];

fn opened(name: &str) -> farm_core::Game {
    open(name, &Options::default()).unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

fn returned(game: &farm_core::Game, policy: &str, seed: u64) -> f64 {
    let mut player = game.player(policy).unwrap_or_else(|problems| panic!("{policy}: {problems}"));
    play(game, player.as_mut(), seed, &mut farm_core::NoObserver).unwrap().total()
}

#[test]
fn members_load_are_certified_and_are_the_same_again() {
    for (family, members) in MEMBERS {
        let mut texts = std::collections::BTreeSet::new();
        for seed in 0..members {
            let name = format!("{family}@rules={seed}");
            let member = Member::find(&name).unwrap_or_else(|problems| panic!("{name}: {problems}"));
            assert_eq!(member.name.to_string(), name);
            let game = opened(&name);
            assert_eq!(game.spec().name(), name);
            assert_eq!(game.fingerprint(), opened(&name).fingerprint());
            let skill = member.laws.skill_in(&game).unwrap();
            assert!(skill.is_enough(), "{name}: {skill:?}");
            texts.insert(format!("{:?}", member.laws));
        }
        assert_eq!(texts.len(), members as usize, "{family}: each has rules of its own");
    }
}

#[test]
fn splits_keep_rules_apart() {
    for split in RuleSplit::ALL {
        for seed in 0..20 {
            let member = Member::find(&format!("backwards_valley@rules={}-{seed}", split.name())).unwrap();
            assert_eq!(member.laws.split(), split.of_rules());
            let Laws::Backwards(laws) = member.laws else { panic!("another family") };
            let sum: usize = laws.kinds.iter().map(|kind| kind.nature as usize).sum();
            let is_slow = |kind: &KindLaws| kind.every == 3 && kind.nature != Nature::Tended;
            assert_eq!(sum.is_multiple_of(3) || laws.kinds.iter().any(is_slow), split.of_rules() == RuleSplit::Test);
        }
    }
}

#[test]
fn splits_keep_rules_of_crops_apart() {
    for split in RuleSplit::ALL {
        for seed in 0..20 {
            let member = Member::find(&format!("strange_crops@rules={}-{seed}", split.name())).unwrap();
            let Laws::Strange(laws) = member.laws else { panic!("another family") };
            let ranks = laws.crops.map(|crop| crop.water as usize + crop.season as usize + crop.food as usize);
            let is_kept = laws.crops.iter().any(|crop| (crop.water, crop.food) == (Water::Wet, Food::Averse));
            assert_eq!((ranks[0] + ranks[1]) % 3 == 0 || is_kept, split.of_rules() == RuleSplit::Test, "{laws:?}");
        }
    }
}

/// Who knows the crops of a member earns much more than who does the same in all of them, and what is right in one is wrong in another.
#[test]
fn what_a_crop_likes_decides_what_it_earns() {
    let member = Member::find("strange_crops@rules=ordinary").unwrap();
    let earned = |laws: &Laws| {
        let yaml = laws.yaml(&member.name);
        let game = GameDocument::parse("member.yaml", &yaml).unwrap().open(&Options::default()).unwrap();
        laws.skill_in(&game).unwrap()
    };
    let Laws::Strange(ordinary) = &member.laws else { panic!("another family") };
    let with = |change: fn(&mut farm_games::families::CropLaws)| {
        let mut laws = *ordinary;
        laws.crops.iter_mut().for_each(change);
        earned(&Laws::Strange(laws))
    };
    let ordinary = earned(&member.laws);
    // Calendars of what crops like earn something, whatever they like.
    let others = [with(|crop| crop.water = Water::Wet), with(|crop| crop.food = Food::Averse)];
    assert!(others.iter().chain([&ordinary]).all(|skill| skill.oracle > 20.0), "{others:?}");
    let (mut best, mut usual) = (0.0, 0.0);
    for seed in 0..25 {
        let skill = Member::find(&format!("strange_crops@rules={seed}")).unwrap().skill.unwrap();
        best += skill.oracle;
        usual += skill.same;
    }
    assert!(best > 4.0 * usual, "{best}, {usual}");
    let spring = with(|crop| crop.season = Season::Spring);
    assert!(spring.oracle < ordinary.oracle, "a short season bears less: {spring:?}");
}

/// Two members that differ only in hidden laws tell a player the same, and show the same until something comes of what was done.
#[test]
fn what_is_hidden_is_told_and_shown_by_nothing_but_its_consequences() {
    // Other tiers tell some laws.
    let farms = [5, 8, 9].into_iter().map(|tier| ("strange_crops", format!("strange_crops@tier={tier},rules=0")));
    let plain =
        ["backwards_valley", "strange_crops", "valley_farm"].map(|family| (family, format!("{family}@rules=0")));
    for (family, name) in plain.into_iter().chain(farms) {
        let name = MemberName::parse(&name).unwrap();
        let mut texts = std::collections::BTreeSet::new();
        let (mut differing, mut instructions, mut rules) = (0, Vec::new(), Vec::new());
        for seed in 0..12 {
            // The clauses that are seen are those of the first member.
            let (first, mut laws) =
                (Laws::draw(family, &mut Stream::from_seed(0)), Laws::draw(family, &mut Stream::from_seed(seed)));
            match (&first, &mut laws) {
                (Laws::Backwards(first), Laws::Backwards(laws)) => {
                    (laws.view, laws.listed) = (first.view, first.listed.clone());
                }
                (Laws::Valley(first), Laws::Valley(laws)) => (laws.view, laws.carried) = (first.view, first.carried),
                (Laws::Strange(_), Laws::Strange(_)) => {}
                _ => panic!("two families"),
            }
            let game =
                GameDocument::parse("member.yaml", &laws.yaml(&name)).unwrap().open(&Options::default()).unwrap();
            let mut environment = Environment::new(game.into());
            environment.reset(5);
            instructions.push(environment.game().text().instructions(RulesText::Hidden).to_owned());
            rules.push(environment.game().text().instructions(RulesText::Shown).to_owned());
            let first_look = environment.text().to_string();
            texts.insert(first_look);
            differing += 1;
        }
        assert!(
            differing == 12 && instructions.windows(2).all(|pair| pair[0] == pair[1]),
            "{family}: {instructions:?}"
        );
        assert!(rules.windows(2).any(|pair| pair[0] != pair[1]), "{family}: shown rules say what holds");
        assert_eq!(texts.len(), 1, "{family}: {texts:?}");
    }
}

/// Where neglect helps, common sense earns no more than waiting; a script that learns earns much more, whatever the laws.
#[test]
fn common_sense_fails_where_neglect_helps_and_learning_does_not() {
    let mut totals = [[0.0; 4]; 2];
    for (totals, name) in totals.iter_mut().zip(["inverted", "ordinary"]) {
        let game = opened(&format!("backwards_valley@rules={name}"));
        for seed in 0..10 {
            for (total, policy) in totals.iter_mut().zip(["wait", "caring", "adaptive", "oracle"]) {
                *total += returned(&game, policy, seed);
            }
        }
    }
    let [[wait, caring, adaptive, oracle], [.., ordinary_oracle]] = totals;
    assert!(caring <= wait, "{totals:?}");
    assert!(adaptive >= wait + 0.4 * (oracle - wait), "{totals:?}");
    assert!(totals[1][1] >= 0.5 * ordinary_oracle, "{totals:?}");
    let (mut wait, mut adaptive, mut oracle) = (0.0, 0.0, 0.0);
    for seed in 0..15 {
        let game = opened(&format!("backwards_valley@rules={seed}"));
        wait += returned(&game, "wait", seed);
        adaptive += returned(&game, "adaptive", seed);
        oracle += returned(&game, "oracle", seed);
    }
    assert!(adaptive >= wait + 0.4 * (oracle - wait), "{wait}, {adaptive}, {oracle}");
}

/// Where everything comes on by itself, into the stage that sounds best, and care sets back, common sense earns less than waiting.
#[test]
fn common_sense_earns_less_than_waiting_where_all_care_harms() {
    let name = MemberName::parse("backwards_valley@rules=0").unwrap();
    let best = ["HarvestReady", "Thriving", "Friendly"];
    let is_inverted = |laws: &Laws| {
        let Laws::Backwards(laws) = laws else { return false };
        laws.kinds.iter().zip(best).all(|(kind, best)| {
            let sets_back = matches!(kind.effects[0], VerbEffect::First | VerbEffect::Down);
            kind.nature == Nature::Alone && sets_back && kind.stages.last() == Some(&best)
        })
    };
    let members = (0..).map(|seed| Laws::draw("backwards_valley", &mut Stream::from_seed(seed))).filter(is_inverted);
    let (mut wait, mut caring, mut adaptive) = (0.0, 0.0, 0.0);
    for laws in members.take(8) {
        let game = GameDocument::parse("member.yaml", &laws.yaml(&name)).unwrap().open(&Options::default()).unwrap();
        for seed in 0..5 {
            wait += returned(&game, "wait", seed);
            caring += returned(&game, "caring", seed);
            adaptive += returned(&game, "adaptive", seed);
        }
    }
    assert!(caring < wait && adaptive > 1.5 * wait, "{caring}, {wait}, {adaptive}");
}

/// Learners act by what they see and are paid alone: in games that differ in hidden laws only, and in worlds that differ in what was not
/// seen yet, they do the same until they have been shown or paid something else.
#[test]
fn learners_act_by_what_they_are_shown() {
    let drawn = |family: &str, seed: u64| {
        let mut laws = Laws::draw(family, &mut Stream::from_seed(seed));
        // What is seen from the start is the same.
        match (&mut laws, Laws::draw(family, &mut Stream::from_seed(0))) {
            (Laws::Backwards(laws), Laws::Backwards(first)) => {
                (laws.view, laws.listed) = (first.view, first.listed);
            }
            (Laws::Valley(laws), Laws::Valley(first)) => (laws.view, laws.carried) = (first.view, first.carried),
            (Laws::Strange(_), Laws::Strange(_)) => {}
            _ => panic!("two families"),
        }
        let tier = match family {
            "valley_farm" => "tier=9,",
            "strange_crops" => "tier=5,",
            _ => "",
        };
        let name = MemberName::parse(&format!("{family}@{tier}rules=0")).unwrap();
        GameDocument::parse("member.yaml", &laws.yaml(&name)).unwrap().open(&Options::default()).unwrap()
    };
    /// What is shown and paid step by step, and what is done.
    fn history(game: &farm_core::Game, policy: &str, seed: u64) -> Vec<(Vec<u8>, f64, String)> {
        let mut player = game.player(policy).unwrap();
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, seed, &mut record);
        // As every run does: draws of the player itself come from its seed, which is the same in all worlds here.
        player.start(7);
        let (mut steps, mut reward) = (Vec::new(), 0.0);
        loop {
            let mut shown = vec![0; game.observation().size()];
            game.observe_into(&state, &mut shown);
            let mut schedule = Vec::new();
            player.choose(game, &state, &mut schedule);
            let outcome = game.step(&mut state, &schedule, &mut record).unwrap();
            let done = schedule.iter().map(|call| game.catalogue().write(call)).collect::<Vec<_>>().join("; ");
            steps.push((shown, reward, done));
            reward = outcome.reward;
            if outcome.over() {
                return steps;
            }
        }
    }
    for family in ["backwards_valley", "strange_crops", "valley_farm"] {
        for policy in ["adaptive", "bayesian"] {
            if family == "strange_crops" && policy == "bayesian" {
                continue;
            }
            let mut all = Vec::new();
            for rules in 0..5 {
                let game = drawn(family, rules);
                for seed in 0..4 {
                    all.push(history(&game, policy, seed));
                }
            }
            let mut compared = 0;
            for (i, one) in all.iter().enumerate() {
                for other in &all[i + 1..] {
                    let seen = |step: &(Vec<u8>, f64, String)| (step.0.clone(), step.1.to_bits());
                    for (one, other) in one.iter().zip(other).take_while(|(one, other)| seen(one) == seen(other)) {
                        assert_eq!(one.2, other.2, "{family}, {policy}: the same was shown and paid so far");
                        compared += 1;
                    }
                }
            }
            assert!(compared > 50, "{family}, {policy}: {compared} steps");
        }
    }
}

/// Who knows what the rules are drawn from learns more of them than who knows words only; who keeps what was learnt plays the next episode
/// otherwise, and no worse.
#[test]
fn learners_gain_by_knowing_the_family_and_remember() {
    let (mut totals, mut kept) = ([0.0; 2], [[0.0; 3]; 2]);
    for rules in 0..12 {
        let game = opened(&format!("backwards_valley@tier=3,rules=test-{rules}"));
        for (total, policy) in totals.iter_mut().zip(["adaptive", "bayesian"]) {
            *total += returned(&game, policy, rules);
        }
        let yaml = game.spec().to_yaml().unwrap();
        let of_policy = yaml.split("BayesianPolicy:").nth(1).unwrap();
        let of_policy = of_policy.lines().take_while(|line| line.is_empty() || line.starts_with("      "));
        let of_policy = of_policy.collect::<Vec<_>>().join("\n");
        for (keeps, kept) in [false, true].into_iter().zip(&mut kept) {
            let parameters = of_policy.replace("keeps_laws: false", &format!("keeps_laws: {keeps}"));
            let mut player = farm_games::policy(&game, &format!("BayesianPolicy:{parameters}")).unwrap();
            for (episode, kept) in kept.iter_mut().enumerate() {
                *kept += play(&game, player.as_mut(), episode as u64, &mut farm_core::NoObserver).unwrap().total();
            }
        }
    }
    assert!(totals[1] > 1.05 * totals[0], "{totals:?}");
    let [forgetful, remembering] = kept;
    assert_eq!(forgetful[0], remembering[0], "in the first episode there is nothing to remember");
    // Within an episode nearly everything is learnt that counts on this tier, so that there is little to gain, and nothing to lose.
    assert_ne!(forgetful[1..], remembering[1..], "what was learnt makes a difference");
    assert!(remembering[1] + remembering[2] > 0.97 * (forgetful[1] + forgetful[2]), "{kept:?}");
}

/// A skin changes words and nothing else: the same rewards for the same actions, and no word of the family is left.
#[test]
fn skins_rename_everything_and_change_nothing() {
    const WORDS: [(&str, &[&str]); 2] = [
        (
            "backwards_valley",
            &[
                "Feed",
                "Insult",
                "Compliment",
                "HarvestReady",
                "Friendly",
                "Thriving",
                "pen",
                "villager",
                "crops",
                "farm_value",
                "MoveN",
                "Wait",
                "grid",
                "facing",
                "remaining",
                "farmer",
                "outside",
            ],
        ),
        (
            "valley_farm",
            &[
                "PlantSeed",
                "GiveGift",
                "seedling",
                "sated",
                "friendly",
                "barn_cow",
                "market",
                "villager",
                "seeds",
                "crops",
                "MoveNorth",
                "Wait",
                "grid",
                "centre",
                "inventory",
            ],
        ),
    ];
    for (family, words) in WORDS {
        let plain = opened(&format!("{family}@rules=ordinary"));
        let mut names = std::collections::BTreeSet::new();
        for skin in ["invented-1", "invented-2", "swapped-1"] {
            let game = opened(&format!("{family}@rules=ordinary,skin={skin}"));
            let there = super::leaks::places_of_actions(&plain, &game);
            names.insert(
                game.catalogue()
                    .base_actions()
                    .iter()
                    .map(|base| base.name(game.parts()).to_owned())
                    .collect::<Vec<_>>(),
            );
            for seed in 0..3 {
                let mut stream = Stream::from_seed(seed);
                let mut pair = [&plain, &game].map(|game| (game.new_state(), game.new_record()));
                [&plain, &game]
                    .iter()
                    .zip(&mut pair)
                    .for_each(|(game, (state, record))| game.reset(state, seed, record));
                let mut paid = 0.0;
                for _ in 0..50 {
                    let action = stream.index(plain.catalogue().discrete_len() as u32) as usize;
                    let mut outcome = |game: &farm_core::Game, rank: usize, action: usize| {
                        let (state, record) = &mut pair[rank];
                        game.step_discrete(state, action, record).unwrap().reward
                    };
                    let rewards = [outcome(&plain, 0, action), outcome(&game, 1, there[action])];
                    assert_eq!(rewards[0], rewards[1], "{family} {skin}, seed {seed}");
                    paid += rewards[0];
                }
                assert!(paid >= 0.0);
            }
            // What is told of the rules fits the renamed game, and nobody is left with the list of its parts.
            assert!(game.warnings().0.is_empty(), "{family} {skin}: {}", game.warnings());
            let rules = |game: &farm_core::Game| game.text().instructions(RulesText::Shown);
            // An invented skin has a goal of its own.
            let told = |game: &farm_core::Game| rules(game).split("RULES").nth(1).unwrap().lines().count();
            assert_eq!(told(&game), told(&plain), "{}", rules(&game));
            for heading in ["\nRULES\n", "\nWORLD\n"] {
                assert!(rules(&game).contains(heading), "{family} {skin}: {}", rules(&game));
            }
            if skin.starts_with("invented") {
                let mut environment = Environment::new(game.into());
                environment.reset(1);
                let told = environment.game().text().instructions(RulesText::Hidden).to_owned()
                    + &environment.text().to_string();
                let words_told: Vec<&str> = told.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                for word in words {
                    assert!(!words_told.contains(word), "{family} {skin}: `{word}` is left in {told}");
                }
            }
        }
        assert_eq!(names.len(), 3, "{family}: each skin has names of its own");
    }
    // Who knows words knows them in a skin, too.
    let plain = opened("backwards_valley@rules=3");
    for skin in ["invented-5", "swapped-5"] {
        let game = opened(&format!("backwards_valley@rules=3,skin={skin}"));
        for policy in ["oracle", "informed", "adaptive", "bayesian", "caring"] {
            assert_eq!(returned(&game, policy, 4), returned(&plain, policy, 4), "{policy}, {skin}");
        }
    }
    let (plain, skinned) = (opened("valley_farm@rules=ordinary"), opened("valley_farm@rules=ordinary,skin=invented-5"));
    for policy in ["adaptive", "bayesian"] {
        assert_eq!(returned(&skinned, policy, 4), returned(&plain, policy, 4), "{policy}");
    }
}
