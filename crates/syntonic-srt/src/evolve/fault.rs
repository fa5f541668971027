//! What can be wrong with a checkpoint.

use super::EvolveError;

/// Why a checkpoint is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointFault {
    /// Something else than a checkpoint.
    #[error(
        "it is no checkpoint of such a search: {0}; hint: give a file that save or a run wrote"
    )]
    Foreign(String),
    /// The end is missing.
    #[error("it is cut short: {0}; hint: take an earlier checkpoint, this one cannot be mended")]
    Truncated(String),
    /// Bytes have changed since it was written, or it contradicts itself.
    #[error("it is damaged: {0}; hint: take an earlier checkpoint, this one cannot be mended")]
    Damaged(String),
    /// Another program wrote it.
    #[error(
        "it was made by version {found} of the format, this is version {known}; hint: load it with the Syntonic that wrote it, or a newer one"
    )]
    Version {
        /// The format of the checkpoint.
        found: u32,
        /// The newest format that is known here.
        known: u32,
    },
    /// Its search is one that [`super::Res::new`] or [`super::device::DeviceSearch::new`] would refuse.
    #[error("its search is refused: {0}")]
    Refused(Box<EvolveError>),
}

impl CheckpointFault {
    /// The error for the checkpoint of this name.
    pub(super) fn at(self, place: &str) -> EvolveError {
        EvolveError::Checkpoint {
            place: place.to_owned(),
            fault: self,
        }
    }
}
