//! Random plans, with inputs and bounds: what every way to run a plan is tried on, on every device.
//!
//! Every value stays within -1..1 and no operation enlarges an error of its operands, so a bound is the sum of what the operations
//! themselves round.

use super::formula::Types;
use super::walk::{Executor, walk};
use super::{Builder, Factor, Plan, Precision, Reduce, Stage, TensorCores, Work};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::notation::{Sym, maximum, minimum, sin, tanh};
use crate::random::Generator;
use crate::tensor::Tensor;

/// Extents of a run.
const EXTENTS: [usize; 4] = [0, 1, 33, 257];

struct Dice(Generator);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let mut bits = [0u64];
        self.0.bits_u64(&mut bits);
        (bits[0] % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The shapes of the values that a plan has.
const SHAPES: [&[&str]; 5] = [&["n", "m"], &["m"], &["n", "1"], &["n"], &["1"]];

/// Names that are there, each with its place in `SHAPES` and the number from which on it is there.
type Known = Vec<(String, usize, u32)>;

/// A formula of up to five operations over these values.
fn formula(seed: u64, values: &[Sym]) -> Sym {
    let mut dice = Dice(Generator::new(seed));
    let mut out = values[0];
    for &other in values.iter().chain(&values[..1]) {
        let both = [out, other];
        out = match dice.below(6) {
            0 => 0.5 * (both[0] + both[1]),
            1 => 0.5 * (both[0] - both[1]),
            2 => 0.5 * (both[0] * both[1]),
            3 => minimum(both[0], both[1]),
            4 => maximum(both[0], tanh(both[1])),
            _ => sin(0.5 * (both[0] + both[1])),
        };
    }
    out
}

/// Operands that broadcast to the shape, from those that are there before the number.
fn operands(dice: &mut Dice, known: &Known, number: u32, shape: usize) -> Vec<String> {
    let fits: &[usize] = match shape {
        0 => &[0, 0, 0, 1, 2],
        1 => &[1, 4],
        2 => &[2, 4],
        3 => &[3, 4],
        _ => &[4],
    };
    let here: Vec<&String> = known
        .iter()
        .filter(|(_, s, at)| fits.contains(s) && *at < number)
        .map(|(name, ..)| name)
        .collect();
    let mut names: Vec<String> = Vec::new();
    for _ in 0..1 + dice.below(3) {
        if let Some(name) = here.get(dice.below(here.len().max(1)))
            && !names.contains(name)
        {
            names.push((*name).clone());
        }
    }
    names
}

/// A stage with a formula over any number of operands up to three.
fn formed(
    name: &str,
    number: u32,
    shape: &[&str],
    reads: &[String],
    how: Option<Reduce>,
    seed: u64,
) -> Stage {
    let name = name.to_owned();
    let reads: Vec<&str> = reads.iter().map(|name| &**name).collect();
    macro_rules! stage {
        ($array:expr) => {
            match how {
                None => Stage::elements(name, number, shape, $array, |v| formula(seed, &v)),
                Some(how) => {
                    Stage::reduction(name, number, shape, $array, how, |v| formula(seed, &v))
                }
            }
        };
    }
    match *reads {
        [a] => stage!([a]),
        [a, b] => stage!([a, b]),
        [a, b, c, ..] => stage!([a, b, c]),
        [] => Stage::elements(name, number, shape, ["x"], |v| formula(seed, &v)),
    }
}

/// One more stage.
fn stage(dice: &mut Dice, known: &mut Known, number: u32, name: &str) -> Stage {
    let precision = dice.pick(&[
        Precision::Operands,
        Precision::Operands,
        Precision::Single,
        Precision::Double,
        Precision::Stepwise,
    ]);
    let seed = dice.below(1 << 20) as u64;
    let here = |known: &Known, shape: usize, dice: &mut Dice| {
        let names: Vec<String> = known
            .iter()
            .filter(|(_, s, at)| *s == shape && *at < number)
            .map(|(name, ..)| name.clone())
            .collect();
        names[dice.below(names.len())].clone()
    };
    let (made, shape) = match dice.below(8) {
        0 | 1 => {
            let how = dice.pick(&[Reduce::Mean, Reduce::Mean, Reduce::Max, Reduce::Min]);
            let mut reads = operands(dice, known, number, 0);
            let whole = here(known, 0, dice);
            if !reads.contains(&whole) {
                reads.insert(0, whole);
            }
            reads.truncate(3);
            let shape = dice.pick(&[2, 3]);
            (
                formed(name, number, SHAPES[shape], &reads, Some(how), seed),
                shape,
            )
        }
        2 => {
            let v = here(known, 3, dice);
            let cores = dice.pick(&[TensorCores::AsSet, TensorCores::Forbidden]);
            let factor = Factor::from(v);
            (
                Stage::product(name.to_owned(), number, &["m"], "w", factor).tensor_cores(cores),
                1,
            )
        }
        3 => {
            let r = here(known, 1, dice);
            let w = Factor::transposed("w");
            (
                Stage::product(name.to_owned(), number, &["n"], w, Factor::from(r)),
                3,
            )
        }
        4 => {
            // Every row of the matrix through a square one: [n, m] @ [m, m].
            let x = here(known, 0, dice);
            (
                Stage::product(
                    name.to_owned(),
                    number,
                    &["n", "m"],
                    Factor::from(x),
                    "square",
                ),
                0,
            )
        }
        other => {
            let shape = if other < 7 { 0 } else { dice.pick(&[1, 2, 3]) };
            let mut reads = operands(dice, known, number, shape);
            if reads.is_empty() {
                reads.push(here(known, shape, dice));
            }
            (
                formed(name, number, SHAPES[shape], &reads, None, seed),
                shape,
            )
        }
    };
    known.push((name.to_owned(), shape, number));
    made.precision(precision)
}

/// A plan of some stages, of which the last ones are outputs; sometimes with a loop.
fn plan(dice: &mut Dice) -> Result<Plan> {
    let inputs = [
        ("x", 0),
        ("z", 0),
        ("row", 1),
        ("column", 2),
        ("v", 3),
        ("one", 4),
    ];
    let mut known: Known = inputs
        .map(|(name, shape)| (name.to_owned(), shape, 0))
        .to_vec();
    let mut builder = Builder::new("Random")
        .input("w", &["m", "n"])
        .input("square", &["m", "m"]);
    for (name, shape) in inputs {
        builder = builder.input(name, SHAPES[shape]);
    }
    let mut number = 1;
    let count = 3 + dice.below(6);
    for k in 0..count {
        number += dice.below(2) as u32;
        let made = stage(dice, &mut known, number, &format!("s{k}"));
        builder = builder.stage(made);
    }
    if dice.below(2) == 0 {
        number += 1;
        let inner = stage(dice, &mut known, number, "inner");
        let last = formed(
            "last",
            number + 1,
            SHAPES[0],
            &["z".to_owned(), "x".to_owned()],
            None,
            7,
        );
        known.push(("last".to_owned(), 0, number + 1));
        number += 2;
        builder = builder.repeat(3, &[("z", "last")], [inner, last]);
        let after = stage(dice, &mut known, number, "after");
        builder = builder.stage(after).output("last");
    }
    for k in [0, count - 1, count / 2] {
        builder = builder.output(format!("s{k}"));
    }
    builder.finish()
}

/// What a value may be off by, and its type.
#[derive(Clone, Copy, Debug)]
struct Off {
    by: f64,
    dtype: DType,
}

/// Half a unit in the last place of 1.
fn rounding(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => f64::EPSILON / 2.0,
        DType::F32 => f64::from(f32::EPSILON) / 2.0,
        DType::BF16 => 1.0 / 256.0,
        _ => 1.0,
    }
}

