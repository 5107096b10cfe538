//! Leaf diseases: wet hours, infection, latent and infectious lesions, and fungicides on leaves.

use farm_core::Choice;
use farm_core::math::{Bounded, acos, exp, ln, powf, sin};

use super::development::trapezium;
use super::ramp;
use crate::agronomy::radiation::actual_vapour_pressure_kpa;

/// Relative humidity at and above which leaves count as wet \[–\] (SIMCAST: Fry, Apple & Bruhn 1983; BLITECAST: Krause et al. 1975).
const WET: f64 = 0.9;
/// Rain of a day below which it wets no leaves, and rain at which it wets them for longest \[mm\], with the hours \[h\] at both (order of
/// magnitude; a day of rain adds 4 to 10 wet hours).
const RAIN_MM: [f64; 2] = [1.0, 15.0];
const RAIN_HOURS: [f64; 2] = [4.0, 10.0];
/// Blight units of the most favourable day \[–\] (SIMCAST).
pub const MOST_UNITS: f64 = 7.0;
/// Steps of the latent period. Its standard deviation is half of its mean (linear chain).
pub const STEPS: usize = 4;

/// The wet spell of a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WetSpell {
    /// Hours with wet leaves \[h\].
    pub hours: f64,
    /// Mean temperature in these hours \[°C\]; that of the day if there are none.
    pub celsius: f64,
}

/// The wet spell of a day, from its lowest and highest temperature \[°C\], mean relative humidity \[%\] and rain \[mm\].
///
/// Temperature follows a cosine, and the vapour pressure is constant (FAO-56 Eqs. 11, 12). Leaves are wet while the relative humidity is at
/// least 90 %: T ≤ T₉₀, for 24·(1 − a/π) hours with a = arccos((T₉₀ − T)/((Tₓ − Tₙ)/2)). Rain wets a part of the other hours.
pub fn wet_spell(min: f64, max: f64, humidity_percent: f64, rain_mm: f64) -> WetSpell {
    let (mean, half_range) = (f64::midpoint(min, max), (0.5 * (max - min)).at_least(0.0));
    let vapour = actual_vapour_pressure_kpa(humidity_percent, min, max) / WET;
    // The inverse of FAO-56 Eq. 11.
    let exponent = ln(vapour.at_least(1e-6) / 0.6108);
    let humid_below = 237.3 * exponent / (17.27 - exponent);
    let angle = acos(((humid_below - mean) / half_range.at_least(1e-6)).clamp(-1.0, 1.0));
    let around = std::f64::consts::PI - angle;
    let humid = 24.0 * around / std::f64::consts::PI;
    let humid_celsius = if around > 0.0 { mean - half_range * sin(angle) / around } else { mean };
    let rained = match rain_mm < RAIN_MM[0] {
        true => 0.0,
        false => RAIN_HOURS[0] + (RAIN_HOURS[1] - RAIN_HOURS[0]) * ramp(rain_mm, RAIN_MM[0], RAIN_MM[1]),
    };
    let by_rain = rained * (24.0 - humid) / 24.0;
    let hours = humid + by_rain;
    let celsius = if hours > 0.0 { (humid * humid_celsius + by_rain * mean) / hours } else { mean };
    WetSpell { hours: hours.at_most(24.0), celsius }
}

/// The resistance of a potato cultivar to late blight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Resistance {
    /// Most cultivars, such as Bintje and Russet Burbank.
    Susceptible,
    /// Infected half as easily.
    Moderate,
    /// Infected only in long wet spells.
    Resistant,
}

/// The highest temperature of each class \[°C\]. The tables are for whole degrees, such as 13 to 22 °C; here the classes meet halfway.
const CLASSES: [f64; 4] = [7.5, 12.5, 22.5, 27.5];
/// The lowest temperature at which blight infects \[°C\].
const TOO_COLD: f64 = 2.5;

