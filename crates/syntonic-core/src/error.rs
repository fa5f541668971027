//! What can go wrong, told with the operation, its operands and the way out.

use crate::device::DeviceId;
use crate::dtype::DType;
use std::fmt;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Ways out that many messages name, as a Rust program says them. A binding puts its own words in their place.
pub mod way_out {
    /// Another element type.
    pub const CONVERT: &str = "convert with .cast(dtype)";
    /// The device of the others.
    pub const MOVE: &str = "move one with .to(&device)";
    /// Memory of one's own.
    pub const COPY: &str = "write to what .copy() returns";
    /// Real numbers from complex ones, or a target that takes those.
    pub const REAL: &str = "take .real() of the values, or cast the target to a complex type";
    /// A type that holds more.
    pub const WIDEN: &str = "use a wider DType";
    /// A constant with the same values.
    pub const STOP: &str = "give it .stop_gradient() of them if they are meant as constants";
    /// Factors without columns that may be any.
    pub const REDUCED: &str = "take reduced factors, with Columns::Reduced";
    /// What an operator of one's own lacks.
    pub const CPU_FUNCTION: &str = "give it one with .cpu, or move the operands to a GPU";
    /// As above.
    pub const GPU_FUNCTION: &str = "give it one with .gpu, or move the operands with .to(\"cpu\")";
    /// How such an operator writes a result on a GPU.
    pub const WRITE: &str = "launch a kernel with it as Argument::Write, or assign to it";
}

/// One operand as an error message shows it: `float32[3, 4] on cpu`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its element type.
    pub dtype: DType,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Where it lives.
    pub device: DeviceId,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?} on {}", self.dtype, self.shape, self.device)
    }
}

/// The operands of a failed operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands(pub Vec<Operand>);

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, operand) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{operand}")?;
        }
        Ok(())
    }
}

/// What is wrong with the numbers of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It has no inverse: this pivot of its elimination, counted from 0, is exactly 0.
    Singular {
        /// The pivot.
        pivot: usize,
    },
    /// It is not positive definite: that of its leading minors of this order is not positive.
    NotPositiveDefinite {
        /// The order of the minor, from 1 on.
        order: usize,
    },
    /// It has a NaN or an infinity.
    NotFinite,
    /// The iteration came to no end.
    NoConvergence,
}

impl Unfit {
    /// The way out.
    fn hint(self) -> &'static str {
        match self {
            Unfit::Singular { .. } => "lstsq and pinv take such matrices",
            Unfit::NotPositiveDefinite { .. } => {
                "only Hermitian matrices with positive eigenvalues have this factor; eigvalsh shows them"
            }
            Unfit::NotFinite => "look where isfinite is false",
            Unfit::NoConvergence => "scale the matrix, or use a wider type",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Singular { pivot } => write!(f, "is singular: pivot {pivot} is 0"),
            Unfit::NotPositiveDefinite { order } => write!(
                f,
                "is not positive definite: its leading minor of order {order} is not positive"
            ),
            Unfit::NotFinite => f.write_str("has a NaN or an infinity"),
            Unfit::NoConvergence => f.write_str("made the iteration go on for too long"),
        }
    }
}

/// A matrix by its place in a stack.
struct Which<'a>(&'a Operand, &'a [usize]);

impl fmt::Display for Which<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            [] => write!(f, "the matrix {}", self.0),
            at => write!(f, "the matrix at {at:?} of {}", self.0),
        }
    }
}

