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
    use std::{env, fs, io, thread};

    use lzma_rust2::{LzmaOptions, LzmaWriter};

    /// Where compression stops to gain much.
    const PRESET: u32 = 6;

    /// How texts are embedded. Debug builds are made often and stay where they are made: there they are as they are.
    #[derive(Clone, Copy)]
    enum Packing {
        Plain,
        Lzma,
    }

    impl Packing {
        fn of_profile() -> Packing {
            match env::var("PROFILE").as_deref() {
                Ok("debug") => Packing::Plain,
                _ => Packing::Lzma,
            }
        }

        /// What `src/images.rs` knows it by.
        fn name(self) -> &'static str {
            match self {
                Packing::Plain => "plain",
                Packing::Lzma => "lzma",
            }
        }

        fn packed(self, path: &Path) -> io::Result<Vec<u8>> {
            let text = fs::read(path)?;
            if matches!(self, Packing::Plain) {
                return Ok(text);
            }
            let options = LzmaOptions::with_preset(PRESET);
            let size = Some(text.len() as u64);
            let mut packer = LzmaWriter::new_use_header(Vec::new(), &options, size)?;
            packer.write_all(&text)?;
            packer.finish()
        }
    }

    /// Writes `NAME.packed` into the folder of the build for each `kernels/ptx/NAME.ptx`.
    pub(super) fn pack() -> io::Result<()> {
        let folder = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .ok_or(io::ErrorKind::NotFound)
        };
        let (from, to) = (folder("CARGO_MANIFEST_DIR")?, folder("OUT_DIR")?);
        let packing = Packing::of_profile();
        println!("cargo::rustc-env=SYNTONIC_PACKING={}", packing.name());
        let mut texts = Vec::new();
        for entry in fs::read_dir(from.join("kernels/ptx"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "ptx") {
                texts.push(path);
            }
        }
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let write = |path: &PathBuf| {
            let mut file = path.file_stem().unwrap_or_default().to_owned();
            file.push(".packed");
            fs::write(to.join(file), packing.packed(path)?)
        };
        thread::scope(|scope| {
            let share = |k: usize| texts.iter().skip(k).step_by(threads).try_for_each(write);
            let workers: Vec<_> = (0..threads)
                .map(|k| scope.spawn(move || share(k)))
                .collect();
            workers
                .into_iter()
                .try_for_each(|worker| match worker.join() {
                    Ok(done) => done,
                    Err(_) => Err(io::Error::other("a worker panicked")),
                })
        })
    }
}
