//! The months of a station.

use super::super::law::{Climate, Months};
use super::{Record, mean, month_of, numbers, rounded, short, variance};
use crate::agronomy::weather::formats::{Day, MONTH_STARTS, WET_DAY_MM};

/// Minimum number of wet and of dry days in a month, from which their difference is computed.
const FEW_DAYS: usize = 30;

/// The months of the record.
pub(super) fn months(record: &Record<'_>) -> Months {
    let each = |value: &dyn Fn(usize) -> f64| (0..12).map(|month| short(value(month))).collect::<Vec<f64>>();
    let of_month = |month: usize| (0..record.days.len()).filter(move |i| month_of(record.day_of_year(*i)) == month);
    let values = |month: usize, value: &dyn Fn(&Day) -> f64| -> Vec<f64> {
        of_month(month).map(|i| value(&record.days[i])).collect()
    };
    let means = |value: &dyn Fn(&Day) -> f64| each(&|month| mean(&values(month, value)));
    let (min, max) = (means(&|day| day.min_celsius), means(&|day| day.max_celsius));
    let (low_course, high_course) = (numbers::smooth(&min), numbers::smooth(&max));
    // Departures from the smooth course of the year.
    let departure =
        |i: usize, value: &dyn Fn(&Day) -> f64, course: &[f64]| value(&record.days[i]) - course[record.day_of_year(i)];
    let deviations = |value: &dyn Fn(&Day) -> f64, course: &[f64]| {
        each(&|month| variance(&of_month(month).map(|i| departure(i, value, course)).collect::<Vec<_>>()).sqrt())
    };
    let skewness = |month: usize| {
        let all: Vec<f64> = of_month(month).map(|i| departure(i, &|day| day.max_celsius, &high_course)).collect();
        let (centre, size) = (mean(&all), variance(&all).sqrt());
        let cubes =
            mean(&all.iter().map(|value| (value - centre) * (value - centre) * (value - centre)).collect::<Vec<_>>());
        let skewness = cubes / (size * size * size);
        // A positive skewness would make heat without a limit.
        if skewness.is_finite() { skewness.clamp(-0.8, 0.0) } else { 0.0 }
    };
    let high = |wet: bool, days: &mut dyn Iterator<Item = usize>| -> Vec<f64> {
        days.filter(|i| record.is_wet(*i) == wet).map(|i| departure(i, &|day| day.max_celsius, &high_course)).collect()
    };
    let if_wet = |days: &mut dyn Iterator<Item = usize>| {
        let all: Vec<usize> = days.collect();
        let (wet, dry) = (high(true, &mut all.iter().copied()), high(false, &mut all.iter().copied()));
        (wet.len().min(dry.len()) >= FEW_DAYS).then(|| mean(&wet) - mean(&dry))
    };
    let usual_if_wet = if_wet(&mut (0..record.days.len())).unwrap_or_default();
    let share = |wet_before: bool, month: usize| {
        let pairs: Vec<usize> = of_month(month).filter(|i| *i > 0 && record.is_wet(*i - 1) == wet_before).collect();
        let wet = pairs.iter().filter(|i| record.is_wet(**i)).count();
        // A month without such days has the chance of its neighbours in the chain: none.
        if pairs.is_empty() { 0.0 } else { rounded(wet as f64 / pairs.len() as f64) }
    };
    let shares = |wet_before: bool| (0..12).map(|month| share(wet_before, month).min(0.99)).collect();
    let of_class = |month: usize, wet: bool| -> Vec<f64> {
        of_month(month).filter(|i| record.is_wet(*i) == wet).map(|i| record.days[i].clouds_percent).collect()
    };
    let clouds = |wet: bool| -> Option<(Vec<f64>, Vec<f64>)> {
        let all: Vec<f64> = (0..12).flat_map(|month| of_class(month, wet)).collect();
        let usual = numbers::unlimited(mean(&all), variance(&all).sqrt());
        let month = |month: usize| {
            let of_month = of_class(month, wet);
            let is_few = of_month.len() < FEW_DAYS;
            if is_few { usual } else { numbers::unlimited(mean(&of_month), variance(&of_month).sqrt()) }
        };
        record.known.clouds.then(|| (0..12).map(month).map(|(mean, deviation)| (short(mean), short(deviation))).unzip())
    };
    let ((dry, dry_deviation), (wet, wet_deviation)) = (clouds(false).unzip(), clouds(true).unzip());
    let humidity = record.known.humidity.then(|| means(&|day| day.humidity_percent));
    let humidity_deviation = humidity.as_ref().map(|months| {
        let course = numbers::smooth(months);
        deviations(&|day| day.humidity_percent, &course)
    });
    Months {
        min_deviation_celsius: deviations(&|day| day.min_celsius, &low_course),
        max_deviation_celsius: deviations(&|day| day.max_celsius, &high_course),
        max_if_wet_celsius: each(&|month| if_wet(&mut of_month(month)).unwrap_or(usual_if_wet)),
        max_skewness: Some(each(&skewness)),
        clouds_with_max: None,
        rain_mm: each(&|month| {
            mean(&values(month, &|day| day.rain_mm)) * (MONTH_STARTS[month + 1] - MONTH_STARTS[month]) as f64
        }),
        wet_after_dry: shares(false),
        wet_after_wet: shares(true),
        humidity_percent: humidity,
        humidity_deviation_percent: humidity_deviation,
        wind_m_per_s: record.known.wind.then(|| means(&|day| (day.wind_km_per_h / 3.6).max(0.1))),
        clouds_if_dry_percent: dry,
        clouds_if_wet_percent: wet,
        clouds_deviation_if_dry_percent: dry_deviation,
        clouds_deviation_if_wet_percent: wet_deviation,
        min_celsius: min,
        max_celsius: max,
    }
}

/// Shape of the gamma law of the rain above 1 mm, relative to the mean of the month: the reciprocal of its variance.
pub(super) fn rain_shape(record: &Record<'_>) -> f64 {
    let mut relative = Vec::new();
    for month in 0..12 {
        let wet = (0..record.days.len()).filter(|i| month_of(record.day_of_year(*i)) == month && record.is_wet(*i));
        let excess: Vec<f64> = wet.map(|i| record.days[i].rain_mm - WET_DAY_MM).collect();
        let centre = mean(&excess);
        if excess.len() >= FEW_DAYS && centre > 0.0 {
            relative.extend(excess.iter().map(|excess| excess / centre));
        }
    }
    let shape = 1.0 / variance(&relative);
    if shape.is_finite() { shape.clamp(0.2, 5.0) } else { Climate::default().rain_shape }
}
