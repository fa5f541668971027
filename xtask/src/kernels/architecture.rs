//! What kernels are compiled for, and the oldest instruction set that can say it.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error, Result, bail};
use serde::{Deserialize, Serialize};

/// Every family has an image for each of these unless its first lines say otherwise.
pub(super) const EVERYWHERE: &[Architecture] = &[
    Architecture::onward(75),
    Architecture::onward(80),
    Architecture::onward(90),
];

/// A version of the PTX instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Isa {
    major: u32,
    minor: u32,
}

impl Isa {
    pub(super) const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Isa {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (major, minor) = text
            .split_once('.')
            .with_context(|| format!("`{text}` is no version"))?;
        Ok(Self::new(major.parse()?, minor.parse()?))
    }
}

/// A target of the compiler: `80` runs on 8.0 and everything newer, `90a` on exactly 9.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Architecture {
    pub(super) number: u32,
    /// Whether it uses what only this one has.
    pub(super) exact: bool,
}

impl Architecture {
    const fn onward(number: u32) -> Self {
        Self {
            number,
            exact: false,
        }
    }

    /// The version that its PTX claims. Up to 9.0 that is the oldest one that the drivers we support read; above, the first
    /// that knows the target.
    pub(super) fn floor(self) -> Isa {
        match self.number {
            ..100 => Isa::new(8, 3),
            100 => Isa::new(8, 6),
            _ => Isa::new(8, 7),
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.exact { "a" } else { "" })
    }
}

/// Those that the floor above was measured for.
const KNOWN: &[u32] = &[75, 80, 86, 89, 90, 100, 120];

impl FromStr for Architecture {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let plain = text.strip_prefix("sm_").unwrap_or(text);
        let digits = plain.strip_suffix('a').unwrap_or(plain);
        let exact = digits.len() < plain.len();
        match digits.parse() {
            Ok(number) if KNOWN.contains(&number) && (!exact || number >= 90) => {
                Ok(Self { number, exact })
            }
            _ => bail!(
                "`{text}` is none of the architectures {KNOWN:?}, from 90 on also with an `a`"
            ),
        }
    }
}

impl From<Architecture> for String {
    fn from(architecture: Architecture) -> Self {
        architecture.to_string()
    }
}

impl TryFrom<String> for Architecture {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for name in ["75", "80", "90", "90a", "100", "120a"] {
            assert_eq!(name.parse::<Architecture>().unwrap().to_string(), name);
            let long = format!("sm_{name}");
            assert_eq!(long.parse::<Architecture>().unwrap().to_string(), name);
        }
        for name in ["", "a", "70", "80a", "sm_", "sm_80a", "901"] {
            assert!(name.parse::<Architecture>().is_err(), "{name}");
        }
    }

    #[test]
    fn the_floor_rises_with_the_target() {
        let floor = |name: &str| name.parse::<Architecture>().unwrap().floor().to_string();
        assert_eq!(
            ["75", "90a", "100", "120"].map(floor),
            ["8.3", "8.3", "8.6", "8.7"]
        );
        assert!(Isa::new(8, 10) > Isa::new(8, 9));
        assert!("9".parse::<Isa>().is_err());
    }
}
