//! The declarations of a class, read from Python and passed to the engine.

use farm_core::ConstraintInfo;
use farm_core::config::Tool;
use farm_core::declare::{
    ActionInfo, ActionParameter, EventId, EventInfo, PartInfo, ValueKind, Variable, VariableInfo, real,
};
use farm_core::declare::{Picture, SeriesKind, Shown, Sprite};
use farm_core::registry::{RoleEntry, roles};
use farm_core::{Builder, Column, Element, Phase, Region, Role};
use serde::Deserialize;

use super::desk::{ColumnPlan, Entry, Handle, Slot};
use super::{lasting, of_class};

/// The declarations from `farm_gym.parts.Builder`, which has already checked them as far as it can.
#[derive(Debug, Deserialize)]
pub(super) struct Declarations {
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
struct ConstraintNote {
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

/// The engine's handles for the declarations.
pub(super) struct Declared {
    pub plan: ColumnPlan,
    pub actions: Vec<ActionInfo>,
    pub observables: Vec<Observable>,
    pub events: Vec<(EventId, String, usize)>,
    pub constraints: Vec<ConstraintInfo>,
}

/// A variable that is computed when it is observed.
pub(super) struct Observable {
    pub name: String,
    pub kind: ValueKind,
    pub shape: Vec<usize>,
}

/// The value at which totals of constraints saturate.
const MAX_TOTAL: f64 = 1e12;

impl Declarations {
    /// Declares everything to the engine.
    pub(super) fn declare(self, b: &mut Builder<'_>) -> Declared {
        let mut plan = ColumnPlan::default();
        let mut observables = Vec::new();
        for note in self.variables {
            let kind = note.kind.kind();
            if note.computed {
                let shape = if note.per_plot { vec![b.field().length(), b.field().width()] } else { note.shape };
                b.observable(&note.name, kind.clone(), &shape, &note.doc);
                observables.push(Observable { name: note.name, kind, shape });
                continue;
            }
            let (low, high) = kind.range();
            let shape = if note.per_plot { vec![b.field().length(), b.field().width()] } else { note.shape.clone() };
            let handle = match kind.region() {
                Region::Reals => Handle::Real(own(b, kind, &note)),
                Region::Counts => Handle::Count(own(b, kind, &note)),
                Region::Bytes => Handle::Byte(own(b, kind, &note)),
            };
            let name = format!("{}.{}", b.path(), note.name);
            let slot = plan.slot(Slot { handle, shape, range: (low, high), writes: true, name });
            plan.entries.push((note.name, Entry::One(slot)));
        }
        for note in self.reads {
            read(b, &note, &mut plan);
        }
        let mut actions = Vec::new();
        for ActionNote { name, doc, parameters, waits, shown } in self.actions {
            let parameters: Vec<_> = parameters.into_iter().map(ParameterNote::parameter).collect();
            let index = if waits { b.waiting_action(&name, &doc) } else { b.action(&name, parameters.clone(), &doc) };
            if let Some(ShownNote { done, badge }) = shown {
                if b.is_complete() {
                    badge.check(&format!("the badge of the action `{name}`"), b);
                }
                b.shown_as(index, &done, badge.sprite());
            }
            let action = ActionInfo::new(&name, &doc, parameters);
            actions.push(if waits { action.waiting() } else { action });
        }
        let mut events = Vec::new();
        for EventNote { name, per_step, doc, labels, lasting } in self.events {
            let event = EventInfo::new(&name, per_step, &doc).with_labels(labels);
            let id = b.event_with(if lasting { event.as_lasting() } else { event });
            events.push((id, name, per_step));
        }
        for name in &self.phases {
            Phase::ALL.into_iter().filter(|phase| phase.name() == name).for_each(|phase| b.runs_in(phase));
        }
        let constraints = self.constraints.into_iter().map(|note| {
            let doc = format!("Total of `{}` in the episode.", note.name);
            let total = real(&format!("{}_total#{}", note.name, note.unit), -MAX_TOTAL, MAX_TOTAL, &doc);
            let total = b.declare(total);
            ConstraintInfo { name: note.name, unit: note.unit, limit: note.limit, weight: note.weight, total }
        });
        let constraints = constraints.collect();
        for note in self.pictures {
            if b.is_complete() {
                note.check(b);
            }
            b.picture(note.picture());
        }
        Declared { plan, actions, observables, events, constraints }
    }
}

impl PictureNote {
    /// Reports each sprite that is not an SVG, with its file.
    fn check(&self, b: &mut Builder<'_>) {
        for look in &self.looks {
            look.sprite.check(&format!("the sprite `{}` of the picture `{}`", look.name, self.title), b);
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
    fn check(&self, what: &str, b: &mut Builder<'_>) {
        let Self::Svg { text, from } = self else { return };
        if let Err(reason) = farm_render::check_sprite(text) {
            let message = format!("{from}: {what} of `{}` is not an SVG that can be drawn: {reason}", b.path());
            let expected = "an SVG with the namespace http://www.w3.org/2000/svg and a square view box";
            b.problem(of_class(message).expected(expected));
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
fn own<T: Element>(b: &mut Builder<'_>, kind: ValueKind, note: &VariableNote) -> Column<T> {
    let mut variable = Variable::new(&note.name, kind, &note.doc).default(note.default);
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
                    b.path(),
                    numbers(entry.region())
                );
                b.problem(of_class(message).expected(format!("{}: {}", entry.unit(), entry.doc().trim())));
                continue;
            }
            Some(entry) => entry.role(),
            // A role that the user's own parts agree on.
            None => Role::shaped(lasting(name), "", ""),
        };
        variable = variable.role(role);
    }
    b.declare(variable)
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

/// The variables that fill a role, from all parts.
fn filling<'p>(parts: &'p [PartInfo], role: &'p str) -> impl Iterator<Item = &'p VariableInfo> {
    parts.iter().flat_map(|part| part.variables()).filter(move |variable| variable.roles().contains(&role))
}

/// Looks up a role.
fn read(b: &mut Builder<'_>, note: &ReadNote, plan: &mut ColumnPlan) {
    let role = note.role.as_str();
    let first = filling(b.parts(), role).next();
    let region = match (registered(role), first) {
        (Some(entry), _) => Some(entry.region()),
        (None, Some(variable)) if variable.column::<f64>().is_some() => Some(Region::Reals),
        (None, Some(variable)) if variable.column::<i32>().is_some() => Some(Region::Counts),
        (None, Some(_)) => Some(Region::Bytes),
        (None, None) => None,
    };
    let entry =
        match region {
            Some(Region::Reals) => look_up(b, note, plan, Handle::Real),
            Some(Region::Counts) => look_up(b, note, plan, Handle::Count),
            Some(Region::Bytes) => look_up(b, note, plan, Handle::Byte),
            // A user's role that no part in the game provides.
            None if note.need == "maybe" => Entry::Nothing,
            None if note.need == "all" => Entry::Several(Vec::new()),
            None => {
                if b.is_complete() {
                    let known: Vec<&str> = roles().into_iter().map(|entry| entry.name()).collect();
                    let declared =
                        b.parts().iter().flat_map(|part| part.variables()).flat_map(|v| v.roles().iter().copied());
                    let message = format!("`{}` needs the role `{role}`, which no part provides", b.path());
                    let problem = of_class(message).value(role).among(role, known.into_iter().chain(declared));
                    b.problem(problem.help(
                        Tool::list("roles").and(" shows those of this project; your own parts may declare others"),
                    ));
                }
                Entry::Nothing
            }
        };
    plan.entries.push((note.role.clone(), entry));
}

fn look_up<T: Element>(
    b: &mut Builder<'_>,
    note: &ReadNote,
    plan: &mut ColumnPlan,
    handle: fn(Column<T>) -> Handle,
) -> Entry {
    let role = match registered(&note.role) {
        Some(entry) => Role::<T>::shaped(entry.name(), entry.unit(), entry.doc()),
        None => Role::shaped(lasting(&note.role), "", "a role of the user's own parts"),
    };
    if note.writes {
        b.writes(role);
    }
    let mut slot = |b: &Builder<'_>, column: Column<T>| {
        let all = b.parts().iter().flat_map(|part| part.variables().iter().map(move |variable| (part, variable)));
        let found = all.into_iter().find(|(_, variable)| variable.column::<T>() == Some(column));
        let (name, shape, range) = match found {
            Some((part, variable)) => {
                (format!("{}.{}", part.path(), variable.name()), variable.shape().to_vec(), variable.kind().range())
            }
            // Before the game is complete, variables can't be found yet.
            None => (note.role.clone(), vec![column.len()], (0.0, 0.0)),
        };
        plan.slot(Slot { handle: handle(column), shape, range, writes: note.writes, name })
    };
    match note.need.as_str() {
        "one" => {
            let column = b.one(role);
            if column.is_empty() { Entry::Nothing } else { Entry::One(slot(b, column)) }
        }
        "maybe" => b.maybe(role).map_or(Entry::Nothing, |column| Entry::One(slot(b, column))),
        _ => {
            let columns = b.all(role);
            Entry::Several(columns.into_iter().map(|column| slot(b, column)).collect())
        }
    }
}
