//! From the text of a kernel to its compact form.

mod asynchronous;
mod call;
mod compare;
mod control;
mod convert;
mod memory;
mod mma;
mod operand;
mod plain;
mod tensor;
mod wgmma;

use std::collections::HashMap;

use self::call::Parameters;
use super::builder::Builder;
use super::flight::Flights;
use super::frame::{Frame, Name};
use super::step::{Act, Nature, Register};
use super::{Code, emit, optimize};
use crate::machine::reach::SHARED_START;
use crate::ptx::{Function, Instruction, Kind, ParseError, Space, Statement, Variable, body};

/// A variable of a module.
#[derive(Clone, Debug)]
pub(crate) enum Global {
    /// In memory of the card, at this address.
    Device(u64),
    /// In shared memory: bytes and alignment.
    Shared(u32, u32),
    /// All of shared memory that the launch adds, aligned so.
    Dynamic(u32),
}

/// What a kernel may refer to.
#[derive(Clone, Copy)]
pub(crate) struct Image<'t> {
    /// The text.
    pub(crate) text: &'t str,
    /// Its functions.
    pub(crate) functions: &'t [Function],
    /// Their numbers.
    pub(crate) by_name: &'t HashMap<String, usize>,
    /// Its variables.
    pub(crate) globals: &'t HashMap<String, Global>,
}

/// Calls may be nested this deep: they are put in place of themselves, so recursion would never end.
const DEEPEST: usize = 32;

/// A kernel that is being lowered.
pub(crate) struct Lowerer<'t> {
    image: Image<'t>,
    build: Builder,
    frames: Vec<Frame<'t>>,
    /// The arguments and results of calls.
    calls: Vec<Parameters>,
    /// Where variables of shared memory that were met lie.
    shared: HashMap<String, u32>,
    shared_end: u32,
    /// Constants that hold the start of dynamic shared memory plus a number.
    dynamic: Vec<(u32, i64)>,
    dynamic_align: u32,
    local_end: u32,
    param_bytes: u32,
    /// The carry of sums of several words.
    carry: Option<Register>,
    /// What warpgroups multiply and did not wait for.
    flights: Option<Flights>,
    /// Forms of opcodes that were met.
    forms: HashMap<&'t str, plain::Plan>,
}

/// Lowers kernel number `entry`.
pub(crate) fn lower(image: Image<'_>, entry: usize) -> Result<Code, ParseError> {
    let function = &image.functions[entry];
    let mut lowerer = Lowerer {
        image,
        build: Builder::default(),
        frames: Vec::new(),
        calls: Vec::new(),
        shared: HashMap::new(),
        shared_end: SHARED_START,
        dynamic: Vec::new(),
        dynamic_align: 16,
        local_end: 0,
        param_bytes: function
            .parameters
            .iter()
            .map(|one| one.offset + one.bytes)
            .max()
            .unwrap_or(0),
        carry: None,
        flights: None,
        forms: HashMap::new(),
    };
    lowerer.kernel(function)?;
    Ok(lowerer.finish(function))
}

