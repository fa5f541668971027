//! The compiled kernels, embedded: one PTX text for each family and architecture.
//!
//! The texts of a family are packed together, and a text is unpacked when a kernel of it is first used: they would be most of
//! the size of a program, and one program uses few of them.
//!
//! A driver compiles PTX for its card, so the newest image that is not newer than the card always loads. Without the feature
//! `images` there are none, which is how the programs are built that run before any kernel is compiled.

use std::ffi::CString;

use thiserror::Error;

#[cfg(feature = "images")]
#[rustfmt::skip]
mod table;

#[cfg(feature = "images")]
use table::FAMILIES;

#[cfg(not(feature = "images"))]
const FAMILIES: &[Family] = &[];

/// What was compiled from one CUDA source.
struct Family {
    name: &'static str,
    /// The texts of the images in their order, each with a zero byte at its end, packed.
    packed: &'static [u8],
    /// The newest first.
    images: &'static [Kind],
    /// Sorted.
    entries: &'static [&'static str],
}

/// Where an image runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "images"), allow(dead_code))]
enum Reach {
    /// On its architecture and every newer one.
    Onward,
    /// On its architecture only, for it uses what no other has.
    Exactly,
}

/// What an image was compiled for.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Ten times the major compute capability, plus the minor one.
    architecture: u32,
    reach: Reach,
}

impl Kind {
    /// For this architecture and every newer one.
    #[cfg(feature = "images")]
    const fn onward(architecture: u32) -> Kind {
        Kind {
            architecture,
            reach: Reach::Onward,
        }
    }

    /// For this architecture alone.
    #[cfg(feature = "images")]
    #[allow(dead_code)]
    const fn exactly(architecture: u32) -> Kind {
        Kind {
            architecture,
            reach: Reach::Exactly,
        }
    }

    fn runs_on(self, card: u32) -> bool {
        match self.reach {
            Reach::Onward => self.architecture <= card,
            Reach::Exactly => self.architecture == card,
        }
    }
}

/// One family as PTX for one architecture.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    architecture: u32,
    packed: &'static [u8],
    /// How many texts lie before this one.
    place: usize,
}

impl Image {
    /// The text as a driver's loader wants it. What cannot be unpacked is no text, and no loader takes it.
    pub fn ptx(&self) -> CString {
        unpacked(self.packed, self.place).unwrap_or_default()
    }

    /// The compute capability that it was compiled for.
    pub fn capability(&self) -> (u32, u32) {
        (self.architecture / 10, self.architecture % 10)
    }
}

/// The text at a place among those that were packed together; nothing where there is none.
#[cfg(feature = "images")]
fn unpacked(packed: &[u8], place: usize) -> Option<CString> {
    use std::io::BufRead;
    let reader = lzma_rust2::LzmaReader::new_mem_limit(packed, u32::MAX, None).ok()?;
    let mut reader = std::io::BufReader::new(reader);
    for _ in 0..place {
        reader.skip_until(0).ok()?;
    }
    let mut text = Vec::new();
    reader.read_until(0, &mut text).ok()?;
    CString::from_vec_with_nul(text).ok()
}

#[cfg(not(feature = "images"))]
fn unpacked(_: &[u8], _: usize) -> Option<CString> {
    None
}

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Missing {
    /// The crate was built without any.
    #[error("this build holds no CUDA kernels: the feature `images` of syntonic-cuda is off")]
    NotEmbedded,
    /// There is no family of that name.
    #[error("there is no kernel family `{family}`")]
    Family {
        /// The requested name.
        family: String,
    },
    /// No image of the family runs on the card.
    #[error(
        "the kernel family `{family}` has no image for compute capability {}.{}; there are images for {offered}",
        capability.0,
        capability.1
    )]
    Architecture {
        /// The requested family.
        family: String,
        /// The card's.
        capability: (u32, u32),
        /// The architectures of the images that there are.
        offered: String,
    },
}

/// The image of `family` for a card of `capability`: the newest that runs there, and one made for exactly this card before
/// one that also runs elsewhere.
///
/// # Errors
/// [`Missing`] if there is no such family, none of its images runs on the card, or the build holds no images.
pub fn image(family: &str, capability: (u32, u32)) -> Result<Image, Missing> {
    let family = find(family)?;
    let card = 10 * capability.0 + capability.1;
    let able = family.images.iter().enumerate();
    let able = able.filter(|(_, kind)| kind.runs_on(card));
    let best = able.max_by_key(|(_, kind)| (kind.architecture, kind.reach == Reach::Exactly));
    let (place, kind) = best.ok_or_else(|| Missing::Architecture {
        family: family.name.to_owned(),
        capability,
        offered: offered(family),
    })?;
    Ok(Image {
        architecture: kind.architecture,
        packed: family.packed,
        place,
    })
}

/// Whether `family` has a kernel of that name; a build without images has none.
pub fn has_entry(family: &str, entry: &str) -> bool {
    find(family).is_ok_and(|family| family.entries.binary_search(&entry).is_ok())
}

/// Every family with the names of its kernels, both sorted.
pub fn entries() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    FAMILIES.iter().map(|family| (family.name, family.entries))
}

