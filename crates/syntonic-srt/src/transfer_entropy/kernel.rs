//! The kernel of all estimators here: its contract, which every device keeps, and the entry of the CPU's version.

use super::cpu;
use super::points::Points;
use super::real::Real;
use syntonic_core::device::{ByName, Kernel, Launch, NamedKernel};
use syntonic_core::ops::vectors::{Places, read};
use syntonic_core::{DType, Result, Scalar};

/// Coordinates of a point at most.
pub const MAX_COORDINATES: usize = 32;

/// Neighbours that a distance is taken to at most.
pub const MAX_NEIGHBOURS: usize = 32;

/// Conditional mutual information of points by the distances to their k-th neighbours (KSG estimator 1; Kraskov, Stögbauer and Grassberger
/// 2004, Frenzel and Pompe 2007), for one or several tasks of equal sizes. With `T` tasks, `N` points each and `D = dx + dy + dz`
/// coordinates of a point, at most 32:
///
/// Inputs:
/// - `series`, `float32` or `float64` `[M, L]`;
/// - `coordinates`, `int32` `[T, D, 2]`: with the pair `(row, first)`, this coordinate of point `i` is `series[row][first + i]`. The `dx` of x
///   come first, then the `dy` of y, then the `dz` of z;
/// - `orders`, `int32` `[R, N]`, each row a permutation of the points; `R` may be 0;
/// - `which`, `int32` `[T]`: coordinates of x of point `i` are those of point `orders[which[t]][i]`, or its own where this is -1;
/// - `psi`, `float64` `[N + 2]`: digamma of the index, NaN at 0;
/// - `finite`, `bool` `[M]`: whether the range of a series is finite.
///
/// Numbers: `points`, `N`; `k`, from 1 to `min(32, N - 1 - 2 W)`; `window`, `W`: points with `|i - j| <= W` are no neighbours of each other,
/// neither for distances nor for counts; `dx`, `dy`, `dz`; the `form` ([`Form`]); what is `wanted` ([`Wanted`]).
///
/// Outputs:
/// - `summary`, `float64` `[T, 2]`: the mean of the local values, and how many points have a distance of 0. Blocks of 32 consecutive local
///   values are added as a tree (strides 16, 8, 4, 2, 1), then 32 consecutive sums of those alike, until one is left; missing ones are 0. The
///   sum is divided by `N`. The mean is NaN where a series of the task is not finite, whose other outputs mean nothing;
/// - `local` values, `float64` `[T, N]`, or no elements;
/// - `counts`, `int32` `[T, 3, N]`, or no elements: `n_yz`, `n_xz`, `n_z`; for the mutual form `n_y`, `n_x`, 0;
/// - `distances`, of the type of the series, `[T, N]`, or no elements.
///
/// The distance of two points is the largest `|a - b|` of their coordinates, in the type of the series. `eps_i` is the `k`-th smallest distance
/// of point `i` to its neighbours over all coordinates; each count is of the neighbours that are strictly nearer than `eps_i` over the coordinates that it names.
/// Local values, each operation rounded once and in this order:
/// conditional `((psi[k] + psi[n_z + 1]) - psi[n_yz + 1]) - psi[n_xz + 1]`;
/// mutual `((psi[k] + psi[N_i]) - psi[n_x + 1]) - psi[n_y + 1]`, with `N_i = N - min(i, W) - min(N - 1 - i, W)`, the points that are left to
/// point `i`, itself among them.
pub static KSG: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "ksg",
        cpu: ksg,
    },
    inputs: &["series", "coordinates", "orders", "which", "psi", "finite"],
    outputs: &["summary", "local", "counts", "distances"],
    numbers: &["points", "k", "window", "dx", "dy", "dz", "form", "wanted"],
    lists: &[],
};

/// Counts of neighbours within distances that are given.
///
/// Inputs: `series` and `coordinates` as of [`KSG`]; `distances`, of the type of the series, `[T, N]`. Numbers: `points`, `window`, `dx`,
/// `dy`, `dz`, as there. Output: `counts`, `int32` `[T, 3, N]`, as there, the third row 0 where `dz` is.
pub static KSG_COUNTS: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "ksg_counts",
        cpu: ksg_counts,
    },
    inputs: &["series", "coordinates", "distances"],
    outputs: &["counts"],
    numbers: &["points", "window", "dx", "dy", "dz"],
    lists: &[],
};

/// Which information the local values estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `I(x; y | z)`.
    Conditional = 0,
    /// `I(x; y)`, where there is no z.
    Mutual = 1,
}

/// What is wanted besides the means: bits of a launch's last number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted(u8);

impl Wanted {
    /// Local values.
    pub const LOCAL: Wanted = Wanted(1);
    /// Counts.
    pub const COUNTS: Wanted = Wanted(2);
    /// Distances to the `k`-th neighbours.
    pub const DISTANCES: Wanted = Wanted(4);

