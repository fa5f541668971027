//! The numbers everything golden is made of, each in one place.

/// φ, the golden ratio: `(1 + √5) / 2`.
pub const PHI: f64 = 1.618_033_988_749_894_8;

/// 1/φ = φ − 1.
pub const INV_PHI: f64 = 0.618_033_988_749_894_9;

/// φ⁻² = 2 − φ.
pub const INV_PHI_SQUARED: f64 = 0.381_966_011_250_105_15;

/// √(1/φ), the scale of the golden norm.
pub const SQRT_INV_PHI: f64 = 0.786_151_377_757_423_3;

/// E* = e^π − π.
pub const E_STAR: f64 = 19.999_099_979_189_477;

/// q = (2φ + e/(2φ²)) / (φ⁴ E*), the syntony deficit.
pub const Q: f64 = 0.027_395_146_919_696_147;

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{E, PI};

    /// The identities hold to the last bit or two of a double.
    #[test]
    fn constants_satisfy_their_definitions() {
        assert_eq!(PHI, (1.0 + 5f64.sqrt()) / 2.0);
        assert_eq!(INV_PHI, PHI - 1.0);
        assert!((PHI * INV_PHI - 1.0).abs() <= f64::EPSILON);
        assert!((INV_PHI_SQUARED - INV_PHI * INV_PHI).abs() <= f64::EPSILON / 2.0);
        assert!((INV_PHI_SQUARED - (1.0 - INV_PHI)).abs() <= f64::EPSILON / 2.0);
        assert!((SQRT_INV_PHI - INV_PHI.sqrt()).abs() <= f64::EPSILON / 2.0);
        assert!((E_STAR - (PI.exp() - PI)).abs() <= 2.0 * 32.0 * f64::EPSILON);
    }

    #[test]
    fn the_deficit_follows_from_its_formula() {
        let numerator = 2.0 * PHI + E / (2.0 * PHI * PHI);
        let formula = numerator / (PHI.powi(4) * (PI.exp() - PI));
        assert!((Q - formula).abs() < 1e-16);
    }
}
