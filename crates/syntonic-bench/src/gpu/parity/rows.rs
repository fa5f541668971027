//! Programs of rows: core's reductions and random programs against the CPU.

use super::Check;
use super::needs::SPREAD;
use super::row_spaces::{
    BLOCKS, COLUMNS, FEW, FILLING, LARGER, LEADING, LONG, MASKED, MASKED_ROWS, OF_FEW, PARTED,
    SHARED, SPACES, SUMMED, SUMMED_LARGE, Space, WHOLE,
};
use crate::gpu::layouts::made_of;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use syntonic_core::fuse::{Builder, Fold, NodeId, Precision, Prim, Program, Role, Yield, lower};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::row_operators;
use syntonic_core::run::{Axes, rows};
use syntonic_core::{DType, Scalar, Tensor};
use syntonic_srt::{nn, resonant};

syntonic_core::fuse! {
    /// The gradients of a scaled row, as a user writes them: one per element, and two that are summed over the rows.
    SCALED_SLOPES(x: element, g: element, w: row) -> (element, row_sum, row_sum) {
        let scale = rsqrt(mean(x * x) + 1.0);
        let unit = x * scale;
        let slope = g * w;
        [(slope - unit * mean(slope * unit)) * scale, g * unit, g]
    }
}

syntonic_core::fuse! {
    /// One fold, and a sum over the rows beside a result for each of them.
    MEANS_ADDED(x: element) -> (row_sum, row_scalar) {
        let centre = mean(x);
        [x + centre, centre]
    }
}

pub(super) fn checks() -> Vec<Check> {
    let inexact = DType::ALL.into_iter().filter(|d| d.is_inexact());
    let mut checks = Vec::new();
    for dtype in inexact.chain([DType::I32, DType::U8, DType::Bool]) {
        for program in syntonic_core::ops::reduce::formulas(dtype) {
            if lower(program, &[dtype]).is_ok() {
                let name = format!("rows/{}/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| {
                    everywhere(gpu, program, dtype, &SPACES)?;
                    everywhere(gpu, program, dtype, &LARGER)
                }));
                if dtype.is_float() {
                    checks.push(whole(program, 0, dtype));
                    checks.push(in_blocks(program, 0, dtype));
                }
            }
        }
    }
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let operators = row_operators::ALL.iter().chain(nn::ROW_OPERATORS);
        let declared = operators.flat_map(|o| [Some(&*o.program), o.gradient.as_ref().ok()]);
        let declared: Vec<&'static Program> = declared.flatten().collect();
        let layers = [
            nn::formulas(),
            nn::gradients(),
            resonant::formulas(),
            declared,
        ]
        .concat();
        for (k, program) in layers.into_iter().enumerate() {
            let name = format!("rows/{}_{k}/{dtype}", program.name);
            checks.push(Check::new(name, move |gpu| {
                everywhere(gpu, program, dtype, &SPACES)?;
                everywhere(gpu, program, dtype, &LARGER)
            }));
            checks.push(in_blocks(program, k, dtype));
            if program.name.contains("_NORM") || program.name.starts_with("SOFTMAX_b") {
                let name = format!("rows/{}_{k}_in_parts/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| {
                    everywhere(gpu, program, dtype, &PARTED)
                }));
            }
            if OF_FEW.contains(&program.name.as_ref()) && !dtype.is_half() {
                let name = format!("rows/{}_{k}_few/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| {
                    everywhere(gpu, program, dtype, &FEW)
                }));
            }
            let filling = FILLING
                .iter()
                .filter(|r| (r.0, r.1) == (program.name.as_ref(), dtype));
            let filling: Vec<Space> = filling.map(|r| r.2).collect();
            if !filling.is_empty() {
                let name = format!("rows/{}_{k}{SPREAD}/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| {
                    everywhere(gpu, program, dtype, &filling)
                }));
            }
            if program.outputs.iter().all(|o| o.role == Yield::RowScalar) {
                checks.push(whole(program, k, dtype));
            }
            if program.name.contains("SOFTMAX") {
                let name = format!("rows/{}_{k}_leading/{dtype}", program.name);
                checks.extend(apart(name, program, dtype, &LEADING));
            }
            if program.name.contains("SOFTMAX_PROVIDED") {
                let name = format!("rows/{}_{k}_shared/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| shared(gpu, program, dtype)));
            }
            if program.name.ends_with("SOFTMAX_OR_ZERO") {
                let name = format!("rows/{}_{k}_leading/{dtype}/masked", program.name);
                checks.push(Check::new(name, move |gpu| masked(gpu, program, dtype)));
                let name = format!("rows/{}_{k}/{dtype}/masked", program.name);
                checks.push(Check::new(name, move |gpu| {
                    masked_rows(gpu, program, dtype)
                }));
            }
            if program.name == "SYNTONY" && !dtype.is_half() {
                let name = format!("rows/{}_{k}_sizes/{dtype}", program.name);
                checks.push(Check::new(name, move |gpu| sizes(gpu, program, dtype)));
            }
            let sums = program.outputs.iter().any(|o| o.role == Yield::RowSum);
            if sums {
                let name = format!("rows/{}_{k}_summed/{dtype}", program.name);
                let spaces = match dtype.size() {
                    8.. => SUMMED_LARGE,
                    _ => SUMMED,
                };
                checks.push(Check::new(name, move |gpu| {
                    everywhere(gpu, program, dtype, &spaces)
                }));
            }
            let spaces: &'static [Space] = if program.name.contains("SOFTMAX") {
                &LONG
            } else if sums {
                &COLUMNS
            } else {
                continue;
            };
            let name = format!("rows/{}_{k}/{dtype}", program.name);
            checks.extend(apart(name, program, dtype, spaces));
        }
    }
    for program in [&*SCALED_SLOPES, &*MEANS_ADDED] {
        for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
            let name = format!("rows/summed over all/{}/{dtype}", program.name);
            checks.push(Check::new(name, move |gpu| {
                for spaces in [&SPACES[..], &LARGER, &BLOCKS, &COLUMNS] {
                    everywhere(gpu, program, dtype, spaces)?;
                }
                Ok(())
            }));
        }
    }
    for seed in 0..60 {
        let name = format!("rows/random/{seed}");
        checks.push(Check::new(name, move |gpu| {
            let program = random_program(seed);
            const TYPES: [DType; 6] = [
                DType::F32,
                DType::F64,
                DType::F16,
                DType::I64,
                DType::C64,
                DType::C128,
            ];
            for dtype in TYPES {
                everywhere(gpu, &program, dtype, &SPACES)?;
            }
            Ok(())
        }));
    }
    checks
}

