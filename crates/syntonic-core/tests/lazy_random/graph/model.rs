//! What a script means: the slow, obvious way, number by number, with views as lists of places in a memory.
//!
//! Beside each number goes how far a device may be from it, by a running error analysis (Higham, Accuracy and Stability of
//! Numerical Algorithms, 3.3); 0 says that its bits are known. A number that hangs on the order of a sum may go into functions
//! that pass its error on, and into no discrete step such as a comparison.

use super::errors::{Number, passed};
use super::folds;
use super::script::{Arg, Fold, Name, Numbers, Refusal, Step, View, numbers};
use super::walk::{flat, positions, viewed};
use syntonic_core::fuse::{Prim, reference};
use syntonic_core::layout::broadcast_pair;
use syntonic_core::ops::composites;
use syntonic_core::run::Axes;
use syntonic_core::{DType, Scalar};

/// Elements of a variable at most.
const MOST: usize = 40_000;
/// Whole numbers that a double and every intermediate result hold.
const WHOLE: f64 = (1u64 << 52) as f64;

/// A block of numbers that several variables may show.
#[derive(Clone, Debug)]
struct Memory {
    numbers: Vec<Number>,
    /// Whether every way to compute them gives the same bits.
    bits: bool,
    /// Whether it is not known who shares it, so that nobody writes.
    frozen: bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    memory: usize,
    /// Which numbers of the memory, row-major.
    places: Vec<usize>,
    pub(crate) shape: Vec<usize>,
    pub(crate) dtype: DType,
    /// Whether one number stands for several, or may.
    repeated: bool,
}

/// A variable's numbers.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) numbers: Vec<Number>,
    pub(crate) bits: bool,
}

/// What all variables are after the steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    memories: Vec<Memory>,
    pub(crate) values: Vec<Option<Value>>,
    /// Of the first memories, which may not be written, since other threads know them.
    closed: Vec<bool>,
}

impl Model {
    pub(crate) fn value(&self, name: Name) -> Option<&Value> {
        self.values.get(name)?.as_ref()
    }

    /// The variables that there still are.
    pub(crate) fn alive(&self) -> Vec<Name> {
        let all = 0..self.values.len();
        all.filter(|&k| self.values[k].is_some()).collect()
    }

    pub(crate) fn known(&self, name: Name) -> Option<Known> {
        let value = self.value(name)?;
        let memory = &self.memories[value.memory];
        let places = value.places.iter();
        Some(Known {
            numbers: places.map(|&p| memory.numbers[p]).collect(),
            bits: memory.bits,
        })
    }

    /// Chooses memories that this thread alone goes on with, and closes the others. The variables that show the chosen ones,
    /// which others let go of.
    pub(crate) fn part(&mut self, mut mine: impl FnMut() -> bool) -> Vec<Name> {
        self.closed = self.memories.iter().map(|_| !mine()).collect();
        let open = |value: &Value| !self.closed[value.memory];
        let names = 0..self.values.len();
        let shown = names.filter(|&k| self.values[k].as_ref().is_some_and(open));
        shown.collect()
    }

    /// For a thread of its own: what there is now is not written any more.
    pub(crate) fn branch(&self) -> Model {
        Model {
            closed: vec![true; self.memories.len()],
            ..self.clone()
        }
    }

    fn is_closed(&self, memory: usize) -> bool {
        self.memories[memory].frozen || self.closed.get(memory).copied().unwrap_or(false)
    }

