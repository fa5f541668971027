//! Whether some launch asks for each embedded kernel. The name of an entry is put together of words, some of which are chosen at run
//! time: all of them but types and sizes have to stand in literals of one module of the device that launches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::digest::read;
use super::hash;
use super::items::items;
use super::manifest::Manifest;

/// What names of entries say of types, beside numbers of bytes and of threads.
const TYPES: [&str; 15] = [
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64",
    "c64", "c128",
];

/// The words of literals, by module.
type Words = BTreeMap<String, BTreeSet<String>>;

/// Embedded kernels that no launch asks for.
pub(super) fn complaints(root: &Path, manifest: &Manifest) -> Result<Vec<String>> {
    let modules = modules(root)?;
    let mut complaints = Vec::new();
    for (family, record) in &manifest.0 {
        let idle = record.entries.iter().filter(|e| !is_asked_for(e, &modules));
        complaints.extend(idle.map(|entry| format!("{family}: no launch asks for {entry}")));
    }
    Ok(complaints)
}

fn is_asked_for(entry: &str, modules: &Words) -> bool {
    let parts = entry.split('_').filter(|part| !TYPES.contains(part));
    let parts: Vec<&str> = parts.map(without_number).collect();
    modules
        .values()
        .any(|words| parts.iter().all(|part| words.contains(*part)))
}

/// `t` of `t256`.
fn without_number(part: &str) -> &str {
    part.trim_end_matches(|c: char| c.is_ascii_digit())
}

fn modules(root: &Path) -> Result<Words> {
    let mut modules = Words::new();
    for file in hash::sources(root)? {
        let name = file.iter().nth(3).unwrap_or_default();
        let name = name.to_string_lossy().trim_end_matches(".rs").to_owned();
        let found = items(&read(&root.join(&file))?, &BTreeSet::new());
        for item in found.with_context(|| file.display().to_string())? {
            let words = modules.entry(name.clone()).or_default();
            words.extend(literals(&item).into_iter().flat_map(words_of));
        }
    }
    Ok(modules)
}

/// The literals of an item that can be a name, or a part of one.
fn literals(item: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut begin, mut escaped) = (None, false);
    for (at, c) in item.char_indices() {
        match (c, begin) {
            ('"', None) => begin = Some(at + 1),
            ('"', Some(from)) if !escaped => {
                found.push(&item[from..at]);
                begin = None;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    let of_names = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_{}".contains(c);
    found.retain(|literal| !literal.is_empty() && literal.chars().all(of_names));
    found
}

/// The words of a literal, less what is put in at run time.
fn words_of(literal: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut inside = false;
    for c in literal.chars() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    let words = plain.split('_').filter(|word| !word.is_empty());
    words.map(|word| without_number(word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{FILE, Manifest};
    use super::super::scratch::Scratch;
    use super::*;

    #[test]
    fn some_launch_asks_for_each_embedded_kernel() {
        let root = crate::tree::root().unwrap();
        let manifest = Manifest::load(&root).unwrap();
        assert_eq!(complaints(&root, &manifest).unwrap(), [""; 0]);
    }

    #[test]
    fn a_kernel_whose_launch_is_gone_is_told() {
        let tree = Scratch::new("asked");
        tree.write(
            FILE,
            r#"{"sort": {"entries": ["sort_b4_t256", "sort_tall_b4"], "images": {}}}"#,
        );
        let source = "crates/syntonic-cuda/src/sorting/rows.rs";
        let launch = r#"fn entry(tall: bool) -> String { format!("sort_{}_t{threads}", if tall { "tall" } else { "b4" }) }"#;
        let said = || complaints(tree.root(), &Manifest::load(tree.root()).unwrap()).unwrap();
        tree.write(source, launch);
        assert_eq!(said(), [""; 0]);
        // What a comment, a test or another module says is no launch.
        let gone = launch.replace("\"tall\"", "\"wide\"");
        let test = r#"#[cfg(test)] mod tests { const NAME: &str = "tall"; }"#;
        tree.write(source, &format!("/// The \"tall\" one.\n{gone}\n{test}"));
        tree.write(
            "crates/syntonic-cuda/src/fill.rs",
            "const NAME: &str = \"tall\";",
        );
        assert_eq!(said(), ["sort: no launch asks for sort_tall_b4"]);
    }

    #[test]
    fn words_are_those_of_names() {
        let item = r#"fn f ( ) { g ( "a_{b}_c4" , "No \"name\"" , "_wide" ) }"#;
        assert_eq!(literals(item), ["a_{b}_c4", "_wide"]);
        assert_eq!(words_of("a_{b}_c4"), ["a", "c"]);
        assert_eq!(words_of("_wide"), ["wide"]);
    }
}
