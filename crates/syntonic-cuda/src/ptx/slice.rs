//! Cuts one kernel out of an image: its entry and what that refers to.
//!
//! A driver compiles the whole text that it is given, which takes seconds for a family of many kernels and some ten
//! milliseconds for one. So a kernel is loaded alone, at its first use. The text is a compiler's: top-level statements begin
//! at the left margin, and a function's body ends with a brace there.

use std::collections::{HashMap, HashSet};

/// A statement at the top level of an image.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    /// What it declares; nothing for directives, which belong to every kernel.
    pub(crate) name: Option<&'a str>,
    text: &'a str,
}

/// The text of `entries` alone; nothing if the image has not all of them.
pub(crate) fn slice(image: &str, entries: &[&str]) -> Option<String> {
    let statements = statements(image);
    let needed = reached(&statements, entries)?;
    let kept = |s: &&Statement| s.name.is_none_or(|name| needed.contains(name));
    let kept = statements.iter().filter(kept);
    Some(kept.flat_map(|s| [s.text, "\n"]).collect())
}

/// Functions out of an image.
#[derive(Debug)]
pub(crate) struct Cut<'a> {
    /// What belongs to every kernel: the version, the target.
    pub(crate) directives: Vec<&'a str>,
    /// The requested functions, by name.
    pub(crate) functions: HashMap<&'a str, &'a str>,
    /// What they refer to, by name, in the order of the image: prototypes come before bodies.
    pub(crate) others: Vec<(&'a str, &'a str)>,
}

/// The functions `names` of an image, with what they refer to; nothing if it has not all of them.
pub(crate) fn cut<'a>(image: &'a str, names: &[&str]) -> Option<Cut<'a>> {
    let statements = statements(image);
    let needed = reached(&statements, names)?;
    let mut cut = Cut {
        directives: Vec::new(),
        functions: HashMap::new(),
        others: Vec::new(),
    };
    for Statement { name, text } in statements {
        match name {
            None => cut.directives.push(text),
            Some(name) if names.contains(&name) => {
                cut.functions.insert(name, text);
            }
            Some(name) if needed.contains(name) => cut.others.push((name, text)),
            Some(_) => {}
        }
    }
    Some(cut)
}

/// The names of what `names` refer to, themselves included; nothing if one is not declared.
fn reached<'a>(statements: &[Statement<'a>], names: &[&str]) -> Option<HashSet<&'a str>> {
    let mut named: HashMap<&'a str, Vec<usize>> = HashMap::new();
    for (at, statement) in statements.iter().enumerate() {
        if let Some(name) = statement.name {
            named.entry(name).or_default().push(at);
        }
    }
    let known = |name: &str| named.get_key_value(name).map(|known| *known.0);
    let mut open: Vec<&str> = names.iter().map(|n| known(n)).collect::<Option<_>>()?;
    let mut needed: HashSet<&str> = open.iter().copied().collect();
    while let Some(name) = open.pop() {
        for &at in &named[name] {
            let mentioned = words(statements[at].text).filter_map(known);
            open.extend(mentioned.filter(|w| needed.insert(w)));
        }
    }
    Some(needed)
}

/// The statements in order; comments and blank lines between them are left out.
pub(crate) fn statements(image: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut rest = image.trim_end_matches('\0');
    while !rest.is_empty() {
        let line = rest.lines().next().unwrap_or_default();
        let length = if line.starts_with('.') {
            length(rest)
        } else {
            (line.len() + 1).min(rest.len())
        };
        let (text, after) = rest.split_at(length);
        if line.starts_with('.') {
            let name = declared(text);
            found.push(Statement { name, text });
        }
        rest = after.trim_start_matches('\n');
    }
    found
}

/// Bytes of the statement that a text begins with.
fn length(text: &str) -> usize {
    let line = text.find('\n').unwrap_or(text.len());
    if !is_function(&text[..line]) {
        return line;
    }
    let body = text.find("\n{").unwrap_or(text.len());
    let prototype = text.find(";").map_or(text.len(), |at| at + 1);
    if prototype < body {
        return prototype;
    }
    // Braces are counted: assembly written by hand may leave one at the margin.
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().skip(body) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn is_function(line: &str) -> bool {
    line.contains(".func") || line.contains(".entry")
}

/// The name that a statement declares.
fn declared(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    if is_function(line) {
        // A result stands in parentheses of its own before the name.
        let after = line.split_once(".func").or(line.split_once(".entry"))?.1;
        let after = after.trim_start();
        let after = if after.starts_with('(') {
            after.split_once(')')?.1
        } else {
            after
        };
        return words(after).next();
    }
    let variable = [".global", ".shared", ".const", ".extern"];
    if !variable.iter().any(|kind| line.contains(kind)) {
        return None;
    }
    let before = line.split(['[', '=', ';']).next()?;
    before.split_whitespace().last()
}

/// The words of a text that may be names.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    text.split(move |c| !part(c)).filter(|w| !w.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: &str = "//\n// A compiler\n//\n\n.version 8.3\n.target sm_80\n.address_size 64\n\n\t// .globl\tfirst\n\
        .func  (.param .b64 func_retval0) _Z4deepy\n(\n\t.param .b64 _Z4deepy_param_0\n)\n;\n\
        .func  (.param .b64 func_retval0) _Z5othery(.param .b64 a)\n;\n\
        .shared .align 16 .b8 room[32];\n.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n\n\
        .visible .entry first(\n\t.param .align 8 .b8 first_param_0[16]\n)\n.maxntid 128\n{\n\t.reg .b64 %rd<4>;\n\
        \tmov.u64 %rd1, room;\n\t{ // callseq\n\tcall.uni (retval0), _Z4deepy, (param0);\n\t}\n\tret;\n\n}\n\
        .visible .entry second()\n{\n\tcall.uni (retval0), _Z5othery, (param0);\n\tret;\n}\n\
        .func  (.param .b64 func_retval0) _Z4deepy(\n\t.param .b64 _Z4deepy_param_0\n)\n{\n\tld.global.u8 %rs1, [table+2];\n\tret;\n}\n\
        .func  (.param .b64 func_retval0) _Z5othery(.param .b64 a)\n{\n\tret;\n}\n\0";

    #[test]
    fn a_kernel_comes_with_what_it_reaches() {
        let first = slice(IMAGE, &["first"]).expect("it is there");
        for kept in [
            ".version 8.3",
            ".target sm_80",
            "room[32]",
            "table[8]",
            "entry first",
        ] {
            assert_eq!(first.matches(kept).count(), 1, "{kept} in {first}");
        }
        // The prototype and the body.
        assert_eq!(
            first.matches("func_retval0) _Z4deepy").count(),
            2,
            "{first}"
        );
        for dropped in ["second", "_Z5othery", "\0", "// A compiler"] {
            assert!(!first.contains(dropped), "{dropped} in {first}");
        }
        let second = slice(IMAGE, &["second"]).expect("it is there");
        assert!(
            !second.contains("room") && !second.contains("_Z4deepy"),
            "{second}"
        );
        assert_eq!(slice(IMAGE, &["third"]), None);
    }
}
