//! How long operators take on a GPU: the rows of the committed list, by the device's own clock, each result checked in the same process.
//! A row's computation is `bench_case`, by family: layers (`forward`), their gradients (`backward`), products and decompositions, searches,
//! nearest points, pipelines and optimizers. `overlap` measures what goes on at the same time.

pub(super) mod backward;
mod bench;
mod bench_case;
mod factor_rows;
mod first;
mod forward;
mod optimizer_rows;
mod overlap;
mod pipeline_rows;
mod product_rows;
mod scaled_rows;
mod search_rows;

pub use bench::bench;
pub use first::{first, first_of};
pub use overlap::{Overlap, overlap};
pub(crate) use product_rows::vector_chain;
