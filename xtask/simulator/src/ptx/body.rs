//! Reads the statements of a function.

use super::ParseError;
use super::header::variable;
use super::lexer::{Lexer, Literal, Token};
use super::statement::{Instruction, Operand, Statement};
use super::types::{Scalar, Space};

/// The statements between the braces that stand at bytes `start..end` of `text`, the braces themselves excluded.
pub(crate) fn body(text: &str, start: usize, end: usize) -> Result<Vec<Statement<'_>>, ParseError> {
    let mut reader = Reader {
        text,
        lexer: Lexer::new(text, start, end),
    };
    reader.statements(false)
}

struct Reader<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
}

impl<'t> Reader<'t> {
    fn error<T>(&mut self, what: impl Into<String>) -> Result<T, ParseError> {
        let at = self.lexer.position();
        Err(ParseError::at(self.text, at, what))
    }

    fn expect(&mut self, mark: u8) -> Result<(), ParseError> {
        if self.lexer.peek()? == Token::Mark(mark) {
            self.lexer.token()?;
            return Ok(());
        }
        self.error(format!("`{}` is missing", mark as char))
    }

    fn accept(&mut self, mark: u8) -> Result<bool, ParseError> {
        let found = self.lexer.peek()? == Token::Mark(mark);
        if found {
            self.lexer.token()?;
        }
        Ok(found)
    }

