//! The values of a plan over inputs of known shapes: who makes each, and of what.

use super::super::binding::Extents;
use super::super::formula::{End, Types, explicit};
use super::super::plan::{Block, Plan, Reduce, Stage, Work};
use super::super::reference::broadcast;
use crate::dtype::DType;
use crate::fuse::Program;
use crate::tensor::Tensor;
use std::collections::HashMap;

/// A value, by its place among all.
pub(super) type Id = usize;

/// For each axis of a value, the axis of the space that it lies along; nothing where it does not move.
pub(super) type Along = Vec<Option<usize>>;

/// How a value is made.
pub(super) enum Made {
    /// It is the input of this position.
    Given(usize),
    /// It is what a round of a loop begins with: `start` at first, then what `from` was in the round before.
    Carried { start: Id, from: Id },
    /// By a formula of elements, over operands that broadcast to its shape.
    Elements(Program, Vec<Id>),
    /// By a fold over the last axis of a space, of what a formula makes of these operands there.
    Fold(Folded),
}

/// A fold over the row of a space.
pub(super) struct Folded {
    /// How.
    pub(super) how: Reduce,
    /// The kept axes of the space.
    pub(super) outer: Vec<usize>,
    /// The folded one.
    pub(super) row: usize,
    /// What is folded; nothing where it is the product of two operands.
    pub(super) formula: Option<Program>,
    /// The operands, and how each lies in the space, whose last axis is the folded one.
    pub(super) reads: Vec<(Id, Along)>,
}

/// A value of a plan.
pub(super) struct Value {
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    pub(super) types: Types,
    pub(super) made: Made,
}

impl Value {
    pub(super) fn dtype(&self) -> DType {
        self.types.value
    }

    pub(super) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The values that it is made of.
    pub(super) fn reads(&self) -> Vec<Id> {
        match &self.made {
            Made::Given(_) | Made::Carried { .. } => Vec::new(),
            Made::Elements(_, reads) => reads.clone(),
            Made::Fold(folded) => folded.reads.iter().map(|(id, _)| *id).collect(),
        }
    }
}

/// Stages that run one after the other without a turn back, or a loop.
pub(super) struct Segment {
    /// How often; 1 of what is no loop.
    pub(super) times: usize,
    /// The value that ends the loop.
    pub(super) until: Option<Id>,
    /// What goes from round to round.
    pub(super) carried: Vec<Id>,
    /// What is made, in order.
    pub(super) made: Vec<Id>,
}

impl Segment {
    pub(super) fn is_loop(&self) -> bool {
        self.times > 1 || !self.carried.is_empty()
    }
}

/// All values, and the order in which they are made.
pub(super) struct Values {
    pub(super) all: Vec<Value>,
    pub(super) segments: Vec<Segment>,
    pub(super) outputs: Vec<Id>,
}

impl Values {
    /// The values of a plan over these inputs; nothing where some stage is of a kind that is no single fold or formula.
    pub(super) fn of(plan: &Plan, inputs: &[&Tensor], extents: &Extents<'_>) -> Option<Values> {
        let mut values = Values {
            all: Vec::new(),
            segments: Vec::new(),
            outputs: Vec::new(),
        };
        let mut named: HashMap<&str, Id> = HashMap::new();
        for (k, (input, tensor)) in plan.inputs.iter().zip(inputs).enumerate() {
            let dtype = tensor.dtype();
            let id = values.add(Value {
                name: input.name.to_string(),
                shape: tensor.shape().to_vec(),
                types: Types {
                    value: dtype,
                    compute: dtype,
                },
                made: Made::Given(k),
            });
            named.insert(&input.name, id);
        }
        for block in plan.in_order() {
            values.block(block, extents, &mut named)?;
        }
        values.outputs = plan.outputs.iter().map(|name| named[&**name]).collect();
        Some(values)
    }

    fn add(&mut self, value: Value) -> Id {
        self.all.push(value);
        self.all.len() - 1
    }

