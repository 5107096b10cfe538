//! Pests: how insects breed, starve and choose leaves, and how predators and poison kill them.

use farm_core::math::{Bounded, exp, powf};

use super::ramp;

/// Young of one insect in a day \[–\]: proportional to warmth, and fewer if its food is crowded (Verhulst's logistic growth;
/// degree-days as for plants). The maximum is one, so numbers at most double in a day.
///
/// min(1, b·GDD·(1 − crowding)), with crowding 1 if there is exactly enough food for all
#[inline]
pub fn young(breeding: f64, degree_days: f64, crowding: f64) -> f64 {
    (breeding * degree_days * (1.0 - crowding).at_least(0.0)).at_most(1.0)
}

/// Share that starves or leaves in a day \[–\]: 0 while there is food for all, `most` at half of the needed food or less.
#[inline]
pub fn starving(crowding: f64, most: f64) -> f64 {
    most * ramp(crowding, 1.0, 2.0)
}

/// Share that survives a dose \[–\] (log-logistic, the usual fit of bioassays: Finney 1971, Streibig 1988; Ritz et al. 2015).
///
/// 1/(1 + (dose/ED₅₀)^b), dose and ED₅₀ in the same unit
#[inline]
pub fn surviving_dose(dose: f64, half: f64, slope: f64) -> f64 {
    if dose <= 0.0 { 1.0 } else { 1.0 / (1.0 + powf(dose / half, slope)) }
}

/// Prey that one predator eats in a day \[nb day⁻¹\] (Holling 1959, type II). The predator eats all the prey that it finds if prey is
/// scarce, and up to `most` if prey is plentiful.
///
/// s·N/(1 + s·N/most), where `density` is the prey per m², and `searched` is the ground that the predator searches in a day \[m² day⁻¹\]
#[inline]
pub fn eaten_by_predator(density: f64, searched: f64, most: f64) -> f64 {
    let found = searched * density;
    if found <= 0.0 || most <= 0.0 { 0.0 } else { found / (1.0 + found / most) }
}

/// Share of the overflying insects that land \[–\], from the attractive leaves per m² of ground \[m² m⁻²\]. Half of the insects land at
/// `half`, and none on bare ground (Root 1973: resource concentration; the form and the number are this project's).
#[inline]
pub fn landing(leaves: f64, half: f64) -> f64 {
    if leaves <= 0.0 { 0.0 } else { leaves / (leaves + half) }
}

/// Share of the arrivals at this distance from the field's edge \[–\]: insects from outside settle on the first plants they meet.
///
/// exp(−distance/reach)
#[inline]
pub fn inward(distance_m: f64, reach_m: f64) -> f64 {
    exp(-distance_m / reach_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found}, expected {expected}");
    }

    /// A generation of Mexican bean beetles takes 30 to 40 days of summer (University of Massachusetts), about 450 degree-days above 10 °C.
    /// Numbers rise about tenfold in this time, because most of a female's 460 eggs die (Virginia: 460 eggs a female).
    #[test]
    fn a_generation_in_plenty_is_tenfold() {
        let (mut number, mut days) = (1.0, 0);
        while number < 10.0 {
            number += number * young(0.0075, 13.0, 0.0) - number * 0.03;
            days += 1;
        }
        assert!((30..=40).contains(&days), "{days} days at 23 °C");
    }

    #[test]
    fn numbers_stop_where_food_does_and_nothing_breeds_in_the_cold() {
        let mut number = 1.0;
        for _ in 0..400 {
            number += number * young(0.01, 12.0, number / 500.0);
        }
        close(number, 500.0, 0.1);
        assert_eq!(young(0.01, 0.0, 0.0), 0.0, "cold");
        assert_eq!(young(0.01, 12.0, 1.0), 0.0, "full");
        assert_eq!(young(0.01, 12.0, f64::INFINITY), 0.0, "no food at all");
        assert_eq!(young(1.0, 40.0, 0.0), 1.0, "no more than one each");
        assert_eq!([0.0, 1.0, 1.5, 2.0, f64::INFINITY].map(|c| starving(c, 0.4)), [0.0, 0.0, 0.2, 0.4, 0.4]);
    }

    /// Ritz et al. 2015 (PLoS ONE 10, e0146021): ryegrass and ferulic acid, b = 2.98222 and ED₅₀ = 3.05795, which give ED₅ = 1.13933 and
    /// ED₁₀ = 1.46371.
    #[test]
    fn doses_kill_as_in_a_published_fit() {
        let surviving = |dose| surviving_dose(dose, 3.05795, 2.98222);
        close(surviving(1.13933), 0.95, 1e-5);
        close(surviving(1.46371), 0.90, 1e-5);
        close(surviving(3.05795), 0.50, 1e-12);
        assert_eq!(surviving(0.0), 1.0);
        assert!(surviving(1e300) < 1e-300, "without overflow");
    }

    #[test]
    fn predators_find_in_proportion_and_are_sated() {
        close(eaten_by_predator(0.01, 2.0, 20.0), 0.02, 1e-4);
        close(eaten_by_predator(10.0, 2.0, 20.0), 10.0, 1e-12);
        close(eaten_by_predator(1e9, 2.0, 20.0), 20.0, 1e-6);
        assert_eq!([eaten_by_predator(0.0, 2.0, 20.0), eaten_by_predator(5.0, 2.0, 0.0)], [0.0, 0.0]);
    }

    #[test]
    fn insects_come_down_where_there_are_leaves_and_above_all_at_the_edge() {
        assert_eq!([landing(0.0, 0.05), landing(0.05, 0.05)], [0.0, 0.5]);
        assert!(landing(5.0, 0.05) > 0.98);
        assert_eq!(inward(0.0, 50.0), 1.0);
        close(inward(50.0, 50.0), 0.367_879_441, 1e-9);
    }
}
