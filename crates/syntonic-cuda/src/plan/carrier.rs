//! Carrying out a plan.

use super::{Launch, Limits, Pass};
use crate::codegen::form::Form;
use crate::contract::Contract;
use crate::map::Operands;
use syntonic_core::Result;
use syntonic_core::fuse::Task;

/// The receiver of launches: a GPU, or a planner that records them.
pub(crate) trait Carrier {
    /// Memory that is returned when dropped.
    type Memory<'a>
    where
        Self: 'a;
    /// Block counters that are returned when dropped.
    type Counters<'a>
    where
        Self: 'a;

    /// The card's limits.
    fn limits(&self) -> &Limits;

    /// At least `bytes` bytes, and their address.
    fn memory(&self, bytes: usize) -> Result<(Self::Memory<'_>, u64)>;

    /// Block counters for one launch, and their address.
    fn counters(&self) -> Result<(Self::Counters<'_>, u64)>;

    /// Launches a kernel with one parameter, a struct.
    ///
    /// # Safety
    /// The kernel takes a `P`, and what it points to is live and fits.
    unsafe fn start<P: Contract>(&self, launch: &Launch<'_>, params: &P) -> Result<()>;

    /// Launches the JIT kernel of a map with its parameter.
    ///
    /// # Safety
    /// `params` is that of the operands, which are live memory that fits.
    unsafe fn start_map<P: Copy>(
        &self,
        form: &Form,
        operands: Operands<'_>,
        params: &P,
    ) -> Result<()>;

    /// Runs a program of rows by a JIT kernel, if one can be made; says whether it did.
    ///
    /// # Safety
    /// As [`syntonic_core::Device::run`].
    unsafe fn jit_rows(&self, task: &Task<'_>) -> Result<bool>;

    /// Allocates the memory of a pass.
    fn pass_memory(&self, pass: &Pass<'_>) -> Result<PassMemory<'_, Self>> {
        let scratch = (pass.scratch > 0).then(|| self.memory(pass.scratch));
        let counters = pass.block_counters.then(|| self.counters());
        Ok(PassMemory {
            scratch: scratch.transpose()?,
            counters: counters.transpose()?,
        })
    }
}

/// The memory of a pass, for as long as it is carried out.
pub(crate) struct PassMemory<'a, C: Carrier + ?Sized + 'a> {
    scratch: Option<(C::Memory<'a>, u64)>,
    counters: Option<(C::Counters<'a>, u64)>,
}

impl<C: Carrier + ?Sized> PassMemory<'_, C> {
    /// Address of the scratch for partial values; 0 where there is none.
    pub(crate) fn scratch(&self) -> u64 {
        self.scratch.as_ref().map_or(0, |(_, address)| *address)
    }

    /// Address of the first block counter; 0 where there is none.
    pub(crate) fn counters(&self) -> u64 {
        self.counters.as_ref().map_or(0, |(_, address)| *address)
    }
}
