//! Builds a farm around a part that is checked by itself.
//!
//! A part needs providers of the roles that it reads. The kit searches in this order:
//!
//! 1. the game from the caller: the part replaces a part of the same kind, or is added to the first field;
//! 2. the registered kinds, tried as providers: first only those that the part needs (the bare farm), then also all kinds whose roles it
//!    reads or that read its roles (the full farm);
//! 3. the games in the catalogue, used as in step 1, for kinds that fit only their own map.

use std::collections::BTreeSet;

use farm_core::Game;
use farm_core::config::{Document, ParameterKind, PartKind, Problems};
use farm_core::declare::{Need, PartInfo};
use farm_core::inspect::{declarations, declarations_with};
use farm_core::registry::{Kind, kind, kinds};
use farm_core::spec::load_document;
use farm_games::{CATALOGUE, document};
use serde_yaml::{Mapping, Value};

use crate::declarations::mapping;

/// Length of an episode on one of the kit's farms: long enough for all seasons.
const DAYS: u32 = 300;

/// A farm in which a part is played.
pub(crate) struct Farm {
    /// Its name in the report.
    pub name: String,
    /// The farm.
    pub game: Game,
    /// The checked parts, by index.
    pub subjects: Vec<usize>,
}

/// A part as the caller writes it: `Slugs`, `Plant: bean`, `Slugs: {hunger#prop: 0.3}`.
pub(crate) struct Written {
    pub kind: &'static Kind,
    pub value: Value,
    pub payload: Value,
}

impl Written {
    /// Reads a part.
    ///
    /// # Errors
    /// The reason why it can't be read.
    pub(crate) fn read(part: PartKind, config: &str) -> Result<Self, String> {
        let value: Value = serde_yaml::from_str(config).map_err(|error| format!("this is not YAML: {error}"))?;
        let (name, payload) = match &value {
            Value::String(name) => (name.clone(), Value::Null),
            Value::Mapping(entries) if entries.len() == 1 => match entries.iter().next() {
                Some((Value::String(name), payload)) => (name.clone(), payload.clone()),
                _ => return Err("the name of a kind must be a string".into()),
            },
            _ => return Err("a part is written `Kind`, `Kind: set` or `Kind: {parameter: value}`".into()),
        };
        let Some(kind) = kind(part, &name) else {
            return Err(format!(
                "no {} `{name}` is registered: write `#[farm_core::register(…)]` above its `impl`, and see that its crate is linked (`use that_crate as _;`)",
                part.singular()
            ));
        };
        Ok(Self { kind, value, payload })
    }

    /// The farms to play it in; at least one.
    ///
    /// # Errors
    /// The reason why no farm could be found.
    pub(crate) fn farms(&self, host: Option<&str>) -> Result<Vec<Farm>, String> {
        if let Some(host) = host {
            let document = Document::parse("the given game", host).map_err(|problems| problems.to_string())?;
            let farm = self.hosted(document.value(), "the given game").map_err(|problems| problems.to_string())?;
            return Ok(vec![farm]);
        }
        let bare = self.around(&[]);
        let full = self.company();
        let mut farms = Vec::new();
        let full = if full.is_empty() { None } else { self.around(&full).ok() };
        match (bare, full) {
            (Ok(bare), full) => {
                farms.push(bare);
                farms.extend(full);
            }
            (Err(_), Some(full)) => farms.push(full),
            (Err(problems), None) => {
                let hosts = CATALOGUE.iter().filter_map(|entry| Some((entry.name, document(entry.name).ok()?)));
                let hosted = hosts.filter_map(|(name, document)| self.hosted(document.value(), name).ok());
                let found = hosted.into_iter().next();
                farms.push(
                    found.ok_or_else(|| {
                        format!("no farm fits it; name one with `Kit::in_game`. By itself:\n{problems}")
                    })?,
                );
            }
        }
        Ok(farms)
    }

    /// Puts the part into a game: it replaces the first part of its kind whose place it fits, or is added to the others.
    fn hosted(&self, game: &Value, name: &str) -> Result<Farm, Problems> {
        let places = entities_of(&mut game.clone()).iter().filter(|value| self.is_own_kind(value)).count();
        let mut refused = Problems::default();
        for place in 0..=places {
            let mut game = game.clone();
            match self.kind.part() {
                PartKind::Entity => self.put(&mut game, place),
                PartKind::Farmer => set(&mut game, "farmers", Value::Sequence(vec![self.value.clone()])),
                PartKind::Score => set(&mut game, "score", self.value.clone()),
                PartKind::Rule | PartKind::Policy => {}
            }
            match self.compiled(game, name) {
                Ok(farm) => return Ok(farm),
                Err(problems) if place == 0 => refused = problems,
                Err(_) => {}
            }
        }
        Err(refused)
    }

