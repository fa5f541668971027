//! Bytecode of the interpreter for all types: a slot per value, no accumulator.

use super::code::{CELLS, CODE, Class, Code, Instruction, Place, Tensors};
use crate::codegen::code;
use crate::codegen::form::{Form, Step};
use crate::plan::straight::{INPUTS, OUTPUTS};

/// Operations beside the primitives.
pub(crate) const CONVERT: u8 = 252;
pub(crate) const WRITE_OUT: u8 = 253;

/// The bytecode of any form within the limits.
pub(crate) fn encode(form: &Form, tensors: Tensors<'_>, most_slots: usize) -> Option<Code> {
    let mut left = vec![0u32; form.values.len()];
    for k in 0..form.values.len() as u32 {
        form.operands(k).iter().for_each(|&a| left[a as usize] += 1);
    }
    let mut slots = Slots::default();
    let mut cells = 0u16;
    let mut places = vec![Place::Cell(0); form.values.len()];
    let mut operands = Vec::new();
    for ((k, _, _), &tensor) in form.leaves().zip(tensors) {
        places[k as usize] = if tensor {
            Place::Slot(slots.take())
        } else {
            cells += 1;
            Place::Cell(cells - 1)
        };
        operands.push(places[k as usize]);
    }
    let mut instructions = Vec::new();
    let write = |instructions: &mut Vec<Instruction>, k: u32, place: Place| {
        for (at, _) in form.outputs.iter().enumerate().filter(|(_, o)| **o == k) {
            let dtype = form.values[k as usize].dtype as u32;
            instructions.push(Instruction {
                word: u32::from(WRITE_OUT) | dtype << 8 | dtype << 16 | (at as u32) << 24,
                y: place,
                z: place,
                x: place,
            });
        }
    };
    for k in 0..form.values.len() as u32 {
        let value = &form.values[k as usize];
        let place = |a: u32| places[a as usize];
        let (operation, args) = match value.step {
            Step::Leaf(_) => {
                write(&mut instructions, k, places[k as usize]);
                continue;
            }
            Step::Cast(a) => (CONVERT, [place(a); 3]),
            Step::Apply(prim, args) => (code(prim), args.map(place)),
        };
        for &a in form.operands(k) {
            left[a as usize] -= 1;
            if left[a as usize] == 0
                && let Place::Slot(slot) = places[a as usize]
            {
                slots.free.push(slot);
            }
        }
        let slot = slots.take();
        places[k as usize] = Place::Slot(slot);
        let (from, to) = (form.operand_dtype(k) as u32, value.dtype as u32);
        instructions.push(Instruction {
            word: u32::from(operation) | from << 8 | to << 16 | u32::from(slot) << 24,
            y: args[0],
            z: args[1],
            x: args[2],
        });
        write(&mut instructions, k, places[k as usize]);
        if left[k as usize] == 0 {
            slots.free.push(slot);
        }
    }
    let fits = instructions.len() <= CODE
        && usize::from(slots.most) <= most_slots
        && usize::from(cells) <= CELLS
        && tensors.iter().filter(|&&t| t).count() <= INPUTS
        && form.outputs.len() <= OUTPUTS;
    fits.then_some(Code {
        class: Class::General,
        instructions,
        places: operands,
        slots: usize::from(slots.most),
        cells: usize::from(cells),
    })
}

#[derive(Default)]
struct Slots {
    free: Vec<u16>,
    most: u16,
}

impl Slots {
    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.most += 1;
            self.most - 1
        })
    }
}
