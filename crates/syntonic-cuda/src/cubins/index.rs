//! The head of a file of cubins: what lies where. `cargo xtask wheel` writes it.
//!
//! ```text
//! syntonic cubins 2 DIGEST
//! block PACKED
//! FAMILY BYTES
//! ...
//!
//! ```
//! Cubins that resemble each other are packed together, in blocks. A line for each block says how long it is packed and is followed
//! by a line for each of its cubins; an empty line ends the head, and the blocks follow. `DIGEST` is that of all images that the
//! cubins were assembled from.

use std::collections::HashMap;

/// The first words, with the version of this form.
pub(crate) const MAGIC: &str = "syntonic cubins 2";
/// Begins the line of a block.
pub(crate) const BLOCK: &str = "block";

/// Cubins that were packed together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    /// Where it begins in the file.
    pub(crate) start: u64,
    /// Its length in the file.
    pub(crate) packed: usize,
    /// Its length unpacked.
    pub(crate) bytes: usize,
}

/// Where a cubin lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of its block.
    pub(crate) block: usize,
    /// Where it begins in the unpacked block.
    pub(crate) start: usize,
    pub(crate) bytes: usize,
}

/// What a file of cubins holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Index {
    /// Of the images that the cubins were assembled from.
    pub(crate) digest: String,
    pub(crate) blocks: Vec<Block>,
    /// By family.
    places: HashMap<String, Place>,
}

impl Index {
    /// Reads a head that ends with its empty line; nothing where it is no such head.
    pub(crate) fn read(head: &str) -> Option<Index> {
        let mut lines = head.lines();
        let digest = lines.next()?.strip_prefix(MAGIC)?.trim().to_owned();
        let (mut blocks, mut places) = (Vec::<Block>::new(), HashMap::new()); // few: lines of a head
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, length) = line.rsplit_once(' ')?;
            let length = length.parse().ok()?;
            if name == BLOCK {
                let end = |last: &Block| last.start.checked_add(last.packed as u64);
                blocks.push(Block {
                    start: blocks.last().map_or(Some(head.len() as u64), end)?,
                    packed: length,
                    bytes: 0,
                });
                continue;
            }
            let block = blocks.last_mut()?;
            let start = block.bytes;
            block.bytes = start.checked_add(length)?;
            let place = Place {
                block: blocks.len() - 1,
                start,
                bytes: length,
            };
            places.insert(name.to_owned(), place);
        }
        Some(Index {
            digest,
            blocks,
            places,
        })
    }

    pub(crate) fn find(&self, family: &str) -> Option<Place> {
        self.places.get(family).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_where_each_cubin_lies() {
        let lines = "block 10\nfill 40\nmap_f32 7\nblock 5\nsort 3\n\n";
        let head = format!("{MAGIC} abc\n{lines}");
        let index = Index::read(&head).expect("a head");
        let block = |start, packed, bytes| Block {
            start: head.len() as u64 + start,
            packed,
            bytes,
        };
        assert_eq!(index.digest, "abc");
        assert_eq!(index.blocks, [block(0, 10, 47), block(10, 5, 3)]);
        let place = |block, start, bytes| {
            Some(Place {
                block,
                start,
                bytes,
            })
        };
        assert_eq!(index.find("fill"), place(0, 0, 40));
        assert_eq!(index.find("map_f32"), place(0, 40, 7));
        assert_eq!(index.find("sort"), place(1, 0, 3));
        assert_eq!(index.find("topk"), None);
        for damaged in [
            "syntonic cubins 1 abc\n\n",
            &format!("{MAGIC} abc\nfill 10\n\n"),
            &format!("{MAGIC} abc\nblock ten\n\n"),
            &format!("{MAGIC} abc\nblock\n\n"),
            "",
        ] {
            assert_eq!(Index::read(damaged), None, "{damaged}");
        }
    }
}
