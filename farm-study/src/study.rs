//! Reads studies.

use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{
    Consent, Document, FileError, Location, Origin, ParameterError, Path, Problem, Problems, Text, TextPath, Trust,
    are_outside_files_allowed_by_environment, check_table, read_text, to_inline_yaml,
};
use farm_core::serde_yaml::{self, Value};
use farm_games::GameDocument;
use farm_games::farm_scoring::risk::Criterion;

use crate::errors::StudyError;
use crate::expression::{Names, WrongExpression};
use crate::format::{REQUIRED, StudyFile, keys};
use crate::shipped;

/// A parsed study. Play it with [`Study::run`].
#[derive(Debug)]
pub struct Study {
    pub(crate) document: Document,
    pub(crate) file: StudyFile,
    pub(crate) game: GameDocument,
    pub(crate) panels: Vec<Group>,
    pub(crate) lines: Vec<Group>,
    pub(crate) risk: Option<Criterion>,
}

/// A panel or line: its title and named values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub title: String,
    pub values: Names,
}

/// The location of files that a study names.
#[derive(Debug, Clone)]
pub(crate) enum Files {
    /// A folder.
    Folder(PathBuf),
    /// The folder with this name, embedded in the program.
    Shipped(&'static str),
}

impl Study {
    /// Reads a study by name, if it comes with the project, or by the path to its YAML file.
    ///
    /// # Errors
    /// The name is unknown, or the file, or a file that it names, has errors. All errors have a location.
    pub fn read(study: &str) -> Result<Self, Problems> {
        if let Some(found) = shipped::find(study) {
            return Self::of(found.file, found.text, &Files::Shipped(found.folder));
        }
        if !farm_games::is_file(study) {
            let message = format!("unknown study `{study}`");
            let problem = Problem::new(StudyError::UnknownStudy, Path::default(), message).value(study);
            let problem = problem.among(study, shipped::SHIPPED.iter().map(|known| known.name));
            return Err(Problems(vec![problem.help("pass the path of your own study, such as `./study.yaml`")]));
        }
        let path = FilePath::new(study);
        let text = read_text(path).map_err(|problem| {
            let location = Some(Location::new(study, None));
            Problems(vec![Problem { location, ..*problem }])
        })?;
        let folder = path.parent().map_or_else(PathBuf::new, FilePath::to_path_buf);
        Self::of(study, &text, &Files::Folder(folder))
    }

    /// Parses a string as if it were a file with this name in the current folder.
    ///
    /// # Errors
    /// As for [`Study::read`].
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        Self::of(name, text, &Files::Folder(PathBuf::new()))
    }

    fn of(source: &str, text: &str, files: &Files) -> Result<Self, Problems> {
        let document = Document::parse(source, text)?;
        let file = read_file(&document)?;
        let mut problems = Problems::default();
        let panels = groups(&file.panels.0, "panels", files, &mut problems);
        let lines = groups(&file.lines.0, "lines", files, &mut problems);
        check(&file, &panels, &lines, &mut problems);
        let risk = risk(&file, &mut problems);
        let game = game(&file.game.0, &document, files);
        let problems = document.locate(problems);
        match game {
            Ok(game) if !problems.has_errors() => Ok(Self { document, file, game, panels, lines, risk }),
            Ok(_) => Err(problems),
            Err(others) => Err(Problems(problems.0.into_iter().chain(others.0).collect())),
        }
    }

    /// The file's content.
    pub fn file(&self) -> &StudyFile {
        &self.file
    }

    /// Sets the number of episodes per point, which replaces the number in the file.
    #[must_use]
    pub fn with_seeds(mut self, seeds: u32) -> Self {
        self.file.seeds = seeds.max(1);
        self
    }

    /// The location of a value in the study, in the form used in messages: `nitrogen.yaml:12:5`.
    pub(crate) fn place(&self, path: &Path) -> String {
        let origin = TextPath { text: 0, path: path.clone() };
        let location = self.document.locations([&origin]).pop().flatten();
        location.map_or_else(|| self.document.source().to_owned(), |location| location.to_string())
    }

