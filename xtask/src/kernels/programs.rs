//! An image in pieces, of which each is a text of its own: one for each program of rows, so that a change of one formula
//! changes the files of that formula. All other kernels of a family stay together.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::ptx;
use super::slice::slice;

/// The texts of an image by the names of their programs.
pub(super) type Texts = BTreeMap<String, String>;

/// What the names of the kernels of a program begin with, and then its fingerprint.
const ROWS: &str = "rows_";
const FINGERPRINT: usize = 16;

/// The program that an entry belongs to: its name up to the fingerprint, nothing for kernels of no program.
pub(super) fn program(entry: &str) -> &str {
    let end = ROWS.len() + FINGERPRINT;
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let fingerprint = entry
        .strip_prefix(ROWS)
        .and_then(|rest| rest.get(..FINGERPRINT));
    let of_rows = fingerprint.is_some_and(is_hex) && entry[end..].starts_with('_');
    if of_rows { &entry[..end] } else { "" }
}

/// The programs of sorted `entries`, in order; a family without kernels is one text as well.
pub(super) fn programs(entries: &[String]) -> Vec<&str> {
    let mut all: Vec<&str> = entries.iter().map(|entry| program(entry)).collect();
    all.sort_unstable();
    all.dedup();
    if all.is_empty() {
        all.push("");
    }
    all
}

/// The texts of an image, each with what its kernels reach.
pub(super) fn cut(image: &str) -> Result<Texts> {
    let entries = ptx::claims(image)?.entries;
    if entries.is_empty() {
        return Ok(Texts::from([(String::new(), image.to_owned())]));
    }
    let mut texts = Texts::new();
    for name in programs(&entries) {
        let own = entries.iter().map(String::as_str);
        let own: Vec<&str> = own.filter(|entry| program(entry) == name).collect();
        let text = slice(image, &own).context("an entry cannot be taken out")?;
        texts.insert(name.to_owned(), ordered(&text));
    }
    Ok(texts)
}

/// The text with variables that stand one after the other in order: the compiler has them in that of their first use in a
/// source, which another program changes.
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
    fn kernels_of_rows_belong_to_programs() {
        assert_eq!(
            program("rows_0a359a8be03dcf1a_single"),
            "rows_0a359a8be03dcf1a"
        );
        assert_eq!(
            program("rows_0a359a8be03dcf1a_summed_pieces"),
            "rows_0a359a8be03dcf1a"
        );
        for other in [
            "fill_b1",
            "rows_0a359a8be03dcf1a",
            "rows_0a359a8be03dcf1_held",
            "row_sums_f32",
        ] {
            assert_eq!(program(other), "", "{other}");
        }
        assert_eq!(programs(&[]), [""]);
    }

    #[test]
    fn a_program_has_its_kernels_and_what_they_reach() {
        let (one, two) = ("rows_0123456789abcdef", "rows_fedcba9876543210");
        let entry =
            |name: &str, body: &str| format!(".visible .entry {name}()\n{{\n\t{body}\n}}\n");
        let image = [
            ".version 8.3\n.target sm_80\n.shared .b8 room[32];\n.const .b8 table[8];\n".to_owned(),
            entry(&format!("{two}_held"), "ld %r1, table;"),
            entry(&format!("{one}_held"), "ret;"),
            entry("fill_b1", "ret;"),
            entry(&format!("{two}_few"), "ld %r1, room;"),
        ]
        .concat();
        let texts = cut(&image).unwrap();
        assert_eq!(texts.keys().collect::<Vec<_>>(), ["", one, two]);
        let count = |name: &str, word: &str| texts[name].matches(word).count();
        assert_eq!(
            (
                count(two, ".entry"),
                count(two, "room[32]"),
                count(two, "table[8]")
            ),
            (2, 1, 1)
        );
        assert_eq!(
            (
                count(one, ".entry"),
                count(one, "room"),
                count(one, ".target sm_80")
            ),
            (1, 0, 1)
        );
        assert_eq!(count("", "fill_b1"), 1);
        let later = image.replace(
            ".shared .b8 room[32];\n.const .b8 table[8];\n",
            ".const .b8 table[8];\n.shared .b8 room[32];\n",
        );
        assert_ne!(later, image);
        assert_eq!(cut(&later).unwrap(), texts);
        let parts = ".version 8.3\n.target sm_80\n.func part_add()\n{\n}\n";
        assert_eq!(cut(parts).unwrap()[""], parts);
    }
}
