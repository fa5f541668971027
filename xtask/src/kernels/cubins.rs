//! Files of cubins: the committed PTX as machine code for the cards that users have, which a wheel brings along and git does not.
//!
//! The newest pinned assembler makes them. The oldest, of CUDA 12.3, knows the cards up to 9.0 as well, but what it made of a kernel
//! whose blocks exchange values through their cluster waited for ever on an H100.
//!
//! Beside them lie kernels that programs make at run time, those of named formulas over usual shapes (`stock.rs`).
//!
//! `syntonic_cuda::cubins` reads them. Kernels that are in no file come from PTX, so what is left out costs time and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, ensure};

use super::architecture::Architecture;
use super::assembler::Assembler;
use super::digest::Digest;
use super::manifest::{Manifest, Record};
use super::stock::{self, Stocked};
use super::store::Content;
use super::{PARTS, index, overlap, slice, store, table, workshop};
use crate::tree::root;

/// The compute capabilities that there are files for. Machine code of 8.0 runs on 8.6 and 8.9 as well.
const CARDS: &[u32] = &[75, 80, 90, 100, 120];
/// Those of [`CARDS`].
pub(super) fn cards() -> Result<Vec<Architecture>> {
    CARDS.iter().map(|card| card.to_string().parse()).collect()
}

/// Cubins are packed together up to so many bytes: larger blocks are smaller in all, and take longer to unpack, some 10 ms a MiB.
const BLOCK: usize = 3 << 20;
/// Of what nearly every program needs at its first calls, which somebody waits for.
const FIRST_BLOCK: usize = 3 << 19;
const FIRST: &[&str] = &["fill", "gather"];
/// Of kernels that are made at run time: a program needs a few of them, and each call waits for its own.
const MADE_BLOCK: usize = 1 << 18;
/// What kernels are left out, or the wheel would be too large. By how their families begin: products along an axis.
const FAMILIES_LEFT_OUT: &[&str] = &[PARTS, "cumulative_prod", "fold_prod"];
/// Cards below 8.0 have no instructions of the type, and nobody who has one computes in it.
const WITHOUT_BF16: u32 = 80;
/// By their own names.
const PARTS_LEFT_OUT: &[&str] = &["_c128"];
/// What a family's name says of its type.
const TYPES: &[&str] = &["bf16", "f16", "f32", "f64", "c64", "c128", "i32", "i64"];
/// Folds over narrow integers are left out, too.
const FOLDS: &str = "fold_";
const NARROW: &[&str] = &["_i8_", "_i16_", "_u8_", "_u16_", "_u32_", "_u64_"];

/// Which cards, and where to.
#[derive(clap::Args)]
pub(crate) struct Cards {
    /// The compute capabilities to assemble for, such as 90
    #[arg(long, value_name = "CARD", value_delimiter = ',', default_values_t = CARDS.to_vec())]
    cards: Vec<u32>,
}

impl Cards {
    /// Makes the files, in a new folder: their paths.
    pub(crate) fn assemble(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        for card in &self.cards {
            ensure!(CARDS.contains(card), "{card} is none of {CARDS:?}");
        }
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let (root, shelf) = (root()?, workshop()?.join("cubins"));
        fs::create_dir_all(&shelf)?;
        let manifest = Manifest::load(&root)?;
        let assembler = Assembler::newest()?;
        let mut files = Vec::new();
        for &card in &self.cards {
            let mut sources = sources(&root, &manifest, card)?;
            let families = sources.len();
            sources.extend(made(&shelf, card)?);
            let made = sources.len() - families;
            eprintln!(
                "assembling {families} families and {made} made kernels for sm_{card}, some minutes the first time"
            );
            let cubins = in_parallel(&sources, |source| source.assembled(&assembler, &shelf))?;
            let mut all: Vec<_> = sources.iter().zip(cubins).collect();
            // The packer finds most where what resembles each other lies together.
            let key = |source: &Source| (Group::of(&source.family), source.kin.clone());
            all.sort_by_cached_key(|(source, cubin)| (key(source), cubin.len()));
            let named: Vec<_> = all
                .into_iter()
                .map(|(source, cubin)| (source.family.as_str(), cubin))
                .collect();
            let bytes = file(&table::digest(&manifest), &named)?;
            let path = folder.join(format!("sm_{card}.cubins"));
            println!(
                "sm_{card}.cubins: {families} families, {made} made kernels, {:.1} MB",
                bytes.len() as f64 / 1e6
            );
            fs::write(&path, bytes)?;
            files.push(path);
        }
        Ok(files)
    }
}

