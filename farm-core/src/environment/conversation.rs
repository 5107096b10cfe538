//! A game as a conversation: strings in, strings out. It can span several episodes with the same rules.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::Environment;
use crate::game::Game;
use crate::observation::{Precision, Words};
use crate::rng::{hash_name, mix};
use crate::seeds::SeedSplit;
use crate::step::StepError;
use crate::text::{RulesText, TextForm};

/// The text that the player gets after a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The full text: the observation, the reward, what was rejected and why, and the end of the episode.
    pub text: String,
    /// The reward for the step; 0 if no step was taken.
    pub reward: f64,
    /// Whether the conversation is over because the game has terminated.
    pub terminated: bool,
    /// Whether the conversation is over because of the step limit.
    pub truncated: bool,
    /// Whether an episode ended with this reply; more episodes may follow.
    pub is_episode_over: bool,
}

/// How one of a conversation's episodes ended.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct EpisodeEnd {
    /// Why it ended, in words.
    pub(crate) stop: String,
    /// The number of days that have passed.
    pub(crate) steps: u32,
    /// The hash of its last state.
    pub(crate) state: u64,
}

/// One or more episodes of a game, played in words. The episodes have the same rules but different worlds.
///
/// ```
/// # use std::sync::Arc;
/// # use farm_core::{Conversation, Game, StepError, TextForm};
/// # fn talk(game: Arc<Game>) -> Result<(), StepError> {
/// let mut conversation = Conversation::new(game, TextForm::Compact, 1);
/// let first = conversation.reset(42);
/// let reading = conversation.reply("It is dry.\nAction: wait")?;
/// println!("{first}{}", reading.text);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Conversation {
    environment: Environment,
    form: TextForm,
    /// The names used for the arrays in short texts.
    names: Vec<String>,
    /// The words that were last written for each array.
    told: Vec<Option<Words>>,
    episodes: u32,
    /// The index of the current episode, from 0.
    episode: u32,
    seed: u64,
    /// The items rejected in the last reply. A new episode clears them in the environment, so this is a copy. The next three fields are
    /// copies for the same reason.
    rejected: Vec<Json>,
    executed: Vec<String>,
    result: String,
    observation_cost: f64,
    /// How the last reply ended its episode, if it did.
    ended: Option<EpisodeEnd>,
    /// The return of each episode that has started.
    returns: Vec<f64>,
}

impl Conversation {
    /// Creates a conversation with `episodes` episodes, at least one, and resets it with seed 0.
    pub fn new(game: Arc<Game>, form: TextForm, episodes: u32) -> Self {
        // Full texts use the names from the record.
        let names = if form == TextForm::Full { Vec::new() } else { game.text().short_names() };
        let told = vec![None; names.len()];
        let environment = Environment::new(game);
        Self {
            environment,
            form,
            names,
            told,
            episodes: episodes.max(1),
            episode: 0,
            seed: 0,
            rejected: Vec::new(),
            executed: Vec::new(),
            result: String::new(),
            observation_cost: 0.0,
            ended: None,
            returns: vec![0.0],
        }
    }

    /// The environment that the conversation uses.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The form in which it writes observations.
    pub fn form(&self) -> TextForm {
        self.form
    }

    /// The number of episodes.
    pub fn episodes(&self) -> u32 {
        self.episodes
    }

    /// The return of each episode that has started. The last item is the current episode's return so far. Together, the returns form a
    /// learning curve.
    pub fn returns(&self) -> &[f64] {
        &self.returns
    }

    /// The items rejected in the last reply, each as an object with `action` and `reason`.
    pub fn rejected(&self) -> &[Json] {
        &self.rejected
    }

    /// The executed actions from the last reply, in words.
    pub fn executed(&self) -> &[String] {
        &self.executed
    }

    /// The cost of the observations made in the last step.
    pub fn observation_cost(&self) -> f64 {
        self.observation_cost
    }

    /// The result of the last reply, one item per line. The items are the reward, each action that was not executed or not read with its
    /// reason, and the end of an episode. The text in its [`Reading`] includes these lines.
    pub fn result(&self) -> &str {
        &self.result
    }

    /// The index of the current episode, from 0.
    pub fn episode(&self) -> u32 {
        self.episode
    }

    /// How the last reply ended its episode, if it did.
    pub fn ended(&self) -> Option<&EpisodeEnd> {
        self.ended.as_ref()
    }

    /// The instructions that a player gets before the first text; see [`TextChannel::instructions`](crate::TextChannel::instructions).
    pub fn instructions(&self, rules: RulesText) -> String {
        self.environment.game().text().instructions_in(rules, self.form) + &self.episodes_text()
    }

    /// The instructions without the actions and the reply format; see [`TextChannel::task`](crate::TextChannel::task).
    pub fn task(&self, rules: RulesText) -> String {
        self.environment.game().text().task(rules, self.form) + &self.episodes_text()
    }

