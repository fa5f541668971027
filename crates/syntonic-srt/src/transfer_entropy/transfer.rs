//! Transfer entropy: which tasks it is.

use super::error::{fit, refused};
use super::estimate::{Estimator, Information};
use super::history::{Histories, Past};
use super::kernel::Form;
use super::prepared::{Estimates, Kind, Prepared, Tasks};
use std::ops::Range;
use syntonic_core::{Error, Graph, Operands, Result, Tensor, describe, room};

/// Transfer entropy from `source` to `target` in nats: `I(y_t; past of x | past of y)`, given also the past of `condition` where there is
/// one. Each is `[n]`; by pairs `[B, n]`; or, with series of several variables that are taken together, `[B, d, n]`, where each has a `d` of
/// its own. One value for each pair.
///
/// The estimator is KSG 1 of conditional mutual information (Kraskov et al., Phys. Rev. E 69, 066138; Frenzel and Pompe, Phys. Rev. Lett. 99,
/// 204101), with the largest difference of coordinates as distance, counts of what is strictly nearer, and series that are standardised
/// unless the estimator says otherwise.
///
/// Standardised series may have any magnitude, from the smallest subnormal numbers to the largest. Those that are taken as they are may not be further
/// apart than the largest number.
///
/// Errors: types other than `float32` and `float64` or several of them, devices or shapes that differ, samples that are not finite, series that are too short for the histories,
/// a past of a condition that is not there, `k` out of range, and points of more than 32 coordinates.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{Estimator, Histories, transfer_entropy};
///
/// let noise = Tensor::randn(&[501], DType::F64, &mut Generator::new(7))?;
/// // The target does what the source did a step before.
/// let (source, target) = (noise.index(1..)?, noise.index(..500)?);
/// let (histories, estimator) = (Histories::default(), Estimator::default());
/// let there = transfer_entropy(&source, &target, None, histories, &estimator)?.values[0];
/// let back = transfer_entropy(&target, &source, None, histories, &estimator)?.values[0];
/// assert!(there > 1.0 && back.abs() < 0.15);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn transfer_entropy(
    source: &Tensor,
    target: &Tensor,
    condition: Option<&Tensor>,
    histories: Histories,
    estimator: &Estimator,
) -> Result<Information> {
    let delays = [histories.source.delay];
    TransferEntropy::prepare(source, target, condition, histories, &delays, estimator)?
        .run(source, target, condition)?
        .read()
}

/// Transfer entropy of series like others, as [`transfer_entropy`], with all prepared that does not hang on their samples: a run has no
/// uploads, and can be part of a [`Graph`].
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
///
/// let x = Tensor::arange(0, 200, 1)?.try_mul(0.7)?.sin()?.eval()?;
/// let y = x.flip(&[0])?.eval()?;
/// // Which delay tells most, over the same points for all.
/// let (histories, estimator) = (Histories::default(), Estimator::default());
/// let all = TransferEntropy::prepare(&x, &y, None, histories, &[1, 2, 3], &estimator)?;
/// assert_eq!(all.run(&x, &y, None)?.read()?.values.len(), 3);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TransferEntropy {
    prepared: Prepared,
    like: Operands,
    graph: Option<Graph>,
}

