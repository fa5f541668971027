//! The protocol, with a thread in the kernel's place.

use super::super::board::Ending;
use super::super::simulated::{Seen, Simulated};
use super::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

/// A line over memory of its own, which stays until the process ends, as a board's does.
fn line_from(settings: Settings, done: u64) -> (Line<Simulated>, Arc<Seen>) {
    #[repr(align(128))]
    #[derive(Clone, Copy)]
    struct Aligned {
        _bytes: [u8; 128],
    }
    let pieces = board::bytes(settings.most_doubles).div_ceil(128);
    let memory = vec![
        Aligned {
            _bytes: [0xab; 128]
        };
        pieces
    ]
    .leak();
    // SAFETY: there are as many bytes, aligned, nobody else's, and never given back.
    let board = unsafe {
        Board::new(
            memory.as_mut_ptr().cast::<u8>(),
            settings.most_doubles,
            done,
        )
    };
    let seen = Arc::new(Seen::default());
    let engine = Simulated::new(settings, &seen);
    let line = Line::new(engine, DeviceId::Cuda(0), settings, board, done);
    (line, seen)
}

fn quick() -> Settings {
    Settings {
        idle: Duration::from_millis(20),
        lifetime: Duration::from_secs(5),
        deadline: Duration::from_secs(5),
        most_doubles: 64,
        ..Settings::default()
    }
}

fn echo(line: &mut Line<Simulated>, x: &[f64]) -> std::result::Result<Vec<f64>, ServiceError> {
    let mut answer = vec![0.0; x.len()];
    line.call("echo", 1, &[x], &mut [&mut answer])?;
    Ok(answer)
}

#[test]
fn every_request_is_answered_once_and_in_order() {
    let (mut line, seen) = line_from(quick(), 0);
    for k in 0..2000 {
        let x = [f64::from(k), 0.5, -f64::from(k)];
        assert_eq!(echo(&mut line, &x).unwrap(), x);
    }
    let mut sum = [0.0];
    let parts: [&[f64]; 2] = [&[1.0, 2.0], &[4.0]];
    line.call("sum", 2, &parts, &mut [&mut sum]).unwrap();
    assert_eq!(sum, [7.0]);
    let report = line.report();
    assert_eq!(report.commands, 2001);
    assert_eq!(seen.commands.load(SeqCst), 2001);
    assert!(report.live && !report.poisoned);
}

#[test]
fn a_number_that_wraps_is_a_number() {
    let (mut line, _) = line_from(quick(), u64::MAX - 3);
    for k in 0..10 {
        let x = [f64::from(k)];
        assert_eq!(echo(&mut line, &x).unwrap(), x);
    }
    assert_eq!(line.done, 6);
}

#[test]
fn a_text_of_another_number_is_not_taken() {
    let (mut line, seen) = line_from(quick(), 0);
    echo(&mut line, &[1.0]).unwrap();
    let board = *line.leased.door().board();
    // The number is new, and the text is the old one's: half a command.
    board.word(board::POSTED).store(2, SeqCst);
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(seen.commands.load(SeqCst), 1);
    assert_eq!(board.answer(2), None);
    board.post(2, board::text(2, 1, 0, 1));
    let until = Instant::now() + Duration::from_secs(5);
    while board.answer(2).is_none() && Instant::now() < until {
        std::thread::yield_now();
    }
    assert_eq!(board.answer(2), Some(0));
}

#[test]
fn leases_end_by_themselves_and_the_next_request_begins_another() {
    let (mut line, seen) = line_from(quick(), 0);
    echo(&mut line, &[1.0]).unwrap();
    let until = Instant::now() + Duration::from_secs(5);
    while line.report().live && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(line.report().ending, Some(Ending::Idle));
    assert_eq!(echo(&mut line, &[2.0]).unwrap(), [2.0]);
    assert_eq!((line.report().leases, seen.leases.load(SeqCst)), (2, 2));
}

#[test]
fn a_lease_that_ends_at_the_moment_of_a_request_loses_none() {
    let short = [
        Settings {
            idle: Duration::from_micros(1),
            ..quick()
        },
        Settings {
            most_commands: 1,
            ..quick()
        },
        Settings {
            lifetime: Duration::from_micros(200),
            ..quick()
        },
    ];
    for settings in short {
        let (mut line, seen) = line_from(settings, 0);
        for k in 0..300_u32 {
            assert_eq!(echo(&mut line, &[f64::from(k)]).unwrap(), [f64::from(k)]);
            if k % 8 == 0 {
                // Long enough for the shortest lease to end, or to be about to.
                std::thread::sleep(Duration::from_micros(k.into()));
            }
        }
        assert_eq!(seen.commands.load(SeqCst), 300, "{settings:?}");
        assert!(seen.leases.load(SeqCst) > 1, "{settings:?}");
    }
}

