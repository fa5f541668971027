//! Golden integers: the same integers, the same bits of floats and the same errors on both devices.

use super::Check;
use crate::gpu::{Exactness, Gpu, compare};
use anyhow::{Result, ensure};
use std::fmt::Debug;
use syntonic_core::ops::random;
use syntonic_core::ops::reduce::Over;
use syntonic_core::random::Generator;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Tensor, cpu};
use syntonic_srt::exact::{Golden, GoldenTensor, GoldenTensorError, snap_tensor};
use syntonic_srt::resonant::lattice::{
    Crystallized, Stir, golden_recursion, golden_recursion_inverse,
};

/// No elements, one, a block and one more, and more than a GPU has threads.
const LENGTHS: [usize; 6] = [0, 1, 255, 256, 257, 1_000_003];
/// Bits of coefficients: all fits, some products do not, hardly anything does.
const WIDTHS: [u32; 3] = [28, 33, 63];
/// Shapes of products of matrices: stacks, rows, terms, columns.
const PRODUCTS: [[usize; 4]; 6] = [
    [1, 1, 1, 1],
    [2, 3, 5, 4],
    [1, 65, 130, 33],
    [3, 2, 0, 2],
    [1, 0, 3, 2],
    [1, 257, 2, 1],
];
const BOUNDS: [u32; 9] = [0, 1, 5, 12, 33, 100, 1000, 1_000_000, u32::MAX];

/// States and modes: no state, one mode, a block of lanes and one more, long states.
const STATES: [[usize; 2]; 6] = [[0, 5], [3, 1], [5, 256], [4, 257], [300, 40], [2, 70_001]];

/// What coefficients of states are snapped to.
const BOUND: u32 = 100_000;

type Operation = fn(&GoldenTensor, &GoldenTensor) -> Result<GoldenTensor, GoldenTensorError>;

const OPERATIONS: [(&str, Operation); 10] = [
    ("plus", |x, y| x.plus(y)),
    ("minus", |x, y| x.minus(y)),
    ("times", |x, y| x.times(y)),
    ("negated", |x, _| x.negated()),
    ("conjugate", |x, _| x.conjugate()),
    ("times_phi", |x, _| x.times_phi()),
    ("over_phi", |x, _| x.over_phi()),
    ("magnitude", |x, _| x.magnitude()),
    ("maximum", |x, y| x.maximum(y)),
    ("minimum", |x, y| x.minimum(y)),
];

pub(super) fn checks() -> Vec<Check> {
    let mut all: Vec<Check> = OPERATIONS
        .into_iter()
        .map(|(name, operation)| {
            Check::new(format!("exact/{name}"), move |gpu| {
                by_element(gpu, operation)
            })
        })
        .collect();
    all.push(Check::new("exact/values", values));
    all.push(Check::new("exact/matmul", matrices));
    all.push(Check::new("exact/folds", folds));
    all.push(Check::new("exact/divisions", divisions));
    for bound in BOUNDS {
        for dtype in [DType::F64, DType::F32, DType::F16] {
            let name = format!("exact/snap_{bound}/{dtype}");
            all.push(Check::new(name, move |gpu| snaps(gpu, bound, dtype)));
        }
    }
    all.push(Check::new("exact/snap_refused", refused));
    all.push(Check::new("exact/recursion", recursion));
    for shape in STATES {
        let name = format!("exact/cycles_of_{}", shape.map(|n| n.to_string()).join("x"));
        all.push(Check::new(name, move |gpu| cycles(gpu, shape)));
    }
    all
}

fn points(seed: u64, shape: &[usize], width: u32) -> Result<GoldenTensor> {
    let mut generator = Generator::new(seed);
    let most = i64::MAX >> (63 - width);
    let mut draw = || random::integers(shape, -most, most, DType::I64, &mut generator, &cpu());
    Ok(GoldenTensor::new(&draw()?.eval()?, &draw()?.eval()?)?)
}