/// Writes a file as for a card of `capability` that has something for every kernel which no driver takes: whatever runs with it gets
/// its kernels from PTX.
pub(crate) fn write_refused(folder: &Path, capability: &str) -> Result<()> {
    let manifest = Manifest::load(&root()?)?;
    let families = manifest.0.keys().map(String::as_str);
    let architecture: Architecture = capability.replace('.', "").parse()?;
    let made = stock::stock(&folder.join("made"), architecture)?;
    let made = made.iter().map(|made| made.key.as_str());
    let refused = |name| (name, b"\x7fELF and nothing else".to_vec());
    let cubins: Vec<_> = families.chain(made).map(refused).collect();
    let path = folder.join(format!("sm_{architecture}.cubins"));
    fs::write(path, file(&table::digest(&manifest), &cubins)?)?;
    Ok(())
}

/// The kernels of a family for a card, as the driver would get them.
struct Source {
    family: String,
    /// Sources of the same kin resemble each other: the family without its type, and the names of its kernels.
    kin: (String, Vec<String>),
    architecture: Architecture,
    text: String,
}

impl Source {
    /// The machine code, made now or in an earlier run.
    fn assembled(&self, assembler: &Assembler, shelf: &Path) -> Result<Vec<u8>> {
        let target = self.architecture.to_string();
        let made_by = assembler.version().to_string();
        let known = Digest::new().text(&made_by).text(&target).text(&self.text);
        let known = known.finish();
        let (ptx, cubin) = (
            shelf.join(format!("{known}.ptx")),
            shelf.join(format!("{known}.cubin")),
        );
        if !cubin.is_file() {
            let unfinished = shelf.join(format!("{known}.new"));
            fs::write(&ptx, &self.text)?;
            let assembled = assembler.assemble(self.architecture, &ptx, &unfinished);
            assembled.with_context(|| format!("{} for sm_{target}", self.family))?;
            fs::remove_file(&ptx)?;
            fs::rename(&unfinished, &cubin)?;
        }
        Ok(fs::read(&cubin)?)
    }
}

/// Which blocks of a file a cubin lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    First,
    Rest,
    Made,
}

impl Group {
    fn of(family: &str) -> Group {
        if stock::is_made(family) {
            Group::Made
        } else if FIRST.iter().any(|begin| family.starts_with(begin)) {
            Group::First
        } else {
            Group::Rest
        }
    }

    /// Bytes that one of its blocks has at most, unpacked, unless one cubin alone has more.
    fn most(self) -> usize {
        match self {
            Group::First => FIRST_BLOCK,
            Group::Rest => BLOCK,
            Group::Made => MADE_BLOCK,
        }
    }
}

fn is_left_out(family: &str, entry: &str, card: u32) -> bool {
    if card < WITHOUT_BF16 && (family.contains("bf16") || entry.contains("bf16")) {
        return true;
    }
    let narrow = family.starts_with(FOLDS) && NARROW.iter().any(|part| entry.contains(part));
    narrow
        || FAMILIES_LEFT_OUT
            .iter()
            .any(|begin| family.starts_with(begin))
        || PARTS_LEFT_OUT.iter().any(|part| entry.contains(part))
}

/// What is assembled for a card, each family from the text that the card would get.
fn sources(root: &Path, manifest: &Manifest, card: u32) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for (family, record) in &manifest.0 {
        let entries: Vec<&str> = record.entries.iter().map(String::as_str).collect();
        let wanted: Vec<&str> = entries
            .into_iter()
            .filter(|entry| !is_left_out(family, entry, card))
            .collect();
        let Some(image) = newest(record, card).filter(|_| !wanted.is_empty()) else {
            continue;
        };
        let texts = store::read(root, family, record)?;
        let text = slice::slice(&texts[&image], &wanted).context("an entry cannot be taken out")?;
        sources.push(Source {
            family: family.clone(),
            kin: kin(family, &wanted),
            architecture: Architecture {
                number: card,
                exact: image.exact,
            },
            text: begun(text, &wanted, card).with_context(|| family.clone())?,
        });
    }
    Ok(sources)
}

/// What is assembled for a card of the kernels that programs make at run time. Their texts have begun already.
fn made(shelf: &Path, card: u32) -> Result<Vec<Source>> {
    let architecture = Architecture {
        number: card,
        exact: false,
    };
    let stock = stock::stock(&shelf.join("made"), architecture)?;
    let wanted = stock
        .into_iter()
        .filter(|made| !is_left_out(&made.kind, &made.key, card));
    let source = |made: Stocked| Source {
        family: made.key,
        kin: (made.kind, Vec::new()),
        architecture,
        text: made.text,
    };
    Ok(wanted.map(source).collect())
}

/// The family without its type, and the names of its kernels.
fn kin(family: &str, entries: &[&str]) -> (String, Vec<String>) {
    let parts = family.split('_').filter(|part| !TYPES.contains(part));
    let names = entries.iter().map(|entry| (*entry).to_owned());
    (parts.collect(), names.collect())
}

