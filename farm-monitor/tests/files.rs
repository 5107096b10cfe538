//! Files of rows. That others read them as they are meant is tested from Python, by pandas, PyArrow and TensorBoard.

use std::fs;

use super::support::{Folder, game, rows};
use farm_core::{Observer, ObserverError, Transition, play};
use farm_monitor::{Csv, Parquet, Recorder, Row, RowObserver, Series, Sink, TensorBoard};
use farm_output::OutputError;

fn write(mut sink: Box<dyn Sink>, rows: &[Row]) -> Result<(), OutputError> {
    rows.iter().try_for_each(|row| sink.row(row))?;
    sink.finish()
}

#[test]
fn a_table_has_a_line_for_each_row_and_words_where_they_are_meant() {
    let folder = Folder::new("table");
    let list = "[[Field-0, Plant-0, stage, matrix, 'stage, of all'], [Field-0, Soil-0, available_Water#L, sum, step], \
                 [Field-0, Weather-0, day#int365, value, day]]";
    let (series, mut rows) = rows(&game("clay_bean-v0", Some("4x3"), list), 2, 2);
    rows[1].values[12] = f64::NAN;
    rows[1].actions = vec!["a".into(), "b, \"c\"".into()];
    let path = folder.0.join("table.csv");
    write(Box::new(Csv::create(&path, &series).unwrap()), &rows).unwrap();
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    assert_eq!(
        header.iter().take(6).collect::<Vec<_>>(),
        ["episode", "seed", "step", "reward", "actions", "stage, of all (0, 0)"]
    );
    assert_eq!(
        header.iter().skip(15).collect::<Vec<_>>(),
        ["stage, of all (3, 1)", "stage, of all (3, 2)", "step [2]", "day"]
    );
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0].iter().take(6).collect::<Vec<_>>(), ["0", "0", "0", "", "", "seed"]);
    assert_eq!((&lines[1][4], &lines[1][17]), ("a; b, \"c\"", ""), "a number that is none is an empty cell");
    assert_eq!(lines[4][0].parse::<usize>().unwrap(), rows[4].episode);
    assert_eq!(lines[4][17].parse::<f64>().unwrap(), rows[4].values[12]);
    assert_eq!(folder.names(), ["table.csv"], "nothing else is left");
}

#[test]
fn an_unfinished_table_leaves_nothing_and_a_finished_one_takes_the_place_of_an_older() {
    let folder = Folder::new("unfinished");
    let (series, rows) = rows(&game("farm0-v0", None, ""), 1, 2);
    for (name, create) in creators() {
        let path = folder.0.join(name);
        fs::write(&path, "older").unwrap();
        let mut sink = create(&path, &series).unwrap();
        sink.row(&rows[0]).unwrap();
        drop(sink);
        assert_eq!(fs::read_to_string(&path).unwrap(), "older");
        write(create(&path, &series).unwrap(), &rows).unwrap();
        assert!(fs::metadata(&path).unwrap().len() > 100);
    }
    assert_eq!(folder.names(), ["a.csv", "a.parquet"]);
}

/// Fails with the fifth step.
struct Failing(usize);

impl Observer for Failing {
    fn after_step(&mut self, _: &Transition<'_>) -> Result<(), ObserverError> {
        self.0 += 1;
        if self.0 == 5 { Err("no more of this".into()) } else { Ok(()) }
    }
}

#[test]
fn an_observer_that_fails_leaves_no_part_of_the_files_of_others() {
    let folder = Folder::new("failing");
    let game = game("farm0-v0", None, "");
    let mut waiting = super::support::Waiting;
    for fails in [true, false] {
        let recorder = || Recorder::of(&game);
        let path = |name| folder.0.join(name);
        let mut csv = RowObserver::new(recorder(), Csv::create(&path("a.csv"), recorder().series()).unwrap());
        let parquet = Parquet::create(&path("a.parquet"), recorder().series()).unwrap();
        let mut parquet = RowObserver::new(recorder(), parquet);
        let failing = fails.then_some(Failing(0));
        match play(&game, &mut waiting, 1, &mut (&mut csv, failing, &mut parquet)) {
            Err(error) => {
                assert_eq!((error.to_string().as_str(), fails), ("no more of this", true));
                drop((csv, parquet));
            }
            Ok(_) => {
                csv.finish().unwrap();
                parquet.finish().unwrap();
            }
        }
        let expected: &[&str] = if fails { &[] } else { &["a.csv", "a.parquet"] };
        assert_eq!(folder.names(), expected, "an observer that failed: {fails}");
    }
}

