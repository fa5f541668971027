//! Products of integers, which wrap. The sign of a type makes no difference to the bits.

use super::Product;
use crate::context::{Context, Geometry};
use syntonic_core::{Result, Scalar};

/// The kernel's parameter; mirrored in `kernels/matmul.cu`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params {
    a: u64,
    b: u64,
    c: u64,
    m: i64,
    n: i64,
    k: i64,
    strides: [[i64; 3]; 3],
    batch: i64,
    alpha: u64,
    beta: u64,
}

const _: () = assert!(size_of::<Params>() == 144);

/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product) -> Result<()> {
    let entry = format!("integer_product_b{}", p.dtype.size());
    let function = context.function("matmul", &entry)?;
    let bits = |x: Scalar| x.to_i128() as u64;
    let params = Params {
        a: p.a.first,
        b: p.b.first,
        c: p.c.first,
        m: p.c.rows as i64,
        n: p.c.cols as i64,
        k: p.a.cols as i64,
        strides: [p.a, p.b, p.c].map(|m| [m.row as i64, m.col as i64, m.batch as i64]),
        batch: p.batch as i64,
        alpha: bits(p.alpha),
        beta: bits(p.beta),
    };
    let tiles = p.c.rows.div_ceil(64) * p.c.cols.div_ceil(64) * p.batch;
    // SAFETY: the struct is the kernel's own, and the memory is the caller's promise.
    unsafe { context.launch(&function, Geometry::line(tiles as u64, 256), &params) }
}
