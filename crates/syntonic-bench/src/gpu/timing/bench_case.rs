//! The computation behind a measured row: its inputs, the call, and what must come out.

use std::cell::OnceCell;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Program, Role, Yield};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::ops::order::{self, Direction, Extreme, Ranked};
use syntonic_core::ops::random;
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::ops::scan::{Initial, cumulative_sum};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, DeviceId, Graph, Scalar, Tensor, cpu, run};
use syntonic_srt::evolve::device::DeviceSearch;
use syntonic_srt::resonant::Modes;

use super::backward::Backward;
use super::bench::Row;
use super::forward::Forward;
use super::optimizer_rows::OptimizerRow;
use super::pipeline_rows::{Made, PipelineRow};
use super::product_rows::ProductRow;
use super::search_rows::{SearchRow, SnapRow};
use crate::gpu::bounds::{self, Step};
use crate::gpu::parity::formulas::{self, Formula};
use crate::gpu::parity::maps;
use crate::gpu::{Exactness, compare, compare_each};

/// A row that can be run on either device.
pub(super) struct Case {
    row: Row,
    dtype: DType,
    program: Option<Program>,
    steps: Vec<Step>,
    forward: Option<Forward>,
    modes: OnceCell<Modes>,
    /// Made by the first call.
    graph: OnceCell<Graph>,
    backward: Option<Backward>,
    product: Option<ProductRow>,
    formula: Option<Formula>,
    search: Option<SearchRow>,
    /// Before its first generation; made by the first call.
    begun: OnceCell<DeviceSearch>,
    snap: Option<SnapRow>,
    pipeline: Option<PipelineRow>,
    optimizer: Option<OptimizerRow>,
    /// Made by the first call.
    made: OnceCell<Made>,
}

/// Elements of each sample of a long result.
const SAMPLE: isize = 256;

impl Case {
    pub(super) fn new(row: &Row) -> Result<Case> {
        let dtype = DType::from_name(&row.dtype).context("no such dtype")?;
        let steps = steps(row)?;
        let program = (row.kind == "map").then(|| program(row.inputs, &steps));
        Ok(Case {
            row: row.clone(),
            dtype,
            program: program.transpose()?,
            steps,
            forward: Forward::of(&row.kind),
            modes: OnceCell::new(),
            graph: OnceCell::new(),
            backward: Backward::of(&row.kind),
            product: ProductRow::of(&row.kind),
            formula: Formula::of(&row.kind),
            search: SearchRow::of(&row.kind),
            begun: OnceCell::new(),
            snap: SnapRow::of(&row.kind),
            pipeline: PipelineRow::of(&row.kind),
            optimizer: OptimizerRow::of(&row.kind),
            made: OnceCell::new(),
        })
    }

    /// How many numbers a call of a row goes over, where that is what it is measured by.
    pub(super) fn numbers(row: &Row) -> Option<u64> {
        match (SearchRow::of(&row.kind), SnapRow::of(&row.kind)) {
            (Some(_), _) => Some(SearchRow::numbers(row)),
            (_, Some(_)) => Some(row.size.iter().map(|&n| n as u64).product()),
            _ => None,
        }
    }

    /// Whether the work is a copy between host and GPU, which the host waits for.
    pub(super) fn by_the_host(&self) -> bool {
        matches!(self.row.kind.as_str(), "upload" | "download")
    }

    /// Operands that depend on `seed`, where the work wants them.
    pub(super) fn inputs(&self, seed: u64, device: &Arc<dyn Device>) -> Result<Vec<Tensor>> {
        let between = |low: f64, high: f64| {
            move |k: u64, shape: &[usize]| self.values(100 * seed + k, shape, (low, high), device)
        };
        if let Some(product) = self.product {
            // Sums of terms of both signs: their roundings and the power that a GPU takes are those of real work.
            return product.inputs(&self.row.size, between(-1.0, 1.0));
        }
        if let Some(formula) = self.formula {
            let (low, high) = formulas::BETWEEN;
            return formula.inputs(&self.row.size, between(low, high));
        }
        if let Some(search) = self.search {
            return search.inputs(&self.row, self.dtype, device);
        }
        if let Some(snap) = self.snap {
            return Ok(vec![between(-snap.reach(), snap.reach())(
                0,
                &self.row.size,
            )?]);
        }
        // Every function of the list is defined there, and a product neither grows nor vanishes.
        let values = between(0.5, 1.5);
        if let Some(pipeline) = self.pipeline {
            return pipeline.inputs(&self.row.size, values);
        }
        if let Some(optimizer) = self.optimizer {
            return optimizer.inputs(&self.row.size, values);
        }
        if let Some(layer) = self.backward {
            return layer.inputs(&self.row.size, values);
        }
        if let Some(layer) = self.forward {
            return layer.inputs(&self.row.size, values);
        }
        let count = match self.row.kind.as_str() {
            "map" | "graph" => self.row.inputs as u64,
            "normal" => 0,
            _ => 1,
        };
        let uploaded = self.row.kind == "upload";
        let drawn = (0..count).map(|k| {
            let x = values(k, &self.row.size)?;
            Ok(if uploaded { x.to(&cpu())? } else { x })
        });
        drawn.collect()
    }

