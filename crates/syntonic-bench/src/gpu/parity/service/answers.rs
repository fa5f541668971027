//! Answers, and what is refused.

use super::{drawn, echo_one, start};
use crate::gpu::{Exactness, Gpu, bounds, compare};
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::{DType, Tensor};
use syntonic_cuda::service::{
    Beliefs, Linear, Model, Operation, Service, ServiceError, Settings, Status, Steps,
};
use syntonic_srt::infer::{self, Evidence, History, Prior, Stepping};

/// The same, positive.
pub(super) fn positive(k: usize, n: usize) -> Vec<f64> {
    drawn(k, n).iter().map(|x| x + 1.0).collect() // few: a request.
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect() // few: a request.
}

/// Lengths of no vector, parts of one, of the shared memory and beyond it.
pub(super) fn echoes(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for n in [0, 1, 2, 3, 511, 900, 4095, 4096, 4097, 8191, 8192] {
        let mut x = drawn(n, n);
        if let Some(first) = x.first_mut() {
            *first = f64::from_bits(0x7ff8_0000_dead_beef);
        }
        let mut answer = vec![0.0; n];
        service.echo(&x, &mut answer)?;
        ensure!(bits(&answer) == bits(&x), "{n} doubles");
    }
    let one_too_many = service.echo(&vec![0.0; 8193], &mut vec![0.0; 8193]);
    ensure!(
        matches!(one_too_many, Err(ServiceError::TooLarge { .. })),
        "{one_too_many:?}"
    );
    ensure!(service.report()?.commands == 11, "{:?}", service.report());
    Ok(())
}

/// The sum in the order of the kernel: 512 sums, each warp's and then the warps' in halves.
fn ordered(x: &[f64]) -> f64 {
    fn halved(sums: &mut [f64]) -> f64 {
        let mut half = sums.len() / 2;
        while half > 0 {
            for k in 0..half {
                sums[k] += sums[k + half];
            }
            half /= 2;
        }
        sums[0]
    }
    let mut sums = [0.0; 512];
    for (k, x) in x.iter().enumerate() {
        sums[k % 512] += x;
    }
    let mut warps = [0.0; 16];
    for (warp, lanes) in warps.iter_mut().zip(sums.chunks_mut(32)) {
        *warp = halved(lanes);
    }
    halved(&mut warps)
}

pub(super) fn sums(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for n in [0, 1, 33, 513, 900, 5000] {
        let x = drawn(n + 1, n);
        let (got, want) = (service.sum(&x)?, ordered(&x));
        ensure!(got.to_bits() == want.to_bits(), "sum of {n}: {got} {want}");
        let mut answer = vec![0.0; n];
        service.affine([1.1, -0.3], &x, &mut answer)?;
        let want: Vec<f64> = x.iter().map(|x| 1.1 * x + -0.3).collect(); // few: a request.
        ensure!(bits(&answer) == bits(&want), "affine of {n}");
    }
    Ok(())
}

fn vector(x: &[f64]) -> Result<Tensor> {
    Ok(Tensor::from_slice(x, &[x.len()])?)
}

