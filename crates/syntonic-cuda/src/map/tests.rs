//! Bytecode run by a slow decoder on the CPU gives what core's interpreter gives.

use super::code::{self, Class, Code, LOAD, Place, STORE, TO_BF16, TO_F16, WRITE};
use super::{encode, general, split};
use crate::codegen;
use crate::codegen::form::{Form, Step};
use syntonic_core::fuse::interpreter::{Extent, interpret};
use syntonic_core::fuse::{
    Builder, NodeId, Op, Precision, Prim, Role, Typed, Yield, Yields, lower, reference,
};
use syntonic_core::{DType, Scalar};

/// Whether each operand of the form is a tensor, and its value at one position.
struct Bound {
    varies: Vec<bool>,
    values: Vec<Scalar>,
}

fn prim(code: u8) -> Option<Prim> {
    Prim::ALL
        .iter()
        .copied()
        .find(|&p| codegen::code(p) == code)
}

/// What the interpreters of `bytecode.cuh` and `general.cuh` compute for one element.
fn decode(code: &Code, bound: &Bound, form: &Form) -> Vec<Scalar> {
    let mut slots = vec![Scalar::Int(0); code.slots.max(1)];
    let mut cells = vec![Scalar::Int(0); code.cells.max(1)];
    for (((_, _, dtype), &place), &value) in form.leaves().zip(&code.places).zip(&bound.values) {
        let value = match code.class {
            Class::Light(class) => value.cast(dtype).cast(class.compute()),
            Class::General => value.cast(dtype),
        };
        match place {
            Place::Slot(at) => slots[usize::from(at)] = value,
            Place::Cell(at) => cells[usize::from(at)] = value,
        }
    }
    let mut out = vec![Scalar::Int(0); form.outputs.len()];
    let mut a = Scalar::Int(0);
    for i in &code.instructions {
        let read = |place: Place, slots: &[Scalar]| match place {
            Place::Slot(at) => slots[usize::from(at)],
            Place::Cell(at) => cells
                .get(usize::from(at))
                .copied()
                .unwrap_or(Scalar::Int(0)),
        };
        let operation = (i.word & 0xff) as u8;
        let (high, middle) = ((i.word >> 24) as usize, (i.word >> 16 & 0xff) as usize);
        let (y, z) = (read(i.y, &slots), read(i.z, &slots));
        match code.class {
            Class::General => {
                let from = DType::ALL[(i.word >> 8 & 0xff) as usize];
                let x = read(i.x, &slots);
                match operation {
                    general::WRITE_OUT => out[high] = y,
                    general::CONVERT => slots[high] = y.cast(DType::ALL[middle]),
                    other => slots[high] = reference::apply(prim(other).unwrap(), &[y, z, x], from),
                }
            }
            Class::Light(held) => {
                let class = held.compute();
                if i.word & LOAD != 0 {
                    a = read(i.x, &slots);
                }
                a = step(operation, a, y, z, class).cast(class);
                if i.word & TO_F16 != 0 {
                    a = a.cast(DType::F16);
                }
                if i.word & TO_BF16 != 0 {
                    a = a.cast(DType::BF16);
                }
                if i.word & STORE != 0 {
                    slots[middle] = a.cast(held).cast(class);
                }
                if i.word & WRITE != 0 {
                    let dtype = form.values[form.outputs[high] as usize].dtype;
                    out[high] = a.cast(dtype);
                }
            }
        }
    }
    out
}

fn step(operation: u8, a: Scalar, y: Scalar, z: Scalar, class: DType) -> Scalar {
    let truth = |f: fn(bool, bool) -> bool| Scalar::Bool(f(a.to_bool(), y.to_bool()));
    match operation {
        code::MOVE => y,
        code::REVERSED_SUBTRACT => reference::apply(Prim::Sub, &[y, a], class),
        code::REVERSED_DIVIDE => reference::apply(Prim::Div, &[y, a], class),
        code::NON_ZERO => Scalar::Bool(a.to_bool()),
        code::BOTH => truth(|a, b| a && b),
        code::EITHER => truth(|a, b| a || b),
        code::ONE_OF => truth(|a, b| a != b),
        code::NEITHER => Scalar::Bool(!a.to_bool()),
        other => reference::apply(prim(other).unwrap(), &[a, y, z], class),
    }
}

struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) as usize) % n
    }
}

/// A random program over inputs of these types, if it is well-typed.
fn program(choice: &mut Choices, dtypes: &[DType], length: usize) -> Option<Typed> {
    let mut b = Builder::new();
    let mut nodes: Vec<NodeId> = dtypes.iter().map(|_| b.input("x", Role::Element)).collect();
    for _ in 0..length {
        let prim = Prim::ALL[choice.below(Prim::ALL.len())];
        let mut args: Vec<NodeId> = (0..prim.arity())
            .map(|_| match choice.below(6) {
                0 => b.constant(Scalar::Float(choice.below(9) as f64 * 0.5)),
                1..4 => nodes[nodes.len() - 1],
                _ => nodes[choice.below(nodes.len())],
            })
            .collect();
        if prim == Prim::Select {
            args[0] = b.apply(Prim::Ne, &[args[0], args[1]]);
        }
        let mut made = b.apply(prim, &args);
        if prim.row().yields == Yields::Bool && choice.below(2) == 0 {
            made = b.apply(Prim::Select, &[made, args[0], nodes[0]]);
        }
        nodes.push(made);
        // Only what can be lowered so far is kept.
        let mut trial = b.clone();
        trial.output(made, Yield::Element);
        if lower(&trial.finish("trial", Precision::Stepwise), dtypes).is_err() {
            nodes.pop();
        }
    }
    b.output(*nodes.last()?, Yield::Element);
    for _ in 0..choice.below(3) {
        b.output(nodes[choice.below(nodes.len())], Yield::Element);
    }
    lower(&b.finish("random", Precision::Stepwise), dtypes).ok()
}

