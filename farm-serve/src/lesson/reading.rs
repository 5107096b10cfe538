//! Reads lessons.

use std::path::Path as FilePath;
use std::sync::Arc;

use farm_core::config::{
    Document, Location, NameError, ParameterError, Path, Problem, Problems, check_table, read_text, to_inline_yaml,
};
use farm_core::rules::Formula;
use farm_core::serde_yaml::{self, Value};
use serde_json::{Value as Json, json};

use super::format::{Both, Card, LessonFile, REQUIRED, keys};
use super::shipped::SHIPPED;
use crate::games::Games;
use crate::playground::Choice;

/// The page that describes the format.
const HELP: &str = "docs/lessons.md describes the keys of a lesson";

/// A lesson that was read.
#[derive(Debug, Clone)]
pub struct Lesson {
    pub(super) file: LessonFile,
    /// The choice of the game for each card.
    seasons: Vec<Choice>,
    /// The conditions of each card's checks.
    pub(super) checks: Vec<Vec<Formula>>,
}

impl Lesson {
    /// Reads a lesson by name, if it comes with the project, or by the path to its YAML file.
    ///
    /// # Errors
    /// The name is unknown, or the file has errors. All errors have a location.
    pub fn read(lesson: &str) -> Result<Self, Problems> {
        if let Some((name, text)) = SHIPPED.iter().find(|(name, _)| *name == lesson) {
            return Self::parse(&format!("{name}.yaml"), text);
        }
        if !farm_games::is_file(lesson) {
            let message = format!("unknown lesson `{lesson}`");
            let problem = Problem::new(NameError::UnknownName, Path::default(), message).value(lesson);
            let problem = problem.among(lesson, SHIPPED.iter().map(|(name, _)| *name));
            return Err(Problems(vec![problem.help("pass the path of your own lesson, such as `./lesson.yaml`")]));
        }
        let text = read_text(FilePath::new(lesson)).map_err(|problem| {
            let location = Some(Location::new(lesson, None));
            Problems(vec![Problem { location, ..*problem }])
        })?;
        Self::parse(lesson, &text)
    }

