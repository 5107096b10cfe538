//! The files of `corpora/weather`, one of each format, are read; and so is whatever became of one by an accident, without a panic.

use std::path::PathBuf;

use farm_core::mix;
use farm_entities::agronomy::weather::formats::{Missing, Reading, parse_bytes};

/// How many accidents happen to each file.
const ACCIDENTS: u32 = 150;

/// The files are of one place.
fn at_the_station() -> Reading {
    Reading { latitude_degrees: 43.6, ..Reading::default() }
}

fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/weather");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn one_file_of_each_format_is_read_without_a_complaint() {
    let corpus = corpus();
    assert!(corpus.len() >= 10, "{}", corpus.len());
    let mut formats = std::collections::BTreeSet::new();
    for (name, bytes) in corpus {
        let series = parse_bytes(&name, bytes, &at_the_station()).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        assert!(series.days.len() >= 3 && series.findings.is_empty(), "{name}: {:?}", series.findings);
        formats.insert(series.provenance.format);
    }
    assert!(formats.len() >= 7, "{formats:?}");
}

#[test]
fn no_accident_to_a_file_makes_a_reader_panic() {
    let (mut read, mut refused) = (0, 0);
    for (f, (name, whole)) in corpus().into_iter().enumerate() {
        for accident in 0..ACCIDENTS {
            let mut drawn = (f as u64) << 32 | u64::from(accident);
            let mut draw = |n: usize| {
                drawn = mix(drawn, 1);
                (drawn % n.max(1) as u64) as usize
            };
            let mut bytes = whole.clone();
            for _ in 0..=draw(3) {
                let at = draw(bytes.len());
                match draw(7) {
                    0 => bytes[at] = draw(256) as u8,
                    1 => bytes.truncate(at),
                    2 => drop(bytes.remove(at)),
                    3 => bytes.insert(at, b"\t,;-9.eE\"\n\0"[draw(11)]),
                    // A piece stands twice, or is gone.
                    4 => {
                        let piece = bytes[at..(at + draw(200)).min(bytes.len())].to_vec();
                        bytes.splice(at..at, piece);
                    }
                    5 => drop(bytes.drain(at..(at + draw(60)).min(bytes.len())).collect::<Vec<u8>>()),
                    _ => bytes.splice(at..at, *b"1e308").for_each(drop),
                }
                if bytes.is_empty() {
                    bytes.push(b' ');
                }
            }
            let missing = if draw(2) == 0 { Missing::Refuse } else { Missing::Interpolate };
            match parse_bytes(&name, bytes, &Reading { missing, ..at_the_station() }) {
                Ok(series) => {
                    read += 1;
                    let is_finite = |value: f64| value.is_finite();
                    for day in &series.days {
                        let numbers =
                            [day.min_celsius, day.max_celsius, day.humidity_percent, day.rain_mm, day.wind_km_per_h];
                        assert!(numbers.into_iter().all(is_finite), "{name}, accident {accident}: {day:?}");
                    }
                }
                Err(errors) => {
                    refused += 1;
                    assert!(!errors.is_empty(), "{name}, accident {accident}");
                }
            }
        }
    }
    assert!(read > 50 && refused > 50, "{read} were read, {refused} refused");
}
