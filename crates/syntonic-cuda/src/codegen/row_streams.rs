//! Schedules for long rows and for sums over rows: which programs have kernels of them, and their text.

use super::row_text::{Text, folding, short_type};
use super::rows::{RowProgram, Stage};
use super::spelling::memory;
use std::collections::BTreeSet;
use std::fmt::Write;
use syntonic_core::fuse::{Fold, Level, Op, Yield};

/// The most streamed operands along the row: each takes registers and shared memory.
const STREAMED: usize = 2;
/// The most operands of the first stage in a program with sums over rows: as many vectors are live in registers at once.
const SUMMED: usize = 4;
/// The same where a thread has twice as many vectors of singles.
const WIDE: usize = 3;
/// Elements per vector of single precision: `row_blocks` of row_program.cuh knows it, too.
pub(crate) const SINGLES: usize = 4;
/// Vectors of a row in flight per thread in the multi-pass grid reduction.
const AT_ONCE: usize = 4;
/// Elements per vector of double precision.
const DOUBLES: usize = 2;
/// Scalar elements of all operands in flight per thread, where rows are only folded.
const SINGLE: usize = 8;

/// Streaming rows: TMA bulk copies load rows while others are in registers: `kernels/include/row_stream.cuh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streamed {
    /// The first operand is streamed; others, which all rows share, are read through the cache.
    First,
    /// The same for a softmax of double precision whose rows fill every thread's vectors: one join.
    Once,
    /// Everything that the first stage reads is streamed.
    Pair,
    /// The same, for a program whose threads sum columns over all rows.
    Summed,
    /// The same with few operands: a thread has twice as many vectors, so that two blocks of long rows are resident per
    /// multiprocessor.
    SummedWide,
    /// The same with many operands: in pieces, with a fixed in-flight depth. `kernels/include/row_pieces.cuh`.
    SummedPieces,
}

impl Streamed {
    /// The suffix of its kernel's name.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Streamed::First => "stream",
            Streamed::Once => "once",
            Streamed::Pair => "pair",
            Streamed::Summed => "summed",
            Streamed::SummedWide => "summed_wide",
            Streamed::SummedPieces => "summed_pieces",
        }
    }

    /// True where threads sum columns over all rows.
    pub(crate) fn sums(self) -> bool {
        matches!(
            self,
            Streamed::Summed | Streamed::SummedWide | Streamed::SummedPieces
        )
    }

    /// The most threads per block. With the resident blocks it caps the registers per thread: 64, and 128. Exponentials of
    /// double precision need the latter.
    pub(crate) fn threads(self, lanes: usize) -> usize {
        match self {
            Streamed::First | Streamed::Once if lanes == DOUBLES => 512,
            Streamed::First | Streamed::Once | Streamed::Pair => 1024,
            Streamed::Summed => 512,
            Streamed::SummedWide | Streamed::SummedPieces => 256,
        }
    }

    /// Resident blocks of this many threads per multiprocessor.
    pub(crate) fn residents(self) -> usize {
        match self {
            Streamed::SummedWide => 2,
            _ => 1,
        }
    }

    /// Register-resident vectors of a row per thread. Vectors of half types expand to twice as many words.
    pub(crate) fn vectors(self, lanes: usize) -> usize {
        let words = if lanes > 4 { 1 } else { 2 };
        match self {
            Streamed::First | Streamed::Once if lanes == DOUBLES => 16,
            Streamed::First | Streamed::Once | Streamed::Pair => 2 * words,
            Streamed::Summed => words,
            Streamed::SummedWide | Streamed::SummedPieces => 2 * words,
        }
    }

    /// The arguments of the kernel's macro: the most threads and the blocks of them, the block size if it is fixed, the
    /// handling of operands that are not streamed, and the join.
    fn arguments(self, lanes: usize) -> String {
        let most = self.threads(lanes);
        let (threads, aside, joining) = match self {
            Streamed::First => (most, "AGAIN", "PASSES"),
            Streamed::Once => (most, "AGAIN", "ONCE"),
            Streamed::Pair => (most, "HELD", "PASSES"),
            _ => (0, "HELD", "PASSES"),
        };
        format!(
            "{most}, {}, {threads}, {aside}, {joining}",
            self.residents()
        )
    }
}

