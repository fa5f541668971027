//! The text of an image as it is committed: what its kernels reach, in an order that a change elsewhere in a source leaves as it is.

use anyhow::{Context, Result};

use super::ptx;
use super::slice::slice;

/// What the kernels of an image reach. An image without kernels stays as it is.
pub(super) fn of_its_kernels(image: &str) -> Result<String> {
    let entries = ptx::claims(image)?.entries;
    if entries.is_empty() {
        return Ok(image.to_owned());
    }
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let text = slice(image, &entries).context("an entry cannot be taken out")?;
    Ok(ordered(&text))
}

/// The text with variables that stand one after the other in order: the compiler has them in that of their first use in a
/// source.
fn ordered(text: &str) -> String {
    let is_variable = |line: &str| {
        let kinds = [".shared", ".const", ".global", ".extern"];
        line.starts_with('.') && line.ends_with(';') && kinds.iter().any(|kind| line.contains(kind))
    };
    let mut lines: Vec<&str> = text.lines().collect();
    for run in lines.chunk_by_mut(|a, b| is_variable(a) && is_variable(b)) {
        run.sort_unstable();
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_kernel_reaches_is_left_out_and_variables_are_in_order() {
        let entry =
            |name: &str, body: &str| format!(".visible .entry {name}()\n{{\n\t{body}\n}}\n");
        let image = [
            ".version 8.3\n.target sm_80\n.shared .b8 room[32];\n.const .b8 table[8];\n.const .b8 idle[8];\n".to_owned(),
            entry("fill_b2", "ld %r1, table;"),
            entry("fill_b1", "ld %r1, room;"),
        ]
        .concat();
        let text = of_its_kernels(&image).unwrap();
        for kept in [
            ".target sm_80",
            "fill_b1",
            "fill_b2",
            "room[32]",
            "table[8]",
        ] {
            assert_eq!(text.matches(kept).count(), 1, "{kept} in {text}");
        }
        assert!(!text.contains("idle"));
        let later = image.replace(
            ".shared .b8 room[32];\n.const .b8 table[8];\n",
            ".const .b8 table[8];\n.shared .b8 room[32];\n",
        );
        assert_ne!(later, image);
        assert_eq!(of_its_kernels(&later).unwrap(), text);
        assert_eq!(of_its_kernels(&text).unwrap(), text);
        let parts = ".version 8.3\n.target sm_80\n.func part_add()\n{\n}\n";
        assert_eq!(of_its_kernels(parts).unwrap(), parts);
    }
}
