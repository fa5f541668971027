//! JIT row kernels of one context. The first call waits for the JIT, since another schedule would add up in another order;
//! concurrent callers of the same kernel wait with it.

use super::body::Body;
use super::formula::Formula;
use super::shape::Schedule;
use super::stages::{Stage, stages};
use super::{held, sweep};
use crate::cubins;
use crate::fnv::Fnv;
use crate::jit::{self, Pieces};
use crate::modules::function::Function;
use crate::modules::loading::begun;
use crate::modules::machine_code::MadeCubins;
use crate::service::leases::Leases;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock};
use syntonic_core::DeviceId;
use syntonic_core::fork::{get_or_init, lock};

/// A longer text takes too long to assemble.
const LONGEST: usize = 1 << 20;

/// Everything that a kernel's text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kernel {
    pub(super) formula: Formula,
    pub(super) schedule: Schedule,
    /// Inputs of the program.
    pub(super) inputs: usize,
    /// Axes that rows lie along: one or two.
    pub(super) axes: usize,
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.formula.fingerprint());
        (self.schedule, self.inputs, self.axes).hash(hasher);
    }
}

impl Kernel {
    /// Its name, the same for equal kernels in every build.
    pub(super) fn name(&self) -> String {
        let mut hash = Fnv(self.formula.fingerprint());
        (self.schedule, self.inputs, self.axes).hash(&mut hash);
        format!("jit_rows_{:016x}", hash.0)
    }

    /// The text for a card; nothing where some operation has no piece.
    pub(super) fn text(&self, capability: (u32, u32)) -> Option<String> {
        let stages: Vec<Stage> = stages(&self.formula);
        let pieces = Pieces::of(&jit::parts(&self.formula.form)?, capability)?;
        let shape = (self.inputs, self.axes);
        let sharing = match &self.schedule {
            Schedule::Held(held) => (self.formula.sharing(), held.lanes),
            Schedule::Sweep(sweep) => (sweep::sharing(&self.formula, sweep), sweep.lanes),
        };
        let mut body = Body::new(&self.formula, &stages, &pieces, capability, shape, sharing);
        match self.schedule {
            Schedule::Held(held) => held::write(&mut body, &self.name(), held)?,
            Schedule::Sweep(sweep) => sweep::write(&mut body, &self.name(), sweep)?,
        }
        let text = body.values.text;
        (text.len() <= LONGEST).then_some(text)
    }

    /// The text as the driver gets it, and whether the kernel may be launched by PDL.
    pub(super) fn begun(&self, capability: (u32, u32)) -> Option<(String, bool)> {
        Some(begun(self.text(capability)?, &self.name(), capability))
    }

    /// The text as the driver gets it, behind what its machine code is filed under.
    pub(super) fn filed(&self, capability: (u32, u32)) -> Option<(String, String)> {
        let (text, _) = self.begun(capability)?;
        Some((cubins::of_made(&self.name(), &text), text))
    }
}

/// A kernel that is ready, failed, or is being assembled.
type Slot = Arc<OnceLock<Option<Function>>>;

/// The JIT row kernels of one context.
#[derive(Debug, Default)]
pub(crate) struct RowCompileQueue {
    known: Mutex<HashMap<Arc<Kernel>, Slot>>,
    /// Those that were assembled early.
    cubins: MadeCubins,
}

impl RowCompileQueue {
    /// The function of a kernel, assembled at the first request; nothing if it cannot be. The context is current.
    pub(super) fn function(
        &self,
        kernel: Kernel,
        device: DeviceId,
        capability: (u32, u32),
        leases: &Leases,
    ) -> Option<Function> {
        let slot = {
            let mut known = lock(&self.known);
            match known.get(&kernel) {
                Some(slot) => slot.clone(),
                None if known.len() >= jit::MOST_MADE => return None,
                None => known.entry(Arc::new(kernel.clone())).or_default().clone(),
            }
        };
        *get_or_init(&slot, || self.make(&kernel, device, capability, leases))
    }

    fn make(
        &self,
        kernel: &Kernel,
        device: DeviceId,
        capability: (u32, u32),
        leases: &Leases,
    ) -> Option<Function> {
        let name = kernel.name();
        let _span = tracing::debug_span!("make", name).entered();
        let (text, overlaps) = kernel.begun(capability)?;
        let given = (text.as_str(), overlaps);
        if let Some(function) = self
            .cubins
            .function(given, &name, device, capability, leases)
        {
            return Some(function);
        }
        match Function::of_begun(text, overlaps, &name, device, leases) {
            Ok(function) => Some(function),
            Err(error) => {
                tracing::warn!(%error, name, "a row kernel that was made is refused: maps and folds go on");
                None
            }
        }
    }
}
