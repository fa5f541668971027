//! The Python wheel: built by maturin, installed into the project's virtual environment, skipped while nothing changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::command::run;
use crate::fingerprint::{Fingerprint, is_current};
use crate::tree::{files, is_under, root, target_dir};
use crate::venv::Venv;

/// How the extension is compiled.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// The profile of `cargo test`: overflow checks and debug assertions are on, and its dependencies are already built.
    Checked,
    /// What a user gets.
    Release,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Checked => "dev",
            Profile::Release => "release",
        }
    }
}

/// Makes `import syntonic` in `venv` mean the present state of the tree. `tools` is the environment with maturin in it.
pub(crate) fn install(tools: &Venv, venv: &Venv, profile: Profile) -> Result<()> {
    let wanted = Fingerprint::new()
        .text(profile.name())
        .files(&root()?, &inputs()?)?
        .finish();
    let stamp = venv.home().join("syntonic.stamp");
    if is_current(&stamp, &wanted) {
        return Ok(());
    }
    let wheel = build(tools, profile)?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
    ];
    let local = ["--no-index", "--no-deps", "--force-reinstall"];
    run(venv.python()?.args(pip).args(local).arg(&wheel))?;
    fs::write(stamp, wanted)?;
    Ok(())
}

/// Everything that can change the wheel: the manifests, the crates it is made of, and the images embedded in one of them.
fn inputs() -> Result<Vec<PathBuf>> {
    let mut inputs = files()?;
    inputs.retain(|file| {
        let listed = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"]
            .iter()
            .any(|name| file.as_path() == Path::new(name));
        let built = ["core", "cuda", "srt", "py"]
            .iter()
            .any(|part| is_under(file, &format!("crates/syntonic-{part}")));
        listed
            || is_under(file, "kernels/ptx")
            || (built
                && !is_under(file, "crates/syntonic-py/tests")
                && !is_under(file, "crates/syntonic-py/examples"))
    });
    Ok(inputs)
}

fn build(tools: &Venv, profile: Profile) -> Result<PathBuf> {
    let shelf = target_dir()?.join("wheels").join(profile.name());
    if shelf.exists() {
        fs::remove_dir_all(&shelf)?;
    }
    let mut maturin = Command::new(tools.program("maturin"));
    // For this machine alone: no audit of the libraries it links, and no time spent on compression.
    maturin.args([
        "build",
        "--quiet",
        "--locked",
        "--auditwheel",
        "skip",
        "--compression-method",
        "stored",
    ]);
    maturin
        .args(["--manifest-path", "crates/syntonic-py/Cargo.toml"])
        .args(["--profile", profile.name(), "--out"])
        .arg(&shelf);
    maturin.arg("--interpreter").arg(tools.program("python"));
    maturin
        .current_dir(root()?)
        .env("CARGO_TARGET_DIR", target_dir()?)
        .stdin(Stdio::null());
    run(&mut maturin)?;
    only_wheel(&shelf)
}

fn only_wheel(shelf: &Path) -> Result<PathBuf> {
    let entries =
        fs::read_dir(shelf).with_context(|| format!("maturin made no {}", shelf.display()))?;
    let paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    let wheels: Vec<&PathBuf> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "whl"))
        .collect();
    ensure!(
        wheels.len() == 1,
        "expected one wheel in {}, found {}",
        shelf.display(),
        wheels.len()
    );
    Ok(wheels[0].clone())
}
