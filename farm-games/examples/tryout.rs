use farm_core::*;
use farm_games::*;
use std::sync::Arc;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let o = Options { preset: a.get(3).cloned(), set: vec![] };
    let game = match open(&a[1], &o) { Ok(g) => Arc::new(g), Err(p) => { eprintln!("{p}"); std::process::exit(1) } };
    let mut player = game.player(&a[2]).unwrap_or_else(|p| panic!("{p}"));
    let mut env = Environment::new(game.clone());
    let mut returns = vec![];
    for seed in 0..200u64 {
        env.reset(seed); player.start(seed);
        let mut sched = vec![]; let mut ret = 0.0; let mut trace=String::new();
        loop {
            sched.clear(); player.choose(&game, env.state(), &mut sched);
            let out = env.step(&sched).unwrap();
            ret += out.reward;
            for e in env.info()["events"].as_array().unwrap() { trace += &format!(" {}@{}:{}", e["kind"].as_str().unwrap(), env.state().step, e["value"]); }
            if out.over() { break }
        }
        if seed < 6 { println!("{seed}: {ret:.3} steps {} {:?} {trace}", env.state().step, env.record().stop.map(|s| game.stop_reason(s))); }
        if seed == 0 { println!("{}", env.observation_text()); println!("state bytes {}", env.state().size_in_bytes()); }
        returns.push(ret);
    }
    println!("mean {}", returns.iter().sum::<f64>() / returns.len() as f64);
}
