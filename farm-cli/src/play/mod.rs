//! `farm play`: plays a game in the terminal. `farm replay --watch` plays back a file on the same screen.
//!
//! `session` is the tree of moves, `hints` gives a policy's advice, `recording` writes the moves to a file, and `watching` is the state of a
//! playback. `keys` and `menu` choose actions; `app`, `moves`, `passing`, `advice`, `playback` and `dialogs` apply keys. `cards` are shown at
//! the start and end, with a `comparison` with policies; `outputs` writes recordings, films and reports. `screen` arranges the panels from
//! `map`, `status`, `action_list`, `foot` and `popups` on the `terminal`, in the colours from `theme`. `signals` end the program from outside.

mod action_list;
mod advice;
mod app;
mod cards;
mod comparison;
mod dialogs;
mod folding;
mod foot;
mod hints;
mod keys;
mod map;
mod menu;
mod moves;
mod outputs;
mod panel;
mod passing;
mod playback;
mod popups;
mod recording;
mod screen;
mod session;
mod signals;
mod status;
mod terminal;
mod theme;
mod watching;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::Args;
use farm_core::Game;
use farm_core::config::Problems;
use farm_core::labels::Labels;
use farm_output::check_target;
use farm_render::{TextRenderer, View};
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::action_file::{ReplayStep, left_over, steps_of};
use crate::agents::{Exam, take_exam};
use crate::arguments::{GameArguments, SeededGame};
use crate::output::{self, format_number, plural};
use crate::{invocation, targets};
use app::{App, Mode};
use session::Session;
use signals::Signals;
use terminal::{Screen, with_screen};
use theme::Theme;
use watching::Watch;

const EXAMPLES: &str = "\
Examples:
  farm play GAME
  farm play GAME --seed 7 --record FILE   writes the moves to a file for `farm replay FILE`
  farm play GAME --seed 7 --actions FILE  starts with the moves of a file
  farm play GAME --omniscient             shows unobserved values too
  farm play GAME --exam hidden --out runs/ada --name Ada   an exam; score it with `farm agents score runs/ada`
  farm play GAME --exam hidden --out runs/ada --browser     an exam in the browser, with a picture next to each text

Keys: `?` lists all, `u` undoes a step, `b` lists branches. Undone steps are kept as branches. The screen and the log show only what a
learner observes. NO_COLOR turns colours off.";

/// Play a game in the terminal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    world: SeededGame,
    /// Start with the moves of a file, one step per line, as for `farm replay`
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Write your moves to a file after every step; undone steps are left out
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Show everything, also values that a learner does not observe
    #[arg(long)]
    omniscient: bool,
    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    exam: Exam,
}

/// The options for watching a file of moves.
pub(crate) struct WatchOptions {
    /// Steps per second.
    pub fps: f64,
    /// Whether to show unobserved values.
    pub omniscient: bool,
    /// Whether to use ASCII characters only.
    pub ascii: bool,
}

/// Plays the game.
///
/// # Errors
/// Fails if the game or a file has errors, if there is no terminal, or if the recording could not be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.exam.is_wanted() {
        return take_exam(&arguments.world.game, arguments.world.seed, &arguments.exam);
    }
    terminal::check("`farm run` plays with a policy, and `farm replay` plays the actions of a file")?;
    targets::check_distinct(&[arguments.world.game.file(), ("--record", arguments.record.clone())])?;
    let (written, game) = arguments.world.game.open_with_document()?;
    farm_games::check_split(&game, arguments.world.seed)?;
    let understood = written.read_back(&game);
    let steps = arguments.actions.as_ref().map(|path| steps_of(&game, path)).transpose()?;
    if let Some(path) = &arguments.record {
        check_target(path)?;
    }
    let text_renderer = text_renderer(game, arguments.omniscient)?;
    let mut session = Session::new(text_renderer.clone(), arguments.world.seed);
    if let Some((source, steps)) = &steps {
        play_steps(&mut session, source, steps)?;
    }
    let mut app = App::new(session, text_renderer, Theme::of_environment(arguments.ascii), &arguments.world.game);
    app.understood = understood;
    if let Some(path) = &arguments.record {
        app.record(path.clone());
    }
    // A player who continues from a file knows the game.
    match steps {
        None => app.mode = Mode::Start,
        Some(_) => app.show_end(),
    }
    let shown = with_screen(|screen| run(&mut app, screen));
    tell(&app, &arguments.world.game, shown)
}