    fn block<'a>(
        &mut self,
        block: &'a Block,
        extents: &Extents<'_>,
        named: &mut HashMap<&'a str, Id>,
    ) -> Option<()> {
        let mut inside = named.clone();
        let mut carried = Vec::new();
        for c in &block.carried {
            let start = named[&*c.name];
            let Value { shape, types, .. } = &self.all[start];
            let (shape, types) = (shape.clone(), *types);
            let id = self.add(Value {
                name: c.name.to_string(),
                shape,
                types,
                // Its maker is known when the round is.
                made: Made::Carried { start, from: start },
            });
            inside.insert(&c.name, id);
            carried.push(id);
        }
        let mut made = Vec::new();
        for stage in block.in_order() {
            let id = self.stage(stage, extents, &inside)?;
            inside.insert(&stage.name, id);
            named.insert(&stage.name, id);
            made.push(id);
        }
        for (c, &id) in block.carried.iter().zip(&carried) {
            let from = inside[&*c.from];
            if self.all[from].dtype() != self.all[id].dtype() {
                return None;
            }
            if let Made::Carried { from: to, .. } = &mut self.all[id].made {
                *to = from;
            }
        }
        let until = block.until.as_ref().map(|name| inside[&**name]);
        let segment = Segment {
            times: block.times,
            until,
            carried,
            made,
        };
        match self.segments.last_mut() {
            Some(last) if !segment.is_loop() && !last.is_loop() => last.made.extend(segment.made),
            _ => self.segments.push(segment),
        }
        Some(())
    }

    fn stage(
        &mut self,
        stage: &Stage,
        extents: &Extents<'_>,
        named: &HashMap<&str, Id>,
    ) -> Option<Id> {
        let shape = extents.shape(&stage.shape);
        let reads: Vec<Id> = stage.work.reads().iter().map(|name| named[name]).collect();
        let types = Types::of(stage.precision, reads.iter().map(|&k| self.all[k].dtype()));
        let shapes = |k: &Id| &self.all[*k].shape[..];
        let made = match &stage.work {
            Work::Elements(formula) if formula.looks_at_rows() => return None,
            Work::Elements(formula) => {
                Made::Elements(explicit(formula, types, End::Rounded), reads)
            }
            Work::Reduction(how, formula) if !formula.looks_at_rows() => {
                let mut outer = broadcast(reads.iter().map(shapes))?;
                let axes = outer.len();
                let row = outer.pop()?;
                let along = |k: &Id| (*k, beside(shapes(k).len(), axes));
                let end = match how {
                    Reduce::Smallest(k) if *k > row => return None,
                    Reduce::Smallest(_) => End::Rounded,
                    _ => End::Open,
                };
                Made::Fold(Folded {
                    how: *how,
                    formula: Some(explicit(formula, types, end)),
                    reads: reads.iter().map(along).collect(),
                    outer,
                    row,
                })
            }
            Work::Reduction(..) => return None,
            Work::Product(a, b) => {
                let sides = [(reads[0], a.transposed), (reads[1], b.transposed)];
                Made::Fold(product(sides.map(|(k, t)| (k, shapes(&k), t)), &shape))
            }
        };
        let types = match &stage.work {
            Work::Product(..) => Types {
                compute: types.value.compute(),
                ..types
            },
            _ => types,
        };
        Some(self.add(Value {
            name: stage.name.to_string(),
            shape,
            types,
            made,
        }))
    }
}

/// How a value of so many axes lies in a space of `axes` to which it broadcasts.
pub(super) fn beside(own: usize, axes: usize) -> Along {
    (0..own).map(|axis| Some(axis + axes - own)).collect()
}

/// A product as a fold: each of its numbers is the sum over a row of products.
fn product(factors: [(Id, &[usize], bool); 2], shape: &[usize]) -> Folded {
    let [(a, x, a_turned), (b, y, b_turned)] = factors;
    let (rows, columns) = (x.len() > 1, y.len() > 1);
    let stack = shape.len() - usize::from(rows) - usize::from(columns);
    let folded = Some(shape.len());
    let lies = |lens: &[usize], kept: usize, kept_first: bool| -> Along {
        let Some(stacked) = lens.len().checked_sub(2) else {
            return vec![folded];
        };
        let mut along = beside(stacked, stack);
        along.extend(match kept_first {
            true => [Some(kept), folded],
            false => [folded, Some(kept)],
        });
        along
    };
    let last = stack + usize::from(rows);
    let row = match x {
        [.., first, second] => [*second, *first][usize::from(a_turned)],
        other => other.first().copied().unwrap_or(1),
    };
    Folded {
        how: Reduce::Sum,
        outer: shape.to_vec(),
        row,
        formula: None,
        reads: vec![(a, lies(x, stack, !a_turned)), (b, lies(y, last, b_turned))],
    }
}
