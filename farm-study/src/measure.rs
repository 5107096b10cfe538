//! Measures episodes.

use farm_core::config::{Path, Problems};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{Game, Monitor, Observer, ObserverError, State, Transition};

use crate::expression::{Names, fill, number};
use crate::format::{Amount, Measure, Over, Term};
use crate::study::wrong_expression;

/// A term with its names resolved, and its values so far in the current episode.
struct Reading {
    monitor: Monitor,
    over: Over,
    times: f64,
    last: f64,
    least: f64,
    greatest: f64,
    sum: f64,
    steps: u32,
}

/// Observes episodes, and returns the measured number at the end of each one.
pub(crate) struct Meter {
    of: Vec<Reading>,
    per: Vec<Reading>,
    times: f64,
}

impl Meter {
    /// Creates a meter for a game. `names` are a point's named values.
    ///
    /// # Errors
    /// The game does not have a name, or an expression can't be computed. The problems do not have a location yet.
    pub(crate) fn new(measure: &Measure, game: &Game, names: &Names) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let path = Path::default().child("measure");
        let mut read = |terms: &[Term], key: &str| -> Vec<Reading> {
            let path = path.child(key);
            let readings = terms.iter().enumerate();
            readings.filter_map(|(i, term)| Reading::new(term, game, names, &path.child(i), &mut problems)).collect()
        };
        let (of, per) = (read(&measure.of, "of"), read(&measure.per, "per"));
        let times = factor(&measure.times, names, &path.child("times"), &mut problems);
        if problems.has_errors() { Err(problems) } else { Ok(Self { of, per, times }) }
    }

    /// The measured value of the finished episode.
    pub(crate) fn value(&self) -> f64 {
        let sum = |readings: &[Reading]| readings.iter().map(Reading::value).sum::<f64>();
        if self.per.is_empty() {
            return self.times * sum(&self.of);
        }
        let divisor = sum(&self.per);
        if divisor == 0.0 { 0.0 } else { self.times * sum(&self.of) / divisor }
    }

    fn readings(&mut self) -> impl Iterator<Item = &mut Reading> {
        self.of.iter_mut().chain(&mut self.per)
    }
}

impl Observer for Meter {
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        for reading in self.readings() {
            reading.begin(game, state);
        }
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        for reading in self.readings() {
            reading.see(transition.game, transition.state);
        }
        Ok(())
    }
}

/// A factor in the study; default: 1.
fn factor(amount: &Amount, names: &Names, path: &Path, problems: &mut Problems) -> f64 {
    if amount.0.is_null() {
        return 1.0;
    }
    number(&amount.0, names).unwrap_or_else(|wrong| {
        problems.push(wrong_expression(wrong, path));
        1.0
    })
}

impl Reading {
    fn new(term: &Term, game: &Game, names: &Names, path: &Path, problems: &mut Problems) -> Option<Self> {
        let variable =
            fill(&term.variable.0, names).map_err(|wrong| problems.push(wrong_expression(wrong, path))).ok()?;
        let mut written = Mapping::new();
        written.insert("variable".into(), variable);
        written.insert("function".into(), Value::from(term.function.as_str()));
        let times = factor(&term.times, names, &path.child("times"), problems);
        let monitor = Monitor::new(&Value::Mapping(written), path, game.names(), game.rules().max_steps, problems)?;
        Some(Self { monitor, over: term.over, times, last: 0.0, least: 0.0, greatest: 0.0, sum: 0.0, steps: 0 })
    }

    fn read(&mut self, game: &Game, state: &State) {
        let mut value = [0.0];
        self.monitor.read(&game.reader(state), &mut value);
        [self.last] = value;
    }

    fn begin(&mut self, game: &Game, state: &State) {
        self.read(game, state);
        (self.least, self.greatest, self.sum, self.steps) = (self.last, self.last, 0.0, 0);
    }

    fn see(&mut self, game: &Game, state: &State) {
        self.read(game, state);
        self.least = self.least.min(self.last);
        self.greatest = self.greatest.max(self.last);
        self.sum += self.last;
        self.steps += 1;
    }

    fn value(&self) -> f64 {
        let value = match self.over {
            Over::End => self.last,
            Over::Max => self.greatest,
            Over::Min => self.least,
            Over::Sum => self.sum,
            Over::Mean => self.sum / f64::from(self.steps.max(1)),
        };
        self.times * value
    }
}
