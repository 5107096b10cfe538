//! Speed of the engine on one core: steps and days per second, reset, clone, snapshot.
//!
//! `cargo bench -p farm-games` prints items (steps or days) per second. A timing is never a test.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use farm_core::action::Call;
use farm_core::{Game, State, StepRecord, Stream};
use farm_games::{Options, open};

fn main() {
    divan::main();
}

const STEPS: usize = 10_000;

/// Games with the length and width of their field; 0 leaves it as it is.
const GAMES: [(&str, usize, usize); 9] = [
    ("backwards_valley", 0, 0),
    ("valley_farm", 0, 0),
    ("clay_bean", 1, 1),
    ("clay_bean", 4, 3),
    ("full_farm", 1, 1),
    ("full_farm", 4, 3),
    ("full_farm", 10, 10),
    ("full_farm", 100, 100),
    ("walking_farmer", 8, 8),
];

fn game(name: &str, length: usize, width: usize) -> Game {
    let size = [("length#nb", length), ("width#nb", width)].into_iter().filter(|(_, n)| *n > 0);
    let set = size.map(|(key, n)| (format!("fields.Field-0.shape.{key}"), n.to_string())).collect();
    let options = Options { set, ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Steps of one measurement: fewer on a large field, because its steps are slower.
fn steps(game: &Game) -> usize {
    STEPS / game.fields().iter().map(|field| field.plots()).max().unwrap_or(1).clamp(1, STEPS / 20).max(1)
}

/// Plays some steps with random actions. Writes every observation and resets after each episode.
fn play(game: &Game, state: &mut State, record: &mut StepRecord, observation: &mut [u8], seed: &mut u64) -> f64 {
    let mut actions = Stream::from_seed(*seed);
    let n = game.catalogue().discrete_len() as u32;
    let mut total = 0.0;
    for _ in 0..steps(game) {
        let outcome = game.step_discrete(state, actions.index(n) as usize, record).expect("the episode is running");
        total += outcome.reward;
        if outcome.over() {
            *seed += 1;
            game.reset(state, *seed, record);
        }
        game.observe_into(state, observation);
        black_box(&observation);
    }
    total
}

#[divan::bench(args = GAMES)]
fn random_policy(bencher: Bencher<'_, '_>, (name, length, width): (&str, usize, usize)) {
    let game = game(name, length, width);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut observation = vec![0; game.observation().size()];
    let mut seed = 0;
    game.reset(&mut state, seed, &mut record);
    bencher
        .counter(ItemsCount::new(steps(&game)))
        .bench_local(|| play(&game, &mut state, &mut record, &mut observation, &mut seed));
}

#[divan::bench(args = GAMES)]
fn reset(bencher: Bencher<'_, '_>, (name, length, width): (&str, usize, usize)) {
    let game = game(name, length, width);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        game.reset(&mut state, seed, &mut record);
    });
}

#[divan::bench(args = ["backwards_valley", "valley_farm", "clay_bean", "full_farm"])]
fn clone_state(bencher: Bencher<'_, '_>, name: &str) {
    let state = game(name, 0, 0).new_state();
    bencher.bench_local(|| black_box(&state).clone());
}

/// The masks and conversions that learners need besides the step, on a field of 4×3 plots with all parts.
///
/// Together they should take less than 10 % of the time of a step, which `step` measures.
#[divan::bench_group]
mod masks {
    use super::{Bencher, Call, Game, ItemsCount, Options, State, StepRecord, Stream, black_box, open};

    const TIMES: usize = 1000;

    fn game() -> Game {
        let options = Options { preset: Some("4x3".to_owned()), ..Options::default() };
        open("full_farm", &options).unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn schedules(game: &Game) -> Vec<Vec<Call>> {
        let mut stream = Stream::from_seed(1);
        let mut call = || game.catalogue().calls()[stream.index(game.catalogue().calls().len() as u32) as usize];
        (0..TIMES).map(|_| (0..game.catalogue().max_schedule()).map(|_| call()).collect()).collect()
    }

    /// A state in the middle of a season.
    fn grown(game: &Game) -> (State, StepRecord) {
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 1, &mut record);
        for schedule in schedules(game).iter().take(60) {
            game.step(&mut state, schedule, &mut record).expect("the season is longer");
        }
        (state, record)
    }

