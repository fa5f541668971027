//! `cargo test` over the workspace, unit, integration and documentation tests alike, counted as it runs.

use std::process::Command;

use anyhow::Result;

use crate::command::{WORKSPACE, cargo, watch};
use crate::test::Tally;

/// The test program of each crate that holds its numbered examples.
pub(crate) const EXAMPLES: &str = "as_a_rust_user";

/// Runs all of them, also after a failure. The extension crate holds no Rust test, yet it is part of the workspace here:
/// with the same features chosen, the wheel reuses what is compiled now.
pub(crate) fn run() -> Result<Tally> {
    counted(command()?)
}

/// The numbered examples, which are tests. `prepare` may give the program another driver.
pub(crate) fn run_examples(prepare: impl FnOnce(&mut Command) -> Result<()>) -> Result<Tally> {
    let mut command = command()?;
    command.args(["--test", EXAMPLES]);
    prepare(&mut command)?;
    counted(command)
}

/// The examples in the documentation of the files whose paths contain `place`, but those of `without`. `prepare` may give them another
/// driver.
pub(crate) fn run_documents(
    place: &str,
    without: &str,
    prepare: impl FnOnce(&mut Command) -> Result<()>,
) -> Result<Tally> {
    let mut command = command()?;
    command.args(["--doc", "--", place, "--skip", without]);
    prepare(&mut command)?;
    counted(command)
}

fn command() -> Result<Command> {
    let mut command = cargo()?;
    command.args(["test", "--no-fail-fast", "--locked"]);
    command.args(WORKSPACE);
    Ok(command)
}

fn counted(mut command: Command) -> Result<Tally> {
    let mut tally = Tally::default();
    let status = watch(&mut command, |line| {
        tally += summary(line).unwrap_or_default()
    })?;
    if !status.success() && tally.failed == 0 {
        // Something did not compile, or a test process died before it could report.
        tally.failed = 1;
    }
    Ok(tally)
}

/// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; ...`. An ignored test is a test that does not hold.
fn summary(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?;
    let count = |name: &str| {
        let before = counts.split(&format!(" {name}")).next()?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    };
    Some(Tally {
        passed: count("passed")?,
        failed: count("failed")? + count("ignored")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summary_line_and_no_other() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(
            summary(line),
            Some(Tally {
                passed: 12,
                failed: 4
            })
        );
        assert_eq!(summary("running 12 tests"), None);
    }
}
