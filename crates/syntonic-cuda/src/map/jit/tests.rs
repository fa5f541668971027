//! Texts of JIT kernels: they are well formed, complete and deterministic. `cargo xtask kernels --prove` proves that they
//! assemble; checks on a GPU prove that they compute the bits of bytecode.

use super::program::{Layout, Program};
use super::samples::{self, kinds_of, sample};
use super::text::kernel;
use crate::codegen::parts;
use crate::plan::straight::{Kind, place};
use crate::plan::walked::{Access, Walk};
use std::collections::HashSet;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

const CARDS: [(u32, u32); 3] = [(7, 5), (8, 0), (9, 0)];

/// Registers that outer scopes of a text declare, one by one.
fn declared(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    for line in text.lines().filter_map(|l| l.strip_prefix(".reg .")) {
        let (_, list) = line.split_once(' ').unwrap_or_default();
        for name in list.trim_end_matches(';').split(", ") {
            match name.split_once('<') {
                Some((stem, count)) => {
                    let count: usize = count.trim_end_matches('>').parse().unwrap();
                    names.extend((0..count).map(|k| format!("{stem}{k}")));
                }
                None => _ = names.insert(name.to_owned()),
            }
        }
    }
    names
}

/// The words of a text that are registers of a JIT kernel's own.
fn used(text: &str) -> HashSet<String> {
    let words =
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%' || c == '$'));
    let own = |w: &&str| {
        w.starts_with('v')
            && !w.ends_with('_')
            && w.contains('_')
            && w.as_bytes()[1].is_ascii_digit()
    };
    words.filter(own).map(str::to_owned).collect()
}

#[test]
fn every_primitive_of_every_type_has_its_piece() {
    let mut count = 0;
    for card in CARDS {
        for (prim, dtype, program) in samples::each_primitive() {
            let text = kernel(&program, card);
            assert!(text.is_some(), "{} {dtype} for {card:?}", prim.name());
            count += 1;
        }
    }
    // Every part that the table has, half types by way of float32.
    let table = || {
        Prim::ALL
            .iter()
            .flat_map(|&p| DType::ALL.into_iter().map(move |d| (p, d)))
    };
    let parts = table()
        .filter(|&(p, d)| parts::primitive(p, d).is_some())
        .count();
    assert!(count / CARDS.len() > parts, "{count} for {parts} parts");
}

#[test]
fn every_conversion_has_its_piece() {
    for (from, to, program) in samples::each_conversion() {
        assert!(kernel(&program, (8, 0)).is_some(), "{from} to {to}");
    }
}

/// Declares what it uses, is the same each time, and has these lines once.
fn is_well_formed(program: &Program, seed: u64, once: &[&str]) {
    let card = CARDS[seed as usize % 3];
    let Some(text) = kernel(program, card) else {
        panic!("sample {seed} has no kernel");
    };
    assert_eq!(Some(&text), kernel(program, card).as_ref());
    let (declared, used) = (declared(&text), used(&text));
    let missing: Vec<&String> = used.difference(&declared).collect();
    assert!(missing.is_empty(), "{seed}: {missing:?}\n{text}");
    let braces = |c: char| text.matches(c).count();
    assert_eq!(braces('{'), braces('}'), "{seed}");
    for once in once
        .iter()
        .chain(&["\n$done:", ".visible .entry made_", ".target sm_"])
    {
        assert_eq!(text.matches(once).count(), 1, "{seed}: {once}");
    }
}

#[test]
fn texts_declare_what_they_use_and_are_always_the_same() {
    for seed in 0..120 {
        is_well_formed(&sample(seed), seed, &["\n$last:", "\n$next:"]);
        let walked = samples::walked(seed).expect("its index space is small");
        is_well_formed(&walked, seed, &[]);
    }
}

/// The product and the sum of two pieces are adjacent, and an assembler contracts what has no rounding modifier.
#[test]
fn pieces_are_not_joined_by_the_assembler() {
    for (prim, dtype, program) in samples::each_primitive() {
        let text = kernel(&program, (9, 0)).unwrap();
        for open in [
            "mul.f32", "add.f32", "sub.f32", "mul.f64", "add.f64", "sub.f64", "mad.f", "\nfma.f",
        ] {
            assert!(!text.contains(open), "{} {dtype}: {open}", prim.name());
        }
    }
}

#[test]
fn numbers_and_single_elements_have_one_register() {
    let mut program = sample(0);
    kinds_of(&mut program).fill(Kind::Number);
    kinds_of(&mut program)[0] = Kind::Vector;
    let numbers = kinds_of(&mut program).len() - 1;
    let loads = |program: &Program| {
        let text = kernel(program, (9, 0)).unwrap();
        // Pieces load from tables of their own.
        let read = text
            .lines()
            .filter(|l| l.starts_with("ld.global") && l.contains("[at"));
        let numbers = text
            .lines()
            .filter(|l| l.starts_with("ld.param.") && l.contains(" v"));
        (numbers.count(), read.count())
    };
    // The one vector is read by whole blocks, and by the last one.
    assert_eq!(loads(&program), (numbers, 2));
    kinds_of(&mut program)[1..].fill(Kind::Scalar);
    assert_eq!(loads(&program), (0, 2 + numbers));
}

#[test]
fn an_index_is_counted_and_not_loaded() {
    let all = samples::each_primitive();
    let mut products = all.filter(|(prim, dtype, _)| *prim == Prim::Mul && *dtype == DType::I64);
    let (_, _, mut program) = products.next().expect("it has a product");
    kinds_of(&mut program).fill(Kind::Index);
    let mut layouts = vec![program.layout.clone()];
    for lanes in [1, 2] {
        layouts.push(Layout::Walked(Walk {
            axes: 2,
            lanes,
            vectors: if lanes > 1 { 1 } else { 4 },
            reads: vec![(Access::Indices, 3), (Access::Index, 2)],
            writes: vec![3],
            tile: Vec::new(),
        }));
    }
    for layout in layouts {
        program.layout = layout;
        let text = kernel(&program, (9, 0)).expect("it has pieces");
        assert!(!text.contains("ld.global"), "{text}");
        is_well_formed(&program, 0, &[]);
    }
}

#[test]
fn complex128_lies_in_two_registers() {
    let all = samples::each_primitive();
    let mut products = all.filter(|(prim, dtype, _)| *prim == Prim::Mul && *dtype == DType::C128);
    let (_, _, mut program) = products.next().expect("it has a product");
    let has = |program: &Program, line: &str| {
        let text = kernel(program, (9, 0)).expect("it has pieces");
        text.lines().any(|l| l == line)
    };
    assert!(has(&program, "ld.global.v2.b64 {v1_0, v1_1}, [at+0];"));
    assert!(has(&program, "st.global.v2.b64 [at+0], {v2_0, v2_1};"));
    kinds_of(&mut program)[1] = Kind::Number;
    for (register, offset) in [("v1_0", place::bits(1)), ("v1_1", place::bits(1) + 8)] {
        let line = format!("ld.param.b64 {register}, [p+{offset}];");
        assert!(has(&program, &line), "{line}");
    }
}

#[test]
fn what_has_no_piece_is_left_to_bytecode() {
    let mut program = sample(0);
    for value in &mut program.form.values {
        value.dtype = DType::U8;
    }
    assert_eq!(kernel(&program, (9, 0)), None);
    assert_eq!(kernel(&sample(0), (5, 2)), None);
}
