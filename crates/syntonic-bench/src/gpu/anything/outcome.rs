//! What comes of the programs of a seed.

use std::sync::Arc;

use anyhow::{Result, ensure};
use serde::Serialize;
use syntonic_core::fuse::Prim;
use syntonic_core::lazy::{Evaluation, set_evaluation};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Device, Tensor, cpu, profile};
use syntonic_cuda::Cuda;

use super::class::Class;
use super::clock::{Arithmetic, Copies, micros};
use super::draw;
use super::estimate::{self, Estimate};
use super::possible;
use super::program::{Program, Statement};
use crate::gpu::bounds::wide;

/// Elements of the index space in which a program is compared with exact arithmetic.
const CHECKED: f64 = (1 << 17) as f64;

/// One program's outcome.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    class: Class,
    seed: u64,
    dtype: String,
    /// Which of the two bounds decides: `bytes`, `arithmetic`, or `both` where they are within a factor of 2.
    bound: &'static str,
    bytes: u64,
    /// Microseconds that its bytes or its arithmetic take.
    possible_us: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// What a peer needs to run it.
    program: Program,
}

impl Row {
    /// How much of what is possible it reaches, where it gave a result.
    fn fraction(&self) -> Option<f64> {
        self.us.map(|us| self.possible_us / us)
    }
}

/// Fractions of what is possible, of some programs.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    of: String,
    programs: usize,
    wrong: usize,
    median: f64,
    p5: f64,
    p1: f64,
}

/// Everything that came out.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    gpu: String,
    seed: u64,
    copies: Copies,
    /// Of all, by class, and of those that arithmetic bounds.
    summaries: Vec<Summary>,
    rows: Vec<Row>,
}

/// Draws `count` programs, a class after the other in turn; checks and times each whose class has `only` in its name. One that fails says
/// so and the others go on. Of those that reach less than `shown` of what is possible the launches are printed.
///
/// # Errors
/// What measuring the copies meets.
pub fn anything(
    gpu: &Arc<Cuda>,
    arithmetic: &Arithmetic,
    (seed, count): (u64, usize),
    (only, shown): (&str, f64),
) -> Result<Outcome> {
    let copies = Copies::measured(gpu)?;
    let mut rows = Vec::new();
    for k in 0..count {
        let class = Class::ALL[k % Class::ALL.len()];
        if !format!("{class:?}").contains(only) {
            continue;
        }
        let own = seed.wrapping_mul(1_000_003).wrapping_add(k as u64);
        let program = draw::program(class, own)?;
        let row = one(gpu, &program, own, (&copies, arithmetic))?;
        if row.fraction().is_some_and(|reached| reached < shown) {
            let device: Arc<dyn Device> = gpu.clone();
            let operands = program.draw(&program.shape, own, &device)?;
            show_launches(gpu, || program.run(&operands))?;
        }
        rows.push(row);
        gpu.trim();
    }
    let summaries = summaries(&rows);
    Ok(Outcome {
        gpu: gpu.context().name()?,
        seed,
        copies,
        summaries,
        rows,
    })
}

fn one(
    gpu: &Arc<Cuda>,
    program: &Program,
    seed: u64,
    (copies, arithmetic): (&Copies, &Arithmetic),
) -> Result<Row> {
    let device: Arc<dyn Device> = gpu.clone();
    let work = possible::work(program, &program.shape)?;
    let (moved, computed) = (copies.of(work.bytes), arithmetic.of(&work.steps)?);
    let bound = match moved / computed.max(1e-9) {
        ratio if ratio > 2.0 => "bytes",
        ratio if ratio < 0.5 => "arithmetic",
        _ => "both",
    };
    let right = check(program, seed, &device).and_then(|()| same_at_size(program, seed, &device));
    let time = right.and_then(|()| {
        let operands = program.draw(&program.shape, seed, &device)?;
        micros(gpu, || program.run(&operands))
    });
    let row = Row {
        class: program.class,
        seed,
        dtype: program.operands[0].dtype.clone(),
        bound,
        bytes: work.bytes,
        possible_us: moved.max(computed),
        us: time.as_ref().ok().copied(),
        error: time.err().map(|e| format!("{e:#}")),
        program: program.clone(),
    };
    let fraction = row.fraction().unwrap_or_default();
    println!(
        "{:?} {seed} {} {:?} {:.1} us of {:.1} us: {fraction:.2} {}",
        row.class,
        row.dtype,
        row.program.shape,
        row.possible_us,
        row.us.unwrap_or(f64::NAN),
        row.error.as_deref().unwrap_or("")
    );
    Ok(row)
}