    /// Numbers between two bounds; both parts of complex ones.
    fn values(
        &self,
        seed: u64,
        shape: &[usize],
        (low, high): (f64, f64),
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        let mut generator = Generator::new(seed + 1);
        let real = self.dtype.real();
        let mut draw = || random::uniform(shape, low, high, real, &mut generator, device);
        let x = draw()?;
        if !self.dtype.is_complex() {
            return Ok(x.eval()?);
        }
        let turned = Scalar::Complex(Complex::new(0.0, 1.0));
        let y = apply(
            Prim::Mul,
            &[Arg::Tensor(&draw()?.cast(self.dtype)?), Arg::Number(turned)],
        )?;
        let x = x.cast(self.dtype)?;
        Ok(apply(Prim::Add, &[Arg::Tensor(&x), Arg::Tensor(&y)])?.eval()?)
    }

    /// The measured call, with all its results.
    pub(super) fn work(&self, x: &[Tensor], device: &Arc<dyn Device>) -> Result<Vec<Tensor>> {
        if let Some(search) = self.search {
            return search.work(x, &self.row, &self.begun);
        }
        if let Some(snap) = self.snap {
            return snap.work(x);
        }
        if let Some(pipeline) = self.pipeline {
            return pipeline.work(x, device, &self.made);
        }
        if let Some(optimizer) = self.optimizer {
            return optimizer.work(x);
        }
        match (self.backward, self.forward, self.product, self.formula) {
            (Some(layer), ..) => layer.work(x),
            (_, Some(layer), ..) => layer.work(x, &self.modes),
            (_, _, Some(product), _) => product.work(x),
            (.., Some(formula)) => Ok(vec![formula.work(x)?]),
            _ => Ok(vec![self.first(x, device)?]),
        }
    }

    fn first(&self, x: &[Tensor], device: &Arc<dyn Device>) -> Result<Tensor> {
        if let Some(program) = &self.program {
            let inputs: Vec<&Tensor> = x.iter().collect();
            let mut made = run::map(program, &inputs, &[], x[0].shape(), device)?;
            return made.pop().context("a map without a result");
        }
        if self.row.kind == "graph" {
            return self.replayed(x);
        }
        let over = || match self.row.case.rsplit('_').next() {
            Some("rows") => Over::axes(&[1]),
            Some("cols") => Over::axes(&[0]),
            _ => Over::all(),
        };
        let result = match self.row.kind.as_str() {
            "transpose" => x[0].transpose(0, 1)?.contiguous()?,
            "permute" => x[0].permute(&[2, 0, 1])?.contiguous()?,
            "sum" => reduce::sum(&x[0], &over(), None)?,
            "max" => reduce::max(&x[0], &over())?,
            "var" => reduce::var(&x[0], &over(), 0.0)?,
            "argmax" => reduce::argmax(&x[0], &over())?,
            "cumsum" => {
                let axis = isize::from(!self.row.case.ends_with("_cols"));
                cumulative_sum(&x[0], Some(axis), None, Initial::Leave)?
            }
            "sort" => order::sort(&x[0], -1, Direction::Ascending)?,
            "topk" => order::topk(&x[0], 64, -1, Extreme::Largest, Ranked::InOrder)?.0,
            "normal" => {
                let mut generator = Generator::new(1);
                random::normal(&self.row.size, 0.0, 1.0, self.dtype, &mut generator, device)?
            }
            "upload" => x[0].to(device)?,
            "download" => x[0].to(&cpu())?,
            other => bail!("no computation {other:?}"),
        };
        Ok(result.eval()?)
    }

    /// The steps as a graph of what they come to when they are read, which is one launch. On the CPU they are run one by one, for the
    /// check.
    fn replayed(&self, x: &[Tensor]) -> Result<Tensor> {
        let inputs: Vec<&Tensor> = x.iter().collect();
        if x[0].device_id() == DeviceId::Cpu {
            return Ok(one_by_one(&self.steps, &inputs)?);
        }
        let graph = match self.graph.get() {
            Some(graph) => graph,
            None => {
                let made =
                    Graph::capture(&inputs, |x| Ok(vec![in_a_chain(&self.steps, x)?.eval()?]))?;
                self.graph.get_or_init(|| made)
            }
        };
        let mut results = graph.replay(&inputs)?;
        results.pop().context("a graph without a result")
    }

