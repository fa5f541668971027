//! Pipelines against loops that say what they mean.

use super::{BeliefStep, Divergence, Layer, Softmax, uniform};
use crate::dtype::DType;
use crate::pipeline::{Builder, Factor, Mode, Precision, Reduce, Stage, TensorCores};
use crate::stages;
use crate::tensor::Tensor;

use crate::pipeline::one_launch::tests::step_by_step;

const MODES: [Mode; 5] = [
    Mode::Reference,
    Mode::Unfused,
    Mode::Partial,
    Mode::Fused,
    Mode::Captured,
];

fn assert_near(got: &Tensor, want: &[f64], bound: f64, what: &str) {
    let got = got.to_vec::<f64>().unwrap();
    assert_eq!(got.len(), want.len(), "{what}");
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= bound, "{what} at {k}: {g} is not {w}");
    }
}

/// The steps of the belief, one number after another.
fn belief(mu: &[f64], a: &[f64], o: &[f64], w: &[f64]) -> (Vec<f64>, f64) {
    let (n, m) = (mu.len(), o.len());
    let (mut mu, mut energy) = (mu.to_vec(), 0.0);
    for _ in 0..10 {
        let predicted: Vec<f64> = (0..m)
            .map(|i| (0..n).map(|j| a[i * n + j] * mu[j]).sum())
            .collect();
        let error: Vec<f64> = (0..m).map(|i| w[i] * (o[i] - predicted[i])).collect();
        energy = (0..m).map(|i| 0.5 * error[i] * (o[i] - predicted[i])).sum();
        for j in 0..n {
            mu[j] += 0.01 * (0..m).map(|i| a[i * n + j] * error[i]).sum::<f64>();
        }
    }
    (mu, energy)
}

#[test]
fn a_belief_steps_as_a_loop_does() {
    for (n, m) in [(3, 2), (9000, 4)] {
        let scale = 1.0 / (n as f64).sqrt();
        let inputs = [
            uniform(1, &[n], 1.0, DType::F64),
            uniform(2, &[m, n], scale, DType::F64),
            uniform(3, &[m], 2.0, DType::F64),
            uniform(4, &[m], 1.0, DType::F64),
        ];
        let lists: Vec<Vec<f64>> = inputs.iter().map(|t| t.to_vec().unwrap()).collect();
        let (mean, energy) = belief(&lists[0], &lists[1], &lists[2], &lists[3]);
        for mode in MODES {
            let given: Vec<&Tensor> = inputs.iter().collect();
            let out = BeliefStep::plan().run(&given, mode).unwrap();
            // Ten rounds of sums of n terms, none above 3 in magnitude.
            let bound = 10.0 * 3.0 * (n + m) as f64 * f64::EPSILON;
            assert_near(&out[0], &mean, bound, &format!("mean, {mode:?}, {n}"));
            assert_near(
                &out[1],
                &[energy],
                10.0 * bound,
                &format!("energy, {mode:?}, {n}"),
            );
            assert!(out.iter().all(|t| !t.is_pending()), "{mode:?}");
        }
        let given: Vec<&Tensor> = inputs.iter().collect();
        let out = step_by_step(BeliefStep::plan(), &given).unwrap().unwrap();
        let bound = 10.0 * 3.0 * (n + m) as f64 * f64::EPSILON;
        assert_near(&out[0], &mean, bound, "mean by steps");
        assert_near(&out[1], &[energy], 10.0 * bound, "energy by steps");
    }
}

#[test]
fn what_is_to_be_computed_in_double_precision_is() {
    let inputs = [
        uniform(1, &[5], 1.0, DType::BF16),
        uniform(2, &[3, 5], 0.5, DType::BF16),
        uniform(3, &[3], 2.0, DType::BF16),
        uniform(4, &[3], 1.0, DType::BF16),
    ];
    let given: Vec<&Tensor> = inputs.iter().collect();
    for mode in [Mode::Unfused, Mode::Fused, Mode::Captured] {
        let out = BeliefStep::plan().run(&given, mode).unwrap();
        assert_eq!((out[0].dtype(), out[1].dtype()), (DType::BF16, DType::F64));
        assert_eq!((out[0].shape(), out[1].shape()), (&[5][..], &[][..]));
    }
}

#[test]
fn a_softmax_of_stages_is_the_softmax() {
    for (n, m) in [(1, 1), (2, 5), (64, 257), (0, 3)] {
        let x = uniform(7, &[n, m], 30.0, DType::F64);
        let want = crate::ops::softmax::softmax(&x, -1)
            .unwrap()
            .to_vec::<f64>()
            .unwrap();
        for mode in MODES {
            let p = Softmax::plan().run(&[&x], mode).unwrap();
            assert_near(&p[0], &want, 1e-14, &format!("{mode:?} [{n}, {m}]"));
        }
    }
}

#[test]
fn a_divergence_is_one_stage() {
    let p = Tensor::from([[0.5, 0.5], [0.25, 0.75]]);
    let q = Tensor::from([[0.25, 0.75], [0.25, 0.75]]);
    let want = [0.5 * 2f64.ln() + 0.5 * (2.0 / 3.0f64).ln(), 0.0];
    for mode in MODES {
        let kl = Divergence::plan().run(&[&p, &q], mode).unwrap();
        assert_near(&kl[0], &want, 1e-15, &format!("{mode:?}"));
    }
}

