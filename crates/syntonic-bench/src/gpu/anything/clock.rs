//! How long work takes on a GPU as a captured graph, and what a copy and the arithmetic of the same card take.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use syntonic_core::fuse::{Builder, Precision, Prim, Role, Yield};
use syntonic_core::ops::random::uniform;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Graph, Scalar, Tensor, run};
use syntonic_cuda::Cuda;

/// Runs of a graph, one behind the other.
const RUNS: usize = 20;
/// Replays that are timed; the quickest counts, since only what disturbs makes one slower.
const REPLAYS: usize = 5;
/// Elements of the operand that arithmetic is timed over: they stay in the second-level cache.
const ELEMENTS: usize = 4 << 20;
/// How often a primitive stands in the two programs whose times are compared.
const OFTEN: (usize, usize) = (4, 12);

/// Microseconds of one run of `work`, in a graph of twenty. What it makes is in memory when it returns.
pub(super) fn micros<T>(gpu: &Arc<Cuda>, work: impl Fn() -> Result<T>) -> Result<f64> {
    let device: Arc<dyn Device> = gpu.clone();
    // The first makes the kernels.
    for _ in 0..3 {
        work()?;
    }
    let one = Tensor::zeros_on(&[1], DType::F32, &device)?;
    let graph = Graph::capture(&[&one], |own| {
        for _ in 0..RUNS {
            work().map_err(|e| syntonic_core::Error::value("anything", format!("{e:#}")))?;
        }
        Ok(vec![own[0].clone()])
    })?;
    let stream = gpu.current_stream();
    graph.replay(&[&one])?;
    gpu.synchronize()?;
    let mut least = f64::INFINITY;
    for _ in 0..REPLAYS {
        let before = stream.record()?;
        graph.replay(&[&one])?;
        let after = stream.record()?;
        least = least.min(f64::from(after.elapsed_ms(&before)?) * 1e3 / RUNS as f64);
    }
    Ok(least)
}

/// Microseconds of copies without gaps, by the bytes that they read and write.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Copies(Vec<(u64, f64)>);

impl Copies {
    /// Of 1, 2, 4 .. 1024 MiB that are moved.
    pub(super) fn measured(gpu: &Arc<Cuda>) -> Result<Copies> {
        let device: Arc<dyn Device> = gpu.clone();
        let mut points = Vec::new();
        for doubling in 0..=10 {
            let moved = 1u64 << (20 + doubling);
            let from = Tensor::zeros_on(&[(moved / 8) as usize], DType::F32, &device)?;
            let time = micros(gpu, || Ok(from.copy()?))?;
            points.push((moved, time));
        }
        Ok(Copies(points))
    }

    /// Of so many bytes: between two points a straight line, beyond the last in proportion.
    pub(super) fn of(&self, bytes: u64) -> f64 {
        let mut before = (0, self.0.first().map_or(0.0, |first| first.1));
        for &(moved, time) in &self.0 {
            if bytes <= moved {
                let part = (bytes - before.0) as f64 / (moved - before.0) as f64;
                return before.1 + part * (time - before.1);
            }
            before = (moved, time);
        }
        before.1 * bytes as f64 / before.0.max(1) as f64
    }
}

/// Picoseconds of an element by primitive and type, with operands in registers.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Arithmetic {
    /// The card.
    pub gpu: String,
    /// By type and by primitive.
    picoseconds: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Arithmetic {
    /// Of every primitive that programs are drawn of.
    ///
    /// # Errors
    /// What the measured programs meet.
    pub fn measured(gpu: &Arc<Cuda>) -> Result<Arithmetic> {
        let mut picoseconds: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        let floats = [DType::F32, DType::F64];
        let integers = [DType::I32, DType::I64];
        for (dtypes, prims) in [(floats, FLOATS), (integers, INTEGERS)] {
            for dtype in dtypes {
                // Each term is shifted and added: what these two take is taken off the others.
                let plain = term(gpu, Prim::Neg, dtype)? / 3.0;
                let of = picoseconds.entry(dtype.name().into()).or_default();
                for &prim in prims {
                    let time = match prim {
                        Prim::Add | Prim::Sub | Prim::Neg => plain,
                        other => (term(gpu, other, dtype)? - 2.0 * plain).max(plain),
                    };
                    of.insert(prim.name().into(), time);
                }
            }
        }
        Ok(Arithmetic {
            gpu: gpu.context().name()?,
            picoseconds,
        })
    }

    /// Microseconds of so many elements of each primitive.
    pub(super) fn of(&self, steps: &BTreeMap<(String, DType), u64>) -> Result<f64> {
        let each = steps.iter();
        each.map(|((prim, dtype), n)| Ok(self.one(prim, *dtype)? * *n as f64 / 1e6))
            .sum()
    }

    /// Picoseconds of an element. Half types compute in `float32`, and complex numbers by parts.
    fn one(&self, prim: &str, dtype: DType) -> Result<f64> {
        let computed = if dtype.is_complex() {
            dtype.real()
        } else {
            dtype.compute()
        };
        let of = self.picoseconds.get(computed.name());
        let of = of.with_context(|| format!("the arithmetic of {computed} was not measured"))?;
        // A mask's operator is as cheap as any.
        let real = |prim: &str| of.get(prim).or(of.get("add")).copied().unwrap_or(0.0);
        Ok(match prim {
            _ if !dtype.is_complex() => real(prim),
            "multiply" => 4.0 * real("multiply") + 2.0 * real("add"),
            "exp" => real("exp") + real("sin") + real("cos") + 2.0 * real("multiply"),
            other => 2.0 * real(other),
        })
    }
}

