//! Programs over each of many groups of tensors: the bits of a run of each alone, those of the CPU, and as few launches as promised.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, compare_each, finite, sample};
use anyhow::{Result, ensure};
use syntonic_core::run::total_each;
use syntonic_core::{DType, Tensor, cpu, fuse, profile};
use syntonic_srt::optim::{Adam, Leaf, Lion, Momentum, Optimizer, Sgd, clip_by_global_norm};

fuse! {
    SQUARES(x: element) -> (row_scalar) { sum(x * x) }
    PRODUCTS(x: element, y: element) -> (row_scalar) { sum(x * y) }
    LARGEST(x: element) -> (row_scalar) { max(abs(x)) }
    ALL_TRUE(x: element) -> (row_scalar) { all(x) }
}

const DTYPES: [DType; 4] = [DType::F32, DType::BF16, DType::F16, DType::F64];
/// Tensors that one parameter of any driver has no room for.
const MANY: usize = 700;

/// All checks of groups.
pub(crate) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for (name, optimizer) in optimizers() {
        for dtype in DTYPES {
            let label = format!("trees/{name}/{dtype}");
            all.push(Check::new(label, move |gpu| updates(gpu, optimizer, dtype)));
        }
    }
    for dtype in DTYPES {
        let name = format!("trees/clipped gradients/{dtype}");
        all.push(Check::new(name, move |gpu| clipped(gpu, dtype)));
        let name = format!("trees/totals/{dtype}");
        all.push(Check::new(name, move |gpu| totals(gpu, dtype)));
    }
    all.push(Check::new("trees/many tensors", many));
    all.push(Check::new("trees/one launch", one_launch));
    all
}

fn optimizers() -> [(&'static str, Optimizer); 4] {
    let nesterov = Sgd {
        momentum: Momentum::Nesterov(0.9),
        weight_decay: 0.1,
    };
    [
        ("sgd", Sgd::default().into()),
        ("nesterov", nesterov.into()),
        ("adamw", Adam::decoupled().into()),
        ("lion", Lion::default().into()),
    ]
}

/// Tensors of many lengths, as they may lie: whole, of one element, of none, turned, with gaps, at odd addresses.
fn tensors(dtype: DType, seed: u64) -> Result<Vec<Tensor>> {
    let shapes: [&[usize]; 7] = [&[3, 5], &[], &[1], &[0, 4], &[64, 33], &[9000], &[2, 4096]];
    let mut all = Vec::new();
    for (k, shape) in shapes.iter().enumerate() {
        all.push(finite(dtype, shape, seed + k as u64)?);
    }
    all.push(finite(dtype, &[40, 24], seed + 20)?.t()?);
    let long = finite(dtype, &[2002], seed + 21)?;
    all.push(long.slice(0, None, None, 2)?);
    all.push(long.slice(0, Some(1), Some(1500), 1)?);
    Ok(all)
}

/// Everything of a tree.
struct Tree {
    parameters: Vec<Tensor>,
    masters: Option<Vec<Tensor>>,
    gradients: Vec<Tensor>,
    moments: Vec<Vec<Tensor>>,
}

impl Tree {
    fn new(optimizer: &Optimizer, dtype: DType, with_copies: bool) -> Result<Tree> {
        let parameters = tensors(dtype, 1)?;
        let gradients = tensors(dtype, 100)?;
        let held = dtype.compute();
        let of = |seed: u64| -> Result<Vec<Tensor>> {
            // Second moments are not negative.
            let all = tensors(held, seed)?.into_iter();
            all.map(|t| Ok(t.abs()?.eval()?)).collect()
        };
        let columns: Vec<Vec<Tensor>> = (0..optimizer.count())
            .map(|k| of(200 + 100 * k as u64))
            .collect::<Result<_>>()?;
        let moments = (0..parameters.len()).map(|k| columns.iter().map(|c| c[k].clone()).collect());
        Ok(Tree {
            moments: moments.collect(),
            masters: with_copies.then(|| tensors(held, 1)).transpose()?,
            parameters,
            gradients,
        })
    }

    fn on(&self, gpu: &Gpu) -> Result<Tree> {
        let moved = |all: &Vec<Tensor>| -> Result<Vec<Tensor>> {
            all.iter().map(|t| laid(gpu, t)).collect()
        };
        Ok(Tree {
            parameters: moved(&self.parameters)?,
            masters: self.masters.as_ref().map(moved).transpose()?,
            gradients: moved(&self.gradients)?,
            moments: self.moments.iter().map(moved).collect::<Result<_>>()?,
        })
    }

    fn leaves(&self) -> Vec<Leaf<'_>> {
        let all = self
            .parameters
            .iter()
            .zip(&self.gradients)
            .zip(&self.moments);
        all.enumerate()
            .map(|(k, ((parameter, gradient), moments))| Leaf {
                parameter,
                master: self.masters.as_ref().map(|all| &all[k]),
                gradient,
                moments,
            })
            .collect()
    }
}

