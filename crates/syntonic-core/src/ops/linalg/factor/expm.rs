//! The exponential of a matrix.
//!
//! Scaling and squaring with Padé approximants, as A. H. Al-Mohy and N. J. Higham describe it: "A new scaling and squaring
//! algorithm for the matrix exponential", SIAM J. Matrix Anal. Appl. 31 (2009). How much a matrix is scaled is decided by the
//! norms of its powers, and not by its own, so that no more squarings are made than are needed.

use super::norm::{MatrixNorm, matrix_norm};
use super::operand::{Finite, identities, on_host, squares};
use super::pinv::named;
use super::solve::solved;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::grad;
use crate::ops::create::ones;
use crate::ops::elementwise::apply;
use crate::ops::linalg::matmul;
use crate::room;
use crate::run::Axes;
use crate::tensor::Tensor;

/// An approximant `(V + U) / (V - U)` of e^x, with U odd and V even.
struct Pade {
    degree: i32,
    /// Up to this size of a matrix it is exact to double precision.
    reach: f64,
    /// The coefficients of V + U, from that of 1 on.
    coefficients: &'static [f64],
}

/// From Table 3.1 of the paper, and Higham's of 2005 for the coefficients.
const APPROXIMANTS: [Pade; 5] = [
    Pade {
        degree: 3,
        reach: 1.495_585_217_958_292e-2,
        coefficients: &[120.0, 60.0, 12.0, 1.0],
    },
    Pade {
        degree: 5,
        reach: 2.539_398_330_063_23e-1,
        coefficients: &[30_240.0, 15_120.0, 3_360.0, 420.0, 30.0, 1.0],
    },
    Pade {
        degree: 7,
        reach: 9.504_178_996_162_932e-1,
        coefficients: &[
            17_297_280.0,
            8_648_640.0,
            1_995_840.0,
            277_200.0,
            25_200.0,
            1_512.0,
            56.0,
            1.0,
        ],
    },
    Pade {
        degree: 9,
        reach: 2.097_847_961_257_068,
        coefficients: &[
            17_643_225_600.0,
            8_821_612_800.0,
            2_075_673_600.0,
            302_702_400.0,
            30_270_240.0,
            2_162_160.0,
            110_880.0,
            3_960.0,
            90.0,
            1.0,
        ],
    },
    Pade {
        degree: 13,
        reach: 4.25,
        coefficients: &[
            64_764_752_532_480_000.0,
            32_382_376_266_240_000.0,
            7_771_770_303_897_600.0,
            1_187_353_796_428_800.0,
            129_060_195_264_000.0,
            10_559_470_521_600.0,
            670_442_572_800.0,
            33_522_128_640.0,
            1_323_241_920.0,
            40_840_800.0,
            960_960.0,
            16_380.0,
            182.0,
            1.0,
        ],
    },
];

/// The exponentials of square matrices, `1 + a + a^2 / 2 + a^3 / 6 + ...`: `[.., n, n] -> [.., n, n]`.
///
/// Integers and `bool` are taken as `float64`. Where a matrix is not finite, its exponential is NaN.
///
/// Errors: [`Error::Shape`](crate::Error::Shape) where the last two axes differ; [`Error::DType`](crate::Error::DType) for
/// `float16` and `bfloat16`.
///
/// ```
/// use syntonic_core::{Tensor, ops::linalg::expm};
///
/// // A nilpotent matrix: its series ends.
/// let a = Tensor::from_slice(&[0.0, 3.0, 0.0, 0.0], &[2, 2])?;
/// assert_eq!(expm(&a)?.to_vec::<f64>()?, [1.0, 3.0, 0.0, 1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn expm(a: &Tensor) -> Result<Tensor> {
    const OP: &str = "expm";
    let a = squares(OP, a)?;
    if a.numel() == 0 {
        return a.copy();
    }
    if a.is_tracked() {
        return grad::expm(&a);
    }
    // It is read several times, and somebody else may write to the memory meanwhile.
    let finite = Finite::or_nan(&a.copy()?)?;
    let shape: Vec<isize> = a.shape().iter().map(|&len| len as isize).collect();
    let n = shape[shape.len() - 1];
    let stack = finite.given.reshape(&[-1, n, n])?;
    let powers = Powers::of(&stack)?;
    let plan = Plan::of(&powers)?;
    let result = plan.run(OP, &powers)?;
    finite.mark(result.reshape(&shape)?, 2)
}

