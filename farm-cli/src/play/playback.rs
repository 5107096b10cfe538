//! The keys for the playback of a file: automatic, paused, or step by step.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::KeyCode;

use super::app::{App, Mode};

/// The range of speeds, in steps per second.
const FASTEST: f64 = 60.0;
const SLOWEST: f64 = 0.1;

impl App<'_> {
    /// Shows the next step if it is due.
    pub(super) fn tick(&mut self, now: Instant) {
        let Some(watch) = self.watch.as_mut().filter(|watch| watch.is_playing && watch.next <= now) else { return };
        watch.next = now + Duration::from_secs_f64(1.0 / watch.fps);
        self.forward();
    }

    /// The keys that apply while a file is being watched.
    pub(super) fn press_watching(&mut self, key: KeyCode) {
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
}
