//! Formulas as users write them, the same ones each time: samples for tests and for `kernels --prove`.

use super::formula::Formula;
use super::held::{Held, Team};
use super::kernel::Kernel;
use super::phased::COSTS;
use super::shape::Schedule;
use super::sweep::Plan;
use syntonic_core::fuse::phases::{Phases, Sweep};
use syntonic_core::fuse::{
    Builder, Fold, Indices, Level, NodeId, Op, Precision, Prim, Role, Slot, Task, Typed, Yield,
    lower, lower_with,
};
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Scalar};

/// `build` over inputs of these roles and types. It returns per-element and per-row outputs.
fn program(
    name: &'static str,
    inputs: &[(Role, DType)],
    build: impl FnOnce(&mut Builder, &[NodeId]) -> (Vec<NodeId>, Vec<NodeId>),
) -> Typed {
    let mut b = Builder::new();
    let nodes: Vec<NodeId> = inputs.iter().map(|(role, _)| b.input("x", *role)).collect();
    let (each, rows) = build(&mut b, &nodes);
    each.into_iter()
        .for_each(|node| b.output(node, Yield::Element));
    rows.into_iter()
        .for_each(|node| b.output(node, Yield::RowScalar));
    let dtypes: Vec<DType> = inputs.iter().map(|(_, dtype)| *dtype).collect();
    lower(&b.finish(name, Precision::Stepwise), &dtypes)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A fold as a user calls it: half types are widened at the input and rounded at the end.
fn fold(b: &mut Builder, fold: Fold, x: NodeId, dtype: DType) -> NodeId {
    if !dtype.is_half() {
        return b.fold(fold, x);
    }
    let wide = b.cast(DType::F32, x);
    let folded = b.fold(fold, wide);
    b.cast(dtype, folded)
}

/// Softmax.
pub(super) fn softmax(dtype: DType) -> Typed {
    program("softmax", &[(Role::Element, dtype)], |b, x| {
        let most = fold(b, Fold::Max, x[0], dtype);
        let below = b.apply(Prim::Sub, &[x[0], most]);
        let e = b.apply(Prim::Exp, &[below]);
        let sum = fold(b, Fold::Sum, e, dtype);
        (vec![b.apply(Prim::Div, &[e, sum])], vec![])
    })
}

/// RMS norm with a weight.
pub(super) fn rms_norm(dtype: DType, epsilon: f64) -> Typed {
    program(
        "rms_norm",
        &[(Role::Element, dtype), (Role::Element, dtype)],
        |b, x| {
            let square = b.apply(Prim::Mul, &[x[0], x[0]]);
            let sum = fold(b, Fold::Sum, square, dtype);
            let count = b.count();
            let mean = b.apply(Prim::Div, &[sum, count]);
            let epsilon = b.constant(Scalar::Float(epsilon));
            let about = b.apply(Prim::Add, &[mean, epsilon]);
            let root = b.apply(Prim::Sqrt, &[about]);
            let unit = b.apply(Prim::Div, &[x[0], root]);
            (vec![b.apply(Prim::Mul, &[unit, x[1]])], vec![])
        },
    )
}

/// Standardised rows, with mean and deviation as results per row.
fn standardised(dtype: DType) -> Typed {
    program("standardised", &[(Role::Element, dtype)], |b, x| {
        let count = b.count();
        let sum = fold(b, Fold::Sum, x[0], dtype);
        let mean = b.apply(Prim::Div, &[sum, count]);
        let apart = b.apply(Prim::Sub, &[x[0], mean]);
        let square = b.apply(Prim::Mul, &[apart, apart]);
        let spread = fold(b, Fold::Sum, square, dtype);
        let variance = b.apply(Prim::Div, &[spread, count]);
        let deviation = b.apply(Prim::Sqrt, &[variance]);
        (
            vec![b.apply(Prim::Div, &[apart, deviation])],
            vec![mean, deviation],
        )
    })
}

/// Cosine similarity of two rows: three folds of one round, and no result per element.
fn cosine(dtype: DType) -> Typed {
    program(
        "cosine",
        &[(Role::Element, dtype), (Role::Element, dtype)],
        |b, x| {
            let sum = |b: &mut Builder, p: NodeId, q: NodeId| {
                let product = b.apply(Prim::Mul, &[p, q]);
                fold(b, Fold::Sum, product, dtype)
            };
            let (xy, xx, yy) = (sum(b, x[0], x[1]), sum(b, x[0], x[0]), sum(b, x[1], x[1]));
            let lengths = b.apply(Prim::Mul, &[xx, yy]);
            let root = b.apply(Prim::Sqrt, &[lengths]);
            (vec![], vec![b.apply(Prim::Div, &[xy, root])])
        },
    )
}

/// Gradients of a scaled row: one per element, and two that are summed over all rows.
fn slopes(dtype: DType) -> Typed {
    let mut b = Builder::new();
    let x: Vec<NodeId> = (0..2).map(|_| b.input("x", Role::Element)).collect();
    let square = b.apply(Prim::Mul, &[x[0], x[0]]);
    let sum = fold(&mut b, Fold::Sum, square, dtype);
    let scale = b.apply(Prim::Rsqrt, &[sum]);
    let unit = b.apply(Prim::Mul, &[x[0], scale]);
    let product = b.apply(Prim::Mul, &[x[1], unit]);
    b.output(product, Yield::Element);
    b.output(product, Yield::RowSum);
    b.output(x[1], Yield::RowSum);
    lower(&b.finish("slopes", Precision::Stepwise), &[dtype; 2])
        .unwrap_or_else(|error| panic!("slopes: {error}"))
}

/// Complex numbers about their mean, turned by another one, and the mean of their lengths.
pub(super) fn turned(dtype: DType) -> Typed {
    program(
        "turned",
        &[
            (Role::Element, dtype),
            (Role::RowScalar, dtype),
            (Role::Element, dtype.real()),
        ],
        |b, x| {
            let (sum, count) = (b.fold(Fold::Sum, x[0]), b.count());
            let mean = b.apply(Prim::Div, &[sum, count]);
            let apart = b.apply(Prim::Sub, &[x[0], mean]);
            let by = b.constant(Scalar::Complex(Complex::new(0.5, -0.25)));
            let turned = b.apply(Prim::Mul, &[apart, by]);
            let scaled = b.apply(Prim::Mul, &[turned, x[2]]);
            let length = b.apply(Prim::Abs, &[scaled]);
            let lengths = b.fold(Fold::Sum, length);
            let row = b.apply(Prim::Add, &[mean, x[1]]);
            (vec![scaled], vec![row, lengths])
        },
    )
}

/// Every other fold: extremes, the product, and `any` and `all` of a mask.
fn folds(dtype: DType) -> Typed {
    program(
        "folds",
        &[
            (Role::Element, dtype),
            (Role::Element, DType::Bool),
            (Role::RowScalar, dtype),
        ],
        |b, x| {
            let above = b.apply(Prim::Sub, &[x[0], x[2]]);
            let masked = b.apply(Prim::Select, &[x[1], above, x[0]]);
            let least = b.fold(Fold::Min, masked);
            let most = b.fold(Fold::Max, masked);
            let product = b.fold(Fold::Prod, masked);
            let count = b.fold(Fold::Sum, x[1]);
            let (any, all) = (b.fold(Fold::Any, x[1]), b.fold(Fold::All, x[0]));
            let scaled = b.apply(Prim::Mul, &[masked, most]);
            (vec![scaled], vec![least, most, product, count, any, all])
        },
    )
}

/// Softmax of what no index hides: the places of rows and of their elements have no memory.
pub(super) fn masked(dtype: DType) -> Typed {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let (i, j) = (b.input("i", Role::RowScalar), b.input("j", Role::Element));
    let seen = b.apply(Prim::Ge, &[i, j]);
    let hidden = b.constant(Scalar::Float(f64::NEG_INFINITY));
    let y = b.apply(Prim::Select, &[seen, x, hidden]);
    let most = fold(&mut b, Fold::Max, y, dtype);
    let below = b.apply(Prim::Sub, &[y, most]);
    let e = b.apply(Prim::Exp, &[below]);
    let sum = fold(&mut b, Fold::Sum, e, dtype);
    let part = b.apply(Prim::Div, &[e, sum]);
    b.output(part, Yield::Element);
    let program = b.finish("masked", Precision::Stepwise);
    let dtypes = [dtype, DType::I64, DType::I64];
    lower_with(&program, &dtypes, Indices::of([1, 2])).unwrap_or_else(|error| panic!("{error}"))
}

/// All of them, in the types they are for.
pub(super) fn all() -> Vec<Typed> {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::BF16, DType::F16] {
        all.extend([
            softmax(dtype),
            rms_norm(dtype, 1e-5),
            standardised(dtype),
            cosine(dtype),
        ]);
    }
    all.extend([DType::F32, DType::F64, DType::I32, DType::I64].map(folds));
    all.extend([DType::F32, DType::F64].map(slopes));
    all.extend([DType::C64, DType::C128].map(turned));
    all.extend([DType::F32, DType::BF16].map(masked));
    all
}

