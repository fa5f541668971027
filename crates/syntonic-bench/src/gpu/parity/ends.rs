//! Products with ends: every end, numeric dtype and layout, and products that wait for what is made of them.

use super::Check;
use super::products::small;
use crate::gpu::{Exactness, bounds, compare, compare_each};
use anyhow::Result;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::composites::RELU;
use syntonic_core::ops::elementwise::{apply, composite};
use syntonic_core::ops::linalg::{
    Activation, Precision, Product, matmul, matmul_as, matmul_reported,
};
use syntonic_core::{DType, Tensor};
use syntonic_cuda::{Ends, end_products};

/// How the operands lie, and their shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Plain,
    Transposed,
    Strided,
    Stack,
    OneRight,
    Row,
    Column,
    NoInner,
    Large,
    Tiles,
    TurnedTiles,
    Shifted,
    StackOfTiles,
}

const FORMS: [Form; 9] = [
    Form::Plain,
    Form::Transposed,
    Form::Strided,
    Form::Stack,
    Form::OneRight,
    Form::Row,
    Form::Column,
    Form::NoInner,
    Form::Large,
];

/// Of half types alone: products that tensor cores and their end take in one launch, by several tiles of which the last ones are cut.
const TILED: [Form; 4] = [
    Form::Tiles,
    Form::TurnedTiles,
    Form::Shifted,
    Form::StackOfTiles,
];

/// Whether a check's products are [`TILED`], by the last part of its name.
pub(super) fn is_tiled(form: &str) -> bool {
    TILED.iter().any(|tiled| format!("{tiled:?}") == form)
}

/// What follows the product.
#[derive(Clone, Copy, Debug)]
enum End {
    Bias(Activation),
    Scales,
    Sum,
    Everything(Activation),
    Cast(DType),
}

fn name(end: End) -> String {
    match end {
        End::Cast(_) => "Cast".into(),
        other => format!("{other:?}"),
    }
}

fn ends(dtype: DType) -> Vec<End> {
    let real = |a: &Activation| !dtype.is_complex() || matches!(a, Activation::None);
    let exact =
        |a: &Activation| !dtype.is_integer() || matches!(a, Activation::None | Activation::Relu);
    let functions = Activation::ALL.into_iter().filter(|a| real(a) && exact(a));
    let mut all: Vec<End> = functions
        .flat_map(|a| [End::Bias(a), End::Everything(a)])
        .collect();
    all.extend([End::Scales, End::Sum]);
    all.push(End::Cast(match dtype {
        DType::F32 => DType::BF16,
        d if d.is_complex() => DType::C128,
        d if d.is_integer() => DType::I64,
        _ => DType::F32,
    }));
    all
}

pub(super) fn checks() -> Vec<Check> {
    let numeric = DType::ALL.into_iter().filter(|d| !d.is_bool());
    let mut all = Vec::new();
    for dtype in numeric {
        let tiled = TILED.iter().filter(|_| dtype.is_half());
        for &form in FORMS.iter().chain(tiled) {
            all.extend(ends(dtype).into_iter().map(|end| ended(dtype, form, end)));
        }
        all.push(waiting(dtype));
    }
    for dtype in [DType::F32, DType::C64, DType::C128, DType::F64, DType::BF16] {
        for asked in [
            Precision::High,
            Precision::Medium,
            Precision::Tolerance(1e-2),
        ] {
            all.push(precise(dtype, asked));
        }
    }
    all
}

