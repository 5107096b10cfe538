//! Properties of every chart: each number is drawn at its pixel, texts do not overlap, and no infinite number or NaN is drawn.

use crate::drawing::Drawing;
use crate::font::{Weight, width};
use crate::{Bar, Bars, Distributions, Estimate, Group, Lines, Mark, Panels, Row, Series, Shape, Span, Timeline};

/// The value of an attribute in a piece of SVG.
fn attribute<'s>(piece: &'s str, name: &str) -> &'s str {
    let start = piece.find(&format!(" {name}=\"")).map(|at| at + name.len() + 3);
    let start = start.unwrap_or_else(|| panic!("no {name} in {piece}"));
    &piece[start..start + piece[start..].find('"').unwrap()]
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| c == ' ' || c.is_ascii_alphabetic()).filter_map(|piece| piece.parse().ok()).collect()
}

/// The elements with this name.
fn elements<'s>(svg: &'s str, name: &str) -> Vec<&'s str> {
    svg.lines().filter(|line| line.starts_with(&format!("<{name} "))).collect()
}

/// The texts, each with its left and right edge and its baseline.
fn texts(svg: &str) -> Vec<(String, f64, f64, f64, f64)> {
    let read = |piece: &str| {
        let text = piece[piece.find('>').unwrap() + 1..piece.find("</").unwrap()].split('<').next().unwrap().to_owned();
        let [x, y, size] = ["x", "y", "font-size"].map(|name| attribute(piece, name).parse::<f64>().unwrap());
        let weight = if piece.contains("font-weight") { Weight::Bold } else { Weight::Regular };
        let plain = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
        let wide = width(&plain, size, weight);
        let left = match piece {
            piece if piece.contains("text-anchor=\"middle\"") => x - wide / 2.0,
            piece if piece.contains("text-anchor=\"end\"") => x - wide,
            _ => x,
        };
        (text, left, left + wide, y, size)
    };
    elements(svg, "text").into_iter().map(read).collect()
}

fn groups(names: &[&str], values: &[f64]) -> Vec<Group> {
    let group = |(color, name): (usize, &&str)| Group {
        name: (*name).to_owned(),
        color,
        values: values.to_vec(),
        estimate: values.first().map(|value| Estimate { value: *value, low: value - 1.0, high: value + 1.0 }),
        ..Group::default()
    };
    names.iter().enumerate().map(group).collect()
}

fn distributions(groups: Vec<Group>) -> Distributions {
    let (title, axis) = ("Returns of a game".to_owned(), "return".to_owned());
    Distributions { title, axis, groups, estimate: "mean".to_owned(), width: 640.0, ..Distributions::default() }
}

fn lines(values: &[f64], shape: Shape) -> Lines {
    let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(i, value)| (i as f64, *value)).collect();
    let series = |color: usize| Series {
        name: format!("series {color}"),
        points: points.clone(),
        shape,
        color,
        id: Some(color),
        ..Series::default()
    };
    let marks =
        (0..8).map(|i| Mark { x: f64::from(i) / 2.0, text: format!("something happened {i}"), color: 1 }).collect();
    Lines {
        title: "Values".to_owned(),
        x: "day".to_owned(),
        y: "value [L]".to_owned(),
        series: vec![series(0), series(9)],
        marks,
        width: 500.0,
        height: 150.0,
        ..Lines::default()
    }
}

