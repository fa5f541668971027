//! Each part beside its slow definition in `f64`, over models of several modalities and factors.

use super::*;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error};

/// A model as numbers, whose parts are read by place.
struct Slow {
    outcomes: Vec<usize>,
    states: Vec<usize>,
    actions: Vec<usize>,
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    c: Vec<Vec<f64>>,
    d: Vec<Vec<f64>>,
}

/// Columns of distributions, `[n, columns]`; some numbers are 0.
fn columns(n: usize, columns: usize, generator: &mut Generator) -> Vec<f64> {
    let mut values = vec![0.0; n * columns];
    generator.uniform_f64(&mut values);
    for x in &mut values {
        *x = if *x < 0.2 { 0.0 } else { *x };
    }
    for column in 0..columns {
        values[(column % n) * columns + column] += 0.1;
        let sum: f64 = (0..n).map(|i| values[i * columns + column]).sum();
        (0..n).for_each(|i| values[i * columns + column] /= sum);
    }
    values
}

impl Slow {
    fn new(outcomes: &[usize], states: &[usize], actions: &[usize], seed: u64) -> Slow {
        let mut g = Generator::new(seed);
        let joint = states.iter().product();
        Slow {
            a: outcomes
                .iter()
                .map(|&n| columns(n, joint, &mut g))
                .collect(),
            b: states
                .iter()
                .zip(actions)
                .map(|(&s, &a)| columns(s, s * a, &mut g))
                .collect(),
            c: outcomes
                .iter()
                .map(|&n| {
                    let mut c = vec![0.0; n];
                    g.normal_f64(&mut c);
                    c
                })
                .collect(),
            d: states.iter().map(|&s| columns(s, 1, &mut g)).collect(),
            outcomes: outcomes.to_vec(),
            states: states.to_vec(),
            actions: actions.to_vec(),
        }
    }

    fn model(&self, dtype: DType) -> DiscreteModel {
        let t = |values: &[f64], shape: &[usize]| {
            Tensor::from_slice(values, shape)
                .unwrap()
                .cast(dtype)
                .unwrap()
        };
        let of = |n: &usize| [&[*n], &self.states[..]].concat();
        let a: Vec<Tensor> = self
            .a
            .iter()
            .zip(&self.outcomes)
            .map(|(a, n)| t(a, &of(n)))
            .collect();
        let sizes = self.states.iter().zip(&self.actions);
        let b: Vec<Tensor> = self
            .b
            .iter()
            .zip(sizes)
            .map(|(b, (&s, &k))| t(b, &[s, s, k]))
            .collect();
        let c: Vec<Tensor> = self.c.iter().map(|c| t(c, &[c.len()])).collect();
        let d: Vec<Tensor> = self.d.iter().map(|d| t(d, &[d.len()])).collect();
        DiscreteModel::new(&a, &b, Some(&c), Some(&d)).unwrap()
    }

    fn joint(&self) -> usize {
        self.states.iter().product()
    }

    /// The state of each factor in a joint state.
    fn parts(&self, mut joint: usize) -> Vec<usize> {
        let mut parts = vec![0; self.states.len()];
        for (part, n) in parts.iter_mut().zip(&self.states).rev() {
            *part = joint % n;
            joint /= n;
        }
        parts
    }

    fn probability(&self, q: &[Vec<f64>], joint: usize) -> f64 {
        self.parts(joint)
            .iter()
            .zip(q)
            .map(|(&s, q)| q[s])
            .product()
    }

    /// Utility and information gain of one policy.
    fn value(&self, beliefs: &[Vec<f64>], policy: &[Vec<i64>]) -> (f64, f64) {
        let entropy = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
        let mut q = beliefs.to_vec();
        let (mut utility, mut gain) = (0.0, 0.0);
        for actions in policy {
            for (f, q) in q.iter_mut().enumerate() {
                let (s, k, action) = (self.states[f], self.actions[f], actions[f] as usize);
                let next = |to: usize| {
                    (0..s)
                        .map(|from| self.b[f][(to * s + from) * k + action] * q[from])
                        .sum()
                };
                *q = (0..s).map(next).collect();
            }
            for (m, &n) in self.outcomes.iter().enumerate() {
                for o in 0..n {
                    let row = &self.a[m][o * self.joint()..][..self.joint()];
                    let shown: f64 = (0..self.joint())
                        .map(|s| row[s] * self.probability(&q, s))
                        .sum();
                    utility += shown * self.c[m][o];
                    gain += entropy(shown);
                    gain -= (0..self.joint())
                        .map(|s| entropy(row[s]) * self.probability(&q, s))
                        .sum::<f64>();
                }
            }
        }
        (utility, gain)
    }
}

