use super::*;
use crate::dtype::DType;
use crate::layout::Layout;

static NAMED: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "named",
        cpu: |_| Ok(()),
    },
    inputs: &["a", "b", "c"],
    outputs: &["sums", "counts"],
    numbers: &["rows", "sigma"],
    lists: &[("rates", 2), ("ends", 1)],
};

fn arg(n: usize) -> Arg {
    Arg {
        base: std::ptr::null_mut(),
        dtype: DType::F64,
        layout: Layout::from_parts(&[n], &[1], 0),
    }
}

fn launch() -> Launch {
    Launch {
        inputs: vec![arg(1), arg(2), arg(3)],
        outputs: vec![arg(4), arg(5)],
        params: vec![
            7.into(),
            0.5.into(),
            0.25.into(),
            0.125.into(),
            (-1.0).into(),
        ],
        named: Some(&NAMED),
        ..Launch::default()
    }
}

#[test]
fn names_are_found_in_any_order() {
    let launch = launch();
    for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "b", "a"]] {
        let named = launch.by_name().unwrap();
        for name in order {
            let length = 1 + NAMED.inputs.iter().position(|n| *n == name).unwrap();
            assert_eq!(
                named.input(name).unwrap().layout.numel(),
                length,
                "{order:?}"
            );
        }
    }
    let named = launch.by_name().unwrap();
    let lengths = |args: [&Arg; 2]| args.map(|arg| arg.layout.numel());
    assert_eq!(lengths(named.inputs(["c", "a"]).unwrap()), [3, 1]);
    assert_eq!(lengths(named.outputs(["counts", "sums"]).unwrap()), [5, 4]);
    assert_eq!(named.output("counts").unwrap().layout.numel(), 5);
    assert_eq!(named.real("sigma").unwrap(), 0.5);
    assert_eq!(named.whole::<usize>("rows").unwrap(), 7);
    assert_eq!(named.list::<1>("ends").unwrap(), [-1.0]);
    assert_eq!(named.list::<2>("rates").unwrap(), [0.25, 0.125]);
}

#[test]
fn a_name_that_is_not_there_is_an_error_that_says_what_is() {
    let launch = launch();
    let named = launch.by_name().unwrap();
    let said = |e: Error| e.to_string();
    assert_eq!(
        said(named.input("sums").unwrap_err()),
        r#"named: no operand "sums" among ["a", "b", "c"]"#
    );
    assert_eq!(
        said(named.outputs(["sums", "a"]).unwrap_err()),
        r#"named: no result "a" among ["sums", "counts"]"#
    );
    assert_eq!(
        said(named.real("rates").unwrap_err()),
        r#"named: no number "rates" among ["rows", "sigma"]"#
    );
    assert_eq!(
        said(named.list::<2>("rows").unwrap_err()),
        r#"named: no list "rows" among ["rates", "ends"]"#
    );
    assert!(said(named.list::<3>("rates").unwrap_err()).contains("has 2 numbers"));
}

#[test]
fn a_number_that_does_not_fit_is_an_error() {
    let mut launch = launch();
    let whole = |launch: &Launch| launch.by_name().unwrap().whole::<u32>("rows").is_ok();
    assert!(whole(&launch));
    for number in [Scalar::Int(-1), Scalar::Int(1 << 32), Scalar::Float(7.0)] {
        launch.params[0] = number;
        assert!(!whole(&launch), "{number:?}");
    }
    launch.params[0] = true.into();
    assert!(whole(&launch));
}

#[test]
fn a_launch_has_as_many_parts_as_names() {
    let whole = launch();
    assert!(whole.by_name().is_ok());
    let fits = |change: fn(&mut Launch)| {
        let mut other = whole.clone();
        change(&mut other);
        other.by_name().is_ok()
    };
    assert!(!fits(|l| l.inputs.truncate(2)));
    assert!(!fits(|l| l.inputs.push(arg(1))));
    assert!(!fits(|l| l.outputs.truncate(1)));
    assert!(!fits(|l| l.params.truncate(4)));
    assert!(!fits(|l| l.named = None));
}
