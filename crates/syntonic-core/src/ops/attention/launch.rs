//! The launch, and its place on a tape.

use super::forms::Forms;
use super::score::{Read, Score};
use super::{OP, backward, cpu};
use crate::device::{End, Kernel, Launch, NamedKernel};
use crate::error::Result;
use crate::grad;
use crate::ops::moves::{arg, launch_of};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

pub(super) const NUMBERS: &[&str] = &["scale", "causal", "plain"];

/// Attention, as [the module](super) says.
pub static ATTENTION: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "attention",
        cpu: cpu::run,
    },
    inputs: &["q", "k", "v"],
    outputs: &["out", "lse"],
    numbers: NUMBERS,
    lists: &[],
};

/// Attention over `q [B, H, Q, D]`, `k [B, G, K, D]` and `v [B, G, K, E]`, on the tape where an operand is.
pub(super) fn attended(tensors: [&Tensor; 3], score: Score, forms: &Forms) -> Result<Tensor> {
    let plain = [0, 1, 2].map(|k| tensors[k].stop_gradient());
    let (out, lse) = forward(&plain, &score, forms)?;
    // few: the operands of one call.
    let mut operands: Vec<&Tensor> = tensors.to_vec();
    operands.push(&lse);
    operands.extend(score.reads.iter().filter_map(|read| match read {
        Read::Memory(t) => Some(t),
        Read::Index(_) => None,
    }));
    if !grad::tracks(&operands) {
        return Ok(out);
    }
    let way = backward::Way::new(&score, forms)?;
    grad::attended(OP, &operands, out, way)
}

/// The result, and the logarithm of each row's sum.
fn forward(tensors: &[Tensor; 3], score: &Score, forms: &Forms) -> Result<(Tensor, Tensor)> {
    let (b, h, rows) = (forms.b, forms.h, forms.q);
    let out = Tensor::uninit(
        OP,
        &[b, h, rows, forms.e],
        tensors[0].dtype(),
        &forms.device,
    )?;
    let lse = Tensor::uninit(OP, &[b, h, rows], forms.sums, &forms.device)?;
    if out.numel() == 0 {
        return Ok((out, lse));
    }
    let (end, live) = score.end(&score.program, 1, forms)?;
    let score = (end, score.is_plain());
    launched(&ATTENTION, forms, tensors, &[&out, &lse], score)?;
    drop(live);
    Ok((out, lse))
}

/// Launches a kernel of the family over these inputs, with a program, of a score that is the product alone or of another.
pub(super) fn launched(
    kernel: &'static NamedKernel,
    forms: &Forms,
    inputs: &[Tensor],
    outputs: &[&Tensor],
    (end, plain): (End, bool),
) -> Result<()> {
    let inputs: Vec<Tensor> = inputs.iter().map(Tensor::eval).collect::<Result<_>>()?;
    let launch = Launch {
        inputs: inputs.iter().map(arg).collect::<Result<_>>()?,
        outputs: outputs.iter().map(|t| arg(t)).collect::<Result<_>>()?,
        params: vec![
            Scalar::Float(forms.scale),
            Scalar::Int(forms.causal.into()),
            Scalar::Int(plain.into()),
        ],
        end: Some(end),
        named: Some(kernel),
        ..Launch::default()
    };
    // SAFETY: all operands are live until this returns, have the lengths of the call, which was checked, and those of the end are broadcast
    // to the space of the scores; outputs are new memory that nobody else has.
    unsafe { launch_of(&kernel.kernel, outputs[0], &launch) }
}
