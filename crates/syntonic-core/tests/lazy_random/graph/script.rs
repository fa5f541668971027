//! A random expression graph as data: what is called, one call after the other.

use syntonic_core::fuse::Prim;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Scalar};

/// A variable: the number of the step that made it, among those that make one.
pub(crate) type Name = usize;

/// An operand of a primitive.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Variable(Name),
    Number(Scalar),
}

/// What the numbers of a leaf are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Small whole numbers, whose sums are exact; both truths as `bool`.
    Whole,
    /// Numbers between -2 and 2.
    Real,
    /// The same with zeros of both signs, infinities and NaN among them.
    Odd,
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    Sum,
    Prod,
    Min,
    Max,
    Mean,
    /// With this many degrees of freedom less.
    Var(u8),
    Std(u8),
    LogSumExp,
    Any,
    All,
    ArgMin,
    ArgMax,
    CountNonzero,
    NormMax,
}

/// Another way to walk the same memory.
#[derive(Clone, Debug)]
pub(crate) enum View {
    Permute(Vec<usize>),
    /// From the first position to before the second, in steps.
    Slice {
        axis: usize,
        start: usize,
        stop: usize,
        step: usize,
    },
    Flip(usize),
    Select {
        axis: usize,
        index: usize,
    },
    Expand(usize),
    Squeeze(usize),
    Broadcast(Vec<usize>),
    Reshape(Vec<usize>),
    Diagonal(usize, usize),
}

/// What must be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A sum of shapes that do not broadcast.
    Shapes,
    /// A reduction along an axis that there is not.
    Axis,
    /// The largest of nothing.
    Nothing,
    /// Values of another shape, written.
    Write,
}

/// One call.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A tensor in memory.
    Leaf {
        shape: Vec<usize>,
        dtype: DType,
        numbers: Numbers,
        seed: u64,
    },
    Prim {
        prim: Prim,
        args: Vec<Arg>,
    },
    /// A composite of one operand, by its place in the table.
    Composite {
        at: usize,
        x: Name,
    },
    Cast {
        x: Name,
        dtype: DType,
    },
    Fold {
        fold: Fold,
        x: Name,
        axes: Vec<usize>,
        keep: Axes,
    },
    /// A product of two matrices.
    Product {
        a: Name,
        b: Name,
    },
    View {
        x: Name,
        view: View,
    },
    /// Writes through the memory: every view of it changes.
    Write {
        to: Name,
        from: Name,
    },
    /// Writes to this variable alone.
    Assign {
        to: Name,
        from: Name,
    },
    /// Somebody outside, whom the memory is lent to, writes other numbers.
    Lend {
        x: Name,
        seed: u64,
    },
    /// Computes it now.
    Read(Name),
    /// Says what reading it would run.
    Explain(Name),
    /// Lets go of it.
    Forget(Name),
    /// The device fails after so many requests of this call, which is then made again.
    Failing(usize, Box<Step>),
    /// A call that is an error.
    Refused(Refusal, Name),
}

/// A graph: what one thread does, and what others do afterwards at the same time, each with all that there is by then. The first
/// one goes on meanwhile, and may write what no other has a view of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) trunk: Vec<Step>,
    pub(crate) branches: Vec<Vec<Step>>,
    pub(crate) tail: Vec<Step>,
}

impl Script {
    /// True with a product of matrices, which some devices want a library for.
    pub(crate) fn multiplies(&self) -> bool {
        let all = self.branches.iter().flatten();
        let all = self.trunk.iter().chain(all).chain(&self.tail);
        let product = |step: &Step| match step {
            Step::Failing(_, step) => matches!(**step, Step::Product { .. }),
            step => matches!(step, Step::Product { .. }),
        };
        all.into_iter().any(product)
    }
}

impl std::fmt::Display for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut made = 0;
        self.trunk.iter().try_for_each(|s| line(f, s, &mut made))?;
        for (k, branch) in self.branches.iter().enumerate() {
            writeln!(f, "thread {k}:")?;
            let mut made = made;
            branch.iter().try_for_each(|s| line(f, s, &mut made))?;
        }
        if !self.tail.is_empty() {
            writeln!(f, "meanwhile:")?;
        }
        self.tail.iter().try_for_each(|s| line(f, s, &mut made))
    }
}

fn line(f: &mut std::fmt::Formatter<'_>, step: &Step, made: &mut Name) -> std::fmt::Result {
    if step.makes() {
        *made += 1;
        writeln!(f, "  v{} = {step:?}", *made - 1)
    } else {
        writeln!(f, "  {step:?}")
    }
}

impl Step {
    /// True where a variable comes of it.
    pub(crate) fn makes(&self) -> bool {
        match self {
            Step::Failing(_, step) => step.makes(),
            Step::Leaf { .. }
            | Step::Prim { .. }
            | Step::Composite { .. }
            | Step::Cast { .. }
            | Step::Fold { .. }
            | Step::Product { .. }
            | Step::View { .. } => true,
            Step::Write { .. }
            | Step::Assign { .. }
            | Step::Lend { .. }
            | Step::Read(_)
            | Step::Explain(_)
            | Step::Forget(_)
            | Step::Refused(..) => false,
        }
    }
}

/// A source of small numbers (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 11) as usize % n.max(1)
    }

    /// True once in `n`.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// The numbers of a leaf.
pub(crate) fn numbers(n: usize, dtype: DType, numbers: Numbers, seed: u64) -> Vec<f64> {
    let mut dice = Dice::new(seed);
    let unsigned = matches!(dtype, DType::U8 | DType::U64);
    let mut one = || {
        let bits = dice.bits();
        if dtype.is_bool() {
            return f64::from(u8::from(bits >> 61 != 0));
        }
        let whole = (bits >> 33) as i64 % 9 - if unsigned { 0 } else { 4 };
        let real = (bits >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0;
        match numbers {
            _ if dtype.is_integer() => whole as f64,
            Numbers::Whole => whole as f64,
            Numbers::Real => real,
            Numbers::Odd => match bits & 31 {
                0 => 0.0,
                1 => -0.0,
                2 if bits & 0xF00 == 0 => f64::NAN,
                3 => f64::INFINITY,
                4 => f64::NEG_INFINITY,
                _ => real,
            },
        }
    };
    let exact = |x: f64| match dtype {
        _ if dtype.is_float() => Scalar::Float(x).cast(dtype).to_f64(),
        _ => x,
    };
    (0..n).map(|_| exact(one())).collect()
}
