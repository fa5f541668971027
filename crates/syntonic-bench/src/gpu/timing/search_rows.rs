//! Rows that are no formula over their operands: whole runs of a search that lives on the device, and nearest points of the lattice.

use std::cell::OnceCell;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use syntonic_core::{DType, Device, DeviceId, Tensor, cpu};
use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
use syntonic_srt::exact::snap_tensor;

use super::bench::Row;
use crate::gpu::{Exactness, compare};

/// Where each coordinate begins, and the step size there; the peers' are the same.
const START: f64 = 3.0;
const SIGMA: f64 = 1.0;
/// The learning rate of OpenAI's strategy, with which a few generations get somewhere.
const RATE: f64 = 1.0;
const SEED: u64 = 1;
/// Numbers of noise that the CPU draws for a comparison, at most.
const COMPARED: usize = 10_000_000;
/// Numbers that are snapped again at each of several places.
const SAMPLE: isize = 256;

/// A rule on a built-in function: the kind is `search/RULE/FUNCTION`. A call is all generations of the row, from the same state.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchRow {
    rule: Rule,
    function: Function,
}

impl SearchRow {
    pub(super) fn of(kind: &str) -> Option<SearchRow> {
        let (rule, function) = kind.strip_prefix("search/")?.split_once('/')?;
        let rule = match rule {
            "res" => Rule::Res,
            "separable" => Rule::Separable,
            "separable_cma" => Rule::SeparableCma,
            "snes" => Rule::Snes,
            "open_ai" => Rule::OpenAi { rate: RATE },
            _ => return None,
        };
        let function = match function {
            "rastrigin" => Function::Rastrigin,
            "sphere" => Function::Sphere,
            "ackley" => Function::Ackley,
            _ => return None,
        };
        Some(SearchRow { rule, function })
    }

    /// Coordinates of all candidates of a call.
    pub(super) fn numbers(row: &Row) -> u64 {
        row.size.iter().map(|&n| n as u64).product::<u64>() * row.generations
    }

    pub(super) fn inputs(
        self,
        row: &Row,
        dtype: DType,
        device: &Arc<dyn Device>,
    ) -> Result<Vec<Tensor>> {
        let n = *row.size.get(1).context("a search has two sizes")?;
        Ok(vec![Tensor::full_on(&[n], START, dtype, device)?.eval()?])
    }

    fn begun(self, row: &Row, start: &Tensor) -> Result<DeviceSearch> {
        Ok(DeviceSearch::new(
            start,
            SIGMA,
            row.size[0],
            self.rule,
            SEED,
        )?)
    }

    fn results(self, search: &mut DeviceSearch, generations: u64) -> Result<Vec<Tensor>> {
        let history = search.run(self.function, generations, None)?.history;
        Ok(vec![history.eval()?, search.mean()?.eval()?])
    }

    /// The best score of each generation, and the mean after them. The state before the first generation is made once on a GPU.
    pub(super) fn work(
        self,
        x: &[Tensor],
        row: &Row,
        made: &OnceCell<DeviceSearch>,
    ) -> Result<Vec<Tensor>> {
        let start = &x[0];
        let mut search = match made.get() {
            Some(search) if start.device_id() != DeviceId::Cpu => search.clone(),
            _ => {
                let search = self.begun(row, start)?;
                made.get_or_init(|| search.clone());
                search
            }
        };
        self.results(&mut search, row.generations)
    }

    /// As many first generations as the CPU soon has done must be its own to the bit; all must be finite, and one better than
    /// the first.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor], row: &Row) -> Result<()> {
        let host = |t: &Tensor| -> Result<Tensor> { Ok(t.to(&cpu())?) };
        let history = host(&results[0])?;
        let scores = history.to_vec::<f64>()?;
        ensure!(
            scores.len() as u64 == row.generations,
            "{} generations of {}",
            scores.len(),
            row.generations
        );
        let mean = host(&results[1])?;
        let finite = mean.to_vec::<f64>()?.iter().all(|x| x.is_finite());
        ensure!(
            finite && scores.iter().all(|s| s.is_finite()),
            "a score or a coordinate is not finite"
        );
        // The step size may grow first, and scores with it: the best of all counts.
        let (first, best) = (scores[0], scores.iter().copied().fold(f64::NAN, f64::min));
        ensure!(best < first, "no better than the first: {first}");
        let each: usize = row.size.iter().product();
        let count = ((COMPARED / each) as u64).min(row.generations);
        if count > 0 {
            let mut search = self.begun(row, &host(&x[0])?)?;
            let wanted = self.results(&mut search, count)?;
            let begun = history.slice(0, Some(0), Some(count as isize), 1)?.copy()?;
            compare(&begun, &wanted[0], Exactness::Same).context("scores of the CPU")?;
            if count == row.generations {
                compare(&mean, &wanted[1], Exactness::Same).context("the mean of the CPU")?;
            }
        }
        Ok(())
    }
}

