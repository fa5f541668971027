//! One generator that many threads draw from.

use super::Generator;
use crate::fork::{Locked, lock};
use std::sync::Mutex;

/// Where draws get their elements from: a [`Generator`] of one's own, or one that is shared.
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_core::random::Source;
///
/// let mut generator = Generator::new(7);
/// let taken = generator.take(10); // for ten numbers
/// assert_eq!((taken, generator.offset), (Generator::new(7), 10));
/// generator.put_back(taken, 10); // they were not drawn
/// assert_eq!(generator, Generator::new(7));
/// ```
pub trait Source {
    /// Takes `n` elements for one draw alone: the generator as it was before them.
    fn take(&mut self, n: usize) -> Generator;

    /// Puts back the `n` elements that `taken` began with, for a draw that failed. Where others have drawn since, they
    /// stay taken.
    fn put_back(&mut self, taken: Generator, n: usize);
}

impl Source for Generator {
    fn take(&mut self, n: usize) -> Generator {
        let before = *self;
        self.advance(n);
        before
    }

    fn put_back(&mut self, taken: Generator, _: usize) {
        *self = taken;
    }
}

/// A [`Generator`] behind a lock, which is held only to take the next elements: draws themselves run side by side, and
/// no element is drawn twice.
#[derive(Debug)]
pub struct SharedGenerator(Mutex<Generator>);

impl SharedGenerator {
    /// Shares `generator` from where it is.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::random::SharedGenerator;
    ///
    /// static GENERATOR: SharedGenerator = SharedGenerator::new(Generator::new(7));
    /// let x = Tensor::rand(&[10], DType::F32, &mut &GENERATOR)?;
    /// assert_eq!((x.numel(), GENERATOR.state().offset), (10, 10));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub const fn new(generator: Generator) -> SharedGenerator {
        SharedGenerator(Mutex::new(generator))
    }

    /// Seed and offset as they are now.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::random::SharedGenerator;
    ///
    /// let shared = SharedGenerator::new(Generator::new(7));
    /// assert_eq!(shared.state(), Generator::new(7));
    /// ```
    pub fn state(&self) -> Generator {
        *self.lock()
    }

    /// Changes seed, offset or both in one step.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::random::SharedGenerator;
    ///
    /// let shared = SharedGenerator::new(Generator::new(7));
    /// shared.update(|generator| *generator = Generator::new(8));
    /// assert_eq!(shared.state().seed, 8);
    /// ```
    pub fn update(&self, change: impl FnOnce(&mut Generator)) {
        change(&mut self.lock());
    }

    fn lock(&self) -> Locked<'_, Generator> {
        lock(&self.0)
    }
}

impl Source for &SharedGenerator {
    fn take(&mut self, n: usize) -> Generator {
        self.lock().take(n)
    }

    fn put_back(&mut self, taken: Generator, n: usize) {
        let mut now = self.lock();
        let mut after = taken;
        after.advance(n);
        if *now == after {
            *now = taken;
        }
    }
}
