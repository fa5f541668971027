//! Where files are written and read: modes, links, full disks, and what is no file at all. One table of formats for all.
#![cfg(unix)]

use crate::folder::Folder;
use crate::formats::{FORMATS, Refusal};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use syntonic_core::io::{check_writable, write_file};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn a_mode_is_kept() {
    let folder = Folder::new("modes");
    fs::write(folder.at("like"), "").unwrap();
    for format in FORMATS {
        let path = folder.at(format.name);
        (format.save)(&path, 1).unwrap();
        assert_eq!(mode(&path), mode(&folder.at("like")), "{}", format.name);
        for kept in [0o600, 0o640, 0o666, 0o755] {
            fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
            (format.save)(&path, u64::from(kept)).unwrap();
            assert_eq!(mode(&path), kept, "{}", format.name);
            assert_eq!((format.load)(&path).unwrap(), u64::from(kept));
        }
    }
    assert_eq!(folder.names().len(), FORMATS.len() + 1);
}

#[test]
fn links_are_followed_and_stay() {
    let folder = Folder::new("links");
    fs::create_dir(folder.at("inside")).unwrap();
    for format in FORMATS {
        let target = folder.at("inside").join(format.name);
        let (near, far) = (folder.at("near"), folder.at("far"));
        symlink(Path::new("inside").join(format.name), &near).unwrap();
        symlink(&near, &far).unwrap();
        // The first save finds a link to nothing, the second one to a file.
        for number in 1..3 {
            (format.save)(&far, number).unwrap();
            assert!(fs::symlink_metadata(&near).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&far).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&target).unwrap().is_file());
            assert_eq!((format.load)(&far).unwrap(), number, "{}", format.name);
        }
        fs::remove_file(near).unwrap();
        fs::remove_file(far).unwrap();
        let circle = folder.at("circle");
        symlink("circle", &circle).unwrap();
        assert!(matches!((format.save)(&circle, 1), Err(Refusal::System(_))));
        fs::remove_file(circle).unwrap();
    }
    assert_eq!(folder.names(), ["inside"]);
    assert_eq!(
        fs::read_dir(folder.at("inside")).unwrap().count(),
        FORMATS.len()
    );
}

#[test]
fn names_may_be_as_long_as_the_system_allows() {
    let folder = Folder::new("long");
    for format in FORMATS {
        let path = folder.at(&"φ".repeat(127));
        (format.save)(&path, 5).unwrap();
        assert_eq!((format.load)(&path).unwrap(), 5);
    }
    assert_eq!(folder.names().len(), 1);
}

#[test]
fn a_place_that_is_none_is_refused_and_left_alone() {
    let folder = Folder::new("nowhere");
    for format in FORMATS {
        let missing = folder.at("missing").join("file");
        assert!(matches!(
            (format.save)(&missing, 1),
            Err(Refusal::System(_))
        ));
        assert!(matches!((format.load)(&missing), Err(Refusal::System(_))));
        fs::create_dir(folder.at("folder")).unwrap();
        assert!(matches!(
            (format.save)(&folder.at("folder"), 1),
            Err(Refusal::System(_))
        ));
        assert!(matches!(
            (format.load)(&folder.at("folder")),
            Err(Refusal::File(_))
        ));
        fs::remove_dir(folder.at("folder")).unwrap();
    }
    assert!(folder.names().is_empty());
}

/// Pipes, sockets and devices: refused at once, never waited for, never replaced by a file.
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = Folder::new("strange");
    let pipe = folder.at("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let socket = folder.at("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let device = PathBuf::from("/dev/zero");
    let before: Vec<u64> = [&pipe, &socket, &device]
        .map(|p| fs::metadata(p).unwrap().ino())
        .into();
    for format in FORMATS {
        for (path, kind) in [(&pipe, "pipe"), (&socket, "socket"), (&device, "device")] {
            let begun = Instant::now();
            for refused in [(format.load)(path).map(drop), (format.save)(path, 1)] {
                match refused {
                    Err(Refusal::File(what)) => assert!(what.contains(kind), "{what}"),
                    other => panic!("{} of a {kind}: {other:?}", format.name),
                }
            }
            assert!(begun.elapsed() < Duration::from_secs(2));
        }
    }
    let after: Vec<u64> = [&pipe, &socket, &device]
        .map(|p| fs::metadata(p).unwrap().ino())
        .into();
    assert_eq!(before, after);
    assert_eq!(folder.names(), ["pipe", "socket"]);
}

