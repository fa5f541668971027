//! The sampling distribution: where it is, how wide, and how a generation moves it.

use super::config::{SIGMA_CEILING, Sizes};
use super::elementary::exp;
use super::elite::{Cost, select_best};
use super::inject::Injected;
use super::noise::{Noise, Turns, for_rows};
use super::probe::{Probe, Seen};
use super::ranked::{Ranked, path_normaliser};
use super::rates::Rates;
use super::shape::{Lesson, Matrix, widest_of};
use super::{Bounds, CheckpointFault, Population, ResConfig, Shape, floats, lanes, syntony};
use serde::{Deserialize, Serialize};
use syntonic_core::ops::order::sort_by;
use syntonic_core::{Error, room};

/// The state that one generation hands to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Search {
    /// The centre: the mean, or the parent of the elitist strategy.
    #[serde(with = "floats")]
    pub(super) centre: Vec<f64>,
    /// The step size.
    pub(super) sigma: f64,
    motion: Motion,
    /// The deviations of the coordinates, where the matrix is on a device and `motion` has none of it.
    #[serde(skip)]
    pub(super) elsewhere: Option<Vec<f64>>,
}

/// What the strategy remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Motion {
    Recombine {
        /// The path of the mean, in units of the noise.
        #[serde(with = "floats")]
        path: Vec<f64>,
        /// `(1 - c)^(2g)`: what is missing in the path's variance after g generations.
        missing: f64,
        matrix: Matrix,
        /// Of a separable search that may become another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        probe: Option<Probe>,
    },
    Elitist {
        /// The parent's cost, once it has one.
        parent: Option<Cost>,
    },
}

/// The candidates of a generation and where they came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Generation {
    pub(super) noise: Noise,
    pub(super) steps: Vec<f64>,
    /// Members of the sampled population that are evaluated, in order.
    pub(super) members: Vec<usize>,
    pub(super) population: Population,
    /// Whether its points are the user's.
    pub(super) is_given: bool,
}

/// A generation's costs, put in order.
pub(super) struct Judgement<'a> {
    pub(super) costs: &'a [f64],
    /// Costs less the bonus of syntony.
    pub(super) scores: &'a [f64],
    /// Positions, best first.
    pub(super) order: &'a [usize],
    /// What one unit of syntony is worth.
    pub(super) price: f64,
    /// Weights of the modes in syntony.
    pub(super) modes: &'a [f64],
}

impl Search {
    pub(super) fn new(start: &[f64], config: &ResConfig) -> Result<Search, Error> {
        Search::of_shape(start, config, config.first_shape(start.len()))
    }

    /// A search of a shape, which learns nothing from one before it but where it begins.
    pub(super) fn of_shape(
        start: &[f64],
        config: &ResConfig,
        shape: Option<Shape>,
    ) -> Result<Search, Error> {
        let n = start.len();
        let motion = match shape {
            None => Motion::Elitist { parent: None },
            Some(shape) => Motion::Recombine {
                path: room::zeros(n)?,
                missing: 1.0,
                matrix: Matrix::new(shape, n, config.scales.as_deref())?,
                probe: config
                    .dependent_shape(n)
                    .filter(|dependent| *dependent != shape)
                    .map(|_| Probe::default()),
            },
        };
        Ok(Search {
            centre: room::copied(start)?,
            sigma: config.sigma,
            motion,
            elsewhere: None,
        })
    }

    /// The shape that is learnt; none of the elitist strategy.
    pub(super) fn shape(&self) -> Option<Shape> {
        self.matrix().map(Matrix::shape)
    }

    /// A search by matrix adaptation, of its state.
    pub(super) fn with_matrix(
        centre: Vec<f64>,
        sigma: f64,
        path: Vec<f64>,
        missing: f64,
        matrix: Matrix,
    ) -> Search {
        Search {
            centre,
            sigma,
            motion: Motion::Recombine {
                path,
                missing,
                matrix,
                probe: None,
            },
            elsewhere: None,
        }
    }

