//! Conversions of values in registers. Two halves lie in a word, and are rounded and widened there.

use super::values::{Held, Share, Values, line};
use crate::codegen::parts;
use std::fmt::Write;
use syntonic_core::DType;

impl Values<'_> {
    /// Computes value `k`, a conversion of value `a`.
    pub(super) fn cast(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        match (Held::of(from), Held::of(to)) {
            (_, Held::Halves) if from == DType::F32 => {
                let part = parts::halves(to)?;
                for w in share.words() {
                    let pair = share.pair(w).map(|j| self.register(a, j));
                    self.words(&part, pair, self.register(k, w))?;
                }
                Some(())
            }
            (Held::Halves, Held::Halves) => self.round_anew(k, a, share),
            (_, Held::Halves) => self.round_one_by_one(k, a, share),
            (Held::Halves, _) => self.widen(k, a, share),
            _ => self.each(&parts::conversion(from, to)?, k, &[a], share),
        }
    }

    /// Rounds halves to those of the other type, by way of floats.
    fn round_anew(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        line!(self, "{{\n.reg .b32 t<2>;");
        for w in share.words() {
            let floats = ["t0".to_owned(), "t1".to_owned()];
            for (float, j) in floats.iter().zip(share.pair(w)) {
                let (word, place) = share.word(j);
                let word = self.register(a, word);
                self.words(&parts::widened(from, place)?, [word], float.clone())?;
            }
            self.words(&parts::halves(to)?, floats, self.register(k, w))?;
        }
        line!(self, "}}");
        Some(())
    }

    /// Rounds values of other types than floats to halves, one by one.
    fn round_one_by_one(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let part = parts::conversion(self.dtype(a), self.dtype(k))?;
        line!(self, "{{\n.reg .b32 t<2>;");
        for w in share.words() {
            for (t, j) in share.pair(w).into_iter().enumerate() {
                self.splice(&part, &[self.element(a, j)], &[format!("t{t}")])?;
            }
            line!(self, "prmt.b32 {}, t0, t1, 0x5410;", self.register(k, w));
        }
        line!(self, "}}");
        Some(())
    }

    fn widen(&mut self, k: u32, a: u32, share: Share) -> Option<()> {
        let (from, to) = (self.dtype(a), self.dtype(k));
        line!(self, "{{\n.reg .b32 t0;");
        for j in share.elements() {
            let (w, place) = share.word(j);
            let (word, result) = (self.register(a, w), self.element(k, j));
            if to == DType::F32 {
                self.splice(&parts::widened(from, place)?, &[vec![word]], &result)?;
                continue;
            }
            line!(self, "shr.b32 t0, {word}, {};", 16 * place);
            let half = vec!["t0".to_owned()];
            self.splice(&parts::conversion(from, to)?, &[half], &result)?;
        }
        line!(self, "}}");
        Some(())
    }
}
