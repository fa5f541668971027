//! What a search relies on, for searches that come from a file or go into one.

use super::about::About;
use super::learning::{BEST_SCORE, DONE, GENERATION, MISSING, SIGMA};
use super::past::kept_after;
use super::plan::{BEST, DEVIATION, MATRIX_PATH, MEAN, NUMBERS, PATH, Plan, Update, VARIANCE};
use super::rules::Rule;
use super::search::{WORDS, is_counted};
use std::collections::BTreeMap;
use syntonic_core::{DType, Result, Tensor};

/// The tensors of a search, by name, in memory of the host.
pub(super) type Tensors = BTreeMap<String, Tensor>;

/// Whether a number of the state may be this.
type Proper = fn(f64) -> bool;

const fn is_number(x: f64) -> bool {
    !x.is_nan()
}

fn is_size(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

pub(super) fn is_positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

fn is_count(x: f64) -> bool {
    (0.0..=WORDS as f64).contains(&x) && x.fract() == 0.0
}

/// The name of a row of a state, and what its numbers may be.
fn row_of(update: Update, row: usize) -> (&'static str, Proper) {
    const PATH_OF_SIZE: (&str, Proper) = ("path of the step size", f64::is_finite);
    match (row, update) {
        (MEAN, _) => ("mean", is_number),
        (DEVIATION, _) => ("deviation", is_size),
        (BEST, _) => ("best candidate", is_number),
        (MATRIX_PATH, Update::Matrix) => PATH_OF_SIZE,
        (_, Update::Matrix) => ("matrix", f64::is_finite),
        (VARIANCE, _) => ("variance", is_positive),
        (PATH, _) => PATH_OF_SIZE,
        _ => ("path of the shape", f64::is_finite),
    }
}

/// Numbers behind the rows, each with its name and what it may be.
const BEHIND: [(usize, &str, Proper); 5] = [
    (SIGMA, "step size", is_positive),
    (MISSING, "missing variance", |x| (0.0..=1.0).contains(&x)),
    (BEST_SCORE, "best score", is_number),
    (DONE, "last launch", is_count),
    (GENERATION, "generation", is_count),
];

/// What is wrong with a search of this rule and these tensors, if anything is.
pub(super) fn fault(
    about: &About,
    rule: Rule,
    plan: Plan,
    tensors: &Tensors,
) -> Result<Option<String>> {
    if let Some(what) = of_numbers(about, rule, plan) {
        return Ok(Some(what));
    }
    let rows = rule.update().rows(plan.n);
    let stride = rows.and_then(|rows| plan.n.checked_mul(rows)?.checked_add(NUMBERS));
    let Some(stride) = stride else {
        return Ok(Some(format!("its search has {} unknowns", plan.n)));
    };
    let state = [plan.runs, stride];
    let history = [plan.runs, kept_after(about.generation)];
    let (bounds, start) = ([2, plan.n], [1, plan.n]);
    let recent = [about.recent];
    let mut wanted: Vec<(&str, &[usize], DType)> = vec![("state", &state, DType::F64)]; // few: five.
    if about.generation > 0 {
        wanted.push(("history", &history, DType::F64));
    }
    if about.bounded {
        wanted.push(("bounds", &bounds, plan.dtype));
    }
    if about.restarts.is_some() {
        wanted.push(("start", &start, DType::F64));
    }
    if about.recent > 0 {
        wanted.push(("recent", &recent, DType::F64));
    }
    if let Some(what) = misfit(tensors, &wanted) {
        return Ok(Some(what));
    }
    of_values(about, plan, rule.update(), tensors)
}

/// What is wrong with the shapes and types of tensors of which these are wanted, and no other.
pub(super) fn misfit(tensors: &Tensors, wanted: &[(&str, &[usize], DType)]) -> Option<String> {
    for (name, shape, dtype) in wanted {
        let Some(t) = tensors.get(*name) else {
            return Some(format!("it has no {name:?}"));
        };
        if t.shape() != *shape || t.dtype() != *dtype {
            let found = t.describe();
            return Some(format!("its {name:?} is {found}, not {dtype}{shape:?}"));
        }
    }
    let known = |name: &&String| wanted.iter().any(|(wanted, ..)| wanted == name);
    let name = tensors.keys().find(|name| !known(name))?;
    Some(format!("it has a {name:?} that no such search has"))
}

/// What is wrong with bounds of `n` coordinates, the least before the largest.
pub(super) fn unordered(bounds: &[f64], n: usize) -> Option<String> {
    let (least, most) = bounds.split_at(n);
    let mut pairs = least.iter().zip(most);
    let j = pairs.position(|(a, b)| a.partial_cmp(b).is_none_or(|o| o.is_gt()))?;
    Some(format!(
        "its coordinate {j} is bounded by {} and {}",
        least[j], most[j]
    ))
}

/// What is wrong with the numbers alone.
fn of_numbers(about: &About, rule: Rule, plan: Plan) -> Option<String> {
    if plan.runs == 0 || plan.n == 0 || (plan.runs > 1 && !about.batched) {
        return Some(format!("it has {} runs of {} unknowns", plan.runs, plan.n));
    }
    if let Err(refused) = rule.check(plan.n, plan.population) {
        return Some(refused.to_string());
    }
    if !is_counted(plan) {
        return Some(format!(
            "its {} candidates have more noise than can be counted",
            plan.population
        ));
    }
    if about.generation.saturating_mul(plan.runs as u64) >= WORDS {
        return Some(format!(
            "it is {} generations old: 2^30 at most, over all runs",
            about.generation
        ));
    }
    if !about.has_seen() {
        return Some("its attempt has seen too many generations".into());
    }
    let begun = about.restarts.as_ref()?;
    if about.batched || matches!(rule, Rule::OpenAi { .. }) {
        return Some("it restarts, and its search cannot".into());
    }
    let what = begun.fault(about.generation, plan)?;
    Some(what.into())
}

/// What is wrong with the values of the tensors, which have the right shapes.
fn of_values(
    about: &About,
    plan: Plan,
    update: Update,
    tensors: &Tensors,
) -> Result<Option<String>> {
    let n = plan.n;
    let state = tensors["state"].host_slice::<f64>()?;
    for (run, state) in state.chunks_exact(state.len() / plan.runs).enumerate() {
        let (rows, numbers) = state.split_at(state.len() - NUMBERS);
        for (row, values) in rows.chunks_exact(n).enumerate() {
            let (name, proper) = row_of(update, row);
            if let Some(j) = values.iter().position(|x| !proper(*x)) {
                return Ok(Some(format!(
                    "its {name} has {} at {j} of run {run}",
                    values[j]
                )));
            }
        }
        for (which, name, proper) in BEHIND {
            if !proper(numbers[which]) {
                return Ok(Some(format!(
                    "its {name} is {} in run {run}",
                    numbers[which]
                )));
            }
        }
    }
    if about.bounded {
        let what = unordered(&tensors["bounds"].to_vec::<f64>()?, n);
        if what.is_some() {
            return Ok(what);
        }
    }
    if about.restarts.is_some() {
        let start = tensors["start"].host_slice::<f64>()?;
        if let Some(j) = start.iter().position(|x| x.is_nan()) {
            return Ok(Some(format!("its start is NaN at {j}")));
        }
    }
    if let Some(recent) = tensors.get("recent") {
        let recent = recent.host_slice::<f64>()?;
        if recent.iter().any(|x| x.is_nan()) {
            return Ok(Some("a latest score of its attempt is NaN".into()));
        }
    }
    Ok(None)
}
