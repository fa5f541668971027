//! Texts of JIT row kernels: they are complete, declare what they use, and are deterministic. `cargo xtask kernels --prove`
//! proves that they assemble; the parity checks `jit_rows` check what they compute.

use super::kernel::Kernel;
use super::samples;
use super::shape::Schedule;
use crate::jit::Kernel as _;
use std::collections::HashSet;
use syntonic_core::DType;

const CARDS: [(u32, u32); 3] = [(7, 5), (8, 0), (9, 0)];

/// Registers that the outer scope of a text declares.
fn declared(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    for line in text.lines().filter_map(|l| l.strip_prefix(".reg .")) {
        let (_, list) = line.split_once(' ').unwrap_or_default();
        for name in list.trim_end_matches(';').split(", ") {
            match name.split_once('<') {
                Some((stem, count)) => {
                    let count: usize = count.trim_end_matches('>').parse().expect("a number");
                    names.extend((0..count).map(|k| format!("{stem}{k}")));
                }
                None => _ = names.insert(name.to_owned()),
            }
        }
    }
    names
}

#[test]
fn every_sample_has_a_text_in_every_schedule() {
    for card in CARDS {
        for program in samples::all() {
            let kernels = samples::kernels(&program, card);
            assert!(kernels.len() >= 3, "{} for {card:?}", program.name);
            for kernel in kernels {
                let text = kernel.text(card);
                assert!(
                    text.is_some(),
                    "{}: {:?} for {card:?}",
                    program.name,
                    kernel.schedule
                );
                assert_eq!(text, kernel.text(card));
            }
        }
    }
}

#[test]
fn texts_declare_what_they_use() {
    for program in samples::all() {
        for kernel in samples::kernels(&program, (9, 0)) {
            let text = kernel.text((9, 0)).expect("it has a text");
            let names = declared(&text);
            // A dot belongs to a word: the `v4` of `ld.global.v4.f32` is no register.
            let part = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
            let own = text.split(|c| !part(c)).filter(|w| {
                let digits = |w: &str| w.chars().all(|c| c.is_ascii_digit() || c == '_');
                w.len() > 1
                    && matches!(w.as_bytes()[0], b'v' | b'n')
                    && digits(&w[1..])
                    && !w.ends_with('_')
            });
            for word in own {
                assert!(names.contains(word), "{}: {word}", program.name);
            }
        }
    }
}

#[test]
fn sums_of_complex128_have_kernels_of_both_schedules() {
    let kernels = samples::kernels(&samples::turned(DType::C128), (9, 0));
    let is_swept = |k: &&Kernel| matches!(k.schedule, Schedule::Sweep(_));
    let swept = kernels.iter().filter(is_swept).count();
    assert!(swept >= 4 && swept < kernels.len(), "{swept}");
    for kernel in &kernels {
        let text = kernel.text((9, 0)).expect("it has a text");
        assert!(text.contains("add.rn.f64"));
        let number = |l: &str| l.starts_with("ld.param.b64 v") && l.contains("_1, ");
        assert!(kernel.formula.rounds < 2 || text.lines().any(number));
    }
}

#[test]
fn kernels_that_differ_have_names_that_differ() {
    let all = samples::all();
    let kernels: Vec<_> = all
        .iter()
        .flat_map(|p| samples::kernels(p, (9, 0)))
        .collect();
    let names: HashSet<String> = kernels.iter().map(|k| k.name()).collect();
    assert_eq!(names.len(), kernels.len());
}
