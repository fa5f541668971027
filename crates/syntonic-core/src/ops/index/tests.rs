//! Indexing against its definition: for each position of the result, where its element comes from.

use super::*;
use crate::dtype::DType;
use crate::layout::{Dims, Span, broadcast_pair};
use crate::ops::index;
use crate::ops::samples::{Dice, INTEGERS, flat, ints, positions, scattered, shares_buffer};

/// One axis of the tensor, or a new one, as the definition sees it.
enum Part {
    New,
    Keep(Vec<usize>),
    /// Shape and positions; counts as an array.
    Array(Vec<usize>, Vec<usize>),
    /// A mask without axes: an array of zeros that stands for no axis.
    Truth(usize),
}

fn wrap(i: i64, len: usize) -> usize {
    (if i < 0 { i + len as i64 } else { i }) as usize
}

fn parts(shape: &[usize], items: &[IndexItem]) -> Vec<Part> {
    let used: usize = items
        .iter()
        .map(|i| match i {
            IndexItem::Mask(t) => t.ndim(),
            IndexItem::Ellipsis | IndexItem::NewAxis => 0,
            _ => 1,
        })
        .sum();
    let mut axis = 0;
    let mut out = Vec::new();
    let mut items = items.to_vec();
    if !items.iter().any(|i| matches!(i, IndexItem::Ellipsis)) {
        items.push(IndexItem::Ellipsis);
    }
    for item in &items {
        match item {
            IndexItem::Int(i) => out.push(Part::Array(vec![], vec![wrap(*i, shape[axis])])),
            IndexItem::Slice { start, stop, step } => {
                let s = Span::new("test", *start, *stop, *step, shape[axis]).unwrap();
                let at = |k| (s.start as isize + k as isize * s.step) as usize;
                out.push(Part::Keep((0..s.len).map(at).collect()));
            }
            IndexItem::NewAxis => out.push(Part::New),
            IndexItem::Ellipsis => {
                // Stands between its neighbours even where it stands for no axis.
                for _ in used..shape.len() {
                    out.push(Part::Keep((0..shape[axis]).collect()));
                    axis += 1;
                }
                continue;
            }
            IndexItem::Array(t) => {
                let values = t.to_vec::<i64>().unwrap();
                let at = values.iter().map(|&i| wrap(i, shape[axis])).collect();
                out.push(Part::Array(t.shape().to_vec(), at));
            }
            IndexItem::Mask(t) => {
                let truth = t.to_vec::<bool>().unwrap();
                let all = positions(t.shape());
                let chosen: Vec<&Vec<usize>> = all
                    .iter()
                    .zip(&truth)
                    .filter(|p| *p.1)
                    .map(|p| p.0)
                    .collect();
                if t.ndim() == 0 {
                    out.push(Part::Truth(chosen.len()));
                }
                for a in 0..t.ndim() {
                    let at = chosen.iter().map(|p| p[a]).collect();
                    out.push(Part::Array(vec![chosen.len()], at));
                }
                axis += t.ndim();
                continue;
            }
        }
        if !matches!(item, IndexItem::NewAxis) {
            axis += 1;
        }
    }
    out
}

/// True where only neighbours are arrays (an integer counts as one).
fn neighbours(items: &[IndexItem]) -> bool {
    let is = |i: &IndexItem| {
        matches!(
            i,
            IndexItem::Int(_) | IndexItem::Array(_) | IndexItem::Mask(_)
        )
    };
    let first = items.iter().position(is).unwrap();
    let last = items.iter().rposition(is).unwrap();
    items[first..=last].iter().all(is)
}

