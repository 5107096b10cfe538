//! What a part may declare: a game with a part that declares nonsense is refused, whoever wrote the part.

use std::sync::Arc;

use farm_core::config::Problems;
use farm_core::declare::{ActionParameter, EventId, Labels, ObservableInfo, ValueKind, category, count, flag, real};
use farm_core::spec::load;
use farm_core::{Behaviour, Bind, Context, Declarations, Entity, Environment, Game, Phase, StepError};

/// A part that declares nonsense.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct TestDeclarer {
    /// Which nonsense.
    pub wrong: String,
    /// How many events it tells of in a day.
    #[parameter(unit = "nb", range = 0..=100_000)]
    pub shouts: u32,
}

#[farm_core::register(source = "Tests of the platform")]
impl Entity for TestDeclarer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        const DOC: &str = "A number of the field.";
        let named = |name: &str| real(name, 0.0, 1.0, DOC);
        let words = |words: &[&str]| category("side", ValueKind::named(words), DOC);
        let amount = |low: f64, high: f64, offered: &[f64]| {
            vec![ActionParameter::real("amount#L", low, high, offered, "How much.")]
        };
        match self.wrong.as_str() {
            "name" => drop(d.variable(named("x y.[3]\n"))),
            "empty name" => drop(d.variable(named("#L"))),
            "two units" => drop(d.variable(named("x#L#kg"))),
            "long name" => drop(d.variable(named(&"x".repeat(201)))),
            "turned name" => drop(d.variable(named("x\u{202e}y"))),
            "twice" => drop((d.variable(named("x")), d.variable(named("x")))),
            "sentence" => drop(d.variable(real("x", 0.0, 1.0, " "))),
            "upside down" => drop(d.variable(real("x", 1.0, 0.0, DOC))),
            "not a number" => drop(d.variable(real("x", f64::NAN, 1.0, DOC))),
            "upside down count" => drop(d.variable(count("x", 1, 0, DOC))),
            "default" => drop(d.variable(named("x").default(5.0))),
            "default not a number" => drop(d.variable(named("x").default(f64::NAN))),
            "default of a count" => drop(d.variable(count("x", 0, 3, DOC).default(0.5))),
            "default of a flag" => drop(d.variable(flag("x", DOC).default(2.0))),
            "default of a category" => drop(d.variable(words(&["left", "right"]).default(2.0))),
            "no word" => drop(d.variable(words(&[]))),
            "no list" => drop(d.variable(category("side", ValueKind::Category(Vec::new()), DOC))),
            "word twice" => drop(d.variable(words(&["left", "left"]))),
            "many words" => {
                d.variable(category("side", ValueKind::Category(vec![Labels::Numbered(300)]), DOC));
            }
            "kind" => drop(d.variable(category("x", ValueKind::Real { low: 0.0, high: 1.0 }, DOC))),
            "large" => drop(d.variable(named("z#nb").shape(&[100_000, 100_000]))),
            "larger" => drop(d.variable(named("z#nb").shape(&[usize::MAX, 3]))),
            "large in all" => {
                for i in 0..7 {
                    d.variable(named(&format!("z{i}")).shape(&[99_999_999]));
                }
            }
            "large observable" => drop(d.observable("z", ValueKind::Flag, &[1 << 40, 1 << 40], DOC)),
            "no copy" => {
                let column = d.variable(named("x"));
                d.observable_with(ObservableInfo::new("y", ValueKind::Flag, &[2], DOC).copying(column));
            }
            "action" => drop(d.action("", Vec::new(), "It acts.")),
            "action twice" => drop((d.action("act", Vec::new(), "It acts."), d.action("act", Vec::new(), "It acts."))),
            "action without a sentence" => drop(d.action("act", Vec::new(), "")),
            "parameter twice" => {
                d.action("act", vec![ActionParameter::plot(), ActionParameter::plot()], "It acts.");
            }
            "parameter upside down" => drop(d.action("act", amount(1.0, 0.0, &[1.0]), "It acts.")),
            "offer" => drop(d.action("act", amount(0.0, 1.0, &[2.0]), "It acts.")),
            "no offer" => drop(d.action("act", amount(0.0, 1.0, &[]), "It acts.")),
            "no choice" => {
                d.action("act", vec![ActionParameter::choice("how", &[], "How it acts.")], "It acts.");
            }
            "choice twice" => {
                d.action("act", vec![ActionParameter::choice("how", &["so", "so"], "How it acts.")], "It acts.");
            }
            "event" => drop(d.event("a shout", 1, "It shouts.")),
            "event never" => drop(d.event("yell", 0, "It yells.")),
            "event too often" => drop(d.event("yell", usize::MAX / 2, "It yells.")),
            "events too often" => {
                for i in 0..3 {
                    d.event(&format!("yell_{i}"), 20_000_000, "It yells.");
                }
            }
            "" => {}
            other => panic!("nobody knows the nonsense `{other}`"),
        }
        d.runs_in(Phase::Account);
        let shout = d.event("shout", 2, "It shouts.");
        Bind::new(move |found| Shouting { shout: found.get(shout), shouts: self.shouts })
    }
}

