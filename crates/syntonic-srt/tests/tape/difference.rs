//! Gradients of the tape beside central differences.

use syntonic_core::grad::vjp;
use syntonic_core::num_complex::Complex;
use syntonic_core::{DType, Error, Result, Tensor};

/// Step of the differences: about the third root of the distance of 1 from the next `float64`, where what the rule leaves
/// out, `STEP^2 / 6 f'''` = 1e-11 f''', and what it turns roundings into, `n eps / STEP` = 3e-11 n, are alike.
const STEP: f64 = 1.0 / 131_072.0;
/// Third derivatives to 500 and values to 150 roundings stay below this, relative to what is summed.
const TOLERANCE: f64 = 1e-8;

type Function = Box<dyn Fn(&[Tensor]) -> Result<Vec<Tensor>>>;

/// An operator as a function of what it is differentiated by.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) inputs: Vec<Tensor>,
    pub(crate) f: Function,
}

/// A row of an operator that gives one tensor.
pub(crate) fn row(
    name: &'static str,
    inputs: Vec<Tensor>,
    f: impl Fn(&[Tensor]) -> Result<Tensor> + 'static,
) -> Row {
    rows_of(name, inputs, move |v| Ok(vec![f(v)?]))
}

/// A row of an operator that gives several.
pub(crate) fn rows_of(
    name: &'static str,
    inputs: Vec<Tensor>,
    f: impl Fn(&[Tensor]) -> Result<Vec<Tensor>> + 'static,
) -> Row {
    let f = Box::new(f);
    Row { name, inputs, f }
}

/// Distinct numbers between -1 and 1 without a pattern that a formula could follow.
pub(crate) fn spread(shape: &[usize], seed: usize) -> Tensor {
    let at = |i: usize| ((i * 7 + seed * 13 + 5) as f64 * 0.618_033_988_749_895).fract();
    let n: usize = shape.iter().product();
    let values = (0..n).map(|i| 2.0 * at(i) - 1.0).collect();
    Tensor::from_vec::<f64>(values, shape).unwrap()
}

/// Distinct numbers between 0.5 and 1.5.
pub(crate) fn positive(shape: &[usize], seed: usize) -> Tensor {
    let x = spread(shape, seed);
    x.try_mul(0.5).unwrap().try_add(1.0).unwrap()
}

/// Complex numbers in the square between -1 - i and 1 + i.
pub(crate) fn complex(shape: &[usize], seed: usize) -> Tensor {
    let (re, im) = (
        values(&spread(shape, seed)),
        values(&spread(shape, seed + 31)),
    );
    let both = re.iter().zip(im).map(|(a, b)| Complex::new(a.re, b.re));
    Tensor::from_vec(both.collect::<Vec<_>>(), shape).unwrap()
}

fn values(t: &Tensor) -> Vec<Complex<f64>> {
    t.cast(DType::C128).unwrap().to_vec().unwrap()
}

/// How the operand of an operator lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    RowMajor,
    /// Axes in reverse order, each running backwards.
    Strided,
}

impl Lies {
    fn of(self, x: &Tensor) -> Result<Tensor> {
        let order: Vec<isize> = (0..x.ndim() as isize).rev().collect();
        match self {
            Lies::RowMajor => Ok(x.clone()),
            Lies::Strided => x
                .permute(&order)?
                .flip(&order)?
                .copy()?
                .flip(&order)?
                .permute(&order),
        }
    }
}

impl Row {
    fn run(&self, inputs: &[Tensor], lies: Lies) -> Result<Vec<Tensor>> {
        let all: Vec<Tensor> = inputs.iter().map(|x| lies.of(x)).collect::<Result<_>>()?;
        (self.f)(&all)
    }

    /// The real part of the product of the floats among the outputs and conjugate cotangents, and the sum of magnitudes.
    fn loss(&self, inputs: &[Tensor], cotangents: &[Vec<Complex<f64>>]) -> (f64, f64) {
        let outputs = self.run(inputs, Lies::RowMajor).unwrap();
        let mut loss = (0.0, 0.0);
        for (y, g) in floats(&outputs).zip(cotangents) {
            for (y, g) in values(y).iter().zip(g) {
                let term = y.re * g.re + y.im * g.im;
                loss = (loss.0 + term, loss.1 + term.abs());
            }
        }
        loss
    }