/// Kernels of a program, in every schedule that it has.
pub(super) fn kernels(program: &Typed, capability: (u32, u32)) -> Vec<Kernel> {
    let Some((formula, _)) = Formula::of(program, |_| true) else {
        return Vec::new();
    };
    let clusters = capability >= (9, 0);
    let teams = [
        Team::Lanes(8),
        Team::Warps(3),
        Team::Warps(8),
        Team::Blocks(4, 8),
        Team::Columns(4, 1),
        Team::Columns(8, 4),
    ];
    let stays = formula.outputs.iter().any(|o| o.is_summed());
    let teams = teams.into_iter().filter(|team| match team {
        Team::Blocks(..) | Team::Columns(_, 2..) => clusters && !stays,
        Team::Columns(..) => !stays,
        _ => true,
    });
    let mut schedules: Vec<(Schedule, usize)> = Vec::new();
    let widest = program
        .inputs
        .iter()
        .map(|dtype| dtype.size())
        .max()
        .unwrap_or(8);
    let lanes = 16 / widest;
    for (k, team) in teams.enumerate() {
        let vectors = if k == 2 { 4 } else { 2 };
        let held = Held {
            team,
            vectors,
            // None, some and all.
            whole: k % (vectors + 1),
            lanes: if k == 1 || matches!(team, Team::Columns(..)) {
                1
            } else {
                lanes
            },
            at_once: 1,
            shared: 0,
            segmented: k % 3 == 1,
        };
        schedules.push((Schedule::Held(held), 1 + k % 2));
    }
    let kernel = |(schedule, axes)| Kernel {
        formula: formula.clone(),
        schedule,
        inputs: program.inputs.len(),
        axes,
    };
    let held = schedules.into_iter().map(kernel);
    held.chain(sweeps(program)).collect()
}

