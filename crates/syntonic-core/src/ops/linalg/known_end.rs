//! Ends that are of a common form, found by the structure of their program.

use super::activation::Activation;
use crate::device::{Arg, End};
use crate::dtype::DType;
use crate::fork::get_or_init;
use crate::fuse::notation::trace;
use crate::fuse::{Op, Precision, Prim, Role, Typed, TypedNode, Yield, lower};
use crate::scalar::Scalar;
use smallvec::SmallVec;

/// An end as one formula:
/// `out = residual + activation(scale * s_0 * s_1 * .. * product + a_0 + a_1)`,
/// applied from left to right in that order, each term an operand times its factor.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEnd {
    /// The number that the product is multiplied by; 1 where there is none.
    pub scale: Scalar,
    /// The operands that it is then multiplied by, with factors of 1: at most two.
    pub scales: SmallVec<[Term; 2]>,
    /// What is added before the activation: at most two.
    pub adds: SmallVec<[Term; 2]>,
    /// The function.
    pub activation: Activation,
    /// What is added after it.
    pub residual: Option<Term>,
    /// Where the formula rounds.
    pub rounding: Rounding,
}

/// An operand of an end, times a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Which of [`End::operands`].
    pub operand: usize,
    /// The number; 1 where there is none.
    pub factor: Scalar,
    /// Along which axes the operand varies.
    pub spread: Spread,
}

/// Along which axes of the result an operand varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spread {
    /// Along none: one number.
    One,
    /// Along the last axis: the same row everywhere.
    Row,
    /// Along the axis before the last: the same column everywhere.
    Column,
    /// Along others too; the strides say how.
    Full,
}

/// Where a formula rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// In the type of the sums at every step, and to the output's type at the end.
    Once,
    /// The product and every step to the half type of the output, as separate operators would.
    Stepwise,
}

impl Spread {
    /// That of an operand which is broadcast to a result of at least two axes.
    #[doc(hidden)]
    pub fn of(arg: &Arg) -> Spread {
        let (shape, strides) = (arg.layout.shape(), arg.layout.strides());
        let varies = |axis: usize| shape[axis] > 1 && strides[axis] != 0;
        let last = shape.len().saturating_sub(1);
        let leading = (0..last.saturating_sub(1)).any(varies);
        match (leading, last > 0 && varies(last - 1), varies(last)) {
            (false, false, false) => Spread::One,
            (false, false, true) => Spread::Row,
            (false, true, false) => Spread::Column,
            _ => Spread::Full,
        }
    }
}

impl End {
    /// The end as a [`KnownEnd`], if it is one. Nothing is reordered: what is found gives the bits of the program.
    pub fn recognise(&self) -> Option<KnownEnd> {
        let form = get_or_init(&self.program.form, || {
            let reader = Reader::new(&self.program)?;
            reader.whole()
        });
        let mut known = form.clone()?;
        let terms = known.scales.iter_mut().chain(&mut known.adds);
        for term in terms.chain(&mut known.residual) {
            term.spread = Spread::of(self.operands.get(term.operand)?);
        }
        Some(known)
    }
}