    /// Does a step. `None`, and nothing is changed, where it has no meaning or what comes out could not be checked.
    pub(crate) fn take(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Leaf {
                shape,
                dtype,
                numbers: kind,
                seed,
            } => {
                let n = shape.iter().product();
                let values = numbers(n, *dtype, *kind, *seed);
                let numbers = values.into_iter().map(Number::known).collect();
                self.make(
                    shape.clone(),
                    *dtype,
                    Known {
                        numbers,
                        bits: true,
                    },
                )
            }
            Step::Prim { prim, args } => self.prim(*prim, args),
            Step::Composite { at, x } => self.composite(*at, *x),
            Step::Cast { x, dtype } => self.cast(*x, *dtype),
            Step::Fold {
                fold,
                x,
                axes,
                keep,
            } => self.fold(*fold, *x, axes, *keep),
            Step::Product { a, b } => self.product(*a, *b),
            Step::View { x, view } => self.view(*x, view),
            Step::Write { to, from } => self.write(*to, *from),
            Step::Assign { to, from } => self.assign(*to, *from),
            Step::Lend { x, seed } => self.lend(*x, *seed),
            Step::Read(x) | Step::Explain(x) => self.value(*x).map(drop),
            Step::Forget(x) => {
                self.value(*x)?;
                self.values[*x] = None;
                Some(())
            }
            Step::Failing(_, step) => self.take(step),
            Step::Refused(refusal, x) => self.refuses(*refusal, *x),
        }
    }

    /// A new variable with memory of its own.
    fn make(&mut self, shape: Vec<usize>, dtype: DType, known: Known) -> Option<()> {
        if known.numbers.len() > MOST || !known.is_of_use(dtype) {
            return None;
        }
        let places = (0..known.numbers.len()).collect();
        self.memories.push(Memory {
            numbers: known.numbers,
            bits: known.bits,
            frozen: false,
        });
        self.values.push(Some(Value {
            memory: self.memories.len() - 1,
            places,
            shape,
            dtype,
            repeated: false,
        }));
        Some(())
    }

    fn prim(&mut self, prim: Prim, args: &[Arg]) -> Option<()> {
        let mut shape: Vec<usize> = Vec::new();
        let mut common: Option<DType> = None;
        let typed = &args[usize::from(prim == Prim::Select)..];
        for arg in typed {
            if let Arg::Variable(x) = arg {
                let dtype = self.value(*x)?.dtype;
                common = Some(common.map_or(dtype, |c| c.promote(dtype)));
            }
        }
        for arg in typed {
            if let Arg::Number(x) = arg {
                common = Some(x.promote_with(common.unwrap_or(DType::Bool)));
            }
        }
        for arg in args {
            if let Arg::Variable(x) = arg {
                shape = broadcast_pair(&shape, &self.value(*x)?.shape)?.to_vec();
            }
        }
        if shape.iter().product::<usize>() > MOST {
            return None;
        }
        let operand = prim.operand_dtype(common?)?;
        if matches!(prim, Prim::FloorDiv | Prim::Rem) && operand.is_float() {
            // A step that a rounding before it may take or not.
            return None;
        }
        let mut bits = true;
        let mut columns: Vec<(Vec<Number>, DType)> = Vec::new();
        for arg in args {
            columns.push(match arg {
                Arg::Number(x) => {
                    if !x.fits(operand) {
                        return None;
                    }
                    let dtype = if matches!(x, Scalar::Int(_)) {
                        DType::I64
                    } else {
                        DType::F64
                    };
                    (vec![Number::known(x.to_f64())], dtype)
                }
                Arg::Variable(x) => {
                    let known = self.broadcast(*x, &shape)?;
                    bits &= known.bits;
                    (known.numbers, self.value(*x)?.dtype)
                }
            });
        }
        let n = shape.iter().product();
        let mut made = Vec::with_capacity(n);
        for i in 0..n {
            let at = |k: usize| {
                let (column, _) = &columns[k];
                column[if column.len() == 1 { 0 } else { i }]
            };
            let numbers: [Number; 3] = std::array::from_fn(|k| at(k.min(args.len() - 1)));
            if prim == Prim::SignBit && numbers[0].value.is_nan() {
                // Whatever made it, gave it some sign.
                return None;
            }
            let scalars: [Scalar; 3] = std::array::from_fn(|k| {
                let k = k.min(args.len() - 1);
                scalar(at(k).value, columns[k].1)
            });
            // Half types are computed in a wider one, which holds whole numbers that they would round.
            let value = reference::apply(prim, &scalars[..args.len()], operand.compute());
            let value = value.cast(prim.result_dtype(operand)).to_f64();
            made.push(passed(prim, operand, &numbers, value));
        }
        let known = Known {
            numbers: made,
            bits,
        };
        self.make(shape, prim.result_dtype(operand), known)
    }

    /// The composites of one operand: their bits alone are compared.
    fn composite(&mut self, at: usize, x: Name) -> Option<()> {
        let composite = composites::ALL.get(at)?;
        let value = self.value(x)?;
        let known = self.known(x)?;
        if composite.args.len() != 1 || !value.dtype.is_float() || !known.bits {
            return None;
        }
        let made = known.numbers.iter().map(|x| Number::unknown(x.value));
        let known = Known {
            numbers: made.collect(),
            bits: true,
        };
        self.make(value.shape.clone(), value.dtype, known)
    }

    fn cast(&mut self, x: Name, dtype: DType) -> Option<()> {
        let value = self.value(x)?;
        if value.dtype == dtype {
            return None;
        }
        let known = self.known(x)?.cast(value.dtype, dtype)?;
        self.make(value.shape.clone(), dtype, known)
    }

    fn fold(&mut self, fold: Fold, x: Name, axes: &[usize], keep: Axes) -> Option<()> {
        let value = self.value(x)?;
        let known = self.known(x)?;
        let shape = &value.shape;
        let reduced = |axis: &usize| axes.contains(axis);
        if !folds::has_identity(fold) && axes.iter().any(|&axis| shape[axis] == 0) {
            return None;
        }
        let all = 0..shape.len();
        let kept: Vec<usize> = all
            .clone()
            .filter(|a| !reduced(a))
            .map(|a| shape[a])
            .collect();
        let count: usize = kept.iter().product();
        let mut rows: Vec<Vec<Number>> = vec![Vec::new(); count];
        for (place, &number) in positions(shape).zip(&known.numbers) {
            let outer = all.clone().filter(|a| !reduced(a)).map(|a| place[a]);
            rows[flat(outer, &kept)].push(number);
        }
        let (dtype, results, bits) = folds::fold(fold, &rows, value.dtype)?;
        let shape = match keep {
            Axes::Drop => kept,
            Axes::Keep => all
                .map(|a| if reduced(&a) { 1 } else { shape[a] })
                .collect(),
        };
        let known = Known {
            numbers: results,
            bits: bits && known.bits,
        };
        // What hangs on bits alone cannot be folded in any order.
        (bits || known.numbers.iter().all(|x| x.error.is_finite())).then_some(())?;
        self.make(shape, dtype, known)
    }

    /// Of whole numbers, whose sums are exact.
    fn product(&mut self, a: Name, b: Name) -> Option<()> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        let (&[m, k], &[inner, n]) = (&x.shape[..], &y.shape[..]) else {
            return None;
        };
        if k != inner || x.dtype != y.dtype || x.dtype.is_bool() || m * n > MOST || k > 60 {
            return None;
        }
        let (a, b) = (self.known(a)?, self.known(b)?);
        let whole = |x: &Number| x.error == 0.0 && x.value.fract() == 0.0 && x.value.abs() < 256.0;
        if !a.numbers.iter().chain(&b.numbers).all(whole) {
            return None;
        }
        let wide = if x.dtype.is_float() {
            DType::F64
        } else {
            DType::I64
        };
        let at = |i: usize, j: usize| {
            let terms = (0..k).map(|l| a.numbers[i * k + l].value * b.numbers[l * n + j].value);
            // The sign of a zero hangs on where a sum begins.
            let signed = |t: f64| t == 0.0 && t.is_sign_negative();
            if x.dtype.is_float() && terms.clone().any(signed) && terms.clone().all(|t| t == 0.0) {
                return Number::zero();
            }
            Number::known(
                scalar(terms.sum::<f64>() + 0.0, wide)
                    .cast(x.dtype)
                    .to_f64(),
            )
        };
        let known = Known {
            numbers: (0..m * n).map(|ij| at(ij / n, ij % n)).collect(),
            bits: a.bits && b.bits,
        };
        let dtype = x.dtype;
        self.make(vec![m, n], dtype, known)
    }

    fn view(&mut self, x: Name, view: &View) -> Option<()> {
        let value = self.value(x)?.clone();
        let (shape, from) = viewed(&value.shape, view)?;
        if from.len() > MOST {
            return None;
        }
        let places: Vec<usize> = from.into_iter().map(|k| value.places[k]).collect();
        let memory = &mut self.memories[value.memory];
        if matches!(view, View::Reshape(_)) {
            let whole = places.len() == memory.numbers.len();
            let in_order = places.iter().enumerate().all(|(k, &p)| k == p);
            // Elsewhere it may be a copy.
            memory.frozen |= !(whole && in_order);
        }
        let repeated = value.repeated || matches!(view, View::Broadcast(to) if *to != value.shape);
        self.values.push(Some(Value {
            places,
            shape,
            repeated,
            ..value
        }));
        Some(())
    }

    fn write(&mut self, to: Name, from: Name) -> Option<()> {
        let target = self.value(to)?.clone();
        if target.repeated || self.is_closed(target.memory) {
            return None;
        }
        let known = self.converted(to, from)?;
        let memory = &mut self.memories[target.memory];
        for (&place, number) in target.places.iter().zip(known.numbers) {
            memory.numbers[place] = number;
        }
        memory.bits &= known.bits;
        Some(())
    }

    /// All of a memory, in order.
    fn lend(&mut self, x: Name, seed: u64) -> Option<()> {
        let value = self.value(x)?;
        let (at, dtype) = (value.memory, value.dtype);
        let in_order = value.places.iter().enumerate().all(|(k, &p)| k == p);
        let count = self.memories[at].numbers.len();
        if !in_order || value.places.len() != count || value.repeated || self.is_closed(at) {
            return None;
        }
        let values = numbers(count, dtype, Numbers::Whole, seed);
        let memory = &mut self.memories[at];
        memory.numbers = values.into_iter().map(Number::known).collect();
        memory.bits = true;
        Some(())
    }

    fn assign(&mut self, to: Name, from: Name) -> Option<()> {
        let known = self.converted(to, from)?;
        let target = self.value(to)?.clone();
        self.make(target.shape, target.dtype, known)?;
        self.values[to] = self.values.pop()?;
        Some(())
    }

    /// What is written to one variable from another.
    fn converted(&self, to: Name, from: Name) -> Option<Known> {
        let (target, source) = (self.value(to)?, self.value(from)?);
        let known = self.broadcast(from, &target.shape)?;
        let known = known.cast(source.dtype, target.dtype)?;
        known.is_of_use(target.dtype).then_some(known)
    }

    fn broadcast(&self, x: Name, shape: &[usize]) -> Option<Known> {
        let value = self.value(x)?;
        let known = self.known(x)?;
        if value.shape == shape {
            return Some(known);
        }
        let (_, from) = viewed(&value.shape, &View::Broadcast(shape.to_vec()))?;
        Some(Known {
            numbers: from.into_iter().map(|k| known.numbers[k]).collect(),
            bits: known.bits,
        })
    }

    /// Whether the call is an error.
    fn refuses(&self, refusal: Refusal, x: Name) -> Option<()> {
        let value = self.value(x)?;
        let refused = match refusal {
            Refusal::Shapes | Refusal::Write => value.shape.last().is_some_and(|&n| n > 1),
            Refusal::Axis => true,
            Refusal::Nothing => !value.shape.is_empty() && value.shape.iter().all(|&n| n > 0),
        };
        refused.then_some(())
    }
}

