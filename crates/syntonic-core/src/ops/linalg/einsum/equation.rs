//! The letters of an equation.

use crate::error::{Error, Result};
use std::fmt;

/// The name of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    /// An axis under `...`, counted from the last.
    Dots(usize),
    /// A letter.
    Letter(char),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Dots(from_last) => write!(f, "axis -{} of ...", from_last + 1),
            Label::Letter(letter) => write!(f, "{letter}"),
        }
    }
}

/// The labels of every operand and of the result.
#[derive(Debug, PartialEq)]
pub(super) struct Equation {
    pub(super) inputs: Vec<Vec<Label>>,
    pub(super) output: Vec<Label>,
}

/// One side of a comma, before the dots are known to stand for so many axes.
struct Group {
    before: Vec<char>,
    after: Option<Vec<char>>,
}

impl Equation {
    /// Parses an equation for operands of these numbers of axes.
    pub(super) fn parse(text: &str, ndims: &[usize]) -> Result<Equation> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (left, right) = match compact.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (&compact[..], None),
        };
        let groups: Vec<Group> = left
            .split(',')
            .map(|g| Group::parse(text, g))
            .collect::<Result<_>>()?;
        if groups.len() != ndims.len() {
            return Err(malformed(
                text,
                &format!(
                    "it names {} operands, but {} were given",
                    groups.len(),
                    ndims.len()
                ),
            ));
        }
        let mut dots = 0;
        let mut inputs = Vec::new();
        for (group, &ndim) in groups.iter().zip(ndims) {
            let hidden = group.hidden(text, ndim)?;
            dots = dots.max(hidden);
            inputs.push(group.labels(hidden));
        }
        let output = match right {
            Some(right) => explicit(text, right, dots, &inputs)?,
            None => implicit(dots, &inputs),
        };
        Ok(Equation { inputs, output })
    }
}

impl Group {
    fn parse(text: &str, group: &str) -> Result<Group> {
        let letters = |part: &str| -> Result<Vec<char>> {
            match part.chars().find(|c| !c.is_ascii_alphabetic()) {
                Some(c) => Err(malformed(
                    text,
                    &format!("{c:?} is not a letter, `...`, `,` or `->`"),
                )),
                None => Ok(part.chars().collect()),
            }
        };
        match group.split_once("...") {
            Some((before, after)) => Ok(Group {
                before: letters(before)?,
                after: Some(letters(after)?),
            }),
            None => Ok(Group {
                before: letters(group)?,
                after: None,
            }),
        }
    }

    /// How many axes the dots stand for.
    fn hidden(&self, text: &str, ndim: usize) -> Result<usize> {
        let named = self.before.len() + self.after.as_ref().map_or(0, Vec::len);
        match ndim.checked_sub(named) {
            Some(rest) if rest == 0 || self.after.is_some() => Ok(rest),
            _ => Err(malformed(
                text,
                &format!("it names {named} axes of an operand that has {ndim}"),
            )),
        }
    }

    fn labels(&self, hidden: usize) -> Vec<Label> {
        let dots = (0..hidden).rev().map(Label::Dots);
        let letters = |part: &[char]| part.iter().map(|&c| Label::Letter(c)).collect::<Vec<_>>();
        let mut out = letters(&self.before);
        if let Some(after) = &self.after {
            out.extend(dots);
            out.extend(letters(after));
        }
        out
    }
}

fn explicit(text: &str, right: &str, dots: usize, inputs: &[Vec<Label>]) -> Result<Vec<Label>> {
    let group = Group::parse(text, right)?;
    if dots > 0 && group.after.is_none() {
        return Err(malformed(
            text,
            "the operands have axes under `...`, so the result needs it too",
        ));
    }
    let output = group.labels(dots);
    for (i, label) in output.iter().enumerate() {
        if output[..i].contains(label) {
            return Err(malformed(text, &format!("the result names {label} twice")));
        }
        if !inputs.iter().any(|labels| labels.contains(label)) {
            return Err(malformed(
                text,
                &format!("{label} is in the result but in no operand"),
            ));
        }
    }
    Ok(output)
}

fn implicit(dots: usize, inputs: &[Vec<Label>]) -> Vec<Label> {
    let mut letters: Vec<Label> = inputs.concat();
    letters.retain(|l| matches!(l, Label::Letter(_)));
    letters.sort_unstable();
    let once = |l: &&Label| letters.iter().filter(|x| x == l).count() == 1;
    (0..dots)
        .rev()
        .map(Label::Dots)
        .chain(letters.iter().filter(once).copied())
        .collect()
}

fn malformed(text: &str, what: &str) -> Error {
    Error::value(
        "einsum",
        format!("equation {text:?}: {what}; hint: an equation reads like \"ij,jk->ik\""),
    )
}
