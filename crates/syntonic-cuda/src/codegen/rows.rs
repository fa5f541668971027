//! Named programs with folds: which of them get kernels, and in which passes their statements run.

use super::Source;
use super::row_kernels::kernel;
use super::spelling::constant;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::phases::rounds;
use syntonic_core::fuse::{Fold, Level, Op, Program, Typed, TypedNode, Yield, lower};

/// The element types with kernels of their own.
const DTYPES: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];
/// The most operands, results included.
const OPERANDS: usize = 8;
/// The most run-time numbers.
const NUMBERS: usize = 4;
/// Passes of a program that takes a state through two phases, each with norms before and after.
const MANY: usize = 4;

/// A program that a kernel may be made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowProgram<'a>(&'a Typed);

impl<'a> RowProgram<'a> {
    /// The program, if its operands are few enough and of real types.
    pub(crate) fn of(program: &'a Typed) -> Option<RowProgram<'a>> {
        let real = program.nodes.iter().all(|n| !n.dtype.is_complex());
        let numbers = program.nodes.iter().all(|n| match n.op {
            Op::Param(k) => usize::from(k) < NUMBERS,
            _ => true,
        });
        let operands = program.inputs.len() + program.outputs.len();
        (real && numbers && operands <= OPERANDS).then_some(RowProgram(program))
    }

    /// The program itself.
    pub(super) fn typed(&self) -> &'a Typed {
        self.0
    }