/// Prints what a call launches, and how long each takes.
pub(super) fn show_launches(gpu: &Cuda, call: impl FnOnce() -> Result<Vec<Tensor>>) -> Result<()> {
    gpu.synchronize()?;
    let recording = profile::start();
    let made = call()?;
    let profile = recording.finish()?;
    println!("{profile}");
    for line in &profile.lines {
        for kernel in &line.kernels {
            println!("    {kernel}");
        }
    }
    drop(made);
    Ok(())
}

/// The program of a seed over few elements, on a device beside exact arithmetic.
pub(crate) fn holds(seed: u64, device: &Arc<dyn Device>) -> Result<()> {
    let class = Class::ALL[seed as usize % Class::ALL.len()];
    check(&draw::program(class, seed)?, seed, device)
}

/// The program over a smaller space, on a device beside exact arithmetic.
pub(super) fn check(program: &Program, seed: u64, device: &Arc<dyn Device>) -> Result<()> {
    let shape = smaller(&program.shape);
    let operands = program.draw(&shape, seed, &cpu())?;
    let there: Vec<Tensor> = operands
        .iter()
        .map(|x| x.to(device))
        .collect::<syntonic_core::Result<_>>()?;
    let there = laid_out(program, &shape, &operands, &there)?;
    let wanted = estimate::results(program, &operands)?;
    compared(&program.run(&there)?, &wanted)
}

/// Each result is within its bounds.
fn compared(got: &[Tensor], wanted: &[Estimate]) -> Result<()> {
    ensure!(
        got.len() == wanted.len(),
        "{} results for {}",
        got.len(),
        wanted.len()
    );
    for (got, wanted) in got.iter().zip(wanted) {
        let got = got.to(&cpu())?;
        ensure!(
            got.shape() == wanted.value.shape(),
            "{:?} is no {:?}",
            got.shape(),
            wanted.value.shape()
        );
        within(&got, &wanted.value, &wanted.error)?;
    }
    Ok(())
}

/// A copy to a device is without gaps: the same values in the layout of the program.
fn laid_out(
    program: &Program,
    shape: &[usize],
    operands: &[Tensor],
    there: &[Tensor],
) -> Result<Vec<Tensor>> {
    let mut all = Vec::new();
    for ((operand, here), there) in program.operands.iter().zip(operands).zip(there) {
        let memory = Tensor::zeros_on(&operand.memory(shape), here.dtype(), there.device())?;
        let mut view = operand.view(&memory, shape)?;
        view.assign(there)?;
        all.push(view);
    }
    Ok(all)
}

/// Each element is within its bound.
fn within(got: &Tensor, wanted: &Tensor, error: &Tensor) -> Result<()> {
    let (got, wanted) = (wide(got)?, wide(wanted)?);
    let apart = estimate::size(&estimate::two(Prim::Sub, &got, &wanted)?)?;
    let (apart, error) = (
        apart.to_vec::<f64>()?,
        error.broadcast_to(apart.shape())?.to_vec::<f64>()?,
    );
    let mut worst = None;
    for (k, (apart, error)) in apart.iter().zip(&error).enumerate() {
        // What is no number is further than any bound. Where the bound is none, what agrees is right all the same.
        let fits = apart <= error || *apart == 0.0;
        if !fits {
            worst = Some((k, *apart, *error));
            break;
        }
    }
    if let Some((k, apart, error)) = worst {
        let values = (got.to_vec::<f64>().ok(), wanted.to_vec::<f64>().ok());
        let at = |all: Option<Vec<f64>>| all.map_or(f64::NAN, |all| all[k]);
        anyhow::bail!(
            "element {k}: {} for {}, {apart:e} apart where {error:e} is allowed",
            at(values.0),
            at(values.1)
        );
    }
    Ok(())
}

/// At its own size a program gives the bits of its operations one by one, where no sum is in it and no half type.
fn same_at_size(program: &Program, seed: u64, device: &Arc<dyn Device>) -> Result<()> {
    let folds = program
        .statements
        .iter()
        .any(|s| matches!(s, Statement::Fold(..)));
    let halves = program
        .operands
        .iter()
        .any(|x| x.dtype == "float16" || x.dtype == "bfloat16");
    if folds || halves || program.gradient {
        return Ok(());
    }
    let operands = program.draw(&program.shape, seed, device)?;
    let fused = program.run(&operands)?;
    let single = {
        let _eager = Eager(set_evaluation(Evaluation::Eager));
        program.run(&operands)?
    };
    for (a, b) in fused.iter().zip(&single) {
        let all = reduce::all(&estimate::two(Prim::Eq, a, b)?, &Over::all())?;
        ensure!(
            all.to(&cpu())?.to_scalar::<bool>()?,
            "fused and one by one it is not the same"
        );
    }
    Ok(())
}

/// Puts the former way of evaluation back.
struct Eager(Evaluation);

impl Drop for Eager {
    fn drop(&mut self) {
        set_evaluation(self.0);
    }
}

