//! Prints every element-wise function of the tables, one a line: name, operands, formula, and of a primitive what it accepts, what it
//! yields, and its error in units of the last place. What is generated from the tables, such as the Python functions and the pages of the
//! documentation, is made of this.

use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites;
use syntonic_srt::nn::ACTIVATIONS;

fn main() {
    for prim in Prim::ALL {
        let args: &[&str] = match (prim.name(), prim.arity()) {
            ("where", _) => &["condition", "x1", "x2"],
            (_, 1) => &["x"],
            (_, 2) => &["x1", "x2"],
            _ => &["x1", "x2", "x3"],
        };
        let row = prim.row();
        let (args, accepts, yields) = (args.join(" "), row.accepts, row.yields);
        println!(
            "{}\t{args}\t{}\t{accepts:?}\t{yields:?}\t{}",
            row.name, row.doc, row.ulp
        );
    }
    for composite in composites::ALL.iter().chain(ACTIVATIONS) {
        println!(
            "{}\t{}\t{}",
            composite.name,
            composite.args.join(" "),
            composite.doc
        );
    }
}