fn near(got: &Tensor, want: &[f64], within: f64) {
    let got = got.cast(DType::F64).unwrap().to_vec::<f64>().unwrap();
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= within, "{g} is not {w}: {got:?} {want:?}");
    }
}

fn index(values: &[i64]) -> Tensor {
    Tensor::from_slice(values, &[values.len()]).unwrap()
}

fn rows_of(t: &Tensor) -> Vec<f64> {
    t.to_vec::<f64>().unwrap()
}

/// Sums of 3 logarithms and 5 states, each within a few ulp of numbers below 10: 1e-14 is a hundred of them.
#[test]
fn one_factor_is_the_rule_of_bayes() {
    for seed in 0..20 {
        let slow = Slow::new(&[3, 4, 2], &[5], &[2], seed);
        let model = slow.model(DType::F64);
        let seen = [index(&[0, 1, 2]), index(&[3, 0, 1]), index(&[1, 1, 0])];
        let made = infer_states(&model, &seen, None, Sweeps::default()).unwrap();
        for agent in 0..3 {
            let o: Vec<usize> = seen
                .iter()
                .map(|t| t.to_vec::<i64>().unwrap()[agent] as usize)
                .collect();
            let both: Vec<f64> = (0..5)
                .map(|s| (0..3).map(|m| slow.a[m][o[m] * 5 + s]).product::<f64>() * slow.d[0][s])
                .collect();
            let evidence: f64 = both.iter().sum();
            let own = |t: &Tensor| t.select(0, agent as i64).unwrap();
            if evidence == 0.0 {
                near(&own(&made.beliefs[0]), &slow.d[0], 0.0);
                assert_eq!(
                    rows_of(&own(&made.free_energy.free_energy)),
                    [f64::INFINITY]
                );
            } else {
                let want: Vec<f64> = both.iter().map(|p| p / evidence).collect();
                near(&own(&made.beliefs[0]), &want, 1e-14);
                near(
                    &own(&made.free_energy.free_energy),
                    &[-evidence.ln()],
                    1e-13,
                );
            }
            assert_eq!(
                own(&made.impossible).to_scalar::<bool>().unwrap(),
                evidence == 0.0
            );
        }
    }
}

/// Coordinate descent never raises the free energy, which no product of beliefs brings below minus the log evidence.
#[test]
fn sweeps_lower_the_free_energy() {
    for seed in 0..20 {
        let slow = Slow::new(&[3, 4], &[3, 2, 4], &[1, 2, 3], seed);
        let model = slow.model(DType::F64);
        let seen = [index(&[0, 1, 2, 2]), index(&[3, 1, 0, 2])];
        let mut before = vec![f64::INFINITY; 4];
        for most in 1..12 {
            let sweeps = Sweeps {
                most,
                tolerance: 0.0,
            };
            let made = infer_states(&model, &seen, None, sweeps).unwrap();
            let energy = rows_of(&made.free_energy.free_energy);
            for agent in 0..4 {
                // Energies are sums of less than 40 times 1, some 30 of them: 1e-13 is what they lose.
                assert!(
                    energy[agent] <= before[agent] + 1e-13,
                    "seed {seed}, sweep {most}: {energy:?} {before:?}"
                );
                let o = [&seen[0], &seen[1]].map(|t| t.to_vec::<i64>().unwrap()[agent] as usize);
                let evidence: f64 = (0..24)
                    .map(|s| {
                        let shown: f64 = (0..2)
                            .map(|m| slow.a[m][o[m] * 24 + s].max(f64::EPSILON))
                            .product();
                        slow.probability(&slow.d, s) * shown
                    })
                    .sum();
                assert!(energy[agent] >= -evidence.ln() - 1e-13);
            }
            before = energy;
        }
    }
}

