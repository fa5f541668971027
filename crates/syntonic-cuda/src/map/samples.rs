//! Programs of all kinds, the same ones each time: samples for `kernels --prove`.

use super::kernel::{Kernel, Layout, is_whole, most_elements};
use crate::codegen::form::Form;
use crate::jit::Kernel as _;
use crate::plan::operand::{Source, Span};
use crate::plan::straight::Kind;
use crate::plan::walked::Walked;
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Role, Yield, lower};
use syntonic_core::{DType, Scalar};

/// Random programs among them.
const RANDOM: u64 = 60;

/// Texts of JIT kernels by name, for a card: each primitive and each conversion of each type, and random programs.
pub(crate) fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let prims = each_primitive().map(|(prim, dtype, p)| (format!("{}_{dtype}", prim.name()), p));
    let casts = each_conversion().map(|(from, to, p)| (format!("{to}_from_{from}"), p));
    let random = (0..RANDOM).map(|seed| (format!("random_{seed}"), sample(seed)));
    let walked = (0..RANDOM).filter_map(|seed| Some((format!("walked_{seed}"), walked(seed)?)));
    let all = prims.chain(casts).chain(random).chain(walked);
    all.map(|(name, program)| {
        let text = program.text(capability).unwrap_or_default();
        (name, text)
    })
    .collect()
}

/// A generator of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// The program that `build` makes, with tensors of these types; nothing where it is ill-typed or lacks pieces.
fn program(
    dtypes: &[DType],
    build: impl FnOnce(&mut Builder, &[NodeId]) -> Vec<NodeId>,
) -> Option<Kernel> {
    let mut b = Builder::new();
    let inputs: Vec<NodeId> = dtypes.iter().map(|_| b.input("x", Role::Element)).collect();
    for output in build(&mut b, &inputs) {
        b.output(output, Yield::Element);
    }
    let form = Form::of(&lower(&b.finish("sample", Precision::Stepwise), dtypes).ok()?)?;
    let kinds = vec![Kind::Vector; form.leaves().count()];
    let layout = Layout::Straight(kinds);
    is_whole(&form).then_some(Kernel::new(form, layout))
}

/// Each primitive alone, for each type with a part for it.
pub(super) fn each_primitive() -> impl Iterator<Item = (Prim, DType, Kernel)> {
    let all = Prim::ALL
        .iter()
        .flat_map(|&prim| DType::ALL.into_iter().map(move |dtype| (prim, dtype)));
    all.filter_map(|(prim, dtype)| {
        let mut dtypes = vec![dtype; prim.arity()];
        if prim == Prim::Select {
            dtypes[0] = DType::Bool;
        }
        let made = program(&dtypes, |b, x| vec![b.apply(prim, x)])?;
        Some((prim, dtype, made))
    })
}

/// Each conversion alone that has a part.
pub(super) fn each_conversion() -> impl Iterator<Item = (DType, DType, Kernel)> {
    let types = || DType::ALL.into_iter();
    let all = types().flat_map(move |from| types().map(move |to| (from, to)));
    all.filter_map(|(from, to)| {
        let made = program(&[from], |b, x| vec![b.cast(to, x[0])])?;
        (made.form.values.len() > 1).then_some((from, to, made))
    })
}

/// A random program of 2 to 24 steps over 1 to 6 operands, with up to three results.
pub(super) fn sample(seed: u64) -> Kernel {
    const TYPES: [&[DType]; 12] = [
        &[DType::F32],
        &[DType::F64],
        &[DType::BF16],
        &[DType::F16],
        &[DType::F16, DType::F32],
        &[DType::I32],
        &[DType::I64, DType::F64],
        &[DType::Bool, DType::F32, DType::BF16],
        &[DType::U8, DType::F32, DType::I16],
        &[DType::C64],
        &[DType::C128, DType::F64],
        &[DType::C128, DType::C64, DType::BF16],
    ];
    let mut choice = Choices(seed.wrapping_mul(77) + 5);
    let types = TYPES[seed as usize % TYPES.len()];
    loop {
        let dtypes: Vec<DType> = (0..1 + choice.below(6))
            .map(|_| types[choice.below(types.len())])
            .collect();
        let length = 2 + choice.below(23);
        if let Some(program) = random(&mut choice, &dtypes, length) {
            let kinds = [Kind::Vector, Kind::Vector, Kind::Number, Kind::Scalar];
            return with_kinds(program, |k| kinds[if k == 0 { 0 } else { choice.below(4) }]);
        }
    }
}

