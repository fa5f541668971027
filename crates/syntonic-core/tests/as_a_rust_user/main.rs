//! What a Rust program writes: operators, methods, constructors, text and indices; and the numbered examples, whose
//! assertions are tests here, so that they need no program of their own.

mod constructors;
mod display;
mod indexing;
mod methods;
mod numbered;
mod operators;

macro_rules! examples {
    ($($name:ident $path:literal;)*) => {$(
        #[path = $path]
        mod $name;
    )*};
}
examples! {
    tensors "../../examples/01_tensors.rs";
    views_and_indexing "../../examples/02_views_and_indexing.rs";
    lazy_and_explain "../../examples/03_lazy_and_explain.rs";
    fuse_a_formula "../../examples/04_fuse_a_formula.rs";
    reductions "../../examples/05_reductions.rs";
    linear_algebra "../../examples/06_linear_algebra.rs";
    random "../../examples/07_random.rs";
    files "../../examples/08_files.rs";
    pipelines "../../examples/09_pipelines.rs";
    advice "../../examples/10_advice.rs";
}

#[test]
fn every_numbered_example_is_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    numbered::assert_all_are_tests(folder, include_str!("main.rs"), 10);
}
