//! Attention on the CPU: tiles of queries by tiles of keys, with the largest score and the sum of each row carried on.

use super::walk::{Reader, Tile, Walked, converted, over};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::cpu::threads;
use crate::device::end::is_nothing;
use crate::device::{Arg, End, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Indices, Typed, lower_to};
use crate::interrupt;
use crate::ops::linalg::Real;
use crate::room;

/// Queries of a tile: its scores stay in the second-level cache.
pub(super) const QUERIES: usize = 64;
/// Keys of a tile.
const KEYS: usize = 256;
/// Numbers that are folded side by side, so that the compiler makes vectors of them.
const LANES: usize = 16;

crate::fuse! {
    EXP_BELOW(s: element, top: element) -> (element) { exp(s - top) }
    /// A row without keys is 0.
    DIVIDED(sum: element, total: element) -> (element) { select(eq(total, 0.0), 0.0, sum / total) }
}

/// # Safety
/// As [`super::ATTENTION`] says: live memory that fits the layouts, outputs apart from the inputs.
pub(super) unsafe fn run(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    let lse = named.output("lse")?;
    // SAFETY: the caller's promise, for the type of the sums.
    unsafe {
        match lse.dtype {
            DType::F64 => forward::<f64>(launch),
            _ => forward::<f32>(launch),
        }
    }
}

/// The program over the scores, which every launch has.
pub(super) fn end_of(launch: &Launch) -> Result<&End> {
    let none = || Error::value("attention", "a launch without a score");
    launch.end.as_ref().ok_or_else(none)
}

/// Memory that the library of products works in, asked for before: it ends the process where there is none.
pub(super) fn probe<T: Real>(items: usize, keys: usize, widths: [usize; 2]) -> Result<()> {
    let most = widths[0].max(widths[1]).max(keys);
    let one = T::working(QUERIES, most, most).max(T::working(keys, most, most));
    room::probe(one.saturating_mul(threads::count().min(items)))
}

/// The time of multiplying and scoring so many pairs, in tenths of a nanosecond.
pub(super) fn tenths(pairs: usize, widths: usize) -> usize {
    pairs.saturating_mul(widths + 16)
}

struct Forward<'a, T> {
    q: Walked,
    k: Walked,
    v: Walked,
    out: Walked,
    lse: Walked,
    end: Option<&'a Typed>,
    operands: Vec<Walked>,
    reader: Reader,
    exp: Typed,
    divided: Typed,
    stored: Typed,
    scale: T,
    causal: bool,
    /// Heads that a key head serves.
    group: usize,
    rows: usize,
    keys: usize,
    d: usize,
    e: usize,
}

/// # Safety
/// As [`run`].
unsafe fn forward<T: Real>(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    let ([q, k, v], [out, lse]) = (
        named.inputs(["q", "k", "v"])?,
        named.outputs(["out", "lse"])?,
    );
    let end = end_of(launch)?;
    let (heads, rows) = (q.layout.shape()[1], q.layout.shape()[2]);
    let keys = k.layout.shape()[2];
    let width = |x: &Arg| x.layout.shape()[3];
    let (d, e) = (width(q), width(v));
    let two = [T::DTYPE; 2];
    let pass = Forward {
        q: Walked::of(q),
        k: Walked::of(k),
        v: Walked::of(v),
        out: Walked::of(out),
        lse: Walked::of(lse),
        end: (!is_nothing(&end.program)).then_some(&**end.program),
        operands: Walked::of_end(end),
        reader: Reader::new::<T>(q.dtype)?,
        exp: lower_to(&EXP_BELOW, &two, &[T::DTYPE], Indices::default())?,
        divided: lower_to(&DIVIDED, &two, &[q.dtype], Indices::default())?,
        stored: converted(T::DTYPE, T::DTYPE)?,
        scale: T::from(named.real("scale")?).unwrap_or_else(T::nan),
        causal: named.whole::<u8>("causal")? != 0,
        group: heads / k.layout.shape()[1],
        rows,
        keys,
        d,
        e,
    };
    let tiles = rows.div_ceil(QUERIES);
    let items = q.layout.shape()[0] * heads * tiles;
    probe::<T>(items, KEYS, [d, e])?;
    let work = Work {
        items,
        tenths_of_ns: tenths(keys.max(1) * QUERIES.min(rows), d + e),
        at_least: 1,
    };
    for_ranges(work, |from, to| {
        let mut room = Room::new(&pass)?;
        for item in from..to {
            let (stack, tile) = (item / tiles, item % tiles);
            // SAFETY: the caller's promise; each item writes rows of its own.
            unsafe { pass.queries(&mut room, [stack / heads, stack % heads, tile * QUERIES])? };
        }
        Ok(())
    })
}

/// What one thread works in.
struct Room<T> {
    q: Tile<T>,
    k: Tile<T>,
    v: Tile<T>,
    scores: Tile<T>,
    sums: Tile<T>,
    /// By row: the largest score, what is taken out of exponents, and the sum.
    top: Tile<T>,
    shift: Tile<T>,
    total: Tile<T>,
}

impl<T: Real> Room<T> {
    fn new(pass: &Forward<'_, T>) -> Result<Room<T>> {
        let rows = QUERIES.min(pass.rows);
        let keys = KEYS.min(pass.keys.max(1));
        let copied = |rows: usize, width: usize| {
            Tile::new(if pass.reader.copies() { rows } else { 0 }, width)
        };
        Ok(Room {
            q: copied(rows, pass.d)?,
            k: copied(keys, pass.d)?,
            v: copied(keys, pass.e)?,
            scores: Tile::new(rows, keys)?,
            sums: Tile::new(rows, pass.e)?,
            top: Tile::new(rows, 1)?,
            shift: Tile::new(rows, 1)?,
            total: Tile::new(rows, 1)?,
        })
    }
}

