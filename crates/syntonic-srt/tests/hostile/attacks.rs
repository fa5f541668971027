//! Every format against thousands of damaged files: an answer with a type, soon, and for little memory.

use crate::folder::Folder;
use crate::formats::{Refusal, Victim, step, victims};
use crate::memory::growth;
use crate::mutants::{Numbers, mutant};
use crate::settings;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use syntonic_srt::evolve::Res;

/// No answer takes longer.
const SLOWEST: Duration = Duration::from_secs(2);
/// Memory for one file, as a multiple of its length and beyond it.
const TIMES: u64 = 3;
const BEYOND: u64 = 128 << 10;

/// What came of one format's files.
#[derive(Default)]
struct Outcomes {
    loaded: u64,
    refused: u64,
    slowest: Duration,
    /// The most memory beyond [`TIMES`] the file's length.
    most_beyond: u64,
}

#[test]
fn damaged_files_get_an_answer() {
    let victims = victims();
    let good: Vec<Vec<u8>> = victims.iter().map(|v| v.good.clone()).collect();
    let folder = Folder::new("attacks");
    println!(
        "{:<26} {:>8} {:>8} {:>8} {:>12} {:>22}",
        "file", "mutants", "loaded", "refused", "slowest, ms", "memory beyond 3x, KiB"
    );
    for (k, victim) in victims.iter().enumerate() {
        let other = &good[(k + 1) % good.len()];
        let outcomes = attack(victim, other, &folder);
        println!(
            "{:<26} {:>8} {:>8} {:>8} {:>12.2} {:>22}",
            victim.name,
            settings::mutants(),
            outcomes.loaded,
            outcomes.refused,
            outcomes.slowest.as_secs_f64() * 1e3,
            outcomes.most_beyond >> 10,
        );
        assert!(
            outcomes.refused > settings::mutants() / 10,
            "{}",
            victim.name
        );
    }
}

fn attack(victim: &Victim, other: &[u8], folder: &Folder) -> Outcomes {
    let mut numbers = Numbers(settings::seed());
    let mut outcomes = Outcomes::default();
    let path = folder.at("victim");
    for round in 0..settings::mutants() {
        let bytes = (victim.mend)(mutant(&victim.good, other, &mut numbers));
        fs::write(&path, &bytes).unwrap();
        let begun = Instant::now();
        let load = || catch_unwind(AssertUnwindSafe(|| (victim.load)(&path)));
        let (answer, grown) = growth(load);
        let name = victim.name;
        let tell = |what: &str| -> ! {
            let kept = std::env::temp_dir().join(format!("syntonic-mutant-{round}"));
            let _ = fs::write(&kept, &bytes);
            panic!(
                "{name}, mutant {round}: {what}; the file is {}",
                kept.display()
            )
        };
        match answer {
            Ok(Ok(search)) => {
                outcomes.loaded += 1;
                // What is accepted can go on.
                let go_on = AssertUnwindSafe(|| search.map(go_on));
                if catch_unwind(go_on).is_err() {
                    tell("a panic in the search");
                }
            }
            Ok(Err(Refusal::File(what))) if !what.is_empty() => outcomes.refused += 1,
            Ok(Err(Refusal::File(_))) => tell("refused without a word"),
            Ok(Err(Refusal::System(e))) => tell(&e.to_string()),
            Ok(Err(Refusal::Other(what))) => tell(&what),
            Err(_) => tell("a panic"),
        }
        outcomes.slowest = outcomes.slowest.max(begun.elapsed());
        if begun.elapsed() > SLOWEST {
            tell(&format!("{:?}", begun.elapsed()));
        }
        let beyond = grown.saturating_sub(TIMES * bytes.len() as u64);
        outcomes.most_beyond = outcomes.most_beyond.max(beyond);
        if beyond > BEYOND {
            tell(&format!("{grown} bytes of memory for {}", bytes.len()));
        }
    }
    outcomes
}

/// A few generations, where they are small.
fn go_on(mut search: Res) {
    let size = search.config().population_for(search.dimension()) * search.dimension();
    if size < 100_000 {
        (0..3).for_each(|_| step(&mut search));
    }
}
