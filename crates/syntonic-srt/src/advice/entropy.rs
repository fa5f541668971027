//! Transfer entropy of series of one length.

use crate::transfer_entropy::{Estimator, Histories, TransferEntropy};
use syntonic_core::advisor::{Runner, Workload, numbers_apart};
use syntonic_core::{Error, Result, Tensor, same_device};

const OP: &str = "transfer_entropy";

/// Transfer entropy of series like these, of which one set after the other comes: a request is `[source, target]`, or three with a condition,
/// and the result has the values of [`Information`](crate::transfer_entropy::Information). The choices are `plain`, which prepares each time;
/// `prepared`, which does so once; and `captured`, which replays a graph. All give the same bits, and promise an error of 0.
///
/// # Errors
/// Series on several devices, and another number of series than two or three; what else does not fit, the advisor finds when it prepares choices.
///
/// ```
/// use syntonic_core::advisor::Advisor;
/// use syntonic_core::prelude::*;
/// use syntonic_srt::advice::transfer_entropy;
/// use syntonic_srt::transfer_entropy::{Estimator, Histories};
///
/// let x = Tensor::randn(&[200], DType::F64, &mut Generator::new(7))?;
/// let y = Tensor::randn(&[200], DType::F64, &mut Generator::new(8))?;
/// let workload = transfer_entropy(&[&x, &y], Histories::default(), &Estimator::default())?;
/// let series = [x, y];
/// let mut chosen = Advisor::in_memory().choose(workload, &series[..])?;
/// assert!(chosen.run(&series)?[0].abs() < 0.2);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn transfer_entropy(
    series: &[&Tensor],
    histories: Histories,
    estimator: &Estimator,
) -> Result<Workload<'static, [Tensor], Vec<f64>>> {
    let device = same_device(OP, series)?;
    if !(2..=3).contains(&series.len()) {
        let text = format!(
            "takes a source, a target and, where there is one, a condition, not {} series; hint: give two or three",
            series.len()
        );
        return Err(Error::value(OP, text));
    }
    let (estimator, delays) = (*estimator, [histories.source.delay]);
    let prepare = move |series: &[Tensor]| {
        let (source, target, condition) = parts(series)?;
        TransferEntropy::prepare(source, target, condition, histories, &delays, &estimator)
    };
    let name = format!("transfer_entropy {histories:?} {estimator:?}");
    let distance = |a: &Vec<f64>, b: &Vec<f64>| Ok(numbers_apart(a, b));
    Ok(Workload::new(name, &device, distance)
        .operands(series)
        .choice("plain", 0.0, move |_: &[Tensor]| {
            Ok(Runner::new(move |series: &[Tensor]| {
                values(&prepare(series)?, series)
            }))
        })
        .choice("prepared", 0.0, move |sample: &[Tensor]| {
            let ready = prepare(sample)?;
            Ok(Runner::new(move |series: &[Tensor]| values(&ready, series)))
        })
        .choice("captured", 0.0, move |sample: &[Tensor]| {
            let (source, target, condition) = parts(sample)?;
            let ready = prepare(sample)?.capture(source, target, condition)?;
            Ok(Runner::new(move |series: &[Tensor]| values(&ready, series)))
        }))
}

fn values(ready: &TransferEntropy, series: &[Tensor]) -> Result<Vec<f64>> {
    let (source, target, condition) = parts(series)?;
    Ok(ready.run(source, target, condition)?.read()?.values)
}

fn parts(series: &[Tensor]) -> Result<(&Tensor, &Tensor, Option<&Tensor>)> {
    match series {
        [source, target] => Ok((source, target, None)),
        [source, target, condition] => Ok((source, target, Some(condition))),
        other => {
            let text = format!("{} series; hint: give two or three", other.len());
            Err(Error::value(OP, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use syntonic_core::DType;
    use syntonic_core::advisor::Advisor;
    use syntonic_core::random::Generator;

    #[test]
    fn three_ways_with_the_same_bits() -> Result<()> {
        let mut generator = Generator::new(3);
        let mut drawn = || Tensor::randn(&[200], DType::F64, &mut generator)?.eval();
        let (x, y, z) = (drawn()?, drawn()?, drawn()?);
        let advisor = Advisor::in_memory().with_budget(Duration::ZERO);
        let (histories, estimator) = (Histories::default(), Estimator::default());
        for series in [vec![x.clone(), y.clone()], vec![x.clone(), y.clone(), z]] {
            let listed: Vec<&Tensor> = series.iter().collect();
            let workload = transfer_entropy(&listed, histories, &estimator)?;
            let mut chosen = advisor.choose(workload, &series[..])?;
            let names: Vec<&str> = chosen.advice.measured.iter().map(|m| &*m.choice).collect();
            assert_eq!(names, ["plain", "prepared", "captured"]);
            let want = crate::transfer_entropy::transfer_entropy(
                &series[0],
                &series[1],
                series.get(2),
                histories,
                &estimator,
            )?;
            assert_eq!(chosen.run(&series)?, want.values);
            assert!(chosen.run(&series[..1]).is_err());
        }
        assert!(transfer_entropy(&[&x], histories, &estimator).is_err());
        Ok(())
    }

    #[test]
    fn series_that_do_not_fit_are_refused_as_by_the_estimator() -> Result<()> {
        let (x, short) = (Tensor::arange(0, 50, 1)?, Tensor::arange(0, 2, 1)?);
        let [x, short] = [x, short].map(|t| t.cast(DType::F64));
        let (x, short) = (x?, short?);
        let workload =
            transfer_entropy(&[&x, &short], Histories::default(), &Estimator::default())?;
        let refused = Advisor::in_memory().choose(workload, &[x, short][..]);
        assert!(matches!(refused, Err(Error::Shape { .. })));
        Ok(())
    }
}
