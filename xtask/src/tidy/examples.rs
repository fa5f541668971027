//! Every public function of the places below shows its use: its documentation has an example, which runs as a test.
//!
//! A place is finished once and stays so. What is public for sister crates alone says `#[doc(hidden)]` and needs none.

use super::Source;

/// Where the rule holds: files, and folders with a slash at their end.
const PLACES: &[&str] = &[
    "crates/syntonic-core/src/advisor/",
    "crates/syntonic-core/src/dtype.rs",
    "crates/syntonic-core/src/error.rs",
    "crates/syntonic-core/src/fuse/backward.rs",
    "crates/syntonic-core/src/fuse/builder.rs",
    "crates/syntonic-core/src/fuse/grad.rs",
    "crates/syntonic-core/src/fuse/interpreter.rs",
    "crates/syntonic-core/src/fuse/notation.rs",
    "crates/syntonic-core/src/fuse/prim.rs",
    "crates/syntonic-core/src/fuse/program.rs",
    "crates/syntonic-core/src/fuse/reference.rs",
    "crates/syntonic-core/src/graph/mod.rs",
    "crates/syntonic-core/src/group/",
    "crates/syntonic-core/src/interrupt.rs",
    "crates/syntonic-core/src/io/",
    "crates/syntonic-core/src/layout.rs",
    "crates/syntonic-core/src/layout/",
    "crates/syntonic-core/src/lazy/explain.rs",
    "crates/syntonic-core/src/ops/composites.rs",
    "crates/syntonic-core/src/ops/conversion.rs",
    "crates/syntonic-core/src/ops/create.rs",
    "crates/syntonic-core/src/ops/elementwise.rs",
    "crates/syntonic-core/src/ops/elementwise/",
    "crates/syntonic-core/src/ops/gather.rs",
    "crates/syntonic-core/src/ops/index/",
    "crates/syntonic-core/src/ops/join.rs",
    "crates/syntonic-core/src/ops/linalg/activation.rs",
    "crates/syntonic-core/src/ops/linalg/basic.rs",
    "crates/syntonic-core/src/ops/linalg/cross.rs",
    "crates/syntonic-core/src/ops/linalg/einsum/",
    "crates/syntonic-core/src/ops/linalg/factor/",
    "crates/syntonic-core/src/ops/linalg/fused.rs",
    "crates/syntonic-core/src/ops/linalg/gemv_chain.rs",
    "crates/syntonic-core/src/ops/linalg/layer.rs",
    "crates/syntonic-core/src/ops/linalg/matmul.rs",
    "crates/syntonic-core/src/ops/linalg/precision.rs",
    "crates/syntonic-core/src/ops/linalg/promise.rs",
    "crates/syntonic-core/src/ops/order/",
    "crates/syntonic-core/src/ops/pad.rs",
    "crates/syntonic-core/src/ops/random.rs",
    "crates/syntonic-core/src/ops/rearrange.rs",
    "crates/syntonic-core/src/ops/reduce.rs",
    "crates/syntonic-core/src/ops/row_operators.rs",
    "crates/syntonic-core/src/ops/scan.rs",
    "crates/syntonic-core/src/ops/softmax.rs",
    "crates/syntonic-core/src/pipeline/builder.rs",
    "crates/syntonic-core/src/pipeline/check.rs",
    "crates/syntonic-core/src/pipeline/executors.rs",
    "crates/syntonic-core/src/pipeline/fault.rs",
    "crates/syntonic-core/src/pipeline/plan.rs",
    "crates/syntonic-core/src/pipeline/report.rs",
    "crates/syntonic-core/src/profile/mod.rs",
    "crates/syntonic-core/src/profile/report.rs",
    "crates/syntonic-core/src/profile/sites.rs",
    "crates/syntonic-core/src/profile/stopwatch.rs",
    "crates/syntonic-core/src/random/",
    "crates/syntonic-core/src/room.rs",
    "crates/syntonic-core/src/run.rs",
    "crates/syntonic-core/src/scalar.rs",
    "crates/syntonic-core/src/tensor/",
    "crates/syntonic-srt/src/",
];

