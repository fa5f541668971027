//! When a JIT kernel pays: where bytecode is slower than memory. The numbers are measured or derived from measurements:
//! kernels/notes/maps.md.

use crate::codegen::form::{Form, Step};
use crate::codegen::is_long;
use crate::plan::straight::{Kind, Straight};
use syntonic_core::DType;

/// Fewer elements are not worth a kernel: however they are computed, they take as long as a launch.
const ELEMENTS: usize = 1 << 12;

/// The cost of bytecode per element, in tenths of a byte of memory traffic.
struct Cost {
    /// Fixed cost of a launch.
    launch: usize,
    /// Per instruction.
    instruction: usize,
    /// Per instruction that calls a long function.
    call: usize,
}

/// The cost by the type of the slots. For half types an instruction serves as many bytes as for `float32`, in twice as many
/// elements, and rounds them.
fn cost(held: DType) -> Cost {
    let (launch, instruction) = match held {
        DType::F16 | DType::BF16 => (40, 11),
        _ if held.size() == 8 => (112, 24),
        _ => (56, 6),
    };
    Cost {
        launch,
        instruction,
        call: 4 * instruction,
    }
}

/// True if there are enough elements to pay for the JIT.
pub(super) fn is_large(operands: &Straight) -> bool {
    operands.count >= ELEMENTS
}

/// True if there are enough elements to pay for a JIT kernel over operands in any layout.
pub(super) fn is_worth_a_walk(dims: &[usize]) -> bool {
    dims.iter().product::<usize>() >= ELEMENTS
}

/// True if bytecode would take longer than three quarters of the time that memory does.
pub(super) fn is_slow(form: &Form, operands: &Straight) -> bool {
    let read = operands
        .inputs
        .iter()
        .filter(|(o, _)| o.kind == Kind::Vector)
        .map(|i| i.1);
    let moved = read
        .chain(operands.outputs.iter().map(|o| o.1))
        .map(DType::size);
    let moved: usize = moved.sum();
    let applied = || {
        form.values
            .iter()
            .enumerate()
            .filter_map(|(k, value)| match value.step {
                Step::Apply(prim, _) => Some((prim, form.operand_dtype(k as u32))),
                _ => None,
            })
    };
    let mut computed = applied().map(|(_, dtype)| dtype).filter(|d| !d.is_bool());
    let Some(first) = computed.next() else {
        return false;
    };
    if first == DType::C128 || computed.any(|dtype| dtype != first) {
        // The interpreters for complex128 and for all types at once are always slow.
        return true;
    }
    let halves = operands.outputs.iter().map(|o| o.1).find(|d| d.is_half());
    let cost = cost(halves.unwrap_or(first));
    let instructions = applied().map(|(prim, dtype)| match is_long(prim, dtype) {
        true => cost.call,
        false => cost.instruction,
    });
    4 * (cost.launch + instructions.sum::<usize>()) >= 3 * 10 * moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::operand::{Source, Span};
    use syntonic_core::fuse::{Builder, NodeId, Precision, Prim, Role, Yield, lower};

    /// A chain of products over contiguous operands of one type.
    fn is_slow_chain(dtype: DType, inputs: usize, length: usize) -> bool {
        let mut b = Builder::new();
        let x: Vec<NodeId> = (0..inputs).map(|_| b.input("x", Role::Element)).collect();
        let all = (0..length).fold(x[0], |y, k| b.apply(Prim::Mul, &[y, x[k % inputs]]));
        b.output(all, Yield::Element);
        let typed = lower(
            &b.finish("chain", Precision::Stepwise),
            &vec![dtype; inputs],
        );
        let form = typed
            .ok()
            .and_then(|typed| Form::of(&typed))
            .expect("it has a meaning");
        let span = || Span {
            address: 1 << 20,
            strides: [1].into_iter().collect(),
        };
        let sources = vec![(Source::Tensor(span()), dtype); inputs];
        let operands =
            Straight::of(&sources, &[(span(), dtype)], &[ELEMENTS]).expect("it is contiguous");
        assert!(is_large(&operands));
        is_slow(&form, &operands)
    }

    /// Lengths of rows of the bench record, and whether those reached the speed of memory.
    #[test]
    fn what_was_slow_as_bytecode_is_made() {
        for (dtype, inputs, length) in [
            (DType::F32, 1, 5),
            (DType::F32, 1, 11),
            (DType::F32, 2, 12),
            (DType::BF16, 3, 6),
            (DType::F64, 3, 6),
            (DType::C128, 3, 2),
        ] {
            assert!(
                is_slow_chain(dtype, inputs, length),
                "{dtype} {inputs} {length}"
            );
        }
        for (dtype, inputs, length) in [
            (DType::F32, 3, 6),
            (DType::F32, 4, 9),
            (DType::F32, 2, 3),
            (DType::F64, 3, 2),
        ] {
            assert!(
                !is_slow_chain(dtype, inputs, length),
                "{dtype} {inputs} {length}"
            );
        }
    }
}
