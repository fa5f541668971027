//! The least time that a program can take: that of a copy of the bytes it has to move, or of its arithmetic.

use std::collections::BTreeMap;

use anyhow::Result;
use syntonic_core::DType;

use super::program::{Axis, Operand, Program, Statement, Value};

/// What memory is read and written in.
const SECTOR: usize = 32;
/// Rows of more bytes than a cluster of 16 blocks keeps are read again for what depends on a fold of them.
const ROW_ON_CHIP: usize = 227 * 1024 * 16;
/// So is a whole array of more bytes.
const ALL_ON_CHIP: usize = 20 << 20;

/// Work of a program: what is moved, and what is computed.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Bytes that are read or written.
    pub(super) bytes: u64,
    /// How many elements each primitive has, by its name and the type that it computes in.
    pub(super) steps: BTreeMap<(String, DType), u64>,
}

/// What a program of this shape has to do.
pub(super) fn work(program: &Program, shape: &[usize]) -> Result<Work> {
    let floats = program.operands.iter().find(|x| x.dtype != "bool");
    let dtype = match floats {
        Some(x) => x.dtype()?,
        None => DType::F32,
    };
    let lengths = lengths(program, shape);
    let readings = readings(program, shape, dtype)?;
    let mut bytes = 0;
    for (operand, times) in program.operands.iter().zip(readings) {
        bytes += times as u64 * sectors(operand, shape)? * SECTOR as u64;
    }
    if program.gradient {
        for operand in program.operands.iter().filter(|x| x.dtype != "bool") {
            let n: usize = operand.lengths(shape).iter().product();
            bytes += (n * dtype.size()) as u64;
        }
    } else if let Some(last) = lengths.last() {
        bytes += (last.iter().product::<usize>() * dtype.size()) as u64;
    }
    let mut steps = BTreeMap::new();
    for (statement, own) in program.statements.iter().zip(&lengths) {
        let (name, n) = match statement {
            Statement::Apply(name, args) if name == "pow" => {
                // A cube is two products and a power of a half a root, whoever computes it.
                let own = own.iter().product::<usize>();
                match args.last() {
                    Some(Value::Number(power)) if *power == 0.5 => ("sqrt".into(), own),
                    _ => ("multiply".into(), 2 * own),
                }
            }
            Statement::Apply(name, _) => (name.clone(), own.iter().product::<usize>()),
            Statement::Fold(_, value, _) => (
                "add".into(),
                of(value, program, &lengths, shape).iter().product(),
            ),
        };
        // A slope and what it is multiplied by for each operation.
        let times = if program.gradient { 3 } else { 1 };
        *steps.entry((name, dtype)).or_insert(0) += (times * n) as u64;
    }
    Ok(Work { bytes, steps })
}

/// The lengths of each statement's result.
pub(super) fn lengths(program: &Program, shape: &[usize]) -> Vec<Vec<usize>> {
    let mut made: Vec<Vec<usize>> = Vec::new();
    for statement in &program.statements {
        let mut own = vec![1; shape.len()];
        for value in statement.takes() {
            for (to, n) in own.iter_mut().zip(of(value, program, &made, shape)) {
                *to = n.max(*to);
            }
        }
        if let Statement::Fold(_, _, axes) = statement {
            for &k in axes {
                own[k] = 1;
            }
        }
        made.push(own);
    }
    made
}

fn of(value: &Value, program: &Program, made: &[Vec<usize>], shape: &[usize]) -> Vec<usize> {
    match *value {
        Value::Operand(k) => program.operands[k].lengths(shape),
        Value::Earlier(k) => made[k].clone(),
        Value::Number(_) => vec![1; shape.len()],
    }
}

/// Distinct sectors of an operand.
pub(super) fn sectors(operand: &Operand, shape: &[usize]) -> Result<u64> {
    let size = operand.dtype()?.size();
    let memory = operand.memory(shape);
    let (mut stride, mut spans) = (size, Vec::new());
    for (place, &axis) in operand.order.iter().enumerate().rev() {
        let n = operand.lengths(shape)[axis];
        let step = if operand.axes[axis] == Axis::Every2nd {
            2
        } else {
            1
        };
        if n > 1 {
            spans.push((n, step * stride));
        }
        stride *= memory[place];
    }
    // From the innermost axis: pieces without a gap of a sector grow together, others are counted.
    let (mut piece, mut pieces) = (size, 1u64);
    for (n, step) in spans {
        if pieces == 1 && step < piece + SECTOR {
            piece += (n - 1) * step;
        } else {
            pieces *= n as u64;
        }
    }
    Ok(pieces * piece.div_ceil(SECTOR) as u64)
}

