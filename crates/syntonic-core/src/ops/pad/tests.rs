//! Padding against its definition and NumPy's values.

use super::*;
use crate::dtype::DType;
use crate::ops::samples::{Dice, Table, assert_defined, ints, scattered};

#[test]
fn padding_follows_the_definition() {
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        let own: Vec<usize> = (0..dice.below(4)).map(|_| dice.below(4) + 1).collect();
        let dtype = dice.pick(&DType::ALL[1..]);
        let x = scattered(&mut dice, &own, dtype);
        let table = Table::of(&x);
        let widths: Vec<(usize, usize)> =
            own.iter().map(|_| (dice.below(6), dice.below(6))).collect();
        let out: Vec<usize> = own
            .iter()
            .zip(&widths)
            .map(|(n, w)| n + w.0 + w.1)
            .collect();
        let walk = |mode: Padding, mut i: i64, n: i64| -> i64 {
            // One step back inside at a time.
            loop {
                if (0..n).contains(&i) {
                    return i;
                }
                i = match mode {
                    Padding::Wrap if i < 0 => i + n,
                    Padding::Wrap => i - n,
                    Padding::Symmetric if i < 0 => -1 - i,
                    Padding::Symmetric => 2 * n - 1 - i,
                    Padding::Reflect if n > 1 && i < 0 => -i,
                    Padding::Reflect if n > 1 => 2 * (n - 1) - i,
                    _ => i.clamp(0, n - 1),
                };
            }
        };
        for mode in [
            Padding::Edge,
            Padding::Reflect,
            Padding::Symmetric,
            Padding::Wrap,
        ] {
            let got = pad(&x, &widths, mode).unwrap();
            assert_defined(&got, &out, &format!("{mode:?}, seed {seed}"), |p| {
                let q: Vec<usize> = (0..own.len())
                    .map(|a| walk(mode, p[a] as i64 - widths[a].0 as i64, own[a] as i64) as usize)
                    .collect();
                table.at(&q)
            });
        }
        let got = pad(&x, &widths, Padding::Constant(Scalar::Int(9))).unwrap();
        assert_eq!(got.dtype(), dtype);
        assert_defined(&got, &out, &format!("constant, seed {seed}"), |p| {
            let q: Option<Vec<usize>> = (0..own.len())
                .map(|a| p[a].checked_sub(widths[a].0).filter(|&i| i < own[a]))
                .collect();
            q.map_or(9, |q| table.at(&q))
        });
    }
}

#[test]
fn known_values() {
    let x = ints(&[1, 2, 3]);
    // numpy.pad([1, 2, 3], (4, 5), mode).
    for (mode, want) in [
        (Padding::Edge, [1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3]),
        (Padding::Reflect, [1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2]),
        (Padding::Symmetric, [3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1, 2]),
        (Padding::Wrap, [3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]),
    ] {
        assert_eq!(
            pad(&x, &[(4, 5)], mode).unwrap().to_vec::<i64>().unwrap(),
            want
        );
    }
    let same = pad(&x, &[(0, 0)], Padding::Edge).unwrap();
    assert_ne!(
        same.buffer().unwrap().address(),
        x.buffer().unwrap().address()
    );
}

#[test]
fn mistakes_are_typed() {
    let x = ints(&[1, 2, 3]);
    assert!(matches!(
        pad(&x, &[], Padding::Edge),
        Err(Error::Value { .. })
    ));
    let huge = [(usize::MAX, 1)];
    assert!(matches!(
        pad(&x, &huge, Padding::Edge),
        Err(Error::SizeOverflow { .. })
    ));
    let huge = [(isize::MAX as usize - 3, 0)];
    assert!(matches!(
        pad(&x, &huge, Padding::Edge),
        Err(Error::SizeOverflow { .. })
    ));
    let none = Tensor::zeros(&[0], DType::F32).unwrap();
    assert!(matches!(
        pad(&none, &[(1, 0)], Padding::Wrap),
        Err(Error::Shape { .. })
    ));
    let zeros = pad(&none, &[(1, 2)], Padding::Constant(Scalar::Int(4))).unwrap();
    assert_eq!(zeros.to_vec::<f32>().unwrap(), [4.0; 3]);
    let z = Scalar::Complex(num_complex::Complex::new(0.0, 1.0));
    assert!(matches!(
        pad(&x, &[(1, 1)], Padding::Constant(z)),
        Err(Error::DType { .. })
    ));
}
