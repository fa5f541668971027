//! The short form of the checks: every operator, on a few dtypes and layouts.

use syntonic_core::DType;

/// Which checks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All.
    Whole,
    /// Every operator and so every family of kernels, on a few dtypes and layouts: for tools under which a program takes a
    /// hundred times as long.
    Short,
}

/// What the short form leaves out: it is not done by kernels of ours, happens in other processes, or needs a host that a tool does not
/// hold up.
const NOT_OURS: [&str; 8] = [
    "factors",
    "faults",
    "streams",
    "transfers",
    "managed",
    "digits",
    "service",
    "advisor",
];
/// And what takes long: more than 2^31 elements, and lines of a million that are sorted elsewhere.
const LONG: [&str; 2] = ["large", "permutation"];
/// Lengths where the layout would stand: lines that take the other ways to sort, and odd ends.
const LENGTHS: [&str; 6] = ["[70001]", "[3, 2049]", "[300, 512]", "[9000, 2]", "17", "3"];

/// Topics whose kernels of other types are the same text.
const F32_ALONE: [&str; 4] = ["rows", "formulas", "evolve", "transfer_entropy"];

impl Extent {
    /// Whether a check is made. Names are `topic/case/dtype/layout`, where the last two may be absent.
    pub(in crate::gpu) fn takes(self, name: &str) -> bool {
        let parts: Vec<&str> = name.split('/').collect();
        if self == Extent::Whole {
            return true;
        }
        let left_out = |part: &&str| NOT_OURS.contains(part) || LONG.contains(part);
        if parts.iter().any(left_out) {
            return false;
        }
        let Some(dtype) = DType::from_name(parts.get(2).unwrap_or(&"")) else {
            // What has no dtype is a statement of its own; most of the random programs are left to the whole.
            return !name.contains("random program") || name.ends_with('7');
        };
        match parts.get(3) {
            // Under a tool each takes a minute; those of half types are the same text with other vectors.
            None if parts[0] == "rows" && parts[1].contains("_OF_DOUBLES") => dtype == DType::F64,
            None if parts[0] == "rows" && parts[1].contains("_OF_COMPLEX") => dtype == DType::C64,
            None if parts[0] == "rows" && parts[1].contains("_OF_HALVES") => dtype == DType::F16,
            None if parts[0] == "rows" && parts[1].contains("_OF_BFLOATS") => dtype == DType::BF16,
            None if F32_ALONE.contains(&parts[0]) => dtype == DType::F32,
            None if parts[1].starts_with("layout") => matches!(dtype, DType::F32 | DType::BF16),
            // Their texts differ.
            None if parts[1].starts_with("divided") => true,
            // Every primitive takes these, by way of float64 where it wants floats.
            None if parts[0] == "made" => dtype == DType::I64,
            // Each multiplies other types.
            None if parts[0] == "scaled" => true,
            // An end is one program more over sums that `products` has in every type.
            None | Some(&"Strided") if parts[0] == "ends" => dtype == DType::F32,
            // But those of half types may be one launch.
            Some(&"Tiles") if parts[0] == "ends" => dtype == DType::BF16,
            // Every score, over several blocks whose last ones are cut.
            Some(lens) if parts[0] == "attention" => {
                dtype == DType::BF16 && *lens == "[2, 4, 2, 150, 300, 64, 64]"
            }
            Some(&"Plain") if parts[0] == "precision" => dtype == DType::F32,
            None => matches!(dtype, DType::F32 | DType::F64 | DType::BF16 | DType::I64),
            Some(&"Strided") => matches!(dtype, DType::F32 | DType::I32),
            Some(&"even") => matches!(dtype, DType::F32 | DType::BF16),
            Some(&"PastBlock") => matches!(dtype, DType::C64 | DType::BF16),
            Some(length) => dtype == DType::F32 && LENGTHS.contains(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::parity::checks;

    #[test]
    fn the_short_form_has_every_operator() {
        let case = |name: &str| name.splitn(3, '/').take(2).collect::<Vec<_>>().join("/");
        let all = checks();
        let short: std::collections::BTreeSet<String> = all
            .iter()
            .filter(|c| Extent::Short.takes(&c.name))
            .map(|c| case(&c.name))
            .collect();
        let left_out: Vec<&String> = all
            .iter()
            .map(|c| &c.name)
            .filter(|name| !short.contains(&case(name)))
            .filter(|name| !NOT_OURS.iter().chain(&LONG).any(|part| name.contains(part)))
            .filter(|name| !name.contains("random program"))
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
        let count = all.iter().filter(|c| Extent::Short.takes(&c.name)).count();
        assert!(count < 1650, "{count}");
    }
}
