//! Kernels of maps, which are made of pieces: a program in one kernel computes the bits that its steps compute one by one, in any layout;
//! and what is written around pieces computes those of the CPU.

use super::Check;
use super::maps::Choices;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Context, Result};
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield, lower};
use syntonic_core::{DType, Scalar, Tensor, cpu, run};

/// Elements: several blocks and a part of one.
const COUNT: usize = 3 * 4096 + 77;
/// Types of random programs: those of one are mixed.
const MIXTURES: [&[DType]; 11] = [
    &[DType::F32],
    &[DType::F64],
    &[DType::BF16],
    &[DType::F16],
    &[DType::F32, DType::BF16],
    &[DType::I32],
    &[DType::I64, DType::F64],
    &[DType::Bool, DType::F32, DType::I16, DType::U8],
    &[DType::C64],
    &[DType::C128, DType::F64],
    &[DType::C128, DType::C64, DType::BF16],
];
/// How many of each mixture.
const EACH: u64 = 8;

/// All checks of made kernels.
pub(crate) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let name = format!("made/divided by one number/{dtype}");
        all.push(Check::new(name, move |gpu| divided(gpu, dtype)));
    }
    for dtype in [DType::I32, DType::I64, DType::I16] {
        let name = format!("made/quotients by a number/{dtype}");
        all.push(Check::new(name, move |gpu| whole_quotients(gpu, dtype)));
    }
    const LAID: [DType; 7] = [
        DType::F32,
        DType::BF16,
        DType::F64,
        DType::I32,
        DType::Bool,
        DType::C64,
        DType::C128,
    ];
    for dtype in LAID {
        for lies in 0..LIES {
            let name = format!("made/layout {lies}/{dtype}");
            all.push(Check::new(name, move |gpu| layout(gpu, dtype, lies)));
        }
    }
    for seed in 0..EACH * MIXTURES.len() as u64 {
        let name = format!("made/random program {seed}");
        all.push(Check::new(name, move |gpu| random(gpu, seed)));
        let name = format!("made/random program in any layout {seed}");
        all.push(Check::new(name, move |gpu| walked(gpu, seed)));
    }
    all
}

/// A program with its operands.
pub(super) struct Case {
    pub(super) program: Program,
    pub(super) operands: Vec<Tensor>,
    pub(super) shape: Vec<usize>,
}

impl Case {
    fn run(&self) -> Result<Vec<Tensor>> {
        let operands: Vec<&Tensor> = self.operands.iter().collect();
        computed(&self.program, &operands, &self.shape)
    }

    /// Compares the bits with those of the CPU.
    pub(super) fn compare(&self) -> Result<()> {
        let operands = self.operands.iter().map(|x| x.to(&cpu()));
        let operands: Vec<Tensor> = operands.collect::<syntonic_core::Result<_>>()?;
        let operands: Vec<&Tensor> = operands.iter().collect();
        let want = computed(&self.program, &operands, &self.shape)?;
        same(&want, &self.run()?)
    }
}

fn computed(program: &Program, operands: &[&Tensor], shape: &[usize]) -> Result<Vec<Tensor>> {
    let device = operands[0].device();
    Ok(run::map(program, operands, &[], shape, device)?)
}

/// Elements of equal bits; every NaN is one, since a sum of two takes that of either operand.
fn same(want: &[Tensor], got: &[Tensor]) -> Result<()> {
    for (k, (want, got)) in want.iter().zip(got).enumerate() {
        compare(got, &want.to(&cpu())?, Exactness::Same).with_context(|| format!("result {k}"))?;
    }
    Ok(())
}

fn operand(gpu: &Gpu, dtype: DType, seed: u64) -> Result<Tensor> {
    gpu.take(&sample(dtype, &[COUNT], seed)?)
}

