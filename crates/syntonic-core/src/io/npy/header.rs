//! The header of a `.npy` file: a Python dictionary of three entries.

use super::MAGIC;
use crate::dtype::{DType, Kind};
use crate::io::elements::Order;

/// Which axis is walked fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// The last.
    RowMajor,
    /// The first.
    Fortran,
}

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: DType,
    pub(super) order: Order,
    pub(super) axes: Axes,
    pub(super) shape: Vec<usize>,
}

impl Header {
    /// Lengths of the axes, the fastest last.
    pub(super) fn stored_shape(&self) -> Vec<usize> {
        match self.axes {
            Axes::RowMajor => self.shape.clone(),
            Axes::Fortran => self.shape.iter().rev().copied().collect(),
        }
    }
}

/// Magic string, version, length and dictionary, padded so that the elements begin at a multiple of 64.
pub(super) fn write(dtype: DType, shape: &[usize]) -> Vec<u8> {
    let lengths: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let lengths = match shape {
        [_] => lengths.trim_end(),
        _ => lengths.trim_end_matches(", "),
    };
    let mut text = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({lengths}), }}",
        descr(dtype)
    );
    let short = text.len() + 1 + 10 + 63 <= usize::from(u16::MAX);
    let before = if short { 10 } else { 12 };
    let total = (before + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', total - before - text.len() - 1));
    text.push('\n');
    // few: the bytes of a header.
    let mut out = MAGIC.to_vec();
    out.extend([if short { 1 } else { 2 }, 0]);
    out.extend(&(text.len() as u32).to_le_bytes()[..before - 8]);
    out.extend(text.bytes());
    out
}

/// NumPy's spelling of a type, little-endian.
fn descr(dtype: DType) -> String {
    let letter = match dtype.kind() {
        Kind::Bool => 'b',
        Kind::Signed => 'i',
        Kind::Unsigned => 'u',
        // Never written, see `check_dtype`.
        Kind::Float | Kind::Stored => 'f',
        Kind::Complex => 'c',
    };
    let order = if dtype.size() == 1 { '|' } else { '<' };
    format!("{order}{letter}{}", dtype.size())
}

fn read_descr(text: &str) -> Result<(DType, Order), String> {
    let mut chars = text.chars();
    let order = match chars.next() {
        Some('<' | '|') => Order::Little,
        Some('>') => Order::Big,
        Some('=') => Order::NATIVE,
        _ => return Err(format!("the element type {text:?} names no byte order")),
    };
    let rest = chars.as_str();
    if rest.starts_with('O') {
        return Err("it holds pickled Python objects, which loading would run as code; hint: save a numeric array".into());
    }
    let known = DType::ALL
        .into_iter()
        .filter(|&d| d != DType::BF16)
        .find(|&d| descr(d)[1..] == *rest);
    // A number of several bytes has an order.
    let dtype = known.filter(|d| d.size() == 1 || !text.starts_with('|'));
    dtype.map(|d| (d, order)).ok_or_else(|| {
        format!("its element type {text:?} is none of bool, integers, floats and complex numbers")
    })
}

/// What the dictionary says, or what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Header, String> {
    let mut reader = Reader { rest: text };
    let (mut descr, mut axes, mut shape) = (None, None, None);
    reader.expect('{')?;
    while !reader.take('}') {
        let key = reader.string()?;
        reader.expect(':')?;
        let repeated = match key {
            "descr" => descr.replace(reader.descr()?).is_some(),
            "fortran_order" => axes.replace(reader.axes()?).is_some(),
            "shape" => shape.replace(reader.shape()?).is_some(),
            _ => return Err(format!("its header has an unknown entry {key:?}")),
        };
        if repeated {
            return Err(format!("its header has {key:?} twice"));
        }
        if !reader.take(',') {
            reader.expect('}')?;
            break;
        }
    }
    reader.end()?;
    let missing = |key: &str| format!("its header has no {key:?}");
    let (dtype, order) = descr.ok_or_else(|| missing("descr"))?;
    Ok(Header {
        dtype,
        order,
        axes: axes.ok_or_else(|| missing("fortran_order"))?,
        shape: shape.ok_or_else(|| missing("shape"))?,
    })
}

/// Reads the few forms of Python's notation that occur.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.take(c) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(12).collect();
        Err(format!("its header has {found:?} where {c:?} should be"))
    }

    fn end(&mut self) -> Result<(), String> {
        if self.rest.trim().is_empty() {
            Ok(())
        } else {
            Err("its header goes on after the dictionary".into())
        }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.take('"') {
            '"'
        } else {
            self.expect('\'')?;
            '\''
        };
        let (text, rest) = self
            .rest
            .split_once(quote)
            .ok_or("a string in its header does not end")?;
        self.rest = rest;
        Ok(text)
    }

    fn descr(&mut self) -> Result<(DType, Order), String> {
        if self.take('[') {
            return Err(
                "it holds records of several fields, which no tensor can; hint: save each field"
                    .into(),
            );
        }
        read_descr(self.string()?)
    }

    fn axes(&mut self) -> Result<Axes, String> {
        self.rest = self.rest.trim_start();
        for (word, axes) in [("True", Axes::Fortran), ("False", Axes::RowMajor)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(axes);
            }
        }
        Err("'fortran_order' in its header is neither True nor False".into())
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.take(')') {
            shape.push(self.length()?);
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn length(&mut self) -> Result<usize, String> {
        self.rest = self.rest.trim_start();
        let digits = self.rest.len()
            - self
                .rest
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let (number, rest) = self.rest.split_at(digits);
        // Python 2 wrote long integers with a letter.
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        number
            .parse()
            .map_err(|_| format!("a length in its header is {number:?}, not a number of elements"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(dtype: DType, shape: &[usize]) -> String {
        let bytes = write(dtype, shape);
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(bytes.last(), Some(&b'\n'));
        String::from_utf8(bytes[10..].to_vec()).unwrap()
    }

    #[test]
    fn tuples_are_pythons() {
        assert!(text(DType::F32, &[]).contains("'shape': (), }"));
        assert!(text(DType::F32, &[3]).contains("'shape': (3,), }"));
        assert!(text(DType::F32, &[3, 0]).contains("'shape': (3, 0), }"));
        assert!(text(DType::Bool, &[]).starts_with("{'descr': '|b1', 'fortran_order': False, "));
    }

    #[test]
    fn headers_come_back() {
        for dtype in DType::ALL.into_iter().filter(|&d| d != DType::BF16) {
            for shape in [&[][..], &[7], &[0, 5], &[2, 3, 4]] {
                let back = parse(&text(dtype, shape)).unwrap();
                assert_eq!((back.dtype, &back.shape[..]), (dtype, shape));
                assert_eq!(back.axes, Axes::RowMajor);
            }
        }
    }

    #[test]
    fn long_headers_have_version_two() {
        let shape = vec![1; 40_000];
        let bytes = write(DType::U8, &shape);
        assert_eq!((bytes[6], bytes.len() % 64), (2, 0));
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        assert_eq!(length as usize + 12, bytes.len());
    }
}
