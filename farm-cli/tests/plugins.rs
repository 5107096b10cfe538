//! Plugins on the command line: loaded by option, environment and game file, refused with a reason, and never by a file alone.

use std::path::{Path, PathBuf};

use super::program::{Folder, Ran, farm, program};

/// The library of the example, which cargo builds beside these tests as one of their dependencies.
fn library() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_farm")).parent().expect("a folder");
    let name = format!("{}farm_plugins_example{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = program.join("deps").join(name);
    assert!(library.is_file(), "{}", library.display());
    library
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

fn garden() -> String {
    repository().join("farm-plugins-example/games/slug_garden.yaml").display().to_string()
}

fn with_variables(arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut program = program();
    program.args(arguments).env_remove("FARM_GYM_PLUGINS").env_remove("FARM_GYM_ALLOW_PLUGINS");
    Ran::of(&program.envs(variables.iter().copied()).output().unwrap())
}

#[test]
fn an_option_loads_a_plugin_for_every_subcommand() {
    let library = library().display().to_string();
    let without = farm(&["list", "entities"]);
    assert!(!without.stdout.contains("Slugs"), "{}", without.stdout);
    // Before and after the subcommand, once and twice.
    farm(&["--plugin", &library, "list", "entities"]).says(0, &["Slugs", "Ladybirds", "Weather"]);
    farm(&["list", "scores", "--plugin", &library, "--plugin", &library]).says(0, &["GardenScore"]);
    farm(&["list", "roles", "--plugin", &library]).says(0, &["salt_scattered"]);
    let words =
        ["plugin: farm-plugins-example (", "seedling_until#prop", "field_slug", "scatter_salt", "salt_scattered"];
    farm(&["describe", "Slugs", "--plugin", &library]).says(0, &words);
    let described = farm(&["describe", "Slugs", "--json", "--plugin", &library]).json();
    assert_eq!(described["plugin"]["name"], "farm-plugins-example");
    farm(&["check", &garden(), "--plugin", &library]).says(0, &["ok: slug_garden"]);
    farm(&["check", &garden()]).says(1, &["unknown entity `Slugs`"]);
    farm(&["describe", &garden(), "--plugin", &library]).says(0, &["slug_garden", "Slugs-0"]);
    farm(&["run", &garden(), "--policy", "gardener", "--episodes", "2", "--plugin", &library])
        .says(0, &["slug_garden"]);
}

#[test]
fn the_schema_has_the_kinds_of_a_plugin_that_is_loaded_or_that_the_game_names() {
    let library = library().display().to_string();
    let offers = |ran: Ran| ran.json()["$defs"]["entity-Slugs"]["anyOf"].is_array();
    assert!(!offers(with_variables(&["schema"], &[])));
    assert!(offers(farm(&["schema", "--plugin", &library])));
    let sets = farm(&["schema", "Slugs", "--plugin", &library]);
    sets.says(0, &["Parameter sets of Slugs", "seedling_until#prop"]);
    let folder = Folder::new("schema");
    let game = with_its_library(&folder.0);
    with_variables(&["schema", &game], &[]).says(1, &["game.yaml:1:11\n", "at: plugins[0]", "`--allow-plugins`"]);
    assert!(offers(with_variables(&["schema", &game, "--allow-plugins"], &[])));
}

#[test]
fn a_loaded_plugin_brings_the_codes_of_its_problems() {
    let library = library().display().to_string();
    let code = "farm-plugins-example::no-such-action";
    farm(&["explain", code, "--plugin", &library]).says(
        0,
        &["No action of the game has the name in the policy's parameter `action`.", "takes one action on every plot"],
    );
    farm(&["explain", "--plugin", &library]).says(0, &["example plugin: The parts of the example plugin.", code]);
    farm(&["explain", code]).says(1, &["unknown error code"]);
    let ran = farm(&["run", "clay_bean-v0", "--policy", "RoundPolicy: {action: dig}", "--plugin", &library]);
    ran.says(1, &["error[farm-plugins-example::no-such-action]: no action of the game is called `dig`"]);
}

#[test]
fn what_is_no_plugin_is_refused_before_anything_is_done() {
    let refused = farm(&["--plugin", "Cargo.toml", "list"]);
    refused.says(1, &["is not a library", "crate-type"]);
    assert!(refused.stdout.is_empty());
    farm(&["list", "--plugin", "nowhere/at_all"]).says(1, &["can't read the plugin `nowhere/at_all`", "cargo build"]);
}

#[test]
fn the_environment_loads_plugins_too() {
    let library = library().display().to_string();
    with_variables(&["list", "entities"], &[("FARM_GYM_PLUGINS", &library)]).says(0, &["Slugs"]);
    let twice = format!("{library}{}{library}", if cfg!(windows) { ';' } else { ':' });
    with_variables(&["list", "entities"], &[("FARM_GYM_PLUGINS", &twice)]).says(0, &["Slugs"]);
    with_variables(&["list", "entities"], &[("FARM_GYM_PLUGINS", "")]).says(0, &["Weather"]);
    with_variables(&["list"], &[("FARM_GYM_PLUGINS", "/nowhere")]).says(1, &["/nowhere"]);
}

#[test]
fn a_game_file_loads_its_plugins_only_where_that_is_allowed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("its_plugin");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(library(), folder.join(library().file_name().unwrap())).unwrap();
    let game = folder.join("game.yaml");
    let text = std::fs::read_to_string(garden()).unwrap();
    std::fs::write(&game, format!("plugins: [farm_plugins_example]\n{text}")).unwrap();
    let game = game.display().to_string();
    let run = ["run", &game, "--policy", "wait"];
    let refused = [
        "game.yaml:1:11\n",
        "at: plugins[0]",
        "wants to load the plugin",
        "`--allow-plugins`",
        "FARM_GYM_ALLOW_PLUGINS=1",
    ];
    with_variables(&run, &[]).says(1, &refused);
    with_variables(&["check", &game], &[]).says(1, &refused);
    with_variables(&run, &[("FARM_GYM_ALLOW_PLUGINS", "0")]).says(1, &refused);
    with_variables(&run, &[("FARM_GYM_ALLOW_PLUGINS", "1")]).says(0, &["slug_garden"]);
    with_variables(&["run", &game, "--policy", "wait", "--allow-plugins"], &[]).says(0, &["slug_garden"]);
    with_variables(&["check", &game, "--allow-plugins"], &[]).says(0, &["ok: slug_garden"]);
    with_variables(&["describe", &game, "--allow-plugins"], &[]).says(0, &["Slugs-0"]);
    // What the user loads needs no further word.
    with_variables(&run, &[("FARM_GYM_PLUGINS", &library().display().to_string())]).says(0, &["slug_garden"]);
}

