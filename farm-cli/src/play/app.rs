//! What is on the screen besides the game, and what each key does to it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use farm_core::action::Call;
use farm_core::{ActionKind, Game};
use farm_render::TextRenderer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::comparison::Comparison;
use super::hints::{self, Adviser, Hints};
use super::keys::{self, Binding};
use super::menu::{self, Menu};
use super::recording::MoveRecording;
use super::session::Session;
use super::theme::Theme;
use crate::arguments::GameArguments;

/// What the keys are for at the moment.
pub(super) enum Mode {
    /// The game.
    Play,
    /// The help.
    Help,
    /// The menu of actions.
    Menu(Menu),
    /// The list of branches, and which of them is marked.
    Branches(usize),
    /// The list of policies, and which of them is marked.
    Advisers(usize),
    /// A text is typed; whether it is still the one that was proposed, which the first letter replaces.
    Prompt(Prompt, String, bool),
    /// What the learner sees is looked around in.
    Look,
    /// Whether to leave though the recording is not written.
    Leave,
    /// What the game is about.
    Start,
    /// How it went, and what can be done next.
    End,
}

/// What a typed text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The name of a place.
    Name,
    /// The file of a recording.
    Record,
    /// The file of a film.
    Film,
    /// The file of a report.
    Report,
}

/// The playing of a file.
pub(super) struct Watch {
    /// The last move of the file.
    pub last: usize,
    /// Whether it goes on by itself.
    pub is_playing: bool,
    /// Steps a second.
    pub fps: f64,
    next: Instant,
}

impl Watch {
    /// Plays from now on.
    pub(super) fn new(last: usize, fps: f64) -> Self {
        Self { last, is_playing: true, fps, next: Instant::now() + Duration::from_secs_f64(1.0 / fps) }
    }
}

/// Something to tell the player, until the next key.
#[derive(Debug, Clone)]
pub(super) struct Message {
    /// The sentence.
    pub text: String,
    /// Whether something went wrong.
    pub is_bad: bool,
}

/// What is said of a key without a meaning.
pub(super) const NO_SUCH_KEY: &str = "no such key here; ? shows all";

/// How often the screen shows how far a comparison is.
const REFRESH: Duration = Duration::from_millis(200);

/// The speeds of a film, in steps a second.
const FASTEST: f64 = 60.0;
const SLOWEST: f64 = 0.1;

/// Everything that the screen shows.
pub(super) struct App<'a> {
    /// What the game looks like.
    pub text_renderer: Arc<TextRenderer>,
    /// The episode with its branches.
    pub session: Session,
    /// How the screen looks.
    pub theme: Theme,
    /// The keys of the game's actions.
    pub bindings: Vec<Binding>,
    /// What is to be done in the next step.
    pub schedule: Vec<Call>,
    /// The field that is shown.
    pub field: usize,
    /// The plot that is looked at; none where somebody's place is.
    pub cursor: Option<(usize, usize)>,
    /// What the keys are for.
    pub mode: Mode,
    /// The policies that can be asked.
    pub advisers: Vec<Adviser>,
    /// Who is asked at every step.
    pub hints: Option<Hints>,
    /// What it would do now.
    pub advice: Option<Vec<Call>>,
    /// Something to tell.
    pub message: Option<Message>,
    /// The file that the moves are written to.
    pub recording: Option<MoveRecording>,
    /// The film, if a file is watched.
    pub watch: Option<Watch>,
    /// The number that was typed before a key.
    pub count: Option<u32>,
    /// What policies earn, once the episode is over.
    pub comparison: Option<Comparison>,
    /// A file that is to be written once the screen says so.
    pub output: Option<(Prompt, PathBuf)>,
    /// Lines by which what is in view is scrolled down, and the log up.
    pub scroll: (usize, usize),
    /// Whether the player has left.
    pub has_left: bool,
    pub(super) arguments: &'a GameArguments,
}

impl<'a> App<'a> {
    /// The screen of an episode.
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

    /// Whether an action is a step of its own: the schedule has room for one, and nothing has to be looked at before.
    pub(super) fn is_direct(&self) -> bool {
        keys::is_direct(self.game())
    }