#[test]
fn a_sink_that_fails_ends_the_episode_with_its_error() {
    struct Full(usize);
    impl Sink for Full {
        fn row(&mut self, _: &Row) -> Result<(), OutputError> {
            self.0 += 1;
            let message = format!("row {}", self.0);
            if self.0 < 4 { Ok(()) } else { Err(OutputError::Encode { what: "table", message }) }
        }

        fn finish(self: Box<Self>) -> Result<(), OutputError> {
            Ok(())
        }
    }
    let game = game("farm0-v0", None, "");
    let mut observer = RowObserver::new(Recorder::of(&game), Full(0));
    let error = play(&game, &mut super::support::Waiting, 1, &mut observer).unwrap_err();
    assert_eq!(error.to_string(), "the table can't be encoded: row 4");
    assert_eq!(observer.sink().0, 4, "nothing is told after an error");
}

type Create = fn(&std::path::Path, &[Series]) -> Result<Box<dyn Sink>, OutputError>;

fn creators() -> [(&'static str, Create); 2] {
    [
        ("a.csv", |path, series| Ok(Box::new(Csv::create(path, series)?))),
        ("a.parquet", |path, series| Ok(Box::new(Parquet::create(path, series)?))),
    ]
}

#[test]
fn a_broken_path_is_told_before_anything_is_written() {
    let folder = Folder::new("broken");
    let (series, _) = rows(&game("farm0-v0", None, ""), 1, 0);
    for (name, create) in creators() {
        let missing = folder.0.join("nowhere").join(name);
        let message = create(&missing, &series).err().unwrap().to_string();
        assert!(message.contains("nowhere"), "{message}");
        assert!(create(&folder.0, &series).is_err(), "a folder is no file");
    }
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    assert!(TensorBoard::create(&file, &series).is_err(), "a file is no folder");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_no_panic() {
    let (series, rows) = rows(&game("farm0-v0", None, ""), 1, 20);
    for (name, create) in creators() {
        let sink = create(std::path::Path::new("/dev/full"), &series);
        let error = sink.and_then(|sink| write(sink, &rows)).err().unwrap_or_else(|| panic!("{name} is full"));
        let OutputError::Write { path, error } = error else { panic!("{name}: {error}") };
        assert_eq!((path.display().to_string().as_str(), error.kind()), ("/dev/full", std::io::ErrorKind::StorageFull));
    }
}

#[test]
fn each_episode_is_a_run_and_a_used_folder_keeps_what_it_has() {
    let folder = Folder::new("runs");
    let (series, rows) = rows(&game("farm0-v0", None, ""), 2, 2);
    let first = TensorBoard::create(&folder.0, &series).unwrap();
    assert_eq!(first.folder(), folder.0);
    write(Box::new(first), &rows).unwrap();
    let second = TensorBoard::create(&folder.0, &series).unwrap();
    assert_eq!(second.folder(), folder.0.join("run_2"));
    let names = folder.names();
    assert_eq!(names[..2], ["episode_0000", "episode_0001"]);
    assert!(names[2].starts_with("events.out.tfevents.") && names[3] == "run_2", "{names:?}");
}

/// What is written is there at once, for a TensorBoard that looks on.
#[test]
fn a_row_is_in_the_file_when_it_was_taken() {
    let folder = Folder::new("live");
    let (series, rows) = rows(&game("farm0-v0", None, ""), 1, 5);
    let mut board = TensorBoard::create(&folder.0, &series).unwrap();
    let length = || {
        let files = fs::read_dir(folder.0.join("episode_0000")).into_iter().flatten().flatten();
        files.map(|file| file.metadata().unwrap().len()).sum::<u64>()
    };
    let mut before = length();
    for row in &rows {
        board.row(row).unwrap();
        let now = length();
        assert!(now > before);
        before = now;
    }
}
