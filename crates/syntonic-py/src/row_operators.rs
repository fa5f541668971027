//! Row operators by name: every one of the tables of the engine and of the golden operators.

use crate::arguments::parameter;
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::Tensor;
use syntonic_core::fuse::Role;
use syntonic_core::ops::row_operators::{self, RowOperator as Declared};
use syntonic_srt::nn::ROW_OPERATORS;

/// A row operator of the engine.
#[pyclass(frozen, name = "RowOperator", module = "syntonic._core")]
pub(crate) struct RowOperator(&'static Declared);

/// What a call was given.
struct Given {
    operands: Vec<Tensor>,
    settings: Vec<f64>,
    axis: isize,
}

#[pymethods]
impl RowOperator {
    /// The operator of this name.
    #[new]
    fn new(name: &str) -> PyResult<RowOperator> {
        let mut all = row_operators::ALL.iter().chain(ROW_OPERATORS);
        let known = all.find(|operator| operator.name == name);
        let missing = || {
            error(
                Class::Argument,
                format!("no row operator is called {name:?}"),
            )
        };
        known
            .map(|operator| RowOperator(operator))
            .ok_or_else(missing)
    }

    /// Name of each operand, and whether it is one row for all.
    #[getter]
    fn operands(&self) -> Vec<(&'static str, bool)> {
        let operands = self.0.operands.iter();
        operands
            .map(|(name, role)| (*name, *role == Role::Row))
            .collect()
    }

    /// Applies it to the rows along `axis`.
    fn call(
        &self,
        py: Python<'_>,
        operands: Vec<Bound<'_, PyAny>>,
        settings: Vec<Bound<'_, PyAny>>,
        axis: &Bound<'_, PyAny>,
    ) -> PyResult<State> {
        let given = self.given(&operands, &settings, axis)?;
        let operands: Vec<&Tensor> = given.operands.iter().collect();
        let work = || self.0.along(given.axis, &operands, &given.settings);
        Ok(enter(py, size(&operands), work)?.into())
    }

    /// The gradients with respect to the operands, from that of the result, `grad`.
    fn backward(
        &self,
        py: Python<'_>,
        grad: &Bound<'_, PyAny>,
        operands: Vec<Bound<'_, PyAny>>,
        settings: Vec<Bound<'_, PyAny>>,
        axis: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<State>> {
        let given = self.given(&operands, &settings, axis)?;
        let operands: Vec<&Tensor> = given.operands.iter().collect();
        let Some(first) = operands.first() else {
            return Err(error(
                Class::Argument,
                format!("{}: no operands", self.0.name),
            ));
        };
        let grad = operand::tensor_beside(grad, first)?;
        let work = || {
            self.0
                .backward(given.axis, &grad, &operands, &given.settings)
        };
        let made = enter(py, size(&operands), work)?;
        Ok(made.into_iter().map(State::from).collect())
    }
}

impl RowOperator {
    fn given(
        &self,
        operands: &[Bound<'_, PyAny>],
        settings: &[Bound<'_, PyAny>],
        axis: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        let mut tensors: Vec<Tensor> = Vec::new();
        for operand in operands {
            tensors.push(match tensors.first() {
                Some(first) => operand::tensor_beside(operand, first)?,
                None => operand::tensor(operand)?,
            });
        }
        let named = self.0.settings.iter().zip(settings);
        let numbers = named.map(|((name, _), value)| parameter(self.0.name, name).real(value));
        Ok(Given {
            operands: tensors,
            settings: numbers.collect::<PyResult<_>>()?,
            axis: parameter(self.0.name, "axis").integer(axis)?,
        })
    }
}

fn size(operands: &[&Tensor]) -> usize {
    operands.first().map_or(0, |t| t.numel())
}
