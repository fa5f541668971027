//! A forked child finds no lock locked and no value half made: in what is shipped, locks are taken by `syntonic_core::fork`, and
//! values that are made once are made by it.
//!
//! The rule knows the words of the standard library. What is local to a call, which no child goes on with, says so in a comment on its
//! line or on one of the two before: `// fork:` and why.

use super::Source;

/// Where the rule holds.
const FOLDERS: &[&str] = &[
    "crates/syntonic-core/src/",
    "crates/syntonic-cuda/src/",
    "crates/syntonic-py/src/",
    "crates/syntonic-srt/src/",
];
/// Where these words are at home.
const HOME: &str = "crates/syntonic-core/src/fork/";

/// What takes a lock, or makes a value once.
const WORDS: &[&str] = &[
    ".lock().unwrap",
    ".lock_py_attached(",
    ".get_or_init(||",
    ".read().unwrap_or_else(",
    ".write().unwrap_or_else(",
    "LazyLock",
    "Condvar::new",
    "mutex.lock()",
    "Once::new",
];
/// What a comment says of what no child meets.
const MARK: &str = "fork:";

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let covered = sources.iter().filter(|source| {
        source.has_extension(&["rs"])
            && FOLDERS.iter().any(|folder| source.path.starts_with(folder))
            && !source.path.starts_with(HOME)
            && !source.is_test()
    });
    covered.flat_map(in_source).collect()
}

fn in_source(source: &Source) -> Vec<String> {
    let mut before = ["", ""];
    let mut complaints = Vec::new();
    for (number, line) in source.lines() {
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        let code = !line.trim_start().starts_with("//");
        let marked = [before[0], before[1], line]
            .iter()
            .any(|l| l.contains(MARK));
        if code
            && !marked
            && let Some(word) = WORDS.iter().find(|word| line.contains(**word))
        {
            complaints.push(format!(
                "{}:{number}: a forked child may find `{word}` under way; use syntonic_core::fork, or say `// {MARK} ..` why no child does",
                source.path
            ));
        }
        before = [before[1], line];
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> usize {
        let source = Source {
            path: "crates/syntonic-core/src/a.rs".to_owned(),
            text: text.to_owned(),
        };
        complaints(&[source]).len()
    }

    #[test]
    fn locks_and_values_of_the_standard_library_are_found() {
        assert_eq!(said("let x = m.lock().unwrap();"), 1);
        assert_eq!(said("static X: LazyLock<u8> = LazyLock::new(|| 1);"), 1);
        assert_eq!(said("let x = cell.get_or_init(|| 1);"), 1);
        assert_eq!(
            said("let x = lock(&m);\nlet y = get_or_init(&cell, || 1);"),
            0
        );
        assert_eq!(
            said("// fork: of this call alone.\nlet x = m.lock().unwrap();"),
            0
        );
        assert_eq!(
            said("/// m.lock().unwrap();\n#[cfg(test)]\nm.lock().unwrap();"),
            0
        );
    }
}
