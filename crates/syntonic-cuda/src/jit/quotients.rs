//! Division of the elements of a vector, by one number or each by its own, and their square roots: products with an approximation, of which one
//! branch for all asks whether they are the nearest numbers. A division by itself branches for each element, so that one waits for the other.
//!
//! For y = RN(1/b), q = RN(a y) and r = RN(q b - a), RN(q - r y) is the nearest quotient (Markstein, "Computation of elementary functions on
//! the IBM RISC System/6000 processor", 1990) where nothing overflows and r is exact. So it is where b lies near one and the quotient is no
//! tiny number, or 0. All else is divided as by itself.

use super::values::{Share, Sharing, Values, line};
use super::whole_quotients;
use crate::codegen::form::{Form, Step};
use crate::codegen::ranges::{LEAST, MOST};
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

    /// Computes value `k` where it is a quotient of the elements of a vector; says whether it did.
    pub(super) fn divide(&mut self, k: u32, share: Share) -> Option<bool> {
        Some(self.divide_by_one(k, share)? || self.divide_by_own(k, share)?)
    }

    fn divide_by_one(&mut self, k: u32, share: Share) -> Option<bool> {
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
        self.unless_all(k, share)?;
        line!(self, "}}");
        Some(true)
    }

    /// Quotients and reciprocals by a divisor of each element's own, in `float32`. One step of Newton's from the card's approximation gives
    /// RN(1/b) for every b between 2^-40 and 2^40: it is what the card's own `rcp.rn` computes there. A divisor that is known to lie between
    /// them is not asked for.
    fn divide_by_own(&mut self, k: u32, share: Share) -> Option<bool> {
        let form = self.form;
        let value = form.values[k as usize];
        let (x, by) = match value.step {
            Step::Apply(Prim::Recip, [by, ..]) => (None, by),
            Step::Apply(Prim::Div, [x, by, _]) => (Some(x), by),
            _ => return Some(false),
        };
        let (known, elements) = (value.moderate, share.elements());
        let asks = x.is_some() || !known;
        let own = value.dtype == DType::F32 && self.sharing[k as usize] == Sharing::Each;
        if !own || asks && elements.len() < WORTH {
            return Some(false);
        }
        line!(
            self,
            "{{\n.reg .pred all, some, none;\n.reg .b32 over, less, rest, size;"
        );
        for (at, j) in elements.enumerate() {
            let (to, by) = (self.register(k, j), self.register(by, j));
            line!(
                self,
                "rcp.approx.ftz.f32 over, {by};\nneg.f32 less, {by};\nfma.rn.f32 rest, less, over, 0f3F800000;"
            );
            match x.map(|x| self.register(x, j)) {
                None => line!(self, "fma.rn.f32 {to}, rest, over, over;"),
                Some(x) => line!(
                    self,
                    "fma.rn.f32 over, rest, over, over;\nmul.rn.f32 size, {x}, over;\nfma.rn.f32 rest, less, size, {x};\nfma.rn.f32 {to}, rest, over, size;\nsetp.eq.f32 none, {x}, 0f00000000;\n@none mov.b32 {to}, size;"
                ),
            }
            if asks {
                self.asked(&to, &by, x.is_some(), known);
                self.among_all(at);
            }
        }
        if asks {
            self.unless_all(k, share)?;
        }
        line!(self, "}}");
        Some(true)
    }

    /// Computes value `k` where it is the square roots of a vector in `float32`; says whether it did. They are made by one correction of what the card's approximation of the inverse gives; it is what `sqrt.rn` computes
    /// where nothing is subnormal.
    pub(super) fn take_root(&mut self, k: u32, share: Share) -> Option<bool> {
        let (form, elements) = (self.form, share.elements());
        let Step::Apply(Prim::Sqrt, [of, ..]) = form.values[k as usize].step else {
            return Some(false);
        };
        let own = self.dtype(k) == DType::F32 && self.sharing[k as usize] == Sharing::Each;
        if !own || elements.len() < WORTH {
            return Some(false);
        }
        line!(
            self,
            "{{\n.reg .pred all, some, none;\n.reg .b32 over, half, rest, root;"
        );
        for (at, j) in elements.enumerate() {
            let (to, of) = (self.register(k, j), self.register(of, j));
            line!(
                self,
                "rsqrt.approx.ftz.f32 over, {of};\nmul.rn.f32 root, {of}, over;\nmul.rn.f32 half, over, 0f3F000000;\nneg.f32 rest, root;\nfma.rn.f32 rest, rest, root, {of};\nfma.rn.f32 {to}, rest, half, root;"
            );
            // From 2^-100 to 2^100; or 0, which is its own root.
            line!(
                self,
                "setp.eq.f32 none, {of}, 0f00000000;\n@none mov.b32 {to}, {of};\nsetp.ge.f32 some, {of}, 0f0D800000;\nsetp.le.and.f32 some, {of}, 0f71800000, some;\nor.pred some, some, none;"
            );
            self.among_all(at);
        }
        self.unless_all(k, share)?;
        line!(self, "}}");
        Some(true)
    }

    /// Has `all` say whether `some` held for every element up to this one, the `at`-th.
    fn among_all(&mut self, at: usize) {
        match at {
            0 => line!(self, "mov.pred all, some;"),
            _ => line!(self, "and.pred all, all, some;"),
        }
    }

    /// Computes value `k` element by element, unless `all` says that what is there holds.
    fn unless_all(&mut self, k: u32, share: Share) -> Option<()> {
        let label = self.text.len();
        line!(self, "@all bra $nearest{label};");
        self.each_by_itself(k, share)?;
        line!(self, "$nearest{label}:");
        Some(())
    }

    /// Sets `some` where the quotient in `to` is the nearest one: the divisor is moderate, and the quotient is 0, as `none` says, or so large
    /// that its remainder is exact.
    fn asked(&mut self, to: &str, by: &str, is_quotient: bool, known: bool) {
        if is_quotient {
            // From 2^-60 on, and a number.
            line!(
                self,
                "abs.f32 size, {to};\nsetp.ge.or.f32 some, size, 0f21800000, none;"
            );
        }
        if !known {
            let [least, most] = [LEAST, MOST].map(|x| format!("0f{:08X}", (x as f32).to_bits()));
            let and = if is_quotient { ".and" } else { "" };
            let some = if is_quotient { ", some" } else { "" };
            line!(
                self,
                "abs.f32 size, {by};\nsetp.ge{and}.f32 some, size, {least}{some};\nsetp.le.and.f32 some, size, {most}, some;"
            );
        }
    }
}
