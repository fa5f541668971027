//! Between which numbers the values of a program lie, whatever its operands are: a divisor that is known to be of moderate size
//! needs no test for overflow.
//!
//! Interval arithmetic. A range holds for every value that is a number; NaN may come of anything. Bounds that `float32` may round
//! are moved outward, and so are those of functions, which have an error of a few units.

use syntonic_core::DType;
use syntonic_core::fuse::{Fold, Level, Op, Prim, Typed, TypedNode};

/// What moderate divisors lie between: their reciprocals are exact to half a unit without a test.
pub(crate) const LEAST: f64 = 9.094_947_017_729_282e-13; // 2^-40
pub(crate) const MOST: f64 = 1_099_511_627_776.0; // 2^40

/// The least and the largest number that a value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

/// The ranges of a program's nodes, as far as they are known.
#[derive(Debug, Default)]
struct Found(Vec<Range>);

/// Which nodes of a program are moderate divisors. Those that all elements have in common are not asked for: elements over one number
/// are products with its reciprocal in any case, and programs with other numbers have one kernel.
#[derive(Debug, Default)]
pub(crate) struct Ranges(Vec<bool>);

impl Ranges {
    /// Those of a program that divides `float32` by what differs from element to element; none of another, which does not ask.
    pub(crate) fn of(program: &Typed) -> Ranges {
        let each = |by: u32| program.nodes[by as usize].level == Level::Lane;
        let divides = |node: &TypedNode| divisor(node).is_some_and(each);
        let mut found = Found::default();
        if !program.nodes.iter().any(divides) {
            return Ranges::default();
        }
        for node in &program.nodes {
            let range = found.of_node(program, node);
            found.0.push(range.rounded(node.dtype));
        }
        let pairs = program.nodes.iter().zip(&found.0);
        let moderate = |(node, range): (&TypedNode, &Range)| {
            node.level == Level::Lane && range.low >= LEAST && range.high <= MOST
        };
        Ranges(pairs.map(moderate).collect())
    }

    /// True where the divisor of a node is known to be a number of moderate size above 0, or NaN.
    pub(crate) fn divides_moderately(&self, node: &TypedNode) -> bool {
        let found = divisor(node).and_then(|by| self.0.get(by as usize));
        found.copied().unwrap_or_default()
    }
}

impl Found {
    fn at(&self, node: u32) -> Range {
        self.0.get(node as usize).copied().unwrap_or(Range::ANY)
    }

    fn of_node(&self, program: &Typed, node: &TypedNode) -> Range {
        match node.op {
            Op::Const(c) if node.dtype.is_float() => Range::of_one(c.to_f64()),
            Op::Cast(a) if program.nodes[a as usize].dtype.is_bool() => Range::new(0.0, 1.0),
            Op::Cast(a) if program.nodes[a as usize].dtype.is_float() => self.at(a),
            Op::Fold(Fold::Min | Fold::Max, a) if node.dtype.is_float() => self.at(a),
            Op::Apply(Prim::Select, [condition, yes, no]) => {
                let yes = self.where_it_holds(program, condition, yes, true);
                yes.joined(self.where_it_holds(program, condition, no, false))
            }
            Op::Apply(prim, args) if node.dtype.is_float() => {
                applied(prim, args.map(|a| self.at(a)))
            }
            _ => Range::ANY,
        }
    }

    /// The range of `value`, which is chosen where a comparison with a number holds, or where it does not: the value compared, or the
    /// opposite of it, is on one side of that number.
    fn where_it_holds(&self, program: &Typed, condition: u32, value: u32, holds: bool) -> Range {
        let node = |k: u32| program.nodes[k as usize];
        let all = self.at(value);
        let Op::Apply(prim, [compared, with, _]) = node(condition).op else {
            return all;
        };
        let above = match prim {
            Prim::Ge | Prim::Gt => holds,
            Prim::Le | Prim::Lt => !holds,
            _ => return all,
        };
        let Op::Const(number) = node(with).op else {
            return all;
        };
        if !node(compared).dtype.is_float() {
            return all;
        }
        let within = self.at(compared);
        let side = match above {
            true => Range::new(within.low.max(number.to_f64()), within.high),
            false => Range::new(within.low, within.high.min(number.to_f64())),
        };
        match node(value).op {
            _ if value == compared => side,
            Op::Apply(Prim::Neg, [of, ..]) if of == compared => side.negated(),
            _ => all,
        }
    }
}

