//! Order: sorting, selecting, searching and counting.
//!
//! One order everywhere: numbers ascend, `-0.0` equals `0.0`, NaN comes last whatever the direction,
//! complex numbers compare by real part and then imaginary part, with NaN parts last as NumPy has
//! it. `false` comes before `true`.

mod count;
mod quantile;
mod radix;
mod rank;
mod search;
mod sort;
mod topk;
mod unique;

pub use count::{BINCOUNT, bincount};
pub use quantile::{Method, median, quantile, quantiles};
pub(crate) use radix::radix_sort;
#[doc(hidden)]
pub use radix::sort_by;
pub use rank::Direction;
pub use search::{Membership, SEARCH_SORTED, Side, isin, searchsorted};
pub use sort::{ARGSORT, SORT, argsort, sort};
pub use topk::{Extreme, Ranked, TOPK, topk};
pub use unique::{UNIQUE_GROUPS, Unique, unique};

#[cfg(test)]
mod tests;
