//! All problems of a game: of its variants, of its policies, and of its first seasons.

use std::time::Instant;

use farm_core::Game;
use farm_core::config::{ChangeError, LimitError, Path, Problem, Problems};

use super::{GameDocument, Options};
use crate::rehearsal::{WITHIN, rehearse};

impl GameDocument {
    /// All problems of the game and its policies with these options, and warnings from its first seasons
    /// ([`rehearse`](crate::rehearse)). If the options name neither a preset nor a level, the problems of each preset are included. Their
    /// messages name the preset, unless the game has the same problem without it. The game is also returned, if it compiles.
    pub fn check(&self, options: &Options) -> (Option<Game>, Problems) {
        let mut all = Problems::default();
        let game = self.check_variant(options, &mut all);
        if let Some(game) = game.as_ref().filter(|_| !all.has_errors()) {
            let most = self.document().trust().budget().compile_time();
            let rehearsal = rehearse(game, most.map_or(WITHIN, |most| WITHIN.min(most / 4)));
            all.0.extend(self.document().locate(rehearsal.problems).0);
        }
        if options.preset.is_none() && options.level.is_none() {
            let presets = game.iter().flat_map(|game| game.spec().presets().keys());
            let (start, most) = (Instant::now(), self.document().trust().budget().compile_time());
            for preset in presets {
                if most.is_some_and(|most| start.elapsed() > most) {
                    let message = format!("`{preset}` and the presets after it are not checked: time limit reached");
                    let path = Path::default().child("presets").child(preset);
                    let problem = Problem::new(LimitError::GameTooLarge, path, message).about_name().warning();
                    all.0.extend(self.document().locate(Problems(vec![problem])).0);
                    break;
                }
                self.check_variant(&Options { preset: Some(preset.clone()), ..options.clone() }, &mut all);
            }
        }
        (game, all)
    }

    /// Adds the problems of one variant of the game that are not yet known.
    fn check_variant(&self, options: &Options, all: &mut Problems) -> Option<Game> {
        let (game, problems) = match self.open(options) {
            Ok(game) => {
                // Policies are built when they are asked for, so that only a player shows whether they fit the game.
                let refused = game.spec().policies().keys().filter_map(|policy| game.player(policy).err());
                let refused = refused.flat_map(|problems| self.document().locate(problems).0);
                let problems: Vec<Problem> = game.warnings().0.iter().cloned().chain(refused).collect();
                (Some(game), problems)
            }
            Err(problems) => (None, problems.0),
        };
        for mut problem in problems {
            let is_known = |known: &Problem| known.message == problem.message && known.path == problem.path;
            if all.0.iter().any(is_known) {
                continue;
            }
            // One that names the preset says so already.
            if let Some(preset) = options.preset.as_ref().filter(|_| !problem.is(ChangeError::UnknownPreset)) {
                problem.message = format!("{} (with preset `{preset}`)", problem.message);
            }
            all.push(problem);
        }
        game
    }
}
