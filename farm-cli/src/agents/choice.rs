//! The agents that a command line can name.

use std::time::Duration;

use farm_agents::{Agent, CommandAgent, Endpoint, PersonAgent, PolicyAgent, Retries, describe_person};
use farm_core::Game;
use farm_core::config::Problems;
use serde_json::{Map, Value as Json};

use super::exam::Desk;
use crate::interrupts::Interrupts;

/// The agent that was asked for.
pub(super) enum AgentChoice {
    /// An endpoint, and its model.
    Endpoint(Box<Endpoint>, String),
    /// A command, how long an answer of it may take, and how often it is asked.
    Command(String, Duration, Retries),
    /// A policy of the game.
    Policy(String),
    /// A person by this name, on the terminal.
    Person(String, Desk),
    /// A person by this name, in the browser.
    Browser(String, farm_serve::Exam, Interrupts),
}

impl AgentChoice {
    /// A person who writes to standard input until a signal comes.
    pub(super) fn person(name: &str, interrupts: &Interrupts) -> Self {
        Self::Person(name.to_owned(), Desk::new(interrupts.clone()))
    }

    /// The agent of an episode.
    ///
    /// # Errors
    /// A policy that does not fit the game.
    pub(super) fn of_episode(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        Ok(match self {
            Self::Endpoint(endpoint, _) => endpoint.clone(),
            Self::Command(command, timeout, retries) => Box::new(CommandAgent::new(command, *timeout, retries.clone())),
            Self::Policy(policy) => Box::new(PolicyAgent::new(game, policy)?),
            Self::Person(_, desk) => {
                let desk = desk.clone();
                Box::new(PersonAgent::new(move || desk.next_line(), std::io::stdout()))
            }
            Self::Browser(_, exam, interrupts) => {
                let interrupts = interrupts.clone();
                Box::new(exam.agent(move || interrupts.signal().is_some()))
            }
        })
    }

    /// What a trace says of the agent.
    pub(super) fn description(&self) -> Map<String, Json> {
        match self {
            Self::Endpoint(endpoint, _) => endpoint.description(),
            Self::Command(command, ..) => CommandAgent::description(command),
            Self::Policy(policy) => PolicyAgent::description(policy),
            Self::Person(..) => describe_person(false),
            Self::Browser(..) => describe_person(true),
        }
    }

    /// What it is called unless another name is given.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Endpoint(_, name) | Self::Command(name, ..) | Self::Policy(name) => name,
            Self::Person(name, _) | Self::Browser(name, ..) => name,
        }
    }

    /// Whether a signal ends the run at once: a person waits for nothing to be finished.
    pub(super) fn leaves_at_once(&self) -> bool {
        matches!(self, Self::Person(..) | Self::Browser(..))
    }
}
