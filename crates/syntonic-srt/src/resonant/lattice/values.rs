//! What states compute with: integers of the lattice, and floats.

use super::states::Join;
use super::states::sealed::{Movable, Parts};
use super::{Crystallized, Flux, Result, Spectrum};
use crate::exact::GoldenTensor;
use crate::refusal::not_real;
use std::sync::Arc;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::{DType, Result as Made, Tensor};

impl Movable for GoldenTensor {
    fn shown(&self) -> &Tensor {
        self.a()
    }

    fn placed(&self, of: &dyn Fn(&Tensor) -> Made<Tensor>) -> Result<GoldenTensor> {
        Ok(GoldenTensor::placed(self, of)?)
    }

    fn joined(all: &[&GoldenTensor], join: Join) -> Result<GoldenTensor> {
        Ok(match join {
            Join::Concat(axis) => GoldenTensor::concat(all, axis)?,
            Join::Stack(axis) => GoldenTensor::stack(all, axis)?,
        })
    }

    fn plus(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        Ok(GoldenTensor::plus(self, other)?)
    }

    fn minus(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        Ok(GoldenTensor::minus(self, other)?)
    }

    fn times(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        Ok(GoldenTensor::times(self, other)?)
    }

    fn negated(&self) -> Result<GoldenTensor> {
        Ok(GoldenTensor::negated(self)?)
    }

    fn product(&self, other: &GoldenTensor) -> Result<GoldenTensor> {
        Ok(GoldenTensor::matmul(self, other)?)
    }
}

fn both(prim: Prim, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    Ok(apply(prim, &[Arg::Tensor(x), Arg::Tensor(y)])?)
}

impl Movable for Tensor {
    fn shown(&self) -> &Tensor {
        self
    }

    fn placed(&self, of: &dyn Fn(&Tensor) -> Made<Tensor>) -> Result<Tensor> {
        Ok(of(self)?)
    }

    fn joined(all: &[&Tensor], join: Join) -> Result<Tensor> {
        Ok(join.of(all)?)
    }

    fn plus(&self, other: &Tensor) -> Result<Tensor> {
        both(Prim::Add, self, other)
    }

    fn minus(&self, other: &Tensor) -> Result<Tensor> {
        both(Prim::Sub, self, other)
    }

    fn times(&self, other: &Tensor) -> Result<Tensor> {
        both(Prim::Mul, self, other)
    }

    fn negated(&self) -> Result<Tensor> {
        Ok(apply(Prim::Neg, &[Arg::Tensor(self)])?)
    }

    fn product(&self, other: &Tensor) -> Result<Tensor> {
        Ok(Tensor::matmul(self, other)?)
    }
}

impl Parts for Crystallized {
    type Values = GoldenTensor;

    fn held(&self) -> &GoldenTensor {
        self.points()
    }

    fn modes(&self) -> &Arc<Spectrum> {
        self.shared_spectrum()
    }

    fn rebuilt(&self, points: GoldenTensor, modes: Arc<Spectrum>) -> Result<Crystallized> {
        Ok(Crystallized::of(points, modes, self.bound()))
    }
}

impl Parts for Flux {
    type Values = Tensor;

    fn held(&self) -> &Tensor {
        self.values()
    }

    fn modes(&self) -> &Arc<Spectrum> {
        self.shared_spectrum()
    }

    /// A flux owns `float64` values: what is written to those that it was made of later is not seen.
    fn rebuilt(&self, values: Tensor, modes: Arc<Spectrum>) -> Result<Flux> {
        Ok(Flux::of(owned("flux", &values)?, modes))
    }
}

/// Real floats as `float64` of one's own.
pub(super) fn owned(op: &'static str, x: &Tensor) -> Result<Tensor> {
    if !x.dtype().is_float() || x.dtype().is_stored() {
        return Err(not_real(op, &[x]).into());
    }
    Ok(match x.dtype() {
        // What waits has no memory that anybody could write.
        DType::F64 if x.numel() > 0 && !x.is_pending() => x.copy()?,
        _ => x.cast(DType::F64)?.eval()?,
    })
}
