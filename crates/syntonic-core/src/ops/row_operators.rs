//! Row operators: formulas that look at a whole row, declared once. Everything else, from the gradient to the Python function
//! and its tests, follows from the declaration.

use crate::error::{Error, Result, way_out};
use crate::fork::Lazy;
use crate::fuse::{Backward, Program, Role};
use crate::layout::normalize_axis;
use crate::run::{self, Axes};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, describe};

/// The declaration of a row operator; [`row_operators!`](crate::row_operators) writes it.
#[derive(Debug)]
pub struct RowOperator {
    /// The name users call it by.
    pub name: &'static str,
    /// Formula, shapes and source, for people.
    pub doc: &'static str,
    /// Names of the operands, and what each has for a row: the row itself, or one row for all.
    pub operands: &'static [(&'static str, Role)],
    /// Names of the settings, and their usual values.
    pub settings: &'static [(&'static str, f64)],
    /// Rows whose result is known from elsewhere.
    pub known: &'static [Known],
    /// The formula.
    pub program: Lazy<Program>,
    /// Its gradient with respect to every operand, or why it has none.
    pub gradient: Lazy<std::result::Result<Program, String>>,
}

/// A row of a row operator whose result is known.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The operands, a row each.
    pub operands: &'static [&'static [f64]],
    /// The settings.
    pub settings: &'static [f64],
    /// The result: a row, or one number.
    pub result: &'static [f64],
}

impl RowOperator {
    /// The operator over the rows along `axis`: operands of one shape `[.., n, ..]`, or `[n]` where one row is for all. The
    /// result has the shape of the first operand, without `axis` where the operator gives a number for each row.
    ///
    /// Operands are real floats of one device and promote to one type; sums of half types and `float32` accumulate in a wider
    /// type. Errors: [`Error::DType`] for other types, [`Error::Shape`] for shapes that do not go together, [`Error::Axis`]
    /// where there is no such axis, [`Error::Value`] for operands or settings of another number or NaN among the settings.
    ///
    /// ```
    /// use syntonic_core::{Tensor, ops::row_operators::RMS_NORM};
    ///
    /// let x = Tensor::from_slice(&[1.0, 7.0, -7.0, -1.0], &[2, 2])?;
    /// let weight = Tensor::from_slice(&[1.0, 10.0], &[2])?;
    /// let y = RMS_NORM.along(-1, &[&x, &weight], &[0.0])?;
    /// for (got, want) in y.to_vec::<f64>()?.into_iter().zip([0.2, 14.0, -1.4, -2.0]) {
    ///     assert!((got - want).abs() < 1e-14);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn along(&self, axis: isize, operands: &[&Tensor], settings: &[f64]) -> Result<Tensor> {
        let (axis, numbers) = self.check(axis, operands, settings)?;
        let made = run::rows(&self.program, operands, &numbers, &[axis], Axes::Drop);
        Ok(made?.remove(0))
    }

    /// The gradients of [`RowOperator::along`] with respect to each operand, from that of its result, `cotangent`. The gradient
    /// of an operand that is one row for all is a sum over the rows. Errors as there.
    ///
    /// ```
    /// use syntonic_core::ops::row_operators::NORMALIZE;
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([[3.0, 4.0]]);
    /// let along = Tensor::from([[3.0, 4.0]]);
    /// // The length of a row does not change what its direction is.
    /// let gradients = NORMALIZE.backward(-1, &along, &[&x], &[1e-12])?;
    /// assert!(gradients[0].abs()?.max(..)?.to_scalar::<f64>()? < 1e-15);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn backward(
        &self,
        axis: isize,
        cotangent: &Tensor,
        operands: &[&Tensor],
        settings: &[f64],
    ) -> Result<Vec<Tensor>> {
        let (axis, numbers) = self.check(axis, operands, settings)?;
        let program = self.gradient.as_ref();
        let program = program.map_err(|why| Error::value(self.name, why.as_str()))?;
        let given: Vec<(&str, &Tensor)> = (self.operands.iter().map(|operand| operand.0))
            .zip(operands.iter().copied())
            .chain([("cotangent_0", cotangent)])
            .collect();
        let named = self.settings.iter().map(|setting| setting.0).zip(numbers);
        let named: Vec<(&str, Scalar)> = named.collect();
        let (mut tensors, mut numbers) = (Vec::new(), Vec::new());
        for input in &program.inputs {
            let name: &str = &input.name;
            match given.iter().find(|(known, _)| *known == name) {
                Some((_, tensor)) => tensors.push(*tensor),
                None => numbers.extend(named.iter().find(|(known, _)| *known == name).map(|n| n.1)),
            }
        }
        self.check_cotangent(axis, cotangent, operands[0])?;
        run::rows(program, &tensors, &numbers, &[axis], Axes::Drop)
    }

    fn check(
        &self,
        axis: isize,
        operands: &[&Tensor],
        settings: &[f64],
    ) -> Result<(isize, Vec<Scalar>)> {
        let op = self.name;
        let counts = (operands.len(), settings.len());
        let wanted = (self.operands.len(), self.settings.len());
        if counts != wanted {
            let text = format!(
                "takes {} operands and {} settings, {} and {} given",
                wanted.0, wanted.1, counts.0, counts.1
            );
            return Err(Error::value(op, text));
        }
        if let Some(k) = settings.iter().position(|x| x.is_nan()) {
            let text = format!("{} is NaN; it must be a number", self.settings[k].0);
            return Err(Error::value(op, text));
        }
        if !operands.iter().all(|t| t.dtype().is_float()) {
            return Err(Error::DType {
                op,
                operands: describe(operands),
                hint: format!("takes real floats; {}", way_out::CONVERT),
            });
        }
        let x = operands[0];
        let axis = normalize_axis(op, axis, x.ndim())?;
        for ((name, role), t) in self.operands.iter().zip(operands) {
            let wanted = match role {
                Role::Row => &x.shape()[axis..=axis],
                _ => x.shape(),
            };
            if t.shape() != wanted {
                return Err(Error::Shape {
                    op,
                    operands: describe(operands),
                    hint: format!("{name} has to have the shape {wanted:?}"),
                });
            }
        }
        let numbers = settings.iter().map(|&x| Scalar::Float(x)).collect();
        Ok((axis as isize, numbers))
    }

    fn check_cotangent(&self, axis: isize, cotangent: &Tensor, x: &Tensor) -> Result<()> {
        let mut wanted = x.shape().to_vec();
        if self.gives_numbers() {
            wanted.remove(axis as usize);
        }
        if cotangent.shape() == wanted && cotangent.dtype().is_float() {
            return Ok(());
        }
        Err(Error::Shape {
            op: self.name,
            operands: describe(&[cotangent, x]),
            hint: format!(
                "the gradient of the result is of real floats and has the shape {wanted:?}"
            ),
        })
    }

    /// Whether there is a number for each row, not a row.
    ///
    /// ```
    /// use syntonic_core::ops::row_operators::{COSINE_SIMILARITY, RMS_NORM};
    ///
    /// assert!(COSINE_SIMILARITY.gives_numbers() && !RMS_NORM.gives_numbers());
    /// ```
    pub fn gives_numbers(&self) -> bool {
        let roles = self.program.outputs.iter().map(|output| output.role);
        roles.eq([crate::fuse::Yield::RowScalar])
    }
}

