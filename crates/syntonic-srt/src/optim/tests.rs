//! Updates beside the same formulas over plain numbers, step by step.

use super::{Adam, Decay, Leaf, Lion, Momentum, Optimizer, Sgd, clip_by_global_norm};
use syntonic_core::{DType, Error, Tensor};

const RATE: f64 = 0.1;
const GRADIENTS: [[f64; 3]; 4] = [
    [1.0, -2.0, 0.5],
    [0.25, 3.0, -0.5],
    [-1.0, 0.0, 2.0],
    [0.5, 0.5, 0.5],
];
const START: [f64; 3] = [1.0, -0.5, 2.0];

/// What a library that is not ours does with one number at each step: its moments, then itself.
type Slow = fn(t: i32, p: f64, g: f64, m: &mut [f64; 2]) -> f64;

fn compare(name: &str, optimizer: Optimizer, slow: Slow) {
    let mut p = Tensor::from_slice(&START, &[3]).unwrap();
    let mut moments = optimizer.moments(&p).unwrap();
    let (mut want, mut kept) = (START, [[0.0; 2]; 3]);
    for (at, g) in GRADIENTS.iter().enumerate() {
        let gradient = Tensor::from_slice(g, &[3]).unwrap();
        let step = at as u64 + 1;
        let made = optimizer
            .update(step, RATE, &p, &gradient, &moments)
            .unwrap();
        (p, moments) = (made.parameter, made.moments);
        for i in 0..3 {
            want[i] = slow(step as i32, want[i], g[i], &mut kept[i]);
        }
        for (got, want) in p.to_vec::<f64>().unwrap().iter().zip(want) {
            // Some twenty roundings of numbers up to 3.
            assert!(
                (got - want).abs() <= 20.0 * 3.0 * f64::EPSILON,
                "{name}, step {step}: {got} is not {want}"
            );
        }
    }
}

#[test]
fn updates_are_those_of_the_formulas() {
    compare("sgd", Sgd::default().into(), |_, p, g, _| p - RATE * g);
    let decayed = Sgd {
        weight_decay: 0.2,
        momentum: Momentum::Heavy(0.9),
    };
    compare("momentum", decayed.into(), |_, p, g, m| {
        m[0] = 0.9 * m[0] + (g + 0.2 * p);
        p - RATE * m[0]
    });
    let nesterov = Sgd {
        momentum: Momentum::Nesterov(0.5),
        ..Sgd::default()
    };
    compare("nesterov", nesterov.into(), |_, p, g, m| {
        m[0] = 0.5 * m[0] + g;
        p - RATE * (g + 0.5 * m[0])
    });
    fn adam(t: i32, p: f64, g: f64, m: &mut [f64; 2]) -> f64 {
        m[0] = 0.9 * m[0] + 0.1 * g;
        m[1] = 0.999 * m[1] + 0.001 * g * g;
        let (mean, square) = (
            m[0] / (1.0 - 0.9f64.powi(t)),
            m[1] / (1.0 - 0.999f64.powi(t)),
        );
        p - RATE * mean / (square.sqrt() + 1e-8)
    }
    compare("adam", Adam::default().into(), adam);
    let coupled = Adam {
        weight_decay: 0.1,
        decay: Decay::Gradient,
        ..Adam::default()
    };
    compare("adam with decay", coupled.into(), |t, p, g, m| {
        adam(t, p, g + 0.1 * p, m)
    });
    compare("adamw", Adam::decoupled().into(), |t, p, g, m| {
        adam(t, p - RATE * 0.01 * p, g, m)
    });
    let lion = Lion {
        weight_decay: 0.3,
        ..Lion::default()
    };
    compare("lion", lion.into(), |_, p, g, m| {
        let along: f64 = 0.9 * m[0] + 0.1 * g;
        m[0] = 0.99 * m[0] + 0.01 * g;
        let sign = if along == 0.0 { 0.0 } else { along.signum() };
        p - RATE * 0.3 * p - RATE * sign
    });
}

#[test]
fn types_and_shapes_stay() {
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        for shape in [&[0, 2][..], &[], &[2, 3]] {
            let p = Tensor::ones(shape, dtype).unwrap();
            for optimizer in [
                Adam::default().into(),
                Lion::default().into(),
                Sgd::default().into(),
            ] {
                let moments = Optimizer::moments(&optimizer, &p).unwrap();
                let made = optimizer.update(1, 0.5, &p, &p, &moments).unwrap();
                let p = &made.parameter;
                assert_eq!((p.dtype(), p.shape()), (dtype, shape), "{optimizer:?}");
                for t in &made.moments {
                    assert_eq!((t.dtype(), t.shape()), (DType::F32, shape), "{optimizer:?}");
                }
            }
        }
    }
}

#[test]
fn gradients_are_clipped_together() {
    let grads = [Tensor::from([3.0f32, 0.0]), Tensor::from([[4.0f64]])];
    let (clipped, length) = clip_by_global_norm(&grads, 2.5).unwrap();
    assert_eq!(length.to_scalar::<f64>().unwrap(), 5.0);
    let factor = 2.5 / (5.0 + 1e-6);
    assert!((clipped[1].to_scalar::<f64>().unwrap() - 4.0 * factor).abs() < 4.0 * f64::EPSILON);
    assert_eq!(clipped[0].dtype(), DType::F32);
    // What is short enough stays.
    let (same, _) = clip_by_global_norm(&grads, 10.0).unwrap();
    assert_eq!(same[0].to_vec::<f32>().unwrap(), [3.0, 0.0]);
}

