//! What a task comes to on a card, as data: the kernels that are launched, in their order, and the memory between them.
//!
//! Who decides returns a [`Pass`]; who launches takes memory for it, fills in addresses and hands both to a [`Carrier`], which is
//! a GPU, or a [`planner::Planner`] that writes down what it is given. So a plan is what is launched, and needs no GPU. It depends on the
//! task, on the [`Limits`] of a card, and on addresses by their alignment alone.

mod carrier;
mod limits;
mod planner;
#[cfg(all(test, feature = "images"))]
mod tests;
mod text;

pub(crate) use carrier::Carrier;
pub(crate) use limits::Limits;

use crate::context::Geometry;
use crate::launch::Blocks;
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
    /// What its blocks are to each other.
    pub(crate) blocks: Blocks,
}

impl<'a> Launch<'a> {
    /// A kernel whose blocks need nothing of each other.
    pub(crate) fn apart(
        family: &'static str,
        entry: impl Into<Cow<'a, str>>,
        geometry: Geometry,
    ) -> Launch<'a> {
        Launch {
            family,
            entry: entry.into(),
            geometry,
            blocks: Blocks::Apart,
        }
    }

    /// The same, with a name of its own.
    pub(crate) fn into_owned(self) -> Launch<'static> {
        Launch {
            entry: Cow::Owned(self.entry.into_owned()),
            ..self
        }
    }
}

/// Words that the blocks of a launch share ([`crate::tickets`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// None.
    None,
    /// Counters.
    Tickets,
    /// Boxes for what they tell each other.
    Mailbox,
}

/// A reading of the operands: a kernel, a second one where the first leaves parts to be joined, and what they need meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pass<'a> {
    /// Bytes of memory in which parts are left; 0 where there are none.
    pub(crate) scratch: usize,
    /// What its blocks share beside.
    pub(crate) words: Words,
    /// The kernel.
    pub(crate) launch: Launch<'a>,
    /// The one that joins the parts, where the first does not.
    pub(crate) join: Option<Launch<'a>>,
}

impl<'a> Pass<'a> {
    /// A kernel that does it all and needs nothing.
    pub(crate) fn alone(launch: Launch<'a>) -> Pass<'a> {
        Pass {
            scratch: 0,
            words: Words::None,
            launch,
            join: None,
        }
    }
}

/// One line of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many bytes are taken: for parts that are joined, or for values between two launches.
    Memory(usize),
    /// Words are taken for the next launch.
    Words(Words),
    /// A kernel is launched.
    Launch(Launch<'static>),
}

/// What a task comes to, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The steps, the first one first.
    pub(crate) steps: Vec<Step>,
}
