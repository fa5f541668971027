//! Milliseconds of sorting and its relatives over one line, on all threads of the pool.
//! `cargo run --release -p syntonic-core --example order_speed [elements]`

use std::time::Instant;
use syntonic_core::ops::order::{Direction, Extreme, Ranked, Side};
use syntonic_core::ops::order::{argsort, median, searchsorted, sort, topk, unique};
use syntonic_core::ops::reduce::Over;
use syntonic_core::ops::scan::{Initial, cumulative_sum};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Result, Tensor};

fn main() -> Result<()> {
    let n: usize = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(1_000_000);
    for dtype in [DType::F32, DType::F64, DType::I32, DType::I64] {
        let mut values = vec![0f64; n];
        Generator::new(1).normal_f64(&mut values);
        values.iter_mut().for_each(|x| *x *= 1e6);
        let x = Tensor::from_vec(values, &[n])?.cast(dtype)?.eval()?;
        let sorted = sort(&x, 0, Direction::Ascending)?;
        let show = |name: &str, run: &dyn Fn() -> Result<Tensor>| -> Result<()> {
            println!("{name} {dtype}: {:.2} ms", best(run)?);
            Ok(())
        };
        show("sort", &|| sort(&x, 0, Direction::Ascending))?;
        show("argsort", &|| argsort(&x, 0, Direction::Ascending))?;
        show("topk 100", &|| {
            Ok(topk(&x, 100, 0, Extreme::Largest, Ranked::InOrder)?.0)
        })?;
        show("median", &|| median(&x, &Over::all()))?;
        show("unique", &|| Ok(unique(&x)?.counts))?;
        show("searchsorted", &|| {
            searchsorted(&sorted, &x, Side::Left, None)
        })?;
        show("cumulative_sum", &|| {
            cumulative_sum(&x, None, None, Initial::Leave)
        })?;
    }
    Ok(())
}

/// The fastest of several runs, in milliseconds.
fn best(run: &dyn Fn() -> Result<Tensor>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..9 {
        let start = Instant::now();
        run()?.eval()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}
