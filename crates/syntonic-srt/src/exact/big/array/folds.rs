//! Sums and products along axes.

use super::{GoldenBigArray, Result, ask, refused};
use crate::exact::rows::Rows;
use crate::exact::{ExactError, GoldenBig};
use syntonic_core::ops::reduce::Over;
use syntonic_core::{Error, interrupt, room};

type Made = std::result::Result<GoldenBig, ExactError>;

impl GoldenBigArray {
    /// Sums over axes, as of [`Tensor::sum`](syntonic_core::Tensor::sum). Errors: axes out of range or named twice, and
    /// [`ExactError::TooLarge`] with its place in the result.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(u64::MAX, 1)?; 6], &[2, 3])?;
    /// assert_eq!(x.sum(&Over::from(1))?.points()[0], GoldenBig::new(3 * u128::from(u64::MAX), 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum(&self, over: &Over) -> Result<GoldenBigArray> {
        self.folded("sum", over, sum)
    }

    /// Products over axes, of halves, so that factors are about as large as each other. Errors as [`GoldenBigArray::sum`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![Golden::PHI.into(); 200], &[200])?;
    /// assert_eq!(x.prod(&Over::all())?.points(), [GoldenBig::phi_power(200)?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prod(&self, over: &Over) -> Result<GoldenBigArray> {
        self.folded("prod", over, product)
    }

    fn folded(
        &self,
        op: &'static str,
        over: &Over,
        fold: fn(&[&GoldenBig]) -> Made,
    ) -> Result<GoldenBigArray> {
        let rows = Rows::of(op, &self.shape, over)?;
        let places = rows.flat(&self.places()?)?.to_vec::<i64>()?;
        let count = rows.count();
        ask(self.bytes())?;
        let mut made = room::empty(count)?;
        for row in 0..count {
            interrupt::poll().map_err(Error::from)?;
            let places = &places[row * rows.length..(row + 1) * rows.length];
            let terms = room::collected(places.iter().map(|&k| &self.points[k as usize]))?;
            made.push(fold(&terms).map_err(|error| refused(renamed(op, error), row, &rows.shape))?);
        }
        GoldenBigArray::new(made, &rows.shape)
    }
}

/// The error of a step as that of the whole.
fn renamed(op: &'static str, error: ExactError) -> ExactError {
    match error {
        ExactError::TooLarge { bits, .. } => ExactError::TooLarge { op, bits },
        error => error,
    }
}

fn asked() -> std::result::Result<(), ExactError> {
    interrupt::poll().map_err(|_| ExactError::Interrupted { op: "fold" })
}

fn sum(terms: &[&GoldenBig]) -> Made {
    let mut sum = GoldenBig::zero();
    for term in terms {
        asked()?;
        sum = sum.plus(term)?;
    }
    Ok(sum)
}

fn product(factors: &[&GoldenBig]) -> Made {
    asked()?;
    match factors {
        [] => Ok(GoldenBig::one()),
        [one] => Ok((*one).clone()),
        all => {
            let (left, right) = all.split_at(all.len() / 2);
            product(left)?.times(&product(right)?)
        }
    }
}
