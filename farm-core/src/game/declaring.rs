//! The parts of a game while they make their declarations: each declares once, some a second time, and then all are bound.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::uses::served_fields;
use crate::config::{Path, Problem, Problems};
use crate::declare::{DeclarationError, Declarations, FieldInfo, Found, Known, PartInfo, Providers, problems_of_needs};
use crate::part::{Bind, Next, Trait};
use crate::spec::{GameSpec, candidates_for};
use crate::state::Layout;

/// The parts of a game and the problems that each of them has reported.
pub(super) struct Declaring<'g> {
    spec: &'g GameSpec,
    fields: &'g [Arc<FieldInfo>],
    /// For each entity, the other fields that use it.
    served: Vec<Vec<usize>>,
    /// The number of parts of each kind in each field so far.
    ranks: HashMap<(String, Option<usize>), usize>,
    pub(super) parts: Vec<PartInfo>,
    /// The problems of the fields, and then those of each part.
    problems: Vec<Problems>,
}

impl<'g> Declaring<'g> {
    pub(super) fn new(spec: &'g GameSpec, fields: &'g [Arc<FieldInfo>]) -> Self {
        let mut problems = Problems::default();
        let served = served_fields(spec, &mut problems);
        Self { spec, fields, served, ranks: HashMap::new(), parts: Vec::new(), problems: vec![problems] }
    }

    /// A part's first declaration.
    pub(super) fn declare<'s, B: ?Sized>(
        &mut self,
        kind: &str,
        field: Option<usize>,
        config: Path,
        declare: impl FnOnce(&mut Declarations<'_>) -> Bind<'s, B>,
    ) -> Bind<'s, B> {
        let serves = self.served.get(self.parts.len()).cloned().unwrap_or_default();
        let next = self.ranks.entry((kind.to_owned(), field)).or_default();
        let name = format!("{kind}-{next}");
        *next += 1;
        let path = field.map_or(name.clone(), |f| format!("{}.{name}", self.fields[f].name));
        self.parts.push(PartInfo { name, kind: kind.to_owned(), field, serves, path, config, ..PartInfo::default() });
        self.problems.push(Problems::default());
        self.with(self.parts.len() - 1, declare)
    }

    /// Lets a part declare something.
    fn with<T>(&mut self, part: usize, declare: impl FnOnce(&mut Declarations<'_>) -> T) -> T {
        let mut declarations = Declarations {
            part: std::mem::take(&mut self.parts[part]),
            fields: self.fields,
            problems: Problems::default(),
            directory: self.spec.directory.as_ref(),
            trust: &self.spec.trust,
            only_declares: false,
        };
        let declared = declare(&mut declarations);
        let Declarations { part: info, mut problems, .. } = declarations;
        self.parts[part] = info;
        self.problems[part + 1].0.append(&mut problems.0);
        declared
    }

    /// The second declarations of a group of parts, whose first part has the index `first`. Each sees the declarations from before this
    /// call.
    pub(super) fn declare_again<'s, B: ?Sized>(&mut self, first: usize, group: Vec<Bind<'s, B>>) -> Vec<Bind<'s, B>> {
        if group.iter().all(|bind| matches!(bind.0, Next::Bind(_))) {
            return group;
        }
        let before = self.parts.clone();
        let providers = Providers::of(&before);
        let mut looked_up = Vec::new();
        let parts = first..first + group.len();
        let mut again = Vec::new();
        for (part, mut bind) in parts.clone().zip(group) {
            let known = Known::new(&before, &providers, self.fields, before[part].field);
            while let Next::Declare(second) = bind.0 {
                bind = self.with(part, |declarations| second(declarations, &known));
            }
            looked_up.push(known.looked_up.into_inner());
            again.push(bind);
        }
        self.check_second(parts, &before, &looked_up);
        again
    }

    /// Reports the roles that a second declaration provides although another one in the group has looked them up before.
    fn check_second(&mut self, group: Range<usize>, before: &[PartInfo], looked_up: &[Vec<&'static str>]) {
        for part in group.clone() {
            let info = &self.parts[part];
            let late = info.variables[before[part].variables.len()..].iter().flat_map(|variable| &variable.roles);
            let late: Vec<&str> = late.copied().collect();
            let mut others = group.clone().zip(looked_up).filter(|(other, _)| *other != part);
            let missed = others.find_map(|(other, looked)| {
                let role = looked.iter().find(|role| late.contains(*role))?;
                self.parts[other].sees(info).then(|| (&self.parts[other].path, *role))
            });
            let Some((other, role)) = missed else { continue };
            let message = format!(
                "`{}` provides the role `{role}` too late: the declarations of `{other}` depend on it",
                info.path
            );
            let problem = Problem::new(DeclarationError::WrongDeclaration, info.config.clone(), message).about_name();
            let problem = problem.help("provide the role in the first declaration, before `Bind::after`");
            self.problems[part + 1].push(problem);
        }
    }

    /// Gives all variables their place in the state.
    pub(super) fn place(&mut self) -> Layout {
        let mut layout = Layout::default();
        self.parts.iter_mut().for_each(|part| part.place(&mut layout));
        layout
    }

    /// Makes the behaviours of a group of parts, whose first part has the index `first`. A part with an unmet need gets a placeholder.
    pub(super) fn bind<B: ?Sized + Trait>(
        &mut self,
        first: usize,
        group: Vec<Bind<'_, B>>,
        providers: &Providers,
    ) -> Vec<Box<B>> {
        let mut events_before = self.parts[..first].iter().map(|part| part.events.len()).sum();
        let mut behaviours = Vec::new();
        for (part, bind) in (first..).zip(group) {
            let info = &self.parts[part];
            let unmet = problems_of_needs(info, &self.parts, providers, candidates_for);
            let is_met = unmet.is_empty();
            self.problems[part + 1].0.extend(unmet);
            let mut found = Found {
                known: Known::new(&self.parts, providers, self.fields, info.field),
                part: info,
                events_before,
                balances: Vec::new(),
                problems: Problems::default(),
            };
            events_before += info.events.len();
            behaviours.push(match bind.0 {
                Next::Bind(bind) if is_met => bind(&mut found),
                _ => B::absent(),
            });
            let Found { balances, mut problems, .. } = found;
            self.problems[part + 1].0.append(&mut problems.0);
            self.parts[part].mass_balances = balances;
        }
        behaviours
    }

    /// The declarations, and the problems of all parts in order.
    pub(super) fn into_parts(self) -> (Vec<PartInfo>, Problems) {
        (self.parts, Problems(self.problems.into_iter().flat_map(|problems| problems.0).collect()))
    }
}
