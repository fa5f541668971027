//! Split programs against core's own executor, which runs them whole.

use super::fold::FoldTask;
use super::run::{Machine, packed, run};
use super::split::{Place, Plan, Step};
use syntonic_core::fuse::{
    Builder, Fold, NodeId, Precision, Prim, Program, Role, Slot, Task, Typed, Yield, lower,
};
use syntonic_core::layout::Dims;
use syntonic_core::{DType, Result, Scalar, Tensor, cpu};

/// The CPU device where a GPU would be: maps and single folds only.
struct OnCpu;

impl Machine for OnCpu {
    type Memory = Vec<u128>;

    fn memory(&self, bytes: usize) -> Result<(Vec<u128>, *mut u8)> {
        let mut memory = vec![0xcdu128; bytes.div_ceil(16)];
        let address = memory.as_mut_ptr().cast();
        Ok((memory, address))
    }

    unsafe fn map(&self, task: &Task<'_>) -> Result<()> {
        let nodes = &task.program.nodes;
        let folds = |n: &syntonic_core::fuse::TypedNode| {
            matches!(
                n.op,
                syntonic_core::fuse::Op::Fold(..) | syntonic_core::fuse::Op::Count
            )
        };
        assert!(!nodes.iter().any(folds) && task.row.is_empty());
        // SAFETY: the caller's promise.
        unsafe { cpu().run(task) }
    }

    unsafe fn fold(&self, task: &FoldTask<'_>) -> Result<()> {
        let mut b = Builder::new();
        let mut x = b.input("x", Role::Element);
        if task.dtype.is_half() && !task.result.is_half() {
            x = b.cast(DType::F32, x);
        }
        let y = b.fold(task.fold, x);
        b.output(y, Yield::RowScalar);
        let program = b.finish("fold", Precision::Stepwise);
        // SAFETY: the caller's promise.
        unsafe { one(&lower(&program, &[task.dtype])?, task) }
    }
}

/// # Safety
/// As [`syntonic_core::Device::run`].
unsafe fn one(program: &Typed, task: &FoldTask<'_>) -> Result<()> {
    assert_eq!(program.outputs[0].dtype, task.result);
    let task = Task {
        program,
        outer: task.outer.into(),
        row: task.row.into(),
        inputs: vec![task.input.clone()],
        outputs: vec![task.output.clone()],
        params: &[],
    };
    // SAFETY: the caller's promise.
    unsafe { cpu().run(&task) }
}

const OUTER: [usize; 2] = [3, 4];
const ROW: [usize; 2] = [5, 7];

/// Numbers of this type over `shape`.
fn numbers(dtype: DType, shape: &[usize], seed: usize) -> Tensor {
    let n: usize = shape.iter().product();
    let value = |i: usize| ((i * 7919 + seed * 31) % 23) as f64 / 4.0 - 2.0;
    let values: Vec<f64> = (0..n).map(value).collect();
    let x = Tensor::from_vec(values, shape).unwrap();
    x.cast(dtype).unwrap().eval().unwrap().contiguous().unwrap()
}

/// The slot of a packed tensor that varies over these axes.
fn slot(t: &Tensor, over_outer: bool, over_row: bool) -> Slot {
    let along: usize = if over_row { ROW.iter().product() } else { 1 };
    let still = |n: usize| std::iter::repeat_n(0, n).collect();
    Slot {
        address: t.buffer().unwrap().address(),
        outer: if over_outer {
            packed(&OUTER, along)
        } else {
            still(OUTER.len())
        },
        row: if over_row {
            packed(&ROW, 1)
        } else {
            still(ROW.len())
        },
    }
}

fn inputs(program: &Program, dtype: DType) -> Vec<(Tensor, Slot)> {
    let roles = program.inputs.iter().map(|i| i.role).enumerate();
    let tensors = roles.filter_map(|(k, role)| {
        let (over_outer, over_row) = match role {
            Role::Element => (true, true),
            Role::Row => (false, true),
            Role::RowScalar => (true, false),
            Role::Number => return None,
        };
        let mut shape: Vec<usize> = Vec::new();
        if over_outer {
            shape.extend(OUTER);
        }
        if over_row {
            shape.extend(ROW);
        }
        let t = numbers(dtype, &shape, k);
        let slot = slot(&t, over_outer, over_row);
        Some((t, slot))
    });
    tensors.collect()
}

/// The outputs of a program, run whole and run split.
fn both(program: &Program, dtype: DType, params: &[Scalar]) -> Option<[Vec<Tensor>; 2]> {
    let inputs = inputs(program, dtype);
    let dtypes = vec![dtype; inputs.len()];
    let typed = lower(program, &dtypes).ok()?;
    let outputs = || -> Vec<(Tensor, Slot)> {
        let make = |o: &syntonic_core::fuse::TypedOutput| {
            let over_row = o.role != Yield::RowScalar;
            let shape = if over_row {
                [OUTER, ROW].concat()
            } else {
                OUTER.to_vec()
            };
            let t = Tensor::zeros(&shape, o.dtype).unwrap();
            let t = t.eval().unwrap().contiguous().unwrap();
            let slot = slot(&t, true, over_row);
            (t, slot)
        };
        typed.outputs.iter().map(make).collect()
    };
    let results = [outputs(), outputs()];
    for (k, result) in results.iter().enumerate() {
        let task = Task {
            program: &typed,
            outer: Dims::from_slice(&OUTER),
            row: Dims::from_slice(&ROW),
            inputs: inputs.iter().map(|(_, s)| s.clone()).collect(),
            outputs: result.iter().map(|(_, s)| s.clone()).collect(),
            params,
        };
        // SAFETY: all slots are of live tensors with these axes.
        unsafe {
            if k == 0 {
                cpu().run(&task).unwrap();
            } else {
                run(&OnCpu, &task).unwrap();
            }
        }
    }
    Some(results.map(|r| r.into_iter().map(|(t, _)| t).collect()))
}

