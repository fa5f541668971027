//! Pipelines against loops, each way to run against the reference, and plans that are wrong.

mod agreement;
mod faults;
mod known_values;
mod reports;

use crate::dtype::DType;
use crate::random::Generator;
use crate::stages;
use crate::tensor::Tensor;

stages! {
    /// Ten steps of a belief down its free energy, and the energy before the last step.
    pub(super) struct BeliefStep(mu: [n], jacobian: [m, n], observation: [m], precision: [m]) -> (mean, energy) {
        repeat 10 carrying (mu <- mean) {
            #[stage(1)] predicted: [m] = product(jacobian, mu);
            #[stage(2)] error: [m] = |observation, predicted, precision| precision * (observation - predicted);
            #[stage(3, tensor_cores = forbidden)] gradient: [n] = product(transposed jacobian, error);
            #[stage(4)] mean: [n] = |mu, gradient| mu + 0.01 * gradient;
        }
        #[stage(5, reduction = sum, precision = double)]
        energy: [] = |error, observation, predicted| 0.5 * error * (observation - predicted);
    }
}

stages! {
    /// Softmax of each row.
    pub(super) struct Softmax(x: [n, m]) -> (p) {
        #[stage(1, reduction = max)] top: [n, 1] = |x| x;
        #[stage(2)] e: [n, m] = |x, top| exp(x - top);
        #[stage(3, reduction = sum)] total: [n, 1] = |e| e;
        #[stage(4)] p: [n, m] = |e, total| e / total;
    }
}

stages! {
    /// The divergence of each row of p from that of q: sum of p log(p / q).
    pub(super) struct Divergence(p: [n, m], q: [n, m]) -> (kl) {
        #[stage(1, reduction = sum)] kl: [n] = |p, q| p * (log(p) - log(q));
    }
}

stages! {
    /// A layer: the formula is the end of the product.
    pub(super) struct Layer(x: [n, k], w: [k, m], bias: [m]) -> (y) {
        #[stage(1)] product: [n, m] = product(x, w);
        #[stage(2)] y: [n, m] = |product, bias| maximum(product + bias, 0.0);
    }
}

/// Inputs of [`BeliefStep`]: 50 states, 20 observations.
pub(super) fn belief() -> [Tensor; 4] {
    [
        uniform(1, &[50], 1.0, DType::F32),
        uniform(2, &[20, 50], 0.1, DType::F32),
        uniform(3, &[20], 1.0, DType::F32),
        uniform(4, &[20], 1.0, DType::F32),
    ]
}

/// Numbers within -1..1.
pub(super) fn uniform(seed: u64, shape: &[usize], scale: f64, dtype: DType) -> Tensor {
    let mut values = vec![0.0; shape.iter().product()];
    Generator::new(seed).uniform_f64(&mut values);
    let values: Vec<f64> = values.iter().map(|u| scale * (2.0 * u - 1.0)).collect();
    let t = Tensor::from_vec(values, shape).unwrap();
    t.cast(dtype).unwrap().eval().unwrap()
}
