//! Operators of states on the lattice, and correction factors by the element: the CPU's integers and bits.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::Result;
use std::sync::Arc;
use syntonic_core::ops::random;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Tensor, cpu};
use syntonic_srt::exact::{Golden, GoldenTensor};
use syntonic_srt::golden::{self, Sign};
use syntonic_srt::resonant::lattice::{Crystallized, Flux, ResonantError, States};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("states/operators", operators),
        Check::new("states/modes_of_each_element", own_modes),
        Check::new("states/forms", forms),
        Check::new("states/corrections", corrections),
    ]
}

/// Normal states on the CPU and the same on the GPU.
fn drawn(gpu: &Gpu, seed: u64, shape: &[usize]) -> Result<[Crystallized; 2]> {
    let mut generator = Generator::new(seed);
    let x = random::normal(shape, 0.0, 3.0, DType::F64, &mut generator, &cpu())?.eval()?;
    let here = Crystallized::from_floats(&x, None, 100)?;
    let there = here.to(&gpu.device)?;
    Ok([here, there])
}

fn same(one: &Crystallized, other: &Crystallized) -> Result<()> {
    compare(other.points().a(), one.points().a(), Exactness::Same)?;
    compare(other.points().b(), one.points().b(), Exactness::Same)?;
    modes(one, other)?;
    compare(&other.syntony()?, &one.syntony()?, Exactness::Same)
}

fn modes<S: States>(one: &S, other: &S) -> Result<()> {
    compare(other.mode_norms(), one.mode_norms(), Exactness::Same)
}

/// A result of each operator of states of both kinds.
fn operated<S: States>(x: &S, y: &S) -> Result<Vec<S>, ResonantError> {
    let rows = S::concat(&[x, y], 0)?;
    Ok(vec![
        x.plus(y)?,
        x.minus(y)?,
        x.negated()?,
        x.permute(&[1, 0])?,
        x.placed(|t| t.slice(1, Some(3), None, 2))?,
        x.placed(|t| t.select(0, 1))?,
        x.reshape(&[-1])?,
        S::stack(&[x, y], 1)?,
        S::concat(&[x, y], -1)?,
        rows.matmul_of(&x.permute(&[1, 0])?)?,
    ]) // few: ten.
}

fn operators(gpu: &Gpu) -> Result<()> {
    let [x, there_x] = drawn(gpu, 1, &[5, 257])?;
    let [y, there_y] = drawn(gpu, 2, &[5, 257])?;
    for (one, other) in operated(&x, &y)?
        .iter()
        .zip(operated(&there_x, &there_y)?.iter())
    {
        same(one, other)?;
    }
    let cube = GoldenTensor::from_points(&[Golden::PHI.power(3)?], &[])?;
    same(&x.times(&cube)?, &there_x.times(&cube.to(&gpu.device)?)?)?;
    let (x, y) = (x.wake()?, y.wake()?);
    let (there_x, there_y) = (there_x.wake()?, there_y.wake()?);
    let pairs = operated(&x, &y)?;
    for (one, other) in pairs
        .iter()
        .zip(operated(&there_x, &there_y)?.iter())
        .take(9)
    {
        compare(other.values(), one.values(), Exactness::Same)?;
        modes(one, other)?;
    }
    Ok(())
}

/// Each state by modes of its own.
fn own_modes(gpu: &Gpu) -> Result<()> {
    let [x, there] = drawn(gpu, 3, &[3 * 300])?;
    let (x, there) = (x.reshape(&[3, 300])?, there.reshape(&[3, 300])?);
    same(&x, &there)?;
    let (one, other) = (x.cycle(None, 1)?, there.cycle(None, 1)?);
    compare(&other.powers, &one.powers, Exactness::Same)?;
    same(&one.state, &other.state)?;
    same(
        &one.state.prune(248.0, true)?,
        &other.state.prune(248.0, true)?,
    )
}

fn forms(gpu: &Gpu) -> Result<()> {
    let [x, there] = drawn(gpu, 4, &[7, 129])?;
    let moved = |x: &Crystallized| x.wake()?.times(&factor(x.points().device())?);
    let (one, other): (Flux, Flux) = (moved(&x)?, moved(&there)?);
    for weighted in [true, false] {
        let (want, got) = (
            one.snap_gradient(&x, weighted)?,
            other.snap_gradient(&there, weighted)?,
        );
        compare(&got, &want, Exactness::Same)?;
    }
    // Parts of 1: an exponential of 4 ulp on either side, and a sum of 129 positive terms.
    let (want, got) = (one.syntonic_softmax()?, other.syntonic_softmax()?);
    compare(
        got.values(),
        want.values(),
        Exactness::UlpsOfOne(2.0 * (129.0 + 8.0)),
    )
}

fn factor(device: &Arc<dyn Device>) -> Result<Tensor, ResonantError> {
    Ok(Tensor::from_slice(&[1.5], &[])?.to(device)?)
}

fn corrections(gpu: &Gpu) -> Result<()> {
    let mut generator = Generator::new(5);
    let n =
        random::uniform(&[300, 7], -300.0, 300.0, DType::F64, &mut generator, &cpu())?.eval()?;
    let few = n.slice(1, Some(0), Some(1), 1)?.contiguous()?;
    let (there, there_few) = (n.to(&gpu.device)?, few.to(&gpu.device)?);
    let all = |n: &Tensor, few: &Tensor| -> syntonic_core::Result<[Tensor; 5]> {
        Ok([
            golden::deficits(n)?,
            golden::factors(n, Sign::Plus)?,
            golden::factors(n, Sign::Minus)?,
            golden::ratios(n, few)?,
            golden::compounds(n, few)?,
        ])
    };
    for (one, other) in all(&n, &few)?.iter().zip(all(&there, &there_few)?.iter()) {
        compare(other, one, Exactness::Same)?;
    }
    let wrong = Tensor::from([1.0, 0.0]);
    let refused = |n: &Tensor| golden::deficits(n).map_err(|e| e.to_string()).err();
    let both = [refused(&wrong), refused(&wrong.to(&gpu.device)?)];
    anyhow::ensure!(both[0].is_some() && both[0] == both[1], "{both:?}");
    Ok(())
}
