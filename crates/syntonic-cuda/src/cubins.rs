//! Cubins: the kernels as machine code, in files that a package brings along, one for each kind of card.
//!
//! A program holds PTX, which serves every card, also one that nobody knows yet. The driver assembles it when a kernel is first
//! used, which takes it some ten milliseconds for a small kernel. A cubin loads in about one.
//! Cubins are optional: without a file for the card, with one of another build, or where the driver refuses one, the kernels come
//! from PTX.

pub(crate) mod index;

use crate::fnv::Fnv;
use crate::images;
use index::Index;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use syntonic_core::fork::get_or_init;

/// Names the folder instead of the package; where it is empty, no cubin is used.
const VARIABLE: &str = "SYNTONIC_CUBINS";
/// No head is longer, in bytes.
const LONGEST_HEAD: usize = 1 << 20;
/// No block is longer, in bytes: what a damaged head asks for is not allocated.
const LARGEST_BLOCK: usize = 1 << 26;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Takes cubins from `folder`, for GPUs that no kernel was loaded into yet. The first call of a process counts, and the variable
/// `SYNTONIC_CUBINS` names another folder, or none where it is empty.
///
/// `folder` has files such as `sm_90.cubins`, which `cargo xtask wheel` makes. One that is not there, or has none for a card,
/// changes nothing: the driver assembles the kernels then.
///
/// ```
/// syntonic_cuda::cubins::use_folder("cubins");
/// ```
pub fn use_folder(folder: impl Into<PathBuf>) {
    get_or_init(&FOLDER, || folder.into());
}

/// The folder that is asked, if any.
fn folder(named: Option<OsString>) -> Option<PathBuf> {
    match named {
        Some(named) => (!named.is_empty()).then(|| PathBuf::from(named)),
        None => FOLDER.get().cloned(),
    }
}

/// What the cubin of a kernel whose text is made at run time is filed under: its name and the hash of the text, so that machine code of
/// another text is never found.
pub(crate) fn of_made(name: &str, text: &str) -> String {
    let mut hash = Fnv::default();
    hash.text(text);
    format!("{name}.{:016x}", hash.0)
}

/// An open file of cubins, of which a block is unpacked when it is first needed.
#[derive(Debug)]
pub(crate) struct Cubins {
    file: File,
    path: PathBuf,
    index: Index,
    /// The number of the block that was needed last, and what was in it.
    last: Option<(usize, Vec<u8>)>,
}

impl Cubins {
    /// Those for a card of `capability`. Machine code runs on cards of its major capability whose minor one is not older, so the
    /// newest such file is taken.
    pub(crate) fn for_card(capability: (u32, u32)) -> Option<Cubins> {
        let folder = folder(std::env::var_os(VARIABLE))?;
        Cubins::in_folder(&folder, capability, images::DIGEST)
    }

