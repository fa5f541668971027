//! The items of a Rust source as the compiler sees them, without what decides nothing: comments, lints, tests, the names of
//! files, and in which file an item lies.

use std::collections::BTreeSet;
use std::str::FromStr;

use anyhow::{Error, Result};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Attributes that change no code.
const SILENT: [&str; 8] = [
    "allow", "cfg_attr", "deny", "doc", "expect", "forbid", "must_use", "warn",
];

/// Every item of a source, each as its tokens in one line. `modules` are the names of the crate's files and folders: a path
/// is written without them, so that a file may move.
pub(super) fn items(source: &str, modules: &BTreeSet<String>) -> Result<Vec<String>> {
    let tokens = TokenStream::from_str(source).map_err(|error| Error::msg(error.to_string()))?;
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut items = Vec::new();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let (item, after) = rest.split_at(end(rest));
        let mut text = String::new();
        write(item, modules, &mut text);
        // What is left of `pub use`.
        if !text.is_empty() && text != "; " {
            items.push(text);
        }
        rest = after;
    }
    Ok(items)
}

/// The length of the first item: up to a body in braces or a semicolon.
fn end(tokens: &[TokenTree]) -> usize {
    if matches!(&tokens[0], TokenTree::Ident(word) if word == "use") {
        return past_semicolon(tokens);
    }
    let last = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    last.map_or(tokens.len(), |at| at + 1)
}

fn past_semicolon(tokens: &[TokenTree]) -> usize {
    let is = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
    tokens.iter().position(is).map_or(tokens.len(), |at| at + 1)
}

/// Writes tokens, each with a space behind it.
fn write(tokens: &[TokenTree], modules: &BTreeSet<String>, text: &mut String) {
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let Some((attribute, length)) = attribute(rest) {
            at += length;
            if is_for_tests(attribute) {
                at += end(&tokens[at..]);
            } else if !is_silent(attribute) {
                text.push_str("# ");
                group(attribute, modules, text);
            }
            continue;
        }
        at += match skipped(rest, modules) {
            0 => {
                match &rest[0] {
                    TokenTree::Group(inner) => group(inner, modules, text),
                    token => {
                        text.push_str(&token.to_string());
                        text.push(' ');
                    }
                }
                1
            }
            length => length,
        };
    }
}

fn group(group: &Group, modules: &BTreeSet<String>, text: &mut String) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("( ", ") "),
        Delimiter::Brace => ("{ ", "} "),
        Delimiter::Bracket => ("[ ", "] "),
        Delimiter::None => ("", ""),
    };
    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
    text.push_str(open);
    write(&inner, modules, text);
    text.push_str(close);
}

/// The attribute that comes first, and how many tokens it takes.
fn attribute(tokens: &[TokenTree]) -> Option<(&Group, usize)> {
    let is = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    if !is(0, '#') {
        return None;
    }
    let at = if is(1, '!') { 2 } else { 1 };
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            Some((group, at + 1))
        }
        _ => None,
    }
}

fn is_silent(attribute: &Group) -> bool {
    let first = attribute.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if SILENT.contains(&name.to_string().as_str()))
}

fn is_for_tests(attribute: &Group) -> bool {
    let text = attribute.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text == "test" || text.starts_with("cfg(all(test,")
}

/// How many tokens come first that say only where things lie: `mod name;`, `use ...;`, `pub(crate)`, a module of a path.
fn skipped(tokens: &[TokenTree], modules: &BTreeSet<String>) -> usize {
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(name)) => name.to_string(),
        _ => String::new(),
    };
    let punct = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => punct.as_char(),
        _ => ' ',
    };
    match word(0).as_str() {
        "use" => past_semicolon(tokens),
        "mod" if punct(2) == ';' => 3,
        "pub" => match tokens.get(1) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                let to = group.stream().into_iter().next();
                let to = to.map(|token| token.to_string()).unwrap_or_default();
                let scope = ["crate", "super", "self", "in"].contains(&to.as_str());
                1 + usize::from(scope)
            }
            _ => 1,
        },
        "crate" | "super" | "self" if punct(1) == ':' && punct(2) == ':' => 3,
        name if modules.contains(name) && punct(1) == ':' && punct(2) == ':' => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<String> {
        let modules = ["rows".to_owned(), "map".to_owned()].into();
        let mut items = items(source, &modules).unwrap();
        items.sort();
        items
    }

    #[test]
    fn words_for_people_and_places_do_not_count() {
        let plain = of("fn a() -> u32 { plan(u32::MAX, \"// x\") } const B: u8 = 1;");
        let same = "//! Told.\n#![allow(dead_code)]\nmod rows;\npub use crate::rows::{self, plan};\n/// Known.\n\
            pub(super) const B: u8 = 1; // why\n#[expect(unused, reason = \"none\")]\npub fn a() -> u32 {\n    \
            use super::{Plan, plan}; // first\n    super::rows::plan(u32::MAX, \"// x\")\n}\n\
            #[cfg(test)]\nmod tests { #[test] fn t() { assert!(false) } }\n\
            #[cfg(all(test, feature = \"x\"))]\nstruct Seen;";
        assert_eq!(of(same), plain);
    }

    #[test]
    fn code_counts() {
        let plain = of("fn a() -> u32 { plan(u32::MAX, \"// x\") }");
        for other in [
            "fn a() -> u32 { plan(u64::MAX, \"// x\") }",
            "fn a() -> u32 { plan(u32::MAX, \"// y\") }",
            "fn a() -> u32 { plan(u32::MAX, \"// x\"); }",
            "#[inline] fn a() -> u32 { plan(u32::MAX, \"// x\") }",
            "fn a() -> u32 { Plan::plan(u32::MAX, \"// x\") }",
            "fn b() -> u32 { plan(u32::MAX, \"// x\") }",
        ] {
            assert_ne!(of(other), plain, "{other}");
        }
    }
}
