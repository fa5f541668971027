//! Scripts played over tensors.

use super::each::Each;
use super::script::{Arg, Dice, Fold, Name, Numbers, Refusal, Script, Step, View, numbers};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use syntonic_core::lazy::explain;
use syntonic_core::ops::elementwise::{self, apply, composite};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::{composites, linalg};
use syntonic_core::{DType, Device, Result, Tensor};

/// Makes a tensor of numbers on a device.
pub(crate) type Make = fn(&[f64], &[usize], DType, &Arc<dyn Device>) -> Tensor;

/// Does something, during which the device serves so many requests of this thread and refuses one, if it can.
pub(crate) type Fail = fn(usize, &mut dyn FnMut() -> Result<()>) -> Result<()>;

/// Where scripts are played.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) device: Arc<dyn Device>,
    pub(crate) make: Make,
    pub(crate) fail: Fail,
    /// Makes some of this thread's programs run a moment late, if the device can.
    pub(crate) hesitate: fn(u64),
}

/// Whether threads work at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    Together,
    InTurn,
}

/// A variable that was read.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) name: Name,
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

/// Expressions that were one program over rows when they were read.
pub(crate) static OVER_ROWS: AtomicUsize = AtomicUsize::new(0);

/// The variables of one thread.
#[derive(Clone, Debug)]
struct Player {
    stage: Stage,
    tensors: Vec<Option<Tensor>>,
}

/// What every thread sees at its end, the trunk first.
pub(crate) fn play(
    script: &Script,
    stage: &Stage,
    threads: Threads,
    seed: u64,
) -> Result<Vec<Vec<Seen>>> {
    let _each = Each::begin();
    let mut trunk = Player {
        stage: stage.clone(),
        tensors: Vec::new(),
    };
    script.trunk.iter().try_for_each(|step| trunk.take(step))?;
    // Some read what they have at their end, and some leave that to the first, which has written since.
    let on = |branch: usize| -> Result<(Player, Option<Vec<Seen>>)> {
        let _each = Each::begin();
        let mut player = trunk.clone();
        let steps = script.branches[branch].iter();
        steps.into_iter().try_for_each(|step| player.take(step))?;
        let seen = match (seed + branch as u64).is_multiple_of(3) {
            true => None,
            false => Some(player.look(seed + 1 + branch as u64)?),
        };
        Ok((player, seen))
    };
    let count = script.branches.len();
    let mut first = trunk.clone();
    let mut dice = Dice::new(seed);
    let mut goes_on = |first: &mut Player| {
        script.tail.iter().try_for_each(|step| {
            if threads == Threads::Together {
                // While the others are at work.
                std::thread::sleep(Duration::from_micros(dice.below(300) as u64));
            }
            first.take(step)
        })
    };
    let others: Vec<(Player, Option<Vec<Seen>>)> = match threads {
        Threads::InTurn => {
            let others = (0..count).map(on).collect::<Result<_>>()?;
            goes_on(&mut first)?;
            others
        }
        Threads::Together => std::thread::scope(|scope| {
            let on = &on;
            let hesitant = |k: usize| {
                (stage.hesitate)(seed + k as u64);
                on(k)
            };
            let started: Vec<_> = (0..count)
                .map(|k| scope.spawn(move || hesitant(k)))
                .collect();
            let went = goes_on(&mut first);
            let joined = started.into_iter().map(|t| t.join().expect("no panic"));
            let others = joined.collect::<Result<_>>();
            went.and(others)
        })?,
    };
    drop(trunk);
    let mut seen = vec![first.look(seed)?];
    for (player, looked) in others {
        seen.push(looked.map_or_else(|| player.look(seed), Ok)?);
    }
    Ok(seen)
}

impl Player {
    fn get(&self, name: Name) -> Tensor {
        let tensor = self.tensors.get(name).cloned().flatten();
        tensor.expect("the variable is alive")
    }