    /// What is known here of a search whose full matrix is on a device.
    pub(super) fn elsewhere(centre: Vec<f64>, sigma: f64, deviations: Vec<f64>) -> Search {
        let nothing = Search::with_matrix(centre, sigma, Vec::new(), 1.0, Matrix::Identity);
        Search {
            elsewhere: Some(deviations),
            ..nothing
        }
    }

    /// The path, what is missing in its variance, and the columns of a search by matrix adaptation.
    pub(super) fn adaptation(&self) -> Option<(&[f64], f64, &[f64])> {
        match &self.motion {
            Motion::Recombine {
                path,
                missing,
                matrix: Matrix::Full { columns },
                ..
            } => Some((path, *missing, columns)),
            _ => None,
        }
    }

    /// Checks a state that was read from outside.
    pub(super) fn validate(&self, config: &ResConfig) -> Result<(), CheckpointFault> {
        let n = self.centre.len();
        let dependent = config.dependent_shape(n);
        let found = self.shape().filter(|shape| dependent == Some(*shape));
        let shape = found.or(config.first_shape(n));
        let mut proper = self.centre.iter().all(|v| v.is_finite());
        proper &= self.sigma > 0.0 && self.sigma <= SIGMA_CEILING;
        match (&self.motion, shape) {
            (Motion::Elitist { parent }, None) => {
                proper &= parent.is_none_or(|Cost(cost)| !cost.is_nan());
            }
            (
                Motion::Recombine {
                    path,
                    missing,
                    matrix,
                    probe,
                },
                Some(shape),
            ) => {
                let asks = dependent.is_some_and(|dependent| dependent != shape);
                proper &= probe.as_ref().is_none_or(|p| asks && p.is_proper(n));
                proper &= path.len() == n && path.iter().all(|v| v.is_finite());
                proper &= (0.0..=1.0).contains(missing);
                matrix.validate(shape, n)?;
            }
            _ => {
                let what = "the strategy does not fit the configuration";
                return Err(CheckpointFault::Damaged(what.into()));
            }
        }
        if proper {
            Ok(())
        } else {
            let what = "the state holds improper numbers";
            Err(CheckpointFault::Damaged(what.into()))
        }
    }

    /// The same, to be changed.
    pub(super) fn copied(&self) -> Result<Search, Error> {
        Ok(Search {
            centre: room::copied(&self.centre)?,
            sigma: self.sigma,
            motion: match &self.motion {
                Motion::Elitist { parent } => Motion::Elitist { parent: *parent },
                Motion::Recombine {
                    path,
                    missing,
                    matrix,
                    probe,
                } => Motion::Recombine {
                    path: room::copied(path)?,
                    missing: *missing,
                    matrix: matrix.copied()?,
                    probe: probe.as_ref().map(Probe::copied).transpose()?,
                },
            },
            elsewhere: None,
        })
    }

    /// `A`, of a strategy that has one.
    pub(super) fn matrix(&self) -> Option<&Matrix> {
        match &self.motion {
            Motion::Recombine { matrix, .. } => Some(matrix),
            Motion::Elitist { .. } => None,
        }
    }

    /// Reflects a centre beyond a bound, and with it the distribution around it: reflected candidates are as likely as
    /// they would be without.
    pub(super) fn reflect(&mut self, bounds: &Bounds) {
        for (k, x) in self.centre.iter_mut().enumerate() {
            let (inside, turned) = bounds.fold(k, *x);
            *x = inside;
            if turned && let Motion::Recombine { path, matrix, .. } = &mut self.motion {
                matrix.turn(k, path);
            }
        }
    }

    /// No step in any coordinate is larger, but for the length of the noise.
    pub(super) fn widest(&self) -> f64 {
        match (&self.elsewhere, &self.motion) {
            (Some(deviations), _) => widest_of(deviations.iter().copied()),
            (_, Motion::Recombine { matrix, .. }) => matrix.widest(self.sigma, self.centre.len()),
            (_, Motion::Elitist { .. }) => self.sigma,
        }
    }

