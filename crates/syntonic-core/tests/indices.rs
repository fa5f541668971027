//! Operands that are positions along axes and have no memory: every executor computes with them what it computes with the same numbers
//! in memory, and nobody writes them there unasked.

use std::sync::{Mutex, MutexGuard, PoisonError};
use syntonic_core::fuse::interpreter::{Extent, interpret};
use syntonic_core::fuse::{Indices, Program, Role, Slot, Task, Typed, Yield, lower, lower_with};
use syntonic_core::layout::{Dims, Strides, row_major};
use syntonic_core::lazy::{Evaluation, explain, set_evaluation};
use syntonic_core::ops::create::{Endpoint, arange, eye, linspace};
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::rearrange::{tril, triu};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::prelude::*;
use syntonic_core::random::Generator;
use syntonic_core::{fuse::Prim, grad, profile};

syntonic_core::fuse! {
    /// Operands, indices among them, that meet in every way that the executors tell apart.
    MASKED(x: element, i: element, j: element) -> (element) { select(lt(i, j), x, -1.0) }
    PLACE(x: element, i: element, j: element) -> (element, element) { [i, i * 3 - j] }
    STAIRS(x: element, i: element, j: element) -> (element, row_scalar, row_scalar) {
        let y = select(lt(i, j), x, -1000.0);
        let e = exp(y - max(y));
        [e / sum(e), sum(i * j), argmax(i - j * 3)]
    }
    TOTALS(x: element, i: element, j: element) -> (row_scalar, row_scalar, row_scalar) {
        [sum(i), max(j), sum(select(lt(i, j), x, 0.0))]
    }
    SPREAD(x: element, i: row, j: row_scalar) -> (element, row_scalar) {
        [x * (i - j), sum(select(eq(i, j), x, 0.0))]
    }
}

/// How the process evaluates is the same for all of its tests.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Dice(Generator);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let mut one = [0f64];
        self.0.uniform_f64(&mut one);
        (one[0] * n as f64) as usize
    }

    fn strides(&mut self, lens: &[usize]) -> Strides {
        let mut stride = |_: &usize| match self.below(4) {
            0 => 0,
            k => (self.below(9) as isize - 4) * [1, 1, 7, 1000][k],
        };
        lens.iter().map(&mut stride).collect()
    }
}

fn offset(lens: &[usize], strides: &[isize], mut at: usize) -> isize {
    let mut sum = 0;
    for (&len, &stride) in lens.iter().zip(strides).rev() {
        sum += (at % len) as isize * stride;
        at /= len;
    }
    sum
}

/// Room for an output over the space, row-major, and its slot.
fn room(task: (&[usize], &[usize]), role: Yield, bytes: usize) -> (Vec<u64>, Slot) {
    let (outer, row) = task;
    let (rows, len): (usize, usize) = (outer.iter().product(), row.iter().product());
    let all: Dims = outer.iter().chain(row).copied().collect();
    let own = row_major(&all);
    let (n, outer, row) = match role {
        Yield::RowScalar => (rows, row_major(outer), Strides::from_elem(0, row.len())),
        _ => (
            rows * len,
            own[..outer.len()].into(),
            own[outer.len()..].into(),
        ),
    };
    let mut memory = vec![0u64; (n * bytes).div_ceil(8).max(1)];
    let address = memory.as_mut_ptr().cast();
    (
        memory,
        Slot {
            address,
            outer,
            row,
        },
    )
}

