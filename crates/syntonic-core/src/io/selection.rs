//! Which of a file's tensors are wanted.

use crate::error::{Error, Result};
use std::collections::BTreeSet;

/// What is read of a file of several tensors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// The names of the tensors wanted; all of them if not given.
    pub names: Option<&'a [&'a str]>,
    /// The most bytes that the wanted members of an archive may unpack to, all together. If not given, 1 GiB or 100
    /// times the file's length, whichever is more: a small file that unpacks to more is likelier to be an attack.
    pub most_bytes: Option<u64>,
}

/// Unpacking to this much needs no permission.
const UNASKED_BYTES: u64 = 1 << 30;
/// Nor does unpacking to this many times the file's length.
const UNASKED_TIMES: u64 = 100;

impl Selection<'_> {
    /// Whether the tensor of this name is wanted.
    pub(super) fn takes(&self, name: &str) -> bool {
        self.names.is_none_or(|names| names.contains(&name))
    }

    /// The most bytes that a file of `len` bytes may unpack to.
    pub(super) fn most_bytes(&self, len: u64) -> u64 {
        let unasked = len.saturating_mul(UNASKED_TIMES).max(UNASKED_BYTES);
        self.most_bytes.unwrap_or(unasked)
    }

    /// Refuses a wanted name that is none of `there`.
    pub(super) fn check<'n>(
        &self,
        op: &'static str,
        path: &str,
        there: impl Iterator<Item = &'n str>,
    ) -> Result<()> {
        /// Of a long list the beginning is shown.
        const SHOWN: usize = 20;
        let Some(names) = self.names else {
            return Ok(());
        };
        let there: BTreeSet<&str> = there.collect();
        let Some(missing) = names.iter().find(|name| !there.contains(*name)) else {
            return Ok(());
        };
        let list: Vec<String> = there.iter().take(SHOWN).map(|n| format!("{n:?}")).collect();
        let more = if there.len() > SHOWN { ", ..." } else { "" };
        let what = format!(
            "{path} holds no {missing:?}; hint: it holds {}{more}",
            list.join(", ")
        );
        Err(Error::value(op, what))
    }
}
