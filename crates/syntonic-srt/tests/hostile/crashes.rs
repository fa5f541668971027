//! Processes that are killed while they save, and several that save to one path.

use crate::folder::Folder;
use crate::formats::{FORMATS, Format};
use crate::mutants::Numbers;
use crate::settings;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names a format and a path for a child of these tests.
const CHILD_FORMAT: &str = "SYNTONIC_HOSTILE_CHILD_FORMAT";
const CHILD_PATH: &str = "SYNTONIC_HOSTILE_CHILD_PATH";
const CHILD_FIRST: &str = "SYNTONIC_HOSTILE_CHILD_FIRST";

/// In a child this saves one number after the other until it is killed.
#[test]
fn what_is_saved_last_is_there() {
    if let Ok(name) = std::env::var(CHILD_FORMAT) {
        let format = FORMATS.iter().find(|f| f.name == name).unwrap();
        let path = std::env::var(CHILD_PATH).unwrap();
        let first: u64 = std::env::var(CHILD_FIRST).unwrap().parse().unwrap();
        for number in (first..).step_by(2) {
            (format.save)(Path::new(&path), number).unwrap();
        }
    }
    let folder = Folder::new("last");
    for format in FORMATS {
        let path = folder.at(format.name);
        for number in 1..4 {
            (format.save)(&path, number).unwrap();
            assert_eq!((format.load)(&path).unwrap(), number, "{}", format.name);
        }
    }
    assert_eq!(folder.names().len(), FORMATS.len());
}

/// A child that saves `first`, `first + 2` and so on.
fn writer(format: &Format, path: &Path, first: u64) -> Child {
    let program = std::env::current_exe().unwrap();
    Command::new(program)
        .args(["--exact", "crashes::what_is_saved_last_is_there"])
        .env(CHILD_FORMAT, format.name)
        .env(CHILD_PATH, path)
        .env(CHILD_FIRST, first.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_for(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the child saves nothing"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_writer_leaves_a_whole_file() {
    let mut numbers = Numbers(settings::seed());
    for format in FORMATS {
        let folder = Folder::new(&format!("kills-{}", format.name));
        let path = folder.at("file");
        (format.save)(&path, 0).unwrap();
        let (mut last, mut debris) = (0, 0);
        for _ in 0..settings::kills() {
            let mut child = writer(&format, &path, last + 2);
            let begun = Instant::now();
            // From the first save on, at any moment.
            while (format.load)(&path).unwrap() == last {
                assert!(
                    begun.elapsed() < Duration::from_secs(60),
                    "the child saves nothing"
                );
            }
            std::thread::sleep(Duration::from_micros(numbers.below(20_000) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
            last = (format.load)(&path).unwrap();
            let names = folder.names();
            debris += names.len() - 1;
            // What the one before left was removed by this one.
            assert!(names.len() <= 2, "{names:?}");
        }
        (format.save)(&path, last + 2).unwrap();
        assert_eq!((format.load)(&path).unwrap(), last + 2);
        assert_eq!(folder.names(), ["file"], "{}", format.name);
        println!(
            "{:<12} {} kills, {last} saves, {debris} part files left and removed",
            format.name,
            settings::kills()
        );
    }
}

#[test]
fn two_writers_of_one_path_never_tear_it() {
    let mut numbers = Numbers(settings::seed());
    for format in FORMATS {
        let folder = Folder::new(&format!("contest-{}", format.name));
        let path = folder.at("file");
        let mut children = [writer(&format, &path, 1), writer(&format, &path, 2)];
        wait_for(&path);
        let begun = Instant::now();
        let every = settings::contest() / (settings::kills() as u32).max(1);
        let (mut loads, mut seen, mut kills) = (0, [0, 0], 0);
        while begun.elapsed() < settings::contest() {
            let number = (format.load)(&path).unwrap();
            seen[(number % 2) as usize] += 1;
            loads += 1;
            if begun.elapsed() > every * (kills + 1) {
                let who = numbers.below(2);
                children[who].kill().unwrap();
                children[who].wait().unwrap();
                children[who] = writer(&format, &path, 1 + who as u64);
                kills += 1;
            }
        }
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        (format.load)(&path).unwrap();
        let left = folder.names().len() - 1;
        (format.save)(&path, 7).unwrap();
        assert_eq!(folder.names(), ["file"], "{}", format.name);
        println!(
            "{:<12} two writers for {:.1} s, {kills} kills: {loads} loads, none torn ({} of one, {} of the other), {left} part files at the end",
            format.name,
            begun.elapsed().as_secs_f64(),
            seen[0],
            seen[1],
        );
        assert!(loads > 0);
    }
}
