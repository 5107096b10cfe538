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

/// The sum of numbers, added in order. Without any numbers, the sum is 0. The standard library would return −0, which is printed with its
/// sign.
#[inline]
pub fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

/// eˣ, with the same bits as `libm::exp`. This is the same algorithm (fdlibm), without the branches for results that are not normal
/// numbers.
#[inline]
pub fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    // The upper words of 2⁻²⁸, ln(2)/2 and 700.
    const TINY: u32 = 0x3e30_0000;
    const HALF_LN2: u32 = 0x3fd6_2e42;
    const LARGE: u32 = 0x4085_e000;
    let magnitude = (x.to_bits() >> 32) as u32 & 0x7fff_ffff;
    if magnitude <= TINY {
        return 1.0 + x;
    }
    if magnitude >= LARGE {
        return libm::exp(x);
    }
    // x = k·ln 2 + rest.
    let k = if magnitude > HALF_LN2 { (std::f64::consts::LOG2_E * x + 0.5_f64.copysign(x)) as i32 } else { 0 };
    let (high, low) = (x - f64::from(k) * LN2_HIGH, f64::from(k) * LN2_LOW);
    let rest = high - low;
    let square = rest * rest;
    let c = rest - square * (P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4]))));
    let of_rest = 1.0 + (rest * c / (2.0 - c) - low + high);
    of_rest * f64::from_bits(((1023 + k) as u64) << 52)
}

/// The natural logarithm of `x`.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
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
            assert_eq!(exp(x).to_bits(), libm::exp(x).to_bits(), "e to the power {x:e}");
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
