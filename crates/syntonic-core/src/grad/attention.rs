//! Attention, whose way back makes its weights again.

use super::node::{Back, Cotangents, Keep, Reads, record_reading};
use crate::error::{Error, Result};
use crate::ops::attention::{Given, Way};
use crate::tensor::Tensor;

/// Attention on the tape: `operands` are queries, keys, values, the logarithms of the sums, and the tensors that the score reads.
pub(crate) fn attended(
    op: &'static str,
    operands: &[&Tensor],
    value: Tensor,
    way: Way,
) -> Result<Tensor> {
    let count = operands.len();
    let rule = move |back: &Back<'_>| {
        if back.tracked {
            let what = "has no second derivative; hint: write softmax(scale * q @ k.mT) @ v with operators where a gradient's gradient is needed, or take stop_gradient() of the gradient";
            return Err(Error::Gradient {
                op,
                what: what.into(),
            });
        }
        let [q, k, v, lse] = [0, 1, 2, 3].map(|k| back.operand(k));
        let read = (4..count).map(|k| back.operand(k));
        let given = Given {
            tensors: [q?, k?, v?],
            lse: lse?,
            read: read.collect::<Result<_>>()?, // few: the operands of one score.
            out: back.value()?,
            dout: back.cotangent().clone(),
        };
        let of = |k: usize| if k < 3 { k } else { k + 1 };
        let slopes = way.slopes(given, |k| back.wants(of(k)))?;
        let mut all: Cotangents = (0..count).map(|_| None).collect();
        for (k, slope) in slopes.into_iter().enumerate() {
            all[of(k)] = slope;
        }
        Ok(all)
    };
    record_reading(Reads::Stored, op, operands, Keep::All, value, rule)
}
