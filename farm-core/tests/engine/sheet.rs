//! Games of the tests, built from few lines, and a score whose numbers are known beforehand.
//!
//! The tests of farm-games read this file too: there, the kinds that a sheet names are the project's own.

use std::collections::BTreeMap;
use std::sync::Arc;

use farm_core::action::Allowed;
use farm_core::config::{Document, Problems};
use farm_core::spec::load_document;
use farm_core::{ActionKind, Behaviour, Bind, Context, Declarations, Environment, Game, Score, ScoreBehaviour};

/// Prices that a test knows.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PriceScore {
    /// Price of one number that is looked at.
    #[parameter(range = 0.0..=1e9)]
    pub look: f64,
    /// Prices of one number of the variables that cost something else.
    #[parameter(range = 0.0..=1e9)]
    pub looks: BTreeMap<String, f64>,
    /// Price of an intervention.
    #[parameter(range = 0.0..=1e9)]
    pub act: f64,
}

#[farm_core::register(source = "test")]
impl Score for PriceScore {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn ScoreBehaviour> {
        Bind::new(|_| Prices { look: self.look, looks: self.looks.clone(), act: self.act })
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

/// The numbers of discrete and of continuous interventions that the rules allow. An intervention with a continuous parameter counts once per
/// combination of its other parameters, as in the Farm-gym paper (3.1.3).
pub(crate) fn intervention_counts(game: &Game) -> (usize, usize) {
    let (mut discrete, mut continuous) = (0, 0);
    for base in game.catalogue().base_actions().iter().filter(|base| base.kind() == ActionKind::Intervention) {
        let is_range = |allowed: &Allowed| matches!(allowed, Allowed::Range { .. });
        let values = base.parameters().iter().filter_map(|allowed| match allowed {
            Allowed::Values(values) => Some(values.len()),
            Allowed::Range { .. } => None,
        });
        let combinations: usize = values.product();
        *if base.parameters().iter().any(is_range) { &mut continuous } else { &mut discrete } += combinations;
    }
    (discrete, continuous)
}
