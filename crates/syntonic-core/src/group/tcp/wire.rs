//! A connection to one other rank, which nothing waits for.

use super::frame::{Foreign, HEAD, Head, Kind, VERSION};
use crate::error::Error;
use crate::fork::Home;
use crate::interrupt;
use crate::room;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that are read at once: memory grows with what has come, not with what a head says.
const PIECE: usize = 1 << 20;

/// The longest word: the end of another rank, in its own words.
pub(super) const WORD: usize = 1 << 16;

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) call: u64,
    pub(super) body: Vec<u8>,
}

/// Why a connection is of no use.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The other side is gone.
    Closed,
    /// It is none of ours, or speaks another version.
    Foreign(Foreign),
    /// The system's own words.
    Io(std::io::Error),
    /// Of our own: no memory.
    Ours(Error),
}

impl Trouble {
    /// What is said of the rank at the other end; an error of our own stays one.
    pub(super) fn told(self) -> crate::Result<String> {
        Ok(match self {
            Trouble::Closed => "died or left: its connection is closed".to_owned(),
            Trouble::Foreign(Foreign::Stranger) => "does not speak as a rank of a group".to_owned(),
            Trouble::Foreign(Foreign::Version(v)) => {
                format!(
                    "speaks version {v} of the group, and this rank version {VERSION}; hint: use one version of syntonic"
                )
            }
            Trouble::Io(error) => format!("cannot be reached: {error}"),
            Trouble::Ours(error) => return Err(error),
        })
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        match error.kind() {
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof
            | ErrorKind::NotConnected => Trouble::Closed,
            _ => Trouble::Io(error),
        }
    }
}

#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    /// The bytes of a message that have come.
    coming: Vec<u8>,
    head: Option<Head>,
    ready: Option<Message>,
    /// What goes out, and how far the first of it has gone.
    going: VecDeque<Arc<Vec<u8>>>,
    gone: usize,
    /// The longest body that is read; one that is longer is left where it is.
    longest: usize,
    /// When bytes came last, and when some went.
    heard: Instant,
    said: Instant,
    home: Home,
}

/// Whether bytes have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Some,
    Nothing,
}

