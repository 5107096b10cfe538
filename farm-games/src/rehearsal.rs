//! Test seasons of a game. They show problems that are not visible in its file, such as an action that is never possible or a field
//! without growing plants.

use std::time::{Duration, Instant};

use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{Path, Problem, Problems};
use farm_core::inspect::format_number;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, EpisodeRunner, Game, Observer, ObserverError, State, StateSlice, Stop, Transition};
use farm_roles::{HARVEST_WEIGHT, PLANT_PROGRESS, SEEDS_SOWN};

use crate::RehearsalError;
use crate::policies::{self, fills};

/// The number of seasons per policy.
pub(crate) const SEASONS: u64 = 3;
/// The default time limit of a rehearsal.
pub(crate) const WITHIN: Duration = Duration::from_secs(1);

/// The results of a rehearsal.
#[derive(Debug, Clone, Default)]
pub struct Rehearsal {
    /// Warnings about probable mistakes, without locations ([`Document::locate`](farm_core::config::Document::locate) adds them).
    pub problems: Problems,
    /// The number of policies that played, including the policies that every game has.
    pub policies: usize,
    /// The number of seasons that were played to their end.
    pub seasons: u64,
    /// Whether each policy played a season to its end. If not, there are no warnings about events that never happened.
    pub is_whole: bool,
}

/// Plays three seasons with each of the game's policies, with random play and with waiting, and warns about probable mistakes.
///
/// The warnings are: an action that is never possible, a field without growth, a crop that no policy sows, and a season that ends after
/// one step. It also warns about rewards that are all equal or never above 0, and a limit that no policy keeps. When `within` is over, the
/// rehearsal ends after the current step. Policies that know hidden rules do not play, because they may plan for minutes.
pub fn rehearse(game: &Game, within: Duration) -> Rehearsal {
    let end = Instant::now() + within;
    let mut seen = Seen::new(game);
    let mut players = players(game);
    seen.all_play = game.spec().policies().values().all(|policy| !policy.knows_hidden(game));
    let policies = players.len();
    let mut runner = EpisodeRunner::new(game);
    let mut rehearsal = Rehearsal { policies, ..Rehearsal::default() };
    'all: for seed in 0..SEASONS {
        for (name, player) in &mut players {
            // Checked here too, for games with very short seasons.
            if Instant::now() > end {
                break 'all;
            }
            seen.begin(name);
            if runner.start(player.as_mut(), seed, &mut seen).is_err() {
                continue;
            }
            loop {
                let stepped = runner.advance(player.as_mut(), &mut seen);
                let is_over = stepped.as_ref().is_ok_and(farm_core::Outcome::over);
                // A step that fails ends the season. A later run of the game reports the error.
                if is_over || stepped.is_err() {
                    break;
                }
                if Instant::now() > end {
                    break 'all;
                }
            }
            rehearsal.seasons += 1;
        }
        rehearsal.is_whole = true;
    }
    rehearsal.problems = seen.problems(rehearsal.seasons, rehearsal.is_whole);
    rehearsal
}

/// Waiting and random play, then the game's policies that know no hidden rules.
fn players(game: &Game) -> Vec<(String, Box<dyn Agent>)> {
    let kinds = ["WaitPolicy", "RandomPolicy"];
    let of_all = kinds
        .into_iter()
        .filter_map(|kind| Some((kind.to_owned(), policies::player(game, &Value::from(kind), &Path::default()).ok()?)));
    let own = game
        .spec()
        .policies()
        .iter()
        .filter(|(_, policy)| !kinds.contains(&policy.typetag_name()) && !policy.knows_hidden(game));
    of_all.chain(own.filter_map(|(name, _)| Some((name.clone(), game.player(name).ok()?)))).collect()
}

/// The observations of all seasons.
struct Seen<'g> {
    game: &'g Game,
    /// Whether the current player is one of the game's policies.
    is_own: bool,
    has_own: bool,
    /// Whether all of the game's policies play. A policy that is left out might make an action possible that the others never can.
    all_play: bool,
    /// Whether each action in the flat list is possible now and would have an effect. The second list shows whether each base action has
    /// ever been possible.
    mask: Vec<u8>,
    possible: Vec<bool>,
    /// The first reason for the rejection of each base action.
    refused: Vec<Option<&'static str>>,
    /// For each part, whether anything grew or was harvested, and whether one of the game's policies sowed it.
    grew: Vec<bool>,
    sown: Vec<bool>,
    longest: u64,
    steps: u64,
    stop: Option<Stop>,
    /// The lowest and the highest reward in a step.
    rewards: (f64, f64),
    /// The lowest total of each constraint in a season that was played to its end.
    least: Vec<f64>,
}

