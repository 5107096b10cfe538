//! What the documents say is true: every path they name exists; every command, game and policy they show works.
//!
//! Words behind the language of a block tell how it is tried:
//!
//! | block | what is done with it |
//! |---|---|
//! | `yaml` with `fields` | it is a game, and is checked |
//! | `yaml,in=clay_bean` | its keys replace those of the game, which is checked |
//! | `yaml,policy` | it plays an episode |
//! | `yaml,study` | it is played, and is as it says |
//! | `yaml,lesson` | a command of the page serves it |
//! | `yaml,python`, `python`, `python,learners` | the tests of the Python package run it |
//! | `yaml,wrong` | only commands that fail use it |
//! | `yaml,plugin` with `fields` | it is a game with parts of farm-plugins-example, and is checked with that loaded |
//! | `…,file=NAME` | it is also written to a file that commands of the page use |
//! | `console` | its lines `$ farm …` are run, and what stands below them must be in their output; `…` stands for anything |
//! | `console,fails` | likewise, and the commands must fail |
//! | `console,serves` | likewise, but the command is ended once it listens |
//! | `text,screen` | the tests of terminal play draw it |
//! | `rust` | documentation tests compile and run it |
//! | `diff,new=PATH` | its new side is in that file of the repository |
//! | `rust,source=PATH` | it is what that file of the repository has below its header; the tests of its crate try it |
//!
//! In commands `target/debug/farm_plugins_example` is the library of that crate as these tests have built it, and
//! `farm-trials/tests/example` is that folder of the repository. `ten_years.csv` is the table of Lille in `farm-entities`.

mod page;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::serde_yaml::{self, Value};
// Its registrations, and those of the entities, are what the table of phases is compared with.
use farm_games as _;
use page::{Block, Page, page, pages, root};

/// The game that a page's unnamed game is saved as.
const UNNAMED: &str = "my_game.yaml";

#[test]
fn every_path_that_the_documents_name_exists() {
    let mut checked = 0;
    for page in pages() {
        // The equation sheet cites files of the reference.
        if page.name == "docs/equation-sheet.md" {
            continue;
        }
        for path in page.quoted() {
            let first = path.split('/').next().unwrap_or_default();
            // What is built need not be there, and what begins with `/` is an address of a server.
            let is_path = !["target", ""].contains(&first)
                && !path.contains([' ', '*', '<'])
                && (path.contains('/') && root().join(first).is_dir() || path.ends_with(".md") && !path.contains('/'));
            if is_path {
                assert!(root().join(&path).exists(), "{} names `{path}`, which does not exist", page.name);
                checked += 1;
            }
        }
    }
    let readme = page("README.md").text;
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(link.contains("://") || root().join(link).exists(), "README.md links to {link}, which does not exist");
        checked += 1;
    }
    assert!(checked > 60, "only {checked} paths were found in the documents");
}

