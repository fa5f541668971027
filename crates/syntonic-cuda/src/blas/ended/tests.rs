//! Texts of products with ends: well formed, complete and deterministic.

use super::kernel::{Kernel, Kind, Major, Store, Team};
use crate::codegen::form::Form;
use crate::jit::Kernel as _;
use syntonic_core::DType;
use syntonic_core::fuse::{Builder, Precision, Prim, Role, Yield, lower};

/// `tanh(product + bias) * scale + residual`, as a half type.
fn kernel(dtype: DType) -> Kernel {
    let mut b = Builder::new();
    let [y, bias, scale, residual] =
        ["product", "bias", "scale", "residual"].map(|name| b.input(name, Role::Element));
    let sum = b.apply(Prim::Add, &[y, bias]);
    let bent = b.apply(Prim::Tanh, &[sum]);
    let scaled = b.apply(Prim::Mul, &[bent, scale]);
    let all = b.apply(Prim::Add, &[scaled, residual]);
    let rounded = b.cast(dtype, all);
    b.output(rounded, Yield::Element);
    let types = [DType::F32, dtype, DType::F32, dtype];
    let form = Form::of(&lower(&b.finish("end", Precision::Wide), &types).unwrap()).unwrap();
    Kernel {
        form,
        kinds: vec![
            Kind::Sums,
            Kind::Columns { pairs: true },
            Kind::Rows,
            Kind::Brought,
        ],
        factors: dtype,
        majors: [Major::K, Major::Outer],
        team: Team::Turns,
        shared: true,
        scaled: true,
        store: Store::Brought,
    }
}

/// Every kind of kernel.
fn kernels() -> Vec<Kernel> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::BF16] {
        for majors in [
            [Major::K, Major::K],
            [Major::Outer, Major::K],
            [Major::Outer, Major::Outer],
        ] {
            for team in [Team::Turns, Team::Together] {
                all.push(Kernel {
                    majors,
                    team,
                    ..kernel(dtype)
                });
            }
        }
        for pairs in [false, true] {
            let mut other = kernel(dtype);
            other.kinds[1] = Kind::Columns { pairs };
            other.kinds[3] = Kind::Each { pairs };
            (other.shared, other.scaled) = (false, false);
            other.store = Store::Each { pairs };
            all.push(other);
        }
    }
    all
}

#[test]
fn texts_are_whole() {
    for kernel in kernels() {
        let text = kernel.text((9, 0)).unwrap();
        assert_eq!(Some(&text), kernel.text((9, 0)).as_ref());
        for once in [".visible .entry product_", ".target sm_90a\n", "$leave:"] {
            assert_eq!(text.matches(once).count(), 1, "{once}");
        }
        let braces = |c: char| text.matches(c).count();
        assert_eq!(braces('{'), braces('}'));
    }
}

#[test]
fn names_tell_kernels_apart() {
    let names: std::collections::HashSet<String> =
        kernels().iter().map(|kernel| kernel.name()).collect();
    assert_eq!(names.len(), kernels().len());
}