    /// Adds locations in the study to problems.
    pub(crate) fn located(&self, problems: Problems) -> Problems {
        self.document.locate(problems)
    }
}

/// The problem for an expression at a location in a study.
pub(crate) fn wrong_expression(wrong: WrongExpression, path: &Path) -> Problem {
    let mut problem = Problem::new(StudyError::WrongExpression, path.clone(), wrong.message).value(wrong.text);
    problem.expected = wrong.expected.map(Into::into);
    problem.nearest = wrong.nearest;
    problem
}

fn read_file(document: &Document) -> Result<StudyFile, Problems> {
    let value = document.value();
    let mut problems = Problems::default();
    if !value.is_mapping() {
        let problem =
            Problem::new(StudyError::NotAStudy, Path::default(), "this is not a study: expected a mapping of keys");
        return Err(document.locate(Problems(vec![problem.value(to_inline_yaml(value))])));
    }
    let help = "docs/studies.md describes the keys of a study".into();
    check_table(value, &keys(), &Path::default(), &help, &mut problems);
    for key in REQUIRED.iter().filter(|key| value.get(**key).is_none_or(Value::is_null)) {
        let message = format!("the study lacks `{key}`");
        let problem = Problem::new(ParameterError::MissingKey, Path::default().child(*key), message);
        problems.push(problem.expected(match *key {
            "name" => "the name of the study",
            "game" => "the name of a game, the path of a file, or a game",
            _ => "the measure, `{of: [{variable: [FIELD, ENTITY, VARIABLE]}]}`",
        }));
    }
    if problems.has_errors() {
        return Err(document.locate(problems));
    }
    serde_yaml::from_value(value.clone()).map_err(|error| {
        let problem = Problem::new(StudyError::NotAStudy, Path::default(), format!("this is not a study: {error}"));
        document.locate(Problems(vec![problem]))
    })
}

/// The groups in a dimension; default: one group without a title.
fn groups(value: &Value, key: &str, files: &Files, problems: &mut Problems) -> Vec<Group> {
    let path = Path::default().child(key);
    let read = match value {
        Value::Null => return vec![Group { title: String::new(), values: Names::new() }],
        Value::String(file) => match text_of(file, files) {
            Ok((source, text)) => match Document::parse(&source, &text) {
                // Problems of another file are located there.
                Ok(document) => {
                    let mut own = Problems::default();
                    let read = groups_in(document.value(), &Path::default(), &mut own);
                    problems.0.extend(document.locate(own).0);
                    return read;
                }
                Err(others) => {
                    problems.0.extend(others.0);
                    return Vec::new();
                }
            },
            Err(problem) => {
                problems.push(Problem { path, ..*problem });
                return Vec::new();
            }
        },
        other => other,
    };
    groups_in(read, &path, problems)
}

fn groups_in(value: &Value, path: &Path, problems: &mut Problems) -> Vec<Group> {
    let wrong = |value: &Value, path: Path| {
        let message = "expected a mapping from titles to named values";
        let problem = Problem::new(ParameterError::WrongType, path, message).value(to_inline_yaml(value));
        problem.expected("`{corn: {plants: 8}, wheat: {plants: 400}}`")
    };
    let Some(mapping) = value.as_mapping().filter(|mapping| !mapping.is_empty()) else {
        problems.push(wrong(value, path.clone()));
        return Vec::new();
    };
    let mut groups = Vec::new();
    for (title, values) in mapping {
        let title = to_inline_yaml(title);
        let Some(entries) = values.as_mapping() else {
            problems.push(wrong(values, path.child(&title)));
            continue;
        };
        let values = entries.iter().map(|(name, value)| (to_inline_yaml(name), value.clone())).collect();
        groups.push(Group { title, values });
    }
    groups
}

