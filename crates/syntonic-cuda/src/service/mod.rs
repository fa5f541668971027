//! A leased service: streams of tiny requests, answered by a kernel that stays on the GPU for a while.
//!
//! A launch costs the host some microseconds, and waiting for it as many again. Where a loop asks thousands of times a second for very
//! little, and needs each answer before it asks on, that is most of the time. A service is one cluster of thread blocks (8 on GPUs
//! of 9.0 and newer, one block on older ones) that takes requests from the host's memory and answers there.
//!
//! **When a graph is better.** Nearly always: work that is known in advance and does not wait for the host in between is one launch of
//! a [`Graph`](syntonic_core::Graph), which takes no part of the GPU while nothing runs, runs beside anything, and has the whole card.
//! A service pays for single, dependent requests below some tens of microseconds; it has 8 multiprocessors at most, polls the host's
//! memory, and stands in the way of what waits for the whole GPU. `examples/service_latency.rs` measures both.
//!
//! **A lease, no eternity.** The kernel ends by itself: after [`Settings::idle`] without a request, at [`Settings::lifetime`], after
//! [`Settings::most_commands`], and a command after twice [`Settings::deadline`]. The next request begins another. So a host that died, was
//! stopped or forgot the service leaves the GPU within [`Settings::longest_lease`].
//!
//! **What others wait for.** As long as a lease is live, whatever synchronises with the whole GPU waits for its end: `cudaMalloc`,
//! `cudaFree`, freeing and making page-locked memory, loading a kernel, the legacy default stream, `cudaDeviceSynchronize`. Where this
//! crate does such a thing, it first asks leases to end, which takes microseconds. Other libraries of the process do not: they wait for at
//! most one lease. [`Service::pause`] ends it before. A driver has few hardware queues (`CUDA_DEVICE_MAX_CONNECTIONS`); with many
//! streams, work of one may stand behind a lease until that ends. Profilers that replay kernels, and sanitizers, see a kernel that
//! waits for a host that they have stopped: use the operators themselves under those.
//!
//! **Errors.** Every wait has a deadline. A request without an answer is [`ServiceError::TimedOut`]: the command is stopped, the end of
//! its lease awaited, and the service takes no more. Nothing here waits for the whole GPU. Memory of a lease that does not end is left alone.
//!
//! ```
//! use syntonic_cuda::service::{Service, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! if syntonic_cuda::is_available() {
//!     let gpu = syntonic_cuda::open(0)?;
//!     match Service::start(&gpu, Settings::default()) {
//!         Ok(service) => assert_eq!(service.sum(&[1.0, 2.0, 4.0])?, 7.0),
//!         // A GPU with a display.
//!         Err(refused) => println!("{refused}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod board;
mod engine;
mod error;
pub(crate) mod leases;
mod line;
mod models;
mod operation;
mod settings;
#[cfg(test)]
mod simulated;

pub use board::Ending;
pub use error::{ServiceError, Status};
pub use line::Report;
pub use models::{Linear, Model};
pub use operation::Operation;
pub use settings::Settings;

use crate::context::gpu::Cuda;
use engine::Launcher;
use line::{Engine, Line};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use syntonic_core::{Device, DeviceId, graph, interrupt};

/// What a service returns.
pub type Result<T> = std::result::Result<T, ServiceError>;

/// A service on one GPU. Several threads may ask it, one after the other; for requests at the same time start several.
#[derive(Debug)]
pub struct Service {
    line: Mutex<Line<Launcher>>,
    device: DeviceId,
    settings: Settings,
    blocks: u32,
}

