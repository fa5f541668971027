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

/// The sum of the squares of each row of a matrix of `n` columns of `n` numbers: [`sum`] of each, while the matrix is read in the order of
/// its memory.
pub(super) fn row_squares(columns: &[f64], n: usize) -> impl Iterator<Item = f64> {
    const ROWS: usize = 8;
    (0..n).step_by(ROWS).flat_map(move |first| {
        let rows = ROWS.min(n - first);
        let mut lanes = [[0.0; ROWS]; LANES];
        for (j, column) in columns.chunks_exact(n).enumerate() {
            let sums = lanes[j % LANES].iter_mut();
            let entries = sums.zip(&column[first..][..rows]);
            entries.for_each(|(sum, v)| *sum += v * v);
        }
        let mut half = LANES / 2;
        while half > 0 {
            let (sums, others) = lanes.split_at_mut(half);
            let pairs = sums.as_flattened_mut().iter_mut();
            let pairs = pairs.zip(others.as_flattened());
            pairs.for_each(|(sum, v)| *sum += *v);
            half /= 2;
        }
        lanes[0].into_iter().take(rows)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_matrix_are_summed_in_the_order_of_sums() {
        for n in [1, 7, 8, 9, 31, 33, 70] {
            let columns: Vec<f64> = (0..n * n).map(|k| (k as f64 + 0.1).sin()).collect();
            let row = |i: usize| sum(columns[i..].iter().step_by(n).map(|v| v * v));
            assert!(row_squares(&columns, n).eq((0..n).map(row)), "{n}");
        }
    }

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