/// At rest each belief is `softmax(ln prior + E[ln likelihood])`.
#[test]
fn beliefs_at_rest_fit_each_other() {
    let slow = Slow::new(&[3, 4], &[3, 2], &[1, 2], 3);
    let sweeps = Sweeps {
        most: 500,
        tolerance: 1e-14,
    };
    let made = infer_states(
        &slow.model(DType::F64),
        &[index(&[1]), index(&[2])],
        None,
        sweeps,
    )
    .unwrap();
    assert!(made.converged.to_vec::<bool>().unwrap()[0]);
    let q: Vec<Vec<f64>> = made.beliefs.iter().map(rows_of).collect();
    for f in 0..2 {
        let mut weights: Vec<f64> = slow.d[f].clone();
        for s in 0..6 {
            let own = slow.parts(s)[f];
            let fit: f64 = [1, 2]
                .iter()
                .zip(&slow.a)
                .map(|(o, a)| a[o * 6 + s].max(f64::EPSILON).ln())
                .sum();
            weights[own] *=
                (slow.probability(&q, s) / q[f][own].max(f64::MIN_POSITIVE) * fit).exp();
        }
        let sum: f64 = weights.iter().sum();
        let want: Vec<f64> = weights.iter().map(|w| w / sum).collect();
        near(&made.beliefs[f], &want, 1e-12);
    }
}

/// Values are sums of less than 200 terms below 3, and `float32` loses 2^-23 of each.
#[test]
fn values_are_their_definition() {
    for (seed, states, actions) in [
        (1, vec![4], vec![3]),
        (2, vec![3, 2], vec![2, 2]),
        (3, vec![2, 3, 2], vec![1, 3, 1]),
    ] {
        let slow = Slow::new(&[3, 2], &states, &actions, seed);
        for (dtype, within) in [
            (DType::F64, 1e-13),
            (DType::F32, 200.0 * 3.0 * f64::from(f32::EPSILON)),
        ] {
            let model = slow.model(dtype);
            let plans = policies(&model, 3).unwrap();
            let count = actions.iter().product::<usize>().pow(3);
            assert_eq!(plans.shape(), [count, 3, states.len()]);
            let values = expected_free_energy(&model, model.initial(), &plans).unwrap();
            assert_eq!(
                (values.utility.shape(), values.utility.dtype()),
                (&[count][..], dtype)
            );
            let flat = plans.to_vec::<i64>().unwrap();
            let steps: Vec<Vec<i64>> = flat.chunks(states.len()).map(<[i64]>::to_vec).collect();
            let want: Vec<(f64, f64)> = steps
                .chunks(3)
                .map(|policy| slow.value(&slow.d, policy))
                .collect();
            let (utility, gain): (Vec<f64>, Vec<f64>) = want.into_iter().unzip();
            near(&values.utility, &utility, within);
            near(&values.information_gain, &gain, within);
            let sum: Vec<f64> = utility.iter().zip(&gain).map(|(u, g)| u + g).collect();
            near(&values.negative_efe, &sum, 2.0 * within);
        }
    }
}

/// In any order, some twice and some not at all.
#[test]
fn policies_of_ones_own() {
    let slow = Slow::new(&[3], &[4], &[3], 9);
    let model = slow.model(DType::F64);
    let own: [[i64; 2]; 5] = [[2, 0], [0, 1], [2, 0], [2, 1], [0, 0]];
    let plans = Tensor::from_slice(&own.concat(), &[5, 2, 1]).unwrap();
    let values = expected_free_energy(&model, model.initial(), &plans).unwrap();
    let want = own.map(|p| slow.value(&slow.d, &p.map(|a| vec![a])));
    near(&values.utility, &want.map(|w| w.0), 1e-13);
    near(&values.information_gain, &want.map(|w| w.1), 1e-13);
    let posterior = Tensor::from([0.1, 0.2, 0.3, 0.15, 0.25]);
    let first = action_marginals(&model, &posterior, &plans).unwrap();
    near(&first[0], &[0.45, 0.0, 0.55], 1e-15);
}

