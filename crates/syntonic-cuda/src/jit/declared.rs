//! What a text declares, for tests.

use std::collections::HashSet;

/// Registers that outer scopes of a text declare, one by one.
pub(crate) fn declared(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    for line in text.lines().filter_map(|l| l.strip_prefix(".reg .")) {
        let (_, list) = line.split_once(' ').unwrap_or_default();
        for name in list.trim_end_matches(';').split(", ") {
            match name.split_once('<') {
                Some((stem, count)) => {
                    let count: usize = count.trim_end_matches('>').parse().unwrap();
                    names.extend((0..count).map(|k| format!("{stem}{k}")));
                }
                None => _ = names.insert(name.to_owned()),
            }
        }
    }
    names
}