/// The operands of a product with everything: factors, scales of rows and columns, and what is added.
fn operands(dtype: DType, form: Form) -> Result<Vec<Tensor>> {
    let (a, b): (&[usize], &[usize]) = match form {
        Form::Transposed => (&[45, 67], &[33, 45]),
        Form::Strided => (&[134, 90], &[90, 66]),
        Form::Stack => (&[3, 1, 20, 30], &[4, 30, 10]),
        Form::OneRight => (&[6, 20, 30], &[30, 10]),
        Form::Row => (&[1, 300], &[300, 70]),
        Form::Column => (&[70, 300], &[300, 1]),
        Form::NoInner => (&[5, 0], &[0, 7]),
        Form::Large => (&[257, 513], &[513, 129]),
        Form::Tiles => (&[400, 520], &[520, 392]),
        Form::TurnedTiles => (&[200, 400], &[392, 200]),
        Form::Shifted => (&[401, 201], &[201, 395]),
        Form::StackOfTiles => (&[5, 136, 392], &[5, 392, 264]),
        Form::Plain => (&[67, 45], &[45, 33]),
    };
    let (a, b) = (
        view(&small(dtype, a, 1)?, form)?,
        view(&small(dtype, b, 2)?, form)?,
    );
    let (m, n) = (a.shape()[a.ndim() - 2], b.shape()[b.ndim() - 1]);
    let shapes: [&[usize]; 5] = [&[m], &[n], &[m, n], &[n], &[m, 1]];
    let mut all = Vec::new();
    for (k, shape) in shapes.into_iter().enumerate() {
        let x = small(dtype, shape, 3 + k as u64)?;
        // Scales of floats stay below 1, so that float16 holds every result.
        let scale = k < 2 && !dtype.is_integer();
        all.push(if scale {
            apply(Prim::Mul, &[(&x).into(), 0.125.into()])?.eval()?
        } else {
            x
        });
    }
    Ok([vec![a, b], all].concat())
}

fn view(x: &Tensor, form: Form) -> Result<Tensor> {
    Ok(match form {
        Form::Transposed | Form::TurnedTiles => x.transpose(-1, -2)?,
        Form::Shifted => x.slice(0, Some(1), None, 1)?.slice(1, Some(1), None, 1)?,
        Form::Strided => x.slice(0, None, None, 2)?.slice(1, None, None, 2)?,
        _ => x.clone(),
    })
}

fn product(x: &[Tensor], end: End) -> Result<Tensor> {
    let [a, b, rows, columns, c, bias, residual] = x else {
        anyhow::bail!("an end takes seven operands");
    };
    let product = Product::new(a, b);
    Ok(match end {
        End::Bias(activation) => product.bias(bias).activation(activation),
        End::Scales => product.alpha(2).row_scale(rows).column_scale(columns),
        End::Sum => product.beta(2, c).residual(residual, 3),
        End::Cast(dtype) => product.bias(bias).cast(dtype),
        End::Everything(activation) => product
            .alpha(2)
            .row_scale(rows)
            .column_scale(columns)
            .beta(2, c)
            .bias(bias)
            .activation(activation)
            .residual(residual, 3),
    }
    .run()?)
}

fn ended(dtype: DType, form: Form, end: End) -> Check {
    Check::new(format!("ends/{}/{dtype}/{form:?}", name(end)), move |gpu| {
        let x = operands(dtype, form)?;
        let there: Vec<Tensor> = x.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
        // Small ones as well, for which a pass of its own takes less time.
        let ways: &[Ends] = match TILED.contains(&form) {
            true => &[Ends::ByTurns, Ends::Together],
            false => &[Ends::AsItPays],
        };
        let want = product(&x, end)?;
        for &ends in ways {
            end_products(ends);
            let got = product(&there, end);
            end_products(Ends::AsItPays);
            if dtype.is_integer() {
                compare(&got?, &want, Exactness::Same)?;
                continue;
            }
            compare_each(&got?, &want, &bound(&x, end, want.dtype(), 2.0)?)?;
        }
        Ok(())
    })
}

/// Bounds for both sides. The sums, scaled by at most `scale`, err by their own roundings in the type of the sums; the steps of the end,
/// ten of them at most, each by one of the result's type of what is there by then. No activation is steeper than 1.2, nor larger by more
/// than 1 than 1.2 times its operand.
fn bound(x: &[Tensor], end: End, result: DType, scale: f64) -> Result<Vec<f64>> {
    let (a, b) = (&x[0], &x[1]);
    let dtype = a.dtype();
    let inner = a.shape().last().copied().unwrap_or(1);
    let terms = if dtype.is_complex() { 2 * inner } else { inner } + 24;
    let steps = terms as f64 * bounds::rounding(dtype.compute());
    let sums = matmul(&bounds::magnitudes(a)?, &bounds::magnitudes(b)?)?.to_vec::<f64>()?;
    let unit = bounds::rounding(result).max(bounds::rounding(dtype));
    let there = sizes(x, end)?.to_vec::<f64>()?;
    let each = sums.iter().zip(there);
    Ok(each
        .map(|(sum, there)| 2.0 * (1.2 * scale * steps * sum + 10.0 * unit * (1.2 * there + 1.0)))
        .collect())
}

