//! The keys for the menu, the lists and the text prompt.

use std::path::PathBuf;

use ratatui::crossterm::event::KeyCode;

use super::app::{App, Mode, Prompt};
use super::menu::{Menu, Question, Reply};

impl App<'_> {
    pub(super) fn open_menu(&mut self, base: Option<usize>) {
        if self.session.is_over() {
            return self.complain_of_end();
        }
        let kind = self.session.expects();
        let (menu, reply) =
            Menu::new(&self.text_renderer.game().clone(), self.labels(), self.session.state(), kind, base);
        self.follow(menu, reply);
    }

    /// Continues after an answer in the menu.
    pub(super) fn follow(&mut self, menu: Menu, reply: Reply) {
        match reply {
            Reply::Done(call) => {
                self.leave_map();
                self.add(call);
            }
            Reply::Ask => {
                if let Some(Question::Plot { field, .. }) = menu.question(self.game(), self.session.state())
                    && (self.field != field || self.cursor.is_none())
                {
                    self.cursor = Some(if self.field == field { self.focus() } else { (0, 0) });
                    self.field = field;
                }
                self.mode = Mode::Menu(menu);
            }
            Reply::Wrong(reason) => {
                self.complain(reason);
                if menu.question(self.game(), self.session.state()).is_some() {
                    self.mode = Mode::Menu(menu);
                }
            }
        }
    }

    /// Returns control of the arrow keys to the walking farmer.
    pub(super) fn leave_map(&mut self) {
        if self.text_renderer.position(self.session.state()).is_some_and(|(field, ..)| field == self.field) {
            self.cursor = None;
        }
    }

    pub(super) fn press_menu(&mut self, mut menu: Menu, key: KeyCode) {
        let game = self.game().clone();
        let Some(question) = menu.question(&game, self.session.state()) else { return };
        match (&question, key) {
            (_, KeyCode::Esc | KeyCode::Backspace | KeyCode::Left)
                if !matches!(question, Question::Plot { .. }) || key != KeyCode::Left =>
            {
                if key == KeyCode::Backspace && menu.typed.pop().is_some() || menu.back() {
                    self.mode = Mode::Menu(menu);
                } else {
                    self.leave_map();
                }
            }
            (
                Question::List { items, .. },
                KeyCode::Up | KeyCode::Down | KeyCode::Home | KeyCode::End | KeyCode::PageUp | KeyCode::PageDown,
            ) => {
                let last = items.len().saturating_sub(1);
                menu.selected = match key {
                    KeyCode::Up => menu.selected.checked_sub(1).unwrap_or(last),
                    KeyCode::Down if menu.selected >= last => 0,
                    KeyCode::Down => menu.selected + 1,
                    KeyCode::Home => 0,
                    KeyCode::PageUp => menu.selected.saturating_sub(8),
                    KeyCode::PageDown => (menu.selected + 8).min(last),
                    _ => last,
                };
                self.mode = Mode::Menu(menu);
            }
            (Question::List { .. }, KeyCode::Enter | KeyCode::Right) => {
                let reply = menu.choose(&game, self.session.state());
                self.follow(menu, reply);
            }
            (Question::List { range: Some(_), .. }, KeyCode::Char(c))
                if c.is_ascii_digit() || matches!(c, '.' | '-') =>
            {
                menu.typed.push(c);
                self.mode = Mode::Menu(menu);
            }
            // A letter selects the next answer that starts with it.
            (Question::List { items, .. }, KeyCode::Char(c)) => {
                let begins = |text: &str| text.to_lowercase().starts_with(c.to_ascii_lowercase());
                let order = (menu.selected + 1..items.len()).chain(0..=menu.selected);
                let found = order.into_iter().find(|i| items.get(*i).is_some_and(|item| begins(&item.text)));
                menu.selected = found.unwrap_or(menu.selected);
                self.mode = Mode::Menu(menu);
            }
            (Question::Plot { field, .. }, KeyCode::Enter) => {
                let reply = match self.text_renderer.plot_at(*field, self.focus(), self.session.state()) {
                    Some(plot) => menu.choose_plot(&game, self.session.state(), plot),
                    None => Reply::Wrong("this plot is outside the field".to_owned()),
                };
                self.follow(menu, reply);
            }
            (_, other) => {
                if !self.move_cursor(other) {
                    self.complain("no such key here; the arrows choose, Enter takes, Esc goes back");
                }
                self.mode = Mode::Menu(menu);
            }
        }
    }

    pub(super) fn press_branches(&mut self, marked: usize, key: KeyCode) {
        let places = self.session.places();
        match key {
            KeyCode::Up => self.mode = Mode::Branches(marked.checked_sub(1).unwrap_or(places.len().saturating_sub(1))),
            KeyCode::Down => self.mode = Mode::Branches((marked + 1) % places.len().max(1)),
            KeyCode::Enter => {
                if let Some(place) = places.get(marked) {
                    let gone = self.session.go_to(*place);
                    self.check(gone);
                    self.changed();
                }
            }
            _ => {}
        }
    }

    pub(super) fn press_advisers(&mut self, marked: usize, key: KeyCode) {
        let count = self.advisers.len().max(1);
        match key {
            KeyCode::Up => self.mode = Mode::Advisers((marked + count - 1) % count),
            KeyCode::Down => self.mode = Mode::Advisers((marked + 1) % count),
            KeyCode::Enter => {
                if let Some(adviser) = self.advisers.get(marked).cloned() {
                    self.ask(adviser);
                }
            }
            _ => {}
        }
    }

    pub(super) fn press_prompt(&mut self, prompt: Prompt, mut text: String, is_proposed: bool, key: KeyCode) {
        match key {
            KeyCode::Esc => {}
            KeyCode::Enter if prompt == Prompt::Name => self.session.name(&text),
            KeyCode::Enter if prompt == Prompt::Record => self.record(PathBuf::from(text.trim())),
            KeyCode::Enter => self.output = Some((prompt, PathBuf::from(text.trim()))),
            KeyCode::Backspace => {
                text.pop();
                self.mode = Mode::Prompt(prompt, text, false);
            }
            KeyCode::Char(c) => {
                if is_proposed {
                    text.clear();
                }
                text.push(c);
                self.mode = Mode::Prompt(prompt, text, false);
            }
            _ => self.mode = Mode::Prompt(prompt, text, is_proposed),
        }
    }
}