/// Runs the program over random views and compares it with its meaning.
fn compare(dice: &mut Dice, program: &Program, outer: &[usize], row: &[usize], turned: bool) {
    let dtypes = [DType::F64, DType::I64, DType::I64];
    let typed = lower_with(program, &dtypes, Indices::of([1, 2])).unwrap();
    let (rows, len): (usize, usize) = (outer.iter().product(), row.iter().product());
    let mut x = vec![0f64; (rows * len).max(1)];
    dice.0.uniform_f64(&mut x);
    let roles: Vec<Role> = program.inputs.iter().map(|i| i.role).collect();
    let of_role = |mut slot: Slot, role: Role| {
        match role {
            Role::Row => slot.outer.iter_mut().for_each(|s| *s = 0),
            Role::RowScalar => slot.row.iter_mut().for_each(|s| *s = 0),
            _ => {}
        }
        slot
    };
    let (mut first, mut second) = (row_major(outer), row_major(row));
    match turned {
        true => second.iter_mut().for_each(|s| *s *= rows as isize),
        false => first.iter_mut().for_each(|s| *s *= len as isize),
    }
    let address = x.as_mut_ptr().cast();
    let mut inputs = vec![Slot {
        address,
        outer: first,
        row: second,
    }];
    for &role in &roles[1..] {
        let start = dice.below(100) as i64 - 50;
        let slot = Slot::index(start, dice.strides(outer), dice.strides(row));
        inputs.push(of_role(slot, role));
    }
    let outputs = typed.outputs.iter();
    let made: Vec<_> = outputs
        .map(|o| room((outer, row), o.role, o.dtype.size()))
        .collect();
    let place = |k: usize, r: usize, i: usize| {
        let slot: &Slot = &inputs[k];
        offset(outer, &slot.outer, r) + offset(row, &slot.row, i)
    };
    let task = Task {
        program: &typed,
        outer: outer.into(),
        row: row.into(),
        inputs: inputs.clone(),
        outputs: made.iter().map(|(_, slot)| slot.clone()).collect(),
        params: &[],
    };
    // SAFETY: the slots lie in `x` and in the rooms, and two of them have no memory.
    unsafe { cpu().run(&task).unwrap() };
    let read = |k: usize, r: usize, i: usize| match k {
        0 => Scalar::Float(x[place(0, r, i) as usize]),
        _ => Scalar::Int(i128::from(inputs[k].start()) + place(k, r, i) as i128),
    };
    let extent = match task.has_rows() {
        true => Extent { rows, row: len },
        false => Extent {
            rows: rows * len,
            row: 1,
        },
    };
    let flat = |k: usize, r: usize, i: usize| match task.has_rows() {
        true => read(k, r, i),
        false => read(k, r / len, r % len),
    };
    let wanted = interpret(&typed, extent, &[], flat).unwrap();
    for ((output, (memory, _)), want) in typed.outputs.iter().zip(&made).zip(wanted) {
        for (at, want) in want.into_iter().enumerate() {
            let what = format!("{} over {outer:?} x {row:?} at {at}", typed.name);
            match output.dtype {
                DType::F64 => {
                    let (got, want) = (f64::from_bits(memory[at]), want.to_f64());
                    let near = (got - want).abs() <= 1e-9 * want.abs().max(1.0);
                    assert!(near, "{what}: {got}, not {want}");
                }
                _ => assert_eq!(i128::from(memory[at] as i64), want.to_i128(), "{what}"),
            }
        }
    }
}

#[test]
fn programs_compute_what_they_say() {
    let _turn = turn();
    let mut dice = Dice(Generator::new(81));
    let spaces: [(&[usize], &[usize]); 14] = [
        (&[1], &[1]),
        (&[3], &[5]),
        (&[40, 3], &[7]),
        (&[300], &[33]),
        (&[2], &[4, 100]),
        (&[5, 2], &[6, 11]),
        (&[70], &[300]),
        (&[3], &[20_000]),
        (&[1], &[70_000]),
        (&[2], &[3, 24_000]),
        (&[9], &[3000]),
        (&[130], &[20]),
        (&[130], &[300]),
        (&[16], &[40_000]),
    ];
    for (outer, row) in spaces {
        for turned in [false, true] {
            for program in [&*STAIRS, &*TOTALS, &*SPREAD] {
                compare(&mut dice, program, outer, row, turned);
            }
            for program in [&*MASKED, &*PLACE] {
                let all: Vec<usize> = outer.iter().chain(row).copied().collect();
                compare(&mut dice, program, &all, &[], turned);
            }
        }
    }
}

fn numbers(x: &Tensor) -> Vec<f64> {
    x.to_vec().unwrap()
}

