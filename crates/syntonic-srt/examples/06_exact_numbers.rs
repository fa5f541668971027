//! Numbers `a + b φ` without rounding. `cargo run -p syntonic-srt --example 06_exact_numbers`

use syntonic_srt::exact::{Golden, GoldenBig, fibonacci, lucas, snap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // φ² = φ + 1, and φⁿ has Fibonacci numbers as coefficients.
    let phi = Golden::PHI;
    assert_eq!(phi.times(phi)?, phi.plus(Golden::new(1, 0))?);
    assert_eq!(
        Golden::phi_power(50)?,
        Golden::new(fibonacci(49)?, fibonacci(50)?)
    );
    assert_eq!(i128::from(lucas(50)?), Golden::phi_power(50)?.trace());

    // The order is exact where doubles cannot tell: two powers of φ almost cancel.
    let (small, zero) = (Golden::phi_power(-60)?, Golden::new(0, 0));
    assert!(small > zero && small.to_f64() > 0.0);
    let (a, b) = (small.a as f64, small.b as f64);
    println!(
        "{} in doubles, {:e} in truth",
        a + b * 1.618033988749895,
        small.to_f64()
    );

    // Overflow is an error, never another number.
    let mut n = 0;
    let error = loop {
        match Golden::phi_power(n) {
            Ok(_) => n += 1,
            Err(error) => break error,
        }
    };
    println!("φ^{n}: {error}");
    assert_eq!(n, 93);

    // Numbers of any size go on from there.
    let (large, inverse) = (GoldenBig::phi_power(1000)?, GoldenBig::phi_power(-1000)?);
    assert_eq!(large.times(&inverse)?, GoldenBig::one());
    println!(
        "φ^1000 lies above {} and is {:e}",
        large.floor(),
        large.to_f64()
    );

    // The lattice point nearest to a float, with coefficients up to a bound.
    let point = snap(0.1, 1000)?;
    println!("0.1 is near {} + {} φ", point.a, point.b);
    assert!((point.to_f64() - 0.1).abs() < 6e-4);
    Ok(())
}

#[test]
fn its_assertions_hold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
