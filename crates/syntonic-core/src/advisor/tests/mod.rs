//! Advice by a clock that moves when a runner says so, so that nothing here depends on how fast a machine is.

mod disk;
mod ready;

use super::*;
use crate::cpu;
use crate::device::DeviceId;
use crate::error::Error;
use crate::interrupt::{self, Answer};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A clock that stands until it is moved.
#[derive(Debug, Default)]
struct Hand(AtomicU64);

impl Hand {
    fn move_on(&self, microseconds: u64) {
        self.0.fetch_add(microseconds, Ordering::Relaxed);
    }
}

impl Clock for Hand {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// How often choices were prepared and run.
#[derive(Debug, Default)]
struct Counts {
    prepared: AtomicUsize,
    runs: AtomicUsize,
}

impl Counts {
    fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }

    fn prepared(&self) -> usize {
        self.prepared.load(Ordering::Relaxed)
    }
}

/// A choice that takes `microseconds` and gives `2 x + off`.
struct Way {
    name: &'static str,
    promised: f64,
    microseconds: u64,
    off: f64,
    counts: Arc<Counts>,
}

impl Way {
    fn new(name: &'static str, microseconds: u64) -> Way {
        Way {
            name,
            promised: 0.0,
            microseconds,
            off: 0.0,
            counts: Arc::default(),
        }
    }

    fn promising(self, promised: f64, off: f64) -> Way {
        Way {
            promised,
            off,
            ..self
        }
    }
}

type Doubling = Workload<'static, f64, f64>;

fn bare(name: &str) -> Doubling {
    Workload::new(name, &cpu(), |a: &f64, b: &f64| {
        Ok(numbers_apart(&[*a], &[*b]))
    })
}

fn doubling(hand: &Arc<Hand>, ways: &[Way]) -> Doubling {
    ways.iter().fold(bare("doubling"), |workload, way| {
        let (hand, counts) = (hand.clone(), way.counts.clone());
        let (off, took) = (way.off, way.microseconds);
        workload.choice(way.name, way.promised, move |_| {
            counts.prepared.fetch_add(1, Ordering::Relaxed);
            Ok(Runner::new(move |x: &f64| {
                counts.runs.fetch_add(1, Ordering::Relaxed);
                hand.move_on(took);
                Ok(2.0 * x + off)
            }))
        })
    })
}

fn advisor(hand: &Arc<Hand>) -> Advisor {
    Advisor::in_memory().with_clock(hand.clone())
}

#[test]
fn the_quickest_is_picked_and_runs() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [
        Way::new("slow", 900),
        Way::new("quick", 500),
        Way::new("slower", 980),
    ];
    let mut chosen = advisor(&hand).choose(doubling(&hand, &ways), &3.0)?;
    let advice = &chosen.advice;
    assert_eq!(advice.picked, "quick");
    assert_eq!(advice.origin, Origin::Measured);
    for way in &ways {
        let seconds = advice.seconds(way.name).unwrap_or_default();
        assert!((seconds - way.microseconds as f64 * 1e-6).abs() < 1e-12);
    }
    // 20 rounds of 500 µs are the 10 ms of the quickest.
    assert!(advice.measured.iter().all(|m| m.rounds == 20), "{advice}");
    assert_eq!(chosen.run(&4.0)?, 8.0);
    Ok(())
}

#[test]
fn short_runs_are_timed_together_after_one_that_is_not() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [Way::new("short", 4), Way::new("other", 5)];
    let chosen = advisor(&hand).choose(doubling(&hand, &ways), &1.0)?;
    assert_eq!(chosen.advice.picked, "short");
    // One to compare, 2,000 to warm up, and 50 rounds of 50 and one.
    assert_eq!(ways[0].counts.runs(), 1 + 2_000 + 50 * 51);
    Ok(())
}

