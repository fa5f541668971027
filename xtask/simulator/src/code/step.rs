//! Instructions before they have rows: their operands are virtual registers.

use super::Reduction;
use crate::machine::op::Exec;

/// A virtual register, as a number.
pub(crate) type Register = u32;

/// One operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// No operand.
    None,
    /// A register that takes a result.
    Def(Register),
    /// A register that is read and takes a result.
    Both(Register),
    /// A register that is read.
    Use(Register),
    /// A constant, by its number.
    Constant(u32),
    /// A plain number.
    Number(u32),
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Runs on rows.
    Op(Exec),
    /// Is a place to go to.
    Label(u32),
    /// Goes to a label.
    Jump(u32),
    /// Goes to a label if the predicate in slot 0 is true, or false.
    Branch {
        /// The label.
        label: u32,
        /// Whether the predicate has to be false.
        negate: bool,
    },
    /// Goes to the label that slot 0 picks.
    Table(Vec<u32>),
    /// Ends the thread.
    End,
    /// Runs once all lanes of the mask in slot 5 came.
    Together(Exec),
    /// A barrier: number, threads and vote are slots 0 to 2.
    Meet {
        /// Whether the thread waits.
        waits: bool,
        /// What becomes of the votes.
        reduction: Reduction,
    },
    /// `barrier.cluster.arrive`.
    ClusterArrive,
    /// `barrier.cluster.wait`.
    ClusterWait,
}

/// What is known about a step, so that others may be made simpler.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nature {
    /// It has effects other than its results.
    Effect,
    /// It has no effect other than its results.
    Pure,
    /// Slot 0 takes what slot 1 has.
    Copy,
    /// Slot 0 takes the address of the kernel's parameters plus `imm`.
    ParameterAddress,
    /// It loads from the address in slot 4; from the parameters, this runs it.
    Load(Exec, u32),
}

/// An instruction of which the operands are virtual registers.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What it does.
    pub(crate) act: Act,
    /// Its operands.
    pub(crate) slots: [Slot; 6],
    /// A number.
    pub(crate) imm: u64,
    /// Lanes that run it, if not all: a predicate, and whether it has to be false.
    pub(crate) guard: Option<(Register, bool)>,
    /// What is known about it.
    pub(crate) nature: Nature,
    /// Where in the text it came from.
    pub(crate) place: u32,
}

impl Step {
    /// The registers it writes.
    pub(crate) fn defs(&self) -> impl Iterator<Item = Register> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Def(register) | Slot::Both(register) => Some(*register),
            _ => None,
        })
    }

    /// The registers it reads. Where a guard holds lanes back, results are read as well: those lanes keep them.
    pub(crate) fn uses(&self) -> impl Iterator<Item = Register> {
        let guarded = self.guard.is_some();
        let slots = self.slots.iter().filter_map(move |slot| match slot {
            Slot::Use(register) | Slot::Both(register) => Some(*register),
            Slot::Def(register) if guarded => Some(*register),
            _ => None,
        });
        slots.chain(self.guard.map(|(register, _)| register))
    }
}
