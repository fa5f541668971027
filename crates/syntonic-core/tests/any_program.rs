//! Programs written as data, valid or not, through every public function that takes one, in safe code: what runs gives what the
//! interpreter gives, and the rest is a typed error. Never a panic, and no number of a program that is none.
//!
//! `SYNTONIC_ANY_CASES` says how many cases each law gets; `PROPTEST_RNG_SEED` repeats a run.

#![forbid(unsafe_code)]

use proptest::prelude::*;
use std::borrow::Cow;
use syntonic_core::fuse::interpreter::{Extent, interpret};
use syntonic_core::fuse::{
    Backward, Builder, Fold, Input, Node, NodeId, Output, Precision, Prim, Program, Role, Typed,
    Yield, lower, notation,
};
use syntonic_core::grad::grad;
use syntonic_core::pipeline::{self, Mode, Stage, Work};
use syntonic_core::run::{self, Axes, output_dtypes};
use syntonic_core::{DType, Error, Scalar, Tensor, cpu, fuse};

/// Cases of each law in a usual run.
const CASES: u32 = 600;

fn config() -> ProptestConfig {
    let given = std::env::var("SYNTONIC_ANY_CASES").ok();
    let cases = given.and_then(|text| text.parse().ok()).unwrap_or(CASES);
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Primitives without an error in any type, so that every schedule gives the same numbers.
const EXACT: &[Prim] = &[
    Prim::Neg,
    Prim::Abs,
    Prim::Add,
    Prim::Sub,
    Prim::Min,
    Prim::Max,
    Prim::Eq,
    Prim::Lt,
    Prim::Ge,
    Prim::Floor,
    Prim::IsNan,
    Prim::Real,
    Prim::Conj,
    Prim::Not,
    Prim::And,
    Prim::BitXor,
    Prim::Shl,
    Prim::Select,
];

/// Numbers below a bound, of which so many of a hundred are others.
fn mostly(bound: usize, percent: u32, others: Vec<u32>) -> BoxedStrategy<u32> {
    let usual = 0..bound.max(1) as u32;
    match percent {
        0 => usual.boxed(),
        _ => prop_oneof![100 - percent => usual, percent => prop::sample::select(others)].boxed(),
    }
}

/// A node of a program of about so many inputs and earlier nodes; `strange` of a hundred ids are any number.
fn node(at: usize, inputs: usize, strange: u32) -> impl Strategy<Value = Node> {
    let others = vec![at as u32, at as u32 + 1, 1 << 20, u32::MAX];
    let id = mostly(at, strange, others).prop_map(NodeId);
    let number = prop::sample::select(vec![
        Scalar::Int(2),
        Scalar::Int(-1),
        Scalar::Float(0.5),
        Scalar::Bool(true),
        Scalar::Float(-0.0),
        Scalar::Int(1 << 40),
    ]);
    let dtype = prop::sample::select(DType::every().collect::<Vec<_>>());
    let input = mostly(inputs, strange, vec![inputs as u32, 9, 65535]).prop_map(|k| k as u16);
    let prim = prop::sample::select(EXACT.to_vec());
    let ids = [id.clone(), id.clone(), id.clone()];
    let fold = prop::sample::select(Fold::ALL.to_vec());
    if at == 0 {
        return prop_oneof![9 => input.prop_map(Node::Input), 1 => number.prop_map(Node::Const)]
            .boxed();
    }
    prop_oneof![
        5 => input.prop_map(Node::Input),
        1 => number.prop_map(Node::Const),
        1 => Just(Node::Count),
        9 => (prim, ids).prop_map(|(prim, ids)| Node::Apply(prim, ids)),
        1 => (dtype, id.clone()).prop_map(|(dtype, id)| Node::Cast(dtype, id)),
        1 => [id.clone(), id.clone()].prop_map(Node::Like),
        1 => id.clone().prop_map(Node::Stop),
        1 => [id.clone(), id.clone(), id.clone()].prop_map(Node::WithSlope),
        2 => (fold, id).prop_map(|(fold, id)| Node::Fold(fold, id)),
    ]
    .boxed()
}

fn program(strange: u32) -> impl Strategy<Value = Program> {
    let role = prop_oneof![
        6 => Just(Role::Element),
        1 => Just(Role::Row),
        1 => Just(Role::RowScalar),
        1 => Just(Role::Number),
    ];
    let roles = prop::collection::vec(role, 0..4);
    let parts = (roles, 0usize..9).prop_flat_map(move |(roles, nodes)| {
        let inputs = roles.len();
        let all: Vec<_> = (0..nodes)
            .map(|at| node(at, inputs, strange).boxed())
            .collect();
        let from = mostly(nodes, strange, vec![nodes as u32, 77, u32::MAX]);
        let role = prop_oneof![
            4 => Just(Yield::Element),
            2 => Just(Yield::RowScalar),
            1 => Just(Yield::RowSum),
        ];
        let outputs = prop::collection::vec((from, role), 0..3);
        let precision = prop_oneof![Just(Precision::Wide), Just(Precision::Stepwise)];
        (Just(roles), all, outputs, precision)
    });
    parts.prop_map(|(roles, nodes, outputs, precision)| Program {
        name: Cow::Borrowed("any"),
        inputs: roles
            .into_iter()
            .enumerate()
            .map(|(k, role)| Input {
                name: format!("x{k}").into(),
                role,
            })
            .collect(),
        nodes,
        outputs: outputs
            .into_iter()
            .map(|(node, role)| Output {
                node: NodeId(node),
                role,
            })
            .collect(),
        precision,
    })
}

/// By the book: what a program is.
fn is_one(program: &Program) -> bool {
    let nodes = program.nodes.iter().enumerate().all(|(at, node)| {
        let ids: Vec<NodeId> = match node {
            Node::Apply(_, ids) => ids.to_vec(),
            other => other.operands().to_vec(),
        };
        let declared = |k: &u16| usize::from(*k) < program.inputs.len();
        ids.iter().all(|id| id.index() < at)
            && match node {
                Node::Input(k) => declared(k),
                _ => true,
            }
    });
    let outputs = program.outputs.iter();
    nodes && { outputs }.all(|o| o.node.index() < program.nodes.len())
}

const SHAPE: [usize; 2] = [3, 4];

/// Operands of about the right shapes: small whole numbers, in any order of memory.
fn operands(program: &Program, dtypes: &[DType], seed: u64) -> Vec<Tensor> {
    let roles = program.inputs.iter().map(|i| i.role);
    let tensors = roles.filter(|r| *r != Role::Number).enumerate();
    tensors
        .map(|(k, role)| {
            let shape: &[usize] = match role {
                Role::Row => &[4],
                Role::RowScalar => &[3],
                _ if seed % 5 == 4 => &[3, 1],
                _ => &SHAPE,
            };
            let count: usize = shape.iter().product();
            let value = |i: usize| {
                let mixed =
                    (seed ^ (i as u64 * 7 + k as u64 * 5)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed >> 40) as i64 % 5 - 1
            };
            let values: Vec<i64> = (0..count).map(value).collect();
            let dtype = dtypes[k % dtypes.len()];
            let mut x = Tensor::from_vec(values, shape)
                .unwrap()
                .cast(dtype)
                .unwrap();
            if seed % 3 == 1 {
                let axes: Vec<isize> = (0..x.ndim() as isize).collect();
                x = x.flip(&axes).unwrap();
            }
            if seed % 3 == 2 && x.ndim() == 2 {
                x = x.t().unwrap().copy().unwrap().t().unwrap();
            }
            x
        })
        .collect()
}

fn numbers(program: &Program) -> Vec<Scalar> {
    let numbered = program.inputs.iter().filter(|i| i.role == Role::Number);
    numbered.map(|_| Scalar::Float(2.0)).collect()
}

fn scalars(t: &Tensor) -> Vec<Scalar> {
    (0..t.numel())
        .map(|k| {
            let flat = t.reshape(&[-1]).unwrap();
            flat.select(0, k as i64).unwrap().item().unwrap()
        })
        .collect()
}

/// Equal numbers, where one that is none equals itself.
fn same(a: Scalar, b: Scalar) -> bool {
    let (x, y) = (a.to_complex(), b.to_complex());
    let part = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan();
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        _ => part(x.re, y.re) && part(x.im, y.im),
    }
}

