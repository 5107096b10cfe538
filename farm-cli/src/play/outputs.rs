//! Recordings, films and reports of the moves, and the next world.

use std::path::PathBuf;
use std::sync::Arc;

use farm_core::SeedSplit;
use farm_core::action::Call;

use super::app::{App, Mode, Prompt};
use super::hints::Hints;
use super::recording::MoveRecording;
use super::session::Session;
use crate::film::FilmArguments;
use crate::recorded;

impl App<'_> {
    pub(super) fn leave(&mut self) {
        match self.recording.as_ref().and_then(|recording| recording.failure.clone()) {
            Some(failure) => {
                let keys = self.labels().words("R records to another file, q leaves and prints the actions");
                self.complain(format!("{failure}: {keys}"));
                self.mode = Mode::Leave;
            }
            None => self.has_left = true,
        }
    }

    pub(super) fn ask_for_file(&mut self) {
        let known = self.recording.as_ref().map(|recording| recording.path.display().to_string());
        let usual = format!("{}-{}.txt", self.game().spec().name(), self.session.seed());
        self.mode = Mode::Prompt(Prompt::Record, known.unwrap_or(usual), true);
    }

    /// Records to a file from now on, starting with all moves so far.
    pub(super) fn record(&mut self, path: PathBuf) {
        self.recording = Some(MoveRecording::new(path));
        self.write_recording();
        if let Some(recording) = self.recording.as_ref().filter(|recording| recording.failure.is_none()) {
            let text = format!("{} {}", self.labels().words("recording to"), recording.path.display());
            self.say(text);
        }
    }

    pub(super) fn write_recording(&mut self) {
        let Some(recording) = &mut self.recording else { return };
        recording.update(&self.session, self.arguments);
        if let Some(failure) = recording.failure.clone() {
            self.complain(failure);
        }
    }

    /// Asks for the file name of a film or report.
    pub(super) fn ask_for_output(&mut self, prompt: Prompt) {
        let ending = if prompt == Prompt::Film { "gif" } else { "html" };
        let usual = format!("{}-{}.{ending}", self.game().spec().name(), self.session.seed());
        self.say("this replays the episode and may take a while");
        self.mode = Mode::Prompt(prompt, usual, true);
    }

    /// Writes the requested film or report.
    pub(super) fn write_output(&mut self) {
        let Some((prompt, path)) = self.output.take() else { return };
        match self.try_write(prompt, path) {
            Ok(written) => self.say(written),
            Err(error) => self.complain(format!("{error:#}").lines().next().unwrap_or_default().to_owned()),
        }
        self.show_end();
    }

    fn try_write(&self, prompt: Prompt, path: PathBuf) -> anyhow::Result<String> {
        let moves: Vec<Vec<Call>> = self.session.moves().into_iter().map(<[Call]>::to_vec).collect();
        let (film, page) = match prompt {
            Prompt::Report => (FilmArguments::default(), Some(path.as_path())),
            _ => (FilmArguments::to(path.clone()), None),
        };
        let world = (self.arguments, self.session.seed());
        Ok(recorded::write(self.game(), world, &moves, &film, page)?.join(", "))
    }

    /// Starts the episode with the next seed. The recording remains the one for this episode.
    pub(super) fn begin_next_world(&mut self) {
        let seed = self.session.seed().wrapping_add(1);
        if SeedSplit::of(seed) != SeedSplit::of(self.session.seed()) {
            return self.complain("this is the last world of its split");
        }
        self.session = Session::new(Arc::clone(&self.text_renderer), seed);
        self.comparison = None;
        self.field = 0;
        self.cursor = self.text_renderer.position(self.session.state()).is_none().then_some((0, 0));
        let recorded = self.recording.take();
        let adviser = self.hints.take().map(|hints| hints.adviser);
        self.hints = adviser.and_then(|adviser| Hints::of(&self.session, adviser).ok());
        self.changed();
        match recorded {
            Some(recording) => {
                let (world, keeps) =
                    (self.labels().words("a new world"), self.labels().words("keeps the last one, R records this one"));
                self.say(format!("{world}; {} {keeps}", recording.path.display()));
            }
            None => self.say("a new world"),
        }
    }
}
