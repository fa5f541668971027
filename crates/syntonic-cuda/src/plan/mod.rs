//! The plan of a task on a card, as data: its kernels in order, and the memory between them.
//!
//! The planning code returns a [`Pass`]. The launching code allocates its memory, fills in addresses and hands both to a
//! [`Carrier`]: a GPU, or in tests a planner that records them. So a plan is what is launched, and needs no GPU. It
//! depends on the task, on the [`Limits`] of a card, and on the alignment of addresses alone.

mod carrier;
pub(crate) mod indices;
pub(crate) mod operand;
pub(crate) mod straight;
#[cfg(all(test, feature = "images"))]
mod tests;
#[cfg(all(test, feature = "images"))]
mod text;
pub(crate) mod walked;

pub(crate) use crate::context::Limits;
pub(crate) use carrier::Carrier;

use crate::context::Geometry;
use std::borrow::Cow;

/// A kernel and how it is spread over the GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Launch<'a> {
    /// The image family that it is of.
    pub(crate) family: &'static str,
    /// Its name there.
    pub(crate) entry: Cow<'a, str>,
    /// Blocks, threads and shared memory.
    pub(crate) geometry: Geometry,
}

impl<'a> Launch<'a> {
    /// A kernel, spread so.
    pub(crate) fn new(
        family: &'static str,
        entry: impl Into<Cow<'a, str>>,
        geometry: Geometry,
    ) -> Launch<'a> {
        Launch {
            family,
            entry: entry.into(),
            geometry,
        }
    }

    /// The same, with a name of its own.
    #[cfg(all(test, feature = "images"))]
    pub(crate) fn into_owned(self) -> Launch<'static> {
        Launch {
            entry: Cow::Owned(self.entry.into_owned()),
            ..self
        }
    }
}

/// One reading of the operands: a kernel, a second one where the first leaves partial values to join, and their memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pass<'a> {
    /// Bytes of scratch for partial values; 0 where there are none.
    pub(crate) scratch: usize,
    /// Whether its blocks share counters ([`crate::block_counters`]).
    pub(crate) block_counters: bool,
    /// The kernel.
    pub(crate) launch: Launch<'a>,
    /// The kernel that joins the partial values, where the first does not.
    pub(crate) join: Option<Launch<'a>>,
}

impl<'a> Pass<'a> {
    /// A single kernel without scratch or block counters.
    pub(crate) fn alone(launch: Launch<'a>) -> Pass<'a> {
        Pass {
            scratch: 0,
            block_counters: false,
            launch,
            join: None,
        }
    }
}

/// One line of a plan.
#[cfg(all(test, feature = "images"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// This many bytes are allocated: for partial values, or for temporaries between two launches.
    Memory(usize),
    /// Block counters are taken for the next launch.
    BlockCounters,
    /// A kernel is launched.
    Launch(Launch<'static>),
}

/// The steps of a task.
#[cfg(all(test, feature = "images"))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The steps, the first one first.
    pub(crate) steps: Vec<Step>,
}
