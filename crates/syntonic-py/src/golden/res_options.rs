//! The options of RES between Python's keywords and the configuration.

use crate::arguments::{Parameter, parameter};
use crate::enter::enter;
use crate::errors::{Class, error};
use crate::memory::made;
use crate::operand;
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use syntonic_core::Tensor;
use syntonic_srt::evolve::{
    Bounds, Goal, Lattice, NoiseHandling, Points, Res, ResConfig, Restarts, Sampling, Shape,
    Strategy, Survivors, SyntonyWeight,
};

const GOALS: [(&str, Goal); 4] = [
    ("minimise", Goal::Minimise),
    ("maximise", Goal::Maximise),
    ("minimize", Goal::Minimise),
    ("maximize", Goal::Maximise),
];
const SAMPLINGS: [(&str, Sampling); 2] = [
    ("antithetic", Sampling::Antithetic),
    ("independent", Sampling::Independent),
];
const STRATEGIES: [(&str, Strategy); 6] = [
    ("auto", Strategy::Recombine(Shape::Auto)),
    ("isotropic", Strategy::Recombine(Shape::Isotropic)),
    ("separable", Strategy::Recombine(Shape::Separable)),
    ("full", Strategy::Recombine(Shape::Full)),
    ("low_rank", Strategy::Recombine(Shape::LowRank)),
    ("elitist", Strategy::Elitist),
];
const GOLDEN: &str = "golden";
const LATTICES: [(&str, bool); 2] = [("integers", false), (GOLDEN, true)];
const RESTARTS: [(&str, Restarts); 3] = [
    ("auto", Restarts::Auto),
    ("off", Restarts::Off),
    ("growing", Restarts::Growing),
];

const NOISES: [(&str, NoiseHandling); 2] =
    [("off", NoiseHandling::Off), ("auto", NoiseHandling::Auto)];

