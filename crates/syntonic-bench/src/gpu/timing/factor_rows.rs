//! The measured decompositions of real square matrices: operands, calls, and what their results must give again.

use anyhow::{Result, bail, ensure};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::create::eye;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::{
    Columns, Triangle, cholesky, eigh, matmul, matrix_transpose, solve, svd,
};
use syntonic_core::{DType, Tensor, cpu};

use super::product_rows::{at, lines, places_of, product, wide};
use crate::gpu::bounds::rounding;
use crate::gpu::compare_each;

/// A decomposition that is measured. A row's size is `[n, n, r]` with r right sides of a system, else `[n, n, n]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FactorRow {
    /// `x` of `A x = b`.
    Solve,
    /// `L` of `A = L L^T`.
    Cholesky,
    /// `U`, `s` and `V^T` of `A = U diag(s) V^T`.
    Svd,
    /// `w` and `V` of `A V = V diag(w)`.
    Eigh,
}

impl FactorRow {
    /// The decomposition of a kind of rows.
    pub(super) fn of(kind: &str) -> Option<FactorRow> {
        Some(match kind {
            "solve" => FactorRow::Solve,
            "cholesky" => FactorRow::Cholesky,
            "svd" => FactorRow::Svd,
            "eigh" => FactorRow::Eigh,
            _ => return None,
        })
    }

    /// The operands, from tensors of numbers between -1 and 1.
    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let &[n, k, r] = size else {
            bail!("the size of a decomposition is [n, n, r], not {size:?}");
        };
        ensure!(n == k, "a matrix of {n} rows and {k} columns");
        let a = values(0, &[n, n])?;
        let dtype = a.dtype();
        ensure!(
            dtype.is_float() && !dtype.is_half(),
            "no row decomposes matrices of {dtype}"
        );
        match self {
            FactorRow::Solve => Ok(vec![a, values(1, &[n, r])?]),
            FactorRow::Svd => Ok(vec![a]),
            FactorRow::Cholesky | FactorRow::Eigh => Ok(vec![definite(&a)?]),
        }
    }

    /// The measured call, with all its results.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Vec<Tensor>> {
        Ok(match self {
            FactorRow::Solve => vec![solve(&x[0], &x[1])?],
            FactorRow::Cholesky => vec![cholesky(&x[0], Triangle::Lower)?],
            FactorRow::Svd => {
                let found = svd(&x[0], Columns::Reduced)?;
                vec![found.u, found.s, found.vh]
            }
            FactorRow::Eigh => {
                let found = eigh(&x[0], Triangle::Lower)?;
                vec![found.eigenvalues, found.eigenvectors]
            }
        })
    }

    /// Puts a few rows of the operand together again, in double precision, and compares. What a product cannot tell is looked
    /// at as well: zeros above a diagonal, the order of values, and that vectors are orthonormal.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        let (dtype, n) = (x[0].dtype(), x[0].shape()[0]);
        for result in results {
            let found = result.dtype();
            ensure!(found == dtype, "{found} instead of {dtype}");
        }
        let a = wide(&lines(&x[0])?)?;
        match (self, results) {
            (FactorRow::Solve, [found]) => {
                let made = product(&a, &whole(found)?, solved(dtype, n))?;
                compare_each(&made.values, &wide(&lines(&x[1])?)?, &made.limits)
            }
            (FactorRow::Cholesky, [l]) => {
                let some = wide(&lines(l)?)?;
                lower(&some, n)?;
                let across = matrix_transpose(&whole(l)?)?;
                let made = product(&some, &across, factored(dtype, n))?;
                compare_each(&made.values, &a, &made.limits)
            }
            (FactorRow::Svd, [u, s, vh]) => {
                let (u, s, vh) = (whole(u)?, whole(s)?, whole(vh)?);
                descending(&s)?;
                let made = matmul(&scaled(&lines(&u)?, &s)?, &vh)?.eval()?;
                rows_alike(&made, &a, iterated(dtype, n) * longest(&a)?)?;
                orthonormal(&u, iterated(dtype, n))?;
                orthonormal(&matrix_transpose(&vh)?, iterated(dtype, n))
            }
            (FactorRow::Eigh, [w, v]) => {
                let (w, v) = (whole(w)?, whole(v)?);
                ascending(&w)?;
                let made = matmul(&a, &v)?.eval()?;
                let limit = iterated(dtype, n) * longest(&a)?;
                rows_alike(&made, &scaled(&lines(&v)?, &w)?, limit)?;
                orthonormal(&v, iterated(dtype, n))
            }
            _ => bail!("{} results of {self:?}", results.len()),
        }
    }
}

