//! The tree of moves: all steps taken, with snapshots for going back.
//!
//! Going back and acting differently creates a branch, and no move is lost. Each move stores its messages, so a branch's log contains only
//! that branch's moves.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{ActionKind, Environment, Game, SeedSplit, State};
use farm_render::{StoryLine, StoryStep, TextRenderer, Told, story, tell};

/// The memory limit for snapshots. Beyond it, only every 16th move has a snapshot, and the moves in between are replayed.
const MAX_SNAPSHOT_BYTES: usize = 256 << 20;
const SPARSE: usize = 16;

/// A move and its result. The root is the start of the episode.
#[derive(Debug)]
pub(super) struct Node {
    /// The previous move; none for the start.
    pub parent: Option<usize>,
    /// The moves that follow, in the order in which they were first tried.
    pub children: Vec<usize>,
    /// The child that was played last, which redo repeats.
    pub latest: Option<usize>,
    /// The executed schedule.
    pub schedule: Vec<Call>,
    /// Number of moves from the start.
    pub depth: usize,
    /// Sum of all rewards up to here.
    pub total: f64,
    /// The reward of the move.
    pub reward: Option<f64>,
    /// The messages to the player.
    pub told: Vec<Told>,
    /// The reason why the episode ended with this move, if it did.
    pub end: Option<String>,
    /// The player's name for this move.
    pub name: Option<String>,
    snapshot: Option<Vec<u8>>,
}

/// An episode being played, with all its branches.
#[derive(Debug)]
pub(super) struct Session {
    environment: Environment,
    text_renderer: Arc<TextRenderer>,
    seed: u64,
    nodes: Vec<Node>,
    current: usize,
    snapshot_bytes: usize,
    /// The reason why the last step failed. Until it is undone, only undo is possible.
    failure: Option<String>,
}

impl Session {
    /// Starts an episode.
    pub(super) fn new(text_renderer: Arc<TextRenderer>, seed: u64) -> Self {
        let mut environment = Environment::new(text_renderer.game().clone());
        environment.name_split(SeedSplit::of(seed));
        environment.reset(seed);
        let failure = environment.failed().map(ToString::to_string);
        let snapshot = environment.snapshot();
        let root = Node {
            parent: None,
            children: Vec::new(),
            latest: None,
            schedule: Vec::new(),
            depth: 0,
            total: 0.0,
            reward: None,
            told: Vec::new(),
            end: None,
            name: None,
            snapshot: Some(snapshot),
        };
        Self { environment, text_renderer, seed, nodes: vec![root], current: 0, snapshot_bytes: 0, failure }
    }

    /// The game.
    pub(super) fn game(&self) -> &Arc<Game> {
        self.environment.game()
    }

    /// The episode's seed.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The current state.
    pub(super) fn state(&self) -> &State {
        self.environment.state()
    }

    /// The current observation, as the bytes of the game's record.
    pub(super) fn observation(&self) -> &[u8] {
        self.environment.observation()
    }

    /// Shows another state of the game instead of the one being played.
    #[cfg(test)]
    pub(super) fn show(&mut self, state: &State) {
        let bytes = self.game().snapshot(state);
        self.environment.restore(&bytes).unwrap();
    }

    /// The kind of action that the next step expects.
    pub(super) fn expects(&self) -> ActionKind {
        self.environment.expects()
    }

    /// All moves. The first is the start.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The index of the player's current move.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    /// The player's current move.
    pub(super) fn node(&self) -> &Node {
        &self.nodes[self.current]
    }

    /// The reason why the last step failed, if it did.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Whether the episode has ended here.
    pub(super) fn is_over(&self) -> bool {
        self.node().end.is_some() || self.failure.is_some()
    }

