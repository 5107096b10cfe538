//! Games of the tests, built from few lines, and a score and an entity whose numbers are known beforehand.

use std::collections::BTreeMap;
use std::sync::Arc;

use farm_core::action::{ActionKind, Call};
use farm_core::config::{Document, Problems};
use farm_core::declare::{ValueKind, category, count, flag, real};
use farm_core::rng::Stream;
use farm_core::spec::load_document;
use farm_core::{Behaviour, Builder, Context, Entity, Environment, Game, Phase, Score, ScoreBehaviour, State};
use farm_games as _;
use farm_testkit::play::values;

/// The bits of every value of a state, by part and variable.
pub(crate) fn columns(game: &Game, state: &State) -> BTreeMap<String, Vec<u64>> {
    let reader = game.reader(state);
    let all = game.parts.iter().flat_map(|part| part.variables.iter().map(move |variable| (part, variable)));
    let bits = |variable| values(&reader, variable).into_iter().map(f64::to_bits).collect();
    all.map(|(part, variable)| (format!("{}.{}", part.path, variable.name), bits(variable))).collect()
}

farm_core::parameters! {
    /// Prices for looking and acting; each day is worth ten, and one more than the day before.
    pub struct PriceScore {
        /// Price of one number that is looked at.
        pub look: f64 = 0.0, "look", [0.0, 1e9];
        /// Prices of one number of the variables that cost something else.
        pub looks: BTreeMap<String, f64> = BTreeMap::new(), [0.0, 1e9];
        /// Price of an intervention.
        pub act: f64 = 0.0, "act", [0.0, 1e9];
    }
}

farm_core::register!(Score, PriceScore, "Prices that a test knows.", "test");

#[farm_core::typetag::serde]
impl Score for PriceScore {
    fn build(&self, _: &mut Builder<'_>) -> Box<dyn ScoreBehaviour> {
        Box::new(Prices { look: self.look, looks: self.looks.clone(), act: self.act })
    }
}

struct Prices {
    look: f64,
    looks: BTreeMap<String, f64>,
    act: f64,
}

impl Behaviour for Prices {}

impl ScoreBehaviour for Prices {
    fn intervention_cost(&self, _: &str, _: &str) -> f64 {
        self.act
    }

    fn observation_cost(&self, _: &str, variable: &str) -> f64 {
        self.looks.get(variable).copied().unwrap_or(self.look)
    }

    fn reward(&self, c: &mut Context<'_>) -> f64 {
        10.0 + f64::from(c.step())
    }
}

farm_core::parameters! {
    /// Variables of every kind that never change, so that conditions on them are known beforehand.
    pub struct Board {}
}

farm_core::register!(Entity, Board, "Variables that never change.", "test");

#[farm_core::typetag::serde]
impl Entity for Board {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        b.declare(real("level#nb", 0.0, 100.0, "A real for each plot.").per_plot());
        let marks = ValueKind::named(&["red", "green", "blue"]);
        b.declare(category("mark", marks, "A word for each plot.").per_plot());
        b.declare(count("number#nb", 0, 50, "A count."));
        b.declare(count("ahead#nb", 0, 50, "A count for today and the days ahead.").shape(&[4]));
        b.declare(real("pair.left#nb", 0.0, 9.0, "The first of a group."));
        b.declare(real("pair.right#nb", 0.0, 9.0, "The second of a group."));
        b.declare(flag("open", "A flag."));
        b.observable("seen#nb", ValueKind::Real { low: 0.0, high: 1.0 }, &[], "Computed when it is looked at.");
        b.runs_in(Phase::Account);
        Box::new(Still)
    }
}

struct Still;
impl Behaviour for Still {}

/// A game in few lines; what is left out is a farm of 3×1 plots with weather, soil and beans.
pub(crate) struct Sheet<'t> {
    /// Length and width of each field.
    pub fields: &'t [(usize, usize)],
    /// The entities of every field, as a YAML flow list.
    pub entities: &'t str,
    /// The farmers, as a YAML flow list.
    pub farmers: &'t str,
    /// What stands below `BasicRule:`, as a block.
    pub rules: &'t str,
    /// The score, in one line.
    pub score: &'t str,
    /// The interaction mode.
    pub mode: &'t str,
}

impl Default for Sheet<'_> {
    fn default() -> Self {
        Self {
            fields: &[(3, 1)],
            entities: "[{Weather: montpellier}, {Soil: loam}, {Plant: bean}]",
            farmers: "[{BasicFarmer: {max_daily_interventions: 5}}]",
            rules: "",
            score: "PriceScore: {look: 0.25, act: 1.0, looks: {wind.speed#km.h-1: 2.0}}",
            mode: "aomdp",
        }
    }
}

impl Sheet<'_> {
    pub(crate) fn text(&self) -> String {
        let fields: String = self
            .fields
            .iter()
            .enumerate()
            .map(|(i, (length, width))| {
                let entities = self.entities;
                format!(
                    "  Field-{i}:\n    shape: {{length#nb: {length}, width#nb: {width}}}\n    entities: {entities}\n"
                )
            })
            .collect();
        let rules = if self.rules.is_empty() { "max_steps: 100" } else { self.rules };
        let rules: String = rules.lines().map(|line| format!("    {line}\n")).collect();
        let Self { farmers, score, mode, .. } = self;
        format!(
            "name: sheet\nfields:\n{fields}farmers: {farmers}\nrules:\n  BasicRule:\n{rules}score:\n  {score}\n\
             interaction_mode: {mode}\n"
        )
    }

    /// The game, or all that is wrong with it, with its place.
    pub(crate) fn compiled(&self) -> Result<Game, Problems> {
        let document = Document::parse("sheet.yaml", &self.text())?;
        Game::new(load_document(&document)?).map_err(|problems| document.locate(problems))
    }

    pub(crate) fn game(&self) -> Game {
        self.compiled().unwrap_or_else(|problems| panic!("{problems}\n{}", self.text()))
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment::new(Arc::new(self.game()))
    }

    /// Requires that the game is refused with a problem at the line that holds `piece`, and returns it in words.
    pub(crate) fn refused_at(&self, piece: &str) -> String {
        let text = self.text();
        let Err(problems) = self.compiled() else { panic!("the game opens, though it is broken:\n{text}") };
        let lines: Vec<usize> = (1..).zip(text.lines()).filter(|(_, l)| l.contains(piece)).map(|(n, _)| n).collect();
        let [line] = lines.as_slice() else { panic!("`{piece}` stands in {} lines of\n{text}", lines.len()) };
        let shown = problems.to_string();
        assert!(shown.contains(&format!("sheet.yaml:{line}:")), "line {line} is not named:\n{shown}\n{text}");
        shown
    }
}

/// A random schedule of actions of one kind, of at most `most`.
pub(crate) fn random_calls(game: &Game, kind: ActionKind, most: usize, stream: &mut Stream) -> Vec<Call> {
    let of_kind = |call: &&Call| game.catalogue.base_actions[call.base()].kind() == kind;
    let calls: Vec<Call> = game.catalogue.calls.iter().filter(of_kind).copied().collect();
    let mut chosen = Vec::new();
    for _ in 0..stream.index(most as u32 + 1) {
        if !calls.is_empty() {
            chosen.push(calls[stream.index(calls.len() as u32) as usize]);
        }
    }
    chosen
}
