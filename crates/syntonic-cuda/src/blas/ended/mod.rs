//! Products that carry a formula: one kernel of our own multiplies, computes the end of each element from its sum in registers, and
//! writes the result. For half types, and for `int8` with sums in `int32`, on cards of 9.0.

mod cost;
mod end_text;
mod factor;
mod kernel;
mod operand_text;
mod operands;
mod params;
mod sums_text;
#[cfg(all(test, feature = "images"))]
mod tests;
mod text;

pub use cost::{Ends, end_products};
pub(crate) use kernel::Kernel;

use super::Matrix;
use super::library::Launched;
use super::tensor_map::{Boxes, TensorMap};
use crate::codegen::form::Form;
use crate::context::{Blocks, Context, Geometry};
use cost::Work;
use factor::Factor;
use kernel::{HALF, ROWS, Store, THREADS};
use operands::Operands;
use params::{Lies, Params};
use syntonic_core::device::{Arg, End};
use syntonic_core::layout::collapse;
use syntonic_core::{DType, Result, Scalar};

/// Rows of tiles that clusters work on together: both factors of a group stay in L2.
const GROUP: usize = 8;

/// A product, its result and the operands of its end as matrices: `matrices[2]` is the result.
struct Shapes {
    batch: usize,
    /// The factors, the result and the operands.
    matrices: Vec<Matrix>,
}

/// A product with its end.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The factors.
    pub(super) a: &'a Arg,
    pub(super) b: &'a Arg,
    pub(super) out: &'a Arg,
    /// What sums of floats are multiplied by first.
    pub(super) alpha: Scalar,
    pub(super) end: &'a End,
}

impl Asked<'_> {
    /// Whether there are kernels for its types: sums have the type that the end takes.
    fn has_types(&self) -> bool {
        let sums = self.end.program.inputs.first();
        match self.a.dtype {
            DType::I8 => sums == Some(&DType::I32) && self.alpha == Scalar::Int(1),
            other => other.is_half() && sums == Some(&DType::F32),
        }
    }
}

impl Shapes {
    /// Nothing where the leading axes are no single one for all of them.
    fn of(asked: &Asked<'_>) -> Option<Shapes> {
        let args: Vec<&Arg> = [asked.a, asked.b, asked.out]
            .into_iter()
            .chain(&asked.end.operands)
            .collect();
        let shape = asked.out.layout.shape();
        let lead = shape.len() - 2;
        let leading: Vec<&[isize]> = args.iter().map(|a| &a.layout.strides()[..lead]).collect();
        let (dims, strides) = collapse(&shape[..lead], &leading);
        if dims.len() > 1 {
            return None;
        }
        let mut matrices: Vec<Matrix> = args.iter().map(|arg| Matrix::new(arg)).collect();
        for (matrix, strides) in matrices.iter_mut().zip(strides) {
            matrix.batch = strides.first().copied().unwrap_or(0);
        }
        let mut shapes = Shapes {
            batch: dims.first().copied().unwrap_or(1),
            matrices,
        };
        shapes.join_rows();
        Some(shapes)
    }

    /// A batch that multiplies by one second factor is one product with more rows, where all rows follow evenly.
    fn join_rows(&mut self) {
        let rows = self.matrices[2].rows;
        let even = |m: &Matrix| m.batch == rows as isize * m.row;
        let others = self.matrices.iter().enumerate().filter(|(i, _)| *i != 1);
        if self.batch < 2 || self.matrices[1].batch != 0 || !others.clone().all(|(_, m)| even(m)) {
            return;
        }
        for (i, matrix) in self.matrices.iter_mut().enumerate() {
            if i != 1 {
                matrix.rows *= self.batch;
            }
        }
        self.batch = 1;
    }
}