fn assert_same(program: &Program, dtype: DType, params: &[Scalar]) -> bool {
    let Some([whole, split]) = both(program, dtype, params) else {
        return false;
    };
    for (w, s) in whole.iter().zip(&split) {
        let values = |t: &Tensor| {
            t.cast(DType::C128)
                .unwrap()
                .to_vec::<syntonic_core::num_complex::Complex<f64>>()
                .unwrap()
        };
        for (a, b) in values(w).into_iter().zip(values(s)) {
            let nan = a.re.is_nan() && b.re.is_nan();
            // Sums are added in another order: in double precision, then rounded to the type.
            let near = (a - b).norm() <= 1e-6 * a.norm().max(1e-3) || a == b;
            let half = dtype.is_half() && (a - b).norm() <= 0.01 * a.norm().max(0.1);
            assert!(nan || near || half, "{program:?} {dtype:?}: {a} and {b}");
        }
    }
    true
}

#[test]
fn reductions_of_core_split() {
    let mut ran = 0;
    for dtype in DType::ALL {
        for program in syntonic_core::ops::reduce::formulas(dtype) {
            let params = vec![Scalar::Float(1.0); 2];
            ran += usize::from(assert_same(program, dtype, &params));
        }
    }
    assert!(ran > 60, "{ran}");
}

#[test]
fn random_programs_split() {
    let mut ran = 0;
    for seed in 0..400u64 {
        let program = random_program(seed);
        for dtype in [DType::F32, DType::F64, DType::BF16, DType::I32, DType::C128] {
            ran += usize::from(assert_same(&program, dtype, &[Scalar::Float(0.5)]));
        }
    }
    assert!(ran > 800, "{ran}");
}

/// A random program of up to ten statements with folds, several outputs and inputs of every role.
fn random_program(seed: u64) -> Program {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    };
    let mut b = Builder::new();
    // Values, and whether each varies along the row.
    let mut values: Vec<(NodeId, bool)> = vec![
        (b.input("x", Role::Element), true),
        (b.input("w", Role::Row), true),
        (b.input("r", Role::RowScalar), false),
        (b.input("s", Role::Number), false),
    ];
    values.push((b.constant(Scalar::Float(1.25)), false));
    values.push((b.count(), false));
    for _ in 0..3 + next(8) {
        let (x, x_varies) = values[next(values.len())];
        let (y, y_varies) = values[next(values.len())];
        let value = match next(7) {
            0 => (b.apply(Prim::Add, &[x, y]), x_varies || y_varies),
            1 => (b.apply(Prim::Sub, &[x, y]), x_varies || y_varies),
            2 => (b.apply(Prim::Mul, &[x, y]), x_varies || y_varies),
            3 => (b.apply(Prim::Abs, &[x]), x_varies),
            4 => (b.fold(Fold::ALL[next(8)], x), false),
            5 => (b.fold(Fold::Sum, x), false),
            _ => (b.apply(Prim::Ne, &[x, y]), x_varies || y_varies),
        };
        values.push(value);
    }
    for _ in 0..1 + next(3) {
        let (node, varies) = values[values.len() - 1 - next(4)];
        let role = if varies || next(3) == 0 {
            Yield::Element
        } else {
            Yield::RowScalar
        };
        b.output(node, role);
    }
    let precision = if next(2) == 0 {
        Precision::Wide
    } else {
        Precision::Stepwise
    };
    b.finish("random", precision)
}

#[test]
fn a_softmax_is_two_maps_and_two_folds() {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let m = b.fold(Fold::Max, x);
    let z = b.apply(Prim::Sub, &[x, m]);
    let e = b.apply(Prim::Exp, &[z]);
    let total = b.fold(Fold::Sum, e);
    let p = b.apply(Prim::Div, &[e, total]);
    b.output(p, Yield::Element);
    let typed = lower(&b.finish("softmax", Precision::Wide), &[DType::F32]).unwrap();
    let plan = Plan::new(&typed, 10);
    let forms: Vec<&str> = plan
        .steps
        .iter()
        .map(|s| match s {
            Step::Map { .. } => "map",
            Step::Fold { .. } => "fold",
        })
        .collect();
    assert_eq!(forms, ["fold", "map", "fold", "map"]);
    // The last map reads the exponentials again.
    let Some(Step::Map { inputs, .. }) = plan.steps.last() else {
        panic!("a map");
    };
    assert!(
        inputs.iter().all(|p| matches!(p, Place::Temporary(_))),
        "{inputs:?}"
    );
}
