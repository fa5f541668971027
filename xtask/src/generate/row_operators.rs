//! The row operators of the Python package with their gradients, from the tables of the engine.

use anyhow::{Context, Result};

use super::definition;
use crate::command::{example, read};

const HEAD: &str = r#""""Row operators and their gradients. Written by `cargo xtask gen` from the tables of the engine; do not edit.

They look at whole rows, those along `axis`. Operands are real floats of one shape, or one row for all.
"""

from __future__ import annotations

from syntonic._core import RowOperator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

"#;

/// One row of a table.
struct Row {
    name: String,
    operands: Vec<String>,
    /// Each as `name=value`.
    settings: Vec<String>,
    doc: String,
}

/// The whole text of the module.
pub(super) fn module() -> Result<String> {
    let table = example("row_operator_table").and_then(|mut print| read(&mut print));
    let table = table.context("the tables of the engine cannot be printed")?;
    let mut rows = table.lines().map(row).collect::<Result<Vec<_>>>()?;
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let names: String = rows
        .iter()
        .map(|Row { name, .. }| format!("    \"{name}\",\n    \"{name}_backward\",\n"))
        .collect();
    let functions: String = rows.iter().map(functions).collect();
    Ok(format!("{HEAD}__all__ = [\n{names}]\n{functions}"))
}

fn row(line: &str) -> Result<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, operands, settings, doc] = fields[..] else {
        anyhow::bail!("a row of four fields, not {line:?}");
    };
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Ok(Row {
        name: name.to_owned(),
        operands: list(operands),
        settings: list(settings),
        doc: doc.replace("\\", "\\\\"),
    })
}

fn functions(row: &Row) -> String {
    let Row {
        name,
        operands,
        settings,
        doc,
    } = row;
    let typed: Vec<String> = operands.iter().map(|o| format!("{o}: ArrayLike")).collect();
    let typed = typed.join(", ");
    let mut named: Vec<String> = settings.iter().map(|s| parameter(s)).collect();
    named.push("axis: int = -1".to_owned());
    let named = named.join(", ");
    let (given, numbers) = (
        tuple(operands.iter()),
        tuple(settings.iter().map(|s| setting(s))),
    );
    let (kind, unpacked) = match operands.len() {
        1 => (
            "State".to_owned(),
            format!("_{name}.backward(grad, {given}, {numbers}, axis)[0]"),
        ),
        n => {
            let states = vec!["State"; n].join(", ");
            let names: Vec<String> = operands.iter().map(|o| format!("of_{o}")).collect();
            let names = names.join(", ");
            let call = format!("    {names} = _{name}.backward(grad, {given}, {numbers}, axis)\n");
            (format!("tuple[{states}]"), format!("{call}\0{names}"))
        }
    };
    let (before, result) = unpacked.split_once('\0').unwrap_or(("", &unpacked));
    let wrt: Vec<String> = operands.iter().map(|o| format!("`{o}`")).collect();
    let (wrt, s) = (
        wrt.join(" and "),
        if operands.len() == 1 { "" } else { "s" },
    );
    let forward = definition(name, &format!("{typed}, *, {named}"), "State");
    let backward = format!("grad: ArrayLike, {typed}, *, {named}");
    let backward = definition(&format!("{name}_backward"), &backward, &kind);
    format!(
        "\n\n_{name} = RowOperator(\"{name}\")\n\n\n\
         {forward}\n    \"\"\"{doc}\"\"\"\n    return _{name}.call({given}, {numbers}, axis)\n\n\n\
         {backward}\n    \
         \"\"\"The gradient{s} of `{name}` with respect to {wrt}, from that of its result, `grad`.\"\"\"\n{before}    return {result}\n"
    )
}

/// A setting as a parameter.
fn parameter(setting: &str) -> String {
    let (name, usual) = setting.split_once('=').unwrap_or((setting, "0.0"));
    format!("{name}: float = {usual}")
}

/// The name of a setting.
fn setting(text: &str) -> &str {
    text.split_once('=').map_or(text, |(name, _)| name)
}

/// A Python tuple.
fn tuple<S: AsRef<str>>(names: impl Iterator<Item = S>) -> String {
    let names: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
    match &names[..] {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_becomes_a_function_and_its_gradient() {
        let text = functions(&row("rms_norm\tx weight\teps=1e-6\tx over its root.").unwrap());
        for part in [
            "def rms_norm(x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-6, axis: int = -1) -> State:\n    \"\"\"x over its root.\"\"\"\n",
            "    return _rms_norm.call((x, weight), (eps,), axis)\n",
            "-> tuple[State, State]:\n",
            "    of_x, of_weight = _rms_norm.backward(grad, (x, weight), (eps,), axis)\n    return of_x, of_weight\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let text = functions(&row("entropy\tp\t\t-sum(p ln p).").unwrap());
        assert!(
            text.contains("return _entropy.backward(grad, (p,), (), axis)[0]\n"),
            "{text}"
        );
        assert!(row("entropy").is_err());
    }
}
