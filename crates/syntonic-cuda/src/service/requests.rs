//! A service, and what a program asks of it.

use super::belief::{Beliefs, Energy, Steps, Updated};
use super::engine::{self, Launcher};
use super::error::{ServiceError, Status};
use super::lease::Report;
use super::leases;
use super::line::Line;
use super::models::{Linear, Model};
use super::{Operation, Result, Settings};
use crate::context::gpu::Cuda;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use syntonic_core::fork::Home;
use syntonic_core::{Device, DeviceId, graph, interrupt};

/// A service on one GPU. Several threads may ask it, one after the other; for requests at the same time start several.
#[derive(Debug)]
pub struct Service {
    line: Mutex<Line<Launcher>>,
    device: DeviceId,
    settings: Settings,
    blocks: u32,
    /// The process whose lease it is.
    home: Home,
}

impl Service {
    /// A service of a GPU. Nothing runs before the first request, whose lease is launched then.
    ///
    /// # Errors
    /// [`ServiceError::Refused`] where the GPU drives a display, whose watchdog ends kernels, or cannot read the host's memory; settings
    /// that make no sense; no memory; in a capture.
    ///
    /// ```
    /// use syntonic_cuda::service::{Service, ServiceError, Settings};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     match Service::start(&syntonic_cuda::open(0)?, Settings::default()) {
    ///         Ok(service) => assert_eq!(service.sum(&[1.0, 2.0, 4.0])?, 7.0),
    ///         // A GPU with a display.
    ///         Err(ServiceError::Refused { why, .. }) => println!("{why}"),
    ///         Err(other) => return Err(other),
    ///     }
    /// }
    /// # Ok::<(), ServiceError>(())
    /// ```
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
        gpu.context().leases.enter(line.leased.door());
        Ok(Service {
            line: Mutex::new(line),
            device,
            settings,
            blocks,
            home: Home::here(),
        })
    }

    /// As [`Service::start`], of a device by its name.
    ///
    /// # Errors
    /// As there, and where the device is no GPU.
    ///
    /// ```
    /// use syntonic_core::DeviceId;
    /// use syntonic_cuda::service::{Service, Settings};
    ///
    /// match Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     Ok(service) => assert_eq!(service.sum(&[0.5, 0.25])?, 0.75),
    ///     Err(refused) => println!("{refused}"), // there is no GPU here, or one with a display
    /// }
    /// assert!(Service::on(DeviceId::Cpu, Settings::default()).is_err());
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn on(device: DeviceId, settings: Settings) -> Result<Service> {
        Service::start(&engine::gpu_of(device)?, settings)
    }

    /// The GPU it runs on.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     assert_eq!(service.device(), DeviceId::Cuda(0));
    /// }
    /// ```
    pub fn device(&self) -> DeviceId {
        self.device
    }

    /// What it was started with.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     assert_eq!(service.settings(), Settings::default());
    /// }
    /// ```
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Thread blocks of a lease.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     assert!([1, 8].contains(&service.blocks()));
    /// }
    /// ```
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The line, once nobody else has it: at most for the deadline.
    fn line(&self, op: &'static str, patience: Duration) -> Result<MutexGuard<'_, Line<Launcher>>> {
        graph::check(op, self.device)?;
        self.home.check(op, "this service")?;
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
    ///
    /// ```
    /// # use syntonic_cuda::service::{Operation, Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let mut answers = [0.0; 3];
    ///     // 2 x + 1 of three numbers.
    ///     service.call(Operation::Affine, &[2.0, 1.0, 0.0, 1.0, 2.0], &mut answers)?;
    ///     assert_eq!(answers, [1.0, 3.0, 5.0]);
    ///     assert!(service.call(Operation::Sum, &[1.0], &mut answers).is_err());
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
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
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let (mut answer, began) = ([0.0; 2], std::time::Instant::now());
    ///     service.echo(&[1.5, -2.5], &mut answer)?;
    ///     println!("a round trip takes {:?}", began.elapsed());
    ///     assert_eq!(answer, [1.5, -2.5]);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn echo(&self, x: &[f64], answer: &mut [f64]) -> Result<()> {
        self.call(Operation::Echo, x, answer)
    }

    /// The sum of `x [n]`, in the order that [`Operation::Sum`] says.
    ///
    /// # Errors
    /// As [`Service::call`].
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let mut x = 40.0;
    ///     while x > 3.0 {
    ///         x = service.sum(&[x / 2.0, -1.0])?; // each answer decides what is asked next
    ///     }
    ///     assert_eq!(x, 0.625);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn sum(&self, x: &[f64]) -> Result<f64> {
        let mut sum = [0.0];
        self.call(Operation::Sum, x, &mut sum)?;
        Ok(sum[0])
    }

    /// `a x + b` of `x [n]`.
    ///
    /// # Errors
    /// As [`Service::call`], and where `answer` has another length.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let mut fahrenheit = [0.0; 3];
    ///     service.affine([1.8, 32.0], &[-40.0, 0.0, 100.0], &mut fahrenheit)?;
    ///     assert_eq!(fahrenheit, [-40.0, 32.0, 212.0]);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn affine(&self, [a, b]: [f64; 2], x: &[f64], answer: &mut [f64]) -> Result<()> {
        same_lengths("affine", "x and the answer", &[x.len(), answer.len()])?;
        self.ask(Operation::Affine, &[&[a, b], x], &mut [answer])
    }

    /// The free energy of diagonal Gaussians, as `syntonic_srt::infer::free_energy` without a Jacobian; sums have another order.
    ///
    /// # Errors
    /// As [`Service::call`], and where lengths do not fit.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Beliefs, Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     // A belief that is its prior and has seen what it predicted, with noise of variance 1: only the noise costs.
    ///     let energy = service.free_energy(Beliefs {
    ///         mean: [&[0.5], &[0.5]],
    ///         variance: [&[2.0], &[2.0]],
    ///         observation: [&[3.0], &[3.0]],
    ///         precision: &[1.0],
    ///     })?;
    ///     assert_eq!(energy.complexity, 0.0);
    ///     let noise = 0.5 * std::f64::consts::TAU.ln();
    ///     assert!((energy.free_energy - noise).abs() < 1e-15);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
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
    ///
    /// ```
    /// # use syntonic_cuda::service::{Linear, Service, Settings};
    /// # use syntonic_core::{DeviceId, Tensor};
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     let (jacobian, precision) = (Tensor::from([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]), Tensor::from([1.0; 3]));
    ///     let linear = Linear { jacobian: &jacobian, precision: &precision, reference: None, prior: None };
    ///     let model = service.register(linear)?;
    ///     assert_eq!(model.sizes(), [3, 2]);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn register(&self, linear: Linear<'_>) -> Result<Model> {
        let mut line = self.line("register", self.settings.longest_lease())?;
        line.leased.check("register")?;
        line.leased.pause("register")?;
        let most = self.settings.most_doubles;
        let launcher = line.leased.engine();
        let (gpu, cut) = (launcher.gpu().clone(), (launcher.blocks, launcher.shared()));
        Ok(launcher.models.add(&gpu, linear, cut, most)?)
    }

    /// Steps of `mean [n]` down the free energy of what is observed, `[m]`, under a registered model: `syntonic_srt::infer::belief_update`
    /// in `float64`, with its bits.
    ///
    /// # Errors
    /// As [`Service::call`]; where lengths do not fit the model, the rate is not positive and finite, the tolerance is negative or NaN, or the
    /// model is another service's.
    ///
    /// ```
    /// # use syntonic_cuda::service::{Linear, Service, Settings, Steps};
    /// # use syntonic_core::{DeviceId, Tensor};
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     // Two states are observed one by one, each with precision 1.
    ///     let (jacobian, precision) = (Tensor::from([[1.0, 0.0], [0.0, 1.0]]), Tensor::from([1.0, 1.0]));
    ///     let linear = Linear { jacobian: &jacobian, precision: &precision, reference: None, prior: None };
    ///     let model = service.register(linear)?;
    ///     let (mut mean, steps) = ([0.0, 0.0], Steps { rate: 0.5, most: 2, tolerance: 0.0 });
    ///     let updated = service.belief_update(&model, &mut mean, &[4.0, -8.0], steps)?;
    ///     // Each step goes half of the way.
    ///     assert_eq!((updated.steps, mean), (2, [3.0, -6.0]));
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
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
        if !line.leased.engine().models.has(model) {
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
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     assert_eq!(service.sum(&[1.0, 2.0])?, 3.0);
    ///     service.pause()?; // before something waits for the whole GPU
    ///     assert!(!service.report()?.live);
    ///     assert_eq!(service.sum(&[3.0, 4.0])?, 7.0);
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn pause(&self) -> Result<()> {
        self.line("pause", self.settings.longest_lease())?
            .leased
            .pause("pause")
    }

    /// How it has fared. Waits for a request of another thread, at most for the deadline.
    ///
    /// # Errors
    /// [`ServiceError::Busy`].
    ///
    /// ```
    /// # use syntonic_cuda::service::{Service, Settings};
    /// # use syntonic_core::DeviceId;
    /// if let Ok(service) = Service::on(DeviceId::Cuda(0), Settings::default()) {
    ///     service.sum(&[1.0, 2.0])?;
    ///     let report = service.report()?;
    ///     assert_eq!((report.leases, report.commands, report.poisoned), (1, 1, false));
    /// }
    /// # Ok::<(), syntonic_cuda::service::ServiceError>(())
    /// ```
    pub fn report(&self) -> Result<Report> {
        Ok(self.line("report", self.settings.deadline)?.report())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The lease is the parent's, and so is what it uses.
        if self.home.is_elsewhere() {
            return;
        }
        let line = self.line.get_mut();
        let line = line.unwrap_or_else(std::sync::PoisonError::into_inner);
        let gpu = line.leased.engine().gpu().clone();
        leases::end(&mut line.leased, &gpu, Launcher::give_back);
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
