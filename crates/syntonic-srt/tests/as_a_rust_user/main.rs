//! The numbered examples, whose assertions are tests here, so that they need no program of their own.

#[path = "../../../syntonic-core/tests/as_a_rust_user/numbered.rs"]
mod numbered;

macro_rules! examples {
    ($($name:ident $path:literal;)*) => {$(
        #[path = $path]
        mod $name;
    )*};
}
examples! {
    phi_residual "../../examples/01_phi_residual.rs";
    golden_norms "../../examples/02_golden_norms.rs";
    syntonic_softmax "../../examples/03_syntonic_softmax.rs";
    syntony "../../examples/04_syntony.rs";
    evolve "../../examples/05_evolve.rs";
    exact_numbers "../../examples/06_exact_numbers.rs";
    golden_products "../../examples/07_golden_products.rs";
}

#[test]
fn every_numbered_example_is_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    numbered::assert_all_are_tests(folder, include_str!("main.rs"), 7);
}
