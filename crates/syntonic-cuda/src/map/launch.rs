//! One launch of an interpreter: parameter, grid, and the walk over its operands.

use super::code::{CELLS, CODE, Class, Code, Instruction, Place};
use crate::codegen::bytecode_family;
use crate::context::Geometry;
use crate::plan::operand::{Source, Span, repeated};
use crate::plan::straight::{INPUTS, OUTPUTS};
use crate::plan::{Carrier, Launch};
use crate::walk::{AXES, Divisor32, Space, Wide};
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

/// Threads per block.
const THREADS: usize = 128;

/// 16-byte vectors per thread of a light interpreter.
fn vectors(held: DType) -> usize {
    if held.is_half() { 1 } else { 2 }
}

const VECTOR: u8 = 0;
const SPLAT: u8 = 1;
const SCALAR: u8 = 2;

/// As `bytecode::Operand`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    dtype: u8,
    kind: u8,
    place: u16,
    unused: u32,
}

/// As `bytecode::Params`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Params {
    code: [[u32; 4]; CODE],
    inputs: [Operand; INPUTS],
    outputs: [Operand; OUTPUTS],
    cells: [[u64; 2]; CELLS],
    length: u64,
    instructions: u32,
    input_count: u32,
    cell_count: u32,
    elements: u32,
    narrow: u32,
    plain: u32,
    divisors: [Divisor32; AXES],
    walk: Wide<OPERANDS>,
}

const OPERANDS: usize = INPUTS + OUTPUTS;
const _: () = assert!(size_of::<Params>() <= 4096);

/// The slots that fit a block's shared memory.
pub(crate) fn most_slots(shared_limit: u32, class: Class) -> usize {
    // More would leave too few resident threads to hide latency.
    let room = (shared_limit as usize).min(96 << 10) - CELLS * 16;
    (room / slot_bytes(class)).min(255)
}

fn slot_bytes(class: Class) -> usize {
    match class {
        Class::Light(held) => THREADS * vectors(held) * 16,
        Class::General => THREADS * 16,
    }
}

/// The operands of a launch.
pub(crate) struct Operands<'a> {
    /// The form's operands, with their types.
    pub(crate) sources: &'a [(Source, DType)],
    /// The form's outputs, with their types.
    pub(crate) outputs: &'a [(Span, DType)],
}

/// Runs `code` over the index space `dims`.
///
/// # Safety
/// The operands name live memory that fits their strides over `dims`, as [`syntonic_core::Device::run`] says.
pub(crate) unsafe fn launch<C: Carrier>(
    carrier: &C,
    code: &Code,
    operands: &Operands<'_>,
    dims: &[usize],
) -> Result<()> {
    let space = space(operands, dims);
    for piece in space.pieces() {
        let mut params = fill(code, operands, dims, &piece);
        let launch = spread(&mut params, code, piece);
        // SAFETY: the parameter mirrors the kernel's; the piece is part of the space that the caller vouches for.
        unsafe { carrier.start(&launch, &params)? };
    }
    Ok(())
}

/// The space with every input at its index and the outputs after the last possible input.
fn space(operands: &Operands<'_>, dims: &[usize]) -> Space {
    let still = Strides::from_elem(0, dims.len());
    let mut strides: Vec<&[isize]> = vec![&still; OPERANDS];
    let spans = operands
        .sources
        .iter()
        .filter_map(|(source, _)| match source {
            Source::Tensor(span) => Some(span),
            Source::Number(_) | Source::Index(_) => None,
        });
    for (to, span) in strides.iter_mut().zip(spans) {
        *to = &span.strides;
    }
    for (to, (span, _)) in strides[INPUTS..].iter_mut().zip(operands.outputs) {
        *to = &span.strides;
    }
    Space::sorted(dims, &strides, INPUTS)
}

/// Sets the walk over a piece in the parameter; returns the matching launch.
fn spread(params: &mut Params, code: &Code, piece: Space) -> Launch<'static> {
    let length = piece.len();
    let (family, lanes, walked) = match code.class {
        Class::General => ("map_bytecode", 1, piece),
        Class::Light(class) => {
            let lanes = 16 / class.size();
            let walked = in_vectors(params, &piece, lanes);
            params.elements = u32::from(walked.is_none());
            params.plain = u32::from(walked.is_some() && is_plain(params, &piece, class));
            (
                bytecode_family(class),
                vectors(class) * lanes,
                walked.unwrap_or(piece),
            )
        }
    };
    let narrow = walked.len() <= i32::MAX as usize;
    params.narrow = u32::from(narrow);
    params.walk = walked.wide();
    if narrow {
        for (to, &len) in params.divisors.iter_mut().zip(walked.dims.iter().rev()) {
            *to = Divisor32::new(len as u32);
        }
    }
    let blocks = length.div_ceil(THREADS * lanes) as u64;
    let geometry = Geometry {
        shared: shared_bytes(code) as u32,
        ..Geometry::line(blocks, THREADS as u32)
    };
    // Each interpreter is a family of one entry.
    Launch::new(family, family, geometry)
}

