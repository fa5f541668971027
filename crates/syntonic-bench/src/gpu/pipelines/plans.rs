//! The pipelines as plans: an agent's inference, transfer entropy, a chain of vectors; and what they are run over.

use anyhow::Result;
use syntonic_core::fuse::notation::{IntoSym, Sym, log};
use syntonic_core::{DType, Tensor, stages};

stages! {
    /// The divergence of a belief from its prior, ten steps of it down its free energy, and how well it then tells the observation.
    pub(crate) struct Inference(mu: [n], variance: [n], prior: [n], width: [n], jacobian: [m, n], seen: [m], precision: [m])
        -> (mean, complexity, accuracy)
    {
        #[stage(1, reduction = sum, precision = double)]
        complexity: [] = |mu, variance, prior, width| {
            let ratio = variance / width;
            0.5 * ((ratio - 1.0 - log(ratio)) + square(mu - prior) / width)
        };
        repeat 10 carrying (mu <- mean) {
            #[stage(2)] predicted: [m] = product(jacobian, mu);
            #[stage(3)] error: [m] = |seen, predicted, precision| precision * (seen - predicted);
            #[stage(4)] gradient: [n] = product(transposed jacobian, error);
            #[stage(5)] mean: [n] = |mu, gradient, prior, width| mu + 0.01 * (gradient - (mu - prior) / width);
        }
        #[stage(6)] told: [m] = product(jacobian, mean);
        #[stage(7, reduction = sum, precision = double)]
        accuracy: [] = |seen, told, precision| {
            let d = seen - told;
            -0.5 * (precision * d * d - log(precision) + 1.8378770664093453)
        };
    }
}

stages! {
    /// Transfer entropy in nats by the distances to the four nearest neighbours, where histories are one sample long: each coordinate of a
    /// sample as a column and as a row, and the places of samples in time. Kraskov, Stoegbauer, Grassberger (2004), first estimator;
    /// Frenzel, Pompe (2007).
    pub(crate) struct TransferEntropy(
        next: [n], next_of: [n, 1], past: [n], past_of: [n, 1], source: [n], source_of: [n, 1], place: [n], place_of: [n, 1]
    ) -> (entropy, with_next, with_source, alone) {
        #[stage(1, smallest = 4)]
        near: [n, 4] = |next, next_of, past, past_of, source, source_of, place, place_of| {
            let distance = maximum(abs(next - next_of), maximum(abs(past - past_of), abs(source - source_of)));
            select(eq(place, place_of), f64::INFINITY, distance)
        };
        #[stage(2, reduction = max)] within: [n, 1] = |near| near;
        #[stage(3, reduction = count)]
        alone: [n] = |past, past_of, place, place_of, within| and(lt(abs(past - past_of), within), ne(place, place_of));
        #[stage(3, reduction = count)]
        with_next: [n] = |next, next_of, past, past_of, place, place_of, within| {
            and(lt(maximum(abs(next - next_of), abs(past - past_of)), within), ne(place, place_of))
        };
        #[stage(3, reduction = count)]
        with_source: [n] = |past, past_of, source, source_of, place, place_of, within| {
            and(lt(maximum(abs(source - source_of), abs(past - past_of)), within), ne(place, place_of))
        };
        #[stage(4, reduction = mean, precision = double)]
        entropy: [] = |alone, with_next, with_source| {
            // psi(4) is 11/6 less the constant of Euler and Mascheroni.
            1.2561176684318005 + digamma(alone + 1.0) - digamma(with_next + 1.0) - digamma(with_source + 1.0)
        };
    }
}

stages! {
    /// `z = 1.5 (A x + y / 2) - w`, and the sum of its squares.
    pub(crate) struct LinearChain(matrix: [m, n], x: [n], y: [m], w: [m]) -> (z, squares) {
        #[stage(1)] product: [m] = product(matrix, x);
        #[stage(2)] z: [m] = |product, y, w| 1.5 * (product + 0.5 * y) - w;
        #[stage(3, reduction = sum, precision = double)] squares: [] = |z| z * z;
    }
}

/// The digamma function of numbers from 1 on, to 1e-12: its series at x + 8, less the terms between (Abramowitz and Stegun 6.3.5, 6.3.18).
fn digamma(x: Sym) -> Sym {
    let mut between = 1.0 / x;
    for k in 1..8 {
        between = between + 1.0 / (x + f64::from(k));
    }
    let far = x + 8.0;
    let inverse = 1.0 / (far * far);
    let series = inverse
        * (1.0 / 12.0
            - inverse * (1.0 / 120.0 - inverse * (1.0 / 252.0 - inverse * (1.0 / 240.0))));
    log(far) - 0.5 / far - series.sym() - between
}

/// The coordinates of two series as the plan of transfer entropy takes them: a sample of the target, the one before, and that of the
/// source.
pub(crate) fn coordinates(source: &Tensor, target: &Tensor) -> Result<Vec<Tensor>> {
    let n = target.numel() as isize;
    let part = |t: &Tensor, from: isize, to: isize| t.slice(0, Some(from), Some(to), 1);
    let count = n as usize - 1;
    let places: Vec<f64> = (0..count).map(|k| k as f64).collect();
    let place = Tensor::from_vec(places, &[count])?;
    let place = place.cast(target.dtype())?.to(target.device())?.eval()?;
    let rows = [
        part(target, 1, n)?,
        part(target, 0, n - 1)?,
        part(source, 0, n - 1)?,
        place,
    ];
    let mut all = Vec::new();
    for row in rows {
        let column = row.expand_dims(&[1])?;
        all.extend([row, column]);
    }
    Ok(all)
}

/// Numbers for [`Inference`] of `m` observations and `n` states.
pub(crate) fn beliefs(
    (m, n): (usize, usize),
    dtype: DType,
    numbers: impl Fn(u64, &[usize]) -> Result<Tensor>,
) -> Result<Vec<Tensor>> {
    let width = |seed: u64, n: usize| -> Result<Tensor> {
        Ok((numbers(seed, &[n])?.abs()? + 0.5).cast(dtype)?.eval()?)
    };
    let matrix = (numbers(5, &[m, n])? / (n as f64).sqrt()).cast(dtype)?;
    Ok(vec![
        numbers(1, &[n])?,
        width(2, n)?,
        numbers(3, &[n])?,
        width(4, n)?,
        matrix.eval()?,
        numbers(6, &[m])?,
        width(7, m)?,
    ])
}
