//! Games to test in, and how to look into them.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::config::{Origin, PartKind, Source, Trust};
use farm_core::declare::VariableInfo;
use farm_core::registry::kind;
use farm_core::spec::load_document;
use farm_core::{Environment, Game, Outcome};
use farm_games::{Options, open};

pub(crate) const NUTRIENTS: [&str; 4] = ["N", "P", "K", "C"];

/// A field with some entities, in flow YAML, and no end of the game. They play the paper's equations, as the sheet corrects them, where
/// they do not say otherwise.
#[derive(Clone)]
pub(crate) struct Scenario {
    shape: (usize, usize, f64),
    latitude: f64,
    entities: Vec<String>,
    initial: String,
}

impl Scenario {
    /// One plot of 1 m² without entities.
    pub(crate) fn new() -> Self {
        Self { shape: (1, 1, 1.0), latitude: 43.61, entities: Vec::new(), initial: "{}".into() }
    }

    /// Plots from west to east and from north to south.
    pub(crate) fn plots(mut self, length: usize, width: usize) -> Self {
        (self.shape.0, self.shape.1) = (length, width);
        self
    }

    /// Edge of a plot.
    pub(crate) fn scale(mut self, scale_m: f64) -> Self {
        self.shape.2 = scale_m;
        self
    }

    /// Latitude of the field.
    pub(crate) fn at(mut self, latitude: f64) -> Self {
        self.latitude = latitude;
        self
    }

    /// Adds an entity.
    pub(crate) fn with(mut self, entity: impl Into<String>) -> Self {
        self.entities.push(entity.into());
        self
    }

    /// Initial conditions of the field.
    pub(crate) fn initially(mut self, initial: impl Into<String>) -> Self {
        self.initial = initial.into();
        self
    }

    pub(crate) fn build(&self) -> World {
        World::of(self.game().unwrap_or_else(|problems| panic!("{problems}")))
    }

    /// The game, or its problems and its text.
    pub(crate) fn game(&self) -> Result<Game, String> {
        let (length, width, scale) = self.shape;
        let entities: String = self.entities.iter().map(|entity| format!("      - {entity}\n")).collect();
        let text = format!(
            "name: scenario\nfields:\n  Field-0:\n    shape: {{length#nb: {length}, width#nb: {width}, scale#m: {scale}}}\n    \
             localization: {{latitude#°: {}}}\n{}    entities:\n{entities}farmers:\n  - BasicFarmer: {{max_daily_interventions: 100}}\n\
             rules:\n  BasicRule:\n    initial_conditions: {{Field-0: {}}}\n    max_action_schedule_size: 100\n    actions:\n{}score: BasicScore\n",
            self.latitude,
            if self.is_agronomic() { "" } else { corrected_equations(self.entities.iter().map(String::as_str)) },
            self.start(),
            self.actions()
        );
        // The tables of a scenario lie in folders of their own.
        let source = Source::new("scenario.yaml", &text).with_trust(Trust::new(Origin::User));
        let game = source.document().and_then(|document| load_document(&document)).and_then(Game::new);
        game.map_err(|problems| format!("{problems}\n{text}"))
    }

    /// Whether an entity says that it plays the laws of crop science; then all do.
    fn is_agronomic(&self) -> bool {
        self.entities.iter().any(|entity| entity.contains("equations: agronomic"))
    }

    /// Initial conditions of the field. Plants may be sown here, and begin as one seed on each plot where nothing else is said of their start.
    fn start(&self) -> String {
        let is_unsaid = |entity: &String| entity.starts_with("Plant:") && !entity.contains("initial_stage");
        match self.entities.iter().any(is_unsaid) && !self.initial.contains("Plant-0") {
            true => self.initial.replacen('{', "{Plant-0: {stage: seed}, ", 1),
            false => self.initial.clone(),
        }
    }

