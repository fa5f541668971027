//! One value over contiguous memory, for `full` and for assigning a number to a tensor.

use crate::context::Geometry;
use crate::contract::{Contract, contract};
use crate::plan::{Carrier, Launch, Limits};
use syntonic_core::Result;
use syntonic_core::fuse::{Op, Slot, Task};
use syntonic_core::layout::collapse;

contract! {
    "fill":
    /// One value for all elements.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct Parameters as "FillParameters" {
        /// Where the first element lies: a multiple of the element's size, or of 8 where that is 16.
        address: u64,
        /// How many elements there are.
        count: u64,
        /// Where the value lies, outside what is written.
        value: u64,
    }
}

/// Threads per block.
const THREADS: u32 = 256;

/// Bytes per store.
const WIDTH: u64 = 16;

/// A task that only fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fill {
    parameters: Parameters,
    /// Bytes per element.
    size: usize,
}

impl Fill {
    /// `task` as a fill: it copies one element, the same everywhere, to memory without gaps.
    pub(crate) fn of(task: &Task<'_>) -> Option<Fill> {
        let program = task.program;
        let ([input], [output]) = (&task.inputs[..], &task.outputs[..]) else {
            return None;
        };
        let node = program.nodes.get(program.outputs[0].node as usize)?;
        if node.op != Op::Input(0) {
            return None;
        }
        let shape = [&task.outer[..], &task.row[..]].concat();
        let strides = |slot: &Slot| [&slot.outer[..], &slot.row[..]].concat();
        let (dims, walks) = collapse(&shape, &[&strides(input), &strides(output)]);
        let still = walks[0].iter().all(|stride| *stride == 0);
        let contiguous = dims.is_empty() || dims[..] == [0] || walks[1][..] == [1];
        (still && contiguous).then(|| Fill {
            parameters: Parameters {
                address: output.address as u64,
                count: dims.iter().map(|length| *length as u64).product(),
                value: input.address as u64,
            },
            size: node.dtype.size(),
        })
    }

    /// Runs it, in this thread's stream.
    ///
    /// # Safety
    /// The addresses are those of a task that may run, see [`syntonic_core::Device::run`].
    pub(crate) unsafe fn run(&self, carrier: &impl Carrier) -> Result<()> {
        if self.parameters.count == 0 {
            return Ok(());
        }
        // SAFETY: `Parameters` is the kernel's, and what it points to is the caller's promise.
        unsafe { carrier.start(&self.launch(carrier.limits()), &self.parameters) }
    }

    /// Enough threads for one pass, capped at full occupancy: the kernel is a grid-stride loop.
    fn launch(&self, limits: &Limits) -> Launch<'static> {
        let pieces = (self.parameters.count * self.size as u64).div_ceil(WIDTH);
        let full = u64::from(limits.multiprocessors) * 8;
        let geometry = Geometry::line(pieces.div_ceil(u64::from(THREADS)).min(full), THREADS);
        Launch::new(Parameters::FAMILY, format!("fill_b{}", self.size), geometry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::DType;

    use syntonic_core::fuse::{Level, Typed, TypedNode, TypedOutput, Yield};

    fn copy(op: Op) -> Typed {
        let dtype = DType::F32;
        Typed {
            name: "copy".to_owned(),
            nodes: vec![TypedNode {
                op,
                dtype,
                level: Level::Lane,
            }],
            outputs: vec![TypedOutput {
                node: 0,
                role: Yield::Element,
                dtype,
            }],
            inputs: vec![dtype],
        }
    }

    fn fill(op: Op, outer: &[usize], from: &[isize], to: &[isize]) -> Option<Fill> {
        let slot = |address: usize, strides: &[isize]| Slot {
            address: address as *mut u8,
            outer: strides.into(),
            row: [].as_slice().into(),
        };
        Fill::of(&Task {
            program: &copy(op),
            outer: outer.into(),
            row: [].as_slice().into(),
            inputs: vec![slot(64, from)],
            outputs: vec![slot(256, to)],
            params: &[],
        })
    }

    #[test]
    fn one_value_over_memory_without_gaps_is_a_fill() {
        let wanted = |count| {
            Some(Fill {
                parameters: Parameters {
                    address: 256,
                    count,
                    value: 64,
                },
                size: 4,
            })
        };
        let input = Op::Input(0);
        assert_eq!(fill(input, &[2, 3], &[0, 0], &[3, 1]), wanted(6));
        assert_eq!(fill(input, &[], &[], &[]), wanted(1));
        assert_eq!(fill(input, &[3, 0], &[0, 0], &[1, 1]), wanted(0));
        assert_eq!(fill(input, &[1, 5], &[7, 0], &[9, 1]), wanted(5));
    }

    #[test]
    fn anything_else_is_not() {
        let input = Op::Input(0);
        assert_eq!(fill(input, &[2, 3], &[0, 1], &[3, 1]), None);
        assert_eq!(fill(input, &[2, 3], &[0, 0], &[4, 1]), None);
        assert_eq!(fill(input, &[3], &[0], &[-1]), None);
        assert_eq!(fill(Op::Count, &[3], &[0], &[1]), None);
    }
}