/// The shape of `x[items]` and the row-major number of each selected element.
fn definition(shape: &[usize], items: &[IndexItem]) -> (Vec<usize>, Vec<usize>) {
    let parts = parts(shape, items);
    let advanced = items
        .iter()
        .any(|i| matches!(i, IndexItem::Array(_) | IndexItem::Mask(_)));
    let mut common = Dims::new();
    for part in &parts {
        match part {
            Part::Array(s, _) => common = broadcast_pair(&common, s).unwrap(),
            Part::Truth(n) => common = broadcast_pair(&common, &[*n]).unwrap(),
            _ => {}
        }
    }
    let is_array = |p: &Part| matches!(p, Part::Array(..) | Part::Truth(_));
    let before = match parts.iter().position(is_array) {
        Some(first) if advanced && neighbours(items) => first,
        _ => 0,
    };
    // The result's axes: kept and new ones in order, with the common ones put in.
    let mut out: Vec<usize> = Vec::new();
    for part in parts.iter() {
        match part {
            Part::New => out.push(1),
            Part::Keep(at) => out.push(at.len()),
            _ => {}
        }
    }
    let after = out.split_off(before.min(out.len()));
    out.extend(&common[..]);
    out.extend(after);
    let mut numbers = Vec::new();
    for p in positions(&out) {
        let b = &p[before..before + common.len()];
        let mut rest: Vec<usize> = p[..before].to_vec();
        rest.extend(&p[before + common.len()..]);
        let mut rest = rest.into_iter();
        let mut source = Vec::new();
        for part in &parts {
            match part {
                Part::New => {
                    rest.next();
                }
                Part::Keep(at) => source.push(at[rest.next().unwrap()]),
                Part::Array(s, at) => {
                    let tail = &b[b.len() - s.len()..];
                    let own: Vec<usize> = tail
                        .iter()
                        .zip(s)
                        .map(|(&i, &n)| if n == 1 { 0 } else { i })
                        .collect();
                    source.push(at[flat(&own, s)]);
                }
                Part::Truth(_) => {}
            }
        }
        numbers.push(flat(&source, shape));
    }
    (out, numbers)
}

/// A random index for a tensor of `shape`; arrays broadcast to `common`.
fn random_items(dice: &mut Dice, shape: &[usize]) -> Vec<IndexItem> {
    let mut items = Vec::new();
    let mut axis = 0;
    let mut dots = false;
    let common = [dice.below(3) + 1, dice.below(3) + 1];
    let mut masked = false;
    while axis < shape.len() {
        let len = shape[axis];
        match dice.below(9) {
            0 if len > 0 => {
                items.push(IndexItem::Int(dice.below(2 * len) as i64 - len as i64));
                axis += 1;
            }
            1 | 2 => {
                let end = |d: &mut Dice| {
                    (d.below(2) == 0).then(|| d.below(2 * len + 3) as isize - len as isize - 1)
                };
                items.push(IndexItem::Slice {
                    start: end(dice),
                    stop: end(dice),
                    step: dice.pick(&[1, 2, -1, -2]),
                });
                axis += 1;
            }
            3 => items.push(IndexItem::NewAxis),
            4 if !dots => {
                dots = true;
                items.push(IndexItem::Ellipsis);
                axis += dice.below(shape.len() - axis + 1);
            }
            5 | 6 if len > 0 && !masked => {
                let own: Vec<usize> = common[dice.below(3)..]
                    .iter()
                    .map(|&n| if dice.below(4) == 0 { 1 } else { n })
                    .collect();
                let n: usize = own.iter().product();
                let dtype = dice.pick(&INTEGERS);
                let signed = dtype.kind() == crate::dtype::Kind::Signed;
                let at: Vec<i64> = (0..n)
                    .map(|_| {
                        let i = dice.below(len) as i64;
                        if signed && dice.below(2) == 0 {
                            i - len as i64
                        } else {
                            i
                        }
                    })
                    .collect();
                let t = Tensor::from_vec(at, &own).unwrap().cast(dtype).unwrap();
                items.push(IndexItem::Array(t));
                axis += 1;
            }
            7 if !masked && !items.iter().any(|i| matches!(i, IndexItem::Array(_))) => {
                masked = true;
                let dims = dice.below(shape.len() - axis + 1);
                let own = &shape[axis..axis + dims];
                let n: usize = own.iter().product();
                let truth: Vec<bool> = (0..n).map(|_| dice.below(3) == 0).collect();
                let t = Tensor::from_vec(truth, own).unwrap();
                items.push(IndexItem::Mask(t));
                axis += dims;
            }
            8 if !dots => break,
            _ => {}
        }
    }
    items
}

fn random_case(seed: u64) -> (Dice, Vec<usize>, Tensor, Vec<IndexItem>) {
    let mut dice = Dice::new(seed);
    let ndim = dice.below(5);
    let shape: Vec<usize> = (0..ndim)
        .map(|_| dice.pick(&[0, 1, 2, 3, 4, 3, 4, 5]))
        .collect();
    let dtype = dice.pick(&DType::ALL[1..]);
    let x = scattered(&mut dice, &shape, dtype);
    let items = random_items(&mut dice, &shape);
    (dice, shape, x, items)
}

