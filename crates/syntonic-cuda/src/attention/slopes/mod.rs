//! Slopes of attention: of queries in one launch, of keys and values in one or two.

mod kernel;
mod params;
mod products_text;
#[cfg(all(test, feature = "images"))]
pub(super) mod tests;
mod text;

pub(crate) use kernel::Kernel;

use super::kernel::ROWS;
use super::narrow::narrowed;
use super::operands::Operands;
use super::params::Lies;
use super::rows::Rows;
use super::scores::{Kind, Scores};
use super::shapes::Shapes;
use super::tile_text::Stored;
use super::{geometry, is_plain, refusal, written};
use crate::codegen::form::Form;
use crate::context::Context;
use kernel::{COLS, Gives};
use params::Params;
use syntonic_core::Result;
use syntonic_core::device::{Arg, Launch};

/// The slopes of queries.
///
/// # Safety
/// As `syntonic_core::ops::attention` says of the kernel.
pub(crate) unsafe fn queries(context: &Context, args: &Launch) -> Result<()> {
    let out = args.by_name()?.output("dq")?;
    // SAFETY: the caller's promise.
    unsafe { slopes(context, args, &[Gives::Queries], [out, out]) }
}

/// The slopes of keys and values.
///
/// # Safety
/// As [`queries`].
pub(crate) unsafe fn keys(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let (dk, dv) = (named.output("dk")?, named.output("dv")?);
    let long = [dk, dv].map(|out| out.layout.shape()[3]);
    // SAFETY: the caller's promise.
    unsafe { slopes(context, args, Gives::of_keys(long[0], long[1]), [dk, dv]) }
}

/// # Safety
/// As [`queries`].
unsafe fn slopes(
    context: &Context,
    args: &Launch,
    kernels: &[Gives],
    out: [&Arg; 2],
) -> Result<()> {
    let named = args.by_name()?;
    let [q, k, v, slope] = named.inputs(["q", "k", "v", "dout"])?;
    let (sums, means) = (named.input("lse")?, named.input("delta")?);
    let scale = named.real("scale")?;
    let causal = named.whole::<u32>("causal")? != 0;
    if out[0].layout.numel() + out[1].layout.numel() == 0 {
        return Ok(());
    }
    let none = || refusal(context, &[q, k, v]);
    let (Some(shapes), Some(end)) = (Shapes::of(context, [q, k, v]), &args.end) else {
        return Err(none());
    };
    let Some(form) = Form::of(&end.program) else {
        return Err(none());
    };
    let plain = is_plain(&named, scale)?;
    let first = [Kind::Score, Kind::Slope, Kind::Sum, Kind::Mean];
    let form = narrowed(form, end, first.len());
    let Some(operands) = Operands::of(&form, end, &first) else {
        return Err(none());
    };
    // SAFETY: the caller's promise; copies live until the launches.
    let all = unsafe { Rows::all(context, [q, slope, k, v])? };
    let Some([q_rows, slope_rows, k_rows, v_rows]) = all else {
        return Err(none());
    };
    for &gives in kernels {
        let keys_are_rows = gives != Gives::Queries;
        let Some(tiles) = shapes.tiles(keys_are_rows) else {
            return Err(none());
        };
        let kernel = Kernel {
            scores: Scores {
                plain,
                kinds: match keys_are_rows {
                    true => operands
                        .kinds
                        .iter()
                        .map(|kind: &Kind| kind.turned())
                        .collect(),
                    false => operands.kinds.clone(),
                },
                form: form.clone(),
                causal,
            },
            gives,
            dtype: q.dtype,
            depth: shapes.depth.next_multiple_of(16),
            width: shapes.width.next_multiple_of(16),
            stored: out.map(Stored::of),
        };
        let (rows, cols) = match keys_are_rows {
            true => ([&k_rows, &v_rows], [&q_rows, &slope_rows]),
            false => ([&q_rows, &slope_rows], [&k_rows, &v_rows]),
        };
        let four = [rows[0], rows[1], cols[0], cols[1]];
        let params = Params {
            scored: shapes.scored(tiles, keys_are_rows, scale, operands.lie),
            maps: [
                rows[0].map(context, ROWS)?,
                rows[1].map(context, ROWS)?,
                cols[0].map(context, COLS)?,
                cols[1].map(context, COLS)?,
            ],
            out: out.map(|out| -> Lies { written(out) }),
            sums: sums.address() as u64,
            means: means.address() as u64,
            widths: [shapes.depth as u32, shapes.width as u32],
            of_batch: four.map(|rows| rows.vary()[0]),
            of_head: four.map(|rows| rows.vary()[1]),
            queries: shapes.queries(),
            factor: scale as f32,
        };
        let cache = &context.jit.attention_slopes;
        let Some(function) = cache.assembled(context, kernel.fingerprint(), &kernel)? else {
            return Err(none());
        };
        let launch = geometry(context, tiles, kernel.room().size);
        // SAFETY: the parameter is the text's own; the rest is the caller's promise.
        unsafe { context.launch(&function, launch, &params)? };
    }
    Ok(())
}
