//! Texts of JIT row kernels: they are complete, declare what they use, and are deterministic. `cargo xtask kernels --prove`
//! proves that they assemble; the parity checks `jit_rows` check what they compute.

use super::formula::Leaf;
use super::kernel::Kernel;
use super::shape::Schedule;
use super::{prepared, samples};
use crate::CudaVersion;
use crate::jit::{Kernel as _, declared};
use crate::plan::Limits;
use std::collections::HashSet;
use syntonic_core::DType;
use syntonic_core::fuse::{Op, Slot, Task};

const CARDS: [(u32, u32); 3] = [(7, 5), (8, 0), (9, 0)];

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
fn an_index_is_loaded_by_no_schedule() {
    let masked = samples::masked(DType::F32);
    let kernels = samples::kernels(&masked, (9, 0));
    for kernel in &kernels {
        let text = kernel.text((9, 0)).expect("it has a text");
        let formula = &kernel.formula;
        let values = formula.leaves.iter().filter(|(_, leaf)| match *leaf {
            Leaf::Operand(o) => formula.is_index(usize::from(o)),
            _ => false,
        });
        let registers: Vec<String> = values.map(|(k, _)| format!("v{k}_")).collect();
        assert_eq!(registers.len(), 2);
        for line in text.lines().filter(|l| l.contains("ld.global")) {
            let loaded = registers.iter().any(|r| line.contains(r));
            assert!(!loaded, "{line}");
        }
    }
    let mut in_memory = masked.clone();
    for node in &mut in_memory.nodes {
        if let Op::Index(k) = node.op {
            node.op = Op::Input(k);
        }
    }
    let names = kernels.iter().map(Kernel::name);
    let others = samples::kernels(&in_memory, (9, 0));
    let others: HashSet<String> = others.iter().map(Kernel::name).collect();
    assert!(names.into_iter().all(|name| !others.contains(&name)));
}

#[test]
fn a_causal_softmax_keeps_its_rows_in_registers() {
    let program = samples::masked(DType::F32);
    let steps = |step: isize| [step].into_iter().collect();
    let memory = Slot {
        address: std::ptr::without_provenance_mut(1 << 20),
        outer: steps(1024),
        row: steps(1),
    };
    let task = Task {
        program: &program,
        outer: [4096].into_iter().collect(),
        row: [1024].into_iter().collect(),
        // Where an index begins is no alignment.
        inputs: vec![
            memory.clone(),
            Slot::index(3, steps(1), steps(0)),
            Slot::index(1, steps(0), steps(1)),
        ],
        outputs: vec![memory],
        params: &[],
    };
    let limits = Limits {
        capability: (9, 0),
        multiprocessors: 132,
        shared: 96 << 10,
        cache: 32 << 20,
        driver: CudaVersion::from_driver(13_000),
    };
    let kernels = prepared::kernels(&task, &limits).expect("it has one");
    let lanes = |kernel: &Kernel| match kernel.schedule {
        Schedule::Held(held) => held.lanes,
        Schedule::Sweep(_) => 0,
    };
    assert_eq!(kernels.iter().map(lanes).collect::<Vec<_>>(), [4]);
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
