//! RES whose candidates are drawn, and learnt from, on a device.
//!
//! [`Res`] counts, records, and says when attempts end, as it does where it learns itself; the matrix is a [`DeviceSearch`]'s by [`Rule::Res`].
//! Of a generation come the values, the centre, the deviations and the step size to the host, and the matrix where it is asked for. A generation
//! that has injected points is drawn, and learnt from, on the host: its noise is none that a device would make.

use super::learning::{BEST_SCORE, GENERATION, MISSING, SIGMA};
use super::plan::{MATRIX, MEAN, NUMBERS};
use super::res::{FLOOR, search_of};
use super::search::reals;
use super::{DeviceSearch, Rule};
use crate::evolve::search::Search;
use crate::evolve::{
    Bounds, EvolveError, Limits, Res, Sampling, Shape, Strategy, Survivors, SyntonyWeight,
};
use std::sync::Arc;
use syntonic_core::{Device, Error, Tensor, room};

/// [`Res`] with a full matrix on a device: the trajectory of `Res` alone, to the bit, with its limits, restarts, history and files.
///
/// Every generation reads its values on the host, and some vectors of n numbers: [`DeviceSearch`] does not, and runs built-in functions
/// without storing a candidate.
#[derive(Debug)]
pub struct DeviceRes {
    res: Res,
    device: Arc<dyn Device>,
    /// None where an attempt has begun of which nothing was asked.
    there: Option<DeviceSearch>,
    asked: Asked,
    /// Whether the search has its matrix here.
    whole: bool,
}

/// Where the candidates were drawn that wait for their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    Here,
    There,
}

