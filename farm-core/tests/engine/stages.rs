//! The stages of compiling: each part declares once or twice, and is bound once, when all declarations are known.

use std::cell::Cell;
use std::sync::Arc;

use farm_core::config::Problems;
use farm_core::declare::{ValueKind, category, count};
use farm_core::spec::load;
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Entity, Environment, Game, Phase, Role};

const GUESTS: Role<i32> = Role::scalar("test_guests", "nb", "Guests of an inn.");
const HOSTS: Role<i32> = Role::scalar("test_hosts", "nb", "Hosts of an inn.");
const LATE: Role<i32> = Role::scalar("test_late", "nb", "What comes late.");

thread_local! {
    /// How many inns have declared, and how many have been bound.
    static CALLS: Cell<[usize; 2]> = const { Cell::new([0, 0]) };
}

/// Declares guests at once, and a seat for each inn in a second declaration.
#[derive(Debug, Clone, farm_core::Parameters)]
struct Inn {
    /// Whether the seats provide a role.
    pub provides: bool,
    /// Whether the seats depend on that role.
    pub looks_up: bool,
    /// Whether it needs a role without a provider.
    pub needs: bool,
}

#[farm_core::register(source = "test")]
impl Entity for Inn {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        CALLS.with(|calls| calls.update(|[declared, bound]| [declared + 1, bound]));
        let guests = d.variable(count("guests#nb", 0, 9, "Guests.").role(GUESTS).default(2.0));
        let mood = d.variable(category("mood", ValueKind::named(&["calm"]), "The mood."));
        let all = d.all(GUESTS);
        let missing = self.needs.then(|| (d.one(LATE), d.one(HOSTS)));
        d.runs_in(Phase::Visit);
        Bind::after(move |d, known| {
            let inns = known.declarations(GUESTS);
            let most = inns.iter().map(|(_, guests)| guests.kind().range().1 as i32).sum();
            let seats = count("seats#nb", 0, most, "Seats.");
            let seats = d.variable(if self.provides { seats.role(LATE) } else { seats });
            let names: Vec<&str> = ["calm"].into_iter().chain(inns.iter().map(|(part, _)| part.name())).collect();
            d.set_kind(mood, ValueKind::named(&names));
            assert!(inns.iter().all(|(part, _)| part.variables().len() == 2), "only first declarations are known");
            if self.looks_up {
                assert!(known.declaration(LATE).is_none());
            }
            Bind::new(move |found| {
                CALLS.with(|calls| calls.update(|[declared, bound]| [declared, bound + 1]));
                assert!(found.named(all).iter().all(|(part, ..)| part.variables().len() == 3));
                assert!(missing.map(|roles| found.get(roles)).is_none(), "an unmet need is not bound");
                let inns = found.named(all).into_iter().map(|(part, ..)| part.path().to_owned()).collect();
                Open { guests: found.get(guests), seats: found.get(seats), all: found.get(all), inns }
            })
        })
    }
}

struct Open {
    guests: Column<i32>,
    seats: Column<i32>,
    all: Vec<Column<i32>>,
    inns: Vec<String>,
}

impl Behaviour for Open {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let guests: i32 = self.all.iter().map(|column| c.value(*column)).sum();
        c.get(self.seats)[0].set(guests * self.inns.len() as i32);
        c.get(self.guests)[0].update(|guests| guests + 1);
    }
}

fn compiled(inns: &[&str]) -> Result<Game, Problems> {
    let entities: Vec<String> = inns.iter().map(|inn| format!("{{Inn: {{{inn}}}}}")).collect();
    let text = format!(
        "name: stages\nfields: {{Field-0: {{entities: [{}]}}}}\nfarmers: [BasicFarmer]\n\
         rules: {{BasicRule: {{max_steps: 5}}}}\nscore: PriceScore\n",
        entities.join(", ")
    );
    load("stages.yaml", &text).and_then(Game::new)
}

#[test]
fn each_part_declares_once_and_is_bound_once() {
    CALLS.set([0, 0]);
    let game = compiled(&["", ""]).unwrap();
    assert_eq!(CALLS.get(), [2, 2]);
    // The places in the state follow the order of the parts, also for second declarations.
    let of = |part: usize, variable: usize| game.parts()[part].variables()[variable].column::<i32>().unwrap();
    let state = game.new_state();
    let reader = game.reader(&state);
    assert_eq!([reader.get(of(0, 0))[0], reader.get(of(0, 2))[0], reader.get(of(1, 0))[0]], [2, 0, 2]);
    let seats = game.parts()[1].variables()[2].kind().range();
    assert_eq!(seats, (0.0, 18.0), "the range depends on both inns");
    let mood = game.parts()[0].variables()[1].kind().clone();
    assert_eq!(mood, ValueKind::named(&["calm", "Inn-0", "Inn-1"]));
    let mut environment = Environment::new(Arc::new(game));
    environment.step(&[]).unwrap();
    let game = environment.game();
    let reader = game.reader(environment.state());
    let of = |part: usize, variable: usize| game.parts()[part].variables()[variable].column::<i32>().unwrap();
    assert_eq!([reader.get(of(0, 2))[0], reader.get(of(1, 2))[0]], [8, 10]);
}

#[test]
fn a_role_that_comes_too_late_is_refused() {
    let problems = compiled(&["provides: true", "looks_up: true"]).map(drop).unwrap_err().to_string();
    let said =
        "`Field-0.Inn-0` provides the role `test_late` too late: the declarations of `Field-0.Inn-1` depend on it";
    assert!(problems.contains(said), "{problems}");
    // A part that only needs the role finds it.
    assert!(compiled(&["provides: true", ""]).is_ok());
}

#[test]
fn all_unmet_needs_are_reported_together() {
    let problems = compiled(&["needs: true", "needs: true"]).map(drop).unwrap_err();
    let told = problems.to_string();
    for inn in ["Inn-0", "Inn-1"] {
        assert!(told.contains(&format!("`Field-0.{inn}` needs the roles `test_late`, `test_hosts`")), "{told}");
    }
}
