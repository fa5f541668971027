//! Half types within expressions: where they are rounded hangs on the text alone.

#[path = "lazy_random/graph/each.rs"]
mod each;

use each::Each;
use syntonic_core::fuse::Prim;
use syntonic_core::grad::vjp;
use syntonic_core::lazy::KEPT_BYTES;
use syntonic_core::ops::composites::{GELU, SILU};
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::prelude::*;
use syntonic_core::random::Generator;
use syntonic_core::{Graph, Result};

/// Random programs that are compared.
const PROGRAMS: u64 = 10_000;
/// Every so many of them are compared over many rows as well.
const TALL: u64 = 16;
const ROWS: usize = 3;
const ROW: usize = 5;

/// One operation over earlier values.
#[derive(Clone, Copy, Debug)]
struct Step {
    what: u32,
    a: usize,
    b: usize,
    number: f64,
}

/// A program over two matrices of half types; the last value is its result.
#[derive(Clone, Debug)]
struct Script {
    types: [DType; 2],
    steps: Vec<Step>,
}

fn words(g: &mut Generator) -> [u32; 4] {
    let mut words = [0; 4];
    g.bits_u32(&mut words);
    words
}

impl Script {
    fn draw(seed: u64) -> Script {
        let mut g = Generator::new(seed);
        let [first, second, length, long] = words(&mut g);
        let of = |word: u32| [DType::BF16, DType::F16][word as usize % 2];
        // Some are longer than an expression may be.
        let most = if long.is_multiple_of(32) { 90 } else { 12 };
        let steps = (0..2 + length as usize % most).map(|k| {
            let [what, a, b, number] = words(&mut g);
            Step {
                what: what % 20,
                a: k + 1 - a as usize % (k + 2).min(4),
                b: b as usize % (k + 2),
                number: f64::from(number % 2048) / 64.0 - 16.0,
            }
        });
        Script {
            types: [of(first), of(second)],
            steps: steps.collect(),
        }
    }

    /// Matrices of some rows, of which the first ones are those of any others.
    fn operands(&self, rows: usize, seed: u64) -> [Tensor; 2] {
        [0, 1].map(|k| {
            let mut g = Generator::new(seed + k);
            let mut values = vec![0f64; rows * ROW];
            g.uniform_f64(&mut values);
            let scaled: Vec<f64> = values.iter().map(|v| v * 8.0 - 4.0).collect();
            let x = Tensor::from_vec(scaled, &[rows, ROW]).unwrap();
            x.cast(self.types[k as usize]).unwrap().eval().unwrap()
        })
    }

    fn run(&self, operands: &[Tensor], see: fn(Tensor) -> Result<Tensor>) -> Result<Tensor> {
        let mut values: Vec<Tensor> = operands.to_vec();
        for step in &self.steps {
            let made = step.of(&values[step.a], &values[step.b], see)?;
            values.push(made);
        }
        let last = values.len() - 1;
        Ok(values.swap_remove(last))
    }
}

impl Step {
    fn of(&self, a: &Tensor, b: &Tensor, see: fn(Tensor) -> Result<Tensor>) -> Result<Tensor> {
        let number = Arg::from(self.number);
        let one = |prim, x: &Tensor| apply(prim, &[x.into()]).and_then(see);
        let two = |prim, x: &Tensor, y: &Tensor| apply(prim, &[x.into(), y.into()]).and_then(see);
        let by = |prim, x: &Tensor| apply(prim, &[x.into(), number]).and_then(see);
        let rows = Over::axes(&[-1]).keep();
        match self.what {
            0 => two(Prim::Add, a, b),
            1 => two(Prim::Sub, a, b),
            2 => two(Prim::Mul, a, b),
            3 => two(Prim::Max, a, b),
            4 => by(Prim::Add, a),
            5 => by(Prim::Sub, a),
            6 => by(Prim::Mul, a),
            7 => one(Prim::Exp, &one(Prim::Neg, &one(Prim::Abs, a)?)?),
            8 => one(Prim::Sqrt, &one(Prim::Abs, a)?),
            9 => composite(SILU.name, SILU.build, &[a.into()]).and_then(see),
            10 => composite(GELU.name, GELU.build, &[a.into()]).and_then(see),
            11 => two(Prim::Sub, a, &see(reduce::max(b, &rows)?)?),
            12 => two(Prim::Mul, a, &see(reduce::mean(b, &rows)?)?),
            13 => two(Prim::Add, a, &see(reduce::sum(b, &rows, None)?)?),
            14 => a.cast(DType::F32)?.cast(a.dtype()).and_then(see),
            15 => a.cast([DType::BF16, DType::F16][self.b % 2]).and_then(see),
            16 => {
                let more = by(Prim::Gt, b)?;
                apply(Prim::Select, &[(&more).into(), a.into(), b.into()]).and_then(see)
            }
            17 => {
                a.stop_gradient().eval()?;
                two(Prim::Add, a, b)
            }
            18 => {
                let before = by(Prim::Mul, b)?;
                b.stop_gradient().eval()?;
                two(Prim::Add, &before, a)
            }
            _ => {
                let turned = a.transpose(0, 1)?;
                let turned = by(Prim::Mul, &turned)?;
                turned.transpose(0, 1)
            }
        }
    }
}

