//! What is read later, beside what is computed at once and what the model says.

use super::model::Model;
use super::play::{Seen, Stage, Threads, play};
use super::script::Script;
use syntonic_core::Scalar;
use syntonic_core::lazy::{Evaluation, set_evaluation};

/// Everything is computed at once until this goes, also where somebody panics.
struct Eager(Evaluation);

impl Eager {
    fn begin() -> Eager {
        Eager(set_evaluation(Evaluation::Eager))
    }
}

impl Drop for Eager {
    fn drop(&mut self) {
        set_evaluation(self.0);
    }
}

/// What is wrong with a graph, if anything is.
pub(crate) fn complaint(
    script: &Script,
    models: &[Model],
    stage: &Stage,
    seed: u64,
) -> Option<String> {
    let lazy = play(script, stage, Threads::Together, seed);
    let eager = {
        let _eager = Eager::begin();
        play(script, stage, Threads::InTurn, seed)
    };
    let (lazy, eager) = match (lazy, eager) {
        (Ok(lazy), Ok(eager)) => (lazy, eager),
        (Err(error), _) => return Some(format!("read later, an error: {error}")),
        (_, Err(error)) => return Some(format!("computed at once, an error: {error}")),
    };
    for (thread, (model, (lazy, eager))) in models.iter().zip(lazy.iter().zip(&eager)).enumerate() {
        for (later, once) in lazy.iter().zip(eager) {
            if let Some(text) = differs(model, later, once) {
                return Some(format!("thread {thread}, v{}: {text}", later.name));
            }
        }
    }
    None
}

fn differs(model: &Model, later: &Seen, once: &Seen) -> Option<String> {
    let value = model.value(later.name)?;
    let known = model.known(later.name)?;
    let is = |seen: &Seen| (seen.name, seen.dtype, seen.shape.clone());
    let wanted = (later.name, value.dtype, value.shape.clone());
    if is(later) != wanted || is(once) != wanted {
        return Some(format!(
            "{:?} and {:?}, not {wanted:?}",
            is(later),
            is(once)
        ));
    }
    for (k, number) in known.numbers.iter().enumerate() {
        let (a, b) = (later.values[k], once.values[k]);
        let together = if known.bits {
            same(a, b)
        } else {
            same(a, b) || (a - b).abs() <= 2.0 * number.error
        };
        if !together {
            let bound = if known.bits { 0.0 } else { 2.0 * number.error };
            return Some(format!(
                "[{k}] is {a:?} read later and {b:?} at once, bound {bound:e} ({})",
                value.dtype
            ));
        }
        for (when, got) in [("read later", a), ("at once", b)] {
            // Beyond the largest number of a type lies infinity.
            let rounded = Scalar::Float(number.value).cast(value.dtype).to_f64();
            let right = got == number.value
                || (got == rounded && value.dtype.is_float())
                || (got - number.value).abs() <= number.error
                || same(got, number.value);
            if number.error.is_finite() && !right {
                return Some(format!(
                    "[{k}] is {got:?} {when} and should be {:?}, bound {:e} ({})",
                    number.value, number.error, value.dtype
                ));
            }
        }
    }
    None
}

/// The same bits; every NaN is one.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
