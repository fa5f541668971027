//! The slow, obvious meaning of a program: one number after another. Every executor is tested against it.

use super::program::{Fold, Yield};
use super::typed::{Level, Op, Typed, TypedNode};
use super::{Prim, reference};
use crate::dtype::DType;
use crate::error::{Error, Operands, Result};
use crate::scalar::Scalar;
use num_complex::Complex;

/// The index space of an interpreted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of rows.
    pub rows: usize,
    /// Elements of each row; 1 for a program without folds, whose elements are rows of their own.
    pub row: usize,
}

/// Computes every output of `program`, in order.
///
/// `read(k, r, i)` is tensor input `k` at element `i` of row `r`, also of an index, which is what its slot says. An `Element` output has
/// `rows * row` values in row-major order, a `RowScalar` output `rows`, a `RowSum` output `row`.
/// Floats are summed one after another in double precision.
///
/// Errors for a missing run-time number, for a fold without an identity over an empty row, and for a program that
/// [`lower`](super::lower) would not make.
///
/// ```
/// use syntonic_core::fuse::interpreter::{Extent, interpret};
/// use syntonic_core::fuse::{self, lower};
/// use syntonic_core::prelude::*;
///
/// syntonic_core::fuse! { TOTAL(x: element) -> (row_scalar) { sum(x * x) } }
/// let typed = lower(&TOTAL, &[DType::F64])?;
/// let extent = Extent { rows: 1, row: 3 };
/// let out = interpret(&typed, extent, &[], |_, _, i| Scalar::Float(i as f64))?;
/// assert_eq!(out[0], [Scalar::Float(5.0)]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn interpret(
    program: &Typed,
    extent: Extent,
    params: &[Scalar],
    read: impl Fn(usize, usize, usize) -> Scalar,
) -> Result<Vec<Vec<Scalar>>> {
    program.check()?;
    let rows = (0..extent.rows)
        .map(|r| one_row(program, extent.row, params, |k, i| read(k, r, i)))
        .collect::<Result<Vec<_>>>()?;
    program
        .outputs
        .iter()
        .map(|o| collect(program, extent, &rows, o))
        .collect()
}

/// The values of one output.
fn collect(
    program: &Typed,
    extent: Extent,
    rows: &[Vec<Vec<Scalar>>],
    output: &super::TypedOutput,
) -> Result<Vec<Scalar>> {
    let k = output.node as usize;
    let at = |r: usize, i: usize| rows[r][k][index(&program.nodes[k], i)];
    match output.role {
        Yield::Element => {
            let of_row = |r| (0..extent.row).map(move |i| (r, i));
            let places = (0..extent.rows).flat_map(of_row);
            Ok(places.map(|(r, i)| at(r, i)).collect())
        }
        Yield::RowScalar => Ok((0..extent.rows).map(|r| at(r, 0)).collect()),
        Yield::RowSum => {
            let sum = |i| {
                let column: Vec<Scalar> = (0..extent.rows).map(|r| at(r, i)).collect();
                Ok(folded(Fold::Sum, &column, output.dtype)?.cast(output.dtype))
            };
            (0..extent.row).map(sum).collect()
        }
    }
}

/// Where element `i` of a node's values lies: nodes that do not vary within the row have one value.
fn index(node: &TypedNode, i: usize) -> usize {
    if node.level == Level::Lane { i } else { 0 }
}

/// Every node's values over one row.
fn one_row(
    program: &Typed,
    row: usize,
    params: &[Scalar],
    read: impl Fn(usize, usize) -> Scalar,
) -> Result<Vec<Vec<Scalar>>> {
    let mut values: Vec<Vec<Scalar>> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let n = if node.level == Level::Lane { row } else { 1 };
        let of = |k: u32, i: usize| values[k as usize][index(&program.nodes[k as usize], i)];
        let dtype_of = |k: u32| program.nodes[k as usize].dtype;
        let value = |i: usize| -> Result<Scalar> {
            Ok(match node.op {
                Op::Input(k) | Op::Index(k) => read(k as usize, i),
                Op::Const(x) => x.cast(node.dtype),
                Op::Count => Scalar::Int(row as i128).cast(node.dtype),
                Op::Param(k) => params
                    .get(k as usize)
                    .ok_or_else(|| Error::value("interpret", format!("number {k} is missing")))?
                    .cast(node.dtype),
                Op::Cast(a) => of(a, i).cast(node.dtype),
                Op::Apply(prim, args) => {
                    let operand = dtype_of(args[usize::from(prim == Prim::Select)]);
                    let args = args.map(|a| of(a, i));
                    reference::apply(prim, &args[..prim.arity()], operand)
                }
                Op::Fold(fold, a) => {
                    let items: Vec<Scalar> = (0..row).map(|i| of(a, i)).collect();
                    folded(fold, &items, dtype_of(a))?.cast(node.dtype)
                }
            })
        };
        let all = (0..n).map(value).collect::<Result<_>>()?;
        values.push(all);
    }
    Ok(values)
}

