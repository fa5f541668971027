//! Images as modules of the driver, loaded at the first request.

pub(crate) mod module;
mod overlap;
