//! Bytecode: what the interpreters of `kernels/include/bytecode.cuh` run, and how a form becomes it.

use crate::codegen::form::{Form, Step};
use crate::codegen::{code, is_in_class};
use crate::plan::straight::{INPUTS, OUTPUTS};
use syntonic_core::DType;
use syntonic_core::fuse::{Prim, Yields};

/// The most instructions of a launch.
pub(crate) const CODE: usize = 64;
/// The most numbers of a launch.
pub(crate) const CELLS: usize = 24;

/// Flags of an instruction's word.
pub(crate) const LOAD: u32 = 1 << 8;
pub(crate) const STORE: u32 = 1 << 9;
pub(crate) const WRITE: u32 = 1 << 10;
pub(crate) const TO_F16: u32 = 1 << 11;
pub(crate) const TO_BF16: u32 = 1 << 12;

/// Operations beside the primitives.
pub(crate) const MOVE: u8 = 240;
pub(crate) const REVERSED_SUBTRACT: u8 = 241;
pub(crate) const REVERSED_DIVIDE: u8 = 242;
pub(crate) const NON_ZERO: u8 = 243;
pub(crate) const BOTH: u8 = 244;
pub(crate) const EITHER: u8 = 245;
pub(crate) const ONE_OF: u8 = 246;
pub(crate) const NEITHER: u8 = 247;

/// Where an operand of an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A slot: a value for each element.
    Slot(u16),
    /// A cell: a number.
    Cell(u16),
}

/// One instruction before slots have sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Instruction {
    /// The operation, with its flags, slot and output.
    pub(crate) word: u32,
    /// The second operand.
    pub(crate) y: Place,
    /// The third operand.
    pub(crate) z: Place,
    /// The value loaded into the accumulator first.
    pub(crate) x: Place,
}

/// Which interpreter runs the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The interpreter whose accumulator has this type.
    Light(DType),
    /// The interpreter for all types at once.
    General,
}

/// A form as bytecode.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Code {
    /// The interpreter that runs it.
    pub(crate) class: Class,
    /// The instructions.
    pub(crate) instructions: Vec<Instruction>,
    /// The place of each of the form's operands.
    pub(crate) places: Vec<Place>,
    /// The number of slots it needs.
    pub(crate) slots: usize,
    /// The number of cells it needs.
    pub(crate) cells: usize,
}

/// An operation on the accumulator before register allocation.
#[derive(Clone, Copy, Debug)]
struct Operation {
    code: u8,
    args: [u32; 3],
    arity: usize,
    round: u32,
    /// The output that its result is, if any.
    write: Option<u32>,
    result: u32,
}

/// Which operands of a form are tensors; the others are one number each.
pub(crate) type Tensors<'a> = &'a [bool];

/// The bytecode of `form` in the type `class`, if that type can express it within the limits.
///
/// `tensors[i]` says whether the form's operand `i` varies.
pub(crate) fn encode(
    form: &Form,
    class: DType,
    tensors: Tensors<'_>,
    most_slots: usize,
) -> Option<Code> {
    let mut sketch = Sketch::new(form, class.compute());
    for k in 0..form.values.len() as u32 {
        sketch.value(k)?;
    }
    sketch.outputs()?;
    if class.is_half() && !sketch.rounds_to(class, tensors) {
        return None;
    }
    let mut code = Allocation::new(&sketch, tensors).run()?;
    code.class = Class::Light(class);
    let fits = code.instructions.len() <= CODE
        && code.slots <= most_slots
        && code.cells <= CELLS
        && tensors.iter().filter(|&&t| t).count() <= INPUTS
        && form.outputs.len() <= OUTPUTS;
    fits.then_some(code)
}

/// A form as operations on values of the class's type.
struct Sketch<'a> {
    form: &'a Form,
    class: DType,
    /// The representative of each value, once no-op conversions are removed.
    same: Vec<u32>,
    operations: Vec<Operation>,
    /// The operation that yields each value.
    by: Vec<Option<usize>>,
    /// How many values and outputs take each value.
    uses: Vec<u32>,
}

