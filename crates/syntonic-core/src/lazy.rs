//! Laziness: an element-wise result stays an expression until somebody reads it.
//!
//! An expression holds its operands as they were when it was built. When it is read, everything it
//! hangs on that has not been read yet is fused into one program and run once. A result that other
//! pending expressions wait for is written out along the way, so it is not computed twice.

use crate::buffer::{Buffer, lock};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, NodeId, Precision, Prim, Role, Yield};
use crate::layout::{Dims, Layout};
use crate::run;
use crate::scalar::Scalar;
use crate::tensor::{Source, Tensor};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// Results of at most this many elements are computed at once: building an expression costs more
/// than the pass over memory it might save.
pub const EAGER_ELEMENTS: usize = 8192;
/// An expression of more nodes is evaluated, so that chains built in a loop stay bounded.
const MAX_NODES: u32 = 48;
/// Operands of one fused run; more would not fit the first-level cache.
const MAX_INPUTS: usize = 12;

static EAGER: AtomicBool = AtomicBool::new(false);

/// When element-wise results are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// When they are read, fused with what they hang on.
    Lazy,
    /// At once, one operation at a time.
    Eager,
}

/// Chooses for the whole process when element-wise results are computed; returns the former choice.
pub fn set_evaluation(evaluation: Evaluation) -> Evaluation {
    if EAGER.swap(evaluation == Evaluation::Eager, Ordering::Relaxed) {
        Evaluation::Eager
    } else {
        Evaluation::Lazy
    }
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
        let Operand::Tensor(t) = self else {
            return false;
        };
        match t.source() {
            Source::Stored(buffer) => buffer.is_lent(),
            Source::Pending(p) => p.result.get().is_some_and(|buffer| buffer.is_lent()),
        }
    }
}

/// What an expression computes from its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Prim(Prim),
    Cast(DType),
    /// A composite: builds its nodes over those of the operands.
    Composite(fn(&mut Builder, &[NodeId]) -> NodeId),
}

/// An element-wise result that is not computed yet, or was.
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
    nodes: u32,
}

#[derive(Debug)]
struct Plan {
    operation: Operation,
    operands: SmallVec<[Use; 3]>,
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
        Use(operand)
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
    let mut nodes = 1;
    for operand in &operands {
        if let Operand::Tensor(t) = operand
            && let Some(p) = inlinable(t, &shape)
        {
            nodes += p.nodes;
        }
    }
    let now = layout.numel() <= EAGER_ELEMENTS
        || EAGER.load(Ordering::Relaxed)
        || operands.iter().any(Operand::is_lent);
    if nodes > MAX_NODES {
        nodes = 1;
        for operand in &operands {
            if let Operand::Tensor(t) = operand {
                t.buffer()?;
            }
        }
    }
    let pending = Arc::new(Pending {
        dtype,
        shape,
        device: device.clone(),
        plan: Mutex::new(Some(Plan {
            operation,
            operands: operands.into_iter().map(Use::new).collect(),
        })),
        result: OnceLock::new(),
        waiting: AtomicU32::new(0),
        readers: Mutex::default(),
        nodes,
    });
    if now {
        pending.force()?;
    } else {
        register(&pending);
    }
    Ok(Tensor::from_source(dtype, layout, Source::Pending(pending)))
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
        }
    }
}

/// The tensor that `t` is the conjugate of, while that is still to be computed and is a plain view.
pub(crate) fn conjugate_of(t: &Tensor) -> Option<Tensor> {
    let Source::Pending(p) = t.source() else {
        return None;
    };
    let plan = lock(&p.plan);
    let plan = plan.as_ref()?;
    let (Operation::Prim(Prim::Conj), Use(Operand::Tensor(x))) =
        (&plan.operation, plan.operands.first()?)
    else {
        return None;
    };
    if x.dtype() != t.dtype() || x.shape() != &p.shape[..] {
        return None;
    }
    let whole = Layout::contiguous("conj", &p.shape).ok()?;
    if *t.layout() == whole {
        return Some(x.clone());
    }
    let from = x.layout().offset() + t.layout().offset();
    let view = Layout::from_parts(t.shape(), t.strides(), from);
    x.is_contiguous().then(|| x.with_layout(view))
}

