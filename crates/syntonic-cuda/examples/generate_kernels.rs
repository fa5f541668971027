//! Writes the generated kernel sources into the folder it is given: `cargo xtask kernels` runs it.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("usage: generate_kernels FOLDER"));
    };
    for source in syntonic_cuda::codegen::sources() {
        std::fs::write(Path::new(&folder).join(source.file), source.text)?;
    }
    Ok(())
}