impl<'a> Sketch<'a> {
    fn new(form: &'a Form, class: DType) -> Sketch<'a> {
        let mut uses = vec![0; form.values.len()];
        for k in 0..form.values.len() as u32 {
            form.operands(k).iter().for_each(|&a| uses[a as usize] += 1);
        }
        form.outputs.iter().for_each(|&o| uses[o as usize] += 1);
        Sketch {
            form,
            class,
            same: (0..form.values.len() as u32).collect(),
            operations: Vec::new(),
            by: vec![None; form.values.len()],
            uses,
        }
    }

    /// True if every operand is of this half type, and so is every result or is a truth value.
    fn rounds_to(&self, half: DType, tensors: Tensors<'_>) -> bool {
        let flag = if half == DType::F16 { TO_F16 } else { TO_BF16 };
        let mut operands = self.form.leaves().zip(tensors);
        operands.all(|((_, _, dtype), &tensor)| !tensor || dtype == half)
            && self
                .operations
                .iter()
                .all(|o| o.round == flag || is_truth(o.code))
    }

    fn dtype(&self, k: u32) -> DType {
        self.form.values[k as usize].dtype
    }

    /// True if the class represents every value of this type exactly.
    fn is_held(&self, dtype: DType) -> bool {
        dtype == self.class || dtype.is_bool() || (self.class == DType::F32 && dtype.is_half())
    }

    /// True if every use of value `k` converts it to the class.
    fn is_only_converted(&self, k: u32) -> bool {
        let converted = (0..self.form.values.len() as u32)
            .filter(|&j| {
                self.form.values[j as usize].step == Step::Cast(k) && self.dtype(j) == self.class
            })
            .count();
        converted as u32 == self.uses[k as usize]
    }

    fn value(&mut self, k: u32) -> Option<()> {
        match self.form.values[k as usize].step {
            Step::Leaf(_) => {
                let dtype = self.dtype(k);
                let fits = dtype.size() <= self.class.size() && self.is_only_converted(k);
                (self.is_held(dtype) || fits).then_some(())
            }
            Step::Cast(a) => self.conversion(k, a),
            Step::Apply(prim, args) => self.apply(k, prim, args),
        }
    }

    fn conversion(&mut self, k: u32, a: u32) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        let source = self.same[a as usize];
        let part = from == self.class.real() && self.by[source as usize].is_some();
        if to == self.class && (self.is_held(from) || part || self.is_leaf(source)) {
            self.same[k as usize] = source;
            return Some(());
        }
        if to.is_bool() && (self.is_held(from)) {
            self.push(NON_ZERO, &[source], k);
            return Some(());
        }
        if to.is_half() && self.class == DType::F32 && self.is_held(from) {
            self.round(k, a, to);
            return Some(());
        }
        // A value that is only written is converted at its store.
        let written = self.form.outputs.iter().filter(|&&o| o == k).count() as u32;
        let only_written = written == self.uses[k as usize];
        let fits = to.size() <= self.class.size() && self.is_held(from);
        if only_written && fits {
            self.same[k as usize] = source;
            return Some(());
        }
        None
    }

    fn is_leaf(&self, k: u32) -> bool {
        matches!(self.form.values[k as usize].step, Step::Leaf(_))
    }

    /// Rounds value `a` to a half type: in the operation that computes it, if that has no other user.
    fn round(&mut self, k: u32, a: u32, to: DType) {
        let flag = if to == DType::F16 { TO_F16 } else { TO_BF16 };
        let source = self.same[a as usize];
        let own = source == a && self.uses[a as usize] == 1;
        if let (true, Some(at)) = (own, self.by[source as usize])
            && self.operations[at].round == 0
        {
            self.operations[at].round = flag;
            self.same[k as usize] = source;
            return;
        }
        self.push(MOVE, &[source], k);
        if let Some(last) = self.operations.last_mut() {
            last.round = flag;
        }
    }

