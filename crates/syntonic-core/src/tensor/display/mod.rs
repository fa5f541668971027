//! A tensor as text, as NumPy prints arrays: brackets, aligned columns, and the ends of axes where it is large.

mod lines;
mod number;
mod shown;

use super::Tensor;
use crate::cpu::cpu;
use crate::device::DeviceId;
use crate::dtype::DType;
use crate::error::Result;
use crate::scalar::Scalar;
use lines::Writer;
use number::{Form, Style, number};
use shown::Shown;
use std::fmt;

/// Which language says `true` and the imaginary unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// `true` and `2.5i`.
    Rust,
    /// `True` and `2.5j`.
    Python,
}

impl Words {
    fn truth(self, value: bool) -> &'static str {
        match (self, value) {
            (Words::Rust, true) => "true",
            (Words::Rust, false) => "false",
            (Words::Python, true) => "True",
            (Words::Python, false) => "False",
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Words::Rust => "i",
            Words::Python => "j",
        }
    }
}

impl Tensor {
    /// The values as nested brackets, the first of which stands in column `indent`. Of more than 1000 elements those at
    /// the ends of the axes are read, and a large tensor is never copied for it.
    ///
    /// Errors where the elements cannot be computed or read.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::Words;
    ///
    /// let x = Tensor::from([[1, 2], [3, 40]]);
    /// assert_eq!(x.text(Words::Rust, 0)?, "[[ 1,  2],\n [ 3, 40]]");
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn text(&self, words: Words, indent: usize) -> Result<String> {
        self.lines(words, indent, None)
    }

    /// [`Tensor::text`] with every number that is shown written by `number`, in columns of the width of the widest.
    ///
    /// Errors as there.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[1, 2], [3, 40]]);
    /// assert_eq!(x.text_by(0, &mut |n| format!("{:x}", n.to_i128()))?, "[[ 1,  2],\n [ 3, 28]]");
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn text_by(
        &self,
        indent: usize,
        number: &mut dyn FnMut(Scalar) -> String,
    ) -> Result<String> {
        Ok(written(&self.shown()?, indent, |x| number(*x)))
    }

    fn shown(&self) -> Result<Shown<Scalar>> {
        let mut here = self.stop_gradient().eval()?;
        if here.numel() <= shown::THRESHOLD {
            here = here.to(&cpu())?;
        }
        shown::pick(&here, &shown::parts(here.shape()))
    }

    fn lines(&self, words: Words, indent: usize, decimals: Option<usize>) -> Result<String> {
        let shown = self.shown()?;
        let style = if self.ndim() == 0 {
            Style::Whole
        } else {
            number::style(&shown)
        };
        let form = Form {
            words,
            dtype: self.dtype(),
            style,
            decimals,
        };
        Ok(written(&shown, indent, |x| number(*x, &form)))
    }
}

/// The values with their brackets, each number as `number` writes it.
fn written(
    shown: &Shown<Scalar>,
    indent: usize,
    mut number: impl FnMut(&Scalar) -> String,
) -> String {
    let text = shown.map(&mut number);
    Writer::new(&text).write(&text, indent)
}

/// The values as [`Tensor::text`], then the type where no literal of Rust would give it, and the device where it is not
/// the CPU. `{:.3}` asks for three decimals. What cannot be read prints as the reason.
///
/// ```
/// use syntonic_core::{DType, Tensor};
///
/// let x = Tensor::from([[1.0, 0.5], [-20.0, 3.25]]);
/// assert_eq!(x.to_string(), "[[  1.,  0.5],\n [-20., 3.25]]");
/// assert_eq!(format!("{:.1}", x.cast(DType::F32)?), "[[  1.0,   0.5],\n [-20.0,   3.2]] float32");
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lines(Words::Rust, 0, f.precision()) {
            Ok(text) => f.write_str(&text)?,
            Err(e) => write!(f, "<cannot be read: {e}>")?,
        }
        let usual = [DType::Bool, DType::I32, DType::I64, DType::F64, DType::C128];
        if !usual.contains(&self.dtype()) {
            write!(f, " {}", self.dtype())?;
        }
        match self.device_id() {
            DeviceId::Cpu => Ok(()),
            other => write!(f, " on {other}"),
        }
    }
}

/// Type, shape and device, and no element: reading one may compute it.
impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({})", self.describe())
    }
}
