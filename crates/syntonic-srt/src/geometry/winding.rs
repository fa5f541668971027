//! The winding lattice of the four-torus: integers n = (n₇, n₈, n₉, n₁₀).

use crate::constants::INV_PHI;
use crate::exact::{Golden, GoldenTensor, GoldenTensorError};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Result, Tensor, describe, room, way_out};

/// The largest squared norm that windings are listed up to: some 25 million of them.
const MOST: u32 = 2250;

/// How many windings have a squared norm of at most `most`: by Jacobi, 8 times the sum of the divisors of each number that 4 does not
/// divide, and the zero winding. The largest `usize` where they are more.
///
/// ```
/// use syntonic_srt::geometry::winding_count;
///
/// // Zero, ±1 along each of four axes, and 24 with two of them.
/// assert_eq!((winding_count(0), winding_count(1), winding_count(2)), (1, 9, 33));
/// ```
pub fn winding_count(most: u32) -> usize {
    // Each divisor d counts ⌊most/d⌋ times, and those that 4 divides are 4 times those of most/4.
    let all = divisors(most) - 4 * divisors(most / 4);
    usize::try_from(1 + 8 * all).unwrap_or(usize::MAX)
}

/// The sum of all divisors of the numbers up to `most`, by the divisors that count alike: some 2 √most steps.
fn divisors(most: u32) -> u128 {
    let most = u128::from(most);
    let (mut sum, mut from) = (0, 1);
    while from <= most {
        let times = most / from;
        let to = most / times;
        sum += times * (from + to) * (to - from + 1) / 2;
        from = to + 1;
    }
    sum
}

/// All windings of a squared norm of at most `most`, `[count, 4]` in `int64`, in lexicographic order. Errors where `most` is above 2250,
/// which some 25 million have.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::windings;
///
/// let all = windings(1)?;
/// assert_eq!(all.shape(), [9, 4]);
/// assert_eq!(all.index(0)?.to_vec::<i64>()?, [-1, 0, 0, 0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn windings(most: u32) -> Result<Tensor> {
    if most > MOST {
        return Err(Error::value(
            "windings",
            format!("a squared norm up to {most}: they are listed up to {MOST}"),
        ));
    }
    let mut all = room::empty::<i64>(4 * winding_count(most))?;
    let most = i64::from(most);
    let each = |left: i64| -left.isqrt()..=left.isqrt();
    for a in each(most) {
        for b in each(most - a * a) {
            for c in each(most - a * a - b * b) {
                for d in each(most - a * a - b * b - c * c) {
                    all.extend([a, b, c, d]);
                }
            }
        }
    }
    let count = all.len() / 4;
    Tensor::from_vec(all, &[count, 4])
}

/// Golden weights `e^(-|n|²/φ)` of windings `[.., 4]`, `[..]` in `float64`, on their device. Over all windings they add up to
/// 25.8389837638. Errors: other types than integers, and a last axis that is not 4 long.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::winding_weights;
///
/// let phi = (1.0 + 5f64.sqrt()) / 2.0;
/// let w = winding_weights(&Tensor::from([[0, 0, 0, 0], [1, 0, -1, 0]]))?.to_vec::<f64>()?;
/// assert!(w[0] == 1.0 && (w[1] - (-2.0 / phi).exp()).abs() < 1e-15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn winding_weights(n: &Tensor) -> Result<Tensor> {
    check("winding_weights", n)?;
    let n = n.cast(DType::F64)?;
    let squares = apply(Prim::Square, &[Arg::Tensor(&n)])?;
    let norms = reduce::sum(&squares, &Over::axes(&[-1]), None)?;
    let scaled = apply(Prim::Mul, &[Arg::Tensor(&norms), Arg::from(-INV_PHI)])?;
    apply(Prim::Exp, &[Arg::Tensor(&scaled)])
}

/// The generation `1 + ⌊log_φ max |n_j|⌋` of windings `[.., 4]`, `[..]` in `int64`, and 0 of the zero winding. Powers of φ are compared as
/// exact numbers. Errors as [`winding_weights`], and [`Error::Value`] for a magnitude that `int64` does not hold.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::golden_generations;
///
/// let n = Tensor::from([[0, 0, 0, 0], [1, 0, 0, 0], [0, -2, 1, 0], [3, 0, 0, 0]]);
/// // 2 lies between φ and φ², 3 between φ² and φ³.
/// assert_eq!(golden_generations(&n)?.to_vec::<i64>()?, [0, 1, 2, 3]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn golden_generations(n: &Tensor) -> Result<Tensor> {
    const OP: &str = "golden_generations";
    check(OP, n)?;
    let broken = |e: GoldenTensorError| match e {
        GoldenTensorError::Tensor(e) => e,
        other => Error::value(OP, other.to_string()),
    };
    if n.numel() > 0 {
        let ends = [reduce::min(n, &Over::all())?, reduce::max(n, &Over::all())?];
        for end in ends {
            let end = end.item()?.to_i128();
            if end.abs() > i128::from(i64::MAX) {
                let what = format!("|{end}| is beyond int64; hint: windings up to 2^63 - 1");
                return Err(Error::value(OP, what));
            }
        }
    }
    let size = apply(Prim::Abs, &[Arg::Tensor(&n.cast(DType::I64)?)])?;
    let largest = reduce::max(&size, &Over::axes(&[-1]))?
        .contiguous()?
        .eval()?;
    let zeros = || Tensor::full_on(largest.shape(), 0, DType::I64, largest.device());
    let values = GoldenTensor::new(&largest, &zeros()?).map_err(broken)?;
    let most = match largest.numel() {
        0 => 0,
        _ => reduce::max(&largest, &Over::all())?.item()?.to_i128(),
    };
    let mut generations = zeros()?;
    // Each power of φ that the number reaches is one generation more; φ^0 is 1. Coefficients of φ^91 fit.
    for k in 0..=91 {
        let power = match Golden::phi_power(k) {
            Ok(power) if power.floor() <= most => power,
            _ => break,
        };
        let point = GoldenTensor::from_points(&[power], &[]).map_err(broken)?;
        let point = point.to(n.device()).map_err(broken)?;
        let order = values.compare(&point).map_err(broken)?;
        let reached = apply(Prim::Ge, &[Arg::Tensor(&order), Arg::from(0i64)])?;
        let one = reached.cast(DType::I64)?;
        generations = apply(Prim::Add, &[Arg::Tensor(&generations), Arg::Tensor(&one)])?.eval()?;
    }
    Ok(generations)
}

fn check(op: &'static str, n: &Tensor) -> Result<()> {
    if !n.dtype().is_integer() {
        return Err(Error::DType {
            op,
            operands: describe(&[n]),
            hint: format!("windings are integers; {}", way_out::CONVERT),
        });
    }
    if n.shape().last() == Some(&4) {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[n]),
        hint: "a winding has four integers along the last axis".into(),
    })
}
