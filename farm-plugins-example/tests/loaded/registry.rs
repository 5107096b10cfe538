//! Kinds of a plugin are kinds like others: listed, described, checked.

use std::io::Write;

use farm_core::config::PartKind;
use farm_core::inspect::{declarations, providers_of};
use farm_core::plugin::{LoadError, load, loaded as all_loaded};
use farm_core::registry::{kind, kinds, roles};
use farm_core::spec::schemas;

use crate::support::{compile, example, folder, loaded, slugs};

#[test]
fn kinds_and_roles_of_a_plugin_stand_in_the_registry() {
    let plugin = loaded(&slugs());
    assert_eq!((plugin.name(), plugin.version()), ("farm-plugins-example", env!("CARGO_PKG_VERSION")));
    // What the crate itself registers, and not the entities whose roles it uses.
    let mut names = plugin.kinds().to_vec();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "FairWeatherFarmer",
            "GardenScore",
            "IrrigationTank",
            "Ladybirds",
            "Mildew",
            "OpenRule",
            "RoundPolicy",
            "Slugs",
        ]
    );
    assert!(kinds().is_sorted_by_key(|kind| (kind.part(), kind.name())));
    let slugs = kind(PartKind::Entity, "Slugs").expect("registered");
    assert_eq!(slugs.origin().map(|origin| origin.plugin()), Some("farm-plugins-example"));
    let table = slugs.table();
    let humidity = table.iter().find(|parameter| parameter.name() == "humidity_min#%").expect("a parameter");
    assert_eq!(humidity.range(), Some((0.0, 100.0)));
    assert_eq!(humidity.default().as_f64(), Some(70.0));
    assert!(humidity.doc().starts_with("Mean relative humidity"), "{}", humidity.doc());
    assert_eq!(slugs.parameter_sets().unwrap().len(), 2);
    let part = declarations(slugs).expect("it declares itself");
    assert!(part.variables().iter().any(|v| v.name() == "salt#g"));
    assert!(part.actions().iter().any(|action| action.name() == "scatter_salt"));
    let salt = roles().into_iter().find(|role| role.name() == "salt_scattered").expect("a role of the plugin");
    assert_eq!((salt.unit(), salt.doc().trim()), ("g", "Salt scattered so far."));
    assert_eq!(providers_of("salt_scattered"), ["`Slugs`"]);
    let game = schemas().into_iter().find(|file| file.path().ends_with("game.schema.json")).expect("a schema");
    assert!(game.schema().to_string().contains("seedling_until#prop"), "the schema completes its parameters");
}

#[test]
fn loading_twice_is_loading_once_wherever_the_copy_lies() {
    let first = loaded(&slugs());
    assert_eq!(loaded(&slugs()), first);
    let copy = folder("loading_twice").join("copy.so");
    std::fs::copy(slugs(), &copy).unwrap();
    assert_eq!(loaded(&copy), first);
    // The name in its folder, without the system's prefix and ending.
    assert_eq!(loaded(&slugs().with_file_name("farm-plugins-example")), first);
    assert_eq!(all_loaded().iter().filter(|plugin| plugin.name() == first.name()).count(), 1);
}

#[test]
fn slips_in_the_parameters_of_a_plugins_part_are_located_like_all_others() {
    loaded(&slugs());
    let text = "name: slips\nfields:\n  Field-0:\n    entities:\n      - Slugs: {arrival_chance#prop: 3, humidty_min#%: 5}\n      \
                - Ladybirds: three_spot\n      - Lugs\nfarmers: [BasicFarmer]\nrules: BasicRule\nscore: GardenScore\n";
    let said = compile(text).expect_err("slips").to_string();
    for words in [
        "game.yaml:5:38, at fields.Field-0.entities[0].Slugs.arrival_chance#prop",
        "expected: a number from 0 to 1",
        "did you mean `humidity_min#%`?",
        "`Ladybirds` has no parameter set `three_spot`",
        "`seven_spot`",
        "unknown entity `Lugs`",
        "did you mean `Slugs`?",
        "`farm describe Slugs` lists every parameter",
    ] {
        assert!(said.contains(words), "`{words}` is missing in:\n{said}");
    }
    let lonely = "name: lonely\nfields: {Field-0: {entities: [Slugs]}}\nfarmers: [BasicFarmer]\nrules: BasicRule\nscore: GardenScore\n";
    let said = compile(lonely).expect_err("no weather").to_string();
    assert!(said.contains("`Field-0.Slugs-0` needs the roles") && said.contains("air_temperature_mean"), "{said}");
}

#[test]
fn the_plugin_of_the_readme_plays_its_game_and_is_refused_when_its_file_changes() {
    let file = folder("readme").join("moles.so");
    // Made anew: what a test before has left is longer.
    drop(std::fs::remove_file(&file));
    std::fs::copy(example("moles"), &file).unwrap();
    let plugin = loaded(&file);
    assert_eq!(plugin.kinds(), ["Moles"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/moles.yaml");
    let game = farm_games::open(path, &Default::default()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut environment = farm_core::Environment::new(game.into());
    while !environment.step(&[]).unwrap().over() {}
    let hills = environment.observation_json()["Field-0.Moles-0.molehills#nb"].clone();
    assert!(hills.to_string().contains(|digit: char| ('1'..='9').contains(&digit)), "{hills}: nobody dug in 30 days");
    // A byte behind its end changes nothing that is in memory.
    std::fs::OpenOptions::new().append(true).open(&file).unwrap().write_all(b"!").unwrap();
    let changed = load(&file).expect_err("it changed");
    assert!(matches!(changed, LoadError::Changed { .. }));
    assert!(changed.to_string().contains("has changed since") && changed.help().contains("restart the program"));
}
