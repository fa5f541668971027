//! Ranks that are processes, connected by TCP: each talks to rank 0.

mod frame;
mod meeting;
mod wire;

pub use meeting::Meeting;

use super::{End, Group, late};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::room;
use frame::{Kind, number};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use wire::{Message, Moved, Wait, Wire};

const OP: &str = "all_gather";
/// How long the end of the group is told to others who do not listen.
const FAREWELL: Duration = Duration::from_secs(1);

/// A rank among processes that are connected by TCP, one started for each rank.
///
/// Rank 0 listens at the address of the [`Meeting`], and nowhere else; whoever reaches that port may come, so it belongs on a network
/// of one's own. Every call goes through rank 0.
///
/// ```
/// use std::time::Duration;
/// use syntonic_core::group::{Group, Meeting, Tcp};
///
/// let free = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
/// let meeting = move |rank| Meeting {
///     rank,
///     size: 2,
///     address: "127.0.0.1".into(),
///     port: free,
///     timeout: Duration::from_secs(10),
/// };
/// let other = std::thread::spawn(move || Tcp::meet(&meeting(1))?.all_gather(b"one"));
/// let group = Tcp::meet(&meeting(0))?;
/// assert_eq!(group.all_gather(b"none")?, [&b"none"[..], b"one"]);
/// assert_eq!(other.join().unwrap()?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Tcp {
    meeting: Meeting,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Connections of rank 0 to ranks 1, 2, ..; that of any other to rank 0.
    wires: Vec<Wire>,
    /// The number of the next call.
    call: u64,
    end: Option<End>,
}

/// How long others wait for rank 0, which waits so long for them and then says who is late.
fn said(timeout: Duration) -> Duration {
    timeout + timeout.min(Duration::from_secs(5))
}

/// The end of the group that a message tells, or that it is because nothing else was due.
fn end_of(message: &Message, from: usize) -> End {
    match (message.kind, number(&message.body)) {
        (Kind::End, Some((rank, what))) => End::new(rank as usize, String::from_utf8_lossy(what)),
        (kind, _) => End::new(
            from,
            format!(
                "says {kind:?} of call {}, which was not due; hint: all ranks make the same calls",
                message.call
            ),
        ),
    }
}

/// Tells others the end of the group, as far as they listen.
fn tell<'a>(wires: impl Iterator<Item = &'a mut Wire>, call: u64, end: &End) {
    let mut body = (end.rank as u64).to_le_bytes().to_vec(); // few: a sentence.
    body.extend(end.what.as_bytes());
    let body = Arc::new(body);
    let mut wires: Vec<&mut Wire> = wires.collect();
    wires
        .iter_mut()
        .for_each(|wire| wire.send(Kind::End, call, body.clone()));
    let mut wait = Wait::new();
    while !wires.is_empty() && !wait.is_over(FAREWELL) {
        wires.retain_mut(|wire| {
            let pumped = wire.pump();
            // What they say is of no interest any more, and would keep them from hearing.
            drop(wire.take());
            pumped.is_ok() && !wire.is_idle()
        });
        // Told to the end, also where the caller was interrupted.
        let _ = wait.turn(Moved::Nothing);
    }
}

