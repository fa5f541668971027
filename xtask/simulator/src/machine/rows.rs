//! Rows of registers: the values that 32 lanes hold.

use super::context::Context;
use super::op::{NONE, POOL};
use crate::ptx::Kind;

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;
/// A mask of all of them.
pub(crate) const ALL: u32 = u32::MAX;

/// 64 bytes that start at a multiple of 64.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; 64]);

/// So many bytes of zeros.
pub(crate) fn lines(bytes: usize) -> Box<[Line]> {
    vec![Line([0; 64]); bytes.div_ceil(64)].into_boxed_slice()
}

/// A value that a lane's register holds.
///
/// # Safety
///
/// Every pattern of bits has to be a value of it, and `KIND` has to name its width.
pub(crate) unsafe trait Lane: Copy + Default + 'static {
    /// How wide it is.
    const KIND: Kind;
}

macro_rules! lanes {
    ($($kind:ident: $($type:ty)*;)*) => {
        $($(
            // SAFETY: numbers have no invalid bits, and the lists below sort them by width.
            unsafe impl Lane for $type {
                const KIND: Kind = Kind::$kind;
            }
        )*)*
    };
}
lanes! {
    Half: u16 i16;
    Word: u32 i32 f32;
    Double: u64 i64 f64;
}

/// A row that is read lane by lane, in place.
#[derive(Clone, Copy)]
pub(crate) struct Row<T>(*const T);

impl<T: Lane> Row<T> {
    /// What a lane has.
    #[inline(always)]
    pub(crate) fn at(self, lane: usize) -> T {
        debug_assert!(lane < LANES);
        // SAFETY: `Context::row` made this of a whole row; no reference to it is alive where lanes are read.
        unsafe { self.0.add(lane).read() }
    }
}

/// Where rows lie: the registers of the warp that runs, and the constants of its code.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    registers: *mut u8,
    pool: *const u8,
}

impl Rows {
    /// Rows of a warp. Both have to outlive the use of the result.
    pub(crate) fn new(registers: &mut [Line], pool: &[Line]) -> Self {
        Self {
            registers: registers.as_mut_ptr().cast(),
            pool: pool.as_ptr().cast(),
        }
    }

    /// No rows at all.
    pub(crate) fn none() -> Self {
        Self {
            registers: std::ptr::null_mut(),
            pool: std::ptr::null(),
        }
    }
}

impl Context {
    /// The row at `at`, to be read before anything is put there.
    #[inline(always)]
    pub(crate) fn row<T: Lane>(&self, at: u32) -> Row<T> {
        let base = if at & POOL == 0 {
            self.rows.registers.cast_const()
        } else {
            self.rows.pool
        };
        // SAFETY: the emitter takes offsets from the allocator, which sizes registers and pool and aligns rows.
        Row(unsafe { base.add((at & !POOL) as usize).cast::<T>() })
    }

    /// The values of the row at `at`.
    #[inline(always)]
    pub(crate) fn get<T: Lane>(&self, at: u32) -> [T; LANES] {
        // SAFETY: as for `row`.
        unsafe { self.row::<T>(at).0.cast::<[T; LANES]>().read() }
    }

    /// Sets the row at `at` for the lanes that run.
    #[inline(always)]
    pub(crate) fn put<T: Lane>(&mut self, at: u32, value: [T; LANES]) {
        // SAFETY: as for `get`; constants are never results.
        let row = unsafe { &mut *self.rows.registers.add(at as usize).cast::<[T; LANES]>() };
        if self.mask == ALL {
            // In halves, which the compiler copies without a call.
            let (low, high) = row.split_at_mut(LANES / 2);
            low.copy_from_slice(&value[..LANES / 2]);
            high.copy_from_slice(&value[LANES / 2..]);
        } else {
            for lane in 0..LANES {
                row[lane] = if self.mask >> lane & 1 != 0 {
                    value[lane]
                } else {
                    row[lane]
                };
            }
        }
    }

    /// As `put`, for a result that may be absent.
    #[inline(always)]
    pub(crate) fn put_some<T: Lane>(&mut self, at: u32, value: [T; LANES]) {
        if at != NONE {
            self.put(at, value);
        }
    }

    /// The predicate at `at`, one bit a lane.
    #[inline(always)]
    pub(crate) fn predicate(&self, at: u32) -> u32 {
        let base = if at & POOL == 0 {
            self.rows.registers.cast_const()
        } else {
            self.rows.pool
        };
        // SAFETY: as for `get`.
        unsafe { base.add((at & !POOL) as usize).cast::<u32>().read() }
    }

    /// Sets the predicate at `at` for the lanes that run.
    #[inline(always)]
    pub(crate) fn put_predicate(&mut self, at: u32, value: u32) {
        if at == NONE {
            return;
        }
        let merged = self.predicate(at) & !self.mask | value & self.mask;
        // SAFETY: as for `put`.
        unsafe {
            self.rows
                .registers
                .add(at as usize)
                .cast::<u32>()
                .write(merged)
        };
    }

    /// What lane `lane` of the row at `at` holds.
    #[inline(always)]
    pub(crate) fn lane<T: Lane>(&self, at: u32, lane: usize) -> T {
        self.row::<T>(at).at(lane % LANES)
    }
}
