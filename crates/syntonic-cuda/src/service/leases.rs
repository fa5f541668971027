//! The leases of a GPU that may be live, and what services leave behind for the next.

use super::lease::{Door, Engine, Leased};
use crate::context::Context;
use crate::context::gpu::Cuda;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::{self, CUresult};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use syntonic_core::fork::lock;
use syntonic_core::{Device, Result};

/// Page-locked memory and a stream, which no lease uses.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) memory: *mut u8,
    pub(super) bytes: usize,
    pub(super) stream: Arc<CudaStream>,
}

// SAFETY: the address is used by whoever took the place.
unsafe impl Send for Place {}

impl Place {
    /// Whether nothing that was launched on its stream still runs. Never waits.
    pub(super) fn is_over(&self, op: &'static str, context: &Context) -> Result<bool> {
        context.bind()?;
        // SAFETY: the context is current and the stream is alive.
        match unsafe { sys::cuStreamQuery(self.stream.cu_stream()) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => context.check(op, code).map(|()| true),
        }
    }
}

/// The services of one GPU.
#[derive(Debug, Default)]
pub(crate) struct Leases {
    doors: Mutex<Vec<Arc<Door>>>,
    open: AtomicUsize,
    /// Freeing page-locked memory waits for the whole GPU, so for the leases of others: it is kept for the next service.
    places: Mutex<Vec<Place>>,
}

impl Leases {
    /// Asks every lease to end as soon as it has nothing to do: for what is about to wait for the whole GPU. Their services begin others
    /// with their next requests. Never waits.
    pub(crate) fn ask_to_leave(&self) {
        if self.open.load(Ordering::Acquire) > 0 {
            lock(&self.doors)
                .iter()
                .for_each(|door| door.ask_to_leave());
        }
    }

    /// Notes a service.
    pub(super) fn enter(&self, door: &Arc<Door>) {
        let mut doors = lock(&self.doors);
        // few: one for each service.
        doors.push(door.clone());
        self.open.store(doors.len(), Ordering::Release);
    }

    /// Forgets it.
    pub(super) fn leave(&self, door: &Arc<Door>) {
        let mut doors = lock(&self.doors);
        doors.retain(|other| !Arc::ptr_eq(other, door));
        self.open.store(doors.len(), Ordering::Release);
    }

    /// A place of at least so many bytes that an earlier service left.
    pub(super) fn take(&self, bytes: usize) -> Option<Place> {
        let mut places = lock(&self.places);
        let fits = places.iter().position(|place| place.bytes >= bytes)?;
        Some(places.swap_remove(fits))
    }

    /// Keeps a place that no lease uses any more.
    pub(super) fn keep(&self, place: Place) {
        // few: one for each service that was there at the same time.
        lock(&self.places).push(place);
    }
}

/// Ends the leases of a service that is over, and gives back what they used; where one does not end, that is left alone.
pub(super) fn end<E: Engine>(leased: &mut Leased<E>, gpu: &Cuda, give_back: impl FnOnce(&mut E)) {
    let door = leased.door().clone();
    let over = leased.pause("drop").is_ok() && matches!(leased.engine().is_over(), Ok(true));
    gpu.context().leases.leave(&door);
    match over {
        true => give_back(leased.engine()),
        false => {
            tracing::error!(device = %gpu.id(), "a lease did not end, and its memory is left alone");
        }
    }
}
