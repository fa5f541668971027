//! Who comes to the port and is no rank, and ranks that say what they should not.

use super::frame::{HEAD, Head, VERSION};
use super::meeting::reached;
use super::reception::listen;
use super::secret::{NONCE, PROOF};
use super::*;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const PATIENCE: Duration = Duration::from_secs(30);

fn secret(word: &str) -> Option<Secret> {
    Some(Secret::new(format!("a secret of these tests: {word}")).unwrap())
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn meeting(rank: usize, size: usize, port: u16, secret: Option<Secret>) -> Meeting {
    Meeting {
        rank,
        size,
        address: "127.0.0.1".into(),
        port,
        timeout: PATIENCE,
        secret,
    }
}

/// A connection to the port, once somebody listens there.
fn visit(port: u16, words: &[u8]) -> TcpStream {
    let began = Instant::now();
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(mut stream) => {
                // It may be sent away before it has said all.
                let _ = stream.write_all(words);
                return stream;
            }
            Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
        }
    }
}

fn message(kind: Kind, call: u64, len: usize, body: &[u8]) -> Vec<u8> {
    [&Head { kind, call, len }.bytes()[..], body].concat()
}

/// What strangers say first.
fn words_of_strangers() -> Vec<Vec<u8>> {
    let who: Vec<u8> = [1u64, 2].iter().flat_map(|n| n.to_le_bytes()).collect();
    let hello = |body: &[u8]| message(Kind::Hello, 0, body.len(), body);
    let mut other_version = hello(&[]);
    other_version[4..6].copy_from_slice(&(VERSION + 7).to_le_bytes());
    let mut unknown_kind = hello(&[]);
    unknown_kind[6] = 99;
    vec![
        Vec::new(),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        vec![0; HEAD],
        other_version,
        unknown_kind,
        // The place of rank 1, as version 1 took it.
        hello(&who),
        // With no proof, or a wrong one.
        hello(&[&who[..], &[0; NONCE]].concat()),
        hello(&[&who[..], &[0; NONCE + PROOF]].concat()),
        message(Kind::Hello, 0, usize::MAX, &[0; 100]),
        message(Kind::Hello, 0, 1 << 40, &[0; 100]),
        message(Kind::End, 0, 20, &[0; 20]),
        message(Kind::End, 0, 1 << 16, &[0; 20]),
        message(Kind::Welcome, 0, PROOF, &[0; PROOF]),
        message(Kind::Part, 1, 1 << 50, &[]),
    ]
}

/// Rank 1 comes after `others` have, and the group works.
fn starts_in_spite_of(others: impl FnOnce(u16), secret: Option<Secret>) {
    let port = free_port();
    let meet = |rank| Tcp::meet(&meeting(rank, 2, port, secret.clone()));
    thread::scope(|scope| {
        let first = scope.spawn(|| meet(0)?.all_gather(b"zero"));
        others(port);
        let second = scope.spawn(|| meet(1)?.all_gather(b"one"));
        let want = [&b"zero"[..], b"one"];
        assert_eq!(first.join().unwrap().unwrap(), want);
        assert_eq!(second.join().unwrap().unwrap(), want);
    });
}

#[test]
fn no_word_of_a_stranger_ends_a_start_or_takes_a_place() {
    for secret in [None, secret("ours")] {
        for words in words_of_strangers() {
            let mut stranger = None;
            starts_in_spite_of(|port| stranger = Some(visit(port, &words)), secret.clone());
            drop(stranger);
        }
        let mut all = Vec::new();
        let come = |port| all.extend(words_of_strangers().iter().map(|w| visit(port, w)));
        starts_in_spite_of(come, secret);
    }
}

#[test]
fn silent_strangers_take_no_room_that_ranks_need() {
    let mut silent = Vec::new();
    let come = |port| silent.extend((0..200).map(|_| visit(port, b"")));
    starts_in_spite_of(come, secret("ours"));
}

#[test]
fn a_stranger_who_says_one_byte_at_a_time_is_sent_away() {
    let port = free_port();
    let host = Meeting {
        timeout: Duration::from_secs(8),
        ..meeting(0, 2, port, secret("ours"))
    };
    thread::scope(|scope| {
        let first = scope.spawn(move || Tcp::meet(&host).map(drop));
        let mut stranger = visit(port, b"");
        let words = message(Kind::Hello, 0, 80, &[0; 79]);
        let began = Instant::now();
        let sent_away = words.iter().position(|byte| {
            thread::sleep(Duration::from_millis(100));
            stranger.write_all(&[*byte]).is_err()
        });
        assert!(sent_away.is_some() && began.elapsed() < Duration::from_secs(8));
        assert!(first.join().unwrap().is_err());
    });
}

