//! Cuts PTX text into tokens.

use super::ParseError;

/// One token of PTX text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    /// A name, an opcode with its modifiers, a directive or a register.
    Word(&'t str),
    /// A number.
    Number(Literal),
    /// What stands between quotes.
    Text(&'t str),
    /// One punctuation character.
    Mark(u8),
    /// The end of the text.
    End,
}

/// A number as PTX writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal {
    /// An integer, two's complement.
    Integer(i64),
    /// The bits of a 32-bit float (`0f…`).
    Single(u32),
    /// The bits of a 64-bit float (`0d…` or decimal).
    Double(u64),
}

/// Reads tokens one after another.
#[derive(Clone)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Lexer<'t> {
    /// Reads `text` from byte `at` up to byte `end`.
    pub(crate) fn new(text: &'t str, at: usize, end: usize) -> Self {
        Self {
            text,
            at,
            end: end.min(text.len()),
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        let index = self.at + ahead;
        if index < self.end {
            self.text.as_bytes()[index]
        } else {
            0
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | b'\n' | b'\r', _) => self.at += 1,
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => {
                    let rest = &self.text[self.at..self.end];
                    self.at = rest
                        .find("*/")
                        .map_or(self.end, |found| self.at + found + 2);
                }
                // A line marker of the preprocessor.
                (b'#', _) => self.skip_line(),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.end && self.byte(0) != b'\n' {
            self.at += 1;
        }
    }

    /// Where the next token starts.
    pub(crate) fn position(&mut self) -> usize {
        self.skip_blanks();
        self.at
    }

    /// The next token, which stays where it is.
    pub(crate) fn peek(&mut self) -> Result<Token<'t>, ParseError> {
        let at = self.at;
        let token = self.token();
        self.at = at;
        token
    }

    /// The next token.
    pub(crate) fn token(&mut self) -> Result<Token<'t>, ParseError> {
        self.skip_blanks();
        if self.at >= self.end {
            return Ok(Token::End);
        }
        let first = self.byte(0);
        match first {
            b'0'..=b'9' => self.number(),
            b'"' => self.quoted(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'%' => Ok(self.word()),
            b'.' if self.byte(1).is_ascii_alphabetic() => Ok(self.word()),
            _ if first.is_ascii() => {
                self.at += 1;
                Ok(Token::Mark(first))
            }
            _ => Err(ParseError::at(
                self.text,
                self.at,
                "a character outside ASCII",
            )),
        }
    }

    fn word(&mut self) -> Token<'t> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(0) {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.' => self.at += 1,
                b':' if self.byte(1) == b':' && self.byte(2).is_ascii_alphanumeric() => {
                    self.at += 2
                }
                _ => return Token::Word(&self.text[start..self.at]),
            }
        }
    }

    fn quoted(&mut self) -> Result<Token<'t>, ParseError> {
        let start = self.at + 1;
        match self.text[start..self.end].find('"') {
            Some(length) => {
                self.at = start + length + 1;
                Ok(Token::Text(&self.text[start..start + length]))
            }
            None => Err(ParseError::at(
                self.text,
                self.at,
                "a quotation that does not end",
            )),
        }
    }

    fn number(&mut self) -> Result<Token<'t>, ParseError> {
        let start = self.at;
        while matches!(self.byte(0), b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.')
            || (matches!(self.byte(0), b'+' | b'-') && self.is_exponent(start))
        {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        literal(digits).map(Token::Number).ok_or_else(|| {
            ParseError::at(
                self.text,
                start,
                format!("the number {digits} cannot be read"),
            )
        })
    }

    fn is_exponent(&self, start: usize) -> bool {
        let read = &self.text[start..self.at];
        read.contains('.') && read.ends_with(['e', 'E'])
    }
}

fn literal(digits: &str) -> Option<Literal> {
    let bytes = digits.as_bytes();
    if bytes[0] == b'0' && bytes.len() > 1 {
        let rest = &digits[2..];
        match bytes[1] {
            b'f' | b'F' => return u32::from_str_radix(rest, 16).ok().map(Literal::Single),
            b'd' | b'D' => return u64::from_str_radix(rest, 16).ok().map(Literal::Double),
            _ => {}
        }
    }
    if digits.contains('.') {
        return digits
            .parse::<f64>()
            .ok()
            .map(|value| Literal::Double(value.to_bits()));
    }
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let (radix, rest) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    u64::from_str_radix(rest, radix)
        .ok()
        .map(|value| Literal::Integer(value as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text, 0, text.len());
        let mut all = Vec::new();
        loop {
            match lexer.token().unwrap() {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn an_instruction_is_cut_at_its_punctuation() {
        assert_eq!(
            tokens("st.shared::cluster.u32 [%r1+-4], 0xfF; // end"),
            [
                Token::Word("st.shared::cluster.u32"),
                Token::Mark(b'['),
                Token::Word("%r1"),
                Token::Mark(b'+'),
                Token::Mark(b'-'),
                Token::Number(Literal::Integer(4)),
                Token::Mark(b']'),
                Token::Mark(b','),
                Token::Number(Literal::Integer(255)),
                Token::Mark(b';'),
            ]
        );
    }

    #[test]
    fn numbers_of_every_kind_are_read() {
        assert_eq!(literal("0f3F800000"), Some(Literal::Single(0x3F80_0000)));
        assert_eq!(
            literal("0d3FF0000000000000"),
            Some(Literal::Double(1f64.to_bits()))
        );
        assert_eq!(literal("18446744073709551615"), Some(Literal::Integer(-1)));
        assert_eq!(literal("017"), Some(Literal::Integer(15)));
        assert_eq!(literal("0b101U"), Some(Literal::Integer(5)));
        assert_eq!(literal("8.3"), Some(Literal::Double(8.3f64.to_bits())));
    }

    #[test]
    fn a_label_ends_at_its_colon() {
        assert_eq!(
            tokens("$L__BB0_2: ret;")[..2],
            [Token::Word("$L__BB0_2"), Token::Mark(b':')]
        );
    }
}
