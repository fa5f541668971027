//! Tensors and numbers: made, computed with, printed. `cargo run -p syntonic-core --example 01_tensors`

use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    // Nested arrays are tensors, and so are vectors; literals give the type.
    let a = Tensor::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let row = Tensor::try_from(vec![10.0, 20.0, 30.0])?;
    println!("a = {a}");

    // Operators take tensors, references to them, and numbers on either side. Shapes broadcast.
    let b = 2.0 * &a + &row;
    assert_eq!(b.to_vec::<f64>()?, [12.0, 24.0, 36.0, 18.0, 30.0, 42.0]);
    let mut c = 1.0 - &a;
    c *= -1;
    println!("a - 1 = {c}");
    assert_eq!(c.to_vec::<f64>()?, (&a - 1).to_vec::<f64>()?);

    // Functions are methods. They return an error where an operator would panic, and so does `try_add`.
    let length = a.square()?.sum(..)?.sqrt()?;
    assert!((length.to_scalar::<f64>()? - 91f64.sqrt()).abs() < 1e-14);
    let e = a.try_add(&Tensor::from([1.0, 2.0])).unwrap_err();
    println!("{e}");
    assert!(e.to_string().contains("float64[2, 3] on cpu"));

    // A tensor is a value: a clone shares memory until one of the two changes.
    let mut d = a.clone();
    d.set((0, 0), 100)?;
    assert_eq!(a.index((0, 0))?.to_scalar::<f64>()?, 1.0);
    assert_eq!(d.max(..)?.to_scalar::<f64>()?, 100.0);

    // Types are asked for by name; reading casts.
    let halves = a.cast(DType::F16)? / 2;
    println!("{halves}");
    assert_eq!((halves.dtype(), halves.shape()), (DType::F16, &[2, 3][..]));
    assert_eq!(halves.to_vec::<f32>()?[0], 0.5);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
