//! Quotients, reciprocals and square roots of `float32`, each element by its own operand: the nearest numbers, as on the CPU, though no
//! instruction of the card computes them.

use super::Check;
use super::made::Case;
use crate::gpu::Gpu;
use anyhow::Result;
use syntonic_core::Tensor;
use syntonic_core::fuse::{Program, Role, Yield, notation};

/// Pairs of drawn bits.
const DRAWN: usize = 1 << 15;
/// All significands of `float32`.
const SIGNIFICANDS: u32 = 1 << 23;
/// Exponents around the bounds of what is computed by products: 2^-40 and 2^40 of a divisor, 2^-100 and 2^100 of what a root is taken of.
const EXPONENTS: [u32; 12] = [26, 27, 86, 87, 126, 127, 128, 166, 167, 226, 227, 253];

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("quotients/drawn", drawn),
        Check::new("quotients/large/significands", significands),
    ]
}

/// What is computed of x and y: where the divisor may be anything, and where it is known to lie from 1 to 2.
fn program() -> Program {
    let inputs = [("x", Role::Element), ("y", Role::Element)];
    notation::trace("quotients", &inputs, &[Yield::Element; 5], |s| {
        use notation::{abs, minimum, recip, sqrt};
        let near = minimum(abs(s[1]), 1.0) + 1.0;
        vec![
            s[0] / s[1],
            recip(s[1]),
            sqrt(s[1]),
            s[0] / near,
            recip(near),
        ]
    })
}

fn compared(gpu: &Gpu, x: &[u32], y: &[u32]) -> Result<()> {
    let of_bits = |bits: &[u32]| -> Result<Tensor> {
        let values: Vec<f32> = bits.iter().map(|&b| f32::from_bits(b)).collect();
        gpu.take(&Tensor::from_vec(values, &[bits.len()])?)
    };
    let case = Case {
        program: program(),
        operands: vec![of_bits(x)?, of_bits(y)?],
        shape: vec![x.len()],
    };
    case.compare()
}

/// A number between 2^-15 and 2 of the same sign and significand.
fn moderate(bits: u32) -> u32 {
    (bits & 0x87ff_ffff) | 0x3800_0000
}

/// Any bits; numbers of moderate size; divisors whose significand is nearly 2, the hardest; and zeros of either sign.
fn drawn(gpu: &Gpu) -> Result<()> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 32) as u32
    };
    let mut pairs: Vec<[u32; 2]> = Vec::with_capacity(4 * DRAWN);
    for _ in 0..DRAWN {
        let (x, y) = (next(), next());
        pairs.push([x, y]);
        pairs.push([moderate(x), moderate(y)]);
        pairs.push([moderate(x), moderate(y) | 0x007f_ff00]);
        pairs.push([x & 0x8000_0000, y]);
    }
    // Together, so that one element that is divided by itself does not have its neighbours divided so.
    pairs.sort_by_key(|pair| pair[1] & 0x7f80_0000);
    let [x, y] = [0, 1].map(|k| pairs.iter().map(|pair| pair[k]).collect::<Vec<u32>>());
    compared(gpu, &x, &y)
}

fn significands(gpu: &Gpu) -> Result<()> {
    for exponent in EXPONENTS {
        let y: Vec<u32> = (0..SIGNIFICANDS).map(|s| (exponent << 23) | s).collect();
        let x: Vec<u32> = (y.iter())
            .map(|y| moderate(y.wrapping_mul(0x9e37_79b9)))
            .collect();
        compared(gpu, &x, &y)?;
    }
    Ok(())
}
