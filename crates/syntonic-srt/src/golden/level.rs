//! The levels of correction: 1, and then multiples of powers of q from q³ up to qφ⁵.

use crate::constants::{PHI, Q};
use std::f64::consts::PI;

/// One level, `times q^q φ^phi π^pi / over`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name, such as `q/(6 pi)`.
    pub name: &'static str,
    /// The power of q.
    pub q: i32,
    /// The power of φ.
    pub phi: i32,
    /// The power of π.
    pub pi: i32,
    /// A whole factor.
    pub times: u32,
    /// A whole divisor.
    pub over: u32,
}

impl Level {
    /// Its value.
    ///
    /// ```
    /// use syntonic_srt::golden::LEVELS;
    ///
    /// assert_eq!(LEVELS[0].value(), 1.0);
    /// assert!(LEVELS[1..].windows(2).all(|pair| pair[0].value() < pair[1].value()));
    /// ```
    pub fn value(&self) -> f64 {
        let whole = f64::from(self.times) / f64::from(self.over);
        let powers = PHI.powi(self.phi) * PI.powi(self.pi);
        whole * powers * Q.powi(self.q)
    }
}

const fn level(name: &'static str, q: i32, phi: i32, pi: i32, times: u32, over: u32) -> Level {
    Level {
        name,
        q,
        phi,
        pi,
        times,
        over,
    }
}

/// q over a whole number.
const fn over(name: &'static str, n: u32) -> Level {
    level(name, 1, 0, 0, 1, n)
}

/// The 58 levels by their number, 0 to 57. After the first they grow.
pub const LEVELS: [Level; 58] = [
    level("1", 0, 0, 0, 1, 1),
    level("q^3", 3, 0, 0, 1, 1),
    over("q/1000", 1000),
    over("q/720", 720),
    over("q/360", 360),
    over("q/248", 248),
    over("q/240", 240),
    over("q/133", 133),
    over("q/126", 126),
    over("q/120", 120),
    level("q^2/phi^2", 2, -2, 0, 1, 1),
    over("q/78", 78),
    over("q/72", 72),
    over("q/63", 63),
    level("q^2/phi", 2, -1, 0, 1, 1),
    over("q/56", 56),
    over("q/52", 52),
    level("q^2", 2, 0, 0, 1, 1),
    over("q/36", 36),
    over("q/32", 32),
    over("q/30", 30),
    over("q/28", 28),
    over("q/27", 27),
    over("q/24", 24),
    level("q^2 phi", 2, 1, 0, 1, 1),
    level("q/(6 pi)", 1, 0, -1, 1, 6),
    over("q/18", 18),
    over("q/16", 16),
    level("q/(5 pi)", 1, 0, -1, 1, 5),
    over("q/14", 14),
    level("q/(4 pi)", 1, 0, -1, 1, 4),
    over("q/12", 12),
    level("q/phi^5", 1, -5, 0, 1, 1),
    level("q/(3 pi)", 1, 0, -1, 1, 3),
    over("q/9", 9),
    over("q/8", 8),
    over("q/7", 7),
    level("q/phi^4", 1, -4, 0, 1, 1),
    level("q/(2 pi)", 1, 0, -1, 1, 2),
    over("q/6", 6),
    level("q/phi^3", 1, -3, 0, 1, 1),
    over("q/4", 4),
    level("q/pi", 1, 0, -1, 1, 1),
    over("q/3", 3),
    level("q/phi^2", 1, -2, 0, 1, 1),
    over("q/2", 2),
    level("q/phi", 1, -1, 0, 1, 1),
    over("q", 1),
    level("q phi", 1, 1, 0, 1, 1),
    level("q phi^2", 1, 2, 0, 1, 1),
    level("3 q", 1, 0, 0, 3, 1),
    level("pi q", 1, 0, 1, 1, 1),
    level("4 q", 1, 0, 0, 4, 1),
    level("q phi^3", 1, 3, 0, 1, 1),
    level("6 q", 1, 0, 0, 6, 1),
    level("q phi^4", 1, 4, 0, 1, 1),
    level("8 q", 1, 0, 0, 8, 1),
    level("q phi^5", 1, 5, 0, 1, 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_and_are_what_their_names_say() {
        let mut values = LEVELS[1..].iter().map(Level::value);
        let mut last = values.next().unwrap();
        for (value, level) in values.zip(&LEVELS[2..]) {
            assert!(value > last, "{}", level.name);
            last = value;
        }
        for level in &LEVELS {
            let value = evaluate(level.name);
            assert!(
                (level.value() / value - 1.0).abs() < 8.0 * f64::EPSILON,
                "{}",
                level.name
            );
        }
    }

    /// The number that a name writes: factors, one of them over others.
    fn evaluate(name: &str) -> f64 {
        let product = |text: &str| text.split_whitespace().map(power).product::<f64>();
        match name.split_once('/') {
            Some((above, below)) => product(above) / product(below.trim_matches(['(', ')'])),
            None => product(name),
        }
    }

    fn power(text: &str) -> f64 {
        let (base, exponent) = text.split_once('^').unwrap_or((text, "1"));
        let base = match base {
            "q" => Q,
            "phi" => PHI,
            "pi" => PI,
            number => number.parse().unwrap(),
        };
        base.powi(exponent.parse().unwrap())
    }
}