/// Points that only differ in the last bits of their values, and the ends of the integers.
fn hard() -> Result<GoldenTensor> {
    let mut all = vec![
        Golden::new(i64::MAX, i64::MIN),
        Golden::new(i64::MIN, i64::MIN),
        Golden::new(i64::MAX, i64::MAX),
        Golden::ZERO,
    ];
    // 2^63 is below F_93.
    for n in -91..=91 {
        let power = Golden::phi_power(n)?;
        all.extend([power, power.conjugate().unwrap_or(power)]);
    }
    Ok(GoldenTensor::from_points(&all, &[all.len()])?)
}

fn same_outcome<T: Debug, E: Debug + ToString>(
    here: Result<T, E>,
    there: Result<T, E>,
    same: impl Fn(T, T) -> Result<()>,
) -> Result<()> {
    match (here, there) {
        (Ok(here), Ok(there)) => same(here, there),
        (Err(here), Err(there)) => {
            let (here, there) = (here.to_string(), there.to_string());
            ensure!(here == there, "{there} and not {here}");
            Ok(())
        }
        (here, there) => anyhow::bail!("{there:?} and not {here:?}"),
    }
}

fn same(here: GoldenTensor, there: GoldenTensor) -> Result<()> {
    compare(there.a(), here.a(), Exactness::Same)?;
    compare(there.b(), here.b(), Exactness::Same)
}

fn by_element(gpu: &Gpu, operation: Operation) -> Result<()> {
    let mut pairs = vec![(hard()?, conjugated(&hard()?)?)];
    for length in LENGTHS {
        for width in WIDTHS {
            pairs.push((points(1, &[length], width)?, points(2, &[length], width)?));
        }
    }
    pairs.push((points(3, &[30, 40], 20)?, points(4, &[40], 20)?));
    pairs.push((points(5, &[7, 1, 5], 20)?, points(6, &[3, 1], 20)?));
    for (x, y) in pairs {
        let (gpu_x, gpu_y) = (x.to(&gpu.device)?, y.to(&gpu.device)?);
        same_outcome(operation(&x, &y), operation(&gpu_x, &gpu_y), same)?;
        // Columns of a transposed view.
        if x.shape().len() == 2 {
            let turned = |t: &GoldenTensor| -> Result<GoldenTensor> {
                Ok(GoldenTensor::new(
                    &t.a().transpose(0, 1)?,
                    &t.b().transpose(0, 1)?,
                )?)
            };
            let (x, there) = (turned(&x)?, turned(&gpu_x)?);
            same_outcome(operation(&x, &x), operation(&there, &there), same)?;
        }
    }
    Ok(())
}

/// The conjugates, and the points themselves where those do not fit.
fn conjugated(points: &GoldenTensor) -> Result<GoldenTensor> {
    let all = points.to_points()?;
    let made: Vec<Golden> = all.iter().map(|p| p.conjugate().unwrap_or(*p)).collect();
    Ok(GoldenTensor::from_points(&made, points.shape())?)
}

/// Sums, products and powers over axes of views, and inverses: also where one does not fit or is none.
fn folds(gpu: &Gpu) -> Result<()> {
    for width in [3, 12, 62] {
        let x = points(8, &[6, 5, 7], width)?.placed(|t| t.permute(&[2, 0, 1]))?;
        let there = x.to(&gpu.device)?;
        for axes in [None, Some(vec![0]), Some(vec![-1]), Some(vec![0, 2])] {
            for keep in [Axes::Drop, Axes::Keep] {
                let over = Over {
                    axes: axes.clone(),
                    keep,
                };
                same_outcome(x.sum(&over), there.sum(&over), same)?;
                same_outcome(x.prod(&over), there.prod(&over), same)?;
            }
        }
        for exponent in [-1, 0, 1, 5] {
            same_outcome(x.power(exponent), there.power(exponent), same)?;
        }
        let none = |x: &GoldenTensor| x.placed(|t| t.slice(1, Some(0), Some(0), 1));
        let (x, there) = (none(&x)?, none(&there)?);
        let over = Over::from(1);
        same_outcome(x.sum(&over), there.sum(&over), same)?;
        same_outcome(x.prod(&over), there.prod(&over), same)?;
    }
    let units: Vec<Golden> = (-45..=45)
        .map(Golden::phi_power)
        .collect::<Result<_, _>>()?;
    let x = GoldenTensor::from_points(&units, &[units.len()])?;
    let there = x.to(&gpu.device)?;
    same_outcome(x.inverse(), there.inverse(), same)?;
    same_outcome(x.power(-2), there.power(-2), same)
}