/// The bits of an agent do not hang on the others of a call.
#[test]
fn agents_are_alone_among_others() {
    let slow = Slow::new(&[3, 4], &[3, 2], &[2, 2], 5);
    let model = slow.model(DType::F64);
    let seen: [&[i64]; 2] = [&[0, 1, 2, 0, 1, 2], &[3, 2, 1, 0, 3, 2]];
    let all = seen.map(|o| index(o).reshape(&[2, 3]).unwrap());
    let made = infer_states(&model, &all, None, Sweeps::default()).unwrap();
    assert_eq!(made.beliefs[1].shape(), [2, 3, 2]);
    let plans = policies(&model, 2).unwrap();
    let values = expected_free_energy(&model, &made.beliefs, &plans).unwrap();
    assert_eq!(values.negative_efe.shape(), [2, 3, 16]);
    let actions = Tensor::from_slice(&[0i64, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1], &[2, 3, 2]).unwrap();
    let next = predict_states(&model, &made.beliefs, &actions).unwrap();
    for agent in 0..6 {
        let at =
            |t: &Tensor, tail: usize| -> Vec<f64> { rows_of(t)[agent * tail..][..tail].to_vec() };
        let own = seen.map(|o| Tensor::scalar(o[agent], DType::I64).unwrap());
        let alone = infer_states(&model, &own, None, Sweeps::default()).unwrap();
        for f in 0..2 {
            assert_eq!(
                at(&made.beliefs[f], slow.states[f]),
                rows_of(&alone.beliefs[f])
            );
        }
        let worth = expected_free_energy(&model, &alone.beliefs, &plans).unwrap();
        // Products of more rows may add in another order: a few ulp of values below 8.
        near(&worth.negative_efe, &at(&values.negative_efe, 16), 1e-14);
        let action = actions
            .reshape(&[6, 2])
            .unwrap()
            .select(0, agent as i64)
            .unwrap();
        let moved = predict_states(&model, &alone.beliefs, &action).unwrap();
        near(&moved[0], &at(&next[0], 3), 1e-15);
    }
}

#[test]
fn a_distribution_of_one_outcome_is_that_outcome() {
    for states in [vec![4], vec![3, 2]] {
        let slow = Slow::new(&[3, 2], &states, &vec![1; states.len()], 7);
        let model = slow.model(DType::F64);
        let one = |values: &[f64]| Tensor::from_slice(values, &[values.len()]).unwrap();
        let whole = |n: i64| Tensor::scalar(n, DType::I64).unwrap();
        let go = |o: [Tensor; 2]| infer_states(&model, &o, None, Sweeps::default()).unwrap();
        let (a, b) = (
            go([whole(1), whole(0)]),
            go([one(&[0.0, 1.0, 0.0]), whole(0)]),
        );
        near(&a.beliefs[0], &rows_of(&b.beliefs[0]), 1e-15);
        // What was not looked at says nothing.
        let nothing = go([one(&[0.0; 3]), one(&[0.0; 2])]);
        for (belief, prior) in nothing.beliefs.iter().zip(&slow.d) {
            near(belief, prior, 1e-15);
        }
        near(&nothing.free_energy.free_energy, &[0.0], 1e-15);
    }
}

#[test]
fn what_cannot_be_keeps_the_prior() {
    // Outcome 1 is shown by the second state of the second factor alone, where the prior has none.
    let a = Tensor::from_slice(&[1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0], &[2, 2, 2]).unwrap();
    let stay = Tensor::eye(2, DType::F64)
        .unwrap()
        .reshape(&[2, 2, 1])
        .unwrap();
    let d = [Tensor::from([0.25, 0.75]), Tensor::from([1.0, 0.0])];
    let model = DiscreteModel::new(&[a], &[stay.clone(), stay.clone()], None, Some(&d)).unwrap();
    let made = infer_states(&model, &[index(&[1, 0])], None, Sweeps::default()).unwrap();
    assert_eq!(made.impossible.to_vec::<bool>().unwrap(), [true, false]);
    assert_eq!(rows_of(&made.beliefs[0])[..2], [0.25, 0.75]);
    assert_eq!(rows_of(&made.beliefs[1]), [1.0, 0.0, 1.0, 0.0]);
    let energy = rows_of(&made.free_energy.free_energy);
    assert_eq!(energy[0], f64::INFINITY);
    assert!(energy[1].abs() < 1e-15 && rows_of(&made.free_energy.complexity)[0] == 0.0);
    // What must not happen is avoided, and where all of it does the posterior is the prior.
    let posterior = |values: [f64; 2]| {
        let prior = Tensor::from([0.25, 0.75]);
        rows_of(&policy_posterior(&Tensor::from(values), 1.0, Some(&prior)).unwrap())
    };
    assert_eq!(posterior([f64::NEG_INFINITY, -1.0]), [0.0, 1.0]);
    assert_eq!(posterior([f64::NEG_INFINITY; 2]), [0.25, 0.75]);
    assert!(posterior([f64::NAN, 0.0])[0].is_nan());
    let never = Tensor::from([0.0, f64::NEG_INFINITY]);
    let sensor = Tensor::eye(2, DType::F64).unwrap();
    let flip = Tensor::from([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]);
    let first = Tensor::from([1.0, 0.0]);
    let model = DiscreteModel::new(&[sensor], &[flip], Some(&[never]), Some(&[first])).unwrap();
    let plans = policies(&model, 1).unwrap();
    let values = expected_free_energy(&model, model.initial(), &plans).unwrap();
    assert_eq!(rows_of(&values.negative_efe), [0.0, f64::NEG_INFINITY]);
}

