//! A queue, and requests that were submitted to it.

use super::super::error::ServiceError;
use super::super::lease::{Leased, Report, Turn, Waiting};
use super::super::settings::Settings;
use super::super::{Result, engine as service};
use super::engine::Launcher;
use super::programs::{Entry, Program, Programs, bytes};
use super::ring::{ENTRIES, Header, LANES, Sizes};
use super::shared::{Area, Claims, OP, Shared, check};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use syntonic_core::fork::{Home, lock};
use syntonic_core::{Buffer, Device, DeviceId, Error, Layout, Tensor, cpu, graph};

/// Bytes of all areas, at most: fewer requests have results at once where theirs are large.
const MOST_BYTES: usize = 64 << 20;

/// An argument of a request.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A tensor on the CPU, of the shape and type that the program was registered for.
    Tensor(&'a Tensor),
    /// A result of an earlier request of the same queue: which of its results. The device waits for it, and reads it where it is.
    Result(&'a Request, usize),
}

/// A queue on one GPU. Any number of threads may submit to it at once.
#[derive(Debug)]
pub struct Queue(Arc<Shared>);

/// A request that was submitted.
#[derive(Debug)]
pub struct Request {
    pub(super) shared: Arc<Shared>,
    pub(super) area: Arc<Area>,
    pub(super) program: usize,
}

impl Queue {
    /// A queue of these programs, with so many lanes, 1, 2, 4 or 8: requests that run at the same time. Nothing runs before the first request,
    /// whose lease is launched then. [`Settings::most_doubles`] bounds what a request sends, and what it gets; of [`Settings::most_commands`] each
    /// lane takes as many, and looks every sixteenth.
    ///
    /// # Errors
    /// [`ServiceError::Refused`] where the GPU drives a display, whose watchdog ends kernels, or cannot read the host's memory;
    /// [`ServiceError::TooLarge`] where a program takes or gives more than the settings say; no programs; a number of lanes that is none of these; no memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::service::{Operand, Programs, Queue, Argument, Settings};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     let half = programs.function("half", &[Operand::Spec(&[2], DType::F64)], |x| Ok(vec![&x[0] * 0.5]))?;
    ///     if let Ok(queue) = Queue::start(programs, 1, Settings::default()) {
    ///         let request = queue.submit(&half, &[Argument::Tensor(&Tensor::from([3.0, 5.0]))])?;
    ///         assert_eq!(request.wait()?[0].to_vec::<f64>()?, [1.5, 2.5]);
    ///     }
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn start(programs: Programs, lanes: usize, settings: Settings) -> Result<Queue> {
        settings.check()?;
        let device = programs.gpu.id();
        graph::check(OP, device)?;
        if let Some(why) = service::objection(programs.gpu.context())? {
            let op = OP;
            return Err(ServiceError::Refused { op, device, why });
        }
        if programs.all.is_empty() {
            let text = "no programs; hint: register one with Programs::plan or Programs::function";
            return Err(Error::value(OP, text).into());
        }
        if !lanes.is_power_of_two() || lanes > LANES {
            let text = format!("{lanes} lanes; hint: 1, 2, 4 or {LANES}");
            return Err(Error::value(OP, text).into());
        }
        let [arguments, results] = programs.largest();
        let (asked, most) = (arguments.max(results) / 8, settings.most_doubles.max(32));
        if asked > most {
            let (op, limit) = (OP, super::super::board::MOST);
            return Err(ServiceError::TooLarge {
                op,
                asked,
                most,
                limit,
            });
        }
        let areas = MOST_BYTES / results;
        let sizes = Sizes {
            arguments,
            results,
            areas: areas.clamp(2 * lanes, ENTRIES as usize),
        };
        let programs = Arc::new(programs);
        let next = Arc::new(AtomicU64::new(1));
        let launcher = Launcher::new(&programs, lanes, settings, sizes, &next)?;
        let (ring, mirrors) = (launcher.ring, launcher.mirrors()?);
        let leased = Leased::new(launcher, device, settings, ring.board());
        let door = leased.door().clone();
        programs.gpu.context().leases.enter(&door);
        Ok(Queue(Arc::new(Shared {
            programs,
            ring,
            claims: Mutex::new(Claims::of(sizes.areas)),
            posting: Mutex::new(()),
            next,
            answered: AtomicU64::new(0),
            door,
            leased: Mutex::new(leased),
            device,
            settings,
            lanes,
            mirrors,
            home: Home::here(),
        })))
    }

    /// Submits a run of a program, and does not wait for it.
    ///
    /// # Errors
    /// Where operands do not fit the program; [`ServiceError::Busy`] where others keep all entries of the queue for the whole deadline;
    /// [`ServiceError::Poisoned`]; in a capture.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::service::{Operand, Programs, Queue, Argument, Settings};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     let half = programs.function("half", &[Operand::Spec(&[2], DType::F64)], |x| Ok(vec![&x[0] * 0.5]))?;
    ///     if let Ok(queue) = Queue::start(programs, 2, Settings::default()) {
    ///         // The second reads what the first one gives, on the device.
    ///         let first = queue.submit(&half, &[Argument::Tensor(&Tensor::from([4.0, 8.0]))])?;
    ///         let second = queue.submit(&half, &[Argument::Result(&first, 0)])?;
    ///         assert_eq!(second.wait()?[0].to_vec::<f64>()?, [1.0, 2.0]);
    ///     }
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn submit(&self, program: &Program, operands: &[Argument<'_>]) -> Result<Request> {
        let shared = &self.0;
        graph::check(OP, shared.device)?;
        shared.home.check(OP, "this queue")?;
        let entry = shared.programs.entry(program)?;
        let (tensors, needs) = check(shared, entry, operands)?;
        let waiting = Waiting::until(Instant::now() + shared.settings.deadline);
        let area = loop {
            shared.check()?;
            if let Some(area) = shared.claim() {
                break area;
            }
            shared.turn(&waiting)?;
        };
        // Given back by `Area`, whatever happens; it has no number yet, so nobody writes to it.
        let mut area = Area {
            shared: Arc::downgrade(shared),
            number: 0,
            area,
            needs,
        };
        let moves = shared.moves(entry, operands);
        let header = Header {
            program: program.number,
            area: area.area,
            bytes: entry.results,
            arguments: entry.arguments,
            moves: &moves,
        };
        loop {
            let posting = lock(&shared.posting);
            let number = shared.next.load(Ordering::Relaxed);
            // The entry of an old request is another's once that is answered.
            if number <= ENTRIES || shared.ring.is_answered(number - ENTRIES) {
                shared.write(number, entry, operands, &tensors)?;
                area.number = number;
                shared.ring.post(number, &header);
                shared.next.store(number + 1, Ordering::Release);
                break;
            }
            drop(posting);
            shared.check()?;
            shared.turn(&waiting)?;
        }
        shared.go_on()?;
        Ok(Request {
            shared: shared.clone(),
            area: Arc::new(area),
            program: program.number as usize,
        })
    }

    /// The GPU it runs on.
    ///
    /// ```
    /// # use syntonic_core::prelude::*;
    /// # use syntonic_cuda::service::{Operand, Programs, Queue, Settings};
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     programs.function("same", &[Operand::Spec(&[2], DType::F64)], |x| Ok(vec![x[0].clone()]))?;
    ///     if let Ok(queue) = Queue::start(programs, 2, Settings::default()) {
    ///         assert_eq!((queue.device(), queue.lanes()), (DeviceId::Cuda(0), 2));
    ///     }
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn device(&self) -> DeviceId {
        self.0.device
    }

    /// Requests that run at the same time.
    ///
    /// ```
    /// // As many as `Queue::start` was asked for.
    /// let lanes: fn(&syntonic_cuda::service::Queue) -> usize = syntonic_cuda::service::Queue::lanes;
    /// # let _ = lanes;
    /// ```
    pub fn lanes(&self) -> usize {
        self.0.lanes
    }

    /// Ends the lease and waits until it has, at most [`Settings::longest_lease`]. The next request, or a wait for one that is not answered,
    /// begins another.
    ///
    /// # Errors
    /// [`ServiceError::TimedOut`] where it does not end; then nothing is taken any more.
    ///
    /// ```
    /// # use syntonic_core::prelude::*;
    /// # use syntonic_cuda::service::{Operand, Programs, Queue, Settings};
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     programs.function("same", &[Operand::Spec(&[2], DType::F64)], |x| Ok(vec![x[0].clone()]))?;
    ///     if let Ok(queue) = Queue::start(programs, 1, Settings::default()) {
    ///         queue.pause()?; // before something waits for the whole GPU
    ///         assert!(!queue.report()?.live);
    ///     }
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn pause(&self) -> Result<()> {
        self.0.home.check(OP, "this queue")?;
        lock(&self.0.leased).pause("pause")
    }

    /// How it has fared; commands are requests whose results were waited for.
    ///
    /// # Errors
    /// In a child that was forked.
    ///
    /// ```
    /// // As `Service::report`.
    /// use syntonic_cuda::service::{Queue, Report, Result};
    /// let report: fn(&Queue) -> Result<Report> = Queue::report;
    /// # let _ = report;
    /// ```
    pub fn report(&self) -> Result<Report> {
        self.0.home.check(OP, "this queue")?;
        Ok(lock(&self.0.leased).report(self.0.answered.load(Ordering::Relaxed)))
    }
}

impl Request {
    /// Whether its results are there.
    ///
    /// ```
    /// use syntonic_cuda::service::Request;
    ///
    /// // The first of some that is done.
    /// fn done(all: &[Request]) -> Option<usize> {
    ///     all.iter().position(Request::is_done)
    /// }
    /// assert_eq!(done(&[]), None);
    /// ```
    pub fn is_done(&self) -> bool {
        self.is_given(&self.shared.programs.all[self.program])
    }

    fn is_given(&self, entry: &Entry) -> bool {
        let Area { number, area, .. } = *self.area;
        self.shared.ring.is_given(number, area, entry.results)
    }

    /// Waits for the results, on the CPU: at most for the deadline. May be asked again.
    ///
    /// # Errors
    /// [`ServiceError::TimedOut`] where there is no answer in time: then the lease is stopped, and nothing is taken any more;
    /// [`ServiceError::Poisoned`]; what the driver meets; an interruption, after which the request goes on.
    ///
    /// ```
    /// # use syntonic_core::prelude::*;
    /// # use syntonic_cuda::service::{Operand, Programs, Queue, Argument, Settings};
    /// if syntonic_cuda::device_count() > 0 {
    ///     let mut programs = Programs::new(&syntonic_cuda::open(0)?);
    ///     let sum = programs.function("sum", &[Operand::Spec(&[3], DType::F32)], |x| Ok(vec![x[0].sum(..)?]))?;
    ///     if let Ok(queue) = Queue::start(programs, 4, Settings::default()) {
    ///         let each = [1.0f32, 2.0, 3.0].map(|k| Tensor::from([k, k, k]));
    ///         let all: Vec<_> = each.iter().map(|x| queue.submit(&sum, &[Argument::Tensor(x)])).collect::<Result<_, _>>()?;
    ///         // In whatever order.
    ///         for (k, request) in all.iter().enumerate().rev() {
    ///             assert_eq!(request.wait()?[0].to_scalar::<f32>()?, 3.0 * (k + 1) as f32);
    ///         }
    ///     }
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn wait(&self) -> Result<Vec<Tensor>> {
        let shared = &self.shared;
        let entry = &shared.programs.all[self.program];
        graph::check(OP, shared.device)?;
        shared.home.check(OP, "this queue")?;
        let waiting = Waiting::until(Instant::now() + shared.settings.deadline);
        while !self.is_given(entry) {
            shared.check()?;
            shared.go_on()?;
            match waiting.turn() {
                Ok(Turn::Again) => {}
                Ok(Turn::Late) if self.is_given(entry) => break,
                Ok(Turn::Late) => {
                    let mut leased = lock(&shared.leased);
                    let late = leased.late(OP, shared.settings.deadline);
                    leased.stop();
                    return Err(late);
                }
                Err(interrupted) => return Err(Error::from(interrupted).named(OP).into()),
            }
        }
        shared.answered.fetch_add(1, Ordering::Relaxed);
        let results = entry.frame.results.iter().zip(&entry.places);
        let results = results.map(|((shape, dtype), at)| {
            let buffer = Buffer::allocate(&cpu(), bytes(shape, *dtype))?;
            let layout = Layout::contiguous(OP, shape)?;
            // SAFETY: the area has the results where the program puts them, the device writes them no more as long as this holds the area, and
            // the buffer is fresh and as large.
            unsafe {
                let to = std::slice::from_raw_parts_mut(buffer.address(), buffer.bytes());
                shared.ring.take(self.area.area, entry.results, *at, to);
                Tensor::from_buffer(*dtype, layout, Arc::new(buffer))
            }
        });
        // few: results of a program.
        let results = results.collect::<syntonic_core::Result<Vec<_>>>()?;
        let outputs = entry.frame.outputs.iter();
        Ok(outputs.map(|&k| results[k].clone()).collect())
    }
}
