//! How ranks know each other: by a secret that all were given, and that nobody sends.
//!
//! ```text
//! rank 0   challenge   32 bytes that nobody has seen before
//! rank r   hello       r, the size of its world, 32 bytes of its own, proof("hello")
//! rank 0   welcome     proof("welcome"), once all have come
//!
//! proof(word) = HMAC-SHA256(secret; word | challenge | bytes of rank r | r | size)
//! ```
//!
//! So each side knows that the other has the secret, and what was once overheard is of no use at another start. What is said later is
//! neither encrypted nor signed.

use crate::error::{Error, Result};
use crate::room;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

use super::meeting::OP;

/// The fewest bytes of a secret.
const FEWEST: usize = 16;
/// Bytes of a challenge.
pub(super) const NONCE: usize = 32;
/// Bytes of a proof.
pub(super) const PROOF: usize = 32;

/// What all ranks of a group know, and nobody else: at least 16 bytes, best made at random for each start. It is never sent.
///
/// ```
/// use syntonic_core::group::Secret;
///
/// let secret = Secret::new("c2b6d46ed4f44a5fb5a1b1a2c7f0e3d9")?;
/// assert_eq!(format!("{secret:?}"), "Secret(..)");
/// assert!(Secret::new("short").is_err());
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// The secret of these bytes.
    ///
    /// # Errors
    /// [`Error::Value`] for fewer than 16 bytes: who has seen one start could try them all.
    ///
    /// ```
    /// use syntonic_core::group::Secret;
    ///
    /// assert!(Secret::new([7; 32]).is_ok() && Secret::new([7; 15]).is_err());
    /// ```
    pub fn new(bytes: impl AsRef<[u8]>) -> Result<Secret> {
        let bytes = bytes.as_ref();
        if bytes.len() < FEWEST {
            return Err(Error::value(
                OP,
                format!(
                    "a secret of {} bytes; hint: {FEWEST} at least, made at random, such as by `openssl rand -hex 32`",
                    bytes.len()
                ),
            ));
        }
        Ok(Secret(room::copied(bytes)?))
    }
}

/// Bytes that nobody has seen before.
pub(super) fn nonce() -> Result<[u8; NONCE]> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce)
        .map_err(|error| Error::value(OP, format!("the system gives no random bytes: {error}")))?;
    Ok(nonce)
}

/// What both sides of one connection agree on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Talk {
    pub(super) challenge: [u8; NONCE],
    pub(super) answer: [u8; NONCE],
    pub(super) rank: u64,
    pub(super) size: u64,
}

impl Talk {
    fn mac(&self, secret: Option<&Secret>, word: &str) -> Hmac<Sha256> {
        // Without a secret the proof shows no more than that the other side speaks as a rank.
        let key = secret.map_or(&b"syntonic"[..], |secret| &secret.0);
        // A shorter key is filled up, a longer one hashed.
        let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
            Ok(mac) => mac,
            Err(_) => unreachable!("a key of any length is one"),
        };
        for part in [
            b"syntonic group ",
            word.as_bytes(),
            &self.challenge,
            &self.answer,
            &self.rank.to_le_bytes(),
            &self.size.to_le_bytes(),
        ] {
            mac.update(part);
        }
        mac
    }

    /// The proof of who says `word`.
    pub(super) fn proof(&self, secret: Option<&Secret>, word: &str) -> [u8; PROOF] {
        self.mac(secret, word).finalize().into_bytes().into()
    }

    /// Whether it is that of somebody who has the secret. How long this takes does not tell what is wrong with it.
    pub(super) fn is_proof(&self, secret: Option<&Secret>, word: &str, proof: &[u8]) -> bool {
        self.mac(secret, word).verify_slice(proof).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_for_one_secret_one_word_and_one_talk() {
        let secret = Secret::new([1; 16]).unwrap();
        let talk = Talk {
            challenge: [2; NONCE],
            answer: [3; NONCE],
            rank: 1,
            size: 2,
        };
        let proof = talk.proof(Some(&secret), "hello");
        assert!(talk.is_proof(Some(&secret), "hello", &proof));
        let other = Secret::new([2; 16]).unwrap();
        for (secret, word, talk) in [
            (Some(&other), "hello", talk),
            (None, "hello", talk),
            (Some(&secret), "welcome", talk),
            (
                Some(&secret),
                "hello",
                Talk {
                    challenge: [4; NONCE],
                    ..talk
                },
            ),
            (
                Some(&secret),
                "hello",
                Talk {
                    answer: [4; NONCE],
                    ..talk
                },
            ),
            (Some(&secret), "hello", Talk { rank: 2, ..talk }),
            (Some(&secret), "hello", Talk { size: 3, ..talk }),
        ] {
            assert!(!talk.is_proof(secret, word, &proof));
        }
        assert!(!talk.is_proof(Some(&secret), "hello", &proof[1..]));
        assert_ne!(nonce().unwrap(), nonce().unwrap());
    }
}
