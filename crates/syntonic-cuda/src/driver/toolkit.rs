//! Libraries of the CUDA toolkit, which are wanted by some operators only: where they are looked for.
//!
//! A library is opened by its full path first. Whoever asks the loader for it by name afterwards gets
//! the one that is open.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use syntonic_core::fork::{get_or_init, lock};

/// A library of the toolkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolkit {
    /// Matrix products.
    Cublas,
    /// Decompositions of matrices.
    Cusolver,
    /// Fourier transforms.
    Cufft,
    /// Transfers between GPUs of several ranks.
    Nccl,
    /// A compiler of CUDA C.
    Nvrtc,
}

/// A file of a library.
#[derive(Clone, Copy, Debug)]
struct File {
    /// Its name without the ending of the version.
    name: &'static str,
    /// The ending for each of [`VERSIONS`].
    endings: [&'static str; 2],
    /// Its folder in the Python packages of CUDA 12; those of CUDA 13 share one, but for [`NCCL`].
    package: &'static str,
}

/// The same file for both.
const NCCL: File = File {
    name: "libnccl.so",
    endings: ["2", "2"],
    package: "nccl",
};

const CUBLAS_LT: File = File {
    name: "libcublasLt.so",
    endings: ["13", "12"],
    package: "cublas",
};
const CUBLAS: File = File {
    name: "libcublas.so",
    endings: ["13", "12"],
    package: "cublas",
};
const LINKER: File = File {
    name: "libnvJitLink.so",
    endings: ["13", "12"],
    package: "nvjitlink",
};
const CUSPARSE: File = File {
    name: "libcusparse.so",
    endings: ["12", "12"],
    package: "cusparse",
};
const CUSOLVER: File = File {
    name: "libcusolver.so",
    endings: ["12", "11"],
    package: "cusolver",
};

const CUFFT: File = File {
    name: "libcufft.so",
    endings: ["12", "11"],
    package: "cufft",
};

const NVRTC: File = File {
    name: "libnvrtc.so",
    endings: ["13", "12"],
    package: "cuda_nvrtc",
};

/// Who finds the functions of a library that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Whoever asks the loader.
    Everyone,
    /// We alone, by its handle.
    Us,
}

impl Toolkit {
    fn file(self) -> File {
        match self {
            Toolkit::Cublas => CUBLAS_LT,
            Toolkit::Cusolver => CUSOLVER,
            Toolkit::Cufft => CUFFT,
            Toolkit::Nccl => NCCL,
            Toolkit::Nvrtc => NVRTC,
        }
    }