/// For each class of temperatures, the hours from which a wet spell has these units.
type Units = [&'static [(f64, f64)]; 4];

const SUSCEPTIBLE: Units = [
    &[(10.0, 1.0), (13.0, 2.0), (16.0, 3.0), (19.0, 4.0)],
    &[(7.0, 1.0), (8.0, 2.0), (10.0, 3.0), (11.0, 4.0), (13.0, 5.0), (16.0, 6.0)],
    &[(7.0, 5.0), (10.0, 6.0), (13.0, 7.0)],
    &[(7.0, 1.0), (10.0, 2.0), (13.0, 3.0), (16.0, 4.0), (19.0, 5.0)],
];
const MODERATE: Units = [
    &[(13.0, 1.0)],
    &[(7.0, 1.0), (10.0, 2.0), (13.0, 3.0), (16.0, 4.0), (19.0, 5.0)],
    &[(7.0, 1.0), (8.0, 2.0), (9.0, 3.0), (10.0, 4.0), (11.0, 5.0), (13.0, 6.0)],
    &[(10.0, 1.0), (19.0, 2.0)],
];
const RESISTANT: Units = [
    &[(19.0, 1.0)],
    &[(10.0, 1.0), (13.0, 2.0), (16.0, 3.0)],
    &[(7.0, 1.0), (8.0, 2.0), (9.0, 3.0), (10.0, 4.0), (13.0, 5.0)],
    &[],
];

/// Blight units of a wet spell, from 0 to 7 \[–\] (SIMCAST: Fry, Apple & Bruhn 1983; Grünwald et al. 2002, Plant Disease 86, 1163).
///
/// The table counts whole hours, so the hours are rounded.
pub fn blight_units(resistance: Resistance, wet: WetSpell) -> f64 {
    let table = match resistance {
        Resistance::Susceptible => SUSCEPTIBLE,
        Resistance::Moderate => MODERATE,
        Resistance::Resistant => RESISTANT,
    };
    let class = CLASSES.iter().position(|highest| wet.celsius < *highest);
    let Some(class) = class.filter(|_| wet.celsius >= TOO_COLD) else { return 0.0 };
    table[class].iter().rev().find(|(hours, _)| wet.hours.round() >= *hours).map_or(0.0, |(_, units)| *units)
}

/// Infection in a wet spell as a share of that in the best conditions \[–\] (rusts: Roelfs et al. 1992; the form: Magarey et al. 2005,
/// Phytopathology 95, 92).
///
/// f(T)·clamp((n − n₀)/(n₁ − n₀)), with a trapezium through the lowest, the two best and the highest temperature
#[inline]
pub fn infection(wet: WetSpell, ends: [f64; 2], best: [f64; 2], hours: [f64; 2]) -> f64 {
    trapezium(wet.celsius, ends, best) * ramp(wet.hours, hours[0], hours[1])
}

/// Part of the latent period that passes in a day \[day⁻¹\]: in proportion to the degree-days above `base`, up to the temperature `best`.
#[inline]
pub fn latent_rate(celsius: f64, base: f64, best: f64, degree_days: f64) -> f64 {
    (celsius.at_most(best) - base).at_least(0.0) / degree_days
}

/// Share of the infections that a fungicide on leaves prevents \[–\]: each further dose `half` halves them.
///
/// 1 − ½^(dose/half), both in g m⁻²
#[inline]
pub fn prevented(dose: f64, half: f64) -> f64 {
    if dose <= 0.0 { 0.0 } else { 1.0 - powf(0.5, dose / half) }
}

/// Share of a fungicide on leaves that rain does not wash off \[–\]. `half` is the rain that washes off half \[mm\] (Bruhn & Fry 1982,
/// Phytopathology 72, 1301: the amount of rain counts).
#[inline]
pub fn unwashed(rain_mm: f64, half: f64) -> f64 {
    if rain_mm <= 0.0 { 1.0 } else { powf(0.5, rain_mm / half) }
}

/// The leaf area that a stand has made, as shares that add up to 1 (Zadoks 1971, Phytopathology 61, 600; EPIWHEAT: Savary et al. 2015, doi
/// 10.1007/s10658-015-0650-9).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sites {
    /// Infected without visible lesions, in the steps of the latent period.
    pub latent: [f64; STEPS],
    /// Lesions with spores.
    pub infectious: f64,
    /// Dead lesions.
    pub removed: f64,
}

impl Sites {
    /// All leaves are healthy.
    pub const HEALTHY: Self = Self { latent: [0.0; STEPS], infectious: 0.0, removed: 0.0 };

    /// Share without the disease \[–\].
    #[inline]
    pub fn healthy(&self) -> f64 {
        (1.0 - self.latent.iter().fold(self.infectious + self.removed, |sum, step| sum + step)).at_least(0.0)
    }

    /// Share with visible lesions, alive or dead \[–\].
    #[inline]
    pub fn visible(&self) -> f64 {
        (self.infectious + self.removed).at_most(1.0)
    }

    /// Share of the living leaves that lesions cover \[–\].
    #[inline]
    pub fn sick(&self) -> f64 {
        let living = 1.0 - self.removed;
        if living > 0.0 { (self.infectious / living).at_most(1.0) } else { 0.0 }
    }

    /// New healthy leaves have this share of all leaves.
    #[inline]
    pub fn dilute(&mut self, new: f64) {
        let kept = 1.0 - new;
        self.latent.iter_mut().for_each(|step| *step *= kept);
        self.infectious *= kept;
        self.removed *= kept;
    }

    /// A fungicide kills this share of the infections that have passed at most `progress` of the latent period.
    #[inline]
    pub fn cure(&mut self, progress: f64, share: f64) {
        for (i, step) in self.latent.iter_mut().enumerate() {
            *step *= 1.0 - share * (progress * STEPS as f64 - i as f64).clamp(0.0, 1.0);
        }
    }

