//! `farm template` as its users see it.

use std::path::Path;
use std::process::{Command, Output};

fn farm(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farm")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_template_is_written_checked_and_played_and_never_written_over() {
    let folder = std::env::temp_dir().join(format!("farm-template-command-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let made = farm(&folder, &["template", "full_farm-v0", "--preset", "4x3", "--out", "mine"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said = text(&made.stdout);
    for name in ["full_farm-v0.yaml", "full_farm-v0_init.yaml", "full_farm-v0_actions.yaml", "full_farm-v0_score.yaml"]
    {
        assert!(said.contains(name), "{said}");
        assert!(folder.join("mine").join(name).is_file(), "{name}");
    }
    // What the command says last is what to do next, and it works without a warning.
    let next: Vec<&str> = said.lines().last().unwrap().split(' ').collect();
    assert_eq!(next[0], "farm");
    let checked = farm(&folder, &next[1..]);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
    assert!(text(&checked.stdout).starts_with("ok: full_farm-v0: 11 entities, 137 actions, 18 observations\n"));
    let returns = |game: &str, more: &[&str]| {
        let arguments = [&["run", game, "--policy", "expert", "--episodes", "2", "--json"], more].concat();
        let output = farm(&folder, &arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(found["return"]["mean"].is_number());
        (found["return"].clone(), found["mean_days"].clone())
    };
    assert_eq!(returns("mine/full_farm-v0.yaml", &[]), returns("full_farm-v0", &["--preset", "4x3"]));
    let again = farm(&folder, &["template", "full_farm-v0", "--out", "mine"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("already exists"), "{}", text(&again.stderr));
    assert!(text(&again.stderr).contains("`--out DIR`"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_template_is_written_in_the_folder_of_the_game_only() {
    let folder = std::env::temp_dir().join(format!("farm-template-outside-{}", std::process::id()));
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(folder.join("game")).unwrap();
    let fields = "F: {shape: {length#nb: 1, width#nb: 1}, entities: [Weather: montpellier, Soil: sand, Plant: bean]}";
    let game = |init: &str| format!("name: a\nfields: {{{fields}}}\nfarmers: [BasicFarmer]\ninit: {init}\n");
    for init in ["../outside.yaml", "../../outside.yaml", "/nowhere/outside.yaml"] {
        std::fs::write(folder.join("game/game.yaml"), game(init)).unwrap();
        for options in [&["--force"][..], &[], &["--allow-outside-files", "--force"]] {
            let made = farm(&folder, &[&["template", "game/game.yaml"], options].concat());
            let said = text(&made.stderr);
            assert_eq!(made.status.code(), Some(1), "{said}");
            assert!(said.contains("outside of the game's folder") && said.contains("init"), "{said}");
        }
        let here: Vec<String> = std::fs::read_dir(folder.join("game"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(here, ["game.yaml"], "{init}");
        assert!(!folder.join("outside.yaml").exists());
    }
    std::fs::write(folder.join("game/game.yaml"), game("parts/start.yaml")).unwrap();
    let made = farm(&folder, &["template", "game/game.yaml", "--force"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(folder.join("game/parts/start.yaml").is_file());
    std::fs::remove_dir_all(&folder).unwrap();
}