    /// Samples generation number `generation`, with the `injected` points among it; with fewer survivors than members
    /// only the most syntonic ones stay, and what was injected. The memory of a `spent` generation is used again.
    pub(super) fn sample(
        &self,
        config: &ResConfig,
        (generation, sizes, injected): (u64, Sizes, &[Injected]),
        modes: &[f64],
        spent: Option<Generation>,
    ) -> Result<Generation, Error> {
        let n = self.centre.len();
        let sampled = sizes.population;
        let mut next = self.drawn(spent.unwrap_or_default(), sampled, |z| {
            Noise::draw(z, config, generation, sampled, n)
        })?;
        let scores_start = matches!(self.motion, Motion::Elitist { parent: None });
        let first = usize::from(scores_start);
        for (k, point) in injected.iter().enumerate() {
            self.write_noise(&mut next.noise, first + k, &point.x)?;
        }
        if !injected.is_empty() {
            self.write_candidates(&mut next, sampled)?;
        }
        for (k, point) in injected.iter().enumerate() {
            let member = next.noise.member(first + k);
            next.population.values[member * n..][..n].copy_from_slice(&point.x);
        }
        if let Some(bounds) = &config.bounds {
            bounds.reflect(&mut next.population)?;
        }
        if scores_start {
            next.population.values[..n].copy_from_slice(&self.centre);
        }
        self.crystallize(config, &mut next)?;
        let survivors = sizes.survivors;
        if survivors < sampled {
            let given = (0..first + injected.len()).map(|draw| next.noise.member(draw));
            let given = room::collected(given)?;
            next.members = most_syntonic(&next.population, survivors, modes, &given)?;
            next.population.keep(&next.members)?;
        }
        Ok(next)
    }

    /// So many candidates of some noise, written over what was in its memory.
    pub(super) fn drawn(
        &self,
        mut next: Generation,
        sampled: usize,
        noise: impl FnOnce(Vec<f64>) -> Result<Noise, Error>,
    ) -> Result<Generation, Error> {
        next.noise = noise(next.noise.z)?;
        self.write_candidates(&mut next, sampled)?;
        next.members.clear();
        room::more(&mut next.members, sampled)?;
        next.members.extend(0..sampled);
        Ok(next)
    }

    /// `centre ± sigma · A z` for each member.
    fn write_candidates(&self, next: &mut Generation, sampled: usize) -> Result<(), Error> {
        let n = self.centre.len();
        let Generation {
            noise,
            steps,
            population,
            ..
        } = next;
        let scale = match &self.motion {
            Motion::Recombine { matrix, .. } => {
                matrix.write_steps(noise, steps)?;
                matrix.scale(n)?
            }
            Motion::Elitist { .. } => room::filled(n, 1.0)?,
        };
        let source: &[f64] = if steps.is_empty() { &noise.z } else { steps };
        population.cols = n;
        room::resize(&mut population.values, sampled * n, 0.0)?;
        let work = |member: usize, row: &mut [f64]| {
            let (draw, sign) = noise.source(member);
            let factor = sign * self.sigma;
            let step = source[draw * n..][..n].iter().zip(&scale);
            for ((x, c), (s, scale)) in row.iter_mut().zip(&self.centre).zip(step) {
                *x = c + factor * (s * scale);
            }
        };
        let cost = population.values.len();
        Ok(for_rows(&mut population.values, n, cost, work)?)
    }