#[test]
fn who_is_far_behind_is_asked_three_times() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [
        Way::new("far", 2_100),
        Way::new("near", 1_900),
        Way::new("best", 1_000),
    ];
    let advice = advisor(&hand).choose(doubling(&hand, &ways), &1.0)?.advice;
    let rounds: Vec<usize> = advice.measured.iter().map(|m| m.rounds).collect();
    assert_eq!(rounds, [3, 10, 10]);
    assert_eq!(advice.picked, "best");
    Ok(())
}

#[test]
fn the_budget_ends_rounds_but_not_the_first() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [Way::new("a", 1_500_000), Way::new("b", 1_000_000)];
    let advice = advisor(&hand).choose(doubling(&hand, &ways), &1.0)?.advice;
    assert_eq!(advice.measured[0].rounds, 1);
    assert_eq!(advice.picked, "b");
    let long = advisor(&hand).with_budget(Duration::from_secs(12));
    let advice = long.choose(doubling(&hand, &ways), &1.0)?.advice;
    assert_eq!(advice.measured[0].rounds, 5);
    Ok(())
}

#[test]
fn near_ties_go_to_the_first_listed() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let pick = |first: u64| -> Result<String> {
        let ways = [Way::new("simple", first), Way::new("clever", 1_000)];
        Ok(advisor(&hand)
            .choose(doubling(&hand, &ways), &1.0)?
            .advice
            .picked)
    };
    assert_eq!(pick(1_040)?, "simple");
    assert_eq!(pick(1_060)?, "clever");
    Ok(())
}

#[test]
fn a_tolerance_leaves_coarse_choices_out() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [
        Way::new("exact", 900),
        Way::new("coarse", 300).promising(1e-3, 1e-3),
    ];
    let advise = |tolerance: f64| {
        let workload = doubling(&hand, &ways).within(tolerance);
        advisor(&hand).choose(workload, &1.0).map(|c| c.advice)
    };
    assert_eq!(advise(1e-3)?.picked, "coarse");
    let before = ways[1].counts.prepared();
    let advice = advise(1e-4)?;
    assert_eq!(advice.picked, "exact");
    assert_eq!(ways[1].counts.prepared(), before);
    let reason = &advice.left_out[0].reason;
    assert_eq!(reason, "its error is up to 1e-3, and the tolerance is 1e-4");
    Ok(())
}

#[test]
fn who_disagrees_is_an_error_that_names_it() {
    let hand = Arc::new(Hand::default());
    // Off by 1e-3 of 2, where 1e-4 are promised.
    let wrong = Way::new("wrong", 1).promising(1e-4, 2e-3);
    let ways = [wrong, Way::new("right", 900)];
    let refused = advisor(&hand).choose(doubling(&hand, &ways), &1.0);
    match refused.map(|c| c.advice) {
        Err(Error::Disagreement {
            choice,
            other,
            apart,
            promised,
            ..
        }) => {
            assert_eq!((&*choice, &*other), ("wrong", "right"));
            assert!((apart - 1e-3).abs() < 1e-15 && promised == 1e-4);
        }
        other => panic!("{other:?}"),
    }
    let nan = Way::new("nan", 1).promising(0.5, f64::NAN);
    let refused = advisor(&hand).choose(doubling(&hand, &[nan, Way::new("right", 9)]), &1.0);
    assert!(matches!(refused, Err(Error::Disagreement { .. })));
}

#[test]
fn what_fails_is_left_out_with_its_reason() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let failing = |text: &'static str| move || Err::<f64, Error>(Error::value("test", text));
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let workload = doubling(&hand, &[Way::new("works", 900)])
        .choice("unprepared", 0.0, |_: &f64| {
            Err(Error::value("test", "no such device"))
        })
        .choice("broken", 0.0, move |_: &f64| {
            Ok(Runner::new(move |_: &f64| failing("broken at once")()))
        })
        .choice("tired", 0.0, move |_: &f64| {
            Ok(Runner::new(move |x: &f64| {
                match counted.fetch_add(1, Ordering::Relaxed) {
                    0..5 => Ok(2.0 * x),
                    _ => failing("broken later")(),
                }
            }))
        });
    let advice = advisor(&hand).choose(workload, &1.0)?.advice;
    assert_eq!((&*advice.picked, advice.measured.len()), ("works", 1));
    let reasons: Vec<(&str, &str)> = advice
        .left_out
        .iter()
        .map(|l| (&*l.choice, &*l.reason))
        .collect();
    let wanted = [
        ("unprepared", "test: no such device"),
        ("broken", "test: broken at once"),
        ("tired", "test: broken later"),
    ];
    assert_eq!(reasons, wanted);
    assert_eq!(runs.load(Ordering::Relaxed), 6);
    Ok(())
}

