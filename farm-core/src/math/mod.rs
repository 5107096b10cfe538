//! Elementary functions that return the same bits on every platform.
//!
//! The standard library calls the platform's own `exp`, `ln` and so on, which differ in the last bit between systems. With these functions,
//! two machines would compute different seasons. All functions here use `libm`, which is plain Rust. `clippy.toml` forbids the standard
//! functions everywhere else. `sqrt` is exact by IEEE 754 and needs no wrapper.
//!
//! ```
//! use farm_core::math::{exp, ln, powf};
//!
//! assert_eq!(exp(0.0), 1.0);
//! assert!((ln(powf(10.0, 3.0)) - 3.0 * ln(10.0)).abs() < 1e-15);
//! ```

pub mod simd;

use simd::mapped;

/// The sum of numbers, added in order. Without any numbers, the sum is 0. The standard library would return −0, which is printed with its
/// sign.
#[inline]
pub fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

/// The smaller or larger of two numbers in one instruction. The standard library's `min` and `max` take four, because they ignore a NaN. Here,
/// a NaN in `self` stays, so that the engine reports it.
pub trait Bounded: Copy {
    /// `self`, or `most` if `self` is larger.
    fn at_most(self, most: Self) -> Self;
    /// `self`, or `least` if `self` is smaller.
    fn at_least(self, least: Self) -> Self;
}

impl Bounded for f64 {
    #[inline(always)]
    fn at_most(self, most: Self) -> Self {
        if self > most { most } else { self }
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> Self {
        if self < least { least } else { self }
    }
}

/// The upper words of 2⁻²⁸, ln(2)/2 and 700, between which [`exp`] uses different formulas.
const TINY: u32 = 0x3e30_0000;
const HALF_LN2: u32 = 0x3fd6_2e42;
const LARGE: u32 = 0x4085_e000;

/// The upper word of a number without its sign.
#[inline(always)]
fn magnitude(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32 & 0x7fff_ffff
}

/// eˣ, with the same bits as `libm::exp`. This is the same algorithm (fdlibm), without the branches for results that are not normal
/// numbers.
#[inline]
pub fn exp(x: f64) -> f64 {
    if magnitude(x) >= LARGE { libm::exp(x) } else { exp_below_large(x) }
}

/// eˣ of several numbers at once, with the bits of [`exp`].
#[inline(always)]
pub fn exps<const W: usize>(numbers: [f64; W]) -> [f64; W] {
    if numbers.iter().fold(false, |any, x| any | (magnitude(*x) >= LARGE)) {
        return mapped(numbers, exp);
    }
    mapped(numbers, exp_below_large)
}

/// eˣ for a number below `LARGE`, without branches, so that a loop over it becomes vector instructions.
#[inline(always)]
#[allow(unsafe_code, reason = "`as` would test for numbers that do not fit, which has no vector instruction")]
fn exp_below_large(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    let size = magnitude(x);
    // x = k·ln 2 + rest.
    let near = std::f64::consts::LOG2_E * x + 0.5_f64.copysign(x);
    // SAFETY: |x| is below `LARGE`, 700, so |near| is below 1011, and it is not NaN.
    let whole = unsafe { near.to_int_unchecked::<i32>() };
    let k = if size > HALF_LN2 { whole } else { 0 };
    let (high, low) = (x - f64::from(k) * LN2_HIGH, f64::from(k) * LN2_LOW);
    let rest = high - low;
    let square = rest * rest;
    let c = rest - square * (P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4]))));
    let of_rest = 1.0 + (rest * c / (2.0 - c) - low + high);
    let power = of_rest * f64::from_bits(((1023 + k) as u64) << 52);
    if size <= TINY { 1.0 + x } else { power }
}