    /// Files that it needs itself, each after those it needs. The loader looks for them where the system has libraries, and
    /// finds in other places only what is open.
    fn needs(self) -> &'static [File] {
        match self {
            Toolkit::Cublas | Toolkit::Cufft | Toolkit::Nccl | Toolkit::Nvrtc => &[],
            Toolkit::Cusolver => &[LINKER, CUBLAS_LT, CUBLAS, CUSPARSE],
        }
    }

    /// cudarc asks the loader for the functions of cuBLASLt.
    fn scope(self) -> Scope {
        match self {
            Toolkit::Cublas => Scope::Everyone,
            Toolkit::Cusolver | Toolkit::Cufft | Toolkit::Nccl | Toolkit::Nvrtc => Scope::Us,
        }
    }

    /// What we call of it: cudarc looks a function up when it is first called, and panics where it is absent.
    fn functions(self) -> &'static [&'static str] {
        match self {
            Toolkit::Cublas => &[
                "cublasLtCreate",
                "cublasLtMatmul",
                "cublasLtMatmulAlgoGetHeuristic",
                "cublasLtMatmulDescCreate",
                "cublasLtMatmulDescDestroy",
                "cublasLtMatmulDescSetAttribute",
                "cublasLtMatmulPreferenceCreate",
                "cublasLtMatmulPreferenceDestroy",
                "cublasLtMatmulPreferenceSetAttribute",
                "cublasLtMatrixLayoutCreate",
                "cublasLtMatrixLayoutDestroy",
                "cublasLtMatrixLayoutSetAttribute",
            ],
            Toolkit::Cusolver => crate::solver::FUNCTIONS,
            Toolkit::Cufft => crate::fourier::FUNCTIONS,
            Toolkit::Nccl => crate::nccl::FUNCTIONS,
            Toolkit::Nvrtc => crate::nvrtc::FUNCTIONS,
        }
    }

    /// What to install for it.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Toolkit::Cublas => {
                "cuBLAS of CUDA 13 or 12 is needed: pip install nvidia-cublas (or nvidia-cublas-cu12, for a driver older than R580), or set CUDA_PATH to a toolkit"
            }
            Toolkit::Cusolver => {
                "cuSOLVER of CUDA 13 or 12 is needed: pip install nvidia-cusolver (or nvidia-cusolver-cu12, for a driver older than R580), or set CUDA_PATH to a toolkit"
            }
            Toolkit::Cufft => {
                "cuFFT of CUDA 13 or 12 is needed: pip install nvidia-cufft (or nvidia-cufft-cu12, for a driver older than R580), or set CUDA_PATH to a toolkit"
            }
            Toolkit::Nccl => {
                "NCCL 2.18 or newer is needed: pip install nvidia-nccl-cu13 (or nvidia-nccl-cu12, for a driver older than R580), or name its folder in SYNTONIC_CUDA_LIBRARIES"
            }
            Toolkit::Nvrtc => {
                "NVRTC of CUDA 13 or 12 is needed to compile CUDA C: pip install nvidia-cuda-nvrtc (or nvidia-cuda-nvrtc-cu12, for a driver older than R580), set CUDA_PATH to a toolkit, or give PTX"
            }
        }
    }

    fn opened(self) -> &'static OnceLock<Result<Opened, String>> {
        static CUBLAS: OnceLock<Result<Opened, String>> = OnceLock::new();
        static CUSOLVER: OnceLock<Result<Opened, String>> = OnceLock::new();
        static CUFFT: OnceLock<Result<Opened, String>> = OnceLock::new();
        static NCCL: OnceLock<Result<Opened, String>> = OnceLock::new();
        static NVRTC: OnceLock<Result<Opened, String>> = OnceLock::new();
        match self {
            Toolkit::Cublas => &CUBLAS,
            Toolkit::Cusolver => &CUSOLVER,
            Toolkit::Cufft => &CUFFT,
            Toolkit::Nccl => &NCCL,
            Toolkit::Nvrtc => &NVRTC,
        }
    }
}

/// A library that is open, and what it needs.
#[derive(Debug)]
struct Opened {
    library: Library,
    _needs: Vec<Library>,
}

/// Versions whose interface we speak, the newest first.
const VERSIONS: [&str; 2] = ["13", "12"];

static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Looks for the toolkit's libraries in this folder of Python packages too. Libraries that are open stay.
///
/// ```
/// use syntonic_core::ops::linalg::{Triangle, cholesky};
/// use syntonic_core::prelude::*;
///
/// // Before the first product, decomposition or Fourier transform.
/// syntonic_cuda::search_packages("venv/lib/python3.13/site-packages");
/// if syntonic_cuda::device_count() > 0 {
///     let x = Tensor::from([[4.0, 2.0], [2.0, 2.0]]).to(&syntonic_cuda::device(0)?)?;
///     match cholesky(&x, Triangle::Lower).and_then(|l| l.to_vec::<f64>()) {
///         Ok(l) => assert_eq!(l, [2.0, 0.0, 1.0, 1.0]),
///         // It was not there either, and the error names all places.
///         Err(error) => assert!(error.to_string().contains("python3.13/site-packages")),
///     }
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn search_packages(folder: impl Into<PathBuf>) {
    let mut folders = lock(&FOLDERS);
    folders.push(folder.into());
}