/// What the interpreter gives over the index space, of operands spread over it.
fn slowly(
    typed: &Typed,
    inputs: &[Vec<Scalar>],
    per: &[Role],
    params: &[Scalar],
    extent: Extent,
) -> Option<Vec<Vec<Scalar>>> {
    let read = |k: usize, r: usize, i: usize| match per[k] {
        Role::Row => inputs[k][i],
        Role::RowScalar => inputs[k][r],
        _ => inputs[k][r * extent.row + i],
    };
    interpret(typed, extent, params, read).ok()
}

fn compare(got: &[Tensor], want: &[Vec<Scalar>]) -> std::result::Result<(), String> {
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        let values = scalars(got);
        if values.len() != want.len() {
            return Err(format!(
                "output {k} has {} values, not {}",
                values.len(),
                want.len()
            ));
        }
        for (i, (&a, &b)) in values.iter().zip(want).enumerate() {
            if !same(a, b.cast(got.dtype())) {
                return Err(format!("output {k} at {i}: {a:?}, not {b:?}"));
            }
        }
    }
    Ok(())
}

/// A sum of anything depends on its order; one of small whole numbers does not.
fn sums_are_exact(program: &Program) -> bool {
    let small = |id: NodeId| {
        matches!(
            program.nodes[id.index()],
            Node::Input(_)
                | Node::Apply(Prim::Eq | Prim::Lt | Prim::Ge | Prim::IsNan | Prim::Not, _)
        )
    };
    let folds = program.nodes.iter().all(|node| match node {
        Node::Fold(Fold::Sum | Fold::Prod, id) => small(*id),
        _ => true,
    });
    let outputs = program.outputs.iter();
    folds && { outputs }.all(|o| o.role != Yield::RowSum || small(o.node))
}

