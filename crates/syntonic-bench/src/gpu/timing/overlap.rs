//! What goes on at the same time: copies in, products and copies out on three streams; a product beside copies; a copy from one GPU to another
//! beside the work of both. Each is measured alone and together, in one process that has the GPU to itself, and each result is compared.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde::Serialize;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::{Device, Tensor};
use syntonic_cuda::{Cuda, Stream, copies, device_count, peer_access, pinned};

use crate::gpu::{Exactness, compare};

/// Rows and columns of a chunk and of what it is multiplied by: 16 MiB of `float32`, which a product takes about as long for as PCIe.
const SIZE: usize = 2048;
/// Chunks of a run: the first copy in and the last copy out have nothing beside them, which is 2 of 50 steps.
const CHUNKS: usize = 48;
/// Chunks whose memory is kept, on the GPU and on the host: with fewer a copy waits for the memory that a product still reads.
const KEPT: usize = 4;
/// Runs, of which the median counts.
const RUNS: usize = 7;
/// The least part of the longest of the three in the time of all three together.
const LEAST: f64 = 0.88;
/// The least part of the shorter of two that is hidden behind the longer. Copy engines are no multiprocessors, and a copy takes a
/// fiftieth of the memory's bandwidth, so nearly all of it could be; half is left for a busy host.
const LEAST_HIDDEN: f64 = 0.5;

/// What came of it.
#[derive(Debug, Default, Serialize)]
pub struct Overlap {
    /// The GPU.
    pub gpu: String,
    /// Milliseconds, and parts of 1, by name.
    pub figures: BTreeMap<String, f64>,
    /// What was wrong.
    pub failed: Vec<String>,
}

/// A part: looks, and adds its figures.
type Part = fn(&Arc<Cuda>, &mut Overlap) -> Result<()>;

/// Measures on the first GPU, and between the first two where there are two.
///
/// # Errors
/// Where there is no GPU. What is wrong is in the outcome.
pub fn overlap() -> Result<Overlap> {
    let gpu = syntonic_cuda::open(0)?;
    let mut outcome = Overlap {
        gpu: gpu.context().name()?,
        ..Overlap::default()
    };
    let parts: [(&str, Part); 3] = [
        ("in, work, out", three_streams),
        ("a product beside copies", product_beside_copies),
        ("a copy between GPUs", between_gpus),
    ];
    for (name, part) in parts {
        if let Err(error) = part(&gpu, &mut outcome) {
            outcome.failed.push(format!("{name}: {error:#}"));
        }
    }
    println!("{outcome:#?}");
    Ok(outcome)
}

impl Overlap {
    fn tell(&mut self, name: &str, value: f64) {
        self.figures.insert(name.to_owned(), value);
    }

