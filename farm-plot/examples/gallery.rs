//! Draws each chart, with ordinary numbers and with those that are hard to draw, into a folder.
//!
//!     cargo run -p farm-plot --example gallery -- charts

use std::path::Path;

use farm_plot::{Bar, Bars, Distributions, Drawing, Estimate, Group, Lines, Mark, Row, Series, Shape, Span, Timeline};

/// Numbers that spread like throws of dice: the same each time.
fn throws(count: usize, mean: f64, spread: f64, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    (0..count).map(|_| mean + spread * ((0..6).map(|_| uniform()).sum::<f64>() - 3.0)).collect()
}

fn group(name: &str, color: usize, values: Vec<f64>) -> Group {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let half = values.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max) / 5.0;
    let estimate = Some(Estimate { value: mean, low: mean - half, high: mean + half });
    Group { name: name.to_owned(), color, values, estimate, ..Group::default() }
}

fn distributions(title: &str, groups: Vec<Group>) -> Drawing {
    let (title, axis) = (title.to_owned(), "return of an episode".to_owned());
    let (estimate, value) = ("mean with 95 % interval".to_owned(), "episode".to_owned());
    Distributions { title, axis, groups, estimate, value, width: 760.0, ..Distributions::default() }.draw()
}

fn series(name: &str, color: usize, values: impl IntoIterator<Item = f64>) -> Series {
    let points = values.into_iter().enumerate().map(|(i, value)| (i as f64, value)).collect();
    Series { name: name.to_owned(), color, points, ..Series::default() }
}

fn lines(title: &str, y: &str, series: Vec<Series>, marks: Vec<Mark>) -> Drawing {
    let (title, x, y) = (title.to_owned(), "day".to_owned(), y.to_owned());
    Lines { title, x, y, series, marks, width: 760.0, height: 190.0, ..Lines::default() }.draw()
}