/// `(x + x^T) / 2 + n I`, whose eigenvalues are at a distance of about sqrt(n) from n.
fn definite(x: &Tensor) -> Result<Tensor> {
    let n = x.shape()[0];
    let one = eye(n, n, 0, x.dtype(), x.device())?;
    let far = apply(Prim::Mul, &[(&one).into(), Arg::from(n as f64)])?;
    let both = apply(Prim::Add, &[x.into(), (&matrix_transpose(x)?).into()])?;
    let half = apply(Prim::Mul, &[(&both).into(), Arg::from(0.5)])?;
    Ok(apply(Prim::Add, &[(&half).into(), (&far).into()])?.eval()?)
}

/// How far `A x` may be from `b`, in units of `|A| |x|`: `3 u rho` with the growth factor `rho = n^(2/3)`.
///
/// Gaussian elimination with row exchanges solves `(A + E) x = b` with `|E| <= gamma_3n |L| |U|`, and `|L| |U|` grows as
/// `rho |A|` (Higham, Accuracy and Stability of Numerical Algorithms, 9.3); rho is about n^(2/3) for matrices of random numbers
/// (Trefethen and Schreiber, Average-case stability of Gaussian elimination, 1990). The n of gamma is left out: only
/// roundings that all go one way come to it, and with it the limit would be larger than `b` at n = 1024 in single precision.
fn solved(dtype: DType, n: usize) -> f64 {
    3.0 * (n as f64).powf(2.0 / 3.0) * rounding(dtype)
}

/// How far `L L^T` may be from `A`, in units of `|L| |L^T|`: `gamma_(n+1)` (Higham, Accuracy and Stability of Numerical
/// Algorithms, theorem 10.3), and `gamma_n` of the product in double precision that it is compared by.
fn factored(dtype: DType, n: usize) -> f64 {
    gamma(n + 1, rounding(dtype)) + gamma(n, rounding(DType::F64))
}

/// How far factors that were iterated for may be from the operand, as a part of its norm, and vectors from orthonormal ones:
/// `p(n) u` with a modestly growing p (LAPACK Users' Guide, 4.7 and 4.9), here 10 n.
fn iterated(dtype: DType, n: usize) -> f64 {
    10.0 * n as f64 * rounding(dtype)
}

/// What n roundings come to (Higham, 3.1).
fn gamma(n: usize, u: f64) -> f64 {
    let steps = n as f64 * u;
    steps / (1.0 - steps)
}

fn whole(x: &Tensor) -> Result<Tensor> {
    wide(&x.contiguous()?.to(&cpu())?)
}

/// Columns, each times its number.
fn scaled(x: &Tensor, by: &Tensor) -> Result<Tensor> {
    Ok(apply(Prim::Mul, &[x.into(), by.into()])?.eval()?)
}

/// Norms of the rows of a matrix.
fn norms(x: &Tensor) -> Result<Vec<f64>> {
    let columns = x.shape()[1].max(1);
    let values = x.to_vec::<f64>()?;
    let rows = values.chunks(columns);
    Ok(rows
        .map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt())
        .collect())
}

/// The norm of the longest row, which the norm of the matrix is no smaller than.
fn longest(x: &Tensor) -> Result<f64> {
    Ok(norms(x)?.into_iter().fold(0.0, f64::max))
}

