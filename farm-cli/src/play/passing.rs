//! Several steps with one key: repeating a key by a count, waiting until something happens, and walking to a place.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use farm_core::action::Call;
use ratatui::crossterm::event::KeyCode;

use super::app::{App, Mode};
use super::keys::{self, Direction};

/// The largest count before a key.
const MAX_COUNT: u32 = 999;
/// The number of steps without news after which time stops.
const MAX_QUIET: u32 = 30;

impl App<'_> {
    /// Adds a digit to the count. Returns whether the key is a digit.
    pub(super) fn press_count(&mut self, key: KeyCode) -> bool {
        let KeyCode::Char(c) = key else { return false };
        let Some(digit) = c.to_digit(10).filter(|digit| *digit > 0 || self.count.is_some()) else { return false };
        let count = 10 * self.count.unwrap_or(0) + digit;
        if count > MAX_COUNT {
            self.complain(format!("{} {MAX_COUNT}", self.labels().words("a count is at most")));
        }
        self.count = Some(count.min(MAX_COUNT));
        true
    }

    /// Applies a key as many times as the count before it, until something prevents it.
    pub(super) fn press_counted(&mut self, key: KeyCode) {
        let count = self.count.take().unwrap_or(1);
        if count > 1 && matches!(key, KeyCode::Char('n' | ' ')) {
            return self.pass(count);
        }
        for _ in 0..count {
            self.press_once(key);
            let is_stopped = self.message.as_ref().is_some_and(|message| message.is_bad);
            if is_stopped || !matches!(self.mode, Mode::Play) || self.session.is_over() {
                return;
            }
        }
    }

    /// Takes `count` steps. The first step uses the schedule.
    fn pass(&mut self, count: u32) {
        let start = self.session.node().depth;
        for _ in 0..count {
            if !self.quiet_step(None) {
                break;
            }
        }
        self.arrive(start);
    }

    /// Lets time pass until there is news, or until a reward follows a step without one.
    pub(super) fn pass_until_news(&mut self) {
        let start = self.session.node().depth;
        let had_reward = |app: &Self| app.session.node().reward.is_some_and(|reward| reward != 0.0);
        for _ in 0..MAX_QUIET {
            let before = had_reward(self);
            if !self.quiet_step(None) || (had_reward(self) && !before) {
                return self.arrive(start);
            }
            if self.session.node().told.iter().any(|told| told.is_news(self.text_renderer.game())) {
                return self.arrive(start);
            }
        }
        self.arrive(start);
        if !self.session.is_over() {
            let labels = self.labels();
            let quiet = format!("{} {MAX_QUIET} {}", labels.words("nothing happened in"), labels.words("steps"));
            let (on, back) = (labels.words("continues"), labels.words("goes back"));
            self.say(format!("{quiet}; N {on}, {MAX_QUIET}u {back}"));
        }
    }

    /// Takes a step without recording it or asking for a hint. Returns whether another step is possible.
    fn quiet_step(&mut self, schedule: Option<&[Call]>) -> bool {
        if self.session.is_over() {
            return false;
        }
        let planned = std::mem::take(&mut self.schedule);
        let schedule = match schedule {
            Some(schedule) => schedule.to_vec(),
            None if planned.is_empty() => self.session.waiting(),
            None => planned,
        };
        let taken = self.session.step(&schedule);
        let is_taken = taken.is_ok();
        self.check(taken);
        is_taken && !self.session.is_over()
    }

    /// Shows the state after several steps.
    fn arrive(&mut self, start: usize) {
        let taken = self.session.node().depth - start;
        if taken == 0 && self.session.is_over() && self.message.is_none() {
            self.complain_of_end();
        }
        self.changed();
        self.show_end();
        if taken > 1 && self.message.is_none() {
            self.say(format!(
                "{taken} {}; {taken}u {}",
                self.labels().words("steps"),
                self.labels().words("goes back")
            ));
        }
    }

    /// Walks to the cursor step by step, avoiding obstacles.
    pub(super) fn walk(&mut self) {
        let ways: BTreeMap<Direction, Call> = self
            .bindings
            .iter()
            .filter_map(|binding| Some((keys::direction_of(self.game(), binding.base)?, binding.call?)))
            .collect();
        let (Some(target), Some(here)) = (self.target(), self.own_plot()) else {
            return self.complain("G walks to the cursor, but no farmer is on this field");
        };
        if ways.is_empty() {
            return self.complain("no action of this game moves the farmer");
        }
        let (length, width) = self.game().fields().get(self.field).map_or((0, 0), |f| (f.length(), f.width()));
        let (start, mut at) = (self.session.node().depth, here);
        let mut blocked = BTreeSet::new();
        while at != target {
            let open = |plot: usize, direction: Direction| {
                let next = neighbour(plot, direction, (length, width))?;
                (ways.contains_key(&direction) && !blocked.contains(&(plot, direction))).then_some(next)
            };
            let Some(direction) = first_step(at, target, open) else {
                self.complain("the way there is blocked");
                break;
            };
            let call = ways[&direction];
            // A step into an obstacle is not taken: the obstacle is next to the farmer.
            let next = neighbour(at, direction, (length, width));
            let led = self.session.preview(&[call]).and_then(|state| self.plot_of_farmer(&state));
            if led != next {
                blocked.insert((at, direction));
                if next == Some(target) {
                    self.say("the target is blocked; the farmer is next to it");
                    break;
                }
                continue;
            }
            if !self.quiet_step(Some(&[call])) {
                break;
            }
            at = self.own_plot().unwrap_or(target);
        }
        self.leave_map();
        self.arrive(start);
    }

    /// The plot under the cursor.
    fn target(&self) -> Option<usize> {
        self.text_renderer.plot_at(self.field, self.focus(), self.session.state())
    }

    /// The farmer's plot in the displayed field.
    pub(super) fn own_plot(&self) -> Option<usize> {
        self.plot_of_farmer(self.session.state())
    }

    fn plot_of_farmer(&self, state: &farm_core::State) -> Option<usize> {
        let (field, x, y) = self.text_renderer.position(state)?;
        if field == self.field { self.text_renderer.plot_at(field, (x, y), state) } else { None }
    }
}

