//! From the constants of a declared plan to a plan, and from a plan to what the checks go over.

use super::declaration::{Labour, Port, Round, Row, Side, Size, Sketch};
use super::one_launch::Known;
use super::plan::{Block, Carried, Extent, Factor, Input, Name, Plan, Stage, Work};
use crate::fuse::{self, Program};

impl Plan {
    /// The plan that a macro declared, and checked while it was compiled.
    #[doc(hidden)]
    pub fn declared(sketch: &Sketch<'static>) -> Plan {
        // few: what a plan names, here and below.
        Plan {
            name: Name::Borrowed(sketch.name),
            inputs: sketch.inputs.iter().map(Input::declared).collect(),
            blocks: sketch.rounds.iter().map(Block::declared).collect(),
            outputs: sketch.outputs.iter().copied().map(Name::Borrowed).collect(),
            known: Known::default(),
        }
    }

    /// What the checks go over.
    pub(super) fn sketched<T>(&self, with: impl FnOnce(&Sketch<'_>) -> T) -> T {
        // few: what a plan names.
        let shapes: Vec<Vec<Size<'_>>> = self.inputs.iter().map(|i| sizes(&i.shape)).collect();
        let ports = self.inputs.iter().zip(&shapes);
        let inputs: Vec<Port<'_>> = ports
            .map(|(input, shape)| Port {
                name: &input.name,
                shape,
            })
            .collect();
        let made: Vec<Vec<Made<'_>>> = self.blocks.iter().map(Block::made).collect();
        let rows: Vec<Vec<Row<'_>>> = made
            .iter()
            .map(|block| block.iter().map(Made::row).collect())
            .collect();
        let carried: Vec<Vec<(&str, &str)>> = self.blocks.iter().map(Block::pairs).collect();
        let blocks = self.blocks.iter().zip(&rows).zip(&carried);
        let rounds: Vec<Round<'_>> = blocks
            .map(|((block, rows), carried)| Round {
                times: block.times,
                until: block.until.as_deref(),
                carried,
                rows,
            })
            .collect();
        let outputs: Vec<&str> = self.outputs.iter().map(|name| &**name).collect();
        with(&Sketch {
            name: &self.name,
            inputs: &inputs,
            rounds: &rounds,
            outputs: &outputs,
        })
    }
}

/// A stage with what its row borrows.
struct Made<'a> {
    stage: &'a Stage,
    shape: Vec<Size<'a>>,
    reads: Vec<&'a str>,
}

impl Made<'_> {
    fn row(&self) -> Row<'_> {
        let labour = match &self.stage.work {
            Work::Elements(_) => Labour::Elements {
                reads: &self.reads,
                formula: not_asked_for,
            },
            Work::Reduction(reduce, _) => Labour::Reduction {
                reads: &self.reads,
                formula: not_asked_for,
                reduce: *reduce,
            },
            Work::Product(a, b) => Labour::Product {
                a: Side {
                    name: &a.name,
                    transposed: a.transposed,
                },
                b: Side {
                    name: &b.name,
                    transposed: b.transposed,
                },
            },
        };
        Row {
            name: &self.stage.name,
            number: self.stage.number,
            shape: &self.shape,
            labour,
            precision: self.stage.precision,
            tensor_cores: self.stage.tensor_cores,
        }
    }
}

fn sizes(shape: &[Extent]) -> Vec<Size<'_>> {
    let sizes = shape.iter().map(|extent| match extent {
        Extent::Symbol(name) => Size::Symbol(name),
        Extent::Number(n) => Size::Number(*n),
    });
    // few: axes.
    sizes.collect()
}

fn extents(shape: &[Size<'static>]) -> Vec<Extent> {
    let extent = |size: &Size<'static>| match *size {
        Size::Symbol(name) => Extent::Symbol(Name::Borrowed(name)),
        Size::Number(n) => Extent::Number(n),
    };
    // few: axes.
    shape.iter().map(extent).collect()
}

impl Input {
    fn declared(port: &Port<'static>) -> Input {
        Input {
            name: Name::Borrowed(port.name),
            shape: extents(port.shape),
        }
    }
}

impl Block {
    fn declared(round: &Round<'static>) -> Block {
        let carried = round.carried.iter().map(|&(name, from)| Carried {
            name: Name::Borrowed(name),
            from: Name::Borrowed(from),
        });
        // few: what a plan names.
        Block {
            times: round.times,
            until: round.until.map(Name::Borrowed),
            carried: carried.collect(),
            stages: round.rows.iter().map(Stage::declared).collect(),
        }
    }

    fn made(&self) -> Vec<Made<'_>> {
        let made = self.stages.iter().map(|stage| Made {
            shape: sizes(&stage.shape),
            reads: stage.work.reads(),
            stage,
        });
        // few: stages of one loop.
        made.collect()
    }

    fn pairs(&self) -> Vec<(&str, &str)> {
        // few: what a loop carries.
        let pairs = self.carried.iter().map(|c| (&*c.name, &*c.from));
        pairs.collect()
    }
}

impl Stage {
    fn declared(row: &Row<'static>) -> Stage {
        let factor = |side: Side<'static>| Factor {
            name: Name::Borrowed(side.name),
            transposed: side.transposed,
        };
        Stage {
            name: Name::Borrowed(row.name),
            number: row.number,
            shape: extents(row.shape),
            work: match row.labour {
                Labour::Elements { formula, .. } => Work::Elements(formula()),
                Labour::Reduction {
                    formula, reduce, ..
                } => Work::Reduction(reduce, formula()),
                Labour::Product { a, b } => Work::Product(factor(a), factor(b)),
            },
            precision: row.precision,
            tensor_cores: row.tensor_cores,
        }
    }
}

/// In the place of a formula that the checks do not look at: that of a plan is in the plan.
fn not_asked_for() -> Program {
    fuse::Builder::new().finish("none", fuse::Precision::Wide)
}
