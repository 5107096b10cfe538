//! What a picture tells of a season: plants grow on it, what was done is marked, the farm is most of it.

use super::support::{episode, game};
use farm_core::declare::{Place, Sprite};
use farm_games::CATALOGUE;
use farm_render::{
    Film, FilmFormat, FilmOptions, Frame, Legend, PictureOptions, Renderer, Size, View, contrast, in_words,
};

/// As `farm render` draws.
const PAGE: PictureOptions = PictureOptions { legend: Legend::Used, season: true, ..PictureOptions::DEFAULT };

#[test]
fn in_most_frames_of_a_season_the_field_changes() {
    let played = episode(&game("clay_bean-v0", &[]), 3);
    // Without header and chart: what is above the field is as high in every frame.
    let options = PictureOptions { season: false, ..PictureOptions::DEFAULT };
    let mut renderer = Renderer::new(played.game.clone(), &options).unwrap();
    let fields: Vec<Vec<u8>> = (0..played.states.len())
        .map(|step| {
            let image = renderer.render(&Frame::of(&played.states[step]));
            image.pixels()[3 * image.width() * 140..].to_vec()
        })
        .collect();
    let changed = fields.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changed * 10 > 8 * fields.len(), "{changed} of {} frames change", fields.len());
}

#[test]
fn what_was_done_is_told_in_words_and_marked_on_its_plots() {
    let game = game("clay_bean-v0", &[]);
    let parse = |text: &str| farm_core::Environment::new(game.clone()).game().text().parse(text).unwrap();
    let water = "Soil-0.water_discrete(plot=(0, 0), amount#L=10, duration#min=60)";
    assert_eq!(in_words(&game, &parse(water)), "watered a plot, 10 L");
    let two = format!("{water}; Soil-0.water_discrete(plot=(1, 2), amount#L=10, duration#min=60)");
    assert_eq!(in_words(&game, &parse(&two)), "watered 2 plots, 10 L each");
    let other = format!("{water}; Soil-0.water_discrete(plot=(1, 2), amount#L=5, duration#min=60)");
    assert_eq!(in_words(&game, &parse(&other)), "watered 2 plots, 15 L in all");
    assert_eq!(in_words(&game, &[]), "");
    let played = episode(&game, 3);
    let mut renderer = Renderer::new(game.clone(), &PictureOptions::DEFAULT).unwrap();
    let without = renderer.render(&Frame::of(&played.states[9])).clone();
    let executed = parse(water);
    let with = renderer.render(&Frame { executed: &executed, ..Frame::of(&played.states[9]) }).clone();
    let below = 3 * with.width() * 140;
    assert_ne!(with.pixels()[below..], without.pixels()[below..], "the plot is marked");
    let again = renderer.render(&Frame::of(&played.states[9])).clone();
    assert!(again == without, "for one picture alone");
}

#[test]
fn whatever_a_player_does_is_marked_or_shows_in_how_the_farmer_stands() {
    for entry in CATALOGUE {
        let game = game(entry.name, &[]);
        for (part, action) in game.parts().iter().flat_map(|part| part.actions().iter().map(move |a| (part, a))) {
            let is_seen = action.waits() || action.badge().is_some() || action.pose().is_some();
            assert!(is_seen, "{}: {}.{}", entry.name, part.path(), action.name());
        }
    }
}

