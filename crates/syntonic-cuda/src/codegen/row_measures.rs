//! Programs whose rows are measured in one reading: sums, the spread about the mean, and online softmax.

use super::row_text::{Text, folding, short_type};
use super::rows::{RowProgram, Stage};
use super::spelling::memory;
use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Op, Prim};

/// Bytes of `Spread` and of `Spreads::Message` of `kernels/include/spread.cuh`, and of the sum of floats.
const SPREAD: usize = 32;
const SPREAD_MESSAGE: usize = 16;
const SUM: usize = 8;
/// Bytes of `Peak` of `kernels/include/online_softmax.cuh`.
const PEAK: usize = 16;
/// The most columns per thread: each has measuring registers of its own.
const COLUMNS: usize = 4;
/// Resident blocks of 256 threads per multiprocessor for the two-phase reductions, of rows and of columns; and for columns
/// that need more registers than three such blocks leave.
const PART_BLOCKS: usize = 4;
const COLUMN_BLOCKS: usize = 3;
const WIDE_BLOCKS: usize = 2;
/// From this many operands on, registers are short: each column of a thread keeps its row values.
const WIDE: usize = 8;

/// The most elements per vector in the shared-memory ring of all blocks.
const RING_LANES: usize = 4;
/// Elements per thread where rows are register-resident in a cluster.
const FEW_HELD: usize = 32;

/// A fold: its node, its kind, and what it folds.
type Folded = (u32, Fold, u32);

/// What one reading measures of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The sum of values that depend on no fold.
    Sum {
        /// The fold.
        sum: u32,
        /// What it is of.
        of: u32,
    },
    /// A sum, and the sum of the squared distances from the mean.
    Spread {
        /// The first fold.
        sum: u32,
        /// The second one.
        squares: u32,
        /// What both are of.
        of: u32,
    },
    /// The largest value, and the sum of exponentials of the distances from it.
    Peak {
        /// The first fold.
        max: u32,
        /// The second one.
        sum: u32,
        /// What both are of.
        of: u32,
    },
}

impl Measure {
    /// What is measured.
    pub(super) fn of(self) -> u32 {
        match self {
            Measure::Sum { of, .. } | Measure::Spread { of, .. } | Measure::Peak { of, .. } => of,
        }
    }

    /// The fold that names it.
    pub(super) fn sum(self) -> u32 {
        match self {
            Measure::Sum { sum, .. } | Measure::Spread { sum, .. } | Measure::Peak { sum, .. } => {
                sum
            }
        }
    }

    /// The type that joins the measures of threads and blocks; `of` has the type `dtype`.
    pub(super) fn folding(self, dtype: DType) -> String {
        match self {
            Measure::Sum { .. } => folding(Fold::Sum, dtype),
            Measure::Spread { .. } => "Spreads".to_owned(),
            Measure::Peak { .. } => format!("Peaks<{}>", short_type(dtype)),
        }
    }

    /// The type of a thread's measure before the join.
    fn taking(self, dtype: DType) -> String {
        let fold = self.folding(dtype);
        match self {
            Measure::Sum { .. } | Measure::Peak { .. } => format!("Joined<{fold}>"),
            Measure::Spread { .. } => fold,
        }
    }

    /// Accumulates the `N * V` values from `x` on into `all`.
    pub(super) fn gathered(self, dtype: DType, all: &str, x: &str) -> String {
        let fold = self.folding(dtype);
        match self {
            Measure::Sum { .. } => format!("{fold}::template take<N * V>({all}, {x}, 0);"),
            Measure::Spread { .. } | Measure::Peak { .. } => {
                format!("{fold}::template take<N * V>({all}, {x});")
            }
        }
    }

    /// The folds of a pass that it answers, with their values in terms of `all`.
    pub(super) fn answers(self, dtype: DType, all: &str) -> Vec<(u32, String)> {
        match self {
            Measure::Sum { sum, .. } => {
                vec![(sum, format!("{}::finish({all})", self.folding(dtype)))]
            }
            Measure::Spread { sum, squares, .. } => {
                let kind = memory(dtype);
                let field = |name: &str| format!("({kind}){all}.{name}");
                vec![(sum, field("sum")), (squares, field("squares"))]
            }
            Measure::Peak { max, sum, .. } => {
                let kind = memory(dtype);
                let field = |name: &str| format!("({kind}){all}.{name}");
                vec![(max, field("top")), (sum, field("total"))]
            }
        }
    }

