//! The way back: weights are made again from the saved logarithms, tile by tile.

use super::OP;
use super::cpu::{QUERIES, probe, tenths};
use super::forms::Forms;
use super::launch::{NUMBERS, launched};
use super::pass::{KEYS, Pass};
use super::score::{Read, Score};
use super::slope;
use super::walk::{Tile, Walked, converted, over};
use crate::cpu::exec::parallel::{Work, for_ranges};
use crate::device::{Kernel, Launch, NamedKernel};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{Builder, Node, NodeId, Precision, Prim, Program, Role, Yield};
use crate::ops::elementwise::apply;
use crate::ops::linalg::Real;
use crate::ops::reduce::{self, Over};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

const INPUTS: &[&str] = &["q", "k", "v", "dout", "lse", "delta"];

/// Slopes of [attention](super) by queries, as [the module](super) says.
pub static ATTENTION_DQ: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "attention_dq",
        cpu: dq,
    },
    inputs: INPUTS,
    outputs: &["dq"],
    numbers: NUMBERS,
    lists: &[],
};

/// Slopes of [attention](super) by keys and values, as [the module](super) says.
pub static ATTENTION_DKV: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "attention_dkv",
        cpu: dkv,
    },
    inputs: INPUTS,
    outputs: &["dk", "dv"],
    numbers: NUMBERS,
    lists: &[],
};

/// Slopes of [attention](super) by an operand of its score, as [the module](super) says.
pub static ATTENTION_SLOPE: NamedKernel = NamedKernel {
    kernel: Kernel {
        name: "attention_slope",
        cpu: slope::run,
    },
    inputs: INPUTS,
    outputs: &["slope"],
    numbers: NUMBERS,
    lists: &[],
};

/// The way back over one call.
#[derive(Debug)]
pub(crate) struct Way {
    forms: Forms,
    program: Program,
    /// The indices among what the score reads; tensors come from the tape.
    reads: Vec<Option<Read>>,
}

/// What the way back is given.
#[derive(Debug)]
pub(crate) struct Given {
    /// Queries, keys and values.
    pub(crate) tensors: [Tensor; 3],
    pub(crate) lse: Tensor,
    /// The tensors that the score reads.
    pub(crate) read: Vec<Tensor>,
    pub(crate) out: Tensor,
    pub(crate) dout: Tensor,
}

/// The slopes by queries, keys, values, and by the tensors that the score reads, as far as they are wanted.
pub(crate) type Slopes = Vec<Option<Tensor>>;

impl Way {
    pub(super) fn new(score: &Score, forms: &Forms) -> Result<Way> {
        let index = |read: &Read| match read {
            Read::Index(_) => Some(read.clone()),
            Read::Memory(_) => None,
        };
        Ok(Way {
            forms: forms.clone(),
            program: score.program.clone(),
            reads: score.reads.iter().map(index).collect(), // few: the operands of one score.
        })
    }

