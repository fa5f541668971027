//! A recording has what ran while it lasted, with what it moved. Other tests run meanwhile: shapes of its own tell them apart.

use super::{Line, Profile, start, with_site};
use crate::fuse::Prim;
use crate::ops::elementwise::{Arg, apply};
use crate::ops::linalg::matmul;
use crate::{DType, Tensor};

fn only<'a>(profile: &'a Profile, shape: &str) -> Vec<&'a Line> {
    profile
        .lines
        .iter()
        .filter(|line| line.shape == shape)
        .collect()
}

fn twice(x: &Tensor) -> Tensor {
    apply(Prim::Mul, &[x.into(), Arg::from(2.0)]).unwrap()
}

#[test]
fn a_chain_is_one_launch_with_the_bytes_it_moves() {
    let x = Tensor::zeros(&[997, 331], DType::F32).unwrap();
    let recording = start();
    for _ in 0..3 {
        with_site("own.rs:1".to_owned(), || {
            let y = apply(Prim::Exp, &[(&twice(&x)).into()]).unwrap();
            y.eval().unwrap()
        });
    }
    let profile = recording.finish().unwrap();
    let lines = only(&profile, "[997, 331]");
    assert_eq!(lines.len(), 1, "{profile}");
    let line = lines[0];
    assert_eq!(line.name, "chain multiply exp");
    assert_eq!((line.calls, line.bytes), (3, 2 * 4 * 997 * 331));
    assert_eq!(line.site.as_deref(), Some("own.rs:1"));
    assert!(line.total_us > 0.0 && line.rate() > 0.0);
    assert!(line.copy_fraction.is_some_and(|part| part > 0.0));
    let own = profile
        .allocations
        .iter()
        .find(|(place, ..)| place == "own.rs:1");
    assert_eq!(
        own.map(|&(_, times, bytes)| (times, bytes)),
        Some((3, 3 * 4 * 997 * 331))
    );
    assert!(profile.peaks.iter().any(|peak| peak.bytes >= 4 * 997 * 331));
    let table = profile.to_string();
    assert!(
        table.contains("chain multiply exp float32 [997, 331] cpu  own.rs:1"),
        "{table}"
    );
}

#[test]
fn kernels_are_recorded_and_recordings_overlap() {
    let (a, b) = (
        Tensor::zeros(&[103, 7], DType::F64).unwrap(),
        Tensor::zeros(&[7, 109], DType::F64).unwrap(),
    );
    let outer = start();
    let inner = start();
    matmul(&a, &b).unwrap().eval().unwrap();
    let inner = inner.finish().unwrap();
    matmul(&a, &b).unwrap().eval().unwrap();
    let outer = outer.finish().unwrap();
    let calls = |profile: &Profile| {
        only(profile, "[103, 109]")
            .iter()
            .map(|l| l.calls)
            .sum::<usize>()
    };
    assert_eq!((calls(&inner), calls(&outer)), (1, 2));
    let moved = 8 * (103 * 7 + 7 * 109 + 103 * 109);
    assert_eq!(only(&outer, "[103, 109]")[0].bytes, moved);
}

#[test]
fn what_is_repeated_without_memory_is_counted_once() {
    let row = Tensor::zeros(&[139], DType::F32).unwrap();
    let recording = start();
    twice(&row.broadcast_to(&[113, 139]).unwrap())
        .eval()
        .unwrap();
    let profile = recording.finish().unwrap();
    assert_eq!(only(&profile, "[113, 139]")[0].bytes, 4 * (139 + 113 * 139));
}

#[test]
fn a_dropped_recording_has_ended() {
    let recording = start();
    drop(recording);
    let x = Tensor::zeros(&[127, 149], DType::F32).unwrap();
    let later = start();
    twice(&x).eval().unwrap();
    assert_eq!(only(&later.finish().unwrap(), "[127, 149]").len(), 1);
}
