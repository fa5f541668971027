//! Named programs with folds: which get kernels, and in which passes their statements run.

use super::Source;
use super::row_text::{constant, kernel};
use super::spelling::is_long;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Level, Op, Prim, Program, Typed, TypedNode, Yield, lower};

/// The element types with kernels of their own.
const DTYPES: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];
/// The most operands, results included.
const OPERANDS: usize = 8;
/// The most run-time numbers.
const NUMBERS: usize = 4;
/// Bytes of a row's operands and kept values that a thread holds.
const HELD_BYTES: usize = 384;

/// A program that a kernel may be made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowProgram<'a>(&'a Typed);

impl<'a> RowProgram<'a> {
    /// The program, if it folds and its operands are few enough and of real types.
    pub(crate) fn of(program: &'a Typed) -> Option<RowProgram<'a>> {
        let folds = program.nodes.iter().any(|n| matches!(n.op, Op::Fold(..)));
        let real = program.nodes.iter().all(|n| !n.dtype.is_complex());
        let numbers = program.nodes.iter().all(|n| match n.op {
            Op::Param(k) => usize::from(k) < NUMBERS,
            _ => true,
        });
        let operands = program.inputs.len() + program.outputs.len();
        (folds && real && numbers && operands <= OPERANDS).then_some(RowProgram(program))
    }

    /// The program itself.
    pub(super) fn typed(&self) -> &'a Typed {
        self.0
    }

    /// The family of its kernels, by its first input's type.
    pub(crate) fn family(&self) -> Option<&'static str> {
        Some(match self.0.inputs.first()? {
            DType::F16 => "rows_f16",
            DType::BF16 => "rows_bf16",
            DType::F32 => "rows_f32",
            DType::F64 => "rows_f64",
            _ => return None,
        })
    }

    /// The name of its kernels, less the variant.
    pub(crate) fn entry(&self) -> String {
        format!("rows_{:016x}", self.fingerprint())
    }

    /// A number that programs of the same statements share, whatever their names.
    fn fingerprint(&self) -> u64 {
        let mut text = String::new();
        for node in &self.0.nodes {
            let _ = match node.op {
                Op::Const(value) => write!(text, "{}", constant(value, node.dtype)),
                Op::Apply(prim, args) => {
                    write!(text, "{}{:?}", prim.name(), &args[..prim.arity()])
                }
                other => write!(text, "{other:?}"),
            };
            let _ = write!(text, ":{}{:?};", node.dtype.name(), node.level);
        }
        for output in &self.0.outputs {
            let _ = write!(text, "{}{:?};", output.node, output.role);
        }
        // FNV-1a: names of kernels must not change with the compiler.
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
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
        let outputs = self.0.outputs.iter().map(|o| o.role != Yield::RowScalar);
        inputs.chain(outputs).collect()
    }

    /// The type of each operand.
    pub(crate) fn dtypes(&self) -> Vec<DType> {
        let outputs = self.0.outputs.iter().map(|o| o.dtype);
        self.0.inputs.iter().copied().chain(outputs).collect()
    }

    /// Elements of a vector: 16 bytes of the widest operand that varies along the row.
    pub(crate) fn lanes(&self) -> usize {
        let varies = self.varies();
        let sizes = self.dtypes().into_iter().zip(varies);
        let widest = sizes.filter(|(_, v)| *v).map(|(d, _)| d.size()).max();
        16 / widest.unwrap_or(16)
    }

    /// Vectors that a thread holds.
    pub(crate) fn held(&self) -> usize {
        let of_inputs = self.dtypes().into_iter().zip(self.varies());
        let inputs: usize = of_inputs
            .take(self.0.inputs.len())
            .filter(|(_, v)| *v)
            .map(|(d, _)| d.size())
            .sum();
        let kept: usize = self.kept().iter().map(|&k| self.node(k).dtype.size()).sum();
        let most = (HELD_BYTES / ((inputs + kept).max(1) * self.lanes())).clamp(1, 8);
        1 << most.ilog2()
    }

    pub(super) fn node(&self, at: u32) -> &'a TypedNode {
        &self.0.nodes[at as usize]
    }

    /// How many folds lie on the way to each node.
    pub(super) fn rounds(&self) -> Vec<usize> {
        let mut ready: Vec<usize> = Vec::with_capacity(self.0.nodes.len());
        for node in &self.0.nodes {
            let before = node.operands().iter().map(|&a| ready[a as usize]).max();
            ready.push(before.unwrap_or(0) + usize::from(matches!(node.op, Op::Fold(..))));
        }
        ready
    }

    /// The folds of each pass.
    pub(super) fn passes(&self) -> Vec<Vec<(u32, Fold, u32)>> {
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

    /// Nodes that vary along the row and are needed for `roots`, in order.
    fn lane_nodes(&self, roots: impl Iterator<Item = u32>) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut stack: Vec<u32> = roots.collect();
        while let Some(k) = stack.pop() {
            if self.node(k).level == Level::Lane && needed.insert(k) {
                stack.extend(self.node(k).operands());
            }
        }
        needed
    }

    pub(super) fn element_outputs(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let outputs = self.0.outputs.iter().enumerate();
        let lanes = outputs.filter(|(_, o)| o.role != Yield::RowScalar);
        lanes.map(|(k, o)| (k, o.node))
    }

    /// The nodes of each pass and, last, those of the element outputs.
    pub(super) fn stages(&self) -> Vec<BTreeSet<u32>> {
        let passes = self.passes();
        let folded = passes
            .iter()
            .map(|folds| self.lane_nodes(folds.iter().map(|f| f.2)));
        let mut stages: Vec<BTreeSet<u32>> = folded.collect();
        stages.push(self.lane_nodes(self.element_outputs().map(|(_, node)| node)));
        stages
    }

    /// Dear values that a later stage needs again: they are kept where the row is held.
    pub(super) fn kept(&self) -> Vec<u32> {
        let stages = self.stages();
        let mut kept = Vec::new();
        for (at, stage) in stages.iter().enumerate() {
            let dear = |k: &&u32| match self.node(**k).op {
                Op::Apply(prim, args) => is_dear(prim, self.node(args[0]).dtype),
                _ => false,
            };
            let later = |k: &u32| stages[at + 1..].iter().any(|s| s.contains(k));
            kept.extend(stage.iter().filter(dear).filter(|k| later(k)).copied());
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }
}

