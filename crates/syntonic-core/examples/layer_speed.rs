//! Milliseconds of a linear layer on all threads of the pool: fused, as a chain over a pending product, and in separate passes.
//! `cargo run --release -p syntonic-core --example layer_speed [m k n]`

use std::time::Instant;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::{GELU, RELU};
use syntonic_core::ops::elementwise::{apply, composite};
use syntonic_core::ops::linalg::{Activation, linear, matmul};
use syntonic_core::random::Generator;
use syntonic_core::{Result, Tensor};

fn main() -> Result<()> {
    let given: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    let [m, k, n] = given.try_into().unwrap_or([512, 1024, 1024]);
    let mut g = Generator::new(1);
    let mut draw = |shape: &[usize]| -> Result<Tensor> {
        let mut values = vec![0f32; shape.iter().product()];
        g.normal_f32(&mut values);
        Tensor::from_vec(values, shape)
    };
    let (x, w, b) = (draw(&[m, k])?, draw(&[k, n])?, draw(&[n])?);
    for (activation, composed) in [(Activation::Relu, RELU), (Activation::Gelu, GELU)] {
        let after = |product: Tensor| -> Result<Tensor> {
            let sum = apply(Prim::Add, &[(&product).into(), (&b).into()])?;
            drop(product);
            composite(composed.name, composed.build, &[(&sum).into()])
        };
        let fused = || linear(&x, &w, Some(&b), activation);
        let chain = || after(matmul(&x, &w)?)?.eval();
        let apart = || after(matmul(&x, &w)?.eval()?)?.eval();
        println!(
            "{} {m}x{k}x{n}: linear {:.2} ms, chain {:.2} ms, separate {:.2} ms, product alone {:.2} ms",
            composed.name,
            best(fused)?,
            best(chain)?,
            best(apart)?,
            best(|| matmul(&x, &w)?.eval())?
        );
    }
    Ok(())
}

/// The best of several runs.
fn best(run: impl Fn() -> Result<Tensor>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}
