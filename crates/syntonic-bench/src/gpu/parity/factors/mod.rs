//! Decompositions of matrices: what comes out is multiplied out again, in double precision on the CPU.
//!
//! Factors are not the CPU's: vectors may have other signs, and values that are close other vectors. What holds on both is that
//! the algorithms are backward stable, so what they return belongs to a matrix at most `c n eps |a|` away, with c small (Higham,
//! Accuracy and Stability of Numerical Algorithms, chapters 9, 10 and 19; Golub and Van Loan, chapters 7 and 8). We take c = 20
//! for the sum of all parts, and `sqrt(n)` for n, but not less than 4, as the tests of the CPU do.

mod composites;
mod edges;
mod matrices;
mod parts;

use crate::gpu::parity::Check;
use anyhow::Result;
use matrices::Form;
use syntonic_core::DType;

/// The types with decompositions.
const FIELDS: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];

/// A check of one operation, for a type and a form of its operands.
type Look = fn(&crate::gpu::Gpu, DType, Form) -> Result<()>;

const OPERATIONS: [(&str, Look); 18] = [
    ("solve", parts::solve),
    ("inv", parts::inv),
    ("det", parts::det),
    ("slogdet", parts::slogdet),
    ("cholesky", parts::cholesky),
    ("qr", parts::qr),
    ("svd", parts::svd),
    ("eigh", parts::eigh),
    ("eig", parts::eig),
    ("lstsq", composites::lstsq),
    ("pinv", composites::pinv),
    ("matrix_rank", composites::matrix_rank),
    ("matrix_norm", composites::matrix_norm),
    ("cond", composites::cond),
    ("matrix_power", composites::matrix_power),
    ("expm", composites::expm),
    ("empty", edges::empty),
    ("unfit", edges::unfit),
];

pub(super) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for (name, look) in OPERATIONS {
        for dtype in FIELDS {
            for form in Form::of(name) {
                let name = format!("factors/{name}/{dtype}/{form:?}");
                all.push(Check::new(name, move |gpu| look(gpu, dtype, form)));
            }
        }
    }
    for dtype in FIELDS {
        let named = |name: &str| format!("factors/{name}/{dtype}");
        all.push(Check::new(named("singular"), move |gpu| {
            edges::singular(gpu, dtype)
        }));
        all.push(Check::new(named("zeros"), move |gpu| {
            edges::zeros(gpu, dtype)
        }));
        all.push(Check::new(named("deficient"), move |gpu| {
            edges::deficient(gpu, dtype)
        }));
        all.push(Check::new(named("range"), move |gpu| {
            edges::range(gpu, dtype)
        }));
        if dtype.is_complex() {
            all.push(Check::new(named("diagonal"), move |gpu| {
                edges::diagonal(gpu, dtype)
            }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Gpu;
    use syntonic_core::cpu;

    /// The CPU beside itself: the bounds are no tighter than a good library is.
    #[test]
    fn decompositions_of_the_cpu_hold() {
        let here = Gpu { device: cpu() };
        for check in checks() {
            if check.name.contains("Large") {
                continue;
            }
            (check.look)(&here).unwrap_or_else(|e| panic!("{}: {e}", check.name));
        }
    }
}
