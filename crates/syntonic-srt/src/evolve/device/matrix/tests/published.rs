//! The updates as they were published, a candidate at a time in slow `float64`.
//!
//! How far a search may be from them: a sum of k numbers is off by k roundings of its largest terms, so a generation adds at most some n + P of them
//! to each number of the state, relative to the largest of its kind. Errors of the state that a generation begins with grow by no more than what the
//! decomposition does to them, `√κ` of the covariance, which is below 8 in these few generations. The bound below is 64 (n + P) roundings for each
//! generation, which leaves room for that factor.

use super::*;

fn bound(n: usize, population: usize, generations: usize) -> f64 {
    64.0 * (n + population) as f64 * generations as f64 * f64::EPSILON
}

fn near(what: &str, got: &Tensor, want: &[f64], bound: f64) -> Tested {
    let got = list(got)?;
    let size = want.iter().fold(1.0f64, |top, x| top.max(x.abs()));
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= bound * size, "{what}: {got} {want}");
    }
    Ok(())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn noise(rows: usize, n: usize, seed: u64, generation: usize) -> Vec<Vec<f64>> {
    let mut z = vec![0.0; rows * n];
    fill_normal_f64(
        &mut z,
        seed,
        (generation * (rows * n).div_ceil(4) * 4) as u64,
    );
    z.chunks(n).map(<[f64]>::to_vec).collect()
}

