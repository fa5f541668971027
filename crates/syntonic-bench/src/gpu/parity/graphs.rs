//! Graphs: a replay has the bits of the captured function run again, and what a graph holds and refuses is as on the CPU.

use std::sync::Arc;
use std::thread;

use super::Check;
use crate::gpu::{Exactness, Gpu, compare, sample};
use anyhow::{Context, Result, bail, ensure};
use syntonic_core::device::DeviceId;
use syntonic_core::graph::Updated;
use syntonic_core::ops::index::IndexItem;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::softmax::softmax;
use syntonic_core::ops::{create, index, order, random, scan};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Error, Graph, Tensor, cpu};
use syntonic_cuda::{Cuda, Stream};

/// A captured function.
type Function = fn(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>>;

/// Types with kernels of their own.
const TYPES: [DType; 7] = [
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::I32,
    DType::U8,
];

/// Few elements, and more than one block has.
const SHAPES: [[usize; 2]; 2] = [[5, 7], [130, 1030]];

/// Operations of a function that is all launches.
const OPERATIONS: usize = 30;

pub(super) fn checks() -> Vec<Check> {
    let mut all = vec![
        Check::new("graphs/many_small_operations", |gpu| {
            replays(gpu, DType::F32, &[64, 64], many)
        }),
        // Enough elements for the JIT, whose kernel is there after the first capture.
        Check::new("graphs/jit", |gpu| {
            replays(gpu, DType::F32, &[1 << 21], chain)
        }),
        Check::new("graphs/no_elements", |gpu| {
            replays(gpu, DType::F32, &[0, 3], maps)
        }),
        Check::new("graphs/results_stay", results_stay),
        Check::new("graphs/layouts", layouts),
        Check::new("graphs/memory_comes_back", memory_comes_back),
        Check::new("graphs/dropped_at_once", dropped_at_once),
        Check::new("graphs/tensors_from_outside", from_outside),
        Check::new("graphs/drawn_once", drawn_once),
        Check::new("graphs/refused/item", |gpu| {
            refused(gpu, "item", |i| {
                let total = reduce::sum(i[0], &Over::all(), None)?.item()?;
                Ok(vec![i[0] * total])
            })
        }),
        Check::new("graphs/refused/to", |gpu| {
            refused(gpu, "to", |i| Ok(vec![i[0].to(&elsewhere(i[0]))?]))
        }),
        Check::new("graphs/refused/index", |gpu| {
            let at = gpu.take(&Tensor::from_slice(&[0i64, 3], &[2])?)?;
            refused(gpu, "index_offsets", move |i| {
                let items = [IndexItem::Array(at.clone())];
                Ok(vec![index::index(i[0], &items)?])
            })
        }),
        Check::new("graphs/refused/values_of_the_host", |gpu| {
            refused(gpu, "copy from the host", |i| {
                let values = Tensor::from_slice(&[1f32; 60], &[60])?;
                Ok(vec![i[0] + &values.to(i[0].device())?])
            })
        }),
        Check::new("graphs/refused/held_outside", |gpu| {
            let held = std::cell::RefCell::new(Vec::new());
            refused(gpu, "capture", |i| {
                held.borrow_mut().push(i[0] + 1.0);
                Ok(vec![])
            })
        }),
        Check::new("graphs/refused/nested", |gpu| {
            refused(gpu, "capture", |i| Graph::capture(i, many)?.replay(i))
        }),
        Check::new("graphs/updated/in_place", updated_in_place),
        Check::new("graphs/updated/anew", updated_anew),
        Check::new("graphs/updated/failed", update_failed),
        Check::new("graphs/updated/memory_comes_back", updated_memory),
        Check::new("graphs/updated/while_a_replay_runs", updated_at_once),
        Check::new("graphs/streams", streams),
        Check::new("graphs/another_thread", another_thread),
        Check::new("graphs/while_others_work", while_others_work),
    ];
    for dtype in TYPES {
        let mut add = |topic: &str, function: Function| {
            let name = format!("graphs/{topic}/{dtype}");
            all.push(Check::new(name, move |gpu| {
                let mut shapes = SHAPES.iter();
                shapes.try_for_each(|shape| replays(gpu, dtype, shape, function))
            }));
        };
        add("maps", maps);
        add("folds", folds);
        add("sums", |i| {
            Ok(vec![scan::cumulative_sum(
                i[0],
                Some(-1),
                None,
                scan::Initial::Leave,
            )?])
        });
        if !dtype.is_complex() {
            add("sorts", |i| {
                Ok(vec![order::sort(i[0], -1, order::Direction::Ascending)?])
            });
        }
        if dtype.is_float() {
            add("rows", |i| {
                Ok(vec![softmax(&(i[0] * 2.0), -1)?, softmax(i[0], 0)?])
            });
        }
        if dtype != DType::U8 {
            add("products", |i| {
                Ok(vec![matmul(i[0], &i[1].transpose(0, 1)?)? + 1])
            });
        }
    }
    all
}

/// Element-wise work, with numbers of the host and a broadcast.
fn maps(i: &[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let y = (&(i[0] + i[1]) * 3).eval()?;
    let ones = create::ones_like(&y, None)?;
    Ok(vec![&y - &ones, &y * i[0]])
}

/// Reductions over both axes, each read by the next.
fn folds(i: &[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let rows = reduce::sum(i[0], &Over::axes(&[-1]).keep(), None)?;
    let all = reduce::sum(&(i[1] + &rows), &Over::axes(&[0]), None)?;
    Ok(vec![reduce::sum(&all, &Over::all(), None)?, all])
}

/// As many launches as operations.
fn many(i: &[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let mut x = i[0].clone();
    for k in 0..OPERATIONS {
        x = (&x * 0.5 + (k as f64 - 3.0)).eval()?;
    }
    Ok(vec![x])
}

/// One program of many operations.
fn chain(i: &[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    let mut x = i[0].clone();
    for k in 0..12 {
        x = &(&x * 0.5) * &(&x + (f64::from(k) - 3.0));
    }
    Ok(vec![x])
}

/// Two operands on the GPU.
fn operands(gpu: &Gpu, dtype: DType, shape: &[usize], seed: u64) -> Result<[Tensor; 2]> {
    Ok([
        gpu.take(&sample(dtype, shape, seed)?)?,
        gpu.take(&sample(dtype, shape, seed + 1)?)?,
    ])
}

/// Compares a replay with the function run on the same device. In a graph operands are in memory, row-major, and the order of a
/// sum depends on that.
fn look(gpu: &Gpu, graph: &Graph, inputs: &[&Tensor], function: Function) -> Result<()> {
    let copies: Vec<Tensor> = inputs.iter().map(|x| x.copy()).collect::<Result<_, _>>()?;
    // few: one for each operand.
    let same: Vec<&Tensor> = copies.iter().collect();
    let (got, want) = (graph.replay(inputs)?, function(&same)?);
    ensure!(got.len() == want.len(), "{} results", got.len());
    got.iter()
        .zip(&want)
        .try_for_each(|(got, want)| compare(got, &gpu.fetch(want)?, Exactness::Same))
}

fn replays(gpu: &Gpu, dtype: DType, shape: &[usize], function: Function) -> Result<()> {
    let [x, y] = operands(gpu, dtype, shape, 3)?;
    let graph = Graph::capture(&[&x, &y], function)?;
    for seed in [3, 5, 7] {
        let [x, y] = operands(gpu, dtype, shape, seed)?;
        look(gpu, &graph, &[&x, &y], function)?;
        look(gpu, &graph, &[&y, &x], function)?;
    }
    Ok(())
}

fn results_stay(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[100, 100], 3)?;
    let graph = Graph::capture(&[&x, &y], maps)?;
    let first = graph.replay(&[&x, &y])?;
    let kept = gpu.fetch(&first[0])?;
    graph.replay(&[&y, &y])?;
    compare(&first[0], &kept, Exactness::Same)?;
    drop(graph);
    // What takes the graph's memory must not change them, either.
    for value in 0..8 {
        Tensor::full_on(&[100, 100], value, DType::F32, &gpu.device)?;
    }
    compare(&first[0], &kept, Exactness::Same)
}

fn layouts(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[40, 60], 3)?;
    let graph = Graph::capture(&[&x.transpose(0, 1)?, &y.transpose(0, 1)?], folds)?;
    let [a, b] = operands(gpu, DType::F32, &[60, 40], 5)?;
    look(gpu, &graph, &[&a, &y.transpose(0, 1)?], folds)?;
    look(gpu, &graph, &[&(&a * 2.0), &b], folds)?;
    let row = gpu.take(&sample(DType::F32, &[40], 5)?)?;
    look(gpu, &graph, &[&row.broadcast_to(&[60, 40])?, &b], folds)
}

fn memory_comes_back(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 18], 3)?;
    let capture = || Graph::capture(&[&x, &y], many);
    drop(capture()?);
    let before = gpu.device.stats().in_use;
    let graph = capture()?;
    let held = gpu.device.stats().in_use - before;
    // Two inputs, and temporaries that take turns: far from thirty.
    ensure!((3 << 20..=8 << 20).contains(&held), "{held} bytes");
    drop(graph.replay(&[&x, &y])?);
    drop(graph);
    let after = gpu.device.stats().in_use;
    ensure!(after == before, "{after} bytes after {before}");
    let failed = Graph::capture(&[&x, &y], |i| {
        many(i)?;
        i[0].to_vec::<f32>().map(|_| vec![])
    });
    ensure!(failed.is_err(), "values were read in a capture");
    let after = gpu.device.stats().in_use;
    ensure!(
        after == before,
        "{after} bytes after {before}, and a refusal"
    );
    Ok(())
}

fn dropped_at_once(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 20], 3)?;
    let want = gpu.fetch(&many(&[&x, &y])?[0])?;
    let mut kept = Vec::new();
    for _ in 0..10 {
        // The graph is gone before its work is done, and the next one has its memory.
        let graph = Graph::capture(&[&x, &y], many)?;
        kept.extend(graph.replay(&[&x, &y])?);
    }
    kept.iter()
        .try_for_each(|got| compare(got, &want, Exactness::Same))
}