/// Adds up what the operations of a plan round. `longest` is the length of the longest sum.
struct Bounds {
    longest: usize,
}

impl Executor for Bounds {
    type Value = Off;

    fn stage(&mut self, stage: &Stage, reads: &[Off]) -> Result<Off> {
        let types = Types::of(stage.precision, reads.iter().map(|r| r.dtype));
        let before = reads.iter().map(|r| r.by).fold(0.0, f64::max);
        // Operands are converted, and the value is rounded at the end.
        let ends = 2.0 * (rounding(types.value) + rounding(types.compute));
        let inside = match &stage.work {
            // A primitive is off by 4 units in the last place at most, which are 8 roundings.
            Work::Elements(f) | Work::Reduction(_, f) => 8.0 * (f.nodes.len() + 2) as f64,
            Work::Product(..) => self.longest as f64 + 1.0,
        };
        // Half types are summed in `float32`.
        let unit = match stage.work {
            Work::Product(..) => rounding(types.value.compute()),
            _ => rounding(types.compute),
        };
        let long = self.longest as f64 * f64::EPSILON;
        Ok(Off {
            by: before + ends + inside * unit + long,
            dtype: types.value,
        })
    }

    fn carry(&mut self, next: Off, start: &Off) -> Result<Off> {
        Ok(Off {
            by: next.by + rounding(start.dtype),
            dtype: start.dtype,
        })
    }

