//! The animal clock, its exact timeline, and the mood.

use super::support::*;

/// An episode that starts in a barn.
fn barn() -> Farm {
    Level::default().starts_at((9, 7)).build()
}

#[test]
fn animal_clock_one_feed_yields_two_products_at_the_fifth_and_the_tenth_step() {
    let farm = barn();
    let mut play = farm.play(0);
    assert_eq!(play.flag(), "hungry");
    play.step(FEED);
    for step in 1..=15 {
        // What is collected in this step, if it is the first time.
        let expected = match step {
            5..=9 => 1.0,
            10 => 2.0,
            _ => 0.0,
        };
        assert_eq!(play.flag(), if step <= 10 { "sated" } else { "hungry" }, "step s+{step}");
        let collected = play.after(COLLECT);
        assert_eq!(collected.item(PRODUCTS), expected, "step s+{step}");
        if expected == 0.0 {
            assert_eq!(collected.state, play.after(WAIT).state, "step s+{step}: an illegal act is a Wait");
        }
        play.step(WAIT);
    }
}

#[test]
fn animal_clock_the_second_product_waits_for_the_next_feeding() {
    let farm = barn();
    let mut play = farm.play(0);
    play.step(FEED);
    play.steps(&[WAIT; 20]);
    assert_eq!(play.step(COLLECT).reward, 0.0);
    play.step(FEED);
    assert_eq!(play.step(COLLECT).reward, 0.4);
}

#[test]
fn animal_clock_collecting_sets_the_counter_to_zero_and_leaves_hunger() {
    let farm = barn();
    let mut play = farm.play(0);
    play.step(FEED);
    play.steps(&[WAIT; 6]);
    // Collected in s+7; the next tick is in s+8, so the fifth would be in s+12, when the animal is hungry.
    assert_eq!(play.step(COLLECT).reward, 0.2);
    for step in 8..=10 {
        assert_eq!(play.flag(), "sated", "s+{step}");
        assert_eq!(play.step(COLLECT).reward, 0.0, "s+{step}");
    }
    assert_eq!(play.flag(), "hungry");
    // The counter pauses at three while the animal is hungry: two more ticks after the next feeding.
    play.steps(&[WAIT, WAIT, FEED]);
    assert_eq!(play.steps(&[COLLECT, COLLECT]), [0.0, 0.2]);
}

#[test]
fn animal_clock_feeding_a_sated_animal_restarts_the_ten_steps() {
    let farm = barn();
    let mut play = farm.play(0);
    play.steps(&[FEED, WAIT, WAIT]);
    play.step(FEED);
    assert_eq!(play.item(FEED_LEFT), 1.0);
    for step in 1..=11 {
        assert_eq!(play.flag(), if step <= 10 { "sated" } else { "hungry" }, "step {step} after the second feeding");
        play.step(WAIT);
    }
    // Thirteen ticks make two products, and three more ticks.
    let animal = play.world().animals[0];
    assert_eq!((animal.stock, animal.ticks), (2, 3));
}

#[test]
fn animal_clock_stock_accumulates_over_feedings_and_never_decays() {
    let farm = barn();
    let mut play = farm.play(0);
    for _ in 0..3 {
        play.step(FEED);
        play.steps(&[WAIT; 10]);
    }
    play.steps(&[WAIT; 10]);
    assert_eq!(play.world().animals[0].stock, 6);
    assert_eq!(play.item(FEED_LEFT), 0.0);
}

#[test]
fn animal_clock_each_animal_has_its_own() {
    let farm = barn();
    let mut play = farm.play(0);
    // Fed in the steps 1 and 3: products can be collected from the steps 6 and 8 on.
    play.steps(&[FEED, EAST, FEED, WAIT]);
    assert_eq!(play.world().animals.map_stock(), [0, 0, 0]);
    play.step(WAIT);
    assert_eq!(play.world().animals.map_stock(), [1, 0, 0]);
    play.steps(&[WAIT, WAIT]);
    assert_eq!(play.world().animals.map_stock(), [1, 1, 0]);
    play.step(COLLECT);
    assert_eq!(play.world().animals.map_stock(), [1, 0, 0]);
}

trait Stocks {
    fn map_stock(&self) -> Vec<i32>;
}

impl Stocks for Vec<Animal> {
    fn map_stock(&self) -> Vec<i32> {
        self.iter().map(|animal| animal.stock).collect()
    }
}

#[test]
fn animal_clock_a_level_starts_anywhere_on_it() {
    let mut level = Level::default().starts_at((9, 7));
    level.animals[0] = ((9, 7), 3, 3, 2);
    let farm = level.build();
    let mut play = farm.play(0);
    // Sated in the steps one to three, whose ticks are the fourth, the fifth and the first.
    assert_eq!(play.after(COLLECT).item(PRODUCTS), 2.0);
    play.step(WAIT);
    assert_eq!(play.after(COLLECT).item(PRODUCTS), 3.0);
    play.steps(&[WAIT, WAIT]);
    assert_eq!(play.flag(), "hungry");
}

#[test]
fn mood_is_friendly_from_twenty_at_all_times() {
    for (relationship, expected) in [(0.0, "neutral"), (19.999, "neutral"), (20.0, "friendly"), (40.0, "friendly")] {
        let mut level = Level::default().starts_at((4, 7));
        level.villagers[0].1 = relationship;
        let farm = level.build();
        let mut play = farm.play(0);
        assert_eq!(play.flag(), expected, "{relationship}");
        play.step(WAIT);
        assert_eq!(play.flag(), expected, "{relationship}");
    }
    let mut level = Level::default().starts_at((4, 7));
    level.villagers[0].1 = 16.0;
    let farm = level.build();
    let mut play = farm.play(0);
    assert_eq!(play.flag(), "neutral");
    play.step(GIFT);
    assert_eq!(play.flag(), "friendly", "sixteen and four");
}

/// A counter that starts over at five never stands at five: an animal that a level or a rule put there would never give anything.
#[test]
fn animal_clock_a_counter_beyond_what_deposits_is_refused() {
    for (preset, ticks, is_right) in
        [(None, 4, true), (None, 5, false), (None, 7, false), (Some("autoenv_compat"), 7, true)]
    {
        let mut level = Level { preset, ..Level::default() };
        level.animals[1] = ((10, 7), 3, ticks, 0);
        let opened = farm_games::open("valley_farm", &level.options());
        assert_eq!(opened.is_ok(), is_right, "{preset:?}, {ticks} ticks");
        let Err(problems) = opened else { continue };
        let [problem] = &problems.0[..] else { panic!("{problems}") };
        assert_eq!(problem.path.to_string(), "fields.Field-0.entities[2].AnimalTiles.placed[1].ticks#nb");
        assert!(problem.message.contains("would never deposit"), "{problem}");
        assert_eq!(problem.expected.as_deref(), Some("an integer from 0 to 4"));
    }
    let by_rule =
        Level::default().set("rules.BasicRule.initial_conditions", "{Field-0: {AnimalTiles-0: {ticks#nb: [5]}}}");
    let problems = farm_games::open("valley_farm", &by_rule.options()).expect_err("the counter can't stand there");
    assert!(problems.to_string().contains("expected: a number from 0 to 4"), "{problems}");
}
