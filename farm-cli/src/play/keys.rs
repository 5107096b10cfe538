//! The keys for a game's actions, derived from the names of the actions.
//!
//! Space and `n` let time pass in every game. Actions with a direction use the arrow keys and WASD. Every other action gets a free letter
//! from its name, or a capital letter.

use farm_core::action::{Allowed, BaseAction, Call};
use farm_core::labels::Labels;
use farm_core::{ActionKind, Game};
use farm_render::is_direct;
use ratatui::crossterm::event::KeyCode;

/// Letters that the screen itself uses. Digits are counts.
const TAKEN: &str = "qurhybmnxlp BGINR ";
/// The direction keys: an arrow key and a letter for each, with the change in the field's x and y.
const DIRECTIONS: [(Direction, KeyCode, char); 4] = [
    (Direction::North, KeyCode::Up, 'w'),
    (Direction::South, KeyCode::Down, 's'),
    (Direction::East, KeyCode::Right, 'd'),
    (Direction::West, KeyCode::Left, 'a'),
];

/// The direction of a step on a map, with north at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    /// Up.
    North,
    /// Down.
    South,
    /// Right.
    East,
    /// Left.
    West,
}

impl Direction {
    /// All four.
    pub(super) const ALL: [Self; 4] = [Self::North, Self::South, Self::East, Self::West];
}

/// An action and its keys.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    /// The keys. Empty if all suitable keys are in use.
    pub keys: Vec<KeyCode>,
    /// The index of the base action.
    pub base: usize,
    /// The action with its arguments, if there is only one choice.
    pub call: Option<Call>,
}

impl Binding {
    /// The keys as text.
    pub(super) fn words(&self) -> String {
        let words = self.keys.iter().filter_map(|key| match key {
            KeyCode::Up => Some('↑'),
            KeyCode::Down => Some('↓'),
            KeyCode::Left => Some('←'),
            KeyCode::Right => Some('→'),
            KeyCode::Char(c) => Some(*c),
            _ => None,
        });
        words.collect()
    }
}

/// The name of the next step if nothing is planned. If the waiting action is an entire step, it is that action; otherwise, it is the next
/// day or step.
pub(super) fn next_name(game: &Game, labels: &Labels) -> String {
    let waiting = game.catalogue().waiting().first().and_then(|call| game.catalogue().base_actions().get(call.base()));
    match waiting.filter(|_| is_direct(game)) {
        Some(base) => labels.base_action(game, base),
        None if game.rules().steps_per_day > 1 => labels.words("next step").to_owned(),
        None => labels.words("next day").to_owned(),
    }
}

/// The keys for a game's actions, except for the action on space and `n`.
pub(super) fn bindings(game: &Game) -> Vec<Binding> {
    let waiting = game.catalogue().waiting().first().map(|call| call.base()).filter(|_| is_direct(game));
    let is_listed = |(i, base): &(usize, &BaseAction)| base.kind() == ActionKind::Intervention && waiting != Some(*i);
    let interventions = game.catalogue().base_actions().iter().enumerate().filter(is_listed);
    let mut bindings: Vec<Binding> =
        interventions.map(|(i, _)| Binding { keys: Vec::new(), base: i, call: only_call(game, i) }).collect();
    let mut taken: Vec<char> = TAKEN.chars().collect();
    for (direction, arrow, letter) in DIRECTIONS {
        let goes =
            |binding: &&mut Binding| binding.call.is_some() && direction_of(game, binding.base) == Some(direction);
        let mut ways = bindings.iter_mut().filter(goes);
        // With two walking farmers, an arrow would be ambiguous.
        if let (Some(binding), None) = (ways.next(), ways.next()) {
            binding.keys = vec![arrow, KeyCode::Char(letter)];
            taken.push(letter);
        }
    }
    // First letters are assigned first, so that no inner letter of another name takes them.
    for candidates in [first_letter, heads, letters, capitals] {
        for binding in bindings.iter_mut().filter(|binding| binding.keys.is_empty()) {
            let name = game.catalogue().base_actions()[binding.base].name(game.parts());
            let letters = candidates(name).into_iter().filter(char::is_ascii_alphabetic);
            if let Some(key) = letters.into_iter().find(|c| !taken.contains(c)) {
                taken.push(key);
                binding.keys.push(KeyCode::Char(key));
            }
        }
    }
    bindings
}

