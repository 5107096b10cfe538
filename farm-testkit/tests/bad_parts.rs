//! Parts that are wrong in one way each, and what the kit says of them.

use std::cell::Cell;
use std::sync::atomic::{AtomicI32, Ordering};

use farm_core::declare::{Labels, Own, ValueKind, category, count, flag, real};
use farm_core::{Behaviour, Bind, Context, Declarations, Entity, Phase, Purpose, Stream, hash_name};
use farm_roles::{WATER_DEMAND, WATER_SHARE};
use farm_testkit::{Defect, Kit, Report, check_entity};

/// Declares an entity without parameters: what it declares, in one closure, and what it does each day, in another.
macro_rules! entity {
    ($name:ident, |$d:ident| $declare:expr, |$self:ident, $c:ident| $day:expr) => {
        /// A part that is there to be checked.
        #[derive(Debug, Clone, farm_core::Parameters)]
        pub struct $name {}

        #[farm_core::register(source = "Tests of the kit")]
        impl Entity for $name {
            fn declare(&self, $d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
                $d.runs_in(Phase::Develop);
                let (number, key) = $declare;
                Bind::new(move |found| behaviours::$name { number: found.get(number), key })
            }
        }

        impl Behaviour for behaviours::$name {
            fn tick(&$self, _: Phase, $c: &mut Context<'_>) {
                $day
            }
        }
    };
}

mod behaviours {
    use farm_core::Column;

    macro_rules! behaviours {
        // Not every one of them uses both.
        ($($name:ident)+) => { $(#[allow(dead_code, reason = "a part may have more than it uses")] pub(crate) struct $name { pub number: Column<f64>, pub key: u64 })+ };
    }

    behaviours! {
        Honest Untold Overflowing Spoiling Remembering PerEpisode PerThread ByPosition OwnKey Unseeded Pretending Panicking Loud
        Twofold Unnamed Drowsy Negative Meddling Permitted
    }
}

const CHANCE: Purpose = Purpose::named("chance");

fn number(d: &mut Declarations<'_>) -> Own<f64> {
    d.variable(real("number#kg", 0.0, 1.0, "A number of each plot.").per_plot())
}

entity!(Honest, |d| (number(d), d.stream_key()), |self, c| {
    let mut stream = c.stream(self.key, CHANCE);
    c.get(self.number).iter().for_each(|number| number.set(stream.uniform()));
});

entity!(Untold, |d| (d.variable(real("number#furlong", 0.0, 1.0, "a number")), 0), |self, c| {
    c.get(self.number)[0].set(0.5);
});

entity!(Overflowing, |d| (number(d), 0), |self, c| {
    let third = &c.get(self.number)[3];
    third.set(third.get() + 0.25);
});

entity!(Spoiling, |d| (number(d), 0), |self, c| {
    if c.step() == 4 {
        c.get(self.number)[2].set(f64::NAN);
    }
});

static DAYS: AtomicI32 = AtomicI32::new(0);

entity!(Remembering, |d| (number(d), 0), |self, c| {
    let days = DAYS.fetch_add(1, Ordering::Relaxed) % 1000;
    c.get(self.number)[1].set(f64::from(days) / 1000.0);
});

static TODAY: AtomicI32 = AtomicI32::new(0);

// A memory that begins anew with each episode shows only where two are played in turns.
entity!(PerEpisode, |d| (number(d), 0), |self, c| {
    let today = if c.step() == 0 { 0 } else { TODAY.load(Ordering::Relaxed) };
    TODAY.store(today + 1, Ordering::Relaxed);
    c.get(self.number)[0].set(f64::from(today % 100) / 100.0);
});

thread_local! { static HERE: Cell<u32> = const { Cell::new(0) }; }

entity!(PerThread, |d| (number(d), 0), |self, c| {
    HERE.set((HERE.get() + 1) % 77);
    c.get(self.number)[0].set(f64::from(HERE.get()) / 77.0);
});

/// A part whose key depends on its position.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ByPosition {}

#[farm_core::register(source = "Tests of the kit")]
impl Entity for ByPosition {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        d.runs_in(Phase::Develop);
        let (number, key) = (number(d), d.stream_key());
        Bind::new(move |found| {
            let position = found.parts().iter().position(|part| part.path() == found.part().path()).unwrap_or(0);
            behaviours::ByPosition { number: found.get(number), key: key & 1 | (position as u64) << 1 }
        })
    }
}

impl Behaviour for behaviours::ByPosition {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        c.get(self.number)[0].set(c.stream(self.key, CHANCE).uniform());
    }
}

entity!(OwnKey, |d| (number(d), hash_name("my own key")), |self, c| {
    c.get(self.number)[0].set(Stream::keyed(c.seed(), self.key, c.step(), CHANCE).uniform());
});

entity!(Unseeded, |d| (number(d), d.stream_key()), |self, c| {
    c.get(self.number)[0].set(Stream::keyed(42, self.key, c.step(), CHANCE).uniform());
});

