//! RES, the resonant evolution strategy: minimise or maximise a function of a real vector that
//! gives no gradient.
//!
//! A generation is `ask` (a population of candidates), a call of yours that values them, and
//! `tell` (what the values were). [`Res::run`] turns the wheel for you.
//!
//! ```
//! use syntonic_srt::evolve::{Flow, Population, Res, ResConfig};
//!
//! let sphere = |population: &Population| -> Result<Vec<f64>, std::convert::Infallible> {
//!     Ok(population.iter().map(|x| x.iter().map(|v| v * v).sum()).collect())
//! };
//! let config = ResConfig::new().sigma(2.0).target(1e-8);
//! let mut res = Res::new(&[3.0; 10], config)?;
//! let outcome = res.run(sphere, |_| Flow::Continue)?;
//! assert!(outcome.value.unwrap() <= 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The method
//! Candidates are `mean + sigma · A z` with `z` standard normal, drawn in mirrored pairs `±z`. The
//! best half, weighted by the logarithm of rank, moves the mean (weighted recombination); the
//! length of the path the mean takes, compared with that of a random walk, sets `sigma`
//! (cumulative step-size adaptation). `A` is the identity, a diagonal learnt from the selected
//! steps, a full matrix learnt likewise (matrix adaptation), or one of some twenty long axes (of low rank); see [`Shape`]. Mirroring makes the
//! weighted sum of steps shorter than independent draws would; its variance under blind selection
//! is known, and the path is normalised by it, so mirroring does not bias `sigma`.
//!
//! By default `A` is full up to 64 unknowns. Beyond it begins as a diagonal, which takes far fewer evaluations where coordinates are
//! independent. The search asks, in windows at growing distances, whether the values of mirrored pairs, which have no
//! slope, depend on products of two coordinates of the noise, and whether the path of the mean does. Where one of them does, by four
//! deviations, the search goes on from its mean with its first step size and a full matrix, or one of low rank beyond 1,000 unknowns.
//! [`Res::strategy`] says which shape runs.
//!
//! A matrix of low rank ([`Shape::LowRank`]) remembers the paths that the mean had at twenty generations, in a long search as far apart as there are
//! unknowns (Li and Zhang, "A simple yet efficient evolution strategy for large-scale black-box optimization",
//! 2018). It sees what the mean does along a valley and nothing across it, in O(20 n) a candidate.
//!
//! The worse half has negative weights in what `A` learns (active covariance: Jastrebski and Arnold, 2006), as Hansen's
//! tutorial ([arXiv:1604.00772](https://arxiv.org/abs/1604.00772)) bounds them. An attempt that has converged or stagnates
//! ([`Tolerance`], [`Stagnation`]) is followed by one with twice the population where the evaluations are limited; see
//! [`Restarts`].
//!
//! Candidates stay between [`Bounds`], the first steps may differ between coordinates ([`ResConfig::scales`]), and points of
//! the user's join the candidates ([`Res::inject`]), or are told with their values ([`Res::tell_points`]).
//!
//! Where the objective is noisy, [`NoiseHandling::Auto`] evaluates candidates again and takes means, as often as their ranks need.
//!
//! Syntony may join in: as a bonus on the value ([`SyntonyWeight`]), or as a filter that drops the
//! least syntonic candidates before anything is evaluated ([`ResConfig::prefilter`]). Both are off
//! by default: they only help where low modes are where the answer is.
//!
//! # How many evaluations
//! Median of five seeds to a value of 1e-8, or the median best value where none
//! reached it; start 3 in each of ten coordinates, step size 2, 20,000 evaluations at most. In brackets:
//! the population, and how many seeds reached it.
//! `cargo run --release -p syntonic-srt --example res_functions` makes the table.
//!
//! | strategy | sphere | ellipsoid | rosenbrock | rastrigin | ackley |
//! |---|---|---|---|---|---|
//! | default (10) | 990 (5/5) | 3670 (5/5) | 4550 (5/5) | 6.96e0 | 1840 (5/5) |
//! | default, population x 8 (80) | 2640 (5/5) | 7120 (5/5) | 14000 (5/5) | 6960 (2/5) | 4720 (5/5) |
//! | separable (10) | 900 (5/5) | 1840 (5/5) | 7.37e-3 | 9.95e0 | 1670 (5/5) |
//! | isotropic (10) | 1400 (5/5) | 3.96e2 | 1.74e-1 | 6.96e0 | 2520 (5/5) |
//! | elitist (10) | 1280 (5/5) | 1.06e3 | 8.22e-1 | 8.95e1 | 2210 (1/5) |
//!
//! Evaluations of each unknown, for 100 unknowns; median of three seeds, or the median best value after 5,000 of each unknown, in one attempt.
//! *Turned* functions are rotated, so that every coordinate depends on all others. `cargo run --release -p syntonic-srt --example
//! res_shapes` makes this table, those of 65 and 200 unknowns, and that of times.
//!
//! | function | default | full from | separable | full |
//! |---|---|---|---|---|
//! | sphere | 94 | never | 94 | 94 |
//! | ellipsoid, condition 10⁶ | 265 | never | 265 | 1875 |
//! | turned ellipsoid, condition 10⁴ | 900 | 30 | 9.5e1 | 855 |
//! | turned ellipsoid, condition 10⁶ | 1925 | 30 | 1.6e4 | 1891 |
//! | turned cigar | 647 | 390 | 2.7e0 | 271 |
//! | turned discus | 588 | 30 | 9.8e2 | 575 |
//! | rosenbrock | 3175 | 150 | 1.2e-1 | 2 of 3 seeds |
//! | turned rastrigin | 1.9e2 | never | 1.9e2 | 1.8e2 |
//!
//! The same for 1,200 unknowns, one seed, and the best value after 200 evaluations of each unknown (`res_shapes -- 1 1200`). The default has what
//! a separable search leaves where it goes over; whoever knows that coordinates depend on each other asks for low rank at once.
//!
//! | function | default | low rank from | separable | low rank |
//! |---|---|---|---|---|
//! | sphere | 97 | never | 97 | 105 |
//! | ellipsoid, condition 10⁶ | 8.8e3 | never | 8.8e3 | 2.9e5 |
//! | turned ellipsoid, condition 10⁴ | 1.9e4 | 10 | 3.6e4 | 4.7e3 |
//! | turned ellipsoid, condition 10⁶ | 1.0e6 | 10 | 1.9e6 | 3.4e5 |
//! | turned cigar | 5.9e0 | never | 5.9e0 | 3.4e-3 |
//! | turned discus | 2.7e2 | 30 | 1.3e4 | 9.2e1 |
//! | rosenbrock | 1.3e3 | never | 1.3e3 | 1.2e3 |
//! | turned rastrigin | 5.4e3 | never | 5.4e3 | 3.6e3 |
//!
//! Microseconds of a generation on the sphere with two threads, of which a probe takes what the default takes more than the separable search
//! while a window is open:
//!
//! | unknowns | 65 | 100 | 200 | 500 | 700 | 1000 | 1400 | 2000 |
//! |---|---|---|---|---|---|---|---|---|
//! | separable | 10 | 16 | 33 | 87 | 132 | 187 | 284 | 405 |
//! | default, as it begins | 19 | 35 | 115 | 509 | 1195 | 1742 | | |
//! | full | 28 | 57 | 212 | 1183 | 2532 | 10619 | 32145 | 75576 |
//!
//! Beyond 1,000 unknowns a probe takes about as long as there, since it looks at as many pairs; a generation of low rank takes some three times as
//! long as one of a separable search.
//!
//! The share of BBOB's targets (51 from 10² to 10⁻⁸) that is reached within 1000 evaluations a coordinate, over 2, 3, 5, 10 and
//! 20 unknowns and instances 1 to 5; `crates/syntonic-bench/python/evolve_quality.py` measures it:
//!
//! | algorithm | all | separable | moderate | ill-conditioned | multimodal | weak structure |
//! |---|---|---|---|---|---|---|
//! | RES, default | 0.709 | 0.709 | 0.982 | 0.967 | 0.566 | 0.375 |
//! | RES, [`Restarts::Off`] | 0.618 | 0.661 | 0.863 | 0.963 | 0.368 | 0.283 |
//! | CMA-ES of pycma 4.5, BIPOP restarts | 0.683 | 0.684 | 0.993 | 0.952 | 0.520 | 0.330 |
//! | CMA-ES of pycma 4.5, IPOP restarts | 0.679 | 0.684 | 1.000 | 0.952 | 0.515 | 0.308 |
//! | CMA-ES of pycma 4.5 | 0.586 | 0.654 | 0.864 | 0.942 | 0.323 | 0.203 |
//! | CR-FM-NES 1.0 | 0.405 | 0.594 | 0.687 | 0.244 | 0.346 | 0.212 |
//!
//! A larger population costs evaluations and finds better minima among many. For thousands of
//! unknowns that interact little, such as the weights of a small network, the default is a good
//! beginning: a diagonal, and a population of about thirty; a step size of a fifth to a half of the
//! spread of sensible first weights; and [`Res::centre`] as the answer.
//!
//! # On a lattice
//! With a [`Lattice`] candidates are integers or points `a + b φ`, in all coordinates or some. They settle coordinate by coordinate in the metric
//! that the search has learnt, and it learns from where they settled. Median evaluations to the planted point, of 5000 a coordinate, and in how many of
//! 11 problems it was found, on the lattice and where the objective rounds; then for what a search may be told of modes: the D
//! phase's damping `e^(-|n|²/(4φ))` as first deviations, 0.3 of the spread as a bonus of syntony, and the filter that evaluates the most syntonic quarter.
//! `cargo run --release -p syntonic-srt --example lattice_problems -- 11` makes both tables.
//!
//! | problem | on the lattice | values rounded |
//! |---|---|---|
//! | closest vector, integers, n = 10, condition 1 | 800 (11) | 260 (11) |
//! | closest vector, integers, n = 10, condition 100 | 1960 (11) | 15160 (10) |
//! | closest vector, integers, n = 20, condition 10 | 2592 (11) | 10584 (11) |
//! | closest vector, integers, n = 20, condition 100 | 6576 (11) | none (0) |
//! | closest vector, golden, bound 5, n = 10, condition 100 | 2440 (11) | 24640 (10) |
//! | closest vector, golden, bound 5, n = 20, condition 10 | 4272 (11) | 9588 (10) |
//! | weights a + b φ, bound 3, n = 10 | 1320 (11) | 400 (11) |
//! | weights a + b φ, bound 3, n = 20 | 2688 (11) | 900 (11) |
//! | weights a + b φ, bound 3, n = 40 | 5824 (11) | 5840 (10) |
//!
//! | problem | plain | damped | bonus | filter |
//! |---|---|---|---|---|
//! | weights of low modes, n = 20 | 1872 (11) | 960 (11) | 1968 (11) | none (4) |
//! | weights of low modes, n = 40 | 3776 (11) | 960 (11) | 3776 (11) | none (2) |
//! | closest vector, integers, n = 20, condition 10 | 2592 (11) | none (0) | 2640 (11) | none (0) |
//!
//! Functions of real numbers are no place for it: on a golden lattice with the bound 1000 RES reaches 0.515 of BBOB's targets for 0.727 (2, 5 and
//! 10 unknowns, instances 1 to 3; `evolve_quality.py --algorithms res,res-golden`). An H phase of a quarter of the candidates was measured and is not
//! here: it took 5 to 20 times as many evaluations alone, and 0.8 to 0.93 of them beside the damping.
//!
//! # What holds
//! The noise of a run is a function of seed, generation, row and column; every sum has a fixed
//! order; exponentials and logarithms are our own. A seed therefore gives one trajectory, whatever
//! the number of threads, and whether or not it was saved and resumed on the way. With [`Shape::Full`] it is
//! that of [`device::Rule::Res`] on a GPU too.

mod attempt;
mod bounds;
mod checkpoint;
mod choice;
mod config;
pub mod device;
mod distribution;
pub(crate) mod elementary;
mod elite;
mod error;
mod exact;
mod fault;
mod floats;
mod given;
mod inject;
mod lanes;
mod lattice;
mod limits;
mod low_rank;
mod noise;
mod population;
mod probe;
mod ranked;
mod rates;
mod record;
mod res;
mod run;
mod score;
mod search;
mod shape;
mod sum;
mod syntony;
mod uncertainty;

#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use choice::{Goal, Restarts, Sampling, Shape, Strategy, Survivors, SyntonyWeight};
pub use config::ResConfig;
pub use error::{EvolveError, RunError};
pub use fault::CheckpointFault;
pub use lattice::{Lattice, Points};
pub use limits::{Limits, Stagnation, Tolerance};
pub use population::Population;
pub use record::{Flow, Outcome, Reason, Record};
pub use res::Res;
pub use syntony::{squared_index_norms, syntony};
pub use uncertainty::NoiseHandling;
