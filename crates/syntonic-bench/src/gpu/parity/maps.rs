//! Element-wise programs: every primitive, conversion and composite for every element type and layout, and random
//! programs that no kernel was made for.

use super::Check;
use crate::gpu::{Exactness, Gpu, Layout, Pair, compare};
use anyhow::{Result, ensure};
use syntonic_core::fuse::{Accepts, Builder, NodeId, Precision, Prim, Role, Yield, Yields};
use syntonic_core::half::{bf16, f16};
use syntonic_core::ops::composites::{self, Composite};
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::{DType, Scalar, Tensor, run};

/// All checks of element-wise programs.
pub(crate) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for layout in Layout::ALL {
        for dtype in DType::ALL {
            for &prim in Prim::ALL
                .iter()
                .filter(|p| p.operand_dtype(dtype).is_some())
            {
                let name = format!("map/{}/{dtype}/{layout:?}", prim.name());
                all.push(Check::new(name, move |gpu| {
                    primitive(gpu, prim, dtype, layout)
                }));
            }
            for to in DType::ALL {
                let name = format!("map/cast to {to}/{dtype}/{layout:?}");
                all.push(Check::new(name, move |gpu| {
                    conversion(gpu, dtype, to, layout)
                }));
            }
        }
        for dtype in DType::ALL.into_iter().filter(|d| d.is_float()) {
            for c in composites::ALL {
                let name = format!("map/{}/{dtype}/{layout:?}", c.name);
                all.push(Check::new(name, move |gpu| {
                    one_composite(gpu, c, dtype, layout)
                }));
            }
        }
    }
    let functions = |p: &&Prim| p.arity() == 1 && p.row().yields == Yields::Same;
    for &prim in Prim::ALL.iter().filter(functions) {
        let inexact = matches!(prim.row().accepts, Accepts::Inexact | Accepts::Float);
        for dtype in [DType::F16, DType::BF16].into_iter().filter(|_| inexact) {
            let name = format!("map/every half/{}/{dtype}", prim.name());
            all.push(Check::new(name, move |gpu| every_half(gpu, prim, dtype)));
        }
    }
    for seed in 0..60 {
        all.push(Check::new(
            format!("map/random program {seed}"),
            move |gpu| random_program(gpu, seed),
        ));
    }
    all.push(Check::new("map/numbers on either side", numbers));
    all.push(Check::new("map/halves beside wider operands", beside_wider));
    all.push(Check::new("map/several outputs and many operands", many));
    all
}

/// How close a primitive's results are: exact where the table says so; else both sides may err by its bound.
pub(in crate::gpu) fn exactness(prim: Prim, operand: DType) -> Exactness {
    let row = prim.row();
    let whole = operand.is_integer() || operand.is_bool() || row.yields == Yields::Bool;
    let arithmetic = matches!(
        prim,
        Prim::Square
            | Prim::Sqrt
            | Prim::Rsqrt
            | Prim::Recip
            | Prim::Mul
            | Prim::Div
            | Prim::Sign
            | Prim::Abs
    ) && !operand.is_complex();
    if prim == Prim::LogAddExp {
        // The two parts cancel where the result is near 0.
        return Exactness::UlpsOfOne(f64::from(row.ulp) + 2.0);
    }
    if prim == Prim::Pow && operand == DType::C128 {
        // e^(b ln a) magnifies the rounding of its exponent by the exponent: up to 1e4 ln 1e4 here, and two parts.
        return Exactness::Ulps(4e5);
    }
    if whole || row.ulp == 0 || arithmetic {
        Exactness::Same
    } else {
        // The CPU errs by half of the bound at most where it computes in a wider type; both may be on opposite sides.
        Exactness::Ulps(f64::from(row.ulp) + 2.0)
    }
}

fn operands(gpu: &Gpu, prim: Prim, dtype: DType, layout: Layout) -> Result<Vec<Pair>> {
    (0..prim.arity())
        .map(|k| {
            let dtype = if prim == Prim::Select && k == 0 {
                DType::Bool
            } else {
                dtype
            };
            Pair::new(gpu, dtype, layout, 7 + k as u64)
        })
        .collect()
}

fn primitive(gpu: &Gpu, prim: Prim, dtype: DType, layout: Layout) -> Result<()> {
    let pairs = operands(gpu, prim, dtype, layout)?;
    let on = |pick: fn(&Pair) -> &Tensor| -> Result<Tensor> {
        let args: Vec<Arg<'_>> = pairs.iter().map(|p| Arg::Tensor(pick(p))).collect();
        Ok(apply(prim, &args)?.eval()?)
    };
    let operand = prim.operand_dtype(dtype).unwrap_or(dtype);
    let (got, want) = (on(|p| &p.gpu)?, on(|p| &p.cpu)?);
    compare(&got, &want, exactness(prim, operand))
}

