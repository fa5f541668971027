//! Virtual environments inside the target folder, with every tool pinned.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{read, run};
use crate::fingerprint::{Fingerprint, is_current};
use crate::steps::begin;
use crate::tree::{root, target_dir};

/// The oldest Python that the abi3 wheel supports.
const OLDEST: (u32, u32) = (3, 11);

/// Which set of packages an environment holds.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// What building, testing and the demonstration need.
    Project,
    /// What makes HTML of the documentation's pages.
    Site,
    /// What the public suite of the Array API needs.
    ArrayApi,
    /// What NPBench's programs need.
    NumpyPrograms,
    /// The libraries that benchmarks compare with; large, so made on request only.
    Peers,
    /// The CUDA compiler, for those who change kernels.
    Nvcc,
    /// The assembler of CUDA 12.3, which proves that PTX is of version 8.3.
    Ptxas83,
    /// The assembler of CUDA 12.8, for PTX up to version 8.7.
    Ptxas87,
}

impl Purpose {
    fn folder(self) -> &'static str {
        match self {
            Purpose::Project => "venv",
            Purpose::Site => "venv-site",
            Purpose::ArrayApi => "venv-array-api",
            Purpose::NumpyPrograms => "venv-npbench",
            Purpose::Peers => "venv-peers",
            Purpose::Nvcc => "venv-nvcc",
            Purpose::Ptxas83 => "venv-ptxas-8.3",
            Purpose::Ptxas87 => "venv-ptxas-8.7",
        }
    }

    fn requirements(self) -> &'static str {
        match self {
            Purpose::Project => "xtask/requirements.txt",
            Purpose::Site => "xtask/requirements-site.txt",
            Purpose::ArrayApi => "xtask/requirements-array-api.txt",
            Purpose::NumpyPrograms => "xtask/requirements-npbench.txt",
            Purpose::Peers => "xtask/requirements-peers.txt",
            Purpose::Nvcc => "xtask/requirements-nvcc.txt",
            Purpose::Ptxas83 => "xtask/requirements-ptxas-8.3.txt",
            Purpose::Ptxas87 => "xtask/requirements-ptxas-8.7.txt",
        }
    }
}

/// A virtual environment that is ready to use.
pub(crate) struct Venv {
    home: PathBuf,
}

impl Venv {
    /// The environment for `purpose`: the one at hand if the pins and the interpreter are the same, else a new one.
    pub(crate) fn ready(purpose: Purpose) -> Result<Self> {
        let venv = Self::expected(purpose)?;
        let base = find_python()?;
        let pins = root()?.join(purpose.requirements());
        let text =
            fs::read_to_string(&pins).with_context(|| format!("cannot read {}", pins.display()))?;
        let wanted = Fingerprint::new().text(&text).text(&base.identity).finish();
        let stamp = venv.home.join("pins.stamp");
        if !is_current(&stamp, &wanted) {
            let what = format!("pinned Python packages into target/{}", purpose.folder());
            begin(&what, "about a minute, once");
            venv.make(&base)?;
            venv.install(&pins)?;
            fs::write(&stamp, wanted)?;
        }
        Ok(venv)
    }

    /// The environment for `purpose` if it was made before.
    pub(crate) fn at_hand(purpose: Purpose) -> Result<Option<Self>> {
        let venv = Self::expected(purpose)?;
        Ok(venv.home.join("pins.stamp").is_file().then_some(venv))
    }

    fn expected(purpose: Purpose) -> Result<Self> {
        Ok(Self {
            home: target_dir()?.join(purpose.folder()),
        })
    }

    /// The environment's folder.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// A program of the environment by its plain name.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.home
            .join(folder)
            .join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// A file that a package put beside its Python modules.
    pub(crate) fn packaged(&self, path: &str) -> Result<PathBuf> {
        let question = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let folder = read(self.python()?.args(["-c", question]))?;
        let file = Path::new(&folder).join(path);
        ensure!(file.is_file(), "the pinned packages hold no {path}");
        Ok(file)
    }

    /// The environment's Python, in the root of the repository, without the caller's own Python settings.
    pub(crate) fn python(&self) -> Result<Command> {
        let mut command = Command::new(self.program("python"));
        command.current_dir(root()?);
        for setting in ["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"] {
            command.env_remove(setting);
        }
        Ok(command)
    }

    fn make(&self, base: &Python) -> Result<()> {
        if self.home.exists() {
            fs::remove_dir_all(&self.home)
                .with_context(|| format!("cannot remove {}", self.home.display()))?;
        }
        run(Command::new(&base.program).args(["-m", "venv"]).arg(&self.home)).context(
            "Python could not make a virtual environment; on Debian and Ubuntu the package python3-venv holds what is missing",
        )
    }

    fn install(&self, pins: &Path) -> Result<()> {
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
            "--only-binary",
            ":all:",
        ];
        run(self.python()?.args(pip).arg("--requirement").arg(pins)).context(
            "the pinned packages could not be installed; they are fetched once, so this step needs a network or a local pip mirror",
        )
    }
}

struct Python {
    program: OsString,
    /// Version and location: another interpreter means another environment.
    identity: String,
}

/// `SYNTONIC_PYTHON` if set, else the first of the usual names that is new enough.
fn find_python() -> Result<Python> {
    if let Some(program) = env::var_os("SYNTONIC_PYTHON") {
        return examine(&program)
            .with_context(|| format!("SYNTONIC_PYTHON={}", program.to_string_lossy()));
    }
    let mut complaints = Vec::new();
    for name in [
        "python3",
        "python3.14",
        "python3.13",
        "python3.12",
        "python3.11",
        "python",
    ] {
        match examine(&OsString::from(name)) {
            Ok(python) => return Ok(python),
            Err(complaint) => complaints.push(format!("  {name}: {complaint}")),
        }
    }
    bail!(
        "no Python {}.{} or newer was found; install one, or name it in SYNTONIC_PYTHON. Tried:\n{}",
        OLDEST.0,
        OLDEST.1,
        complaints.join("\n")
    )
}

fn examine(program: &OsString) -> Result<Python> {
    let question = "import sys; print(*sys.version_info[:3]); print(sys.base_prefix)";
    let identity = read(Command::new(program).args(["-I", "-c", question]))?;
    let mut version = identity
        .split_whitespace()
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (version.next().unwrap_or(0), version.next().unwrap_or(0));
    if found < OLDEST {
        bail!(
            "is Python {}.{}, older than {}.{}",
            found.0,
            found.1,
            OLDEST.0,
            OLDEST.1
        );
    }
    Ok(Python {
        program: program.clone(),
        identity,
    })
}
