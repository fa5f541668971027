//! The order of the lattice, decided in integers: no two elements are too close.

use super::Golden;
use std::cmp::Ordering;

/// By value: `a + b φ` as a real number. Equal elements have equal coefficients.
///
/// ```
/// use syntonic_srt::exact::Golden;
/// // 5 - 3φ = 0.1459 and 0: too close for a coarse float, never for integers.
/// assert!(Golden::new(5, -3) > Golden::ZERO);
/// assert!(Golden::new(-8, 5) > Golden::ZERO);
/// assert_eq!(Golden::PHI.max(Golden::ONE), Golden::PHI);
/// ```
impl Ord for Golden {
    fn cmp(&self, other: &Golden) -> Ordering {
        self.wide().compare(&other.wide())
    }
}

impl PartialOrd for Golden {
    fn partial_cmp(&self, other: &Golden) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Golden {
    /// -1, 0 or 1, as the real number `a + b φ` is.
    ///
    /// ```
    /// use syntonic_srt::exact::Golden;
    ///
    /// assert_eq!((Golden::new(-8, 5).signum(), Golden::ZERO.signum()), (1, 0));
    /// assert_eq!(Golden::new(8, -5).signum(), -1);
    /// ```
    pub fn signum(self) -> i32 {
        self.wide().sign() as i32
    }
}
