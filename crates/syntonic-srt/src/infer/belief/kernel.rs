//! Belief updates as a kernel: the contract that every device keeps, and the CPU's version.
//!
//! Every sum has one order, which hangs on `m` and `n` alone. Columns are taken in slices of 32. The prediction of a slice adds its
//! columns one after the other; those of all slices are added in 8 sums, of every eighth slice, and these in halves: `k` with `k + 4`,
//! then `k + 2`, then `k + 1`. A gradient has 32 sums, of every 32nd row, added in halves; the energy of the observation 512 in
//! `float64`, of every 512th row, added in halves within 32 neighbours and then between those; that of the prior and the length of a
//! step 32 numbers for each slice, and then as predictions. `kernels/include/belief_share.cuh` follows the same order.

use super::real::Real;
use syntonic_core::cpu::threads::share;
use syntonic_core::device::{ByName, Kernel, Launch, NamedKernel};
use syntonic_core::ops::vectors::{Places, read};
use syntonic_core::{DType, Result, interrupt, room};

/// Columns of a slice, and sums of slices.
const SLICE: usize = 32;
const SUMS: usize = 8;
/// Sums of a gradient and of the energy of the observation.
const LANES: usize = 32;
const TERMS: usize = 512;
/// Elements of a Jacobian from which on one agent has all threads, and how many a piece then has.
const LARGE: usize = 1 << 17;
const PIECE: usize = 1 << 15;
/// Steps before the caller is asked whether to go on: those of large problems ask themselves.
const UNASKED: usize = 64;

/// Steps of the means of `agents` agents. With `T` the type of all real operands, and where what has one row serves all agents:
///
/// Inputs: `start`, the means, `T` `[agents or 1, n]`; the `jacobian`, `T` `[agents or 1, m, n]`, or `[.., n, m]` where it is given by
/// columns; `observation` and `precision`, `T` `[agents or 1, m]`; `reference`, the same or no elements; `prior_mean` and `prior_precision`,
/// `T` `[agents or 1, n]` or no elements. Outputs: `means`, `T` `[agents, n]`; `steps` and `endings`, `int64` `[agents]`; `change`, the length
/// of the last step, and `energy`, the free energy, `T` `[agents]`; `history`, the free energy of each mean, `T` `[agents, most + 1]` or no
/// elements. Numbers: `agents`, `m`, `n`, `most` steps, whether the Jacobian is `by_columns`, `rate`, `tolerance`.
pub static BELIEF_UPDATE: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "belief_update",
        cpu: update,
    },
    inputs: &[
        "start",
        "jacobian",
        "observation",
        "precision",
        "reference",
        "prior_mean",
        "prior_precision",
    ],
    outputs: &["means", "steps", "endings", "change", "energy", "history"],
    numbers: &[
        "agents",
        "m",
        "n",
        "most",
        "by_columns",
        "rate",
        "tolerance",
    ],
    lists: &[],
};

/// # Safety
/// As [`BELIEF_UPDATE`] says.
unsafe fn update(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the means have.
    unsafe {
        match named.output("means")?.dtype {
            DType::F32 => update_of::<f32>(&named),
            _ => update_of::<f64>(&named),
        }
    }
}

/// An operand: a row for each agent, one that they share, or none.
struct Rows<'a, T> {
    all: &'a [T],
    /// Elements of a row.
    own: usize,
}

impl<'a, T> Rows<'a, T> {
    /// # Safety
    /// The operand is a live one of `T`.
    unsafe fn of(named: &ByName<'a>, name: &str, own: usize) -> Result<Rows<'a, T>> {
        // SAFETY: passed on.
        let all = unsafe { read(named.input(name)?) };
        Ok(Rows { all, own })
    }

    fn is_shared(&self) -> bool {
        self.all.len() <= self.own
    }

    fn of_agent(&self, agent: usize) -> &'a [T] {
        match (self.all.is_empty(), self.is_shared()) {
            (true, _) => self.all,
            (_, true) => &self.all[..self.own],
            (_, false) => &self.all[agent * self.own..][..self.own],
        }
    }
}

