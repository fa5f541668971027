//! Pipelines of stages, written in Python.

pub(crate) mod formula;
pub(crate) mod plan;
