//! A farmer with a position in a field of crops. It must walk to act, carries stocks, and sees the plots around it.
//!
//! | reads | role |
//! |---|---|
//! | the per-plot variables that its window shows | by name |
//! | the parameters of all actions in its field | by unit |
//!
//! | writes | unit |
//! |---|---|
//! | `position` (role `agent_position`) | plot |
//! | `place`: the refill place on each plot, the same in every episode | category |
//! | `steps_today`: the number of steps already taken today, if a day has several steps | count |
//! | `carried_…`: the amount left in each stock | unit in the stock's name |
//! | `map` (computed when observed): the places of the whole field, north up | category |
//! | `view.place`, and `view.…` for each variable shown (computed when observed): the plots around the farmer, north up | by variable |
//!
//! It works in the first field. It rejects actions on plots out of reach and actions on the whole field. If an action has an
//! amount in the unit of a stock, the amount is taken from the stock, even if the action has no effect. Plots beyond the
//! border have the place `outside`. For these plots, the other windows show the minimum of the range, or the label `outside`. In games with
//! paid observations, the farmer cannot observe far plots: it sees variables with a value per plot only through its window.
//!
//! Source: crossover of Farm-gym (paper 3.1, fields and actions) and Backwards Valley (B7, moves and window).

mod window;

use farm_core::Slot;
use farm_core::action::{ActionKind, Call, CallArguments};
use farm_core::config::{NameError, Path, Problem};
use farm_core::declare::{ActionInfo, ActionParameterKind, Own, PartInfo, ValueKind, category, count, real};
use farm_core::declare::{Picture, Shown};
use farm_core::inspect::listed;
use farm_core::{
    Attempt, Behaviour, Bind, Column, Context, Declarations, Farmer, FarmerBehaviour, Found, Purpose, Reader,
};
use farm_entities::grid::{GridError, Tile};
use indexmap::IndexMap;

use super::walking::{
    Draw, FACING_OF_MOVE, FARMER, adjacent, carried, check, declare_moves, declare_position, problem, usual_moves,
};
use window::{DeclaredWindow, Window};

use crate::FarmerError;

/// Something that the farmer carries. The unit in the name, as in `water#L`, decides which amounts are taken from it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Stock {
    /// The maximum that the farmer carries, in the unit of its name.
    #[parameter(default = 1.0, range = 0.0..=1e6)]
    pub capacity: f64,
    /// The amount at the start, in the unit of its name; default: the capacity.
    #[parameter(range = 0.0..=1e6)]
    pub starts_with: Option<f64>,
    /// The entities whose actions use it, such as `Fertilizer-0`; default: all.
    pub entities: Vec<String>,
}

/// A plot where the farmer refills stocks.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Place {
    /// Its plot.
    pub at: Tile,
    /// The names of the stocks that the farmer refills there.
    pub fills: Vec<String>,
}

/// A variable with a value per plot.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Seen {
    /// The entity, such as `Soil-0`.
    pub entity: String,
    /// Its variable, such as `available_Water#L`.
    pub variable: String,
}

/// Walks through a field to act, carries stocks and sees the plots around it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WalkingFarmer {
    /// Names of the moves to north, south, east and west.
    #[parameter(default = usual_moves())]
    pub moves: Vec<String>,
    /// Name of the action that lets time pass.
    #[parameter(default = "Wait".into())]
    pub wait: String,
    /// Name of the action that refills stocks at a place.
    #[parameter(default = "Refill".into())]
    pub refill: String,
    /// The maximum distance at which it can act, in plots north-south plus plots east-west; 0 is its own plot.
    #[parameter(unit = "nb", range = 0..=510)]
    pub reach: u32,
    /// Plots in a row of its window; odd, because the farmer is in the middle.
    #[parameter(unit = "nb", default = 5, range = 1..=21)]
    pub view: u32,
    /// The variables that the window shows for each plot.
    pub shows: Vec<Seen>,
    /// The plot where it starts; default: a random plot.
    pub starts_at: Option<Tile>,
    /// The stocks that it carries, by name and unit.
    pub stocks: IndexMap<String, Stock>,
    /// The places where it refills stocks, by name.
    pub places: IndexMap<String, Place>,
}

