//! A results file.

use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{Document, Excerpt, Location, Path, Problem, Problems, read_text};
use serde_json::{Map, Value as Json, json};

use crate::errors::ResultsError;

/// The schema name in results files.
pub const SCHEMA: &str = "farm_gym.results/2";

/// A policy's returns for some seeds, with everything needed to reproduce them.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultsFile {
    /// The file's path.
    pub source: String,
    /// The game's name.
    pub game: String,
    /// The game's id in Gymnasium; none for a game outside the catalogue.
    pub game_id: Option<String>,
    /// The compiled game's fingerprint.
    pub fingerprint: u64,
    /// The arguments that open the game, such as `preset` and `set`.
    pub arguments: Map<String, Json>,
    /// The policy.
    pub policy: PolicyName,
    /// Its training seed, if it was trained.
    pub training_seed: Option<i64>,
    /// The seed of the first episode; each later episode has the next seed.
    pub first_seed: u64,
    /// The undiscounted return of each episode.
    pub returns: Vec<f64>,
    /// The number of episodes that exceeded one of the game's limits; none if the game has no limits, or if these episodes were not
    /// counted.
    pub over_limit: Option<usize>,
    /// The command that reproduces the results.
    pub made_by: MadeBy,
}

/// A policy's identity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyName {
    /// Its name in tables.
    pub name: String,
    /// Its origin: `trained`, `named`, `tuned`, `planned`, or `hindsight` if it was planned with knowledge of the future.
    pub kind: String,
    /// The algorithm that trained it.
    pub algo: Option<String>,
    /// `sampled` or `greedy` actions.
    pub mode: Option<String>,
}

/// The kinds of policies.
const KINDS: [&str; 5] = [TRAINED, "named", "tuned", "planned", HINDSIGHT];
/// The kind of trained policies.
const TRAINED: &str = "trained";
/// The kind of policies that were planned with knowledge of the future.
const HINDSIGHT: &str = "hindsight";

impl PolicyName {
    /// Whether it knew the future, which excludes it from comparisons for the best policy.
    pub fn is_hindsight(&self) -> bool {
        self.kind == HINDSIGHT
    }

    /// Whether it was trained.
    pub fn is_trained(&self) -> bool {
        self.kind == TRAINED
    }

    /// The name without the mode, such as `ppo` for `ppo (greedy)`.
    pub fn learner(&self) -> &str {
        let mode = self.mode.as_ref().and_then(|mode| self.name.strip_suffix(&format!(" ({mode})")));
        mode.unwrap_or(&self.name)
    }
}

/// A result's origin.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeBy {
    /// The command.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// The machine: its system, processor and number of cores.
    pub machine: Map<String, Json>,
    /// The evaluation's CPU time, in seconds.
    pub cpu_seconds: f64,
}