    fn size(self) -> usize {
        match self {
            Measure::Sum { .. } => SUM,
            Measure::Spread { .. } => SPREAD,
            Measure::Peak { .. } => PEAK,
        }
    }

    fn told(self) -> usize {
        match self {
            Measure::Spread { .. } => SPREAD_MESSAGE,
            Measure::Sum { .. } | Measure::Peak { .. } => self.size(),
        }
    }
}

impl RowProgram<'_> {
    /// The measures of one reading, if they are all that the program folds, and its elements need no expensive step: these
    /// are computed in a second reading.
    pub(super) fn measures(&self) -> Option<Vec<Measure>> {
        let writes = self.element_outputs().next().is_some();
        let folds: Vec<Folded> = self.passes().into_iter().flatten().collect();
        let float = |k: u32| matches!(self.node(k).dtype, DType::F32 | DType::F64);
        let sums = folds.iter().all(|f| f.1 == Fold::Sum && float(f.2));
        if folds.is_empty() || !writes || !sums || !self.reads_again() {
            return None;
        }
        let ready = self.rounds();
        let (first, later): (Vec<Folded>, Vec<Folded>) =
            folds.iter().partition(|f| ready[f.2 as usize] == 0);
        let spreads: Vec<Measure> = later
            .iter()
            .map(|f| self.spread(f.0, f.2))
            .collect::<Option<_>>()?;
        let measure = |f: Folded| {
            let spread = spreads.iter().find(|s| s.sum() == f.0).copied();
            spread.unwrap_or(Measure::Sum { sum: f.0, of: f.2 })
        };
        let all: Vec<Measure> = first.into_iter().map(measure).collect();
        // Each later fold has a sum of its own.
        let spread = |m: &&Measure| matches!(m, Measure::Spread { .. });
        (all.iter().filter(spread).count() == spreads.len()).then_some(all)
    }

    /// True where one reading measures squared distances.
    pub(super) fn measures_spread(&self) -> bool {
        let all = self.measures().unwrap_or_default();
        all.iter().any(|m| matches!(m, Measure::Spread { .. }))
    }

    /// The spread whose squared distances `squares` adds up, where `square` is what it folds.
    fn spread(&self, squares: u32, square: u32) -> Option<Measure> {
        let Op::Apply(Prim::Square, [apart, ..]) = self.node(square).op else {
            return None;
        };
        let Op::Apply(Prim::Sub, [of, mean, _]) = self.node(apart).op else {
            return None;
        };
        let Op::Apply(Prim::Div, [total, count, _]) = self.node(mean).op else {
            return None;
        };
        let Op::Fold(Fold::Sum, summed) = self.node(total).op else {
            return None;
        };
        (summed == of && self.node(count).op == Op::Count).then_some(Measure::Spread {
            sum: total,
            squares,
            of,
        })
    }

    /// The maximum and the sum of exponentials, if they are all that the program folds: a softmax. Its elements compute the
    /// exponentials again, which is expensive: only strided rows have no better schedule.
    fn peak(&self) -> Option<Measure> {
        let folds: Vec<Folded> = self.passes().into_iter().flatten().collect();
        let [(max, Fold::Max, of), (sum, Fold::Sum, summed)] = folds[..] else {
            return None;
        };
        let Op::Apply(Prim::Exp, [apart, ..]) = self.node(summed).op else {
            return None;
        };
        let Op::Apply(Prim::Sub, [x, top, _]) = self.node(apart).op else {
            return None;
        };
        let float = matches!(self.node(of).dtype, DType::F32 | DType::F64);
        let alike = x == of && (top == max || self.is_or_zero(top, max));
        (float && alike && self.passes_again()).then_some(Measure::Peak { max, sum, of })
    }

    /// True for a softmax whose elements use only its exponentials and values of the row: each thread may subtract its own
    /// maximum, and rescale once the row's is known (online softmax).
    pub(super) fn joins_once(&self) -> bool {
        let Some(Measure::Peak { sum, .. }) = self.peak() else {
            return false;
        };
        let Op::Fold(_, exponential) = self.node(sum).op else {
            return false;
        };
        let stages = self.stages();
        let last = stages.last();
        last.is_some_and(|s| s.inputs.is_empty() && s.remembered.iter().eq([&exponential]))
    }

    /// True if `top` is `max`, or zero where that is minus infinity: then no exponential contributes either way.
    fn is_or_zero(&self, top: u32, max: u32) -> bool {
        let Op::Apply(Prim::Select, [none, zero, other]) = self.node(top).op else {
            return false;
        };
        let Op::Apply(Prim::Eq, [left, right, _]) = self.node(none).op else {
            return false;
        };
        let zero_for_none =
            self.is_constant(zero, 0.0) && self.is_constant(right, f64::NEG_INFINITY);
        other == max && left == max && zero_for_none
    }

    /// The measures of one reading of strided rows.
    pub(super) fn measures_across(&self) -> Option<Vec<Measure>> {
        let peak = || self.peak().map(|peak| vec![peak]);
        self.measures().or_else(peak)
    }

    /// True where all rows share a column program's operands but the first, such as weights.
    pub(crate) fn shares_others(&self) -> bool {
        self.peak().is_some()
    }

    /// The two-phase kernel of the program, if any.
    pub(crate) fn parts(&self) -> Option<Parted> {
        self.measures().map(|measures| self.parted(&measures))
    }

    /// The cluster-ring kernel, if all operands along the row are measured: any other would be read again for every row.
    pub(crate) fn cluster(&self) -> Option<Parted> {
        self.parts().filter(|_| self.measures_all_inputs())
    }

    /// The ring kernel of all blocks. Rows of half types that no cluster holds are too long to be worth a kernel.
    pub(crate) fn ring(&self) -> Option<Parted> {
        self.cluster().filter(|parts| parts.lanes <= RING_LANES)
    }

    /// Vectors of a row per thread where rows are register-resident in a cluster, for programs of one operand along it. Half
    /// types were not measured.
    pub(crate) fn few(&self) -> Option<usize> {
        self.ring()
            .filter(|_| self.at_once() == 1)
            .map(|parts| FEW_HELD / parts.lanes)
    }

    /// True if every operand along the row is read by the first stage.
    fn measures_all_inputs(&self) -> bool {
        let inputs = &self.varies()[..self.typed().inputs.len()];
        inputs.iter().filter(|varies| **varies).count() == self.at_once()
    }

    fn parted(&self, measures: &[Measure]) -> Parted {
        Parted {
            size: measures.iter().map(|m| m.size()).sum(),
            told: measures.iter().map(|m| m.told()).sum(),
            lanes: self.lanes(),
            held: self.part_held(),
            residents: PART_BLOCKS,
        }
    }

    /// The two-phase kernel of strided rows, if the first stage measures every operand along the row.
    pub(crate) fn columns(&self) -> Option<Parted> {
        let parts = self.parted(&self.measures_across()?);
        self.measures_all_inputs().then_some(Parted {
            lanes: parts.lanes.min(COLUMNS),
            held: 8 / self.at_once().clamp(1, 4),
            residents: self.column_blocks(),
            ..parts
        })
    }

    /// The shared-memory ring of strided rows, with vectors of 16 bytes. Exponentials are excluded: they would be computed
    /// twice while other blocks wait.
    pub(crate) fn column_ring(&self) -> Option<Parted> {
        self.ring().and_then(|_| self.columns())
    }

    /// Exponentials of doubles take many registers, too.
    fn column_blocks(&self) -> usize {
        let exponentials = self.peak().is_some() && self.lanes() < COLUMNS;
        let wide = exponentials || self.operands() >= WIDE;
        if wide { WIDE_BLOCKS } else { COLUMN_BLOCKS }
    }

    /// Eight vectors in all, the most that 64 registers hold, so that 1024 threads are resident per multiprocessor.
    fn part_held(&self) -> usize {
        (2 * self.held()).min(8 / self.at_once().clamp(1, 4))
    }
}

