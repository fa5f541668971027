//! A stack of products on the CPU, cut into tasks.

use super::contraction::Contraction;
use super::dense::Multiply;
use super::ending::{Ending, Piece, Sums};
use super::product::{Matrix, Product, matrix};
use crate::cpu::exec::parallel::try_ranges;
use crate::cpu::exec::scratch::Scratch;
use crate::cpu::threads;
use crate::error::Result;
use crate::interrupt;
use crate::layout::{Dims, Strides, collapse};
use crate::room;
use crate::scalar::Element;

/// A stack of products: leading lengths, and the strides of `a`, `b` and `c` along them.
struct Stack<'a, T: Multiply> {
    dims: Dims,
    strides: Vec<Strides>,
    first: Product<T, T::Factor>,
    end: Option<End<'a, T::Factor>>,
    /// Rows and columns of a piece.
    piece: (usize, usize),
}

/// What follows a product, and where its sums lie meanwhile.
struct End<'a, F> {
    ending: Ending<'a>,
    /// The result as a matrix of sums, where they fit there.
    sums: Option<Matrix<F>>,
}

// SAFETY: as of `Product`: it only names memory.
unsafe impl<F: Send> Send for End<'_, F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for End<'_, F> {}

/// Runs a launch.
///
/// # Safety
/// As [`super::MATMUL`], with factors of element type `T`.
pub(super) unsafe fn run<T: Multiply>(product: &Contraction<'_>) -> Result<()> {
    let stack = Stack::<T>::new(product);
    let all = stack.tasks();
    let one = T::cost(&stack.first) / stack.tiles().max(1);
    let alone = all < 2 || one.saturating_mul(all) < WORTH_IT;
    let threads = if alone { 1 } else { all.min(threads::count()) };
    let working = stack.working().saturating_mul(threads);
    if working > SMALL {
        // The library that multiplies aborts where memory ends: what all tasks at once need is probed for first.
        room::probe(working)?;
    }
    if alone {
        // SAFETY: the caller's promise.
        unsafe { stack.range(0, all)? };
        return Ok(interrupt::check()?);
    }
    let least = (SMALLEST_TASK / one.max(1)).max(1);
    // SAFETY: the caller's promise; ranges are disjoint.
    try_ranges(all, least, |from, to| unsafe { stack.range(from, to) })
}

/// Rows and columns of a piece: those of the type, halved where `k` is so long that a piece would take long. The sums
/// of an element do not depend on which piece it is in.
fn bounded<T: Multiply>(p: &Product<T, T::Factor>) -> (usize, usize) {
    let (mut m, mut n) = T::tile(p);
    let cost = |m: usize, n: usize| {
        let (m, n) = (m.min(p.m), n.min(p.n));
        T::cost(&Product { m, n, ..*p })
    };
    while cost(m, n) > LARGEST_TASK && m.max(n) > NARROWEST {
        let long = if m.min(p.m) >= n.min(p.n) {
            &mut m
        } else {
            &mut n
        };
        *long = (*long / 2).next_multiple_of(16);
    }
    (m, n)
}

/// Multiply-adds of a piece at most, some tenths of a second on a slow processor: work is told to stop between pieces.
const LARGEST_TASK: usize = 2 << 30;
/// Pieces whose longer side is no longer than this stay whole.
const NARROWEST: usize = 64;

/// Below this many multiply-adds, about 40 microseconds of work, waking the pool is assumed to cost
/// more than it brings; an estimate, not a measurement of this code.
const WORTH_IT: usize = 6 << 20;
/// Working memory up to this is taken without a look whether it is there, as any small block is.
const SMALL: usize = 64 << 10;
/// Multiply-adds that one task has at least.
const SMALLEST_TASK: usize = 1 << 20;
/// Elements of small products whose end is run at once, few enough to stay in cache.
const TOGETHER: usize = 8192;

