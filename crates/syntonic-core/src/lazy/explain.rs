//! What reading an expression would run, for people.

use super::fusion::Fusion;
use super::{Goal, Pending};
use crate::error::Result;
use crate::layout::stored;
use crate::tensor::{Source, Tensor};
use std::sync::Arc;

impl Pending {
    fn explain(self: &Arc<Pending>) -> Result<String> {
        if self.result.get().is_some() {
            return Ok(format!("{}{:?}: in memory", self.dtype, &self.shape[..]));
        }
        match self.as_product() {
            Some(product) => Ok(format!("{}\n", product.explain(self))),
            None => Ok(Fusion::sketch(self, Goal::Result)?.explain()),
        }
    }
}

/// What reading `x` would run: the fused program, its inputs and the bytes that move. An input that is itself pending is
/// computed first; why it is no part of the program is said with it.
///
/// ```
/// use syntonic_core::lazy::explain;
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::ones(&[10_000], DType::F32)?;
/// assert!(explain(&x)?.ends_with("in memory"));
/// let y = (&x * 2 + 1).sqrt()?;
/// let text = explain(&y)?;
/// assert!(text.contains("sqrt") && text.contains("multiply"), "{text}");
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn explain(x: &Tensor) -> Result<String> {
    match x.source() {
        Source::Stored(_) => Ok(format!("{}: in memory", x.describe())),
        Source::Pending(p) => p.explain(),
        Source::Ramp(_) => Ok(match x.as_index() {
            Some(index) => format!("{}: {index}, without memory", x.describe()),
            None => format!("{}: in memory", x.describe()),
        }),
    }
}

/// Why a pending operand is no part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Its elements are read in another order, or not all.
    View,
    /// It is a reduction over other axes.
    OtherAxes,
    /// The program has as many operands as it may have.
    Operands,
    /// A product of matrices that this is not the end of.
    Product,
    /// Another thread has just computed it.
    Done,
}

impl Cut {
    fn reason(self) -> &'static str {
        match self {
            Cut::View => "computed first: its elements are read in another order, or not all",
            Cut::OtherAxes => "computed first: it is a reduction over other axes",
            Cut::Operands => "computed first: the program has as many operands as it may have",
            Cut::Product => "computed first: a product that this is not the end of",
            Cut::Done => "computed meanwhile",
        }
    }
}

impl Fusion {
    pub(super) fn explain(&self) -> String {
        let bytes = |t: &Tensor| match t.as_index() {
            Some(_) => 0,
            None => stored(t.shape().iter().zip(t.strides())) * t.dtype().size(),
        };
        let factors = self
            .product
            .iter()
            .flat_map(|begun| begun.product.factors());
        let product = self.product.as_ref().map(|begun| begun.input);
        let inputs = self.inputs.iter().enumerate();
        let leaves = inputs.filter(|&(k, _)| product != Some(k));
        let tensors = leaves.clone().map(|(_, leaf)| &leaf.tensor);
        let read: usize = tensors.chain(factors).map(bytes).sum();
        let size = |p: &Arc<Pending>| p.numel().saturating_mul(p.dtype.size());
        let written = self
            .outputs
            .iter()
            .map(|output| size(&output.pending))
            .fold(0, usize::saturating_add);
        let begins = match &self.product {
            Some(begun) => format!(
                "{}, and over its sums ",
                begun.product.explain(&self.outputs[0].pending)
            ),
            None => String::new(),
        };
        let shape = &self.space.shape[..];
        let over = if self.space.has_rows() {
            let axes = (0..shape.len()).filter(|&axis| self.space.reduces(axis));
            let axes: Vec<usize> = axes.collect();
            format!("one program over the rows of {shape:?} along axes {axes:?}")
        } else {
            format!("one pass over {shape:?}")
        };
        let mut text = format!(
            "{begins}{over}: {} expressions fused, {} inputs, {} outputs, reads {read} bytes, writes {written} bytes\n",
            self.gathered.len(),
            self.inputs.len(),
            self.outputs.len()
        );
        for (k, leaf) in leaves {
            let t = &leaf.tensor;
            if let Some(index) = t.as_index() {
                text.push_str(&format!("  x{k} = {}, {index}\n", t.describe()));
                continue;
            }
            let strided = if t.is_contiguous() { "" } else { " (strided)" };
            let reason = match leaf.cut {
                Some(cut) if t.is_pending() => format!(", {}", cut.reason()),
                _ => String::new(),
            };
            text.push_str(&format!("  x{k} = {}{strided}{reason}\n", t.describe()));
        }
        text.push_str(&self.program(None).to_string());
        text
    }
}
