//! Loops over plots with the widest vector instructions that the processor has.
//!
//! Programs are built for all processors of a family, which have vectors of two numbers. Most have vectors of four. A [`Loop`] is compiled for
//! both. The bits of the results are the same, because no multiplication and addition are fused.

/// A loop that is compiled for each vector length. The attribute `#[inline(always)]` on `run`, and on the functions that it calls, lets all
/// of its code use the instructions.
pub trait Loop {
    /// The result of the loop.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Runs a loop with the widest vectors of the processor.
///
/// ```
/// use farm_core::math::simd::{Loop, run};
///
/// struct Double<'a>(&'a mut [f64]);
///
/// impl Loop for Double<'_> {
///     type Output = ();
///
///     #[inline(always)]
///     fn run(self) {
///         self.0.iter_mut().for_each(|x| *x *= 2.0);
///     }
/// }
///
/// let mut numbers = [1.0, 2.0, 3.0];
/// run(Double(&mut numbers));
/// assert_eq!(numbers, [2.0, 4.0, 6.0]);
/// ```
#[inline]
#[allow(unsafe_code, reason = "only an unsafe call can use instructions that not every processor has")]
pub fn run<L: Loop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<L: Loop>(work: L) -> L::Output {
    work.run()
}

/// The values of a function for `0..W`. Unlike `std::array::from_fn`, it is always inlined, and so becomes vector instructions.
#[inline(always)]
pub fn each<T: Copy + Default, const W: usize>(mut of: impl FnMut(usize) -> T) -> [T; W] {
    let mut values = [T::default(); W];
    for (k, value) in values.iter_mut().enumerate() {
        *value = of(k);
    }
    values
}

/// The values of a function for each element. Unlike the method `map` of arrays, it is always inlined.
#[inline(always)]
pub fn mapped<T: Copy, U: Copy + Default, const W: usize>(elements: [T; W], of: impl Fn(T) -> U) -> [U; W] {
    each(|k| of(elements[k]))
}
