//! Conditions on what a part computes when it is observed, such as a forecast.

use super::Function;
use crate::declare::{MAX_PICKED_FROM, ObservableInfo, Reference};
use crate::space::Dtype;

/// An observable of a part, or one value of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Observed {
    part: usize,
    observable: usize,
    dtype: Dtype,
    /// Its values.
    values: usize,
    element: Option<usize>,
}

impl Observed {
    /// What a reference to an observable means; none where it has too many values to be computed for a condition.
    pub(super) fn of(reference: &Reference, observable: usize, info: &ObservableInfo) -> Option<Self> {
        let values = info.shape.iter().product();
        let (part, dtype, element) = (reference.part, info.kind.dtype(), reference.element);
        (values <= MAX_PICKED_FROM).then_some(Self { part, observable, dtype, values, element })
    }

    /// How many values a function makes one of.
    pub(super) fn len(self) -> usize {
        if self.element.is_some() { 1 } else { self.values }
    }

    /// What the function makes of the values.
    pub(super) fn reduce(self, function: &Function, observe: impl Fn(usize, usize, &mut [u8])) -> f64 {
        let mut bytes = [0; MAX_PICKED_FROM * 4];
        observe(self.part, self.observable, &mut bytes);
        function.of(self.len(), |i| self.dtype.read(&bytes, self.element.unwrap_or(i)))
    }
}
