//! Reductions that wait: what is read later is what one call after another gives.

#[path = "lazy_random/graph/each.rs"]
mod each;

use each::Each;
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::explain;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Result, Scalar, Tensor};

/// What happens to each result of a call: nothing, or it is computed at once.
type See<'a> = &'a dyn Fn(Tensor) -> Tensor;

fn later(t: Tensor) -> Tensor {
    t
}

fn at_once(t: Tensor) -> Tensor {
    t.eval().unwrap()
}

fn two(prim: Prim, a: &Tensor, b: &Tensor) -> Tensor {
    apply(prim, &[a.into(), b.into()]).unwrap()
}

fn one(prim: Prim, a: &Tensor) -> Tensor {
    apply(prim, &[a.into()]).unwrap()
}

fn number(prim: Prim, a: &Tensor, x: f64) -> Tensor {
    apply(prim, &[a.into(), Arg::from(x)]).unwrap()
}

fn last() -> Over {
    Over::axes(&[-1]).keep()
}

/// Numbers around 1, so that nothing cancels; small whole numbers as integers, both truths as `bool`.
fn draw(shape: &[usize], dtype: DType, seed: u64) -> Tensor {
    let n: usize = shape.iter().product();
    let mut level = vec![0f64; n];
    Generator::new(seed).uniform_f64(&mut level);
    let value = |u: &f64| match dtype {
        DType::Bool => f64::from(u8::from(*u < 0.9)),
        d if d.is_integer() => (u * 5.0).floor() + 1.0,
        _ => 0.9 + 0.2 * u,
    };
    let values: Vec<f64> = level.iter().map(value).collect();
    at_once(
        Tensor::from_vec(values, shape)
            .unwrap()
            .cast(dtype)
            .unwrap(),
    )
}

fn values(t: &Tensor) -> Vec<f64> {
    t.eval().unwrap().to_vec::<f64>().unwrap()
}

/// Half the distance of 1 to the next number.
fn unit(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f64::powi(2.0, -11),
        DType::F32 => f64::powi(2.0, -24),
        _ => f64::powi(2.0, -53),
    }
}

/// Equal up to `units` roundings of the largest; 0 wants the same bits.
fn agree(got: &Tensor, want: &Tensor, units: f64, what: &str) {
    assert_eq!(got.shape(), want.shape(), "{what}");
    assert_eq!(got.dtype(), want.dtype(), "{what}");
    let largest = values(want).iter().fold(0f64, |m, v| m.max(v.abs()));
    let bound = units * unit(got.dtype()) * largest;
    for (k, (g, w)) in values(got).iter().zip(values(want)).enumerate() {
        let same = g.to_bits() == w.to_bits() || (g.is_nan() && w.is_nan());
        assert!(
            same || (g - w).abs() <= bound,
            "{what}, element {k}: {g} is not {w}"
        );
    }
}

type Reduce = fn(&Tensor, &Over) -> Result<Tensor>;

/// Every reduction, and whether every order gives the same bits.
const REDUCTIONS: [(&str, Reduce, bool); 16] = [
    ("sum", |x, over| reduce::sum(x, over, None), false),
    ("prod", |x, over| reduce::prod(x, over, None), false),
    ("min", reduce::min, true),
    ("max", reduce::max, true),
    ("mean", reduce::mean, false),
    ("var", |x, over| reduce::var(x, over, 1.0), false),
    ("std", |x, over| reduce::std(x, over, 0.0), false),
    ("norm 2", |x, over| reduce::norm(x, 2.0, over), false),
    ("norm 3", |x, over| reduce::norm(x, 3.0, over), false),
    (
        "norm inf",
        |x, over| reduce::norm(x, f64::INFINITY, over),
        true,
    ),
    ("logsumexp", reduce::logsumexp, false),
    ("any", reduce::any, true),
    ("all", reduce::all, true),
    ("argmin", reduce::argmin, true),
    ("argmax", reduce::argmax, true),
    ("count_nonzero", reduce::count_nonzero, true),
];

