//! What the threads that ask a queue share: areas, numbers, and the lease.

use super::super::error::ServiceError;
use super::super::lease::{Door, Leased, Turn, Waiting};
use super::super::settings::Settings;
use super::super::{Result, leases};
use super::engine::Launcher;
use super::programs::{Entry, GRAIN, Input, Programs};
use super::request::Argument;
use super::ring::{Move, Ring};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, Weak};
use syntonic_core::fork::{Home, lock};
use syntonic_core::{DType, DeviceId, Error, Tensor, describe};

pub(super) const OP: &str = "queue";

/// An area of a request, and those of the requests that it reads from.
#[derive(Debug)]
pub(super) struct Area {
    /// What has areas that nobody waits for, so it does not live by them.
    pub(super) shared: Weak<Shared>,
    pub(super) number: u64,
    pub(super) area: u32,
    pub(super) needs: Vec<Arc<Area>>,
}

/// An area that nobody waits for any more, and that the device may still write to.
#[derive(Debug)]
struct Left {
    number: u64,
    area: u32,
    _needs: Vec<Arc<Area>>,
}

#[derive(Debug, Default)]
pub(super) struct Claims {
    free: Vec<u32>,
    left: Vec<Left>,
}

/// What a queue and its requests have together.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) programs: Arc<Programs>,
    pub(super) ring: Ring,
    pub(super) claims: Mutex<Claims>,
    /// Whoever posts holds it: numbers are posted in their order.
    pub(super) posting: Mutex<()>,
    /// The number of the next request.
    pub(super) next: Arc<AtomicU64>,
    pub(super) answered: AtomicU64,
    pub(super) door: Arc<Door>,
    pub(super) leased: Mutex<Leased<Launcher>>,
    pub(super) device: DeviceId,
    pub(super) settings: Settings,
    pub(super) lanes: usize,
    /// Where the results of the first area are on the card.
    pub(super) mirrors: u64,
    /// The process whose lease it is.
    pub(super) home: Home,
}

impl Claims {
    pub(super) fn of(areas: usize) -> Claims {
        Claims {
            free: (0..areas as u32).collect(), // few: entries of a ring.
            left: Vec::new(),
        }
    }
}

