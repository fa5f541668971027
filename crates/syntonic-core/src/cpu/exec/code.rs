//! A typed program turned into kernels: what to call for each node.

use super::space::Space;
use crate::cpu::lanes::{self, AcrossFn, ArgFoldFn, FoldKernel, LaneFn, Place, Term};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Fold, Level, Op, Prim, Task, Typed, TypedNode};
use crate::scalar::{Element, Scalar};
use crate::with_element;
use std::ops::Range;

/// A number in memory, aligned for every element type.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct Cell(pub(crate) [u8; 16]);

impl Cell {
    pub(crate) fn new(value: Scalar, dtype: DType) -> Cell {
        let mut cell = Cell::default();
        with_element!(dtype, T => {
            // SAFETY: the cell has 16 bytes aligned to 16, room for every element type.
            unsafe { cell.0.as_mut_ptr().cast::<T>().write(<T as Element>::from_scalar(value)) }
        });
        cell
    }

    pub(crate) fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// How a fold is computed.
#[derive(Clone, Copy)]
pub(crate) enum Folding {
    /// Elements to a partial, or many rows side by side to a partial each; partials joined by a lane kernel of
    /// the accumulator's type.
    Plain {
        kernel: FoldKernel,
        across: AcrossFn,
        /// The accumulator of a single value.
        lift: LaneFn,
        join: LaneFn,
        start: Cell,
        accumulator: DType,
        finish: LaneFn,
    },
    /// Block to value and position.
    Arg { block: ArgFoldFn, larger: bool },
}

/// What a fold takes for each element, of these nodes.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) kind: Term,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl Terms {
    /// The values of one node.
    fn values(node: u32) -> Terms {
        Terms {
            kind: Term::Value,
            a: node,
            b: node,
        }
    }

    /// The nodes that are read element by element.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = u32> + use<> {
        let second = matches!(self.kind, Term::Product | Term::SquaredDifference);
        std::iter::once(self.a).chain(second.then_some(self.b))
    }
}

/// What computes a node.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Operand of the program.
    Input(usize),
    /// Operand of the program that has no memory.
    Index(usize),
    /// A number known before the run.
    Number(Cell),
    /// A kernel over earlier nodes.
    Kernel(LaneFn, [u32; 3]),
    /// A kernel over two earlier nodes, of which the one at the place is one number.
    Beside(LaneFn, [u32; 2], Place),
    /// A reduction over the row of earlier nodes.
    Fold(Folding, Terms),
}

/// One node ready to run.
#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) step: Step,
    /// Bytes of one value.
    pub(crate) size: usize,
    /// Rough time of one value in units of 0.1 ns, to decide what is worth a second thread.
    pub(crate) cost: usize,
}

impl Instruction {
    /// Bytes from one element of an operand to the next: an index is at the address itself.
    pub(crate) fn unit(&self) -> usize {
        match self.step {
            Step::Index(_) => 1,
            _ => self.size,
        }
    }

    /// Copies a block of the operand that this reads to contiguous memory, or makes it there.
    ///
    /// # Safety
    /// As of [`Space::load`], or the operand is an index; `to` has room for the block.
    pub(crate) unsafe fn load(
        &self,
        space: &Space,
        operand: usize,
        first: *const u8,
        block: Range<usize>,
        to: *mut u8,
    ) {
        // SAFETY: the caller's promise; registers are aligned for every type.
        unsafe {
            match self.step {
                Step::Index(_) => space.index(operand, first, block.start, block.len(), to),
                _ => space.load(operand, first, self.size, block.start, block.len(), to),
            }
        }
    }
}

/// Every node of the program with its kernel.
pub(crate) fn compile(task: &Task<'_>) -> Result<Vec<Instruction>> {
    let program = task.program;
    let row: usize = task.row.iter().product();
    (0..program.nodes.len())
        .map(|k| instruction(program, k, row, task.params))
        .collect()
}

