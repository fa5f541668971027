//! The text of a kernel of several passes.

use super::super::body::Body;
use super::super::stages::stages;
use super::super::sweep::{self, THREADS};
use super::{At, Item, Kernel, Pass, Repeated};
use crate::jit::{self, Pieces};
use std::collections::BTreeSet;
use std::fmt::Write;
use syntonic_core::DType;

/// A longer text takes too long to assemble.
const LONGEST: usize = 1 << 20;
/// How a pass's text begins to name a word of its parameter.
const WORD: &str = "[p+";

/// The text of the kernel for a card; nothing where some operation has no piece.
pub(super) fn of(kernel: &Kernel, name: &str, capability: (u32, u32)) -> Option<String> {
    let mut parts = BTreeSet::new();
    for pass in &kernel.passes {
        parts.extend(jit::parts(&pass.formula.form)?);
    }
    let pieces = Pieces::of(&parts, capability)?;
    let mut writer = Writer {
        kernel,
        pieces: &pieces,
        capability,
        team: Team::Launch,
        text: pieces.header.clone(),
    };
    writer.whole(name)?;
    (writer.text.len() <= LONGEST).then_some(writer.text)
}

/// The words of its own parameter that a pass reads, in order.
pub(super) fn used(pass: &Pass) -> Option<Vec<usize>> {
    let pieces = Pieces::of(&jit::parts(&pass.formula.form)?, super::FIRST)?;
    let mut used = BTreeSet::new();
    named(&statements(pass, &pieces, super::FIRST)?, |offset| {
        used.insert(offset / 8);
        Some(String::new())
    })?;
    Some(used.into_iter().collect())
}

/// The work of one block of a pass.
fn statements(pass: &Pass, pieces: &Pieces, capability: (u32, u32)) -> Option<String> {
    let stages = stages(&pass.formula);
    let sharing = sweep::sharing(&pass.formula, &pass.sweep);
    let mut body = Body::new(
        &pass.formula,
        &stages,
        pieces,
        capability,
        (pass.inputs, 0),
        (sharing, pass.sweep.lanes),
    );
    body.values.text.clear();
    sweep::write_part(&mut body, pass.sweep, "turn_of")?;
    Some(body.values.text)
}

/// The text with what `word` says in the place of every name of a word, of which it is given the offset in bytes; nothing where it knows
/// none.
fn named(text: &str, mut word: impl FnMut(usize) -> Option<String>) -> Option<String> {
    let mut parts = text.split(WORD);
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let (offset, rest) = part.split_once(']')?;
        out.push_str(&word(offset.parse().ok()?)?);
        out.push_str(rest);
    }
    Some(out)
}

/// Whose blocks take the blocks of a pass.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Team {
    /// Those of the launch, which meet by words in memory; the words of a pass are in the parameter.
    Launch,
    /// One block alone; the words of a pass are in memory.
    Block,
}

pub(super) struct Writer<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) pieces: &'a Pieces,
    pub(super) capability: (u32, u32),
    pub(super) team: Team,
    pub(super) text: String,
}

/// What the statements of items use.
pub(super) const REGISTERS: &str = ".reg .pred ends, leads;\n.reg .b32 turn_of, turns, first_block, blocks, goal, count, round, times;\n.reg .b64 whole, of_round, gate, at_end;";

/// Appends lines.
macro_rules! line {
    ($writer:expr, $($what:tt)*) => {{
        let _ = writeln!($writer.text, $($what)*);
    }};
}