/// The tensor on the GPU, walked as it is on the CPU.
fn laid(gpu: &Gpu, t: &Tensor) -> Result<Tensor> {
    match t.is_contiguous() {
        true => gpu.take(t),
        // A view of what has gaps: twice as many elements, of which it takes every other.
        false => {
            let twice = gpu.take(&Tensor::zeros(&[t.numel() * 2], t.dtype())?)?;
            let mut view = twice
                .slice(0, None, None, 2)?
                .reshape(&t.shape().iter().map(|&n| n as isize).collect::<Vec<_>>())?;
            view.assign(&gpu.take(t)?)?;
            Ok(view)
        }
    }
}

fn updates(gpu: &Gpu, optimizer: Optimizer, dtype: DType) -> Result<()> {
    for with_copies in [false, true] {
        let here = Tree::new(&optimizer, dtype, with_copies)?;
        let there = here.on(gpu)?;
        let made = optimizer.update_each(3, 0.01, &there.leaves(), None)?;
        let expected = optimizer.update_each(3, 0.01, &here.leaves(), None)?;
        for ((made, expected), leaf) in made.iter().zip(&expected).zip(there.leaves()) {
            let alone = optimizer.update_each(3, 0.01, &[leaf], None)?.remove(0);
            let all = |u: &syntonic_srt::optim::Updated| {
                let own = [u.parameter.clone()].into_iter().chain(u.master.clone());
                own.chain(u.moments.clone()).collect::<Vec<Tensor>>()
            };
            for ((got, alone), want) in all(made).iter().zip(all(&alone)).zip(all(expected)) {
                compare(got, &alone.to(&cpu())?, Exactness::Same)?;
                compare(got, &want, Exactness::Same)?;
            }
        }
    }
    Ok(())
}

/// With the gradients scaled to a common length, beside gradients that are scaled first.
fn clipped(gpu: &Gpu, dtype: DType) -> Result<()> {
    let sgd = Optimizer::from(Sgd::default());
    let here = Tree::new(&sgd, dtype, true)?;
    let there = here.on(gpu)?;
    let (most, rate) = (0.5, 0.25);
    let (own, length) = clip_by_global_norm(&there.gradients, most)?;
    let (_, expected) = clip_by_global_norm(&here.gradients, most)?;
    // Up to 64 squares are added in their type, pairwise; all else in double precision, and rounded once each.
    let unit = if dtype == DType::F64 {
        2f64.powi(-53)
    } else {
        2f64.powi(-24)
    };
    let want = expected.to_scalar::<f64>()?;
    compare_each(&length, &expected, &[32.0 * unit * want])?;
    ensure!(want > 2.0 * most, "the gradients are {want} long");
    let made = sgd.update_each(1, rate, &there.leaves(), Some(most))?;
    let masters = there.masters.iter().flatten();
    for (((made, scaled), master), gradient) in
        made.iter().zip(&own).zip(masters).zip(&there.gradients)
    {
        let got = made
            .master
            .clone()
            .unwrap_or_else(|| made.parameter.clone());
        let wide = |t: &Tensor| -> Result<Vec<f64>> { Ok(t.to(&cpu())?.to_vec::<f64>()?) };
        let (before, slope) = (wide(master)?, wide(gradient)?);
        let factor = (most / (want + 1e-6)).min(1.0);
        let exact: Vec<f64> = before
            .iter()
            .zip(&slope)
            .map(|(p, g)| p - rate * g * factor)
            .collect();
        let bounds: Vec<f64> = before
            .iter()
            .zip(&slope)
            .map(|(p, g)| 40.0 * unit * (p.abs() + (rate * g * factor).abs()))
            .collect();
        let exact = Tensor::from_slice(&exact, master.shape())?;
        compare_each(&got.cast(DType::F64)?, &exact, &bounds)?;
        ensure!(scaled.dtype() == dtype, "{}", scaled.dtype());
    }
    Ok(())
}