/// `C^(1/2)` by Jacobi's rotations.
fn root(c: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = c.len();
    let mut a = c.to_vec();
    let mut b: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(i == j)).collect())
        .collect();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cos = 1.0 / (t * t + 1.0).sqrt();
                let sin = t * cos;
                let turned = |x: f64, y: f64| (cos * x - sin * y, sin * x + cos * y);
                for row in a.iter_mut().chain(&mut b) {
                    (row[p], row[q]) = turned(row[p], row[q]);
                }
                let (upper, lower) = a.split_at_mut(q);
                for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
                    (*x, *y) = turned(*x, *y);
                }
            }
        }
    }
    let entry = |i: usize, j: usize| (0..n).map(|k| b[i][k] * a[k][k].sqrt() * b[j][k]).sum();
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// Hansen's tutorial, figure 6 and table 1.
#[test]
fn cma_moves_as_published() -> Tested {
    for (n, p, generations) in [(4, 6, 12), (5, 9, 12), (70, 8, 7)] {
        let seed = 3;
        let first = start(n, DType::F64)?;
        let mut search = MatrixSearch::new(&first, 0.7, p, MatrixRule::Cma, seed)?;
        let (nf, pf, mut sigma) = (n as f64, p as f64, 0.7);
        let mut mean = vec![3.0f64; n];
        let (mut ps, mut pc) = (vec![0.0; n], vec![0.0; n]);
        let mut c: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| f64::from(i == j)).collect())
            .collect();
        let raw: Vec<f64> = (1..=p)
            .map(|k| ((pf + 1.0) / 2.0).ln() - (k as f64).ln())
            .collect();
        let (plus, minus) = raw.split_at(p / 2);
        let (sum_plus, sum_minus) = (plus.iter().sum::<f64>(), -minus.iter().sum::<f64>());
        let mu = sum_plus.powi(2) / dot(plus, plus);
        let mu_minus = sum_minus.powi(2) / dot(minus, minus);
        let cs = (mu + 2.0) / (nf + mu + 5.0);
        let ds = 1.0 + 2.0 * (((mu - 1.0) / (nf + 1.0)).sqrt() - 1.0).max(0.0) + cs;
        let cc = (4.0 + mu / nf) / (nf + 4.0 + 2.0 * mu / nf);
        let c1 = 2.0 / ((nf + 1.3).powi(2) + mu);
        let cmu = (2.0 * (0.25 + mu + 1.0 / mu - 2.0) / ((nf + 2.0).powi(2) + mu)).min(1.0 - c1);
        let alpha = (1.0 + c1 / cmu)
            .min(1.0 + 2.0 * mu_minus / (mu + 2.0))
            .min((1.0 - c1 - cmu) / (nf * cmu));
        let weights: Vec<f64> = raw
            .iter()
            .enumerate()
            .map(|(k, w)| match k < p / 2 {
                true => w / sum_plus,
                false => alpha * w / sum_minus,
            })
            .collect();
        let expected = nf.sqrt() * (1.0 - 1.0 / (4.0 * nf) + 1.0 / (21.0 * nf * nf));
        let gap = 1.0 / (10.0 * nf * (c1 + cmu));
        assert_eq!(gap > 1.0, n == 70);
        let (mut a, mut decomposed) = (c.clone(), 0);
        for generation in 0..generations {
            if generation > 0 && generation as f64 >= decomposed as f64 + gap {
                (a, decomposed) = (root(&c), generation);
            }
            let z = noise(p, n, seed, generation);
            let y: Vec<Vec<f64>> = z
                .iter()
                .map(|z| a.iter().map(|row| dot(row, z)).collect())
                .collect();
            let value = |k: usize| {
                let x: Vec<f64> = (0..n).map(|j| mean[j] + sigma * y[k][j]).collect();
                Function::Rosenbrock.of(&x)
            };
            let mut order: Vec<usize> = (0..p).collect();
            order.sort_by(|&i, &j| value(i).total_cmp(&value(j)));
            let of = |rows: &[Vec<f64>], j: usize| -> f64 {
                (0..p / 2).map(|k| weights[k] * rows[order[k]][j]).sum()
            };
            let zw: Vec<f64> = (0..n).map(|j| of(&z, j)).collect();
            let yw: Vec<f64> = (0..n).map(|j| of(&y, j)).collect();
            // C^(-1/2) y is z, since A is the symmetric root.
            for j in 0..n {
                mean[j] += sigma * yw[j];
                ps[j] = (1.0 - cs) * ps[j] + (cs * (2.0 - cs) * mu).sqrt() * zw[j];
            }
            let length = dot(&ps, &ps).sqrt();
            sigma *= (cs / ds * (length / expected - 1.0)).min(1.0).exp();
            let age = 2 * (generation as i32 + 1);
            let limit = (1.4 + 2.0 / (nf + 1.0)) * expected;
            let steady = f64::from(length / (1.0 - (1.0 - cs).powi(age)).sqrt() < limit);
            for j in 0..n {
                pc[j] = (1.0 - cc) * pc[j] + steady * (cc * (2.0 - cc) * mu).sqrt() * yw[j];
            }
            let rest = 1.0 + c1 * (1.0 - steady) * cc * (2.0 - cc)
                - c1
                - cmu * weights.iter().sum::<f64>();
            for i in 0..n {
                for j in 0..n {
                    let selected: f64 = (0..p)
                        .map(|k| {
                            let (y, z) = (&y[order[k]], &z[order[k]]);
                            let scale = if weights[k] < 0.0 {
                                nf / dot(z, z)
                            } else {
                                1.0
                            };
                            weights[k] * scale * y[i] * y[j]
                        })
                        .sum();
                    c[i][j] = rest * c[i][j] + c1 * pc[i] * pc[j] + cmu * selected;
                }
            }
            search.step(Function::Rosenbrock)?;
            let State::Cma(state) = &search.state else {
                return Err("another rule".into());
            };
            let bound = bound(n, p, generation + 1);
            near("mean", &state.mean, &mean, bound)?;
            near("sigma", &state.sigma, &[sigma], bound)?;
            near("path", &state.path, &ps, bound)?;
            near("path of the shape", &state.shape_path, &pc, bound)?;
            near("covariance", &state.covariance, &c.concat(), bound)?;
        }
    }
    Ok(())
}