/// Quotients, remainders and divisors stay where their operands are.
fn divisions(gpu: &Gpu) -> Result<()> {
    for width in [5, 20, 63] {
        let (x, y) = (points(9, &[30, 40], width)?, points(10, &[40], width)?);
        let (gpu_x, gpu_y) = (x.to(&gpu.device)?, y.to(&gpu.device)?);
        same_outcome(x.remainder(&y), gpu_x.remainder(&gpu_y), same)?;
        same_outcome(x.gcd(&y), gpu_x.gcd(&gpu_y), same)?;
        same_outcome(x.floor_over(&y), gpu_x.floor_over(&gpu_y), |here, there| {
            ensure!(there.device().id() == gpu.device.id(), "on {there:?}");
            compare(&there, &here, Exactness::Same)
        })?;
    }
    Ok(())
}

/// Values, order and norms.
fn values(gpu: &Gpu) -> Result<()> {
    let mut all = vec![hard()?];
    for length in LENGTHS {
        for width in [3, 28, 63] {
            all.push(points(7, &[length], width)?);
        }
    }
    for x in all {
        let there = x.to(&gpu.device)?;
        compare(&there.to_floats()?, &x.to_floats()?, Exactness::Same)?;
        let y = conjugated(&x)?;
        let order = there.compare(&y.to(&gpu.device)?)?;
        compare(&order, &x.compare(&y)?, Exactness::Same)?;
        let same = |here: Tensor, there: Tensor| compare(&there, &here, Exactness::Same);
        same_outcome(x.norms(), there.norms(), same)?;
        same_outcome(x.floor(), there.floor(), same)?;
    }
    Ok(())
}

fn matrices(gpu: &Gpu) -> Result<()> {
    for [s, m, k, n] in PRODUCTS {
        for width in WIDTHS {
            let (x, y) = (points(8, &[s, m, k], width)?, points(9, &[k, n], width)?);
            let (gpu_x, gpu_y) = (x.to(&gpu.device)?, y.to(&gpu.device)?);
            same_outcome(x.matmul(&y), gpu_x.matmul(&gpu_y), same)?;
        }
    }
    Ok(())
}

/// Numbers of the whole range, halves, which are often as near to two points, points themselves, and tiny numbers.
fn snaps(gpu: &Gpu, bound: u32, dtype: DType) -> Result<()> {
    let reach = f64::from(bound) * 2.618;
    let mut generator = Generator::new(10);
    let mut numbers = Vec::new();
    for part in [1.0, 0.236, 1e-3] {
        let reach = (reach * part).min(if dtype == DType::F16 {
            60_000.0
        } else {
            f64::MAX
        });
        let x = random::uniform(
            &[100_003],
            -reach,
            reach,
            DType::F64,
            &mut generator,
            &cpu(),
        )?;
        numbers.extend(x.to_vec::<f64>()?);
    }
    let halves = (-4000..4000).map(|k| f64::from(k) / 2.0);
    let lattice = points(11, &[2000], 32 - bound.leading_zeros().min(31))?;
    let lattice = lattice.to_floats()?.to_vec::<f64>()?;
    let tiny = [
        0.0,
        -0.0,
        5e-324,
        -1e-300,
        1e-30,
        2f64.powi(-91),
        -(2f64.powi(-92)),
    ];
    numbers.extend(halves.chain(lattice).chain(tiny));
    numbers.retain(|x| x.abs() <= reach * 0.999 && (dtype != DType::F16 || x.abs() < 65_000.0));
    let x = Tensor::from_slice(&numbers, &[numbers.len()])?
        .cast(dtype)?
        .eval()?;
    let there = x.to(&gpu.device)?;
    same_outcome(
        snap_tensor(&x, bound),
        snap_tensor(&there, bound),
        |here, there| {
            compare(&there.residual, &here.residual, Exactness::Same)?;
            same(here.points, there.points)
        },
    )
}

