//! Writes steps as compact instructions.

use super::allocate::allocate;
use super::blocks::Flow;
use super::builder::Builder;
use super::step::{Act, Slot, Step};
use super::{Block, Code, Exit, Meeting, Reduction};
use crate::machine::op::{NONE, Op, POOL};
use crate::machine::ops::mask;
use crate::machine::rows::{Line, lines};
use crate::ptx::Kind;

/// The compact form of what was built.
pub(crate) fn emit(build: Builder) -> Code {
    let flow = Flow::of(&build.steps);
    let allocation = allocate(&build.steps, &flow, &build.kinds);
    let (pool, constants) = pool(&build);
    let mut emitter = Emitter {
        rows: &allocation.rows,
        constants,
        ops: Vec::new(),
        places: Vec::new(),
        flow: &flow,
    };
    let mut blocks = Vec::with_capacity(flow.spans.len());
    for span in &flow.spans {
        let start = emitter.ops.len() as u32;
        for step in &build.steps[span.start..span.end] {
            emitter.ordinary(step);
        }
        let end = emitter.ops.len() as u32;
        let exit = span.exit.map(|exit| &build.steps[exit]);
        let place = exit
            .or(build.steps[span.start..span.end].last())
            .map_or(0, |step| step.place);
        blocks.push(Block {
            start,
            end,
            exit: exit.map_or(Exit::Next, |step| emitter.exit(step)),
            place,
        });
    }
    Code {
        name: String::new(),
        ops: emitter.ops,
        places: emitter.places,
        blocks,
        pool,
        register_bytes: allocation.bytes,
        registers: allocation.words,
        shared_end: 0,
        local_bytes: 0,
        param_bytes: 0,
    }
}

/// Rows of the constants that steps use, and where each is.
fn pool(build: &Builder) -> (Box<[Line]>, Vec<u32>) {
    let mut used = vec![false; build.constants.len()];
    for slot in build.steps.iter().flat_map(|step| &step.slots) {
        if let Slot::Constant(index) = slot {
            used[*index as usize] = true;
        }
    }
    let mut places = vec![NONE; used.len()];
    let mut bytes = 0;
    for of in [Kind::Double, Kind::Word, Kind::Half, Kind::Predicate] {
        for (index, (kind, _)) in build.constants.iter().enumerate() {
            if used[index] && *kind == of {
                places[index] = bytes | POOL;
                bytes += of.row_bytes();
            }
        }
    }
    let mut pool = lines(bytes as usize);
    for (index, &(kind, bits)) in build.constants.iter().enumerate() {
        if places[index] == NONE {
            continue;
        }
        let start = (places[index] & !POOL) as usize;
        let width = match kind {
            Kind::Half => 2,
            Kind::Word | Kind::Predicate => 4,
            Kind::Double => 8,
        };
        for at in 0..kind.row_bytes() as usize {
            let byte = start + at;
            pool[byte / 64].0[byte % 64] = bits.to_le_bytes()[at % width];
        }
    }
    (pool, places)
}

struct Emitter<'a> {
    rows: &'a [u32],
    constants: Vec<u32>,
    ops: Vec<Op>,
    places: Vec<u32>,
    flow: &'a Flow,
}

impl Emitter<'_> {
    fn row(&self, slot: Slot) -> u32 {
        match slot {
            Slot::None => NONE,
            Slot::Def(register) | Slot::Use(register) | Slot::Both(register) => {
                self.rows[register as usize]
            }
            Slot::Constant(index) => self.constants[index as usize],
            Slot::Number(number) => number,
        }
    }

    fn op(&self, exec: crate::machine::op::Exec, step: &Step) -> Op {
        Op {
            exec,
            r: step.slots.map(|slot| self.row(slot)),
            imm: step.imm,
        }
    }

    fn push(&mut self, op: Op, place: u32) {
        self.ops.push(op);
        self.places.push(place);
    }

    fn ordinary(&mut self, step: &Step) {
        let Act::Op(exec) = step.act else { return };
        let op = self.op(exec, step);
        let Some((predicate, negate)) = step.guard else {
            return self.push(op, step.place);
        };
        let guard = [self.rows[predicate as usize], 0, 0, 0, 0, 0];
        let flip = if negate { u64::from(u32::MAX) } else { 0 };
        self.push(
            Op {
                exec: mask::guard,
                r: guard,
                imm: flip,
            },
            step.place,
        );
        self.push(op, step.place);
        self.push(
            Op {
                exec: mask::unguard,
                r: [0; 6],
                imm: 0,
            },
            step.place,
        );
    }

    fn exit(&self, step: &Step) -> Exit {
        match &step.act {
            Act::Op(_) | Act::Label(_) => Exit::Next,
            Act::Jump(label) => Exit::Jump(self.flow.target(*label)),
            Act::Branch { label, negate } => Exit::Branch {
                predicate: self.row(step.slots[0]),
                flip: if *negate { u32::MAX } else { 0 },
                target: self.flow.target(*label),
            },
            Act::Table(labels) => {
                let targets = labels
                    .iter()
                    .map(|label| self.flow.target(*label))
                    .collect();
                Exit::Table(self.row(step.slots[0]), targets)
            }
            Act::End => Exit::End,
            Act::Together(exec) => Exit::Together(self.op(*exec, step), self.row(step.slots[5])),
            Act::Meet { waits, reduction } => Exit::Meet(Meeting {
                id: self.row(step.slots[0]),
                threads: self.row(step.slots[1]),
                waits: *waits,
                vote: if *reduction == Reduction::None {
                    NONE
                } else {
                    self.row(step.slots[2])
                },
                reduction: *reduction,
            }),
            Act::ClusterArrive => Exit::ClusterArrive,
            Act::ClusterWait => Exit::ClusterWait,
        }
    }
}
