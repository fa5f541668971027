//! Groups of every kind, and what becomes of them where a rank fails.

use super::*;
use crate::interrupt::{self, Answer};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Instant;

const PATIENCE: Duration = Duration::from_secs(20);

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn meeting(rank: usize, size: usize, port: u16, timeout: Duration) -> Meeting {
    Meeting {
        rank,
        size,
        address: "127.0.0.1".into(),
        port,
        timeout,
        secret: None,
    }
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Threads,
    Tcp,
}

/// What every rank of a group makes of `work`, each in a thread of its own.
fn each<T: Send>(
    way: Way,
    size: usize,
    timeout: Duration,
    work: impl Fn(Box<dyn Group>) -> T + Sync,
) -> Vec<T> {
    let port = free_port();
    let mut members = threads(size, timeout).into_iter();
    let work = &work;
    thread::scope(|scope| {
        let ranks: Vec<_> = (0..size)
            .map(|rank| {
                let member = members.next().unwrap();
                scope.spawn(move || match way {
                    Way::Threads => work(Box::new(member)),
                    Way::Tcp => {
                        drop(member);
                        let tcp = Tcp::meet(&meeting(rank, size, port, timeout)).unwrap();
                        work(Box::new(tcp))
                    }
                })
            })
            .collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// The rank that an error names, and its text.
fn blamed<T: fmt::Debug>(outcome: Result<T>) -> (usize, String) {
    let error = outcome.unwrap_err();
    let text = error.to_string();
    match error {
        Error::Rank { rank, .. } => (rank, text),
        other => panic!("{other}"),
    }
}

#[test]
fn every_rank_gets_all_parts_in_order_call_after_call() {
    for way in [Way::Threads, Way::Tcp] {
        for size in [1, 2, 5] {
            let all = each(way, size, PATIENCE, |group| {
                let mut seen = Vec::new();
                for call in 0..40 {
                    let mine = vec![group.rank() as u8; call * (group.rank() + 1)];
                    seen.push(group.all_gather(&mine).unwrap());
                }
                group.barrier().unwrap();
                seen
            });
            for seen in all {
                for (call, parts) in seen.iter().enumerate() {
                    let want: Vec<Vec<u8>> =
                        (0..size).map(|r| vec![r as u8; call * (r + 1)]).collect();
                    assert_eq!(*parts, want, "{way:?}");
                }
            }
        }
    }
}

#[test]
fn parts_of_megabytes_pass() {
    let all = each(Way::Tcp, 3, PATIENCE, |group| {
        let mine: Vec<u8> = (0..3_000_000 + group.rank())
            .map(|k| (k * 7 + group.rank()) as u8)
            .collect();
        (mine.clone(), group.all_gather(&mine).unwrap())
    });
    let want: Vec<&Vec<u8>> = all.iter().map(|(mine, _)| mine).collect();
    for (_, parts) in &all {
        assert!(parts.iter().eq(want.iter().copied()));
    }
}

#[test]
fn tensors_are_joined_and_what_does_not_fit_names_its_rank() {
    for way in [Way::Threads, Way::Tcp] {
        let outcomes = each(way, 3, PATIENCE, |group| {
            let lengths = lengths(7, 3);
            let mine = share(7, group.rank(), 3);
            let values: Vec<f32> = mine.clone().chain(mine).map(|k| k as f32).collect();
            let part = Tensor::from_vec(values, &[2, lengths[group.rank()]]).unwrap();
            let whole = group.concat(&part, &lengths).unwrap();
            assert_eq!(
                (whole.shape(), whole.dtype()),
                (&[2, 7][..], crate::DType::F32)
            );
            let row = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
            assert_eq!(whole.to_vec::<f32>().unwrap(), [row, row].concat());
            assert!(matches!(
                group.concat(&part, &[2, 3]),
                Err(Error::Shape { .. })
            ));
            let odd = match group.rank() {
                1 => part.cast(crate::DType::F64).unwrap(),
                _ => part,
            };
            group.concat(&odd, &lengths)
        });
        for (rank, outcome) in outcomes.into_iter().enumerate() {
            let (culprit, text) = blamed(outcome);
            // Each compares with its own.
            assert_eq!(culprit, usize::from(rank != 1), "{text}");
            assert!(text.contains("float64"), "{text}");
        }
    }
}

#[test]
fn a_rank_that_leaves_or_gives_up_is_named_at_once_to_all_others() {
    for way in [Way::Threads, Way::Tcp] {
        for culprit in 0..3 {
            for gives_up in [false, true] {
                let began = Instant::now();
                let outcomes = each(way, 3, PATIENCE, |group| {
                    group.barrier().unwrap();
                    if group.rank() == culprit {
                        if gives_up {
                            group.abort("raised ValueError: mine");
                        }
                        return None;
                    }
                    let first = blamed(group.all_gather(b"x"));
                    assert_eq!(first.0, blamed(group.barrier()).0);
                    Some(first)
                });
                for (rank, text) in outcomes.into_iter().flatten() {
                    assert_eq!(rank, culprit, "{way:?}: {text}");
                    assert!(text.contains(&format!("rank {culprit} of 3")), "{text}");
                    assert_eq!(text.contains("ValueError: mine"), gives_up, "{text}");
                }
                assert!(began.elapsed() < PATIENCE / 2);
            }
        }
    }
}

#[test]
fn a_rank_that_stalls_is_named_within_a_bounded_time() {
    let timeout = Duration::from_millis(150);
    for way in [Way::Threads, Way::Tcp] {
        for culprit in [0, 2] {
            let began = Instant::now();
            let outcomes = each(way, 3, timeout, |group| {
                if group.rank() == culprit {
                    thread::sleep(Duration::from_millis(900));
                    return None;
                }
                Some((blamed(group.barrier()), began.elapsed()))
            });
            for ((rank, text), after) in outcomes.into_iter().flatten() {
                assert_eq!(rank, culprit, "{way:?}: {text}");
                assert!(text.contains("said nothing for 0."), "{text}");
                assert!(after < Duration::from_millis(850), "{after:?}");
            }
        }
    }
}

#[test]
fn ranks_that_make_other_calls_are_told() {
    let outcomes = each(Way::Tcp, 2, PATIENCE, |group| {
        let tcp = group;
        // A call that nobody else made: as a rank would be that was cut off and went on.
        match tcp.rank() {
            0 => tcp.all_gather(b"a").and_then(|_| tcp.all_gather(b"b")),
            _ => tcp.all_gather(b"a").and_then(|_| {
                tcp.abort("lost count");
                tcp.all_gather(b"b")
            }),
        }
    });
    for outcome in outcomes {
        assert_eq!(blamed(outcome).0, 1);
    }
}

fn stop() -> Answer {
    Answer::Stop
}

#[test]
fn a_caller_can_stop_waiting_and_the_others_hear_of_it() {
    for way in [Way::Threads, Way::Tcp] {
        let outcomes = each(way, 2, PATIENCE, |group| match group.rank() {
            1 => interrupt::heeding(stop, || group.barrier()),
            _ => {
                thread::sleep(Duration::from_millis(400));
                group.barrier()
            }
        });
        assert!(
            matches!(outcomes[1], Err(Error::Interrupted { .. })),
            "{outcomes:?}"
        );
        let Err(Error::Rank { rank: 1, what, .. }) = &outcomes[0] else {
            panic!("{outcomes:?}");
        };
        assert!(what.contains("interrupted"), "{what}");
    }
}

#[test]
fn who_does_not_come_is_named() {
    let port = free_port();
    let short = Duration::from_millis(200);
    let meet = |rank, size| Tcp::meet(&meeting(rank, size, port, short));
    let (first, last) = thread::scope(|scope| {
        let last = scope.spawn(|| blamed(meet(2, 3)));
        (blamed(meet(0, 3)), last.join().unwrap())
    });
    assert!(first.0 == 1 && first.1.contains("absent: [1]"), "{first:?}");
    assert!(last.0 == 1 && last.1.contains("absent: [1]"), "{last:?}");
    // Nobody listens.
    let alone = blamed(meet(1, 2));
    assert!(alone.0 == 0 && alone.1.contains("MASTER_ADDR"), "{alone:?}");
}

#[test]
fn a_world_of_another_size_and_a_rank_that_comes_twice_are_told_to_both() {
    for (second, third, culprit, said) in [
        ((1, 2), (2, 3), 1, "WORLD_SIZE"),
        ((1, 3), (1, 3), 1, "came twice"),
    ] {
        let port = free_port();
        let meet = move |(rank, size)| Tcp::meet(&meeting(rank, size, port, PATIENCE));
        let outcomes = thread::scope(|scope| {
            let others = [second, third].map(|who| scope.spawn(move || meet(who).map(drop)));
            let first = meet((0, 3)).map(drop);
            let [a, b] = others.map(|o| o.join().unwrap());
            [first, a, b]
        });
        let mut told = 0;
        for outcome in outcomes {
            let (rank, text) = blamed(outcome);
            // Who came after the end found nobody.
            if text.contains(said) {
                assert_eq!(rank, culprit, "{text}");
                told += 1;
            }
        }
        assert!(told >= 2, "{said}");
    }
}

#[test]
fn what_strangers_at_the_port_hear_is_a_challenge() {
    let port = free_port();
    let visit = |words: &[u8]| {
        let began = Instant::now();
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
            }
        };
        stream.write_all(words).unwrap();
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        heard
    };
    thread::scope(|scope| {
        let first = scope.spawn(move || Tcp::meet(&meeting(0, 2, port, PATIENCE)));
        let heard = visit(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        // Its words may have been there before the challenge had gone.
        assert!(heard.is_empty() || (heard.len() == 24 + 32 && heard.starts_with(b"SyGr")));
        let second = scope.spawn(move || Tcp::meet(&meeting(1, 2, port, PATIENCE)));
        first.join().unwrap().unwrap();
        second.join().unwrap().unwrap();
    });
}

#[test]
fn the_environment_names_the_meeting() {
    let from = |pairs: &[(&str, &str)]| {
        let find = |name: &str| {
            pairs
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| (*v).to_owned())
        };
        Meeting::from_variables(find, PATIENCE)
    };
    assert_eq!(from(&[]).unwrap(), None);
    assert_eq!(from(&[("RANK", "0"), ("WORLD_SIZE", "1")]).unwrap(), None);
    let all = [
        ("RANK", "1"),
        ("WORLD_SIZE", "4"),
        ("MASTER_ADDR", "127.0.0.1"),
        ("MASTER_PORT", "29500"),
    ];
    assert_eq!(from(&all).unwrap(), Some(meeting(1, 4, 29500, PATIENCE)));
    let with = |more: &[(&'static str, &'static str)]| from(&[more, &all].concat());
    let port = |m: Result<Option<Meeting>>| m.unwrap().unwrap().port;
    assert_eq!(
        port(with(&[("TORCHELASTIC_USE_AGENT_STORE", "True")])),
        29501
    );
    assert_eq!(port(with(&[("SYNTONIC_MASTER_PORT", "29600")])), 29600);
    let words = "0123456789abcdef";
    let secret = Some(Secret::new(words).unwrap());
    let with_secret = with(&[("SYNTONIC_GROUP_SECRET", "0123456789abcdef\n")]);
    assert_eq!(with_secret.unwrap().unwrap().secret, secret);
    let text = with(&[("SYNTONIC_GROUP_SECRET", "short")])
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("16 at least") && !text.contains("short"),
        "{text}"
    );
    for (pairs, said) in [
        (&all[..3], "MASTER_PORT is not set"),
        (&all[1..], "RANK is not set"),
        (&[("RANK", "4"), all[1]][..], "rank 4 of 4"),
        (&[("RANK", "x"), all[1]][..], "no whole number"),
        (
            &[all[0], all[1], all[2], ("MASTER_PORT", "70000")][..],
            "65536",
        ),
    ] {
        let text = from(pairs).unwrap_err().to_string();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn shares_cover_all_in_order_and_keep_pairs_together() {
    for total in [0, 1, 2, 7, 10, 64] {
        for size in [1, 2, 3, 7, 100] {
            let shares: Vec<Range<usize>> =
                (0..size).map(|rank| share(total, rank, size)).collect();
            assert!(shares.windows(2).all(|w| w[0].end == w[1].start));
            assert_eq!((shares[0].start, shares[size - 1].end), (0, total));
            assert!(shares.iter().all(|s| s.start % 2 == 0 || s.start == total));
            let lens: Vec<usize> = shares.iter().map(Range::len).collect();
            assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() <= 3);
            assert_eq!(lens, lengths(total, size));
        }
    }
}
