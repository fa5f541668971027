//! How many numbers find their nearest point of the lattice in a second.
//!
//! ```sh
//! RAYON_NUM_THREADS=1 cargo run --release -p syntonic-srt --example snap_speed
//! ```
//!
//! The best of many short runs, so that what else runs on the machine has little say.

use std::time::Instant;

use syntonic_core::Tensor;
use syntonic_srt::constants::{INV_PHI, PHI};
use syntonic_srt::exact::snap_tensor;

const COUNT: usize = 1 << 16;
const RUNS: usize = 300;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for bound in [100u32, 1_000_000] {
        let whole = f64::from(bound);
        for (name, reach) in [
            ("up to N/φ", whole * INV_PHI),
            ("up to N φ²", whole * PHI * PHI),
        ] {
            // Steps of the golden ratio fill the range evenly, in no order that a branch could foresee.
            let x: Vec<f64> =
                (0..COUNT) // few: of one size.
                    .map(|k| ((k as f64 * PHI).fract() * 2.0 - 1.0) * reach)
                    .collect();
            let x = Tensor::from_slice(&x, &[COUNT])?;
            let mut best = f64::INFINITY;
            for _ in 0..RUNS {
                let start = Instant::now();
                let points = snap_tensor(&x, bound)?.points;
                best = best.min(start.elapsed().as_secs_f64());
                assert_eq!(points.shape(), [COUNT]);
            }
            let speed = COUNT as f64 / best / 1e6;
            println!("N = {bound:<9} {name:12} {speed:7.1} M/s");
        }
    }
    Ok(())
}
