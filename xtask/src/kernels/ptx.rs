//! Reading PTX as text: what it claims, which entries it has, and what has to be settled before it is committed.

use anyhow::{Context, Result, ensure};

use super::architecture::{Architecture, Isa};

/// In a text without kernels: a function that kernels made at run time are put together of.
const PART: &str = ") part_";

/// What the text of an image says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Claims {
    pub(super) isa: Isa,
    /// As written after `sm_`.
    pub(super) target: String,
    /// Sorted.
    pub(super) entries: Vec<String>,
}

pub(super) fn claims(text: &str) -> Result<Claims> {
    let directive = |name: &str| {
        let mut values = text.lines().filter_map(|line| line.strip_prefix(name));
        values
            .next()
            .map(str::trim)
            .with_context(|| format!("there is no line `{name}`"))
    };
    let target = directive(".target sm_")?;
    let mut entries: Vec<String> = text.lines().filter_map(entry).map(str::to_owned).collect();
    entries.sort();
    Ok(Claims {
        isa: directive(".version ")?.parse()?,
        target: target.split(',').next().unwrap_or(target).to_owned(),
        entries,
    })
}

/// The text without the two lines that differ between architectures in any case.
pub(super) fn without_target(text: &str) -> String {
    let differs = |line: &&str| !line.starts_with(".target ") && !line.starts_with(".version ");
    text.lines().filter(differs).collect::<Vec<_>>().join("\n")
}

/// The name that a line like `.visible .entry name(` declares, whatever its linkage.
fn entry(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once(".entry ")?;
    let declares = before.is_empty() || before.starts_with('.');
    rest.split(['(', ' ']).next().filter(|_| declares)
}

/// The text to commit: the instruction set lowered to the floor, and nothing in it that differs from machine to machine.
pub(super) fn settled(text: &str, architecture: Architecture) -> Result<String> {
    let claims = claims(text)?;
    let (found, floor) = (claims.isa, architecture.floor());
    ensure!(found >= floor, "version {found} is below the floor {floor}");
    ensure!(
        claims.target == architecture.to_string(),
        "is for sm_{}, not sm_{architecture}",
        claims.target
    );
    ensure!(
        !claims.entries.is_empty() || text.contains(PART),
        "has no entry; a kernel is `extern \"C\" __global__`"
    );
    let lowered = text.replacen(
        &format!(".version {found}\n"),
        &format!(".version {floor}\n"),
        1,
    );
    let settled = without_place(&without_location(&lowered));
    match absolute_path(&settled) {
        Some(path) => anyhow::bail!("names {path}, a place on this machine"),
        None => Ok(settled),
    }
}