fn dtypes() -> impl Strategy<Value = Vec<DType>> {
    let usual = prop::sample::select(DType::every().collect::<Vec<_>>());
    let floats = prop::sample::select(vec![DType::F32, DType::F64]);
    prop_oneof![
        1 => prop::collection::vec(usual, 1..4),
        2 => prop::collection::vec(floats, 1..4),
    ]
}

proptest! {
    #![proptest_config(config())]

    /// A program that is none is refused wherever one is taken, and nothing panics over one that is.
    #[test]
    fn only_programs_run(
        program in prop_oneof![program(0), program(6)],
        dtypes in dtypes(),
        seed in any::<u64>(),
        wrt in prop::collection::vec(prop_oneof![8 => 0usize..4, 1 => Just(usize::MAX)], 0..4),
        from in prop::collection::vec(prop_oneof![8 => 0usize..2, 1 => Just(usize::MAX)], 0..2),
        axes in prop::collection::vec(prop_oneof![8 => -2isize..2, 1 => Just(isize::MIN)], 0..3),
        surplus in 0usize..12,
    ) {
        let is_one = is_one(&program);
        prop_assert_eq!(program.check().is_ok(), is_one);
        prop_assert!(program.to_string().len() < 1 << 16);
        let tensors = operands(&program, &dtypes, seed);
        let mut refs: Vec<&Tensor> = tensors.iter().collect();
        let mut given = numbers(&program);
        // Now and then another number of operands.
        match surplus {
            0 => drop(refs.pop()),
            1 => drop(given.pop()),
            2 => given.push(Scalar::Int(1)),
            _ => {}
        }
        let types: Vec<DType> = refs.iter().map(|t| t.dtype()).collect();
        let what = Backward { wrt: &wrt, from: &from, given: &from };
        let outcomes = [
            lower(&program, &types).map(drop),
            output_dtypes(&program, &types).map(drop),
            run::map(&program, &refs, &given, &SHAPE, &cpu()).map(drop),
            run::rows(&program, &refs, &given, &axes, Axes::Keep).map(drop),
            program.grad(&wrt).map(drop),
            program.backward(what).map(drop),
        ];
        for (k, outcome) in outcomes.iter().enumerate() {
            prop_assert!(is_one || outcome.is_err(), "{k}: {program:?}");
        }
        for made in [program.grad(&wrt), program.backward(what)].into_iter().flatten() {
            prop_assert!(made.check().is_ok(), "{program}\n{made}");
            let tensors = operands(&made, &dtypes, seed);
            let refs: Vec<&Tensor> = tensors.iter().collect();
            let _ = run::rows(&made, &refs, &numbers(&made), &[-1], Axes::Drop);
            let _ = run::map(&made, &refs, &numbers(&made), &SHAPE, &cpu());
        }
        // As a stage of a pipeline, and on a tape.
        let work = Work::Elements(program.clone());
        let mut plan = pipeline::Builder::new("any");
        for input in &program.inputs {
            plan = plan.input(input.name.to_string(), &["3", "4"]);
        }
        let plan = plan.stage(Stage::new("y", 1, &["3", "4"], work)).output("y").finish();
        prop_assert!(is_one || plan.is_err());
        if let Ok(plan) = plan {
            for mode in [Mode::Fused, Mode::Unfused, Mode::Reference] {
                let _ = plan.run(&refs, mode);
            }
        }
        let tape = |variables: &[Tensor]| {
            let inputs: Vec<&Tensor> = variables.iter().collect();
            run::rows(&program, &inputs, &given, &[-1], Axes::Drop)?.remove(0).sum(..)
        };
        let _ = grad(tape, &refs);
        let tape = |variables: &[Tensor]| {
            let inputs: Vec<&Tensor> = variables.iter().collect();
            run::map(&program, &inputs, &given, &SHAPE, &cpu())?.remove(0).sum(..)
        };
        let _ = grad(tape, &refs);
    }

    /// What a valid program gives over elements and over rows is what the interpreter gives.
    #[test]
    fn programs_mean_what_the_interpreter_says(
        program in program(0),
        dtypes in dtypes(),
        seed in any::<u64>(),
        swapped in any::<bool>(),
    ) {
        let tensors = operands(&program, &dtypes, seed);
        let refs: Vec<&Tensor> = tensors.iter().collect();
        let types: Vec<DType> = refs.iter().map(|t| t.dtype()).collect();
        let Ok(typed) = lower(&program, &types) else { return Ok(()) };
        let params = numbers(&program);
        let roles: Vec<Role> = program.inputs.iter().map(|i| i.role).filter(|r| *r != Role::Number).collect();
        let over = |shape: &[usize], t: &Tensor| scalars(&t.broadcast_to(shape).unwrap());
        let elements = roles.iter().all(|r| *r == Role::Element);
        if elements && let Ok(got) = run::map(&program, &refs, &params, &SHAPE, &cpu()) {
            let inputs: Vec<Vec<Scalar>> = refs.iter().map(|t| over(&SHAPE, t)).collect();
            let extent = Extent { rows: 12, row: 1 };
            let want = slowly(&typed, &inputs, &roles, &params, extent).unwrap();
            compare(&got, &want).map_err(|e| TestCaseError::fail(format!("{e}\n{program}")))?;
        }
        // Rows along the second axis of three rows, with the first as a row as well where every operand is of elements.
        let whole = roles.first() == Some(&Role::Element) && seed % 5 != 4;
        if !whole || !sums_are_exact(&program) {
            return Ok(());
        }
        let axes: &[isize] = if swapped && elements { &[1, 0] } else { &[1] };
        let Ok(got) = run::rows(&program, &refs, &params, axes, Axes::Drop) else { return Ok(()) };
        let extent = if axes.len() == 2 { Extent { rows: 1, row: 12 } } else { Extent { rows: 3, row: 4 } };
        let inputs: Vec<Vec<Scalar>> = refs
            .iter()
            .zip(&roles)
            .map(|(t, role)| match role {
                Role::Row => over(&[4], t),
                Role::RowScalar => over(&[3], t),
                _ => over(&SHAPE, t),
            })
            .collect();
        let want = slowly(&typed, &inputs, &roles, &params, extent).unwrap();
        compare(&got, &want).map_err(|e| TestCaseError::fail(format!("{e}\n{program}")))?;
    }

    /// A builder takes any ids and any number of them; what is no program of it is refused when it is run.
    #[test]
    fn a_builder_of_any_ids(
        steps in prop::collection::vec((0usize..8, prop::collection::vec(prop_oneof![6 => 0u32..6, 1 => Just(u32::MAX)], 0..4), 0usize..8), 0..12),
    ) {
        let mut b = Builder::new();
        b.input("x", Role::Element);
        let mut last = NodeId(0);
        for (kind, ids, which) in steps {
            let ids: Vec<NodeId> = ids.into_iter().map(NodeId).collect();
            let id = ids.first().copied().unwrap_or(last);
            last = match kind {
                0 => b.apply(EXACT[which % EXACT.len()], &ids),
                1 => b.cast(DType::F32, id),
                2 => b.like(id, last),
                3 => b.stop(id),
                4 => b.existing_input(which * 40_000),
                5 => notation::over(&mut b, &ids, |[x, y]| notation::apply(Prim::Add, &[x, y])),
                6 => notation::over(&mut b, &ids, |[x]| {
                    if notation::is_number(x, 1.0) { x } else { x * 2.0 }
                }),
                _ => b.constant(which as i64),
            };
            prop_assert!(b.get(last).is_some() || last.0 == u32::MAX || !b.is_empty());
        }
        b.output(last, Yield::Element);
        let program = b.finish("built", Precision::Wide);
        let x = Tensor::from([1.0, 2.0]);
        let ran = run::map(&program, &[&x], &[], &[2], &cpu());
        prop_assert!(is_one(&program) || ran.is_err());
    }
}

