//! Views, joining, indexing and placing.

use crate::difference::{Row, complex, row, rows_of, spread};
use syntonic_core::ops::gather;
use syntonic_core::ops::index::{self, IndexItem};
use syntonic_core::ops::join::{self, Indexing};
use syntonic_core::ops::order;
use syntonic_core::ops::pad::{Padding, pad};
use syntonic_core::ops::{random, rearrange};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Scalar, Tensor, cpu};

pub(crate) fn rows() -> Vec<Row> {
    [views(), joined(), rearranged(), picked(), placed()]
        .into_iter()
        .flatten()
        .collect()
}

fn x() -> Vec<Tensor> {
    vec![spread(&[2, 3], 0)]
}

fn places(values: &[i64], shape: &[usize]) -> Tensor {
    Tensor::from_slice(values, shape).unwrap()
}

fn views() -> Vec<Row> {
    vec![
        row("reshape", x(), |v| v[0].reshape(&[3, -1])),
        row("permute", vec![spread(&[2, 1, 3], 0)], |v| {
            v[0].permute(&[2, 0, 1])
        }),
        row("slice", vec![spread(&[5, 2], 0)], |v| {
            v[0].slice(0, Some(3), None, -2)
        }),
        row("select", x(), |v| v[0].select(1, -1)),
        row("expand_dims", x(), |v| v[0].expand_dims(&[0, -1])),
        row("squeeze", vec![spread(&[1, 2, 1], 0)], |v| {
            v[0].squeeze(&[0])
        }),
        row("flip", x(), |v| v[0].flip(&[0, 1])),
        row("diagonal", vec![spread(&[3, 4], 0)], |v| {
            v[0].diagonal(1, 0, 1)
        }),
        row("broadcast_to", vec![spread(&[2, 1], 0)], |v| {
            v[0].broadcast_to(&[3, 2, 4])
        }),
        row("broadcast_to", vec![spread(&[], 0)], |v| {
            v[0].broadcast_to(&[2, 2])
        }),
        row("broadcast_to", vec![spread(&[1], 0)], |v| {
            v[0].broadcast_to(&[0])
        }),
        row("real", vec![complex(&[2, 3], 0)], |v| v[0].real()),
        row("imag", vec![complex(&[2, 3], 0)], |v| v[0].imag()),
        row("copy", x(), |v| v[0].copy()),
        row("contiguous", x(), |v| v[0].transpose(0, 1)?.contiguous()),
        row("eval", x(), |v| v[0].exp()?.eval()),
        row("to", x(), |v| v[0].to(&cpu())),
        row("cast", x(), |v| v[0].cast(DType::C128)),
        row("assign", vec![spread(&[2, 3], 0), spread(&[3], 1)], |v| {
            let mut out = v[0].exp()?;
            out.assign(&v[1])?;
            Ok(out)
        }),
    ]
}

fn joined() -> Vec<Row> {
    let two = || vec![spread(&[2, 3], 0), spread(&[2, 3], 1)];
    vec![
        row(
            "concat",
            vec![spread(&[2, 3], 0), spread(&[2, 1], 1), spread(&[2, 0], 2)],
            |v| join::concat(&[&v[0], &v[1], &v[2], &v[1]], Some(1)),
        ),
        row("concat", two(), |v| join::concat(&[&v[0], &v[1]], None)),
        // With a constant, and with another type.
        row("concat", vec![spread(&[2], 0), complex(&[1], 1)], |v| {
            let one = Tensor::ones(&[2], DType::F32)?;
            join::concat(&[&v[0], &one, &v[1]], Some(0))
        }),
        row("stack", two(), |v| join::stack(&[&v[0], &v[1]], -1)),
        rows_of("split", vec![spread(&[4, 2], 0)], |v| {
            join::split(&v[0], 2, 0)
        }),
        rows_of("split_at", vec![spread(&[5], 0)], |v| {
            join::split_at(&v[0], &[1, 3], 0)
        }),
        rows_of("unstack", x(), |v| join::unstack(&v[0], 1)),
        rows_of(
            "broadcast_arrays",
            vec![spread(&[2, 1], 0), spread(&[3], 1)],
            |v| join::broadcast_arrays(&[&v[0], &v[1]]),
        ),
        rows_of("meshgrid", vec![spread(&[2], 0), spread(&[3], 1)], |v| {
            join::meshgrid(&[&v[0], &v[1]], Indexing::Xy)
        }),
    ]
}

fn rearranged() -> Vec<Row> {
    let paddings = [
        Padding::Constant(Scalar::Float(0.5)),
        Padding::Edge,
        Padding::Reflect,
        Padding::Symmetric,
        Padding::Wrap,
    ];
    let padded =
        paddings.map(|padding| row("pad", x(), move |v| pad(&v[0], &[(1, 2), (0, 2)], padding)));
    let counts = places(&[2, 0, 1], &[3]);
    let others = [
        row("moveaxis", vec![spread(&[2, 1, 3], 0)], |v| {
            rearrange::moveaxis(&v[0], &[0], &[2])
        }),
        row("tile", x(), |v| rearrange::tile(&v[0], &[2, 1, 2])),
        row("repeat", x(), |v| rearrange::repeat(&v[0], 2, Some(1))),
        row("repeat", x(), |v| rearrange::repeat(&v[0], 3, None)),
        row("repeat_each", x(), move |v| {
            rearrange::repeat_each(&v[0], &counts, Some(1))
        }),
        row("roll", x(), |v| rearrange::roll(&v[0], &[2], None)),
        row("roll", x(), |v| {
            rearrange::roll(&v[0], &[1, -5], Some(&[0, 1]))
        }),
        row("roll", x(), |v| {
            rearrange::roll(&v[0], &[i64::MIN], Some(&[-1]))
        }),
        row("tril", vec![spread(&[2, 3, 3], 0)], |v| {
            rearrange::tril(&v[0], -1)
        }),
        row("triu", vec![spread(&[3, 4], 0)], |v| {
            rearrange::triu(&v[0], 1)
        }),
        row("shuffled", x(), |v| {
            random::shuffled(&v[0], 1, &mut Generator::new(1))
        }),
    ];
    padded.into_iter().chain(others).collect()
}

