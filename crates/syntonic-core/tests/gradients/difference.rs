//! A program with operands, its gradient, and the same by differences.

use num_complex::Complex;
use syntonic_core::fuse::{Backward, Input, Program, Role};
use syntonic_core::run::{Axes, rows};
use syntonic_core::{DType, Scalar, Tensor};

/// Step of the differences. The fourth-order rule leaves out `STEP^4 / 30 * f'''''`, which is
/// 5e-13 times a fifth derivative, and turns an error of n eps in f into 1.5 n eps / STEP.
const STEP: f64 = 1.0 / 512.0;
/// Fifth derivatives to 1e3 and errors of f to 60 eps stay below this, relative to what is summed.
const TOLERANCE: f64 = 1e-9;

/// A program, its operands, and the axes that are its row.
#[derive(Clone)]
pub(crate) struct Problem {
    pub program: Program,
    pub tensors: Vec<Tensor>,
    pub numbers: Vec<Scalar>,
    pub axes: Vec<isize>,
}

type Values = Vec<Complex<f64>>;

pub(crate) fn values(t: &Tensor) -> Values {
    t.cast(DType::C128).unwrap().to_vec().unwrap()
}

/// Distinct numbers between -1 and 1 without a pattern a formula could follow.
pub(crate) fn spread(n: usize, seed: usize) -> Vec<f64> {
    let at = |i: usize| ((i * 7 + seed * 13 + 5) as f64 * 0.618_033_988_749_895).fract();
    (0..n).map(|i| 2.0 * at(i) - 1.0).collect()
}

pub(crate) fn tensor(shape: &[usize], seed: usize) -> Tensor {
    Tensor::from_vec(spread(shape.iter().product(), seed), shape).unwrap()
}

impl Problem {
    /// A problem whose row is the last axis, over tensors of these shapes.
    pub(crate) fn new(program: &Program, shapes: &[&[usize]], numbers: &[f64]) -> Problem {
        let tensors = shapes.iter().enumerate().map(|(k, s)| tensor(s, k));
        Problem {
            program: program.clone(),
            tensors: tensors.collect(),
            numbers: numbers.iter().map(|&x| x.into()).collect(),
            axes: vec![-1],
        }
    }

    pub(crate) fn run(&self) -> Vec<Tensor> {
        let refs: Vec<&Tensor> = self.tensors.iter().collect();
        rows(&self.program, &refs, &self.numbers, &self.axes, Axes::Drop)
            .unwrap_or_else(|e| panic!("{}: {e}\n{}", self.program.name, self.program))
    }

    /// One cotangent per output, of its type where that is a float.
    pub(crate) fn cotangents(&self) -> Vec<Tensor> {
        let outputs = self.run();
        let make = |(k, y): (usize, &Tensor)| {
            let re = tensor(y.shape(), 10 + k);
            if !y.dtype().is_complex() {
                let dtype = if y.dtype().is_float() {
                    y.dtype()
                } else {
                    DType::F64
                };
                return re.cast(dtype).unwrap();
            }
            let im = values(&tensor(y.shape(), 20 + k));
            let both = values(&re)
                .into_iter()
                .zip(im)
                .map(|(a, b)| Complex::new(a.re, b.re));
            let both: Values = both.collect();
            Tensor::from_vec(both, y.shape())
                .unwrap()
                .cast(y.dtype())
                .unwrap()
        };
        outputs.iter().enumerate().map(make).collect()
    }

    /// The real part of the product of outputs and conjugate cotangents, and the sum of magnitudes.
    fn loss(&self, cotangents: &[Values]) -> (f64, f64) {
        let mut loss = (0.0, 0.0);
        for (y, g) in self.run().iter().zip(cotangents) {
            for (y, g) in values(y).iter().zip(g) {
                let term = y.re * g.re + y.im * g.im;
                loss = (loss.0 + term, loss.1 + term.abs());
            }
        }
        loss
    }

    /// The problem of the gradient with respect to every input.
    pub(crate) fn gradient(&self) -> Problem {
        let all: Vec<usize> = (0..self.program.inputs.len()).collect();
        let mut tensors = self.tensors.clone();
        tensors.extend(self.cotangents());
        Problem {
            program: self.program.grad(&all).unwrap(),
            tensors,
            numbers: self.numbers.clone(),
            axes: self.axes.clone(),
        }
    }

    /// The same with operands rounded to `dtype`.
    pub(crate) fn cast(&self, dtype: DType) -> Problem {
        let tensors = self.tensors.iter().map(|t| t.cast(dtype).unwrap());
        Problem {
            tensors: tensors.collect(),
            ..self.clone()
        }
    }