/// Nomura and Ono, algorithm 1 with the natural gradients of its appendix, a candidate at a time.
#[test]
fn cr_fm_nes_moves_as_published() -> Tested {
    // Far from the minimum and near it, so that two of the rates of sigma are met; with infeasible candidates; and from the minimum itself, where both
    // of a pair are as good and the path has hardly a length, which has the third.
    let mut rates = [0; 3];
    for (n, p, sigma0, at, walls) in [
        (6, 8, 0.1, 3.0, false),
        (9, 12, 5.0, 3.0, false),
        (40, 10, 1.0, 3.0, true),
        (8, 60, 1.0, 0.0, false),
    ] {
        let (seed, generations) = (5, 40);
        let first = Tensor::full(&[n], at, DType::F64)?.eval()?;
        let mut search = MatrixSearch::new(&first, sigma0, p, MatrixRule::CrFmNes, seed)?;
        let State::CrFmNes(state) = &search.state else {
            return Err("another rule".into());
        };
        let mut v = list(&state.v)?;
        let (d, pf, mut sigma) = (n as f64, p as f64, sigma0);
        let (mut mean, mut scale) = (vec![at; n], vec![1.0f64; n]);
        let (mut ps, mut pc) = (vec![0.0; n], vec![0.0; n]);
        let hat: Vec<f64> = (1..=p)
            .map(|k| ((pf / 2.0 + 1.0).ln() - (k as f64).ln()).max(0.0))
            .collect();
        let total: f64 = hat.iter().sum();
        let ranked: Vec<f64> = hat.iter().map(|w| w / total - 1.0 / pf).collect();
        let mu = 1.0 / hat.iter().map(|w| (w / total).powi(2)).sum::<f64>();
        let cs = (mu + 2.0) / (d + mu + 5.0);
        let cc = (4.0 + mu / d) / (d + 4.0 + 2.0 * mu / d);
        let expected = d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));
        for generation in 0..generations {
            let half = noise(p / 2, n, seed, generation);
            let z: Vec<Vec<f64>> = half
                .into_iter()
                .flat_map(|z| [z.clone(), z.iter().map(|z| -z).collect()])
                .collect();
            let norm = dot(&v, &v).sqrt();
            let (square, gamma) = (norm * norm, 1.0 + norm * norm);
            let bar: Vec<f64> = v.iter().map(|v| v / norm).collect();
            let bent = |z: &Vec<f64>| -> Vec<f64> {
                let along = dot(&bar, z) * (gamma.sqrt() - 1.0);
                z.iter().zip(&bar).map(|(z, b)| z + along * b).collect()
            };
            let y: Vec<Vec<f64>> = z.iter().map(bent).collect();
            let value = |k: usize| {
                let x: Vec<f64> = (0..n)
                    .map(|j| mean[j] + sigma * y[k][j] * scale[j])
                    .collect();
                match walls && x[0] > x[1] {
                    true => f64::INFINITY,
                    false => Function::Ellipsoid.of(&x),
                }
            };
            let values: Vec<f64> = (0..p).map(value).collect();
            let feasible = values.iter().filter(|x| x.is_finite()).count() as f64;
            let mut order: Vec<usize> = (0..p).collect();
            order.sort_by(
                |&i, &j| match values[i].is_finite() || values[j].is_finite() {
                    true => values[i].total_cmp(&values[j]),
                    false => dot(&z[i], &z[i]).total_cmp(&dot(&z[j], &z[j])),
                },
            );
            for j in 0..n {
                let zw: f64 = (0..p).map(|k| ranked[k] * z[order[k]][j]).sum();
                ps[j] = (1.0 - cs) * ps[j] + (cs * (2.0 - cs) * mu).sqrt() * zw;
            }
            let length = dot(&ps, &ps).sqrt();
            let alpha = inverse_h(d) * (pf / d).sqrt().min(1.0) * (feasible / pf).sqrt();
            let far: Vec<f64> = (0..p)
                .map(|k| hat[k] * (alpha * dot(&z[order[k]], &z[order[k]]).sqrt()).exp())
                .collect();
            let far_total: f64 = far.iter().sum();
            let moving = length >= expected;
            let weights: Vec<f64> = match moving {
                true => far.iter().map(|w| w / far_total - 1.0 / pf).collect(),
                false => ranked.clone(),
            };
            let eta = match (moving, length >= 0.1 * expected) {
                (true, _) => {
                    rates[0] += 1;
                    1.0
                }
                (false, true) => {
                    rates[1] += 1;
                    ((0.024 * feasible + 0.7 * d + 20.0) / (d + 12.0)).tanh()
                }
                (false, false) => {
                    rates[2] += 1;
                    2.0 * ((0.025 * feasible + 0.75 * d + 10.0) / (d + 4.0)).tanh()
                }
            };
            let step: Vec<f64> = (0..n)
                .map(|j| scale[j] * (0..p).map(|k| weights[k] * y[order[k]][j]).sum::<f64>())
                .collect();
            for j in 0..n {
                pc[j] = (1.0 - cc) * pc[j] + (cc * (2.0 - cc) * mu).sqrt() * step[j];
                mean[j] += sigma * step[j];
            }
            let eta_b = (((0.02 * feasible).min(3.0 * d.ln()) + 5.0) / (0.23 * d + 25.0)).tanh();
            let c1 = 2.0 / ((d + 1.3).powi(2) + mu) * (d - 5.0) / 6.0 * feasible / pf;
            let mut rows: Vec<(f64, Vec<f64>)> = (0..p)
                .map(|k| (eta_b * weights[k], y[order[k]].clone()))
                .collect();
            rows.push((c1, (0..n).map(|j| pc[j] / scale[j]).collect()));
            let peak = bar.iter().fold(0.0f64, |top, b| top.max(b * b));
            let coupling = (square * square + (2.0 * gamma - gamma.sqrt()) / peak).sqrt();
            let alpha = (coupling / (2.0 + square)).min(1.0);
            let b = 2.0 * alpha * alpha - (1.0 - alpha * alpha) * square * square / gamma;
            let h: Vec<f64> = bar
                .iter()
                .map(|x| 2.0 - (b + 2.0 * alpha * alpha) * x * x)
                .collect();
            let fraction: f64 = (0..n).map(|j| bar[j].powi(4) / h[j]).sum();
            let (mut to_v, mut to_d) = (vec![0.0; n], vec![0.0; n]);
            for (weight, y) in &rows {
                let q = dot(y, &bar);
                let mut t: Vec<f64> = (0..n)
                    .map(|j| y[j] * q - bar[j] * (q * q + gamma) / 2.0)
                    .collect();
                let across = dot(&bar, &t);
                let s: Vec<f64> = (0..n)
                    .map(|j| {
                        let one = y[j] * y[j] - square / gamma * y[j] * bar[j] * q - 1.0;
                        let mixed =
                            (2.0 + square) * t[j] * bar[j] - square * bar[j].powi(2) * across;
                        one - alpha / gamma * mixed
                    })
                    .collect();
                let inner: f64 = (0..n).map(|j| bar[j].powi(2) / h[j] * s[j]).sum();
                let s: Vec<f64> = (0..n)
                    .map(|j| s[j] / h[j] - b / (1.0 + b * fraction) * bar[j].powi(2) / h[j] * inner)
                    .collect();
                let inner: f64 = (0..n).map(|j| bar[j].powi(2) * s[j]).sum();
                for j in 0..n {
                    t[j] -= alpha * ((2.0 + square) * s[j] * bar[j] - bar[j] * inner);
                    to_v[j] += weight * t[j];
                    to_d[j] += weight * s[j];
                }
            }
            for j in 0..n {
                v[j] += to_v[j] / norm;
                scale[j] += to_d[j] * scale[j];
            }
            let logs: f64 = scale.iter().map(|x| x.ln()).sum();
            let volume = (logs / d + (1.0 + dot(&v, &v)).ln() / (2.0 * d)).exp();
            scale.iter_mut().for_each(|x| *x /= volume);
            let wider: f64 = (0..p)
                .map(|k| weights[k] * (dot(&z[order[k]], &z[order[k]]) - d))
                .sum();
            sigma *= (eta / 2.0 * wider / d).exp();
            search.step_of(walls)?;
            let State::CrFmNes(state) = &search.state else {
                return Err("another rule".into());
            };
            // A factor of 8 for what distance weights, whose exponents are several, do to their errors.
            let bound = 8.0 * bound(n, p, generation + 1);
            near("mean", &state.mean, &mean, bound)?;
            near("sigma", &state.sigma, &[sigma], bound)?;
            near("path", &state.path, &ps, bound)?;
            near("path of the shape", &state.shape_path, &pc, bound)?;
            near("v", &state.v, &v, bound)?;
            near("D", &state.scale, &scale, bound)?;
        }
    }
    assert!(rates.iter().all(|count| *count > 0), "{rates:?}");
    Ok(())
}

impl MatrixSearch {
    /// A step of the ellipsoid; with walls, candidates whose first coordinate is above the second are infeasible.
    fn step_of(&mut self, walls: bool) -> Tested {
        let x = self.candidates(0, self.population())?;
        let mut scores = self.scores(Function::Ellipsoid)?;
        if walls {
            let outside = x.select(1, 0)?.greater(&x.select(1, 1)?)?;
            scores = outside.where_cond(f64::INFINITY, &scores)?;
        }
        Ok(self.tell(&scores)?)
    }
}
