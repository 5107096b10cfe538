//! The header, the examples in C and Python, and what the functions do with wrong arguments.

#![expect(unsafe_code, reason = "the functions take pointers")]

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::ptr;

use cbindgen::{Builder, Config, EnumConfig, Language, RenameRule};
use farm_capi::*;
use farm_core::{Environment, SeedSplit};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folder with the libraries, which cargo builds before the tests.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

#[test]
fn the_header_declares_what_the_sources_define() {
    let config = Config {
        language: Language::C,
        header: Some("/* Farm games from C. docs/c.md explains this interface. */".to_owned()),
        include_guard: Some("FARM_H".to_owned()),
        no_includes: true,
        sys_includes: vec!["stddef.h".to_owned(), "stdint.h".to_owned()],
        cpp_compat: true,
        usize_is_size_t: true,
        enumeration: EnumConfig { rename_variants: RenameRule::QualifiedScreamingSnakeCase, ..Default::default() },
        ..Config::default()
    };
    let sources = ["src/error.rs", "src/batch.rs", "src/interface.rs"];
    let builder = sources.iter().fold(Builder::new().with_config(config), |builder, file| builder.with_src(here(file)));
    let builder = builder.include_item("FarmAutoreset").include_item("FarmSplit");
    let mut written = Vec::new();
    builder.generate().unwrap().write(&mut written);
    let (written, path) = (String::from_utf8(written).unwrap(), here("include/farm.h"));
    if std::env::var_os("ACCEPT_HEADER").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == committed,
        "`ACCEPT_HEADER=1 cargo test -p farm-capi` writes the new header; it should be\n{written}"
    );
}

/// The lines that the examples print, played by the engine without batches and without C.
fn season() -> String {
    let game = farm_games::open("clay_bean", &farm_games::Options::default()).unwrap();
    let mut environment = Environment::new(game.into());
    let play = |seed: u64| {
        environment.reset(seed);
        let mut total = 0.0;
        for step in 0.. {
            let mask = environment.action_mask();
            let id = step % mask.len();
            let outcome = environment.step(if mask[id] == 1 { id } else { 0 }).unwrap();
            total += outcome.reward;
            if outcome.over() {
                break;
            }
        }
        format!("seed {seed}: return {total:.6}\n")
    };
    (0..4).map(play).collect()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Whether a program can be started. If not, prints that its test is skipped.
fn exists(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: there is no `{program}`");
    }
    found
}

