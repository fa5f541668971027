//! Laziness: an element-wise result, and a reduction along rows, stays an expression until somebody reads it.
//!
//! An expression holds its operands as they were when it was built. When it is read, everything it
//! hangs on that has not been read yet is fused into one program and run once. A result that other
//! pending expressions wait for is written out along the way, so it is not computed twice; so is one that is computed for the
//! second time, as somebody goes on using it.
//!
//! A product of matrices is such a result too. If nobody else can read it, the expression over it is the end of the product, run
//! over its sums while they are at hand; else the product is computed first.
//!
//! A reduction is one as well, and what is made of its result and of the rows it came from is one program over those rows.
//! The axes of the first reduction met, from the end, are the program's. What does not fit is computed first and read as an
//! operand: a reduction over other axes, a view that is more than axes of length 1 or repetition, more operands than a
//! program takes. A result of one element ends its expression; it is computed at once, together with what it reads, where a device
//! does not compute again what others wait for.
//! A reduction that waits keeps the rows it reads, but all of them together no more than [`KEPT_BYTES`] besides what the
//! newest expression reads.
//!
//! Values of half types are `float32` within an expression, and in what is computed of one early. They are rounded where they
//! are stored because somebody reads them, see [`Rounding`].

mod alone;
mod conjugate;
mod cut;
mod element;
mod evaluation;
mod explain;
mod formula;
mod fusing;
mod fusion;
mod halves;
mod over;
mod place;
mod product;
mod reduction;
mod score;
mod size;
mod space;
mod waiting;
mod watch;

pub(crate) use conjugate::conjugate_of;
pub(crate) use element::read_where_it_lies;
pub use explain::explain;
pub(crate) use formula::{Formula, formula, waits};
pub use fusing::Fusing;
pub(crate) use fusing::together;
use halves::Goal;
pub use halves::{Rounding, set_default_rounding, set_rounding};
pub(crate) use halves::{as_type, hangs_on_halves, is_unrounded, rounded, rounds_each};
pub(crate) use place::in_place_of;
pub(crate) use product::product;
pub(crate) use reduction::Reduction;
pub(crate) use score::{Part, as_parts, hangs_on_stand_in, leave_open, stand_in};
use score::{Stands, is_left_open};
pub use waiting::KEPT_BYTES;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fork::{inside, lock};
use crate::fuse::{Builder, NodeId, Prim};
use crate::graph::session;
use crate::layout::{Dims, Layout};
use crate::scalar::Scalar;
use crate::tensor::{Source, Tensor};
use fusing::PASSES;
use product::Factors;
use size::Size;
use smallvec::SmallVec;
use space::whole;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Results of at most this many elements, and made of no more, are computed at once: building an expression costs more
/// than the pass over memory it might save. Devices that start programs slowly have a limit of their own,
/// [`Device::eager_elements`]. What hangs on values of half types that are not rounded waits, whatever its size.
pub const EAGER_ELEMENTS: usize = 8192;
/// Tensors that one program reads; more would not fit the first-level cache. An expression over more is evaluated, so that
/// `s = s + x` in a loop does not keep every `x`.
const MAX_INPUTS: usize = 12;

static EAGER: AtomicBool = AtomicBool::new(false);

/// When element-wise results and reductions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// When they are read, fused with what they hang on.
    Lazy,
    /// At once, one operation at a time.
    Eager,
}

/// Chooses for the whole process when element-wise results and reductions are computed; returns the former choice.
///
/// ```
/// use syntonic_core::lazy::{Evaluation, set_evaluation};
/// use syntonic_core::prelude::*;
///
/// let x = Tensor::ones(&[10_000], DType::F32)?;
/// let before = set_evaluation(Evaluation::Eager);
/// assert!(!(&x + 1.0).is_pending());
/// set_evaluation(before);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn set_evaluation(evaluation: Evaluation) -> Evaluation {
    if EAGER.swap(evaluation == Evaluation::Eager, Ordering::Relaxed) {
        Evaluation::Eager
    } else {
        Evaluation::Lazy
    }
}