    fn is_own_kind(&self, value: &Value) -> bool {
        // The classes of an open kind do not replace each other.
        self.kind.open().is_none()
            && (value.as_str() == Some(self.kind.name()) || value.get(self.kind.name()).is_some())
    }

    /// Whether the kind has this name in a game. A kind for many classes has the class's name.
    fn is_called(&self, name: &str) -> bool {
        match self.kind.open() {
            None => name == self.kind.name(),
            Some(text) => {
                let class = self.payload.as_str().or_else(|| self.payload.get(text)?.as_str()).unwrap_or_default();
                class.rsplit([':', '.']).next() == Some(name)
            }
        }
    }

    /// Replaces the part of its kind at this index; without one, the part is added at the end of the first field.
    fn put(&self, game: &mut Value, rank: usize) {
        let mut entities = entities_of(game);
        match entities.iter_mut().filter(|value| self.is_own_kind(value)).nth(rank) {
            Some(place) => **place = self.value.clone(),
            None => {
                let fields = game.get_mut("fields").and_then(Value::as_mapping_mut);
                let first = fields.and_then(|fields| fields.values_mut().next());
                let list = first.and_then(|field| field.get_mut("entities")?.as_sequence_mut());
                list.into_iter().for_each(|list| list.push(self.value.clone()));
            }
        }
    }

    fn compiled(&self, game: Value, name: &str) -> Result<Farm, Problems> {
        let text = serde_yaml::to_string(&game).unwrap_or_default();
        let game = load_document(&Document::parse(name, &text)?).and_then(Game::new)?;
        let is_subject = |part: &PartInfo| match self.kind.part() {
            PartKind::Entity => self.is_called(part.kind()) && part.field().is_some(),
            _ => self.is_called(part.kind()) && part.field().is_none(),
        };
        let subjects = (0..game.parts().len()).filter(|i| is_subject(&game.parts()[*i])).collect();
        let parts: Vec<&str> = game.parts().iter().map(|part| part.name()).collect();
        Ok(Farm { name: format!("{name}: {}", parts.join(", ")), game, subjects })
    }