fn from_outside(gpu: &Gpu) -> Result<()> {
    let [x, w] = operands(gpu, DType::F32, &[300, 20], 3)?;
    // Pending when the capture begins.
    let w = &w * 2.0;
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] + &w]))?;
    let want = gpu.fetch(&(&x + &w))?;
    drop(w);
    for value in 0..8 {
        Tensor::full_on(&[300, 20], value, DType::F32, &gpu.device)?;
    }
    compare(&graph.replay(&[&x])?[0], &want, Exactness::Same)
}

fn drawn_once(gpu: &Gpu) -> Result<()> {
    let [x, _] = operands(gpu, DType::F32, &[300], 3)?;
    let mut generator = Generator::new(7);
    let graph = Graph::capture(&[&x], |i| {
        let device = i[0].device();
        let noise = random::uniform(&[300], 0.0, 1.0, DType::F32, &mut generator, device)?;
        Ok(vec![i[0] * 0.0 + &noise])
    })?;
    let first = gpu.fetch(&graph.replay(&[&x])?[0])?;
    compare(&graph.replay(&[&x])?[0], &first, Exactness::Same)
}

/// A capture that is refused, and the stream and its operands after it.
fn refused(
    gpu: &Gpu,
    op: &str,
    function: impl FnMut(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>>,
) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[60], 3)?;
    let kept = gpu.fetch(&x)?;
    match Graph::capture(&[&x], function) {
        Err(error @ Error::Capture { .. }) => {
            let text = error.to_string();
            ensure!(text.starts_with(op) && text.contains("hint"), "{text}");
        }
        Err(other) => bail!("another error: {other}"),
        Ok(_) => bail!("it was captured"),
    }
    compare(&x, &kept, Exactness::Same)?;
    let graph = Graph::capture(&[&x, &y], maps)?;
    look(gpu, &graph, &[&y, &x], maps)
}

