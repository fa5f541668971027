//! A GPU carries out plans.

use crate::block_counters::Taken;
use crate::codegen::form::Form;
use crate::context::{Context, Limits, Scratch};
use crate::map::jit::{self, JitMode};
use crate::plan::operand::{Source, Span};
use crate::plan::straight::Straight;
use crate::plan::{Carrier, Launch, Words};
use crate::rows;
use syntonic_core::fuse::Task;
use syntonic_core::{DType, Result};

impl Carrier for Context {
    type Memory<'a> = Scratch<'a>;
    type Shared<'a> = Taken<'a>;

    fn limits(&self) -> &Limits {
        Context::limits(self)
    }

    fn clusters(&self, launch: &Launch<'_>, size: u32) -> Result<u32> {
        let function = self.function(launch.family, &launch.entry)?;
        self.clusters_at_once(&function, launch.geometry, size)
    }

    fn memory(&self, bytes: usize) -> Result<(Scratch<'_>, u64)> {
        let scratch = self.scratch(bytes)?;
        let address = scratch.address();
        Ok((scratch, address))
    }

    fn shared(&self, words: Words) -> Result<Option<(Taken<'_>, u64)>> {
        let taken = match words {
            Words::None => return Ok(None),
            Words::BlockCounters => self.block_counters()?,
            Words::Mailbox => self.mailbox()?,
        };
        let address = taken.address();
        Ok(Some((taken, address)))
    }

    unsafe fn start<P: Copy>(&self, launch: &Launch<'_>, params: &P) -> Result<()> {
        let function = self.function(launch.family, &launch.entry)?;
        // SAFETY: the caller's promise.
        unsafe { self.launch_blocks(&function, launch.geometry, launch.blocks, params) }
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
