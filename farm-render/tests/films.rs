//! Films read back: GIF by its own decoder, MP4 by taking its boxes apart and decoding its frames.

use super::support::{Episode, episode, game, share_of_different};
use farm_render::{Film, FilmFormat, FilmOptions, Gif, Image, PictureOptions, Renderer, View};

fn short() -> Episode {
    let mut played = episode(&game("backwards_valley", &[]), 2);
    played.states.truncate(12);
    played
}

const SMALL: PictureOptions = PictureOptions { max_width: 300, max_height: 300, ..PictureOptions::DEFAULT };

fn frames(played: &Episode, renderer: &mut Renderer) -> Vec<Image> {
    (0..played.states.len()).map(|step| renderer.render(&played.frame(step)).clone()).collect()
}

#[test]
fn redrawing_what_has_changed_gives_the_picture_that_drawing_all_gives() {
    for name in ["backwards_valley", "full_farm-v0", "walking_farmer-v0"] {
        let played = episode(&game(name, &[]), 3);
        for view in [View::Everything, View::Learner] {
            let options = PictureOptions { view, max_width: 200, max_height: 200, ..PictureOptions::DEFAULT };
            let mut renderer = Renderer::new(played.game.clone(), &options).unwrap();
            for step in (0..played.states.len()).step_by(23) {
                let image = renderer.render(&played.frame(step)).clone();
                assert!(image == played.image(step, &options), "{name}, step {step}");
            }
        }
    }
}

#[test]
fn a_gif_shows_every_frame_in_nearly_its_own_colours_and_with_one_palette() {
    let played = short();
    let mut renderer = Renderer::new(played.game.clone(), &SMALL).unwrap();
    let mut film = Gif::new(renderer.size(), renderer.palette(), 4.0).unwrap();
    let frames = frames(&played, &mut renderer);
    frames.iter().for_each(|frame| film.frame(frame).unwrap());
    // A frame like the one before makes that one stand longer.
    film.frame(frames.last().unwrap()).unwrap();
    let bytes = film.finish().unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes.as_slice()).unwrap();
    let palette: Vec<u8> = decoder.global_palette().expect("a palette for all frames").to_vec();
    let (width, height) = renderer.size();
    let mut shown = vec![0; width * height * 3];
    let mut read = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "no frame has colours of its own");
        for (i, index) in frame.buffer.iter().enumerate().filter(|(_, index)| Some(**index) != frame.transparent) {
            let (x, y) =
                (i % frame.width as usize + frame.left as usize, i / frame.width as usize + frame.top as usize);
            let (to, from) = (3 * (y * width + x), 3 * *index as usize);
            shown[to..to + 3].copy_from_slice(&palette[from..from + 3]);
        }
        let share = share_of_different(&shown, frames[read].pixels(), 40);
        assert!(share < 0.002, "frame {read}: {:.2} % of the pixels", 100.0 * share);
        assert!(read + 1 == frames.len() || frame.delay == 25, "a quarter of a second, not {}", frame.delay);
        read += 1;
    }
    assert_eq!(read, frames.len());
}

#[test]
fn the_film_of_a_long_season_on_foot_is_small_and_short() {
    let played = episode(&game("walking_farmer-v0", &[]), 1);
    let mut film = Film::new(played.game.clone(), &[FilmFormat::Gif], &FilmOptions::default()).unwrap();
    (0..played.states.len()).for_each(|step| film.add(&played.frame(step)).unwrap());
    assert!(played.states.len() > 4000 && film.frames() <= 301, "{} frames", film.frames());
    let bytes = film.finish().remove(0).unwrap();
    assert!(bytes.len() < 3_000_000, "{} bytes", bytes.len());
}

#[test]
fn a_frame_of_another_size_is_refused() {
    let played = short();
    let mut renderer = Renderer::new(played.game.clone(), &SMALL).unwrap();
    let mut film = Gif::new(renderer.size(), renderer.palette(), 4.0).unwrap();
    let error = film.frame(&Image::new(4, 4, [0, 0, 0])).unwrap_err().to_string();
    assert!(error.contains("4 × 4"), "{error}");
}

