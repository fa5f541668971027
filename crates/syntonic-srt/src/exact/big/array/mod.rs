//! Golden integers of any size by the element.

mod arithmetic;
mod folds;
mod integers;
mod places;

use super::GoldenBig;
use crate::exact::tensor::at;
use crate::exact::{ExactError, GoldenTensor, GoldenTensorError};
use std::sync::Arc;
use syntonic_core::{Error, interrupt, room};

type Result<T> = std::result::Result<T, GoldenTensorError>;

/// Golden integers of any size by the element, in the host's memory, whatever device the numbers were on before.
///
/// Operations are those of [`GoldenTensor`], and succeed where a coefficient leaves 64 bits; [`GoldenBigArray::narrow`] goes back. Each
/// element is computed on the calling thread, and takes memory of its own.
///
/// ```
/// use syntonic_srt::exact::{Golden, GoldenTensor};
///
/// let units = GoldenTensor::from_points(&[Golden::PHI, Golden::new(1, 1)], &[2])?.wide()?;
/// let powers = units.power(200)?;
/// assert!(powers.narrow().is_err());
/// assert_eq!(powers.times(&units.power(-199)?)?.narrow()?.to_points()?, [Golden::PHI, Golden::new(1, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoldenBigArray {
    points: Arc<Vec<GoldenBig>>,
    shape: Vec<usize>,
}

impl GoldenTensor {
    /// The points as numbers of any size, copied into the host's memory. Errors: memory that there is not.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let most = GoldenTensor::from_points(&[Golden::new(i64::MAX, 0)], &[1])?;
    /// assert!(most.plus(&most).is_err());
    /// assert_eq!(most.wide()?.plus(&most.wide()?)?.points()[0].to_string(), "18446744073709551614 + 0φ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wide(&self) -> Result<GoldenBigArray> {
        let (points, shape) = (self.to_points()?, self.shape());
        let bytes = 2 * (OVERHEAD + 8) * points.len() as u64;
        Ok(GoldenBigArray {
            points: Arc::new(each(points.len(), shape, bytes, |k| Ok(points[k].into()))?),
            shape: self.shape().to_vec(), // few: axes.
        })
    }
}

impl GoldenBigArray {
    /// The numbers in row-major order, in this shape. Errors: another number of them than the shape has places.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::one(); 6], &[2, 3])?;
    /// assert_eq!((x.shape(), x.numel()), (&[2, 3][..], 6));
    /// assert!(GoldenBigArray::new(vec![GoldenBig::one(); 6], &[2, 2]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(points: Vec<GoldenBig>, shape: &[usize]) -> Result<GoldenBigArray> {
        let places = shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
        if places != Some(points.len()) {
            return Err(GoldenTensorError::Shape {
                op: "golden array",
                shapes: vec![vec![points.len()], shape.to_vec()],
                hint: "a shape has as many places as there are numbers",
            });
        }
        Ok(GoldenBigArray {
            points: Arc::new(points),
            shape: shape.to_vec(), // few: axes.
        })
    }

    /// The numbers in row-major order.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// assert_eq!(GoldenBigArray::new(vec![GoldenBig::one()], &[])?.points(), [GoldenBig::one()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn points(&self) -> &[GoldenBig] {
        &self.points
    }

    /// Lengths of the axes.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// assert_eq!(GoldenBigArray::new(vec![GoldenBig::one(); 2], &[2, 1])?.shape(), [2, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many numbers there are.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// assert_eq!(GoldenBigArray::new(vec![GoldenBig::one(); 2], &[2, 1])?.numel(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numel(&self) -> usize {
        self.points.len()
    }

    /// The numbers in 64 bits, on the CPU. Errors: [`ExactError::Overflow`] with the place of the first that does not fit.
    ///
    /// ```
    /// use syntonic_srt::exact::{Golden, GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::new(3, 5)?, GoldenBig::new(u64::MAX, 0)?], &[2])?;
    /// assert_eq!(x.placed(|t| t.index(0))?.narrow()?.to_points()?, [Golden::new(3, 5)]);
    /// assert!(x.narrow().unwrap_err().to_string().contains("[1]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn narrow(&self) -> Result<GoldenTensor> {
        let points = each(self.numel(), &self.shape, 0, |k| self.points[k].narrow())?;
        GoldenTensor::from_points(&points, &self.shape)
    }

    /// Bytes that the coefficients take.
    fn bytes(&self) -> u64 {
        let bits = |x: &GoldenBig| x.a().bits() + x.b().bits();
        let each = self.points.iter().map(|x| bits(x) / 8 + 2 * OVERHEAD);
        each.sum()
    }

    /// The same for so many numbers of usual length.
    fn bytes_of(&self, numel: usize) -> u64 {
        (self.bytes() / (self.numel() as u64).max(1)).saturating_mul(numel as u64)
    }
}

/// Bytes of a coefficient besides its digits: what an allocator adds to an allocation, and rounds it up by.
const OVERHEAD: u64 = 40;

/// Memory for so many bytes of numbers that each take their own: what is refused at once is an error, and not the end of the process.
fn ask(bytes: u64) -> Result<()> {
    room::empty::<u8>(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    Ok(())
}

/// What each place gives, in row-major order. All results take so many `bytes` besides their vector. The caller is asked now and then whether to go on.
fn each<T>(
    numel: usize,
    shape: &[usize],
    bytes: u64,
    of: impl Fn(usize) -> std::result::Result<T, ExactError>,
) -> Result<Vec<T>> {
    ask(bytes.saturating_add(numel as u64 * size_of::<T>() as u64))?;
    let mut made = room::empty(numel)?;
    for place in 0..numel {
        interrupt::poll().map_err(Error::from)?;
        made.push(of(place).map_err(|error| refused(error, place, shape))?);
    }
    Ok(made)
}

/// An error of the element at a place in row-major order.
fn refused(error: ExactError, place: usize, shape: &[usize]) -> GoldenTensorError {
    match error {
        ExactError::Interrupted { .. } => Error::from(interrupt::Interrupted).into(),
        error => GoldenTensorError::Element {
            error,
            at: at(place, shape),
        },
    }
}

#[cfg(test)]
mod tests;
