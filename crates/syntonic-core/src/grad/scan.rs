//! Running sums and products.

use super::node::{Keep, record};
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::create::zeros;
use crate::ops::elementwise::apply;
use crate::ops::join::{concat, narrow};
use crate::ops::linalg::conj;
use crate::ops::scan::{Initial, cumulative_prod, cumulative_sum};
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// The cotangent of as many results as there are elements: the identity that a result may begin with depends on nothing.
fn without_initial(g: &Tensor, axis: usize, initial: Initial, len: usize) -> Result<Tensor> {
    match initial {
        Initial::Leave => Ok(g.clone()),
        Initial::Include => narrow(g, axis, 1, len),
    }
}

/// Running sums of what is tracked: an element is a term of its own result and of all that follow.
pub(crate) fn sums(x: &Tensor, axis: usize, initial: Initial) -> Result<Tensor> {
    let along = Some(axis as isize);
    let value = cumulative_sum(&x.stop_gradient(), along, None, initial)?;
    record("cumulative_sum", &[x], Keep::Nothing, value, move |back| {
        let len = back.shape(0)[axis];
        let g = without_initial(back.cotangent(), axis, initial, len)?;
        let turned = g.flip(&[axis as isize])?;
        let sums = cumulative_sum(&turned, along, None, Initial::Leave)?;
        Ok(SmallVec::from_iter([Some(sums.flip(&[axis as isize])?)]))
    })
}

/// Running products of what is tracked.
///
/// The cotangent of element i is that of the results from i on times all factors but this one: the product of those before
/// it times `s_i = g_i + x_{i+1} s_{i+1}`. No division, so zeros are elements as any other.
pub(crate) fn products(x: &Tensor, axis: usize, initial: Initial) -> Result<Tensor> {
    let along = Some(axis as isize);
    let value = cumulative_prod(&x.stop_gradient(), along, None, initial)?;
    record(
        "cumulative_prod",
        &[x],
        Keep::Operands,
        value,
        move |back| {
            let x = conj(&back.operand(0)?)?;
            let len = x.shape()[axis];
            let g = without_initial(back.cotangent(), axis, initial, len)?;
            let before = cumulative_prod(&x, along, None, Initial::Include)?;
            let before = narrow(&before, axis, 0, len)?;
            let after = recurrence(&g, &earlier(&x, axis, 1)?, axis)?;
            let product = apply(Prim::Mul, &[(&before).into(), (&after).into()])?;
            Ok(SmallVec::from_iter([Some(product)]))
        },
    )
}

/// Each element `by` positions earlier along `axis`, zeros behind the last.
fn earlier(x: &Tensor, axis: usize, by: usize) -> Result<Tensor> {
    let len = x.shape()[axis];
    let by = by.min(len);
    let mut shape = x.shape().to_vec();
    shape[axis] = by;
    let rest = zeros(&shape, x.dtype(), x.device())?;
    concat(
        &[&narrow(x, axis, by, len - by)?, &rest],
        Some(axis as isize),
    )
}

/// `s_i = b_i + a_i s_{i+1}` along `axis`, with nothing behind the last: steps of 1, 2, 4, .. are composed, so a line of n
/// takes log2(n) passes.
fn recurrence(b: &Tensor, a: &Tensor, axis: usize) -> Result<Tensor> {
    let (mut b, mut a) = (b.clone(), a.clone());
    let mut step = 1;
    while step < b.shape()[axis] {
        let (next_b, next_a) = (earlier(&b, axis, step)?, earlier(&a, axis, step)?);
        let carried = apply(Prim::Mul, &[(&a).into(), (&next_b).into()])?;
        b = apply(Prim::Add, &[(&b).into(), (&carried).into()])?;
        a = apply(Prim::Mul, &[(&a).into(), (&next_a).into()])?;
        step *= 2;
    }
    Ok(b)
}
