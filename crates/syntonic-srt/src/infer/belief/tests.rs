//! Against the definition, the fixed point, and at the edges.

use super::*;

fn t(values: &[f64], shape: &[usize]) -> Tensor {
    Tensor::from_slice(values, shape).unwrap()
}

fn read(t: &Tensor) -> Vec<f64> {
    t.to_vec::<f64>().unwrap()
}

/// Numbers between -0.5 and 0.5.
fn drawn(k: usize, shape: &[usize]) -> Tensor {
    let value = |i: usize| ((i * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5;
    let all: Vec<f64> = (0..shape.iter().product()).map(value).collect();
    t(&all, shape)
}

const ALL: Stepping = Stepping {
    rate: 0.05,
    steps: 10,
    tolerance: 0.0,
    history: History::Kept,
};

/// The formula, term by term.
struct Slow {
    m: usize,
    n: usize,
    j: Vec<f64>,
    o: Vec<f64>,
    pi: Vec<f64>,
    mean: Vec<f64>,
    weight: Vec<f64>,
}

impl Slow {
    fn errors(&self, mu: &[f64]) -> Vec<f64> {
        let row = |i: usize| {
            (0..self.n)
                .map(|j| self.j[i * self.n + j] * mu[j])
                .sum::<f64>()
        };
        (0..self.m).map(|i| self.o[i] - row(i)).collect()
    }

    fn energy(&self, mu: &[f64]) -> f64 {
        let seen: f64 = self
            .errors(mu)
            .iter()
            .zip(&self.pi)
            .map(|(d, pi)| pi * d * d)
            .sum();
        let away = (0..self.n).map(|j| self.weight[j] * (mu[j] - self.mean[j]).powi(2));
        0.5 * (seen + away.sum::<f64>())
    }

    fn step(&self, mu: &[f64], rate: f64) -> Vec<f64> {
        let e = self.errors(mu);
        let gradient = |j: usize| -> f64 {
            let seen = (0..self.m).map(|i| self.j[i * self.n + j] * self.pi[i] * e[i]);
            seen.sum::<f64>() - self.weight[j] * (mu[j] - self.mean[j])
        };
        (0..self.n).map(|j| mu[j] + rate * gradient(j)).collect()
    }
}

#[test]
fn the_definition() {
    for (m, n) in [(1, 1), (3, 5), (40, 70), (7, 300), (600, 33), (500, 290)] {
        let (mu, j, o) = (drawn(0, &[n]), drawn(1, &[m, n]), drawn(2, &[m]));
        let (pi, mean, weight) = (
            drawn(3, &[m]).square().unwrap(),
            drawn(4, &[n]),
            drawn(5, &[n]).square().unwrap(),
        );
        let reference = drawn(6, &[m]);
        let seen = o.try_sub(&reference).unwrap();
        let slow = Slow {
            m,
            n,
            j: read(&j),
            o: read(&seen),
            pi: read(&pi),
            mean: read(&mean),
            weight: read(&weight),
        };
        let model = Model {
            jacobian: &j,
            reference: Some(&reference),
            prior: Some(Prior {
                mean: &mean,
                precision: &weight,
            }),
        };
        // Below 2 over the trace, which bounds the largest eigenvalue.
        let trace = j.square().unwrap().reshape(&[-1]).unwrap().sum(-1).unwrap();
        let rate = 1.0 / (0.25 * trace.item().unwrap().to_f64() + 0.25);
        let made = belief_update(&mu, &o, &pi, model, Stepping { rate, ..ALL }).unwrap();
        let (mut want, mut last) = (read(&mu), read(&mu));
        let history = read(made.history.as_ref().unwrap());
        for (step, found) in history.iter().enumerate() {
            let energy = slow.energy(&want);
            // As many roundings as a sum has terms, and a few for each step.
            let bound = (m + n + 40) as f64 * f64::EPSILON * slow.energy(&read(&mu)).max(1e-300);
            assert!((found - energy).abs() <= bound, "{m} {n} {step}");
            if step < 10 {
                last = want.clone();
                want = slow.step(&want, rate);
            }
        }
        for (got, want) in read(&made.mean).iter().zip(&want) {
            assert!(
                (got - want).abs() < 1e-12 * 10.0,
                "{m} {n}: {got} is not {want}"
            );
        }
        let length = last
            .iter()
            .zip(&want)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt();
        assert!((read(&made.change)[0] - length).abs() < 1e-11);
        assert_eq!(read(&made.steps), [10.0]);
        // The same matrix by columns has the same bits.
        let turned = j.transpose(0, 1).unwrap().contiguous().unwrap();
        let turned = turned.transpose(0, 1).unwrap();
        let again = Model {
            jacobian: &turned,
            ..model
        };
        let again = belief_update(&mu, &o, &pi, again, Stepping { rate, ..ALL }).unwrap();
        assert_eq!(read(&again.mean), read(&made.mean));
    }
}

#[test]
fn the_fixed_point() {
    let (m, n) = (12, 5);
    let (mu, j, o) = (drawn(0, &[n]), drawn(1, &[m, n]), drawn(2, &[m]));
    let (pi, mean, weight) = (
        Tensor::full(&[m], 3.0, DType::F64).unwrap(),
        drawn(4, &[n]),
        Tensor::full(&[n], 0.5, DType::F64).unwrap(),
    );
    let model = Model {
        jacobian: &j,
        reference: None,
        prior: Some(Prior {
            mean: &mean,
            precision: &weight,
        }),
    };
    let stepping = Stepping {
        rate: 0.2,
        steps: 5000,
        tolerance: 1e-16,
        history: History::Last,
    };
    let made = belief_update(&mu, &o, &pi, model, stepping).unwrap();
    assert!(made.converged().unwrap().item().unwrap().to_bool());
    assert!(read(&made.steps)[0] < 5000.0);
    let turned = j.transpose(0, 1).unwrap();
    let curvature = turned.matmul(&j).unwrap().try_mul(3.0).unwrap();
    let eye = Tensor::eye(n, DType::F64).unwrap().try_mul(0.5).unwrap();
    let curvature = curvature.try_add(&eye).unwrap();
    let pull = turned.matmul(&o).unwrap().try_mul(3.0).unwrap();
    let pull = pull.try_add(&mean.try_mul(0.5).unwrap()).unwrap();
    let want = read(&curvature.solve(&pull).unwrap());
    // F is quadratic with a curvature of at least 1/2: a step that changes it by less than 1e-16 is close to 1e-8 from rest.
    for (got, want) in read(&made.mean).iter().zip(want) {
        assert!((got - want).abs() < 1e-7, "{got} is not {want}");
    }
}

#[test]
fn divergence_leaves_the_last_finite_mean() {
    // One state whose error grows by |1 - rate * 4| = 3 every step.
    let (mu, j, o, pi) = (
        t(&[1.0], &[1]),
        t(&[2.0], &[1, 1]),
        t(&[0.0], &[1]),
        t(&[1.0], &[1]),
    );
    let model = Model {
        jacobian: &j,
        reference: None,
        prior: None,
    };
    let stepping = Stepping {
        rate: 1.0,
        steps: 2000,
        tolerance: 1e-9,
        history: History::Kept,
    };
    let made = belief_update(&mu, &o, &pi, model, stepping).unwrap();
    assert!(made.diverged().unwrap().item().unwrap().to_bool());
    let steps = read(&made.steps)[0] as usize;
    let mean = read(&made.mean)[0];
    assert!(mean.is_finite() && read(&made.free_energy)[0].is_finite());
    assert!(
        (mean.abs().ln() - steps as f64 * 3f64.ln()).abs() < 1e-9,
        "{steps} {mean}"
    );
    let history = read(made.history.as_ref().unwrap());
    assert!(history[..=steps].iter().all(|f| f.is_finite()));
    assert!(history[steps + 1..].iter().all(|f| f.is_nan()));
    // Agents beside it go on.
    let (mu, rates) = (t(&[1.0, 1.0], &[2, 1]), t(&[1.0, f64::NAN], &[2, 1]));
    let both = belief_update(
        &mu,
        &o,
        &rates,
        model,
        Stepping {
            rate: 0.1,
            ..stepping
        },
    )
    .unwrap();
    assert_eq!(read(&both.ending), [1.0, 2.0]);
    assert_eq!(read(&both.mean)[1], 1.0);
    assert!(read(&both.free_energy)[1].is_nan() && read(&both.steps)[1] == 0.0);
}

#[test]
fn edges() {
    let model = |jacobian| Model {
        jacobian,
        reference: None,
        prior: None,
    };
    let one = t(&[1.0, 2.0], &[2]);
    // Nothing observed, and no states.
    let none = t(&[], &[0]);
    let (no_rows, no_columns) = (t(&[], &[0, 2]), t(&[], &[2, 0]));
    let made = belief_update(&one, &none, &none, model(&no_rows), ALL).unwrap();
    assert_eq!(
        (read(&made.mean), read(&made.free_energy)),
        (vec![1.0, 2.0], vec![0.0])
    );
    let made = belief_update(&none, &one, &one, model(&no_columns), ALL).unwrap();
    assert_eq!(
        (read(&made.mean), read(&made.free_energy)),
        (vec![], vec![4.5])
    );
    // No steps: the energy of where it is.
    let j = t(&[1.0, 0.0, 0.0, 1.0], &[2, 2]);
    let zero = t(&[0.0, 0.0], &[2]);
    let made = belief_update(&zero, &one, &one, model(&j), Stepping { steps: 0, ..ALL }).unwrap();
    assert_eq!(
        (read(&made.steps), read(&made.free_energy)),
        (vec![0.0], vec![4.5])
    );
    assert_eq!(read(&made.ending), [0.0]);
    // Agents that share a matrix, and agents that do not.
    let mu = drawn(0, &[3, 2]);
    let shared = belief_update(&mu, &one, &one, model(&j), ALL).unwrap();
    let stack = j.broadcast_to(&[3, 2, 2]).unwrap();
    let own = belief_update(&mu, &one, &one, model(&stack), ALL).unwrap();
    assert_eq!(read(&shared.mean), read(&own.mean));
    assert_eq!(shared.history.unwrap().shape(), [3, 11]);
    // No agents.
    let made = belief_update(&t(&[], &[0, 2]), &one, &one, model(&j), ALL).unwrap();
    assert_eq!(made.mean.shape(), [0, 2]);
}

#[test]
fn mistakes_are_errors() {
    let model = |jacobian| Model {
        jacobian,
        reference: None,
        prior: None,
    };
    let (mu, j, o) = (drawn(0, &[3]), drawn(1, &[2, 3]), drawn(2, &[2]));
    let turned = drawn(1, &[3, 2]);
    assert!(matches!(
        belief_update(&mu, &o, &o, model(&turned), ALL),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        belief_update(&mu, &o, &o, model(&mu), ALL),
        Err(Error::Shape { .. })
    ));
    let whole = Tensor::zeros(&[3], DType::I32).unwrap();
    assert!(matches!(
        belief_update(&whole, &o, &o, model(&j), ALL),
        Err(Error::DType { .. })
    ));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let bad = belief_update(&mu, &o, &o, model(&j), Stepping { rate, ..ALL });
        assert!(matches!(bad, Err(Error::Value { .. })));
    }
    let bad = belief_update(
        &mu,
        &o,
        &o,
        model(&j),
        Stepping {
            tolerance: -1.0,
            ..ALL
        },
    );
    assert!(matches!(bad, Err(Error::Value { .. })));
    let half = drawn(0, &[3]).cast(DType::BF16).unwrap();
    let made = belief_update(
        &half,
        &o.cast(DType::BF16).unwrap(),
        &o.square().unwrap().cast(DType::BF16).unwrap(),
        model(&j.cast(DType::BF16).unwrap()),
        ALL,
    )
    .unwrap();
    assert_eq!(made.mean.dtype(), DType::BF16);
}