fn picked() -> Vec<Row> {
    let at = || places(&[2, 0, 2, -1], &[2, 2]);
    let mask = || Tensor::from_slice(&[true, false, true, true, false, false], &[2, 3]).unwrap();
    let all = IndexItem::ALL;
    let (along, by_mask, mixed, both) = (places(&[1, 1, 0, 2], &[2, 2]), mask(), at(), at());
    let column = places(&[0, 2], &[1, 2]);
    vec![
        row("take", x(), move |v| gather::take(&v[0], &at(), Some(1))),
        row("take", x(), |v| {
            gather::take(&v[0], &places(&[5, 0], &[2]), None)
        }),
        row("take_along_axis", x(), move |v| {
            gather::take_along_axis(&v[0], &along, 1)
        }),
        // Positions that are the same for all rows, and rows that are the same for all positions.
        row("take_along_axis", x(), move |v| {
            gather::take_along_axis(&v[0], &column, -1)
        }),
        row("take_along_axis", vec![spread(&[1, 3], 0)], |v| {
            gather::take_along_axis(&v[0], &places(&[1, 1, 0, 2], &[2, 2]), 1)
        }),
        row("select_where", x(), move |v| {
            gather::select_where(&v[0], &by_mask)
        }),
        row("index", vec![spread(&[2, 4, 3], 0)], move |v| {
            let items = [
                IndexItem::Int(1),
                all.clone(),
                IndexItem::Array(mixed.clone()),
            ];
            index::index(&v[0], &items)
        }),
        row("index", vec![spread(&[3, 3], 0)], move |v| {
            let items = [
                IndexItem::Array(both.clone()),
                IndexItem::NewAxis,
                IndexItem::Array(both.clone()),
            ];
            index::index(&v[0], &items)
        }),
        row("index", x(), |v| {
            let items = [
                IndexItem::Slice {
                    start: None,
                    stop: None,
                    step: -1,
                },
                IndexItem::Int(0),
            ];
            index::index(&v[0], &items)
        }),
    ]
}

fn placed() -> Vec<Row> {
    let two = || vec![spread(&[3, 2], 0), spread(&[2, 2], 1)];
    let at = || places(&[2, 0, 2, 1], &[2, 2]);
    let numbers = places(&[0, 2, 0, 3], &[4]);
    let mask = Tensor::from_slice(&[true, false, true], &[3]).unwrap();
    let again = || [IndexItem::Array(places(&[1, 1], &[2]))];
    vec![
        row("scatter", two(), move |v| {
            let mut out = v[0].clone();
            gather::scatter(&mut out, 0, &at(), &v[1])?;
            Ok(out)
        }),
        row("scatter_add", two(), move |v| {
            let mut out = v[0].clone();
            gather::scatter_add(&mut out, 0, &at(), &v[1])?;
            Ok(out)
        }),
        // Of the target or the values alone.
        row("scatter_add", vec![spread(&[1], 1)], move |v| {
            let mut out = Tensor::zeros(&[3, 2], DType::F64)?;
            gather::scatter_add(&mut out, 0, &at(), &v[0])?;
            Ok(out)
        }),
        row("put", two(), move |v| {
            let mut out = v[0].transpose(0, 1)?;
            gather::put(&mut out, &at(), &v[1])?;
            Ok(out)
        }),
        row(
            "set",
            vec![spread(&[3, 2], 0), spread(&[1, 2], 1)],
            move |v| {
                let mut out = v[0].clone();
                index::set(&mut out, &[IndexItem::Mask(mask.clone())], &v[1])?;
                Ok(out)
            },
        ),
        row("set", vec![spread(&[3, 2], 0), spread(&[], 1)], |v| {
            let mut out = v[0].clone();
            let items = [
                IndexItem::Slice {
                    start: None,
                    stop: None,
                    step: 2,
                },
                IndexItem::Int(1),
            ];
            index::set(&mut out, &items, &v[1])?;
            Ok(out)
        }),
        row(
            "set",
            vec![spread(&[3, 2], 0), spread(&[2, 2], 1)],
            move |v| {
                let mut out = v[0].clone();
                index::set(&mut out, &again(), &v[1])?;
                Ok(out)
            },
        ),
        row("add", vec![spread(&[3, 2], 0), spread(&[2], 1)], move |v| {
            let mut out = v[0].clone();
            index::add(&mut out, &again(), &v[1])?;
            Ok(out)
        }),
        row("bincount", vec![spread(&[4], 0)], move |v| {
            order::bincount(&numbers, Some(&v[0]), 6)
        }),
    ]
}
