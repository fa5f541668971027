//! The notation formulas are written in: plain arithmetic over [`Sym`], traced once into a graph.
//!
//! ```
//! syntonic_core::fuse! {
//!     /// Softmax along the row: e^(x_i) / sum of e^(x_j).
//!     pub SOFTMAX(x: element) -> (element) {
//!         let e = exp(x - max(x));
//!         e / sum(e)
//!     }
//! }
//! assert!(SOFTMAX.has_folds());
//! ```

use super::program::{Fold, Node, NodeId, Precision, Program, Role, Yield};
use super::{Builder, Prim};
use crate::dtype::DType;
use crate::scalar::Scalar;
use std::cell::RefCell;

mod slopes;

pub use slopes::{stop_gradient, with_slope};

thread_local! {
    /// The graph that is being traced on this thread.
    static GRAPH: RefCell<Builder> = RefCell::new(Builder::new());
}

/// A value of the formula that is being traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sym(NodeId);

impl Sym {
    /// The node behind the value.
    pub(super) fn node(self) -> NodeId {
        self.0
    }
}

/// What may stand for a value in a formula: a value, or a number.
///
/// ```
/// use syntonic_core::fuse::notation::{IntoSym, Sym};
/// use syntonic_core::{Tensor, fuse, run};
///
/// /// A part of formulas, of values and of numbers.
/// fn half(x: impl IntoSym) -> Sym {
///     x.sym() * 0.5
/// }
///
/// fuse! { MIDDLE(x: element) -> (element) { half(x) + half(3.0) } }
/// let x = Tensor::from([1.0, 5.0]);
/// let y = run::map(&MIDDLE, &[&x], &[], x.shape(), x.device())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [2.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait IntoSym {
    /// The value.
    fn sym(self) -> Sym;
}

impl IntoSym for Sym {
    fn sym(self) -> Sym {
        self
    }
}

macro_rules! number_into_sym {
    ($($t:ty),*) => {$(
        impl IntoSym for $t {
            fn sym(self) -> Sym {
                with_graph(|b| b.constant(self))
            }
        }
    )*};
}
number_into_sym!(f64, i64, i32, bool);

fn with_graph(f: impl FnOnce(&mut Builder) -> NodeId) -> Sym {
    GRAPH.with(|g| Sym(f(&mut g.borrow_mut())))
}

/// Traces `body` over nodes of `builder`; for composites that join an existing graph. Where these are not as many nodes as the
/// body takes, or a value is not one of this formula, running the program is an error.
///
/// ```
/// use syntonic_core::fuse::{Builder, Precision, Role, Yield, notation};
/// use syntonic_core::prelude::*;
/// use syntonic_core::run;
///
/// let mut builder = Builder::new();
/// let x = builder.input("x", Role::Element);
/// let square = notation::over(&mut builder, &[x], |[x]| x * x);
/// builder.output(square, Yield::Element);
/// let square = builder.finish("square", Precision::Wide);
/// assert_eq!(run::map(&square, &[&Tensor::from([3.0])], &[], &[1], &cpu())?[0].to_vec::<f64>()?, [9.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn over<const N: usize>(
    builder: &mut Builder,
    nodes: &[NodeId],
    body: impl FnOnce([Sym; N]) -> Sym,
) -> NodeId {
    let given = |k: usize| nodes.get(k).copied().filter(|_| nodes.len() == N);
    let args: [Sym; N] = std::array::from_fn(|k| Sym(given(k).unwrap_or(NodeId::NONE)));
    GRAPH.with(|g| std::mem::swap(&mut *g.borrow_mut(), builder));
    let out = body(args);
    GRAPH.with(|g| std::mem::swap(&mut *g.borrow_mut(), builder));
    out.0
}

