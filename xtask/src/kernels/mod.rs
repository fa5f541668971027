//! `cargo xtask kernels`: from CUDA sources to the PTX that is committed, and the check that the two belong together.
//!
//! Nobody needs a CUDA toolkit to build, install or test: images are committed, and the check reads text only. Whoever
//! changes a kernel gets the compiler into the target folder by running this.

mod architecture;
mod asked;
mod assembler;
mod check;
mod compiler;
pub(crate) mod cubins;
mod digest;
mod examples;
mod family;
mod hash;
#[path = "../../../crates/syntonic-cuda/src/cubins/index.rs"]
#[allow(dead_code)]
mod index;
mod items;
mod listing;
mod made;
mod manifest;
#[path = "../../../crates/syntonic-cuda/src/images/numbers.rs"]
mod numbers;
mod operators;
#[path = "../../../crates/syntonic-cuda/src/modules/overlap.rs"]
mod overlap;
mod ptx;
mod reached;
mod refresh;
mod relative;
#[cfg(test)]
mod scratch;
mod search;
#[path = "../../../crates/syntonic-cuda/src/ptx/slice.rs"]
#[allow(dead_code)]
mod slice;
mod stock;
mod store;
mod table;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use architecture::Architecture;
use assembler::{Assembler, Assemblers};
use compiler::Compiler;
use examples::Images;
use family::{Sources, families};
pub(crate) use hash::kernels_hash;
use listing::Listing;
use manifest::Manifest;
use refresh::{Job, Maker, Wish, plan, refresh};

use crate::tree::{root, target_dir};

/// How the names of the families begin of which kernels are made at run time.
const PARTS: &str = "parts_";

/// Compile what changed, or only look.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Change nothing and need no compiler; fail if an image is not that of its sources
    #[arg(long, conflicts_with_all = ["list", "prove", "hash", "force", "unpack"])]
    check: bool,
    /// Only this family: the name of a source without its ending
    #[arg(long)]
    family: Option<String>,
    /// Print what this operator, formula, family or kernel compiles to on each card. With --force, --prove or --unpack: only
    /// the family of this kernel, by its name in the PTX
    #[arg(long, value_name = "NAME", conflicts_with = "family")]
    kernel: Option<String>,
    /// With --kernel: assemble what is printed, and print its registers
    #[arg(long, requires = "kernel")]
    registers: bool,
    /// Only this architecture, such as 80, sm_80 or 90a
    #[arg(long)]
    arch: Option<Architecture>,
    /// Compile also what did not change
    #[arg(long)]
    force: bool,
    /// Print the families, and which images are out of date
    #[arg(long)]
    list: bool,
    /// Assemble every committed image by the assembler of its age, and kernels as they are made at run time
    #[arg(long)]
    prove: bool,
    /// Print the hash that a record of a run on a GPU carries
    #[arg(long)]
    hash: bool,
    /// Write the texts of the committed images into this folder, to be read
    #[arg(long, value_name = "FOLDER")]
    unpack: Option<PathBuf>,
}

impl Options {
    /// Whether kernels that are named are to be shown, and nothing is asked to be done with them.
    fn shows(&self) -> bool {
        let done = self.force || self.prove || self.list || self.check || self.hash;
        !done && self.unpack.is_none()
    }

    fn wish<'a>(&'a self, family: Option<&'a str>) -> Wish<'a> {
        Wish {
            family,
            architecture: self.arch,
            force: self.force,
        }
    }
}

/// The family that has a kernel of this name.
fn family_of(manifest: &Manifest, kernel: &str) -> Result<String> {
    let mut known = manifest.0.iter();
    let found = known.find(|(_, record)| record.entries.iter().any(|entry| entry == kernel));
    found.map(|(family, _)| family.clone()).with_context(|| {
        format!("no family has a kernel named `{kernel}`; kernels/manifest.json names them all")
    })
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let root = root()?;
    let family = match &options.kernel {
        Some(kernel) if options.shows() => return show(&root, kernel, options),
        Some(kernel) => Some(family_of(&Manifest::load(&root)?, kernel)?),
        None => options.family.clone(),
    };
    let wish = || options.wish(family.as_deref());
    if options.check {
        check()
    } else if options.list {
        list(wish())
    } else if options.prove {
        prove(&root, wish())
    } else if options.hash {
        println!("{}", kernels_hash(&root)?);
        Ok(())
    } else if let Some(folder) = &options.unpack {
        unpack(&root, wish(), folder)
    } else {
        if options.force {
            fs::remove_dir_all(workshop()?)?;
        }
        let sources = sources(Images::Coming)?;
        refresh(&sources, wish(), |jobs| prepare(&sources, jobs))
    }
}

