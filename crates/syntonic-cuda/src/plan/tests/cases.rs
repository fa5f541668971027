//! The tasks whose plans are committed.

use super::cards::{self, Named};
use super::samples::{Lies, Sample};
use std::collections::BTreeSet;
use syntonic_core::DType;
use syntonic_core::fork::Lazy;
use syntonic_core::fuse::{Builder, Fold, Precision, Program, Role, Yield};
use syntonic_core::ops::reduce;
use syntonic_srt::{infer, nn, resonant};

syntonic_core::fuse! {
    /// A chain that has no kernel of its own.
    CHAIN(x: element, y: element) -> (element) { (x * y + x) / (abs(y) + 1.0) }

    /// One that takes several launches.
    LONG(x: element, y: element) -> (element) {
        let a = exp(x) * sin(y) + cos(x) / (abs(y) + 2.0);
        let b = log(abs(a) + 1.0) - sqrt(abs(x)) * tanh(y);
        let c = exp(a - b) + sin(a * b) - cos(b) * tanh(a);
        a * b - c / (abs(c) + 1.0) + exp(c * y)
    }

    /// A program of rows without kernels of its own.
    OWN(x: element) -> (element) {
        let e = exp(x - max(x));
        (e / sum(e)) * x + mean(x)
    }
}

const FLOATS: [DType; 4] = [DType::F32, DType::BF16, DType::F64, DType::F16];
const DTYPES: [DType; 6] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::I32,
];

type Cases = Vec<(Sample, Named)>;

/// The cases, those of one kind together, each once.
pub(super) fn all() -> Cases {
    let mut seen = BTreeSet::new();
    let mut cases = [
        on_all_cards(),
        of_all_programs(),
        of_folds(),
        of_layouts(),
        of_maps(),
    ]
    .concat();
    // A formula of one name may have several forms.
    cases.retain(|(sample, card)| {
        let form = (sample.program.inputs.len(), sample.program.outputs.len());
        seen.insert((sample.to_string(), form, card.name))
    });
    cases
}

/// The formula of this name; of several the first.
fn named(name: &str) -> &'static Program {
    static ALL: Lazy<Vec<&'static Program>> = Lazy::new(rows);
    ALL.iter().find(|p| p.name == name).unwrap()
}

fn rows() -> Vec<&'static Program> {
    [
        reduce::formulas(DType::F32),
        nn::formulas(),
        nn::gradients(),
        resonant::formulas(),
        infer::formulas(),
    ]
    .concat()
}

