//! Python's exceptions: one class for each way to fail, each also what a user would catch without us.

use pyo3::exceptions::{
    PyBufferError, PyException, PyFileNotFoundError, PyIndexError, PyMemoryError, PyOSError,
    PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::ffi::c_str;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};
use std::ffi::CStr;
use syntonic_core::{Error, way_out};

/// A class of exceptions that this package raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Base,
    Shape,
    DType,
    Device,
    Axis,
    Index,
    EmptyReduction,
    OutOfMemory,
    Argument,
    ArgumentType,
    IntegerOverflow,
    File,
    MissingFile,
    FileAccess,
    Internal,
    Transfer,
    LinAlg,
    Graph,
    Group,
    Gradient,
    Operator,
}

const CLASSES: [Class; 21] = [
    Class::Base,
    Class::Shape,
    Class::DType,
    Class::Device,
    Class::Axis,
    Class::Index,
    Class::EmptyReduction,
    Class::OutOfMemory,
    Class::Argument,
    Class::ArgumentType,
    Class::IntegerOverflow,
    Class::File,
    Class::MissingFile,
    Class::FileAccess,
    Class::Internal,
    Class::Transfer,
    Class::LinAlg,
    Class::Graph,
    Class::Group,
    Class::Gradient,
    Class::Operator,
];

impl Class {
    fn text(self) -> (&'static str, &'static CStr, &'static CStr) {
        match self {
            Class::Base => (
                "SyntonicError",
                c_str!("syntonic.SyntonicError"),
                c_str!("Any error of this package."),
            ),
            Class::Shape => (
                "ShapeError",
                c_str!("syntonic.ShapeError"),
                c_str!("Shapes do not fit together or do not fit the operation."),
            ),
            Class::DType => (
                "DTypeError",
                c_str!("syntonic.DTypeError"),
                c_str!(
                    "The operation does not exist for these element types, or no type has this name."
                ),
            ),
            Class::Device => (
                "DeviceError",
                c_str!("syntonic.DeviceError"),
                c_str!(
                    "Operands on different devices, a device that cannot be used, or one that failed."
                ),
            ),
            Class::Axis => (
                "AxisError",
                c_str!("syntonic.AxisError"),
                c_str!("An axis out of range, or named twice."),
            ),
            Class::Index => (
                "OutOfRangeError",
                c_str!("syntonic.OutOfRangeError"),
                c_str!("An index outside the axis, or indices that do not fit the axes."),
            ),
            Class::EmptyReduction => (
                "EmptyReductionError",
                c_str!("syntonic.EmptyReductionError"),
                c_str!("A reduction without identity over no elements."),
            ),
            Class::OutOfMemory => (
                "OutOfMemoryError",
                c_str!("syntonic.OutOfMemoryError"),
                c_str!("The device has no memory for this."),
            ),
            Class::Argument => (
                "ArgumentError",
                c_str!("syntonic.ArgumentError"),
                c_str!("An argument whose value makes no sense."),
            ),
            Class::ArgumentType => (
                "ArgumentTypeError",
                c_str!("syntonic.ArgumentTypeError"),
                c_str!("An argument of a kind that the function does not take."),
            ),
            Class::IntegerOverflow => (
                "IntegerOverflowError",
                c_str!("syntonic.IntegerOverflowError"),
                c_str!("An integer that the element type it meets cannot hold."),
            ),
            Class::File => (
                "FileError",
                c_str!("syntonic.FileError"),
                c_str!("A file that is not what it claims to be."),
            ),
            Class::MissingFile => (
                "MissingFileError",
                c_str!("syntonic.MissingFileError"),
                c_str!("No file of that name."),
            ),
            Class::FileAccess => (
                "FileAccessError",
                c_str!("syntonic.FileAccessError"),
                c_str!("The operating system refused a file operation."),
            ),
            Class::Internal => (
                "InternalError",
                c_str!("syntonic.InternalError"),
                c_str!("A fault of this package itself; please report it."),
            ),
            Class::Transfer => (
                "TransferError",
                c_str!("syntonic.TransferError"),
                c_str!("Memory of the host was asked of a State on a GPU; nothing moves unasked."),
            ),
            Class::LinAlg => (
                "LinAlgError",
                c_str!("syntonic.LinAlgError"),
                c_str!(
                    "A matrix that is singular, not positive definite or not finite where it must be."
                ),
            ),
            Class::Graph => (
                "GraphError",
                c_str!("syntonic.GraphError"),
                c_str!("What no graph can have, or inputs that a graph was not captured for."),
            ),
            Class::Group => (
                "GroupError",
                c_str!("syntonic.GroupError"),
                c_str!(
                    "A rank of a group died, came too late, gave up, or works on something else."
                ),
            ),
            Class::Gradient => (
                "GradientError",
                c_str!("syntonic.GradientError"),
                c_str!("What no gradient follows, or a result that has none."),
            ),
            Class::Operator => (
                "OperatorError",
                c_str!("syntonic.OperatorError"),
                c_str!(
                    "An operator of one's own: a function of it raised, or did not keep what it says."
                ),
            ),
        }
    }