/// The text and path of a file that a study names. It must be a regular file in the study's folder or a subfolder. Otherwise, a third
/// party's study could expose any file, or name a pipe that never ends.
fn within(folder: &FilePath, file: &str) -> Result<(PathBuf, Text), Box<Problem>> {
    let outside_files = are_outside_files_allowed_by_environment();
    let trust = Trust::new(Origin::OwnFile(Consent { outside_files, plugins: false }));
    let found = trust.find(folder, folder, file)?;
    Ok((found.path().to_path_buf(), Text::of_file(&found)?))
}

/// The text of a file that a study names, and the file's name in messages.
fn text_of(file: &str, files: &Files) -> Result<(String, String), Box<Problem>> {
    match files {
        Files::Folder(folder) => {
            let (path, text) = within(folder, file)?;
            Ok((path.display().to_string(), text.as_str().to_owned()))
        }
        Files::Shipped(folder) => match shipped::file(folder, file) {
            Some(text) => Ok((file.to_owned(), text.to_owned())),
            None => Err(Box::new(
                Problem::new(FileError::FileNotFound, Path::default(), format!("there is no file `{file}`"))
                    .value(file),
            )),
        },
    }
}

fn game(written: &Value, document: &Document, files: &Files) -> Result<GameDocument, Problems> {
    let path = Path::default().child("game");
    match written {
        Value::String(name) if farm_games::is_file(name) => match files {
            Files::Folder(folder) => {
                let found = within(folder, name);
                let (found, _) = found
                    .map_err(|problem| document.locate(Problems(vec![Problem { path: path.clone(), ..*problem }])))?;
                GameDocument::read(&found.display().to_string(), Consent::default())
            }
            Files::Shipped(_) => {
                let (source, text) = text_of(name, files).map_err(|problem| Problems(vec![*problem]))?;
                GameDocument::parse(&source, &text)
            }
        },
        Value::String(name) => GameDocument::read(name, Consent::default()).map_err(|mut problems| {
            problems.0.iter_mut().for_each(|problem| problem.path = path.clone());
            document.locate(problems)
        }),
        Value::Mapping(_) => {
            // A game inside the study: its values are below `game`.
            let text = Text::new(document.source(), document.own_text());
            let mut game = Document::assembled(text);
            game.place(&Path::default(), written.clone(), TextPath { text: 0, path });
            GameDocument::of(game)
        }
        other => {
            let problem =
                Problem::new(ParameterError::WrongType, path, "this is not a game").value(to_inline_yaml(other));
            Err(document.locate(Problems(vec![problem.expected("the name of a game, the path of a file, or a game")])))
        }
    }
}

/// The risk criterion that the study names.
fn risk(file: &StudyFile, problems: &mut Problems) -> Option<Criterion> {
    if file.risk.is_empty() {
        return None;
    }
    let path = Path::default().child("risk");
    match file.risk.parse::<Criterion>() {
        Ok(criterion) if criterion.fewest() <= file.seeds as usize => Some(criterion),
        Ok(criterion) => {
            let message = format!("`{criterion}` needs more episodes than the study plays");
            let problem = Problem::new(ParameterError::Contradiction, path, message).value(file.seeds);
            problems.push(problem.expected(format!("{} seeds or more", criterion.fewest())));
            None
        }
        Err(problem) => {
            problems.push(Problem { path, ..*problem });
            None
        }
    }
}