/// Kernels of the phases of a program: over contiguous rows, over columns, and over one long row.
fn sweeps(program: &Typed) -> Vec<Kernel> {
    let layouts: [([usize; 2], [isize; 2]); 3] = [
        ([64, 4096], [4096, 1]),
        ([64, 4096], [1, 64]),
        ([1, 1 << 20], [1 << 20, 1]),
    ];
    let mut kernels: Vec<Kernel> = Vec::new();
    for ([rows, length], [outer, row]) in layouts {
        let Some(phases) = Phases::of(program, length, true, COSTS) else {
            continue;
        };
        for phase in phases.phases.iter().filter(|p| p.sweep == Sweep::Rows) {
            let slot = |varies: bool| Slot {
                address: std::ptr::without_provenance_mut(1 << 20),
                outer: [if varies { outer } else { 1 }].into_iter().collect(),
                row: [if varies { row } else { 0 }].into_iter().collect(),
            };
            let nodes = &phase.program.nodes;
            let is_lane = |k: usize| {
                let own = [Op::Input(k as u16), Op::Index(k as u16)];
                let input = nodes.iter().find(|n| own.contains(&n.op));
                input.is_some_and(|n| n.level == Level::Lane)
            };
            let outputs = phase.program.outputs.iter();
            let task = Task {
                program: &phase.program,
                outer: [rows].into_iter().collect(),
                row: [length].into_iter().collect(),
                inputs: (0..phase.inputs.len()).map(|k| slot(is_lane(k))).collect(),
                outputs: outputs.map(|o| slot(o.role == Yield::Element)).collect(),
                params: &[Scalar::Int(1); 8],
            };
            let Some(plan) = Plan::of(&task, 132) else {
                continue;
            };
            let kernel = plan.kernel(&task);
            if !kernels.contains(&kernel) {
                kernels.push(kernel);
            }
        }
    }
    kernels
}
