//! Plans of the library: what they are of, and those that are kept.

use super::library::Handle;
use std::ffi::c_int;
use syntonic_core::DType;

/// A transform as the library names it: of which numbers into which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    R2c,
    C2r,
    C2c,
    D2z,
    Z2d,
    Z2z,
}

impl Form {
    /// The transform of numbers of one type into those of another.
    pub(super) fn of(from: DType, to: DType) -> Option<Form> {
        match (from, to) {
            (DType::F32, DType::C64) => Some(Form::R2c),
            (DType::C64, DType::F32) => Some(Form::C2r),
            (DType::C64, DType::C64) => Some(Form::C2c),
            (DType::F64, DType::C128) => Some(Form::D2z),
            (DType::C128, DType::F64) => Some(Form::Z2d),
            (DType::C128, DType::C128) => Some(Form::Z2z),
            _ => None,
        }
    }

    /// Its number in the library.
    pub(super) fn code(self) -> c_int {
        match self {
            Form::R2c => 0x2a,
            Form::C2r => 0x2c,
            Form::C2c => 0x29,
            Form::D2z => 0x6a,
            Form::Z2d => 0x6c,
            Form::Z2z => 0x69,
        }
    }

    /// Elements of a line read and of one written, for `n` numbers.
    pub(super) fn lengths(self, n: usize) -> (i64, i64) {
        let (n, half) = (n as i64, n as i64 / 2 + 1);
        match self {
            Form::R2c | Form::D2z => (n, half),
            Form::C2r | Form::Z2d => (half, n),
            Form::C2c | Form::Z2z => (n, n),
        }
    }
}

/// A plan, for so many lines of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) form: Form,
    pub(super) n: usize,
    pub(super) lines: usize,
    pub(super) handle: Handle,
    /// The bytes of its workspace.
    pub(super) bytes: usize,
}

/// Plans that are kept, the one used last behind the others.
#[derive(Debug, Default)]
pub(super) struct Plans(Vec<Kept>);

/// How many are kept; each has tables on the GPU, of about its length.
const MOST: usize = 32;

impl Plans {
    pub(super) fn find(&mut self, form: Form, n: usize, lines: usize) -> Option<Kept> {
        let same = |kept: &Kept| (kept.form, kept.n, kept.lines) == (form, n, lines);
        let at = self.0.iter().position(same)?;
        let found = self.0.remove(at);
        self.0.push(found);
        Some(found)
    }

    /// Keeps a plan; the one that has to go for it, if any.
    pub(super) fn keep(&mut self, plan: Kept) -> Option<Kept> {
        let old = (self.0.len() >= MOST).then(|| self.0.remove(0));
        // few: so many plans at most.
        self.0.push(plan);
        old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(handle: Handle) -> Kept {
        Kept {
            form: Form::C2c,
            n: handle as usize,
            lines: 1,
            handle,
            bytes: 0,
        }
    }

    #[test]
    fn the_plan_used_longest_ago_goes() {
        let mut plans = Plans::default();
        for handle in 0..MOST as Handle {
            assert_eq!(plans.keep(plan(handle)), None);
        }
        assert_eq!(plans.find(Form::C2c, 0, 1), Some(plan(0)));
        assert_eq!(plans.find(Form::C2c, 0, 2), None);
        assert_eq!(plans.find(Form::Z2z, 0, 1), None);
        assert_eq!(plans.keep(plan(1000)), Some(plan(1)));
        assert_eq!(plans.keep(plan(1001)), Some(plan(2)));
        assert_eq!(plans.find(Form::C2c, 0, 1), Some(plan(0)));
        assert_eq!(plans.0.len(), MOST);
    }

    #[test]
    fn forms_are_those_of_the_types() {
        for real in [DType::F32, DType::F64] {
            let complex = real.complex();
            let of = |from, to| Form::of(from, to).unwrap();
            assert_eq!(of(real, complex).lengths(7), (7, 4));
            assert_eq!(of(complex, real).lengths(8), (5, 8));
            assert_eq!(of(complex, complex).lengths(1), (1, 1));
            // The header counts letters: R is 0x20 a, C 0x20 9; of double precision they have the bit 0x40.
            let wide = if real == DType::F64 { 0x40 } else { 0 };
            assert_eq!(of(complex, complex).code() & 0x40, wide);
            assert_eq!(Form::of(real, real), None);
        }
        assert_eq!(Form::of(DType::F16, DType::C64), None);
        assert_eq!(Form::of(DType::F32, DType::C128), None);
    }
}
