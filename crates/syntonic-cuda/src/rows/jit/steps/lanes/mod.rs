//! A persistent kernel: each of its blocks is a lane, which takes requests from the host's memory and runs the steps of the
//! program that each names, in its shared memory. `service/queue/ring.rs` is the other side.

use super::super::sweep::{self, THREADS};
use super::text::{REGISTERS, Team, Writer};
use super::{Kernel, Pass, order};
use crate::fnv::Fnv;
use crate::jit::{self, Pieces};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use syntonic_core::device::{Steps, Word};

mod known;
mod ptx;

pub(crate) use known::Known;
use known::{anywhere, settled};
use ptx::{BEGIN, END, PARAMETER};
pub(crate) use ptx::{CELLED, Parameter};

/// Threads of a lane: those of a sweep.
pub(crate) const LANE: u32 = THREADS as u32;
/// A longer text takes too long to assemble.
const LONGEST: usize = 1 << 21;

/// Steps as a lane runs them.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    kernel: Kernel,
    /// What its table of words has.
    pub(crate) words: Vec<Word>,
    /// Bytes of partial values, and block counters.
    pub(crate) partial: usize,
    pub(crate) counters: usize,
}

impl Program {
    /// The program of steps, for one block; nothing where some task has no sweep, or there is too much.
    pub(crate) fn of(steps: &Steps) -> Option<Program> {
        let order = order::Order::over(steps, 1)?;
        Some(Program {
            kernel: order.kernel,
            words: order.words,
            partial: order.partial,
            counters: order.counters,
        })
    }
}

/// The kernel of a queue: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lanes(Vec<(Kernel, Vec<Known>)>);

impl Lanes {
    /// The kernel of programs, with the words of each.
    pub(crate) fn of<'a>(programs: impl Iterator<Item = (&'a Program, Vec<Known>)>) -> Lanes {
        let same = |word| match word {
            Known::Address(_) => Known::Address(0),
            word => word,
        };
        let programs = programs.map(|(program, words)| {
            let words = words.into_iter().map(same).collect(); // few: words of a program.
            (program.kernel.clone(), words)
        });
        Lanes(programs.collect()) // few: programs of a queue.
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for (kernel, words) in &self.0 {
            hash.write_u64(kernel.fingerprint());
            words.hash(&mut hash);
        }
        hash.0
    }

    fn passes(&self) -> impl Iterator<Item = &Pass> {
        self.0.iter().flat_map(|(kernel, _)| &kernel.passes)
    }
}

impl jit::Kernel for Lanes {
    fn name(&self) -> String {
        format!("jit_lanes_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        let mut parts = BTreeSet::new();
        for pass in self.passes() {
            parts.extend(jit::parts(&pass.formula.form)?);
        }
        let pieces = Pieces::of(&parts, capability)?;
        let told = self.passes().map(|p| sweep::told(p.sweep)).max()?;
        let mut programs = String::new();
        for (k, (kernel, words)) in self.0.iter().enumerate() {
            let mut writer = Writer {
                kernel,
                pieces: &pieces,
                capability,
                team: Team::Block,
                text: String::new(),
            };
            writer.items(&kernel.items)?;
            let items = anywhere(&settled(&writer.text, words));
            let _ = writeln!(programs, "$program_{k}:\n{items}bra.uni $ran;");
        }
        let mut chosen = String::new();
        for k in 0..self.0.len() {
            let _ = writeln!(
                chosen,
                "setp.eq.u32 ends, program, {k};\n@ends bra.uni $program_{k};"
            );
        }
        let [name, header, shared] = [&self.name(), &pieces.header, &sweep::shared(told)];
        let text = format!(
            "{header}.extern .shared .align 16 .b8 room[];\n.visible .entry {name}(.param .align 8 .b8 given[{PARAMETER}])\n.maxntid {THREADS}, 1, 1\n.minnctapersm 1\n{{\n{REGISTERS}\n\
             {shared}\n{BEGIN}{chosen}bra.uni $ran;\n{programs}{END}}}\n"
        );
        (text.len() <= LONGEST).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_does_not_hang_on_where_operands_are_kept() {
        let kernel = Kernel {
            passes: Vec::new(),
            items: Vec::new(),
            words: 1,
        };
        let program = Program {
            kernel,
            words: Vec::new(),
            partial: 0,
            counters: 0,
        };
        let of = |word| Lanes::of([(&program, vec![word])].into_iter());
        assert_eq!(of(Known::Address(64)), of(Known::Address(128)));
        let [three, four] = [3, 4].map(|n| of(Known::Number(n)));
        assert_ne!(three, four);
        assert_ne!(three.fingerprint(), four.fingerprint());
    }
}