/// A check for each space, named by its number.
fn apart(
    name: String,
    program: &'static Program,
    dtype: DType,
    spaces: &'static [Space],
) -> impl Iterator<Item = Check> {
    spaces.iter().enumerate().map(move |(at, space)| {
        Check::new(format!("{name}/{at}"), move |gpu| {
            everywhere(gpu, program, dtype, std::slice::from_ref(space))
        })
    })
}

fn whole(program: &'static Program, k: usize, dtype: DType) -> Check {
    let name = format!("rows/{}_{k}_whole/{dtype}", program.name);
    Check::new(name, move |gpu| everywhere(gpu, program, dtype, &WHOLE))
}

fn in_blocks(program: &'static Program, k: usize, dtype: DType) -> Check {
    let name = format!("rows/{}_{k}_in_blocks/{dtype}", program.name);
    Check::new(name, move |gpu| {
        everywhere(gpu, program, dtype, &BLOCKS)?;
        spoilt(gpu, program, dtype)
    })
}

/// Rows of blocks with no number in them, of either sign, alone or beside infinities.
fn spoilt(gpu: &Gpu, program: &Program, dtype: DType) -> Result<()> {
    let wanted = program.inputs.iter().filter(|i| i.role != Role::Number);
    if lower(program, &vec![dtype; wanted.count()]).is_err() {
        return Ok(());
    }
    for space in BLOCKS {
        let (shape, width) = (space.0, space.0[1]);
        let mut inputs = inputs(program, dtype, shape, space.1)?;
        let value = |i: usize| match (i / width, i % width) {
            (0, 700) => f64::NAN,
            (1, 3) => -f64::NAN,
            (2, 1000) => -f64::NAN,
            (2, 5) => f64::INFINITY,
            (at, k) => ((at + k) * 7919 % 23) as f64 / 4.0,
        };
        // Some programs begin with an operand of another shape.
        if inputs[0].shape() == shape {
            inputs[0] = made_of(dtype, shape, value)?;
            on_both(gpu, program, &inputs, space).map_err(|e| e.context("no numbers"))?;
        }
    }
    Ok(())
}

