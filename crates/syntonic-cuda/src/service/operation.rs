//! The programs of a service.

/// A program that is compiled into the service's kernel: its arguments and its answers, doubles all.
///
/// Integers among them are doubles whose 64 bits are the integer (`f64::from_bits`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// `[n] -> [n]`: the arguments again.
    Echo,
    /// `[n] -> [1]`: their sum. 512 threads add every 512th, a warp and then the block in halves.
    Sum,
    /// `a, b, x [n] -> [n]`: `a x + b`, each operation rounded.
    Affine,
    /// `n, m (integers), mean_q, mean_p, var_q, var_p [n], observation, prediction, precision [m] -> [3]`: free energy, complexity
    /// and accuracy of diagonal Gaussians, as `syntonic_srt::infer::free_energy` has them.
    FreeEnergy,
    /// `model, steps (integers), rate, tolerance, mean [n], observation [m] -> mean [n], steps, ending (integers), change, free energy`:
    /// `syntonic_srt::infer::belief_update` for a model that was registered, with its bits.
    BeliefUpdate,
    /// An opcode by number. The device refuses one that it does not have.
    Opcode(u8),
}

impl Operation {
    /// What the kernel knows it by.
    ///
    /// ```
    /// use syntonic_cuda::service::Operation;
    ///
    /// assert_eq!((Operation::Sum.opcode(), Operation::Opcode(200).opcode()), (2, 200));
    /// ```
    pub fn opcode(self) -> u8 {
        match self {
            Operation::Echo => 1,
            Operation::Sum => 2,
            Operation::Affine => 3,
            Operation::FreeEnergy => 4,
            Operation::BeliefUpdate => 5,
            Operation::Opcode(number) => number,
        }
    }

    /// Its name in messages.
    ///
    /// ```
    /// use syntonic_cuda::service::Operation;
    ///
    /// assert_eq!(Operation::FreeEnergy.name(), "free_energy");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Operation::Echo => "echo",
            Operation::Sum => "sum",
            Operation::Affine => "affine",
            Operation::FreeEnergy => "free_energy",
            Operation::BeliefUpdate => "belief_update",
            Operation::Opcode(_) => "call",
        }
    }

    /// Answers of a request with so many arguments, where the arguments say it.
    pub(super) fn answers(self, arguments: usize) -> Option<usize> {
        match self {
            Operation::Echo => Some(arguments),
            Operation::Sum => Some(1),
            Operation::Affine => arguments.checked_sub(2),
            Operation::FreeEnergy => Some(3),
            Operation::BeliefUpdate | Operation::Opcode(_) => None,
        }
    }
}
