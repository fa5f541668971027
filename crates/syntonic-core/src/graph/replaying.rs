//! The graphs that this thread replays now: a function in one, such as an operator's from outside, may not replay it again.

use super::Graph;
use crate::error::{Error, Result};
use std::cell::RefCell;

thread_local! {
    /// Where they lie.
    static NOW: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn place(graph: &Graph) -> usize {
    std::ptr::from_ref(graph).addr()
}

/// An error where this thread is in a replay of the graph, whose end it would wait for.
pub(super) fn check(graph: &Graph) -> Result<()> {
    if !NOW.with_borrow(|now| now.contains(&place(graph))) {
        return Ok(());
    }
    Err(Error::Capture {
        op: "replay".to_owned(),
        what: "a function in the graph replays the graph itself; hint: call what was captured, not the graph"
            .to_owned(),
    })
}

/// This thread replays a graph until this is dropped.
pub(super) struct Replaying;

impl Replaying {
    pub(super) fn begin(graph: &Graph) -> Replaying {
        NOW.with_borrow_mut(|now| now.push(place(graph))); // few: replays within replays.
        Replaying
    }
}

impl Drop for Replaying {
    fn drop(&mut self) {
        let _ = NOW.try_with(|now| now.borrow_mut().pop());
    }
}