fn positions(n: usize) -> Tensor {
    Tensor::arange(0, n as i64, 1).unwrap()
}

/// A view of a tensor of as many axes as its lengths, by the dice; and the same view of another one.
fn views(dice: &mut Dice, pair: [Tensor; 2]) -> [Tensor; 2] {
    let mut pair = pair;
    for _ in 0..dice.below(5) {
        let ndim = pair[0].ndim();
        let axis = dice.below(ndim);
        let len = pair[0].shape()[axis];
        let (kind, by, from) = (dice.below(5), dice.below(3) + 1, dice.below(len + 1));
        pair = pair.map(|t| match kind {
            0 => t.flip(&[axis as isize]).unwrap(),
            1 => t
                .slice(axis as isize, Some(from as isize), None, by as isize)
                .unwrap(),
            2 if ndim < 4 => t.expand_dims(&[axis as isize]).unwrap(),
            3 if len == 1 => {
                let mut shape = t.shape().to_vec();
                shape[axis] = by + 1;
                t.broadcast_to(&shape).unwrap()
            }
            _ => {
                let last = ndim as isize - 1;
                t.transpose(axis as isize, last).unwrap()
            }
        });
    }
    pair
}

#[test]
fn views_of_a_range_are_those_of_its_memory() {
    let _turn = turn();
    let mut dice = Dice(Generator::new(82));
    for round in 0..400 {
        let n = [0, 1, 2, 24, 1000, 9000, 30_000][dice.below(7)];
        let (start, step) = (dice.below(50) as i64 - 20, dice.below(7) as i64 - 8);
        let stop = start + step * n as i64;
        let range = || Tensor::arange(start, stop, step).unwrap();
        assert!(range().is_pending(), "{n}");
        let shape: &[isize] = match n {
            24 => &[2, 3, 4],
            1000 => &[10, 100],
            9000 => &[3, 3000],
            _ => &[n as isize],
        };
        let pair = [range(), range().copy().unwrap()];
        assert!(!pair[1].is_pending());
        let [index, memory] = views(&mut dice, pair.map(|t| t.reshape(shape).unwrap()));
        assert_eq!(
            numbers(&index.copy().unwrap()),
            numbers(&memory),
            "{round}: copied"
        );
        assert!(
            index.is_pending(),
            "a copy reads no memory of what it copies"
        );
        for prim in [Prim::Mul, Prim::Lt] {
            let with = |t: &Tensor| apply(prim, &[t.into(), Arg::from(5)]).unwrap();
            assert_eq!(
                numbers(&with(&index)),
                numbers(&with(&memory)),
                "{round}: {prim:?}"
            );
        }
        let float = |t: &Tensor| (t * 0.5 + t).exp().unwrap();
        assert_eq!(numbers(&float(&index)), numbers(&float(&memory)), "{round}");
        for axis in 0..index.ndim() {
            let sum = |t: &Tensor| reduce::sum(t, &Over::axes(&[axis as isize]), None).unwrap();
            assert_eq!(
                numbers(&sum(&index)),
                numbers(&sum(&memory)),
                "{round}: sum"
            );
        }
        assert!(
            index.is_pending(),
            "{round}: {:?} was written",
            index.layout()
        );
        let read = index.eval().unwrap();
        assert!(!index.is_pending() && read.shares_storage(&index));
        assert_eq!(numbers(&index), numbers(&memory), "{round}: read");
    }
}

/// What `work` gives when every operation is computed at once.
fn eagerly(work: impl FnOnce() -> Tensor) -> Tensor {
    let before = set_evaluation(Evaluation::Eager);
    let out = work().eval().unwrap();
    set_evaluation(before);
    out
}

