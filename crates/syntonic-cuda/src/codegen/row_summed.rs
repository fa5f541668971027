//! Outputs that are summed over the rows.

use super::row_text::Text;
use super::rows::RowProgram;
use super::spelling::memory;
use syntonic_core::fuse::{Op, Yield};

/// An output that is summed over the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summed {
    /// Its number among the outputs.
    pub(super) output: usize,
    /// The value, before it is rounded.
    pub(super) node: u32,
    /// The region of shared memory with the sums over a thread's rows.
    pub(super) region: usize,
}

impl RowProgram<'_> {
    /// The outputs that are summed over the rows, and their regions of shared memory, behind all others.
    pub(super) fn sums(&self) -> Vec<Summed> {
        let regions = self.typed().inputs.len().max(self.kept_regions());
        self.summed()
            .enumerate()
            .map(|(at, (output, node))| Summed {
                output,
                node,
                region: regions + at,
            })
            .collect()
    }

    /// Those outputs and their values, before they are rounded.
    pub(super) fn summed(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let outputs = self.typed().outputs.iter().enumerate();
        let sums = outputs.filter(|(_, o)| o.role == Yield::RowSum);
        sums.map(|(k, output)| match self.node(output.node).op {
            Op::Cast(wide) if output.dtype.is_half() => (k, wide),
            _ => (k, output.node),
        })
    }

    /// The numbers of those outputs.
    pub(crate) fn summed_outputs(&self) -> Vec<usize> {
        self.summed().map(|(output, _)| output).collect()
    }

    /// Bytes per element in which its sum over rows is kept, by sum.
    pub(crate) fn sum_sizes(&self) -> Vec<usize> {
        self.summed()
            .map(|(_, node)| self.node(node).dtype.size())
            .collect()
    }
}

impl Text<'_> {
    /// The accumulators of sums over a thread's rows: their types, regions and operands.
    pub(super) fn sums(&mut self, sums: &[Summed]) {
        if sums.is_empty() {
            return;
        }
        self.line(
            1,
            "template <class Each> static __device__ __forceinline__ void sums(const Each& each) {",
        );
        let inputs = self.program.typed().inputs.len();
        for sum in sums {
            let kind = memory(self.program.node(sum.node).dtype);
            let (region, operand) = (sum.region, inputs + sum.output);
            self.line(
                2,
                format!("each.template sum<{kind}>({region}, {operand});"),
            );
        }
        self.line(1, "}");
    }
}
