//! Advice on a GPU: every choice of a workload runs and agrees (`advice/`), and what is picked is still about the best when all are
//! measured again (`advisor/`).

use super::Check;
use super::service::{drawn, typed};
use crate::gpu::Gpu;
use anyhow::{Result, bail, ensure};
use std::sync::Arc;
use std::time::Duration;
use syntonic_core::advisor::{
    Advisor, Origin, Runner, Workload, apart, numbers_apart, pipeline, precision_of, product,
};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Graph, Tensor, cpu, stages};
use syntonic_cuda::service::{Beliefs, Linear, Service, Settings, Steps};
use syntonic_srt::advice::{
    Belief, Energy, Evidence, Observed, belief_update, free_energy, promised_error,
    transfer_entropy,
};
use syntonic_srt::infer::{Model, Prior};
use syntonic_srt::transfer_entropy::{Estimator, Histories};

/// What is picked takes at most this many times as long as the best of a fresh measurement.
const NEAR: f64 = 1.10;
/// Fresh measurements, of which the middle one counts: a host that others use has its moments.
const FRESH: usize = 3;

/// What is asked of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// That its choices run and agree: small, and with leases that hold where a kernel runs within its launch.
    Works,
    /// That its pick is about the best.
    IsQuick,
}

pub(super) fn checks() -> Vec<Check> {
    type Look = fn(&Gpu, Asked) -> Result<()>;
    let workloads: [(&str, Look); 6] = [
        ("free_energy", energies),
        ("belief_update", updates),
        ("transfer_entropy", entropies),
        ("pipeline", pipelines),
        ("product", products),
        ("closures", closures),
    ];
    let named = |(name, look): (&str, Look)| {
        [
            Check::new(format!("advice/{name}"), move |gpu| look(gpu, Asked::Works)),
            Check::new(format!("advisor/{name}"), move |gpu| {
                look(gpu, Asked::IsQuick)
            }),
        ]
    };
    workloads.into_iter().flat_map(named).collect() // few: twelve.
}

impl Asked {
    fn size(self, small: usize, usual: usize) -> usize {
        match self {
            Asked::Works => small,
            Asked::IsQuick => usual,
        }
    }

    fn lease(self) -> Settings {
        match self {
            // A request is posted before its lease is launched, so its answer is there when the launch is over.
            Asked::Works => Settings {
                idle: Duration::from_micros(1),
                deadline: Duration::from_secs(20),
                ..Settings::default()
            },
            Asked::IsQuick => Settings::default(),
        }
    }
}

/// Asks it of a workload, which `make` makes as often as it is needed.
fn look<'a, I: ?Sized, O>(
    asked: Asked,
    make: impl Fn() -> syntonic_core::Result<Workload<'a, I, O>>,
    sample: &I,
    right: impl Fn(&O) -> Result<()>,
) -> Result<Advisor> {
    if asked == Asked::Works {
        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        let mut chosen = advisor.choose(make()?, sample)?;
        right(&chosen.run(sample)?)?;
        let out = &chosen.advice.left_out;
        ensure!(out.is_empty(), "{}", chosen.advice);
        let again = advisor.choose(make()?, sample)?.advice;
        ensure!(again.origin == Origin::Memory, "{again}");
        return Ok(advisor);
    }
    let advisor = Advisor::in_memory();
    let mut chosen = advisor.choose(make()?, sample)?;
    right(&chosen.run(sample)?)?;
    let picked = chosen.advice.picked.clone();
    drop(chosen);
    let mut ratios = Vec::new(); // few: `FRESH`.
    let mut tables = String::new();
    for _ in 0..FRESH {
        let fresh = Advisor::in_memory().choose(make()?, sample)?.advice;
        let best = fresh
            .measured
            .iter()
            .map(|m| m.seconds)
            .fold(f64::INFINITY, f64::min);
        let Some(seconds) = fresh.seconds(&picked) else {
            bail!("{picked} is gone: {fresh}");
        };
        ratios.push(seconds / best);
        tables += &fresh.to_string();
    }
    print!("{tables}");
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[FRESH / 2];
    ensure!(
        ratio <= NEAR,
        "{picked} takes {ratio:.2} times as long as the best:\n{tables}"
    );
    Ok(advisor)
}

fn vector(x: &[f64], device: &Arc<dyn Device>) -> Result<Tensor> {
    Ok(Tensor::from_slice(x, &[x.len()])?.to(device)?)
}

/// Positive numbers.
fn positive(k: usize, n: usize) -> Vec<f64> {
    drawn(k, n).iter().map(|x| x + 1.0).collect() // few: a request.
}

