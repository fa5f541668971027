//! Division of the elements of a vector by one number: products with its reciprocal, of which one branch for all asks whether they are the
//! quotients.
//!
//! For y = RN(1/b), q = RN(a y) and r = RN(q b - a), RN(q - r y) is the nearest quotient (Markstein, "Computation of elementary functions on
//! the IBM RISC System/6000 processor", 1990) where nothing overflows and r is exact. So it is where b lies near one and the quotient is no
//! tiny number, or 0. All else is divided as by itself.

use super::values::{Share, Sharing, Values, line};
use super::whole_quotients;
use crate::codegen::form::{Form, Step};
use std::collections::BTreeSet;
use std::fmt::Write;
use syntonic_core::DType;
use syntonic_core::fuse::Prim;

/// The fewest elements that are divided together.
const WORTH: usize = 2;

/// What differs between the two precisions.
struct Kind {
    name: &'static str,
    /// The least and the largest divisor.
    least: &'static str,
    most: &'static str,
}

/// 2^-24 and 2^24.
const SINGLE: Kind = Kind {
    name: "f32",
    least: "0f33800000",
    most: "0f4B800000",
};
/// 2^-100 and 2^100.
const DOUBLE: Kind = Kind {
    name: "f64",
    least: "0d39B0000000000000",
    most: "0d4630000000000000",
};

fn kind(dtype: DType) -> Option<Kind> {
    match dtype {
        DType::F32 => Some(SINGLE),
        DType::F64 => Some(DOUBLE),
        _ => None,
    }
}

/// The values of which each divides the elements of another one.
#[derive(Debug)]
pub(super) struct Divisors {
    real: BTreeSet<u32>,
    /// Numbers that divide integers, and those of them whose factor is in a register.
    pub(super) whole: BTreeSet<u32>,
    pub(super) factors: BTreeSet<u32>,
}

impl Divisors {
    pub(super) fn of(form: &Form, sharing: &[Sharing]) -> Divisors {
        let all = || 0..form.values.len() as u32;
        Divisors {
            real: all().filter_map(|k| divisor_of(form, sharing, k)).collect(),
            whole: all()
                .filter_map(|k| whole_quotients::divisor_of(form, sharing, k))
                .collect(),
            factors: BTreeSet::new(),
        }
    }
}

/// The one number by which value `k` divides its elements.
fn divisor_of(form: &Form, sharing: &[Sharing], k: u32) -> Option<u32> {
    kind(form.values[k as usize].dtype)?;
    one_for_all(form, sharing, k, &[Prim::Div])
}

/// The second operand of value `k`, one of these primitives, where it is one value for all elements of the first.
pub(super) fn one_for_all(form: &Form, sharing: &[Sharing], k: u32, prims: &[Prim]) -> Option<u32> {
    let Step::Apply(prim, [x, by, _]) = form.values[k as usize].step else {
        return None;
    };
    let each = sharing[x as usize] == Sharing::Each && sharing[k as usize] == Sharing::Each;
    (prims.contains(&prim) && each && sharing[by as usize] == Sharing::One).then_some(by)
}

impl Values<'_> {
    /// Computes the reciprocal of value `k`, which has just been set, if elements are divided by it.
    pub(crate) fn settled(&mut self, k: u32) {
        let Some(kind) = kind(self.dtype(k)).filter(|_| self.divisors.real.contains(&k)) else {
            return;
        };
        let Kind { name, least, most } = kind;
        let by = self.register(k, 0);
        line!(
            self,
            ".reg .{name} over{k}, less{k};\n.reg .pred near{k};\n{{\n.reg .pred below;"
        );
        line!(
            self,
            "setp.ge.{name} near{k}, {by}, {least};\nsetp.le.{name} below, {by}, {most};\nand.pred near{k}, near{k}, below;"
        );
        line!(
            self,
            "rcp.rn.{name} over{k}, {by};\nneg.{name} less{k}, over{k};\n}}"
        );
    }

    /// Computes value `k` where it divides the elements of a vector by one number; says whether it did.
    pub(super) fn divide(&mut self, k: u32, share: Share) -> Option<bool> {
        let (form, dtype) = (self.form, self.dtype(k));
        let all = share.elements();
        let (Some(by), Some(Kind { name, .. })) = (divisor_of(form, &self.sharing, k), kind(dtype))
        else {
            return Some(false);
        };
        if all.len() < WORTH {
            return Some(false);
        }
        let of = form.operands(k)[0];
        let label = self.text.len();
        let divisor = self.register(by, 0);
        line!(
            self,
            "{{\n.reg .pred all, some, none;\n.reg .{name} rest, size;\n.reg .b32 low, high;"
        );
        line!(self, "and.pred all, near{by}, near{by};");
        for j in all.clone() {
            let (x, to) = (self.register(of, j), self.register(k, j));
            line!(
                self,
                "mul.rn.{name} {to}, {x}, over{by};\nneg.{name} rest, {x};\nfma.rn.{name} rest, {to}, {divisor}, rest;"
            );
            line!(self, "fma.rn.{name} {to}, rest, less{by}, {to};");
            // From 2^-76 on, or 2^-700, and a number; or 0, whose sign is that of the product.
            let fits = match dtype {
                DType::F32 => format!(
                    "abs.f32 size, {to};\nsetp.ge.f32 some, size, 0f19800000;\nsetp.eq.f32 none, {x}, 0f00000000;"
                ),
                _ => format!(
                    "mov.b64 {{low, high}}, {to};\nand.b32 high, high, 0x7fffffff;\nsub.u32 high, high, 0x14300000;\nsetp.lt.u32 some, high, 0x6bc00000;\nmov.b64 {{low, high}}, {x};\nshl.b32 high, high, 1;\nor.b32 low, low, high;\nsetp.eq.u32 none, low, 0;"
                ),
            };
            line!(
                self,
                "{fits}\nor.pred some, some, none;\nand.pred all, all, some;"
            );
        }
        line!(self, "@all bra $divided{label};");
        self.each_by_itself(k, share)?;
        line!(self, "$divided{label}:\n}}");
        Some(true)
    }
}