    fn apply(&mut self, k: u32, prim: Prim, args: [u32; 3]) -> Option<()> {
        let operand = self.form.operand_dtype(k);
        let args: Vec<u32> = args[..prim.arity()]
            .iter()
            .map(|&a| self.same[a as usize])
            .collect();
        let code = if operand.is_bool() {
            match prim {
                Prim::Select => code(Prim::Select),
                Prim::Add | Prim::Or | Prim::BitOr => EITHER,
                Prim::Mul | Prim::And | Prim::BitAnd => BOTH,
                Prim::Ne | Prim::Xor | Prim::BitXor => ONE_OF,
                Prim::Not | Prim::BitNot => NEITHER,
                Prim::Eq => code(Prim::Eq),
                _ => return None,
            }
        } else if operand == self.class {
            let ternary = prim == Prim::Select || (prim == Prim::Fma && operand.is_float());
            if !ternary && !is_in_class(prim, operand) {
                return None;
            }
            code(prim)
        } else {
            return None;
        };
        self.push(code, &args, k);
        Some(())
    }

    fn push(&mut self, code: u8, args: &[u32], result: u32) {
        let mut own = [args[0]; 3];
        own[..args.len()].copy_from_slice(args);
        self.by[result as usize] = Some(self.operations.len());
        self.operations.push(Operation {
            code,
            args: own,
            arity: args.len(),
            round: 0,
            write: None,
            result,
        });
    }

    /// Marks outputs; operands that are outputs, and duplicates, are moved.
    fn outputs(&mut self) -> Option<()> {
        for (at, &output) in self.form.outputs.iter().enumerate() {
            let dtype = self.dtype(output);
            let source = self.same[output as usize];
            let leaf = self.is_leaf(source);
            if leaf && !self.is_held(self.dtype(source)) && source == output {
                return None;
            }
            if dtype.size() > self.class.size() {
                return None;
            }
            match self.by[source as usize] {
                Some(by) if self.operations[by].write.is_none() => {
                    self.operations[by].write = Some(at as u32);
                }
                _ => {
                    let mut own = Operation {
                        code: MOVE,
                        args: [source; 3],
                        arity: 1,
                        round: 0,
                        write: None,
                        result: source,
                    };
                    own.write = Some(at as u32);
                    self.operations.push(own);
                }
            }
        }
        Some(())
    }
}

/// True if an operation yields 0 or 1.
fn is_truth(operation: u8) -> bool {
    let of_table = Prim::ALL.iter().find(|&&p| code(p) == operation);
    matches!(operation, NON_ZERO | BOTH | EITHER | ONE_OF | NEITHER)
        || of_table.is_some_and(|p| p.row().yields == Yields::Bool)
}

/// The equivalent operation with its first two operands swapped.
fn swapped(code: u8) -> Option<u8> {
    let is = |prim: Prim| code == crate::codegen::code(prim);
    let to = |prim: Prim| Some(crate::codegen::code(prim));
    let commutes = [
        Prim::Add,
        Prim::Mul,
        Prim::Eq,
        Prim::Ne,
        Prim::BitAnd,
        Prim::BitOr,
        Prim::BitXor,
        Prim::Fma,
    ];
    if commutes.iter().any(|&p| is(p)) || matches!(code, BOTH | EITHER | ONE_OF) {
        return Some(code);
    }
    match () {
        () if is(Prim::Sub) => Some(REVERSED_SUBTRACT),
        () if is(Prim::Div) => Some(REVERSED_DIVIDE),
        () if is(Prim::Lt) => to(Prim::Gt),
        () if is(Prim::Gt) => to(Prim::Lt),
        () if is(Prim::Le) => to(Prim::Ge),
        () if is(Prim::Ge) => to(Prim::Le),
        _ => None,
    }
}

/// Allocates slots and cells to values.
struct Allocation<'a> {
    operations: &'a [Operation],
    places: Vec<Option<Place>>,
    left: Vec<u32>,
    free: Vec<u16>,
    slots: u16,
    cells: u16,
    operands: Vec<Place>,
    class: DType,
}