pub(crate) fn is_eager() -> bool {
    EAGER.load(Ordering::Relaxed)
}

/// An operand of an expression.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A tensor.
    Tensor(Tensor),
    /// A number without a width.
    Number(Scalar),
}

impl Operand {
    /// True where somebody outside may write the operand's memory, so that reading it cannot wait.
    fn is_lent(&self) -> bool {
        matches!(self, Operand::Tensor(t) if t.is_lent())
    }
}

/// What an expression computes from its operands.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Prim(Prim),
    Cast(DType),
    /// The same values as a half type, not rounded.
    As(DType),
    /// A composite: builds its nodes over those of the operands.
    Composite(fn(&mut Builder, &[NodeId]) -> NodeId),
    /// A formula that was written while the program runs.
    Formula(Formula),
    /// One value for each row of the operand.
    Reduction(Reduction),
    /// A product of matrices.
    Product(Factors),
    /// Nothing: it stands for what a kernel will have at hand.
    StandIn,
}

/// A result that is not computed yet, or was.
#[doc(hidden)]
#[derive(Debug)]
pub struct Pending {
    dtype: DType,
    shape: Dims,
    device: Arc<dyn Device>,
    /// What to compute; gone once the result is there.
    plan: Mutex<Option<Plan>>,
    result: OnceLock<Arc<Buffer>>,
    /// Expressions that wait for this one.
    waiting: AtomicU32,
    /// The same expressions, to be registered with the result's memory.
    readers: Mutex<Vec<Weak<Pending>>>,
    size: Size,
    /// How often something was computed through it already, without writing it.
    passed: AtomicU32,
    /// Results that whoever reads this one will read as well.
    together: OnceLock<Arc<[Weak<Pending>]>>,
    /// The most elements of anything it is made of that was pending, too, and of itself.
    reach: usize,
    /// The capture in which it was made.
    capture: usize,
    /// The generation of the process in which a program took its plan to write over an operand, plus 1; 0 where none has.
    taken: AtomicU64,
    /// Whether the values that others go on from are numbers of its type.
    exact: bool,
    /// Whether it hangs on values that are not.
    halves: bool,
    /// Whether it has become an expression over a temporary of its own.
    settled: AtomicBool,
    /// How often its plan became another one of the same values.
    changes: AtomicU32,
    /// Whether it stands for what only a kernel has, or hangs on that.
    stands: Stands,
}

#[derive(Debug)]
struct Plan {
    operation: Operation,
    operands: SmallVec<[Use; 3]>,
    /// What a reduction is counted by while it waits.
    kept: Option<waiting::Kept>,
}

/// What is to be done for an expression.
enum Step {
    /// Nothing more.
    Done,
    /// To compute these first, the last one before all others.
    First(SmallVec<[(Arc<Pending>, Goal); 3]>),
}

/// An operand held by a pending expression; counts itself among those that wait for it.
#[derive(Debug)]
struct Use(Operand);

