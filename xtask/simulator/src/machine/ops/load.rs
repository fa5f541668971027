//! Loads and stores of one, two or four values a lane.

// Lanes are counted: what they do is written for one lane, and several rows are indexed alike.
#![allow(clippy::needless_range_loop)]

use crate::machine::context::{Context, lanes};
use crate::machine::op::{Exec, NONE, Op};
use crate::machine::reach::{At, Deed, Reach, Strength, Touch};
use crate::machine::rows::{LANES, Lane};
use crate::machine::vector::vector;
use crate::ptx::{Kind, Scalar};

/// A value in memory that a register of `R` holds.
pub(crate) trait Cell<R>: Copy {
    /// The register's value.
    fn widen(self) -> R;
    /// The part of a register that memory takes.
    fn narrow(register: R) -> Self;
}

macro_rules! cells {
    ($($cell:ty: $($register:ty)*;)*) => {$($(
        impl Cell<$register> for $cell {
            #[inline(always)]
            fn widen(self) -> $register {
                self as $register
            }
            #[inline(always)]
            fn narrow(register: $register) -> Self {
                register as $cell
            }
        }
    )*)*};
}
cells! {
    u8: u16 u32 u64;
    i8: i16 i32 i64;
    u16: u16 u32 u64;
    i16: i32 i64;
    u32: u32 u64;
    i32: i64;
    u64: u64;
}

fn touch<T, const N: usize>(deed: Deed, strength: Strength) -> Touch {
    let bytes = (size_of::<T>() * N) as u32;
    Touch {
        bytes,
        align: bytes,
        deed,
        strength,
    }
}

vector! {
    fn load<T: Cell<R>, R: Lane, const N: usize>(context: &mut Context, op: &Op) {
        let at = At::of(op);
        let strength = Strength::of(at.flags);
        let reach = context.reach(op, at, touch::<T, N>(Deed::Load, strength));
        context.watched |= strength == Strength::Strong;
        let mut rows = [[R::default(); LANES]; N];
        match reach {
            Reach::Nothing => return,
            Reach::Run => {
                let base = context.host[0] as *const T;
                for lane in 0..LANES {
                    for part in 0..N {
                        // SAFETY: `reach` found all that the lanes access within one live allocation, and aligned.
                        rows[part][lane] = unsafe { base.add(lane * N + part).read() }.widen();
                    }
                }
            }
            Reach::Same => {
                for part in 0..N {
                    // SAFETY: as above, for the one address of all lanes.
                    rows[part] = [unsafe { (context.host[0] as *const T).add(part).read_volatile() }.widen(); LANES];
                }
            }
            Reach::Each => {
                for lane in 0..LANES {
                    let base = context.host[lane] as *const T;
                    for part in 0..N {
                        // SAFETY: as above; lanes that do not run have the address of one that does.
                        rows[part][lane] = unsafe { base.add(part).read_volatile() }.widen();
                    }
                }
            }
        }
        for part in 0..N {
            context.put_some(op.r[part], rows[part]);
        }
    }
}

vector! {
    fn store<T: Cell<R>, R: Lane, const N: usize>(context: &mut Context, op: &Op) {
        let at = At::of(op);
        let strength = Strength::of(at.flags);
        let reach = context.reach(op, at, touch::<T, N>(Deed::Store, strength));
        if reach == Reach::Nothing {
            return;
        }
        let rows: [_; N] = std::array::from_fn(|part| context.row::<R>(op.r[part]));
        if reach == Reach::Run {
            let base = context.host[0] as *mut T;
            for lane in 0..LANES {
                for part in 0..N {
                    // SAFETY: `reach` found all that the lanes access within one live allocation, and aligned.
                    unsafe { base.add(lane * N + part).write(T::narrow(rows[part].at(lane))) };
                }
            }
            return;
        }
        let bytes = (size_of::<T>() * N) as u32;
        for lane in lanes(context.mask) {
            let base = context.host_at(reach, lane, bytes) as *mut T;
            for part in 0..N {
                // SAFETY: as above, for each running lane.
                unsafe { base.add(part).write_volatile(T::narrow(rows[part].at(lane))) };
            }
        }
    }
}

vector! {
    /// A parameter at a place known beforehand, which is the same for all lanes.
    fn parameter<T: Cell<R>, R: Lane, const N: usize>(context: &mut Context, op: &Op) {
        let base = context.params.as_ptr().cast::<T>();
        for part in 0..N {
            // SAFETY: the lowering keeps such places within the parameters, aligned as their type.
            let value = unsafe { base.byte_add(op.imm as usize).add(part).read() }.widen();
            if op.r[part] != NONE {
                context.put(op.r[part], [value; LANES]);
            }
        }
    }
}

/// What runs such an access for registers of `kind`; there are up to four of them in `r`, then address and flags.
pub(crate) fn find(access: Access, scalar: Scalar, kind: Kind, count: usize) -> Option<Exec> {
    macro_rules! counts {
        ($cell:ty, $register:ty) => {
            match (access, count) {
                (Access::Load, 1) => load::<$cell, $register, 1> as Exec,
                (Access::Load, 2) => load::<$cell, $register, 2>,
                (Access::Load, 4) => load::<$cell, $register, 4>,
                (Access::Store, 1) => store::<$cell, $register, 1>,
                (Access::Store, 2) => store::<$cell, $register, 2>,
                (Access::Store, 4) => store::<$cell, $register, 4>,
                (Access::Parameter, 1) => parameter::<$cell, $register, 1>,
                (Access::Parameter, 2) => parameter::<$cell, $register, 2>,
                (Access::Parameter, 4) => parameter::<$cell, $register, 4>,
                _ => return None,
            }
        };
    }
    let signed = scalar.is_signed() && access != Access::Store;
    Some(match (scalar.bytes(), signed, kind) {
        (1, false, Kind::Half) => counts!(u8, u16),
        (1, false, Kind::Word) => counts!(u8, u32),
        (1, false, Kind::Double) => counts!(u8, u64),
        (1, true, Kind::Half) => counts!(i8, i16),
        (1, true, Kind::Word) => counts!(i8, i32),
        (1, true, Kind::Double) => counts!(i8, i64),
        (2, _, Kind::Half) => counts!(u16, u16),
        (2, false, Kind::Word) => counts!(u16, u32),
        (2, false, Kind::Double) => counts!(u16, u64),
        (2, true, Kind::Word) => counts!(i16, i32),
        (2, true, Kind::Double) => counts!(i16, i64),
        (4, _, Kind::Word) => counts!(u32, u32),
        (4, false, Kind::Double) => counts!(u32, u64),
        (4, true, Kind::Double) => counts!(i32, i64),
        (8, _, Kind::Double) => counts!(u64, u64),
        _ => return None,
    })
}

/// Kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// From memory.
    Load,
    /// To memory.
    Store,
    /// From the kernel's parameters, at a known place.
    Parameter,
}
