//! Epilogues fused with the product: by cuBLASLt a bias along the rows, an added matrix, relu, and GELU of half types; by our
//! own kernel for small products a bias and relu.

use super::float::{self, Epilogue};
use super::library::Launched;
use super::operand::row_major;
use super::plan::Finish;
use super::small::{self, Rectifier};
use super::{Algorithm, Matrix, Product, Stack, algorithm};
use crate::context::Context;
use syntonic_core::device::End;
use syntonic_core::ops::linalg::{Activation, Contraction, KnownEnd, Rounding, Spread};
use syntonic_core::{DType, Result, Scalar};

/// Runs a product with its epilogue as one launch, if the library has it and gives the bits of the epilogue's program. GELU
/// of half types is allowed other bits: its error is far below their rounding.
///
/// # Safety
/// As [`super::matmul`].
pub(super) unsafe fn multiply(
    context: &Context,
    asked: &Contraction<'_>,
    end: &End,
) -> Result<Launched> {
    let stack = Stack::new(asked);
    let (product, known) = match (stack.only(), end.recognise()) {
        (Some(product), Some(known)) => (product, known),
        _ => return Ok(Launched::NoWay),
    };
    let Some((product, epilogue)) = epilogue(&product, end, &known) else {
        return Ok(Launched::NoWay);
    };
    // SAFETY: the caller's promise: the epilogue's operands are live and have the shape of the result.
    unsafe {
        match algorithm(context, &product) {
            Algorithm::Small(how) => match of_few(&epilogue) {
                Some(epilogue) => small::multiply(context, &product, how, epilogue)?,
                None => return float::finished(context, &product, epilogue),
            },
            Algorithm::Library => return float::finished(context, &product, epilogue),
            _ => return Ok(Launched::NoWay),
        }
    }
    Ok(Launched::Yes)
}

/// The epilogue for the small-product kernel, if it has it.
fn of_few(epilogue: &Epilogue) -> Option<small::Epilogue> {
    let rectifier = match epilogue.finish {
        Finish::None | Finish::Bias => Rectifier::None,
        Finish::Relu | Finish::BiasRelu => Rectifier::Relu,
        Finish::Gelu | Finish::BiasGelu => return None,
    };
    let bias = epilogue.bias;
    epilogue
        .added
        .is_none()
        .then_some(small::Epilogue { bias, rectifier })
}

/// The epilogue in cuBLASLt's terms.
fn epilogue(p: &Product, end: &End, known: &KnownEnd) -> Option<(Product, Epilogue)> {
    let half = matches!(p.sums, DType::F16 | DType::BF16);
    let exact = known.rounding == Rounding::Once || !half;
    let real = matches!(p.dtype, DType::F32 | DType::F16 | DType::BF16);
    row_major(&p.c)?;
    if !exact || !real || !known.scales.is_empty() || known.residual.is_some() {
        return None;
    }
    // Two factors would be rounded twice.
    let alpha = match (is_one(p.alpha), is_one(known.scale)) {
        (true, _) => known.scale,
        (_, true) => p.alpha,
        _ => return None,
    };
    let (mut bias, mut added) = (0, None);
    for (at, term) in known.adds.iter().enumerate() {
        let arg = end.operands.get(term.operand)?;
        if !is_one(term.factor) || arg.dtype != p.sums {
            return None;
        }
        let strides = arg.layout.strides();
        match term.spread {
            Spread::Row if at + 1 == known.adds.len() && strides[strides.len() - 1] == 1 => {
                bias = arg.address() as u64;
            }
            Spread::Full if at == 0 && !p.beta.to_bool() => {
                let matrix = Matrix::new(arg);
                // The rows of a stack follow each other as those of the result do.
                (arg.layout.ndim() == 2).then_some(())?;
                row_major(&matrix)?;
                added = Some(matrix);
            }
            _ => return None,
        }
    }
    let finish = match (known.activation, bias != 0) {
        (Activation::None, false) => Finish::None,
        (Activation::None, true) => Finish::Bias,
        (Activation::Relu, false) => Finish::Relu,
        (Activation::Relu, true) => Finish::BiasRelu,
        (Activation::Gelu, false) if half => Finish::Gelu,
        (Activation::Gelu, true) if half => Finish::BiasGelu,
        _ => return None,
    };
    let epilogue = Epilogue {
        finish,
        bias,
        added,
    };
    Some((Product { alpha, ..*p }, epilogue))
}

fn is_one(x: Scalar) -> bool {
    let z = x.to_complex();
    z.re == 1.0 && z.im == 0.0
}