/// The example's game in a folder of its own, with its library beside it under `plugins:`.
fn with_its_library(folder: &Path) -> String {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::copy(library(), folder.join(library().file_name().unwrap())).unwrap();
    let text = std::fs::read_to_string(garden()).unwrap();
    std::fs::write(folder.join("game.yaml"), format!("plugins: [farm_plugins_example]\n{text}")).unwrap();
    folder.join("game.yaml").display().to_string()
}

#[test]
fn a_template_is_made_of_a_game_with_a_plugin_as_with_its_own_kinds() {
    let folder = Folder::new("template");
    let game = with_its_library(&folder.0.join("own"));
    let out = folder.file("out");
    let make = ["template", &game, "--out", &out];
    with_variables(&make, &[]).says(1, &["game.yaml:1:11\n", "at: plugins[0]", "wants to load the plugin"]);
    assert!(!Path::new(&out).exists(), "nothing is written");
    with_variables(&[&make[..], &["--allow-plugins"]].concat(), &[]).says(0, &["written: ", "game_actions.yaml"]);
    let made = folder.0.join("out/game.yaml").display().to_string();
    // The game in the other folder still finds its plugin, and is the same.
    with_variables(&["check", &made, "--allow-plugins"], &[]).says(0, &["ok: slug_garden"]);
    let counts = |game: &str| with_variables(&["check", game, "--allow-plugins"], &[]).stdout;
    assert_eq!(counts(&made), counts(&game));
    // A library that the user loads needs no word in the game.
    let library = library().display().to_string();
    let other = folder.file("other");
    with_variables(&["template", &garden(), "--out", &other, "--plugin", &library], &[]).says(0, &["written: "]);
}

#[test]
fn slips_beside_a_plugin_that_is_not_loaded_are_told_with_it() {
    let folder = Folder::new("slips");
    let write = |text: &str| {
        let game = folder.0.join("game.yaml");
        std::fs::write(&game, text).unwrap();
        game.display().to_string()
    };
    let text = std::fs::read_to_string(garden()).unwrap();
    let change = |text: &str, from: &str, to: &str| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    };
    let text = format!("plugins: [nowhere]\n{text}");
    let text = change(&text, "- Soil: clay", "- Soil: {base: clay, depth#m: -1}");
    let text = change(&text, "    max_steps: 200", "    max_stesp: 200");
    let text = change(&text, "\npolicies:\n", "\nmonitring: []\npolicies:\n");
    let text = change(&text, "{equations: corrected}\n", "{equations: corrected, arrival_chance#prop: 0.1}\n");
    let ran = with_variables(&["check", &write(&text)], &[]);
    ran.says(
        1,
        &[
            "game.yaml:1:11\n",
            "at: plugins[0]",
            "wants to load the plugin",
            "at: fields.Field-0.entities[1].Soil.depth#m",
            "did you mean `max_steps`?",
            "did you mean `monitoring`?",
            "4 errors",
        ],
    );
    // Whether the file is there is not told before its code may run.
    with_variables(&["check", &write(&text), "--allow-plugins"], &[]).says(1, &["can't read the plugin"]);
    // What the plugin may bring, and parameters that its kinds may have.
    for word in ["Slugs", "Ladybirds", "GardenScore", "arrival_chance"] {
        assert!(!ran.stdout.contains(&format!("`{word}")), "{}", ran.stdout);
    }
    // Whoever opens the game says so.
    for command in ["run", "describe", "template"] {
        with_variables(&[command, &write(&text)], &[]).says(1, &["plugins[0]", "`max_steps`", "`monitoring`"]);
    }
    // A game that does without the plugin's kinds is judged to the end.
    let base = include_str!("../../farm-games/error-examples/garden.yaml");
    let base = change(base, "Plant-0: {stage: seed}", "Plant-0: {stage: sede}");
    let ran = with_variables(&["check", &write(&format!("plugins: [nowhere]\n{base}"))], &[]);
    ran.says(1, &["wants to load the plugin", "did you mean `seed`?", "2 errors"]);
    let right = include_str!("../../farm-games/error-examples/garden.yaml");
    with_variables(&["check", &write(&format!("plugins: [nowhere]\n{right}"))], &[])
        .says(1, &["wants to load the plugin", "1 error,"]);
}