/// # Safety
/// As [`BELIEF_UPDATE`] says, for operands of `T`.
unsafe fn update_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let [agents, m, n, most] = named.wholes::<usize, 4>(["agents", "m", "n", "most"])?;
    let by_columns = named.whole::<u8>("by_columns")? != 0;
    let (rate, tolerance) = (named.real("rate")?, named.real("tolerance")?);
    // SAFETY: the caller's promise.
    let rows = |name: &str, own: usize| unsafe { Rows::<T>::of(named, name, own) };
    let (start, jacobian) = (rows("start", n)?, rows("jacobian", m * n)?);
    let (observation, precision) = (rows("observation", m)?, rows("precision", m)?);
    let reference = rows("reference", m)?;
    let (prior_mean, prior_precision) = (rows("prior_mean", n)?, rows("prior_precision", n)?);
    let means = Places::<T>::of(named.output("means")?);
    let steps = Places::<i64>::of(named.output("steps")?);
    let endings = Places::<i64>::of(named.output("endings")?);
    let change = Places::<T>::of(named.output("change")?);
    let energy = Places::<T>::of(named.output("energy")?);
    let history = named.output("history")?;
    let kept = if history.layout.numel() == 0 {
        0
    } else {
        most + 1
    };
    let history = Places::<T>::of(history);
    let shared = jacobian.is_shared();
    // Of all agents, if they share it.
    let columns = match shared && !by_columns {
        true => turned(jacobian.all, m, n)?,
        false => Vec::new(),
    };
    let failed = std::sync::Mutex::new(Ok(()));
    let one = |agent: usize| -> Result<()> {
        let mine;
        let jacobian = match (by_columns, shared) {
            (true, _) => jacobian.of_agent(agent),
            (false, true) => &columns[..],
            (false, false) => {
                mine = turned(jacobian.of_agent(agent), m, n)?;
                &mine[..]
            }
        };
        // SAFETY: nobody else has the places of this agent.
        let (mean, history) = unsafe {
            (
                &mut *means.range(agent * n, n),
                &mut *history.range(agent * kept, kept),
            )
        };
        let problem = Problem {
            m,
            n,
            jacobian,
            observation: observation.of_agent(agent),
            precision: precision.of_agent(agent),
            reference: reference.of_agent(agent),
            prior_mean: prior_mean.of_agent(agent),
            prior_precision: prior_precision.of_agent(agent),
            rate: T::narrow(rate),
        };
        mean.copy_from_slice(start.of_agent(agent));
        let ended = problem.run(mean, history, most, tolerance)?;
        // SAFETY: as above.
        unsafe {
            (*steps.range(agent, 1))[0] = ended.steps as i64;
            (*endings.range(agent, 1))[0] = ended.ending as i64;
            (*change.range(agent, 1))[0] = T::narrow(ended.change);
            (*energy.range(agent, 1))[0] = T::narrow(ended.energy);
        }
        Ok(())
    };
    if agents == 1 {
        return one(0);
    }
    share(agents, |agent| {
        if let Err(e) = one(agent)
            && let Ok(mut failed) = failed.lock()
        {
            *failed = Err(e);
        }
    })?;
    failed.into_inner().unwrap_or(Ok(()))
}

/// The columns of a matrix one after the other.
fn turned<T: Real>(rows: &[T], m: usize, n: usize) -> Result<Vec<T>> {
    let mut columns = room::filled(rows.len(), T::default())?;
    for i0 in (0..m).step_by(32) {
        interrupt::poll()?;
        for j0 in (0..n).step_by(32) {
            for j in j0..n.min(j0 + 32) {
                for i in i0..m.min(i0 + 32) {
                    columns[j * m + i] = rows[i * n + j];
                }
            }
        }
    }
    Ok(columns)
}

/// How an agent ended.
struct Ended {
    steps: usize,
    ending: super::Ending,
    change: f64,
    energy: f64,
}

/// One agent.
struct Problem<'a, T> {
    m: usize,
    n: usize,
    /// Column after column.
    jacobian: &'a [T],
    observation: &'a [T],
    precision: &'a [T],
    reference: &'a [T],
    prior_mean: &'a [T],
    prior_precision: &'a [T],
    rate: T,
}

/// A number, or 0 where there are none.
fn at<T: Real>(values: &[T], k: usize) -> T {
    values.get(k).copied().unwrap_or_default()
}

/// The sum, in halves; there is a power of two of them.
fn halved<T: Copy + std::ops::Add<Output = T>>(sums: &mut [T]) -> T {
    let mut half = sums.len() / 2;
    while half > 0 {
        for k in 0..half {
            sums[k] = sums[k] + sums[k + half];
        }
        half /= 2;
    }
    sums[0]
}

