//! How ranks find each other: rank 0 listens, and the others come to it.

use super::frame::Kind;
use super::reception::listen;
use super::secret::{NONCE, PROOF, Secret, Talk, nonce};
use super::wire::{Moved, Trouble, Wait, Wire};
use super::{Tcp, end_of, said};
use crate::error::{Error, Result};
use crate::group::End;
use crate::interrupt;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(super) const OP: &str = "group";
/// The longest that anybody says before all have come: a hello.
pub(super) const HELLO: usize = 16 + NONCE + PROOF;
/// How long somebody who comes may take to say who it is.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// The pause before another attempt to reach rank 0, and the longest attempt.
const PAUSE: Duration = Duration::from_millis(10);
const ATTEMPT: Duration = Duration::from_secs(1);
/// The variable of the environment that has the secret of a group.
pub const SECRET: &str = "SYNTONIC_GROUP_SECRET";
/// More ranks are a mistake.
const MOST: usize = 4096;

/// What a rank says, and what rank 0 says to it once all have come.
pub(super) const COMING: &str = "hello";
pub(super) const WELCOME: &str = "welcome";

/// Who meets where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// This rank's number, from 0.
    pub rank: usize,
    /// How many ranks there are.
    pub size: usize,
    /// The address of rank 0, a name or a number.
    pub address: String,
    /// The port at which it listens.
    pub port: u16,
    /// How long ranks wait for each other: here until all have come, and in each call while nothing moves.
    pub timeout: Duration,
    /// By what ranks know each other, the same on all of them. Without one the address has to be a loopback address.
    pub secret: Option<Secret>,
}

impl Meeting {
    /// The meeting that variables of the environment describe, see [`from_env`](crate::group::from_env); none in a world of one.
    pub(crate) fn from_variables(
        variable: impl Fn(&str) -> Option<String>,
        timeout: Duration,
    ) -> Result<Option<Meeting>> {
        if variable("RANK").is_none() && variable("WORLD_SIZE").is_none() {
            return Ok(None);
        }
        let text = |name: &str| {
            let absent = || {
                Error::value(
                    OP,
                    format!(
                        "{name} is not set, and RANK or WORLD_SIZE is; hint: start with torchrun, or set them all"
                    ),
                )
            };
            variable(name).ok_or_else(absent)
        };
        let whole = |name: &str| {
            let text = text(name)?;
            let refused =
                |_| Error::value(OP, format!("{name} is {text:?}, which is no whole number"));
            text.trim().parse::<usize>().map_err(refused)
        };
        let (rank, size) = (whole("RANK")?, whole("WORLD_SIZE")?);
        check(rank, size)?;
        if size == 1 {
            return Ok(None);
        }
        let ours = variable("SYNTONIC_MASTER_PORT").is_some();
        let port = whole(if ours {
            "SYNTONIC_MASTER_PORT"
        } else {
            "MASTER_PORT"
        })?;
        // There torchrun itself listens.
        let taken = !ours
            && variable("TORCHELASTIC_USE_AGENT_STORE")
                .is_some_and(|v| v.eq_ignore_ascii_case("true"));
        let port = u16::try_from(port + usize::from(taken))
            .map_err(|_| Error::value(OP, format!("port {port}: below 65536")))?;
        let secret = variable(SECRET).map(|secret| Secret::new(secret.trim()));
        Ok(Some(Meeting {
            rank,
            size,
            address: text("MASTER_ADDR")?,
            port,
            timeout,
            secret: secret.transpose()?,
        }))
    }

    pub(super) fn end(&self, rank: usize, what: impl Into<String>) -> Error {
        End::new(rank, what).error(OP, self.size)
    }

    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.address, self.port)
    }

    /// The addresses of rank 0: without a secret, none that others than this machine can reach.
    pub(super) fn addresses(&self) -> Result<Vec<SocketAddr>> {
        let found: Vec<SocketAddr> = match (self.address.as_str(), self.port).to_socket_addrs() {
            Ok(found) => found.collect(),
            Err(error) => {
                return Err(Error::value(
                    OP,
                    format!("{}: no address of that name: {error}", self.place()),
                ));
            }
        };
        let open = found
            .iter()
            .find(|address| !address.ip().to_canonical().is_loopback());
        if let (None, Some(open)) = (&self.secret, open) {
            let what = format!(
                "{} is {open}, which others can reach, and ranks have no secret; hint: give all ranks the same {SECRET}, such as what `openssl rand -hex 32` makes, or meet at 127.0.0.1",
                self.place()
            );
            return Err(Error::value(OP, what));
        }
        Ok(found)
    }
}

pub(super) fn check(rank: usize, size: usize) -> Result<()> {
    match rank < size && size <= MOST {
        true => Ok(()),
        false => Err(Error::value(
            OP,
            format!(
                "rank {rank} of {size}: ranks are from 0, below their number, which is {MOST} at most"
            ),
        )),
    }
}

