//! JIT texts: PTX put together at run time from compiled pieces, around which a schedule is written. The driver assembles
//! them.

mod cache;
mod conversions;
mod counted;
#[cfg(test)]
mod declared;
mod needs;
mod pieces;
mod quotients;
mod values;
mod warpgroups;
mod whole_quotients;

pub(crate) use cache::{Cache, Kernel};
#[cfg(test)]
pub(crate) use declared::declared;
pub(crate) use needs::parts;
pub(crate) use pieces::{Pieces, with_version};
pub(crate) use values::{Moved, Share, Sharing, Values, line};
pub(crate) use warpgroups::{descriptor, wait, with_tensor_cores};

use crate::modules::machine_code::MadeCubins;
use crate::{attention, blas, map, rows};

/// A kernel of the stock: those that a wheel brings along as machine code, so that their first call waits for no JIT.
#[derive(Clone, Debug)]
pub struct Stocked {
    /// What it was made for: its formula and type. Kernels of one resemble each other.
    pub kind: String,
    /// What its machine code is filed under.
    pub key: String,
    /// Its text, as the driver would get it.
    pub text: String,
}

/// The JIT kernels of a context.
#[derive(Default)]
pub(crate) struct Jit {
    pub(crate) maps: Cache<map::Kernel>,
    pub(crate) rows: Cache<rows::jit::Kernel>,
    pub(crate) steps: Cache<rows::jit::steps::Kernel>,
    /// Of steps, from files.
    pub(crate) read: Cache<rows::jit::steps::Read>,
    /// Of queues.
    pub(crate) lanes: Cache<rows::jit::steps::lanes::Lanes>,
    pub(crate) products: Cache<blas::ended::Kernel>,
    pub(crate) attention: Cache<attention::Kernel>,
    pub(crate) attention_slopes: Cache<attention::slopes::Kernel>,
    /// Those that were assembled early.
    cubins: MadeCubins,
}