#[test]
fn where_nothing_is_left_the_error_has_every_reason() {
    let hand = Arc::new(Hand::default());
    let coarse = Way::new("coarse", 1).promising(1e-2, 0.0);
    let workload = doubling(&hand, &[coarse])
        .choice("unprepared", 0.0, |_: &f64| Err(Error::value("test", "no")))
        .within(1e-6);
    let text = match advisor(&hand).choose(workload, &1.0) {
        Err(error @ Error::NoChoice { .. }) => error.to_string(),
        other => panic!("{:?}", other.map(|c| c.advice)),
    };
    assert_eq!(
        text,
        "advise: no choice of doubling on cpu is left: coarse: its error is up to 1e-2, and the tolerance is 1e-6; \
         unprepared: test: no; hint: state a larger tolerance, or add a choice that works here"
    );
}

#[test]
fn where_all_fail_alike_it_is_the_request_that_is_wrong() {
    let hand = Arc::new(Hand::default());
    let failing = |errors: [fn() -> Error; 2]| {
        let [one, other] = errors;
        let workload = doubling(&hand, &[])
            .choice("one", 0.0, move |_: &f64| Err(one()))
            .choice("other", 0.0, move |_: &f64| Err(other()));
        advisor(&hand).choose(workload, &1.0).map(|c| c.advice)
    };
    let value: fn() -> Error = || Error::value("first", "wrong");
    let other: fn() -> Error = || Error::value("second", "wrong");
    let memory: fn() -> Error = || crate::room::refused(7);
    let capture: fn() -> Error = || Error::Capture {
        op: "test".into(),
        what: "no".into(),
    };
    assert!(matches!(
        failing([value, other]),
        Err(Error::Value { op: "first", .. })
    ));
    assert!(matches!(
        failing([value, capture]),
        Err(Error::NoChoice { .. })
    ));
    let short = failing([value, memory]);
    assert!(matches!(
        short,
        Err(Error::OutOfMemory { requested: 7, .. })
    ));
}

#[test]
fn workloads_that_make_no_sense_are_refused() {
    let ready = |_: &f64| Ok(Runner::new(|x: &f64| Ok(*x)));
    let wrong = [
        (bare("empty"), "no choice"),
        (
            bare("twice")
                .choice("a", 0.0, ready)
                .choice("a", 0.0, ready),
            "\"a\"",
        ),
        (bare("nameless").choice("", 0.0, ready), "own"),
        (bare("negative").choice("a", -1.0, ready), "-1"),
        (bare("nan").choice("a", f64::NAN, ready), "NaN"),
        (
            bare("strict").choice("a", 0.0, ready).within(f64::NAN),
            "NaN",
        ),
    ];
    for (workload, word) in wrong {
        let text = match Advisor::in_memory().choose(workload, &1.0) {
            Err(error @ Error::Value { .. }) => error.to_string(),
            other => panic!("{:?}", other.map(|c| c.advice)),
        };
        assert!(
            text.starts_with("advise: ") && text.contains(word),
            "{text}"
        );
    }
}

#[test]
fn the_caller_can_stop_it() {
    let hand = Arc::new(Hand::default());
    let stop: fn() -> Answer = || Answer::Stop;
    let stopped = interrupt::heeding(stop, || {
        // Nobody is asked in the first tenth of a second after this.
        assert!(interrupt::poll().is_ok());
        std::thread::sleep(Duration::from_millis(110));
        advisor(&hand).choose(doubling(&hand, &[Way::new("a", 1)]), &1.0)
    });
    assert!(matches!(stopped, Err(Error::Interrupted { op }) if op == "advise"));
}