#[test]
fn ranges_lines_and_eyes_have_the_bits_that_memory_has() {
    let _turn = turn();
    let types = [
        DType::I8,
        DType::U8,
        DType::I16,
        DType::I32,
        DType::U32,
        DType::I64,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
    ];
    for dtype in types {
        for n in [0usize, 1, 100, 9001, 40_000] {
            let fits = !dtype.is_integer() || dtype.size() >= 4 || n <= 100;
            let bits =
                |t: &Tensor| -> Vec<u64> { numbers(t).into_iter().map(f64::to_bits).collect() };
            let same = |what: &str, work: &dyn Fn() -> Tensor| {
                let (later, now) = (work(), eagerly(work));
                assert_eq!(bits(&later), bits(&now), "{what} {dtype} {n}");
            };
            let integers = || {
                arange(
                    3.into(),
                    (3 + n as i64).into(),
                    1.into(),
                    Some(dtype),
                    &cpu(),
                )
                .unwrap()
            };
            if fits {
                same("range", &integers);
            }
            if dtype.is_float() {
                let stop = 0.7 + 0.1 * n as f64;
                same("floats", &|| {
                    arange(0.7.into(), stop.into(), 0.1.into(), Some(dtype), &cpu()).unwrap()
                });
                for endpoint in [Endpoint::Included, Endpoint::Excluded] {
                    same("line", &|| {
                        linspace(0.1.into(), 3.into(), n, endpoint, Some(dtype), &cpu()).unwrap()
                    });
                }
            }
        }
        for k in [-200, -1, 0, 3, isize::MAX, isize::MIN] {
            let work = || eye(120, 110, k, dtype, &cpu()).unwrap();
            assert!(work().is_pending());
            assert_eq!(numbers(&work()), numbers(&eagerly(work)), "{dtype} {k}");
        }
    }
}

#[test]
fn a_causal_softmax_reads_its_scores_alone() {
    let _turn = turn();
    let n = 200;
    let mut level = vec![0f64; n * n];
    Generator::new(83).uniform_f64(&mut level);
    let x = Tensor::from_vec(level.clone(), &[n, n]).unwrap();
    let (i, j) = (positions(n).expand_dims(&[1]).unwrap(), positions(n));
    let seen = i.greater_equal(&j).unwrap();
    let hidden = Arg::from(f64::NEG_INFINITY);
    let y = apply(Prim::Select, &[(&seen).into(), (&x).into(), hidden]).unwrap();
    let last = || Over::axes(&[-1]).keep();
    let e = y
        .try_sub(&reduce::max(&y, &last()).unwrap())
        .unwrap()
        .exp()
        .unwrap();
    let p = e.try_div(&reduce::sum(&e, &last(), None).unwrap()).unwrap();
    let text = explain(&p).unwrap();
    let words = format!("reads {} bytes", n * n * 8);
    assert!(
        text.contains(&words) && text.contains("an index 0 + 1·i0"),
        "{text}"
    );
    let recording = profile::start();
    let got = numbers(&p);
    let profile = recording.finish().unwrap();
    let bytes: usize = profile.lines.iter().map(|l| l.bytes).sum();
    assert_eq!((profile.launches(), bytes), (1, 2 * n * n * 8));
    assert!(i.is_pending() && j.is_pending());
    for r in 0..n {
        let terms: Vec<f64> = (0..=r).map(|c| level[r * n + c].exp()).collect();
        let total: f64 = terms.iter().sum();
        for c in 0..n {
            let want = if c <= r { terms[c] / total } else { 0.0 };
            assert!((got[r * n + c] - want).abs() < 1e-14, "{r} {c}");
        }
    }
}

#[test]
fn a_sum_up_to_a_place() {
    let _turn = turn();
    let n = 100_000;
    let x = Tensor::arange(0.0, n as f64, 1.0).unwrap().eval().unwrap();
    let some = positions(n)
        .less(&Tensor::scalar(1000, DType::I64).unwrap())
        .unwrap();
    let y = apply(Prim::Select, &[(&some).into(), (&x).into(), Arg::from(0.0)]).unwrap();
    assert_eq!(
        y.sum(..).unwrap().to_scalar::<f64>().unwrap(),
        999.0 * 500.0
    );
    let alone = positions(n).sum(..).unwrap();
    assert_eq!(alone.to_scalar::<i64>().unwrap(), 99_999 * 50_000);
}