/// Names the folder for the child of the next test.
const FULL: &str = "SYNTONIC_HOSTILE_FULL";

/// A child may write no file beyond a few kilobytes, as on a full disk.
#[test]
fn a_full_disk_leaves_the_old_file() {
    if let Ok(folder) = std::env::var(FULL) {
        for format in FORMATS {
            let path = Path::new(&folder).join(format.name);
            match (format.save)(&path, 2) {
                Err(Refusal::System(e)) => assert!(e.raw_os_error().is_some(), "{e}"),
                other => panic!("{}: {other:?}", format.name),
            }
            assert_eq!((format.load)(&path).unwrap(), 1, "{}", format.name);
        }
        return;
    }
    let folder = Folder::new("full");
    for format in FORMATS {
        (format.save)(&folder.at(format.name), 1).unwrap();
    }
    let before = folder.names();
    // Its words go through a pipe, since the limit is on every file that it writes.
    let done = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "places::a_full_disk_leaves_the_old_file"])
        .env(FULL, folder.at(""))
        .output()
        .unwrap();
    let words = [done.stdout, done.stderr].concat();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&words));
    assert_eq!(folder.names(), before);
}

#[test]
fn a_writer_that_fails_or_panics_leaves_the_old_file() {
    let folder = Folder::new("failing");
    let path = folder.at("file");
    fs::write(&path, "old").unwrap();
    let failed = write_file("test", &path, |file| {
        file.write_all(&[7; 100_000])?;
        Err(std::io::Error::from_raw_os_error(28))
    });
    assert!(failed.unwrap_err().to_string().contains("test"));
    let panicked = std::panic::catch_unwind(|| {
        write_file("test", &path, |file| {
            file.write_all(&[7; 3_000_000])?;
            panic!("as a test may")
        })
    });
    assert!(panicked.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    check_writable("test", &path).unwrap();
    check_writable("test", folder.at("new")).unwrap();
    assert!(check_writable("test", folder.at("missing").join("file")).is_err());
    assert!(check_writable("test", folder.at("")).is_err());
    assert_eq!(folder.names(), ["file"]);
}

/// Part files of the dead are removed; those of the living, and what only has such a name, stay: also a file of the user's.
#[test]
fn names_of_the_dead_are_taken_again() {
    let folder = Folder::new("dead");
    let path = folder.at("file");
    let dead: Vec<_> = (0..3)
        .map(|n| folder.at(&format!(".file.{n}.part")))
        .collect();
    let leave = |mode: u32| {
        for path in &dead {
            fs::write(path, "left behind").unwrap();
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
    };
    // As a writer makes them, with the mark that they have until they are whole.
    leave(0o1644);
    write_file("test", &path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(folder.names(), ["file"]);
    assert_eq!(mode(&path) & 0o1111, 0);
    // As others make them.
    for theirs in [0o644, 0o600, 0o1755] {
        leave(theirs);
        for target in [&path, &folder.at("unheard of")] {
            write_file("test", target, |file| file.write_all(b"new")).unwrap();
            check_writable("test", target).unwrap();
        }
        for path in &dead {
            assert_eq!(fs::read(path).unwrap(), b"left behind");
            assert_eq!(mode(path), theirs);
        }
    }
    dead.iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::remove_file(folder.at("unheard of")).unwrap();
    fs::write(folder.at("precious"), "precious").unwrap();
    symlink("precious", folder.at(".file.0.part")).unwrap();
    fs::create_dir(folder.at(".file.1.part")).unwrap();
    write_file("test", &path, |file| {
        // Somebody writes the same file meanwhile.
        let inner = write_file("test", &path, |file| file.write_all(b"inner"));
        assert!(inner.is_ok());
        file.write_all(b"outer")
    })
    .unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"outer");
    assert_eq!(fs::read(folder.at("precious")).unwrap(), b"precious");
    assert_eq!(
        folder.names(),
        [".file.0.part", ".file.1.part", "file", "precious"]
    );
}
