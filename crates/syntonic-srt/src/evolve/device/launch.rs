//! What a search hands to its kernels.

use super::kernels::RUN;
use super::plan::{Asked, NUMBERS, Plan, Update, VARIANCE};
use super::search::{DeviceSearch, OP};
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::vectors;
use syntonic_core::{DType, Error, Result, Tensor};

impl DeviceSearch {
    /// One launch of [`RUN`]: the state afterwards, scores and history.
    pub(super) fn launch(
        &self,
        asked: &Asked,
        given: Option<&Tensor>,
        order: Option<&Tensor>,
        factors: &Tensor,
    ) -> Result<[Tensor; 3]> {
        let Plan {
            runs,
            n,
            population,
            dtype,
            ..
        } = self.plan;
        let planes = asked.form.map_or(0, |form| form.planes());
        let scored = if asked.form.is_some() { population } else { 0 };
        let groups = self.plan.groups();
        let kept = match self.rule.update() {
            Update::Paths => n,
            Update::Natural | Update::Gradient => 0,
        };
        let (tiles, segments) = (self.plan.tiles(), self.plan.segments());
        let outputs = [
            (self.state.shape(), DType::F64),
            (&[runs, scored][..], DType::F64),
            (&[runs, asked.generations], DType::F64),
            (&[runs, population], DType::I64),
            (&[runs, population], dtype),
            (&[runs, planes, tiles, population], dtype),
            (&[runs, planes, groups, population], DType::F64),
            (&[runs, 4, segments, n], dtype),
            (&[runs, 2, kept], DType::F64),
            (&[runs, kept.div_ceil(32)], DType::F64),
            (&[runs, 4], DType::F64),
        ];
        let [real, whole] = &self.nothing;
        let arrived = Tensor::zeros_on(&[1], DType::I64, self.device())?.eval()?;
        let inputs = [
            &self.state,
            given.unwrap_or(real),
            order.unwrap_or(whole),
            &self.utilities,
            &self.prefixes,
            factors,
            &self.bounds,
            &arrived,
        ];
        // SAFETY: operands of this search, with the shapes and types that the kernel asks for.
        let mut made = unsafe { vectors::run(&RUN, &inputs, &outputs, asked.numbers())? };
        made.truncate(3);
        match <[Tensor; 3]>::try_from(made) {
            Ok(made) => Ok(made),
            Err(made) => Err(Error::value(OP, format!("{} outputs", made.len()))),
        }
    }
}

/// Places of candidates, best first, `int64` of the scores' shape.
pub(super) fn best_first(scores: &Tensor) -> Result<Tensor> {
    order::argsort(scores, -1, Direction::Ascending)?.eval()
}

/// The state before the first generation.
pub(super) fn first_state(
    start: &Tensor,
    plan: Plan,
    update: Update,
    sigma: f64,
) -> Result<Tensor> {
    let device = start.device();
    let runs = plan.runs;
    let mean = start.cast(DType::F64)?.reshape(&[runs as isize, -1])?;
    let filled = |value: f64| Tensor::full_on(&[runs, plan.n], value, DType::F64, device);
    let mut parts = vec![mean.clone(), filled(sigma)?, mean]; // few: rows of a state.
    if update == Update::Paths {
        debug_assert_eq!(parts.len(), VARIANCE);
        parts.extend([filled(1.0)?, filled(0.0)?, filled(0.0)?]);
    }
    let mut numbers = [0.0; NUMBERS];
    numbers[super::learning::SIGMA] = sigma;
    numbers[super::learning::MISSING] = 1.0;
    numbers[super::learning::BEST_SCORE] = f64::INFINITY;
    let numbers = Tensor::from_slice(&numbers, &[1, NUMBERS])?.to(device)?;
    parts.push(numbers.broadcast_to(&[runs, NUMBERS])?);
    Tensor::concat(&parts.iter().collect::<Vec<_>>(), 1)?.copy() // few: rows of a state.
}