/// Reads a program from its result towards the product.
struct Reader<'a> {
    program: &'a Typed,
    rounding: Rounding,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Typed) -> Option<Reader<'a>> {
        let (sums, output) = (*program.inputs.first()?, program.outputs.first()?.dtype);
        let plain = |n: &TypedNode| match n.op {
            Op::Apply(..) => n.dtype == sums || n.dtype.is_bool(),
            _ => true,
        };
        if !program.nodes.iter().all(plain) {
            return None;
        }
        let rounding = match rounded(program, output) {
            Rounded::Never => Rounding::Once,
            Rounded::Always => Rounding::Stepwise,
            Rounded::Sometimes => return None,
        };
        Some(Reader { program, rounding })
    }

    fn whole(&self) -> Option<KnownEnd> {
        let top = self.bare(self.program.outputs[0].node);
        if let Some(found) = self.activated(top) {
            return Some(found);
        }
        if let Some((left, right)) = self.sum(top) {
            for (inner, added) in [(left, self.term(right)), (right, self.term(left))] {
                if let (Some(term), Some(mut found)) = (added, self.activated(inner))
                    && found.activation != Activation::None
                {
                    found.residual = Some(term);
                    return Some(found);
                }
            }
        }
        self.linear(top)
    }

    /// An activation of something linear.
    fn activated(&self, node: u32) -> Option<KnownEnd> {
        let node = self.bare(node);
        Activation::ALL.into_iter().find_map(|activation| {
            if activation == Activation::None {
                return None;
            }
            let inner = self.argument(activation, node)?;
            let mut found = self.linear(inner)?;
            found.activation = activation;
            Some(found)
        })
    }

    /// What `node` is the activation of.
    fn argument(&self, activation: Activation, node: u32) -> Option<u32> {
        let dtype = match self.rounding {
            Rounding::Once => self.program.nodes[node as usize].dtype,
            Rounding::Stepwise => self.program.outputs[0].dtype,
        };
        let mut formula = trace(
            activation.name(),
            &[("x", Role::Element)],
            &[Yield::Element],
            |x| vec![activation.over(x[0])],
        );
        formula.precision = Precision::Stepwise;
        let pattern = lower(&formula, &[dtype]).ok()?;
        let mut found = None;
        let top = pattern.outputs[0].node;
        let top = match self.rounding {
            Rounding::Once => top,
            Rounding::Stepwise => bare(&pattern, top),
        };
        self.matches(&pattern, top, node, &mut found)
            .then_some(found)?
    }

    /// Whether the node says what the pattern says, for one `found` in the place of the pattern's operand.
    fn matches(&self, pattern: &Typed, at: u32, node: u32, found: &mut Option<u32>) -> bool {
        let (want, have) = (
            &pattern.nodes[at as usize],
            &self.program.nodes[node as usize],
        );
        if want.dtype != have.dtype {
            return false;
        }
        match (want.op, have.op) {
            (Op::Input(_), _) => *found.get_or_insert(node) == node,
            (Op::Const(x), Op::Const(y)) => same(x, y),
            (Op::Cast(x), Op::Cast(y)) => self.matches(pattern, x, y, found),
            (Op::Apply(p, x), Op::Apply(q, y)) => {
                p == q
                    && x[..p.arity()]
                        .iter()
                        .zip(&y)
                        .all(|(&x, &y)| self.matches(pattern, x, y, found))
            }
            _ => false,
        }
    }

    /// The product times numbers and operands, plus terms.
    fn linear(&self, node: u32) -> Option<KnownEnd> {
        let mut found = KnownEnd {
            scale: Scalar::Int(1),
            scales: SmallVec::new(),
            adds: SmallVec::new(),
            activation: Activation::None,
            residual: None,
            rounding: self.rounding,
        };
        let mut at = self.bare(node);
        while let Some((rest, term)) = self.added(at) {
            found.adds.insert(0, term);
            at = self.bare(rest);
        }
        while let Some((rest, scale)) = self.scaled(at) {
            match scale {
                Factor::Operand(term) => found.scales.insert(0, term),
                // The number is what the product meets first.
                Factor::Number(x) => {
                    found.scale = x;
                    at = self.bare(rest);
                    break;
                }
            }
            at = self.bare(rest);
        }
        let few = found.adds.len() <= 2 && found.scales.len() <= 2;
        (few && self.program.nodes[at as usize].op == Op::Input(0)).then_some(found)
    }

    /// The operands of a sum.
    fn sum(&self, node: u32) -> Option<(u32, u32)> {
        match self.program.nodes[node as usize].op {
            Op::Apply(Prim::Add, [a, b, _]) => Some((self.bare(a), self.bare(b))),
            _ => None,
        }
    }

    /// A term, and what it is added to. To subtract it is to add its negative, with the same bits.
    fn added(&self, node: u32) -> Option<(u32, Term)> {
        if let Some((left, right)) = self.sum(node) {
            let on_left = || Some((right, self.term(left)?));
            return match self.term(right) {
                Some(term) => Some((left, term)),
                None => on_left(),
            };
        }
        let Op::Apply(Prim::Sub, [rest, term, _]) = self.program.nodes[node as usize].op else {
            return None;
        };
        let mut term = self.term(self.bare(term))?;
        term.factor = negative(term.factor)?;
        Some((rest, term))
    }

    /// A factor, and what it multiplies.
    fn scaled(&self, node: u32) -> Option<(u32, Factor)> {
        let Op::Apply(Prim::Mul, [a, b, _]) = self.program.nodes[node as usize].op else {
            return None;
        };
        let (a, b) = (self.bare(a), self.bare(b));
        for (rest, factor) in [(a, b), (b, a)] {
            if let Op::Const(x) = self.program.nodes[factor as usize].op {
                return Some((rest, Factor::Number(x)));
            }
            if let Some(term) = self.operand(factor) {
                return Some((rest, Factor::Operand(term)));
            }
        }
        None
    }

    /// An operand, perhaps times a number.
    fn term(&self, node: u32) -> Option<Term> {
        if let Some(term) = self.operand(node) {
            return Some(term);
        }
        let (rest, Factor::Number(factor)) = self.scaled(node)? else {
            return None;
        };
        Some(Term {
            factor,
            ..self.operand(self.bare(rest))?
        })
    }

    fn operand(&self, node: u32) -> Option<Term> {
        let Op::Input(k @ 1..) = self.program.nodes[self.bare(node) as usize].op else {
            return None;
        };
        Some(Term {
            operand: usize::from(k) - 1,
            factor: Scalar::Int(1),
            // The operand itself decides.
            spread: Spread::Full,
        })
    }

    fn bare(&self, node: u32) -> u32 {
        bare(self.program, node)
    }
}

