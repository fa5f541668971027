//! Elements as integers whose order is the order of the elements.

use super::radix::{radix_sort, sort_by};
use crate::error::Result;
use crate::interrupt::collected;
use half::{bf16, f16};
use num_complex::Complex;

/// Whether small or large comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Small first.
    Ascending,
    /// Large first.
    Descending,
}

/// An integer, or a few, that stand for an element in comparisons.
pub(super) trait Rank: Copy + Ord + Default + Send + Sync + 'static {
    /// Sorts many.
    fn sort(ranks: &mut [Self]) -> Result<()>;

    /// Positions in the order of the ranks; equal ones keep their order. There are at most `u32::MAX`.
    fn positions(ranks: &[Self]) -> Result<impl Iterator<Item = u32>>;
}

/// Below this, comparing is faster than counting digits.
const FEW: usize = 1500;
/// Ranks that are copied before the caller is asked whether to go on.
const UNASKED: usize = 1 << 18;

macro_rules! narrow_ranks {
    ($($t:ty),*) => {$(
        impl Rank for $t {
            fn sort(ranks: &mut [$t]) -> Result<()> {
                if ranks.len() < FEW {
                    ranks.sort_unstable();
                    Ok(())
                } else {
                    radix_sort(ranks, <$t>::BITS, |&r| u64::from(r))
                }
            }

            fn positions(ranks: &[$t]) -> Result<impl Iterator<Item = u32>> {
                // Rank and position in one integer: all are different, so any sort is stable.
                let pair = |i: usize| u64::from(ranks[i]) << 32 | i as u64;
                let mut pairs = collected(ranks.len(), UNASKED, pair)?;
                if pairs.len() < FEW {
                    pairs.sort_unstable();
                } else {
                    radix_sort(&mut pairs, <$t>::BITS, |p| p >> 32)?;
                }
                Ok(pairs.into_iter().map(|p| p as u32))
            }
        }
    )*};
}
narrow_ranks!(u8, u16, u32);

impl Rank for u64 {
    fn sort(ranks: &mut [u64]) -> Result<()> {
        if ranks.len() < FEW {
            ranks.sort_unstable();
            Ok(())
        } else {
            radix_sort(ranks, u64::BITS, |&r| r)
        }
    }

    fn positions(ranks: &[u64]) -> Result<impl Iterator<Item = u32>> {
        let mut pairs = collected(ranks.len(), UNASKED, |i| (ranks[i], i as u32))?;
        if pairs.len() < FEW {
            pairs.sort_unstable();
        } else {
            radix_sort(&mut pairs, u64::BITS, |p| p.0)?;
        }
        Ok(pairs.into_iter().map(|p| p.1))
    }
}

/// Which parts are NaN, then the real and the imaginary part.
impl Rank for (u8, u64, u64) {
    fn sort(ranks: &mut [Self]) -> Result<()> {
        sort_by(ranks, Ord::cmp)
    }

    fn positions(ranks: &[Self]) -> Result<impl Iterator<Item = u32>> {
        let mut pairs = collected(ranks.len(), UNASKED, |i| (ranks[i], i as u32))?;
        sort_by(&mut pairs, Ord::cmp)?;
        Ok(pairs.into_iter().map(|p| p.1))
    }
}

/// An element type with an order.
pub(super) trait Ordered: Copy + Send + Sync + 'static {
    type Rank: Rank;

    /// The rank, which tells `-0.0` from `0.0`; NaN has the largest in both directions.
    fn rank(self, direction: Direction) -> Self::Rank;

    /// The element of a rank; every NaN becomes the same one.
    fn value(rank: Self::Rank, direction: Direction) -> Self;

    /// The element with `-0.0` made `0.0`, for comparisons that must not tell them apart.
    fn plain(self) -> Self {
        self
    }
}

macro_rules! ordered_integers {
    ($($t:ty => $rank:ty, $flip:expr);* $(;)?) => {$(
        impl Ordered for $t {
            type Rank = $rank;
            fn rank(self, direction: Direction) -> $rank {
                let up = self as $rank ^ $flip;
                match direction {
                    Direction::Ascending => up,
                    Direction::Descending => !up,
                }
            }
            fn value(rank: $rank, direction: Direction) -> $t {
                let up = match direction {
                    Direction::Ascending => rank,
                    Direction::Descending => !rank,
                };
                (up ^ $flip) as $t
            }
        }
    )*};
}
ordered_integers!(
    u8 => u8, 0; u16 => u16, 0; u32 => u32, 0; u64 => u64, 0;
    i8 => u8, 1 << 7; i16 => u16, 1 << 15; i32 => u32, 1 << 31; i64 => u64, 1 << 63;
);

impl Ordered for bool {
    type Rank = u8;
    fn rank(self, direction: Direction) -> u8 {
        u8::from(self).rank(direction)
    }
    fn value(rank: u8, direction: Direction) -> bool {
        u8::value(rank, direction) != 0
    }
}

macro_rules! ordered_floats {
    ($($t:ty => $rank:ty, $nan:expr, $zero:expr);* $(;)?) => {$(
        impl Ordered for $t {
            type Rank = $rank;
            fn rank(self, direction: Direction) -> $rank {
                const SIGN: $rank = 1 << (<$rank>::BITS - 1);
                if self.is_nan() {
                    return <$rank>::MAX;
                }
                let bits = self.to_bits();
                // Negative numbers descend with their bits, the others ascend above them.
                let up = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                match direction {
                    Direction::Ascending => up,
                    Direction::Descending => !up,
                }
            }
            fn value(rank: $rank, direction: Direction) -> $t {
                const SIGN: $rank = 1 << (<$rank>::BITS - 1);
                if rank == <$rank>::MAX {
                    return $nan;
                }
                let up = match direction {
                    Direction::Ascending => rank,
                    Direction::Descending => !rank,
                };
                <$t>::from_bits(if up & SIGN == 0 { !up } else { up & !SIGN })
            }
            fn plain(self) -> $t {
                if self == $zero { $zero } else { self }
            }
        }
    )*};
}
ordered_floats!(
    f16 => u16, f16::NAN, f16::ZERO;
    bf16 => u16, bf16::NAN, bf16::ZERO;
    f32 => u32, f32::NAN, 0.0;
    f64 => u64, f64::NAN, 0.0;
);

macro_rules! ordered_complex {
    ($($t:ty),*) => {$(
        impl Ordered for Complex<$t> {
            type Rank = (u8, u64, u64);
            fn rank(self, direction: Direction) -> (u8, u64, u64) {
                let nan = u8::from(self.re.is_nan()) << 1 | u8::from(self.im.is_nan());
                let part = |x: $t| u64::from(x.rank(direction));
                (nan, part(self.re), part(self.im))
            }
            fn value(rank: (u8, u64, u64), direction: Direction) -> Complex<$t> {
                let part = |r: u64| <$t as Ordered>::value(r as _, direction);
                Complex::new(part(rank.1), part(rank.2))
            }
            fn plain(self) -> Complex<$t> {
                Complex::new(self.re.plain(), self.im.plain())
            }
        }
    )*};
}
ordered_complex!(f32, f64);

/// Runs `$body` with `$T` bound to the type of `$dtype`: every dtype that is computed with has an order.
macro_rules! with_order {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::scalar::with_number!($dtype, $T => $body)
    };
}
pub(super) use with_order;