impl Tcp {
    fn of(meeting: Meeting, wires: Vec<Wire>) -> Tcp {
        Tcp {
            meeting,
            state: Mutex::new(State {
                wires,
                call: 1,
                end: None,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rank at the other end of a wire.
    fn other(&self, wire: usize) -> usize {
        match self.meeting.rank {
            0 => wire + 1,
            _ => 0,
        }
    }

    /// Ends the group: the others are told, but for the one who did it.
    fn end(&self, state: &mut State, end: End) -> Error {
        let call = state.call;
        let others = state
            .wires
            .iter_mut()
            .enumerate()
            .filter(|(k, _)| self.other(*k) != end.rank);
        tell(others.map(|(_, wire)| wire), call, &end);
        state.wires.clear();
        state.end.insert(end).error(OP, self.meeting.size)
    }

    /// As [`Tcp::end`], by this rank: what its own error says.
    fn end_by(&self, state: &mut State, error: Error) -> Error {
        let what = match &error {
            Error::Interrupted { .. } => "was interrupted".to_owned(),
            other => format!("gave up: {other}"),
        };
        self.end(state, End::new(self.meeting.rank, what));
        error
    }

    /// Rank 0: gathers the parts, and sends them to all.
    fn hub(&self, state: &mut State, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        let call = state.call;
        let timeout = self.meeting.timeout;
        let wires = state.wires.len();
        // few: ranks.
        let mut parts: Vec<Option<Vec<u8>>> = (0..wires).map(|_| None).collect();
        for wire in &mut state.wires {
            wire.send(Kind::Here, call, Arc::default());
        }
        let mut wait = Wait::new();
        while let Some(absent) = parts.iter().position(Option::is_none) {
            let mut moved = Moved::Nothing;
            for (k, part) in parts.iter_mut().enumerate() {
                let pumped = state.wires[k].pump();
                match (state.wires[k].take(), pumped) {
                    (Some(message), _) => {
                        let due =
                            part.is_none() && message.kind == Kind::Part && message.call == call;
                        if !due {
                            return Err(self.end(state, end_of(&message, k + 1)));
                        }
                        *part = Some(message.body);
                        moved = Moved::Some;
                    }
                    (None, Ok(Moved::Nothing)) => {}
                    (None, Ok(Moved::Some)) => moved = Moved::Some,
                    (None, Err(trouble)) => {
                        return Err(self.end(state, End::new(k + 1, trouble.told()?)));
                    }
                }
            }
            if wait.is_over(timeout) && parts[absent].is_none() {
                return Err(self.end(state, End::new(absent + 1, late(timeout))));
            }
            wait.turn(moved)?;
        }
        let mut all = room::empty(wires + 1)?;
        all.push(room::copied(bytes)?);
        all.extend(parts.into_iter().flatten());
        let whole = Arc::new(joined(&all)?);
        for wire in &mut state.wires {
            wire.send(Kind::Whole, call, whole.clone());
        }
        let mut wait = Wait::new();
        while let Some(busy) = state.wires.iter().position(|wire| !wire.is_idle()) {
            let mut moved = Moved::Nothing;
            for k in busy..wires {
                if state.wires[k].is_idle() {
                    continue;
                }
                let pumped = state.wires[k].pump();
                match (state.wires[k].take(), pumped) {
                    // It has not got all, so it can be in no other call.
                    (Some(message), _) if !state.wires[k].is_idle() => {
                        return Err(self.end(state, end_of(&message, k + 1)));
                    }
                    (Some(message), _) => state.wires[k].put_back(message),
                    (None, Ok(Moved::Nothing)) => {}
                    (None, Ok(Moved::Some)) => moved = Moved::Some,
                    (None, Err(trouble)) => {
                        return Err(self.end(state, End::new(k + 1, trouble.told()?)));
                    }
                }
            }
            if wait.is_over(timeout) {
                return Err(self.end(
                    state,
                    End::new(busy + 1, "does not take what all have brought"),
                ));
            }
            wait.turn(moved)?;
        }
        Ok(all)
    }

    /// Any other rank: sends its part, and gets all.
    fn spoke(&self, state: &mut State, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        let call = state.call;
        let patience = said(self.meeting.timeout);
        state.wires[0].send(Kind::Part, call, Arc::new(room::copied(bytes)?));
        let mut wait = Wait::new();
        loop {
            let pumped = state.wires[0].pump();
            match state.wires[0].take() {
                Some(message) if message.call == call && message.kind == Kind::Here => {
                    // It waits for others from now on.
                    wait = Wait::new();
                    continue;
                }
                Some(message) if message.call == call && message.kind == Kind::Whole => {
                    let refused = || End::new(0, "sent what are no parts");
                    return match parted(&message.body, self.meeting.size)? {
                        Some(all) => Ok(all),
                        None => Err(self.end(state, refused())),
                    };
                }
                Some(message) => {
                    let end = end_of(&message, 0);
                    if message.kind == Kind::End {
                        // Rank 0 knows.
                        state.wires.clear();
                    }
                    return Err(self.end(state, end));
                }
                None => {}
            }
            let moved = match pumped {
                Ok(moved) => moved,
                Err(trouble) => return Err(self.end(state, End::new(0, trouble.told()?))),
            };
            if wait.is_over(patience) {
                return Err(self.end(state, End::new(0, late(patience))));
            }
            wait.turn(moved)?;
        }
    }
}

/// All parts, each with its length before it.
fn joined(parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut whole = room::empty(parts.iter().map(|part| 8 + part.len()).sum())?;
    for part in parts {
        whole.extend((part.len() as u64).to_le_bytes());
        whole.extend(part);
    }
    Ok(whole)
}

/// What [`joined`] joined; nothing where it did not.
fn parted(whole: &[u8], size: usize) -> Result<Option<Vec<Vec<u8>>>> {
    let (mut all, mut rest) = (room::empty(size)?, whole);
    for _ in 0..size {
        let Some((len, after)) = number(rest) else {
            return Ok(None);
        };
        let Some((part, after)) = usize::try_from(len)
            .ok()
            .and_then(|len| after.split_at_checked(len))
        else {
            return Ok(None);
        };
        all.push(room::copied(part)?);
        rest = after;
    }
    Ok(rest.is_empty().then_some(all))
}

impl Group for Tcp {
    fn rank(&self) -> usize {
        self.meeting.rank
    }

    fn size(&self) -> usize {
        self.meeting.size
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        // Another thread's exchange may last as long as the group's patience.
        let mut state = interrupt::lock(&self.state)?;
        if let Some(end) = &state.end {
            return Err(end.error(OP, self.meeting.size));
        }
        let done = match self.meeting.rank {
            0 => self.hub(&mut state, bytes),
            _ => self.spoke(&mut state, bytes),
        };
        // What is no end of the group yet is one of our own.
        let all = done.map_err(|error| match state.end {
            Some(_) => error,
            None => self.end_by(&mut state, error),
        })?;
        state.call += 1;
        Ok(all)
    }

    fn abort(&self, why: &str) {
        let mut state = self.lock();
        if state.end.is_none() {
            self.end(&mut state, End::new(self.meeting.rank, why));
        }
    }

    fn check(&self) -> Result<()> {
        let mut state = self.lock();
        if let Some(end) = &state.end {
            return Err(end.error(OP, self.meeting.size));
        }
        for k in 0..state.wires.len() {
            let pumped = state.wires[k].pump();
            let ended = match state.wires[k].take() {
                Some(message) if message.kind == Kind::End => end_of(&message, self.other(k)),
                Some(message) => {
                    state.wires[k].put_back(message);
                    continue;
                }
                None => match pumped {
                    Ok(_) => continue,
                    Err(trouble) => End::new(self.other(k), trouble.told()?),
                },
            };
            return Err(self.end(&mut state, ended));
        }
        Ok(())
    }
}
