//! What a behaviour reads, writes and reports during a step.

use crate::declare::EventId;
use crate::rng::{PlotStreams, Purpose, Stream};
use crate::state::{Cells, Column, Element};

/// Something that happened during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The kind of event, and the part that reported it.
    pub id: EventId,
    /// The plot (or item) where it happened.
    pub plot: u32,
    /// The amount. The event's declaration defines its meaning.
    pub value: f64,
}

/// What a behaviour reads and writes during a step.
///
/// ```
/// use farm_core::prelude::*;
///
/// # /// Snails.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Snails {}
/// # #[derive(Columns)]
/// # struct Hungry {
/// #     #[stream]
/// #     key: u64,
/// #     /// Leaves on the plot.
/// #     #[count(unit = "nb", range = 0..=9, default = 9.0, per_plot)]
/// #     leaves: Column<i32>,
/// #     /// A leaf was eaten.
/// #     #[event(per_step = 4)]
/// #     eaten: EventId,
/// # }
/// # #[register(entity = Snails, source = "An example", runs_in = Phase::Visit)]
/// impl Behaviour for Hungry {
///     fn tick(&self, _: Phase, context: &mut Context<'_>) {
///         let mut stream = context.stream(self.key, Purpose::named("hunger"));
///         for (plot, leaves) in context.get(self.leaves).iter().enumerate() {
///             if leaves.get() > 0 && stream.bernoulli(0.5) {
///                 leaves.set(leaves.get() - 1);
///                 context.emit(self.eaten, plot, 1.0);
///             }
///         }
///     }
/// }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let mut environment = Environment::new(farm::game("Snails: {}"));
/// # let leaves = environment.game().parts()[0].variables()[0].column::<i32>().unwrap();
/// # (0..5).for_each(|_| drop(environment.step("wait").unwrap()));
/// # assert!(environment.game().reader(environment.state()).get(leaves).iter().sum::<i32>() < 36);
/// ```
#[derive(Debug)]
pub struct Context<'a> {
    cells: Cells<'a>,
    seed: u64,
    step: u32,
    events: &'a mut Vec<Event>,
}

impl<'a> Context<'a> {
    #[inline]
    pub(crate) fn new(cells: Cells<'a>, seed: u64, step: u32, events: &'a mut Vec<Event>) -> Self {
        Self { cells, seed, step, events }
    }

    /// Uses another seed from now on.
    pub(crate) fn show_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    #[inline]
    pub(crate) fn cells(&self) -> &Cells<'a> {
        &self.cells
    }

    /// The values in a column.
    #[inline]
    pub fn get<T: Element>(&self, column: Column<T>) -> &'a [std::cell::Cell<T>] {
        self.cells.get(column)
    }

    /// The value in a scalar column.
    #[inline]
    pub fn value<T: Element>(&self, column: Column<T>) -> T {
        self.cells.get(column)[0].get()
    }

    /// The number of steps taken before this one.
    #[inline]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The episode's seed.
    #[inline]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A part's random stream for a purpose in this step. `part` is the part's `Declarations::stream_key`.
    #[inline]
    pub fn stream(&self, part: u64, purpose: Purpose) -> Stream {
        Stream::keyed(self.seed, part, self.step, purpose)
    }

    /// A part's random streams for all plots, for a purpose in this step. This is cheaper than one [`stream`](Self::stream) per plot.
    #[inline]
    pub fn plot_streams(&self, part: u64, purpose: Purpose) -> PlotStreams {
        PlotStreams::keyed(self.seed, part, self.step, purpose)
    }

    /// A part's stream for a purpose in another `step`, for values that are decided in advance, such as the weather.
    #[inline]
    pub fn stream_at(&self, part: u64, purpose: Purpose, step: u32) -> Stream {
        Stream::keyed(self.seed, part, step, purpose)
    }

    /// Reports that something happened.
    #[inline]
    pub fn emit(&mut self, id: EventId, plot: usize, value: f64) {
        self.events.push(Event { id, plot: plot as u32, value });
    }

    /// The events in this step so far.
    #[inline]
    pub fn events(&self) -> &[Event] {
        self.events
    }
}
