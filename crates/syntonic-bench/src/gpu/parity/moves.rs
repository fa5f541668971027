//! Elements that are moved: indexing, masks, rearrangements, copies of any layout.

use super::Check;
use crate::gpu::{Exactness, Gpu, Layout, Pair, compare};
use anyhow::{Result, bail, ensure};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::create::{Endpoint, arange, eye, linspace};
use syntonic_core::ops::gather::{nonzero, put, scatter, scatter_add, select_where};
use syntonic_core::ops::gather::{take, take_along_axis};
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::ops::join::{concat, stack};
use syntonic_core::ops::pad::{Padding, pad};
use syntonic_core::ops::rearrange::{repeat, repeat_each, roll, tile, tril, triu};
use syntonic_core::{DType, Error, Scalar, Tensor, cpu};

/// What is computed on either device; index tensors are made where the operand is.
pub(super) type Move = fn(&Tensor) -> syntonic_core::Result<Vec<Tensor>>;

/// Every move by name.
const MOVES: &[(&str, Move)] = &[
    ("copy", |x| Ok(vec![x.copy()?])),
    ("turned", |x| Ok(vec![turned(x)?.copy()?])),
    ("flip", |x| Ok(vec![x.flip(&axes(x))?.copy()?])),
    ("roll", |x| Ok(vec![roll(x, &[5], None)?])),
    ("tile", |x| Ok(vec![tile(x, &[2, 3])?])),
    ("repeat", |x| Ok(vec![repeat(x, 3, Some(-1))?])),
    ("repeat_each", |x| {
        let n = last_len(x);
        let counts = here(x, (0..n as i64).map(|i| i % 4).collect(), &[n])?;
        Ok(vec![repeat_each(x, &counts, Some(-1))?])
    }),
    ("concat", |x| Ok(vec![concat(&[x, x], Some(-1))?])),
    ("stack", |x| Ok(vec![stack(&[x, x, x], 1)?])),
    ("assign_slice", |x| {
        let mut y = x.copy()?;
        let items = [IndexItem::Ellipsis, slice(1, 2)];
        let part = index::index(x, &[IndexItem::Ellipsis, slice(0, 2)])?;
        let wanted = index::index(x, &items)?;
        let values = index::index(&part, &[IndexItem::Ellipsis, upto(last_len(&wanted))])?;
        index::set(&mut y, &items, &values)?;
        Ok(vec![y])
    }),
    ("take", |x| {
        Ok(vec![take(x, &wrapped(x, &[4, 9], last_len(x))?, Some(-1))?])
    }),
    ("take_flat", |x| {
        Ok(vec![take(x, &wrapped(x, &[500], x.numel())?, None)?])
    }),
    ("take_along_axis", |x| {
        let mut shape = x.shape().to_vec();
        let last = shape.len() - 1;
        shape[last] = 11;
        let places = wrapped(x, &shape, last_len(x))?;
        Ok(vec![take_along_axis(x, &places, -1)?])
    }),
    ("index_two_arrays", |x| {
        if x.ndim() < 2 {
            return Ok(vec![]);
        }
        let first = wrapped(x, &[6, 1], x.shape()[0])?;
        let second = wrapped(x, &[5], x.shape()[1])?;
        let items = [IndexItem::Array(first), IndexItem::Array(second)];
        Ok(vec![index::index(x, &items)?])
    }),
    ("index_mask", |x| Ok(vec![select_where(x, &mask(x)?)?])),
    ("set_array", |x| {
        let (mut y, items) = (x.copy()?, array_item(x, 60)?);
        let values = index::index(&x.flip(&axes(x))?, &items)?;
        index::set(&mut y, &items, &values)?;
        Ok(vec![y])
    }),
    ("set_mask", |x| {
        let (mut y, items) = (x.copy()?, [IndexItem::Mask(mask(x)?)]);
        let values = index::index(&x.flip(&axes(x))?, &items)?;
        index::set(&mut y, &items, &values)?;
        Ok(vec![y])
    }),
    ("put", |x| {
        let mut y = x.copy()?;
        let places = wrapped(x, &[300], x.numel())?;
        put(&mut y, &places, &take(x, &places.flip(&[0])?, None)?)?;
        Ok(vec![y])
    }),
    ("scatter", |x| Ok(vec![placed(x, scatter)?])),
    ("nonzero", nonzero),
];

