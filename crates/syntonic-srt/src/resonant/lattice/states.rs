//! What all states have alike: their elements are moved, joined and computed with, and modes follow one rule.
//!
//! **The rule of modes.** An element that is moved keeps its mode: indices, reshapes, transposes, stacks and concatenations move
//! modes as they move elements. An element that is made of one element, or of two at the same place, keeps their mode, and where they
//! are of two states, modes must agree. An element that is made of several, as of a product of matrices, has none of
//! theirs: the result has the usual modes 0, 1, 4, ... along its last axis. [`States::with_norms`] gives other ones.

use super::{ResonantError, Result, Spectrum};
use std::sync::Arc;
use syntonic_core::layout::normalize_axis;
use syntonic_core::{Error, Tensor, describe, room};

/// What a kind of states is made of.
pub(super) mod sealed {
    use super::{Result, Spectrum};
    use std::sync::Arc;
    use syntonic_core::Tensor;

    /// Values that can be in other places.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// assert_eq!(flux.plus(&flux)?.values().to_vec::<f64>()?, [2.0, 4.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub trait Movable: Sized {
        /// One tensor that lies as the values do.
        fn shown(&self) -> &Tensor;
        fn placed(&self, of: &dyn Fn(&Tensor) -> syntonic_core::Result<Tensor>) -> Result<Self>;
        fn joined(all: &[&Self], join: super::Join) -> Result<Self>;
        fn plus(&self, other: &Self) -> Result<Self>;
        fn minus(&self, other: &Self) -> Result<Self>;
        fn times(&self, other: &Self) -> Result<Self>;
        fn negated(&self) -> Result<Self>;
        fn product(&self, other: &Self) -> Result<Self>;
    }

    /// Values and modes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// assert_eq!(flux.mode_norms().to_vec::<f64>()?, [0.0, 1.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    pub trait Parts: Sized + Clone {
        type Values: Movable;
        fn held(&self) -> &Self::Values;
        fn modes(&self) -> &Arc<Spectrum>;
        /// These values with these modes, and what else the states have.
        fn rebuilt(&self, values: Self::Values, modes: Arc<Spectrum>) -> Result<Self>;
    }
}

use sealed::{Movable, Parts};

/// How several become one.
#[derive(Clone, Copy, Debug)]
pub enum Join {
    /// One behind the other along an axis that they have.
    Concat(isize),
    /// Along a new axis.
    Stack(isize),
}

impl Join {
    pub(super) fn of(self, all: &[&Tensor]) -> syntonic_core::Result<Tensor> {
        match self {
            Join::Concat(axis) => Tensor::concat(all, axis),
            Join::Stack(axis) => Tensor::stack(all, axis),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Join::Concat(_) => "concat",
            Join::Stack(_) => "stack",
        }
    }
}