impl<'a, T: Multiply> Stack<'a, T> {
    fn new(product: &Contraction<'a>) -> Stack<'a, T> {
        let (a, b, c) = (product.a, product.b, product.out);
        let lead = c.layout.ndim() - 2;
        let shape = c.layout.shape();
        let operands = product.end.map_or(&[][..], |end| &end.operands);
        let args = [a, b, c].into_iter().chain(operands);
        let leading = args.map(|arg| &arg.layout.strides()[..lead]);
        // few: one for each operand.
        let all: Vec<&[isize]> = leading.collect();
        let (dims, mut strides) = collapse(&shape[..lead], &all);
        let mut ends = strides.split_off(3);
        ends.push(strides[2].clone());
        let end = product.end.map(|end| End {
            ending: Ending::new(end, c, &ends),
            sums: product.in_place().then(|| matrix(c)),
        });
        let first = Product {
            m: shape[lead],
            n: shape[lead + 1],
            k: a.layout.shape()[lead + 1],
            a: matrix(a),
            b: matrix(b),
            c: matrix(c),
            alpha: T::Factor::from_scalar(product.alpha),
            beta: T::Factor::from_scalar(product.beta),
            conj_a: product.conj_a,
            conj_b: product.conj_b,
        };
        let mut stack = Stack {
            dims,
            strides,
            first,
            end,
            piece: (0, 0),
        };
        stack.join_rows();
        stack.piece = bounded(&stack.first);
        stack
    }

    /// A stack of `a` times one `b` is one product with more rows, where the rows follow evenly.
    fn join_rows(&mut self) {
        let Some(&len) = self.dims.last() else {
            return;
        };
        let last = self.dims.len() - 1;
        let [a, b, c] = [0, 1, 2].map(|k| self.strides[k][last]);
        let p = &mut self.first;
        let m = p.m as isize;
        let even = a == m * p.a.row && c == m * p.c.row;
        let ends = self.end.as_ref().is_none_or(|end| end.ending.joins(p.m));
        if b != 0 || !(even || p.m == 1) || !ends {
            return;
        }
        if let Some(end) = &mut self.end {
            end.ending.join(p.m);
            if p.m == 1
                && let Some(sums) = &mut end.sums
            {
                sums.row = c;
            }
        }
        if p.m == 1 {
            (p.a.row, p.c.row) = (a, c);
        }
        p.m *= len;
        self.dims.pop();
        self.strides.iter_mut().for_each(|s| {
            s.pop();
        });
    }

    /// Pieces of one product, down and across.
    fn grid(&self) -> (usize, usize) {
        let (rows, cols) = self.piece;
        (self.first.m.div_ceil(rows), self.first.n.div_ceil(cols))
    }

    fn tiles(&self) -> usize {
        let (down, across) = self.grid();
        down * across
    }

    fn tasks(&self) -> usize {
        self.dims.iter().product::<usize>() * self.tiles()
    }

    /// Bytes of memory that one piece works in at most.
    fn working(&self) -> usize {
        let (rows, cols) = self.piece;
        let part = Product {
            m: rows.min(self.first.m),
            n: cols.min(self.first.n),
            ..self.first
        };
        let apart = matches!(&self.end, Some(end) if end.sums.is_none());
        let sums = if apart { part.m * part.n } else { 0 };
        T::working(&part).saturating_add(sums.saturating_mul(size_of::<T::Factor>()))
    }

    /// Does the tasks `from..to`.
    ///
    /// # Safety
    /// As [`super::MATMUL`]; nobody else does these tasks.
    unsafe fn range(&self, from: usize, to: usize) -> Result<()> {
        let tiles = self.tiles();
        let mut index = from;
        while index < to {
            let (product, tile) = (index / tiles, index % tiles);
            // SAFETY: the part lies inside the launch's operands, and no two parts share an element of the result.
            index += unsafe {
                match &self.end {
                    Some(End {
                        ending,
                        sums: Some(sums),
                    }) => self.in_place(ending, *sums, product, tile, to - index)?,
                    Some(End { ending, sums: None }) => self.apart(ending, product, tile)?,
                    None => {
                        T::multiply(&self.part(product, tile))?;
                        1
                    }
                }
            };
        }
        Ok(())
    }

    /// One piece, or several small products that follow each other: the sums lie where the result will. Says how many.
    ///
    /// # Safety
    /// As [`Stack::range`].
    unsafe fn in_place(
        &self,
        ending: &Ending<'_>,
        sums: Matrix<T::Factor>,
        product: usize,
        tile: usize,
        most: usize,
    ) -> Result<usize> {
        let together = self.together(product).min(most);
        let at = self.position(product);
        for k in 0..together {
            let (part, (i, j)) = (self.part(product + k, tile), self.corner(tile));
            let mut by = self.offset(2, &at);
            if let Some(&step) = self.strides[2].last() {
                by += k as isize * step;
            }
            // SAFETY: the caller's promise.
            unsafe { T::sums(&part, sums.shifted(by).at(i, j))? };
        }
        // SAFETY: the caller's promise; the sums were just made.
        unsafe { ending.run::<T::Factor>(self.region(&at, tile, together), Sums::InPlace)? };
        Ok(together)
    }

    /// One piece whose sums lie apart from the result.
    ///
    /// # Safety
    /// As [`Stack::range`].
    unsafe fn apart(&self, ending: &Ending<'_>, product: usize, tile: usize) -> Result<usize> {
        let part = self.part(product, tile);
        let mut scratch = Scratch::take(part.m * part.n * size_of::<T::Factor>())?;
        let sums = Matrix {
            first: scratch.address().cast(),
            row: part.n as isize,
            col: 1,
        };
        let at = self.position(product);
        // SAFETY: the scratch has room for the piece and is this thread's; the rest is the caller's promise.
        unsafe {
            T::sums(&part, sums)?;
            ending.run(self.region(&at, tile, 1), Sums::Apart(sums))?;
        }
        Ok(1)
    }

    /// How many products from this one on are small enough to be ended at once.
    fn together(&self, product: usize) -> usize {
        let (Some(&len), 1) = (self.dims.last(), self.tiles()) else {
            return 1;
        };
        let small = TOGETHER / (self.first.m * self.first.n).max(1);
        small.clamp(1, len - product % len)
    }

    /// First row and column of a piece.
    fn corner(&self, tile: usize) -> (usize, usize) {
        let across = self.grid().1;
        (tile / across * self.piece.0, tile % across * self.piece.1)
    }

    fn region<'b>(&self, at: &'b [usize], tile: usize, count: usize) -> Piece<'b> {
        let (i, j) = self.corner(tile);
        Piece {
            at,
            count,
            i,
            j,
            m: self.piece.0.min(self.first.m - i),
            n: self.piece.1.min(self.first.n - j),
        }
    }

    /// A piece as a product of its own.
    fn part(&self, product: usize, tile: usize) -> Product<T, T::Factor> {
        let at = self.position(product);
        let (i, j) = self.corner(tile);
        let p = self.first;
        Product {
            m: self.piece.0.min(p.m - i),
            n: self.piece.1.min(p.n - j),
            a: p.a.shifted(self.offset(0, &at)).at(i, 0),
            b: p.b.shifted(self.offset(1, &at)).at(0, j),
            c: p.c.shifted(self.offset(2, &at)).at(i, j),
            ..p
        }
    }

    /// The place in the stack of the product `index`, counted row-major.
    fn position(&self, mut index: usize) -> Dims {
        let mut at = self.dims.clone();
        for axis in (0..self.dims.len()).rev() {
            at[axis] = index % self.dims[axis];
            index /= self.dims[axis];
        }
        at
    }

    /// How far an operand's matrix at this place is from its first.
    fn offset(&self, operand: usize, at: &[usize]) -> isize {
        let strides = self.strides[operand].iter();
        strides.zip(at).map(|(s, &p)| s * p as isize).sum()
    }
}
