//! A file is a noun of one idea; beyond a page count it is several.

use std::path::Path;

use super::Source;
use super::exceptions::{LONG, allows, stale};
use crate::{generate, kernels};

/// Lines of code in one file, tests not counted.
const CEILING: usize = 500;

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let long: Vec<(&str, usize)> = sources
        .iter()
        .filter(|source| source.has_extension(&["rs", "py", "cu", "cuh"]) && !is_test(&source.path))
        .filter(|source| !is_generated(&source.path))
        .map(|source| (source.path.as_str(), code_lines(&source.text)))
        .filter(|(_, lines)| *lines > CEILING)
        .collect();
    let named: Vec<&str> = long.iter().map(|(path, _)| *path).collect();
    let broken = long.iter().filter(|(path, _)| !allows(LONG, path));
    let mut complaints: Vec<String> = broken
        .map(|(path, lines)| format!("{path}: {lines} lines, more than {CEILING}; cut it by idea"))
        .collect();
    complaints.extend(stale(LONG, &named, "length"));
    complaints
}

fn is_generated(path: &str) -> bool {
    let path = Path::new(path);
    generate::is_generated(path) || kernels::is_generated(path)
}

fn is_test(path: &str) -> bool {
    path.split('/')
        .any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"))
}

/// Lines before the unit tests, which stand at the end of a file.
fn code_lines(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |pair: &[&str]| {
        let (attribute, opening) = (pair[0].trim(), pair[1].trim());
        attribute == "#[cfg(test)]" && opening.starts_with("mod ") && opening.ends_with('{')
    };
    lines
        .windows(2)
        .position(opens_tests)
        .unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_tests_are_not_counted() {
        assert_eq!(code_lines("a\nb\n#[cfg(test)]\nmod tests {\n}\n"), 2);
        assert_eq!(code_lines("a\n#[cfg(test)]\nuse b;\n"), 3);
        // Tests in a file of their own do not end the code.
        assert_eq!(code_lines("a\n#[cfg(test)]\nmod tests;\nb\n"), 4);
        assert!(
            is_test("crates/x/tests/y.rs") && is_test("a/tests.rs") && !is_test("src/latest.rs")
        );
    }

    #[test]
    fn a_long_file_is_reported() {
        let text = "line\n".repeat(CEILING + 1);
        let long = Source {
            path: "a.rs".to_owned(),
            text,
        };
        assert_eq!(
            complaints(&[long])
                .iter()
                .filter(|complaint| complaint.starts_with("a.rs"))
                .count(),
            1
        );
    }
}
