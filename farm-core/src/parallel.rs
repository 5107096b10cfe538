//! Divides work into pieces for the threads in this process, or into blocks of episodes for a remote executor, such as a cluster.
//!
//! The division does not depend on the executor, and results come back in block order. The same work therefore produces the same bytes on
//! one thread, on many threads and on other machines.

use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

/// Returns the result of `play` for each number below `n`, in order. Each thread has its own buffers, and starts the next number when it
/// has finished one.
pub fn in_parallel<B, T: Send>(
    n: usize,
    threads: usize,
    buffers: impl Fn() -> B + Sync,
    play: impl Fn(&mut B, usize) -> T + Sync,
) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(n)));
    let work = || {
        let (mut own, mut found) = (buffers(), Vec::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= n {
                break;
            }
            found.push((index, play(&mut own, index)));
        }
        if let Ok(mut done) = done.lock() {
            done.append(&mut found);
        }
    };
    std::thread::scope(|scope| {
        // If the system cannot start more threads, the existing threads do all the work.
        let spawned = || std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads.max(1).min(n)).map_while(|_| spawned()).collect();
        work();
        // An exception from a part written in another language is passed on unchanged, regardless of the thread on which it was raised.
        others.into_iter().for_each(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, found)| found).collect()
}

/// Episodes that are all played on one machine. The JSON form contains everything a remote player needs, except the game or study itself.
/// It includes a fingerprint of the game or study, so a remote player cannot play a different one by mistake.
pub trait Block: Serialize + Sync {
    /// The number of episodes in the block. Each episode produces one number.
    fn episodes(&self) -> usize;
}

/// An executor outside this process that can play blocks of episodes.
pub trait RemoteExecutor: Debug + Sync {
    /// Plays blocks given as JSON strings. Returns the numbers for the episodes in each block, in block order.
    ///
    /// # Errors
    /// The error from the first block, in order, that failed.
    fn play(&self, blocks: &[String]) -> Result<Vec<Vec<f64>>, RemoteError>;
}

/// Why a remote executor did not play the blocks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The remote executor's message, shown to users unchanged.
    #[error("{0}")]
    Told(String),
    /// A block cannot be written as JSON.
    #[error("block {block} can't be sent: {reason}")]
    Unsendable {
        /// The block's index, from 0.
        block: usize,
        /// Why the block cannot be written.
        reason: String,
    },
    /// The number of results does not match the number of blocks.
    #[error("received the results of {found} blocks, expected {expected}: update the program on all machines")]
    Blocks {
        /// The number of blocks sent.
        expected: usize,
        /// The number of results received.
        found: usize,
    },
    /// The number of values does not match the number of episodes in a block.
    #[error(
        "received {found} numbers for block {block}, expected {expected}, one for each episode: update the program on all machines"
    )]
    Episodes {
        /// The block's index, from 0.
        block: usize,
        /// The number of episodes in the block.
        expected: usize,
        /// The number of values received.
        found: usize,
    },
}

/// What plays blocks of episodes.
#[derive(Debug, Clone, Copy)]
pub enum Executor<'e> {
    /// Threads in this process, at least one.
    Threads(usize),
    /// A remote executor.
    Remote(&'e dyn RemoteExecutor),
}

impl From<usize> for Executor<'_> {
    fn from(threads: usize) -> Self {
        Self::Threads(threads)
    }
}

impl<'e> From<&'e dyn RemoteExecutor> for Executor<'e> {
    fn from(remote: &'e dyn RemoteExecutor) -> Self {
        Self::Remote(remote)
    }
}

