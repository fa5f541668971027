//! The kernels of a program of rows: one text of it, and an entry per schedule.

use super::row_measures::Parted;
use super::row_streams;
use super::row_text::Text;
use super::rows::RowProgram;
use std::fmt::Write;

/// The text of a program's kernels.
pub(super) fn kernel(name: &str, program: RowProgram<'_>) -> String {
    let entry = program.entry();
    let struct_name = entry.replacen("rows_", "Rows_", 1);
    let mut text = Text::of(program);
    let (operands, lanes) = (program.operands(), program.lanes());
    let mut kernels =
        format!("SYNTONIC_ROWS({entry}, syntonic::{struct_name}, {operands}, {lanes})\n");
    if program.holds() {
        let (held, (most, blocks)) = (program.held(), program.held_blocks());
        let _ = writeln!(
            kernels,
            "SYNTONIC_ROWS_HELD({entry}, syntonic::{struct_name}, {operands}, {lanes}, {held}, {most}, {blocks})"
        );
    }
    if let Some(measures) = program.measures_across() {
        text.measures(&program.stages()[0], &measures);
    }
    let forms = [("PARTS", program.parts()), ("COLUMNS", program.columns())];
    for (form, parted) in forms {
        if let Some(Parted {
            lanes,
            held,
            residents,
            ..
        }) = parted
        {
            let _ = writeln!(
                kernels,
                "SYNTONIC_ROW_{form}({entry}, syntonic::{struct_name}, {operands}, {lanes}, {held}, {residents})"
            );
        }
    }
    let stay = [
        ("RING", program.ring()),
        ("CLUSTER", program.cluster()),
        ("COLUMN_RING", program.column_ring()),
    ];
    for (form, parted) in stay {
        if let Some(Parted { lanes, held, .. }) = parted {
            let _ = writeln!(
                kernels,
                "SYNTONIC_ROW_{form}({entry}, syntonic::{struct_name}, {operands}, {lanes}, {held})"
            );
        }
    }
    if let Some(held) = program.few() {
        let _ = writeln!(
            kernels,
            "SYNTONIC_ROWS_FEW({entry}, syntonic::{struct_name}, {operands}, {lanes}, {held})"
        );
    }
    kernels += &row_streams::kernels(&mut text, &entry, &struct_name);
    let dtypes: Vec<&str> = program
        .typed()
        .inputs
        .iter()
        .map(|&d| crate::ptx::name::short(d))
        .collect();
    format!(
        "\n// {name}({})\nnamespace syntonic {{\ntemplate <int V, int R> struct {struct_name} {{\n{}}};\n}}  // namespace syntonic\n{kernels}",
        dtypes.join(", "),
        text.body,
    )
}
