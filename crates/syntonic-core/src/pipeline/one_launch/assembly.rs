//! A plan as steps: what each task reads and writes, and where that lies.

use super::groups::{Group, Groups};
use super::programs::{Lies, Written};
use super::values::{Id, Made, Segment, Values};
use crate::device::{Frame, Loop, Place, Step, StepTask, Steps, remainder};
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::{self, Builder, Role, Slot, Yield, lower};
use crate::layout::{Dims, Strides};
use crate::tensor::Tensor;
use std::collections::HashSet;

/// What every place in the memory between steps is a multiple of.
const ALIGNED: usize = 256;

/// The place of a value that is not kept, which no task reads or writes.
const NOWHERE: Place = Place {
    buffer: 0,
    offset: 0,
};

/// A plan over inputs of these shapes, types and layouts, as steps.
///
#[derive(Debug)]
pub(super) struct Assembled {
    pub(super) steps: Steps,
    pub(super) frame: Frame,
}

/// Where a value is.
#[derive(Clone, Copy)]
struct Kept {
    /// After its segment.
    at_last: Place,
    /// Within a loop that carries it on, after even rounds and after odd ones.
    rounds: [Place; 2],
}

struct Assembly<'a> {
    values: &'a Values,
    inputs: &'a [&'a Tensor],
    kept: Vec<Option<Kept>>,
    results: Vec<Id>,
    between: usize,
}

impl Assembled {
    /// The steps of values over inputs that lie as these do; nothing where some value has no elements.
    pub(super) fn of(values: &Values, inputs: &[&Tensor]) -> Result<Option<Assembled>> {
        let folds_nothing = |made: &Made| matches!(made, Made::Fold(folded) if folded.row == 0);
        if values
            .all
            .iter()
            .any(|v| v.count() == 0 || folds_nothing(&v.made))
        {
            return Ok(None);
        }
        let mut distinct: Vec<Id> = Vec::new();
        for &id in &values.outputs {
            if !distinct.contains(&id) {
                distinct.push(id);
            }
        }
        let mut assembly = Assembly {
            values,
            inputs,
            kept: values.all.iter().map(|_| None).collect(),
            results: distinct,
            between: 0,
        };
        let mut steps = Vec::new();
        for at in 0..values.segments.len() {
            assembly.segment(at, &mut steps)?;
        }
        let results = assembly.results.iter().map(|&id| &values.all[id]);
        let size = |shape: &[usize], dtype: DType| shape.iter().product::<usize>() * dtype.size();
        let written = results.map(|value| size(&value.shape, value.dtype()));
        let read = inputs.iter().map(|t| size(t.shape(), t.dtype()));
        let bytes = read.chain(written).sum();
        let place = |id: &Id| assembly.results.iter().position(|r| r == id).unwrap_or(0);
        let all = &values.all;
        let made = values.segments.iter().flat_map(|s| &s.made);
        let names: Vec<&str> = made.map(|&id| &*all[id].name).collect();
        let frame = Frame {
            name: names.join(" + "),
            outputs: values.outputs.iter().map(place).collect(),
            results: assembly
                .results
                .iter()
                .map(|&id| (all[id].shape.clone(), all[id].dtype()))
                .collect(),
            between: assembly.between,
            bytes,
        };
        Ok(Some(Assembled {
            steps: Steps {
                name: frame.name.clone(),
                steps,
            },
            frame,
        }))
    }
}

