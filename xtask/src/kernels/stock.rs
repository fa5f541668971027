//! The texts of kernels that programs make at run time and a wheel has as machine code, as `syntonic_cuda` gives them to the driver.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::architecture::Architecture;
use super::examples;

/// How the names of such kernels begin: of formulas over rows, and over single elements.
const PREFIXES: [&str; 2] = ["jit_rows_", "map_"];

/// True for the name of a kernel that is made at run time.
pub(super) fn is_made(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// A kernel of the stock.
pub(super) struct Stocked {
    /// Its formula and type.
    pub(super) kind: String,
    /// What its machine code is filed under.
    pub(super) key: String,
    pub(super) text: String,
}

/// The stock for a card of `architecture`, sorted; `folder` takes its texts for a while.
pub(super) fn stock(folder: &Path, architecture: Architecture) -> Result<Vec<Stocked>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    examples::stock_texts(folder, architecture)?;
    let mut stock = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?.path();
        let (kind, key) = parts(&file).with_context(|| format!("{}", file.display()))?;
        stock.push(Stocked {
            kind,
            key,
            text: fs::read_to_string(&file)?,
        });
    }
    fs::remove_dir_all(folder)?;
    stock.sort_unstable_by(|a, b| (&a.kind, &a.key).cmp(&(&b.kind, &b.key)));
    Ok(stock)
}

/// The kind and the key that a file is named after.
fn parts(file: &Path) -> Option<(String, String)> {
    let (kind, key) = file.file_stem()?.to_str()?.split_once('.')?;
    is_made(key).then(|| (kind.to_owned(), key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_its_kernel_is() {
        let of = |name: &str| parts(Path::new(name));
        let own = |kind: &str, key: &str| Some((kind.to_owned(), key.to_owned()));
        assert_eq!(
            of("a/SOFTMAX_f32.jit_rows_01.02.ptx"),
            own("SOFTMAX_f32", "jit_rows_01.02")
        );
        assert_eq!(of("a/jit_rows_01.ptx"), None);
        assert_eq!(of("a/add_f32.map_01.02.ptx"), own("add_f32", "map_01.02"));
        assert_eq!(of("a/SOFTMAX_f32.sum_01.02.ptx"), None);
    }
}
