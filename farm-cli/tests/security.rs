//! What texts of others may do: every reader of the program, who wrote what it reads, and what such a text tries. `SECURITY.md` promises what
//! stands here, and names the test of each promise.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::program::{Folder, farm, program};

/// What no message may show.
const SECRET: &str = "SECRETVALUE";

/// No command takes longer to refuse a text, however slow the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a text tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attack {
    /// To read a file elsewhere, by its full path.
    Outside,
    /// The same file, by `..`.
    Up,
    /// The same file, by a link in the game's own folder.
    Link,
    /// A device that never ends.
    Device,
    /// A pipe in the game's own folder, that nobody writes to.
    Pipe,
    /// To load a library.
    Plugin,
    /// To import a Python class.
    PythonClass,
    /// A farm of a million plots.
    Huge,
    /// A text whose aliases stand for a hundred billion values.
    AliasBomb,
    /// Aliases of one long text.
    LongAliases,
}

use Attack::{AliasBomb, Device, Huge, Link, LongAliases, Outside, Pipe, Plugin, PythonClass, Up};

const ATTACKS: [Attack; 10] = [Outside, Up, Link, Device, Pipe, Plugin, PythonClass, Huge, AliasBomb, LongAliases];

/// Who wrote what a reader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// The user.
    User,
    /// A file that the user opens.
    OwnFile,
    /// Anyone.
    Stranger,
}

/// What came of it.
#[derive(Debug)]
struct Said {
    is_refused: bool,
    text: String,
}

/// A folder of a game, with a secret beside it.
struct Ground {
    folder: Folder,
    /// A run that was played honestly.
    run: PathBuf,
    server: Option<Server>,
}

impl Ground {
    fn new() -> Self {
        /// Tests run side by side, each with a folder of its own.
        static GROUNDS: AtomicUsize = AtomicUsize::new(0);
        let folder = Folder::new(&format!("ground-{}", GROUNDS.fetch_add(1, Ordering::Relaxed)));
        let own = folder.0.join("own");
        std::fs::create_dir_all(own.join("link_to")).unwrap();
        // A table of weather, but for one cell.
        let columns = "Tmin,Tmax,Tmean,RHmean,Rain,WindSpeed,Clouds";
        let table = format!("{columns}\n1,2,{SECRET},50,0,3,10\n");
        std::fs::write(folder.0.join("secret.csv"), &table).unwrap();
        std::fs::write(folder.0.join("secret.yaml"), format!("{SECRET}: [1, 2\n")).unwrap();
        std::os::unix::fs::symlink("../secret.csv", own.join("link.csv")).unwrap();
        std::os::unix::fs::symlink("../secret.yaml", own.join("link.yaml")).unwrap();
        for end in ["csv", "yaml"] {
            assert!(Command::new("mkfifo").arg(own.join(format!("pipe.{end}"))).status().unwrap().success());
        }
        // What would run its code if it were loaded, and is refused for what it is at the latest.
        std::fs::write(own.join("evil.so"), "\x7fELF").unwrap();
        std::fs::write(own.join("evil.py"), "open('ran', 'w').close()\n").unwrap();
        let run = folder.0.join("run");
        let words =
            ["agents", "play", "clay_bean", "--policy", "wait", "--set", "rules.BasicRule.max_steps=3", "--out"];
        farm(&[&words[..], &[run.to_str().unwrap()]].concat()).says(0, &["wait plays"]);
        Self { folder, run, server: Server::start() }
    }

    fn own(&self, name: &str) -> PathBuf {
        self.folder.0.join("own").join(name)
    }

    /// The name by which a text names a file that it may not read; none of attacks that name no file.
    fn target(&self, attack: Attack, end: &str) -> Option<String> {
        Some(match attack {
            Outside => self.folder.file(&format!("secret.{end}")),
            Up => format!("../secret.{end}"),
            Link => format!("link.{end}"),
            Device => "/dev/zero".to_owned(),
            Pipe => format!("pipe.{end}"),
            _ => return None,
        })
    }

    /// The changes of a game by which it tries something, by path.
    fn changes(&self, attack: Attack) -> Vec<(String, String)> {
        let changes: &[(&str, String)] = &match (attack, self.target(attack, "csv")) {
            (_, Some(target)) => vec![("fields.Field-0.entities.0.Weather.file", format!("'{target}'"))],
            (Plugin, _) => vec![("plugins", "[evil.so]".to_owned())],
            (PythonClass, _) => vec![("farmers.0", "{python: 'evil:Farmer'}".to_owned())],
            (AliasBomb, _) => vec![("monitoring", bomb())],
            (LongAliases, _) => vec![("monitoring", long_aliases())],
            _ => ["length", "width"]
                .map(|side| {
                    (
                        if side == "length" {
                            "fields.Field-0.shape.length#nb"
                        } else {
                            "fields.Field-0.shape.width#nb"
                        },
                        "1000".to_owned(),
                    )
                })
                .to_vec(),
        };
        changes.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect()
    }

