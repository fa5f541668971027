//! Plans that are wrong, and inputs that do not fit: errors that name where.

use super::{Layer, Softmax};
use crate::dtype::DType;
use crate::error::Error;
use crate::fuse::{self, Role, Yield};
use crate::interrupt::{Answer, heeding};
use crate::pipeline::{Builder, Factor, Mode, Reduce, Stage, Work};
use crate::tensor::Tensor;

/// A plan with x: [n], a: [m, n] and an output y.
fn begun() -> Builder {
    Builder::new("Bad")
        .input("x", &["n"])
        .input("a", &["m", "n"])
        .output("y")
}

fn same(name: &'static str, number: u32, shape: &[&str], reads: &str) -> Stage {
    Stage::elements(name, number, shape, [reads], |[x]| -x)
}

/// The error of a plan: the stage that it names, and the words.
fn refused(builder: Builder) -> (String, String) {
    match builder.finish() {
        Err(Error::Plan { plan, stage, what }) => {
            assert_eq!(plan, "Bad");
            (stage, what)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_plan_is_an_error_that_names_the_stage() {
    let y = |shape: &[&str], reads| same("y", 2, shape, reads);
    let product = |shape: &[&str], a: Factor, b: Factor| Stage::product("y", 1, shape, a, b);
    let sum = |shape: &[&str], reads: &str| {
        Stage::reduction("y", 1, shape, [reads], Reduce::Sum, |[x]| x)
    };
    let cases: Vec<(Builder, &str, &str)> = vec![
        (
            begun().stage(y(&["n"], "z")),
            "y",
            "reads z, which is no input",
        ),
        (
            begun()
                .stage(y(&["n"], "z"))
                .stage(same("z", 2, &["n"], "x")),
            "y",
            "reads z, which is there after stage number 2, at number 2",
        ),
        (
            begun()
                .stage(same("z", 1, &["n"], "y"))
                .stage(y(&["n"], "z")),
            "z",
            "reads y, which is there after stage number 2, at number 1",
        ),
        (
            begun().stage(y(&["n"], "y")),
            "y",
            "reads y, which is there after",
        ),
        (
            begun()
                .stage(y(&["n"], "x"))
                .stage(same("y", 3, &["n"], "x")),
            "y",
            "has the name of another stage",
        ),
        (
            begun().stage(same("x", 1, &["n"], "x")),
            "x",
            "has the name of another",
        ),
        (
            begun().stage(y(&["m"], "x")),
            "y",
            "reads x, whose extent n on axis -1 does not broadcast to m",
        ),
        (
            begun().stage(y(&["n"], "a")),
            "y",
            "reads a, whose extent m on axis -2 has no axis",
        ),
        (
            begun().stage(y(&["7"], "x")),
            "y",
            "whose extent n on axis -1 does not broadcast to 7",
        ),
        (
            begun().stage(y(&["k", "n"], "x")),
            "y",
            "has the extent k, which no input has",
        ),
        (
            begun().stage(sum(&["n"], "a")),
            "y",
            "makes the extent m on axis 0 and declares n",
        ),
        (
            begun().stage(sum(&["m", "n"], "a")),
            "y",
            "makes the extent 1 on axis 1 and declares n",
        ),
        (
            begun().stage(sum(&[], "a")),
            "y",
            "makes a value of 1 axes and declares 0",
        ),
        (
            begun().stage(product(&["m"], Factor::transposed("a"), "x".into())),
            "y",
            "multiplies factors whose inner extents differ: m and n",
        ),
        (
            begun().stage(product(&["n"], "a".into(), "x".into())),
            "y",
            "makes the extent m on axis 0 and declares n",
        ),
        (
            begun().stage(product(&["m"], "a".into(), Factor::transposed("x"))),
            "y",
            "multiplies x, which has too few axes",
        ),
        (
            begun().stage(same("z", 1, &["n"], "x")),
            "y",
            "is an output that no stage makes",
        ),
        (
            begun().stage(Stage::elements("y", 1, &["n"], [], |[]| 1.0)),
            "y",
            "reads nothing",
        ),
        (
            begun().repeat(0, &[], [y(&["n"], "x")]),
            "y",
            "is repeated 0 times",
        ),
        (
            begun().repeat(2, &[("x", "z")], [y(&["n"], "x")]),
            "x",
            "is carried from z, which is no stage",
        ),
        (
            begun().repeat(2, &[("x", "y")], [product(&["m"], "a".into(), "x".into())]),
            "x",
            "is carried from y, whose shape is another one",
        ),
        (
            begun().repeat(2, &[("z", "y")], [y(&["n"], "x")]),
            "z",
            "reads z, which is no input",
        ),
        (
            // The loop has numbers up to 3, and what reads from it runs in the middle.
            begun()
                .repeat(
                    2,
                    &[("x", "z")],
                    [same("z", 1, &["n"], "x"), same("w", 3, &["n"], "z")],
                )
                .stage(y(&["n"], "z")),
            "y",
            "reads z, which is there after stage number 3, at number 2",
        ),
        (
            begun().stage(y(&["1", "1", "1", "1", "1", "1", "1", "1", "n"], "x")),
            "y",
            "more than 8 axes",
        ),
    ];
    for (k, (builder, stage, words)) in cases.into_iter().enumerate() {
        let (named, what) = refused(builder);
        assert_eq!(named, stage, "{k}: {what}");
        assert!(what.contains(words), "{k}: {what}");
    }
    let none = Builder::new("Bad")
        .input("x", &["n"])
        .stage(same("y", 1, &["n"], "x"));
    assert!(refused(none).1.contains("has no outputs"));
}

#[test]
fn a_formula_of_rows_is_no_formula_of_a_stage() {
    let mut b = fuse::Builder::new();
    let x = b.input("x", Role::Element);
    let sum = b.fold(fuse::Fold::Sum, x);
    b.output(sum, Yield::RowScalar);
    let formula = b.finish("rows", fuse::Precision::Wide);
    let (stage, what) = refused(begun().stage(Stage::new("y", 1, &["n"], Work::Elements(formula))));
    assert_eq!(stage, "y");
    assert!(what.contains("none of elements"), "{what}");
}

#[test]
fn inputs_that_do_not_fit_are_named() {
    let ones = |shape: &[usize]| Tensor::ones(shape, DType::F32).unwrap();
    let (x, w, bias) = (ones(&[2, 3]), ones(&[4, 5]), ones(&[5]));
    for mode in [Mode::Reference, Mode::Unfused, Mode::Fused, Mode::Captured] {
        let run = |inputs: &[&Tensor]| Layer::plan().run(inputs, mode).unwrap_err();
        match run(&[&x, &w, &bias]) {
            Error::Extent {
                plan,
                input,
                axis,
                symbol,
                bound,
                given,
            } => {
                assert_eq!((&*plan, &*input, axis), ("Layer", "w", 0));
                assert_eq!((&*symbol, bound, given), ("k", 3, 4));
            }
            other => panic!("{other}"),
        }
        let text = run(&[&x, &w]).to_string();
        assert!(
            text.contains("takes 3 inputs (x, w, bias), 2 were given"),
            "{text}"
        );
        let text = run(&[&x, &bias, &bias]).to_string();
        assert!(
            text.contains("the input w of Layer has the shape [k, m]"),
            "{text}"
        );
        let whole = Tensor::ones(&[2, 3], DType::I32).unwrap();
        assert!(matches!(run(&[&whole, &w, &bias]), Error::DType { .. }));
    }
}

#[test]
fn the_largest_of_nothing_is_an_error_in_every_mode() {
    let x = Tensor::ones(&[2, 0], DType::F64).unwrap();
    for mode in [Mode::Reference, Mode::Unfused, Mode::Fused, Mode::Captured] {
        let e = Softmax::plan().run(&[&x], mode).unwrap_err();
        assert!(
            matches!(e, Error::EmptyReduction { op: "max", .. }),
            "{mode:?}: {e}"
        );
    }
}

#[test]
fn a_long_run_can_be_stopped() {
    let x = Tensor::ones(&[2000, 257], DType::F64).unwrap();
    let run = || Softmax::plan().run(&[&x], Mode::Reference);
    let e = heeding(|| Answer::Stop, run).unwrap_err();
    assert!(
        matches!(&e, Error::Interrupted { op } if op == "pipeline"),
        "{e}"
    );
}