fn first_letter(name: &str) -> Vec<char> {
    name.chars().take(1).map(|c| c.to_ascii_lowercase()).collect()
}

/// The first letters of the words in a name.
fn heads(name: &str) -> Vec<char> {
    let begins =
        |i: usize, c: char| c.is_uppercase() || name[..i].chars().last().is_none_or(|before| !before.is_alphanumeric());
    name.char_indices().filter(|(i, c)| begins(*i, *c)).map(|(_, c)| c.to_ascii_lowercase()).collect()
}

fn letters(name: &str) -> Vec<char> {
    name.chars().map(|c| c.to_ascii_lowercase()).collect()
}

fn capitals(name: &str) -> Vec<char> {
    name.chars().map(|c| c.to_ascii_uppercase()).chain('A'..='Z').collect()
}

/// The only call that a base action allows. `None` if there are several.
pub(super) fn only_call(game: &Game, base: usize) -> Option<Call> {
    let parameters = game.catalogue().base_actions().get(base)?.parameters();
    let only = |allowed: &Allowed| match allowed {
        Allowed::Values(values) if values.len() == 1 => values.first().copied(),
        Allowed::Range { low, high } if low == high => Some(*low),
        _ => None,
    };
    game.catalogue().call(base, &parameters.iter().map(only).collect::<Option<Vec<f64>>>()?)
}

/// The direction in the last word of an action's name.
pub(super) fn direction_of(game: &Game, base: usize) -> Option<Direction> {
    let base = game.catalogue().base_actions().get(base)?;
    base.info(game.parts()).filter(|action| action.parameters().is_empty())?;
    direction(base.name(game.parts()))
}

fn direction(name: &str) -> Option<Direction> {
    let start = name.char_indices().rfind(|(_, c)| c.is_uppercase() || *c == '_' || *c == ' ').map_or(0, |(i, _)| i);
    let last = name[start..].trim_start_matches(['_', ' ']).to_lowercase();
    match last.as_str() {
        "n" | "north" | "up" => Some(Direction::North),
        "s" | "south" | "down" => Some(Direction::South),
        "e" | "east" | "right" => Some(Direction::East),
        "w" | "west" | "left" => Some(Direction::West),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_is_its_direction() {
        assert_eq!(direction("MoveN"), Some(Direction::North));
        assert_eq!(direction("go_west"), Some(Direction::West));
        assert_eq!(direction("Step right"), Some(Direction::East));
        assert_eq!(direction("down"), Some(Direction::South));
        assert_eq!(direction("SpreadManure"), None);
        assert_eq!(direction(""), None);
    }

    #[test]
    fn in_every_game_each_key_does_one_thing_and_no_key_of_the_screen() {
        for entry in farm_games::CATALOGUE {
            let game = farm_games::open(entry.name, &farm_games::Options::default()).unwrap();
            let bindings = bindings(&game);
            let keys: Vec<KeyCode> = bindings.iter().flat_map(|binding| binding.keys.clone()).collect();
            for (i, key) in keys.iter().enumerate() {
                assert!(!keys[..i].contains(key), "{}: {key:?}", entry.name);
                assert!(!matches!(key, KeyCode::Char(c) if TAKEN.contains(*c)), "{}: {key:?}", entry.name);
            }
            assert!(bindings.iter().all(|binding| !binding.keys.is_empty()), "{}: {bindings:?}", entry.name);
        }
    }
}