/// Complains where a row is further than `limit` from another one: no row of a matrix is longer than its norm.
fn rows_alike(got: &Tensor, want: &Tensor, limit: f64) -> Result<()> {
    ensure!(
        got.shape() == want.shape(),
        "{:?} instead of {:?}",
        got.shape(),
        want.shape()
    );
    let apart = apply(Prim::Sub, &[got.into(), want.into()])?.eval()?;
    for (row, apart) in norms(&apart)?.into_iter().enumerate() {
        // A NaN is within nothing.
        ensure!(
            apart <= limit,
            "line {row} is {apart:e} away, more than {limit:e}"
        );
    }
    Ok(())
}

/// Complains where a few columns and all others are not orthonormal.
fn orthonormal(v: &Tensor, limit: f64) -> Result<()> {
    let k = v.shape()[1];
    let some = lines(&matrix_transpose(v)?)?;
    let one = eye(k, k, 0, DType::F64, v.device())?;
    let one = at(&one, places_of(k), 0)?.eval()?;
    rows_alike(&matmul(&some, v)?.eval()?, &one, limit)
}

/// Complains of a number above the diagonal at the lines of a matrix with `n` rows.
fn lower(some: &Tensor, n: usize) -> Result<()> {
    let values = some.to_vec::<f64>()?;
    for (row, at) in values.chunks(n.max(1)).zip(places_of(n)) {
        let above = row.iter().skip(at as usize + 1);
        ensure!(
            above.clone().all(|&x| x == 0.0),
            "row {at} has a number above the diagonal"
        );
    }
    Ok(())
}

fn ascending(w: &Tensor) -> Result<()> {
    let w = w.to_vec::<f64>()?;
    ensure!(w.is_sorted(), "the eigenvalues are not in order");
    Ok(())
}