/// A function of each of the 65,536 halves: the GPU has shorter ways for them.
fn every_half(gpu: &Gpu, prim: Prim, dtype: DType) -> Result<()> {
    let bits = 0..=u16::MAX;
    let all = match dtype {
        DType::F16 => Tensor::from_vec(bits.map(f16::from_bits).collect(), &[1 << 16])?,
        _ => Tensor::from_vec(bits.map(bf16::from_bits).collect(), &[1 << 16])?,
    };
    let want = apply(prim, &[Arg::Tensor(&all)])?.eval()?;
    let got = apply(prim, &[Arg::Tensor(&gpu.take(&all)?)])?.eval()?;
    let exactness = match exactness(prim, dtype) {
        Exactness::Same => Exactness::Same,
        // Both round once, from results that differ by far less than this.
        _ => Exactness::Ulps(1.0),
    };
    compare(&got, &want, exactness)
}

fn conversion(gpu: &Gpu, from: DType, to: DType, layout: Layout) -> Result<()> {
    let pair = Pair::new(gpu, from, layout, 3)?;
    let (got, want) = (pair.gpu.cast(to)?.eval()?, pair.cpu.cast(to)?.eval()?);
    compare(&got, &want, Exactness::Same)
}

fn one_composite(gpu: &Gpu, c: &Composite, dtype: DType, layout: Layout) -> Result<()> {
    let pair = Pair::new(gpu, dtype, layout, 5)?;
    let on = |x: &Tensor| -> Result<Tensor> {
        let mut args = vec![Arg::Tensor(x)];
        args.extend((1..c.args.len()).map(|k| Arg::Number(Scalar::Float(k as f64 - 0.5))));
        Ok(composite(c.name, c.build, &args)?.eval()?)
    };
    // A few steps, whose errors the last may magnify where it cancels.
    let bound = Exactness::Within {
        relative: 64.0 * unit(dtype),
        scale: 1e4,
    };
    compare(&on(&pair.gpu)?, &on(&pair.cpu)?, bound)
}

