//! A search on a device, one generation at a time.

use super::functions::{Form, Function};
use super::kernels::{CANDIDATES, PIECE, SCORES, SEGMENT, SUMS, run};
use super::rules::{Rule, exponential};
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::gather::scatter;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Error, Result, Scalar, Tensor, describe, room, same_device};

/// A minimisation whose state is on the device of its start, in `float32` or `float64` candidates.
///
/// A seed gives one trajectory, whatever the device and however the candidates of a generation are cut into chunks. Memory is a few
/// vectors of n numbers, and the scores. One generation is [`DeviceSearch::step`], which scores a built-in function without storing a
/// candidate, or [`DeviceSearch::candidates`], a call of yours that values them, and [`DeviceSearch::tell`].
#[derive(Clone, Debug)]
pub struct DeviceSearch {
    /// `float64`, as the deviations: sums are as exact as those over the population.
    pub(super) mean: Tensor,
    pub(super) deviation: Tensor,
    pub(super) population: usize,
    rule: Rule,
    dtype: DType,
    seed: u64,
    generation: u64,
    /// Weights of ranks, best first.
    utilities: Tensor,
}

/// What a generation came to.
#[derive(Clone, Debug)]
pub struct Generation {
    /// The value of each candidate, `float64`.
    pub scores: Tensor,
    /// Which generation it was, from 0.
    pub number: u64,
}

pub(super) fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    apply(Prim::Mul, &[Arg::Tensor(x), Arg::Tensor(y)])
}

pub(super) fn sum(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    apply(Prim::Add, &[Arg::Tensor(x), Arg::Tensor(y)])
}

pub(super) fn scaled(x: &Tensor, by: f64) -> Result<Tensor> {
    apply(Prim::Mul, &[Arg::Tensor(x), Arg::from(by)])
}

/// The sum over the first axis, from its first to its last element.
fn in_order(x: &Tensor) -> Result<Tensor> {
    let part = |k: usize| {
        let k = k as isize;
        let shape: Vec<isize> = x.shape()[1..].iter().map(|&n| n as isize).collect(); // few: axes.
        x.slice(0, Some(k), Some(k + 1), 1)?.reshape(&shape)
    };
    let mut total = part(0)?;
    for k in 1..x.shape()[0] {
        total = sum(&total, &part(k)?)?;
    }
    total.eval()
}

