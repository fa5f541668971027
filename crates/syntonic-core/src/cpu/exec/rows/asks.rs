//! What rows ask of memory ahead of its use: the next block of this pass, and the next row while this one is
//! computed.

use super::plan::Pass;
use super::{Rows, State};
use crate::cpu::exec::phases::Stream;
use crate::cpu::exec::space::Run;
use std::ops::Range;

impl Rows<'_> {
    /// Notes what to ask for while the block at `now` is computed: what this pass reads from memory or
    /// writes there in the block after it, and a part of what the next row reads first.
    pub(super) fn next_block(&self, pass: &Pass, now: Range<usize>, to: usize, state: &mut State) {
        state.ahead.begin(pass.kernels.len(), std::iter::empty());
        if now.end < to && !pass.phase.streams.is_empty() {
            let run = &mut state.next_run;
            self.row.enter(run, now.end);
            let end = self.row.block_end_in(run, now.end, pass.block, to);
            let spans = pass.phase.streams.iter();
            state
                .ahead
                .also(spans.filter_map(|&s| self.span(run, s, &state.first, now.end..end)));
        }
        if let (Some(share), false) = (pass.phase.share, state.next_row.is_empty()) {
            let part = |(at, bytes): (*mut u8, usize)| {
                let from = bytes * share.part / share.parts;
                let to = bytes * (share.part + 1) / share.parts;
                (at.wrapping_add(from), to - from)
            };
            let spans = self.passes[0].phase.streams.iter().filter_map(|&s| {
                self.span(&state.run, s, &state.next_row, now.clone())
                    .map(part)
            });
            state.ahead.also(spans);
        }
    }

    /// Where a stream lies at `at` of the row whose operands begin at `first`, if it is contiguous there.
    fn span(
        &self,
        run: &Run,
        stream: Stream,
        first: &[*mut u8],
        at: Range<usize>,
    ) -> Option<(*mut u8, usize)> {
        let Stream { operand, size } = stream;
        let direct = self
            .row
            .direct_in(run, operand, first[operand], size, at.start, at.len());
        Some((direct?, at.len() * size))
    }

    /// Notes what the tile of `rows` rows from row `at` on reads and writes.
    pub(super) fn next_tile(&self, at: usize, rows: usize, state: &mut State) {
        let len = rows * self.row.len();
        let parts = self.passes.iter().map(|p| p.kernels.len()).sum();
        let streams = self.passes.iter().flat_map(|p| &p.phase.streams);
        let spans = streams.map(|s| (self.first(s.operand, at, s.size), len * s.size));
        state.ahead.begin(if rows == 0 { 0 } else { parts }, spans);
    }
}
