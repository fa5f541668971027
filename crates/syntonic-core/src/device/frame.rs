//! What a run of steps needs beside their launch: buffers in their order, and which of them are results.

use crate::dtype::DType;
use crate::error::Result;
use crate::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// What an input's buffer is a multiple of; what is left of its address is in its places.
const BASE: usize = 16;

/// The buffers of a run of [`Steps`](super::Steps): its inputs, its results, and the memory between steps, if there is any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// What the steps are together, for people and profilers.
    pub name: String,
    /// The shape and type of each result, which is row-major.
    pub results: Vec<(Vec<usize>, DType)>,
    /// Which result each output is.
    pub outputs: Vec<usize>,
    /// Bytes between steps.
    pub between: usize,
    /// Bytes of inputs and results, each once.
    pub bytes: usize,
}

impl Frame {
    /// The outputs that `run` makes of the buffers of these inputs.
    pub(crate) fn over(
        &self,
        inputs: &[&Tensor],
        run: impl FnOnce(&[*mut u8]) -> Result<()>,
    ) -> Result<Vec<Tensor>> {
        let made = |shape: &[usize], dtype: DType| {
            Tensor::uninit("pipeline", shape, dtype, inputs[0].device())
        };
        let results = self.results.iter();
        // few: results of a plan.
        let results = results
            .map(|(shape, dtype)| made(shape, *dtype))
            .collect::<Result<Vec<_>>>()?;
        let between = match self.between {
            0 => None,
            bytes => Some(made(&[bytes], DType::U8)?),
        };
        let mut buffers: Vec<*mut u8> = Vec::with_capacity(inputs.len() + results.len() + 1);
        for input in inputs {
            let first = input.buffer()?.address().wrapping_add(offset(input));
            buffers.push(first.wrapping_sub(first as usize % BASE));
        }
        for made in results.iter().chain(&between) {
            buffers.push(made.buffer()?.address());
        }
        run(&buffers)?;
        Ok(self.outputs.iter().map(|&k| results[k].clone()).collect())
    }
}

/// Bytes from the memory of a tensor to its first element.
fn offset(tensor: &Tensor) -> usize {
    tensor.layout().offset() * tensor.dtype().size()
}

/// Bytes from where the buffer of an input begins to its first element. One that is pending is supposed to get whole memory.
pub(crate) fn remainder(tensor: &Tensor) -> usize {
    let base = match tensor.is_pending() {
        true => 0,
        false => tensor.buffer().map_or(0, |b| b.address() as usize),
    };
    (base + offset(tensor)) % BASE
}
