//! Exams in the browser. Serves the page while the person plays.

use std::net::SocketAddr;
use std::process::ExitCode;

use farm_agents::{Agent, EpisodePlan, Rules};
use farm_serve::{Exam as Page, Server, Settings};

use super::choice::{AgentChoice, Person};
use super::desk::GLANCE;
use crate::interrupts::Interrupts;
use crate::output;

/// The default address of an exam's page.
pub(super) const LISTENS: &str = "127.0.0.1:8000";

/// Parses the address to listen on. Rejects wildcard addresses such as `0.0.0.0`, because a link can't point to them.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let read = text.parse().ok().filter(|address: &SocketAddr| !address.ip().is_unspecified());
    read.ok_or_else(|| {
        format!("expected an address of this machine with a port, such as {LISTENS}; port 0 picks a free one")
    })
}

/// The page for an exam with these episodes.
pub(super) fn page(episodes: &[EpisodePlan], rules: Rules) -> Page {
    Page::new(episodes.iter().map(|plan| plan.id.clone()).collect(), rules.text())
}

/// A person who replies on the page until a signal arrives.
pub(super) fn person(name: &str, page: &Page, interrupts: &Interrupts) -> AgentChoice {
    let (page, interrupts) = (page.clone(), interrupts.clone());
    let make = move || -> Box<dyn Agent> {
        let interrupts = interrupts.clone();
        Box::new(page.agent(move || interrupts.signal().is_some()))
    };
    AgentChoice::Person(Person { name: name.to_owned(), sees_pictures: true, make: Box::new(make) })
}

/// Serves the page during the exam. Keeps serving it afterwards until a signal arrives, so that the person can read the end.
///
/// # Errors
/// Fails if the address can't be used, or if the exam fails.
pub(super) fn serve(
    address: SocketAddr,
    page: &Page,
    interrupts: &Interrupts,
    play: impl FnOnce() -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let settings = Settings { host: address.ip(), port: address.port(), ..Settings::default() };
    let (server, link) = Server::bind_exam(page, settings)?;
    output::note(format!("{link} serves the exam; Ctrl-C leaves it"));
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(1, page.closed()));
        let played = play();
        page.end();
        if played.is_ok() && interrupts.signal().is_none() {
            output::note("the exam is over; Ctrl-C closes the page");
            while interrupts.signal().is_none() && !serving.is_finished() {
                std::thread::sleep(GLANCE);
            }
        }
        page.close();
        let served = serving.join().map_err(|_| anyhow::anyhow!("the exam's page failed"))?;
        served?;
        played
    })
}
