//! A game with something odd about it: its weather is from 20 degrees further south than its field.

use std::fmt::Write as _;
use std::path::PathBuf;

const GAME: &str = "\
name: odd
fields:
  Field-0:
    localization: {latitude#°: 45.0, longitude#°: 5.0, altitude#m: 100}
    entities:
      - Weather: {file: station.csv}
      - Soil: loam
farmers: [BasicFarmer: {max_daily_interventions: 1}]
rules:
  BasicRule:
    free_observations: [[Field-0, Weather-0, rain_amount#mm.day-1]]
    actions: {Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [10], duration#min: [60]}}}}
    max_steps: 10
score: {BasicScore: {}}
";

/// The folder of the game, which goes with this.
pub(crate) struct OddGame(PathBuf);

impl OddGame {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("farm-odd-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut table = "# latitude: 25.0, longitude: 5.0\nDate,Tmin,Tmax,Rain\n".to_owned();
        for day in 1..=31 {
            let _ = writeln!(table, "2021-01-{day:02},2,9,{}", day % 3);
        }
        std::fs::write(folder.join("station.csv"), table).unwrap();
        std::fs::write(folder.join("odd.yaml"), GAME).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> String {
        self.0.join("odd.yaml").display().to_string()
    }
}

impl Drop for OddGame {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
