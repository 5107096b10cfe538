//! What farmers who walk have in common: four moves, a position, a window around them, and drawing from what they carry.

use farm_core::action::CallArguments;
use farm_core::config::{Code, Path, Problem};
use farm_core::declare::{Labels, Picture, ValueKind, category};
use farm_core::{Builder, Column};
use farm_roles::AGENT_POSITION;

use crate::FarmerError;

/// North, south, east, west as facings (0 north, then clockwise), in the order of the moves.
pub(super) const FACING_OF_MOVE: [u8; 4] = [0, 2, 1, 3];

/// The sprite of a farmer that looks nowhere in particular.
pub(super) const FARMER: &str = include_str!("sprites/farmer.svg");
/// The farmer turned to the north, east, south and west.
pub(super) const FARMER_TURNED: [&str; 4] = [
    include_str!("sprites/farmer_n.svg"),
    include_str!("sprites/farmer_e.svg"),
    include_str!("sprites/farmer_s.svg"),
    include_str!("sprites/farmer_w.svg"),
];

/// What is carried, in the strip: a sign, where the item has one, and how much there is.
pub(super) fn carried(title: &str, variable: &str) -> Picture {
    let sign = match title {
        "seeds" => Some(include_str!("sprites/items/seeds.svg")),
        "water" => Some(include_str!("sprites/items/water.svg")),
        "crops" => Some(include_str!("sprites/items/crops.svg")),
        "feed" => Some(include_str!("sprites/items/feed.svg")),
        "products" => Some(include_str!("sprites/items/products.svg")),
        "coins" => Some(include_str!("sprites/items/coins.svg")),
        "gifts" => Some(include_str!("sprites/items/gifts.svg")),
        _ => None,
    };
    let picture = Picture::in_status_bar(title).value(variable);
    sign.into_iter().fold(picture, |picture, svg| picture.otherwise("", svg))
}

/// The longest edge of a map or field on which a position is two bytes.
const LONGEST_EDGE: usize = 256;

/// The place one step away in a direction (0 north, then clockwise), without a look at borders: beyond 0 it wraps round.
#[inline]
pub(super) fn adjacent(x: u8, y: u8, towards: u8) -> (u8, u8) {
    let (east, south) = [(0, 255), (1, 0), (0, 1), (255, 0)][usize::from(towards & 3)];
    (x.wrapping_add(east), y.wrapping_add(south))
}

/// The usual names of the moves.
pub(super) fn usual_moves() -> Vec<String> {
    ["MoveN", "MoveS", "MoveE", "MoveW"].map(String::from).to_vec()
}

/// A problem with a parameter of the farmer.
pub(super) fn problem(code: impl Into<Code>, key: &str, message: impl Into<String>) -> Problem {
    let path = if key.is_empty() { Path::default() } else { Path::default().child(key) };
    Problem::new(code, path, message)
}

/// Declares the position, x and y, on a map of this form.
pub(super) fn declare_position(b: &mut Builder<'_>, length: usize, width: usize) -> Column<u8> {
    if length > LONGEST_EDGE || width > LONGEST_EDGE {
        let message = "the map of a farmer who walks has at most 256 × 256 tiles";
        b.problem(problem(FarmerError::FieldTooLarge, "", message).value(format!("{length} × {width}")));
    }
    let numbers = |n: usize| Labels::Numbered(n.min(LONGEST_EDGE) as u32);
    let kind = ValueKind::Category(vec![numbers(length), numbers(width)]);
    let position = category(
        "position",
        kind,
        "Your x, then your y. x counts from 0 at the western border, y from 0 at the northern border.",
    );
    b.declare(position.shape(&[2]).role(AGENT_POSITION))
}

/// Checks names of moves and the size of a window.
pub(super) fn check(b: &mut Builder<'_>, moves: &[String], view: u32, view_key: &str) {
    if moves.len() != 4 {
        let problem = problem(FarmerError::WrongMoves, "moves", "there are four moves").value(moves.join(", "));
        b.problem(problem.expected("four names, for N, S, E and W"));
    }
    if view.is_multiple_of(2) {
        b.problem(
            problem(FarmerError::WrongWindow, view_key, "the window has no middle")
                .value(view)
                .expected("an odd number"),
        );
    }
}

/// Declares the four moves as the actions 0 to 3; `{}` in the sentence stands for the direction.
pub(super) fn declare_moves(b: &mut Builder<'_>, moves: &[String], sentence: &str) {
    for ((name, word), facing) in moves.iter().zip(["north", "south", "east", "west"]).zip(FACING_OF_MOVE) {
        let action = b.action(name, Vec::new(), &sentence.replace("{}", word));
        b.told_as(action, &format!("moved {word}"));
        b.poses(action, FARMER_TURNED[usize::from(facing)]);
    }
}

/// What an action takes out of a stock: the amount that its parameter says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draw {
    /// Which parameter is the amount.
    pub parameter: usize,
    /// Which stock it is drawn from.
    pub stock: usize,
}

/// What rounding may take away from a stock without an action failing for it, in the stock's unit.
const ROUNDING: f64 = 1e-9;

impl Draw {
    /// What is left of a stock after the amount was drawn; none if the stock holds too little.
    #[inline]
    pub(super) fn left(self, carried: f64, arguments: CallArguments<'_>) -> Option<f64> {
        let left = carried - arguments.real(self.parameter);
        (left >= -ROUNDING).then_some(left.max(0.0))
    }
}
