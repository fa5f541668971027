//! What fits together.

use super::{Attention, OP};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::{Dims, broadcast_pair};
use crate::tensor::{Tensor, describe, same_device};
use std::sync::Arc;

/// The lengths of one call.
#[derive(Clone, Debug)]
pub(super) struct Forms {
    /// The leading axes, which are one in the kernel.
    lead: Dims,
    /// Whether queries have an axis of heads.
    heads: bool,
    pub(super) b: usize,
    pub(super) h: usize,
    /// Heads of keys and values.
    pub(super) g: usize,
    pub(super) q: usize,
    pub(super) k: usize,
    pub(super) d: usize,
    pub(super) e: usize,
    /// The type of the sums.
    pub(super) sums: DType,
    pub(super) causal: bool,
    pub(super) scale: f64,
    pub(super) device: Arc<dyn Device>,
}

impl Forms {
    pub(super) fn of(tensors: [&Tensor; 3], settings: &Attention<'_>) -> Result<Forms> {
        let [q, k, v] = tensors;
        // few: the operands of one call.
        let mut all: Vec<&Tensor> = tensors.to_vec();
        all.extend(settings.operands);
        all.extend(settings.mask);
        let device = same_device(OP, &all)?;
        let dtype = q.dtype();
        if !dtype.is_float() || dtype.is_stored() || tensors.iter().any(|t| t.dtype() != dtype) {
            return Err(Error::DType {
                op: OP,
                operands: describe(&tensors),
                hint: format!(
                    "queries, keys and values are of one real float type, which is that of the result; {}",
                    crate::error::way_out::CONVERT
                ),
            });
        }
        let fail = |hint: String| Error::Shape {
            op: OP,
            operands: describe(&tensors),
            hint,
        };
        let few = tensors.iter().any(|t| t.ndim() < 3);
        if few && tensors.iter().any(|t| t.ndim() != 2) {
            return Err(fail(
                "queries are [.., heads, queries, width], keys and values [.., heads, keys, width]; or all three are matrices, of one head".into(),
            ));
        }
        let heads = !few;
        let inner = |t: &Tensor| {
            let n = t.ndim();
            let head = if heads { t.shape()[n - 3] } else { 1 };
            (head, t.shape()[n - 2], t.shape()[n - 1])
        };
        let ((h, rows, d), (g, keys, width), (of_values, values, e)) =
            (inner(q), inner(k), inner(v));
        if width != d || d == 0 {
            return Err(fail(format!(
                "a query and a key have one width of at least 1, not {d} and {width}"
            )));
        }
        if values != keys || of_values != g {
            return Err(fail(
                "there is a value for each key, in as many heads".into(),
            ));
        }
        if g == 0 || h == 0 || h % g != 0 {
            return Err(fail(format!(
                "the {h} heads of queries must be a multiple of the {g} heads of keys, each of which serves as many neighbours"
            )));
        }
        let leading = |t: &Tensor| Dims::from(&t.shape()[..t.ndim() - if heads { 3 } else { 2 }]);
        let lead = broadcast_pair(&leading(q), &leading(k));
        let lead = lead.and_then(|lead| broadcast_pair(&lead, &leading(v)));
        let lead = lead.ok_or_else(|| {
            fail("the axes before heads, aligned from the right, must be equal or 1".into())
        })?;
        let scale = settings.scale.unwrap_or(1.0 / (d as f64).sqrt());
        if !scale.is_finite() {
            return Err(Error::value(
                OP,
                format!("scale is {scale}; it must be finite"),
            ));
        }
        Ok(Forms {
            b: crate::layout::count(OP, &lead)?,
            lead,
            heads,
            h,
            g,
            q: rows,
            k: keys,
            d,
            e,
            sums: dtype.compute(),
            causal: settings.causal,
            scale,
            device,
        })
    }

    /// The space of the scores.
    pub(super) fn space(&self) -> [usize; 4] {
        [self.b, self.h, self.q, self.k]
    }

    pub(super) fn queries(&self, q: &Tensor) -> Result<Tensor> {
        self.as_stack(q, [self.h, self.q, self.d])
    }

    pub(super) fn keys(&self, k: &Tensor, width: usize) -> Result<Tensor> {
        self.as_stack(k, [self.g, self.k, width])
    }

    /// The tensor with its leading axes as one.
    fn as_stack(&self, x: &Tensor, inner: [usize; 3]) -> Result<Tensor> {
        let x = match self.heads {
            true => x.clone(),
            false => x.expand_dims(&[0])?,
        };
        let whole = x.broadcast_to(&self.shape(&inner))?;
        match self.lead.len() {
            1 => Ok(whole),
            _ => {
                let [a, b, c] = inner.map(|len| len as isize);
                whole.reshape(&[self.b as isize, a, b, c])
            }
        }
    }

    /// A mask over the space of the scores: one with all leading axes has them as one.
    pub(super) fn mask(&self, mask: &Tensor) -> Result<Tensor> {
        let over = |shape: &[usize]| mask.layout().broadcast_to(shape).is_some();
        if mask.ndim() <= 4 && over(&self.space()) {
            return Ok(mask.clone());
        }
        let full = self.shape(&[self.h, self.q, self.k]);
        if !over(&full) {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[mask]),
                hint: format!(
                    "a mask broadcasts to [batch, heads, queries, keys], here {:?}",
                    &full[..]
                ),
            });
        }
        let [a, b, c, d] = self.space().map(|len| len as isize);
        mask.broadcast_to(&full)?.reshape(&[a, b, c, d])
    }

    /// The result with all leading axes.
    pub(super) fn result(&self, out: &Tensor) -> Result<Tensor> {
        let shape = match self.heads {
            true => self.shape(&[self.h, self.q, self.e]),
            false => self.shape(&[self.q, self.e]),
        };
        let shape: Vec<isize> = shape.iter().map(|&len| len as isize).collect();
        out.reshape(&shape)
    }

    fn shape(&self, inner: &[usize]) -> Dims {
        self.lead.iter().chain(inner).copied().collect()
    }
}