/// A stack of matrices times powers of 2, so that no norm is above 1, and their powers.
struct Powers {
    /// The exponents by which the matrices were divided.
    exponents: Vec<i32>,
    /// Those of the matrices as they are, in base 2.
    norms: Vec<f64>,
    one: Tensor,
    two: Tensor,
    four: Tensor,
    six: Tensor,
    eight: Tensor,
}

impl Powers {
    fn of(a: &Tensor) -> Result<Powers> {
        let norms = one_norms(a)?;
        let size = |&norm: &f64| if norm > 0.0 { norm.log2() } else { -1e4 };
        let norms = room::collected(norms.iter().map(size))?;
        let exponents = room::collected(norms.iter().map(|&n| n.ceil().max(0.0) as i32))?;
        let down = room::collected(exponents.iter().map(|&e| -e))?;
        let one = times_powers(a, &down)?;
        let two = matmul(&one, &one)?;
        let four = matmul(&two, &two)?;
        Ok(Powers {
            exponents,
            norms,
            six: matmul(&four, &two)?,
            eight: matmul(&four, &four)?,
            one,
            two,
            four,
        })
    }

    /// The size of each matrix as it is, `|a^k|^(1/k)`, by a power of the scaled one.
    fn sizes(&self, power: &Tensor, k: i32) -> Result<Vec<f64>> {
        let norms = one_norms(power)?;
        let all = norms.iter().zip(&self.exponents);
        room::collected(all.map(|(norm, &e)| norm.powf(1.0 / f64::from(k)) * 2f64.powi(e)))
    }
}

/// The largest sums of a column's magnitudes, on the host.
fn one_norms(a: &Tensor) -> Result<Vec<f64>> {
    on_host(&matrix_norm(a, MatrixNorm::One, Axes::Drop)?)
}

/// Each matrix of a stack times its power of 2.
fn times_powers(a: &Tensor, exponents: &[i32]) -> Result<Tensor> {
    if exponents.iter().all(|&e| e == 0) {
        return Ok(a.clone());
    }
    let factors = room::collected(exponents.iter().map(|&e| 2f64.powi(e)))?;
    let factors = Tensor::from_vec(factors, &[exponents.len(), 1, 1])?;
    let factors = factors.cast(a.dtype())?.to(a.device())?;
    apply(Prim::Mul, &[a.into(), (&factors).into()])?.eval()
}

/// How a stack is computed.
struct Plan {
    approximant: &'static Pade,
    /// How often each matrix is halved, and its exponential squared.
    squarings: Vec<i32>,
}

impl Plan {
    /// One approximant for the whole stack, the lowest that does for each; a higher one than a matrix needs is no less exact.
    fn of(powers: &Powers) -> Result<Plan> {
        let remainders = Remainders::of(powers)?;
        let (four, six) = (
            powers.sizes(&powers.four, 4)?,
            powers.sizes(&powers.six, 6)?,
        );
        let eight = powers.sizes(&powers.eight, 8)?;
        let ten = powers.sizes(&matmul(&powers.four, &powers.six)?, 10)?;
        let count = powers.exponents.len();
        let (mut highest, mut squarings) = (0, room::empty(count)?);
        for k in 0..count {
            let (low, middle) = (four[k].max(six[k]), six[k].max(eight[k]));
            let sizes = [low, low, middle, middle];
            let last = sizes.len();
            let reaches = |i: usize| {
                let pade = &APPROXIMANTS[i];
                sizes[i] <= pade.reach && remainders.extra(k, pade, powers.norms[k]) == 0
            };
            let found = (0..last).find(|&i| reaches(i)).unwrap_or(last);
            highest = highest.max(found);
            let pade = &APPROXIMANTS[last];
            let size = middle.min(eight[k].max(ten[k]));
            let mut halvings = 0;
            if found == last {
                let log = (size / pade.reach).log2();
                halvings = if log > 0.0 { log.ceil() as i32 } else { 0 };
                halvings += remainders.extra(k, pade, powers.norms[k] - f64::from(halvings));
            }
            squarings.push(halvings);
        }
        Ok(Plan {
            approximant: &APPROXIMANTS[highest],
            squarings,
        })
    }