    fn ends(&mut self, _value: &Off) -> Result<bool> {
        Ok(false)
    }
}

/// A plan with what it is run over.
#[derive(Debug)]
pub struct Sample {
    /// The plan.
    pub plan: Plan,
    /// Inputs, on the CPU.
    pub inputs: Vec<Tensor>,
    /// How far each output may be from the reference, and its type.
    pub bounds: Vec<(f64, DType)>,
}

impl Sample {
    /// The sample of this number.
    ///
    /// # Errors
    /// Where the generator itself is wrong.
    pub fn of(seed: u64) -> Result<Sample> {
        let mut dice = Dice(Generator::new(seed));
        let plan = plan(&mut dice)?;
        let (n, m) = (dice.pick(&EXTENTS), dice.pick(&EXTENTS));
        let dtype = dice.pick(&[DType::F32, DType::F64, DType::BF16]);
        let odd = dice.pick(&[dtype, dtype, DType::F32]);
        let inputs = inputs(seed * 100, (n, m), dtype, odd)?;
        let exact = inputs.iter().map(|t| Off {
            by: 0.0,
            dtype: t.dtype(),
        });
        let longest = n.max(m).max(1);
        let bounds = walk(&plan, exact, &mut Bounds { longest })?;
        Ok(Sample {
            plan,
            inputs,
            bounds: bounds.iter().map(|off| (off.by, off.dtype)).collect(),
        })
    }
}

/// Inputs of a plan.
fn inputs(seed: u64, (n, m): (usize, usize), dtype: DType, odd: DType) -> Result<Vec<Tensor>> {
    let small = 1.0 / n.max(m).max(1) as f64;
    let each: [(&[usize], f64, DType); 8] = [
        (&[m, n], small, dtype),
        (&[m, m], small, dtype),
        (&[n, m], 1.0, dtype),
        (&[n, m], 1.0, odd),
        (&[m], 1.0, dtype),
        (&[n, 1], 1.0, odd),
        (&[n], 1.0, dtype),
        (&[1], 1.0, dtype),
    ];
    let each = each.into_iter().enumerate();
    each.map(|(k, (shape, scale, dtype))| uniform(seed + k as u64, shape, scale, dtype))
        .collect()
}

/// Numbers within -1..1, times `scale`.
fn uniform(seed: u64, shape: &[usize], scale: f64, dtype: DType) -> Result<Tensor> {
    let mut values = vec![0.0; shape.iter().product()];
    Generator::new(seed).uniform_f64(&mut values);
    let values: Vec<f64> = values.iter().map(|u| scale * (2.0 * u - 1.0)).collect();
    Tensor::from_vec(values, shape)?.cast(dtype)?.eval()
}
