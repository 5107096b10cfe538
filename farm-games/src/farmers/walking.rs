//! Code that walking farmers share: four moves, a position, a window around the farmer, and the use of carried stocks.

use farm_core::Declarations;
use farm_core::action::CallArguments;
use farm_core::config::{Code, Path, Problem};
use farm_core::declare::{ActionInfo, Labels, Own, Picture, ValueKind, category};
use farm_roles::AGENT_POSITION;

use crate::FarmerError;

/// The facing values for north, south, east and west, in the order of the moves. Values count clockwise from 0 (north).
pub(super) const FACING_OF_MOVE: [u8; 4] = [0, 2, 1, 3];

/// The sprite of a farmer that faces no direction.
pub(super) const FARMER: &str = include_str!("sprites/farmer.svg");
/// The farmer turned to the north, east, south and west.
pub(super) const FARMER_TURNED: [&str; 4] = [
    include_str!("sprites/farmer_n.svg"),
    include_str!("sprites/farmer_e.svg"),
    include_str!("sprites/farmer_s.svg"),
    include_str!("sprites/farmer_w.svg"),
];

/// A carried item in the strip: its symbol, if it has one, and its amount.
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

/// The longest edge of a map or field on which a position fits in two bytes.
const LONGEST_EDGE: usize = 256;

/// The tile one step away in a direction (0 north, then clockwise). It ignores borders: coordinates below 0 wrap around.
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

/// Declares the position, x and y, on a map of this size.
pub(super) fn declare_position(d: &mut Declarations<'_>, length: usize, width: usize) -> Own<u8> {
    if length > LONGEST_EDGE || width > LONGEST_EDGE {
        let message = "the map of a walking farmer has at most 256 × 256 tiles";
        d.problem(problem(FarmerError::FieldTooLarge, "", message).value(format!("{length} × {width}")));
    }
    let numbers = |n: usize| Labels::Numbered(n.min(LONGEST_EDGE) as u32);
    let kind = ValueKind::Category(vec![numbers(length), numbers(width)]);
    let position = category(
        "position",
        kind,
        "Your x coordinate, then your y coordinate. x starts at 0 on the western edge, and y starts at 0 on the northern edge.",
    );
    d.variable(position.shape(&[2]).role(AGENT_POSITION))
}

/// Checks the names of the moves and the size of the window.
pub(super) fn check(d: &mut Declarations<'_>, moves: &[String], view: u32, view_key: &str) {
    if moves.len() != 4 {
        let problem = problem(FarmerError::WrongMoves, "moves", "the farmer needs four moves").value(moves.join(", "));
        d.problem(problem.expected("four names, for N, S, E and W"));
    }
    if view.is_multiple_of(2) {
        d.problem(
            problem(FarmerError::WrongWindow, view_key, "the window has no middle")
                .value(view)
                .expected("an odd number"),
        );
    }
}

/// Declares the four moves as the actions 0 to 3. The direction replaces `{}` in the sentence.
pub(super) fn declare_moves(d: &mut Declarations<'_>, moves: &[String], sentence: &str) {
    for ((name, word), facing) in moves.iter().zip(["north", "south", "east", "west"]).zip(FACING_OF_MOVE) {
        let action = ActionInfo::new(name, &sentence.replace("{}", word), Vec::new());
        d.action_with(action.told_as(&format!("moved {word}")).posing(FARMER_TURNED[usize::from(facing)]));
    }
}

/// The amount that an action takes out of a stock; one of the action's parameters sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draw {
    /// The index of the parameter with the amount.
    pub parameter: usize,
    /// The index of the stock.
    pub stock: usize,
}

/// The tolerance for rounding: an action still succeeds if the stock is short by at most this amount, in the stock's unit.
const ROUNDING: f64 = 1e-9;

impl Draw {
    /// The amount left in a stock after the action; none if the stock is too small.
    #[inline]
    pub(super) fn left(self, carried: f64, arguments: CallArguments<'_>) -> Option<f64> {
        let left = carried - arguments.real(self.parameter);
        (left >= -ROUNDING).then_some(left.max(0.0))
    }
}
