//! Work on a thread with little stack, as servers and musl give them: it takes no more however long a chain is, however deep a value hangs
//! on others, and whatever the operator.

// `x += 1.0` would write in place where a chain is wanted.
#![expect(clippy::assign_op_pattern)]

use std::io::Write;
use std::thread;
use syntonic_core::fork::Lazy;
use syntonic_core::grad::{grad, value_and_grad};
use syntonic_core::ops::fft::{Norm, fft, rfft};
use syntonic_core::ops::linalg::{self, Columns, MatrixNorm, Tolerance, Triangle};
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::{random, row_operators};
use syntonic_core::prelude::*;
use syntonic_core::run::Axes;
use syntonic_core::{Error, Result, profile};

/// Bytes of the stack.
const STACK: usize = 128 << 10;
const LONG: usize = 3000;
/// Elements of what waits to be read.
const MANY: usize = 9000;

type Work = fn() -> Result<()>;

fn matrix(n: usize) -> Result<Tensor> {
    let x = random::normal(
        &[n, n],
        0.0,
        1.0,
        DType::F64,
        &mut Generator::new(7),
        &cpu(),
    )?;
    Ok(x + Tensor::eye(n, DType::F64)? * (4.0 * n as f64))
}

/// A symmetric one whose eigenvalues are positive.
fn definite(n: usize) -> Result<Tensor> {
    let x = matrix(n)?;
    linalg::matmul(&x, &x.transpose(0, 1)?)
}

/// A product, where the type has one.
fn product(a: &Tensor, b: &Tensor) -> Result<()> {
    match linalg::matmul(a, b) {
        Err(Error::DType { .. }) => Ok(()),
        made => made?.eval().map(drop),
    }
}

fn first(x: &Tensor) -> Result<f64> {
    x.reshape(&[-1])?.select(0, 0)?.to_scalar::<f64>()
}

