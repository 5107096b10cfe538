//! Many environments stepped together: each does what it would do alone, whatever the others, the threads and the mode.

use std::sync::Arc;

use allocation_counter::measure;
use farm_core::Stream;
use farm_core::spec::InteractionMode;
use farm_core::vector::{Actions, Autoreset, Outputs, VectorEnvironment, VectorError, episode_seed};
use farm_core::{Environment, Game, Observer, ObserverError, State, StepError, Transition};
use farm_games::{CATALOGUE, Options, open};

/// Environments in most tests: not a multiple of the threads.
const COUNT: usize = 7;

fn game(name: &str, set: &[(&str, &str)]) -> Arc<Game> {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Arc::new(open(name, &Options { set, ..Options::default() }).unwrap_or_else(|problems| panic!("{problems}")))
}

/// Episodes of a dozen steps.
fn short(name: &str) -> Arc<Game> {
    // Where looking costs, a day has two steps.
    let days = if game(name, &[]).spec().interaction_mode() == InteractionMode::Aomdp { "6" } else { "12" };
    game(name, &[("rules.BasicRule.max_steps", days), ("rules.BasicRule.steps_per_day", "1")])
}

/// What a step writes.
#[derive(Debug, Clone, PartialEq)]
struct Written {
    observations: Vec<u8>,
    rewards: Vec<f64>,
    terminations: Vec<bool>,
    truncations: Vec<bool>,
    final_observations: Vec<u8>,
    intervention_costs: Vec<f64>,
    observation_costs: Vec<f64>,
    constraint_costs: Vec<f64>,
    rejections: Vec<i32>,
}

impl Written {
    fn new(vector: &VectorEnvironment) -> Self {
        let (n, size) = (vector.len(), vector.game().observation().size());
        Self {
            observations: vec![0; n * size],
            rewards: vec![0.0; n],
            terminations: vec![false; n],
            truncations: vec![false; n],
            final_observations: vec![0; n * size],
            intervention_costs: vec![0.0; n],
            observation_costs: vec![0.0; n],
            constraint_costs: vec![0.0; n],
            rejections: vec![0; n],
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminations: &mut self.terminations,
            truncations: &mut self.truncations,
            final_observations: &mut self.final_observations,
            intervention_costs: &mut self.intervention_costs,
            observation_costs: &mut self.observation_costs,
            constraint_costs: &mut self.constraint_costs,
            rejections: &mut self.rejections,
        }
    }
}

/// So many environments, or a tenth of them where a game has a hundred plots and more, whose steps take as much longer.
fn up_to(count: usize, game: &Game) -> usize {
    if game.catalogue().discrete_len() > 1000 { count / 10 } else { count }
}

fn vector(game: &Arc<Game>, count: usize, threads: usize, autoreset: Autoreset) -> VectorEnvironment {
    VectorEnvironment::new(game.clone(), count, threads, autoreset).expect("threads")
}

fn ids(game: &Game, stream: &mut Stream, count: usize) -> Vec<i64> {
    (0..count).map(|_| i64::from(stream.index(game.catalogue().discrete_len() as u32))).collect()
}

fn hashes(vector: &VectorEnvironment) -> Vec<u64> {
    (0..vector.len()).map(|i| vector.state(i).expect("an environment").hash()).collect()
}

