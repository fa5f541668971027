//! Words of programs that are known before any request, in the text of the kernel.

/// A word of a program, as it is known before any request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    /// Its bits.
    Number(u64),
    /// A place in the shared memory of a lane: bytes from its start.
    Shared(u64),
    /// An address on the card, which differs from queue to queue.
    Address(u64),
}

/// Statements that load words of which the value is known, as statements that set it: what hangs on them is computed as the kernel is
/// assembled.
pub(super) fn settled(text: &str, words: &[Known]) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&set(line, words).unwrap_or_else(|| line.to_owned()));
        out.push('\n');
    }
    out
}

/// The statement that sets what this one loads; nothing where it loads no word that is known.
fn set(line: &str, words: &[Known]) -> Option<String> {
    let load = line.strip_prefix("ld.param.")?.strip_suffix("];")?;
    let (what, offset) = load.split_once(", [whole+")?;
    let (kind, register) = what.split_once(' ')?;
    let offset: usize = offset.parse().ok()?;
    let size = match kind {
        "u32" | "s32" | "b32" | "f32" => 4,
        "u64" | "s64" | "b64" | "f64" => 8,
        _ => return None,
    };
    match *words.get(offset / 8)? {
        Known::Number(bits) => {
            // A word of two halves, or of one in its place.
            let bits = bits >> (8 * (offset % 8));
            Some(match kind {
                "f32" => format!("mov.f32 {register}, 0f{:08x};", bits as u32),
                "f64" => format!("mov.f64 {register}, 0d{bits:016x};"),
                _ if size == 4 => format!("mov.b32 {register}, {:#x};", bits as u32),
                _ => format!("mov.b64 {register}, {bits:#x};"),
            })
        }
        Known::Shared(at) => (size == 8 && offset.is_multiple_of(8))
            .then(|| format!("add.u64 {register}, base, {at};")),
        Known::Address(_) => None,
    }
}

/// Statements whose operands and words lie in shared memory, or on the card: their addresses say which. Parameters of functions
/// that are called stay what they are.
pub(super) fn anywhere(text: &str) -> String {
    let spaces = [
        ("ld.global.nc", "ld"),
        ("ld.global.L1::no_allocate", "ld"),
        ("ld.global", "ld"),
        ("st.global", "st"),
        ("atom.global", "atom"),
        ("cvta.to.global.u64", "mov.b64"),
    ];
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let is_word = line.contains("[whole") || line.contains("[of_round");
        let line = match is_word {
            true => line.replace("ld.param", "ld"),
            false => line.to_owned(),
        };
        let each = spaces.iter();
        out += &each.fold(line, |line, (space, any)| line.replace(space, any));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_known_are_set_and_others_loaded() {
        let words = [
            Known::Number(0x0000_0007_0000_0005),
            Known::Shared(96),
            Known::Address(77),
            Known::Number(1.5f64.to_bits()),
            Known::Number(u64::from(2.5f32.to_bits())),
        ];
        let text = "ld.param.u32 by, [whole+0];\nld.param.u32 shift, [whole+4];\nld.param.u64 base0, [whole+8];\n\
                    ld.param.u64 base1, [whole+16];\nld.param.f64 v1_0, [whole+24];\nld.param.f32 v2_0, [whole+32];\n\
                    ld.param.b16 v3_0, [whole+0];\nld.param.u64 base2, [of_round+8];\nadd.u32 row, row, by;\n";
        assert_eq!(
            settled(text, &words),
            "mov.b32 by, 0x5;\nmov.b32 shift, 0x7;\nadd.u64 base0, base, 96;\n\
             ld.param.u64 base1, [whole+16];\nmov.f64 v1_0, 0d3ff8000000000000;\nmov.f32 v2_0, 0f40200000;\n\
             ld.param.b16 v3_0, [whole+0];\nld.param.u64 base2, [of_round+8];\nadd.u32 row, row, by;\n"
        );
    }

    #[test]
    fn a_space_is_left_to_the_address_but_for_parameters_of_calls() {
        let text = "ld.param.u64 base1, [whole+16];\nld.param.u32 w, [of_round+8];\nld.global.nc.v4.b32 {a, b, c, d}, [at+0];\n\
                    @here st.global.f32 [at], v;\nld.param.f64 v1_0, [result];\n";
        assert_eq!(
            anywhere(text),
            "ld.u64 base1, [whole+16];\nld.u32 w, [of_round+8];\nld.v4.b32 {a, b, c, d}, [at+0];\n\
             @here st.f32 [at], v;\nld.param.f64 v1_0, [result];\n"
        );
    }
}