/// A step of gradient descent, whose rate is a number of the host.
fn step(rate: f64) -> impl Fn(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>> {
    move |i| {
        let slope = (i[0] * i[1]).eval()?;
        let size = reduce::sum(&slope, &Over::all(), None)?;
        Ok(vec![(i[0] - &(&slope * rate)).eval()?, size])
    }
}

/// The bits of `function` over row-major operands.
fn has_bits(
    gpu: &Gpu,
    graph: &Graph,
    inputs: &[&Tensor],
    function: impl Fn(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>>,
) -> Result<()> {
    let (got, want) = (graph.replay(inputs)?, function(inputs)?);
    ensure!(got.len() == want.len(), "{} results", got.len());
    got.iter()
        .zip(&want)
        .try_for_each(|(got, want)| compare(got, &gpu.fetch(want)?, Exactness::Same))
}

fn updated_in_place(gpu: &Gpu) -> Result<()> {
    for dtype in [DType::F16, DType::F32, DType::F64] {
        for shape in SHAPES {
            let [x, y] = operands(gpu, dtype, &shape, 3)?;
            let graph = Graph::capture(&[&x, &y], step(0.5))?;
            for rate in [0.25, -3.0, 0.0] {
                let updated = graph.update(&[&x, &y], step(rate))?;
                ensure!(updated == Updated::InPlace, "{updated:?} for {dtype}");
                has_bits(gpu, &graph, &[&x, &y], step(rate))?;
                has_bits(gpu, &graph, &[&y, &x], step(rate))?;
            }
        }
    }
    Ok(())
}

fn updated_anew(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[100, 100], 3)?;
    let graph = Graph::capture(&[&x, &y], |i| Ok(vec![(i[0] + i[1]).eval()?]))?;
    let before = graph.launches();
    let updated = graph.update(&[&x, &y], many)?;
    ensure!(updated == Updated::Anew, "{updated:?}");
    ensure!(graph.launches() > before, "{} launches", graph.launches());
    has_bits(gpu, &graph, &[&x, &y], many)?;
    // And back, with memory from outside.
    let w = gpu.take(&sample(DType::F32, &[100, 100], 9)?)?;
    graph.update(&[&x, &y], |i| Ok(vec![(i[0] + &w).eval()?]))?;
    let want = gpu.fetch(&(&y + &w))?;
    drop(w);
    for value in 0..8 {
        Tensor::full_on(&[100, 100], value, DType::F32, &gpu.device)?;
    }
    compare(&graph.replay(&[&y, &x])?[0], &want, Exactness::Same)
}

fn update_failed(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[60], 3)?;
    let graph = Graph::capture(&[&x, &y], step(0.5))?;
    let (launches, in_use) = (graph.launches(), gpu.device.stats().in_use);
    let held = std::cell::RefCell::new(Vec::new());
    type Made<'a> = &'a dyn Fn(&[&Tensor]) -> syntonic_core::Result<Vec<Tensor>>;
    let functions: [Made<'_>; 4] = [
        &|_| Err(Error::value("check", "it fails")),
        &|i| i[0].to_vec::<f32>().map(|_| vec![]),
        &|_| Ok(vec![]),
        &|i| {
            held.borrow_mut().push(i[0] + 1.0);
            step(0.5)(i)
        },
    ];
    for function in functions {
        ensure!(graph.update(&[&x, &y], function).is_err(), "it was updated");
        held.borrow_mut().clear();
        ensure!(graph.launches() == launches);
        has_bits(gpu, &graph, &[&y, &x], step(0.5))?;
    }
    let other = graph.update(&[&x], step(0.5));
    ensure!(matches!(other, Err(Error::Replay { .. })), "{other:?}");
    let after = gpu.device.stats().in_use;
    ensure!(after == in_use, "{after} bytes after {in_use}");
    Ok(())
}