    /// Compares samples of a result with what the CPU makes of the same operands.
    pub(super) fn check(&self, x: &[Tensor], results: &[Tensor]) -> Result<()> {
        if let Some(layer) = self.backward {
            return layer.check(x, results);
        }
        if let Some(layer) = self.forward {
            return layer.check(x, results);
        }
        if let Some(product) = self.product {
            return product.check(x, results);
        }
        if let Some(search) = self.search {
            return search.check(x, results, &self.row);
        }
        if let Some(snap) = self.snap {
            return snap.check(x, results);
        }
        if let Some(pipeline) = self.pipeline {
            return pipeline.check(x, results);
        }
        if let Some(optimizer) = self.optimizer {
            return optimizer.check(x, results);
        }
        let result = results.first().context("a call without a result")?;
        if let Some(formula) = self.formula {
            return formula.check(x, result);
        }
        let exactness = self.exactness();
        let host = |t: &Tensor| -> Result<Tensor> { Ok(t.contiguous()?.to(&cpu())?) };
        match self.row.kind.as_str() {
            "map" | "graph" | "upload" | "download" => self.starts().try_for_each(|at| {
                let cut = |t: &Tensor| host(&t.slice(0, Some(at), Some(at + SAMPLE), 1)?);
                let parts: Vec<Tensor> = x.iter().map(cut).collect::<Result<_>>()?;
                let (got, want) = (cut(result)?, self.first(&parts, &cpu())?);
                match exactness {
                    Exactness::Same => compare(&got, &want, exactness),
                    _ if self.steps.len() <= 1 => compare(&got, &want, exactness),
                    _ => {
                        let bounds = bounds::chain(&self.steps, &parts, self.dtype)?;
                        compare_each(&got, &want, &bounds)
                    }
                }
            }),
            "sort" | "permute" => {
                let whole = self.first(&[host(&x[0])?], &cpu())?;
                compare(&host(result)?, &whole, exactness)
            }
            "normal" => self.normals(result, exactness),
            _ => self.check_matrix(x, result, exactness),
        }
    }

    /// Matrices: a few rows or columns, all over the result; everything where there is one result.
    fn check_matrix(&self, x: &[Tensor], result: &Tensor, exactness: Exactness) -> Result<()> {
        let host = |t: &Tensor| -> Result<Tensor> { Ok(t.contiguous()?.to(&cpu())?) };
        if result.ndim() == 0 {
            return compare(
                &host(result)?,
                &self.first(&[host(&x[0])?], &cpu())?,
                exactness,
            );
        }
        let columns = self.row.case.ends_with("_cols") || self.row.kind == "transpose";
        let axis = isize::from(columns);
        // Running sums lie as their operand does; other results have one line for each that was taken.
        let lines = isize::from(columns && self.row.kind == "cumsum");
        for at in [
            0,
            self.row.size[axis as usize] as isize / 3,
            self.row.size[axis as usize] as isize - 4,
        ] {
            let parts = [host(&x[0].slice(axis, Some(at), Some(at + 4), 1)?)?];
            let got = host(&result.slice(lines, Some(at), Some(at + 4), 1)?)?;
            let want = self.first(&parts, &cpu())?;
            compare(&got, &want, exactness)?;
        }
        Ok(())
    }

    /// A random number depends on the seed and its index alone: a short draw is the beginning of a long one.
    fn normals(&self, result: &Tensor, exactness: Exactness) -> Result<()> {
        let got = result.slice(0, Some(0), Some(1 << 16), 1)?.contiguous()?;
        let mut short = self.row.clone();
        short.size = vec![1 << 16];
        let short = Case::new(&short)?;
        compare(&got.to(&cpu())?, &short.first(&[], &cpu())?, exactness)
    }

    /// Where samples of a long vector begin: the ends, and places in between.
    fn starts(&self) -> impl Iterator<Item = isize> {
        let last = self.row.size[0] as isize - SAMPLE;
        (0..=8).map(move |k| last / 8 * k + if k == 8 { last % 8 } else { 0 })
    }