entity!(Pretending, |d| (number(d), d.stream_key()), |self, c| {
    let _ = c.stream(self.key, CHANCE);
});

entity!(Panicking, |d| (number(d), 0), |self, c| {
    assert!(c.step() < 5, "day five was not foreseen");
});

entity!(Loud, |d| (number(d), 0), |self, c| {
    c.get(self.number)[0].set(1.0);
    if let Some(shout) = c.events().first().map(|event| event.id) {
        c.emit(shout, 0, 1.0);
    }
});

entity!(
    Twofold,
    |d| {
        d.variable(count("number#kg", 0, 1, "A number of the field."));
        (number(d), 0)
    },
    |self, c| c.get(self.number)[0].set(0.0)
);

entity!(
    Unnamed,
    |d| {
        let labels = ValueKind::Category(vec![Labels::Named(vec!["left".into(), "right".into(), "left".into()])]);
        d.variable(category("side", labels, "Which side it is on."));
        d.event("shout", 0, "It shouts.");
        d.action("shoo", Vec::new(), "");
        (number(d), 0)
    },
    |self, c| c.get(self.number)[0].set(0.0)
);

// It says that it rests from the start, and would count the days.
entity!(
    Drowsy,
    |d| {
        let awake = d.variable(flag("awake", "Whether it is awake.").hidden());
        d.sleeps_unless(awake);
        (number(d), 0)
    },
    |self, c| c.get(self.number)[0].set(f64::from(c.step() + 1) / 1000.0)
);

entity!(
    Negative,
    |d| (d.variable(real("need#L.day-1", -10.0, 1.0, "Water that it asks for.").per_plot().role(WATER_DEMAND)), 0),
    |self, c| c.get(self.number)[0].set(-10.0)
);

entity!(Meddling, |d| (d.one(WATER_SHARE), 0), |self, c| c.get(self.number)[1].set(0.25));

entity!(
    Permitted,
    |d| {
        d.writes(WATER_SHARE);
        (d.one(WATER_SHARE), 0)
    },
    |self, c| c.get(self.number)[1].set(0.25)
);

/// Parameters that nobody has checked.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Loose {
    /// how heavy
    #[parameter(name = "weight#kg", default = 3.0, range = 0.0..=2.0)]
    pub weight_kg: f64,
    /// How many there are.
    #[parameter(default = 1)]
    pub many: u32,
}

#[farm_core::register(source = "Tests of the kit")]
impl Entity for Loose {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::new(|_| Nothing)
    }
}

struct Nothing;

impl Behaviour for Nothing {}

fn report(config: &str) -> Report {
    check_entity(config).expect_err("the kit finds fault with it")
}

/// The defects of a check, at least one.
fn found(config: &str, check: &str) -> Vec<Defect> {
    let report = report(config);
    let found: Vec<Defect> = report.defects.iter().filter(|defect| defect.check == check).cloned().collect();
    assert!(!found.is_empty(), "{report}");
    found
}

#[test]
fn an_honest_part_passes() {
    check_entity("Honest").unwrap();
    check_entity("Honest: {}").unwrap();
}

#[test]
fn what_is_not_told_is_found() {
    let defects = found("Untold", "documented");
    let words = ["no full stop", "unit behind `#` is unknown"];
    for word in words {
        assert!(
            defects.iter().any(|d| d.message.contains(word) && d.variable.as_deref() == Some("number#furlong")),
            "{word}"
        );
    }
    let lenient = Kit::default().unit("furlong").entity("Untold").expect_err("the sentence is still none");
    assert!(!lenient.to_string().contains("is unknown"), "{lenient}");
}

#[test]
fn parameters_are_looked_at() {
    let defects = found("Loose", "documented");
    for word in ["no full stop", "lies outside 0 to 2", "a number without a range"] {
        assert!(defects.iter().any(|defect| defect.message.contains(word)), "{word}: {defects:?}");
    }
}

#[test]
fn categories_events_and_actions_are_looked_at() {
    let report = report("Unnamed").to_string();
    for word in [
        "variable `side` of `Field-0.Unnamed-0` has two values called `left`",
        "event `shout` of `Field-0.Unnamed-0` has an invalid maximum per step",
        "action `shoo` of `Field-0.Unnamed-0` has no description",
    ] {
        assert!(report.contains(word), "{word}: {report}");
    }
}

#[test]
fn a_name_that_stands_for_two_things_is_found() {
    assert!(report("Twofold").to_string().contains("declared twice"));
}