/// Something element-wise that keeps numbers around 1.
fn around(x: &Tensor) -> Tensor {
    match x.dtype() {
        DType::Bool => one(Prim::Not, x),
        d if d.is_integer() => apply(Prim::Add, &[x.into(), Arg::from(1i64)]).unwrap(),
        _ => one(Prim::Sqrt, x),
    }
}

/// The reduction before, after or between element-wise work over the same rows.
fn placed(place: usize, x: &Tensor, f: Reduce, axes: &[isize], keep: bool, see: See) -> Tensor {
    let start = if place == 0 {
        x.clone()
    } else {
        see(around(x))
    };
    let over = Over::axes(axes);
    let folded = if keep {
        see(f(&start, &over.keep()).unwrap())
    } else {
        see(f(&start, &over).unwrap())
    };
    match (place, keep) {
        (1, _) => folded,
        (_, true) => see(two(Prim::Max, &start, &folded)),
        (_, false) => see(two(Prim::Max, &start, &folded.expand_dims(axes).unwrap())),
    }
}

#[test]
fn every_reduction_at_every_place() {
    let _each = Each::begin();
    let shape = [12, 40, 30];
    for dtype in [DType::F16, DType::F32, DType::F64, DType::I32, DType::Bool] {
        let x = draw(&shape, dtype, 1);
        for (name, f, exact) in REDUCTIONS {
            for axes in [&[-1isize][..], &[0], &[0, 2]] {
                for place in 0..3 {
                    for keep in [true, false] {
                        let what =
                            format!("{name} of {dtype} over {axes:?}, place {place}, {keep}");
                        let truth = f(&x, &Over::axes(axes)).unwrap().dtype().is_bool();
                        if dtype.is_bool() && truth && place != 1 {
                            continue; // There is no larger one of two truths.
                        }
                        let run = |see: See| placed(place, &x, f, axes, keep, see);
                        let lazy = run(&later);
                        assert!(lazy.is_pending(), "{what}");
                        // Both sums are off by a tree of eight in the element's own type, and half of a result's
                        // rounding may go the other way.
                        let units = if exact { 0.0 } else { 16.0 };
                        agree(&lazy, &run(&at_once), units, &what);
                    }
                }
            }
        }
    }
}

fn softmax(x: &Tensor, see: See) -> Tensor {
    let m = see(reduce::max(x, &last()).unwrap());
    let e = see(one(Prim::Exp, &see(two(Prim::Sub, x, &m))));
    let s = see(reduce::sum(&e, &last(), None).unwrap());
    see(two(Prim::Div, &e, &s))
}

fn rms_norm(x: &Tensor, see: See) -> Tensor {
    let m = see(reduce::mean(&see(one(Prim::Square, x)), &last()).unwrap());
    let root = see(one(Prim::Sqrt, &see(number(Prim::Add, &m, 1e-5))));
    see(two(Prim::Div, x, &root))
}

fn layer_norm(x: &Tensor, see: See) -> Tensor {
    let mean = see(reduce::mean(x, &last()).unwrap());
    let var = see(reduce::var(x, &last(), 0.0).unwrap());
    let root = see(one(Prim::Rsqrt, &see(number(Prim::Add, &var, 1e-5))));
    see(two(Prim::Mul, &see(two(Prim::Sub, x, &mean)), &root))
}

fn logsumexp(x: &Tensor, see: See) -> Tensor {
    let m = see(reduce::max(x, &Over::axes(&[-1])).unwrap());
    let d = see(two(Prim::Sub, x, &m.expand_dims(&[-1]).unwrap()));
    let s = see(reduce::sum(&see(one(Prim::Exp, &d)), &Over::axes(&[-1]), None).unwrap());
    see(two(Prim::Add, &see(one(Prim::Log, &s)), &m))
}

#[test]
fn what_is_written_over_rows_is_one_program() {
    let norms = [softmax, rms_norm, layer_norm, logsumexp];
    for shape in [[50, 300], [3, 9000], [700, 20]] {
        for dtype in [DType::F32, DType::F64] {
            let x = draw(&shape, dtype, 2);
            for (k, norm) in norms.iter().enumerate() {
                let lazy = norm(&x, &later);
                let text = explain(&lazy).unwrap();
                assert!(text.contains("one program over the rows"), "{text}");
                assert!(text.contains("1 inputs, 1 outputs"), "{k} {text}");
                assert!(!text.contains("computed first"), "{text}");
                // A mean's error stays in the difference from it, which is a tenth of the mean.
                agree(
                    &lazy,
                    &norm(&x, &at_once),
                    400.0,
                    &format!("{k} {dtype} {shape:?}"),
                );
            }
        }
    }
}