/// What [`Crystallized`](super::Crystallized) and [`Flux`](super::Flux) have alike. The modes of a result follow one rule: an element that is
/// moved keeps its mode, one made of two at the same place keeps theirs, which must agree, and products of matrices have the usual ones.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::resonant::lattice::{Flux, States};
///
/// let flux = Flux::new(&Tensor::from([1.0, 2.0, 3.0, 4.0]), None)?;
/// let part = flux.placed(|t| t.slice(0, Some(1), Some(3), 1))?;
/// assert_eq!(part.values().to_vec::<f64>()?, [2.0, 3.0]);
/// assert_eq!(part.spectrum().norms().to_vec::<f64>()?, [1.0, 4.0]);
/// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
/// ```
pub trait States: Parts {
    /// Squared mode norms: `[n]` where all states have the same along their last axis, else one for each element.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0, 3.0, 4.0]), None)?;
    /// assert_eq!(flux.mode_norms().to_vec::<f64>()?, [0.0, 1.0, 4.0, 9.0]);
    /// assert_eq!(flux.reshape(&[2, 2])?.mode_norms().shape(), [2, 2]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn mode_norms(&self) -> &Tensor {
        self.modes().norms()
    }

    /// The elements where `of` puts them, with their modes: it moves elements alone, as indices, slices, reshapes and transposes do.
    ///
    /// Errors: those of `of`, and a result without an axis, which is a number and no state.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([[1.0, 2.0], [3.0, 4.0]]), None)?;
    /// let picked = flux.placed(|t| t.take(&Tensor::from([1i64, 1, 0]), 1))?;
    /// assert_eq!(picked.values().to_vec::<f64>()?, [2.0, 2.0, 1.0, 4.0, 4.0, 3.0]);
    /// assert_eq!(picked.spectrum().norms().index(0)?.to_vec::<f64>()?, [1.0, 1.0, 0.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn placed(&self, of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>) -> Result<Self> {
        let values = self.held().placed(&of)?;
        axis_of("placed", values.shown())?;
        let modes = self.modes().placed(self.held().shown().shape(), &of)?;
        self.rebuilt(values, Arc::new(modes))
    }

    /// The same elements in another shape of as many, each with its mode. -1 stands for what is left.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0, 3.0, 4.0]), None)?;
    /// let square = flux.reshape(&[2, -1])?;
    /// assert_eq!(square.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0, 4.0, 9.0]);
    /// // [1, 2] of modes 0 and 1: (1 + 4 e^(-1/φ)) / 5.
    /// assert!((square.syntony()?.to_vec::<f64>()?[0] - 0.6312024661792357).abs() < 1e-15);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn reshape(&self, shape: &[isize]) -> Result<Self> {
        let values = self.held().placed(&|t| t.reshape(shape))?;
        axis_of("reshape", values.shown())?;
        // Rows of the same length are the rows that there were.
        if self.modes().is_row_of(values.shown()) {
            return self.rebuilt(values, self.modes().clone());
        }
        self.placed(|t| t.reshape(shape))
    }

    /// The axes in a new order. Each element keeps its mode.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([[1.0, 2.0], [3.0, 4.0]]), None)?;
    /// let turned = flux.permute(&[1, 0])?;
    /// assert_eq!(turned.values().to_vec::<f64>()?, [1.0, 3.0, 2.0, 4.0]);
    /// assert_eq!(turned.spectrum().norms().to_vec::<f64>()?, [0.0, 0.0, 1.0, 1.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn permute(&self, order: &[isize]) -> Result<Self> {
        self.placed(|t| t.permute(order))
    }

    /// Several one behind the other along an axis that they have, each element with its mode. What else states have is that of the first.
    ///
    /// Errors: none at all, and as of [`Tensor::concat`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// let both = Flux::concat(&[&flux, &flux], 0)?;
    /// assert_eq!(both.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0, 0.0, 1.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn concat(all: &[&Self], axis: isize) -> Result<Self> {
        joined(all, Join::Concat(axis))
    }

    /// Several of one shape along a new axis, each element with its mode. Errors as of [`States::concat`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// let both = Flux::stack(&[&flux, &flux], 0)?;
    /// assert_eq!((both.values().shape(), both.syntony()?.shape()), (&[2, 2][..], &[2][..]));
    /// assert_eq!(both.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn stack(all: &[&Self], axis: isize) -> Result<Self> {
        joined(all, Join::Stack(axis))
    }

    /// The same elements with other modes: squared norms `[n]`, or one for each element.
    ///
    /// Errors: norms of other shapes, or on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([0.0, 2.0]), None)?;
    /// assert_eq!(flux.with_norms(&Tensor::from([1.0, 0.0]))?.syntony()?.to_scalar::<f64>()?, 1.0);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn with_norms(&self, norms: &Tensor) -> Result<Self> {
        let modes = Spectrum::of("with_norms", self.held().shown(), Some(norms))?;
        self.rebuilt(self.held().placed(&|t| Ok(t.clone()))?, Arc::new(modes))
    }

    /// What `of` makes of the values, element by element; each keeps its mode. A result that the values are broadcast to repeats modes
    /// with them.
    ///
    /// Errors: those of `of`, and a result that the values do not broadcast to.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::nn::{LayerNorm, layer_norm};
    /// use syntonic_srt::resonant::lattice::{Flux, ResonantError, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0, 3.0]), None)?;
    /// let normed = flux.mapped(|x| Ok::<_, ResonantError>(layer_norm(x, None, LayerNorm::default())?))?;
    /// assert!(normed.values().sum(..)?.to_scalar::<f64>()?.abs() < 1e-15);
    /// # Ok::<(), ResonantError>(())
    /// ```
    fn mapped<E>(
        &self,
        of: impl FnOnce(&Self::Values) -> std::result::Result<Self::Values, E>,
    ) -> Result<Self>
    where
        ResonantError: From<E>,
    {
        let values = of(self.held())?;
        let modes = Spectrum::spread(self.modes(), "mapped", values.shown())?;
        self.rebuilt(values, modes)
    }

    /// What `of` makes of the values of two, element by element, broadcast together; each keeps its mode.
    ///
    /// Errors: [`ResonantError::Modes`] where modes differ, and those of `of`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, ResonantError, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// let squares = flux.zipped("squares", &flux, |x, y| x.try_mul(y))?;
    /// assert_eq!(squares.values().to_vec::<f64>()?, [1.0, 4.0]);
    /// let other = flux.with_norms(&Tensor::from([1.0, 1.0]))?;
    /// assert!(matches!(flux.zipped("sum", &other, |x, y| x.try_add(y)), Err(ResonantError::Modes { op: "sum" })));
    /// # Ok::<(), ResonantError>(())
    /// ```
    fn zipped<E>(
        &self,
        op: &'static str,
        other: &Self,
        of: impl FnOnce(&Self::Values, &Self::Values) -> std::result::Result<Self::Values, E>,
    ) -> Result<Self>
    where
        ResonantError: From<E>,
    {
        let values = of(self.held(), other.held())?;
        let modes = Spectrum::agreed(op, self.modes(), other.modes(), values.shown())?;
        self.rebuilt(values, modes)
    }

    /// `self + other`, broadcast together; exact for integers. Errors: as of [`States::zipped`], and a coefficient that is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::{Crystallized, States};
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([2.0, 1.618]), None, 10)?;
    /// assert_eq!(state.plus(&state)?.points().to_points()?, [Golden::new(4, 0), Golden::new(0, 2)]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn plus(&self, other: &Self) -> Result<Self> {
        self.zipped("plus", other, Movable::plus)
    }

    /// `self - other`. Errors as of [`States::plus`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([2.0, 0.5]), None)?;
    /// assert_eq!(flux.minus(&flux)?.values().to_vec::<f64>()?, [0.0, 0.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn minus(&self, other: &Self) -> Result<Self> {
        self.zipped("minus", other, Movable::minus)
    }

    /// `-self`. Errors where a coefficient is the least of all.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([2.0, -0.5]), None)?;
    /// assert_eq!(flux.negated()?.values().to_vec::<f64>()?, [-2.0, 0.5]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn negated(&self) -> Result<Self> {
        self.mapped(Movable::negated)
    }

    /// Times values by the element, which are no states: integers of the lattice for `Crystallized`, floats for a `Flux`. Errors as of
    /// [`States::mapped`], and a coefficient that is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    /// use syntonic_srt::resonant::lattice::{Crystallized, States};
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([2.0, 1.618]), None, 10)?;
    /// let cube = GoldenTensor::from_points(&[Golden::new(1, 2)], &[])?;
    /// // φ³ = 1 + 2φ and φ⁴ = 2 + 3φ.
    /// assert_eq!(state.times(&cube)?.points().to_points()?, [Golden::new(2, 4), Golden::new(2, 3)]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn times(&self, by: &Self::Values) -> Result<Self> {
        self.mapped(|x| x.times(by))
    }

    /// The product of matrices of states `[.., m, n]`, or of one state `[n]`, with values `[.., n, k]`: states `[.., m, k]` or `[k]` of the
    /// usual modes. It is exact for integers.
    ///
    /// Errors: shapes that do not go together, operands on two devices, and a coefficient that is too large.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// let made = flux.matmul(&Tensor::from([[1.0, 0.0, 3.0], [0.0, 1.0, 0.5]]))?;
    /// assert_eq!(made.values().to_vec::<f64>()?, [1.0, 2.0, 4.0]);
    /// assert_eq!(made.spectrum().norms().to_vec::<f64>()?, [0.0, 1.0, 4.0]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn matmul(&self, by: &Self::Values) -> Result<Self> {
        const OP: &str = "matmul";
        let alone = self.held().shown().ndim() == 1;
        if by.shown().ndim() < 2 {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[self.held().shown(), by.shown()]),
                hint: "states times a matrix, or a stack of them".into(),
            }
            .into());
        }
        let values = match alone {
            true => {
                let row = self.held().placed(&|t| t.expand_dims(&[0]))?;
                row.product(by)?.placed(&|t| t.squeeze(&[-2]))?
            }
            false => self.held().product(by)?,
        };
        let modes = Spectrum::of(OP, values.shown(), None)?;
        self.rebuilt(values, Arc::new(modes))
    }

    /// The same with the values of other states, whose modes do not matter. Errors as of [`States::matmul`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::Golden;
    /// use syntonic_srt::resonant::lattice::{Crystallized, States};
    ///
    /// let state = Crystallized::from_floats(&Tensor::from([[1.0, 2.0], [0.0, 1.618]]), None, 10)?;
    /// let square = state.matmul_of(&state)?.points().to_points()?;
    /// assert_eq!(square, [Golden::new(1, 0), Golden::new(2, 2), Golden::ZERO, Golden::new(1, 1)]);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn matmul_of(&self, other: &Self) -> Result<Self> {
        self.matmul(other.held())
    }

    /// The values alone where `of` puts them, which may leave no axis. Errors: those of `of`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::resonant::lattice::{Flux, States};
    ///
    /// let flux = Flux::new(&Tensor::from([1.0, 2.0]), None)?;
    /// assert_eq!(flux.values_placed(|t| t.index(1))?.to_scalar::<f64>()?, 2.0);
    /// # Ok::<(), syntonic_srt::resonant::lattice::ResonantError>(())
    /// ```
    fn values_placed(
        &self,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
    ) -> Result<Self::Values> {
        self.held().placed(&of)
    }
}

impl<S: Parts> States for S {}

/// States have an axis.
fn axis_of(op: &'static str, values: &Tensor) -> Result<()> {
    if values.ndim() > 0 {
        return Ok(());
    }
    Err(Error::Shape {
        op,
        operands: describe(&[values]),
        hint: "an element alone is a number and no state; take it of the points or the values"
            .into(),
    }
    .into())
}

fn joined<S: Parts>(all: &[&S], join: Join) -> Result<S> {
    let op = join.name();
    let Some(first) = all.first() else {
        return Err(Error::value(op, "no states; hint: give at least one").into());
    };
    let held = room::collected(all.iter().map(|s| s.held()))?;
    let values = S::Values::joined(&held, join)?;
    let shown = values.shown();
    let axis = match join {
        Join::Concat(axis) | Join::Stack(axis) => normalize_axis(op, axis, shown.ndim())?,
    };
    let modes = room::collected(all.iter().map(|s| (s.modes(), s.held().shown().shape())))?;
    let modes = Spectrum::joined(&modes, join, axis + 1 == shown.ndim())?;
    first.rebuilt(values, modes)
}
