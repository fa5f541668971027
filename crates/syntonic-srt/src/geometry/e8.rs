//! The roots of E8, the golden projections of its space, and the golden cone.

use crate::constants::{INV_PHI, PHI};
use crate::refusal::not_real;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::linalg::matmul;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{DType, Error, Result, Tensor, describe};

/// `1 / sqrt(1 + φ²)`, which makes the projections orthonormal.
const SCALE: f64 = 0.525_731_112_119_133_6;
/// `1 / √5`.
const INV_ROOT: f64 = 0.447_213_595_499_957_94;

/// Vectors that the golden cone is on the positive side of, to the six decimals in which they are given.
#[rustfmt::skip]
pub const CONE_VECTORS: [[f64; 8]; 4] = [
    [-0.152753, -0.312330, 0.192683, -0.692448, 0.013308, 0.531069, 0.153449, 0.238219],
    [0.270941, 0.201058, 0.532514, -0.128468, 0.404635, -0.475518, -0.294881, 0.330591],
    [0.157560, 0.189639, 0.480036, 0.021016, 0.274831, -0.782436, 0.060319, 0.130225],
    [0.476719, 0.111410, 0.464671, -0.543379, -0.142049, -0.150498, -0.314296, 0.327929],
];

/// The 240 roots of E8, `[240, 8]` in `float64`: `±e_i ± e_j` for `i < j`, minus signs first, then `½(±1, ..)` with an even number of minus
/// signs in the order of their masks, whose bit `b` is the sign of coordinate `b`. All are exact.
///
/// Source: Conway and Sloane, *Sphere Packings, Lattices and Groups*, chapter 4.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::e8_roots;
///
/// let roots = e8_roots()?;
/// assert_eq!(roots.shape(), [240, 8]);
/// // Every root has the squared length 2.
/// assert!(roots.square()?.sum(-1)?.equal(2)?.all(..)?.to_scalar::<bool>()?);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn e8_roots() -> Result<Tensor> {
    let mut all: Vec<[f64; 8]> = Vec::new(); // few: 240.
    for i in 0..8 {
        for j in i + 1..8 {
            for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let mut root = [0.0; 8];
                (root[i], root[j]) = (x, y);
                all.push(root);
            }
        }
    }
    let even = (0u32..256).filter(|mask| mask.count_ones() % 2 == 0);
    let half = |mask: u32, b: usize| if mask >> b & 1 == 1 { -0.5 } else { 0.5 };
    all.extend(even.map(|mask| std::array::from_fn(|b| half(mask, b))));
    Tensor::from_vec(all.concat(), &[240, 8])
}

/// Simple roots, `[8, 8]` in Bourbaki's order: `½(e_1 + e_8 - e_2 - .. - e_7)`, `e_1 + e_2`, and `e_i - e_(i-1)` for `i = 2..7`.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::e8_simple_roots;
///
/// let simple = e8_simple_roots()?;
/// // Cartan's matrix of E8 has the determinant 1.
/// let cartan = simple.matmul(&simple.t()?)?;
/// assert_eq!(cartan.diagonal(0, 0, 1)?.to_vec::<f64>()?, [2.0; 8]);
/// assert!((cartan.det()?.to_scalar::<f64>()? - 1.0).abs() < 1e-12);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn e8_simple_roots() -> Result<Tensor> {
    let mut all = [[0.0; 8]; 8];
    all[0] = [0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, 0.5];
    (all[1][0], all[1][1]) = (1.0, 1.0);
    for i in 1..7 {
        (all[i + 1][i - 1], all[i + 1][i]) = (-1.0, 1.0);
    }
    Tensor::from_slice(&all.concat(), &[8, 8])
}

/// Golden projections of vectors.
#[derive(Clone, Debug)]
pub struct Projected {
    /// `(v_i + φ v_(i+4)) / sqrt(1 + φ²)`, `[.., 4]`.
    pub parallel: Tensor,
    /// `(φ v_i - v_(i+4)) / sqrt(1 + φ²)`, `[.., 4]`.
    pub perpendicular: Tensor,
    /// The quadratic form: the square of the parallel part less that of the perpendicular one, `[..]`.
    pub form: Tensor,
}