/// The image that a card gets, as `syntonic_cuda::images` chooses it.
fn newest(record: &Record, card: u32) -> Option<Architecture> {
    let runs = |image: &Architecture| match image.exact {
        true => image.number == card,
        false => image.number <= card,
    };
    record.kept().filter(runs).max()
}

/// The text as `syntonic_cuda` gives it to the driver: where a card has programmatic dependent launch, every kernel waits.
fn begun(text: String, entries: &[&str], card: u32) -> Result<String> {
    if !overlap::overlaps((card / 10, card % 10)) {
        return Ok(text);
    }
    entries.iter().try_fold(text, |text, entry| {
        overlap::overlapping(&text, entry)
            .with_context(|| format!("{entry} cannot be made to wait"))
    })
}

/// A file: its head, as `syntonic_cuda::cubins` reads it, and the blocks.
fn file(digest: &str, cubins: &[(&str, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut head = format!("{} {digest}\n", index::MAGIC);
    let mut packed = Vec::new();
    let mut all = cubins.iter().peekable();
    while all.peek().is_some() {
        let (mut block, mut lines) = (Vec::new(), String::new());
        let group = all.peek().map(|(name, _)| Group::of(name));
        let most = group.map_or(0, Group::most);
        while let Some((name, cubin)) = all.next_if(|(name, cubin)| {
            block.is_empty()
                || (Some(Group::of(name)) == group && block.len() + cubin.len() <= most)
        }) {
            lines.push_str(&format!("{name} {}\n", cubin.len()));
            block.extend_from_slice(cubin);
        }
        let block = store::lzma(&block, Content::MachineCode)?;
        head.push_str(&format!("{} {}\n{lines}", index::BLOCK, block.len()));
        packed.extend_from_slice(&block);
    }
    Ok([head.as_bytes(), b"\n", &packed].concat())
}

/// What `work` makes of each of `items`, in order, on all processors.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|at| Some((at, items.get(at)?)))
                {
                    let result = work(item);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let names = ["fill", "gather", "gather_more", "sort", "jit_rows_1.2"];
        let cubins = [
            vec![1; 10],
            vec![2; FIRST_BLOCK - 10],
            vec![3; 7],
            vec![4; 9],
            vec![5; 3],
        ];
        let all: Vec<_> = names.into_iter().zip(cubins).collect();
        let file = file("abc", &all).unwrap();
        let end = file.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        let index = Index::read(std::str::from_utf8(&file[..end]).unwrap()).unwrap();
        assert_eq!(index.digest, "abc");
        let lengths: Vec<usize> = index.blocks.iter().map(|block| block.bytes).collect();
        assert_eq!(lengths, [FIRST_BLOCK, 7, 9, 3]);
        let last = index.blocks[3];
        assert_eq!(last.start as usize + last.packed, file.len());
        let place = index.find("gather_more").unwrap();
        assert_eq!((place.block, place.start, place.bytes), (1, 0, 7));
        assert_eq!(index.find("fill").unwrap().bytes, 10);
    }

    #[test]
    fn every_card_gets_its_kernels_and_they_wait_where_they_may_overlap() {
        let root = root().unwrap();
        let manifest = Manifest::load(&root).unwrap();
        let fill = |manifest: &Manifest| {
            Manifest([("fill".to_owned(), manifest.0["fill"].clone())].into())
        };
        for (card, target, waits) in [(75, "75", 0), (80, "75", 0), (90, "90", 5), (120, "90", 5)] {
            let sources = sources(&root, &fill(&manifest), card).unwrap();
            assert_eq!(sources.len(), 1);
            let text = &sources[0].text;
            assert!(
                text.contains(&format!("\n.target sm_{target}")),
                "{card}: {text}"
            );
            assert_eq!(text.matches("griddepcontrol.wait").count(), waits, "{card}");
        }
        let exact = &manifest.0["split_product"];
        assert_eq!(
            newest(exact, 90).map(|image| image.to_string()).as_deref(),
            Some("90a")
        );
        assert_eq!(newest(exact, 100), None);
    }

    #[test]
    fn what_first_calls_need_is_not_left_out() {
        for (family, entry, left_out) in [
            ("fill", "fill_b4", false),
            ("fold_sum", "sum_f32_rows", false),
            ("fold_prod", "prod_f32_rows", true),
            ("fold_sum", "sum_i16_rows", true),
            ("fold_sum", "sum_c128_rows", true),
        ] {
            assert_eq!(is_left_out(family, entry, 80), left_out, "{family} {entry}");
        }
        let half = |card| is_left_out("fold_sum", "sum_bf16_rows", card);
        assert!(half(75) && !half(80));
    }
}
