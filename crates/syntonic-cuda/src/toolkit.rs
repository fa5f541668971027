//! Libraries of the CUDA toolkit, which are wanted by some operators only: where they are looked for.
//!
//! A library is opened by its full path first. Whoever asks the loader for it by name afterwards gets
//! the one that is open.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A library of the toolkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolkit {
    /// Matrix products.
    Cublas,
}

impl Toolkit {
    /// Its files, after those it needs itself, without the ending of the version.
    fn files(self) -> &'static [&'static str] {
        match self {
            Toolkit::Cublas => &["libcublasLt.so", "libcublas.so"],
        }
    }

    /// What to install for it.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Toolkit::Cublas => {
                "cuBLAS of CUDA 13 or 12 is needed: pip install \"syntonic[cuda13]\" (or [cuda12], for a driver older than R580), or set CUDA_PATH to a toolkit"
            }
        }
    }

    fn opened(self) -> &'static OnceLock<Result<(), String>> {
        static CUBLAS: OnceLock<Result<(), String>> = OnceLock::new();
        match self {
            Toolkit::Cublas => &CUBLAS,
        }
    }
}

/// Versions whose interface we speak, the newest first.
const VERSIONS: [&str; 2] = ["13", "12"];

static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Looks for the toolkit's libraries in this folder of Python packages too. Libraries that are open stay.
pub fn search_packages(folder: impl Into<PathBuf>) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push(folder.into());
}

/// The one place to look, for those who have several toolkits: folders, separated as in `PATH`.
const CHOSEN: &str = "SYNTONIC_CUDA_LIBRARIES";

/// Folders that may hold libraries, in the order of the search; the empty one leaves it to the loader.
fn folders() -> Vec<PathBuf> {
    if let Some(chosen) = std::env::var_os(CHOSEN) {
        return std::env::split_paths(&chosen).collect();
    }
    let packages = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let inside =
        |p: &PathBuf| ["cu13", "cublas"].map(|part| p.join("nvidia").join(part).join("lib"));
    let mut all: Vec<PathBuf> = packages.iter().flat_map(inside).collect();
    let named = ["CUDA_PATH", "CUDA_HOME"]
        .into_iter()
        .filter_map(std::env::var_os);
    let roots = named
        .map(PathBuf::from)
        .chain([PathBuf::from("/usr/local/cuda")]);
    all.extend(roots.flat_map(|root| [root.join("lib64"), root.join("lib")]));
    all.push(PathBuf::new());
    all
}

/// Opens the library, once a process.
///
/// # Errors
/// What to install, and every place searched.
pub(crate) fn open(library: Toolkit) -> Result<(), String> {
    library
        .opened()
        .get_or_init(|| search(library, &folders()))
        .clone()
}

fn search(library: Toolkit, folders: &[PathBuf]) -> Result<(), String> {
    let mut searched = Vec::new();
    for version in VERSIONS {
        for folder in folders {
            let files = library.files().iter();
            let paths: Vec<PathBuf> = files
                .map(|f| folder.join(format!("{f}.{version}")))
                .collect();
            match open_all(&paths) {
                Ok(()) => {
                    tracing::debug!(?library, ?paths, "opened");
                    return Ok(());
                }
                Err(complaint) => searched.push(complaint),
            }
        }
    }
    Err(format!(
        "{}; searched:\n  {}",
        library.hint(),
        searched.join("\n  ")
    ))
}

fn open_all(paths: &[PathBuf]) -> Result<(), String> {
    for path in paths {
        if path.parent().is_some_and(|p| p != Path::new("")) && !path.exists() {
            return Err(format!("{}: no such file", path.display()));
        }
        open_for_all(path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// Opens a library so that later requests by its name find it, for the rest of the process.
#[cfg(unix)]
fn open_for_all(path: &Path) -> Result<(), libloading::Error> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: opening a library runs its initialisers; those of NVIDIA's toolkit have no precondition.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL)? };
    std::mem::forget(library);
    Ok(())
}

#[cfg(not(unix))]
fn open_for_all(path: &Path) -> Result<(), libloading::Error> {
    // SAFETY: as above.
    let library = unsafe { libloading::Library::new(path)? };
    std::mem::forget(library);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_named_where_nothing_is_found() {
        let folder = PathBuf::from("/nonexistent/syntonic");
        let text = search(Toolkit::Cublas, &[folder]).unwrap_err();
        assert!(text.contains("pip install"), "{text}");
        for version in VERSIONS {
            assert!(
                text.contains(&format!("/nonexistent/syntonic/libcublasLt.so.{version}")),
                "{text}"
            );
        }
    }
}
