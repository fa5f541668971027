//! Asking for the next block of the operands while this one is computed. The processor's own
//! prefetching ends with a page, and falls behind while kernels work in the first-level cache.

use crate::cpu::lanes::{LINE, fetch};

/// At most this much is asked for; more would push out what is in use.
const MOST: usize = 8 << 10;

/// What will be read soon. It is asked for a part at a time, since only a few requests can be under
/// way at once.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    spans: Vec<(*const u8, usize)>,
    /// Parts already asked for, and all parts.
    done: usize,
    parts: usize,
}

impl Ahead {
    /// Begins anew with `spans` of memory, an address and bytes each, asked for in `parts` parts.
    pub(crate) fn begin(&mut self, parts: usize, spans: impl Iterator<Item = (*mut u8, usize)>) {
        (self.done, self.parts) = (0, parts);
        self.spans.clear();
        self.also(spans);
    }

    /// Asks for these too.
    pub(crate) fn also(&mut self, spans: impl Iterator<Item = (*mut u8, usize)>) {
        self.spans
            .extend(spans.map(|(at, bytes)| (at.cast_const(), bytes.min(MOST))));
    }

    /// Asks for the next part.
    pub(crate) fn ask(&mut self) {
        let (from, to) = (self.done, self.done + 1);
        if to > self.parts {
            return;
        }
        self.done = to;
        for &(address, bytes) in &self.spans {
            let lines = bytes.div_ceil(LINE);
            for line in lines * from / self.parts..lines * to / self.parts {
                fetch(address.wrapping_add(line * LINE));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_together_are_the_spans() {
        let mut ahead = Ahead::default();
        let memory = [0u8; 1000];
        ahead.begin(3, [(memory.as_ptr().cast_mut(), 1000)].into_iter());
        for done in [1, 2, 3, 3] {
            ahead.ask();
            assert_eq!(ahead.done, done);
        }
        ahead.begin(2, std::iter::empty());
        ahead.ask();
        assert_eq!((ahead.done, ahead.spans.len()), (1, 0));
    }
}
