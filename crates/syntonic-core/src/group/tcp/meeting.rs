//! How ranks find each other: rank 0 listens, and the others come to it.

use super::frame::{Foreign, Kind, number};
use super::wire::{Message, Moved, Trouble, Wait, Wire};
use super::{Tcp, end_of, said};
use crate::error::{Error, Result};
use crate::group::End;
use crate::interrupt;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(super) const OP: &str = "group";
/// The longest word before all have come: the end of another rank, in its own words.
const WORD: usize = 1 << 16;
/// How long somebody who comes may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause before another attempt to reach rank 0, and the longest attempt.
const PAUSE: Duration = Duration::from_millis(10);
const ATTEMPT: Duration = Duration::from_secs(1);
/// More ranks are a mistake.
const MOST: usize = 4096;

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
    /// How long ranks wait for each other, here and in each call.
    pub timeout: Duration,
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
        Ok(Some(Meeting {
            rank,
            size,
            address: text("MASTER_ADDR")?,
            port,
            timeout,
        }))
    }

    fn end(&self, rank: usize, what: impl Into<String>) -> Error {
        End::new(rank, what).error(OP, self.size)
    }

    fn place(&self) -> String {
        format!("{}:{}", self.address, self.port)
    }

    fn addresses(&self) -> Result<Vec<SocketAddr>> {
        match (self.address.as_str(), self.port).to_socket_addrs() {
            Ok(found) => Ok(found.collect()),
            Err(error) => Err(Error::value(
                OP,
                format!("{}: no address of that name: {error}", self.place()),
            )),
        }
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
    /// Errors: a rank that is none, [`Error::Rank`] with the rank that did not come in time, that speaks another version, that comes
    /// twice or has another number of ranks in mind, or with rank 0 where nobody can listen at the address; and
    /// [`Error::Interrupted`].
    ///
    /// ```
    /// use std::net::TcpListener;
    /// use std::time::Duration;
    /// use syntonic_core::group::{Group, Meeting, Tcp};
    /// use syntonic_core::prelude::*;
    ///
    /// let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    /// let meeting = move |rank| Meeting {
    ///     rank,
    ///     size: 2,
    ///     address: "127.0.0.1".to_owned(),
    ///     port: free,
    ///     timeout: Duration::from_secs(30),
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
            _ => vec![come(meeting)?],
        };
        Ok(Tcp::of(meeting.clone(), wires))
    }
}

/// Rank 0: waits for all others.
fn listen(meeting: &Meeting) -> Result<Vec<Wire>> {
    let refused = |error: std::io::Error| {
        let hint = match error.kind() {
            ErrorKind::AddrInUse => {
                "; hint: choose another port with MASTER_PORT or SYNTONIC_MASTER_PORT"
            }
            _ => "",
        };
        meeting.end(
            0,
            format!("cannot listen at {}: {error}{hint}", meeting.place()),
        )
    };
    let listener = TcpListener::bind(&meeting.addresses()?[..]).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    // few: ranks.
    let mut come: Vec<Option<Wire>> = (1..meeting.size).map(|_| None).collect();
    let mut unknown: Vec<(Wire, Instant)> = Vec::new();
    let outcome = gathered(meeting, &listener, &mut come, &mut unknown);
    let mut wires: Vec<Wire> = come.into_iter().flatten().collect();
    if let Err(error) = outcome {
        // Also those who are not let in hear why.
        wires.extend(unknown.into_iter().map(|(wire, _)| wire));
        let end = match &error {
            Error::Rank { rank, what, .. } => End::new(*rank, what.clone()),
            other => End::new(0, other.to_string()),
        };
        super::tell(wires.iter_mut(), 0, &end);
        return Err(error);
    }
    wires.iter_mut().for_each(|wire| {
        wire.longest = usize::MAX;
        wire.send(Kind::Welcome, 0, Arc::default());
    });
    // A short word to those who listen: it goes at once.
    let mut wait = Wait::new();
    while let Some(k) = wires.iter().position(|wire| !wire.is_idle()) {
        if let Err(trouble) = wires[k].pump() {
            return Err(meeting.end(k + 1, trouble.told()?));
        }
        if wait.is_over(meeting.timeout) {
            return Err(meeting.end(k + 1, "does not hear that all have come"));
        }
        wait.turn(Moved::Nothing)?;
    }
    Ok(wires)
}

