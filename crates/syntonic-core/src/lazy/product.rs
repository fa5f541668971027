//! Products of matrices as expressions.

use super::{Operand, Operation, Pending, conjugate_of, defer, lock};
use crate::device::Arithmetic;
use crate::error::Result;
use crate::fuse::Program;
use crate::layout::{Dims, count};
use crate::ops::linalg::{Job, conjugated};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::sync::Arc;

/// What else a product is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors {
    alpha: Scalar,
    arithmetic: Arithmetic,
}

/// A product that is not computed yet: `alpha a @ b`.
pub(super) struct Multiplied {
    factors: Factors,
    a: Tensor,
    b: Tensor,
}

/// `alpha a @ b` with the result `shape`, for stacks of matrices that the caller has checked: later if it is large.
pub(crate) fn product(
    alpha: Scalar,
    arithmetic: Arithmetic,
    a: &Tensor,
    b: &Tensor,
    shape: Dims,
) -> Result<Tensor> {
    let factors = Factors { alpha, arithmetic };
    let last = &shape[shape.len() - 2..];
    // A vector loses an axis at once, and would be computed then. On a GPU a small one waits no more than here: where its end is
    // another kernel, two products that meet in one formula would have an end each.
    let now = last.contains(&1) || count("matmul", &shape)? <= super::EAGER_ELEMENTS;
    if now {
        let (a, b) = (a.clone(), b.clone());
        let out = Tensor::uninit("matmul", &shape, a.dtype(), a.device())?;
        Multiplied { factors, a, b }.write(&out, None)?;
        return Ok(out);
    }
    let operands = [in_memory(a)?, in_memory(b)?].map(Operand::Tensor);
    defer(
        Operation::Product(factors),
        SmallVec::from_iter(operands),
        a.dtype(),
        shape,
        a.device(),
    )
}

/// A factor that waits for nothing, so that products do not form long chains. A conjugate is left to the product.
fn in_memory(x: &Tensor) -> Result<Tensor> {
    match conjugate_of(x) {
        Some(original) => original.buffer().map(|_| x.clone()),
        None => x.eval(),
    }
}

impl Pending {
    /// The product that the expression is, if it is one and not computed yet.
    pub(super) fn as_product(&self) -> Option<Multiplied> {
        let plan = lock(&self.plan);
        let plan = plan.as_ref()?;
        let Operation::Product(factors) = plan.operation else {
            return None;
        };
        let mut tensors = plan.operands.iter().filter_map(|used| match &used.0 {
            Operand::Tensor(t) => Some(t.clone()),
            Operand::Number(_) => None,
        });
        Some(Multiplied {
            factors,
            a: tensors.next()?,
            b: tensors.next()?,
        })
    }
}

impl Multiplied {
    /// Computes it for the expression that it is.
    pub(super) fn run(self, pending: &Arc<Pending>) -> Result<()> {
        let out = Tensor::uninit("matmul", &pending.shape, pending.dtype, &pending.device)?;
        self.write(&out, None)?;
        pending.finish(&out.buffer()?);
        Ok(())
    }

    /// Computes it into `out`, with an end over these operands.
    pub(super) fn write(&self, out: &Tensor, end: Option<(&Program, &[Tensor])>) -> Result<()> {
        let job = Job {
            alpha: self.factors.alpha,
            arithmetic: self.factors.arithmetic,
            end,
            ..Job::default()
        };
        job.run(&self.a, &self.b, out)
    }

    /// The factors as they lie in memory.
    pub(super) fn factors(&self) -> [&Tensor; 2] {
        [&self.a, &self.b]
    }

    /// The product, for people.
    pub(super) fn explain(&self, pending: &Pending) -> String {
        let factor = |x: &Tensor| {
            let (original, conjugate) = conjugated(x, true);
            let mark = if conjugate { "conj " } else { "" };
            let strided = if original.is_contiguous() {
                ""
            } else {
                " (strided)"
            };
            format!("{mark}{}{strided}", x.describe())
        };
        let alpha = match self.factors.alpha {
            Scalar::Int(1) => String::new(),
            Scalar::Int(x) => format!("{x} "),
            Scalar::Float(x) => format!("{x} "),
            other => format!("{other:?} "),
        };
        format!(
            "one product {alpha}{} @ {} -> {:?}",
            factor(&self.a),
            factor(&self.b),
            &pending.shape[..]
        )
    }
}
