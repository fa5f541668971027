//! The text of a made kernel: map.cuh's schedule around the pieces of a program.
//!
//! Whole blocks in vectors of 16 bytes of the widest operand or result; the last block element by element. Every value has a
//! register for each element that a thread serves, or one for two halves.

use super::super::form::Step;
use super::super::straight::{Kind, place};
use super::parts::{Piece, Pieces};
use super::program::{Held, Program, Spread, of_choice};
use crate::codegen::parts::{self, Part};
use std::collections::HashSet;
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// More is not worth the time it takes to assemble.
const MOST: usize = 1 << 20;

/// The text of a program's kernel for a card; nothing where it has no parts.
pub(super) fn kernel(program: &Program, capability: (u32, u32)) -> Option<String> {
    let pieces = Pieces::of(&program.parts()?, capability)?;
    let kinds = program.form.leaves().zip(&program.kinds);
    let uniform = kinds.filter(|(_, kind)| **kind != Kind::Vector);
    let mut writer = Writer {
        program,
        uniform: uniform.map(|((k, _, _), _)| k).collect(),
        pieces: &pieces,
        text: pieces.header.clone(),
        spread: program.spread(),
    };
    writer.whole()?;
    (writer.text.len() <= MOST).then_some(writer.text)
}

/// How much of a thread's work a block of text does.
#[derive(Clone, Copy)]
struct Share {
    /// Elements of a vector.
    lanes: usize,
    vectors: usize,
}

impl Share {
    fn elements(self) -> usize {
        self.lanes * self.vectors
    }

    /// Words of halves in a vector.
    fn words(self) -> usize {
        self.lanes.div_ceil(2)
    }

    /// The elements of word `w`: the same one twice where a vector has but one.
    fn pair(self, w: usize) -> [usize; 2] {
        let (vector, word) = (w / self.words(), w % self.words());
        [2 * word, 2 * word + 1].map(|lane| vector * self.lanes + lane.min(self.lanes - 1))
    }

    /// The word that has element `j`, and its place there.
    fn word(self, j: usize) -> (usize, usize) {
        let (vector, lane) = (j / self.lanes, j % self.lanes);
        (vector * self.words() + lane / 2, lane % 2)
    }
}

struct Writer<'a> {
    program: &'a Program,
    /// The operands that are the same for every element.
    uniform: HashSet<u32>,
    pieces: &'a Pieces,
    text: String,
    spread: Spread,
}

/// Appends a line.
macro_rules! line {
    ($writer:expr, $($what:tt)*) => {{
        let _ = writeln!($writer.text, $($what)*);
    }};
}