impl DeviceRes {
    /// Puts a search on a device, a new one or one that was loaded; it goes on with the same bits.
    ///
    /// # Errors
    /// [`EvolveError::OnDevice`] for what is not done there: other strategies than the full matrix, a lattice, independent samples, survivors, the bonus of
    /// syntony, and a least step size. [`EvolveError::Engine`] without memory, and for an odd population or one of more than 65,536.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let config = ResConfig::new().seed(7);
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], config.clone())?, &cpu())?;
    /// let mut here = Res::new(&[3.0; 4], config)?;
    /// for _ in 0..50 {
    ///     let x = there.ask()?;
    ///     assert_eq!(x.to_vec::<f64>()?, here.ask()?.as_slice());
    ///     let values = x.square()?.sum(-1)?;
    ///     there.tell(&values)?;
    ///     here.tell(&values.to_vec::<f64>()?)?;
    /// }
    /// assert_eq!(there.res().centre(), here.centre());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mut res: Res, device: &Arc<dyn Device>) -> Result<DeviceRes, EvolveError> {
        let there = placed(&res, device)?;
        res.config.strategy = Strategy::Recombine(Shape::Full);
        Ok(DeviceRes {
            res,
            device: device.clone(),
            there: Some(there),
            asked: Asked::Nothing,
            whole: true,
        })
    }

    /// What is counted and recorded. Its matrix is that of [`DeviceRes::whole`]; before, it has deviations alone.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// assert_eq!(there.res().dimension(), 4);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn res(&self) -> &Res {
        &self.res
    }

    /// Where it lives.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// assert_eq!(there.device().id().to_string(), "cpu");
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// The search with the matrix that is on the device: what [`Res::save`] and [`Res::covariance`] ask for.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for it.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// let values = there.ask()?.square()?.sum(-1)?;
    /// there.tell(&values)?;
    /// // The file of a search on a device is that of any other.
    /// let text = there.whole()?.to_json()?;
    /// assert_eq!(Res::from_json(&text)?.ask()?.as_slice(), there.ask()?.to_vec::<f64>()?);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn whole(&mut self) -> Result<&Res, EvolveError> {
        if !self.whole
            && let Some(there) = &self.there
        {
            let state = there.state.to_vec::<f64>()?;
            self.res.state.search = search_of(&state, self.res.dimension())?;
            self.whole = true;
        }
        Ok(&self.res)
    }

    /// Changes when runs end, as [`Res::set_limits`] does.
    ///
    /// # Errors
    /// [`EvolveError::OutOfRange`]; the old limits then stay.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Limits, Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// there.set_limits(Limits { generations: Some(5), ..Limits::default() })?;
    /// assert_eq!(there.res().config().limits.generations, Some(5));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), EvolveError> {
        self.res.set_limits(limits)
    }

    /// Begins another attempt where [`Res::restart`] does; says whether it did.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory; the search is then unchanged.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig, Restarts};
    ///
    /// let config = ResConfig::new().population(6).restarts(Restarts::Growing);
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], config)?, &cpu())?;
    /// assert!(there.restart()?);
    /// assert_eq!(there.ask()?.shape(), [12, 4]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn restart(&mut self) -> Result<bool, EvolveError> {
        // The next attempt has the shape of this one.
        self.whole()?;
        let begun = self.res.restart()?;
        if begun {
            (self.there, self.asked) = (None, Asked::Nothing);
        }
        Ok(begun)
    }

    /// Puts a point among the candidates of the next generation that is asked for, as [`Res::inject`] does.
    ///
    /// # Errors
    /// Those of [`Res::inject`].
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 2], ResConfig::new())?, &cpu())?;
    /// there.inject(&[0.5, 0.25])?;
    /// assert_eq!(there.ask()?.select(0, 0)?.to_vec::<f64>()?, [0.5, 0.25]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn inject(&mut self, x: &[f64]) -> Result<(), EvolveError> {
        let next = self.res.generation() + u64::from(self.asked != Asked::Nothing);
        self.res.inject_into(x, next)
    }

    /// The next candidates, `float64` `[K, n]` on the device; with [`NoiseHandling::Auto`](crate::evolve::NoiseHandling::Auto) a row for each
    /// evaluation of one. Asking again before telling returns the same ones.
    ///
    /// # Errors
    /// [`EvolveError::Engine`] without memory for them.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// assert_eq!(there.ask()?.shape(), [8, 4]);
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn ask(&mut self) -> Result<Tensor, EvolveError> {
        if self.asked != Asked::There && self.res.has_injected() {
            self.whole()?;
            let drawn = self.res.ask()?;
            let shape = [drawn.rows(), drawn.cols()];
            let drawn = Tensor::from_slice(drawn.as_slice(), &shape)?.to(&self.device)?;
            self.asked = Asked::Here;
            return Ok(drawn);
        }
        let there = match &self.there {
            Some(there) => there,
            None => self.there.insert(placed(&self.res, &self.device)?),
        };
        let mut candidates = there.candidates(0, there.population())?;
        if let Some(bounds) = &self.res.config.bounds {
            candidates = bounds.reflected(&candidates)?;
        }
        let listed = self.res.trials().listed_on(&candidates)?;
        self.asked = Asked::There;
        Ok(listed)
    }

    /// Takes the values of the candidates last asked for, real numbers `[K]` on the device. NaN counts as worst.
    ///
    /// # Errors
    /// [`EvolveError::NothingAsked`] without an `ask`, [`EvolveError::Length`] unless there is one value for each candidate,
    /// [`EvolveError::Engine`] for values that are not real or on another device, and without memory; the search is then unchanged.
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 4], ResConfig::new())?, &cpu())?;
    /// let values = there.ask()?.square()?.sum(-1)?;
    /// there.tell(&values)?;
    /// assert_eq!(there.res().best_value(), Some(values.min(..)?.to_scalar::<f64>()?));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn tell(&mut self, values: &Tensor) -> Result<(), EvolveError> {
        const OP: &str = "RES: tell";
        if self.asked == Asked::Nothing {
            return Err(EvolveError::NothingAsked);
        }
        let rows = self.res.trials().rows();
        if values.shape() != [rows] {
            return Err(EvolveError::Length {
                operation: OP,
                found: values.numel(),
                expected: rows,
            });
        }
        let told = reals(OP, values, &[rows], &self.device)?.to_vec::<f64>()?;
        match &self.there {
            Some(before) if self.asked == Asked::There => {
                let mut after = before.clone();
                let bounds = self.res.config.bounds.clone();
                let row = |at: usize| {
                    let mut x = before.candidates(at, at + 1)?.to_vec::<f64>()?;
                    if let Some(bounds) = &bounds {
                        bounds.reflect_point(&mut x);
                    }
                    Ok(x)
                };
                self.res.take(&told, row, |_, costs| {
                    after.tell(&Tensor::from_slice(costs, &[costs.len()])?.to(&self.device)?)?;
                    seen(&mut after, bounds.as_ref())
                })?;
                (self.there, self.whole) = (Some(after), false);
            }
            _ => {
                self.res.tell(&told)?;
                (self.there, self.whole) = (None, true);
            }
        }
        self.asked = Asked::Nothing;
        Ok(())
    }
}

impl DeviceRes {
    /// Learns from points `[K, n]` of your own and their values, as [`Res::tell_points`] does, on the host.
    ///
    /// # Errors
    /// Those of [`Res::tell_points`].
    ///
    /// ```
    /// use syntonic_core::cpu::cpu;
    /// use syntonic_srt::evolve::device::DeviceRes;
    /// use syntonic_srt::evolve::{Res, ResConfig};
    ///
    /// let mut there = DeviceRes::new(Res::new(&[3.0; 2], ResConfig::new().population(2))?, &cpu())?;
    /// there.tell_points(&[1.0, 0.0, 2.0, 2.0], &[1.0, 8.0])?;
    /// assert_eq!(there.res().best(), Some(&[1.0, 0.0][..]));
    /// # Ok::<(), syntonic_srt::evolve::EvolveError>(())
    /// ```
    pub fn tell_points(&mut self, points: &[f64], values: &[f64]) -> Result<(), EvolveError> {
        self.whole()?;
        self.res.tell_points(points, values)?;
        (self.there, self.asked) = (None, Asked::Nothing);
        Ok(())
    }
}