/// Elements over one number: near one, far from it, of either sign, and none; the elements are quotients near midpoints, zeros, tiny and
/// huge numbers, infinities and NaN as well as drawn ones.
fn divided(gpu: &Gpu, dtype: DType) -> Result<()> {
    const SPECIAL: [f64; 10] = [
        0.0,
        -0.0,
        1e-44,
        -1e-40,
        1e-310,
        3e38,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let half_way = if dtype == DType::F32 {
        2f64.powi(-24)
    } else {
        2f64.powi(-53)
    };
    for by in [
        3.0,
        0.1,
        1.0 + 2.0 * half_way,
        2.0 - 2.0 * half_way,
        1e-9,
        1e9,
        1e-42,
        1e35,
        -7.0,
    ]
    .iter()
    .chain(&SPECIAL)
    {
        let near = (0..1000).map(|k| (1.0 + f64::from(k) * 1024.0 * half_way + half_way) * by);
        let drawn = (0..1000).map(|k| f64::from(k - 500).sinh());
        let x: Vec<f64> = near.chain(drawn).chain(SPECIAL).collect();
        let (x, by) = (
            Tensor::from_slice(&x, &[x.len()])?.cast(dtype)?,
            Tensor::from([*by]).cast(dtype)?,
        );
        let shape = x.shape().to_vec();
        let operands = vec![gpu.take(&x)?, gpu.take(&by)?.broadcast_to(&shape)?];
        let mut builder = Builder::new();
        let inputs = [0, 1].map(|_| builder.input("x", Role::Element));
        let quotient = builder.apply(Prim::Div, &inputs);
        let again = builder.apply(Prim::Div, &[quotient, inputs[1]]);
        builder.output(quotient, Yield::Element);
        builder.output(again, Yield::Element);
        let case = Case {
            program: builder.finish("divided", Precision::Stepwise),
            operands,
            shape,
        };
        case.compare()?;
    }
    Ok(())
}

/// Quotients and remainders of integers by a number: small ones, powers of two and their neighbours, the largest, of either sign, and 0.
fn whole_quotients(gpu: &Gpu, dtype: DType) -> Result<()> {
    let bits = 8 * dtype.size() as u32;
    let most = (1i128 << (bits - 1)) - 1;
    let powers = (0..bits - 1).flat_map(|k| [-1, 0, 1].map(|by| (1i128 << k) + by));
    let numbers: Vec<i128> = powers.chain([3, 7, 10, 100, 641, most]).collect();
    let both = numbers.iter().flat_map(|&n| [n, -n, -n - 1]);
    let extremes: Vec<i64> = both.map(|n| n as i64).collect();
    let x = Tensor::from_slice(&extremes, &[extremes.len()])?.cast(dtype)?;
    let there = gpu.take(&x)?;
    for &by in numbers.iter().chain(&[-1, -3, -most - 1]) {
        let mut builder = Builder::new();
        let input = builder.input("x", Role::Element);
        let by = builder.constant(Scalar::Int(by));
        for prim in [Prim::FloorDiv, Prim::Rem] {
            let result = builder.apply(prim, &[input, by]);
            builder.output(result, Yield::Element);
        }
        let case = Case {
            program: builder.finish("quotients", Precision::Stepwise),
            operands: vec![there.clone()],
            shape: x.shape().to_vec(),
        };
        case.compare()?;
    }
    Ok(())
}

/// A program of 2 to 24 steps over 1 to 6 operands, some of them numbers or one element, with up to three results.
fn random(gpu: &Gpu, seed: u64) -> Result<()> {
    let mut choices = Choices::of(seed);
    let types = MIXTURES[seed as usize % MIXTURES.len()];
    let mut operands = Vec::new();
    for k in 0..1 + choices.below(6) {
        let whole = operand(gpu, types[choices.below(types.len())], seed + k as u64)?;
        let single = k > 0 && choices.below(4) == 0;
        operands.push(match single {
            true => whole
                .slice(0, Some(5), Some(6), 1)?
                .broadcast_to(&[COUNT])?,
            false => whole,
        });
    }
    by_steps(operands, vec![COUNT], &mut choices)
}

/// The same over operands that lie anyhow in an index space of three axes.
fn walked(gpu: &Gpu, seed: u64) -> Result<()> {
    let mut choices = Choices::of(seed + 1000);
    let types = MIXTURES[seed as usize % MIXTURES.len()];
    let shapes = [
        [5, 21, 40],
        [5, 21, 33],
        [4, 32, 64],
        [32, 3, 12],
        [16, 64, 96],
    ];
    let shape = shapes[choices.below(shapes.len())];
    let mut operands = Vec::new();
    for k in 0..2 + choices.below(4) {
        let dtype = types[choices.below(types.len())];
        operands.push(lying(
            gpu,
            dtype,
            shape,
            choices.below(LIES),
            seed + k as u64,
        )?);
    }
    by_steps(operands, shape.to_vec(), &mut choices)
}

/// Ways in which [`lying`] has an operand lie.
const LIES: usize = 9;

/// An operand of this shape in one of several layouts.
fn lying(gpu: &Gpu, dtype: DType, shape: [usize; 3], lies: usize, seed: u64) -> Result<Tensor> {
    let [a, b, c] = shape;
    let of = |lengths: &[usize]| gpu.take(&sample(dtype, lengths, seed)?);
    Ok(match lies {
        0 => of(&[a, b, c + 1])?.slice(-1, Some(1), None, 1)?,
        1 => of(&[a, b, 2 * c])?.slice(-1, None, None, 2)?,
        2 => of(&[a, 2 * b, c])?.slice(1, None, None, 2)?,
        3 => of(&[c, b, a])?.permute(&[2, 1, 0])?,
        4 => of(&[b, a, c])?.permute(&[1, 0, 2])?,
        5 => of(&[c])?.broadcast_to(&shape)?,
        6 => of(&[a, b, 1])?.broadcast_to(&shape)?,
        7 => of(&shape)?.flip(&[0, 2])?,
        _ => of(&shape)?,
    })
}

/// A product with an operand without gaps, in each layout.
fn layout(gpu: &Gpu, dtype: DType, lies: usize) -> Result<()> {
    for shape in [[16, 64, 96], [5, 21, 33]] {
        let operands = vec![
            lying(gpu, dtype, shape, lies, 3)?,
            lying(gpu, dtype, shape, LIES - 1, 4)?,
        ];
        let mut builder = Builder::new();
        let (x, y) = (
            builder.input("x", Role::Element),
            builder.input("y", Role::Element),
        );
        let product = builder.apply(Prim::Mul, &[x, y]);
        let sum = builder.apply(Prim::Add, &[product, x]);
        builder.output(sum, Yield::Element);
        let case = Case {
            program: builder.finish("made", Precision::Stepwise),
            operands,
            shape: shape.to_vec(),
        };
        case.compare().with_context(|| format!("{shape:?}"))?;
    }
    Ok(())
}

/// An operand of a step: an operand or a result of an earlier step, or a number.
#[derive(Clone, Copy)]
enum Operand {
    Value(usize),
    Number(Scalar),
}

/// Compares a random program over these operands with its steps, each a program of its own.
fn by_steps(operands: Vec<Tensor>, shape: Vec<usize>, choices: &mut Choices) -> Result<()> {
    let dtypes: Vec<DType> = operands.iter().map(Tensor::dtype).collect();
    let mut builder = Builder::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    nodes.extend(operands.iter().map(|_| builder.input("x", Role::Element)));
    let (first, length) = (nodes.len(), 2 + choices.below(23));
    let (mut steps, mut tries) = (Vec::new(), 0);
    while nodes.len() < first + length && tries < 8 * length {
        tries += 1;
        let prim = Prim::ALL[choices.below(Prim::ALL.len())];
        // Of numbers alone the type would be open, and depend on what takes the result.
        let args: Vec<Operand> = (0..prim.arity())
            .map(|k| match choices.below(6) {
                0 if k > 0 => Operand::Number(Scalar::Float(choices.below(9) as f64 * 0.5)),
                1..4 => Operand::Value(nodes.len() - 1),
                _ => Operand::Value(choices.below(nodes.len())),
            })
            .collect();
        let mut trial = builder.clone();
        let made = applied(&mut trial, prim, &args, |k| nodes[k]);
        let mut whole = trial.clone();
        whole.output(made, Yield::Element);
        if lower(&whole.finish("trial", Precision::Stepwise), &dtypes).is_ok() {
            builder = trial;
            nodes.push(made);
            steps.push((prim, args));
        }
    }
    let mut outputs = vec![nodes.len() - 1];
    outputs.extend((0..choices.below(3)).map(|_| choices.below(nodes.len())));
    for &output in &outputs {
        builder.output(nodes[output], Yield::Element);
    }
    let mut values = operands.clone();
    for (prim, args) in &steps {
        let mut alone = Builder::new();
        let (mut read, mut inputs) = (Vec::new(), vec![None; values.len()]);
        for arg in args {
            if let Operand::Value(k) = *arg
                && inputs[k].is_none()
            {
                read.push(&values[k]);
                inputs[k] = Some(alone.input("x", Role::Element));
            }
        }
        let input = |k: usize| inputs[k].unwrap_or(nodes[k]);
        let result = applied(&mut alone, *prim, args, input);
        alone.output(result, Yield::Element);
        let device = operands[0].device();
        let program = alone.finish("step", Precision::Stepwise);
        values.extend(run::map(&program, &read, &[], &shape, device)?);
    }
    let case = Case {
        program: builder.finish("random", Precision::Stepwise),
        operands,
        shape,
    };
    let want: Vec<Tensor> = outputs.iter().map(|&k| values[k].clone()).collect();
    same(&want, &case.run()?)
}

/// A step of a program.
fn applied(
    builder: &mut Builder,
    prim: Prim,
    args: &[Operand],
    node: impl Fn(usize) -> NodeId,
) -> NodeId {
    let args: Vec<NodeId> = args
        .iter()
        .map(|arg| match arg {
            Operand::Value(k) => node(*k),
            Operand::Number(number) => builder.constant(*number),
        })
        .collect();
    builder.apply(prim, &args)
}