/// The name of the places window, which every farmer of this kind has.
pub const PLACES_SEEN: &str = "view.place";
/// The index of the refill action, after the four moves and the waiting action.
pub const REFILL: usize = 5;

/// The labels of a plot without a place, and of a plot beyond the border.
const NO_PLACE: &str = "none";
const OUTSIDE: &str = "outside";
/// The maximum number of places in a field; their codes and the two labels must fit in a byte.
const MAX_PLACES: usize = 200;
/// The maximum number of steps per day in a rule.
const MAX_STEPS: i32 = 100_000;

#[farm_core::register(source = "Crossover of Farm-gym paper 3.1 and Backwards Valley B7")]
impl Farmer for WalkingFarmer {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        Bind::after(move |d, known| {
            let (length, width) = (d.field().length(), d.field().width());
            let position = declare_position(d, length, width);
            check(d, &self.moves, self.view, "view#nb");
            if self.reach > self.view / 2 {
                let blind = problem(
                    FarmerError::BlindReach,
                    "reach#nb",
                    "the farmer reaches plots that its window does not show",
                )
                .value(self.reach);
                let help = "otherwise the effect mask reveals plots that the farmer cannot see";
                d.problem(blind.expected(format!("at most {}, half the window", self.view / 2)).help(help).warning());
            }
            declare_moves(d, &self.moves, "Moves you one plot {} unless you are at the edge of the field.");
            let wait = d.action_with(ActionInfo::new(&self.wait, "Lets one step pass.", Vec::new()).waiting());
            let places = self.places_by_plot(d);
            let refill = ActionInfo::new(
                &self.refill,
                "Tops up everything that the refill point on your plot supplies.",
                Vec::new(),
            );
            let refill = refill.shown_as("filled up", include_str!("../sprites/jug.svg"));
            let refill = (!self.places.is_empty()).then(|| d.action_with(refill));
            let names: Vec<&str> = [NO_PLACE].into_iter().chain(self.places.keys().map(String::as_str)).collect();
            let doc = "The refill point on each plot. It is the same in every episode.";
            let place = d.variable(category("place", ValueKind::named(&names), doc).per_plot());
            let steps = count("steps_today", 0, MAX_STEPS, "Number of steps completed today.");
            let steps_today = d.variable(steps);
            d.text_variable("carries", self.in_words());
            let capacities = self.stocks.values().map(|stock| stock.capacity).collect();
            let stocks: Vec<Own<f64>> = self.stocks.iter().map(|(name, stock)| declare_stock(d, name, stock)).collect();
            let start = self.starts_at.as_ref().and_then(|tile| plot_of(d, tile, Path::default().child("starts_at")));
            let fills = self.fills(d);
            let window = DeclaredWindow::new(d, known, self.view as usize, &self.shows, (place, &names));
            self.draw(d, window.shown(d.part().name()));
            let key = d.stream_key();
            Bind::new(move |found| Walker {
                key,
                length,
                width,
                tiles: (0..length * width).map(|plot| [(plot / width) as u8, (plot % width) as u8]).collect(),
                reach: self.reach,
                wait,
                refill,
                start,
                position: found.get(position),
                steps_today: found.get(steps_today),
                place: found.get(place),
                places,
                fills,
                capacities,
                carried: found.get(Own::joined(&stocks)),
                window: window.bind(found),
                sees_plots: found
                    .parts()
                    .iter()
                    .map(|p| p.field().is_some() && p.variables().iter().any(|v| v.per_plot()))
                    .collect(),
                requirements: self.requirements(found),
            })
        })
    }
}