    /// The slopes. `wants` is asked by the number of a tensor: queries, keys and values first, then what the score reads.
    pub(crate) fn slopes(&self, given: Given, wants: impl Fn(usize) -> bool) -> Result<Slopes> {
        let forms = &self.forms;
        let mut all: Slopes = (0..3 + given.read.len()).map(|_| None).collect();
        if given.out.numel() == 0 || forms.k == 0 {
            return Ok(all);
        }
        // few: the operands of one score.
        let (mut read, mut at) = (given.read.into_iter(), Vec::new());
        let reads = self.reads.iter().enumerate().map(|(k, index)| match index {
            Some(index) => Some(index.clone()),
            None => {
                at.push(k);
                read.next().map(Read::Memory)
            }
        });
        let reads: Vec<Read> = reads.flatten().collect();
        let score = Score {
            program: self.program.clone(),
            reads,
        };
        let product = apply(
            Prim::Mul,
            &[
                (&given.dout.cast(forms.sums)?).into(),
                (&given.out.cast(forms.sums)?).into(),
            ],
        )?;
        let delta = reduce::sum(&product, &Over::axes(&[-1]), None)?;
        let [q, k, v] = given.tensors;
        let shapes = [q.shape(), k.shape(), v.shape()].map(crate::layout::Dims::from);
        let dtypes = [&q, &k, &v].map(|x| {
            // What is repeated is summed further.
            let repeats = x
                .shape()
                .iter()
                .zip(x.strides())
                .any(|(&n, &s)| n > 1 && s == 0);
            if repeats { forms.sums } else { x.dtype() }
        });
        let inputs = [q, k, v, given.dout, given.lse, delta];
        let make = |k: usize| Tensor::uninit(OP, &shapes[k], dtypes[k], &forms.device);
        let launch = |kernel, program: Program, outputs: &[&Tensor]| {
            let (end, live) = score.end(&program, 4, forms)?;
            launched(kernel, forms, &inputs, outputs, (end, score.is_plain()))?;
            drop(live);
            Ok::<(), crate::Error>(())
        };
        if wants(0) {
            let dq = make(0)?;
            launch(&ATTENTION_DQ, self.back(&[0], false)?, &[&dq])?;
            all[0] = Some(dq);
        }
        if wants(1) || wants(2) {
            let (dk, dv) = (make(1)?, make(2)?);
            launch(&ATTENTION_DKV, self.back(&[0], true)?, &[&dk, &dv])?;
            (all[1], all[2]) = (Some(dk), Some(dv));
        }
        for (number, &k) in at.iter().enumerate() {
            let Some(Read::Memory(x)) = score.reads.get(k).filter(|_| wants(3 + number)) else {
                continue;
            };
            let slope = Tensor::uninit(OP, x.shape(), forms.sums, &forms.device)?;
            launch(&ATTENTION_SLOPE, self.back(&[k + 1], false)?, &[&slope])?;
            all[3 + number] = Some(slope);
        }
        Ok(all)
    }

    /// The program of slopes by these inputs of the score, behind the weight if that is asked for.
    fn back(&self, by: &[usize], weight: bool) -> Result<Program> {
        let score = &self.program;
        let slopes = score.grad(by)?;
        let mut b = Builder::new();
        let [product, slope, lse, delta] =
            ["product", "slope", "lse", "delta"].map(|name| b.input(name, Role::Element));
        // few: the inputs of one program.
        let mut inputs = vec![product];
        for input in &score.inputs[1..] {
            inputs.push(b.input(input.name.clone(), Role::Element));
        }
        let value = copied(&mut b, score, &inputs)[score.outputs[0].node.index()];
        let never = b.constant(Scalar::Float(f64::NEG_INFINITY));
        let zero = b.constant(Scalar::Float(0.0));
        let empty = b.apply(Prim::Eq, &[lse, never]);
        let below = b.apply(Prim::Sub, &[value, lse]);
        let exp = b.apply(Prim::Exp, &[below]);
        let p = b.apply(Prim::Select, &[empty, zero, exp]);
        let off = b.apply(Prim::Sub, &[slope, delta]);
        let g = b.apply(Prim::Mul, &[p, off]);
        inputs.push(g);
        let nodes = copied(&mut b, &slopes, &inputs);
        if weight {
            b.output(p, Yield::Element);
        }
        for output in &slopes.outputs {
            b.output(nodes[output.node.index()], Yield::Element);
        }
        Ok(b.finish("attention_back", Precision::Stored))
    }
}

/// The nodes of a program over these.
fn copied(b: &mut Builder, program: &Program, inputs: &[NodeId]) -> Vec<NodeId> {
    // few: the nodes of one program.
    let mut nodes: Vec<NodeId> = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let made = match *node {
            Node::Input(k) => inputs[usize::from(k)],
            _ => b.copy(node, |id| nodes[id.index()]),
        };
        nodes.push(made);
    }
    nodes
}

/// # Safety
/// As [the module](super) says: live memory that fits the layouts, outputs apart from the inputs.
unsafe fn dq(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type of the sums.
    unsafe {
        match launch.by_name()?.input("lse")?.dtype {
            DType::F64 => by_queries::<f64>(launch),
            _ => by_queries::<f32>(launch),
        }
    }
}

/// # Safety
/// As that of [`dq`].
unsafe fn dkv(launch: &Launch) -> Result<()> {
    // SAFETY: the caller's promise, for the type of the sums.
    unsafe {
        match launch.by_name()?.input("lse")?.dtype {
            DType::F64 => by_keys::<f64>(launch),
            _ => by_keys::<f32>(launch),
        }
    }
}

