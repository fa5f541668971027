//! Plans of stages: what `syntonic.pipeline` puts together.

use super::formula::traced;
use crate::device;
use crate::enter::enter;
use crate::errors::{Class, error, raise};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::PathBuf;
use std::sync::Arc;
use syntonic_core::Tensor;
use syntonic_core::pipeline::{
    Builder, Factor, Mode, Plan, Precision, Reduce, Stage, TensorCores, Work,
};

/// A stage.
#[pyclass(frozen, name = "Stage", module = "syntonic.pipeline")]
pub(crate) struct PyStage(Stage);

/// A plan.
#[pyclass(frozen, name = "Plan", module = "syntonic._core")]
pub(crate) struct PyPlan(pub(crate) Arc<Plan>);

/// A loop or a single stage: how often, what ends it, what it carries on, and its stages.
type Block<'py> = (
    usize,
    Option<String>,
    Vec<(String, String)>,
    Vec<Bound<'py, PyStage>>,
);

fn chosen<T: Copy>(of: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(word, _)| *word == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        let what = format!("{of} is one of {}, not {name:?}", words.join(", "));
        error(Class::Argument, what)
    })
}

fn precision(name: &str) -> PyResult<Precision> {
    let known = [
        ("operands", Precision::Operands),
        ("single", Precision::Single),
        ("double", Precision::Double),
        ("stepwise", Precision::Stepwise),
    ];
    chosen("precision", name, &known)
}

fn mode(name: &str) -> PyResult<Mode> {
    let known = [
        ("fused", Mode::Fused),
        ("unfused", Mode::Unfused),
        ("partial", Mode::Partial),
        ("captured", Mode::Captured),
        ("reference", Mode::Reference),
    ];
    chosen("mode", name, &known)
}

impl PyStage {
    fn made(name: String, number: u32, shape: &[String], work: Work) -> Stage {
        let shape: Vec<&str> = shape.iter().map(String::as_str).collect();
        Stage::new(name, number, &shape, work)
    }
}

#[pymethods]
impl PyStage {
    /// A formula over the values of these names; with `reduction` over the last axis, with `smallest` the least of it.
    #[staticmethod]
    #[pyo3(signature = (name, number, shape, reads, formula, reduction, smallest, in_precision))]
    #[allow(clippy::too_many_arguments)]
    fn formula(
        name: String,
        number: u32,
        shape: Vec<String>,
        reads: Vec<String>,
        formula: &Bound<'_, PyAny>,
        reduction: Option<&str>,
        smallest: Option<usize>,
        in_precision: &str,
    ) -> PyResult<PyStage> {
        let program = traced(&name, &reads, formula)?;
        let known = [
            ("sum", Reduce::Sum),
            ("prod", Reduce::Prod),
            ("min", Reduce::Min),
            ("max", Reduce::Max),
            ("mean", Reduce::Mean),
            ("count", Reduce::Count),
        ];
        let work = match (reduction, smallest) {
            (None, None) => Work::Elements(program),
            (Some(how), None) => Work::Reduction(chosen("reduction", how, &known)?, program),
            (None, Some(k)) => Work::Reduction(Reduce::Smallest(k), program),
            (Some(_), Some(_)) => {
                let what = format!(
                    "stage {name} has a reduction and keeps the smallest; hint: make two stages of it"
                );
                return Err(error(Class::Argument, what));
            }
        };
        let stage = PyStage::made(name, number, &shape, work);
        Ok(PyStage(stage.precision(precision(in_precision)?)))
    }

