//! What a queue and its kernel share in the host's memory: the words of a lease, a ring of headers with the numbers that answer them, and
//! areas for arguments and results. `rows/jit/steps/lanes.rs` is the other side.

use super::super::board::{self, Board};
use std::sync::atomic::{AtomicU64, Ordering};

/// Requests in flight at most. A request has its entry by its number, so its lane too.
pub(super) const ENTRIES: u64 = 256;
/// Lanes at most.
pub(super) const LANES: usize = 8;
/// Words that say where lanes go on, and some that nobody uses.
const FIRSTS: usize = 16;
/// Words of a header, and where its moves begin.
const HEADER: usize = 32;
const FIRST_MOVE: usize = 8;
/// Words of a move, and moves of a request at most.
const MOVE: usize = 4;
pub(super) const MOVES: usize = (HEADER - FIRST_MOVE) / MOVE;
/// Words between the numbers that answer: two lines for each, since neighbours are fetched together.
const ANSWER: usize = 16;
/// What areas begin at multiples of, in bytes.
pub(super) const ALIGNED: usize = 256;

const NEXT: usize = board::WORDS;
const HEADERS: usize = NEXT + FIRSTS;
const ANSWERS: usize = HEADERS + HEADER * ENTRIES as usize;
const AREAS: usize = ANSWERS + ANSWER * ENTRIES as usize;

// Areas begin where they should, and every lane has its word.
const _: () = assert!((8 * AREAS).is_multiple_of(ALIGNED) && LANES <= FIRSTS);

/// Bytes that a request brings, and those of its results, at most; and how many requests may have results at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) arguments: usize,
    pub(super) results: usize,
    pub(super) areas: usize,
}

/// Brings results of another request into the arguments of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// The address of the first byte.
    pub(super) from: u64,
    /// The request that has to be over before.
    pub(super) needs: u64,
    /// Where in the arguments they go.
    pub(super) to: u32,
    pub(super) bytes: u32,
}

/// What a request asks.
#[derive(Clone, Debug)]
pub(super) struct Header<'a> {
    pub(super) program: u32,
    /// Where its results go: in the host's memory, and on the card.
    pub(super) results: [u64; 2],
    pub(super) bytes: usize,
    /// Bytes of its arguments.
    pub(super) arguments: usize,
    pub(super) moves: &'a [Move],
}

/// The shared memory. It outlives every copy of this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    memory: *mut u8,
    pub(super) sizes: Sizes,
}

// SAFETY: words are atomic, and an area is touched by whoever has taken it, or by the device.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

impl Ring {
    /// Memory of a ring, in bytes.
    pub(super) fn bytes(sizes: Sizes) -> usize {
        8 * AREAS + ENTRIES as usize * sizes.arguments + sizes.areas * sizes.results
    }

    /// A ring without requests.
    ///
    /// # Safety
    /// `memory` has [`bytes`](Ring::bytes) bytes at a multiple of 256, is never given back, and nobody else uses it.
    pub(super) unsafe fn new(memory: *mut u8, sizes: Sizes) -> Ring {
        let ring = Ring { memory, sizes };
        for at in 0..AREAS {
            ring.word(at).store(0, Ordering::Relaxed);
        }
        // The device reads as many arguments as any program has.
        // SAFETY: the memory has them, and nobody else uses it.
        unsafe {
            std::ptr::write_bytes(ring.arguments(0), 0, ENTRIES as usize * sizes.arguments);
        }
        ring
    }

