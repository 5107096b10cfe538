//! Who watches episodes: what observers are told, and what becomes of an episode when one of them fails.

use std::error::Error;

use farm_core::Stream;
use farm_core::action::Call;
use farm_core::declare::real;
use farm_core::{
    Agent, Behaviour, Bind, Column, Context, Declarations, Entity, EpisodeRunner, Game, NoObserver, Observer,
    ObserverError, Phase, PlayError, State, StepError, Transition, play,
};

use crate::sheet::Sheet;

/// Writes a number that is not finite.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct BreakingPart {
    /// The step, counted from 0, in which it writes.
    #[parameter(unit = "day", range = 0..=1000)]
    pub at: u32,
}

#[farm_core::register(source = "test")]
impl Entity for BreakingPart {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let number = d.variable(real("number#L", 0.0, 1.0, "The number that breaks."));
        d.runs_in(Phase::Account);
        Bind::new(move |found| Breaking { at: self.at, number: found.get(number) })
    }
}

struct Breaking {
    at: u32,
    number: Column<f64>,
}

impl Behaviour for Breaking {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        if c.step() == self.at {
            c.get(self.number)[0].set(f64::NAN);
        }
    }
}

/// What an observer was told of.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    Reset { seed: u64, hash: u64 },
    Step { step: u32, hash: u64, schedule: Vec<Call>, executed: usize, reward: f64, is_over: bool },
    End { hash: u64, error: Option<String> },
}

/// Notes all that it is told, and fails when it has been told of so many steps.
#[derive(Debug, Default)]
struct Notes {
    told: Vec<Told>,
    fails_after: Option<usize>,
}

impl Notes {
    fn failing_after(steps: usize) -> Self {
        Self { fails_after: Some(steps), ..Self::default() }
    }

    fn steps(&self) -> usize {
        self.told.iter().filter(|told| matches!(told, Told::Step { .. })).count()
    }

    fn check(&self) -> Result<(), ObserverError> {
        if self.fails_after.is_some_and(|steps| self.steps() >= steps) {
            Err("the disk is full".into())
        } else {
            Ok(())
        }
    }
}

impl Observer for Notes {
    fn after_reset(&mut self, _: &Game, state: &State) -> Result<(), ObserverError> {
        self.told.push(Told::Reset { seed: state.seed(), hash: state.hash() });
        self.check()
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        let Transition { state, schedule, record, outcome, .. } = transition;
        self.told.push(Told::Step {
            step: state.step(),
            hash: state.hash(),
            schedule: schedule.to_vec(),
            executed: record.executed().len(),
            reward: outcome.reward,
            is_over: outcome.over(),
        });
        self.check()
    }

    fn after_episode(
        &mut self,
        _: &Game,
        state: &State,
        error: Option<&(dyn Error + 'static)>,
    ) -> Result<(), ObserverError> {
        assert!(state.over(), "the episode is over, however it ended");
        self.told.push(Told::End { hash: state.hash(), error: error.map(ToString::to_string) });
        Ok(())
    }
}

/// A game whose episodes have twelve steps, with these entities besides.
fn game(more: &str) -> Game {
    let entities = format!("[Weather, Soil, Plant{more}]");
    Sheet { entities: &entities, rules: "max_steps: 12", mode: "pomdp", ..Sheet::default() }.game()
}

/// Does anything that the flat list offers.
struct Random(Stream);

impl Agent for Random {
    fn start(&mut self, seed: u64) {
        self.0 = Stream::from_seed(seed);
    }

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        let id = self.0.index(game.catalogue().discrete_len() as u32) as usize;
        schedule.extend_from_slice(game.catalogue().discrete(id).expect("an action"));
    }
}

fn player() -> Random {
    Random(Stream::from_seed(0))
}

/// What an observer is to be told of an episode, found without one.
fn expected(game: &Game, player: &mut dyn Agent, seed: u64) -> Vec<Told> {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let mut told = vec![Told::Reset { seed, hash: state.hash() }];
    while !state.over() {
        let mut schedule = Vec::new();
        player.choose(game, &state, &mut schedule);
        let outcome = game.step(&mut state, &schedule, &mut record).expect("the episode goes on");
        told.push(Told::Step {
            step: state.step(),
            hash: state.hash(),
            schedule,
            executed: record.executed().len(),
            reward: outcome.reward,
            is_over: outcome.over(),
        });
    }
    told.push(Told::End { hash: state.hash(), error: None });
    told
}