fuse! { SUM(x: element, y: element) -> (element) { x + y } }

/// The programs that once gave wrong numbers or ended the process, by name.
#[test]
fn no_program_of_old_runs() {
    let x = Tensor::from([1.0, 2.0]);
    let with = |nodes: Vec<Node>, output: u32| Program {
        nodes,
        outputs: vec![Output {
            node: NodeId(output),
            role: Yield::Element,
        }],
        ..SUM.clone()
    };
    let add = |a, b| Node::Apply(Prim::Add, [NodeId(a), NodeId(b), NodeId(0)]);
    let (first, second) = (Node::Input(0), Node::Input(1));
    for (name, program) in [
        ("reads itself", with(vec![first, add(0, 1)], 1)),
        (
            "reads a later node",
            with(vec![first, add(0, 2), second], 1),
        ),
        (
            "reads a node far away",
            with(vec![first, add(0, 1 << 30)], 1),
        ),
        (
            "reads an undeclared input",
            with(vec![Node::Input(9), add(0, 0)], 1),
        ),
        ("yields no node", with(vec![first], 7)),
        ("begins with a primitive", with(vec![add(0, 0)], 0)),
        ("has a spare position that is no node", {
            with(
                vec![
                    first,
                    Node::Apply(Prim::Neg, [NodeId(0), NodeId(5), NodeId(0)]),
                ],
                1,
            )
        }),
    ] {
        let refusals = [
            run::map(&program, &[&x, &x], &[], &[2], &cpu()).map(drop),
            run::rows(&program, &[&x, &x], &[], &[0], Axes::Drop).map(drop),
            lower(&program, &[DType::F64; 2]).map(drop),
            program.grad(&[0]).map(drop),
            grad(
                |v| run::map(&program, &[&v[0], &v[1]], &[], &[2], &cpu())?[0].sum(..),
                &[&x, &x],
            )
            .map(drop),
        ];
        for (k, refused) in refusals.into_iter().enumerate() {
            assert!(
                matches!(refused, Err(Error::Value { .. })),
                "{name}, {k}: {refused:?}"
            );
        }
    }
    // An input that is read at two nodes is the same input, and so is its gradient.
    let twice = with(vec![first, second, first, add(0, 2), add(3, 1)], 4);
    let y = run::map(&twice, &[&x, &x], &[], &[2], &cpu()).unwrap();
    assert_eq!(y[0].to_vec::<f64>().unwrap(), [3.0, 6.0]);
    let slopes = grad(
        |v| run::map(&twice, &[&v[0], &v[1]], &[], &[2], &cpu())?[0].sum(..),
        &[&x, &x],
    );
    let slopes = slopes.unwrap();
    assert_eq!(slopes[0].to_vec::<f64>().unwrap(), [2.0, 2.0]);
    assert_eq!(slopes[1].to_vec::<f64>().unwrap(), [1.0, 1.0]);
}