/// The gradient with respect to every operand.
#[doc(hidden)]
pub fn gradient_of(program: &Program, operands: usize) -> std::result::Result<Program, String> {
    let wrt: Vec<usize> = (0..operands).collect();
    let what = Backward {
        wrt: &wrt,
        from: &[0],
        given: &[],
    };
    let made = program.backward(what);
    made.map_err(|error| error.to_string())
}

/// Declares row operators: of each a constant with its declaration, a function over the rows along the last axis, and a place in
/// the table `ALL`.
///
/// ```text
/// NAME function(operands: element or row; settings = usual values) -> element or row_scalar
///     "Formula, shapes in -> out, source."
///     => expression over Sym,
///     known (operands, settings) => result;
/// ```
///
/// The path before the first is that of the module, for the example that each function gets.
///
/// ```
/// use syntonic_core::Tensor;
///
/// syntonic_core::row_operators! {
///     my_crate::operators;
///
///     SHARE share(x: element; floor = 0.0) -> element
///         "max(x, floor) / sum(max(x, floor)): `[.., n] -> [.., n]`."
///         => maximum(x, floor) / sum(maximum(x, floor)),
///         known ([1.0, 3.0]; 0.0) => [0.25, 0.75];
/// }
///
/// let shares = share(&Tensor::from([[1.0, 3.0], [-2.0, 5.0]]), 0.0)?;
/// assert_eq!(shares.to_vec::<f64>()?, [0.25, 0.75, 0.0, 1.0]);
/// assert_eq!((ALL[0].name, ALL[0].settings), ("share", &[("floor", 0.0)][..]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[macro_export]
macro_rules! row_operators {
    ($module:path; $($name:ident $function:ident(
        $($operand:ident: $kind:ident),+ $(; $($setting:ident = $usual:literal),+)?
    ) -> $out:ident $doc:literal => $body:expr,
    $(known ($($values:tt),+ $(; $($number:tt),+)?) => $result:tt),+;)*) => {
        $(
            #[doc = $doc]
            pub static $name: $crate::ops::row_operators::RowOperator = $crate::ops::row_operators::RowOperator {
                name: stringify!($function),
                doc: $doc,
                operands: &[$((stringify!($operand), $crate::fuse_role!($kind))),+],
                settings: &[$($((stringify!($setting), $usual)),+)?],
                known: &[$($crate::ops::row_operators::Known {
                    operands: &[$(&$values),+],
                    settings: &[$($($number),+)?],
                    result: &$result,
                }),+],
                program: $crate::fork::Lazy::new(|| {
                    #[allow(unused_imports)]
                    use $crate::fuse::notation::*;
                    $crate::fuse::notation::trace(
                        stringify!($function),
                        &[
                            $((stringify!($operand), $crate::fuse_role!($kind)),)+
                            $($((stringify!($setting), $crate::fuse::Role::Number),)+)?
                        ],
                        &[$crate::fuse_yield!($out)],
                        |args| {
                            let [$($operand,)+ $($($setting,)+)?] = *args else {
                                unreachable!("one value per declared input")
                            };
                            vec![$body]
                        },
                    )
                }),
                gradient: $crate::fork::Lazy::new(|| {
                    $crate::ops::row_operators::gradient_of(&$name.program, $name.operands.len())
                }),
            };

            #[doc = $doc]
            ///
            /// Over the rows along the last axis;
            #[doc = concat!("[`", stringify!($name), "`] has the other axes, the errors and the gradient.")]
            ///
            #[doc = concat!(
                "```\nuse syntonic_core::Tensor;\nuse ", stringify!($module), "::", stringify!($function), ";\n\n",
                $(
                    "let y = ", stringify!($function), "(",
                    $("&Tensor::from(", stringify!($values), "), ",)+ $($(stringify!($number), ", ",)+)? ")?;\n",
                    "assert_eq!(y.reshape(&[-1])?.to_string(), Tensor::from(", stringify!($result), ").to_string());\n",
                )+
                "# Ok::<(), syntonic_core::Error>(())\n```"
            )]
            pub fn $function($($operand: &$crate::Tensor,)+ $($($setting: f64,)+)?) -> $crate::Result<$crate::Tensor> {
                $name.along(-1, &[$($operand),+], &[$($($setting),+)?])
            }
        )*

        /// Every row operator of this table, in order.
        pub static ALL: &[&$crate::ops::row_operators::RowOperator] = &[$(&$name),*];
    };
}

