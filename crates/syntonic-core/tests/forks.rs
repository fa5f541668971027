//! A process that forks while its threads work, a thousand times: no lock stays locked in a child, and no value half made.

#![cfg(unix)]

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use syntonic_core::cpu::threads::share;
use syntonic_core::ops::fft::{Norm, rfft};
use syntonic_core::ops::linalg::matmul;
use syntonic_core::ops::order::Direction;
use syntonic_core::ops::random;
use syntonic_core::prelude::*;
use syntonic_core::random::SharedGenerator;
use syntonic_core::{Error, Result, profile};

const FORKS: usize = 1000;
/// A child takes milliseconds; on a busy machine more.
const PATIENCE: Duration = Duration::from_secs(60);
/// Elements of an expression that waits.
const MANY: usize = 9000;

/// What threads and children use together.
struct Shared {
    /// The number of the fork, and of what threads compute at this moment.
    round: AtomicUsize,
    /// Expressions that nobody has read before their round.
    later: Vec<Tensor>,
    /// What they read.
    read: Tensor,
    generator: SharedGenerator,
    graph: Graph,
}

impl Shared {
    fn new() -> Result<Shared> {
        let read = Tensor::ones(&[MANY], DType::F32)?;
        Ok(Shared {
            round: AtomicUsize::new(0),
            later: (0..FORKS).map(|k| &read + k as f64).collect(),
            graph: Graph::capture(&[&read], |own| Ok(vec![own[0] * 2.0]))?,
            generator: SharedGenerator::new(Generator::new(1)),
            read,
        })
    }

    fn now(&self) -> usize {
        self.round.load(Relaxed).min(FORKS - 1)
    }
}

fn check(holds: bool) -> Result<()> {
    match holds {
        true => Ok(()),
        false => Err(Error::value("forks", "a wrong value")),
    }
}

type Work = fn(&Shared) -> Result<()>;

/// What each thread does over and over, and each child once: something with every lock of the crate.
const WORKS: &[(&str, Work)] = &[
    ("memory of the cache", |shared| {
        let n = 20_000 + 7_000 * (shared.now() % 5);
        let x = Tensor::zeros(&[n], DType::F64)?;
        check((x + 1.0).sum(..)?.to_scalar::<f64>()? == n as f64)
    }),
    ("a value that others read too", |shared| {
        let k = shared.now();
        let x = shared.later[k].to_vec::<f32>()?;
        check(x.len() == MANY && x.iter().all(|&x| x == 1.0 + k as f32))
    }),
    ("a new reader of shared memory", |shared| {
        let y = (&shared.read * 3.0 - 1.0).to_vec::<f32>()?;
        check(y.iter().all(|&y| y == 2.0))
    }),
    ("a transform", |shared| {
        let n = 100 + shared.now() % 50;
        let x = Tensor::ones(&[n], DType::F64)?;
        let y = rfft(&x, None, -1, Norm::Backward)?.to_vec::<num_complex::Complex64>()?;
        // The sum of n ones and n/2 zeros; each is of log n sums with an error of one rounding.
        check((y[0].re - n as f64).abs() < 1e-12 * n as f64 && y[1].norm() < 1e-12 * n as f64)
    }),
    ("a product", |_| {
        let x = Tensor::ones(&[70, 70], DType::F32)?;
        let y = matmul(&x, &x)?.to_vec::<f32>()?;
        check(y.iter().all(|&y| y == 70.0))
    }),
    ("a sort", |_| {
        let x = Tensor::linspace(1.0, 0.0, 3000)?.sort(0, Direction::Ascending)?;
        check(x.to_vec::<f64>()?.is_sorted())
    }),
    ("a shared generator", |shared| {
        let x = random::uniform(
            &[3000],
            0.0,
            1.0,
            DType::F64,
            &mut &shared.generator,
            &cpu(),
        )?;
        check(x.to_vec::<f64>()?.iter().all(|x| (0.0..1.0).contains(x)))
    }),
    ("a profile", |_| {
        let recording = profile::start();
        Tensor::ones(&[20_000], DType::F32)?.exp()?.eval()?;
        check(recording.finish()?.launches() > 0)
    }),
    ("a file", |shared| {
        let name = format!(
            "syntonic-forks-{}-{:?}.npy",
            std::process::id(),
            thread::current().id()
        );
        let path = std::env::temp_dir().join(name);
        let x = Tensor::ones(&[20_000], DType::F32)? * shared.now() as f64;
        io::save_npy(&path, &x)?;
        let y = io::load_npy(&path)?;
        let removed = std::fs::remove_file(&path);
        check(removed.is_ok() && y.to_vec::<f32>()? == x.to_vec::<f32>()?)
    }),
    (
        "a graph, unless another thread was at it",
        |shared| match shared.graph.replay(&[&shared.read]) {
            Ok(y) => check(y[0].to_vec::<f32>()?.iter().all(|&y| y == 2.0)),
            Err(error) if error.to_string().contains("was at work in another thread") => Ok(()),
            Err(error) => Err(error),
        },
    ),
];

