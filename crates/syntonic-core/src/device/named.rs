//! Operators whose operands, results and numbers have names: declared once, beside the kernel, and read by them on every device.

use super::{Arg, Kernel, Launch};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use std::cell::Cell;

/// A [`Kernel`] with the names of all that a launch of it has. [`run_named`](crate::ops::vectors::run_named) launches it, and whoever
/// computes it, on the CPU or elsewhere, reads the launch [by name](Launch::by_name).
///
/// The order of the names is that of the launch, where numbers come before lists; nobody else needs to know it.
///
/// ```
/// use syntonic_core::device::{Kernel, Launch, NamedKernel};
/// use syntonic_core::ops::vectors::{Operands, Places, read, run_named};
/// use syntonic_core::prelude::*;
///
/// /// `out = scale (x + y)` of `float64` vectors of one length.
/// static SCALED_SUM: NamedKernel = NamedKernel {
///     kernel: Kernel { name: "scaled_sum", cpu: scaled_sum },
///     inputs: &["x", "y"],
///     outputs: &["out"],
///     numbers: &["scale"],
///     lists: &[],
/// };
///
/// unsafe fn scaled_sum(launch: &Launch) -> syntonic_core::Result<()> {
///     let named = launch.by_name()?;
///     let ([x, y], out, scale) = (named.inputs(["x", "y"])?, named.output("out")?, named.real("scale")?);
///     // SAFETY: live vectors of one length, as the kernel says, and nobody else has the output.
///     let (x, y, out) = unsafe { (read::<f64>(x), read::<f64>(y), &mut *Places::of(out).range(0, out.layout.numel())) };
///     out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (x, y))| *out = scale * (x + y));
///     Ok(())
/// }
///
/// let (x, y) = (Tensor::from([1.0, 2.0]), Tensor::from([3.0, 4.0]));
/// let operands = Operands {
///     inputs: &[("x", &x), ("y", &y)],
///     outputs: &[("out", x.shape(), DType::F64)],
///     numbers: &[("scale", Scalar::from(0.5))],
///     lists: &[],
/// };
/// // SAFETY: two vectors of one length, and room for the result.
/// let out = unsafe { run_named(&SCALED_SUM, &operands)? }.take("out")?;
/// assert_eq!(out.to_vec::<f64>()?, [2.0, 3.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedKernel {
    /// The operator.
    pub kernel: Kernel,
    /// What is read.
    pub inputs: &'static [&'static str],
    /// What is written.
    pub outputs: &'static [&'static str],
    /// Numbers.
    pub numbers: &'static [&'static str],
    /// Lists of real numbers, and how many each has.
    pub lists: &'static [(&'static str, usize)],
}

impl NamedKernel {
    /// The error of a name that is not there.
    #[cold]
    pub(crate) fn no(&self, kind: &str, name: &str, there: &[&str]) -> Error {
        let text = format!("no {kind} {name:?} among {there:?}");
        Error::value(self.kernel.name, text)
    }

    /// Numbers of all kinds that a launch has.
    fn count_of_numbers(&self) -> usize {
        let listed: usize = self.lists.iter().map(|(_, count)| count).sum();
        self.numbers.len() + listed
    }
}

impl Launch {
    /// The operands, results and numbers by their names.
    ///
    /// Errors: a launch without names, or with another number of operands, results or numbers than there are names.
    ///
    /// ```
    /// use syntonic_core::device::{Kernel, Launch, NamedKernel};
    ///
    /// static NOTHING: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "nothing", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &[],
    ///     numbers: &["count"],
    ///     lists: &[],
    /// };
    /// let launch = Launch { params: vec![3.into()], named: Some(&NOTHING), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.whole::<u64>("count")?, 3);
    /// assert!(Launch { params: vec![], ..launch }.by_name().is_err());
    /// assert!(Launch::default().by_name().is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn by_name(&self) -> Result<ByName<'_>> {
        let Some(kernel) = self.named else {
            return Err(Error::value(
                "launch",
                "its operands have no names; hint: launch the operator by ops::vectors::run_named",
            ));
        };
        let there = [self.inputs.len(), self.outputs.len(), self.params.len()];
        let named = [
            kernel.inputs.len(),
            kernel.outputs.len(),
            kernel.count_of_numbers(),
        ];
        if there != named {
            let text =
                format!("{there:?} operands, results and numbers, and names for {named:?} of them");
            return Err(Error::value(kernel.kernel.name, text));
        }
        Ok(ByName {
            launch: self,
            kernel,
            next: Default::default(),
        })
    }
}

/// A launch whose parts are found by name: [`Launch::by_name`].
///
/// A name is first looked for behind the last one that was asked for, so that reading in the order of the declaration is a comparison for
/// each name. Any other order gives the same.
#[derive(Debug)]
pub struct ByName<'a> {
    launch: &'a Launch,
    kernel: &'static NamedKernel,
    /// Of inputs, outputs and numbers: the place behind the last one that was read.
    next: [Cell<usize>; 3],
}

