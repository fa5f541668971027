//! The row of an optimizer: a step of AdamW over all parameters of a model.

use anyhow::{Result, ensure};
use syntonic_core::{DType, Tensor, cpu};
use syntonic_srt::optim::{Adam, Leaf, Optimizer};

use crate::gpu::{Exactness, compare};

/// `adamw` of `[layers, width, vocabulary, positions]`: a step over the parameters of a GPT-2 of this size. Parameters and gradients have the
/// row's type, both moments `float32`: of half types a weight moves 22 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OptimizerRow;

/// What a parameter has: itself, its gradient and two moments; and what a step makes of it, without the gradient.
const GIVEN: usize = 4;
const MADE: usize = 3;
/// The step, and a learning rate that changes every number of a half type.
const STEP: u64 = 3;
const RATE: f64 = 0.25;
/// Rows of each parameter that are compared, at its beginning and at its end.
const LINES: isize = 2;

impl OptimizerRow {
    pub(super) fn of(kind: &str) -> Option<OptimizerRow> {
        (kind == "adamw").then_some(OptimizerRow)
    }

    /// Shapes of the parameters, as GPT-2 has them: embeddings of tokens and positions, the blocks, and the last norm.
    fn shapes(size: &[usize]) -> Result<Vec<Vec<usize>>> {
        let &[layers, width, vocabulary, positions] = size else {
            anyhow::bail!("the size is [layers, width, vocabulary, positions], not {size:?}");
        };
        let norm = || [vec![width], vec![width]];
        let linear = |from: usize, to: usize| [vec![from, to], vec![to]];
        let block = [
            norm(),
            linear(width, 3 * width),
            linear(width, width),
            norm(),
            linear(width, 4 * width),
            linear(4 * width, width),
        ];
        let embeddings = [vec![vocabulary, width], vec![positions, width]];
        let blocks = std::iter::repeat_n(block.concat(), layers).flatten();
        Ok(embeddings.into_iter().chain(blocks).chain(norm()).collect())
    }

    /// Each parameter with its gradient and moments, from tensors of positive numbers.
    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let shapes = Self::shapes(size)?.into_iter();
        let each = shapes.flat_map(|shape| std::iter::repeat_n(shape, GIVEN));
        let drawn = each.zip(0..).map(|(shape, k)| {
            let drawn = values(k as u64, &shape)?;
            Ok(match k % GIVEN {
                0 | 1 => drawn,
                _ => drawn.cast(DType::F32)?.eval()?,
            })
        });
        drawn.collect()
    }

    /// The step: of each parameter what it becomes, and its moments.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Vec<Tensor>> {
        let leaves = x.chunks_exact(GIVEN).map(|own| Leaf {
            parameter: &own[0],
            master: None,
            gradient: &own[1],
            moments: &own[2..],
        });
        let leaves: Vec<Leaf<'_>> = leaves.collect();
        let adam = Optimizer::from(Adam::decoupled());
        let made = adam.update_each(STEP, RATE, &leaves, None)?;
        let all = made
            .into_iter()
            .flat_map(|own| [own.parameter].into_iter().chain(own.moments));
        Ok(all.collect())
    }

    /// The bits of the CPU, at both ends of each parameter: a step is by the element.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        ensure!(
            results.len() * GIVEN == x.len() * MADE,
            "{} results",
            results.len()
        );
        for at_the_end in [false, true] {
            let cut = |t: &Tensor| -> Result<Tensor> {
                let rows = t.shape()[0] as isize;
                let from = if at_the_end { rows - LINES } else { 0 };
                let part = t.slice(0, Some(from), Some(from + LINES), 1)?;
                Ok(part.contiguous()?.to(&cpu())?)
            };
            let here: Vec<Tensor> = x.iter().map(cut).collect::<Result<_>>()?;
            for (got, want) in results.iter().zip(self.work(&here)?) {
                compare(&cut(got)?, &want, Exactness::Same)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpt_2_small_has_its_parameters() {
        let shapes = OptimizerRow::shapes(&[12, 768, 50257, 1024]).unwrap();
        let weights: usize = shapes
            .iter()
            .map(|shape| shape.iter().product::<usize>())
            .sum();
        assert_eq!((shapes.len(), weights), (148, 124_439_808));
        assert!(OptimizerRow::shapes(&[12, 768]).is_err());
    }

    #[test]
    fn a_step_is_right_and_a_wrong_one_is_found() {
        let values = |k: u64, shape: &[usize]| -> Result<Tensor> {
            let numbers = (0..shape.iter().product())
                .map(|i: usize| 0.5 + (i as u64 + 7 * k) as f64 % 64.0 / 64.0);
            Ok(Tensor::from_vec(numbers.collect(), shape)?
                .cast(DType::BF16)?
                .eval()?)
        };
        let row = OptimizerRow::of("adamw").unwrap();
        let x = row.inputs(&[1, 8, 16, 4], values).unwrap();
        let mut results = row.work(&x).unwrap();
        row.check(&x, &results).unwrap();
        results[3] = x[4].clone();
        assert!(row.check(&x, &results).is_err());
    }
}
