//! A loaded image: its kernels, and its variables in memory.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::error::line_at;
use super::header::{Function, Header};
use super::statement::Variable;
use super::types::Space;
use super::{Literal, ParseError};
use crate::code::{self, Code, Global, Image};
use crate::machine::Fault;
use crate::machine::reach::SHARED_START;
use crate::memory::Memory;

/// A kernel of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryId(pub usize);

/// What a driver tells about a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Offset and size of each parameter.
    pub params: Vec<(usize, usize)>,
    /// Bytes of all parameters.
    pub param_bytes: usize,
    /// Bytes of static shared memory.
    pub shared: u32,
    /// Threads that a block may have at most.
    pub max_threads: u32,
    /// Blocks of this size that a processor should hold at least; 0 where nothing is said.
    pub min_blocks: u32,
    /// 32-bit registers of a thread, estimated.
    pub registers: u32,
    /// Bytes of a thread's own memory.
    pub local: u32,
}

/// An image that was read. Kernels are lowered when they are first needed.
pub struct Module {
    text: String,
    functions: Vec<Function>,
    by_name: HashMap<String, usize>,
    globals: HashMap<String, Global>,
    codes: Vec<OnceLock<Result<Arc<Code>, ParseError>>>,
}

impl std::fmt::Debug for Module {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Module")
            .field("functions", &self.functions.len())
            .finish_non_exhaustive()
    }
}

impl Module {
    /// Reads an image, and allocates its variables.
    pub fn parse(text: &str, memory: &Memory) -> Result<Self, ParseError> {
        if !text.contains(".version") {
            return Err(ParseError::at(text, 0, "no PTX version"));
        }
        let header = Header::parse(text)?;
        let mut globals = HashMap::new();
        for variable in &header.variables {
            let global = place(text, variable, memory)?;
            globals.insert(variable.name.to_owned(), global);
        }
        let codes = header.functions.iter().map(|_| OnceLock::new()).collect();
        let Header {
            functions, by_name, ..
        } = header;
        Ok(Self {
            text: text.to_owned(),
            functions,
            by_name,
            globals,
            codes,
        })
    }

    /// The kernel of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<EntryId> {
        let index = *self.by_name.get(name)?;
        let function = &self.functions[index];
        (function.is_entry && function.body.is_some()).then_some(EntryId(index))
    }

    /// All kernels.
    pub fn entries(&self) -> impl Iterator<Item = EntryId> {
        (0..self.functions.len())
            .filter(|&index| self.functions[index].is_entry)
            .map(EntryId)
    }

    /// A kernel's name.
    #[must_use]
    pub fn name(&self, entry: EntryId) -> &str {
        self.functions
            .get(entry.0)
            .map_or("", |function| &function.name)
    }

    /// The address and the size of a variable in memory of the card.
    #[must_use]
    pub fn global(&self, name: &str, memory: &Memory) -> Option<(u64, usize)> {
        match self.globals.get(name)? {
            Global::Device(address) => memory.size_of(*address),
            _ => None,
        }
    }

    /// What a driver tells about a kernel. What only a kernel that can be run has is 0 for one that cannot.
    #[must_use]
    pub fn attributes(&self, entry: EntryId) -> Attributes {
        let Some(function) = self.functions.get(entry.0) else {
            return Attributes::default();
        };
        let params: Vec<_> = function
            .parameters
            .iter()
            .map(|one| (one.offset as usize, one.bytes as usize))
            .collect();
        let mut attributes = Attributes {
            param_bytes: params
                .iter()
                .map(|(offset, bytes)| offset + bytes)
                .max()
                .unwrap_or(0),
            params,
            max_threads: function.max_threads.unwrap_or(1024).min(1024),
            min_blocks: function.min_blocks.unwrap_or(0),
            ..Attributes::default()
        };
        if let Ok(code) = self.code(entry) {
            attributes.shared = code.shared_end - SHARED_START;
            attributes.local = code.local_bytes;
            attributes.registers = estimate(code.registers, &attributes);
        }
        attributes
    }

    /// Whether a kernel can be run; what it needs that the simulator lacks if not.
    pub fn check(&self, entry: EntryId) -> Result<(), ParseError> {
        self.code(entry).map(|_| ())
    }

    /// A kernel's compact form.
    pub(crate) fn code(&self, entry: EntryId) -> Result<Arc<Code>, ParseError> {
        let Some(cell) = self.codes.get(entry.0) else {
            return Err(ParseError::at(&self.text, 0, "no such kernel"));
        };
        let lower = || {
            let (functions, by_name, globals) = (&self.functions, &self.by_name, &self.globals);
            code::lower(
                Image {
                    text: &self.text,
                    functions,
                    by_name,
                    globals,
                },
                entry.0,
            )
            .map(Arc::new)
        };
        cell.get_or_init(lower).clone()
    }

    /// A fault with the line that its place in the text is on.
    pub(crate) fn locate(&self, mut fault: Fault) -> Fault {
        let (line, text) = line_at(&self.text, fault.line);
        fault.line = line;
        fault.text = text.into();
        fault
    }
}

/// Registers are given out by eights, and bounds on blocks hold their number down.
fn estimate(words: u32, attributes: &Attributes) -> u32 {
    let bound = 65536 / (attributes.max_threads.max(1) * attributes.min_blocks.max(1));
    (words + 8).min(255).min((bound / 8 * 8).max(16))
}

fn place(text: &str, variable: &Variable<'_>, memory: &Memory) -> Result<Global, ParseError> {
    let at = variable.name.as_ptr() as usize - text.as_ptr() as usize;
    let wrong = |what: &str| ParseError::at(text, at, what);
    let bytes = u32::try_from(variable.bytes).map_err(|_| wrong("a variable that is too large"))?;
    let align = variable.align as u32;
    match variable.space {
        Space::Shared if variable.external || bytes == 0 => Ok(Global::Dynamic(align)),
        Space::Shared => Ok(Global::Shared(bytes, align)),
        Space::Global | Space::Const => {
            let address = memory.allocate(bytes as usize);
            if address == 0 {
                return Err(wrong("no memory for a variable"));
            }
            memory.write(address, &initial(variable));
            Ok(Global::Device(address))
        }
        _ => Err(wrong("a variable of this state space outside of functions")),
    }
}

/// The bytes that a variable starts with.
fn initial(variable: &Variable<'_>) -> Vec<u8> {
    let width = usize::from(variable.scalar.bytes());
    let mut bytes = Vec::with_capacity(variable.bytes as usize);
    for literal in &variable.initial {
        let bits = match (*literal, width) {
            (Literal::Integer(value), _) => value as u64,
            (Literal::Single(bits), _) => u64::from(bits),
            (Literal::Double(bits), 4) => u64::from((f64::from_bits(bits) as f32).to_bits()),
            (Literal::Double(bits), _) => bits,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
    }
    bytes.resize(variable.bytes as usize, 0);
    bytes
}
