//! Products, equations and decompositions, of one matrix or a stack. `cargo run -p syntonic-core --example 06_linear_algebra`

use syntonic_core::ops::linalg::{Columns, Tolerance, Triangle, eigh, lstsq, qr, svd};
use syntonic_core::prelude::*;

/// The largest distance between two tensors.
fn distance(a: &Tensor, b: &Tensor) -> syntonic_core::Result<f64> {
    (a - b).abs()?.max(..)?.to_scalar()
}

fn main() -> syntonic_core::Result<()> {
    let mut generator = Generator::new(6);
    let a = Tensor::randn(&[4, 4], DType::F64, &mut generator)? + 4 * Tensor::eye(4, DType::F64)?;
    let b = Tensor::randn(&[4], DType::F64, &mut generator)?;

    // The equations a x = b, whose solution is as good as the matrix allows.
    let x = a.solve(&b)?;
    println!("x = {x:.3}");
    assert!(distance(&a.matmul(&x)?, &b)? < 1e-13);
    assert!(distance(&a.matmul(&a.inv()?)?, &Tensor::eye(4, DType::F64)?)? < 1e-13);

    // A matrix that has no inverse is an error which says so, and says what takes it.
    let e = Tensor::ones(&[3, 3], DType::F64)?.inv().unwrap_err();
    println!("{e}");
    assert!(e.to_string().contains("singular"));

    // Symmetric matrices have real eigenvalues, in ascending order.
    let symmetric = a.matmul(&a.t()?)?;
    let eigen = eigh(&symmetric, Triangle::Lower)?;
    let (w, v) = (eigen.eigenvalues, eigen.eigenvectors);
    assert!(distance(&symmetric.matmul(&v)?, &(&v * &w))? < 1e-11);
    assert!(
        (w.sum(..)? - symmetric.trace()?)
            .abs()?
            .to_scalar::<f64>()?
            < 1e-11
    );

    // Decompositions take stacks: what stands before the last two axes counts matrices.
    let stack = Tensor::randn(&[100, 5, 3], DType::F64, &mut generator)?;
    let parts = qr(&stack, Columns::Reduced)?;
    assert!(distance(&parts.q.matmul(&parts.r)?, &stack)? < 1e-13);
    let parts = svd(&stack, Columns::Reduced)?;
    let scaled = &parts.u * parts.s.index((.., NewAxis))?;
    assert!(distance(&scaled.matmul(&parts.vh)?, &stack)? < 1e-13);

    // A line through points, in the sense of least squares.
    let t = Tensor::linspace(0.0, 1.0, 50)?;
    let y = 3.0 * &t - 1.0;
    let design = Tensor::stack(&[&t, &Tensor::ones(&[50], DType::F64)?], 1)?;
    let line = lstsq(&design, &y, Tolerance::Rounding)?.x;
    assert!(distance(&line, &Tensor::from([3.0, -1.0]))? < 1e-13);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
