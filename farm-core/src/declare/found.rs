//! What a part knows about the other parts: their declarations, and at the end their columns.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

use super::providers::Providers;
use super::{All, EventId, FieldInfo, Maybe, Names, One, Own, OwnEvent, PartInfo, Role, VariableInfo};
use crate::config::{Problem, Problems};
use crate::mass_balance::MassBalance;
use crate::state::{Column, Element};

/// The declarations that a part can see in its second declaration, and when it is bound.
#[derive(Debug)]
pub struct Known<'a> {
    pub(crate) parts: &'a [PartInfo],
    pub(crate) providers: &'a Providers,
    pub(crate) fields: &'a [Arc<FieldInfo>],
    /// The field of the part that asks.
    pub(crate) own_field: Option<usize>,
    /// The roles that it has looked up here.
    pub(crate) looked_up: RefCell<Vec<&'static str>>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(
        parts: &'a [PartInfo],
        providers: &'a Providers,
        fields: &'a [Arc<FieldInfo>],
        own_field: Option<usize>,
    ) -> Self {
        Self { parts, providers, fields, own_field, looked_up: RefCell::default() }
    }

    /// The declarations of all parts.
    pub fn parts(&self) -> &'a [PartInfo] {
        self.parts
    }

    /// The names that a configuration can refer to.
    pub fn names(&self) -> Names<'a> {
        Names { parts: self.parts, fields: self.fields }
    }

    /// All fields on the farm.
    pub fn fields(&self) -> &'a [Arc<FieldInfo>] {
        self.fields
    }

    /// The part's field. For farmers and the score, this is the first field.
    pub fn field(&self) -> &'a FieldInfo {
        &self.fields[self.own_field.unwrap_or(0)]
    }

    /// The declaration of a role's first provider, with its shape and labels.
    pub fn declaration<T: Element>(&self, role: Role<T>) -> Option<&'a VariableInfo> {
        self.providers(role).next().map(|(_, variable)| variable)
    }

    /// The declarations of all providers of a role, each with its part, in configuration order.
    pub fn declarations<T: Element>(&self, role: Role<T>) -> Vec<(&'a PartInfo, &'a VariableInfo)> {
        self.providers(role).collect()
    }

    /// The providers that the part can see, in configuration order.
    pub(super) fn providers<T: Element>(
        &self,
        role: Role<T>,
    ) -> impl Iterator<Item = (&'a PartInfo, &'a VariableInfo)> + use<'a, T> {
        self.looked_up.borrow_mut().push(role.name);
        providers(role.name, self.own_field, self.parts, self.providers)
    }
}

/// The providers of a role that a part in this field can see, in configuration order. The field is `None` for the farm's own parts.
pub(crate) fn providers<'p>(
    role: &str,
    field: Option<usize>,
    parts: &'p [PartInfo],
    providers: &'p Providers,
) -> impl Iterator<Item = (&'p PartInfo, &'p VariableInfo)> + use<'p> {
    let known = providers.get(role).iter();
    let known = known.map(|(part, variable)| (&parts[*part], &parts[*part].variables[*variable]));
    known.filter(move |(part, variable)| part.is_seen_from(field) && part.shows(variable, field))
}

/// The complete declarations of a game, with the columns of all variables.
#[derive(Debug)]
pub struct Found<'a> {
    pub(crate) known: Known<'a>,
    pub(crate) part: &'a PartInfo,
    /// The number of event kinds that the parts before this one emit.
    pub(crate) events_before: usize,
    pub(crate) balances: Vec<MassBalance>,
    pub(crate) problems: Problems,
}

impl<'a> Deref for Found<'a> {
    type Target = Known<'a>;

    fn deref(&self) -> &Known<'a> {
        &self.known
    }
}

impl<'a> Found<'a> {
    /// Exchanges a token: an own variable for its column, a role for the columns of its providers, an event for its id.
    pub fn get<K: Token>(&self, token: K) -> K::Found {
        token.found(self)
    }

    /// The columns of all providers of a role, each with the name of its part and its declaration, in configuration order.
    pub fn named<T: Element>(&self, all: All<T>) -> Vec<(&'a PartInfo, &'a VariableInfo, Column<T>)> {
        self.providers(all.0).filter_map(|(part, variable)| Some((part, variable, variable.column()?))).collect()
    }

    /// The part's own declarations.
    pub fn part(&self) -> &'a PartInfo {
        self.part
    }

    /// All events with this name, from any part.
    pub fn events_named(&self, name: &str) -> Vec<EventId> {
        let all = self.parts.iter().flat_map(|part| &part.events);
        all.enumerate().filter(|(_, event)| event.name == name).map(|(i, _)| EventId(i as u16)).collect()
    }

    /// The maximum number of events of this kind per step.
    pub fn events_per_step(&self, id: EventId) -> usize {
        self.parts.iter().flat_map(|part| &part.events).nth(id.index()).map_or(0, |event| event.per_step)
    }

    /// Sets a stock's mass balance.
    pub fn mass_balance(&mut self, balance: MassBalance) {
        self.balances.push(balance);
    }

    /// Reports a problem in the part's own parameters. The problem's path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem.below(&self.part().config));
    }
}

/// A token, and what it becomes when the game is complete. Lists, arrays and options of tokens are tokens too.
pub trait Token {
    /// What it becomes.
    type Found;

    /// Exchanges the token.
    fn found(self, found: &Found<'_>) -> Self::Found;
}

impl<T: Element> Token for Own<T> {
    type Found = Column<T>;

    fn found(self, found: &Found<'_>) -> Column<T> {
        let variables = found.part().own(self.variables).iter();
        let columns: Vec<Column<T>> = variables.filter_map(|variable| variable.column()).collect();
        Column::joined(&columns)
    }
}

impl<T: Element> Token for One<T> {
    type Found = Column<T>;

    fn found(self, found: &Found<'_>) -> Column<T> {
        let mut providers = found.providers(self.0);
        // A part is bound only if each of its needs is met.
        providers.next().and_then(|(_, variable)| variable.column()).unwrap_or(Column::new(0, 0))
    }
}

impl<T: Element> Token for Maybe<T> {
    type Found = Option<Column<T>>;

    fn found(self, found: &Found<'_>) -> Option<Column<T>> {
        found.providers(self.0).next().and_then(|(_, variable)| variable.column())
    }
}

impl<T: Element> Token for All<T> {
    type Found = Vec<Column<T>>;

    fn found(self, found: &Found<'_>) -> Vec<Column<T>> {
        found.providers(self.0).filter_map(|(_, variable)| variable.column()).collect()
    }
}

impl Token for OwnEvent {
    type Found = EventId;

    fn found(self, found: &Found<'_>) -> EventId {
        EventId((found.events_before + self.0) as u16)
    }
}

impl<K: Token> Token for Option<K> {
    type Found = Option<K::Found>;

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.map(|token| token.found(found))
    }
}

impl<K: Token> Token for Vec<K> {
    type Found = Vec<K::Found>;

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.into_iter().map(|token| token.found(found)).collect()
    }
}

impl<K: Token, const N: usize> Token for [K; N] {
    type Found = [K::Found; N];

    fn found(self, found: &Found<'_>) -> Self::Found {
        self.map(|token| token.found(found))
    }
}

impl<A: Token, B: Token> Token for (A, B) {
    type Found = (A::Found, B::Found);

    fn found(self, found: &Found<'_>) -> Self::Found {
        (self.0.found(found), self.1.found(found))
    }
}
