//! What the environment says about the cards.

use std::env;

use thiserror::Error;

use crate::machine::Checks;

/// Bytes of a card's memory where nothing else is said. Memory that nobody writes to costs the host nothing.
const MEMORY: usize = 16 << 30;
/// Processors of a card where nothing else is said. Grids that stay as long as there is work have some blocks for each
/// processor, so a card of the real size would have a hundred times the blocks for the same elements: most of them would
/// find nothing to do, and all of them are run by the few cores of the host.
const PROCESSORS: u32 = 8;

/// The cards to stand in for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Compute capability.
    pub(super) capability: (u32, u32),
    /// Processors of a card.
    pub(super) processors: u32,
    /// How many cards.
    pub(super) gpus: usize,
    /// Bytes of memory of a card.
    pub(super) memory: usize,
    /// Whether cards say that they reach each other's memory.
    pub(super) peers: bool,
    /// What is a fault besides what is one on every card.
    pub(super) checks: Checks,
    /// The file that faults are added to.
    pub(super) log: Option<String>,
}

/// A variable says something that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("SYNTONIC_SIMULATOR_{name}={value}: {wanted} is wanted")]
pub(super) struct Mistake {
    name: &'static str,
    value: String,
    wanted: &'static str,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            capability: (9, 0),
            processors: PROCESSORS,
            gpus: 1,
            memory: MEMORY,
            peers: false,
            checks: Checks::default(),
            log: None,
        }
    }
}

impl Settings {
    /// As the environment has it.
    pub(super) fn from_environment() -> Result<Settings, Mistake> {
        Settings::read(|name| env::var(format!("SYNTONIC_SIMULATOR_{name}")).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Settings, Mistake> {
        let mut settings = Settings::default();
        let set = |name: &'static str, wanted, take: &mut dyn FnMut(&str) -> Option<()>| {
            let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
                return Ok(());
            };
            take(&value).ok_or(Mistake {
                name,
                value,
                wanted,
            })
        };
        set("CAPABILITY", "7.5, 8.0 or 9.0", &mut |value| {
            settings.capability = capability(value)?;
            Some(())
        })?;
        set("PROCESSORS", "a number from 1 on", &mut |value| {
            settings.processors = value.parse().ok().filter(|n| (1..=1024).contains(n))?;
            Some(())
        })?;
        set("GPUS", "a number from 0 to 64", &mut |value| {
            settings.gpus = value.parse().ok().filter(|n| *n <= 64)?;
            Some(())
        })?;
        set("MEMORY", "bytes, such as 4G", &mut |value| {
            settings.memory = bytes(value)?;
            Some(())
        })?;
        set("PEERS", "yes or no", &mut |value| {
            settings.peers = yes(value)?;
            Some(())
        })?;
        set(
            "CHECKS",
            "init, race, proxy, or several with commas",
            &mut |value| {
                settings.checks = checks(value)?;
                Some(())
            },
        )?;
        settings.log = variable("LOG").filter(|path| !path.is_empty());
        Ok(settings)
    }
}

fn capability(text: &str) -> Option<(u32, u32)> {
    [("7.5", (7, 5)), ("8.0", (8, 0)), ("9.0", (9, 0))]
        .into_iter()
        .find_map(|(name, known)| (name == text).then_some(known))
}

fn bytes(text: &str) -> Option<usize> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

fn yes(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn checks(text: &str) -> Option<Checks> {
    let mut found = Checks::default();
    for word in text.split(',') {
        match word {
            "init" => found.init = true,
            "race" => found.race = true,
            "proxy" => found.proxy = true,
            "none" => {}
            _ => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, Mistake> {
        Settings::read(|name| {
            let found = pairs.iter().find(|pair| pair.0 == name);
            found.map(|pair| pair.1.to_owned())
        })
    }

    #[test]
    fn nothing_said_is_one_small_card() {
        assert_eq!(read(&[]), Ok(Settings::default()));
    }

    #[test]
    fn every_variable_is_heard() {
        let settings = read(&[
            ("CAPABILITY", "7.5"),
            ("PROCESSORS", "2"),
            ("GPUS", "3"),
            ("MEMORY", "2G"),
            ("PEERS", "yes"),
            ("CHECKS", "init,race,proxy"),
            ("LOG", "faults.txt"),
        ]);
        let wanted = Settings {
            capability: (7, 5),
            processors: 2,
            gpus: 3,
            memory: 2 << 30,
            peers: true,
            checks: Checks {
                init: true,
                race: true,
                proxy: true,
            },
            log: Some("faults.txt".to_owned()),
        };
        assert_eq!(settings, Ok(wanted));
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (name, value) in [
            ("CAPABILITY", "6.1"),
            ("PROCESSORS", "0"),
            ("GPUS", "many"),
            ("MEMORY", "12Q"),
            ("PEERS", "perhaps"),
            ("CHECKS", "speed"),
        ] {
            let text = read(&[(name, value)]).err().map(|m| m.to_string());
            assert!(text.is_some_and(|t| t.contains(name) && t.contains(value)));
        }
    }
}
