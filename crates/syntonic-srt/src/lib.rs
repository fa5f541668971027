//! The golden-ratio operators.
