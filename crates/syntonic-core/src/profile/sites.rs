//! Where in the user's program the engine was called.

use std::cell::RefCell;

thread_local! {
    static SITE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work` as called from `site`, such as `train.py:12`: launches and memory are recorded with it.
///
/// ```
/// use syntonic_core::profile::{site, with_site};
///
/// let inside = with_site("train.py:12".to_owned(), site);
/// assert_eq!(inside.as_deref(), Some("train.py:12"));
/// ```
pub fn with_site<T>(site: String, work: impl FnOnce() -> T) -> T {
    struct Restore(Option<String>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SITE.replace(self.0.take());
        }
    }
    let _restore = Restore(SITE.replace(Some(site)));
    work()
}

/// Where this thread was called from, if anybody said so.
///
/// ```
/// use syntonic_core::profile::site;
///
/// assert_eq!(site(), None);
/// ```
pub fn site() -> Option<String> {
    SITE.with_borrow(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_place_counts_and_goes() {
        let inner = with_site("a.py:1".to_owned(), || {
            let inner = with_site("b.py:2".to_owned(), site);
            assert_eq!(site().as_deref(), Some("a.py:1"));
            inner
        });
        assert_eq!(inner.as_deref(), Some("b.py:2"));
        assert_eq!(site(), None);
    }
}