    /// The class of this package that it is a case of.
    fn parent(self) -> Class {
        match self {
            Class::ArgumentType => Class::Argument,
            _ => Class::Base,
        }
    }

    /// The builtin classes that it also is.
    fn builtins<'py>(self, py: Python<'py>) -> Vec<Bound<'py, PyType>> {
        match self {
            Class::Base => vec![py.get_type::<PyException>()],
            Class::Shape
            | Class::EmptyReduction
            | Class::Argument
            | Class::File
            | Class::LinAlg => vec![py.get_type::<PyValueError>()],
            Class::DType | Class::ArgumentType | Class::Transfer => {
                vec![py.get_type::<PyTypeError>()]
            }
            Class::IntegerOverflow => vec![py.get_type::<PyOverflowError>()],
            Class::Device
            | Class::Internal
            | Class::Graph
            | Class::Group
            | Class::Gradient
            | Class::Operator => vec![py.get_type::<PyRuntimeError>()],
            Class::Axis => vec![py.get_type::<PyValueError>(), py.get_type::<PyIndexError>()],
            Class::Index => vec![py.get_type::<PyIndexError>()],
            Class::OutOfMemory => vec![py.get_type::<PyMemoryError>()],
            Class::MissingFile => vec![py.get_type::<PyFileNotFoundError>()],
            Class::FileAccess => vec![py.get_type::<PyOSError>()],
        }
    }

    fn make(self, py: Python<'_>, base: Option<&Py<PyType>>) -> PyResult<Py<PyType>> {
        let (_, name, doc) = self.text();
        let mut bases: Vec<Bound<'_, PyType>> =
            base.map(|b| b.bind(py).clone()).into_iter().collect();
        bases.extend(self.builtins(py));
        let dict = [
            ("__doc__", doc.to_string_lossy()),
            ("__module__", "syntonic".into()),
        ];
        let short = name.to_string_lossy();
        let short = short.rsplit('.').next().unwrap_or(&short);
        let made = py.get_type::<PyType>().call1((
            short,
            PyTuple::new(py, bases)?,
            pyo3::types::IntoPyDict::into_py_dict(dict, py)?,
        ))?;
        Ok(made.cast_into::<PyType>()?.unbind())
    }
}

static MADE: PyOnceLock<Vec<Py<PyType>>> = PyOnceLock::new();

fn made(py: Python<'_>) -> PyResult<&'static Vec<Py<PyType>>> {
    MADE.get_or_try_init(py, || {
        let base = Class::Base.make(py, None)?;
        let mut all = vec![base];
        for class in &CLASSES[1..] {
            let made = class.make(py, Some(&all[class.parent() as usize]))?;
            all.push(made);
        }
        Ok(all)
    })
}

/// Puts the classes into the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (class, made) in CLASSES.iter().zip(made(py)?) {
        module.add(class.text().0, made)?;
    }
    Ok(())
}

