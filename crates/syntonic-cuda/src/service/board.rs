//! The board: a control block in the host's memory that a running lease and the host share, with the slots of arguments and answers
//! behind it.
//!
//! Both sides use plain loads and stores: over PCIe there are no others. Fields of different writers are in different lines of 128
//! bytes. A command is two words, its number and a text, which both carry the number, so that neither can be taken for the other's
//! partner; the device takes a command once both are new. Arguments are written before the number (release) and answers before the
//! number that acknowledges them, so whoever has seen a number sees what belongs to it. `kernels/include/service.cuh` is the other side.

use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a line, and of the board.
const LINE: usize = 16;
pub(super) const WORDS: usize = 3 * LINE;
/// Slots start at multiples of so many doubles.
pub(super) const GRAIN: usize = 16;
/// Arguments of commands that follow each other are apart.
pub(super) const SLOTS: usize = 4;
/// The most doubles of a slot: a length has 20 bits.
pub(super) const MOST: usize = (1 << 20) - GRAIN;

/// Words that the host writes.
pub(super) const POSTED: usize = 0;
pub(super) const TEXT: usize = 1;
pub(super) const LEAVE: usize = 2;
pub(super) const ABORT: usize = 3;
/// Words that the device writes.
pub(super) const ANSWERED: usize = LINE;
pub(super) const STATUS: usize = LINE + 1;
pub(super) const HEART: usize = 2 * LINE;
pub(super) const STATE: usize = 2 * LINE + 1;
pub(super) const REASON: usize = 2 * LINE + 2;

/// What a lease leaves as its state, in the lowest bits behind its number.
#[cfg(test)]
pub(super) const RUNNING: u64 = 1;
pub(super) const ENDED: u64 = 2;

/// Why a lease ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// Nothing was asked for the time that [`Settings::idle`](super::Settings::idle) says.
    Idle,
    /// It was as old as [`Settings::lifetime`](super::Settings::lifetime) says.
    Lifetime,
    /// It had taken [`Settings::most_commands`](super::Settings::most_commands).
    Commands,
    /// The host asked: by a pause, or before it waits for the whole GPU.
    Asked,
    /// The host stopped a command.
    Aborted,
}

impl Ending {
    /// The reason that the device wrote.
    pub(super) fn of(word: u64) -> Option<Ending> {
        use Ending::{Aborted, Asked, Commands, Idle, Lifetime};
        let all = [Idle, Lifetime, Commands, Asked, Aborted];
        all.into_iter().find(|e| *e as u64 + 1 == word)
    }
}

/// The text of command `number`: where its arguments are and how long.
pub(super) fn text(number: u64, opcode: u8, offset: usize, length: usize) -> u64 {
    debug_assert!(offset.is_multiple_of(GRAIN) && length <= MOST);
    let place = (offset / GRAIN) as u64 & 0xf_ffff;
    number << 48 | u64::from(opcode) << 40 | place << 20 | (length as u64 & 0xf_ffff)
}

/// Memory that a board with its slots needs, in bytes, for slots of `most` doubles.
pub(super) fn bytes(most: usize) -> usize {
    8 * WORDS + 2 * 8 * capacity(most)
}

/// Doubles of all slots of arguments.
pub(super) fn capacity(most: usize) -> usize {
    SLOTS * most.next_multiple_of(GRAIN)
}

/// A board and its slots. The memory outlives every copy of this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    memory: *mut u8,
    most: usize,
}

// SAFETY: words are atomic, and slots are touched by whoever holds the line, or by the device.
unsafe impl Send for Board {}
// SAFETY: as above.
unsafe impl Sync for Board {}

impl Board {
    /// A board in `memory`, on which command `done` was answered last.
    ///
    /// # Safety
    /// `memory` has [`bytes`]`(most)` bytes at a multiple of 128, is never given back, and nobody else uses it.
    pub(super) unsafe fn new(memory: *mut u8, most: usize, done: u64) -> Board {
        let board = Board { memory, most };
        for word in 0..WORDS {
            board.word(word).store(0, Ordering::Relaxed);
        }
        board.word(POSTED).store(done, Ordering::Relaxed);
        board.word(ANSWERED).store(done, Ordering::Release);
        board
    }

