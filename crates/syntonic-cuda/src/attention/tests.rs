//! Texts of attention and its slopes: well formed, complete and deterministic.

use super::kernel::Kernel;
use super::scores::{Kind, Scores};
use super::slopes;
use super::tile_text::Stored;
use crate::codegen::form::Form;
use crate::jit::Kernel as Made;
use std::collections::HashSet;
use syntonic_core::DType;
use syntonic_core::fuse::{Builder, Precision, Prim, Role, Yield, lower};

/// `tanh(score + slope) * row - column + bias`.
fn written(causal: bool) -> Scores {
    let mut b = Builder::new();
    let [score, slope, row, column, bias] =
        ["score", "slope", "row", "column", "bias"].map(|name| b.input(name, Role::Element));
    let sum = b.apply(Prim::Add, &[score, slope]);
    let bent = b.apply(Prim::Tanh, &[sum]);
    let scaled = b.apply(Prim::Mul, &[bent, row]);
    let moved = b.apply(Prim::Sub, &[scaled, column]);
    let all = b.apply(Prim::Add, &[moved, bias]);
    b.output(all, Yield::Element);
    let types = [DType::F32, DType::F32, DType::F32, DType::F32, DType::BF16];
    let program = lower(&b.finish("score", Precision::Wide), &types).unwrap();
    Scores {
        form: Form::of(&program).unwrap(),
        kinds: vec![
            Kind::Score,
            Kind::Head,
            Kind::Rows,
            Kind::Columns,
            Kind::Each,
        ],
        plain: false,
        causal,
    }
}

fn plain(causal: bool) -> Scores {
    Scores {
        form: Form::copy(DType::F32),
        kinds: vec![Kind::Score],
        plain: true,
        causal,
    }
}

const WIDTHS: [(usize, usize); 5] = [(64, 64), (80, 80), (128, 128), (256, 208), (16, 16)];

fn kernels() -> Vec<Kernel> {
    let mut all = Vec::new();
    for dtype in [DType::F16, DType::BF16] {
        for (depth, width) in WIDTHS {
            for causal in [false, true] {
                for scores in [plain(causal), written(causal)] {
                    all.push(Kernel {
                        scores,
                        dtype,
                        depth,
                        width,
                        stored: if causal { Stored::Pairs } else { Stored::Each },
                    });
                }
            }
        }
    }
    all
}

/// Names and texts of all kinds of kernels.
fn texts() -> Vec<(String, String)> {
    fn of(kernel: &impl Made) -> (String, String) {
        let text = kernel.text((9, 0)).unwrap();
        assert_eq!(Some(&text), kernel.text((9, 0)).as_ref());
        (kernel.name(), text)
    }
    let forward = kernels();
    let back = slopes::tests::kernels(&WIDTHS, plain);
    forward.iter().map(of).chain(back.iter().map(of)).collect()
}

/// Every register is declared once in its scope: assemblers refuse another.
fn declares_once(text: &str) -> bool {
    let mut scopes = vec![HashSet::new()];
    for line in text.lines() {
        match line {
            "{" => scopes.push(HashSet::new()),
            "}" => _ = scopes.pop(),
            _ => {}
        }
        let Some((_, names)) = line.strip_prefix(".reg .").and_then(|l| l.split_once(' ')) else {
            continue;
        };
        for name in names.trim_end_matches(';').split(", ") {
            let stem = name.split('<').next().unwrap_or(name);
            if !scopes.last_mut().unwrap().insert(stem.to_owned()) {
                return false;
            }
        }
    }
    true
}

#[test]
fn texts_are_whole() {
    for (name, text) in texts() {
        for once in [".visible .entry attention_", ".target sm_90a\n", "$leave:"] {
            assert_eq!(text.matches(once).count(), 1, "{name}: {once}");
        }
        let braces = |c: char| text.matches(c).count();
        assert_eq!(braces('{'), braces('}'), "{name}");
        assert!(declares_once(&text), "{name}");
    }
}

#[test]
fn names_tell_kernels_apart() {
    let texts = texts();
    let names: HashSet<&String> = texts.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), texts.len());
}

#[test]
fn blocks_have_room() {
    for kernel in kernels() {
        let room = kernel.room();
        assert!(room.stages >= 2 && room.size <= 227 << 10, "{room:?}");
    }
}