/// The blocks of the multi-pass grid reduction. With doubles and several operands each case has its own best:
/// kernels/notes/multi_pass.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passing {
    /// Threads per block.
    pub(crate) threads: usize,
    /// Resident blocks per multiprocessor.
    pub(crate) residents: usize,
}

impl RowProgram<'_> {
    /// The inputs that the first stage reads, by number.
    pub(crate) fn first_stage(&self) -> Vec<usize> {
        let stages = self.stages();
        let inputs = stages.first().into_iter().flat_map(|s| s.inputs.iter());
        let numbers = inputs.filter_map(|&k| match self.node(k).op {
            Op::Input(input) => Some(usize::from(input)),
            _ => None,
        });
        numbers.collect()
    }

    /// The streaming kernels of the program.
    pub(crate) fn streams(&self) -> Vec<Streamed> {
        let read = self.first_stage();
        let begins = self
            .first_input()
            .is_some_and(|k| read.contains(&usize::from(k)));
        if !begins || self.passes().is_empty() {
            return Vec::new();
        }
        let sums = self.sum_sizes();
        if !sums.is_empty() {
            let alike = sums.iter().all(|size| *size == sums[0]);
            let few = alike && read.len() <= SUMMED;
            let kind = match read.len() <= WIDE && self.lanes() == SINGLES {
                true => Streamed::SummedWide,
                false => Streamed::Summed,
            };
            let lanes =
                (0..self.typed().nodes.len() as u32).filter(|&k| self.node(k).level == Level::Lane);
            let dear = lanes.into_iter().any(|k| self.is_dear(k));
            // Long arithmetic would stall the producer; programs that read little need no pieces.
            let pieces = read.len() > WIDE && !dear;
            let kinds = [(kind, few), (Streamed::SummedPieces, few && pieces)];
            return kinds.into_iter().filter(|k| k.1).map(|k| k.0).collect();
        }
        if !self.is_long() {
            return Vec::new();
        }
        // An operand that the elements read again is no weight, but a second row.
        let weights = !self.others_are_in_elements();
        let pair = read.len() == STREAMED;
        let once = weights && self.lanes() == DOUBLES && self.joins_once();
        let kinds = [
            (Streamed::First, weights),
            (Streamed::Once, once),
            (Streamed::Pair, pair),
        ];
        kinds.into_iter().filter(|k| k.1).map(|k| k.0).collect()
    }

    /// True where the multi-pass grid reduction reads rows again in every pass.
    pub(crate) fn passes_again(&self) -> bool {
        let parted = self.measures().is_some();
        self.folds_alone()
            || self.summed_outputs().is_empty()
                && !self.passes().is_empty()
                && self.is_long()
                && !parted
    }

    /// True where all results are per row, so that any block may take any part of a row.
    pub(crate) fn folds_alone(&self) -> bool {
        let scalars = self
            .typed()
            .outputs
            .iter()
            .all(|o| o.role == Yield::RowScalar);
        let folds = self.passes();
        scalars && !folds.is_empty()
    }

    /// The blocks of the multi-pass grid reduction.
    pub(crate) fn passing(&self) -> Passing {
        let double = self.lanes() == DOUBLES && self.folds_alone();
        let (threads, residents) = match self.most_at_once() {
            4.. if double => (1024, 1),
            3 if double => (512, 3),
            _ => (512, 2),
        };
        Passing { threads, residents }
    }

    /// Vectors of an operand in flight per thread in such a pass.
    fn passed_at_once(&self) -> usize {
        let vectors = AT_ONCE * self.lanes().min(4) / self.lanes();
        match self.folds_alone() {
            true => (vectors / self.most_at_once()).max(1),
            false => vectors,
        }
    }

    /// The most operands that a pass reads.
    fn most_at_once(&self) -> usize {
        let passes = self.passes();
        let read = passes
            .iter()
            .map(|folds| self.taken_again(folds.iter().map(|f| f.2)).inputs.len());
        read.max().unwrap_or(1).clamp(1, SINGLE)
    }

    /// Elements per thread of register-resident strided rows, for programs whose rows may be long: 64 bytes of the widest
    /// operand, and 16 elements at most.
    pub(crate) fn across(&self) -> Option<usize> {
        let folds = self.summed_outputs().is_empty() && !self.passes().is_empty();
        (folds && self.is_long()).then(|| 4 * self.lanes().min(4))
    }

    /// True for programs with elements, few operands along the row, and no measure of one reading. An operand for each row
    /// marks a norm over channels, whose rows lie in pieces.
    fn is_long(&self) -> bool {
        let inputs = self.typed().inputs.len();
        let along = self.varies()[..inputs].iter().all(|v| *v);
        let elements = self.element_outputs().next().is_some();
        along && inputs <= STREAMED && elements && !self.measures_spread()
    }

    /// What `roots` need where no value is kept.
    fn taken_again(&self, roots: impl Iterator<Item = u32>) -> Stage {
        let mut nodes = BTreeSet::new();
        let mut stack: Vec<u32> = roots.collect();
        while let Some(k) = stack.pop() {
            let node = self.node(k);
            if node.level == Level::Lane && nodes.insert(k) {
                stack.extend(node.operands());
            }
        }
        let is_input = |k: &&u32| matches!(self.node(**k).op, Op::Input(_));
        Stage {
            // Everything is loaded when it begins.
            ordinal: 0,
            inputs: nodes.iter().filter(is_input).copied().collect(),
            remembered: Default::default(),
            kept: Default::default(),
            nodes,
        }
    }

    /// True if the elements use an operand of the first stage, beside the first operand.
    fn others_are_in_elements(&self) -> bool {
        let (stages, first) = (self.stages(), self.first_input());
        let others = |stage: &Stage| -> Vec<u32> {
            let is_other = |k: &u32| match self.node(*k).op {
                Op::Input(input) => Some(input) != first,
                _ => false,
            };
            stage.inputs.iter().copied().filter(is_other).collect()
        };
        let before = stages.first().map(others).unwrap_or_default();
        let last = stages.last().map(others).unwrap_or_default();
        last.iter().any(|k| before.contains(k))
    }
}

