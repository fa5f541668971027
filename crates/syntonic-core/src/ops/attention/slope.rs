//! The slope by an operand of the score: elements of tiles, summed over the axes that the operand is repeated along.

use super::cpu::{QUERIES, probe, sum, tenths};
use super::pass::{KEYS, Pass, Place};
use super::walk::{Tile, Walked};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::Launch;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::linalg::Real;
use crate::ops::vectors::Places;
use crate::room;

/// # Safety
/// As [the module](super) says: live memory that fits the layouts, outputs apart from the inputs.
pub(super) unsafe fn run(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type of the sums.
    unsafe {
        match launch.by_name()?.input("lse")?.dtype {
            DType::F64 => summed::<f64>(launch),
            _ => summed::<f32>(launch),
        }
    }
}

/// Which axes the slope varies along.
#[derive(Clone, Copy, Debug)]
struct Varies {
    batch: bool,
    head: bool,
    query: bool,
    key: bool,
}

/// # Safety
/// As that of [`run`].
unsafe fn summed<T: Real>(launch: &Launch) -> Result<()> {
    let pass = Pass::<T>::new(launch)?;
    let arg = launch.by_name()?.output("slope")?;
    let shape = arg.layout.shape();
    let space = [pass.batches, pass.heads, pass.rows, pass.keys];
    let [batch, head, query, key] = [0, 1, 2, 3].map(|k| shape[k] == space[k]);
    let varies = Varies {
        batch,
        head,
        query,
        key,
    };
    probe::<T>(pass.batches * pass.heads, KEYS, [pass.d, pass.e])?;
    let out = Walked::of(arg);
    // SAFETY: the caller's promise.
    unsafe {
        match query && key {
            true => whole(&pass, varies, &out),
            false => partial(&pass, varies, &out),
        }
    }
}

/// Of an operand that varies along queries and keys: rows of the result are added up in place, one item a tile of queries.
///
/// # Safety
/// As that of [`run`].
unsafe fn whole<T: Real>(pass: &Pass<'_, T>, varies: Varies, out: &Walked) -> Result<()> {
    let tiles = pass.rows.div_ceil(QUERIES);
    let (batches, heads) = (
        if varies.batch { pass.batches } else { 1 },
        if varies.head { pass.heads } else { 1 },
    );
    let inner = (pass.batches / batches) * (pass.heads / heads);
    let work = Work {
        items: batches * heads * tiles,
        tenths_of_ns: tenths(QUERIES.min(pass.rows) * pass.keys * inner, pass.d + pass.e),
        at_least: 1,
    };
    for_ranges(work, |from, to| {
        let mut room = pass.room()?;
        for item in from..to {
            let (stack, query) = (item / tiles, item % tiles * QUERIES);
            let (first_b, first_h) = (stack / heads, stack % heads);
            for i in query..(query + QUERIES).min(pass.rows) {
                for j in 0..pass.keys {
                    let to = out.at([first_b, first_h, i, j]).cast::<T>();
                    // SAFETY: an element of the result, whose rows are this item's.
                    unsafe { to.write(T::zero()) };
                }
            }
            let of = |varies: bool, first: usize, all: usize| match varies {
                true => first..first + 1,
                false => 0..all,
            };
            for b in of(varies.batch, first_b, pass.batches) {
                for h in of(varies.head, first_h, pass.heads) {
                    for key in pass.keys_of(query) {
                        let at = pass.place([b, h, query, key]);
                        // SAFETY: the caller's promise.
                        unsafe { pass.tile(&mut room, at)? };
                        let place = [first_b, first_h, query, key];
                        // SAFETY: elements of the result, whose rows are this item's.
                        unsafe { added(&mut room.results[0], at, out, place) };
                    }
                }
            }
        }
        Ok(())
    })
}

