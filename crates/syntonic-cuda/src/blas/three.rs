//! Complex products from three real ones instead of four: with `p = re a re b`, `q = im a im b` and
//! `r = (re a + im a)(re b + im b)`, the product is `(p - q) + (r - p - q) i`. The error of a part is bounded by the size of the
//! whole number (Higham, Stability of a method for multiplying complex matrices with three real matrix multiplications, 1992).

use super::split::{self, Field};
use super::{Matrix, Product, float};
use crate::context::{Context, Geometry, Scratch};
use crate::contract::{Contract, contract};
use syntonic_core::device::Arithmetic;
use syntonic_core::{DType, Result, Scalar};

/// The least length of each axis for which three products of the native kind are worth the passes for their parts.
const LEAST: usize = 1536;

contract! {
    "complex_product":
    /// A complex matrix; strides in real numbers.
    #[derive(Debug)]
    pub(crate) struct Place as "ComplexPlace" {
        first: u64,
        row: i64,
        col: i64,
        batch: i64,
        /// 1: the imaginary part with the other sign.
        conjugate: i64,
    }
}

impl Place {
    fn new(m: &Matrix, conjugate: bool) -> Place {
        let [row, col, batch] = [m.row, m.col, m.batch].map(|stride| 2 * stride as i64);
        Place {
            first: m.first,
            row,
            col,
            batch,
            conjugate: i64::from(conjugate),
        }
    }
}

contract! {
    "complex_product":
    /// Real parts, imaginary parts and their sums become matrices of their own.
    #[derive(Debug)]
    pub(crate) struct Split as "ComplexSplit" {
        from: Place,
        rows: i64,
        cols: i64,
        batch: u64,
        /// Three times `batch` matrices, row by row: real parts, imaginary parts, their sums.
        to: u64,
        /// 1 where the source's rows are its neighbours in memory.
        across: u64,
    }
}

contract! {
    "complex_product":
    /// Three real products become a complex one.
    #[derive(Debug)]
    pub(crate) struct Join as "ComplexJoin" {
        /// As ComplexSplit::to: p, q, r.
        products: u64,
        a: Place,
        b: Place,
        c: Place,
        rows: i64,
        cols: i64,
        inner: i64,
        batch: u64,
        alpha: [f64; 2],
        beta: [f64; 2],
    }
}

/// How the three products are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Real {
    /// From bf16 parts.
    Split,
    /// By the library.
    Native,
}

/// How to compute a complex product from three, where that is quicker than four at once.
pub(super) fn worth(context: &Context, p: &Product) -> Option<Real> {
    if p.dtype == DType::C64 && split::runs_on(context) {
        let (split, native) = split::costs(context, p);
        let joined = (p.batch * p.c.rows * p.c.cols) as f64 * 12e-6;
        return (3.0 * split + joined < 0.9 * 4.0 * native).then_some(Real::Split);
    }
    let least = p.c.rows.min(p.c.cols).min(p.a.cols);
    (least >= LEAST).then_some(Real::Native)
}

/// Memory for three real matrices the size of each of a complex batch.
struct Planes<'a> {
    memory: Scratch<'a>,
    /// Bytes of one of the three.
    each: usize,
}