/// Traces a whole program: `inputs` and `outputs` say what varies over what. Where the body makes not one value for each
/// output, running the program is an error.
///
/// ```
/// use syntonic_core::fuse::{Role, Yield, notation};
/// use syntonic_core::prelude::*;
/// use syntonic_core::run;
///
/// let square = notation::trace("square", &[("x", Role::Element)], &[Yield::Element], |args| vec![args[0] * args[0]]);
/// let y = run::map(&square, &[&Tensor::from([3.0])], &[], &[1], &cpu())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [9.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn trace(
    name: &'static str,
    inputs: &[(&'static str, Role)],
    outputs: &[Yield],
    body: impl FnOnce(&[Sym]) -> Vec<Sym>,
) -> Program {
    let mut builder = Builder::new();
    let args: Vec<Sym> = inputs
        .iter()
        .map(|&(name, role)| Sym(builder.input(name, role)))
        .collect();
    GRAPH.with(|g| std::mem::swap(&mut *g.borrow_mut(), &mut builder));
    let results = body(&args);
    GRAPH.with(|g| std::mem::swap(&mut *g.borrow_mut(), &mut builder));
    for (k, &role) in outputs.iter().enumerate() {
        let one = results.get(k).filter(|_| results.len() == outputs.len());
        builder.output(one.map_or(NodeId::NONE, |value| value.0), role);
    }
    builder.finish(name, Precision::Wide)
}

/// Results of a traced body: one value, or several.
///
/// ```
/// use syntonic_core::{Tensor, fuse, run};
///
/// fuse! { BOTH(x: element) -> (element, element) { [x + 1.0, x * 2.0] } }
/// let x = Tensor::from([3.0, 4.0]);
/// let y = run::map(&BOTH, &[&x], &[], x.shape(), x.device())?;
/// assert_eq!((y[0].to_vec::<f64>()?, y[1].to_vec::<f64>()?), (vec![4.0, 5.0], vec![6.0, 8.0]));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub trait Results {
    /// The values in order.
    fn list(self) -> Vec<Sym>;
}

impl Results for Sym {
    fn list(self) -> Vec<Sym> {
        vec![self]
    }
}

impl<const N: usize> Results for [Sym; N] {
    fn list(self) -> Vec<Sym> {
        self.to_vec()
    }
}

/// Declares a program: `NAME(input: kind, ...) -> (kind, ...) { body }`.
///
/// Input kinds: `element`, `row` (one value per position of the row), `row_scalar` (one per row),
/// `number` (given at run time). Output kinds: `element`, `row_scalar`, `row_sum`. The body is Rust
/// over [`Sym`](crate::fuse::notation::Sym) with everything in [`crate::fuse::notation`] in scope.
///
/// ```
/// use syntonic_core::run::{self, Axes};
/// use syntonic_core::{Tensor, fuse};
///
/// fuse! {
///     /// A row around its mean, times a number.
///     pub SPREAD(x: element, gain: number) -> (element) { (x - mean(x)) * gain }
/// }
///
/// let x = Tensor::from([[1.0, 3.0], [5.0, 9.0]]);
/// let y = run::rows(&SPREAD, &[&x], &[2.0.into()], &[-1], Axes::Keep)?;
/// assert_eq!(y[0].to_vec::<f64>()?, [-2.0, 2.0, -4.0, 4.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[macro_export]
macro_rules! fuse {
    ($($(#[$meta:meta])* $vis:vis $name:ident($($arg:ident: $kind:ident),* $(,)?) -> ($($out:ident),+) $body:block)*) => {$(
        $(#[$meta])*
        $vis static $name: $crate::fork::Lazy<$crate::fuse::Program> = $crate::fork::Lazy::new(|| {
            #[allow(unused_imports)]
            use $crate::fuse::notation::*;
            $crate::fuse::notation::trace(
                stringify!($name),
                &[$((stringify!($arg), $crate::fuse_role!($kind))),*],
                &[$($crate::fuse_yield!($out)),+],
                |args| {
                    let [$($arg),*] = *args else { unreachable!("one value per declared input") };
                    $crate::fuse::notation::Results::list($body)
                },
            )
        });
    )*};
}

/// The role of an input kind of [`fuse!`].
#[doc(hidden)]
#[macro_export]
macro_rules! fuse_role {
    (element) => {
        $crate::fuse::Role::Element
    };
    (row) => {
        $crate::fuse::Role::Row
    };
    (row_scalar) => {
        $crate::fuse::Role::RowScalar
    };
    (number) => {
        $crate::fuse::Role::Number
    };
}

/// The role of an output kind of [`fuse!`].
#[doc(hidden)]
#[macro_export]
macro_rules! fuse_yield {
    (element) => {
        $crate::fuse::Yield::Element
    };
    (row_scalar) => {
        $crate::fuse::Yield::RowScalar
    };
    (row_sum) => {
        $crate::fuse::Yield::RowSum
    };
}

/// A formula of one primitive, which gives what the operator gives.
macro_rules! example {
    ($f:ident $prim:ident ($($arg:ident),+), $inputs:literal) => {
        concat!(
            "```\nuse syntonic_core::fuse::Prim;\nuse syntonic_core::ops::elementwise::apply;\nuse syntonic_core::{Tensor, cpu, fuse, run};\n\n",
            "fuse! { FORMULA(", $inputs, ") -> (element) { ", stringify!($f), "(", stringify!($($arg),+), ") } }\n",
            $("let ", stringify!($arg), " = Tensor::from([0.5]);\n",)+
            "let y = run::map(&FORMULA, &[", $("&", stringify!($arg), ", ",)+ "], &[], &[1], &cpu())?;\n",
            "let same = apply(Prim::", stringify!($prim), ", &[", $("(&", stringify!($arg), ").into(), ",)+ "])?;\n",
            "assert_eq!(y[0].to_string(), same.to_string());\n",
            "# Ok::<(), syntonic_core::Error>(())\n```"
        )
    };
}

macro_rules! unary {
    ($($f:ident $prim:ident),* $(,)?) => {$(
        #[doc = concat!("The primitive [`Prim::", stringify!($prim), "`].\n\n", example!($f $prim (x), "x: element"))]
        pub fn $f(x: impl IntoSym) -> Sym {
            apply(Prim::$prim, &[x.sym()])
        }
    )*};
}
unary!(
    neg Neg, abs Abs, sign Sign, square Square, sqrt Sqrt, rsqrt Rsqrt, recip Recip, exp Exp, expm1 Expm1,
    exp2 Exp2, log Log, log1p Log1p, log2 Log2, log10 Log10, sin Sin, cos Cos, tan Tan, asin Asin, acos Acos,
    atan Atan, sinh Sinh, cosh Cosh, tanh Tanh, asinh Asinh, acosh Acosh, atanh Atanh, erf Erf, erfc Erfc,
    floor Floor, ceil Ceil, trunc Trunc, round Round, is_nan IsNan, is_inf IsInf, is_finite IsFinite, not Not,
    real Real, imag Imag, conj Conj,
);

macro_rules! binary {
    ($($f:ident $prim:ident),* $(,)?) => {$(
        #[doc = concat!("The primitive [`Prim::", stringify!($prim), "`].\n\n", example!($f $prim (a, b), "a: element, b: element"))]
        pub fn $f(a: impl IntoSym, b: impl IntoSym) -> Sym {
            apply(Prim::$prim, &[a.sym(), b.sym()])
        }
    )*};
}
binary!(
    pow Pow, floor_divide FloorDiv, remainder Rem, logaddexp LogAddExp, atan2 Atan2, hypot Hypot,
    copysign CopySign, complex Complex, minimum Min, maximum Max, eq Eq, ne Ne, lt Lt, le Le, gt Gt, ge Ge,
    and And, or Or, xor Xor,
);

/// `a` where the condition holds, else `b`.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { STEP(x: element) -> (element) { select(lt(x, 0.0), -1.0, 1.0) } }
/// let x = Tensor::from([-0.5, 0.5]);
/// let y = run::map(&STEP, &[&x], &[], x.shape(), x.device())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [-1.0, 1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn select(condition: Sym, a: impl IntoSym, b: impl IntoSym) -> Sym {
    apply(Prim::Select, &[condition, a.sym(), b.sym()])
}

/// Any primitive.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { SUM(a: element, b: element) -> (element) { apply(syntonic_core::fuse::Prim::Add, &[a, b]) } }
/// let (a, b) = (Tensor::from([1.0, 2.0]), Tensor::from([10.0, 20.0]));
/// let y = run::map(&SUM, &[&a, &b], &[], a.shape(), a.device())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [11.0, 22.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn apply(prim: Prim, args: &[Sym]) -> Sym {
    let nodes: Vec<NodeId> = args.iter().map(|s| s.0).collect();
    with_graph(|b| b.apply(prim, &nodes))
}

