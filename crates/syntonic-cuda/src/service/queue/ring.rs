//! What a queue and its kernel share in the host's memory: the words of a lease, a ring of requests with the numbers that answer them, and
//! areas for arguments and results. `rows/jit/steps/lanes/ptx.rs` is the other side.
//!
//! What is read and written at once is in cells: 32 bits of it, and the low 32 bits of the request's number, in one store. Whoever finds that number
//! in all cells has all of it, and needs no second look. (The protocol for low latency of NVIDIA's NCCL has the same cells.)

use super::super::board::{self, Board};
use crate::rows::jit::steps::lanes::CELLED;
use std::sync::atomic::{AtomicU64, Ordering};

/// Requests in flight at most. A request has its entry by its number, so its lane too.
pub(super) const ENTRIES: u64 = 256;
/// Lanes at most.
pub(super) const LANES: usize = 8;
/// Words that say where lanes go on, and some that nobody uses.
const FIRSTS: usize = 16;
/// Cells of a request: two for each thread of a warp. The first say what is asked, the others are its first arguments.
const CELLS: usize = 64;
const HEADER: usize = 8;
/// Words of a move, moves of a request at most, and words between the moves of one request and those of the next.
const MOVE: usize = 4;
pub(super) const MOVES: usize = 6;
const MOVED: usize = 32;
/// Words between the numbers that answer: two lines for each, since neighbours are fetched together.
const ANSWER: usize = 16;
/// What areas begin at multiples of, in bytes.
pub(super) const ALIGNED: usize = 256;

const NEXT: usize = board::WORDS;
const REQUESTS: usize = NEXT + FIRSTS;
const MOVING: usize = REQUESTS + CELLS * ENTRIES as usize;
const ANSWERS: usize = MOVING + MOVED * ENTRIES as usize;
const AREAS: usize = ANSWERS + ANSWER * ENTRIES as usize;

// Areas begin where they should, every lane has its word, and a request its moves.
const _: () =
    assert!((8 * AREAS).is_multiple_of(ALIGNED) && LANES <= FIRSTS && MOVE * MOVES <= MOVED);

/// Bytes that a request brings, and those of its results, at most; and how many requests may have results at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) arguments: usize,
    pub(super) results: usize,
    pub(super) areas: usize,
}

impl Sizes {
    /// Bytes of an area, which may have its results in cells.
    pub(super) fn given(&self) -> usize {
        2 * self.results
    }
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
    /// Where its results go.
    pub(super) area: u32,
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
        8 * AREAS + ENTRIES as usize * sizes.arguments + sizes.areas * sizes.given()
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
        // The device reads as many arguments as any program has, and cells of another ring may have the numbers of this one's requests.
        let areas = 8 * AREAS..Ring::bytes(sizes);
        // SAFETY: the memory has them, and nobody else uses it.
        unsafe { std::ptr::write_bytes(memory.wrapping_add(areas.start), 0, areas.len()) };
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

    /// The addresses of the board, of the cells and of the moves of requests, and of the numbers that answer.
    pub(super) fn addresses(&self) -> [u64; 4] {
        [0, REQUESTS, MOVING, ANSWERS].map(|at| self.memory as u64 + 8 * at as u64)
    }

    /// Where the arguments of a request are, by its number.
    pub(super) fn arguments(&self, number: u64) -> *mut u8 {
        let entry = (number % ENTRIES) as usize;
        let first = self.memory.wrapping_add(8 * AREAS);
        first.wrapping_add(entry * self.sizes.arguments)
    }

    /// Where the results of an area are.
    pub(super) fn results(&self, area: u32) -> *mut u8 {
        let before = 8 * AREAS + ENTRIES as usize * self.sizes.arguments;
        let first = self.memory.wrapping_add(before);
        first.wrapping_add(area as usize * self.sizes.given())
    }

    /// The cells of an area, for so many bytes of results.
    fn cells(&self, area: u32, bytes: usize) -> impl Iterator<Item = u64> {
        debug_assert!(2 * bytes <= self.sizes.given());
        let first = self.results(area).cast::<u64>();
        // SAFETY: the area has as many, aligned, and lives on; the device stores whole cells.
        let cell = move |k: usize| unsafe { AtomicU64::from_ptr(first.wrapping_add(k)) };
        (0..bytes / 4).map(move |k| cell(k).load(Ordering::Acquire))
    }

    /// Whether the results of a request, so many bytes, are in its area.
    pub(super) fn is_given(&self, number: u64, area: u32, bytes: usize) -> bool {
        match bytes <= CELLED as usize {
            true => self
                .cells(area, bytes)
                .all(|cell| (cell >> 32) as u32 == number as u32),
            false => self.is_answered(number),
        }
    }

