//! What a profile of one run says, as a table.

use std::fmt;

use serde::Serialize;

use super::sheet::Launch;
use crate::gpu::pipelines::Form;

/// One run of a form of a pipeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The pipeline.
    pub pipeline: String,
    /// How it ran.
    pub form: Form,
    /// Microseconds of a run outside of the profiler, of many one after another.
    pub microseconds: f64,
    /// Microseconds of all launches together.
    pub busy: f64,
    /// Microseconds of a run in which no launch ran: between launches, and while the host prepares one.
    pub gaps: f64,
    /// Kernels by the time that they take together, and their sum at the end.
    pub kernels: Vec<Kernel>,
}

/// All launches of one kernel; percentages are those of its launches, by their time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// How often it ran.
    pub launches: usize,
    /// All of them together.
    pub microseconds: f64,
    /// Per cent of the DRAM's peak.
    pub dram: Option<f64>,
    /// Per cent of the cycles in which the tensor cores work.
    pub tensor: Option<f64>,
    /// Per cent of the warps that a multiprocessor has room for.
    pub occupancy: Option<f64>,
}

impl Kernel {
    fn of<'a>(name: &str, launches: impl Iterator<Item = &'a Launch> + Clone) -> Kernel {
        let mean = |share: fn(&Launch) -> Option<f64>| {
            let counted = launches
                .clone()
                .filter_map(|l| Some((l.microseconds, share(l)?)));
            let (time, sum) = counted.fold((0.0, 0.0), |(time, sum), (us, share)| {
                (time + us, sum + us * share)
            });
            (time > 0.0).then(|| sum / time)
        };
        Kernel {
            name: name.to_owned(),
            launches: launches.clone().count(),
            microseconds: launches.clone().map(|l| l.microseconds).sum(),
            dram: mean(|l| l.dram),
            tensor: mean(|l| l.tensor),
            occupancy: mean(|l| l.occupancy),
        }
    }
}

impl Summary {
    pub(super) fn of(pipeline: &str, form: Form, launches: &[Launch], alone: f64) -> Summary {
        // few: the kernels of a pipeline.
        let mut names: Vec<&str> = launches.iter().map(|l| l.kernel.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut kernels: Vec<Kernel> = names
            .into_iter()
            .map(|name| Kernel::of(name, launches.iter().filter(move |l| l.kernel == name)))
            .collect();
        kernels.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
        let all = Kernel::of("all", launches.iter());
        let busy = all.microseconds;
        kernels.push(all);
        Summary {
            pipeline: pipeline.to_owned(),
            form,
            microseconds: alone,
            busy,
            gaps: (alone - busy).max(0.0),
            kernels,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = 100.0 * self.gaps / self.microseconds;
        writeln!(
            f,
            "{}, {}: {:.1} us a run, {:.1} us of it launches, {:.1} us gaps ({part:.0} %)",
            self.pipeline,
            self.form.name(),
            self.microseconds,
            self.busy,
            self.gaps,
        )?;
        writeln!(
            f,
            "  {:<40} {:>8} {:>10} {:>7} {:>9} {:>12}",
            "kernel", "launches", "us", "DRAM %", "tensor %", "occupancy %"
        )?;
        let percent = |share: Option<f64>| share.map_or("-".to_owned(), |x| format!("{x:.1}"));
        for kernel in &self.kernels {
            writeln!(
                f,
                "  {:<40} {:>8} {:>10.1} {:>7} {:>9} {:>12}",
                kernel.name,
                kernel.launches,
                kernel.microseconds,
                percent(kernel.dram),
                percent(kernel.tensor),
                percent(kernel.occupancy)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(kernel: &str, microseconds: f64, dram: f64, tensor: Option<f64>) -> Launch {
        Launch {
            kernel: kernel.to_owned(),
            microseconds,
            dram: Some(dram),
            tensor,
            occupancy: Some(50.0),
        }
    }

    #[test]
    fn launches_are_summed_by_kernel_and_shares_weighed_by_time() {
        let launches = [
            launch("a", 1.0, 10.0, None),
            launch("b", 6.0, 30.0, Some(80.0)),
            launch("a", 3.0, 50.0, None),
        ];
        let summary = Summary::of("chain", Form::Partial, &launches, 12.0);
        assert_eq!((summary.busy, summary.gaps), (10.0, 2.0));
        let rows: Vec<(&str, usize, Option<f64>, Option<f64>)> = summary
            .kernels
            .iter()
            .map(|k| (k.name.as_str(), k.launches, k.dram, k.tensor))
            .collect();
        assert_eq!(
            rows,
            [
                ("b", 1, Some(30.0), Some(80.0)),
                ("a", 2, Some(40.0), None),
                ("all", 3, Some(34.0), Some(80.0)),
            ]
        );
        let text = summary.to_string();
        for words in ["12.0 us a run", "2.0 us gaps (17 %)", "occupancy %", " - "] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    #[test]
    fn launches_that_overlap_leave_no_gap() {
        let summary = Summary::of("chain", Form::Graph, &[launch("a", 9.0, 1.0, None)], 8.0);
        assert_eq!(summary.gaps, 0.0);
    }
}