fn totals(gpu: &Gpu, dtype: DType) -> Result<()> {
    let here = tensors(dtype, 7)?;
    let there: Vec<Tensor> = here.iter().map(|t| laid(gpu, t)).collect::<Result<_>>()?;
    let wide = dtype.compute();
    let groups =
        |all: &[Tensor]| -> Vec<Vec<Tensor>> { all.iter().map(|t| vec![t.clone()]).collect() };
    let (near, far) = (groups(&here), groups(&there));
    fn referred(all: &[Vec<Tensor>]) -> Vec<Vec<&Tensor>> {
        all.iter().map(|group| group.iter().collect()).collect()
    }
    let (near, far) = (referred(&near), referred(&far));
    let unit = if dtype == DType::F64 {
        2f64.powi(-53)
    } else {
        2f64.powi(-24)
    };
    let exact: Vec<f64> = here
        .iter()
        .map(|t| Ok(t.to_vec::<f64>()?.iter().map(|x| x * x).sum()))
        .collect::<Result<_>>()?;
    // Each square is rounded, at most 64 of them are added pairwise, and the result is rounded.
    let bounds: Vec<f64> = exact.iter().map(|x| 9.0 * unit * x + 1e-12 * x).collect();
    let exact = Tensor::from_slice(&exact, &[here.len()])?;
    let squares = total_each(&SQUARES, &far, &[], wide, &gpu.device)?;
    compare_each(&squares.cast(DType::F64)?, &exact, &bounds)?;
    let both: Vec<Vec<&Tensor>> = far.iter().map(|group| vec![group[0], group[0]]).collect();
    let products = total_each(&PRODUCTS, &both, &[], wide, &gpu.device)?;
    compare(&products, &squares.to(&cpu())?, Exactness::Same)?;
    // An empty group has no largest element.
    let some = |all: &[Vec<&Tensor>]| -> Vec<Vec<Tensor>> {
        let full = all.iter().filter(|group| group[0].numel() > 0);
        full.map(|group| group.iter().map(|&t| t.clone()).collect())
            .collect()
    };
    let (near_full, far_full) = (some(&near), some(&far));
    let largest = total_each(&LARGEST, &referred(&far_full), &[], wide, &gpu.device)?;
    let expected = total_each(&LARGEST, &referred(&near_full), &[], wide, &cpu())?;
    compare(&largest, &expected, Exactness::Same)?;
    let truth = total_each(&ALL_TRUE, &far, &[], DType::Bool, &gpu.device)?;
    let expected = total_each(&ALL_TRUE, &near, &[], DType::Bool, &cpu())?;
    compare(&truth, &expected, Exactness::Same)
}

/// More tensors than a table has room for.
fn many(gpu: &Gpu) -> Result<()> {
    let sgd = Optimizer::from(Sgd::default());
    let here: Vec<Tensor> = (0..MANY)
        .map(|k| sample(DType::F32, &[1 + k % 5 * 700], k as u64))
        .collect::<Result<_>>()?;
    let there: Vec<Tensor> = here.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
    let leaves = |all: &'_ [Tensor]| -> Vec<(Tensor, Tensor)> {
        all.iter().map(|t| (t.clone(), t.clone())).collect()
    };
    let update = |all: Vec<(Tensor, Tensor)>| {
        let leaves: Vec<Leaf<'_>> = all
            .iter()
            .map(|(parameter, gradient)| Leaf {
                parameter,
                master: None,
                gradient,
                moments: &[],
            })
            .collect();
        sgd.update_each(1, 0.3, &leaves, None)
    };
    let (made, expected) = (update(leaves(&there))?, update(leaves(&here))?);
    for (got, want) in made.iter().zip(&expected) {
        compare(&got.parameter, &want.parameter, Exactness::Same)?;
    }
    Ok(())
}

/// AdamW over the tensors of one type is one launch, and the length of all gradients is two.
fn one_launch(gpu: &Gpu) -> Result<()> {
    let adam = Optimizer::from(Adam::decoupled());
    let shapes: [&[usize]; 4] = [&[768, 48], &[768], &[48], &[3072, 8]];
    let make = |dtype: DType, seed: u64| -> Result<Vec<Tensor>> {
        let all = (0..148).map(|k| gpu.take(&finite(dtype, shapes[k % 4], seed + k as u64)?));
        all.collect()
    };
    let (parameters, gradients) = (make(DType::BF16, 0)?, make(DType::BF16, 1000)?);
    let means = make(DType::F32, 2000)?;
    let kept: Vec<Vec<Tensor>> = means.iter().map(|m| vec![m.clone(), m.clone()]).collect();
    let all = parameters.iter().zip(&gradients).zip(&kept);
    let leaves: Vec<Leaf<'_>> = all
        .map(|((parameter, gradient), moments)| Leaf {
            parameter,
            master: None,
            gradient,
            moments,
        })
        .collect();
    for (max_norm, want) in [(None, 1), (Some(1.0), 3)] {
        let recording = profile::start();
        adam.update_each(1, 1e-3, &leaves, max_norm)?;
        let profile = recording.finish()?;
        let launches: usize = profile.lines.iter().map(|line| line.kernels.len()).sum();
        ensure!(launches == want, "{launches} launches instead of {want}");
    }
    Ok(())
}
