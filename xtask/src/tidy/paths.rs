//! The tree may lie anywhere: no committed text names a folder of one person's machine.

use super::Source;

/// Cut in two, so that this file does not accuse itself.
const FOLDERS: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/tm", "p/"),
    concat!("/Use", "rs/"),
    concat!(":\\Use", "rs\\"),
];

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        for (number, line) in source.lines() {
            let hits = FOLDERS.iter().filter(|folder| names(line, folder));
            complaints.extend(
                hits.map(|folder| format!("{}:{number}: absolute path {folder}", source.path)),
            );
        }
    }
    complaints
}

/// Whether `folder` starts a path in `line`, rather than being the middle of a relative one.
fn names(line: &str, folder: &str) -> bool {
    let starts_path = |before: &str| {
        !before.ends_with(|c: char| c.is_ascii_alphanumeric() || "._-)}$".contains(c))
    };
    line.match_indices(folder)
        .any(|(at, _)| folder.starts_with(':') || starts_path(&line[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_only() {
        for folder in FOLDERS {
            assert!(
                names(&format!("see C{folder}x"), folder)
                    || names(&format!("see {folder}x"), folder),
                "{folder}"
            );
        }
        let temporary = FOLDERS[2];
        assert!(!names(&format!("target{temporary}x"), temporary));
    }
}