/// Operands and numbers that a program does not take.
#[test]
fn a_call_gives_what_the_program_takes() {
    fuse! {
        SCALED(x: element, by: number) -> (element) { x * by }
        CENTRED(x: element) -> (element) { x - mean(x) }
        ALWAYS(by: number) -> (element) { by + 1.0 }
    }
    let x = Tensor::from([1.0, 2.0]);
    let two = [Scalar::Int(2)];
    let map = |program: &Program, inputs: &[&Tensor], given: &[Scalar]| {
        run::map(program, inputs, given, &[2], &cpu()).is_ok()
    };
    let rows = |program: &Program, inputs: &[&Tensor], given: &[Scalar]| {
        run::rows(program, inputs, given, &[-1], Axes::Drop).is_ok()
    };
    assert!(map(&SCALED, &[&x], &two) && rows(&SCALED, &[&x], &two));
    assert!(!map(&SCALED, &[&x], &[]) && !rows(&SCALED, &[&x], &[]));
    assert!(!map(&SCALED, &[&x], &[two[0]; 2]) && !rows(&SCALED, &[&x], &[two[0]; 2]));
    assert!(!map(&SCALED, &[&x, &x], &two) && !rows(&SCALED, &[], &two));
    assert!(!map(&CENTRED, &[&x], &[]) && rows(&CENTRED, &[&x], &[]));
    assert!(map(&ALWAYS, &[], &two) && !rows(&ALWAYS, &[], &two));
}