    /// The family of the kernels of gradients.
    fn backward_family(&self) -> Option<&'static str> {
        Some(match self.0.inputs.first()? {
            DType::F16 => "backward_f16",
            DType::BF16 => "backward_bf16",
            DType::F32 => "backward_f32",
            DType::F64 => "backward_f64",
            _ => return None,
        })
    }

    /// The families that may have its kernels.
    pub(crate) fn families(&self) -> impl Iterator<Item = &'static str> {
        [self.family(), self.backward_family()]
            .into_iter()
            .flatten()
    }

    /// The family of its kernels: by its first input's type, and whether it has per-element outputs.
    fn family(&self) -> Option<&'static str> {
        let elements = self.element_outputs().next().is_some();
        Some(match (self.0.inputs.first()?, elements) {
            (DType::F16, false) => "rows_f16",
            (DType::F16, true) => "layers_f16",
            (DType::BF16, false) => "rows_bf16",
            (DType::BF16, true) => "layers_bf16",
            (DType::F32, false) => "rows_f32",
            (DType::F32, true) => "layers_f32",
            (DType::F64, false) => "rows_f64",
            (DType::F64, true) => "layers_f64",
            _ => return None,
        })
    }

    /// The name of its kernels, less the variant.
    pub(crate) fn entry(&self) -> String {
        format!("rows_{:016x}", self.fingerprint())
    }

    /// A hash that programs of the same statements share, whatever their names.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        for node in &self.0.nodes {
            let _ = match node.op {
                Op::Const(value) => write!(hash, "{}", constant(value, node.dtype)),
                Op::Apply(prim, args) => {
                    write!(hash, "{}{:?}", prim.name(), &args[..prim.arity()])
                }
                other => write!(hash, "{other:?}"),
            };
            let _ = write!(hash, ":{}{:?};", node.dtype.name(), node.level);
        }
        for output in &self.0.outputs {
            let _ = write!(hash, "{}{:?};", output.node, output.role);
        }
        hash.0
    }

    /// Inputs and outputs together.
    pub(crate) fn operands(&self) -> usize {
        self.0.inputs.len() + self.0.outputs.len()
    }

    /// True for each operand that varies along the row, the inputs first.
    pub(crate) fn varies(&self) -> Vec<bool> {
        let input = |k: usize| {
            let node = self.0.nodes.iter().find(|n| n.op == Op::Input(k as u16));
            node.is_some_and(|n| n.level == Level::Lane)
        };
        let inputs = (0..self.0.inputs.len()).map(input);
        let outputs = self.0.outputs.iter().map(|o| o.role == Yield::Element);
        inputs.chain(outputs).collect()
    }

    /// The type of each operand.
    pub(crate) fn dtypes(&self) -> Vec<DType> {
        let outputs = self.0.outputs.iter().map(|o| o.dtype);
        self.0.inputs.iter().copied().chain(outputs).collect()
    }

    /// Elements per vector: 16 bytes of the widest operand that varies along the row.
    pub(crate) fn lanes(&self) -> usize {
        let varies = self.varies();
        let sizes = self.dtypes().into_iter().zip(varies);
        let widest = sizes.filter(|(_, v)| *v).map(|(d, _)| d.size()).max();
        16 / widest.unwrap_or(16)
    }

    /// True where rows may be register-resident: sums over rows keep their values in shared memory.
    pub(crate) fn holds(&self) -> bool {
        self.summed_outputs().is_empty()
    }

    /// Vectors of a row held in registers per thread: 16 elements, and 8 of double precision. Half of that where more than
    /// two operands are live at once, or two of which nothing is folded; twice as much where threads hold deep.
    pub(crate) fn held(&self) -> usize {
        match (16 / self.lanes().max(4), self.at_once()) {
            _ if self.holds_deep() => 8,
            (4, 3..) => 2,
            (4, 2) if self.passes().is_empty() => 2,
            (vectors, _) => vectors,
        }
    }

    /// True for programs of `MANY` passes, and for those that hardly do more than fold under a scale. Their joins are so
    /// frequent that one warp per row is best, since it needs no block barrier. Operands that all rows share are read in each
    /// pass, since registers are for the state alone. Half types were not measured.
    pub(crate) fn holds_deep(&self) -> bool {
        let meets = self.passes().len() >= MANY || self.settles();
        meets && self.lanes() <= 4
    }

    /// Launch bounds of register-resident rows: the most threads per block, and the resident blocks; two blocks of 512 leave
    /// 64 registers per thread. Without a cap the compiler takes more for expensive steps on all vectors at once, and loses
    /// more in occupancy. Programs of more operands or passes would spill too much; only `MANY` passes over three operands
    /// are worth it. Threads that hold deep have 96 registers, where hardly anything spills.
    pub(crate) fn held_blocks(&self) -> (usize, usize) {
        let nodes = self.0.nodes.iter().enumerate();
        let lanes = nodes.filter(|(_, node)| node.level == Level::Lane);
        let (mut operands, mut dear) = (0, false);
        for (k, node) in lanes {
            operands += usize::from(matches!(node.op, Op::Input(_)));
            dear |= self.is_dear(k as u32);
        }
        let passes = self.passes().len();
        if self.holds_deep() {
            (640, 1)
        } else if dear && operands <= 2 && passes <= 2 || operands <= 3 && passes >= MANY {
            (512, 2)
        } else {
            (512, 1)
        }
    }

    /// True where each element depends on itself and on values of its row alone, not on the row's length.
    pub(crate) fn maps_elements(&self) -> bool {
        let counts = self.0.nodes.iter().any(|n| n.op == Op::Count);
        let elements = self.0.outputs.iter().all(|o| o.role == Yield::Element);
        self.passes().is_empty() && elements && !counts
    }

    /// Operands that the first stage reads.
    pub(crate) fn at_once(&self) -> usize {
        self.stages().first().map_or(0, |s| s.inputs.len())
    }

    /// True where nothing is kept between passes or rows, so that each pass may reload its elements.
    pub(crate) fn reads_again(&self) -> bool {
        self.kept().is_empty() && self.summed_outputs().is_empty()
    }

    /// The first operand that varies along the row.
    pub(crate) fn first_input(&self) -> Option<u16> {
        let nodes = self.0.nodes.iter().filter(|n| n.level == Level::Lane);
        let inputs = nodes.filter_map(|n| match n.op {
            Op::Input(k) => Some(k),
            _ => None,
        });
        inputs.min()
    }

    /// Bytes of shared memory per warp for the partial values of one pass.
    pub(crate) fn exchange_bytes(&self) -> usize {
        16 * self.passes().iter().map(Vec::len).max().unwrap_or(1)
    }

    /// Bytes per element of each region of shared memory: the inputs, then the values that are kept.
    pub(crate) fn regions(&self) -> Vec<usize> {
        let lane = self.varies();
        let inputs = self.0.inputs.iter().zip(lane);
        let mut sizes: Vec<usize> = inputs
            .map(|(d, lane)| d.size() * usize::from(lane))
            .collect();
        for kept in self.kept() {
            if kept.region == sizes.len() {
                sizes.push(self.node(kept.node).dtype.size());
            }
        }
        sizes.extend(self.sum_sizes());
        sizes
    }

    pub(super) fn node(&self, at: u32) -> &'a TypedNode {
        &self.0.nodes[at as usize]
    }

    /// True if node `at` is the constant `value`, of whatever type.
    pub(super) fn is_constant(&self, at: u32, value: f64) -> bool {
        matches!(self.node(at).op, Op::Const(constant) if constant.to_f64() == value)
    }

    /// How many folds each node depends on.
    pub(super) fn rounds(&self) -> Vec<usize> {
        rounds(self.0)
    }

    /// The folds of each pass.
    pub(crate) fn passes(&self) -> Vec<Vec<(u32, Fold, u32)>> {
        let ready = self.rounds();
        let mut passes = Vec::new();
        for (k, node) in self.0.nodes.iter().enumerate() {
            if let Op::Fold(fold, of) = node.op {
                let pass = ready[of as usize];
                passes.resize(passes.len().max(pass + 1), Vec::new());
                passes[pass].push((k as u32, fold, of));
            }
        }
        passes
    }

    /// Nodes that vary along the row and are needed for `roots` if `known` are computed already, in order.
    pub(super) fn lane_nodes(
        &self,
        roots: impl Iterator<Item = u32>,
        known: &BTreeSet<u32>,
    ) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut stack: Vec<u32> = roots.collect();
        while let Some(k) = stack.pop() {
            let is_new = self.node(k).level == Level::Lane && needed.insert(k);
            if is_new && !known.contains(&k) {
                stack.extend(self.node(k).operands());
            }
        }
        needed
    }

    pub(super) fn element_outputs(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let outputs = self.0.outputs.iter().enumerate();
        let lanes = outputs.filter(|(_, o)| o.role == Yield::Element);
        lanes.map(|(k, o)| (k, o.node))
    }

    /// The values that each pass folds and, last, the per-element outputs.
    pub(super) fn roots(&self) -> Vec<Vec<u32>> {
        let passes = self.passes();
        let folded = passes
            .iter()
            .map(|folds| folds.iter().map(|f| f.2).collect());
        let mut roots: Vec<Vec<u32>> = folded.collect();
        let elements = self.element_outputs().map(|(_, node)| node);
        roots.push(
            elements
                .chain(self.summed().map(|(_, node)| node))
                .collect(),
        );
        roots
    }

    /// The work of each pass and, last, that of the per-element outputs.
    pub(super) fn stages(&self) -> Vec<Stage> {
        let kept: BTreeSet<u32> = self.kept().iter().map(|kept| kept.node).collect();
        let mut known = BTreeSet::new();
        let mut stages = Vec::new();
        for roots in self.roots() {
            let nodes = self.lane_nodes(roots.into_iter(), &known);
            let is_input = |k: &&u32| matches!(self.node(**k).op, Op::Input(_));
            let stage = Stage {
                ordinal: stages.len(),
                inputs: nodes.iter().filter(is_input).copied().collect(),
                remembered: &nodes & &known,
                kept: &(&nodes & &kept) - &known,
                nodes,
            };
            known.extend(&stage.kept);
            stages.push(stage);
        }
        stages
    }
}