#[test]
fn mistakes_are_named() {
    let (p, short) = (Tensor::from([1.0, 2.0]), Tensor::from([1.0]));
    let adam = Optimizer::from(Adam::default());
    let moments = adam.moments(&p).unwrap();
    let value =
        |r: Result<_, Error>| assert!(matches!(r, Err(Error::Value { op: "adam", .. })), "{r:?}");
    value(adam.update(0, 0.1, &p, &p, &moments).map(drop));
    value(adam.update(1, f64::NAN, &p, &p, &moments).map(drop));
    value(adam.update(1, -1.0, &p, &p, &moments).map(drop));
    value(adam.update(1, 0.1, &p, &p, &moments[..1]).map(drop));
    let odd = Optimizer::from(Adam {
        betas: (1.0, 0.9),
        ..Adam::default()
    });
    value(odd.update(1, 0.1, &p, &p, &moments).map(drop));
    let e = adam.update(1, 0.1, &p, &short, &moments).unwrap_err();
    assert!(matches!(e, Error::Shape { op: "adam", .. }), "{e}");
    let whole = p.cast(DType::I32).unwrap();
    let e = adam.update(1, 0.1, &whole, &p, &moments).unwrap_err();
    assert!(matches!(e, Error::DType { op: "adam", .. }), "{e}");
    assert!(matches!(
        clip_by_global_norm(&[], 1.0),
        Err(Error::Value { .. })
    ));
}

/// Leaves of several types and forms, with and without master copies, have the bits that each has alone.
#[test]
fn a_tree_moves_as_its_leaves_do() {
    let of = |dtype: DType, shape: &[usize], x: f64| {
        let values = (0..shape.iter().product()).map(|i: usize| (i % 7) as f64 * x + 0.25);
        let t = Tensor::from_vec(values.collect::<Vec<f64>>(), shape).unwrap();
        t.cast(dtype).unwrap().eval().unwrap()
    };
    let shapes: [&[usize]; 5] = [&[4, 3], &[], &[0, 2], &[1], &[9]];
    let dtypes = [DType::F32, DType::BF16, DType::F64];
    let adam = Optimizer::from(Adam::decoupled());
    let mut all = Vec::new();
    for (k, shape) in shapes.iter().enumerate() {
        for dtype in dtypes {
            let p = of(dtype, shape, 0.125);
            let moments = adam.moments(&p).unwrap();
            let master = (k % 2 == 0).then(|| p.cast(dtype.compute()).unwrap());
            all.push((p, master, of(dtype, shape, -0.5), moments));
        }
    }
    let leaves: Vec<Leaf<'_>> = all
        .iter()
        .map(|(parameter, master, gradient, moments)| Leaf {
            parameter,
            master: master.as_ref(),
            gradient,
            moments,
        })
        .collect();
    let made = adam.update_each(2, 0.1, &leaves, None).unwrap();
    assert_eq!(made.len(), leaves.len());
    let values = |t: &Tensor| t.to_vec::<f64>().unwrap();
    for (leaf, made) in leaves.iter().zip(&made) {
        let alone = adam.update_each(2, 0.1, &[*leaf], None).unwrap().remove(0);
        assert_eq!(made.parameter.dtype(), leaf.parameter.dtype());
        assert_eq!(made.parameter.shape(), leaf.parameter.shape());
        assert_eq!(values(&made.parameter), values(&alone.parameter));
        assert_eq!(made.master.is_some(), leaf.master.is_some());
        assert_eq!(
            made.master.as_ref().map(values),
            alone.master.as_ref().map(values)
        );
        for (one, other) in made.moments.iter().zip(&alone.moments) {
            assert_eq!(values(one), values(other));
        }
        // It says something: what has elements moves.
        let held = leaf.master.unwrap_or(leaf.parameter);
        let after = made.master.as_ref().unwrap_or(&made.parameter);
        assert!(held.numel() == 0 || values(after) != values(held));
    }
}

/// The gradients are scaled within the update, beside an update by gradients that are scaled before.
#[test]
fn gradients_are_clipped_within_an_update() {
    let (p, g) = (Tensor::from([1.0, 2.0]), Tensor::from([3.0, 4.0]));
    let sgd = Optimizer::from(Sgd::default());
    let leaf = Leaf {
        parameter: &p,
        master: None,
        gradient: &g,
        moments: &[],
    };
    let made = sgd.update_each(1, 0.5, &[leaf], Some(1.0)).unwrap();
    let (scaled, _) = clip_by_global_norm(std::slice::from_ref(&g), 1.0).unwrap();
    let want = sgd.update(1, 0.5, &p, &scaled[0], &[]).unwrap();
    let values = |t: &Tensor| t.to_vec::<f64>().unwrap();
    assert_eq!(values(&made[0].parameter), values(&want.parameter));
    let far = sgd.update_each(1, 0.5, &[leaf], Some(100.0)).unwrap();
    assert_eq!(values(&far[0].parameter), [-0.5, 0.0]);
    let e = sgd.update_each(1, 0.5, &[leaf], Some(-1.0)).unwrap_err();
    assert!(matches!(e, Error::Value { op: "sgd", .. }), "{e}");
    assert!(sgd.update_each(1, 0.5, &[], Some(1.0)).unwrap().is_empty());
}