impl Tcp {
    /// Meets the other ranks: returns once all have come.
    ///
    /// Errors: a rank that is none, and an address that others can reach where there is no secret; [`Error::Rank`] with the rank that did
    /// not come in time, that comes twice or has another number of ranks in mind, or with rank 0 where nobody can listen at the
    /// address, or does not have the secret; and [`Error::Interrupted`]. Who does not have the secret ends no start.
    ///
    /// ```
    /// use std::net::TcpListener;
    /// use std::time::Duration;
    /// use syntonic_core::group::{Group, Meeting, Secret, Tcp};
    /// use syntonic_core::prelude::*;
    ///
    /// let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    /// let meeting = move |rank| Meeting {
    ///     rank,
    ///     size: 2,
    ///     address: "127.0.0.1".to_owned(),
    ///     port: free,
    ///     timeout: Duration::from_secs(30),
    ///     secret: Some(Secret::new("c2b6d46ed4f44a5fb5a1b1a2c7f0e3d9").unwrap()),
    /// };
    /// let other = std::thread::spawn(move || Tcp::meet(&meeting(1))?.all_gather(b"b"));
    /// let all = Tcp::meet(&meeting(0))?.all_gather(b"a")?;
    /// assert_eq!(all, [b"a", b"b"]);
    /// assert_eq!(other.join().unwrap()?, all);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn meet(meeting: &Meeting) -> Result<Tcp> {
        check(meeting.rank, meeting.size)?;
        let wires = match (meeting.rank, meeting.size) {
            (0, 1) => Vec::new(),
            (0, _) => listen(meeting)?,
            _ => vec![reached(meeting)?],
        };
        Ok(Tcp::of(meeting.clone(), wires))
    }
}

/// Any other rank: comes to rank 0.
pub(super) fn reached(meeting: &Meeting) -> Result<Wire> {
    let mut wait = Wait::new();
    let late = |why: &str| {
        let seconds = meeting.timeout.as_secs_f64();
        meeting.end(0, format!("was not found at {} within {seconds} s: {why}; hint: look at MASTER_ADDR and MASTER_PORT", meeting.place()))
    };
    loop {
        let why = match reach(meeting)? {
            Ok(wire) => match welcome(meeting, wire, &mut wait)? {
                Some(wire) => return Ok(wire),
                // So many others came that there was no place for this one.
                None => "it closes the connection".to_owned(),
            },
            Err(error) => error.to_string(),
        };
        if wait.is_over(meeting.timeout) {
            return Err(late(&why));
        }
        thread::sleep(PAUSE);
        wait.turn(Moved::Some)?;
    }
}

/// Says who this rank is, and waits until all have come; nothing where the other side closes the connection before it knows.
fn welcome(meeting: &Meeting, mut wire: Wire, wait: &mut Wait) -> Result<Option<Wire>> {
    let mut talk = Talk {
        challenge: [0; NONCE],
        answer: nonce()?,
        rank: meeting.rank as u64,
        size: meeting.size as u64,
    };
    let secret = meeting.secret.as_ref();
    let mut said_hello = false;
    // The others may come as late as rank 0 allows; who listens there says at once what a rank has to answer.
    let began = Instant::now();
    let patience = said(meeting.timeout);
    loop {
        let pumped = wire.pump();
        match wire.take() {
            Some(message) if message.kind == Kind::Challenge && !said_hello => {
                let Ok(challenge) = message.body[..].try_into() else {
                    return Err(meeting.end(0, "does not speak as a rank of a group"));
                };
                talk.challenge = challenge;
                let proof = talk.proof(secret, COMING);
                let parts: [&[u8]; 4] = [
                    &talk.rank.to_le_bytes(),
                    &talk.size.to_le_bytes(),
                    &talk.answer,
                    &proof,
                ];
                wire.send(Kind::Hello, 0, Arc::new(parts.concat()));
                said_hello = true;
                continue;
            }
            Some(message) if message.kind == Kind::Welcome && said_hello => {
                if talk.is_proof(secret, WELCOME, &message.body) {
                    return Ok(Some(wire));
                }
                let what = format!(
                    "has another secret, or is none of ours; hint: give all ranks the same {SECRET}"
                );
                return Err(meeting.end(0, what));
            }
            Some(message) => {
                let end = end_of(&message, 0, meeting.size);
                return Err(meeting.end(end.rank, end.what));
            }
            None => {}
        }
        let moved = match pumped {
            Ok(moved) => moved,
            Err(Trouble::Closed) if !said_hello => return Ok(None),
            Err(trouble) => return Err(meeting.end(0, trouble.told()?)),
        };
        let silent = !said_hello && began.elapsed() > meeting.timeout.min(PATIENCE);
        if wait.is_over(patience) || silent || wire.excess().is_some() {
            let what = format!(
                "was not found: who listens at {} does not speak as a rank; hint: look at MASTER_ADDR and MASTER_PORT",
                meeting.place()
            );
            let late = "does not say welcome: some rank is late";
            return Err(meeting.end(0, if said_hello { late.to_owned() } else { what }));
        }
        wait.turn(moved)?;
    }
}

/// A connection to rank 0, or why there is none yet.
fn reach(meeting: &Meeting) -> Result<std::io::Result<Wire>> {
    interrupt::poll()?;
    let mut last = std::io::Error::from(ErrorKind::AddrNotAvailable);
    for address in meeting.addresses()? {
        let connected =
            TcpStream::connect_timeout(&address, ATTEMPT.min(meeting.timeout.max(PAUSE)));
        match connected.and_then(|stream| Ok((stream.local_addr()? == address, stream))) {
            // A port of one's own that is not listened at may reach itself.
            Ok((true, _)) => {}
            Ok((false, stream)) => return Ok(Wire::new(stream, HELLO)),
            Err(error) => last = error,
        }
    }
    Ok(Err(last))
}
