//! The Python wheel: built by maturin, installed into the project's virtual environment, skipped while nothing changed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::command::{read, run};
use crate::fingerprint::{Fingerprint, is_current};
use crate::kernels::cubins::Cards;
use crate::tree::{files, is_under, root, target_dir};
use crate::venv::{Purpose, Venv};

/// How the extension is compiled.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// The profile of `cargo test`: overflow checks and debug assertions are on, and its dependencies are already built.
    Checked,
    /// What `pip install` makes of the tree: quick to compile.
    Release,
    /// What users download and benches measure.
    Dist,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Checked => "dev",
            Profile::Release => "release",
            Profile::Dist => "dist",
        }
    }
}

/// How large the wheel that users download is at most, in bytes.
const CEILING: u64 = 28_000_000;
/// Where cubins lie in it, which `syntonic/__init__.py` tells the extension.
const CUBINS: &str = "syntonic/_cubins";
/// Adds files to a wheel and enters them into its record (PyPA's "Binary distribution format"): the wheel, the files' folder in it,
/// then the files. They are stored as they are, since cubins are packed already.
const ADD: &str = include_str!("wheel_add.py");

/// The Python without a global lock that wheels are made for where none is named. No stable interface spans several of them before 3.15.
pub(crate) const FREE_THREADED: &str = "3.14";
/// What an interpreter says of itself: its version, and 1 where it has no global lock.
const LOCK: &str = "import sys, sysconfig; print('%d.%d' % sys.version_info[:2], sysconfig.get_config_var('Py_GIL_DISABLED') or 0)";

/// Which Python a wheel is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Interpreter {
    /// Any from 3.11 on that has a global lock.
    Stable,
    /// One without: a version with a `t`, of which maturin knows what it has to, or a program that can be asked.
    FreeThreaded(OsString),
}

impl Interpreter {
    fn of(options: &Options) -> Result<Interpreter> {
        if !options.free_threaded {
            return Ok(Interpreter::Stable);
        }
        let Some(python) = &options.python else {
            return Ok(Interpreter::FreeThreaded(
                format!("{FREE_THREADED}t").into(),
            ));
        };
        let said = read(Command::new(python).args(["-I", "-c", LOCK])).with_context(|| {
            format!("{} is no Python that can be asked; without --python the wheel is made for {FREE_THREADED}t, and none is needed", python.display())
        })?;
        check_free_threaded(&said).with_context(|| python.display().to_string())?;
        Ok(Interpreter::FreeThreaded(python.into()))
    }

    /// The folder of its wheels.
    fn shelf(&self, profile: Profile) -> String {
        match self {
            Interpreter::Stable => profile.name().to_owned(),
            Interpreter::FreeThreaded(_) => format!("{}-free-threaded", profile.name()),
        }
    }
}

/// Whether an interpreter that says this of itself has no global lock.
fn check_free_threaded(said: &str) -> Result<()> {
    let (version, lock) = said.split_once(' ').context("it did not say what it is")?;
    ensure!(
        lock == "1",
        "this is Python {version} with a global lock, whose wheel is the one without --free-threaded; a free-threaded one is called python{FREE_THREADED}t"
    );
    Ok(())
}

/// What `cargo xtask wheel` makes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder that the wheel goes into; the default is `wheels/dist` in the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// For the Python without a global lock, 3.14t, which takes no other wheel
    #[arg(long)]
    free_threaded: bool,
    /// The free-threaded interpreter that the wheel is for, if it is another version; it has to be there then
    #[arg(long, value_name = "PATH", requires = "free_threaded")]
    python: Option<PathBuf>,
    #[command(flatten)]
    cards: Cards,
}

/// The wheel that users download: for any Python from 3.11 on, or for one without a global lock, for any Linux that is not older than the tag of its name says, with
/// the kernels as machine code for the usual cards beside the PTX.
pub(crate) fn run_wheel(options: &Options) -> Result<()> {
    let interpreter = Interpreter::of(options)?;
    let tools = Venv::ready(Purpose::Project)?;
    let cubins = options.cards.assemble(&target_dir()?.join("cubins"))?;
    let mut wheel = build(
        &tools,
        Profile::Dist,
        Packing::Deflated,
        Audit::Manylinux,
        &interpreter,
    )?;
    add(&tools, &wheel, &cubins)?;
    if let Some(out) = &options.out {
        fs::create_dir_all(out)?;
        let name = wheel.file_name().context("the wheel has no name")?;
        let place = out.join(name);
        fs::copy(&wheel, &place)?;
        wheel = place;
    }
    let bytes = fs::metadata(&wheel)?.len();
    println!("{}: {:.1} MB", wheel.display(), bytes as f64 / 1e6);
    check_size(bytes)
}

