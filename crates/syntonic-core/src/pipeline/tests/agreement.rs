//! Random plans, run in every way.

use crate::dtype::DType;
use crate::pipeline::Mode;
use crate::pipeline::one_launch::tests::step_by_step;
use crate::pipeline::samples::Sample;
use crate::tensor::Tensor;

fn compare(got: &Tensor, want: &Tensor, (off, dtype): (f64, DType), what: &str) {
    assert_eq!((got.dtype(), got.shape()), (dtype, want.shape()), "{what}");
    let pairs = got
        .to_vec::<f64>()
        .unwrap()
        .into_iter()
        .zip(want.to_vec::<f64>().unwrap());
    for (g, w) in pairs {
        let near = (g - w).abs() <= off || (g.is_nan() && w.is_nan());
        assert!(near, "{what}: {g} is not {w} within {off}");
    }
}

fn agree(seed: u64) {
    let Sample {
        plan,
        inputs,
        bounds,
    } = Sample::of(seed).unwrap();
    let given: Vec<&Tensor> = inputs.iter().collect();
    let what = |mode: Mode| format!("plan {seed}, {mode:?}:\n{plan}");
    let want = plan.run(&given, Mode::Reference);
    if let Ok(want) = &want
        && let Some(got) = step_by_step(&plan, &given).unwrap()
    {
        for (k, (got, want)) in got.iter().zip(want).enumerate() {
            let what = format!("output {k} by steps of {}", what(Mode::Fused));
            compare(got, want, bounds[k], &what);
        }
    }
    let mut fused: Option<Vec<Tensor>> = None;
    for mode in [Mode::Unfused, Mode::Partial, Mode::Fused, Mode::Captured] {
        let got = plan.run(&given, mode);
        let (got, want) = match (got, &want) {
            (Ok(got), Ok(want)) => (got, want),
            // The least or largest of nothing.
            (Err(a), Err(b)) => {
                assert_eq!(
                    std::mem::discriminant(&a),
                    std::mem::discriminant(b),
                    "{}",
                    what(mode)
                );
                continue;
            }
            (a, b) => panic!("{a:?} is not {b:?} in {}", what(mode)),
        };
        for (k, (got, want)) in got.iter().zip(want).enumerate() {
            compare(
                got,
                want,
                bounds[k],
                &format!("output {k} of {}", what(mode)),
            );
        }
        match &fused {
            Some(fused) if mode == Mode::Captured => {
                for (a, b) in fused.iter().zip(&got) {
                    let bits = |t: &Tensor| -> Vec<u64> {
                        let values = t.to_vec::<f64>().unwrap();
                        values.iter().map(|x| x.to_bits()).collect()
                    };
                    assert_eq!(bits(a), bits(b), "replay of {}", what(mode));
                }
            }
            _ => fused = Some(got),
        }
    }
}

#[test]
fn every_way_to_run_a_random_plan_agrees() {
    for seed in 0..60 {
        agree(seed);
    }
}

#[test]
fn a_replay_over_other_inputs_is_the_run_over_them() {
    for seed in 100..106 {
        let Sample { plan, inputs, .. } = Sample::of(seed).unwrap();
        let given: Vec<&Tensor> = inputs.iter().collect();
        let Ok(captured) = plan.capture(&given) else {
            // The least or largest of nothing.
            continue;
        };
        let halved: Vec<Tensor> = inputs.iter().map(|t| (t * 0.5).eval().unwrap()).collect();
        let other: Vec<&Tensor> = halved.iter().collect();
        for inputs in [&given, &other, &given] {
            let replayed = captured.replay(inputs).unwrap();
            let run = plan.run(inputs, Mode::Fused).unwrap();
            for (a, b) in replayed.iter().zip(&run) {
                let [a, b] = [a, b].map(|t| t.to_vec::<f64>().unwrap());
                let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&a), bits(&b), "{plan}");
            }
        }
    }
}