#[test]
fn triangles_read_their_operand_alone() {
    let _turn = turn();
    let n = 150usize;
    let x = Tensor::arange(0.0, (n * n) as f64, 1.0).unwrap();
    let x = x.reshape(&[n as isize, n as isize]).unwrap();
    let x = x.eval().unwrap();
    for k in [-200, -3, 0, 5, 200] {
        for (upper, t) in [(false, tril(&x, k).unwrap()), (true, triu(&x, k).unwrap())] {
            let text = explain(&t).unwrap();
            assert!(text.contains("an index"), "{text}");
            for (at, v) in numbers(&t).into_iter().enumerate() {
                let (row, col) = ((at / n) as i64, (at % n) as i64);
                let kept = if upper {
                    col - k >= row
                } else {
                    col - k <= row
                };
                assert_eq!(v, if kept { at as f64 } else { 0.0 });
            }
        }
    }
}

#[test]
fn what_is_written_later_changes_no_expression() {
    let _turn = turn();
    let n = 20_000;
    let mut range = positions(n);
    let twice = &range * 2;
    let view = range.slice(0, Some(5), None, 1).unwrap();
    range
        .assign(&Tensor::scalar(7, DType::I64).unwrap())
        .unwrap();
    let after = &range * 2;
    assert_eq!(numbers(&twice)[100], 200.0);
    assert_eq!(numbers(&after)[100], 14.0);
    assert_eq!(numbers(&view)[0], 5.0, "a value");
    let range = positions(n);
    let before = &range + 1;
    assert_eq!(numbers(&range)[3], 3.0);
    let read = &range + 1;
    assert_eq!((numbers(&before)[3], numbers(&read)[3]), (4.0, 4.0));
    assert!(range.shares_storage(&range.slice(0, Some(1), None, 1).unwrap()));
    assert!(!range.shares_storage(&positions(n)));
}

#[test]
fn a_graph_has_positions_and_no_memory_of_them() {
    let _turn = turn();
    let n = 10_000;
    let outside = positions(n);
    let x = Tensor::ones(&[n], DType::F64).unwrap();
    let graph = Graph::capture(&[&x], |own| {
        let inside = positions(n);
        Ok(vec![own[0] * &outside + &inside, outside.clone(), inside])
    })
    .unwrap();
    let out = graph.replay(&[&(&x * 2.0)]).unwrap();
    assert_eq!(numbers(&out[0])[100], 300.0);
    assert_eq!((numbers(&out[1])[99], numbers(&out[2])[98]), (99.0, 98.0));
    assert_eq!(numbers(&outside)[7], 7.0);
}

#[test]
fn no_slope_goes_to_a_position() {
    let _turn = turn();
    let n = 9000;
    let x = Tensor::ones(&[n], DType::F64).unwrap();
    let weights = positions(n);
    let slopes = grad::grad(|v| v[0].try_mul(&weights)?.try_mul(&v[0])?.sum(..), &[&x]).unwrap();
    assert_eq!(numbers(&slopes[0])[10], 20.0);
    assert!(weights.is_pending());
}

#[test]
fn numbers_that_no_address_has_are_in_memory() {
    let _turn = turn();
    let top = i64::MAX - 3;
    let range = Tensor::arange(top, i64::MAX, 1).unwrap();
    assert!(!range.is_pending());
    assert_eq!(range.to_vec::<i64>().unwrap(), [top, top + 1, top + 2]);
    let far = Tensor::arange(-(1i64 << 55), 1i64 << 55, 1i64 << 54).unwrap();
    assert!(far.is_pending());
    assert_eq!((&far + 1).to_vec::<i64>().unwrap()[0], 1 - (1i64 << 55));
}

#[test]
fn programs_without_indices_are_as_before() {
    let _turn = turn();
    let dtypes = [DType::F64, DType::I64, DType::I64];
    let (with, without): (Typed, Typed) = (
        lower_with(&MASKED, &dtypes, Indices::default()).unwrap(),
        lower(&MASKED, &dtypes).unwrap(),
    );
    assert_eq!(with, without);
    let one = lower_with(&MASKED, &dtypes, Indices::of([2])).unwrap();
    assert!(one != with && one.indices() == Indices::of([2]));
}
