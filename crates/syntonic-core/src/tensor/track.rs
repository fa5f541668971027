//! What a tensor knows of the tape that it was made on.

use super::Tensor;
use crate::grad::Node;
use std::sync::Arc;

impl Tensor {
    /// True where the tensor is made of a variable whose gradient is taken, see [`grad`](mod@crate::grad).
    ///
    /// ```
    /// use syntonic_core::{Tensor, grad::grad};
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// assert!(!x.is_tracked());
    /// grad(|v| { assert!(v[0].square()?.is_tracked()); v[0].sum(..) }, &[&x])?;
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn is_tracked(&self) -> bool {
        self.node.is_some()
    }

    /// The same values as a constant, which no gradient flows through.
    ///
    /// ```
    /// use syntonic_core::{Tensor, grad::grad};
    ///
    /// // The gradient of x times a constant 3 is 3, where that of x squared were 6.
    /// let slope = grad(|v| v[0].try_mul(&v[0].stop_gradient()), &[&Tensor::from([3.0])])?;
    /// assert_eq!(slope[0].to_vec::<f64>()?, [3.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[must_use]
    pub fn stop_gradient(&self) -> Tensor {
        Tensor {
            dtype: self.dtype,
            access: self.access,
            layout: self.layout.clone(),
            source: self.source.clone(),
            node: None,
        }
    }

    #[inline]
    pub(crate) fn node(&self) -> Option<&Arc<Node>> {
        self.node.as_ref()
    }

    /// The same values as those of a node, whose memory this is.
    pub(crate) fn with_node(mut self, node: Arc<Node>) -> Tensor {
        self.node = Some(node);
        self
    }

    /// How often somebody was about to write its memory in place.
    pub(crate) fn writes(&self) -> u64 {
        self.source.in_memory().map_or(0, |buffer| buffer.writes())
    }

    /// True while somebody outside may write its memory.
    pub(crate) fn is_lent(&self) -> bool {
        self.source.in_memory().is_some_and(|b| b.is_lent())
    }
}
