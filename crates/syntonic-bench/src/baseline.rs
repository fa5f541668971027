//! The committed baseline: for each row the ratio to the best peer, and how much it varied over repeated runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::clock::{median, quantile};
use crate::machine::Machine;
use crate::verdict::Verdict;

/// Between what parts of its ratio a row may vary. A few runs may agree by chance, so none is held to less than the least; and one that
/// varies more than the most is held to that all the same, or nothing would ever be a loss.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    least: f64,
    most: f64,
}

impl Tolerance {
    /// Of ratios to other libraries, on a machine of one's own.
    pub const PEERS: Tolerance = Tolerance {
        least: 0.05,
        most: 0.5,
    };
    /// Of ratios to the yardstick, on a machine that others use too, where they were seen to fall by 0.3. A row at twice its time has
    /// lost half of its ratio.
    pub const YARDSTICK: Tolerance = Tolerance {
        least: 0.4,
        most: 0.4,
    };
}

/// Ratios as they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Baseline {
    /// Where they were measured.
    pub machine: Machine,
    /// Versions of what was compared.
    pub versions: BTreeMap<String, String>,
    /// How many runs they come from.
    pub runs: usize,
    /// By the row's name.
    pub rows: BTreeMap<String, Entry>,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Who was best.
    pub peer: String,
    /// Peer time over ours, the median of the runs.
    pub ratio: f64,
    /// Twice the distance between the quartiles of the runs, as a part of the median: one run that another program
    /// disturbed says nothing about the next. Within a [`Tolerance`].
    pub spread: f64,
}

impl Baseline {
    /// The baseline of some runs, each a list of judged rows. Rows without peers have no place in it.
    pub fn of(
        machine: Machine,
        versions: BTreeMap<String, String>,
        runs: &[Vec<Verdict>],
        tolerance: Tolerance,
    ) -> Baseline {
        let mut ratios: BTreeMap<String, (String, Vec<f64>)> = BTreeMap::new();
        for verdict in runs.iter().flatten() {
            if let Some((peer, _)) = verdict.best_peer() {
                let entry = ratios.entry(verdict.key.clone());
                // The peer of the first run, so that all ratios are to the same one.
                let (peer, values) = entry.or_insert_with(|| (peer.to_owned(), Vec::new()));
                values.extend(verdict.ratios.get(peer));
            }
        }
        let entry = |(key, (peer, values)): (String, (String, Vec<f64>))| {
            let middle = median(&values);
            let width = quantile(&values, 0.75) - quantile(&values, 0.25);
            let spread = (2.0 * width / middle).clamp(tolerance.least, tolerance.most);
            let ratio = middle;
            (
                key,
                Entry {
                    peer,
                    ratio,
                    spread,
                },
            )
        };
        Baseline {
            machine,
            versions,
            runs: runs.len(),
            rows: ratios.into_iter().map(entry).collect(),
        }
    }

    /// A line for each row that lost more than its spread, or whose ratio is gone.
    pub fn losses(&self, verdicts: &[Verdict], absent: &[String]) -> Vec<String> {
        verdicts
            .iter()
            .filter_map(|verdict| self.loss(verdict, absent))
            .collect()
    }

    fn loss(&self, verdict: &Verdict, absent: &[String]) -> Option<String> {
        let entry = self.rows.get(&verdict.key)?;
        let key = &verdict.key;
        if absent.contains(&entry.peer) {
            return None;
        }
        let Some(&ratio) = verdict.ratios.get(&entry.peer) else {
            return Some(format!("{key}: no ratio to {} any more", entry.peer));
        };
        let least = entry.ratio * (1.0 - entry.spread);
        (ratio < least).then(|| {
            format!(
                "{key}: {ratio:.2} of {}, was {:.2} and varied by {:.0} %",
                entry.peer,
                entry.ratio,
                entry.spread * 100.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::tests::{outcome, row};

    fn run(ours: f64) -> Vec<Verdict> {
        let outcomes = [outcome("syntonic", ours), outcome("numpy", 100.0)];
        vec![Verdict::of(&row(), &outcomes, &[])]
    }

    fn baseline(runs: &[f64]) -> Baseline {
        let runs: Vec<Vec<Verdict>> = runs.iter().map(|&ours| run(ours)).collect();
        Baseline::of(Machine::here(), BTreeMap::new(), &runs, Tolerance::PEERS)
    }

    #[test]
    fn a_slower_row_is_a_loss_and_one_within_the_spread_is_not() {
        let steady = baseline(&[50.0, 50.0, 50.0]);
        assert_eq!(steady.losses(&run(50.0), &[]), [""; 0]);
        assert_eq!(steady.losses(&run(52.0), &[]), [""; 0]);
        assert_eq!(steady.losses(&run(54.0), &[]).len(), 1);
        let wild = baseline(&[40.0, 50.0, 60.0]);
        assert_eq!(wild.losses(&run(60.0), &[]), [""; 0]);
        assert_eq!(wild.losses(&run(100.0), &[]).len(), 1);
        let disturbed = baseline(&[50.0, 50.0, 50.0, 50.0, 5000.0]);
        assert_eq!(disturbed.losses(&run(54.0), &[]).len(), 1);
    }

    #[test]
    fn a_ratio_that_is_gone_is_a_loss_unless_the_peer_is_absent() {
        let alone = [outcome("syntonic", 50.0)];
        let verdicts = vec![Verdict::of(&row(), &alone, &[])];
        assert_eq!(baseline(&[50.0]).losses(&verdicts, &[]).len(), 1);
        assert!(
            baseline(&[50.0])
                .losses(&verdicts, &["numpy".into()])
                .is_empty()
        );
    }

    #[test]
    fn it_survives_being_written() {
        let text = serde_json::to_string(&baseline(&[50.0, 40.0])).unwrap();
        let back: Baseline = serde_json::from_str(&text).unwrap();
        assert_eq!(back.rows, baseline(&[50.0, 40.0]).rows);
    }
}