#[test]
fn reading_follows_the_definition() {
    let (mut views, mut copies, mut elements) = (0, 0, 0);
    for seed in 0..4000 {
        let (_, shape, x, items) = random_case(seed);
        let (want_shape, numbers) = definition(&shape, &items);
        let got = index::index(&x, &items).unwrap();
        assert_eq!(got.shape(), want_shape, "seed {seed}: {shape:?} {items:?}");
        let want: Vec<i64> = numbers.iter().map(|&n| n as i64 % 100).collect();
        assert_eq!(got.to_vec::<i64>().unwrap(), want, "seed {seed}: {items:?}");
        let advanced = items
            .iter()
            .any(|i| matches!(i, IndexItem::Array(_) | IndexItem::Mask(_)));
        assert_eq!(shares_buffer(&got, &x), !advanced, "seed {seed}: {items:?}");
        elements += want.len();
        *(if advanced { &mut copies } else { &mut views }) += 1;
    }
    assert!(views > 500 && copies > 500 && elements > 10_000);
}

#[test]
fn writing_follows_the_definition_and_leaves_others_alone() {
    for seed in 0..3000 {
        let (mut dice, shape, mut x, items) = random_case(seed);
        let (selected, numbers) = definition(&shape, &items);
        let before = x.to_vec::<i64>().unwrap();
        let own: Vec<usize> = selected
            .iter()
            .map(|&n| if dice.below(4) == 0 { 1 } else { n })
            .collect();
        let values = Tensor::from_vec(
            (0..own.iter().product::<usize>() as i64)
                .map(|i| i % 100)
                .collect(),
            &own,
        )
        .unwrap();
        let spread = values
            .broadcast_to(&selected)
            .unwrap()
            .to_vec::<i64>()
            .unwrap();
        let mut want = before.clone();
        for (&n, &v) in numbers.iter().zip(&spread) {
            want[n] = v;
        }
        let shared = (dice.below(2) == 0).then(|| x.clone());
        index::set(&mut x, &items, &values).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), want, "seed {seed}: {items:?}");
        if let Some(shared) = shared {
            assert_eq!(shared.to_vec::<i64>().unwrap(), before);
            // SAFETY: this test is the only user of the memory.
            unsafe { index::set_aliased(&shared, &items, &values).unwrap() };
            assert_eq!(shared.to_vec::<i64>().unwrap(), want);
        }
    }
}

#[test]
fn adding_counts_every_occurrence() {
    for seed in 0..2000 {
        let (mut dice, shape, x, items) = random_case(seed);
        let dtype = dice.pick(&[DType::I32, DType::F32, DType::F64, DType::C64, DType::U64]);
        let mut x = x.cast(dtype).unwrap();
        let (selected, numbers) = definition(&shape, &items);
        let n = numbers.len() as i64;
        let values = Tensor::from_vec((0..n).collect(), &selected).unwrap();
        let mut want = x.to_vec::<i64>().unwrap();
        for (i, &at) in numbers.iter().enumerate() {
            want[at] += i as i64;
        }
        index::add(&mut x, &items, &values).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), want, "seed {seed}: {items:?}");
    }
}

#[test]
fn axes_go_where_numpy_puts_them() {
    let x = Tensor::zeros(&[2, 3, 4], DType::F32).unwrap();
    let i = || IndexItem::Array(ints(&[0, 1, 0, 1, 0]));
    let truth = || IndexItem::Mask(Tensor::from_slice(&[true], &[]).unwrap());
    let (all, dots, new) = (IndexItem::ALL, IndexItem::Ellipsis, IndexItem::NewAxis);
    let zero = IndexItem::Int(0);
    // Shapes as NumPy 2 gives them.
    let cases: Vec<(Vec<IndexItem>, &[usize])> = vec![
        (vec![all.clone(), i(), dots.clone(), i()], &[5, 2]),
        (vec![all.clone(), i(), i()], &[2, 5]),
        (vec![zero.clone(), all.clone(), i()], &[5, 3]),
        (vec![all.clone(), zero, i()], &[2, 5]),
        (vec![i(), new.clone(), i()], &[5, 1, 4]),
        (vec![truth(), i()], &[5, 3, 4]),
        (vec![all.clone(), truth(), i()], &[2, 5, 4]),
        (vec![all.clone(), truth()], &[2, 1, 3, 4]),
        (vec![new, all.clone(), truth(), dots], &[1, 2, 1, 3, 4]),
        (vec![all.clone(), i(), truth(), all.clone()], &[2, 5, 4]),
        (vec![i(), all, truth()], &[5, 3, 4]),
    ];
    for (items, want) in cases {
        assert_eq!(index::index(&x, &items).unwrap().shape(), want, "{items:?}");
    }
}

#[test]
fn of_several_values_the_last_stays() {
    let mut x = Tensor::zeros(&[3], DType::F32).unwrap();
    let at = [IndexItem::Array(ints(&[1, 1, -2, 0]))];
    index::set(&mut x, &at, &ints(&[5, 6, 7, 8])).unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap(), [8.0, 7.0, 0.0]);
    index::add(&mut x, &at, &ints(&[1, 10, 100, 1000])).unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap(), [1008.0, 118.0, 0.0]);
}