fn updated_memory(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 18], 3)?;
    let graph = Graph::capture(&[&x, &y], step(0.5))?;
    graph.update(&[&x, &y], step(0.25))?;
    let before = gpu.device.stats().in_use;
    for k in 0..20 {
        graph.update(&[&x, &y], step(f64::from(k)))?;
    }
    let after = gpu.device.stats().in_use;
    ensure!(after == before, "{after} bytes after {before}");
    Ok(())
}

fn updated_at_once(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 20], 3)?;
    let rates = [0.5, 0.25, 0.125, 2.0];
    let graph = Graph::capture(&[&x, &y], step(rates[0]))?;
    let mut got = Vec::new();
    for turn in 0..24 {
        // The launch before may still run, with the memory of the work before.
        graph.update(&[&x, &y], step(rates[turn % 4]))?;
        got.push(graph.replay(&[&x, &y])?);
    }
    for (turn, got) in got.iter().enumerate() {
        let want = step(rates[turn % 4])(&[&x, &y])?;
        compare(&got[0], &gpu.fetch(&want[0])?, Exactness::Same)?;
    }
    Ok(())
}

/// The other one of the GPU and the CPU.
fn elsewhere(x: &Tensor) -> Arc<dyn syntonic_core::Device> {
    match x.device_id() {
        DeviceId::Cpu => syntonic_cuda::device(0).unwrap_or_else(|_| cpu()),
        _ => cpu(),
    }
}