/// Moves that need numbers, or are not defined for `bool`.
const SUMS: &[(&str, Move)] = &[
    ("tril", |x| square(x, |x| tril(x, 1))),
    ("triu", |x| square(x, |x| triu(x, -2))),
    ("scatter_add", |x| Ok(vec![placed(x, scatter_add)?])),
    ("index_add", |x| {
        let (mut y, items) = (x.copy()?, array_item(x, 60)?);
        let values = index::index(&x.flip(&axes(x))?, &items)?;
        index::add(&mut y, &items, &values)?;
        Ok(vec![y])
    }),
    ("pad_constant", |x| {
        padded(x, Padding::Constant(Scalar::Int(3)))
    }),
    ("pad_edge", |x| padded(x, Padding::Edge)),
    ("pad_reflect", |x| padded(x, Padding::Reflect)),
    ("pad_symmetric", |x| padded(x, Padding::Symmetric)),
    ("pad_wrap", |x| padded(x, Padding::Wrap)),
    ("eye", |x| Ok(vec![eye(70, 65, 2, x.dtype(), x.device())?])),
    ("arange", |x| {
        let numbers = |a: f64, b: f64, step: f64| {
            let all = [a, b, step].map(Scalar::Float);
            arange(all[0], all[1], all[2], Some(x.dtype()), x.device())
        };
        let whole = [-100, 100, 3].map(Scalar::Int);
        let integers = arange(whole[0], whole[1], whole[2], Some(x.dtype()), x.device())?;
        Ok(vec![integers, numbers(-3.0, 90.0, 0.37)?])
    }),
];

pub(super) fn checks() -> Vec<Check> {
    let mut checks = every("moves", MOVES, &DType::ALL, Exactness::Same);
    let numbers: Vec<DType> = DType::ALL.into_iter().filter(|d| !d.is_bool()).collect();
    checks.extend(every("moves", SUMS, &numbers, Exactness::Same));
    checks.extend(TURNED.map(turned_shape));
    checks.push(Check::new("moves/transposed_copy/large", |gpu| {
        // More tiles of the widest elements than a grid has blocks along its second axis.
        turned_copy(gpu, DType::C128, &[1, 8, 16 * 65_537])
    }));
    checks.push(Check::new("moves/index_out_of_range", out_of_range));
    checks.push(Check::new("moves/far", far));
    checks.push(Check::new("moves/ramps", ramps));
    checks
}

