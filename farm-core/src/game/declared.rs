//! The first stage of compiling a game, in which its parts make their declarations and are bound.

use std::sync::Arc;
use std::time::Instant;

use super::declaring::Declaring;
use super::limits;
use crate::config::{Path, Problems};
use crate::declare::{FieldInfo, PartInfo, Providers, check_declarations};
use crate::failure;
use crate::part::{Behaviour, Bind, FarmerBehaviour, ScoreBehaviour, Trait};
use crate::spec::GameSpec;
use crate::state::Layout;

/// A game whose parts have made their declarations. The declarations are consistent, but the rules have not been resolved against them.
pub(super) struct Declared {
    pub(super) fields: Vec<Arc<FieldInfo>>,
    /// The declarations of the entities in all fields, then the farmers, then the score.
    pub(super) parts: Vec<PartInfo>,
    pub(super) layout: Layout,
    pub(super) behaviours: Behaviours,
    /// The problems found so far. Later stages may find more.
    pub(super) problems: Problems,
}

/// The behaviours of all parts.
pub(super) struct Behaviours {
    pub(super) entities: Vec<Box<dyn Behaviour>>,
    pub(super) farmers: Vec<Box<dyn FarmerBehaviour>>,
    pub(super) score: Box<dyn ScoreBehaviour>,
}

impl Declared {
    /// Asks all parts for their declarations, places their variables in the state, and binds the parts.
    ///
    /// # Errors
    /// The game is too large, or its declarations contradict each other.
    pub(super) fn new(spec: &GameSpec) -> Result<Self, Problems> {
        let (start, fields, budget) = (Instant::now(), fields_of(spec), spec.trust.budget());
        let mut defects = Problems::default();
        limits::check_plots(spec, &fields, budget, &mut defects);
        if defects.has_errors() {
            return Err(defects);
        }
        let mut declaring = Declaring::new(spec, &fields);
        let first = first_declarations(spec, &mut declaring);
        let Parts { entities, farmers, score } = first;
        let entities = declaring.declare_again(0, entities);
        let farmers = declaring.declare_again(entities.len(), farmers);
        let score = declaring.declare_again(entities.len() + farmers.len(), score);
        let layout = declaring.place();
        // Contradictory declarations are reported alone, because their consequences would only confuse users.
        check_declarations(&declaring.parts, &mut defects);
        limits::check_state(layout, &declaring.parts, &fields, budget, &mut defects);
        if defects.has_errors() {
            let (parts, problems) = declaring.into_parts();
            return Err(problems_of(problems, defects, &parts));
        }
        limits::check_plots_fit(spec, &fields, layout, &mut defects);
        if defects.has_errors() || limits::is_out_of_time(start, budget, &mut defects) {
            return Err(defects);
        }
        let providers = Providers::of(&declaring.parts);
        let (farm, last) = (entities.len(), entities.len() + farmers.len());
        let entities = declaring.bind(0, entities, &providers);
        let farmers = declaring.bind(farm, farmers, &providers);
        let score = declaring.bind(last, score, &providers).into_iter().next().unwrap_or_else(Trait::absent);
        if limits::is_out_of_time(start, budget, &mut defects) {
            return Err(defects);
        }
        let (parts, problems) = declaring.into_parts();
        Ok(Self { fields, parts, layout, behaviours: Behaviours { entities, farmers, score }, problems })
    }
}

/// The parts of a game after their first declarations.
struct Parts<'s> {
    entities: Vec<Bind<'s, dyn Behaviour>>,
    farmers: Vec<Bind<'s, dyn FarmerBehaviour>>,
    /// The only score.
    score: Vec<Bind<'s, dyn ScoreBehaviour>>,
}

/// The first declarations of the entities in all fields, then of the farmers, then of the score.
fn first_declarations<'s>(spec: &'s GameSpec, declaring: &mut Declaring<'_>) -> Parts<'s> {
    let root = Path::default();
    let mut entities = Vec::new();
    for (f, (name, field)) in spec.fields.iter().enumerate() {
        for (i, entity) in field.entities.iter().enumerate() {
            let kind = entity.typetag_name();
            let config = root.child("fields").child(name).child("entities").child(i).child(kind);
            let name = entity.instance_name().unwrap_or(kind);
            entities.push(declaring.declare(name, Some(f), config, |d| entity.declare(d)));
        }
    }
    let mut farmers = Vec::new();
    for (i, farmer) in spec.farmers.iter().enumerate() {
        let kind = farmer.typetag_name();
        let config = root.child("farmers").child(i).child(kind);
        let name = farmer.instance_name().unwrap_or(kind);
        farmers.push(declaring.declare(name, None, config, |d| farmer.declare(d)));
    }
    let kind = spec.score.typetag_name();
    let name = spec.score.instance_name().unwrap_or(kind);
    let score = declaring.declare(name, None, root.child("score").child(kind), |d| spec.score.declare(d));
    Parts { entities, farmers, score: vec![score] }
}

/// All problems in a game whose compilation had to stop.
pub(super) fn problems_of(problems: Problems, defects: Problems, parts: &[PartInfo]) -> Problems {
    Problems(problems.0.into_iter().chain(defects.0).chain(failure::as_problem(parts)).collect())
}

fn fields_of(spec: &GameSpec) -> Vec<Arc<FieldInfo>> {
    let info = |(name, field): (&String, &crate::spec::FieldSpec)| FieldInfo {
        name: name.clone(),
        length: field.shape.length as usize,
        width: field.shape.width as usize,
        scale_m: field.shape.scale_m,
        latitude_degrees: field.localization.latitude_degrees,
        longitude_degrees: field.localization.longitude_degrees,
        altitude_m: field.localization.altitude_m,
    };
    spec.fields.iter().map(info).map(Arc::new).collect()
}