    /// Notes two times alone and the time together: how much of the shorter one is hidden, at least half of it.
    fn hidden(&mut self, name: &str, [a, b, both]: [f64; 3]) -> Result<()> {
        let hidden = (a + b - both) / a.min(b);
        let told = [
            ("first", a),
            ("second", b),
            ("both", both),
            ("hidden", hidden),
        ];
        for (what, value) in told {
            self.tell(&format!("{name}/{what}"), value);
        }
        ensure!(
            hidden >= LEAST_HIDDEN,
            "{hidden:.3} of the shorter one is hidden: {a:.3} and {b:.3} ms alone, {both:.3} ms together"
        );
        Ok(())
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// Milliseconds on the host from nothing to the end of all work.
fn clocked(gpus: &[&Arc<Cuda>], work: impl Fn() -> Result<()>) -> Result<f64> {
    let mut all = Vec::new();
    for run in 0..=RUNS {
        gpus.iter().try_for_each(|gpu| gpu.synchronize())?;
        let start = Instant::now();
        work()?;
        gpus.iter().try_for_each(|gpu| gpu.synchronize())?;
        // The first run takes memory and loads kernels.
        if run > 0 {
            all.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(median(all))
}

fn values(seed: usize) -> Result<Tensor> {
    // Small whole numbers: a product of them is exact in any order.
    let number = |k: usize| ((k * 7 + seed * 13) % 5) as f32 - 2.0;
    Ok(Tensor::from_vec(
        (0..SIZE * SIZE).map(number).collect(),
        &[SIZE, SIZE],
    )?)
}

/// Chunks of the host, what they are multiplied by, and three streams.
struct Line {
    bring: Stream,
    work: Stream,
    take: Stream,
    chunks: Vec<Tensor>,
    factor: Tensor,
}

/// Which of the three are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    In,
    Work,
    Out,
    /// In and out, with no work between.
    Copies,
    All,
}

impl Line {
    fn new(gpu: &Arc<Cuda>) -> Result<Line> {
        let device: Arc<dyn Device> = gpu.clone();
        let chunks = (0..KEPT).map(|k| Ok(pinned::pin(gpu, &values(k)?)?));
        Ok(Line {
            bring: Stream::new(gpu)?,
            work: Stream::new(gpu)?,
            take: Stream::new(gpu)?,
            chunks: chunks.collect::<Result<_>>()?,
            factor: values(KEPT)?.to(&device)?,
        })
    }

    fn bring(&self, k: usize, gpu: &Arc<Cuda>) -> Result<Tensor> {
        let _current = self.bring.enter();
        Ok(copies::upload(gpu, &self.chunks[k % KEPT])?)
    }

    fn work(&self, x: &Tensor) -> Result<Tensor> {
        let _current = self.work.enter();
        Ok(matmul(x, &self.factor)?.eval()?)
    }

    fn take(&self, y: &Tensor) -> Result<Tensor> {
        let _current = self.take.enter();
        Ok(copies::download(y)?)
    }

    /// Milliseconds on the GPU from the beginning of the first step to the end of the last, and the last results.
    fn run(&self, gpu: &Arc<Cuda>, stage: Stage) -> Result<(f64, VecDeque<Tensor>)> {
        let here = self.bring(0, gpu)?;
        let there = self.work(&here)?;
        for stream in [&self.bring, &self.work, &self.take] {
            stream.synchronize()?;
        }
        let (first, last) = match stage {
            Stage::In => (&self.bring, &self.bring),
            Stage::Work => (&self.work, &self.work),
            Stage::Out => (&self.take, &self.take),
            Stage::Copies | Stage::All => (&self.bring, &self.take),
        };
        let start = first.record()?;
        let (mut kept, mut results) = (VecDeque::new(), VecDeque::new());
        for k in 0..CHUNKS {
            match stage {
                Stage::In => kept.push_back([self.bring(k, gpu)?, here.clone()]),
                Stage::Work => kept.push_back([here.clone(), self.work(&here)?]),
                Stage::Out => results.push_back(self.take(&there)?),
                Stage::Copies => {
                    kept.push_back([self.bring(k, gpu)?, here.clone()]);
                    results.push_back(self.take(&there)?);
                }
                Stage::All => {
                    let x = self.bring(k, gpu)?;
                    let y = self.work(&x)?;
                    results.push_back(self.take(&y)?);
                    kept.push_back([x, y]);
                }
            }
            // What is kept longer than a step is used by nobody any more when its memory is taken again.
            while kept.len() > KEPT {
                kept.pop_front();
            }
            while results.len() > KEPT {
                results.pop_front();
            }
        }
        let end = last.record()?;
        Ok((f64::from(end.elapsed_ms(&start)?), results))
    }

    fn median(&self, gpu: &Arc<Cuda>, stage: Stage) -> Result<f64> {
        self.run(gpu, stage)?;
        let runs = (0..RUNS).map(|_| Ok(self.run(gpu, stage)?.0));
        Ok(median(runs.collect::<Result<_>>()?))
    }
}

/// Copies in, products and copies out take little longer together than the longest of them alone.
fn three_streams(gpu: &Arc<Cuda>, outcome: &mut Overlap) -> Result<()> {
    let line = Line::new(gpu)?;
    let mut longest = 0.0f64;
    for (name, stage) in [
        ("in", Stage::In),
        ("work", Stage::Work),
        ("out", Stage::Out),
    ] {
        let alone = line.median(gpu, stage)?;
        outcome.tell(&format!("streams/{name}_alone"), alone);
        longest = longest.max(alone);
    }
    // How much the two directions of the bus are in each other's way is no matter of streams.
    outcome.tell("streams/copies_together", line.median(gpu, Stage::Copies)?);
    let all = line.median(gpu, Stage::All)?;
    outcome.tell("streams/together", all);
    outcome.tell("streams/overlap", longest / all);
    let (_, results) = line.run(gpu, Stage::All)?;
    ensure!(results.len() == KEPT, "{} results", results.len());
    for (k, y) in (CHUNKS - KEPT..).zip(&results) {
        let want = line.work(&line.bring(k, gpu)?)?;
        compare(y, &want.to(&syntonic_core::cpu())?, Exactness::Same)?;
    }
    ensure!(
        longest / all >= LEAST,
        "{:.3} of the longest: {longest:.3} ms alone, {all:.3} ms together",
        longest / all
    );
    Ok(())
}

/// A product is asked for and goes on while another stream copies; the host waits for neither.
fn product_beside_copies(gpu: &Arc<Cuda>, outcome: &mut Overlap) -> Result<()> {
    const TIMES: usize = 16;
    let line = Line::new(gpu)?;
    let x = line.bring(0, gpu)?;
    let (mut products, mut copies, mut both, mut asked) = (vec![], vec![], vec![], vec![]);
    let several = |step: &dyn Fn() -> Result<Tensor>| -> Result<Vec<Tensor>> {
        (0..TIMES).map(|_| step()).collect()
    };
    for run in 0..=RUNS {
        gpu.synchronize()?;
        let timed = |works: bool, copies: bool| -> Result<[f64; 2]> {
            for stream in [&line.work, &line.bring] {
                stream.synchronize()?;
            }
            let host = Instant::now();
            // Both begin at the same event, and the later end counts.
            let start = line.work.record()?;
            line.bring.wait(&start)?;
            let mut results: Vec<Tensor> = Vec::new();
            if works {
                results = several(&|| line.work(&x))?;
            }
            if copies {
                results.extend(several(&|| line.bring(1, gpu))?);
            }
            let asked = host.elapsed().as_secs_f64() * 1e3;
            let ends = [line.work.record()?, line.bring.record()?];
            let mut longest = 0.0f64;
            for end in &ends {
                longest = longest.max(f64::from(end.elapsed_ms(&start)?));
            }
            drop(results);
            Ok([longest, asked])
        };
        let (a, b, c) = (timed(true, false)?, timed(false, true)?, timed(true, true)?);
        if run > 0 {
            products.push(a[0]);
            copies.push(b[0]);
            both.push(c[0]);
            asked.push(c[1]);
        }
    }
    outcome.tell("product/asked", median(asked));
    let times = [median(products), median(copies), median(both)];
    outcome.hidden("product", times)?;
    let y = line.work(&x)?.to(&syntonic_core::cpu())?;
    let want = matmul(&line.chunks[0], &line.factor.to(&syntonic_core::cpu())?)?;
    compare(&y, &want.eval()?, Exactness::Same)
}

/// A copy to another GPU hides behind the work of the one that it comes from.
fn between_gpus(gpu: &Arc<Cuda>, outcome: &mut Overlap) -> Result<()> {
    /// `float32` of a copy: 512 MiB.
    const MANY: usize = 128 << 20;
    if device_count() < 2 {
        return Ok(());
    }
    let other = syntonic_cuda::open(1)?;
    let device: Arc<dyn Device> = gpu.clone();
    outcome.tell("peers/direct", f64::from(u8::from(peer_access(1, 0)?)));
    let sent = Tensor::full_on(&[MANY], 1.5, syntonic_core::DType::F32, &device)?.eval()?;
    let factor = values(1)?.to(&device)?;
    let send = || -> Result<()> {
        copies::upload(&other, &sent)?;
        Ok(())
    };
    let work = || -> Result<()> {
        for _ in 0..8 {
            matmul(&factor, &factor)?.eval()?;
        }
        Ok(())
    };
    let both = [gpu, &other];
    let times = [
        clocked(&both, send)?,
        clocked(&both, work)?,
        clocked(&both, || {
            send()?;
            work()
        })?,
    ];
    outcome.tell("peers/gb_per_second", MANY as f64 * 4.0 / times[0] / 1e6);
    let there = copies::upload(&other, &sent)?;
    let here = there.to(&syntonic_core::cpu())?;
    ensure!(here.host_slice::<f32>()?.iter().all(|&x| x == 1.5));
    outcome.hidden("peers", times)
}
