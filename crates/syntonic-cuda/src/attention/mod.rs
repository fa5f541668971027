//! Attention in one launch, and its slopes in one or two: the kernels that [`syntonic_core::ops::attention`] asks for, for half types on cards
//! of 9.0.

mod block_text;
mod kernel;
mod narrow;
mod operands;
mod operands_text;
mod params;
mod products_text;
mod rows;
mod score_text;
mod scores;
mod shapes;
pub(crate) mod slopes;
#[cfg(all(test, feature = "images"))]
mod tests;
mod text;
mod tile_text;

pub(crate) use kernel::Kernel;

use crate::codegen::form::Form;
use crate::context::{Context, Geometry};
use kernel::{ROWS, THREADS};
use narrow::narrowed;
use operands::Operands;
use params::{Lies, Params};
use rows::Rows;
use scores::{Kind, Scores};
use shapes::Shapes;
use syntonic_core::device::{Arg, ByName, Launch};
use syntonic_core::{Error, Result};
use tile_text::Stored;

/// The result of attention, and the logarithms of the sums of its rows.
///
/// # Safety
/// As `syntonic_core::ops::attention::ATTENTION` says.
pub(crate) unsafe fn attention(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let [q, k, v] = named.inputs(["q", "k", "v"])?;
    let (out, sums) = (named.output("out")?, named.output("lse")?);
    let scale = named.real("scale")?;
    let causal = named.whole::<u32>("causal")? != 0;
    if out.layout.numel() == 0 {
        return Ok(());
    }
    let none = || refusal(context, &[q, k, v]);
    let (Some(shapes), Some(end)) = (Shapes::of(context, [q, k, v]), &args.end) else {
        return Err(none());
    };
    let (Some(form), Some(tiles)) = (Form::of(&end.program), shapes.tiles(false)) else {
        return Err(none());
    };
    let form = narrowed(form, end, 1);
    let Some(operands) = Operands::of(&form, end, &[Kind::Score]) else {
        return Err(none());
    };
    // SAFETY: the caller's promise; copies live until the launch.
    let all = unsafe { Rows::all(context, [q, k, v])? };
    let Some([q_rows, k_rows, v_rows]) = all else {
        return Err(none());
    };
    let kernel = Kernel {
        scores: Scores {
            plain: is_plain(&named, scale)?,
            kinds: operands.kinds,
            form,
            causal,
        },
        dtype: q.dtype,
        depth: shapes.depth.next_multiple_of(16),
        width: shapes.width.next_multiple_of(8),
        stored: Stored::of(out),
    };
    let params = Params {
        scored: shapes.scored(tiles, false, scale, operands.lie),
        q: q_rows.map(context, ROWS)?,
        k: k_rows.map(context, kernel.keys())?,
        v: v_rows.map(context, kernel.keys())?,
        out: written(out),
        sums: sums.address() as u64,
        width: shapes.width as u32,
        of_batch: [&q_rows, &k_rows, &v_rows].map(|rows| rows.vary()[0]),
        of_head: [&q_rows, &k_rows, &v_rows].map(|rows| rows.vary()[1]),
    };
    let cache = &context.jit.attention;
    let Some(function) = cache.assembled(context, kernel.fingerprint(), &kernel)? else {
        return Err(none());
    };
    // SAFETY: the parameter is the text's own; the rest is the caller's promise.
    unsafe {
        context.launch(
            &function,
            geometry(context, tiles, kernel.room().size),
            &params,
        )
    }
}

/// Whether a launch's score is the product as it is, by a number that the exponent can take.
fn is_plain(named: &ByName<'_>, scale: f64) -> Result<bool> {
    Ok(named.whole::<u32>("plain")? != 0 && scale > 0.0)
}

/// A block for each multiprocessor, or for each tile.
fn geometry(context: &Context, tiles: u32, shared: usize) -> Geometry {
    Geometry {
        grid: [tiles.min(context.multiprocessors().max(1)), 1, 1],
        block: THREADS as u32,
        shared: shared as u32,
    }
}

/// Where a result lies, whose columns are side by side.
fn written(out: &Arg) -> Lies {
    let size = out.dtype.size() as i64;
    let [batch, head, row] = [0, 1, 2].map(|axis| out.layout.strides()[axis] as i64 * size);
    Lies {
        first: out.address() as u64,
        batch,
        head,
        row,
        col: size,
    }
}

/// The error of operands that no kernel takes.
#[cold]
fn refusal(context: &Context, args: &[&Arg]) -> Error {
    let all: Vec<String> = args // few: operands.
        .iter()
        .map(|arg| format!("{} {:?}", arg.dtype, arg.layout.shape()))
        .collect();
    Error::Fault {
        op: "attention".to_owned(),
        device: context.device,
        what: format!(
            "no kernel takes {} with this score; there are kernels for float16 and bfloat16 on cards of compute capability 9.0, rows of up to {} elements; hint: write it as softmax(q @ k.mT) @ v, or move the operands with .to(\"cpu\")",
            all.join(", "),
            kernel::WIDEST
        ),
    }
}