/// Adds a tile to the result.
///
/// # Safety
/// Nobody else has these elements.
unsafe fn added<T: Real>(
    tile: &mut Tile<T>,
    at: Place,
    out: &Walked,
    [b, h, query, key]: [usize; 4],
) {
    for i in 0..at.m {
        for (j, &x) in tile.row(i, at.n).iter().enumerate() {
            let to = out.at([b, h, query + i, key + j]).cast::<T>();
            // SAFETY: the caller's promise.
            unsafe { to.write(to.read() + x) };
        }
    }
}

/// Of an operand that is repeated along queries or keys: partial sums of each batch and head, which are then added up in their order.
///
/// # Safety
/// As that of [`run`].
unsafe fn partial<T: Real>(pass: &Pass<'_, T>, varies: Varies, out: &Walked) -> Result<()> {
    // An item is a tile of keys where the result has those, else one of queries.
    let (len, step) = match varies.key {
        true => (pass.keys, KEYS),
        false => (pass.rows, QUERIES),
    };
    let tiles = len.div_ceil(step);
    let each = varies.key || varies.query;
    let places = if each { len } else { tiles };
    let stacks = pass.batches * pass.heads;
    // One value a line of the tile, or one a tile.
    let mut parts = room::filled(stacks.saturating_mul(places), 0.0f64)?;
    let shared = Places::<f64>::to(&mut parts);
    let work = Work {
        items: stacks * tiles,
        tenths_of_ns: tenths(step * pass.rows.max(pass.keys), pass.d + pass.e),
        at_least: 1,
    };
    for_ranges(work, |from, to| {
        let mut room = pass.room()?;
        let mut sums = [0.0f64; KEYS];
        for item in from..to {
            let (stack, first) = (item / tiles, item % tiles * step);
            let (b, h) = (stack / pass.heads, stack % pass.heads);
            let sums = &mut sums[..step.min(len - first)];
            sums.fill(0.0);
            let mut add = |at: [usize; 4]| {
                let at = pass.place(at);
                // SAFETY: the caller's promise.
                unsafe { pass.tile(&mut room, at)? };
                let tile = &mut room.results[0];
                for i in 0..at.m {
                    let row = tile.row(i, at.n);
                    match varies.key {
                        true => sums
                            .iter_mut()
                            .zip(row)
                            .for_each(|(sum, x)| *sum += wide(*x)),
                        false => sums[i] += wide(sum(row)),
                    }
                }
                Ok::<(), crate::Error>(())
            };
            match varies.key {
                true => pass
                    .queries_of(first)
                    .try_for_each(|query| add([b, h, query, first]))?,
                false => pass
                    .keys_of(first)
                    .try_for_each(|key| add([b, h, first, key]))?,
            }
            let (at, count) = match each {
                true => (first, sums.len()),
                false => (first / step, 1),
            };
            // SAFETY: each item has places of its own.
            let to = unsafe { &mut *shared.range(stack * places + at, count) };
            match each {
                true => to.copy_from_slice(sums),
                false => to[0] = sums.iter().sum(),
            }
        }
        Ok(())
    })?;
    let lengths = [
        if varies.batch { pass.batches } else { 1 },
        if varies.head { pass.heads } else { 1 },
        if each { places } else { 1 },
    ];
    for b in 0..lengths[0] {
        for h in 0..lengths[1] {
            for at in 0..lengths[2] {
                let mut total = 0.0;
                for stack in 0..stacks {
                    let (of_b, of_h) = (stack / pass.heads, stack % pass.heads);
                    if (varies.batch && of_b != b) || (varies.head && of_h != h) {
                        continue;
                    }
                    let all = &parts[stack * places..][..places];
                    total += if each { all[at] } else { all.iter().sum() };
                }
                let place = match varies.key {
                    true => [b, h, 0, at],
                    false => [b, h, if varies.query { at } else { 0 }, 0],
                };
                // SAFETY: an element of the result, which nobody else has.
                unsafe {
                    out.at(place)
                        .cast::<T>()
                        .write(T::from(total).unwrap_or_else(T::nan))
                };
            }
        }
    }
    Ok(())
}

fn wide<T: Real>(x: T) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}
