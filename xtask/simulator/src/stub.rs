//! Stands in for the machine until that is there.
#![allow(missing_docs, dead_code, unused_variables)]

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Debug)]
pub struct Module;
#[derive(Debug)]
pub struct ParseError;
impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "stub")
    }
}
#[derive(Debug)]
pub struct Fault;
impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "stub")
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryId(pub usize);
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub params: Vec<(usize, usize)>,
    pub param_bytes: usize,
    pub shared: u32,
    pub max_threads: u32,
    pub registers: u32,
    pub local: u32,
}
impl Module {
    pub fn parse(text: &str, memory: &Memory) -> Result<Module, ParseError> {
        if text.contains(".version") {
            Ok(Module)
        } else {
            Err(ParseError)
        }
    }
    pub fn entry(&self, name: &str) -> Option<EntryId> {
        Some(EntryId(0))
    }
    pub fn attributes(&self, e: EntryId) -> Attributes {
        Attributes::default()
    }
}
#[derive(Debug)]
pub struct Launch<'a> {
    pub entry: EntryId,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub cluster: [u32; 3],
    pub shared: u32,
    pub params: &'a [u8],
}
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    pub init: bool,
    pub race: bool,
}
#[derive(Clone, Copy, Debug)]
pub struct Card {
    pub capability: (u32, u32),
    pub processors: u32,
    pub shared_per_block_optin: u32,
    pub checks: Checks,
}
pub fn run(
    module: &Module,
    launch: &Launch<'_>,
    memory: &Memory,
    card: &Card,
) -> Result<(), Fault> {
    Ok(())
}
#[derive(Debug, Default)]
pub struct Memory(Mutex<BTreeMap<u64, usize>>);
impl Memory {
    pub fn new() -> Memory {
        Memory::default()
    }
    pub fn allocate(&self, bytes: usize) -> u64 {
        let at = unsafe { alloc(Layout::from_size_align(bytes, 512).unwrap()) } as u64;
        self.0.lock().unwrap().insert(at, bytes);
        at
    }
    pub fn free(&self, address: u64) -> bool {
        let Some(bytes) = self.0.lock().unwrap().remove(&address) else {
            return false;
        };
        unsafe {
            dealloc(
                address as *mut u8,
                Layout::from_size_align(bytes, 512).unwrap(),
            )
        };
        true
    }
    pub fn size_of(&self, address: u64) -> Option<(u64, usize)> {
        let all = self.0.lock().unwrap();
        let (&start, &len) = all.range(..=address).next_back()?;
        (address < start + len as u64).then_some((start, len))
    }
    pub fn adopt(&self, host: *mut u8, len: usize) {}
    pub fn mark_copied(&self, from: u64, to: u64, bytes: usize) {}
    pub fn mark_written(&self, range: std::ops::Range<u64>) {}
}