    /// A game that tries something.
    fn game(&self, attack: Attack) -> String {
        let changes = self.changes(attack).into_iter().map(|(path, value)| format!("{path}: {value}"));
        let changes = changes.collect::<Vec<_>>().join(", ");
        match attack {
            // `changes` can add neither.
            Plugin => "plugins: [evil.so]\nname: evil\nextends: clay_bean\n".to_owned(),
            PythonClass => "name: evil\nextends: clay_bean\nfarmers: [python: 'evil:Farmer']\n".to_owned(),
            AliasBomb => format!("name: evil\nextends: clay_bean\nmonitoring: {}\n", bomb()),
            LongAliases => format!("name: evil\nextends: clay_bean\nmonitoring: {}\n", long_aliases()),
            _ => format!("name: evil\nextends: clay_bean\nchanges: {{{changes}}}\n"),
        }
    }

    /// Writes a file into the game's own folder; returns its path.
    fn write(&self, name: &str, text: &str) -> String {
        let path = self.own(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn game_file(&self, attack: Attack) -> String {
        self.write("game.yaml", &self.game(attack))
    }

    /// A run whose header says more than it was played with; returns its folder.
    fn forged_run(&self, change: impl FnOnce(&mut Json)) -> String {
        let path = self.run.join("run.json");
        let kept = self.run.with_file_name("honest.json");
        if !kept.exists() {
            std::fs::copy(&path, &kept).unwrap();
        }
        let mut header: Json = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
        change(&mut header);
        std::fs::write(&path, header.to_string()).unwrap();
        self.run.display().to_string()
    }

    fn run_with_changes(&self, attack: Attack) -> String {
        let changes: Vec<Json> = self.changes(attack).into_iter().map(|(path, value)| json!([path, value])).collect();
        self.forged_run(|header| header["set"].as_array_mut().unwrap().extend(changes))
    }
}

/// Ten lists within one another, each of ten of the one before.
fn bomb() -> String {
    let mut text = "[&a0 [x, x, x, x, x, x, x, x, x, x]".to_owned();
    for i in 1..11 {
        text += &format!(", &a{i} [{}]", format!("*a{}, ", i - 1).repeat(10));
    }
    text + "]"
}

/// A text of 100 KB, four thousand times.
fn long_aliases() -> String {
    format!("[&a '{}', {}]", "s".repeat(100_000), "*a, ".repeat(4000))
}

/// Runs the program, not for ever.
fn tried(words: &[&str]) -> Said {
    let start = Instant::now();
    let pipe = Stdio::piped;
    let mut child = program().args(words).stdin(Stdio::null()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let (mut out, mut error) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = |stream: &mut dyn Read| {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let text = std::thread::scope(|scope| {
        let (out, error) = (scope.spawn(move || read(&mut out)), scope.spawn(move || read(&mut error)));
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > PATIENCE {
                let _ = child.kill();
                panic!("{words:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        out.join().unwrap() + &error.join().unwrap()
    });
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(0 | 1)) && !text.contains("panicked"), "{words:?}: {code:?}: {text}");
    Said { is_refused: code == Some(1), text }
}

/// A server of the program, which ends with this.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// None where the program can't serve.
    fn start() -> Option<Self> {
        if cfg!(not(feature = "serve")) {
            return None;
        }
        let mut child = program()
            .args(["serve", "clay_bean", "--port", "0", "--log", "off"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect(&line).to_owned();
        Some(Self { child, address })
    }

    fn post(&self, path: &str, body: &Json) -> Said {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = body.to_string();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n", self.address);
        write!(stream, "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
        assert!(["200", "400", "413", "422"].contains(&status.as_str()), "{path}: {answer}");
        Said { is_refused: status != "200" || answer.contains(r#""ok":false"#), text: answer }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reader, who wrote what it reads, and how it is led to read a text that tries something; none where that can't be.
type Reader = (&'static str, Written, fn(&Ground, Attack) -> Option<Said>);

const READERS: &[Reader] = &[
    ("a value of the command line", Written::User, |ground, attack| {
        let mut words = vec!["run".to_owned(), "clay_bean".to_owned(), "--policy".to_owned(), "wait".to_owned()];
        for (path, value) in ground.changes(attack) {
            words.extend(["--set".to_owned(), format!("{path}={value}")]);
        }
        // What lies in the folder of a file is not there for a game of the catalogue, and a million plots take long.
        if matches!(attack, Up | Link | Pipe | Huge) {
            return None;
        }
        Some(tried(&words.iter().map(String::as_str).collect::<Vec<_>>()))
    }),
    ("a game file, checked", Written::OwnFile, |ground, attack| {
        let game = ground.game_file(attack);
        (attack != Huge).then(|| tried(&["check", &game]))
    }),
    ("a game file, played", Written::OwnFile, |ground, attack| {
        let game = ground.game_file(attack);
        (attack != Huge).then(|| tried(&["run", &game, "--policy", "wait"]))
    }),
    ("a game file, described", Written::OwnFile, |ground, attack| {
        let game = ground.game_file(attack);
        (attack != Huge).then(|| tried(&["describe", &game]))
    }),
    ("a preset", Written::OwnFile, |ground, attack| {
        let changes: Vec<String> =
            ground.changes(attack).into_iter().map(|(path, value)| format!("{path}: {value}")).collect();
        let text = format!("name: evil\nextends: clay_bean\npresets: {{p: {{{}}}}}\n", changes.join(", "));
        let game = ground.write("game.yaml", &text);
        (attack != Huge).then(|| tried(&["run", &game, "--preset", "p", "--policy", "wait"]))
    }),
    ("a game that another one extends", Written::OwnFile, |ground, attack| {
        ground.write("base.yaml", &ground.game(attack));
        let game = ground.write("game.yaml", "name: mine\nextends: base.yaml\n");
        (attack != Huge).then(|| tried(&["check", &game]))
    }),
    ("the file that a game extends", Written::OwnFile, |ground, attack| {
        let target = ground.target(attack, "yaml")?;
        let game = ground.write("game.yaml", &format!("name: mine\nextends: '{target}'\n"));
        // `/dev/zero` is no name of a file of a game.
        (attack != Device).then(|| tried(&["check", &game]))
    }),
    ("a part of a game", Written::OwnFile, |ground, attack| {
        let target = ground.target(attack, "yaml").filter(|_| attack != Device)?;
        let game = ground.write("game.yaml", &format!("name: mine\nextends: clay_bean\nscore: '{target}'\n"));
        Some(tried(&["check", &game]))
    }),
    ("a level", Written::OwnFile, |ground, attack| {
        let text = match attack {
            AliasBomb => format!("game: backwards_valley\nmap: {}\n", bomb()),
            LongAliases => format!("game: backwards_valley\nmap: {}\n", long_aliases()),
            PythonClass => "game: backwards_valley\nmap: {python: 'evil:Map'}\n".to_owned(),
            _ => return None,
        };
        let level = ground.write("level.yaml", &text);
        Some(tried(&["run", "backwards_valley", "--level", &level, "--policy", "wait"]))
    }),
    ("a policy", Written::OwnFile, |ground, attack| {
        let text = match attack {
            AliasBomb => format!("- WaitPolicy: {}\n", bomb()),
            LongAliases => format!("- WaitPolicy: {}\n", long_aliases()),
            PythonClass => "python: 'evil:Policy'\n".to_owned(),
            _ => return None,
        };
        let policy = ground.write("policy.yaml", &text);
        Some(tried(&["run", "clay_bean", "--policy", &policy, "--episodes", "1"]))
    }),
    ("a study", Written::OwnFile, |ground, attack| {
        let game = match attack {
            AliasBomb | LongAliases | Plugin | PythonClass => return None,
            Huge => return None,
            _ => ground.game(attack),
        };
        ground.write("game.yaml", &game);
        let study = "name: s\ngame: game.yaml\npolicy: wait\nx: {label: x, unit: '', values: [1, 2]}\nseeds: 1\nmeasure: {label: m, of: [{variable: [Field-0, Plant-0, harvest_weight#kg]}]}\n";
        let study = ground.write("study.yaml", study);
        Some(tried(&["study", &study]))
    }),
    ("the file that a study names", Written::OwnFile, |ground, attack| {
        let target = ground.target(attack, "yaml")?;
        let study = format!(
            "name: s\ngame: clay_bean\npanels: '{target}'\npolicy: wait\nx: {{label: x, unit: '', values: [1, 2]}}\nseeds: 1\nmeasure: {{label: m, of: [{{variable: [Field-0, Plant-0, harvest_weight#kg]}}]}}\n"
        );
        let study = ground.write("study.yaml", &study);
        Some(tried(&["study", &study]))
    }),
    ("a template", Written::OwnFile, |ground, attack| {
        let game = ground.game_file(attack);
        let out = ground.folder.file("template");
        (attack != Huge).then(|| tried(&["template", &game, "--out", &out]))
    }),
    ("a part of a game that a template is made of", Written::OwnFile, |ground, attack| {
        let target = ground.target(attack, "yaml").filter(|_| attack != Device)?;
        let game = ground.write("game.yaml", &format!("name: mine\nextends: clay_bean\nscore: '{target}'\n"));
        Some(tried(&["template", &game, "--out", &ground.folder.file("template")]))
    }),
    ("a file of the reference format", Written::OwnFile, |ground, attack| {
        let target = ground.target(attack, "yaml").filter(|_| attack != Device)?;
        let farm = "Farm:\n  Field-0:\n    localization: {latitude#°: 43.6, longitude#°: 3.9, altitude#m: 27}\n    shape: {length#nb: 1, width#nb: 1, scale#m: 1.0}\n    entities: [Weather: montpellier, Soil: clay, Plant: bean]\n  Farmer-0: {type: basic, parameters: {max_daily_interventions: 1}}\n";
        let game = ground.write("game.yaml", &format!("{farm}score: '{target}'\ninteraction_mode: POMDP\n"));
        Some(tried(&["check", &game]))
    }),
    ("the header of a run, verified", Written::Stranger, |ground, attack| {
        Some(tried(&["agents", "verify", &ground.run_with_changes(attack)]))
    }),
    ("the header of a run, scored", Written::Stranger, |ground, attack| {
        Some(tried(&["agents", "score", &ground.run_with_changes(attack)]))
    }),
    ("the header of a run, on a leaderboard", Written::Stranger, |ground, attack| {
        let out = ground.folder.file("table.md");
        let folder = ground.run_with_changes(attack);
        let mut said = tried(&["agents", "leaderboard", &folder, "--out", &out]);
        said.text += &std::fs::read_to_string(&out).unwrap_or_default();
        Some(said)
    }),
    ("the game that a run names", Written::Stranger, |ground, attack| {
        let target = ground.target(attack, "yaml").filter(|_| matches!(attack, Outside | Device))?;
        let run = ground.forged_run(|header| header["game"] = json!(target));
        let mut said = tried(&["agents", "verify", &run]);
        said.text += &tried(&["agents", "score", &run]).text;
        Some(said)
    }),
    ("the level that a run names", Written::Stranger, |ground, attack| {
        let target = ground.target(attack, "yaml").filter(|_| matches!(attack, Outside | Device))?;
        let run = ground.forged_run(|header| header["episodes"][0]["level"] = json!(target));
        let mut said = tried(&["agents", "verify", &run]);
        said.text += &tried(&["agents", "score", &run]).text;
        Some(said)
    }),
    ("a text of the playground, opened", Written::Stranger, |ground, attack| {
        let game = json!({ "name": "clay_bean", "yaml": ground.game(attack) });
        Some(ground.server.as_ref()?.post("/api/game", &game))
    }),
    ("a text of the playground, checked", Written::Stranger, |ground, attack| {
        let game = json!({ "name": "clay_bean", "yaml": ground.game(attack) });
        Some(ground.server.as_ref()?.post("/api/check", &game))
    }),
    ("a text of the playground, played", Written::Stranger, |ground, attack| {
        let game = json!({ "game": { "name": "clay_bean", "yaml": ground.game(attack) }, "actions": ["[]"] });
        Some(ground.server.as_ref()?.post("/api/place", &game))
    }),
    ("a text of the playground, watched", Written::Stranger, |ground, attack| {
        let game = json!({ "game": { "name": "clay_bean", "yaml": ground.game(attack) }, "policy": "wait" });
        Some(ground.server.as_ref()?.post("/api/watch", &game))
    }),
    ("a preset of a text of the playground", Written::Stranger, |ground, attack| {
        let changes: Vec<String> =
            ground.changes(attack).into_iter().map(|(path, value)| format!("{path}: {value}")).collect();
        let text = format!("name: evil\nextends: clay_bean\npresets: {{p: {{{}}}}}\n", changes.join(", "));
        let game = json!({ "name": "clay_bean", "yaml": text, "preset": "p" });
        Some(ground.server.as_ref()?.post("/api/game", &game))
    }),
    ("the policy that a client names", Written::Stranger, |ground, attack| {
        let policy = match attack {
            PythonClass => "python: 'evil:Policy'".to_owned(),
            _ => ground.target(attack, "yaml")?,
        };
        let server = ground.server.as_ref()?;
        let watched = server.post("/api/watch", &json!({ "game": { "name": "clay_bean" }, "policy": &policy }));
        let hinted = server.post("/api/place", &json!({ "game": { "name": "clay_bean" }, "hint": &policy }));
        Some(Said { is_refused: watched.is_refused && hinted.is_refused, text: watched.text + &hinted.text })
    }),
    ("the level that a client names", Written::Stranger, |ground, attack| {
        let level = ground.target(attack, "yaml")?;
        Some(ground.server.as_ref()?.post("/api/game", &json!({ "name": "clay_bean", "level": level })))
    }),
    ("the game that a client names", Written::Stranger, |ground, attack| {
        let name = ground.target(attack, "yaml")?;
        Some(ground.server.as_ref()?.post("/api/game", &json!({ "name": name })))
    }),
];

/// The codes with one of which an attack is refused; any, where there are none.
fn codes(written: Written, attack: Attack) -> &'static [&'static str] {
    match (written, attack) {
        // What is not taken for a file at all is an unknown name.
        (Written::Stranger, Outside | Up | Link | Device | Pipe) => &[
            "file-outside-folder",
            "files-in-trace",
            "unknown-policy",
            "unknown-level",
            "unknown-name",
            "unknown-game",
        ],
        (_, Outside | Up | Link | Device) => &["file-outside-folder"],
        (_, Pipe) => &["file-unreadable", "wrong-weather-table"],
        (_, Plugin) => &["plugin-not-allowed"],
        (Written::Stranger, Huge) => &["game-too-large"],
        // The header of a run has no room for so long a text.
        (Written::Stranger, LongAliases) => &["too-many-aliases", "value-not-yaml", "wrong-claim"],
        (_, AliasBomb | LongAliases) => &["too-many-aliases", "value-not-yaml"],
        _ => &[],
    }
}

#[test]
fn no_reader_does_what_a_text_of_others_tries() {
    let ground = Ground::new();
    let mut wrong = Vec::new();
    let mut tries = 0;
    for (reader, written, read) in READERS {
        for attack in ATTACKS {
            let Some(said) = read(&ground, attack) else { continue };
            tries += 1;
            // What the user writes is the user's: the file is read, and found to be no table; nothing of it is shown even so.
            let codes: &[&str] = match (written, attack) {
                (Written::User, Outside | Device) => &["wrong-weather-table"],
                _ => codes(*written, attack),
            };
            let has_code = codes.is_empty() || codes.iter().any(|code| said.text.contains(code));
            if !said.is_refused || !has_code || said.text.contains(SECRET) {
                let text: String = said.text.chars().take(1500).collect();
                wrong.push(format!("{reader}, {attack:?}, expected one of {codes:?}:\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tries}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(tries > 150 || ground.server.is_none(), "{tries} tries");
    assert!(!Path::new("ran").exists() && !ground.own("ran").exists(), "a class was imported");
}

/// Of a file that a stranger names nothing is told, not even whether it is there.
#[test]
fn nothing_tells_a_stranger_which_files_there_are() {
    let ground = Ground::new();
    let there = ground.folder.file("secret.csv");
    let missing = ground.folder.file("sacred.csv");
    let said = |file: &str| {
        let set = json!(["fields.Field-0.entities.0.Weather.file", file]);
        let run = ground.forged_run(|header| header["set"].as_array_mut().unwrap().push(set));
        let mut all = Vec::new();
        for command in ["verify", "score", "leaderboard"] {
            all.push(tried(&["agents", command, &run]).text);
        }
        if let Some(server) = &ground.server {
            let yaml =
                format!("name: x\nextends: clay_bean\nchanges: {{fields.Field-0.entities.0.Weather.file: '{file}'}}\n");
            let game = json!({ "name": "clay_bean", "yaml": yaml });
            all.push(server.post("/api/check", &game).text.split("\r\n\r\n").nth(1).unwrap().to_owned());
            let policy = json!({ "game": { "name": "clay_bean" }, "policy": file });
            all.push(server.post("/api/watch", &policy).text.split("\r\n\r\n").nth(1).unwrap().to_owned());
        }
        all.iter().map(|text| text.replace(file, "FILE")).collect::<Vec<_>>()
    };
    assert_eq!(said(&there), said(&missing));
}

/// Whoever trusts a run says so; what it names lies in the folder of its game even then.
#[test]
fn a_run_that_is_trusted_reads_no_file_elsewhere_either() {
    let ground = Ground::new();
    for attack in [Outside, Device] {
        let run = ground.run_with_changes(attack);
        let said = tried(&["agents", "verify", &run, "--allow-files"]);
        assert!(said.is_refused && said.text.contains("file-outside-folder"), "{}", said.text);
        assert!(!said.text.contains(SECRET));
    }
}

/// What a header says of lives and sizes is bounded, whoever wrote it.
#[test]
fn a_run_of_endless_lives_is_refused_in_time() {
    let ground = Ground::new();
    for lifetime in [2_000_000_u64, 200_000_000, u64::from(u32::MAX)] {
        let run = ground.forged_run(|header| header["conduct"]["lifetime"] = json!(lifetime));
        for command in ["verify", "score"] {
            let said = tried(&["agents", command, &run]);
            assert!(said.is_refused, "{command} {lifetime}: {}", said.text);
        }
    }
}

/// A trace or a header that is no regular file is not opened.
#[test]
fn a_run_of_pipes_and_links_is_refused_in_time() {
    let ground = Ground::new();
    let run = ground.run.display().to_string();
    let trace = std::fs::read_dir(&ground.run).unwrap().map(|entry| entry.unwrap().path());
    let trace = trace.into_iter().find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap();
    for file in [trace, ground.run.join("run.json")] {
        std::fs::remove_file(&file).unwrap();
        assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
        for command in ["verify", "score", "leaderboard"] {
            let said = tried(&["agents", command, &run]);
            assert!(said.is_refused, "{command} {}: {}", file.display(), said.text);
        }
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("../secret.yaml", &file).unwrap();
        let said = tried(&["agents", "verify", &run]);
        assert!(said.is_refused && !said.text.contains(SECRET), "{}", said.text);
    }
}

/// Files have a largest size, and their length is looked at while they are read: these take no room on a disk.
#[test]
fn files_that_are_too_large_are_not_read() {
    let ground = Ground::new();
    let sized = |name: &str, megabytes: u64| {
        let path = ground.own(name);
        std::fs::File::create(&path).unwrap().set_len(megabytes * 1024 * 1024 + 1).unwrap();
    };
    sized("large_part.yaml", 8);
    let game = ground.write("game.yaml", "name: mine\nextends: clay_bean\nscore: large_part.yaml\n");
    let said = tried(&["check", &game]);
    assert!(said.is_refused && said.text.contains("larger than 8 MB"), "{}", said.text);
    sized("large_table.csv", 64);
    let changes = "changes: {fields.Field-0.entities.0.Weather.file: large_table.csv}";
    let game = ground.write("game.yaml", &format!("name: mine\nextends: clay_bean\n{changes}\n"));
    let said = tried(&["check", &game]);
    assert!(said.is_refused && said.text.contains("larger than 64 MB"), "{}", said.text);
}

/// A user's own file may be larger than what a stranger may send.
#[test]
fn a_file_of_the_user_may_be_large() {
    let ground = Ground::new();
    let text = ground.game(Huge).replace("1000", "100");
    let game = ground.write("large.yaml", &text);
    farm(&["run", &game, "--policy", "wait", "--set", "rules.BasicRule.max_steps=1"]).says(0, &[]);
    let Some(server) = &ground.server else { return };
    let said = server.post("/api/game", &json!({ "name": "clay_bean", "yaml": text }));
    assert!(said.is_refused, "{}", said.text);
    for words in ["game-too-large", "10000 plots", "at most 16.0 MB", "your own files may be larger"] {
        assert!(said.text.contains(words), "`{words}` is missing in {}", said.text);
    }
}

/// Each promise of `SECURITY.md` names a test, and each of these is there.
#[test]
fn every_promise_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let promises = text.split("## What we promise").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let rows: Vec<&str> =
        promises.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Promise")).collect();
    assert!(rows.len() >= 15, "{} promises", rows.len());
    for row in rows {
        let tests = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for name in named {
            let (file, test) = name.split_once(": ").unwrap_or_else(|| panic!("`FILE: TEST` is meant: {name}"));
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let is_there =
                [format!("fn {test}("), format!("def {test}(")].iter().any(|begin| source.contains(begin.as_str()));
            assert!(is_there, "{file} has no test `{test}`");
        }
    }
}