fn energies(gpu: &Gpu, asked: Asked) -> Result<()> {
    let (n, m) = (asked.size(70, 900), asked.size(33, 100));
    let sample = Evidence {
        mean: [drawn(1, n), drawn(2, n)],
        variance: [positive(3, n), positive(4, n)],
        observation: [drawn(5, m), drawn(6, m)],
        precision: positive(7, m),
    };
    let cuda = typed(gpu)?;
    let make = || {
        let (cuda, settings) = (cuda.clone(), asked.lease());
        let workload = free_energy(&sample, &gpu.device)?;
        Ok(workload.choice("service", promised_error(n, m), move |_| {
            let service = Arc::new(Service::start(&cuda, settings)?);
            let resting = service.clone();
            Ok(Runner::new(move |e: &Evidence| energy(&service, e))
                .resting(move || Ok(resting.pause()?)))
        }))
    };
    let here = Advisor::in_memory().with_budget(Duration::ZERO);
    let want = here
        .choose(free_energy(&sample, &cpu())?, &sample)?
        .run(&sample)?;
    look(asked, make, &sample, |got| {
        let size = want.complexity.abs() + want.accuracy.abs();
        let apart = (got.free_energy - want.free_energy).abs() / size;
        // Terms of one kind have one sign but for logarithms, which are of the same size.
        ensure!(apart <= 8.0 * promised_error(n, m), "{got:?} {want:?}");
        Ok(())
    })?;
    Ok(())
}

fn energy(service: &Service, e: &Evidence) -> syntonic_core::Result<Energy> {
    let made = service.free_energy(Beliefs {
        mean: [&e.mean[0], &e.mean[1]],
        variance: [&e.variance[0], &e.variance[1]],
        observation: [&e.observation[0], &e.observation[1]],
        precision: &e.precision,
    })?;
    Ok(Energy {
        free_energy: made.free_energy,
        complexity: made.complexity,
        accuracy: made.accuracy,
    })
}

fn updates(gpu: &Gpu, asked: Asked) -> Result<()> {
    let (n, m, steps) = (asked.size(40, 64), asked.size(20, 32), asked.size(3, 10));
    let cuda = typed(gpu)?;
    let on = |device: &Arc<dyn Device>| -> Result<[Tensor; 4]> {
        let jacobian = Tensor::from_slice(&drawn(1, m * n), &[m, n])?.to(device)?;
        let [precision, mean, weight] = [positive(2, m), drawn(3, n), positive(4, n)];
        Ok([
            jacobian,
            vector(&precision, device)?,
            vector(&mean, device)?,
            vector(&weight, device)?,
        ])
    };
    fn belief([jacobian, precision, mean, weight]: &[Tensor; 4], steps: usize) -> Belief<'_> {
        Belief {
            model: Model {
                jacobian,
                reference: None,
                prior: Some(Prior {
                    mean,
                    precision: weight,
                }),
            },
            precision,
            rate: 1e-3,
            steps,
            tolerance: 0.0,
        }
    }
    let (there, own) = (on(&gpu.device)?, on(&cpu())?);
    let sample = Observed {
        mean: drawn(5, n),
        observation: drawn(6, m),
    };
    let make = || {
        let (cuda, settings, own) = (cuda.clone(), asked.lease(), own.clone());
        let workload = belief_update(belief(&there, steps))?;
        Ok(workload.choice("service", 0.0, move |_| {
            let service = Arc::new(Service::start(&cuda, settings)?);
            let [jacobian, precision, mean, weight] = &own;
            let model = service.register(Linear {
                jacobian,
                precision,
                reference: None,
                prior: Some([mean, weight]),
            })?;
            let resting = service.clone();
            let steps = Steps {
                rate: 1e-3,
                most: steps as u32,
                tolerance: 0.0,
            };
            let run = move |asked: &Observed| {
                let mut mean = asked.mean.clone();
                service.belief_update(&model, &mut mean, &asked.observation, steps)?;
                Ok(mean)
            };
            Ok(Runner::new(run).resting(move || Ok(resting.pause()?)))
        }))
    };
    let here = Advisor::in_memory().with_budget(Duration::ZERO);
    let want = here
        .choose(belief_update(belief(&own, steps))?, &sample)?
        .run(&sample)?;
    look(asked, make, &sample, |got| {
        ensure!(*got == want, "the bits of a CPU");
        Ok(())
    })?;
    Ok(())
}

fn entropies(gpu: &Gpu, asked: Asked) -> Result<()> {
    let n = asked.size(80, 1000);
    // Numbers without a pattern: of equal distances, each device may find another one the nearer.
    let mut generator = Generator::new(11);
    let mut random = || -> Result<Tensor> {
        let x = Tensor::randn(&[n], DType::F64, &mut generator)?;
        Ok(x.to(&gpu.device)?)
    };
    let series = [random()?, random()?];
    let listed: Vec<&Tensor> = series.iter().collect(); // few: two.
    let make = || transfer_entropy(&listed, Histories::default(), &Estimator::default());
    look(asked, make, &series[..], |got| {
        let (x, y) = (series[0].to(&cpu())?, series[1].to(&cpu())?);
        let (histories, estimator) = (Histories::default(), Estimator::default());
        let want =
            syntonic_srt::transfer_entropy::transfer_entropy(&x, &y, None, histories, &estimator)?;
        // Counts are the same, and their digammas are added in another order.
        let bound = n as f64 * f64::EPSILON * 10.0;
        ensure!((got[0] - want.values[0]).abs() <= bound, "{got:?}");
        Ok(())
    })?;
    Ok(())
}

