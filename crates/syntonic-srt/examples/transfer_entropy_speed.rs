//! How long transfer entropy takes on this machine, the whole call: the best of three.

use std::time::Instant;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Tensor};
use syntonic_srt::transfer_entropy::{Estimator, Histories, Past, transfer_entropy};

fn main() -> Result<(), syntonic_core::Error> {
    for (n, length) in [
        (200, 1),
        (1_000, 1),
        (1_000, 3),
        (10_000, 1),
        (10_000, 3),
        (30_000, 3),
        (100_000, 1),
    ] {
        for dtype in [DType::F32, DType::F64] {
            let mut generator = Generator::new(1);
            let x = Tensor::randn(&[n], dtype, &mut generator)?;
            let y = Tensor::randn(&[n], dtype, &mut generator)?;
            let past = Past {
                length,
                ..Past::default()
            };
            let histories = Histories {
                source: past,
                target: past,
                condition: Past::default(),
            };
            let mut best = f64::INFINITY;
            for _ in 0..3 {
                let start = Instant::now();
                transfer_entropy(&x, &y, None, histories, &Estimator::default())?;
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!("{dtype} n = {n}, histories of {length}: {best:.6} s");
        }
    }
    Ok(())
}
