//! Ranks that are processes, connected by TCP: each talks to rank 0.

mod frame;
mod meeting;
mod reception;
mod secret;
mod wire;

pub use meeting::{Meeting, SECRET};
pub use secret::Secret;

use super::{End, Group, OP, check_length, excess, late};
use crate::error::{Error, Result};
use crate::fork::{Home, Turn, Turned};
use crate::room;
use frame::{Kind, number, shown};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::{Message, Moved, Wait, Wire};

/// What an error calls a group of processes.
const GROUP: &str = "this group";
/// How long the end of the group is told to others who do not listen.
const FAREWELL: Duration = Duration::from_secs(1);

/// A rank among processes that are connected by TCP, one started for each rank.
///
/// Rank 0 listens at the address of the [`Meeting`], and nowhere else. Ranks know each other by the meeting's [`Secret`]: whoever else
/// comes to the port is sent away, however many they are, and takes no rank's place. A rank knows rank 0 by it, too.
/// Without a secret only an address of this very machine is taken, where whoever speaks as a rank may come. What ranks say is neither
/// encrypted nor signed: who can read what goes between them can read the data, and who can change it can change them; on such a
/// network use a tunnel. Every call goes through rank 0.
///
/// Times are of silence: as long as bytes move, a call may take as long as it needs.
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
///     secret: None,
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
    state: Turn<State>,
    /// The process whose connections these are.
    home: Home,
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
fn end_of(message: &Message, from: usize, size: usize) -> End {
    match (message.kind, number(&message.body)) {
        (Kind::End, Some((rank, what))) => {
            let rank = usize::try_from(rank).ok().filter(|&rank| rank < size);
            End::new(rank.unwrap_or(from), shown(what))
        }
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
    let mut body = (end.rank as u64).to_le_bytes().to_vec(); // few: a word.
    // Half a letter at the end is shown as one that is none.
    body.extend(end.what.bytes().take(wire::WORD - 8));
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

/// Tells somebody the end, if it can be told at once.
fn said_once(wire: &mut Wire, end: &End) {
    let mut body = (end.rank as u64).to_le_bytes().to_vec(); // few: a sentence.
    body.extend(end.what.as_bytes());
    wire.send(Kind::End, 0, Arc::new(body));
    let _ = wire.pump();
}

impl Tcp {
    fn of(meeting: Meeting, wires: Vec<Wire>) -> Tcp {
        Tcp {
            meeting,
            state: Turn::new(State {
                wires,
                call: 1,
                end: None,
            }),
            home: Home::here(),
        }
    }

    fn take(&self, op: &'static str) -> Result<Turned<'_, State>> {
        self.home.check(op, GROUP)?;
        self.state.take(op, GROUP)
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
    fn hub(&self, state: &mut State, bytes: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        let (call, size) = (state.call, self.meeting.size);
        let timeout = self.meeting.timeout;
        let wires = state.wires.len();
        let mine = Arc::new(room::copied(bytes)?);
        // few: ranks.
        let mut parts: Vec<Option<Arc<Vec<u8>>>> = (0..wires).map(|_| None).collect();
        for wire in &mut state.wires {
            wire.expect(most);
            wire.send(Kind::Here, call, Arc::default());
        }
        let mut told = Instant::now();
        let mut wait = Wait::new();
        while parts.iter().any(Option::is_none) {
            let mut moved = Moved::Nothing;
            // Others hear nothing else while the parts of some are on their way.
            let again = told.elapsed() > timeout / 4;
            if again {
                told = Instant::now();
            }
            for (k, part) in parts.iter_mut().enumerate() {
                if again && state.wires[k].is_idle() {
                    state.wires[k].send(Kind::Here, call, Arc::default());
                }
                let pumped = state.wires[k].pump();
                if part.is_none()
                    && let Some(len) = state.wires[k].excess()
                {
                    return Err(self.end(state, End::new(k + 1, excess(len, most))));
                }
                match (state.wires[k].take(), pumped) {
                    (Some(message), _) => {
                        let due =
                            part.is_none() && message.kind == Kind::Part && message.call == call;
                        if !due {
                            return Err(self.end(state, end_of(&message, k + 1, size)));
                        }
                        *part = Some(Arc::new(message.body));
                        moved = Moved::Some;
                    }
                    (None, Ok(Moved::Nothing)) => {}
                    (None, Ok(Moved::Some)) => moved = Moved::Some,
                    (None, Err(trouble)) => {
                        return Err(self.end(state, End::new(k + 1, trouble.told()?)));
                    }
                }
                if part.is_none() && state.wires[k].silence() > timeout {
                    return Err(self.end(state, End::new(k + 1, late(timeout))));
                }
            }
            wait.turn(moved)?;
        }
        let all: Vec<Arc<Vec<u8>>> = [Some(mine)].into_iter().chain(parts).flatten().collect(); // few: ranks.
        for wire in &mut state.wires {
            wire.expect(most);
            wire.send_parts(call, &all);
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
                        return Err(self.end(state, end_of(&message, k + 1, size)));
                    }
                    (Some(message), _) => state.wires[k].put_back(message),
                    (None, Ok(Moved::Nothing)) => {}
                    (None, Ok(Moved::Some)) => moved = Moved::Some,
                    (None, Err(trouble)) => {
                        return Err(self.end(state, End::new(k + 1, trouble.told()?)));
                    }
                }
                if !state.wires[k].is_idle() && state.wires[k].refusal() > timeout {
                    let end = End::new(k + 1, "does not take what all have brought");
                    return Err(self.end(state, end));
                }
            }
            wait.turn(moved)?;
        }
        // All wires have let go of them.
        let whole = all.into_iter().map(|part| match Arc::try_unwrap(part) {
            Ok(part) => Ok(part),
            Err(shared) => room::copied(&shared),
        });
        room::gathered(whole)
    }

    /// Any other rank: sends its part, and gets all.
    fn spoke(&self, state: &mut State, bytes: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        let (call, size) = (state.call, self.meeting.size);
        let patience = said(self.meeting.timeout);
        let longest = most.saturating_add(8).saturating_mul(size);
        state.wires[0].expect(longest);
        state.wires[0].send(Kind::Part, call, Arc::new(room::copied(bytes)?));
        let mut wait = Wait::new();
        loop {
            let pumped = state.wires[0].pump();
            if let Some(len) = state.wires[0].excess() {
                return Err(self.end(state, End::new(0, excess(len, longest))));
            }
            match state.wires[0].take() {
                // It waits for others.
                Some(message) if message.call == call && message.kind == Kind::Here => continue,
                Some(message) if message.call == call && message.kind == Kind::Whole => {
                    let refused = || End::new(0, "sent what are no parts");
                    return match parted(&message.body, size, most)? {
                        Some(all) => Ok(all),
                        None => Err(self.end(state, refused())),
                    };
                }
                Some(message) => {
                    let end = end_of(&message, 0, size);
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
            if state.wires[0].stillness() > patience {
                return Err(self.end(state, End::new(0, late(patience))));
            }
            wait.turn(moved)?;
        }
    }
}

/// The parts that [`Wire::send_parts`] sent; nothing where it did not.
fn parted(whole: &[u8], size: usize, most: usize) -> Result<Option<Vec<Vec<u8>>>> {
    let (mut all, mut rest) = (room::empty(size)?, whole);
    for _ in 0..size {
        let Some((len, after)) = number(rest) else {
            return Ok(None);
        };
        let Some((part, after)) = usize::try_from(len)
            .ok()
            .filter(|&len| len <= most)
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
        self.all_gather_within(bytes, usize::MAX)
    }

    fn all_gather_within(&self, bytes: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        check_length(bytes, most)?;
        let mut state = self.take(OP)?;
        if let Some(end) = &state.end {
            return Err(end.error(OP, self.meeting.size));
        }
        let done = match self.meeting.rank {
            0 => self.hub(&mut state, bytes, most),
            _ => self.spoke(&mut state, bytes, most),
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
        let Ok(mut state) = self.take("abort") else {
            return;
        };
        if state.end.is_none() {
            self.end(&mut state, End::new(self.meeting.rank, why));
        }
    }

    fn check(&self) -> Result<()> {
        let mut state = self.take("check")?;
        if let Some(end) = &state.end {
            return Err(end.error(OP, self.meeting.size));
        }
        for k in 0..state.wires.len() {
            let pumped = state.wires[k].pump();
            let ended = match state.wires[k].take() {
                Some(message) if message.kind == Kind::End => {
                    end_of(&message, self.other(k), self.meeting.size)
                }
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

#[cfg(test)]
mod tests;
