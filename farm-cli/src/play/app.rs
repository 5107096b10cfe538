//! The screen's state apart from the game, and the effect of each key.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use farm_core::Game;
use farm_core::action::Call;
use farm_core::labels::Labels;
use farm_render::TextRenderer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::comparison::Comparison;
use super::hints::{self, Adviser, Hints};
use super::keys::{self, Binding};
use super::menu::{self, Menu};
use super::recording::MoveRecording;
use super::session::Session;
use super::theme::Theme;
use super::watching::Watch;
use crate::arguments::GameArguments;

/// The current key mode.
pub(super) enum Mode {
    /// The game.
    Play,
    /// The help.
    Help,
    /// The menu of actions.
    Menu(Menu),
    /// The list of branches, with the index of the marked branch.
    Branches(usize),
    /// The list of policies, with the index of the marked policy.
    Advisers(usize),
    /// The player is typing a text. The flag marks a suggested text, which the first letter typed replaces.
    Prompt(Prompt, String, bool),
    /// The player moves the cursor over the learner's view.
    Look,
    /// The program asks whether to leave although a recording is not written.
    Leave,
    /// The card with the game's goal.
    Start,
    /// The card with the result and the next choices.
    End,
}

/// The purpose of a typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The name of a move in the tree.
    Name,
    /// The file of a recording.
    Record,
    /// The file of a film.
    Film,
    /// The file of a report.
    Report,
}

/// A message to the player, shown until the next key.
#[derive(Debug, Clone)]
pub(super) struct Message {
    /// The sentence.
    pub text: String,
    /// Whether it reports an error.
    pub is_bad: bool,
}

/// The message for a key that has no meaning.
pub(super) const NO_SUCH_KEY: &str = "no such key here; ? shows all";

/// The interval between updates of a running comparison.
const REFRESH: Duration = Duration::from_millis(200);

/// The screen's state.
pub(super) struct App<'a> {
    /// Draws the game as text.
    pub text_renderer: Arc<TextRenderer>,
    /// The episode and its branches.
    pub session: Session,
    /// Colours and characters.
    pub theme: Theme,
    /// The keys for the game's actions.
    pub bindings: Vec<Binding>,
    /// The actions planned for the next step.
    pub schedule: Vec<Call>,
    /// The index of the displayed field.
    pub field: usize,
    /// The selected plot. `None` for the farmer's plot.
    pub cursor: Option<(usize, usize)>,
    /// The current key mode.
    pub mode: Mode,
    /// The policies that can give hints.
    pub advisers: Vec<Adviser>,
    /// The policy that gives hints, if any.
    pub hints: Option<Hints>,
    /// The current advice of this policy.
    pub advice: Option<Vec<Call>>,
    /// The message to the player.
    pub message: Option<Message>,
    /// The file to which the moves are written.
    pub recording: Option<MoveRecording>,
    /// The playback, if the player is watching a file.
    pub watch: Option<Watch>,
    /// The number typed before a key.
    pub count: Option<u32>,
    /// How the program reads the game's file, one line per item. The start card shows it.
    pub understood: Vec<String>,
    /// The returns of policies, shown after the end of the episode.
    pub comparison: Option<Comparison>,
    /// A film or report to write after the screen is next drawn.
    pub output: Option<(Prompt, PathBuf)>,
    /// The number of scrolled lines: down in the panel "In view", up in the log.
    pub scroll: (usize, usize),
    /// Whether the player has left.
    pub has_left: bool,
    pub(super) arguments: &'a GameArguments,
}

impl<'a> App<'a> {
    /// The screen for an episode.
    pub(super) fn new(
        session: Session,
        text_renderer: Arc<TextRenderer>,
        theme: Theme,
        arguments: &'a GameArguments,
    ) -> Self {
        let game = text_renderer.game().clone();
        let cursor = text_renderer.position(session.state()).is_none().then_some((0, 0));
        let message = session.failure().map(|failure| Message { text: failure.to_owned(), is_bad: true });
        Self {
            bindings: keys::bindings(&game),
            advisers: hints::advisers(&game),
            text_renderer,
            session,
            theme,
            schedule: Vec::new(),
            field: 0,
            cursor,
            mode: Mode::Play,
            hints: None,
            advice: None,
            message,
            recording: None,
            watch: None,
            count: None,
            understood: Vec::new(),
            comparison: None,
            output: None,
            scroll: (0, 0),
            has_left: false,
            arguments,
        }
    }

