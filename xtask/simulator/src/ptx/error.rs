//! What is wrong with a text.

/// A PTX text that cannot be read, or asks for what the simulator lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PTX line {line}: {what}: `{text}`")]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
    /// The line's text.
    pub text: String,
}

impl ParseError {
    /// An error at byte `at` of `text`.
    pub(crate) fn at(text: &str, at: usize, what: impl Into<String>) -> Self {
        let (line, content) = line_at(text, at);
        Self {
            line,
            what: what.into(),
            text: content.to_owned(),
        }
    }
}

/// The number of the line that byte `at` is on, and its text without blanks around it.
pub(crate) fn line_at(text: &str, at: usize) -> (usize, &str) {
    let at = at.min(text.len());
    let bytes = text.as_bytes();
    let number = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = bytes[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |found| found + 1);
    let end = bytes[at..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |found| at + found);
    (number, text.get(start..end).unwrap_or("").trim())
}
