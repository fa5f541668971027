//! Products of integers, which wrap. The sign of a type makes no difference to the bits.

use super::Product;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use syntonic_core::{Result, Scalar};

contract! {
    "matmul":
    /// `c = alpha a b + beta c` of integers; strides in elements.
    #[derive(Debug)]
    pub(crate) struct Params as "Product" {
        a: u64,
        b: u64,
        c: u64,
        m: i64,
        n: i64,
        k: i64,
        a_row: i64,
        a_col: i64,
        a_batch: i64,
        b_row: i64,
        b_col: i64,
        b_batch: i64,
        c_row: i64,
        c_col: i64,
        c_batch: i64,
        batch: i64,
        alpha: u64,
        beta: u64,
    }
}

/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(context: &Context, p: &Product) -> Result<()> {
    let entry = format!("integer_product_b{}", p.dtype.size());
    let bits = |x: Scalar| x.to_i128() as u64;
    let params = Params {
        a: p.a.first,
        b: p.b.first,
        c: p.c.first,
        m: p.c.rows as i64,
        n: p.c.cols as i64,
        k: p.a.cols as i64,
        a_row: p.a.row as i64,
        a_col: p.a.col as i64,
        a_batch: p.a.batch as i64,
        b_row: p.b.row as i64,
        b_col: p.b.col as i64,
        b_batch: p.b.batch as i64,
        c_row: p.c.row as i64,
        c_col: p.c.col as i64,
        c_batch: p.c.batch as i64,
        batch: p.batch as i64,
        alpha: bits(p.alpha),
        beta: bits(p.beta),
    };
    let tiles = p.c.rows.div_ceil(64) * p.c.cols.div_ceil(64) * p.batch;
    // SAFETY: the struct is the kernel's own, and the memory is the caller's promise.
    unsafe { params.launch(context, &entry, Geometry::line(tiles as u64, 256)) }
}