/// Checks everything that can be checked without playing an episode.
fn check(file: &StudyFile, panels: &[Group], lines: &[Group], problems: &mut Problems) {
    let x = &file.x;
    let axis = Path::default().child("x");
    if x.values.windows(2).any(|pair| pair[0] >= pair[1]) {
        let problem =
            Problem::new(ParameterError::WrongRange, axis.child("values"), "the values are not in ascending order");
        problems.push(problem.value(format!("{:?}", x.values)).expected("each value once, in ascending order"));
    }
    for (key, found) in [("names", x.names.len()), ("with", x.with.len())] {
        if found > 0 && found != x.values.len() {
            let message = format!("{found} entries of `{key}` for {} values", x.values.len());
            let problem = Problem::new(ParameterError::Contradiction, axis.child(key), message);
            problems.push(problem.expected("one for each of the values"));
        }
    }
    if file.measure.of.is_empty() {
        let problem = Problem::new(
            ParameterError::EmptyList,
            Path::default().child("measure").child("of"),
            "nothing is measured",
        );
        problems.push(problem.expected("[{variable: [FIELD, ENTITY, VARIABLE]}]"));
    }
    for (i, expectation) in file.expect.iter().enumerate() {
        let path = Path::default().child("expect").child(i);
        let claims = [
            expectation.rises.is_some(),
            expectation.falls.is_some(),
            expectation.saturates.is_some(),
            !expectation.within.is_empty(),
            expectation.best.is_some(),
            expectation.hyperbola.is_some(),
            expectation.versus.is_some(),
        ];
        let said = claims.iter().filter(|said| **said).count();
        if said != 1 {
            let message = if said == 0 { "the expectation has no check" } else { "the expectation has several checks" };
            let problem = Problem::new(StudyError::WrongExpectation, path.clone(), message);
            problems.push(
                problem.expected("one of `rises`, `falls`, `saturates`, `within`, `best`, `hyperbola`, `versus`"),
            );
        }
        if !expectation.within.is_empty() && expectation.within.len() != 2 {
            let problem = Problem::new(ParameterError::WrongRange, path.child("within"), "a range needs two numbers");
            problems.push(problem.expected("the minimum and the maximum, such as `[0.4, 0.8]`"));
        }
        for (key, names, groups) in [("panels", &expectation.panels, panels), ("lines", &expectation.lines, lines)] {
            for (j, name) in
                names.iter().enumerate().filter(|(_, name)| groups.iter().all(|group| group.title != **name))
            {
                let message = format!("the study has no `{name}` among its {key}");
                let problem = Problem::new(StudyError::WrongExpectation, path.child(key).child(j), message);
                problems.push(problem.value(name).among(name, groups.iter().map(|group| group.title.as_str())));
            }
        }
        let ends = [("rises", expectation.rises), ("falls", expectation.falls), ("saturates", expectation.saturates)];
        for (key, [from, to]) in ends.into_iter().filter_map(|(key, ends)| Some((key, ends?))) {
            // The ends must be points, because otherwise a claim would be about other points.
            if from >= to || ![from, to].iter().all(|end| x.values.contains(end)) {
                let problem = Problem::new(
                    StudyError::WrongExpectation,
                    path.child(key),
                    "the ends are not two values of the axis",
                );
                problems.push(problem.value(format!("[{from}, {to}]")).expected(format!("two of {:?}", x.values)));
            }
        }
        if let Some(versus) = &expectation.versus {
            let path = path.child("versus");
            if !versus.line.is_empty() && lines.iter().all(|group| group.title != versus.line) {
                let message = format!("the study has no `{}` among its lines", versus.line);
                let problem = Problem::new(StudyError::WrongExpectation, path.child("line"), message);
                let titles = lines.iter().map(|group| group.title.as_str());
                problems.push(problem.value(&versus.line).among(&versus.line, titles));
            }
            if versus.line.is_empty() && versus.at.is_empty() {
                let message = "values are compared with themselves";
                let problem = Problem::new(StudyError::WrongExpectation, path.clone(), message);
                problems.push(problem.expected("another `line`, or other values in `at`"));
            }
            for (j, at) in versus.at.iter().enumerate().filter(|(_, at)| !x.values.contains(at)) {
                let message = "this is not a value of the axis";
                let problem = Problem::new(StudyError::WrongExpectation, path.child("at").child(j), message);
                problems.push(problem.value(at).expected(format!("one of {:?}", x.values)));
            }
        }
        for (j, at) in expectation.at.iter().enumerate().filter(|(_, at)| !x.values.contains(at)) {
            let message = "this is not a value of the axis";
            let problem = Problem::new(StudyError::WrongExpectation, path.child("at").child(j), message);
            problems.push(problem.value(at).expected(format!("one of {:?}", x.values)));
        }
    }
}