/// How often each node changes: an operand that is the same everywhere in `row` is a number of it.
pub(crate) fn levels(program: &Typed, row: &Space) -> Vec<Level> {
    // A row without elements has no such number either.
    let repeats = |i: usize| row.len() > 0 && row.repeats(i);
    let mut levels: Vec<Level> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let above = node.operands().iter().map(|&a| levels[a as usize]).max();
        levels.push(match node.op {
            Op::Input(i) | Op::Index(i) if node.level == Level::Lane && repeats(usize::from(i)) => {
                Level::Row
            }
            Op::Apply(..) | Op::Cast(_) => above.unwrap_or(node.level),
            _ => node.level,
        });
    }
    levels
}

/// Lets kernels take one number for what is the same in a whole row.
pub(crate) fn beside_numbers(
    program: &Typed,
    levels: &[Level],
    mut code: Vec<Instruction>,
) -> Vec<Instruction> {
    let lane = |k: u32| levels[k as usize] == Level::Lane;
    for (k, node) in program.nodes.iter().enumerate() {
        let Op::Apply(prim, [a, b, _]) = node.op else {
            continue;
        };
        let place = match (prim.arity(), lane(a), lane(b)) {
            (2, true, false) => Place::Second,
            (2, false, true) => Place::First,
            _ => continue,
        };
        let dtype = program.nodes[a as usize].dtype;
        let level = lanes::Level::current();
        if let Some(kernel) = lanes::kernel_beside_at(level, prim, dtype, place) {
            code[k].step = Step::Beside(kernel, [a, b], place);
        }
    }
    code
}

/// Lets sums of products and of squared distances read what these are made of, if nobody else reads them.
pub(crate) fn join_terms(
    program: &Typed,
    levels: &[Level],
    mut code: Vec<Instruction>,
) -> Vec<Instruction> {
    for (k, node) in program.nodes.iter().enumerate() {
        let Op::Fold(Fold::Sum, summed) = node.op else {
            continue;
        };
        let Some(terms) = terms(program, levels, summed) else {
            continue;
        };
        let dtype = program.nodes[terms.a as usize].dtype;
        let joint = lanes::sum_at(lanes::Level::current(), terms.kind, dtype);
        if let (Step::Fold(Folding::Plain { kernel, .. }, from), Some(joint)) =
            (&mut code[k].step, joint)
            && (terms.kind.is_slight() || !read_by_others(program, summed))
        {
            (*kernel, *from) = (joint, terms);
        }
    }
    code
}

/// True where something else than sums reads the node.
fn read_by_others(program: &Typed, node: u32) -> bool {
    let sums = |n: &TypedNode| matches!(n.op, Op::Fold(Fold::Sum, _));
    let mut nodes = program.nodes.iter();
    nodes.any(|n| n.operands().contains(&node) && !sums(n))
        || program.outputs.iter().any(|o| o.node == node)
}

/// What node `summed` is made of, element by element: a product, a distance or the square of one, perhaps by its magnitude.
fn terms(program: &Typed, levels: &[Level], summed: u32) -> Option<Terms> {
    let op = |k: u32| program.nodes[k as usize].op;
    let lane = |k: u32| levels[k as usize] == Level::Lane;
    let of = |kind, a, b| Some(Terms { kind, a, b });
    let (a, b) = match op(summed) {
        Op::Apply(Prim::Sub, [x, y, _]) if lane(x) && !lane(y) => {
            return of(Term::Deviation, x, y);
        }
        Op::Apply(Prim::Mul, [a, b, _]) if lane(a) && !lane(b) => return of(Term::Multiple, a, b),
        Op::Apply(Prim::Mul, [a, b, _]) => (a, b),
        Op::Apply(Prim::Square, [a, ..]) => match op(a) {
            Op::Apply(Prim::Abs, [inner, ..]) => (inner, inner),
            _ => (a, a),
        },
        _ => return None,
    };
    match op(a) {
        Op::Apply(Prim::Sub, [x, y, _]) if a == b && lane(x) => {
            let kind = if lane(y) {
                Term::SquaredDifference
            } else {
                Term::SquaredDeviation
            };
            of(kind, x, y)
        }
        _ if lane(a) && lane(b) => of(Term::Product, a, b),
        _ => None,
    }
}

