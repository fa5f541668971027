//! What a tape is made of: values that were computed from tracked ones, each with the way back to its operands.

use super::refusal::overwritten;
use crate::dtype::DType;
use crate::error::Result;
use crate::layout::{Dims, Layout, elements};
use crate::lazy::rounded;
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The cotangents of the operands of one operation, in order; none where nothing flows.
///
/// They may be wider than an operand that was broadcast, and of another float type: whoever calls the rule sums and converts.
pub(crate) type Cotangents = SmallVec<[Option<Tensor>; 3]>;

/// From the cotangent of a value to those of its operands.
type Rule = Box<dyn Fn(&Back<'_>) -> Result<Cotangents> + Send + Sync>;

/// Operations are numbered as they are recorded, so an operand is always older than what was made of it.
static RECORDED: AtomicU64 = AtomicU64::new(0);

/// One value on the tape, which lies row-major in its memory.
///
/// A view of it is a tensor with the same node and another layout, so views cost nothing and need no rule: the cotangent of
/// a view is put where the view lies.
pub(crate) struct Node {
    pub(super) age: u64,
    pub(super) op: &'static str,
    pub(super) shape: Dims,
    pub(super) dtype: DType,
    /// Where in its memory the value begins, in elements.
    pub(super) offset: usize,
    pub(super) operands: SmallVec<[Operand; 2]>,
    /// The value, where the rule reads it. Not tracked: the node would keep itself alive.
    value: Option<Tensor>,
    /// None for a variable.
    pub(super) rule: Option<Rule>,
    /// What the rule reads of the cotangent.
    pub(super) reads: Reads,
    /// Whether a gradient with respect to it may still be asked for, where it is a variable.
    open: AtomicBool,
}

impl Node {
    /// True for a variable that hangs on nothing, and with respect to which somebody may ask for a gradient.
    pub(super) fn is_open(&self) -> bool {
        self.rule.is_none() && self.open.load(Ordering::Relaxed)
    }

    /// True where these positions of its memory are its own.
    pub(crate) fn holds(&self, (low, high): (usize, usize)) -> bool {
        let end = self.offset.saturating_add(elements(&self.shape));
        low >= self.offset && high <= end
    }

    /// Nobody asks for gradients with respect to this variable any more.
    pub(super) fn close(&self) {
        self.open.store(false, Ordering::Relaxed);
    }
}

/// An operand as it was when the operation was recorded.
pub(super) struct Operand {
    /// How the operation saw it; offset and strides are those of the node's memory.
    pub(super) layout: Layout,
    pub(super) dtype: DType,
    /// Where its cotangent goes; none for a constant.
    pub(super) node: Option<Arc<Node>>,
    /// Its elements, where the rule reads them.
    kept: Option<Kept>,
}

/// Elements that a rule reads later, and how often their memory had been written by then.
struct Kept {
    tensor: Tensor,
    writes: u64,
}

/// What a rule reads besides the cotangent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Shapes and types alone.
    Nothing,
    /// Every operand.
    Operands,
    /// The operands of these numbers, a bit each.
    These(u32),
    /// Every operand, and the value.
    All,
}

/// How a rule reads the cotangent of a half type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// As part of a formula, which goes on from values that are not rounded.
    Unrounded,
    /// In memory, as it is stored: products do.
    Stored,
}

impl Keep {
    fn keeps(self, operand: usize) -> bool {
        match self {
            Keep::Nothing => false,
            Keep::Operands | Keep::All => true,
            Keep::These(bits) => (bits >> operand) & 1 == 1,
        }
    }
}

