//! Exams in the browser: the page of one is served while its run is played.

use std::net::SocketAddr;
use std::process::ExitCode;

use farm_agents::{Agent, EpisodePlan, Rules};
use farm_serve::{Exam as Page, Server, Settings};

use super::choice::{AgentChoice, Person};
use super::exam::GLANCE;
use crate::interrupts::Interrupts;
use crate::output;

/// Where the page of an exam is, if nothing is said.
pub(super) const LISTENS: &str = "127.0.0.1:8000";

/// An address of this machine by which others can name it.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let read = text.parse().ok().filter(|address: &SocketAddr| !address.ip().is_unspecified());
    read.ok_or_else(|| {
        format!("expected an address of this machine with a port, such as {LISTENS}; port 0 takes one that is free")
    })
}

/// The page of an exam of these episodes.
pub(super) fn page(episodes: &[EpisodePlan], rules: Rules) -> Page {
    Page::new(episodes.iter().map(|plan| plan.id.clone()).collect(), rules.text())
}

/// A person who replies on the page until a signal comes.
pub(super) fn person(name: &str, page: &Page, interrupts: &Interrupts) -> AgentChoice {
    let (page, interrupts) = (page.clone(), interrupts.clone());
    let make = move || -> Box<dyn Agent> {
        let interrupts = interrupts.clone();
        Box::new(page.agent(move || interrupts.signal().is_some()))
    };
    AgentChoice::Person(Person { name: name.to_owned(), sees_pictures: true, make: Box::new(make) })
}

/// Serves the page of an exam while it is taken, and after it until a signal comes, so that its end can be read.
///
/// # Errors
/// An address that can't be listened on; whatever goes wrong in the exam.
pub(super) fn serve(
    address: SocketAddr,
    page: &Page,
    interrupts: &Interrupts,
    play: impl FnOnce() -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let settings = Settings { host: address.ip(), port: address.port(), ..Settings::default() };
    let (server, link) = Server::bind_exam(page, settings)?;
    output::note(format!("{link} is the exam; Ctrl-C leaves it"));
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(1, page.closed()));
        let played = play();
        page.end();
        if played.is_ok() && interrupts.signal().is_none() {
            output::note("the exam is over; Ctrl-C ends the page");
            while interrupts.signal().is_none() && !serving.is_finished() {
                std::thread::sleep(GLANCE);
            }
        }
        page.close();
        let served = serving.join().map_err(|_| anyhow::anyhow!("the page of the exam failed"))?;
        served?;
        played
    })
}
