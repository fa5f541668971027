//! The slow, obvious meaning of a plan: loops over numbers of double precision.

use super::binding::Extents;
use super::formula::{End, Types, explicit};
use super::plan::{Factor, Reduce, Stage, Work};
use super::walk::{Executor, goes_on};
use crate::dtype::DType;
use crate::error::{Error, Operands, Result};
use crate::fuse::{Fold, Node, Program, interpreter, lower};
use crate::layout::count;
use crate::room;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Rows that are computed between two questions of whether to stop.
const ROWS: usize = 256;

/// A value: numbers in row-major order.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl Grid {
    pub(super) fn of(t: &Tensor) -> Result<Grid> {
        Ok(Grid {
            shape: t.shape().to_vec(),
            values: t.to_vec::<f64>()?,
        })
    }

    pub(super) fn tensor(self) -> Result<Tensor> {
        Tensor::from_vec(self.values, &self.shape)
    }

    /// The number at a place of a shape that it broadcasts to.
    fn at(&self, place: &[usize]) -> f64 {
        let lead = place.len() - self.shape.len();
        let pairs = self.shape.iter().zip(&place[lead..]);
        let flat = pairs.fold(0, |flat, (&len, &i)| {
            flat * len + if len == 1 { 0 } else { i }
        });
        self.values[flat]
    }

    /// Rows and columns of a matrix; a vector is a row.
    fn matrix(&self) -> [usize; 2] {
        match self.shape[..] {
            [.., rows, columns] => [rows, columns],
            [columns] => [1, columns],
            [] => [1, 1],
        }
    }

    /// Where the matrix at a place of a stack begins.
    fn begin(&self, stack: &[usize]) -> usize {
        let own = &self.shape[..self.shape.len().saturating_sub(2)];
        let pairs = own.iter().zip(&stack[stack.len() - own.len()..]);
        let at = pairs.fold(0, |flat, (&len, &i)| {
            flat * len + if len == 1 { 0 } else { i }
        });
        let [rows, columns] = self.matrix();
        at * rows * columns
    }
}

/// The place of a number in row-major order.
fn place(mut flat: usize, shape: &[usize]) -> Vec<usize> {
    // few: axes.
    let mut place = vec![0; shape.len()];
    for (i, &len) in place.iter_mut().zip(shape).rev() {
        *i = flat % len;
        flat /= len;
    }
    place
}

/// What both broadcast to, if they do.
pub(super) fn broadcast<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Option<Vec<usize>> {
    let mut shapes = shapes.into_iter();
    let first = shapes.next()?.to_vec();
    shapes.try_fold(first, |common, shape| {
        crate::layout::broadcast_pair(&common, shape).map(|shape| shape.to_vec())
    })
}

/// Computes a plan number by number.
pub(super) struct Reference<'a>(pub(super) &'a Extents<'a>);

impl Executor for Reference<'_> {
    type Value = Grid;

    fn stage(&mut self, stage: &Stage, reads: &[Grid]) -> Result<Grid> {
        let shape = self.0.shape(&stage.shape);
        let values = match &stage.work {
            Work::Elements(formula) => elements(formula, End::Rounded, reads, &shape)?,
            Work::Reduction(Reduce::Smallest(k), formula) => {
                let over = broadcast(reads.iter().map(|g| &g.shape[..])).unwrap_or_default();
                let row = over.last().copied().unwrap_or(1);
                if *k > row {
                    let what =
                        format!("{k} of {row} numbers cannot be the smallest; hint: ask for fewer");
                    return Err(Error::value("topk", what));
                }
                let all = elements(formula, End::Rounded, reads, &over)?;
                let mut values = room::empty(count("pipeline", &shape)?)?;
                for row in all.chunks(row.max(1)) {
                    let mut sorted = row.to_vec(); // few: one row.
                    // Positive NaN is behind all numbers.
                    sorted.sort_by(|a, b| {
                        a.partial_cmp(b)
                            .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
                    });
                    values.extend_from_slice(&sorted[..*k]);
                }
                values
            }
            Work::Reduction(reduce, formula) => {
                let over = broadcast(reads.iter().map(|g| &g.shape[..])).unwrap_or_default();
                elements(formula, End::Reduced(*reduce), reads, &over)?
            }
            Work::Product(a, b) => product([(a, &reads[0]), (b, &reads[1])], &shape)?,
        };
        Ok(Grid { shape, values })
    }

    fn carry(&mut self, next: Grid, _start: &Grid) -> Result<Grid> {
        Ok(next)
    }

    fn ends(&mut self, value: &Grid) -> Result<bool> {
        Ok(value.values.first().is_some_and(|x| *x != 0.0))
    }
}

