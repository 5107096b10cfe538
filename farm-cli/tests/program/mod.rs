//! Runs the built program, as a user does.
#![allow(dead_code, reason = "each test uses some of it")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

/// What a run of the program left behind.
pub(crate) struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = Self {
            // A program ended by a signal has no code.
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }

    /// What it printed as JSON, which is as the schema of its form says.
    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        assert_eq!(self.code, 0, "{}", self.stderr);
        let json: Json = serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout));
        if let Some(form) = json["schema"].as_str() {
            let name = form.strip_prefix("farm/").and_then(|form| form.strip_suffix("/1")).expect(form);
            let wrong: Vec<String> =
                schema_of(name).iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(wrong.is_empty(), "{form}: {}", wrong.join("\n"));
        }
        json
    }

    /// Asserts that the program ended with this code and said each of these.
    #[track_caller]
    pub(crate) fn says(&self, code: i32, words: &[&str]) {
        let said = format!("{}{}", self.stdout, self.stderr);
        assert_eq!(self.code, code, "{said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is missing in:\n{said}");
        }
    }
}

/// The schema of the JSON that a command prints, by the name of the form.
#[track_caller]
pub(crate) fn schema_of(name: &str) -> jsonschema::Validator {
    let path = schemas_of_outputs().join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let schema: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["properties"]["schema"]["const"], format!("farm/{name}/1"));
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The folder of these schemas.
pub(crate) fn schemas_of_outputs() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../schemas/outputs"))
}

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_farm"))
}

pub(crate) fn farm<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Ran {
    Ran::of(&program().args(arguments).stdin(Stdio::null()).output().unwrap())
}

/// What the program prints on standard output where all is well.
#[track_caller]
pub(crate) fn good<A: AsRef<std::ffi::OsStr> + std::fmt::Debug>(arguments: &[A]) -> String {
    let ran = farm(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// The program, which reads this on standard input.
pub(crate) fn farm_reads(arguments: &[&str], input: &str) -> Ran {
    let pipe = || Stdio::piped();
    let mut child = program().args(arguments).stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    // Whoever ends early reads no more.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Ran::of(&child.wait_with_output().unwrap())
}

/// A folder of one test alone, which goes with it.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("farm-{}-{name}-{}", env!("CARGO_CRATE_NAME"), std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The first game of each family, for what works in the same way in all games of a family.
pub(crate) fn one_of_each_family() -> Vec<&'static str> {
    farm_games::catalogue::one_of_each_family().map(|entry| entry.name).collect()
}

/// A game, whatever it is called: the first of the catalogue.
pub(crate) fn some_game() -> &'static str {
    farm_games::CATALOGUE[0].name
}
