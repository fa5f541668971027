//! Every public function, trait and macro of the published crates shows its use: its documentation has an example, which runs as a test.
//!
//! What is public for sister crates alone says `#[doc(hidden)]` and needs none. What a user cannot make an example of is a row of the
//! table of exceptions.

use super::Source;
use super::exceptions::{UNSHOWN, allows, stale};

/// Where the rule holds: folders, each with a slash at its end.
const PLACES: &[&str] = &[
    "crates/syntonic-core/src/",
    "crates/syntonic-cuda/src/",
    "crates/syntonic-srt/src/",
];

/// What may stand before `fn` and `trait`. One is cut in two, so that this file is not taken for one that has such code.
const QUALIFIERS: &[&str] = &["const ", concat!("un", "safe "), "async "];
/// What opens a block and closes it.
const FENCE: &str = "```";
/// What an opening fence says of a block that runs as a test.
const RUNS: &[&str] = &["", "rust", "should_panic", "compile_fail"];

pub(super) fn complaints(sources: &[Source]) -> Vec<String> {
    let covered = sources.iter().filter(|source| {
        source.has_extension(&["rs"])
            && !source.is_test()
            && PLACES.iter().any(|place| source.path.starts_with(place))
    });
    let unshown: Vec<Unshown<'_>> = covered.flat_map(in_source).collect();
    let names: Vec<String> = unshown.iter().map(Unshown::name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let pairs = unshown.iter().zip(&names);
    let broken = pairs.filter(|(_, name)| !allows(UNSHOWN, name));
    let mut complaints: Vec<String> = broken.map(|(one, _)| one.complaint()).collect();
    complaints.extend(stale(UNSHOWN, &names, "examples"));
    complaints
}

/// A public item without an example.
struct Unshown<'a> {
    path: &'a str,
    line: usize,
    item: &'a str,
}

impl Unshown<'_> {
    /// As the table of exceptions names it.
    fn name(&self) -> String {
        format!("{}: {}", self.path, self.item)
    }

    fn complaint(&self) -> String {
        format!(
            "{}:{}: `{}` has no example; show an ordinary use, with an assertion",
            self.path, self.line, self.item
        )
    }
}

fn in_source(source: &Source) -> Vec<Unshown<'_>> {
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
        let exported = head.contains(&"#[macro_export]");
        if let Some(name) = public_item(code).or_else(|| exported.then(|| macro_name(code))?)
            && !head.iter().any(|line| line.contains("doc(hidden)"))
            && !has_example(&head)
        {
            found.push(Unshown {
                path: &source.path,
                line: number,
                item: name,
            });
        }
        head.clear();
    }
    found
}

/// Whether documentation has a block that runs. Of a text or of another language there may be blocks too.
fn has_example(head: &[&str]) -> bool {
    let mut within = false;
    head.iter().any(|line| {
        if line.contains("example!(") || line.contains('"') && line.contains(FENCE) {
            return true;
        }
        let Some(kind) = line.trim_start_matches('/').trim().strip_prefix(FENCE) else {
            return false;
        };
        within = !within;
        within && RUNS.contains(&kind)
    })
}

/// The name of the public function or trait that a line declares.
fn public_item(code: &str) -> Option<&str> {
    let mut rest = code.strip_prefix("pub ")?;
    for word in QUALIFIERS {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = ["fn ", "trait "]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?;
    name.split(['(', '<', ':', ' ']).next()
}

/// The name of the macro that a line declares.
fn macro_name(code: &str) -> Option<&str> {
    code.strip_prefix("macro_rules! ")?.split(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let source = of("a.rs", text);
        in_source(&source).iter().map(Unshown::complaint).collect()
    }

    fn of(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
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
    fn traits_and_exported_macros_are_items_too() {
        for item in [
            "pub trait Walk: Send {",
            concat!("pub un", "safe trait Walk<T> {"),
            "#[macro_export]\nmacro_rules! Walk {",
        ] {
            let complaints = found(&format!("/// What it is.\n{item}\n}}\n"));
            assert_eq!(complaints.len(), 1, "{item}");
            assert!(complaints[0].contains("`Walk`"), "{}", complaints[0]);
            assert!(found(&format!("/// ```\n/// f();\n/// ```\n{item}\n}}\n")).is_empty());
        }
        assert!(found("macro_rules! of_this_crate {\n}\n").is_empty());
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
    fn a_block_that_does_not_run_is_no_example() {
        let of = |kind: &str| format!("/// ```{kind}\n/// f();\n/// ```\npub fn f() {{}}\n");
        for kind in ["text", "no_run", "ignore", "python"] {
            assert_eq!(found(&of(kind)).len(), 1, "{kind}");
        }
        assert!(found(&of("should_panic")).is_empty());
        let both = format!("/// ```text\n/// a\n/// ```\n/// So:\n{}", of(""));
        assert!(found(&both).is_empty());
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
    fn the_rule_holds_for_the_published_crates_but_what_is_excepted() {
        let text = "pub fn slot() {}\n";
        let complained = |path: &str| {
            let all = complaints(&[of(path, text)]);
            all.iter()
                .any(|c| c.starts_with(&format!("{path}:1: `slot`")))
        };
        for path in [
            "crates/syntonic-core/src/a.rs",
            "crates/syntonic-cuda/src/a/b.rs",
            "crates/syntonic-srt/src/lib.rs",
        ] {
            assert!(complained(path), "{path}");
        }
        for path in [
            "crates/syntonic-core/tests/a.rs",
            "crates/syntonic-core/src/fuse/task.rs",
            "crates/syntonic-core/src/cpu/lanes/a.rs",
            "crates/syntonic-bench/src/a.rs",
            "xtask/src/a.rs",
        ] {
            assert!(!complained(path), "{path}");
        }
        // A row that nothing needs is one complaint.
        assert_eq!(complaints(&[]).len(), UNSHOWN.len());
    }
}