fn find(name: &str) -> Result<&'static Family, Missing> {
    if FAMILIES.is_empty() {
        return Err(Missing::NotEmbedded);
    }
    let place = FAMILIES.binary_search_by(|family| family.name.cmp(name));
    place
        .map(|index| &FAMILIES[index])
        .map_err(|_| Missing::Family {
            family: name.to_owned(),
        })
}

fn offered(family: &Family) -> String {
    let name = |kind: &Kind| match kind.reach {
        Reach::Onward => format!("{} and newer", kind.architecture),
        Reach::Exactly => format!("{} only", kind.architecture),
    };
    family
        .images
        .iter()
        .rev()
        .map(name)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(all(test, feature = "images"))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_newest_image_that_runs_is_taken() {
        let taken = |family, card| image(family, card).map(|image| image.capability());
        // From 8.0 on there are instructions for bfloat16; moving bytes is the same everywhere.
        for (card, bf16) in [
            ((7, 5), (7, 5)),
            ((8, 9), (8, 0)),
            ((9, 0), (8, 0)),
            ((12, 0), (8, 0)),
        ] {
            assert_eq!(taken("map_bf16_alone", card), Ok(bf16));
            assert_eq!(taken("fill", card), Ok((7, 5)));
        }
        let missing = taken("fill", (7, 0)).unwrap_err();
        assert!(matches!(
            missing,
            Missing::Architecture {
                capability: (7, 0),
                ..
            }
        ));
        assert!(missing.to_string().contains("75 and newer"), "{missing}");
        assert!(matches!(taken_from_nowhere(), Err(Missing::Family { .. })));
    }

    fn taken_from_nowhere() -> Result<Image, Missing> {
        image("no_such_family", (9, 0))
    }

    #[test]
    fn what_was_packed_is_unpacked_and_nothing_else() {
        let texts = b"the text for 90\0the text for 75\0";
        let options = lzma_rust2::LzmaOptions::with_preset(6);
        let size = Some(texts.len() as u64);
        let mut packer =
            lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, size).unwrap();
        packer.write_all(texts).unwrap();
        let packed = packer.finish().unwrap();
        let text = |packed, place| unpacked(packed, place).map(|text| text.into_string().unwrap());
        assert_eq!(text(&packed, 0).as_deref(), Some("the text for 90"));
        assert_eq!(text(&packed, 1).as_deref(), Some("the text for 75"));
        assert_eq!(text(&packed, 2), None);
        assert_eq!(text(&packed[..packed.len() / 2], 1), None);
        assert_eq!(text(b"no packed text", 0), None);
    }

    #[test]
    fn an_exact_image_runs_nowhere_else() {
        let exact = Kind::exactly(90);
        assert!(exact.runs_on(90) && !exact.runs_on(100) && !exact.runs_on(89));
    }

    #[test]
    fn every_image_is_ptx_for_its_architecture_with_all_entries() {
        for family in FAMILIES {
            assert!(!family.images.is_empty(), "{}", family.name);
            for (place, kind) in family.images.iter().enumerate() {
                let text = unpacked(family.packed, place)
                    .unwrap()
                    .into_string()
                    .unwrap();
                assert!(text.contains(&format!("\n.target sm_{}", kind.architecture)));
                for entry in family.entries {
                    assert!(text.contains(&format!(".entry {entry}(")), "{entry}");
                }
            }
        }
    }

    #[test]
    fn entries_are_found_by_name() {
        for (family, entries) in entries() {
            assert!(entries.iter().all(|entry| has_entry(family, entry)));
        }
        assert!(has_entry("fill", "fill_b16") && !has_entry("fill", "fill_b3"));
        assert!(!has_entry("no_such_family", "fill_b1"));
    }

    /// The address of a store of one word of 4 bytes, as PTX writes it, and what is added to it.
    fn single_store(line: &str) -> Option<(&str, u32)> {
        let line = line.trim_start();
        let stores = line.starts_with("st.global.f32") || line.starts_with("st.global.u32");
        let (_, rest) = line.split_once('[').filter(|_| stores)?;
        let (address, _) = rest.split_once(']')?;
        let (base, more) = address.split_once('+').unwrap_or((address, "0"));
        Some((base, more.parse().ok()?))
    }

    #[test]
    fn rows_in_registers_are_stored_by_whole_vectors() {
        let mut kernels = 0;
        for (family, _) in entries() {
            let text = image(family, (9, 0)).unwrap().ptx();
            let text = text.to_string_lossy();
            for kernel in text.split(".entry ").skip(1) {
                let (name, _) = kernel.split_once('(').unwrap();
                if !name.ends_with("_held") {
                    continue;
                }
                kernels += 1;
                let stores: Vec<_> = kernel.lines().filter_map(single_store).collect();
                let apart = stores.windows(4).any(|four| {
                    let next = |k: usize| four[k] == (four[0].0, four[0].1 + 4 * k as u32);
                    four[0].1.is_multiple_of(16) && (1..4).all(next)
                });
                assert!(!apart, "{family}: {name} stores a vector word by word");
            }
        }
        assert!(kernels > 100, "{kernels}");
    }
}
