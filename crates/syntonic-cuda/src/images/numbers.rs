//! Numbers of registers and labels in a stored text, which say how far back the last use of the same one lies.
//!
//! A compiler counts registers through a kernel, so lines that do the same have other numbers wherever they stand: that is most of
//! what a packed text consisted of. Stored by distance, code that is repeated, and code that differs between two architectures
//! in a few lines, is the same again. A text is less than half as large for it.
//!
//! After a name like `%fd`, or `$` for a label: digits count the other names of its kind that were used since its own last use;
//! a first use is `!` where its number follows that of the first use before it, else how much larger or smaller it is, with its
//! sign. A line that begins with a dot begins a statement of its own, which counts anew.

use std::fmt::Write;

/// What stands in a text for the `$` of a stored one: names of labels, whose function is counted in the compiler's text only.
pub(crate) const LABEL: &str = "$L__BB0_";

/// The names of one kind.
#[derive(Default)]
struct Names {
    /// The number that was used for the first time last.
    newest: u32,
    /// All that were used, the last use at the end.
    used: Vec<u32>,
}

impl Names {
    fn again(&mut self, distance: usize) -> Option<u32> {
        let place = self.used.len().checked_sub(distance)?.checked_sub(1)?;
        let number = self.used.remove(place);
        self.used.push(number);
        Some(number)
    }

    fn first(&mut self, step: i64) -> Option<u32> {
        let number = i64::from(self.newest).checked_add(step)?;
        self.newest = u32::try_from(number).ok()?;
        self.used.push(self.newest);
        Some(self.newest)
    }
}

/// The text that was stored; nothing if it is none.
pub(crate) fn absolute(stored: &str) -> Option<String> {
    let mut text = String::with_capacity(stored.len() + stored.len() / 4);
    // few: as many as a kernel has types of registers
    let mut kinds: Vec<(&str, Names)> = Vec::new();
    for line in stored.split_inclusive('\n') {
        if line.starts_with('.') {
            kinds.clear();
        }
        let mut rest = line;
        while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'%' | b'$')) {
            let (before, from) = rest.split_at(at);
            let (kind, after) = from.split_at(kind_length(from));
            text.push_str(before);
            text.push_str(if kind == "$" { "" } else { kind });
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            let (length, signed) = match after.bytes().next() {
                Some(b'!') => (1, true),
                Some(b'+' | b'-') => (1 + digits(&after[1..]), true),
                _ => (digits(after), false),
            };
            let (code, after) = after.split_at(length);
            rest = after;
            if code.is_empty() {
                text.push_str(if kind == "$" { "$" } else { "" });
                continue;
            }
            let place = kinds.iter().position(|(known, _)| *known == kind);
            let place = place.unwrap_or_else(|| {
                kinds.push((kind, Names::default()));
                kinds.len() - 1
            });
            let names = &mut kinds[place].1;
            let number = match signed {
                true if code == "!" => names.first(1)?,
                true => names.first(code.parse().ok()?)?,
                false => names.again(code.parse().ok()?)?,
            };
            text.push_str(if kind == "$" { LABEL } else { "" });
            // Writing to a text cannot fail.
            write!(text, "{number}").ok()?;
        }
        text.push_str(rest);
    }
    Some(text)
}

/// Bytes of the name, up to its number, that a text begins with.
pub(crate) fn kind_length(text: &str) -> usize {
    match text.strip_prefix('%') {
        Some(name) => 1 + name.bytes().take_while(u8::is_ascii_lowercase).count(),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_become_numbers() {
        let stored = ".visible .entry a()\n{\n\t.reg .b32 %r<4>;\n\tadd %r!, %r0, %r+4;\n\tmov %r1, %tid.x;\n\tmov %f-0, %r-2;\n$!:\n\
            \tbra $0;\n}\n.func b()\n{\n\tmov %r!, %f!;\n}\n";
        let text = ".visible .entry a()\n{\n\t.reg .b32 %r<4>;\n\tadd %r1, %r1, %r5;\n\tmov %r1, %tid.x;\n\tmov %f0, %r3;\n$L__BB0_1:\n\
            \tbra $L__BB0_1;\n}\n.func b()\n{\n\tmov %r1, %f1;\n}\n";
        assert_eq!(absolute(stored).as_deref(), Some(text));
    }

    #[test]
    fn what_was_not_stored_so_is_told() {
        for wrong in [
            "%r0",
            "%r!%r1",
            "%r-1",
            "%r+",
            "%r99999999999999999999",
            "%r+4294967296",
        ] {
            assert_eq!(absolute(wrong), None, "{wrong}");
        }
    }
}