    fn word(&mut self) -> Result<&'t str, ParseError> {
        match self.lexer.peek()? {
            Token::Word(word) => {
                self.lexer.token()?;
                Ok(word)
            }
            _ => self.error("a name is missing"),
        }
    }

    fn statements(&mut self, nested: bool) -> Result<Vec<Statement<'t>>, ParseError> {
        let mut all = Vec::new();
        loop {
            match self.lexer.peek()? {
                Token::End if nested => return self.error("a scope does not end"),
                Token::End => return Ok(all),
                Token::Mark(b'}') if nested => {
                    self.lexer.token()?;
                    return Ok(all);
                }
                Token::Mark(b'{') => {
                    self.lexer.token()?;
                    all.push(Statement::Scope(self.statements(true)?));
                }
                Token::Mark(b';') => {
                    self.lexer.token()?;
                }
                Token::Word(word) if word.starts_with('.') => self.directive(&mut all)?,
                _ => self.instruction_or_label(&mut all)?,
            }
        }
    }

    fn directive(&mut self, all: &mut Vec<Statement<'t>>) -> Result<(), ParseError> {
        match self.lexer.peek()? {
            Token::Word(".reg") => {
                self.lexer.token()?;
                all.push(self.registers()?);
                Ok(())
            }
            Token::Word(".pragma" | ".loc" | ".file") => self.skip_statement(),
            Token::Word(word) if Space::named(&word[1..]).is_some() => {
                all.push(Statement::Variable(variable(self.text, &mut self.lexer)?));
                self.expect(b';')
            }
            _ => self.error("an unknown directive"),
        }
    }

    /// A pragma ends with a semicolon, a location with its line; both are of no consequence.
    fn skip_statement(&mut self) -> Result<(), ParseError> {
        let Token::Word(word) = self.lexer.token()? else {
            return Ok(());
        };
        if word == ".pragma" {
            while !matches!(self.lexer.token()?, Token::Mark(b';') | Token::End) {}
            return Ok(());
        }
        let start = self.lexer.position();
        let length = self.text[start..].find('\n').unwrap_or(0);
        while self.lexer.position() < start + length && self.lexer.peek()? != Token::End {
            self.lexer.token()?;
        }
        Ok(())
    }

    fn registers(&mut self) -> Result<Statement<'t>, ParseError> {
        let of = self.word()?;
        let Some(scalar) = of.strip_prefix('.').and_then(Scalar::named) else {
            return self.error("registers of an unknown type");
        };
        let mut names = Vec::new();
        loop {
            let name = self.word()?;
            let mut count = None;
            if self.accept(b'<')? {
                let Token::Number(Literal::Integer(number)) = self.lexer.token()? else {
                    return self.error("a count of registers is missing");
                };
                count = Some(u32::try_from(number).unwrap_or(0));
                self.expect(b'>')?;
            }
            names.push((name, count));
            if !self.accept(b',')? {
                break;
            }
        }
        self.expect(b';')?;
        Ok(Statement::Registers {
            kind: scalar.kind(),
            names,
        })
    }

    fn instruction_or_label(&mut self, all: &mut Vec<Statement<'t>>) -> Result<(), ParseError> {
        let at = self.lexer.position();
        let mut guard = None;
        if self.accept(b'@')? {
            let negate = self.accept(b'!')?;
            guard = Some((self.word()?, negate));
        }
        let opcode = self.word()?;
        if guard.is_none() && self.accept(b':')? {
            return self.after_label(opcode, all);
        }
        let mut operands = Vec::new();
        if !self.accept(b';')? {
            loop {
                operands.push(self.operand()?);
                if self.accept(b';')? {
                    break;
                }
                self.expect(b',')?;
            }
        }
        all.push(Statement::Instruction(Instruction {
            guard,
            opcode,
            operands,
            at,
        }));
        Ok(())
    }

    fn after_label(
        &mut self,
        label: &'t str,
        all: &mut Vec<Statement<'t>>,
    ) -> Result<(), ParseError> {
        if self.lexer.peek()? != Token::Word(".branchtargets") {
            all.push(Statement::Label(label));
            return Ok(());
        }
        self.lexer.token()?;
        let mut names = vec![self.word()?];
        while self.accept(b',')? {
            names.push(self.word()?);
        }
        self.expect(b';')?;
        all.push(Statement::Targets(label, names));
        Ok(())
    }

    fn operand(&mut self) -> Result<Operand<'t>, ParseError> {
        match self.lexer.peek()? {
            Token::Mark(b'[') => {
                self.lexer.token()?;
                self.address()
            }
            Token::Mark(b'{') => {
                self.lexer.token()?;
                let mut all = vec![self.operand()?];
                while self.accept(b',')? {
                    all.push(self.operand()?);
                }
                self.expect(b'}')?;
                Ok(Operand::Vector(all))
            }
            Token::Mark(b'(') => {
                self.lexer.token()?;
                let mut names = Vec::new();
                if !self.accept(b')')? {
                    loop {
                        names.push(self.word()?);
                        if !self.accept(b',')? {
                            break;
                        }
                    }
                    self.expect(b')')?;
                }
                Ok(Operand::Group(names))
            }
            Token::Mark(b'!') => {
                self.lexer.token()?;
                Ok(Operand::Not(self.word()?))
            }
            Token::Mark(b'-') | Token::Number(_) => Ok(Operand::Number(self.number()?)),
            _ => self.named(),
        }
    }

    fn named(&mut self) -> Result<Operand<'t>, ParseError> {
        let name = self.word()?;
        if self.accept(b'|')? {
            return Ok(Operand::Pair(name, self.word()?));
        }
        if self.accept(b'+')? {
            return match self.number()? {
                Literal::Integer(offset) => Ok(Operand::Sum(name, offset)),
                _ => self.error("an offset that is no integer"),
            };
        }
        Ok(Operand::Name(name))
    }

    fn number(&mut self) -> Result<Literal, ParseError> {
        let negate = self.accept(b'-')?;
        match self.lexer.peek()? {
            Token::Number(literal) => {
                self.lexer.token()?;
                Ok(match (literal, negate) {
                    (literal, false) => literal,
                    (Literal::Integer(value), true) => Literal::Integer(value.wrapping_neg()),
                    (Literal::Single(bits), true) => Literal::Single(bits ^ 1 << 31),
                    (Literal::Double(bits), true) => Literal::Double(bits ^ 1 << 63),
                })
            }
            _ => self.error("a number is missing"),
        }
    }

    fn address(&mut self) -> Result<Operand<'t>, ParseError> {
        let mut base = None;
        let mut offset = 0i64;
        match self.lexer.peek()? {
            Token::Word(word) => {
                self.lexer.token()?;
                base = Some(word);
            }
            _ => offset = self.integer()?,
        }
        loop {
            match self.lexer.peek()? {
                Token::Mark(b'+') => {
                    self.lexer.token()?;
                    offset = offset.wrapping_add(self.integer()?);
                }
                Token::Mark(b'-') => offset = offset.wrapping_add(self.integer()?),
                _ => break,
            }
        }
        if self.accept(b',')? {
            let Operand::Vector(coordinates) = self.operand()? else {
                return self.error("coordinates are missing");
            };
            self.expect(b']')?;
            return Ok(Operand::Element(base, offset, coordinates));
        }
        self.expect(b']')?;
        Ok(Operand::Address(base, offset))
    }

    fn integer(&mut self) -> Result<i64, ParseError> {
        match self.number()? {
            Literal::Integer(value) => Ok(value),
            _ => self.error("an offset that is no integer"),
        }
    }
}