/// The form that a formula has for elements of a type.
fn of_type(program: &'static Program, dtype: DType) -> &'static Program {
    let mut single = reduce::formulas(DType::F32).into_iter();
    match single.position(|p| std::ptr::eq(p, program)) {
        Some(k) => reduce::formulas(dtype)[k],
        None => program,
    }
}

/// Formulas with names that are not among those before them: of one in several forms one stands for all.
fn one_of_each(formulas: Vec<&'static Program>) -> Vec<&'static Program> {
    let mut seen = BTreeSet::new();
    let mut formulas = formulas;
    formulas.retain(|p| seen.insert((p.name.to_string(), p.inputs.len(), p.outputs.len())));
    formulas
}

fn fold(fold: Fold) -> Program {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let y = b.fold(fold, x);
    b.output(y, Yield::RowScalar);
    b.finish(fold.name(), Precision::Stepwise)
}

fn copy() -> Program {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    b.output(x, Yield::Element);
    b.finish("copy", Precision::Stepwise)
}

fn cast(to: DType) -> Program {
    let mut b = Builder::new();
    let x = b.input("x", Role::Element);
    let y = b.cast(to, x);
    b.output(y, Yield::Element);
    b.finish(
        format!("to_{}", crate::ptx::name::short(to)),
        Precision::Stepwise,
    )
}

fn on_all_cards() -> Cases {
    let sum = fold(Fold::Sum);
    let planes: &[usize] = &[128, 256, 28, 28];
    let samples = [
        Sample::new(named("SOFTMAX"), DType::F32, &[4096, 1024], &[1]),
        Sample::new(named("SOFTMAX"), DType::F32, &[8, 131_072], &[1]),
        Sample::new(named("LAYER_NORM"), DType::BF16, &[8192, 4096], &[1]),
        Sample::new(
            named("LAYER_NORM_backward"),
            DType::F32,
            &[8192, 4096],
            &[1],
        ),
        Sample::new(named("BATCH_NORM"), DType::F32, planes, &[0, 2, 3]),
        Sample::new(named("BATCH_NORM"), DType::F32, &[65_536, 1024], &[0]),
        Sample::new(&sum, DType::F32, &[8192, 8192], &[0]),
        Sample::new(&sum, DType::F32, &[1 << 26], &[0]),
        Sample::new(&CHAIN, DType::F32, &[1 << 20], &[]),
    ];
    let with_cards = samples
        .iter()
        .flat_map(|sample| cards::ALL.map(|card| (sample.clone(), card)));
    with_cards.collect()
}

fn of_all_programs() -> Cases {
    let formulas = one_of_each(rows()).into_iter().enumerate();
    let samples = formulas.flat_map(|(k, program)| {
        let other = FLOATS[1 + k % 3];
        [
            (
                Sample::new(program, DType::F32, &[4096, 1024], &[1]),
                cards::H100,
            ),
            (
                Sample::new(of_type(program, other), other, &[512, 1000], &[0]),
                cards::A100,
            ),
        ]
    });
    samples.collect()
}

fn of_folds() -> Cases {
    let shapes: [(&[usize], &[usize]); 4] = [
        (&[4096, 1024], &[1]),
        (&[1024, 4096], &[0]),
        (&[64, 1000, 96], &[1]),
        (&[3, 1 << 22], &[1]),
    ];
    let mut cases = Cases::new();
    for (k, dtype) in DTYPES.into_iter().enumerate() {
        for (s, (shape, row)) in shapes.into_iter().enumerate() {
            let card = cards::MEASURED[(k + s) % 2];
            cases.push((Sample::new(&fold(Fold::Sum), dtype, shape, row), card));
        }
    }
    for (k, kind) in Fold::ALL.into_iter().enumerate() {
        for (s, (shape, row)) in shapes.into_iter().enumerate() {
            let dtype = FLOATS[(k + s) % FLOATS.len()];
            cases.push((Sample::new(&fold(kind), dtype, shape, row), cards::H100));
        }
    }
    for name in ["VAR", "STD"] {
        for (shape, row) in shapes {
            let sample = Sample::new(named(name), DType::F32, shape, row);
            cases.push((sample, cards::H100));
        }
    }
    cases
}

fn of_layouts() -> Cases {
    let lies = [
        Lies::Padded,
        Lies::Every2nd,
        Lies::Backwards,
        Lies::Shifted,
        Lies::Turned,
        Lies::Repeated,
    ];
    let programs = [
        named("SOFTMAX").clone(),
        fold(Fold::Sum),
        fold(Fold::ArgMax),
        named("VAR").clone(),
    ];
    let mut cases = Cases::new();
    for program in &programs {
        for lies in lies {
            let sample = Sample::new(program, DType::F32, &[2048, 1024], &[1]);
            cases.push((sample.lying(lies), cards::H100));
        }
    }
    // More axes than a kernel walks: a copy is folded.
    let turned = Sample::new(
        &fold(Fold::ArgMax),
        DType::F32,
        &[2; 9],
        &[0, 1, 2, 3, 4, 5, 6, 7, 8],
    );
    cases.push((turned.lying(Lies::Turned), cards::H100));
    let evens: Vec<usize> = (0..18).step_by(2).collect();
    let between = [2, 3].repeat(9);
    let between = Sample::new(&fold(Fold::Sum), DType::BF16, &between, &evens);
    cases.push((between, cards::A100));
    for dtype in [DType::F32, DType::BF16, DType::F64] {
        for (shape, row) in [([4096, 1024], [1]), ([1024, 4096], [0])] {
            cases.push((Sample::new(&OWN, dtype, &shape, &row), cards::H100));
        }
    }
    cases
}

fn of_maps() -> Cases {
    let lies = [
        Lies::Packed,
        Lies::Padded,
        Lies::Every2nd,
        Lies::Shifted,
        Lies::Turned,
        Lies::Repeated,
        Lies::Single,
    ];
    let mut cases = Cases::new();
    for (k, dtype) in DTYPES.into_iter().enumerate() {
        for (l, lies) in lies.into_iter().enumerate() {
            let card = cards::MEASURED[(k + l) % 2];
            let sample = Sample::new(&copy(), dtype, &[1000, 1024], &[]);
            cases.push((sample.lying(lies), card));
        }
    }
    for lies in lies {
        for program in [&*CHAIN, &*LONG] {
            let sample = Sample::new(program, DType::F32, &[1000, 1024], &[]);
            cases.push((sample.lying(lies), cards::H100));
        }
    }
    for to in [DType::BF16, DType::F64, DType::I32] {
        for lies in [Lies::Packed, Lies::Turned] {
            let sample = Sample::new(&cast(to), DType::F32, &[1000, 1024], &[]);
            cases.push((sample.lying(lies), cards::A100));
        }
    }
    for program in one_of_each(nn::maps()) {
        let sample = Sample::new(program, DType::BF16, &[1000, 1024], &[]);
        cases.push((sample, cards::H100));
    }
    cases
}
