//! What grows with the data of a call is asked for with `syntonic_core::room`, whose refusal is an error; the collections of
//! the standard library end the process instead. The rule looks where operators and the CPU work.
//!
//! What is sized by a number of axes, operands or nodes stays as it is: a line that says so by the names in it needs nothing,
//! any other needs a comment on it or on the line before that says `few:` and what bounds it.

use super::Source;

/// Where the rule holds.
const FOLDERS: &[&str] = &[
    "crates/syntonic-core/src/cpu/",
    "crates/syntonic-core/src/io/",
    "crates/syntonic-core/src/ops/",
    "crates/syntonic-core/src/random/",
    "crates/syntonic-core/src/tensor/",
    "crates/syntonic-srt/src/",
];

/// What takes memory without asking. Stable sorts take half of what they sort.
const TAKERS: &[&str] = &[
    "with_capacity(",
    ".to_vec()",
    ".resize(",
    ".sort()",
    ".sort_by(",
    ".sort_by_key(",
    ".sort_by_cached_key(",
    ".par_sort()",
    ".par_sort_by(",
    ".par_sort_by_key(",
];
/// What takes memory too, and is looked at in files that ask for room: they have data at hand.
const GATHERERS: &[&str] = &[".collect()", ".collect::<"];
/// Names of what is as long as there are axes, operands or nodes of a program.
const SHORT: &[&str] = &[
    "ndim",
    "shape",
    "strides",
    "dims",
    "axes",
    "code.len()",
    "code.iter()",
    "accumulators",
    "nodes.len()",
    "program",
    "labels",
    "args",
    "operands",
];
/// Names of what is as long as the data, whatever else a line says.
const LONG: &[&str] = &["numel", "product()"];
/// What a comment says of a number that is bounded.
const MARK: &str = "few:";

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let covered = sources.iter().filter(|source| {
        source.has_extension(&["rs"])
            && FOLDERS.iter().any(|folder| source.path.starts_with(folder))
            && !source.is_test()
    });
    covered.flat_map(in_source).collect()
}

fn in_source(source: &Source) -> Vec<String> {
    let has_data = source.text.contains("room::");
    let mut before = "";
    let mut complaints = Vec::new();
    for (number, line) in source.lines() {
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        let marked =
            line.contains(MARK) || (before.trim_start().starts_with("//") && before.contains(MARK));
        if !marked && let Some(taker) = taker(line, has_data) {
            complaints.push(format!(
                "{}:{number}: `{taker}` takes memory without asking; use syntonic_core::room, or say `// {MARK} ..` what bounds it",
                source.path
            ));
        }
        before = line;
    }
    complaints
}

/// What in a line takes memory that may grow with the data.
fn taker(line: &str, has_data: bool) -> Option<&'static str> {
    let code = line.split("//").next().unwrap_or(line);
    let is_short = SHORT.iter().any(|name| code.contains(name));
    if is_short && !LONG.iter().any(|name| code.contains(name)) {
        return None;
    }
    if repeats(code) {
        return Some("vec![..; n]");
    }
    let gatherers = GATHERERS.iter().filter(|_| has_data);
    let mut found = TAKERS.iter().chain(gatherers);
    found.find(|taker| code.contains(**taker)).copied()
}

/// Whether a vector is made of one value many times: a semicolon within the brackets, and not the end of a statement.
fn repeats(code: &str) -> bool {
    let inside = code
        .split("vec![")
        .nth(1)
        .and_then(|rest| rest.rsplit_once(']'));
    inside.is_some_and(|(inside, _)| inside.contains(';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        complaints(&[Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }])
    }

    const PLACE: &str = "crates/syntonic-core/src/ops/a.rs";

    #[test]
    fn each_taker_is_reported_with_its_line() {
        for taker in TAKERS {
            let complaints = found(PLACE, &format!("fine\nlet a = b{taker}"));
            assert_eq!(complaints.len(), 1, "{taker}");
            assert!(complaints[0].starts_with("crates/syntonic-core/src/ops/a.rs:2:"));
        }
        assert_eq!(found(PLACE, "let a = vec![0; n];").len(), 1);
        assert_eq!(
            found(PLACE, "let a = vec![0; shape.iter().product()];").len(),
            1
        );
        assert!(found(PLACE, "let a = vec![x, y]; f();").is_empty());
    }

    #[test]
    fn what_is_bounded_passes() {
        for line in [
            "let a = vec![0; x.ndim()];",
            "let a = vec![0; n]; // few: one for each level",
            "// few: one for each level\nlet a = vec![0; n];",
            "/// As `x.to_vec()` does.",
            "#[cfg(test)]\nlet a = vec![0; n];",
        ] {
            assert!(found(PLACE, line).is_empty(), "{line}");
        }
        assert!(found("crates/syntonic-py/src/a.rs", "let a = vec![0; n];").is_empty());
        assert!(
            found(
                "crates/syntonic-core/src/ops/tests.rs",
                "let a = vec![0; n];"
            )
            .is_empty()
        );
    }

    #[test]
    fn gathering_is_looked_at_where_there_is_data() {
        let line = "let a: Vec<u32> = b.collect();";
        assert!(found(PLACE, line).is_empty());
        assert_eq!(
            found(
                PLACE,
                &format!("use crate::room;\nlet c = room::zeros(n)?;\n{line}")
            )
            .len(),
            1
        );
    }
}
