//! The compiled kernels, embedded: PTX for each family and architecture.
//!
//! The texts of a family are packed together, and one is unpacked when a kernel of it is first used: they would be most of the
//! size of a program, and one program uses few of them.
//!
//! A driver compiles PTX for its card, so the newest image that is not newer than the card always loads. Without the feature
//! `images` there are none and no driver is opened, which is how the programs are built that run before any kernel is compiled, and Python
//! packages for the CPU alone.

use crate::ptx::slice::slice;

use thiserror::Error;

#[cfg_attr(not(feature = "images"), allow(dead_code))]
mod numbers;

#[cfg(feature = "images")]
#[rustfmt::skip]
mod table;

#[cfg(feature = "images")]
pub(crate) use table::DIGEST;
#[cfg(feature = "images")]
use table::FAMILIES;

/// Of no image.
#[cfg(not(feature = "images"))]
pub(crate) const DIGEST: &str = "";

#[cfg(not(feature = "images"))]
const FAMILIES: &[Family] = &[];

/// What was compiled from one CUDA source.
struct Family {
    name: &'static str,
    /// The newest first.
    images: &'static [Kind],
    /// Their texts in the same order, each with a zero byte at its end, packed.
    packed: &'static [u8],
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
    /// How many texts lie before this architecture's.
    place: usize,
}

/// A text as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored(String);

impl Stored {
    /// The text of the kernel `entry` and of what it reaches; nothing if it is not there.
    pub(crate) fn kernel(&self, entry: &str) -> Option<String> {
        numbers::absolute(&slice(&self.0, &[entry])?)
    }

    /// Bytes that it takes.
    pub(crate) fn size(&self) -> usize {
        self.0.len()
    }

    #[cfg(all(test, feature = "images"))]
    pub(crate) fn of(text: String) -> Stored {
        Stored(text)
    }
}

impl Image {
    /// The text of the kernel `entry` and of what it reaches; nothing if the family has no such kernel.
    ///
    /// ```
    /// # #[cfg(feature = "images")] {
    /// let image = syntonic_cuda::images::image("fill", (9, 0)).unwrap();
    /// assert!(image.ptx("fill_b4").unwrap().contains(".entry fill_b4("));
    /// assert!(image.ptx("fill_b3").is_none());
    /// # }
    /// ```
    pub fn ptx(&self, entry: &str) -> Option<String> {
        self.stored()?.kernel(entry)
    }

    /// The whole text.
    pub(crate) fn whole(&self) -> Option<String> {
        numbers::absolute(&self.stored()?.0)
    }

    /// The whole text as it is stored.
    pub(crate) fn stored(&self) -> Option<Stored> {
        unpacked(self.packed, self.place).map(Stored)
    }

    /// The compute capability that it was compiled for.
    ///
    /// ```
    /// # #[cfg(feature = "images")] {
    /// // An image runs on its own cards and on newer ones.
    /// let image = syntonic_cuda::images::image("fill", (9, 0)).unwrap();
    /// assert_eq!(image.capability(), (7, 5));
    /// # }
    /// ```
    pub fn capability(&self) -> (u32, u32) {
        (self.architecture / 10, self.architecture % 10)
    }
}

/// The text at a place among those that were packed together; nothing where there is none.
#[cfg(feature = "images")]
fn unpacked(packed: &[u8], place: usize) -> Option<String> {
    use std::io::BufRead;
    let reader = lzma_rust2::LzmaReader::new_mem_limit(packed, u32::MAX, None).ok()?;
    let mut reader = std::io::BufReader::new(reader);
    for _ in 0..place {
        reader.skip_until(0).ok()?;
    }
    let mut text = Vec::new();
    reader.read_until(0, &mut text).ok()?;
    text.pop_if(|end| *end == 0)?;
    String::from_utf8(text).ok()
}

#[cfg(not(feature = "images"))]
fn unpacked(_: &[u8], _: usize) -> Option<String> {
    None
}

