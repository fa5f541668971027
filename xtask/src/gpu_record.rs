//! Whether the CUDA kernels of this tree were run on a GPU.

use anyhow::Result;

use crate::tree::{files, is_under};

/// One line for people. A record, once there are kernels, names the hash of the sources that were run.
pub(crate) fn state() -> Result<String> {
    let kernels = files()?
        .iter()
        .filter(|file| is_under(file, "kernels") && file.extension().is_some_and(|end| end == "cu"))
        .count();
    Ok(match kernels {
        0 => "GPU record: none, and no CUDA kernel in this tree for one to vouch for".to_owned(),
        count => {
            format!("GPU record: none; {count} CUDA sources in this tree have no recorded run")
        }
    })
}
