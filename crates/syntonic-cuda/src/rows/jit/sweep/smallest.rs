//! The k smallest elements of each row: every thread keeps a sorted list, and the threads of a row merge theirs by shuffles.
//!
//! An empty place of a list is NaN, which comes behind all numbers, as do NaNs of the row.

use super::super::body::line;
use super::text::Writer;
use std::fmt::Write;
use syntonic_core::DType;

/// The most that a list keeps: each is a register or two.
pub(super) const MOST: usize = 32;

impl Writer<'_, '_> {
    /// The value of whose elements the smallest are kept, if any are.
    fn of_list(&self) -> u32 {
        self.body.formula.outputs[0].value
    }

    /// The type of the list's registers and the name of its instructions.
    fn kind(&self) -> (&'static str, &'static str) {
        match self.body.formula.dtype(self.of_list()) {
            DType::F64 => ("b64", "f64"),
            _ => ("b32", "f32"),
        }
    }

    /// An empty list.
    pub(super) fn empty_list(&mut self) {
        let (register, _) = self.kind();
        let nan = match register {
            "b64" => f64::NAN.to_bits(),
            _ => u64::from(f32::NAN.to_bits()),
        };
        let k = self.sweep.smallest;
        line!(self.body, ".reg .{register} kept<{k}>, item_of, beyond;");
        for i in 0..k {
            line!(self.body, "mov.{register} kept{i}, {nan:#x};");
        }
    }

    /// Takes what a thread has computed of `count` elements into its list. Few are near, so one question comes before all.
    pub(super) fn keep(&mut self, count: usize) {
        let (register, kind) = self.kind();
        let (of, last) = (self.of_list(), usize::from(self.sweep.smallest) - 1);
        let elements: Vec<String> = (0..count)
            .map(|j| self.body.values.register(of, j))
            .collect();
        line!(self.body, "{{\nmov.{register} item_of, {};", elements[0]);
        for element in &elements[1..] {
            line!(self.body, "min.{kind} item_of, item_of, {element};");
        }
        line!(
            self.body,
            "setp.gtu.{kind} more, kept{last}, item_of;\n@!more bra $none;"
        );
        for element in &elements {
            self.insert(element);
        }
        line!(self.body, "$none:\n}}");
    }

    /// Puts a number in its place; a NaN has none.
    fn insert(&mut self, element: &str) {
        let (register, kind) = self.kind();
        let k = usize::from(self.sweep.smallest);
        line!(
            self.body,
            "{{\nmov.{register} item_of, {element};\nsetp.num.{kind} more, item_of, item_of;\nsetp.gtu.and.{kind} more, kept{}, item_of, more;\n@!more bra $past;",
            k - 1
        );
        for i in 0..k {
            line!(
                self.body,
                "setp.gtu.{kind} more, kept{i}, item_of;\nselp.{register} beyond, kept{i}, item_of, more;\nselp.{register} kept{i}, item_of, kept{i}, more;\nmov.{register} item_of, beyond;"
            );
        }
        line!(self.body, "$past:\n}}");
    }

    /// Merges the lists of the threads of a row, and stores the one that all have then.
    pub(super) fn lists(&mut self) {
        let (register, _) = self.kind();
        let wide = register == "b64";
        let k = usize::from(self.sweep.smallest);
        let mut distance = 1;
        while distance < self.sweep.team {
            let others: Vec<String> = (0..k)
                .map(|i| self.body.shuffled(&format!("kept{i}"), wide, distance))
                .collect();
            for other in &others {
                self.insert(other);
            }
            distance *= 2;
        }
        let (to, size) = (self.body.inputs, if wide { 8 } else { 4 });
        for i in 0..k {
            line!(
                self.body,
                "@first st.global.{register} [base{to}+{}], kept{i};",
                i * size
            );
        }
    }
}
