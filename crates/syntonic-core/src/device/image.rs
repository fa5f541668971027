//! A launch of steps as data, which another process takes instead of making it anew.

use super::steps::Place;
use serde::{Deserialize, Serialize};

/// What a word of a launch's parameter is at a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// Always this.
    Same(u64),
    /// The address of a place.
    At(Place),
    /// So many bytes into memory for partial values.
    Partial(usize),
    /// So many counters into those by which blocks of the launch know of each other.
    Counter(usize),
}

/// The launch of steps that a device has made ready: a kernel as text, and how it is launched over the buffers of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// The first cards that run the text, as their maker names them.
    pub target: String,
    /// The name of the kernel.
    pub entry: String,
    /// What it does, a line for each pass.
    pub schedule: Vec<String>,
    /// Blocks of the launch at most.
    pub blocks: usize,
    /// Bytes for partial values.
    pub partial: usize,
    /// Which buffers it writes.
    pub written: Vec<usize>,
    /// The parameter.
    pub words: Vec<Word>,
    /// The kernel.
    #[serde(skip)]
    pub text: String,
}