/// What may stand before `fn`. One is cut in two, so that this file is not taken for one that has such code.
const QUALIFIERS: &[&str] = &["const ", concat!("un", "safe "), "async "];
/// What opens an example.
const FENCE: &str = "```";

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let covered = sources.iter().filter(|source| {
        source.has_extension(&["rs"])
            && !source.is_test()
            && PLACES.iter().any(|place| is_in(&source.path, place))
    });
    let mut complaints: Vec<String> = covered.flat_map(in_source).collect();
    let stale = PLACES
        .iter()
        .filter(|place| !sources.iter().any(|source| is_in(&source.path, place)));
    complaints.extend(
        stale.map(|place| format!("{place}: no such place; take it off the list of examples")),
    );
    complaints
}

fn is_in(path: &str, place: &str) -> bool {
    path == place || (place.ends_with('/') && path.starts_with(place))
}

fn in_source(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    // What stands before an item: its documentation and its attributes.
    let mut head: Vec<&str> = Vec::new();
    // An attribute that goes on over several lines.
    let mut open = false;
    let mut lines = source.lines().peekable();
    while let Some((number, line)) = lines.next() {
        let code = line.trim();
        let opens_tests = code == "#[cfg(test)]"
            && lines.peek().is_some_and(|(_, next)| {
                next.starts_with("mod ") && next.trim_end().ends_with('{')
            });
        if opens_tests {
            break;
        }
        if open || code.starts_with("//") || code.starts_with("#[") {
            open = (open || code.starts_with("#[")) && !code.ends_with(']');
            head.push(code);
            continue;
        }
        if let Some(name) = public_function(code)
            && !head.iter().any(|line| line.contains("doc(hidden)"))
            && !head
                .iter()
                .any(|line| line.contains(FENCE) || line.contains("example!("))
        {
            found.push(format!(
                "{}:{number}: `{name}` has no example; show an ordinary use, with an assertion",
                source.path
            ));
        }
        head.clear();
    }
    found
}

/// The name of the public function that a line declares.
fn public_function(code: &str) -> Option<&str> {
    let mut rest = code.strip_prefix("pub ")?;
    for word in QUALIFIERS {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        in_source(&Source {
            path: "a.rs".to_owned(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn a_function_without_an_example_is_reported_with_its_line() {
        for head in ["", "/// What it does.\n#[inline]\n", "// ```\nstruct A;\n"] {
            for function in [
                "pub fn f(x: u32) {",
                concat!("pub const un", "safe fn f<T>() {"),
            ] {
                let complaints = found(&format!("{head}{function}\n}}\n"));
                assert_eq!(complaints.len(), 1, "{head}{function}");
                assert!(complaints[0].contains(&format!(":{}: `f`", head.lines().count() + 1)));
            }
        }
    }

    #[test]
    fn an_example_counts_for_the_next_function_alone() {
        let shown = "/// ```\n/// f();\n/// ```\n#[cfg_attr(\n    a,\n    b\n)]\npub fn f() {}\n";
        assert!(found(shown).is_empty());
        assert_eq!(found(&format!("{shown}pub fn g() {{}}\n")).len(), 1);
        assert!(
            found("#[doc = concat!(\n    \"```\\nf();\\n```\"\n)]\npub fn f() {}\n").is_empty()
        );
    }

    #[test]
    fn what_nobody_calls_needs_none() {
        for text in [
            "pub(crate) fn f() {}\n",
            "fn f() {}\n",
            "#[doc(hidden)]\npub fn f() {}\n",
            "#[cfg(test)]\nmod tests {\n    pub fn f() {}\n}\n",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_rule_holds_where_the_list_says() {
        assert!(is_in("a/b.rs", "a/b.rs") && is_in("a/b/c.rs", "a/b/"));
        assert!(!is_in("a/b.rs", "a/b") && !is_in("a/bc.rs", "a/b/"));
        assert_eq!(complaints(&[]).len(), PLACES.len());
    }
}