impl Writer<'_> {
    fn whole(&mut self, name: &str) -> Option<()> {
        let passes = &self.kernel.passes;
        let told = passes.iter().map(|p| sweep::told(p.sweep)).max()?;
        line!(
            self,
            ".visible .entry {name}(.param .align 8 .b8 given[{}])\n.maxntid {THREADS}, 1, 1\n.minnctapersm {}\n{{",
            8 * self.kernel.words,
            self.kernel.at_once()
        );
        line!(self, "{REGISTERS}\n{}", sweep::shared(told));
        line!(
            self,
            "mov.b64 whole, given;\nld.param.u64 gate, [whole];\ncvta.to.global.u64 gate, gate;\nmov.u32 blocks, %nctaid.x;\nmov.u32 first_block, %ctaid.x;\nmov.u32 goal, 0;\nmov.u32 count, %tid.x;\nsetp.eq.u32 leads, count, 0;"
        );
        self.items(&self.kernel.items)?;
        self.leave();
        line!(self, "ret;\n}}");
        Some(())
    }

    pub(super) fn items(&mut self, items: &[Item]) -> Option<()> {
        for item in items {
            match item {
                Item::Pass {
                    pass,
                    blocks,
                    words,
                } => self.pass(*pass, *blocks, words)?,
                Item::Meet => self.meet(),
                Item::Loop(repeated) => self.repeat(repeated)?,
            }
        }
        Some(())
    }

    /// The blocks of a pass, of which each block of the launch takes one after another.
    fn pass(&mut self, pass: usize, blocks: usize, words: &[At]) -> Option<()> {
        let pass = &self.kernel.passes[pass];
        let text = named(&statements(pass, self.pieces, self.capability)?, |offset| {
            let place = pass.used.binary_search(&(offset / 8)).ok()?;
            let (from, word) = match words[place] {
                At::Whole(word) => ("whole", word),
                At::Round(word) => ("of_round", word),
            };
            Some(format!("[{from}+{}]", 8 * word + offset % 8))
        })?;
        line!(
            self,
            "{{\nld.param.u32 turns, [whole+{}];\nmov.u32 turn_of, first_block;\n$take:\n.pragma \"nounroll\";\nsetp.ge.u32 ends, turn_of, turns;\n@ends bra.uni $taken;",
            8 * blocks
        );
        self.text.push_str(&text);
        // The next block's totals take the place of this one's.
        line!(
            self,
            "bar.sync 0;\nadd.u32 turn_of, turn_of, blocks;\nbra.uni $take;\n$taken:\n}}"
        );
        Some(())
    }

    /// All blocks meet: what any has written, all see.
    fn meet(&mut self) {
        if self.team == Team::Block {
            line!(self, "bar.sync 0;");
            return;
        }
        line!(
            self,
            "add.u32 goal, goal, blocks;\nbar.sync 0;\n{{\n@!leads bra $met;\nfence.acq_rel.gpu;\nred.relaxed.gpu.global.add.u32 [gate], 1;\n$wait:\nld.acquire.gpu.global.u32 count, [gate];\nsub.u32 count, count, goal;\nsetp.lt.s32 ends, count, 0;\n@ends bra $wait;\nfence.acq_rel.gpu;\n$met:\n}}\nbar.sync 0;"
        );
    }

    /// The last block to leave clears the words by which blocks meet.
    fn leave(&mut self) {
        line!(
            self,
            "{{\n@!leads bra $left;\nsub.u32 blocks, blocks, 1;\natom.inc.acq_rel.gpu.global.u32 count, [gate+4], blocks;\nsetp.ne.u32 ends, count, blocks;\n@ends bra $left;\nmov.u32 count, 0;\nst.relaxed.gpu.global.u32 [gate], count;\n$left:\n}}"
        );
    }

    fn repeat(&mut self, repeated: &Repeated) -> Option<()> {
        let &Repeated {
            times, word, apart, ..
        } = repeated;
        let [times, first, apart] = [times, word, apart].map(|words| 8 * words);
        line!(
            self,
            "{{\nld.param.u32 times, [whole+{times}];\nmov.u32 round, 0;\nadd.s64 of_round, whole, {first};\n$round:\n.pragma \"nounroll\";"
        );
        self.items(&repeated.body)?;
        line!(
            self,
            "add.u32 round, round, 1;\nsetp.ge.u32 ends, round, times;\n@ends bra.uni $over;"
        );
        self.meet();
        if let Some((dtype, word)) = repeated.until {
            self.ends(dtype, 8 * word);
            line!(self, "@ends bra.uni $over;");
        }
        // Rounds of the second and of the third kind take turns.
        line!(
            self,
            "and.b32 count, round, 1;\nsub.u32 count, 2, count;\nmad.wide.u32 of_round, count, {apart}, whole;\nadd.s64 of_round, of_round, {first};\nbra.uni $round;\n$over:"
        );
        self.items(&repeated.after)?;
        line!(self, "}}");
        Some(())
    }

    /// Sets `ends` where the number whose address the parameter has at `offset` is not 0.
    fn ends(&mut self, dtype: DType, offset: usize) {
        // A zero has no bits but that of its sign. A load widens what is shorter than a register.
        let (register, load, compare, ones) = match dtype.size() {
            8 => ("b64", "b64", "u64", u64::MAX >> 1),
            4 => ("b32", "b32", "u32", u64::from(u32::MAX >> 1)),
            _ => ("b32", "u16", "u32", u64::from(u16::MAX >> 1)),
        };
        line!(
            self,
            "{{\n.reg .{register} bits;\nld.param.u64 at_end, [of_round+{offset}];\ncvta.to.global.u64 at_end, at_end;\nld.global.{load} bits, [at_end];\nand.{register} bits, bits, {ones:#x};\nsetp.ne.{compare} ends, bits, 0;\n}}"
        );
    }
}