/// Runs a program over every space on both devices, where it accepts the type.
fn everywhere(gpu: &Gpu, program: &Program, dtype: DType, spaces: &[Space]) -> Result<()> {
    let wanted = program.inputs.iter().filter(|i| i.role != Role::Number);
    if lower(program, &vec![dtype; wanted.count()]).is_err() {
        return Ok(());
    }
    for &space in spaces {
        let inputs = inputs(program, dtype, space.0, space.1)?;
        on_both(gpu, program, &inputs, space)?;
    }
    Ok(())
}

/// Runs a program over a space on both devices.
fn on_both(gpu: &Gpu, program: &Program, inputs: &[Tensor], space: Space) -> Result<()> {
    let there: Vec<Tensor> = inputs.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
    alike(program, inputs, &there, space)
}

/// The same where all rows share their second operand.
fn shared(gpu: &Gpu, program: &Program, dtype: DType) -> Result<()> {
    for space in SHARED {
        let (shape, axes) = space;
        let mut here = inputs(program, dtype, shape, axes)?;
        let outer = isize::from(axes[0] == 0);
        let row = here[1].slice(outer, Some(0), Some(1), 1)?.contiguous()?;
        let mut there: Vec<Tensor> = here.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
        there[1] = gpu.take(&row)?.broadcast_to(shape)?;
        here[1] = row.broadcast_to(shape)?;
        alike(program, &here, &there, space)?;
    }
    Ok(())
}

/// Runs a program on operands here and there.
fn alike(program: &Program, here: &[Tensor], there: &[Tensor], (shape, axes): Space) -> Result<()> {
    let run = |inputs: &[Tensor]| {
        let inputs: Vec<&Tensor> = inputs.iter().collect();
        let numbers = vec![Scalar::Float(1.0); program.inputs.len() - inputs.len()];
        rows(program, &inputs, &numbers, axes, Axes::Drop)
    };
    let (got, want) = (run(there)?, run(here)?);
    ensure!(got.len() == want.len(), "{} results", got.len());
    for (g, w) in got.iter().zip(&want) {
        compare(g, w, exactness(w)?).map_err(|e| {
            let dtype = here[0].dtype();
            e.context(format!("{shape:?} {axes:?} {dtype}"))
        })?;
    }
    Ok(())
}

/// Runs a program over a space on both devices, with these values for its first operand.
fn beginning_with(
    gpu: &Gpu,
    program: &Program,
    dtype: DType,
    space: Space,
    value: impl Fn(usize) -> f64,
) -> Result<()> {
    let mut inputs = inputs(program, dtype, space.0, space.1)?;
    inputs[0] = made_of(dtype, space.0, value)?;
    on_both(gpu, program, &inputs, space)
}

/// The same with minus infinity in every third column, and in all others at the beginning.
fn masked(gpu: &Gpu, program: &Program, dtype: DType) -> Result<()> {
    for space in MASKED {
        let width = space.0[1];
        beginning_with(gpu, program, dtype, space, |i| {
            match (i % width % 3, i / width) {
                (0, _) | (_, 0..100) => f64::NEG_INFINITY,
                _ => (i * 7919 % 23) as f64 / 4.0,
            }
        })?;
    }
    Ok(())
}

/// The same with minus infinity in some rows, and in all others where whole warps read.
fn masked_rows(gpu: &Gpu, program: &Program, dtype: DType) -> Result<()> {
    let width = MASKED_ROWS.0[1];
    beginning_with(gpu, program, dtype, MASKED_ROWS, |i| {
        match (i / width % 7, i % width % 1024) {
            (0, _) | (_, 0..640) => f64::NEG_INFINITY,
            _ => (i * 7919 % 23) as f64 / 4.0,
        }
    })
}

