//! The names that are visible at a place of the text.

use std::collections::HashMap;

use super::step::Register;
use crate::ptx::Kind;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Name {
    /// A register.
    Register(Register),
    /// A variable in shared memory, at an offset.
    Shared(u32),
    /// A variable in the thread's own memory, at an offset.
    Local(u32),
    /// A variable at an address.
    Global(u64),
    /// Parameters of the kernel, from an offset on.
    Kernel(u32),
    /// Parameters or results of a call, by number.
    Call(usize),
    /// A place to go to.
    Label(u32),
    /// Labels to pick from.
    Targets(Vec<u32>),
}

/// The names of one pair of braces.
#[derive(Default)]
struct Scope<'t> {
    names: HashMap<&'t str, Name>,
    /// Registers that share a prefix: how wide they are, the first one, and how many.
    ranges: Vec<(&'t str, Kind, Register, u32)>,
}

/// The names of a function's body that is being lowered, innermost scope last.
#[derive(Default)]
pub(crate) struct Frame<'t> {
    scopes: Vec<Scope<'t>>,
    /// Where `ret` goes; kernels end instead.
    pub(crate) exit: Option<u32>,
}

impl<'t> Frame<'t> {
    /// A frame without names, which `ret` leaves for this label.
    pub(crate) fn leaving_to(exit: Option<u32>) -> Self {
        Self {
            scopes: Vec::new(),
            exit,
        }
    }

    /// Enters a scope.
    pub(crate) fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Leaves it.
    pub(crate) fn close(&mut self) {
        self.scopes.pop();
    }

    /// Gives a name a meaning in the innermost scope.
    pub(crate) fn define(&mut self, name: &'t str, meaning: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, meaning);
        }
    }

    /// Gives `prefix0` and so on, `count` of them, to consecutive registers.
    pub(crate) fn define_range(
        &mut self,
        prefix: &'t str,
        kind: Kind,
        first: Register,
        count: u32,
    ) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.ranges.push((prefix, kind, first, count));
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &str) -> Option<Name> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (stem, number) = name.split_at(name.len() - digits);
        for scope in self.scopes.iter().rev() {
            if let Some(found) = scope.names.get(name) {
                return Some(found.clone());
            }
            if digits == 0 {
                continue;
            }
            for &(prefix, _, first, count) in &scope.ranges {
                if prefix == stem
                    && let Ok(number) = number.parse::<u32>()
                    && number < count
                {
                    return Some(Name::Register(first + number));
                }
            }
        }
        None
    }
}
