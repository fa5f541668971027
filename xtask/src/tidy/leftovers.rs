//! Nothing half done lies about: no notes to self, no missing bodies, no test that is switched off or cannot fail.

use super::Source;

/// Cut in two, so that this file does not accuse itself.
const LEFTOVERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[", "ignore"),
    concat!("assert!(", "true"),
    concat!("assert ", "True"),
    concat!("pytest.", "skip"),
    concat!("mark.", "skip"),
    concat!("mark.", "xfail"),
    concat!("dbg", "!("),
];

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let code = sources
        .iter()
        .filter(|source| source.has_extension(&["rs", "py", "pyi", "cu", "cuh", "toml", "sh"]));
    code.flat_map(in_source).collect()
}

fn in_source(source: &Source) -> Vec<String> {
    let found = source.lines().flat_map(|(number, line)| {
        let hits = LEFTOVERS
            .iter()
            .filter(move |leftover| line.contains(**leftover));
        hits.map(move |leftover| format!("{}:{number}: `{leftover}` is left over", source.path))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_left_over_is_reported_with_its_line() {
        for leftover in LEFTOVERS {
            let source = Source {
                path: "a.rs".to_owned(),
                text: format!("fine\n{leftover}\n"),
            };
            let complaints = complaints(&[source]);
            assert_eq!(complaints.len(), 1, "{leftover}");
            assert!(complaints[0].starts_with("a.rs:2:"));
        }
    }
}