    /// Everything allowed, with any number.
    fn actions(&self) -> String {
        let has = |kind: &str| self.entities.iter().any(|entity| entity.split(':').next() == Some(kind));
        let mut text = "      Field-0:\n".to_owned();
        if has("Soil") {
            // With the laws of crop science 200 mm at the most.
            let most = if self.is_agronomic() { 200.0 * self.shape.2 * self.shape.2 } else { 1000.0 };
            text += &format!(
                "        Soil-0: {{water_continuous: {{plot: '*', amount#L: '(0, {most})', duration#min: '(0, 1440)'}}}}\n"
            );
        }
        if has("Plant") {
            text += "        Plant-0: {sow: {plot: '*', amount#seed: '(1, 100)', spacing#cm: '(1, 1000)'}, harvest: , \
                     micro_harvest: {plot: '*'}, remove: {plot: '*'}}\n";
        }
        // Each fertiliser and each cide has a number of its own.
        for kind in ["Fertilizer", "Cide"] {
            let number = self.entities.iter().filter(|entity| entity.split(':').next() == Some(kind)).count();
            for i in 0..number {
                text += &format!("        {kind}-{i}: {{scatter: {{plot: '*', amount#kg: '(0, 10)'}}}}\n");
            }
        }
        if has("Cover") {
            text += "        Cover-0: {cover: {plot: '*'}}\n";
        }
        if has("Weeds") {
            text += "        Weeds-0: {remove: {plot: '*'}}\n";
        }
        if text.lines().count() == 1 {
            text += "        {}\n";
        }
        text
    }
}

/// The line of a field by which its entities, in flow YAML, play the paper's equations as the sheet corrects them; nothing where none of
/// them has a choice.
pub(crate) fn corrected_equations<'e>(mut entities: impl Iterator<Item = &'e str>) -> &'static str {
    let has_choice = |entity: &str| {
        let kind = entity.split(':').next().and_then(|name| kind(PartKind::Entity, name));
        kind.is_some_and(|kind| kind.table().iter().any(|parameter| parameter.name() == "equations"))
    };
    if entities.any(has_choice) { "    entity_defaults: {equations: corrected}\n" } else { "" }
}

/// A plant alone: weather and soil forced, each with its parameters in flow YAML; the scale of its stress is the sheet's
/// (II.6.6) if nothing else is said.
pub(crate) fn plant(plant: &str, weather: &str, soil: &str) -> Scenario {
    let scale = if plant.contains("stress_scale#g") { "" } else { ", stress_scale#g: 1000" };
    Scenario::new()
        .with(format!("ForcedWeather: {{days: [{weather}]}}"))
        .with(format!("ForcedSoil: {{{soil}}}"))
        .with(format!("Plant: {{base: bean{scale}{}{plant}}}", if plant.is_empty() { "" } else { ", " }))
}

/// A soil with the equation sheet's values (II.4) where the parameter sets are tuned, so that a day can be worked out by hand.
pub(crate) fn sheet_soil(set: &str) -> String {
    let clay = if set == "clay" { ", water_surface_absorption_speed#m2.day-1: 0.1" } else { "" };
    format!(
        "Soil: {{base: {set}, drainage: false, microlife_growth#prop: 0.1, microlife_min#%: 1, sensitivity_microlife_surplus: 5, \
         leaching_N: 0.05, leaching_K: 0.02{clay}}}"
    )
}

/// The game `clay_bean` with changes.
pub(crate) fn clay_bean(preset: Option<&str>, set: &[(&str, &str)]) -> World {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let game = open("clay_bean-v0", &Options { preset: preset.map(str::to_owned), set, ..Default::default() });
    World::of(game.unwrap_or_else(|problems| panic!("{problems}")))
}

/// A game being played, with a view of everything.
#[derive(Clone)]
pub(crate) struct World {
    pub env: Environment,
}

impl World {
    pub(crate) fn of(game: Game) -> Self {
        Self { env: Environment::new(Arc::new(game)) }
    }

    /// A variable as `Soil-0.available_Water#L`.
    pub(crate) fn variable(&self, name: &str) -> &VariableInfo {
        let (part, variable) = name.split_once('.').unwrap();
        let info =
            self.env.game().parts().iter().find(|p| p.name() == part).unwrap_or_else(|| panic!("no part {part}"));
        info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no variable {name}"))
    }

    /// All its values, as numbers.
    pub(crate) fn values(&self, name: &str) -> Vec<f64> {
        values_of(&self.env, self.variable(name))
    }

    /// Its first value.
    pub(crate) fn value(&self, name: &str) -> f64 {
        self.values(name)[0]
    }

    /// The stage of each plot.
    pub(crate) fn stages(&self) -> Vec<String> {
        let kind = self.variable("Plant-0.stage").kind();
        self.values("Plant-0.stage").iter().map(|v| kind.labels(0).unwrap().name(*v as usize)).collect()
    }

