//! Which values are made together: the tasks of a segment, each over one space, in their order.
//!
//! A fold joins the first task over its space that comes after all that it reads; a formula over what a task has folded is computed
//! there, row by row; any other formula is computed again by whoever reads it, unless it is long and readers ask for it more often than
//! it has elements.

use super::super::plan::Reduce;
use super::values::{Along, Folded, Id, Made, Segment, Value, beside};
use crate::fuse::{Node, Program};
use std::collections::HashSet;

/// Operations of a formula that are repeated rather than stored.
const REPEATED: usize = 6;
/// Values that a task makes at most: each has operands, and a kernel takes so many.
const MOST: usize = 4;

/// One task: what is made over a space.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The kept axes.
    pub(super) outer: Vec<usize>,
    /// The folded axes: one, or, of a task that folds nothing, all.
    pub(super) row: Vec<usize>,
    /// The folds over its rows.
    pub(super) folds: Vec<Id>,
    /// Formulas over what it has folded.
    pub(super) rows: Vec<Id>,
    /// Formulas over its elements that are stored.
    pub(super) elements: Vec<Id>,
    /// How many of the smallest of each row it keeps, of the one value that it folds.
    pub(super) smallest: Option<usize>,
}

impl Group {
    fn space(&self) -> Vec<usize> {
        self.outer.iter().chain(&self.row).copied().collect()
    }

    fn count(&self) -> usize {
        self.folds.len() + self.rows.len() + self.elements.len()
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Memory, from the beginning of the segment on.
    Before,
    /// The task of this position.
    Group(usize),
    /// Whoever reads it computes it; there is all that it needs after so many tasks.
    Reader(usize),
}

/// The tasks of a segment.
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    /// For each value of the plan.
    pub(super) home: Vec<Home>,
}

impl Groups {
    /// The tasks that make a segment's values, of which those in `needed` must be in memory.
    pub(super) fn of(all: &[Value], segment: &Segment, needed: &HashSet<Id>) -> Groups {
        let mut groups = Groups {
            groups: Vec::new(),
            home: vec![Home::Before; all.len()],
        };
        for &id in &segment.made {
            match &all[id].made {
                Made::Fold(folded) => groups.fold(all, id, folded),
                Made::Elements(..) => groups.formula(all, id),
                Made::Given(_) | Made::Carried { .. } => {}
            }
        }
        for &id in &segment.made {
            if needed.contains(&id) && matches!(groups.home[id], Home::Reader(_)) {
                groups.store(all, id);
            }
        }
        groups
    }

    /// How many tasks come before all that a value needs is there.
    fn ready(&self, id: Id) -> usize {
        match self.home[id] {
            Home::Before => 0,
            Home::Group(at) => at + 1,
            Home::Reader(ready) => ready,
        }
    }

    fn fold(&mut self, all: &[Value], id: Id, folded: &Folded) {
        let axes = folded.outer.len();
        let elements = folded.outer.iter().product::<usize>() * folded.row;
        for (read, along) in &folded.reads {
            let value = &all[*read];
            let moves = along.contains(&Some(axes)) && value.count() > 1;
            let again = matches!(self.home[*read], Home::Reader(_)) && elements > value.count();
            if moves && again && self.work(all, *read) > REPEATED {
                self.store(all, *read);
            }
        }
        let ready = folded.reads.iter().map(|(read, _)| self.ready(*read));
        let ready = ready.max().unwrap_or(0);
        let smallest = match folded.how {
            Reduce::Smallest(k) => Some(k),
            _ => None,
        };
        let fits = |group: &Group| {
            let alike = group.outer == folded.outer && group.row == [folded.row];
            let open = group.smallest.is_none() && smallest.is_none();
            alike && open && group.count() < MOST
        };
        let place = self.groups.iter().skip(ready).position(fits);
        let place = place.map_or(self.groups.len(), |at| at + ready);
        if place == self.groups.len() {
            self.groups.push(Group {
                outer: folded.outer.clone(),
                row: vec![folded.row],
                smallest,
                ..Group::default()
            });
        }
        self.groups[place].folds.push(id);
        self.home[id] = Home::Group(place);
    }

    fn formula(&mut self, all: &[Value], id: Id) {
        let value = &all[id];
        let reads = value.reads();
        let last = reads.iter().map(|&k| self.ready(k)).max().unwrap_or(0);
        self.home[id] = Home::Reader(last);
        let Some(at) = last.checked_sub(1) else {
            return;
        };
        let here = |k: Id| self.home[k] == Home::Group(at);
        let group = &self.groups[at];
        // Each row of the task has one of its numbers.
        let rows: usize = group.outer.iter().product();
        let is_row = |k: Id| {
            (group.folds.contains(&k) || group.rows.contains(&k)) && all[k].shape == value.shape
        };
        let there = reads.iter().any(|&k| here(k))
            && reads.iter().all(|&k| is_row(k) || self.ready(k) <= at);
        let there = there && group.smallest.is_none();
        if there && value.count() == rows && group.count() < 2 * MOST && !group.folds.is_empty() {
            self.groups[at].rows.push(id);
            self.home[id] = Home::Group(at);
        }
    }

    /// Has a formula that readers would compute stored by a task.
    fn store(&mut self, all: &[Value], id: Id) {
        let Home::Reader(ready) = self.home[id] else {
            return;
        };
        let shape = &all[id].shape;
        let fits = |group: &Group| {
            group.space() == *shape && group.smallest.is_none() && group.count() < MOST
        };
        let place = self.groups.iter().skip(ready).position(fits);
        let place = place.map_or(self.groups.len(), |at| at + ready);
        if place == self.groups.len() {
            self.groups.push(Group {
                row: if shape.is_empty() {
                    vec![1]
                } else {
                    shape.clone()
                },
                ..Group::default()
            });
        }
        self.groups[place].elements.push(id);
        self.home[id] = Home::Group(place);
    }

    /// Operations of a formula and of those within it that readers compute with it.
    fn work(&self, all: &[Value], id: Id) -> usize {
        let mut sum = 0;
        let mut stack = vec![id];
        let mut seen = HashSet::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) || !matches!(self.home[id], Home::Reader(_)) {
                continue;
            }
            if let Made::Elements(formula, reads) = &all[id].made {
                sum += operations(formula);
                stack.extend(reads);
            }
        }
        sum
    }
}

/// Operations of a formula.
fn operations(formula: &Program) -> usize {
    let of = |node: &Node| match node {
        Node::Apply(prim, _) => prim.operations(),
        _ => 0,
    };
    formula.nodes.iter().map(of).sum()
}

/// How a value that a task makes lies in the task's space: along its kept axes, or along all.
pub(super) fn of_task(value: &Value, group: &Group, is_element: bool) -> Along {
    let axes = group.outer.len();
    match is_element {
        true => beside(
            value.shape.len(),
            value.shape.len().max(axes + group.row.len()),
        ),
        false => (0..value.shape.len())
            .map(|axis| (axis < axes).then_some(axis))
            .collect(),
    }
}