impl ResultsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The file can't be read or has errors. Each error names its line, column and field.
    pub fn read(path: &FilePath) -> Result<Self, Problems> {
        let source = path.display().to_string();
        let text = read_text(path).map_err(|problem| {
            let location = Some(Location::new(source.clone(), None));
            Problems(vec![Problem { location, ..*problem }])
        })?;
        Self::parse(&source, &text)
    }

    /// Parses a string. `source` is its name in messages.
    ///
    /// # Errors
    /// As for [`ResultsFile::read`].
    pub fn parse(source: &str, text: &str) -> Result<Self, Problems> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            let message = format!("the file is not JSON: {error}");
            let mut problem = Problem::new(ResultsError::NotResults, Path::default(), message);
            let position = (error.line(), error.column().max(1));
            let excerpt = Excerpt::new(&text.into(), position, None, "");
            problem.location = Some(Location::new(source, Some(position)).with_excerpt(excerpt));
            Problems(vec![problem.help(AGAIN)])
        })?;
        let mut fields = Fields { problems: Problems::default() };
        let read = fields.results(source, &json);
        match read.filter(|_| !fields.problems.has_errors()) {
            Some(read) => Ok(read),
            // Lines are looked up only if there are errors, which works because JSON is also YAML.
            None => Err(match Document::parse(source, text) {
                Ok(document) => document.locate(fields.problems),
                Err(_) => fields.problems,
            }),
        }
    }

    /// The seeds of the episodes, in their order.
    pub fn seeds(&self) -> Range<u64> {
        self.first_seed..self.first_seed + self.returns.len() as u64
    }

    /// The file's text, as JSON with one line for each field. It is only for policies that were not trained, because Python writes the
    /// results of trained policies.
    pub fn text(&self) -> String {
        let Json::Object(fields) = self.json() else { return String::new() };
        let lines: Vec<String> = fields.iter().map(|(key, value)| format!(" \"{key}\": {value}")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    fn json(&self) -> Json {
        let mut policy = json!({"name": self.policy.name, "kind": self.policy.kind});
        for (key, value) in [("algo", &self.policy.algo), ("mode", &self.policy.mode)] {
            if let Some(value) = value {
                policy[key] = json!(value);
            }
        }
        let mut evaluation =
            json!({"first_seed": self.first_seed, "episodes": self.returns.len(), "returns": self.returns});
        if let Some(over_limit) = self.over_limit {
            evaluation["over_limit"] = json!(over_limit);
        }
        json!({
            "schema": SCHEMA,
            "game": self.game,
            "game_id": self.game_id,
            "fingerprint": format!("{:016x}", self.fingerprint),
            "arguments": self.arguments,
            "policy": policy,
            "evaluation": evaluation,
            "made_by": {
                "command": self.made_by.command,
                "cpu_seconds": self.made_by.cpu_seconds,
                "version": self.made_by.version,
                "machine": self.made_by.machine,
            },
        })
    }

    /// The file's path in a results folder: `GAME/POLICY.json`, where GAME includes the game's changes.
    pub fn path(&self) -> PathBuf {
        let mut game = self.game.clone();
        for value in self.arguments.values() {
            game = format!("{game}+{}", value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        PathBuf::from(plain(&game)).join(format!("{}.json", plain(&self.policy.name)))
    }
}

/// Help for a broken file.
const AGAIN: &str = "regenerate the file with the command that made it, or remove it";

/// Converts a name to a file name: characters other than letters, digits and `-_.+` become `_`.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_+".contains(c) || c == '.';
    let text: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if text.trim_start_matches('.').is_empty() { format!("_{text}") } else { text }
}

/// Reads a file's fields and collects their errors.
struct Fields {
    problems: Problems,
}

impl Fields {
    fn results(&mut self, source: &str, json: &Json) -> Option<ResultsFile> {
        let root = Path::default();
        if !json.is_object() {
            return self.wrong(json, root, "an object with the fields of results");
        }
        let schema = self.text(json, &root, "schema")?;
        if schema != SCHEMA {
            return self.wrong(&json["schema"], root.child("schema"), &format!("`{SCHEMA}`"));
        }
        let game = self.text(json, &root, "game");
        let game_id = json.get("game_id").and_then(Json::as_str).map(str::to_owned);
        let fingerprint = self.text(json, &root, "fingerprint").and_then(|text| {
            let number = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
            number.or_else(|| self.wrong(&json["fingerprint"], root.child("fingerprint"), "sixteen hexadecimal digits"))
        });
        let arguments = self.object(json, &root, "arguments");
        let policy = self.policy(json, &root);
        let evaluation = self.evaluation(json, &root);
        let training_seed = json.get("training").and_then(|training| match training["seed"].as_i64() {
            Some(seed) => Some(seed),
            None => self.wrong(&training["seed"], root.child("training").child("seed"), "an integer"),
        });
        let made_by = self.made_by(json, &root);
        let Evaluation { first_seed, returns, over_limit } = evaluation?;
        Some(ResultsFile {
            source: source.to_owned(),
            game: game?,
            game_id,
            fingerprint: fingerprint?,
            arguments: arguments?,
            policy: policy?,
            training_seed,
            first_seed,
            returns,
            over_limit,
            made_by: made_by?,
        })
    }

    fn policy(&mut self, json: &Json, root: &Path) -> Option<PolicyName> {
        let path = root.child("policy");
        let policy = Json::Object(self.object(json, root, "policy")?);
        let (name, kind) = (self.text(&policy, &path, "name"), self.text(&policy, &path, "kind"));
        let kind = kind.filter(|kind| {
            let is_known = KINDS.contains(&kind.as_str());
            if !is_known {
                let problem = Problem::new(ResultsError::NotResults, path.child("kind"), "unknown kind of policy");
                self.problems.push(problem.value(kind).among(kind, KINDS));
            }
            is_known
        });
        let word = |key: &str| policy.get(key).and_then(Json::as_str).map(str::to_owned);
        Some(PolicyName { name: name?, kind: kind?, algo: word("algo"), mode: word("mode") })
    }

    fn evaluation(&mut self, json: &Json, root: &Path) -> Option<Evaluation> {
        let path = root.child("evaluation");
        let evaluation = Json::Object(self.object(json, root, "evaluation")?);
        let first_seed = self.count(&evaluation, &path, "first_seed");
        let episodes = self.count(&evaluation, &path, "episodes");
        let returns = self.returns(&evaluation, &path);
        let (first_seed, episodes, returns) = (first_seed?, episodes?, returns?);
        if episodes != returns.len() as u64 {
            let message = format!("{} returns for {episodes} episodes", returns.len());
            let problem = Problem::new(ResultsError::NotResults, path.child("returns"), message);
            self.problems.push(problem.expected("a return for each episode").help(AGAIN));
            return None;
        }
        if first_seed.checked_add(episodes).is_none() {
            return self.wrong(
                &evaluation["first_seed"],
                path.child("first_seed"),
                "a seed with a valid seed for each episode",
            );
        }
        let counted = evaluation.get("over_limit");
        let over_limit = counted.and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok());
        if let Some(counted) = counted.filter(|_| over_limit.is_none_or(|n| n > returns.len())) {
            let expected = format!("a number of episodes, at most {episodes}");
            return self.wrong(counted, path.child("over_limit"), &expected);
        }
        Some(Evaluation { first_seed, returns, over_limit })
    }

    fn made_by(&mut self, json: &Json, root: &Path) -> Option<MadeBy> {
        let path = root.child("made_by");
        let made_by = Json::Object(self.object(json, root, "made_by")?);
        let command = self.text(&made_by, &path, "command");
        let version = self.text(&made_by, &path, "version");
        let machine = self.object(&made_by, &path, "machine");
        let cpu_seconds = made_by["cpu_seconds"]
            .as_f64()
            .or_else(|| self.wrong(&made_by["cpu_seconds"], path.child("cpu_seconds"), "a number of seconds"));
        Some(MadeBy { command: command?, version: version?, machine: machine?, cpu_seconds: cpu_seconds? })
    }

    fn text(&mut self, json: &Json, path: &Path, key: &str) -> Option<String> {
        let value = &json[key];
        value.as_str().map(str::to_owned).or_else(|| self.wrong(value, path.child(key), "a string"))
    }

    fn object(&mut self, json: &Json, path: &Path, key: &str) -> Option<Map<String, Json>> {
        let value = &json[key];
        value.as_object().cloned().or_else(|| self.wrong(value, path.child(key), "an object"))
    }

    fn count(&mut self, json: &Json, path: &Path, key: &str) -> Option<u64> {
        let value = &json[key];
        value.as_u64().or_else(|| self.wrong(value, path.child(key), "an integer, 0 or more"))
    }

    fn returns(&mut self, json: &Json, path: &Path) -> Option<Vec<f64>> {
        let path = path.child("returns");
        let Some(items) = json["returns"].as_array().filter(|items| !items.is_empty()) else {
            return self.wrong(&json["returns"], path, "a non-empty list");
        };
        let mut all = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            match item.as_f64().filter(|number| number.is_finite()) {
                Some(number) => all.push(number),
                None => return self.wrong(item, path.child(i), "a number"),
            }
        }
        Some(all)
    }

    fn wrong<T>(&mut self, value: &Json, path: Path, expected: &str) -> Option<T> {
        let field = path.to_string();
        let message = match value {
            Json::Null => format!("the results lack `{field}`"),
            _ => format!("`{field}` is not valid in results"),
        };
        let problem = Problem::new(ResultsError::NotResults, path, message).expected(expected.to_owned()).help(AGAIN);
        self.problems.push(if value.is_null() { problem } else { problem.value(shortened(value)) });
        None
    }
}

