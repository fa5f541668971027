//! The one driver of a process: its cards, and everything that has a handle.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::code::Code;
use super::context::Context;
use super::event::Event;
use super::exports::Answer;
use super::function::Function;
use super::graph::Graph;
use super::handles::Table;
use super::model::Model;
use super::module::Loaded;
use super::settings::Settings;
use super::stream::Stream;
use crate::machine::Card;
use crate::memory::Memory;

/// A card.
#[derive(Debug)]
pub(super) struct Device {
    /// Its number.
    pub(super) ordinal: usize,
    /// The card as the machine knows it.
    pub(super) card: Card,
    /// Its memory.
    pub(super) memory: Memory,
    /// Held while it works: a card does one thing at a time.
    pub(super) work: Mutex<()>,
    /// Bytes of its memory that are given out.
    used: Mutex<usize>,
    /// Bytes of its memory.
    pub(super) total: usize,
}

/// The driver.
#[derive(Debug, Default)]
pub(super) struct Driver {
    pub(super) settings: Settings,
    pub(super) devices: Vec<Device>,
    pub(super) contexts: Table<Context>,
    pub(super) streams: Table<Stream>,
    pub(super) events: Table<Event>,
    pub(super) modules: Table<Loaded>,
    pub(super) functions: Table<Function>,
    pub(super) graphs: Table<Graph>,
    /// Graphs that can be launched.
    pub(super) ready: Table<Graph>,
    /// Host memory that the driver gave: where it begins, and its bytes.
    pub(super) pinned: Mutex<BTreeMap<u64, usize>>,
    /// Memory that cards and host share, in the same way.
    pub(super) managed: Mutex<BTreeMap<u64, usize>>,
}

static DRIVER: OnceLock<Result<Driver, Code>> = OnceLock::new();

/// Makes the driver ready, as the environment has it. Later calls change nothing.
pub(super) fn start() -> Answer {
    DRIVER
        .get_or_init(begin)
        .as_ref()
        .map(|_| ())
        .map_err(|code| *code)
}

/// The driver, if it was made ready.
pub(super) fn driver() -> Answer<&'static Driver> {
    DRIVER
        .get()
        .ok_or(Code::NotInitialized)?
        .as_ref()
        .map_err(|code| *code)
}

fn begin() -> Result<Driver, Code> {
    let settings = Settings::from_environment().map_err(|mistake| {
        eprintln!("simulator: {mistake}");
        Code::OperatingSystem
    })?;
    let model = Model::of(settings.capability).ok_or(Code::OperatingSystem)?;
    if settings.gpus == 0 {
        return Err(Code::NoDevice);
    }
    let devices = (0..settings.gpus).map(|ordinal| Device::new(ordinal, model, &settings));
    Ok(Driver {
        devices: devices.collect(),
        settings,
        ..Driver::default()
    })
}

impl Driver {
    /// A card by its number in C.
    pub(super) fn device(&self, ordinal: i32) -> Answer<&Device> {
        let found = usize::try_from(ordinal)
            .ok()
            .and_then(|k| self.devices.get(k));
        found.ok_or(Code::InvalidDevice)
    }

    /// The model of all cards.
    pub(super) fn model(&self) -> Answer<Model> {
        Model::of(self.settings.capability).ok_or(Code::InvalidDevice)
    }

    /// Host memory that the driver gave.
    pub(super) fn pinned(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory that cards and host share.
    pub(super) fn managed(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.managed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Device {
    /// Whether it says that it reaches the memory of another card.
    pub(super) fn reaches(&self, other: &Device) -> bool {
        let told = driver().is_ok_and(|driver| driver.settings.peers);
        told && self.ordinal != other.ordinal
    }

    fn new(ordinal: usize, model: Model, settings: &Settings) -> Device {
        Device {
            ordinal,
            card: Card {
                capability: model.capability,
                processors: settings.processors,
                shared_per_block_optin: model.shared_optin as u32,
                checks: settings.checks,
            },
            memory: Memory::new(),
            work: Mutex::default(),
            used: Mutex::default(),
            total: settings.memory,
        }
    }

    /// Waits for the card and keeps others from it.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn used(&self) -> MutexGuard<'_, usize> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that nobody has.
    pub(super) fn left(&self) -> usize {
        self.total - *self.used()
    }

    /// New memory.
    pub(super) fn allocate(&self, bytes: usize) -> Answer<u64> {
        if bytes == 0 {
            return Err(Code::InvalidValue);
        }
        let mut used = self.used();
        let after = used.checked_add(bytes).filter(|sum| *sum <= self.total);
        let after = after.ok_or(Code::OutOfMemory)?;
        match self.memory.allocate(bytes) {
            // The host has less than the card should have.
            0 => Err(Code::OutOfMemory),
            address => {
                *used = after;
                Ok(address)
            }
        }
    }

    /// Takes memory back.
    pub(super) fn free(&self, address: u64) -> Answer {
        let block = self.memory.size_of(address);
        let (_, bytes) = block.filter(|b| b.0 == address).ok_or(Code::InvalidValue)?;
        if !self.memory.free(address) {
            return Err(Code::InvalidValue);
        }
        *self.used() -= bytes;
        Ok(())
    }

    /// Whether a range lies in one block of this card's memory.
    pub(super) fn holds(&self, address: u64, bytes: usize) -> bool {
        let block = self.memory.size_of(address);
        block.is_some_and(|(start, length)| (address - start) as usize + bytes <= length)
    }
}