impl TransferEntropy {
    /// For operands like these. Estimates are by pairs and for each of the `delays` of the source, in this order, over the points that all
    /// delays have; the delay of `histories.source` is not looked at.
    ///
    /// Errors: as of [`transfer_entropy`], but for the samples; no delay.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
    ///
    /// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
    /// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
    /// let prepared = TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1, 2], &Estimator::default())?;
    /// assert_eq!(prepared.run(&x, &y, None)?.read()?.values.len(), 2);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn prepare(
        source: &Tensor,
        target: &Tensor,
        condition: Option<&Tensor>,
        histories: Histories,
        delays: &[usize],
        estimator: &Estimator,
    ) -> Result<TransferEntropy> {
        let operands = Operand::all(source, target, condition)?;
        let (pairs, n) = (operands[0].pairs, operands[0].rows.shape()[1]);
        let rows = (0..pairs).map(|pair| {
            let of = |at: usize| operands.get(at).map_or(0..0, |operand| operand.rows(pair));
            [of(0), of(1), of(2)]
        });
        let tasks = tasks_of(OP, n, rows, histories, delays)?;
        let kind = Kind {
            shape: [
                pairs * operands.iter().map(|o| o.variables).sum::<usize>(),
                n,
            ],
            dtype: source.dtype(),
            device: source.device(),
        };
        Ok(TransferEntropy {
            prepared: Prepared::new(OP, &kind, &tasks, estimator)?,
            like: described(source, target, condition),
            graph: None,
        })
    }

    /// As one graph: a run is a replay, which on a GPU is one launch.
    ///
    /// Errors: operands unlike those that were prepared for; as of [`Graph::capture`].
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
    ///
    /// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
    /// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
    /// let prepare = || TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1], &Estimator::default());
    /// let captured = prepare()?.capture(&x, &y, None)?;
    /// assert_eq!(captured.run(&x, &y, None)?.read()?.values, prepare()?.run(&x, &y, None)?.read()?.values);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn capture(
        mut self,
        source: &Tensor,
        target: &Tensor,
        condition: Option<&Tensor>,
    ) -> Result<TransferEntropy> {
        self.check(source, target, condition)?;
        let series = Operand::joined(&Operand::all(source, target, condition)?)?;
        let graph = Graph::capture(&[&series], |own| self.prepared.run(own[0])?.into_parts())?;
        self.graph = Some(graph);
        Ok(self)
    }

    /// Estimates of operands like those that were prepared for, on their device.
    ///
    /// Errors: operands of other shapes, types or devices.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::transfer_entropy::{Estimator, Histories, TransferEntropy};
    ///
    /// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
    /// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
    /// let prepared = TransferEntropy::prepare(&x, &y, None, Histories::default(), &[1], &Estimator::default())?;
    /// let (there, back) = (prepared.run(&x, &y, None)?.read()?, prepared.run(&y, &x, None)?.read()?);
    /// assert_ne!(there.values, back.values);
    /// assert!(prepared.run(&x.index(1..)?, &y, None).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run(
        &self,
        source: &Tensor,
        target: &Tensor,
        condition: Option<&Tensor>,
    ) -> Result<Estimates> {
        self.check(source, target, condition)?;
        let operands = Operand::all(source, target, condition)?;
        match &self.graph {
            None => self.prepared.run(&Operand::joined(&operands)?),
            Some(graph) => {
                let parts = graph.replay_parts(&[&Operand::parts(&operands)])?;
                Estimates::of_parts(&self.prepared, parts)
            }
        }
    }

    fn check(&self, source: &Tensor, target: &Tensor, condition: Option<&Tensor>) -> Result<()> {
        let given = described(source, target, condition);
        if given == self.like {
            return Ok(());
        }
        Err(refused(
            OP,
            format!(
                "it was prepared for {}, not for {given}; hint: prepare another one for these",
                self.like
            ),
        ))
    }
}

const OP: &str = "transfer_entropy";

fn listed<'a>(
    source: &'a Tensor,
    target: &'a Tensor,
    condition: Option<&'a Tensor>,
) -> Vec<&'a Tensor> {
    [source, target].into_iter().chain(condition).collect() // few: three.
}

fn described(source: &Tensor, target: &Tensor, condition: Option<&Tensor>) -> Operands {
    describe(&listed(source, target, condition))
}

/// An operand as rows: all variables of a pair follow each other.
struct Operand {
    rows: Tensor,
    pairs: usize,
    variables: usize,
    /// Rows of the operands before it.
    before: usize,
}