fn descending(s: &Tensor) -> Result<()> {
    let s = s.to_vec::<f64>()?;
    let order = s.iter().rev();
    ensure!(order.is_sorted(), "the singular values are not in order");
    ensure!(
        s.last().is_none_or(|&s| s >= 0.0),
        "a singular value is negative"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::ops::random::uniform;
    use syntonic_core::random::Generator;

    const ALL: [FactorRow; 4] = [
        FactorRow::Solve,
        FactorRow::Cholesky,
        FactorRow::Svd,
        FactorRow::Eigh,
    ];

    fn drawn(row: FactorRow, dtype: DType, n: usize) -> Vec<Tensor> {
        let values = |seed: u64, shape: &[usize]| -> Result<Tensor> {
            let mut generator = Generator::new(seed + 1);
            let x = uniform(shape, -1.0, 1.0, dtype, &mut generator, &cpu())?;
            Ok(x.eval()?)
        };
        row.inputs(&[n, n, n.min(5)], values).unwrap()
    }

    /// A result with one number changed.
    fn changed(x: &Tensor, place: usize, change: impl Fn(f64) -> f64) -> Tensor {
        let mut values = x.to_vec::<f64>().unwrap();
        values[place] = change(values[place]);
        let wide = Tensor::from_vec(values, x.shape()).unwrap();
        wide.cast(x.dtype()).unwrap().eval().unwrap()
    }

    #[test]
    fn right_results_pass() {
        for row in ALL {
            for dtype in [DType::F32, DType::F64] {
                for n in [1, 2, 13, 60, 150] {
                    let x = drawn(row, dtype, n);
                    let results = row.work(&x).unwrap();
                    let checked = row.check(&x, &results);
                    assert!(checked.is_ok(), "{row:?} {dtype} {n}: {checked:?}");
                }
            }
        }
    }

    /// One wrong number in any of the results is found, if it is by a hundredth or no number.
    #[test]
    fn wrong_results_do_not_pass() {
        let n = 60;
        for row in ALL {
            for dtype in [DType::F32, DType::F64] {
                let x = drawn(row, dtype, n);
                let right = row.work(&x).unwrap();
                for k in 0..right.len() {
                    // In a line that is compared, and below a diagonal.
                    let place = (right[k].numel() - 2).min(57 * n + 20);
                    for wrong in [
                        changed(&right[k], place, |v| v + 0.01 * v.abs().max(1.0)),
                        changed(&right[k], place, |_| f64::NAN),
                        apply(Prim::Mul, &[(&right[k]).into(), Arg::from(1.01)])
                            .unwrap()
                            .eval()
                            .unwrap(),
                        Tensor::zeros(right[k].shape(), dtype).unwrap(),
                    ] {
                        let mut results = right.clone();
                        results[k] = wrong;
                        let checked = row.check(&x, &results);
                        assert!(checked.is_err(), "{row:?} {dtype} result {k}");
                    }
                }
            }
        }
    }

    /// Factors whose product is the matrix need not be those of the decomposition.
    #[test]
    fn products_alone_are_not_believed() {
        let n = 24;
        let one = eye(n, n, 0, DType::F64, &cpu()).unwrap().eval().unwrap();
        let ones = Tensor::full(&[n], 1.0, DType::F64).unwrap();
        let a = drawn(FactorRow::Svd, DType::F64, n);
        let split = [a[0].clone(), ones, one];
        let told = FactorRow::Svd.check(&a, &split).unwrap_err().to_string();
        assert!(told.contains("away"), "{told}");

        let turned = |x: &Tensor| x.flip(&[-1]).unwrap().copy().unwrap();
        let x = drawn(FactorRow::Eigh, DType::F64, n);
        let found = FactorRow::Eigh.work(&x).unwrap();
        let backwards = [turned(&found[0]), turned(&found[1])];
        let told = FactorRow::Eigh.check(&x, &backwards).unwrap_err();
        assert!(told.to_string().contains("order"), "{told}");
        let nothing = [
            found[0].clone(),
            Tensor::zeros(&[n, n], DType::F64).unwrap(),
        ];
        assert!(FactorRow::Eigh.check(&x, &nothing).is_err());

        // The symmetric root: its square is the matrix, and it is not triangular.
        let root = apply(Prim::Sqrt, &[(&found[0]).into()]).unwrap();
        let half = scaled(&found[1], &root.eval().unwrap()).unwrap();
        let root = matmul(&half, &matrix_transpose(&found[1]).unwrap());
        let told = FactorRow::Cholesky.check(&x, &[root.unwrap().eval().unwrap()]);
        let told = told.unwrap_err().to_string();
        assert!(told.contains("above the diagonal"), "{told}");
        assert!(FactorRow::Cholesky.check(&x, &[]).is_err());
    }

    #[test]
    fn operands_are_square_and_definite_where_they_have_to_be() {
        let x = drawn(FactorRow::Cholesky, DType::F64, 3);
        let x = x[0].to_vec::<f64>().unwrap();
        assert!(x[1] == x[3] && x[2] == x[6] && x[5] == x[7]);
        assert!([x[0], x[4], x[8]].iter().all(|d| (2.0..4.0).contains(d)));
        let none = |_: u64, shape: &[usize]| Ok(Tensor::zeros(shape, DType::F64)?);
        assert!(FactorRow::Svd.inputs(&[3, 4, 3], none).is_err());
        assert!(FactorRow::Svd.inputs(&[3, 3], none).is_err());
        let complex = |_: u64, shape: &[usize]| Ok(Tensor::zeros(shape, DType::C128)?);
        assert!(FactorRow::Svd.inputs(&[3, 3, 3], complex).is_err());
    }

    #[test]
    fn limits_are_those_of_their_sources() {
        let u = 2f64.powi(-53);
        assert!((solved(DType::F64, 4096) / (768.0 * u) - 1.0).abs() < 1e-12);
        assert!((factored(DType::F64, 4096) / (8193.0 * u) - 1.0).abs() < 1e-11);
        assert_eq!(iterated(DType::F32, 1024), 10240.0 * 2f64.powi(-24));
    }
}