    /// How many plots are in a stage.
    pub(crate) fn in_stage(&self, stage: &str) -> usize {
        let index = self.variable("Plant-0.stage").kind().labels(0).unwrap().index(stage).unwrap() as f64;
        self.values("Plant-0.stage").iter().filter(|v| **v == index).count()
    }

    /// A day without interventions.
    pub(crate) fn wait(&mut self) -> Outcome {
        self.env.step(&[]).unwrap()
    }

    pub(crate) fn wait_days(&mut self, days: usize) {
        for _ in 0..days {
            self.wait();
        }
    }

    /// A day with interventions, as `Soil-0 water_continuous {…}`.
    pub(crate) fn act(&mut self, lines: &[&str]) -> Outcome {
        let schedule: Vec<Call> = lines.iter().flat_map(|line| self.call(line)).collect();
        let outcome = self.env.step(&schedule).unwrap();
        assert!(self.env.record().rejected().is_empty(), "{:?}", self.env.record().rejected());
        outcome
    }

    fn call(&self, line: &str) -> Vec<Call> {
        let mut words = line.splitn(3, ' ');
        let (part, name) = (words.next().unwrap(), words.next().unwrap());
        let json = format!("[\"Field-0\", \"{part}\", \"{name}\", {}]", words.next().unwrap_or("{}"));
        self.env.game().text().parse(&json).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Waters a plot of a field of one.
    pub(crate) fn water(&mut self, liters: f64, minutes: f64) {
        self.act(&[&format!(
            "Soil-0 water_continuous {{\"plot\": [0, 0], \"amount#L\": {liters}, \"duration#min\": {minutes}}}"
        )]);
    }

    /// An observed array by the end of its key.
    pub(crate) fn observed(&self, name: &str) -> Vec<f64> {
        let entries = self.env.game().observation().entries();
        let entry =
            entries.iter().find(|e| e.key().ends_with(name)).unwrap_or_else(|| panic!("{name} is not observed"));
        (0..entry.len()).map(|i| entry.number(self.env.observation(), i)).collect()
    }
}

/// The values of a variable as numbers.
pub(crate) fn values_of(env: &Environment, variable: &VariableInfo) -> Vec<f64> {
    let reader = env.game().reader(env.state());
    if let Some(column) = variable.column::<f64>() {
        reader.get(column).to_vec()
    } else if let Some(column) = variable.column::<i32>() {
        reader.get(column).iter().map(|v| f64::from(*v)).collect()
    } else {
        reader.get(variable.column::<u8>().unwrap()).iter().map(|v| f64::from(*v)).collect()
    }
}

/// Equal up to rounding.
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= 1e-9 * expected.abs().max(1e-3), "{what}: {found}, expected {expected}");
}

/// A frequency within four standard errors of a probability, and exactly it where the probability is 0 or 1.
#[track_caller]
pub(crate) fn assert_share(hits: usize, of: usize, probability: f64, what: &str) {
    assert!(of > 0, "{what}: no cases");
    let sigma = (probability * (1.0 - probability) / of as f64).sqrt();
    let share = hits as f64 / of as f64;
    assert!(
        (share - probability).abs() <= 4.0 * sigma + 1e-12,
        "{what}: {hits} of {of} are {share}, expected {probability} ± {sigma}"
    );
}

/// Mean and variance.
pub(crate) fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n)
}

/// A mean within four standard errors, the error found from the values themselves.
#[track_caller]
pub(crate) fn assert_mean(values: &[f64], expected: f64, slack: f64, what: &str) {
    let (mean, variance) = moments(values);
    let sigma = (variance / values.len() as f64).sqrt();
    assert!((mean - expected).abs() <= 4.0 * sigma + slack, "{what}: {mean} ± {sigma}, expected {expected}");
}

/// A variance within five standard errors; for laws that are not far from normal that of a variance is √(2/n).
#[track_caller]
pub(crate) fn assert_variance(values: &[f64], expected: f64, what: &str) {
    let (_, variance) = moments(values);
    let sigma = expected * (2.0 / values.len() as f64).sqrt();
    assert!((variance - expected).abs() <= 5.0 * sigma, "{what}: variance {variance}, expected {expected} ± {sigma}");
}