row_operators! {
    syntonic_core::ops::row_operators;

    RMS_NORM rms_norm(x: element, weight: row; eps = 1e-6) -> element
        "x / sqrt(mean(x^2) + eps) * weight: `[.., n], [n] -> [.., n]`. Zhang and Sennrich, Root Mean Square Layer Normalization, 2019."
        => x * rsqrt(mean(square(x)) + eps) * weight,
        known ([1.0, 7.0, -1.0, -7.0], [1.0, 2.0, 3.0, 4.0]; 0.0) => [0.2, 2.8, -0.6, -5.6],
        known ([0.0, 0.0], [1.0, 1.0]; 1e-6) => [0.0, 0.0];

    NORMALIZE normalize(x: element; eps = 1e-12) -> element
        "x / max(|x|, eps), where |x| is the Euclidean norm of the row: `[.., n] -> [.., n]`. Squares neither overflow nor vanish."
        => x / maximum(euclidean(x), eps),
        known ([3.0, 4.0]; 1e-12) => [0.6, 0.8],
        known ([0.0, 0.0]; 1e-12) => [0.0, 0.0],
        known ([3e200, -4e200]; 1e-12) => [0.6, -0.8];

    COSINE_SIMILARITY cosine_similarity(a: element, b: element; eps = 1e-8) -> row_scalar
        "sum(a b) / (max(|a|, eps) max(|b|, eps)), the cosine of the angle between two rows: `[.., n], [.., n] -> [..]`."
        => sum(a / maximum(euclidean(a), eps) * (b / maximum(euclidean(b), eps))),
        known ([1.0, 0.0], [1.0, 1.0]; 1e-8) => [std::f64::consts::FRAC_1_SQRT_2],
        known ([3.0, 4.0], [4.0, 3.0]; 1e-8) => [0.96],
        known ([0.0, 0.0], [4.0, 3.0]; 1e-8) => [0.0];

    ENTROPY entropy(p: element) -> row_scalar
        "-sum(p ln p) in nats, with 0 ln 0 = 0: `[.., n] -> [..]`. Shannon, A Mathematical Theory of Communication, 1948."
        => sum(-p * log(select(eq(p, 0.0), 1.0, p))),
        known ([0.5, 0.25, 0.25]) => [1.5 * std::f64::consts::LN_2],
        known ([0.0, 1.0]) => [0.0];

    RELATIVE_ENTROPY relative_entropy(p: element, q: element) -> row_scalar
        "sum(p ln(p/q)) in nats, with 0 ln 0 = 0, and infinite where q is 0 and p is not: `[.., n], [.., n] -> [..]`. Kullback and Leibler, On Information and Sufficiency, 1951."
        => sum(p * (log(select(eq(p, 0.0), 1.0, p)) - log(select(eq(p, 0.0), 1.0, q)))),
        known ([0.5, 0.5], [0.25, 0.75]) => [0.143_841_036_225_890_46],
        known ([0.0, 1.0], [0.0, 1.0]) => [0.0],
        known ([0.5, 0.5], [0.0, 1.0]) => [f64::INFINITY];
}

/// The Euclidean norm of the row, scaled by its largest magnitude, as part of a formula.
fn euclidean(x: crate::fuse::notation::Sym) -> crate::fuse::notation::Sym {
    use crate::fuse::notation::{abs, max, root, square, stop_gradient, sum};
    let scale = stop_gradient(crate::ops::reduce::usable(max(abs(x))));
    root(sum(square(x / scale))) * scale
}

#[cfg(test)]
mod tests;