    /// Compares every component of every gradient with differences, in double precision.
    pub(crate) fn check(&self) {
        let cotangents: Vec<Values> = self.cotangents().iter().map(values).collect();
        let scale = 1.0 + self.loss(&cotangents).1;
        let gradient = self.gradient();
        let (mut tensors, mut numbers) = (0, 0);
        for (k, (found, input)) in gradient.run().iter().zip(&self.program.inputs).enumerate() {
            let found = values(found);
            let expect = |at: &str, got: f64, change: &dyn Fn(f64) -> Problem| {
                let want = slope(|h| change(h).loss(&cotangents).0);
                assert!(
                    (got - want).abs() <= TOLERANCE * (scale + want.abs()),
                    "{} by {} {at}: {got} is not {want}\n{}gradient\n{}",
                    self.program.name,
                    input.name,
                    self.program,
                    gradient.program,
                );
            };
            if input.role == Role::Number {
                let change = |h| self.with_number(numbers, h);
                expect("", found.iter().map(|z| z.re).sum(), &change);
                numbers += 1;
                continue;
            }
            assert_eq!(found.len(), self.tensors[tensors].numel(), "input {k}");
            for (i, z) in found.iter().enumerate() {
                let change = |h| self.with_element(tensors, i, Complex::new(h, 0.0));
                expect(&format!("[{i}]"), z.re, &change);
                if self.tensors[tensors].dtype().is_complex() {
                    let change = |h| self.with_element(tensors, i, Complex::new(0.0, h));
                    expect(&format!("[{i}].im"), z.im, &change);
                }
            }
            tensors += 1;
        }
    }

    /// Compares single-precision gradients with double ones at the same operands. The bound is 300
    /// roundings of what is summed, which covers the amplification inside the formulas tested.
    pub(crate) fn check_single(&self) {
        let single = self.cast(DType::F32).gradient();
        let double = single.cast(DType::F64);
        let pairs = single.run().into_iter().zip(double.run());
        for ((a, b), input) in pairs.zip(&self.program.inputs) {
            if input.role != Role::Number {
                assert_eq!(a.dtype(), DType::F32, "{}", self.program.name);
            }
            let (a, b) = (values(&a), values(&b));
            let scale = b.iter().fold(1.0, |m: f64, z| m.max(z.norm()));
            for (a, b) in a.iter().zip(&b) {
                let bound = 300.0 * f64::from(f32::EPSILON) * scale;
                assert!(
                    (a - b).norm() <= bound,
                    "{}: {a} is not {b}",
                    self.program.name
                );
            }
        }
    }

    /// Compares [`Program::backward`] with [`Program::grad`], with everything computed and with the output `given`
    /// coming in. The bound is 20,000 roundings of what is summed: the two take
    /// sums apart in different ways, and their parts may be larger than the sum.
    pub(crate) fn check_short(&self, given: usize) {
        let want = self.gradient().run();
        let all: Vec<usize> = (0..self.program.inputs.len()).collect();
        let from: Vec<usize> = (0..self.program.outputs.len()).collect();
        let value = &self.run()[given];
        for given in [&[][..], &[given]] {
            let what = Backward {
                wrt: &all,
                from: &from,
                given,
            };
            let program = self.program.backward(what).unwrap();
            // Where all that the elements had to do with cancels, as in r - r, no operand says how many there are.
            if program.inputs.iter().all(|i| i.role != Role::Element) {
                continue;
            }
            let mut named: Vec<(String, Tensor)> = Vec::new();
            let tensors = self
                .program
                .inputs
                .iter()
                .filter(|i| i.role != Role::Number);
            for (input, t) in tensors.zip(&self.tensors) {
                named.push((input.name.to_string(), t.clone()));
            }
            for (k, t) in self.cotangents().into_iter().enumerate() {
                named.push((format!("cotangent_{k}"), t));
            }
            named.extend(given.iter().map(|k| (format!("given_{k}"), value.clone())));
            let number = |i: &&Input| i.role == Role::Number;
            let operand = |i: &Input| &named.iter().find(|(name, _)| *name == i.name).unwrap().1;
            let tensors: Vec<&Tensor> = (program.inputs.iter())
                .filter(|i| !number(i))
                .map(operand)
                .collect();
            let numbers = if program.inputs.iter().any(|i| number(&i)) {
                &self.numbers[..]
            } else {
                &[]
            };
            let got = rows(&program, &tensors, numbers, &self.axes, Axes::Drop).unwrap();
            for (got, want) in got.iter().zip(&want) {
                let (got, want) = (values(got), values(want));
                let scale = want.iter().fold(1.0, |m: f64, z| m.max(z.norm()));
                for (g, w) in got.iter().zip(&want) {
                    let bound = 20_000.0 * f64::EPSILON * scale;
                    assert!((g - w).norm() <= bound, "{g} is not {w}\n{program}");
                }
            }
        }
    }

    fn with_element(&self, k: usize, i: usize, by: Complex<f64>) -> Problem {
        let mut changed = self.clone();
        let t = &self.tensors[k];
        let mut v = values(t);
        v[i] += by;
        changed.tensors[k] = Tensor::from_vec(v, t.shape())
            .unwrap()
            .cast(t.dtype())
            .unwrap();
        changed
    }

    fn with_number(&self, k: usize, by: f64) -> Problem {
        let mut changed = self.clone();
        changed.numbers[k] = (self.numbers[k].to_f64() + by).into();
        changed
    }
}

/// The derivative of `f` at 0 by the central rule of fourth order.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let wide = f(2.0 * STEP) - f(-2.0 * STEP);
    (8.0 * (f(STEP) - f(-STEP)) - wide) / (12.0 * STEP)
}