const FLOATS: &[Prim] = &[
    Prim::Add,
    Prim::Sub,
    Prim::Neg,
    Prim::Mul,
    Prim::Div,
    Prim::Max,
    Prim::Min,
    Prim::Select,
    Prim::Abs,
    Prim::Square,
    Prim::Sqrt,
    Prim::Rsqrt,
    Prim::Exp,
    Prim::Log,
    Prim::Tanh,
    Prim::Sin,
    Prim::Cos,
    Prim::Erf,
    Prim::Gt,
];
const INTEGERS: &[Prim] = &[
    Prim::Add,
    Prim::Sub,
    Prim::Neg,
    Prim::Mul,
    Prim::Max,
    Prim::FloorDiv,
    Prim::Rem,
    Prim::BitAnd,
    Prim::Shr,
    Prim::Abs,
    Prim::Lt,
    Prim::Select,
];

/// Picoseconds of `prim(x + number)` that is added to a sum, for each element.
fn term(gpu: &Arc<Cuda>, prim: Prim, dtype: DType) -> Result<f64> {
    let device: Arc<dyn Device> = gpu.clone();
    let real = if dtype.is_integer() {
        DType::F32
    } else {
        dtype.real()
    };
    let (low, high) = if dtype.is_integer() {
        (1.0, 100.0)
    } else {
        (0.5, 1.5)
    };
    let x = uniform(
        &[ELEMENTS],
        low,
        high,
        real,
        &mut Generator::new(1),
        &device,
    )?;
    let x = x.cast(dtype)?.eval()?;
    let time = |times: usize| -> Result<f64> {
        let mut b = Builder::new();
        let own = b.input("x", Role::Element);
        let mut sum = own;
        for k in 0..times {
            let number = match dtype.is_integer() {
                true => Scalar::Int(k as i128 + 3),
                false => Scalar::Float(0.25 + k as f64 / 16.0),
            };
            let number = b.constant(number);
            let shifted = b.apply(Prim::Add, &[own, number]);
            let made = match prim.arity() {
                1 => b.apply(prim, &[shifted]),
                2 => b.apply(prim, &[shifted, own]),
                _ => {
                    let mask = b.apply(Prim::Ne, &[shifted, sum]);
                    b.apply(prim, &[mask, shifted, own])
                }
            };
            sum = match prim.row().yields {
                syntonic_core::fuse::Yields::Bool => b.apply(Prim::Select, &[made, sum, shifted]),
                _ => b.apply(Prim::Add, &[sum, made]),
            };
        }
        b.output(sum, Yield::Element);
        let program = b.finish("arithmetic", Precision::Stepwise);
        micros(gpu, || {
            Ok(run::map(&program, &[&x], &[], &[ELEMENTS], &device)?)
        })
    };
    let (few, many) = (time(OFTEN.0)?, time(OFTEN.1)?);
    Ok(((many - few).max(0.0) * 1e6) / ((OFTEN.1 - OFTEN.0) * ELEMENTS) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_table_has_every_primitive_that_takes_time() {
        let text = include_str!("../../../arithmetic/nvidia-h200.json");
        let table: Arithmetic = serde_json::from_str(text).unwrap();
        for (dtypes, prims) in [
            ([DType::F32, DType::F64], FLOATS),
            ([DType::I32, DType::I64], INTEGERS),
        ] {
            for (dtype, prim) in dtypes
                .into_iter()
                .flat_map(|d| prims.iter().map(move |&p| (d, p)))
            {
                let time = table.picoseconds[dtype.name()][prim.name()];
                assert!(time > 0.0 && time < 10.0, "{} {dtype}", prim.name());
            }
        }
        let steps = |prim: &str, dtype| BTreeMap::from([((prim.to_owned(), dtype), 1_000_000)]);
        let time = |prim, dtype| table.of(&steps(prim, dtype)).unwrap();
        assert_eq!(time("exp", DType::BF16), time("exp", DType::F32));
        assert_eq!(time("conj", DType::C64), 2.0 * time("add", DType::F32));
    }

    #[test]
    fn between_two_copies_a_third_is_guessed() {
        let copies = Copies(vec![(1 << 20, 2.0), (2 << 20, 3.0)]);
        assert_eq!(copies.of(3 << 19), 2.5);
        assert_eq!(copies.of(4 << 20), 6.0);
        assert_eq!(copies.of(0), 2.0);
    }
}
