//! The notation that pipelines are written in.

/// Declares a pipeline as a struct of stages, whose `plan()` is the [`Plan`](crate::pipeline::Plan). A plan that is wrong does
/// not compile.
///
/// ```text
/// stages! {
///     pub struct Name(input: [extent, ...], ...) -> (output, ...) {
///         #[stage(number, ...)] value: [extent, ...] = |operand, ...| formula;
///         #[stage(number, ...)] value: [extent, ...] = product(a, transposed b);
///         repeat times carrying (start <- value, ...) { stages }
///         repeat times until value carrying (start <- value, ...) { stages }
///     }
/// }
/// ```
///
/// A loop with `until` ends after the round that leaves that value, a single number, other than 0, and after `times` rounds at the latest.
///
/// Extents are symbols and numbers. After its number a stage takes `reduction = sum | prod | min | max | mean | count` (with a formula: over
/// the last axis of what its operands broadcast to, which goes or stays with the extent 1) or `smallest = k` (the k smallest along that axis,
/// in ascending order, in its place), `precision = operands | single | double | stepwise`
/// and `tensor_cores = as_set | allowed | forbidden` (of a product). Operands have the names of the values that they read; formulas
/// are Rust over [`Sym`](crate::fuse::notation::Sym) with everything in [`crate::fuse::notation`] in scope.
///
/// ```
/// use syntonic_core::pipeline::Mode;
/// use syntonic_core::{Tensor, stages};
///
/// stages! {
///     /// Steps down |x - A'b|, by a gradient of fixed length.
///     pub struct Descent(start: [n], matrix: [m, n], target: [m]) -> (next, distance) {
///         repeat 100 carrying (start <- next) {
///             #[stage(1)] image: [m] = product(matrix, start);
///             #[stage(2)] error: [m] = |image, target| image - target;
///             #[stage(3, tensor_cores = forbidden)] slope: [n] = product(transposed matrix, error);
///             #[stage(4)] next: [n] = |start, slope| start - 0.1 * slope;
///         }
///         #[stage(5, reduction = sum, precision = double)] distance: [] = |error| square(error);
///     }
/// }
///
/// let matrix = Tensor::from([[2.0f32, 0.0], [0.0, 1.0]]);
/// let (start, target) = (Tensor::from([0.0f32, 0.0]), Tensor::from([4.0f32, 3.0]));
/// let out = Descent::plan().run(&[&start, &matrix, &target], Mode::Fused)?;
/// let x = out[0].to_vec::<f32>()?;
/// assert!((x[0] - 2.0).abs() < 1e-3 && (x[1] - 3.0).abs() < 1e-3);
/// assert!(out[1].to_scalar::<f64>()? < 1e-6);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
///
/// What does not compile, with the words of the error:
///
/// `Bad: stage y reads z, which is no input and no stage makes`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (y) {
///         #[stage(1)] y: [n] = |z| exp(z);
///     }
/// }
/// ```
/// `Bad: stage y reads z, which is there after stage number 1, at number 1`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (y) {
///         #[stage(1)] z: [n] = |x| exp(x);
///         #[stage(1)] y: [n] = |z| exp(z);
///     }
/// }
/// ```
/// `Bad: stage y reads z, which is there after stage number 2, at number 1` (of two that read each other)
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (y) {
///         #[stage(1)] y: [n] = |x, z| x + z;
///         #[stage(2)] z: [n] = |y| exp(y);
///     }
/// }
/// ```
/// `Bad: stage y has the name of another stage or input`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (y) {
///         #[stage(1)] y: [n] = |x| exp(x);
///         #[stage(2)] y: [n] = |x| log(x);
///     }
/// }
/// ```
/// `Bad: stage y multiplies factors whose inner extents differ: n and m`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(a: [m, n], x: [m]) -> (y) {
///         #[stage(1)] y: [m] = product(a, x);
///     }
/// }
/// ```
/// `Bad: stage y reads x, whose extent n on axis -1 does not broadcast to m`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n], z: [m]) -> (y) {
///         #[stage(1)] y: [m] = |x, z| x + z;
///     }
/// }
/// ```
/// `Bad: stage y makes a value of 1 axes and declares 0`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n, m]) -> (y) {
///         #[stage(1, reduction = sum)] y: [] = |x| x;
///     }
/// }
/// ```
/// `Bad: z is an output that no stage makes`
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (z) {
///         #[stage(1)] y: [n] = |x| exp(x);
///     }
/// }
/// ```
/// A key that no stage has
/// ```compile_fail
/// syntonic_core::stages! {
///     struct Bad(x: [n]) -> (y) {
///         #[stage(1, precision = triple)] y: [n] = |x| exp(x);
///     }
/// }
/// ```
/// and the same without a mistake, which shows that it is the mistake that is refused:
/// ```
/// syntonic_core::stages! {
///     struct Good(x: [n], a: [m, n]) -> (y, s) {
///         #[stage(1)] z: [n] = |x| exp(x);
///         #[stage(2, precision = double)] y: [m] = product(a, z);
///         #[stage(2, reduction = sum)] s: [m] = |a, x| a * x;
///     }
/// }
/// assert_eq!(Good::plan().stages().count(), 3);
/// ```
#[macro_export]
macro_rules! stages {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($($input:ident: [$($extent:tt),* $(,)?]),+ $(,)?) -> ($($output:ident),+ $(,)?) {
        $($body:tt)*
    }) => {
        $(#[$meta])*
        $vis struct $name;

        impl $name {
            const SKETCH: $crate::pipeline::Sketch<'static> = $crate::pipeline::Sketch {
                name: stringify!($name),
                inputs: &[$($crate::pipeline::declaration::Port {
                    name: stringify!($input),
                    shape: &[$($crate::stages_size!($extent)),*],
                }),+],
                rounds: $crate::stages_rounds!([] $($body)*),
                outputs: &[$(stringify!($output)),+],
            };

            /// The pipeline as data.
            $vis fn plan() -> &'static $crate::pipeline::Plan {
                static PLAN: $crate::fork::Lazy<$crate::pipeline::Plan> =
                    $crate::fork::Lazy::new(|| $crate::pipeline::Plan::declared(&$name::SKETCH));
                &PLAN
            }
        }

        const _: () = $name::SKETCH.hold();
    };
}

