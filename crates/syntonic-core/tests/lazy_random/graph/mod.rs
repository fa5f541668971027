//! Random expression graphs. The checks of other devices play the same ones.

mod choices;
mod compare;
mod draw;
mod each;
mod errors;
mod folds;
mod model;
pub(crate) mod play;
pub(crate) mod script;
mod walk;

pub(crate) use compare::complaint;
pub(crate) use draw::script;
pub(crate) use play::Stage;