impl Range {
    const ANY: Range = Range {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    fn new(low: f64, high: f64) -> Range {
        // Of a NaN nothing is known.
        match low <= high {
            true => Range { low, high },
            false => Range::ANY,
        }
    }

    fn of_one(x: f64) -> Range {
        Range::new(x, x)
    }

    /// From 0 to the larger distance from it, or from the smaller one.
    fn magnitude(self) -> Range {
        let [a, b] = [self.low.abs(), self.high.abs()];
        let least = if self.low <= 0.0 && self.high >= 0.0 {
            0.0
        } else {
            a.min(b)
        };
        Range::new(least, a.max(b))
    }

    fn negated(self) -> Range {
        Range::new(-self.high, -self.low)
    }

    fn joined(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn plus(self, other: Range) -> Range {
        Range::new(self.low + other.low, self.high + other.high)
    }

    /// An infinity times 0 is no number, so here it is 0.
    fn times(self, other: Range) -> Range {
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let all = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        let least = all.into_iter().fold(f64::INFINITY, f64::min);
        Range::new(least, all.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// By a function that never falls.
    fn through(self, f: fn(f64) -> f64) -> Range {
        Range::new(f(self.low), f(self.high)).widened(1e-5)
    }

    fn widened(self, by: f64) -> Range {
        Range::new(
            self.low - by * self.low.abs(),
            self.high + by * self.high.abs(),
        )
    }

    /// As values of a type, of which only `float32` and `float64` are followed.
    fn rounded(self, dtype: DType) -> Range {
        let is_single = |x: f64| x.is_infinite() || f64::from(x as f32) == x;
        match dtype {
            DType::F64 => self.widened(1e-12),
            DType::F32 if is_single(self.low) && is_single(self.high) => self,
            DType::F32 => {
                let wide = self.widened(1e-6);
                let past = |x: f64| x.abs() > f64::from(f32::MAX);
                Range::new(
                    if past(wide.low) {
                        f64::NEG_INFINITY
                    } else {
                        wide.low
                    },
                    if past(wide.high) {
                        f64::INFINITY
                    } else {
                        wide.high
                    },
                )
            }
            _ => Range::ANY,
        }
    }
}

/// The divisor of a quotient or a reciprocal in `float32`.
fn divisor(node: &TypedNode) -> Option<u32> {
    match node.op {
        Op::Apply(Prim::Recip, [by, ..]) | Op::Apply(Prim::Div, [_, by, _]) => {
            (node.dtype == DType::F32).then_some(by)
        }
        _ => None,
    }
}

fn applied(prim: Prim, [a, b, c]: [Range; 3]) -> Range {
    match prim {
        Prim::Neg => a.negated(),
        Prim::Abs => a.magnitude(),
        Prim::Square => a.magnitude().times(a.magnitude()),
        Prim::Add => a.plus(b),
        Prim::Sub => a.plus(b.negated()),
        Prim::Mul => a.times(b),
        Prim::Fma => a.times(b).plus(c),
        Prim::Min => Range::new(a.low.min(b.low), a.high.min(b.high)),
        Prim::Max => Range::new(a.low.max(b.low), a.high.max(b.high)),
        Prim::Recip if a.low > 0.0 => Range::new(1.0 / a.high, 1.0 / a.low).widened(1e-5),
        Prim::Exp => a.through(f64::exp),
        Prim::Exp2 => a.through(f64::exp2),
        Prim::Sqrt => Range::new(0.0, f64::INFINITY),
        Prim::Tanh | Prim::Erf | Prim::Sin | Prim::Cos => Range::new(-1.0, 1.0).widened(1e-5),
        Prim::Erfc => Range::new(0.0, 2.0).widened(1e-5),
        _ => Range::ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::fuse::notation::{
        Sym, abs, cosh, exp, maximum, recip, sqrt, square, tanh, trace,
    };
    use syntonic_core::fuse::{Role, Yield, lower};
    use syntonic_core::ops::composites::{GELU, SIGMOID, SILU};

    /// Whether every divisor of a formula is known to be moderate.
    fn is_moderate(dtype: DType, formula: fn(Sym) -> Sym) -> bool {
        let program = trace("one", &[("x", Role::Element)], &[Yield::Element], |s| {
            vec![formula(s[0])]
        });
        let typed = lower(&program, &[dtype]).unwrap();
        let ranges = Ranges::of(&typed);
        let mut divided = typed.nodes.iter().filter(|node| divisor(node).is_some());
        divided.all(|node| ranges.divides_moderately(node))
            && typed.nodes.iter().any(|n| divisor(n).is_some())
    }

    #[test]
    fn divisors_that_no_operand_takes_far_are_known() {
        let known: [fn(Sym) -> Sym; 9] = [
            |x| SIGMOID.over(&[x]),
            |x| SILU.over(&[x]),
            |x| GELU.over(&[x]),
            |x| 1.0 / (exp(-abs(x)) + 1.0),
            |x| x / (tanh(x) + 3.0),
            |x| x / maximum(1.0, tanh(x) * -2.0),
            |x| recip(square(tanh(x)) + 0.5),
            |x| recip(recip(exp(-square(x)) + 1.0)),
            |x| x / (2.5 - exp(-square(x))),
        ];
        for (k, formula) in known.into_iter().enumerate() {
            assert!(is_moderate(DType::F32, formula), "{k}");
            assert!(is_moderate(DType::BF16, formula), "{k}");
        }
    }

    #[test]
    fn other_divisors_are_not() {
        let unknown: [fn(Sym) -> Sym; 8] = [
            |x| 1.0 / x,
            |x| 1.0 / (exp(-x) + 1.0),
            |x| 1.0 / (exp(-abs(x)) + 1e-13),
            |x| x / (tanh(x) + 1.0),
            |x| x / (1.0 - exp(-square(x))),
            |x| recip(cosh(x)),
            |x| x / sqrt(square(x) + 1.0),
            |x| x / (tanh(x) - 3.0),
        ];
        for (k, formula) in unknown.into_iter().enumerate() {
            assert!(!is_moderate(DType::F32, formula), "{k}");
        }
        // Other types divide by themselves.
        assert!(!is_moderate(DType::F64, |x| SIGMOID.over(&[x])));
    }
}