/// Golden projections of vectors `[.., 8]`, in their real type. Together they are orthonormal: squares of both parts add up to the
/// vector's. The form is `Σ (v_(i+4)² - v_i² + 4 v_i v_(i+4)) / √5`.
///
/// Errors: other types than real floats, and a last axis that is not 8 long.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::{e8_roots, project};
///
/// let parts = project(&e8_roots()?)?;
/// let squares = parts.parallel.square()?.sum(-1)? + parts.perpendicular.square()?.sum(-1)?;
/// assert!((squares - 2.0).abs()?.max(..)?.to_scalar::<f64>()? < 1e-14);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn project(x: &Tensor) -> Result<Projected> {
    check("project", x)?;
    let (v, w) = (
        x.slice(-1, Some(0), Some(4), 1)?,
        x.slice(-1, Some(4), Some(8), 1)?,
    );
    let scaled = |x: &Tensor, by: f64| apply(Prim::Mul, &[Arg::Tensor(x), Arg::from(by)]);
    let both = |prim: Prim, a: &Tensor, b: &Tensor| apply(prim, &[Arg::Tensor(a), Arg::Tensor(b)]);
    let parallel = scaled(&both(Prim::Add, &v, &scaled(&w, PHI)?)?, SCALE)?;
    let perpendicular = scaled(&both(Prim::Sub, &scaled(&v, PHI)?, &w)?, SCALE)?;
    let squares = both(
        Prim::Sub,
        &both(Prim::Mul, &w, &w)?,
        &both(Prim::Mul, &v, &v)?,
    )?;
    let mixed = scaled(&both(Prim::Mul, &v, &w)?, 4.0)?;
    let terms = both(Prim::Add, &squares, &mixed)?;
    let form = scaled(&reduce::sum(&terms, &Over::axes(&[-1]), None)?, INV_ROOT)?;
    Ok(Projected {
        parallel,
        perpendicular,
        form,
    })
}

/// Whether vectors `[.., 8]` lie in the golden cone, `[..]`: their products with all of [`CONE_VECTORS`] are above `tolerance`. Of the
/// roots of E8, 36 do.
///
/// Errors: other types than real floats, and a last axis that is not 8 long.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::{cone_mask, e8_roots};
///
/// let inside = cone_mask(&e8_roots()?, 0.0)?;
/// assert_eq!(inside.count_nonzero(..)?.to_scalar::<i64>()?, 36);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cone_mask(x: &Tensor, tolerance: f64) -> Result<Tensor> {
    check("cone_mask", x)?;
    let vectors = Tensor::from_slice(&CONE_VECTORS.concat(), &[4, 8])?;
    let vectors = vectors.to(x.device())?;
    let products = matmul(&x.cast(DType::F64)?, &vectors.transpose(0, 1)?)?;
    let above = apply(Prim::Gt, &[Arg::Tensor(&products), Arg::from(tolerance)])?;
    reduce::all(&above, &Over::axes(&[-1]))
}

/// Weights of vectors `[.., 8]` in the golden cone, `[..]` in `float64`: `e^(-Q/φ)` with the quadratic form Q of [`project`] inside, and
/// 1e-9 outside. Errors as [`cone_mask`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::geometry::{cone_weights, e8_roots};
///
/// let weights = cone_weights(&e8_roots()?, 0.0)?;
/// assert_eq!(weights.greater(1e-9)?.count_nonzero(..)?.to_scalar::<i64>()?, 36);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cone_weights(x: &Tensor, tolerance: f64) -> Result<Tensor> {
    check("cone_weights", x)?;
    let form = project(&x.cast(DType::F64)?)?.form;
    let scaled = apply(Prim::Mul, &[Arg::Tensor(&form), Arg::from(-INV_PHI)])?;
    let weights = apply(Prim::Exp, &[Arg::Tensor(&scaled)])?;
    let inside = cone_mask(x, tolerance)?;
    let arguments = [Arg::Tensor(&inside), Arg::Tensor(&weights), Arg::from(1e-9)];
    apply(Prim::Select, &arguments)
}

fn check(op: &'static str, x: &Tensor) -> Result<()> {
    if !x.dtype().is_float() || x.dtype().is_stored() {
        return Err(not_real(op, &[x]));
    }
    if x.shape().last() == Some(&8) {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[x]),
        hint: "vectors of this space have eight elements along the last axis".into(),
    })
}