/// The natural logarithm of `x`.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The natural logarithms of several normal positive numbers at once, with the bits of [`ln`]. This is the algorithm of `libm::log`
/// (fdlibm), without branches.
#[inline(always)]
pub fn lns<const W: usize>(numbers: [f64; W]) -> [f64; W] {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const L: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    // The bits of 1 and of √½, whose difference moves the limit between two exponents to √2.
    const ONE: u64 = 0x3ff0_0000 << 32;
    const ROOT: u64 = 0x3fe6_a09e << 32;
    const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
    mapped(numbers, |x| {
        let shifted = x.to_bits() + (ONE - ROOT);
        let k = f64::from((shifted >> 52) as i32 - 1023);
        let f = f64::from_bits((shifted & MANTISSA) + ROOT) - 1.0;
        let (half, s) = (0.5 * f * f, f / (2.0 + f));
        let z = s * s;
        let w = z * z;
        let even = w * (L[1] + w * (L[3] + w * L[5]));
        let odd = z * (L[0] + w * (L[2] + w * (L[4] + w * L[6])));
        s * (half + (odd + even)) + k * LN2_LOW - half + f + k * LN2_HIGH
    })
}

/// `x` to the power `y`.
#[inline]
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// The cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// The tangent of an angle in radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// The arc cosine, in radians, of a value in −1…1; values outside this range are clamped.
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x.clamp(-1.0, 1.0))
}

/// The complementary error function, 1 − erf(x).
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_agree_with_known_constants() {
        assert!((exp(1.0) - std::f64::consts::E).abs() < 1e-15);
        assert_eq!(ln(std::f64::consts::E), 1.0);
        assert!((powf(2.0, 0.5) - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert!((sin(std::f64::consts::FRAC_PI_6) - 0.5).abs() < 1e-15);
        assert!((cos(std::f64::consts::FRAC_PI_3) - 0.5).abs() < 1e-15);
        assert!((tan(std::f64::consts::FRAC_PI_4) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn several_logarithms_have_the_bits_of_one() {
        let mut stream = crate::rng::Stream::from_seed(18);
        for i in 0..100_000 {
            let x = stream.uniform_in(0.0, 1.0) * [1e-300, 0.01, 1.0, 2.0, 20.0, 1e300][i % 6];
            let numbers = [x.max(f64::MIN_POSITIVE), x + 1.0, 1.0, std::f64::consts::SQRT_2];
            assert_eq!(lns(numbers).map(f64::to_bits), numbers.map(|x| ln(x).to_bits()), "{numbers:?}");
        }
    }

    /// Tests the numbers that occur, and both sides of every number at which the algorithm branches.
    #[test]
    fn exponentials_have_the_bits_of_the_library() {
        let mut stream = crate::rng::Stream::from_seed(17);
        let drawn = (0..400_000).map(|i| stream.uniform_in(-1.0, 1.0) * [1e-9, 0.5, 2.0, 40.0, 720.0][i % 5]);
        let words = [0x3e30_0000_u64, 0x3fd6_2e42, 0x3ff0_a2b2, 0x4085_e000, 0x4086_232b, 0x7ff0_0000, 0];
        let ends = words.into_iter().flat_map(|word| {
            let bits = word << 32;
            [bits.wrapping_sub(1), bits, bits + 1, bits | 0xffff_ffff, bits + (1 << 32)].map(f64::from_bits)
        });
        let halves = (-2020..2020).flat_map(|n| {
            let near = f64::from(n) * std::f64::consts::LN_2 / 4.0;
            [near.next_down(), near, near.next_up()]
        });
        for x in drawn.chain(ends).chain(halves).flat_map(|x| [x, -x]) {
            let expected = libm::exp(x).to_bits();
            assert_eq!(
                [exp(x), exps([0.3, x, -1e-12, 2.0])[1]].map(f64::to_bits),
                [expected; 2],
                "e to the power {x:e}"
            );
        }
    }

    #[test]
    fn the_sum_of_nothing_has_no_sign() {
        assert_eq!(sum([]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(sum([-0.0, -0.0]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(sum([0.1, 0.2]).to_bits(), (0.1_f64 + 0.2).to_bits());
    }

    /// Abramowitz and Stegun, table 7.1: erf 1 = 0.84270 07929.
    #[test]
    fn erfc_has_its_tabulated_values() {
        assert!((erfc(1.0) - (1.0 - 0.8427007929)).abs() < 1e-10);
        assert_eq!((erfc(0.0), erfc(f64::INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn acos_is_clamped_at_polar_day_and_night() {
        assert_eq!(acos(1.5), 0.0);
        assert_eq!(acos(-1.5), std::f64::consts::PI);
    }
}