    /// Parses a string as if it were a file with this name.
    ///
    /// # Errors
    /// As for [`Lesson::read`].
    pub fn parse(source: &str, text: &str) -> Result<Self, Problems> {
        let document = Document::parse(source, text)?;
        let file = read_file(&document)?;
        let mut problems = Problems::default();
        let mut lesson = Self { file, seasons: Vec::new(), checks: Vec::new() };
        lesson.resolve(&mut problems);
        if problems.has_errors() { Err(document.locate(problems)) } else { Ok(lesson) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The names of its games, each once.
    pub fn games(&self) -> Vec<String> {
        let mut names: Vec<String> = self.seasons.iter().map(|season| season.name.clone()).collect();
        names.dedup();
        names
    }

    /// The season of a card.
    pub(super) fn season(&self, card: usize) -> Option<&Choice> {
        self.seasons.get(card)
    }

    /// Opens the game of each card, and resolves its checks.
    fn resolve(&mut self, problems: &mut Problems) {
        let cards = Path::default().child("cards");
        if self.file.cards.is_empty() {
            problems.push(Problem::new(ParameterError::EmptyList, cards, "the lesson has no cards").help(HELP));
            return;
        }
        let mut game = None;
        for (i, card) in self.file.cards.iter().enumerate() {
            let path = cards.child(i);
            check_texts(card, &path, problems);
            if let Some(season) = &card.season {
                let path = path.child("season");
                let choice = Choice {
                    name: season.game.clone(),
                    preset: Some(season.preset.clone()).filter(|preset| !preset.is_empty()),
                    days: Some(season.days).filter(|days| *days > 0),
                    ..Choice::default()
                };
                match crate::playground::open_shipped(&choice) {
                    Ok(opened) => {
                        let policies = opened.spec().policies();
                        if season.played > 0 && !policies.contains_key(&season.played_by) {
                            let message = format!("`{}` has no policy `{}`", season.game, season.played_by);
                            let problem = Problem::new(NameError::UnknownName, path.child("played_by"), message);
                            let names = policies.keys().map(String::as_str);
                            problems.push(problem.value(&season.played_by).among(&season.played_by, names));
                        }
                        game = Some((choice, Arc::new(opened)));
                    }
                    Err(others) => {
                        game = None;
                        problems.0.extend(others.0.into_iter().map(|problem| Problem {
                            path: path.child("game"),
                            location: None,
                            ..problem
                        }));
                    }
                }
            } else if i == 0 {
                let problem =
                    Problem::new(ParameterError::MissingKey, path.child("season"), "the first card lacks `season`");
                problems.push(problem.expected("the season that it starts, such as `{game: clay_bean, preset: 4x3}`"));
            }
            let Some((choice, game)) = &game else { continue };
            self.seasons.push(choice.clone());
            let formula = |(j, check): (usize, &super::format::Check)| {
                Formula::parse(
                    &check.when.0,
                    game.names(),
                    false,
                    &path.child("checks").child(j).child("when"),
                    problems,
                )
            };
            self.checks.push(card.checks.iter().enumerate().map(formula).collect());
        }
    }

    /// The lesson in a list.
    fn listed(&self) -> Json {
        let LessonFile { name, title, learns, minutes, cards } = &self.file;
        json!({ "name": name, "title": both(title), "learns": both(learns), "minutes": minutes, "cards": cards.len() })
    }

    /// The whole lesson, for the page.
    pub(crate) fn told(&self) -> Json {
        let card = |(i, card): (usize, &Card)| {
            let question = card.question.as_ref().map(|question| {
                json!({
                    "text": both(&question.text), "answers": question.answers.iter().map(both).collect::<Vec<_>>(),
                    "right": question.right - 1, "because": both(&question.because),
                })
            });
            let season = card.season.as_ref().map(|season| {
                json!({ "game": self.season(i), "seed": season.seed, "played": season.played, "played_by": season.played_by })
            });
            json!({
                "title": both(&card.title), "task": both(&card.task), "season": season, "question": question, "teacher": both(&card.teacher),
                "checks": card.checks.iter().map(|check| both(&check.text)).collect::<Vec<_>>(),
            })
        };
        let mut told = self.listed();
        told["cards"] = self.file.cards.iter().enumerate().map(card).collect();
        told
    }
}

fn both(text: &Both) -> Json {
    json!({ "en": text.en, "fr": if text.fr.is_empty() { &text.en } else { &text.fr } })
}

fn read_file(document: &Document) -> Result<LessonFile, Problems> {
    let value = document.value();
    let mut problems = Problems::default();
    check_table(value, &keys(), &Path::default(), &HELP.into(), &mut problems);
    for key in REQUIRED.iter().filter(|key| value.get(**key).is_none_or(Value::is_null)) {
        let message = format!("the lesson lacks `{key}`");
        problems.push(Problem::new(ParameterError::MissingKey, Path::default().child(*key), message).help(HELP));
    }
    if problems.has_errors() {
        return Err(document.locate(problems));
    }
    serde_yaml::from_value(value.clone()).map_err(|error| {
        let problem =
            Problem::new(ParameterError::WrongType, Path::default(), format!("this is not a lesson: {error}"));
        document.locate(Problems(vec![problem.value(to_inline_yaml(value))]))
    })
}

/// Checks what a card must have.
fn check_texts(card: &Card, path: &Path, problems: &mut Problems) {
    for (key, text) in [("title", &card.title), ("task", &card.task)] {
        if text.en.is_empty() {
            let problem = Problem::new(ParameterError::MissingKey, path.child(key), format!("the card lacks `{key}`"));
            problems.push(problem.expected("`{en: TEXT, fr: TEXT}`"));
        }
    }
    let Some(question) = &card.question else { return };
    let path = path.child("question");
    if question.answers.len() < 2 {
        let problem =
            Problem::new(ParameterError::EmptyList, path.child("answers"), "the question has fewer than two answers");
        problems.push(problem.expected("two answers or more"));
    } else if question.right as usize > question.answers.len() {
        let message = format!("the question has {} answers", question.answers.len());
        let problem = Problem::new(ParameterError::ValueOutOfRange, path.child("right"), message).value(question.right);
        problems.push(problem.expected("the number of the right answer, from 1"));
    }
}

/// The lessons of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lessons(Vec<Arc<Lesson>>);

impl Lessons {
    /// The lessons that come with the project, behind the given ones. Of each, the games must be served, so others are left out.
    pub(crate) fn of(given: &[Lesson], games: &Games) -> Self {
        let shipped = SHIPPED.iter().filter(|(name, _)| given.iter().all(|own| own.name() != *name));
        let shipped = shipped.filter_map(|(name, _)| Lesson::read(name).ok());
        let all = given.iter().cloned().chain(shipped);
        Self(all.filter(|lesson| lesson.games().iter().all(|game| games.find(game).is_ok())).map(Arc::new).collect())
    }

    /// The lessons as a list.
    pub(crate) fn listed(&self) -> Vec<Json> {
        self.0.iter().map(|lesson| lesson.listed()).collect()
    }

    /// The lesson with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Lesson>> {
        self.0.iter().find(|lesson| lesson.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lessons_of_the_project_have_no_errors() {
        for (name, _) in SHIPPED {
            match Lesson::read(name) {
                Ok(lesson) => assert_eq!(lesson.name(), *name),
                Err(problems) => panic!("{problems}"),
            }
        }
    }
}
