//! The values of a form in registers: one register per element of a thread, two where it has 16 bytes, or one for two halves.

use super::needs::of_choice;
use super::pieces::Pieces;
use super::quotients::Divisors;
use crate::codegen::form::{Form, Step};
use crate::codegen::parts::{self, Part};
use std::fmt::Write;
use std::ops::Range;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// How a value is laid out in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// One element in a register of 32 bits.
    Word,
    /// One element in a register of 64 bits.
    Wide,
    /// One element in two registers of 64 bits.
    Pair,
    /// Two halves in a register of 32 bits.
    Halves,
}

impl Held {
    pub(super) fn of(dtype: DType) -> Held {
        match dtype.size() {
            _ if dtype.is_half() => Held::Halves,
            16 => Held::Pair,
            8 => Held::Wide,
            _ => Held::Word,
        }
    }

    /// Registers of an element, or of a word of halves.
    fn width(self) -> usize {
        if self == Held::Pair { 2 } else { 1 }
    }
}

/// How the elements of a thread share the registers of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// All have those of one.
    One,
    /// Those of a vector have those of one.
    Vectors,
    /// All vectors have those of one vector.
    Lanes,
    /// Each has its own.
    Each,
}

impl Sharing {
    /// The registers of one where all elements share the value.
    pub(crate) fn of_uniform(uniform: bool) -> Sharing {
        if uniform { Sharing::One } else { Sharing::Each }
    }
}

/// The vectors of a thread that a block of text works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Elements per vector.
    pub(crate) lanes: usize,
    /// The first vector.
    pub(crate) first: usize,
    /// How many there are.
    pub(crate) vectors: usize,
}

impl Share {
    /// One value for all elements.
    pub(crate) const ONE: Share = Share {
        lanes: 1,
        first: 0,
        vectors: 1,
    };

    pub(crate) fn elements(self) -> Range<usize> {
        self.first * self.lanes..(self.first + self.vectors) * self.lanes
    }

    /// Words of halves in a vector.
    fn words_of_one(self) -> usize {
        self.lanes.div_ceil(2)
    }

    pub(super) fn words(self) -> Range<usize> {
        self.first * self.words_of_one()..(self.first + self.vectors) * self.words_of_one()
    }

    /// Registers of a value of this type.
    pub(crate) fn registers(self, dtype: DType) -> usize {
        match Held::of(dtype) {
            Held::Halves => self.words().len(),
            held => self.elements().len() * held.width(),
        }
    }

    /// The elements of word `w`: the same one twice where a vector has but one.
    pub(super) fn pair(self, w: usize) -> [usize; 2] {
        let (vector, word) = (w / self.words_of_one(), w % self.words_of_one());
        [2 * word, 2 * word + 1].map(|lane| vector * self.lanes + lane.min(self.lanes - 1))
    }

    /// The word that has element `j`, and its place there.
    pub(super) fn word(self, j: usize) -> (usize, usize) {
        let (vector, lane) = (j / self.lanes, j % self.lanes);
        (vector * self.words_of_one() + lane / 2, lane % 2)
    }
}

/// The memory of an operand's or result's vectors.
pub(crate) struct Moved<'a> {
    /// The register with the address of the first vector.
    pub(crate) at: &'a str,
    /// Bytes from one vector to the next.
    pub(crate) apart: usize,
    /// The predicate of loads and stores, or nothing.
    pub(crate) guard: &'a str,
    /// The cache hint of the instruction, or nothing.
    pub(crate) cache: &'a str,
}

/// Writes the text that computes the values of a form.
pub(crate) struct Values<'a> {
    pub(crate) form: &'a Form,
    /// For each value, how elements share its registers.
    pub(crate) sharing: Vec<Sharing>,
    /// Elements per vector.
    pub(crate) lanes: usize,
    pub(crate) pieces: &'a Pieces,
    pub(super) divisors: Divisors,
    pub(crate) text: String,
}