static WORKS: Lazy<Vec<(&str, Work)>> = Lazy::new(|| {
    vec![
        ("a chain", || {
            let mut x = Tensor::zeros(&[MANY], DType::F64)?;
            for _ in 0..LONG {
                x = x + 1.0;
            }
            assert_eq!(first(&x)?, LONG as f64);
            Ok(())
        }),
        ("a chain that nobody reads", || {
            let mut x = Tensor::zeros(&[MANY], DType::F64)?;
            for _ in 0..LONG {
                x = x * 1.5;
            }
            drop(x);
            Ok(())
        }),
        ("a chain whose every value is held", || {
            let mut all = vec![Tensor::zeros(&[MANY], DType::F32)?];
            for k in 0..200 {
                all.push(&all[k] + 1.0);
            }
            assert_eq!(first(&all[200].cast(DType::F64)?)?, 200.0);
            Ok(())
        }),
        ("a chain of views", || {
            let mut x = Tensor::zeros(&[100, 100], DType::F64)?;
            for _ in 0..LONG {
                x = x.transpose(0, 1)? + 1.0;
            }
            assert_eq!(first(&x)?, LONG as f64);
            Ok(())
        }),
        ("a chain of shifted views", || {
            let mut x = Tensor::zeros(&[100, 100], DType::F64)?;
            for _ in 0..300 {
                x = x.flip(&[0])? + 1.0;
            }
            drop(x.clone());
            assert_eq!(first(&x)?, 300.0);
            Ok(())
        }),
        ("sums of rows within each other", || {
            let mut x = Tensor::ones(&[100, 100], DType::F64)?;
            for k in 0..400 {
                let axis = (k % 2) as isize;
                x = &x - &x.mean(axis)?.expand_dims(&[axis])?;
            }
            assert_eq!(first(&x)?, 0.0);
            Ok(())
        }),
        ("products within each other", || {
            let mut x = Tensor::eye(100, DType::F32)?;
            for _ in 0..100 {
                x = linalg::matmul(&x, &x)?.exp()?.log()? + 0.0;
            }
            x.eval().map(drop)
        }),
        ("values that hang on two each", || {
            let mut x = Tensor::ones(&[MANY], DType::F64)?;
            for _ in 0..200 {
                let y = &x * 0.5;
                x = (&y + &x) * (2.0 / 3.0);
            }
            x.eval().map(drop)
        }),
        ("a long way back", || {
            let x = Tensor::ones(&[16], DType::F64)?;
            let chain = |x: &[Tensor]| {
                let mut y = x[0].clone();
                for _ in 0..LONG {
                    y = y * 1.0001;
                }
                y.sum(..)
            };
            grad(chain, &[&x])?[0].eval().map(drop)
        }),
        ("a long way back over large values", || {
            let x = Tensor::ones(&[MANY], DType::F64)?;
            let chain = |x: &[Tensor]| {
                let mut y = x[0].clone();
                for _ in 0..300 {
                    y = y.sin()? + &x[0];
                }
                y.sum(..)
            };
            value_and_grad(chain, &[&x])?.1[0].eval().map(drop)
        }),
        ("a way back over a way back", || {
            fn slope(depth: usize, x: &Tensor) -> Result<Tensor> {
                if depth == 0 {
                    return x.square()?.square()?.square()?.sum(..);
                }
                let inner = |x: &[Tensor]| slope(depth - 1, &x[0])?.sum(..);
                Ok(grad(inner, &[x])?.remove(0))
            }
            slope(4, &Tensor::from([1.0, 2.0]))?.eval().map(drop)
        }),
        ("row operators and their gradients", || {
            for operator in row_operators::ALL {
                for known in operator.known {
                    let operands: Vec<Tensor> = (known.operands.iter())
                        .map(|row| Tensor::from_slice(row, &[1, row.len()]))
                        .collect::<Result<_>>()?;
                    let wide: Vec<Tensor> = (operands.iter().zip(operator.operands))
                        .map(|(x, (_, role))| match role {
                            syntonic_core::fuse::Role::Row => x.squeeze(&[0]),
                            _ => x.broadcast_to(&[3000, x.shape()[1]])?.copy(),
                        })
                        .collect::<Result<_>>()?;
                    let operands: Vec<&Tensor> = wide.iter().collect();
                    operator.along(-1, &operands, known.settings)?.eval()?;
                    if let Ok(program) = &*operator.gradient {
                        assert!(!program.to_string().is_empty());
                    }
                }
            }
            Ok(())
        }),
        ("products", || {
            for dtype in DType::ALL {
                for n in [3, 40, 300] {
                    let x = Tensor::ones(&[n, n], dtype)?;
                    product(&x, &x)?;
                    product(&x, &x.transpose(0, 1)?)?;
                }
                let x = Tensor::ones(&[30, 20, 20], dtype)?;
                product(&x, &x)?;
                let y = Tensor::ones(&[20], dtype)?;
                product(&x, &y)?;
            }
            Ok(())
        }),
        ("decompositions", || {
            for n in [1, 5, 40, 120] {
                let (a, s) = (matrix(n)?, definite(n)?);
                for dtype in [DType::F64, DType::F32, DType::C64] {
                    let (a, s) = (a.cast(dtype)?, s.cast(dtype)?);
                    linalg::svd(&a, Columns::Reduced)?;
                    linalg::qr(&a, Columns::Reduced)?;
                    linalg::eigh(&s, Triangle::Lower)?;
                    linalg::eig(&a)?;
                    linalg::cholesky(&s, Triangle::Lower)?;
                    linalg::solve(&a, &s)?;
                    linalg::inv(&a)?;
                    linalg::det(&a)?;
                    linalg::expm(&(a.cast(DType::F64)? * 1e-3))?;
                }
                linalg::pinv(&a, Tolerance::Rounding)?;
                linalg::matrix_norm(&a, MatrixNorm::Nuclear, Axes::Drop)?;
                linalg::matrix_power(&a, 5)?;
            }
            Ok(())
        }),
        ("transforms", || {
            for n in [1, 7, 64, 1000, 1009, 4096, 30_030, 65_537, 1 << 17] {
                let x = Tensor::ones(&[n], DType::F64)?;
                rfft(&x, None, -1, Norm::Backward)?;
                fft(&x.cast(DType::C64)?, None, -1, Norm::Backward)?;
            }
            Ok(())
        }),
        ("sorts", || {
            for dtype in DType::ALL.into_iter().filter(|t| !t.is_complex()) {
                for n in [10, 1000, 100_000] {
                    let x = Tensor::linspace(100.0, 0.0, n)?.cast(dtype)?;
                    x.sort(0, Direction::Ascending)?;
                    x.argsort(0, Direction::Descending)?;
                    order::unique(&x)?;
                }
            }
            Ok(())
        }),
        ("numbers at random", || {
            let generator = &mut Generator::new(3);
            for dtype in [DType::F32, DType::F64, DType::F16] {
                random::uniform(&[100_000], 0.0, 1.0, dtype, generator, &cpu())?;
                random::normal(&[100_000], 0.0, 1.0, dtype, generator, &cpu())?;
            }
            Ok(())
        }),
        ("files", || {
            let folder =
                std::env::temp_dir().join(format!("syntonic-shallow-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let x = Tensor::ones(&[300, 100], DType::F32)?;
            io::save_npy(folder.join("x.npy"), &x)?;
            io::load_npy(folder.join("x.npy"))?;
            io::save_npz(folder.join("x.npz"), &[("x", x.clone())])?;
            io::load_npz(folder.join("x.npz"))?;
            std::fs::remove_dir_all(&folder).unwrap();
            Ok(())
        }),
        ("a graph", || {
            let x = Tensor::ones(&[100, 100], DType::F32)?;
            let work = |own: &[&Tensor]| {
                let mut y = own[0].clone();
                for _ in 0..200 {
                    y = linalg::matmul(&y, own[0])? * 0.01;
                }
                Ok(vec![y])
            };
            Graph::capture(&[&x], work)?.replay(&[&x]).map(drop)
        }),
        ("what is printed", || {
            let x = Tensor::ones(&[2; 20], DType::F32)?;
            assert!(!format!("{x} {x:?}").is_empty());
            let mut deep = Tensor::ones(&[MANY], DType::F32)?;
            for _ in 0..40 {
                deep = deep.sin()? + 1.0;
            }
            assert!(!syntonic_core::lazy::explain(&deep)?.is_empty());
            let recording = profile::start();
            deep.eval()?;
            assert!(!recording.finish()?.to_string().is_empty());
            Ok(())
        }),
    ]
});

#[test]
fn every_work_runs_on_a_small_stack() {
    for (name, work) in WORKS.iter() {
        // Shown where the process ends with it.
        writeln!(std::io::stderr(), "{name}").unwrap();
        let small = thread::Builder::new().stack_size(STACK);
        let done = small.spawn(work).unwrap().join();
        done.unwrap_or_else(|_| panic!("{name} panics"))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
