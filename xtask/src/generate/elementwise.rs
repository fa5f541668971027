//! The element-wise functions of the Python package, from the tables of the engine.

use anyhow::{Context, Result};

use super::definition;
use crate::command::{example, read};

/// Functions whose Python signature is more than its operands; they are written by hand.
const BY_HAND: &[&str] = &["clip", "where"];

/// Operands that one may leave out, with what they then are.
const DEFAULTS: &[(&str, &str)] = &[("slope", "0.01"), ("alpha", "1.0")];

const HEAD: &str = r#""""Element-wise functions. Written by `cargo xtask gen` from the tables of the engine; do not edit.

Operands broadcast together; a Python number takes the type of what it meets. The result goes to `out` if that is given.
"""

from __future__ import annotations

from syntonic._core import Elementwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

"#;

/// One row of a table.
struct Row {
    name: String,
    args: Vec<String>,
    doc: String,
}

/// The whole text of the module.
pub(super) fn module() -> Result<String> {
    let table = example("elementwise_table").and_then(|mut print| read(&mut print));
    let table = table.context("the tables of the engine cannot be printed")?;
    let mut rows = table.lines().map(row).collect::<Result<Vec<_>>>()?;
    rows.retain(|row| !BY_HAND.contains(&row.name.as_str()));
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let names: String = rows
        .iter()
        .map(|row| format!("    \"{}\",\n", row.name))
        .collect();
    let functions: String = rows.iter().map(function).collect();
    Ok(format!("{HEAD}__all__ = [\n{names}]\n{functions}"))
}

fn row(line: &str) -> Result<Row> {
    let mut fields = line.split('\t').map(str::to_owned);
    let mut field = || {
        fields
            .next()
            .with_context(|| format!("a row of three fields or more, not {line:?}"))
    };
    let (name, args, doc) = (field()?, field()?, field()?);
    Ok(Row {
        name,
        args: args.split(' ').map(str::to_owned).collect(),
        doc,
    })
}

fn function(row: &Row) -> String {
    let Row { name, args, doc } = row;
    let typed: Vec<String> = args.iter().map(|arg| parameter(arg)).collect();
    let (typed, plain) = (typed.join(", "), args.join(", "));
    let doc = sentence(doc);
    let head = definition(
        name,
        &format!("{typed}, /, *, out: State | None = None"),
        "State",
    );
    format!(
        "\n\n_{name} = Elementwise(\"{name}\").call\n\n\n{head}\n    {doc}\n    return _{name}(out, {plain})\n"
    )
}

fn parameter(arg: &str) -> String {
    match DEFAULTS.iter().find(|(name, _)| *name == arg) {
        Some((_, value)) => format!("{arg}: ArrayLike = {value}"),
        None => format!("{arg}: ArrayLike"),
    }
}

/// The formula as a docstring: raw where it has a backslash.
fn sentence(doc: &str) -> String {
    let mark = if doc.contains('\\') { "r" } else { "" };
    format!("{mark}\"\"\"{doc}\"\"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_becomes_a_function() {
        let text = function(&row("elu\tx alpha\tx where x > 0.").unwrap());
        assert!(text.contains("def elu(x: ArrayLike, alpha: ArrayLike = 1.0, /, *, out: State | None = None) -> State:\n"));
        assert!(text.contains("    \"\"\"x where x > 0.\"\"\"\n    return _elu(out, x, alpha)\n"));
        assert!(row("elu").is_err());
    }
}