/// FNV-1a: kernel names must not change with the compiler.
struct Hash(u64);

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

/// The per-element work between two folds.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The pass before whose folds it runs; the last stage runs after all.
    pub(super) ordinal: usize,
    /// Every value, in order.
    pub(super) nodes: BTreeSet<u32>,
    /// Those that are read from the operands.
    pub(super) inputs: BTreeSet<u32>,
    /// Those kept by an earlier stage.
    pub(super) remembered: BTreeSet<u32>,
    /// Those that it keeps.
    pub(super) kept: BTreeSet<u32>,
}

/// The sources of all families of row programs: core's formulas, those of `layers`, and of their `gradients`.
pub(super) fn sources(layers: &[&Program], gradients: &[&Program]) -> Vec<Source> {
    let mut families: BTreeMap<&'static str, BTreeMap<String, String>> = BTreeMap::new();
    for dtype in DTYPES {
        let own = syntonic_core::ops::reduce::formulas(dtype);
        let forward = own.iter().chain(layers).map(|&p| (p, false));
        let programs: Vec<(&Program, bool)> = forward
            .chain(gradients.iter().map(|&p| (p, true)))
            .collect();
        for &(program, backward) in &programs {
            let tensors = program
                .inputs
                .iter()
                .filter(|i| i.role != syntonic_core::fuse::Role::Number);
            let Ok(typed) = lower(program, &vec![dtype; tensors.count()]) else {
                continue;
            };
            if let Some(form) = RowProgram::of(&typed)
                && crate::codegen::plain_fold(&typed).is_none()
                && crate::codegen::root_of_variance(form).is_none()
                && let Some(family) = if backward {
                    form.backward_family()
                } else {
                    form.family()
                }
            {
                let kernels = families.entry(family).or_default();
                kernels
                    .entry(form.entry())
                    .or_insert_with(|| kernel(&program.name, form));
            }
        }
    }
    let header = "// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.\n\n\
         #include \"row_program.cuh\"\n\
         #include \"row_held.cuh\"\n\
         #include \"row_passes.cuh\"\n\
         #include \"row_stream.cuh\"\n\
         #include \"row_across.cuh\"\n\
         #include \"row_few.cuh\"\n";
    families
        .into_iter()
        .map(|(family, kernels)| {
            let kernels: String = kernels.into_values().collect();
            let pieces = match kernels.contains("SYNTONIC_ROWS_PIECES") {
                true => "#include \"row_pieces.cuh\"\n",
                false => "",
            };
            Source {
                family: family.to_owned(),
                text: [header, pieces, &kernels].concat(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::{Builder, Precision, Prim, Role};

    #[test]
    fn every_formula_of_core_has_kernels() {
        let sources = sources(&[], &[]);
        assert_eq!(sources.len(), DTYPES.len());
        for source in sources {
            let kernels = source.text.matches("SYNTONIC_ROWS(").count();
            assert!((1..=20).contains(&kernels), "{}: {kernels}", source.family);
            for name in ["LOGSUMEXP", "NORM_2"] {
                assert!(source.text.contains(&format!("// {name}(")), "{name}");
            }
        }
    }

    fn softmax(name: &'static str) -> Typed {
        let mut b = Builder::new();
        let x = b.input("x", Role::Element);
        let m = b.fold(Fold::Max, x);
        let z = b.apply(Prim::Sub, &[x, m]);
        let e = b.apply(Prim::Exp, &[z]);
        let total = b.fold(Fold::Sum, e);
        let p = b.apply(Prim::Div, &[e, total]);
        b.output(p, Yield::Element);
        lower(&b.finish(name, Precision::Wide), &[DType::BF16]).unwrap()
    }

    #[test]
    fn exponentials_are_kept_and_names_do_not_matter() {
        let (a, b) = (softmax("a"), softmax("b"));
        let (a, b) = (RowProgram::of(&a).unwrap(), RowProgram::of(&b).unwrap());
        assert_eq!(a.entry(), b.entry());
        assert_eq!((a.operands(), a.lanes()), (2, 8));
        // An exponential is wider than the element, which has region 0.
        assert_eq!((a.kept().len(), a.kept()[0].region), (1, 1));
        assert_eq!(a.regions(), [2, 4]);
        assert_eq!(a.passes().len(), 2);
        let text = kernel("softmax", a);
        // All but the passes that keep nothing.
        let kept = text.split("void again(").next().unwrap();
        assert_eq!(kept.matches("syn::exp(").count(), 1);
    }
}