impl<'g> Seen<'g> {
    fn new(game: &'g Game) -> Self {
        let parts = game.parts().len();
        let bases = game.catalogue().base_actions();
        Self {
            game,
            is_own: false,
            has_own: false,
            all_play: true,
            mask: vec![0; game.catalogue().discrete_len()],
            // Observations are always possible.
            possible: bases.iter().map(|base| base.kind() == ActionKind::Observation).collect(),
            refused: vec![None; bases.len()],
            grew: vec![false; parts],
            sown: vec![false; parts],
            longest: 0,
            steps: 0,
            stop: None,
            rewards: (f64::INFINITY, f64::NEG_INFINITY),
            least: vec![f64::INFINITY; game.constraints().len()],
        }
    }

    fn begin(&mut self, policy: &str) {
        self.is_own = self.game.spec().policies().contains_key(policy);
        self.has_own |= self.is_own;
    }

    /// Records the actions that are possible now.
    fn look(&mut self, game: &Game, state: &State) {
        if self.possible.iter().all(|possible| *possible) {
            return;
        }
        game.effect_mask(state, &mut self.mask);
        for base in 0..self.possible.len() {
            if self.possible[base] {
                continue;
            }
            let calls = game.catalogue().calls_of(base);
            self.possible[base] = self.mask[game.catalogue().ids_of(base)].contains(&1);
            if self.refused[base].is_none() {
                self.refused[base] = calls.first().and_then(|call| game.rejection(state, call));
            }
        }
    }

    fn look_at_plants(&mut self, game: &Game, state: &State) {
        let reader = game.reader(state);
        for (i, part) in game.parts().iter().enumerate() {
            for variable in part.variables() {
                let is_above_0 = || StateSlice::of_variable(variable).values(&reader).any(|value| value > 0.0);
                for role in variable.roles() {
                    if *role == PLANT_PROGRESS.name() || *role == HARVEST_WEIGHT.name() {
                        self.grew[i] = self.grew[i] || is_above_0();
                    } else if *role == SEEDS_SOWN.name() && self.is_own {
                        self.sown[i] = self.sown[i] || is_above_0();
                    }
                }
            }
        }
    }

    /// The warnings. Warnings about events that never happened require a complete season with every policy.
    fn problems(&self, seasons: u64, is_whole: bool) -> Problems {
        let mut problems = Problems::default();
        if self.steps == 0 {
            return problems;
        }
        let played = format!("in {seasons} seasons, {} steps", self.steps);
        let rules = Path::default().child("rules").child(self.game.spec().rules().typetag_name());
        if self.longest <= 1 && self.game.most_steps().is_none_or(|most| most > 1) {
            let why = self.stop.map_or_else(String::new, |stop| format!(": {}", self.game.text().stop_reason(stop)));
            let message = format!("every season was over after its first step{why}");
            let problem = Problem::new(RehearsalError::OverAtOnce, rules.child("stopping_conditions"), message);
            problems.push(problem.expected("a condition that does not hold at the start").warning());
            return problems;
        }
        if is_whole {
            if self.all_play {
                self.never_possible(&rules, &played, &mut problems);
            }
            self.never_grown(&played, &mut problems);
            self.never_paid(&played, &mut problems);
            self.never_kept(&played, &mut problems);
        }
        problems
    }

    fn never_possible(&self, rules: &Path, played: &str, problems: &mut Problems) {
        let bases = self.game.catalogue().base_actions();
        let never: Vec<usize> = (0..bases.len()).filter(|base| !self.possible[*base]).collect();
        let reason = |base: usize| match self.refused[base] {
            Some(reason) => format!(": {reason}"),
            None => ": it had no effect".to_owned(),
        };
        let interventions = bases.iter().filter(|base| base.kind() == ActionKind::Intervention).count();
        if never.len() == interventions && interventions > 1 {
            let schedule = self.game.catalogue().max_schedule();
            let why = if schedule == 0 { ": a schedule holds 0 actions".to_owned() } else { reason(never[0]) };
            let message = format!("none of the {interventions} actions was ever possible {played}{why}");
            let problem = Problem::new(RehearsalError::NeverPossible, rules.child("actions"), message);
            let help = "check the maximum number of actions per step, the permissions of the farmer, and the start";
            problems.push(problem.expected("actions that a player can take").help(help).warning());
            return;
        }
        for base in never {
            let action = &bases[base];
            let ActionTarget::Intervention(_) = action.target() else { continue };
            let part = &self.game.parts()[action.part()];
            let name = action.info(self.game.parts()).map_or("", |info| info.name());
            let mut path = rules.child("actions");
            if let Some(field) = part.field() {
                path = path.child(self.game.fields()[field].name());
            }
            let message = format!("`{}.{name}` was never possible {played}{}", part.path(), reason(base));
            let problem = Problem::new(RehearsalError::NeverPossible, path.child(part.name()).child(name), message);
            let help = "change the start so that it is possible, or remove the action";
            problems.push(problem.expected("an action that a player can take").help(help).warning());
        }
    }