fn charts() -> Vec<(&'static str, Drawing)> {
    let three = vec![
        group("random", 0, throws(100, 12.0, 4.0, 1)),
        group("wait", 1, throws(100, 3.0, 0.6, 2)),
        group("expert", 2, throws(100, 31.0, 6.0, 3)),
    ];
    let fifteen = (0..15).map(|i| {
        let name = format!("a policy with quite a long name that was tuned on seeds of its own, number {i}");
        let section = ["loam", "clay", "sand"][i / 5].to_owned();
        Group { section, ..group(&name, i / 5, throws(60, 10.0 + i as f64, 3.0, i as u64)) }
    });
    let odd = vec![
        group("constant", 0, vec![4.0; 30]),
        group("one value", 1, vec![5.0]),
        group("none", 2, vec![]),
        group("not a number", 3, vec![f64::NAN, 3.0, 4.5, f64::INFINITY]),
    ];
    let huge = vec![group("huge", 0, throws(50, 3e12, 1e12, 5)), group("small", 1, throws(50, 5.0, 1.0, 6))];
    let tiny = vec![group("tiny", 0, throws(50, 3e-9, 1e-9, 5))];
    let wave = |shift: f64| (0..120).map(move |i| ((i as f64 + shift) % 40.0 - 20.0).abs() + shift);
    let marks = [3.0, 4.0, 40.0, 41.0, 42.0, 43.0, 44.0, 118.0].map(|x| Mark {
        x,
        text: format!("beans died of frost on day {x}"),
        color: 1,
    });
    let band = wave(3.0).map(|y| (y - 4.0, y + 3.0)).collect();
    let many = vec![Series { band, ..series("mean of all plots", 0, wave(3.0)) }, series("outside", 1, wave(9.0))];
    let gaps = (0..60).map(|i| if i % 20 > 14 && i != 38 { f64::NAN } else { f64::from(i) });
    let columns = |name: &str, color, values: Vec<f64>| Series { shape: Shape::Columns, ..series(name, color, values) };
    let ledger = vec![
        columns("rain", 0, throws(60, 2.0, 1.0, 1).into_iter().map(|v| (v - 2.0).max(0.0) * 8.0).collect()),
        columns("irrigation", 5, (0..60).map(|i| if i % 7 == 0 { 5.0 } else { 0.0 }).collect()),
        columns("evaporation", 1, throws(60, -1.5, 0.2, 2)),
        columns("uptake", 2, (0..60).map(|i| f64::from(i) * -0.05).collect()),
    ];
    let all = (0..12).map(|i| series(&format!("plant {i}"), i, wave(i as f64 * 3.0)));
    let stages = Lines {
        title: "stage".to_owned(),
        x: "day".to_owned(),
        names: ["none", "seed", "grow", "bloom", "fruit", "ripe", "dead"].map(str::to_owned).to_vec(),
        series: vec![Series { shape: Shape::Steps, ..series("stage", 0, (0..90).map(|i| f64::from(i / 15))) }],
        width: 420.0,
        height: 120.0,
        ..Lines::default()
    };
    let span = |from: f64, to: f64| Span { from, to, text: format!("{from} to {to}") };
    let rows = vec![
        Row {
            name: "watered".to_owned(),
            color: 0,
            spans: (0..20).map(|i| span(f64::from(i) * 4.0, f64::from(i) * 4.0)).collect(),
        },
        Row { name: "hindered by drought".to_owned(), color: 1, spans: vec![span(10.0, 30.0), span(50.0, 51.0)] },
        Row { name: "Field-0.Plant-0 stage: from bloom to fruit".to_owned(), color: 2, spans: vec![span(60.0, 60.0)] },
    ];
    let timeline = Timeline {
        title: "What happened".to_owned(),
        x: "day".to_owned(),
        rows,
        range: Some((0.0, 80.0)),
        width: 760.0,
        ..Timeline::default()
    };
    let bar = |name: &str, values: &[f64]| Bar { name: name.to_owned(), values: values.to_vec() };
    let bars = Bars {
        title: "Costs".to_owned(),
        axis: "cost".to_owned(),
        parts: vec!["interventions".to_owned(), "observations".to_owned()],
        bars: vec![
            bar("water_discrete", &[3.2, 0.0]),
            bar("sow", &[0.4, 1.5]),
            bar("returned", &[-0.8]),
            bar("unknown", &[f64::NAN]),
        ],
        width: 560.0,
    };
    vec![
        ("distributions", distributions("Returns in a game", three.clone())),
        ("one_group", distributions("One group", three[..1].to_vec())),
        ("fifteen_groups", distributions("Fifteen groups in three sections", fifteen.collect())),
        ("odd_values", distributions("Constant, single, missing", odd)),
        ("huge_and_small", distributions("Huge beside small", huge)),
        ("tiny", distributions("Tiny", tiny)),
        ("no_group", distributions("", Vec::new())),
        ("lines", lines("Water in the soil", "water [L]", many, marks.to_vec())),
        ("gaps", lines("Gaps", "value", vec![series("gaps", 0, gaps)], Vec::new())),
        ("columns", lines("Water of the day", "water [L]", ledger, Vec::new())),
        ("twelve_lines", lines("More lines than colours", "size [cm]", all.collect(), Vec::new())),
        ("constant", lines("Constant", "value", vec![series("c", 0, [2.0; 30])], Vec::new())),
        ("names", stages.draw()),
        ("timeline", timeline.draw()),
        ("bars", bars.draw()),
        ("stacked", Drawing::stacked(vec![timeline.draw(), bars.draw()])),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "charts".to_owned());
    std::fs::create_dir_all(&folder)?;
    for (name, drawing) in charts() {
        let path = Path::new(&folder).join(name);
        std::fs::write(path.with_extension("svg"), drawing.svg())?;
        std::fs::write(path.with_extension("png"), drawing.png(1.5)?)?;
    }
    Ok(())
}
