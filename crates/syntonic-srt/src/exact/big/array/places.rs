//! Numbers in other places: a tensor of places goes where they go.

use super::{GoldenBigArray, Result, ask};
use crate::exact::GoldenTensorError;
use std::sync::Arc;
use syntonic_core::layout::broadcast_pair;
use syntonic_core::{Error, Tensor, interrupt, room};

impl GoldenBigArray {
    /// The numbers where `of` puts them: it is done to an `int64` tensor of their places and moves elements alone, as indices, slices and
    /// transposes do. Errors: those of `of`, and results that are no places.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new((0..6i64).map(GoldenBig::from).collect(), &[2, 3])?;
    /// let turned = x.placed(|t| t.permute(&[1, 0]))?;
    /// assert_eq!((turned.shape(), turned.points()[1].to_string()), (&[3, 2][..], "3 + 0φ".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placed(
        &self,
        of: impl Fn(&Tensor) -> syntonic_core::Result<Tensor>,
    ) -> Result<GoldenBigArray> {
        self.at_places(&of(&self.places()?)?)
    }

    /// The numbers in another shape of as many; one length may be -1.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::one(); 6], &[6])?;
    /// assert_eq!(x.reshape(&[2, -1])?.shape(), [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reshape(&self, shape: &[isize]) -> Result<GoldenBigArray> {
        let shape = self.places()?.reshape(shape)?.shape().to_vec(); // few: axes.
        Ok(GoldenBigArray {
            points: Arc::clone(&self.points),
            shape,
        })
    }

    /// The element at an index of the first axis. Errors: no such index.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new((0..4i64).map(GoldenBig::from).collect(), &[2, 2])?;
    /// assert_eq!(x.row(1)?.points(), [GoldenBig::from(2), GoldenBig::from(3)]);
    /// assert!(x.row(2).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row(&self, index: usize) -> Result<GoldenBigArray> {
        let shape = self.shape.get(1..).unwrap_or_default();
        let each: usize = shape.iter().product();
        let end = index.saturating_add(1).saturating_mul(each);
        let inside = self.shape.first().is_some_and(|&rows| index < rows);
        let row = self.points.get(end.saturating_sub(each)..end);
        match row.filter(|_| inside) {
            Some(row) => {
                ask(self.bytes_of(each))?;
                GoldenBigArray::new(room::collected(row.iter().cloned())?, shape)
            }
            None => Err(GoldenTensorError::Shape {
                op: "row",
                shapes: vec![self.shape.to_vec()],
                hint: "indices are from 0 on, below the length of the first axis",
            }),
        }
    }

    /// Several one behind the other along an axis that they have. Errors: as of [`Tensor::concat`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::one(); 2], &[1, 2])?;
    /// assert_eq!(GoldenBigArray::concat(&[&x, &x], 0)?.shape(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn concat(all: &[&GoldenBigArray], axis: isize) -> Result<GoldenBigArray> {
        joined(all, |parts| Tensor::concat(parts, axis))
    }

    /// Several of one shape along a new axis. Errors: as of [`Tensor::stack`].
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::one(); 2], &[2])?;
    /// assert_eq!(GoldenBigArray::stack(&[&x, &x, &x], 1)?.shape(), [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stack(all: &[&GoldenBigArray], axis: isize) -> Result<GoldenBigArray> {
        joined(all, |parts| Tensor::stack(parts, axis))
    }

    /// The place of each number in [`GoldenBigArray::points`], `int64` in the array's shape: what indices, masks and slices of it pick is what
    /// they pick of the array.
    ///
    /// ```
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new(vec![GoldenBig::one(); 4], &[2, 2])?;
    /// assert_eq!(x.places()?.index((.., 1))?.to_vec::<i64>()?, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places(&self) -> Result<Tensor> {
        places(0, &self.shape)
    }

    /// The numbers at these places, `int64`, in their shape. Errors: places that are none.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_srt::exact::{GoldenBig, GoldenBigArray};
    ///
    /// let x = GoldenBigArray::new((0..4i64).map(GoldenBig::from).collect(), &[2, 2])?;
    /// let picked = x.at_places(&Tensor::from([[3i64], [3]]))?;
    /// assert_eq!((picked.shape(), picked.points()), (&[2, 1][..], &[GoldenBig::from(3), GoldenBig::from(3)][..]));
    /// assert!(x.at_places(&Tensor::from([4i64])).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_places(&self, places: &Tensor) -> Result<GoldenBigArray> {
        let shape = places.shape().to_vec(); // few: axes.
        let places = places.to_vec::<i64>()?;
        ask(self.bytes_of(places.len()))?;
        let mut points = room::empty(places.len())?;
        for place in places {
            interrupt::poll().map_err(Error::from)?;
            // Places that are none come of a function that computes instead of moving.
            let one = usize::try_from(place).ok().and_then(|k| self.points.get(k));
            points.push(one.cloned().ok_or_else(|| GoldenTensorError::Shape {
                op: "placed",
                shapes: vec![self.shape.to_vec()],
                hint: "places are moved, and stay what they are",
            })?);
        }
        Ok(GoldenBigArray {
            points: Arc::new(points),
            shape,
        })
    }

    /// The places of both in the shape that they broadcast to.
    pub(super) fn together(
        &self,
        op: &'static str,
        other: &GoldenBigArray,
    ) -> Result<(Vec<i64>, Vec<i64>, Vec<usize>)> {
        let Some(shape) = broadcast_pair(&self.shape, &other.shape) else {
            return Err(GoldenTensorError::Shape {
                op,
                shapes: vec![self.shape.to_vec(), other.shape.to_vec()],
                hint: "lengths of an axis are equal, or one of them is 1",
            });
        };
        let spread = |x: &GoldenBigArray| -> Result<Vec<i64>> {
            Ok(x.places()?.broadcast_to(&shape)?.to_vec()?)
        };
        Ok((spread(self)?, spread(other)?, shape.to_vec())) // few: axes.
    }
}

/// Places from `first` on in this shape.
fn places(first: usize, shape: &[usize]) -> Result<Tensor> {
    let lengths = room::collected(shape.iter().map(|&n| n as isize))?;
    let count: usize = shape.iter().product();
    Ok(Tensor::arange(first as i64, (first + count) as i64, 1)?.reshape(&lengths)?)
}

fn joined(
    all: &[&GoldenBigArray],
    join: impl Fn(&[&Tensor]) -> syntonic_core::Result<Tensor>,
) -> Result<GoldenBigArray> {
    let (mut parts, mut first) = (Vec::new(), 0);
    ask(all.iter().map(|x| x.bytes()).sum())?;
    let mut points = room::empty(all.iter().map(|x| x.numel()).sum())?;
    for x in all {
        room::push(&mut parts, places(first, &x.shape)?)?;
        first += x.numel();
        points.extend(x.points.iter().cloned());
    }
    let shape = [points.len()];
    let places = join(&room::collected(parts.iter())?)?;
    GoldenBigArray::new(points, &shape)?.at_places(&places)
}
