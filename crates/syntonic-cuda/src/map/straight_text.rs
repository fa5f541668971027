//! The text of a kernel over operands in one linear order: a schedule around the values of a form.
//!
//! Full blocks go by vectors of 16 bytes of the widest operand or result; the last block goes element by element.

use super::each::{Each, Folding, search};
use super::kernel::{Kernel, Spread};
use crate::jit::{self, Kernel as _, Moved, Pieces, Share, Sharing, Values, with_version};
use crate::plan::straight::{Kind, place};
use std::fmt::Write;

/// The text of a kernel over operands of these kinds, of one group of tensors or of each of many, for a card; nothing where some operation has no
/// piece.
pub(super) fn text(
    kernel: &Kernel,
    kinds: &[Kind],
    each: Option<&Each>,
    capability: (u32, u32),
) -> Option<String> {
    let pieces = Pieces::of(&jit::parts(&kernel.form)?, capability)?;
    let mut sharing = vec![Sharing::Each; kernel.form.values.len()];
    for ((k, _, _), kind) in kernel.form.leaves().zip(kinds) {
        let each = matches!(kind, Kind::Vector | Kind::Index);
        sharing[k as usize] = Sharing::of_uniform(!each);
    }
    let spread = kernel.spread();
    let mut writer = Writer {
        kernel,
        kinds,
        values: Values::new(&kernel.form, sharing, spread.lanes, &pieces),
        spread,
        each,
        capability,
    };
    if each.is_some_and(|each| each.table.is_long()) {
        writer.values.text = with_version(&writer.values.text, "8.1");
    }
    writer.whole()?;
    Some(writer.values.text)
}

struct Writer<'a> {
    kernel: &'a Kernel,
    kinds: &'a [Kind],
    values: Values<'a>,
    spread: Spread,
    /// What is different where there are many groups of tensors.
    each: Option<&'a Each>,
    capability: (u32, u32),
}

/// Appends a line.
macro_rules! line {
    ($writer:expr, $($what:tt)*) => {{
        let _ = writeln!($writer.values.text, $($what)*);
    }};
}