/// Lengths in about the same proportions, for few elements.
fn smaller(shape: &[usize]) -> Vec<usize> {
    let all: f64 = shape.iter().map(|&n| n as f64).product();
    let part = (CHECKED / all).min(1.0).powf(1.0 / shape.len() as f64);
    let each = shape.iter();
    each.map(|&n| ((n as f64 * part).round() as usize).clamp(n.min(2), n))
        .collect()
}

fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut all = vec![summary("all", rows.iter())];
    for class in Class::ALL {
        all.push(summary(
            &format!("{class:?}"),
            rows.iter().filter(|row| row.class == class),
        ));
    }
    all.push(summary(
        "bound by arithmetic",
        rows.iter().filter(|row| row.bound != "bytes"),
    ));
    all
}

fn summary<'a>(of: &str, rows: impl Iterator<Item = &'a Row>) -> Summary {
    let rows: Vec<&Row> = rows.collect();
    let mut fractions: Vec<f64> = rows.iter().filter_map(|row| row.fraction()).collect();
    fractions.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = (part * fractions.len() as f64) as usize;
        fractions
            .get(place.min(fractions.len().saturating_sub(1)))
            .copied()
            .unwrap_or(f64::NAN)
    };
    Summary {
        of: of.into(),
        programs: rows.len(),
        wrong: rows.iter().filter(|row| row.error.is_some()).count(),
        median: at(0.5),
        p5: at(0.05),
        p1: at(0.01),
    }
}

impl Outcome {
    /// Programs that gave a wrong result or none.
    pub fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| row.error.is_some()).count()
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{:20} {:>8} {:>6} {:>7} {:>5} {:>5}",
            "of", "programs", "wrong", "median", "p5", "p1"
        )?;
        for s in &self.summaries {
            writeln!(
                f,
                "{:20} {:>8} {:>6} {:>7.2} {:>5.2} {:>5.2}",
                s.of, s.programs, s.wrong, s.median, s.p5, s.p1
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_programs_are_within_their_bounds() {
        let programs = std::env::var("SYNTONIC_ANYTHING").ok();
        let count = programs.and_then(|text| text.parse().ok()).unwrap_or(40);
        let mut failed = Vec::new();
        for k in 0..count {
            if let Err(wrong) = holds(k as u64, &cpu()) {
                let class = Class::ALL[k % Class::ALL.len()];
                let program = draw::program(class, k as u64).unwrap();
                let program = serde_json::to_string(&program).unwrap();
                failed.push(format!("{class:?} {k}: {wrong:#}\n{program}"));
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    #[test]
    fn a_seed_says_the_program_and_a_class_what_is_in_it() {
        for k in 0..200 {
            let class = Class::ALL[k % Class::ALL.len()];
            let program = draw::program(class, k as u64).unwrap();
            let again = draw::program(class, k as u64).unwrap();
            let text = |p: &Program| serde_json::to_string(p).unwrap();
            assert_eq!(text(&program), text(&again));
            let folds = program
                .statements
                .iter()
                .filter(|s| matches!(s, Statement::Fold(..)))
                .count();
            let (least, most) = class.folds();
            assert!(
                folds >= least.min(1) && folds <= most,
                "{class:?} {k}: {folds}"
            );
            let lengths = possible::lengths(&program, &program.shape);
            assert!(lengths.len() >= 5, "{class:?} {k}");
            let work = possible::work(&program, &program.shape).unwrap();
            assert!(work.bytes > 1 << 19, "{class:?} {k}: {}", work.bytes);
        }
    }

    #[test]
    fn zeros_are_no_result() {
        let mut passed = Vec::new();
        for k in 0..40 {
            let program = draw::program(Class::ALL[k % Class::ALL.len()], k as u64).unwrap();
            let operands = program
                .draw(&smaller(&program.shape), k as u64, &cpu())
                .unwrap();
            let wanted = estimate::results(&program, &operands).unwrap();
            let zeros = wanted
                .iter()
                .map(|x| Tensor::zeros(x.value.shape(), x.dtype));
            let zeros: Vec<Tensor> = zeros.collect::<syntonic_core::Result<_>>().unwrap();
            if compared(&zeros, &wanted).is_ok() {
                passed.push((k, program.class, program.operands[0].dtype.clone()));
            }
        }
        assert!(passed.is_empty(), "{passed:?}");
    }

    #[test]
    fn a_wrong_element_is_found() {
        let x = Tensor::from([1.0, 2.0]);
        let bound = Tensor::from([0.1, 0.1]);
        assert!(within(&Tensor::from([1.05, 2.0]), &x, &bound).is_ok());
        assert!(within(&Tensor::from([1.0, 2.2]), &x, &bound).is_err());
        assert!(within(&Tensor::from([f64::NAN, 2.0]), &x, &bound).is_err());
        assert!(within(&Tensor::from([0.0, 0.0]), &x, &bound).is_err());
    }
}
