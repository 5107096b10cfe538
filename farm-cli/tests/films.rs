//! Films and pictures that the command line writes, and what it says where it can't.

use std::fs;
use std::path::Path;

use super::program::{Folder, farm, some_game};

fn starts_with(file: &str, at: usize, bytes: &[u8]) {
    let found = fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(&found[at..at + bytes.len()], bytes, "{file}");
}

#[test]
fn a_run_writes_the_films_it_is_asked_for_and_leaves_nothing_else() {
    let folder = Folder::new("all");
    let (gif, mp4, png) = (folder.file("a.gif"), folder.file("a.mp4"), folder.file("frames"));
    let arguments = ["run", some_game(), "--episodes", "2", "--policy", "wait", "--json"];
    let ran = farm(&[&arguments[..], &["--gif", &gif, "--mp4", &mp4, "--png", &png, "--fps", "5"]].concat());
    let results = ran.json();
    let steps = results["mean_days"].as_f64().unwrap() as u64;
    starts_with(&gif, 0, b"GIF89a");
    starts_with(&mp4, 4, b"ftyp");
    let mut pictures: Vec<String> =
        fs::read_dir(&png).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    pictures.sort();
    assert_eq!(pictures.len() as u64, steps + 1, "the start and every step of the first episode alone");
    assert_eq!(pictures[1], "step_0001.png");
    starts_with(&Path::new(&png).join(&pictures[0]).display().to_string(), 1, b"PNG");
    let films: Vec<&str> = results["films"].as_array().unwrap().iter().map(|film| film.as_str().unwrap()).collect();
    assert_eq!(films, [png.as_str(), &gif, &mp4]);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "no temporary file is left");
    // A film does not change what is played.
    let plain = farm(&arguments).json();
    assert_eq!(plain["return"], results["return"]);
}

#[test]
fn a_path_that_cannot_be_written_is_told_before_anything_is_played() {
    let folder = Folder::new("missing");
    let missing = folder.file("nowhere/film.gif");
    let ran = farm(&["run", some_game(), "--gif", &missing]);
    ran.says(1, &["nowhere", "can't be written"]);
    assert!(!ran.stdout.contains("return mean"), "{}", ran.stdout);
    farm(&["run", some_game(), "--gif", &folder.0.display().to_string()]).says(1, &["it is a folder"]);
    farm(&["render", some_game(), &missing]).says(1, &["nowhere"]);
    farm(&["run", some_game(), "--gif", "x.gif", "--fps", "0"]).says(2, &["0.1 to 50"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_results() {
    for format in ["--gif", "--mp4"] {
        let ran = farm(&["run", some_game(), "--episodes", "3", "--policy", "wait", format, "/dev/full"]);
        ran.says(1, &["return mean", "/dev/full can't be written", "No space left"]);
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
    }
}

#[test]
fn single_pictures_show_the_start_a_later_step_the_learners_view_and_the_sprites() {
    let folder = Folder::new("single");
    let variants: [&[&str]; 4] = [&[], &["--step", "7", "--policy", "wait"], &["--learner-view"], &["--sprites"]];
    let pictures: Vec<Vec<u8>> = variants
        .iter()
        .enumerate()
        .map(|(i, more)| {
            let file = folder.file(&format!("{i}.png"));
            farm(&[&["render", some_game(), &file, "--seed", "3"], *more].concat()).says(0, &["picture: "]);
            starts_with(&file, 1, b"PNG");
            fs::read(file).unwrap()
        })
        .collect();
    for (i, picture) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|other| other != picture), "variant {i}");
    }
}

#[test]
fn pictures_are_as_large_as_asked_for_and_may_be_an_svg() {
    let folder = Folder::new("sizes");
    let size = |more: &[&str]| {
        let file = folder.file("picture.png");
        farm(&[&["render", some_game(), &file, "--legend", "none"], more].concat()).says(0, &["picture: "]);
        let bytes = fs::read(&file).unwrap();
        let edge = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        (edge(16), edge(20))
    };
    let ((width, height), (wide, high)) = (size(&[]), size(&["--scale", "2"]));
    assert!(wide.abs_diff(2 * width) <= 2 && high.abs_diff(2 * height) <= 2, "{wide} × {high}");
    let (wide, high) = size(&["--size", "640x480"]);
    assert!(wide <= 642 && high <= 482, "{wide} × {high}");
    let svg = folder.file("picture.svg");
    farm(&["render", some_game(), &svg]).says(0, &["picture: "]);
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg "));
    farm(&["render", some_game(), &folder.file("x.jpg")]).says(1, &["PNG or SVG", ".png or .svg"]);
    farm(&["render", some_game(), &folder.file("x.svg"), "--sprites"]).says(1, &["written as PNG"]);
    farm(&["render", some_game(), &svg, "--size", "huge"]).says(2, &["1080p", "WIDTHxHEIGHT"]);
    farm(&["render", some_game(), &svg, "--scale", "99"]).says(2, &["0.25 to 8"]);
    farm(&["render", some_game(), &svg, "--legend", "some"]).says(2, &["none, used or all"]);
}

#[test]
fn films_are_shortened_as_asked_for() {
    let folder = Folder::new("short");
    let size = |more: &[&str]| {
        let file = folder.file("film.gif");
        let run = ["run", some_game(), "--episodes", "1", "--policy", "wait", "--gif", &file];
        farm(&[&run[..], more].concat()).says(0, &["film: "]);
        fs::metadata(&file).unwrap().len()
    };
    assert!(size(&["--every", "20"]) < size(&["--every", "1"]));
    assert!(size(&["--seconds", "1"]) < size(&[]));
    farm(&["run", some_game(), "--gif", "x.mp4"]).says(1, &["written as GIF"]);
    farm(&["run", some_game(), "--gif", "x.gif", "--every", "0"]).says(2, &["--every"]);
    farm(&["run", some_game(), "--gif", "x.gif", "--seconds", "0"]).says(2, &["1 to 3600"]);
}