/// The kernels of long rows and of sums over rows, with the parts of the program's text that they need.
pub(super) fn kernels(text: &mut Text<'_>, entry: &str, name: &str) -> String {
    let program = text.program;
    let (operands, lanes) = (program.operands(), program.lanes());
    let mut kernels = String::new();
    let streams = program.streams();
    if !streams.is_empty() {
        text.streams();
    }
    for kind in streams {
        let (variant, vectors) = (kind.variant(), kind.vectors(lanes));
        if kind == Streamed::SummedPieces {
            let _ = writeln!(
                kernels,
                "SYNTONIC_ROWS_PIECES({entry}, syntonic::{name}, {operands}, {lanes}, {vectors})"
            );
            continue;
        }
        let _ = writeln!(
            kernels,
            "SYNTONIC_ROWS_STREAM({entry}_{variant}, syntonic::{name}, {operands}, {lanes}, {vectors}, {})",
            kind.arguments(lanes)
        );
    }
    if let Some(held) = program.across() {
        let _ = writeln!(
            kernels,
            "SYNTONIC_ROWS_ACROSS({entry}, syntonic::{name}, {operands}, {held})"
        );
    }
    if program.passes_again() {
        text.again();
        text.settled();
        let Passing { threads, residents } = program.passing();
        let mut passes = |variant: &str, lanes: usize, vectors: usize| {
            let _ = writeln!(
                kernels,
                "SYNTONIC_ROWS_PASSES({entry}_{variant}, syntonic::{name}, {operands}, {lanes}, {vectors}, {threads}, {residents})"
            );
        };
        passes("passes", lanes, program.passed_at_once());
        if program.folds_alone() {
            // Whole arrays without vectorised loads are no shorter.
            passes("passes_single", 1, SINGLE / program.most_at_once());
        }
    }
    kernels
}

