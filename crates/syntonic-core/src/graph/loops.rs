//! Loops whose turns are captured once, and whose end is decided where they run.

use super::session::{self, Session};
use super::work::{Work, held_outside};
use super::{Graph, in_place};
use crate::device::{Again, Device};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::grad;
use crate::tensor::{Tensor, describe, same_device};
use std::ops::Range;
use std::sync::Arc;

/// What a turn makes of the state, given the number of the turn where turns are counted.
type Body<'a> = &'a mut dyn FnMut(Option<&Tensor>, &[&Tensor]) -> Result<Vec<Tensor>>;

/// When a loop ends.
enum Until<'a> {
    /// When this is false, asked before each turn.
    False(&'a mut dyn FnMut(&[&Tensor]) -> Result<Tensor>),
    /// After turns with these numbers.
    Counted(Range<i64>),
}

/// Repeats `body` on a state of tensors as long as `condition` of it is true, and gives the state at the end.
///
/// Both functions are captured once, as by [`Graph::capture`], and the device decides where the loop ends: on a GPU as a conditional node of
/// one graph. They are given the loop's own copies. `body` gives what takes the place of each tensor, of the same shape and type, or
/// nothing, where it writes the state in place; it writes nothing else in place. In a capture the loop is a part of the graph.
///
/// # Errors
/// Those of the functions; [`Error::Value`] where the condition is not one `bool`, the state is empty, or the body gives other tensors;
/// [`Error::Capture`] for what no graph can have, and where the GPU's driver is older than 12.4; [`Error::Device`] for tensors of several
/// devices; [`Error::Gradient`] for tracked ones.
///
/// ```
/// use syntonic_core::graph::while_loop;
/// use syntonic_core::prelude::*;
///
/// // Newton's method for the square root of 2.
/// let x = Tensor::from([1.0]);
/// let far = |x: &[&Tensor]| Ok((x[0] * x[0] - 2.0).abs()?.greater(1e-12)?);
/// let end = while_loop(&[&x], far, |x| Ok(vec![(x[0] + &(2.0 / x[0])) * 0.5]))?;
/// assert!((end[0].to_vec::<f64>()?[0] - 2f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn while_loop(
    state: &[&Tensor],
    mut condition: impl FnMut(&[&Tensor]) -> Result<Tensor>,
    mut body: impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    let mut until = Until::False(&mut condition);
    repeat("while_loop", state, &mut until, &mut |_, own| body(own))
}

/// Repeats `body` on a state of tensors for each number of a range, and gives the state at the end.
///
/// The body is given the number as an `int64` tensor without axes on the device of the state, and captured once, see [`while_loop`].
///
/// # Errors
/// As [`while_loop`].
///
/// ```
/// use syntonic_core::graph::fori_loop;
/// use syntonic_core::prelude::*;
///
/// let total = fori_loop(1..11, &[&Tensor::scalar(0, DType::I64)?], |k, total| Ok(vec![total[0] + k]))?;
/// assert_eq!(total[0].to_scalar::<i64>()?, 55);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn fori_loop(
    range: Range<i64>,
    state: &[&Tensor],
    mut body: impl FnMut(&Tensor, &[&Tensor]) -> Result<Vec<Tensor>>,
) -> Result<Vec<Tensor>> {
    let mut until = Until::Counted(range);
    repeat("fori_loop", state, &mut until, &mut |k, own| match k {
        Some(k) => body(k, own),
        None => Err(Error::value("fori_loop", "a turn without a number")),
    })
}

fn repeat(
    op: &'static str,
    state: &[&Tensor],
    until: &mut Until<'_>,
    body: Body<'_>,
) -> Result<Vec<Tensor>> {
    let device = same_device(op, state)?;
    if grad::tracks(state) {
        return Err(Error::Gradient {
            op,
            what: "no gradient goes through a loop of a graph; hint: write the loop in the language that you \
                   write the rest in, or detach the state"
                .into(),
        });
    }
    match session::current() {
        Some(around) => turns(op, &around, &device, state, until, body),
        None => alone(op, &device, state, until, body),
    }
}