fn bound(form: &Form, typed: &Typed, inputs: &[Scalar]) -> Bound {
    let node = |n: u32| typed.nodes[n as usize];
    Bound {
        varies: form
            .leaves()
            .map(|(_, n, _)| matches!(node(n).op, Op::Input(_)))
            .collect(),
        values: form
            .leaves()
            .map(|(_, n, _)| match node(n).op {
                Op::Input(k) => inputs[usize::from(k)],
                Op::Const(x) => x,
                other => panic!("{other:?}"),
            })
            .collect(),
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

#[test]
fn bytecode_means_what_the_program_means() {
    let families: [&[DType]; 9] = [
        &[DType::F32],
        &[DType::F64],
        &[DType::BF16],
        &[DType::F16, DType::F32],
        &[DType::C64],
        &[DType::C128, DType::F64],
        &[DType::I32],
        &[DType::U8, DType::I64],
        &[DType::Bool, DType::F32, DType::I16, DType::C64],
    ];
    let mut choice = Choices(3);
    let (mut light, mut general) = (0, 0);
    for round in 0..900 {
        let family = families[round % families.len()];
        let count = 1 + choice.below(4);
        let dtypes: Vec<DType> = (0..count)
            .map(|_| family[choice.below(family.len())])
            .collect();
        let length = 1 + choice.below(14);
        let Some(typed) = program(&mut choice, &dtypes, length) else {
            continue;
        };
        let inputs: Vec<Scalar> = dtypes
            .iter()
            .map(|&d| Scalar::Float(choice.below(40) as f64 * 0.37 - 5.0).cast(d))
            .collect();
        let form = Form::of(&typed).unwrap();
        let bound = bound(&form, &typed, &inputs);
        let code = encode(&form, &bound.varies, 96 << 10).unwrap();
        match code.class {
            Class::Light(_) => light += 1,
            Class::General => general += 1,
        }
        let got = decode(&code, &bound, &form);
        let extent = Extent { rows: 1, row: 1 };
        let want = interpret(&typed, extent, &[], |k, _, _| inputs[k]).unwrap();
        for (got, want) in got.iter().zip(&want) {
            assert!(
                same(*got, want[0]),
                "{got:?} is not {:?}\n{typed:?}\n{code:?}",
                want[0]
            );
        }
    }
    assert!(
        light > 200 && general > 100,
        "{light} light, {general} general"
    );
}

#[test]
fn plain_chains_need_no_more_slots_than_inputs() {
    let mut b = Builder::new();
    let x: Vec<NodeId> = (0..3).map(|_| b.input("x", Role::Element)).collect();
    let mut y = b.apply(Prim::Mul, &[x[0], x[1]]);
    y = b.apply(Prim::Add, &[y, x[2]]);
    let c = b.constant(Scalar::Float(1.25));
    y = b.apply(Prim::Mul, &[c, y]);
    y = b.apply(Prim::Sub, &[c, y]);
    y = b.apply(Prim::Exp, &[y]);
    b.output(y, Yield::Element);
    for (dtype, instructions) in [(DType::F32, 5), (DType::BF16, 5), (DType::C64, 5)] {
        let typed = lower(&b.clone().finish("chain", Precision::Stepwise), &[dtype; 3]).unwrap();
        let form = Form::of(&typed).unwrap();
        let varies: Vec<bool> = form.leaves().map(|(k, _, _)| k != u32::MAX).collect();
        let code = encode(&form, &varies, 96 << 10).unwrap();
        assert!(
            matches!(code.class, Class::Light(d) if d.compute() == dtype.compute()),
            "{code:?}"
        );
        assert_eq!(code.instructions.len(), instructions, "{code:?}");
        let loads = code
            .instructions
            .iter()
            .filter(|i| i.word & (LOAD | STORE) != 0);
        assert_eq!(loads.count(), 1, "{code:?}");
    }
}

#[test]
fn parts_together_are_the_whole() {
    let mut choice = Choices(11);
    for _ in 0..60 {
        let dtypes = [DType::F32, DType::F32];
        let Some(typed) = program(&mut choice, &dtypes, 40) else {
            continue;
        };
        let form = Form::of(&typed).unwrap();
        let inputs = [Scalar::Float(1.5), Scalar::Float(-0.75)];
        let whole = bound(&form, &typed, &inputs);
        let mut known: Vec<Option<Scalar>> = vec![None; form.values.len()];
        for ((k, _, _), &value) in form.leaves().zip(&whole.values) {
            known[k as usize] = Some(value);
        }
        let (mut start, end) = (0, form.values.len() as u32);
        while start < end {
            let part = split::part(&form, start, (start + 7).min(end));
            let own = Bound {
                varies: vec![true; part.operands.len()],
                values: part
                    .operands
                    .iter()
                    .map(|&k| known[k as usize].unwrap())
                    .collect(),
            };
            if !part.results.is_empty() {
                let code = encode(&part.form, &own.varies, 200 << 10).unwrap();
                for (&k, value) in part.results.iter().zip(decode(&code, &own, &part.form)) {
                    known[k as usize] = Some(value);
                }
            }
            start = part.end;
        }
        let want = interpret(&typed, Extent { rows: 1, row: 1 }, &[], |k, _, _| inputs[k]).unwrap();
        for (&k, want) in form.outputs.iter().zip(&want) {
            let got = known[k as usize].unwrap();
            assert!(same(got, want[0]), "{got:?} is not {:?}", want[0]);
        }
        assert!(form.values.iter().any(|v| v.step != Step::Cast(u32::MAX)));
    }
}
