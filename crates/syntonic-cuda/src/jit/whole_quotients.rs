//! Quotients and remainders of integers by a number of the launch, which are rounded down: products with a factor that the host has chosen
//! (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
//!
//! For b > 0 and x < 0, x / b rounded down is ~(~x / b), so one division of numbers from 0 on serves both. Other numbers divide as by itself.

use super::quotients::one_for_all;
use super::values::{Share, Sharing, Values, line};
use crate::codegen::form::{Form, Step};
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// The number, if it is one, by which value `k` divides integers.
pub(super) fn divisor_of(form: &Form, sharing: &[Sharing], k: u32) -> Option<u32> {
    let by = one_for_all(form, sharing, k, &[Prim::FloorDiv, Prim::Rem])?;
    let number = matches!(form.values[by as usize].step, Step::Leaf(_));
    let whole = matches!(form.values[k as usize].dtype, DType::I32 | DType::I64);
    (number && whole).then_some(by)
}

impl Values<'_> {
    /// The factor and the shift of value `k`, a number that the parameter has at `offset`, if integers are divided by it.
    pub(super) fn factor(&mut self, k: u32, offset: usize) {
        if !self.divisors.whole.contains(&k) {
            return;
        }
        self.divisors.factors.insert(k);
        let by = self.register(k, 0);
        line!(self, ".reg .pred above{k};\n.reg .b32 shift{k};");
        match self.dtype(k) {
            DType::I32 => line!(
                self,
                ".reg .b32 factor{k};\nld.param.u32 factor{k}, [p+{}];\nld.param.u32 shift{k}, [p+{}];\nsetp.gt.s32 above{k}, {by}, 0;",
                offset + 8,
                offset + 12
            ),
            // The factor leaves no room for the shift: it is the length of b - 1.
            _ => line!(
                self,
                ".reg .b64 factor{k};\nsub.s64 factor{k}, {by}, 1;\nclz.b64 shift{k}, factor{k};\nsub.u32 shift{k}, 64, shift{k};\nld.param.u64 factor{k}, [p+{}];\nsetp.gt.s64 above{k}, {by}, 0;",
                offset + 8
            ),
        }
    }

    /// Computes value `k` where it is a quotient or a remainder by a number; says whether it did.
    pub(super) fn divide_whole(&mut self, k: u32, share: Share) -> Option<bool> {
        let form = self.form;
        let by = divisor_of(form, &self.sharing, k).filter(|by| self.divisors.factors.contains(by));
        let (Some(by), Step::Apply(prim, [x, ..])) = (by, form.values[k as usize].step) else {
            return Some(false);
        };
        let bits = 8 * self.dtype(k).size();
        let (label, divisor) = (self.text.len(), self.register(by, 0));
        line!(
            self,
            "{{\n.reg .b{bits} sign, near;\n@!above{by} bra $alone{label};"
        );
        for j in share.elements() {
            let (x, to) = (self.register(x, j), self.register(k, j));
            line!(
                self,
                "shr.s{bits} sign, {x}, {};\nxor.b{bits} near, {x}, sign;\nmul.hi.u{bits} {to}, near, factor{by};",
                bits - 1
            );
            line!(
                self,
                "add.u{bits} {to}, {to}, near;\nshr.u{bits} {to}, {to}, shift{by};\nxor.b{bits} {to}, {to}, sign;"
            );
            if prim == Prim::Rem {
                line!(
                    self,
                    "mul.lo.s{bits} {to}, {to}, {divisor};\nsub.s{bits} {to}, {x}, {to};"
                );
            }
        }
        line!(self, "bra.uni $divided{label};\n$alone{label}:");
        self.each_by_itself(k, share)?;
        line!(self, "$divided{label}:\n}}");
        Some(true)
    }
}