pub(super) fn energies(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    for [n, m] in [
        [1, 1],
        [0, 5],
        [5, 0],
        [31, 33],
        [900, 0],
        [900, 100],
        [1500, 600],
    ] {
        let means = [drawn(0, n), drawn(1, n)];
        let variances = [positive(2, n), positive(3, n)];
        let seen = [drawn(4, m), drawn(5, m)];
        let precision = positive(6, m);
        let got = service.free_energy(Beliefs {
            mean: [&means[0], &means[1]],
            variance: [&variances[0], &variances[1]],
            observation: [&seen[0], &seen[1]],
            precision: &precision,
        })?;
        let evidence = Evidence {
            observation: &vector(&seen[0])?,
            prediction: &vector(&seen[1])?,
            precision: &vector(&precision)?,
            jacobian: None,
        };
        let [mean_q, mean_p] = [vector(&means[0])?, vector(&means[1])?];
        let [var_q, var_p] = [vector(&variances[0])?, vector(&variances[1])?];
        let want = infer::free_energy(&mean_q, &mean_p, &var_q, &var_p, evidence)?;
        // As `infer/free_energy`: n and m terms below 8, in another order.
        let close = Exactness::Within {
            relative: 64.0 * bounds::rounding(DType::F64),
            scale: 8.0 * (n + m) as f64,
        };
        let same = |got: f64, want: &Tensor| -> Result<()> {
            compare(&Tensor::from_slice(&[got], &[])?, want, close)
                .with_context(|| format!("{n} states, {m} observations"))
        };
        same(got.complexity, &want.complexity)?;
        same(got.accuracy, &want.accuracy)?;
        same(got.free_energy, &want.free_energy)?;
        ensure!(got.free_energy.to_bits() == (got.complexity - got.accuracy).to_bits());
    }
    Ok(())
}

/// A model with everything, and what the CPU needs of it.
pub(super) struct Whole {
    jacobian: Tensor,
    precision: Tensor,
    reference: Tensor,
    prior: [Tensor; 2],
}

impl Whole {
    pub(super) fn new([m, n]: [usize; 2]) -> Result<Whole> {
        Ok(Whole {
            jacobian: Tensor::from_slice(&drawn(3, m * n), &[m, n])?,
            precision: vector(&positive(2, m))?,
            reference: vector(&drawn(6, m))?,
            prior: [vector(&drawn(4, n))?, vector(&positive(5, n))?],
        })
    }

    pub(super) fn linear(&self, all: bool) -> Linear<'_> {
        Linear {
            jacobian: &self.jacobian,
            precision: &self.precision,
            reference: all.then_some(&self.reference),
            prior: all.then_some([&self.prior[0], &self.prior[1]]),
        }
    }

    /// Compares a service's steps with the CPU's, to the bit.
    fn same(&self, service: &Service, model: &Model, all: bool, steps: Steps) -> Result<u64> {
        let [m, n] = model.sizes();
        let (start, seen) = (drawn(7, n), drawn(8, m));
        let mut mean = start.clone();
        let got = service.belief_update(model, &mut mean, &seen, steps)?;
        let prior = Prior {
            mean: &self.prior[0],
            precision: &self.prior[1],
        };
        let linear = infer::Model {
            jacobian: &self.jacobian,
            reference: all.then_some(&self.reference),
            prior: all.then_some(prior),
        };
        let stepping = Stepping {
            rate: steps.rate,
            steps: steps.most as usize,
            tolerance: steps.tolerance,
            history: History::Last,
        };
        let (start, seen) = (vector(&start)?, vector(&seen)?);
        let want = infer::belief_update(&start, &seen, &self.precision, linear, stepping)?;
        let case = || format!("{m} x {n}, {steps:?}, prior {all}");
        compare(&vector(&mean)?, &want.mean, Exactness::Same).with_context(case)?;
        let numbers = [got.change, got.free_energy];
        let wanted = [&want.change, &want.free_energy];
        for (got, want) in numbers.into_iter().zip(wanted) {
            compare(&Tensor::from_slice(&[got], &[])?, want, Exactness::Same).with_context(case)?;
        }
        let counted = [got.steps as i64, got.ending as i64];
        let wanted = [
            want.steps.to_vec::<i64>()?[0],
            want.ending.to_vec::<i64>()?[0],
        ];
        ensure!(counted == wanted, "{counted:?} {wanted:?}: {}", case());
        Ok(got.ending)
    }
}