/// The same program where operand `k` is what `kind` makes of `k`.
pub(super) fn with_kinds(kernel: Kernel, kind: impl FnMut(usize) -> Kind) -> Kernel {
    let kinds = (0..kernel.form.leaves().count()).map(kind).collect();
    Kernel::new(kernel.form, Layout::Straight(kinds))
}

/// The same program over operands in random layouts of three axes.
pub(super) fn walked(seed: u64) -> Option<Kernel> {
    let form = sample(seed).form;
    let mut choice = Choices(seed.wrapping_mul(131) + 9);
    let rows = [8, 12, 7][choice.below(3)];
    let dims = [5, 6, rows];
    let packed = [6 * rows as isize, rows as isize, 1];
    let mut lies = |first: bool| {
        let address = 4096 + [0, 0, 2][if first { 0 } else { choice.below(3) }] * 8;
        let strides = match choice.below(6) {
            _ if first => packed,
            0 => [0, 0, 1],
            1 => [packed[1], 1, 0],
            2 => [1, 5, 30],
            3 => packed.map(|s| 2 * s),
            _ => packed,
        };
        Span {
            address,
            strides: strides.into_iter().collect(),
        }
    };
    let results = form.outputs.iter().map(|&o| form.values[o as usize].dtype);
    let outputs: Vec<(Span, DType)> = results.map(|dtype| (lies(true), dtype)).collect();
    let leaves = form.leaves();
    let sources: Vec<(Source, DType)> = leaves
        .map(|(k, _, dtype)| match k % 5 {
            4 => (Source::Number(Scalar::Int(3)), dtype),
            _ => (Source::Tensor(lies(false)), dtype),
        })
        .collect();
    let walk = Walked::of(&sources, &outputs, &dims, most_elements(&form))
        .ok()?
        .walk;
    let layout = Layout::Walked(walk);
    Some(Kernel::new(form, layout))
}

fn random(choice: &mut Choices, dtypes: &[DType], length: usize) -> Option<Kernel> {
    // Steps as functions of the values so far: a step is kept if all up to it are well-typed and have pieces.
    let mut steps: Vec<(Prim, [usize; 3])> = Vec::new();
    let build = |steps: &[(Prim, [usize; 3])], outputs: &[usize]| {
        program(dtypes, |b, inputs| {
            let mut nodes = inputs.to_vec();
            nodes.push(b.constant(Scalar::Float(1.5)));
            for (prim, args) in steps {
                let args: Vec<NodeId> = args[..prim.arity()].iter().map(|&a| nodes[a]).collect();
                nodes.push(b.apply(*prim, &args));
            }
            let outputs = outputs.iter().map(|&o| nodes[o]);
            outputs.collect()
        })
    };
    let first = dtypes.len() + 1;
    let mut tries = 0;
    while steps.len() < length && tries < 8 * length {
        tries += 1;
        let prim = Prim::ALL[choice.below(Prim::ALL.len())];
        let there = first + steps.len();
        let args = [(); 3].map(|()| match choice.below(3) {
            0 => there - 1,
            _ => choice.below(there),
        });
        steps.push((prim, args));
        if build(&steps, &[there]).is_none() {
            steps.pop();
        }
    }
    let last = first + steps.len() - 1;
    let mut outputs = vec![last];
    outputs.extend((0..choice.below(3)).map(|_| first + choice.below(steps.len().max(1))));
    let made = build(&steps, &outputs)?;
    (steps.len() >= 2 && made.form.leaves().count() > 1).then_some(made)
}