    /// A product of two factors, each with whether its last axes are swapped.
    #[staticmethod]
    fn product(
        name: String,
        number: u32,
        shape: Vec<String>,
        factors: [(String, bool); 2],
        in_precision: &str,
        tensor_cores: &str,
    ) -> PyResult<PyStage> {
        let [a, b] = factors.map(|(name, transposed)| match transposed {
            true => Factor::transposed(name),
            false => Factor::from(name),
        });
        let known = [
            ("as_set", TensorCores::AsSet),
            ("allowed", TensorCores::Allowed),
            ("forbidden", TensorCores::Forbidden),
        ];
        let stage = PyStage::made(name, number, &shape, Work::Product(a, b));
        let stage = stage.precision(precision(in_precision)?);
        Ok(PyStage(stage.tensor_cores(chosen(
            "tensor_cores",
            tensor_cores,
            &known,
        )?)))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}

#[pymethods]
impl PyPlan {
    #[new]
    fn new(
        name: String,
        inputs: Vec<(String, Vec<String>)>,
        blocks: Vec<Block<'_>>,
        outputs: Vec<String>,
    ) -> PyResult<PyPlan> {
        let mut builder = Builder::new(name);
        for (name, shape) in inputs {
            let shape: Vec<&str> = shape.iter().map(String::as_str).collect();
            builder = builder.input(name, &shape);
        }
        for (times, until, carried, stages) in blocks {
            let carried: Vec<(&str, &str)> =
                carried.iter().map(|(to, from)| (&**to, &**from)).collect();
            let stages = stages.iter().map(|stage| stage.get().0.clone());
            builder = match until {
                Some(until) => builder.repeat_until(times, &until, &carried, stages),
                None => builder.repeat(times, &carried, stages),
            };
        }
        for output in outputs {
            builder = builder.output(output);
        }
        Ok(PyPlan(Arc::new(builder.finish().map_err(raise)?)))
    }

    /// The values of the outputs over these States.
    fn run<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyTuple>,
        how: &str,
    ) -> PyResult<Vec<Bound<'py, State>>> {
        let (mode, tensors) = (mode(how)?, tensors(inputs)?);
        let plan = self.0.clone();
        let results = enter(py, usize::MAX, move || {
            let inputs: Vec<&Tensor> = tensors.iter().collect();
            plan.run(&inputs, mode)
        })?;
        results
            .into_iter()
            .map(|t| Bound::new(py, State::from(t)))
            .collect()
    }

    /// What a run over these States launches, beside the same plan with every stage by itself.
    fn report(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyTuple>,
        how: &str,
    ) -> PyResult<(usize, usize, String)> {
        let (mode, tensors) = (mode(how)?, tensors(inputs)?);
        let plan = self.0.clone();
        let report = enter(py, usize::MAX, move || {
            let inputs: Vec<&Tensor> = tensors.iter().collect();
            plan.report(&inputs, mode)
        })?;
        Ok((
            report.launches(),
            report.unfused_launches(),
            report.to_string(),
        ))
    }

    /// Writes the launch over inputs like these States into a file.
    fn save(&self, py: Python<'_>, path: PathBuf, inputs: &Bound<'_, PyTuple>) -> PyResult<()> {
        let (tensors, plan) = (tensors(inputs)?, self.0.clone());
        enter(py, usize::MAX, move || {
            let inputs: Vec<&Tensor> = tensors.iter().collect();
            plan.save(&inputs, path)
        })
    }

    /// Takes the launch that a file has, for runs on a device.
    fn load(&self, py: Python<'_>, path: PathBuf, on: &Bound<'_, PyAny>) -> PyResult<()> {
        let (device, plan) = (device::parse(py, Some(on))?, self.0.clone());
        enter(py, usize::MAX, move || {
            // SAFETY: the file is one that `save` wrote, as the documentation asks of the caller.
            unsafe { plan.load(path, &device) }
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.0
            .inputs()
            .iter()
            .map(|input| input.name.to_string())
            .collect()
    }

    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.0.outputs().iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn source(&self) -> String {
        self.0.source()
    }

    #[getter]
    fn digest(&self) -> String {
        self.0.digest()
    }
}

fn tensors(inputs: &Bound<'_, PyTuple>) -> PyResult<Vec<Tensor>> {
    let tensor = |x: Bound<'_, PyAny>| match x.cast::<State>() {
        Ok(state) => Ok(state.get().tensor.clone()),
        Err(_) => Err(error(
            Class::ArgumentType,
            format!(
                "pipeline: inputs are States, not {}; hint: asarray makes one",
                x.get_type()
            ),
        )),
    };
    inputs.iter().map(tensor).collect()
}
