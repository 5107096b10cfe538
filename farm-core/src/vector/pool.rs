//! Threads that wait for work. A batch is divided into one piece per thread, and the caller's thread does one of the pieces.
//!
//! Stepping a small batch takes less time than waking a thread. A worker that has finished therefore spins for a while before it sleeps.
//! Handing out work does not allocate.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How long a thread spins before it sleeps. This is longer than the pause between two consecutive steps, and about as long as it takes to
/// wake a thread.
const LOOKING: Duration = Duration::from_micros(60);

/// The work for one batch, called once for each thread with the thread's index.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The threads other than the caller's.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// The process in which the workers run; 0 if there are none.
    process: u32,
}

struct Shared {
    /// Incremented with each batch.
    batch: AtomicUsize,
    /// The number of workers that have not finished the batch.
    busy: AtomicUsize,
    /// The work for the current batch, and the thread that is waiting for it.
    work: Mutex<Option<(&'static Work<'static>, Thread)>>,
    /// The payload of the first worker that panicked.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// Whether the workers must end.
    over: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("batch", &self.batch).field("busy", &self.busy).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool with `threads` threads, including the caller's.
    pub(super) fn new(threads: usize) -> std::io::Result<Self> {
        let mut pool = Self::alone();
        if threads > 1 {
            // This is called only if it is needed, because a target without threads has no processes either.
            pool.process = std::process::id();
        }
        for number in 1..threads {
            let shared = pool.shared.clone();
            let worker = std::thread::Builder::new().name(format!("farm-{number}"));
            // If the pool is dropped before it is complete, it ends its workers.
            pool.workers.push(worker.spawn(move || shared.serve(number))?);
        }
        Ok(pool)
    }

    /// A pool with only the caller's thread.
    fn alone() -> Self {
        let shared = Shared {
            batch: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            work: Mutex::new(None),
            panic: Mutex::new(None),
            over: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), workers: Vec::new(), process: 0 }
    }

    /// The number of threads, including the caller's.
    pub(super) fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Restarts the workers in a forked child process, which inherits the pool without its threads. If the system cannot start any more
    /// threads, the caller then works alone.
    pub(super) fn follow_fork(&mut self) {
        if self.has_lost_workers() {
            let pool = Self::new(self.threads()).unwrap_or_else(|_| Self::alone());
            drop(std::mem::replace(self, pool));
        }
    }

    /// Whether the workers run in a different process than the caller.
    fn has_lost_workers(&self) -> bool {
        !self.workers.is_empty() && self.process != std::process::id()
    }

    /// Calls `work` with 0, 1, … `threads() - 1`, each on its own thread and 0 on the caller's. Returns when all calls have finished. If
    /// any calls panic, one of the panics is resumed in the caller.
    ///
    /// This method takes `&mut self`, so that no two batches run at the same time.
    pub(super) fn run(&mut self, work: &Work<'_>) {
        // SAFETY: the workers borrow the reference only until they have finished. `WaitGuard` is dropped before this function returns or
        // unwinds, and its drop waits until all workers have finished. No worker keeps the reference. It is removed from `work` before
        // `WaitGuard`'s drop returns, and a worker reads it only for a batch that the worker then counts as finished.
        #[expect(unsafe_code, reason = "work that borrows from the caller is lent to threads that live longer")]
        let lent: &'static Work<'static> = unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
        *lock(&self.shared.work) = Some((lent, std::thread::current()));
        // This may be left from an earlier batch in which the caller's own piece also panicked.
        *lock(&self.shared.panic) = None;
        self.shared.busy.store(self.workers.len(), Ordering::Relaxed);
        self.shared.batch.fetch_add(1, Ordering::Release);
        self.workers.iter().for_each(|worker| worker.thread().unpark());
        let wait = WaitGuard(&self.shared);
        work(0);
        drop(wait);
        if let Some(panic) = lock(&self.shared.panic).take() {
            resume_unwind(panic);
        }
    }
}

/// Waits for all workers when dropped.
struct WaitGuard<'a>(&'a Shared);

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        until(|| self.0.busy.load(Ordering::Acquire) == 0);
        *lock(&self.0.work) = None;
    }
}