#[test]
fn posterior_of_policies() {
    let values = Tensor::from([[0.5, -0.5, 0.0], [1.0, 1.0, 1.0]]);
    let prior = Tensor::from([0.5, 0.25, 0.25]);
    let made = policy_posterior(&values, 2.0, Some(&prior)).unwrap();
    let weights = [0.5 * 1f64.exp(), 0.25 * (-1f64).exp(), 0.25];
    let sum: f64 = weights.iter().sum();
    let want: Vec<f64> = weights
        .iter()
        .map(|w| w / sum)
        .chain([0.5, 0.25, 0.25])
        .collect();
    near(&made, &want, 1e-15);
    near(
        &policy_posterior(&values, 0.0, None).unwrap(),
        &[1.0 / 3.0; 6],
        1e-15,
    );
    let half = policy_posterior(&values.cast(DType::F16).unwrap(), 2.0, None).unwrap();
    assert_eq!(half.dtype(), DType::F16);
}

/// Of 40,000 draws the share of an action lies within 5 deviations, each `sqrt(p (1 - p) / 40000)` below 0.0025.
#[test]
fn draws_follow_their_marginals() {
    let marginals = [
        Tensor::from([0.0, 0.2, 0.5, 0.3, 0.0]),
        Tensor::from([1.0, 3.0]),
    ];
    let many: Vec<Tensor> = marginals
        .iter()
        .map(|t| t.broadcast_to(&[40_000, t.numel()]).unwrap())
        .collect();
    let mut generator = Generator::new(11);
    let drawn = sample_action(&many, 1.0, &mut generator).unwrap();
    assert_eq!(generator.offset, 80_000);
    let drawn = drawn.to_vec::<i64>().unwrap();
    let share = |f: usize, action: i64| {
        drawn
            .iter()
            .skip(f)
            .step_by(2)
            .filter(|&&a| a == action)
            .count() as f64
            / 40_000.0
    };
    for (action, p) in [0.0, 0.2, 0.5, 0.3, 0.0].into_iter().enumerate() {
        let apart = (share(0, action as i64) - p).abs();
        assert!(
            apart <= if p == 0.0 { 0.0 } else { 0.0125 },
            "{action}: {apart}"
        );
    }
    assert!((share(1, 1) - 0.75).abs() < 0.0125);
    // As squares: 1 to 9.
    let closer = sample_action(&many[1..], 2.0, &mut generator).unwrap();
    let ones = closer.sum(..).unwrap().to_scalar::<i64>().unwrap() as f64 / 40_000.0;
    assert!((ones - 0.9).abs() < 0.0125, "{ones}");
    let again = sample_action(&many, 1.0, &mut Generator::new(11)).unwrap();
    assert_eq!(again.to_vec::<i64>().unwrap(), drawn);
    assert_eq!(
        choose_action(&marginals).unwrap().to_vec::<i64>().unwrap(),
        [2, 1]
    );
}