/// A kernel that works on parts of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parted {
    /// Bytes of a part's partial value.
    pub(crate) size: usize,
    /// Bytes of it that other blocks receive.
    pub(crate) told: usize,
    /// Elements per vector.
    pub(crate) lanes: usize,
    /// Vectors of each operand in flight per thread.
    pub(crate) held: usize,
    /// Resident blocks per multiprocessor.
    pub(crate) residents: usize,
}

impl Text<'_> {
    /// The functions of a program whose rows are measured in one reading; `stage` loads the measured values.
    pub(super) fn measures(&mut self, stage: &Stage, measures: &[Measure]) {
        self.line(1, "struct Measures {");
        self.measured_types(measures);
        self.gather(measures);
        self.line(1, "};");
        self.line(1, "template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {");
        self.lane_operands(stage);
        self.body.push_str("#pragma unroll\n");
        self.line(2, "for (int c = 0; c < V; ++c) {");
        self.lane_values(stage);
        for m in measures {
            self.line(3, format!("x.m{}[at.k * V + c] = v{};", m.sum(), m.of()));
        }
        self.line(2, "}");
        self.line(1, "}");
        self.measured(measures);
    }

    fn dtype_of(&self, measure: Measure) -> DType {
        self.program.node(measure.of()).dtype
    }

    /// The joined type, the thread's type before that, the type that other blocks receive, and the values in flight per
    /// thread.
    fn measured_types(&mut self, measures: &[Measure]) {
        for of in ["Acc", "Near", "Message"] {
            self.line(2, format!("struct {of} {{"));
            for m in measures {
                let fold = m.taking(self.dtype_of(*m));
                self.line(3, format!("typename {fold}::{of} m{};", m.sum()));
            }
            self.line(2, "};");
        }
        self.line(2, "struct Values {");
        for m in measures {
            let kind = memory(self.dtype_of(*m));
            self.line(3, format!("{kind} m{}[R * V];", m.sum()));
        }
        self.line(2, "};");
        if let [peak @ Measure::Peak { sum, .. }] = measures {
            let kind = memory(self.dtype_of(*peak));
            self.line(2, format!("using Peaked = {kind};"));
            self.line(2, format!("static __device__ __forceinline__ {kind} (&peaked(Values& x))[R * V] {{ return x.m{sum}; }}"));
        }
    }

    fn gather(&mut self, measures: &[Measure]) {
        let each = |text: &Text<'_>, of: &dyn Fn(Measure, String) -> String| -> Vec<String> {
            let all = measures.iter().map(|m| of(*m, m.taking(text.dtype_of(*m))));
            all.collect()
        };
        let none = each(self, &|_, fold| format!("{fold}::none()")).join(", ");
        self.line(
            2,
            format!("static __device__ __forceinline__ Near none() {{ return Near{{{none}}}; }}"),
        );
        let takes = each(self, &|m, fold| {
            format!("{fold}::take(a.m{0}, b.m{0});", m.sum())
        });
        self.line(
            2,
            format!(
                "static __device__ __forceinline__ void take(Near& a, const Acc& b) {{ {} }}",
                takes.join(" ")
            ),
        );
        let lanes = each(self, &|m, fold| {
            format!("{fold}::template over_lanes<FROM>(a.m{}, apart)", m.sum())
        });
        self.line(2, format!("template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) {{ return Acc{{{}}}; }}", lanes.join(", ")));
        let message = each(self, &|m, fold| {
            format!("{fold}::to_message(a.m{})", m.sum())
        });
        self.line(2, format!("static __device__ __forceinline__ Message to_message(const Acc& a) {{ return Message{{{}}}; }}", message.join(", ")));
        let received = each(self, &|m, fold| {
            format!("{fold}::from_message(a.m{}, count)", m.sum())
        });
        self.line(2, format!("static __device__ __forceinline__ Acc from_message(const Message& a, u32 count) {{ return Acc{{{}}}; }}", received.join(", ")));
        self.line(2, "// Takes in N vectors.");
        self.line(2, "template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {");
        for m in measures {
            let (all, x) = (format!("all.m{}", m.sum()), format!("x.m{}", m.sum()));
            let line = m.gathered(self.dtype_of(*m), &all, &x);
            self.line(3, line);
        }
        self.line(2, "}");
    }

    /// The per-row values, pass by pass, from the measures.
    fn measured(&mut self, measures: &[Measure]) {
        self.line(1, "template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {");
        let answers: Vec<(u32, String)> = measures
            .iter()
            .flat_map(|m| m.answers(self.dtype_of(*m), &format!("all.m{}", m.sum())))
            .collect();
        for (pass, folds) in self.program.passes().into_iter().enumerate() {
            for (fold, _, _) in folds {
                if let Some((k, value)) = answers.iter().find(|a| a.0 == fold) {
                    self.line(2, format!("v{k} = {value};"));
                }
            }
            self.row_values(pass + 1);
        }
        self.line(1, "}");
    }
}