/// Declares the amount left in a stock.
fn declare_stock(d: &mut Declarations<'_>, name: &str, stock: &Stock) -> Own<f64> {
    let at_start = stock.starts_with.unwrap_or(stock.capacity);
    if at_start > stock.capacity {
        let mut too_much =
            problem(FarmerError::WrongStock, "stocks", "the farmer starts with more than it can carry").value(at_start);
        too_much.path = too_much.path.child(name).child("starts_with");
        d.problem(too_much.expected(format!("at most its capacity, {}", stock.capacity)));
    }
    if !name.contains('#') {
        let mut unitless = problem(FarmerError::WrongStock, "stocks", "a stock needs a unit in its name").value(name);
        unitless.path = unitless.path.child(name);
        d.problem(unitless.expected("a name with a unit, such as `water#L`, `seeds#seed` or `fertiliser#kg`"));
    }
    let (what, unit) = name.split_once('#').unwrap_or((name, ""));
    let measured = if what.starts_with(unit) { "Number" } else { "Amount" };
    let doc = format!("{measured} of {what} that you are carrying.");
    let carried = real(&format!("carried_{name}"), 0.0, stock.capacity, &doc);
    d.variable(carried.default(at_start.min(stock.capacity)))
}

/// The flat index of a plot in the field.
fn plot_of(d: &mut Declarations<'_>, tile: &Tile, path: Path) -> Option<usize> {
    let (length, width) = (d.field().length(), d.field().width());
    let (x, y) = (tile.x as usize, tile.y as usize);
    if x < length && y < width {
        return Some(x * width + y);
    }
    let problem = Problem::new(FarmerError::PlotBeyondField, path, "this plot lies beyond the field")
        .value(format!("({x}, {y})"));
    d.problem(problem.expected(format!("x from 0 to {}, y from 0 to {}", length - 1, width - 1)));
    None
}

impl WalkingFarmer {
    /// Draws the farmer, the refill places on their plots, and the carried stocks. A place that refills a liquid is drawn as a well.
    fn draw(&self, d: &mut Declarations<'_>, seen: Vec<(String, Shown)>) {
        let farmer = Picture::at_position("Farmer", 60, "position").otherwise("farmer", FARMER);
        d.picture(farmer.sees(self.view as usize, seen));
        let sprite = |place: &Place| match place.fills.iter().any(|stock| stock.ends_with("#L")) {
            true => include_str!("../sprites/well.svg"),
            false => include_str!("../sprites/shed.svg"),
        };
        let places = Picture::on_plots("Places", 35);
        d.picture(
            self.places.iter().fold(places, |picture, (name, at)| picture.label("place", name, name, sprite(at))),
        );
        for name in self.stocks.keys() {
            let title = name.split('#').next().unwrap_or(name);
            d.picture(carried(title, &format!("carried_{name}")));
        }
    }

    /// The code of the place at each plot, 0 for none.
    fn places_by_plot(&self, d: &mut Declarations<'_>) -> Vec<u8> {
        let mut places = vec![0; d.field().plots()];
        for (i, (name, place)) in self.places.iter().take(MAX_PLACES).enumerate() {
            let path = Path::default().child("places").child(name).child("at");
            let Some(plot) = plot_of(d, &place.at, path) else { continue };
            if places[plot] != 0 {
                let mut twice = problem(FarmerError::WrongPlace, "places", "this plot already has a place").value(name);
                twice.path = twice.path.child(name);
                d.problem(twice.expected("one place per plot; a place can refill several stocks"));
            }
            places[plot] = i as u8 + 1;
        }
        if self.places.len() > MAX_PLACES {
            let many =
                problem(FarmerError::WrongPlace, "places", "a field has at most 200 places").value(self.places.len());
            d.problem(many.help("use one place for several stocks"));
        }
        if self.places.keys().any(|name| name == NO_PLACE || name == OUTSIDE) {
            let named =
                problem(FarmerError::WrongPlace, "places", "`none` and `outside` are not valid names for a place");
            d.problem(named.value(format!("{NO_PLACE} or {OUTSIDE}")).expected("another name, such as `well`"));
        }
        places
    }

