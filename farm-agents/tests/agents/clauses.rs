//! Which clause behaviour agrees with from when on: episodes whose every step is known by hand.

use farm_agents::{
    Access, Agent, AgentError, Agrees, Answer, ClauseSummary, EpisodePlan, Request, Run, RunHeader, clauses,
};

use super::{Folder, header, play};

/// Replies one after the other.
struct Script(&'static [&'static str]);

impl Agent for Script {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        Ok(Answer { reply: self.0[request.turn as usize].to_owned(), ..Answer::default() })
    }
}

/// Plays a script in a level, and returns from when on it agrees with each clause.
fn learned(game: &str, level: &str, script: &'static [&'static str]) -> Vec<(String, Agrees)> {
    let folder = Folder::new(&format!("clauses-{game}"));
    std::fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join("level.yaml");
    std::fs::write(&path, level).unwrap();
    let level = path.display().to_string();
    let found = farm_games::level::find(game, &level).unwrap();
    let options = farm_games::Options { level: Some(found), ..farm_games::Options::default() };
    let game_of_level = farm_games::open(game, &options).unwrap();
    let fingerprint = format!("{:016x}", game_of_level.fingerprint());
    let mut header: RunHeader = header(0);
    (header.game, header.set) = (game.to_owned(), Vec::new());
    header.conduct.max_turns = script.len() as u64;
    header.episodes =
        vec![EpisodePlan { id: "one".to_owned(), level: Some(level), seed: 1, fingerprint, game: None, rules: None }];
    let access = Access { files: true, ..Access::default() };
    let run = Run::begin(&folder.0.join("run"), header, access).unwrap();
    play(&run, 1, usize::MAX - 1, || Box::new(Script(script)));
    let episodes = clauses(&run, &run.traces().unwrap()).unwrap();
    let [episode] = &episodes[..] else { panic!("one episode") };
    let summaries = ClauseSummary::of(&episodes);
    for (clause, summary) in episode.clauses.iter().zip(&summaries) {
        assert_eq!(clause.clause, summary.clause);
        assert_eq!(summary.tried, usize::from(clause.agrees != Agrees::NotTried));
        assert_eq!(summary.agreed, usize::from(matches!(clause.agrees, Agrees::From(_))));
    }
    episode.clauses.iter().map(|clause| (clause.clause.clone(), clause.agrees)).collect()
}

fn expected(clauses: &[(&str, Agrees)]) -> Vec<(String, Agrees)> {
    clauses.iter().map(|(clause, agrees)| ((*clause).to_owned(), *agrees)).collect()
}

/// The farmer stands on (7, 7); the villager at (6, 6) is diagonal to that, which gifts do not reach, and beside the field on (7, 6).
#[test]
fn what_an_episode_of_valley_farm_shows() {
    let rows = "  ...............\n".repeat(15);
    let level = format!(
        "game: valley_farm\nagent: {{at: [7, 7], inventory#nb: {{seeds: 5, water: 5, crops: 0, feed: 3, products: 0, coins: 0, gifts: 3}}}}\n\
         map: |\n{rows}fields:\n  - {{at: [7, 6]}}\nbarns:\n  - {{at: [8, 7], species: cow}}\n\
         villagers:\n  - {{at: [6, 6], relationship#point: 0}}\nmarkets:\n  - {{at: [0, 0]}}\n"
    );
    let script = &[
        "GiveGift",       // 1: from the diagonal, which does not count
        "MoveNorth",      // 2
        "GiveGift",       // 3
        "PlantSeed",      // 4
        "HarvestCrop",    // 5: a seedling
        "WaterCrop",      // 6
        "WaterCrop",      // 7: mature now
        "WaterCrop",      // 8: once too often
        "HarvestCrop",    // 9
        "MoveSouth",      // 10
        "MoveEast",       // 11
        "FeedAnimal",     // 12
        "CollectProduct", // 13: nothing lies there yet
        "Wait",           // 14
        "Wait",           // 15
        "Wait",           // 16
        "Wait",           // 17: the fifth tick
        "CollectProduct", // 18
    ];
    let found = learned("valley_farm", &level, script);
    let clauses = [
        ("gift.reach", Agrees::From(3)),
        ("takes.planting", Agrees::From(4)),
        ("takes.watering", Agrees::From(6)),
        ("takes.feeding", Agrees::From(12)),
        ("takes.giving", Agrees::From(3)),
        ("crops.stages_per_watering", Agrees::From(9)),
        ("animals.sated", Agrees::From(18)),
        ("animals.ticks", Agrees::From(18)),
        ("animals.clock", Agrees::NotTried),
    ];
    assert_eq!(found, expected(&clauses));
}

/// Crops come on by themselves and water sets them back; insults lead villagers on, and compliments back.
#[test]
fn what_an_episode_of_backwards_valley_shows() {
    let rows = "  ..........\n".repeat(10);
    let level = format!(
        "game: backwards_valley\nagent: {{at: [5, 5], facing: N}}\nmap: |\n{rows}\
         fields:\n  - {{at: [6, 5], stage: Young, base_value#point: 4}}\n  - {{at: [8, 5], stage: Seed, base_value#point: 4}}\n\
         pens:\n  - {{at: [0, 9], stage: Okay, base_value#point: 1}}\n\
         villagers:\n  - {{at: [5, 4], mood: Hostile, base_value#point: 6}}\n"
    );
    let script = &[
        "Compliment",     // 1: it stays hostile
        "Insult",         // 2: neutral
        "Insult",         // 3: friendly
        "MoveE",          // 4: onto the crop that is ready
        "MoveE",          // 5: the other crop is ahead, ready as well
        "UseWateringCan", // 6: which sets back what could be had
        "UseWateringCan", // 7: and keeps it from coming on
        "Wait",           // 8: left alone
        "Wait",           // 9
        "Wait",           // 10: ready again
        "MoveE",          // 11: taken
    ];
    let found = learned("backwards_valley", &level, script);
    let of =
        |clause: &str| found.iter().find(|(name, _)| name == clause).unwrap_or_else(|| panic!("{clause}: {found:?}")).1;
    for (clause, agrees) in [
        ("crops.nature", Agrees::From(8)),
        ("crops.UseWateringCan", Agrees::Never),
        ("crops.SpreadFertilizer", Agrees::NotTried),
        ("crops.pays", Agrees::From(11)),
        ("animals.nature", Agrees::NotTried),
        ("villagers.nature", Agrees::From(1)),
        ("villagers.Compliment", Agrees::Never),
        ("villagers.Insult", Agrees::From(2)),
    ] {
        assert_eq!(of(clause), agrees, "{clause}");
    }
}
