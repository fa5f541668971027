//! Plans of the host's libraries: tables of a length, made once and kept for the next call.

use super::Direction;
use crate::error::Result;
use crate::fork::lock;
use crate::interrupt::abandonable;
use crate::room;
use crate::scalar::Element;
use realfft::{ComplexToReal, FftNum, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftPlanner};
use std::sync::{Arc, Mutex};

/// A real type that the libraries transform.
pub(super) trait Real: Element + FftNum + num_traits::Float {
    /// The plans of this type.
    fn shelf() -> &'static Shelf<Self>;

    /// The nearest to a wider number.
    fn rounded(x: f64) -> Self;
}

macro_rules! reals {
    ($($t:ty),*) => {$(
        impl Real for $t {
            fn shelf() -> &'static Shelf<$t> {
                static SHELF: Shelf<$t> = Shelf(Mutex::new(Vec::new()));
                &SHELF
            }
            fn rounded(x: f64) -> $t {
                x as $t
            }
        }
    )*};
}
reals!(f32, f64);

/// A plan for one length.
pub(super) enum Plan<T> {
    /// Complex numbers into as many.
    Complex(Arc<dyn Fft<T>>),
    /// Real numbers into half a transform.
    Forward(Arc<dyn RealToComplex<T>>),
    /// Half a transform into real numbers.
    Inverse(Arc<dyn ComplexToReal<T>>),
}

impl<T> Clone for Plan<T> {
    fn clone(&self) -> Self {
        match self {
            Plan::Complex(plan) => Plan::Complex(plan.clone()),
            Plan::Forward(plan) => Plan::Forward(plan.clone()),
            Plan::Inverse(plan) => Plan::Inverse(plan.clone()),
        }
    }
}

/// What a plan is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Complex numbers into as many.
    Complex(Direction),
    /// Real numbers into half a transform.
    Forward,
    /// Half a transform into real numbers.
    Inverse,
}

/// Plans that are kept, the one used last behind the others.
pub(super) struct Shelf<T>(Mutex<Vec<(Form, usize, Plan<T>)>>);

/// Plans of a type that are kept.
const MOST: usize = 64;
/// Their points in all: some 200 MB of `float64`.
const MOST_POINTS: usize = 1 << 22;
/// Complex numbers that making a plan takes for each point, at most: Bluestein's algorithm transforms up to four times as many
/// points, and has its own tables, those of the inner transform, and memory in which it prepares them.
const ROOM: usize = 24;
/// Bytes that are taken without a look whether they are there.
const SMALL: usize = 16 << 10;

/// Points from which on a line takes hundredths of a second where their number is a large prime. The libraries ask nobody on their
/// way, so the caller may leave such a line, and what makes its plan.
pub(super) const LONG: usize = 1 << 18;

/// The plan for `n` points. The libraries ask for memory in a way that cannot fail, so it is seen to be there.
pub(super) fn plan<T: Real>(form: Form, n: usize) -> Result<Plan<T>> {
    let shelf = T::shelf();
    if let Some(found) = shelf.find(form, n) {
        return Ok(found);
    }
    let bytes = n.saturating_mul(ROOM * 2 * size_of::<T>());
    if bytes > SMALL {
        room::probe(bytes)?;
    }
    let made = match n < LONG {
        true => made(form, n),
        false => abandonable(move || made(form, n))?,
    };
    shelf.keep(form, n, made.clone());
    Ok(made)
}

fn made<T: Real>(form: Form, n: usize) -> Plan<T> {
    match form {
        Form::Complex(direction) => {
            let direction = match direction {
                Direction::Forward => FftDirection::Forward,
                Direction::Inverse => FftDirection::Inverse,
            };
            Plan::Complex(FftPlanner::new().plan_fft(n, direction))
        }
        Form::Forward => Plan::Forward(RealFftPlanner::new().plan_fft_forward(n)),
        Form::Inverse => Plan::Inverse(RealFftPlanner::new().plan_fft_inverse(n)),
    }
}

impl<T> Shelf<T> {
    fn find(&self, form: Form, n: usize) -> Option<Plan<T>> {
        let mut kept = lock(&self.0);
        let at = kept.iter().position(|plan| (plan.0, plan.1) == (form, n))?;
        let found = kept.remove(at);
        let plan = found.2.clone();
        kept.push(found);
        Some(plan)
    }

    /// Keeps a plan, and gives the oldest ones up for it.
    fn keep(&self, form: Form, n: usize, plan: Plan<T>) {
        if n > MOST_POINTS {
            return;
        }
        let mut kept = lock(&self.0);
        kept.retain(|plan| (plan.0, plan.1) != (form, n));
        let mut points = n + kept.iter().map(|plan| plan.1).sum::<usize>();
        let mut leave = 0;
        while kept.len() - leave >= MOST || points > MOST_POINTS {
            points -= kept[leave].1;
            leave += 1;
        }
        kept.drain(..leave);
        // few: so many plans at most.
        kept.push((form, n, plan));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_kept_within_their_bounds() {
        let shelf = Shelf::<f32>(Mutex::new(Vec::new()));
        let forward = Form::Complex(Direction::Forward);
        let made = |n| Plan::Complex(FftPlanner::new().plan_fft_forward(n));
        for n in 1..=100 {
            shelf.keep(forward, n, made(n));
        }
        let lengths = || {
            shelf
                .0
                .lock()
                .unwrap()
                .iter()
                .map(|plan| plan.1)
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(), (37..=100).collect::<Vec<_>>());
        assert!(shelf.find(forward, 36).is_none());
        assert!(shelf.find(Form::Complex(Direction::Inverse), 50).is_none());
        // The one that was asked for last goes last.
        assert!(shelf.find(forward, 37).is_some());
        shelf.keep(forward, 1000, made(1000));
        assert_eq!(lengths()[..2], [39, 40]);
        assert_eq!(lengths()[62..], [37, 1000]);
        // Tables are counted, not plans alone: the length is what the caller says.
        shelf.keep(forward, MOST_POINTS - 1000, made(2));
        assert_eq!(lengths(), [1000, MOST_POINTS - 1000]);
        shelf.keep(forward, MOST_POINTS + 1, made(3));
        assert_eq!(lengths().len(), 2);
        shelf.keep(forward, 1000, made(1000));
        assert_eq!(lengths(), [MOST_POINTS - 1000, 1000]);
    }

    #[test]
    fn a_plan_is_made_once() {
        let Ok(Plan::Complex(first)) = plan::<f64>(Form::Complex(Direction::Forward), 7919) else {
            panic!("no plan")
        };
        let Ok(Plan::Complex(second)) = plan::<f64>(Form::Complex(Direction::Forward), 7919) else {
            panic!("no plan")
        };
        assert!(Arc::ptr_eq(&first, &second));
    }
}
