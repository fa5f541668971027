//! Tasks over memory that is not there.

use std::fmt::{Display, Formatter};
use syntonic_core::fuse::{Program, Role, Slot, Task, Yield, lower};
use syntonic_core::layout::{Dims, Strides};
use syntonic_core::{DType, Scalar};

/// How the first operand lies; the others lie packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    /// One element after the other.
    Packed,
    /// With an element between two rows of memory.
    Padded,
    /// Every second element.
    Every2nd,
    /// From the last element to the first.
    Backwards,
    /// One element beyond an aligned address.
    Shifted,
    /// With its axes in the other order.
    Turned,
    /// Along the last axis alone: the same everywhere else.
    Repeated,
    /// One element everywhere.
    Single,
}

/// A program over an index space.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) program: Program,
    /// The type of every input.
    pub(super) dtype: DType,
    pub(super) shape: Vec<usize>,
    /// The axes of the row, in order.
    pub(super) row: Vec<usize>,
    pub(super) lies: Lies,
    /// Bytes by which all operands lie further on.
    pub(super) beyond: u64,
}

/// Bytes from one operand to the next.
const APART: u64 = 1 << 36;

impl Sample {
    /// A program over all of `shape`, of which the axes `row` are the row.
    pub(super) fn new(program: &Program, dtype: DType, shape: &[usize], row: &[usize]) -> Sample {
        Sample {
            program: program.clone(),
            dtype,
            shape: shape.to_vec(),
            row: row.to_vec(),
            lies: Lies::Packed,
            beyond: 0,
        }
    }

    /// The same with a first operand that lies otherwise.
    pub(super) fn lying(self, lies: Lies) -> Sample {
        Sample { lies, ..self }
    }

    /// Gives the task to `use_it`.
    pub(super) fn with_task<R>(&self, use_it: impl FnOnce(&Task<'_>) -> R) -> R {
        let numbers = self.program.inputs.iter();
        let tensors: Vec<Role> = numbers
            .clone()
            .map(|input| input.role)
            .filter(|role| *role != Role::Number)
            .collect();
        let typed = lower(&self.program, &vec![self.dtype; tensors.len()]).unwrap();
        let params = vec![Scalar::Float(0.5); numbers.len() - tensors.len()];
        let inputs = tensors.iter().enumerate().map(|(k, role)| {
            let lies = if k == 0 { self.lies } else { Lies::Packed };
            self.slot(k, self.strides(*role, lies), self.first(lies))
        });
        let inputs: Vec<Slot> = inputs.collect();
        let outputs = typed.outputs.iter().enumerate().map(|(k, output)| {
            let role = match output.role {
                Yield::Element => Role::Element,
                Yield::RowScalar => Role::RowScalar,
                Yield::RowSum => Role::Row,
            };
            let strides = self.strides(role, Lies::Packed);
            self.slot(inputs.len() + k, strides, 0)
        });
        let outputs = outputs.collect();
        use_it(&Task {
            program: &typed,
            outer: self.picked(&self.shape, &self.kept()),
            row: self.picked(&self.shape, &self.row),
            inputs,
            outputs,
            params: &params,
        })
    }

    fn kept(&self) -> Vec<usize> {
        let axes = 0..self.shape.len();
        axes.filter(|a| !self.row.contains(a)).collect()
    }

    fn picked(&self, of: &[usize], axes: &[usize]) -> Dims {
        axes.iter().map(|&a| of[a]).collect()
    }

    /// Strides over all axes of an operand that varies as its role says.
    fn strides(&self, role: Role, lies: Lies) -> Vec<isize> {
        let varies = |a: &usize| match role {
            Role::Element => true,
            Role::Row => self.row.contains(a),
            _ => !self.row.contains(a),
        };
        let mut axes: Vec<usize> = (0..self.shape.len()).filter(varies).collect();
        if lies == Lies::Turned {
            axes.reverse();
        }
        let mut strides = vec![0; self.shape.len()];
        let mut step = 1;
        for (at, &axis) in axes.iter().rev().enumerate() {
            strides[axis] = step;
            step *= self.shape[axis] as isize;
            if lies == Lies::Padded && at == 0 {
                step += 1;
            }
        }
        let last = axes.last().copied();
        for (axis, stride) in strides.iter_mut().enumerate() {
            match lies {
                Lies::Every2nd => *stride *= 2,
                Lies::Backwards => *stride = -*stride,
                Lies::Repeated if Some(axis) != last => *stride = 0,
                Lies::Single => *stride = 0,
                _ => {}
            }
        }
        strides
    }

    /// The position of the first element.
    fn first(&self, lies: Lies) -> usize {
        match lies {
            Lies::Shifted => 1,
            Lies::Backwards => self.shape.iter().product::<usize>().saturating_sub(1),
            _ => 0,
        }
    }

    fn slot(&self, k: usize, strides: Vec<isize>, first: usize) -> Slot {
        let bytes = (first * self.dtype.size()) as u64;
        let address = (k as u64 + 1) * APART + self.beyond + bytes;
        let over = |axes: &[usize]| -> Strides { axes.iter().map(|&a| strides[a]).collect() };
        Slot {
            address: address as usize as *mut u8,
            outer: over(&self.kept()),
            row: over(&self.row),
        }
    }
}

impl Display for Sample {
    /// `name dtype shape`, where the axes of the row are in brackets, and how the first operand lies.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {} ",
            self.program.name,
            crate::ptx::name::short(self.dtype)
        )?;
        for (axis, length) in self.shape.iter().enumerate() {
            let between = if axis == 0 { "" } else { "x" };
            match self.row.contains(&axis) {
                true => write!(f, "{between}[{length}]")?,
                false => write!(f, "{between}{length}")?,
            }
        }
        match self.lies {
            Lies::Packed => Ok(()),
            lies => write!(f, " {}", format!("{lies:?}").to_lowercase()),
        }
    }
}
