//! What a Rust program writes: operators, methods, constructors, text and indices; and the numbered examples, whose
//! assertions are tests here, so that they need no program of their own.

mod constructors;
mod display;
mod indexing;
mod methods;
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
}

#[test]
fn every_numbered_example_is_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    found.sort();
    let here = include_str!("main.rs");
    let missing: Vec<&String> = found
        .iter()
        .filter(|name| !here.contains(&format!("/examples/{name}\";")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(found.len(), 8);
}
