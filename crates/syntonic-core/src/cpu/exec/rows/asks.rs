//! What rows ask of memory ahead of its use: the next block of this pass, and the next row while this one is
//! computed.

use super::{Rows, State};
use crate::cpu::exec::phases::{Phase, Stream};
use crate::cpu::exec::space::Run;
use std::ops::Range;

impl Rows<'_> {
    /// Notes what to ask for while the block at `now` is computed: what this pass reads from memory or
    /// writes there in the block after it, and a part of what the next row reads first.
    pub(super) fn next_block(
        &self,
        phase: &Phase,
        now: Range<usize>,
        to: usize,
        state: &mut State,
    ) {
        state
            .ahead
            .begin(phase.lane_nodes.len(), std::iter::empty());
        if now.end < to && !phase.streams.is_empty() {
            let run = &mut state.next_run;
            self.row.enter(run, now.end);
            let end = self.row.block_end_in(run, now.end, self.block, to);
            let spans = phase.streams.iter();
            state
                .ahead
                .also(spans.filter_map(|&s| self.span(run, s, &state.first, now.end..end)));
        }
        if let (Some(share), false) = (phase.share, state.next_row.is_empty()) {
            let part = |(at, bytes): (*mut u8, usize)| {
                let from = bytes * share.part / share.parts;
                let to = bytes * (share.part + 1) / share.parts;
                (at.wrapping_add(from), to - from)
            };
            let spans = self.phases.phases[0].streams.iter().filter_map(|&s| {
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

    /// Notes what row `at` reads and writes.
    pub(super) fn next_row(&self, at: usize, state: &mut State) {
        let phases = &self.phases.phases;
        let n = self.row.len();
        let spans = phases.iter().flat_map(|p| &p.streams).filter_map(|&s| {
            let first = self.first(s.operand, at, s.size);
            let direct = self.row.direct(s.operand, first, s.size, 0, n);
            Some((direct?, n * s.size))
        });
        let parts = phases.iter().map(|p| p.lane_nodes.len()).sum();
        state.ahead.begin(parts, spans);
    }
}
