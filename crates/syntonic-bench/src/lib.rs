//! Benchmark cases.