/// The episodes in a file.
struct Evaluation {
    first_seed: u64,
    returns: Vec<f64>,
    over_limit: Option<usize>,
}

/// A value, shortened for messages.
fn shortened(value: &Json) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { text.chars().take(57).chain("...".chars()).collect() }
}

/// All results files at these paths, sorted by name. A folder contributes all its files that end in `.json`.
///
/// # Errors
/// A path can't be read, no file is found, or files have errors.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<ResultsFile>, Problems> {
    let mut files = Vec::new();
    let mut problems = Problems::default();
    for path in paths {
        if path.is_dir() { find(path, &mut files, &mut problems) } else { files.push(path.clone()) }
    }
    files.sort();
    files.dedup();
    if files.is_empty() && !problems.has_errors() {
        let shown = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        let mut problem = Problem::new(ResultsError::NoResults, Path::default(), "there are no results files");
        problem.location = Some(Location::new(shown, None));
        problems.push(problem.expected("files that end in .json").help("farm eval GAME --results results"));
    }
    let mut results = Vec::new();
    for file in &files {
        match ResultsFile::read(file) {
            Ok(read) => results.push(read),
            Err(others) => problems.0.extend(others.0),
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(results) }
}

fn find(folder: &FilePath, files: &mut Vec<PathBuf>, problems: &mut Problems) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!("the folder can't be read: {error}");
            let mut problem = Problem::new(ResultsError::NoResults, Path::default(), message);
            problem.location = Some(Location::new(folder.display().to_string(), None));
            problems.push(problem);
            return;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        // Links are not followed: they may form loops, or point to any file in a third party's folder. A pipe would never end.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(&path, files, problems),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|ending| ending == "json") => files.push(path),
            _ => {}
        }
    }
}
