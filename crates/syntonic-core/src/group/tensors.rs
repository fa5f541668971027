//! Tensors of all ranks, through the memory of the host.

use super::{End, Group, OP};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::io::elements::{Order, from_fill, size, with_bytes};
use crate::layout::{MAX_NDIM, check_ndim};
use crate::room;
use crate::tensor::{Tensor, describe};

/// What is said besides the elements, at most: the type's name, the shape, and their lengths.
const HEAD: usize = 64 + 8 * MAX_NDIM;
/// Bytes of the widest element.
const WIDEST: usize = 16;

/// The tensors that every rank gave, in the order of ranks, on the device of `x`. They may differ in shape and type.
///
/// Errors: as [`Group::all_gather`].
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_core::group::{Alone, gather};
///
/// let x = Tensor::from_slice(&[1.0, 2.0], &[2])?;
/// assert_eq!(gather(&Alone, &x)?[0].to_vec::<f64>()?, [1.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn gather(group: &(impl Group + ?Sized), x: &Tensor) -> Result<Vec<Tensor>> {
    gather_within(group, x, usize::MAX)
}

/// As [`gather`], where no rank gives more than `most` bytes of elements.
fn gather_within(group: &(impl Group + ?Sized), x: &Tensor, most: usize) -> Result<Vec<Tensor>> {
    let mut message = room::empty(0)?;
    with_bytes(x, |bytes| written(&mut message, x, bytes))??;
    let all = group.all_gather_within(&message, most.saturating_add(HEAD))?;
    let tensors = all.iter().enumerate().map(|(rank, bytes)| {
        let refused = || End::new(rank, "sent no tensor").error(OP, group.size());
        read(bytes).ok_or_else(refused)??.to(x.device())
    });
    room::gathered(tensors)
}

/// [`Group::concat`] for groups without a way of their own.
pub(super) fn concat(
    group: &(impl Group + ?Sized),
    part: &Tensor,
    lengths: &[usize],
) -> Result<Tensor> {
    check(group, part, lengths)?;
    let lead = part.ndim() - 1;
    // Of any type: which one it is, is said with the elements.
    let rows: usize = part.shape()[..lead].iter().product();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let most = rows.saturating_mul(longest).saturating_mul(WIDEST);
    let parts = gather_within(group, part, most)?;
    for (rank, (theirs, &len)) in parts.iter().zip(lengths).enumerate() {
        let alike = theirs.dtype() == part.dtype()
            && theirs.ndim() == part.ndim()
            && theirs.shape()[..lead] == part.shape()[..lead]
            && theirs.shape()[lead] == len;
        if !alike {
            let what = format!(
                "gave {}, not a part of {len} beside {}",
                theirs.describe(),
                part.describe()
            );
            return Err(End::new(rank, what).error(OP, group.size()));
        }
    }
    Tensor::concat(&parts.iter().collect::<Vec<_>>(), -1)?.eval()
}

/// Whether a part is of the length that its rank said.
pub(crate) fn check(group: &(impl Group + ?Sized), part: &Tensor, lengths: &[usize]) -> Result<()> {
    let mine = lengths.get(group.rank());
    if lengths.len() == group.size() && part.ndim() > 0 && part.shape().last() == mine {
        return Ok(());
    }
    Err(Error::Shape {
        op: OP,
        operands: describe(&[part]),
        hint: format!(
            "a length for each of {} ranks, and this rank's last axis as long as it says: {lengths:?}",
            group.size()
        ),
    })
}

/// The type's name, the shape and the elements, each with its length before it.
fn written(message: &mut Vec<u8>, x: &Tensor, bytes: &[u8]) -> Result<()> {
    let name = x.dtype().name();
    room::more(message, 16 + name.len() + 8 * x.ndim() + bytes.len())?;
    message.extend((name.len() as u64).to_le_bytes());
    message.extend(name.as_bytes());
    message.extend((x.ndim() as u64).to_le_bytes());
    x.shape()
        .iter()
        .for_each(|&len| message.extend((len as u64).to_le_bytes()));
    message.extend(bytes);
    Ok(())
}

/// What [`written`] wrote; nothing where it did not.
fn read(message: &[u8]) -> Option<Result<Tensor>> {
    let (len, rest) = number(message)?;
    let (name, rest) = rest.split_at_checked(len)?;
    let dtype = DType::from_name(std::str::from_utf8(name).ok()?)?;
    let (ndim, mut rest) = number(rest)?;
    check_ndim(OP, ndim).ok()?;
    let mut shape = Vec::new();
    for _ in 0..ndim {
        let (len, after) = number(rest)?;
        shape.push(len);
        rest = after;
    }
    if size(dtype, &shape) != Some(rest.len()) {
        return None;
    }
    let fill = |room: &mut [u8]| {
        room.copy_from_slice(rest);
        Ok(())
    };
    let bad = |at, byte| Error::value(OP, format!("element {at} of a bool tensor is {byte}"));
    match from_fill(OP, dtype, &shape, Order::Little, fill, bad) {
        Ok(made) => Some(made),
        Err(refused) => Some(Err(refused)),
    }
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    Some((usize::try_from(u64::from_le_bytes(*head)).ok()?, rest))
}