impl<'t> Lowerer<'t> {
    fn error<T>(&self, what: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::at(
            self.image.text,
            self.build.place as usize,
            what,
        ))
    }

    fn frame(&mut self) -> &mut Frame<'t> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn kernel(&mut self, function: &'t Function) -> Result<(), ParseError> {
        let mut frame = Frame::default();
        frame.open();
        for parameter in &function.parameters {
            frame.define(&parameter.name, Name::Kernel(parameter.offset));
        }
        self.frames.push(frame);
        self.body(function)?;
        self.build.guard = None;
        self.build.push(Act::End, &[], 0, Nature::Effect);
        Ok(())
    }

    /// The statements of a function, in the innermost frame.
    fn body(&mut self, function: &'t Function) -> Result<(), ParseError> {
        let Some((start, end)) = function.body else {
            return self.error(format!("{} has no body", function.name));
        };
        let statements = body(self.image.text, start, end)?;
        self.scope(&statements)
    }

    fn scope(&mut self, statements: &[Statement<'t>]) -> Result<(), ParseError> {
        self.frame().open();
        for statement in statements {
            if let Statement::Label(name) = statement {
                let label = self.build.label();
                self.frame().define(name, Name::Label(label));
            }
        }
        for statement in statements {
            if let Statement::Targets(name, labels) = statement {
                let labels = labels
                    .iter()
                    .map(|label| self.label(label))
                    .collect::<Result<_, _>>()?;
                self.frame().define(name, Name::Targets(labels));
            }
        }
        for statement in statements {
            self.statement(statement)?;
        }
        self.frame().close();
        Ok(())
    }

    fn statement(&mut self, statement: &Statement<'t>) -> Result<(), ParseError> {
        match statement {
            Statement::Scope(inner) => self.scope(inner),
            Statement::Label(name) => {
                let label = self.label(name)?;
                self.build.guard = None;
                self.build.push(Act::Label(label), &[], 0, Nature::Effect);
                Ok(())
            }
            Statement::Registers { kind, names } => {
                self.registers(*kind, names);
                Ok(())
            }
            Statement::Variable(variable) => self.variable(variable),
            Statement::Targets(..) => Ok(()),
            Statement::Instruction(instruction) => self.instruction(instruction),
        }
    }

    fn label(&mut self, name: &str) -> Result<u32, ParseError> {
        match self.frame().find(name) {
            Some(Name::Label(label)) => Ok(label),
            _ => self.error(format!("no label {name}")),
        }
    }

    fn registers(&mut self, kind: Kind, names: &[(&'t str, Option<u32>)]) {
        for &(name, count) in names {
            let first = self.build.register(kind);
            match count {
                None => self.frame().define(name, Name::Register(first)),
                Some(count) => {
                    for _ in 1..count {
                        self.build.register(kind);
                    }
                    self.frame().define_range(name, kind, first, count);
                }
            }
        }
    }

    fn variable(&mut self, variable: &Variable<'t>) -> Result<(), ParseError> {
        let bytes = u32::try_from(variable.bytes).unwrap_or(u32::MAX);
        let meaning = match variable.space {
            Space::Shared => Name::Shared(self.reserve_shared(bytes, variable.align as u32)),
            Space::Local => Name::Local(self.reserve_local(bytes, variable.align as u32)),
            Space::Param => {
                self.calls.push(Parameters::of(bytes));
                Name::Call(self.calls.len() - 1)
            }
            _ => return self.error("a variable of this state space in a body"),
        };
        self.frame().define(variable.name, meaning);
        Ok(())
    }

    fn reserve_shared(&mut self, bytes: u32, align: u32) -> u32 {
        let at = self.shared_end.next_multiple_of(align.max(1));
        self.shared_end = at.saturating_add(bytes);
        at
    }

    fn reserve_local(&mut self, bytes: u32, align: u32) -> u32 {
        let at = self.local_end.next_multiple_of(align.max(1));
        self.local_end = at.saturating_add(bytes);
        at
    }

    fn instruction(&mut self, instruction: &Instruction<'t>) -> Result<(), ParseError> {
        self.build.place = instruction.at as u32;
        self.build.guard = None;
        if let Some((name, negate)) = instruction.guard {
            let Some(Name::Register(register)) = self.frame().find(name) else {
                return self.error(format!("no predicate {name}"));
            };
            self.build.guard = Some((register, negate));
        }
        self.dispatch(instruction)
    }

    fn dispatch(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let head = i.opcode.split('.').next().unwrap_or("");
        match head {
            "bra" | "brx" | "ret" | "exit" | "bar" | "barrier" | "shfl" | "vote" | "redux"
            | "match" | "elect" | "wgmma" | "mma" | "ldmatrix" | "stmatrix" | "movmatrix" => {
                self.unguarded(i)
            }
            "call" => self.unguarded(i),
            "ld" | "ldu" | "st" => self.load_or_store(i),
            "atom" | "red" => self.atomic(i),
            "cp" => self.copy(i),
            "mbarrier" => self.mbarrier(i),
            "mov" => self.mov(i),
            "cvt" => self.convert(i),
            "cvta" => self.generic_address(i),
            "set" | "setp" => self.compare(i),
            _ => self.other(i, head),
        }
    }

    /// Instructions that end a block: a guard becomes a branch around them.
    fn unguarded(&mut self, i: &Instruction<'t>) -> Result<(), ParseError> {
        let guard = self.build.guard.take();
        let Some((predicate, negate)) = guard else {
            return self.control(i);
        };
        if i.opcode.starts_with("bra") {
            return self.branch(i, Some((predicate, negate)));
        }
        let around = self.build.label();
        self.branch_on(predicate, !negate, around);
        self.control(i)?;
        self.build.push(Act::Label(around), &[], 0, Nature::Effect);
        Ok(())
    }

    fn finish(mut self, function: &Function) -> Code {
        let base = self.shared_end.next_multiple_of(self.dynamic_align);
        if !self.dynamic.is_empty() {
            self.shared_end = base;
        }
        for &(constant, addend) in &self.dynamic {
            self.build.constants[constant as usize].1 = u64::from(base).wrapping_add(addend as u64);
        }
        if let Some(flights) = self.flights.take() {
            flights.finish(&mut self.build);
        }
        optimize::optimize(&mut self.build, self.param_bytes);
        let mut code = emit::emit(self.build);
        code.name.clone_from(&function.name);
        code.shared_end = self.shared_end;
        code.local_bytes = self.local_end.next_multiple_of(16);
        code.param_bytes = self.param_bytes;
        code
    }
}
