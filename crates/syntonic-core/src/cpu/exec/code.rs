//! A typed program turned into kernels: what to call for each node.

use crate::cpu::lanes::{self, AcrossFn, ArgFoldFn, DeviationsFn, FoldFn, LaneFn};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::fuse::{Fold, Level, Op, Prim, Task, Typed};
use crate::scalar::{Element, Scalar};
use crate::with_element;

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

/// A block taken to a partial value.
#[derive(Clone, Copy)]
pub(crate) enum Block {
    /// Of the values themselves.
    Values(FoldFn),
    /// Of their squared distances from what this node holds.
    Deviations(DeviationsFn, u32),
}

/// How a fold is computed.
#[derive(Clone, Copy)]
pub(crate) enum Folding {
    /// Block to partial, or many rows side by side to a partial each; partials joined by a lane kernel of
    /// the accumulator's type.
    Plain {
        block: Block,
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

/// What computes a node.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Operand of the program.
    Input(usize),
    /// A number known before the run.
    Number(Cell),
    /// A kernel over earlier nodes.
    Kernel(LaneFn, [u32; 3]),
    /// A reduction over the row of an earlier node.
    Fold(Folding, u32),
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

/// Every node of the program with its kernel.
pub(crate) fn compile(task: &Task<'_>) -> Result<Vec<Instruction>> {
    let program = task.program;
    let row: usize = task.row.iter().product();
    (0..program.nodes.len())
        .map(|k| instruction(program, k, row, task.params))
        .collect()
}

/// Lets sums of squared distances from one number of the row read what the distances are taken of.
pub(crate) fn join_deviations(program: &Typed, mut code: Vec<Instruction>) -> Vec<Instruction> {
    for (k, node) in program.nodes.iter().enumerate() {
        let Op::Fold(Fold::Sum, squares) = node.op else {
            continue;
        };
        let Some((values, centre)) = distances(program, squares) else {
            continue;
        };
        let dtype = program.nodes[values as usize].dtype;
        let kernel = lanes::deviations_at(lanes::Level::current(), dtype);
        if let (Step::Fold(Folding::Plain { block, .. }, from), Some(kernel)) =
            (&mut code[k].step, kernel)
        {
            (*block, *from) = (Block::Deviations(kernel, centre), values);
        }
    }
    code
}

/// The operands of the difference that node `squares` is the square of, perhaps of its magnitude, where
/// the second is the same in a whole row.
fn distances(program: &Typed, squares: u32) -> Option<(u32, u32)> {
    let node = |k: u32| &program.nodes[k as usize];
    let Op::Apply(Prim::Square, [mut at, ..]) = node(squares).op else {
        return None;
    };
    if let Op::Apply(Prim::Abs, [inner, ..]) = node(at).op {
        at = inner;
    }
    let Op::Apply(Prim::Sub, [values, centre, _]) = node(at).op else {
        return None;
    };
    let lane = |k: u32| node(k).level == Level::Lane;
    (lane(values) && !lane(centre)).then_some((values, centre))
}

fn instruction(program: &Typed, k: usize, row: usize, params: &[Scalar]) -> Result<Instruction> {
    let node = &program.nodes[k];
    let operand = |i: u32| program.nodes[i as usize].dtype;
    let mut cost = 1;
    let step = match node.op {
        Op::Input(i) => Step::Input(i as usize),
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
        Op::Fold(fold, arg) => Step::Fold(folding(fold, operand(arg), node.dtype)?, arg),
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
        block: Block::Values(lanes::fold(kind, ordered).ok_or_else(missing)?),
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
