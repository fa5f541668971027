//! Random numbers that depend on a seed and a place, and on nothing else. `cargo run -p syntonic-core --example 07_random`

use syntonic_core::ops::random::{integers, permutation, shuffled};
use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    // A generator is a seed and an offset: a draw takes as many numbers as it has elements.
    let mut generator = Generator::new(2024);
    let u = Tensor::rand(&[1000, 3], DType::F64, &mut generator)?;
    let z = Tensor::randn(&[1000, 3], DType::F64, &mut generator)?;
    assert_eq!(generator.offset, 6000);
    println!("means {:.3} and {:.3}", u.mean(0)?, z.mean(0)?);
    // Four deviations of a mean of 1000 numbers.
    let bound = 4.0 / 1000f64.sqrt();
    assert!(
        z.mean(0)?
            .abs()?
            .less(bound)?
            .all(..)?
            .to_scalar::<bool>()?
    );

    // The same seed and offset give the same numbers, on any device and any number of threads.
    let mut again = Generator {
        seed: 2024,
        offset: 3000,
    };
    let same = Tensor::randn(&[1000, 3], DType::F64, &mut again)?;
    assert_eq!(same.to_vec::<f64>()?, z.to_vec::<f64>()?);

    // Parts of a job get streams of their own, whatever the others have drawn.
    let mut first = generator.fork(0);
    let mut second = generator.fork(1);
    let a = Tensor::rand(&[4], DType::F32, &mut first)?;
    let b = Tensor::rand(&[4], DType::F32, &mut second)?;
    assert!(a.not_equal(&b)?.any(..)?.to_scalar::<bool>()?);

    // Integers, orders, and rows in a random order.
    let dice = integers(&[600], 1, 7, DType::I64, &mut generator, &cpu())?;
    assert_eq!(
        (
            dice.min(..)?.to_scalar::<i64>()?,
            dice.max(..)?.to_scalar::<i64>()?
        ),
        (1, 6)
    );
    let order = permutation(10, &mut generator, &cpu())?;
    assert_eq!(order.sum(..)?.to_scalar::<i64>()?, 45);
    let rows = shuffled(&u, 0, &mut generator)?;
    println!("{rows:.3}");
    let moved = (rows.sum(0)? - u.sum(0)?).abs()?.max(..)?;
    assert!(moved.to_scalar::<f64>()? < 1e-10);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
