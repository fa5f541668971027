//! A GPU carries out plans.

use crate::block_counters::Taken;
use crate::codegen::form::Form;
use crate::context::{Context, Limits, Scratch};
use crate::contract::Contract;
use crate::map::Operands;
use crate::plan::{Carrier, Launch};
use crate::rows;
use syntonic_core::fuse::Task;
use syntonic_core::{Error, Result};

impl Carrier for Context {
    type Memory<'a> = Scratch<'a>;
    type Counters<'a> = Taken<'a>;

    fn limits(&self) -> &Limits {
        Context::limits(self)
    }

    fn memory(&self, bytes: usize) -> Result<(Scratch<'_>, u64)> {
        let scratch = self.scratch(bytes)?;
        let address = scratch.address();
        Ok((scratch, address))
    }

    fn counters(&self) -> Result<(Taken<'_>, u64)> {
        let taken = self.block_counters()?;
        let address = taken.address();
        Ok((taken, address))
    }

    unsafe fn start<P: Contract>(&self, launch: &Launch<'_>, params: &P) -> Result<()> {
        let function = self.function(launch.family, &launch.entry)?;
        let fits = |bytes| bytes as usize == size_of::<P>();
        debug_assert!(
            P::serves(launch.family) && function.entry().parameter.is_none_or(fits),
            "{launch:?} is no launch of a {}",
            P::spelling()
        );
        // SAFETY: the caller's promise.
        unsafe { self.launch(&function, launch.geometry, params) }
    }

    unsafe fn start_map<P: Copy>(
        &self,
        form: &Form,
        operands: Operands<'_>,
        params: &P,
    ) -> Result<()> {
        let made = self.jit.maps.function(
            self,
            operands.fingerprint(form),
            |kernel| kernel.is(form, operands),
            || operands.kernel(form),
            |kernel| operands.geometry(kernel),
        )?;
        let Some((function, geometry)) = made else {
            return Err(Error::Fault {
                op: "map".to_owned(),
                device: self.device,
                what: "a primitive has no code for this card".to_owned(),
            });
        };
        // SAFETY: the caller's promise.
        unsafe { self.launch(&function, geometry, params) }
    }

    unsafe fn jit_rows(&self, task: &Task<'_>) -> Result<bool> {
        // SAFETY: the caller's promise.
        unsafe { rows::jit::run(self, task) }
    }
}
