//! Attention whose score is a function of Python's.

use crate::arguments::parameter;
use crate::enter::{enter, leave};
use crate::errors::Class;
use crate::memory::object;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use syntonic_core::{Error, Tensor};
use syntonic_srt::nn::{Attention, Positions, attention_scored};

const OP: &str = "attention";

/// Calls `score(s, b, h, q, k, *operands)`. What it raises comes out where attention was called.
fn called(
    f: &Py<PyAny>,
    score: &Tensor,
    at: &Positions,
    operands: &[Tensor],
) -> Result<Tensor, Error> {
    Python::attach(|py| {
        let call = || {
            let Positions {
                batch,
                head,
                query,
                key,
            } = at;
            let given = [score, batch, head, query, key].into_iter().chain(operands);
            let given = object::each(py, given.cloned().collect())?;
            let made = f.bind(py).call1(PyTuple::new(py, given)?)?;
            Ok::<Tensor, PyErr>(parameter(OP, "score").state(&made)?.tensor.clone())
        };
        call().map_err(|raised| {
            leave(raised);
            Error::value(OP, "its score raised an exception")
        })
    })
}

/// `attention(q, k, v, score, operands, causal, mask, scale)`.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "one door from Python, whose callers name them"
)]
pub(crate) fn attention(
    py: Python<'_>,
    q: &Bound<'_, PyAny>,
    k: &Bound<'_, PyAny>,
    v: &Bound<'_, PyAny>,
    score: Option<Bound<'_, PyAny>>,
    operands: &Bound<'_, PyAny>,
    causal: &Bound<'_, PyAny>,
    mask: Option<&Bound<'_, PyAny>>,
    scale: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let q = operand::tensor(q)?;
    let beside = |x: &Bound<'_, PyAny>| operand::tensor_beside(x, &q);
    let (k, v) = (beside(k)?, beside(v)?);
    if let Some(score) = score.as_ref().filter(|score| !score.is_callable()) {
        let wanted = "a function score(s, b, h, q, k, *operands)";
        return Err(parameter(OP, "score").refuse(Class::ArgumentType, score, wanted));
    }
    let operands = parameter(OP, "operands").tensors(operands)?;
    if score.is_none() && !operands.is_empty() {
        return Err(crate::errors::error(
            Class::Argument,
            "attention: operands are what a score reads, and there is none; hint: give score, or no operands",
        ));
    }
    let mask = mask.map(beside).transpose()?;
    let causal = parameter(OP, "causal").flag(causal)?;
    let real = |x| parameter(OP, "scale").real(x);
    let scale = scale.map(real).transpose()?;
    let score = score.map(Bound::unbind);
    // few: the operands of one call.
    let given: Vec<&Tensor> = operands.iter().collect();
    let work = || {
        let settings = Attention {
            operands: &given,
            causal,
            mask: mask.as_ref(),
            scale,
        };
        let f = |s: &Tensor, at: &Positions, operands: &[Tensor]| match &score {
            Some(f) => called(f, s, at, operands),
            None => Ok(s.clone()),
        };
        attention_scored(&q, &k, &v, f, settings)
    };
    // Always without the interpreter where it may be waited for: the score takes it again.
    Ok(enter(py, usize::MAX, work)?.into())
}