    /// The stocks in words: the maximum amount of each, and its refill places.
    fn in_words(&self) -> String {
        let of = |(name, stock): (&String, &Stock)| {
            let places = self.places.iter().filter(|(_, place)| place.fills.contains(name));
            let places: Vec<&str> = places.map(|(place, _)| place.as_str()).collect();
            let (what, unit) = name.split_once('#').unwrap_or((name, ""));
            let filled = if places.is_empty() { "nowhere".to_owned() } else { format!("`{}`", places.join("` or `")) };
            let unit = if what.starts_with(unit) { String::new() } else { format!(" {unit}") };
            format!("{what} (up to {}{unit}) at {filled}", stock.capacity)
        };
        listed(&self.stocks.iter().map(of).collect::<Vec<_>>(), "and")
    }

    /// The stocks that each place refills.
    fn fills(&self, d: &mut Declarations<'_>) -> Vec<Vec<usize>> {
        let mut fills = Vec::new();
        for (name, place) in &self.places {
            let mut stocks = Vec::new();
            for stock in &place.fills {
                match self.stocks.get_index_of(stock) {
                    Some(index) => stocks.push(index),
                    None => {
                        let mut unknown =
                            problem(GridError::NotCarried, "places", format!("the farmer carries no `{stock}`"))
                                .value(stock);
                        unknown.path = unknown.path.child(name).child("fills");
                        d.problem(unknown.among(stock, self.stocks.keys().map(String::as_str)));
                    }
                }
            }
            fills.push(stocks);
        }
        fills
    }

    /// The requirements for each action of each part.
    fn requirements(&self, found: &mut Found<'_>) -> Vec<Vec<Requirement>> {
        let mut requirements = Vec::new();
        let mut ambiguous = Vec::new();
        for part in found.parts() {
            let own = part.field().is_none() && part.name() == found.part().name();
            let requirement = |(i, action): (usize, &ActionInfo)| match part.field() {
                None if own && i == REFILL => Requirement::Refill,
                None => Requirement::Free,
                Some(_) => self.requirement(part, action, &mut |problem| ambiguous.push(problem)),
            };
            requirements.push(part.actions().iter().enumerate().map(requirement).collect());
        }
        for message in ambiguous {
            let several = problem(FarmerError::WrongStock, "stocks", message).expected("one stock for each amount");
            found.problem(several.help("list different `entities` in these stocks"));
        }
        self.check_entities(found);
        requirements
    }

    /// The requirement for an entity's action.
    fn requirement(&self, part: &PartInfo, action: &ActionInfo, ambiguous: &mut dyn FnMut(String)) -> Requirement {
        let Some(plot) = action.parameters().iter().position(|p| *p.kind() == ActionParameterKind::Plot) else {
            return Requirement::WholeField;
        };
        let unit = |name: &str| name.split_once('#').map(|(_, unit)| unit.to_owned());
        let mut draws = Vec::new();
        for (parameter, info) in action.parameters().iter().enumerate() {
            let ActionParameterKind::Real { .. } = info.kind() else { continue };
            let Some(wanted) = unit(info.name()) else { continue };
            let gives = |name: &str, stock: &Stock| {
                let of_part = stock.entities.is_empty() || stock.entities.iter().any(|name| name == part.name());
                of_part && unit(name).is_some_and(|unit| unit == wanted)
            };
            let fitting = self.stocks.iter().enumerate().filter(|(_, (name, stock))| gives(name, stock));
            let found: Vec<usize> = fitting.map(|(stock, _)| stock).collect();
            if let [_, _, ..] = found.as_slice() {
                let names: Vec<&str> =
                    found.iter().filter_map(|s| Some(self.stocks.get_index(*s)?.0.as_str())).collect();
                let names = names.join("`, `");
                ambiguous(format!(
                    "`{}` of `{}.{}` fits several stocks: `{names}`",
                    info.name(),
                    part.path(),
                    action.name()
                ));
            }
            draws.extend(found.first().map(|stock| Draw { parameter, stock: *stock }));
        }
        Requirement::At { plot, draws }
    }