#[test]
fn turns_end_with_a_rest() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let (held, moved) = (Arc::new(AtomicUsize::new(0)), hand.clone());
    let seen = held.clone();
    let workload = doubling(&hand, &[]).choice("holder", 0.0, move |_: &f64| {
        let rested = held.clone();
        let run = move |x: &f64| {
            moved.move_on(500);
            held.store(1, Ordering::Relaxed);
            Ok(2.0 * x)
        };
        Ok(Runner::new(run).resting(move || {
            rested.store(0, Ordering::Relaxed);
            Ok(())
        }))
    });
    let watch = hand.clone();
    let workload = workload.choice("other", 0.0, move |_: &f64| {
        Ok(Runner::new(move |x: &f64| {
            assert_eq!(seen.load(Ordering::Relaxed), 0);
            watch.move_on(400);
            Ok(2.0 * x)
        }))
    });
    assert_eq!(
        advisor(&hand).choose(workload, &1.0)?.advice.picked,
        "other"
    );
    Ok(())
}

#[test]
fn advice_reads_as_a_table() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let ways = [
        Way::new("plain", 41_200),
        Way::new("graph", 22).promising(2e-13, 0.0),
        Way::new("low", 1).promising(0.5, 0.0),
    ];
    let workload = doubling(&hand, &ways).within(0.1);
    let advice = advisor(&hand).choose(workload, &1.0)?.advice;
    let wanted = "doubling on cpu: graph (measured)\n  \
                  plain    41.20 ms  exact\n\
                  * graph    22.00 µs  error <= 2.0e-13\n  \
                  low      left out: its error is up to 5e-1, and the tolerance is 1e-1\n";
    assert_eq!(advice.to_string(), wanted);
    Ok(())
}

#[test]
fn no_capture_has_advice_in_it() -> Result<()> {
    let hand = Arc::new(Hand::default());
    let x = crate::Tensor::from([1.0]);
    let refused = crate::Graph::capture(&[&x], |own| {
        let workload = doubling(&hand, &[Way::new("a", 1)]);
        advisor(&hand).choose(workload, &1.0)?;
        Ok(vec![own[0].copy()?])
    });
    assert!(matches!(refused, Err(Error::Capture { .. })));
    assert_eq!(x.device_id(), DeviceId::Cpu);
    Ok(())
}

#[test]
fn distances_are_relative_and_know_nan() -> Result<()> {
    let t = |v: &[f64]| crate::Tensor::from_slice(v, &[v.len()]);
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let cases: [(&[f64], &[f64], f64); 9] = [
        (&[1.0, 2.0], &[1.0, 2.0], 0.0),
        (&[3.0, 4.5], &[3.0, 4.0], 0.1),
        (&[nan, inf, -1.0], &[nan, inf, -1.0], 0.0),
        (&[nan, 4.4], &[nan, 4.0], 0.1),
        (&[inf, 1.0], &[2.0, 1.0], inf),
        (&[1.0], &[nan], inf),
        (&[1e-300], &[0.0], inf),
        (&[3e300, 4.4e300], &[3e300, 4e300], 0.08),
        (&[1.0], &[1.0, 1.0], inf),
    ];
    for (a, b, wanted) in cases {
        let (host, device) = (numbers_apart(a, b), apart(&[t(a)?], &[t(b)?])?);
        let near = |got: f64| got == wanted || (got - wanted).abs() <= 1e-15;
        assert!(near(host) && near(device), "{a:?} {b:?}: {host} {device}");
    }
    let one = i64::MAX;
    let (a, b) = (crate::Tensor::from([one]), crate::Tensor::from([one - 1]));
    assert!(apart(std::slice::from_ref(&a), &[b])? > 0.0);
    assert_eq!(
        apart(std::slice::from_ref(&a), std::slice::from_ref(&a))?,
        0.0
    );
    Ok(())
}