/// Appends a line.
macro_rules! line {
    ($writer:expr, $($what:tt)*) => {{
        let _ = writeln!($writer.text, $($what)*);
    }};
}
pub(crate) use line;

impl<'a> Values<'a> {
    /// No text yet but the head of the pieces.
    pub(crate) fn new(
        form: &'a Form,
        sharing: Vec<Sharing>,
        lanes: usize,
        pieces: &'a Pieces,
    ) -> Values<'a> {
        Values {
            divisors: Divisors::of(form, &sharing),
            form,
            sharing,
            lanes,
            pieces,
            text: pieces.header.clone(),
        }
    }
}

impl Values<'_> {
    pub(crate) fn dtype(&self, k: u32) -> DType {
        self.form.values[k as usize].dtype
    }

    /// Register `j` of value `k`: that of element `j`, or of word `j` of halves; of two registers an element, one of element `j / 2`.
    pub(crate) fn register(&self, k: u32, j: usize) -> String {
        let vector = Share {
            lanes: self.lanes,
            ..Share::ONE
        };
        let each = vector.registers(self.dtype(k)).max(1);
        let width = Held::of(self.dtype(k)).width();
        let j = match self.sharing[k as usize] {
            Sharing::One => j % width,
            Sharing::Vectors => j / each * width + j % width,
            Sharing::Lanes => j % each,
            Sharing::Each => j,
        };
        format!("v{k}_{j}")
    }

    /// The registers of element `j` of value `k`, which is none of halves.
    pub(super) fn element(&self, k: u32, j: usize) -> Vec<String> {
        let width = Held::of(self.dtype(k)).width();
        let registers = j * width..(j + 1) * width;
        registers.map(|j| self.register(k, j)).collect()
    }

    /// Declares the registers of value `k`.
    pub(crate) fn declare(&mut self, k: u32, share: Share) {
        let width = Held::of(self.dtype(k)).width();
        let count = match self.sharing[k as usize] {
            Sharing::One => width,
            Sharing::Vectors => share.vectors * width,
            Sharing::Lanes => Share {
                vectors: 1,
                ..share
            }
            .registers(self.dtype(k)),
            Sharing::Each => share.registers(self.dtype(k)),
        };
        line!(
            self,
            ".reg .{} v{k}_<{count}>;",
            register_type(self.dtype(k))
        );
    }

    /// Loads the number that the parameter has at `offset` into the registers of value `k`. It is repeated there, so that a word of
    /// halves has two.
    pub(crate) fn number(&mut self, k: u32, offset: usize) {
        let dtype = self.dtype(k);
        let kind = if dtype.is_half() {
            "b32"
        } else {
            memory_type(dtype)
        };
        for j in 0..Held::of(dtype).width() {
            line!(self, "ld.param.{kind} v{k}_{j}, [p+{}];", offset + 8 * j);
        }
        self.factor(k, offset);
        self.settled(k);
    }

    /// Loads the element at the address in `at` into the registers that all elements of value `k`, or those of its vector `v`, have; a half
    /// into both places.
    pub(crate) fn single(&mut self, k: u32, v: usize, at: &str) {
        let dtype = self.dtype(k);
        let width = Held::of(dtype).width();
        let own: Vec<String> = (v * width..(v + 1) * width)
            .map(|j| format!("v{k}_{j}"))
            .collect();
        let (many, list) = accessed(&own);
        let kind = memory_type(dtype);
        line!(self, "ld.global{many}.{kind} {list}, [{at}];");
        if dtype.is_half() {
            line!(self, "prmt.b32 {list}, {list}, {list}, 0x1010;");
        }
        self.settled(k);
    }

    /// Sets what vector `to` of value `k` has to what vector `from` has.
    pub(crate) fn copy(&mut self, k: u32, from: usize, to: usize) {
        let dtype = self.dtype(k);
        let count = match self.sharing[k as usize] {
            Sharing::Vectors => Held::of(dtype).width(),
            _ => Share {
                lanes: self.lanes,
                ..Share::ONE
            }
            .registers(dtype),
        };
        let kind = register_type(dtype);
        for j in 0..count {
            let [from, to] = [from, to].map(|v| v * count + j);
            line!(self, "mov.{kind} v{k}_{to}, v{k}_{from};");
        }
    }

    /// Loads the elements of a vector one by one from the address in `at` on: neighbours, or as many bytes apart as the register
    /// `apart` has.
    pub(crate) fn gather(&mut self, k: u32, share: Share, apart: Option<&str>) {
        let dtype = self.dtype(k);
        let (size, kind) = (dtype.size(), memory_type(dtype));
        let halves = dtype.is_half();
        line!(self, "{{");
        if halves {
            line!(self, ".reg .b32 t<{}>;", share.lanes);
        }
        for lane in 0..share.lanes {
            let (many, register) = match halves {
                true => ("", format!("t{lane}")),
                false => accessed(&self.element(k, share.elements().start + lane)),
            };
            let offset = self.next(lane, size, apart);
            line!(self, "ld.global{many}.{kind} {register}, [at+{offset}];");
        }
        if halves {
            for (word, w) in share.words().enumerate() {
                let (low, high) = (2 * word, 2 * word + 1);
                let register = self.register(k, w);
                line!(self, "prmt.b32 {register}, t{low}, t{high}, 0x5410;");
            }
        }
        line!(self, "}}");
    }

    /// Stores the elements of a vector one by one, as [`Values::gather`] loads them.
    pub(crate) fn scatter(&mut self, k: u32, share: Share, apart: Option<&str>, guard: &str) {
        let size = self.dtype(k).size();
        for lane in 0..share.lanes {
            let offset = self.next(lane, size, apart);
            self.put(k, share, lane, offset, guard);
        }
    }

    /// Stores one element of a vector so many bytes from `at` on.
    pub(crate) fn put(&mut self, k: u32, share: Share, lane: usize, offset: usize, guard: &str) {
        let dtype = self.dtype(k);
        let kind = memory_type(dtype);
        let element = share.elements().start + lane;
        if !dtype.is_half() {
            let (many, register) = accessed(&self.element(k, element));
            line!(
                self,
                "{guard}st.global{many}.{kind} [at+{offset}], {register};"
            );
            return;
        }
        let (w, place) = share.word(element);
        let word = self.register(k, w);
        line!(
            self,
            "{{\n.reg .b32 t0;\nshr.u32 t0, {word}, {};",
            16 * place
        );
        line!(self, "{guard}st.global.{kind} [at+{offset}], t0;\n}}");
    }

    /// The offset from `at` of element `lane` of a vector; `at` goes on where elements are `apart`.
    fn next(&mut self, lane: usize, size: usize, apart: Option<&str>) -> usize {
        match apart {
            None => lane * size,
            Some(apart) => {
                if lane > 0 {
                    line!(self, "add.s64 at, at, {apart};");
                }
                0
            }
        }
    }

    /// Loads or stores the elements of value `k`, by the widest access that vector and instruction allow.
    pub(crate) fn moves(&mut self, operation: &str, k: u32, share: Share, moved: &Moved<'_>) {
        let dtype = self.dtype(k);
        let (size, each, kind) = match Held::of(dtype) {
            Held::Halves if share.lanes > 1 => (4, share.words_of_one(), "b32"),
            Held::Halves => (2, 1, "u16"),
            Held::Pair => (8, 2 * share.lanes, memory_type(dtype)),
            _ => (dtype.size(), share.lanes, memory_type(dtype)),
        };
        let once = each.min(4).min(16 / size);
        let Moved {
            at,
            apart,
            guard,
            cache,
        } = moved;
        for vector in 0..share.vectors {
            for part in (0..each).step_by(once) {
                let offset = vector * apart + part * size;
                let from = (share.first + vector) * each + part;
                let registers: Vec<String> =
                    (from..from + once).map(|j| self.register(k, j)).collect();
                let (many, registers) = accessed(&registers);
                match operation {
                    "ld" => line!(
                        self,
                        "{guard}ld.global{cache}{many}.{kind} {registers}, [{at}+{offset}];"
                    ),
                    _ => line!(
                        self,
                        "{guard}st.global{cache}{many}.{kind} [{at}+{offset}], {registers};"
                    ),
                }
            }
        }
    }

    /// Computes value `k`; an operand is loaded already.
    pub(crate) fn value(&mut self, k: u32, share: Share) -> Option<()> {
        if !self.divide(k, share)? && !self.take_root(k, share)? && !self.divide_whole(k, share)? {
            self.each_by_itself(k, share)?;
        }
        if !matches!(self.form.values[k as usize].step, Step::Leaf(_)) {
            self.settled(k);
        }
        Some(())
    }

    /// Computes value `k` element by element.
    pub(super) fn each_by_itself(&mut self, k: u32, share: Share) -> Option<()> {
        let operands: Vec<u32> = self.form.operands(k).to_vec();
        match self.form.values[k as usize].step {
            Step::Leaf(_) => Some(()),
            Step::Cast(a) => self.cast(k, a, share),
            Step::Apply(Prim::Select, _) => self.choose(k, &operands, share),
            Step::Apply(prim, _) => {
                let part = parts::primitive(prim, self.form.operand_dtype(k))?;
                self.each(&part, k, &operands, share)
            }
        }
    }

    /// Applies a part element by element.
    pub(super) fn each(
        &mut self,
        part: &Part,
        k: u32,
        operands: &[u32],
        share: Share,
    ) -> Option<()> {
        for j in share.elements() {
            let from: Vec<_> = operands.iter().map(|&a| self.element(a, j)).collect();
            self.splice(part, &from, &self.element(k, j))?;
        }
        Some(())
    }

    /// Applies a part to operands and a result in one register each.
    pub(super) fn words<const N: usize>(
        &mut self,
        part: &Part,
        from: [String; N],
        to: String,
    ) -> Option<()> {
        self.splice(part, &from.map(|register| vec![register]), &[to])
    }

    pub(super) fn splice(
        &mut self,
        part: &Part,
        from: &[Vec<String>],
        to: &[String],
    ) -> Option<()> {
        let pieces: &Pieces = self.pieces;
        pieces.get(part)?.splice(&mut self.text, from, to)
    }

    fn choose(&mut self, k: u32, operands: &[u32], share: Share) -> Option<()> {
        let part = of_choice(self.dtype(k))?;
        let held = Held::of(self.dtype(k));
        if held != Held::Halves {
            for j in share.elements() {
                for w in j * held.width()..(j + 1) * held.width() {
                    let [a, b] = [1, 2].map(|at| self.register(operands[at], w));
                    let from = [self.register(operands[0], j), a, b];
                    self.words(&part, from, self.register(k, w))?;
                }
            }
            return Some(());
        }
        for w in share.words() {
            let [low, high] = share.pair(w).map(|j| self.register(operands[0], j));
            let [a, b] = [1, 2].map(|at| self.register(operands[at], w));
            self.words(&part, [low, high, a, b], self.register(k, w))?;
        }
        Some(())
    }
}

/// How an instruction of memory names these registers: how many there are, and their list.
fn accessed(registers: &[String]) -> (&'static str, String) {
    let list = registers.join(", ");
    match registers.len() {
        1 => ("", list),
        2 => (".v2", format!("{{{list}}}")),
        _ => (".v4", format!("{{{list}}}")),
    }
}

/// The type of the registers of a value.
fn register_type(dtype: DType) -> &'static str {
    match Held::of(dtype) {
        Held::Wide | Held::Pair => "b64",
        _ => "b32",
    }
}

/// The PTX type of loads and stores of an element, or of each of its two registers: they widen what is shorter than a register.
fn memory_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 => "u8",
        DType::I8 => "s8",
        DType::I16 => "s16",
        DType::U16 | DType::F16 | DType::BF16 => "u16",
        _ => register_type(dtype),
    }
}
