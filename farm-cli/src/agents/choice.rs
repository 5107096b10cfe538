//! The agents that you can choose on the command line.

use std::time::Duration;

use farm_agents::{Agent, CommandAgent, Endpoint, PersonAgent, PolicyAgent, Retries, describe_person};
use farm_core::Game;
use farm_core::config::Problems;
use serde_json::{Map, Value as Json};

use super::desk::Desk;
use crate::interrupts::Interrupts;

/// The chosen agent.
pub(super) enum AgentChoice {
    /// An endpoint and its model.
    Endpoint(Box<Endpoint>, String),
    /// A command, with the time limit for a reply and the number of attempts.
    Command(String, Duration, Retries),
    /// One of the game's policies.
    Policy(String),
    /// A person.
    Person(Person),
}

/// A person who plays.
pub(super) struct Person {
    /// The person's name in tables.
    pub(super) name: String,
    /// Whether the person sees a picture next to each text.
    pub(super) sees_pictures: bool,
    /// Creates the agent for one episode.
    pub(super) make: Box<dyn Fn() -> Box<dyn Agent> + Sync>,
}

impl AgentChoice {
    /// A person who writes to standard input until a signal arrives.
    pub(super) fn person(name: &str, interrupts: &Interrupts) -> Self {
        let desk = Desk::new(interrupts.clone());
        let make = move || -> Box<dyn Agent> {
            let desk = desk.clone();
            Box::new(PersonAgent::new(move || desk.next_line(), std::io::stdout()))
        };
        Self::Person(Person { name: name.to_owned(), sees_pictures: false, make: Box::new(make) })
    }

    /// The agent for an episode.
    ///
    /// # Errors
    /// The policy does not fit the game.
    pub(super) fn of_episode(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        Ok(match self {
            Self::Endpoint(endpoint, _) => endpoint.clone(),
            Self::Command(command, timeout, retries) => Box::new(CommandAgent::new(command, *timeout, retries.clone())),
            Self::Policy(policy) => Box::new(PolicyAgent::new(game, policy)?),
            Self::Person(person) => (person.make)(),
        })
    }

    /// The agent's description in traces.
    pub(super) fn description(&self) -> Map<String, Json> {
        match self {
            Self::Endpoint(endpoint, _) => endpoint.description(),
            Self::Command(command, ..) => CommandAgent::description(command),
            Self::Policy(policy) => PolicyAgent::description(policy),
            Self::Person(person) => describe_person(person.sees_pictures),
        }
    }

    /// The default name in tables.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Endpoint(_, name) | Self::Command(name, ..) | Self::Policy(name) => name,
            Self::Person(person) => &person.name,
        }
    }

    /// Whether a signal ends the run immediately. This is the case if a person plays, because no call has to finish.
    pub(super) fn leaves_at_once(&self) -> bool {
        matches!(self, Self::Person(_))
    }
}
