//! A slice of the comparison with the CPU, run by the stand-in driver on each kind of card that kernels are shipped for, and
//! counted as tests.

use std::process::Output;
use std::thread;

use anyhow::{Context, Result, anyhow};

use crate::kernels::cubins;
use crate::rust_tests;
use crate::simulate::{Built, Card, build, parity};
use crate::test::Tally;
use crate::tree::target_dir;

/// A card by its capability, and of how many checks one is made. They are those of the short form, which has every
/// operator, and the same ones in every run. The numbers are odd, since dtypes and layouts come by twos and fours.
const SLICES: [(&str, usize); 3] = [("9.0", 7), ("8.0", 13), ("7.5", 17)];
/// The capability of the cards that examples run on.
const EXAMPLES: &str = "9.0";
/// Where the examples in documentation lie that use a GPU, and those among them that need a host which goes on while a kernel runs.
const DOCUMENTS: [&str; 2] = ["crates/syntonic-cuda/", "src/service/"];
/// Processes side by side.
const PROCESSES: usize = 2;

/// Makes the checks of every slice, also after a failure.
pub(crate) fn run() -> Result<Tally> {
    if !cfg!(target_os = "linux") {
        println!("kernels are not simulated on this system");
        return Ok(Tally::default());
    }
    let built = build()?;
    let mut tally = Tally::default();
    for (capability, every) in SLICES {
        let part = |k: usize| slice(&built, capability, every, &format!("{}/{PROCESSES}", 1 + k));
        let outputs: Vec<Result<Output>> = thread::scope(|scope| {
            let part = &part;
            let threads: Vec<_> = (0..PROCESSES)
                .map(|k| scope.spawn(move || part(k)))
                .collect();
            let end = |thread: thread::ScopedJoinHandle<'_, Result<Output>>| {
                let panicked = |_| Err(anyhow!("a thread panicked"));
                thread.join().unwrap_or_else(panicked)
            };
            threads.into_iter().map(end).collect()
        });
        for output in outputs {
            tally += count(capability, &output?);
        }
    }
    let card = Card::of(EXAMPLES);
    // They have a file of cubins, of which the driver takes none: kernels come from PTX all the same.
    let cubins = target_dir()?.join("refused-cubins");
    cubins::write_refused(&cubins, EXAMPLES)?;
    tally += rust_tests::run_examples(|command| {
        command.env("SYNTONIC_CUBINS", &cubins);
        built.start_with(command, &card)
    })?;
    let [place, without] = DOCUMENTS;
    // Two, so that what goes between them has something to do.
    let cards = card.times(2);
    tally +=
        rust_tests::run_documents(place, without, |command| built.start_with(command, &cards))?;
    Ok(tally)
}

/// One part of a slice of the short form on one card.
fn slice(built: &Built, capability: &str, every: usize, part: &str) -> Result<Output> {
    let card = Card::of(capability);
    let mut command = parity(built, &card);
    command.args(["--short", "--every", &every.to_string(), "--part", part]);
    built.start_with(&mut command, &card)?;
    command.output().context("the comparison cannot start")
}

/// Shows what was said, and reads the sums in its last line.
fn count(capability: &str, output: &Output) -> Tally {
    let said = String::from_utf8_lossy(&output.stdout);
    let shown = |line: &&str| !line.contains(" s  ");
    for line in said.lines().filter(shown) {
        println!("capability {capability}: {line}");
    }
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let sums = said.lines().last().and_then(sums).unwrap_or_default();
    if !output.status.success() && sums.failed == 0 {
        // It did not come to counting.
        return Tally { failed: 1, ..sums };
    }
    sums
}

/// Reads `12 passed, 3 failed, 1 skipped`. A check that was skipped does not hold.
fn sums(line: &str) -> Option<Tally> {
    let number = |part: &str, name: &str| part.strip_suffix(name)?.trim().parse::<usize>().ok();
    let mut parts = line.split(", ");
    let passed = number(parts.next()?, "passed")?;
    let failed = number(parts.next()?, "failed")?;
    let skipped = number(parts.next()?, "skipped")?;
    Some(Tally {
        passed,
        failed: failed + skipped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_read() {
        let tally = Tally {
            passed: 12,
            failed: 4,
        };
        assert_eq!(sums("12 passed, 3 failed, 1 skipped"), Some(tally));
        assert_eq!(sums("12 checks left out that need cublas"), None);
    }
}