    /// Checks that stocks name only entities in the field.
    fn check_entities(&self, found: &mut Found<'_>) {
        let parts = found.parts().iter().filter(|part| part.field() == Some(0));
        let names: Vec<String> = parts.map(|part| part.name().to_owned()).collect();
        for (stock, entity) in self.stocks.iter().flat_map(|(name, s)| s.entities.iter().map(move |e| (name, e))) {
            if !names.contains(entity) {
                let mut unknown =
                    problem(NameError::UnknownPart, "stocks", format!("the field has no `{entity}`")).value(entity);
                unknown.path = unknown.path.child(stock).child("entities");
                found.problem(unknown.among(entity, names.iter().map(String::as_str)));
            }
        }
    }
}

/// The requirement for an action.
enum Requirement {
    /// Nothing.
    Free,
    /// A refill place.
    Refill,
    /// Reach over the whole field, which this farmer never has.
    WholeField,
    /// A plot within reach, set by the `plot` parameter, and enough in the stocks.
    At { plot: usize, draws: Vec<Draw> },
}

struct Walker {
    key: u64,
    length: usize,
    width: usize,
    /// The coordinates of each plot.
    tiles: Vec<[u8; 2]>,
    reach: u32,
    wait: usize,
    refill: Option<usize>,
    start: Option<usize>,
    position: Column<u8>,
    steps_today: Column<i32>,
    place: Column<u8>,
    /// The place on each plot.
    places: Vec<u8>,
    /// The stocks that each place refills.
    fills: Vec<Vec<usize>>,
    capacities: Vec<f64>,
    carried: Column<f64>,
    window: Window,
    /// Whether each part in the field has values per plot.
    sees_plots: Vec<bool>,
    /// The requirements for each action of each part.
    requirements: Vec<Vec<Requirement>>,
}

const START: Purpose = Purpose::named("start");

impl Behaviour for Walker {
    fn reset(&self, c: &mut Context<'_>) {
        let plots = (self.length * self.width) as u32;
        let plot = self.start.unwrap_or_else(|| c.stream(self.key, START).index(plots) as usize);
        let position = c.get(self.position);
        position[0].set((plot / self.width) as u8);
        position[1].set((plot % self.width) as u8);
        c.get(self.place).iter().zip(&self.places).for_each(|(cell, place)| cell.set(*place));
    }

    #[inline]
    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        if action == self.wait {
            return;
        }
        let position = c.get(self.position);
        let (x, y) = (position[0].get(), position[1].get());
        if self.refill == Some(action) {
            for stock in self.fillable(x, y) {
                c.get(self.carried)[*stock].set(self.capacities[*stock]);
            }
        } else if let Some((x, y)) = self.beyond(x, y, action) {
            position[0].set(x);
            position[1].set(y);
        }
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        if action == self.wait {
            return true;
        }
        let &[x, y] = reader.get(self.position) else { return false };
        if self.refill == Some(action) {
            let carried = reader.get(self.carried);
            return self.fillable(x, y).iter().any(|stock| carried[*stock] < self.capacities[*stock]);
        }
        self.beyond(x, y, action).is_some()
    }

    #[inline]
    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let position = reader.get(self.position);
        self.window.observe(observable, (usize::from(position[0]), usize::from(position[1])), reader, out);
    }
}

impl Walker {
    /// The target of a move; none beyond the border.
    #[inline]
    fn beyond(&self, x: u8, y: u8, action: usize) -> Option<(u8, u8)> {
        // On a field of 256 plots in a row a step beyond the border wraps round to a plot that exists.
        let (to_x, to_y) = adjacent(x, y, FACING_OF_MOVE[action & 3]);
        let is_near = to_x.abs_diff(x) <= 1 && to_y.abs_diff(y) <= 1;
        (is_near && usize::from(to_x) < self.length && usize::from(to_y) < self.width).then_some((to_x, to_y))
    }

