//! Information from distances to neighbours: the kernels of `kernels/transfer_entropy.cu`.

use crate::block_counters::BLOCK_COUNTERS;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::moves::address_or_null;
use crate::ptx::name::entry_name;
use syntonic_core::Result;
use syntonic_core::device::{Arg, ByName, Launch};

contract! {
    "transfer_entropy":
    /// Neighbours of points, and what their counts say.
    #[derive(Default)]
    pub(crate) struct Ksg as "Ksg" {
        /// [M, length].
        series: u64,
        /// Pairs (row of series, first element), one for each task and coordinate.
        coordinates: u64,
        /// Permutations of the points, [R, points].
        order: u64,
        /// Of each task: the row of order that x is read through, negative for none.
        which: u64,
        /// Digamma of 0 to points + 1.
        psi: u64,
        /// Distances whose neighbours are counted, [tasks, points], or 0 where they are found here.
        given: u64,
        /// Of each series, a byte: whether its range is finite.
        finite: u64,
        /// Of each task: the mean, and how many points are at a distance of 0.
        summary: u64,
        /// Results; 0 where one is not wanted.
        local: u64,
        counts: u64,
        eps: u64,
        /// Of each task: its sums of 32 points, and as much room again.
        sums: u64,
        /// Of each task: blocks that are done; then of each task: points at a distance of 0. Zero before and after.
        finished: u64,
        length: u64,
        points: u32,
        tasks: u32,
        k: u32,
        window: u32,
        x: u32,
        y: u32,
        z: u32,
        mutual: u32,
    }
}

/// Points of a block, and its threads.
const POINTS: u64 = 32;
const BLOCK: u32 = 256;
/// Neighbours that the kernels of few neighbours keep.
const FEW: u32 = 4;
/// Tasks of a launch, each with two counters.
const TASKS: u64 = BLOCK_COUNTERS as u64 / 2;

/// Moves an address on, if there is one.
fn onward(address: &mut u64, bytes: u64) {
    if *address != 0 {
        *address += bytes;
    }
}

/// Local values, their means, counts and distances.
///
/// # Safety
/// As `syntonic_srt::transfer_entropy::KSG` says.
pub(crate) unsafe fn ksg(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let input = |name: &str| named.input(name).map(address_or_null);
    let output = |name: &str| named.output(name).map(address_or_null);
    let params = Ksg {
        order: input("orders")?,
        which: input("which")?,
        psi: input("psi")?,
        finite: input("finite")?,
        summary: output("summary")?,
        local: output("local")?,
        counts: output("counts")?,
        eps: output("distances")?,
        k: named.whole("k")?,
        mutual: named.whole("form")?,
        ..compared(&named)?
    };
    let name = match [params.x, params.y, params.z] {
        _ if params.k > FEW => "ksg_many",
        [1, 1, 0] => "ksg_pair",
        [1, 1, 1] => "ksg_one",
        [2, 1, 2] => "ksg_two",
        [3, 1, 3] => "ksg_three",
        _ => "ksg_any",
    };
    // SAFETY: the caller's promise.
    unsafe { launch(context, &named, named.output("summary")?, name, params) }
}

/// Counts of neighbours within distances that are given.
///
/// # Safety
/// As `syntonic_srt::transfer_entropy::KSG_COUNTS` says.
pub(crate) unsafe fn counts(context: &Context, args: &Launch) -> Result<()> {
    let named = args.by_name()?;
    let out = named.output("counts")?;
    let params = Ksg {
        given: address_or_null(named.input("distances")?),
        counts: address_or_null(out),
        k: 1,
        ..compared(&named)?
    };
    // SAFETY: the caller's promise.
    unsafe { launch(context, &named, out, "ksg_any", params) }
}

/// The points that are compared: what both operators are given.
fn compared(named: &ByName<'_>) -> Result<Ksg> {
    let [series, coordinates] = named.inputs(["series", "coordinates"])?;
    Ok(Ksg {
        series: address_or_null(series),
        coordinates: address_or_null(coordinates),
        points: named.whole("points")?,
        window: named.whole("window")?,
        x: named.whole("dx")?,
        y: named.whole("dy")?,
        z: named.whole("dz")?,
        ..Ksg::default()
    })
}

/// All tasks: one launch, unless they are more than have counters.
unsafe fn launch(
    context: &Context,
    named: &ByName<'_>,
    out: &Arg,
    name: &str,
    mut params: Ksg,
) -> Result<()> {
    let series = named.input("series")?;
    let tasks = out.layout.shape()[0] as u64;
    if tasks == 0 || params.points == 0 {
        return Ok(());
    }
    let entry = entry_name(name, &[series.dtype], "");
    let points = u64::from(params.points);
    let blocks = points.div_ceil(POINTS);
    let most = TASKS.min(u64::from(u32::MAX / 2) / blocks).max(1);
    let sums = context.scratch((tasks.min(most) * 2 * blocks * 8) as usize)?;
    let counters = context.block_counters()?;
    (params.sums, params.finished) = (sums.address(), counters.address());
    params.length = series.layout.shape()[1] as u64;
    let width = u64::from(params.x + params.y + params.z);
    let size = series.dtype.size() as u64;
    let mut left = tasks;
    while left > 0 {
        let some = left.min(most);
        params.tasks = some as u32;
        // SAFETY: the caller's promise; the struct is the kernel's, and the scratch memory has room for the sums of these tasks.
        unsafe { params.launch(context, &entry, Geometry::line(some * blocks, BLOCK))? };
        left -= some;
        onward(&mut params.coordinates, some * width * 2 * 4);
        onward(&mut params.which, some * 4);
        onward(&mut params.given, some * points * size);
        onward(&mut params.summary, some * 2 * 8);
        onward(&mut params.local, some * points * 8);
        onward(&mut params.counts, some * 3 * points * 4);
        onward(&mut params.eps, some * points * size);
    }
    Ok(())
}
