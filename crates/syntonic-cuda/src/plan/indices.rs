//! Indices for kernels that take memory alone: their numbers are written first.

use super::Carrier;
use super::operand::{Source, Span};
use crate::moves::positions;
use syntonic_core::fuse::{Op, Slot, Task};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Error, Result};

/// The numbers `first`, `first + step`, ... of which an index shows some, and where it begins among them.
struct Numbers {
    first: i64,
    step: i64,
    count: usize,
    begin: usize,
    /// Strides among them.
    strides: Strides,
}

/// What an index that begins at `start` shows over a space. The numbers are as many as those of the range that it is a view of.
fn numbers(start: i64, strides: &[isize], dims: &[usize]) -> Option<Numbers> {
    let moving = |n: usize, s: isize| n > 1 && s != 0 && !dims.contains(&0);
    let axes = dims.iter().zip(strides).map(|(&n, &s)| (n, s));
    let moved = || axes.clone().filter(|&(n, s)| moving(n, s));
    let step = moved()
        .fold(0, |step, (_, s)| gcd(step, s.unsigned_abs()))
        .max(1) as i128;
    let far = |(n, s): (usize, isize)| (n as i128 - 1) * s as i128;
    let low: i128 = moved().map(far).map(|far| far.min(0)).sum();
    let high: i128 = moved().map(far).map(|far| far.max(0)).sum();
    Some(Numbers {
        first: start.wrapping_add(low as i64),
        step: step as i64,
        count: usize::try_from((high - low) / step).ok()?.checked_add(1)?,
        begin: usize::try_from(-low / step).ok()?,
        strides: axes
            .map(|(n, s)| {
                if moving(n, s) {
                    (s as i128 / step) as isize
                } else {
                    0
                }
            })
            .collect(),
    })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The numbers of an index over a space in memory, and where they lie there.
fn written<'a, C: Carrier>(
    carrier: &'a C,
    span: &Span,
    dims: &[usize],
) -> Result<(C::Memory<'a>, Span)> {
    let size = DType::I64.size();
    let of_memory = |n: &Numbers| n.count.checked_mul(size).is_some();
    let numbers = numbers(span.address as i64, &span.strides, dims).filter(of_memory);
    let Some(numbers) = numbers else {
        return Err(Error::SizeOverflow {
            op: "arange",
            shape: dims.to_vec(),
        });
    };
    let (memory, address) = carrier.memory(numbers.count * size)?;
    // SAFETY: the memory has room for so many numbers.
    unsafe {
        positions(
            carrier,
            address,
            numbers.count,
            (numbers.first, numbers.step),
        )?
    };
    let span = Span {
        address: address + (numbers.begin * size) as u64,
        strides: numbers.strides,
    };
    Ok((memory, span))
}

/// Has the numbers of indices among the operands in memory, which lives as long as what comes back.
pub(crate) fn write<'a, C: Carrier>(
    carrier: &'a C,
    sources: &mut [(Source, DType)],
    dims: &[usize],
) -> Result<Vec<C::Memory<'a>>> {
    let mut kept = Vec::new();
    for (source, _) in sources {
        if let Source::Index(span) = source {
            let (memory, span) = written(carrier, span, dims)?;
            kept.push(memory);
            *source = Source::Tensor(span);
        }
    }
    Ok(kept)
}

/// Runs a task with the numbers of its indices in memory.
///
/// # Safety
/// As [`syntonic_core::Device::run`]; `run` may be given such a task.
pub(crate) unsafe fn in_memory<C: Carrier>(
    carrier: &C,
    task: &Task<'_>,
    run: impl FnOnce(&Task<'_>) -> Result<()>,
) -> Result<()> {
    let mut program = task.program.clone();
    for node in &mut program.nodes {
        if let Op::Index(k) = node.op {
            node.op = Op::Input(k);
        }
    }
    let dims: Dims = task.outer.iter().chain(&task.row).copied().collect();
    let mut inputs = task.inputs.clone();
    let mut kept = Vec::new();
    for (k, slot) in inputs.iter_mut().enumerate() {
        if task.program.is_index(k) {
            let span = Span::of(slot);
            let (memory, span) = written(carrier, &span, &dims)?;
            let (outer, row) = span.strides.split_at(task.outer.len());
            *slot = Slot {
                address: span.address as *mut u8,
                outer: outer.into(),
                row: row.into(),
            };
            kept.push(memory);
        }
    }
    run(&Task {
        program: &program,
        outer: task.outer.clone(),
        row: task.row.clone(),
        inputs,
        outputs: task.outputs.clone(),
        params: task.params,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_index_shows_is_among_its_numbers() {
        let spaces: [(&[usize], &[isize]); 6] = [
            (&[3, 4], &[4, 1]),
            (&[3, 4], &[0, -2]),
            (&[5, 1, 7], &[-14, 9, 2]),
            (&[], &[]),
            (&[3, 0], &[1 << 40, 1]),
            (&[2, 3, 4], &[1 << 40, 0, 0]),
        ];
        for (dims, strides) in spaces {
            let numbers = numbers(-5, strides, dims).unwrap();
            let count: usize = dims.iter().product();
            for at in 0..count {
                let (mut rest, mut value, mut place) = (at, -5i64, numbers.begin as isize);
                for (a, &n) in dims.iter().enumerate().rev() {
                    value += (rest % n) as i64 * strides[a] as i64;
                    place += (rest % n) as isize * numbers.strides[a];
                    rest /= n;
                }
                assert!((place as usize) < numbers.count);
                assert_eq!(numbers.first + place as i64 * numbers.step, value);
            }
            assert!(numbers.count <= count.max(1) * 2, "{dims:?}");
        }
    }
}
