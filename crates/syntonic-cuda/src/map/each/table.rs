//! The parameter of a kernel over many tensors: what all share, and a table of them. It is in constant memory, so a launch copies nothing to
//! the card, and a graph holds it.

use crate::driver::reason::CudaVersion;
use crate::plan::Limits;
use crate::plan::straight::{Kind, place};

/// Words of 8 bytes that every driver takes as parameters.
const FEW: usize = 4096 / 8;
/// Words that drivers of CUDA 12.1 and newer take, for texts of PTX 8.1.
const MANY: usize = 32_764 / 8;

/// The shape of a table: a kernel is made for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Operands of the form.
    operands: usize,
    /// Addresses of a tensor's entry: its results, then what it has of its own among the operands.
    addresses: usize,
    is_long: bool,
}

/// Where the head has what; shared operands and numbers are where a kernel over straight operands has them.
pub(super) mod head {
    /// How many tensors there are.
    pub(in crate::map) const TENSORS: usize = 0;
    /// Memory for a partial value of each block.
    pub(in crate::map) const SCRATCH: usize = 8;
    /// A counter for each tensor.
    pub(in crate::map) const COUNTERS: usize = 16;
}

/// A tensor, or a group of them that one run of the form takes.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its elements.
    pub(super) count: usize,
    /// Addresses of its results, and of its own operands.
    pub(super) addresses: Vec<u64>,
}

impl Table {
    /// The shape for so many tensors.
    pub(super) fn new(kinds: &[Kind], results: usize, tensors: usize, limits: &Limits) -> Table {
        let own = kinds.iter().filter(|&&kind| kind == Kind::Vector).count();
        let few = Table {
            operands: kinds.len(),
            addresses: results + own,
            is_long: false,
        };
        let takes = limits.driver >= CudaVersion::from_driver(12_010);
        Table {
            is_long: takes && few.room() < tensors,
            ..few
        }
    }

    pub(in crate::map) fn is_long(&self) -> bool {
        self.is_long
    }

    /// Bytes of the parameter.
    pub(in crate::map) fn bytes(&self) -> usize {
        8 * if self.is_long { MANY } else { FEW }
    }

    /// A number of its own among those of shapes.
    pub(in crate::map) fn word(&self) -> u64 {
        (self.addresses as u64) << 1 | u64::from(self.is_long)
    }

    /// Bytes of an entry: the count, and the addresses.
    pub(in crate::map) fn entry(&self) -> usize {
        8 + 8 * self.addresses
    }

    /// How many tensors it has room for; there is one for the operands that a kernel may have.
    pub(super) fn room(&self) -> usize {
        // The first block of each, and of what would follow the last.
        let beside = self.blocks() + 4 + 4;
        self.bytes().saturating_sub(beside) / (self.entry() + 4)
    }

    /// Where the numbers of first blocks are, of 4 bytes each.
    pub(in crate::map) fn blocks(&self) -> usize {
        place::size(self.operands)
    }

    /// Where the entries are.
    pub(in crate::map) fn entries(&self) -> usize {
        (self.blocks() + 4 * (self.room() + 1)).next_multiple_of(8)
    }

    /// The parameter, with `head` in front, and the blocks of the launch.
    pub(super) fn filled(
        &self,
        head: &[u64],
        entries: &[Entry],
        elements: usize,
    ) -> (Vec<u64>, u64) {
        let mut words = vec![0; self.bytes() / 8];
        words[..head.len()].copy_from_slice(head);
        let mut first = 0u64;
        let mut put = |k: usize, block: u64| {
            let at = self.blocks() + 4 * k;
            words[at / 8] |= block << (8 * (at % 8));
        };
        for (k, entry) in entries.iter().enumerate() {
            put(k, first);
            first += blocks_of(entry, elements);
        }
        put(entries.len(), first);
        for (k, entry) in entries.iter().enumerate() {
            let at = (self.entries() + k * self.entry()) / 8;
            words[at] = entry.count as u64;
            words[at + 1..][..entry.addresses.len()].copy_from_slice(&entry.addresses);
        }
        (words, first)
    }
}

/// Blocks that serve a tensor, at least one.
pub(super) fn blocks_of(entry: &Entry, elements: usize) -> u64 {
    entry.count.div_ceil(elements).max(1) as u64
}

/// A table as a kernel's one parameter.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Words<const N: usize>([u64; N]);

/// A parameter of the length that a text declares.
pub(super) enum Parameter {
    Few(Box<Words<FEW>>),
    Many(Box<Words<MANY>>),
}

impl Parameter {
    /// Nothing where the words are as many as in no text.
    pub(super) fn of(words: Vec<u64>) -> Option<Parameter> {
        let words = words.into_boxed_slice();
        match words.len() {
            FEW => Some(Parameter::Few(Box::new(Words(
                *<Box<[u64; FEW]>>::try_from(words).ok()?,
            )))),
            MANY => Some(Parameter::Many(Box::new(Words(
                *<Box<[u64; MANY]>>::try_from(words).ok()?,
            )))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(is_long: bool) -> Table {
        Table {
            operands: 11,
            addresses: 7,
            is_long,
        }
    }

    #[test]
    fn the_parameters_of_adam_have_room_for_gpt2() {
        // 148 tensors, each with three results and four operands.
        assert!(table(true).room() >= 148);
        for table in [table(false), table(true)] {
            assert!(table.entries() + table.room() * table.entry() <= table.bytes());
        }
    }

    #[test]
    fn first_blocks_and_entries_are_where_a_text_looks() {
        let table = table(false);
        let entry = |count, address| Entry {
            count,
            addresses: vec![address; 7],
        };
        let (words, blocks) = table.filled(&[2], &[entry(5, 64), entry(0, 32), entry(9, 16)], 4);
        assert_eq!(blocks, 2 + 1 + 3);
        let small = |at: usize| (words[at / 8] >> (8 * (at % 8))) as u32;
        let firsts: Vec<u32> = (0..4).map(|k| small(table.blocks() + 4 * k)).collect();
        assert_eq!(firsts, [0, 2, 3, 6]);
        let last = (table.entries() + 2 * table.entry()) / 8;
        assert_eq!(words[last..][..8], [9, 16, 16, 16, 16, 16, 16, 16]);
        assert!(Parameter::of(words).is_some());
    }
}