#[test]
fn many_threads_give_what_one_gives() {
    let (n, d) = (50_000, 8);
    let mut dice = Dice::new(7);
    let at: Vec<i64> = (0..n).map(|_| dice.below(1000) as i64).collect();
    let mut x = Tensor::zeros(&[1000, d], DType::F32).unwrap();
    let values: Vec<f32> = (0..n * d).map(|i| (i % 977) as f32 * 0.37).collect();
    let mut want = vec![0f32; 1000 * d];
    for (i, v) in values.iter().enumerate() {
        want[at[i / d] as usize * d + i % d] += v;
    }
    let items = [IndexItem::Array(ints(&at))];
    let values = Tensor::from_vec(values, &[n, d]).unwrap();
    index::add(&mut x, &items, &values).unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap(), want);
    let rows = index::index(&x, &items).unwrap().to_vec::<f32>().unwrap();
    for (i, v) in rows.iter().enumerate() {
        assert_eq!(*v, want[at[i / d] as usize * d + i % d]);
    }
    let mask: Vec<bool> = (0..n * d).map(|i| i % 7 == 3 || i / 30_000 == 5).collect();
    let chosen: Vec<f32> = rows
        .iter()
        .zip(&mask)
        .filter(|p| *p.1)
        .map(|p| *p.0)
        .collect();
    let rows = Tensor::from_vec(rows, &[n, d]).unwrap();
    let mask = Tensor::from_vec(mask, &[n, d]).unwrap();
    let got = index::index(&rows, &[IndexItem::Mask(mask)]).unwrap();
    assert_eq!(got.to_vec::<f32>().unwrap(), chosen);
}

#[test]
fn an_aliased_write_is_seen_by_views_and_not_by_pending_readers() {
    let x = Tensor::zeros(&[20_000], DType::F32).unwrap();
    let view = x.slice(0, Some(10), None, 10).unwrap();
    let later =
        crate::ops::elementwise::apply(crate::fuse::Prim::Add, &[(&x).into(), 1.0.into()]).unwrap();
    assert!(later.is_pending());
    let one = Tensor::scalar(1, DType::I64).unwrap();
    // SAFETY: this test is the only user of the memory.
    unsafe { index::set_aliased(&x, &[IndexItem::Array(ints(&[10, -10]))], &one).unwrap() };
    assert_eq!(later.to_vec::<f32>().unwrap()[10], 1.0);
    let seen = view.to_vec::<f32>().unwrap();
    assert_eq!((seen[0], seen[1], seen[1998]), (1.0, 0.0, 1.0));
    // Overlapping values are read before the first one is written.
    let shift = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
    let tail = IndexItem::Slice {
        start: Some(1),
        stop: None,
        step: 1,
    };
    let head = shift.slice(0, None, Some(3), 1).unwrap();
    // SAFETY: as above.
    unsafe { index::set_aliased(&shift, &[tail], &head).unwrap() };
    assert_eq!(shift.to_vec::<f32>().unwrap(), [1.0, 1.0, 2.0, 3.0]);
}

#[test]
fn a_mask_without_places_stands_for_axes_of_any_length() {
    let x = Tensor::from_vec((0..6i64).collect(), &[2, 3]).unwrap();
    for empty in [&[0][..], &[0, 3], &[2, 0], &[0, 0]] {
        let mask = IndexItem::Mask(Tensor::zeros(empty, DType::Bool).unwrap());
        let found = index::index(&x, &[mask]).unwrap();
        let rest = &x.shape()[empty.len()..];
        assert_eq!(found.shape(), [&[0], rest].concat(), "{empty:?}");
    }
}

