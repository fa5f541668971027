//! The table of the logarithm in double precision, which kernels/include/philox.cuh holds too.
//!
//! The range of a mantissa, `[0.7083, 1.4167)`, is cut into parts by the upper bits of the number. Of each we keep
//! the inverse of a number near its middle, and twice the logarithm of that inverse. Of the inverses of 20 bits that
//! would do, each is the one whose logarithm lies nearest to a double, within 2⁻⁶¹: beside 1 the result is less than
//! half of this term, so that an error in the term's last bit would be more than one in the result's. The part
//! around 1 has 1 and 0, so that logarithms near 0 keep all their bits.

/// How many parts.
pub(super) const PARTS: usize = 32;

/// The bits of the least mantissa: eighteen parts and two thirds of one below 1, which so lies in the middle of
/// its part, as parts below 1 are half as wide as those above it.
pub(super) const LEAST: u64 = 0x3FE6_AAAB << 32;

/// The number with this upper word, and 0 for the lower.
const fn inverse(upper: u64) -> f64 {
    f64::from_bits(upper << 32)
}

/// An inverse of each part.
pub(super) const INVERSES: [f64; PARTS] = [
    inverse(0x3FF6_567D),
    inverse(0x3FF5_DD02),
    inverse(0x3FF5_6841),
    inverse(0x3FF4_F82A),
    inverse(0x3FF4_8B48),
    inverse(0x3FF4_24CD),
    inverse(0x3FF3_C163),
    inverse(0x3FF3_62A1),
    inverse(0x3FF3_064C),
    inverse(0x3FF2_AD7E),
    inverse(0x3FF2_581E),
    inverse(0x3FF2_0405),
    inverse(0x3FF1_B4F2),
    inverse(0x3FF1_67AE),
    inverse(0x3FF1_1DB9),
    inverse(0x3FF0_D4AC),
    inverse(0x3FF0_8F1F),
    inverse(0x3FF0_4C78),
    inverse(0x3FF0_0000),
    inverse(0x3FEF_3124),
    inverse(0x3FEE_441B),
    inverse(0x3FED_64F6),
    inverse(0x3FEC_929C),
    inverse(0x3FEB_CCA7),
    inverse(0x3FEB_107A),
    inverse(0x3FEA_5E7C),
    inverse(0x3FE9_B5E0),
    inverse(0x3FE9_12D0),
    inverse(0x3FE8_7AE9),
    inverse(0x3FE7_E75B),
    inverse(0x3FE7_5C73),
    inverse(0x3FE6_D799),
];

/// Twice its logarithm.
pub(super) const LOGARITHMS: [f64; PARTS] = [
    0.667_387_192_459_829,
    0.624_442_496_016_194_5,
    0.582_281_090_813_329_1,
    0.540_950_149_048_001_2,
    0.499_966_970_378_022_8,
    0.460_610_991_681_619_7,
    0.421_678_006_812_708_95,
    0.383_849_468_018_517_66,
    0.346_288_014_916_482_4,
    0.309_483_566_334_846_97,
    0.273_450_298_451_892_84,
    0.237_309_899_074_096_47,
    0.202_722_039_685_064_47,
    0.168_337_457_776_840_62,
    0.134_862_119_684_945_96,
    0.101_237_638_477_235_53,
    0.068_690_141_618_752_7,
    0.036_993_998_547_840_85,
    0.0,
    -0.051_151_351_278_704_13,
    -0.111_419_420_922_418_38,
    -0.169_864_897_411_172_64,
    -0.226_568_871_595_491_8,
    -0.281_441_259_760_950_75,
    -0.335_036_223_026_146_94,
    -0.387_087_613_456_053_47,
    -0.437_676_818_288_854_8,
    -0.487_849_873_102_962_4,
    -0.535_749_266_326_877_1,
    -0.583_402_585_765_432_2,
    -0.629_324_765_927_368_5,
    -0.674_254_296_894_734_4,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mantissas_times_the_inverses_of_their_parts_are_near_one() {
        for (part, inverse) in INVERSES.iter().enumerate() {
            let ends = [0, (1 << 47) - 1].map(|x| LEAST + ((part as u64) << 47) + x);
            for end in ends.map(f64::from_bits) {
                let f = end.mul_add(*inverse, -1.0);
                assert!(f.abs() < 1.0 / 64.0, "part {part}: {end} by {inverse}");
            }
        }
        let part = (1.0f64.to_bits() - LEAST) >> 47;
        assert_eq!(INVERSES[part as usize], 1.0);
    }

    #[test]
    fn logarithms_are_those_of_the_inverses() {
        for (inverse, logarithm) in INVERSES.iter().zip(LOGARITHMS) {
            let error = (2.0 * inverse.ln() - logarithm).abs();
            assert!(error <= f64::EPSILON * logarithm.abs(), "{inverse}");
        }
    }
}
