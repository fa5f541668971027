//! Probes for a CUDA driver (stub).
