//! Sums whose order every device can keep.

/// Partial sums of a sum: the lanes of a GPU's warp.
const LANES: usize = 32;

/// The sum of `values`: value `k` is added to partial sum `k % 32`, one after the other from 0 on, and the partial sums as a tree whose
/// first pairs are 16 apart.
pub(super) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut lanes = [0.0; LANES];
    for (k, value) in values.into_iter().enumerate() {
        lanes[k % LANES] += value;
    }
    over_lanes(lanes)
}

/// The sum of the products, in the same order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let mut rows = a.chunks_exact(LANES).zip(b.chunks_exact(LANES));
    for (a, b) in &mut rows {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let whole = a.len().min(b.len()) / LANES * LANES;
    let rest = lanes.iter_mut().zip(a[whole..].iter().zip(&b[whole..]));
    rest.for_each(|(lane, (a, b))| *lane += a * b);
    over_lanes(lanes)
}

/// What all lanes have, added as a tree whose first pairs are half of them apart.
#[inline(always)]
pub(super) fn over_lanes<T: Copy + std::ops::Add<Output = T>, const N: usize>(
    mut lanes: [T; N],
) -> T {
    let mut half = N / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = lanes[lane] + lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_summed_in_the_order_of_sums() {
        let a: Vec<f64> = (0..77).map(|k| (k as f64 + 0.1).sqrt()).collect();
        let b: Vec<f64> = a.iter().map(|v| 1.0 / (v + 0.3)).collect();
        for n in [0, 1, 31, 32, 33, 64, 77] {
            let products = a[..n].iter().zip(&b).map(|(a, b)| a * b);
            assert_eq!(dot(&a[..n], &b[..n]), sum(products), "{n}");
        }
    }

    #[test]
    fn sums_are_in_lanes_and_then_in_a_tree() {
        assert_eq!(sum([]), 0.0);
        assert_eq!(sum((1..=100).map(f64::from)), 5050.0);
        // 2^53 and 1 meet in a lane, where 1 is lost; 1 and 1 of two lanes meet first.
        let large = 9_007_199_254_740_992.0;
        let mut values = [0.0; 33];
        (values[0], values[32]) = (large, 1.0);
        assert_eq!(sum(values), large);
        let mut values = [0.0; 32];
        (values[0], values[8], values[24]) = (large, 1.0, 1.0);
        assert_eq!(sum(values), large + 2.0);
    }
}