fn refused(gpu: &Gpu) -> Result<()> {
    for wrong in [f64::NAN, f64::INFINITY, -262.0, 1e300] {
        for length in [1, 300, 70_000] {
            let mut x = vec![0.25; length];
            x[length * 2 / 3] = wrong;
            x[length - 1] = wrong;
            let x = Tensor::from_slice(&x, &[length])?;
            let there = x.to(&gpu.device)?;
            let here = snap_tensor(&x, 100);
            ensure!(here.is_err(), "{wrong} has a point");
            same_outcome(here, snap_tensor(&there, 100), |_, _| Ok(()))?;
        }
    }
    Ok(())
}

/// Cycles with noise from one seed: the same integers, the same syntony, the same distance but for the order of its sum.
fn cycles(gpu: &Gpu, shape: [usize; 2]) -> Result<()> {
    // Norms that D does not make leave the range within a few cycles, and the usual ones, which do, and are brought back.
    let norms: Vec<f64> = (0..shape[1]).map(|k| (k % 7 * (k % 7)) as f64).collect();
    let norms = Tensor::from_slice(&norms, &shape[1..])?;
    for norms in [Some(&norms), None] {
        cycles_of(gpu, shape, norms)?;
    }
    Ok(())
}

fn cycles_of(gpu: &Gpu, shape: [usize; 2], norms: Option<&Tensor>) -> Result<()> {
    let mut generator = Generator::new(12);
    let x = random::normal(&shape, 0.0, 5.0, DType::F64, &mut generator, &cpu())?.eval()?;
    let mut here = Crystallized::from_floats(&x, norms, BOUND)?;
    let x = x.to(&gpu.device)?;
    let norms = norms.map(|norms| norms.to(&gpu.device)).transpose()?;
    let mut there = Crystallized::from_floats(&x, norms.as_ref(), BOUND)?;
    for seed in 0..4 {
        let stir = (seed > 0).then_some(Stir {
            seed,
            offset: seed * 1_000_003,
            strength: 0.3,
        });
        let (one, other) = (here.cycle(stir, 1)?, there.cycle(stir, 1)?);
        compare(&other.before, &one.before, Exactness::Same)?;
        compare(&other.after, &one.after, Exactness::Same)?;
        compare(&other.powers, &one.powers, Exactness::Same)?;
        same(one.state.points().clone(), other.state.points().clone())?;
        (here, there) = (one.state, other.state);
    }
    for (divisor, weighted) in [(0.5, false), (248.0, true)] {
        let [one, other] = [&here, &there].map(|state| state.prune(divisor, weighted));
        same(one?.points().clone(), other?.points().clone())?;
    }
    same(
        here.relu()?.points().clone(),
        there.relu()?.points().clone(),
    )?;
    same(
        here.recur()?.points().clone(),
        there.recur()?.points().clone(),
    )
}

fn recursion(gpu: &Gpu) -> Result<()> {
    for most in [10, 1 << 30, i64::MAX / 2] {
        let mut generator = Generator::new(13);
        let n =
            random::integers(&[70_001], -most, most, DType::I64, &mut generator, &cpu())?.eval()?;
        let there = n.to(&gpu.device)?;
        let (here, mapped) = (golden_recursion(&n)?, golden_recursion(&there)?);
        compare(&mapped, &here, Exactness::Same)?;
        compare(&golden_recursion_inverse(&mapped)?, &n, Exactness::Same)?;
    }
    Ok(())
}