    /// Both.
    ///
    /// ```
    /// use syntonic_srt::transfer_entropy::Wanted;
    ///
    /// let both = Wanted::LOCAL.and(Wanted::COUNTS);
    /// assert!(both.has(Wanted::LOCAL) && both.has(Wanted::COUNTS) && !both.has(Wanted::DISTANCES));
    /// ```
    #[must_use]
    pub fn and(self, other: Wanted) -> Wanted {
        Wanted(self.0 | other.0)
    }

    /// Whether all of `part` is wanted.
    ///
    /// ```
    /// use syntonic_srt::transfer_entropy::Wanted;
    ///
    /// assert!(Wanted::LOCAL.has(Wanted::LOCAL) && !Wanted::default().has(Wanted::LOCAL));
    /// ```
    pub fn has(self, part: Wanted) -> bool {
        self.0 & part.0 == part.0
    }

    /// `n` where it is wanted, else 0.
    pub(super) fn length(self, part: Wanted, n: usize) -> usize {
        if self.has(part) { n } else { 0 }
    }
}

/// The numbers of a launch of [`KSG`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) points: usize,
    pub(super) k: usize,
    /// Half of the Theiler window.
    pub(super) window: usize,
    /// Coordinates of x, y and z.
    pub(super) widths: [usize; 3],
    pub(super) form: Form,
    pub(super) wanted: Wanted,
}

impl Asked {
    pub(super) fn numbers(&self) -> [(&'static str, Scalar); 8] {
        let [dx, dy, dz] = self.widths;
        [
            ("points", self.points.into()),
            ("k", self.k.into()),
            ("window", self.window.into()),
            ("dx", dx.into()),
            ("dy", dy.into()),
            ("dz", dz.into()),
            ("form", (self.form as u8).into()),
            ("wanted", self.wanted.0.into()),
        ]
    }

    fn of(named: &ByName<'_>) -> Result<Asked> {
        let [points, k, window] = named.wholes(["points", "k", "window"])?;
        Ok(Asked {
            points,
            k,
            window,
            widths: named.wholes(["dx", "dy", "dz"])?,
            form: match named.whole::<u8>("form")? {
                0 => Form::Conditional,
                _ => Form::Mutual,
            },
            wanted: Wanted(named.whole("wanted")?),
        })
    }

    /// Coordinates of a point.
    pub(super) fn width(&self) -> usize {
        self.widths.iter().sum()
    }
}

/// # Safety
/// As [`KSG`] says.
unsafe fn ksg(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the series have.
    unsafe {
        match named.input("series")?.dtype {
            DType::F32 => ksg_of::<f32>(&named),
            _ => ksg_of::<f64>(&named),
        }
    }
}

/// # Safety
/// As [`KSG`] says, for series of `T`.
unsafe fn ksg_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let series = named.input("series")?;
    // SAFETY: the caller's promise.
    let work = unsafe {
        cpu::Work {
            asked: Asked::of(named)?,
            series: read::<T>(series),
            length: series.layout.shape()[1],
            coordinates: read::<i32>(named.input("coordinates")?).as_chunks().0,
            orders: read(named.input("orders")?),
            which: read(named.input("which")?),
            psi: read(named.input("psi")?),
            finite: read(named.input("finite")?),
            summary: Places::of(named.output("summary")?),
            local: Places::of(named.output("local")?),
            counts: Places::of(named.output("counts")?),
            distances: Places::of(named.output("distances")?),
        }
    };
    work.run()
}

/// # Safety
/// As [`KSG_COUNTS`] says.
unsafe fn ksg_counts(launch: &Launch) -> Result<()> {
    let named = launch.by_name()?;
    // SAFETY: the caller's promise, for the type that the series have.
    unsafe {
        match named.input("series")?.dtype {
            DType::F32 => ksg_counts_of::<f32>(&named),
            _ => ksg_counts_of::<f64>(&named),
        }
    }
}

/// # Safety
/// As [`KSG_COUNTS`] says, for series of `T`.
unsafe fn ksg_counts_of<T: Real>(named: &ByName<'_>) -> Result<()> {
    let [points, window] = named.wholes(["points", "window"])?;
    let asked = Asked {
        points,
        k: 1,
        window,
        widths: named.wholes(["dx", "dy", "dz"])?,
        form: Form::Conditional,
        wanted: Wanted::COUNTS,
    };
    let [series, coordinates, given] = named.inputs(["series", "coordinates", "distances"])?;
    let length = series.layout.shape()[1];
    // SAFETY: the caller's promise.
    let (series, coordinates, given) = unsafe {
        (
            read::<T>(series),
            read::<i32>(coordinates).as_chunks().0,
            read::<T>(given),
        )
    };
    let out = Places::<i32>::of(named.output("counts")?);
    let width = asked.width();
    for (task, coordinates) in coordinates.chunks(width).enumerate() {
        let points = Points {
            series,
            length,
            coordinates,
            order: None,
            asked: &asked,
        };
        let n = asked.points;
        // SAFETY: each task has places of its own.
        let to = unsafe { &mut *out.range(task * 3 * n, 3 * n) };
        cpu::counts(&points, &given[task * n..][..n], to)?;
    }
    Ok(())
}
