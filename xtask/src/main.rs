//! Build, check, measure.
fn main() {}
