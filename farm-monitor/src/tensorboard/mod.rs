//! TensorBoard event files, written row by row, so that a running TensorBoard displays an episode while it is played.
//!
//! Each episode is a run, `FOLDER/episode_0000` and so on, with the days as steps, so that seasons overlap in the charts and can be
//! selected individually. `FOLDER` itself is a run with `episode/return` and `episode/steps`, whose steps are the episode indices. If a
//! folder already contains event files, they are kept, and new files go to `FOLDER/run_2` and so on.
//!
//! Tags start with the part, because TensorBoard groups tags by the text before the slash: `Field-0.Soil-0/Available nitrogen`. A title
//! with a slash already contains its group. Numbers are scalars; matrices with one or two axes are pictures. NaN is left out.

mod picture;
mod record;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use farm_output::OutputError;

use crate::{Row, Series, Sink};
use picture::Picture;
use record::{Message, record};

/// Maximum number of runs in one folder.
const MAX_RUNS: usize = 10_000;

/// Writes rows as event files.
pub struct TensorBoard {
    folder: PathBuf,
    shown: Vec<ShownSeries>,
    /// The file that covers all episodes.
    overview: EventFile,
    /// The current episode's index and file.
    episode: Option<(usize, EventFile)>,
    /// The episode's return so far, and the number of steps taken.
    total: f64,
    steps: u64,
}

/// A displayed series.
struct ShownSeries {
    tag: String,
    description: String,
    len: usize,
    /// The number of plots along each axis, if the series is drawn as a picture.
    plots: Option<(usize, usize)>,
    range: Option<(f64, f64)>,
    /// The lowest and the highest value so far.
    seen: (f64, f64),
}

impl ShownSeries {
    fn of(series: &Series) -> Self {
        let words = (!series.words.is_empty()).then(|| {
            let most = series.words.iter().map(Vec::len).max().unwrap_or(0);
            (0.0, most.saturating_sub(1).max(1) as f64)
        });
        Self {
            tag: tag(series),
            description: description(series),
            len: series.len(),
            plots: picture::plots(series),
            range: series.range.or(words),
            seen: (f64::INFINITY, f64::NEG_INFINITY),
        }
    }

    /// The summary value for an entry; none if it cannot be displayed.
    fn value(&mut self, entry: &[f64], is_first: bool) -> Result<Option<Message>, OutputError> {
        let description = is_first.then_some(self.description.as_str());
        match (entry, self.plots) {
            (_, Some(plots)) => {
                let finite = entry.iter().filter(|value| value.is_finite());
                self.seen = finite.fold(self.seen, |(low, high), value| (low.min(*value), high.max(*value)));
                let drawn = picture::draw(plots, entry, self.range.unwrap_or(self.seen))?;
                Ok(Some(image(&self.tag, description, &drawn)))
            }
            ([number], None) if number.is_finite() => Ok(Some(scalar(&self.tag, description, *number))),
            _ => Ok(None),
        }
    }
}

impl TensorBoard {
    /// Starts writing to a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub fn create(folder: &Path, series: &[Series]) -> Result<Self, OutputError> {
        fs::create_dir_all(folder).map_err(OutputError::write(folder))?;
        let folder = unused(folder)?;
        fs::create_dir_all(&folder).map_err(OutputError::write(&folder))?;
        let overview = EventFile::create(&folder)?;
        let shown = series.iter().map(ShownSeries::of).collect();
        Ok(Self { folder, shown, overview, episode: None, total: 0.0, steps: 0 })
    }

    /// The folder with the event files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a row together with pictures from the caller. Each picture has a title, a width and a height in pixels, and the pixels row
    /// by row, one byte each for red, green and blue.
    ///
    /// # Errors
    /// The row cannot be written, or a picture has the wrong number of pixels.
    pub fn row_with(&mut self, row: &Row, pictures: &[(&str, usize, usize, &[u8])]) -> Result<(), OutputError> {
        let is_new = self.episode.as_ref().is_none_or(|(number, _)| *number != row.episode);
        if is_new {
            let folder = self.folder.join(format!("episode_{:04}", row.episode));
            fs::create_dir_all(&folder).map_err(OutputError::write(&folder))?;
            self.episode = Some((row.episode, EventFile::create(&folder)?));
            (self.total, self.steps) = (0.0, 0);
        }
        // The metadata of a tag are written once per file; the first reward comes after the start.
        let mut values = Vec::new();
        let mut rest = row.values.as_slice();
        for shown in &mut self.shown {
            let (entry, next) = rest.split_at(shown.len.min(rest.len()));
            values.extend(shown.value(entry, is_new)?);
            rest = next;
        }
        for (title, width, height, pixels) in pictures {
            let drawn = picture::of_pixels(*width, *height, pixels)?;
            values.push(image(title, is_new.then_some(""), &drawn));
        }
        if let Some(reward) = row.reward {
            let description = (self.steps == 0).then_some("Reward of the step, after costs.");
            values.push(scalar("reward", description, reward));
        }
        self.total += row.reward.unwrap_or(0.0);
        self.steps += u64::from(row.reward.is_some());
        if let Some((_, events)) = &mut self.episode {
            events.write(u64::from(row.step), values)?;
        }
        if row.is_over && row.reward.is_some() {
            let values = vec![
                scalar("episode/return", Some("Sum of the rewards of an episode."), self.total),
                scalar("episode/steps", Some("Number of its steps."), self.steps as f64),
            ];
            self.overview.write(row.episode as u64, values)?;
        }
        Ok(())
    }
}

