//! What users call an operator, and the families that hold its kernels. Operators that are formulas need no row: their kernels are made
//! at run time, and carry their names.

/// A part of a family: the family, and how the names of the entries begin that an operator launches.
type Part = (&'static str, &'static str);

/// One operator.
pub(super) struct Operator {
    pub(super) name: &'static str,
    pub(super) parts: &'static [Part],
    /// The library of NVIDIA's that does the work, or the rest of it.
    pub(super) library: Option<&'static str>,
}

const fn ours(name: &'static str, parts: &'static [Part]) -> Operator {
    Operator {
        name,
        parts,
        library: None,
    }
}

const fn shared(name: &'static str, parts: &'static [Part], library: &'static str) -> Operator {
    Operator {
        name,
        parts,
        library: Some(library),
    }
}

const SORTS: &[Part] = &[
    ("sort_few", ""),
    ("sort_rows", ""),
    ("radix", ""),
    ("lines", ""),
];
const COPIES: &[Part] = &[("transpose", ""), ("gather", "")];

/// Every operator that has kernels compiled ahead of time, or a library.
pub(super) const OPERATORS: &[Operator] = &[
    shared(
        "matmul",
        &[
            ("matmul", ""),
            ("gemv", ""),
            ("small_product", ""),
            ("thin", ""),
            ("split_pack", ""),
            ("split_product", ""),
            ("complex_product", ""),
        ],
        "cuBLASLt",
    ),
    shared("scaled_matmul", &[("matmul", "pack_")], "cuBLASLt"),
    // Made at run time, but for copies of what the copy engine does not walk.
    ours("attention", &[("matmul", "pack_")]),
    ours("attention_dq", &[("matmul", "pack_")]),
    ours("attention_dkv", &[("matmul", "pack_")]),
    ours("gemv_chain", &[("gemv_chain", "")]),
    shared("lu", COPIES, "cuSOLVER"),
    shared("solve", COPIES, "cuSOLVER"),
    shared("cholesky", COPIES, "cuSOLVER"),
    shared("qr", COPIES, "cuSOLVER"),
    shared("svd", COPIES, "cuSOLVER"),
    shared("eigh", COPIES, "cuSOLVER"),
    shared("eig", COPIES, "cuSOLVER"),
    shared("fft", COPIES, "cuFFT"),
    shared("rfft", COPIES, "cuFFT"),
    shared("irfft", COPIES, "cuFFT"),
    ours("transpose", &[("transpose", "")]),
    ours("gather", COPIES),
    ours("take", COPIES),
    ours("scatter", &[("scatter", "")]),
    ours("scatter_add", &[("scatter_add", "")]),
    ours("index_offsets", &[("index", "index_offsets")]),
    ours("mask_count", &[("index", "mask_count")]),
    ours("mask_offsets", &[("index", "mask_offsets")]),
    ours("nonzero", &[("index", "mask_")]),
    ours("ramp", &[("index", "ramp")]),
    ours("arange", &[("index", "ramp")]),
    ours("linspace", &[("index", "ramp")]),
    ours("fill", &[("fill", "")]),
    ours("full", &[("fill", "")]),
    ours("zeros", &[("fill", "")]),
    ours("ones", &[("fill", "")]),
    ours("bincount", &[("search", "bincount")]),
    ours("searchsorted", &[("search", "searchsorted")]),
    ours("unique_groups", &[("search", "unique_groups")]),
    ours("unique_values", &[("search", "unique_groups")]),
    ours(
        "cumulative_sum",
        &[("cumulative_sum_lines", ""), ("cumulative_sum_columns", "")],
    ),
    ours(
        "cumulative_prod",
        &[
            ("cumulative_prod_lines", ""),
            ("cumulative_prod_columns", ""),
        ],
    ),
    ours("random_uniform", &[("random", "random_uniform")]),
    ours("random_normal", &[("random", "random_normal")]),
    ours("random_integers", &[("random", "random_integers")]),
    ours("random_permutation", &[("random", "random_permutation")]),
    ours("evolve_candidates", &[("evolve", "evolve_candidates")]),
    ours("evolve_res", &[("res", "")]),
    ours("evolve_run", &[("evolve", "")]),
    ours("free_energy", &[("free_energy", "")]),
    ours("ksg", &[("transfer_entropy", "")]),
    ours("ksg_counts", &[("transfer_entropy", "ksg_any")]),
    ours("transfer_entropy", &[("transfer_entropy", "")]),
    ours("mutual_information", &[("transfer_entropy", "")]),
    ours("belief_update", &[("belief_update", "")]),
    ours("golden_map", &[("golden", "golden_map")]),
    ours("golden_compare", &[("golden", "golden_compare")]),
    ours("golden_norms", &[("golden", "golden_norms")]),
    ours("golden_floor", &[("golden", "golden_floor")]),
    ours("golden_floats", &[("golden", "golden_floats")]),
    ours("golden_share", &[("golden", "golden_share")]),
    ours("golden_product", &[("golden", "golden_product")]),
    ours("golden_snap", &[("golden", "golden_snap")]),
    ours("sort", SORTS),
    ours("argsort", SORTS),
    ours(
        "topk",
        &[
            ("topk", ""),
            ("sort_few", ""),
            ("sort_rows", ""),
            ("radix", ""),
            ("lines", ""),
        ],
    ),
    ours("sum", &[("fold_sum", ""), ("row_sums", "")]),
    ours("prod", &[("fold_prod", "")]),
    ours("min", &[("fold_min", "")]),
    ours("max", &[("fold_max", "")]),
    ours("any", &[("fold_any", "")]),
    ours("all", &[("fold_all", "")]),
    ours("argmin", &[("fold_argmin", "")]),
    ours("argmax", &[("fold_argmax", "")]),
    ours("var", &[("fold_variance", "")]),
    ours("std", &[("fold_variance", "")]),
    ours("service", &[("service", "")]),
];

#[cfg(test)]
mod tests {
    use super::super::PARTS;
    use super::super::manifest::Manifest;
    use super::*;

    fn manifest() -> Manifest {
        Manifest::load(&crate::tree::root().unwrap()).unwrap()
    }

    #[test]
    fn every_part_has_kernels_and_every_family_an_operator() {
        let manifest = manifest();
        for operator in OPERATORS {
            for (family, prefix) in operator.parts {
                let record = manifest.0.get(*family);
                let entries = &record.unwrap_or_else(|| panic!("no {family}")).entries;
                let there = entries.iter().any(|entry| entry.starts_with(prefix));
                assert!(there, "{}: {family} has no {prefix}", operator.name);
            }
        }
        let named = |family: &str| {
            let parts = OPERATORS.iter().flat_map(|operator| operator.parts);
            parts.into_iter().any(|(known, _)| *known == family)
        };
        let families = manifest.0.keys().filter(|name| !name.starts_with(PARTS));
        let strangers: Vec<&String> = families.filter(|family| !named(family)).collect();
        assert_eq!(strangers, [""; 0]);
    }

    #[test]
    fn every_operator_that_a_gpu_runs_by_name_is_known() {
        let text = include_str!("../../../crates/syntonic-cuda/src/kernel/mod.rs");
        let (_, table) = text.split_once("const ADAPTERS").unwrap();
        let (table, _) = table.split_once("];").unwrap();
        let names = table.split('"').skip(1).step_by(2);
        let known = |name: &str| OPERATORS.iter().any(|operator| operator.name == name);
        let missing: Vec<&str> = names.clone().filter(|name| !known(name)).collect();
        assert_eq!(missing, [""; 0]);
        assert!(names.count() > 40);
    }
}