impl<'a> Planes<'a> {
    fn new(context: &'a Context, real: DType, m: &Matrix, batch: usize) -> Result<Planes<'a>> {
        let each = m.rows * m.cols * batch * real.size();
        Ok(Planes {
            memory: context.scratch(3 * each)?,
            each,
        })
    }

    /// One of the three, in the place of `m`.
    fn matrix(&self, field: Field, m: &Matrix) -> Matrix {
        Matrix {
            first: self.memory.address() + (field as usize * self.each) as u64,
            row: m.cols as isize,
            col: 1,
            batch: if m.batch == 0 {
                0
            } else {
                (m.rows * m.cols) as isize
            },
            ..*m
        }
    }
}

const FIELDS: [Field; 3] = [Field::Real, Field::Imaginary, Field::Sum];

/// # Safety
/// As [`super::matmul`], for complex operands; for `Real::Split` on a card that has it, in `complex64`.
pub(super) unsafe fn multiply(context: &Context, p: &Product, how: Real) -> Result<()> {
    let real = if p.dtype == DType::C64 {
        DType::F32
    } else {
        DType::F64
    };
    // The products have a place for each of the batch, also where `c` has one axis of length 1.
    let c = Matrix {
        batch: (p.c.rows * p.c.cols) as isize,
        ..p.c
    };
    let products = Planes::new(context, real, &c, p.batch)?;
    let plain = Product {
        alpha: Scalar::Int(1),
        beta: Scalar::Int(0),
        sums: real,
        ..*p
    };
    // SAFETY: the caller's promise; planes have the sizes of what they hold.
    unsafe {
        match how {
            Real::Split => {
                let operands = split::Operands::new(context, p)?;
                for field in FIELDS {
                    operands.pack(context, p, field)?;
                    operands.multiply(context, &plain, &products.matrix(field, &c))?;
                }
            }
            Real::Native => {
                let a = parts(context, p, real, &p.a, p.conj_a)?;
                let b = parts(context, p, real, &p.b, p.conj_b)?;
                for field in FIELDS {
                    let product = Product {
                        dtype: real,
                        a: a.matrix(field, &p.a),
                        b: b.matrix(field, &p.b),
                        c: products.matrix(field, &c),
                        conj_a: false,
                        conj_b: false,
                        arithmetic: Arithmetic::Native,
                        ..plain
                    };
                    float::multiply(context, &product)?;
                }
            }
        }
        join(context, p, &products)
    }
}

fn suffix(dtype: DType) -> &'static str {
    if dtype == DType::C64 { "c64" } else { "c128" }
}

/// Real parts, imaginary parts, and their sums.
///
/// # Safety
/// The matrices are live.
unsafe fn parts<'a>(
    context: &'a Context,
    p: &Product,
    real: DType,
    m: &Matrix,
    conjugate: bool,
) -> Result<Planes<'a>> {
    let batch = if m.batch == 0 { 1 } else { p.batch };
    let planes = Planes::new(context, real, m, batch)?;
    let entry = format!("complex_split_{}", suffix(p.dtype));
    let params = Split {
        from: Place::new(m, conjugate),
        rows: m.rows as i64,
        cols: m.cols as i64,
        batch: batch as u64,
        to: planes.memory.address(),
        across: u64::from(m.row.unsigned_abs() < m.col.unsigned_abs()),
    };
    let tiles = m.rows.div_ceil(32) * m.cols.div_ceil(32) * batch;
    // SAFETY: the struct is the kernel's own; the planes have room for three parts of each element.
    unsafe { params.launch(context, &entry, Geometry::line(tiles as u64, 256))? };
    Ok(planes)
}

/// # Safety
/// As [`multiply`]; the products are there.
unsafe fn join(context: &Context, p: &Product, products: &Planes<'_>) -> Result<()> {
    let entry = format!("complex_join_{}", suffix(p.dtype));
    let params = Join {
        products: products.memory.address(),
        a: Place::new(&p.a, p.conj_a),
        b: Place::new(&p.b, p.conj_b),
        c: Place::new(&p.c, false),
        rows: p.c.rows as i64,
        cols: p.c.cols as i64,
        inner: p.a.cols as i64,
        batch: p.batch as u64,
        alpha: super::parts(p.alpha),
        beta: super::parts(p.beta),
    };
    let elements = p.batch * p.c.rows * p.c.cols;
    // SAFETY: the struct is the kernel's own; the rest is the caller's promise.
    unsafe {
        params.launch(
            context,
            &entry,
            Geometry::line(elements.div_ceil(1024) as u64, 256),
        )
    }
}
