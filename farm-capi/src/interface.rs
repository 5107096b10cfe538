//! The functions that C calls. Each one reads its arguments, calls the batch, and copies the results to the caller.
//!
//! All unsafe code of the crate is here. Nothing that the caller owns is borrowed: bytes are copied in and out, so that the caller's buffers
//! may be uninitialised or unaligned. Only the batch itself is borrowed, for the time of one call.

#![expect(unsafe_code, reason = "C passes pointers, and functions for C have fixed names")]

use std::ffi::{CStr, c_char};
use std::ptr;

use farm_games::{GameDocument, Options};

use crate::batch::{FarmBatch, autoreset_of, split_of};
use crate::error::{Error, FarmCode, guarded, last_text};

/// The sizes of a batch's buffers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FarmSizes {
    /// Number of environments.
    pub environments: usize,
    /// Number of threads.
    pub threads: usize,
    /// Number of actions in the flat list: ids go from 0 to `actions` - 1.
    pub actions: usize,
    /// Maximum number of actions in a step.
    pub slots: usize,
    /// Number of bytes in an observation record.
    pub record_bytes: usize,
    /// Number of numbers in an observation.
    pub numbers: usize,
    /// Number of bytes in a snapshot.
    pub snapshot_bytes: usize,
}

/// The caller's buffers. A call fills those that are not null, environment by environment.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FarmOutputs {
    /// Observations: `environments` × `record_bytes` bytes, in the layout of `farm_description`.
    pub records: *mut u8,
    /// The same as numbers: `environments` × `numbers`. Integers above 2^24 are rounded.
    pub numbers: *mut f32,
    /// Rewards after costs: `environments` numbers.
    pub rewards: *mut f64,
    /// 1 where the game ended the episode: `environments` bytes.
    pub terminated: *mut u8,
    /// 1 where the step limit ended the episode: `environments` bytes.
    pub truncated: *mut u8,
    /// Weighted costs over the game's constraints: `environments` numbers.
    pub costs: *mut f64,
    /// Number of actions that were not executed: `environments` numbers.
    pub rejected: *mut i32,
    /// With `FARM_AUTORESET_SAME_STEP`, the last observations of the episodes that ended, as in `records`.
    pub final_records: *mut u8,
    /// The same as numbers, as in `numbers`.
    pub final_numbers: *mut f32,
}

/// The text at a pointer.
///
/// # Safety
/// `text` is null, or a text that ends with a zero byte and lives as long as the result.
unsafe fn text_at<'a>(what: &str, text: *const c_char) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::argument(format!("{what} is null")));
    }
    // SAFETY: the pointer is not null, and the caller keeps to the contract of this function.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|error| Error::argument(format!("{what} is not UTF-8: {error}")))
}

/// The batch at a pointer.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses.
unsafe fn batch_at<'a>(batch: *mut FarmBatch) -> Result<&'a mut FarmBatch, Error> {
    // SAFETY: a pointer that is not null comes from `Box::into_raw`, and the caller keeps to the contract of this function.
    unsafe { batch.as_mut() }.ok_or_else(|| Error::argument("batch is null"))
}

/// Copies `count` values from the caller, which need not be aligned.
///
/// # Safety
/// `from` is null, or `count` values can be read there.
unsafe fn read<T: Copy + Default>(what: &str, from: *const T, count: usize, to: &mut Vec<T>) -> Result<(), Error> {
    if from.is_null() {
        return Err(Error::argument(format!("{what} is null")));
    }
    to.clear();
    to.resize(count, T::default());
    // SAFETY: the caller keeps to the contract of this function; both places have `count` values and do not overlap.
    unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), to.as_mut_ptr().cast::<u8>(), size_of_val(to.as_slice())) };
    Ok(())
}

/// Copies values to the caller, unless `to` is null. The place need not be aligned.
///
/// # Safety
/// `to` is null, or `from.len()` values can be written there.
unsafe fn write<T: Copy, U>(from: &[T], to: *mut U) {
    const { assert!(size_of::<T>() == size_of::<U>(), "values of one size") };
    if !to.is_null() {
        // SAFETY: the caller keeps to the contract of this function; the batch's own buffers do not overlap with the caller's.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr().cast::<u8>(), to.cast::<u8>(), size_of_val(from)) };
    }
}

