//! Elementary functions, the same bits on every platform.
//!
//! The standard library calls the platform's own `exp`, `ln` and so on, which differ in the last bit between systems;
//! two machines would then disagree about a season. Everything here goes through `libm`, which is plain Rust.
//! `clippy.toml` forbids the standard ones everywhere else. `sqrt` is exact by IEEE 754 and needs no wrapper.
//!
//! ```
//! use farm_core::math::{exp, ln, powf};
//!
//! assert_eq!(exp(0.0), 1.0);
//! assert!((ln(powf(10.0, 3.0)) - 3.0 * ln(10.0)).abs() < 1e-15);
//! ```

/// The sum of numbers in their order; 0 if there are none, where that of the standard library is −0, which is printed with its sign.
#[inline]
pub fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

/// eˣ.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm of `x`.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power `y`.
#[inline]
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Tangent of an angle in radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Arc cosine in radians of a value in −1…1; values outside are clamped.
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x.clamp(-1.0, 1.0))
}

/// Complementary error function, 1 − erf(x).
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