/// # Safety
/// As that of [`dq`].
unsafe fn by_queries<T: Real>(launch: &Launch) -> Result<()> {
    let pass = Pass::<T>::new(launch)?;
    let out = launch.by_name()?.output("dq")?;
    let (store, out) = (converted(T::DTYPE, out.dtype)?, Walked::of(out));
    let tiles = pass.rows.div_ceil(QUERIES);
    let items = pass.batches * pass.heads * tiles;
    probe::<T>(items, KEYS, [pass.d, pass.e])?;
    let work = Work {
        items,
        tenths_of_ns: tenths(QUERIES.min(pass.rows) * pass.keys, 2 * pass.d + pass.e),
        at_least: 1,
    };
    for_ranges(work, |from, to| {
        let mut room = pass.room()?;
        let mut sums = Tile::<T>::new(QUERIES.min(pass.rows), pass.d)?;
        for item in from..to {
            let (stack, query) = (item / tiles, item % tiles * QUERIES);
            let (b, h) = (stack / pass.heads, stack % pass.heads);
            sums.fill(T::zero());
            let mut m = 0;
            for key in pass.keys_of(query) {
                let at = pass.place([b, h, query, key]);
                m = at.m;
                // SAFETY: the caller's promise; the tiles are this thread's.
                unsafe {
                    let k = pass.tile(&mut room, at)?.k;
                    let factors = [room.results[0].lies(), k];
                    T::multiply(
                        [m, pass.d, at.n],
                        pass.scale,
                        factors,
                        T::one(),
                        sums.lies(),
                    )?;
                }
            }
            let to = out.slot([b, h, query, 0]);
            // SAFETY: each item writes rows of its own.
            unsafe { over(&store, [m, pass.d], vec![sums.slot()], vec![to])? };
        }
        Ok(())
    })
}

/// # Safety
/// As that of [`dq`].
unsafe fn by_keys<T: Real>(launch: &Launch) -> Result<()> {
    let pass = Pass::<T>::new(launch)?;
    let [dk, dv] = launch.by_name()?.outputs(["dk", "dv"])?;
    let (store_k, store_v) = (
        converted(T::DTYPE, dk.dtype)?,
        converted(T::DTYPE, dv.dtype)?,
    );
    let (dk, dv) = (Walked::of(dk), Walked::of(dv));
    let (tiles, heads) = (pass.keys.div_ceil(KEYS), pass.heads / pass.group);
    let items = pass.batches * heads * tiles;
    probe::<T>(items, KEYS, [pass.d, pass.e])?;
    let pairs = KEYS.min(pass.keys) * pass.rows * pass.group;
    let work = Work {
        items,
        tenths_of_ns: tenths(pairs, 2 * (pass.d + pass.e)),
        at_least: 1,
    };
    for_ranges(work, |from, to| {
        let mut room = pass.room()?;
        let keys = KEYS.min(pass.keys);
        let (mut by_key, mut by_value) =
            (Tile::<T>::new(keys, pass.d)?, Tile::<T>::new(keys, pass.e)?);
        for item in from..to {
            let (stack, key) = (item / tiles, item % tiles * KEYS);
            let (b, g) = (stack / heads, stack % heads);
            by_key.fill(T::zero());
            by_value.fill(T::zero());
            let n = KEYS.min(pass.keys - key);
            for h in g * pass.group..(g + 1) * pass.group {
                for query in pass.queries_of(key) {
                    let at = pass.place([b, h, query, key]);
                    // SAFETY: the caller's promise; the tiles are this thread's.
                    unsafe {
                        let found = pass.tile(&mut room, at)?;
                        let [p, slopes] = [0, 1].map(|k| room.results[k].lies().turned());
                        let (one, scale) = (T::one(), pass.scale);
                        T::multiply(
                            [n, pass.e, at.m],
                            one,
                            [p, found.dout],
                            one,
                            by_value.lies(),
                        )?;
                        T::multiply(
                            [n, pass.d, at.m],
                            scale,
                            [slopes, found.q],
                            one,
                            by_key.lies(),
                        )?;
                    }
                }
            }
            let place = [b, g, key, 0];
            // SAFETY: each item writes rows of its own.
            unsafe {
                over(
                    &store_k,
                    [n, pass.d],
                    vec![by_key.slot()],
                    vec![dk.slot(place)],
                )?;
                over(
                    &store_v,
                    [n, pass.e],
                    vec![by_value.slot()],
                    vec![dv.slot(place)],
                )?;
            }
        }
        Ok(())
    })
}