/// Nearest points with coefficients up to a bound: the kind is `snap/BOUND`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SnapRow {
    bound: u32,
}

impl SnapRow {
    pub(super) fn of(kind: &str) -> Option<SnapRow> {
        let bound = kind.strip_prefix("snap/")?.parse().ok()?;
        Some(SnapRow { bound })
    }

    /// Numbers are drawn between the negative of this and it: there the distance to the lattice is bounded.
    pub(super) fn reach(self) -> f64 {
        f64::from(self.bound) * syntonic_srt::constants::INV_PHI
    }

    /// Both coefficients.
    pub(super) fn work(self, x: &[Tensor]) -> Result<Vec<Tensor>> {
        let points = snap_tensor(&x[0], self.bound)?.points;
        Ok(vec![points.a().clone(), points.b().clone()])
    }

    /// Samples all over the vector, to the bit.
    pub(super) fn check(self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        let last = x[0].numel() as isize - SAMPLE;
        for k in 0..=8 {
            let at = last * k / 8;
            let cut = |t: &Tensor| -> Result<Tensor> {
                Ok(t.slice(0, Some(at), Some(at + SAMPLE), 1)?
                    .contiguous()?
                    .to(&cpu())?)
            };
            let wanted = self.work(&[cut(&x[0])?])?;
            for (got, want) in results.iter().zip(&wanted) {
                compare(&cut(got)?, want, Exactness::Same)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str, size: &[usize], generations: u64) -> Row {
        let text = serde_json::json!({"suite": "evolve", "case": "a", "kind": kind, "dtype": "float32", "size": size, "bytes": 1, "generations": generations});
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn a_trajectory_of_another_seed_or_rule_is_wrong() {
        let row = row("search/snes/rastrigin", &[32, 10], 40);
        let search = SearchRow::of(&row.kind).unwrap();
        let x = search.inputs(&row, DType::F32, &cpu()).unwrap();
        let made = OnceCell::new();
        let right = search.work(&x, &row, &made).unwrap();
        search.check(&x, &right, &row).unwrap();
        assert_eq!(SearchRow::numbers(&row), 32 * 10 * 40);
        let other = SearchRow::of("search/res/rastrigin").unwrap();
        let wrong = other.work(&x, &row, &OnceCell::new()).unwrap();
        let told = search.check(&x, &wrong, &row).unwrap_err();
        assert!(
            format!("{told:#}").contains("scores of the CPU"),
            "{told:#}"
        );
        let mixed = [right[0].clone(), wrong[1].clone()];
        let told = search.check(&x, &mixed, &row).unwrap_err();
        assert!(format!("{told:#}").contains("the mean of the CPU"));
    }

    #[test]
    fn a_search_that_stands_still_or_stops_early_is_wrong() {
        let row = row("search/snes/sphere", &[16, 10], 4);
        let search = SearchRow::of(&row.kind).unwrap();
        let x = search.inputs(&row, DType::F32, &cpu()).unwrap();
        for (history, word) in [
            (vec![5.0; 4], "no better"),
            (vec![5.0, 4.0, 3.0], "3 generations of 4"),
            (vec![5.0, f64::NAN, 3.0, 2.0], "not finite"),
        ] {
            let history = Tensor::from_slice(&history, &[history.len()]).unwrap();
            let told = search
                .check(&x, &[history, x[0].clone()], &row)
                .unwrap_err();
            assert!(told.to_string().contains(word), "{told}");
        }
        assert!(SearchRow::of("search/snes/nothing").is_none());
        assert!(SearchRow::of("search/nothing/sphere").is_none());
    }

    #[test]
    fn a_wrong_coefficient_is_found() {
        let snap = SnapRow::of("snap/100").unwrap();
        let x: Vec<f64> = (0..1000).map(|k| f64::from(k) * 0.12 - 60.0).collect();
        let x = [Tensor::from_slice(&x, &[1000]).unwrap()];
        let mut results = snap.work(&x).unwrap();
        snap.check(&x, &results).unwrap();
        results.swap(0, 1);
        assert!(snap.check(&x, &results).is_err());
        assert!((snap.reach() - 61.8).abs() < 0.01);
    }
}
