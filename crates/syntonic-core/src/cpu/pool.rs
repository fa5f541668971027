//! The threads of a team's helpers: a pool of rayon's, which starts them, wakes them for what they are called for, and lets
//! them sleep and end.

use super::address_space;
use crate::fork::{Home, inside};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

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

    /// As [`Pool::of`], with threads from `spawn`. Rayon ends a pool of which one thread could not start, so threads come first, each with what it
    /// will be told to do, and the pool is of those that came.
    fn with(helpers: usize, spawn: impl Fn(usize, Order) -> io::Result<()>) -> Pool {
        let mut told: Vec<Sender<ThreadBuilder>> = Vec::new(); // few: one for each thread.
        for number in 1..=helpers {
            let (tell, order) = mpsc::channel();
            if spawn(number, order).is_err() {
                break;
            }
            told.push(tell);
        }
        Pool {
            threads: threads(told),
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

/// What a thread will be told to do.
type Order = Receiver<ThreadBuilder>;

/// A thread that waits for what to do. It ends where nobody tells it.
fn spawn(number: usize, order: Order) -> io::Result<()> {
    let named = thread::Builder::new().name(format!("syntonic-{number}"));
    let run = move || order.recv().map_or((), ThreadBuilder::run);
    named.spawn(run).map(drop)
}

/// Rayon's pool over threads that wait.
fn threads(told: Vec<Sender<ThreadBuilder>>) -> Option<ThreadPool> {
    if told.is_empty() {
        return None;
    }
    {
        // What the threads have in common beneath rayon is there before the first of them, so that no child finds it half made.
        let _inside = inside();
        crossbeam_epoch::default_collector();
    }
    let builder = ThreadPoolBuilder::new()
        .num_threads(told.len())
        .start_handler(|index| {
            if let Some(handler) = STARTED.get() {
                handler(index + 1);
            }
        })
        // A panic of the handler above has been told, and is no reason to end the process.
        .panic_handler(|_| ());
    let pool = builder.spawn_handler(|thread| {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let tell = told.get(thread.index()).ok_or_else(gone)?;
        tell.send(thread).map_err(|_| gone())
    });
    pool.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_gives_few_threads_gets_a_pool_of_those() {
        for given in [0, 1, 2, 3] {
            let pool = Pool::with(3, |number, order| match number > given {
                true => Err(io::ErrorKind::WouldBlock.into()),
                false => spawn(number, order),
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
}
