//! Tasks that follow each other, in one cooperative launch: each is a sweep whose blocks the blocks of the launch take in turn, and between
//! tasks that depend on each other all blocks meet.
//!
//! A loop repeats its passes within the kernel; what it carries on has two places, which take turns. All that differs from run to run
//! is in the parameter.

pub(crate) mod lanes;
mod launch;
mod order;
mod text;

use super::formula::Formula;
use super::sweep::{Side, Sweep};
use crate::context::Context;
use crate::context::gpu::Cuda;
use crate::fnv::Fnv;
use crate::jit;
pub(crate) use launch::Read;

use launch::Launch;
use order::Order;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use syntonic_core::device::{Image, OneLaunch, Place, Steps};
use syntonic_core::{DType, Result};

/// Words of a kernel's parameter, of 8 bytes each.
const WORDS: usize = 512;
/// Passes of a kernel at most: each is a text of its own.
const PASSES: usize = 24;

/// A pass of a kernel.
#[derive(Clone, Debug, PartialEq)]
struct Pass {
    formula: Formula,
    sweep: Sweep,
    /// Inputs of its program.
    inputs: usize,
    /// The words of its own parameter that it reads, in order.
    used: Vec<usize>,
}

/// What a kernel does, in order.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// The pass of this number, spread over as many blocks as the word `blocks` has; where each word lies that it reads.
    Pass {
        pass: usize,
        blocks: usize,
        words: Vec<At>,
    },
    /// All blocks meet.
    Meet,
    /// A loop.
    Loop(Repeated),
}

/// Where a word lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum At {
    /// So many words from the beginning of the parameter.
    Whole(usize),
    /// So many words from the beginning of those of the kind of round that runs.
    Round(usize),
}

/// A loop of a kernel. Words that differ from one kind of round to another are there for each of the three, `apart` words from each other,
/// from `word` on.
#[derive(Clone, Debug, PartialEq)]
struct Repeated {
    /// The word that says how often it runs.
    times: usize,
    word: usize,
    apart: usize,
    body: Vec<Item>,
    /// The type of the number that ends it, and the word with its address.
    until: Option<(DType, usize)>,
    /// After the last round.
    after: Vec<Item>,
}

/// A kernel of several passes: all that its text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    passes: Vec<Pass>,
    items: Vec<Item>,
    /// Words of its parameter.
    words: usize,
}

impl Kernel {
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for pass in &self.passes {
            hash.write_u64(pass.formula.fingerprint());
            (pass.sweep, pass.inputs).hash(&mut hash);
        }
        items(&self.items, &mut hash);
        hash.write_u64(self.words as u64);
        hash.0
    }

    /// What it does, for people: a line for each pass.
    fn schedule(&self) -> Vec<String> {
        let line = |pass: &Pass| {
            let Sweep {
                side,
                lanes,
                vectors,
                team,
                smallest,
                ..
            } = pass.sweep;
            let rows = match (smallest, side) {
                (0, Side::Folded) => format!("{team} threads to a row, vectors along it"),
                (0, Side::Kept) => format!("{team} threads to a row, vectors of rows"),
                (k, _) => format!("the {k} smallest of each row, {team} threads to it"),
            };
            format!("{rows}, {vectors} of {lanes} elements in flight")
        };
        self.passes.iter().map(line).collect()
    }

    /// Blocks per multiprocessor that its registers leave room for.
    fn at_once(&self) -> usize {
        self.passes
            .iter()
            .map(|p| p.sweep.at_once)
            .min()
            .unwrap_or(1)
    }
}

fn items(all: &[Item], hash: &mut Fnv) {
    for item in all {
        match item {
            Item::Pass {
                pass,
                blocks,
                words,
            } => (1u32, pass, blocks, words).hash(hash),
            Item::Meet => 2u32.hash(hash),
            Item::Loop(repeated) => {
                (3u32, repeated.times, repeated.word, repeated.apart).hash(hash);
                items(&repeated.body, hash);
                if let Some((dtype, word)) = repeated.until {
                    (4u32, dtype as u32, word).hash(hash);
                }
                items(&repeated.after, hash);
            }
        }
    }
    5u32.hash(hash);
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("jit_steps_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
        text::of(self, &self.name(), capability)
    }
}

/// Makes ready to run steps in one launch; nothing where some task has no sweep, or where several launches take less.
pub(crate) fn one_launch(gpu: &Arc<Cuda>, steps: &Steps) -> Result<Option<Box<dyn OneLaunch>>> {
    let context: &Context = gpu.context();
    if context.capability() < FIRST {
        return Ok(None);
    }
    let Some(order) = Order::of(steps, context.limits()) else {
        return Ok(None);
    };
    let launch = Launch::of(gpu, order)?;
    Ok(launch.map(|launch| Box::new(launch) as Box<dyn OneLaunch>))
}

/// Makes ready to run a launch that was written as text; nothing where the card is older than it.
pub(crate) fn launch_of(gpu: &Arc<Cuda>, image: &Image) -> Result<Option<Box<dyn OneLaunch>>> {
    let launch = Launch::read(gpu, image)?;
    Ok(launch.map(|launch| Box::new(launch) as Box<dyn OneLaunch>))
}

/// The first card that pieces are compiled for; all since have `ld.acquire`, by which blocks meet.
const FIRST: (u32, u32) = (7, 5);

/// The buffer and the bytes into it that an address of a step stands for.
fn place(address: u64) -> Place {
    Place::of(std::ptr::without_provenance(address as usize))
}