impl Assembly<'_> {
    /// Values that must be in memory when a segment has run.
    fn needed(&self, at: usize) -> HashSet<Id> {
        let Values { all, segments, .. } = self.values;
        let own = &segments[at];
        let mut needed: HashSet<Id> = self.results.iter().copied().collect();
        for later in &segments[at + 1..] {
            needed.extend(later.made.iter().flat_map(|&id| all[id].reads()));
            needed.extend(later.carried.iter().filter_map(|&id| match all[id].made {
                Made::Carried { start, .. } => Some(start),
                _ => None,
            }));
        }
        needed.extend(self.goes_on(own));
        needed
    }

    /// The values of a loop that the next round reads, or that end it, each once and in order.
    fn goes_on(&self, segment: &Segment) -> Vec<Id> {
        let from = |id: &Id| match self.values.all[*id].made {
            Made::Carried { from, .. } => Some(from),
            _ => None,
        };
        let carried = segment.carried.iter().filter_map(from);
        // few: what a loop carries.
        let mut ids: Vec<Id> = carried.chain(segment.until).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn segment(&mut self, at: usize, steps: &mut Vec<Step>) -> Result<()> {
        let Values { all, segments, .. } = self.values;
        let segment = &segments[at];
        let needed = self.needed(at);
        let Groups { groups, home } = Groups::of(all, segment, &needed);
        let write = |stored: &dyn Fn(Id) -> bool| -> Vec<Written> {
            let each = groups.iter().enumerate();
            each.map(|(k, group)| Written::of(all, (&home, k, group), stored))
                .collect()
        };
        // What other tasks read is known when all are written.
        let read: HashSet<Id> = write(&|_| true)
            .iter()
            .flat_map(|task| task.reads.iter().map(|(id, _)| *id))
            .collect();
        let tasks = write(&|id| needed.contains(&id) || read.contains(&id));
        for task in &tasks {
            for (id, _) in &task.writes {
                self.keep(*id, segment);
            }
        }
        let made = |id: Id| groups.iter().flat_map(Group::made).any(|own| own == id);
        let round = |turn: usize| -> Result<Vec<StepTask>> {
            let written = |id: Id| self.lies(id, Some(turn), true);
            let read = |id: Id| self.lies(id, Some(turn), made(id));
            let tasks = tasks.iter().filter(|task| !task.writes.is_empty());
            tasks.map(|task| task.task(all, read, written)).collect()
        };
        if !segment.is_loop() {
            steps.extend(round(0)?.into_iter().map(Step::Task));
            return Ok(());
        }
        let until = segment.until.map(|id| {
            let place = |turn| self.lies(id, Some(turn), true).place;
            (all[id].dtype(), [0, 1, 2].map(place))
        });
        let after = |turn: usize| self.settled(segment, &needed, turn);
        steps.push(Step::Loop(Loop {
            times: segment.times,
            rounds: [round(0)?, round(1)?, round(2)?],
            until,
            after: [after(0)?, after(1)?, after(2)?],
        }));
        Ok(())
    }

    /// Gives a value its memory.
    fn keep(&mut self, id: Id, segment: &Segment) {
        if self.kept[id].is_some() {
            return;
        }
        let inputs = self.inputs.len();
        let result = self.results.iter().position(|r| *r == id);
        let own = match result {
            Some(k) => Place {
                buffer: inputs + k,
                offset: 0,
            },
            None => self.more(id),
        };
        let goes_on = segment.is_loop() && self.goes_on(segment).contains(&id);
        let rounds = match goes_on {
            false => [own; 2],
            // How many rounds there will be is not known: the last one's is copied.
            true if segment.until.is_some() => [self.more(id), self.more(id)],
            true => {
                let other = self.more(id);
                match segment.times % 2 {
                    0 => [other, own],
                    _ => [own, other],
                }
            }
        };
        self.kept[id] = Some(Kept {
            at_last: own,
            rounds,
        });
    }

    /// Memory between steps for another copy of a value.
    fn more(&mut self, id: Id) -> Place {
        let value = &self.values.all[id];
        let offset = self.between;
        let bytes = value.count() * value.dtype().size();
        self.between += bytes.next_multiple_of(ALIGNED);
        Place {
            buffer: self.inputs.len() + self.results.len(),
            offset,
        }
    }

    /// Where a value lies, in one of the three kinds of rounds if it is of the loop that runs.
    fn lies(&self, id: Id, turn: Option<usize>, is_of_round: bool) -> Lies {
        let value = &self.values.all[id];
        match value.made {
            Made::Given(k) => {
                let tensor = self.inputs[k];
                return Lies {
                    place: Place {
                        buffer: k,
                        offset: remainder(tensor),
                    },
                    strides: tensor.strides().into(),
                };
            }
            Made::Carried { start, from } => {
                return match turn {
                    None | Some(0) => self.lies(start, None, false),
                    Some(turn) => Lies {
                        place: self.of_round(from, turn - 1),
                        strides: contiguous(&value.shape),
                    },
                };
            }
            Made::Elements(..) | Made::Fold(_) => {}
        }
        Lies {
            place: match (turn, is_of_round) {
                (Some(turn), true) => self.of_round(id, turn % 2),
                _ => self.kept[id].map_or(NOWHERE, |kept| kept.at_last),
            },
            strides: contiguous(&value.shape),
        }
    }

    /// Where an even or odd round leaves a value.
    fn of_round(&self, id: Id, parity: usize) -> Place {
        self.kept[id].map_or(NOWHERE, |kept| kept.rounds[parity])
    }

    /// Copies of what a loop of an unknown number of rounds carries to where its readers look for it.
    fn settled(
        &self,
        segment: &Segment,
        needed: &HashSet<Id>,
        turn: usize,
    ) -> Result<Vec<StepTask>> {
        let mut tasks = Vec::new();
        if segment.until.is_none() {
            return Ok(tasks);
        }
        for id in self.goes_on(segment) {
            let (Some(kept), true) = (self.kept[id], needed.contains(&id)) else {
                continue;
            };
            let value = &self.values.all[id];
            tasks.push(copied(
                &value.name,
                &value.shape,
                value.dtype(),
                [kept.rounds[turn % 2], kept.at_last],
            )?);
        }
        Ok(tasks)
    }
}

/// A task that copies a value from one place to another.
fn copied(name: &str, shape: &[usize], dtype: DType, places: [Place; 2]) -> Result<StepTask> {
    let mut builder = Builder::new();
    let x = builder.input("x", Role::Element);
    builder.output(x, Yield::Element);
    let program = builder.finish(name.to_owned(), fuse::Precision::Stepwise);
    let row: Dims = if shape.is_empty() {
        [1].as_slice().into()
    } else {
        shape.into()
    };
    let strides = contiguous(&row);
    let [from, to] = places.map(|place| Slot {
        address: place.address(),
        outer: Strides::new(),
        row: strides.clone(),
    });
    Ok(StepTask {
        program: lower(&program, &[dtype])?,
        outer: Dims::new(),
        row,
        inputs: vec![from],
        outputs: vec![to],
        smallest: None,
    })
}

/// Row-major strides.
fn contiguous(shape: &[usize]) -> Strides {
    let mut strides: Strides = shape.iter().map(|_| 0).collect();
    let mut next = 1;
    for (stride, &len) in strides.iter_mut().zip(shape).rev() {
        *stride = next;
        next *= len as isize;
    }
    strides
}