/// Everything but the walk.
fn fill(code: &Code, operands: &Operands<'_>, dims: &[usize], piece: &Space) -> Params {
    let mut params = Params {
        code: [[0; 4]; CODE],
        inputs: [Operand::default(); INPUTS],
        outputs: [Operand::default(); OUTPUTS],
        cells: [[0; 2]; CELLS],
        length: piece.len() as u64,
        instructions: code.instructions.len() as u32,
        input_count: 0,
        cell_count: cells(code) as u32,
        elements: 1,
        narrow: 0,
        plain: 0,
        divisors: [Divisor32::default(); AXES],
        walk: Wide::default(),
    };
    for (to, from) in params.code.iter_mut().zip(&code.instructions) {
        *to = words(code, from);
    }
    for ((source, dtype), &place) in operands.sources.iter().zip(&code.places) {
        let (Place::Slot(at) | Place::Cell(at)) = place;
        match source {
            Source::Number(value) => {
                params.cells[usize::from(at)] = match code.class {
                    Class::Light(held) => repeated(value.cast(*dtype), held.compute()),
                    Class::General => repeated(*value, *dtype),
                };
            }
            // Its numbers are in memory, where bytecode runs.
            Source::Index(_) => {}
            Source::Tensor(span) => {
                let k = params.input_count as usize;
                let kind = if span.repeats(dims) { SCALAR } else { VECTOR };
                params.inputs[k] = operand(span, *dtype, kind, at, piece.bases[k]);
                params.input_count += 1;
            }
        }
    }
    for (k, (span, dtype)) in operands.outputs.iter().enumerate() {
        params.outputs[k] = operand(span, *dtype, VECTOR, 0, piece.bases[INPUTS + k]);
    }
    params
}

fn operand(span: &Span, dtype: DType, kind: u8, place: u16, base: isize) -> Operand {
    Operand {
        address: span
            .address
            .wrapping_add_signed((base * dtype.size() as isize) as i64),
        dtype: dtype as u8,
        kind,
        place,
        unused: 0,
    }
}

/// Cells of a launch. There is always one, which is 0 where the code has no numbers: the operands that an instruction ignores point
/// there. All threads read them, and pointing at a slot would race with its writer.
fn cells(code: &Code) -> usize {
    code.cells.max(1)
}

/// Bytes of shared memory per block: cells, then slots.
fn shared_bytes(code: &Code) -> usize {
    cells(code) * 16 + code.slots * slot_bytes(code.class)
}

/// An instruction with the offsets of its operands in shared memory.
fn words(code: &Code, instruction: &Instruction) -> [u32; 4] {
    let offset = |place: Place| match place {
        Place::Cell(at) => u32::from(at) * 16,
        Place::Slot(at) => {
            let first = cells(code) * 16;
            1 << 31 | (first + usize::from(at) * slot_bytes(code.class)) as u32
        }
    };
    let Instruction { word, y, z, x } = *instruction;
    [word, offset(y), offset(z), offset(x)]
}

/// The space in steps of `lanes` elements of the innermost axis, where every operand is a whole vector or one element
/// there; inputs of the latter kind are marked.
fn in_vectors(params: &mut Params, piece: &Space, lanes: usize) -> Option<Space> {
    let inner = *piece.dims.last()?;
    let last = piece.dims.len() - 1;
    if inner % lanes != 0 && last > 0 {
        return None;
    }
    let mut splats = [false; INPUTS];
    let inputs = &params.inputs[..params.input_count as usize];
    for (k, operand) in inputs.iter().enumerate().filter(|(_, o)| o.kind == VECTOR) {
        match piece.strides[k][last] {
            0 => splats[k] = true,
            _ => is_whole(operand, &piece.strides[k], lanes)?,
        }
    }
    for (k, operand) in params
        .outputs
        .iter()
        .enumerate()
        .filter(|(_, o)| o.address != 0)
    {
        is_whole(operand, &piece.strides[INPUTS + k], lanes)?;
    }
    for (operand, _) in params
        .inputs
        .iter_mut()
        .zip(splats)
        .filter(|(_, splat)| *splat)
    {
        operand.kind = SPLAT;
    }
    let mut space = piece.clone();
    space.dims[last] = inner.div_ceil(lanes);
    for strides in &mut space.strides {
        strides[last] *= lanes as isize;
    }
    Some(space)
}

/// True if every operand is one run of whole vectors of the type that slots hold.
fn is_plain(params: &Params, piece: &Space, held: DType) -> bool {
    let inputs = &params.inputs[..params.input_count as usize];
    let outputs = params.outputs.iter().filter(|o| o.address != 0);
    let mut all = inputs.iter().chain(outputs);
    piece.dims.len() == 1
        && piece.len().is_multiple_of(16 / held.size())
        && all.all(|o| o.kind == VECTOR && o.dtype == held as u8)
}

/// Something if every vector of the operand is contiguous and aligned.
fn is_whole(operand: &Operand, strides: &[isize], lanes: usize) -> Option<()> {
    let (inner, outer) = strides.split_last()?;
    let bytes = lanes * DType::ALL[usize::from(operand.dtype)].size();
    let aligned = operand.address.is_multiple_of(bytes as u64);
    let steps = outer.iter().all(|s| s % lanes as isize == 0);
    (*inner == 1 && aligned && steps).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_operands_lie_in_a_cell_that_is_written() {
        let instruction = Instruction {
            word: 0,
            y: Place::Cell(0),
            z: Place::Slot(1),
            x: Place::Cell(0),
        };
        let mut code = Code {
            class: Class::Light(DType::F32),
            instructions: vec![instruction],
            places: vec![],
            slots: 2,
            cells: 0,
        };
        let slot = 2 * 16 * THREADS as u32;
        assert_eq!(words(&code, &instruction), [0, 0, 1 << 31 | (slot + 16), 0]);
        assert_eq!(cells(&code), 1);
        assert_eq!(shared_bytes(&code), 2 * slot as usize + 16);
        code.cells = 3;
        assert_eq!(words(&code, &instruction)[2], 1 << 31 | (slot + 48));
        assert_eq!(shared_bytes(&code), 2 * slot as usize + 48);
    }
}
