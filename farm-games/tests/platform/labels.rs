//! Labels for people: every part, variable, action and value of the games has one in each language.

use std::collections::BTreeSet;

use farm_core::Stop;
use farm_core::declare::{ActionParameterKind, Labels as ValueNames};
use farm_core::labels::{Labels, Language};
use farm_games::catalogue::all_versions;
use farm_games::{CATALOGUE, Options};

fn tables() -> [&'static Labels; 2] {
    Language::ALL.map(Labels::of)
}

fn ids(labels: &Labels, section: &str) -> BTreeSet<String> {
    labels.identifiers(section).map(str::to_owned).collect()
}

#[test]
fn all_languages_label_the_same_identifiers() {
    let [english, french] = tables();
    for section in ["kinds", "variables", "actions", "parameters", "values"] {
        assert_eq!(ids(english, section), ids(french, section), "{section}");
        assert!(ids(english, section).len() >= 5, "{section}");
    }
    assert_eq!((ids(english, "words").len(), ids(french, "words").len() > 100), (0, true));
}

#[test]
fn every_goal_and_every_reason_for_an_end_is_in_every_language() {
    let [english, french] = tables();
    let open = |name: &str, options: &Options| farm_games::open(name, options).unwrap();
    let goalless =
        open("clay_bean", &Options { set: vec![("goal".to_owned(), "\"\"".to_owned())], ..Options::default() });
    assert!(french.goal(&goalless).ends_with("\nLa partie dure au plus 250 pas."), "{}", french.goal(&goalless));
    let mut texts: BTreeSet<String> = goalless.text().goal().lines().take(1).map(str::to_owned).collect();
    for entry in all_versions() {
        let game = open(&entry.versioned_name(), &Options::default());
        texts.extend(game.spec().goal().lines().map(str::to_owned));
        // Former versions give no reasons: they show their conditions.
        let is_newest = CATALOGUE.iter().any(|newest| newest.versioned_name() == entry.versioned_name());
        let clauses = if is_newest { game.rules().stopping.0.len() } else { 0 };
        texts.extend((0..clauses).map(|clause| game.text().stop_reason(Stop::Condition(clause))));
        for preset in std::iter::once(None).chain(game.spec().presets().keys().cloned().map(Some)) {
            let game = open(&entry.versioned_name(), &Options { preset, ..Options::default() });
            assert_eq!(english.goal(&game), game.text().goal());
            let [goal, translated] = [game.text().goal(), french.goal(&game)];
            let are_alike = goal.lines().zip(translated.lines()).any(|(goal, translated)| goal == translated);
            assert!(!are_alike && goal.lines().count() == translated.lines().count(), "{goal}\n{translated}");
        }
    }
    // Without one of them, a player reads English; a text of no game is left over.
    assert_eq!(ids(french, "games"), texts);
    let reasons = ["after 250 days", "after 1 step", "the season is over", "the cows came home"];
    assert_eq!(
        reasons.map(|reason| french.stop_reason(reason)),
        ["après 250 jours", "après 1 pas", "la saison est finie", "the cows came home"]
    );
    assert_eq!(reasons.map(|reason| english.stop_reason(reason)), reasons);
}

#[test]
fn everything_that_a_learner_sees_and_does_has_a_label() {
    let mut missing = BTreeSet::new();
    for entry in CATALOGUE {
        let game = farm_games::open(entry.name, &Options::default()).unwrap();
        for labels in tables() {
            let language = labels.language().code();
            let has = |section: &str, ids: &[String]| {
                ids.iter().any(|id| labels.identifiers(section).any(|known| known == id))
            };
            let mut want = |section: &str, ids: &[String]| {
                if !has(section, ids) {
                    missing.insert(format!("{language} {section}: {}", ids[0]));
                }
            };
            for part in game.parts() {
                let shown: Vec<_> = part.variables().iter().filter(|variable| variable.visible()).collect();
                let is_shown = !shown.is_empty() || !part.actions().is_empty();
                if is_shown {
                    want("kinds", &[part.label().to_owned()]);
                }
                for variable in shown {
                    let name = variable.name();
                    let bare = name.split('#').next().unwrap_or(name).to_owned();
                    let without_key = name.rsplit_once(".").map_or(name, |(head, _)| head).to_owned();
                    want("variables", &[name.to_owned(), format!("{}.{name}", part.kind()), without_key, bare.clone()]);
                    if let Some(ValueNames::Named(_)) = variable.kind().labels(0)
                        && ["stage", "limited_by", "cause_of_death", "scarecrow"].contains(&bare.as_str())
                    {
                        let names = variable.kind().labels(0).unwrap();
                        (0..names.len()).for_each(|i| want("values", &[format!("{bare}.{}", names.name(i))]));
                    }
                }
            }
            for base in game.catalogue().base_actions() {
                let (Some(info), Some(part)) = (base.info(game.parts()), game.parts().get(base.part())) else {
                    continue;
                };
                want("actions", &[info.name().to_owned(), format!("{}.{}", part.kind(), info.name())]);
                let reals = info.parameters().iter().filter(|p| !matches!(p.kind(), ActionParameterKind::Choice(_)));
                reals.for_each(|parameter| want("parameters", &[parameter.name().to_owned()]));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn an_action_is_a_sentence_for_people() {
    let game = farm_games::open("full_farm", &Options::default()).unwrap();
    let words = |text: &str, language: Language| {
        let calls = game.text().parse(text).unwrap();
        calls.iter().map(|call| Labels::of(language).call(&game, call)).collect::<Vec<_>>().join("; ")
    };
    let water = "water_discrete(plot=(0, 0), amount#L=2000, duration#min=60)";
    assert_eq!(words(water, Language::English), "Irrigate: (0, 0), 20 mm, 60 min");
    assert_eq!(words(water, Language::French), "Irriguer: (0, 0), 20 mm, 60 min");
    assert_eq!(words("Plant-0.harvest", Language::French), "Tout récolter");
}