#[test]
fn a_layer_is_a_product_and_what_follows() {
    let x = Tensor::from([[1.0, 2.0], [-1.0, 0.5]]);
    let w = Tensor::from([[1.0, -1.0], [0.0, 1.0]]);
    let bias = Tensor::from([0.0, 0.25]);
    for mode in MODES {
        let y = Layer::plan().run(&[&x, &w, &bias], mode).unwrap();
        assert_near(&y[0], &[1.0, 1.25, 0.0, 1.75], 0.0, &format!("{mode:?}"));
    }
}

#[test]
fn products_are_those_of_einsum() {
    stages! {
        struct Products(a: [s, k, m], b: [k, n], v: [k], u: [s, 1, m]) -> (ab, ua, bv, va, vv) {
            #[stage(1)] ab: [s, m, n] = product(transposed a, b);
            #[stage(1)] ua: [s, 1, k] = product(u, transposed a);
            #[stage(1)] bv: [n] = product(transposed b, v);
            #[stage(1)] va: [s, m] = product(v, a);
            #[stage(1)] vv: [] = product(v, v);
        }
    }
    let [a, b] = [
        uniform(1, &[2, 3, 4], 1.0, DType::F64),
        uniform(2, &[3, 5], 1.0, DType::F64),
    ];
    let [v, u] = [
        uniform(3, &[3], 1.0, DType::F64),
        uniform(4, &[2, 1, 4], 1.0, DType::F64),
    ];
    let sums = [
        ("skm,kn->smn", [&a, &b]),
        ("sim,skm->sik", [&u, &a]),
        ("kn,k->n", [&b, &v]),
        ("k,skm->sm", [&v, &a]),
        ("k,k->", [&v, &v]),
    ];
    for mode in MODES {
        let out = Products::plan().run(&[&a, &b, &v, &u], mode).unwrap();
        for ((text, operands), got) in sums.iter().zip(&out) {
            let want = crate::ops::linalg::einsum(text, operands).unwrap();
            assert_eq!(got.shape(), want.shape(), "{text}");
            let want = want.to_vec::<f64>().unwrap();
            assert_near(got, &want, 4.0 * f64::EPSILON, &format!("{text}, {mode:?}"));
        }
    }
}

#[test]
fn folds_within_a_formula_run_over_the_last_axis() {
    stages! {
        struct Centred(x: [n, m], s: []) -> (y, one) {
            #[stage(1)] y: [n, m] = |x| x - sum(x) / count();
            #[stage(1)] one: [] = |s| s - sum(s);
        }
    }
    let (x, s) = (
        Tensor::from([[1.0, 3.0], [5.0, 9.0]]),
        Tensor::scalar(4.0, DType::F64).unwrap(),
    );
    for mode in MODES {
        let out = Centred::plan().run(&[&x, &s], mode).unwrap();
        assert_near(&out[0], &[-1.0, 1.0, -2.0, 2.0], 0.0, &format!("{mode:?}"));
        assert_near(&out[1], &[0.0], 0.0, &format!("{mode:?}"));
        assert!(out[1].shape().is_empty());
    }
}

#[test]
fn the_builder_says_the_same_as_the_macro() {
    let steps = [
        Stage::product("predicted", 1, &["m"], "jacobian", "mu"),
        Stage::elements(
            "error",
            2,
            &["m"],
            ["observation", "predicted", "precision"],
            |[o, p, w]| w * (o - p),
        ),
        Stage::product(
            "gradient",
            3,
            &["n"],
            Factor::transposed("jacobian"),
            "error",
        )
        .tensor_cores(TensorCores::Forbidden),
        Stage::elements("mean", 4, &["n"], ["mu", "gradient"], |[mu, g]| {
            mu + 0.01 * g
        }),
    ];
    let reads = ["error", "observation", "predicted"];
    let energy = Stage::reduction("energy", 5, &[], reads, Reduce::Sum, |[e, o, p]| {
        0.5 * e * (o - p)
    });
    let begun = Builder::new("BeliefStep")
        .input("mu", &["n"])
        .input("jacobian", &["m", "n"])
        .input("observation", &["m"])
        .input("precision", &["m"])
        .repeat(10, &[("mu", "mean")], steps)
        .stage(energy.precision(Precision::Double))
        .output("mean");
    let plan = begun.clone().output("energy").finish().unwrap();
    assert_eq!(&plan, BeliefStep::plan());
    assert_eq!(plan.source(), BeliefStep::plan().source());
    assert_eq!(plan.digest(), BeliefStep::plan().digest());
    let other = begun.finish().unwrap();
    assert_ne!(other.digest(), plan.digest());
}

