//! The first stage of compiling a game, in which its parts make their declarations.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::limits;
use super::uses::served_fields;
use crate::config::{Path, Problem, Problems};
use crate::declare::{
    Bind, Builder, DeclarationError, Declarations, Draft, FieldInfo, Found, Known, Next, PartInfo, Trait,
    check_declarations, problems_of_needs,
};
use crate::failure;
use crate::part::{Behaviour, FarmerBehaviour, ScoreBehaviour};
use crate::spec::GameSpec;
use crate::state::Layout;

/// The maximum number of declaration rounds. A game is rejected if its declarations still change after these rounds.
const MAX_ROUNDS: usize = 8;

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
    /// Asks all parts for their declarations.
    ///
    /// # Errors
    /// The game is too large, or its declarations contradict each other.
    pub(super) fn new(spec: &GameSpec) -> Result<Self, Problems> {
        let fields = fields_of(spec);
        let budget = spec.trust.budget();
        let mut problems = Problems::default();
        limits::check_plots(spec, &fields, budget, &mut problems);
        if problems.has_errors() {
            return Err(problems);
        }
        let settled = settle(spec, &fields)?;
        let Settled { draft, behaviours, mut problems, is_settled } = settled;
        // Contradictory declarations are reported alone, because their consequences would only confuse users.
        let mut defects = Problems::default();
        check_declarations(&draft.parts, &mut defects);
        limits::check_state(draft.layout, &draft.parts, &fields, budget, &mut defects);
        if defects.has_errors() {
            return Err(problems_of(problems, defects, &draft.parts));
        }
        if !is_settled {
            problems.push(
                Problem::new(DeclarationError::WrongDeclaration, Path::default().child("fields"), "the declarations of this game's parts never settle")
                    .help("a part changes its declarations each time it is built: its `build` must depend only on its parameters"),
            );
        }
        Ok(Self { fields, parts: draft.parts, layout: draft.layout, behaviours, problems })
    }
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

/// The result of the last round.
struct Settled {
    draft: Draft,
    behaviours: Behaviours,
    problems: Problems,
    /// Whether the declarations no longer change.
    is_settled: bool,
}

/// Repeats the declarations until they no longer change, because a part's declarations may depend on other parts.
fn settle(spec: &GameSpec, fields: &[Arc<FieldInfo>]) -> Result<Settled, Problems> {
    let (start, budget) = (Instant::now(), spec.trust.budget());
    let mut before = Draft::default();
    let mut is_settled = false;
    let mut rounds = 0;
    loop {
        rounds += 1;
        let mut problems = Problems::default();
        let is_last = is_settled || rounds == MAX_ROUNDS;
        let (draft, behaviours) = Round::new(spec, fields, &before, is_settled, &mut problems).all();
        is_settled = draft == before;
        if is_last || !draft.layout.fits(budget.state_bytes) {
            return Ok(Settled { draft, behaviours, problems, is_settled });
        }
        let mut refused = Problems::default();
        limits::check_plots_fit(spec, fields, draft.layout, &mut refused);
        if refused.has_errors() {
            return Err(refused);
        }
        if limits::is_out_of_time(start, budget, &mut problems) {
            return Err(problems);
        }
        before = draft;
    }
}

/// One round of declarations. Parts declare in order, based on the results of the previous round.
struct Round<'r> {
    spec: &'r GameSpec,
    fields: &'r [Arc<FieldInfo>],
    before: &'r Draft,
    is_complete: bool,
    problems: &'r mut Problems,
    /// For each entity, the other fields that use it.
    served: Vec<Vec<usize>>,
    draft: Draft,
    events_before: usize,
    /// The number of parts of each kind in each field so far.
    ranks: HashMap<(String, Option<usize>), usize>,
}

impl<'r> Round<'r> {
    fn new(
        spec: &'r GameSpec,
        fields: &'r [Arc<FieldInfo>],
        before: &'r Draft,
        is_complete: bool,
        problems: &'r mut Problems,
    ) -> Self {
        let served = served_fields(spec, problems);
        let (draft, ranks) = (Draft::default(), HashMap::new());
        Self { spec, fields, before, is_complete, problems, served, draft, events_before: 0, ranks }
    }

