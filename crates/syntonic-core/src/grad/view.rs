//! The way back from a view to what it is a view of.

use super::node::{Keep, Node, record};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::layout::{Dims, Layout};
use crate::lazy::as_type;
use crate::ops::create::{arange, zeros};
use crate::ops::elementwise::apply;
use crate::ops::index::{self, IndexItem};
use crate::ops::reduce::{self, Over};
use crate::run::Axes;
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use smallvec::SmallVec;

/// `g` summed over the axes that a value of this shape was broadcast along, and as this type.
pub(super) fn fitted(g: &Tensor, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let mut out = g.clone();
    if out.ndim() < shape.len() {
        let leading: Vec<isize> = (0..(shape.len() - out.ndim()) as isize).collect();
        out = out.expand_dims(&leading)?;
    }
    if out.shape() != shape {
        let more = out.ndim().saturating_sub(shape.len());
        let stretched =
            |axis: &usize| *axis < more || (shape[axis - more] == 1 && out.shape()[*axis] != 1);
        let axes: Vec<isize> = (0..out.ndim())
            .filter(stretched)
            .map(|axis| axis as isize)
            .collect();
        if !axes.is_empty() {
            out = reduce::sum(&out, &Over::axes(&axes).keep(), None)?;
        }
        let leading: Vec<isize> = (0..more as isize).collect();
        out = out.squeeze(&leading)?.broadcast_to(shape)?;
    }
    if out.dtype().is_complex() && !dtype.is_complex() {
        out = apply(Prim::Real, &[(&out).into()])?;
    }
    as_type(&out, dtype)
}

/// The cotangent of the value `node` from that of the view of it that `layout` shows.
pub(super) fn whole(g: &Tensor, layout: &Layout, node: &Node) -> Result<Tensor> {
    if *g.shape() == node.shape[..] && layout.is_contiguous() && layout.offset() == node.offset {
        return Ok(g.clone());
    }
    // Repeated elements are one element.
    let repeated: Vec<isize> = (0..layout.ndim())
        .filter(|&axis| layout.strides()[axis] == 0 && layout.shape()[axis] != 1)
        .map(|axis| axis as isize)
        .collect();
    let g = match repeated.is_empty() {
        true => g.clone(),
        false => reduce::sum(g, &over(&repeated), None)?,
    };
    let from = layout.offset() - node.offset.min(layout.offset());
    let layout = Layout::from_parts(g.shape(), layout.strides(), from);
    if let Some(order) = order_of(&layout, &node.shape) {
        return g.permute(&order)?.reshape(&signed(&node.shape));
    }
    placed(&g, layout, node.shape.clone())
}

fn over(axes: &[isize]) -> Over {
    Over {
        axes: Some(axes.to_vec()),
        keep: Axes::Keep,
    }
}

fn signed(shape: &[usize]) -> Vec<isize> {
    shape.iter().map(|&len| len as isize).collect()
}

/// The order of axes in which the view shows every element of the row-major value as it lies, if there is one.
fn order_of(layout: &Layout, shape: &[usize]) -> Option<Vec<isize>> {
    if layout.offset() != 0 || layout.numel() != shape.iter().product::<usize>() {
        return None;
    }
    let mut order: Vec<usize> = (0..layout.ndim()).collect();
    let key = |&axis: &usize| {
        (
            layout.shape()[axis] != 1,
            std::cmp::Reverse(layout.strides()[axis]),
        )
    };
    order.sort_by_key(key);
    let lies = layout.permute(&order).is_ok_and(|l| l.is_contiguous());
    lies.then(|| order.into_iter().map(|axis| axis as isize).collect())
}

/// Zeros of this shape with `g` added where `layout` leads.
fn placed(g: &Tensor, layout: Layout, shape: Dims) -> Result<Tensor> {
    if g.is_tracked() {
        let value = placed(&g.stop_gradient(), layout.clone(), shape)?;
        return record("view", &[g], Keep::Nothing, value, move |back| {
            let whole = back.cotangent().contiguous()?;
            let from = layout.offset() + whole.layout().offset();
            let seen = Layout::from_parts(layout.shape(), layout.strides(), from);
            Ok(SmallVec::from_iter([Some(whole.relayout(seen)?)]))
        });
    }
    let out = zeros(&shape, g.dtype(), g.device())?;
    if out.numel() == 0 || g.numel() == 0 {
        return Ok(out);
    }
    if !layout.may_overlap() {
        out.relayout(layout)?.overwrite(g)?;
        return Ok(out);
    }
    let (zero, one) = (Scalar::Int(0), Scalar::Int(1));
    let end = Scalar::Int(out.numel() as i128);
    let places = arange(zero, end, one, Some(DType::I64), g.device())?.relayout(layout)?;
    let mut flat = out.reshape(&[-1])?;
    drop(out);
    index::add(&mut flat, &[IndexItem::Array(places)], g)?;
    flat.reshape(&signed(&shape))
}
