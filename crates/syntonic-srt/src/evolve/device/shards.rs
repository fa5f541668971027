//! Generations of a built-in function by several ranks.

use super::function::Function;
use super::launch::{Given, Launched};
use super::plan::{BEST, DEVIATION, LANES, MEAN, NUMBERS, PATH, Stages, Update};
use super::rules::Rule;
use super::search::{DeviceSearch, Generations, OP};
use std::ops::Range;
use syntonic_core::group::Group;
use syntonic_core::{DType, Error, Result, Tensor, interrupt};

/// A rank's share of `total` pieces.
fn share(total: usize, rank: usize, size: usize) -> Range<usize> {
    let size = size.max(1);
    total * rank / size..total * (rank + 1) / size
}

impl DeviceSearch {
    /// [`DeviceSearch::run`] by all ranks of a group, each of which has the same search and makes the same call: a rank scores its share of
    /// the candidates and moves its share of the coordinates, and all exchange scores and coordinates. The bits are those of one rank, for
    /// any number of them.
    ///
    /// Errors: as [`DeviceSearch::run`]; a search of several runs; and what the group meets: a rank that dies or stalls is named. On an error
    /// the last finished generation counts.
    ///
    /// ```
    /// use syntonic_core::group::Alone;
    /// use syntonic_core::prelude::*;
    /// use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
    ///
    /// let search = || DeviceSearch::new(&Tensor::from([3.0, 4.0]), 1.0, 8, Rule::Res, 7);
    /// let (mut alone, mut plain) = (search()?, search()?);
    /// alone.run_in(&Alone, Function::Sphere, 20, None)?;
    /// plain.run(Function::Sphere, 20, None)?;
    /// assert_eq!(alone.mean()?.to_vec::<f64>()?, plain.mean()?.to_vec::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn run_in(
        &mut self,
        group: &dyn Group,
        function: Function,
        generations: u64,
        target: Option<f64>,
    ) -> Result<Generations> {
        if self.plan.runs > 1 {
            let text = format!(
                "{} runs over {} ranks: a search that is shared has one run; hint: give each rank runs of its own",
                self.plan.runs,
                group.size()
            );
            return Err(Error::value(OP, text));
        }
        let factors = self.factors(function)?;
        let none = Tensor::zeros_on(&[1, 0], DType::F64, self.device())?;
        let mut parts = vec![self.shaped(&none)?]; // few: numbers of generations that take milliseconds each.
        let mut done = 0;
        while done < generations && !self.has_reached(target)? {
            interrupt::poll()?;
            self.make_room()?;
            self.restart()?;
            let made = self.generation_in(group, function, &factors)?;
            parts.push(self.shaped(&made.history)?);
            self.advance(made)?;
            done += 1;
        }
        Generations::joined(&parts, done)
    }

    /// What one generation comes to.
    fn generation_in(
        &mut self,
        group: &dyn Group,
        function: Function,
        factors: &Tensor,
    ) -> Result<Launched> {
        let (rank, size) = (group.rank(), group.size());
        let scores = self.scores_in(group, function, factors)?;
        if self.rule == Rule::Res {
            // Learning from scores is little beside scoring: every rank does all of it.
            return self.learnt(&self.shaped(&scores)?);
        }
        let order = self.order(&scores)?;
        let mut asked = self.asked(Stages::Moves, 1)?;
        asked.range = share(self.plan.tiles(), rank, size);
        let given = Given {
            scores: Some(&scores),
            order: order.as_ref(),
            ..Given::default()
        };
        let made = self.launch(&asked, given)?;
        let (state, moved) = self.gathered(group, &made.state, &made.moved)?;
        let given = Given {
            moved: Some([&moved[0], &moved[1]]),
            ..Given::default()
        };
        // The state of the moves is the search's for this launch alone.
        let before = std::mem::replace(&mut self.state, state);
        let adapted = self
            .asked(Stages::Adapts, 1)
            .and_then(|asked| self.launch(&asked, given));
        self.state = before;
        Ok(Launched {
            state: adapted?.state,
            scores,
            ..made
        })
    }

    /// The scores of all candidates, `float64` `[1, population]`: every rank computes those of whole segments.
    fn scores_in(&self, group: &dyn Group, function: Function, factors: &Tensor) -> Result<Tensor> {
        let (plan, size) = (self.plan, group.size());
        let draws = |rank: usize| {
            let segments = share(plan.segments(), rank, size);
            let end = |segment: usize| plan.draws().min(segment * plan.segment());
            end(segments.start)..end(segments.end)
        };
        let mine = draws(group.rank());
        let mut asked = self.asked(Stages::Scores, 1)?;
        asked.range = mine.clone();
        asked.form = Some(function.form());
        let given = Given {
            factors: Some(factors),
            ..Given::default()
        };
        let each = plan.each() as isize;
        let (from, to) = (mine.start as isize * each, mine.end as isize * each);
        let scores = self.launch(&asked, given)?.scores;
        let part = scores.slice(1, Some(from), Some(to), 1)?.copy()?;
        let lengths: Vec<usize> = (0..size) // few: ranks.
            .map(|rank| draws(rank).len() * plan.each())
            .collect();
        joined(group, &part, &lengths)
    }

    /// The state after the moves of all ranks, and the sums and lengths that they left.
    fn gathered(
        &self,
        group: &dyn Group,
        state: &Tensor,
        moved: &[Tensor; 2],
    ) -> Result<(Tensor, [Tensor; 2])> {
        let (plan, size) = (self.plan, group.size());
        let n = plan.n;
        let tile = plan.held() * LANES;
        let coordinates = |rank: usize| {
            let tiles = share(plan.tiles(), rank, size);
            n.min(tiles.start * tile)..n.min(tiles.end * tile)
        };
        let mine = coordinates(group.rank());
        let lengths: Vec<usize> = (0..size).map(|rank| coordinates(rank).len()).collect(); // few: ranks.
        let rows = (state.shape()[1] - NUMBERS) / n;
        let paths = self.rule.update() == Update::Paths;
        let changed: &[usize] = match paths {
            true => &[MEAN, BEST, PATH],
            false => &[MEAN, DEVIATION, BEST],
        };
        let row_of = |x: &Tensor, row: usize, within: &Range<usize>| {
            let at = |j: usize| Some((row * n + j) as isize);
            x.slice(1, at(within.start), at(within.end), 1)
        };
        let sums = moved[0].reshape(&[1, -1])?;
        let mut parts = Vec::new(); // few: rows of a state.
        for row in changed {
            parts.push(row_of(state, *row, &mine)?);
        }
        if paths {
            parts.push(row_of(&sums, 0, &mine)?);
            parts.push(row_of(&sums, 1, &mine)?);
        }
        let part = Tensor::concat(&parts.iter().collect::<Vec<_>>(), 0)?; // few: rows of a state.
        let all = joined(group, &part.copy()?, &lengths)?;
        let of = |row: usize| all.slice(0, Some(row as isize), Some(row as isize + 1), 1);
        let mut whole = Vec::new(); // few: rows of a state.
        for row in 0..rows {
            whole.push(match changed.iter().position(|changed| *changed == row) {
                Some(place) => of(place)?,
                None => row_of(state, row, &(0..n))?,
            });
        }
        whole.push(state.slice(1, Some((rows * n) as isize), None, 1)?);
        let state = Tensor::concat(&whole.iter().collect::<Vec<_>>(), 1)?.copy()?; // few: rows of a state.
        if !paths {
            return Ok((state, moved.clone()));
        }
        let sums = all
            .slice(0, Some(3), Some(5), 1)?
            .reshape(&[1, 2, n as isize])?;
        let lengths: Vec<usize> = lengths.iter().map(|length| length.div_ceil(32)).collect(); // few: ranks.
        let (from, to) = (mine.start / 32, mine.start / 32 + mine.len().div_ceil(32));
        let part = moved[1].slice(1, Some(from as isize), Some(to as isize), 1)?;
        Ok((
            state,
            [sums.copy()?, joined(group, &part.copy()?, &lengths)?],
        ))
    }
}

/// What the ranks have together, as long as they say: a kernel follows it next, and a group is anybody's.
fn joined(group: &dyn Group, part: &Tensor, lengths: &[usize]) -> Result<Tensor> {
    const OP: &str = "all_gather";
    let all = group.concat(part, lengths)?;
    let lead = part.ndim() - 1;
    let whole = all.ndim() == part.ndim()
        && all.shape()[..lead] == part.shape()[..lead]
        && all.shape()[lead] == lengths.iter().sum::<usize>()
        && all.dtype() == part.dtype();
    if whole {
        return Ok(all);
    }
    let what = format!(
        "a group made {} of parts like {}",
        all.describe(),
        part.describe()
    );
    Err(Error::value(OP, what))
}