/// Charts of ordinary numbers, and of numbers that are hard to draw.
fn all() -> Vec<(String, Drawing)> {
    let long = "a policy with a name that is far too long to stand before its row, whatever is done about it";
    let fifteen: Vec<String> = (0..15).map(|i| format!("{long} {i}")).collect();
    let fifteen: Vec<&str> = fifteen.iter().map(String::as_str).collect();
    let numbers: [&[f64]; 9] = [
        &[1.0, 2.0, 4.0, 3.0, 2.5],
        &[7.0; 5],
        &[],
        &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
        &[1.0, f64::NAN, 2.0],
        &[1e12, -3e12],
        &[f64::MAX, f64::MIN],
        &[3e-9, 2e-9],
        &[5e-324, 0.0],
    ];
    let mut charts = Vec::new();
    for values in numbers {
        for names in [&["one & <only>"][..], &fifteen] {
            let groups = groups(names, values);
            charts.push((format!("distributions of {values:?}"), distributions(groups).draw()));
            let bars = names.iter().map(|name| Bar { name: (*name).to_owned(), values: values.to_vec() }).collect();
            let parts = (0..values.len()).map(|i| format!("part {i}")).collect();
            let bars = Bars { title: "Costs".to_owned(), axis: "cost".to_owned(), parts, bars, width: 500.0 };
            charts.push((format!("bars of {values:?}"), bars.draw()));
            let span = |value: &f64| Span { from: *value, to: *value + 1.0, text: "then".to_owned() };
            let row =
                |name: &&str| Row { name: (*name).to_owned(), color: 0, spans: values.iter().map(span).collect() };
            let rows = names.iter().map(row).collect();
            let timeline = Timeline { x: "day".to_owned(), rows, width: 500.0, ..Timeline::default() };
            charts.push((format!("timeline of {values:?}"), timeline.draw()));
        }
        for shape in [Shape::Line, Shape::Steps, Shape::Points, Shape::Columns] {
            charts.push((format!("{shape:?} of {values:?}"), lines(values, shape).draw()));
        }
    }
    charts
}

#[test]
fn whatever_is_drawn_is_finite_lies_in_the_picture_and_no_text_covers_another() {
    for (what, drawing) in all() {
        let (svg, (wide, high)) = (drawing.svg(), drawing.size());
        assert!(!svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("inf "), "{what}: {svg}");
        let texts = texts(&svg);
        for (i, (text, left, right, y, size)) in texts.iter().enumerate() {
            assert!(
                *left >= -0.5 && *right <= wide + 0.5 && *y <= high && *y > 0.0,
                "{what}: {text} at {left}…{right}, {y} of {wide} × {high}"
            );
            for (other, other_left, other_right, other_y, _) in &texts[..i] {
                let is_apart = left >= other_right || right <= other_left || (y - other_y).abs() >= size * 0.9;
                assert!(is_apart, "{what}: `{text}` and `{other}` overlap\n{svg}");
            }
        }
        for (x, y, w, h) in elements(&svg, "rect").iter().map(|r| {
            let [x, y, w, h] = ["x", "y", "width", "height"].map(|name| attribute(r, name).parse::<f64>().unwrap());
            (x, y, w, h)
        }) {
            assert!(
                w >= 0.0 && h >= 0.0 && x >= -3.0 && x + w <= wide + 3.0 && y >= 0.0 && y + h <= high,
                "{what}: {x} {y} {w} {h}"
            );
        }
    }
}

#[test]
fn a_file_of_its_own_has_the_colours_of_a_dark_screen_and_its_pixels_have_not() {
    let chart = lines(&[1.0, 3.0], Shape::Line).draw();
    let svg = chart.svg();
    assert_eq!(svg.matches("<style>@media (prefers-color-scheme: dark){.plot-fill-text{").count(), 1);
    assert!(svg.contains(".plot-fill-paper{fill:#171B20}") && svg.contains("class=\"plot-fill-paper\""));
    assert!(!chart.inline_svg().contains("<style>"), "a page has a sheet of its own");
    let image = resvg::tiny_skia::Pixmap::decode_png(&chart.png(1.0).unwrap()).unwrap();
    let corner = image.pixel(0, 0).unwrap();
    assert_eq!((corner.red(), corner.green(), corner.blue()), (255, 255, 255));
}

#[test]
fn directions_are_dots_that_no_line_joins() {
    let svg = lines(&[359.0, 1.0, 2.0], Shape::Points).draw().svg();
    let path = elements(&svg, "path").into_iter().find(|p| p.contains("data-series=\"0\"")).unwrap();
    assert_eq!(attribute(path, "d").matches('M').count(), 3);
    assert_eq!(attribute(path, "d").matches('Z').count(), 3);
    assert!(!path.contains("stroke="), "{path}");
}

