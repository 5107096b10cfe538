//! Limits that the farmers in farm games share: a maximum number of actions per day, and permissions for fields.

use std::collections::BTreeMap;

use farm_core::action::ActionKind;
use farm_core::config::{NameError, Path, Problem};
use farm_core::{Column, Columns, Context, Declarations, Reader};

/// The permissions of a farmer in a field.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Permission {
    /// Whether it may observe.
    #[parameter(default = true)]
    pub can_observe: bool,
    /// Whether it may act.
    #[parameter(default = true)]
    pub can_intervene: bool,
}

/// What limits a farmer.
#[derive(Clone)]
pub(super) struct Permitted {
    max_interventions: i32,
    max_observations: i32,
    /// Whether it may observe and act, for each field.
    permissions: Vec<(bool, bool)>,
}

/// A farmer's daily limits and permissions.
#[derive(Columns)]
pub(super) struct Limits {
    permitted: Permitted,
    /// Number of interventions carried out today.
    #[count(name = "interventions_today", range = 0..=permitted.max_interventions)]
    interventions: Column<i32>,
    /// Number of observations made today.
    #[count(name = "observations_today", range = 0..=permitted.max_observations)]
    observations: Column<i32>,
}

impl Permitted {
    /// Checks the names of the fields.
    pub(super) fn new(
        d: &mut Declarations<'_>,
        max_interventions: u32,
        max_observations: Option<u32>,
        permissions: &BTreeMap<String, Permission>,
    ) -> Self {
        let names: Vec<String> = d.fields().iter().map(|field| field.name().to_owned()).collect();
        for name in permissions.keys().filter(|name| !names.contains(name)) {
            let path = Path::default().child("permissions").child(name);
            let problem = Problem::new(NameError::UnknownField, path, format!("there is no field `{name}`"))
                .value(name)
                .about_name();
            d.problem(problem.among(name, names.iter().map(String::as_str)));
        }
        let may = |name: &String| permissions.get(name).map_or((true, true), |p| (p.can_observe, p.can_intervene));
        let limit = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            max_interventions: limit(max_interventions),
            max_observations: max_observations.map_or(i32::MAX, limit),
            permissions: names.iter().map(may).collect(),
        }
    }
}

impl Limits {
    fn of(&self, kind: ActionKind) -> (Column<i32>, i32) {
        match kind {
            ActionKind::Observation => (self.observations, self.permitted.max_observations),
            ActionKind::Intervention => (self.interventions, self.permitted.max_interventions),
        }
    }

    /// Whether the farmer has permission for this kind of action in a field. Parts outside fields need no permission.
    pub(super) fn allows(&self, kind: ActionKind, field: Option<usize>) -> bool {
        let (observe, intervene) =
            field.and_then(|f| self.permitted.permissions.get(f).copied()).unwrap_or((true, true));
        match kind {
            ActionKind::Observation => observe,
            ActionKind::Intervention => intervene,
        }
    }

    /// The reason why it can't do another action of this kind today; none if it can.
    #[inline]
    pub(super) fn rejection(&self, kind: ActionKind, reader: &Reader<'_>) -> Option<&'static str> {
        let (done, most) = self.of(kind);
        (reader.get(done)[0] >= most).then_some("the farmer has no time left today")
    }

    /// Counts an action of this kind.
    #[inline]
    pub(super) fn before_action(&self, kind: ActionKind, c: &mut Context<'_>) {
        let done = &c.get(self.of(kind).0)[0];
        done.set(done.get() + 1);
    }

    /// Resets the counts for a new day.
    #[inline]
    pub(super) fn new_day(&self, c: &mut Context<'_>) {
        c.get(self.interventions)[0].set(0);
        c.get(self.observations)[0].set(0);
    }
}
