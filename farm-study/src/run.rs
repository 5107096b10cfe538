//! Plays all points of a study.

use farm_core::config::{Path, Phrase, Problem, Problems};
use farm_core::{Block, EpisodeRunner, Executor, Game, RemoteError, hash_name, mix};
use serde::{Deserialize, Serialize};

use crate::errors::StudyError;
use crate::expectation::Finding;
use crate::expression::Names;
use crate::measure::Meter;
use crate::point::{Point, one};
use crate::results::{LineResults, PanelResults, PointResults};
use crate::study::Study;

/// The number of episodes per block. It is large enough to make the time for opening the game negligible.
const BLOCK: u32 = 25;

/// Reasons why a study could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The study has errors, or an episode failed.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// Another machine failed.
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

/// Episodes at one point.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyBlock {
    /// The fingerprint of the game, policy and measure; none for blocks that are played on this machine.
    fingerprint: Option<u64>,
    point: Point,
    first_seed: u64,
    episodes: u32,
}

impl Block for StudyBlock {
    fn episodes(&self) -> usize {
        self.episodes as usize
    }
}

/// The game of the point that was played last.
#[derive(Debug)]
pub struct OpenPoint {
    point: Point,
    names: Names,
    game: Game,
    fingerprint: u64,
}

/// A study's results.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyResults {
    /// The panels, in file order.
    pub panels: Vec<PanelResults>,
    /// The expectations and their verdicts, in file order.
    pub findings: Vec<Finding>,
}

impl StudyResults {
    /// Whether all expectations agree with the file: each one holds, except those with a `gap`.
    pub fn is_as_said(&self) -> bool {
        self.findings.iter().all(Finding::is_as_said)
    }

    /// Whether all expectations hold.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(Finding::holds)
    }
}

impl Study {
    /// Plays all points, on several threads or on other machines, and checks the expectations. The results do not depend on the executor.
    ///
    /// # Errors
    /// The game, the policy or the measure has errors at a point, an episode fails, or another machine fails.
    pub fn run<'e>(&self, executor: impl Into<Executor<'e>>) -> Result<StudyResults, RunError> {
        let executor = executor.into();
        let blocks = self.blocks(executor.is_remote())?;
        let played = executor.play(&blocks, || None, |open, block| self.play(open, block).map_err(RunError::from))?;
        let per_point = (self.file.seeds as usize).div_ceil(BLOCK as usize);
        let mut values = played.chunks(per_point).map(<[Vec<f64>]>::concat);
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

    /// Plays a block of the same study that another program has sent as JSON. `open` stores the game between blocks; start with `None`.
    ///
    /// # Errors
    /// The string is not a block of this study, the block's point has errors, or an episode fails.
    pub fn play_block(&self, open: &mut Option<OpenPoint>, block: &str) -> Result<Vec<f64>, Problems> {
        let block: StudyBlock = serde_json::from_str(block).map_err(|error| {
            self.not_ours(
                format!("this is not a block of episodes of a study: {error}"),
                "a block written by `farm study`",
            )
        })?;
        let Point { panel, line, rank } = block.point;
        if panel >= self.panels.len() || line >= self.lines.len() || rank >= self.ranks() {
            let message = format!("the study has no line {line} of panel {panel} with a point {rank}");
            return Err(self.not_ours(message, "a point of this study"));
        }
        self.open(open, block.point)?;
        let own = open.as_ref().map(|open| open.fingerprint);
        if own != block.fingerprint {
            let shown = |fingerprint: Option<u64>| fingerprint.map_or("none".to_owned(), |own| format!("{own:016x}"));
            let message = format!("the fingerprint of the point is {} here", shown(own));
            return Err(self.not_ours(message, shown(block.fingerprint)));
        }
        self.play(open, &block)
    }

    fn not_ours(&self, message: String, expected: impl Into<Phrase>) -> Problems {
        let problem = Problem::new(StudyError::OtherBlock, Path::default(), message).expected(expected);
        self.located(one(problem.help("give all machines the same version of the program and of the study's files")))
    }

    /// All episodes, point by point, in blocks of a fixed size.
    fn blocks(&self, are_sent: bool) -> Result<Vec<StudyBlock>, Problems> {
        let mut blocks = Vec::new();
        for point in self.points() {
            // Blocks for other machines contain the fingerprint of their game.
            let mut open = None;
            if are_sent {
                self.open(&mut open, point)?;
            }
            let fingerprint = open.map(|open| open.fingerprint);
            for first in (0..self.file.seeds).step_by(BLOCK as usize) {
                let first_seed = u64::from(self.file.first_seed) + u64::from(first);
                blocks.push(StudyBlock {
                    fingerprint,
                    point,
                    first_seed,
                    episodes: BLOCK.min(self.file.seeds - first),
                });
            }
        }
        Ok(blocks)
    }

    /// Opens the game at a point, unless it is already open.
    fn open(&self, open: &mut Option<OpenPoint>, point: Point) -> Result<(), Problems> {
        if open.as_ref().is_some_and(|open| open.point == point) {
            return Ok(());
        }
        let names = self.names(point);
        let game = self.game_at(point, &names).map_err(|problems| self.at_point(point, problems))?;
        // The policy and the measure belong to the fingerprint. Expectations do not, so they may change.
        let besides = format!("{:?}\n{:?}\n{names:?}", self.file.policy, self.file.measure);
        let fingerprint = mix(game.fingerprint(), hash_name(&besides));
        *open = Some(OpenPoint { point, names, game, fingerprint });
        Ok(())
    }

    /// The measured values of a block's episodes.
    fn play(&self, open: &mut Option<OpenPoint>, block: &StudyBlock) -> Result<Vec<f64>, Problems> {
        self.open(open, block.point)?;
        let Some(OpenPoint { names, game, .. }) = open else { return Ok(Vec::new()) };
        let play = || -> Result<Vec<f64>, Problems> {
            let mut player = self.player_at(game, names)?;
            let meter = Meter::new(&self.file.measure, game, names);
            let mut meter = meter.map_err(|problems| self.located(problems))?;
            let mut runner = EpisodeRunner::new(game);
            let seeds = (0..u64::from(block.episodes)).map(|i| block.first_seed.saturating_add(i));
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
        play().map_err(|problems| self.at_point(block.point, problems))
    }
}