/// The nodes that `build` makes over `args`: how a composite joins a formula.
///
/// ```
/// use syntonic_core::ops::composites::RELU;
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { SHIFTED(x: element) -> (element) { inline(RELU.build, &[x - 1.0]) } }
/// let x = Tensor::from([0.0, 3.0]);
/// let y = run::map(&SHIFTED, &[&x], &[], x.shape(), x.device())?;
/// assert_eq!(y[0].to_vec::<f64>()?, [0.0, 2.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn inline(build: fn(&mut Builder, &[NodeId]) -> NodeId, args: &[Sym]) -> Sym {
    let nodes: Vec<NodeId> = args.iter().map(|s| s.0).collect();
    let mut builder = GRAPH.with(|g| std::mem::take(&mut *g.borrow_mut()));
    let out = build(&mut builder, &nodes);
    GRAPH.with(|g| *g.borrow_mut() = builder);
    Sym(out)
}

/// A conversion.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { WHOLE(x: element) -> (element) { cast(syntonic_core::DType::I64, x) } }
/// let x = Tensor::from([1.9, -1.9]);
/// let y = run::map(&WHOLE, &[&x], &[], x.shape(), x.device())?;
/// assert_eq!(y[0].to_vec::<i64>()?, [1, -1]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn cast(dtype: DType, x: Sym) -> Sym {
    with_graph(|b| b.cast(dtype, x.0))
}