/// Plays back the steps in a file.
///
/// # Errors
/// Fails if there is no terminal or if a step fails.
pub(crate) fn watch(
    arguments: &GameArguments,
    game: Game,
    seed: u64,
    (source, steps): (&str, &[ReplayStep]),
    options: &WatchOptions,
) -> anyhow::Result<ExitCode> {
    terminal::check("leave out `--watch`, or write a film with `farm run --gif`")?;
    let text_renderer = text_renderer(game, options.omniscient)?;
    let mut session = Session::new(text_renderer.clone(), seed);
    play_steps(&mut session, source, steps)?;
    let last = session.current();
    session.go_to(0).map_err(|error| anyhow!(error))?;
    let mut app = App::new(session, text_renderer, Theme::of_environment(options.ascii), arguments);
    app.watch = Some(Watch::new(last, options.fps));
    let signal = with_screen(|screen| run(&mut app, screen))?;
    output::note(summary(&app));
    Ok(ExitCode::from(signal.map_or(0, signals::exit_code)))
}

fn text_renderer(game: Game, omniscient: bool) -> anyhow::Result<Arc<TextRenderer>> {
    let view = if omniscient { View::Everything } else { View::Learner };
    Ok(Arc::new(TextRenderer::new(Arc::new(game), view)?.with_labels(Labels::of(invocation::language()))))
}

/// Plays all steps in a file, or fails.
fn play_steps(session: &mut Session, source: &str, steps: &[ReplayStep]) -> anyhow::Result<()> {
    let mut last_line = 0;
    for (i, step) in steps.iter().enumerate() {
        if let Some(end) = &session.node().end {
            let problem = left_over(source, (last_line, end), step.line, steps.len() - i);
            return Err(Problems(vec![problem]).into());
        }
        if let Err(error) = session.step(&step.schedule) {
            bail!("{source}:{}: {error}", step.line);
        }
        last_line = step.line;
    }
    Ok(())
}

/// The maximum time to wait for a key.
const PATIENCE: Duration = Duration::from_secs(3600);
/// The interval between checks for a signal while waiting for a key.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays until the player leaves or a signal ends the program. Returns the signal, if any.
fn run(app: &mut App<'_>, screen: &mut Screen) -> anyhow::Result<Option<u8>> {
    let signals = Signals::note()?;
    let ended = run_until(app, screen, &signals);
    match ended {
        Ok(()) => Ok(signals.last()),
        // If the terminal was closed, drawing fails too.
        Err(error) => signals.last_of_terminal().map_or(Err(error), |signal| Ok(Some(signal))),
    }
}

/// Plays until the player leaves or a signal arrives.
fn run_until(app: &mut App<'_>, screen: &mut Screen, signals: &Signals) -> anyhow::Result<()> {
    while !app.has_left && signals.last().is_none() {
        let had_failed = app.session.failure().is_some();
        screen.draw(|frame| screen::draw(app, frame))?;
        if app.output.is_some() {
            app.write_output();
            continue;
        }
        if has_event(app.wakes_at().unwrap_or_else(|| Instant::now() + PATIENCE), signals)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => app.press(key),
                _ => {}
            }
        }
        app.tick(Instant::now());
        if !had_failed && app.session.failure().is_some() {
            // A failed part may have written on the screen.
            let size = screen.terminal.size()?;
            screen.terminal.resize(size.into())?;
        }
    }
    Ok(())
}

/// Waits for a terminal event until a given time or a signal. Returns whether there is an event.
fn has_event(until: Instant, signals: &Signals) -> anyhow::Result<bool> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if event::poll(left.min(GLANCE))? {
            return Ok(true);
        }
        if left <= GLANCE || signals.last().is_some() {
            return Ok(false);
        }
    }
}

/// After the game, prints the result and the recording's file name. Prints the moves if they could not be written.
fn tell(app: &App<'_>, arguments: &GameArguments, shown: anyhow::Result<Option<u8>>) -> anyhow::Result<ExitCode> {
    let signal = shown.as_ref().ok().copied().flatten();
    let failure = app.recording.as_ref().and_then(|recording| recording.failure.as_deref());
    let is_written = app.recording.is_some() && failure.is_none();
    if let Some(recording) = app.recording.as_ref().filter(|_| is_written) {
        output::note(format!("recorded to {}", recording.path.display()));
    }
    // After a failure or a signal, the moves are printed too.
    let is_cut = app.recording.is_none() && (shown.is_err() || signal.is_some()) && app.session.node().depth > 0;
    if failure.is_some() || is_cut {
        let printed = print(&recording::text(&app.session, arguments));
        // After a signal the terminal may be gone, and a failure can't be reported.
        if signal.is_none() {
            printed?;
        }
    }
    shown?;
    output::note(summary(app));
    match (signal, failure) {
        (Some(signal), _) => Ok(ExitCode::from(signals::exit_code(signal))),
        (None, Some(failure)) => bail!("{failure}; the moves are printed above: copy them into a file"),
        (None, None) => Ok(ExitCode::SUCCESS),
    }
}

fn print(text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn summary(app: &App<'_>) -> String {
    let node = app.session.node();
    let ending = node.end.as_ref().map_or("the episode continues".to_owned(), |end| format!("ended: {end}"));
    let hash = recording::hash(app.session.state());
    format!("{}, return {}, {ending}, final state {hash}", plural(node.depth as u64, "step"), format_number(node.total))
}