fn instruction(program: &Typed, k: usize, row: usize, params: &[Scalar]) -> Result<Instruction> {
    let node = &program.nodes[k];
    let operand = |i: u32| program.nodes[i as usize].dtype;
    let mut cost = 1;
    let step = match node.op {
        Op::Input(i) => Step::Input(i as usize),
        Op::Index(i) => Step::Index(i as usize),
        Op::Const(value) => Step::Number(Cell::new(value, node.dtype)),
        Op::Count => Step::Number(Cell::new(Scalar::Int(row as i128), node.dtype)),
        Op::Param(i) => {
            let value = params.get(i as usize).copied().ok_or_else(|| {
                Error::value(
                    "run",
                    format!(
                        "{} needs at least {} numbers, got {}",
                        program.name,
                        i + 1,
                        params.len()
                    ),
                )
            })?;
            Step::Number(Cell::new(value, node.dtype))
        }
        Op::Cast(from) => Step::Kernel(lanes::cast(operand(from), node.dtype), [from; 3]),
        Op::Apply(prim, args) => {
            let at = if prim == Prim::Select {
                operand(args[1])
            } else {
                operand(args[0])
            };
            cost = prim_cost(prim, at);
            let kernel = lanes::kernel(prim, at).ok_or_else(|| {
                Error::value("run", format!("no CPU kernel for {} of {at}", prim.name()))
            })?;
            Step::Kernel(kernel, args)
        }
        Op::Fold(fold, arg) => {
            Step::Fold(folding(fold, operand(arg), node.dtype)?, Terms::values(arg))
        }
    };
    Ok(Instruction {
        step,
        size: node.dtype.size(),
        cost,
    })
}

fn folding(fold: Fold, dtype: DType, result: DType) -> Result<Folding> {
    let missing = || {
        Error::value(
            "run",
            format!("no CPU kernel for {} of {dtype}", fold.name()),
        )
    };
    // `bool` orders like a byte.
    let by_order = matches!(fold, Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax);
    let ordered = if dtype.is_bool() && by_order {
        DType::U8
    } else {
        dtype
    };
    if matches!(fold, Fold::ArgMin | Fold::ArgMax) {
        let larger = fold == Fold::ArgMax;
        let kind = if larger {
            lanes::ArgFold::Max
        } else {
            lanes::ArgFold::Min
        };
        return Ok(Folding::Arg {
            block: lanes::arg_fold(kind, ordered).ok_or_else(missing)?,
            larger,
        });
    }
    let (kind, join) = match fold {
        Fold::Sum => (lanes::Fold::Sum, Prim::Add),
        Fold::Prod => (lanes::Fold::Prod, Prim::Mul),
        Fold::Min => (lanes::Fold::Min, Prim::Min),
        Fold::Max => (lanes::Fold::Max, Prim::Max),
        Fold::Any => (lanes::Fold::Any, Prim::Or),
        _ => (lanes::Fold::All, Prim::And),
    };
    let accumulator = if ordered == dtype {
        fold.accumulator(dtype)
    } else {
        ordered
    };
    let start = fold.identity().unwrap_or(Scalar::Int(0));
    Ok(Folding::Plain {
        kernel: lanes::fold(kind, ordered).ok_or_else(missing)?,
        across: lanes::across_at(lanes::Level::current(), kind, ordered).ok_or_else(missing)?,
        lift: lanes::cast(ordered, accumulator),
        join: lanes::kernel(join, accumulator).ok_or_else(missing)?,
        start: Cell::new(start, accumulator),
        accumulator,
        finish: lanes::cast(
            if ordered == dtype {
                accumulator
            } else {
                DType::Bool
            },
            result,
        ),
    })
}

/// Rough cost of one value in units of 0.1 ns on one thread.
fn prim_cost(prim: Prim, dtype: DType) -> usize {
    use Prim::*;
    let real = match prim {
        Exp | Exp2 | Log | Log2 | Log10 | Sin | Cos | Tanh | Erf | Sqrt | Rsqrt | Expm1 | Log1p => {
            5
        }
        Tan | Sinh | Cosh | Erfc | LogAddExp => 20,
        Asin | Acos | Atan | Atan2 | Asinh | Acosh | Atanh | Pow | Hypot | NextAfter => 60,
        Div | FloorDiv | Rem => 5,
        _ => 1,
    };
    if dtype.is_complex() { real * 8 } else { real }
}

/// True for a primitive that is cheaper to keep than to compute again.
pub(crate) fn is_dear(instruction: &Instruction) -> bool {
    instruction.cost >= 5
}
