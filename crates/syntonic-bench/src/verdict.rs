//! What the results of a row amount to: ratios to the peers, and whether they suffice.

use std::collections::BTreeMap;
use std::fmt;

use crate::clock::median;
use crate::list::{PYTHON, RUST, Row};
use crate::outcome::Outcome;

/// How a row came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// All ratios and limits hold, or none is required.
    Ok,
    /// What was measured suffices, but these libraries, which the row has to be compared with, are not installed.
    Alone(String),
    /// A ratio or limit is not reached.
    Short,
    /// Somebody who is present gave no result, or a wrong one: who and why.
    Failed(String),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Ok => f.write_str("ok"),
            Status::Alone(peers) => write!(f, "no {peers}"),
            Status::Short => f.write_str("SHORT"),
            Status::Failed(why) => write!(f, "FAILED {why}"),
        }
    }
}

/// A row with its judgement.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The row's name.
    pub key: String,
    /// Median of the Python package.
    pub median_us: Option<f64>,
    /// Median of the Rust interface.
    pub rust_us: Option<f64>,
    /// Peer time over ours, by peer.
    pub ratios: BTreeMap<String, f64>,
    /// What was asked for, in words.
    pub required: String,
    /// The judgement.
    pub status: Status,
}

impl Verdict {
    /// Judges a row. `absent` names the libraries that are not installed.
    pub fn of(row: &Row, outcomes: &[Outcome], absent: &[String]) -> Verdict {
        let of_row = |o: &&Outcome| o.key() == row.key();
        let here: Vec<&Outcome> = outcomes.iter().filter(of_row).collect();
        let find = |name: &str| here.iter().find(|o| o.implementation == name).copied();
        let ours = find(PYTHON);
        let peers = row
            .impls
            .iter()
            .filter(|name| *name != PYTHON && *name != RUST);
        let ratios = peers
            .filter_map(|name| Some((name.clone(), ratio(find(name)?, ours?)?)))
            .collect();
        let status = failures(row, &find, absent).unwrap_or_else(|| reached(row, &ratios, ours));
        Verdict {
            key: row.key(),
            median_us: ours.and_then(|o| o.median_us),
            rust_us: find(RUST).and_then(|o| o.median_us),
            ratios,
            required: required(row),
            status,
        }
    }

    /// The peer that came closest, and the ratio to it. What names a method rather than a library takes no part.
    pub fn best_peer(&self) -> Option<(&str, f64)> {
        let peers = self.ratios.iter().filter(|(name, _)| !name.contains('.'));
        peers
            .min_by(|a, b| a.1.total_cmp(b.1))
            .map(|(name, &ratio)| (name.as_str(), ratio))
    }

    /// Whether somebody gave no result or a wrong one.
    pub fn failed(&self) -> bool {
        matches!(self.status, Status::Failed(_))
    }
}

/// Peer time over ours: the median over the rounds, in which both were measured close together.
fn ratio(peer: &Outcome, ours: &Outcome) -> Option<f64> {
    if peer.rounds_us.len() == ours.rounds_us.len() && !ours.rounds_us.is_empty() {
        let pairs = peer.rounds_us.iter().zip(&ours.rounds_us);
        return Some(median(&pairs.map(|(p, o)| p / o).collect::<Vec<f64>>()));
    }
    Some(peer.median_us? / ours.median_us?)
}

fn failures<'a>(
    row: &Row,
    find: &impl Fn(&str) -> Option<&'a Outcome>,
    absent: &[String],
) -> Option<Status> {
    let present = row.impls.iter().filter(|name| !absent.contains(name));
    let complaint = |name: &String| match find(name) {
        None => Some(format!("{name}: no result")),
        Some(outcome) => match (&outcome.failed, outcome.median_us) {
            (Some(why), _) => Some(format!("{name}: {why}")),
            (None, None) => Some(format!("{name}: no time")),
            (None, Some(_)) => None,
        },
    };
    let complaints: Vec<String> = present.filter_map(complaint).collect();
    (!complaints.is_empty()).then(|| Status::Failed(complaints.join("; ")))
}

fn reached(row: &Row, ratios: &BTreeMap<String, f64>, ours: Option<&Outcome>) -> Status {
    let short = |(peer, &wanted): (&String, &f64)| ratios.get(peer).is_some_and(|&r| r < wanted);
    let exceeds = |limit: Option<f64>, found: Option<f64>| {
        limit.is_some_and(|limit| found.is_none_or(|found| found > limit))
    };
    let slow = exceeds(row.limit.median_us, ours.and_then(|o| o.median_us));
    let many = exceeds(row.limit.evaluations, ours.and_then(|o| o.evaluations));
    if slow || many || row.require.iter().any(short) {
        return Status::Short;
    }
    let missing = row
        .require
        .keys()
        .filter(|peer| !ratios.contains_key(*peer));
    let missing: Vec<&str> = missing.map(String::as_str).collect();
    if missing.is_empty() {
        Status::Ok
    } else {
        Status::Alone(missing.join(", no "))
    }
}

