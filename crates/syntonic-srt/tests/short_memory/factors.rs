//! Decompositions, what is made of them, and core's other products.

use crate::given::{Given, Row, all_done, cast, done, row};
use syntonic_core::ops::create::eye;
use syntonic_core::ops::linalg::{
    Chain, Columns, MatrixNorm, Reduce, Tolerance, Triangle, cholesky, cond, cross, det, eig, eigh,
    eigvals, eigvalsh, expm, gemv_chain, inv, lstsq, matmul, matmul_scaled, matrix_norm,
    matrix_power, matrix_rank, matrix_transpose, pinv, qr, scaled_matmul, slogdet, solve, svd,
    svdvals,
};
use syntonic_core::run::Axes;
use syntonic_core::{DType, Error, Tensor};

/// Rows and columns: larger than what counts as a block, small enough for many runs.
const N: usize = 96;

/// `[N, N]` whose rows are not alike, with a diagonal that dominates.
fn square(g: &Given) -> Result<Tensor, Error> {
    let n = Some(N as isize);
    let x = g.x.slice(0, None, n, 1)?.slice(1, None, n, 1)?;
    let one = eye(N, N, 0, DType::F64, x.device())?;
    matmul_scaled(1, &x, &one, N as f64, &one)?.eval()
}

/// Symmetric, and positive definite.
fn definite(g: &Given) -> Result<Tensor, Error> {
    let a = square(g)?;
    matmul(&a, &matrix_transpose(&a)?)?.eval()
}

type Call = fn(&Tensor) -> Result<(), Error>;

const OF_SQUARES: [(&str, Call); 14] = [
    ("det", |a| done(det(a))),
    ("slogdet", |a| {
        let found = slogdet(a)?;
        all_done(&[found.sign, found.logabsdet])
    }),
    ("solve", |a| done(solve(a, a))),
    ("inv", |a| done(inv(a))),
    ("qr", |a| {
        let found = qr(a, Columns::Reduced)?;
        all_done(&[found.q, found.r])
    }),
    ("svd", |a| {
        let found = svd(a, Columns::Complete)?;
        all_done(&[found.u, found.s, found.vh])
    }),
    ("svdvals", |a| done(svdvals(a))),
    ("eig", |a| {
        let found = eig(a)?;
        all_done(&[found.eigenvalues, found.eigenvectors])
    }),
    ("eigvals", |a| done(eigvals(a))),
    ("expm", |a| done(expm(a))),
    ("matrix_power", |a| done(matrix_power(a, -3))),
    ("matrix_norm", |a| {
        done(matrix_norm(a, MatrixNorm::Nuclear, Axes::Keep))
    }),
    ("cond", |a| done(cond(a, MatrixNorm::One))),
    ("lstsq", |a| {
        let found = lstsq(a, a, Tolerance::Rounding)?;
        all_done(&[found.x, found.residuals, found.singular_values])
    }),
];

const OF_DEFINITE: [(&str, Call); 5] = [
    ("cholesky", |a| done(cholesky(a, Triangle::Lower))),
    ("eigh", |a| {
        let found = eigh(a, Triangle::Upper)?;
        all_done(&[found.eigenvalues, found.eigenvectors])
    }),
    ("eigvalsh", |a| done(eigvalsh(a, Triangle::Lower))),
    ("pinv", |a| done(pinv(a, Tolerance::Part(1e-9)))),
    ("matrix_rank", |a| done(matrix_rank(a, Tolerance::Rounding))),
];

pub(crate) fn rows() -> Vec<Row> {
    let squares = OF_SQUARES
        .into_iter()
        .map(|(name, call)| row(name, move |g| call(&square(g)?)));
    let definites = OF_DEFINITE
        .into_iter()
        .map(|(name, call)| row(name, move |g| call(&definite(g)?)));
    let others = [
        row("cross", |g| {
            let x = g.flat.slice(0, None, Some(3 * 40_000), 1)?;
            let x = x.reshape(&[40_000, 3])?;
            done(cross(&x, &x, -1))
        }),
        row("gemv_chain", |g| {
            let chain = Chain {
                w: Some(&g.per_row),
                reduce: Some(Reduce::SumOfSquares),
                ..Chain::default()
            };
            let made = gemv_chain(&cast(&g.x, DType::F16)?, &g.per_column, &chain)?;
            let both: Vec<Tensor> = made.z.into_iter().chain(made.r).collect();
            all_done(&both)
        }),
        row("scaled_matmul", |g| {
            let a = cast(&g.x, DType::F8E4M3)?;
            let b = matrix_transpose(&a)?;
            done(scaled_matmul(&a, &b, 0.5, 2.0, DType::F32))
        }),
    ];
    squares.chain(definites).chain(others).collect()
}