impl Shared {
    /// A worker's loop, which runs until the pool is dropped.
    fn serve(&self, number: usize) {
        let mut done = 0;
        loop {
            until(|| self.batch.load(Ordering::Acquire) != done || self.over.load(Ordering::Relaxed));
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            done += 1;
            let Some((work, caller)) = lock(&self.work).clone() else { continue };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(number))) {
                lock(&self.panic).get_or_insert(panic);
            }
            if self.busy.fetch_sub(1, Ordering::Release) == 1 {
                caller.unpark();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.has_lost_workers() {
            // Waiting for a thread in another process, or dropping its handle, is undefined behaviour.
            self.workers.drain(..).for_each(std::mem::forget);
            return;
        }
        self.shared.over.store(true, Ordering::Relaxed);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker catches the panics of its work and cannot fail otherwise.
            let _ = worker.join();
        }
    }
}

/// Returns once the condition is true. Spins for a while, then sleeps until another thread wakes it.
fn until(has_come: impl Fn() -> bool) {
    let begin = Instant::now();
    while !has_come() {
        for _ in 0..32 {
            std::hint::spin_loop();
        }
        if begin.elapsed() > LOOKING {
            break;
        }
    }
    while !has_come() {
        std::thread::park();
    }
}

/// Locks a mutex even after a panic, because its contents are always valid.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Pool;

    /// A pool as seen in a forked child process: its workers never respond.
    fn forked(threads: usize) -> Pool {
        let mut pool = Pool::new(threads).unwrap();
        pool.shared.over.store(true, Ordering::Relaxed);
        pool.workers.iter().for_each(|worker| worker.thread().unpark());
        pool.process = pool.process.wrapping_add(1);
        pool
    }

    #[test]
    fn a_forked_child_has_workers_of_its_own() {
        let mut pool = forked(3);
        pool.follow_fork();
        assert_eq!((pool.threads(), pool.process), (3, std::process::id()));
        let count = AtomicUsize::new(0);
        pool.run(&|_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(count.into_inner(), 3);
    }

    #[test]
    fn workers_that_are_there_stay() {
        let mut pool = Pool::new(2).unwrap();
        let worker = pool.workers[0].thread().id();
        pool.follow_fork();
        assert_eq!(pool.workers[0].thread().id(), worker);
        let mut alone = Pool::new(1).unwrap();
        alone.follow_fork();
        assert_eq!((alone.threads(), alone.process), (1, 0));
    }

    #[test]
    fn each_thread_does_its_piece_of_each_batch_once() {
        let mut pool = Pool::new(4).unwrap();
        let counts: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
        for batch in 0..1000 {
            pool.run(&|number| {
                counts[number].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == batch + 1), "batch {batch}");
        }
    }

    #[test]
    fn workers_that_sleep_are_woken() {
        let mut pool = Pool::new(2).unwrap();
        for _ in 0..3 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            let count = AtomicUsize::new(0);
            pool.run(&|_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(count.into_inner(), 2);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_after_all_have_finished_and_the_pool_goes_on() {
        let mut pool = Pool::new(3).unwrap();
        for guilty in 0..3 {
            let finished = AtomicUsize::new(0);
            let run = std::panic::AssertUnwindSafe(|| {
                pool.run(&|number| {
                    assert!(number != guilty, "the piece of thread {guilty}");
                    finished.fetch_add(1, Ordering::Relaxed);
                });
            });
            let panic = std::panic::catch_unwind(run).expect_err("one piece panics");
            assert_eq!(panic.downcast_ref::<String>(), Some(&format!("the piece of thread {guilty}")));
            assert_eq!(finished.into_inner(), 2);
        }
    }

    #[test]
    fn a_panic_that_was_not_told_is_not_told_later() {
        let mut pool = Pool::new(2).unwrap();
        // Both pieces panic, and the caller's own panic continues in the caller.
        let run = std::panic::AssertUnwindSafe(|| pool.run(&|number| panic!("the piece of thread {number}")));
        let panic = std::panic::catch_unwind(run).expect_err("both pieces panic");
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("the piece of thread 0"));
        pool.run(&|_| {});
    }
}