    /// Copies results that are [given](Ring::is_given), from the byte at `at` on, of `bytes` in all.
    ///
    /// # Safety
    /// There are as many from there on, and the area is the request's.
    pub(super) unsafe fn take(&self, area: u32, bytes: usize, at: usize, to: &mut [u8]) {
        if bytes > CELLED as usize {
            let from = self.results(area).wrapping_add(at);
            // SAFETY: the area has them, and the device writes them no more.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
            return;
        }
        let cells = self.cells(area, bytes).skip(at / 4);
        for (part, cell) in to.chunks_mut(4).zip(cells) {
            part.copy_from_slice(&(cell as u32).to_ne_bytes()[..part.len()]);
        }
    }

    /// Posts a request, whose arguments are written.
    pub(super) fn post(&self, number: u64, header: &Header<'_>) {
        let entry = (number % ENTRIES) as usize;
        for (k, of) in header.moves.iter().enumerate() {
            let first = MOVING + MOVED * entry + MOVE * k;
            let both = u64::from(of.to) | u64::from(of.bytes) << 32;
            for (at, value) in [of.from, of.needs, both].into_iter().enumerate() {
                self.word(first + at).store(value, Ordering::Relaxed);
            }
        }
        let moves = header.moves.len() as u32;
        let [arguments, bytes] = [header.arguments, header.bytes].map(|bytes| bytes as u32);
        let asked = [
            header.program,
            moves,
            header.area,
            arguments,
            bytes,
            0,
            0,
            0,
        ];
        let first = self.arguments(number).cast::<u32>();
        for k in 0..CELLS {
            let datum = match asked.get(k) {
                Some(&word) => word,
                // SAFETY: every entry has arguments of 256 bytes at least, which nobody writes now.
                None => unsafe { first.add(k - HEADER).read() },
            };
            let cell = u64::from(datum) | u64::from(number as u32) << 32;
            self.word(REQUESTS + CELLS * entry + k)
                .store(cell, Ordering::Release);
        }
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
        let [board, cells, moves, answers] = ring.addresses();
        // Words that say where lanes go on lie behind the board's 48.
        assert_eq!(cells - board, 384 + 8 * FIRSTS as u64);
        assert_eq!(moves - cells, 512 * ENTRIES);
        assert_eq!(answers - moves, 256 * ENTRIES);
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
        // Further arguments are read from there on.
        assert_eq!(4 * (CELLS - HEADER), 224);
    }

    #[test]
    fn a_request_is_in_its_cells() {
        let ring = ring(SIZES);
        let moves = [Move {
            from: 77,
            needs: 3,
            to: 16,
            bytes: 32,
        }];
        let header = Header {
            program: 5,
            area: 2,
            bytes: 48,
            arguments: 96,
            moves: &moves,
        };
        let number = (1 << 32) + ENTRIES + 4;
        let arguments = ring.arguments(number).cast::<u32>();
        // SAFETY: an entry has as many, and nobody else uses it.
        unsafe { arguments.add(55).write(0xdead_beef) };
        ring.post(number, &header);
        let word = |at: usize| ring.word(at).load(Ordering::Relaxed);
        let cells = [0, 1, 2, 3, 4, 5, 63].map(|k| word(REQUESTS + 4 * CELLS + k));
        let mark = (ENTRIES + 4) << 32;
        let data = [5, 1, 2, 96, 48, 0, 0xdead_beef];
        assert_eq!(cells, data.map(|datum| mark | datum));
        let moved = [0, 1, 2].map(|k| word(MOVING + 4 * MOVED + k));
        assert_eq!(moved, [77, 3, 16 | 32 << 32]);
        assert!(!ring.is_answered(number));
    }

    #[test]
    fn memory_of_another_ring_gives_nothing() {
        let before = ring(SIZES);
        let area = before.results(2);
        // SAFETY: an area has as many bytes, and nobody else uses it.
        unsafe { std::ptr::write_bytes(area, 1, 2 * SIZES.results) };
        let number = 0x0101_0101;
        assert!(before.is_given(number, 2, 256));
        // SAFETY: the other ring is used no more.
        let ring = unsafe { Ring::new(before.memory, SIZES) };
        assert!(!ring.is_given(number, 2, 256));
    }

    #[test]
    fn results_are_given_once_all_cells_are() {
        let ring = ring(SIZES);
        let cell = |k: usize, value: u64| {
            let at = ring.results(1).cast::<u64>().wrapping_add(k);
            // SAFETY: an area has as many, and nobody else uses it.
            unsafe { at.write(value) };
        };
        for k in 0..4 {
            assert!(!ring.is_given(9, 1, 16));
            cell(k, 9 << 32 | (k as u64 + 1));
        }
        assert!(ring.is_given(9, 1, 16) && !ring.is_given(10, 1, 16));
        let mut bytes = [0; 6];
        // SAFETY: the results are given, and there is room.
        unsafe { ring.take(1, 16, 8, &mut bytes) };
        assert_eq!(bytes, [3, 0, 0, 0, 4, 0]);
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