impl Use {
    fn new(operand: Operand) -> Use {
        if let Operand::Tensor(t) = &operand
            && let Source::Pending(p) = t.source()
        {
            p.waiting.fetch_add(1, Ordering::Relaxed);
        }
        Use(match operand {
            Operand::Tensor(t) => Operand::Tensor(t.into_value()),
            number => number,
        })
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        if let Operand::Tensor(t) = &self.0
            && let Source::Pending(p) = t.source()
        {
            p.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Use {
    /// Lets go of the operand; the expression that it was, where nobody else holds that.
    fn release(mut self) -> Option<Pending> {
        let none = Operand::Number(Scalar::Int(0));
        match std::mem::replace(&mut self.0, none) {
            Operand::Tensor(t) => {
                if let Source::Pending(p) = t.source() {
                    p.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                Arc::into_inner(t.into_pending()?)
            }
            Operand::Number(_) => None,
        }
    }
}

/// A chain is taken apart link by link: dropped as nested values, it would take a stack as deep as it is long.
impl Drop for Pending {
    fn drop(&mut self) {
        // few: expressions that hang on one another.
        let mut left: SmallVec<[Use; 3]> = SmallVec::new();
        take_apart(self, &mut left);
        while let Some(next) = left.pop() {
            if let Some(mut pending) = next.release() {
                take_apart(&mut pending, &mut left);
            }
        }
    }
}

fn take_apart(pending: &mut Pending, left: &mut SmallVec<[Use; 3]>) {
    let plan = pending.plan.get_mut();
    let plan = plan.unwrap_or_else(PoisonError::into_inner).take();
    left.extend(plan.into_iter().flat_map(|plan| plan.operands));
}

/// The same values as another type, as an expression.
pub(crate) fn cast(x: &Tensor, dtype: DType) -> Result<Tensor> {
    let operands = SmallVec::from_iter([Operand::Tensor(x.clone())]);
    defer(
        Operation::Cast(dtype),
        operands,
        dtype,
        x.shape().into(),
        x.device(),
    )
}

/// An expression over operands that the caller has checked: types, shapes and device fit.
pub(crate) fn defer(
    operation: Operation,
    operands: SmallVec<[Operand; 3]>,
    dtype: DType,
    shape: Dims,
    device: &Arc<dyn Device>,
) -> Result<Tensor> {
    let layout = Layout::contiguous("elementwise", &shape)?;
    let capture = session::number();
    if capture != 0 {
        settle(capture, &operands)?;
    }
    halves::store_views(&operands)?;
    let mut size = Size::ALONE;
    let mut far = layout.numel();
    for operand in &operands {
        let Operand::Tensor(t) = operand else {
            continue;
        };
        if matches!(operation, Operation::Reduction(_)) {
            far = far.max(t.numel());
        }
        if let Some(p) = whole(t) {
            far = far.max(p.reach);
        }
        // Also what is only viewed: it is computed within the reading of this one, and every one that waits behind another
        // takes a piece of the stack.
        size = size.plus(match unread(t).filter(|p| !p.is_settled()) {
            Some(p) => p.size,
            None => Size {
                expressions: 0,
                inputs: 1,
            },
        });
    }
    let most = device.fusion().expressions;
    let stands = Stands::of(&operation, &operands)?;
    if !size.is_within_bounds(most) && stands == Stands::No {
        // Shared ones were counted for each that uses them.
        size = cut::fitted(&operands, most)?;
    }
    // One element of all rows is no row of anything. Where others' results are computed again, it waits until they are known: what it
    // is made of may then be written for them.
    let reduces = matches!(operation, Operation::Reduction(_));
    let ends = match &operation {
        Operation::Reduction(reduction) => layout.numel() == 1 && reduction.ends(),
        _ => false,
    };
    let exact = halves::is_exact(&operation, dtype);
    let hangs = |o: &Operand| matches!(o, Operand::Tensor(t) if hangs_on_halves(t));
    // When a value is computed must not hang on how many there are.
    let halves = !exact || stands != Stands::No || operands.iter().any(hangs);
    let small = far <= device.eager_elements() && !halves;
    let ends_now = ends && device.fusion().recomputed == 0;
    let now = ends_now || small || is_eager() || operands.iter().any(Operand::is_lent);
    let now = now && stands == Stands::No && (reduces || !is_left_open());
    let pending = Arc::new(Pending {
        dtype,
        shape,
        device: device.clone(),
        plan: Mutex::new(Some(Plan {
            operation,
            operands: operands.into_iter().map(Use::new).collect(),
            kept: None,
        })),
        result: OnceLock::new(),
        waiting: AtomicU32::new(0),
        readers: Mutex::default(),
        size,
        passed: AtomicU32::new(0),
        together: OnceLock::new(),
        reach: far,
        capture,
        taken: AtomicU64::new(0),
        exact,
        halves,
        settled: AtomicBool::new(false),
        changes: AtomicU32::new(0),
        stands,
    });
    let waits = match reduces {
        _ if now => false,
        true => waiting::admit(&pending, ends),
        false => true,
    };
    if stands != Stands::No {
        // Nobody computes it, so who writes what it hangs on has nothing to wait for.
    } else if waits {
        register(&pending);
    } else if is_eager() {
        pending.force()?;
    } else {
        pending.settle()?;
    }
    Ok(Tensor::from_source(dtype, layout, Source::Pending(pending)))
}

/// Computes the operands that are older than this thread's capture: they are values that its graph uses, and no part of it.
fn settle(capture: usize, operands: &[Operand]) -> Result<()> {
    for operand in operands {
        if let Operand::Tensor(t) = operand
            && let Some(p) = unread(t)
            && p.capture != capture
        {
            p.settle()?;
        }
    }
    Ok(())
}

/// The most elements of what reading `t` would compute first; 0 where it is in memory.
pub(crate) fn reach(t: &Tensor) -> usize {
    match t.source() {
        Source::Pending(p) if p.result.get().is_none() => p.reach,
        _ => 0,
    }
}

/// The pending expression behind `t`, whatever `t` shows of it.
fn unread(t: &Tensor) -> Option<&Arc<Pending>> {
    match t.source() {
        Source::Pending(p) if p.result.get().is_none() => Some(p),
        _ => None,
    }
}

/// Makes everything the expression reads know that it waits: memory directly, pending operands so
/// that they can pass it on to the memory they will become.
fn register(reader: &Arc<Pending>) {
    let plan = lock(&reader.plan);
    let Some(plan) = plan.as_ref() else { return };
    for Use(operand) in &plan.operands {
        let Operand::Tensor(t) = operand else {
            continue;
        };
        match t.source() {
            Source::Stored(buffer) => buffer.add_reader(Arc::downgrade(reader)),
            Source::Pending(p) => {
                lock(&p.readers).push(Arc::downgrade(reader));
                if let Some(buffer) = p.result.get() {
                    p.hand_readers_to(buffer);
                }
            }
            // Without memory, it is nobody else's.
            Source::Ramp(_) => {
                if let Some(buffer) = t.source().in_memory() {
                    buffer.add_reader(Arc::downgrade(reader));
                }
            }
        }
    }
}

impl Pending {
    /// The device that will hold the result.
    #[doc(hidden)]
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// The number of elements of the result.
    pub(crate) fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// The most elements of anything that is computed with it.
    pub(crate) fn reach(&self) -> usize {
        self.reach
    }

    /// An expression that waits for this one.
    fn reader(&self) -> Option<Arc<Pending>> {
        let readers = lock(&self.readers);
        let mut alive = readers.iter().filter_map(Weak::upgrade);
        alive.find(|r| r.waits())
    }

    /// The result, if it was computed.
    #[doc(hidden)]
    pub fn result(&self) -> Option<&Arc<Buffer>> {
        self.result.get()
    }

    /// What is to be computed, from what. A copy: an operand may have to be computed first, and nobody shall wait
    /// for that at the lock.
    fn plan(&self) -> Option<(Operation, SmallVec<[Operand; 3]>)> {
        let plan = lock(&self.plan);
        let plan = plan.as_ref()?;
        let operands = plan.operands.iter().map(|Use(operand)| operand.clone());
        Some((plan.operation.clone(), operands.collect()))
    }

    /// Becomes the memory with the result, unless another thread was faster with the same values, and lets go of the operands.
    fn finish(&self, buffer: &Arc<Buffer>) {
        if self.is_settled() && !self.is_done() {
            self.leave_temporary();
        }
        let plan = {
            // A child finds the readers where it finds the result.
            let _inside = inside();
            if self.result.set(buffer.clone()).is_ok() {
                self.hand_readers_to(buffer);
            }
            lock(&self.plan).take()
        };
        // Dropped after the lock is released, because the operands' own plans may be dropped with them.
        drop(plan);
    }

    fn hand_readers_to(&self, buffer: &Buffer) {
        for reader in lock(&self.readers).drain(..) {
            buffer.add_reader(reader);
        }
    }
}