impl<T: Real> Problem<'_, T> {
    fn run(&self, mean: &mut [T], history: &mut [T], most: usize, tolerance: f64) -> Result<Ended> {
        let mut before = room::filled(self.n, T::default())?;
        before.copy_from_slice(mean);
        let mut errors = room::filled(self.m, T::default())?;
        let mut parts = room::filled(self.n.div_ceil(SLICE) * self.m, T::default())?;
        history.fill(T::NAN);
        let mut ended = Ended {
            steps: 0,
            ending: super::Ending::Limit,
            change: 0.0,
            energy: 0.0,
        };
        for step in 0..=most {
            // A step of a small problem takes less time than to ask.
            if step % UNASKED == 0 {
                interrupt::poll()?;
            }
            self.predict(mean, &mut parts, &mut errors)?;
            let [prior, square] = self.along_states(mean, &before);
            let energy = 0.5 * (self.weigh(&mut errors) + prior);
            let change = square.sqrt();
            if !(energy.is_finite() && change.is_finite()) {
                mean.copy_from_slice(&before);
                ended.ending = super::Ending::Diverged;
                if step == 0 {
                    ended.energy = energy;
                }
                return Ok(ended);
            }
            let moved = (energy - ended.energy).abs();
            ended = Ended {
                steps: step,
                ending: super::Ending::Limit,
                change,
                energy,
            };
            if let Some(place) = history.get_mut(step) {
                *place = T::narrow(energy);
            }
            if step > 0 && moved < tolerance {
                ended.ending = super::Ending::Converged;
                return Ok(ended);
            }
            if step < most {
                before.copy_from_slice(mean);
                self.step(mean, &errors)?;
            }
        }
        Ok(ended)
    }

    /// What is observed less what is predicted.
    fn predict(&self, mean: &[T], parts: &mut [T], errors: &mut [T]) -> Result<()> {
        let (m, n) = (self.m, self.n);
        if m == 0 {
            return Ok(());
        }
        let slice = |slice: usize, sums: &mut [T]| {
            sums.fill(T::default());
            let from = slice * SLICE;
            let columns = self.jacobian[from * m..].chunks_exact(m);
            for (by, column) in mean[from..n.min(from + SLICE)].iter().zip(columns) {
                for (sum, x) in sums.iter_mut().zip(column) {
                    *sum = *sum + *x * *by;
                }
            }
        };
        if m * n < LARGE {
            parts
                .chunks_mut(m)
                .enumerate()
                .for_each(|(k, sums)| slice(k, sums));
        } else {
            let each = (PIECE / (m * SLICE)).max(1) * m;
            syntonic_core::cpu::threads::share_chunks(parts, each, |from, chunk| {
                let chunks = chunk.chunks_mut(m).enumerate();
                chunks.for_each(|(k, sums)| slice(from / m + k, sums));
            })?;
        }
        for (i, error) in errors.iter_mut().enumerate() {
            let mut sums = [T::default(); SUMS];
            for (k, part) in parts.iter().skip(i).step_by(m).enumerate() {
                sums[k % SUMS] = sums[k % SUMS] + *part;
            }
            *error = (self.observation[i] - halved(&mut sums)) - at(self.reference, i);
        }
        Ok(())
    }

    /// Twice the energy of the prior, and the square of the last step.
    fn along_states(&self, mean: &[T], before: &[T]) -> [f64; 2] {
        let mut sums = [[0.0; SUMS]; 2];
        for (k, first) in (0..self.n).step_by(SLICE).enumerate() {
            let mut terms = [[0.0; SLICE]; 2];
            for j in first..self.n.min(first + SLICE) {
                let away = (mean[j] - at(self.prior_mean, j)).wide();
                let moved = (mean[j] - before[j]).wide();
                terms[0][j - first] = at(self.prior_precision, j).precision().wide() * away * away;
                terms[1][j - first] = moved * moved;
            }
            for (sums, terms) in sums.iter_mut().zip(&mut terms) {
                sums[k % SUMS] += halved(terms);
            }
        }
        sums.map(|mut sums| halved(&mut sums))
    }

    /// Twice the energy of the observation; errors are weighed by their precisions.
    fn weigh(&self, errors: &mut [T]) -> f64 {
        let mut sums = [0.0; TERMS];
        for (i, error) in errors.iter_mut().enumerate() {
            let precision = self.precision[i].precision();
            let apart = error.wide();
            sums[i % TERMS] += precision.wide() * apart * apart;
            *error = precision * *error;
        }
        let mut warps = [0.0; TERMS / LANES];
        for (warp, terms) in warps.iter_mut().zip(sums.chunks_mut(LANES)) {
            *warp = halved(terms);
        }
        halved(&mut warps)
    }

    fn step(&self, mean: &mut [T], errors: &[T]) -> Result<()> {
        let m = self.m;
        let one = |j: usize, mean: &mut T| {
            let mut sums = [T::default(); LANES];
            let column = &self.jacobian[j * m..][..m];
            for (errors, column) in errors.chunks(LANES).zip(column.chunks(LANES)) {
                for ((sum, e), x) in sums.iter_mut().zip(errors).zip(column) {
                    *sum = *sum + *x * *e;
                }
            }
            let pull = at(self.prior_precision, j).precision() * (*mean - at(self.prior_mean, j));
            *mean = *mean + self.rate * (halved(&mut sums) - pull);
        };
        if m * self.n < LARGE {
            mean.iter_mut()
                .enumerate()
                .for_each(|(j, mean)| one(j, mean));
            return Ok(());
        }
        let places = (PIECE / m).max(1);
        syntonic_core::cpu::threads::share_chunks(mean, places, |from, chunk| {
            chunk
                .iter_mut()
                .enumerate()
                .for_each(|(k, mean)| one(from + k, mean));
        })?;
        Ok(())
    }
}