/// What was packed, as a whole.
#[cfg(feature = "images")]
pub(crate) fn unlzma(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut reader = lzma_rust2::LzmaReader::new_mem_limit(packed, u32::MAX, None)?;
    let mut bytes = Vec::new(); // few: callers bound what they give
    std::io::Read::read_to_end(&mut reader, &mut bytes)?;
    Ok(bytes)
}

#[cfg(not(feature = "images"))]
pub(crate) fn unlzma(_: &[u8]) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::Unsupported.into())
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
///
/// ```
/// # #[cfg(feature = "images")] {
/// use syntonic_cuda::images::{Missing, image};
///
/// // PTX of one of our kernels, for a program that launches it itself.
/// let ptx = image("fill", (8, 6)).unwrap().ptx("fill_b8").unwrap();
/// assert!(ptx.contains(".target sm_75") && ptx.contains(".entry fill_b8("));
/// assert!(matches!(image("fill", (6, 0)), Err(Missing::Architecture { .. })));
/// assert!(matches!(image("paint", (8, 6)), Err(Missing::Family { .. })));
/// # }
/// ```
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
///
/// ```
/// use syntonic_cuda::images::has_entry;
///
/// assert_eq!(has_entry("fill", "fill_b8"), cfg!(feature = "images"));
/// assert!(!has_entry("fill", "fill_b3"));
/// ```
pub fn has_entry(family: &str, entry: &str) -> bool {
    find(family).is_ok_and(|family| family.entries.binary_search(&entry).is_ok())
}

/// Every family with the names of its kernels, both sorted.
///
/// ```
/// # #[cfg(feature = "images")] {
/// use syntonic_cuda::images::entries;
///
/// let (_, fills) = entries().find(|(family, _)| *family == "fill").unwrap();
/// assert!(fills.contains(&"fill_b1") && fills.contains(&"fill_b16"));
/// let kernels: usize = entries().map(|(_, kernels)| kernels.len()).sum();
/// assert!(kernels > fills.len());
/// # }
/// ```
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
    use crate::ptx::slice::{statements, words};
    use std::collections::HashSet;
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
            assert_eq!(taken("parts_bf16", card), Ok(bf16));
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
        let text = |packed, place| unpacked(packed, place);
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
            for kind in family.images {
                let capability = (kind.architecture / 10, kind.architecture % 10);
                let text = image(family.name, capability).unwrap().whole().unwrap();
                let target = format!("\n.target sm_{}", kind.architecture);
                assert_eq!(text.matches(&target).count(), 1);
                for entry in family.entries {
                    assert!(text.contains(&format!(".entry {entry}(")), "{entry}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_of_every_image_can_be_taken_out() {
        for family in FAMILIES {
            for kind in family.images {
                let capability = (kind.architecture / 10, kind.architecture % 10);
                let stored = image(family.name, capability).unwrap().stored().unwrap();
                let all: HashSet<&str> = names(&stored.0);
                for entry in family.entries {
                    let part = stored.kernel(entry).expect("it is listed");
                    assert_eq!(
                        part.matches(".entry").count(),
                        1,
                        "{}: {entry}",
                        family.name
                    );
                    let declared = names(&part);
                    let missing = words(&part).find(|w| all.contains(w) && !declared.contains(w));
                    assert_eq!(missing, None, "{}: {entry}", family.name);
                }
            }
        }
    }

    fn names(text: &str) -> HashSet<&str> {
        statements(text).iter().filter_map(|s| s.name).collect()
    }

    #[test]
    fn entries_are_found_by_name() {
        for (family, entries) in entries() {
            assert!(entries.iter().all(|entry| has_entry(family, entry)));
        }
        assert!(has_entry("fill", "fill_b16") && !has_entry("fill", "fill_b3"));
        assert!(!has_entry("no_such_family", "fill_b1"));
    }
}
