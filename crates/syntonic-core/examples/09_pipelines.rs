//! A program of several stages: checked when it is compiled, run in four ways. `cargo run -p syntonic-core --example 09_pipelines`

use syntonic_core::pipeline::{Builder, Mode, Stage};
use syntonic_core::prelude::*;
use syntonic_core::stages;

stages! {
    /// Rows of x through a layer, and the entropy of the softmax of what comes out.
    struct Certainty(x: [n, k], w: [k, m], bias: [m]) -> (p, entropy) {
        #[stage(1)] product: [n, m] = product(x, w);
        #[stage(2)] score: [n, m] = |product, bias| tanh(product + bias);
        #[stage(3, reduction = max)] top: [n, 1] = |score| score;
        #[stage(4)] e: [n, m] = |score, top| exp(score - top);
        #[stage(5, reduction = sum)] total: [n, 1] = |e| e;
        #[stage(6)] p: [n, m] = |e, total| e / total;
        #[stage(7, reduction = sum, precision = double)] entropy: [n] = |p| -p * log(p);
    }
}

fn main() -> syntonic_core::Result<()> {
    let mut generator = Generator::new(9);
    let x = Tensor::randn(&[256, 32], DType::F32, &mut generator)?;
    let w = Tensor::randn(&[32, 100], DType::F32, &mut generator)?;
    let bias = Tensor::randn(&[100], DType::F32, &mut generator)?;
    let plan = Certainty::plan();

    // Stages are data: this is what runs, and what a manifest would name it by.
    println!("{}{}\n", plan.source(), plan.digest());

    // Fused where stages meet, or one by one, or number by number as the formulas say.
    let inputs = [&x, &w, &bias];
    let fused = plan.run(&inputs, Mode::Fused)?;
    let exact = plan.run(&inputs, Mode::Reference)?;
    let error = (&fused[1] - &exact[1]).abs()?.max(..)?;
    assert!(error.to_scalar::<f64>()? < 1e-4);

    // What that saves.
    let report = plan.report(&inputs, Mode::Fused)?;
    println!("{report}");
    assert!(report.launches() < report.unfused_launches());
    assert!(report.bytes_saved() > 0);

    // For many runs over inputs of these shapes: one graph.
    let captured = plan.capture(&inputs)?;
    let again = captured.replay(&inputs)?;
    assert_eq!(again[0].to_vec::<f32>()?, fused[0].to_vec::<f32>()?);

    // Shapes that do not fit are named; a stage that does not fit does not compile, or is an error of the builder.
    let e = plan.run(&[&w, &x, &bias], Mode::Fused).unwrap_err();
    println!("{e}");
    assert!(
        e.to_string()
            .contains("input w has the extent 256 on axis 0, where k is 100")
    );
    let builder = Builder::new("Bad").input("x", &["n"]).output("y");
    let stage = Stage::elements("y", 1, &["n"], ["z"], |[z]| z + 1.0);
    println!("{}", builder.stage(stage).finish().unwrap_err());
    Ok(())
}

#[test]
fn its_assertions_hold() -> syntonic_core::Result<()> {
    main()
}
