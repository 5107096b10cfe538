//! Questions that the instructions of a game answer, in `games/GAME.quiz.yaml`: each names the line that answers it and a probe, a few replies
//! after which the game shows the answer.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use farm_core::Environment;
use farm_core::inspect::RulesText;
use farm_core::serde_yaml;
use farm_games::{LevelFile, Options, open};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quiz {
    game: String,
    questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
    answer: String,
    /// What the instructions with shown rules contain.
    lines: Vec<String>,
    probe: Probe,
}

/// How to see the answer in play. At least one of the last five keys says what must be so after the last reply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Probe {
    #[serde(default)]
    seed: u64,
    level: Option<String>,
    #[serde(default)]
    set: BTreeMap<String, serde_yaml::Value>,
    replies: Vec<Reply>,
    reward: Option<f64>,
    total: Option<f64>,
    steps: Option<u32>,
    #[serde(default)]
    shows: Vec<String>,
    #[serde(default)]
    hides: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Reply {
    Once(String),
    Often { reply: String, times: usize },
}

#[test]
fn every_quiz_is_answered_by_the_instructions_and_by_play() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".quiz.yaml"));
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let quiz: Quiz = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(quiz.questions.len(), 10, "{}", path.display());
        let game = open(&quiz.game, &Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        let instructions = game.text().instructions(RulesText::Shown);
        for question in &quiz.questions {
            let place = format!("{}: {} ({})", path.display(), question.question, question.answer);
            assert!(!question.answer.is_empty() && !question.lines.is_empty(), "{place}");
            for line in &question.lines {
                assert!(instructions.contains(line.as_str()), "{place}: `{line}` is not in\n{instructions}");
            }
            question.probe.check(&quiz.game, &place);
        }
    }
}

impl Probe {
    fn check(&self, game: &str, place: &str) {
        let is_checked = self.reward.is_some() || self.total.is_some() || self.steps.is_some();
        assert!(is_checked || !self.shows.is_empty() || !self.hides.is_empty(), "{place}: the probe expects nothing");
        let written = |value: &serde_yaml::Value| serde_yaml::to_string(value).unwrap().trim().to_owned();
        let options = Options {
            set: self.set.iter().map(|(path, value)| (path.clone(), written(value))).collect(),
            level: self.level.as_ref().map(|level| LevelFile::new("quiz.yaml", level)),
            ..Options::default()
        };
        let game = open(game, &options).unwrap_or_else(|problems| panic!("{place}: {problems}"));
        let mut environment = Environment::new(Arc::new(game));
        environment.reset(self.seed);
        let (mut reward, mut total) = (0.0, 0.0);
        for reply in &self.replies {
            let (text, times) = match reply {
                Reply::Once(text) => (text, 1),
                Reply::Often { reply, times } => (reply, *times),
            };
            for _ in 0..times {
                reward = environment.step(text.as_str()).unwrap_or_else(|error| panic!("{place}: {error}")).reward;
                total += reward;
            }
        }
        let shown = environment.text();
        for (what, expected, found) in [("reward", self.reward, reward), ("total", self.total, total)] {
            let Some(expected) = expected else { continue };
            assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{place}: {what} {found}\n{shown}");
        }
        if let Some(steps) = self.steps {
            assert_eq!(environment.state().step(), steps, "{place}\n{shown}");
        }
        for words in &self.shows {
            assert!(shown.contains(words.as_str()), "{place}: `{words}` is not in\n{shown}");
        }
        for words in &self.hides {
            assert!(!shown.contains(words.as_str()), "{place}: `{words}` is in\n{shown}");
        }
    }
}
