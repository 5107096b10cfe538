//! What the tests of pictures share.

use std::path::PathBuf;
use std::sync::Arc;

use farm_core::action::Call;
use farm_core::{Event, Game, State};
use farm_games::Options as GameOptions;
use farm_render::{Frame, Image, PictureOptions, Renderer, Season};

/// The repository.
pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A game of the catalogue, in its larger variant where it names one, with changes.
pub(crate) fn game(name: &str, set: &[(&str, &str)]) -> Arc<Game> {
    let plain = farm_games::open(name, &GameOptions::default()).unwrap();
    let preset = plain.spec().presets().contains_key("4x3").then(|| "4x3".to_owned());
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    Arc::new(farm_games::open(name, &GameOptions { preset, set, ..GameOptions::default() }).unwrap())
}

/// A game that consists of a field with these entities, as YAML, and of a farmer without a place.
pub(crate) fn written(shape: (usize, usize), entities: &str) -> Arc<Game> {
    let (length, width) = shape;
    let yaml = format!(
        "name: written\nfields:\n  Field-0:\n    shape: {{length#nb: {length}, width#nb: {width}}}\n    entities:\n{entities}\n\
         farmers:\n  - BasicFarmer: {{}}\nrules:\n  BasicRule: {{max_steps: 20}}\nscore:\n  BasicScore: {{}}\n"
    );
    let document = farm_core::config::Document::parse("written.yaml", &yaml).unwrap();
    let spec = farm_core::spec::load_document(&document).unwrap_or_else(|problems| panic!("{problems:?}"));
    Arc::new(Game::new(spec).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// An episode of a game, step by step, as somebody who knows what to do plays it.
pub(crate) struct Episode {
    pub game: Arc<Game>,
    pub states: Vec<State>,
    pub totals: Vec<f64>,
    pub rewards: Vec<Option<f64>>,
    pub executed: Vec<Vec<Call>>,
    pub events: Vec<Vec<Event>>,
}

pub(crate) fn episode(game: &Arc<Game>, seed: u64) -> Episode {
    let names: Vec<&str> = game.spec().policies().keys().map(String::as_str).collect();
    let policy = ["expert", "informed"].into_iter().find(|name| names.contains(name)).unwrap_or(names[0]);
    let mut player = farm_games::policy(game, policy).unwrap();
    let (mut state, mut record, mut schedule) = (game.new_state(), game.new_record(), Vec::new());
    game.reset(&mut state, seed, &mut record);
    player.start(seed);
    let mut episode = Episode {
        game: game.clone(),
        states: vec![state.clone()],
        totals: vec![0.0],
        rewards: vec![None],
        executed: vec![Vec::new()],
        events: vec![Vec::new()],
    };
    while !state.over() {
        schedule.clear();
        player.choose(game, &state, &mut schedule);
        let outcome = game.step(&mut state, &schedule, &mut record).unwrap();
        episode.states.push(state.clone());
        episode.totals.push(episode.totals.last().unwrap() + outcome.reward);
        episode.rewards.push(Some(outcome.reward));
        episode.executed.push(record.executed().to_vec());
        episode.events.push(record.events().to_vec());
    }
    episode
}

impl Episode {
    pub(crate) fn frame(&self, step: usize) -> Frame<'_> {
        let (state, total, reward) = (&self.states[step], self.totals[step], self.rewards[step]);
        let (executed, events) = (&self.executed[step], &self.events[step]);
        Frame { total, reward, executed, events, ..Frame::of(state) }
    }

    /// The season up to a step.
    pub(crate) fn season(&self, step: usize) -> Season {
        let mut season = Season::new(&self.game);
        self.states[..=step].iter().for_each(|state| season.note(&self.game, state));
        season
    }

    pub(crate) fn image(&self, step: usize, options: &PictureOptions) -> Image {
        let season = self.season(step);
        let frame = Frame { season: Some(&season), ..self.frame(step) };
        Renderer::new(self.game.clone(), options).unwrap().render(&frame).clone()
    }
}

/// Reads a PNG file of RGB pixels.
pub(crate) fn read_png(bytes: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width as usize, info.height as usize, pixels)
}

/// The share of pixels of which a channel differs by more than `most`.
pub(crate) fn share_of_different(a: &[u8], b: &[u8], most: u8) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.as_chunks::<3>().0.iter().zip(b.as_chunks::<3>().0);
    let different = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > most)).count();
    different as f64 / (a.len() / 3) as f64
}