    /// The declarations and the behaviours of all parts.
    fn all(mut self) -> (Draft, Behaviours) {
        let (spec, root) = (self.spec, Path::default());
        let mut entities = Vec::new();
        for (f, (name, field)) in spec.fields.iter().enumerate() {
            for (i, entity) in field.entities.iter().enumerate() {
                let kind = entity.typetag_name();
                let config = root.child("fields").child(name).child("entities").child(i).child(kind);
                let name = entity.instance_name().unwrap_or(kind);
                entities.push(self.declare(name, Some(f), config, |d| entity.declare(d), |b| entity.build(b)));
            }
        }
        let mut farmers = Vec::new();
        for (i, farmer) in spec.farmers.iter().enumerate() {
            let kind = farmer.typetag_name();
            let config = root.child("farmers").child(i).child(kind);
            let name = farmer.instance_name().unwrap_or(kind);
            farmers.push(self.declare(name, None, config, |d| farmer.declare(d), |b| farmer.build(b)));
        }
        let kind = spec.score.typetag_name();
        let config = root.child("score").child(kind);
        let name = spec.score.instance_name().unwrap_or(kind);
        let score = self.declare(name, None, config, |d| spec.score.declare(d), |b| spec.score.build(b));
        self.draft.index();
        let mut next = 0;
        let entities = entities.into_iter().map(|made| self.made(made, &mut next)).collect();
        let farmers = farmers.into_iter().map(|made| self.made(made, &mut next)).collect();
        let score = self.made(score, &mut next);
        (self.draft, Behaviours { entities, farmers, score })
    }

    /// The behaviour of the next part.
    fn made<B: ?Sized + Trait>(&mut self, made: Made<'_, B>, next: &mut usize) -> Box<B> {
        let part = *next;
        *next += 1;
        let bind = match made {
            Made::Old(behaviour) => return behaviour,
            Made::New(bind) => bind,
        };
        let Draft { parts, providers, .. } = &self.draft;
        let mut problems = if self.is_complete {
            problems_of_needs(&parts[part], parts, providers, crate::spec::candidates_for)
        } else {
            Vec::new()
        };
        self.problems.0.append(&mut problems);
        let Next::Bind(bind) = bind.0 else { return B::absent() };
        let known = Known {
            parts,
            providers,
            fields: self.fields,
            own_field: parts[part].field,
            looked_up: RefCell::default(),
        };
        let events_before = parts[..part].iter().map(|part| part.events.len()).sum();
        let mut found =
            Found { known, part: &parts[part], events_before, balances: Vec::new(), problems: Problems::default() };
        let behaviour = bind(&mut found);
        let Found { balances, mut problems, .. } = found;
        self.problems.0.append(&mut problems.0);
        self.draft.parts[part].mass_balances = balances;
        behaviour
    }

    /// One part's declarations.
    fn declare<'s, B: ?Sized>(
        &mut self,
        kind: &str,
        field: Option<usize>,
        config: Path,
        declare: impl FnOnce(&mut Declarations<'_>) -> Bind<'s, B>,
        build: impl FnOnce(&mut Builder<'_>) -> Box<B>,
    ) -> Made<'s, B> {
        let serves = self.served.get(self.draft.parts.len()).cloned().unwrap_or_default();
        let next = self.ranks.entry((kind.to_owned(), field)).or_default();
        let name = format!("{kind}-{next}");
        *next += 1;
        let path = field.map_or(name.clone(), |f| format!("{}.{name}", self.fields[f].name));
        let part = PartInfo { name, kind: kind.to_owned(), field, serves, path, config, ..PartInfo::default() };
        let mut declarations = Declarations {
            part: part.clone(),
            fields: self.fields,
            problems: Problems::default(),
            directory: self.spec.directory.as_ref(),
            trust: &self.spec.trust,
            only_declares: false,
        };
        let mut bind = declare(&mut declarations);
        if let Next::Declare(second) = bind.0 {
            let known = Known {
                parts: &self.before.parts,
                providers: &self.before.providers,
                fields: self.fields,
                own_field: field,
                looked_up: RefCell::default(),
            };
            bind = second(&mut declarations, &known);
        }
        if !matches!(bind.0, Next::Old) {
            let Declarations { mut part, mut problems, .. } = declarations;
            self.problems.0.append(&mut problems.0);
            part.place(&mut self.draft.layout);
            self.events_before += part.events.len();
            self.draft.parts.push(part);
            return Made::New(bind);
        }
        let mut builder = Builder {
            candidates_for: crate::spec::candidates_for,
            part,
            field: self.fields[field.unwrap_or(0)].clone(),
            fields: self.fields,
            before: self.before,
            layout: &mut self.draft.layout,
            events_before: self.events_before,
            problems: self.problems,
            directory: self.spec.directory.as_ref(),
            trust: &self.spec.trust,
            missing: Vec::new(),
            several: Vec::new(),
            complete: self.is_complete,
            only_declares: false,
        };
        let built = build(&mut builder);
        builder.report_roles();
        let part = builder.part;
        self.events_before += part.events.len();
        self.draft.parts.push(part);
        Made::Old(built)
    }
}

/// A part after its declaration.
enum Made<'s, B: ?Sized> {
    New(Bind<'s, B>),
    Old(Box<B>),
}
