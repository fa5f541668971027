//! Nanoseconds per element of every lane kernel, one thread, operands in the second-level cache.
//! `cargo run --release -p syntonic-core --example lane_speed [name ...]`

use std::time::Instant;
use syntonic_core::DType;
use syntonic_core::cpu::lanes::{Fold, Level, cast_at, fold_at, kernel_at};
use syntonic_core::fuse::Prim;

const N: usize = 16_384;

fn nanoseconds(mut run: impl FnMut()) -> f64 {
    run();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        let mut turns = 0;
        while start.elapsed().as_micros() < 1500 {
            run();
            turns += 1;
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(turns) / N as f64);
    }
    best
}

fn operand(dtype: DType, shift: f64) -> Vec<u64> {
    let mut bytes = vec![0u64; N * 2];
    let values: Vec<f64> = (0..N)
        .map(|i| shift + 0.2 + (i % 997) as f64 / 400.0)
        .collect();
    // SAFETY: 16 bytes of room for every element, in both buffers.
    unsafe {
        cast_at(Level::Base, DType::F64, dtype)(
            bytes.as_mut_ptr().cast(),
            values.as_ptr().cast(),
            std::ptr::null(),
            std::ptr::null(),
            N,
        )
    }
    bytes
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let listed = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let mut out = vec![0u64; N * 2];
    for dtype in [DType::F32, DType::F64, DType::I32, DType::C64, DType::C128] {
        let (a, b, c) = (
            operand(dtype, 0.0),
            operand(dtype, 0.5),
            operand(dtype, 0.7),
        );
        for &prim in Prim::ALL {
            if !listed(prim.name()) {
                continue;
            }
            let times: Vec<String> = Level::available()
                .filter_map(|level| kernel_at(level, prim, dtype))
                .map(|kernel| {
                    // SAFETY: every buffer has 16 bytes for each of N elements.
                    let time = nanoseconds(|| unsafe {
                        kernel(
                            out.as_mut_ptr().cast(),
                            a.as_ptr().cast(),
                            b.as_ptr().cast(),
                            c.as_ptr().cast(),
                            N,
                        )
                    });
                    format!("{time:8.3}")
                })
                .collect();
            if !times.is_empty() {
                println!("{:12} {:10} {}", prim.name(), dtype.name(), times.join(" "));
            }
        }
    }
    for dtype in DType::ALL.into_iter().filter(|_| listed("fold")) {
        let a = operand(dtype, 0.0);
        for kind in [Fold::Sum, Fold::Prod, Fold::Min, Fold::Any] {
            let times: Vec<String> = Level::available()
                .filter_map(|level| fold_at(level, kind, dtype))
                .map(|fold| {
                    // SAFETY: N elements to read, room for one value.
                    let time = nanoseconds(|| unsafe {
                        (fold.whole)(
                            out.as_mut_ptr().cast(),
                            a.as_ptr().cast(),
                            std::ptr::null(),
                            N,
                        )
                    });
                    format!("{time:8.3}")
                })
                .collect();
            println!("{kind:12?} {:10} {}", dtype.name(), times.join(" "));
        }
    }
    for (from, to) in DType::ALL
        .into_iter()
        .flat_map(|f| DType::ALL.map(|t| (f, t)))
        .filter(|_| listed("cast"))
    {
        let a = operand(from, 0.0);
        let times: Vec<String> = Level::available()
            .map(|level| cast_at(level, from, to))
            .map(|cast| {
                let none = std::ptr::null();
                // SAFETY: every buffer has 16 bytes for each of N elements.
                let time = nanoseconds(|| unsafe {
                    cast(out.as_mut_ptr().cast(), a.as_ptr().cast(), none, none, N)
                });
                format!("{time:8.3}")
            })
            .collect();
        println!(
            "cast {:10} {:10} {}",
            from.name(),
            to.name(),
            times.join(" ")
        );
    }
}
