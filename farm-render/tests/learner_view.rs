//! What the learner is not shown is not drawn.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use farm_render::{Image, Options, Renderer, View};
use support::{Episode, episode, game};

const LEARNER: Options = Options { max_width: 500, max_height: 500, legend: false, view: View::Learner };

/// The pixels of a plot in a map whose lower left corner lies at the gap.
fn plot(image: &Image, cell: usize, rows: usize, (x, y): (usize, usize)) -> Vec<u8> {
    let (left, top) = (12 + x * cell, image.height() - 12 - (rows - y) * cell);
    let row = |y: usize| 3 * (y * image.width() + left)..3 * (y * image.width() + left + cell);
    (top..top + cell).flat_map(|y| image.pixels()[row(y)].to_vec()).collect()
}

fn position(played: &Episode, step: usize) -> (usize, usize) {
    let part = played.game.parts.iter().find(|part| part.field.is_none()).unwrap();
    let column = part.variables.iter().find(|v| v.name == "position").and_then(|v| v.column::<u8>()).unwrap();
    let at = played.game.reader(&played.states[step]).get(column);
    (usize::from(at[0]), usize::from(at[1]))
}

#[test]
fn beyond_the_window_of_a_farmer_all_plots_look_alike() {
    let played = episode(&game("backwards_valley", &[]), 4);
    let mut renderer = Renderer::new(played.game.clone(), &LEARNER).unwrap();
    for step in [0, 5, 20] {
        let image = renderer.render(&played.frame(step)).clone();
        let (x, y) = position(&played, step);
        let (cell, rows) = (50, 10_usize);
        let (mut beyond, mut within) = (Vec::new(), Vec::new());
        for plot_x in 0..10_usize {
            for plot_y in 0..rows {
                let is_near = plot_x.abs_diff(x) <= 2 && plot_y.abs_diff(y) <= 2;
                let pixels = plot(&image, cell, rows, (plot_x, plot_y));
                if is_near { within.push(pixels) } else { beyond.push(pixels) }
            }
        }
        assert!(beyond.windows(2).all(|pair| pair[0] == pair[1]), "step {step}");
        assert!(within.iter().all(|pixels| *pixels != beyond[0]), "step {step}");
    }
}

#[test]
fn variables_that_are_not_observed_are_not_drawn() {
    // Two games that differ only in whether the weeds are observed.
    let all = "rules.BasicRule.free_observations";
    let without = "[[Field-0, Soil-0, available_Water#L], [Field-0, Plant-0, stage]]";
    let with = "[[Field-0, Soil-0, available_Water#L], [Field-0, Plant-0, stage], [Field-0, Weeds-0, grow#nb]]";
    let drawn = [without, with].map(|observed| {
        let played = episode(&game("full_farm", &[(all, observed), ("policies.expert", "WaitPolicy")]), 5);
        played.image(60, &LEARNER)
    });
    let everything = Options { view: View::Everything, ..LEARNER };
    let played = episode(&game("full_farm", &[("policies.expert", "WaitPolicy")]), 5);
    let all = played.image(60, &everything);
    assert!(drawn[0] != drawn[1], "observed weeds are drawn");
    assert!(drawn[1] != all, "what is not observed is not");
}
