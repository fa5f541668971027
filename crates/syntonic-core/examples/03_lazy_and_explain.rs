//! What is large is computed when it is read, in one pass. `cargo run -p syntonic-core --example 03_lazy_and_explain`

use syntonic_core::lazy::explain;
use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    let mut generator = Generator::new(3);
    let x = Tensor::randn(&[512, 1024], DType::F32, &mut generator)?;

    // Nothing is computed here: the result is an expression, whose shape and type are known.
    let y = (&x * 2.0 - 1.0).tanh()?.square()?;
    assert!(y.is_pending());
    assert_eq!(y.shape(), [512, 1024]);

    // What reading it would run: one program, which reads x once and writes y once.
    println!("{}", explain(&y)?);

    // Reductions along rows take part, and so does what follows over the same rows.
    let last = Over::from(-1).keep();
    let normal = (&x - x.mean(&last)?) / (x.var(&last, 0.0)? + 1e-5).sqrt()?;
    println!("{}", explain(&normal)?);
    assert!(explain(&normal)?.contains("one program over the rows"));

    // Reading is what computes: to_vec, item, printing, or eval, which says so. Mistakes were errors before.
    let normal = normal.eval()?;
    assert!(!normal.is_pending());
    let spread = normal.std(-1, 0.0)?;
    assert!((spread.max(..)?.to_scalar::<f32>()? - 1.0).abs() < 1e-3);

    // An expression keeps the operands that it was made of, whatever becomes of them.
    let mut a = Tensor::ones(&[1 << 20], DType::F64)?;
    let later = &a + 1.0;
    a.set(.., 100)?;
    assert_eq!(later.max(..)?.to_scalar::<f64>()?, 2.0);

    // Short results, of up to 8,192 elements, are there at once.
    assert!(!(Tensor::ones(&[100], DType::F32)? + 1).is_pending());
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