/// The same with elements at the ends of the type's range: rows are divided by their largest, whose reciprocal may be no number.
fn sizes(gpu: &Gpu, program: &Program, dtype: DType) -> Result<()> {
    let powers = match dtype {
        DType::F32 => [-146, -127, -101, 124],
        _ => [-1071, -1023, -901, 1020],
    };
    for power in powers {
        for space in [SPACES[0], SPACES[2], LARGER[1], WHOLE[1], WHOLE[2]] {
            let mut inputs = inputs(program, dtype, space.0, space.1)?;
            let x = inputs[0].to_vec::<f64>()?;
            // In two steps, of which neither leaves the range of doubles.
            let scaled = |i: usize| x[i] * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            inputs[0] = made_of(dtype, space.0, scaled)?;
            on_both(gpu, program, &inputs, space)
                .map_err(|e| e.context(format!("times 2^{power}")))?;
        }
    }
    Ok(())
}

/// Folds in another order, and primitives within their own units, on values of moderate size.
fn exactness(want: &Tensor) -> Result<Exactness> {
    let dtype = want.dtype();
    if !dtype.is_inexact() {
        return Ok(Exactness::Same);
    }
    let values = want.to_vec::<Complex<f64>>()?;
    let finite = values.iter().map(|z| z.norm()).filter(|m| m.is_finite());
    Ok(Exactness::Within {
        relative: match dtype.real() {
            DType::F16 => 2e-3,
            DType::BF16 => 1.6e-2,
            DType::F32 => 4e-6,
            _ => 1e-12,
        },
        scale: finite.fold(0.0, f64::max),
    })
}

/// One operand for each tensor input: small multiples of a quarter, whose sums are exact.
fn inputs(program: &Program, dtype: DType, shape: &[usize], axes: &[isize]) -> Result<Vec<Tensor>> {
    let in_row = |axis: &usize| axes.contains(&(*axis as isize));
    let part = |row: bool| -> Vec<usize> {
        let kept = (0..shape.len()).filter(|a| in_row(a) == row);
        kept.map(|a| shape[a]).collect()
    };
    let mut tensors = Vec::new();
    for (k, input) in program.inputs.iter().enumerate() {
        let shape = match input.role {
            Role::Number => continue,
            Role::Element => shape.to_vec(),
            Role::Row => part(true),
            Role::RowScalar => part(false),
        };
        let value = |i: usize| ((i * 7919 + 31 * k) % 23) as f64 / 4.0 - 2.0;
        tensors.push(made_of(dtype, &shape, value)?);
    }
    Ok(tensors)
}

/// A random program of up to nine statements whose results are exact or nearly so.
fn random_program(seed: u64) -> Program {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    };
    let mut b = Builder::new();
    // Values, and whether each varies along the row.
    let mut values: Vec<(NodeId, bool)> = vec![
        (b.input("x", Role::Element), true),
        (b.input("w", Role::Row), true),
        (b.input("r", Role::RowScalar), false),
        (b.input("s", Role::Number), false),
        (b.count(), false),
    ];
    for _ in 0..3 + next(7) {
        let (x, x_varies) = values[next(values.len())];
        let (y, y_varies) = values[next(values.len())];
        let varies = x_varies || y_varies;
        values.push(match next(7) {
            0 => (b.apply(Prim::Add, &[x, y]), varies),
            1 => (b.apply(Prim::Sub, &[x, y]), varies),
            2 => (b.apply(Prim::Mul, &[x, y]), varies),
            3 => (b.apply(Prim::Ne, &[x, y]), varies),
            4 => (b.apply(Prim::Abs, &[x]), x_varies),
            5 => (b.fold(Fold::Sum, x), false),
            _ => (b.fold(Fold::ALL[next(8)], x), false),
        });
    }
    for _ in 0..1 + next(3) {
        let (node, varies) = values[values.len() - 1 - next(4)];
        let element = varies || next(3) == 0;
        b.output(
            node,
            if element {
                Yield::Element
            } else {
                Yield::RowScalar
            },
        );
    }
    b.finish(
        "random",
        if next(2) == 0 {
            Precision::Wide
        } else {
            Precision::Stepwise
        },
    )
}
