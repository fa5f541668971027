//! Lattice points by the element: tensors whose elements are integers of Q(φ), exact on every device.

mod arithmetic;
mod division;
mod error;
mod floats;
mod folds;
mod kernels;
mod places;
mod powers;
mod product;
mod sequences;
mod share;

pub use error::GoldenTensorError;
pub(super) use error::at;
pub use floats::{Snapped, snap_tensor};
pub(crate) use floats::{points_of, shares};
pub use kernels::{COMPARE, FLOATS, FLOOR, MAP, NORMS, PRODUCT, SHARE, SNAP};
pub use sequences::{fibonacci_tensor, lucas_tensor};

use super::Golden;
use std::sync::Arc;
use syntonic_core::{DType, Device, Error, Tensor, describe, room, same_device, way_out};

type Result<T> = std::result::Result<T, GoldenTensorError>;

/// Integers `a + b φ` of the golden field by the element: two `int64` tensors of one shape on one device.
///
/// Every operation is exact on the CPU and on GPUs, and gives the same integers there. A coefficient that is no 64-bit integer is
/// an error with the place where it is, and operands stay as they were.
///
/// ```
/// use syntonic_srt::exact::{Golden, GoldenTensor, snap_tensor};
/// use syntonic_core::Tensor;
///
/// let x = Tensor::from_slice(&[0.1, 1.0, 2.618], &[3])?;
/// let points = snap_tensor(&x, 100)?.points;
/// let doubled = points.plus(&points)?;
/// assert_eq!(doubled.to_points()?[1], Golden::new(2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoldenTensor {
    a: Tensor,
    b: Tensor,
}

impl GoldenTensor {
    /// The points with these coefficients: integers of one shape, on one device. Errors: other types, shapes or devices, and
    /// `uint64` values that `int64` does not hold.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::new(&Tensor::from([1, 0]), &Tensor::from([2, 1]))?;
    /// assert_eq!(x.to_points()?, [Golden::new(1, 2), Golden::PHI]);
    /// assert!(GoldenTensor::new(&Tensor::from([1, 0]), &Tensor::from([2])).is_err());
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn new(a: &Tensor, b: &Tensor) -> Result<GoldenTensor> {
        const OP: &str = "golden tensor";
        same_device(OP, &[a, b])?;
        let whole = |t: &Tensor| t.dtype().is_integer() || t.dtype().is_bool();
        if !whole(a) || !whole(b) || a.dtype() == DType::U64 || b.dtype() == DType::U64 {
            return Err(Error::DType {
                op: OP,
                operands: describe(&[a, b]),
                hint: format!(
                    "coefficients are integers that int64 holds; {}",
                    way_out::CONVERT
                ),
            }
            .into());
        }
        if a.shape() != b.shape() {
            return Err(Error::Shape {
                op: OP,
                operands: describe(&[a, b]),
                hint: "both coefficients have one shape".into(),
            }
            .into());
        }
        // Points own their coefficients: what is written to the operands later is not seen.
        let held = |t: &Tensor| match t.dtype() {
            DType::I64 if t.numel() > 0 => t.copy(),
            _ => t.cast(DType::I64)?.contiguous()?.eval(),
        };
        Ok(GoldenTensor {
            a: held(a)?,
            b: held(b)?,
        })
    }

    /// The points of a slice, in row-major order, on the CPU.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(1, 2); 6], &[2, 3])?;
    /// assert_eq!((x.shape(), x.b().to_vec::<i64>()?), (&[2, 3][..], vec![2; 6]));
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn from_points(points: &[Golden], shape: &[usize]) -> Result<GoldenTensor> {
        let part = |of: fn(&Golden) -> i64| -> Result<Tensor> {
            Ok(Tensor::from_vec(
                room::collected(points.iter().map(of))?,
                shape,
            )?)
        };
        Ok(GoldenTensor {
            a: part(|point| point.a)?,
            b: part(|point| point.b)?,
        })
    }

    /// The points in row-major order.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let points = [Golden::ONE, Golden::PHI];
    /// assert_eq!(GoldenTensor::from_points(&points, &[2])?.to_points()?, points);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn to_points(&self) -> Result<Vec<Golden>> {
        let (a, b) = (self.a.to_vec::<i64>()?, self.b.to_vec::<i64>()?);
        let points = a.into_iter().zip(b).map(|(a, b)| Golden::new(a, b));
        Ok(room::collected(points)?)
    }

    /// The rational parts, `int64`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(3, 5)], &[1])?;
    /// assert_eq!(x.a().to_vec::<i64>()?, [3]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn a(&self) -> &Tensor {
        &self.a
    }

    /// The factors of φ, `int64`.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::new(3, 5)], &[1])?;
    /// assert_eq!(x.b().to_vec::<i64>()?, [5]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn b(&self) -> &Tensor {
        &self.b
    }

    /// Lengths of the axes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// assert_eq!(GoldenTensor::from_points(&[Golden::PHI; 6], &[2, 3])?.shape(), [2, 3]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn shape(&self) -> &[usize] {
        self.a.shape()
    }

    /// How many points there are.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// assert_eq!(GoldenTensor::from_points(&[Golden::PHI; 6], &[2, 3])?.numel(), 6);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn numel(&self) -> usize {
        self.a.numel()
    }

    /// Where the coefficients are.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI], &[1])?;
    /// assert_eq!(x.device().id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        self.a.device()
    }

    /// The same points on another device.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI], &[1])?;
    /// assert_eq!(x.to(&cpu())?.to_points()?, [Golden::PHI]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn to(&self, device: &Arc<dyn Device>) -> Result<GoldenTensor> {
        Ok(GoldenTensor {
            a: self.a.to(device)?,
            b: self.b.to(device)?,
        })
    }

    /// The same points in another shape of as many.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::exact::{Golden, GoldenTensor};
    ///
    /// let x = GoldenTensor::from_points(&[Golden::PHI; 6], &[6])?;
    /// assert_eq!(x.reshape(&[2, -1])?.shape(), [2, 3]);
    /// # Ok::<(), syntonic_srt::exact::GoldenTensorError>(())
    /// ```
    pub fn reshape(&self, shape: &[isize]) -> Result<GoldenTensor> {
        Ok(GoldenTensor {
            a: self.a.reshape(shape)?,
            b: self.b.reshape(shape)?,
        })
    }

    /// Row-major coefficients, broadcast to `shape`.
    fn spread(&self, shape: &[usize]) -> Result<GoldenTensor> {
        let spread = |t: &Tensor| t.broadcast_to(shape)?.contiguous()?.eval();
        Ok(GoldenTensor {
            a: spread(&self.a)?,
            b: spread(&self.b)?,
        })
    }
}

#[cfg(test)]
mod tests;
