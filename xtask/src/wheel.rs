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

/// How large the wheel that users download is at most, in bytes.
const CEILING: u64 = 25_000_000;

/// How the files of a wheel lie in its archive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    /// As they are: nothing is spent on it. What is packed once more becomes smaller so.
    Stored,
    /// As users download it.
    Deflated,
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
    let wheel = match profile {
        Profile::Checked => build(tools, profile, Packing::Stored)?,
        Profile::Release => build_small(tools)?,
    };
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

/// The wheel for another machine, to be put into an archive with other files. The release wheel is no larger than users
/// are promised.
pub(crate) fn to_carry(tools: &Venv, profile: Profile) -> Result<PathBuf> {
    if matches!(profile, Profile::Release) {
        build_small(tools)?;
    }
    build(tools, profile, Packing::Stored)
}

/// The release wheel as users download it, which has a limit.
fn build_small(tools: &Venv) -> Result<PathBuf> {
    let wheel = build(tools, Profile::Release, Packing::Deflated)?;
    let bytes = fs::metadata(&wheel)?.len();
    println!("release wheel: {:.1} MB", bytes as f64 / 1e6);
    check_size(bytes)?;
    Ok(wheel)
}

fn check_size(bytes: u64) -> Result<()> {
    ensure!(
        bytes < CEILING,
        "the release wheel has {bytes} bytes; it must stay below {CEILING}"
    );
    Ok(())
}

fn build(tools: &Venv, profile: Profile, packing: Packing) -> Result<PathBuf> {
    let shelf = target_dir()?.join("wheels").join(profile.name());
    if shelf.exists() {
        fs::remove_dir_all(&shelf)?;
    }
    let mut maturin = Command::new(tools.program("maturin"));
    // For this machine and its like: no audit of the libraries it links.
    maturin.args(["build", "--quiet", "--locked", "--auditwheel", "skip"]);
    if packing == Packing::Stored {
        maturin.args(["--compression-method", "stored"]);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_wheel_is_refused() {
        assert!(check_size(CEILING - 1).is_ok());
        let complaint = check_size(CEILING).unwrap_err().to_string();
        assert!(complaint.contains("25000000"), "{complaint}");
    }
}
