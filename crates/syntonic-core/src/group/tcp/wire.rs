//! A connection to one other rank, which nothing waits for.

use super::frame::{Foreign, HEAD, Head, Kind, VERSION};
use crate::error::Error;
use crate::interrupt;
use crate::room;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that are read at once: memory grows with what has come, not with what a head says.
const PIECE: usize = 1 << 20;

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
    /// It says more than it may.
    TooLong(usize),
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
            Trouble::TooLong(len) => format!("sends {len} bytes where a word is due"),
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
    /// The longest body that may come.
    pub(super) longest: usize,
}

/// Whether bytes have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Some,
    Nothing,
}

impl Wire {
    /// A connection that takes words of `longest` bytes so far.
    pub(super) fn new(stream: TcpStream, longest: usize) -> std::io::Result<Wire> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        Ok(Wire {
            stream,
            coming: Vec::new(),
            head: None,
            ready: None,
            going: VecDeque::new(),
            gone: 0,
            longest,
        })
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
            let whole = HEAD + self.head.map_or(0, |head| head.len);
            let have = self.coming.len();
            let piece = PIECE.min(whole - have);
            room::grow(&mut self.coming, piece).map_err(Trouble::Ours)?;
            self.coming.resize(have + piece, 0);
            let found = self.stream.read(&mut self.coming[have..]);
            self.coming.truncate(have + *found.as_ref().unwrap_or(&0));
            match found {
                Ok(0) if piece > 0 => return Err(Trouble::Closed),
                Ok(_) => moved = Moved::Some,
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
            None => *self.head.insert(Head::of(bytes).map_err(Trouble::Foreign)?),
        };
        if head.len > self.longest {
            return Err(Trouble::TooLong(head.len));
        }
        if self.coming.len() == HEAD + head.len {
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