    /// Maps as the table of primitives says; both sides may err by a few roundings, sums by one for each step of the tree.
    fn exactness(&self) -> Exactness {
        match self.row.kind.as_str() {
            "map" | "graph" => {
                let mut steps = self.steps.iter().map(|s| maps::exactness(s.0, self.dtype));
                let inexact = steps.find(|e| !matches!(e, Exactness::Same));
                inexact.unwrap_or(Exactness::Same)
            }
            "normal" => Exactness::Within {
                relative: 16.0 * bounds::rounding(self.dtype),
                scale: 8.0,
            },
            // Sums of half types are wider than they are, and rounded once.
            "cumsum" | "sum" | "var" if self.dtype.is_half() => Exactness::Ulps(2.0),
            "cumsum" | "sum" | "var" => Exactness::Ulps(64.0),
            _ => Exactness::Same,
        }
    }
}

fn steps(row: &Row) -> Result<Vec<Step>> {
    let step = |words: &Vec<serde_json::Value>| -> Result<Step> {
        let name = words.first().and_then(|s| s.as_str()).unwrap_or("nothing");
        let prim = Prim::ALL.iter().find(|p| p.name() == name);
        let prim = *prim.with_context(|| format!("no primitive {name}"))?;
        let operand = |k: &serde_json::Value| k.as_u64().map(|k| k as usize);
        let args: Option<Vec<usize>> = words[1..].iter().map(operand).collect();
        Ok((prim, args.context("a step takes what is no number")?))
    };
    row.steps.iter().map(step).collect()
}

/// The last of the steps, each computed before the next.
fn one_by_one(steps: &[Step], inputs: &[&Tensor]) -> syntonic_core::Result<Tensor> {
    last(steps, inputs, |step| step.eval())
}

/// The last of the steps, computed when it is read.
fn in_a_chain(steps: &[Step], inputs: &[&Tensor]) -> syntonic_core::Result<Tensor> {
    last(steps, inputs, Ok)
}

fn last(
    steps: &[Step],
    inputs: &[&Tensor],
    made: impl Fn(Tensor) -> syntonic_core::Result<Tensor>,
) -> syntonic_core::Result<Tensor> {
    let mut nodes: Vec<Tensor> = inputs.iter().map(|&x| x.clone()).collect();
    for (prim, args) in steps {
        let operands: Vec<Arg<'_>> = args
            .iter()
            .filter_map(|&k| nodes.get(k))
            .map(Arg::Tensor)
            .collect();
        nodes.push(made(apply(*prim, &operands)?)?);
    }
    let none = || syntonic_core::Error::value("bench", "no steps");
    nodes.pop().ok_or_else(none)
}

fn program(inputs: usize, steps: &[Step]) -> Result<Program> {
    let mut builder = Builder::new();
    let mut nodes: Vec<NodeId> = (0..inputs)
        .map(|_| builder.input("x", Role::Element))
        .collect();
    for (prim, args) in steps {
        let operand = |&k: &usize| {
            nodes
                .get(k)
                .copied()
                .context("a step takes what is not there")
        };
        let args: Vec<NodeId> = args.iter().map(operand).collect::<Result<_>>()?;
        nodes.push(builder.apply(*prim, &args));
    }
    builder.output(*nodes.last().context("no steps")?, Yield::Element);
    Ok(builder.finish("bench", Precision::Stepwise))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of the list, small and on the CPU: operands, call and check fit each other.
    #[test]
    fn every_row_of_the_list_runs() {
        let list = include_str!("../../../gpu_cases.json");
        let rows: Vec<Row> = serde_json::from_str(list).unwrap();
        for mut row in rows {
            row.size = match row.size.len() {
                _ if PipelineRow::of(&row.kind).is_some() => {
                    row.size.iter().map(|&n| n.min(90)).collect()
                }
                _ if row.suite == "products" => row.size.iter().map(|&n| n.min(33)).collect(),
                1 => vec![70_000],
                2 => vec![96; 2],
                axes => vec![16; axes],
            };
            let case = Case::new(&row).unwrap();
            let x = case.inputs(1, &cpu()).unwrap();
            let results = case.work(&x, &cpu()).unwrap();
            let checked = case.check(&x, &results);
            assert!(checked.is_ok(), "{} {}: {checked:?}", row.case, row.dtype);
            // What is checked against itself would pass in any case: a wrong result must not.
            let number = results[0].dtype().is_float() || results[0].dtype().is_complex();
            if row.kind != "upload" && row.kind != "download" && number {
                let more = apply(Prim::Mul, &[(&results[0]).into(), Arg::from(1.25)]).unwrap();
                let wrong = apply(Prim::Add, &[(&more).into(), Arg::from(1.0)]).unwrap();
                let mut all = results.clone();
                all[0] = wrong.eval().unwrap();
                assert!(case.check(&x, &all).is_err(), "{} {}", row.case, row.dtype);
            }
        }
    }
}