/// What is not done on a device, and the way out.
fn refused(res: &Res) -> Option<(&'static str, &'static str)> {
    let config = res.config();
    let here = "leave the device out";
    let rules = [
        (
            res.state.search.shape() == Some(Shape::Full),
            "another strategy than the full matrix",
            "take the full matrix, or DeviceSearch by another rule",
        ),
        (config.lattice.is_none(), "a lattice", here),
        (
            config.sampling == Sampling::Antithetic,
            "independent sampling",
            "take antithetic pairs",
        ),
        (
            config.survivors == Survivors::All,
            "survivors or a prefilter",
            here,
        ),
        (
            config.syntony == SyntonyWeight::Off,
            "the bonus of syntony",
            here,
        ),
        (config.sigma_floor == FLOOR, "sigma_floor", here),
    ];
    let broken = rules.into_iter().find(|(holds, ..)| !holds);
    broken.map(|(_, option, hint)| (option, hint))
}

/// The search on a device, where this one stands.
fn placed(res: &Res, device: &Arc<dyn Device>) -> Result<DeviceSearch, EvolveError> {
    if let Some((option, hint)) = refused(res) {
        return Err(EvolveError::OnDevice { option, hint });
    }
    let n = res.dimension();
    let centre = Tensor::from_slice(res.centre(), &[n])?.to(device)?;
    let (population, seed) = (res.population(), res.config().seed);
    let mut there = DeviceSearch::new(&centre, res.sigma(), population, Rule::Res, seed)?;
    let Some((path, missing, columns)) = res.state.search.adaptation() else {
        return Ok(there);
    };
    let deviations = res.deviations()?;
    let best = res.best().unwrap_or(res.centre());
    let mut state = Vec::new();
    room::more(&mut state, there.state.numel())?;
    for rows in [res.centre(), &deviations, best, path, columns] {
        state.extend_from_slice(rows);
    }
    let mut numbers = [0.0; NUMBERS];
    numbers[SIGMA] = res.sigma();
    numbers[MISSING] = missing;
    let cost = res.state.best.as_ref().map(|best| best.cost);
    numbers[BEST_SCORE] = cost.unwrap_or(f64::INFINITY);
    numbers[GENERATION] = res.generation() as f64;
    state.extend(numbers);
    there.state = Tensor::from_vec(state, there.state.shape())?.to(device)?;
    there.generation = res.generation();
    Ok(there)
}

/// Where a search on a device stands, but for its matrix, once its centre is reflected at the bounds.
fn seen(there: &mut DeviceSearch, bounds: Option<&Bounds>) -> Result<Search, Error> {
    let n = there.plan.n;
    let rows = there
        .state
        .slice(1, Some((MEAN * n) as isize), Some(2 * n as isize), 1)?;
    let mut centre = rows.to_vec::<f64>()?;
    let sigma = there.number(SIGMA)?.to_scalar::<f64>()?;
    let deviations = room::copied(&centre[n..])?;
    centre.truncate(n);
    if let Some(bounds) = bounds {
        let mut signs = room::filled(n, 1.0)?;
        let mut beyond = false;
        for (k, (x, sign)) in centre.iter_mut().zip(&mut signs).enumerate() {
            let (inside, turned) = bounds.fold(k, *x);
            beyond |= turned || inside != *x;
            (*x, *sign) = (inside, if turned { -1.0 } else { 1.0 });
        }
        if beyond {
            reflect(there, &centre, &signs)?;
        }
    }
    Ok(Search::elsewhere(centre, sigma, deviations))
}

/// Moves the centre of a search, and gives the rows of its matrix these signs.
fn reflect(there: &mut DeviceSearch, centre: &[f64], signs: &[f64]) -> Result<(), Error> {
    let n = there.plan.n;
    let on = |row: &[f64]| Tensor::from_slice(row, &[1, n])?.to(there.device());
    let part = |from: usize, to: usize| {
        let (from, to) = (Some(from as isize), Some(to as isize));
        there.state.slice(1, from, to, 1)
    };
    let end = (MATRIX + n) * n;
    let columns = part(MATRIX * n, end)?.reshape(&[n as isize, -1])?;
    let columns = columns.try_mul(&on(signs)?)?.reshape(&[1, -1])?;
    let parts = [
        &on(centre)?,
        &part((MEAN + 1) * n, MATRIX * n)?,
        &columns,
        &part(end, there.state.shape()[1])?,
    ];
    there.state = Tensor::concat(&parts, 1)?.copy()?;
    Ok(())
}
