//! What is in the stock: formulas by name, their types and spaces.

use syntonic_core::DType;

/// Where the elements of many rows lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Rows of so many elements, which are neighbours.
    Rows(usize),
    /// Columns of so many elements: neighbours are those of the next column.
    Columns(usize),
}

/// Formulas that have kernels in the stock for each of these types and spaces.
pub(super) struct Entry {
    pub(super) formulas: &'static [&'static str],
    pub(super) dtypes: &'static [DType],
    pub(super) spaces: &'static [Space],
}

const SINGLE: &[DType] = &[DType::F32];
const USUAL: &[DType] = &[DType::F32, DType::BF16];
const HALVES: &[DType] = &[DType::F32, DType::BF16, DType::F16];

/// Lengths of rows that models have.
const LENGTHS: &[Space] = &[
    Space::Rows(64),
    Space::Rows(128),
    Space::Rows(256),
    Space::Rows(512),
    Space::Rows(768),
    Space::Rows(1024),
    Space::Rows(2048),
    Space::Rows(4096),
    Space::Rows(8192),
];
const SOME_LENGTHS: &[Space] = &[
    Space::Rows(256),
    Space::Rows(512),
    Space::Rows(768),
    Space::Rows(1024),
    Space::Rows(2048),
    Space::Rows(4096),
];
const FEW_LENGTHS: &[Space] = &[
    Space::Rows(64),
    Space::Rows(256),
    Space::Rows(1024),
    Space::Rows(4096),
];
/// Batches, whose features lie side by side.
const BATCHES: &[Space] = &[
    Space::Columns(32),
    Space::Columns(64),
    Space::Columns(128),
    Space::Columns(256),
];

pub(super) const LIST: &[Entry] = &[
    Entry {
        formulas: &["SOFTMAX", "LOG_SOFTMAX", "LAYER_NORM", "rms_norm"],
        dtypes: HALVES,
        spaces: LENGTHS,
    },
    Entry {
        formulas: &["SOFTMAX", "LOG_SOFTMAX", "LAYER_NORM", "rms_norm"],
        dtypes: &[DType::F64],
        spaces: &[Space::Rows(256), Space::Rows(1024), Space::Rows(4096)],
    },
    Entry {
        formulas: &[
            "SOFTMAX_backward",
            "LAYER_NORM_backward",
            "rms_norm_backward",
            "normalize",
        ],
        dtypes: USUAL,
        spaces: LENGTHS,
    },
    Entry {
        formulas: &[
            "LAYER_NORM_PLAIN",
            "SYNTONIC_SOFTMAX",
            "WEIGHTED_backward",
            "golden_rms_norm",
            "golden_rms_norm_backward",
            "cosine_similarity",
            "entropy",
            "relative_entropy",
            "CATEGORICAL_KL_DIVERGENCE",
            "LOGSUMEXP",
            "NORM_2",
            "SYNTONY",
        ],
        dtypes: USUAL,
        spaces: SOME_LENGTHS,
    },
    Entry {
        formulas: &[
            "normalize_backward",
            "cosine_similarity_backward",
            "SOFTMAX_OR_ZERO",
            "SYNTONIC_SOFTMAX_OR_ZERO",
            "SYNTONIC_SOFTMAX_PROVIDED",
            "WEIGHTED_EACH_backward",
            "KL_DIVERGENCE",
            "ACCURACY",
            "EXPECTED_ACCURACY",
            "CYCLE",
            "CYCLE_NOISY",
        ],
        dtypes: SINGLE,
        spaces: FEW_LENGTHS,
    },
    // Of each mode and activation.
    Entry {
        formulas: &["phi_residual_layer_norm"],
        dtypes: USUAL,
        spaces: &[Space::Rows(1024), Space::Rows(4096)],
    },
    Entry {
        formulas: &[
            "BATCH_NORM",
            "BATCH_NORM_PLAIN",
            "BATCH_NORM_backward",
            "BATCH_NORM_PLAIN_backward",
        ],
        dtypes: USUAL,
        spaces: BATCHES,
    },
];