/// All values, every NaN being one.
fn bits(x: &Tensor) -> Vec<u64> {
    let values: Vec<f64> = x.to_vec().unwrap();
    let bits = |v: &f64| if v.is_nan() { u64::MAX } else { v.to_bits() };
    values.iter().map(bits).collect()
}

fn plain(script: &Script, operands: &[Tensor; 2]) -> Vec<u64> {
    bits(&script.run(operands, Ok).unwrap())
}

/// The value beside slopes, which are read before it or not at all.
fn on_a_tape(script: &Script, [x, y]: &[Tensor; 2], seed: u64) -> Option<Vec<u64>> {
    let run = |v: &[Tensor]| Ok(vec![script.run(v, Ok)?]);
    let (values, back) = vjp(run, &[x, y]).unwrap();
    if seed.is_multiple_of(2) {
        let ones = Tensor::ones(values[0].shape(), values[0].dtype()).unwrap();
        for slope in back.pull(&[&ones]).ok()? {
            slope.eval().unwrap();
        }
    }
    Some(bits(&values[0]))
}

fn captured(script: &Script, [x, y]: &[Tensor; 2]) -> Vec<u64> {
    let run = |v: &[&Tensor]| Ok(vec![script.run(&[v[0].clone(), v[1].clone()], Ok)?]);
    let graph = Graph::capture(&[x, y], run).unwrap();
    bits(&graph.replay(&[x, y]).unwrap()[0])
}

/// Does `work` while another thread has reductions that wait and keep as much as they may.
fn beside_kept_memory(work: impl FnOnce()) {
    let (started, is_started) = std::sync::mpsc::channel();
    let (over, is_over) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let rows = Tensor::zeros(&[2, KEPT_BYTES / 4], DType::F32).unwrap();
            let sums = reduce::sum(&(&rows + 1.0), &Over::axes(&[-1]), None).unwrap();
            assert!(sums.is_pending());
            started.send(()).unwrap();
            let _ = is_over.recv();
        });
        is_started.recv().unwrap();
        work();
        drop(over);
    });
}

#[test]
fn programs_have_the_same_bits_however_they_are_run() {
    let scripts: Vec<(u64, Script)> = (0..PROGRAMS).map(|s| (s, Script::draw(s))).collect();
    let mut first: Vec<Vec<u64>> = Vec::new();
    let mut on_tapes = 0;
    for (seed, script) in &scripts {
        let operands = script.operands(ROWS, *seed);
        let want = plain(script, &operands);
        let name = |how: &str| format!("{how}: {seed} {script:?}");
        assert_eq!(captured(script, &operands), want, "{}", name("captured"));
        if let Some(got) = on_a_tape(script, &operands, *seed) {
            assert_eq!(got, want, "{}", name("on a tape"));
            on_tapes += 1;
        }
        let cold = std::thread::scope(|s| s.spawn(|| plain(script, &operands)).join());
        assert_eq!(cold.unwrap(), want, "{}", name("in a new thread"));
        if seed % TALL == 0 {
            let operands = script.operands(2000, *seed);
            let got = plain(script, &operands);
            assert_eq!(got[..want.len()], want, "{}", name("over many rows"));
        }
        first.push(want);
    }
    assert!(on_tapes * 2 > PROGRAMS, "{on_tapes}");
    beside_kept_memory(|| {
        for ((seed, script), want) in scripts.iter().zip(&first) {
            let got = plain(script, &script.operands(ROWS, *seed));
            assert_eq!(got, *want, "beside kept memory: {seed} {script:?}");
        }
    });
}