/// Puts an operation on the tape: `value` was computed from the plain `operands`. What is no float, or hangs on nothing that is
/// tracked, stays a constant.
pub(crate) fn record(
    op: &'static str,
    operands: &[&Tensor],
    keep: Keep,
    value: Tensor,
    rule: impl Fn(&Back<'_>) -> Result<Cotangents> + Send + Sync + 'static,
) -> Result<Tensor> {
    record_reading(Reads::Unrounded, op, operands, keep, value, rule)
}

/// As [`record`], with what the rule reads of the cotangent.
pub(super) fn record_reading(
    reads: Reads,
    op: &'static str,
    operands: &[&Tensor],
    keep: Keep,
    value: Tensor,
    rule: impl Fn(&Back<'_>) -> Result<Cotangents> + Send + Sync + 'static,
) -> Result<Tensor> {
    if !value.dtype().is_inexact() || !operands.iter().any(|t| t.is_tracked()) {
        return Ok(value);
    }
    let value = value.contiguous()?;
    let operands = operands.iter().enumerate();
    let operands = operands.map(|(k, t)| Operand::new(t, keep.keeps(k)));
    let node = Node {
        age: RECORDED.fetch_add(1, Ordering::Relaxed),
        op,
        shape: value.shape().into(),
        dtype: value.dtype(),
        offset: value.layout().offset(),
        operands: operands.collect::<Result<_>>()?,
        value: (keep == Keep::All).then(|| value.clone()),
        rule: Some(Box::new(rule)),
        reads,
        open: AtomicBool::new(true),
    };
    Ok(value.with_node(Arc::new(node)))
}

/// A new variable with the values of `x`. Where `x` is tracked itself, the variable hangs on it.
pub(super) fn variable(x: &Tensor) -> Result<Tensor> {
    let plain = x.stop_gradient();
    // Memory that somebody outside may write would not keep the values that the gradient is taken at.
    let value = match plain.is_lent() {
        true => plain.copy()?,
        false => plain.contiguous()?,
    };
    if x.is_tracked() {
        return record("variable", &[x], Keep::Nothing, value, same);
    }
    let node = Node {
        age: RECORDED.fetch_add(1, Ordering::Relaxed),
        op: "variable",
        shape: value.shape().into(),
        dtype: value.dtype(),
        offset: value.layout().offset(),
        operands: SmallVec::new(),
        value: None,
        rule: None,
        reads: Reads::Unrounded,
        open: AtomicBool::new(true),
    };
    Ok(value.with_node(Arc::new(node)))
}

/// The rule of what moves one operand as it is, or converts it.
pub(crate) fn same(back: &Back<'_>) -> Result<Cotangents> {
    Ok(SmallVec::from_iter([Some(back.cotangent().clone())]))
}

impl Operand {
    fn new(x: &Tensor, keep: bool) -> Result<Operand> {
        let plain = x.stop_gradient();
        let kept = match keep {
            true => Some(Kept::new(if plain.is_lent() {
                plain.copy()?
            } else {
                plain
            })),
            false => None,
        };
        Ok(Operand {
            layout: x.layout().clone(),
            dtype: x.dtype(),
            // An integer that was made of something tracked lets nothing through.
            node: x.node().filter(|_| x.dtype().is_inexact()).cloned(),
            kept,
        })
    }
}

impl Kept {
    fn new(tensor: Tensor) -> Kept {
        let writes = tensor.writes();
        Kept { tensor, writes }
    }
}

/// One step back over an operation: what its rule may ask for.
pub(crate) struct Back<'a> {
    pub(super) node: &'a Arc<Node>,
    pub(super) cotangent: Tensor,
    /// Which operands lead to a variable.
    pub(super) wanted: &'a [bool],
    /// Whether what the rule computes is put on a tape, too.
    pub(super) tracked: bool,
}

impl Back<'_> {
    /// The cotangent of the value, with its shape and type.
    pub(crate) fn cotangent(&self) -> &Tensor {
        &self.cotangent
    }

    /// Whether the cotangent of operand `k` is asked for.
    pub(crate) fn wants(&self, k: usize) -> bool {
        self.wanted.get(k).copied().unwrap_or(false)
    }

    /// The shape of operand `k`.
    pub(crate) fn shape(&self, k: usize) -> &[usize] {
        self.node.operands[k].layout.shape()
    }

    /// The type of operand `k`.
    pub(crate) fn dtype(&self, k: usize) -> DType {
        self.node.operands[k].dtype
    }

    /// Operand `k` as it was. One that was not kept has one element, of its type: enough for a formula that asks for nothing
    /// but that type.
    pub(crate) fn operand(&self, k: usize) -> Result<Tensor> {
        let operand = &self.node.operands[k];
        let Some(kept) = &operand.kept else {
            return crate::ops::create::zeros(&[], operand.dtype, self.cotangent.device());
        };
        if kept.tensor.writes() != kept.writes {
            return Err(overwritten(self.node.op, &kept.tensor));
        }
        // Stored or computed again, a rule reads what was stored.
        let tensor = rounded(&kept.tensor)?;
        Ok(match &operand.node {
            Some(node) if self.tracked => tensor.with_node(node.clone()),
            _ => tensor,
        })
    }

    /// The value.
    pub(crate) fn value(&self) -> Result<Tensor> {
        let Some(value) = &self.node.value else {
            return crate::ops::create::zeros(&[], self.node.dtype, self.cotangent.device());
        };
        let value = rounded(value)?;
        Ok(match self.tracked {
            true => value.with_node(self.node.clone()),
            false => value,
        })
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Node({} -> {}{:?})",
            self.op,
            self.dtype,
            &self.shape[..]
        )
    }
}

/// A long chain is taken apart link by link: dropped as nested values, it would take a stack as deep as it is long.
impl Drop for Node {
    fn drop(&mut self) {
        // few: the operands of one operation, then those of what nobody else holds.
        let mut left: Vec<Arc<Node>> = Vec::new();
        let take = |node: &mut Node, left: &mut Vec<Arc<Node>>| {
            left.extend(node.operands.iter_mut().filter_map(|o| o.node.take()));
        };
        take(self, &mut left);
        while let Some(next) = left.pop() {
            if let Some(mut node) = Arc::into_inner(next) {
                take(&mut node, &mut left);
            }
        }
    }
}