    /// A day: this share of all leaves gets infected, latent infections pass `latent_rate` of the latent period, and the share `dying` of the
    /// lesions dies. Returns the share of the living leaves that die.
    #[inline]
    pub fn day(&mut self, infected: f64, latent_rate: f64, dying: f64) -> f64 {
        let (moving, living) = ((latent_rate * STEPS as f64).at_most(1.0), 1.0 - self.removed);
        let died = dying * self.infectious;
        let mut arriving = infected.clamp(0.0, self.healthy());
        for step in &mut self.latent {
            let leaving = moving * *step;
            *step += arriving - leaving;
            arriving = leaving;
        }
        self.infectious += arriving - died;
        self.removed = (self.removed + died).at_most(1.0);
        if living > 0.0 { (died / living).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Share of all leaves that spores infect in a day \[–\]. Lesions overlap, so healthy leaves limit the epidemic: x(1 − x) for small x (van
/// der Plank 1963).
///
/// h·(1 − exp(−spores)), with the infections that the spores would cause per area of leaves
#[inline]
pub fn infected(healthy: f64, spores: f64) -> f64 {
    if spores <= 0.0 { 0.0 } else { healthy * (1.0 - exp(-spores)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    fn units(celsius: f64, hours: f64) -> [f64; 3] {
        let all = [Resistance::Susceptible, Resistance::Moderate, Resistance::Resistant];
        all.map(|resistance| blight_units(resistance, WetSpell { hours, celsius }))
    }

    /// Rows of the published table.
    #[test]
    fn blight_units_are_those_of_simcast() {
        assert_eq!(units(15.0, 10.0), [6.0, 4.0, 4.0]);
        assert_eq!(units(25.0, 16.0), [4.0, 1.0, 0.0]);
        assert_eq!(units(10.0, 24.0), [6.0, 5.0, 3.0]);
        assert_eq!(units(5.0, 19.0), [4.0, 1.0, 1.0]);
        assert_eq!(units(15.0, 6.0), [0.0; 3]);
        assert_eq!([units(2.0, 24.0), units(28.0, 24.0)], [[0.0; 3]; 2], "too cold, too hot");
    }

    #[test]
    fn every_temperature_is_in_a_class() {
        assert_eq!(units(22.3, 24.0)[0], 7.0);
        assert_eq!([units(22.6, 24.0)[0], units(12.6, 24.0)[0], units(7.6, 24.0)[0]], [5.0, 7.0, 6.0]);
        assert!((25..275).all(|tenth| units(f64::from(tenth) / 10.0, 24.0)[0] > 0.0));
    }

    /// Nights of twelve wet hours at 15 °C reach the threshold for a spray, 30 units, in five days. Days of a continental summer, 15 to 32 °C
    /// at 50 % humidity, have none.
    #[test]
    fn wet_nights_have_units_and_dry_summers_have_none() {
        assert_eq!(5.0 * units(15.0, 12.0)[0], 30.0);
        let dry = wet_spell(15.0, 32.0, 50.0, 0.0);
        assert!(dry.hours < 4.0, "{dry:?}");
        assert_eq!(units(dry.celsius, dry.hours), [0.0; 3]);
    }

    /// By hand with FAO-56: the vapour pressure of 10 to 20 °C at 80 % is 1.426 kPa, which is 90 % of saturation at 13.87 °C. The cosine is below
    /// this for 24·(1 − arccos(−0.226)/π) hours.
    #[test]
    fn half_of_a_humid_day_is_wet_and_that_half_is_the_cool_one() {
        let humid = wet_spell(10.0, 20.0, 80.0, 0.0);
        close(humid.hours, 10.26, 0.02);
        close(humid.celsius, 11.37, 0.02);
        let all_day = wet_spell(15.0, 15.0, 95.0, 0.0);
        assert_eq!((all_day.hours, all_day.celsius), (24.0, 15.0), "without a range of temperatures");
    }

    #[test]
    fn rain_adds_four_to_ten_hours() {
        assert_eq!(
            [0.0, 0.5, 1.0, 15.0, 80.0].map(|rain| wet_spell(15.0, 32.0, 30.0, rain).hours),
            [0.0, 0.0, 4.0, 10.0, 10.0]
        );
        assert!(wet_spell(10.0, 20.0, 95.0, 80.0).hours <= 24.0);
    }

    /// Leaf rust needs 15 to 20 °C and up to eight wet hours (Roelfs et al. 1992).
    #[test]
    fn rust_infects_in_long_mild_wet_spells() {
        let at = |celsius, hours| infection(WetSpell { hours, celsius }, [5.0, 25.0], [15.0, 20.0], [3.0, 8.0]);
        assert_eq!(
            [at(17.0, 8.0), at(17.0, 3.0), at(17.0, 5.5), at(4.0, 24.0), at(26.0, 24.0)],
            [1.0, 0.0, 0.5, 0.0, 0.0]
        );
    }

    /// Days until a cohort of infections has passed its latent period, on average.
    fn latent_days(rate: f64) -> f64 {
        let mut sites = Sites { latent: [0.01, 0.0, 0.0, 0.0], ..Sites::HEALTHY };
        let (mut days, mut before) = (0.0, 0.0);
        for day in 1..1000 {
            sites.day(0.0, rate, 0.0);
            days += f64::from(day) * (sites.infectious - before) / 0.01;
            before = sites.infectious;
        }
        days
    }

    /// Leaf rust of wheat: 7 to 9 days at 20 °C and 14 at 12 °C. Late blight: 4 to 6 days at 15 to 20 °C.
    #[test]
    fn latent_periods_are_as_observed() {
        close(latent_days(latent_rate(20.0, 1.3, 25.0, 149.6)), 8.0, 0.1);
        close(latent_days(latent_rate(12.0, 1.3, 25.0, 149.6)), 14.0, 0.1);
        let blight = [15.0, 20.0].map(|celsius| latent_days(latent_rate(celsius, 0.0, 21.0, 84.0)));
        assert!(blight.iter().all(|days| (4.0..=6.0).contains(days)), "{blight:?}");
        assert_eq!(latent_rate(-3.0, 0.0, 21.0, 84.0), 0.0);
    }

    /// The speed of an epidemic among healthy leaves \[day⁻¹\].
    fn speed(infections: f64, rate: f64, days: f64) -> f64 {
        let mut sites = Sites { infectious: 1e-9, ..Sites::HEALTHY };
        let (mut at, mut logs) = (0.0, [0.0; 2]);
        for day in 0..60 {
            logs = [logs[1], ln(sites.visible())];
            let _ = sites.day(infected(sites.healthy(), infections * sites.infectious), rate, 1.0 / days);
            at = f64::from(day);
        }
        assert!(at > 0.0);
        logs[1] - logs[0]
    }

    /// Unsprayed crops at 7 units a day: 0.25 a day (0.035 a unit). Leaf rust in the best conditions: 0.15 to 0.25.
    #[test]
    fn epidemics_are_as_fast_as_observed() {
        close(speed(1.5, latent_rate(17.0, 0.0, 21.0, 84.0), 6.0), 0.25, 0.02);
        let rust = speed(1.0, latent_rate(18.0, 1.3, 25.0, 149.6), 25.0);
        assert!((0.15..=0.25).contains(&rust), "{rust}");
    }

    #[test]
    fn sites_are_conserved_and_the_epidemic_stops_when_no_leaf_is_left() {
        let mut sites = Sites { infectious: 1e-3, ..Sites::HEALTHY };
        let mut left = 1.0;
        for day in 0..300 {
            left *= 1.0 - sites.day(infected(sites.healthy(), 2.0 * sites.infectious), 0.2, 0.2);
            let parts = sites.latent.iter().fold(sites.infectious + sites.removed, |sum, step| sum + step);
            close(parts + sites.healthy(), 1.0, 1e-12);
            close(left, 1.0 - sites.removed, 1e-12);
            assert!(sites.latent.iter().all(|step| *step >= 0.0) && sites.healthy() >= 0.0, "day {day}: {sites:?}");
        }
        assert!(sites.removed > 0.98 && sites.infectious < 1e-6, "{sites:?}");
        sites.dilute(0.5);
        close(sites.healthy(), 0.5 + 0.5 * (1.0 - 2.0 * sites.removed), 1e-6);
    }

    #[test]
    fn a_cure_reaches_back_some_days_and_not_to_lesions() {
        let before = Sites { latent: [0.1; STEPS], infectious: 0.1, removed: 0.1 };
        let mut sites = before;
        sites.cure(0.5, 0.9);
        close(sites.latent[0], 0.01, 1e-12);
        close(sites.latent[1], 0.01, 1e-12);
        assert_eq!((sites.latent[2], sites.infectious, sites.removed), (0.1, 0.1, 0.1));
        close(sites.healthy(), before.healthy() + 0.18, 1e-12);
    }

    /// Mancozeb at 1.5 kg/ha; half is gone after 7 dry days or 25 mm of rain.
    #[test]
    fn a_protectant_lasts_for_a_week_or_until_rain_washes_it_off() {
        close(prevented(0.15, 0.045), 0.9, 0.005);
        close(prevented(0.15 * powf(0.5, 7.0 / 7.0), 0.045), 0.685, 0.005);
        close(prevented(0.15 * unwashed(25.0, 25.0), 0.045), 0.685, 0.005);
        assert_eq!((prevented(0.0, 0.045), unwashed(0.0, 25.0)), (0.0, 1.0));
    }
}
