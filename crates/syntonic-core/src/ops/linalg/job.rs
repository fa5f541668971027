//! A product that was checked, as it is launched.

use super::product::MATMUL;
use crate::device::{Account, Arg, Arithmetic, DeviceId, End, Launch};
use crate::error::Result;
use crate::fuse::Program;
use crate::layout::Dims;
use crate::lazy::conjugate_of;
use crate::ops::moves::arg;
use crate::profile;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// What is done with a product besides computing it.
#[derive(Clone, Debug)]
pub(crate) struct Job<'a> {
    pub(crate) alpha: Scalar,
    pub(crate) beta: Scalar,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) account: Option<Account>,
    /// The program over the sums and these operands.
    pub(crate) end: Option<(&'a Program, &'a [Tensor])>,
}

impl Default for Job<'_> {
    fn default() -> Self {
        Job {
            alpha: Scalar::Int(1),
            beta: Scalar::Int(0),
            arithmetic: Arithmetic::Native,
            account: None,
            end: None,
        }
    }
}

impl Job<'_> {
    /// Runs the kernel into `out`, which nobody else holds: `a` and `b` are stacks of matrices of one dtype whose lengths
    /// and leading axes fit it, and the operands of an end broadcast to it.
    pub(crate) fn run(&self, a: &Tensor, b: &Tensor, out: &Tensor) -> Result<()> {
        if out.numel() == 0 {
            return Ok(());
        }
        let lead = &out.shape()[..out.ndim() - 2];
        // A product with one row or column reads each element once: there the CPU's library has no fast path
        // for conjugates, and a pass of its own costs less. On a GPU a pass takes longer than the product.
        let fold = out.device().id() != DeviceId::Cpu
            || out.shape()[lead.len()..].iter().all(|&len| len > 1);
        let ((a, conj_a), (b, conj_b)) = (conjugated(a, fold), conjugated(b, fold));
        let ends;
        let end = match self.end {
            Some((program, operands)) => {
                ends = operands
                    .iter()
                    .map(|t| t.to_read()?.broadcast_to(out.shape()))
                    .collect::<Result<Vec<_>>>()?; // few: an end's operands.
                let args = ends.iter().map(arg).collect::<Result<_>>()?;
                Some(End::new(program, a.dtype(), args, out.dtype())?)
            }
            None => None,
        };
        let launch = Launch {
            inputs: vec![stacked(&a, lead)?, stacked(&b, lead)?],
            outputs: vec![arg(out)?],
            params: vec![
                self.alpha,
                self.beta,
                Scalar::Bool(conj_a),
                Scalar::Bool(conj_b),
                self.arithmetic.to_scalar(),
            ],
            end,
            account: self.account.clone(),
            ..Launch::default()
        };
        // SAFETY: the inputs are live tensors broadcast to the output's stack, with the inner lengths checked by the caller,
        // and the end's operands are live and broadcast to the output; the output is memory of this device that nobody else
        // holds.
        let run = || unsafe { out.device().launch(&MATMUL, &launch) };
        profile::kernel(out.device(), &MATMUL, &launch, run)
    }
}

/// What a pending conjugate is the conjugate of, so that the kernel conjugates while it reads.
pub(crate) fn conjugated(x: &Tensor, fold: bool) -> (Tensor, bool) {
    match conjugate_of(x).filter(|_| fold) {
        Some(original) => (original, true),
        None => (x.clone(), false),
    }
}

/// The operand with its leading axes broadcast to `lead`.
fn stacked(x: &Tensor, lead: &[usize]) -> Result<Arg> {
    let mut shape: Dims = lead.into();
    shape.extend_from_slice(&x.shape()[x.ndim() - 2..]);
    arg(&x.broadcast_to(&shape)?)
}
