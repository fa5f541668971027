//! Samples for the tests of operators: small random numbers, shapes, strides, and obvious walks.

use crate::dtype::DType;
use crate::random::Generator;
use crate::tensor::Tensor;

/// A source of small numbers.
pub(super) struct Dice(pub(super) Generator);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(Generator::new(seed))
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        let mut out = [0i64];
        self.0.integers(&mut out, 0, n as i64).unwrap();
        out[0] as usize
    }

    pub(super) fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// All positions of `shape` in row-major order.
pub(super) fn positions(shape: &[usize]) -> Vec<Vec<usize>> {
    let n: usize = shape.iter().product();
    (0..n)
        .map(|mut flat| {
            let mut p = vec![0; shape.len()];
            for a in (0..shape.len()).rev() {
                p[a] = flat % shape[a];
                flat /= shape[a];
            }
            p
        })
        .collect()
}

/// The row-major number of a position.
pub(super) fn flat(p: &[usize], shape: &[usize]) -> usize {
    p.iter().zip(shape).fold(0, |at, (&i, &n)| at * n + i)
}

/// A tensor of `0, 1, 2, ..., 99, 0, 1, ...` with random strides in random memory: permuted, flipped, offset.
pub(super) fn scattered(dice: &mut Dice, shape: &[usize], dtype: DType) -> Tensor {
    let n: usize = shape.iter().product();
    let plain = Tensor::from_vec((0..n as i64).map(|i| i % 100).collect(), shape).unwrap();
    let mut order: Vec<isize> = (0..shape.len() as isize).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, dice.below(i + 1));
    }
    let wide: Vec<usize> = order.iter().map(|&a| shape[a as usize] * 2 + 1).collect();
    let mut t = Tensor::zeros(&wide, dtype).unwrap();
    for axis in 0..shape.len() as isize {
        t = t.slice(axis, Some(1), None, 2).unwrap();
        if dice.below(2) == 0 {
            t = t.flip(&[axis]).unwrap();
        }
    }
    let mut back = vec![0; order.len()];
    for (i, &a) in order.iter().enumerate() {
        back[a as usize] = i as isize;
    }
    let t = t.permute(&back).unwrap();
    // The wide tensor is known here alone.
    t.overwrite(&plain).unwrap();
    t
}

/// Every integer type.
pub(super) const INTEGERS: [DType; 8] = [
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
];

/// A vector of `int64`.
pub(super) fn ints(values: &[i64]) -> Tensor {
    Tensor::from_slice(values, &[values.len()]).unwrap()
}

/// True where both have the same memory.
pub(super) fn shares_buffer(a: &Tensor, b: &Tensor) -> bool {
    a.buffer().unwrap().address() == b.buffer().unwrap().address()
}

/// A random shape of `ndim` axes, empty ones among them.
pub(super) fn shape(dice: &mut Dice, ndim: usize) -> Vec<usize> {
    (0..ndim)
        .map(|_| dice.pick(&[0, 1, 2, 3, 4, 5, 3, 4]))
        .collect()
}

/// The elements of a tensor as integers, to be looked up by position.
pub(super) struct Table {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<i64>,
}

impl Table {
    pub(super) fn of(x: &Tensor) -> Table {
        Table {
            shape: x.shape().to_vec(),
            values: x.to_vec::<i64>().unwrap(),
        }
    }

    pub(super) fn at(&self, p: &[usize]) -> i64 {
        self.values[flat(p, &self.shape)]
    }
}

/// Asserts that `got` has `shape` and at each position the element that `definition` gives.
pub(super) fn assert_defined(
    got: &Tensor,
    shape: &[usize],
    what: &str,
    definition: impl Fn(&[usize]) -> i64,
) {
    assert_eq!(got.shape(), shape, "{what}");
    let want: Vec<i64> = positions(shape).iter().map(|p| definition(p)).collect();
    assert_eq!(got.to_vec::<i64>().unwrap(), want, "{what}");
}

/// The position `p` with another coordinate along `axis`.
pub(super) fn with(p: &[usize], axis: usize, i: usize) -> Vec<usize> {
    let mut p = p.to_vec();
    p[axis] = i;
    p
}