/// Copies the results of the last call to the caller.
///
/// # Safety
/// `outputs` is null, or its pointers keep to the contract of [`FarmOutputs`].
unsafe fn write_results(batch: &mut FarmBatch, outputs: *const FarmOutputs) {
    if outputs.is_null() {
        return;
    }
    // SAFETY: the pointer is not null, and the caller keeps to the contract of this function. Here and below, the caller's buffers have the
    // sizes that `FarmOutputs` gives, which are those of the batch's buffers.
    unsafe {
        let outputs = outputs.read_unaligned();
        if !outputs.final_numbers.is_null() && !batch.results.final_records.is_empty() {
            batch.convert(true);
            write(&batch.results.numbers, outputs.final_numbers);
        }
        if !outputs.numbers.is_null() {
            batch.convert(false);
            write(&batch.results.numbers, outputs.numbers);
        }
        let r = &batch.results;
        write(&r.records, outputs.records);
        write(&r.rewards, outputs.rewards);
        write(&r.terminated, outputs.terminated);
        write(&r.truncated, outputs.truncated);
        write(&r.costs, outputs.costs);
        write(&r.rejected, outputs.rejected);
        write(&r.final_records, outputs.final_records);
    }
}

/// Opens a game by its name or by the path of its YAML file, such as `clay_bean`, `backwards_valley@rules=7` or `games/mine.yaml`. The
/// environments have the seeds 0, 1, … until they are reset.
///
/// `preset` is one of the game's presets, several joined by `+`, or null. `autoreset` is a `FarmAutoreset`. `farm_close` frees the batch.
///
/// # Safety
/// `game` and `preset` are null or texts that end with a zero byte. A pointer can be written to `batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_open(
    game: *const c_char,
    preset: *const c_char,
    environments: usize,
    threads: usize,
    autoreset: u32,
    batch: *mut *mut FarmBatch,
) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let (game, preset) = unsafe {
            let preset = if preset.is_null() { None } else { Some(text_at("preset", preset)?.to_owned()) };
            (text_at("game", game)?, preset)
        };
        let options = Options { preset, ..Options::default() };
        // SAFETY: as promised by the caller.
        unsafe { opened(|| farm_games::open(game, &options), environments, threads, autoreset, batch) }
    })
}

/// Opens a game from the text of its YAML file. The text may come from a stranger: it can't open a file or run code, and its size is limited.
/// The other arguments are those of `farm_open`.
///
/// # Safety
/// `yaml` is null or a text that ends with a zero byte. A pointer can be written to `batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_open_text(
    yaml: *const c_char,
    environments: usize,
    threads: usize,
    autoreset: u32,
    batch: *mut *mut FarmBatch,
) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let text = unsafe { text_at("yaml", yaml)? };
        let game = || GameDocument::parse_of_stranger("the text", text)?.open(&Options::default());
        // SAFETY: as promised by the caller.
        unsafe { opened(game, environments, threads, autoreset, batch) }
    })
}

/// Opens a game, and passes a batch of it to the caller.
///
/// # Safety
/// `batch` is null, or a pointer can be written there.
unsafe fn opened(
    game: impl FnOnce() -> Result<farm_core::Game, farm_core::config::Problems>,
    environments: usize,
    threads: usize,
    autoreset: u32,
    batch: *mut *mut FarmBatch,
) -> Result<(), Error> {
    if batch.is_null() {
        return Err(Error::argument("batch is null"));
    }
    let autoreset = autoreset_of(autoreset)?;
    let made = FarmBatch::new(game()?, environments, threads, autoreset)?;
    // SAFETY: the pointer is not null, and the caller keeps to the contract of this function.
    unsafe { batch.write_unaligned(Box::into_raw(Box::new(made))) };
    Ok(())
}

/// Frees a batch. Nothing happens if it is null.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. It is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_close(batch: *mut FarmBatch) -> FarmCode {
    guarded(|| {
        if !batch.is_null() {
            // SAFETY: the pointer comes from `Box::into_raw`, and the caller does not use it again.
            drop(unsafe { Box::from_raw(batch) });
        }
        Ok(())
    })
}

/// Writes the sizes of a batch's buffers.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. `sizes` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_sizes(batch: *mut FarmBatch, sizes: *mut FarmSizes) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        let game = batch.engine.game();
        let found = FarmSizes {
            environments: batch.engine.len(),
            threads: batch.engine.threads(),
            actions: game.catalogue().discrete_len(),
            slots: game.catalogue().max_schedule(),
            record_bytes: game.observation().size(),
            numbers: batch.numbers(),
            snapshot_bytes: batch.snapshot_bytes,
        };
        if sizes.is_null() {
            return Err(Error::argument("sizes is null"));
        }
        // SAFETY: the pointer is not null, and the caller promises that it can be written.
        unsafe { sizes.write_unaligned(found) };
        Ok(())
    })
}

/// The game as JSON: `game`, `fingerprint`, `actions` (names by id), `wait` (the id that does nothing) and `observation`. This is a list of
/// entries with `key`, `doc`, `dtype`, `shape`, `offset` (in bytes in a record) and `first` (index among the numbers).
///
/// The text is valid until the batch is closed. It is null if `batch` is null.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_description(batch: *mut FarmBatch) -> *const c_char {
    let mut text = ptr::null();
    guarded(|| {
        // SAFETY: as promised by the caller.
        text = unsafe { batch_at(batch)? }.description.as_ptr();
        Ok(())
    });
    text
}