#[test]
fn an_observer_is_told_of_each_step_once_and_in_order_over_several_episodes() {
    let game = game("");
    let (mut notes, mut told) = (Notes::default(), Vec::new());
    let (mut played, mut unwatched) = (Vec::new(), Vec::new());
    let mut runner = EpisodeRunner::new(&game);
    for seed in [3, 4, 5] {
        told.extend(expected(&game, &mut player(), seed));
        played.push(runner.play(&mut player(), seed, &mut notes).expect("an episode"));
        unwatched.push(play(&game, &mut player(), seed, &mut NoObserver).expect("an episode"));
    }
    assert_eq!(notes.told, told);
    assert_eq!(notes.steps(), 36);
    assert!(notes.told.iter().any(|told| matches!(told, Told::Step { executed: 1.., .. })), "something was done");
    assert_eq!(played, unwatched, "who is watched plays alike");
    let rewards = |told: &Told| match told {
        Told::Step { reward, .. } => *reward,
        _ => 0.0,
    };
    assert_eq!(played[0].total(), notes.told[..14].iter().map(rewards).sum::<f64>());
    assert_eq!(
        (played[0].seed(), played[0].steps(), played[0].terminated(), played[0].truncated()),
        (3, 12, false, true)
    );
}

#[test]
fn an_observer_is_told_of_the_error_that_ends_an_episode() {
    let game = game(", {BreakingPart: {at#day: 7}}");
    let mut notes = Notes::default();
    let mut runner = EpisodeRunner::new(&game);
    for episode in 1..=2 {
        let error = runner.play(&mut player(), 1, &mut notes).expect_err("the eighth step breaks a number");
        assert!(matches!(error, PlayError::Step(StepError::NotFinite(_))), "{error}");
        assert_eq!(notes.steps(), 7 * episode, "a step that failed was not taken");
        let Some(Told::End { error: Some(told), .. }) = notes.told.last() else { panic!("{:?}", notes.told) };
        assert_eq!(*told, error.to_string());
        assert_eq!(notes.told.len(), 9 * episode);
    }
    let refused = runner.advance(&mut player(), &mut notes).expect_err("the episode is over");
    assert!(matches!(refused, PlayError::Step(StepError::Over { .. })), "{refused}");
    assert_eq!(notes.told.len(), 18, "of an episode that is over nothing is told");
}

#[test]
fn several_observers_are_told_the_same() {
    let game = game("");
    let mut alone = Notes::default();
    play(&game, &mut player(), 8, &mut alone).expect("an episode");
    let (mut first, mut second) = (Notes::default(), Notes::default());
    let mut optional = (Some(Notes::default()), None::<Notes>);
    let mut boxed: Vec<Box<dyn Observer + '_>> = vec![Box::new(&mut second), Box::new(NoObserver)];
    play(&game, &mut player(), 8, &mut (&mut first, &mut optional, &mut boxed)).expect("an episode");
    drop(boxed);
    for notes in [&first, &second, optional.0.as_ref().expect("it stays")] {
        assert_eq!(notes.told, alone.told);
    }
}

#[test]
fn an_observer_that_fails_ends_the_episode_for_all() {
    let game = game("");
    for steps in [0, 1, 5, 12] {
        let (mut before, mut failing, mut after) = (Notes::default(), Notes::failing_after(steps), Notes::default());
        let observers = &mut (&mut before, &mut failing, &mut after);
        let error = play(&game, &mut player(), 2, observers).expect_err("the observer fails");
        assert!(matches!(error, PlayError::Observer(_)), "{error}");
        assert_eq!(error.to_string(), "the disk is full");
        for notes in [&before, &failing, &after] {
            assert_eq!(notes.steps(), steps);
            assert_eq!(notes.told.len(), steps + 2, "the reset, the steps, and one end");
            let Some(Told::End { error: Some(told), .. }) = notes.told.last() else { panic!("{:?}", notes.told) };
            assert_eq!(told, "the disk is full");
        }
    }
}