#[test]
fn each_does_what_it_would_do_alone_in_every_mode() {
    for entry in CATALOGUE {
        let game = short(entry.name);
        let size = game.observation().size();
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            let mut many = vector(&game, COUNT, 1, autoreset);
            let mut written = Written::new(&many);
            let mut alone: Vec<Environment> = (0..COUNT).map(|_| Environment::new(game.clone())).collect();
            let mut episodes = [1; COUNT];
            let seed = |i: usize| 50 + i as u64;
            for (i, one) in alone.iter_mut().enumerate() {
                many.reset(i, seed(i)).expect("an environment");
                one.reset(seed(i));
            }
            let mut stream = Stream::from_seed(1);
            for step in 0..30 {
                let ids = ids(&game, &mut stream, COUNT);
                for (i, one) in alone.iter_mut().enumerate() {
                    if autoreset == Autoreset::Disabled && one.state().over() {
                        many.reset_next(i).expect("an environment");
                        one.reset(episode_seed(seed(i), episodes[i]));
                        episodes[i] += 1;
                    }
                }
                many.step(Actions::Discrete(&ids), &mut written.outputs()).expect("a step");
                for (i, one) in alone.iter_mut().enumerate() {
                    let context = format!("{} {autoreset:?} environment {i} step {step}", entry.name);
                    let flags = |w: &Written| (w.rewards[i], w.terminations[i], w.truncations[i]);
                    let record = i * size..(i + 1) * size;
                    if one.state().over() {
                        one.reset(episode_seed(seed(i), episodes[i]));
                        episodes[i] += 1;
                        assert_eq!(flags(&written), (0.0, false, false), "{context}");
                        assert_eq!(written.intervention_costs[i], 0.0, "{context}");
                    } else {
                        let outcome = one.step(ids[i] as usize).expect("a step");
                        let expected = (outcome.reward, outcome.terminated, outcome.truncated);
                        assert_eq!(flags(&written), expected, "{context}");
                        assert_eq!(written.intervention_costs[i], one.record().intervention_cost(), "{context}");
                        assert_eq!(written.rejections[i] as usize, one.record().rejected().len(), "{context}");
                        if outcome.over() && autoreset == Autoreset::SameStep {
                            assert_eq!(written.final_observations[record.clone()], *one.observation(), "{context}");
                            one.reset(episode_seed(seed(i), episodes[i]));
                            episodes[i] += 1;
                        }
                    }
                    assert_eq!(written.observations[record], *one.observation(), "{context}");
                    assert_eq!(many.state(i).expect("an environment"), one.state(), "{context}");
                }
            }
            assert!(episodes.iter().all(|episodes| *episodes >= 2), "each has seen an end: {episodes:?}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    for name in ["backwards_valley", "full_farm-v0"] {
        let game = game(name, &[]);
        let run = |threads: usize| {
            // Enough of them, for long enough, that batches are shared among the threads.
            let mut many = vector(&game, 700, threads, Autoreset::SameStep);
            let mut written = Written::new(&many);
            let mut stream = Stream::from_seed(2);
            let mut seen = Vec::new();
            for _ in 0..150 {
                let ids = ids(&game, &mut stream, 700);
                many.step(Actions::Discrete(&ids), &mut written.outputs()).expect("a step");
                seen.push(written.rewards.clone());
            }
            (hashes(&many), seen, written)
        };
        let one = run(1);
        for threads in [2, 3, 5] {
            assert_eq!(run(threads), one, "{name} with {threads} threads");
        }
    }
}

#[test]
fn stepping_allocates_nothing() {
    for entry in CATALOGUE {
        for threads in [1, 2] {
            let game = short(entry.name);
            let count = up_to(300, &game);
            let mut many = vector(&game, count, threads, Autoreset::SameStep);
            let mut written = Written::new(&many);
            let mut stream = Stream::from_seed(3);
            let batches: Vec<Vec<i64>> = (0..40).map(|_| ids(&game, &mut stream, count)).collect();
            // A thread's first wait makes its own handle.
            many.step(Actions::Discrete(&batches[0]), &mut written.outputs()).expect("a step");
            many.step(Actions::Discrete(&batches[1]), &mut written.outputs()).expect("a step");
            let mut outputs = written.outputs();
            let counted = measure(|| {
                for ids in &batches {
                    many.step(Actions::Discrete(ids), &mut outputs).expect("a step");
                }
            });
            assert_eq!(counted.count_total, 0, "{} with {threads} threads", entry.name);
        }
    }
}

#[test]
fn schedules_of_several_actions_are_those_of_one_environment() {
    let game = Arc::new(
        open("clay_bean-v0", &Options { preset: Some("4x3".to_owned()), ..Options::default() })
            .unwrap_or_else(|problems| panic!("{problems}")),
    );
    let slots = game.catalogue().max_schedule();
    assert_eq!(slots, 4);
    let mut many = vector(&game, 3, 1, Autoreset::NextStep);
    let mut written = Written::new(&many);
    let mut alone: Vec<Environment> = (0..3).map(|_| Environment::new(game.clone())).collect();
    alone.iter_mut().enumerate().for_each(|(i, one)| one.reset(i as u64));
    let mut stream = Stream::from_seed(4);
    for _ in 0..60 {
        let ids = ids(&game, &mut stream, 3 * slots);
        many.step(Actions::MultiDiscrete(&ids), &mut written.outputs()).expect("a step");
        for (i, one) in alone.iter_mut().enumerate() {
            let own: Vec<usize> = ids[i * slots..(i + 1) * slots].iter().map(|id| *id as usize).collect();
            let mut schedule = Vec::new();
            game.catalogue().multi_discrete_to_calls(&own, &mut schedule).expect("known ids");
            assert_eq!(one.step(&schedule).expect("a step").reward, written.rewards[i]);
            assert_eq!(many.state(i).expect("an environment"), one.state());
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_stepped() {
    let game = short("backwards_valley");
    let mut many = vector(&game, 3, 2, Autoreset::Disabled);
    let mut written = Written::new(&many);
    let before = hashes(&many);
    let mut refused = |ids: &[i64], many: &mut VectorEnvironment| {
        many.step(Actions::Discrete(ids), &mut written.outputs()).expect_err("a refusal")
    };
    let last = game.catalogue().discrete_len() - 1;
    assert_eq!(refused(&[0, 1], &mut many), VectorError::Length { what: "actions", found: 2, expected: 3 });
    assert_eq!(refused(&[0, 1, 99], &mut many), VectorError::NoSuchAction { environment: 2, id: 99, last });
    assert_eq!(refused(&[0, -1, 0], &mut many), VectorError::NoSuchAction { environment: 1, id: -1, last });
    assert_eq!(hashes(&many), before);
    assert_eq!(many.reset(3, 0), Err(VectorError::NoSuchEnvironment { environment: 3, last: 2 }));
    assert_eq!(many.state(9).err(), Some(VectorError::NoSuchEnvironment { environment: 9, last: 2 }));
    for _ in 0..12 {
        many.step(Actions::Discrete(&[0, 1, 2]), &mut written.outputs()).expect("a step");
    }
    many.reset(0, 5).expect("an environment");
    let before = hashes(&many);
    let over = many.step(Actions::Discrete(&[0, 1, 2]), &mut written.outputs());
    assert_eq!(over, Err(VectorError::Step { environment: 1, error: StepError::Over { steps: 12 } }));
    assert_eq!(hashes(&many), before, "nothing was stepped");
    let mut small = written.clone();
    small.rewards.pop();
    let short = many.step(Actions::Discrete(&[0, 1, 2]), &mut small.outputs());
    assert_eq!(short, Err(VectorError::Length { what: "rewards", found: 2, expected: 3 }));
    let other = Arc::new(open("clay_bean-v0", &Options::default()).unwrap_or_else(|problems| panic!("{problems}")));
    let refused = many.change(0, &other).expect_err("another game");
    assert_eq!(refused.to_string(), "`clay_bean-v0` does not match the other environments: the observations differ");
    assert_eq!(hashes(&many), before);
}

/// Notes what it is shown: the state, and of a step its reward and how many actions were executed.
#[derive(Debug, Default)]
struct Notes(Vec<(u64, Option<(f64, usize)>)>);

impl Observer for Notes {
    fn after_reset(&mut self, _: &Game, state: &State) -> Result<(), ObserverError> {
        self.0.push((state.hash(), None));
        Ok(())
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let Transition { state, record, outcome, .. } = transition;
        assert_eq!(state.over(), outcome.over());
        self.0.push((state.hash(), Some((outcome.reward, record.executed().len()))));
        Ok(())
    }
}

#[test]
fn an_observer_sees_each_state_of_its_environment_in_every_mode_on_any_thread() {
    for entry in CATALOGUE {
        let game = short(entry.name);
        for (autoreset, threads) in [(Autoreset::NextStep, 1), (Autoreset::SameStep, 1), (Autoreset::SameStep, 3)] {
            // As many as are worth sharing among threads.
            let count = if threads > 1 { up_to(200, &game) } else { COUNT };
            let mut many = vector(&game, count, threads, autoreset);
            let mut written = Written::new(&many);
            let mut notes: Vec<Option<Notes>> = (0..count).map(|i| (i % 3 != 1).then(Notes::default)).collect();
            let seed = |i: usize| 50 + i as u64;
            (0..count).for_each(|i| many.reset(i, seed(i)).expect("an environment"));
            let mut stream = Stream::from_seed(1);
            let rounds: Vec<Vec<i64>> = (0..30).map(|_| ids(&game, &mut stream, count)).collect();
            for ids in &rounds {
                many.step_observed(Actions::Discrete(ids), &mut written.outputs(), &mut notes).expect("a step");
            }
            for (i, notes) in notes.iter().enumerate() {
                let Some(notes) = notes else { continue };
                let mut alone = Environment::new(game.clone());
                let mut episodes = 1;
                alone.reset(seed(i));
                let mut expected = Vec::new();
                for ids in &rounds {
                    let was_over = alone.state().over();
                    if !was_over {
                        let outcome = alone.step(ids[i] as usize).expect("a step");
                        let done = (outcome.reward, alone.record().executed().len());
                        expected.push((alone.state().hash(), Some(done)));
                    }
                    if was_over || autoreset == Autoreset::SameStep && alone.state().over() {
                        alone.reset(episode_seed(seed(i), episodes));
                        episodes += 1;
                        expected.push((alone.state().hash(), None));
                    }
                }
                assert!(episodes > 2, "{}: several episodes", entry.name);
                assert_eq!(notes.0, expected, "{} {autoreset:?} environment {i}", entry.name);
            }
        }
    }
}

/// Fails with its third step, and notes how the episode ended.
#[derive(Debug, Default)]
struct Failing {
    steps: usize,
    ends: Vec<String>,
}

impl Observer for Failing {
    fn after_step(&mut self, _: &Transition<'_>) -> Result<(), ObserverError> {
        self.steps += 1;
        if self.steps == 3 { Err("the disk is full".into()) } else { Ok(()) }
    }

    fn after_episode(
        &mut self,
        _: &Game,
        _: &State,
        error: Option<&(dyn std::error::Error + 'static)>,
    ) -> Result<(), ObserverError> {
        self.ends.extend(error.map(ToString::to_string));
        Ok(())
    }
}

#[test]
fn an_observer_that_fails_ends_the_episode_of_its_environment_alone() {
    let game = short("backwards_valley");
    let mut many = vector(&game, 3, 1, Autoreset::NextStep);
    let mut written = Written::new(&many);
    let mut observers = [None, Some(Failing::default()), None];
    let mut step = |many: &mut VectorEnvironment, observers: &mut [Option<Failing>]| {
        many.step_observed(Actions::Discrete(&[0; 3]), &mut written.outputs(), observers)
    };
    assert_eq!((step(&mut many, &mut observers), step(&mut many, &mut observers)), (Ok(()), Ok(())));
    let message = "the disk is full".to_owned();
    assert_eq!(step(&mut many, &mut observers), Err(VectorError::Observer { environment: 1, message }));
    let over = |many: &VectorEnvironment| (0..3).map(|i| many.state(i).unwrap().over()).collect::<Vec<_>>();
    assert_eq!(over(&many), [false, true, false]);
    assert_eq!((0..3).map(|i| many.state(i).unwrap().step()).collect::<Vec<_>>(), [3, 3, 3]);
    assert_eq!(observers[1].as_ref().unwrap().ends, ["the disk is full"]);
    assert_eq!(step(&mut many, &mut observers), Ok(()), "the next episode begins by itself");
    assert_eq!(over(&many), [false, false, false]);
}

#[test]
fn observers_are_one_for_each_environment_and_change_nothing() {
    let game = short("backwards_valley");
    let (mut watched, mut plain) = (vector(&game, 3, 1, Autoreset::NextStep), vector(&game, 3, 1, Autoreset::NextStep));
    let mut written = [Written::new(&watched), Written::new(&plain)];
    let mut too_few: Vec<Option<Notes>> = vec![None, None];
    let refused = watched.step_observed(Actions::Discrete(&[0; 3]), &mut written[0].outputs(), &mut too_few);
    assert_eq!(refused, Err(VectorError::Length { what: "observers", found: 2, expected: 3 }));
    let mut notes = [Some(Notes::default()), None, Some(Notes::default())];
    for _ in 0..20 {
        watched.step_observed(Actions::Discrete(&[1; 3]), &mut written[0].outputs(), &mut notes).expect("a step");
        plain.step(Actions::Discrete(&[1; 3]), &mut written[1].outputs()).expect("a step");
        assert_eq!(written[0], written[1]);
    }
    assert_eq!(hashes(&watched), hashes(&plain));
}
