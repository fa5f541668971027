//! The threads of a team's helpers: a pool of rayon's, which starts them, wakes them for what they are called for, and lets
//! them sleep and end.

use super::address_space;
use crate::fork::{Home, inside};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::OnceLock;
use std::thread::{self, JoinHandle};

/// What a helper's thread does first, with its number counted from 1.
pub(super) static STARTED: OnceLock<fn(usize)> = OnceLock::new();

/// Threads of this process, or none.
#[derive(Debug)]
pub(super) struct Pool {
    threads: Option<ThreadPool>,
    home: Home,
}

impl Pool {
    /// A pool of so many threads, or of as many as the system gives.
    pub(super) fn of(helpers: usize) -> Pool {
        Pool::with(helpers.min(address_space::helpers()), spawn)
    }

    /// As [`Pool::of`], with threads from `spawn`. Rayon ends a pool of which one thread could not start, so the next one is
    /// of those that could.
    fn with(
        mut helpers: usize,
        spawn: impl Fn(ThreadBuilder) -> io::Result<JoinHandle<()>>,
    ) -> Pool {
        if helpers > 0 {
            // What the threads have in common beneath rayon is there before the first of them, so that no child finds it half made.
            let _inside = inside();
            crossbeam_epoch::default_collector();
        }
        let mut threads = None;
        while helpers > 0 && threads.is_none() {
            let mut running: Vec<JoinHandle<()>> = Vec::new(); // few: one for each thread.
            let builder = ThreadPoolBuilder::new()
                .num_threads(helpers)
                .thread_name(|index| format!("syntonic-{}", index + 1))
                .start_handler(|index| {
                    if let Some(handler) = STARTED.get() {
                        handler(index + 1);
                    }
                })
                // A panic of the handler above has been told, and is no reason to end the process.
                .panic_handler(|_| ());
            let started = |thread| {
                running.push(spawn(thread)?);
                Ok(())
            };
            threads = builder.spawn_handler(started).build().ok();
            if threads.is_none() {
                helpers = running.len().min(helpers - 1);
                // They end, and make room for others.
                running.into_iter().for_each(|thread| drop(thread.join()));
            }
        }
        Pool {
            threads,
            home: Home::here(),
        }
    }

    /// How many threads there are.
    pub(super) fn helpers(&self) -> usize {
        self.threads
            .as_ref()
            .map_or(0, ThreadPool::current_num_threads)
    }

    /// Has one of the threads run `help`, as soon as one has nothing else to do.
    pub(super) fn call(&self, help: impl FnOnce() + Send + 'static) {
        if let Some(threads) = &self.threads {
            threads.spawn(help);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.home.is_elsewhere() {
            // Whoever ends a pool wakes its threads, by locks that one of them may have had when the process was forked.
            std::mem::forget(self.threads.take());
        }
    }
}

fn spawn(thread: ThreadBuilder) -> io::Result<JoinHandle<()>> {
    let named = thread::Builder::new().name(thread.name().unwrap_or_default().to_owned());
    named.spawn(|| thread.run())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::mpsc;

    #[test]
    fn a_system_that_gives_few_threads_gets_a_pool_of_those() {
        for given in [0, 1, 2, 3] {
            // Threads that are no more count, as where a system is slow to notice.
            let alive = Cell::new(0);
            let pool = Pool::with(3, |thread| {
                if alive.get() == given {
                    alive.set(0);
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                alive.set(alive.get() + 1);
                spawn(thread)
            });
            assert_eq!(pool.helpers(), given);
            let (told, heard) = mpsc::channel();
            for _ in 0..given {
                let told = told.clone();
                pool.call(move || {
                    told.send(thread::current().name().map(str::to_owned))
                        .unwrap()
                });
            }
            drop(told);
            let names: Vec<_> = heard.iter().flatten().collect();
            assert!(names.len() == given && names.iter().all(|name| name.starts_with("syntonic-")));
        }
    }

    #[test]
    fn a_system_that_gives_fewer_each_time_ends_in_none() {
        let tries = Cell::new(0);
        let pool = Pool::with(4, |thread| {
            tries.set(tries.get() + 1);
            match tries.get() {
                // Four were wanted and two came, and then one, and then none.
                1 | 2 | 4 => spawn(thread),
                _ => Err(io::ErrorKind::OutOfMemory.into()),
            }
        });
        assert_eq!((pool.helpers(), tries.get()), (0, 6));
    }
}
