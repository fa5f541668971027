//! Written by `cargo xtask kernels` from `kernels/manifest.json`: one family a line, sorted by name.

use super::{Family, ptx};

pub(super) const FAMILIES: &[Family] = &[
    Family { name: "fill", images: &[ptx!(75, Onward, "fill.75"), ptx!(80, Onward, "fill.80"), ptx!(90, Onward, "fill.90")], entries: &["fill_b1", "fill_b16", "fill_b2", "fill_b4", "fill_b8"] },
    Family { name: "matmul", images: &[ptx!(75, Onward, "matmul.75"), ptx!(80, Onward, "matmul.80"), ptx!(90, Onward, "matmul.90")], entries: &["integer_product_b1", "integer_product_b2", "integer_product_b4", "integer_product_b8", "pack_b16", "pack_b2", "pack_b4", "pack_b8"] },
];
