//! Known values, computed with 40 digits and more from the definitions.

use super::*;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Scalar, Tensor};

fn matrix(values: [f64; 4]) -> Tensor {
    Tensor::from_slice(&values, &[2, 2]).unwrap()
}

fn counting() -> Tensor {
    matrix([1.0, 2.0, 3.0, 4.0])
}

/// To a unit in the last place or two of the largest term, 4.
fn close(got: &Tensor, want: [f64; 4]) {
    let got = got.to_vec::<f64>().unwrap();
    for (got, want) in got.iter().zip(want) {
        let limit = 4.0 * f64::EPSILON * (1.0 + want.abs());
        assert!((got - want).abs() <= limit, "{got} for {want}");
    }
}

#[test]
fn brackets() {
    let swap = matrix([0.0, 1.0, 1.0, 0.0]);
    close(
        &phi_bracket(&counting(), &swap).unwrap(),
        [
            0.145_898_033_750_315_46,
            -1.472_135_954_999_579_4,
            3.381_966_011_250_105,
            1.763_932_022_500_210_3,
        ],
    );
    close(
        &phi_antibracket(&counting(), &swap).unwrap(),
        [
            3.854_101_966_249_684_5,
            3.472_135_954_999_579_4,
            4.618_033_988_749_895,
            4.236_067_977_499_79,
        ],
    );
}

#[test]
fn weighted_products() {
    let other = matrix([5.0, 6.0, 7.0, 8.0]);
    close(
        &mm_golden_weighted(&counting(), &other).unwrap(),
        [
            12.546_043_158_136_625,
            14.624_049_323_584_714,
            30.092_086_316_273_25,
            35.248_098_647_169_43,
        ],
    );
    // The sum of all weights, at least 35 of which a row of ones takes.
    let (row, column) = (
        Tensor::ones(&[1, 40], DType::F64).unwrap(),
        Tensor::ones(&[40, 1], DType::F64).unwrap(),
    );
    let sum = mm_golden_weighted(&row, &column)
        .unwrap()
        .to_vec::<f64>()
        .unwrap();
    assert!((sum[0] - 1.627_298_324_721_273_3).abs() <= 4.0 * f64::EPSILON);
}

#[test]
fn weights() {
    for (k, want) in [
        (0, 1.0),
        (1, 0.539_003_082_724_044_6),
        (2, 0.084_404_382_362_696_91),
        (3, 0.003_839_911_733_366_908_5),
        (4, 5.075_279_741_933_226_4e-5),
        (5, 1.948_862_623_116_877_3e-7),
        (8, 6.634_984_912_792_707_4e-18),
        (10, 1.442_530_172_294_140_4e-27),
        (33, 5.045_105_163_184_311e-293),
    ] {
        let got = golden_weight(k);
        assert!(
            (got / want - 1.0).abs() <= 2.0 * f64::EPSILON,
            "{k}: {got:e}"
        );
    }
    assert!(golden_weight(34) > 0.0 && golden_weight(35) == 0.0);
    assert!(golden_weight(12) as f32 > 0.0 && golden_weight(13) as f32 == 0.0);
    assert_eq!(golden_weight(usize::MAX).to_bits(), 0);
}

#[test]
fn phases() {
    let one = golden_phase(1);
    assert!((one.re - -0.362_374_890_080_480_1).abs() <= f64::EPSILON);
    assert!((one.im - 0.932_032_423_813_227_6).abs() <= f64::EPSILON);
    assert!((one.arg() - 1.941_611_038_725_466_6).abs() <= 2.0 * f64::EPSILON);
    assert_eq!(golden_phase(0), Complex::new(1.0, 0.0));
    let eye = matrix([1.0, 0.0, 0.0, 1.0]);
    let got = mm_golden_phase(&eye, &eye, 1).unwrap();
    let got = got.to_vec::<Complex<f64>>().unwrap();
    assert_eq!(got, [one, Complex::default(), Complex::default(), one]);
}

#[test]
fn powers_of_a_product() {
    let eye = matrix([1.0, 0.0, 0.0, 1.0]);
    close(
        &mm_phi(&counting(), &eye, 1).unwrap(),
        [1.0, 2.0, 3.0, 4.0].map(|x| x * 1.618_033_988_749_895),
    );
    close(
        &mm_phi(&eye, &eye, 10).unwrap(),
        [122.991_869_381_244_21, 0.0, 0.0, 122.991_869_381_244_21],
    );
}

#[test]
fn projections() {
    let up = matrix([1.0, 0.0, 0.0, 0.0]);
    let down = matrix([0.0, 0.0, 0.0, 1.0]);
    let psi = counting();
    let got = projection_sum(&psi, &[up, down], &[Scalar::Float(0.5), Scalar::Int(-2)]);
    close(&got.unwrap(), [1.5, 3.0, -3.0, -4.0]);
}

#[test]
fn factors() {
    use Structure::*;
    for (structure, plus) in [
        (E8Dimension, 1.000_110_464_302_095_5),
        (E8Roots, 1.000_114_146_445_498_7),
        (E8Positive, 1.000_228_292_890_997_5),
        (E6Dimension, 1.000_351_219_832_303_8),
        (E6Roots, 1.000_380_488_151_662_4),
        (E6Positive, 1.000_760_976_303_324_9),
        (E6Fundamental, 1.001_014_635_071_099_9),
        (D4Kissing, 1.001_141_464_454_987_3),
        (G2Dimension, 1.001_956_796_208_549_7),
        (E8Rank, 1.003_424_393_364_962),
    ] {
        let got = factor(structure, Sign::Plus).unwrap();
        assert!((got - plus).abs() <= f64::EPSILON, "{}", structure.name());
    }
    for (structure, minus) in [
        (E8Dimension, 0.999_889_535_697_904_5),
        (E8Roots, 0.999_885_853_554_501_3),
        (E8Positive, 0.999_771_707_109_002_5),
        (E6Dimension, 0.999_648_780_167_696_2),
        (E6Roots, 0.999_619_511_848_337_6),
        (E6Positive, 0.999_239_023_696_675_1),
        (E6Fundamental, 0.998_985_364_928_900_1),
        (D4Kissing, 0.998_858_535_545_012_7),
        (G2Dimension, 0.998_043_203_791_450_3),
        (E8Rank, 0.996_575_606_635_038),
    ] {
        let got = factor(structure, Sign::Minus).unwrap();
        assert!((got - minus).abs() <= f64::EPSILON, "{}", structure.name());
    }
}