/// `x` in the floating type of `model`, of which nothing else counts.
pub(crate) fn like(x: Sym, model: Sym) -> Sym {
    with_graph(|b| b.like(x.0, model.0))
}

/// The number of elements of the row.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Axes};
///
/// syntonic_core::fuse! { LENGTH(x: element) -> (row_scalar) { sum(x) * 0.0 + count() } }
/// let y = run::rows(&LENGTH, &[&Tensor::from([[1.0, 2.0, 3.0]])], &[], &[-1], Axes::Drop)?;
/// assert_eq!(y[0].to_vec::<f64>()?, [3.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn count() -> Sym {
    with_graph(Builder::count)
}

macro_rules! folds {
    ($($f:ident $fold:ident),* $(,)?) => {$(
        #[doc = concat!("Over the row: [`Fold::", stringify!($fold), "`].")]
        ///
        #[doc = concat!(
            "```\nuse syntonic_core::fuse::Fold;\nuse syntonic_core::ops::reduce::{Over, fold};\nuse syntonic_core::run::{self, Axes};\n",
            "use syntonic_core::{Tensor, fuse};\n\n",
            "fuse! { FORMULA(x: element) -> (row_scalar) { ", stringify!($f), "(x) } }\n",
            "let x = Tensor::from([[3.0, 1.0, 2.0], [0.0, 0.0, 5.0]]);\n",
            "let y = run::rows(&FORMULA, &[&x], &[], &[-1], Axes::Drop)?;\n",
            "assert_eq!(y[0].to_string(), fold(Fold::", stringify!($fold), ", &x, &Over::axes(&[-1]))?.to_string());\n",
            "# Ok::<(), syntonic_core::Error>(())\n```"
        )]
        pub fn $f(x: Sym) -> Sym {
            with_graph(|b| b.fold(Fold::$fold, x.0))
        }
    )*};
}
folds!(sum Sum, prod Prod, min Min, max Max, any Any, all All, argmin ArgMin, argmax ArgMax);

/// Over the row: the sum divided by the number of elements.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::run::{self, Axes};
///
/// syntonic_core::fuse! { CENTRED(x: element) -> (element) { x - mean(x) } }
/// let y = run::rows(&CENTRED, &[&Tensor::from([1.0, 2.0, 6.0])], &[], &[0], Axes::Drop)?;
/// assert_eq!(y[0].to_vec::<f64>()?, [-2.0, -1.0, 3.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn mean(x: Sym) -> Sym {
    sum(x) / count()
}

macro_rules! operator {
    ($($trait:ident $method:ident $prim:ident),*) => {$(
        impl<R: IntoSym> std::ops::$trait<R> for Sym {
            type Output = Sym;
            fn $method(self, rhs: R) -> Sym {
                apply(Prim::$prim, &[self, rhs.sym()])
            }
        }
        impl std::ops::$trait<Sym> for f64 {
            type Output = Sym;
            fn $method(self, rhs: Sym) -> Sym {
                apply(Prim::$prim, &[self.sym(), rhs])
            }
        }
    )*};
}
operator!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div);

impl std::ops::Neg for Sym {
    type Output = Sym;
    fn neg(self) -> Sym {
        apply(Prim::Neg, &[self])
    }
}

/// The square root, whose gradient at 0 is that of `x` and not infinite: `|x|` written as a root of
/// squares then has slope 0 at 0.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::{fuse, run};
///
/// fuse! { SIZE(x: element) -> (element) { root(x * x) } }
/// let (x, one) = (Tensor::from([0.0, -3.0]), Tensor::from([1.0, 1.0]));
/// let slope = run::map(&SIZE.grad(&[0])?, &[&x, &one], &[], &[2], &cpu())?;
/// assert_eq!(slope[0].to_vec::<f64>()?, [0.0, -1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn root(x: Sym) -> Sym {
    let zero = eq(x, 0.0);
    select(zero, x, sqrt(select(zero, 1.0, x)))
}

/// True if the value is the number `x`; lets a formula leave out what does nothing.
///
/// ```
/// use syntonic_core::fuse;
///
/// fuse! { TWICE(x: element) -> (element) {
///     let one = 1.0.sym();
///     assert!(is_number(one, 1.0) && !is_number(x, 1.0));
///     x + x
/// } }
/// assert_eq!(TWICE.inputs.len(), 1);
/// ```
pub fn is_number(value: Sym, x: f64) -> bool {
    real_number(value) == Some(x)
}

/// The real number that a value is, if it is one in the formula itself.
pub(super) fn real_number(value: Sym) -> Option<f64> {
    GRAPH.with(|g| match g.borrow().get(value.0) {
        Some(Node::Const(c @ (Scalar::Int(_) | Scalar::Float(_)))) => Some(c.to_f64()),
        _ => None,
    })
}