impl Writer<'_> {
    fn whole(&mut self) -> Option<()> {
        let Spread {
            lanes,
            vectors,
            threads,
        } = self.spread;
        let size = match self.each {
            Some(each) => each.table.bytes(),
            None => place::size(self.kinds.len()),
        };
        line!(
            self,
            ".visible .entry {}(.param .align 8 .b8 p[{size}])",
            self.kernel.name()
        );
        line!(self, ".maxntid {threads}, 1, 1\n{{");
        line!(
            self,
            ".reg .pred past;\n.reg .b32 tid, block;\n.reg .b64 count, start, first, at;"
        );
        line!(self, "mov.u32 block, %ctaid.x;\nmov.u32 tid, %tid.x;");
        match self.each {
            Some(each) => search(&mut self.values, &each.table),
            None => line!(self, "ld.param.u64 count, [p+{}];", place::COUNT),
        }
        line!(
            self,
            "mul.wide.u32 start, block, {};",
            self.spread.elements()
        );
        self.uniforms();
        self.folding(|folding| folding.begin());
        line!(self, "add.s64 at, start, {};", self.spread.elements());
        line!(self, "setp.gt.u64 past, at, count;\n@past bra $last;");
        line!(self, "mad.wide.u32 first, tid, {lanes}, start;");
        let whole = Share {
            lanes,
            first: 0,
            vectors,
        };
        self.share(whole)?;
        line!(self, "bra.uni $done;\n$last:");
        if vectors > 1 {
            // As many vectors of all threads as there are: a fold has many.
            let vector = Share {
                vectors: 1,
                ..whole
            };
            let step = threads * lanes;
            line!(
                self,
                "$vectors:\n.pragma \"nounroll\";\nadd.s64 at, start, {step};\nsetp.gt.u64 past, at, count;\n@past bra $rest;\nmad.wide.u32 first, tid, {lanes}, start;"
            );
            self.share(vector)?;
            line!(
                self,
                "add.s64 start, start, {step};\nbra.uni $vectors;\n$rest:"
            );
        }
        line!(
            self,
            "cvt.u64.u32 first, tid;\nadd.s64 first, first, start;"
        );
        line!(self, "$next:\n.pragma \"nounroll\";");
        line!(self, "setp.ge.u64 past, first, count;\n@past bra $done;");
        self.share(Share::ONE)?;
        line!(self, "add.s64 first, first, {threads};\nbra.uni $next;");
        line!(self, "$done:");
        if let Some(total) = self.each.and_then(|each| each.total) {
            let result = total.result(self.values.dtype(self.kernel.form.outputs[0]));
            self.folding(|folding| folding.finish(result));
        }
        line!(self, "ret;\n}}");
        Some(())
    }

    /// Writes a part of a fold, if the kernel has one.
    fn folding(&mut self, write: impl FnOnce(&mut Folding<'_, '_>)) {
        if let Some(total) = self.each.and_then(|each| each.total) {
            write(&mut Folding {
                values: &mut self.values,
                total,
                capability: self.capability,
                threads: self.spread.threads,
            });
        }
    }

    /// Where the parameter has the address of result `k`.
    fn result(&self, k: usize) -> String {
        match self.each {
            Some(_) => format!("entry+{}", 8 + 8 * k),
            None => format!("p+{}", place::output(k)),
        }
    }

    /// Where the parameter has the address of operand `k`, a vector.
    fn vector(&self, k: usize) -> String {
        match self.each {
            Some(each) => format!("entry+{}", each.own(k, self.kernel.form.outputs.len())),
            None => format!("p+{}", place::address(k)),
        }
    }

    /// The form's operands: value, kind, and which operand it is.
    fn leaves(&self) -> Vec<(u32, Kind, usize)> {
        let kinds = self.kinds.iter().enumerate();
        let leaves = self.kernel.form.leaves().zip(kinds);
        leaves.map(|((k, ..), (i, &kind))| (k, kind, i)).collect()
    }

    /// Values shared by all elements, loaded once.
    fn uniforms(&mut self) {
        for (k, kind, i) in self.leaves() {
            if matches!(kind, Kind::Vector | Kind::Index) {
                continue;
            }
            self.values.declare(k, Share::ONE);
            if kind == Kind::Number {
                self.values.number(k, place::bits(i));
                continue;
            }
            line!(
                self,
                "ld.param.u64 at, [p+{}];\ncvta.to.global.u64 at, at;",
                place::address(i)
            );
            self.values.single(k, 0, "at");
        }
    }

    /// The loads, arithmetic and stores of a thread's elements from `first` on.
    fn share(&mut self, share: Share) -> Option<()> {
        line!(self, "{{");
        let all = 0..self.kernel.form.values.len() as u32;
        for k in all
            .clone()
            .filter(|&k| self.values.sharing[k as usize] == Sharing::Each)
            .collect::<Vec<_>>()
        {
            self.values.declare(k, share);
        }
        for (k, kind, i) in self.leaves() {
            if kind == Kind::Vector {
                let from = self.vector(i);
                self.moves("ld", k, &from, share);
            }
            if kind == Kind::Index {
                let from = place::address(i);
                line!(self, "ld.param.u64 at, [p+{from}];\nadd.s64 at, first, at;");
                let apart = self.spread.threads * share.lanes;
                self.values.count(k, share, "at", apart, None);
            }
        }
        for k in all {
            self.values.value(k, share)?;
        }
        if self.each.is_some_and(|each| each.total.is_some()) {
            self.folding(|folding| folding.take(share));
        } else {
            for (o, &k) in self.kernel.form.outputs.iter().enumerate() {
                let to = self.result(o);
                self.moves("st", k, &to, share);
            }
        }
        line!(self, "}}");
        Some(())
    }

    /// Loads or stores value `k`, whose memory the parameter names at `place`.
    fn moves(&mut self, operation: &str, k: u32, place: &str, share: Share) {
        let size = self.values.dtype(k).size();
        line!(
            self,
            "ld.param.u64 at, [{place}];\ncvta.to.global.u64 at, at;"
        );
        line!(self, "mad.lo.u64 at, first, {size}, at;");
        let moved = Moved {
            at: "at",
            apart: self.spread.threads * share.lanes * size,
            guard: "",
            cache: "",
        };
        self.values.moves(operation, k, share, &moved);
    }
}
