//! Launches whose operands, results and numbers are given by name.

use super::made_by;
use crate::device::NamedKernel;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// What a launch of a [`NamedKernel`] is given: each part by its name, in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operands<'a> {
    /// Row-major tensors that are read; one that is not there has no elements.
    pub inputs: &'a [(&'static str, &'a Tensor)],
    /// Shapes and types of the results.
    pub outputs: &'a [(&'static str, &'a [usize], DType)],
    /// Numbers.
    pub numbers: &'a [(&'static str, Scalar)],
    /// Lists of real numbers.
    pub lists: &'a [(&'static str, &'a [f64])],
}

/// What a launch of a [`NamedKernel`] made: each result by its name.
#[derive(Debug)]
pub struct Results {
    kernel: &'static NamedKernel,
    made: Vec<Option<Tensor>>,
}

impl Results {
    /// The result of this name, once.
    ///
    /// Errors: [`Error::Value`] where the operator declares none of this name, and where it was taken before.
    ///
    /// ```
    /// use syntonic_core::device::{Kernel, NamedKernel};
    /// use syntonic_core::ops::vectors::{Operands, run_named};
    /// use syntonic_core::prelude::*;
    ///
    /// static NONE: NamedKernel = NamedKernel {
    ///     kernel: Kernel { name: "none", cpu: |_| Ok(()) },
    ///     inputs: &["like"],
    ///     outputs: &["none"],
    ///     numbers: &[],
    ///     lists: &[],
    /// };
    /// let x = Tensor::from([1.0]);
    /// let operands = Operands { inputs: &[("like", &x)], outputs: &[("none", &[0], DType::I64)], ..Operands::default() };
    /// // SAFETY: a result without elements is written.
    /// let mut made = unsafe { run_named(&NONE, &operands)? };
    /// assert!(made.take("some").is_err());
    /// assert_eq!(made.take("none")?.shape(), [0]);
    /// assert!(made.take("none").is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn take(&mut self, name: &str) -> Result<Tensor> {
        let names = self.kernel.outputs;
        let Some(place) = names.iter().position(|&there| there == name) else {
            return Err(self.kernel.no("result", name, names));
        };
        self.made[place].take().ok_or_else(|| {
            let text = format!("the result {name:?} was taken before");
            Error::value(self.kernel.kernel.name, text)
        })
    }
}

/// As [`run`](super::run), with operands, results and numbers by name: the launch has them in the order of the declaration, and whoever
/// computes it reads them with [`Launch::by_name`](crate::device::Launch::by_name). [`NamedKernel`] has an example.
///
/// Errors: [`Error::Value`] for a name that is not declared, for one that is not given or given twice, and for a list of another length;
/// and as `run`.
///
/// # Safety
/// Shapes, types and numbers are those that the kernel asks for, and it writes all of every result.
///
/// ```
/// use syntonic_core::device::{Kernel, NamedKernel};
/// use syntonic_core::ops::vectors::{Operands, run_named};
/// use syntonic_core::prelude::*;
///
/// static NONE: NamedKernel = NamedKernel {
///     kernel: Kernel { name: "none", cpu: |_| Ok(()) },
///     inputs: &["x"],
///     outputs: &[],
///     numbers: &["scale"],
///     lists: &[],
/// };
/// let x = Tensor::from([1.0]);
/// let operands = Operands { inputs: &[("x", &x)], ..Operands::default() };
/// // SAFETY: nothing is written.
/// let error = unsafe { run_named(&NONE, &operands) }.unwrap_err();
/// assert_eq!(error.to_string(), r#"none: no number "scale" among []"#);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub unsafe fn run_named(kernel: &'static NamedKernel, operands: &Operands<'_>) -> Result<Results> {
    let inputs = in_order(kernel, "operand", kernel.inputs, operands.inputs)?;
    let outputs = in_order(kernel, "result", kernel.outputs, operands.outputs)?;
    let numbers = in_order(kernel, "number", kernel.numbers, operands.numbers)?;
    let mut params: Vec<Scalar> = numbers.iter().map(|(_, number)| *number).collect(); // few: a kernel's numbers.
    let lists = in_order(kernel, "list", kernel.lists, operands.lists)?;
    for ((name, count), (_, list)) in kernel.lists.iter().zip(lists) {
        if list.len() != *count {
            let text = format!("the list {name:?} has {} numbers, not {count}", list.len());
            return Err(Error::value(kernel.kernel.name, text));
        }
        params.extend(list.iter().copied().map(Scalar::Float));
    }
    let inputs: Vec<&Tensor> = inputs.into_iter().map(|(_, tensor)| *tensor).collect(); // few: a kernel's operands.
    let outputs = outputs
        .into_iter()
        .map(|(_, shape, dtype)| (*shape, *dtype));
    // SAFETY: the caller's promise; each part is where the declaration says.
    let made = unsafe { made_by(&kernel.kernel, Some(kernel), &inputs, outputs, params)? };
    Ok(Results {
        kernel,
        made: made.into_iter().map(Some).collect(), // few: a kernel's results.
    })
}

/// What has a name.
trait HasName {
    fn name(&self) -> &'static str;
}

impl HasName for &'static str {
    fn name(&self) -> &'static str {
        self
    }
}

impl<A> HasName for (&'static str, A) {
    fn name(&self) -> &'static str {
        self.0
    }
}

impl<A, B> HasName for (&'static str, A, B) {
    fn name(&self) -> &'static str {
        self.0
    }
}

