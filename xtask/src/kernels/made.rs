//! The proof of texts that programs make at run time: put together of the committed images' pieces, and taken by the assembler
//! of the images' age.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::architecture::{Architecture, EVERYWHERE};
use super::assembler::Assemblers;
use super::examples;

/// Assembles the texts that the crate says stand for all, and those that a wheel has as machine code, for each architecture that `wanted` covers; says how many.
pub(super) fn prove(workshop: &Path, wanted: Option<Architecture>) -> Result<usize> {
    let all = EVERYWHERE.iter().copied();
    let architectures: Vec<Architecture> = all.filter(|a| wanted.is_none_or(|w| w == *a)).collect();
    let assemblers = Assemblers::ready(&architectures)?;
    let (folder, output) = (workshop.join("made"), workshop.join("made.cubin"));
    let mut count = 0;
    for architecture in architectures {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        examples::made_texts(&folder, architecture)?;
        examples::stock_texts(&folder, architecture)?;
        for text in fs::read_dir(&folder)? {
            let text = text?.path();
            let name = || format!("{} for {architecture}", text.display());
            assemblers
                .prove(architecture, &text, &output)
                .with_context(name)?;
            count += 1;
        }
    }
    ensure!(count > 0, "no text was made");
    Ok(count)
}