    /// The stocks that the farmer can refill on a plot.
    #[inline]
    fn fillable(&self, x: u8, y: u8) -> &[usize] {
        let place = usize::from(self.places[usize::from(x) * self.width + usize::from(y)]);
        place.checked_sub(1).and_then(|place| self.fills.get(place)).map_or(&[], Vec::as_slice)
    }

    #[inline]
    fn requirement(&self, attempt: &Attempt<'_>) -> &Requirement {
        let requirement = attempt.action().and_then(|action| self.requirements.get(attempt.part())?.get(action));
        requirement.unwrap_or(&Requirement::Free)
    }

    /// The reason why a farmer at (x, y) with these stocks can't act on the plot in the `plot` parameter.
    #[inline]
    fn rejection_at(
        &self,
        (x, y): (u8, u8),
        plot: usize,
        draws: &[Draw],
        carried: &[f64],
        arguments: CallArguments<'_>,
    ) -> Option<&'static str> {
        let away = |[to_x, to_y]: &[u8; 2]| u32::from(to_x.abs_diff(x)) + u32::from(to_y.abs_diff(y));
        if self.tiles.get(arguments.plot(plot)).is_none_or(|tile| away(tile) > self.reach) {
            return Some("the plot is out of reach");
        }
        let lacks = draws.iter().any(|draw| draw.left(carried[draw.stock], arguments).is_none());
        lacks.then_some("the farmer does not carry enough for this")
    }
}

impl FarmerBehaviour for Walker {
    fn allows(&self, _: ActionKind, field: Option<usize>) -> bool {
        field.is_none_or(|field| field == 0)
    }

    #[inline]
    fn rejection(&self, attempt: &Attempt<'_>, reader: &Reader<'_>) -> Option<&'static str> {
        if attempt.kind() == ActionKind::Observation {
            let far = self.sees_plots.get(attempt.part()).is_some_and(|sees| *sees);
            return far.then_some("the farmer sees plots only through its window");
        }
        let &[x, y] = reader.get(self.position) else { return None };
        match self.requirement(attempt) {
            Requirement::Free => None,
            Requirement::Refill if self.fillable(x, y).is_empty() => Some("this plot has no refill point"),
            Requirement::Refill => None,
            Requirement::WholeField => Some("a farmer on foot cannot act on the whole field"),
            Requirement::At { plot, draws } => {
                self.rejection_at((x, y), *plot, draws, reader.get(self.carried), attempt.arguments())
            }
        }
    }

    fn depends_on_arguments(&self) -> bool {
        true
    }

    fn mask(&self, attempt: &Attempt<'_>, calls: &[Call], reader: &Reader<'_>, mask: &mut [u8]) {
        let (Requirement::At { plot, draws }, &[x, y]) = (self.requirement(attempt), reader.get(self.position)) else {
            return mask.fill(u8::from(self.rejection(attempt, reader).is_none()));
        };
        let carried = reader.get(self.carried);
        for (slot, call) in mask.iter_mut().zip(calls) {
            *slot = u8::from(self.rejection_at((x, y), *plot, draws, carried, call.arguments()).is_none());
        }
    }

    #[inline]
    fn after_step(&self, steps_today: i32, c: &mut Context<'_>) {
        c.get(self.steps_today)[0].set(steps_today);
    }

    #[inline]
    fn before_action(&self, attempt: &Attempt<'_>, c: &mut Context<'_>) {
        let Requirement::At { draws, .. } = self.requirement(attempt) else { return };
        for draw in draws {
            let carried = &c.get(self.carried)[draw.stock];
            carried.set(draw.left(carried.get(), attempt.arguments()).unwrap_or(0.0));
        }
    }
}
