//! Reads what stands outside of functions' bodies.

use std::collections::HashMap;

use super::ParseError;
use super::lexer::{Lexer, Literal, Token};
use super::statement::Variable;
use super::types::{Scalar, Space};

/// A parameter or a result of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) bytes: u32,
    pub(crate) offset: u32,
}

/// A kernel or a function that kernels call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) is_entry: bool,
    pub(crate) results: Vec<Parameter>,
    pub(crate) parameters: Vec<Parameter>,
    /// The bytes of the text between its braces; a mere declaration has none.
    pub(crate) body: Option<(usize, usize)>,
    /// `.maxntid`, multiplied.
    pub(crate) max_threads: Option<u32>,
    /// `.minnctapersm`.
    pub(crate) min_blocks: Option<u32>,
}

/// All declarations of an image.
#[derive(Debug, Default)]
pub(crate) struct Header<'t> {
    pub(crate) functions: Vec<Function>,
    pub(crate) by_name: HashMap<String, usize>,
    pub(crate) variables: Vec<Variable<'t>>,
}

impl<'t> Header<'t> {
    /// Reads all declarations of `text`.
    pub(crate) fn parse(text: &'t str) -> Result<Self, ParseError> {
        let mut reader = Reader {
            text,
            lexer: Lexer::new(text, 0, text.len()),
            header: Self::default(),
        };
        while reader.declaration()? {}
        Ok(reader.header)
    }
}

struct Reader<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    header: Header<'t>,
}

impl<'t> Reader<'t> {
    fn error<T>(&mut self, what: impl Into<String>) -> Result<T, ParseError> {
        let at = self.lexer.position();
        Err(ParseError::at(self.text, at, what))
    }

    fn declaration(&mut self) -> Result<bool, ParseError> {
        let mut external = false;
        loop {
            let before = self.lexer.clone();
            match self.lexer.token()? {
                Token::End => return Ok(false),
                Token::Mark(b';') => return Ok(true),
                Token::Word(".visible" | ".weak" | ".common") => {}
                Token::Word(".extern") => external = true,
                Token::Word(".version" | ".address_size") => {
                    self.lexer.token()?;
                    return Ok(true);
                }
                Token::Word(".target") => {
                    self.list()?;
                    return Ok(true);
                }
                Token::Word(".file" | ".loc") => return self.skip_line(),
                Token::Word(".pragma") => return self.skip_past(b';'),
                Token::Word(".section") => return self.skip_section(),
                Token::Word(".alias") => return self.error("aliases"),
                Token::Word(".entry") => return self.function(true),
                Token::Word(".func") => return self.function(false),
                Token::Word(word) if Space::named(&word[1..]).is_some() => {
                    self.lexer = before;
                    let mut found = variable(self.text, &mut self.lexer)?;
                    found.external = external;
                    self.header.variables.push(found);
                    return Ok(true);
                }
                _ => {
                    self.lexer = before;
                    return self.error("an unknown declaration");
                }
            }
        }
    }

    fn list(&mut self) -> Result<(), ParseError> {
        self.lexer.token()?;
        while self.lexer.peek()? == Token::Mark(b',') {
            self.lexer.token()?;
            self.lexer.token()?;
        }
        Ok(())
    }

    fn skip_line(&mut self) -> Result<bool, ParseError> {
        let start = self.lexer.position();
        let end = self.text[start..]
            .find('\n')
            .map_or(self.text.len(), |found| start + found);
        self.lexer = Lexer::new(self.text, end, self.text.len());
        Ok(true)
    }

    fn skip_past(&mut self, mark: u8) -> Result<bool, ParseError> {
        loop {
            match self.lexer.token()? {
                Token::Mark(found) if found == mark => return Ok(true),
                Token::End => return Ok(false),
                _ => {}
            }
        }
    }

    fn skip_section(&mut self) -> Result<bool, ParseError> {
        while self.lexer.peek()? != Token::Mark(b'{') {
            self.lexer.token()?;
        }
        let (_, end) = self.braces()?;
        self.lexer = Lexer::new(self.text, end + 1, self.text.len());
        Ok(true)
    }

    /// The bytes between the brace that comes next and its partner.
    fn braces(&mut self) -> Result<(usize, usize), ParseError> {
        let open = self.lexer.position();
        match closing(self.text.as_bytes(), open) {
            Some(end) => Ok((open + 1, end)),
            None => self.error("a body does not end"),
        }
    }

    fn function(&mut self, is_entry: bool) -> Result<bool, ParseError> {
        let mut function = Function {
            is_entry,
            ..Function::default()
        };
        if self.lexer.peek()? == Token::Mark(b'(') {
            function.results = self.parameters()?;
        }
        match self.lexer.token()? {
            Token::Word(name) => function.name = name.to_owned(),
            _ => return self.error("a function's name is missing"),
        }
        if self.lexer.peek()? == Token::Mark(b'(') {
            function.parameters = self.parameters()?;
        }
        loop {
            match self.lexer.peek()? {
                Token::Mark(b'{') => {
                    let range = self.braces()?;
                    function.body = Some(range);
                    self.lexer = Lexer::new(self.text, range.1 + 1, self.text.len());
                    break;
                }
                Token::Mark(b';') => {
                    self.lexer.token()?;
                    break;
                }
                Token::End => return self.error("a function does not end"),
                _ => self.bound(&mut function)?,
            }
        }
        self.keep(function);
        Ok(true)
    }

