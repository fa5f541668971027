//! What checks need besides a GPU and its driver, so that a run where it is not there can leave them out, by name.

use std::fmt;
use std::str::FromStr;

use super::ends::is_tiled;
use anyhow::{Error, bail};
use syntonic_core::DType;

/// What some checks need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// NVIDIA's library for products of floats.
    Cublas,
    /// NVIDIA's library for decompositions of matrices.
    Cusolver,
    /// NVIDIA's library for Fourier transforms.
    Cufft,
    /// A card of 9.0, whose warpgroups multiply by themselves.
    Warpgroups,
    /// Memory for more than 2^31 elements, or a GPU that goes through many millions of them in a moment.
    Large,
    /// A GPU that works beside its host: a kernel that waits for the host never ends on one that runs within the launch.
    SideBySide,
}

/// Checks of streams that make work for them with products of floats.
const STREAMS: [&str; 3] = [
    "a_chain_that_changes_streams",
    "memory_given_back_by_another_stream",
    "events_measure_time",
];

/// Golden products whose factors are integers; the others make floats of integers.
const WHOLE: [&str; 8] = [
    "mm", "mm_add", "mm_tn", "mm_nt", "mm_tt", "mm_hn", "mm_nh", "bmm",
];

/// The ends that the library has, but of no stack.
const OF_THE_LIBRARY: [&str; 3] = ["Bias(None)", "Bias(Relu)", "Bias(Gelu)"];

/// A check of more than 2^31 elements that does not say so in its name.
const FAR: &str = "moves/far";
/// What names the checks of rows with work for all multiprocessors of a large GPU.
pub(super) const SPREAD: &str = "_spread";

impl Need {
    /// What the check of a name needs, if anything.
    pub fn of(name: &str) -> Option<Need> {
        let parts: Vec<&str> = name.split('/').collect();
        let float = |part: Option<&&str>| {
            let dtype = part.and_then(|name| DType::from_name(name));
            dtype.is_some_and(|dtype| dtype.is_float() || dtype.is_complex())
        };
        if parts.contains(&"large") || name == FAR || name.contains(SPREAD) {
            return Some(Need::Large);
        }
        match parts[0] {
            "products" => float(parts.get(2).or(parts.get(1))).then_some(Need::Cublas),
            "ends" => {
                let form = parts.get(3).unwrap_or(&"");
                let by_library = OF_THE_LIBRARY.contains(&parts[1]) && *form != "StackOfTiles";
                match is_tiled(form) && !by_library {
                    true => Some(Need::Warpgroups),
                    false => float(parts.get(2)).then_some(Need::Cublas),
                }
            }
            "graphs" => (parts[1] == "products" && float(parts.get(2))).then_some(Need::Cublas),
            "golden" => {
                let whole = WHOLE.contains(parts.get(1).unwrap_or(&""));
                (!whole || float(parts.get(2))).then_some(Need::Cublas)
            }
            "attention" => Some(Need::Warpgroups),
            "precision" => Some(Need::Cublas),
            "lazy" => (parts[1] == "products").then_some(Need::Cublas),
            "factors" => Some(Need::Cusolver),
            "fourier" => Some(Need::Cufft),
            "float8" => (parts[1] == "scaled_matmul").then_some(Need::Cublas),
            "scaled" if parts.last() == Some(&"int8") => Some(Need::Warpgroups),
            "scaled" => Some(Need::Cublas),
            "service" | "advisor" => Some(Need::SideBySide),
            "advice" => (parts[1] == "product").then_some(Need::Cublas),
            "pipelines" => (parts[1] == "layer").then_some(Need::Cublas),
            "streams" => STREAMS.contains(&parts[1]).then_some(Need::Cublas),
            _ => None,
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Need::Cublas => "cublas",
            Need::Cusolver => "cusolver",
            Need::Cufft => "cufft",
            Need::Warpgroups => "warpgroups",
            Need::Large => "large",
            Need::SideBySide => "side_by_side",
        })
    }
}

