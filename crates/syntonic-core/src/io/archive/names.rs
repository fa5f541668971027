//! The names of members, in the ways that archives write them.

use super::end::u32_at;

/// The field of an entry that holds its name in UTF-8, beside one in another code.
const UNICODE_NAME: u16 = 0x7075;
/// Its version and the sum of the name that it replaces.
const UNICODE_HEAD: usize = 5;

/// Code page 437 from 128 on.
const DOS: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ',
    'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ',
    'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»', '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕',
    '╣', '║', '╗', '╝', '╜', '╛', '┐', '└', '┴', '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦',
    '╠', '═', '╬', '╧', '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫', '╪', '┘', '┌', '█', '▄', '▌', '▐',
    '▀', 'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ', 'ε', '∩', '≡', '±',
    '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{a0}',
];

/// A name in code page 437, which is how a name without the flag for UTF-8 is to be read.
pub(super) fn dos(name: &[u8]) -> String {
    let char = |byte: &u8| match byte.checked_sub(128) {
        Some(at) => DOS[usize::from(at)],
        None => char::from(*byte),
    };
    // few: three times the bytes of a name, and names have at most 65535.
    let mut out = String::with_capacity(name.iter().map(|byte| char(byte).len_utf8()).sum());
    out.extend(name.iter().map(char));
    out
}

/// The name that a field gives in place of `name`, if there is one and it is meant for this name.
pub(super) fn unicode<'a>(
    name: &[u8],
    mut fields: impl Iterator<Item = (u16, &'a [u8])>,
) -> Option<&'a str> {
    let (_, field) = fields.find(|(kind, _)| *kind == UNICODE_NAME)?;
    let (head, better) = field.split_at_checked(UNICODE_HEAD)?;
    let meant = head[0] == 1 && u32_at(head, 1) == crc32fast::hash(name);
    std::str::from_utf8(better).ok().filter(|_| meant)
}

#[cfg(test)]
mod tests {
    use super::{dos, unicode};

    #[test]
    fn names_in_every_code() {
        assert_eq!(dos(b"weights.npy"), "weights.npy");
        assert_eq!(dos(b"\x80\xe1\xea\xff"), "Çß\u{3a9}\u{a0}");
        let sum = crc32fast::hash(b"a");
        let field = [&[1], &sum.to_le_bytes()[..], "ä".as_bytes()].concat();
        let fields = || [(1, &b""[..]), (0x7075, &field)].into_iter();
        assert_eq!(unicode(b"a", fields()), Some("ä"));
        assert_eq!(unicode(b"b", fields()), None);
        assert_eq!(unicode(b"a", fields().take(1)), None);
    }
}