    fn bound(&mut self, function: &mut Function) -> Result<(), ParseError> {
        match self.lexer.token()? {
            Token::Word(".maxntid" | ".reqntid") => function.max_threads = Some(self.product()?),
            Token::Word(".minnctapersm") => function.min_blocks = Some(self.product()?),
            _ => {}
        }
        Ok(())
    }

    fn product(&mut self) -> Result<u32, ParseError> {
        let mut product = 1u32;
        loop {
            match self.lexer.token()? {
                Token::Number(Literal::Integer(value)) => {
                    product = product.saturating_mul(u32::try_from(value).unwrap_or(u32::MAX));
                }
                _ => return self.error("a number is missing"),
            }
            if self.lexer.peek()? != Token::Mark(b',') {
                return Ok(product);
            }
            self.lexer.token()?;
        }
    }

    /// A definition replaces the declaration before it.
    fn keep(&mut self, function: Function) {
        match self.header.by_name.get(&function.name) {
            Some(&index) => {
                if function.body.is_some() {
                    self.header.functions[index] = function;
                }
            }
            None => {
                self.header
                    .by_name
                    .insert(function.name.clone(), self.header.functions.len());
                self.header.functions.push(function);
            }
        }
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, ParseError> {
        self.lexer.token()?;
        let mut all = Vec::new();
        let mut offset = 0u32;
        loop {
            match self.lexer.peek()? {
                Token::Mark(b')') => {
                    self.lexer.token()?;
                    return Ok(all);
                }
                Token::Mark(b',') => {
                    self.lexer.token()?;
                }
                Token::Word(".reg") => return self.error("parameters in registers"),
                _ => {
                    let found = variable(self.text, &mut self.lexer)?;
                    let bytes = u32::try_from(found.bytes).unwrap_or(u32::MAX);
                    offset = offset.next_multiple_of(found.align as u32);
                    all.push(Parameter {
                        name: found.name.to_owned(),
                        bytes,
                        offset,
                    });
                    offset = offset.saturating_add(bytes);
                }
            }
        }
    }
}

/// The partner of the brace at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'"' => at += bytes[at + 1..].iter().position(|&byte| byte == b'"')? + 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n')?;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += bytes[at..].windows(2).position(|pair| pair == b"*/")? + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Reads a variable from its state space on.
pub(crate) fn variable<'t>(
    text: &'t str,
    lexer: &mut Lexer<'t>,
) -> Result<Variable<'t>, ParseError> {
    let at = lexer.position();
    let wrong = |what: &str| ParseError::at(text, at, what);
    let mut space = None;
    let mut scalar = None;
    let mut align = None;
    let mut lanes = 1u64;
    let name = loop {
        match lexer.token()? {
            Token::Word(".align") => {
                align = Some(unsigned(lexer).ok_or_else(|| wrong("an alignment is missing"))?)
            }
            Token::Word(".v2") => lanes = 2,
            Token::Word(".v4") => lanes = 4,
            // Says what a pointer points at.
            Token::Word(".ptr") => {}
            Token::Word(word) if word.starts_with('.') => {
                if let Some(found) = Space::named(&word[1..]) {
                    space = space.or(Some(found));
                } else {
                    scalar = Some(
                        Scalar::named(&word[1..])
                            .ok_or_else(|| wrong("a variable of an unknown type"))?,
                    );
                }
            }
            Token::Word(name) => break name,
            _ => return Err(wrong("a variable's name is missing")),
        }
    };
    let scalar = scalar.ok_or_else(|| wrong("a variable's type is missing"))?;
    let space = space.ok_or_else(|| wrong("a variable's state space is missing"))?;
    let mut bytes = u64::from(scalar.bytes()) * lanes;
    let element = bytes;
    while lexer.peek()? == Token::Mark(b'[') {
        lexer.token()?;
        let count = match lexer.peek()? {
            Token::Mark(b']') => 0,
            _ => unsigned(lexer).ok_or_else(|| wrong("a length is missing"))?,
        };
        lexer.token()?;
        bytes = bytes.saturating_mul(count);
    }
    let initial = initial(lexer).ok_or_else(|| wrong("an initial value that cannot be read"))?;
    if bytes == 0 && !initial.is_empty() {
        bytes = initial.len() as u64 * u64::from(scalar.bytes());
    }
    let align = align.unwrap_or(element);
    if !align.is_power_of_two() || align > 4096 {
        return Err(wrong("an alignment that is no power of two"));
    }
    Ok(Variable {
        space,
        name,
        scalar,
        bytes,
        align,
        initial,
        external: false,
    })
}

fn unsigned(lexer: &mut Lexer<'_>) -> Option<u64> {
    match lexer.token().ok()? {
        Token::Number(Literal::Integer(value)) => u64::try_from(value).ok(),
        _ => None,
    }
}

/// What stands after `=`, flattened.
fn initial(lexer: &mut Lexer<'_>) -> Option<Vec<Literal>> {
    let mut all = Vec::new();
    if lexer.peek().ok()? != Token::Mark(b'=') {
        return Some(all);
    }
    lexer.token().ok()?;
    let mut depth = 0;
    let mut negate = false;
    loop {
        match lexer.peek().ok()? {
            Token::Mark(b'{') => depth += 1,
            Token::Mark(b'}') => depth -= 1,
            Token::Mark(b'-') => negate = true,
            Token::Mark(b',') if depth > 0 => {}
            Token::Number(Literal::Integer(value)) => {
                all.push(Literal::Integer(if negate { -value } else { value }));
                negate = false;
            }
            Token::Number(literal) => all.push(literal),
            _ => return None,
        }
        lexer.token().ok()?;
        if depth == 0 && !negate {
            return Some(all);
        }
    }
}
