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

    /// What we call of it: cudarc looks a function up when it is first called, and panics where it is absent.
    fn functions(self) -> &'static [&'static str] {
        match self {
            Toolkit::Cublas => &[
                "cublasCreate_v2",
                "cublasSetStream_v2",
                "cublasSetWorkspace_v2",
                "cublasSetMathMode",
                "cublasGemmEx_64",
                "cublasGemmStridedBatchedEx_64",
            ],
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
            match open_all(&paths, library.functions()) {
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

/// Opens the files, so that later requests by their names find them, for the rest of the process; the last of them must have
/// these functions. Where anything is amiss, none stays open.
fn open_all(paths: &[PathBuf], functions: &[&str]) -> Result<(), String> {
    let mut open = Vec::new();
    for path in paths {
        if path.parent().is_some_and(|p| p != Path::new("")) && !path.exists() {
            return Err(format!("{}: no such file", path.display()));
        }
        open.push(open_for_all(path).map_err(|e| format!("{}: {e}", path.display()))?);
    }
    if let (Some(library), Some(path)) = (open.last(), paths.last()) {
        for name in functions {
            // SAFETY: the address is only looked at.
            let found = unsafe { library.get::<*const ()>(name.as_bytes()) };
            if found.is_err() {
                let path = path.display();
                return Err(format!("{path}: lacks {name}, so it is too old, or broken"));
            }
        }
    }
    std::mem::forget(open);
    Ok(())
}

#[cfg(unix)]
use libloading::os::unix::Library;

#[cfg(not(unix))]
use libloading::Library;

#[cfg(unix)]
fn open_for_all(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: opening a library runs its initialisers; those of NVIDIA's toolkit have no precondition.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }
}

#[cfg(not(unix))]
fn open_for_all(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { Library::new(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names after `sys::cublas` in our sources.
    #[test]
    fn every_function_that_we_call_is_listed() {
        let sources = [
            include_str!("blas/float.rs"),
            include_str!("blas/handle.rs"),
            include_str!("blas/integer.rs"),
            include_str!("blas/mod.rs"),
        ];
        let mut called = 0;
        for part in sources
            .iter()
            .flat_map(|text| text.split("sys::cublas").skip(1))
        {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
            let (name, rest) = part.split_at(end.unwrap_or(part.len()));
            if name.starts_with(char::is_uppercase) && rest.starts_with('(') {
                called += 1;
                let name = format!("cublas{name}");
                assert!(
                    Toolkit::Cublas.functions().contains(&name.as_str()),
                    "{name}"
                );
            }
        }
        assert!(called >= 6, "{called}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_broken_library_is_not_taken_and_says_why() {
        let folder = std::env::temp_dir().join(format!("syntonic-toolkit-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (text, said) in [
            ("not a library\n", "libcublasLt.so.13: "),
            ("", "libcublasLt.so.12: "),
        ] {
            for version in VERSIONS {
                for file in Toolkit::Cublas.files() {
                    std::fs::write(folder.join(format!("{file}.{version}")), text).unwrap();
                }
            }
            let complaint = search(Toolkit::Cublas, std::slice::from_ref(&folder)).unwrap_err();
            assert!(
                complaint.contains(said) && complaint.contains("syntonic[cuda13]"),
                "{complaint}"
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
        // A library that is none of the toolkit's.
        let complaint = open_all(&[PathBuf::from("libc.so.6")], Toolkit::Cublas.functions());
        let complaint = complaint.unwrap_err();
        assert!(
            complaint.contains("libc.so.6: lacks cublasCreate_v2"),
            "{complaint}"
        );
    }

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
