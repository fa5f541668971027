//! Kernels that are made at run time compute the bits of bytecode: every primitive and conversion, and random programs, run
//! once as bytecode and, when its kernel is there, once more.

use super::Check;
use super::maps::Choices;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield, lower};
use syntonic_core::{DType, DeviceId, Scalar, Tensor, cpu, run};
use syntonic_cuda::{Cuda, JitMode};

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
    for dtype in DType::ALL {
        for &prim in Prim::ALL
            .iter()
            .filter(|p| p.operand_dtype(dtype).is_some())
        {
            let name = format!("made/{}/{dtype}", prim.name());
            all.push(Check::new(name, move |gpu| primitive(gpu, prim, dtype)));
        }
        let name = format!("made/conversions/{dtype}");
        all.push(Check::new(name, move |gpu| conversions(gpu, dtype)));
    }
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
struct Case {
    program: Program,
    operands: Vec<Tensor>,
    shape: Vec<usize>,
}

impl Case {
    fn run(&self) -> Result<Vec<Tensor>> {
        let operands: Vec<&Tensor> = self.operands.iter().collect();
        let device = self.operands[0].device();
        Ok(run::map(
            &self.program,
            &operands,
            &[],
            &self.shape,
            device,
        )?)
    }

    /// Runs as bytecode and as a made kernel, and compares their bits; says whether there was such a kernel.
    fn compare(&self, gpu: &Cuda) -> Result<bool> {
        gpu.set_jit_mode(JitMode::Never);
        let want = self.run();
        gpu.set_jit_mode(JitMode::Always);
        let both = want.and_then(|want| {
            self.run()?;
            let before = gpu.wait_for_jit().launches;
            let got = self.run()?;
            Ok((want, got, gpu.wait_for_jit().launches > before))
        });
        gpu.set_jit_mode(JitMode::Auto);
        let (want, got, made) = both?;
        for (k, (want, got)) in want.iter().zip(&got).enumerate() {
            same(want, got).with_context(|| format!("result {k}"))?;
        }
        Ok(made)
    }
}

/// Elements of equal bits; every NaN is one, since a sum of two takes that of either operand.
fn same(want: &Tensor, got: &Tensor) -> Result<()> {
    compare(got, &want.to(&cpu())?, Exactness::Same)
}

fn cuda(gpu: &Gpu) -> Result<Arc<Cuda>> {
    match gpu.device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => anyhow::bail!("{other} is no GPU"),
    }
}

fn operand(gpu: &Gpu, dtype: DType, seed: u64) -> Result<Tensor> {
    gpu.take(&sample(dtype, &[COUNT], seed)?)
}

/// A primitive, and what a later one makes of its result: alone it would be a kernel compiled ahead of time.
fn primitive(gpu: &Gpu, prim: Prim, dtype: DType) -> Result<()> {
    let mut builder = Builder::new();
    let mut operands = Vec::new();
    let mut x = Vec::new();
    for k in 0..prim.arity() {
        let condition = prim == Prim::Select && k == 0;
        let dtype = if condition { DType::Bool } else { dtype };
        operands.push(operand(gpu, dtype, 7 + k as u64)?);
        x.push(builder.input("x", Role::Element));
    }
    let made = builder.apply(prim, &x);
    let last = builder.apply(Prim::Eq, &[made, made]);
    builder.output(made, Yield::Element);
    builder.output(last, Yield::Element);
    builder.output(x[0], Yield::Element);
    let case = Case {
        program: builder.finish("made", Precision::Stepwise),
        operands,
        shape: vec![COUNT],
    };
    let made = case.compare(&*cuda(gpu)?)?;
    // Other types have no pieces: bytecode serves them.
    let computed = prim.operand_dtype(dtype).unwrap_or(dtype);
    let pieces = computed.is_inexact() || matches!(computed, DType::I32 | DType::I64 | DType::Bool);
    ensure!(made || !pieces, "no kernel was made");
    Ok(())
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
    let cuda = cuda(gpu)?;
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
        ensure!(case.compare(&cuda)?, "no kernel was made");
    }
    Ok(())
}

/// Quotients and remainders of integers by a number: small ones, powers of two and their neighbours, the largest, of either sign, and 0.
fn whole_quotients(gpu: &Gpu, dtype: DType) -> Result<()> {
    let cuda = cuda(gpu)?;
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
        case.compare(&cuda)?;
    }
    Ok(())
}

/// From one type to all that are computed in, and back.
fn conversions(gpu: &Gpu, dtype: DType) -> Result<()> {
    let cuda = cuda(gpu)?;
    const COMPUTED: [DType; 6] = [
        DType::I32,
        DType::I64,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];
    for to in COMPUTED {
        let mut builder = Builder::new();
        let x = builder.input("x", Role::Element);
        let there = builder.cast(to, x);
        let back = builder.cast(dtype, there);
        builder.output(there, Yield::Element);
        builder.output(back, Yield::Element);
        let case = Case {
            program: builder.finish("made", Precision::Stepwise),
            operands: vec![operand(gpu, dtype, 3)?],
            shape: vec![COUNT],
        };
        let made = case.compare(&cuda).with_context(|| format!("{to}"))?;
        ensure!(made || to == dtype, "no kernel was made for {to}");
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
    // Short integers have no pieces of their own, so that some mixtures stay bytecode: `compare` says that they are the same.
    over(operands, vec![COUNT], &mut choices).compare(&*cuda(gpu)?)?;
    Ok(())
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
    over(operands, shape.to_vec(), &mut choices).compare(&*cuda(gpu)?)?;
    Ok(())
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

/// A product with an operand without gaps; each layout has a kernel.
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
        let made = case.compare(&*cuda(gpu)?)?;
        ensure!(made || lies == LIES - 1, "no kernel was made for {shape:?}");
    }
    Ok(())
}

/// A random program over these operands.
fn over(operands: Vec<Tensor>, shape: Vec<usize>, choices: &mut Choices) -> Case {
    let mut builder = Builder::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    nodes.extend(operands.iter().map(|_| builder.input("x", Role::Element)));
    let (first, length) = (nodes.len(), 2 + choices.below(23));
    let mut tries = 0;
    while nodes.len() < first + length && tries < 8 * length {
        tries += 1;
        let prim = Prim::ALL[choices.below(Prim::ALL.len())];
        let args: Vec<NodeId> = (0..prim.arity())
            .map(|_| match choices.below(6) {
                0 => builder.constant(Scalar::Float(choices.below(9) as f64 * 0.5)),
                1..4 => nodes[nodes.len() - 1],
                _ => nodes[choices.below(nodes.len())],
            })
            .collect();
        let mut trial = builder.clone();
        let made = trial.apply(prim, &args);
        let mut whole = trial.clone();
        whole.output(made, Yield::Element);
        let dtypes: Vec<DType> = operands.iter().map(Tensor::dtype).collect();
        if lower(&whole.finish("trial", Precision::Stepwise), &dtypes).is_ok() {
            builder = trial;
            nodes.push(made);
        }
    }
    builder.output(nodes[nodes.len() - 1], Yield::Element);
    for _ in 0..choices.below(3) {
        builder.output(nodes[choices.below(nodes.len())], Yield::Element);
    }
    Case {
        program: builder.finish("random", Precision::Stepwise),
        operands,
        shape,
    }
}
