//! What ranks say to each other.

/// The first bytes of every message, so that whoever else comes to the port is known as a stranger.
const WORD: [u8; 4] = *b"SyGr";
/// Raised with every change of what is said.
pub(super) const VERSION: u16 = 2;
/// Bytes before the body: the word, the version, the kind, the number of the call, the length of the body.
pub(super) const HEAD: usize = 24;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Kind {
    /// A rank comes: its number, the size of its world, its own challenge and its proof.
    Hello = 1,
    /// All ranks have come: the proof of rank 0.
    Welcome = 2,
    /// Rank 0 is in the call, and waits for others.
    Here = 3,
    /// What a rank brings to the call.
    Part = 4,
    /// What all have brought.
    Whole = 5,
    /// The group is at its end: the number of a rank, and what it did.
    End = 6,
    /// The challenge of rank 0, to whoever comes.
    Challenge = 7,
}

const KINDS: [Kind; 7] = [
    Kind::Hello,
    Kind::Welcome,
    Kind::Here,
    Kind::Part,
    Kind::Whole,
    Kind::End,
    Kind::Challenge,
];

/// The head of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) call: u64,
    pub(super) len: usize,
}

/// What is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// It is no rank of ours.
    Stranger,
    /// One of another version.
    Version(u16),
}

impl Head {
    pub(super) fn bytes(self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&WORD);
        bytes[4..6].copy_from_slice(&VERSION.to_le_bytes());
        bytes[6..8].copy_from_slice(&(self.kind as u16).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.call.to_le_bytes());
        bytes[16..].copy_from_slice(&(self.len as u64).to_le_bytes());
        bytes
    }

    pub(super) fn of(bytes: &[u8; HEAD]) -> Result<Head, Foreign> {
        if bytes[..4] != WORD {
            return Err(Foreign::Stranger);
        }
        let version = u16::from_le_bytes([bytes[4], bytes[5]]);
        if version != VERSION {
            return Err(Foreign::Version(version));
        }
        let kind = u16::from_le_bytes([bytes[6], bytes[7]]);
        let kind = KINDS.into_iter().find(|&k| k as u16 == kind);
        let (call, rest) = number(&bytes[8..]).ok_or(Foreign::Stranger)?;
        let (len, _) = number(rest).ok_or(Foreign::Stranger)?;
        Ok(Head {
            kind: kind.ok_or(Foreign::Stranger)?,
            call,
            len: usize::try_from(len).map_err(|_| Foreign::Stranger)?,
        })
    }
}

/// A number at the beginning of a body, and what is behind it.
pub(super) fn number(body: &[u8]) -> Option<(u64, &[u8])> {
    let (head, rest) = body.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*head), rest))
}

/// Characters of a text that came over a wire, at most.
const LONGEST_TEXT: usize = 4000;

/// A text that came over a wire, to be shown: what would move a terminal's cursor, or turn the direction of what is written, is spelt
/// out.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut shown = String::new();
    for (k, c) in text.chars().enumerate() {
        if k == LONGEST_TEXT {
            shown.push_str(" ..");
            break;
        }
        let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        match c.is_control() || turns {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_move_no_cursor() {
        assert_eq!(
            shown("raised ValueError: größer".as_bytes()),
            "raised ValueError: größer"
        );
        assert_eq!(
            shown(b"a\x1b[2Jb\r\n\0c\x7f"),
            "a\\u{1b}[2Jb\\r\\n\\u{0}c\\u{7f}"
        );
        assert_eq!(
            shown("\u{9b}1m \u{202e}x".as_bytes()),
            "\\u{9b}1m \\u{202e}x"
        );
        assert_eq!(shown(b"\xff"), "\u{fffd}");
        assert!(shown(&[b'x'; 70_000]).len() < 5000);
    }

    #[test]
    fn heads_come_back_and_strangers_are_known() {
        for kind in KINDS {
            let head = Head {
                kind,
                call: 7,
                len: 1 << 40,
            };
            assert_eq!(Head::of(&head.bytes()), Ok(head));
        }
        let head = Head {
            kind: Kind::Part,
            call: 1,
            len: 0,
        }
        .bytes();
        let changed = |at: usize, byte: u8| {
            let mut head = head;
            head[at] = byte;
            Head::of(&head)
        };
        assert_eq!(changed(0, b'G'), Err(Foreign::Stranger));
        assert_eq!(changed(4, 9), Err(Foreign::Version(9)));
        assert_eq!(changed(6, 99), Err(Foreign::Stranger));
    }
}
