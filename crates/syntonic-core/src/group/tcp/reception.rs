//! Rank 0 receives those who come: ranks take their places, all others are sent away.

use super::end_of;
use super::frame::{Foreign, Kind, number};
use super::meeting::{COMING, HELLO, Meeting, PATIENCE, SECRET, WELCOME};
use super::secret::{NONCE, PROOF, Secret, Talk, nonce};
use super::wire::{Message, Moved, Trouble, Wait, Wire};
use crate::error::{Error, Result};
use crate::group::End;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Instant;

/// Visitors who have not said who they are; of more, the one that came first has to leave, and may come again.
const VISITORS: usize = 64;

/// Rank 0: waits for all others.
pub(super) fn listen(meeting: &Meeting) -> Result<Vec<Wire>> {
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
    let mut come: Vec<Option<Member>> = (1..meeting.size).map(|_| None).collect();
    let outcome = gathered(meeting, &listener, &mut come);
    let mut members: Vec<Member> = come.into_iter().flatten().collect();
    if let Err(error) = outcome {
        let end = match &error {
            Error::Rank { rank, what, .. } => End::new(*rank, what.clone()),
            other => End::new(0, other.to_string()),
        };
        super::tell(members.iter_mut().map(|(wire, _)| wire), 0, &end);
        return Err(error);
    }
    for (wire, talk) in &mut members {
        let proof = talk.proof(meeting.secret.as_ref(), WELCOME);
        wire.send(Kind::Welcome, 0, Arc::new(proof.into()));
    }
    let mut wires: Vec<Wire> = members.into_iter().map(|(wire, _)| wire).collect();
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

/// A rank that has shown that it is one, and how.
type Member = (Wire, Talk);

/// Somebody who has come, and has not said who it is.
struct Visitor {
    wire: Wire,
    challenge: [u8; NONCE],
    since: Instant,
}

impl Visitor {
    fn new(stream: TcpStream) -> Result<Option<Visitor>> {
        let Ok(mut wire) = Wire::new(stream, HELLO) else {
            return Ok(None);
        };
        let challenge = nonce()?;
        wire.send(Kind::Challenge, 0, Arc::new(challenge.into()));
        let since = Instant::now();
        Ok(Some(Visitor {
            wire,
            challenge,
            since,
        }))
    }

    /// Who it is, once it has said so.
    fn answer(&mut self, secret: Option<&Secret>) -> Answer {
        let pumped = self.wire.pump();
        let Some(hello) = self.wire.take() else {
            let late = self.since.elapsed() > PATIENCE || self.wire.excess().is_some();
            return match pumped {
                Err(Trouble::Foreign(Foreign::Version(version))) => Answer::Version(version),
                Err(_) => Answer::Stranger,
                Ok(_) if late => Answer::Stranger,
                Ok(_) => Answer::None,
            };
        };
        match self.talk(&hello) {
            None => Answer::Stranger,
            Some((talk, proof)) if talk.is_proof(secret, COMING, proof) => Answer::Rank(talk),
            Some(_) => Answer::Wrong,
        }
    }

    /// What a hello says, and its proof.
    fn talk<'a>(&self, hello: &'a Message) -> Option<(Talk, &'a [u8])> {
        let (rank, rest) = number(&hello.body)?;
        let (size, rest) = number(rest)?;
        let (answer, proof) = rest.split_first_chunk::<NONCE>()?;
        let talk = Talk {
            challenge: self.challenge,
            answer: *answer,
            rank,
            size,
        };
        (hello.kind == Kind::Hello && proof.len() == PROOF).then_some((talk, proof))
    }
}

/// What a visitor turns out to be.
enum Answer {
    /// It has not said all yet.
    None,
    Rank(Talk),
    /// It speaks as a rank, and has another secret or none.
    Wrong,
    /// It speaks another version.
    Version(u16),
    Stranger,
}

/// Those who were sent away, to be told where a rank does not come.
#[derive(Default)]
struct SentAway {
    wrong: usize,
    version: Option<u16>,
}

impl SentAway {
    fn told(&self) -> String {
        let mut told = String::new();
        if self.wrong > 0 {
            let count = self.wrong;
            told += &format!(
                "; {count} came with another secret; hint: give all ranks the same {SECRET}"
            );
        }
        if let Some(version) = self.version {
            let trouble = Trouble::Foreign(Foreign::Version(version)).told();
            told += &format!("; one came that {}", trouble.unwrap_or_default());
        }
        told
    }
}

fn gathered(meeting: &Meeting, listener: &TcpListener, come: &mut [Option<Member>]) -> Result<()> {
    let secret = meeting.secret.as_ref();
    let mut visitors: Vec<Visitor> = Vec::new();
    let mut sent_away = SentAway::default();
    let mut wait = Wait::new();
    while come.iter().any(Option::is_none) {
        let mut moved = Moved::Nothing;
        // So many at most in one turn: those who came before are heard between.
        for _ in 0..VISITORS {
            let Ok((stream, _)) = listener.accept() else {
                break;
            };
            moved = Moved::Some;
            if visitors.len() == VISITORS {
                visitors.remove(0);
            }
            visitors.extend(Visitor::new(stream)?);
        }
        let mut k = 0;
        while k < visitors.len() {
            match visitors[k].answer(secret) {
                Answer::None => {
                    k += 1;
                    continue;
                }
                Answer::Rank(talk) => {
                    let mut wire = visitors.remove(k).wire;
                    match place(meeting, come, talk) {
                        Ok(place) => *place = Some((wire, talk)),
                        Err(error) => {
                            // The one who is wrong here hears it, too.
                            if let Error::Rank { rank, what, .. } = &error {
                                super::tell(
                                    [&mut wire].into_iter(),
                                    0,
                                    &End::new(*rank, what.clone()),
                                );
                            }
                            return Err(error);
                        }
                    }
                }
                Answer::Wrong => {
                    sent_away.wrong += 1;
                    let mut visitor = visitors.remove(k);
                    // One word, if it goes at once.
                    let end = End::new(
                        0,
                        format!("has another secret; hint: give all ranks the same {SECRET}"),
                    );
                    super::said_once(&mut visitor.wire, &end);
                }
                Answer::Version(version) => {
                    sent_away.version = Some(version);
                    visitors.remove(k);
                }
                // Whoever else comes by is no rank.
                Answer::Stranger => drop(visitors.remove(k)),
            }
            moved = Moved::Some;
        }
        for (k, member) in come.iter_mut().enumerate() {
            let Some((wire, _)) = member else { continue };
            if let Err(trouble) = wire.pump() {
                return Err(meeting.end(k + 1, trouble.told()?));
            }
            if let Some(message) = wire.take() {
                let end = end_of(&message, k + 1, meeting.size);
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
                    "did not come to {} within {seconds} s; absent: {absent:?}{}",
                    meeting.place(),
                    sent_away.told()
                ),
            ));
        }
        wait.turn(moved)?;
    }
    Ok(())
}

/// The place of a rank that has come.
fn place<'a>(
    meeting: &Meeting,
    come: &'a mut [Option<Member>],
    talk: Talk,
) -> Result<&'a mut Option<Member>> {
    let rank = usize::try_from(talk.rank).unwrap_or(usize::MAX);
    if talk.size != meeting.size as u64 {
        let what = format!(
            "was started in a world of {} ranks, and rank 0 in one of {}; hint: look at WORLD_SIZE",
            talk.size, meeting.size
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
