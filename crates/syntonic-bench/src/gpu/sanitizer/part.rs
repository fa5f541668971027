//! Neighbouring checks as a part of all.

use anyhow::{Context, Result, ensure};

/// Neighbours in the list of checks, so that several processes may share them: neighbours use the same kernels, and a process
/// loads only those of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part, from 1 on.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Part {
    /// All checks.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Which of `count` things are in it. Every one is in one part, and no two parts differ by more than one in length.
    pub(in crate::gpu) fn range(self, count: usize) -> std::ops::Range<usize> {
        let begin = |part: usize| part * count / self.of;
        begin(self.number - 1)..begin(self.number)
    }
}

impl std::str::FromStr for Part {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Part> {
        let (number, of) = text.split_once('/').context("a part is written 2/8")?;
        let (number, of) = (number.parse()?, of.parse()?);
        ensure!(
            (1..=of).contains(&number),
            "there is no part {number} of {of}"
        );
        Ok(Part { number, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_as_fractions() {
        assert_eq!("2/8".parse::<Part>().unwrap(), Part { number: 2, of: 8 });
        for wrong in ["", "2", "0/8", "9/8", "a/8", "1/0"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_are_neighbours_and_leave_nothing_out() {
        for (count, of) in [(0, 1), (5, 8), (64, 64), (983, 64), (10, 3)] {
            let parts = (1..=of).map(|number| Part { number, of }.range(count));
            let parts: Vec<_> = parts.collect();
            assert_eq!((parts[0].start, parts[of - 1].end), (0, count));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths = || parts.iter().map(|part| part.len());
            assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 1);
        }
    }
}