    fn in_folder(folder: &Path, (major, minor): (u32, u32), digest: &str) -> Option<Cubins> {
        let name = |minor| folder.join(format!("sm_{major}{minor}.cubins"));
        let path = (0..=minor).rev().map(name).find(|path| path.is_file())?;
        let reason = match Cubins::open(&path) {
            Ok(cubins) if cubins.index.digest == digest => return Some(cubins),
            Ok(_) => "they are of another build".to_owned(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(file = %path.display(), reason, "these cubins are not used, kernels come from PTX");
        None
    }

    fn open(path: &Path) -> io::Result<Cubins> {
        let mut file = File::open(path)?;
        let mut head = Vec::new(); // few: `LONGEST_HEAD`
        let mut piece = [0; 1 << 12];
        let end = loop {
            if let Some(at) = head.windows(2).position(|two| two == b"\n\n") {
                break at + 2;
            }
            let count = file.read(&mut piece)?;
            if count == 0 || head.len() > LONGEST_HEAD {
                return Err(damaged("no head"));
            }
            head.extend_from_slice(&piece[..count]);
        };
        let head = str::from_utf8(&head[..end]).map_err(|_| damaged("no text in its head"))?;
        let index = Index::read(head).ok_or_else(|| damaged("a head of another form"))?;
        Ok(Cubins {
            file,
            path: path.to_owned(),
            index,
            last: None,
        })
    }

    /// The cubin with the kernels of a family; nothing where there is none.
    pub(crate) fn cubin(&mut self, family: &str) -> Option<&[u8]> {
        let place = self.index.find(family)?;
        if self.last.as_ref().is_none_or(|last| last.0 != place.block) {
            match self.unpacked(place.block) {
                Ok(bytes) => self.last = Some((place.block, bytes)),
                Err(error) => {
                    tracing::warn!(%error, file = %self.path.display(), family, "a cubin cannot be read, its kernels come from PTX");
                    return None;
                }
            }
        }
        let (_, bytes) = self.last.as_ref()?;
        bytes.get(place.start..place.start + place.bytes)
    }

    fn unpacked(&mut self, block: usize) -> io::Result<Vec<u8>> {
        let block = self.index.blocks[block];
        if block.packed.max(block.bytes) > LARGEST_BLOCK {
            return Err(damaged("a block that is too large"));
        }
        let mut packed = vec![0; block.packed]; // few: `LARGEST_BLOCK`
        self.file.seek(SeekFrom::Start(block.start))?;
        self.file.read_exact(&mut packed)?;
        let bytes = images::unlzma(&packed)?;
        match bytes.len() == block.bytes {
            true => Ok(bytes),
            false => Err(damaged("a block of another length")),
        }
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the file has {what}"))
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn lzma(bytes: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::LzmaOptions::with_preset(1);
        let size = Some(bytes.len() as u64);
        let mut packer =
            lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, size).unwrap();
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    /// A file with two blocks, of which the first has two cubins.
    fn written(folder: &Path, name: &str) -> PathBuf {
        let blocks = [lzma(b"onetwo"), lzma(b"three")];
        let [first, second] = [0, 1].map(|at| blocks[at].len());
        let lines = format!("block {first}\nfill 3\nmap_f32 3\nblock {second}\nsort 5\n\n");
        let head = format!("{} abc\n{lines}", index::MAGIC);
        let path = folder.join(name);
        fs::write(&path, [head.as_bytes(), &blocks.concat()].concat()).unwrap();
        path
    }

    #[test]
    fn the_newest_file_that_runs_is_taken_if_it_is_of_this_build() {
        let folder = new_folder();
        for name in ["sm_80.cubins", "sm_86.cubins", "sm_90.cubins"] {
            written(&folder, name);
        }
        let taken = |capability, digest| {
            let cubins = Cubins::in_folder(&folder, capability, digest)?;
            Some(cubins.path.file_stem()?.to_string_lossy().into_owned())
        };
        assert_eq!(taken((8, 0), "abc").as_deref(), Some("sm_80"));
        assert_eq!(taken((8, 9), "abc").as_deref(), Some("sm_86"));
        assert_eq!(taken((9, 0), "abc").as_deref(), Some("sm_90"));
        assert_eq!(taken((7, 5), "abc"), None);
        assert_eq!(taken((9, 0), "of another build"), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn cubins_are_unpacked_and_damage_is_none() {
        let folder = new_folder();
        let path = written(&folder, "sm_90.cubins");
        let mut cubins = Cubins::open(&path).unwrap();
        assert_eq!(cubins.cubin("sort"), Some(&b"three"[..]));
        assert_eq!(cubins.cubin("fill"), Some(&b"one"[..]));
        assert_eq!(cubins.cubin("map_f32"), Some(&b"two"[..]));
        assert_eq!(cubins.cubin("topk"), None);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut cut = Cubins::open(&path).unwrap();
        assert_eq!(cut.cubin("sort"), None);
        assert_eq!(cut.cubin("fill"), Some(&b"one"[..]));
        for damaged in [
            &b"no head"[..],
            b"",
            b"syntonic cubins 2 abc\nblock x\n\n",
            b"\xff\n\n",
        ] {
            fs::write(&path, damaged).unwrap();
            assert!(Cubins::open(&path).is_err());
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn machine_code_of_another_text_is_not_found() {
        let folder = new_folder();
        let packed = lzma(b"one");
        let key = of_made("jit_rows_01", "a text");
        let head = format!("{} abc\nblock {}\n{key} 3\n\n", index::MAGIC, packed.len());
        let path = folder.join("sm_90.cubins");
        fs::write(&path, [head.as_bytes(), &packed].concat()).unwrap();
        let mut cubins = Cubins::open(&path).unwrap();
        let mut found = |name, text| cubins.cubin(&of_made(name, text)).is_some();
        assert!(found("jit_rows_01", "a text"));
        assert!(!found("jit_rows_01", "a text that changed"));
        assert!(!found("jit_rows_02", "a text"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_variable_names_another_folder_or_none() {
        assert_eq!(folder(Some("there".into())), Some(PathBuf::from("there")));
        assert_eq!(folder(Some(OsString::new())), None);
    }

    /// A new folder.
    fn new_folder() -> PathBuf {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("syntonic-cubins-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }
}