#[test]
fn every_link_between_the_pages_leads_to_a_file() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let summary = Page { name: "docs/SUMMARY.md".to_owned(), text: summary };
    let mut checked = 0;
    for page in pages().into_iter().chain([summary]) {
        let folder = root().join(&page.name).parent().unwrap().to_owned();
        for link in page.text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link)) {
            let file = link.split('#').next().unwrap_or_default();
            let is_file = file.ends_with(".md") || file.ends_with(".rs") || file.ends_with(".yaml");
            if is_file && !file.contains("://") {
                assert!(folder.join(file).is_file(), "{} links to {link}, which does not exist", page.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "only {checked} links were found");
}

#[test]
fn what_porting_translates_is_translated_once() {
    let page = page("docs/porting.md");
    let mut seen: Vec<&str> = Vec::new();
    for row in page.text.lines().filter_map(|line| line.strip_prefix("| `")) {
        let first = row.split(" | ").next().unwrap_or_default();
        assert!(!seen.contains(&first), "{}: two rows for `{first}", page.name);
        seen.push(first);
    }
    assert!(seen.len() > 30, "only {} rows were found", seen.len());
}

#[test]
fn the_table_of_phases_is_what_the_engine_and_the_entities_say() {
    use farm_core::config::PartKind;
    use farm_core::registry::kinds;
    use farm_core::{Phase, inspect};

    let page = page("docs/entity-in-rust.md");
    let mut rest = page.text.as_str();
    for phase in Phase::ALL {
        let acts = |part: farm_core::declare::PartInfo| part.phases().contains(&phase);
        let entities = kinds().iter().filter(|kind| kind.part() == PartKind::Entity && kind.origin().is_none());
        let acting = entities.filter(|kind| inspect::declarations(kind).is_some_and(acts));
        let acting: Vec<String> = acting.map(|kind| format!("`{}`", kind.name())).collect();
        let acting = if acting.is_empty() { "none".to_owned() } else { acting.join(", ") };
        let row = format!("| `{}` | {} | {acting} |\n", phase.name(), phase.doc());
        // What stands before was another phase: the rows have the order of the day.
        rest = rest.split_once(&row).unwrap_or_else(|| panic!("{} lacks, at its place, {row}", page.name)).1;
    }
}

#[test]
fn the_readme_has_exactly_two_set_up_commands() {
    let page = page("README.md");
    let blocks = page.blocks();
    let bash: Vec<&str> = blocks.iter().filter(|b| b.language == "bash").flat_map(|b| b.text.lines()).collect();
    assert_eq!(
        bash,
        [
            "cargo run --release --no-default-features -- compare clay_bean wait random expert --report target/season.html",
            "cargo xtask test"
        ]
    );
}

#[test]
fn every_block_is_of_a_kind_that_is_tried() {
    for page in pages() {
        for block in page.blocks() {
            let known = match block.language {
                "yaml" => {
                    let marks =
                        ["python", "policy", "study", "lesson", "wrong"].iter().filter(|mark| block.has(mark)).count();
                    marks + usize::from(block.value("in").is_some()) + usize::from(is_game(&block)) >= 1
                }
                "console" => block.text.lines().any(|line| line.starts_with("$ ")),
                // What commands print is shown in their own block; a text may only show a file, or the form of something.
                "text" => block.value("file").is_some() || block.has("screen") || page.name == "README.md",
                "rust" | "python" => true,
                "diff" => shows_new_side(&block),
                "bash" => page.name == "README.md",
                // Drawings; that of the crates is compared with the manifests by the tests of xtask.
                "mermaid" => page.name == "ARCHITECTURE.md",
                _ => false,
            };
            assert!(known, "{}: nobody tries this block of {:?}:\n{}", page.name, block.language, block.text);
        }
    }
}

/// Whether the new side of a comparison is in the file that the block names.
fn shows_new_side(block: &Block<'_>) -> bool {
    let new = block.text.lines().filter(|line| !line.starts_with('-'));
    let new: String = new.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect();
    let file = block.value("new").map(|path| std::fs::read_to_string(root().join(path)));
    file.is_some_and(|text| text.is_ok_and(|text| text.contains(&new)))
}

#[test]
fn the_first_entity_of_a_tutorial_is_short() {
    for (name, ends_with) in [("docs/entity-in-rust.md", "fn main()"), ("farm-plugins-example/README.md", "")] {
        let page = page(name);
        let block = page.blocks().into_iter().find(|block| block.language == "rust").expect("an entity");
        let code = block.text.lines().take_while(|line| ends_with.is_empty() || !line.starts_with(ends_with));
        let is_code = |line: &&str| {
            let line = line.trim();
            // The line that makes a crate a plugin belongs to no entity.
            !line.is_empty() && !line.starts_with("//") && !line.starts_with("farm_core::declare_plugin!")
        };
        let lines: Vec<&str> = code.filter(is_code).collect();
        assert!(lines.len() <= 22, "{name}: {} lines of code:\n{}", lines.len(), lines.join("\n"));
        assert!(lines.iter().all(|line| line.chars().count() <= 120), "{name}: a line that rustfmt would break");
    }
}

#[test]
fn every_block_that_is_a_file_of_the_repository_is_as_the_file() {
    let mut checked = 0;
    for page in pages() {
        for block in page.blocks() {
            let Some(path) = block.value("source") else { continue };
            let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            let (header, code) = text.split_once("\n\n").unwrap();
            assert!(header.lines().all(|line| line.starts_with("//!")), "{path} has no header");
            assert_eq!(block.text, code, "{}: the block is not what {path} says", page.name);
            checked += 1;
        }
    }
    assert!(checked >= 4, "only {checked} blocks were found");
}

/// The pages side by side, on all cores.
#[test]
fn every_game_policy_and_command_of_the_documents_works() {
    let pages = pages();
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let tried: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let try_pages = || {
            let (mut commands, mut missing) = (0, Vec::new());
            while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                commands += try_page(page, &mut missing);
            }
            (commands, missing)
        };
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(try_pages)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let missing: Vec<&String> = tried.iter().flat_map(|(_, missing)| missing).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let commands: usize = tried.iter().map(|(commands, _)| commands).sum();
    assert!(commands > 50, "only {commands} commands were found in the documents");
}

