//! Members of a family that differ only in what is hidden: equal texts and pictures until the first consequence that a learner sees.

use std::sync::Arc;

use farm_core::inspect::RulesText;
use farm_core::{Environment, Stream};
use farm_games::families::{Laws, MemberName};
use farm_games::{GameDocument, Options};
use farm_render::{Frame, PictureOptions, Renderer, View};

const LEARNER: PictureOptions =
    PictureOptions { max_width: 300, max_height: 300, view: View::Learner, ..PictureOptions::DEFAULT };

const STEPS: usize = 40;

/// An episode as a learner sees it, and what it does not see.
struct Told {
    instructions: String,
    /// For each step the observation, the reward, the text and the picture.
    steps: Vec<(Vec<u8>, f64, String, Vec<u8>)>,
    /// For each step what everything hangs on.
    hidden: Vec<u64>,
}

/// Plays a member with the clauses that are seen of another one, by actions drawn from a seed.
fn told(family: &str, rules: u64, seen: &Laws, seed: u64) -> Told {
    let mut laws = Laws::draw(family, &mut Stream::from_seed(rules));
    match (seen, &mut laws) {
        (Laws::Backwards(seen), Laws::Backwards(laws)) => (laws.view, laws.listed) = (seen.view, seen.listed.clone()),
        (Laws::Valley(seen), Laws::Valley(laws)) => (laws.view, laws.carried) = (seen.view, seen.carried),
        _ => panic!("two families"),
    }
    let name = MemberName::parse(&format!("{family}@rules=0")).unwrap();
    let game = GameDocument::parse("member.yaml", &laws.yaml(&name)).unwrap().open(&Options::default()).unwrap();
    let game = Arc::new(game);
    let mut renderer = Renderer::new(game.clone(), &LEARNER).unwrap();
    let mut environment = Environment::new(game.clone());
    environment.reset(seed);
    let mut told = Told {
        instructions: environment.game().text().instructions(RulesText::Hidden),
        steps: Vec::new(),
        hidden: Vec::new(),
    };
    let (mut stream, mut total, mut last) = (Stream::from_seed(seed), 0.0, None);
    for _ in 0..STEPS {
        let frame = Frame { total, reward: last, ..Frame::of(environment.state()) };
        let picture = renderer.render(&frame).pixels().to_vec();
        let text = environment.text().to_string();
        told.steps.push((environment.observation().to_vec(), last.unwrap_or_default(), text, picture));
        told.hidden.push(environment.state().hash());
        let action = stream.index(game.catalogue().discrete_len() as u32) as usize;
        let outcome = environment.step(action).unwrap();
        total += outcome.reward;
        last = Some(outcome.reward);
        if outcome.over() {
            break;
        }
    }
    told
}

#[test]
fn texts_and_pictures_tell_nothing_before_the_first_consequence() {
    for family in ["backwards_valley", "valley_farm"] {
        let seen = Laws::draw(family, &mut Stream::from_seed(0));
        let (mut alike, mut apart, mut hidden) = (0, 0, 0);
        for seed in 0..12 {
            let first = told(family, 0, &seen, seed);
            for rules in 1..5 {
                let other = told(family, rules, &seen, seed);
                assert_eq!(first.instructions, other.instructions, "{family}");
                let parted = first
                    .steps
                    .iter()
                    .zip(&other.steps)
                    .position(|(one, other)| (&one.0, one.1) != (&other.0, other.1));
                assert_ne!(parted, Some(0), "{family}: the first look is the same");
                let together = parted.unwrap_or(first.steps.len());
                for (step, (one, two)) in first.steps.iter().zip(&other.steps).enumerate().take(together) {
                    assert_eq!(one.2, two.2, "{family}, seed {seed}, step {step}: texts");
                    assert!(one.3 == two.3, "{family}, seed {seed}, step {step}: pictures");
                    alike += 1;
                    hidden += usize::from(first.hidden[step] != other.hidden[step]);
                }
                apart += usize::from(parted.is_some());
            }
        }
        // Otherwise nothing was compared: there were steps that looked alike while something hidden differed, and consequences. The
        // rules of Valley Farm change no state before somebody acts on something.
        let least = if family == "valley_farm" { 0 } else { 20 };
        assert!(alike >= 60 && hidden >= least && apart >= 10, "{family}: {alike}, {hidden}, {apart}");
    }
}
