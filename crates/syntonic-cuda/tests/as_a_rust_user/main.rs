//! The numbered examples, whose assertions are tests here, so that they need no program of their own. Without a GPU
//! each says why there is none; `cargo xtask simulate` runs this very program with a stand-in for the driver.

#[path = "../../../syntonic-core/tests/as_a_rust_user/numbered.rs"]
mod numbered;

macro_rules! examples {
    ($($name:ident $path:literal;)*) => {$(
        #[path = $path]
        mod $name;
    )*};
}
examples! {
    is_there_a_gpu "../../examples/01_is_there_a_gpu.rs";
    tensors_on_a_gpu "../../examples/02_tensors_on_a_gpu.rs";
    streams_and_events "../../examples/03_streams_and_events.rs";
    a_kernel_of_ones_own "../../examples/04_a_kernel_of_ones_own.rs";
    what_ran "../../examples/05_what_ran.rs";
    copies_that_do_not_wait "../../examples/06_copies_that_do_not_wait.rs";
    work_beside_copies "../../examples/07_work_beside_copies.rs";
    several_gpus "../../examples/08_several_gpus.rs";
    an_operator_of_ones_own "../../examples/09_an_operator_of_ones_own.rs";
}

#[test]
fn every_numbered_example_is_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    numbered::assert_all_are_tests(folder, include_str!("main.rs"), 9);
}