#[test]
fn half_types_are_rounded_by_each_call_where_that_is_asked_for() {
    let _each = Each::begin();
    // Sums of small whole numbers are exact, so every bit is settled by the rounding of the calls.
    for dtype in [DType::F16, DType::BF16] {
        let x = draw(&[64, 200], DType::I32, 3).cast(dtype).unwrap();
        let x = at_once(x);
        let run = |see: See| {
            let mean = see(reduce::mean(&x, &last()).unwrap());
            let d = see(two(Prim::Sub, &x, &mean));
            let top = see(reduce::max(&see(one(Prim::Abs, &d)), &last()).unwrap());
            let y = see(two(Prim::Div, &d, &top));
            let low = see(reduce::min(&y, &last()).unwrap());
            let some = see(reduce::any(&see(number(Prim::Gt, &y, 0.5)), &last()).unwrap());
            see(apply(Prim::Select, &[(&some).into(), (&y).into(), (&low).into()]).unwrap())
        };
        agree(&run(&later), &run(&at_once), 0.0, dtype.name());
    }
}

#[test]
fn a_written_operand_was_read_before() {
    let x = draw(&[40, 500], DType::F32, 4);
    let run = |see: See| {
        let m = see(reduce::max(&x, &last()).unwrap());
        let d = see(two(Prim::Sub, &x, &m));
        let s = see(reduce::sum(&d, &Over::axes(&[-1]), None).unwrap());
        [m, d, s]
    };
    let (lazy, want) = (run(&later), run(&at_once));
    assert!(lazy.iter().all(Tensor::is_pending));
    // SAFETY: this test is the only user of the memory.
    unsafe { x.assign_aliased(&Tensor::scalar(7.0, DType::F32).unwrap()) }.unwrap();
    for (got, want) in lazy.iter().zip(&want) {
        agree(got, want, 16.0 * 500.0, "written later");
    }
    assert_eq!(values(&x)[0], 7.0);
}

#[test]
fn lent_memory_is_read_at_once() {
    let x = draw(&[40, 500], DType::F32, 5);
    let before = reduce::max(&x, &last()).unwrap();
    let buffer = x.buffer().unwrap();
    buffer.lend().unwrap();
    assert!(
        !before.is_pending(),
        "it was computed before anybody outside could write"
    );
    assert!(!reduce::max(&x, &last()).unwrap().is_pending());
    buffer.take_back();
    assert!(reduce::max(&x, &last()).unwrap().is_pending());
}

#[test]
fn what_two_wait_for_is_written_once() {
    let x = draw(&[40, 500], DType::F64, 6);
    let m = reduce::max(&x, &last()).unwrap();
    let (a, b) = (two(Prim::Sub, &x, &m), two(Prim::Div, &x, &m));
    let first = values(&a);
    assert!(
        !m.is_pending(),
        "m was written along with a, because b waits for it"
    );
    let (v, top) = (values(&x), values(&m));
    for (k, (got, quotient)) in first.iter().zip(values(&b)).enumerate() {
        assert_eq!(*got, v[k] - top[k / 500]);
        assert_eq!(quotient, v[k] / top[k / 500]);
    }
}

#[test]
fn what_is_computed_again_is_written() {
    let x = draw(&[40, 500], DType::F64, 20);
    let y = one(Prim::Exp, &x);
    let (low, high) = (reduce::min(&y, &Over::all()), reduce::max(&y, &Over::all()));
    assert!(!y.is_pending(), "the second reading wrote it");
    let want = values(&y);
    let least = want.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = want.iter().copied().fold(0.0, f64::max);
    assert_eq!(values(&low.unwrap()), [least]);
    assert_eq!(values(&high.unwrap()), [largest]);
}