/// A loop that is no part of a graph: the only part of one that is replayed once.
fn alone(
    op: &'static str,
    device: &Arc<dyn Device>,
    state: &[&Tensor],
    until: &mut Until<'_>,
    body: Body<'_>,
) -> Result<Vec<Tensor>> {
    let work = Work::capture_after(
        state,
        &mut (until, body),
        |both, given| {
            let (until, body) = both;
            if device.warms_up() {
                let rehearsal = Session::rehearsal(device);
                let _inside = rehearsal.enter();
                turns(op, &rehearsal, device, given, until, *body)?;
            }
            Ok(())
        },
        |both, given| {
            let (until, body) = both;
            match session::current() {
                Some(around) => turns(op, &around, device, given, until, *body),
                None => Err(Error::value(op, "the loop is in no graph")),
            }
        },
    )?;
    Graph::of(work, state)?.replay(state)
}

/// The loop as a part of what this thread captures, or one turn of it where that is a rehearsal.
fn turns(
    op: &'static str,
    around: &Arc<Session>,
    device: &Arc<dyn Device>,
    state: &[&Tensor],
    until: &mut Until<'_>,
    body: Body<'_>,
) -> Result<Vec<Tensor>> {
    // few: one for each tensor of a state.
    let own: Vec<Tensor> = state.iter().map(|x| x.copy()).collect::<Result<_>>()?;
    let given: Vec<&Tensor> = own.iter().collect();
    // What the device looks at between two turns.
    let (sign, again) = match until {
        Until::False(condition) => {
            let sign = Tensor::uninit(op, &[], DType::Bool, device)?;
            sign.overwrite(&one_bool(op, condition(&given)?)?)?;
            let address = sign.buffer()?.address();
            (sign, Again::While(address))
        }
        Until::Counted(range) if range.is_empty() => return Ok(own),
        Until::Counted(range) => {
            let number = Tensor::uninit(op, &[], DType::I64, device)?;
            number.overwrite(&Tensor::full_on(&[], range.start, DType::I64, device)?)?;
            let address = number.buffer()?.address().cast();
            (number, Again::Below(address, range.end))
        }
    };
    let turn = around.turn(device, &own)?;
    let captured = match around.is_rehearsal() {
        true => None,
        // SAFETY: the loop's own tensors keep the memory, which goes back to the session around it, and with that to the graph.
        false => Some(unsafe { device.begin_loop(again)? }),
    };
    let done = {
        let _inside = turn.enter();
        one_turn(op, &own, &sign, until, body).and_then(|()| match captured {
            Some(captured) => captured.finish(),
            None => Ok(()),
        })
    };
    let checked = done
        .and_then(|()| turn.check())
        .and_then(|()| match turn.arena.live() {
            0 => Ok(()),
            _ => Err(held_outside()),
        });
    around.absorb(&turn);
    if checked.is_err() {
        // A function that goes on after this would give a graph of something else.
        around.spoil(op);
    }
    checked?;
    Ok(own)
}

/// What one turn asks of the device.
fn one_turn(
    op: &'static str,
    own: &[Tensor],
    sign: &Tensor,
    until: &mut Until<'_>,
    body: Body<'_>,
) -> Result<()> {
    let given: Vec<&Tensor> = own.iter().collect(); // few: one for each tensor of a state.
    let number = matches!(until, Until::Counted(_)).then_some(sign);
    let results = body(number, &given)?;
    in_place::replace(op, own, results)?;
    match until {
        Until::False(condition) => sign.overwrite(&one_bool(op, condition(&given)?)?),
        Until::Counted(_) => sign.buffer()?.settle_readers(),
    }
}

/// What a condition gives.
fn one_bool(op: &'static str, condition: Tensor) -> Result<Tensor> {
    if condition.dtype() == DType::Bool && condition.numel() == 1 {
        return condition.reshape(&[]);
    }
    let what = format!(
        "the condition gives {}, and a loop wants one bool[]; hint: reduce it by any or all",
        describe(&[&condition])
    );
    Err(Error::value(op, what))
}