#[test]
fn timelines_with_the_same_room_have_one_axis() {
    let row = |name: &str| Row { name: name.to_owned(), ..Row::default() };
    let room = Timeline::room_of_names(["a", "a long name"].into_iter(), 500.0);
    let left = |rows: Vec<Row>| {
        let range = Some((0.0, 9.0));
        let svg = Timeline { rows, range, min_left: room, width: 500.0, ..Timeline::default() }.draw().svg();
        svg.split("data-frame=\"").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    assert_eq!(left(vec![row("a")]), left(vec![row("a long name")]));
}

#[test]
fn a_value_lies_at_its_tick_and_its_step() {
    let mut chart = lines(&[0.0, 10.0, 20.0, 5.0], Shape::Line);
    chart.marks.clear();
    let svg = chart.draw().svg();
    let path = elements(&svg, "path").into_iter().find(|p| p.contains("data-series=\"0\"")).unwrap();
    let points = numbers(attribute(path, "d"));
    // The grid line beside the label of a value is where a point with this value must lie.
    let height_of = |label: &str| {
        let at = svg
            .lines()
            .position(|line| line.starts_with("<text") && line.contains(&format!(">{label}</text>")))
            .unwrap();
        let grid = svg.lines().nth(at - 1).unwrap();
        attribute(grid, "y1").parse::<f64>().unwrap()
    };
    let step_of = |label: &str| {
        let is_tick =
            |line: &&str| line.contains("text-anchor=\"middle\"") && line.contains(&format!(">{label}</text>"));
        attribute(svg.lines().find(is_tick).unwrap(), "x").parse::<f64>().unwrap()
    };
    for (i, label) in ["0", "10", "20", "5"].iter().enumerate() {
        let (x, y) = (points[2 * i], points[2 * i + 1]);
        assert!((y - height_of(label)).abs() < 0.1, "{label}: {y} and {}", height_of(label));
        assert!((x - step_of(&i.to_string())).abs() < 0.1, "step {i}: {x} and {}", step_of(&i.to_string()));
    }
    // 150 pixels for the range from 0 to 20, as the height says.
    assert!((points[1] - points[5] - 150.0).abs() < 0.1, "{points:?}");
}

#[test]
fn a_box_has_the_quartiles_and_the_estimate_of_its_group() {
    // Of 0, 10, 20, 30, 40 the quartiles are 10 and 30 and the median is 20.
    let mut groups = groups(&["a"], &[40.0, 0.0, 30.0, 10.0, 20.0]);
    groups[0].estimate = Some(Estimate { value: 20.0, low: 0.0, high: 40.0 });
    let svg = distributions(groups).draw().svg();
    let tick = |label: &str| {
        let line = svg
            .lines()
            .find(|line| line.contains("text-anchor=\"middle\"") && line.contains(&format!(">{label}</text>")));
        attribute(line.unwrap(), "x").parse::<f64>().unwrap()
    };
    let rect = elements(&svg, "rect").into_iter().find(|rect| rect.contains("plot-fill-0")).unwrap();
    let [x, wide] = ["x", "width"].map(|name| attribute(rect, name).parse::<f64>().unwrap());
    assert!((x - tick("10")).abs() < 0.02 && (x + wide - tick("30")).abs() < 0.02, "{rect}");
    let diamond = elements(&svg, "path").into_iter().find(|path| path.contains("plot-line-text")).unwrap();
    assert!((numbers(attribute(diamond, "d"))[0] - tick("20")).abs() < 0.02, "{diamond}");
    let bar = elements(&svg, "line").into_iter().find(|line| line.contains("plot-line-text")).unwrap();
    let ends = ["x1", "x2"].map(|name| attribute(bar, name).parse::<f64>().unwrap());
    assert!((ends[0] - tick("0")).abs() < 0.02 && (ends[1] - tick("40")).abs() < 0.02, "{bar}");
    assert!(svg.contains("20 [0, 40]"));
}

#[test]
fn columns_stand_on_one_another_and_negative_ones_hang_below_zero() {
    let column = |name: &str, color: usize, value: f64| Series {
        name: name.to_owned(),
        points: vec![(0.0, value)],
        shape: Shape::Columns,
        color,
        id: Some(color),
        ..Series::default()
    };
    let series = vec![column("rain", 0, 3.0), column("irrigation", 1, 2.0), column("uptake", 2, -5.0)];
    let svg = Lines { series, height: 100.0, width: 300.0, ..Lines::default() }.draw().svg();
    let ends = |id: usize| {
        let path = elements(&svg, "path").into_iter().find(|p| p.contains(&format!("data-series=\"{id}\""))).unwrap();
        let points = numbers(attribute(path, "d"));
        (points[1], points[5])
    };
    let (zero, rain) = ends(0);
    let (on_rain, both) = ends(1);
    let (from, down) = ends(2);
    assert_eq!((on_rain, from), (rain, zero));
    assert!(((zero - both) - (down - zero)).abs() < 0.15, "5 up is as far as 5 down: {zero} {both} {down}");
    assert!(((zero - rain) / (zero - both) - 0.6).abs() < 0.01);
}

#[test]
fn a_png_has_the_colours_of_the_chart_where_its_numbers_lie() {
    let mut chart = lines(&[4.0, 4.0, 4.0], Shape::Line);
    (chart.marks, chart.title) = (Vec::new(), String::new());
    chart.series.truncate(1);
    let drawing = chart.draw();
    let svg = drawing.svg();
    let path = elements(&svg, "path").into_iter().find(|p| p.contains("data-series=\"0\"")).unwrap();
    let points = numbers(attribute(path, "d"));
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&drawing.png(2.0).unwrap()).unwrap();
    let (wide, high) = drawing.size();
    assert_eq!((pixels.width(), pixels.height()), ((wide * 2.0).ceil() as u32, (high * 2.0).ceil() as u32));
    let middle = (points[0] + points[2]) / 2.0;
    let color = |x: f64, y: f64| {
        let pixel = pixels.pixel((x * 2.0) as u32, (y * 2.0) as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    };
    assert_eq!(color(middle, points[1]), [0x00, 0x72, 0xb2], "the line");
    assert_eq!(color(2.0, 2.0), [255, 255, 255], "the paper");
    let dark = (0..pixels.width()).flat_map(|x| (0..pixels.height()).map(move |y| (x, y)));
    let letters =
        dark.filter(|(x, y)| pixels.pixel(*x, *y).is_some_and(|p| p.red() == 0x22 && p.green() == 0x28)).count();
    assert!(letters > 50, "words are drawn: {letters}");
    assert!(Drawing::stacked(vec![drawing; 2000]).png(50.0).is_err(), "too large to draw");
}

#[test]
fn stacked_charts_keep_what_they_show() {
    let one = lines(&[1.0, 2.0], Shape::Line).draw();
    let (wide, high) = one.size();
    let two = Drawing::stacked(vec![one.clone(), one.clone()]);
    assert_eq!(two.size(), (wide, 2.0 * high));
    let heights = |svg: &str| -> Vec<f64> { texts(svg).iter().map(|(_, _, _, y, _)| *y).collect() };
    let (single, both) = (heights(&one.svg()), heights(&two.svg()));
    assert_eq!(both.len(), 2 * single.len());
    assert!(single.iter().zip(&both[single.len()..]).all(|(a, b)| (a + high - b).abs() < 0.02));
}

#[test]
fn panels_share_title_legend_and_axes_and_show_what_others_say() {
    let panel = |title: &str| Lines {
        title: title.to_owned(),
        ticks: vec![(0.0, "none".to_owned()), (1.0, "much of it".to_owned())],
        range: Some((0.0, 1.0)),
        expected: vec![(1.0, 2.0, 4.0)],
        has_dots: true,
        marks: Vec::new(),
        ..lines(&[1.0, 3.0], Shape::Line)
    };
    let panels = Panels {
        title: "All".to_owned(),
        remark: "Grey: others".to_owned(),
        x: "dose".to_owned(),
        y: "yield".to_owned(),
        panels: ["corn", "wheat", "rice"].map(panel).into(),
        columns: 2,
        width: 240.0,
        height: 90.0,
    };
    let drawing = panels.draw();
    let svg = drawing.svg();
    assert_eq!(drawing.size().0, 480.0);
    // Said once for all, and once in each.
    for (text, times) in
        [(">All<", 2), (">series 9<", 1), (">dose<", 1), (">corn<", 1), (">rice<", 1), (">much of it<", 3)]
    {
        assert_eq!(svg.matches(text).count(), times, "{text} in {svg}");
    }
    let bars = svg.lines().filter(|line| line.starts_with("<rect") && line.contains("plot-fill-faint"));
    assert_eq!(bars.count(), 3, "{svg}");
    assert!(drawing.png(1.0).is_ok());
    assert!(Panels::default().draw().svg().contains("<svg"), "nothing to show");
}
