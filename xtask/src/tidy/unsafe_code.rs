//! Unsafe code lives in few files, and all of them are known.

use super::Source;
use super::exceptions::{UNSAFE, allows, stale};

/// What may follow the keyword in code; in prose other words do. The attribute form stands alone.
const FORMS: &[&str] = &[
    "unsafe {",
    "unsafe fn",
    "unsafe impl",
    "unsafe extern",
    "unsafe trait",
    "#[unsafe(",
];

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let users: Vec<&str> = sources
        .iter()
        .filter(|source| is_unsafe(source))
        .map(|source| source.path.as_str())
        .collect();
    let strangers = users.iter().filter(|path| !allows(UNSAFE, path));
    let mut complaints: Vec<String> = strangers
        .map(|path| {
            format!("{path}: unsafe code in a file that xtask/src/tidy/exceptions.rs does not list")
        })
        .collect();
    complaints.extend(stale(UNSAFE, &users, "unsafe code"));
    complaints
}

fn is_unsafe(source: &Source) -> bool {
    // This file spells the forms out.
    source.has_extension(&["rs"])
        && source.path != "xtask/src/tidy/unsafe_code.rs"
        && source.lines().any(|(_, line)| has_form(line))
}

fn has_form(line: &str) -> bool {
    let code = line.trim_start();
    !code.starts_with("//") && FORMS.iter().any(|form| code.contains(form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_counts_and_prose_does_not() {
        assert!(has_form("    let x = unsafe { *p };"));
        assert!(has_form("unsafe impl Send for A {}"));
        assert!(!has_form("// SAFETY: an unsafe { block }"));
        assert!(!has_form("#![deny(unsafe_code)]"));
    }

    #[test]
    fn an_unlisted_file_is_reported() {
        let source = Source {
            path: "a.rs".to_owned(),
            text: "unsafe fn f() {}\n".to_owned(),
        };
        assert_eq!(
            complaints(&[source])
                .iter()
                .filter(|complaint| complaint.starts_with("a.rs"))
                .count(),
            1
        );
    }
}