fn unit(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        DType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// A generator of choices.
pub(super) struct Choices(u64);

impl Choices {
    pub(super) fn of(seed: u64) -> Choices {
        Choices(seed.wrapping_mul(77) + 5)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A program of exactly rounded steps over a few operands, some broadcast, with several results.
fn random_program(gpu: &Gpu, seed: u64) -> Result<()> {
    const EXACT: [Prim; 18] = [
        Prim::Add,
        Prim::Sub,
        Prim::Mul,
        Prim::Div,
        Prim::Min,
        Prim::Max,
        Prim::Neg,
        Prim::Abs,
        Prim::Sqrt,
        Prim::Square,
        Prim::Lt,
        Prim::Ge,
        Prim::Eq,
        Prim::Select,
        Prim::Floor,
        Prim::Fma,
        Prim::Sub,
        Prim::Div,
    ];
    let mut choice = Choices::of(seed);
    let dtypes = [
        DType::F32,
        DType::F64,
        DType::BF16,
        DType::F16,
        DType::I32,
        DType::U8,
        DType::C64,
        DType::I64,
    ];
    let mixed = choice.below(4) == 0;
    let first = dtypes[choice.below(dtypes.len())];
    let inputs = 1 + choice.below(4);
    let length = [2, 6, 12, 40, 150][choice.below(5)];
    let layouts = [
        Layout::Contiguous,
        Layout::Strided,
        Layout::Broadcast,
        Layout::Transposed,
        Layout::Negative,
    ];
    let mut builder = Builder::new();
    let mut pairs = Vec::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    for k in 0..inputs {
        let dtype = if mixed {
            dtypes[choice.below(dtypes.len())]
        } else {
            first
        };
        pairs.push(Pair::new(
            gpu,
            dtype,
            layouts[choice.below(layouts.len())],
            seed + k as u64,
        )?);
        nodes.push(builder.input("x", Role::Element));
    }
    let complex = pairs.iter().any(|p| p.cpu.dtype().is_complex());
    for _ in 0..length {
        let prim = EXACT[choice.below(EXACT.len())];
        let divides = matches!(prim, Prim::Div | Prim::Sqrt | Prim::Abs);
        let ordered = matches!(prim.row().accepts, Accepts::Real | Accepts::Float);
        if complex && (divides || ordered) {
            continue;
        }
        let mut args: Vec<NodeId> = (0..prim.arity())
            .map(|_| match choice.below(5) {
                0 => builder.constant(Scalar::Int(choice.below(5) as i128 + 1)),
                1 | 2 => nodes[nodes.len() - 1],
                _ => nodes[choice.below(nodes.len())],
            })
            .collect();
        if prim == Prim::Select {
            args[0] = builder.apply(Prim::Ne, &[args[0], args[1]]);
        }
        let made = builder.apply(prim, &args);
        // Truth values are only chosen by.
        let made = if prim.row().yields == Yields::Bool {
            builder.apply(Prim::Select, &[made, args[0], nodes[0]])
        } else {
            made
        };
        nodes.push(made);
    }
    builder.output(nodes[nodes.len() - 1], Yield::Element);
    if choice.below(3) == 0 {
        builder.output(nodes[nodes.len() / 2], Yield::Element);
        builder.output(nodes[0], Yield::Element);
    }
    let program = builder.finish("random", Precision::Stepwise);
    let on = |pick: fn(&Pair) -> &Tensor| -> syntonic_core::Result<Vec<Tensor>> {
        let tensors: Vec<&Tensor> = pairs.iter().map(pick).collect();
        run::map(
            &program,
            &tensors,
            &[],
            Layout::Contiguous.shape(),
            tensors[0].device(),
        )
    };
    let want = match on(|p| &p.cpu) {
        Ok(want) => want,
        // Not every mixture has a meaning; the GPU then refuses it too, before it runs anything.
        Err(_) => {
            ensure!(
                on(|p| &p.gpu).is_err(),
                "refused on the CPU and not on the GPU"
            );
            return Ok(());
        }
    };
    for (got, want) in on(|p| &p.gpu)?.iter().zip(&want) {
        compare(got, want, Exactness::Same)?;
    }
    Ok(())
}

fn numbers(gpu: &Gpu) -> Result<()> {
    for dtype in [
        DType::F32,
        DType::BF16,
        DType::F64,
        DType::C64,
        DType::I32,
        DType::U8,
    ] {
        let pair = Pair::new(gpu, dtype, Layout::Contiguous, 11)?;
        for prim in [
            Prim::Add,
            Prim::Sub,
            Prim::Mul,
            Prim::Div,
            Prim::Pow,
            Prim::Eq,
        ] {
            let Some(operand) = prim.operand_dtype(dtype) else {
                continue;
            };
            let two = Arg::Number(Scalar::Int(2));
            let left = |x| apply(prim, &[two, Arg::Tensor(x)])?.eval();
            let right = |x| apply(prim, &[Arg::Tensor(x), two])?.eval();
            compare(
                &left(&pair.gpu)?,
                &left(&pair.cpu)?,
                exactness(prim, operand),
            )?;
            compare(
                &right(&pair.gpu)?,
                &right(&pair.cpu)?,
                exactness(prim, operand),
            )?;
        }
    }
    Ok(())
}

/// Halves beside `float32` in one launch: as many elements, one of them, and a number. Kernels over halves take the last only.
fn beside_wider(gpu: &Gpu) -> Result<()> {
    for dtype in [DType::F16, DType::BF16] {
        let halves = Pair::new(gpu, dtype, Layout::Contiguous, 11)?;
        let wide = Pair::new(gpu, DType::F32, Layout::Contiguous, 12)?;
        let one = Tensor::from_slice(&[1.7f32], &[1])?;
        let product = |x: &Tensor, w: Arg<'_>| -> Result<Tensor> {
            let wide = x.cast(DType::F32)?;
            Ok(apply(Prim::Mul, &[Arg::Tensor(&wide), w])?
                .cast(dtype)?
                .eval()?)
        };
        let there = gpu.take(&one)?;
        let pairs = [(&wide.gpu, &wide.cpu), (&there, &one)];
        for (on_gpu, on_cpu) in pairs {
            let got = product(&halves.gpu, Arg::Tensor(on_gpu))?;
            let want = product(&halves.cpu, Arg::Tensor(on_cpu))?;
            compare(&got, &want, Exactness::Same)?;
        }
        let number = || Arg::Number(Scalar::Float(1.7));
        let got = product(&halves.gpu, number())?;
        compare(&got, &product(&halves.cpu, number())?, Exactness::Same)?;
    }
    Ok(())
}

/// More operands and outputs than one launch takes.
fn many(gpu: &Gpu) -> Result<()> {
    let mut builder = Builder::new();
    let mut pairs = Vec::new();
    let mut sum = None;
    for k in 0..40 {
        pairs.push(Pair::new(gpu, DType::F32, Layout::Contiguous, k)?);
        let x = builder.input("x", Role::Element);
        sum = Some(sum.map_or(x, |s| builder.apply(Prim::Add, &[s, x])));
        if k % 3 == 0
            && let Some(s) = sum
        {
            builder.output(s, Yield::Element);
        }
    }
    let program = builder.finish("many", Precision::Stepwise);
    let on = |pick: fn(&Pair) -> &Tensor| -> syntonic_core::Result<Vec<Tensor>> {
        let tensors: Vec<&Tensor> = pairs.iter().map(pick).collect();
        run::map(
            &program,
            &tensors,
            &[],
            Layout::Contiguous.shape(),
            tensors[0].device(),
        )
    };
    for (got, want) in on(|p| &p.gpu)?.iter().zip(&on(|p| &p.cpu)?) {
        compare(got, want, Exactness::Same)?;
    }
    Ok(())
}