const INPUTS: usize = 0;
const OUTPUTS: usize = 1;
const NUMBERS: usize = 2;

impl<'a> ByName<'a> {
    /// Where the name is. Most names are the next ones, and where a reader is inlined its name is a text of known length: all is inlined, since
    /// calls take twice as long.
    #[inline(always)]
    fn place(&self, part: usize, names: &[&str], name: &str) -> Result<usize> {
        let next = self.next[part].get();
        match names.get(next) {
            Some(&there) if there == name => {
                self.next[part].set(next + 1);
                Ok(next)
            }
            _ => self.search(part, names, name),
        }
    }

    #[inline(never)]
    fn search(&self, part: usize, names: &[&str], name: &str) -> Result<usize> {
        let Some(place) = names.iter().position(|&there| there == name) else {
            let kind = ["operand", "result", "number"][part];
            return Err(self.kernel.no(kind, name, names));
        };
        self.next[part].set(place + 1);
        Ok(place)
    }

    #[inline(always)]
    fn input_place(&self, name: &str) -> Result<usize> {
        self.place(INPUTS, self.kernel.inputs, name)
    }

    #[inline(always)]
    fn output_place(&self, name: &str) -> Result<usize> {
        self.place(OUTPUTS, self.kernel.outputs, name)
    }

