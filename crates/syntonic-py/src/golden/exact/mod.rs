//! Exact numbers of Q(φ), and tensors of them.

mod array;
mod folds;
mod forms;
mod grown;
mod lattice;
mod number;
mod operation;
mod places;
mod scalars;
mod sequences;
mod states;
mod whole;
mod wide;
mod wide_places;

pub(crate) use array::{PyGoldenArray, snap};
pub(crate) use lattice::{
    PyAttractors, PyCrystallized, PyFlux, golden_recursion, golden_recursion_undo,
};
pub(crate) use places::{golden_concat, golden_stack};
pub(crate) use scalars::{PyGoldenInt, PyGoldenRational};
pub(crate) use sequences::{fibonacci, lucas, phi_power};
pub(crate) use states::{states_join, states_load};
pub(crate) use wide::{_restore_wide, PyGoldenBigArray};

use crate::errors::{Class, error};
use pyo3::PyErr;
use syntonic_srt::exact::{ExactError, GoldenTensorError};

/// An exact error as Python knows it.
fn refuse(e: ExactError) -> PyErr {
    let class = match e {
        ExactError::Overflow { .. } | ExactError::TooLarge { .. } => Class::IntegerOverflow,
        ExactError::ZeroDivisor { .. } => {
            return pyo3::exceptions::PyZeroDivisionError::new_err(e.to_string());
        }
        _ => Class::Argument,
    };
    error(class, e.to_string())
}

/// An error of a tensor of exact numbers.
fn raise(e: GoldenTensorError) -> PyErr {
    match e {
        GoldenTensorError::Tensor(e) => crate::errors::raise(e),
        GoldenTensorError::Element {
            error: ExactError::ZeroDivisor { .. },
            ..
        } => pyo3::exceptions::PyZeroDivisionError::new_err(e.to_string()),
        GoldenTensorError::Element { error: cause, .. } => {
            let class = match cause {
                ExactError::Overflow { .. } | ExactError::TooLarge { .. } => Class::IntegerOverflow,
                _ => Class::Argument,
            };
            error(class, e.to_string())
        }
        GoldenTensorError::Shape { .. } => error(Class::Shape, e.to_string()),
        other => error(Class::Internal, other.to_string()),
    }
}