impl Text<'_> {
    /// What streaming kernels need to know of the program.
    fn streams(&mut self) {
        if let Some(sum) = self.program.sums().first() {
            let kind = memory(self.program.node(sum.node).dtype);
            self.line(1, format!("using Summed = {kind};"));
            self.line(
                1,
                format!("static constexpr int SUMS_FROM = {};", sum.region),
            );
        }
    }

    /// Every pass, and the elements, from the operands alone: nothing is kept.
    fn again(&mut self) {
        let all = self.first_read.clone();
        let passes = self.program.passes();
        for (pass, folds) in passes.iter().enumerate() {
            let stage = self.program.taken_again(folds.iter().map(|f| f.2));
            self.load_again(pass, &stage);
            self.pass_again(pass, folds, &stage);
        }
        let elements: Vec<(usize, u32)> = self.program.element_outputs().collect();
        if !elements.is_empty() {
            let stage = self.program.taken_again(elements.iter().map(|e| e.1));
            self.load_again(passes.len(), &stage);
            self.elements_again(&elements, &stage);
        }
        self.first_read = all;
    }

    /// Issues the loads of a stage before its arithmetic: a load at its first use would stall there.
    fn load_again(&mut self, pass: usize, stage: &Stage) {
        let read = stage.inputs.iter().map(|&k| (k, 0));
        self.first_read.extend(read);
        self.line(
            1,
            format!("template <class At> __device__ __forceinline__ void load_again(Pass<{pass}>, const At& at) {{"),
        );
        self.loads(&stage.inputs);
        self.line(1, "}");
    }

    fn elements_again(&mut self, elements: &[(usize, u32)], stage: &Stage) {
        self.line(
            1,
            "template <class At> __device__ __forceinline__ void whole(const At& at) {",
        );
        self.lane_operands(stage);
        for (o, node) in elements {
            let kind = memory(self.program.node(*node).dtype);
            self.line(2, format!("RowVector<{kind}, V> y{o};"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage);
        for (o, node) in elements {
            self.line(3, format!("y{o}.set(c, v{node});"));
        }
        self.line(2, "}");
        let inputs = self.program.typed().inputs.len();
        for (o, _) in elements {
            self.line(2, format!("at.write({}, y{o});", inputs + o));
        }
        self.line(1, "}");
    }

    fn pass_again(&mut self, pass: usize, folds: &[(u32, Fold, u32)], stage: &Stage) {
        self.line(
            1,
            format!(
                "template <class At> __device__ __forceinline__ void again(Pass<{pass}>, Folds{pass}& folds, const At& at, u32 ordinal) {{"
            ),
        );
        self.lane_operands(stage);
        for (k, _, of) in folds {
            let kind = short_type(self.program.node(*of).dtype);
            self.line(2, format!("{kind} a{k}[V];"));
        }
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage);
        for (k, _, of) in folds {
            self.line(3, format!("a{k}[c] = v{of};"));
        }
        self.line(2, "}");
        for (k, fold, of) in folds {
            let folding = folding(*fold, self.program.node(*of).dtype);
            self.line(
                2,
                format!("{folding}::template take<V>(folds.f{k}, a{k}, ordinal);"),
            );
        }
        self.line(1, "}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::row_kernels::kernel;
    use syntonic_core::DType;
    use syntonic_core::fuse::{Builder, Precision, Prim, Role, Typed, Yield, lower};

    /// softmax(x + w), with weights or without.
    fn softmax(weights: bool, dtype: DType) -> Typed {
        let mut b = Builder::new();
        let mut x = b.input("x", Role::Element);
        if weights {
            let w = b.input("w", Role::Row);
            x = b.apply(Prim::Add, &[x, w]);
        }
        let m = b.fold(Fold::Max, x);
        let z = b.apply(Prim::Sub, &[x, m]);
        let e = b.apply(Prim::Exp, &[z]);
        let total = b.fold(Fold::Sum, e);
        let p = b.apply(Prim::Div, &[e, total]);
        b.output(p, Yield::Element);
        let operands = vec![dtype; 1 + usize::from(weights)];
        lower(&b.finish("softmax", Precision::Wide), &operands).unwrap()
    }

    #[test]
    fn a_softmax_streams_by_and_weights_are_read_from_the_cache() {
        let plain = softmax(false, DType::F32);
        let plain = RowProgram::of(&plain).unwrap();
        assert_eq!(plain.streams(), [Streamed::First]);
        let weighted = softmax(true, DType::F64);
        let weighted = RowProgram::of(&weighted).unwrap();
        assert_eq!(
            weighted.streams(),
            [Streamed::First, Streamed::Once, Streamed::Pair]
        );
        assert_eq!(weighted.first_stage(), [0, 1]);
        let text = kernel("softmax", weighted);
        assert!(
            text.contains("3, 2, 16, 512, 1, 512, AGAIN, ONCE)"),
            "{text}"
        );
        assert!(
            text.contains("3, 2, 4, 1024, 1, 1024, HELD, PASSES)"),
            "{text}"
        );
    }

    #[test]
    fn exponentials_are_computed_again_where_nothing_is_kept() {
        let program = softmax(false, DType::BF16);
        let program = RowProgram::of(&program).unwrap();
        assert!(program.passes_again());
        let text = kernel("softmax", program);
        // One where values are kept; and where they are not, one in the second pass and one for the elements.
        assert_eq!(text.matches("syn::exp(").count(), 3);
        assert_eq!(text.matches("void again(").count(), 2);
        assert_eq!(text.matches("void whole(").count(), 1);
    }

    #[test]
    fn what_is_only_folded_is_read_in_parts_whatever_its_layout() {
        let mut b = Builder::new();
        let (x, w) = (b.input("x", Role::Element), b.input("w", Role::Row));
        let m = b.fold(Fold::Max, x);
        let z = b.apply(Prim::Sub, &[x, m]);
        let part = b.apply(Prim::Mul, &[z, w]);
        let total = b.fold(Fold::Sum, part);
        b.output(total, Yield::RowScalar);
        let program = lower(&b.finish("folds", Precision::Wide), &[DType::F32; 2]).unwrap();
        let program = RowProgram::of(&program).unwrap();
        assert!(program.folds_alone() && program.passes_again());
        let text = kernel("folds", program);
        assert!(text.contains("_passes, syntonic::"), "{text}");
        assert!(
            text.contains("3, 4, 2, 512, 2)") && text.contains("3, 1, 4, 512, 2)"),
            "{text}"
        );
        // The weights, which the second pass alone reads, are loaded before its arithmetic.
        let second = text.split("load_again(Pass<1>").nth(1).unwrap();
        let loads = second.split('}').next().unwrap();
        assert_eq!(loads.matches(".template load<").count(), 2);
        assert!(!text.contains("void whole("));
    }

    #[test]
    fn columns_are_summed_by_threads_that_stay() {
        let mut b = Builder::new();
        let (x, g) = (b.input("x", Role::Element), b.input("g", Role::Element));
        let total = b.fold(Fold::Sum, x);
        let part = b.apply(Prim::Mul, &[g, total]);
        b.output(part, Yield::Element);
        b.output(g, Yield::RowSum);
        let program = lower(&b.finish("sums", Precision::Wide), &[DType::F32; 2]).unwrap();
        let program = RowProgram::of(&program).unwrap();
        assert!(!program.passes_again());
        let expected = match program.first_stage()[..] {
            [0, ..] => vec![Streamed::SummedWide],
            _ => vec![],
        };
        assert_eq!(program.streams(), expected);
        let text = kernel("sums", program);
        assert!(
            text.contains("static constexpr int SUMS_FROM = 2;"),
            "{text}"
        );
    }
}