    /// The plot that is looked at in the field that is shown: where the cursor is, or whoever has a place.
    pub(super) fn focus(&self) -> (usize, usize) {
        let own = self.text_renderer.position(self.session.state()).filter(|(field, ..)| *field == self.field);
        self.cursor.or(own.map(|(_, x, y)| (x, y))).unwrap_or((0, 0))
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_bad: false });
    }

    pub(super) fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_bad: true });
    }

    /// When the screen changes without a key; none if it does not.
    pub(super) fn wakes_at(&self) -> Option<Instant> {
        let film = self.watch.as_ref().filter(|watch| watch.is_playing).map(|watch| watch.next);
        let is_comparing = self.comparison.as_ref().is_some_and(|comparison| !comparison.is_done());
        film.or_else(|| is_comparing.then(|| Instant::now() + REFRESH))
    }

    /// Shows the next step of a film.
    pub(super) fn tick(&mut self, now: Instant) {
        let Some(watch) = self.watch.as_mut().filter(|watch| watch.is_playing && watch.next <= now) else { return };
        watch.next = now + Duration::from_secs_f64(1.0 / watch.fps);
        self.forward();
    }

    /// Does what a key says.
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
            let text = format!("{failure}  –  press u to go back");
            self.complain(text);
        }
    }

    fn press_watching(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char('q') | KeyCode::Esc => self.has_left = true,
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char(' ') => {
                let is_at_end = self.session.node().latest.is_none();
                if is_at_end {
                    self.jump(0);
                }
                if let Some(watch) = &mut self.watch {
                    watch.is_playing = !watch.is_playing || is_at_end;
                    watch.next = Instant::now() + Duration::from_secs_f64(1.0 / watch.fps);
                }
            }
            KeyCode::Char('+' | '=') => self.change_speed(1.5),
            KeyCode::Char('-') => self.change_speed(1.0 / 1.5),
            KeyCode::Right | KeyCode::Char('l' | 'n' | '.') => {
                self.pause();
                self.forward();
            }
            KeyCode::Left | KeyCode::Char('h' | 'u' | ',') => {
                self.pause();
                let undone = self.session.undo();
                self.check(undone.map(drop));
            }
            KeyCode::Home => self.jump(0),
            KeyCode::End => self.jump(self.watch.as_ref().map_or(0, |watch| watch.last)),
            other => self.press_scrolling_or_complain(other),
        }
    }

    fn pause(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.is_playing = false;
        }
    }

    fn jump(&mut self, node: usize) {
        self.pause();
        let gone = self.session.go_to(node);
        self.check(gone);
    }

    fn change_speed(&mut self, factor: f64) {
        if let Some(watch) = &mut self.watch {
            watch.fps = (watch.fps * factor).clamp(SLOWEST, FASTEST);
        }
    }

    fn forward(&mut self) {
        match self.session.redo() {
            Ok(true) => {}
            Ok(false) => self.pause(),
            Err(error) => self.complain(error),
        }
    }

    pub(super) fn press_playing(&mut self, key: KeyCode) {
        if !self.press_count(key) {
            self.press_counted(key);
        }
    }

    /// Does what a key of the game or of the screen says, once.
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
                Some(call) => self.say(format!("taken off: {}", self.game().catalogue().write(&call))),
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

    fn press_scrolling_or_complain(&mut self, key: KeyCode) {
        if !self.press_scrolling(key) {
            self.complain(NO_SUCH_KEY);
        }
    }

    /// Scrolls; returns whether that is what the key is for.
    fn press_scrolling(&mut self, key: KeyCode) -> bool {
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

    /// Moves the cursor; returns whether that is what the key is for.
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

    fn act(&mut self, binding: &Binding) {
        if self.session.expects() == ActionKind::Observation {
            self.complain("this half of the day is for looking: m asks what to look at, n goes on to acting");
            return;
        }
        match binding.call {
            Some(call) => {
                let is_step = self.is_direct() && keys::direction_of(self.game(), binding.base).is_some();
                let (depth, place) = (self.session.node().depth, self.own_plot());
                self.add(call);
                // Who walks into something stays where he is.
                if is_step && self.session.node().depth > depth && place.is_some() && place == self.own_plot() {
                    self.complain("the way is blocked");
                }
            }
            None => self.open_menu(Some(binding.base)),
        }
    }

    /// Adds an action to what is planned, or does it at once where it is a step of its own.
    pub(super) fn add(&mut self, call: Call) {
        if self.session.is_over() {
            return self.complain_of_end();
        }
        if let Some(reason) = self.game().rejection(self.session.state(), &call) {
            return self.complain(format!("{}: {reason}", self.game().catalogue().write(&call)));
        }
        if self.is_direct() {
            return self.take(&[call]);
        }
        let most = self.game().catalogue().max_schedule();
        if self.schedule.contains(&call) {
            self.complain("this is planned already");
        } else if self.schedule.len() >= most {
            self.complain(format!("the rules allow {most} actions in a step: n goes on, x takes the last one off"));
        } else {
            self.schedule.push(call);
            let costs =
                |call: &Call| self.game().catalogue().base_actions().get(call.base()).map_or(0.0, |base| base.cost());
            if self.schedule.iter().map(costs).sum::<f64>() > self.game().max_schedule_cost() {
                self.complain("the schedule costs more than the rules allow: the last of it will be rejected");
            }
        }
    }

    fn next_step(&mut self) {
        let planned = std::mem::take(&mut self.schedule);
        let schedule = if planned.is_empty() { self.session.waiting() } else { planned };
        self.take(&schedule);
    }

    /// Says why no step can be taken.
    pub(super) fn complain_of_end(&mut self) {
        self.complain("the episode is over: u goes back, I shows what can be done, q leaves");
    }

    fn take(&mut self, schedule: &[Call]) {
        if self.session.is_over() {
            return self.complain_of_end();
        }
        let taken = self.session.step(schedule);
        self.check(taken);
        self.changed();
        self.show_end();
    }

    fn undo(&mut self) {
        let undone = self.session.undo();
        match undone {
            Ok(true) => self.changed(),
            Ok(false) => self.say("this is the start"),
            Err(error) => self.complain(error),
        }
    }

    pub(super) fn check(&mut self, result: Result<(), String>) {
        if let Err(error) = result {
            self.complain(error);
        }
    }

    /// Takes note that the player is elsewhere in the tree.
    pub(super) fn changed(&mut self) {
        self.schedule.clear();
        self.scroll.1 = 0;
        self.write_recording();
        self.consult();
    }

    fn toggle_hints(&mut self) {
        if self.hints.take().is_some() {
            self.advice = None;
        } else if let Some(adviser) = self.advisers.first().cloned() {
            self.ask(adviser);
        } else {
            self.say("this game names no policy");
        }
    }

    pub(super) fn ask(&mut self, adviser: Adviser) {
        match Hints::of(&self.session, adviser) {
            Ok(hints) => {
                self.hints = Some(hints);
                self.consult();
            }
            Err(problems) => {
                let text = problems.to_string().lines().next().unwrap_or_default().to_owned();
                self.complain(text);
            }
        }
    }

    fn consult(&mut self) {
        self.advice = self.hints.as_mut().and_then(|hints| hints.advice(&self.session).map(<[Call]>::to_vec));
    }

    fn take_advice(&mut self) {
        match self.advice.clone() {
            Some(advice) if self.is_direct() => self.take(&advice),
            Some(_) if self.is_advice_planned() => self.next_step(),
            Some(advice) => self.schedule = advice,
            None => self.say("h asks a policy what it would do, y then does it"),
        }
    }

    /// Whether what is planned is what the policy would do, in whatever order.
    pub(super) fn is_advice_planned(&self) -> bool {
        let has_all = |of: &[Call], these: &[Call]| these.iter().all(|call| of.contains(call));
        let is_planned = |advice: &Vec<Call>| has_all(&self.schedule, advice) && has_all(advice, &self.schedule);
        !self.is_direct() && self.advice.as_ref().is_some_and(is_planned)
    }

    fn leave(&mut self) {
        match self.recording.as_ref().and_then(|recording| recording.failure.clone()) {
            Some(failure) => {
                self.complain(format!("{failure}: R records to another file, q leaves and prints the actions"));
                self.mode = Mode::Leave;
            }
            None => self.has_left = true,
        }
    }

    fn ask_for_file(&mut self) {
        let known = self.recording.as_ref().map(|recording| recording.path.display().to_string());
        let usual = format!("{}-{}.txt", self.game().spec().name(), self.session.seed());
        self.mode = Mode::Prompt(Prompt::Record, known.unwrap_or(usual), true);
    }

    /// Records to a file from now on, with all moves that led here.
    pub(super) fn record(&mut self, path: PathBuf) {
        self.recording = Some(MoveRecording::new(path));
        self.write_recording();
        if let Some(recording) = self.recording.as_ref().filter(|recording| recording.failure.is_none()) {
            let text = format!("recording to {}", recording.path.display());
            self.say(text);
        }
    }

    fn write_recording(&mut self) {
        let Some(recording) = &mut self.recording else { return };
        recording.update(&self.session, self.arguments);
        if let Some(failure) = recording.failure.clone() {
            self.complain(failure);
        }
    }

    /// Why an action would be rejected now; none if it would not.
    pub(super) fn rejection(&self, base: usize) -> Option<&'static str> {
        menu::rejection(self.game(), self.session.state(), base)
    }
}
