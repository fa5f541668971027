//! The mean of local values, added in an order that depends on their number alone.

use super::tree::LEAF;

/// Values that one tree of additions takes: the lanes of a warp.
const BLOCK: usize = LEAF;

/// The mean; `values` are overwritten.
pub(super) fn mean(values: &mut [f64]) -> f64 {
    let count = values.len();
    let mut left = count;
    while left > 1 {
        let blocks = left.div_ceil(BLOCK);
        for block in 0..blocks {
            let (from, to) = (block * BLOCK, left.min((block + 1) * BLOCK));
            let mut lanes = [0.0; BLOCK];
            lanes[..to - from].copy_from_slice(&values[from..to]);
            // Blocks behind this one lie behind what is overwritten.
            values[block] = tree(lanes);
        }
        left = blocks;
    }
    values.first().map_or(f64::NAN, |sum| sum / count as f64)
}

fn tree(mut lanes: [f64; BLOCK]) -> f64 {
    for stride in [16, 8, 4, 2, 1] {
        for lane in 0..stride {
            lanes[lane] += lanes[lane + stride];
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_added_exactly() {
        for n in [1, 2, 31, 32, 33, 1024, 1025, 33_000] {
            let mut values: Vec<f64> = (0..n).map(|i| f64::from(i * 2)).collect();
            assert_eq!(mean(&mut values), f64::from(n - 1), "{n}");
        }
        assert!(mean(&mut []).is_nan());
    }
}
