//! Axes: the range of numbers that a chart shows, and its ticks.

use crate::number::{fixed, scientific, split, ten_to};

/// Larger numbers are drawn at the edge, so that ranges stay finite.
const MOST: f64 = 1e300;

/// Numbers closer to zero than this count as zero, because their ticks would run out of digits.
const LEAST: f64 = 1e-290;

/// The minimum and maximum of the finite numbers; none if no number is finite.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite()).map(|value| value.clamp(-MOST, MOST));
    finite.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

/// An axis, which maps numbers from `low` to `high` to pixels from `start` to `end`.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    /// The number at the start.
    pub low: f64,
    /// The number at the end.
    pub high: f64,
    start: f64,
    end: f64,
    /// The ticks: each number and its label.
    pub ticks: Vec<(f64, String)>,
}

/// Distances of ticks within a power of ten.
const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];

/// Widens a range that has zero width.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    // A span in the last digits of large numbers is rounding noise.
    let size = low.abs().max(high.abs());
    if size < LEAST {
        return (-1.0, 1.0);
    }
    if high - low > size * 1e-13 { (low, high) } else { (low - size * 0.1, high + size * 0.1) }
}

/// The distance between ticks that gives about `count` ticks, as a digit and a power of ten.
fn step(span: f64, count: usize) -> (f64, i32) {
    let (digit, exponent) = split(span / count.max(1) as f64);
    let rounded = STEPS.into_iter().find(|step| *step >= digit * 0.999_999).unwrap_or(10.0);
    if rounded == 10.0 { (1.0, exponent + 1) } else { (rounded, exponent) }
}

impl Axis {
    /// Creates an axis that shows exactly this range, with about `count` ticks at most. If `whole` is true, all ticks are integers.
    pub(crate) fn exact(range: (f64, f64), (start, end): (f64, f64), count: usize, whole: bool) -> Self {
        let (low, high) = widened(range);
        let (mut digit, mut exponent) = step(high - low, count);
        if whole && exponent < 0 {
            (digit, exponent) = (1.0, 0);
        }
        let distance = digit * ten_to(exponent);
        let first = (low / distance - 1e-9).ceil();
        let ranks = (0..=2 * count.max(1) + 2).map(|i| first + i as f64);
        // A division by a power of ten is rounded once; a product of a fraction and a whole number twice.
        let at = |rank: f64| if exponent < 0 { rank * digit / ten_to(-exponent) } else { rank * distance };
        let values: Vec<f64> = ranks.map(at).take_while(|value| *value <= high + distance * 1e-9).collect();
        let labels = labels(&values, exponent);
        Self { low, high, start, end, ticks: values.into_iter().zip(labels).collect() }
    }

    /// Creates an axis that is widened to the next ticks.
    pub(crate) fn rounded(range: (f64, f64), pixels: (f64, f64), count: usize) -> Self {
        let (low, high) = widened(range);
        let (digit, exponent) = step(high - low, count);
        let distance = digit * ten_to(exponent);
        let outer = ((low / distance + 1e-9).floor() * distance, (high / distance - 1e-9).ceil() * distance);
        let mut axis = Self::exact(outer, pixels, ((outer.1 - outer.0) / distance).round() as usize, false);
        // Ticks may be rounded to beyond the edge.
        axis.low = axis.ticks.first().map_or(axis.low, |(tick, _)| axis.low.min(*tick));
        axis.high = axis.ticks.last().map_or(axis.high, |(tick, _)| axis.high.max(*tick));
        axis
    }

    /// Maps the same axis to other pixels.
    pub(crate) fn on(self, start: f64, end: f64) -> Self {
        Self { start, end, ..self }
    }

    /// The pixel for a number. Numbers beyond the axis are placed at its ends.
    pub(crate) fn at(&self, value: f64) -> f64 {
        // Halves, so that the span of the largest numbers is finite.
        let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Whether a number lies on the axis.
    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The labels for ticks whose distance is a digit times this power of ten.
fn labels(values: &[f64], exponent: i32) -> Vec<String> {
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let (_, size) = split(largest);
    if size < 6 && exponent > -6 {
        let decimals = usize::try_from(-exponent).unwrap_or(0);
        return values.iter().map(|value| fixed(*value, decimals)).collect();
    }
    let written = |value: &f64| {
        let (_, own) = split(*value);
        scientific(*value, usize::try_from(own - exponent).unwrap_or(0).min(15))
    };
    values.iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: (f64, f64)) -> Vec<String> {
        Axis::rounded(range, (0.0, 100.0), 5).ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts((0.0, 9.3)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(texts((-0.07, 0.21)), ["−0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts((0.0, 3.2e7)), ["0", "1×10⁷", "2×10⁷", "3×10⁷", "4×10⁷"]);
        assert_eq!(texts((0.0, 4e-9)), ["0", "1×10⁻⁹", "2×10⁻⁹", "3×10⁻⁹", "4×10⁻⁹"]);
        let whole = Axis::exact((0.0, 3.0), (0.0, 1.0), 10, true);
        assert_eq!(whole.ticks.len(), 4);
    }

    #[test]
    fn constant_missing_tiny_and_huge_numbers_have_an_axis() {
        for range in [
            (0.0, 0.0),
            (7.0, 7.0),
            (-1e-300, 1e-300),
            (-MOST, MOST),
            (1e15, 1e15 + 1.0),
            (1e9, 1e9 + 1e-7),
            (-5e-324, 5e-324),
        ] {
            let axis = Axis::rounded(range, (0.0, 100.0), 5);
            assert!((2..=12).contains(&axis.ticks.len()), "{range:?}: {axis:?}");
            assert!(axis.ticks.iter().all(|(value, text)| axis.holds(*value) && !text.is_empty()), "{axis:?}");
            assert!((0.0..=100.0).contains(&axis.at(range.0)), "{range:?}");
            let mut texts: Vec<&String> = axis.ticks.iter().map(|(_, text)| text).collect();
            texts.dedup();
            assert_eq!(texts.len(), axis.ticks.len(), "{axis:?}");
        }
        assert_eq!(extent([f64::NAN, f64::INFINITY]), None);
        assert_eq!(extent([3.0, f64::NAN, -1.0]), Some((-1.0, 3.0)));
    }

    #[test]
    fn a_number_lies_on_its_pixel() {
        let axis = Axis::exact((10.0, 20.0), (100.0, 300.0), 5, false);
        assert_eq!((axis.at(10.0), axis.at(15.0), axis.at(20.0), axis.at(99.0)), (100.0, 200.0, 300.0, 300.0));
        let falling = axis.on(300.0, 100.0);
        assert_eq!(falling.at(10.0), 300.0);
    }
}
