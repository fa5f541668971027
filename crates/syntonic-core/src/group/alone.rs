//! A rank without others.

use super::Group;
use crate::error::Result;
use crate::room;

/// The only rank of its group.
///
/// ```
/// use syntonic_core::group::{Alone, Group};
///
/// assert_eq!(Alone.all_gather(b"mine")?, [b"mine"]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Group for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(vec![room::copied(bytes)?])
    }

    fn abort(&self, _why: &str) {}

    fn check(&self) -> Result<()> {
        Ok(())
    }
}