    /// Learns from a judged generation, and says whether its [`Probe`] sees that coordinates depend on each other; an error
    /// leaves it half learnt.
    pub(super) fn learn(
        &mut self,
        generation: &Generation,
        judgement: &Judgement<'_>,
        rates: &Rates,
        floor: f64,
    ) -> Result<bool, Error> {
        let (factor, dependent) = match &mut self.motion {
            Motion::Recombine {
                path,
                missing,
                matrix,
                probe,
            } => {
                let state = (&mut self.centre, self.sigma, path, missing, matrix);
                recombine(state, probe.as_mut(), generation, judgement, rates)?
            }
            Motion::Elitist { parent } => (
                select_best(&mut self.centre, parent, generation, judgement),
                false,
            ),
        };
        self.sigma = (self.sigma * factor).clamp(floor, SIGMA_CEILING);
        Ok(dependent)
    }
}

/// The `count` members of largest syntony, in their order; the `given` ones always.
fn most_syntonic(
    population: &Population,
    count: usize,
    modes: &[f64],
    given: &[usize],
) -> Result<Vec<usize>, Error> {
    let mut ranked = room::filled(population.rows(), (f64::INFINITY, 0))?;
    let cost = population.values.len();
    for_rows(&mut ranked, 1, cost, |i, place| {
        let syntony = match given.contains(&i) {
            true => f64::INFINITY,
            false => syntony::weighted(population.row(i), modes),
        };
        place[0] = (syntony, i);
    })?;
    sort_by(&mut ranked, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)))?;
    let mut members = room::collected(ranked.into_iter().take(count).map(|(_, i)| i))?;
    sort_by(&mut members, Ord::cmp)?;
    Ok(members)
}

type Recombination<'a> = (
    &'a mut Vec<f64>,
    f64,
    &'a mut Vec<f64>,
    &'a mut f64,
    &'a mut Matrix,
);

/// Moves the mean, its path and the shape; returns what multiplies sigma, and what the probe says. A generation without any
/// usable candidate was a step too far: the mean stays and sigma halves.
fn recombine(
    (mean, sigma, path, missing, matrix): Recombination<'_>,
    probe: Option<&mut Probe>,
    generation: &Generation,
    judgement: &Judgement<'_>,
    rates: &Rates,
) -> Result<(f64, bool), Error> {
    let Some(ranked) = Ranked::of(judgement, rates)? else {
        return Ok((0.5, false));
    };
    let noise = &generation.noise;
    let pairs = noise.pair_weights(&generation.members, &ranked.weights)?;
    let turns = Turns {
        scaled: noise.turns(&pairs, &generation.members, &ranked.against)?,
        sum: ranked.sum,
    };
    let sums = noise.sums(&pairs, &turns.scaled)?;
    let normaliser = path_normaliser(generation, judgement, &ranked);
    let seen = Seen {
        noise,
        members: &generation.members,
        scores: judgement.scores,
        sums: &sums,
        normaliser,
    };
    let probe = probe.filter(|_| !generation.is_given);
    let dependent = probe.map_or(Ok(false), |probe| probe.see(&seen))?;
    let step = matrix.apply(&sums.first)?;
    // From here on the state changes.
    let mut workspace = matrix.workspace(path.len())?;
    mean.iter_mut()
        .zip(&step)
        .for_each(|(m, s)| *m += sigma * s);
    let c = rates.path;
    let push = (c * (2.0 - c)).sqrt() * normaliser;
    path.iter_mut()
        .zip(&sums.first)
        .for_each(|(p, z)| *p = (1.0 - c) * *p + push * z);
    *missing *= (1.0 - c) * (1.0 - c);
    let length = lanes::sum(path.iter().map(|p| p * p)).sqrt() / rates.expected_length;
    let lesson = Lesson {
        noise,
        steps: &generation.steps,
        turns: &turns,
        sums: &sums,
        path,
        normaliser,
        steady: length < (1.4 + 2.0 / (path.len() as f64 + 1.0)) * (1.0 - *missing).sqrt(),
    };
    let factor = matrix.learn(&lesson, rates, &mut workspace)?;
    let factor = factor * exp((c / rates.damping * (length - 1.0)).min(1.0));
    Ok((factor, dependent))
}