#[test]
fn threads_that_read_the_same_see_the_same() {
    let x = draw(&[60, 500], DType::F32, 7);
    for _ in 0..20 {
        let y = softmax(&x, &later);
        let z = reduce::max(&y, &last()).unwrap();
        let read = |t: &Tensor| values(t);
        let (a, b) = std::thread::scope(|s| {
            let one = s.spawn(|| (read(&y), read(&z)));
            let two = s.spawn(|| (read(&z), read(&y)));
            let ((a, b), (c, d)) = (one.join().unwrap(), two.join().unwrap());
            assert_eq!(a, d);
            assert_eq!(b, c);
            (a, b)
        });
        assert_eq!((a.len(), b.len()), (30_000, 60));
    }
}

#[test]
fn another_set_of_axes_is_computed_first() {
    let x = draw(&[120, 200], DType::F64, 8);
    let run = |see: See| {
        let rows = see(reduce::max(&x, &last()).unwrap());
        let columns = see(reduce::min(&x, &Over::axes(&[0])).unwrap());
        let d = see(two(Prim::Sub, &x, &rows));
        see(two(Prim::Mul, &d, &columns))
    };
    let lazy = run(&later);
    let text = explain(&lazy).unwrap();
    assert!(
        text.contains("along axes [1]") && text.contains("it is a reduction over other axes"),
        "{text}"
    );
    agree(&lazy, &run(&at_once), 0.0, "two sets of axes");
    // The sum over columns of what was divided by rows.
    let run = |see: See| {
        let d = see(two(Prim::Sub, &x, &see(reduce::max(&x, &last()).unwrap())));
        see(reduce::min(&d, &Over::axes(&[0])).unwrap())
    };
    agree(&run(&later), &run(&at_once), 0.0, "columns of rows");
}

/// Another look at a tensor, or what is made of it.
type View<'a> = &'a dyn Fn(&Tensor) -> Tensor;

#[test]
fn a_view_in_another_order_is_computed_first() {
    let x = draw(&[120, 120], DType::F64, 9);
    let run = |view: View, see: See| {
        let y = see(two(Prim::Sub, &x, &see(reduce::max(&x, &last()).unwrap())));
        see(two(Prim::Add, &x, &view(&y)))
    };
    let turned = |y: &Tensor| y.transpose(0, 1).unwrap();
    let flipped = |y: &Tensor| y.flip(&[1]).unwrap();
    let first = |y: &Tensor| y.slice(0, Some(0), Some(1), 1).unwrap();
    let across = |y: &Tensor| reduce::max(y, &Over::axes(&[1])).unwrap();
    let same = |y: &Tensor| y.expand_dims(&[0]).unwrap().squeeze(&[0]).unwrap();
    let wide = |y: &Tensor| y.expand_dims(&[1]).unwrap().squeeze(&[1]).unwrap();
    let views: [(View, bool); 6] = [
        (&turned, true),
        (&flipped, true),
        (&first, true),
        (&across, true),
        (&same, false),
        (&wide, false),
    ];
    for (k, (view, cut)) in views.into_iter().enumerate() {
        let lazy = run(view, &later);
        let text = explain(&lazy).unwrap();
        assert_eq!(text.contains("computed first"), cut, "{k} {text}");
        agree(&lazy, &run(view, &at_once), 0.0, &format!("view {k}"));
    }
}

