//! Widths, types and state spaces.

/// How wide a register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A predicate: one bit a lane.
    Predicate,
    /// 16 bits a lane.
    Half,
    /// 32 bits a lane.
    Word,
    /// 64 bits a lane.
    Double,
}

impl Kind {
    /// Bytes of one warp's row of such a register.
    pub(crate) fn row_bytes(self) -> u32 {
        match self {
            Self::Predicate => 4,
            Self::Half => 64,
            Self::Word => 128,
            Self::Double => 256,
        }
    }
}

/// A type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    /// Untyped bits, an unsigned or a signed integer of so many bytes.
    Bits(u8),
    /// Unsigned integer of so many bytes.
    Unsigned(u8),
    /// Signed integer of so many bytes.
    Signed(u8),
    /// Half precision.
    F16,
    /// Two of them.
    F16x2,
    /// Brain float.
    Bf16,
    /// Two of them.
    Bf16x2,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// A predicate.
    Predicate,
}

impl Scalar {
    /// The type that a modifier such as `u32` names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "b8" => Self::Bits(1),
            "b16" => Self::Bits(2),
            "b32" => Self::Bits(4),
            "b64" => Self::Bits(8),
            "u8" => Self::Unsigned(1),
            "u16" => Self::Unsigned(2),
            "u32" => Self::Unsigned(4),
            "u64" => Self::Unsigned(8),
            "s8" => Self::Signed(1),
            "s16" => Self::Signed(2),
            "s32" => Self::Signed(4),
            "s64" => Self::Signed(8),
            "f16" => Self::F16,
            "f16x2" => Self::F16x2,
            "bf16" => Self::Bf16,
            "bf16x2" => Self::Bf16x2,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "pred" => Self::Predicate,
            _ => return None,
        })
    }

    /// Bytes of one value in memory.
    pub(crate) fn bytes(self) -> u8 {
        match self {
            Self::Bits(bytes) | Self::Unsigned(bytes) | Self::Signed(bytes) => bytes,
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::F16x2 | Self::Bf16x2 => 4,
            Self::F64 => 8,
            Self::Predicate => 1,
        }
    }

    /// The register that holds such a value.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Predicate => Kind::Predicate,
            other => match other.bytes() {
                1 | 2 => Kind::Half,
                4 => Kind::Word,
                _ => Kind::Double,
            },
        }
    }

    /// Whether a wider register takes the value's sign.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Signed(_))
    }
}

/// Where a variable or an access lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Memory of the card.
    Global,
    /// Constants of the module.
    Const,
    /// Memory of a block.
    Shared,
    /// Memory of any block of the cluster.
    Cluster,
    /// Memory of a thread.
    Local,
    /// Parameters of a kernel or a function.
    Param,
    /// Whichever of them the address says.
    Generic,
}

impl Space {
    /// The space that a modifier or a directive names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            "const" => Self::Const,
            "shared" | "shared::cta" => Self::Shared,
            "shared::cluster" => Self::Cluster,
            "local" => Self::Local,
            "param" | "param::entry" | "param::func" => Self::Param,
            _ => return None,
        })
    }
}