/// An error of the tensor engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The shapes of the operands do not fit together or do not fit the operation.
    #[error("{op}: shapes do not fit: {operands}; hint: {hint}")]
    Shape {
        /// The operation.
        op: &'static str,
        /// Its operands.
        operands: Operands,
        /// The way out.
        hint: String,
    },
    /// The operation does not exist for these element types.
    #[error("{op}: not defined for {operands}; hint: {hint}")]
    DType {
        /// The operation.
        op: &'static str,
        /// Its operands.
        operands: Operands,
        /// The way out.
        hint: String,
    },
    /// No element type has this name.
    #[error(
        "unknown dtype {name:?}; hint: one of bool, int8..int64, uint8..uint64, float16, bfloat16, float32, float64, complex64, complex128"
    )]
    UnknownDType {
        /// The name as given.
        name: String,
    },
    /// The operands live on different devices.
    #[error("{op}: operands on different devices: {operands}; hint: {hint}", hint = way_out::MOVE)]
    Device {
        /// The operation.
        op: &'static str,
        /// Its operands.
        operands: Operands,
    },
    /// The device does not exist or cannot be used.
    #[error("device {device} is not available: {reason}")]
    NoDevice {
        /// The device asked for.
        device: String,
        /// Why it cannot be used.
        reason: String,
    },
    /// An axis outside `-ndim..ndim`, or named twice.
    #[error(
        "{op}: axis {axis} is out of range or repeated for a tensor of {ndim} dimensions; hint: axes run from -{ndim} to {ndim}-1, each once"
    )]
    Axis {
        /// The operation.
        op: &'static str,
        /// The axis as given.
        axis: isize,
        /// Dimensions of the tensor.
        ndim: usize,
    },
    /// An index outside the axis.
    #[error("{op}: index {index} is out of bounds for axis {axis} with size {len}")]
    Index {
        /// The operation.
        op: &'static str,
        /// The index as given.
        index: i64,
        /// The axis it indexes.
        axis: usize,
        /// The length of that axis.
        len: usize,
    },
    /// Indices that do not fit the axes: too many of them, a mask of other lengths, or arrays that do not broadcast together.
    #[error("{op}: indices do not fit: {operands}; hint: {hint}")]
    Indices {
        /// The operation.
        op: &'static str,
        /// The tensor and the indices.
        operands: Operands,
        /// The way out.
        hint: Box<str>,
    },
    /// A reduction without an identity over no elements.
    #[error(
        "{op}: no elements to reduce in {operands}, and {op} has no identity; hint: check the shape, or reduce another axis"
    )]
    EmptyReduction {
        /// The operation.
        op: &'static str,
        /// Its operands.
        operands: Operands,
    },
    /// A size in elements or bytes that does not fit the address space.
    #[error("{op}: the size of shape {shape:?} overflows")]
    SizeOverflow {
        /// The operation.
        op: &'static str,
        /// The shape asked for.
        shape: Vec<usize>,
    },
    /// More axes than a tensor can have.
    #[error("{op}: {ndim} axes; a tensor has at most {max}; hint: merge axes with reshape", max = crate::layout::MAX_NDIM)]
    TooManyAxes {
        /// The operation.
        op: &'static str,
        /// The number of axes asked for.
        ndim: usize,
    },
    /// The device has no memory for this.
    #[error(
        "out of memory on {device}: requested {requested} bytes, {in_use} bytes in use, {cached} bytes cached"
    )]
    OutOfMemory {
        /// The device.
        device: DeviceId,
        /// Bytes asked for.
        requested: usize,
        /// Bytes held by live buffers.
        in_use: usize,
        /// Bytes held by the cache.
        cached: usize,
    },
    /// The device has no memory for something that is no tensor: the code of a kernel, a stream, what a library works in.
    #[error(
        "out of memory on {device}: {op}: {what}; hint: free tensors and give cached memory back, or have other processes leave room"
    )]
    NoRoomFor {
        /// What was being done.
        op: String,
        /// The device.
        device: DeviceId,
        /// What the device or its driver says.
        what: String,
    },
    /// A device failed at something it accepted: a driver call, a kernel, a library.
    #[error("{op} failed on {device}: {what}")]
    Fault {
        /// What was being done.
        op: String,
        /// The device.
        device: DeviceId,
        /// What the device or its driver says, and the way out where there is one.
        what: String,
    },
    /// The caller stopped the work, see [`interrupt`](crate::interrupt).
    #[error(
        "{op}: interrupted; its operands are as they were, and what it was writing into is written in part"
    )]
    Interrupted {
        /// The operation.
        op: String,
    },
    /// An operation that no graph can have, or a function that cannot be captured, see [`Graph`](crate::Graph).
    #[error("{op}: {what}")]
    Capture {
        /// The operation.
        op: String,
        /// Why, and the way out.
        what: String,
    },
    /// A graph was given other operands than it was captured with.
    #[error(
        "replay: the graph was captured for {captured}, and was given {given}; hint: capture another one for these"
    )]
    Replay {
        /// The operands of the capture.
        captured: Operands,
        /// Those of the replay.
        given: Operands,
    },
    /// A matrix whose shape and type fit the operation, and whose numbers do not.
    #[error("{op}: {which} {unfit}; hint: {hint}", which = Which(operand, at), hint = unfit.hint())]
    Matrix {
        /// The operation.
        op: &'static str,
        /// The matrix, or the stack of matrices that it is in.
        operand: Operand,
        /// Where it is in the stack; no numbers for a single matrix.
        at: Vec<usize>,
        /// What is wrong with it.
        unfit: Unfit,
    },
    /// A rank of a [`Group`](crate::group::Group) died, came too late or gave up; the group is of no use any more.
    #[error("{op}: rank {rank} of {size} {what}")]
    Rank {
        /// The operation.
        op: &'static str,
        /// The rank that did it.
        rank: usize,
        /// How many ranks there are.
        size: usize,
        /// What it did, and the way out where there is one.
        what: String,
    },
    /// A pipeline whose stages do not fit together, see [`pipeline`](crate::pipeline).
    #[error("{plan}: stage {stage} {what}")]
    Plan {
        /// The pipeline.
        plan: String,
        /// The stage that is wrong; the input or output, where no stage is.
        stage: String,
        /// What is wrong with it, and the way out.
        what: String,
    },
    /// An input of a pipeline whose shape is not the declared one.
    #[error(
        "{plan}: input {input} has the extent {given} on axis {axis}, where {symbol} is {bound}; hint: one symbol is one extent in all inputs"
    )]
    Extent {
        /// The pipeline.
        plan: Box<str>,
        /// The input.
        input: Box<str>,
        /// Its axis.
        axis: usize,
        /// The symbol or number that the plan has there.
        symbol: Box<str>,
        /// What the symbol stands for in this run.
        bound: usize,
        /// What the input has.
        given: usize,
    },
    /// No choice of a workload is left, see [`advisor`](crate::advisor).
    #[error(
        "advise: no choice of {workload} is left: {reasons}; hint: state a larger tolerance, or add a choice that works here"
    )]
    NoChoice {
        /// The workload.
        workload: Box<str>,
        /// Every choice with the reason why it was left out.
        reasons: Box<str>,
    },
    /// Two choices of a workload give results that differ by more than they promise.
    #[error(
        "advise: of {workload}, {choice} differs from {other} by {apart:e}, and together they promise {promised:e}; hint: one of the two is wrong, or its promised error is too small"
    )]
    Disagreement {
        /// The workload.
        workload: Box<str>,
        /// The choice that was compared.
        choice: Box<str>,
        /// The most precise one.
        other: Box<str>,
        /// How far the results are apart, in the units of the workload's errors.
        apart: f64,
        /// The sum of both promised errors.
        promised: f64,
    },
    /// An integer that the element type it meets cannot hold.
    #[error("{op}: {value} does not fit {dtype}; hint: {hint}", hint = way_out::WIDEN)]
    Range {
        /// The operation.
        op: &'static str,
        /// The integer as given.
        value: i128,
        /// The type it would have had to take.
        dtype: DType,
    },
    /// What no gradient follows, or a result that has none, see [`grad`](crate::grad).
    #[error("{op}: {what}")]
    Gradient {
        /// The operation.
        op: &'static str,
        /// Why, and the way out.
        what: Box<str>,
    },
    /// An operator of one's own that did not keep what it says, see [`custom`](crate::custom).
    #[error("{op}: {what}")]
    Operator {
        /// The operator.
        op: &'static str,
        /// What its functions did, and the way out.
        what: Box<str>,
    },
    /// An argument whose value makes no sense.
    #[error("{op}: {what}")]
    Value {
        /// The operation.
        op: &'static str,
        /// What is wrong, and the way out.
        what: String,
    },
    /// A file that is not what it claims to be.
    #[error("{op}: {path}: {what}")]
    File {
        /// The operation.
        op: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// The operating system refused a file operation.
    #[error("{op}: {path}: {source}")]
    Io {
        /// The operation.
        op: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    /// An argument error with the operation's name.
    ///
    /// ```
    /// use syntonic_core::Error;
    ///
    /// let error = Error::value("resize", "0 rows; hint: keep one");
    /// assert!(error.to_string().contains("resize") && error.to_string().contains("0 rows"));
    /// ```
    pub fn value(op: &'static str, what: impl Into<String>) -> Error {
        Error::Value {
            op,
            what: what.into(),
        }
    }

    /// An interruption with the name of the operation that it ended, and what was refused to a graph with the name of the
    /// operation that needed it; any other error stays what it is.
    ///
    /// ```
    /// use syntonic_core::Error;
    ///
    /// let stopped = Error::Interrupted { op: "work".to_owned() };
    /// assert!(stopped.named("matmul").to_string().contains("matmul"));
    /// ```
    #[must_use]
    pub fn named(self, op: &str) -> Error {
        match self {
            Error::Interrupted { .. } => Error::Interrupted { op: op.to_owned() },
            Error::Capture { what, .. } => Error::Capture {
                op: op.to_owned(),
                what,
            },
            other => other,
        }
    }
}