/// The neighbouring plot in a direction. `None` if it is outside the field.
fn neighbour(plot: usize, direction: Direction, (length, width): (usize, usize)) -> Option<usize> {
    let (x, y) = (plot / width.max(1), plot % width.max(1));
    let (x, y) = match direction {
        Direction::North => (x, y.checked_sub(1)?),
        Direction::South => (x, y + 1),
        Direction::East => (x + 1, y),
        Direction::West => (x.checked_sub(1)?, y),
    };
    (x < length && y < width).then_some(x * width + y)
}

/// The first step of a shortest path. `open` returns the neighbouring plot in a direction if it can be entered.
fn first_step(from: usize, to: usize, open: impl Fn(usize, Direction) -> Option<usize>) -> Option<Direction> {
    // Each reached plot, with the first step towards it.
    let mut found = BTreeMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    while let Some(plot) = queue.pop_front() {
        for direction in Direction::ALL {
            let Some(next) = open(plot, direction).filter(|next| !found.contains_key(next)) else { continue };
            let first = found[&plot].or(Some(direction));
            found.insert(next, first);
            queue.push_back(next);
        }
    }
    found.get(&to).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_around_what_is_blocked() {
        // 3 × 2 plots; the middle one above is closed: plot 2 is (1, 0).
        let size = (3, 2);
        let open = |plot, direction| neighbour(plot, direction, size).filter(|next| *next != 2);
        assert_eq!(first_step(0, 4, open), Some(Direction::South));
        assert_eq!(first_step(0, 1, open), Some(Direction::South));
        assert_eq!(first_step(0, 2, open), None, "what is closed is not reached");
        assert_eq!(first_step(3, 3, open), None, "who is there takes no step");
        assert_eq!(neighbour(0, Direction::North, size), None);
        assert_eq!(neighbour(5, Direction::East, size), None);
    }
}