impl Operand {
    fn all(source: &Tensor, target: &Tensor, condition: Option<&Tensor>) -> Result<Vec<Operand>> {
        let given = listed(source, target, condition);
        fit(OP, &given)?;
        let form = |t: &Tensor| match *t.shape() {
            [n] => Some([1, 1, n]),
            [pairs, n] => Some([pairs, 1, n]),
            [pairs, variables, n] => Some([pairs, variables, n]),
            _ => None,
        };
        let first = form(source);
        let mut before = 0;
        let mut made = Vec::new();
        for t in &given {
            let alike = |a: &[usize; 3], b: &[usize; 3]| a[0] == b[0] && a[2] == b[2] && b[1] > 0;
            let shape = form(t).filter(|shape| first.is_some_and(|first| alike(&first, shape)));
            let Some([pairs, variables, n]) = shape.filter(|_| t.ndim() == source.ndim()) else {
                return Err(Error::Shape {
                    op: OP,
                    operands: describe(&given),
                    hint: "source, target and condition have as many samples, [n], of as many pairs, [pairs, n], each of one or more variables, [pairs, variables, n]".into(),
                });
            };
            let rows = t.reshape(&[(pairs * variables) as isize, n as isize])?;
            made.push(Operand {
                rows,
                pairs,
                variables,
                before,
            }); // few: three.
            before += pairs * variables;
        }
        Ok(made)
    }

    fn rows(&self, pair: usize) -> Range<usize> {
        let first = self.before + pair * self.variables;
        first..first + self.variables
    }

    fn parts(operands: &[Operand]) -> Vec<&Tensor> {
        operands.iter().map(|operand| &operand.rows).collect() // few: three.
    }

    fn joined(operands: &[Operand]) -> Result<Tensor> {
        Tensor::concat(&Operand::parts(operands), 0)?
            .contiguous()?
            .eval()
    }
}

/// Tasks of rows of sources, targets and conditions, for each delay.
pub(super) fn tasks_of(
    op: &'static str,
    n: usize,
    rows: impl Iterator<Item = [Range<usize>; 3]> + Clone,
    histories: Histories,
    delays: &[usize],
) -> Result<Tasks> {
    let Histories {
        source,
        target,
        condition,
    } = histories;
    if target.delay != 1 {
        let what = format!(
            "the delay of the target's past is {}; hint: leave it at 1, what the target did a step before is what is known of it",
            target.delay
        );
        return Err(refused(op, what));
    }
    target.check(op, "target")?;
    condition.check(op, "condition")?;
    if delays.is_empty() {
        return Err(refused(
            op,
            "there is no delay; hint: one or more, from 1 on",
        ));
    }
    let mut reach = target.reach();
    for &delay in delays {
        let source = Past { delay, ..source };
        source.check(op, "source")?;
        reach = reach.max(source.reach());
    }
    let [x, y, c] = rows.clone().next().unwrap_or([0..1, 0..1, 0..0]);
    if c.is_empty() && condition != Past::default() {
        let what = format!(
            "{condition:?} of a condition, and no condition; hint: give one, or leave its past out"
        );
        return Err(refused(op, what));
    }
    let start = match c.is_empty() {
        true => reach,
        false => reach.max(condition.reach()),
    };
    if start >= n {
        let what = format!(
            "series of {n} samples are too short for histories that reach {start} back; hint: longer series, or shorter histories and delays"
        );
        return Err(refused(op, what));
    }
    let mut coordinates = Vec::new();
    for [x, y, c] in rows {
        for &delay in delays {
            let source = Past { delay, ..source };
            let sources = x.clone().flat_map(|row| source.places(row, start));
            let now = y.clone().map(|row| [row as i32, start as i32]);
            let targets = y.clone().flat_map(|row| target.places(row, start));
            let given = c.clone().flat_map(|row| condition.places(row, start));
            for place in sources.chain(now).chain(targets).chain(given) {
                room::push(&mut coordinates, place)?;
            }
        }
    }
    Ok(Tasks {
        points: n - start,
        widths: [
            x.len() * source.length,
            y.len(),
            y.len() * target.length + c.len() * condition.length,
        ],
        form: Form::Conditional,
        coordinates,
    })
}