/// Tries a page in a folder of its own, from its first line to its last. Returns how many commands it shows.
fn try_page(page: &Page, missing: &mut Vec<String>) -> usize {
    let mut commands = 0;
    let folder = std::env::temp_dir().join(format!("farm-page-{}-{}", page.name.replace('/', "-"), std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let place = Place { page, folder: folder.clone() };
    for block in page.blocks() {
        let name = block.value("file").or_else(|| is_game(&block).then_some(UNNAMED));
        if let Some(name) = name {
            std::fs::write(folder.join(name), &block.text).unwrap();
        }
    }
    for block in page.blocks() {
        commands += match block.language {
            "yaml" => place.try_yaml(&block),
            "console" | "text" => place.try_commands(&block, missing),
            _ => 0,
        };
    }
    for quoted in page.quoted() {
        let Some(command) = quoted.strip_prefix("farm ") else { continue };
        // A word in capitals stands for another; a word alone is the name of the command, also after `agents`.
        let is_form = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
        // Results take minutes; `farm results --check` reads the files that they left.
        if command.contains(" --results ") {
            continue;
        }
        if command.contains(['…', '<']) || command.starts_with("--") || command.split(' ').any(is_form) {
            continue;
        }
        let waits = command.starts_with("serve ") || command.contains(" --browser");
        assert!(!waits, "{}: `{quoted}` would run for ever: show it in a block `console,serves`", page.name);
        let is_name = !command.strip_prefix("agents ").unwrap_or(command).contains(' ') && command != "list";
        let help = if is_name { " --help" } else { "" };
        place.farm(&format!("{command}{help}"), true);
        commands += 1;
    }
    if page.name == "README.md" {
        place.farm(&format!("run {UNNAMED} --policy random --episodes 2"), true);
    }
    std::fs::remove_dir_all(folder).unwrap();
    commands
}

fn is_game(block: &Block<'_>) -> bool {
    let unmarked = ["python", "policy", "wrong"].iter().all(|mark| !block.has(mark));
    block.language == "yaml"
        && unmarked
        && block.text.lines().any(|line| line == "fields:" || line.starts_with("extends: "))
}

/// A page and the folder in which it is tried.
struct Place<'p> {
    page: &'p Page,
    folder: PathBuf,
}

impl Place<'_> {
    fn try_yaml(&self, block: &Block<'_>) -> usize {
        let path = self.folder.join("block.yaml");
        let shown = path.display().to_string();
        if let Some(game) = block.value("in") {
            let mut whole: Value = serde_yaml::from_str(&self.farm(&format!("describe {game} --yaml"), true)).unwrap();
            let part: Value = serde_yaml::from_str(&block.text).unwrap();
            for (key, value) in part.as_mapping().unwrap() {
                whole.as_mapping_mut().unwrap().insert(key.clone(), value.clone());
            }
            std::fs::write(&path, serde_yaml::to_string(&whole).unwrap()).unwrap();
            self.farm(&format!("check {shown}"), true);
        } else if block.has("policy") {
            std::fs::write(&path, &block.text).unwrap();
            self.farm(&format!("run clay_bean --episodes 1 --policy {shown}"), true);
        } else if block.has("study") {
            std::fs::write(&path, &block.text).unwrap();
            self.farm(&format!("study {shown}"), true);
        } else if is_game(block) {
            std::fs::write(&path, &block.text).unwrap();
            let plugin = if block.has("plugin") { format!(" --plugin {LIBRARY}") } else { String::new() };
            self.farm(&format!("check {shown}{plugin}"), true);
        } else {
            return 0;
        }
        1
    }

    fn try_commands(&self, block: &Block<'_>, missing: &mut Vec<String>) -> usize {
        let mut count = 0;
        let mut output = String::new();
        for line in block.text.lines() {
            let Some(command) = line.strip_prefix("$ ") else {
                if line != "…" && block.language == "console" {
                    // What a page leaves out of a line stands as `…`.
                    let after = |rest: &'_ str, piece: &str| rest.split_once(piece).map(|(_, rest)| rest.to_owned());
                    let mut pieces = line.trim_end().split('…').map(str::trim);
                    match pieces.try_fold(output.clone(), |rest, piece| after(&rest, piece)) {
                        Some(rest) => output = rest,
                        None => missing.push(format!("{}: no command prints {line:?}", self.page.name)),
                    }
                }
                continue;
            };
            // What stands far to the right is a remark.
            let command = command.split("   ").next().unwrap_or_default();
            match command.split_once(' ') {
                Some(("farm", arguments)) if block.has("serves") => output = self.serve(arguments),
                Some(("farm", arguments)) => output = self.farm(arguments, !block.has("fails")),
                Some(("cargo", arguments)) => self.look_at_cargo(arguments),
                Some(("python", arguments)) => self.look_at_python(arguments),
                Some(("cc", arguments)) => {
                    let source = arguments.split(' ').find(|word| word.ends_with(".c")).unwrap_or_default();
                    assert!(root().join(source).is_file(), "{}: no test compiles `cc {arguments}`", self.page.name);
                }
                _ => panic!("{}: nobody tries `{command}`", self.page.name),
            }
            count += 1;
        }
        count
    }

    /// Tasks are tried by the tests of `xtask`, and programs in C by those of `farm-capi`. An example or a package must at least be there, and
    /// the workspace compiles it.
    fn look_at_cargo(&self, arguments: &str) {
        if arguments.starts_with("xtask") {
            return;
        }
        let words: Vec<&str> = arguments.split(' ').collect();
        let after = |flag: &str| words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1));
        let example =
            after("-p").zip(after("--example")).map(|(package, name)| format!("{package}/examples/{name}.rs"));
        let package = (words.first() == Some(&"build")).then(|| after("-p")).flatten();
        let package = package.map(|package| format!("{package}/Cargo.toml"));
        let exists = example.or(package).is_some_and(|path| root().join(path).is_file());
        assert!(exists, "{}: nobody tries `cargo {arguments}`", self.page.name);
    }

    /// Commands of the Python package take minutes; its tests read their arguments, and here they must at least be there.
    fn look_at_python(&self, arguments: &str) {
        let module = arguments.strip_prefix("-m farm_gym.").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        let package = root().join("farm-python/python/farm_gym").join(module);
        let is_file = arguments.split(' ').next().is_some_and(|word| root().join(word).is_file());
        let exists = is_file
            || !module.is_empty() && (package.join("__main__.py").is_file() || package.with_extension("py").is_file());
        assert!(exists, "{}: nobody tries `python {arguments}`", self.page.name);
    }

    /// Runs the command, on a port that is free, until it says that it listens, and ends it; returns what it said.
    fn serve(&self, arguments: &str) -> String {
        let mut server = Command::new(Path::new(env!("CARGO_BIN_EXE_farm")))
            .args(words(arguments))
            .args(["--port", "0", "--log", "off"])
            .current_dir(&self.folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut said).unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        assert!(said.starts_with("http://"), "{}: farm {arguments}: {said}", self.page.name);
        said
    }

    /// Runs the command in the folder of the page and returns all that it prints.
    fn farm(&self, arguments: &str, succeeds: bool) -> String {
        let start = std::time::Instant::now();
        let output = Command::new(Path::new(env!("CARGO_BIN_EXE_farm")))
            .args(words(arguments).into_iter().map(|word| match word.as_str() {
                LIBRARY => library(),
                TRIALS => root().join(TRIALS).display().to_string(),
                TEN_YEARS => root().join("farm-entities/src/agronomy/weather/lille.csv").display().to_string(),
                _ => word,
            }))
            .current_dir(&self.folder)
            .output()
            .unwrap();
        // What takes long is seen with `--nocapture`.
        eprintln!("{:6.1} s  {}: farm {arguments}", start.elapsed().as_secs_f64(), self.page.name);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), succeeds, "{}: farm {arguments}:\n{out}{err}", self.page.name);
        assert!(!succeeds || !out.is_empty(), "{}: farm {arguments} prints nothing", self.page.name);
        format!("{out}{err}")
    }
}

/// The library of farm-plugins-example as pages name it.
const LIBRARY: &str = "target/debug/farm_plugins_example";

/// Ten years of weather as pages name them.
const TEN_YEARS: &str = "ten_years.csv";

/// The folder of field trials as pages name it.
const TRIALS: &str = "farm-trials/tests/example";

/// The same as cargo builds it beside these tests, as one of their dependencies.
fn library() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_farm")).with_file_name("deps");
    folder.join("farm_plugins_example").display().to_string()
}

/// The words of a command, as a shell splits them.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.trim().chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
