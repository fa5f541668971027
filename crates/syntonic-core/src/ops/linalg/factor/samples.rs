//! Matrices for the tests, in every layout, and slow obvious products of them on the host.

use crate::dtype::DType;
use crate::tensor::Tensor;
use num_complex::Complex;

/// The types with decompositions.
pub(super) const FIELDS: [DType; 4] = [DType::F32, DType::F64, DType::C64, DType::C128];
/// Lengths on both sides of the blocks of the library, and of its recursions.
pub(super) const LENGTHS: [usize; 6] = [1, 2, 3, 17, 64, 130];

/// The distance from 1 to the next number.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// Numbers between -1 and 1, complex where the type is.
pub(super) fn numbers(dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let n: usize = shape.iter().product();
    let part = |i: usize, by: u64| {
        let mixed = (2 * i as u64 + by + 1)
            .wrapping_add(seed << 32)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let values: Vec<Complex<f64>> = (0..n)
        .map(|i| Complex::new(part(i, 0), part(i, 1)))
        .collect();
    let x = Tensor::from_vec(values, shape).unwrap();
    let x = if dtype.is_complex() {
        x
    } else {
        x.real().unwrap()
    };
    x.cast(dtype).unwrap().copy().unwrap()
}

/// The same values as they may lie in memory: row-major, column-major, with gaps, backwards.
pub(super) fn layouts(x: &Tensor) -> Vec<Tensor> {
    let across = x
        .transpose(-2, -1)
        .unwrap()
        .copy()
        .unwrap()
        .transpose(-2, -1)
        .unwrap();
    let mut wide = x.shape().to_vec();
    let ndim = wide.len();
    wide[ndim - 1] *= 3;
    wide[ndim - 2] *= 2;
    let mut gaps = Tensor::full(&wide, f64::NAN, x.dtype()).unwrap();
    let every = |t: &Tensor| {
        let rows = t.slice(-2, Some(1), None, 2).unwrap();
        rows.slice(-1, Some(2), None, 3).unwrap()
    };
    // SAFETY: nobody else has this memory.
    unsafe { every(&gaps).assign_aliased(x).unwrap() };
    gaps = every(&gaps);
    let backwards = x
        .flip(&[-2, -1])
        .unwrap()
        .copy()
        .unwrap()
        .flip(&[-2, -1])
        .unwrap();
    vec![x.clone(), across, gaps, backwards]
}

/// A stack of matrices on the host, in double precision.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    pub(super) count: usize,
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) values: Vec<Complex<f64>>,
}

impl Dense {
    pub(super) fn of(x: &Tensor) -> Dense {
        let shape = x.shape();
        let (rows, cols) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        Dense {
            count: shape[..shape.len() - 2].iter().product(),
            rows,
            cols,
            values: x.to_vec().unwrap(),
        }
    }

    pub(super) fn identity(count: usize, n: usize) -> Dense {
        let one = |k: usize| Complex::new(f64::from(u8::from(k / n % n == k % n)), 0.0);
        Dense {
            count,
            rows: n,
            cols: n,
            values: (0..count * n * n).map(one).collect(),
        }
    }

    pub(super) fn at(&self, k: usize, i: usize, j: usize) -> Complex<f64> {
        self.values[(k * self.rows + i) * self.cols + j]
    }

    /// The product, element by element.
    pub(super) fn times(&self, other: &Dense) -> Dense {
        assert_eq!((self.count, self.cols), (other.count, other.rows));
        let mut values = Vec::with_capacity(self.count * self.rows * other.cols);
        for k in 0..self.count {
            for i in 0..self.rows {
                for j in 0..other.cols {
                    let terms = (0..self.cols).map(|l| self.at(k, i, l) * other.at(k, l, j));
                    values.push(terms.sum());
                }
            }
        }
        Dense {
            cols: other.cols,
            values,
            ..*self
        }
    }

    /// The conjugate transpose.
    pub(super) fn adjoint(&self) -> Dense {
        let mut values = Vec::with_capacity(self.values.len());
        for k in 0..self.count {
            for j in 0..self.cols {
                values.extend((0..self.rows).map(|i| self.at(k, i, j).conj()));
            }
        }
        Dense {
            rows: self.cols,
            cols: self.rows,
            values,
            ..*self
        }
    }

    /// Columns times the numbers of each matrix.
    pub(super) fn scaled(&self, by: &Tensor) -> Dense {
        let by: Vec<Complex<f64>> = by.to_vec().unwrap();
        let mut out = self.clone();
        for (at, x) in out.values.iter_mut().enumerate() {
            let k = at / (self.rows * self.cols);
            *x *= by[k * self.cols + at % self.cols];
        }
        out
    }

    /// The root of the sum of all squares: no norm of any of the matrices is larger.
    pub(super) fn norm(&self) -> f64 {
        self.values.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt()
    }

    pub(super) fn distance(&self, other: &Dense) -> f64 {
        assert_eq!(
            (self.count, self.rows, self.cols),
            (other.count, other.rows, other.cols)
        );
        let both = self.values.iter().zip(&other.values);
        both.map(|(a, b)| (a - b).norm_sqr()).sum::<f64>().sqrt()
    }

    /// Complains where a number below the diagonal is not 0.
    pub(super) fn assert_upper(&self) {
        for k in 0..self.count {
            for i in 0..self.rows {
                for j in 0..i.min(self.cols) {
                    assert_eq!(self.at(k, i, j), Complex::new(0.0, 0.0), "{k} {i} {j}");
                }
            }
        }
    }

    /// Complains where the columns are not orthonormal, but for `bound`.
    pub(super) fn assert_orthonormal(&self, bound: f64, what: &str) {
        let product = self.adjoint().times(self);
        let off = product.distance(&Dense::identity(self.count, self.cols));
        assert!(off <= bound, "{what}: {off} > {bound}");
    }
}
