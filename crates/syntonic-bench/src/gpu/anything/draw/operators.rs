//! Which operators may follow, by the sort of the values and by where they lie.

use anyhow::Result;
use syntonic_core::DType;

use super::super::program::Value;
use super::{Drawn, Range, Sort};

impl Drawn {
    /// Whether a corner may be where these values are: beside it a rounding would turn a slope round, so in gradients it is one of
    /// operands, whose values are exact.
    pub(super) fn may_bend(&self, taken: &[usize]) -> bool {
        !self.program.gradient || taken.iter().all(|&k| k < self.program.operands.len())
    }

    /// The largest magnitude that a value may have.
    pub(super) fn limit(&self) -> f64 {
        match self.dtype {
            DType::F16 => 500.0,
            _ => 1e5,
        }
    }

    pub(super) fn of_reals(&mut self, a: usize) -> Result<bool> {
        let (low, high) = (self.ranges[a].low, self.ranges[a].high);
        let limit = self.limit();
        let size = low.abs().max(high.abs());
        let pick = self.chance.below(30);
        match pick {
            0..11 => return self.of_two(a, pick),
            11 => {
                let x = [0.5, 2.0, 0.25, 3.0, -1.0][self.chance.below(5)];
                let ends = (f64::min(low * x, high * x), f64::max(low * x, high * x));
                return self.with("multiply", a, x, ends);
            }
            12 => {
                let x = [1.0, -1.0, 0.5][self.chance.below(3)];
                return self.with("add", a, x, (low + x, high + x));
            }
            13 if high <= 4.0 => self.one("exp", a, |l, h| (l.exp(), h.exp()))?,
            14 if low >= 0.1 => self.one("log", a, |l, h| (l.ln(), h.ln()))?,
            15 if low >= 0.1 => self.one("sqrt", a, |l, h| (l.sqrt(), h.sqrt()))?,
            16 if low >= 0.1 => self.one("rsqrt", a, |l, h| (h.powf(-0.5), l.powf(-0.5)))?,
            17 | 18 => self.one("tanh", a, |l, h| (l.tanh(), h.tanh()))?,
            19 if size < 100.0 => self.one("sin", a, |_, _| (-1.0, 1.0))?,
            20 if size < 100.0 => self.one("cos", a, |_, _| (-1.0, 1.0))?,
            21 if self.may_bend(&[a]) => {
                self.one("abs", a, |l, h| (if l <= 0.0 { 0.0 } else { l }, h.max(-l)))?
            }
            22 | 23 if size * size <= limit => {
                let least = if low <= 0.0 { 0.0 } else { low * low };
                self.one("square", a, move |_, _| (least, size * size))?;
            }
            24 if size.powi(3) <= limit => {
                return self.with("pow", a, 3.0, (-size.powi(3), size.powi(3)));
            }
            25 if low >= 0.1 => return self.with("pow", a, 0.5, (low.sqrt(), high.sqrt())),
            26 => self.one("erf", a, |_, _| (-1.0, 1.0))?,
            27 if self.may_bend(&[a]) => {
                return self.with("maximum", a, 0.0, (low.max(0.0), high.max(0.0)));
            }
            28 => {
                // Of operands alone, whose values are exact: no rounding turns an element.
                let operands = self.program.operands.len();
                if a >= operands {
                    return Ok(false);
                }
                let args = vec![self.named(a), Value::Number(((low + high) / 2.0).floor())];
                self.made("greater", args, &[a], (0.0, 1.0), Sort::Mask)?;
            }
            29 => self.one("negative", a, |l, h| (-h, -l))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Two values of one sort.
    fn of_two(&mut self, a: usize, pick: usize) -> Result<bool> {
        let b = self.other(a);
        let (x, y) = (self.ranges[a].clone(), self.ranges[b].clone());
        let products = [
            x.low * y.low,
            x.low * y.high,
            x.high * y.low,
            x.high * y.high,
        ];
        let ends = |values: &[f64]| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            (
                low,
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let (name, (low, high)) = match pick {
            0..3 => ("add", (x.low + y.low, x.high + y.high)),
            3..5 => ("subtract", (x.low - y.high, x.high - y.low)),
            5..8 => ("multiply", ends(&products)),
            8 if y.low >= 0.1 => {
                let ratios = [
                    x.low / y.low,
                    x.low / y.high,
                    x.high / y.low,
                    x.high / y.high,
                ];
                ("divide", ends(&ratios))
            }
            9 if self.may_bend(&[a, b]) => ("maximum", (x.low.max(y.low), x.high.max(y.high))),
            10 if self.may_bend(&[a, b]) => ("minimum", (x.low.min(y.low), x.high.min(y.high))),
            _ => return Ok(false),
        };
        if low.abs().max(high.abs()) > self.limit() {
            return Ok(false);
        }
        let args = vec![self.named(a), self.named(b)];
        self.made(name, args, &[a, b], (low, high), x.sort)?;
        Ok(true)
    }

    pub(super) fn of_integers(&mut self, a: usize) -> Result<bool> {
        let (low, high) = (self.ranges[a].low, self.ranges[a].high);
        const REACH: f64 = 1e8;
        match self.chance.below(12) {
            0..4 => {
                let b = self.other(a);
                let y = self.ranges[b].clone();
                let name = ["add", "multiply", "maximum", "subtract"][self.chance.below(4)];
                let reach = match name {
                    "multiply" => low.abs().max(high.abs()) * y.low.abs().max(y.high.abs()),
                    "maximum" => low.abs().max(high.abs()).max(y.low.abs().max(y.high.abs())),
                    _ => low.abs().max(high.abs()) + y.low.abs().max(y.high.abs()),
                };
                if reach > REACH {
                    return Ok(false);
                }
                let least = if low >= 0.0 && y.low >= 0.0 && name != "subtract" {
                    0.0
                } else {
                    -reach
                };
                let args = vec![self.named(a), self.named(b)];
                self.made(name, args, &[a, b], (least, reach), Sort::Integer)?;
            }
            4..6 => {
                let by = [3.0, 7.0, 10.0, 2.0][self.chance.below(4)];
                // A quotient of little is little: zeros would be all that is left.
                if high < 8.0 * by {
                    return Ok(false);
                }
                let name = ["floor_divide", "remainder"][self.chance.below(2)];
                let ends = match name {
                    "remainder" => (0.0, by - 1.0),
                    _ => ((low / by).floor(), (high / by).floor()),
                };
                return self.with(name, a, by, ends);
            }
            6 => {
                // By an operand, which is 1 at least.
                let b = self.chance.below(self.program.operands.len());
                if high < 400.0 || self.ranges[b].sort != Sort::Integer {
                    return Ok(false);
                }
                let name = ["floor_divide", "remainder"][self.chance.below(2)];
                let reach = low.abs().max(high.abs()).max(100.0);
                let args = vec![self.named(a), self.named(b)];
                self.made(name, args, &[a, b], (-reach, reach), Sort::Integer)?;
            }
            7 => return self.with("bitwise_and", a, 255.0, (0.0, 255.0)),
            8 => {
                return self.with(
                    "bitwise_right_shift",
                    a,
                    2.0,
                    ((low / 4.0).floor(), (high / 4.0).floor()),
                );
            }
            9 => {
                let args = vec![self.named(a), Value::Number(50.0)];
                self.made("less", args, &[a], (0.0, 1.0), Sort::Mask)?;
            }
            10 => self.one("abs", a, |l, h| (0.0, h.max(-l)))?,
            _ => {
                if high.max(-low) + 7.0 > REACH {
                    return Ok(false);
                }
                return self.with("add", a, 7.0, (low + 7.0, high + 7.0));
            }
        }
        Ok(true)
    }

    /// The bounds of complex values are those of each part.
    pub(super) fn of_complex(&mut self, a: usize) -> Result<bool> {
        let size = |r: &Range| 1.5 * r.low.abs().max(r.high.abs());
        let x = self.ranges[a].clone();
        match self.chance.below(10) {
            0..7 => {
                let b = self.other(a);
                let y = self.ranges[b].clone();
                let name = ["add", "subtract", "multiply"][self.chance.below(3)];
                let reach = match name {
                    "multiply" => size(&x) * size(&y),
                    _ => size(&x) + size(&y),
                };
                if reach > self.limit() {
                    return Ok(false);
                }
                let args = vec![self.named(a), self.named(b)];
                self.made(name, args, &[a, b], (-reach, reach), Sort::Complex)?;
            }
            7 => self.one("conj", a, |l, h| (l.min(-h), h.max(-l)))?,
            8 => {
                let x = [0.5, 2.0][self.chance.below(2)];
                return self.with(
                    "multiply",
                    a,
                    x,
                    (self.ranges[a].low * x, self.ranges[a].high * x),
                );
            }
            _ if size(&x) < 4.0 => {
                let reach = size(&x).exp();
                self.one("exp", a, move |_, _| (-reach, reach))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
