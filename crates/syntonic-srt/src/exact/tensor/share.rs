//! Syntony in an order of additions that is the same on every device.

/// Lanes that elements are dealt to.
const LANES: usize = 256;

/// `sum psi_i^2 w_i / sum psi_i^2`, and 0 for a row of zeros: element `i` goes to lane `i % 256`, and lanes are added as a tree. A power of
/// two scales the row by its largest magnitude, so that nothing overflows, and nothing rounds on the way.
pub(super) fn share(psi: &[f64], weights: &[f64]) -> f64 {
    let most = psi.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let exponent = ((most.to_bits() >> 52) as i32 - 1023).max(-1000);
    let scale = power_of_two(-exponent);
    let (mut parts, mut wholes) = ([0.0; LANES], [0.0; LANES]);
    for (psi, weights) in psi.chunks(LANES).zip(weights.chunks(LANES)) {
        for (lane, (x, w)) in psi.iter().zip(weights).enumerate() {
            let x = x * scale;
            let energy = x * x;
            parts[lane] += energy * w;
            wholes[lane] += energy;
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            parts[lane] += parts[lane + half];
            wholes[lane] += wholes[lane + half];
        }
        half /= 2;
    }
    match wholes[0] == 0.0 {
        true => 0.0,
        false => parts[0] / wholes[0],
    }
}

/// 2 with an exponent from -1024 to 1000, exactly.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(match exponent > -1023 {
        true => ((exponent + 1023) as u64) << 52,
        false => 1 << (52 + 1022 + exponent),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact() {
        let (mut up, mut down) = (1.0, 1.0);
        for exponent in 0..=1024 {
            assert_eq!(power_of_two(-exponent), down, "-{exponent}");
            if exponent <= 1000 {
                assert_eq!(power_of_two(exponent), up, "{exponent}");
            }
            (up, down) = (up * 2.0, down / 2.0);
        }
    }

    #[test]
    fn the_scale_of_a_row_does_not_matter() {
        let psi: Vec<f64> = (0..1000).map(|k| f64::from(k % 17) - 8.0).collect();
        let weights: Vec<f64> = (0..1000).map(|k| f64::from(k % 5) / 4.0).collect();
        let want = share(&psi, &weights);
        let slow =
            |of: &dyn Fn(usize) -> f64| (0..1000).map(|k| psi[k] * psi[k] * of(k)).sum::<f64>();
        assert!((want - slow(&|k| weights[k]) / slow(&|_| 1.0)).abs() < 1e-14);
        for exponent in [-1000, -3, 40, 1020] {
            let scaled: Vec<f64> = psi.iter().map(|x| x * 2f64.powi(exponent)).collect();
            assert_eq!(share(&scaled, &weights), want);
        }
        assert_eq!(share(&[0.0; 3], &[1.0; 3]), 0.0);
        assert_eq!(share(&[5e-324; 3], &[1.0; 3]), 1.0);
        assert_eq!(share(&[], &[]), 0.0);
    }
}