impl<'a> Allocation<'a> {
    fn new(sketch: &'a Sketch<'_>, tensors: Tensors<'_>) -> Allocation<'a> {
        let mut this = Allocation {
            operations: &sketch.operations,
            places: vec![None; sketch.form.values.len()],
            left: vec![0; sketch.form.values.len()],
            free: Vec::new(),
            slots: 0,
            cells: 0,
            operands: Vec::new(),
            class: sketch.class,
        };
        for operation in this.operations {
            for &a in &operation.args[..operation.arity] {
                this.left[a as usize] += 1;
            }
        }
        for ((k, _, _), &tensor) in sketch.form.leaves().zip(tensors) {
            let place = if tensor {
                this.slots += 1;
                Place::Slot(this.slots - 1)
            } else {
                this.cells += 1;
                Place::Cell(this.cells - 1)
            };
            this.places[k as usize] = Some(place);
            this.operands.push(place);
        }
        this
    }

    fn run(mut self) -> Option<Code> {
        let mut instructions = Vec::with_capacity(self.operations.len());
        let mut held = None;
        for at in 0..self.operations.len() {
            let operation = self.operations[at];
            let mut args = operation.args;
            let mut code = operation.code;
            let mut word = 0;
            let mut x = Place::Cell(0);
            if held != Some(args[0]) {
                match swapped(code) {
                    Some(other)
                        if operation.arity > 1 && held == Some(args[1]) && args[0] != args[1] =>
                    {
                        args.swap(0, 1);
                        code = other;
                    }
                    _ => {
                        word |= LOAD;
                        x = self.places[args[0] as usize]?;
                    }
                }
            }
            // A MOVE only loads and stores.
            let place = |k: usize| self.places[args[k] as usize];
            let y = if operation.arity > 1 {
                place(1)?
            } else {
                Place::Cell(0)
            };
            let z = if operation.arity > 2 {
                place(2)?
            } else {
                Place::Cell(0)
            };
            let y = if code == MOVE {
                // The accumulator is moved from a place, or stays where it is by way of one.
                if word & LOAD != 0 {
                    word &= !LOAD;
                    x
                } else {
                    self.places[args[0] as usize]?
                }
            } else {
                y
            };
            for &a in &operation.args[..operation.arity] {
                self.release(a);
            }
            word |= u32::from(code) | operation.round;
            let result = operation.result;
            let moved_out = operation.code == MOVE && operation.args[0] == result;
            if !moved_out && self.must_be_stored(at) {
                let slot = self.take_slot();
                self.places[result as usize] = Some(Place::Slot(slot));
                word |= STORE | u32::from(slot) << 16;
            }
            if let Some(output) = operation.write {
                word |= WRITE | output << 24;
            }
            held = Some(result);
            instructions.push(Instruction { word, y, z, x });
        }
        Some(Code {
            class: Class::Light(self.class),
            instructions,
            places: self.operands,
            slots: usize::from(self.slots),
            cells: usize::from(self.cells),
        })
    }

    /// Whether the result of the operation at `at` has a user besides the accumulator of the next one.
    fn must_be_stored(&self, at: usize) -> bool {
        let result = self.operations[at].result;
        let left = self.left[result as usize];
        let passed_on = self.operations.get(at + 1).is_some_and(|next| {
            let args = &next.args[..next.arity];
            let once = args.iter().filter(|&&a| a == result).count() == 1;
            let first = args[0] == result;
            let second = next.arity > 1 && args[1] == result && swapped(next.code).is_some();
            next.code != MOVE && once && (first || second)
        });
        left > u32::from(passed_on)
    }

    fn release(&mut self, value: u32) {
        let left = &mut self.left[value as usize];
        *left -= 1;
        if *left == 0
            && let Some(Place::Slot(slot)) = self.places[value as usize]
        {
            self.free.push(slot);
        }
    }

    fn take_slot(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        })
    }
}