/// What a child does: one word for each work that is done, and nothing that unwinds.
fn live(shared: &Shared, mut told: UnixStream) -> ! {
    let mut code = 0;
    for (_, work) in WORKS {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(shared)));
        if let Ok(Err(error)) = &done {
            let _ = write!(told, "{error}");
        }
        if !matches!(done, Ok(Ok(()))) {
            code = 1;
            break;
        }
        let _ = told.write_all(b"+");
    }
    // SAFETY: ends the process at once: the threads that locals of the harness wait for are not here.
    unsafe { libc::_exit(code) }
}

/// How a child ended, in words, where it did not end well.
fn outcome(pid: libc::pid_t, mut heard: UnixStream) -> std::result::Result<(), String> {
    let began = Instant::now();
    let mut status = 0;
    let mut late = false;
    loop {
        // SAFETY: the process is a child of ours that nobody else waits for.
        let ended = unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) };
        match ended {
            0 if began.elapsed() > PATIENCE && !late => {
                late = true;
                // SAFETY: as above.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
            0 => thread::sleep(Duration::from_micros(200)),
            _ => break,
        }
    }
    let mut said = String::new();
    let _ = heard.read_to_string(&mut said);
    let done = said.bytes().take_while(|&byte| byte == b'+').count();
    if status == 0 && done == WORKS.len() {
        return Ok(());
    }
    let how = if late { "hangs" } else { "fails" };
    let work = WORKS.get(done).map_or("its end", |work| work.0);
    Err(format!(
        "{how} in {work}, status {status:x}: {}",
        &said[done..]
    ))
}

#[test]
fn a_child_forked_amid_work_computes() {
    let shared = Shared::new().unwrap();
    let over = AtomicBool::new(false);
    let failed = thread::scope(|scope| {
        for first in 0..3 {
            let (shared, over) = (&shared, &over);
            scope.spawn(move || {
                for (_, work) in WORKS.iter().cycle().skip(first * 3) {
                    if over.load(Relaxed) {
                        break;
                    }
                    work(shared).unwrap();
                }
            });
        }
        let mut failed = None;
        while shared.round.load(Relaxed) < FORKS && failed.is_none() {
            let (heard, told) = UnixStream::pair().unwrap();
            // SAFETY: the child calls code that says that it may be called there, and ends without unwinding.
            match unsafe { libc::fork() } {
                -1 => panic!("no child: {}", std::io::Error::last_os_error()),
                0 => live(&shared, told),
                pid => {
                    drop(told);
                    failed = outcome(pid, heard).err();
                }
            }
            let round = shared.round.fetch_add(1, Relaxed);
            failed = failed.map(|why| format!("the child of fork {round} {why}"));
        }
        over.store(true, Relaxed);
        failed
    });
    assert_eq!(failed, None);
}

#[test]
fn a_child_forked_by_a_piece_of_work_waits_for_no_helper() {
    let shared = Shared::new().unwrap();
    let (heard, told) = UnixStream::pair().unwrap();
    let (caller, forked) = (thread::current().id(), AtomicI32::new(-1));
    let done = share(40, |_| {
        if thread::current().id() == caller && forked.load(Relaxed) == -1 {
            // SAFETY: as above.
            forked.store(unsafe { libc::fork() }, Relaxed);
        }
        thread::sleep(Duration::from_millis(1));
    });
    match forked.load(Relaxed) {
        -1 => panic!("no child: {}", std::io::Error::last_os_error()),
        0 => live(&shared, told),
        pid => {
            drop(told);
            assert_eq!(done, Ok(()));
            assert_eq!(outcome(pid, heard), Ok(()));
        }
    }
}