#[test]
fn the_example_in_c_plays_with_both_libraries() {
    if !cfg!(target_os = "linux") || !exists("cc") {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let expected = season();
    // Parts of games register themselves, so the linker must keep objects that no other object names.
    let archive = "-Wl,--whole-archive,-l:libfarm_capi.a,--no-whole-archive";
    for (name, words) in [("shared", &["-lfarm_capi"][..]), ("static", &[archive, "-lpthread", "-ldl", "-lm"])] {
        let program = folder.join(format!("season_{name}"));
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(here("include"));
        cc.arg(here("examples/season.c")).arg("-L").arg(libraries()).args(words).arg("-o").arg(&program);
        printed(&cc.output().unwrap());
        let output = Command::new(&program).env("LD_LIBRARY_PATH", libraries()).output().unwrap();
        assert_eq!(printed(&output), expected, "{name}");
    }
}

#[test]
fn the_example_in_python_plays() {
    if !cfg!(target_os = "linux") || !exists("python3") {
        return;
    }
    let mut python = Command::new("python3");
    python.arg(here("examples/season.py")).arg(libraries().join("libfarm_capi.so"));
    assert_eq!(printed(&python.output().unwrap()), season());
}

/// The code of a call, which must fail with these words.
fn fails(code: FarmCode, words: &str) -> FarmCode {
    assert_ne!(code, FarmCode::Ok);
    // SAFETY: the text lives until this thread's next error.
    let text = unsafe { CStr::from_ptr(farm_error_text()) }.to_str().unwrap();
    assert!(text.contains(words), "{text:?} has no {words:?}");
    code
}

/// Two environments of a game.
fn open(game: &str, autoreset: FarmAutoreset) -> *mut FarmBatch {
    let (game, mut batch) = (CString::new(game).unwrap(), ptr::null_mut());
    // SAFETY: the texts end with a zero byte, and the batch can be written.
    let code = unsafe { farm_open(game.as_ptr(), ptr::null(), 2, 1, autoreset as u32, &mut batch) };
    assert_eq!(code, FarmCode::Ok);
    batch
}

const NO_OUTPUTS: FarmOutputs = FarmOutputs {
    records: ptr::null_mut(),
    numbers: ptr::null_mut(),
    rewards: ptr::null_mut(),
    terminated: ptr::null_mut(),
    truncated: ptr::null_mut(),
    costs: ptr::null_mut(),
    rejected: ptr::null_mut(),
    final_records: ptr::null_mut(),
    final_numbers: ptr::null_mut(),
};

#[test]
fn wrong_arguments_are_errors_with_codes_and_texts() {
    let batch = open("clay_bean", FarmAutoreset::Disabled);
    let mut other: *mut FarmBatch = ptr::null_mut();
    // SAFETY: all pointers are null or can be read and written as far as the functions say.
    unsafe {
        let mut name = |text: &'static CStr, n| farm_open(text.as_ptr(), ptr::null(), n, 1, 0, &raw mut other);
        assert_eq!(fails(name(c"clay_been", 1), "clay_bean"), FarmCode::Game);
        assert_eq!(fails(name(c"clay_bean", 0), "environments is 0"), FarmCode::Argument);
        assert_eq!(fails(name(c"\xff", 1), "not UTF-8"), FarmCode::Argument);
        assert_eq!(
            fails(farm_open(ptr::null(), ptr::null(), 1, 1, 0, &raw mut other), "game is null"),
            FarmCode::Argument
        );
        assert_eq!(
            fails(farm_open(c"clay_bean".as_ptr(), c"9x9".as_ptr(), 1, 1, 0, &raw mut other), "9x9"),
            FarmCode::Game
        );
        assert_eq!(
            fails(farm_open(c"clay_bean".as_ptr(), ptr::null(), 1, 1, 7, &raw mut other), "mode 7"),
            FarmCode::Argument
        );
        assert!(other.is_null());
        assert_eq!(fails(farm_step(batch, [0; 3].as_ptr(), 3, ptr::null()), "3 actions"), FarmCode::Argument);
        assert_eq!(fails(farm_step(batch, [0, 99].as_ptr(), 2, ptr::null()), "no action 99"), FarmCode::Action);
        assert_eq!(
            fails(farm_step(ptr::null_mut(), [0].as_ptr(), 1, ptr::null()), "batch is null"),
            FarmCode::Argument
        );
        let reserved = SeedSplit::Test.seeds().start;
        let seeds = [1, reserved];
        assert_eq!(fails(farm_reset(batch, seeds.as_ptr(), 0, ptr::null()), "test"), FarmCode::Seed);
        assert_eq!(farm_reset_one(batch, 1, reserved, FarmSplit::Test as u32), FarmCode::Ok);
        assert_eq!(fails(farm_reset_one(batch, 2, 0, 0), "no environment 2"), FarmCode::Argument);
        assert_eq!(fails(farm_reset_one(batch, 0, 0, 4), "no split 4"), FarmCode::Argument);
        assert_eq!(fails(farm_restore(batch, 0, [0; 3].as_ptr(), 3), "3 bytes"), FarmCode::State);
        // A season ends, and then there is nothing to step.
        let mut code = FarmCode::Ok;
        for _ in 0..1000 {
            code = farm_step(batch, [0; 2].as_ptr(), 2, ptr::null());
            if code != FarmCode::Ok {
                break;
            }
        }
        assert_eq!(fails(code, "over"), FarmCode::State);
        assert_eq!(farm_close(batch), FarmCode::Ok);
        assert_eq!(farm_close(ptr::null_mut()), FarmCode::Ok);
    }
}

#[test]
fn a_text_can_name_games_of_the_catalogue_but_open_no_file() {
    let mut batch: *mut FarmBatch = ptr::null_mut();
    let mut open = |text: &str| {
        let text = CString::new(text).unwrap();
        // SAFETY: the text ends with a zero byte, and the batch can be written.
        unsafe { farm_open_text(text.as_ptr(), 1, 1, 0, &raw mut batch) }
    };
    assert_eq!(open("name: mine\nextends: clay_bean\n"), FarmCode::Ok);
    assert_eq!(fails(open("extends: ../farm-games/games/clay_bean.yaml\n"), "clay_bean.yaml"), FarmCode::Game);
    assert_eq!(fails(open("fields: {"), "the text"), FarmCode::Game);
    // SAFETY: the batch is open.
    assert_eq!(unsafe { farm_close(batch) }, FarmCode::Ok);
}

#[test]
fn a_snapshot_continues_as_if_it_was_not_interrupted() {
    let batch = open("backwards_valley", FarmAutoreset::SameStep);
    // SAFETY: the batch is open, and all buffers have the sizes that the functions give.
    unsafe {
        let mut sizes = std::mem::zeroed();
        assert_eq!(farm_sizes(batch, &mut sizes), FarmCode::Ok);
        let (mut records, mut numbers) = (vec![0; 2 * sizes.record_bytes], vec![0.0; 2 * sizes.numbers]);
        let (mut finals, mut final_numbers) = (records.clone(), numbers.clone());
        let (mut ends, mut rewards) = ([[0_u8; 2]; 2], [0.0; 2]);
        let outputs = FarmOutputs {
            records: records.as_mut_ptr(),
            numbers: numbers.as_mut_ptr(),
            rewards: rewards.as_mut_ptr(),
            terminated: ends[0].as_mut_ptr(),
            truncated: ends[1].as_mut_ptr(),
            final_records: finals.as_mut_ptr(),
            final_numbers: final_numbers.as_mut_ptr(),
            ..NO_OUTPUTS
        };
        assert_eq!(farm_reset(batch, [5, 6].as_ptr(), 0, &outputs), FarmCode::Ok);
        // The first entry of the records is bytes: the tiles of the grid.
        assert_eq!(numbers[..9], records[..9].iter().map(|byte| f32::from(*byte)).collect::<Vec<_>>());
        assert_eq!(farm_step(batch, [1, 2].as_ptr(), 2, &outputs), FarmCode::Ok);
        let mut snapshot = vec![0; sizes.snapshot_bytes];
        assert_eq!(farm_snapshot(batch, 0, snapshot.as_mut_ptr()), FarmCode::Ok);
        let play = || {
            let mut seen = Vec::new();
            for step in 0.. {
                assert_eq!(farm_step(batch, [step % 5, 0].as_ptr(), 2, &outputs), FarmCode::Ok);
                if *outputs.terminated + *outputs.truncated > 0 {
                    break;
                }
                seen.push((records[..sizes.record_bytes].to_vec(), rewards[0].to_bits()));
            }
            (seen, finals[..sizes.record_bytes].to_vec(), final_numbers[0])
        };
        let first = play();
        assert!(first.0.len() > 5);
        assert_eq!(farm_restore(batch, 0, snapshot.as_ptr(), snapshot.len()), FarmCode::Ok);
        assert_eq!(play(), first);
        snapshot[60] ^= 1;
        assert_eq!(
            fails(farm_restore(batch, 0, snapshot.as_ptr(), snapshot.len()), "changed after it was taken"),
            FarmCode::State
        );
        assert_eq!(farm_close(batch), FarmCode::Ok);
    }
}