pub(super) fn updates(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    // The shared memory of one block, on older GPUs, holds small models only.
    let sizes: &[[usize; 2]] = match service.blocks() {
        1 => &[[1, 1], [3, 5], [7, 40], [33, 9]],
        _ => &[[1, 1], [3, 5], [40, 70], [600, 33], [100, 900]],
    };
    let mut models = Vec::new(); // few: two of each size.
    for size in sizes {
        for all in [false, true] {
            let whole = Whole::new(*size)?;
            let model = service.register(whole.linear(all))?;
            models.push((whole, model, all));
        }
    }
    let mut endings = [0; 3];
    for (whole, model, all) in models.iter().chain(&models) {
        let [m, n] = model.sizes();
        let rate = 4.0 / (m * n).max(16) as f64;
        let cases = [
            (rate, 0, 0.0),
            (rate, 3, 0.0),
            (rate, 40, 1e-3),
            (1e30, 90, 0.0),
        ];
        for (rate, most, tolerance) in cases {
            let steps = Steps {
                rate,
                most,
                tolerance,
            };
            endings[whole.same(&service, model, *all, steps)? as usize] += 1;
        }
    }
    ensure!(endings.iter().all(|count| *count > 0), "{endings:?}");
    let large = Tensor::zeros(&[4000, 4000], DType::F64)?;
    let precision = Tensor::zeros(&[4000], DType::F64)?;
    let refused = service.register(Linear {
        jacobian: &large,
        precision: &precision,
        reference: None,
        prior: None,
    });
    let text = refused
        .err()
        .context("a large model was taken")?
        .to_string();
    ensure!(
        text.contains("shared memory") && text.contains("hint"),
        "{text}"
    );
    let other = start(gpu, Settings::default())?;
    let steps = Steps {
        rate: 0.1,
        most: 1,
        tolerance: 0.0,
    };
    let foreign = other.belief_update(&models[0].1, &mut [0.0], &[0.0], steps);
    let status = Status::NoModel;
    ensure!(
        matches!(foreign, Err(ServiceError::Rejected { status: s, .. }) if s == status),
        "{foreign:?}"
    );
    Ok(())
}

fn rejected(result: Result<(), ServiceError>, wanted: Status) -> Result<()> {
    match result {
        Err(ServiceError::Rejected { status, .. }) if status == wanted => Ok(()),
        other => bail!("{other:?} where {wanted:?} was expected"),
    }
}

pub(super) fn refusals(gpu: &Gpu, settings: Settings) -> Result<()> {
    let service = start(gpu, settings)?;
    let call = |operation, x: &[f64], n: usize| service.call(operation, x, &mut vec![0.0; n]);
    for opcode in [0, 6, 77, 255] {
        rejected(
            call(Operation::Opcode(opcode), &[1.0], 1),
            Status::UnknownOpcode,
        )?;
    }
    let whole = |k: u64| f64::from_bits(k);
    for [n, m] in [[1, 1], [u64::MAX, 1], [0, 3], [1 << 62, 0]] {
        let x = [whole(n), whole(m), 1.0];
        rejected(call(Operation::FreeEnergy, &x, 3), Status::Misfit)?;
    }
    rejected(call(Operation::FreeEnergy, &[1.0], 3), Status::Misfit)?;
    rejected(call(Operation::Opcode(3), &[1.0], 0), Status::Misfit)?;
    let x = [whole(0), whole(1), 0.1, 0.0, 0.0, 0.0];
    rejected(call(Operation::BeliefUpdate, &x, 5), Status::NoModel)?;
    let model = Whole::new([3, 5])?;
    service.register(model.linear(true))?;
    for steps in [1, 1 << 24, u64::MAX] {
        let x = [whole(0), whole(steps), 0.1, 0.0, 0.0];
        rejected(call(Operation::BeliefUpdate, &x, 9), Status::Misfit)?;
    }
    ensure!(service.call(Operation::Echo, &[1.0], &mut []).is_err());
    echo_one(&service, 5.0)?;
    let report = service.report()?;
    // One before the model and one behind it, if they last.
    let last = settings.idle >= Settings::default().idle;
    ensure!(!last || report.leases == 2, "{report:?}");
    Ok(())
}