    /// The words of its lease.
    pub(super) fn board(&self) -> Board {
        // SAFETY: the memory begins with the words of a board, and a board without slots touches no more.
        unsafe { Board::new(self.memory, 0, 0) }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at < AREAS);
        // SAFETY: the memory holds the words, aligned, and lives on; the device's stores are to whole words.
        unsafe { AtomicU64::from_ptr(self.memory.cast::<u64>().add(at)) }
    }

    /// The addresses of the board, of the headers and of the numbers that answer.
    pub(super) fn addresses(&self) -> [u64; 3] {
        [0, HEADERS, ANSWERS].map(|at| self.memory as u64 + 8 * at as u64)
    }

    /// Where the arguments of a request are, by its number.
    pub(super) fn arguments(&self, number: u64) -> *mut u8 {
        let entry = (number % ENTRIES) as usize;
        let first = self.memory.wrapping_add(8 * AREAS);
        first.wrapping_add(entry * self.sizes.arguments)
    }

    /// Where the results of an area are.
    pub(super) fn results(&self, area: u32) -> *mut u8 {
        let Sizes {
            arguments, results, ..
        } = self.sizes;
        let first = self
            .memory
            .wrapping_add(8 * AREAS + ENTRIES as usize * arguments);
        first.wrapping_add(area as usize * results)
    }

    /// Posts a request, whose arguments are written.
    pub(super) fn post(&self, number: u64, header: &Header<'_>) {
        let first = HEADERS + HEADER * (number % ENTRIES) as usize;
        let put = |at: usize, value: u64| self.word(first + at).store(value, Ordering::Relaxed);
        put(
            1,
            u64::from(header.program) | (header.moves.len() as u64) << 32,
        );
        put(2, header.results[0]);
        put(3, header.results[1]);
        put(4, header.bytes as u64);
        put(5, header.arguments as u64);
        for (k, of) in header.moves.iter().enumerate() {
            let at = FIRST_MOVE + MOVE * k;
            put(at, of.from);
            put(at + 1, of.needs);
            put(at + 2, u64::from(of.to) | u64::from(of.bytes) << 32);
        }
        self.word(first).store(number, Ordering::Release);
    }

    /// Whether a request is answered. Numbers grow, and an entry has another request only after that.
    pub(super) fn is_answered(&self, number: u64) -> bool {
        let at = ANSWERS + ANSWER * (number % ENTRIES) as usize;
        self.word(at).load(Ordering::Acquire) >= number
    }

    /// Says where each lane goes on: at its first request that is not answered, of those below `next`, or at its first one from there on.
    pub(super) fn resume(&self, next: u64, lanes: usize) {
        for lane in 0..lanes as u64 {
            let own = |number: &u64| number % lanes as u64 == lane;
            let flying = next.saturating_sub(ENTRIES).max(1)..next;
            let first = flying.filter(own).find(|number| !self.is_answered(*number));
            let first = first.or_else(|| (next..).find(own)).unwrap_or(next);
            self.word(NEXT + lane as usize)
                .store(first, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(sizes: Sizes) -> Ring {
        let memory = vec![0u128; Ring::bytes(sizes) / 16 + 16].leak();
        let address = memory.as_mut_ptr() as usize;
        let aligned = memory
            .as_mut_ptr()
            .cast::<u8>()
            .wrapping_add(address.next_multiple_of(ALIGNED) - address);
        // SAFETY: there are as many bytes and 256 more, nobody else's, and never given back.
        unsafe { Ring::new(aligned, sizes) }
    }

    const SIZES: Sizes = Sizes {
        arguments: 512,
        results: 256,
        areas: 3,
    };

    #[test]
    fn places_are_those_that_the_kernel_reads() {
        let ring = ring(SIZES);
        let [board, headers, answers] = ring.addresses();
        // Words that say where lanes go on lie behind the board's 48.
        assert_eq!(headers - board, 384 + 8 * FIRSTS as u64);
        assert_eq!(answers - headers, 256 * ENTRIES);
        assert_eq!(ring.arguments(0) as u64 - answers, 128 * ENTRIES);
        assert_eq!(
            ring.results(0) as usize - ring.arguments(0) as usize,
            512 * ENTRIES as usize
        );
        assert_eq!(
            Ring::bytes(SIZES),
            ring.results(3) as usize - board as usize
        );
        assert!((ring.arguments(0) as usize).is_multiple_of(ALIGNED));
    }

    #[test]
    fn a_header_has_its_words() {
        let ring = ring(SIZES);
        let moves = [Move {
            from: 77,
            needs: 3,
            to: 16,
            bytes: 32,
        }];
        let header = Header {
            program: 5,
            results: [1, 2],
            bytes: 48,
            arguments: 96,
            moves: &moves,
        };
        ring.post(ENTRIES + 4, &header);
        let word = |at: usize| ring.word(HEADERS + 4 * HEADER + at).load(Ordering::Relaxed);
        let words = [0, 1, 2, 3, 4, 5, 8, 9, 10].map(word);
        assert_eq!(
            words,
            [ENTRIES + 4, 5 | 1 << 32, 1, 2, 48, 96, 77, 3, 16 | 32 << 32]
        );
        assert!(!ring.is_answered(ENTRIES + 4));
    }

    #[test]
    fn lanes_go_on_where_they_were() {
        let ring = ring(SIZES);
        let next = |lane: usize| ring.word(NEXT + lane).load(Ordering::Relaxed);
        ring.resume(1, 4);
        assert_eq!([0, 1, 2, 3].map(next), [4, 1, 2, 3]);
        for number in [1, 2, 3, 5, 6] {
            ring.word(ANSWERS + ANSWER * number as usize)
                .store(number, Ordering::Relaxed);
        }
        // 4 and 7 are posted and not answered.
        ring.resume(8, 4);
        assert_eq!([0, 1, 2, 3].map(next), [4, 9, 10, 7]);
    }
}