/// Multiplies and ends in one launch, if there is a kernel for it and it pays. The bits of the end are those of its program.
///
/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, asked: &Asked<'_>) -> Result<Launched> {
    let (factors, end) = (asked.a.dtype, asked.end);
    if context.capability() != (9, 0) || !asked.has_types() {
        return Ok(Launched::NoWay);
    }
    let (Some(shapes), Some(form)) = (Shapes::of(asked), Form::of(&end.program)) else {
        return Ok(Launched::NoWay);
    };
    let [a, b, c] = [shapes.matrices[0], shapes.matrices[1], shapes.matrices[2]];
    let (m, n, k) = (c.rows, c.cols, a.cols);
    let counted = [m, n, k].iter().all(|&len| len < 1 << 31) && k > 0;
    if !counted {
        return Ok(Launched::NoWay);
    }
    let work = Work {
        lens: [m, n, k, shapes.batch],
        factors,
        instructions: form.instructions(),
        result: asked.out.dtype,
        blocks: context.multiprocessors().max(1) as usize,
    };
    let Some(team) = work.team() else {
        return Ok(Launched::NoWay);
    };
    let Some(operands) = Operands::of(&form, end, &shapes) else {
        return Ok(Launched::NoWay);
    };
    // SAFETY: the caller's promise; copies have the matrices' own sizes and live until the launch.
    let (a, b) = unsafe {
        (
            Factor::new(context, factors, &a, shapes.batch)?,
            Factor::new(context, factors, &b.turned(), shapes.batch)?,
        )
    };
    let shared = m > ROWS;
    let kernel = Kernel {
        kinds: operands.kinds.clone(),
        factors,
        majors: [a.major, b.major],
        team,
        shared,
        scaled: asked.alpha != Scalar::Int(1),
        store: operands.store,
        form,
    };
    let (cluster, depth) = (kernel.cluster(), kernel.depth());
    let (down, across) = (m.div_ceil(ROWS * cluster), n.div_ceil(kernel.columns()));
    let Ok(tiles) = u32::try_from(shapes.batch * down * across) else {
        return Ok(Launched::NoWay);
    };
    let of_batch = |m: &Matrix| u32::from(m.batch != 0);
    let params = Params {
        a: a.map(context, factors)?,
        b: b.map(context, factors)?,
        out: match operands.store {
            Store::Brought => result_map(context, asked.out.dtype, &c, shapes.batch)?,
            Store::Each { .. } => TensorMap::NONE,
        },
        brought: match operands.brought {
            Some(at) => {
                let (arg, m) = (&end.operands[at], &shapes.matrices[3 + at]);
                result_map(context, arg.dtype, m, shapes.batch)?
            }
            None => TensorMap::NONE,
        },
        m: m as u32,
        n: n as u32,
        depth: k.div_ceil(depth) as u32,
        tiles,
        down: down as u32,
        across: across as u32,
        group: GROUP as u32,
        alpha: asked.alpha.to_complex().re as f32,
        batched: [
            u32::from(a.batched),
            u32::from(b.batched),
            of_batch(&c),
            operands
                .brought
                .map_or(0, |at| of_batch(&shapes.matrices[3 + at])),
        ],
        unused: [0; 4],
        result: lies(&c, asked.out.dtype),
        operands: operands.lie,
    };
    let cache = &context.jit.products;
    let Some(function) = cache.assembled(context, kernel.fingerprint(), &kernel)? else {
        return Ok(Launched::NoWay);
    };
    let geometry = |blocks: u32| Geometry {
        grid: [blocks, 1, 1],
        block: THREADS as u32,
        shared: kernel.room().size as u32,
    };
    let (size, all) = (cluster as u32, context.multiprocessors());
    let (at_once, blocks) = match shared {
        true => (
            context.clusters_at_once(&function, geometry(size), size)?,
            Blocks::Clusters(size),
        ),
        false => (all, Blocks::Apart),
    };
    if at_once == 0 {
        return Ok(Launched::NoWay);
    }
    let grid = geometry(size * tiles.min(at_once));
    // SAFETY: the parameter is the text's own; the rest is the caller's promise.
    unsafe { context.launch_blocks(&function, grid, blocks, &params)? };
    Ok(Launched::Yes)
}

/// A matrix as the kernel addresses its elements.
fn lies(m: &Matrix, dtype: DType) -> Lies {
    let bytes = |stride: isize| stride as i64 * dtype.size() as i64;
    Lies {
        first: m.first,
        row: bytes(m.row),
        col: bytes(m.col),
        batch: bytes(m.batch),
    }
}

/// The map of what a warpgroup brings or gives of a result.
fn result_map(context: &Context, dtype: DType, m: &Matrix, batch: usize) -> Result<TensorMap> {
    let boxes = Boxes {
        first: m.first,
        lens: [m.cols, m.rows, if m.batch == 0 { 1 } else { batch }],
        of_box: [HALF, HALF],
        strides: factor::strides(m, dtype),
    };
    TensorMap::new(context, "matmul", dtype, &boxes)
}

/// True for a matrix of a half type that the copy engine walks along its rows: a box is as wide as the swizzle.
fn has_boxes(m: &Matrix, dtype: DType) -> bool {
    dtype.is_half() && factor::is_walked(m, dtype)
}