#[test]
fn a_variable_that_leaves_the_range_of_its_role_is_refused() {
    let defects = found("Negative", "config");
    let told = &defects[0].message;
    for part in [
        "variable `need#L.day-1` of `Field-0.Negative-0`: role `water_demand` requires values of 0 or more",
        "found: -10 … 1",
        "expected: a range within 0 … ∞",
        "`farm describe water_demand`",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn who_changes_what_another_keeps_without_saying_so_is_found() {
    let defects = found("Meddling", "writes");
    assert_eq!(
        (defects[0].part.as_str(), defects[0].variable.as_deref()),
        ("Field-0.Meddling-0", Some("share_Water#prop"))
    );
    assert!(defects[0].message.contains("`Field-0.Soil-0`") && defects[0].message.contains("`water_share`"));
    assert_eq!(check_entity("Permitted").map_err(|report| report.to_string()), Ok(()));
}

#[test]
fn a_value_out_of_its_range_is_found_with_its_place() {
    let defects = found("Overflowing", "range");
    let place = (defects[0].part.as_str(), defects[0].variable.as_deref(), defects[0].entry, defects[0].step);
    assert_eq!(place, ("Field-0.Overflowing-0", Some("number#kg"), Some(3), Some(5)));
    assert_eq!((defects.len(), defects[0].value.as_deref(), defects[0].seed), (1, Some("1.25"), Some(0)));
    assert!(defects[0].more > 100, "the others are counted");
    found("Overflowing", "space");
}

#[test]
fn a_number_that_is_none_is_found_with_its_place() {
    let defects = found("Spoiling", "finite");
    let place = (defects[0].part.as_str(), defects[0].variable.as_deref(), defects[0].entry, defects[0].step);
    assert_eq!(place, ("Field-0.Spoiling-0", Some("number#kg"), Some(2), Some(5)));
    assert_eq!(defects[0].value.as_deref(), Some("NaN"));
}

#[test]
fn every_hidden_memory_is_found_with_the_variable_that_shows_it() {
    for (config, how) in [
        ("Remembering", "the second time"),
        ("PerEpisode", "when it alternates with another one"),
        ("PerThread", "on another thread"),
    ] {
        let defects = found(config, "same seed");
        let defect = defects.iter().find(|defect| defect.message.contains(how)).expect(how);
        assert_eq!(
            (defect.part.as_str(), defect.variable.as_deref()),
            (&*format!("Field-0.{config}-0"), Some("number#kg"))
        );
    }
}

#[test]
fn a_key_that_depends_on_the_position_is_found() {
    let defects = found("ByPosition", "spectator");
    assert_eq!(defects[0].part, "Field-0.ByPosition-0");
    assert!(defects[0].message.contains("is before the others"));
}

#[test]
fn who_draws_without_a_key_of_its_own_or_says_so_without_drawing_is_found() {
    assert!(found("OwnKey", "draws")[0].message.contains("its seed changes a day"));
    for config in ["Unseeded", "Pretending"] {
        assert!(found(config, "draws")[0].message.contains("none of 6 other seeds"), "{config}");
    }
    Kit::default().draws_nothing().entity("Pretending").unwrap();
}

#[test]
fn a_panic_is_a_defect_and_ends_nothing_but_the_check() {
    let defects = found("Panicking", "panic");
    assert!(defects[0].message.contains("day five was not foreseen"));
    assert_eq!((defects[0].seed, defects[0].step), (Some(0), Some(5)));
}

#[test]
fn who_rests_and_would_do_something_is_found() {
    let defects = found("Drowsy: {}", "rest");
    assert_eq!((defects[0].seed, defects[0].step), (Some(0), Some(0)), "{defects:?}");
}

#[test]
fn more_events_than_declared_are_found() {
    // An echo of the events of others, which are none of its own.
    let echo = "
name: echo
doc: Somebody who repeats what others say.
fields: {Field-0: {entities: [Weather: montpellier, Soil: clay, Plant: bean, Loud]}}
farmers: [BasicFarmer]
rules: {BasicRule: {initial_conditions: {Field-0: {Weather-0: {day#int365: 120}, Plant-0: {stage: seed}}}, max_steps: 90}}
score: BasicScore
";
    let kit = Kit::default().in_game(echo).steps(90);
    let report = kit.entity("Loud").expect_err("it emits another's event a second time");
    assert!(report.defects.iter().any(|defect| defect.check == "events"), "{report}");
}

#[test]
fn what_is_no_part_is_refused_with_the_way_out() {
    for (config, word) in [
        ("NoSuchThing", "no entity `NoSuchThing` is registered"),
        ("{a: 1, b: 2}", "`Kind: {parameter: value}`"),
        ("[", "not YAML"),
        ("Honest: {weight: 3}", "unknown parameter `weight`"),
    ] {
        let report = report(config);
        assert!(report.to_string().contains(word), "{word}: {report}");
    }
    let report = farm_testkit::check_game("no_such_game").expect_err("there is none");
    assert!(report.to_string().contains("there is no game `no_such_game`"), "{report}");
}

#[test]
fn a_report_reads_well() {
    let report = report("Overflowing");
    assert_eq!(format!("{report:?}").trim_start(), report.to_string());
    let first = report.to_string().lines().take(2).map(str::to_owned).collect::<Vec<_>>().join("\n");
    assert_eq!(
        first,
        "`Overflowing` has 4 defects:\n  range         Field-0.Overflowing-0 `number#kg` entry 3, seed 0, step 5, value 1.25: \
         outside its declared range 0 to 1 (and 167 more like it)"
    );
}
