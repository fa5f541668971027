//! Lane kernels: one primitive over a short contiguous block, in the widest instructions the
//! processor has.

/// A kernel over `n` contiguous lanes: `out[i] = f(a[i], b[i], c[i])`; unused operands are null.
///
/// # Safety
/// Every used pointer must be valid for `n` elements of its type (no alignment is required to be
/// more than the element's own), and `out` must not overlap an operand unless it is exactly it.
pub type LaneFn = unsafe fn(out: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: usize);
