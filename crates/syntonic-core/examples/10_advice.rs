//! Which of several ways is the quickest here: measured once, kept on disk. `cargo run -p syntonic-core --example 10_advice`

use syntonic_core::advisor::{Advisor, Runner, Workload, apart, precision_of, product};
use syntonic_core::ops::linalg::matmul_as;
use syntonic_core::prelude::*;
use syntonic_core::{Graph, cpu};

/// A short chain, which is what graphs are for: its work is less than the calls that ask for it.
fn chain(x: &Tensor) -> syntonic_core::Result<Tensor> {
    x.sin()?.try_mul(x)?.softmax(-1)
}

fn main() -> syntonic_core::Result<()> {
    let mut generator = Generator::new(10);
    let x = Tensor::randn(&[8, 256], DType::F64, &mut generator)?;

    // Sums of 256 terms of one sign in another order differ by as many roundings; a few more are the chain's own.
    let promised = 300.0 * f64::EPSILON / 2.0;
    let distance = |a: &Tensor, b: &Tensor| apart(std::slice::from_ref(a), std::slice::from_ref(b));
    let make = || {
        Workload::new("softmax of x sin x", &cpu(), distance)
            .operands(&[&x])
            .choice("in one go", promised, |_: &Tensor| {
                Ok(Runner::new(|x: &Tensor| chain(x)?.eval()))
            })
            .choice("in steps", promised, |_: &Tensor| {
                Ok(Runner::new(|x: &Tensor| {
                    x.sin()?.eval()?.try_mul(x)?.eval()?.softmax(-1)?.eval()
                }))
            })
            .choice("captured", promised, |x: &Tensor| {
                let graph = Graph::capture(&[x], |own| Ok(vec![chain(own[0])?]))?;
                Ok(Runner::new(move |x: &Tensor| {
                    Ok(graph.replay(&[x])?.remove(0))
                }))
            })
    };

    // `Advisor::default()` has the user's folder for caches.
    let folder = std::env::temp_dir().join(format!("syntonic-advice-{}", std::process::id()));
    let advisor = Advisor::new(&folder);
    let mut chosen = advisor.choose(make(), &x)?;
    println!("{}", chosen.advice);
    assert_eq!(chosen.run(&x)?.shape(), x.shape());

    // Another process finds the answer on disk, and prepares nothing else.
    let again = Advisor::new(&folder).choose(make(), &x)?;
    println!("{}", again.advice);
    assert_eq!(again.advice.picked, chosen.advice.picked);
    advisor.forget(&again.advice.key)?;
    let _ = std::fs::remove_dir_all(&folder);

    // The precision of a product by the error that is allowed.
    let a = Tensor::randn(&[128, 128], DType::F32, &mut generator)?;
    let pair = [a.clone(), a.clone()];
    let advice = Advisor::in_memory()
        .choose(product(&a, &a, 1e-4)?, &pair)?
        .advice;
    println!("{advice}");
    if let Some(precision) = precision_of(&advice, 1e-4) {
        println!("{:?}", matmul_as(&a, &a, precision)?.shape());
    }
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