/// The compiler makes the name of anything with internal linkage unique by a hash of where the source lies, eight digits
/// after these words. One module needs no such thing. The length stays, since mangled names count it.
fn without_location(text: &str) -> String {
    let hash = |rest: &str| {
        let hash = rest.get(..8);
        hash.filter(|hash| hash.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .map_or(0, str::len)
    };
    ["_INTERNAL_", "_GLOBAL__N__"]
        .iter()
        .fold(text.to_owned(), |text, word| {
            replaced(&text, word, |rest| (hash(rest), "00000000"))
        })
}

/// The compiler counts functions through a source in the names of labels and of a function's own memory, and calls in comments;
/// behind the name of a source in a mangled name stands a hash of all its kernels. All of that is without meaning, and would change
/// every kernel with one.
fn without_place(text: &str) -> String {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let hexadecimal = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let mut text = text.to_owned();
    for word in ["$L__BB", "__local_depot", "// callseq "] {
        text = replaced(&text, word, |rest| (digits(rest), "0"));
    }
    replaced(&text, "_cu_", |rest| match hexadecimal(rest) {
        0..8 => (0, ""),
        _ => (8, "00000000"),
    })
}

/// The text in which what follows each `word`, as long as `by` says, is what `by` says.
fn replaced(text: &str, word: &str, by: impl Fn(&str) -> (usize, &'static str)) -> String {
    let mut parts = text.split(word);
    let mut joined = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (length, instead) = by(part);
        joined.push_str(word);
        joined.push_str(if length > 0 { instead } else { "" });
        joined.push_str(&part[length..]);
    }
    joined
}

/// The first thing that looks like a path from the root of a file system. PTX has slashes in comments only.
pub(super) fn absolute_path(text: &str) -> Option<&str> {
    let words = text.split([' ', '\t', '\n', '"', ',']);
    words.into_iter().find(|word| {
        let mut letters = word.chars();
        letters.next() == Some('/')
            && letters
                .next()
                .is_some_and(|second| second != '/' && second != '*')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//\n// Cuda compilation tools\n//\n.version 9.0\n.target sm_80\n.address_size 64\n\
        \n\t// .globl\tb_entry\n.visible .entry b_entry(\n\t.param .b32 p\n)\n.weak .entry a_entry ()\n{\n}\n\
        .func helper()\n// as .entry no_entry(\n";

    fn architecture(name: &str) -> Architecture {
        name.parse().unwrap()
    }

    #[test]
    fn claims_are_read() {
        let claims = claims(TEXT).unwrap();
        assert_eq!(claims.isa, Isa::new(9, 0));
        assert_eq!(claims.target, "80");
        assert_eq!(claims.entries, ["a_entry", "b_entry"]);
        assert!(super::claims("no PTX at all").is_err());
        let debug = TEXT.replace("sm_80", "sm_80, debug");
        assert_eq!(super::claims(&debug).unwrap().target, "80");
    }

    #[test]
    fn the_version_is_lowered_and_nothing_else() {
        let lowered = settled(TEXT, architecture("80")).unwrap();
        assert_eq!(lowered, TEXT.replace(".version 9.0", ".version 8.3"));
        assert_eq!(settled(&lowered, architecture("80")).unwrap(), lowered);
        assert!(settled(TEXT, architecture("90")).is_err());
        let old = TEXT.replace(".version 9.0", ".version 8.0");
        assert!(settled(&old, architecture("80")).is_err());
        let empty = TEXT.replace(".entry", ".func");
        assert!(settled(&empty, architecture("80")).is_err());
    }

    #[test]
    fn names_do_not_depend_on_where_the_source_lies() {
        let at = |hash: &str| {
            TEXT.to_owned()
                + &format!("_ZN27_INTERNAL_{hash}_4_a_cu_k29_GLOBAL__N__{hash}_4_a_cu_k1fEi\n")
                + "_INTERNAL_short\n"
        };
        let here = settled(&at("d878e419"), architecture("80")).unwrap();
        let there = settled(&at("18898fd9"), architecture("80")).unwrap();
        assert_eq!(here, there);
        assert_eq!(here.len(), at("18898fd9").len());
        assert!(here.contains("_INTERNAL_short"));
    }

    #[test]
    fn a_kernel_does_not_depend_on_what_stands_before_it() {
        let at = |count: u32, hash: &str| {
            format!(
                "{TEXT}\t.local .b8 __local_depot{count}[8];\n\tld.const _ZN44_INTERNAL_00000000_8_a_b_c_cu_{hash}3synE;\n\
                    \t{{ // callseq {count}, 0\n\t}} // callseq {count}\n\tbra $L__BB{count}_7;\n$L__BB{count}_7:\n\tret; // a_cu_1"
            )
        };
        let first = settled(&at(1, "547c702a"), architecture("80")).unwrap();
        assert_eq!(
            first,
            settled(&at(12, "98ab00c1"), architecture("80")).unwrap()
        );
        for kept in [
            "$L__BB0_7:",
            "__local_depot0[8]",
            "callseq 0, 0\n",
            "_cu_000000003synE",
            "a_cu_1",
        ] {
            assert!(first.contains(kept), "{kept} in {first}");
        }
    }

    #[test]
    fn a_place_on_this_machine_is_refused() {
        assert_eq!(absolute_path(TEXT), None);
        assert_eq!(absolute_path("/* a */ kernels/a.cu"), None);
        let text = TEXT.to_owned() + ".file 1 \"/srv/kernels/a.cu\"\n";
        assert_eq!(absolute_path(&text), Some("/srv/kernels/a.cu"));
        assert!(settled(&text, architecture("80")).is_err());
    }
}
