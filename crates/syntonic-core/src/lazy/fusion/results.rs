//! Runs what was gathered, and hands out what it gives.

use super::super::watch::{Run, Watch};
use super::super::{Operand, Operation, unread};
use super::Fusion;
use crate::error::Result;
use crate::fuse::{Precision, Program};
use crate::run;
use crate::tensor::Tensor;
use std::sync::atomic::Ordering;

impl Fusion {
    pub(in crate::lazy) fn run(mut self) -> Result<Run> {
        if self.run_over()? {
            return Ok(Run::Done);
        }
        let watch = Watch::over(&self);
        if watch.is_late(&self.gathered) {
            return Ok(Run::Again);
        }
        let root = self.outputs[0].pending.clone();
        let tensors: Vec<Tensor> = self.inputs.iter().map(|leaf| leaf.tensor.clone()).collect();
        if let Some(begun) = self.product.take() {
            let mut others = tensors;
            others.remove(begun.input);
            let program = self.program(Some(begun.input));
            let out = Tensor::uninit("eval", &self.space.shape, root.dtype, &root.device)?;
            begun.product.write(&out, Some((&program, &others)))?;
            if watch.is_spoilt(&self.gathered) {
                return Ok(Run::Again);
            }
            root.finish(&out.buffer()?);
            return Ok(Run::Done);
        }
        if !self.outputs[0].temporary
            && let Some(result) = self.alone()?
        {
            root.finish(&result.buffer()?);
            return Ok(Run::Done);
        }
        self.tell();
        let program = self.program(None);
        let inputs: Vec<&Tensor> = tensors.iter().collect();
        let results = if self.space.has_rows() {
            let axes = (0..self.space.shape.len()).filter(|&axis| self.space.reduces(axis));
            let axes: Vec<isize> = axes.map(|axis| axis as isize).collect();
            run::rows_again(&program, &inputs, &axes)?
        } else {
            run::map_again(&program, &inputs, &self.space.shape, &root.device)?
        };
        if watch.is_spoilt(&self.gathered) {
            return Ok(Run::Again);
        }
        for (output, result) in self.outputs.iter().zip(results) {
            match output.temporary {
                true => output.pending.keep(result),
                false => output.pending.finish(&result.buffer()?),
            }
        }
        for g in self.gathered.iter().filter(|g| !g.place.repeats) {
            g.pending.passed.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Run::Done)
    }

    /// Tells who listens what is fused.
    pub(in crate::lazy) fn tell(&self) {
        if self.gathered.len() > 1 {
            tracing::info!(target: "syntonic::fusion", "{}", self.explain());
        }
    }

    /// The result of a single reduction of what is in memory: its own program, which devices know by name.
    fn alone(&self) -> Result<Option<Tensor>> {
        if self.gathered.len() > 1 {
            return Ok(None);
        }
        match self.outputs[0].pending.plan() {
            Some((Operation::Reduction(reduction), operands)) => match operands.first() {
                // To read what was settled would store it.
                Some(Operand::Tensor(x)) if unread(x).is_none() => {
                    reduction.run(x, run::Axes::Keep).map(Some)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The program, with the input `first` before all others.
    pub(in crate::lazy) fn program(&self, first: Option<usize>) -> Program {
        let name = self.names.joined();
        let mut program = self.builder.clone().finish(name, Precision::Stored);
        if let Some(first) = first {
            program.put_first(first);
        }
        program
    }
}
