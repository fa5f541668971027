//! Prints every row operator of the tables, one a line: name, operands, settings with their usual values, what it gives, formula.
//! What is generated from the tables, such as the Python functions, is made of this.

use syntonic_core::ops::row_operators;
use syntonic_srt::nn::ROW_OPERATORS;

fn main() {
    for operator in row_operators::ALL.iter().chain(ROW_OPERATORS) {
        let operands: Vec<&str> = operator.operands.iter().map(|operand| operand.0).collect();
        let settings: Vec<String> = operator
            .settings
            .iter()
            .map(|(name, usual)| format!("{name}={usual:?}"))
            .collect();
        let (operands, settings) = (operands.join(" "), settings.join(" "));
        println!(
            "{}\t{operands}\t{settings}\t{}",
            operator.name, operator.doc
        );
    }
}
