//! What a command is about to do, and how long that usually takes: a build that prints nothing for minutes looks like one that hangs.

/// Says what begins now. `usually` is a time on two cores.
pub(crate) fn begin(what: &str, usually: &str) {
    eprintln!("\n== {what} ({usually})");
}
