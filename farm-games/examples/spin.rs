use farm_core::rng::Stream;
use farm_games::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let game = open(&a[1], &Options::default()).unwrap();
    let (mut s, mut r) = (game.new_state(), game.new_record());
    let mut obs = vec![0; game.observation.size];
    let mut seed = 0; game.reset(&mut s, 0, &mut r);
    let mut act = Stream::from_seed(1);
    let n = game.catalogue.discrete_len() as u32;
    let steps: usize = a[2].parse().unwrap();
    let mode = a.get(3).map_or("all", |s| s.as_str());
    let t = std::time::Instant::now();
    let mut tot = 0.0;
    for _ in 0..steps {
        let id = if mode == "wait" { 4 } else { act.index(n) as usize };
        let o = game.step_discrete(&mut s, id, &mut r).unwrap();
        tot += o.reward;
        if o.over() { seed += 1; game.reset(&mut s, seed, &mut r); }
        if mode != "noobs" { game.observe_into(&s, &mut obs); std::hint::black_box(&obs); }
    }
    println!("{mode}: {:.1} ns/step ({tot})", t.elapsed().as_nanos() as f64 / steps as f64);
}
