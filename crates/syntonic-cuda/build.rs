//! Packs the compiled kernels, which are text, for `src/images.rs` to embed.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=kernels/ptx");
    #[cfg(feature = "images")]
    if let Err(error) = images::pack() {
        println!("cargo::error=the kernels in kernels/ptx cannot be packed: {error}");
    }
}

#[cfg(feature = "images")]
mod images {
    use std::io::Write;
    use std::path::{Path, PathBuf};
    use std::{env, fs, io};

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    /// Debug builds are made often and stay where they are made: there the texts are only wrapped.
    fn compression() -> Compression {
        match env::var("PROFILE").as_deref() {
            Ok("debug") => Compression::none(),
            _ => Compression::best(),
        }
    }

    /// Writes `NAME.deflate` into the folder of the build for each `kernels/ptx/NAME.ptx`.
    pub(super) fn pack() -> io::Result<()> {
        let folder = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .ok_or(io::ErrorKind::NotFound)
        };
        let (from, to) = (folder("CARGO_MANIFEST_DIR")?, folder("OUT_DIR")?);
        for entry in fs::read_dir(from.join("kernels/ptx"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "ptx")
                && let Some(name) = path.file_stem()
            {
                let mut file = name.to_owned();
                file.push(".deflate");
                fs::write(to.join(file), packed(&path)?)?;
            }
        }
        Ok(())
    }

    fn packed(path: &Path) -> io::Result<Vec<u8>> {
        let mut packer = DeflateEncoder::new(Vec::new(), compression());
        packer.write_all(&fs::read(path)?)?;
        packer.finish()
    }
}
