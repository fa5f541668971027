//! Sums, moments and positions along axes. `cargo run -p syntonic-core --example 05_reductions`

use syntonic_core::ops::order::Direction;
use syntonic_core::prelude::*;

fn main() -> syntonic_core::Result<()> {
    let x = Tensor::from([[3.0, 1.0, 2.0], [6.0, 4.0, 8.0]]);

    // All axes, one axis, some axes; negative ones count from the end.
    assert_eq!(x.sum(..)?.to_scalar::<f64>()?, 24.0);
    assert_eq!(x.sum(0)?.to_vec::<f64>()?, [9.0, 5.0, 10.0]);
    assert_eq!(x.mean(-1)?.to_vec::<f64>()?, [2.0, 6.0]);
    assert_eq!(x.max([0, 1])?.to_scalar::<f64>()?, 8.0);

    // Kept with length 1, what is left of an axis broadcasts against it.
    let centred = &x - x.mean(Over::from(-1).keep())?;
    println!("{centred}");
    assert_eq!(centred.sum(-1)?.to_vec::<f64>()?, [0.0, 0.0]);

    // Moments, with the correction of a sample; norms by their order.
    assert_eq!(x.var(1, 0.0)?.to_vec::<f64>()?, [2.0 / 3.0, 8.0 / 3.0]);
    assert_eq!(x.var(1, 1.0)?.to_vec::<f64>()?, [1.0, 4.0]);
    assert_eq!(x.norm(1, 1.0)?.to_vec::<f64>()?, [6.0, 18.0]);

    // Positions, truth, and order.
    assert_eq!(x.argmax(1)?.to_vec::<i64>()?, [0, 2]);
    assert!(x.greater(0)?.all(..)?.to_scalar::<bool>()?);
    assert_eq!(x.greater(2.5)?.count_nonzero(1)?.to_vec::<i64>()?, [1, 3]);
    let sorted = x.sort(-1, Direction::Descending)?;
    println!("{sorted}");
    assert_eq!(sorted.to_vec::<f64>()?, [3.0, 2.0, 1.0, 8.0, 6.0, 4.0]);

    // Integers are summed in 64 bits, so that small types do not wrap.
    let bytes = Tensor::full(&[1000], 255, DType::U8)?;
    let total = bytes.sum(..)?;
    assert_eq!(
        (total.dtype(), total.to_scalar::<u64>()?),
        (DType::U64, 255_000)
    );

    // Along an axis that the result keeps: probabilities, running sums.
    let p = x.softmax(-1)?;
    println!("{p:.4}");
    assert!((p.sum(-1)? - 1.0).abs()?.max(..)?.to_scalar::<f64>()? < 1e-15);
    let running = x.cumulative_sum(1)?;
    assert_eq!(running.to_vec::<f64>()?, [3.0, 4.0, 6.0, 6.0, 10.0, 18.0]);
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
