//! A GPU carries out plans.

use crate::block_counters::Taken;
use crate::codegen::form::Form;
use crate::context::{Context, Limits, Scratch};
use crate::map::jit::{self, JitMode};
use crate::plan::operand::{Source, Span};
use crate::plan::straight::Straight;
use crate::plan::{Carrier, Launch};
use crate::rows;
use syntonic_core::fuse::Task;
use syntonic_core::{DType, Result};

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

    unsafe fn start<P: Copy>(&self, launch: &Launch<'_>, params: &P) -> Result<()> {
        let function = self.function(launch.family, &launch.entry)?;
        // SAFETY: the caller's promise.
        unsafe { self.launch(&function, launch.geometry, params) }
    }

    unsafe fn made(&self, form: &Form, operands: &Straight) -> Result<bool> {
        // SAFETY: the caller's promise.
        unsafe { jit::launch(self, form, operands) }
    }

    unsafe fn walked(
        &self,
        form: &Form,
        sources: &[(Source, DType)],
        outputs: &[(Span, DType)],
        dims: &[usize],
    ) -> Result<bool> {
        // SAFETY: the caller's promise.
        unsafe { jit::walk(self, form, sources, outputs, dims) }
    }

    unsafe fn jit_rows(&self, task: &Task<'_>) -> Result<bool> {
        if self.compile_queue.mode() == JitMode::Never {
            return Ok(false);
        }
        // SAFETY: the caller's promise.
        unsafe { rows::jit::run(self, task) }
    }
}