#[test]
fn operands_lie_as_they_like() {
    let base = draw(&[40, 30, 50], DType::F32, 10);
    let column = draw(&[40, 1, 50], DType::F32, 11);
    let scalars = draw(&[30, 40], DType::F32, 12);
    let operands = [
        base.permute(&[2, 0, 1]).unwrap(),
        base.slice(1, None, None, -2).unwrap(),
        column.broadcast_to(&[40, 30, 50]).unwrap(),
        scalars
            .transpose(0, 1)
            .unwrap()
            .expand_dims(&[2])
            .unwrap()
            .broadcast_to(&[40, 30, 50])
            .unwrap(),
        base.select(0, 3)
            .unwrap()
            .broadcast_to(&[12, 30, 50])
            .unwrap(),
    ];
    for (k, x) in operands.iter().enumerate() {
        for axes in [&[-1isize][..], &[0], &[1], &[0, 2], &[1, 2]] {
            let run = |see: See| {
                let m = see(reduce::max(x, &Over::axes(axes).keep()).unwrap());
                let low = see(
                    reduce::min(&see(two(Prim::Sub, &m, x)), &Over::axes(axes).keep()).unwrap(),
                );
                see(two(Prim::Add, &see(two(Prim::Sub, x, &m)), &low))
            };
            agree(
                &run(&later),
                &run(&at_once),
                0.0,
                &format!("operand {k} over {axes:?}"),
            );
        }
    }
    // A value per row, read with rows and alone, and rows of it.
    let x = base.select(0, 0).unwrap();
    let bias = draw(&[30, 1], DType::F32, 13);
    let x = at_once(two(
        Prim::Add,
        &x.broadcast_to(&[20, 30, 50]).unwrap(),
        &bias,
    ));
    let run = |see: See| {
        let m = see(reduce::max(&x, &last()).unwrap());
        let m = see(two(Prim::Mul, &m, &bias));
        let flat = see(two(
            Prim::Add,
            &m.broadcast_to(&[20, 30, 50]).unwrap(),
            &bias,
        ));
        let again = see(reduce::max(&flat, &last()).unwrap());
        see(two(Prim::Sub, &x, &again))
    };
    agree(&run(&later), &run(&at_once), 0.0, "rows of one value");
}

#[test]
fn rows_of_nothing_and_of_one() {
    let x = Tensor::zeros(&[30_000, 0], DType::F32).unwrap();
    assert_eq!(
        values(&reduce::sum(&x, &last(), None).unwrap()),
        vec![0.0; 30_000]
    );
    assert!(matches!(
        reduce::max(&x, &last()),
        Err(Error::EmptyReduction { op: "max", .. })
    ));
    let x = draw(&[30_000, 1], DType::F32, 14);
    for (name, f, _) in REDUCTIONS {
        let m = f(&one(Prim::Neg, &x), &last()).unwrap();
        assert_eq!(m.shape(), [30_000, 1], "{name}");
    }
    let c = x.cast(DType::C64).unwrap();
    assert!(matches!(
        reduce::max(&c, &Over::axes(&[0])),
        Err(Error::DType { op: "max", .. })
    ));
    assert!(matches!(
        reduce::max(&x, &Over::axes(&[2])),
        Err(Error::Axis { op: "max", .. })
    ));
}

#[test]
fn a_loss_is_computed_at_once_with_what_it_reads() {
    let (x, y) = (
        draw(&[200, 100], DType::F64, 15),
        draw(&[200, 100], DType::F64, 16),
    );
    let d = two(Prim::Sub, &x, &y);
    let loss = reduce::mean(&one(Prim::Square, &d), &Over::all()).unwrap();
    assert!(!loss.is_pending() && d.is_pending());
    let want: f64 = values(&x)
        .iter()
        .zip(values(&y))
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    let got = loss.item().unwrap().to_f64();
    assert!((got * 20_000.0 - want).abs() <= 1e-13 * want);
    assert!(matches!(
        reduce::argmax(&x, &Over::all()).unwrap().item().unwrap(),
        Scalar::Int(_)
    ));
}

#[test]
fn shared_expressions_count_once() {
    let x = draw(&[100, 100], DType::F64, 17);
    let mut y = x.clone();
    for _ in 0..20 {
        y = number(Prim::Mul, &two(Prim::Add, &y, &y), 0.5);
    }
    let text = explain(&y).unwrap();
    assert!(text.contains("40 expressions fused"), "{text}");
    agree(&y, &x, 0.0, "doubled and halved");
    for _ in 0..200 {
        y = number(
            Prim::Mul,
            &two(Prim::Add, &y, &reduce::max(&y, &last()).unwrap()),
            0.5,
        );
    }
    let top = values(&reduce::max(&x, &last()).unwrap());
    assert!(
        values(&y)
            .iter()
            .enumerate()
            .all(|(k, v)| (v - top[k / 100]).abs() < 1e-12)
    );
}