    fn take(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Failing(after, step) => {
                let before = self.tensors.len();
                let fail = self.stage.fail;
                if fail(*after, &mut || self.take(step)).is_ok() {
                    return Ok(());
                }
                assert_eq!(
                    self.tensors.len(),
                    before,
                    "a call that failed made something"
                );
                self.take(step)
            }
            Step::Write { to, from } => {
                let (to, from) = (self.get(*to), self.get(*from));
                // SAFETY: threads write memory of their own alone.
                unsafe { to.assign_aliased(&from) }
            }
            Step::Assign { to, from } => {
                let from = self.get(*from);
                match self.tensors.get_mut(*to) {
                    Some(Some(to)) => to.assign(&from),
                    _ => Ok(()),
                }
            }
            Step::Lend { x, seed } => self.lend(&self.get(*x), *seed),
            Step::Read(x) => self.get(*x).eval().map(drop),
            Step::Explain(x) => explain(&self.get(*x)).map(drop),
            Step::Forget(x) => {
                self.tensors[*x] = None;
                Ok(())
            }
            Step::Refused(refusal, x) => {
                assert!(self.refused(*refusal, &self.get(*x)), "{step:?} was taken");
                Ok(())
            }
            other => {
                let made = self.made(other)?;
                self.tensors.push(Some(made));
                Ok(())
            }
        }
    }

    fn made(&self, step: &Step) -> Result<Tensor> {
        match step {
            Step::Leaf {
                shape,
                dtype,
                numbers: kind,
                seed,
            } => {
                let values = numbers(shape.iter().product(), *dtype, *kind, *seed);
                Ok((self.stage.make)(
                    &values,
                    shape,
                    *dtype,
                    &self.stage.device,
                ))
            }
            Step::Prim { prim, args } => {
                let operands: Vec<Option<Tensor>> = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Variable(x) => Some(self.get(*x)),
                        Arg::Number(_) => None,
                    })
                    .collect();
                let args = args.iter().zip(&operands).map(|(arg, t)| match (arg, t) {
                    (Arg::Number(x), _) => elementwise::Arg::Number(*x),
                    (_, t) => elementwise::Arg::Tensor(t.as_ref().expect("it is a variable")),
                });
                apply(*prim, &args.collect::<Vec<_>>())
            }
            Step::Composite { at, x } => {
                let c = &composites::ALL[*at];
                composite(c.name, c.build, &[(&self.get(*x)).into()])
            }
            Step::Cast { x, dtype } => self.get(*x).cast(*dtype),
            Step::Fold {
                fold,
                x,
                axes,
                keep,
            } => {
                let axes = axes.iter().map(|&axis| axis as isize).collect();
                let over = Over {
                    axes: Some(axes),
                    keep: *keep,
                };
                folded(*fold, &self.get(*x), &over)
            }
            Step::Product { a, b } => linalg::matmul(&self.get(*a), &self.get(*b)),
            Step::View { x, view } => viewed(&self.get(*x), view),
            other => unreachable!("{other:?} makes nothing"),
        }
    }

    fn refused(&self, refusal: Refusal, x: &Tensor) -> bool {
        let longer = || Tensor::zeros(&[x.shape().last().map_or(2, |n| n + 1)], DType::F32);
        match refusal {
            Refusal::Shapes => {
                let y = longer().expect("a small tensor");
                apply(syntonic_core::fuse::Prim::Eq, &[x.into(), (&y).into()]).is_err()
            }
            Refusal::Axis => reduce::max(x, &Over::axes(&[x.ndim() as isize])).is_err(),
            Refusal::Nothing => {
                let nothing = x.slice(0, Some(0), Some(0), 1).expect("an empty view");
                reduce::max(&nothing, &Over::axes(&[0])).is_err()
            }
            Refusal::Write => {
                let y = longer().expect("a small tensor");
                // SAFETY: threads write memory of their own alone, and this writes nothing.
                unsafe { x.assign_aliased(&y) }.is_err()
            }
        }
    }

    /// Writes other numbers over all of a tensor's memory, as somebody outside does.
    fn lend(&self, x: &Tensor, seed: u64) -> Result<()> {
        let values = numbers(x.numel(), x.dtype(), Numbers::Whole, seed);
        let others = (self.stage.make)(&values, x.shape(), x.dtype(), &self.stage.device);
        let (from, to) = (others.buffer()?, x.buffer()?);
        let bytes = x.numel() * x.dtype().size();
        to.lend()?;
        // What was written to its one variable may lie there in another order.
        if to.is_host() && x.is_contiguous() && to.bytes() == bytes {
            // SAFETY: both have these bytes, and no other thread knows either.
            unsafe { std::ptr::copy_nonoverlapping(from.address(), to.address(), bytes) };
        } else {
            // SAFETY: no other thread knows the memory.
            unsafe { x.assign_aliased(&others)? };
        }
        to.take_back();
        Ok(())
    }

    /// Reads every variable, in some order.
    fn look(&self, seed: u64) -> Result<Vec<Seen>> {
        let mut names: Vec<Name> = (0..self.tensors.len()).collect();
        names.retain(|&k| self.tensors[k].is_some());
        let mut dice = Dice::new(seed);
        for k in (1..names.len()).rev() {
            names.swap(k, dice.below(k + 1));
        }
        let seen = names.into_iter().map(|name| {
            let t = self.get(name);
            if t.is_pending() && dice.once_in(2) {
                let text = explain(&t)?;
                let rows = text.contains("one program over the rows");
                OVER_ROWS.fetch_add(usize::from(rows), Ordering::Relaxed);
            }
            let t = t.eval()?;
            Ok(Seen {
                name,
                dtype: t.dtype(),
                shape: t.shape().to_vec(),
                values: t.to_vec::<f64>()?,
            })
        });
        seen.collect()
    }
}