impl Known {
    /// False where nothing could be compared, or what is computed on would leave all that is known.
    fn is_of_use(&self, dtype: DType) -> bool {
        let fair = |x: &Number| {
            let whole = !dtype.is_integer() || x.error != 0.0 || x.value.abs() <= WHOLE;
            let near =
                self.bits || (x.value.is_finite() && x.error <= 0.25 * (1.0 + x.value.abs()));
            whole && near
        };
        self.numbers.iter().all(fair)
    }

    fn cast(self, from: DType, to: DType) -> Option<Known> {
        let discrete = !to.is_float();
        if discrete && !self.bits {
            return None;
        }
        let convert = |x: Number| {
            let fits =
                to.is_float() || to.is_bool() || (x.value.is_finite() && x.value.abs() < 1e9);
            let value = scalar(x.value, from).cast(to).to_f64();
            (fits || x.error != 0.0).then(|| x.converted(value, from, to))
        };
        Some(Known {
            numbers: self
                .numbers
                .into_iter()
                .map(convert)
                .collect::<Option<_>>()?,
            bits: self.bits,
        })
    }
}

/// A number of the model as one of a type.
fn scalar(value: f64, dtype: DType) -> Scalar {
    if dtype.is_bool() {
        Scalar::Bool(value != 0.0)
    } else if dtype.is_integer() {
        Scalar::Int(value as i128)
    } else {
        Scalar::Float(value)
    }
}