fn typed(gpu: &Gpu) -> Result<Arc<Cuda>> {
    match gpu.device.id() {
        DeviceId::Cuda(ordinal) => Ok(syntonic_cuda::open(ordinal)?),
        other => bail!("{other} has no streams"),
    }
}

/// A graph that was captured with one stream, and replayed on several with operands of others.
fn streams(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 20], 3)?;
    let early = Graph::capture(&[&x, &y], many)?;
    let cuda = typed(gpu)?;
    let streams = [Stream::new(&cuda)?, Stream::new(&cuda)?];
    let late = {
        let _current = streams[0].enter();
        Graph::capture(&[&x, &y], many)?
    };
    let want = gpu.fetch(&many(&[&many(&[&x, &y])?[0], &y])?[0])?;
    for turn in 0..20 {
        let between = {
            let _current = streams[turn % 2].enter();
            early.replay(&[&x, &y])?
        };
        let _current = streams[(turn / 2) % 2].enter();
        let end = late.replay(&[&between[0], &y])?;
        drop(between);
        compare(&end[0], &want, Exactness::Same)?;
    }
    Ok(())
}

fn another_thread(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 16], 3)?;
    let graph = Graph::capture(&[&x, &y], maps)?;
    thread::scope(|scope| {
        let looks: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..20).try_for_each(|_| look(gpu, &graph, &[&y, &x], maps))))
            .collect();
        looks.into_iter().try_for_each(|look| {
            let looked = look.join();
            looked.ok().context("a thread panicked")?
        })
    })
}

/// Other threads use the GPU, allocate and give memory back, while one captures.
fn while_others_work(gpu: &Gpu) -> Result<()> {
    let [x, y] = operands(gpu, DType::F32, &[1 << 16], 3)?;
    let graph = Graph::capture(&[&x, &y], |i| {
        let before = maps(i)?;
        let (a, b, device) = (x.clone(), y.clone(), gpu.device.clone());
        let other = thread::spawn(move || -> syntonic_core::Result<Vec<f32>> {
            let sums = folds(&[&a.reshape(&[256, 256])?, &b.reshape(&[256, 256])?])?;
            device.trim();
            let large = Tensor::full_on(&[5 << 20], 1.0, DType::F32, &device)?;
            drop((&large * 2.0).eval()?);
            sums[0].to_vec()
        });
        let joined = other.join();
        joined.map_err(|_| Error::value("check", "a thread panicked"))??;
        maps(&[&before[0], i[1]])
    })?;
    let twice: Function = |i| maps(&[&maps(i)?[0], i[1]]);
    look(gpu, &graph, &[&y, &x], twice)
}
