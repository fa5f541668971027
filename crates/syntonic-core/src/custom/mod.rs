//! Operators of one's own: what they compute on the CPU, on another device, and their gradient, as one value.
//!
//! ```
//! use syntonic_core::custom::{Form, Operator};
//! use syntonic_core::prelude::*;
//!
//! // x^3, with its slope 3 x^2.
//! let cube = Operator::new("cube", |operands, _| Ok(vec![operands[0].clone()]))
//!     .cpu(|call| {
//!         for (y, x) in call.output::<f64>(0)?.iter_mut().zip(call.input::<f64>(0)?) {
//!             *y = x * x * x;
//!         }
//!         Ok(())
//!     })
//!     .gradient(|step| Ok(vec![Some(step.inputs[0].square()?.try_mul(3.0)?.try_mul(&step.gradients[0])?)]));
//! let x = Tensor::from([1.0, 2.0]);
//! assert_eq!(cube.apply(&[&x], &[])?[0].to_vec::<f64>()?, [1.0, 8.0]);
//! let slope = syntonic_core::grad::grad(|v| cube.apply(&[&v[0]], &[])?[0].sum(..), &[&x])?;
//! assert_eq!(slope[0].to_vec::<f64>()?, [3.0, 12.0]);
//! # Ok::<(), syntonic_core::Error>(())
//! ```
//!
//! An operator takes part in all that ours do: operands that wait are computed first, it is on the tape of a gradient, in graphs, and in a
//! profile under its name. It is computed at once, so to [`explain`](crate::lazy::explain) its results are memory. Its functions are
//! given row-major operands, whatever the layout of those of the call, and results in new memory.
//!
//! What goes wrong in a function of yours is an error with the operator's name, and the operands are as they were: an error that it returns,
//! a panic, results that it did not write, forms and gradients that do not fit.

mod call;
mod operator;

pub use call::{Body, Call};
pub(crate) use operator::Gradient;
pub use operator::{Operator, Step};

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::tensor::Tensor;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The shape and the element type of an operand or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Lengths of the axes.
    pub shape: Vec<usize>,
    /// Element type.
    pub dtype: DType,
}

impl Form {
    /// A form by its parts.
    ///
    /// ```
    /// use syntonic_core::custom::Form;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Form::new([2, 3], DType::F32), Form::of(&Tensor::zeros(&[2, 3], DType::F32)?));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(shape: impl Into<Vec<usize>>, dtype: DType) -> Form {
        let shape = shape.into();
        Form { shape, dtype }
    }

    /// That of a tensor.
    ///
    /// ```
    /// use syntonic_core::custom::Form;
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Form::of(&Tensor::from([1, 2])).shape, [2]);
    /// ```
    pub fn of(x: &Tensor) -> Form {
        Form::new(x.shape(), x.dtype())
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.dtype, self.shape)
    }
}

/// What an operator did not keep.
pub(crate) fn broken(op: &'static str, what: impl Into<String>) -> Error {
    let what = what.into().into_boxed_str();
    Error::Operator { op, what }
}

/// Runs a function of the operator's author, whose panic is an error.
pub(crate) fn guarded<T>(
    op: &'static str,
    part: &str,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    // What the function was changing is its own, or memory that is dropped.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(panic) => Err(broken(
            op,
            format!("its {part} panicked: {}", said(&*panic)),
        )),
    }
}

/// The text of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a text")
}