struct Shouting {
    shout: EventId,
    shouts: u32,
}

impl Behaviour for Shouting {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        (0..self.shouts).for_each(|i| c.emit(self.shout, 1_000_000_000, f64::from(i)));
    }
}

fn compiled(declarer: &str) -> Result<Game, Problems> {
    let entities = format!("[{{Weather: montpellier}}, {{TestDeclarer: {declarer}}}]");
    let text = format!(
        "name: declared\nfields: {{Field-0: {{entities: {entities}}}}}\nfarmers: [BasicFarmer]\n\
         rules: {{BasicRule: {{max_steps: 5}}}}\nscore: PriceScore\n"
    );
    load("declared.yaml", &text).and_then(Game::new)
}

#[test]
fn nonsense_that_a_part_declares_is_refused_with_what_it_is() {
    for (wrong, said) in [
        ("name", "variable `x y.[3]\\n` of `Field-0.TestDeclarer-0` has an invalid name"),
        ("empty name", "variable `#L` of `Field-0.TestDeclarer-0` has an invalid name"),
        ("two units", "has an invalid name"),
        ("long name", "has an invalid name"),
        ("turned name", "variable `x\\u{202e}y` of"),
        ("twice", "variable `x` of `Field-0.TestDeclarer-0` is declared twice"),
        ("sentence", "has no description"),
        ("upside down", "found: 1 to 0"),
        ("not a number", "variable `x` of `Field-0.TestDeclarer-0` has an invalid range"),
        ("upside down count", "found: 1 to 0"),
        ("default", "found: 5\n      expected: a number from 0 to 1"),
        ("default not a number", "found: NaN\n      expected: a number from 0 to 1"),
        ("default of a count", "found: 0.5\n      expected: an integer from 0 to 3"),
        ("default of a flag", "found: 2\n      expected: an integer from 0 to 1"),
        ("default of a category", "found: 2\n      expected: an integer from 0 to 1"),
        ("no word", "is a category without values"),
        ("no list", "is a category without values"),
        ("word twice", "has two values called `left`"),
        ("many words", "found: 300\n      expected: at most 256"),
        ("kind", "variable `x` of `Field-0.TestDeclarer-0` is stored as bytes, but its values are not"),
        ("large", "variable `z#nb` of `Field-0.TestDeclarer-0` has 10000000000 values"),
        ("larger", "found: 18446744073709551615 × 3\n      expected: at most 100000000 values"),
        ("large in all", "a state of this game would have 5.6 GB"),
        ("large observable", "has more than 10¹⁹ values"),
        ("no copy", "`y` of `Field-0.TestDeclarer-0` is not a copy of the column that it shows"),
        ("action", "action `` of `Field-0.TestDeclarer-0` has an invalid name"),
        ("action twice", "action `act` of `Field-0.TestDeclarer-0` is declared twice"),
        ("action without a sentence", "action `act` of `Field-0.TestDeclarer-0` has no description"),
        ("parameter twice", "action `act`: parameter `plot` of `Field-0.TestDeclarer-0` is declared twice"),
        ("parameter upside down", "found: 1 to 0"),
        ("offer", "found: 2\n      expected: numbers from 0 to 1"),
        ("no offer", "offers no value"),
        ("no choice", "has no choices"),
        ("choice twice", "found: \"so\""),
        ("event", "event `a shout` of `Field-0.TestDeclarer-0` has an invalid name"),
        ("event never", "found: 0\n      expected: a number from 1 to 50000000"),
        ("event too often", "expected: a number from 1 to 50000000"),
        ("events too often", "found: 60000002\n      expected: at most 50000000 in total"),
    ] {
        let Err(problems) = compiled(&format!("{{wrong: {wrong}}}")) else { panic!("`{wrong}` is accepted") };
        let shown = problems.to_string();
        assert!(shown.contains(said), "{wrong}: `{said}` is missing in\n{shown}");
    }
}

#[test]
fn a_part_that_tells_of_more_than_it_declares_is_stopped_before_the_record_grows_without_end() {
    let mut environment = Environment::new(Arc::new(compiled("{shouts#nb: 2}").unwrap()));
    environment.reset(1);
    environment.step(&[]).unwrap();
    let place =
        farm_core::inspect::event_place(environment.game(), environment.record().events()[0].id.index(), 1_000_000_000);
    assert_eq!(place, "#1000000000", "not a plot of the field");
    let game = Arc::new(compiled("{shouts#nb: 100000}").unwrap());
    let mut environment = Environment::new(game);
    environment.reset(1);
    let Err(error) = environment.step(&[]) else { panic!("100000 events where 2 were declared") };
    let StepError::TooManyEvents(found) = &error else { panic!("{error}") };
    assert_eq!(
        (found.part(), found.found(), found.per_step(), found.step()),
        ("Field-0.TestDeclarer-0", 100_000, 2, 1)
    );
    assert!(matches!(environment.step(&[]), Err(StepError::Over { .. })), "the episode is over");
}