/// Every move for every dtype and layout.
pub(super) fn every(
    topic: &str,
    moves: &[(&'static str, Move)],
    dtypes: &[DType],
    exactness: Exactness,
) -> Vec<Check> {
    let mut checks = Vec::new();
    for &(name, op) in moves {
        for &dtype in dtypes {
            for layout in Layout::ALL {
                let name = format!("{topic}/{name}/{dtype}/{layout:?}");
                checks.push(Check::new(name, move |gpu| {
                    let pair = Pair::new(gpu, dtype, layout, 11)?;
                    same(op(&pair.gpu), op(&pair.cpu), exactness)
                }));
            }
        }
    }
    checks
}

/// Results of both devices: the same values, or the same error.
pub(super) fn same(
    gpu: syntonic_core::Result<Vec<Tensor>>,
    cpu: syntonic_core::Result<Vec<Tensor>>,
    exactness: Exactness,
) -> Result<()> {
    match (gpu, cpu) {
        (Ok(got), Ok(want)) => {
            ensure!(got.len() == want.len(), "another number of results");
            got.iter()
                .zip(&want)
                .try_for_each(|(got, want)| compare(got, want, exactness))
        }
        (Err(got), Err(want)) => {
            let plain = |e: &Error| e.to_string().replace("cuda:0", "cpu");
            ensure!(plain(&got) == plain(&want), "`{got}` instead of `{want}`");
            Ok(())
        }
        (Err(got), Ok(_)) => bail!("{got}"),
        (Ok(_), Err(want)) => bail!("no error, where the CPU says `{want}`"),
    }
}

fn axes(x: &Tensor) -> Vec<isize> {
    (0..x.ndim() as isize).collect()
}

fn last_len(x: &Tensor) -> usize {
    x.shape()[x.ndim() - 1]
}

/// The axes in another order, the last one first.
fn turned(x: &Tensor) -> syntonic_core::Result<Tensor> {
    let last = x.ndim() as isize - 1;
    x.permute(&[last].into_iter().chain(0..last).collect::<Vec<_>>())
}

/// Integers where `x` is.
fn here(x: &Tensor, values: Vec<i64>, shape: &[usize]) -> syntonic_core::Result<Tensor> {
    Tensor::from_vec(values, shape)?.to(x.device())
}

/// Places within `n`, with repetitions, every third counted from the end.
fn wrapped(x: &Tensor, shape: &[usize], n: usize) -> syntonic_core::Result<Tensor> {
    let n = n as i64;
    let count: usize = shape.iter().product();
    let place = |i: i64| (i * 7 + i / 5) % n.max(1) - if i % 3 == 0 { n } else { 0 };
    here(x, (0..count as i64).map(place).collect(), shape)
}

fn array_item(x: &Tensor, count: usize) -> syntonic_core::Result<[IndexItem; 2]> {
    let places = wrapped(x, &[count], last_len(x))?;
    Ok([IndexItem::Ellipsis, IndexItem::Array(places)])
}

fn slice(start: isize, step: isize) -> IndexItem {
    IndexItem::Slice {
        start: Some(start),
        stop: None,
        step,
    }
}

fn upto(stop: usize) -> IndexItem {
    IndexItem::Slice {
        start: None,
        stop: Some(stop as isize),
        step: 1,
    }
}

/// True at some places of all but the last axis, or of the only one.
fn mask(x: &Tensor) -> syntonic_core::Result<Tensor> {
    let shape = &x.shape()[..x.ndim().max(2) - 1];
    let n: usize = shape.iter().product();
    let truth: Vec<bool> = (0..n).map(|i| i % 5 < 2 || i % 7 == 3).collect();
    Tensor::from_vec(truth, shape)?.to(x.device())
}

type Place = fn(&mut Tensor, isize, &Tensor, &Tensor) -> syntonic_core::Result<()>;

/// Values written along the last axis, several to some elements.
fn placed(x: &Tensor, place: Place) -> syntonic_core::Result<Tensor> {
    let mut y = x.copy()?;
    let places = wrapped(x, x.shape(), last_len(x))?;
    place(&mut y, -1, &places, &x.flip(&axes(x))?)?;
    Ok(y)
}

/// For operators of matrices.
fn square(
    x: &Tensor,
    op: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
) -> syntonic_core::Result<Vec<Tensor>> {
    if x.ndim() < 2 {
        return Ok(vec![]);
    }
    Ok(vec![op(x)?])
}

fn padded(x: &Tensor, padding: Padding) -> syntonic_core::Result<Vec<Tensor>> {
    let widths: Vec<(usize, usize)> = (0..x.ndim()).map(|a| (a, 2 * a + 1)).collect();
    Ok(vec![pad(x, &widths, padding)?])
}

/// Shapes whose transposed copies go through every kind of tile: `[batch, rows, columns]`.
const TURNED: [[usize; 3]; 9] = [
    [1, 64, 64],
    [1, 256, 384],
    [3, 144, 272],
    [2, 130, 67],
    [1, 1000, 16],
    [1, 16, 1000],
    [5, 9, 33],
    [2, 3, 1000],
    // More than a grid has blocks along its third axis.
    [66_000, 8, 8],
];

fn turned_shape(shape: [usize; 3]) -> Check {
    Check::new(format!("moves/transposed_copy/{shape:?}"), move |gpu| {
        let mut dtypes = [DType::U8, DType::BF16, DType::F32, DType::C64, DType::C128].into_iter();
        dtypes.try_for_each(|dtype| turned_copy(gpu, dtype, &shape))
    })
}

fn turned_copy(gpu: &Gpu, dtype: DType, shape: &[usize]) -> Result<()> {
    let x = crate::gpu::sample(dtype, shape, 5)?;
    let (there, swapped) = (gpu.take(&x)?, x.transpose(1, 2)?.copy()?);
    compare(&there.transpose(1, 2)?.copy()?, &swapped, Exactness::Same)?;
    // The same into a view whose rows are longer, and from one that starts off a multiple of 16.
    let part = |x: &Tensor| x.slice(2, Some(1), None, 1)?.transpose(1, 2)?.copy();
    compare(&part(&there)?, &part(&x)?, Exactness::Same)
}

/// The error names the first index outside the axis, as on the CPU.
fn out_of_range(gpu: &Gpu) -> Result<()> {
    let x = crate::gpu::sample(DType::F32, &[5, 40], 3)?;
    let there = gpu.take(&x)?;
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        let mut places = vec![1i64; 100_000];
        (places[70_001], places[99_999]) = (41, 77);
        if dtype == DType::I64 {
            places[50_000] = -41;
        }
        let places = Tensor::from_vec(places, &[100_000])?.cast(dtype)?.eval()?;
        let (got, want) = (
            take(&there, &gpu.take(&places)?, Some(1)),
            take(&x, &places, Some(1)),
        );
        ensure!(want.is_err(), "the CPU takes a wrong index");
        same(got.map(|t| vec![t]), want.map(|t| vec![t]), Exactness::Same)?;
    }
    Ok(())
}

/// Evenly spaced numbers of the types that have two kinds of them, or two values.
fn ramps(gpu: &Gpu) -> Result<()> {
    let complex = |re: f64, im: f64| Scalar::Complex(Complex::new(re, im));
    let ends = [
        (complex(-1.0, 2.0), complex(3.0, -0.5)),
        (Scalar::Float(-2.0), complex(0.0, 7.0)),
        (Scalar::Float(0.0), Scalar::Float(1.0)),
    ];
    for dtype in [DType::C64, DType::C128, DType::Bool] {
        let fit = |(a, b): &&(Scalar, Scalar)| {
            let turned = [a, b].into_iter().any(|x| matches!(x, Scalar::Complex(_)));
            dtype.is_complex() || !turned
        };
        for &(start, stop) in ends.iter().filter(fit) {
            for endpoint in [Endpoint::Included, Endpoint::Excluded] {
                let on = |device| linspace(start, stop, 1001, endpoint, Some(dtype), device);
                compare(&on(&gpu.device)?, &on(&cpu())?, Exactness::Same)?;
            }
        }
    }
    let whole = |device| {
        let numbers = [-3, 500, 3].map(Scalar::Int);
        arange(
            numbers[0],
            numbers[1],
            numbers[2],
            Some(DType::Bool),
            device,
        )
    };
    compare(&whole(&gpu.device)?, &whole(&cpu())?, Exactness::Same)
}

/// More than 2^31 elements, and places beyond that.
fn far(gpu: &Gpu) -> Result<()> {
    let (rows, columns) = (140_000usize, 16_400usize);
    let line = crate::gpu::sample(DType::U8, &[1, columns], 9)?;
    let x = gpu.take(&line)?.broadcast_to(&[rows, columns])?.copy()?;
    let ends: Vec<i64> = (0..50)
        .map(|i| (x.numel() as i64 - 1) - i * 43_690_001)
        .collect();
    let want: Vec<i64> = ends.iter().map(|e| e % columns as i64).collect();
    let picked = |at: Vec<i64>| Tensor::from_vec(at, &[50]);
    let expected = take(&line, &picked(want)?, None)?;
    let places = gpu.take(&picked(ends.clone())?)?;
    compare(&take(&x, &places, None)?, &expected, Exactness::Same)?;
    // A transposed copy: its element `c · rows + r` is element `r · columns + c` of the other.
    let swapped = x.transpose(0, 1)?.copy()?;
    let place = |e: &i64| e % columns as i64 * rows as i64 + e / columns as i64;
    let places = gpu.take(&picked(ends.iter().map(place).collect())?)?;
    compare(&take(&swapped, &places, None)?, &expected, Exactness::Same)?;
    // Writing there.
    let mut y = swapped;
    drop(x);
    put(&mut y, &places, &gpu.take(&picked((0..50).collect())?)?)?;
    let want = picked((0..50).collect())?.cast(DType::U8)?.eval()?;
    compare(&take(&y, &places, None)?, &want, Exactness::Same)
}
