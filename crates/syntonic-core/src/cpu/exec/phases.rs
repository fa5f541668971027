//! The order of a program with folds: between two folds that wait for each other lies a phase, and
//! each phase is one pass over the row.

use super::code::{Instruction, Step, is_dear};
use crate::fuse::{Level, Typed, Yield};

/// What happens in one pass over the row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phase {
    /// Nodes with one value per row, ready before the pass, in order.
    pub(crate) row_nodes: Vec<u32>,
    /// Nodes to compute for each block, in order.
    pub(crate) lane_nodes: Vec<u32>,
    /// Folds to feed.
    pub(crate) folds: Vec<u32>,
    /// Element outputs to write.
    pub(crate) outputs: Vec<usize>,
    /// Operands that are worth asking for a block ahead.
    pub(crate) streams: Vec<Stream>,
    /// Which part of what the next row reads first is asked for in this pass.
    pub(crate) share: Option<Share>,
}

/// A part of something, of some equal ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) part: usize,
    pub(crate) parts: usize,
}

/// An operand that a pass reads from memory, or writes there, element by element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    pub(crate) operand: usize,
    /// Bytes of one element.
    pub(crate) size: usize,
}

/// Which nodes keep their values from one pass to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All: a row is one block.
    All,
    /// Those that are dear to compute again.
    Dear,
    /// None.
    Nothing,
}

/// The passes, and which lane nodes later passes find as an earlier one left them.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    pub(crate) phases: Vec<Phase>,
    pub(crate) kept: Vec<bool>,
}

impl Phases {
    /// The passes of a program whose nodes change as `levels` say.
    pub(crate) fn new(
        program: &Typed,
        levels: &[Level],
        code: &[Instruction],
        keep: Keep,
    ) -> Phases {
        let ready = ready_phase(program);
        let count = ready.iter().max().map_or(1, |m| m + 1);
        // few: no more than nodes.
        let mut phases = vec![Phase::default(); count];
        for k in 0..code.len() {
            match code[k].step {
                Step::Fold(..) => {
                    phases[ready[k] - 1].folds.push(k as u32);
                    // Lane nodes of the next pass may read the fold itself.
                    phases[ready[k]].row_nodes.push(k as u32);
                }
                _ if levels[k] != Level::Lane => phases[ready[k]].row_nodes.push(k as u32),
                _ => {}
            }
        }
        for (o, output) in program.outputs.iter().enumerate() {
            if output.role != Yield::RowScalar {
                phases[ready[output.node as usize]].outputs.push(o);
            }
        }
        let mut done = vec![false; code.len()];
        let mut kept = vec![false; code.len()];
        for phase in &mut phases {
            let targets = phase
                .folds
                .iter()
                .flat_map(|&f| summed(&code[f as usize]))
                .chain(phase.outputs.iter().map(|&o| program.outputs[o].node));
            let needed = closure(program, levels, targets, &kept);
            phase.lane_nodes = (0..code.len() as u32)
                .filter(|&k| needed[k as usize])
                .collect();
            for &k in &phase.lane_nodes {
                done[k as usize] = true;
            }
            for k in 0..code.len() {
                kept[k] = done[k]
                    && match keep {
                        Keep::All => true,
                        Keep::Dear => is_dear(&code[k]),
                        Keep::Nothing => false,
                    };
            }
        }
        drop_unread(&mut kept, &phases, program, code);
        Phases { phases, kept }
    }

    /// Notes the streams of each pass: inputs where they are read first, outputs where they are
    /// written. `moves` says which operands differ from element to element and from row to row.
    pub(crate) fn find_streams(
        &mut self,
        program: &Typed,
        code: &[Instruction],
        moves: impl Fn(usize) -> bool,
    ) {
        let mut seen = vec![false; code.len()];
        for phase in &mut self.phases {
            for &k in &phase.lane_nodes {
                let k = k as usize;
                if let (Step::Input(operand), false) = (code[k].step, seen[k]) {
                    let size = code[k].size;
                    phase.streams.push(Stream { operand, size });
                }
                seen[k] = true;
            }
            phase.streams.extend(phase.outputs.iter().map(|&o| Stream {
                operand: program.inputs.len() + o,
                size: code[program.outputs[o].node as usize].size,
            }));
            phase.streams.retain(|s| moves(s.operand));
        }
    }

    /// Has the later passes, in which memory rests or is only written to, ask for what the first pass reads
    /// of the next row of `len`; says if there is something of at most `most` bytes.
    pub(crate) fn share_next_row(&mut self, len: usize, most: usize) -> bool {
        let Some((first, later)) = self.phases.split_first_mut() else {
            return false;
        };
        let bytes: usize = first.streams.iter().map(|s| s.size * len).sum();
        let mut busy: Vec<&mut Phase> = later
            .iter_mut()
            .filter(|p| !p.lane_nodes.is_empty())
            .collect();
        if bytes == 0 || bytes > most || busy.is_empty() {
            return false;
        }
        let parts = busy.len();
        for (part, phase) in busy.iter_mut().enumerate() {
            phase.share = Some(Share { part, parts });
        }
        true
    }
}

/// A value computed once and never read by a later pass need not be kept.
fn drop_unread(kept: &mut [bool], phases: &[Phase], program: &Typed, code: &[Instruction]) {
    for (k, keep) in kept.iter_mut().enumerate() {
        let made = phases
            .iter()
            .position(|p| p.lane_nodes.contains(&(k as u32)));
        let read_later = made.is_some_and(|m| {
            phases[m + 1..].iter().any(|p| {
                let by_node = p
                    .lane_nodes
                    .iter()
                    .any(|&n| program.nodes[n as usize].operands().contains(&(k as u32)));
                let mut folds = p.folds.iter();
                let by_fold = folds.any(|&n| summed(&code[n as usize]).any(|a| a as usize == k));
                by_node
                    || by_fold
                    || p.outputs
                        .iter()
                        .any(|&o| program.outputs[o].node == k as u32)
            })
        });
        *keep &= read_later;
    }
}

/// The first pass in which each node's value is there.
fn ready_phase(program: &Typed) -> Vec<usize> {
    let mut ready: Vec<usize> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let operands = node
            .operands()
            .iter()
            .map(|&a| ready[a as usize])
            .max()
            .unwrap_or(0);
        let fold = matches!(node.op, crate::fuse::Op::Fold(..));
        ready.push(operands + usize::from(fold));
    }
    ready
}

/// The lane nodes that must be computed to have `targets`, stopping at values that were kept.
fn closure(
    program: &Typed,
    levels: &[Level],
    targets: impl Iterator<Item = u32>,
    kept: &[bool],
) -> Vec<bool> {
    let mut needed = vec![false; program.nodes.len()];
    let mut stack: Vec<u32> = targets.collect();
    while let Some(k) = stack.pop() {
        let at = k as usize;
        if needed[at] || kept[at] || levels[at] != Level::Lane {
            continue;
        }
        needed[at] = true;
        stack.extend(program.nodes[at].operands());
    }
    needed
}

/// The nodes that a fold reads element by element; none for other instructions.
pub(crate) fn summed(instruction: &Instruction) -> impl Iterator<Item = u32> + use<> {
    let terms = match instruction.step {
        Step::Fold(_, terms) => Some(terms),
        _ => None,
    };
    terms.into_iter().flat_map(|t| t.lanes())
}
