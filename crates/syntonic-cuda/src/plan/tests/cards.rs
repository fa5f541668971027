//! Cards as their drivers describe them.

use crate::driver::reason::CudaVersion;
use crate::plan::Limits;

/// A card with a short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) limits: Limits,
}

/// `shared` and `cache` are in KiB.
const fn named(
    name: &'static str,
    capability: (u32, u32),
    multiprocessors: u32,
    shared: u32,
    cache: u32,
) -> Named {
    Named {
        name,
        limits: Limits {
            capability,
            multiprocessors,
            shared: shared << 10,
            cache: cache << 10,
            driver: CudaVersion::from_driver(13000),
        },
    }
}

pub(super) const T4: Named = named("t4", (7, 5), 40, 64, 4 << 10);
pub(super) const A100: Named = named("a100", (8, 0), 108, 163, 40 << 10);
pub(super) const RTX_3090: Named = named("rtx3090", (8, 6), 82, 99, 6 << 10);
pub(super) const RTX_4090: Named = named("rtx4090", (8, 9), 128, 99, 72 << 10);
pub(super) const H100_PCIE: Named = named("h100-pcie", (9, 0), 114, 227, 50 << 10);
pub(super) const H100: Named = named("h100", (9, 0), 132, 227, 50 << 10);
pub(super) const H200: Named = named("h200", (9, 0), 132, 227, 60 << 10);
pub(super) const B200: Named = named("b200", (10, 0), 148, 227, 126 << 10);
pub(super) const RTX_5090: Named = named("rtx5090", (12, 0), 170, 99, 96 << 10);

/// One of each generation, and the three of 9.0.
pub(super) const ALL: [Named; 9] = [
    T4, A100, RTX_3090, RTX_4090, H100_PCIE, H100, H200, B200, RTX_5090,
];

/// An older card and a newer one, for tasks that need no more.
pub(super) const MEASURED: [Named; 2] = [A100, H100];
