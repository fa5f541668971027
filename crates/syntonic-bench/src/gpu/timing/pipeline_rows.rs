//! Rows of whole pipelines: transfer entropy, free energies, belief updates, and the chain of an agent's step.

use std::cell::OnceCell;
use std::sync::Arc;

use anyhow::{Result, ensure};
use syntonic_core::{DType, Device, DeviceId, Graph, Tensor, cpu};
use syntonic_srt::infer::{self, Evidence, History, Model, Prior, Stepping};
use syntonic_srt::transfer_entropy::{
    Estimator, Histories, Past, Scheme, Surrogates, TransferEntropy, transfer_entropy_matrix,
};

use crate::gpu::bounds;

/// Which pipeline; a call of one is a replay of a graph where an agent or an analyst would call it again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PipelineRow {
    /// `te/E` and `te/E/S` of `[n]`: histories of E samples, S surrogates.
    TransferEntropy { history: usize, surrogates: usize },
    /// `te_matrix/E` of `[series, n]`.
    Matrix { history: usize },
    /// `free_energy` of `[n]` or `[agents, n]`.
    FreeEnergy,
    /// `belief_update/K` of `[m, n]`: K steps.
    Belief { steps: usize },
    /// `inference_chain/K` of `[m, n]`: divergence, accuracy and K steps.
    Chain { steps: usize },
}

/// What is made once: a pipeline that replays.
#[derive(Debug)]
pub(super) enum Made {
    TransferEntropy(Box<TransferEntropy>),
    Chain(Box<Graph>),
}

/// Steps of this rate converge: of operands near 1, `J^T Pi J` has its largest eigenvalue near `m n`, below 5e6.
const RATE: f64 = 1e-7;

impl PipelineRow {
    pub(super) fn of(kind: &str) -> Option<PipelineRow> {
        let mut words = kind.split('/');
        let name = words.next()?;
        let mut number = || words.next().and_then(|word| word.parse().ok());
        Some(match name {
            "te" => PipelineRow::TransferEntropy {
                history: number()?,
                surrogates: number().unwrap_or(0),
            },
            "te_matrix" => PipelineRow::Matrix { history: number()? },
            "free_energy" => PipelineRow::FreeEnergy,
            "belief_update" => PipelineRow::Belief { steps: number()? },
            "inference_chain" => PipelineRow::Chain { steps: number()? },
            _ => return None,
        })
    }

    /// Shapes of the operands of a row.
    fn shapes(self, size: &[usize]) -> Vec<Vec<usize>> {
        let same = |count| vec![size.to_vec(); count];
        let (m, n) = (size[0], size[size.len() - 1]);
        // mu, J, o, pi, prior mean and precision.
        let belief = || vec![vec![n], vec![m, n], vec![m], vec![m], vec![n], vec![n]];
        match self {
            PipelineRow::TransferEntropy { .. } => same(2),
            PipelineRow::Matrix { .. } => same(1),
            PipelineRow::FreeEnergy => same(7),
            PipelineRow::Belief { .. } => belief(),
            // And the variances of the belief and of its prior.
            PipelineRow::Chain { .. } => [belief(), vec![vec![n]; 2]].concat(),
        }
    }

    pub(super) fn inputs(
        self,
        size: &[usize],
        values: impl Fn(u64, &[usize]) -> Result<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let shapes = self.shapes(size).into_iter();
        shapes
            .zip(0..)
            .map(|(shape, k)| values(k, &shape))
            .collect()
    }

    fn estimator(self) -> (Histories, Estimator) {
        let (length, count) = match self {
            PipelineRow::TransferEntropy {
                history,
                surrogates,
            } => (history, surrogates),
            PipelineRow::Matrix { history } => (history, 0),
            _ => (1, 0),
        };
        let past = Past {
            length,
            ..Past::default()
        };
        let surrogates = (count > 0).then_some(Surrogates {
            count,
            scheme: Scheme::Permutation,
            seed: 1,
        });
        (
            Histories {
                source: past,
                target: past,
                ..Histories::default()
            },
            Estimator {
                surrogates,
                ..Estimator::default()
            },
        )
    }

    /// The measured call.
    pub(super) fn work(
        self,
        x: &[Tensor],
        device: &Arc<dyn Device>,
        made: &OnceCell<Made>,
    ) -> Result<Vec<Tensor>> {
        let on_cpu = device.id() == DeviceId::Cpu;
        match self {
            PipelineRow::TransferEntropy { .. } => {
                let prepare = || {
                    let (histories, estimator) = self.estimator();
                    TransferEntropy::prepare(&x[0], &x[1], None, histories, &[1], &estimator)
                };
                if on_cpu {
                    return Ok(vec![prepare()?.run(&x[0], &x[1], None)?.values()?]);
                }
                if made.get().is_none() {
                    let captured = prepare()?.capture(&x[0], &x[1], None)?;
                    made.get_or_init(|| Made::TransferEntropy(Box::new(captured)));
                }
                match made.get() {
                    Some(Made::TransferEntropy(te)) => {
                        Ok(vec![te.run(&x[0], &x[1], None)?.values()?])
                    }
                    _ => anyhow::bail!("no estimator"),
                }
            }
            PipelineRow::Matrix { .. } => {
                let (histories, estimator) = self.estimator();
                let found = transfer_entropy_matrix(&x[0], histories, &estimator)?;
                let count = found.values.len();
                Ok(vec![Tensor::from_vec(found.values, &[count])?])
            }
            PipelineRow::Chain { .. } if !on_cpu => {
                let inputs: Vec<&Tensor> = x.iter().collect();
                if made.get().is_none() {
                    let graph = Graph::capture(&inputs, |x| self.directly(x))?;
                    made.get_or_init(|| Made::Chain(Box::new(graph)));
                }
                match made.get() {
                    Some(Made::Chain(graph)) => Ok(graph.replay(&inputs)?),
                    _ => anyhow::bail!("no graph"),
                }
            }
            _ => Ok(self.directly(&x.iter().collect::<Vec<_>>())?),
        }
    }

