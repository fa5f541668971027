//! One run of a typed program: the index space, and where each operand lies in it.

use super::typed::{Op, Typed, TypedNode};
use crate::device::Arg;
use crate::layout::{Dims, Strides};
use crate::scalar::Scalar;

/// Where an operand lies: its first element, and its strides over the index space in elements.
/// An operand that does not vary over an axis has stride 0 there.
///
/// The value of an index at a position is its start and, for each axis, the position times the stride: what the address would be if
/// elements had one byte. So all that is known of strides holds for it, and only what would follow the address takes it instead.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Address of the first element; of an [index](super::Op::Index), which has no memory, its value there.
    pub address: *mut u8,
    /// Strides over the outer axes.
    pub outer: Strides,
    /// Strides over the row's axes.
    pub row: Strides,
}

// SAFETY: a slot is an address and numbers; who follows the address, and when, is the contract of
// `Device::run`.
unsafe impl Send for Slot {}
// SAFETY: as above.
unsafe impl Sync for Slot {}

/// What [`crate::Device::run`] is given.
///
/// The index space is `outer` x `row`. Programs without folds treat both alike.
#[derive(Debug)]
pub struct Task<'a> {
    /// The program.
    pub program: &'a Typed,
    /// Axes that are kept.
    pub outer: Dims,
    /// Axes that folds reduce.
    pub row: Dims,
    /// The program's tensor inputs, in order.
    pub inputs: Vec<Slot>,
    /// The program's outputs, in order; `RowScalar` outputs have stride 0 over the row.
    pub outputs: Vec<Slot>,
    /// The program's run-time numbers, in order.
    pub params: &'a [Scalar],
}

impl Slot {
    /// The slot of a kernel's operand over the axes that it has, none of which is a row's.
    ///
    /// ```
    /// use syntonic_core::device::Arg;
    /// use syntonic_core::fuse::Slot;
    /// use syntonic_core::{DType, Layout};
    ///
    /// let layout = Layout::from_parts(&[3, 2], &[1, 3], 0);
    /// let slot = Slot::of(&Arg { base: std::ptr::null_mut(), dtype: DType::F32, layout });
    /// assert_eq!((&slot.outer[..], slot.row.len()), (&[1, 3][..], 0));
    /// ```
    pub fn of(arg: &Arg) -> Slot {
        Slot {
            address: arg.address(),
            outer: arg.layout.strides().into(),
            row: Strides::new(),
        }
    }

    /// The slot of an index.
    ///
    /// ```
    /// use syntonic_core::fuse::Slot;
    /// use syntonic_core::layout::Strides;
    ///
    /// let slot = Slot::index(-3, Strides::from_slice(&[2]), Strides::new());
    /// assert_eq!(slot.start(), -3);
    /// ```
    pub fn index(start: i64, outer: Strides, row: Strides) -> Slot {
        Slot {
            address: std::ptr::without_provenance_mut(start as usize),
            outer,
            row,
        }
    }

    /// The value of an index at the first position.
    ///
    /// ```
    /// use syntonic_core::fuse::Slot;
    /// use syntonic_core::layout::Strides;
    ///
    /// assert_eq!(Slot::index(7, Strides::new(), Strides::new()).start(), 7);
    /// ```
    pub fn start(&self) -> i64 {
        self.address.addr() as i64
    }
}

impl<'a> Task<'a> {
    /// A run of a program of elements over a kernel's operands, which have the shape of its result.
    ///
    /// ```
    /// use syntonic_core::device::Arg;
    /// use syntonic_core::fuse::{Task, lower};
    /// use syntonic_core::{DType, Layout};
    ///
    /// syntonic_core::fuse! { TWICE(x: element) -> (element) { x + x } }
    /// let program = lower(&TWICE, &[DType::F32])?;
    /// let arg = Arg { base: std::ptr::null_mut(), dtype: DType::F32, layout: Layout::contiguous("twice", &[3, 2])? };
    /// let task = Task::over(&program, [&arg], &arg);
    /// assert_eq!((&task.outer[..], task.inputs.len(), task.outputs.len()), (&[3, 2][..], 1, 1));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn over<'b>(
        program: &'a Typed,
        inputs: impl IntoIterator<Item = &'b Arg>,
        output: &Arg,
    ) -> Task<'a> {
        Task {
            program,
            outer: output.layout.shape().into(),
            row: Dims::new(),
            inputs: inputs.into_iter().map(Slot::of).collect(),
            outputs: vec![Slot::of(output)],
            params: &[],
        }
    }
}

impl Task<'_> {
    /// The slot of an operand, counted over the inputs and then the outputs.
    pub fn slot(&self, operand: usize) -> &Slot {
        match operand.checked_sub(self.inputs.len()) {
            None => &self.inputs[operand],
            Some(output) => &self.outputs[output],
        }
    }

    /// True where the program folds, or the space has rows: else it is an element-wise map.
    ///
    /// ```
    /// use syntonic_core::DType;
    /// use syntonic_core::fuse::{Task, lower};
    ///
    /// syntonic_core::fuse! { TOTAL(x: element) -> (row_scalar) { sum(x) } }
    /// let program = lower(&TOTAL, &[DType::F32])?;
    /// let task = Task {
    ///     program: &program,
    ///     outer: [2].into_iter().collect(),
    ///     row: Default::default(),
    ///     inputs: vec![],
    ///     outputs: vec![],
    ///     params: &[],
    /// };
    /// assert!(task.has_rows());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn has_rows(&self) -> bool {
        let folds = |node: &TypedNode| matches!(node.op, Op::Fold(..));
        !self.row.is_empty() || self.program.nodes.iter().any(folds)
    }

    /// Every slot, the inputs first.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.inputs.iter().chain(&self.outputs)
    }
}
