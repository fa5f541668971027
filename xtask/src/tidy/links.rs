//! A link from one document to another leads somewhere.

use std::collections::HashSet;

use super::Source;

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let paths: HashSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let documents = sources
        .iter()
        .filter(|source| source.has_extension(&["md"]));
    documents
        .flat_map(|document| broken(document, &paths))
        .collect()
}

fn broken(document: &Source, paths: &HashSet<&str>) -> Vec<String> {
    let links = document
        .lines()
        .flat_map(|(number, line)| targets(line).map(move |target| (number, target)));
    let local = links.filter(|(_, target)| !target.contains("://") && !target.starts_with('#'));
    let lost = local.filter(|(_, target)| !leads_somewhere(&document.path, target, paths));
    lost.map(|(number, target)| {
        format!(
            "{}:{number}: the link to {target} leads nowhere",
            document.path
        )
    })
    .collect()
}

/// What stands in the round brackets of each `[text](target)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](")
        .filter_map(|(at, open)| line[at + open.len()..].split(')').next())
}

/// The path that `target` is, seen from the document, both with forward slashes.
pub(super) fn place(document: &str, target: &str) -> String {
    let mut place: Vec<&str> = document.split('/').collect();
    place.pop();
    for step in target
        .split('#')
        .next()
        .unwrap_or_default()
        .trim_end_matches('/')
        .split('/')
    {
        match step {
            "." => {}
            ".." => drop(place.pop()),
            step => place.push(step),
        }
    }
    place.join("/")
}

/// Whether `target`, seen from the document, is a file of the tree or a folder with files in it.
fn leads_somewhere(document: &str, target: &str, paths: &HashSet<&str>) -> bool {
    let place = place(document, target);
    paths.contains(place.as_str())
        || paths
            .iter()
            .any(|path| path.starts_with(&format!("{place}/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_the_web_are_told_apart() {
        let file = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let text =
            "[a](../b.md#top) [b](../crates) [c](https://example.org/x)\n[d](c.md) [e](#here)\n";
        let tree = [
            file("docs/a.md", text),
            file("b.md", ""),
            file("crates/x/lib.rs", ""),
        ];
        assert_eq!(
            complaints(&tree),
            ["docs/a.md:2: the link to c.md leads nowhere"]
        );
    }
}