#[test]
fn mistakes_are_typed_and_change_nothing() {
    let mut x = Tensor::from_vec((0..6i64).collect(), &[2, 3]).unwrap();
    let one = Tensor::scalar(1, DType::I64).unwrap();
    let mut fails = |items: &[IndexItem]| {
        let read = index::index(&x, items).unwrap_err();
        let write = index::set(&mut x, items, &one).unwrap_err();
        assert_eq!(
            std::mem::discriminant(&read),
            std::mem::discriminant(&write)
        );
        assert_eq!(x.to_vec::<i64>().unwrap(), [0, 1, 2, 3, 4, 5]);
        read
    };
    let array = |v: &[i64]| IndexItem::Array(ints(v));
    for (items, want) in [
        (vec![IndexItem::Int(2)], (2, 0, 2)),
        (vec![IndexItem::ALL, IndexItem::Int(-4)], (-4, 1, 3)),
        (vec![IndexItem::ALL, array(&[0, 3, 9])], (3, 1, 3)),
        (vec![array(&[0, -3])], (-3, 0, 2)),
    ] {
        let Error::Index {
            index, axis, len, ..
        } = fails(&items)
        else {
            panic!("{items:?} is no index error");
        };
        assert_eq!((index, axis, len), want);
    }
    let mask = |shape: &[usize]| IndexItem::Mask(Tensor::zeros(shape, DType::Bool).unwrap());
    for items in [
        vec![mask(&[3])],
        vec![mask(&[2, 2])],
        vec![mask(&[2, 3, 1])],
        vec![IndexItem::Int(0); 3],
        vec![array(&[0, 1]), array(&[0, 1, 2])],
    ] {
        assert!(matches!(fails(&items), Error::Indices { .. }), "{items:?}");
    }
    let float = Tensor::zeros(&[2], DType::F32).unwrap();
    for items in [
        vec![IndexItem::Array(float.clone())],
        vec![IndexItem::Mask(Tensor::zeros(&[2, 3], DType::I64).unwrap())],
    ] {
        assert!(matches!(fails(&items), Error::DType { .. }), "{items:?}");
    }
    let still = IndexItem::Slice {
        start: None,
        stop: None,
        step: 0,
    };
    assert!(matches!(fails(&[still]), Error::Value { .. }));
    let twice = [IndexItem::Ellipsis, IndexItem::Ellipsis];
    assert!(matches!(fails(&twice), Error::Indices { .. }));
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let mut x = Tensor::zeros(&[2, 3], DType::F32).unwrap();
    let e = index::set(&mut x, &[IndexItem::Int(0)], &ints(&[1, 2])).unwrap_err();
    assert!(matches!(e, Error::Shape { .. }), "{e}");
    let z = Tensor::zeros(&[], DType::C64).unwrap();
    let e = index::set(&mut x, &[IndexItem::Int(0)], &z).unwrap_err();
    assert!(matches!(e, Error::DType { .. }), "{e}");
    let mut truth = Tensor::zeros(&[3], DType::Bool).unwrap();
    let e = index::add(&mut truth, &[IndexItem::Int(0)], &ints(&[1])).unwrap_err();
    assert!(matches!(e, Error::DType { .. }), "{e}");
    let wide = Tensor::zeros(&[1], DType::F32)
        .unwrap()
        .broadcast_to(&[4])
        .unwrap();
    // SAFETY: this test is the only user of the memory.
    let e = unsafe { index::set_aliased(&wide, &[IndexItem::Int(0)], &ints(&[1])) }.unwrap_err();
    assert!(matches!(e, Error::Value { .. }), "{e}");
    // Leading axes of length 1 may go, as in NumPy.
    index::set(
        &mut x,
        &[IndexItem::Int(0)],
        &ints(&[7]).reshape(&[1, 1, 1]).unwrap(),
    )
    .unwrap();
    assert_eq!(x.to_vec::<f32>().unwrap(), [7.0, 7.0, 7.0, 0.0, 0.0, 0.0]);
}

#[test]
fn numpys_words_and_its_number_of_arrays() {
    let x = Tensor::zeros(&[3, 3], DType::F64).unwrap();
    let said = |found: Result<Tensor>| found.unwrap_err().to_string();
    let mask = Tensor::zeros(&[3, 9], DType::Bool).unwrap();
    assert!(
        said(index(&x, &[IndexItem::Mask(mask)])).contains(
            "boolean index did not match indexed array along axis 1; size of axis is 3 but size of corresponding boolean axis is 9"
        )
    );
    assert!(
        said(index(&x, &[IndexItem::Int(3)]))
            .ends_with("index 3 is out of bounds for axis 0 with size 3")
    );
    let values = Tensor::zeros(&[7], DType::F64).unwrap();
    let rows = IndexItem::Array(Tensor::from([0i64, 2]));
    assert!(
        set(&mut x.clone(), &[rows], &values)
            .unwrap_err()
            .to_string()
            .ends_with("of shape (7,) could not be broadcast to indexing result of shape (2,3)")
    );
    let one = IndexItem::Mask(Tensor::scalar(true, DType::Bool).unwrap());
    assert_eq!(
        index(&x, &vec![one.clone(); 61]).unwrap().shape(),
        [1, 3, 3]
    );
    let many = index(&x, &vec![one; 64]);
    assert!(matches!(many, Err(Error::Indices { .. })));
}
