//! The text of the products of tiles, and of what is written of them.
//!
//! Thread `t` of a warpgroup has of row `16 (t / 32) + t % 32 / 4`, and of the row eight below, two neighbours out of every eight columns. Of two
//! times eight columns these are what an instruction takes as its first operand, so weights go from registers to the tensor cores.

use super::block_text::{Text, listed};
use super::kernel::{ACROSS, HALF, ROWS, SPAN};
use crate::jit::line;
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::device::Arg;

/// Elements that one instruction takes along what it sums over.
const ALONG: usize = 16;

/// A half type, as instructions name it.
pub(super) fn half(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "f16",
        _ => "bf16",
    }
}

/// How a result is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// In the half type: two columns at once, or one by one.
    Pairs,
    Each,
    /// As it was summed.
    Sums,
}

impl Stored {
    pub(super) fn of(out: &Arg) -> Stored {
        let strides = &out.layout.strides()[..3];
        let aligned = out.layout.shape()[3].is_multiple_of(2)
            && (out.address() as u64).is_multiple_of(4)
            && strides.iter().all(|stride| stride % 2 == 0);
        match (out.dtype, aligned) {
            (DType::F32, _) => Stored::Sums,
            (_, true) => Stored::Pairs,
            (_, false) => Stored::Each,
        }
    }
}

/// Sums that are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    /// Their registers, and how many columns these are.
    pub(super) sums: &'a str,
    pub(super) long: usize,
    /// Where the parameter says where the result lies, and how many columns it has.
    pub(super) lies: usize,
    pub(super) width: usize,
    pub(super) stored: Stored,
    /// What they are multiplied by first.
    pub(super) factor: Option<&'a str>,
}

impl Text {
    /// Begins `to = a bᵀ` for 64 rows and `cols` columns of `long` elements, both in shared memory: `a` by its descriptor, `b` by that in `db`.
    pub(super) fn multiply(&mut self, to: &str, a: &str, [cols, long]: [usize; 2], dtype: DType) {
        let (sums, half) = (listed(to, cols / 2), half(dtype));
        for step in 0..long / ALONG {
            let (chunk, inside) = (step * ALONG / ACROSS, step * ALONG % ACROSS * 2);
            let keeps = if step == 0 { "no" } else { "yes" };
            line!(
                self,
                "add.u64 x, {a}, {};\nadd.u64 y, db, {};\nwgmma.mma_async.sync.aligned.m64n{cols}k16.f32.{half}.{half} {{{sums}}}, x, y, {keeps}, 1, 1, 0, 0;",
                (chunk * ROWS * SPAN + inside) >> 4,
                (chunk * cols * SPAN + inside) >> 4
            );
        }
    }

    /// Begins `to += a b` for 64 rows of `cols` elements in registers, and `b` of `long` columns in shared memory by its descriptor in `db`.
    pub(super) fn add(&mut self, to: &str, a: &str, [cols, long]: [usize; 2], dtype: DType) {
        let (sums, half) = (listed(to, long / 2), half(dtype));
        for step in 0..cols / ALONG {
            let four: Vec<String> = (4 * step..4 * step + 4)
                .map(|k| format!("{a}{k}"))
                .collect();
            line!(
                self,
                "add.u64 y, db, {};\nwgmma.mma_async.sync.aligned.m64n{long}k16.f32.{half}.{half} {{{sums}}}, {{{}}}, y, yes, 1, 1, 1;",
                (step * ALONG * SPAN) >> 4,
                four.join(", ")
            );
        }
    }

    /// Rounds sums of `cols` columns to words of two, as [`Text::add`] takes them.
    pub(super) fn round(&mut self, to: &str, from: &str, cols: usize, dtype: DType) {
        let half = half(dtype);
        for pair in 0..cols / 4 {
            line!(
                self,
                "cvt.rn.{half}x2.f32 {to}{pair}, {from}{}, {from}{};",
                2 * pair + 1,
                2 * pair
            );
        }
    }

    /// Begins the scope in which results are written.
    pub(super) fn begin_results(&mut self) {
        line!(
            self,
            "{{\n.reg .pred in, wide_in;\n.reg .b32 row, width, col, word;\n.reg .b64 to, along;\nand.b32 col, lane, 3;\nshl.b32 col, col, 1;"
        );
    }

    /// Ends it: instructions of tensor cores take whole warps.
    pub(super) fn end_results(&mut self) {
        line!(self, "bar.warp.sync 0xffffffff;\n}}");
    }

    /// The number of row `i` of this thread, in `row`, and whether it is one of the rows, whose number the parameter has at `rows`.
    pub(super) fn row(&mut self, i: usize, rows: usize) {
        line!(
            self,
            "and.b32 row, warp, 3;\nshl.b32 row, row, 4;\nshr.u32 part, lane, 2;\nadd.u32 row, row, part;\nmad.lo.u32 row, group_of, {HALF}, row;\nadd.u32 row, row, q0;\nadd.u32 row, row, {};\nld.param.u32 part, [p+{rows}];\nsetp.lt.u32 in, row, part;",
            8 * i
        );
    }

    /// Writes row `i` of a result, whose number is in `row`, of the head in `head`.
    pub(super) fn write(&mut self, i: usize, result: Written<'_>, dtype: DType) {
        let size = if result.stored == Stored::Sums { 4 } else { 2 };
        line!(
            self,
            "ld.param.u32 width, [p+{}];\nld.param.u64 to, [p+{}];\ncvta.to.global.u64 to, to;",
            result.width,
            result.lies
        );
        for (k, name) in ["batch", "head", "row"].into_iter().enumerate() {
            line!(
                self,
                "ld.param.u64 along, [p+{}];\ncvt.u64.u32 at, {name};\nmad.lo.s64 to, at, along, to;",
                result.lies + 8 * (k + 1)
            );
        }
        line!(self, "mad.wide.u32 to, col, {size}, to;");
        let (sums, half) = (result.sums, half(dtype));
        for eight in 0..result.long / 8 {
            let first = 4 * eight + 2 * i;
            let (second, at) = (first + 1, 8 * size * eight);
            for k in [first, second] {
                if let Some(factor) = result.factor {
                    line!(self, "mul.f32 {sums}{k}, {sums}{k}, {factor};");
                }
            }
            line!(
                self,
                "add.u32 part, col, {};\nsetp.lt.and.u32 q, part, width, in;\nadd.u32 part, part, 1;\nsetp.lt.and.u32 wide_in, part, width, in;",
                8 * eight
            );
            if result.stored == Stored::Sums {
                line!(
                    self,
                    "@q st.global.f32 [to+{at}], {sums}{first};\n@wide_in st.global.f32 [to+{}], {sums}{second};",
                    at + 4
                );
                continue;
            }
            line!(
                self,
                "cvt.rn.{half}x2.f32 word, {sums}{second}, {sums}{first};"
            );
            match result.stored {
                Stored::Pairs => line!(self, "@q st.global.b32 [to+{at}], word;"),
                _ => line!(
                    self,
                    "@q st.global.b16 [to+{at}], word;\nshr.u32 word, word, 16;\n@wide_in st.global.b16 [to+{}], word;",
                    at + 2
                ),
            }
        }
    }
}