    fn run(&self, op: &'static str, powers: &Powers) -> Result<Tensor> {
        let by = |k: i32| {
            let both = powers.exponents.iter().zip(&self.squarings);
            room::collected(both.map(|(e, s)| k * (e - s)))
        };
        let one = times_powers(&powers.one, &by(1)?)?;
        let n = one.shape()[1];
        let all = [
            identities(op, &[], n, one.dtype(), one.device())?,
            times_powers(&powers.two, &by(2)?)?,
            times_powers(&powers.four, &by(4)?)?,
            times_powers(&powers.six, &by(6)?)?,
            times_powers(&powers.eight, &by(8)?)?,
        ];
        let c = self.approximant.coefficients;
        // Every other coefficient, from `first` on, with the even powers.
        let series = |first: usize, powers: &[Tensor]| -> Result<Tensor> {
            let mut sum: Option<Tensor> = None;
            for (k, power) in powers.iter().enumerate() {
                let Some(&factor) = c.get(first + 2 * k) else {
                    break;
                };
                let term = apply(Prim::Mul, &[power.into(), factor.into()])?;
                sum = Some(match sum {
                    Some(sum) => apply(Prim::Add, &[(&sum).into(), (&term).into()])?,
                    None => term,
                });
            }
            sum.map_or_else(|| Ok(all[0].clone()), Ok)
        };
        let (odd, even) = if self.approximant.degree == 13 {
            let (low, high) = (&all[..4], &all[1..4]);
            let above = |first: usize| matmul(&all[3], &series(first, high)?);
            let add = |a: Tensor, b: Tensor| apply(Prim::Add, &[(&a).into(), (&b).into()]);
            (
                add(above(9)?, series(1, low)?)?,
                add(above(8)?, series(0, low)?)?,
            )
        } else {
            (series(1, &all)?, series(0, &all)?)
        };
        let odd = matmul(&one, &odd)?;
        let over = apply(Prim::Add, &[(&even).into(), (&odd).into()])?.eval()?;
        let under = apply(Prim::Sub, &[(&even).into(), (&odd).into()])?.eval()?;
        let mut x = named(solved(op, &under, &over), op)?;
        let most = self.squarings.iter().copied().max().unwrap_or(0);
        for done in 0..most {
            let square = matmul(&x, &x)?;
            x = if self.squarings.iter().all(|&s| s > done) {
                square
            } else {
                let wanted = room::collected(self.squarings.iter().map(|&s| s > done))?;
                let wanted = Tensor::from_vec(wanted, &[self.squarings.len(), 1, 1])?;
                let wanted = wanted.to(x.device())?;
                apply(
                    Prim::Select,
                    &[(&wanted).into(), (&square).into(), (&x).into()],
                )?
                .eval()?
            };
        }
        Ok(x)
    }
}

/// The norms of powers of the magnitudes, which bound what rounding does to an approximant.
struct Remainders(Vec<(i32, Vec<f64>)>);

impl Remainders {
    /// Of the scaled matrices: the norm of `|a|^p`, which row sums of a product of vectors have, for p = 2 degree + 1.
    fn of(powers: &Powers) -> Result<Remainders> {
        let sizes = apply(Prim::Abs, &[(&powers.one).into()])?
            .cast(DType::F64)?
            .eval()?;
        let (count, n) = (sizes.shape()[0], sizes.shape()[1]);
        let mut row = ones(&[count, 1, n], DType::F64, sizes.device())?;
        // few: one for each approximant.
        let mut out = Vec::new();
        let mut done = 0;
        for pade in &APPROXIMANTS {
            let wanted = 2 * pade.degree + 1;
            for _ in done..wanted {
                row = matmul(&row, &sizes)?;
            }
            done = wanted;
            let norms = matrix_norm(&row, MatrixNorm::One, Axes::Drop)?;
            out.push((pade.degree, on_host(&norms)?));
        }
        Ok(Remainders(out))
    }

    /// How often matrix `k`, whose norm is this power of 2, has to be halved for the approximant, beyond what its size asks.
    fn extra(&self, k: usize, pade: &Pade, norm: f64) -> i32 {
        let found = self.0.iter().find(|(degree, _)| *degree == pade.degree);
        let scaled = found.map_or(0.0, |(_, norms)| norms[k]);
        if scaled == 0.0 {
            return 0;
        }
        let (m, p) = (f64::from(pade.degree), f64::from(2 * pade.degree + 1));
        // What the series of the error begins with: 1 over (2m over m) (2m + 1)!.
        let first: f64 = (1..=pade.degree)
            .map(|i| f64::from(pade.degree + i) / f64::from(i))
            .product();
        let factorial: f64 = (1..=2 * pade.degree + 1).map(f64::from).product();
        let ratio = scaled.log2() + (p - 1.0) * norm - first.log2() - factorial.log2();
        let bits = (ratio + 53.0) / (2.0 * m);
        if bits > 0.0 { bits.ceil() as i32 } else { 0 }
    }
}