/// The largest that an element is on its way through the end: the same end over the magnitudes of the product and of what follows it.
fn sizes(x: &[Tensor], end: End) -> Result<Tensor> {
    let exact = matmul(&bounds::wide(&x[0])?, &bounds::wide(&x[1])?)?.eval()?;
    let same = Tensor::eye(exact.shape()[exact.ndim() - 1], DType::F64)?;
    let mut all = vec![bounds::magnitudes(&exact)?, same];
    for operand in &x[2..] {
        all.push(bounds::magnitudes(operand)?);
    }
    product(
        &all,
        match end {
            End::Bias(_) | End::Cast(_) => End::Bias(Activation::None),
            End::Everything(_) => End::Everything(Activation::None),
            End::Scales | End::Sum => end,
        },
    )
}

/// `relu(x @ w + b)` as a user writes it: one launch with an end, and the bits of the steps for what is not summed otherwise.
fn waiting(dtype: DType) -> Check {
    Check::new(format!("ends/waiting/{dtype}"), move |gpu| {
        // Of these the bias follows the product, and the rest nothing.
        let mut x = operands(dtype, Form::Plain)?;
        (x[0], x[1]) = (small(dtype, &[140, 90], 1)?, small(dtype, &[90, 33], 2)?);
        let there: Vec<Tensor> = x.iter().map(|t| gpu.take(t)).collect::<Result<_>>()?;
        let chain = |x: &[Tensor], product: Tensor| -> Result<Tensor> {
            let sum = apply(Prim::Add, &[(&product).into(), (&x[5]).into()])?;
            drop(product);
            if dtype.is_complex() {
                return Ok(sum);
            }
            Ok(composite("relu", RELU.build, &[(&sum).into()])?)
        };
        let got = chain(&there, matmul(&there[0], &there[1])?)?;
        let want = chain(&x, matmul(&x[0], &x[1])?)?;
        if dtype.is_integer() {
            return compare(&got, &want, Exactness::Same);
        }
        compare_each(
            &got,
            &want,
            &bound(&x, End::Bias(Activation::Relu), dtype, 1.0)?,
        )
    })
}

/// A product at a level: as far from the CPU's as the level allows.
fn precise(dtype: DType, asked: Precision) -> Check {
    Check::new(format!("ends/{asked:?}/{dtype}"), move |gpu| {
        let (a, b) = (small(dtype, &[257, 513], 1)?, small(dtype, &[513, 129], 2)?);
        let (p, q) = (gpu.take(&a)?, gpu.take(&b)?);
        let native = bounds::products(&a, &b, 0)?;
        // Both factors rounded to as many bits as the level keeps at least, in units of the sum of magnitudes: that sum is
        // the native bound over its own steps.
        let terms = if dtype.is_complex() { 2.0 } else { 1.0 } * 513.0;
        let coarse = match asked {
            Precision::High => 4.0,
            Precision::Medium => 2f64.powi(-9) / (terms * bounds::rounding(dtype)),
            _ => 2f64.powi(-6) / (terms * bounds::rounding(dtype)),
        };
        let limits: Vec<f64> = native.iter().map(|n| n * coarse.max(4.0)).collect();
        let want = matmul(&a, &b)?;
        compare_each(&matmul_as(&p, &q, asked)?, &want, &limits)?;
        let (got, report) = matmul_reported(&p, &q, asked)?;
        if let (Precision::Tolerance(t), Some(error)) = (asked, report.estimated_error) {
            anyhow::ensure!(error <= t, "{report:?}");
        }
        compare_each(&got, &want, &limits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Gpu;
    use syntonic_core::cpu;

    #[test]
    fn every_end_is_computed_on_the_cpu() {
        let here = Gpu { device: cpu() };
        for check in checks() {
            (check.look)(&here).unwrap_or_else(|e| panic!("{}: {e}", check.name));
        }
    }
}