/// The fold, if it has no value over nothing.
fn needs_an_element(node: &Node) -> Option<Fold> {
    match node {
        Node::Fold(fold, _) if fold.identity().is_none() => Some(*fold),
        _ => None,
    }
}

/// A formula over the rows of a shape.
fn elements(formula: &Program, end: End, reads: &[Grid], shape: &[usize]) -> Result<Vec<f64>> {
    let double = Types {
        value: DType::F64,
        compute: DType::F64,
    };
    let program = explicit(formula, double, end);
    // few: operands of one formula.
    let reduced = matches!(end, End::Reduced(_));
    let typed = lower(&program, &vec![DType::F64; reads.len()])?;
    let (row, outer) = match shape.split_last() {
        Some((&row, outer)) if program.looks_at_rows() => (row, outer),
        // A single number is a row of its own.
        _ => (1, shape),
    };
    // Of no rows, too: whether there is a largest of nothing is no question of how often it is asked for.
    if row == 0
        && let Some(fold) = program.nodes.iter().find_map(needs_an_element)
    {
        return Err(Error::EmptyReduction {
            op: fold.name(),
            operands: Operands::default(),
        });
    }
    let rows = count("pipeline", outer)?;
    let mut values = room::empty(if reduced {
        rows
    } else {
        count("pipeline", shape)?
    })?;
    for begin in (0..rows).step_by(ROWS) {
        goes_on()?;
        let extent = interpreter::Extent {
            rows: ROWS.min(rows - begin),
            row,
        };
        let read = |k: usize, r: usize, i: usize| {
            let mut at = place(begin + r, outer);
            if outer.len() < shape.len() {
                at.push(i);
            }
            Scalar::Float(reads[k].at(&at))
        };
        let out = interpreter::interpret(&typed, extent, &[], read)?.remove(0);
        values.extend(out.iter().map(|x| x.to_f64()));
    }
    Ok(values)
}

/// A product of matrices, of which vectors are those of one row or column.
fn product([(a, x), (b, y)]: [(&Factor, &Grid); 2], shape: &[usize]) -> Result<Vec<f64>> {
    // Rows and columns as they lie, and the distances between them as the product sees them.
    let seen = |columns: usize, transposed: bool| {
        if transposed {
            (1, columns)
        } else {
            (columns, 1)
        }
    };
    let (row, column) = (x.shape.len() == 1, y.shape.len() == 1);
    let ([_, width], transposed) = (x.matrix(), a.transposed);
    let (down, along) = seen(width, transposed);
    let [first, second] = y.matrix();
    // A vector on the right is a column, whose numbers lie side by side.
    let (step, across) = if column {
        (1, 0)
    } else {
        seen(second, b.transposed)
    };
    let inner = if transposed { x.matrix()[0] } else { width };
    let m = if row {
        1
    } else {
        x.shape[x.shape.len() - if transposed { 1 } else { 2 }]
    };
    let n = match column {
        true => 1,
        false if b.transposed => first,
        false => second,
    };
    let lead = shape.len() + usize::from(row) + usize::from(column) - 2;
    let stacks = &shape[..lead];
    let mut values = room::empty(count("pipeline", shape)?)?;
    for flat in 0..count("pipeline", stacks)? {
        let stack = place(flat, stacks);
        let (left, right) = (x.begin(&stack), y.begin(&stack));
        for i in 0..m {
            goes_on()?;
            for j in 0..n {
                let term = |k: usize| {
                    x.values[left + i * down + k * along] * y.values[right + k * step + j * across]
                };
                values.push((0..inner).map(term).sum());
            }
        }
    }
    Ok(values)
}
