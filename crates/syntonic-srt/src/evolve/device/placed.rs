//! RES whose candidates are drawn, and learnt from, on a device.
//!
//! [`Res`] counts, records, and says when attempts end, as it does where it learns itself; the matrix is a [`DeviceSearch`]'s by [`Rule::Res`].
//! Of a generation come the values, the centre, the deviations and the step size to the host, and the matrix where it is asked for.

use super::learning::{BEST_SCORE, GENERATION, MISSING, SIGMA};
use super::plan::{MEAN, NUMBERS};
use super::res::{FLOOR, search_of};
use super::{DeviceSearch, Rule};
use crate::evolve::search::Search;
use crate::evolve::shape::Matrix;
use crate::evolve::{
    EvolveError, Goal, Limits, NoiseHandling, Res, Sampling, Shape, Strategy, Survivors,
    SyntonyWeight,
};
use std::sync::Arc;
use syntonic_core::{DType, Device, Error, Tensor, room};

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
    asked: bool,
    /// Whether the search has its matrix here.
    whole: bool,
}

impl DeviceRes {
    /// Puts a search on a device, a new one or one that was loaded; it goes on with the same bits.
    ///
    /// # Errors
    /// [`EvolveError::OnDevice`] for what is not done there: other strategies than the full matrix, a lattice, independent samples, survivors, the bonus of
    /// syntony, a least step size, bounds, the handling of noise, and injected points. [`EvolveError::Engine`] without memory, and for an
    /// odd population or one of more than 65,536.
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
            asked: false,
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
            (self.there, self.asked) = (None, false);
        }
        Ok(begun)
    }

    /// The next candidates, `float64` `[K, n]` on the device. Asking again before telling returns the same ones.
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
        let there = match &self.there {
            Some(there) => there,
            None => self.there.insert(placed(&self.res, &self.device)?),
        };
        let candidates = there.candidates(0, there.population())?;
        self.asked = true;
        Ok(candidates)
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
        let Some(before) = self.there.as_ref().filter(|_| self.asked) else {
            return Err(EvolveError::NothingAsked);
        };
        if values.shape() != [before.population()] {
            return Err(EvolveError::Length {
                operation: "RES: tell",
                found: values.numel(),
                expected: before.population(),
            });
        }
        let mut after = before.clone();
        match self.res.config.goal {
            Goal::Maximise if !values.dtype().is_complex() => {
                after.tell(&values.cast(DType::F64)?.try_mul(-1.0)?)?;
            }
            _ => after.tell(values)?,
        }
        let told = values.cast(DType::F64)?.to_vec::<f64>()?;
        let row = |at: usize| before.candidates(at, at + 1)?.to_vec::<f64>();
        self.res.take(&told, row, |_, _| seen(&after))?;
        self.there = Some(after);
        (self.asked, self.whole) = (false, false);
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
        (
            config.bounds.is_none(),
            "bounds, at which RES reflects candidates",
            "leave the device out, or take DeviceSearch, which moves them to the bound",
        ),
        (
            config.noise == NoiseHandling::Off,
            "the handling of noise",
            here,
        ),
        (res.state.injected.is_empty(), "injected points", here),
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

/// Where a search on a device stands, but for its matrix.
fn seen(there: &DeviceSearch) -> Result<Search, Error> {
    let n = there.plan.n;
    let rows = there
        .state
        .slice(1, Some((MEAN * n) as isize), Some(2 * n as isize), 1)?;
    let mut centre = rows.to_vec::<f64>()?;
    let sigma = there.number(SIGMA)?.to_scalar::<f64>()?;
    let deviations = centre.iter().skip(n).map(|d| (d / sigma) * (d / sigma));
    let matrix = Matrix::Diagonal {
        variance: room::collected(deviations)?,
        path: Vec::new(),
    };
    centre.truncate(n);
    Ok(Search::with_matrix(centre, sigma, Vec::new(), 1.0, matrix))
}