/// Beliefs and evidence of [`Service::free_energy`]: diagonal Gaussians, `[n]` and `[m]`.
#[derive(Clone, Copy, Debug)]
pub struct Beliefs<'a> {
    /// Means of the belief and of the prior, `[n]`.
    pub mean: [&'a [f64]; 2],
    /// Variances of the belief and of the prior, `[n]`.
    pub variance: [&'a [f64]; 2],
    /// What is observed and what was predicted, `[m]`.
    pub observation: [&'a [f64]; 2],
    /// One over the variances of the noise, `[m]`.
    pub precision: &'a [f64],
}

/// A free energy, nats, and its parts: `free_energy = complexity - accuracy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// The free energy.
    pub free_energy: f64,
    /// The divergence of the belief from the prior.
    pub complexity: f64,
    /// The expected logarithm of the likelihood.
    pub accuracy: f64,
}

/// Steps of [`Service::belief_update`].
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Part of the gradient that a step adds.
    pub rate: f64,
    /// The most steps, below 2^24.
    pub most: u32,
    /// Steps end where the free energy has changed by less; 0 takes all.
    pub tolerance: f64,
}

/// How a belief update ended. Numbers of endings are those of `syntonic_srt::infer::Ending`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Updated {
    /// Steps that were taken.
    pub steps: u64,
    /// 0 all of them, 1 converged, 2 diverged.
    pub ending: u64,
    /// The length of the last step.
    pub change: f64,
    /// The part of the free energy that depends on the mean.
    pub free_energy: f64,
}

impl Service {
    /// A service of a GPU. Nothing runs before the first request, whose lease is launched then.
    ///
    /// # Errors
    /// [`ServiceError::Refused`] where the GPU drives a display, whose watchdog ends kernels, or cannot read the host's memory; settings
    /// that make no sense; no memory; in a capture.
    pub fn start(gpu: &Arc<Cuda>, settings: Settings) -> Result<Service> {
        settings.check()?;
        let device = gpu.id();
        graph::check("service", device)?;
        if let Some(why) = engine::objection(gpu.context())? {
            let op = "service";
            return Err(ServiceError::Refused { op, device, why });
        }
        let launcher = Launcher::new(gpu, settings)?;
        let blocks = launcher.blocks;
        let board = launcher.board();
        let line = Line::new(launcher, device, settings, board, 0);
        gpu.context().leases.enter(line.door());
        Ok(Service {
            line: Mutex::new(line),
            device,
            settings,
            blocks,
        })
    }

    /// As [`Service::start`], of a device by its name.
    ///
    /// # Errors
    /// As there, and where the device is no GPU.
    pub fn on(device: DeviceId, settings: Settings) -> Result<Service> {
        Service::start(&engine::gpu_of(device)?, settings)
    }

    /// The GPU it runs on.
    pub fn device(&self) -> DeviceId {
        self.device
    }