    /// The moves from the start to a move, including both.
    pub(super) fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(node), |at| self.nodes.get(*at)?.parent).collect();
        path.reverse();
        path
    }

    /// The schedules from the start to the player's current move.
    pub(super) fn moves(&self) -> Vec<&[Call]> {
        self.path_to(self.current).into_iter().skip(1).map(|node| self.nodes[node].schedule.as_slice()).collect()
    }

    /// The log of all moves from the start to the player's current move.
    pub(super) fn story(&self) -> Vec<StoryLine> {
        let path = self.path_to(self.current);
        let steps = path.iter().skip(1).map(|at| {
            let Node { told, reward, total, end, .. } = &self.nodes[*at];
            StoryStep { told, reward: *reward, total: *total, end: end.as_deref() }
        });
        story(self.game(), self.text_renderer.labels(), steps)
    }

    /// Takes a step. A repeated move leads to the existing node. After a failed step, the player stays in place, and only undo is possible.
    ///
    /// # Errors
    /// Returns the reason for the failure, as a sentence.
    pub(super) fn step(&mut self, schedule: &[Call]) -> Result<(), String> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let known = self.node().children.iter().find(|child| self.nodes[**child].schedule == schedule);
        if let Some(child) = known.copied() {
            return self.go_to(child);
        }
        let before = self.environment.state().clone();
        let outcome = match self.environment.step(schedule) {
            Ok(outcome) => outcome,
            Err(error) => {
                let error = error.to_string();
                // The screen shows the last complete state. If restoring it fails too, the first error is reported.
                let _ = self.go_to(self.current);
                self.failure = Some(error.clone());
                return Err(error);
            }
        };
        let told = tell(&self.text_renderer, &before, &self.environment);
        let (depth, total) = (self.node().depth + 1, self.node().total + outcome.reward);
        let snapshot = self.environment.snapshot();
        let is_kept = self.snapshot_bytes + snapshot.len() <= MAX_SNAPSHOT_BYTES || depth.is_multiple_of(SPARSE);
        self.snapshot_bytes += if is_kept { snapshot.len() } else { 0 };
        let game = self.environment.game();
        let stop = self.environment.record().stop().map(|stop| game.text().stop_reason(stop)).unwrap_or_default();
        let node = Node {
            parent: Some(self.current),
            children: Vec::new(),
            latest: None,
            schedule: schedule.to_vec(),
            depth,
            total,
            reward: Some(outcome.reward),
            told,
            end: outcome.over().then_some(stop),
            name: None,
            snapshot: is_kept.then_some(snapshot),
        };
        let child = self.nodes.len();
        self.nodes.push(node);
        let parent = &mut self.nodes[self.current];
        parent.children.push(child);
        parent.latest = Some(child);
        self.current = child;
        Ok(())
    }

    /// Goes to any move in the tree.
    ///
    /// # Errors
    /// Returns the reason why the game can't go there, as a sentence.
    pub(super) fn go_to(&mut self, node: usize) -> Result<(), String> {
        if node >= self.nodes.len() {
            return Err("there is no such move".to_owned());
        }
        let path = self.path_to(node);
        let from = path.iter().rposition(|at| self.nodes[*at].snapshot.is_some()).unwrap_or(0);
        let bytes = self.nodes[path[from]].snapshot.clone().unwrap_or_default();
        self.environment.restore(&bytes).map_err(|error| error.to_string())?;
        for at in &path[from + 1..] {
            self.environment.step(&self.nodes[*at].schedule).map_err(|error| error.to_string())?;
        }
        for pair in path.windows(2) {
            self.nodes[pair[0]].latest = Some(pair[1]);
        }
        self.current = node;
        self.failure = None;
        Ok(())
    }

    /// Goes one move back, or leaves a failed step. Returns whether that was possible.
    ///
    /// # Errors
    /// Returns why the game can't go there.
    pub(super) fn undo(&mut self) -> Result<bool, String> {
        match self.node().parent {
            _ if self.failure.is_some() => self.go_to(self.current).map(|()| true),
            Some(parent) => self.go_to(parent).map(|()| true),
            None => Ok(false),
        }
    }

    /// Repeats the move that was played last from here. Returns whether there was one.
    ///
    /// # Errors
    /// Returns why the game can't go there.
    pub(super) fn redo(&mut self) -> Result<bool, String> {
        match self.node().latest {
            Some(child) if self.failure.is_none() => self.go_to(child).map(|()| true),
            _ => Ok(false),
        }
    }

    /// The state after a step. `None` if the step would fail.
    pub(super) fn preview(&self, schedule: &[Call]) -> Option<State> {
        let game = self.game();
        let mut state = self.state().clone();
        game.step(&mut state, schedule, &mut game.new_record()).ok().map(|_| state)
    }

    /// The schedule that lets time pass: the waiting action, or nothing.
    pub(super) fn waiting(&self) -> Vec<Call> {
        match self.expects() {
            ActionKind::Intervention => self.game().catalogue().waiting().to_vec(),
            ActionKind::Observation => Vec::new(),
        }
    }

    /// Names the player's current move. An empty name removes it.
    pub(super) fn name(&mut self, name: &str) {
        let name = name.trim();
        self.nodes[self.current].name = (!name.is_empty()).then(|| name.to_owned());
    }

    /// The moves worth going back to: ends of branches and named moves, in the order of the tree.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places = Vec::new();
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            if node.children.is_empty() || node.name.is_some() || at == self.current {
                places.push(at);
            }
            open.extend(node.children.iter().rev());
        }
        places
    }

    /// The number of moves that a branch shares with the player's path.
    pub(super) fn fork(&self, node: usize) -> usize {
        let (own, other) = (self.path_to(self.current), self.path_to(node));
        own.iter().zip(&other).take_while(|(a, b)| a == b).count().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farm_core::{Behaviour, Column, Columns, Context, Phase};
    use farm_render::View;

    /// Counts steps, and breaks in the third.
    #[derive(Debug, Clone, farm_core::Parameters)]
    pub(crate) struct TestFuse {}

    #[derive(Columns)]
    struct Fuse {
        /// What is left of the fuse.
        #[real(unit = "m", range = 0.0..=9.0, default = 2.0)]
        length: Column<f64>,
    }

    #[farm_core::register(entity = TestFuse, source = "Tests of play", runs_in = Phase::Account)]
    impl Behaviour for Fuse {
        fn tick(&self, _: Phase, c: &mut Context<'_>) {
            let length = c.value(self.length);
            c.get(self.length)[0].set(if length > 0.0 { length - 1.0 } else { f64::NAN });
        }
    }

    fn session(entities: &str) -> Session {
        let yaml = format!(
            "name: fuse\nfields:\n  Field-0:\n    entities: [{entities}]\nfarmers:\n  - BasicFarmer: {{}}\nrules:\n  \
             BasicRule: {{max_steps: 9}}\nscore:\n  BasicScore: {{}}\n"
        );
        let document = farm_core::config::Document::parse("fuse.yaml", &yaml).unwrap();
        let game = Game::new(farm_core::spec::load_document(&document).unwrap()).unwrap();
        Session::new(Arc::new(TextRenderer::new(Arc::new(game), View::Learner).unwrap()), 3)
    }

    #[test]
    fn a_step_that_fails_is_told_and_undone_and_no_move() {
        let mut session = session("TestFuse: {}");
        session.step(&[]).unwrap();
        session.step(&[]).unwrap();
        let (before, node) = (session.state().hash(), session.current());
        let error = session.step(&[]).unwrap_err();
        assert!(error.contains("length#m") && error.contains("NaN"), "{error}");
        assert_eq!(session.failure(), Some(error.as_str()));
        assert!(session.is_over());
        assert_eq!(session.step(&[]).unwrap_err(), error, "there is no way on");
        assert_eq!(session.redo(), Ok(false));
        assert_eq!((session.current(), session.moves().len()), (node, 2));
        assert_eq!(session.undo(), Ok(true));
        assert_eq!((session.failure(), session.current(), session.state().hash()), (None, node, before));
        assert_eq!(session.undo(), Ok(true));
        assert_eq!(session.node().depth, 1);
    }

    /// Every state in a tree can be restored exactly, from its snapshot or by replaying moves from an earlier one.
    #[test]
    fn every_branch_is_gone_back_to_exactly() {
        for keeps_all in [true, false] {
            let game = farm_games::open(farm_games::CATALOGUE[0].name, &farm_games::Options::default()).unwrap();
            let mut session = Session::new(Arc::new(TextRenderer::new(Arc::new(game), View::Learner).unwrap()), 5);
            if !keeps_all {
                session.snapshot_bytes = MAX_SNAPSHOT_BYTES;
            }
            let calls = session.game().catalogue().calls().to_vec();
            let mut hashes = vec![session.state().hash()];
            for i in 0..30 {
                session.step(&[calls[i % calls.len()]]).unwrap();
                hashes.push(session.state().hash());
            }
            session.go_to(10).unwrap();
            assert_eq!(session.state().hash(), hashes[10]);
            session.name("fork");
            for i in 0..5 {
                session.step(&[calls[(3 * i + 1) % calls.len()]]).unwrap();
                hashes.push(session.state().hash());
            }
            let end = session.current();
            assert_eq!(session.fork(30), 10);
            assert_eq!(session.places(), [10, 30, end]);
            for (node, hash) in hashes.iter().enumerate().rev() {
                session.go_to(node).unwrap();
                assert_eq!(session.state().hash(), *hash, "node {node}");
            }
            // The same move leads to the same place, and redoing follows the branch that was left last.
            session.go_to(10).unwrap();
            session.step(&[calls[1]]).unwrap();
            assert_eq!(session.current(), 31);
            session.undo().unwrap();
            assert_eq!(session.redo(), Ok(true));
            assert_eq!((session.current(), session.nodes().len()), (31, hashes.len()));
            let kept = session.nodes().iter().filter(|node| node.snapshot.is_some()).count();
            assert_eq!(kept, if keeps_all { hashes.len() } else { 2 });
        }
    }
}