/// An extent of [`stages!`].
#[doc(hidden)]
#[macro_export]
macro_rules! stages_size {
    ($symbol:ident) => {
        $crate::pipeline::declaration::Size::Symbol(stringify!($symbol))
    };
    ($number:literal) => {
        $crate::pipeline::declaration::Size::Number($number)
    };
}

/// The loops and single stages of [`stages!`].
#[doc(hidden)]
#[macro_export]
macro_rules! stages_rounds {
    ([$($done:tt)*]) => { &[$($done)*] };
    ([$($done:tt)*] repeat $times:tt until $until:ident carrying ($($into:ident <- $from:ident),* $(,)?) { $($body:tt)* } $($rest:tt)*) => {
        $crate::stages_rounds!([$($done)* $crate::pipeline::declaration::Round {
            times: $times,
            until: Some(stringify!($until)),
            carried: &[$((stringify!($into), stringify!($from))),*],
            rows: $crate::stages_rows!([] $($body)*),
        },] $($rest)*)
    };
    ([$($done:tt)*] repeat $times:tt carrying ($($into:ident <- $from:ident),* $(,)?) { $($body:tt)* } $($rest:tt)*) => {
        $crate::stages_rounds!([$($done)* $crate::pipeline::declaration::Round {
            times: $times,
            until: None,
            carried: &[$((stringify!($into), stringify!($from))),*],
            rows: $crate::stages_rows!([] $($body)*),
        },] $($rest)*)
    };
    ([$($done:tt)*] #[stage($($about:tt)*)] $name:ident: $shape:tt = product $factors:tt; $($rest:tt)*) => {
        $crate::stages_rounds!([$($done)* $crate::pipeline::declaration::Round {
            times: 1,
            until: None,
            carried: &[],
            rows: $crate::stages_rows!([] #[stage($($about)*)] $name: $shape = product $factors;),
        },] $($rest)*)
    };
    ([$($done:tt)*] #[stage($($about:tt)*)] $name:ident: $shape:tt = |$($arg:ident),* $(,)?| $body:expr; $($rest:tt)*) => {
        $crate::stages_rounds!([$($done)* $crate::pipeline::declaration::Round {
            times: 1,
            until: None,
            carried: &[],
            rows: $crate::stages_rows!([] #[stage($($about)*)] $name: $shape = |$($arg),*| $body;),
        },] $($rest)*)
    };
}

/// The stages of a loop of [`stages!`].
#[doc(hidden)]
#[macro_export]
macro_rules! stages_rows {
    ([$($done:tt)*]) => { &[$($done)*] };
    ([$($done:tt)*] #[stage($number:literal $(, $key:ident = $value:ident)* $(,)?)] $name:ident: [$($extent:tt),* $(,)?]
        = product($($a:ident)+, $($b:ident)+ $(,)?); $($rest:tt)*) => {
        $crate::stages_rows!([$($done)* $crate::pipeline::declaration::Row {
            name: stringify!($name),
            number: $number,
            shape: &[$($crate::stages_size!($extent)),*],
            labour: $crate::pipeline::declaration::Labour::Product {
                a: $crate::stages_side!($($a)+),
                b: $crate::stages_side!($($b)+),
            },
            precision: $crate::stages_precision!(product $($key = $value,)*),
            tensor_cores: $crate::stages_tensor_cores!(product $($key = $value,)*),
        },] $($rest)*)
    };
    ([$($done:tt)*] #[stage($number:literal $(, $key:ident = $value:tt)* $(,)?)] $name:ident: [$($extent:tt),* $(,)?]
        = |$($arg:ident),* $(,)?| $body:expr; $($rest:tt)*) => {
        $crate::stages_rows!([$($done)* $crate::pipeline::declaration::Row {
            name: stringify!($name),
            number: $number,
            shape: &[$($crate::stages_size!($extent)),*],
            labour: $crate::stages_labour!({
                reads: &[$(stringify!($arg)),*],
                formula: || {
                    #[allow(unused_imports)]
                    use $crate::fuse::notation::*;
                    $crate::pipeline::traced(
                        $crate::pipeline::Name::Borrowed(stringify!($name)),
                        [$($crate::pipeline::Name::Borrowed(stringify!($arg))),*],
                        |[$($arg),*]| $body,
                    )
                },
            } $($key = $value,)*),
            precision: $crate::stages_precision!(formula $($key = $value,)*),
            tensor_cores: $crate::stages_tensor_cores!(formula $($key = $value,)*),
        },] $($rest)*)
    };
}

/// A factor of a product of [`stages!`].
#[doc(hidden)]
#[macro_export]
macro_rules! stages_side {
    ($name:ident) => {
        $crate::pipeline::declaration::Side {
            name: stringify!($name),
            transposed: false,
        }
    };
    (transposed $name:ident) => {
        $crate::pipeline::declaration::Side {
            name: stringify!($name),
            transposed: true,
        }
    };
}

/// How a formula of [`stages!`] makes a value.
#[doc(hidden)]
#[macro_export]
macro_rules! stages_labour {
    ({ $($formula:tt)* }) => { $crate::pipeline::declaration::Labour::Elements { $($formula)* } };
    ({ $($formula:tt)* } reduction = $reduce:ident, $($rest:tt)*) => {
        $crate::pipeline::declaration::Labour::Reduction {
            reduce: $crate::stages_reduce!($reduce),
            $($formula)*
        }
    };
    ({ $($formula:tt)* } smallest = $k:literal, $($rest:tt)*) => {
        $crate::pipeline::declaration::Labour::Reduction {
            reduce: $crate::pipeline::Reduce::Smallest($k),
            $($formula)*
        }
    };
    ($formula:tt $key:ident = $value:tt, $($rest:tt)*) => { $crate::stages_labour!($formula $($rest)*) };
}

/// A reduction of [`stages!`].
#[doc(hidden)]
#[macro_export]
macro_rules! stages_reduce {
    (sum) => {
        $crate::pipeline::Reduce::Sum
    };
    (prod) => {
        $crate::pipeline::Reduce::Prod
    };
    (min) => {
        $crate::pipeline::Reduce::Min
    };
    (max) => {
        $crate::pipeline::Reduce::Max
    };
    (mean) => {
        $crate::pipeline::Reduce::Mean
    };
    (count) => {
        $crate::pipeline::Reduce::Count
    };
}

/// The precision of a stage of [`stages!`]; refuses what no stage says.
#[doc(hidden)]
#[macro_export]
macro_rules! stages_precision {
    ($kind:ident) => { $crate::pipeline::Precision::Operands };
    ($kind:ident precision = operands, $($rest:tt)*) => { $crate::pipeline::Precision::Operands };
    ($kind:ident precision = single, $($rest:tt)*) => { $crate::pipeline::Precision::Single };
    ($kind:ident precision = double, $($rest:tt)*) => { $crate::pipeline::Precision::Double };
    ($kind:ident precision = stepwise, $($rest:tt)*) => { $crate::pipeline::Precision::Stepwise };
    (formula reduction = $value:ident, $($rest:tt)*) => { $crate::stages_precision!(formula $($rest)*) };
    (formula smallest = $k:literal, $($rest:tt)*) => { $crate::stages_precision!(formula $($rest)*) };
    (product tensor_cores = $value:ident, $($rest:tt)*) => { $crate::stages_precision!(product $($rest)*) };
    ($kind:ident $key:ident = $value:ident, $($rest:tt)*) => {
        compile_error!(concat!("a stage with a ", stringify!($kind), " takes no ", stringify!($key), " = ", stringify!($value)))
    };
}

/// Whether a product of [`stages!`] may round its factors.
#[doc(hidden)]
#[macro_export]
macro_rules! stages_tensor_cores {
    ($kind:ident) => { $crate::pipeline::TensorCores::AsSet };
    (product tensor_cores = as_set, $($rest:tt)*) => { $crate::pipeline::TensorCores::AsSet };
    (product tensor_cores = allowed, $($rest:tt)*) => { $crate::pipeline::TensorCores::Allowed };
    (product tensor_cores = forbidden, $($rest:tt)*) => { $crate::pipeline::TensorCores::Forbidden };
    (formula reduction = $value:ident, $($rest:tt)*) => { $crate::stages_tensor_cores!(formula $($rest)*) };
    (formula smallest = $k:literal, $($rest:tt)*) => { $crate::stages_tensor_cores!(formula $($rest)*) };
    ($kind:ident precision = $value:ident, $($rest:tt)*) => { $crate::stages_tensor_cores!($kind $($rest)*) };
    ($kind:ident $key:ident = $value:ident, $($rest:tt)*) => {
        compile_error!(concat!("a stage with a ", stringify!($kind), " takes no ", stringify!($key), " = ", stringify!($value)))
    };
}
