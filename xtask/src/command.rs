//! Running other programs: shown before they start, and named when they fail.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

/// The cargo that started us, in the root of the repository.
pub(crate) fn cargo() -> Result<Command> {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command
        .current_dir(crate::tree::root()?)
        // A relative setting means the caller's folder, and we have just left it.
        .env("CARGO_TARGET_DIR", crate::tree::target_dir()?)
        .stdin(Stdio::null());
    Ok(command)
}

/// The example `name` of a package, compiled with the features that the packages together choose of what they depend on, as the
/// tests are: whatever is compiled for one of them serves the other.
pub(crate) fn example(name: &str) -> Result<Command> {
    let mut build = cargo()?;
    build.args(["build", "--quiet", "--locked", "--example", name]);
    read(build.args(WORKSPACE))?;
    let folder = crate::tree::target_dir()?.join("debug").join("examples");
    let mut command = Command::new(folder.join(name));
    command.current_dir(crate::tree::root()?);
    Ok(command)
}

/// Every package. The extension module has nothing to run here and is not compiled, yet it is selected: which features a dependency
/// has follows from what is selected, and with other features everything would be compiled once more for the wheel.
pub(crate) const WORKSPACE: [&str; 1] = ["--workspace"];

/// Runs to the end with inherited output; an exit status other than zero is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = announce(command)
        .status()
        .with_context(|| format!("cannot start {}", line(command)))?;
    ensure!(status.success(), "{} ended with {status}", line(command));
    Ok(())
}

/// Runs to the end, passes standard output on as it comes and gives every line of it to `see`.
pub(crate) fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    announce(command).stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let output = child
        .stdout
        .take()
        .context("the child has no standard output")?;
    let mut terminal = std::io::stdout().lock();
    for text in BufReader::new(output).split(b'\n') {
        let text = text?;
        terminal.write_all(&text)?;
        terminal.write_all(b"\n")?;
        see(&String::from_utf8_lossy(&text));
    }
    terminal.flush()?;
    Ok(child.wait()?)
}

/// Runs silently and gives the trimmed standard output; a failure shows what the program wrote to standard error.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{} ended with {}\n{}",
        line(command),
        output.status,
        complaint.trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn announce(command: &mut Command) -> &mut Command {
    eprintln!("$ {}", line(command));
    command
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