impl DeviceSearch {
    /// A search from `start`, a vector of n real numbers, with the step size `sigma` in each coordinate and `population` candidates a
    /// generation.
    ///
    /// Errors: other types than `float32` and `float64`, no vector or an empty one, a step size that is not positive and finite, a population
    /// that the rule has no use for, and one of more than 2^32 blocks of noise.
    pub fn new(
        start: &Tensor,
        sigma: f64,
        population: usize,
        rule: Rule,
        seed: u64,
    ) -> Result<DeviceSearch> {
        const OP: &str = "evolve";
        let dtype = start.dtype();
        if !matches!(dtype, DType::F32 | DType::F64) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&[start]),
                hint: "a search is in float32 or float64".into(),
            });
        }
        if start.ndim() != 1 || start.numel() == 0 {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[start]),
                hint: "the start is a vector of at least one number".into(),
            });
        }
        if !(sigma > 0.0 && sigma.is_finite()) {
            let text = format!("a step size of {sigma}: it must be positive and finite");
            return Err(Error::value(OP, text));
        }
        rule.check(population)?;
        let n = start.numel();
        if (n as u64).div_ceil(2).saturating_mul(population as u64 + 2) > u64::from(u32::MAX) {
            let text =
                format!("{population} candidates of {n} numbers: 2^32 pairs of numbers at most");
            return Err(Error::value(OP, text));
        }
        let mean = start.cast(DType::F64)?.copy()?;
        let utilities = Tensor::from_vec(rule.utilities(population)?, &[population])?;
        Ok(DeviceSearch {
            deviation: Tensor::full_on(&[n], sigma, DType::F64, start.device())?.eval()?,
            mean,
            population,
            rule,
            dtype,
            seed,
            generation: 0,
            utilities: utilities.to(start.device())?,
        })
    }

    /// The mean, in the type of the start.
    pub fn mean(&self) -> Result<Tensor> {
        self.mean.cast(self.dtype)?.eval()
    }

    /// The deviation of each coordinate, in the type of the start.
    pub fn deviation(&self) -> Result<Tensor> {
        self.deviation.cast(self.dtype)?.eval()
    }

    /// Where the search lives.
    pub fn device(&self) -> &Arc<dyn Device> {
        self.mean.device()
    }

    /// The number of the next generation, from 0.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Candidates of a generation.
    pub fn population(&self) -> usize {
        self.population
    }

    /// Scores a generation by a built-in function and learns from it. On an error nothing has changed.
    pub fn step(&mut self, function: Function) -> Result<Generation> {
        let scores = self.scores(function)?;
        self.tell(&scores)
    }

    /// The candidates `from..to` of the next generation, `[to - from, n]`. Where draws are mirrored, both are even numbers. Errors where they
    /// are not, or beyond the population.
    pub fn candidates(&self, from: usize, to: usize) -> Result<Tensor> {
        let each = self.each();
        if from > to
            || to > self.population
            || !from.is_multiple_of(each)
            || !to.is_multiple_of(each)
        {
            let text = format!(
                "candidates {from}..{to} of {}: within them, and even where draws are mirrored",
                self.population
            );
            return Err(Error::value("candidates", text));
        }
        let n = self.mean.numel();
        let inputs = [&self.mean()?, &self.deviation()?];
        let outputs = [(&[to - from, n][..], self.dtype)];
        let params = self.numbers(from / each, (to - from) / each);
        // SAFETY: two vectors of the search's type, and so many candidates of it.
        let mut out = unsafe { run(&CANDIDATES, &inputs, &outputs, params)? };
        Ok(out.remove(0))
    }

    /// The values of the next generation's candidates, `float64` `[population]`.
    pub fn scores(&self, function: Function) -> Result<Tensor> {
        let n = self.mean.numel();
        let pieces = n.div_ceil(PIECE);
        // A function without weights reads none: a vector of n on its way to the device would take longer than the scores.
        let weighted = if function.form() == Form::Weighted {
            n
        } else {
            1
        };
        let weights = room::collected((0..weighted).map(|j| function.weight(j, n)))?;
        let weights = Tensor::from_vec(weights, &[weighted])?.to(self.mean.device())?;
        let inputs = [&self.mean()?, &self.deviation()?, &weights];
        let outputs = [(&[self.population, pieces, 2][..], DType::F64)];
        let mut params = self.numbers(0, self.population / self.each());
        params.push(Scalar::Int(function.form() as i128));
        // SAFETY: vectors of n numbers, weights where they are read, and two sums for each candidate and piece.
        let mut parts = unsafe { run(&SCORES, &inputs, &outputs, params)? };
        let totals = in_order(&parts.remove(0).permute(&[1, 0, 2])?)?;
        let column = |k: isize| totals.slice(1, Some(k), Some(k + 1), 1)?.reshape(&[-1]);
        let length = n as f64;
        let added = |x: &Tensor, y: f64| apply(Prim::Add, &[Arg::Tensor(x), Arg::from(y)]);
        let scores = match function {
            Function::Rastrigin => added(&column(0)?, 10.0 * length)?,
            Function::Ackley => {
                let root = apply(
                    Prim::Sqrt,
                    &[Arg::Tensor(&scaled(&column(0)?, 1.0 / length)?)],
                )?;
                let one = scaled(&exponential(&scaled(&root, -0.2)?)?, -20.0)?;
                let other = exponential(&scaled(&column(1)?, 1.0 / length)?)?;
                let both = apply(Prim::Sub, &[Arg::Tensor(&one), Arg::Tensor(&other)])?;
                added(&both, 20.0 + std::f64::consts::E)?
            }
            _ => column(0)?,
        };
        scores.eval()
    }

    /// Learns from the values of the generation's candidates, `[population]` real numbers on the search's device; NaN is the worst. On an error
    /// nothing has changed.
    pub fn tell(&mut self, scores: &Tensor) -> Result<Generation> {
        const OP: &str = "tell";
        same_device(OP, &[&self.mean, scores])?;
        let real = !scores.dtype().is_complex() && !scores.dtype().is_stored();
        if scores.shape() != [self.population] || !real {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[scores]),
                hint: format!("one real value for each of {} candidates", self.population),
            });
        }
        let scores = scores.cast(DType::F64)?.eval()?;
        let best_first = order::argsort(&scores, -1, Direction::Ascending)?;
        let mut weights = Tensor::full_on(&[self.population], 0.0, DType::F64, self.mean.device())?;
        scatter(&mut weights, 0, &best_first, &self.utilities)?;
        let weights = weights.eval()?;
        let n = self.mean.numel();
        let draws = self.population / self.each();
        let shape = [draws.div_ceil(SEGMENT), n];
        let outputs = [(&shape[..], DType::F64), (&shape[..], DType::F64)];
        let like = self.mean()?;
        // SAFETY: a vector of the search's type, a weight for each candidate, and two sums for each segment and coordinate.
        let parts = unsafe { run(&SUMS, &[&like, &weights], &outputs, self.numbers(0, draws))? };
        let (first, second) = (in_order(&parts[0])?, in_order(&parts[1])?);
        let (mean, deviation) = self.rule.learn(self, &first, &second)?;
        let (mean, deviation) = (mean.eval()?, deviation.eval()?);
        let number = self.generation;
        (self.mean, self.deviation) = (mean, deviation);
        self.generation += 1;
        Ok(Generation { scores, number })
    }

    fn each(&self) -> usize {
        1 + usize::from(self.rule.is_mirrored())
    }

    /// The numbers of a launch.
    fn numbers(&self, first: usize, draws: usize) -> Vec<Scalar> {
        let seed = Generator::new(self.seed).fork(self.generation).seed;
        let mirrored = i128::from(self.rule.is_mirrored());
        [seed as i128, mirrored, first as i128, draws as i128]
            .map(Scalar::Int)
            .to_vec() // few: four.
    }
}