/// The one place to look, for those who have several toolkits: folders, separated as in `PATH`.
const CHOSEN: &str = "SYNTONIC_CUDA_LIBRARIES";

/// Where libraries may be.
#[derive(Clone, Debug)]
enum Place {
    /// A folder that has them all; the empty one leaves it to the loader.
    Folder(PathBuf),
    /// A folder of Python packages.
    Packages(PathBuf),
}

impl Place {
    /// Where it would have a file of [`VERSIONS`]`[version]`.
    fn path(&self, file: File, version: usize) -> PathBuf {
        let name = format!("{}.{}", file.name, file.endings[version]);
        match self {
            Place::Folder(folder) => folder.join(name),
            Place::Packages(packages) => {
                let part = match VERSIONS[version] {
                    "12" => file.package,
                    _ if file.name == NCCL.name => file.package,
                    _ => "cu13",
                };
                packages.join("nvidia").join(part).join("lib").join(name)
            }
        }
    }
}

/// Places that may have libraries, in the order of the search.
fn places() -> Vec<Place> {
    if let Some(chosen) = std::env::var_os(CHOSEN) {
        return std::env::split_paths(&chosen).map(Place::Folder).collect();
    }
    let packages = lock(&FOLDERS);
    let mut all: Vec<Place> = packages.iter().cloned().map(Place::Packages).collect();
    let named = ["CUDA_PATH", "CUDA_HOME"]
        .into_iter()
        .filter_map(std::env::var_os);
    let roots = named
        .map(PathBuf::from)
        .chain([PathBuf::from("/usr/local/cuda")]);
    let folders = roots.flat_map(|root| [root.join("lib64"), root.join("lib")]);
    all.extend(folders.chain([PathBuf::new()]).map(Place::Folder));
    all
}

/// Opens the library, once a process.
///
/// # Errors
/// What to install, and every place searched.
pub(crate) fn open(library: Toolkit) -> Result<&'static Library, String> {
    let opened = get_or_init(library.opened(), || search(library, &places()));
    match opened {
        Ok(opened) => Ok(&opened.library),
        Err(complaint) => Err(complaint.clone()),
    }
}