fn add(tools: &Venv, wheel: &Path, files: &[PathBuf]) -> Result<()> {
    let mut python = tools.python()?;
    run(python.args(["-c", ADD]).arg(wheel).arg(CUBINS).args(files))
}

/// Whether the libraries that the extension links are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Audit {
    /// The wheel is named after the oldest distributions that have them.
    Manylinux,
    /// It is for this machine and its like.
    Skipped,
}

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
    let packing = match profile {
        Profile::Checked => Packing::Stored,
        Profile::Release | Profile::Dist => Packing::Deflated,
    };
    let wheel = build(
        tools,
        profile,
        packing,
        Audit::Skipped,
        &Interpreter::Stable,
    )?;
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
                && !is_under(file, "crates/syntonic-py/docs")
                && !is_under(file, "crates/syntonic-py/examples"))
    });
    Ok(inputs)
}

/// The wheel for another machine, to be put into an archive with other files, with the cubins that it brings along.
pub(crate) fn to_carry(tools: &Venv, profile: Profile, cubins: &[PathBuf]) -> Result<PathBuf> {
    let wheel = build(
        tools,
        profile,
        Packing::Stored,
        Audit::Skipped,
        &Interpreter::Stable,
    )?;
    add(tools, &wheel, cubins)?;
    Ok(wheel)
}

fn check_size(bytes: u64) -> Result<()> {
    ensure!(
        bytes < CEILING,
        "the release wheel has {bytes} bytes; it must stay below {CEILING}"
    );
    Ok(())
}

fn build(
    tools: &Venv,
    profile: Profile,
    packing: Packing,
    audit: Audit,
    interpreter: &Interpreter,
) -> Result<PathBuf> {
    let shelf = target_dir()?
        .join("wheels")
        .join(interpreter.shelf(profile));
    if shelf.exists() {
        fs::remove_dir_all(&shelf)?;
    }
    let mut maturin = Command::new(tools.program("maturin"));
    maturin.args(["build", "--quiet", "--locked"]);
    maturin.args(match audit {
        Audit::Manylinux => ["--auditwheel", "check"],
        Audit::Skipped => ["--auditwheel", "skip"],
    });
    if packing == Packing::Stored {
        maturin.args(["--compression-method", "stored"]);
    }
    maturin
        .args(["--manifest-path", "crates/syntonic-py/Cargo.toml"])
        .args(["--profile", profile.name(), "--out"])
        .arg(&shelf);
    maturin.arg("--interpreter").arg(match interpreter {
        Interpreter::Stable => tools.program("python").into_os_string(),
        Interpreter::FreeThreaded(python) => python.clone(),
    });
    maturin
        .current_dir(root()?)
        .env("CARGO_TARGET_DIR", target_dir()?)
        .stdin(Stdio::null());
    run(&mut maturin)?;
    only_wheel(&shelf)
}

/// The wheel that was last made for this machine's tests, if it is still there.
pub(crate) fn last(profile: Profile) -> Result<PathBuf> {
    only_wheel(
        &target_dir()?
            .join("wheels")
            .join(Interpreter::Stable.shelf(profile)),
    )
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
        assert!(complaint.contains("28000000"), "{complaint}");
    }

    #[test]
    fn an_interpreter_with_a_lock_takes_the_usual_wheel() {
        assert!(check_free_threaded("3.14 1").is_ok());
        let complaint = check_free_threaded("3.13 0").unwrap_err().to_string();
        assert!(
            complaint.contains("Python 3.13 with a global lock"),
            "{complaint}"
        );
        assert!(complaint.contains("python3.14t"), "{complaint}");
        assert!(check_free_threaded("").is_err());
    }
}