/// The pending expression behind `t`, if its nodes can join an expression over `shape` as they are.
fn inlinable<'a>(t: &'a Tensor, shape: &[usize]) -> Option<&'a Arc<Pending>> {
    match t.source() {
        Source::Pending(p)
            if p.result.get().is_none()
                && t.shape() == shape
                && p.shape[..] == *shape
                && t.layout().offset() == 0
                && t.is_contiguous() =>
        {
            Some(p)
        }
        _ => None,
    }
}

impl Pending {
    /// The device that will hold the result.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// The number of elements of the result.
    pub(crate) fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// The result, if it was computed.
    pub fn result(&self) -> Option<&Arc<Buffer>> {
        self.result.get()
    }

    /// The result, computed now if need be. On an error the expression stays as it was.
    pub fn force(self: &Arc<Pending>) -> Result<Arc<Buffer>> {
        if let Some(buffer) = self.result.get() {
            return Ok(buffer.clone());
        }
        let fusion = Fusion::collect(self)?;
        fusion.run()?;
        match self.result.get() {
            Some(buffer) => Ok(buffer.clone()),
            None => Err(crate::Error::value(
                "eval",
                "the expression produced no result",
            )),
        }
    }

    /// What is to be computed, from what. A copy: an operand may have to be computed first, and nobody shall wait
    /// for that at the lock.
    fn plan(&self) -> Option<(Operation, SmallVec<[Operand; 3]>)> {
        let plan = lock(&self.plan);
        let plan = plan.as_ref()?;
        let operands = plan.operands.iter().map(|Use(operand)| operand.clone());
        Some((plan.operation, operands.collect()))
    }

    fn hand_readers_to(&self, buffer: &Buffer) {
        for reader in lock(&self.readers).drain(..) {
            buffer.add_reader(reader);
        }
    }

    /// What would be fused if the result were read now, for people.
    pub fn explain(self: &Arc<Pending>) -> Result<String> {
        if self.result.get().is_some() {
            return Ok(format!("{}{:?}: in memory", self.dtype, &self.shape[..]));
        }
        let fusion = Fusion::collect(self)?;
        Ok(fusion.explain())
    }
}

/// A set of pending expressions over one shape, gathered into one program.
struct Fusion {
    shape: Dims,
    builder: Builder,
    inputs: Vec<Tensor>,
    /// Node of each gathered expression, and how many gathered expressions use it.
    gathered: Vec<(Arc<Pending>, NodeId, u32)>,
    seen: HashMap<usize, usize>,
    outputs: Vec<Arc<Pending>>,
}

impl Fusion {
    fn collect(root: &Arc<Pending>) -> Result<Fusion> {
        let mut fusion = Fusion {
            shape: root.shape.clone(),
            builder: Builder::new(),
            inputs: Vec::new(),
            gathered: Vec::new(),
            seen: HashMap::new(),
            outputs: Vec::new(),
        };
        let node = fusion.gather(root)?;
        fusion.builder.output(node, Yield::Element);
        fusion.outputs.push(root.clone());
        for (pending, node, uses) in &fusion.gathered {
            if !Arc::ptr_eq(pending, root) && pending.waiting.load(Ordering::Relaxed) > *uses {
                fusion.builder.output(*node, Yield::Element);
                fusion.outputs.push(pending.clone());
            }
        }
        Ok(fusion)
    }

