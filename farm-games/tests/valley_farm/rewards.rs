//! Rewards: exact, never negative, and the sum of what happened.

use farm_core::Stream;

use super::support::*;

#[test]
fn reward_of_each_kind() {
    let farm = Level::default().starts_at((7, 6)).build();
    let mut play = farm.play(0);
    assert_eq!(play.steps(&[PLANT, WATER, WATER, HARVEST]), [0.0, 0.0, 0.0, 0.1]);
    let farm = Level::default().starts_at((4, 7)).build();
    assert_eq!(farm.play(0).steps(&[GIFT, GIFT, GIFT, GIFT]), [2.0, 2.0, 2.0, 0.0]);
}

#[test]
fn reward_a_gift_near_the_cap_pays_only_what_is_gained() {
    let mut level = Level::default().starts_at((4, 7)).set("Field-0.NeighbourTiles-0.max_relationship#point", "41.5");
    level.villagers[0].1 = 35.0;
    let farm = level.build();
    let mut play = farm.play(0);
    // 35 → 39 → 41.5 → 41.5.
    assert_eq!(play.steps(&[GIFT, GIFT, GIFT]), [2.0, 1.25, 0.0]);
    assert_eq!(play.item(GIFTS), 0.0, "a gift at the cap is given all the same");
    assert_eq!(play.world().villagers[0].relationship, 41.5);
}

#[test]
fn reward_and_coins_of_a_sale_are_exact() {
    // Goods, relationships in thousandths, coins as a fraction: (crops + 2 products) · (300,000 + Σ r) / 300,000.
    let cases: [(i64, i64, [i64; 3]); 5] = [
        (2, 0, [0, 0, 0]),
        (2, 6, [12_000, 10_000, 40_000]),
        (1, 1, [1, 0, 0]),
        (7, 3, [39_999, 7, 12_345]),
        (0, 1, [40_000; 3]),
    ];
    for (crops, products, liked) in cases {
        let mut level = Level::default().starts_at((7, 8));
        level = level.item("crops", &crops.to_string()).item("products", &products.to_string());
        for (villager, liked) in level.villagers.iter_mut().zip(liked) {
            villager.1 = liked as f64 / 1000.0;
        }
        let farm = level.build();
        let mut play = farm.play(0);
        let numerator = (crops + 2 * products) * (300_000 + liked.iter().sum::<i64>());
        // One conversion of the exact fraction, one of the exact tenth of it.
        assert_eq!(play.step(SELL).reward, numerator as f64 / 3_000_000.0, "{crops} {products} {liked:?}");
        assert_eq!(play.item(COINS), numerator as f64 / 300_000.0);
        assert_eq!(play.world().ledger, [crops as f64, products as f64, numerator as f64 / 300_000.0]);
        assert_eq!((play.item(CROPS), play.item(PRODUCTS)), (0.0, 0.0));
        assert_eq!(play.after(SELL).state, play.after(WAIT).state, "nothing is left to sell");
    }
}

#[test]
fn reward_sales_one_after_the_other_add_up_exactly() {
    let level = Level { villagers: vec![((4, 7), 0.0), ((3, 9), 10.0), ((2, 11), 0.0)], ..Level::default() };
    let farm = level.starts_at((9, 7)).build();
    let mut play = farm.play(0);
    let mut sold = 0;
    for _ in 0..2 {
        play.step(FEED);
        play.steps(&[WAIT; 9]);
        play.step(COLLECT);
        play.walk((7, 8));
        play.step(SELL);
        sold += 2;
        play.walk((9, 7));
    }
    // A product is worth 2 · 31/30 coins, which no binary number is.
    assert_eq!(play.item(COINS), f64::from(sold * 2 * 31) / 30.0);
    assert_eq!(play.world().ledger[1], f64::from(sold));
}

#[test]
fn reward_is_never_negative_and_sums_to_the_exact_value_of_what_happened() {
    let farm = Farm::shipped();
    for seed in 0..500 {
        let mut play = farm.play(seed);
        let before = play.world();
        let mut stream = Stream::from_seed(seed);
        let (mut total, mut harvests, mut products) = (0.0, 0.0, 0.0);
        for _ in 0..50 {
            let world = play.world();
            let reward = play.step(busy_action(&mut stream, &world, seed)).reward;
            assert!(reward >= 0.0, "seed {seed}");
            total += reward;
            harvests += (play.item(CROPS) - world.inventory[CROPS]).max(0.0);
            products += (play.item(PRODUCTS) - world.inventory[PRODUCTS]).max(0.0);
        }
        let after = play.world();
        let liked = |world: &World| world.villagers.iter().map(|v| v.relationship).sum::<f64>();
        let gained = liked(&after) - liked(&before);
        let expected = 0.1 * harvests + 0.2 * products + 0.5 * gained + 0.1 * after.inventory[COINS];
        assert!((total - expected).abs() < 1e-9, "seed {seed}: {total}, {expected}");
    }
}
