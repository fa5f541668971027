//! The row operators with the golden ratio in them, declared as those of the engine are.

use crate::constants::INV_PHI;
use syntonic_core::row_operators;

row_operators! {
    syntonic_srt::nn;

    GOLDEN_RMS_NORM golden_rms_norm(x: element, weight: row; eps = 1e-6) -> element
        "x / sqrt(phi (mean(x^2) + eps)) * weight: the mean square of the row becomes 1/phi. `[.., n], [n] -> [.., n]`. The RMS norm of Zhang and Sennrich, 2019, with the variance of the golden norms."
        => x * (rsqrt(mean(square(x)) + eps) * INV_PHI.sqrt()) * weight,
        known ([1.0, 7.0, -1.0, -7.0], [1.0, 2.0, 1.0, 1.0]; 0.0)
            => [0.157_230_275_551_484_66, 2.201_223_857_720_785, -0.157_230_275_551_484_66, -1.100_611_928_860_392_6],
        known ([0.0, 0.0], [1.0, 1.0]; 1e-6) => [0.0, 0.0];
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::Tensor;

    #[test]
    fn known_values() {
        for known in GOLDEN_RMS_NORM.known {
            let rows: Vec<Tensor> = known
                .operands
                .iter()
                .map(|row| Tensor::from_slice(row, &[row.len()]).unwrap())
                .collect();
            let y = golden_rms_norm(&rows[0], &rows[1], known.settings[0]).unwrap();
            for (got, want) in y.to_vec::<f64>().unwrap().iter().zip(known.result) {
                assert!(
                    (got - want).abs() <= 8.0 * f64::EPSILON * want.abs(),
                    "{got} is not {want}"
                );
            }
        }
    }
}
