//! Images as modules of the driver, loaded at the first request.

pub(crate) mod assembly;
pub(crate) mod function;
pub(crate) mod loading;
pub(crate) mod machine_code;
pub(crate) mod module;
mod overlap;
