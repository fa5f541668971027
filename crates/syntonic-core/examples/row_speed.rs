//! Milliseconds of formulas over rows that are written as calls: fused, as they are read, and one call after another.
//! `cargo run --release -p syntonic-core --example row_speed [rows length [name]]`

use std::time::Instant;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::GELU;
use syntonic_core::ops::elementwise::{Arg, apply, composite};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::random::Generator;
use syntonic_core::{Result, Tensor};

/// What happens to each result of a call.
type See = fn(Result<Tensor>) -> Result<Tensor>;
/// A formula written as calls.
type Formula = fn(&Operands, See) -> Result<Tensor>;

/// What the formulas take.
struct Operands {
    /// `[rows, length]`, of standard normal numbers.
    x: Tensor,
    /// Another one.
    y: Tensor,
    /// Four of five are true.
    mask: Tensor,
    /// `[length]`.
    gain: Tensor,
    /// `[length]`.
    shift: Tensor,
    /// `[rows]`.
    target: Tensor,
}

const FORMULAS: [(&str, Formula); 12] = [
    ("softmax", |o, see| softmax(&o.x, see)),
    ("masked_softmax", |o, see| {
        let low = Arg::from(f64::NEG_INFINITY);
        softmax(
            &see(apply(Prim::Select, &[(&o.mask).into(), (&o.x).into(), low]))?,
            see,
        )
    }),
    ("rms_norm", |o, see| {
        let m = see(reduce::mean(&two(Prim::Mul, &o.x, &o.x, see)?, &rows()))?;
        let m = number(Prim::Add, &m, 1e-5, see)?;
        two(Prim::Mul, &o.x, &one(Prim::Rsqrt, &m, see)?, see)
    }),
    ("layer_norm", |o, see| {
        let y = two(Prim::Mul, &normalised(&o.x, see)?, &o.gain, see)?;
        two(Prim::Add, &y, &o.shift, see)
    }),
    ("standard_rows", |o, see| standard(&o.x, &rows(), see)),
    ("standard_columns", |o, see| {
        standard(&o.x, &Over::axes(&[0]).keep(), see)
    }),
    ("logsumexp_loss", |o, see| {
        let l = see(reduce::logsumexp(&o.x, &Over::axes(&[-1])))?;
        see(reduce::mean(
            &two(Prim::Sub, &l, &o.target, see)?,
            &Over::all(),
        ))
    }),
    ("squared_error", |o, see| {
        let d = two(Prim::Sub, &o.x, &o.y, see)?;
        see(reduce::mean(&one(Prim::Square, &d, see)?, &Over::all()))
    }),
    ("distances", |o, see| {
        let d = two(Prim::Sub, &o.x, &o.gain, see)?;
        sum(&one(Prim::Square, &d, see)?, see)
    }),
    ("cosine", |o, see| {
        let dot = sum(&two(Prim::Mul, &o.x, &o.y, see)?, see)?;
        let a = one(Prim::Sqrt, &sum(&one(Prim::Square, &o.x, see)?, see)?, see)?;
        let b = one(Prim::Sqrt, &sum(&one(Prim::Square, &o.y, see)?, see)?, see)?;
        two(Prim::Div, &dot, &two(Prim::Mul, &a, &b, see)?, see)
    }),
    ("gelu_of_norm", |o, see| {
        let z = normalised(&o.x, see)?;
        see(composite(GELU.name, GELU.build, &[(&z).into()]))
    }),
    ("entropy", |o, see| {
        let p = softmax(&o.x, see)?;
        let terms = two(Prim::Mul, &p, &one(Prim::Log, &p, see)?, see)?;
        one(Prim::Neg, &sum(&terms, see)?, see)
    }),
];

fn rows() -> Over {
    Over::axes(&[-1]).keep()
}

fn one(prim: Prim, a: &Tensor, see: See) -> Result<Tensor> {
    see(apply(prim, &[a.into()]))
}

fn two(prim: Prim, a: &Tensor, b: &Tensor, see: See) -> Result<Tensor> {
    see(apply(prim, &[a.into(), b.into()]))
}

fn number(prim: Prim, a: &Tensor, x: f64, see: See) -> Result<Tensor> {
    see(apply(prim, &[a.into(), Arg::from(x)]))
}

fn sum(x: &Tensor, see: See) -> Result<Tensor> {
    see(reduce::sum(x, &rows(), None))
}

fn softmax(x: &Tensor, see: See) -> Result<Tensor> {
    let d = two(Prim::Sub, x, &see(reduce::max(x, &rows()))?, see)?;
    let e = one(Prim::Exp, &d, see)?;
    two(Prim::Div, &e, &sum(&e, see)?, see)
}

fn normalised(x: &Tensor, see: See) -> Result<Tensor> {
    let d = two(Prim::Sub, x, &see(reduce::mean(x, &rows()))?, see)?;
    let var = number(Prim::Add, &see(reduce::var(x, &rows(), 0.0))?, 1e-5, see)?;
    two(Prim::Mul, &d, &one(Prim::Rsqrt, &var, see)?, see)
}

fn standard(x: &Tensor, over: &Over, see: See) -> Result<Tensor> {
    let d = two(Prim::Sub, x, &see(reduce::mean(x, over))?, see)?;
    two(Prim::Div, &d, &see(reduce::std(x, over, 0.0))?, see)
}

fn operands(rows: usize, length: usize) -> Result<Operands> {
    let draw = |shape: &[usize], stream: u64| {
        let mut values = vec![0f32; shape.iter().product()];
        Generator::new(stream).normal_f32(&mut values);
        Tensor::from_vec(values, shape)
    };
    let mask = apply(
        Prim::Lt,
        &[(&draw(&[rows, length], 3)?).into(), Arg::from(0.84)],
    )?;
    Ok(Operands {
        x: draw(&[rows, length], 1)?,
        y: draw(&[rows, length], 2)?,
        mask: mask.eval()?,
        gain: draw(&[length], 4)?,
        shift: draw(&[length], 5)?,
        target: draw(&[rows], 6)?,
    })
}

fn main() -> Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let length = |at: usize, or: usize| given.get(at).and_then(|a| a.parse().ok()).unwrap_or(or);
    let (rows, length) = (length(0, 512), length(1, 1024));
    let operands = operands(rows, length)?;
    println!("[{rows}, {length}] float32");
    for (name, formula) in FORMULAS {
        if given.get(2).is_some_and(|wanted| wanted != name) {
            continue;
        }
        let fused = best(|| formula(&operands, |t| t)?.eval())?;
        let single = best(|| formula(&operands, |t| t?.eval()))?;
        println!("{name:18} fused {fused:8.3} ms, one by one {single:8.3} ms");
    }
    Ok(())
}

/// The best of the runs of half a second.
fn best(run: impl Fn() -> Result<Tensor>) -> Result<f64> {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < 0.5 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(best)
}
