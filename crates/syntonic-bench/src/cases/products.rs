//! Matrix products. Elements at random places are recomputed; the sums of all rows cover the rest.

use anyhow::Result;
use syntonic_core::Tensor;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::linalg;

use super::{Prepared, compensated, dtype, normal, positive};
use crate::list::Row;
use crate::oracle::{Expected, Oracle, View, numbers, spread_places};

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "matmul" | "bmm" => product,
        "matmul_transposed" => product_transposed,
        "matvec" => matvec,
        "vecdot" => vecdot,
        _ => return None,
    })
}

/// A stack of matrices for the oracle, in full precision.
struct Stack {
    rows: usize,
    columns: usize,
    values: Vec<Complex<f64>>,
}

impl Stack {
    fn of(t: &Tensor) -> Result<Stack> {
        let shape = t.shape();
        let parts = numbers(t, None)?;
        let complex = t.dtype().is_complex();
        let values = if complex {
            parts.chunks(2).map(|p| Complex::new(p[0], p[1])).collect()
        } else {
            parts.iter().map(|&re| Complex::new(re, 0.0)).collect()
        };
        Ok(Stack {
            rows: shape[shape.len() - 2],
            columns: shape[shape.len() - 1],
            values,
        })
    }

    fn at(&self, s: usize, i: usize, j: usize) -> Complex<f64> {
        self.values[(s * self.rows + i) * self.columns + j]
    }
}

/// Real, or real and imaginary.
fn parts(z: Complex<f64>, complex: bool) -> impl Iterator<Item = f64> {
    [z.re, z.im].into_iter().take(if complex { 2 } else { 1 })
}

/// Elements at places all over the result. A sum of k products in any order, complex ones with four multiplications each.
fn at_places(a: &Stack, b: &Stack, complex: bool) -> Expected {
    let stacks = a.values.len() / (a.rows * a.columns);
    let places = spread_places(stacks * a.rows * b.columns);
    let (mut values, mut scale) = (Vec::new(), Vec::new());
    for &place in &places {
        let (row, j) = (place / b.columns, place % b.columns);
        let (s, i) = (row / a.rows, row % a.rows);
        let term = |k: usize| a.at(s, i, k) * b.at(s, k, j);
        let value = Complex::new(
            compensated((0..a.columns).map(|k| term(k).re)),
            compensated((0..a.columns).map(|k| term(k).im)),
        );
        let size: f64 = (0..a.columns)
            .map(|k| a.at(s, i, k).norm() * b.at(s, k, j).norm())
            .sum();
        values.extend(parts(value, complex));
        scale.extend(parts(Complex::new(size, size), complex));
    }
    Expected {
        view: View::Places(places),
        values,
        scale,
        units: a.columns as f64 + 8.0,
    }
}

/// The sum of every row of the result: A times the row sums of B.
fn row_sums(a: &Stack, b: &Stack, complex: bool) -> Expected {
    let sum = |row: &[Complex<f64>]| row.iter().sum::<Complex<f64>>();
    let sums: Vec<Complex<f64>> = b.values.chunks(b.columns).map(sum).collect();
    let norm = |values: &[Complex<f64>]| values.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
    let (mut values, mut scale) = (Vec::new(), Vec::new());
    for (r, row) in a.values.chunks(a.columns).enumerate() {
        let s = r / a.rows;
        let value: Complex<f64> = row
            .iter()
            .zip(&sums[s * b.rows..])
            .map(|(x, y)| x * y)
            .sum();
        let whole = norm(&b.values[s * b.rows * b.columns..(s + 1) * b.rows * b.columns]);
        let size = norm(row) * whole;
        values.extend(parts(value, complex));
        scale.extend(parts(Complex::new(size, size), complex));
    }
    // Entries err independently; the norm of the products bounds their sum far better than the sum of absolute values.
    Expected {
        view: View::RowSums(b.columns),
        values,
        scale,
        units: 16.0 * (a.columns as f64).sqrt(),
    }
}

fn operands(row: &Row) -> Result<(Tensor, Tensor)> {
    let kind = dtype(row)?;
    let (stack, mkn) = row.size.split_at(row.size.len() - 3);
    let a = normal(&[stack, &mkn[..2]].concat(), kind, 1)?;
    let b = normal(&[stack, &mkn[1..]].concat(), kind, 2)?;
    Ok((a, b))
}

fn oracle(a: &Tensor, b: &Tensor) -> Result<Oracle> {
    let complex = a.dtype().is_complex();
    let (left, right) = (Stack::of(a)?, Stack::of(b)?);
    let places = at_places(&left, &right, complex);
    Ok(Oracle::Values(vec![
        places,
        row_sums(&left, &right, complex),
    ]))
}

fn product(row: &Row) -> Result<Prepared> {
    let (a, b) = operands(row)?;
    let oracle = oracle(&a, &b)?;
    let work = |x: &[Tensor]| Ok(linalg::matmul(&x[0], &x[1])?.eval()?);
    Ok(Prepared::new(vec![a, b], work, oracle))
}

fn product_transposed(row: &Row) -> Result<Prepared> {
    let (a, b) = operands(row)?;
    let oracle = oracle(&a, &b.transpose(-2, -1)?)?;
    let work = |x: &[Tensor]| Ok(linalg::matmul(&x[0], &x[1].transpose(-2, -1)?)?.eval()?);
    Ok(Prepared::new(vec![a, b], work, oracle))
}

fn matvec(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let (a, x) = (
        normal(&row.size, kind, 1)?,
        normal(&row.size[1..], kind, 2)?,
    );
    let (left, right) = (numbers(&a, None)?, numbers(&x, None)?);
    let terms = |row: &[f64]| -> Vec<f64> { row.iter().zip(&right).map(|(a, x)| a * x).collect() };
    let rows: Vec<Vec<f64>> = left.chunks(right.len()).map(terms).collect();
    let values = rows
        .iter()
        .map(|t| compensated(t.iter().copied()))
        .collect();
    let scale = rows
        .iter()
        .map(|t| t.iter().map(|v| v.abs()).sum())
        .collect();
    let oracle = Oracle::close(values, scale, right.len() as f64 + 2.0);
    let work = |x: &[Tensor]| Ok(linalg::matmul(&x[0], &x[1])?.eval()?);
    Ok(Prepared::new(vec![a, x], work, oracle))
}

fn vecdot(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![positive(&row.size, kind, 1)?, positive(&row.size, kind, 2)?];
    let (a, b) = (numbers(&inputs[0], None)?, numbers(&inputs[1], None)?);
    let value = compensated(a.iter().zip(&b).map(|(a, b)| a * b));
    let oracle = Oracle::close(vec![value], vec![value], 4096.0);
    let work = |x: &[Tensor]| Ok(linalg::vecdot(&x[0], &x[1], -1)?);
    Ok(Prepared::new(inputs, work, oracle))
}