    /// The operand of this name.
    ///
    /// Errors: [`Error::Value`] where the operator declares none of this name; it says which there are.
    ///
    /// ```
    /// # use syntonic_core::device::{Arg, Kernel, Launch, NamedKernel};
    /// # use syntonic_core::{DType, Layout};
    /// # let arg = |n: usize| Arg { base: std::ptr::null_mut(), dtype: DType::F64, layout: Layout::from_parts(&[n], &[1], 0) };
    /// static COPY: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "copy", cpu: |_| Ok(()) },
    ///     inputs: &["from"],
    ///     outputs: &["to"],
    ///     numbers: &[],
    ///     lists: &[],
    /// };
    /// let launch = Launch { inputs: vec![arg(3)], outputs: vec![arg(4)], named: Some(&COPY), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.input("from")?.layout.numel(), 3);
    /// let error = launch.by_name()?.input("form").unwrap_err();
    /// assert_eq!(error.to_string(), r#"copy: no operand "form" among ["from"]"#);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn input(&self, name: &str) -> Result<&'a Arg> {
        Ok(&self.launch.inputs[self.input_place(name)?])
    }

    /// The operands of these names. Errors as [`ByName::input`].
    ///
    /// ```
    /// # use syntonic_core::device::{Arg, Kernel, Launch, NamedKernel};
    /// # use syntonic_core::{DType, Layout};
    /// # let arg = |n: usize| Arg { base: std::ptr::null_mut(), dtype: DType::F64, layout: Layout::from_parts(&[n], &[1], 0) };
    /// static JOIN: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "join", cpu: |_| Ok(()) },
    ///     inputs: &["first", "last"],
    ///     outputs: &[],
    ///     numbers: &[],
    ///     lists: &[],
    /// };
    /// let launch = Launch { inputs: vec![arg(3), arg(4)], named: Some(&JOIN), ..Launch::default() };
    /// let [last, first] = launch.by_name()?.inputs(["last", "first"])?;
    /// assert_eq!((first.layout.numel(), last.layout.numel()), (3, 4));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn inputs<const N: usize>(&self, names: [&str; N]) -> Result<[&'a Arg; N]> {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = self.input_place(name)?;
        }
        Ok(places.map(|place| &self.launch.inputs[place]))
    }

    /// The result of this name. Errors as [`ByName::input`].
    ///
    /// ```
    /// # use syntonic_core::device::{Arg, Kernel, Launch, NamedKernel};
    /// # use syntonic_core::{DType, Layout};
    /// # let arg = |n: usize| Arg { base: std::ptr::null_mut(), dtype: DType::F64, layout: Layout::from_parts(&[n], &[1], 0) };
    /// static FILL: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "fill", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &["to"],
    ///     numbers: &[],
    ///     lists: &[],
    /// };
    /// let launch = Launch { outputs: vec![arg(4)], named: Some(&FILL), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.output("to")?.dtype, DType::F64);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn output(&self, name: &str) -> Result<&'a Arg> {
        Ok(&self.launch.outputs[self.output_place(name)?])
    }

    /// The results of these names. Errors as [`ByName::input`].
    ///
    /// ```
    /// # use syntonic_core::device::{Arg, Kernel, Launch, NamedKernel};
    /// # use syntonic_core::{DType, Layout};
    /// # let arg = |n: usize| Arg { base: std::ptr::null_mut(), dtype: DType::F64, layout: Layout::from_parts(&[n], &[1], 0) };
    /// static HALVES: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "halves", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &["left", "right"],
    ///     numbers: &[],
    ///     lists: &[],
    /// };
    /// let launch = Launch { outputs: vec![arg(3), arg(4)], named: Some(&HALVES), ..Launch::default() };
    /// let [left, right] = launch.by_name()?.outputs(["left", "right"])?;
    /// assert_eq!((left.layout.numel(), right.layout.numel()), (3, 4));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn outputs<const N: usize>(&self, names: [&str; N]) -> Result<[&'a Arg; N]> {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = self.output_place(name)?;
        }
        Ok(places.map(|place| &self.launch.outputs[place]))
    }

    #[inline(always)]
    fn number(&self, name: &str) -> Result<Scalar> {
        Ok(self.launch.params[self.place(NUMBERS, self.kernel.numbers, name)?])
    }

    /// The whole number of this name; a truth value is 0 or 1.
    ///
    /// Errors: [`Error::Value`] for a name that is not declared, and for a number that is none of `T`.
    ///
    /// ```
    /// # use syntonic_core::device::{Kernel, Launch, NamedKernel};
    /// static COUNT: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "count", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &[],
    ///     numbers: &["rows", "axis"],
    ///     lists: &[],
    /// };
    /// let launch = Launch { params: vec![3.into(), (-1).into()], named: Some(&COUNT), ..Launch::default() };
    /// let named = launch.by_name()?;
    /// assert_eq!((named.whole::<u64>("rows")?, named.whole::<i64>("axis")?), (3, -1));
    /// assert!(named.whole::<u64>("axis").is_err() && named.whole::<u64>("column").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn whole<T: TryFrom<i128>>(&self, name: &str) -> Result<T> {
        let number = self.number(name)?;
        let whole = match number {
            Scalar::Int(whole) => T::try_from(whole).ok(),
            Scalar::Bool(truth) => T::try_from(truth.into()).ok(),
            _ => None,
        };
        whole.ok_or_else(|| self.not_whole(name, number))
    }

    #[cold]
    fn not_whole(&self, name: &str, number: Scalar) -> Error {
        let text =
            format!("the number {name:?} is {number:?}, which is too large, negative or not whole");
        Error::value(self.kernel.kernel.name, text)
    }

    /// The whole numbers of these names. Errors as [`ByName::whole`].
    ///
    /// ```
    /// # use syntonic_core::device::{Kernel, Launch, NamedKernel};
    /// static TILE: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "tile", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &[],
    ///     numbers: &["m", "n"],
    ///     lists: &[],
    /// };
    /// let launch = Launch { params: vec![3.into(), 4.into()], named: Some(&TILE), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.wholes::<usize, 2>(["n", "m"])?, [4, 3]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline]
    pub fn wholes<T: TryFrom<i128> + Copy + Default, const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<[T; N]> {
        let mut found = [T::default(); N];
        for (found, name) in found.iter_mut().zip(names) {
            *found = self.whole(name)?;
        }
        Ok(found)
    }

    /// The real number of this name. Errors: [`Error::Value`] for a name that is not declared.
    ///
    /// ```
    /// # use syntonic_core::device::{Kernel, Launch, NamedKernel};
    /// static STEP: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "step", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &[],
    ///     numbers: &["rate"],
    ///     lists: &[],
    /// };
    /// let launch = Launch { params: vec![0.5.into()], named: Some(&STEP), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.real("rate")?, 0.5);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn real(&self, name: &str) -> Result<f64> {
        Ok(match self.number(name)? {
            Scalar::Float(real) => real,
            other => other.to_f64(),
        })
    }

    /// The list of this name. Errors: [`Error::Value`] for a name that is not declared, and for a list of another length.
    ///
    /// ```
    /// # use syntonic_core::device::{Kernel, Launch, NamedKernel};
    /// static SMOOTH: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "smooth", cpu: |_| Ok(()) },
    ///     inputs: &[],
    ///     outputs: &[],
    ///     numbers: &["axis"],
    ///     lists: &[("weights", 3)],
    /// };
    /// let params = vec![0.into(), 0.25.into(), 0.5.into(), 0.25.into()];
    /// let launch = Launch { params, named: Some(&SMOOTH), ..Launch::default() };
    /// assert_eq!(launch.by_name()?.list::<3>("weights")?, [0.25, 0.5, 0.25]);
    /// assert!(launch.by_name()?.list::<2>("weights").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn list<const N: usize>(&self, name: &str) -> Result<[f64; N]> {
        let mut from = self.kernel.numbers.len();
        for &(there, count) in self.kernel.lists {
            if there == name {
                if count != N {
                    return Err(self.other_length(name, count, N));
                }
                let mut list = [0.0; N];
                for (x, number) in list.iter_mut().zip(&self.launch.params[from..]) {
                    *x = number.to_f64();
                }
                return Ok(list);
            }
            from += count;
        }
        let there: Vec<&str> = self.kernel.lists.iter().map(|(there, _)| *there).collect();
        Err(self.kernel.no("list", name, &there))
    }

    #[cold]
    fn other_length(&self, name: &str, count: usize, asked: usize) -> Error {
        let text = format!("the list {name:?} has {count} numbers, and {asked} are asked for");
        Error::value(self.kernel.kernel.name, text)
    }
}

#[cfg(test)]
mod tests;