    fn directly(self, x: &[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
        let belief = |steps| {
            let model = Model {
                jacobian: x[1],
                reference: None,
                prior: Some(Prior {
                    mean: x[4],
                    precision: x[5],
                }),
            };
            let stepping = Stepping {
                rate: RATE,
                steps,
                tolerance: 0.0,
                history: History::Last,
            };
            infer::belief_update(x[0], x[2], x[3], model, stepping)
        };
        let made = match self {
            PipelineRow::FreeEnergy => {
                let evidence = Evidence {
                    observation: x[4],
                    prediction: x[5],
                    precision: x[6],
                    jacobian: None,
                };
                let made = infer::free_energy(x[0], x[1], x[2], x[3], evidence)?;
                vec![made.free_energy, made.complexity, made.accuracy]
            }
            PipelineRow::Belief { steps } => vec![belief(steps)?.mean],
            PipelineRow::Chain { steps } => vec![
                belief(steps)?.mean,
                infer::kl_divergence(x[0], x[4], x[6], x[7])?,
                infer::accuracy(x[2], &predicted(x)?, x[3])?,
            ],
            PipelineRow::TransferEntropy { .. } | PipelineRow::Matrix { .. } => vec![],
        };
        made.into_iter().map(|t| t.eval()).collect()
    }

    /// All results against the CPU's of the same operands.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        let host = |t: &Tensor| -> Result<Tensor> { Ok(t.to(&cpu())?) };
        let here: Vec<Tensor> = x.iter().map(host).collect::<Result<_>>()?;
        let wanted = self.work(&here, &cpu(), &OnceCell::new())?;
        ensure!(wanted.len() == results.len(), "{} results", results.len());
        let dtype = x[0].dtype();
        let last = bounds::rounding(dtype);
        let rounding = last.min(bounds::rounding(DType::F32));
        let numbers =
            |t: &Tensor| -> Result<Vec<f64>> { Ok(host(t)?.cast(DType::F64)?.to_vec::<f64>()?) };
        let mut largest = 0.0f64;
        for want in &wanted {
            largest = numbers(want)?.iter().fold(largest, |x, y| x.max(y.abs()));
        }
        // The operands are between 1/2 and 3/2: a term is rounded to 16 roundings of 1, terms of a sum have one sign, and a sum is added in
        // two orders of 64 + log2 n roundings each. Of a step, 64 more of the largest mean. Half types are rounded once, at the end.
        let length = x[0].shape().last().copied().unwrap_or(1) as f64;
        let allowed = match self {
            // Series are standardised with sums in another order, so that a near tie may change a count by one, and with it one of the
            // local values by at most one nat.
            PipelineRow::TransferEntropy { history, .. } | PipelineRow::Matrix { history } => {
                1.0 / (length - history as f64)
            }
            PipelineRow::Belief { steps } => 64.0 * steps as f64 * rounding * largest,
            _ => (16.0 * length + 2.0 * (64.0 + length.log2()) * largest) * rounding,
        };
        let allowed = allowed + if dtype.is_half() { last * largest } else { 0.0 };
        for (got, want) in results.iter().zip(&wanted) {
            ensure!(got.shape() == want.shape(), "{:?}", got.shape());
            for (at, (got, want)) in numbers(got)?.iter().zip(&numbers(want)?).enumerate() {
                // Written so that NaN is a wrong result.
                let close = (got - want).abs() <= allowed;
                ensure!(close, "{got} at {at}, not {want}");
            }
        }
        Ok(())
    }
}

/// What the mean predicts.
fn predicted(x: &[&Tensor]) -> syntonic_core::Result<Tensor> {
    syntonic_core::ops::linalg::matmul(x[1], x[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_say_what_they_measure() {
        assert_eq!(
            PipelineRow::of("te/3/100"),
            Some(PipelineRow::TransferEntropy {
                history: 3,
                surrogates: 100
            })
        );
        assert_eq!(
            PipelineRow::of("belief_update/10"),
            Some(PipelineRow::Belief { steps: 10 })
        );
        assert_eq!(PipelineRow::of("belief_update"), None);
        assert_eq!(PipelineRow::of("sum"), None);
    }
}
