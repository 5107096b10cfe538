//! The declarations of a class, read from Python and passed to the engine.

use farm_core::ConstraintInfo;
use farm_core::config::{Path, Problem, Tool};
use farm_core::declare::{
    ActionInfo, ActionParameter, EventInfo, Own, OwnEvent, PartInfo, RoleError, ValueKind, Variable, VariableInfo, real,
};
use farm_core::declare::{Picture, SeriesKind, Shown, Sprite};
use farm_core::registry::{RoleEntry, roles};
use farm_core::{Column, Declarations, Element, Found, Phase, Region, Role};
use serde::Deserialize;

use super::desk::{ColumnPlan, Entry};
use super::{lasting, of_class};

/// The declarations from `farm_gym.Declarations`, which has already checked them as far as it can.
#[derive(Debug, Deserialize)]
pub(super) struct Notes {
    variables: Vec<VariableNote>,
    reads: Vec<ReadNote>,
    actions: Vec<ActionNote>,
    events: Vec<EventNote>,
    constraints: Vec<ConstraintNote>,
    phases: Vec<String>,
    pictures: Vec<PictureNote>,
    /// Remarks for the author.
    pub remarks: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct VariableNote {
    name: String,
    kind: KindNote,
    doc: String,
    default: f64,
    per_plot: bool,
    shape: Vec<usize>,
    hidden: bool,
    computed: bool,
    roles: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum KindNote {
    Real { low: f64, high: f64 },
    Count { low: i32, high: i32 },
    Category { labels: Vec<String> },
    Numbered { n: u32 },
    Flag,
}

#[derive(Debug, Deserialize)]
struct ReadNote {
    role: String,
    need: String,
    writes: bool,
}

#[derive(Debug, Deserialize)]
struct ActionNote {
    name: String,
    doc: String,
    parameters: Vec<ParameterNote>,
    waits: bool,
    shown: Option<ShownNote>,
}

/// The past participle of an action, and its badge.
#[derive(Debug, Deserialize)]
struct ShownNote {
    done: String,
    badge: SpriteNote,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ParameterNote {
    Plot,
    Real { name: String, low: f64, high: f64, offered: Vec<f64>, doc: String },
    Choice { name: String, words: Vec<String>, doc: String },
}

#[derive(Debug, Deserialize)]
struct EventNote {
    name: String,
    per_step: usize,
    doc: String,
    labels: Vec<String>,
    lasting: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct ConstraintNote {
    name: String,
    unit: String,
    limit: Option<f64>,
    weight: f64,
}

/// The observable for a window, and the part and variable that it shows.
type SeenNote = (String, String, String);

#[derive(Debug, Deserialize)]
struct PictureNote {
    title: String,
    place: PlaceNote,
    layer: i32,
    looks: Vec<LookNote>,
    values: Vec<String>,
    heat: Option<(String, f64, f64)>,
    entries: Option<Vec<usize>>,
    window: Option<(usize, Vec<SeenNote>)>,
    /// Variable, value at the smallest size, value at full size.
    growths: Vec<(String, f64, f64)>,
    season: Vec<SeriesNote>,
}

/// A line in the season chart.
#[derive(Debug, Deserialize)]
struct SeriesNote {
    title: String,
    variable: String,
    kind: String,
    color: [u8; 3],
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum PlaceNote {
    Plots,
    Things { at: String, columns: usize, margin: usize },
    Map { margin: usize },
    SeenTiles,
    Position { at: String },
    Strip,
}

#[derive(Debug, Deserialize)]
struct LookNote {
    name: String,
    when: ConditionNote,
    sprite: SpriteNote,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ConditionNote {
    Always,
    /// None means no upper bound, because JSON has no infinity.
    Within {
        variable: String,
        low: f64,
        high: Option<f64>,
    },
    Label {
        variable: String,
        label: String,
    },
    Names {
        names: Vec<String>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SpriteNote {
    Nothing,
    /// The SVG text, and its source: a file, or the class.
    Svg {
        text: String,
        from: String,
    },
    Label {
        name: String,
    },
}

/// The engine's tokens for the declarations.
pub(super) struct Declared {
    /// The number of stored variables. They are the part's first ones.
    variables: usize,
    reads: Vec<ReadNote>,
    pub actions: Vec<ActionInfo>,
    pub observables: Vec<Observable>,
    pub events: Vec<(OwnEvent, String, usize)>,
    pub constraints: Vec<(ConstraintNote, Own<f64>)>,
}

/// A variable that is computed when it is observed.
pub(super) struct Observable {
    pub name: String,
    pub kind: ValueKind,
    pub shape: Vec<usize>,
}

/// The value at which totals of constraints saturate.
const MAX_TOTAL: f64 = 1e12;

impl Notes {
    /// Declares everything to the engine.
    pub(super) fn declare(self, d: &mut Declarations<'_>) -> Declared {
        let (mut variables, mut observables) = (0, Vec::new());
        for note in self.variables {
            let kind = note.kind.kind();
            if note.computed {
                let shape = if note.per_plot { vec![d.field().length(), d.field().width()] } else { note.shape };
                d.observable(&note.name, kind.clone(), &shape, &note.doc);
                observables.push(Observable { name: note.name, kind, shape });
                continue;
            }
            match kind.region() {
                Region::Reals => own::<f64>(d, kind, &note),
                Region::Counts => own::<i32>(d, kind, &note),
                Region::Bytes => own::<u8>(d, kind, &note),
            }
            variables += 1;
        }
        for note in &self.reads {
            note.declare(d);
        }
        let mut actions = Vec::new();
        for ActionNote { name, doc, parameters, waits, shown } in self.actions {
            let parameters: Vec<_> = parameters.into_iter().map(ParameterNote::parameter).collect();
            let mut action = ActionInfo::new(&name, &doc, parameters);
            if let Some(ShownNote { done, badge }) = shown {
                badge.check(&format!("the badge of the action `{name}`"), d);
                action = action.shown_as(&done, badge.sprite());
            }
            let action = if waits { action.waiting() } else { action };
            d.action_with(action.clone());
            actions.push(action);
        }
        let mut events = Vec::new();
        for EventNote { name, per_step, doc, labels, lasting } in self.events {
            let event = EventInfo::new(&name, per_step, &doc).with_labels(labels);
            let event = d.event_with(if lasting { event.as_lasting() } else { event });
            events.push((event, name, per_step));
        }
        for name in &self.phases {
            Phase::ALL.into_iter().filter(|phase| phase.name() == name).for_each(|phase| d.runs_in(phase));
        }
        let constraints = self.constraints.into_iter().map(|note| {
            let doc = format!("Total of `{}` in the episode.", note.name);
            let total = real(&format!("{}_total#{}", note.name, note.unit), -MAX_TOTAL, MAX_TOTAL, &doc);
            let total = d.variable(total);
            (note, total)
        });
        let constraints = constraints.collect();
        for note in self.pictures {
            note.check(d);
            d.picture(note.picture());
        }
        Declared { variables, reads: self.reads, actions, observables, events, constraints }
    }
}

impl Declared {
    /// The columns that the part sees: its own, and those of the roles that it looks up.
    pub(super) fn plan(&self, found: &mut Found<'_>) -> ColumnPlan {
        let mut plan = ColumnPlan::default();
        let own = found.part();
        for variable in &own.variables()[..self.variables] {
            let slot = plan.slot(own, variable, true);
            plan.entries.push((variable.name().to_owned(), slot.map_or(Entry::Nothing, Entry::One)));
        }
        for note in &self.reads {
            let entry = note.entry(found, &mut plan);
            plan.entries.push((note.role.clone(), entry));
        }
        plan
    }
}

impl ConstraintNote {
    /// The constraint, whose total is in this column.
    pub(super) fn constraint(self, total: Column<f64>) -> ConstraintInfo {
        ConstraintInfo { name: self.name, unit: self.unit, limit: self.limit, weight: self.weight, total }
    }
}

impl PictureNote {
    /// Reports each sprite that is not an SVG, with its file.
    fn check(&self, d: &mut Declarations<'_>) {
        for look in &self.looks {
            look.sprite.check(&format!("the sprite `{}` of the picture `{}`", look.name, self.title), d);
        }
    }

    fn picture(self) -> Picture {
        let (title, layer) = (self.title, self.layer);
        let mut picture = match self.place {
            PlaceNote::Plots => Picture::on_plots(&title, layer),
            PlaceNote::Things { at, columns, margin } => Picture::of_things(&title, layer, &at, columns, margin),
            PlaceNote::Map { margin } => Picture::of_map(&title, layer, margin),
            PlaceNote::Position { at } => Picture::at_position(&title, layer, &at),
            PlaceNote::SeenTiles => Picture::of_seen_tiles(&title, layer),
            PlaceNote::Strip => Picture::in_status_bar(&title),
        };
        for LookNote { name, when, sprite } in self.looks {
            let sprite = sprite.sprite();
            picture = match when {
                ConditionNote::Always => picture.otherwise(&name, sprite),
                ConditionNote::Within { variable, low, high } => {
                    picture.within(&variable, low, high.unwrap_or(f64::INFINITY), &name, sprite)
                }
                ConditionNote::Label { variable, label } => picture.label(&variable, &label, &name, sprite),
                ConditionNote::Names { names } => {
                    picture.names(&names.iter().map(String::as_str).collect::<Vec<_>>(), &name, sprite)
                }
            };
        }
        picture = self.values.iter().fold(picture, |picture, variable| picture.value(variable));
        if let Some((variable, low, high)) = self.heat {
            picture = picture.heat(&variable, low, high);
        }
        if let Some(entries) = self.entries {
            picture = picture.entries(entries);
        }
        if let Some((edge, seen)) = self.window {
            let layers = seen.into_iter();
            let layers = layers.map(|(observable, part, variable)| (observable, Shown::Around(part, variable)));
            picture = picture.sees(edge, layers.collect());
        }
        for (variable, low, high) in self.growths {
            picture = picture.grows_with(&variable, low, high);
        }
        for SeriesNote { title, variable, kind, color } in self.season {
            let kind = match kind.as_str() {
                "level" => SeriesKind::Level,
                "daily" => SeriesKind::Daily,
                _ => SeriesKind::Total,
            };
            picture = picture.over_season(&title, &variable, kind, color);
        }
        picture
    }
}

impl SpriteNote {
    /// Reports the sprite if it is not an SVG, with its file.
    fn check(&self, what: &str, d: &mut Declarations<'_>) {
        let Self::Svg { text, from } = self else { return };
        if let Err(reason) = farm_render::check_sprite(text) {
            let message = format!("{from}: {what} of `{}` is not an SVG that can be drawn: {reason}", d.part().path());
            let expected = "an SVG with the namespace http://www.w3.org/2000/svg and a square view box";
            d.problem(of_class(message).expected(expected));
        }
    }

    fn sprite(self) -> Sprite {
        match self {
            Self::Nothing => Sprite::Nothing,
            Self::Svg { text, .. } => Sprite::from(text),
            Self::Label { name } => Sprite::Label(name),
        }
    }
}

impl KindNote {
    fn kind(&self) -> ValueKind {
        match self {
            Self::Real { low, high } => ValueKind::Real { low: *low, high: *high },
            Self::Count { low, high } => ValueKind::Count { low: *low, high: *high },
            Self::Category { labels } => ValueKind::named(labels),
            Self::Numbered { n } => ValueKind::numbered(*n),
            Self::Flag => ValueKind::Flag,
        }
    }
}

impl ParameterNote {
    fn parameter(self) -> ActionParameter {
        match self {
            Self::Plot => ActionParameter::plot(),
            Self::Real { name, low, high, offered, doc } => ActionParameter::real(&name, low, high, &offered, &doc),
            Self::Choice { name, words, doc } => {
                ActionParameter::choice(&name, &words.iter().map(String::as_str).collect::<Vec<_>>(), &doc)
            }
        }
    }
}

/// Declares one of the class's variables.
fn own<T: Element>(d: &mut Declarations<'_>, kind: ValueKind, note: &VariableNote) {
    let mut variable = Variable::<T>::new(&note.name, kind, &note.doc).default(note.default);
    if note.per_plot {
        variable = variable.per_plot();
    } else if !note.shape.is_empty() {
        variable = variable.shape(&note.shape);
    }
    if note.hidden {
        variable = variable.hidden();
    }
    for name in &note.roles {
        let role = match registered(name) {
            Some(entry) if entry.region() != T::REGION => {
                let message = format!(
                    "variable `{}` of `{}` has the role `{name}`, which has {}",
                    note.name,
                    d.part().path(),
                    numbers(entry.region())
                );
                d.problem(of_class(message).expected(format!("{}: {}", entry.unit(), entry.doc().trim())));
                continue;
            }
            Some(entry) => entry.role(),
            // A role that the user's own parts agree on.
            None => Role::shaped(lasting(name), "", ""),
        };
        variable = variable.role(role);
    }
    d.variable(variable);
}

fn numbers(region: Region) -> &'static str {
    match region {
        Region::Reals => "real numbers",
        Region::Counts => "integers",
        Region::Bytes => "categories or flags",
    }
}

fn registered(role: &str) -> Option<&'static RoleEntry> {
    roles().into_iter().find(|entry| entry.name() == role)
}

impl ReadNote {
    /// The role: a registered one, or one of the user's own parts. The type of its numbers does not matter here, because only its providers
    /// know it.
    fn role(&self) -> Role<f64> {
        let own = || Role::shaped(lasting(&self.role), "", "a role of the user's own parts");
        registered(&self.role).map_or_else(own, RoleEntry::role)
    }

    /// Whether this looks up a role that only the user's own parts know, and that needs a provider. The engine could not name similar roles.
    fn is_own_and_needed(&self) -> bool {
        self.need == "one" && registered(&self.role).is_none()
    }

    fn declare(&self, d: &mut Declarations<'_>) {
        let role = self.role();
        match self.need.as_str() {
            "one" if !self.is_own_and_needed() => {
                d.one(role);
            }
            "all" => {
                d.all(role);
            }
            _ => {
                d.maybe(role);
            }
        }
        if self.writes {
            d.writes(role);
        }
    }

    /// Finds the role's columns.
    fn entry(&self, found: &mut Found<'_>, plan: &mut ColumnPlan) -> Entry {
        let providers = found.declarations(self.role());
        if self.is_own_and_needed() && providers.len() != 1 {
            found.problem(self.problem(found, &providers));
        }
        let mut slots = providers.iter().filter_map(|(part, variable)| plan.slot(part, variable, self.writes));
        match self.need.as_str() {
            "all" => Entry::Several(slots.collect()),
            _ => slots.next().map_or(Entry::Nothing, Entry::One),
        }
    }

    /// The problem with a role that has no provider, or several.
    fn problem(&self, found: &Found<'_>, providers: &[(&PartInfo, &VariableInfo)]) -> Problem {
        let (part, role) = (found.part().path(), self.role.as_str());
        if providers.is_empty() {
            let known = roles().into_iter().map(|entry| entry.name());
            let declared =
                found.parts().iter().flat_map(|part| part.variables()).flat_map(|v| v.roles().iter().copied());
            let message = format!("`{part}` needs the role `{role}`, which no part provides");
            let problem = of_class(message).value(role).among(role, known.chain(declared));
            return problem
                .help(Tool::list("roles").and(" shows those of this project; your own parts may declare others"));
        }
        let paths: Vec<String> = providers.iter().map(|(part, _)| format!("`{}`", part.path())).collect();
        let message = format!("`{part}` needs one provider of the role `{role}`, but there are several");
        let problem = Problem::new(RoleError::SeveralProviders, Path::default(), message);
        problem.about_name().value(paths.join(", ")).help("keep one of them in the field")
    }
}
