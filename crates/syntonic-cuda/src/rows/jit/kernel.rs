//! The kernel of a formula over rows: its formula, and the schedule that it follows.

use super::body::Body;
use super::formula::Formula;
use super::shape::Schedule;
use super::stages::{Stage, stages};
use super::{held, sweep};
use crate::context::Context;
use crate::fnv::Fnv;
use crate::jit::{self, Pieces};
use crate::modules::function::Function;
use std::hash::{Hash, Hasher};
use syntonic_core::Result;

/// A longer text takes too long to assemble.
const LONGEST: usize = 1 << 20;

/// Everything that a kernel's text depends on, besides the card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
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
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv(self.formula.fingerprint());
        (self.schedule, self.inputs, self.axes).hash(&mut hash);
        hash.0
    }

    /// Its function, assembled at the first request, which waits; nothing where it has no text. The context is current.
    pub(super) fn function(self, context: &Context) -> Result<Option<Function>> {
        let rows = &context.jit.rows;
        rows.assembled(context, self.fingerprint(), &self)
    }
}

impl jit::Kernel for Kernel {
    fn name(&self) -> String {
        format!("jit_rows_{:016x}", self.fingerprint())
    }

    fn text(&self, capability: (u32, u32)) -> Option<String> {
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
}
