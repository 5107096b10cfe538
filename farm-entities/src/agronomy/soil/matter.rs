//! Humus: its daily decay, its gain from dead matter, and the nitrogen that both processes move.

use crate::agronomy::laws::organic_matter::{CARBON_PER_NITROGEN, HUMIFIED};
use farm_core::math::Bounded;

/// The carbon and nitrogen in a plot, in g: the stocks, or their maximum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stocks {
    pub(super) nitrogen: f64,
    pub(super) carbon: f64,
}

/// The daily changes of the stocks, in g.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Turnover {
    /// Nitrogen that decaying humus releases, and nitrogen that new humus binds.
    pub(super) mineralised: f64,
    pub(super) bound: f64,
    /// Carbon of dead matter that comes in, and carbon that microbes respire.
    pub(super) came_in: f64,
    pub(super) respired: f64,
}

impl Turnover {
    /// The share `decaying` of the humus decays, and dead matter with the carbon `dead_carbon` comes in. A part of it becomes humus, which
    /// needs nitrogen from the soil. Without enough nitrogen, microbes respire the carbon. Changes that a full plot cannot hold do not
    /// happen.
    #[inline]
    pub(super) fn of_day(now: Stocks, most: Stocks, decaying: f64, dead_carbon: f64) -> Self {
        let room = (most.nitrogen - now.nitrogen).at_least(0.0);
        let mineralised = (decaying * now.carbon / CARBON_PER_NITROGEN).at_most(room);
        let decayed = mineralised * CARBON_PER_NITROGEN;
        let came_in = dead_carbon.at_most(most.carbon);
        let wished = (HUMIFIED * came_in).at_most(most.carbon - now.carbon + decayed);
        let bound = (wished / CARBON_PER_NITROGEN).at_most(now.nitrogen + mineralised).at_least(0.0);
        Self { mineralised, bound, came_in, respired: decayed + came_in - bound * CARBON_PER_NITROGEN }
    }

    /// The stocks after the day.
    #[inline]
    pub(super) fn after(&self, now: Stocks, most: Stocks) -> Stocks {
        // Sums are rounded: they may leave the range by the last digit.
        Stocks {
            nitrogen: (now.nitrogen + self.mineralised - self.bound).clamp(0.0, most.nitrogen),
            carbon: (now.carbon + self.came_in - self.respired).clamp(0.0, most.carbon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Stocks = Stocks { nitrogen: 1e5, carbon: 1e6 };

    #[test]
    fn straw_binds_nitrogen_and_humus_sets_it_free() {
        let now = Stocks { nitrogen: 6.0, carbon: 4400.0 };
        let day = Turnover::of_day(now, MOST, 1e-4, 0.0);
        assert!((day.mineralised - 0.04).abs() < 1e-12 && day.bound == 0.0 && (day.respired - 0.44).abs() < 1e-12);
        // 110 g of carbon of straw: 22 g become humus with 2 g of nitrogen.
        let day = Turnover::of_day(now, MOST, 0.0, 110.0);
        assert!((day.bound - 2.0).abs() < 1e-12 && (day.respired - 88.0).abs() < 1e-12);
        assert!((day.after(now, MOST).carbon - 4422.0).abs() < 1e-9);
    }

    #[test]
    fn without_nitrogen_nothing_becomes_humus() {
        let now = Stocks { nitrogen: 0.0, carbon: 0.0 };
        let day = Turnover::of_day(now, MOST, 1e-4, 110.0);
        assert_eq!(day, Turnover { mineralised: 0.0, bound: 0.0, came_in: 110.0, respired: 110.0 });
    }

    #[test]
    fn nitrogen_is_neither_made_nor_lost_even_in_full_plots() {
        for nitrogen in [0.0, 0.01, 5.0, 1e5] {
            for carbon in [0.0, 4000.0, 1e6] {
                for (decaying, dead) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1e9), (1e-4, 300.0)] {
                    let now = Stocks { nitrogen, carbon };
                    let after = Turnover::of_day(now, MOST, decaying, dead).after(now, MOST);
                    let total = |stocks: Stocks| stocks.nitrogen + stocks.carbon / CARBON_PER_NITROGEN;
                    assert!(
                        (total(after) - total(now)).abs() <= 1e-9 * total(now).max(1.0),
                        "{now:?} became {after:?}"
                    );
                }
            }
        }
    }
}
