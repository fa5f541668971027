//! Plans of tasks, for cards that need not be present.

use crate::codegen::form::Form;
use crate::contract::Contract;
use crate::jit::Kernel as _;
use crate::kernel;
use crate::map::Operands;
use crate::plan::{Carrier, Launch, Limits, Plan, Step};
use std::cell::{Cell, RefCell};
use syntonic_core::Result;
use syntonic_core::fuse::Task;

/// Alignment of a plan's addresses, as the pool has it.
const GRAIN: u64 = 512;
/// What stands for the family of a JIT kernel.
pub(crate) const MADE: &str = "jit";
/// The first address of a plan's memory, beyond the operands of any task.
const FIRST: u64 = 1 << 46;

/// The plan of a task on a card. The addresses of its operands matter by their alignment only, and are never dereferenced.
///
/// # Errors
/// As [`syntonic_core::Device::run`], but for those of a GPU and its memory.
pub(crate) fn plan(limits: Limits, task: &Task<'_>) -> Result<Plan> {
    let planner = Planner {
        limits,
        steps: RefCell::default(),
        free: Cell::new(FIRST),
    };
    // SAFETY: the planner launches nothing, so no address is dereferenced.
    unsafe { kernel::run(&planner, task)? };
    Ok(Plan {
        steps: planner.steps.into_inner(),
    })
}

/// Records what it is given.
pub(super) struct Planner {
    limits: Limits,
    steps: RefCell<Vec<Step>>,
    /// The next free address.
    free: Cell<u64>,
}

impl Carrier for Planner {
    type Memory<'a> = ();
    type Counters<'a> = ();

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn memory(&self, bytes: usize) -> Result<((), u64)> {
        self.steps.borrow_mut().push(Step::Memory(bytes));
        let address = self.free.get();
        let end = address.saturating_add(bytes.max(1) as u64);
        self.free.set(end.next_multiple_of(GRAIN));
        Ok(((), address))
    }

    fn counters(&self) -> Result<((), u64)> {
        self.steps.borrow_mut().push(Step::BlockCounters);
        Ok(((), GRAIN))
    }

    unsafe fn start<P: Contract>(&self, launch: &Launch<'_>, _: &P) -> Result<()> {
        assert!(P::serves(launch.family), "{launch:?}");
        let launch = launch.clone().into_owned();
        self.steps.borrow_mut().push(Step::Launch(launch));
        Ok(())
    }

    unsafe fn start_map<P: Copy>(&self, form: &Form, operands: Operands<'_>, _: &P) -> Result<()> {
        let kernel = operands.kernel(form);
        let launch = Launch::new(MADE, kernel.name(), operands.geometry(&kernel));
        self.steps.borrow_mut().push(Step::Launch(launch));
        Ok(())
    }

    unsafe fn jit_rows(&self, _: &Task<'_>) -> Result<bool> {
        Ok(false)
    }
}
