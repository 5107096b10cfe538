//! `farm play`: a game on the terminal, and `farm replay --watch`, the same screen playing a file.
//!
//! `session` is the tree of moves, `hints` what a policy would do, `recording` the file of the moves; `keys` and
//! `menu` say how actions are chosen, `app`, `moves`, `passing`, `watching` and `dialogs` what each key does; `cards` are shown at the start and at the end,
//! with a `comparison` with policies, and `outputs` are films and reports; `screen` lays out what `map`, `status`, `action_list`, `foot` and `popups` draw, in the colours of
//! `theme`, on the `terminal`; `signals` end it from outside.

mod action_list;
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
mod passing;
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
use farm_output::check_target;
use farm_render::{TextRenderer, View};
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::agents::{Exam, take_exam};
use crate::arguments::{GameArguments, seed};
use crate::output::{self, format_number, plural};
use crate::replay::{ReplayStep, left_over, steps_of};
use crate::targets;
use app::{App, Mode};
use session::Session;
use signals::Signals;
use terminal::{Screen, with_screen};
use theme::Theme;
use watching::Watch;

const EXAMPLES: &str = "\
EXAMPLES:
  farm play GAME                          the world of seed 0
  farm play GAME --seed 7 --record FILE   and writes the moves to a file that `farm replay FILE` plays
  farm play GAME --seed 7 --actions FILE  goes on from the moves of a file
  farm play GAME --omniscient             shows also what a learner is not shown
  farm play GAME --exam hidden --out runs/ada --name Ada   an exam as language models take it; `farm score runs/ada` scores it
  farm play GAME --exam hidden --out runs/ada --browser     the same in the browser, with a picture beside each text

`?` shows the keys. The screen shows what a learner is shown, and the log lists only what the learner could see; `u` takes a step back, and
nothing that was played is forgotten: `b` lists the branches. The environment variable NO_COLOR turns colours off.";

/// Plays a game on the terminal: its map, its state, its actions, with undo, branches and hints
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Seed of the episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Goes on from the moves of a file, one step per line as `farm replay` reads them
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Writes the moves to a file after every step; steps that were undone are not in it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Shows all there is, not only what the learner is shown
    #[arg(long)]
    omniscient: bool,
    /// Draws with plain letters alone, for terminals that have no others
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    exam: Exam,
}

/// How a file is watched.
pub(crate) struct WatchOptions {
    /// Steps a second.
    pub fps: f64,
    /// Whether all is shown.
    pub omniscient: bool,
    /// Whether there are plain letters alone.
    pub ascii: bool,
}

/// Plays the game.
///
/// # Errors
/// Problems of the game and of the files; no terminal; a recording that could not be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.exam.is_wanted() {
        return take_exam(&arguments.game, arguments.seed, &arguments.exam);
    }
    terminal::check("`farm run` plays with a policy, and `farm replay` plays the actions of a file")?;
    targets::check_distinct(&[arguments.game.file(), ("--record", arguments.record.clone())])?;
    let (written, game) = arguments.game.open_with_source()?;
    let understood = written.read_back(&game);
    let steps = arguments.actions.as_ref().map(|path| steps_of(&game, path)).transpose()?;
    if let Some(path) = &arguments.record {
        check_target(path)?;
    }
    let text_renderer = text_renderer(game, arguments.omniscient)?;
    let mut session = Session::new(text_renderer.clone(), arguments.seed);
    if let Some((source, steps)) = &steps {
        play_steps(&mut session, source, steps)?;
    }
    let mut app = App::new(session, text_renderer, Theme::of_environment(arguments.ascii), &arguments.game);
    app.understood = understood;
    if let Some(path) = &arguments.record {
        app.record(path.clone());
    }
    // Who goes on with moves of a file knows the game.
    match steps {
        None => app.mode = Mode::Start,
        Some(_) => app.show_end(),
    }
    let shown = with_screen(|screen| run(&mut app, screen));
    tell(&app, &arguments.game, shown)
}

/// Shows the steps of a file.
///
/// # Errors
/// No terminal; steps that can't be taken.
pub(crate) fn watch(
    arguments: &GameArguments,
    game: Game,
    seed: u64,
    (source, steps): (&str, &[ReplayStep]),
    options: &WatchOptions,
) -> anyhow::Result<ExitCode> {
    terminal::check("leave `--watch` away, or write a film with `farm run --gif`")?;
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
    Ok(Arc::new(TextRenderer::new(Arc::new(game), view)?))
}

/// Plays the steps of a file, each of them or none.
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

/// How long the program waits for a key before it looks whether the terminal is still there.
const PATIENCE: Duration = Duration::from_secs(3600);
/// How long it waits for a key before it looks whether a signal has come, which the waiting does not see.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays until the player leaves, or a signal ends the program, which is then reported.
fn run(app: &mut App<'_>, screen: &mut Screen) -> anyhow::Result<Option<u8>> {
    let signals = Signals::note()?;
    let ended = run_until(app, screen, &signals);
    match ended {
        Ok(()) => Ok(signals.last()),
        // Where the terminal is closed, what is done to it fails as well.
        Err(error) => signals.last_of_terminal().map_or(Err(error), |signal| Ok(Some(signal))),
    }
}

/// Plays until the player leaves, or a signal comes.
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
            // A part that failed may have written on the screen.
            let size = screen.terminal.size()?;
            screen.terminal.resize(size.into())?;
        }
    }
    Ok(())
}

/// Waits for something to happen on the terminal until a moment, or a signal; whether it did.
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

/// Says after the game how it stands and where it was written; prints the moves where they could not be.
fn tell(app: &App<'_>, arguments: &GameArguments, shown: anyhow::Result<Option<u8>>) -> anyhow::Result<ExitCode> {
    let signal = shown.as_ref().ok().copied().flatten();
    let failure = app.recording.as_ref().and_then(|recording| recording.failure.as_deref());
    let is_written = app.recording.is_some() && failure.is_none();
    if let Some(recording) = app.recording.as_ref().filter(|_| is_written) {
        output::note(format!("recorded to {}", recording.path.display()));
    }
    // What was played when something broke, or a signal came, is not lost either.
    let is_cut = app.recording.is_none() && (shown.is_err() || signal.is_some()) && app.session.node().depth > 0;
    if failure.is_some() || is_cut {
        let printed = print(&recording::text(&app.session, arguments));
        // With a signal the terminal may have gone, and nobody is left to be told of it.
        if signal.is_none() {
            printed?;
        }
    }
    shown?;
    output::note(summary(app));
    match (signal, failure) {
        (Some(signal), _) => Ok(ExitCode::from(signals::exit_code(signal))),
        (None, Some(failure)) => bail!("{failure}; the moves stand above, to be saved by hand"),
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
    let ending = node.end.as_ref().map_or("the episode goes on".to_owned(), |end| format!("ended: {end}"));
    let hash = recording::hash(app.session.state());
    format!("{}, return {}, {ending}, final state {hash}", plural(node.depth as u64, "step"), format_number(node.total))
}