impl Sink for TensorBoard {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.row_with(row, &[])
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        Ok(())
    }
}

/// A series's tag: its part, which TensorBoard uses to group tags, and its title. A title that already contains a group is used alone.
fn tag(series: &Series) -> String {
    let Series { title, part, .. } = series;
    if part.is_empty() || title.contains('/') {
        return title.clone();
    }
    let name = title.strip_prefix(part.as_str()).and_then(|rest| rest.strip_prefix('.')).unwrap_or(title);
    format!("{part}/{name}")
}

/// A series's description.
fn description(series: &Series) -> String {
    let mut text = [series.part.as_str(), &series.variable]
        .into_iter()
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(".");
    if !matches!(series.function.as_str(), "" | "value") {
        text = format!("{text}, {}", series.function);
    }
    if !series.unit.is_empty() {
        text = format!("{text}, in {}", series.unit);
    }
    if let [words] = series.words.as_slice() {
        let words = words.iter().enumerate().map(|(i, word)| format!("{i} {word}")).collect::<Vec<_>>();
        text = format!("{text}: {}", words.join(", "));
    }
    text
}

fn scalar(tag: &str, description: Option<&str>, number: f64) -> Message {
    // TensorBoard stores numbers with 32 bits.
    named(tag, description, "scalars", 1).float(2, number as f32)
}

fn image(tag: &str, description: Option<&str>, picture: &Picture) -> Message {
    // The number of channels: 3 for red, green and blue.
    let image = Message::default().whole(1, picture.height as u64).whole(2, picture.width as u64).whole(3, 3);
    named(tag, description, "images", 3).bytes(4, &image.bytes(4, &picture.png).0)
}

/// The start of a value: its tag. With a description, the value also names the TensorBoard plugin that displays it, and the class of the
/// data: 1 for scalars, 3 for lists of bytes.
fn named(tag: &str, description: Option<&str>, plugin: &str, class: u64) -> Message {
    let value = Message::default().bytes(1, tag.as_bytes());
    let Some(description) = description else { return value };
    let plugin = Message::default().bytes(1, plugin.as_bytes());
    let metadata = Message::default().bytes(1, &plugin.0).bytes(3, description.as_bytes()).whole(4, class);
    value.bytes(9, &metadata.0)
}

/// The folder itself if it contains no event file yet; otherwise its first unused subfolder for runs.
fn unused(folder: &Path) -> Result<PathBuf, OutputError> {
    if !has_events(folder)? {
        return Ok(folder.to_owned());
    }
    let mut others = (2..MAX_RUNS).map(|n| folder.join(format!("run_{n}")));
    others.find(|other| !other.exists()).ok_or_else(|| OutputError::Encode {
        what: "event files",
        message: format!("{} holds too many runs", folder.display()),
    })
}

fn has_events(folder: &Path) -> Result<bool, OutputError> {
    let entries = fs::read_dir(folder).map_err(OutputError::write(folder))?;
    let names = entries.flatten().map(|entry| entry.file_name());
    Ok(names.into_iter().any(|name| name.to_string_lossy().contains("tfevents")))
}

/// Maximum number of event files that this process creates in one folder within a second.
const MAX_FILES_A_SECOND: u32 = 100;

/// An event file.
struct EventFile {
    path: PathBuf,
    file: File,
}

impl EventFile {
    fn create(folder: &Path) -> Result<Self, OutputError> {
        let seconds = now() as u64;
        // TensorBoard recognises its files by this part of the name.
        let name = format!("events.out.tfevents.{seconds}.farm-gym.{}", std::process::id());
        let mut path = folder.join(&name);
        // Always created, never opened: in a folder that others may write to, a link of that name is not followed.
        let create = |path: &Path| File::options().write(true).create_new(true).open(path);
        let mut created = create(&path);
        for number in 1..MAX_FILES_A_SECOND {
            if !created.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists) {
                break;
            }
            path = folder.join(format!("{name}.{number}"));
            created = create(&path);
        }
        let file = created.map_err(OutputError::write(&path))?;
        let mut events = Self { path, file };
        let version = Message::default().double(1, now()).bytes(3, b"brain.Event:2");
        events.append(&version)?;
        Ok(events)
    }

    /// Writes a summary with these values without buffering, so that readers of the file see it immediately.
    fn write(&mut self, step: u64, values: Vec<Message>) -> Result<(), OutputError> {
        if values.is_empty() {
            return Ok(());
        }
        let summary = values.into_iter().fold(Message::default(), |summary, value| summary.bytes(1, &value.0));
        self.append(&Message::default().double(1, now()).whole(2, step).bytes(5, &summary.0))
    }

    fn append(&mut self, message: &Message) -> Result<(), OutputError> {
        let mut bytes = Vec::with_capacity(message.0.len() + 16);
        record(&message.0, &mut bytes);
        self.file.write_all(&bytes).map_err(OutputError::write(&self.path))
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
