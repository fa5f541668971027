//! Advice that is found again.

use super::*;
use std::fs;
use std::path::Path;

/// A folder of a test's own, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("syntonic-advice-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn advisor(&self, hand: &Arc<Hand>) -> Advisor {
        Advisor::new(&self.0).with_clock(hand.clone())
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ways() -> [Way; 2] {
    [Way::new("slow", 900), Way::new("quick", 500)]
}

fn total(ways: &[Way]) -> usize {
    ways.iter().map(|way| way.counts.runs()).sum()
}

#[test]
fn advice_is_used_again_and_only_the_picked_is_prepared() -> Result<()> {
    let (hand, folder, ways) = (Arc::new(Hand::default()), Folder::new("again"), ways());
    let advisor = folder.advisor(&hand);
    let first = advisor.choose(doubling(&hand, &ways), &1.0)?.advice;
    let runs = total(&ways);
    // The same advisor, and one of another process.
    for (advisor, origin) in [
        (&advisor, Origin::Memory),
        (&folder.advisor(&hand), Origin::Disk),
    ] {
        let mut chosen = advisor.choose(doubling(&hand, &ways), &1.0)?;
        assert_eq!(chosen.advice.origin, origin);
        assert_eq!(chosen.advice.measured, first.measured);
        assert_eq!(total(&ways), runs);
        assert_eq!(ways[0].counts.prepared(), 1);
        assert_eq!(chosen.run(&5.0)?, 10.0);
        ways[1].counts.runs.fetch_sub(1, Ordering::Relaxed);
    }
    assert_eq!(ways[1].counts.prepared(), 3);
    assert_eq!(first.key, doubling(&hand, &ways).key());
    advisor.forget(&first.key)?;
    assert!(folder.files().is_empty());
    let again = advisor.choose(doubling(&hand, &ways), &1.0)?.advice;
    assert_eq!(again.origin, Origin::Measured);
    assert!(total(&ways) > runs);
    Ok(())
}

#[test]
fn whatever_advice_depends_on_is_part_of_its_key() {
    let x = crate::Tensor::from([1.0f32, 2.0]);
    let y = crate::Tensor::from([1.0, 2.0]);
    let hand = Arc::new(Hand::default());
    let plain = || doubling(&hand, &ways());
    let key = plain().key();
    assert!(key.contains(&format!("{:?}", cpu().identity())), "{key}");
    let others = [
        bare("doubling").key(),
        doubling(&hand, &[Way::new("slow", 1), Way::new("fast", 1)]).key(),
        doubling(&hand, &ways().map(|way| way.promising(0.1, 0.0))).key(),
        plain().within(0.5).key(),
        plain().operands(&[&x]).key(),
        plain().operands(&[&y]).key(),
        plain().operands(&[&y, &y]).key(),
    ];
    for (k, other) in others.iter().enumerate() {
        assert_ne!(&key, other, "{k}");
        assert!(!others[..k].contains(other), "{k}: {other}");
    }
    // Names that look like the next line do not make two workloads one.
    let tricky = bare("a\" on \"b").key();
    assert_ne!(tricky, bare("a").key());
    assert_eq!(plain().key(), key);
}

#[test]
fn other_kernels_are_measured_anew() -> Result<()> {
    let (hand, folder, ways) = (Arc::new(Hand::default()), Folder::new("kernels"), ways());
    folder.advisor(&hand).choose(doubling(&hand, &ways), &1.0)?;
    let mut newer = doubling(&hand, &ways);
    newer.identity.push_str(" and newer kernels");
    let advice = folder.advisor(&hand).choose(newer, &1.0)?.advice;
    assert_eq!(advice.origin, Origin::Measured);
    assert_eq!(folder.files().len(), 2);
    Ok(())
}

#[test]
fn damaged_and_foreign_files_are_no_advice() -> Result<()> {
    let (hand, folder) = (Arc::new(Hand::default()), Folder::new("damaged"));
    let make = || doubling(&hand, &ways());
    folder.advisor(&hand).choose(make(), &1.0)?;
    let [file] = &folder.files()[..] else {
        panic!("one file");
    };
    let good = fs::read_to_string(file).unwrap();
    let texts = [
        String::new(),
        "{".to_owned(),
        good[..good.len() / 2].to_owned(),
        good.replace("\"syntonic_advice\": 1", "\"syntonic_advice\": 2"),
        good.replace("doubling", "something else"),
        good.replace("\"picked\": \"quick\"", "\"picked\": \"nobody\""),
        good.clone() + &" ".repeat(1 << 16),
        "\u{0}".repeat(100),
    ];
    for text in texts {
        fs::write(file, &text).unwrap();
        let advice = folder.advisor(&hand).choose(make(), &1.0)?.advice;
        assert_eq!(advice.origin, Origin::Measured, "{text}");
        assert_eq!(advice.picked, "quick");
        assert_eq!(fs::read_to_string(file).unwrap(), good);
    }
    fs::write(file, [0xff, 0xfe]).unwrap();
    let advice = folder.advisor(&hand).choose(make(), &1.0)?.advice;
    assert_eq!(advice.origin, Origin::Measured);
    // A folder in the place of the file, which cannot be replaced: advice lives in memory.
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
    let advisor = folder.advisor(&hand);
    let mut origins = Vec::new();
    for _ in 0..2 {
        origins.push(advisor.choose(make(), &1.0)?.advice.origin);
    }
    assert_eq!(origins, [Origin::Measured, Origin::Memory]);
    assert!(matches!(
        advisor.forget(&make().key()),
        Err(Error::Io { .. })
    ));
    Ok(())
}

#[test]
fn a_folder_that_cannot_be_made_fails_no_call() -> Result<()> {
    let (hand, folder) = (Arc::new(Hand::default()), Folder::new("file"));
    fs::write(&folder.0, "a file where the folder should be").unwrap();
    let advisor = Advisor::new(folder.0.join("advice")).with_clock(hand.clone());
    for origin in [Origin::Measured, Origin::Memory] {
        let advice = advisor.choose(doubling(&hand, &ways()), &1.0)?.advice;
        assert_eq!((&*advice.picked, advice.origin), ("quick", origin));
    }
    let _ = fs::remove_file(Path::new(&folder.0));
    Ok(())
}

#[test]
fn what_cannot_be_prepared_any_more_is_left_out() -> Result<()> {
    let (hand, folder, ways) = (Arc::new(Hand::default()), Folder::new("gone"), ways());
    folder.advisor(&hand).choose(doubling(&hand, &ways), &1.0)?;
    let workload = doubling(&hand, &ways[..1])
        .choice("quick", 0.0, |_: &f64| Err(Error::value("test", "gone")));
    let advice = folder.advisor(&hand).choose(workload, &1.0)?.advice;
    assert_eq!((&*advice.picked, advice.origin), ("slow", Origin::Measured));
    assert_eq!(advice.left_out[0].reason, "test: gone");
    Ok(())
}

#[test]
fn reasons_of_the_moment_are_not_written() -> Result<()> {
    let (hand, folder) = (Arc::new(Hand::default()), Folder::new("moment"));
    let advisor = folder.advisor(&hand);
    let make =
        || doubling(&hand, &ways()).choice("large", 0.0, |_: &f64| Err(crate::room::refused(1)));
    let advice = advisor.choose(make(), &1.0)?.advice;
    assert_eq!(advice.left_out.len(), 1);
    assert!(folder.files().is_empty());
    assert_eq!(advisor.choose(make(), &1.0)?.advice.origin, Origin::Memory);
    Ok(())
}