impl Executor<'_> {
    /// Whether blocks are played outside this process.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Remote(_))
    }

    /// The numbers for the episodes in each block, in order. In this process, `play` plays them, and each thread has its own buffers.
    ///
    /// # Errors
    /// The error from the first block, in order, that failed, or an error from the remote executor.
    pub fn play<B, J: Block, E: From<RemoteError> + Send>(
        self,
        blocks: &[J],
        buffers: impl Fn() -> B + Sync,
        play: impl Fn(&mut B, &J) -> Result<Vec<f64>, E> + Sync,
    ) -> Result<Vec<Vec<f64>>, E> {
        match self {
            Self::Threads(threads) => {
                let first_failed = AtomicUsize::new(usize::MAX);
                let played = in_parallel(blocks.len(), threads, buffers, |buffers, index| {
                    // Blocks after a failure do not matter. A block before it may also fail, and would be reported instead.
                    (index < first_failed.load(Ordering::Relaxed)).then(|| {
                        let values = play(buffers, &blocks[index]);
                        if values.is_err() {
                            first_failed.fetch_min(index, Ordering::Relaxed);
                        }
                        values
                    })
                });
                played.into_iter().flatten().collect()
            }
            Self::Remote(remote) => {
                let texts = blocks.iter().enumerate().map(|(block, content)| {
                    let unsendable =
                        |error: serde_json::Error| RemoteError::Unsendable { block, reason: error.to_string() };
                    serde_json::to_string(content).map_err(unsendable)
                });
                let values = remote.play(&texts.collect::<Result<Vec<_>, _>>()?)?;
                if values.len() != blocks.len() {
                    return Err(RemoteError::Blocks { expected: blocks.len(), found: values.len() }.into());
                }
                let wrong = blocks.iter().zip(&values).position(|(block, values)| block.episodes() != values.len());
                match wrong {
                    None => Ok(values),
                    Some(block) => {
                        let (expected, found) = (blocks[block].episodes(), values[block].len());
                        Err(RemoteError::Episodes { block, expected, found }.into())
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Numbers(Vec<u32>);

    impl Block for Numbers {
        fn episodes(&self) -> usize {
            self.0.len()
        }
    }

    /// Returns its stored numbers or, if it has none, what it received.
    #[derive(Debug)]
    struct Echo(Option<Vec<Vec<f64>>>);

    impl RemoteExecutor for Echo {
        fn play(&self, blocks: &[String]) -> Result<Vec<Vec<f64>>, RemoteError> {
            let read =
                |block: &String| serde_json::from_str(block).map_err(|error| RemoteError::Told(error.to_string()));
            self.0.clone().map_or_else(|| blocks.iter().map(read).collect(), Ok)
        }
    }

    fn play(executor: Executor<'_>, is_failing: impl Fn(u32) -> bool + Sync) -> Result<Vec<Vec<f64>>, RemoteError> {
        let blocks: Vec<Numbers> = (0..40).map(|i| Numbers((i..i + i % 3).collect())).collect();
        executor.play(
            &blocks,
            || (),
            |(), block| {
                let failing = block.0.iter().find(|number| is_failing(**number));
                failing.map_or_else(
                    || Ok(block.0.iter().copied().map(f64::from).collect()),
                    |number| Err(RemoteError::Told(number.to_string())),
                )
            },
        )
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads_and_from_elsewhere() {
        let expected = play(Executor::Threads(1), |_| false).unwrap();
        assert_eq!(expected[5], [5.0, 6.0]);
        for threads in [0, 2, 7] {
            assert_eq!(play(threads.into(), |_| false).unwrap(), expected);
        }
        assert_eq!(play(Executor::Remote(&Echo(None)), |_| false).unwrap(), expected);
    }

    #[test]
    fn of_several_failures_the_first_is_told() {
        for threads in [1, 2, 5] {
            assert_eq!(play(threads.into(), |number| number > 12), Err(RemoteError::Told("13".into())), "{threads}");
        }
    }

    #[test]
    fn results_that_are_not_those_of_the_blocks_are_refused() {
        let wrong = |values: Vec<Vec<f64>>| play(Executor::Remote(&Echo(Some(values))), |_| false).unwrap_err();
        assert_eq!(wrong(vec![Vec::new()]), RemoteError::Blocks { expected: 40, found: 1 });
        assert_eq!(wrong(vec![Vec::new(); 40]), RemoteError::Episodes { block: 1, expected: 1, found: 0 });
    }
}