#[test]
fn the_digest_is_that_of_the_text() {
    let text = Softmax::plan().source();
    let want = "pipeline Softmax(x: [n, m]) -> (p)
  stage 1  top: [n, 1] = max of formula(x)
      %0 = x (Element)
      return %0 (Element)
  stage 2  e: [n, m] = formula(x, top)
      %0 = x (Element)
      %1 = top (Element)
      %2 = subtract(%0, %1)
      %3 = exp(%2)
      return %3 (Element)
  stage 3  total: [n, 1] = sum of formula(e)
      %0 = e (Element)
      return %0 (Element)
  stage 4  p: [n, m] = formula(e, total)
      %0 = e (Element)
      %1 = total (Element)
      %2 = divide(%0, %1)
      return %2 (Element)
";
    assert_eq!(text, want);
}

#[test]
fn stages_run_by_their_numbers_and_not_by_their_place() {
    stages! {
        struct Backwards(x: [n]) -> (z) {
            #[stage(2)] z: [n] = |y| y + 1.0;
            #[stage(1)] y: [n] = |x| 2.0 * x;
        }
    }
    for mode in MODES {
        let z = Backwards::plan()
            .run(&[&Tensor::from([1.0, 2.0])], mode)
            .unwrap();
        assert_eq!(z[0].to_vec::<f64>().unwrap(), [3.0, 5.0]);
    }
}

stages! {
    /// Newton's steps to square roots, until none is longer than 1e-9; and how many there were.
    struct Roots(square: [n], guess: [n], count: [1]) -> (next, rounds, distance) {
        repeat 50 until done carrying (guess <- next, count <- rounds) {
            #[stage(1)] next: [n] = |guess, square| 0.5 * (guess + square / guess);
            #[stage(2, reduction = max)] step: [] = |guess, next| abs(next - guess);
            #[stage(3)] done: [] = |step| select(lt(step, 1e-9), 1.0, 0.0);
            #[stage(1)] rounds: [1] = |count| count + 1.0;
        }
        #[stage(4, reduction = sum)] distance: [] = |next, square| abs(next * next - square);
    }
}

#[test]
fn a_loop_ends_by_its_condition() {
    for (squares, rounds) in [([4.0, 4.0], 5.0), ([4.0, 1e6], 14.0)] {
        let square = Tensor::from(squares);
        let guess = Tensor::from([3.0, 3.0]);
        let inputs = [&square, &guess, &Tensor::from([0.0])];
        let check = |out: &[Tensor], what: &str| {
            assert_near(&out[0], &squares.map(f64::sqrt), 1e-9, what);
            assert_eq!(out[1].to_vec::<f64>().unwrap(), [rounds], "{what}");
            assert_near(&out[2], &[0.0], 1e-9, what);
        };
        for mode in [Mode::Reference, Mode::Unfused, Mode::Fused] {
            check(
                &Roots::plan().run(&inputs, mode).unwrap(),
                &format!("{mode:?}"),
            );
        }
        check(
            &step_by_step(Roots::plan(), &inputs).unwrap().unwrap(),
            "steps",
        );
        // What the device does not decide by itself, no graph can hold.
        let captured = Roots::plan().run(&inputs, Mode::Captured);
        assert!(matches!(captured, Err(crate::Error::Capture { .. })));
    }
}

#[test]
fn a_plan_of_steps_keeps_what_fits_a_task_together() {
    let inputs = super::belief();
    let given: Vec<&Tensor> = inputs.iter().collect();
    let tasks = crate::pipeline::one_launch::tests::tasks(BeliefStep::plan(), &given).unwrap();
    // A step is two: errors come with predictions, means with slopes.
    assert_eq!(tasks, ["predicted + error", "gradient + mean", "energy"]);
}

stages! {
    /// The distances to the three nearest of each point, and how many are nearer than the third.
    struct Near(x: [n], y: [n, 1]) -> (near, nearer) {
        #[stage(1, smallest = 3)] near: [n, 3] = |x, y| abs(x - y);
        #[stage(2, reduction = max)] third: [n, 1] = |near| near;
        #[stage(3, reduction = count)] nearer: [n] = |x, y, third| lt(abs(x - y), third);
    }
}

#[test]
fn the_smallest_are_in_order_and_counted() {
    let x = Tensor::from([0.0, 1.0, 3.0, 7.0, 1.5]);
    let y = x.reshape(&[5, 1]).unwrap();
    let near = [
        0.0, 1.0, 1.5, 0.0, 0.5, 1.0, 0.0, 1.5, 2.0, 0.0, 4.0, 5.5, 0.0, 0.5, 1.5,
    ];
    let check = |out: &[Tensor], what: &str| {
        assert_near(&out[0], &near, 0.0, what);
        // One is as near as the third.
        assert_near(&out[1], &[2.0; 5], 0.0, what);
    };
    for mode in MODES {
        check(
            &Near::plan().run(&[&x, &y], mode).unwrap(),
            &format!("{mode:?}"),
        );
    }
    check(
        &step_by_step(Near::plan(), &[&x, &y]).unwrap().unwrap(),
        "steps",
    );
    let few = Tensor::from([1.0, 2.0]);
    for mode in [Mode::Reference, Mode::Fused] {
        assert!(
            Near::plan()
                .run(&[&few, &few.reshape(&[2, 1]).unwrap()], mode)
                .is_err()
        );
    }
}