    /// A farm with the part, the parts that it needs, and `more`.
    fn around(&self, more: &[&'static Kind]) -> Result<Farm, Problems> {
        let own = declarations_with(self.kind, self.payload.clone());
        let mut company: Vec<(&'static Kind, PartInfo)> =
            more.iter().filter_map(|kind| Some((*kind, declarations(kind)?))).collect();
        add_providers(own.as_ref(), &mut company);
        let mut entities: Vec<Value> = company.iter().map(|(kind, _)| plain(kind)).collect();
        let (mut farmer, mut score) = (Value::from("BasicFarmer"), Value::from("BasicScore"));
        match self.kind.part() {
            PartKind::Entity => entities.push(self.value.clone()),
            PartKind::Farmer => farmer = self.value.clone(),
            PartKind::Score => score = self.value.clone(),
            PartKind::Rule | PartKind::Policy => {}
        }
        let rule = mapping([("max_action_schedule_size", 3.into()), ("max_steps", DAYS.into())]);
        let shape = mapping([("length#nb", 3.into()), ("width#nb", 2.into()), ("scale#m", 1.0.into())]);
        let agreed = ("entity_defaults", Value::Mapping(self.choices()));
        let field = mapping([("shape", shape), agreed, ("entities", Value::Sequence(entities))]);
        let name = if more.is_empty() { "the bare farm" } else { "the full farm" };
        let game = mapping([
            ("name", "conformance".into()),
            ("doc", "A farm to check a part in.".into()),
            ("fields", mapping([("Field-0", field)])),
            ("farmers", Value::Sequence(vec![farmer])),
            ("rules", mapping([("BasicRule", rule)])),
            ("score", score),
            ("interaction_mode", "fomdp".into()),
        ]);
        self.compiled(game, name)
    }

    /// The part's parameters whose value is one of several words, such as its equations. Other parts with the same parameter get the same
    /// value.
    fn choices(&self) -> Mapping {
        let set = match &self.payload {
            Value::String(name) => Some(name.as_str()),
            payload => payload.get("base").and_then(Value::as_str),
        };
        let sets = self.kind.parameter_sets().unwrap_or_default();
        let set = set.and_then(|name| sets.iter().find(|set| set.name() == name));
        let of =
            |name: &str| self.payload.get(name).or_else(|| set.and_then(|set| set.parameters().get(name))).cloned();
        let table = self.kind.table();
        let choices = table.iter().filter(|parameter| matches!(parameter.kind(), ParameterKind::Choice(_)));
        choices.filter_map(|parameter| Some((parameter.name().into(), of(parameter.name())?))).collect()
    }

    /// The kinds whose roles the part reads, or that read its roles, if a farm compiles with them. For a farmer or a score, all kinds.
    fn company(&self) -> Vec<&'static Kind> {
        let Some(own) = declarations_with(self.kind, self.payload.clone()) else { return Vec::new() };
        let provided = provided(&own);
        let mut company = Vec::new();
        for kind in kinds()
            .iter()
            .filter(|kind| kind.part() == PartKind::Entity && kind.open().is_none() && kind.name() != self.kind.name())
        {
            let Some(other) = declarations(kind) else { continue };
            let notices = own.needs().iter().any(|(role, _)| self::provided(&other).contains(role));
            let is_noticed = other.needs().iter().any(|(role, _)| provided.contains(role));
            if notices || is_noticed || self.kind.part() != PartKind::Entity {
                company.push(*kind);
                if self.around(&company).is_err() {
                    company.pop();
                }
            }
        }
        company
    }
}

/// A kind with its first parameter set, or with its defaults.
fn plain(kind: &Kind) -> Value {
    match kind.parameter_sets().unwrap_or_default().first() {
        Some(set) => mapping([(kind.name(), set.name().to_owned().into())]),
        None => kind.name().into(),
    }
}

/// The entities in all fields of a game.
fn entities_of(game: &mut Value) -> Vec<&mut Value> {
    let fields =
        game.get_mut("fields").and_then(Value::as_mapping_mut).into_iter().flat_map(|fields| fields.values_mut());
    fields.filter_map(|field| field.get_mut("entities")?.as_sequence_mut()).flatten().collect()
}

fn set(game: &mut Value, key: &str, value: Value) {
    if let Some(entries) = game.as_mapping_mut() {
        entries.insert(key.into(), value);
    }
}

fn provided(part: &PartInfo) -> BTreeSet<&'static str> {
    part.variables().iter().flat_map(|variable| variable.roles().iter().copied()).collect()
}

fn needed(part: &PartInfo) -> impl Iterator<Item = &'static str> {
    part.needs().iter().filter(|(_, need)| *need == Need::One).map(|(role, _)| *role)
}

/// Adds kinds to the company until all needed roles have a provider, or no known kind helps. Of several candidates, it adds the kind that
/// provides the most missing roles and, among equals, needs the fewest roles. It never adds a second provider of a unique role.
fn add_providers(own: Option<&PartInfo>, company: &mut Vec<(&'static Kind, PartInfo)>) {
    // Each round adds a kind, and no kind is added twice.
    for _ in 0..kinds().len() {
        let present = || company.iter().map(|(_, part)| part).chain(own);
        let there: BTreeSet<&str> = present().flat_map(provided).collect();
        let wanted: BTreeSet<&str> = present().flat_map(needed).collect();
        let fills = |part: &PartInfo| {
            provided(part).iter().filter(|role| wanted.contains(*role) && !there.contains(*role)).count()
        };
        let is_rival =
            |part: &PartInfo| provided(part).iter().any(|role| wanted.contains(role) && there.contains(role));
        let known = kinds().iter().filter(|kind| kind.part() == PartKind::Entity);
        let candidates = known.filter_map(|kind| Some((*kind, declarations(kind)?)));
        let useful = candidates.filter(|(_, part)| fills(part) > 0 && !is_rival(part));
        let best = useful.min_by_key(|(kind, part)| (usize::MAX - fills(part), needed(part).count(), kind.name()));
        match best {
            Some(best) => company.insert(0, best),
            None => return,
        }
    }
}
