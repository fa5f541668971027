//! The order of a run: which stage when, over which values, and what is kept for whom.

use super::binding::OP;
use super::plan::{Block, Plan, Stage};
use crate::error::{Error, Result};
use crate::interrupt;
use std::collections::HashMap;

/// What makes the values of a run.
pub(super) trait Executor {
    /// A value.
    type Value: Clone;

    /// The value of a stage over the values that it reads.
    fn stage(&mut self, stage: &Stage, reads: &[Self::Value]) -> Result<Self::Value>;

    /// What a loop carries on, like what it began with.
    fn carry(&mut self, next: Self::Value, start: &Self::Value) -> Result<Self::Value>;

    /// Whether a loop ends where the value that says so is this one: a single number other than 0.
    fn ends(&mut self, value: &Self::Value) -> Result<bool>;
}

/// Runs the stages of a plan that was checked, and returns its outputs in order. A value is let go of after its last reader.
pub(super) fn walk<E: Executor>(
    plan: &Plan,
    inputs: impl IntoIterator<Item = E::Value>,
    executor: &mut E,
) -> Result<Vec<E::Value>> {
    let names = plan.inputs.iter().map(|input| &*input.name);
    let mut values: HashMap<&str, E::Value> = names.zip(inputs).collect();
    let blocks = plan.in_order();
    for (k, block) in blocks.iter().enumerate() {
        let later = &blocks[k + 1..];
        let stays = |name: &str| {
            plan.outputs.iter().any(|output| output == name)
                || later.iter().any(|block| block.reads(name))
        };
        run(plan, block, &mut values, &stays, executor)?;
        values.retain(|name, _| stays(name));
    }
    let outputs = plan.outputs.iter().map(|name| found(plan, &values, name));
    // few: outputs of a plan.
    outputs.collect()
}

fn run<'a, E: Executor>(
    plan: &Plan,
    block: &'a Block,
    values: &mut HashMap<&'a str, E::Value>,
    stays: &impl Fn(&str) -> bool,
    executor: &mut E,
) -> Result<()> {
    let stages = block.in_order();
    let mut carried: HashMap<&str, E::Value> = HashMap::new();
    for c in &block.carried {
        carried.insert(&c.name, found(plan, values, &c.name)?);
        if !stays(&c.name) {
            values.remove(&*c.name);
        }
    }
    for round in 1..=block.times {
        let last = round == block.times;
        let mut made: HashMap<&str, E::Value> = HashMap::new();
        for (k, stage) in stages.iter().enumerate() {
            goes_on()?;
            let names = stage.work.reads();
            // few: operands of one stage.
            let reads = names.iter().map(|&name| {
                let inner = carried.get(name).or_else(|| made.get(name));
                inner.map_or_else(|| found(plan, values, name), |value| Ok(value.clone()))
            });
            let reads = reads.collect::<Result<Vec<_>>>()?;
            let after = &stages[k + 1..];
            let read_later = |name: &str| after.iter().any(|s| s.work.reads().contains(&name));
            let may_end = last || block.until.is_some();
            let goes_on = |name: &str| {
                block.carried.iter().any(|c| c.from == name)
                    || block.until.as_ref().is_some_and(|until| until == name)
                    || (may_end && stays(name))
            };
            made.retain(|name, _| read_later(name) || goes_on(name));
            if last {
                let begins = |name: &str| block.carried.iter().any(|c| c.name == name);
                carried.retain(|name, _| read_later(name));
                values.retain(|name, _| stays(name) || (read_later(name) && !begins(name)));
            }
            made.insert(&stage.name, executor.stage(stage, &reads)?);
        }
        let ends = match &block.until {
            Some(until) if !last => executor.ends(&found(plan, &made, until)?)?,
            _ => last,
        };
        if !ends {
            for c in &block.carried {
                let next = found(plan, &made, &c.from)?;
                let start = found(plan, &carried, &c.name)?;
                carried.insert(&c.name, executor.carry(next, &start)?);
            }
            continue;
        }
        for stage in &stages {
            if let Some(value) = made.remove(&*stage.name)
                && stays(&stage.name)
            {
                values.insert(&stage.name, value);
            }
        }
        break;
    }
    Ok(())
}

impl Block {
    /// True if it needs the value of what is outside of it.
    fn reads(&self, name: &str) -> bool {
        self.carried.iter().any(|c| c.name == name)
            || self.stages.iter().any(|s| s.work.reads().contains(&name))
    }
}

fn found<V: Clone>(plan: &Plan, values: &HashMap<&str, V>, name: &str) -> Result<V> {
    let value = values.get(name).cloned();
    value.ok_or_else(|| -> Error { plan.refusal(name, "has no value where it is read") })
}

/// An error if the caller wants the run to stop.
pub(super) fn goes_on() -> Result<()> {
    interrupt::poll().map_err(|stopped| Error::from(stopped).named(OP))
}