/// How often a program rounds what it computes to the half type of its result, before the result itself.
enum Rounded {
    Never,
    Sometimes,
    Always,
}

fn rounded(program: &Typed, output: DType) -> Rounded {
    let result = program.outputs[0].node;
    let narrow = |n: &TypedNode| matches!(n.op, Op::Cast(_)) && n.dtype.is_half();
    let inner = program.nodes.iter().enumerate();
    if !inner.clone().any(|(k, n)| narrow(n) && k as u32 != result) {
        return Rounded::Never;
    }
    // Every value that was computed goes into conversions to the type of the result, and nowhere else.
    let computed = |k: u32| {
        let node = &program.nodes[k as usize];
        let made = matches!(node.op, Op::Apply(..) | Op::Input(0));
        made && !node.dtype.is_bool()
    };
    let fits = inner.clone().all(|(_, n)| {
        let rounds = narrow(n) && n.dtype == output;
        rounds || !n.operands().iter().any(|&k| computed(k))
    });
    if fits && output.is_half() && !computed(result) {
        Rounded::Always
    } else {
        Rounded::Sometimes
    }
}

enum Factor {
    Number(Scalar),
    Operand(Term),
}

/// The value behind conversions between a float and the narrower types that it stands for.
fn bare(program: &Typed, mut node: u32) -> u32 {
    loop {
        let here = &program.nodes[node as usize];
        let Op::Cast(from) = here.op else { return node };
        let (to, inner) = (here.dtype, program.nodes[from as usize].dtype);
        if !(to.is_inexact() && inner.is_inexact()) || to.is_complex() != inner.is_complex() {
            return node;
        }
        node = from;
    }
}

fn same(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(x), Scalar::Float(y)) => x.to_bits() == y.to_bits(),
        (a, b) => a == b,
    }
}

fn negative(x: Scalar) -> Option<Scalar> {
    match x {
        Scalar::Int(i) => i.checked_neg().map(Scalar::Int),
        Scalar::Float(x) => Some(Scalar::Float(-x)),
        Scalar::Complex(z) => Some(Scalar::Complex(-z)),
        Scalar::Bool(_) => None,
    }
}
