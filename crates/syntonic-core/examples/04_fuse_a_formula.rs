//! A formula, written once: one pass over memory, and its gradient. `cargo run -p syntonic-core --example 04_fuse_a_formula`

use syntonic_core::prelude::*;
use syntonic_core::run::{self, Axes};

fuse! {
    /// Root mean square norm with a weight for each position: w_i x_i / sqrt(mean of x^2 + eps).
    RMS_NORM(x: element, w: row, eps: number) -> (element) {
        w * x / sqrt(mean(square(x)) + eps)
    }
}

fn rms_norm(x: &Tensor, w: &Tensor, eps: f64) -> syntonic_core::Result<Tensor> {
    // The last axis is the row; one output.
    let mut outputs = run::rows(&RMS_NORM, &[x, w], &[eps.into()], &[-1], Axes::Keep)?;
    Ok(outputs.remove(0))
}

fn main() -> syntonic_core::Result<()> {
    let mut generator = Generator::new(4);
    let x = Tensor::randn(&[64, 256], DType::F64, &mut generator)?;
    let w = Tensor::rand(&[256], DType::F64, &mut generator)?;
    let y = rms_norm(&x, &w, 1e-6)?;

    // The same in operators. It is one pass too, but the formula above has a name and a gradient.
    let scale = (x.square()?.mean(Over::from(-1).keep())? + 1e-6).sqrt()?;
    let slow = &x * &w / scale;
    assert!((&y - slow).abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);

    // The gradient of a loss by x and w is a formula again: its inputs are those of the formula and the loss's
    // derivative by y. Here the loss is the sum of y.
    let gradient = RMS_NORM.grad(&[0, 1])?;
    let one = Tensor::ones(&[64, 256], DType::F64)?;
    let inputs = [&x, &w, &one];
    let grads = run::rows(&gradient, &inputs, &[1e-6.into()], &[-1], Axes::Keep)?;
    assert_eq!(
        (grads[0].shape(), grads[1].shape()),
        (&[64, 256][..], &[256][..])
    );

    // A step h along one element changes the loss by h times its derivative, up to terms of the order h^2.
    let h = 1e-5;
    let mut moved = x.clone();
    moved.add_at((3, 7), h)?;
    let change = (rms_norm(&moved, &w, 1e-6)? - &y)
        .sum(..)?
        .to_scalar::<f64>()?
        / h;
    let slope = grads[0].index((3, 7))?.to_scalar::<f64>()?;
    println!("slope {slope:.6}, measured {change:.6}");
    assert!((change - slope).abs() < 1e-4);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