    fn never_grown(&self, played: &str, problems: &mut Problems) {
        let parts = self.game.parts().iter().enumerate();
        for (i, part) in parts.filter(|(i, _)| fills(self.game, *i, PLANT_PROGRESS.name())) {
            let sow =
                self.game.catalogue().base_actions().iter().find(|base| {
                    base.part() == i && base.info(self.game.parts()).is_some_and(|info| info.name() == "sow")
                });
            // The path of the list entry, without the kind.
            let config = &part.config().0;
            let place = Path(config[..config.len().saturating_sub(1)].to_vec());
            if !self.grew[i] {
                let message = format!("nothing grew in `{}` {played}", part.path());
                let problem = Problem::new(RehearsalError::NothingGrew, place, message);
                let expected = match sow {
                    Some(_) => "a policy that sows, or plants at the start",
                    None => "plants at the start, or the action `sow` in the rules",
                };
                problems.push(problem.expected(expected).warning());
            } else if sow.is_some() && self.has_own && !self.sown[i] {
                let message = format!("no policy of the game sowed `{}` {played}", part.path());
                let problem = Problem::new(RehearsalError::NeverSown, place, message);
                let help = "a plot with growing plants can't be sown: start it without plants";
                problems.push(problem.expected("a policy that sows it").help(help).warning());
            }
        }
    }

    fn never_paid(&self, played: &str, problems: &mut Problems) {
        let (low, high) = self.rewards;
        if low == high {
            let message = format!("every reward was {} {played}: no action changes the reward", format_number(low));
            let path = Path::default().child("score");
            let problem = Problem::new(RehearsalError::EqualRewards, path, message);
            problems.push(problem.expected("a score that distinguishes good play from bad play").warning());
        } else if high <= 0.0 {
            let message = format!("no reward was above 0 {played}: waiting is the best policy");
            let problem = Problem::new(RehearsalError::NothingPays, Path::default().child("score"), message);
            problems.push(problem.expected("a score with positive rewards").warning());
        }
    }

    fn never_kept(&self, played: &str, problems: &mut Problems) {
        for (constraint, least) in self.game.constraints().iter().zip(&self.least) {
            let Some(limit) = constraint.limit.filter(|limit| least > limit && least.is_finite()) else { continue };
            let unit = &constraint.unit;
            let message = format!(
                "no policy kept the limit of `{}` {played}: the minimum was {} {unit}, the limit is {} {unit}",
                constraint.name,
                format_number(*least),
                format_number(limit)
            );
            let score = Path::default().child("score").child(self.game.spec().score().typetag_name());
            let path = score.child("constraints").child(&constraint.name).child("limit");
            let problem = Problem::new(RehearsalError::LimitNeverKept, path, message).value(format_number(limit));
            problems.push(problem.expected("a limit that one of the game's policies stays within").warning());
        }
    }
}

impl Observer for Seen<'_> {
    fn after_reset(&mut self, game: &Game, state: &State) -> Result<(), ObserverError> {
        self.look(game, state);
        self.look_at_plants(game, state);
        Ok(())
    }

    fn after_step(&mut self, step: &Transition<'_>) -> Result<(), ObserverError> {
        let reward = step.outcome.reward;
        self.rewards = (self.rewards.0.min(reward), self.rewards.1.max(reward));
        self.steps += 1;
        self.longest = self.longest.max(u64::from(step.state.step()));
        if step.outcome.over() {
            self.stop = step.record.stop();
            let reader = step.game.reader(step.state);
            for (least, constraint) in self.least.iter_mut().zip(step.game.constraints()) {
                *least = least.min(reader.get(constraint.total)[0]);
            }
        } else {
            self.look(step.game, step.state);
        }
        self.look_at_plants(step.game, step.state);
        Ok(())
    }
}