/// True where no array could be made of an object because its elements are no numbers of ours.
pub(crate) fn of_elements(py: Python<'_>, e: &PyErr) -> bool {
    let dtype = made(py).map(|all| all[Class::DType as usize].bind(py));
    dtype.is_ok_and(|class| e.is_instance(py, class)) || e.is_instance_of::<PyBufferError>(py)
}

/// An exception of this class with a message.
pub(crate) fn error(class: Class, message: impl Into<String>) -> PyErr {
    let message = message.into();
    Python::attach(|py| match made(py) {
        Ok(all) => PyErr::from_type(all[class as usize].bind(py).clone(), (message,)),
        Err(e) => e,
    })
}

/// The exception for an error of the engine.
pub(crate) fn raise(e: Error) -> PyErr {
    let class = match &e {
        Error::Shape { .. }
        | Error::Extent { .. }
        | Error::SizeOverflow { .. }
        | Error::TooManyAxes { .. } => Class::Shape,
        Error::DType { .. } | Error::UnknownDType { .. } => Class::DType,
        Error::Device { .. } | Error::NoDevice { .. } | Error::Fault { .. } => Class::Device,
        Error::Axis { .. } => Class::Axis,
        Error::Index { .. } | Error::Indices { .. } => Class::Index,
        Error::EmptyReduction { .. } => Class::EmptyReduction,
        Error::OutOfMemory { .. } | Error::NoRoomFor { .. } => Class::OutOfMemory,
        Error::Value { .. }
        | Error::Plan { .. }
        | Error::NoChoice { .. }
        | Error::Disagreement { .. } => Class::Argument,
        Error::Matrix { .. } => Class::LinAlg,
        Error::Capture { .. } | Error::Replay { .. } => Class::Graph,
        Error::Rank { .. } => Class::Group,
        Error::Gradient { .. } => Class::Gradient,
        Error::Operator { .. } => Class::Operator,
        Error::Range { .. } => Class::IntegerOverflow,
        Error::File { .. } => Class::File,
        Error::Io { source, path, .. } => return os_error(source, path),
        _ => Class::Base,
    };
    error(class, in_python(e.to_string()))
}

/// The ways out as a Python program says them.
const WAYS_OUT: [(&str, &str); 10] = [
    (way_out::CONVERT, "convert with .astype(...)"),
    (way_out::MOVE, "move one with .to(device)"),
    (way_out::COPY, "write to a .copy() of it"),
    (
        way_out::REAL,
        "take .real of the values, or convert the target to complex",
    ),
    (way_out::WIDEN, "use a wider dtype"),
    (
        way_out::STOP,
        "give it syntonic.stop_gradient(x) if it is meant as a constant",
    ),
    (
        way_out::REDUCED,
        r#"take reduced factors, with full_matrices=False or mode="reduced""#,
    ),
    (
        way_out::CPU_FUNCTION,
        "give custom_op a function cpu=, or move the operands with .cuda()",
    ),
    (
        way_out::GPU_FUNCTION,
        "give custom_op a function gpu=, or move the operands with .cpu()",
    ),
    (
        way_out::WRITE,
        "launch a kernel that takes it as a pointer without const, or assign to out[...]",
    ),
];

/// A message of the engine with its ways out in Python.
fn in_python(message: String) -> String {
    WAYS_OUT.iter().fold(message, |text, (rust, python)| {
        if text.contains(rust) {
            text.replace(rust, python)
        } else {
            text
        }
    })
}

/// The operating system's complaint with its number and its file, as Python itself raises it.
pub(crate) fn os_error(source: &std::io::Error, path: &str) -> PyErr {
    let class = if source.kind() == std::io::ErrorKind::NotFound {
        Class::MissingFile
    } else {
        Class::FileAccess
    };
    let (number, text) = (source.raw_os_error().unwrap_or(0), source.to_string());
    let path = path.to_owned();
    Python::attach(|py| match made(py) {
        Ok(all) => PyErr::from_type(all[class as usize].bind(py).clone(), (number, text, path)),
        Err(e) => e,
    })
}
