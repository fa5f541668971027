//! Shapes whose rows are spread in every way that a GPU has for them.

use syntonic_core::DType;

/// A shape, and the axes of the row.
pub(super) type Space = (&'static [usize], &'static [isize]);

/// Shapes with the axes of the row: long and short rows, columns, rows in pieces, rows of one element.
pub(super) const SPACES: [Space; 8] = [
    (&[7, 300], &[1]),
    (&[300, 7], &[0]),
    (&[64, 33], &[1]),
    (&[3, 5, 7, 9], &[0, 2, 3]),
    (&[2, 70_001], &[1]),
    (&[50, 1], &[1]),
    (&[4097], &[0]),
    (&[1, 1], &[0, 1]),
];

/// As [`SPACES`]: more rows than fit the GPU at once, rows in several blocks, channels of planes, what no vector fits.
pub(super) const LARGER: [Space; 7] = [
    (&[3000, 248], &[1]),
    (&[5, 32_768], &[1]),
    (&[2, 150_000], &[1]),
    (&[6, 5, 28, 28], &[0, 2, 3]),
    (&[3, 4, 15, 13], &[0, 2, 3]),
    (&[40, 1001], &[1]),
    (&[9, 600, 4], &[1]),
];

/// Rows that a block of two, four, eight or sixteen warps has in registers, with and without a vector for every thread.
pub(super) const BLOCKS: [Space; 4] = [
    (&[5, 1024], &[1]),
    (&[4, 2040], &[1]),
    (&[3, 4092], &[1]),
    (&[3, 8192], &[1]),
];

/// Rows that no block holds, of norms and their gradients: many and few, channels of planes, a part of a vector at the end; and
/// columns, whole groups of neighbours and groups that are not full, of two axes, and in pieces.
pub(super) const PARTED: [Space; 9] = [
    (&[3, 260_004], &[1]),
    (&[1, 700_000], &[1]),
    (&[40, 5, 56, 56], &[0, 2, 3]),
    (&[70, 300, 64], &[0, 2]),
    (&[5000, 64], &[0]),
    (&[3001, 152], &[0]),
    (&[2400, 192], &[0]),
    (&[6, 3000, 24], &[1]),
    (&[30, 6, 120, 8], &[0, 2]),
];

/// Programs that run over [`FEW`].
pub(super) const OF_FEW: [&str; 3] = ["BATCH_NORM", "BATCH_NORM_PLAIN", "LAYER_NORM_PLAIN"];

/// Few rows, of which a cluster has each in registers where rows are contiguous. Some threads have no last vector.
pub(super) const FEW: [Space; 2] = [
    (&[19, 34, 28, 28], &[0, 2, 3]),
    (&[38, 17, 28, 28], &[0, 2, 3]),
];

/// Rows of programs with sums over rows: with and without a vector for every thread.
pub(super) const SUMMED: [Space; 2] = [(&[140, 4096], &[1]), (&[150, 2600], &[1])];
/// The same for elements of eight bytes, of which a vector has fewer.
pub(super) const SUMMED_LARGE: [Space; 2] = [(&[140, 2048], &[1]), (&[150, 1100], &[1])];

/// Rows with work for all multiprocessors of an H200: planes in pieces and whole ones, and columns, of one operand and two, of two
/// axes. A last turn is not full, and parts begin anywhere. Few, since each takes a sanitizer minutes.
pub(super) const FILLING: [(&str, DType, Space); 9] = [
    ("BATCH_NORM", DType::F64, (&[140, 19, 56, 56], &[0, 2, 3])),
    (
        "BATCH_NORM_backward",
        DType::F32,
        (&[140, 19, 56, 56], &[0, 2, 3]),
    ),
    ("BATCH_NORM", DType::F32, (&[66, 25, 112, 80], &[0, 2, 3])),
    ("BATCH_NORM", DType::F32, (&[31, 33, 112, 60], &[0, 2, 3])),
    (
        "BATCH_NORM_PLAIN",
        DType::F32,
        (&[32, 66, 56, 56], &[0, 2, 3]),
    ),
    (
        "BATCH_NORM_backward",
        DType::BF16,
        (&[66, 33, 56, 56], &[0, 2, 3]),
    ),
    ("BATCH_NORM", DType::F64, (&[26_000, 192], &[0])),
    (
        "SOFTMAX_backward",
        DType::F32,
        (&[110, 2, 120, 256], &[0, 2]),
    ),
    ("BATCH_NORM_backward", DType::F64, (&[20_100, 192], &[0])),
];

/// As [`LARGER`], for softmaxes and their gradients: long rows, with and without a vector for every thread, in one block and two;
/// and rows that fit no cluster.
pub(super) const LONG: [Space; 6] = [
    (&[140, 8320], &[1]),
    (&[3, 50, 16_384], &[2]),
    (&[70, 32_760], &[1]),
    (&[135, 33_000], &[1]),
    (&[2, 600_000], &[1]),
    (&[1, 1_300_000], &[1]),
];

/// For programs whose rows come to one value each: whole arrays and few rows, whose parts go to all multiprocessors; with a
/// part of a part at the end, in vectors and where no vector fits.
pub(super) const WHOLE: [Space; 3] = [
    (&[1_100_008], &[0]),
    (&[1_050_003], &[0]),
    (&[3, 1000, 360], &[1, 2]),
];

/// As [`LARGER`], for softmaxes and their gradients along a leading axis: short columns and long ones, with columns left over, of
/// two axes, and in pieces.
pub(super) const LEADING: [Space; 9] = [
    (&[1000, 300], &[0]),
    (&[20, 4300], &[0]),
    (&[130, 2120], &[0]),
    (&[2041, 37], &[0]),
    (&[9, 600, 5], &[1]),
    (&[5000, 64], &[0]),
    (&[3001, 152], &[0]),
    (&[6, 3000, 24], &[1]),
    (&[30, 6, 120, 8], &[0, 2]),
];

/// For programs of two rows, of which the second one is shared: long ones, and columns.
pub(super) const SHARED: [Space; 4] = [
    (&[140, 16_400], &[1]),
    (&[70, 32_760], &[1]),
    (&[70, 32_768], &[1]),
    (&[5000, 64], &[0]),
];

/// Long rows of softmaxes, some of which are minus infinity or begin so.
pub(super) const MASKED_ROWS: Space = (&[70, 32_768], &[1]);

/// Columns of softmaxes, some of which are minus infinity or begin so: short and long ones.
pub(super) const MASKED: [Space; 2] = [(&[300, 40], &[0]), (&[5000, 64], &[0])];

/// For programs with sums over rows: rows that one warp has, and as many as a block has threads for, in one block and two.
pub(super) const COLUMNS: [Space; 4] = [
    (&[300, 256], &[1]),
    (&[600, 1000], &[1]),
    (&[30, 20, 4096], &[2]),
    (&[140, 5000], &[1]),
];