#[test]
fn what_the_device_refuses_is_told_and_the_line_goes_on() {
    let (mut line, _) = line_from(quick(), 0);
    let wrong = line.call("call", 99, &[&[1.0]], &mut []);
    assert!(matches!(
        wrong,
        Err(ServiceError::Rejected {
            op: "call",
            status: Status::UnknownOpcode
        })
    ));
    let long = echo(&mut line, &[0.0; 65]);
    assert!(matches!(
        long,
        Err(ServiceError::TooLarge {
            asked: 65,
            most: 64,
            ..
        })
    ));
    // The host's own check out of the way, the device has one.
    let board = *line.leased.door().board();
    let number = line.done + 1;
    board.post(number, board::text(number, 1, board::capacity(64), 1));
    let until = Instant::now() + Duration::from_secs(5);
    assert!(matches!(line.wait(number, until), Ok(2)));
    line.answered(number);
    assert_eq!(echo(&mut line, &[3.0]).unwrap(), [3.0]);
}

#[test]
fn a_request_without_answer_ends_the_lease_and_poisons_the_line() {
    let settings = Settings {
        deadline: Duration::from_millis(30),
        ..quick()
    };
    let (mut line, seen) = line_from(settings, 0);
    seen.faults.endless.store(true, SeqCst);
    let begun = Instant::now();
    let late = echo(&mut line, &[1.0]);
    assert!(matches!(
        late,
        Err(ServiceError::TimedOut { op: "echo", .. })
    ));
    assert!(begun.elapsed() >= Duration::from_millis(30));
    // The command heard that it is to stop, and the lease ended: nobody touches the memory.
    assert_eq!(line.report().ending, Some(Ending::Aborted));
    assert!(line.leased.engine().is_over().unwrap());
    seen.faults.endless.store(false, SeqCst);
    let after = echo(&mut line, &[1.0]);
    assert!(matches!(after, Err(ServiceError::Poisoned { .. })));
    assert!(line.report().poisoned);
    assert_eq!(seen.leases.load(SeqCst), 1);
}

#[test]
fn a_lease_that_does_not_end_is_waited_for_no_longer_than_one_lasts() {
    let settings = Settings {
        deadline: Duration::from_millis(10),
        lifetime: Duration::from_millis(40),
        ..quick()
    };
    let (mut line, seen) = line_from(settings, 0);
    seen.faults.stuck.store(true, SeqCst);
    let begun = Instant::now();
    assert!(matches!(
        echo(&mut line, &[1.0]),
        Err(ServiceError::TimedOut { .. })
    ));
    assert!(
        begun.elapsed() >= Duration::from_millis(70),
        "a lease was waited for"
    );
    assert!(begun.elapsed() < Duration::from_secs(4));
    assert!(!line.leased.engine().is_over().unwrap());
    assert!(matches!(
        line.leased.pause("pause"),
        Err(ServiceError::TimedOut { op: "pause", .. })
    ));
    assert!(line.report().live);
}

#[test]
fn a_launch_that_is_refused_leaves_the_line_as_it_was() {
    let (mut line, seen) = line_from(quick(), 0);
    seen.faults.refused.store(true, SeqCst);
    for _ in 0..3 {
        let refused = echo(&mut line, &[1.0]);
        assert!(matches!(refused, Err(ServiceError::Other(_))));
    }
    assert_eq!((line.report().leases, line.report().poisoned), (0, false));
    seen.faults.refused.store(false, SeqCst);
    assert_eq!(echo(&mut line, &[5.0]).unwrap(), [5.0]);
    assert_eq!(seen.commands.load(SeqCst), 1);
}

#[test]
fn an_interrupted_request_stops_its_command_and_the_next_is_answered() {
    fn stop() -> interrupt::Answer {
        interrupt::Answer::Stop
    }
    let (mut line, seen) = line_from(quick(), 0);
    for (endless, deaf, taken) in [(true, false, 1), (false, true, 1)] {
        seen.faults.endless.store(endless, SeqCst);
        seen.faults.deaf.store(deaf, SeqCst);
        let begun = Instant::now();
        let stopped = interrupt::heeding(stop, || echo(&mut line, &[1.0]));
        let error = stopped.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.starts_with("echo: interrupted"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(2));
        assert_eq!(seen.commands.load(SeqCst), taken);
        assert_eq!(
            line.done, taken,
            "a command that was stopped has its number"
        );
    }
    seen.faults.endless.store(false, SeqCst);
    seen.faults.deaf.store(false, SeqCst);
    assert_eq!(echo(&mut line, &[4.0]).unwrap(), [4.0]);
    assert!(!line.report().poisoned);
}

#[test]
fn a_pause_ends_the_lease_and_a_wish_from_outside_does() {
    let settings = Settings {
        idle: Duration::from_secs(5),
        ..quick()
    };
    let (mut line, _) = line_from(settings, 0);
    line.leased.pause("pause").unwrap();
    echo(&mut line, &[1.0]).unwrap();
    line.leased.pause("pause").unwrap();
    assert_eq!(line.report().ending, Some(Ending::Asked));
    assert!(line.leased.engine().is_over().unwrap());
    echo(&mut line, &[1.0]).unwrap();
    let (door, begun) = (line.leased.door().clone(), Instant::now());
    std::thread::spawn(move || door.ask_to_leave())
        .join()
        .unwrap();
    while line.report().live && begun.elapsed() < Duration::from_secs(4) {
        std::thread::yield_now();
    }
    assert_eq!(line.report().ending, Some(Ending::Asked));
    echo(&mut line, &[1.0]).unwrap();
    assert_eq!(line.report().leases, 3);
    line.leased.pause("pause").unwrap();
}
