//! Texts of kernels: they are well formed, complete and deterministic. `cargo xtask kernels --prove` proves that they assemble; checks on
//! a GPU prove what they compute. And a form in parts is the form.

use super::kernel::{Kernel, Layout};
use super::samples::{self, sample, with_kinds};
use super::split;
use crate::codegen::form::{Form, Step};
use crate::codegen::parts;
use crate::jit::{Kernel as _, declared};
use crate::plan::straight::{Kind, place};
use crate::plan::walked::{Access, Walk};
use std::collections::HashSet;
use syntonic_core::fuse::{Prim, reference};
use syntonic_core::{DType, Scalar};

const CARDS: [(u32, u32); 3] = [(7, 5), (8, 0), (9, 0)];

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
            let text = program.text(card);
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
        assert!(program.text((8, 0)).is_some(), "{from} to {to}");
    }
}

/// Declares what it uses, is the same each time, and has these lines once.
fn is_well_formed(program: &Kernel, seed: u64, once: &[&str]) {
    let card = CARDS[seed as usize % 3];
    let Some(text) = program.text(card) else {
        panic!("sample {seed} has no kernel");
    };
    assert_eq!(Some(&text), program.text(card).as_ref());
    let (declared, used) = (declared(&text), used(&text));
    let missing: Vec<&String> = used.difference(&declared).collect();
    assert!(missing.is_empty(), "{seed}: {missing:?}\n{text}");
    let braces = |c: char| text.matches(c).count();
    assert_eq!(braces('{'), braces('}'), "{seed}");
    for once in once
        .iter()
        .chain(&["\n$done:", ".visible .entry map_", ".target sm_"])
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
        let text = program.text((9, 0)).unwrap();
        for open in [
            "mul.f32", "add.f32", "sub.f32", "mul.f64", "add.f64", "sub.f64", "mad.f", "\nfma.f",
        ] {
            assert!(!text.contains(open), "{} {dtype}: {open}", prim.name());
        }
    }
}

#[test]
fn numbers_and_single_elements_have_one_register() {
    let one = |kind: Kind| with_kinds(sample(0), |k| if k == 0 { Kind::Vector } else { kind });
    let program = one(Kind::Number);
    let numbers = program.form.leaves().count() - 1;
    let loads = |program: &Kernel| {
        let text = program.text((9, 0)).unwrap();
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
    assert_eq!(loads(&one(Kind::Scalar)), (0, 2 + numbers));
}

#[test]
fn complex128_lies_in_two_registers() {
    let all = samples::each_primitive();
    let mut products = all.filter(|(prim, dtype, _)| *prim == Prim::Mul && *dtype == DType::C128);
    let (_, _, program) = products.next().expect("it has a product");
    let has = |program: &Kernel, line: &str| {
        let text = program.text((9, 0)).expect("it has pieces");
        text.lines().any(|l| l == line)
    };
    assert!(has(&program, "ld.global.v2.b64 {v1_0, v1_1}, [at+0];"));
    assert!(has(&program, "st.global.v2.b64 [at+0], {v2_0, v2_1};"));
    let program = with_kinds(program, |k| [Kind::Vector, Kind::Number][k]);
    for (register, offset) in [("v1_0", place::bits(1)), ("v1_1", place::bits(1) + 8)] {
        let line = format!("ld.param.b64 {register}, [p+{offset}];");
        assert!(has(&program, &line), "{line}");
    }
}

#[test]
fn an_index_is_counted_and_not_loaded() {
    let all = samples::each_primitive();
    let mut products = all.filter(|(prim, dtype, _)| *prim == Prim::Mul && *dtype == DType::I64);
    let (_, _, program) = products.next().expect("it has a product");
    let mut layouts = vec![Layout::Straight(vec![Kind::Index; 2])];
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
        let kernel = Kernel::new(program.form.clone(), layout);
        let text = kernel.text((9, 0)).expect("it has pieces");
        assert!(!text.contains("ld.global"), "{text}");
        is_well_formed(&kernel, 0, &[]);
    }
}

#[test]
fn a_card_without_an_image_has_no_text() {
    assert_eq!(sample(0).text((5, 2)), None);
}

/// What each value of a form is, over operands of these values.
fn computed(form: &Form, operands: &[Scalar]) -> Vec<Scalar> {
    let mut next = operands.iter();
    let mut values: Vec<Scalar> = Vec::new();
    for (k, value) in form.values.iter().enumerate() {
        let at = |a: u32| values[a as usize];
        values.push(match value.step {
            Step::Leaf(_) => next.next().unwrap().cast(value.dtype),
            Step::Cast(a) => at(a).cast(value.dtype),
            Step::Apply(prim, args) => {
                reference::apply(prim, &args.map(at), form.operand_dtype(k as u32))
            }
        });
    }
    values
}

#[test]
fn parts_together_are_the_whole() {
    for seed in 0..60 {
        let form = sample(seed).form;
        let operands: Vec<Scalar> = (0..form.leaves().count())
            .map(|k| Scalar::Float(1.5 - 0.75 * k as f64))
            .collect();
        let want = computed(&form, &operands);
        let mut known: Vec<Option<Scalar>> = vec![None; form.values.len()];
        for ((k, _, dtype), value) in form.leaves().zip(&operands) {
            known[k as usize] = Some(value.cast(dtype));
        }
        let (mut start, end) = (0, form.values.len() as u32);
        while start < end {
            let part = split::part(&form, start, (start + 5).min(end));
            let own: Vec<Scalar> = part
                .operands
                .iter()
                .map(|&k| known[k as usize].unwrap())
                .collect();
            let values = computed(&part.form, &own);
            for (&k, &at) in part.results.iter().zip(&part.form.outputs) {
                known[k as usize] = Some(values[at as usize]);
            }
            start = part.end;
        }
        for &k in &form.outputs {
            let (got, want) = (known[k as usize].unwrap(), want[k as usize]);
            assert!(same(got, want), "{seed}: {got:?} is not {want:?}");
        }
    }
}

/// Equal as numbers; every NaN is one.
fn same(a: Scalar, b: Scalar) -> bool {
    let key = |x: Scalar| {
        let z = x.to_complex();
        let part = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        (part(z.re), part(z.im), x.to_i128())
    };
    key(a) == key(b)
}
