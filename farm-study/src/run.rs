//! Playing all points of a study.

use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::EpisodeRunner;
use farm_core::config::{Path, Problem, Problems};
use farm_games::farm_scoring::risk::Criterion;

use crate::errors::StudyError;
use crate::expectation::Finding;
use crate::format::Share;
use crate::measure::Meter;
use crate::point::{Point, one};
use crate::study::Study;

/// What came out of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyResults {
    /// The panels in the order of the file.
    pub panels: Vec<PanelResults>,
    /// What was expected, and whether it holds, in the order of the file.
    pub findings: Vec<Finding>,
}

/// The lines of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelResults {
    /// What it is called; empty if there is one alone.
    pub title: String,
    /// Its lines.
    pub lines: Vec<LineResults>,
}

/// The points of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineResults {
    /// What it is called; empty if there is one alone.
    pub title: String,
    /// Its points, from left to right.
    pub points: Vec<PointResults>,
}

/// The episodes of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct PointResults {
    /// Where it stands; 0 where there is one point alone.
    pub x: f64,
    /// What was measured, episode by episode, as a share where the study says so.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
}

impl StudyResults {
    /// Whether all is as the file says: what was expected holds, but for what is known not to.
    pub fn is_as_said(&self) -> bool {
        self.findings.iter().all(Finding::is_as_said)
    }

    /// Whether all that was expected holds.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(Finding::holds)
    }
}

impl PointResults {
    fn new(x: f64, values: Vec<f64>) -> Self {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Self { x, values, mean }
    }

    /// The first and the third quartile of the values.
    pub fn quartiles(&self) -> (f64, f64) {
        let [first, third] = [0.25, 0.75].map(|share| Criterion::Quantile(share).value(&self.values));
        (first.unwrap_or(self.mean), third.unwrap_or(self.mean))
    }

    /// The least and the greatest of the values.
    pub fn range(&self) -> (f64, f64) {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        self.values.iter().fold(ends, |(low, high), value| (low.min(*value), high.max(*value)))
    }
}

impl LineResults {
    /// Divides all values by one of the line, if that is not 0.
    fn as_shares(&mut self, share: Share) {
        let mut means = self.points.iter().map(|point| point.mean);
        let whole = match share {
            Share::None => return,
            Share::Best => means.fold(0.0, f64::max),
            Share::First => means.take(1).sum(),
            Share::Last => means.next_back().unwrap_or_default(),
        };
        if whole > 0.0 {
            for point in &mut self.points {
                let values = point.values.iter().map(|value| value / whole).collect();
                *point = PointResults::new(point.x, values);
            }
        }
    }
}

impl Study {
    /// Plays all points on so many threads, and checks what is expected. The results do not depend on the number of threads.
    ///
    /// # Errors
    /// What is wrong with the game, the policy or the measure at one of the points; an episode that failed.
    pub fn run(&self, threads: usize) -> Result<StudyResults, Problems> {
        let points = self.points();
        let (next, first_failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let work = || {
            let mut done = Vec::new();
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                let Some(point) = points.get(job).filter(|_| job < first_failed.load(Ordering::Relaxed)) else {
                    return done;
                };
                let values = self.play(*point);
                if values.is_err() {
                    first_failed.fetch_min(job, Ordering::Relaxed);
                }
                done.push((job, values));
            }
        };
        let mut done = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.clamp(1, points.len().max(1))).map(|_| scope.spawn(work)).collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().flat_map(join).collect::<Vec<_>>()
        });
        // Of several points that fail, the first one is told, whichever thread was faster.
        done.sort_by_key(|(job, _)| *job);
        let values = done.into_iter().map(|(_, values)| values).collect::<Result<Vec<_>, _>>()?;
        let mut values = values.into_iter();
        let x = |rank: usize| self.file.x.values.get(rank).copied().unwrap_or_default();
        let mut line = |title: &str| {
            let points = (0..self.ranks()).map(|rank| PointResults::new(x(rank), values.next().unwrap_or_default()));
            let mut line = LineResults { title: title.to_owned(), points: points.collect() };
            line.as_shares(self.file.measure.share);
            line
        };
        let panels: Vec<PanelResults> = self
            .panels
            .iter()
            .map(|panel| PanelResults {
                title: panel.title.clone(),
                lines: self.lines.iter().map(|group| line(&group.title)).collect(),
            })
            .collect();
        let findings = self.findings(&panels)?;
        Ok(StudyResults { panels, findings })
    }

    /// What is measured in the episodes of a point.
    fn play(&self, point: Point) -> Result<Vec<f64>, Problems> {
        let names = self.names(point);
        let play = || -> Result<Vec<f64>, Problems> {
            let game = self.game_at(point, &names)?;
            let mut player = self.player_at(&game, &names)?;
            let meter = Meter::new(&self.file.measure, &game, &names);
            let mut meter = meter.map_err(|problems| self.located(problems))?;
            let mut runner = EpisodeRunner::new(&game);
            let seeds = (0..self.file.seeds).map(|i| u64::from(self.file.first_seed) + u64::from(i));
            seeds
                .map(|seed| match runner.play(player.as_mut(), seed, &mut meter) {
                    Ok(_) => Ok(meter.value()),
                    Err(error) => {
                        let message = format!("the episode of seed {seed} failed: {error}");
                        Err(self.located(one(Problem::new(
                            StudyError::EpisodeFailed,
                            Path::default().child("game"),
                            message,
                        ))))
                    }
                })
                .collect()
        };
        play().map_err(|problems| self.at_point(point, problems))
    }
}