fn folded(fold: Fold, x: &Tensor, over: &Over) -> Result<Tensor> {
    match fold {
        Fold::Sum => reduce::sum(x, over, None),
        Fold::Prod => reduce::prod(x, over, None),
        Fold::Min => reduce::min(x, over),
        Fold::Max => reduce::max(x, over),
        Fold::Mean => reduce::mean(x, over),
        Fold::Var(less) => reduce::var(x, over, f64::from(less)),
        Fold::Std(less) => reduce::std(x, over, f64::from(less)),
        Fold::LogSumExp => reduce::logsumexp(x, over),
        Fold::Any => reduce::any(x, over),
        Fold::All => reduce::all(x, over),
        Fold::ArgMin => reduce::argmin(x, over),
        Fold::ArgMax => reduce::argmax(x, over),
        Fold::CountNonzero => reduce::count_nonzero(x, over),
        Fold::NormMax => reduce::norm(x, f64::INFINITY, over),
    }
}

fn viewed(x: &Tensor, view: &View) -> Result<Tensor> {
    let signed = |n: usize| n as isize;
    match view {
        View::Permute(order) => {
            let order: Vec<isize> = order.iter().copied().map(signed).collect();
            x.permute(&order)
        }
        View::Slice {
            axis,
            start,
            stop,
            step,
        } => x.slice(
            signed(*axis),
            Some(signed(*start)),
            Some(signed(*stop)),
            signed(*step),
        ),
        View::Flip(axis) => x.flip(&[signed(*axis)]),
        View::Select { axis, index } => x.select(signed(*axis), *index as i64),
        View::Expand(axis) => x.expand_dims(&[signed(*axis)]),
        View::Squeeze(axis) => x.squeeze(&[signed(*axis)]),
        View::Broadcast(shape) => x.broadcast_to(shape),
        View::Reshape(shape) => {
            let shape: Vec<isize> = shape.iter().copied().map(signed).collect();
            x.reshape(&shape)
        }
        View::Diagonal(a, b) => x.diagonal(0, signed(*a), signed(*b)),
    }
}
