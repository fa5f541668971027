//! Formulas over rows that are written out, one operation after the other.

use anyhow::{Context, Result};
use syntonic_core::random::Generator;

use super::{Prepared, dtype, tensor};
use crate::gpu::parity::formulas::{BETWEEN, Formula};
use crate::list::Row;
use crate::oracle::{Expected, Oracle, View, rounding};

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Formula::of(case).map(|_| prepared as _)
}

fn prepared(row: &Row) -> Result<Prepared> {
    let formula = Formula::of(&row.case).context("no such formula")?;
    let kind = dtype(row)?;
    let inputs = formula.inputs(&row.size, |stream, shape| {
        let mut drawn = vec![0.0; shape.iter().product()];
        Generator::new(1 + stream).uniform_f64(&mut drawn);
        let (low, high) = BETWEEN;
        drawn.iter_mut().for_each(|v| *v = low + *v * (high - low));
        tensor(drawn, shape, kind)
    })?;
    let (places, values, errors) = formula.expected(&inputs)?;
    let unit = rounding(kind);
    let oracle = Oracle::Values(vec![Expected {
        view: View::Places(places),
        values,
        scale: errors.iter().map(|e| e / unit).collect(),
        units: 1.0,
    }]);
    Ok(Prepared::new(inputs, move |x| formula.work(x), oracle))
}
