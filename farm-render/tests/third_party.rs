//! Entities that only this test knows, as a third party would write them: without pictures, with a sprite of its own, with a
//! sprite that is none, with a picture of a variable that does not exist.

use std::sync::Arc;

use super::support::written;
use farm_core::config::Document;
use farm_core::declare::{Picture, count};
use farm_core::spec::load_document;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Game};
use farm_games as _;
use farm_render::{Color, Frame, Image, PictureOptions, Renderer};

/// How the moles are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(crate) enum Drawn {
    /// Not at all.
    Undeclared,
    /// By a sprite of their own.
    Own,
    /// By a text that is not an SVG.
    Broken,
    /// By a variable that they do not have.
    Unknown,
}

/// Moles that sit on the first plot and on the last.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestMoles {
    /// How they are drawn.
    #[parameter(default = Drawn::Undeclared)]
    pub drawn: Drawn,
}

/// A square of a colour that nobody else uses, in the middle half of the plot.
const OWN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect x="10" y="10" width="20" height="20" fill="#12f0e7"/></svg>"##;
const OWN_COLOR: Color = [0x12, 0xf0, 0xe7];

#[farm_core::register(source = "Tests of pictures")]
impl Entity for TestMoles {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let moles = d.variable(count("moles#nb", 0, 9, "Moles in the plot.").per_plot());
        match self.drawn {
            Drawn::Undeclared => {}
            Drawn::Own => {
                d.picture(Picture::on_plots("Moles", 40).from("moles#nb", 1.0, "some", OWN).heat("moles#nb", 0.0, 9.0))
            }
            Drawn::Broken => d.picture(Picture::on_plots("Moles", 40).otherwise("some", "<svg")),
            Drawn::Unknown => d.picture(Picture::on_plots("Moles", 40).from("mole#nb", 1.0, "some", OWN)),
        }
        Bind::new(move |found| Burrow { moles: found.get(moles) })
    }
}

struct Burrow {
    moles: Column<i32>,
}

impl Behaviour for Burrow {
    fn reset(&self, c: &mut Context<'_>) {
        let moles = c.get(self.moles);
        for plot in [0, moles.len() - 1] {
            moles[plot].set(3);
        }
    }
}

fn moles(shape: (usize, usize), drawn: &str) -> Arc<Game> {
    written(shape, &format!("      - TestMoles: {{drawn: {drawn}}}"))
}

fn start(game: &Arc<Game>) -> Image {
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, 1, &mut record);
    let options = PictureOptions { ..PictureOptions::default() };
    Renderer::new(game.clone(), &options).unwrap().render(&Frame::of(&state)).clone()
}

fn pixel(image: &Image, x: usize, y: usize) -> Color {
    let at = 3 * (y * image.width() + x);
    [image.pixels()[at], image.pixels()[at + 1], image.pixels()[at + 2]]
}

/// How many pixels of a rectangle have a colour.
fn count_of(image: &Image, color: Color) -> usize {
    image.pixels().as_chunks::<3>().0.iter().filter(|pixel| **pixel == color).count()
}

#[test]
fn an_own_sprite_is_drawn_on_the_plots_where_its_condition_holds() {
    let image = start(&moles((3, 2), "own"));
    // The largest plots: the field begins at the left gap, and its last row ends at the lower one.
    let (cell, left, bottom) = (300, 12, image.height() - 12);
    let middle = |x: usize, y: usize| pixel(&image, left + x * cell + cell / 2, bottom - (2 - y) * cell + cell / 2);
    for x in 0..3 {
        for y in 0..2 {
            let sits = (x, y) == (0, 0) || (x, y) == (2, 1);
            assert_eq!(middle(x, y) == OWN_COLOR, sits, "plot ({x}, {y})");
        }
    }
    // The middle half of two plots, give or take the pixels at its edges.
    let half = cell / 2;
    let found = count_of(&image, OWN_COLOR);
    assert!(found.abs_diff(2 * half * half) <= 8 * half, "{found}");
}

#[test]
fn without_pictures_there_is_a_labelled_tag_on_the_same_plots_and_a_name_in_the_strip() {
    let (with, without) = (start(&moles((3, 2), "undeclared")), start(&written((3, 2), "      - TestNothing: {}")));
    assert_eq!(count_of(&with, OWN_COLOR), 0);
    let tag: Color = [0xfb, 0xf7, 0xee];
    let (cell, left, bottom) = (300, 12, with.height() - 12);
    let tagged = |x: usize, y: usize| {
        let (from_x, from_y) = (left + x * cell, bottom - (2 - y) * cell);
        (0..cell * cell).filter(|i| pixel(&with, from_x + i % cell, from_y + i / cell) == tag).count()
    };
    let tags: Vec<usize> = (0..6).map(|i| tagged(i / 2, i % 2)).collect();
    assert!(tags[0] > 500 && tags[5] > 500, "{tags:?}");
    assert_eq!(tags[1..5].iter().sum::<usize>(), 0, "{tags:?}");
    // Another name, another strip: the label is not the same for all.
    assert_ne!(with.pixels()[..with.width() * 3 * 120], without.pixels()[..without.width() * 3 * 120]);
}

/// Has nothing at all.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestNothing {}

#[farm_core::register(source = "Tests of pictures")]
impl Entity for TestNothing {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        struct Nothing;
        impl Behaviour for Nothing {}
        Bind::new(|_| Nothing)
    }
}

#[test]
fn a_large_field_shows_its_own_heat_map_also_of_an_unknown_entity() {
    for drawn in ["own", "undeclared"] {
        let image = start(&moles((100, 100), drawn));
        // The darkest colour where no moles are: nearly all of the map, which has four pixels for each plot's edge.
        let dark = count_of(&image, [0, 34, 78]);
        assert!(dark > 9_000 * 16, "{drawn}: {dark}");
    }
}

#[test]
fn a_sprite_that_is_no_svg_is_told_with_its_part_and_its_name() {
    let error = Renderer::new(moles((1, 1), "broken"), &PictureOptions::default()).unwrap_err().to_string();
    for word in ["Field-0.TestMoles-0", "Moles", "some", "not an SVG"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_picture_of_a_variable_that_was_not_declared_is_a_problem_of_the_game() {
    let yaml = "name: moles\nfields:\n  Field-0:\n    entities:\n      - TestMoles: {drawn: unknown}\nfarmers:\n  - BasicFarmer: {}\n\
                rules:\n  BasicRule: {max_steps: 20}\nscore:\n  BasicScore: {}\n";
    let spec = load_document(&Document::parse("moles.yaml", yaml).unwrap()).unwrap();
    let Err(problems) = Game::new(spec) else { panic!("the picture is accepted") };
    let problem = problems.0.iter().find(|problem| problem.message.contains("picture `Moles`")).expect("the picture's");
    assert_eq!((problem.value.as_deref(), problem.nearest.as_deref()), (Some("mole#nb"), Some("moles#nb")));
}

#[test]
fn pictures_add_nothing_to_a_state_and_change_nothing_in_it() {
    let states = ["own", "undeclared"].map(|drawn| {
        let game = moles((3, 2), drawn);
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 1, &mut record);
        while !state.over() {
            game.step(&mut state, &[], &mut record).unwrap();
        }
        (state.size_in_bytes(), state.hash())
    });
    assert_eq!(states[0], states[1]);
}
