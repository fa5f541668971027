//! The ready workloads on the CPU.

use super::*;
use crate::dtype::DType;
use crate::ops::linalg::{Precision, matmul};
use crate::random::Generator;
use crate::tensor::Tensor;

/// An advisor of little patience: what it picks is not asked here.
fn hasty() -> Advisor {
    Advisor::in_memory().with_budget(Duration::ZERO)
}

fn random(shape: &[usize], dtype: DType) -> Result<Tensor> {
    Tensor::randn(shape, DType::F64, &mut Generator::new(7))?
        .cast(dtype)?
        .eval()
}

#[test]
fn products_offer_what_keeps_the_tolerance() -> Result<()> {
    let names = |dtype: DType, tolerance: f64| -> Result<Vec<String>> {
        let a = random(&[2, 32, 32], dtype)?;
        let workload = product(&a, &a, tolerance)?;
        let chosen = hasty().choose(workload, &[a.clone(), a.clone()])?;
        assert!(precision_of(&chosen.advice, tolerance).is_some());
        let measured = chosen.advice.measured.into_iter();
        Ok(measured.map(|m| m.choice).collect())
    };
    // 32 terms: 32 2^-24 = 1.9e-6 for the type's own sums.
    assert_eq!(
        names(DType::F32, 1e-2)?,
        ["highest", "high", "medium", "tolerance"]
    );
    assert_eq!(names(DType::F32, 1e-5)?, ["highest", "high", "tolerance"]);
    assert_eq!(names(DType::F32, 2e-6)?, ["highest", "tolerance"]);
    assert_eq!(names(DType::C64, 1e-7)?, ["tolerance"]);
    assert_eq!(names(DType::F64, 1e-12)?, ["highest", "high", "tolerance"]);
    assert_eq!(names(DType::F16, 1e-2)?, ["highest"]);
    Ok(())
}

#[test]
fn products_that_run_are_products() -> Result<()> {
    let (a, b) = (random(&[40, 30], DType::F32)?, random(&[30], DType::F32)?);
    let mut chosen = hasty().choose(product(&a, &b, 1e-3)?, &[a.clone(), b.clone()])?;
    let (got, want) = (chosen.run(&[a.clone(), b.clone()])?, matmul(&a, &b)?);
    assert!(apart(&[got], &[want])? < 1e-6);
    assert!(matches!(product(&a, &a, 1.0), Err(Error::Shape { .. })));
    assert!(matches!(product(&a, &b, -1.0), Err(Error::Value { .. })));
    let whole = Tensor::from([[1i64, 2], [3, 4]]);
    let exact = hasty().choose(product(&whole, &whole, 0.0)?, &[whole.clone(), whole])?;
    assert_eq!(precision_of(&exact.advice, 0.0), Some(Precision::Highest));
    Ok(())
}

crate::stages! {
    struct Softmax(x: [n, m]) -> (p) {
        #[stage(1, reduction = max)] top: [n, 1] = |x| x;
        #[stage(2)] e: [n, m] = |x, top| exp(x - top);
        #[stage(3, reduction = sum)] total: [n, 1] = |e| e;
        #[stage(4)] p: [n, m] = |e, total| e / total;
    }
}

#[test]
fn pipelines_have_three_modes_that_agree() -> Result<()> {
    let x = random(&[32, 512], DType::F64)?;
    let plan = Softmax::plan();
    // 512 terms of one sign and a few roundings.
    let workload = pipeline(plan, &[&x], 520.0 * f64::EPSILON / 2.0)?;
    let mut chosen = hasty().choose(workload, &[x.clone()][..])?;
    let names: Vec<&str> = chosen.advice.measured.iter().map(|m| &*m.choice).collect();
    assert_eq!(names, ["unfused", "fused", "captured"]);
    let sums = chosen.run(&[x])?.remove(0).sum(-1)?;
    assert!(apart(&[sums], &[Tensor::ones_on(&[32], DType::F64, &cpu())?])? < 1e-13);
    Ok(())
}