/// How often each operand is read: once, and once more where a value that depends on a fold meets rows that are not on the chip any more,
/// or where the folded axes change.
fn readings(program: &Program, shape: &[usize], dtype: DType) -> Result<Vec<usize>> {
    let operands = program.operands.len();
    // For each value: how many rounds of folds it waits for, the axes of the last of them, and the operands that it reads as they are.
    let mut rounds: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new()); operands];
    let mut reads: Vec<Vec<usize>> = (0..operands).map(|k| vec![k]).collect();
    // Readings of each operand, by round and folded axes of the values that it meets.
    let mut met: Vec<BTreeMap<usize, Vec<usize>>> = vec![BTreeMap::new(); operands];
    let last = program.statements.len().saturating_sub(1);
    for (k, statement) in program.statements.iter().enumerate() {
        let takes = statement.takes().iter().filter_map(|value| match *value {
            Value::Operand(k) => Some(k),
            Value::Earlier(k) => Some(operands + k),
            Value::Number(_) => None,
        });
        let takes: Vec<usize> = takes.collect();
        let deepest = takes.iter().map(|&k| rounds[k].clone());
        let (round, axes) = deepest.max_by_key(|(round, _)| *round).unwrap_or_default();
        let mut own: Vec<usize> = takes.iter().flat_map(|&k| reads[k].clone()).collect();
        own.sort_unstable();
        own.dedup();
        let fold = matches!(statement, Statement::Fold(..));
        if fold || k == last {
            for &operand in &own {
                met[operand].insert(round, axes.clone());
            }
        }
        match statement {
            Statement::Fold(_, _, axes) => {
                rounds.push((round + 1, axes.clone()));
                // The result of a fold is small: nothing is read again for it.
                reads.push(Vec::new());
            }
            Statement::Apply(..) => {
                rounds.push((round, axes));
                reads.push(own);
            }
        }
    }
    let all: usize = shape.iter().product();
    let each = met.iter().map(|rounds| {
        let mut times = 1;
        let mut before: Option<&Vec<usize>> = None;
        for axes in rounds.values() {
            let row: usize = axes.iter().map(|&k| shape[k]).product();
            let whole = row == all;
            let held = row * dtype.size() <= if whole { ALL_ON_CHIP } else { ROW_ON_CHIP };
            let changed = before.is_some_and(|before| !before.is_empty() && before != axes);
            if before.is_some() && (!held || changed) {
                times += 1;
            }
            before = Some(axes);
        }
        // Backwards every round of folds is met once more.
        if program.gradient {
            2 * times - 1
        } else {
            times
        }
    });
    Ok(each.collect())
}

#[cfg(test)]
mod tests {
    use super::super::class::Class;
    use super::super::program::Kind;
    use super::*;

    fn operand(axes: &[Axis], order: &[usize], dtype: &str) -> Operand {
        Operand {
            dtype: dtype.into(),
            low: 0.0,
            high: 1.0,
            axes: axes.to_vec(),
            order: order.to_vec(),
        }
    }

    #[test]
    fn sectors_are_counted_once() {
        use Axis::{Behind, Every2nd, Repeated, Whole};
        let shape = [64, 100];
        let count = |axes: &[Axis], order: &[usize], dtype| {
            sectors(&operand(axes, order, dtype), &shape).unwrap()
        };
        assert_eq!(count(&[Whole, Whole], &[0, 1], "float32"), 800);
        assert_eq!(count(&[Whole, Whole], &[1, 0], "float32"), 800);
        assert_eq!(count(&[Repeated, Whole], &[0, 1], "float32"), 13);
        // Every other element touches every sector.
        assert_eq!(count(&[Whole, Every2nd], &[0, 1], "float32"), 1600);
        // Every other row does not.
        assert_eq!(count(&[Every2nd, Whole], &[0, 1], "float32"), 64 * 13);
        assert_eq!(count(&[Whole, Behind(1)], &[0, 1], "float16"), 404);
        assert_eq!(count(&[Whole, Whole], &[1, 0], "bool"), 200);
    }

    #[test]
    fn a_norm_of_long_rows_is_read_twice() {
        let program = |axes: Vec<usize>| Program {
            class: Class::InnerFolds,
            shape: vec![],
            operands: vec![operand(&[Axis::Whole; 2], &[0, 1], "float32")],
            statements: vec![
                Statement::Fold(Kind::Mean, Value::Operand(0), axes),
                Statement::Apply(
                    "subtract".into(),
                    vec![Value::Operand(0), Value::Earlier(0)],
                ),
            ],
            gradient: false,
        };
        let times = |axes: Vec<usize>, shape: &[usize]| {
            readings(&program(axes), shape, DType::F32).unwrap()
        };
        assert_eq!(times(vec![1], &[1000, 1000]), [1]);
        assert_eq!(times(vec![1], &[10, 1_000_000]), [2]);
        assert_eq!(times(vec![0, 1], &[1000, 1000]), [1]);
        assert_eq!(times(vec![0, 1], &[10_000, 1000]), [2]);
        let moved = work(&program(vec![1]), &[1000, 1000]).unwrap();
        assert_eq!(moved.bytes, 8_000_000);
        assert_eq!(moved.steps.values().sum::<u64>(), 2_000_000);
    }
}