/// The pixels of a picture in which two frames of one state differ, below the header.
fn marked(game: &std::sync::Arc<farm_core::Game>, frames: [&Frame<'_>; 2]) -> Vec<(usize, usize)> {
    let mut renderer = Renderer::new(game.clone(), &PictureOptions::DEFAULT).unwrap();
    let [first, second] = frames.map(|frame| renderer.render(frame).clone());
    let width = first.width();
    let pairs = first.pixels().as_chunks::<3>().0.iter().zip(second.pixels().as_chunks::<3>().0).enumerate();
    pairs.filter(|(i, (a, b))| a != b && i / width > 66).map(|(i, _)| (i % width, i / width)).collect()
}

#[test]
fn a_harvest_of_all_marks_the_plots_on_which_something_was_harvested() {
    let game = game("clay_bean-v0", &[]);
    let harvest = farm_core::Environment::new(game.clone()).game().text().parse("Plant-0.harvest").unwrap();
    let played = episode(&game, 3);
    let step = played.executed.iter().position(|executed| in_words(&game, executed).starts_with("harvested")).unwrap();
    let own = |event: &&farm_core::Event| {
        let (part, info) = &game.events()[event.id.index()];
        game.parts()[*part].name() == "Plant-0" && !info.lasting()
    };
    let plots: std::collections::BTreeSet<u32> =
        played.events[step].iter().filter(own).map(|event| event.plot).collect();
    assert!(!plots.is_empty(), "something was harvested");
    let after = Frame { executed: &[], events: &[], ..played.frame(step) };
    let pixels = marked(&game, [&Frame { executed: &harvest, events: &played.events[step], ..after }, &after]);
    // Badges stand at the left of their plots: one run of columns and rows for each plot.
    let columns: std::collections::BTreeSet<usize> = pixels.iter().map(|(x, _)| (x - 12) / 213).collect();
    let expected: std::collections::BTreeSet<usize> = plots.iter().map(|plot| *plot as usize / 3).collect();
    assert_eq!(columns, expected);
}

#[test]
fn a_farmer_faces_where_he_walks() {
    let game = game("valley_farm", &[]);
    let played = episode(&game, 1);
    let plain = Frame { executed: &[], events: &[], ..played.frame(9) };
    let environment = farm_core::Environment::new(game.clone());
    let after = |action: &str| environment.game().text().parse(action).unwrap();
    let (west, east, wait) = (after("MoveWest"), after("MoveEast"), after("Wait"));
    let frame = |executed| Frame { executed, ..plain };
    assert!(!marked(&game, [&frame(&west), &frame(&east)]).is_empty(), "west and east");
    assert!(!marked(&game, [&frame(&west), &frame(&wait)]).is_empty(), "a farmer who waits looks ahead");
    assert!(marked(&game, [&frame(&wait), &plain]).is_empty());
}

#[test]
fn what_is_the_same_everywhere_takes_no_map() {
    let game = game("full_farm_20x20", &[]);
    let played = episode(&game, 1);
    let options = PictureOptions { max_width: 320, max_height: 320, ..PictureOptions::DEFAULT };
    let mut renderer = Renderer::new(game, &options).unwrap();
    // The end of the scale of water, which stands where there is a map of it.
    let mut scale = |step: usize| {
        let image = renderer.render(&played.frame(step));
        let rows = image.pixels().chunks(3 * image.width());
        let wettest = [0x1d, 0x4e, 0x9e];
        rows.filter(|row| row.as_chunks::<3>().0.contains(&wettest)).count()
    };
    let last = played.states.len() - 1;
    let (start, end) = (scale(0), scale(last));
    assert!(start < end, "{start} rows at the start, {end} at the end");
}

#[test]
fn the_farm_is_at_least_half_of_every_picture() {
    let mut small = Vec::new();
    for entry in CATALOGUE {
        let game = game(entry.name, &[]);
        let played = episode(&game, 1);
        let step = (played.states.len() - 1) * 2 / 5;
        let image = played.image(step, &PAGE);
        let renderer = Renderer::new(game, &PAGE).unwrap();
        let share = renderer.area_of_fields() / (image.width() * image.height()) as f64;
        if share < 0.5 {
            small.push(format!("{}: {:.0} %", entry.name, 100.0 * share));
        }
    }
    assert!(small.is_empty(), "{small:?}");
}

#[test]
fn a_picture_is_as_large_as_asked_for() {
    let game = game("clay_bean-v0", &[]);
    let of = |size| Renderer::new(game.clone(), &PictureOptions { size, ..PictureOptions::DEFAULT }).unwrap().size();
    let (width, height) = of(Size::Scale(1.0));
    let (wide, high) = of(Size::Scale(2.0));
    assert!(wide.abs_diff(2 * width) <= 2 && high.abs_diff(2 * height) <= 2, "{wide} × {high}");
    for (text, most) in [("720p", (1280, 720)), ("1080p", (1920, 1080)), ("640x480", (640, 480))] {
        let (wide, high) = of(text.parse().unwrap());
        assert!(wide <= most.0 + 2 && high <= most.1 + 2, "{text}: {wide} × {high}");
        assert!(wide + 4 >= most.0 || high + 4 >= most.1, "{text}: {wide} × {high} is as large as fits");
    }
    for wrong in ["big", "10x10", "1080", "0x0", "99999x99999"] {
        assert!(wrong.parse::<Size>().is_err(), "{wrong}");
    }
}

#[test]
fn the_legend_has_what_is_on_the_picture_or_all_or_nothing() {
    let played = episode(&game("full_farm-v0", &[]), 1);
    let height = |legend| played.image(30, &PictureOptions { legend, ..PAGE }).height();
    assert!(height(Legend::None) < height(Legend::Used) && height(Legend::Used) < height(Legend::All));
}

#[test]
fn a_picture_can_be_an_svg() {
    let played = episode(&game("full_farm-v0", &[]), 1);
    for view in [View::Everything, View::Learner] {
        let mut renderer = Renderer::new(played.game.clone(), &PictureOptions { view, ..PAGE }).unwrap();
        let season = played.season(30);
        let frame = Frame { season: Some(&season), caption: "<4x3> & more", ..played.frame(30) };
        let before = renderer.render(&frame).clone();
        let svg = renderer.render_svg(&frame);
        let tree = resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
        assert_eq!((tree.size().width() as usize).next_multiple_of(2), before.width());
        assert!(svg.contains("&lt;4x3&gt; &amp; more"), "texts are escaped");
        assert!(*renderer.render(&frame) == before, "the picture after it is as before");
    }
}

/// The frames of a GIF.
fn frames(bytes: &[u8]) -> Vec<u16> {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    delays
}

/// How long each picture of a part of a GIF is seen, in hundredths of a second: the part is given by its corner and edges.
fn seen(bytes: &[u8], (left, top, width, height): (usize, usize, usize, usize)) -> Vec<u32> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes).unwrap();
    let across = decoder.width() as usize;
    let mut pixels = vec![0_u8; across * decoder.height() as usize];
    let mut runs: Vec<(Vec<u8>, u32)> = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, index) in frame.buffer.iter().enumerate().filter(|(_, index)| Some(**index) != frame.transparent) {
            let (x, y) = (i % frame.width as usize, i / frame.width as usize);
            pixels[(y + frame.top as usize) * across + x + frame.left as usize] = *index;
        }
        let part: Vec<u8> =
            (top..top + height).flat_map(|y| pixels[y * across + left..][..width].iter().copied()).collect();
        match runs.last_mut() {
            Some((last, lasting)) if *last == part => *lasting += u32::from(frame.delay),
            _ => runs.push((part, u32::from(frame.delay))),
        }
    }
    runs.into_iter().map(|(_, lasting)| lasting).collect()
}