impl FromStr for Need {
    type Err = Error;

    fn from_str(text: &str) -> Result<Need, Error> {
        match text {
            "cublas" => Ok(Need::Cublas),
            "cusolver" => Ok(Need::Cusolver),
            "cufft" => Ok(Need::Cufft),
            "warpgroups" => Ok(Need::Warpgroups),
            "large" => Ok(Need::Large),
            "side_by_side" => Ok(Need::SideBySide),
            other => bail!(
                "{other:?} is none of cublas, cusolver, cufft, warpgroups, large and side_by_side"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::parity::checks;

    #[test]
    fn only_products_of_floats_need_the_library() {
        let needs = |name| Need::of(name);
        assert_eq!(needs("products/matmul/float32/Plain"), Some(Need::Cublas));
        assert_eq!(needs("products/digits/complex64"), Some(Need::Cublas));
        assert_eq!(needs("products/matmul/int8/Plain"), None);
        assert_eq!(needs("ends/Scales/bfloat16/Plain"), Some(Need::Cublas));
        let ended = |end: &str, form: &str| Need::of(&format!("ends/{end}/float16/{form}"));
        assert_eq!(ended("Scales", "Tiles"), Some(Need::Warpgroups));
        assert_eq!(ended("Bias(Relu)", "Tiles"), Some(Need::Cublas));
        assert_eq!(ended("Bias(Relu)", "StackOfTiles"), Some(Need::Warpgroups));
        assert_eq!(needs("ends/waiting/int32"), None);
        assert_eq!(needs("lazy/random program 3"), None);
        assert_eq!(needs("lazy/products/random program 3"), Some(Need::Cublas));
        assert_eq!(needs("golden/mm/int8/Plain"), None);
        assert_eq!(needs("golden/mm/float16/Plain"), Some(Need::Cublas));
        assert_eq!(needs("golden/mm_phi/int8/Plain"), Some(Need::Cublas));
        assert_eq!(needs("streams/large_copies"), None);
        assert_eq!(needs("factors/svd/float32/Plain"), Some(Need::Cusolver));
        assert_eq!(needs("fourier/lengths/float32"), Some(Need::Cufft));
        assert_eq!(needs("frequencies/as_the_cpu"), None);
        assert_eq!(needs("faults/no_cublas"), None);
        assert_eq!(needs("large/fold"), Some(Need::Large));
        assert_eq!(needs("service/echo"), Some(Need::SideBySide));
        assert_eq!(needs("lease/echo"), None);
        assert_eq!(needs("advisor/closures"), Some(Need::SideBySide));
        assert_eq!(needs("advice/closures"), None);
        assert_eq!(needs("advice/product"), Some(Need::Cublas));
        assert_eq!(needs("order/large/sort"), Some(Need::Large));
        assert_eq!(needs("rows/BATCH_NORM_0_spread/float32"), Some(Need::Large));
        assert_eq!(needs("rows/BATCH_NORM_0_in_parts/float32"), None);
    }

    #[test]
    fn every_name_is_of_a_check() {
        let names: Vec<String> = checks().into_iter().map(|c| c.name).collect();
        for name in WHOLE {
            let start = format!("golden/{name}/");
            assert!(names.iter().any(|n| n.starts_with(&start)), "{name}");
        }
        for name in STREAMS.iter().chain([&FAR]) {
            let count = names.iter().filter(|n| n.ends_with(name)).count();
            assert_eq!(count, 1, "{name}");
        }
        assert!(names.iter().any(|name| name.contains(SPREAD)));
        for need in [
            Need::Cublas,
            Need::Cusolver,
            Need::Cufft,
            Need::Large,
            Need::SideBySide,
        ] {
            assert_eq!(need.to_string().parse::<Need>().ok(), Some(need));
            assert!(names.iter().any(|name| Need::of(name) == Some(need)));
        }
    }
}