/// Starts an episode in each environment. `seeds` has a seed for each environment; if it is null, each takes its next seed. `split` is the
/// `FarmSplit` of the seeds. No episode starts if a seed is rejected.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. `seeds` is null, or has `environments` numbers. `outputs` is null, or its buffers
/// have the sizes that `FarmOutputs` gives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_reset(
    batch: *mut FarmBatch,
    seeds: *const u64,
    split: u32,
    outputs: *const FarmOutputs,
) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        let mut own = Vec::new();
        if !seeds.is_null() {
            // SAFETY: as promised by the caller.
            unsafe { read("seeds", seeds, batch.engine.len(), &mut own)? };
        }
        batch.reset((!seeds.is_null()).then_some(&own), split_of(split)?)?;
        // SAFETY: as promised by the caller.
        unsafe { write_results(batch, outputs) };
        Ok(())
    })
}

/// Starts an episode in one environment. `farm_observe` writes its observation.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_reset_one(batch: *mut FarmBatch, environment: usize, seed: u64, split: u32) -> FarmCode {
    // SAFETY: as promised by the caller.
    guarded(|| unsafe { batch_at(batch)? }.reset_one(environment, seed, split_of(split)?))
}

/// Writes the current observations, after `farm_reset_one` or `farm_restore`. The other outputs are 0.
///
/// # Safety
/// As for `farm_reset`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_observe(batch: *mut FarmBatch, outputs: *const FarmOutputs) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        batch.begun()?;
        // SAFETY: as promised by the caller.
        unsafe { write_results(batch, outputs) };
        Ok(())
    })
}

/// Steps all environments. `actions` has one id for each environment, or `slots` ids for each; `count` is the number of ids.
///
/// If a step fails, the error names the first environment that failed. Its episode is over; the others were stepped. If nothing was stepped,
/// the outputs are those of the last step.
///
/// # Safety
/// As for `farm_reset`. `actions` has `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_step(
    batch: *mut FarmBatch,
    actions: *const i64,
    count: usize,
    outputs: *const FarmOutputs,
) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        batch.check_count(count)?;
        // SAFETY: as promised by the caller.
        unsafe { read("actions", actions, count, &mut batch.actions)? };
        let stepped = batch.step();
        // After a failed step, the caller has the results of the others.
        // SAFETY: as promised by the caller.
        unsafe { write_results(batch, outputs) };
        stepped
    })
}

/// Writes a byte for each environment and each action: 1 if the action would be executed now. `masks` has `environments` × `actions` bytes.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. `masks` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_action_masks(batch: *mut FarmBatch, masks: *mut u8) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        if masks.is_null() {
            return Err(Error::argument("masks is null"));
        }
        batch.engine.action_masks(&mut batch.masks)?;
        // SAFETY: as promised by the caller.
        unsafe { write(&batch.masks, masks) };
        Ok(())
    })
}

/// Writes the state of one environment: `snapshot_bytes` bytes, which another batch of the same game can restore.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. `bytes` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_snapshot(batch: *mut FarmBatch, environment: usize, bytes: *mut u8) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        if bytes.is_null() {
            return Err(Error::argument("bytes is null"));
        }
        let snapshot = batch.engine.game().snapshot(batch.engine.state(environment)?);
        // SAFETY: as promised by the caller; all snapshots of a game have the same size.
        unsafe { write(&snapshot, bytes) };
        Ok(())
    })
}

/// Returns one environment to a snapshot of `count` bytes. If the snapshot is rejected, the environment is unchanged. `farm_observe` writes the
/// observation.
///
/// # Safety
/// `batch` is null, or an open batch that no other call uses. `bytes` has `count` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farm_restore(
    batch: *mut FarmBatch,
    environment: usize,
    bytes: *const u8,
    count: usize,
) -> FarmCode {
    guarded(|| {
        // SAFETY: as promised by the caller.
        let batch = unsafe { batch_at(batch)? };
        if count != batch.snapshot_bytes {
            let message =
                format!("the snapshot has {count} bytes, but those of this game have {}", batch.snapshot_bytes);
            return Err(Error::new(FarmCode::State, message));
        }
        let mut snapshot = Vec::new();
        // SAFETY: as promised by the caller.
        unsafe { read("bytes", bytes, count, &mut snapshot)? };
        Ok(batch.engine.restore(environment, &snapshot)??)
    })
}

/// The explanation of the last error on this thread; empty if no call has failed. It is valid until the next error on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn farm_error_text() -> *const c_char {
    last_text()
}