#[test]
fn mistakes_name_the_part() {
    let eye = || Tensor::eye(2, DType::F64).unwrap();
    let stay = || eye().reshape(&[2, 2, 1]).unwrap();
    let said = |made: Result<DiscreteModel>| made.unwrap_err().to_string();
    let text = said(DiscreteModel::new(&[eye()], &[eye()], None, None));
    assert!(
        text.contains("transition 0 is [states, states before, actions]"),
        "{text}"
    );
    let wide = Tensor::ones(&[2, 3], DType::F64).unwrap();
    let text = said(DiscreteModel::new(&[eye(), wide], &[stay()], None, None));
    assert!(
        text.contains("likelihood 1") && text.contains("float64[2, 3]"),
        "{text}"
    );
    let twice = eye().try_mul(2.0).unwrap();
    let text = said(DiscreteModel::new(&[twice], &[stay()], None, None));
    assert!(
        text.contains("likelihood 0") && text.contains("1e0 away from one"),
        "{text}"
    );
    let below = Tensor::from([[1.5, 0.0], [-0.5, 1.0]]);
    let text = said(DiscreteModel::new(&[below], &[stay()], None, None));
    assert!(text.contains("-0.5"), "{text}");
    let nan = Tensor::from([f64::NAN, 1.0]);
    let text = said(DiscreteModel::new(
        &[eye()],
        &[stay()],
        None,
        Some(std::slice::from_ref(&nan)),
    ));
    assert!(text.contains("initial belief 0"), "{text}");
    let text = said(DiscreteModel::new(&[eye()], &[stay()], Some(&[nan]), None));
    assert!(text.contains("preference 0 is NaN"), "{text}");
    let made = DiscreteModel::new(&[eye().cast(DType::F16).unwrap()], &[stay()], None, None);
    assert!(matches!(made, Err(Error::DType { .. })));
    let model = DiscreteModel::new(&[eye()], &[stay()], None, None).unwrap();
    let go = |o: Tensor| {
        infer_states(&model, &[o], None, Sweeps::default())
            .unwrap_err()
            .to_string()
    };
    assert!(go(index(&[0, 2])).contains("observation 0 has the number 2; it goes from 0 to 1"));
    assert!(go(index(&[-1])).contains("the number -1"));
    assert!(go(Tensor::from([0.5, 0.25, 0.25])).contains("observation 0 is [..., 2]"));
    let none = infer_states(&model, &[], None, Sweeps::default())
        .unwrap_err()
        .to_string();
    assert!(none.contains("0 observations for 1 modalities"), "{none}");
    let beyond = predict_states(&model, model.initial(), &index(&[1]))
        .unwrap_err()
        .to_string();
    assert!(
        beyond.contains("the action of factor 0 has the number 1"),
        "{beyond}"
    );
    assert!(policies(&model, 0).is_err());
    let slow = Slow::new(&[2], &[2, 2], &[2, 2], 1);
    let many = policies(&slow.model(DType::F64), 40)
        .unwrap_err()
        .to_string();
    assert!(many.contains("more policies than can be counted"), "{many}");
    let timed = [Tensor::zeros(&[2, 2], DType::F64).unwrap()];
    let model = DiscreteModel::new(&[eye()], &[stay()], Some(&timed), None).unwrap();
    let plans = policies(&model, 3).unwrap();
    let short = expected_free_energy(&model, model.initial(), &plans)
        .unwrap_err()
        .to_string();
    assert!(
        short.contains("preferences are given for 2 steps"),
        "{short}"
    );
}

/// No agents is a call too.
#[test]
fn nobody() {
    let slow = Slow::new(&[3], &[2, 2], &[2, 1], 1);
    let model = slow.model(DType::F64);
    let none = Tensor::zeros(&[0], DType::I64).unwrap();
    let made = infer_states(&model, &[none], None, Sweeps::default()).unwrap();
    assert_eq!(made.beliefs[0].shape(), [0, 2]);
    let plans = policies(&model, 2).unwrap();
    let values = expected_free_energy(&model, &made.beliefs, &plans).unwrap();
    assert_eq!(values.utility.shape(), [0, 4]);
    let posterior = policy_posterior(&values.negative_efe, 1.0, None).unwrap();
    let action = choose_action(&action_marginals(&model, &posterior, &plans).unwrap()).unwrap();
    assert_eq!(action.shape(), [0, 2]);
    let next = predict_states(&model, &made.beliefs, &action).unwrap();
    assert_eq!(next[1].shape(), [0, 2]);
}
