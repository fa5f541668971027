//! Writes the generated kernel sources into the folder it is given: `cargo xtask kernels` runs it.

use std::path::Path;
use syntonic_cuda::codegen::{self, Named};
use syntonic_srt::nn;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("usage: generate_kernels FOLDER"));
    };
    let named = Named {
        maps: nn::maps(),
        composites: nn::ACTIVATIONS.to_vec(),
    };
    for source in codegen::sources(&named) {
        let file = Path::new(&folder).join(format!("{}.cu", source.family));
        std::fs::write(file, source.text)?;
    }
    Ok(())
}