fn search(library: Toolkit, places: &[Place]) -> Result<Opened, String> {
    let mut searched = Vec::new();
    // A file that has one name for all versions is looked for once.
    let [new, old] = library.file().endings;
    let versions = if library == Toolkit::Nccl && new == old {
        1
    } else {
        VERSIONS.len()
    };
    for version in 0..versions {
        for place in places {
            match open_at(library, place, version) {
                Ok(opened) => return Ok(opened),
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

fn open_at(library: Toolkit, place: &Place, version: usize) -> Result<Opened, String> {
    let path = place.path(library.file(), version);
    if is_absent(&path) {
        return Err(format!("{}: no such file", path.display()));
    }
    let scope = library.scope();
    // What is not there the loader may find elsewhere; where it does not, it says so of the library itself.
    let needs = library.needs().iter().filter_map(|file| {
        let path = place.path(*file, version);
        let found = !is_absent(&path);
        found.then(|| open_file(&path, scope).ok()).flatten()
    });
    // few: a library each.
    let needs: Vec<Library> = needs.collect();
    let opened = open_checked(&path, scope, library.functions())?;
    tracing::debug!(?library, ?path, "opened");
    Ok(Opened {
        library: opened,
        _needs: needs,
    })
}

/// Whether a path names a folder, and there is no such file in it.
fn is_absent(path: &Path) -> bool {
    path.parent().is_some_and(|p| p != Path::new("")) && !path.exists()
}

/// Opens a library, which must have these functions; closes it again where a check fails.
fn open_checked(path: &Path, scope: Scope, functions: &[&str]) -> Result<Library, String> {
    let library = open_file(path, scope).map_err(|e| format!("{}: {e}", path.display()))?;
    for name in functions {
        // SAFETY: the address is only looked at.
        let found = unsafe { library.get::<*const ()>(name.as_bytes()) };
        if found.is_err() {
            let path = path.display();
            return Err(format!("{path}: lacks {name}, so it is too old, or broken"));
        }
    }
    Ok(library)
}

#[cfg(unix)]
pub(crate) use libloading::os::unix::Library;

#[cfg(not(unix))]
pub(crate) use libloading::Library;

#[cfg(unix)]
fn open_file(path: &Path, scope: Scope) -> Result<Library, libloading::Error> {
    use libloading::os::unix::{RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
    let scope = match scope {
        Scope::Everyone => RTLD_GLOBAL,
        Scope::Us => RTLD_LOCAL,
    };
    // SAFETY: opening a library runs its initialisers; those of NVIDIA's toolkit have no precondition.
    unsafe { Library::open(Some(path), RTLD_NOW | scope) }
}

#[cfg(not(unix))]
fn open_file(path: &Path, _: Scope) -> Result<Library, libloading::Error> {
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
            include_str!("../blas/float.rs"),
            include_str!("../blas/library.rs"),
            include_str!("../blas/plan.rs"),
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
        let place = Place::Folder(folder.clone());
        for library in [Toolkit::Cublas, Toolkit::Cusolver, Toolkit::Cufft] {
            for (text, version) in [("not a library\n", 0), ("", 1)] {
                for version in 0..VERSIONS.len() {
                    std::fs::write(place.path(library.file(), version), text).unwrap();
                }
                let complaint = search(library, std::slice::from_ref(&place)).unwrap_err();
                let file = library.file();
                let said = format!("{}.{}: ", file.name, file.endings[version]);
                assert!(
                    complaint.contains(&said)
                        && complaint.contains(&format!("pip install nvidia-{}", file.package)),
                    "{complaint}"
                );
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
        // A library that is none of the toolkit's.
        for (library, absent) in [
            (Toolkit::Cublas, "cublasLtCreate"),
            (Toolkit::Cusolver, "cusolverDnCreate"),
            (Toolkit::Cufft, "cufftCreate"),
        ] {
            let other = Path::new("libc.so.6");
            let complaint = open_checked(other, Scope::Us, library.functions()).unwrap_err();
            let said = format!("libc.so.6: lacks {absent}");
            assert!(complaint.contains(&said), "{complaint}");
        }
    }

    #[test]
    fn nccl_that_is_absent_names_its_package_and_its_place() {
        let folder = PathBuf::from("/nonexistent/syntonic");
        let text = search(Toolkit::Nccl, &[Place::Packages(folder)]).unwrap_err();
        assert!(text.contains("pip install nvidia-nccl-cu13"), "{text}");
        let place = "/nonexistent/syntonic/nvidia/nccl/lib/libnccl.so.2: no such file";
        assert_eq!(text.matches(place).count(), 1, "{text}");
    }

    #[test]
    fn every_place_is_named_where_nothing_is_found() {
        let folder = PathBuf::from("/nonexistent/syntonic");
        for (library, names) in [
            (Toolkit::Cublas, ["libcublasLt.so.13", "libcublasLt.so.12"]),
            (
                Toolkit::Cusolver,
                ["libcusolver.so.12", "libcusolver.so.11"],
            ),
            (Toolkit::Cufft, ["libcufft.so.12", "libcufft.so.11"]),
            (Toolkit::Nvrtc, ["libnvrtc.so.13", "libnvrtc.so.12"]),
        ] {
            let places = [
                Place::Folder(folder.clone()),
                Place::Packages(folder.clone()),
            ];
            let text = search(library, &places).unwrap_err();
            assert!(text.contains("pip install"), "{text}");
            for name in names {
                let named = format!("/nonexistent/syntonic/{name}");
                assert!(text.contains(&named), "{text}");
            }
            let package = library.file().package;
            for (part, name) in ["cu13", package].iter().zip(names) {
                let named = format!("/nonexistent/syntonic/nvidia/{part}/lib/{name}");
                assert!(text.contains(&named), "{text}");
            }
        }
    }
}
