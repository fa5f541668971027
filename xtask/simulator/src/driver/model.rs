//! What is known of the cards that are stood in for: a row for each compute capability.

/// The numbers by which cards differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// Its name. It says that this is no GPU, so that no record can be taken for a real one's.
    pub(crate) name: &'static str,
    /// Compute capability.
    pub(crate) capability: (u32, u32),
    /// Bytes of shared memory that a block may ask for.
    pub(crate) shared_optin: i32,
    /// Bytes of shared memory of a processor.
    pub(crate) shared_of_processor: i32,
    /// Bytes of shared memory that the system takes from every block.
    pub(crate) shared_reserved: i32,
    /// Threads of a processor.
    pub(crate) threads: i32,
    /// Blocks of a processor.
    pub(crate) blocks: i32,
    /// Bytes of the second cache.
    cache: i32,
    /// Kilohertz of the processors and of the memory.
    clocks: (i32, i32),
    /// Bits of the way to the memory.
    bus: i32,
}

const MODELS: [Model; 3] = [
    Model {
        name: "Simulated GPU like an H200",
        capability: (9, 0),
        shared_optin: 232_448,
        shared_of_processor: 233_472,
        shared_reserved: 1024,
        threads: 2048,
        blocks: 32,
        cache: 60 << 20,
        clocks: (1_980_000, 3_201_000),
        bus: 6144,
    },
    Model {
        name: "Simulated GPU like an A100",
        capability: (8, 0),
        shared_optin: 166_912,
        shared_of_processor: 167_936,
        shared_reserved: 1024,
        threads: 2048,
        blocks: 32,
        cache: 40 << 20,
        clocks: (1_410_000, 1_512_000),
        bus: 5120,
    },
    Model {
        name: "Simulated GPU like a T4",
        capability: (7, 5),
        shared_optin: 65_536,
        shared_of_processor: 65_536,
        shared_reserved: 0,
        threads: 1024,
        blocks: 16,
        cache: 4 << 20,
        clocks: (1_590_000, 5_001_000),
        bus: 256,
    },
];

/// Bytes of shared memory that a block may have without asking for more.
pub(crate) const SHARED: i32 = 48 << 10;
/// Threads of a block.
pub(crate) const THREADS: u32 = 1024;
/// Threads of a block along x, y and z.
pub(crate) const BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks of a grid along x, y and z.
pub(crate) const GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
/// Registers of a processor.
pub(crate) const REGISTERS: i32 = 65_536;

impl Model {
    /// The card of a compute capability.
    pub(crate) fn of(capability: (u32, u32)) -> Option<Model> {
        MODELS.into_iter().find(|m| m.capability == capability)
    }

    /// `CU_DEVICE_ATTRIBUTE_...` by its number, for a card with so many processors. What is not listed is a feature that
    /// is not there.
    pub(crate) fn attribute(&self, number: i32, processors: u32) -> Option<i32> {
        // 144 is the last attribute of CUDA 13.0.
        if !(1..=144).contains(&number) {
            return None;
        }
        Some(match number {
            1 => THREADS as i32,
            2..=4 => BLOCK[number as usize - 2] as i32,
            5..=7 => GRID[number as usize - 5] as i32,
            8 => SHARED,
            9 => 64 << 10,
            10 => 32,
            11 => i32::MAX,
            12 | 82 => REGISTERS,
            13 => self.clocks.0,
            14 => 512,
            16 => processors as i32,
            36 => self.clocks.1,
            37 => self.bus,
            38 => self.cache,
            39 => self.threads,
            51 => 32,
            75 => self.capability.0 as i32,
            76 => self.capability.1 as i32,
            81 => self.shared_of_processor,
            87 => 2,
            97 => self.shared_optin,
            106 => self.blocks,
            111 => self.shared_reserved,
            // Clusters.
            120 => i32::from(self.capability.0 >= 9),
            // Host memory is mapped, kernels may wait beside others, addresses are unified, streams have priorities,
            // caches of first level, memory comes from pools, and some is shared with the host, at the same time.
            15 | 19 | 31 | 40 | 41 | 78 | 79 | 80 | 83 | 89 | 115 => 1,
            _ => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_differ_as_they_should() {
        let ask = |capability, number| Model::of(capability).and_then(|m| m.attribute(number, 8));
        assert_eq!(ask((9, 0), 97), Some(232_448));
        assert_eq!(ask((8, 0), 120), Some(0));
        assert_eq!(ask((7, 5), 39), Some(1024));
        assert_eq!(ask((7, 5), 16), Some(8));
        assert_eq!(ask((9, 0), 0), None);
        assert_eq!(Model::of((6, 1)), None);
    }
}
