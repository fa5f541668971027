//! The operands of the calls.

use syntonic_core::{DType, Error, Tensor};

/// A public function's name, and a valid call of it.
pub type Row = (&'static str, Box<dyn Fn(&Given) -> Result<(), Error>>);

/// A row of the table.
pub fn row(name: &'static str, call: impl Fn(&Given) -> Result<(), Error> + 'static) -> Row {
    (name, Box::new(call))
}

/// Rows and columns of the matrix.
pub const ROWS: usize = 256;
pub const COLS: usize = 512;
/// Its elements.
pub const ALL: usize = ROWS * COLS;

/// Operands of 1 MiB, and what belongs to them.
pub struct Given {
    /// `float64[ROWS, COLS]`, from 0 to 1.
    pub x: Tensor,
    /// The same in one axis.
    pub flat: Tensor,
    /// Its transpose, a view.
    pub turned: Tensor,
    /// `int64[ALL]`: whole numbers from 0 to 999.
    pub whole: Tensor,
    /// `int64[ROWS, COLS]`: positions along the last axis.
    pub places: Tensor,
    /// `bool[ROWS, COLS]`.
    pub mask: Tensor,
    /// `float64[COLS]` and `float64[ROWS]`.
    pub per_column: Tensor,
    pub per_row: Tensor,
    /// `float64[8, 32, 16, 32]`.
    pub planes: Tensor,
    /// `float64[32]`, one for each channel of the planes.
    pub per_channel: Tensor,
}

impl Given {
    pub fn new() -> Given {
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
pub fn done(result: Result<Tensor, Error>) -> Result<(), Error> {
    result?.eval().map(drop)
}

/// Computes all that a call gave.
pub fn all_done(results: &[Tensor]) -> Result<(), Error> {
    results.iter().try_for_each(|t| t.eval().map(drop))
}

/// The operand in another type, made beforehand.
pub fn cast(x: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    x.cast(dtype)?.eval()
}