#[test]
fn the_sky_of_a_film_stays_for_three_frames_at_least() {
    let played = episode(&game("clay_bean-v0", &[]), 3);
    let mut film = Film::new(played.game.clone(), &[FilmFormat::Gif], &FilmOptions::default()).unwrap();
    (0..played.states.len()).for_each(|step| film.add(&played.frame(step)).unwrap());
    // The sign of the weather, below the header and the name of the field.
    let signs = seen(&film.finish().remove(0).unwrap(), (12, 90, 34, 34));
    assert!(signs.len() > 10, "the sky changes {} times", signs.len());
    let too_short: Vec<u32> = signs.iter().copied().filter(|lasting| *lasting < 30).collect();
    assert!(too_short.is_empty(), "{too_short:?} hundredths of a second");
}

#[test]
fn who_walks_is_seen_on_the_way_and_long_episodes_are_shortened() {
    let played = episode(&game("backwards_valley", &[]), 2);
    let film = |options: &FilmOptions| {
        let mut film = Film::new(played.game.clone(), &[FilmFormat::Gif], options).unwrap();
        (0..played.states.len()).for_each(|step| film.add(&played.frame(step)).unwrap());
        let shown = film.frames();
        (shown, frames(&film.finish().remove(0).unwrap()))
    };
    let usual = FilmOptions::default();
    let (shown, delays) = film(&usual);
    assert_eq!(shown, played.states.len());
    assert!(delays.len() > shown * 3 / 2, "{} pictures of {shown} steps", delays.len());
    let lasting: u32 = delays.iter().map(|delay| u32::from(*delay)).sum();
    // The last picture of a way is held, and those before it are shown as well.
    let wanted = 10 * shown as u32 - 10 + 250;
    assert!(lasting.abs_diff(wanted) <= 8, "{lasting} hundredths of a second, not {wanted}");
    let (shown, delays) = film(&FilmOptions { every: Some(4), ..usual });
    assert!(shown <= played.states.len() / 4 + 2 && delays.len() <= shown);
    let short = FilmOptions { seconds: 1.0, ..usual };
    assert_eq!(short.steps_per_frame(&played.game), 4, "40 steps in ten pictures");
    assert!(film(&short).0 <= 12);
}

