//! The weather of field trials: totals of each file are those that its columns add up to, read here by other means.

use std::path::{Path, PathBuf};

use farm_entities::agronomy::weather::formats::{Missing, Reading, parse_bytes};

/// Where the files lie that come with the project's references; they are not part of it.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference/trials/Weather")
}

/// Sums of SRAD, TMAX, TMIN and RAIN by the words of a line; none where a row lacks one of them.
fn sums(text: &str) -> Option<(usize, [f64; 4])> {
    let mut header: Vec<&str> = Vec::new();
    let (mut rows, mut sums) = (0, [0.0; 4]);
    for line in text.lines().map(|line| line.trim_end_matches('\r')) {
        if let Some(names) = line.strip_prefix('@') {
            header = names.split_whitespace().collect();
            continue;
        }
        if header.first() != Some(&"DATE") || !line.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let value = |name: &str| {
            let at = header.iter().position(|known| *known == name)?;
            words
                .get(at)?
                .parse::<f64>()
                .ok()
                .filter(|value| *value > if name.starts_with('T') { -90.0 } else { -0.001 })
        };
        rows += 1;
        for (sum, name) in sums.iter_mut().zip(["SRAD", "TMAX", "TMIN", "RAIN"]) {
            *sum += value(name)?;
        }
    }
    Some((rows, sums))
}

#[test]
fn files_of_trials_have_the_totals_of_their_columns() {
    let Ok(entries) = std::fs::read_dir(folder()) else {
        eprintln!("SKIPPED: {} is not there", folder().display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("wth")));
    files.sort();
    let (mut compared, mut odd) = (0, Vec::new());
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let added_up = sums(&String::from_utf8_lossy(&bytes));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let reading = Reading { missing: Missing::Interpolate, ..Reading::default() };
        let series = parse_bytes(&name, bytes, &reading).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        // What is filled in, or is the 29th of February of a leap year, is in one sum alone.
        let Some((_, expected)) = added_up.filter(|(rows, _)| *rows == series.days.len()) else {
            odd.push(name);
            continue;
        };
        compared += 1;
        let sum = |value: fn(&farm_entities::agronomy::weather::formats::Day) -> f64| {
            series.days.iter().map(value).sum::<f64>()
        };
        let found = [
            sum(|day| day.solar_mj.unwrap_or(0.0)),
            sum(|day| day.max_celsius),
            sum(|day| day.min_celsius),
            sum(|day| day.rain_mm),
        ];
        for (what, (found, expected)) in ["SRAD", "TMAX", "TMIN", "RAIN"].iter().zip(found.iter().zip(expected)) {
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
                "{name}: {what} {found}, not {expected}"
            );
        }
    }
    assert!(files.len() >= 50 && compared * 3 >= files.len(), "{compared} of {} were compared: {odd:?}", files.len());
}
