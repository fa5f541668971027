//! How the bits of an element become an integer with the order of the elements.

use crate::contract::contract;
use syntonic_core::device::Launch;
use syntonic_core::{DType, Kind};

contract! {
    "ranking":
    /// How the bits of an element become a rank: NaN has the largest one in both directions.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub(crate) struct Ranking as "Ranking" {
        /// The bits of infinity; 0 for integers.
        infinity: u64,
        /// The bits that every NaN becomes.
        nan: u64,
        /// What integers are combined with.
        flip: u64,
        descending: u32,
        /// Whether -0 ranks as 0.
        plain: u32,
    }
}

/// Whether zeros of both signs have one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zeros {
    /// They have; an order of positions must not tell them apart.
    Equal,
    /// -0 comes before 0.
    BySign,
}

impl Ranking {
    /// For elements of `dtype`, or their parts if it is complex, with the direction of `args`.
    pub(super) fn new(dtype: DType, args: &Launch, zeros: Zeros) -> Ranking {
        let real = dtype.real();
        let (infinity, nan) = match real {
            DType::F16 => (0x7C00, 0x7E00),
            DType::BF16 => (0x7F80, 0x7FC0),
            DType::F32 => (0x7F80_0000, 0x7FC0_0000),
            DType::F64 => (0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0000),
            _ => (0, 0),
        };
        let signed = real.kind() == Kind::Signed;
        Ranking {
            infinity,
            nan,
            flip: u64::from(signed) << (8 * real.size() - 1),
            descending: u32::from(args.params.first().is_some_and(|p| p.to_bool())),
            plain: u32::from(zeros == Zeros::Equal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::Scalar;

    /// `rank_of` of rank.cuh, for 32 bits.
    fn rank(bits: u32, r: &Ranking) -> u32 {
        const SIGN: u32 = 1 << 31;
        let up = if r.infinity == 0 {
            bits ^ r.flip as u32
        } else {
            if bits & !SIGN > r.infinity as u32 {
                return u32::MAX;
            }
            let bits = if r.plain == 1 && bits == SIGN {
                0
            } else {
                bits
            };
            if bits & SIGN == 0 { bits | SIGN } else { !bits }
        };
        if r.descending == 1 { !up } else { up }
    }

    fn ranking(dtype: DType, descending: bool, zeros: Zeros) -> Ranking {
        let args = Launch {
            params: vec![Scalar::Bool(descending)],
            ..Launch::default()
        };
        Ranking::new(dtype, &args, zeros)
    }

    #[test]
    fn floats_rank_by_value_with_nan_last() {
        let up = [
            f32::NEG_INFINITY,
            -2.5,
            -0.0,
            0.0,
            1e-40,
            3.0,
            f32::INFINITY,
        ];
        let r = ranking(DType::F32, false, Zeros::BySign);
        let ranks: Vec<u32> = up.iter().map(|x| rank(x.to_bits(), &r)).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert!(ranks.iter().all(|&r| r < rank(
            (-f32::NAN).to_bits(),
            &ranking(DType::F32, false, Zeros::BySign)
        )));
        let r = ranking(DType::F32, true, Zeros::Equal);
        let ranks: Vec<u32> = up.iter().map(|x| rank(x.to_bits(), &r)).collect();
        assert!(ranks.is_sorted_by(|a, b| a >= b) && ranks[2] == ranks[3]);
        assert_eq!(rank(f32::NAN.to_bits(), &r), u32::MAX);
    }

    #[test]
    fn integers_rank_by_value() {
        let r = ranking(DType::I32, false, Zeros::Equal);
        let ranks = [i32::MIN, -1, 0, 7, i32::MAX].map(|x| rank(x as u32, &r));
        assert!(ranks.is_sorted_by(|a, b| a < b));
        let r = ranking(DType::U32, true, Zeros::Equal);
        assert!(
            [0, 1, u32::MAX]
                .map(|x| rank(x, &r))
                .is_sorted_by(|a, b| a > b)
        );
        assert_eq!(ranking(DType::Bool, false, Zeros::Equal).flip, 0);
        assert_eq!(ranking(DType::I8, false, Zeros::Equal).flip, 0x80);
    }
}