impl Writer<'_> {
    fn whole(&mut self) -> Option<()> {
        let Spread {
            lanes,
            vectors,
            threads,
        } = self.spread;
        line!(
            self,
            ".visible .entry {}(.param .align 8 .b8 p[{}])",
            self.program.name(),
            place::SIZE
        );
        line!(self, ".maxntid {threads}, 1, 1\n{{");
        line!(
            self,
            ".reg .pred past;\n.reg .b32 tid, block;\n.reg .b64 count, start, first, at;"
        );
        line!(self, "ld.param.u64 count, [p+{}];", place::COUNT);
        line!(self, "mov.u32 block, %ctaid.x;\nmov.u32 tid, %tid.x;");
        line!(
            self,
            "mul.wide.u32 start, block, {};",
            self.spread.elements()
        );
        self.uniforms();
        line!(self, "add.s64 at, start, {};", self.spread.elements());
        line!(self, "setp.gt.u64 past, at, count;\n@past bra $last;");
        line!(self, "mad.wide.u32 first, tid, {lanes}, start;");
        self.share(Share { lanes, vectors })?;
        line!(self, "ret;\n$last:");
        line!(
            self,
            "cvt.u64.u32 first, tid;\nadd.s64 first, first, start;"
        );
        line!(self, "$next:\n.pragma \"nounroll\";");
        line!(self, "setp.ge.u64 past, first, count;\n@past bra $done;");
        self.share(Share {
            lanes: 1,
            vectors: 1,
        })?;
        line!(self, "add.s64 first, first, {threads};\nbra.uni $next;");
        line!(self, "$done:\nret;\n}}");
        Some(())
    }

    fn dtype(&self, k: u32) -> DType {
        self.program.form.values[k as usize].dtype
    }

    /// The form's operands: value, type, kind, and which operand it is.
    fn leaves(&self) -> Vec<(u32, DType, Kind, usize)> {
        let kinds = self.program.kinds.iter().enumerate();
        let leaves = self.program.form.leaves().zip(kinds);
        leaves
            .map(|((k, _, dtype), (i, &kind))| (k, dtype, kind, i))
            .collect()
    }

    fn is_uniform(&self, k: u32) -> bool {
        self.uniform.contains(&k)
    }

    /// The register of value `k` for element `j`, or for word `j` of halves.
    fn register(&self, k: u32, j: usize) -> String {
        let j = if self.is_uniform(k) { 0 } else { j };
        format!("v{k}_{j}")
    }

    /// What is the same for every element: one register each, loaded once.
    fn uniforms(&mut self) {
        for (k, dtype, kind, i) in self.leaves() {
            if kind == Kind::Vector {
                continue;
            }
            let size = register_type(dtype);
            line!(self, ".reg .{size} v{k}_0;");
            match kind {
                // The number is repeated, so that a word of halves has two.
                Kind::Number if dtype.is_half() => {
                    line!(self, "ld.param.b32 v{k}_0, [p+{}];", place::bits(i))
                }
                Kind::Number => line!(
                    self,
                    "ld.param.{} v{k}_0, [p+{}];",
                    memory_type(dtype),
                    place::bits(i)
                ),
                _ => {
                    line!(
                        self,
                        "ld.param.u64 at, [p+{}];\ncvta.to.global.u64 at, at;",
                        place::address(i)
                    );
                    line!(self, "ld.global.{} v{k}_0, [at];", memory_type(dtype));
                    if dtype.is_half() {
                        line!(self, "prmt.b32 v{k}_0, v{k}_0, v{k}_0, 0x1010;");
                    }
                }
            }
        }
    }

    /// Everything for the elements of a thread from `first` on.
    fn share(&mut self, share: Share) -> Option<()> {
        line!(self, "{{\n.reg .b32 t<2>;");
        for k in 0..self.program.form.values.len() as u32 {
            if self.is_uniform(k) {
                continue;
            }
            let dtype = self.dtype(k);
            let count = match Held::of(dtype) {
                Held::Halves => share.words() * share.vectors,
                _ => share.elements(),
            };
            line!(self, ".reg .{} v{k}_<{count}>;", register_type(dtype));
        }
        for (k, dtype, kind, i) in self.leaves() {
            if kind == Kind::Vector {
                self.address(place::address(i), dtype);
                self.moves("ld", k, dtype, share);
            }
        }
        for k in 0..self.program.form.values.len() as u32 {
            self.value(k, share)?;
        }
        for (o, &k) in self.program.form.outputs.iter().enumerate() {
            let dtype = self.dtype(k);
            self.address(place::output(o), dtype);
            self.moves("st", k, dtype, share);
        }
        line!(self, "}}");
        Some(())
    }

    /// Where element `first` of what the parameter names at `offset` lies.
    fn address(&mut self, offset: usize, dtype: DType) {
        line!(
            self,
            "ld.param.u64 at, [p+{offset}];\ncvta.to.global.u64 at, at;"
        );
        line!(self, "mad.lo.u64 at, first, {}, at;", dtype.size());
    }

    /// Loads or stores the elements of value `k`, as many at once as a vector has or an instruction takes.
    fn moves(&mut self, operation: &str, k: u32, dtype: DType, share: Share) {
        let (size, each, kind) = match Held::of(dtype) {
            Held::Halves if share.lanes > 1 => (4, share.words(), "b32"),
            Held::Halves => (2, 1, "u16"),
            _ => (dtype.size(), share.lanes, memory_type(dtype)),
        };
        let once = each.min(4).min(16 / size);
        for vector in 0..share.vectors {
            for part in (0..each).step_by(once) {
                let offset =
                    vector * self.spread.threads * share.lanes * dtype.size() + part * size;
                let from = vector * each + part;
                let registers: Vec<String> =
                    (from..from + once).map(|j| self.register(k, j)).collect();
                let (many, registers) = match once {
                    1 => (String::new(), registers.concat()),
                    _ => (format!(".v{once}"), format!("{{{}}}", registers.join(", "))),
                };
                match operation {
                    "ld" => line!(self, "ld.global{many}.{kind} {registers}, [at+{offset}];"),
                    _ => line!(self, "st.global{many}.{kind} [at+{offset}], {registers};"),
                }
            }
        }
    }

    /// Computes value `k`.
    fn value(&mut self, k: u32, share: Share) -> Option<()> {
        let operands: Vec<u32> = self.program.form.operands(k).to_vec();
        match self.program.form.values[k as usize].step {
            Step::Leaf(_) => Some(()),
            Step::Cast(a) => self.cast(k, a, share),
            Step::Apply(Prim::Select, _) => self.choose(k, &operands, share),
            Step::Apply(prim, _) => {
                let part = parts::primitive(prim, self.program.form.operand_dtype(k))?;
                self.each(&part, k, &operands, share)
            }
        }
    }

    /// A part for every element, whose operands and result have a register each.
    fn each(&mut self, part: &Part, k: u32, operands: &[u32], share: Share) -> Option<()> {
        for j in 0..share.elements() {
            let from: Vec<String> = operands.iter().map(|&a| self.register(a, j)).collect();
            self.splice(part, &from, &self.register(k, j))?;
        }
        Some(())
    }

    fn splice(&mut self, part: &Part, operands: &[String], result: &str) -> Option<()> {
        let piece: &Piece = self.pieces.get(part, operands.len())?;
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        piece.splice(&mut self.text, &operands, result);
        Some(())
    }

    fn choose(&mut self, k: u32, operands: &[u32], share: Share) -> Option<()> {
        let part = of_choice(self.dtype(k))?;
        if Held::of(self.dtype(k)) != Held::Halves {
            return self.each(&part, k, operands, share);
        }
        for w in 0..share.words() * share.vectors {
            let [low, high] = share.pair(w).map(|j| self.register(operands[0], j));
            let [a, b] = [1, 2].map(|at| self.register(operands[at], w));
            self.splice(&part, &[low, high, a, b], &self.register(k, w))?;
        }
        Some(())
    }

    fn cast(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        match (Held::of(from), Held::of(to)) {
            (_, Held::Halves) if from == DType::F32 => {
                let part = parts::halves(to)?;
                for w in 0..share.words() * share.vectors {
                    let pair = share.pair(w).map(|j| self.register(a, j));
                    self.splice(&part, &pair, &self.register(k, w))?;
                }
                Some(())
            }
            (_, Held::Halves) => self.round_one_by_one(k, a, share),
            (Held::Halves, _) => self.widen(k, a, share),
            _ => self.each(&parts::conversion(from, to)?, k, &[a], share),
        }
    }

    /// Halves of what is no float, one by one.
    fn round_one_by_one(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let part = parts::conversion(self.dtype(a), self.dtype(k))?;
        for w in 0..share.words() * share.vectors {
            for (t, j) in share.pair(w).into_iter().enumerate() {
                self.splice(&part, &[self.register(a, j)], &format!("t{t}"))?;
            }
            line!(self, "prmt.b32 {}, t0, t1, 0x5410;", self.register(k, w));
        }
        Some(())
    }

    fn widen(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        for j in 0..share.elements() {
            let (w, place) = share.word(j);
            let (word, result) = (self.register(a, w), self.register(k, j));
            if to == DType::F32 {
                self.splice(&parts::widened(from, place)?, &[word], &result)?;
                continue;
            }
            line!(self, "shr.b32 t0, {word}, {};", 16 * place);
            self.splice(&parts::conversion(from, to)?, &["t0".to_owned()], &result)?;
        }
        Some(())
    }
}

/// The type of the registers of a value.
fn register_type(dtype: DType) -> &'static str {
    match Held::of(dtype) {
        Held::Wide => "b64",
        _ => "b32",
    }
}

/// The type as which one element is loaded and stored: it widens what is shorter than a register.
fn memory_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 => "u8",
        DType::I8 => "s8",
        DType::I16 => "s16",
        DType::U16 | DType::F16 | DType::BF16 => "u16",
        _ if dtype.size() == 8 => "b64",
        _ => "b32",
    }
}
