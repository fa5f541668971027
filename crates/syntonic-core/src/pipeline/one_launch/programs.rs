//! The program of a task: its folds and formulas as one graph, over what lies in memory.

use super::super::formula::reduced;
use super::super::plan::Reduce;
use super::groups::{Group, Home, of_task};
use super::values::{Along, Folded, Id, Made, Value, beside};
use crate::device::{Place, StepTask};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{self, Builder, NodeId, Program, Role, Slot, Yield, lower};
use crate::layout::Strides;
use std::collections::HashMap;

/// Where a value lies in memory.
#[derive(Clone, Debug)]
pub(super) struct Lies {
    pub(super) place: Place,
    pub(super) strides: Strides,
}

/// The task of a group, but for where its operands lie.
pub(super) struct Written {
    program: Program,
    dtypes: Vec<DType>,
    /// What it reads, and how that lies in its space.
    pub(super) reads: Vec<(Id, Along)>,
    /// What it stores.
    pub(super) writes: Vec<(Id, Along)>,
    outer: Vec<usize>,
    row: Vec<usize>,
    smallest: Option<usize>,
}

struct Writer<'a> {
    all: &'a [Value],
    home: &'a [Home],
    /// The position of the task.
    at: usize,
    /// Kept axes of its space.
    kept: usize,
    builder: Builder,
    known: HashMap<(Id, Along), NodeId>,
    reads: Vec<(Id, Along)>,
}

impl Written {
    /// The task at this position, which stores those of its values that are in `stored`.
    pub(super) fn of(
        all: &[Value],
        (home, at, group): (&[Home], usize, &Group),
        stored: impl Fn(Id) -> bool,
    ) -> Written {
        let mut writer = Writer {
            all,
            home,
            at,
            kept: group.outer.len(),
            builder: Builder::new(),
            known: HashMap::new(),
            reads: Vec::new(),
        };
        let mut writes = Vec::new();
        for id in group.made() {
            let is_element = group.elements.contains(&id);
            let along = match group.smallest {
                // The numbers that are kept lie along the folded axis.
                Some(_) => beside(group.outer.len() + 1, group.outer.len() + 1),
                None => of_task(&all[id], group, is_element),
            };
            let node = writer.value(id, &along);
            if is_element || stored(id) {
                let role = match is_element || group.smallest.is_some() {
                    true => Yield::Element,
                    false => Yield::RowScalar,
                };
                writer.builder.output(node, role);
                writes.push((id, along));
            }
        }
        let names: Vec<&str> = group.made().map(|id| &*all[id].name).collect();
        let program = writer
            .builder
            .finish(names.join(" + "), fuse::Precision::Stepwise);
        Written {
            program,
            dtypes: writer
                .reads
                .iter()
                .map(|(id, _)| all[*id].dtype())
                .collect(),
            reads: writer.reads,
            writes,
            outer: group.outer.clone(),
            row: group.row.clone(),
            smallest: group.smallest,
        }
    }

    /// The task over values that lie so.
    ///
    /// # Errors
    /// As [`lower`].
    pub(super) fn task(
        &self,
        all: &[Value],
        read: impl Fn(Id) -> Lies,
        written: impl Fn(Id) -> Lies,
    ) -> Result<StepTask> {
        let slot = |lies: Lies, id: Id, along: &Along| -> Slot {
            let shape = &all[id].shape;
            let stride = |axis: usize| -> isize {
                let own = along.iter().position(|a| *a == Some(axis));
                own.filter(|&k| shape[k] > 1).map_or(0, |k| lies.strides[k])
            };
            let kept = self.outer.len();
            Slot {
                address: lies.place.address(),
                outer: (0..kept).map(stride).collect(),
                row: (kept..kept + self.row.len()).map(stride).collect(),
            }
        };
        let inputs = self
            .reads
            .iter()
            .map(|(id, along)| slot(read(*id), *id, along));
        let outputs = self
            .writes
            .iter()
            .map(|(id, along)| slot(written(*id), *id, along));
        Ok(StepTask {
            program: lower(&self.program, &self.dtypes)?,
            outer: self.outer.as_slice().into(),
            row: self.row.as_slice().into(),
            inputs: inputs.collect(),
            outputs: outputs.collect(),
            smallest: self.smallest,
        })
    }
}

impl Writer<'_> {
    /// The node of a value that lies so in the space.
    fn value(&mut self, id: Id, along: &Along) -> NodeId {
        let key = (id, along.clone());
        if let Some(&node) = self.known.get(&key) {
            return node;
        }
        let is_here = match self.home[id] {
            Home::Before => false,
            // A formula that is stored later is computed here, too.
            Home::Group(at) => at >= self.at,
            Home::Reader(_) => true,
        };
        let node = match &self.all[id].made {
            Made::Fold(folded) if is_here => self.fold(id, folded),
            Made::Elements(formula, reads) if is_here => {
                let own = self.all[id].shape.len();
                let shapes = reads.iter().map(|&k| self.all[k].shape.len());
                let operands: Vec<(Id, Along)> = reads
                    .iter()
                    .copied()
                    .zip(shapes.map(|axes| along[own - axes..].to_vec()))
                    .collect();
                self.formula(formula, &operands)
            }
            _ => {
                self.reads.push(key.clone());
                let of_row = |axis: &Option<usize>| axis.is_some_and(|a| a >= self.kept);
                let role = match along.iter().any(of_row) {
                    true => Role::Element,
                    false => Role::RowScalar,
                };
                self.builder.input(self.all[id].name.clone(), role)
            }
        };
        self.known.insert(key, node);
        node
    }

    fn fold(&mut self, id: Id, folded: &Folded) -> NodeId {
        let types = self.all[id].types;
        let of = match &folded.formula {
            Some(formula) => self.formula(formula, &folded.reads),
            None => {
                let factors: Vec<NodeId> = folded
                    .reads
                    .iter()
                    .map(|(read, along)| {
                        let x = self.value(*read, along);
                        let x = self.builder.cast(types.value, x);
                        self.builder.cast(types.compute, x)
                    })
                    .collect();
                self.builder.apply(fuse::Prim::Mul, &factors)
            }
        };
        match folded.how {
            // The task keeps the smallest of what its program gives.
            Reduce::Smallest(_) => of,
            how => reduced(&mut self.builder, of, how, types),
        }
    }

    /// The output of a formula over operands that lie so.
    fn formula(&mut self, formula: &Program, operands: &[(Id, Along)]) -> NodeId {
        let inputs: Vec<NodeId> = operands
            .iter()
            .map(|(id, along)| self.value(*id, along))
            .collect();
        let mut nodes: Vec<NodeId> = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            let made = match *node {
                fuse::Node::Input(k) => inputs[usize::from(k)],
                _ => self.builder.copy(node, |id: NodeId| nodes[id.index()]),
            };
            nodes.push(made);
        }
        nodes[formula.outputs[0].node.index()]
    }
}

impl Group {
    /// The values of a task in the order in which it makes them.
    pub(super) fn made(&self) -> impl Iterator<Item = Id> + '_ {
        let made = self.folds.iter().chain(&self.rows).chain(&self.elements);
        made.copied()
    }
}
