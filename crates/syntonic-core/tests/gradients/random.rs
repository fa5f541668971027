//! Random programs over smooth primitives, with bounded values.

use crate::difference::Problem;
use proptest::prelude::{ProptestConfig, prop, proptest};
use syntonic_core::fuse::notation::*;
use syntonic_core::fuse::{Program, Role, Yield};

/// One step of a program: what to do, and to which earlier values.
type Move = (u8, usize, usize);

/// Keeps every value between about -4 and 4, and every derivative moderate.
fn step((kind, i, j): Move, values: &[Sym]) -> Sym {
    let (a, b) = (values[i % values.len()], values[j % values.len()]);
    match kind % 14 {
        0 => sin(a),
        1 => cos(a),
        2 => tanh(a),
        3 => atan(a),
        4 => 0.5 * (a + b),
        5 => 0.25 * (a - b),
        6 => sin(a * b),
        7 => a / (2.0 + square(b)),
        8 => exp(tanh(a)) * 0.5,
        9 => mean(a),
        10 => log(1.0 + sum(exp(tanh(b)))),
        11 => erf(a) * tanh(b),
        12 => sqrt(1.0 + square(mean(a * tanh(b)))),
        _ => log1p(square(tanh(a))) - hypot(b, 1.0) * 0.1,
    }
}

fn program(moves: &[Move]) -> Program {
    let inputs = [
        ("x", Role::Element),
        ("w", Role::Row),
        ("r", Role::RowScalar),
        ("a", Role::Number),
    ];
    let outputs = [Yield::Element, Yield::RowScalar, Yield::RowSum];
    trace("random", &inputs, &outputs, |args| {
        let mut values = args.to_vec();
        for &m in moves {
            values.push(step(m, &values));
        }
        let last = values[values.len() - 1];
        let before = values[values.len() - 2];
        vec![last, mean(before * last), before]
    })
}

fn check(moves: &[Move]) {
    let p = Problem::new(&program(moves), &[&[2, 3], &[3], &[2]], &[0.6]);
    p.check();
    p.check_single();
    p.check_short(1);
}

#[test]
fn what_cancels_has_a_gradient() {
    check(&[(5, 14, 14)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gradients_of_random_programs(moves in prop::collection::vec((0..14u8, 0..20usize, 0..20usize), 1..9)) {
        check(&moves);
    }
}