    /// The game.
    pub(super) fn game(&self) -> &Arc<Game> {
        self.text_renderer.game()
    }

    /// The labels in the player's language.
    pub(super) fn labels(&self) -> &'static Labels {
        self.text_renderer.labels()
    }

    /// Whether an action takes an entire step: the schedule has room for one action, and there is no observing half.
    pub(super) fn is_direct(&self) -> bool {
        farm_render::is_direct(self.game())
    }

    /// The selected plot in the displayed field: the plot under the cursor, or a farmer's plot.
    pub(super) fn focus(&self) -> (usize, usize) {
        let own = self.text_renderer.position(self.session.state()).filter(|(field, ..)| *field == self.field);
        self.cursor.or(own.map(|(_, x, y)| (x, y))).unwrap_or((0, 0))
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: self.labels().words(&text.into()).to_owned(), is_bad: false });
    }

    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: self.labels().words(&text.into()).to_owned(), is_bad: true });
    }

    /// The time of the next change that needs no key. `None` if there is none.
    pub(super) fn wakes_at(&self) -> Option<Instant> {
        let film = self.watch.as_ref().filter(|watch| watch.is_playing).map(|watch| watch.next);
        let is_comparing = self.comparison.as_ref().is_some_and(|comparison| !comparison.is_done());
        film.or_else(|| is_comparing.then(|| Instant::now() + REFRESH))
    }

    /// Applies a key.
    pub(super) fn press(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'd')) {
            self.has_left = true;
            return;
        }
        self.message = None;
        match std::mem::replace(&mut self.mode, Mode::Play) {
            Mode::Help => {}
            Mode::Play if self.watch.is_some() => self.press_watching(key.code),
            Mode::Play => self.press_playing(key.code),
            Mode::Start => self.press_start(key.code),
            Mode::End => self.press_end(key.code),
            Mode::Look => self.press_looking(key.code),
            Mode::Menu(menu) => self.press_menu(menu, key.code),
            Mode::Branches(marked) => self.press_branches(marked, key.code),
            Mode::Advisers(marked) => self.press_advisers(marked, key.code),
            Mode::Prompt(prompt, text, is_proposed) => self.press_prompt(prompt, text, is_proposed, key.code),
            Mode::Leave => match key.code {
                KeyCode::Char('q') => self.has_left = true,
                KeyCode::Char('R') => self.ask_for_file(),
                _ => {}
            },
        }
        if let Some(failure) = self.session.failure() {
            let text = format!("{failure}  –  {}", self.labels().words("press u to go back"));
            self.complain(text);
        }
    }

    pub(super) fn press_playing(&mut self, key: KeyCode) {
        if !self.press_count(key) {
            self.press_counted(key);
        }
    }

    /// Applies a key for the game or the screen, once.
    pub(super) fn press_once(&mut self, key: KeyCode) {
        if let Some(binding) = self.bindings.iter().find(|binding| binding.keys.contains(&key)).cloned() {
            return self.act(&binding);
        }
        match key {
            KeyCode::Char('q') => self.leave(),
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('r') => {
                let redone = self.session.redo();
                match redone {
                    Ok(true) => self.changed(),
                    Ok(false) => self.say("there is nothing to redo here"),
                    Err(error) => self.complain(error),
                }
            }
            KeyCode::Char('b') => {
                let places = self.session.places();
                let current = self.session.current();
                self.mode = Mode::Branches(places.iter().position(|place| *place == current).unwrap_or(0));
            }
            KeyCode::Char('B') => {
                self.mode = Mode::Prompt(Prompt::Name, self.session.node().name.clone().unwrap_or_default(), true)
            }
            KeyCode::Char('h') => self.toggle_hints(),
            KeyCode::Char('p') => {
                let asked = self.hints.as_ref().map(|hints| &hints.adviser);
                let marked = asked.and_then(|asked| self.advisers.iter().position(|adviser| adviser == asked));
                self.mode = Mode::Advisers(marked.unwrap_or(0));
            }
            KeyCode::Char('y') => self.take_advice(),
            KeyCode::Char('m') | KeyCode::Enter => self.open_menu(None),
            KeyCode::Char('n' | ' ') => self.next_step(),
            KeyCode::Char('N') => self.pass_until_news(),
            KeyCode::Char('I') => self.show_card(),
            KeyCode::Char('G') if self.cursor.is_some() => self.walk(),
            KeyCode::Char('G') => {
                self.cursor = Some(self.focus());
                self.mode = Mode::Look;
                self.say("where to? The arrows move the cursor, G walks there");
            }
            KeyCode::Esc => {}
            KeyCode::Char('x') => match self.schedule.pop() {
                Some(call) => {
                    let labels = self.labels();
                    self.say(format!("{}: {}", labels.words("removed"), labels.call(self.game(), &call)));
                }
                None => self.say("nothing is planned"),
            },
            KeyCode::Char('R') => self.ask_for_file(),
            KeyCode::Char('l') => {
                self.cursor = Some(self.focus());
                self.mode = Mode::Look;
            }
            KeyCode::Tab if self.game().fields().len() > 1 => self.next_field(),
            KeyCode::Tab => self.say("there is no other field"),
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right if self.cursor.is_some() => {
                self.move_cursor(key);
            }
            other => self.press_scrolling_or_complain(other),
        }
    }

    pub(super) fn press_scrolling_or_complain(&mut self, key: KeyCode) {
        if !self.press_scrolling(key) {
            self.complain(NO_SUCH_KEY);
        }
    }

    /// Scrolls; returns whether the key scrolls.
    pub(super) fn press_scrolling(&mut self, key: KeyCode) -> bool {
        let (view, log) = &mut self.scroll;
        match key {
            KeyCode::PageDown => *view += 4,
            KeyCode::PageUp => *view = view.saturating_sub(4),
            KeyCode::Char('[') => *log += 3,
            KeyCode::Char(']') => *log = log.saturating_sub(3),
            _ => return false,
        }
        true
    }

    fn press_looking(&mut self, key: KeyCode) {
        match key {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('l' | 'q') => {
                if self.text_renderer.position(self.session.state()).is_some() {
                    self.cursor = None;
                }
            }
            KeyCode::Char('G') => self.walk(),
            other => {
                self.mode = Mode::Look;
                if !self.move_cursor(other) {
                    self.press_scrolling_or_complain(other);
                }
            }
        }
    }

    /// Moves the cursor; returns whether the key moves it.
    pub(super) fn move_cursor(&mut self, key: KeyCode) -> bool {
        let (length, width) = self.text_renderer.size(self.field);
        let (x, y) = self.focus();
        self.cursor = Some(match key {
            KeyCode::Up => (x, y.saturating_sub(1)),
            KeyCode::Down => (x, (y + 1).min(width.saturating_sub(1))),
            KeyCode::Left => (x.saturating_sub(1), y),
            KeyCode::Right => ((x + 1).min(length.saturating_sub(1)), y),
            _ => return false,
        });
        true
    }

    fn next_field(&mut self) {
        self.field = (self.field + 1) % self.game().fields().len().max(1);
        let is_anybodys =
            self.text_renderer.position(self.session.state()).is_some_and(|(field, ..)| field == self.field);
        self.cursor = (!is_anybodys).then_some((0, 0));
    }

    pub(super) fn check(&mut self, result: Result<(), String>) {
        if let Err(error) = result {
            self.complain(error);
        }
    }

    /// Updates the state after the player has moved in the tree of moves.
    pub(super) fn changed(&mut self) {
        self.schedule.clear();
        self.scroll.1 = 0;
        self.write_recording();
        self.consult();
    }

    /// The reason why an action would be rejected now. `None` if it would be accepted.
    pub(super) fn rejection(&self, base: usize) -> Option<&'static str> {
        menu::rejection(self.game(), self.session.state(), base)
    }
}