/// Each step is computed within the reading of the next one, so that a loop that reads nothing would use up the stack.
#[test]
fn loops_through_views_are_bounded() {
    let steps = 3000;
    let mut turned = draw(&[9000], DType::F32, 18);
    let first = values(&turned);
    let mut shrunk = at_once(Tensor::zeros(&[9000 + steps], DType::F64).unwrap());
    let mut laid = draw(&[95, 96], DType::F64, 19);
    let top = values(&laid).into_iter().fold(0.0, f64::max);
    for _ in 0..steps {
        turned = number(Prim::Max, &turned.flip(&[0]).unwrap(), 0.5);
        let (left, right) = (
            shrunk.slice(0, Some(1), None, 1),
            shrunk.slice(0, None, Some(-1), 1),
        );
        shrunk = number(
            Prim::Add,
            &two(Prim::Max, &left.unwrap(), &right.unwrap()),
            1.0,
        );
        let over = Over::axes(&[0]).keep();
        laid = two(
            Prim::Max,
            &laid.transpose(0, 1).unwrap(),
            &reduce::max(&laid.transpose(0, 1).unwrap(), &over).unwrap(),
        );
    }
    assert!(turned.is_pending() && shrunk.is_pending());
    assert_eq!(values(&turned), first);
    assert_eq!(values(&shrunk), vec![steps as f64; 9000]);
    assert_eq!(values(&laid), vec![top; 95 * 96]);
}

/// A choice below `n`.
fn below(g: &mut Generator, n: usize) -> usize {
    let mut u = [0f64];
    g.uniform_f64(&mut u);
    (u[0] * n as f64) as usize
}

#[test]
fn random_expressions() {
    let _each = Each::begin();
    let shape = [20usize, 30, 25];
    let sets: [&[isize]; 5] = [&[-1], &[0], &[1, 2], &[0, 2], &[1]];
    for seed in 0..300 {
        let mut g = Generator::new(seed);
        let dtype = [DType::F64, DType::F32, DType::F16][below(&mut g, 3)];
        let leaf = |k: u64| draw(&shape, dtype, 100 + k);
        let mut pairs: Vec<(Tensor, Tensor)> = (0..2).map(|k| (leaf(k), leaf(k))).collect();
        let few = below(&mut g, 2) == 0;
        for _ in 0..12 {
            let at = below(&mut g, pairs.len());
            let (a, x) = pairs[at].clone();
            let (b, y) = pairs[below(&mut g, pairs.len())].clone();
            let axes = sets[if few { 0 } else { below(&mut g, sets.len()) }];
            let keep = below(&mut g, 2) == 0;
            let choice = below(&mut g, 8);
            let call = |a: &Tensor, b: &Tensor, see: See| -> Tensor {
                let over = Over::axes(axes);
                let over = if keep { over.keep() } else { over };
                let fold = |f: Reduce| {
                    let out = see(f(a, &over).unwrap());
                    if keep {
                        out
                    } else {
                        out.expand_dims(axes).unwrap()
                    }
                };
                match choice {
                    0 => see(number(Prim::Mul, &see(two(Prim::Add, a, b)), 0.5)),
                    1 => see(one(Prim::Sqrt, &see(two(Prim::Mul, a, b)))),
                    2 => see(two(Prim::Max, a, b)),
                    3 => see(two(Prim::Min, a, b)),
                    4 => fold(reduce::mean),
                    5 => fold(reduce::max),
                    6 => fold(reduce::min),
                    _ => see(two(
                        Prim::Max,
                        &see(two(Prim::Min, a, &fold(reduce::mean))),
                        b,
                    )),
                }
            };
            // Reductions go over whole tensors only: those of results have rows of one element.
            let whole = a.shape() == shape;
            if choice >= 4 && !whole {
                continue;
            }
            let pair = (call(&a, &b, &later), call(&x, &y, &at_once));
            if below(&mut g, 6) == 0 {
                pair.0.eval().unwrap();
            }
            if below(&mut g, 4) == 0 && pairs.len() > 3 {
                pairs.remove(at);
            }
            pairs.push(pair);
        }
        for (k, (got, want)) in pairs.iter().enumerate().rev() {
            // Each of twelve calls adds a rounding or two, and no call makes an error larger.
            agree(got, want, 40.0, &format!("seed {seed}, {dtype}, {k}"));
        }
    }
}