/// What a keyword of the configuration holds, or `None` where it is absent or None.
fn option<T>(
    options: &Bound<'_, PyDict>,
    name: &'static str,
    read: impl FnOnce(Parameter, &Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    match options.get_item(name)? {
        Some(value) if !value.is_none() => read(parameter("RES", name), &value).map(Some),
        _ => Ok(None),
    }
}

fn real(options: &Bound<'_, PyDict>, name: &'static str) -> PyResult<Option<f64>> {
    option(options, name, |named, value| named.real(value))
}

fn size(options: &Bound<'_, PyDict>, name: &'static str) -> PyResult<Option<usize>> {
    option(options, name, |named, value| named.size(value))
}

fn word<T: Copy>(
    options: &Bound<'_, PyDict>,
    name: &'static str,
    words: &[(&str, T)],
) -> PyResult<Option<T>> {
    option(options, name, |named, value| named.word(value, words))
}

/// The configuration of a search over `n` unknowns.
pub(super) fn config(options: &Bound<'_, PyDict>, n: usize) -> PyResult<ResConfig> {
    let mut config = ResConfig::new();
    config.goal = word(options, "goal", &GOALS)?.unwrap_or_default();
    let seed = option(options, "seed", crate::random::word)?;
    config.seed = seed.unwrap_or(config.seed);
    (config.sigma, config.scales) = steps(options, config.sigma)?;
    config.sigma_floor = real(options, "sigma_floor")?.unwrap_or(config.sigma_floor);
    config.population = size(options, "population")?;
    config.survivors = match (size(options, "survivors")?, real(options, "prefilter")?) {
        (Some(count), None) => Survivors::Count(count),
        (None, Some(part)) => Survivors::Fraction(part),
        (None, None) => Survivors::All,
        _ => {
            return Err(error(
                Class::Argument,
                "RES: survivors and prefilter say the same thing; give one",
            ));
        }
    };
    if let Some(lattice) = lattice(options)? {
        config = config.lattice(lattice);
    }
    config.sampling = word(options, "sampling", &SAMPLINGS)?.unwrap_or(config.sampling);
    config.strategy = word(options, "strategy", &STRATEGIES)?.unwrap_or_default();
    config.syntony = match (
        real(options, "syntony_weight")?,
        real(options, "syntony_spread")?,
    ) {
        (Some(weight), None) => SyntonyWeight::Absolute(weight),
        (None, Some(spread)) => SyntonyWeight::Spread(spread),
        (None, None) => SyntonyWeight::Off,
        _ => {
            return Err(error(
                Class::Argument,
                "RES: syntony_weight and syntony_spread exclude each other; give one",
            ));
        }
    };
    config.restarts = word(options, "restarts", &RESTARTS)?.unwrap_or_default();
    config.noise = word(options, "noise", &NOISES)?.unwrap_or_default();
    config.mode_norms = match options.get_item("mode_norms")? {
        Some(norms) if !norms.is_none() => Some(vector(&norms, "mode_norms")?),
        _ => None,
    };
    config.bounds = option(options, "bounds", |_, given| bounds(given, n))?;
    Ok(config)
}

/// Points for coordinates to lie on.
fn lattice(options: &Bound<'_, PyDict>) -> PyResult<Option<Lattice>> {
    let kind = word(options, "lattice", &LATTICES)?;
    let bound = option(options, "lattice_bound", |named, value| {
        named.integer::<u32>(value)
    })?;
    let coordinates = option(options, "lattice_coordinates", |named, value| {
        let coordinate = |k: isize| {
            let refused = || format!("RES: the coordinate {k} of a lattice is negative");
            usize::try_from(k).map_err(|_| error(Class::Argument, refused()))
        };
        let all = named.integers(value)?.into_iter().map(coordinate);
        all.collect::<PyResult<Vec<usize>>>()
    })?;
    let refuse = |what: &str| Err(error(Class::Argument, what));
    let points = match (kind, bound) {
        (Some(true), bound) => Points::Golden {
            bound: bound.unwrap_or(100),
        },
        (Some(false), None) => Points::Integers,
        (Some(false), Some(_)) => {
            return refuse(
                "RES: lattice_bound with lattice='integers', which would not look at it; hint: give bounds",
            );
        }
        (None, None) if coordinates.is_none() => return Ok(None),
        (None, _) => {
            return refuse(
                "RES: lattice_bound or lattice_coordinates without a lattice; hint: lattice='integers' or 'golden'",
            );
        }
    };
    Ok(Some(Lattice {
        points,
        coordinates,
    }))
}

/// One step size, or the largest of one for each coordinate and what part of it each is.
fn steps(options: &Bound<'_, PyDict>, default: f64) -> PyResult<(f64, Option<Vec<f64>>)> {
    let given = options.get_item("sigma")?;
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok((default, None));
    };
    if is_one(&given) {
        return Ok((parameter("RES", "sigma").real(&given)?, None));
    }
    let mut steps = vector(&given, "sigma")?;
    let largest = steps.iter().copied().fold(f64::NAN, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        let what = "RES: the largest step size of sigma must be above 0 and finite";
        return Err(error(Class::Argument, what));
    }
    steps.iter_mut().for_each(|s| *s /= largest);
    Ok((largest, Some(steps)))
}

/// Whether this is to be one number: it is none of the things that hold several.
fn is_one(given: &Bound<'_, PyAny>) -> bool {
    given.extract::<f64>().is_ok() || given.is_instance_of::<PyString>()
}

/// The bounds `(lower, upper)`, each a number, one for each coordinate, or None.
fn bounds(given: &Bound<'_, PyAny>, n: usize) -> PyResult<Bounds> {
    let Ok([lower, upper]) = given.extract::<[Bound<'_, PyAny>; 2]>() else {
        let wanted = "a pair (lower, upper) of numbers, of one number for each coordinate, or None";
        return Err(parameter("RES", "bounds").refuse(Class::Argument, given, wanted));
    };
    let side = |given: &Bound<'_, PyAny>, none: f64| {
        let one = match given.is_none() {
            true => none,
            false if is_one(given) => parameter("RES", "bounds").real(given)?,
            false => return vector(given, "bounds"),
        };
        made::vector(std::iter::repeat_n(one, n))
    };
    Ok(Bounds {
        lower: side(&lower, f64::NEG_INFINITY)?,
        upper: side(&upper, f64::INFINITY)?,
    })
}