impl<T: Real> Forward<'_, T> {
    /// The results of the queries of one tile.
    ///
    /// # Safety
    /// As [`run`]; nobody else writes these rows.
    unsafe fn queries(&self, room: &mut Room<T>, [b, h, first]: [usize; 3]) -> Result<()> {
        let m = QUERIES.min(self.rows - first);
        let end = match self.causal {
            true => self.keys.min(first + m),
            false => self.keys,
        };
        room.top.fill(T::neg_infinity());
        room.total.fill(T::zero());
        room.sums.fill(T::zero());
        // SAFETY: the caller's promise, as in all below.
        let q = unsafe { self.reader.read(&self.q, [b, h, first], m, &mut room.q)? };
        let g = h / self.group;
        for from in (0..end).step_by(KEYS) {
            interrupt::poll()?;
            let n = KEYS.min(end - from);
            // SAFETY: as above; the tiles have room for so many rows and columns.
            unsafe {
                let k = self.reader.read(&self.k, [b, g, from], n, &mut room.k)?;
                let scores = room.scores.lies();
                T::multiply(
                    [m, n, self.d],
                    self.scale,
                    [q, k.turned()],
                    T::zero(),
                    scores,
                )?;
                self.score(room, [b, h, first, from], [m, n])?;
            }
            if self.causal {
                beyond(&mut room.scores, [first, from], [m, n], T::neg_infinity());
            }
            for i in 0..m {
                let before = room.top.row(i, 1)[0];
                let top = largest(room.scores.row(i, n), before);
                // Nothing is left of minus infinity, whatever is taken out of it.
                let shift = if top == T::neg_infinity() {
                    T::zero()
                } else {
                    top
                };
                room.top.row(i, 1)[0] = top;
                room.shift.row(i, 1)[0] = shift;
                let less = (before - shift).exp();
                room.total.row(i, 1)[0] = room.total.row(i, 1)[0] * less;
                if less != T::one() {
                    room.sums
                        .row(i, self.e)
                        .iter_mut()
                        .for_each(|x| *x = *x * less);
                }
            }
            // SAFETY: as above.
            unsafe {
                let inputs = vec![room.scores.slot(), room.shift.column()];
                over(&self.exp, [m, n], inputs, vec![room.scores.slot()])?;
            }
            for i in 0..m {
                let sum = sum(room.scores.row(i, n));
                room.total.row(i, 1)[0] = room.total.row(i, 1)[0] + sum;
            }
            // SAFETY: as above.
            unsafe {
                let v = self.reader.read(&self.v, [b, g, from], n, &mut room.v)?;
                let factors = [room.scores.lies(), v];
                T::multiply(
                    [m, self.e, n],
                    T::one(),
                    factors,
                    T::one(),
                    room.sums.lies(),
                )?;
            }
        }
        // SAFETY: as above; the outputs' rows are this call's.
        unsafe { self.store(room, [b, h, first, 0], m) }
    }

    /// Makes scores of products.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn score(
        &self,
        room: &mut Room<T>,
        place: [usize; 4],
        lengths: [usize; 2],
    ) -> Result<()> {
        let Some(program) = self.end else {
            return Ok(());
        };
        let mut inputs = vec![room.scores.slot()];
        inputs.extend(self.operands.iter().map(|x| x.slot(place)));
        // SAFETY: the caller's promise; in place, the scores are walked as the products are.
        unsafe { over(program, lengths, inputs, vec![room.scores.slot()]) }
    }

    /// Writes results and logarithms.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn store(&self, room: &mut Room<T>, place: [usize; 4], m: usize) -> Result<()> {
        let inputs = vec![room.sums.slot(), room.total.column()];
        // SAFETY: the caller's promise.
        unsafe {
            over(
                &self.divided,
                [m, self.e],
                inputs,
                vec![self.out.slot(place)],
            )?
        };
        for i in 0..m {
            let (top, total) = (room.top.row(i, 1)[0], room.total.row(i, 1)[0]);
            // A row of no keys is minus infinity, and NaN stays NaN.
            room.top.row(i, 1)[0] = if total == T::zero() {
                T::neg_infinity()
            } else {
                top + total.ln()
            };
        }
        // SAFETY: the caller's promise.
        unsafe {
            over(
                &self.stored,
                [m, 1],
                vec![room.top.slot()],
                vec![self.lse.slot(place)],
            )
        }
    }
}

/// Writes `value` for the keys that come after their query.
pub(super) fn beyond<T: Real>(
    tile: &mut Tile<T>,
    [first, from]: [usize; 2],
    [m, n]: [usize; 2],
    value: T,
) {
    for i in 0..m {
        let left = (first + i + 1).saturating_sub(from).min(n);
        tile.row(i, n)[left..].fill(value);
    }
}

/// The largest value, NaN left aside: it comes back in the sum.
fn largest<T: Real>(row: &[T], first: T) -> T {
    let larger = |a: T, b: T| if b > a { b } else { a };
    let mut lanes = [first; LANES];
    let mut chunks = row.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x);
        }
    }
    let rest = chunks.remainder().iter().copied();
    lanes.into_iter().chain(rest).fold(first, larger)
}

/// The sum, in an order that depends on the length alone.
pub(super) fn sum<T: Real>(row: &[T]) -> T {
    let mut lanes = [T::zero(); LANES];
    let mut chunks = row.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = *lane + x;
        }
    }
    let rest = chunks.remainder().iter().copied();
    lanes.into_iter().chain(rest).fold(T::zero(), |a, b| a + b)
}
