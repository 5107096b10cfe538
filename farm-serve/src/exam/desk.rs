//! The exchange of texts and replies between the run and the page of an exam.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use farm_core::inspect::RulesText;
use serde_json::{Value as Json, json};
use tokio::sync::watch;

/// A view for the person: a text that needs a reply, and everything shown around the text.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// The page's content.
    pub(super) shown: Json,
    /// The earlier texts of this episode with their replies.
    pub(super) past: Vec<(String, String)>,
}

/// An exam's session.
#[derive(Debug)]
pub(super) struct Desk {
    episodes: Vec<String>,
    rules: RulesText,
    board: Mutex<Board>,
    replied: Condvar,
    /// The number of the current view, from 1; 0 before the first view.
    numbers: watch::Sender<u64>,
    /// Whether the page is no longer needed.
    closed: watch::Sender<bool>,
}

/// The current state of the session.
#[derive(Debug, Default)]
struct Board {
    view: Option<View>,
    /// The time when the page first received the view.
    shown_at: Option<Instant>,
    /// The reply to the view, and the time that it took in seconds.
    reply: Option<(String, f64)>,
    /// The last text of the previous episode, until the next text is shown.
    ended: Option<String>,
    is_over: bool,
}

impl Desk {
    pub(super) fn new(episodes: Vec<String>, rules: RulesText) -> Self {
        let (numbers, closed) = (watch::Sender::new(0), watch::Sender::new(false));
        Self { episodes, rules, board: Mutex::default(), replied: Condvar::new(), numbers, closed }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        // Each field is set as a whole, so a panic elsewhere leaves it valid.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the person sees the rules.
    pub(super) fn rules(&self) -> RulesText {
        self.rules
    }

    /// The number of an episode, from 1, and the total number of episodes.
    pub(super) fn place(&self, episode: &str) -> (usize, usize) {
        let at = self.episodes.iter().position(|known| known == episode).unwrap_or_default();
        (at + 1, self.episodes.len())
    }

    /// A receiver for the number of the current view, used to wait for the next view.
    pub(super) fn numbers(&self) -> watch::Receiver<u64> {
        self.numbers.subscribe()
    }

    /// Replaces the current view.
    pub(super) fn put(&self, view: View) {
        let mut board = self.board();
        let ended = board.ended.take();
        let mut shown = view.shown;
        (shown["ended"], shown["is_over"]) = (json!(ended), json!(false));
        *board = Board { view: Some(View { shown, ..view }), ..Board::default() };
        self.numbers.send_modify(|number| *number += 1);
    }

    /// Sets an episode's last text. After the last episode, the page shows this text immediately.
    pub(super) fn put_end(&self, episode: &str, text: String) {
        self.board().ended = Some(text);
        let (at, of) = self.place(episode);
        if at == of {
            self.end();
        }
    }

    /// Ends the exam.
    pub(super) fn end(&self) {
        let mut board = self.board();
        if !board.is_over {
            let view = View { shown: json!({ "is_over": true, "ended": board.ended }), past: Vec::new() };
            *board = Board { view: Some(view), is_over: true, ..Board::default() };
            self.numbers.send_modify(|number| *number += 1);
        }
    }

    pub(super) fn close(&self) {
        self.closed.send_replace(true);
    }

    pub(super) fn closed(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }

    /// The page's content. The time for a reply starts when the page first receives the view.
    pub(super) fn show(&self, with_past: bool) -> Json {
        let mut board = self.board();
        board.shown_at.get_or_insert_with(Instant::now);
        let Some(view) = &board.view else { return Json::Null };
        let mut shown = view.shown.clone();
        shown["number"] = json!(*self.numbers.borrow());
        if with_past {
            shown["past"] = json!(view.past);
        }
        shown
    }

    /// Accepts a reply to the text with this number.
    ///
    /// # Errors
    /// The text with this number is not the current one, or already has a reply.
    pub(super) fn answer(&self, number: u64, reply: String) -> Result<(), &'static str> {
        let mut board = self.board();
        if board.is_over {
            return Err("the exam is over");
        }
        let Some(shown_at) = board.shown_at.filter(|_| *self.numbers.borrow() == number && board.reply.is_none())
        else {
            return Err(
                "this text is no longer the current one, perhaps because another window has replied; reload the page",
            );
        };
        board.reply = Some((reply, shown_at.elapsed().as_secs_f64()));
        self.replied.notify_all();
        Ok(())
    }

    /// Waits up to `time` for the reply to the current view.
    pub(super) fn wait(&self, time: Duration) -> Option<(String, f64)> {
        let board = self.board();
        let waited = self.replied.wait_timeout_while(board, time, |board| board.reply.is_none());
        let (board, _) = waited.unwrap_or_else(PoisonError::into_inner);
        // The reply stays, so that a second one is rejected until the next text is shown.
        board.reply.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> View {
        View { shown: json!({ "text": text }), past: vec![("before".to_owned(), "wait".to_owned())] }
    }

    #[test]
    fn a_text_is_answered_once_and_only_after_it_was_shown() {
        let desk = Desk::new(vec!["a".to_owned(), "b".to_owned()], RulesText::Hidden);
        desk.put(view("one"));
        assert!(desk.answer(1, "guess".to_owned()).is_err(), "the text was not shown yet");
        assert_eq!((&desk.show(true)["text"], &desk.show(true)["past"][0][1]), (&json!("one"), &json!("wait")));
        assert!(desk.show(false).get("past").is_none());
        assert_eq!(desk.wait(Duration::ZERO), None);
        for number in [0, 2, u64::MAX] {
            assert!(desk.answer(number, "wait".to_owned()).is_err(), "{number}");
        }
        desk.answer(1, "wait".to_owned()).unwrap();
        assert!(desk.answer(1, "other".to_owned()).is_err(), "a second window");
        let (reply, seconds) = desk.wait(Duration::ZERO).unwrap();
        assert!(reply == "wait" && seconds >= 0.0);
        desk.put(view("two"));
        assert!(desk.answer(1, "late".to_owned()).is_err());
        assert_eq!(desk.wait(Duration::ZERO), None);
    }

    #[test]
    fn the_end_of_an_episode_stands_above_the_next_and_that_of_the_last_alone() {
        let desk = Desk::new(vec!["a".to_owned(), "b".to_owned()], RulesText::Hidden);
        desk.put(view("one"));
        desk.put_end("a", "the end of a".to_owned());
        assert_eq!(desk.show(false)["text"], "one");
        desk.put(view("two"));
        assert_eq!((&desk.show(false)["ended"], &desk.show(false)["text"]), (&json!("the end of a"), &json!("two")));
        desk.put_end("b", "the end of b".to_owned());
        desk.end();
        let shown = desk.show(true);
        assert_eq!(shown, json!({ "is_over": true, "ended": "the end of b", "number": 3, "past": [] }));
        assert_eq!(desk.answer(3, "wait".to_owned()), Err("the exam is over"));
    }
}
