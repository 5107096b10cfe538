//! Step order 1, moves: turning, walking, what blocks and what does not.

use super::support::*;

/// A scene with one free tile in the middle of four: in each direction what `around` says (N, E, S, W); ` ` leaves it to
/// the border of the map, where the free tile then lies.
pub(crate) fn cross(around: [char; 4]) -> (Scene, Tile) {
    let [north, east, south, west] = around;
    let at = match around.iter().position(|symbol| *symbol == ' ') {
        Some(0) => (5, 0),
        Some(1) => (9, 5),
        Some(2) => (5, 9),
        Some(_) => (0, 5),
        None => (5, 5),
    };
    let rows = [format!("#{north}#"), format!("{west}.{east}"), format!("#{south}#")];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    (Scene::new((at.0 - 1, at.1 - 1), &rows), at)
}

/// Crop, pen, house and one other symbol around the agent, in all four rotations.
fn rotations(other: char) -> [[char; 4]; 4] {
    let mut around = ['c', 'p', 'v', other];
    [0; 4].map(|_| {
        around.rotate_left(1);
        around
    })
}

#[test]
fn b1_north_is_y_minus_one_and_east_is_x_plus_one() {
    let valley = Valley::shipped();
    let mut free = 0;
    for seed in 0..500 {
        let play = valley.play(seed);
        let world = play.world();
        let (x, y) = world.at;
        for (action, target) in [(MOVE_N, (x, y - 1)), (MOVE_S, (x, y + 1)), (MOVE_E, (x + 1, y)), (MOVE_W, (x - 1, y))]
        {
            let blocked = !on_map(target) || world.terrain(target) == FENCE;
            let expected = if blocked { (x, y) } else { target };
            assert_eq!(play.after(action).world().at, expected, "seed {seed}, action {action}");
            free += usize::from(!blocked);
        }
    }
    assert!(free > 1000);
}

#[test]
fn step_order_1_a_move_turns_and_walks_onto_fields_pens_and_houses() {
    for around in rotations('#') {
        let (scene, at) = cross(around);
        let valley = scene.stages(["Seed", "Weak", "Hostile"]).build();
        for start in 0..4 {
            let play = valley.start(at, start);
            for direction in 0..4 {
                let world = play.after(MOVE_TO[usize::from(direction)]).world();
                let target = adjacent(at, direction);
                let blocked = around[usize::from(direction)] == '#';
                assert_eq!(world.facing, direction, "{around:?} from facing {start}");
                assert_eq!(world.at, if blocked { at } else { target }, "{around:?} from facing {start}");
                // Walking onto something is not care: everything goes on as if the agent had waited.
                assert_eq!(world.things, play.after(WAIT).world().things);
            }
        }
    }
}

#[test]
fn step_order_1_a_move_is_blocked_by_the_border_and_still_turns() {
    for around in rotations(' ') {
        let (scene, at) = cross(around);
        let valley = scene.build();
        let border = around.iter().position(|symbol| *symbol == ' ').unwrap() as u8;
        for start in 0..4 {
            let play = valley.start(at, start);
            let world = play.after(MOVE_TO[usize::from(border)]).world();
            assert_eq!((world.at, world.facing, world.step), (at, border, 1));
            assert_eq!(world.things, play.after(WAIT).world().things);
        }
    }
}

#[test]
fn step_order_1_a_move_goes_one_tile_and_the_way_back_ends_where_it_began() {
    let valley = Scene::new((2, 4), &["c....p", "#.####", "#v####"]).build();
    let mut play = valley.start((3, 4), NORTH);
    for (action, at, facing) in [
        (MOVE_E, (4, 4), EAST),
        (MOVE_E, (5, 4), EAST),
        (MOVE_N, (5, 4), NORTH),
        (MOVE_W, (4, 4), WEST),
        (MOVE_W, (3, 4), WEST),
        (MOVE_S, (3, 5), SOUTH),
        (MOVE_S, (3, 6), SOUTH),
        (MOVE_S, (3, 6), SOUTH),
        (MOVE_N, (3, 5), NORTH),
        (WAIT, (3, 5), NORTH),
    ] {
        play.step(action);
        assert_eq!((play.world().at, play.world().facing), (at, facing));
    }
}

#[test]
fn step_order_1_only_moves_change_position_or_facing() {
    let (scene, at) = cross(['c', 'p', '#', 'v']);
    let valley = scene.build();
    for facing in 0..4 {
        let play = valley.start(at, facing);
        for action in VERBS.into_iter().chain([WAIT]) {
            let world = play.after(action).world();
            assert_eq!((world.at, world.facing), (at, facing), "action {action}");
        }
    }
}