    /// States the number of episodes, if there is more than one.
    fn episodes_text(&self) -> String {
        if self.episodes == 1 {
            return String::new();
        }
        format!(
            "\nEPISODES\n1. You play {} episodes, one after the other. The rules are the same in all episodes. The worlds differ.\n2. Your \
             result is the sum of the rewards of all episodes.\n",
            self.episodes
        )
    }

    /// Restarts the conversation and returns its first text. The first episode uses this seed, and each later episode uses the seed from
    /// [`Conversation::seed_of`]. [`Environment::refused_seed`] reports whether the seed was rejected.
    pub fn reset(&mut self, seed: u64) -> String {
        (self.seed, self.episode) = (seed, 0);
        self.returns = vec![0.0];
        self.rejected.clear();
        self.executed.clear();
        self.result.clear();
        (self.observation_cost, self.ended) = (0.0, None);
        self.environment.reset(seed);
        self.begin()
    }

    /// The seed for an episode: the first episode uses the conversation's seed, later ones use other seeds from the same split.
    pub fn seed_of(seed: u64, episode: u32) -> u64 {
        if episode == 0 {
            return seed;
        }
        // JSON readers store a number of this size exactly.
        let drawn = mix(mix(seed, hash_name("episode")), u64::from(episode)) >> 12;
        SeedSplit::nearest(SeedSplit::of(seed), drawn)
    }

    /// Selects the split whose seeds can start episodes, from the next reset on. With `None`, the seeds of all splits are rejected.
    pub fn name_split(&mut self, split: Option<SeedSplit>) {
        self.environment.name_split(split);
    }

    /// The first text in an episode.
    fn begin(&mut self) -> String {
        self.told.fill(None);
        self.observation()
    }

    /// Plays the reply, which is read in the same way as in [`Environment::step`], and returns the result. If an episode ends and another
    /// one starts, the text also includes the start of the new episode.
    ///
    /// # Errors
    /// The errors from [`Environment::step`]: the last episode is over, or a part fails.
    pub fn reply(&mut self, text: &str) -> Result<Reading, StepError> {
        let outcome = self.environment.step(text)?;
        if let Some(total) = self.returns.last_mut() {
            *total += outcome.reward;
        }
        self.rejected = self.environment.last_step().rejected().map(|rejected| json!(rejected)).collect();
        let table = self.environment.game().catalogue();
        self.executed = self.environment.record().executed().iter().map(|call| table.write(call)).collect();
        self.observation_cost = self.environment.record().observation_cost();
        let is_episode_over = outcome.terminated || outcome.truncated;
        self.ended = is_episode_over.then(|| EpisodeEnd {
            stop: self.environment.info().stop().unwrap_or_default().to_owned(),
            steps: self.environment.state().step(),
            state: self.environment.state().hash(),
        });
        self.result.clear();
        // Writing to a string never fails.
        let _ = self.environment.write_turn(&mut self.result);
        let mut told = self.observation() + &self.result;
        let goes_on = is_episode_over && self.episode + 1 < self.episodes;
        if goes_on {
            self.episode += 1;
            self.returns.push(0.0);
            self.environment.reset(Self::seed_of(self.seed, self.episode));
            told += &format!("\nepisode {} of {} begins\n", self.episode + 1, self.episodes);
            told += &self.begin();
        }
        Ok(Reading {
            text: told,
            reward: outcome.reward,
            terminated: outcome.terminated && !goes_on,
            truncated: outcome.truncated && !goes_on,
            is_episode_over,
        })
    }

    /// The observation in this conversation's form.
    fn observation(&mut self) -> String {
        let (game, record) = (self.environment.game(), self.environment.observation());
        let layout = game.observation();
        let words = |e: usize| layout.words(record, e, Precision::Short);
        match self.form {
            TextForm::Full => self.environment.game.observation.to_text(&self.environment.observation),
            TextForm::Rows => {
                let cells = (0..self.names.len()).filter_map(words).map(|words| words.words.join(" "));
                cells.collect::<Vec<_>>().join(",") + "\n"
            }
            TextForm::Compact => {
                let (mut values, mut maps) = (Vec::new(), String::new());
                for (e, (name, told)) in self.names.iter().zip(&mut self.told).enumerate() {
                    let now = words(e);
                    if *told == now {
                        continue;
                    }
                    if let Some(words) = &now {
                        let lines: Vec<String> = words.lines().collect();
                        // Per-plot values are written in one row; the view of a map keeps its shape.
                        if lines.len() == 1 || layout.entries()[e].is_per_plot() || words.per_line == 1 {
                            values
                                .push(format!("{name} {}", lines.join(if words.per_line == 1 { " " } else { " / " })));
                        } else {
                            maps += &format!("{name}\n  {}\n", lines.join("\n  "));
                        }
                    }
                    *told = now;
                }
                let nothing = if maps.is_empty() { "nothing new" } else { "" };
                let line = if values.is_empty() { nothing.to_owned() } else { values.join("; ") };
                if line.is_empty() { maps } else { format!("{line}\n{maps}") }
            }
        }
    }
}