    /// What it was started with.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Thread blocks of a lease.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The line, once nobody else has it: at most for the deadline.
    fn line(&self, op: &'static str, patience: Duration) -> Result<MutexGuard<'_, Line<Launcher>>> {
        graph::check(op, self.device)?;
        let begun = Instant::now();
        loop {
            match self.line.try_lock() {
                Ok(line) => return Ok(line),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            let waited = begun.elapsed();
            if waited >= patience {
                let (device, waited) = (self.device, patience);
                return Err(ServiceError::Busy { op, device, waited });
            }
            std::thread::yield_now();
            if waited > Duration::from_millis(1) {
                interrupt::poll().map_err(|e| syntonic_core::Error::from(e).named(op))?;
                std::thread::sleep(Duration::from_micros(50));
            }
        }
    }

    fn ask(
        &self,
        operation: Operation,
        arguments: &[&[f64]],
        answers: &mut [&mut [f64]],
    ) -> Result<()> {
        let op = operation.name();
        let mut line = self.line(op, self.settings.deadline)?;
        line.call(op, operation.opcode(), arguments, answers)
    }

    /// Carries out any operation: `arguments` as [`Operation`] says, and room for as many answers as that has.
    ///
    /// # Errors
    /// Where the lengths do not fit, as the host or the device finds; as [`ServiceError`] says.
    pub fn call(&self, operation: Operation, arguments: &[f64], answers: &mut [f64]) -> Result<()> {
        let wanted = operation.answers(arguments.len());
        if wanted.is_some_and(|wanted| wanted != answers.len()) {
            let text = format!(
                "{} answers of {} arguments, and room for {}; hint: Operation says how many there are",
                wanted.unwrap_or(0),
                arguments.len(),
                answers.len()
            );
            return Err(syntonic_core::Error::value(operation.name(), text).into());
        }
        self.ask(operation, &[arguments], &mut [answers])
    }

    /// `x [n] -> [n]`, the same numbers: a round trip.
    ///
    /// # Errors
    /// As [`Service::call`].
    pub fn echo(&self, x: &[f64], answer: &mut [f64]) -> Result<()> {
        self.call(Operation::Echo, x, answer)
    }

    /// The sum of `x [n]`, in the order that [`Operation::Sum`] says.
    ///
    /// # Errors
    /// As [`Service::call`].
    pub fn sum(&self, x: &[f64]) -> Result<f64> {
        let mut sum = [0.0];
        self.call(Operation::Sum, x, &mut sum)?;
        Ok(sum[0])
    }

    /// `a x + b` of `x [n]`.
    ///
    /// # Errors
    /// As [`Service::call`], and where `answer` has another length.
    pub fn affine(&self, [a, b]: [f64; 2], x: &[f64], answer: &mut [f64]) -> Result<()> {
        same_lengths("affine", "x and the answer", &[x.len(), answer.len()])?;
        self.ask(Operation::Affine, &[&[a, b], x], &mut [answer])
    }

    /// The free energy of diagonal Gaussians, as `syntonic_srt::infer::free_energy` without a Jacobian; sums have another order.
    ///
    /// # Errors
    /// As [`Service::call`], and where lengths do not fit.
    pub fn free_energy(&self, beliefs: Beliefs<'_>) -> Result<Energy> {
        let Beliefs {
            mean: [mean_q, mean_p],
            variance: [var_q, var_p],
            observation: [observation, prediction],
            precision,
        } = beliefs;
        let (op, n, m) = ("free_energy", mean_q.len(), observation.len());
        let states = [n, mean_p.len(), var_q.len(), var_p.len()];
        same_lengths(op, "means and variances", &states)?;
        let observed = [m, prediction.len(), precision.len()];
        same_lengths(op, "observation, prediction and precision", &observed)?;
        let head = [n, m].map(|k| f64::from_bits(k as u64));
        let arguments: [&[f64]; 8] = [
            &head,
            mean_q,
            mean_p,
            var_q,
            var_p,
            observation,
            prediction,
            precision,
        ];
        let mut answer = [0.0; 3];
        self.ask(Operation::FreeEnergy, &arguments, &mut [&mut answer])?;
        let [free_energy, complexity, accuracy] = answer;
        Ok(Energy {
            free_energy,
            complexity,
            accuracy,
        })
    }

    /// Takes a model into the GPU's memory, for [`Service::belief_update`]. Ends the lease; the next request begins one that knows it.
    ///
    /// # Errors
    /// Where shapes or types do not fit, the model is larger than a cluster's shared memory, or there is no memory.
    pub fn register(&self, linear: Linear<'_>) -> Result<Model> {
        let mut line = self.line("register", self.settings.longest_lease())?;
        line.check("register")?;
        line.pause("register")?;
        let most = self.settings.most_doubles;
        let launcher = line.engine();
        let (gpu, cut) = (launcher.gpu().clone(), (launcher.blocks, launcher.shared()));
        Ok(launcher.models.add(&gpu, linear, cut, most)?)
    }

    /// Steps of `mean [n]` down the free energy of what is observed, `[m]`, under a registered model: `syntonic_srt::infer::belief_update`
    /// in `float64`, with its bits.
    ///
    /// # Errors
    /// As [`Service::call`]; where lengths do not fit the model, the rate is not positive and finite, the tolerance is negative or NaN, or the
    /// model is another service's.
    pub fn belief_update(
        &self,
        model: &Model,
        mean: &mut [f64],
        observation: &[f64],
        steps: Steps,
    ) -> Result<Updated> {
        let op = Operation::BeliefUpdate.name();
        let [m, n] = model.sizes();
        same_lengths(op, "the mean and the model's states", &[n, mean.len()])?;
        let rows = [m, observation.len()];
        same_lengths(op, "what is observed and the model's rows", &rows)?;
        if !(steps.rate > 0.0 && steps.rate.is_finite()) {
            let text = format!("the rate is positive and finite, not {}", steps.rate);
            return Err(syntonic_core::Error::value(op, text).into());
        }
        if steps.tolerance.is_nan() || steps.tolerance < 0.0 || steps.most >= 1 << 24 {
            let text = "the tolerance is 0 or positive, and there are fewer than 2^24 steps";
            return Err(syntonic_core::Error::value(op, text).into());
        }
        let mut line = self.line(op, self.settings.deadline)?;
        if !line.engine().models.has(model) {
            let status = Status::NoModel;
            return Err(ServiceError::Rejected { op, status });
        }
        let whole = [model.number, steps.most.into()].map(f64::from_bits);
        let numbers = [steps.rate, steps.tolerance];
        let mut told = [0.0; 4];
        let mut moved = syntonic_core::room::filled(n, 0.0)?;
        line.call(
            op,
            Operation::BeliefUpdate.opcode(),
            &[&whole, &numbers, mean, observation],
            &mut [&mut moved, &mut told],
        )?;
        mean.copy_from_slice(&moved);
        let [taken, ending, change, free_energy] = told;
        Ok(Updated {
            steps: taken.to_bits(),
            ending: ending.to_bits(),
            change,
            free_energy,
        })
    }

    /// Ends the lease and waits until it has, at most [`Settings::longest_lease`]. The next request begins another.
    ///
    /// # Errors
    /// [`ServiceError::TimedOut`] where it does not end; then nothing is taken any more.
    pub fn pause(&self) -> Result<()> {
        self.line("pause", self.settings.longest_lease())?
            .pause("pause")
    }

    /// How it has fared. Waits for a request of another thread, at most for the deadline.
    ///
    /// # Errors
    /// [`ServiceError::Busy`].
    pub fn report(&self) -> Result<Report> {
        Ok(self.line("report", self.settings.deadline)?.report())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let line = self.line.get_mut();
        let line = line.unwrap_or_else(std::sync::PoisonError::into_inner);
        let door = line.door().clone();
        // A lease that does not end keeps its memory.
        let over = line.pause("drop").is_ok() && matches!(line.engine().is_over(), Ok(true));
        let launcher = line.engine();
        launcher.gpu().context().leases.leave(&door);
        if over {
            launcher.give_back();
        } else {
            tracing::error!(device = %self.device, "a lease did not end, and its memory is left alone");
        }
    }
}

fn same_lengths(op: &'static str, what: &str, lengths: &[usize]) -> Result<()> {
    if lengths.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(());
    }
    let text = format!("{what} have the lengths {lengths:?}; hint: they have one length");
    Err(syntonic_core::Error::value(op, text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_differ_are_named() {
        assert!(same_lengths("affine", "x", &[3, 3, 3]).is_ok());
        let text = same_lengths("affine", "x and y", &[3, 4])
            .err()
            .map(|e| e.to_string());
        let text = text.unwrap_or_default();
        assert!(
            text.starts_with("affine: x and y") && text.contains("[3, 4]"),
            "{text}"
        );
    }

    #[test]
    fn a_cpu_has_no_service_and_a_lease_without_end_is_refused() {
        let refused = Service::on(DeviceId::Cpu, Settings::default());
        let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("cpu") && text.contains("hint"), "{text}");
    }

    #[test]
    fn services_go_from_thread_to_thread() {
        fn shared<T: Send + Sync>() {}
        shared::<Service>();
    }
}