#[test]
fn another_secret_is_told_to_its_rank_and_does_not_end_the_start() {
    for wrong in [None, secret("theirs")] {
        let mut said = String::new();
        let come = |port| {
            let outcome = Tcp::meet(&meeting(1, 2, port, wrong.clone()));
            said = outcome.unwrap_err().to_string();
        };
        starts_in_spite_of(come, secret("ours"));
        assert!(said.contains("SYNTONIC_GROUP_SECRET"), "{said}");
    }
    // Where nobody else comes, rank 0 says who came.
    let port = free_port();
    let host = Meeting {
        timeout: Duration::from_millis(700),
        ..meeting(0, 2, port, secret("ours"))
    };
    thread::scope(|scope| {
        let first = scope.spawn(move || Tcp::meet(&host).unwrap_err().to_string());
        assert!(Tcp::meet(&meeting(1, 2, port, secret("theirs"))).is_err());
        let mut old = message(Kind::Hello, 0, 0, &[]);
        old[4] = 1;
        let _old = visit(port, &old);
        let said = first.join().unwrap();
        assert!(
            said.contains("absent: [1]; 1 came with another secret"),
            "{said}"
        );
        assert!(said.contains("speaks version 1"), "{said}");
    });
}

#[test]
fn who_listens_in_the_place_of_rank_0_is_not_believed() {
    for (words, said) in [
        (
            message(Kind::Challenge, 0, NONCE, &[1; NONCE]),
            "another secret",
        ),
        (message(Kind::Welcome, 0, PROOF, &[1; PROOF]), "not due"),
        (
            b"220 mail.example\r\n and so on and so on".to_vec(),
            "does not speak as a rank",
        ),
        (message(Kind::Challenge, 0, 1 << 60, &[]), "MASTER_PORT"),
        (Vec::new(), "MASTER_PORT"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let rank = thread::spawn(move || {
            let meeting = Meeting {
                timeout: Duration::from_secs(2),
                ..meeting(1, 2, port, secret("ours"))
            };
            Tcp::meet(&meeting).map(drop)
        });
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(&words).unwrap();
        if said == "another secret" {
            let mut hello = [0; HEAD + 80];
            stream.read_exact(&mut hello).unwrap();
            // Nothing that it could have made of what it heard: its own words come back.
            let proof = &hello[HEAD + 16 + NONCE..];
            stream
                .write_all(&message(Kind::Welcome, 0, PROOF, proof))
                .unwrap();
        }
        let text = rank.join().unwrap().unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn without_a_secret_ranks_meet_on_one_machine_alone() {
    for rank in [0, 1] {
        for address in ["0.0.0.0", "192.0.2.1", "::"] {
            let open = Meeting {
                address: address.into(),
                ..meeting(rank, 2, 29_500, None)
            };
            let error = Tcp::meet(&open).unwrap_err();
            assert!(matches!(error, Error::Value { .. }), "{error}");
            assert!(
                error.to_string().contains("SYNTONIC_GROUP_SECRET"),
                "{error}"
            );
        }
    }
}

/// A rank that has come and may say what it likes, and what becomes of a call of rank 0, in a world of 2.
fn against<T: Send>(
    hostile: impl FnOnce(Wire) + Send,
    call: impl FnOnce(&Tcp) -> Result<T> + Send,
) -> Result<T> {
    let port = free_port();
    thread::scope(|scope| {
        let rank =
            scope.spawn(move || hostile(reached(&meeting(1, 2, port, secret("ours"))).unwrap()));
        let host = Meeting {
            timeout: Duration::from_secs(2),
            ..meeting(0, 2, port, secret("ours"))
        };
        let outcome = Tcp::meet(&host).and_then(|group| call(&group));
        rank.join().unwrap();
        outcome
    })
}

/// Sends these bytes, and waits until the other side has closed.
fn say(mut wire: Wire, words: Vec<u8>) {
    wire.send_raw(words);
    let began = Instant::now();
    while wire.pump().is_ok() && began.elapsed() < PATIENCE {
        drop(wire.take());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn lengths_are_looked_at_before_anything_is_received() {
    for len in [1, 1 << 20, 1 << 40, usize::MAX] {
        let outcome = against(
            |wire| say(wire, message(Kind::Part, 1, len, &[])),
            |group| group.barrier(),
        );
        let text = outcome.unwrap_err().to_string();
        assert!(
            text.contains(&format!("rank 1 of 2 sends {len} bytes where 0 at most")),
            "{text}"
        );
        let outcome = against(
            |wire| {
                say(
                    wire,
                    message(Kind::Part, 1, 1000 + len.min(usize::MAX - 1000), &[]),
                )
            },
            |group| group.all_gather_within(&[0; 1000], 1000),
        );
        let text = outcome.unwrap_err().to_string();
        assert!(text.contains("where 1000 at most are due"), "{text}");
    }
    // Where any length is due, one for which there is no room is an error before it comes.
    for len in [1 << 60, usize::MAX] {
        let outcome = against(
            |wire| say(wire, message(Kind::Part, 1, len, &[])),
            |group| group.all_gather(b""),
        );
        assert!(
            matches!(outcome, Err(Error::OutOfMemory { .. })),
            "{outcome:?}"
        );
    }
    let alone = crate::group::Alone.all_gather_within(b"two", 2);
    assert!(matches!(alone, Err(Error::Value { .. })), "{alone:?}");
}

#[test]
fn what_a_rank_says_of_itself_moves_no_cursor_and_names_a_rank() {
    for (rank, named) in [(1u64, 1), (0, 0), (u64::MAX, 1), (2, 1)] {
        let body = [&rank.to_le_bytes()[..], b"\x1b[2J\x1b]0;mine\x07gave\nup\0"].concat();
        let outcome = against(
            move |wire| say(wire, message(Kind::End, 1, body.len(), &body)),
            |group| group.barrier(),
        );
        let error = outcome.unwrap_err();
        let text = error.to_string();
        assert!(
            !text.chars().any(char::is_control) && text.contains("gave\\nup"),
            "{text:?}"
        );
        assert!(
            matches!(error, Error::Rank { rank, .. } if rank == named),
            "{text}"
        );
    }
    for words in [
        vec![0; HEAD],
        message(Kind::Whole, 1, 0, &[]),
        message(Kind::Hello, 1, 0, &[]),
    ] {
        let outcome = against(|wire| say(wire, words), |group| group.barrier());
        assert!(
            matches!(outcome, Err(Error::Rank { rank: 1, .. })),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_call_may_take_long_while_bytes_move_and_others_are_told_to_wait() {
    let port = free_port();
    let short = Duration::from_millis(300);
    let met = |rank| Meeting {
        timeout: short,
        ..meeting(rank, 3, port, secret("ours"))
    };
    let whole = thread::scope(|scope| {
        let quick: Vec<_> = [0, 2]
            .map(|rank| scope.spawn(move || Tcp::meet(&met(rank))?.all_gather(&[rank as u8; 5])))
            .into_iter()
            .collect();
        let mut wire = reached(&met(1)).unwrap();
        let began = Instant::now();
        wire.send_raw(message(Kind::Part, 1, 40, &[]));
        for _ in 0..40 {
            wire.send_raw(vec![1]);
            wire.pump().unwrap();
            drop(wire.take());
            thread::sleep(short / 5);
        }
        assert!(began.elapsed() > 7 * short);
        quick
            .into_iter()
            .map(|rank| rank.join().unwrap())
            .collect::<Vec<_>>()
    });
    for all in whole {
        assert_eq!(all.unwrap(), [vec![0; 5], vec![1; 40], vec![2; 5]]);
    }
}

#[test]
fn a_rank_that_falls_silent_in_the_middle_is_named() {
    let began = Instant::now();
    let outcome = against(
        |wire| say(wire, message(Kind::Part, 1, 40, &[1; 10])),
        |group| group.all_gather(b""),
    );
    let text = outcome.unwrap_err().to_string();
    assert!(text.contains("rank 1 of 2 said nothing for 2 s"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_start_that_nobody_comes_to_takes_its_time_and_no_more() {
    let host = Meeting {
        timeout: Duration::from_millis(200),
        ..meeting(0, 2, free_port(), None)
    };
    let began = Instant::now();
    assert!(listen(&host).is_err() && began.elapsed() < Duration::from_secs(5));
}