/// The pixels of an SVG that hide what lies below.
fn opaque(svg: &str) -> Vec<[u8; 3]> {
    let tree = resvg::usvg::Tree::from_str(svg, &resvg::usvg::Options::default()).unwrap();
    let mut pixels = resvg::tiny_skia::Pixmap::new(64, 64).unwrap();
    let scale = 64.0 / tree.size().width();
    resvg::render(&tree, resvg::tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let all = pixels.data().as_chunks::<4>().0.iter().filter(|pixel| pixel[3] == 255);
    all.map(|[red, green, blue, _]| [*red, *green, *blue]).collect()
}

/// The colours of a ground: most of it, and those between which it is drawn.
fn grounds(svg: &str) -> Vec<[u8; 3]> {
    let mut counts = std::collections::BTreeMap::new();
    opaque(svg).into_iter().for_each(|color| *counts.entry(color).or_insert(0) += 1);
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(color, _)| color);
    let end = |name: &str| {
        let digits = svg.split_once(&format!("{name}=\"#"))?.1.get(..6)?;
        let number = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some([number[1], number[2], number[3]])
    };
    most.into_iter().chain(end("data-low")).chain(end("data-high")).collect()
}

#[test]
fn signs_stand_out_from_every_ground_by_three_to_one() {
    // An outline around a sprite is a share of it like this, at the least.
    const OUTLINE: f64 = 0.06;
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    let mut pale = Vec::new();
    for name in ["full_farm-v0", "walking_farmer-v0", "valley_farm", "backwards_valley"] {
        let game = game(name, &[]);
        let pictures: Vec<_> = game.parts().iter().flat_map(|part| part.pictures()).collect();
        let is_drawn = |place: &Place| !matches!(place, Place::StatusBar | Place::SeenTiles);
        let drawn = || pictures.iter().filter(|picture| is_drawn(picture.place()));
        let lowest = drawn().map(|picture| picture.layer()).min().unwrap();
        let svgs = |is_ground: bool| {
            let of_kind = drawn().filter(move |picture| (picture.layer() == lowest) == is_ground);
            of_kind
                .flat_map(|picture| picture.sprite_rules().iter().map(move |rule| (picture.title(), rule)))
                .filter_map(|(title, rule)| match rule.sprite() {
                    Sprite::Svg(svg) => Some((format!("{title} {}", rule.name()), svg.as_ref())),
                    _ => None,
                })
        };
        let grounds: Vec<[u8; 3]> = svgs(true).flat_map(|(_, svg)| grounds(svg)).collect();
        assert!(!grounds.is_empty(), "{name}");
        for (what, svg) in svgs(false) {
            let pixels = opaque(svg);
            for ground in &grounds {
                let out = pixels.iter().filter(|pixel| contrast(**pixel, *ground) >= 3.0).count();
                let share = out as f64 / pixels.len().max(1) as f64;
                if share < OUTLINE {
                    pale.push(format!("{name}: {what} on {ground:?}: {:.0} %", 100.0 * share));
                }
            }
        }
    }
    assert!(pale.is_empty(), "{pale:#?}");
}
