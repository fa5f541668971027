//! That no numbered example is forgotten; the other crates' programs of the same name use this file as well.

/// Panics unless `folder` holds `count` numbered examples and `program`, the text of the test program, names each.
pub(crate) fn assert_all_are_tests(folder: &str, program: &str, count: usize) {
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    found.sort();
    let missing: Vec<&String> = found
        .iter()
        .filter(|name| !program.contains(&format!("/examples/{name}\";")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(found.len(), count);
}
