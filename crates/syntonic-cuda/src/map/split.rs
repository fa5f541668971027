//! Splits forms that are too long for one launch, with temporaries in memory.

use crate::codegen::form::{Form, Step, Value};

/// A part of a form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// The part's own form.
    pub(crate) form: Form,
    /// For each operand of the part, the value of the whole form that it is.
    pub(crate) operands: Vec<u32>,
    /// For each output of the part, the value of the whole form that it is.
    pub(crate) results: Vec<u32>,
    /// Where the next part begins.
    pub(crate) end: u32,
}

/// The part that computes the values from `start` up to `end`; values that later parts need are its outputs.
pub(crate) fn part(form: &Form, start: u32, end: u32) -> Part {
    let mut places = vec![u32::MAX; form.values.len()];
    let mut own = Form {
        values: Vec::new(),
        outputs: Vec::new(),
    };
    let mut operands = Vec::new();
    let computed =
        |k: u32| k >= start && k < end && !matches!(form.values[k as usize].step, Step::Leaf(_));
    for k in (start..end).filter(|&k| computed(k)) {
        for &a in form.operands(k) {
            if places[a as usize] == u32::MAX {
                places[a as usize] = own.values.len() as u32;
                let leaf = Value::new(Step::Leaf(a), form.values[a as usize].dtype);
                own.values.push(leaf);
                operands.push(a);
            }
        }
        let place = |a: u32| places[a as usize];
        let step = match form.values[k as usize].step {
            Step::Apply(prim, args) => Step::Apply(prim, args.map(place)),
            Step::Cast(a) => Step::Cast(place(a)),
            leaf => leaf,
        };
        places[k as usize] = own.values.len() as u32;
        own.values.push(Value {
            step,
            ..form.values[k as usize]
        });
    }
    let later = |k: u32| {
        form.outputs.contains(&k)
            || (end..form.values.len() as u32).any(|j| form.operands(j).contains(&k))
    };
    let results: Vec<u32> = (start..end).filter(|&k| computed(k) && later(k)).collect();
    own.outputs = results.iter().map(|&k| places[k as usize]).collect();
    Part {
        form: own,
        operands,
        results,
        end,
    }
}