#[cfg(feature = "mp4")]
mod mp4 {
    use farm_render::Mp4;
    use openh264::decoder::Decoder;
    use openh264::formats::YUVSource;

    use super::*;

    /// The content of the first box with this path of names.
    fn content<'a>(mut bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
        'names: for name in path {
            // Boxes with a version before their own boxes are not on any path here.
            let mut rest = bytes;
            while rest.len() >= 8 {
                let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
                assert!(length >= 8 && length <= rest.len(), "a box of {length} bytes");
                if &rest[4..8] == name.as_bytes() {
                    bytes = &rest[8..length];
                    continue 'names;
                }
                rest = &rest[length..];
            }
            panic!("there is no box `{name}`");
        }
        bytes
    }

    fn word(bytes: &[u8], index: usize) -> usize {
        u32::from_be_bytes(bytes[4 * index..4 * index + 4].try_into().unwrap()) as usize
    }

    #[test]
    fn an_mp4_holds_every_frame_where_its_tables_say() {
        let played = short();
        let mut renderer = Renderer::new(played.game.clone(), &SMALL).unwrap();
        let mut film = Mp4::new(renderer.size(), 5.0).unwrap();
        let frames = frames(&played, &mut renderer);
        frames.iter().for_each(|frame| film.frame(frame).unwrap());
        let bytes = film.finish().unwrap();
        assert_eq!(&bytes[4..8], b"ftyp");
        let table = ["moov", "trak", "mdia", "minf", "stbl"];
        let of = |name: &'static str| content(&bytes, &[&table[..], &[name]].concat());
        let (sizes, durations) = (of("stsz"), of("stts"));
        assert_eq!(word(sizes, 2), frames.len());
        // Each frame a fifth of a second, in 90,000ths, and the last one two and a half seconds.
        let lasting: usize =
            (0..word(durations, 1)).map(|i| word(durations, 2 + 2 * i) * word(durations, 3 + 2 * i)).sum();
        assert_eq!(lasting, (frames.len() - 1) * 18_000 + 225_000);
        let mut at = word(of("stco"), 2);
        // The decoder's settings follow 78 bytes of the entry, after the version, the count and the entry's head.
        let settings = content(&of("stsd")[4 + 4 + 8 + 78..], &["avcC"]);
        let sequence = u16::from_be_bytes([settings[6], settings[7]]) as usize;
        let picture_at = 8 + sequence + 1;
        let picture = u16::from_be_bytes([settings[picture_at], settings[picture_at + 1]]) as usize;
        let parameters = [&settings[8..8 + sequence], &settings[picture_at + 2..picture_at + 2 + picture]];
        let mut decoder = Decoder::new().unwrap();
        let start = [0, 0, 0, 1];
        let mut stream: Vec<u8> = parameters.iter().flat_map(|unit| [&start, *unit].concat()).collect();
        for (i, frame) in frames.iter().enumerate() {
            let end = at + word(sizes, 3 + i);
            while at < end {
                let length = word(&bytes[at..], 0);
                stream.extend([&start, &bytes[at + 4..at + 4 + length]].concat());
                at += 4 + length;
            }
            assert_eq!(at, end, "the units fill the frame");
            let decoded = decoder.decode(&stream).unwrap().unwrap_or_else(|| panic!("frame {i}"));
            stream.clear();
            assert_eq!(decoded.dimensions(), renderer.size());
            let mut pixels = vec![0; frame.pixels().len()];
            decoded.write_rgb8(&mut pixels);
            // Colours are kept at half the resolution, so that edges differ.
            let share = share_of_different(&pixels, frame.pixels(), 64);
            assert!(share < 0.05, "frame {i}: {:.1} % of the pixels", 100.0 * share);
        }
        assert_eq!(at, bytes.len(), "nothing follows the last frame");
    }

    #[test]
    fn odd_sizes_and_films_without_frames_are_refused() {
        assert!(Mp4::new((101, 100), 5.0).is_err());
        assert!(Mp4::new((100, 0), 5.0).is_err());
        assert!(Mp4::new((100, 100), 5.0).unwrap().finish().is_err());
    }
}