/// The tensors that are sent, in memory, and the requests that the operands are results of.
pub(super) fn check(
    shared: &Arc<Shared>,
    entry: &Entry,
    operands: &[Argument<'_>],
) -> Result<(Vec<Tensor>, Vec<Arc<Area>>)> {
    let wanted = entry.inputs.iter().filter_map(|input| match input {
        Input::Spec(shape, dtype, _) => Some((shape, *dtype)),
        Input::Kept(_) => None,
    });
    let count = wanted.clone().count();
    if count != operands.len() {
        let text = format!(
            "{} takes {count} operands with each request, {} were given; hint: those that are kept are not given",
            entry.frame.name,
            operands.len()
        );
        return Err(Error::value(OP, text).into());
    }
    let (mut tensors, mut needs) = (Vec::new(), Vec::new()); // few: operands of a program.
    for (operand, (shape, dtype)) in operands.iter().zip(wanted) {
        match operand {
            Argument::Tensor(tensor) => {
                if tensor.device_id() != DeviceId::Cpu {
                    let operands = describe(&[tensor]);
                    return Err(Error::Device { op: OP, operands }.into());
                }
                fits(
                    &entry.frame.name,
                    tensor.shape(),
                    tensor.dtype(),
                    shape,
                    dtype,
                )?;
                tensors.push(tensor.contiguous()?.eval()?);
            }
            Argument::Result(request, which) => {
                if !Arc::ptr_eq(&request.shared, shared) {
                    let text =
                        "an operand is a result of another queue; hint: wait for it, and send it";
                    return Err(Error::value(OP, text).into());
                }
                let of = &shared.programs.all[request.program].frame;
                let Some(&k) = of.outputs.get(*which) else {
                    let text = format!(
                        "{} has {} results, and result {which} of it is an operand",
                        of.name,
                        of.outputs.len()
                    );
                    return Err(Error::value(OP, text).into());
                };
                let (given, of) = &of.results[k];
                fits(&entry.frame.name, given, *of, shape, dtype)?;
                needs.push(request.area.clone());
            }
        }
    }
    Ok((tensors, needs))
}

fn fits(name: &str, shape: &[usize], dtype: DType, wanted: &[usize], of: DType) -> Result<()> {
    if shape == wanted && dtype == of {
        return Ok(());
    }
    let text = format!(
        "{name} was registered for {of} {wanted:?}, and is given {dtype} {shape:?}; hint: register it for these, too"
    );
    Err(Error::value(OP, text).into())
}

impl Shared {
    /// An error where nothing is taken any more.
    pub(super) fn check(&self) -> Result<()> {
        match self.door.is_poisoned() {
            true => Err(ServiceError::Poisoned {
                op: OP,
                device: self.device,
            }),
            false => Ok(()),
        }
    }

    pub(super) fn turn(&self, waiting: &Waiting) -> Result<()> {
        self.go_on()?;
        match waiting.turn() {
            Ok(Turn::Again) => Ok(()),
            Ok(Turn::Late) => Err(ServiceError::Busy {
                op: OP,
                device: self.device,
                waited: self.settings.deadline,
            }),
            Err(interrupted) => Err(Error::from(interrupted).named(OP).into()),
        }
    }

    /// An area that nobody has.
    pub(super) fn claim(&self) -> Option<u32> {
        let mut claims = lock(&self.claims);
        if let Some(area) = claims.free.pop() {
            return Some(area);
        }
        let over = claims
            .left
            .extract_if(.., |left| self.ring.is_answered(left.number));
        // few: ENTRIES.
        let over: Vec<Left> = over.collect();
        claims.free.extend(over.iter().map(|left| left.area));
        let area = claims.free.pop();
        // What they read from may be given back in turn, by this thread.
        drop(claims);
        drop(over);
        area
    }

    /// Begins a lease where none runs.
    pub(super) fn go_on(&self) -> Result<()> {
        if !self.door.has_ended() {
            return Ok(());
        }
        let mut leased = lock(&self.leased);
        self.check()?;
        match self.door.has_ended() {
            true => Ok(leased.begin(0)?),
            false => Ok(()),
        }
    }

    /// Where the results of an area are on the card.
    pub(super) fn mirror(&self, area: u32) -> u64 {
        self.mirrors + (area as usize * self.ring.sizes.results) as u64
    }

    /// How results of other requests come into the arguments.
    pub(super) fn moves(&self, entry: &Entry, operands: &[Argument<'_>]) -> Vec<Move> {
        let moves = operands.iter().zip(entry.sent());
        let moves = moves.filter_map(|(operand, (bytes, at))| match operand {
            Argument::Tensor(_) => None,
            Argument::Result(request, which) => {
                let of = &self.programs.all[request.program];
                let place = of.places[of.frame.outputs[*which]];
                Some(Move {
                    from: self.mirror(request.area.area) + place as u64,
                    needs: request.area.number,
                    to: at as u32,
                    bytes: bytes.next_multiple_of(GRAIN) as u32,
                })
            }
        });
        moves.collect() // few: operands of a program.
    }

    /// Writes what is sent into the arguments of a request, whose entry is its own.
    pub(super) fn write(
        &self,
        number: u64,
        entry: &Entry,
        operands: &[Argument<'_>],
        tensors: &[Tensor],
    ) -> Result<()> {
        let places = operands.iter().zip(entry.sent());
        let sent = places.filter(|(operand, _)| matches!(operand, Argument::Tensor(_)));
        for (tensor, (_, (bytes, at))) in tensors.iter().zip(sent) {
            let offset = tensor.layout().offset() * tensor.dtype().size();
            let from = tensor.buffer()?.address().wrapping_add(offset);
            let to = self.ring.arguments(number).wrapping_add(at);
            // SAFETY: the tensor is row-major with as many bytes, and the entry is this request's, with room for the program's arguments.
            unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
        }
        Ok(())
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        let needs = std::mem::take(&mut self.needs);
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let mut claims = lock(&shared.claims);
        if self.number == 0 || shared.ring.is_answered(self.number) {
            claims.free.push(self.area);
            drop(claims);
            // Each of them takes the lock.
            drop(needs);
        } else {
            claims.left.push(Left {
                number: self.number,
                area: self.area,
                _needs: needs,
            });
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The lease is the parent's, and so is what it uses.
        if self.home.is_elsewhere() {
            return;
        }
        let leased = self.leased.get_mut();
        let leased = leased.unwrap_or_else(std::sync::PoisonError::into_inner);
        leases::end(leased, &self.programs.gpu, Launcher::give_back);
    }
}