    /// Compares every component of the gradient with differences, for operands that lie row-major and for strided ones.
    pub(crate) fn check(&self) {
        let name = self.name;
        let plain = self.run(&self.inputs, Lies::RowMajor);
        let plain = plain.unwrap_or_else(|e| panic!("{name}: {e}"));
        let cotangents: Vec<Tensor> = floats(&plain)
            .enumerate()
            .map(|(k, y)| match y.dtype().is_complex() {
                true => complex(y.shape(), 50 + k),
                false => spread(y.shape(), 50 + k),
            })
            .collect();
        let numbers: Vec<Vec<Complex<f64>>> = cotangents.iter().map(values).collect();
        let scale = 1.0 + self.loss(&self.inputs, &numbers).1;
        for lies in [Lies::RowMajor, Lies::Strided] {
            let inputs: Vec<&Tensor> = self.inputs.iter().collect();
            let run = |v: &[Tensor]| {
                let all = self.run(v, lies)?;
                Ok(floats(&all).cloned().collect())
            };
            let (made, back) = vjp(run, &inputs).unwrap_or_else(|e| panic!("{name}: {e}"));
            // What is recorded is what is computed without a tape.
            for (a, b) in made.iter().zip(floats(&plain)) {
                assert_eq!((a.shape(), a.dtype()), (b.shape(), b.dtype()), "{name}");
                for (a, b) in values(a).iter().zip(values(b)) {
                    assert!(
                        (a - b).norm() <= 1e-13 * (1.0 + b.norm()),
                        "{name}: {a} is not {b}"
                    );
                }
            }
            let given: Vec<&Tensor> = cotangents.iter().collect();
            let found = back.pull(&given).unwrap_or_else(|e| panic!("{name}: {e}"));
            for (k, (x, g)) in self.inputs.iter().zip(&found).enumerate() {
                assert_eq!(
                    (g.shape(), g.dtype()),
                    (x.shape(), x.dtype()),
                    "{name}: input {k}"
                );
                for (i, g) in values(g).into_iter().enumerate() {
                    let expect = |got: f64, by: Complex<f64>| {
                        let want = self.slope(k, i, by, &numbers);
                        assert!(
                            (got - want).abs() <= TOLERANCE * (scale + want.abs()),
                            "{name}, {lies:?}: input {k}[{i}] by {by}: {got} is not {want}",
                        );
                    };
                    expect(g.re, Complex::new(STEP, 0.0));
                    if x.dtype().is_complex() {
                        expect(g.im, Complex::new(0.0, STEP));
                    }
                }
            }
        }
    }

    fn slope(&self, k: usize, i: usize, by: Complex<f64>, numbers: &[Vec<Complex<f64>>]) -> f64 {
        let at = |by: Complex<f64>| {
            let mut inputs = self.inputs.clone();
            let mut changed = values(&inputs[k]);
            changed[i] += by;
            let x = Tensor::from_vec(changed, inputs[k].shape()).unwrap();
            inputs[k] = match inputs[k].dtype().is_complex() {
                true => x,
                false => x.real().unwrap().copy().unwrap(),
            };
            self.loss(&inputs, numbers).0
        };
        (at(by) - at(-by)) / (2.0 * STEP)
    }

    /// The operator refuses operands that are tracked, with its name or that of the part that refuses.
    pub(crate) fn check_refusal(&self) {
        let inputs: Vec<&Tensor> = self.inputs.iter().collect();
        match vjp(&self.f, &inputs) {
            Err(Error::Gradient { what, .. }) => assert!(what.contains("hint"), "{what}"),
            Err(e) => panic!("{}: {e}", self.name),
            Ok((made, _)) => panic!("{}: no error, but {made:?}", self.name),
        }
    }
}

fn floats(all: &[Tensor]) -> impl Iterator<Item = &Tensor> {
    all.iter().filter(|t| t.dtype().is_inexact())
}