/// What a search was made with, by the names of Python's keywords, with what defaults come to.
pub(super) fn described<'py>(py: Python<'py>, search: &Res) -> PyResult<Bound<'py, PyDict>> {
    let config = search.config();
    let out = PyDict::new(py);
    let row = |values: &[f64]| {
        let tensor = Tensor::from_slice(values, &[values.len()]);
        tensor.map(State::from).map_err(crate::errors::raise)
    };
    match &config.scales {
        None => out.set_item("sigma", config.sigma)?,
        Some(scales) => {
            let steps = made::vector(scales.iter().map(|s| s * config.sigma))?;
            out.set_item("sigma", row(&steps)?)?;
        }
    }
    out.set_item("population", search.population())?;
    out.set_item("seed", config.seed)?;
    out.set_item("goal", named(&GOALS, config.goal))?;
    out.set_item("survivors", search.survivors())?;
    out.set_item("sampling", named(&SAMPLINGS, config.sampling))?;
    out.set_item("strategy", named(&STRATEGIES, search.strategy()))?;
    let (weight, spread) = match config.syntony {
        SyntonyWeight::Off => (None, None),
        SyntonyWeight::Absolute(weight) => (Some(weight), None),
        SyntonyWeight::Spread(spread) => (None, Some(spread)),
    };
    out.set_item("syntony_weight", weight)?;
    out.set_item("syntony_spread", spread)?;
    let norms = config.mode_norms.as_deref();
    out.set_item("mode_norms", norms.map(row).transpose()?)?;
    out.set_item("sigma_floor", config.sigma_floor)?;
    out.set_item("restarts", named(&RESTARTS, config.restarts))?;
    out.set_item("noise", named(&NOISES, config.noise))?;
    let bounds = match &config.bounds {
        Some(bounds) => Some((row(&bounds.lower)?, row(&bounds.upper)?)),
        None => None,
    };
    out.set_item("bounds", bounds)?;
    let points = config.lattice.as_ref().map(|lattice| lattice.points);
    let (kind, bound) = match points {
        None => (None, None),
        Some(Points::Integers) => (Some(named(&LATTICES, false)), None),
        Some(Points::Golden { bound }) => (Some(GOLDEN), Some(bound)),
    };
    out.set_item("lattice", kind)?;
    out.set_item("lattice_bound", bound)?;
    let coordinates = config.lattice.as_ref();
    let coordinates = coordinates.and_then(|lattice| lattice.coordinates.as_deref());
    out.set_item("lattice_coordinates", coordinates)?;
    Ok(out)
}

/// The first word for a value.
fn named<T: Copy + PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    let word = words.iter().find(|(_, of)| *of == value);
    word.map_or("", |(word, _)| *word)
}

/// Real numbers of one axis.
pub(super) fn vector(obj: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    numbers(obj, name, |shape| {
        (shape.len() != 1).then(|| "one axis".into())
    })
}

/// The numbers of rows of `n`.
pub(super) fn rows(obj: &Bound<'_, PyAny>, name: &str, n: usize) -> PyResult<Vec<f64>> {
    numbers(obj, name, |shape| {
        (shape.len() != 2 || shape[1] != n).then(|| format!("rows of {n} unknowns"))
    })
}

/// Real numbers of a shape that nothing else is wanted of.
fn numbers(
    obj: &Bound<'_, PyAny>,
    name: &str,
    wanted: impl Fn(&[usize]) -> Option<String>,
) -> PyResult<Vec<f64>> {
    let t = operand::tensor(obj)?;
    if t.dtype().is_complex() {
        return Err(error(
            Class::DType,
            format!("RES: {name} is {}; it must be real", t.describe()),
        ));
    }
    if let Some(wanted) = wanted(t.shape()) {
        return Err(error(
            Class::Shape,
            format!("RES: {name} is {}; it must have {wanted}", t.describe()),
        ));
    }
    enter(obj.py(), t.numel(), || t.to_vec::<f64>())
}