/// The fold of `items`, all of type `dtype`, in the widest type of its kind.
fn folded(fold: Fold, items: &[Scalar], dtype: DType) -> Result<Scalar> {
    if items.is_empty() {
        return fold.identity().ok_or_else(|| Error::EmptyReduction {
            op: fold.name(),
            operands: Operands::default(),
        });
    }
    Ok(match fold {
        Fold::Sum if dtype.is_complex() => Scalar::Complex(complex(items).sum()),
        Fold::Sum if dtype.is_float() => Scalar::Float(items.iter().map(|x| x.to_f64()).sum()),
        Fold::Sum => Scalar::Int(items.iter().map(|x| x.to_i128()).sum()),
        Fold::Prod if dtype.is_complex() => Scalar::Complex(complex(items).product()),
        Fold::Prod if dtype.is_float() => Scalar::Float(items.iter().map(|x| x.to_f64()).product()),
        // Wrapping keeps every bit that the 64-bit result has.
        Fold::Prod => Scalar::Int(items.iter().fold(1, |p, x| p.wrapping_mul(x.to_i128()))),
        Fold::Any => Scalar::Bool(items.iter().any(|x| x.to_bool())),
        Fold::All => Scalar::Bool(items.iter().all(|x| x.to_bool())),
        Fold::Min | Fold::ArgMin => extreme(fold, items, |new, old| new < old),
        Fold::Max | Fold::ArgMax => extreme(fold, items, |new, old| new > old),
    })
}

fn complex(items: &[Scalar]) -> impl Iterator<Item = Complex<f64>> + '_ {
    items.iter().map(|x| x.to_complex())
}

/// The first item that no other beats, or the first NaN; its position for the folds that ask for it.
fn extreme(fold: Fold, items: &[Scalar], beats: fn(Key, Key) -> bool) -> Scalar {
    let mut best = 0;
    for (i, x) in items.iter().enumerate() {
        let (new, old) = (Key::of(*x), Key::of(items[best]));
        if !old.is_nan() && (new.is_nan() || beats(new, old)) {
            best = i;
        }
    }
    if matches!(fold, Fold::ArgMin | Fold::ArgMax) {
        Scalar::Int(best as i128)
    } else {
        items[best]
    }
}

/// A real number that compares exactly: integers are not squeezed into floats.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Key {
    Whole(i128),
    Real(f64),
}

impl Key {
    fn of(x: Scalar) -> Key {
        match x {
            Scalar::Float(x) => Key::Real(x),
            other => Key::Whole(other.to_i128()),
        }
    }

    fn is_nan(self) -> bool {
        matches!(self, Key::Real(x) if x.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::{Builder, Precision, Role, lower};

    #[test]
    fn a_softmax_by_hand() {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let top = b.fold(Fold::Max, x);
        let z = b.apply(Prim::Sub, &[x, top]);
        let e = b.apply(Prim::Exp, &[z]);
        let total = b.fold(Fold::Sum, e);
        let p = b.apply(Prim::Div, &[e, total]);
        let first = b.fold(Fold::ArgMax, x);
        b.output(p, Yield::Element);
        b.output(first, Yield::RowScalar);
        b.output(x, Yield::RowSum);
        let typed = lower(&b.finish("softmax", Precision::Wide), &[DType::F64]).unwrap();
        let x = [[0.0, 2f64.ln()], [3.0, 3.0]];
        let extent = Extent { rows: 2, row: 2 };
        let out = interpret(&typed, extent, &[], |_, r, i| Scalar::Float(x[r][i])).unwrap();
        let want = [1.0 / 3.0, 2.0 / 3.0, 0.5, 0.5];
        for (got, want) in out[0].iter().zip(want) {
            assert!((got.to_f64() - want).abs() < 1e-15);
        }
        assert_eq!(out[1], [Scalar::Int(1), Scalar::Int(0)]);
        assert_eq!(out[2], [Scalar::Float(3.0), Scalar::Float(3.0 + 2f64.ln())]);
    }

    #[test]
    fn empty_rows_have_identities_or_errors() {
        for fold in Fold::ALL {
            let mut b = Builder::new();
            let x = b.input("x", Role::Element);
            let y = b.fold(fold, x);
            b.output(y, Yield::RowScalar);
            let typed = lower(&b.finish("fold", Precision::Wide), &[DType::I32]).unwrap();
            let extent = Extent { rows: 1, row: 0 };
            match interpret(&typed, extent, &[], |_, _, _| Scalar::Int(0)) {
                Ok(out) => assert_eq!(Some(out[0][0]), fold.identity()),
                Err(e) => {
                    assert!(matches!(e, Error::EmptyReduction { op, .. } if op == fold.name()))
                }
            }
        }
    }
}
