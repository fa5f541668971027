//! Writes the generated kernel sources into the folder it is given: `cargo xtask kernels` runs it.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("usage: generate_kernels FOLDER"));
    };
    for source in syntonic_cuda::codegen::sources() {
        let file = Path::new(&folder).join(format!("{}.cu", source.family));
        std::fs::write(file, source.text)?;
    }
    Ok(())
}
