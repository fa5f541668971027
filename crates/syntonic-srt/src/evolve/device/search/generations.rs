//! Generations of a built-in function, in as few launches as may be.

use super::DeviceSearch;
use crate::evolve::device::Function;
use crate::evolve::device::launch::{Given, best_first};
use crate::evolve::device::learning::DONE;
use crate::evolve::device::plan::{Asked, COUNTED, Stages};
use crate::evolve::device::rules::Rule;
use syntonic_core::{DType, Result, Tensor, interrupt};

/// What a launch of several generations shall take at most, in numbers of noise and in generations: a fraction of a second on a large GPU.
const LONGEST: u64 = 10_000_000_000;
const MANY: u64 = 4096;
/// Generations of attempts whose best scores are put into one tensor.
const TOGETHER: usize = 256;

/// What generations came to.
#[derive(Clone, Debug)]
pub struct Generations {
    /// The best score of each generation, `float64` `[generations]`, or `[runs, generations]`; NaN once a run had reached the target.
    pub history: Tensor,
    /// Generations done: fewer than asked for where all runs reached the target.
    pub done: u64,
}

impl DeviceSearch {
    /// Generations of one attempt, by a function with these weights: one launch, or several. On an error the last finished one counts.
    pub(in crate::evolve::device) fn launches(
        &mut self,
        function: Function,
        factors: &Tensor,
        generations: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        let mut histories = Vec::new(); // few: launches.
        let mut each = self.plan.runs as u64 * self.plan.population as u64 * self.plan.n as u64;
        if self.rule == Rule::Res {
            each = each.saturating_mul(self.plan.n as u64);
        }
        let longest = match self.plan.population > COUNTED {
            true => 1,
            false => (LONGEST / each).clamp(1, MANY),
        };
        let mut done = 0;
        while done < generations {
            interrupt::poll()?;
            self.make_room()?;
            let count = longest.min(generations - done);
            let mut asked = self.asked(Stages::All, count as usize)?;
            asked.form = Some(function.form());
            asked.target = target.unwrap_or(f64::NEG_INFINITY);
            let (state, history) = match self.plan.population > COUNTED {
                true => self.sorted(&asked, factors)?,
                false => {
                    let given = Given {
                        factors: Some(factors),
                        ..Given::default()
                    };
                    let made = self.launch(&asked, given)?;
                    (made.state, made.history)
                }
            };
            self.state = state;
            // The numbers are read where something depends on them, which also bounds what is queued.
            let made = match target.is_some() || count < generations - done {
                true => self.finished()?,
                false => count,
            };
            self.generation += made;
            done += made;
            self.past
                .note(history.slice(1, Some(0), Some(made as isize), 1)?);
            histories.push(history);
            if made < count {
                break;
            }
        }
        let history = match histories.is_empty() {
            true => Tensor::zeros_on(&[self.plan.runs, 0], DType::F64, self.device())?,
            false => Tensor::concat(&histories.iter().collect::<Vec<_>>(), 1)?, // few: launches.
        };
        let history = history.slice(1, Some(0), Some(done as isize), 1)?;
        Ok(Generations {
            history: self.shaped(&history)?.copy()?,
            done,
        })
    }

    /// Generations of the last launch: those of the run that did most.
    fn finished(&self) -> Result<u64> {
        let done = self.number(DONE)?.to_vec::<f64>()?;
        Ok(done.into_iter().fold(0.0, f64::max) as u64)
    }

    /// One generation of a population that is sorted.
    fn sorted(&self, asked: &Asked, factors: &Tensor) -> Result<(Tensor, Tensor)> {
        let scoring = Asked {
            stages: Stages::Scores,
            range: 0..self.plan.draws(),
            base: None,
            ..asked.clone()
        };
        let given = Given {
            factors: Some(factors),
            ..Given::default()
        };
        let scores = self.launch(&scoring, given)?.scores;
        let learning = Asked {
            stages: Stages::Learning,
            form: None,
            ..asked.clone()
        };
        let order = best_first(&scores)?;
        let given = Given {
            scores: Some(&scores),
            order: Some(&order),
            ..Given::default()
        };
        let made = self.launch(&learning, given)?;
        Ok((made.state, made.history))
    }

    /// Generations of attempts that may follow each other: each is scored, and then learnt from.
    pub(in crate::evolve::device) fn attempts_of(
        &mut self,
        function: Function,
        factors: &Tensor,
        generations: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        let none = Tensor::zeros_on(&[1, 0], DType::F64, self.device())?;
        let mut parts = vec![self.shaped(&none)?]; // few: a part for so many generations.
        let mut recent = Vec::new(); // few: at most TOGETHER of them.
        let mut done = 0;
        while done < generations {
            interrupt::poll()?;
            if self.has_reached(target)? {
                break;
            }
            self.restart()?;
            self.make_room()?;
            let scores = self.scores_with(function, factors)?;
            let made = self.learnt(&scores)?;
            recent.push(self.shaped(&made.history)?);
            self.advance(made)?;
            done += 1;
            if recent.len() == TOGETHER {
                parts.push(Tensor::concat(&recent.iter().collect::<Vec<_>>(), -1)?.eval()?); // few: as above.
                recent.clear();
            }
        }
        parts.append(&mut recent);
        Generations::joined(&parts, done)
    }
}

impl Generations {
    /// Generations that followed each other: at least one part.
    pub(in crate::evolve::device) fn joined(parts: &[Tensor], done: u64) -> Result<Generations> {
        let history = match parts {
            // What is handed out may be written to, and the search has its own.
            [one] => one.copy()?,
            _ => Tensor::concat(&parts.iter().collect::<Vec<_>>(), -1)?, // few: as many as the caller has.
        };
        Ok(Generations { history, done })
    }
}