    /// A word that either side may write at any time.
    pub(super) fn word(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at < WORDS);
        // SAFETY: the memory holds the words, aligned, and lives on; the device's plain stores are to whole words.
        unsafe { AtomicU64::from_ptr(self.memory.cast::<u64>().add(at)) }
    }

    /// The address of the words, of the arguments and of the answers.
    pub(super) fn addresses(&self) -> [u64; 3] {
        let first = self.memory as u64;
        let arguments = first + 8 * WORDS as u64;
        [first, arguments, arguments + 8 * capacity(self.most) as u64]
    }

    /// Where the slot of a command begins, in doubles.
    pub(super) fn offset(&self, number: u64) -> usize {
        (number % SLOTS as u64) as usize * self.most.next_multiple_of(GRAIN)
    }

    /// Puts arguments into the slot of a command, one part after the other, and says how many they are.
    ///
    /// They fit the slot; no command that is not answered uses it.
    pub(super) fn write(&self, number: u64, parts: &[&[f64]]) -> usize {
        let mut at = self.offset(number);
        let first = at;
        for part in parts {
            if at + part.len() > first + self.most {
                debug_assert!(false, "arguments were not counted");
                break;
            }
            let to = self.addresses()[1] as usize + 8 * at;
            // SAFETY: the slot has room, as was looked at, and the device reads it after the number is posted.
            unsafe {
                std::ptr::copy_nonoverlapping(part.as_ptr(), to as *mut f64, part.len());
            }
            at += part.len();
        }
        at - first
    }

    /// Takes answers from the slot of a command that was answered.
    pub(super) fn read(&self, number: u64, parts: &mut [&mut [f64]]) {
        let mut at = self.offset(number);
        let first = at;
        for part in parts {
            if at + part.len() > first + self.most {
                debug_assert!(false, "answers were not counted");
                break;
            }
            let from = self.addresses()[2] as usize + 8 * at;
            // SAFETY: the slot has as many doubles, and the device wrote them before it acknowledged the command.
            unsafe {
                std::ptr::copy_nonoverlapping(from as *const f64, part.as_mut_ptr(), part.len());
            }
            at += part.len();
        }
    }

    /// Posts a command whose arguments are written.
    pub(super) fn post(&self, number: u64, text: u64) {
        self.word(TEXT).store(text, Ordering::Relaxed);
        self.word(POSTED).store(number, Ordering::Release);
    }

    /// Whether a command is answered, and then how.
    pub(super) fn answer(&self, number: u64) -> Option<u64> {
        let seen = self.word(ANSWERED).load(Ordering::Acquire);
        (seen == number).then(|| self.word(STATUS).load(Ordering::Relaxed))
    }

    /// Why lease `number` ended; none where it has not. What it answered is visible then.
    pub(super) fn ended(&self, number: u64) -> Option<Option<Ending>> {
        let state = self.word(STATE).load(Ordering::Acquire);
        let over = state == number << 2 | ENDED;
        over.then(|| Ending::of(self.word(REASON).load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_parts() {
        let text = text(0x1_2345, 5, 3 * GRAIN, 77);
        assert_eq!(text >> 48, 0x2345);
        assert_eq!(text >> 40 & 0xff, 5);
        assert_eq!(text >> 20 & 0xf_ffff, 3);
        assert_eq!(text & 0xf_ffff, 77);
    }

    #[test]
    fn writers_have_lines_of_their_own_and_slots_lie_apart() {
        let host = [POSTED, TEXT, LEAVE, ABORT].map(|w| w / LINE);
        assert_eq!(host, [0; 4]);
        assert_eq!([ANSWERED, STATUS].map(|w| w / LINE), [1; 2]);
        assert_eq!([HEART, STATE, REASON].map(|w| w / LINE), [2; 3]);
        assert_eq!(capacity(17), 4 * 32);
        assert_eq!(bytes(17), 384 + 2 * 8 * 128);
        // The farthest slot of the largest size has a place in the text.
        assert!(capacity(MOST) / GRAIN < 1 << 20 && MOST < 1 << 20);
    }

    #[test]
    fn reasons_are_those_of_the_kernel() {
        assert_eq!(Ending::of(1), Some(Ending::Idle));
        assert_eq!(Ending::of(5), Some(Ending::Aborted));
        assert_eq!([0, 6].map(Ending::of), [None; 2]);
    }
}
