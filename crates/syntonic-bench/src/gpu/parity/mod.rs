//! What a GPU computes is compared with the CPU: a room of checks, each a statement by name that holds or does not. A file has those
//! of one topic. The hazards of [`soak`] are statements too and stand in the same list.

mod advisor;
mod anything;
mod attention;
mod belief;
mod choice;
mod composites;
mod count;
mod custom;
mod ends;
mod evolve;
mod exact;
mod factors;
mod fill;
mod folds;
pub(crate) mod formulas;
mod fourier;
mod fp8;
mod gemv;
mod gemv_chain;
mod golden;
mod graphs;
mod indices;
mod infer;
mod large;
mod lazy;
mod made;
mod managed;
pub(crate) mod maps;
mod moves;
pub mod mutants;
mod needs;
mod order;
mod pipelines;
mod plan_files;
mod precision;
pub(crate) mod products;
mod quotients;
mod random;
mod report;
mod row_spaces;
mod rows;
mod scaled;
mod scan;
mod service;
mod small;
mod states;
mod thin;
mod transfer_entropy;
mod transfers;
mod trees;

pub use choice::Choice;
pub use needs::Need;
use report::run_one;
pub use report::{Report, run, sources, unused};

use anyhow::Result;

use super::{Gpu, soak, timing};

/// Looks whether something holds on the GPU.
type Look = Box<dyn Fn(&Gpu) -> Result<()>>;

/// One statement about the GPU that holds or does not.
pub struct Check {
    /// What it says, in the form `topic/case/dtype/layout`.
    pub name: String,
    /// Looks; an error says what is wrong.
    pub look: Look,
}

impl Check {
    /// A check by name.
    pub fn new(name: impl Into<String>, look: impl Fn(&Gpu) -> Result<()> + 'static) -> Check {
        Check {
            name: name.into(),
            look: Box::new(look),
        }
    }
}

/// Every check.
pub fn checks() -> Vec<Check> {
    [
        transfers::checks(),
        managed::checks(),
        fill::checks(),
        products::checks(),
        ends::checks(),
        factors::checks(),
        fourier::checks(),
        precision::checks(),
        quotients::checks(),
        gemv::checks(),
        gemv_chain::checks(),
        small::checks(),
        thin::checks(),
        fp8::checks(),
        scaled::checks(),
        attention::checks(),
        golden::checks(),
        soak::streams::checks(),
        soak::doors::checks(),
        soak::faults::checks(),
        maps::checks(),
        made::checks(),
        anything::checks(),
        composites::checks(),
        folds::checks(),
        rows::checks(),
        formulas::checks(),
        trees::checks(),
        lazy::checks(),
        indices::checks(),
        timing::backward::checks(),
        infer::checks(),
        belief::checks(),
        transfer_entropy::checks(),
        moves::checks(),
        scan::checks(),
        count::checks(),
        custom::checks(),
        random::checks(),
        graphs::checks(),
        exact::checks(),
        states::checks(),
        evolve::checks(),
        service::checks(),
        advisor::checks(),
        pipelines::checks(),
        plan_files::checks(),
        order::checks(),
        large::checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::cpu;

    /// The CPU beside itself: operands fit, and no bound is so tight that nothing holds it.
    #[test]
    fn checks_of_formulas_hold_on_the_cpu() {
        let here = Gpu { device: cpu() };
        for topic in [
            "infer/",
            "resonant/",
            "composites/",
            "fourier/",
            "frequencies/",
            "formulas/",
            "moves/ramps",
            "float8/",
            "graphs/maps",
            "graphs/refused/item",
        ] {
            let report = run(&here, &Choice::named(topic));
            assert!(report.passed > 0 && report.failed.is_empty(), "{report:?}");
        }
    }
}
