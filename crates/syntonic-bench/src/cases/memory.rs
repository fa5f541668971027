//! Views, copies, gathers and joins. Nothing is rounded, so results are exact.

use anyhow::Result;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::{gather, join};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Tensor};

use super::{Prepared, dtype, normal};
use crate::list::Row;
use crate::oracle::{Oracle, numbers};

const FILL: f64 = 1.5;

pub(super) fn maker(case: &str) -> Option<fn(&Row) -> Result<Prepared>> {
    Some(match case {
        "copy" => |row| viewed(row, |x| Ok(x[0].copy()?), |_, place| Some(place)),
        "copy_stride2" => copy_stride,
        "transpose_copy" => |row| viewed(row, |x| Ok(x[0].transpose(0, 1)?.copy()?), transposed),
        "transpose" => |row| viewed(row, |x| Ok(x[0].transpose(0, 1)?), transposed),
        "permute_copy" => |row| viewed(row, |x| Ok(x[0].permute(&[2, 0, 1])?.copy()?), permuted),
        "reshape" => |row| {
            viewed(
                row,
                |x| Ok(x[0].reshape(&[10, 100])?),
                |_, place| Some(place),
            )
        },
        "slice" => |row| viewed(row, |x| Ok(x[0].slice(0, Some(10), Some(900), 2)?), sliced),
        "index_row" => |row| viewed(row, |x| Ok(x[0].select(0, 3)?), fourth_row),
        "take_rows" => take_rows,
        "take" => take,
        "mask_select" => mask_select,
        "concat_axis1" => concat,
        "fill" => fill,
        "from_list" => from_list,
        _ => return None,
    })
}

/// The place in the input of each place in the result; `None` ends the result.
type Source = fn(&[usize], usize) -> Option<usize>;

fn viewed(row: &Row, work: fn(&[Tensor]) -> Result<Tensor>, source: Source) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let all = numbers(&x, None)?;
    let places = (0..all.len()).map_while(|place| source(&row.size, place));
    let oracle = Oracle::exact(places.map(|place| all[place]).collect());
    Ok(Prepared::new(vec![x], work, oracle))
}

fn transposed(shape: &[usize], place: usize) -> Option<usize> {
    Some(place % shape[0] * shape[1] + place / shape[0])
}

/// Of a result `[c, a, b]` from an input `[a, b, c]`.
fn permuted(shape: &[usize], place: usize) -> Option<usize> {
    let outer = shape[0] * shape[1];
    Some(place % outer * shape[2] + place / outer)
}

fn sliced(_: &[usize], place: usize) -> Option<usize> {
    Some(10 + 2 * place).filter(|&source| source < 900)
}

fn fourth_row(shape: &[usize], place: usize) -> Option<usize> {
    (place < shape[1]).then_some(3 * shape[1] + place)
}

fn copy_stride(row: &Row) -> Result<Prepared> {
    let every_second: Source =
        |shape, place| Some(2 * place).filter(|&source| source < shape.iter().product());
    viewed(
        row,
        |x| Ok(x[0].slice(0, None, None, 2)?.copy()?),
        every_second,
    )
}

/// Random positions along an axis of length `limit`.
fn positions(count: usize, limit: usize) -> Result<Tensor> {
    let mut places = vec![0i64; count];
    Generator::new(5).integers(&mut places, 0, limit as i64)?;
    Ok(Tensor::from_vec(places, &[count])?)
}

fn taken(row: &Row, count: usize) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let places = positions(count, row.size[0])?;
    let width: usize = row.size[1..].iter().product();
    let all = numbers(&x, None)?;
    let rows = numbers(&places, None)?;
    let values = rows.iter().flat_map(|&r| {
        let start = r as usize * width;
        all[start..start + width].iter().copied()
    });
    let oracle = Oracle::exact(values.collect());
    let work = |x: &[Tensor]| Ok(gather::take(&x[0], &x[1], Some(0))?);
    Ok(Prepared::new(vec![x, places], work, oracle))
}

fn take_rows(row: &Row) -> Result<Prepared> {
    taken(row, row.size[0] / 2)
}

fn take(row: &Row) -> Result<Prepared> {
    taken(row, row.size[0] / 4)
}

fn mask_select(row: &Row) -> Result<Prepared> {
    let x = normal(&row.size, dtype(row)?, 1)?;
    let coin = normal(&row.size, DType::F32, 2)?;
    let mask = apply(
        syntonic_core::fuse::Prim::Lt,
        &[(&coin).into(), Arg::from(0.0)],
    )?
    .eval()?;
    let kept = numbers(&x, None)?.into_iter().zip(numbers(&mask, None)?);
    let oracle = Oracle::exact(kept.filter(|&(_, m)| m != 0.0).map(|(v, _)| v).collect());
    let work = |x: &[Tensor]| Ok(gather::select_where(&x[0], &x[1])?);
    Ok(Prepared::new(vec![x, mask], work, oracle))
}

fn concat(row: &Row) -> Result<Prepared> {
    let kind = dtype(row)?;
    let inputs = vec![normal(&row.size, kind, 1)?, normal(&row.size, kind, 2)?];
    let (a, b) = (numbers(&inputs[0], None)?, numbers(&inputs[1], None)?);
    let width = row.size[1];
    let rows = a.chunks(width).zip(b.chunks(width));
    let oracle = Oracle::exact(rows.flat_map(|(a, b)| [a, b].concat()).collect());
    let work = |x: &[Tensor]| Ok(join::concat(&[&x[0], &x[1]], Some(1))?);
    Ok(Prepared::new(inputs, work, oracle))
}

fn fill(row: &Row) -> Result<Prepared> {
    let (shape, kind) = (row.size.clone(), dtype(row)?);
    let oracle = Oracle::exact(vec![FILL; shape.iter().product()]);
    let work = move |_: &[Tensor]| Ok(Tensor::full(&shape, FILL, kind)?);
    Ok(Prepared::new(Vec::new(), work, oracle))
}

fn from_list(row: &Row) -> Result<Prepared> {
    let values: Vec<f64> = (0..row.size[0]).map(|k| k as f64).collect();
    let oracle = Oracle::exact(values.clone());
    let work = move |_: &[Tensor]| Ok(Tensor::from_slice(&values, &[values.len()])?);
    Ok(Prepared::new(Vec::new(), work, oracle))
}
