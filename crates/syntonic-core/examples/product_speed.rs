//! GFLOP/s of square matrix products, on all threads of the pool. A complex product counts four real ones.
//! `cargo run --release -p syntonic-core --example product_speed [size ...]`

use std::time::Instant;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Result, Tensor};

fn main() -> Result<()> {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        vec![256, 1024, 2048]
    } else {
        sizes
    };
    for dtype in [
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
        DType::BF16,
        DType::I32,
    ] {
        for &n in &sizes {
            println!("{dtype} {n}: {:.0} GFLOP/s", speed(dtype, n)?);
        }
    }
    Ok(())
}

/// The best of several products.
fn speed(dtype: DType, n: usize) -> Result<f64> {
    let mut values = vec![0f64; n * n];
    Generator::new(n as u64).normal_f64(&mut values);
    let a = Tensor::from_vec(values, &[n, n])?.cast(dtype)?.eval()?;
    let mut best = f64::INFINITY;
    for _ in 0..(4_000_000_000 / n.pow(3)).clamp(3, 200) {
        let start = Instant::now();
        matmul(&a, &a)?.eval()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let factor = if dtype.is_complex() { 8.0 } else { 2.0 };
    Ok(factor * (n as f64).powi(3) / best / 1e9)
}