/// What is given in the order in which it is declared: each name once.
fn in_order<'g, D: HasName, G: HasName>(
    kernel: &NamedKernel,
    kind: &str,
    declared: &[D],
    given: &'g [G],
) -> Result<Vec<&'g G>> {
    let mut found = Vec::with_capacity(declared.len()); // few: a kernel's operands.
    for (place, declared) in declared.iter().enumerate() {
        let is_it = |given: &&G| given.name() == declared.name();
        let there = given.get(place).filter(is_it);
        let there = there.or_else(|| given.iter().find(is_it));
        found.push(there.ok_or_else(|| kernel.no(kind, declared.name(), &names(given)))?);
    }
    if given.len() == declared.len() {
        return Ok(found);
    }
    Err(too_many(kernel, kind, &names(declared), &names(given)))
}

fn names<T: HasName>(all: &[T]) -> Vec<&'static str> {
    all.iter().map(HasName::name).collect() // few: as above.
}

/// The error where more is given than is declared, and all that is declared.
#[cold]
fn too_many(kernel: &NamedKernel, kind: &str, declared: &[&str], given: &[&str]) -> Error {
    match given.iter().find(|name| !declared.contains(name)) {
        Some(name) => kernel.no(kind, name, declared),
        None => {
            let text = format!("{given:?} are given for the {kind}s {declared:?}");
            Error::value(kernel.kernel.name, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Kernel, Launch};
    use crate::ops::vectors::{Places, read};

    /// `difference = a - b` and `scaled = scale (a - b) + shifts[1]`, all of one element.
    static PAIR: NamedKernel = NamedKernel {
        kernel: Kernel {
            name: "pair",
            cpu: pair,
        },
        inputs: &["a", "b"],
        outputs: &["difference", "scaled"],
        numbers: &["scale"],
        lists: &[("shifts", 2)],
    };

    unsafe fn pair(launch: &Launch) -> Result<()> {
        let named = launch.by_name()?;
        let ([a, b], [difference, scaled]) = (
            named.inputs(["a", "b"])?,
            named.outputs(["difference", "scaled"])?,
        );
        let (scale, shifts) = (named.real("scale")?, named.list::<2>("shifts")?);
        // SAFETY: live vectors of one element.
        unsafe {
            let by = read::<f64>(a)[0] - read::<f64>(b)[0];
            (*Places::of(difference).range(0, 1))[0] = by;
            (*Places::of(scaled).range(0, 1))[0] = scale * by + shifts[1];
        }
        Ok(())
    }

    const ONE: &[usize] = &[1];
    const RESULTS: [(&str, &[usize], DType); 2] =
        [("difference", ONE, DType::F64), ("scaled", ONE, DType::F64)];

    fn tried(operands: Operands<'_>) -> Result<[f64; 2]> {
        // SAFETY: the parts that fit the declaration are those that the kernel asks for.
        let mut made = unsafe { run_named(&PAIR, &operands)? };
        let scaled = made.take("scaled")?.to_scalar::<f64>()?;
        Ok([made.take("difference")?.to_scalar::<f64>()?, scaled])
    }

    #[test]
    fn parts_come_in_any_order() {
        let (a, b) = (Tensor::from([5.0]), Tensor::from([3.0]));
        let mut operands = Operands {
            inputs: &[("a", &a), ("b", &b)],
            outputs: &RESULTS,
            numbers: &[("scale", Scalar::Float(10.0))],
            lists: &[("shifts", &[0.25, 0.5])],
        };
        assert_eq!(tried(operands).unwrap(), [2.0, 20.5]);
        let turned = [RESULTS[1], RESULTS[0]];
        operands.outputs = &turned;
        let inputs = [("b", &b), ("a", &a)];
        operands.inputs = &inputs;
        assert_eq!(tried(operands).unwrap(), [2.0, 20.5]);
    }

    #[test]
    fn what_does_not_fit_the_declaration_is_an_error() {
        let a = Tensor::from([5.0]);
        let operands = Operands {
            inputs: &[("a", &a), ("b", &a)],
            outputs: &RESULTS,
            numbers: &[("scale", Scalar::Float(10.0))],
            lists: &[("shifts", &[0.25, 0.5])],
        };
        assert!(tried(operands).is_ok());
        let said = |operands: Operands<'_>| tried(operands).unwrap_err().to_string();
        let of = |inputs: &[(&'static str, &Tensor)]| said(Operands { inputs, ..operands });
        assert_eq!(of(&[("a", &a)]), r#"pair: no operand "b" among ["a"]"#);
        assert_eq!(
            of(&[("a", &a), ("c", &a)]),
            r#"pair: no operand "b" among ["a", "c"]"#
        );
        assert_eq!(
            of(&[("a", &a), ("b", &a), ("c", &a)]),
            r#"pair: no operand "c" among ["a", "b"]"#
        );
        assert_eq!(
            of(&[("a", &a), ("b", &a), ("a", &a)]),
            r#"pair: ["a", "b", "a"] are given for the operands ["a", "b"]"#
        );
        assert_eq!(
            said(Operands {
                outputs: &RESULTS[..1],
                ..operands
            }),
            r#"pair: no result "scaled" among ["difference"]"#
        );
        let numbers = [("size", Scalar::Int(1))];
        assert_eq!(
            said(Operands {
                numbers: &numbers,
                ..operands
            }),
            r#"pair: no number "scale" among ["size"]"#
        );
        let lists = [("shifts", &[0.5][..])];
        assert_eq!(
            said(Operands {
                lists: &lists,
                ..operands
            }),
            r#"pair: the list "shifts" has 1 numbers, not 2"#
        );
    }
}