fn required(row: &Row) -> String {
    let ratios = row.require.iter().map(|(peer, r)| format!("{r} {peer}"));
    let time = row.limit.median_us.map(|us| format!("<= {} ms", us / 1e3));
    let evaluations = row.limit.evaluations.map(|n| format!("<= {n} evaluations"));
    ratios
        .chain(time)
        .chain(evaluations)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The table: one line for each row.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut lines = vec![format!(
        "{:<50} {:>11} {:>11}  {:<42} {:<24} {}",
        "row", "python us", "rust us", "peer time over ours", "required", "status"
    )];
    lines.extend(verdicts.iter().map(|v| {
        let time = |us: Option<f64>| us.map_or("-".into(), |us| format!("{us:.2}"));
        let ratios = v.ratios.iter().map(|(peer, r)| format!("{r:.2} {peer}"));
        let ratios = ratios.collect::<Vec<_>>().join(", ");
        format!(
            "{:<50} {:>11} {:>11}  {ratios:<42} {:<24} {}",
            v.key,
            time(v.median_us),
            time(v.rust_us),
            v.required,
            v.status
        )
    }));
    lines.join("\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row() -> Row {
        let text = r#"{"suite":"core","case":"exp","dtype":"float32","size":[4],"resident":false,
            "floor":{"bytes":1,"flops":1},"impls":["syntonic","numpy"],"quick":true,"require":{"numpy":1.5}}"#;
        serde_json::from_str(text).unwrap()
    }

    pub(crate) fn outcome(name: &str, us: f64) -> Outcome {
        let times = crate::clock::Times {
            samples_us: vec![us; 3],
            rounds_us: vec![us; 3],
            error: 0.0,
        };
        let mut made = Outcome::of_rust(&row(), Ok(times));
        made.implementation = name.into();
        made
    }

    #[test]
    fn a_ratio_below_the_required_one_is_short() {
        let judge = |ours| {
            let outcomes = [outcome("syntonic", ours), outcome("numpy", 30.0)];
            Verdict::of(&row(), &outcomes, &[])
        };
        assert_eq!(judge(20.0).status, Status::Ok);
        assert_eq!(judge(20.5).status, Status::Short);
        assert_eq!(judge(10.0).best_peer(), Some(("numpy", 3.0)));
    }

    #[test]
    fn a_missing_or_wrong_result_fails_unless_the_library_is_absent() {
        let ours = outcome("syntonic", 1.0);
        let judge = |outcomes: &[Outcome], absent: &[String]| Verdict::of(&row(), outcomes, absent);
        assert!(judge(std::slice::from_ref(&ours), &[]).failed());
        assert_eq!(
            judge(std::slice::from_ref(&ours), &["numpy".into()]).status,
            Status::Alone("numpy".into())
        );
        let mut wrong = outcome("numpy", 1.0);
        wrong.failed = Some("wrong".into());
        assert!(judge(&[ours, wrong], &[]).failed());
        assert!(judge(&[outcome("numpy", 1.0)], &[]).failed());
    }

    #[test]
    fn limits_bind_our_own_result() {
        let mut row = row();
        row.limit.evaluations = Some(2000.0);
        let mut ours = outcome("syntonic", 1.0);
        let judge = |row: &Row, ours: &Outcome| {
            Verdict::of(row, std::slice::from_ref(ours), &["numpy".into()])
        };
        assert_eq!(judge(&row, &ours).status, Status::Short);
        ours.evaluations = Some(1500.0);
        let alone = judge(&row, &ours).status;
        assert_eq!(alone.to_string(), "no numpy");
        row.require.clear();
        assert_eq!(judge(&row, &ours).status, Status::Ok);
        ours.evaluations = Some(2001.0);
        assert_eq!(judge(&row, &ours).status, Status::Short);
    }

    #[test]
    fn the_table_has_a_line_for_each_row() {
        let outcomes = [outcome("syntonic", 20.0), outcome("numpy", 25.0)];
        let text = table(&[Verdict::of(&row(), &outcomes, &[])]);
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("1.25 numpy") && text.contains("SHORT"));
    }
}
