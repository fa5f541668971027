//! The cases on this side: how each row is computed through the Rust interface, and what must come out.

mod elementwise;
mod evolve;
mod formulas;
mod memory;
mod nn;
mod order;
mod products;
mod random;
mod reduce;

use anyhow::{Context, Result};
use syntonic_core::num_complex::Complex;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Tensor};

use crate::clock::{Effort, measure};
use crate::list::Row;
use crate::oracle::{Oracle, rounding};
use crate::outcome::Outcome;

/// The timed call; what it returns may be pending and is evaluated inside the clock.
pub type Work = Box<dyn Fn(&[Tensor]) -> Result<Tensor>>;

/// A row made ready.
pub struct Prepared {
    /// One set of inputs, row-major.
    pub inputs: Vec<Tensor>,
    /// The timed call over a set of inputs.
    pub work: Work,
    /// What must come out.
    pub oracle: Oracle,
    /// The unit in which its tolerance is counted.
    pub rounding: f64,
}

impl Prepared {
    fn new(
        inputs: Vec<Tensor>,
        work: impl Fn(&[Tensor]) -> Result<Tensor> + 'static,
        oracle: Oracle,
    ) -> Prepared {
        let rounding = inputs
            .iter()
            .map(|t| rounding(t.dtype()))
            .fold(0.0, f64::max);
        Prepared {
            inputs,
            work: Box::new(work),
            oracle,
            rounding,
        }
    }
}

/// The runner of a case by name; `None` where there is none.
fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    elementwise::maker(case)
        .or_else(|| reduce::maker(case))
        .or_else(|| memory::maker(case))
        .or_else(|| products::maker(case))
        .or_else(|| nn::maker(case))
        .or_else(|| formulas::maker(case))
        .or_else(|| order::maker(case))
        .or_else(|| random::maker(case))
        .or_else(|| evolve::maker(case))
}

/// Makes the inputs and the expected result of a row.
pub fn prepare(row: &Row) -> Result<Prepared> {
    maker(&row.case).with_context(|| format!("no runner for {}", row.case))?(row)
}

/// Measures a row; what goes wrong becomes part of the result.
pub fn run(row: &Row, cache_bytes: u64, effort: Effort) -> Outcome {
    let mut evaluations = None;
    let times = prepare(row).and_then(|prepared| {
        let times = measure(row, &prepared, cache_bytes, effort)?;
        if row.limit.evaluations.is_some() {
            let counts = (prepared.work)(&prepared.inputs)?.to_vec::<f64>()?;
            evaluations = counts.into_iter().reduce(f64::max);
        }
        Ok(times)
    });
    let mut outcome = Outcome::of_rust(row, times);
    outcome.evaluations = evaluations;
    outcome
}

/// The element type of a row.
fn dtype(row: &Row) -> Result<DType> {
    DType::from_name(&row.dtype).with_context(|| format!("{} is no element type", row.dtype))
}

/// Standard normal numbers.
fn normal_values(count: usize, stream: u64) -> Vec<f64> {
    let mut values = vec![0.0; count];
    Generator::new(stream).normal_f64(&mut values);
    values
}

/// Numbers between 0.5 and 1.5: sums of them do not cancel, so a missing part shows.
fn positive_values(count: usize, stream: u64) -> Vec<f64> {
    let mut values = vec![0.0; count];
    Generator::new(stream).uniform_f64(&mut values);
    values.iter_mut().for_each(|v| *v += 0.5);
    values
}

/// Values rounded to a type; pairs of them where it is complex.
fn tensor(values: Vec<f64>, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let made = if dtype.is_complex() {
        let pairs = values.chunks_exact(2).map(|p| Complex::new(p[0], p[1]));
        Tensor::from_vec(pairs.collect::<Vec<_>>(), shape)?
    } else {
        Tensor::from_vec(values, shape)?
    };
    Ok(made.cast(dtype)?.eval()?)
}

/// A standard normal tensor.
fn normal(shape: &[usize], dtype: DType, stream: u64) -> Result<Tensor> {
    let parts = if dtype.is_complex() { 2 } else { 1 };
    let count = shape.iter().product::<usize>() * parts;
    tensor(normal_values(count, stream), shape, dtype)
}

/// A tensor of numbers between 0.5 and 1.5.
fn positive(shape: &[usize], dtype: DType, stream: u64) -> Result<Tensor> {
    tensor(
        positive_values(shape.iter().product(), stream),
        shape,
        dtype,
    )
}

/// Roundings of a sum of n terms: blocks of at most 128 in order, joined as a tree, or all in order if that is less.
fn depth(n: usize) -> f64 {
    (128.0 + (n.max(2) as f64).log2()).min(n as f64)
}

/// A sum in which what each addition loses is added at the end.
fn compensated(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for v in values {
        let next = sum + v;
        lost += if sum.abs() >= v.abs() {
            (sum - next) + v
        } else {
            (v - next) + sum
        };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{RUST, rows};

    #[test]
    fn every_row_of_this_side_has_a_runner() {
        for row in rows().unwrap() {
            if row.impls.iter().any(|i| i == RUST) {
                assert!(maker(&row.case).is_some(), "{}", row.key());
            }
        }
    }

    /// Rows at a size that takes no time; what is tied to its size stays as it is.
    fn small(mut row: Row) -> Row {
        let length = |n: usize| if n > 64 { 48 } else { n };
        let keep = ["reshape", "slice", "res_generations"];
        if row.suite != "latency" && !keep.contains(&row.case.as_str()) {
            row.size = row.size.into_iter().map(length).collect();
        }
        row
    }

    #[test]
    fn every_runner_gives_what_its_oracle_says() {
        for row in rows().unwrap() {
            if !row.impls.iter().any(|i| i == RUST) {
                continue;
            }
            let row = small(row);
            let prepared = prepare(&row).unwrap();
            let result = (prepared.work)(&prepared.inputs).unwrap().eval().unwrap();
            let judged = prepared.oracle.whole(&result, prepared.rounding);
            assert!(judged.is_ok(), "{}: {}", row.key(), judged.unwrap_err());
        }
    }

    #[test]
    fn the_compensated_sum_keeps_what_additions_lose() {
        let values = [1e16, 1.0, -1e16, 1.0];
        assert_eq!(compensated(values.into_iter()), 2.0);
    }
}
