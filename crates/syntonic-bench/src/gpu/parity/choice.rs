//! Which checks a run makes.

use std::num::NonZero;

use super::{Check, Need, checks};
use crate::gpu::sanitizer::{Extent, Part};

/// Which checks are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Those whose name contains this.
    pub filter: String,
    /// All of these, or some of each operator.
    pub extent: Extent,
    /// One of so many of them.
    pub every: NonZero<usize>,
    /// A part of what is left.
    pub part: Part,
    /// But for those that need what is not there.
    pub without: Vec<Need>,
}

impl Choice {
    /// All whose name contains `filter`.
    pub fn named(filter: &str) -> Choice {
        Choice {
            filter: filter.to_owned(),
            extent: Extent::Whole,
            every: NonZero::<usize>::MIN,
            part: Part::WHOLE,
            without: Vec::new(),
        }
    }

    /// All that there are, or a part of them.
    pub fn is_everything(&self) -> bool {
        let everything = Choice {
            part: self.part,
            ..Choice::named("")
        };
        *self == everything
    }

    pub(super) fn checks(&self) -> Vec<Check> {
        let named = checks()
            .into_iter()
            .filter(|c| c.name.contains(&self.filter) && self.extent.takes(&c.name));
        let mut chosen: Vec<Check> = named.step_by(self.every.get()).collect();
        let part = self.part.range(chosen.len());
        chosen.drain(part).collect()
    }
}