fn is_dear(prim: Prim, dtype: DType) -> bool {
    use Prim::*;
    is_long(prim, dtype) || matches!(prim, Exp | Log | Exp2 | Log2 | Rsqrt | Sqrt | Div | Recip)
}

/// The programs that get kernels, by the name of their formula.
fn catalogue() -> Vec<&'static Program> {
    syntonic_core::ops::reduce::formulas()
}

/// The sources of all families of row programs.
pub(super) fn sources() -> Vec<Source> {
    let mut families: BTreeMap<&'static str, BTreeMap<String, String>> = BTreeMap::new();
    for dtype in DTYPES {
        for program in catalogue() {
            let tensors = program
                .inputs
                .iter()
                .filter(|i| i.role != syntonic_core::fuse::Role::Number);
            let Ok(typed) = lower(program, &vec![dtype; tensors.count()]) else {
                continue;
            };
            if let Some(form) = RowProgram::of(&typed)
                && crate::rows::plain_fold(&typed).is_none()
                && let Some(family) = form.family()
            {
                let kernels = families.entry(family).or_default();
                kernels
                    .entry(form.entry())
                    .or_insert_with(|| kernel(&program.name, form));
            }
        }
    }
    let header = "// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.\n\n\
         #include \"row_program.cuh\"\n";
    families
        .into_iter()
        .map(|(family, kernels)| Source {
            family: family.to_owned(),
            text: header.to_owned() + &kernels.into_values().collect::<String>(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::{Builder, Precision, Role};

    #[test]
    fn every_formula_of_core_has_kernels() {
        let sources = sources();
        assert_eq!(sources.len(), DTYPES.len());
        for source in sources {
            let kernels = source.text.matches("SYNTONIC_ROWS(").count();
            assert!((1..=20).contains(&kernels), "{}: {kernels}", source.family);
            for name in ["VAR", "LOGSUMEXP", "NORM_2"] {
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
        assert_eq!((a.operands(), a.lanes(), a.held()), (2, 8, 8));
        assert_eq!(a.kept().len(), 1);
        assert_eq!(a.passes().len(), 2);
        let text = kernel("softmax", a);
        assert_eq!(text.matches("syn::exp(").count(), 2);
        assert!(text.contains("KEPT ? "), "{text}");
    }
}