impl Wire {
    /// A connection that reads bodies of `longest` bytes so far.
    pub(super) fn new(stream: TcpStream, longest: usize) -> std::io::Result<Wire> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let now = Instant::now();
        Ok(Wire {
            stream,
            coming: Vec::new(),
            head: None,
            ready: None,
            going: VecDeque::new(),
            gone: 0,
            longest,
            heard: now,
            said: now,
            home: Home::here(),
        })
    }

    /// From now on bodies of `longest` bytes are read, and what counts as silence begins.
    pub(super) fn expect(&mut self, longest: usize) {
        self.longest = longest;
        (self.heard, self.said) = (Instant::now(), Instant::now());
    }

    /// The length of a body that is not read because it is too long.
    pub(super) fn excess(&self) -> Option<usize> {
        self.head
            .map(|head| head.len)
            .filter(|&len| len > self.bound())
    }

    /// Words may always come.
    fn bound(&self) -> usize {
        match self.head.map(|head| head.kind) {
            Some(Kind::End) => self.longest.max(WORD),
            _ => self.longest,
        }
    }

    /// For how long nothing has come.
    pub(super) fn silence(&self) -> Duration {
        self.heard.elapsed()
    }

    /// For how long nothing has moved, either way.
    pub(super) fn stillness(&self) -> Duration {
        self.heard.max(self.said).elapsed()
    }

    /// For how long nothing was taken.
    pub(super) fn refusal(&self) -> Duration {
        self.said.elapsed()
    }

    /// Sends a message with the next [`Wire::pump`]s.
    pub(super) fn send(&mut self, kind: Kind, call: u64, body: Arc<Vec<u8>>) {
        let head = Head {
            kind,
            call,
            len: body.len(),
        };
        self.going.push_back(Arc::new(head.bytes().into()));
        if !body.is_empty() {
            self.going.push_back(body);
        }
    }

    /// Sends bytes that may be no message.
    #[cfg(test)]
    pub(super) fn send_raw(&mut self, bytes: Vec<u8>) {
        self.going.push_back(Arc::new(bytes));
    }

    /// Sends all parts as one message, each with its length before it.
    pub(super) fn send_parts(&mut self, call: u64, parts: &[Arc<Vec<u8>>]) {
        let head = Head {
            kind: Kind::Whole,
            call,
            len: parts.iter().map(|part| 8 + part.len()).sum(),
        };
        self.going.push_back(Arc::new(head.bytes().into()));
        for part in parts {
            let len = (part.len() as u64).to_le_bytes();
            self.going.push_back(Arc::new(len.into()));
            if !part.is_empty() {
                self.going.push_back(part.clone());
            }
        }
    }

    /// The message that has come.
    pub(super) fn take(&mut self) -> Option<Message> {
        self.ready.take()
    }

    /// As if a message had not been taken.
    pub(super) fn put_back(&mut self, message: Message) {
        self.ready = Some(message);
    }

    /// Whether all that was sent has gone.
    pub(super) fn is_idle(&self) -> bool {
        self.going.is_empty()
    }

    /// Reads what has come, up to the end of a message, and writes what may go.
    pub(super) fn pump(&mut self) -> Result<Moved, Trouble> {
        // What the other side has said at its end is read before a write finds it gone.
        let read = self.read()?;
        let written = match self.write() {
            Err(trouble) => {
                self.read()?;
                return match self.ready {
                    Some(_) => Ok(Moved::Some),
                    None => Err(trouble),
                };
            }
            Ok(written) => written,
        };
        Ok(match (read, written) {
            (Moved::Nothing, Moved::Nothing) => Moved::Nothing,
            _ => Moved::Some,
        })
    }

    fn read(&mut self) -> Result<Moved, Trouble> {
        let mut moved = Moved::Nothing;
        while self.ready.is_none() {
            if self.excess().is_some() {
                break;
            }
            let whole = HEAD.saturating_add(self.head.map_or(0, |head| head.len));
            let have = self.coming.len();
            let piece = PIECE.min(whole - have);
            room::grow(&mut self.coming, piece).map_err(Trouble::Ours)?;
            self.coming.resize(have + piece, 0);
            let found = self.stream.read(&mut self.coming[have..]);
            self.coming.truncate(have + *found.as_ref().unwrap_or(&0));
            match found {
                Ok(0) if piece > 0 => return Err(Trouble::Closed),
                Ok(_) => {
                    moved = Moved::Some;
                    self.heard = Instant::now();
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(moved),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e.into()),
            }
            self.understand()?;
        }
        Ok(moved)
    }

    /// Takes the head, and the message, that have come in whole.
    fn understand(&mut self) -> Result<(), Trouble> {
        let Some(bytes) = self.coming.first_chunk::<HEAD>() else {
            return Ok(());
        };
        let head = match self.head {
            Some(head) => head,
            None => {
                let head = *self.head.insert(Head::of(bytes).map_err(Trouble::Foreign)?);
                if self.excess().is_none() {
                    // Whether there is room is known before the bytes come; it is used as they do.
                    room::more(&mut self.coming, head.len).map_err(Trouble::Ours)?;
                }
                head
            }
        };
        if self.coming.len() == HEAD.saturating_add(head.len) {
            let mut body = std::mem::take(&mut self.coming);
            body.drain(..HEAD);
            self.head = None;
            let (kind, call) = (head.kind, head.call);
            self.ready = Some(Message { kind, call, body });
        }
        Ok(())
    }

    fn write(&mut self) -> Result<Moved, Trouble> {
        let mut moved = Moved::Nothing;
        while let Some(first) = self.going.front() {
            match self.stream.write(&first[self.gone..]) {
                Ok(0) => return Err(Trouble::Closed),
                Ok(n) => {
                    moved = Moved::Some;
                    self.said = Instant::now();
                    self.gone += n;
                    if self.gone == first.len() {
                        self.gone = 0;
                        self.going.pop_front();
                    }
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(moved)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // The other side hears of it also where a forked child still has the connection; a child does not end its parent's.
        if !self.home.is_elsewhere() {
            let _ = self.stream.shutdown(Shutdown::Write);
        }
    }
}

/// Waiting for what others do: awake at first, then asleep for a part of the time that has passed.
#[derive(Debug)]
pub(super) struct Wait {
    began: Instant,
    quiet: Instant,
}

const AWAKE: Duration = Duration::from_micros(50);
const LONGEST: Duration = Duration::from_millis(1);

impl Wait {
    pub(super) fn new() -> Wait {
        let now = Instant::now();
        Wait {
            began: now,
            quiet: now,
        }
    }

    /// Whether so much time has passed.
    pub(super) fn is_over(&self, timeout: Duration) -> bool {
        self.began.elapsed() > timeout
    }

    /// Passes some time, if nothing has moved. An error where the caller wants no more.
    pub(super) fn turn(&mut self, moved: Moved) -> interrupt::Outcome {
        match moved {
            Moved::Some => self.quiet = Instant::now(),
            Moved::Nothing => match self.quiet.elapsed() {
                passed if passed < AWAKE => thread::yield_now(),
                passed => thread::sleep((passed / 8).min(LONGEST)),
            },
        }
        interrupt::poll()
    }
}