/// `--kernel`: what is called `name` becomes on each card.
fn show(root: &Path, name: &str, options: &Options) -> Result<()> {
    let (manifest, workshop) = (Manifest::load(root)?, workshop()?);
    let cards = match options.arch {
        Some(card) => vec![card],
        None => cubins::cards()?,
    };
    // A kernel of an image is known without the programs that make others.
    let embedded = family_of(&manifest, name).is_ok();
    let stocks: listing::Stocks = match embedded {
        true => Vec::new(),
        false => cards
            .iter()
            .map(|card| Ok((*card, stock::stock(&workshop.join("listed"), *card)?)))
            .collect::<Result<_>>()?,
    };
    let assembler = options.registers.then(Assembler::newest).transpose()?;
    let listing = Listing {
        root,
        manifest: &manifest,
        stocks: &stocks,
        cards: &cards,
        assembler: assembler.as_ref(),
        workshop: &workshop,
    };
    let index = listing.index();
    let text = listing.text(&index.find(name)?)?;
    // Colours for a terminal alone, and not for those who set NO_COLOR.
    anstream::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

/// Whether `path`, relative to the root, is written by this module.
pub(crate) fn is_generated(path: &Path) -> bool {
    path == Path::new(table::FILE)
}

/// A folder for what is made on the way.
fn workshop() -> Result<PathBuf> {
    let folder = target_dir()?.join("kernels");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// All sources, those of the generator as it makes them now.
fn sources(images: Images) -> Result<Sources> {
    let workshop = workshop()?;
    let generated = workshop.join("generated");
    examples::sources(&generated, &workshop.join("generated-now"), images)?;
    Ok(Sources {
        root: root()?,
        generated,
    })
}

/// Finds the compiler and the assemblers that `jobs` need.
fn prepare(sources: &Sources, jobs: &[Job<'_>]) -> Result<Maker> {
    let compiler = Compiler::find()?;
    let architectures: Vec<Architecture> = jobs.iter().map(|job| job.architecture).collect();
    let assemblers = Assemblers::ready(&architectures)?;
    let (sources, workshop) = (sources.clone(), workshop()?);
    Ok(Box::new(move |job| {
        let name = format!("{}.{}", job.family.name, job.architecture);
        let at = |end: &str| workshop.join(format!("{name}.{end}"));
        let (raw, image, proven) = (at("raw"), at("ptx"), at("proven"));
        // A run that was cut off, or one on another branch, has made it already.
        if fs::read_to_string(&proven).is_ok_and(|from| from == job.from) {
            return Ok(fs::read_to_string(&image)?);
        }
        eprintln!("nvcc {name}");
        compiler.compile(&sources, job.family, job.architecture, &raw)?;
        let text = ptx::settled(&fs::read_to_string(&raw)?, job.architecture)?;
        let text = reached::of_its_kernels(&text)?;
        fs::write(&image, &text)?;
        assemblers.prove(job.architecture, &image, &at("cubin"))?;
        fs::write(&proven, &job.from)?;
        Ok(text)
    }))
}

/// `--check`, also a phase of `cargo xtask ci`.
pub(crate) fn check() -> Result<()> {
    let sources = sources(Images::There)?;
    let mut complaints = check::complaints(&sources)?;
    complaints.extend(asked::complaints(
        &sources.root,
        &Manifest::load(&sources.root)?,
    )?);
    if complaints.is_empty() {
        return Ok(());
    }
    bail!(
        "kernels, images and launches do not fit together; `cargo xtask kernels` makes images:\n  {}",
        complaints.join("\n  ")
    )
}

fn prove(root: &Path, wish: Wish<'_>) -> Result<()> {
    let images = committed(root, wish)?;
    let architectures: Vec<Architecture> = images.iter().map(|image| image.architecture).collect();
    let assemblers = Assemblers::ready(&architectures)?;
    let workshop = workshop()?;
    let (text, output) = (workshop.join("proof.ptx"), workshop.join("proof.cubin"));
    for image in &images {
        fs::write(&text, &image.text)?;
        assemblers
            .prove(image.architecture, &text, &output)
            .with_context(|| image.label.clone())?;
    }
    eprintln!("{} texts assemble", images.len());
    if wish.family.is_none_or(|family| family.starts_with(PARTS)) {
        let made = made::prove(&workshop, wish.architecture)?;
        eprintln!("{made} kernels as they are made at run time assemble");
    }
    Ok(())
}

/// One committed text.
struct Committed {
    label: String,
    architecture: Architecture,
    text: String,
}

/// The committed texts that `wish` covers.
fn committed(root: &Path, wish: Wish<'_>) -> Result<Vec<Committed>> {
    let mut all = Vec::new();
    for (name, record) in &Manifest::load(root)?.0 {
        if wish.family.is_some_and(|family| family != name) {
            continue;
        }
        for (architecture, text) in store::read(root, name, record)? {
            if wish
                .architecture
                .is_none_or(|wanted| wanted == architecture)
            {
                all.push(Committed {
                    label: store::label(name, architecture),
                    architecture,
                    text,
                });
            }
        }
    }
    Ok(all)
}

fn unpack(root: &Path, wish: Wish<'_>, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for image in committed(root, wish)? {
        fs::write(folder.join(image.label), image.text)?;
    }
    Ok(())
}

fn list(wish: Wish<'_>) -> Result<()> {
    let sources = sources(Images::Coming)?;
    let families = families(&sources)?;
    let manifest = Manifest::salvage(&sources.root);
    let stale = plan(&sources, &families, &manifest, wish)?;
    for family in families
        .iter()
        .filter(|family| wish.family.is_none_or(|name| name == family.name))
    {
        let images: Vec<String> = family
            .architectures
            .iter()
            .map(|image| {
                let is_stale =
                    |job: &Job<'_>| job.family.name == family.name && job.architecture == *image;
                format!(
                    "{image}{}",
                    if stale.iter().any(is_stale) {
                        " (out of date)"
                    } else {
                        ""
                    }
                )
            })
            .collect();
        let entries = manifest
            .0
            .get(&family.name)
            .map_or(0, |record| record.entries.len());
        println!(
            "{:<24} {entries:>3} entries  {}",
            family.name,
            images.join(", ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_images_are_what_the_manifest_says() {
        let root = crate::tree::root().unwrap();
        let manifest = super::Manifest::load(&root).unwrap();
        let complaints = super::check::complaints_of_images(&root, &manifest).unwrap();
        assert_eq!(complaints, [""; 0]);
    }
}
