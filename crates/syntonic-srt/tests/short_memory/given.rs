//! The operands of the calls.

use syntonic_core::{DType, Error, Tensor};

/// A public function's name, and a valid call of it.
pub(crate) type Row = (&'static str, Box<dyn Fn(&Given) -> Result<(), Error>>);

/// A row of the table.
pub(crate) fn row(name: &'static str, call: impl Fn(&Given) -> Result<(), Error> + 'static) -> Row {
    (name, Box::new(call))
}

/// Rows and columns of the matrix.
pub(crate) const ROWS: usize = 256;
pub(crate) const COLS: usize = 512;
/// Its elements.
pub(crate) const ALL: usize = ROWS * COLS;

/// Operands of 1 MiB, and what belongs to them.
pub(crate) struct Given {
    /// `float64[ROWS, COLS]`, from 0 to 1.
    pub(crate) x: Tensor,
    /// The same in one axis.
    pub(crate) flat: Tensor,
    /// Its transpose, a view.
    pub(crate) turned: Tensor,
    /// `int64[ALL]`: whole numbers from 0 to 999.
    pub(crate) whole: Tensor,
    /// `int64[ROWS, COLS]`: positions along the last axis.
    pub(crate) places: Tensor,
    /// `bool[ROWS, COLS]`.
    pub(crate) mask: Tensor,
    /// `float64[COLS]` and `float64[ROWS]`.
    pub(crate) per_column: Tensor,
    pub(crate) per_row: Tensor,
    /// `float64[8, 32, 16, 32]`.
    pub(crate) planes: Tensor,
    /// `float64[32]`, one for each channel of the planes.
    pub(crate) per_channel: Tensor,
}

impl Given {
    pub(crate) fn new() -> Given {
        let number = |i: usize| (i * 7919 % 1000) as f64 / 1000.0;
        let tensor = |n: usize, shape: &[usize]| {
            let values: Vec<f64> = (0..n).map(number).collect();
            Tensor::from_vec(values, shape).expect("numbers of that shape")
        };
        let x = tensor(ALL, &[ROWS, COLS]);
        let whole: Vec<i64> = (0..ALL).map(|i| (i * 7919 % 1000) as i64).collect();
        let places: Vec<i64> = (0..ALL).map(|i| (i * 31 % COLS) as i64).collect();
        let mask: Vec<bool> = (0..ALL).map(|i| i % 3 == 0).collect();
        Given {
            flat: x.reshape(&[-1]).expect("a view"),
            turned: x.transpose(0, 1).expect("a view"),
            whole: Tensor::from_vec(whole, &[ALL]).expect("numbers"),
            places: Tensor::from_vec(places, &[ROWS, COLS]).expect("numbers"),
            mask: Tensor::from_vec(mask, &[ROWS, COLS]).expect("truth values"),
            per_column: tensor(COLS, &[COLS]),
            per_row: tensor(ROWS, &[ROWS]),
            planes: tensor(ALL, &[8, 32, 16, 32]),
            per_channel: tensor(32, &[32]),
            x,
        }
    }
}

/// Computes what a call gave.
pub(crate) fn done(result: Result<Tensor, Error>) -> Result<(), Error> {
    result?.eval().map(drop)
}

/// Computes all that a call gave.
pub(crate) fn all_done(results: &[Tensor]) -> Result<(), Error> {
    results.iter().try_for_each(|t| t.eval().map(drop))
}

/// The operand in another type, made beforehand.
pub(crate) fn cast(x: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    x.cast(dtype)?.eval()
}
