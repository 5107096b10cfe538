//! Conditions on values that a part computes when they are observed, such as a forecast.

use super::Function;
use crate::declare::{MAX_PICKED_FROM, ObservableInfo, Reference};
use crate::space::Dtype;

/// One of a part's observables, or a single value from one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Observed {
    part: usize,
    observable: usize,
    dtype: Dtype,
    /// The number of values that the observable has.
    values: usize,
    element: Option<usize>,
}

impl Observed {
    /// The observable that a reference points to; `None` if it has too many values to compute for a condition.
    pub(super) fn of(reference: &Reference, observable: usize, info: &ObservableInfo) -> Option<Self> {
        let values = info.shape.iter().product();
        let (part, dtype, element) = (reference.part, info.kind.dtype(), reference.element);
        (values <= MAX_PICKED_FROM).then_some(Self { part, observable, dtype, values, element })
    }

    /// The number of values that a function reduces to one.
    pub(super) fn len(self) -> usize {
        if self.element.is_some() { 1 } else { self.values }
    }

    /// Reduces the values to one with the function.
    pub(super) fn reduce(self, function: &Function, observe: impl Fn(usize, usize, &mut [u8])) -> f64 {
        let mut bytes = [0; MAX_PICKED_FROM * 4];
        observe(self.part, self.observable, &mut bytes);
        function.of(self.len(), |i| self.dtype.read(&bytes, self.element.unwrap_or(i)))
    }
}