#[test]
fn each_operator_rounds_where_that_is_asked_for() {
    let _each = Each::begin();
    for seed in 0..PROGRAMS / 10 {
        let script = Script::draw(seed);
        let operands = script.operands(ROWS, seed);
        let alone = script.run(&operands, |t| t.eval()).unwrap();
        assert_eq!(plain(&script, &operands), bits(&alone), "{seed} {script:?}");
    }
}

fn small(dtype: DType) -> Tensor {
    Tensor::full(&[3], 0.5, dtype).unwrap()
}

#[test]
fn a_program_rounds_where_its_text_stores() {
    for (dtype, large) in [(DType::BF16, 256.0), (DType::F16, 4096.0)] {
        let x = small(dtype);
        let values = |t: &Tensor| t.to_vec::<f64>().unwrap();
        let (kept, lost) = ([0.5; 3], [0.0; 3]);
        assert_eq!(values(&(&x + large - large)), kept);
        {
            let _each = Each::begin();
            assert_eq!(values(&(&x + large - large)), lost);
        }
        // A conversion rounds, and goes on as float32.
        let y = &x + large;
        assert_eq!(values(&(y.cast(dtype).unwrap() - large)), lost);
        assert_eq!(values(&(y.cast(DType::F32).unwrap() - large)), kept);
        assert_eq!(values(&(&y - large)), kept);
        // Once somebody has read it, readers see what is stored.
        assert_eq!(values(&y), [large; 3]);
        assert_eq!(values(&(&y - large)), lost);
        // Those that were made before go on from what was not read.
        let y = &x + large;
        let (z, more) = (&y - large, &y - (large - 1.0));
        assert_eq!(values(&y), [large; 3]);
        assert_eq!(values(&z), kept);
        assert_eq!(values(&(more + 1.0 - 2.0)), kept);
        // A view is one of what is stored; repetition and axes of length 1 are none.
        let y = &x + large;
        assert_eq!(values(&(y.flip(&[0]).unwrap() - large)), lost);
        let y = &x + large;
        let rows = y.broadcast_to(&[2, 3]).unwrap() - large;
        assert_eq!(values(&rows), [0.5; 6]);
        // So are results of one element.
        let total = reduce::sum(&(&x + large), &Over::all(), None).unwrap();
        assert_eq!(values(&(total - 3.0 * large)), [1.5]);
    }
}

#[test]
fn long_expressions_are_cut_without_rounding() {
    let x = small(DType::BF16);
    let mut y = x.clone();
    for _ in 0..500 {
        y = &y + 256.0 - 256.0;
    }
    assert_eq!(y.to_vec::<f64>().unwrap(), [0.5; 3]);
    // What is written in place was read before, and is not rounded by that.
    let mut z = small(DType::BF16);
    let sum = &z + 256.0;
    z.assign(&Tensor::scalar(7.0, DType::BF16).unwrap())
        .unwrap();
    assert_eq!((sum - 256.0).to_vec::<f64>().unwrap(), [0.5; 3]);
}

#[test]
fn slopes_read_what_would_be_stored() {
    // The slope of y^2 / 2 is y, of which bfloat16 has 256 for 256.5.
    let x = small(DType::BF16);
    for read in [false, true] {
        let run = |v: &[Tensor]| {
            let y = &v[0] + 256.0;
            if read {
                y.stop_gradient().eval()?;
            }
            Ok(vec![y.square()? * 0.5])
        };
        let (_, back) = vjp(run, &[&x]).unwrap();
        let slope = back
            .pull(&[&Tensor::ones(&[3], DType::BF16).unwrap()])
            .unwrap();
        assert_eq!(slope[0].to_vec::<f64>().unwrap(), [256.0; 3], "{read}");
    }
}