fn gathered(
    meeting: &Meeting,
    listener: &TcpListener,
    come: &mut [Option<Wire>],
    unknown: &mut Vec<(Wire, Instant)>,
) -> Result<()> {
    let mut wait = Wait::new();
    while come.iter().any(Option::is_none) {
        let mut moved = Moved::Nothing;
        while let Ok((stream, _)) = listener.accept() {
            moved = Moved::Some;
            if let Ok(wire) = Wire::new(stream, WORD) {
                unknown.push((wire, Instant::now()));
            }
        }
        let mut k = 0;
        while k < unknown.len() {
            let (wire, since) = &mut unknown[k];
            let pumped = wire.pump();
            let hello = wire.take();
            let late = since.elapsed() > PATIENCE;
            match (hello, pumped) {
                (Some(hello), _) => {
                    let place = place(meeting, come, &hello)?;
                    *place = Some(unknown.remove(k).0);
                }
                (None, Err(Trouble::Foreign(Foreign::Version(version)))) => {
                    let trouble = Trouble::Foreign(Foreign::Version(version));
                    return Err(meeting.end(0, format!("has a visitor that {}", trouble.told()?)));
                }
                // Whoever else comes by is no rank.
                (None, pumped) if pumped.is_err() || late => drop(unknown.remove(k)),
                _ => k += 1,
            }
        }
        for (k, wire) in come.iter_mut().enumerate() {
            if let Some(Err(trouble)) = wire.as_mut().map(Wire::pump) {
                return Err(meeting.end(k + 1, trouble.told()?));
            }
            if let Some(message) = wire.as_mut().and_then(Wire::take) {
                let end = end_of(&message, k + 1);
                return Err(meeting.end(end.rank, end.what));
            }
        }
        let absent: Vec<usize> = (1..meeting.size)
            .filter(|&r| come[r - 1].is_none())
            .collect();
        if wait.is_over(meeting.timeout) && !absent.is_empty() {
            let seconds = meeting.timeout.as_secs_f64();
            return Err(meeting.end(
                absent[0],
                format!(
                    "did not come to {} within {seconds} s; absent: {absent:?}",
                    meeting.place()
                ),
            ));
        }
        wait.turn(moved)?;
    }
    Ok(())
}

/// The place of whom a hello is from.
fn place<'a>(
    meeting: &Meeting,
    come: &'a mut [Option<Wire>],
    hello: &Message,
) -> Result<&'a mut Option<Wire>> {
    let numbers = number(&hello.body)
        .and_then(|(rank, rest)| Some((rank as usize, number(rest)?.0 as usize)));
    let (Kind::Hello, Some((rank, size))) = (hello.kind, numbers) else {
        return Err(meeting.end(0, "has a visitor that does not say who it is"));
    };
    if size != meeting.size {
        let what = format!(
            "was started in a world of {size} ranks, and rank 0 in one of {}; hint: look at WORLD_SIZE",
            meeting.size
        );
        return Err(meeting.end(rank, what));
    }
    match rank.checked_sub(1).and_then(|k| come.get_mut(k)) {
        Some(free) if free.is_none() => Ok(free),
        Some(_) => Err(meeting.end(
            rank,
            "came twice; hint: give every process a RANK of its own",
        )),
        None => Err(meeting.end(
            rank,
            "is there twice, or none of these; hint: give every process a RANK of its own",
        )),
    }
}

/// Any other rank: comes to rank 0.
fn come(meeting: &Meeting) -> Result<Wire> {
    let mut wait = Wait::new();
    let late = |why: &str| {
        let seconds = meeting.timeout.as_secs_f64();
        meeting.end(0, format!("was not found at {} within {seconds} s: {why}; hint: look at MASTER_ADDR and MASTER_PORT", meeting.place()))
    };
    let mut wire = loop {
        let why = match reach(meeting)? {
            Ok(wire) => break wire,
            Err(error) => error,
        };
        if wait.is_over(meeting.timeout) {
            return Err(late(&why.to_string()));
        }
        thread::sleep(PAUSE);
        wait.turn(Moved::Some)?;
    };
    let who: Vec<u8> = [meeting.rank, meeting.size]
        .iter()
        .flat_map(|&n| (n as u64).to_le_bytes())
        .collect();
    wire.send(Kind::Hello, 0, Arc::new(who));
    // The others may come as late as rank 0 allows.
    let patience = said(meeting.timeout);
    loop {
        let pumped = wire.pump();
        match wire.take() {
            Some(Message {
                kind: Kind::Welcome,
                ..
            }) => break,
            Some(message) => {
                let end = end_of(&message, 0);
                return Err(meeting.end(end.rank, end.what));
            }
            None => {}
        }
        let moved = match pumped {
            Ok(moved) => moved,
            Err(trouble) => return Err(meeting.end(0, trouble.told()?)),
        };
        if wait.is_over(patience) {
            return Err(late("it does not say welcome"));
        }
        wait.turn(moved)?;
    }
    wire.longest = usize::MAX;
    Ok(wire)
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
            Ok((false, stream)) => return Ok(Wire::new(stream, WORD)),
            Err(error) => last = error,
        }
    }
    Ok(Err(last))
}
