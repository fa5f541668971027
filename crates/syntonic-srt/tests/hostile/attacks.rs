//! Every format against thousands of damaged files: an answer with a type, soon, and for little memory.

use crate::coverage::Reached;
use crate::folder::Folder;
use crate::formats::{Refusal, Victim, step, victims};
use crate::memory::growth;
use crate::mutants::{Numbers, mutant};
use crate::settings;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use syntonic_core::io::{load_npy, load_npz, load_safetensors};
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
    /// Files that were damaged further.
    parents: usize,
    /// Branches reached, and all there are.
    branches: (usize, usize),
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
    let chosen = victims.iter().enumerate();
    for (k, victim) in chosen.filter(|(_, victim)| settings::format(victim.name)) {
        let other = &good[(k + 1) % good.len()];
        let outcomes = attack(victim, other, &folder);
        let guided = match outcomes.branches {
            (_, 0) => String::new(),
            (some, all) => format!("{:>6} parents, {some} of {all} branches", outcomes.parents),
        };
        println!(
            "{:<26} {:>8} {:>8} {:>8} {:>12.2} {:>22}{guided}",
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
    // What others reached is nobody's.
    Reached::default().news();
    let mut reached = Reached::default();
    let mut parents = vec![victim.good.clone()];
    fs::write(&path, &victim.good).unwrap();
    let _ = (victim.load)(&path);
    reached.news();
    for round in 0..settings::mutants() {
        // The whole file half of the time: most of what others reached is a way to be refused.
        let parent = match numbers.below(2) {
            0 => &victim.good,
            _ => &parents[numbers.below(parents.len())],
        };
        let bytes = (victim.mend)(mutant(parent, other, &mut numbers));
        fs::write(&path, &bytes).unwrap();
        let begun = Instant::now();
        let load = || catch_unwind(AssertUnwindSafe(|| (victim.load)(&path)));
        let (answer, grown) = growth(load);
        let taken = begun.elapsed();
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
        if reached.news() && bytes.len() < 2 * victim.good.len() + 1000 {
            parents.push(bytes.clone());
        }
        outcomes.slowest = outcomes.slowest.max(taken);
        if taken > SLOWEST {
            tell(&format!("{taken:?}"));
        }
        let beyond = grown.saturating_sub(TIMES * bytes.len() as u64);
        outcomes.most_beyond = outcomes.most_beyond.max(beyond);
        if beyond > BEYOND {
            tell(&format!("{grown} bytes of memory for {}", bytes.len()));
        }
    }
    outcomes.parents = parents.len();
    outcomes.branches = reached.counts();
    outcomes
}

/// A few generations, where they are small.
fn go_on(mut search: Res) {
    let size = search.config().population_for(search.dimension()) * search.dimension();
    let size = size.saturating_mul(search.repeats());
    let grown = size.saturating_mul(1 << search.restarts().min(40));
    if grown < 100_000 {
        (0..3).for_each(|_| step(&mut search));
    }
}

/// Claims of much in few bytes: refused, and no memory is taken for what is not there.
#[test]
fn claims_take_no_memory() {
    let folder = Folder::new("claims");
    let path = folder.at("file");
    let mut tried = 0;
    let mut refuse = |name: &str, bytes: Vec<u8>, load: fn(&Path) -> Result<(), Refusal>| {
        fs::write(&path, &bytes).unwrap();
        let begun = Instant::now();
        let (answer, grown) = growth(|| load(&path));
        assert!(
            matches!(answer, Err(Refusal::File(_))),
            "{name}: {answer:?}"
        );
        let most = TIMES * bytes.len() as u64 + BEYOND;
        assert!(grown <= most, "{name}: {grown} bytes for {}", bytes.len());
        assert!(begun.elapsed() < SLOWEST, "{name}");
        tried += 1;
    };
    let npy = |path: &Path| Ok(load_npy(path).map(drop)?);
    let npz = |path: &Path| Ok(load_npz(path).map(drop)?);
    let safetensors = |path: &Path| Ok(load_safetensors(path).map(drop)?);
    for length in [1u64 << 33, 1 << 61, u64::MAX] {
        let header =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({length},), }}\n");
        let start = [
            b"\x93NUMPY\x01\x00",
            &(header.len() as u16).to_le_bytes()[..],
        ]
        .concat();
        refuse("npy", [&start, header.as_bytes(), &[0; 64]].concat(), npy);
        let header =
            format!("{{\"x\":{{\"dtype\":\"F64\",\"shape\":[{length}],\"data_offsets\":[0,64]}}}}");
        let start = (header.len() as u64).to_le_bytes();
        refuse(
            "safetensors",
            [&start, header.as_bytes(), &[0; 64]].concat(),
            safetensors,
        );
        refuse(
            "safetensors' header",
            [&length.to_le_bytes()[..], b"{}"].concat(),
            safetensors,
        );
    }
    // The end of an archive of 100,000 bytes, which claims as many members as its fields can say.
    let end = |count: u16, list: u32, at: u32| {
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        end.extend([list.to_le_bytes(), at.to_le_bytes()].concat());
        [vec![0; 100_000], end, vec![0; 2]].concat()
    };
    refuse("npz's end", end(0xfffe, 46 * 0xfffe, 70_000), npz);
    refuse("npz's list", end(700, 99_000, 10_000), npz);
    refuse("npz's list outside", end(1, 46, 0xffff_fff0), npz);
    let mut long = vec![0; 100_000];
    let at = long.len() as u64;
    long.extend(b"PK\x06\x06");
    long.extend([0; 28]);
    for number in [1u64 << 61, 46 << 55, 0] {
        long.extend(number.to_le_bytes());
    }
    long.extend(b"PK\x06\x07\0\0\0\0");
    long.extend(at.to_le_bytes());
    long.extend(1u32.to_le_bytes());
    long.extend(&end(0xffff, u32::MAX, u32::MAX)[100_000..]);
    refuse("npz's long end", long, npz);
    // A harmless end behind many that claim much: whoever looks for another one finds them, and a list for them.
    let mut ends = vec![0; 100_000];
    ends[99_000..99_004].copy_from_slice(b"PK\x01\x02");
    for _ in 0..100 {
        ends.extend(&end(0xfffe, u32::MAX - 1, 0)[100_000..]);
    }
    ends.extend(&end(2, 92, 0)[100_000..]);
    refuse("npz's other ends", ends, npz);
    for (name, extra) in [(8, 0), (82, 0), (12, 70), (12, 60_000), (60_000, 0)] {
        refuse("npz's entries", entries(1 << 20, name, extra), npz);
    }
    // A member that claims to unpack to as much as anything could.
    let mut archive = include_bytes!("../../../syntonic-core/tests/data/numpy_arrays.npz").to_vec();
    let list = archive
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .unwrap();
    let packed = u32::from_le_bytes(archive[list + 20..list + 24].try_into().unwrap());
    archive[list + 24..list + 28].copy_from_slice(&(packed * 1032).to_le_bytes());
    refuse("npz's member", archive, npz);
    let dense = format!(
        "{{\"format\":1,\"config\":{{\"mode_norms\":[{}0]}}",
        "0,".repeat(200_000)
    );
    refuse("checkpoint's numbers", dense.into_bytes(), |path| {
        Ok(Res::load(path).map(drop)?)
    });
    assert_eq!(tried, 21);
}

/// An archive of about `len` bytes that is all list: of entries with names that take three times their bytes in UTF-8,
/// and with fields of no bytes.
fn entries(len: usize, name: usize, extra: usize) -> Vec<u8> {
    let count = (len / (46 + name + extra)) as u16;
    let mut archive = Vec::new();
    for k in 0..count {
        archive.extend(b"PK\x01\x02");
        archive.extend([0; 24]);
        archive.extend((name as u16).to_le_bytes());
        archive.extend((extra as u16).to_le_bytes());
        archive.extend([0; 14]);
        archive.extend(format!("{k:04x}").bytes());
        archive.extend(vec![0xdb; name - 8]);
        archive.extend(b".npy");
        archive.extend(b"\x34\x12\0\0".iter().cycle().take(extra));
    }
    let list = archive.len() as u32;
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    archive.extend([list.to_le_bytes(), [0; 4]].concat());
    archive.extend([0; 2]);
    archive
}