    fn gather(&mut self, pending: &Arc<Pending>) -> Result<NodeId> {
        let key = Arc::as_ptr(pending) as usize;
        if let Some(&at) = self.seen.get(&key) {
            self.gathered[at].2 += 1;
            return Ok(self.gathered[at].1);
        }
        let Some((operation, operands)) = pending.plan() else {
            // Another thread finished it between the check and the lock.
            let layout = Layout::contiguous("eval", &pending.shape)?;
            return self.leaf(&Tensor::from_source(
                pending.dtype,
                layout,
                Source::Pending(pending.clone()),
            ));
        };
        let mut nodes: SmallVec<[NodeId; 3]> = SmallVec::new();
        for operand in &operands {
            nodes.push(match operand {
                Operand::Number(x) => self.builder.constant(*x),
                Operand::Tensor(t) => match inlinable(t, &self.shape) {
                    Some(p) if self.inputs.len() < MAX_INPUTS => self.gather(p)?,
                    _ => self.leaf(t)?,
                },
            });
        }
        let node = match operation {
            Operation::Prim(prim) => self.builder.apply(prim, &nodes),
            Operation::Cast(dtype) => self.builder.cast(dtype, nodes[0]),
            Operation::Composite(build) => build(&mut self.builder, &nodes),
        };
        self.seen.insert(key, self.gathered.len());
        self.gathered.push((pending.clone(), node, 1));
        Ok(node)
    }

    /// A tensor that is read from memory.
    fn leaf(&mut self, t: &Tensor) -> Result<NodeId> {
        let t = t.broadcast_to(&self.shape)?.eval()?;
        for (k, have) in self.inputs.iter().enumerate() {
            if have.dtype() == t.dtype()
                && have.layout() == t.layout()
                && Arc::ptr_eq(&have.buffer()?, &t.buffer()?)
            {
                return Ok(self.builder.existing_input(k));
            }
        }
        self.inputs.push(t);
        Ok(self
            .builder
            .input(format!("x{}", self.inputs.len() - 1), Role::Element))
    }

    fn run(self) -> Result<()> {
        let program = self.builder.finish("chain", Precision::Stepwise);
        let inputs: Vec<&Tensor> = self.inputs.iter().collect();
        let device = self.outputs[0].device.clone();
        let results = run::map(&program, &inputs, &[], &self.shape, &device)?;
        for (pending, result) in self.outputs.iter().zip(results) {
            let buffer = result.buffer()?;
            // A thread that was faster has set the same values already; its buffer stays.
            if pending.result.set(buffer.clone()).is_ok() {
                pending.hand_readers_to(&buffer);
            }
            // Dropping the plan lets go of the operands; done after the lock is released, because
            // their own plans may be dropped with them.
            let plan = lock(&pending.plan).take();
            drop(plan);
        }
        Ok(())
    }

    fn explain(&self) -> String {
        let bytes = |t: &Tensor| {
            let repeats = t
                .shape()
                .iter()
                .zip(t.strides())
                .filter(|&(_, &s)| s == 0)
                .map(|(&n, _)| n);
            t.numel() / repeats.product::<usize>().max(1) * t.dtype().size()
        };
        let read: usize = self.inputs.iter().map(bytes).sum();
        let elements: usize = self.shape.iter().product();
        let size = |p: &Arc<Pending>| elements.saturating_mul(p.dtype.size());
        let written = self.outputs.iter().map(size).fold(0, usize::saturating_add);
        let program = self.builder.clone().finish("chain", Precision::Stepwise);
        let mut text = format!(
            "one pass over {:?}: {} expressions fused, {} inputs, {} outputs, reads {read} bytes, writes {written} bytes\n",
            &self.shape[..],
            self.gathered.len(),
            self.inputs.len(),
            self.outputs.len()
        );
        for (k, t) in self.inputs.iter().enumerate() {
            text.push_str(&format!(
                "  x{k} = {}{}\n",
                t.describe(),
                if t.is_contiguous() { "" } else { " (strided)" }
            ));
        }
        text.push_str(&program.to_string());
        text
    }
}

/// What reading `x` would run: the fused program, its inputs and the bytes that move.
pub fn explain(x: &Tensor) -> Result<String> {
    match x.source() {
        Source::Stored(_) => Ok(format!("{}: in memory", x.describe())),
        Source::Pending(p) => p.explain(),
    }
}