    #[divan::bench]
    fn step(bencher: Bencher<'_, '_>) {
        let game = game();
        let schedules = schedules(&game);
        let (mut state, mut record) = grown(&game);
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for schedule in &schedules {
                if game.step(&mut state, schedule, &mut record).expect("the episode is running").over() {
                    game.reset(&mut state, 1, &mut record);
                }
            }
        });
    }

    #[divan::bench]
    fn action_mask(bencher: Bencher<'_, '_>) {
        let game = game();
        let (state, _) = grown(&game);
        let mut mask = vec![0; game.catalogue().discrete_len()];
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for _ in 0..TIMES {
                game.action_mask(black_box(&state), black_box(&mut mask));
            }
        });
    }

    #[divan::bench]
    fn effect_mask(bencher: Bencher<'_, '_>) {
        let game = game();
        let (state, _) = grown(&game);
        let mut mask = vec![0; game.catalogue().discrete_len()];
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for _ in 0..TIMES {
                game.effect_mask(black_box(&state), black_box(&mut mask));
            }
        });
    }

    #[divan::bench]
    fn discrete(bencher: Bencher<'_, '_>) {
        let game = game();
        let mut stream = Stream::from_seed(2);
        let n = game.catalogue().discrete_len() as u32;
        let ids: Vec<usize> = (0..TIMES).map(|_| stream.index(n) as usize).collect();
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for id in &ids {
                black_box(game.catalogue().discrete(black_box(*id)));
            }
        });
    }

    #[divan::bench]
    fn discrete_of(bencher: Bencher<'_, '_>) {
        let game = game();
        let schedules = schedules(&game);
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for schedule in &schedules {
                black_box(game.catalogue().discrete_of(black_box(&schedule[0])));
            }
        });
    }

    #[divan::bench]
    fn multi_discrete_to_calls(bencher: Bencher<'_, '_>) {
        let game = game();
        let ids = schedules(&game);
        let ids: Vec<_> =
            ids.iter().map(|s| game.catalogue().calls_to_multi_discrete(s).expect("of the list")).collect();
        let mut calls = Vec::with_capacity(game.catalogue().max_schedule());
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for ids in &ids {
                calls.clear();
                black_box(game.catalogue().multi_discrete_to_calls(black_box(ids), &mut calls)).expect("of the view");
            }
        });
    }

    #[divan::bench]
    fn calls_to_multi_discrete(bencher: Bencher<'_, '_>) {
        let game = game();
        let schedules = schedules(&game);
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for schedule in &schedules {
                black_box(game.catalogue().calls_to_multi_discrete(black_box(schedule))).expect("of the list");
            }
        });
    }

    #[divan::bench]
    fn multi_binary_to_calls(bencher: Bencher<'_, '_>) {
        let game = game();
        let mut bits = vec![0; game.catalogue().calls().len()];
        (0..game.catalogue().max_schedule()).for_each(|k| bits[7 * k] = 1);
        let mut calls = Vec::with_capacity(game.catalogue().max_schedule());
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for _ in 0..TIMES {
                calls.clear();
                black_box(game.catalogue().multi_binary_to_calls(black_box(&bits), &mut calls)).expect("of the view");
            }
        });
    }

    /// One action of the paper's space, as JSON.
    #[divan::bench]
    fn gym_to_calls(bencher: Bencher<'_, '_>) {
        let game = game();
        let actions: Vec<_> = schedules(&game).iter().map(|s| game.catalogue().calls_to_gym(&s[..1])).collect();
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for action in &actions {
                black_box(game.catalogue().gym_to_calls(black_box(action))).expect("of the space");
            }
        });
    }

    /// One action of the paper's space, as JSON.
    #[divan::bench]
    fn calls_to_gym(bencher: Bencher<'_, '_>) {
        let game = game();
        let schedules = schedules(&game);
        bencher.counter(ItemsCount::new(TIMES)).bench_local(|| {
            for schedule in &schedules {
                black_box(game.catalogue().calls_to_gym(black_box(&schedule[..1])));
            }
        });
    }
}

/// Many environments stepped together, random actions prepared beforehand, all observations written.
#[divan::bench_group]
mod vector {
    use std::sync::Arc;

    use farm_core::vector::{Actions, Autoreset, Outputs, VectorEnvironment};

    use super::{Bencher, ItemsCount, Stream, game};

    /// Games, environments, threads.
    const CASES: [(&str, usize, usize); 9] = [
        ("backwards_valley", 1, 1),
        ("backwards_valley", 64, 1),
        ("backwards_valley", 4096, 1),
        ("backwards_valley", 4096, 2),
        ("backwards_valley", 65_536, 1),
        ("valley_farm", 64, 1),
        ("valley_farm", 4096, 1),
        ("valley_farm", 4096, 2),
        ("clay_bean", 4096, 1),
    ];

    #[divan::bench(args = CASES)]
    fn step(bencher: Bencher<'_, '_>, (name, n, threads): (&str, usize, usize)) {
        let game = Arc::new(game(name, 0, 0));
        let (size, actions) = (game.observation().size(), game.catalogue().discrete_len() as u32);
        let mut environments = VectorEnvironment::new(game, n, threads, Autoreset::NextStep).expect("threads");
        let mut stream = Stream::from_seed(0);
        let rounds = 16;
        let ids: Vec<i64> = (0..n * rounds).map(|_| i64::from(stream.index(actions))).collect();
        let mut observations = vec![0; n * size];
        let (mut rewards, mut costs) = (vec![0.0; n], [vec![0.0; n], vec![0.0; n], vec![0.0; n]]);
        let (mut terminations, mut truncations, mut rejections) = (vec![false; n], vec![false; n], vec![0; n]);
        let [intervention_costs, observation_costs, constraint_costs] = &mut costs;
        bencher.counter(ItemsCount::new(n * rounds)).bench_local(|| {
            for ids in ids.chunks_exact(n) {
                let mut outputs = Outputs {
                    observations: &mut observations,
                    rewards: &mut rewards,
                    terminations: &mut terminations,
                    truncations: &mut truncations,
                    final_observations: &mut [],
                    intervention_costs,
                    observation_costs,
                    constraint_costs,
                    rejections: &mut rejections,
                };
                environments.step(Actions::Discrete(ids), &mut outputs).expect("the actions are known");
            }
        });
    }
}