stages! {
    struct Softmax(x: [n, m]) -> (p) {
        #[stage(1, reduction = max)] top: [n, 1] = |x| x;
        #[stage(2)] e: [n, m] = |x, top| exp(x - top);
        #[stage(3, reduction = sum)] total: [n, 1] = |e| e;
        #[stage(4)] p: [n, m] = |e, total| e / total;
    }
}

fn pipelines(gpu: &Gpu, asked: Asked) -> Result<()> {
    let (rows, columns) = (asked.size(8, 512), asked.size(96, 1024));
    let x = Tensor::from_slice(&drawn(1, rows * columns), &[rows, columns])?.to(&gpu.device)?;
    let x = x.cast(DType::F32)?.eval()?;
    // A rounding for each term of one sign, and a few more.
    let promised = (columns + 8) as f64 * f64::from(f32::EPSILON) / 2.0;
    let make = || pipeline(Softmax::plan(), &[&x], promised);
    look(asked, make, &[x.clone()][..], |got| {
        let want =
            Softmax::plan().run(&[&x.to(&cpu())?], syntonic_core::pipeline::Mode::Reference)?;
        let got = got[0].to(&cpu())?.cast(DType::F64)?;
        let far = apart(&[got], &want)?;
        ensure!(far <= 2.0 * promised, "{far:e}");
        Ok(())
    })?;
    Ok(())
}

fn products(gpu: &Gpu, asked: Asked) -> Result<()> {
    let n = asked.size(64, 1024);
    let tolerance = 1e-2;
    let x = Tensor::from_slice(&drawn(1, n * n), &[n, n])?.to(&gpu.device)?;
    let x = x.cast(DType::F32)?.eval()?;
    let pair = [x.clone(), x.clone()];
    let make = || product(&x, &x, tolerance);
    let advisor = look(asked, make, &pair, |got| {
        let wide = x.to(&cpu())?.cast(DType::F64)?;
        let want = wide.matmul(&wide)?;
        let size = wide
            .abs()?
            .matmul(&wide.abs()?)?
            .norm(.., 2.0)?
            .to_scalar::<f64>()?;
        let away = got.to(&cpu())?.cast(DType::F64)?.try_sub(&want)?;
        let far = away.norm(.., 2.0)?.to_scalar::<f64>()? / size;
        ensure!(far <= tolerance, "{far:e}");
        Ok(())
    })?;
    let advice = advisor.choose(make()?, &pair)?.advice;
    ensure!(precision_of(&advice, tolerance).is_some(), "{advice}");
    Ok(())
}

/// What a user might write: a short chain and its sum, in one go, in steps, and as a graph.
fn closures(gpu: &Gpu, asked: Asked) -> Result<()> {
    let n = asked.size(500, 100_000);
    let x = vector(&positive(1, n), &gpu.device)?;
    fn chain(x: &Tensor) -> syntonic_core::Result<Tensor> {
        x.sin()?.try_mul(x)?.try_add(1.0)?.sum(..)
    }
    // Sums of terms of one sign, by orders of their own.
    let promised = (n + 8) as f64 * f64::EPSILON / 2.0;
    let make = || {
        let distance = |a: &f64, b: &f64| Ok(numbers_apart(&[*a], &[*b]));
        let workload = Workload::new("sum of x sin x + 1", &gpu.device, distance);
        Ok(workload
            .operands(&[&x])
            .choice("in one go", promised, |_: &Tensor| {
                Ok(Runner::new(|x: &Tensor| chain(x)?.to_scalar()))
            })
            .choice("in steps", promised, |_: &Tensor| {
                Ok(Runner::new(|x: &Tensor| {
                    let s = x.sin()?.eval()?.try_mul(x)?.eval()?;
                    s.try_add(1.0)?.eval()?.sum(..)?.to_scalar()
                }))
            })
            .choice("captured", promised, |x: &Tensor| {
                let graph = Graph::capture(&[x], |own| {
                    Ok(vec![chain(own[0])?]) // few: one.
                })?;
                Ok(Runner::new(move |x: &Tensor| {
                    graph.replay(&[x])?[0].to_scalar()
                }))
            }))
    };
    look(asked, make, &x, |got| {
        let want = chain(&x.to(&cpu())?)?.to_scalar::<f64>()?;
        let far = numbers_apart(&[*got], &[want]);
        ensure!(far <= 2.0 * promised, "{got} {want}");
        Ok(())
    })?;
    Ok(())
}
